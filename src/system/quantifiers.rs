//! Quantifier elimination where it is cheap, so that the solver sees few quantifiers and people see little text.

use rustc_hash::FxHashMap;

use super::prover::Prover;
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind, in_one_form, narrowed, ways};
use crate::diagnostics::Symbol;
use crate::smt::Answer;

impl Prover<'_> {
    /// That there are values for some variables such that all parts hold, with as few quantifiers as possible.
    pub(crate) fn exists(&mut self, vars: &[VarId], parts: Vec<TermId>) -> TermId {
        let mut found = Vec::new();
        for parts in ways(&mut self.terms, vars, parts) {
            let one = self.exists_in(vars, parts);
            match self.terms.as_bool(one) {
                Some(true) => return one,
                Some(false) => {}
                None => found.push(one),
            }
        }
        self.terms.or(found)
    }

    /// A formula with as few quantifiers as possible at its top.
    pub(crate) fn without_quantifier(&mut self, formula: TermId) -> TermId {
        match self.terms.get(formula).clone() {
            Term::Exists(vars, body) => self.exists(&vars, vec![body]),
            Term::Or(options) => {
                let options: Vec<TermId> =
                    options.iter().map(|&option| self.without_quantifier(option)).collect();
                self.terms.or(options)
            }
            Term::And(parts) => {
                let parts: Vec<TermId> =
                    parts.iter().map(|&part| self.without_quantifier(part)).collect();
                self.terms.and(parts)
            }
            _ => formula,
        }
    }

    fn exists_in(&mut self, vars: &[VarId], parts: Vec<TermId>) -> TermId {
        let Some((inside, mut all)) = narrowed(&mut self.terms, vars, parts) else {
            return self.terms.bool(false);
        };
        if !inside.is_empty() {
            all.push(self.closed(vars, inside));
        }
        self.terms.and(all)
    }

    /// Conditions that speak of variables to be bound: true or false where the solver knows and nothing else is
    /// spoken of, else a formula with a quantifier.
    fn closed(&mut self, vars: &[VarId], parts: Vec<TermId>) -> TermId {
        let speaks_of_others = parts.iter().any(|&part| {
            self.terms.free_vars(part).iter().any(|var| !vars.contains(var))
                || self.terms.has_constant(part)
        });
        if !speaks_of_others {
            match self.check(&parts) {
                Answer::Sat => return self.terms.bool(true),
                Answer::Unsat => return self.terms.bool(false),
                Answer::Unknown(_) => {}
            }
        }
        let body = self.terms.and(parts);
        self.quantified_once(vars, body)
    }

    /// That there are values for some variables: the same term for conditions that differ in the names of these alone, so
    /// that it is seen that they are the same.
    fn quantified_once(&mut self, vars: &[VarId], body: TermId) -> TermId {
        let (mut values, mut sorts) = (FxHashMap::default(), Vec::with_capacity(vars.len()));
        for (at, &var) in vars.iter().enumerate() {
            let sort = self.terms.var(var).sort.clone();
            values.insert(var, self.placeholder(at, &sort));
            sorts.push(sort);
        }
        let pattern = (self.terms.substitute(body, &values), sorts);
        if let Some(&known) = self.quantified.get(&pattern) {
            return known;
        }
        let (renamed, bound) = self.terms.fresh(vars.iter().copied(), VariableKind::Bound);
        let body = self.terms.substitute(body, &renamed);
        let made = self.terms.quantified(false, bound.into(), body);
        self.quantified.insert(pattern, made);
        made
    }

    /// A variable that stands for a bound one where conditions are compared, and nowhere else.
    fn placeholder(&mut self, at: usize, sort: &Sort) -> TermId {
        if let Some(&known) = self.placeholders.get(&(at, sort.clone())) {
            return known;
        }
        let var = self.terms.new_var(Symbol::new("_"), sort.clone(), VariableKind::Bound);
        let term = self.terms.var_term(var);
        self.placeholders.insert((at, sort.clone()), term);
        term
    }

    /// A condition with each comparison in its one form.
    pub(crate) fn in_one_form(&mut self, condition: TermId) -> TermId {
        in_one_form(&mut self.terms, condition, &mut self.formed)
    }
}

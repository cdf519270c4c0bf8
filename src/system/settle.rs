//! Values for all that a play or a run is about: symbolic constants, uninterpreted functions where
//! they are applied, and variables of whose values only conditions are known.
//!
//! The values come from the solver, together, under everything that the play rests on. Where it does not find any,
//! what was not settled stays as it is.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Prover, Step};
use crate::algebra::{
    AbstractId, Evaluator, MOST_UNFOLDED, Sort, Term, TermId, VarId, VariableKind, sort_of,
};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::outcome::STOPPED;
use crate::smt::{Answer, Model, Value};

/// Functions may be applied to what other functions give: so many times at most.
const MOST_ROUNDS: usize = 8;

/// More than this is not asked for at once.
const MOST_OPEN: usize = 200;

/// What was settled.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// Values of symbolic constants, and of uninterpreted functions for the arguments that matter.
    pub given: Vec<(TermId, TermId)>,
    /// Values of variables.
    values: FxHashMap<VarId, TermId>,
    /// Variables that stand for values of abstract sorts, which have no other names.
    atoms: Vec<VarId>,
    /// Whether everything was settled.
    pub complete: bool,
}

/// What a step changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The variable.
    pub var: VarId,
    /// What it was, if that is known.
    pub before: Option<TermId>,
    /// What it is then.
    pub after: TermId,
}

impl Prover<'_> {
    /// What a step changes of some variables, in their order: nothing that stays as it is.
    pub(crate) fn changes(
        &self,
        step: &Step,
        variables: &[VarId],
        before: &FxHashMap<VarId, TermId>,
    ) -> Vec<Change> {
        let change = |&var: &VarId| {
            let (before, after) = (before.get(&var).copied(), *step.updates.get(&var)?);
            let stays = before == Some(after) || after == self.terms.var_term(var);
            (!stays).then_some(Change { var, before, after })
        };
        variables.iter().filter_map(change).collect()
    }

    /// Settles whatever some terms are about, such that facts hold.
    pub(crate) fn settle(&mut self, facts: &[TermId], shown: &[TermId]) -> Settled {
        let mut settled = Settled::default();
        for _ in 0..MOST_ROUNDS {
            let all: Vec<TermId> = facts.iter().chain(shown).copied().collect();
            let now = self.put_all(&settled, &all);
            let open = self.open(&settled, &now);
            if open.is_empty() {
                settled.complete = true;
                break;
            }
            let (facts, _) = now.split_at(facts.len());
            if open.len() > MOST_OPEN || self.settle_some(&mut settled, facts, &open).is_err() {
                break;
            }
        }
        settled.given.sort_by_key(|(what, _)| matches!(self.terms.get(*what), Term::Apply(..)));
        settled
    }

    /// A term with what was settled.
    pub(crate) fn put(&mut self, settled: &Settled, term: TermId) -> TermId {
        self.put_all(settled, &[term]).pop().unwrap_or(term)
    }

    fn put_all(&mut self, settled: &Settled, terms: &[TermId]) -> Vec<TermId> {
        let Prover { algebra, terms: table, .. } = self;
        let atoms = settled.atoms.iter().copied();
        let mut evaluator = Evaluator::new(algebra, MOST_UNFOLDED).with_atoms(atoms);
        let mut now: Vec<TermId> = terms.to_vec();
        for _ in 0..MOST_ROUNDS {
            let mut done: FxHashMap<TermId, TermId> = settled.given.iter().copied().collect();
            let put = |term: &TermId| {
                let known = table.substitute_with(*term, &settled.values, &mut done);
                evaluator.evaluate(table, known)
            };
            let next: Vec<TermId> = now.iter().map(put).collect();
            if next == now {
                break;
            }
            now = next;
        }
        now
    }

    /// A step with what was settled.
    pub(crate) fn put_step(&mut self, settled: &Settled, step: &Step) -> Step {
        step.mapped(|term| self.put(settled, term))
    }

    /// What is still open in some terms: variables, constants, and functions applied to values.
    fn open(&self, settled: &Settled, roots: &[TermId]) -> Vec<TermId> {
        let evaluator = Evaluator::new(self.algebra, 0).with_atoms(settled.atoms.iter().copied());
        let mut open: Vec<TermId> = Vec::new();
        let mut seen = FxHashSet::default();
        for &root in roots {
            for var in self.terms.free_vars(root) {
                let term = self.terms.var_term(var);
                if !settled.atoms.contains(&var)
                    && !matches!(self.terms.var(var).sort, Sort::Array(_))
                    && seen.insert(term)
                {
                    open.push(term);
                }
            }
            let mut work = vec![root];
            while let Some(term) = work.pop() {
                if matches!(self.terms.get(term), Term::Var(_)) || !seen.insert(term) {
                    continue;
                }
                match self.terms.get(term) {
                    Term::Const(_) => open.push(term),
                    Term::Apply(fun, args) => {
                        let abstracted = self.algebra.functions[fun.index()].body.is_none();
                        if abstracted && args.iter().all(|&a| evaluator.is_settled(&self.terms, a))
                        {
                            open.push(term);
                        }
                    }
                    _ => {}
                }
                let mut inner = self.terms.children(term);
                inner.reverse();
                work.extend(inner);
            }
        }
        open.retain(|term| !settled.given.iter().any(|(known, _)| known == term));
        open
    }

    fn settle_some(
        &mut self,
        settled: &mut Settled,
        facts: &[TermId],
        open: &[TermId],
    ) -> Result<(), Answer> {
        let mut question = facts.to_vec();
        self.differ(settled, &mut question);
        for &(what, value) in &settled.given {
            question.push(self.terms.equal(what, value));
        }
        let mut vars: Vec<VarId> = settled.atoms.clone();
        for &term in open {
            vars.push(match *self.terms.get(term) {
                Term::Var(var) => var,
                _ => {
                    let sort = sort_of(self.algebra, &self.terms, term);
                    let var = self.terms.new_var(Symbol::new("_"), sort, VariableKind::Vector);
                    let value = self.terms.var_term(var);
                    question.push(self.terms.raw(Term::Equal(value, term)));
                    var
                }
            });
        }
        if is_spent() {
            return Err(Answer::Unknown(STOPPED.to_owned()));
        }
        let model = self.oracle.model(&mut self.terms, &question, &vars)?;
        let asked: Vec<VarId> = vars[settled.atoms.len()..].to_vec();
        let mut known = Atoms::of(settled, &model);
        let mut some = false;
        for (&term, var) in open.iter().zip(&asked) {
            let Some(value) = model.get(var) else { continue };
            let sort = self.terms.var(*var).sort.clone();
            let Some(value) = self.value_term(value, &sort, &mut known, settled) else { continue };
            some = true;
            match *self.terms.get(term) {
                Term::Var(var) => drop(settled.values.insert(var, value)),
                _ => settled.given.push((term, value)),
            }
        }
        some.then_some(()).ok_or_else(|| Answer::Unknown("no value can be written".to_owned()))
    }

    /// That values of abstract sorts which have different names differ.
    fn differ(&mut self, settled: &Settled, question: &mut Vec<TermId>) {
        for (at, &one) in settled.atoms.iter().enumerate() {
            for &other in &settled.atoms[..at] {
                if self.terms.var(one).sort == self.terms.var(other).sort {
                    let (a, b) = (self.terms.var_term(one), self.terms.var_term(other));
                    let same = self.terms.equal(a, b);
                    question.push(self.terms.not(same));
                }
            }
        }
    }

    /// A value as a term; nothing for those that have no name and get none.
    fn value_term(
        &mut self,
        value: &Value,
        sort: &Sort,
        known: &mut Atoms,
        settled: &mut Settled,
    ) -> Option<TermId> {
        let mut all = |prover: &mut Self, args: &[Value], sorts: &[Sort]| {
            let args = args.iter().zip(sorts);
            args.map(|(arg, sort)| prover.value_term(arg, sort, known, settled))
                .collect::<Option<Box<[TermId]>>>()
        };
        Some(match value {
            Value::Bool(value) => self.terms.bool(*value),
            Value::Int(value) => self.terms.int(value.clone()),
            Value::Construct(data, index, args) => {
                let made_by = &self.algebra.datatypes[data.index()].constructors[*index as usize];
                let sorts: Vec<Sort> =
                    made_by.fields.iter().map(|(_, sort)| sort.clone()).collect();
                let args = all(self, args, &sorts)?;
                self.terms.raw(Term::Construct(*data, *index, args))
            }
            Value::Act(action, args) => {
                let sorts = self.algebra.action(*action).sorts.clone();
                let args = all(self, args, &sorts)?;
                self.terms.raw(Term::Act(*action, args))
            }
            Value::Tau => self.terms.raw(Term::Tau),
            Value::Sync(inner) => {
                let inner = self.value_term(inner, sort, known, settled)?;
                self.terms.raw(Term::Sync(inner))
            }
            Value::Co(inner) => {
                let inner = self.value_term(inner, sort, known, settled)?;
                self.terms.raw(Term::Co(inner))
            }
            Value::Abstract(number) => {
                let Sort::Abstract(id) = sort else { return None };
                let var = match known.names.get(number) {
                    Some(&var) => var,
                    None => self.new_atom(*id, settled),
                };
                known.names.insert(*number, var);
                self.terms.var_term(var)
            }
            Value::Other(_) | Value::Array(..) | Value::Opaque(_) => return None,
        })
    }

    /// A name for a value of an abstract sort: `d0`, `d1`, …
    fn new_atom(&mut self, sort: AbstractId, settled: &mut Settled) -> VarId {
        let name = self.algebra.abstracts[sort.index()];
        let letter = name.as_str().chars().next().unwrap_or('x').to_lowercase();
        let name = Symbol::new(&format!("{letter}{}", settled.atoms.len()));
        let var = self.terms.new_var(name, Sort::Abstract(sort), VariableKind::Bound);
        settled.atoms.push(var);
        var
    }
}

/// The names of values of abstract sorts in one model.
struct Atoms {
    names: FxHashMap<usize, VarId>,
}

impl Atoms {
    fn of(settled: &Settled, model: &Model) -> Atoms {
        let name = |&var: &VarId| match model.get(&var)? {
            Value::Abstract(number) => Some((*number, var)),
            _ => None,
        };
        Atoms { names: settled.atoms.iter().filter_map(name).collect() }
    }
}

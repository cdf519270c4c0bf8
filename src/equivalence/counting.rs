//! Acceleration: loops that count, gone round any number of times in one step.
//!
//! Going round `n >= 1` times adds `n` times what one round adds. That describes the loop where what is asked of the
//! variables that count are comparisons of sums: what holds of a sum in the first round and in the last one holds in
//! all rounds between.

use rustc_hash::FxHashMap;

use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind, compares_sums, conjunction};
use crate::diagnostics::Symbol;
use crate::system::{Prover, Step};

/// What one round does: what it adds to variables that count, and what it assigns to others.
struct Round {
    adds: Vec<(VarId, TermId)>,
    assigns: Vec<(VarId, TermId)>,
}

impl Round {
    fn counts(&self, var: VarId) -> bool {
        self.adds.iter().any(|(other, _)| *other == var)
    }

    fn assigned(&self, var: VarId) -> bool {
        self.assigns.iter().any(|(other, _)| *other == var)
    }

    fn changes(&self, var: VarId) -> bool {
        self.counts(var) || self.assigned(var)
    }
}

impl Prover<'_> {
    /// A loop gone round `n >= 1` times; nothing when it does not count, or no description was found.
    pub(crate) fn gone_round(&mut self, cycle: &Step) -> Option<Step> {
        if !cycle.holes.is_empty() {
            return None;
        }
        let round = self.round(cycle);
        if round.adds.is_empty() {
            return None;
        }
        let steady = |terms: &Terms, term: TermId| {
            let free = terms.free_vars(term);
            free.iter().all(|&var| !round.changes(var) && !cycle.locals.contains(&var))
        };
        // What is added is the same each time, and what is assigned does not depend on what was.
        let kept = |terms: &Terms, term: TermId| {
            let free = terms.free_vars(term);
            free.iter().all(|&var| !round.assigned(var) && !cycle.locals.contains(&var))
        };
        if !round.adds.iter().all(|&(_, more)| steady(&self.terms, more))
            || !round.assigns.iter().all(|&(_, value)| kept(&self.terms, value))
        {
            return None;
        }
        let times = self.terms.new_var(Symbol::new("n"), Sort::Int, VariableKind::Vector);
        let n = self.terms.var_term(times);
        let (one, minus_one) = (self.terms.int(1), self.terms.int(-1));
        let before = self.terms.add([n, minus_one]);
        let mut updates: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut at_last: FxHashMap<VarId, TermId> = FxHashMap::default();
        for &(var, more) in &round.adds {
            let this = self.terms.var_term(var);
            let (all, most) = (self.terms.multiply([more, n]), self.terms.multiply([more, before]));
            updates.insert(var, self.terms.add([this, all]));
            at_last.insert(var, self.terms.add([this, most]));
        }
        for &(var, value) in &round.assigns {
            let value = self.terms.substitute(value, &at_last);
            updates.insert(var, value);
        }
        let mut guard = vec![self.terms.less_equal(one, n)];
        for part in conjunction(&mut self.terms, vec![cycle.guard])? {
            guard.push(part);
            let free = self.terms.free_vars(part);
            if !free.iter().any(|&var| round.changes(var)) {
                continue;
            }
            let of_others =
                free.iter().any(|&var| round.assigned(var) || cycle.locals.contains(&var));
            if of_others || !compares_sums(&self.terms, part, &|var| round.counts(var)) {
                return None;
            }
            guard.push(self.terms.substitute(part, &at_last));
        }
        let guard = conjunction(&mut self.terms, guard)?;
        let guard = self.terms.and(guard);
        let mut locals = cycle.locals.clone();
        locals.push(times);
        let made_of = cycle.made_of.iter().map(|&(place, _)| (place, Some(n))).collect();
        Some(Step { guard, updates, locals, made_of, ..cycle.clone() })
    }

    fn round(&mut self, cycle: &Step) -> Round {
        let mut round = Round { adds: Vec::new(), assigns: Vec::new() };
        for (var, value) in cycle.ordered_updates() {
            if value == self.terms.var_term(var) {
                continue;
            }
            match self.increment(var, value) {
                Some(more) => round.adds.push((var, more)),
                None => round.assigns.push((var, value)),
            }
        }
        round
    }

    /// What is added to a variable by an assignment, when that is all it does.
    fn increment(&mut self, var: VarId, value: TermId) -> Option<TermId> {
        let this = self.terms.var_term(var);
        if !matches!(self.terms.var(var).sort, Sort::Int | Sort::Range(..)) {
            return None;
        }
        let Term::Add(parts) = self.terms.get(value).clone() else { return None };
        let rest: Vec<TermId> = parts.iter().copied().filter(|&part| part != this).collect();
        if rest.len() + 1 != parts.len() {
            return None;
        }
        let rest = self.terms.add(rest);
        (!self.terms.free_vars(rest).contains(&var)).then_some(rest)
    }
}

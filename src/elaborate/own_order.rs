//! Priorities inside of a process: a transition gives way where the process itself could do something that goes first.

use rustc_hash::FxHashSet;

use super::build::Builder;
use super::lower::Scope;
use super::shows::Named;
use crate::algebra::TermId;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Condition, PltsTransitionId, Transition};
use crate::sema::program::ProcessDef;

/// The name of an action, none for `tau`.
type Key = Option<Symbol>;

/// The first gives way to the second where a condition holds, by what stands at a text.
type Rule = (Key, Key, TermId, Span);

impl<'p> Builder<'p> {
    /// Adds to the guards of transitions that nothing that goes first is possible.
    pub fn give_way(
        &mut self,
        process: &'p ProcessDef,
        transitions: &mut IndexVec<PltsTransitionId, Transition>,
        scope: &Scope<'p>,
    ) {
        if process.priorities.is_empty() {
            return;
        }
        let rules = self.rules_of_process(process, scope);
        let could: Vec<TermId> = transitions.iter().map(|one| self.could_be_done(one)).collect();
        let mut more: Vec<Vec<Condition>> = Vec::with_capacity(transitions.len());
        for low in transitions.iter() {
            let mut conditions: Vec<Condition> = Vec::new();
            for (high, &could) in transitions.iter().zip(&could) {
                if is_spent() {
                    return;
                }
                if high.source != low.source {
                    continue;
                }
                for &(below, above, guard, text) in &rules {
                    let (is_low, is_high) =
                        (self.is_called(low.action, below), self.is_called(high.action, above));
                    let waits = self.terms.and([is_low, is_high, guard, could]);
                    let term = self.terms.not(waits);
                    let is_new = conditions.iter().all(|known| known.term != term);
                    if is_new && self.terms.as_bool(term) != Some(true) {
                        conditions.push(Condition { term, text });
                    }
                }
            }
            more.push(conditions);
        }
        for (transition, conditions) in transitions.iter_mut().zip(more) {
            let all = conditions.iter().map(|condition| condition.term);
            transition.guard = self.terms.and([transition.guard].into_iter().chain(all));
            transition.conditions.extend(conditions);
        }
    }

    /// When a transition could be made, for some values of its inputs.
    fn could_be_done(&mut self, transition: &Transition) -> TermId {
        let owed = transition.owes.iter().map(|owed| owed.term);
        let all = self.terms.and([transition.guard].into_iter().chain(owed));
        match transition.inputs.is_empty() {
            true => all,
            false => self.terms.quantified(false, transition.inputs.as_slice().into(), all),
        }
    }

    /// Whether an action has a name, or is `tau`.
    fn is_called(&mut self, action: TermId, key: Key) -> TermId {
        let Some(key) = key else { return self.is_silent(action) };
        match self.named(&self.form(action)) {
            Named::Yes(name) => self.terms.bool(name == key),
            Named::No => self.terms.bool(false),
            Named::Open => self.has_name(action, key),
        }
    }

    /// The rules of a process with all that follow from them.
    fn rules_of_process(&mut self, process: &'p ProcessDef, scope: &Scope<'p>) -> Vec<Rule> {
        let mut rules: Vec<Rule> = Vec::with_capacity(process.priorities.len());
        for order in &process.priorities {
            let (guard, owed) = self.lowering().owing(|l| l.guard(order.guard.as_ref(), scope).0);
            let owed = owed.into_iter().map(|owed| owed.term);
            let guard = self.terms.and([guard].into_iter().chain(owed));
            rules.push((order.low, order.high, guard, order.span));
        }
        let mut closed: Vec<Rule> = Vec::new();
        for &(low, high, guard, text) in &rules {
            let mut seen: FxHashSet<(Key, TermId)> = FxHashSet::default();
            let mut work = vec![(high, guard)];
            while let Some((at, guard)) = work.pop() {
                if is_spent() {
                    return closed;
                }
                if self.terms.as_bool(guard) == Some(false) || !seen.insert((at, guard)) {
                    continue;
                }
                closed.push((low, at, guard, text));
                for &(next, above, more, _) in &rules {
                    if next == at {
                        work.push((above, self.terms.and([guard, more])));
                    }
                }
            }
        }
        closed
    }
}

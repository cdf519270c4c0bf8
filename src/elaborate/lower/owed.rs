//! What expressions owe: that each value is one of the sort that it goes into, that an array has the place that is read,
//! that nothing is divided by zero.
//!
//! Lowering notes what is owed while it makes terms, wherever in an expression it stands. `and`, `or`, `=>`, `if` and
//! `match` are read from left to right: what stands to the right owes only where the left does not decide. Values of
//! data and arrays are made of parts that were paid for when they were made, so only integers owe anything.
//!
//! In a step, what is owed becomes part of its condition. Where there is no step, for initial values, parameters and
//! constants, it is a premise: it must follow from the axioms.

use super::Companion;
use super::Lowering;
use crate::algebra::{FunId, Sort, Term, TermId, VarId, sort_of};
use crate::diagnostics::Span;
use crate::pnet::{Condition, Owed, OwedKind};

/// Choices inside choices are looked into no deeper than this.
const MOST_CHOICES: usize = 6;

impl Lowering<'_> {
    /// How much is owed so far.
    pub fn owed_so_far(&self) -> usize {
        self.owed.len()
    }

    /// Notes that something must hold, where it is not clear.
    pub fn owe(&mut self, term: TermId, text: Span, kind: OwedKind) {
        let left = self.ledger.known.left_of(self.algebra, self.terms, term);
        if self.terms.as_bool(left) != Some(true) {
            let on_the_way = kind == OwedKind::Apart;
            self.owed.push(Owed { term: left, text, kind, on_the_way });
        }
    }

    /// What was noted since is owed only where a condition holds.
    pub fn owed_under(&mut self, condition: TermId, since: usize) {
        if self.owed.len() == since {
            return;
        }
        let mut known = self.ledger.known.clone();
        known.learn(self.terms, condition);
        for mut one in self.owed.split_off(since) {
            let left = known.left_of(self.algebra, self.terms, one.term);
            one.term = self.terms.implies(condition, left);
            if self.terms.as_bool(one.term) != Some(true) {
                self.owed.push(one);
            }
        }
    }

    /// What was noted since is owed for all values of variables.
    pub fn owed_for_all(&mut self, vars: &[VarId], since: usize) {
        for one in &mut self.owed[since..] {
            one.term = self.terms.quantified(true, vars.into(), one.term);
        }
    }

    /// What is left of what is owed, where conditions hold.
    pub fn still_owed(&mut self, owed: Vec<Owed>, given: &[Condition]) -> Vec<Owed> {
        if owed.is_empty() {
            return owed;
        }
        let mut known = self.ledger.known.clone();
        given.iter().for_each(|condition| known.learn(self.terms, condition.term));
        let mut left: Vec<Owed> = Vec::with_capacity(owed.len());
        for mut one in owed {
            one.term = known.left_of(self.algebra, self.terms, one.term);
            let is_new = !left.iter().any(|other| other.term == one.term && other.text == one.text);
            if is_new && self.terms.as_bool(one.term) != Some(true) {
                left.push(one);
            }
        }
        left
    }

    /// The same of an index.
    pub fn owe_place(&mut self, value: TermId, sort: &Sort, text: Span, kind: OwedKind) {
        if let Sort::Range(low, high) = *sort {
            self.owe_between(value, (low, high), (text, kind), MOST_CHOICES);
        }
    }

    /// That a value lies between bounds; of a choice, what is chosen does.
    fn owe_between(
        &mut self,
        value: TermId,
        (low, high): (TermId, TermId),
        (text, kind): (Span, OwedKind),
        choices: usize,
    ) {
        if let (Term::If(condition, yes, no), Some(choices)) =
            (self.terms.get(value).clone(), choices.checked_sub(1))
        {
            let otherwise = self.terms.not(condition);
            for (condition, value) in [(condition, yes), (otherwise, no)] {
                let since = self.owed_so_far();
                self.owe_between(value, (low, high), (text, kind), choices);
                self.owed_under(condition, since);
            }
            return;
        }
        let bounds = [self.terms.less_equal(low, value), self.terms.less(value, high)];
        let term = self.terms.and(bounds);
        self.owe(term, text, kind);
    }

    /// That a divisor is not zero.
    pub fn owe_divisor(&mut self, divisor: TermId, text: Span) {
        let zero = self.terms.int(0);
        let is_zero = self.terms.equal(divisor, zero);
        let term = self.terms.not(is_zero);
        self.owe(term, text, OwedKind::Divisor);
    }

    /// That an array has a place. (The bounds in its written sort may be parameters of somebody else.)
    pub(super) fn owe_index(&mut self, array: TermId, index: TermId, text: Span) {
        if let Sort::Array(both) = sort_of(self.algebra, self.terms, array) {
            self.owe_place(index, &both.0, text, OwedKind::Place);
        }
    }

    /// A call owes that the definition has a value for its arguments.
    pub fn owe_call(&mut self, id: FunId, args: &[TermId], text: Span) {
        let term = match self.ledger.companions.get(id.index()) {
            Some(Some(Companion::Function(companion))) => {
                self.terms.raw(Term::Apply(*companion, args.into()))
            }
            Some(Some(Companion::Where(condition))) => {
                let params = self.algebra.functions[id.index()].params.iter().copied();
                let values = params.zip(args.iter().copied()).collect();
                self.terms.substitute(*condition, &values)
            }
            Some(Some(Companion::Always) | None) | None => return,
        };
        self.owe(term, text, OwedKind::Call);
    }
}

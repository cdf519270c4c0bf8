//! Values that go into sorts, and arrays that are given the places that they are needed for.

use super::Lowering;
use crate::algebra::{Sort, Term, TermId, VariableKind, sort_of};
use crate::diagnostics::{Span, Symbol};
use crate::pnet::OwedKind;
use crate::sema::program::{Expr, ExprKind};

impl Lowering<'_> {
    /// A value that goes into a sort; notes that it must be one of it.
    ///
    /// An array is given the sort that it goes into: `[_]Int(0)` has as many places as it is needed for.
    #[must_use]
    pub fn fit(&mut self, value: TermId, sort: &Sort, text: Span) -> TermId {
        match sort {
            Sort::Array(both) => self.fit_array(value, both, text),
            _ => {
                self.owe_place(value, sort, text, OwedKind::Range);
                value
            }
        }
    }

    fn fit_array(&mut self, value: TermId, both: &(Sort, Sort), text: Span) -> TermId {
        let wanted = Sort::Array(Box::new(both.clone()));
        match self.terms.get(value).clone() {
            Term::ConstArray(_, element) => {
                let element = self.fit(element, &both.1, text);
                self.terms.raw(Term::ConstArray(wanted, element))
            }
            Term::Update(array, place, element) => {
                let array = self.fit_array(array, both, text);
                self.owe_place(place, &both.0, text, OwedKind::Place);
                let element = self.fit(element, &both.1, text);
                self.terms.raw(Term::Update(array, place, element))
            }
            Term::If(condition, yes, no) => {
                let otherwise = self.terms.not(condition);
                let mut made = Vec::with_capacity(2);
                for (condition, value) in [(condition, yes), (otherwise, no)] {
                    let since = self.owed_so_far();
                    made.push(self.fit_array(value, both, text));
                    self.owed_under(condition, since);
                }
                self.terms.if_then_else(condition, made[0], made[1])
            }
            _ => {
                self.owe_same_places(value, both, text);
                value
            }
        }
    }

    /// That an array has the places, and elements of the sort, that are asked for.
    fn owe_same_places(&mut self, value: TermId, both: &(Sort, Sort), text: Span) {
        let Sort::Array(own) = sort_of(self.algebra, self.terms, value) else { return };
        if own.0 != both.0 {
            let same = match (&own.0, &both.0) {
                (Sort::Range(a, b), Sort::Range(c, d)) => {
                    let same = [self.terms.equal(*a, *c), self.terms.equal(*b, *d)];
                    self.terms.and(same)
                }
                _ => self.terms.bool(false),
            };
            self.owe(same, text, OwedKind::Place);
        }
        if own.1 != both.1 && self.algebra.is_restricted(&both.1) {
            let place = self.terms.new_var(Symbol::new("i"), both.0.clone(), VariableKind::Bound);
            let at = self.terms.var_term(place);
            let element = self.terms.index(value, at);
            let since = self.owed_so_far();
            _ = self.fit(element, &both.1, text);
            self.owed_for_all(&[place], since);
        }
    }

    /// Two arrays that are compared: `[_]Int(0)` has as many places as the other one.
    pub fn same_places(&mut self, a: TermId, b: TermId, text: Span) -> (TermId, TermId) {
        let of = |term: TermId| match sort_of(self.algebra, self.terms, term) {
            Sort::Array(both) => Some(both),
            _ => None,
        };
        let (Some(first), Some(second)) = (of(a), of(b)) else { return (a, b) };
        let has_range = |both: &(Sort, Sort)| matches!(both.0, Sort::Range(..));
        // Elements are compared as they are: only the places matter.
        if has_range(&first) {
            (a, self.fit_array(b, &(first.0, second.1), text))
        } else if has_range(&second) {
            (self.fit_array(a, &(second.0, first.1), text), b)
        } else {
            (a, b)
        }
    }

    /// Values that go into sorts, each into its own.
    pub(super) fn fitted(
        &mut self,
        values: &[TermId],
        sorts: &[Sort],
        texts: &[Expr],
    ) -> Box<[TermId]> {
        let mut made = Vec::with_capacity(values.len());
        for ((&value, sort), text) in values.iter().zip(sorts).zip(texts) {
            // What comes in from outside is a value of the sort.
            made.push(match text.kind {
                ExprKind::Input(_) | ExprKind::Wildcard => value,
                _ => self.fit(value, sort, text.span),
            });
        }
        made.into()
    }
}

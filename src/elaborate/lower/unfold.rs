//! Quantifiers of properties over few values, written out: those who search configurations get conditions without
//! quantifiers, in which indices are numbers.

use num_traits::ToPrimitive;

use super::{Lowering, Scope};
use crate::algebra::{Sort, Term, TermId};
use crate::base::budget::is_spent;
use crate::sema::program::{Expr, LocalId};

/// The bodies of a property's quantifiers are written out this often, all in all.
pub const MOST_UNFOLDS: usize = 20_000;

impl Lowering<'_> {
    /// A quantifier of a property as `and` or `or`, where its variables have few values.
    pub(super) fn unfolded(
        &mut self,
        (universal, ids): (bool, &[LocalId]),
        body: &Expr,
        scope: &Scope<'_>,
    ) -> Option<TermId> {
        self.leaves?;
        let cases = self.cases(ids, scope, self.unfolds)?;
        self.unfolds = self.unfolds.checked_sub(cases.len())?;
        let cases = cases.iter().take_while(|_| !is_spent());
        let cases: Vec<TermId> = cases.map(|inner| self.term(body, inner)).collect();
        Some(if universal { self.terms.and(cases) } else { self.terms.or(cases) })
    }

    /// What local names stand for, in each case, where their values are few.
    pub(super) fn cases<'s>(
        &mut self,
        ids: &[LocalId],
        scope: &Scope<'s>,
        most: usize,
    ) -> Option<Vec<Scope<'s>>> {
        let mut values: Vec<Vec<TermId>> = Vec::with_capacity(ids.len());
        let mut count = 1usize;
        for id in ids {
            let sort = self.sort(scope.locals.get(id.index())?.sort, scope);
            let all = self.few_values(&sort, most)?;
            count = count.checked_mul(all.len())?;
            values.push(all);
        }
        if count > most {
            return None;
        }
        let case = |case: usize| {
            let (mut inner, mut rest) = (scope.clone(), case);
            for (id, all) in ids.iter().zip(&values).rev() {
                inner.set(*id, all[rest % all.len()]);
                rest /= all.len();
            }
            inner
        };
        Some((0..count).map(case).collect())
    }

    /// The values of a sort, where these are few and known.
    fn few_values(&mut self, sort: &Sort, most: usize) -> Option<Vec<TermId>> {
        match sort {
            Sort::Bool => Some([false, true].map(|value| self.terms.bool(value)).to_vec()),
            Sort::Range(low, high) => {
                let (low, high) = (self.terms.as_int(*low)?.clone(), self.terms.as_int(*high)?);
                let count = (high - &low).to_i64()?.max(0);
                let few = usize::try_from(count).is_ok_and(|count| count <= most);
                few.then(|| (0..count).map(|more| self.terms.int(&low + more)).collect())
            }
            Sort::Data(id) => {
                let constructors = &self.algebra.datatypes[id.index()].constructors;
                let few = constructors.len() <= most
                    && constructors.iter().all(|constructor| constructor.fields.is_empty());
                let all = 0..constructors.len() as u32;
                let value = |at| Term::Construct(*id, at, Box::default());
                few.then(|| all.map(|at| self.terms.raw(value(at))).collect())
            }
            _ => None,
        }
    }
}

//! Linear arithmetic over the integers: sums of multiples, comparisons in one form, and the elimination of a variable.
//!
//! **Theorem** (Fourier–Motzkin, where it is exact over the integers). Let each condition that speaks of the integer
//! variable `x` be `l <= x` or `x <= u` with coefficient 1. Then `exists x. all of them` holds exactly where `l <= u` for
//! each lower bound `l` and each upper bound `u`: the largest `l` is itself an integer between all bounds. With other
//! coefficients only one direction holds, so that `eliminated` gives up there.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use super::{Sort, Term, TermId, Terms, VarId};
use crate::base::budget::is_spent;

/// Sums of more parts are not taken apart further.
const MOST_PARTS: usize = 1000;

/// A sum of multiples of terms, and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Linear {
    pub parts: BTreeMap<TermId, BigInt>,
    pub number: BigInt,
}

impl Linear {
    pub fn of(terms: &Terms, id: TermId) -> Linear {
        let mut sum = Linear::default();
        sum.add(terms, id, &BigInt::one());
        sum
    }

    /// Adds a multiple of a term. Sums inside of sums are taken apart, without recursion, as long as these are few: what
    /// is left is a part like others.
    pub fn add(&mut self, terms: &Terms, id: TermId, times: &BigInt) {
        let mut work: Vec<(TermId, BigInt)> = vec![(id, times.clone())];
        let mut looked = 0usize;
        while let Some((id, times)) = work.pop() {
            looked += 1;
            match terms.get(id) {
                Term::Int(value) => self.number += times * &**value,
                Term::Add(parts) if looked <= MOST_PARTS => {
                    work.extend(parts.iter().map(|&part| (part, times.clone())));
                }
                Term::Multiply(factors) => match multiple(terms, factors) {
                    Some((number, other)) => work.push((other, times * number)),
                    None => self.add_part(id, &times),
                },
                _ => self.add_part(id, &times),
            }
        }
    }

    fn add_part(&mut self, id: TermId, times: &BigInt) {
        let coefficient = self.parts.entry(id).or_default();
        *coefficient += times;
        if coefficient.is_zero() {
            self.parts.remove(&id);
        }
    }

    /// One sum without another.
    pub fn minus(mut self, other: &Linear) -> Linear {
        self.number -= &other.number;
        for (&part, coefficient) in &other.parts {
            self.add_part(part, &-coefficient);
        }
        self
    }

    /// The sum as a term.
    pub fn term(&self, terms: &mut Terms) -> TermId {
        let mut parts: Vec<TermId> = Vec::with_capacity(self.parts.len() + 1);
        for (&part, coefficient) in &self.parts {
            let coefficient = terms.int(coefficient.clone());
            parts.push(terms.multiply([coefficient, part]));
        }
        parts.push(terms.int(self.number.clone()));
        terms.add(parts)
    }

    /// The positive and the negative parts, each as a term: their difference is the sum.
    pub fn sides(&self, terms: &mut Terms) -> (TermId, TermId) {
        let (mut plus, mut minus) = (Linear::default(), Linear::default());
        for (&part, coefficient) in &self.parts {
            if coefficient.is_positive() {
                plus.add_part(part, coefficient);
            } else {
                minus.add_part(part, &-coefficient);
            }
        }
        if self.number.is_positive() {
            plus.number.clone_from(&self.number);
        } else {
            minus.number = -&self.number;
        }
        (plus.term(terms), minus.term(terms))
    }

    pub fn opposite(&self) -> Linear {
        Linear::default().minus(self)
    }
}

/// The number and the one other factor of a product.
fn multiple<'t>(terms: &'t Terms, factors: &[TermId]) -> Option<(&'t BigInt, TermId)> {
    match *factors {
        [number, other] => Some((terms.as_int(number)?, other)),
        _ => None,
    }
}

/// A comparison as `sum <= 0`; nothing when it is none.
pub(crate) fn at_most_zero(terms: &Terms, condition: TermId) -> Option<Linear> {
    let difference = |a: TermId, b: TermId, more: i32| {
        let mut sum = Linear::of(terms, a).minus(&Linear::of(terms, b));
        sum.number += more;
        sum
    };
    match *terms.get(condition) {
        Term::LessEqual(a, b) => Some(difference(a, b, 0)),
        Term::Less(a, b) => Some(difference(a, b, 1)),
        Term::Not(inner) => match *terms.get(inner) {
            Term::LessEqual(a, b) => Some(difference(b, a, 1)),
            Term::Less(a, b) => Some(difference(b, a, 0)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a comparison holds for all values that the sorts of its variables have: also where each of them has the
/// bound at which the sum is largest.
pub fn holds_by_sorts(terms: &Terms, condition: TermId) -> bool {
    let Some(sum) = at_most_zero(terms, condition) else { return false };
    let mut most = Linear { number: sum.number.clone(), ..Linear::default() };
    for (&part, coefficient) in &sum.parts {
        let sort = match terms.get(part) {
            Term::Var(var) => Some(&terms.var(*var).sort),
            _ => None,
        };
        match sort {
            Some(&Sort::Range(_, high)) if coefficient.is_positive() => {
                most.add(terms, high, coefficient);
                most.number -= coefficient;
            }
            Some(&Sort::Range(low, _)) => most.add(terms, low, coefficient),
            _ => most.add_part(part, coefficient),
        }
    }
    most.parts.is_empty() && !most.number.is_positive()
}

/// The equation that two comparisons come to, where one is the other from the other side: `a <= b` and `b <= a`.
pub fn both_ways(terms: &mut Terms, one: TermId, other: TermId) -> Option<TermId> {
    let (one, other) = (at_most_zero(terms, one)?, at_most_zero(terms, other)?);
    if one.opposite() != other {
        return None;
    }
    let (plus, minus) = one.sides(terms);
    let equation = terms.equal(plus, minus);
    Some(normal(terms, equation))
}

/// A comparison in its one form, so that equal ones are equal terms; anything else as it is.
pub fn normal(terms: &mut Terms, condition: TermId) -> TermId {
    if let Some(sum) = at_most_zero(terms, condition) {
        let (plus, minus) = sum.sides(terms);
        return terms.less_equal(plus, minus);
    }
    let (inner, negated) = match *terms.get(condition) {
        Term::Not(inner) => (inner, true),
        _ => (condition, false),
    };
    let Term::Equal(a, b) = *terms.get(inner) else { return condition };
    let numeric = |id: TermId| match terms.get(id) {
        Term::Add(_) | Term::Multiply(_) | Term::Int(_) => true,
        Term::Var(var) => matches!(terms.var(*var).sort, Sort::Int | Sort::Range(..)),
        _ => false,
    };
    if !numeric(a) && !numeric(b) {
        // The older one stands on the left.
        let equal = if b < a { terms.equal(b, a) } else { inner };
        return if negated { terms.not(equal) } else { equal };
    }
    let mut sum = Linear::of(terms, a).minus(&Linear::of(terms, b));
    // The first part stands on the left, with a positive sign.
    if sum.parts.values().next().is_some_and(Signed::is_negative) {
        sum = sum.opposite();
    }
    let (plus, minus) = sum.sides(terms);
    let equal = terms.equal(plus, minus);
    if negated { terms.not(equal) } else { equal }
}

/// A condition whose comparisons are as people write them: nothing is taken away on either side, and `x + 1 <= y` is `x < y`.
pub fn legible(terms: &mut Terms, condition: TermId) -> TermId {
    let mut done = FxHashMap::default();
    terms.bottom_up(
        condition,
        &mut done,
        |_| true,
        |terms, id, done| {
            let new = terms.rebuilt(id, done);
            let Some(mut sum) = at_most_zero(terms, new) else { return new };
            let strict = sum.number.is_one();
            if strict {
                sum.number.set_zero();
            }
            let (plus, minus) = sum.sides(terms);
            if strict { terms.less(plus, minus) } else { terms.less_equal(plus, minus) }
        },
    )
}

/// Whether a condition compares sums that speak of some variables only by multiples of them: then what holds before
/// and after equal changes of these holds between.
pub fn compares_sums(terms: &Terms, condition: TermId, of: &dyn Fn(VarId) -> bool) -> bool {
    let sum = at_most_zero(terms, condition).or_else(|| match *terms.get(condition) {
        Term::Equal(a, b) => Some(Linear::of(terms, a).minus(&Linear::of(terms, b))),
        _ => None,
    });
    let plain = |part: TermId| match *terms.get(part) {
        Term::Var(_) => true,
        _ => !terms.free_vars(part).into_iter().any(of),
    };
    sum.is_some_and(|sum| sum.parts.keys().all(|&part| plain(part)))
}

/// The value that an equation gives to an integer variable.
pub fn solved(terms: &mut Terms, condition: TermId, var: VarId) -> Option<TermId> {
    let Term::Equal(a, b) = *terms.get(condition) else { return None };
    let this = terms.var_term(var);
    let mut sum = Linear::of(terms, a).minus(&Linear::of(terms, b));
    let coefficient = sum.parts.remove(&this)?;
    let alone = sum.parts.keys().all(|&part| !terms.free_vars(part).contains(&var));
    let value = match (alone, coefficient.is_one(), (-&coefficient).is_one()) {
        (true, true, _) => sum.opposite(),
        (true, _, true) => sum,
        _ => return None,
    };
    Some(value.term(terms))
}

/// Where a variable has more pairs of bounds than this, and than there are conditions, a quantifier is shorter: with each
/// variable there would be quadratically more.
const MOST_BOUNDS: usize = 100;

/// Conditions without an integer variable, such that they hold for some value of it exactly where the given ones
/// do: every lower bound is at most every upper bound. Nothing when this way does not work.
pub fn eliminated(terms: &mut Terms, parts: &[TermId], var: VarId) -> Option<Vec<TermId>> {
    if terms.var(var).sort != Sort::Int {
        return None;
    }
    let this = terms.var_term(var);
    let (mut lower, mut upper, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for &part in parts {
        if !terms.free_vars(part).contains(&var) {
            rest.push(part);
            continue;
        }
        let mut sum = at_most_zero(terms, part)?;
        let coefficient = sum.parts.remove(&this)?;
        if !sum.parts.keys().all(|&part| !terms.free_vars(part).contains(&var)) {
            return None;
        }
        if coefficient.is_one() {
            upper.push(sum.opposite());
        } else if (-coefficient).is_one() {
            lower.push(sum);
        } else {
            return None;
        }
    }
    if lower.len() * upper.len() > MOST_BOUNDS.max(parts.len()) {
        return None;
    }
    for low in &lower {
        for high in &upper {
            if is_spent() {
                return None;
            }
            let (plus, minus) = low.clone().minus(high).sides(terms);
            rest.push(terms.less_equal(plus, minus));
        }
    }
    Some(rest)
}

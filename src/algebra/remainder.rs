//! Remainders: those inside of others by the same number are left out.
//!
//! Steps round a circle of places are taken one by one, `(i + 1) mod n` after `(i + 1) mod n`. Left alone, each of them
//! would be one more number to find for the solver, which takes twice as long with each.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::linear::Linear;
use super::{Sort, Term, TermId, Terms};

/// A quotient or a remainder that is rounded towards zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truncated {
    /// What is divided.
    pub a: TermId,
    /// By what.
    pub b: TermId,
    /// Whether it is the remainder.
    pub is_rest: bool,
}

impl Truncated {
    /// How it is written.
    pub fn word(self) -> &'static str {
        if self.is_rest { "rem" } else { "quot" }
    }
}

/// More numbers than this are not told apart one by one.
const MOST_MULTIPLES: u32 = 3;

impl Terms {
    /// The remainder.
    ///
    /// Claim: `((x mod n) * k + y) mod n` is `(x * k + y) mod n` for all numbers `n` but 0. Of 0, and of what may be 0,
    /// nothing is said.
    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some((_, remainder)) = self.divided(a, b) {
            return self.int(remainder);
        }
        let a = match self.as_int(b) {
            Some(by) if !by.is_zero() => {
                // The numbers of what is inside are added up: their sum may be as large as `n` again.
                let sum = self.without_remainders(a, b);
                self.without_remainders(sum, b)
            }
            _ => a,
        };
        match self.divided(a, b) {
            Some((_, remainder)) => self.int(remainder),
            None => self.raw(Term::Mod(a, b)),
        }
    }

    /// The quotient, rounded towards zero.
    ///
    /// Claim: it is `a div b` where `a` is not negative, and else the opposite of `-a div b`. Of 0 nothing is said.
    pub fn quotient(&mut self, a: TermId, b: TermId) -> TermId {
        self.by_sign(a, |terms, a| terms.div(a, b))
    }

    /// What remains then: it has the sign of `a`.
    ///
    /// Claim: it is `a mod b` where `a` is not negative, and else the opposite of `-a mod b`. Of 0 nothing is said.
    pub fn rest(&mut self, a: TermId, b: TermId) -> TermId {
        self.by_sign(a, |terms, a| terms.modulo(a, b))
    }

    /// Whether a term is what [`Terms::quotient`] or [`Terms::rest`] made.
    pub fn truncated(&self, id: TermId) -> Option<Truncated> {
        let Term::If(condition, yes, no) = *self.get(id) else { return None };
        let (a, b, is_rest) = match *self.get(yes) {
            Term::Div(a, b) => (a, b, false),
            Term::Mod(a, b) => (a, b, true),
            _ => return None,
        };
        let Term::LessEqual(zero, of) = *self.get(condition) else { return None };
        let is_zero = self.as_int(zero).is_some_and(Zero::is_zero);
        let is_truncated = is_zero && of == a && self.is_opposite(no, a, b, is_rest);
        is_truncated.then_some(Truncated { a, b, is_rest })
    }

    /// Whether a term is `-(-a div b)`, or the same with `mod`.
    fn is_opposite(&self, term: TermId, a: TermId, b: TermId, is_rest: bool) -> bool {
        let Some(inner) = self.negated(term) else { return false };
        let (of, by) = match (self.get(inner), is_rest) {
            (Term::Div(of, by), false) | (Term::Mod(of, by), true) => (*of, *by),
            _ => return false,
        };
        let sum = Linear::of(self, of).minus(&Linear::of(self, a).opposite());
        by == b && sum.parts.is_empty() && sum.number.is_zero()
    }

    /// What this is the opposite of, if it was made so.
    fn negated(&self, term: TermId) -> Option<TermId> {
        let Term::Multiply(factors) = self.get(term) else { return None };
        let is_minus_one = |id: TermId| self.as_int(id).is_some_and(|n| *n == BigInt::from(-1));
        match **factors {
            [x, y] if is_minus_one(x) => Some(y),
            [x, y] if is_minus_one(y) => Some(x),
            _ => None,
        }
    }

    /// What a function makes of a number without its sign, with the sign.
    fn by_sign(&mut self, a: TermId, of: impl Fn(&mut Terms, TermId) -> TermId) -> TermId {
        let zero = self.int(0);
        let positive = of(self, a);
        let opposite = self.negate(a);
        let negative = of(self, opposite);
        let negative = self.negate(negative);
        let is_positive = self.less_equal(zero, a);
        self.if_then_else(is_positive, positive, negative)
    }

    /// Whether two numbers are the same, where they differ by a fixed number, or are remainders of such: `i + 1` is not
    /// `i`, nor is it on a circle of two places or more.
    pub(super) fn same_numbers(&self, a: TermId, b: TermId) -> Option<bool> {
        match (self.get(a), self.get(b)) {
            (Term::Mod(x, n), Term::Mod(y, m)) if n == m => {
                let by = self.as_int(*n).filter(|by| !by.is_zero())?;
                let apart = self.fixed_difference(*x, *y)?;
                Some((apart % by).is_zero())
            }
            (Term::Add(_), _) | (_, Term::Add(_)) => Some(self.fixed_difference(a, b)?.is_zero()),
            _ => None,
        }
    }

    /// By how much two sums differ, where all of their parts but numbers are the same.
    fn fixed_difference(&self, a: TermId, b: TermId) -> Option<BigInt> {
        let Linear { parts, number } = self.difference(a, b);
        parts.is_empty().then_some(number)
    }

    fn difference(&self, a: TermId, b: TermId) -> Linear {
        Linear::of(self, a).minus(&Linear::of(self, b))
    }

    /// When two places on a circle, or in a row, are the same: where that is a matter of a few numbers, it is put as
    /// such, without the circle. The sorts of variables are taken for granted.
    ///
    /// Claim: `x mod n == y mod n` exactly if `x - y` is a multiple of `n`, and between its bounds there are only these.
    pub fn equal_places(&mut self, a: TermId, b: TermId) -> TermId {
        self.as_multiples(a, b).unwrap_or_else(|| self.equal(a, b))
    }

    fn as_multiples(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let by = [a, b].into_iter().find_map(|id| match self.get(id) {
            Term::Mod(_, by) => self.as_int(*by).filter(|by| !by.is_zero()).map(BigInt::abs),
            _ => None,
        })?;
        let (x, y) = (self.on_circle(a, &by)?, self.on_circle(b, &by)?);
        let apart = self.difference(x, y);
        let (least, most) = self.bounds(&apart)?;
        let (mut multiple, last) = (least.div_ceil(&by), most.div_floor(&by));
        if &last - &multiple >= MOST_MULTIPLES.into() {
            return None;
        }
        let mut found = Vec::new();
        while multiple <= last {
            found.push(self.is_apart(&apart, &multiple * &by));
            multiple += 1;
        }
        Some(self.or(found))
    }

    /// A number whose remainder is this place: itself, if it is on the circle by its sort.
    fn on_circle(&self, id: TermId, size: &BigInt) -> Option<TermId> {
        match self.get(id) {
            Term::Mod(inner, by) => (self.as_int(*by)?.abs() == *size).then_some(*inner),
            _ => {
                let (low, high) = self.bounds_of(id)?;
                (low >= BigInt::zero() && high < *size).then_some(id)
            }
        }
    }

    /// The smallest and the largest value of a term, by its sort.
    pub fn bounds_of(&self, id: TermId) -> Option<(BigInt, BigInt)> {
        match self.get(id) {
            Term::Int(value) => Some(((**value).clone(), (**value).clone())),
            Term::Var(var) => match self.var(*var).sort {
                Sort::Range(low, high) => Some((self.as_int(low)?.clone(), self.as_int(high)? - 1)),
                _ => None,
            },
            Term::Mod(_, by) => {
                let by = self.as_int(*by).filter(|by| !by.is_zero())?;
                Some((BigInt::zero(), by.abs() - 1))
            }
            _ => None,
        }
    }

    fn bounds(&self, sum: &Linear) -> Option<(BigInt, BigInt)> {
        let (mut least, mut most) = (sum.number.clone(), sum.number.clone());
        for (&part, times) in &sum.parts {
            let (low, high) = self.bounds_of(part)?;
            let (first, second) = (&low * times, &high * times);
            least += (&first).min(&second);
            most += (&first).max(&second);
        }
        Some((least, most))
    }

    /// That a difference is a number.
    fn is_apart(&mut self, sum: &Linear, number: BigInt) -> TermId {
        let (mut plus, mut minus) = (Vec::new(), vec![self.int(number - &sum.number)]);
        for (&part, times) in &sum.parts {
            let times_term = self.int(times.abs());
            let product = self.multiply([times_term, part]);
            if times.is_positive() { &mut plus } else { &mut minus }.push(product);
        }
        let (plus, minus) = (self.add(plus), self.add(minus));
        self.equal(plus, minus)
    }

    /// A number with the same remainder, in which remainders by the same number are left out. What they are of has none
    /// inside any more: it was made here.
    fn without_remainders(&mut self, id: TermId, by: TermId) -> TermId {
        match self.get(id).clone() {
            Term::Mod(inner, same) if same == by => inner,
            Term::Multiply(factors) if self.is_multiple(&factors, by) => {
                let factors: Vec<TermId> =
                    factors.iter().map(|&one| self.without_remainders(one, by)).collect();
                self.multiply(factors)
            }
            Term::Add(parts) if parts.iter().any(|&one| self.can_be_less(one, by)) => {
                let parts: Vec<TermId> =
                    parts.iter().map(|&one| self.without_remainders(one, by)).collect();
                self.add(parts)
            }
            // The sign stays as it was written: one step back is not `n - 1` steps on.
            Term::Int(value) => match self.as_int(by).map(|by| &*value % by.abs()) {
                Some(less) => self.int(less),
                None => id,
            },
            _ => id,
        }
    }

    fn is_remainder(&self, id: TermId, by: TermId) -> bool {
        matches!(self.get(id), Term::Mod(_, same) if *same == by)
    }

    /// Whether factors are a number and a remainder. Products of remainders stay, since these are small.
    fn is_multiple(&self, factors: &[TermId], by: TermId) -> bool {
        matches!(*factors, [number, inner] if self.as_int(number).is_some() && self.is_remainder(inner, by))
    }

    /// Whether a part of a sum can be left out, or made smaller.
    fn can_be_less(&self, id: TermId, by: TermId) -> bool {
        match self.get(id) {
            Term::Int(value) => self.as_int(by).is_some_and(|by| value.abs() >= by.abs()),
            Term::Multiply(factors) => self.is_multiple(factors, by),
            _ => self.is_remainder(id, by),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::{Sort, Term, TermId, Terms, VariableKind};
    use crate::diagnostics::Symbol;

    fn variable(terms: &mut Terms, name: &str) -> TermId {
        let var = terms.new_var(Symbol::new(name), Sort::Int, VariableKind::State);
        terms.var_term(var)
    }

    #[test]
    fn steps_round_a_circle_are_one() {
        let mut terms = Terms::default();
        let x = variable(&mut terms, "x");
        let (one, two, four) = (terms.int(1), terms.int(2), terms.int(4));
        let mut stepped = x;
        for _ in 0..6 {
            let sum = terms.add([stepped, one]);
            stepped = terms.modulo(sum, four);
        }
        let sum = terms.add([x, two]);
        assert_eq!(stepped, terms.modulo(sum, four));
    }

    #[test]
    fn numbers_that_differ_are_told_apart() {
        let mut terms = Terms::default();
        let (x, y) = (variable(&mut terms, "x"), variable(&mut terms, "y"));
        let [one, three, four] = [1, 3, 4].map(|number| terms.int(number));
        let at = |terms: &mut Terms, from: TermId, more: TermId| {
            let sum = terms.add([from, more]);
            terms.modulo(sum, four)
        };
        let next = terms.add([x, one]);
        let (first, last) = (at(&mut terms, x, one), at(&mut terms, x, three));
        let other = at(&mut terms, y, three);
        let no = terms.bool(false);
        assert_eq!(terms.equal(x, next), no);
        assert_eq!(terms.equal(first, last), no);
        let unknown = terms.equal(first, other);
        assert_eq!(*terms.get(unknown), Term::Equal(first, other));
    }

    #[test]
    fn other_numbers_and_what_may_be_0_are_left_alone() {
        let mut terms = Terms::default();
        let (x, n) = (variable(&mut terms, "x"), variable(&mut terms, "n"));
        let (zero, three, four) = (terms.int(0), terms.int(3), terms.int(4));
        for (inner, outer) in [(three, four), (n, n), (zero, zero), (four, n)] {
            let small = terms.modulo(x, inner);
            let both = terms.modulo(small, outer);
            assert_eq!(*terms.get(both), Term::Mod(small, outer));
        }
    }

    #[test]
    fn the_remainder_is_the_same_for_all_numbers() {
        let mut terms = Terms::default();
        let x = variable(&mut terms, "x");
        for by in [-3, -1, 1, 2, 5] {
            for (times, more) in [(1, 0), (-2, 7), (3, -6), (5, 4)] {
                let [by, times, more] = [by, times, more].map(|number| terms.int(number));
                let inner = terms.modulo(x, by);
                let product = terms.multiply([times, inner]);
                let sum = terms.add([product, more]);
                let folded = terms.modulo(sum, by);
                for value in -7..8 {
                    let value = terms.int(value);
                    let var = terms.free_vars(x)[0];
                    let values = [(var, value)].into_iter().collect();
                    let inner = terms.modulo(value, by);
                    let product = terms.multiply([times, inner]);
                    let sum = terms.add([product, more]);
                    let expected = terms.modulo(sum, by);
                    assert_eq!(terms.substitute(folded, &values), expected);
                }
            }
        }
    }
}

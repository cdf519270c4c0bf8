//! Sums with one unknown: what it is, or between which bounds.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::algebra::{Term, TermId, Terms, VarId};

/// A sum: terms with their factors, and a constant.
#[derive(Debug, Default)]
struct Sum {
    parts: Vec<(TermId, BigInt)>,
    constant: BigInt,
}

impl Sum {
    fn add(&mut self, terms: &Terms, id: TermId, factor: BigInt) {
        let mut work = vec![(id, factor)];
        while let Some((id, factor)) = work.pop() {
            match terms.get(id) {
                Term::Int(value) => self.constant += &**value * factor,
                Term::Add(inner) => work.extend(inner.iter().map(|&part| (part, factor.clone()))),
                Term::Multiply(inner) => match terms.as_int(inner[0]) {
                    Some(number) if inner.len() == 2 => work.push((inner[1], number * factor)),
                    _ => self.part(id, factor),
                },
                _ => self.part(id, factor),
            }
        }
    }

    fn part(&mut self, id: TermId, factor: BigInt) {
        match self.parts.iter_mut().find(|(known, _)| *known == id) {
            Some((_, sum)) => *sum += factor,
            None => self.parts.push((id, factor)),
        }
    }

    /// The opposite of all but the part of a variable, as a term; and the factor of the variable.
    fn rest(&self, terms: &mut Terms, var: TermId) -> Option<(BigInt, TermId)> {
        let (_, factor) = self.parts.iter().find(|(id, _)| *id == var)?;
        if factor.is_zero() {
            return None;
        }
        let others = self.parts.iter().filter(|(id, factor)| *id != var && !factor.is_zero());
        let mut all = Vec::new();
        for (id, factor) in others {
            let factor = terms.int(-factor);
            all.push(terms.multiply([factor, *id]));
        }
        all.push(terms.int(-&self.constant));
        Some((factor.clone(), terms.add(all)))
    }
}

/// The difference of two terms: the factor of a variable in it, and the opposite of the rest, where the rest is known.
fn apart(
    terms: &mut Terms,
    (a, b): (TermId, TermId),
    var: VarId,
    is_known: &dyn Fn(&Terms, TermId) -> bool,
) -> Option<(BigInt, TermId)> {
    let mut sum = Sum::default();
    sum.add(terms, a, BigInt::one());
    sum.add(terms, b, -BigInt::one());
    let term = terms.var_term(var);
    let known = sum
        .parts
        .iter()
        .all(|(id, factor)| *id == term || factor.is_zero() || is_known(terms, *id));
    if known { sum.rest(terms, term) } else { None }
}

/// What a variable must be for two numbers to be the same; and what must be a multiple of what for that.
pub(super) fn solved(
    terms: &mut Terms,
    pair: (TermId, TermId),
    var: VarId,
    is_known: &dyn Fn(&Terms, TermId) -> bool,
) -> Option<(TermId, Option<TermId>)> {
    let (factor, rest) = apart(terms, pair, var, is_known)?;
    if factor.is_one() {
        return Some((rest, None));
    }
    if (-&factor).is_one() {
        return Some((terms.negate(rest), None));
    }
    let factor = terms.int(factor);
    let (value, zero) = (terms.div(rest, factor), terms.int(0));
    let remainder = terms.raw(Term::Mod(rest, factor));
    Some((value, Some(terms.equal(remainder, zero))))
}

/// A bound of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// It is not less.
    Low(TermId),
    /// It is less.
    High(TermId),
}

/// The bound of a variable that a condition comes to.
pub(super) fn bound(
    terms: &mut Terms,
    condition: TermId,
    var: VarId,
    is_known: &dyn Fn(&Terms, TermId) -> bool,
) -> Option<Bound> {
    let (a, b, strict) = match *terms.get(condition) {
        Term::Less(a, b) => (a, b, true),
        Term::LessEqual(a, b) => (a, b, false),
        Term::Not(inner) => match *terms.get(inner) {
            Term::Less(a, b) => (b, a, false),
            Term::LessEqual(a, b) => (b, a, true),
            _ => return None,
        },
        _ => return None,
    };
    // factor * x <= rest
    let (factor, rest) = apart(terms, (a, b), var, is_known)?;
    let less = terms.int(if strict { -1 } else { 0 });
    let rest = terms.add([rest, less]);
    let (size, one) = (terms.int(factor.abs()), terms.int(1));
    let quotient = if factor.abs().is_one() { rest } else { terms.div(rest, size) };
    Some(match factor.is_positive() {
        true => Bound::High(terms.add([quotient, one])),
        false => Bound::Low(terms.negate(quotient)),
    })
}

#[cfg(test)]
mod tests {
    use super::{Bound, bound, solved};
    use crate::algebra::{Sort, Terms, VariableKind};
    use crate::diagnostics::Symbol;

    #[test]
    fn bounds_are_exact() {
        for factor in [-3_i64, -2, -1, 1, 2, 3] {
            for right in -7_i64..8 {
                for strict in [false, true] {
                    let mut terms = Terms::default();
                    let var = terms.new_var(Symbol::new("x"), Sort::Int, VariableKind::Input);
                    let (x, k, e) = (terms.var_term(var), terms.int(factor), terms.int(right));
                    let left = terms.multiply([k, x]);
                    let condition =
                        if strict { terms.less(left, e) } else { terms.less_equal(left, e) };
                    let found = bound(&mut terms, condition, var, &|_, _| true);
                    let holds = |x: i64| {
                        if strict { factor * x < right } else { factor * x <= right }
                    };
                    for value in -20..20 {
                        let inside = match found {
                            Some(Bound::Low(low)) => {
                                terms.as_int(low).is_some_and(|low| *low <= value.into())
                            }
                            Some(Bound::High(high)) => {
                                terms.as_int(high).is_some_and(|high| *high > value.into())
                            }
                            None => panic!("no bound"),
                        };
                        assert_eq!(inside, holds(value), "{factor} x < {right} at {value}");
                    }
                }
            }
        }
    }

    #[test]
    fn equations_are_solved() {
        let mut terms = Terms::default();
        let var = terms.new_var(Symbol::new("x"), Sort::Int, VariableKind::Input);
        let (x, two, five) = (terms.var_term(var), terms.int(2), terms.int(5));
        let twice = terms.multiply([two, x]);
        let sum = terms.add([x, two]);
        let three = terms.int(3);
        assert_eq!(solved(&mut terms, (sum, five), var, &|_, _| true), Some((three, None)));
        let six = terms.int(6);
        let (value, rest) = solved(&mut terms, (six, twice), var, &|_, _| true).unwrap();
        assert_eq!((terms.as_int(value).cloned(), rest.is_some()), (Some(3.into()), true));
    }
}

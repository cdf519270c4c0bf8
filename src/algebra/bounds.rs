//! Comparisons in a conjunction that speak of the same sum: the strongest are kept, those that cannot hold together are
//! noticed, and a bound that is excluded moves on: `n <= 3 and n != 3` is `n <= 2`.
//!
//! Most of the cases into which a question falls cannot be, because of such bounds. Whoever sees that at once need not
//! follow them, nor ask.

use std::cmp::Ordering;

use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use super::linear::{Linear, at_most_zero, holds_by_sorts, normal};
use super::{Sort, Term, TermId, Terms};

/// What a part says of a sum.
#[derive(Clone)]
enum Says {
    /// It is at most zero.
    AtMostZero(Linear),
    /// It is not zero.
    NotZero(Linear),
    /// It is zero.
    Zero(Linear),
}

/// What two parts come to.
enum Both {
    /// Each says something that the other does not.
    Apart,
    /// They cannot hold together.
    Contradiction,
    /// The first says what the second does.
    First,
    /// The second says what the first does.
    Second,
    /// Together they say that a sum is at most zero.
    AtMostZero(Linear),
    /// Together they say that a sum is zero.
    Zero(Linear),
}

/// A conjunction with the strongest of its bounds; nothing when they contradict each other, or the sorts of variables.
pub fn tightened(terms: &mut Terms, parts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut kept: Vec<(TermId, Option<Says>)> = Vec::with_capacity(parts.len());
    let mut work: Vec<TermId> = parts.into_iter().rev().collect();
    while let Some(part) = work.pop() {
        let Some(says) = says(terms, part) else {
            kept.push((part, None));
            continue;
        };
        let not = terms.not(part);
        if holds_by_sorts(terms, not) {
            return None;
        }
        if let Some(new) = join(terms, &says, &mut kept)? {
            work.extend(new);
        } else {
            kept.push((part, Some(says)));
        }
    }
    Some(kept.into_iter().map(|(part, _)| part).collect())
}

/// A condition in which each comparison has its one form, and each conjunction its strongest bounds, all the way down; and
/// alternatives their weakest. What was done before is remembered in `done`.
pub fn in_one_form(
    terms: &mut Terms,
    root: TermId,
    done: &mut FxHashMap<TermId, TermId>,
) -> TermId {
    terms.bottom_up(root, done, is_made_of_conditions, form)
}

fn is_made_of_conditions(term: &Term) -> bool {
    matches!(term, Term::And(_) | Term::Or(_) | Term::Not(_) | Term::Forall(..) | Term::Exists(..))
}

/// The one form of a condition, where those of the conditions inside are known.
fn form(terms: &mut Terms, id: TermId, done: &FxHashMap<TermId, TermId>) -> TermId {
    if !is_made_of_conditions(terms.get(id)) {
        return normal(terms, id);
    }
    let new = terms.rebuilt(id, done);
    match terms.get(new).clone() {
        Term::And(parts) => match tightened(terms, parts.to_vec()) {
            Some(parts) => terms.and(parts),
            None => terms.bool(false),
        },
        Term::Or(parts) => {
            let opposite = |terms: &mut Terms, part: TermId| {
                let not = terms.not(part);
                normal(terms, not)
            };
            let parts = parts.iter().map(|&part| opposite(terms, part)).collect();
            match tightened(terms, parts) {
                Some(parts) => {
                    let parts: Vec<TermId> =
                        parts.into_iter().map(|part| opposite(terms, part)).collect();
                    terms.or(parts)
                }
                None => terms.bool(true),
            }
        }
        _ => normal(terms, new),
    }
}

/// Compares what a part says with what is kept, and leaves out of this what it says as well. What it comes to: nothing
/// new when it is to be kept; else nothing more, or a part in its place. None at all when they contradict each other.
fn join(
    terms: &mut Terms,
    says: &Says,
    kept: &mut Vec<(TermId, Option<Says>)>,
) -> Option<Option<Option<TermId>>> {
    let mut at = 0;
    while at < kept.len() {
        let both = kept[at].1.as_ref().map_or(Both::Apart, |theirs| both(says, theirs));
        match both {
            Both::Apart => at += 1,
            Both::Contradiction => return None,
            Both::Second => return Some(Some(None)),
            Both::First => drop(kept.remove(at)),
            Both::AtMostZero(sum) => {
                kept.remove(at);
                let (plus, minus) = sum.sides(terms);
                return Some(Some(Some(terms.less_equal(plus, minus))));
            }
            Both::Zero(sum) => {
                kept.remove(at);
                let (plus, minus) = sum.sides(terms);
                let equal = terms.equal(plus, minus);
                return Some(Some(Some(normal(terms, equal))));
            }
        }
    }
    Some(None)
}

fn says(terms: &Terms, part: TermId) -> Option<Says> {
    if let Some(sum) = at_most_zero(terms, part) {
        return Some(Says::AtMostZero(sum));
    }
    let (inner, negated) = match *terms.get(part) {
        Term::Not(inner) => (inner, true),
        _ => (part, false),
    };
    let Term::Equal(a, b) = *terms.get(inner) else { return None };
    let is_number = |id: TermId| match terms.get(id) {
        Term::Int(_) | Term::Add(_) | Term::Multiply(_) => true,
        Term::Var(var) => matches!(terms.var(*var).sort, Sort::Int | Sort::Range(..)),
        _ => false,
    };
    if !is_number(a) && !is_number(b) {
        return None;
    }
    let sum = Linear::of(terms, a).minus(&Linear::of(terms, b));
    Some(if negated { Says::NotZero(sum) } else { Says::Zero(sum) })
}

fn both(first: &Says, second: &Says) -> Both {
    match (first, second) {
        (Says::AtMostZero(a), Says::AtMostZero(b)) if a.parts == b.parts => {
            if a.number >= b.number { Both::First } else { Both::Second }
        }
        (Says::AtMostZero(a), Says::AtMostZero(b)) if a.opposite().parts == b.parts => {
            let apart = &a.number + &b.number;
            match apart.is_positive() {
                true => Both::Contradiction,
                false if apart.is_negative() => Both::Apart,
                false => Both::Zero(a.clone()),
            }
        }
        (Says::AtMostZero(bound), Says::NotZero(not)) => excluded(bound, not, Both::First),
        (Says::NotZero(not), Says::AtMostZero(bound)) => excluded(bound, not, Both::Second),
        (Says::Zero(sum), other) => fixed(sum, other, Both::First),
        (other, Says::Zero(sum)) => fixed(sum, other, Both::Second),
        _ => Both::Apart,
    }
}

/// What something comes to where a sum is fixed; `enough` if that says it already.
fn fixed(sum: &Linear, other: &Says, enough: Both) -> Both {
    let (Says::AtMostZero(other_sum) | Says::NotZero(other_sum) | Says::Zero(other_sum)) = other;
    let sum = if sum.parts == other_sum.parts { sum.clone() } else { sum.opposite() };
    if sum.parts != other_sum.parts {
        return Both::Apart;
    }
    // The other sum is then this number.
    let number = &other_sum.number - &sum.number;
    let holds = match other {
        Says::AtMostZero(_) => !number.is_positive(),
        Says::NotZero(_) => !number.is_zero(),
        Says::Zero(_) => number.is_zero(),
    };
    if holds { enough } else { Both::Contradiction }
}

/// What a bound comes to where one number is excluded; `enough` if the bound excludes it already.
fn excluded(bound: &Linear, not: &Linear, enough: Both) -> Both {
    let not = if bound.parts == not.parts { not.clone() } else { not.opposite() };
    if bound.parts != not.parts {
        return Both::Apart;
    }
    match not.number.cmp(&bound.number) {
        Ordering::Less => enough,
        Ordering::Equal => Both::AtMostZero(Linear { number: &bound.number + 1, ..not }),
        Ordering::Greater => Both::Apart,
    }
}

#[cfg(test)]
mod tests {
    use super::tightened;
    use crate::algebra::{Sort, TermId, Terms, VariableKind};
    use crate::diagnostics::Symbol;

    /// `n` of `0..6`, with `n <= number` for some numbers, `number <= n` for others, and `n != number`.
    fn about(at_most: &[i32], at_least: &[i32], not: &[i32]) -> (Terms, TermId, Vec<TermId>) {
        let mut terms = Terms::default();
        let sort = Sort::Range(terms.int(0), terms.int(6));
        let n = terms.new_var(Symbol::new("n"), sort, VariableKind::State);
        let n = terms.var_term(n);
        let mut parts = Vec::new();
        for &number in at_most {
            let number = terms.int(number);
            parts.push(terms.less_equal(n, number));
        }
        for &number in at_least {
            let number = terms.int(number);
            parts.push(terms.less_equal(number, n));
        }
        for &number in not {
            let number = terms.int(number);
            let equal = terms.equal(n, number);
            parts.push(terms.not(equal));
        }
        (terms, n, parts)
    }

    #[test]
    fn the_same_values_are_left() {
        let cases: [(&[i32], &[i32], &[i32]); 8] = [
            (&[3, 5], &[1], &[]),
            (&[1], &[3], &[]),
            (&[2], &[2], &[]),
            (&[3], &[1], &[3]),
            (&[3], &[2], &[3]),
            (&[], &[6], &[]),
            (&[3], &[], &[5, 1]),
            (&[4, 4], &[2, 2], &[2, 4]),
        ];
        for (at_most, at_least, not) in cases {
            let (mut terms, n, parts) = about(at_most, at_least, not);
            let found = tightened(&mut terms, parts.clone());
            let var = terms.free_vars(n)[0];
            for value in 0..6 {
                let value = terms.int(value);
                let values = [(var, value)].into_iter().collect();
                let before = terms.and(parts.iter().copied());
                let after = match &found {
                    Some(parts) => terms.and(parts.iter().copied()),
                    None => terms.bool(false),
                };
                let before = terms.substitute(before, &values);
                assert_eq!(
                    terms.substitute(after, &values),
                    before,
                    "{at_most:?} {at_least:?} {not:?}"
                );
            }
        }
    }

    #[test]
    fn numbers_that_are_fixed_say_all() {
        let (mut terms, n, parts) = about(&[4], &[1], &[3]);
        for (value, expected) in [(2, Some(1)), (3, None), (5, None), (0, None)] {
            let value = terms.int(value);
            let equal = terms.equal(n, value);
            for parts in
                [[vec![equal], parts.clone()].concat(), [parts.clone(), vec![equal]].concat()]
            {
                assert_eq!(tightened(&mut terms, parts).map(|parts| parts.len()), expected);
            }
        }
    }

    #[test]
    fn alternatives_that_always_hold_are_noticed() {
        let (mut terms, n, _) = about(&[], &[], &[]);
        let [one, two, three] = [1, 2, 3].map(|number| terms.int(number));
        let next = terms.add([n, one]);
        let below = terms.less_equal(next, one);
        let above = terms.less_equal(three, next);
        let equal = terms.equal(next, two);
        let any = terms.or([below, above, equal]);
        let found = super::in_one_form(&mut terms, any, &mut Default::default());
        assert_eq!(terms.as_bool(found), Some(true));
    }

    #[test]
    fn little_is_left() {
        let count = |at_most: &[i32], at_least: &[i32], not: &[i32]| {
            let (mut terms, _, parts) = about(at_most, at_least, not);
            tightened(&mut terms, parts).map(|parts| parts.len())
        };
        assert_eq!(count(&[3, 5], &[1], &[]), Some(2));
        assert_eq!(count(&[3], &[2], &[3]), Some(1), "it is 2");
        assert_eq!(count(&[1], &[3], &[]), None);
        assert_eq!(count(&[], &[6], &[]), None);
    }
}

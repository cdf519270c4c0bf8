//! What intervals tell without a solver: conditions that surely hold, where others do.
//!
//! Each term lies in an interval that follows from its form, from the sorts of names, and from comparisons with numbers
//! that are known to hold. A condition that follows from the intervals of its two sides surely holds; of anything
//! else nothing is said.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use super::{Algebra, Sort, Term, TermId, Terms};

/// Terms are not looked into deeper than this.
const MOST_LEVELS: usize = 12;

/// The least and the largest value, where they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Interval {
    least: Option<BigInt>,
    largest: Option<BigInt>,
}

impl Interval {
    fn just(value: &BigInt) -> Interval {
        Interval { least: Some(value.clone()), largest: Some(value.clone()) }
    }

    fn plus(&self, other: &Interval) -> Interval {
        let add = |a: &Option<BigInt>, b: &Option<BigInt>| Some(a.as_ref()? + b.as_ref()?);
        Interval {
            least: add(&self.least, &other.least),
            largest: add(&self.largest, &other.largest),
        }
    }

    fn times(&self, factor: &BigInt) -> Interval {
        let multiply = |a: &Option<BigInt>| a.as_ref().map(|a| a * factor);
        let (a, b) = (multiply(&self.least), multiply(&self.largest));
        if factor.is_negative() {
            Interval { least: b, largest: a }
        } else {
            Interval { least: a, largest: b }
        }
    }

    /// Both at once: the narrower bounds.
    fn within(&self, other: &Interval) -> Interval {
        let pick = |a: &Option<BigInt>, b: &Option<BigInt>, high: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a < b) == high { a.clone() } else { b.clone() }),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Interval {
            least: pick(&self.least, &other.least, false),
            largest: pick(&self.largest, &other.largest, true),
        }
    }

    /// One or the other: the wider bounds.
    fn or(&self, other: &Interval) -> Interval {
        let pick = |a: &Option<BigInt>, b: &Option<BigInt>, high: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a < b) == high { b.clone() } else { a.clone() }),
            _ => None,
        };
        Interval {
            least: pick(&self.least, &other.least, false),
            largest: pick(&self.largest, &other.largest, true),
        }
    }
}

/// Comparisons that are known to hold.
#[derive(Clone, Debug, Default)]
pub struct Known {
    bounds: FxHashMap<TermId, Interval>,
    /// Ranges that have values: the first bound is less than the second.
    ordered: Vec<(TermId, TermId)>,
}

impl Known {
    /// Learns a condition, as far as it compares a term with a number.
    pub fn learn(&mut self, terms: &Terms, condition: TermId) {
        match *terms.get(condition) {
            Term::And(ref parts) => parts.iter().for_each(|&part| self.learn(terms, part)),
            Term::LessEqual(a, b) => self.at_most(terms, a, b, false),
            Term::Less(a, b) => {
                self.at_most(terms, a, b, true);
                self.ordered.push((a, b));
            }
            Term::Not(inner) => match *terms.get(inner) {
                Term::LessEqual(a, b) => self.at_most(terms, b, a, true),
                Term::Less(a, b) => self.at_most(terms, b, a, false),
                _ => {}
            },
            Term::Equal(a, b) => {
                self.at_most(terms, a, b, false);
                self.at_most(terms, b, a, false);
            }
            _ => {}
        }
    }

    fn at_most(&mut self, terms: &Terms, a: TermId, b: TermId, less: bool) {
        let one = if less { BigInt::one() } else { BigInt::zero() };
        if let Some(high) = terms.as_int(b) {
            self.narrow(a, Interval { least: None, largest: Some(high - &one) });
        }
        if let Some(low) = terms.as_int(a) {
            self.narrow(b, Interval { least: Some(low + &one), largest: None });
        }
    }

    fn narrow(&mut self, term: TermId, interval: Interval) {
        let known = self.bounds.entry(term).or_default();
        *known = known.within(&interval);
    }

    /// A condition without the parts that surely hold.
    pub fn left_of(&self, algebra: &Algebra, terms: &mut Terms, condition: TermId) -> TermId {
        if let Term::And(parts) = terms.get(condition).clone() {
            let left: Vec<TermId> =
                parts.iter().copied().filter(|&part| !self.surely(algebra, terms, part)).collect();
            return terms.and(left);
        }
        if self.surely(algebra, terms, condition) { terms.bool(true) } else { condition }
    }

    /// Whether a condition surely holds.
    fn surely(&self, algebra: &Algebra, terms: &Terms, condition: TermId) -> bool {
        let of = |term: TermId| self.interval(algebra, terms, term, MOST_LEVELS);
        match *terms.get(condition) {
            Term::Bool(value) => value,
            Term::LessEqual(a, b) => is_below(terms, a, b, false) || less(&of(a), &of(b), false),
            Term::Less(a, b) => {
                self.ordered.contains(&(a, b))
                    || is_below(terms, a, b, true)
                    || is_remainder(terms, a, b) && of(b).least.is_some_and(|b| b.is_positive())
                    || less(&of(a), &of(b), true)
            }
            Term::Not(inner) => match *terms.get(inner) {
                Term::Equal(a, b) => {
                    let (a, b) = (of(a), of(b));
                    less(&a, &b, true) || less(&b, &a, true)
                }
                _ => false,
            },
            Term::Or(ref ways) => ways.iter().any(|&way| self.surely(algebra, terms, way)),
            Term::And(ref parts) => parts.iter().all(|&part| self.surely(algebra, terms, part)),
            _ => false,
        }
    }

    fn interval(&self, algebra: &Algebra, terms: &Terms, term: TermId, levels: usize) -> Interval {
        let mut found = self.bounds.get(&term).cloned().unwrap_or_default();
        let Some(levels) = levels.checked_sub(1) else { return found };
        let of = |term: TermId| self.interval(algebra, terms, term, levels);
        let by_form = match terms.get(term) {
            Term::Int(value) => Interval::just(value),
            Term::Add(parts) => {
                parts.iter().fold(Interval::just(&BigInt::zero()), |sum, &part| sum.plus(&of(part)))
            }
            Term::Multiply(parts) => match **parts {
                [a, b] => match terms.as_int(a) {
                    Some(factor) => of(b).times(factor),
                    None => Interval::default(),
                },
                _ => Interval::default(),
            },
            Term::Mod(_, divisor) => remainder(&of(*divisor)),
            Term::Div(a, divisor) => quotient(&of(*a), &of(*divisor)),
            Term::If(_, yes, no) => of(*yes).or(&of(*no)),
            _ => Interval::default(),
        };
        found = found.within(&by_form);
        if let Some(Sort::Range(low, high)) = declared_sort(algebra, terms, term) {
            let below = of(high).largest.map(|high| high - 1);
            found = found.within(&Interval { least: of(low).least, largest: below });
        }
        found
    }
}

fn less(a: &Interval, b: &Interval, strictly: bool) -> bool {
    match (&a.largest, &b.least) {
        (Some(a), Some(b)) => a < b || !strictly && a == b,
        _ => false,
    }
}

/// Whether one term is what remains when something is divided by another.
fn is_remainder(terms: &Terms, a: TermId, divisor: TermId) -> bool {
    matches!(*terms.get(a), Term::Mod(_, by) if by == divisor)
}

/// Whether one term is below another by the sort of a variable.
fn is_below(terms: &Terms, a: TermId, b: TermId, strictly: bool) -> bool {
    let range = |term: TermId| match terms.get(term) {
        Term::Var(var) => match terms.var(*var).sort {
            Sort::Range(low, high) => Some((low, high)),
            _ => None,
        },
        _ => None,
    };
    if strictly {
        range(a).is_some_and(|(_, high)| high == b)
    } else {
        range(b).is_some_and(|(low, _)| low == a)
    }
}

/// What remains of a division.
fn remainder(divisor: &Interval) -> Interval {
    let largest = match (&divisor.least, &divisor.largest) {
        (Some(least), Some(largest)) => Some(least.abs().max(largest.abs()) - 1),
        _ => None,
    };
    let nonzero = divisor.least.as_ref().is_some_and(Signed::is_positive)
        || divisor.largest.as_ref().is_some_and(Signed::is_negative);
    if nonzero { Interval { least: Some(BigInt::zero()), largest } } else { Interval::default() }
}

/// A quotient of numbers that are not negative is not negative, and not larger than the first.
fn quotient(a: &Interval, divisor: &Interval) -> Interval {
    let positive = divisor.least.as_ref().is_some_and(Signed::is_positive);
    let natural = a.least.as_ref().is_some_and(|least| !least.is_negative());
    if positive && natural {
        Interval { least: Some(BigInt::zero()), largest: a.largest.clone() }
    } else {
        Interval::default()
    }
}

/// The sort that a name, a field, an element or a result was declared with.
fn declared_sort(algebra: &Algebra, terms: &Terms, term: TermId) -> Option<Sort> {
    Some(match terms.get(term) {
        Term::Var(var) => terms.var(*var).sort.clone(),
        Term::Const(id) => algebra.constants.get(id.index())?.sort.clone(),
        Term::Apply(id, _) => algebra.functions.get(id.index())?.result.clone(),
        Term::Select(data, constructor, field, _) => {
            let constructors = &algebra.datatypes.get(data.index())?.constructors;
            constructors[*constructor as usize].fields[*field as usize].1.clone()
        }
        Term::Argument(action, place, _) => algebra.action(*action).sorts[*place as usize].clone(),
        Term::Index(array, _) => match declared_sort(algebra, terms, *array)? {
            Sort::Array(both) => both.1,
            _ => return None,
        },
        Term::Update(array, ..) => return declared_sort(algebra, terms, *array),
        Term::ConstArray(sort, _) => sort.clone(),
        _ => return None,
    })
}

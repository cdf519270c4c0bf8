//! What is learnt from something that must hold.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::attempt::{Attempt, Demand, Side, Verdict};
use super::evaluate::{Reader, Seen};
use super::partial::{Head, Linear, Partial, UnknownId};
use super::sorts::Bounds;
use super::store::{Clash, Source};
use super::world::World;
use crate::algebra::{Sort, Term, TermId};
use crate::explore::Value;
use crate::pnet::{HoleId, HoleSort};

type Considered = Result<Verdict, Clash>;

/// What must be so is, is not, or is not known yet.
fn known(is: Option<bool>) -> Considered {
    match is {
        Some(true) => Ok(Verdict::Holds),
        Some(false) => Err(Clash),
        None => Ok(Verdict::Waits),
    }
}

impl Attempt {
    /// Looks at something that must hold.
    pub(super) fn consider(&mut self, world: &World<'_>, demand: &Demand) -> Considered {
        match demand {
            Demand::True(term) => self.is_true(world, *term),
            Demand::False(term) => self.is_false(world, *term),
            Demand::Same(a, b) => match (self.see_side(world, a), self.see_side(world, b)) {
                (Seen::Is(a), Seen::Is(b)) => self.is_same(world, a, b),
                _ => Ok(Verdict::Waits),
            },
            Demand::Fits(partial, sort) => self.is_of_sort(world, partial, sort),
            Demand::Within(partial, low, high) => {
                match self.known.store.resolve(partial).linear() {
                    Some(linear) => self.is_within(&linear, low.as_ref(), high.as_ref()),
                    None => Ok(Verdict::Waits),
                }
            }
            Demand::Does(hole, partial) => {
                known(may_do(world, *hole, &self.known.store.resolve(partial)))
            }
        }
    }

    // ---- conditions ----

    fn is_true(&mut self, world: &World<'_>, term: TermId) -> Considered {
        match world.terms.get(term) {
            Term::And(parts) => {
                Ok(Verdict::More(parts.iter().copied().map(Demand::True).collect()))
            }
            Term::Not(inner) => Ok(Verdict::More(vec![Demand::False(*inner)])),
            Term::Or(parts) => {
                let parts = parts.iter().copied().map(Demand::True).collect();
                self.one_of(world, parts, true)
            }
            Term::Equal(a, b) => {
                Ok(Verdict::More(vec![Demand::Same(Side::Term(*a), Side::Term(*b))]))
            }
            Term::Less(a, b) => self.is_less(world, *a, *b, 1),
            Term::LessEqual(a, b) => self.is_less(world, *a, *b, 0),
            Term::If(condition, yes, no) => match self.see(world, *condition).as_bool() {
                Some(true) => Ok(Verdict::More(vec![Demand::True(*yes)])),
                Some(false) => Ok(Verdict::More(vec![Demand::True(*no)])),
                None => self.truth(world, term, true),
            },
            _ => self.truth(world, term, true),
        }
    }

    fn is_false(&mut self, world: &World<'_>, term: TermId) -> Considered {
        match world.terms.get(term) {
            Term::Or(parts) => {
                Ok(Verdict::More(parts.iter().copied().map(Demand::False).collect()))
            }
            Term::Not(inner) => Ok(Verdict::More(vec![Demand::True(*inner)])),
            Term::And(parts) => {
                let parts = parts.iter().copied().map(Demand::False).collect();
                self.one_of(world, parts, false)
            }
            Term::Less(a, b) => self.is_less(world, *b, *a, 0),
            Term::LessEqual(a, b) => self.is_less(world, *b, *a, 1),
            Term::If(condition, yes, no) => match self.see(world, *condition).as_bool() {
                Some(true) => Ok(Verdict::More(vec![Demand::False(*yes)])),
                Some(false) => Ok(Verdict::More(vec![Demand::False(*no)])),
                None => self.truth(world, term, false),
            },
            _ => self.truth(world, term, false),
        }
    }

    /// A condition that is not taken apart.
    fn truth(&mut self, world: &World<'_>, term: TermId, wanted: bool) -> Considered {
        match self.see(world, term) {
            Seen::Is(Partial::Unknown(unknown)) => {
                self.learn(unknown, Partial::bool(wanted));
                Ok(Verdict::Holds)
            }
            seen => known(seen.as_bool().map(|value| value == wanted)),
        }
    }

    /// One of several conditions decides: the only one that still can has to.
    fn one_of(&mut self, world: &World<'_>, parts: Vec<Demand>, decides: bool) -> Considered {
        let mut left = Vec::new();
        for part in parts {
            let (Demand::True(term) | Demand::False(term)) = &part else { continue };
            match self.see(world, *term).as_bool() {
                Some(value) if value == decides => return Ok(Verdict::Holds),
                Some(_) => {}
                None => left.push(part),
            }
        }
        match left.len() {
            0 => Err(Clash),
            1 => Ok(Verdict::More(left)),
            _ => Ok(Verdict::Waits),
        }
    }

    fn is_less(&mut self, world: &World<'_>, a: TermId, b: TermId, by: u8) -> Considered {
        let (Seen::Is(a), Seen::Is(b)) = (self.see(world, a), self.see(world, b)) else {
            return Ok(Verdict::Waits);
        };
        let difference = b.linear().zip(a.linear()).and_then(|(b, a)| b.minus(&a));
        match difference {
            Some(difference) => self.is_within(&difference, Some(&BigInt::from(by)), None),
            None => Ok(Verdict::Waits),
        }
    }

    fn is_within(
        &mut self,
        linear: &Linear,
        low: Option<&BigInt>,
        high: Option<&BigInt>,
    ) -> Considered {
        let Some(unknown) = linear.unknown else {
            let value = &linear.offset;
            let inside =
                low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high);
            return known(Some(inside));
        };
        // low <= factor * x + offset <= high
        let size = linear.factor.abs();
        let (low, high) =
            (low.map(|low| low - &linear.offset), high.map(|high| high - &linear.offset));
        let (low, high) = match linear.factor.is_negative() {
            true => (high.map(|high| -high), low.map(|low| -low)),
            false => (low, high),
        };
        let least = low.map(|low| low.div_ceil(&size));
        let most = high.map(|high| high.div_floor(&size));
        self.known.store.narrow(unknown, least, most)?;
        Ok(Verdict::Holds)
    }

    // ---- equations ----

    fn is_same(&mut self, world: &World<'_>, a: Partial, b: Partial) -> Considered {
        match (&a, &b) {
            (Partial::Unknown(one), Partial::Unknown(two)) if one == two => Ok(Verdict::Holds),
            (Partial::Unknown(one), Partial::Unknown(two)) => {
                let source = |id: UnknownId| self.known.store.get(id).source;
                let (one, two) =
                    if source(*one) < source(*two) { (*one, *two) } else { (*two, *one) };
                self.learn(one, Partial::Unknown(two));
                Ok(Verdict::Holds)
            }
            (Partial::Unknown(one), other) | (other, Partial::Unknown(one)) => {
                self.unknown_is(*one, other)
            }
            _ => match (a.linear(), b.linear()) {
                (Some(a), Some(b)) => self.same_numbers(&a, &b),
                _ => self.same_parts(world, &a, &b),
            },
        }
    }

    fn unknown_is(&mut self, unknown: UnknownId, other: &Partial) -> Considered {
        let mut inside = Vec::new();
        if other.unknowns(&mut inside) {
            return Ok(Verdict::Waits);
        }
        match other {
            Partial::Linear(linear) if inside.contains(&unknown) => {
                let itself = Linear {
                    unknown: Some(unknown),
                    factor: BigInt::one(),
                    offset: BigInt::zero(),
                };
                self.same_numbers(&itself, linear)
            }
            // Nothing is a part of itself.
            _ if inside.contains(&unknown) => Err(Clash),
            _ => {
                self.learn(unknown, other.clone());
                Ok(Verdict::Holds)
            }
        }
    }

    fn same_numbers(&mut self, a: &Linear, b: &Linear) -> Considered {
        if let Some(difference) = a.minus(b) {
            // factor * x + offset == 0
            return match difference.unknown {
                None => known(Some(difference.offset.is_zero())),
                Some(unknown) if (&difference.offset % &difference.factor).is_zero() => {
                    let value = -&difference.offset / &difference.factor;
                    self.learn(unknown, Partial::Whole(Value::Int(value)));
                    Ok(Verdict::Holds)
                }
                Some(_) => Err(Clash),
            };
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some(unknown) = one.unknown.filter(|_| one.factor.abs().is_one()) {
                // ±x + offset == other
                let rest = other.minus(&Linear::constant(one.offset.clone()));
                if let Some(rest) = rest {
                    self.learn(unknown, rest.times(&one.factor).into());
                    return Ok(Verdict::Holds);
                }
            }
        }
        Ok(Verdict::Waits)
    }

    fn same_parts(&mut self, world: &World<'_>, a: &Partial, b: &Partial) -> Considered {
        let (Some((head, these)), Some((other, those))) = (a.taken_apart(), b.taken_apart()) else {
            return Ok(Verdict::Waits);
        };
        if head != other || these.len() != those.len() {
            return Err(Clash);
        }
        let mut all = Verdict::Holds;
        for (a, b) in these.iter().zip(&those) {
            let (a, b) = (self.known.store.resolve(a), self.known.store.resolve(b));
            if let Verdict::Waits = self.is_same(world, a, b)? {
                all = Verdict::Waits;
            }
        }
        Ok(all)
    }

    /// Something unknown has turned out to be this. What was known of it must hold of this, too.
    pub(super) fn learn(&mut self, unknown: UnknownId, is: Partial) {
        let one = self.known.store.get(unknown).clone();
        self.known.store.bind(unknown, is.clone());
        if one.low.is_some() || one.high.is_some() {
            self.demand(Demand::Within(is.clone(), one.low, one.high));
        }
        if let Source::Hole(hole) = one.source {
            self.demand(Demand::Does(hole, is.clone()));
        }
        if !matches!(one.sort, Sort::Bool | Sort::Int | Sort::Abstract(_)) {
            self.demand(Demand::Fits(is, one.sort));
        }
    }

    // ---- sorts ----

    fn is_of_sort(&mut self, world: &World<'_>, partial: &Partial, sort: &Sort) -> Considered {
        let partial = self.known.store.resolve(partial);
        let reader = Reader { world, known: &self.known };
        match sort {
            Sort::Range(low, high) => match reader.bounds(*low, *high) {
                Bounds::Known(low, high) => {
                    let most = high - 1;
                    Ok(Verdict::More(vec![Demand::Within(partial, Some(low), Some(most))]))
                }
                Bounds::Waiting | Bounds::Gap(_) => Ok(Verdict::Waits),
            },
            _ => match reader.sorts_of_parts(&partial, sort) {
                Some(sorts) => {
                    let parts = partial.parts().into_iter().cloned().zip(sorts);
                    Ok(Verdict::More(parts.map(|(part, sort)| Demand::Fits(part, sort)).collect()))
                }
                None => known(reader.fits(&partial, sort).ok().flatten()),
            },
        }
    }
}

/// Whether a hole may do something: an action of its sort, `tau`, or `sync` of any action there is.
pub(super) fn may_do(world: &World<'_>, hole: HoleId, action: &Partial) -> Option<bool> {
    let (head, inside) = action.taken_apart()?;
    Some(match (head, &world.net.holes[hole].sort) {
        (Head::Simple(Value::Tau), _) => true,
        (Head::Sync, _) => return exists(world, inside.first()?),
        (_, HoleSort::Any) => return exists(world, action),
        (Head::Act(id), HoleSort::Actions(allowed)) => allowed.contains(&id),
        _ => false,
    })
}

/// Whether there is such an action, which is not silent: a declared one, as many that nobody declared as there are holes
/// that may do them, and their complements where the model speaks of any.
fn exists(world: &World<'_>, action: &Partial) -> Option<bool> {
    let (head, inside) = action.taken_apart()?;
    Some(match head {
        Head::Act(_) => true,
        Head::Simple(Value::Other(number)) => (number as usize) < undeclared(world),
        Head::Co if world.terms.has_complements() => match inside.first()?.taken_apart()?.0 {
            Head::Co => false,
            _ => return exists(world, inside.first()?),
        },
        _ => false,
    })
}

/// How many actions there are that nobody declared: as many as there are holes that may do them.
pub(super) fn undeclared(world: &World<'_>) -> usize {
    world.net.holes.iter().filter(|hole| hole.sort == HoleSort::Any).count()
}

//! All ways in which an attempt can be possible: what is left unknown is tried, value by value.

use super::attempt::{Attempt, Demand, Side};
use super::choices::{ALTERNATIVES, Forms};
use super::partial::UnknownId;
use super::store::Source;
use super::world::World;
use crate::algebra::TermId;
use crate::base::budget::is_spent;
use crate::explore::Gap;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Solved {
    /// Attempts in which nothing is unknown and everything holds.
    pub found: Vec<Attempt>,
    /// What was not tried with all its values, if there is such a thing.
    pub limited: Option<String>,
}

/// Who asks.
pub(super) trait Asking {
    /// Whether one way is enough. What nothing depends on stays unknown then.
    fn one_is_enough(&self) -> bool;

    /// What has to be known of an attempt, besides what must hold.
    fn needs(&self, world: &World<'_>, attempt: &Attempt) -> Vec<TermId>;

    /// Whether an attempt is allowed by what is not said in it. `settled`: nothing is left to try.
    fn allows(&self, world: &World<'_>, attempt: &Attempt, settled: bool) -> Result<bool, Gap>;
}

/// Somebody to whom any way is good enough.
pub(super) struct AnyWay;

impl Asking for AnyWay {
    fn one_is_enough(&self) -> bool {
        true
    }

    fn needs(&self, _: &World<'_>, _: &Attempt) -> Vec<TermId> {
        Vec::new()
    }

    fn allows(&self, _: &World<'_>, _: &Attempt, _: bool) -> Result<bool, Gap> {
        Ok(true)
    }
}

/// Somebody who wants to know all ways, where nobody gives way.
pub(super) struct AllWays;

impl Asking for AllWays {
    fn one_is_enough(&self) -> bool {
        false
    }

    fn needs(&self, _: &World<'_>, _: &Attempt) -> Vec<TermId> {
        Vec::new()
    }

    fn allows(&self, _: &World<'_>, _: &Attempt, _: bool) -> Result<bool, Gap> {
        Ok(true)
    }
}

/// What to do next about an attempt.
enum Next {
    /// Nothing is left to try.
    Settled,
    /// These, one after the other; what is limited by it.
    Try(Vec<Attempt>, Option<String>),
    /// Nobody names a value to try for this.
    LeaveOut(String),
    Give(Gap),
}

/// All ways in which attempts can be possible, in order.
pub(super) fn solve(
    world: &World<'_>,
    start: Vec<Attempt>,
    asking: &impl Asking,
) -> Result<Solved, Gap> {
    let mut solved = Solved::default();
    let mut gap = None;
    let mut work: Vec<Attempt> = start.into_iter().rev().collect();
    while let Some(mut attempt) = work.pop() {
        if is_spent() {
            return Err(Gap::Stopped);
        }
        if attempt.settle(world).is_err() {
            continue;
        }
        match step(world, &attempt, asking) {
            Ok(Some(Next::Settled)) => {
                solved.found.push(attempt);
                if asking.one_is_enough() {
                    return Ok(solved);
                }
            }
            Ok(Some(Next::Try(more, limited))) => {
                solved.limited = solved.limited.or(limited);
                work.extend(more.into_iter().rev());
            }
            Ok(Some(Next::LeaveOut(name))) => solved.limited = solved.limited.or(Some(name)),
            Ok(None) => {}
            Ok(Some(Next::Give(found))) | Err(found) => {
                // Where one way is enough, another one may do.
                if !asking.one_is_enough() {
                    return Err(found);
                }
                gap = gap.or(Some(found));
            }
        }
    }
    gap.map_or(Ok(solved), Err)
}

/// What is to be done about an attempt; nothing where it is not possible.
fn step(world: &World<'_>, attempt: &Attempt, asking: &impl Asking) -> Result<Option<Next>, Gap> {
    let next = next(world, attempt, asking);
    if let Next::LeaveOut(_) = &next {
        return Ok(Some(next));
    }
    let settled = matches!(next, Next::Settled);
    if settled && !attempt.is_possible(world)? {
        return Ok(None);
    }
    let has_end = matches!(&next, Next::Try(_, None));
    if !has_end && !asking.allows(world, attempt, settled)? {
        return Ok(None);
    }
    Ok(Some(next))
}

fn next(world: &World<'_>, attempt: &Attempt, asking: &impl Asking) -> Next {
    let best = wanted(world, attempt, asking)
        .into_iter()
        .map(|id| (id, attempt.forms(world, id, asking.one_is_enough())))
        .min_by_key(|(_, forms)| forms.rank());
    let Some((id, forms)) = best else { return Next::Settled };
    if forms.rank() > ALTERNATIVES
        && let Some(attempts) = attempt.alternatives(world)
    {
        return Next::Try(attempts, None);
    }
    let unknown = attempt.known.store.get(id);
    let name = unknown.name.clone();
    match forms {
        Forms::All(forms) | Forms::Deep(forms) => {
            Next::Try(forms.iter().map(|form| attempt.with(world, id, form)).collect(), None)
        }
        Forms::Some(forms, more) => {
            let attempts = forms.iter().map(|form| attempt.with(world, id, form)).collect();
            Next::Try(attempts, more.then_some(name))
        }
        Forms::Endless(_) if unknown.source == Source::Constant => {
            Next::Give(Gap::NeedsValue { name })
        }
        Forms::Endless(_) if world.domains.only_these => Next::LeaveOut(name),
        Forms::Endless(sort) => Next::Give(Gap::NeedsDomain { name, sort }),
        Forms::Waiting => Next::Give(Gap::NeedsDomain { name, sort: "Int".to_owned() }),
        Forms::Gap(gap) => Next::Give(gap),
    }
}

/// What is unknown and has to be tried.
fn wanted(world: &World<'_>, attempt: &Attempt, asking: &impl Asking) -> Vec<UnknownId> {
    let open = attempt.known.store.open().map(|(id, _)| id);
    if !asking.one_is_enough() {
        return open.collect();
    }
    let mut matters: Vec<UnknownId> = Vec::new();
    for term in asking.needs(world, attempt) {
        mention(world, attempt, &Side::Term(term), &mut matters);
    }
    for one in &attempt.pending {
        let sides = match &one.demand {
            Demand::True(term) | Demand::False(term) => vec![Side::Term(*term)],
            Demand::Same(a, b) => vec![a.clone(), b.clone()],
            Demand::Fits(partial, _) | Demand::Within(partial, ..) | Demand::Does(_, partial) => {
                vec![Side::Is(partial.clone())]
            }
        };
        sides.iter().for_each(|side| mention(world, attempt, side, &mut matters));
    }
    open.filter(|id| matters.contains(id)).collect()
}

/// What is unknown and something depends on.
fn mention(world: &World<'_>, attempt: &Attempt, side: &Side, found: &mut Vec<UnknownId>) {
    let store = &attempt.known.store;
    match side {
        Side::Is(partial) => _ = store.resolve(partial).unknowns(found),
        Side::Term(term) => {
            for var in world.terms.free_vars(*term) {
                if let Some(partial) = attempt.known.env.get(&var) {
                    store.resolve(partial).unknowns(found);
                }
            }
        }
    }
}

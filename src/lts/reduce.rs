//! Systems made smaller: the smallest one that is equivalent, or one that is small.

use thiserror::Error;

use super::partition::Partition;
use super::quotient::{Quotienting, Steps, quotient, reachable};
use super::refine::{Task, Unstable, refine, unstable};
use super::silent::{Contracted, contract};
use super::simulation::{is_simulation, observed, simulated, smallest};
use super::system::Lts;
use super::traces::determinised;
use super::weak::{is_weakly_stable, weakly_refined};
use crate::base::{IndexVec, Spent, Watch, budget};

/// What counts as the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Equivalence {
    /// Strong bisimilarity: step by step, silent steps like all others.
    Strong,
    /// Branching bisimilarity: silent steps that change nothing do not count.
    Branching,
    /// The same, and going on silently for ever counts.
    DivergencePreserving,
    /// Weak bisimilarity: silent steps before and after a step do not count.
    Weak,
    /// The same traces, silent steps like all others.
    Trace,
    /// The same traces, silent steps left out.
    WeakTrace,
    /// Mutual simulation by steps with silent ones before them: the same safety properties.
    Safety,
}

impl Equivalence {
    /// Whether silent steps are hidden.
    pub fn hides(self) -> bool {
        !matches!(self, Equivalence::Strong | Equivalence::Trace)
    }

    /// Whether what is preserved by the other is preserved by this one.
    pub fn is_finer(self, other: Equivalence) -> bool {
        use Equivalence::{
            Branching, DivergencePreserving, Safety, Strong, Trace, Weak, WeakTrace,
        };
        let above: &[Equivalence] = match self {
            Strong => &[Strong, DivergencePreserving, Branching, Weak, Trace, WeakTrace, Safety],
            DivergencePreserving => &[DivergencePreserving, Branching, Weak, WeakTrace, Safety],
            Branching => &[Branching, Weak, WeakTrace, Safety],
            Weak => &[Weak, WeakTrace, Safety],
            Safety => &[Safety, WeakTrace],
            Trace => &[Trace, WeakTrace],
            WeakTrace => &[WeakTrace],
        };
        above.contains(&other)
    }
}

/// What is too large to be made.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum TooLarge {
    /// A deterministic system.
    #[error(
        "the deterministic system has more than {most} states; raise `--most-states`, or reduce by another relation first"
    )]
    Determinised {
        /// How many there may be.
        most: usize,
    },
    /// A system whose steps have silent ones before them.
    #[error("there are too many steps once silent ones are left out; reduce by `--weak` first")]
    Observed,
    /// A relation between all states.
    #[error(
        "a simulation of {states} states is too large, {most} are possible; reduce by `--weak` first"
    )]
    Simulated {
        /// How many there are.
        states: usize,
        /// How many there may be.
        most: usize,
    },
    /// The product of a network.
    #[error(
        "the product has more than {most} states; raise `--most-states`, or reduce the parts first"
    )]
    Product {
        /// How many there may be.
        most: usize,
    },
    /// The product of a network, by its transitions.
    #[error("the product has too many transitions to be kept; reduce the parts first")]
    ProductSteps,
    /// Two systems side by side.
    #[error(
        "both systems together have more than 4294967295 states or transitions; reduce each of them first"
    )]
    Together,
    /// Formulas for any two states.
    #[error(
        "formulas that tell any two states apart are made for at most {most} states, and to a depth of 500"
    )]
    Formulas {
        /// How many states there may be.
        most: usize,
    },
    /// The search for a trace.
    #[error("more than {most} pairs of states were looked at; raise `--most-states`")]
    Pairs {
        /// How many may be looked at.
        most: usize,
    },
}

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum NotReduced {
    /// Something is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The budget is spent.
    #[error(transparent)]
    Spent(#[from] Spent),
    /// What was found did not stand the test. This is a mistake of pnet's, and better said than kept.
    #[error("the result did not pass its check, which is a mistake in pnet; please report it")]
    Unstable,
}

impl From<Unstable> for NotReduced {
    fn from(_: Unstable) -> NotReduced {
        NotReduced::Unstable
    }
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct ReduceLimits {
    /// How many states a deterministic system may have on the way, or how many pairs may be looked at.
    pub most_states: usize,
}

impl Default for ReduceLimits {
    fn default() -> ReduceLimits {
        ReduceLimits { most_states: 1_000_000 }
    }
}

/// Whether there is something left of the budget.
pub(super) fn look(watch: &dyn Watch) -> Result<(), NotReduced> {
    watch.budget().spent().map_or(Ok(()), |spent| Err(spent.into()))
}

/// A smaller system, as far as it can be reached, numbered as it is reached.
pub fn reduce(
    lts: Lts,
    by: Equivalence,
    limits: ReduceLimits,
    watch: &dyn Watch,
) -> Result<Lts, NotReduced> {
    let lts = restricted(lts);
    look(watch)?;
    let small = match by {
        Equivalence::Strong => bisimilar(lts, false, false, watch),
        Equivalence::Branching => bisimilar(lts, true, false, watch),
        Equivalence::DivergencePreserving => bisimilar(lts, true, true, watch),
        Equivalence::Weak => weak(lts, watch),
        Equivalence::Trace => trace(lts, false, limits, watch),
        Equivalence::WeakTrace => trace(lts, true, limits, watch),
        Equivalence::Safety => safety(lts, watch),
    }?;
    look(watch)?;
    Ok(small)
}

/// Only what can be reached, if that is less than half: otherwise a copy costs more than it saves, and quotients leave out
/// the rest.
pub(super) fn restricted(lts: Lts) -> Lts {
    let mut seen = IndexVec::of(lts.states(), false);
    let (mut open, mut count) = (vec![lts.initial()], 0);
    seen[lts.initial()] = true;
    while let Some(state) = open.pop().filter(|_| !budget::is_spent()) {
        count += 1;
        for step in lts.steps(state) {
            if !std::mem::replace(&mut seen[step.to], true) {
                open.push(step.to);
            }
        }
    }
    if 2 * count >= lts.states() { lts } else { reachable(&lts) }
}

fn bisimilar(lts: Lts, hides: bool, diverging: bool, watch: &dyn Watch) -> Result<Lts, NotReduced> {
    let contracted = if hides { contract(lts) } else { as_it_is(lts) };
    look(watch)?;
    let diverges = diverging.then_some(&contracted.diverges);
    let partition = stable(Task { lts: &contracted.lts, hides, diverges }, watch)?;
    let how = Quotienting { steps: Steps::OfFirst, hides, diverges };
    let small = quotient(&contracted.lts, &partition, how);
    look(watch)?;
    Ok(small)
}

/// The partition, looked at once more.
pub(super) fn stable(task: Task<'_>, watch: &dyn Watch) -> Result<Partition, NotReduced> {
    let partition = refine(task, watch);
    look(watch)?;
    let found = unstable(task, &partition);
    look(watch)?;
    match found {
        Some(state) => Err(state.into()),
        None => Ok(partition),
    }
}

pub(super) fn as_it_is(lts: Lts) -> Contracted {
    Contracted { of: IndexVec::default(), diverges: IndexVec::default(), lts }
}

fn weak(lts: Lts, watch: &dyn Watch) -> Result<Lts, NotReduced> {
    let small = contract(bisimilar(lts, true, false, watch)?).lts;
    let partition = weak_partition(&small, watch)?;
    let how = Quotienting { steps: Steps::OfAll, hides: true, diverges: None };
    let small = quotient(&small, &partition, how);
    look(watch)?;
    Ok(small)
}

pub(super) fn weak_partition(small: &Lts, watch: &dyn Watch) -> Result<Partition, NotReduced> {
    // Where nothing is silent, weak bisimilarity is the strong one, which is found much sooner.
    if !small.has_silent_steps() {
        return stable(Task { lts: small, hides: false, diverges: None }, watch);
    }
    let partition = weakly_refined(small, watch);
    look(watch)?;
    let holds = is_weakly_stable(small, &partition, &watch.budget());
    look(watch)?;
    if holds { Ok(partition) } else { Err(NotReduced::Unstable) }
}

fn trace(
    lts: Lts,
    hides: bool,
    limits: ReduceLimits,
    watch: &dyn Watch,
) -> Result<Lts, NotReduced> {
    let small = bisimilar(lts, hides, false, watch)?;
    let deterministic = determinised(&small, hides, limits.most_states, watch)?;
    look(watch)?;
    bisimilar(deterministic, false, false, watch)
}

fn safety(lts: Lts, watch: &dyn Watch) -> Result<Lts, NotReduced> {
    let small = contract(weak(lts, watch)?).lts;
    let seen = observed(&small, watch)?;
    look(watch)?;
    let seen = bisimilar(restricted(seen), false, false, watch)?;
    let simulation = simulated(&seen, watch)?;
    look(watch)?;
    let holds = is_simulation(&seen, &simulation, watch);
    look(watch)?;
    if !holds {
        return Err(NotReduced::Unstable);
    }
    Ok(smallest(&seen, &simulation, &simulation.mutual(seen.states())))
}

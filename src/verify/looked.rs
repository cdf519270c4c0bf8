//! A search that answers a check: level by level, or in depth.
//!
//! In depth nothing is left out: what can wait, and what is like something else, is told from what a level has.

use super::reduced;
use crate::base::Watch;
use crate::explore::compiled::Compiled;
use crate::explore::search::{
    Counts, DepthSearched, Ended, Goal, Ref, SearchLimits, Searched, Sights, search_deep,
    search_reduced,
};
use crate::explore::{Gap, Packed, Reduction};
use crate::outcome::Extent;

/// How many configurations the first turn has of searches that go in turns.
const FIRST_TURN: u64 = 100_000;
/// How many times more the next one has.
const LONGER: u64 = 8;

/// What a search came to.
pub(super) enum Looked<'m, 'n> {
    /// It went level by level.
    Levels(Searched<'m, Compiled<'n>>),
    /// It went in depth.
    Deep(DepthSearched),
}

/// What is looked for, and how.
#[derive(Clone, Copy)]
pub(super) struct Quest<'q, 'm, 'n> {
    pub machine: &'m Compiled<'n>,
    pub limits: &'q SearchLimits,
    /// Whether it goes in depth.
    pub in_depth: bool,
    pub watch: &'q dyn Watch,
}

impl<'m, 'n> Quest<'_, 'm, 'n> {
    /// Searches for something.
    pub fn go(
        &self,
        goal: Goal<'m, Compiled<'n>>,
        reduction: &'m Reduction,
    ) -> Result<Looked<'m, 'n>, Gap> {
        let Quest { machine, limits, in_depth, watch } = *self;
        match in_depth {
            true => search_deep(machine, goal, limits, watch).map(Looked::Deep),
            false => search_reduced(machine, (goal, reduction), limits, watch).map(Looked::Levels),
        }
    }

    /// The same where steps may wait: in turns with a search where none do. Among no end of configurations, one where a step
    /// waits can always be followed by another, and a goal behind that step is never met; where none wait, what is near is met
    /// first. Each turn has so many more configurations that the turns before it do not matter.
    pub fn in_turns(
        &self,
        goal: Goal<'m, Compiled<'n>>,
        (some_wait, none_wait): (&'m Reduction, &'m Reduction),
    ) -> Result<Looked<'m, 'n>, Gap> {
        let last = self.limits.most_states;
        if self.in_depth || some_wait.order.is_none() {
            return self.go(goal, some_wait);
        }
        let mut turns = (0..).map(|turn| FIRST_TURN.saturating_mul(LONGER.saturating_pow(turn)));
        let mut next = || turns.next().unwrap_or(u64::MAX).min(last);
        loop {
            let limits = SearchLimits { most_states: next(), ..*self.limits };
            for reduction in [some_wait, none_wait] {
                let found = Quest { limits: &limits, ..*self }.go(goal, reduction)?;
                let is_cut = found.ended().0 == Ended::States && found.sights().goal.is_none();
                if !is_cut || limits.most_states == last {
                    return Ok(found);
                }
            }
        }
    }

    /// The same for a goal that is nearer than what was found, where steps waited; what was found, if there is none.
    pub fn nearer(
        &self,
        found: Looked<'m, 'n>,
        goal: Goal<'m, Compiled<'n>>,
        all_steps: &'m Reduction,
    ) -> Result<Looked<'m, 'n>, Gap> {
        let Looked::Levels(found) = found else { return Ok(found) };
        let wanted = (goal, all_steps);
        let nearer = reduced::nearer(&found, self.machine, wanted, self.limits, self.watch)?;
        Ok(Looked::Levels(nearer.unwrap_or(found)))
    }
}

impl Looked<'_, '_> {
    /// What was seen.
    pub fn sights(&self) -> &Sights {
        match self {
            Looked::Levels(searched) => &searched.sights,
            Looked::Deep(searched) => &searched.sights,
        }
    }

    /// How it ended, and whether values were left out.
    pub fn ended(&self) -> (Ended, bool) {
        match self {
            Looked::Levels(searched) => (searched.ended, searched.limited),
            Looked::Deep(searched) => (searched.ended, searched.limited),
        }
    }

    /// How much was seen.
    pub fn extent(&self) -> Extent {
        match self {
            Looked::Levels(searched) => {
                Extent { reduced: searched.reduced, ..extent_of(&searched.counts) }
            }
            Looked::Deep(searched) => extent_of(&searched.counts),
        }
    }

    /// A configuration.
    pub fn packed(&self, at: Ref) -> Packed {
        match self {
            Looked::Levels(searched) => searched.packed(at),
            Looked::Deep(searched) => searched.packed(at),
        }
    }

    /// A way to a configuration.
    pub fn path(&self, to: Ref) -> Vec<Packed> {
        match self {
            Looked::Levels(searched) => searched.path(to),
            Looked::Deep(searched) => searched.path(to),
        }
    }

    /// How many steps it has.
    pub fn steps_to(&self, to: Ref) -> usize {
        self.path(to).len() - 1
    }
}

/// How much was seen, in all.
pub(super) fn extent_of(counts: &Counts) -> Extent {
    let Counts { states, transitions, depth, .. } = *counts;
    Extent { states, transitions, depth, reduced: false }
}

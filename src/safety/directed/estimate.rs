//! How far it may be to something bad: how many interactions would do, if nothing were lost on the way.
//!
//! From a configuration, interactions that may be possible happen one after the other, and what they add to where components
//! may be, and to what variables may be there, is kept with whatever was there before. As soon as something bad may be the
//! case, one goes back (`plan.rs`): which of them were needed? Their number is the estimate (as in Hoffmann's planner FF and
//! its successors with numbers).
//!
//! What leaves a location for good happens once. That is not quite right where it could have happened later, with other
//! values; so where there is no way, it may happen again and again, and what is found so counts as farther than anything else.
//! Where nothing is added any more even then, nothing bad can be reached from there.

use super::plan::needed;
use super::program::{Program, SlotId};
use super::relaxed::{Aim, CellId, Manner, Relaxed, RuleId, Settled, Source, at};
use super::span::Span;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::explore::Configuration;
use crate::pnet::PltsStateId;
use crate::safety::ComponentId;

/// After so many rounds, it is just far.
const MOST_ROUNDS: usize = 400;
/// A span that has grown so often grows faster and faster, at a price.
const PATIENCE: usize = 24;
/// How far it is where that is not known.
const FAR: u64 = 1 << 40;
/// What is added where something has to happen twice that cannot.
const AGAIN: u64 = 1_000;

/// Which rule, who takes part in it, and how.
pub(super) type Cause = (RuleId, usize, usize);

/// When something happened: rules are counted as they do. What happened before that is what it rests on.
pub(super) type Time = u32;

/// After everything that has happened.
pub(super) const NOW: Time = Time::MAX;

/// A span that has grown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    pub time: Time,
    pub span: Span,
    /// Nothing where it was so from the beginning.
    pub cause: Option<Cause>,
    /// How often the rule is needed for it.
    pub times: u64,
    /// What it was before, and what once would have made of it.
    pub once: (Span, Span),
}

/// Estimates distances.
pub(super) struct Estimate {
    pub relaxed: Relaxed,
    pub history: IndexVec<CellId, Vec<Growth>>,
    now: IndexVec<CellId, Span>,
    scratch: Vec<Span>,
    clock: Time,
    /// The rules to be looked at in the next round.
    due: Vec<RuleId>,
    is_due: IndexVec<RuleId, bool>,
    /// Who has left a location for good, where that happens once; by rules, parts and ways.
    gone: IndexVec<RuleId, Vec<Vec<bool>>>,
}

impl Estimate {
    pub fn new(relaxed: Relaxed) -> Estimate {
        let is_due = relaxed.rules.iter().map(|_| false).collect();
        let history = (0..relaxed.cells).map(|_| Vec::new()).collect();
        let now = (0..relaxed.cells).map(|_| Span::EMPTY).collect();
        let gone = relaxed
            .rules
            .iter()
            .map(|rule| rule.parts.iter().map(|part| vec![false; part.len()]).collect())
            .collect();
        let (scratch, due) = (Vec::new(), Vec::new());
        Estimate { relaxed, history, now, scratch, clock: 0, due, is_due, gone }
    }

    /// How far it may be from here; nothing where there is no way.
    pub fn from(&mut self, here: &Configuration) -> Option<u64> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let found = self.rounds(here, &mut scratch, true).or_else(|| {
            self.rounds(here, &mut scratch, false).map(|steps| steps.saturating_add(AGAIN))
        });
        self.scratch = scratch;
        found
    }

    fn rounds(&mut self, here: &Configuration, scratch: &mut Vec<Span>, once: bool) -> Option<u64> {
        self.begin(here);
        for _ in 0..MOST_ROUNDS {
            let settled = self.relaxed.unsettled();
            if self.may_be(scratch, &self.relaxed.aim, &settled, NOW) {
                return Some(needed(self, scratch));
            }
            if is_spent() {
                break;
            }
            let due = std::mem::take(&mut self.due);
            due.iter().for_each(|&id| self.is_due[id] = false);
            due.iter().for_each(|&id| self.happen(scratch, id, once));
            if self.due.is_empty() {
                return None;
            }
        }
        Some(FAR)
    }

    fn begin(&mut self, here: &Configuration) {
        self.history.iter_mut().for_each(Vec::clear);
        self.now.iter_mut().for_each(|span| *span = Span::EMPTY);
        self.gone.iter_mut().flatten().flatten().for_each(|gone| *gone = false);
        self.clock = 0;
        for (cell, span) in self.relaxed.cells_of(here) {
            let once = (span, span);
            self.history[cell].push(Growth { time: 0, span, cause: None, times: 0, once });
            self.now[cell] = span;
        }
        self.due = self.relaxed.rules.ids().collect();
    }

    /// Lets a rule happen, if it may.
    fn happen(&mut self, scratch: &mut Vec<Span>, id: RuleId, once: bool) {
        let mut added = Vec::new();
        let mut used = Vec::new();
        let Some(settled) = self.settled(id, NOW) else { return };
        let rule = &self.relaxed.rules[id];
        if !rule.guard.iter().all(|one| self.span(scratch, one, &settled, NOW).may_hold()) {
            return;
        }
        for (place, part) in rule.parts.iter().enumerate() {
            let mut possible = false;
            for (way, manner) in part.iter().enumerate() {
                let is_gone = once && self.gone[id][place][way];
                if is_gone || !self.may_start(scratch, manner, &settled, NOW) {
                    continue;
                }
                possible = true;
                used.push((manner.is_final, place, way));
                self.what_is_new(scratch, manner, &settled, |cell, span| {
                    added.push((manner.component, cell, span, (id, place, way)));
                });
            }
            if !possible {
                return;
            }
        }
        self.clock += 1;
        for (component, cell, span, cause) in added {
            self.add((component, cell), span, cause);
        }
        let finals = used.into_iter().filter(|(is_final, ..)| *is_final);
        finals.for_each(|(_, place, way)| self.gone[id][place][way] = true);
    }

    /// What a way to take part adds to what may be.
    fn what_is_new(
        &self,
        scratch: &mut Vec<Span>,
        manner: &Manner,
        settled: &Settled,
        mut new: impl FnMut(CellId, Span),
    ) {
        let there = at(self.relaxed.places[manner.component].first, manner.to);
        if self.now[there] == Span::EMPTY {
            new(there, Span::YES);
        }
        let settled = &settled.with(manner.component, manner.from);
        for (slot, value) in &manner.adds {
            let Source::Variable(_, _, first) = self.relaxed.sources[*slot] else { continue };
            let cell = at(first, manner.to);
            let (old, span) = (self.now[cell], self.span(scratch, value, settled, NOW));
            if old.or(span) != old {
                new(cell, span);
            }
        }
    }

    fn add(&mut self, (component, cell): (ComponentId, CellId), span: Span, cause: Cause) {
        let old = self.now[cell];
        let once = (old, old.or(span));
        if once.1 == old {
            return;
        }
        let grown = self.history[cell].len().saturating_sub(PATIENCE).min(62);
        let times = 1_u64 << grown;
        let span = if times > 1 { old.stretched(once.1, times) } else { once.1 };
        self.now[cell] = span;
        let growth = Growth { time: self.clock, span, cause: Some(cause), times, once };
        self.history[cell].push(growth);
        for &reader in &self.relaxed.readers[component] {
            if !std::mem::replace(&mut self.is_due[reader], true) {
                self.due.push(reader);
            }
        }
    }

    /// After everything that has happened.
    pub fn end(&self) -> Time {
        self.clock + 1
    }

    // ---- what may be ----

    /// Which growth of a cell is the last one before a time.
    pub fn number_at(&self, cell: CellId, time: Time) -> Option<usize> {
        self.history[cell].partition_point(|growth| growth.time < time).checked_sub(1)
    }

    /// What a cell may be, before a time.
    pub fn at(&self, cell: CellId, time: Time) -> Span {
        if time == NOW {
            return self.now[cell];
        }
        self.number_at(cell, time).map_or(Span::EMPTY, |number| self.history[cell][number].span)
    }

    /// What a term may come to.
    pub fn span(
        &self,
        scratch: &mut Vec<Span>,
        one: &Program,
        settled: &Settled,
        time: Time,
    ) -> Span {
        let of = |slot: SlotId| self.relaxed.span(slot, settled, |cell| self.at(cell, time));
        one.span(scratch, of)
    }

    fn may_be_at(&self, (component, location): (ComponentId, PltsStateId), time: Time) -> bool {
        self.at(at(self.relaxed.places[component].first, location), time).may_hold()
    }

    /// Where those are that take part in a rule, as far as it is the same in all ways that they have; nothing where somebody
    /// has none.
    pub fn settled(&self, id: RuleId, time: Time) -> Option<Settled> {
        let mut settled = self.relaxed.unsettled();
        for part in &self.relaxed.rules[id].parts {
            let may = |manner: &&Manner| self.may_be_at((manner.component, manner.from), time);
            let mut possible = part.iter().filter(may);
            let first = possible.next()?;
            if possible.all(|manner| manner.from == first.from) {
                settled.settle(first.component, first.from);
            }
        }
        Some(settled)
    }

    pub fn may_start(
        &self,
        scratch: &mut Vec<Span>,
        manner: &Manner,
        settled: &Settled,
        time: Time,
    ) -> bool {
        if !self.may_be_at((manner.component, manner.from), time) {
            return false;
        }
        if manner.conditions.is_empty() {
            return true;
        }
        let settled = &settled.with(manner.component, manner.from);
        let mut conditions = manner.conditions.iter();
        conditions.all(|one| self.span(scratch, one, settled, time).may_hold())
    }

    pub fn may_be(
        &self,
        scratch: &mut Vec<Span>,
        aim: &Aim,
        settled: &Settled,
        time: Time,
    ) -> bool {
        match aim {
            Aim::Holds(program) => self.span(scratch, program, settled, time).may_hold(),
            Aim::One(parts) => parts.iter().any(|part| self.may_be(scratch, part, settled, time)),
            Aim::All(there, parts) => {
                self.settled_in(there, settled, time).is_some_and(|settled| {
                    parts.iter().all(|part| self.may_be(scratch, part, &settled, time))
                })
            }
        }
    }

    /// With components in these locations as well, if they may be there.
    pub fn settled_in(
        &self,
        there: &[(ComponentId, PltsStateId)],
        settled: &Settled,
        time: Time,
    ) -> Option<Settled> {
        let mut settled = settled.clone();
        for &(component, location) in there {
            let elsewhere = settled.of(component).is_some_and(|other| other != location);
            if elsewhere || !self.may_be_at((component, location), time) {
                return None;
            }
            settled.settle(component, location);
        }
        Some(settled)
    }
}

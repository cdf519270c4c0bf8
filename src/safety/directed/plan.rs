//! Going back from something bad that may be the case: what was needed for it?

use rustc_hash::FxHashMap;

use super::estimate::{Estimate, NOW, Time};
use super::program::Program;
use super::relaxed::{Aim, CellId, Manner, RuleId, Settled, Source, at};
use super::span::Span;

/// How often something has to happen, for what is bad now.
pub(super) fn needed(estimate: &Estimate, scratch: &mut Vec<Span>) -> u64 {
    let (work, wanted) = (Vec::new(), FxHashMap::default());
    let mut plan = Plan { estimate, scratch, work, wanted };
    plan.want_aim(&estimate.relaxed.aim, &estimate.relaxed.unsettled());
    plan.count()
}

struct Plan<'p> {
    estimate: &'p Estimate,
    scratch: &'p mut Vec<Span>,
    /// What is needed, and not yet explained.
    work: Vec<(CellId, usize)>,
    /// What is needed, and how often it has to happen for that.
    wanted: FxHashMap<(CellId, usize), u64>,
}

impl Plan<'_> {
    fn count(&mut self) -> u64 {
        let mut happened: FxHashMap<Time, u64> = FxHashMap::default();
        while let Some((cell, number)) = self.work.pop() {
            let growth = self.estimate.history[cell][number];
            let Some((id, place, way)) = growth.cause else { continue };
            let Some(settled) = self.estimate.settled(id, growth.time) else { continue };
            if happened.insert(growth.time, 0).is_none() {
                self.want_rule((id, place), &settled, growth.time);
            }
            let manner = &self.estimate.relaxed.rules[id].parts[place][way];
            self.want_manner(manner, &settled, growth.time);
            let settled = settled.with(manner.component, manner.from);
            for (slot, value) in &manner.adds {
                let source = self.estimate.relaxed.sources[*slot];
                if matches!(source, Source::Variable(_, _, first) if at(first, manner.to) == cell) {
                    self.want_read(value, &settled, growth.time);
                }
            }
        }
        for (&(cell, number), &times) in &self.wanted {
            let count = happened.entry(self.estimate.history[cell][number].time).or_default();
            *count = times.max(*count);
        }
        happened.into_values().fold(0, u64::saturating_add)
    }

    fn want(&mut self, cell: CellId, number: usize) {
        self.want_times(cell, number, u64::MAX);
    }

    /// Something is needed that happened over and over, but only so many times.
    fn want_times(&mut self, cell: CellId, number: usize, times: u64) {
        let Some(growth) = self.estimate.history[cell].get(number) else { return };
        if growth.cause.is_none() {
            return;
        }
        let times = times.min(growth.times);
        let before = self.wanted.get(&(cell, number)).copied();
        if before.is_none() {
            self.work.push((cell, number));
        }
        self.wanted.insert((cell, number), times.max(before.unwrap_or_default()));
    }

    /// What a rule needs, but for one who takes part.
    fn want_rule(&mut self, (id, but): (RuleId, usize), settled: &Settled, time: Time) {
        let estimate = self.estimate;
        let rule = &estimate.relaxed.rules[id];
        for condition in &rule.guard {
            self.want_holds(condition, settled, time);
        }
        for (_, part) in rule.parts.iter().enumerate().filter(|(place, _)| *place != but) {
            let may = |one: &&Manner| estimate.may_start(self.scratch, one, settled, time);
            if let Some(manner) = part.iter().find(may) {
                self.want_manner(manner, settled, time);
            }
        }
    }

    fn want_manner(&mut self, manner: &Manner, settled: &Settled, time: Time) {
        let places = &self.estimate.relaxed.places;
        self.want(at(places[manner.component].first, manner.from), 0);
        let settled = settled.with(manner.component, manner.from);
        for condition in &manner.conditions {
            self.want_holds(condition, &settled, time);
        }
    }

    /// What is needed for a condition that may hold at a time: as it was when it first could.
    fn want_holds(&mut self, one: &Program, settled: &Settled, time: Time) {
        let Some(first) = self.first(one, settled, time) else { return };
        for (cell, number) in self.read(one, settled, first) {
            // Where a component has not been, nothing is needed.
            let Some(growth) = self.estimate.history[cell].get(number) else { continue };
            let last = growth.time + 1 == first && growth.times > 1;
            let times = if last { self.fewest(one, settled, (cell, number)) } else { u64::MAX };
            self.want_times(cell, number, times);
        }
    }

    /// How often something must happen at least, of which it is known that often enough is enough.
    fn fewest(&mut self, one: &Program, settled: &Settled, (cell, number): (CellId, usize)) -> u64 {
        let estimate = self.estimate;
        let growth = estimate.history[cell][number];
        let mut may = |times: u64| {
            let span = growth.once.0.stretched(growth.once.1, times);
            let of = |other: CellId| match other == cell {
                true => span,
                false => estimate.at(other, growth.time + 1),
            };
            let of = |slot| estimate.relaxed.span(slot, settled, of);
            one.span(self.scratch, of).may_hold()
        };
        let (mut not, mut yes) = (0, growth.times);
        while yes - not > 1 {
            let middle = not.midpoint(yes);
            *(if may(middle) { &mut yes } else { &mut not }) = middle;
        }
        yes
    }

    /// All that is read, as it was at a time.
    fn want_read(&mut self, one: &Program, settled: &Settled, time: Time) {
        for (cell, number) in self.read(one, settled, time) {
            self.want(cell, number);
        }
    }

    fn read(&self, one: &Program, settled: &Settled, time: Time) -> Vec<(CellId, usize)> {
        let relaxed = &self.estimate.relaxed;
        let mut read = Vec::new();
        for &slot in &one.reads {
            match relaxed.sources[slot] {
                Source::Constant(..) => {}
                Source::Location(component, location) => {
                    if settled.of(component).is_none() {
                        read.push((at(relaxed.places[component].first, location), 0));
                    }
                }
                Source::Variable(component, _, first) => {
                    for location in relaxed.locations(component) {
                        let there = settled.of(component).is_none_or(|there| there == location);
                        let number = self.estimate.number_at(at(first, location), time);
                        read.extend(number.filter(|_| there).map(|one| (at(first, location), one)));
                    }
                }
            }
        }
        read
    }

    fn want_aim(&mut self, aim: &Aim, settled: &Settled) {
        let estimate = self.estimate;
        match aim {
            Aim::Holds(program) => self.want_holds(program, settled, NOW),
            Aim::All(there, parts) => {
                let Some(settled) = estimate.settled_in(there, settled, NOW) else { return };
                for &(component, location) in there {
                    self.want(at(estimate.relaxed.places[component].first, location), 0);
                }
                parts.iter().for_each(|part| self.want_aim(part, &settled));
            }
            Aim::One(parts) => {
                let may = |part: &&Aim| estimate.may_be(self.scratch, part, settled, NOW);
                if let Some(part) = parts.iter().find(may) {
                    self.want_aim(part, settled);
                }
            }
        }
    }

    /// The first time at which a condition may hold, up to one. What may be only grows, so what may hold may hold from then
    /// on.
    fn first(&mut self, one: &Program, settled: &Settled, most: Time) -> Option<Time> {
        let estimate = self.estimate;
        let mut may = |time: Time| estimate.span(self.scratch, one, settled, time).may_hold();
        if may(1) {
            return Some(1);
        }
        if !may(most) {
            return None;
        }
        let (mut not, mut yes) = (1, most.min(estimate.end()));
        while yes - not > 1 {
            let middle = not.midpoint(yes);
            *(if may(middle) { &mut yes } else { &mut not }) = middle;
        }
        Some(yes)
    }
}

//! All configurations of a net, and how far each is from what it must come to.
//!
//! Nothing is left out, also where the proof left out something: what a reduced search met is not closed under steps.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::table::{Columns, Gathering, Table};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::explore::compiled::Compiled;
use crate::explore::naive::Interpreter;
use crate::explore::search::{self, Goal, Numbering, SearchLimits, Searched, each_line};
use crate::explore::{Gap, Machine};
use crate::sema::program::CheckKind;
use crate::verify::explored::{Subject, WantedSteps};
use crate::verify::refusal::NoCertificate;

/// Nobody wants to go through more configurations than these.
const MOST_LISTED: u64 = 5_000_000;

/// All configurations of the net of a check.
pub(super) fn collected(subject: &Subject<'_>, watch: &dyn Watch) -> Result<Table, NoCertificate> {
    let machine = Compiled::new(subject.net, &subject.domains);
    let limits = SearchLimits {
        most_states: MOST_LISTED,
        jobs: subject.options.explore.jobs,
        count: false,
        ..SearchLimits::default()
    };
    let searched = search::search(&machine, Goal::Everything, &limits, watch)
        .map_err(NoCertificate::Unlisted)?;
    if let Some((_, gap)) = &searched.sights.gap {
        return Err(NoCertificate::Unlisted(gap.clone()));
    }
    if !searched.is_complete() {
        return Err(NoCertificate::TooMany(MOST_LISTED));
    }
    let numbering = Numbering::of(&searched);
    let ranks = ranks(subject, (&machine, &searched), &numbering)?;
    let first = numbering.each().next().ok_or(NoCertificate::Nowhere)?;
    let first = machine.decode(&searched.packed(first));
    let columns = Columns::of(subject.net, &first, ranks.is_some());
    let mut gathering = Gathering::new(columns);
    for (number, at) in numbering.each().enumerate() {
        if is_spent() {
            return Err(NoCertificate::Unlisted(Gap::Stopped));
        }
        let rank = ranks.as_ref().map_or(0, |ranks| ranks[number]);
        gathering.add(&machine.decode(&searched.packed(at)), rank);
    }
    Ok(gathering.sorted())
}

/// The ranks of all configurations, in the order of their numbers, where a check needs them.
fn ranks(
    subject: &Subject<'_>,
    (machine, searched): (&Compiled<'_>, &Searched<'_, Compiled<'_>>),
    numbering: &Numbering,
) -> Result<Option<Vec<u32>>, NoCertificate> {
    let live = match subject.check.kind {
        CheckKind::Terminates => false,
        CheckKind::Live => true,
        _ => return Ok(None),
    };
    let interpreter = Interpreter::new(subject.net, subject.domains.clone());
    let mut wanted = WantedSteps::new(subject, &interpreter);
    let mut steps: Vec<(u32, u32)> = Vec::new();
    let mut at_once = vec![false; searched.counts.states as usize];
    each_line(searched, numbering, |line| {
        steps.push((line.from as u32, line.to as u32));
        if live && !at_once[line.from as usize] && wanted.is(machine, line.at, line.label) {
            at_once[line.from as usize] = true;
        }
        ControlFlow::Continue(())
    })
    .map_err(NoCertificate::Unlisted)?;
    if let Some(gap) = wanted.gap {
        return Err(NoCertificate::Unlisted(gap));
    }
    let back = Backwards::of(at_once.len(), &mut steps);
    Ok(Some(if live { back.distances(&at_once) } else { back.longest() }))
}

/// Steps by where they lead.
struct Backwards<'s> {
    steps: &'s [(u32, u32)],
    /// Where the steps to each begin.
    starts: Vec<usize>,
}

impl<'s> Backwards<'s> {
    fn of(count: usize, steps: &'s mut [(u32, u32)]) -> Backwards<'s> {
        steps.sort_unstable_by_key(|&(from, to)| (to, from));
        let mut starts = vec![0; count + 1];
        steps.iter().for_each(|&(_, to)| starts[to as usize + 1] += 1);
        (0..count).for_each(|at| starts[at + 1] += starts[at]);
        Backwards { steps, starts }
    }

    fn into(&self, to: u32) -> impl Iterator<Item = u32> {
        let (start, end) = (self.starts[to as usize], self.starts[to as usize + 1]);
        self.steps[start..end].iter().map(|(from, _)| *from)
    }

    /// How many steps it takes from each to the nearest of some; those that never come there get what nobody else has.
    fn distances(&self, at_once: &[bool]) -> Vec<u32> {
        let mut ranks: Vec<u32> =
            at_once.iter().map(|&there| if there { 0 } else { u32::MAX }).collect();
        let there = (0..).zip(at_once).filter(|(_, there)| **there);
        let mut work: VecDeque<u32> = there.map(|(at, _)| at).collect();
        while let Some(at) = work.pop_front().filter(|_| !is_spent()) {
            for from in self.into(at) {
                if ranks[from as usize] == u32::MAX {
                    ranks[from as usize] = ranks[at as usize] + 1;
                    work.push_back(from);
                }
            }
        }
        ranks
    }

    /// How many steps can be made from each at most; in a circle, and before one, nothing is said.
    fn longest(&self) -> Vec<u32> {
        let count = self.starts.len() - 1;
        let (mut ranks, mut left) = (vec![0; count], vec![0_u32; count]);
        self.steps.iter().for_each(|&(from, _)| left[from as usize] += 1);
        let mut work: Vec<u32> = (0..count as u32).filter(|&at| left[at as usize] == 0).collect();
        while let Some(at) = work.pop().filter(|_| !is_spent()) {
            for from in self.into(at) {
                ranks[from as usize] = ranks[from as usize].max(ranks[at as usize] + 1);
                left[from as usize] -= 1;
                if left[from as usize] == 0 {
                    work.push(from);
                }
            }
        }
        ranks
    }
}

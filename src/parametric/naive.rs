//! What meetings come to, as naively as can be: who fills which slots is gone through one by one.

use std::collections::BTreeSet;

use itertools::Itertools;

use super::meeting::{MeetingSums, Sums, all_differ};
use super::pattern::{Meeting, MeetingSlot, SystemPattern};
use super::profile::{VariantJoin, VariantMember, VariantRule};
use super::recheck::choices;

/// Which meetings are asked about, and the values of members.
type Asking<'a> = (&'a dyn Fn(&Meeting) -> bool, &'a dyn Fn(&VariantMember) -> u8);

/// The sums of meetings of a rule and its parts.
pub(super) fn naive_sums(
    (pattern, meetings): (&SystemPattern, &MeetingSums),
    kind: Sums,
    rule: &VariantRule,
    below: &[&[u8]],
    (asked, value): Asking<'_>,
) -> Vec<u8> {
    let mut all = vec![0; meetings.count()];
    for (id, meeting) in pattern.meetings.enumerated() {
        let place = meetings.place(id.index());
        let own = |join: &&VariantJoin| asked(meeting) && join.meeting == id;
        let joins: Vec<&VariantJoin> = rule.joins.iter().filter(own).collect();
        let units: BTreeSet<usize> = joins.iter().map(|join| join.unit).collect();
        // Each part and each unit fills some slots; all of them are filled once.
        let mut each: Vec<Vec<(usize, u8)>> = Vec::new();
        for sums in below {
            each.push(sums[place.clone()].iter().copied().enumerate().collect());
        }
        for unit in units {
            let own = joins.iter().filter(|join| join.unit == unit).copied().collect_vec();
            each.push(unit_sums(kind, meeting, &own, value));
        }
        for choice in choices(each.into_iter()) {
            let filled: usize = choice.iter().map(|(filled, _)| filled).sum();
            let apart = choice.iter().fold(0, |all, (filled, _)| all | filled) == filled;
            let sum = choice.iter().fold(kind.nobody(), |sum, one| kind.with(sum, one.1));
            if apart && filled < place.len() {
                all[place.start + filled] |= sum;
            }
        }
    }
    all
}

/// What those of a unit come to in a meeting, with the slots that they fill: each set of joins is tried.
fn unit_sums(
    kind: Sums,
    meeting: &Meeting,
    joins: &[&VariantJoin],
    value: &dyn Fn(&VariantMember) -> u8,
) -> Vec<(usize, u8)> {
    let mut found = Vec::new();
    for chosen in joins.iter().copied().powerset() {
        let has = |slot: usize| chosen.iter().any(|join| join.slot == slot);
        // All have to be there but those that are left out.
        let whole = joins.iter().all(|join| match meeting.slots[join.slot] {
            MeetingSlot::All { but } => chosen.contains(join) != but.is_some_and(has),
            _ => true,
        });
        let ones = chosen
            .iter()
            .filter(|join| matches!(meeting.slots[join.slot], MeetingSlot::One { .. }));
        let apart = MeetingSlot::One { apart: true };
        let apart = chosen.iter().filter(|join| meeting.slots[join.slot] == apart).count() <= 1;
        let members = || chosen.iter().flat_map(|join| &join.members);
        let seats = ones.map(|join| 1 << meeting.seat(join.slot)).collect_vec();
        let once = all_differ(members().map(|who| who.name)) && all_differ(seats.iter());
        if whole && apart && once {
            let add = |sum: u8, who: &VariantMember| kind.with(sum, kind.member(value(who)));
            found.push((seats.iter().sum(), members().fold(kind.nobody(), add)));
        }
    }
    found
}

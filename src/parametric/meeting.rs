//! Meetings: interactions of all who join them, however many there are, or of any who do.
//!
//! Rules let components that they make *join* the slots of a meeting, and nobody needs to know who else does: of all who joined
//! so far, only a *sum* matters, one for each set of slots that one of them can fill. A sum is a few bits: whoever can be in a
//! choice of members adds its value, and what several choices come to is put together bit by bit. No bits: there is no such
//! choice, or none that could do harm.

use itertools::Itertools;

use super::pattern::{Meeting, MeetingSlot, SystemPattern};
use super::profile::{VariantJoin, VariantMember, VariantRule};
use super::values::{BEST, HARMLESS};

/// What sums are of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sums {
    /// Whether all can move.
    Enabled,
    /// What members do to a trap or a siphon.
    Closed,
    /// How many were in a set before, and are after, where two before do no harm.
    One,
    /// How many more are in a set than before.
    Flow,
}

/// The bit of a number of those before (0 or 1), and after (0, 1, or more).
fn bit_of(before: u32, after: u32) -> u8 {
    1 << (3 * before + after.min(2))
}

/// What nobody can say any more of how many more there are.
const BEYOND: u8 = 1 << 7;

impl Sums {
    /// The sum of nobody.
    pub fn nobody(self) -> u8 {
        match self {
            Sums::Enabled => 1,
            Sums::Closed => closed(HARMLESS),
            Sums::One => bit_of(0, 0),
            Sums::Flow => 1 << 3,
        }
    }

    /// The sum of one with a value for its port.
    pub fn member(self, value: u8) -> u8 {
        let pairs = (0..4u32).filter(|pair| value >> pair & 1 == 1);
        match self {
            Sums::Enabled => value,
            Sums::Closed => closed(value),
            Sums::One => pairs.fold(0, |sum, pair| sum | bit_of(pair / 2, pair % 2)),
            Sums::Flow => pairs.fold(0, |sum, pair| sum | 1 << (3 + pair % 2 - pair / 2)),
        }
    }

    /// The sum of some and of others, all of them.
    pub fn with(self, one: u8, other: u8) -> u8 {
        if one == 0 || other == 0 {
            return 0;
        }
        let both = || bits(one).cartesian_product(bits(other));
        match self {
            Sums::Enabled => one & other,
            Sums::Closed if one == closed(BEST) || other == closed(BEST) => closed(BEST),
            Sums::Closed => one | other,
            Sums::One => both().fold(0, |sum, (one, other)| {
                let (before, after) = (one / 3 + other / 3, one % 3 + other % 3);
                // With two before, it does not matter who comes.
                if before > 1 { sum } else { sum | bit_of(before, after) }
            }),
            Sums::Flow if (one | other) & BEYOND != 0 => BEYOND,
            Sums::Flow => both().fold(0, |sum, (one, other)| {
                let more = (one + other).checked_sub(3).filter(|more| *more < 7);
                sum | more.map_or(BEYOND, |more| 1 << more)
            }),
        }
    }

    /// Whether a meeting with this sum, of all its members, does no harm; of those that move, whether it cannot happen.
    pub fn is_kept(self, sum: u8) -> bool {
        let fine = match self {
            Sums::Enabled => 0,
            Sums::Closed => closed(HARMLESS),
            Sums::One => bit_of(0, 0) | bit_of(1, 1),
            Sums::Flow => 1 << 3,
        };
        sum & !fine == 0
    }
}

/// A value of traps and siphons: what is worse has more bits.
fn closed(value: u8) -> u8 {
    match value {
        BEST => 0b001,
        HARMLESS => 0b011,
        _ => 0b111,
    }
}

fn bits(sum: u8) -> impl Iterator<Item = u32> + Clone {
    (0..8).filter(move |bit| sum >> bit & 1 == 1)
}

/// Whether some sums are at most others.
pub fn are_within(ones: &[u8], others: &[u8]) -> bool {
    ones.iter().zip(others).all(|(one, other)| one & !other == 0)
}

/// Whether no two are the same.
pub fn all_differ<T: Ord>(all: impl Iterator<Item = T>) -> bool {
    let all: Vec<T> = all.sorted().collect();
    all.windows(2).all(|pair| pair[0] != pair[1])
}

/// Where the sums of each meeting are: one for each set of slots that are filled by one member.
#[derive(Clone, Default, Debug)]
pub struct MeetingSums {
    /// Where they begin, and how many slots there are.
    places: Vec<(usize, usize)>,
}

impl MeetingSums {
    /// The sums of a pattern.
    pub fn of(pattern: &SystemPattern) -> MeetingSums {
        let mut first = 0;
        let place = |meeting: &Meeting| {
            let (from, seats) = (first, meeting.seats());
            first += 1 << seats;
            (from, seats)
        };
        MeetingSums { places: pattern.meetings.iter().map(place).collect() }
    }

    /// Whether no meeting does harm, where these are the sums of a whole unfolding.
    pub fn are_kept(&self, kind: Sums, sums: &[u8]) -> bool {
        self.are_kept_of(kind, sums, self.places.iter().map(|_| true))
    }

    /// The same of some meetings.
    pub fn are_kept_of(
        &self,
        kind: Sums,
        sums: &[u8],
        mut asked: impl Iterator<Item = bool>,
    ) -> bool {
        self.places.iter().all(|&(from, seats)| {
            let last = from + (1 << seats) - 1;
            !asked.next().unwrap_or(true) || sums.get(last).is_none_or(|sum| kind.is_kept(*sum))
        })
    }

    /// Where the sums of a meeting are.
    pub fn place(&self, meeting: usize) -> std::ops::Range<usize> {
        let (from, seats) = self.places[meeting];
        from..from + (1 << seats)
    }

    /// How many sums there are.
    pub fn count(&self) -> usize {
        self.places.last().map_or(0, |(from, seats)| from + (1 << seats))
    }

    /// The sums of a rule and its parts, where members have these values by their cells.
    pub fn step<'s>(
        &self,
        kind: Sums,
        joined: &[Vec<MeetingUnit>],
        value: impl Fn(usize) -> u8,
        parts: impl Iterator<Item = &'s [u8]> + Clone,
    ) -> Box<[u8]> {
        let mut all = Vec::new();
        for (&(from, seats), units) in self.places.iter().zip(joined) {
            let many = 1usize << seats;
            let mut sums = vec![0u8; many];
            sums[0] = kind.nobody();
            for part in parts.clone() {
                sums = together(kind, &sums, &part[from..from + many]);
            }
            for unit in units {
                sums = together(kind, &sums, &unit.sums(kind, many, &value));
            }
            all.extend(sums);
        }
        all.into()
    }
}

/// The sums of some and of others: a slot is filled by one of them.
fn together(kind: Sums, ones: &[u8], others: &[u8]) -> Vec<u8> {
    let mut sums = vec![0u8; ones.len()];
    for (filled, one) in ones.iter().enumerate().filter(|(_, one)| **one != 0) {
        for (more, other) in others.iter().enumerate().filter(|(more, _)| more & filled == 0) {
            sums[filled | more] |= kind.with(*one, *other);
        }
    }
    sums
}

/// A way in which those of a unit can be in a meeting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeetingWay {
    /// The slots that are filled, as bits.
    pub filled: usize,
    /// The cells of those who are in it.
    pub members: Vec<usize>,
    /// Those who may be in it or not.
    pub any: Vec<Vec<usize>>,
}

/// Components of a rule that are one of many: the ways in which they can be in a meeting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeetingUnit {
    /// The ways.
    pub ways: Vec<MeetingWay>,
}

impl MeetingUnit {
    fn sums(&self, kind: Sums, many: usize, value: &impl Fn(usize) -> u8) -> Vec<u8> {
        let mut sums = vec![0u8; many];
        let add = |sum: u8, cell: &usize| kind.with(sum, kind.member(value(*cell)));
        for way in &self.ways {
            let sum = way.members.iter().fold(kind.nobody(), add);
            let sum = way.any.iter().fold(sum, |sum, more| sum | more.iter().fold(sum, add));
            sums[way.filled] |= sum;
        }
        sums
    }
}

/// The ways in which the components that a rule makes can be in each meeting; `cell` is where the value of a member is.
pub fn joined(
    pattern: &SystemPattern,
    rule: &VariantRule,
    mut cell: impl FnMut(&VariantMember) -> usize,
) -> Vec<Vec<MeetingUnit>> {
    let mut all = Vec::new();
    for (id, meeting) in pattern.meetings.enumerated() {
        let own = rule.joins.iter().filter(|join| join.meeting == id);
        let units = own.clone().map(|join| join.unit).sorted().dedup();
        let unit = |unit: usize| {
            let own: Vec<&VariantJoin> = own.clone().filter(|join| join.unit == unit).collect();
            let way = |(filled, members, any): UnitWay<'_>| MeetingWay {
                filled,
                members: members.into_iter().map(&mut cell).collect(),
                any: any
                    .into_iter()
                    .map(|join| join.members.iter().map(&mut cell).collect())
                    .collect(),
            };
            MeetingUnit { ways: unit_ways(meeting, &own).into_iter().map(way).collect() }
        };
        all.push(units.map(unit).collect());
    }
    all
}

/// The slots that are filled, who is in it, and who may be.
type UnitWay<'j> = (usize, Vec<&'j VariantMember>, Vec<&'j VariantJoin>);

/// The ways in which those of a unit can be in a meeting.
fn unit_ways<'j>(meeting: &Meeting, joins: &[&'j VariantJoin]) -> Vec<UnitWay<'j>> {
    let slot = |join: &VariantJoin| &meeting.slots[join.slot];
    let is_one = |join: &&&VariantJoin| matches!(slot(join), MeetingSlot::One { .. });
    let ones: Vec<&VariantJoin> = joins.iter().filter(is_one).copied().collect();
    let mut ways = Vec::new();
    for chosen in ones.iter().copied().powerset() {
        let seats = chosen.iter().map(|join| 1usize << meeting.seat(join.slot));
        let is_apart =
            |join: &&&VariantJoin| matches!(slot(join), MeetingSlot::One { apart: true });
        if !all_differ(seats.clone()) || chosen.iter().filter(is_apart).count() > 1 {
            continue;
        }
        let is_in = |join: &&&VariantJoin| match slot(join) {
            MeetingSlot::All { but } => {
                !but.is_some_and(|but| chosen.iter().any(|one| one.slot == but))
            }
            _ => false,
        };
        let all = joins.iter().filter(is_in).copied();
        let members: Vec<&VariantMember> =
            chosen.iter().copied().chain(all).flat_map(|join| &join.members).collect();
        // Nobody is in it twice.
        if !all_differ(members.iter().map(|who| who.name)) {
            continue;
        }
        let is_free = |join: &&&VariantJoin| {
            matches!(slot(join), MeetingSlot::Any)
                && join.members.iter().all(|who| members.iter().all(|one| one.name != who.name))
        };
        let any = joins.iter().filter(is_free).copied().collect();
        ways.push((seats.sum(), members, any));
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::super::values::{is_closed, is_counted};
    use super::*;

    /// Sums of three members against all of them at once.
    #[test]
    fn sums_say_what_all_members_do() {
        for values in
            (1..=3).flat_map(|many| vec![0..16u8; many].into_iter().multi_cartesian_product())
        {
            let sum = |kind: Sums| {
                let members = values.iter().map(|value| kind.member(*value));
                members.fold(kind.nobody(), |sum, one| kind.with(sum, one))
            };
            let counted = |loose| is_counted(values.iter().copied(), loose);
            assert_eq!(Sums::One.is_kept(sum(Sums::One)), counted(true), "{values:?}");
            assert_eq!(Sums::Flow.is_kept(sum(Sums::Flow)), counted(false), "{values:?}");
            if values.iter().all(|value| *value < 3) {
                let is_kept = is_closed(values.iter().copied());
                assert_eq!(Sums::Closed.is_kept(sum(Sums::Closed)), is_kept, "{values:?}");
            }
        }
    }

    #[test]
    fn a_slot_is_filled_once() {
        let (one, other) = ([1, 1], [1, 0]);
        assert_eq!(together(Sums::Enabled, &one, &other), [1, 1]);
        assert_eq!(together(Sums::Enabled, &one, &one), [1, 1]);
        assert_eq!(together(Sums::Enabled, &[0, 1], &one), [0, 1]);
        assert_eq!(together(Sums::Enabled, &[0, 1], &[0, 1]), [0, 0]);
    }
}

//! The meetings of an instance, put together from its interactions: who joins which slot of which meeting.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Catalogue, CellAt, Item, NoRow, Spot, What};
use super::meets::WrittenSlot;
use crate::diagnostics::Span;
use crate::parametric::{MOST_SEATS, Meeting, MeetingSlot, PatternPortId};

/// Who of a cell moves, by its role and port.
pub(super) type Roles = Vec<(String, PatternPortId)>;

/// A slot, whatever the size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum SlotKey {
    /// All that are in no cell.
    Singles,
    /// A member at a fixed place.
    Fixed(Span),
    /// Members at an index.
    Index(usize),
    /// All members.
    All(Span),
}

/// A member of an interaction that a meeting comes to.
#[derive(Clone, Debug)]
pub(super) struct MetMember {
    pub spot: Spot,
    pub port: PatternPortId,
    pub text: Span,
    pub slot: WrittenSlot,
}

impl MetMember {
    fn key(&self) -> SlotKey {
        match (self.slot, self.spot.cell) {
            (WrittenSlot::Index(at), _) => SlotKey::Index(at),
            (WrittenSlot::All | WrittenSlot::Any, _) => SlotKey::All(self.text),
            (WrittenSlot::Fixed, None) => SlotKey::Singles,
            (WrittenSlot::Fixed, Some(_)) => SlotKey::Fixed(self.text),
        }
    }
}

/// What is the same of all interactions of a meeting: its text, what it shows, whether it only may be, and who moves how. Of all
/// members at once, it is how some of them do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Sort {
    text: Span,
    label: String,
    may_only: bool,
    /// Whether there are members who may take part or not.
    open: bool,
    one: BTreeMap<SlotKey, Roles>,
    all: BTreeMap<SlotKey, BTreeSet<(String, PatternPortId)>>,
}

/// Those who may take part or not, with their ports.
type AnyMembers = BTreeMap<Spot, BTreeSet<PatternPortId>>;

/// Where the members of an interaction are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Where {
    one: BTreeMap<SlotKey, Option<CellAt>>,
    all: BTreeMap<SlotKey, BTreeMap<CellAt, Roles>>,
}

/// A meeting of all sizes that have it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct KnownMeeting {
    text: Span,
    label: String,
    may_only: bool,
    slots: Vec<MeetingSlot>,
    who: Vec<BTreeSet<(String, PatternPortId)>>,
}

impl KnownMeeting {
    /// The same for a pattern.
    pub fn meeting(&self, may_only: bool) -> Meeting {
        let may_only = self.may_only || may_only;
        Meeting { label: self.label.clone(), slots: self.slots.clone(), may_only }
    }

    /// Whether all its members are there at once, and nobody else.
    pub fn is_of_all(&self) -> bool {
        self.slots.iter().all(|slot| matches!(slot, MeetingSlot::All { .. }))
    }
}

/// The interactions of an instance that belong to meetings.
#[derive(Default)]
pub(super) struct Met {
    all: BTreeMap<Sort, BTreeSet<Where>>,
    any: BTreeMap<Sort, AnyMembers>,
}

impl Met {
    /// Adds an interaction of a meeting; false where its members are of no such form.
    pub fn add(&mut self, text: Span, label: &str, may_only: bool, members: &[MetMember]) -> bool {
        let (one, all) = (BTreeMap::new(), BTreeMap::new());
        let is_any = |member: &&MetMember| member.slot == WrittenSlot::Any;
        let open = members.iter().any(|member| is_any(&member));
        // Without those who may take part, it is there as well, and counted on as such.
        let may_only = may_only || open;
        let mut sort = Sort { text, label: label.to_owned(), may_only, open, one, all };
        let mut at = Where::default();
        for member in members.iter().filter(|member| !is_any(member)) {
            let (key, cell) = (member.key(), member.spot.cell);
            let who = (member.spot.role.clone(), member.port);
            if let (SlotKey::All(_), Some(cell)) = (key, cell) {
                sort.all.entry(key).or_default().insert(who.clone());
                at.all.entry(key).or_default().entry(cell).or_default().push(who);
                continue;
            }
            sort.one.entry(key).or_default().push(who);
            if *at.one.entry(key).or_insert(cell) != cell || matches!(key, SlotKey::All(_)) {
                return false;
            }
        }
        sort.one.values_mut().for_each(|who| who.sort());
        at.all.values_mut().flat_map(BTreeMap::values_mut).for_each(|who| who.sort());
        for member in members.iter().filter(is_any) {
            let known = self.any.entry(sort.clone()).or_default();
            known.entry(member.spot.clone()).or_default().insert(member.port);
        }
        self.all.entry(sort).or_default().insert(at);
        true
    }

    /// Who joins which meetings; the text of one that has no such form.
    pub fn joins(mut self, catalogue: &mut Catalogue) -> Result<BTreeSet<Item<Spot>>, NoRow> {
        let mut items = BTreeSet::new();
        self.are_told_apart(catalogue)?;
        for (sort, places) in self.all {
            let text = sort.text;
            let any = self.any.remove(&sort).unwrap_or_default();
            let mut merged = Vec::new();
            for (spot, ports) in any {
                let port = catalogue.merged(&ports).ok_or(NoRow::Optional(text))?;
                merged.push((spot, port));
            }
            let why = if sort.open { NoRow::Optional(text) } else { NoRow::Pairs(text) };
            let joined = joined(sort, &places, merged).ok_or(why)?;
            let meeting = catalogue.meeting(joined.meeting);
            for (slot, cell, who) in joined.joins {
                let spot = |(role, _): &(String, _)| Spot { cell, role: role.clone() };
                let (at, ports) = (who.iter().map(spot).collect(), who.iter().map(|one| one.1));
                let what = What::Join { meeting, slot, unit: 0, ports: ports.collect() };
                items.insert(Item { at, what });
            }
        }
        Ok(items)
    }
}

impl Met {
    /// That the moves of those who have to take part say who may: where they are the same, so are the others.
    fn are_told_apart(&self, catalogue: &Catalogue) -> Result<(), NoRow> {
        let open: Vec<&Sort> = self.all.keys().filter(|sort| sort.open).collect();
        let overlap = |one: &Roles, other: &Roles| {
            let mut each = one.iter().zip(other);
            one.len() == other.len()
                && each.all(|(one, other)| one.0 == other.0 && catalogue.overlap(one.1, other.1))
        };
        for (at, one) in open.iter().enumerate() {
            for other in open[at + 1..].iter().filter(|other| other.text == one.text) {
                let same = one.one == other.one && one.all == other.all;
                let mut keys = one.one.iter().zip(&other.one);
                let apart = one.one.len() != other.one.len()
                    || keys.any(|(one, other)| one.0 != other.0 || !overlap(one.1, other.1));
                if !same && !apart {
                    return Err(NoRow::Optional(one.text));
                }
            }
        }
        Ok(())
    }
}

/// A meeting, with who joins it: which slot, of which cell, and how.
struct JoinedMeeting {
    meeting: KnownMeeting,
    joins: BTreeSet<(usize, Option<CellAt>, Roles)>,
}

/// The meeting of interactions of one sort; nothing where they are not all that a meeting would have.
fn joined(
    sort: Sort,
    places: &BTreeSet<Where>,
    any: Vec<(Spot, PatternPortId)>,
) -> Option<JoinedMeeting> {
    let is_index = |key: &&SlotKey| matches!(key, SlotKey::Index(_));
    let indices: Vec<SlotKey> = sort.one.keys().filter(is_index).copied().collect();
    let cells = |at: &Where, key: &SlotKey| at.one.get(key).copied().flatten();
    // Each choice of indices is there once.
    let chosen: BTreeSet<Vec<Option<CellAt>>> =
        places.iter().map(|at| indices.iter().map(|key| cells(at, key)).collect()).collect();
    if chosen.len() != places.len() {
        return None;
    }
    let apart = are_apart(&indices, &chosen)?;
    let (mut slots, mut joins, mut who) = (Vec::new(), BTreeSet::new(), Vec::new());
    for (key, roles) in &sort.one {
        let at: BTreeSet<Option<CellAt>> = places.iter().map(|at| cells(at, key)).collect();
        if !indices.contains(key) && at.len() != 1 {
            return None;
        }
        joins.extend(at.into_iter().map(|cell| (slots.len(), cell, roles.clone())));
        who.push(roles.iter().cloned().collect());
        slots.push(MeetingSlot::One { apart: apart && indices.contains(key) });
    }
    for (key, roles) in &sort.all {
        let (but, all) = all_of(key, &indices, places)?;
        let but = but.and_then(|index| sort.one.keys().position(|key| *key == index));
        joins.extend(all.into_iter().map(|(cell, who)| (slots.len(), Some(cell), who)));
        who.push(roles.clone());
        slots.push(MeetingSlot::All { but });
    }
    if sort.open {
        let each = any.iter().map(|(spot, port)| (spot.role.clone(), *port));
        who.push(each.collect());
        let slot = slots.len();
        joins
            .extend(any.into_iter().map(|(spot, port)| (slot, spot.cell, vec![(spot.role, port)])));
        slots.push(MeetingSlot::Any);
    }
    if sort.one.len() > MOST_SEATS {
        return None;
    }
    let Sort { text, label, may_only, .. } = sort;
    let meeting = KnownMeeting { text, label, may_only, slots, who };
    Some(JoinedMeeting { meeting, joins })
}

/// Whether the cells of two indices differ; nothing where these are neither all pairs nor all that differ.
fn are_apart(indices: &[SlotKey], chosen: &BTreeSet<Vec<Option<CellAt>>>) -> Option<bool> {
    let [_, _] = indices else { return Some(false) };
    let side =
        |at: usize| -> BTreeSet<Option<CellAt>> { chosen.iter().map(|pair| pair[at]).collect() };
    let (ones, others) = (side(0), side(1));
    let all = ones.iter().flat_map(|one| others.iter().map(|other| vec![*one, *other]));
    let all: BTreeSet<Vec<Option<CellAt>>> = all.collect();
    if all == *chosen {
        return Some(false);
    }
    let differ: BTreeSet<_> = all.into_iter().filter(|pair| pair[0] != pair[1]).collect();
    (differ == *chosen).then_some(true)
}

/// The members of all cells that are there at once, and the index whose cell is left out, if it is.
fn all_of(
    key: &SlotKey,
    indices: &[SlotKey],
    places: &BTreeSet<Where>,
) -> Option<(Option<SlotKey>, BTreeMap<CellAt, Roles>)> {
    let none = BTreeMap::new();
    let own = |at: &Where| at.all.get(key).unwrap_or(&none).clone();
    let mut all: BTreeMap<CellAt, Roles> = BTreeMap::new();
    for (cell, who) in places.iter().flat_map(own) {
        if all.entry(cell).or_insert_with(|| who.clone()) != &who {
            return None;
        }
    }
    if places.iter().all(|at| own(at) == all) {
        return Some((None, all));
    }
    let [index] = indices else { return None };
    let without = |at: &Where| {
        let mut all = all.clone();
        at.one.get(index).copied().flatten().map(|cell| all.remove(&cell));
        all
    };
    places.iter().all(|at| own(at) == without(at)).then_some((Some(*index), all))
}

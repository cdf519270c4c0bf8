//! Proofs as data: the entries that stand for all trees of rules, so that anybody can look whether they do.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::bits::StateBits;
use super::closed::{Closed, ClosedSet};
use super::counted::{Counted, CountedSet, Counter};
use super::inclusion::{Entry, Saturated};
use super::pattern::{ComponentTypeId, PatternGoal, PatternPortId, SystemPattern};
use super::profile::{Profiles, VariantId};
use super::slots::FactSlot;
use super::values::InvariantFamily;

/// The version of the format.
pub const CERTIFICATE_VERSION: u32 = 3;

/// All sets of so many states of a component can be gone through; of others, a certificate says which are needed.
pub const MOST_STATES_GONE_THROUGH: usize = 16;

/// A proof that a goal holds in every unfolding of a pattern.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct SizesCertificate {
    /// The version of the format.
    pub version: u32,
    /// What people call the pattern.
    pub pattern: String,
    /// What people call the goal.
    pub goal: String,
    /// The families of invariants that are used.
    pub families: Vec<String>,
    /// What is asked about states: sets of states, `Type.state`.
    pub facts: Vec<CertifiedFact>,
    /// The variants that unfoldings are made of; the first is the start.
    pub variants: Vec<CertifiedVariant>,
    /// Of components with many states, the sets of states that sets of entries are made of.
    pub sets: Vec<CertifiedStates>,
    /// The entries.
    pub entries: Vec<CertifiedEntry>,
}

/// Sets of states of a component.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct CertifiedStates {
    /// The component, by its place among those of the pattern.
    pub component: usize,
    /// The sets: states by their places.
    pub sets: Vec<Vec<u32>>,
}

/// Something that is asked about the state of a component.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct CertifiedFact {
    /// Whether it is in one of these.
    pub states: Vec<String>,
    /// Whether the answer is used whatever it is, or only where it is no.
    pub exact: bool,
}

/// A variant, with the meaning of the values of its entries.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct CertifiedVariant {
    /// The head.
    pub head: String,
    /// For each parameter of the head, which of the variant it is.
    pub same: Vec<usize>,
    /// For each parameter of the variant, whether it is made inside.
    pub inside: Vec<bool>,
    /// What values of invariants are about: a parameter and a port.
    pub ports: Vec<(usize, String)>,
    /// What values of bad situations are about: a parameter and a fact.
    pub facts: Vec<(usize, usize)>,
}

/// An entry: whoever is at least as bad excludes at least as much.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct CertifiedEntry {
    /// The place of its variant.
    pub variant: usize,
    /// What is told and demanded in a bad situation.
    pub values: Vec<u8>,
    /// Counts, violated claims, and whether somebody is not at rest.
    pub flags: Vec<u8>,
    /// Whether those who join meetings can move: for each meeting, a sum for each set of slots that one of them fills.
    pub meets: Vec<u8>,
    /// The sets that exclude situations.
    pub sets: Vec<CertifiedSet>,
}

/// A set of states of components as its variant knows it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct CertifiedSet {
    /// The family.
    pub family: char,
    /// What is told and demanded about ports.
    pub values: Vec<u8>,
    /// Traps and siphons: 1 if it is marked. Others: how many are in it to begin with.
    pub first: u8,
    /// How many are in it now, at least; for flows, how many more than to begin with.
    pub least: Option<i32>,
    /// How many are in it now, at most; for flows, how many more than to begin with.
    pub most: Option<i32>,
    /// What those who join meetings do to it.
    pub meets: Vec<u8>,
}

/// What was found, as data.
pub fn certificate(
    pattern: &SystemPattern,
    profiles: &Profiles,
    goal: &PatternGoal,
    families: &[InvariantFamily],
    saturated: &Saturated,
) -> SizesCertificate {
    let entries = saturated.entries.iter().map(|entry| certified(saturated, entry));
    let variant = |id: VariantId| {
        let of = &profiles.variants[id];
        let ports = ports(saturated, id).iter();
        let label = |slot: &FactSlot| pattern.ports[PatternPortId(slot.fact)].clone();
        let facts = saturated.bad.slots(id).iter();
        CertifiedVariant {
            head: pattern.heads[of.head].label.clone(),
            same: of.same.clone(),
            inside: of.inside.clone(),
            ports: ports.map(|slot| (slot.parameter, label(slot))).collect(),
            facts: facts.map(|slot| (slot.parameter, slot.fact as usize)).collect(),
        }
    };
    SizesCertificate {
        version: CERTIFICATE_VERSION,
        pattern: pattern.label.clone(),
        goal: goal.label.clone(),
        families: families.iter().map(|family| family.label().to_owned()).collect(),
        facts: saturated.bad.certified_facts(),
        variants: profiles.variants.ids().map(variant).collect(),
        sets: looked_at(pattern, saturated),
        entries: entries.collect(),
    }
}

/// The sets of states that were looked at, of components with many states.
fn looked_at(pattern: &SystemPattern, saturated: &Saturated) -> Vec<CertifiedStates> {
    let by = &saturated.by;
    let closed = [&by.trap, &by.siphon].into_iter().flatten().flat_map(|one| one.looked_at());
    let one = by.one.iter().flat_map(|one| one.looked_at());
    let all: BTreeSet<(ComponentTypeId, &StateBits)> =
        closed.chain(one).chain(by.flow.iter().flat_map(|flow| flow.looked_at())).collect();
    let wide = pattern.types.enumerated();
    let wide = wide.filter(|(_, of)| of.states.len() > MOST_STATES_GONE_THROUGH);
    let sets = |id: ComponentTypeId| {
        let own = all.iter().filter(move |(of, _)| *of == id);
        own.map(|(_, set)| set.iter().map(|state| state.0).collect()).collect()
    };
    wide.map(|(id, _)| CertifiedStates { component: id.index(), sets: sets(id) }).collect()
}

/// The slots of invariants: all families look at the same ports.
fn ports<'s>(saturated: &'s Saturated, of: VariantId) -> &'s [FactSlot] {
    let by = &saturated.by;
    let closed = by.trap.as_ref().or(by.siphon.as_ref()).map(|one| one.slots(of));
    let one = by.one.as_ref().map(|one| one.slots(of));
    closed.or(one).or(by.flow.as_ref().map(|flow| flow.slots(of))).unwrap_or(&[])
}

fn certified(saturated: &Saturated, entry: &Entry) -> CertifiedEntry {
    let by = &saturated.by;
    let mut sets = Vec::new();
    let mut closed = |which: &Option<Closed>, set: Option<ClosedSet>, family: InvariantFamily| {
        if let Some((which, set)) = which.as_ref().zip(set) {
            sets.extend(which.states(set).iter().map(|state| CertifiedSet {
                family: family.letter(),
                values: state.values.to_vec(),
                first: u8::from(state.marked),
                least: None,
                most: None,
                meets: state.meets.to_vec(),
            }));
        }
    };
    closed(&by.trap, entry.sets.trap, InvariantFamily::Trap);
    closed(&by.siphon, entry.sets.siphon, InvariantFamily::Siphon);
    if let Some((one, set)) = by.one.as_ref().zip(entry.sets.one) {
        sets.extend(counted(one, entry.of, set, InvariantFamily::One));
    }
    if let Some((flow, set)) = by.flow.as_ref().zip(entry.sets.flow) {
        sets.extend(counted(flow, entry.of, set, InvariantFamily::Flow));
    }
    CertifiedEntry {
        variant: entry.of.index(),
        values: entry.bad.values.to_vec(),
        flags: entry.bad.flags.to_vec(),
        meets: entry.bad.meets.to_vec(),
        sets,
    }
}

fn counted<C: Counter>(
    which: &Counted<C>,
    of: VariantId,
    set: CountedSet,
    family: InvariantFamily,
) -> Vec<CertifiedSet> {
    let each = which.members(set).map(|(state, count)| {
        let state = &which.table.states[of][state as usize];
        let (least, most) = C::bounds(count);
        let (values, meets) = (state.values.to_vec(), state.meets.to_vec());
        CertifiedSet { family: family.letter(), values, first: state.first, least, most, meets }
    });
    each.collect()
}

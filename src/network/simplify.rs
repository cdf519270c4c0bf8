//! A part of a network made simpler, whatever it does: without what never happens in it, and with what it does by itself, and
//! nobody sees, made silent.

use std::sync::Arc;

use super::vectors::{Network, NetworkPartId, Synchron};
use crate::base::IndexVec;
use crate::lts::{Lts, LtsBuilder, LtsLabel};

/// What part a label has in the vectors of a network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    /// It never happens.
    Never,
    /// It happens by itself, and is not seen.
    Alone,
    /// Others take part in it, or it is seen.
    Together,
}

/// Makes a part simpler; whether its silent steps then happen by themselves, and in no other way.
pub(super) fn simplify(network: &mut Network, at: NetworkPartId) -> bool {
    let lts = Arc::clone(&network.parts[at].lts);
    let roles = roles(network, at);
    let silence = roles[LtsLabel::SILENT];
    let is_free = silence != Role::Together || !lts.has_silent_steps();
    let hides = |role: Role| is_free && role == Role::Alone;
    let changes =
        |label: LtsLabel| roles[label] == Role::Never || !label.is_silent() && hides(roles[label]);
    if lts.labels().ids().any(changes) {
        network.parts[at].lts = Arc::new(simplified(&lts, &roles, hides));
    }
    if is_free && silence != Role::Alone {
        free_silence(network, at);
    }
    is_free
}

fn simplified(lts: &Lts, roles: &IndexVec<LtsLabel, Role>, hides: impl Fn(Role) -> bool) -> Lts {
    let mut builder = LtsBuilder::new(lts.labels().clone());
    for from in lts.ids() {
        builder.state(from);
        for step in lts.steps(from) {
            match roles[step.label] {
                Role::Never => {}
                role if hides(role) => builder.add(from, LtsLabel::SILENT, step.to),
                _ => builder.add(from, step.label, step.to),
            }
        }
    }
    builder.finish(lts.initial())
}

/// What part each label of a part has. Who stops a vector takes part in it.
fn roles(network: &Network, at: NetworkPartId) -> IndexVec<LtsLabel, Role> {
    let mut roles = IndexVec::of(network.parts[at].lts.labels().len(), Role::Never);
    for vector in network.vectors.iter() {
        if let Some(label) = vector.label_of(at) {
            let is_alone = vector.members.len() == 1 && vector.result.is_silent();
            let role =
                if is_alone && vector.rivals.is_empty() { Role::Alone } else { Role::Together };
            roles[label] = roles[label].max(role);
        }
        let stops = vector.rivals.iter().flatten().filter(|member| member.part == at);
        stops.for_each(|member| roles[member.label] = Role::Together);
    }
    roles
}

/// Silent steps of a part that had none happen by themselves: vectors that spoke of them could not happen.
fn free_silence(network: &mut Network, at: NetworkPartId) {
    let speaks = |members: &[Synchron]| {
        members.iter().any(|member| member.part == at && member.label.is_silent())
    };
    let vectors = std::mem::take(&mut network.vectors).into_iter();
    let possible = vectors.filter(|vector| !speaks(&vector.members)).map(|mut vector| {
        vector.rivals.retain(|rival| !speaks(rival));
        vector
    });
    network.vectors = possible.collect();
    network.let_silent_steps_be(at);
}

/// Another system in the place of a part: labels are known by their texts, and vectors with labels that are gone cannot happen
/// any more.
pub(super) fn replace(network: &mut Network, at: NetworkPartId, lts: Lts) {
    let labels = network.parts[at].lts.labels().clone();
    let new = |label: LtsLabel| match label.is_silent() {
        true => Some(label),
        false => lts.labels().get(labels.text(label)),
    };
    let new: IndexVec<LtsLabel, Option<LtsLabel>> = labels.ids().map(new).collect();
    let translate = |members: &mut Vec<Synchron>| -> Option<()> {
        for member in members.iter_mut().filter(|member| member.part == at) {
            member.label = new[member.label]?;
        }
        Some(())
    };
    let vectors = std::mem::take(&mut network.vectors).into_iter();
    let possible = vectors.filter_map(|mut vector| {
        translate(&mut vector.members)?;
        vector.rivals.retain_mut(|rival| translate(rival).is_some());
        Some(vector)
    });
    network.vectors = possible.collect();
    network.parts[at].lts = Arc::new(lts);
}

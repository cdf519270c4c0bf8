//! Semi-composition and refined interfaces as their definitions say, pair by pair, without any reduction; and the same with
//! mistakes planted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pnetc::lts::{Lts, LtsBuilder, LtsLabel, LtsState};
use pnetc::network::{Network, NetworkPartId, NetworkVector, Restricted, Synchron};

use super::{Tuple, Tuples, naive};

/// What is left of a system: its transitions, by the names of its states.
pub type Left = BTreeSet<(LtsState, String, LtsState)>;

/// An interface: its transitions by names of any kind, and which labels it controls.
pub struct Plain {
    pub initial: Tuple,
    pub steps: BTreeMap<Tuple, BTreeSet<(String, Tuple)>>,
    /// Labels that are free; all others are controlled, but for the silent one.
    pub free: BTreeSet<String>,
}

impl Plain {
    /// A system with these labels controlled.
    pub fn of(lts: &Lts, controls: &[&str], labels: &[&Lts]) -> Plain {
        let row = |state: LtsState| {
            let steps = lts.steps(state).iter();
            steps.map(|step| (lts.text(step.label).to_owned(), vec![step.to])).collect()
        };
        let all = labels.iter().flat_map(|lts| {
            lts.labels().ids().map(|label| lts.text(label).to_owned()).collect::<Vec<_>>()
        });
        Plain {
            initial: vec![lts.initial()],
            steps: lts.ids().map(|state| (vec![state], row(state))).collect(),
            free: all.filter(|text| !controls.contains(&text.as_str())).collect(),
        }
    }
}

/// Definition 4.
pub fn semi(part: &Lts, by: &Plain) -> Left {
    let (mut left, mut seen) = (Left::new(), BTreeSet::new());
    let mut open = vec![(part.initial(), by.initial.clone())];
    while let Some((state, own)) = open.pop() {
        if !seen.insert((state, own.clone())) {
            continue;
        }
        let steps = by.steps.get(&own).cloned().unwrap_or_default();
        let alone = steps.iter().filter(|(label, _)| label == "tau" || by.free.contains(label));
        open.extend(alone.map(|(_, to)| (state, to.clone())));
        for step in part.steps(state) {
            let text = part.text(step.label);
            let is_free = step.label.is_silent() || by.free.contains(text);
            let together = steps.iter().filter(|(label, _)| !is_free && label == text);
            let mut targets: Vec<Tuple> = together.map(|(_, to)| to.clone()).collect();
            if is_free {
                targets.push(own.clone());
            }
            if !targets.is_empty() {
                left.insert((state, text.to_owned(), step.to));
            }
            open.extend(targets.into_iter().map(|to| (step.to, to)));
        }
    }
    left
}

/// What is left, as it is written in a system with names of its own.
pub fn left_of(restricted: &Restricted) -> Left {
    let lts = &restricted.lts;
    let steps = lts.ids().flat_map(|state| lts.steps(state).iter().map(move |step| (state, step)));
    steps
        .map(|(state, step)| {
            let (from, to) = (restricted.origin[state], restricted.origin[step.to]);
            (from, lts.text(step.label).to_owned(), to)
        })
        .collect()
}

/// Whether the product is the same if a part is replaced by what is left of it: Theorem 1.
pub fn is_unchanged(network: &Network, part: NetworkPartId, left: &Left) -> bool {
    let whole = &network.parts[part].lts;
    let mut builder = LtsBuilder::new(whole.labels().clone());
    whole.ids().for_each(|state| builder.state(state));
    for (from, text, to) in left {
        builder.add(*from, whole.labels().get(text).unwrap(), *to);
    }
    let mut other = network.clone();
    other.parts[part].lts = Arc::new(builder.finish(whole.initial()));
    naive(&other) == naive(network)
}

/// Mistakes that can be made with Definition 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// Vectors in which the part does not take part are left out, instead of being silent.
    LosesSilent,
    /// What the part does without its neighbours is left out, and still controlled.
    LosesUncontrolled,
    /// What the part does without its neighbours is left out, and still controlled, where it also does it with them.
    LosesAnyTime,
    /// Vectors with members elsewhere are left out.
    LosesOthers,
    /// Rules show what is seen of the vector, instead of what the part does.
    ShowsResult,
    /// The neighbours do not move.
    Stays,
    /// Rivals do not count as vectors.
    LosesRivals,
    /// Vectors give way in the interface, too.
    KeepsPriorities,
}

/// Definition 6, with rivals of vectors counted as vectors: the product of the neighbours, nothing left out.
pub fn refined(
    network: &Network,
    part: NetworkPartId,
    neighbours: &[NetworkPartId],
    mistake: Mistake,
) -> Plain {
    let mut seen = Network::new(network.parts[part].lts.labels().clone());
    for id in neighbours {
        seen.parts.push(network.parts[*id].clone());
    }
    let number = |id: NetworkPartId| {
        neighbours.iter().position(|one| *one == id).map(|at| NetworkPartId(at as u32))
    };
    let chosen = |members: &[Synchron]| -> Vec<Synchron> {
        let own =
            members.iter().filter_map(|one| Some(Synchron { part: number(one.part)?, ..*one }));
        own.collect()
    };
    let (mut any_time, mut rules) = (BTreeSet::new(), Vec::new());
    for vector in network.vectors.iter() {
        let rivals = if mistake == Mistake::KeepsPriorities { &vector.rivals[..] } else { &[] };
        rules.push((vector.members.clone(), vector.result, rivals));
        if mistake != Mistake::LosesRivals {
            let with =
                vector.rivals.iter().filter(|rival| rival.iter().any(|one| one.part == part));
            rules.extend(with.map(|rival| (rival.clone(), LtsLabel::SILENT, &[][..])));
        }
    }
    for (members, result, rivals) in rules {
        let own = members.iter().find(|one| one.part == part).map(|one| one.label);
        let label = match (own, mistake) {
            (None, Mistake::LosesSilent) => continue,
            (Some(_), Mistake::ShowsResult) => {
                let text = network.labels.text(result);
                seen.labels.intern(text)
            }
            _ => own.unwrap_or(LtsLabel::SILENT),
        };
        let elsewhere = |one: &Synchron| one.part != part && number(one.part).is_none();
        if mistake == Mistake::LosesOthers && members.iter().any(elsewhere) {
            continue;
        }
        let mut vector = NetworkVector::new(chosen(&members), label);
        if vector.members.is_empty() {
            any_time.insert(seen.labels.text(label).to_owned());
            continue;
        }
        vector.rivals =
            rivals.iter().map(|rival| chosen(rival)).filter(|own| !own.is_empty()).collect();
        seen.vectors.push(vector);
    }
    if mistake == Mistake::LosesAnyTime {
        let is_used =
            |text: &String| seen.vectors.iter().any(|one| seen.labels.text(one.result) == text);
        any_time.retain(|text| !is_used(text));
    }
    let Tuples(mut steps) = naive(&seen);
    for (tuple, own) in &mut steps {
        if mistake == Mistake::Stays {
            *own = own.iter().map(|(label, _)| (label.clone(), tuple.clone())).collect();
        }
        if mistake != Mistake::LosesUncontrolled {
            own.extend(any_time.iter().map(|label| (label.clone(), tuple.clone())));
        }
    }
    let initial = seen.parts.iter().map(|part| part.lts.initial()).collect();
    Plain { initial, steps, free: BTreeSet::new() }
}

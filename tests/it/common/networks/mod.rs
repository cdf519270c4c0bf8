//! Networks of labelled transition systems for tests: random ones, and their product as its definition says, every vector
//! tried in every tuple.

pub mod interfaces;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use pnetc::base::Id;
use pnetc::lts::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState};
use pnetc::network::{Network, NetworkPart, NetworkPartId, NetworkVector, Synchron};

use super::Random;
use super::systems::written;

/// What networks are wanted.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Silent steps happen by themselves, and in no other way.
    pub admissible: bool,
    /// Some vectors give way to others.
    pub priorities: bool,
}

/// A small network: parts with silent steps and states that are not reached, perhaps one that never moves; vectors that share
/// labels, and perhaps none at all.
pub fn random(random: &mut Random, wanted: Wanted) -> Network {
    let mut network = Network::new(labels(&["a", "b", "c", "d"]));
    for at in 0..*random.pick(&[1, 2, 3, 3, 4, 4]) {
        let lts = Arc::new(part(random));
        let id = network.parts.push(NetworkPart { name: format!("P{at}"), lts });
        if wanted.admissible || !random.one_in(4) {
            network.let_silent_steps_be(id);
        }
    }
    for _ in 0..random.below(13) {
        let members = members(random, &network, wanted);
        let result = LtsLabel(random.below(network.labels.len()) as u32);
        network.vectors.push(NetworkVector::new(members, result));
    }
    if wanted.priorities {
        give_way(random, &mut network, wanted);
    }
    network
}

fn labels(names: &[&str]) -> LabelTable {
    let mut table = LabelTable::new("tau");
    for name in names {
        table.intern(name);
    }
    table
}

fn part(random: &mut Random) -> Lts {
    let states = random.between(1, 5);
    let names = ["a", "b", "c", "x", "y"];
    let first = random.below(3);
    let mut builder = LtsBuilder::new(labels(&names[first..first + 3]));
    let transitions = if random.one_in(8) { 0 } else { random.below(states * 4 + 1) };
    let silent = *random.pick(&[0, 0, 20, 50]);
    for _ in 0..transitions {
        let state = |random: &mut Random| LtsState(random.below(states) as u32);
        let label = if random.percent(silent) { 0 } else { random.between(1, 3) };
        let (from, to) = (state(random), state(random));
        builder.add(from, LtsLabel(label as u32), to);
    }
    builder.state(LtsState(states as u32 - 1));
    let initial = LtsState(random.below(states) as u32);
    builder.finish(initial)
}

fn members(random: &mut Random, network: &Network, wanted: Wanted) -> Vec<Synchron> {
    let sure = NetworkPartId::at(random.below(network.parts.len()));
    let mut members = Vec::new();
    for part in network.parts.ids() {
        if part == sure || random.one_in(3) {
            let silent = !wanted.admissible && random.one_in(8);
            let label = if silent { 0 } else { random.between(1, 3) };
            members.push(Synchron { part, label: LtsLabel(label as u32) });
        }
    }
    members
}

fn give_way(random: &mut Random, network: &mut Network, wanted: Wanted) {
    let all: Vec<_> = network.vectors.ids().collect();
    for id in all.iter().filter(|_| random.one_in(3)).copied().collect::<Vec<_>>() {
        for _ in 0..random.between(1, 2) {
            let rival = match random.one_in(2) {
                true => network.vectors[*random.pick(&all)].members.clone(),
                false => members(random, network, wanted),
            };
            network.vectors[id].rivals.push(rival);
        }
    }
}

/// The states of all parts.
pub type Tuple = Vec<LtsState>;

/// A product by its tuples: for each that is reached, what can be done, and where it leads.
#[derive(PartialEq, Eq, Debug)]
pub struct Tuples(pub BTreeMap<Tuple, BTreeSet<(String, Tuple)>>);

/// The product as its definition says.
pub fn naive(network: &Network) -> Tuples {
    let initial: Tuple = network.parts.iter().map(|part| part.lts.initial()).collect();
    let (mut steps, mut open) = (BTreeMap::new(), vec![initial]);
    while let Some(tuple) = open.pop() {
        if steps.contains_key(&tuple) {
            continue;
        }
        let mut own = BTreeSet::new();
        for vector in network.vectors.iter() {
            let stays = |rival: &Vec<Synchron>| !moves(network, &tuple, rival).is_empty();
            if vector.rivals.iter().any(stays) {
                continue;
            }
            for to in moves(network, &tuple, &vector.members) {
                open.push(to.clone());
                own.insert((network.labels.text(vector.result).to_owned(), to));
            }
        }
        steps.insert(tuple, own);
    }
    Tuples(steps)
}

/// All tuples to which members lead together.
fn moves(network: &Network, tuple: &Tuple, members: &[Synchron]) -> Vec<Tuple> {
    let mut all = vec![tuple.clone()];
    for member in members {
        let lts = &network.parts[member.part].lts;
        let steps = lts.steps(tuple[member.part.index()]);
        let by: Vec<LtsState> =
            steps.iter().filter(|step| step.label == member.label).map(|step| step.to).collect();
        all = all
            .iter()
            .flat_map(|tuple| {
                by.iter().map(|to| {
                    let mut tuple = tuple.clone();
                    tuple[member.part.index()] = *to;
                    tuple
                })
            })
            .collect();
    }
    all
}

/// A network for people.
pub fn shown(network: &Network) -> String {
    let mut text = String::new();
    let members = |members: &[Synchron]| {
        let one = |member: &Synchron| {
            let part = &network.parts[member.part];
            format!("{}:{}", part.name, part.lts.text(member.label))
        };
        members.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    for part in network.parts.iter() {
        writeln!(text, "{}: {}", part.name, written(&part.lts)).unwrap();
    }
    for vector in network.vectors.iter() {
        let result = network.labels.text(vector.result);
        write!(text, "<{}> -> {result}", members(&vector.members)).unwrap();
        vector
            .rivals
            .iter()
            .for_each(|rival| write!(text, " unless <{}>", members(rival)).unwrap());
        text.push('\n');
    }
    text
}

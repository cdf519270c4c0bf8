//! Goes through a product of which all configurations are known, level by level, and keeps of it no more than which nodes were met.
//!
//! What is owed changes along a run as in an automaton. Where all that its steps can do, as long as what is owed comes again, is to
//! put an until off, no run goes round there and counts: of these nodes nothing but whether they are met has to be known. For
//! `G (a => F b)` these are all in which no `a` waits for its `b`. The others are put together with their steps, and their components are
//! looked at.

use rustc_hash::{FxHashMap, FxHashSet};

use super::deep::Sight;
use super::part::Part;
use super::product::{Product, has_mark, join};
use crate::base::budget::is_spent;
use crate::lts::LtsState;
use crate::temporal::explicit::{MoveId, Undecided};
use crate::temporal::game::components;
use crate::temporal::ground::Ground;

/// So many sets of what is owed have a bit for each configuration.
const DENSE: u32 = 256;

/// Nodes, by their configurations and what is owed there.
#[derive(Default)]
pub(super) struct Met {
    bits: Vec<Vec<u64>>,
    others: FxHashSet<(u32, u32)>,
}

impl Met {
    /// A node is met; whether it was not before.
    fn add(&mut self, (state, set): (u32, u32)) -> bool {
        if set >= DENSE {
            return self.others.insert((state, set));
        }
        let (set, word, bit) = (set as usize, state as usize / 64, 1_u64 << (state % 64));
        if self.bits.len() <= set {
            self.bits.resize(set + 1, Vec::new());
        }
        let row = &mut self.bits[set];
        if row.len() <= word {
            row.resize(word + 1, 0);
        }
        let is_new = row[word] & bit == 0;
        row[word] |= bit;
        is_new
    }

    /// Whether a node was met.
    pub fn has(&self, (state, set): (u32, u32)) -> bool {
        if set >= DENSE {
            return self.others.contains(&(state, set));
        }
        let row = self.bits.get(set as usize);
        let word = row.and_then(|row| row.get(state as usize / 64));
        word.is_some_and(|word| word & (1 << (state % 64)) != 0)
    }

    /// All that others have are met, too.
    fn take(&mut self, other: Met) {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), Vec::new());
        }
        for (mine, row) in self.bits.iter_mut().zip(other.bits) {
            if mine.len() < row.len() {
                mine.resize(row.len(), 0);
            }
            join(mine, &row);
        }
        self.others.extend(other.others);
    }
}

/// What is seen of a run that counts; nothing where there is none, and then all nodes that were met are over.
pub(super) fn search(
    product: &mut Product,
    ground: &mut dyn Ground,
    begin: u32,
    over: &mut Met,
) -> Result<Option<Sight>, Undecided> {
    let mut met = Met::default();
    let Some(nodes) = reached(product, ground, (begin, over), &mut met)? else {
        return Ok(Some(Sight::Stops));
    };
    let comes_again = rounds(product);
    let mut again = nodes;
    again.retain(|(_, set)| comes_again[*set as usize]);
    let mut inside = Vec::new();
    for key in behind_rounds(product, ground, again)? {
        inside.push(product.node(key)?);
    }
    if !inside.is_empty() {
        let part = Part::among(product, ground, &inside)?;
        let rounds = part.fair(product, ground)?;
        if !rounds.is_empty() {
            let nodes = |round: Vec<usize>| round.into_iter().map(|place| part.node(place));
            return Ok(Some(Sight::Rounds(
                rounds.into_iter().map(|round| nodes(round).collect()).collect(),
            )));
        }
    }
    over.take(met);
    Ok(None)
}

/// All nodes that are reached; nothing where a run stops in one.
#[allow(clippy::type_complexity, reason = "a configuration and what is owed")]
fn reached(
    product: &mut Product,
    ground: &mut dyn Ground,
    (begin, over): (u32, &Met),
    met: &mut Met,
) -> Result<Option<Vec<(u32, u32)>>, Undecided> {
    let first = product.key(begin);
    met.add(first);
    let mut nodes = vec![first];
    let mut at = 0;
    while let Some(&(state, set)) = nodes.get(at) {
        if at.is_multiple_of(1024) && is_spent() {
            return Err(Undecided::Stopped);
        }
        at += 1;
        let here = LtsState(state);
        let shape = product.shape_at(ground, (state, set))?;
        if shape.free || shape.ends && ground.may_end(here)? {
            return Ok(None);
        }
        for way in shape.ways {
            let (next, mut place) = (product.next(way), 0);
            // Where it is not known whether a step can be made by this way, it is asked, and gone on from there.
            while let Some(done) = known_after(product, ground, (here, way), &mut place, |to| {
                if !over.has((to.0, next)) && met.add((to.0, next)) {
                    nodes.push((to.0, next));
                }
            }) {
                product.takes(ground, way, done)?;
            }
        }
    }
    Ok(Some(nodes))
}

/// Where the steps of a configuration from a place on lead that can be made by a way; up to the first of which this is not known.
fn known_after(
    product: &Product,
    ground: &dyn Ground,
    (here, way): (LtsState, u32),
    place: &mut usize,
    mut on: impl FnMut(LtsState),
) -> Option<MoveId> {
    for &(done, to) in &ground.row(here)[*place..] {
        match product.known_to_take(way, done) {
            Some(true) => on(to),
            Some(false) => {}
            None => return Some(done),
        }
        *place += 1;
    }
    None
}

/// How many steps lead to each of some nodes: with a table for each set that is owed in many of them.
struct Before {
    tables: Vec<Vec<u32>>,
    others: FxHashMap<(u32, u32), u32>,
}

/// Not one of the nodes.
const ABSENT: u32 = u32::MAX;

impl Before {
    fn of(nodes: &[(u32, u32)]) -> Before {
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for &(state, set) in nodes {
            let set = set as usize;
            if ends.len() <= set {
                ends.resize(set + 1, (0, 0));
            }
            ends[set] = (ends[set].0.max(state as usize + 1), ends[set].1 + 1);
        }
        let table = |(end, many): (usize, usize)| match many * 16 >= end {
            true => vec![ABSENT; end],
            false => Vec::new(),
        };
        let tables = ends.into_iter().map(table).collect();
        let mut before = Before { tables, others: FxHashMap::default() };
        for &(state, set) in nodes {
            match before.tables[set as usize].get_mut(state as usize) {
                Some(entry) => *entry = 0,
                None => _ = before.others.insert((state, set), 0),
            }
        }
        before
    }

    /// How many lead to a node, if it is one of them.
    fn get(&mut self, (state, set): (u32, u32)) -> Option<&mut u32> {
        let table = self.tables.get_mut(set as usize)?;
        match table.is_empty() {
            true => self.others.get_mut(&(state, set)),
            false => table.get_mut(state as usize).filter(|many| **many != ABSENT),
        }
    }
}

/// Those of some nodes to which a round leads, or on which they lie: what no node leads to is left out, again and again.
fn behind_rounds(
    product: &Product,
    ground: &dyn Ground,
    mut nodes: Vec<(u32, u32)>,
) -> Result<Vec<(u32, u32)>, Undecided> {
    let mut before = Before::of(&nodes);
    for (place, &key) in nodes.iter().enumerate() {
        if place.is_multiple_of(1024) && is_spent() {
            return Err(Undecided::Stopped);
        }
        each_after(product, ground, key, |to| {
            if let Some(many) = before.get(to) {
                *many += 1;
            }
        });
    }
    let mut work: Vec<(u32, u32)> =
        nodes.iter().copied().filter(|&key| before.get(key).copied() == Some(0)).collect();
    let mut looked_at = 0_usize;
    while let Some(key) = work.pop() {
        looked_at += 1;
        if looked_at.is_multiple_of(1024) && is_spent() {
            return Err(Undecided::Stopped);
        }
        each_after(product, ground, key, |to| {
            if let Some(many) = before.get(to) {
                *many -= 1;
                if *many == 0 {
                    work.push(to);
                }
            }
        });
    }
    nodes.retain(|&key| before.get(key).copied() > Some(0));
    Ok(nodes)
}

/// The nodes to which the steps of one lead, of which all is known.
fn each_after(
    product: &Product,
    ground: &dyn Ground,
    (state, set): (u32, u32),
    mut on: impl FnMut((u32, u32)),
) {
    let row = ground.row(LtsState(state));
    for way in product.known_ways((state, set)) {
        let next = product.next(way);
        for &(done, to) in row {
            if product.known_to_take(way, done) == Some(true) {
                on((to.0, next));
            }
        }
    }
}

/// For each set that is owed, whether runs may go round with it, keeping what they promise.
fn rounds(product: &Product) -> Vec<bool> {
    let steps = product.set_steps();
    let next = |set: usize, at: usize| steps[set].get(at).map(|step| step.0);
    let mut found = vec![false; steps.len()];
    let mut inside = vec![false; steps.len()];
    for sets in components(steps.len(), &next) {
        sets.iter().for_each(|&set| inside[set] = true);
        let mut marks = vec![0; product.marks.width];
        let mut goes_round = false;
        for &set in &sets {
            for (_, kept) in steps[set].iter().filter(|(to, _)| inside[*to as usize]) {
                goes_round = true;
                join(&mut marks, kept);
            }
        }
        let keeps = goes_round && (0..product.untils()).all(|until| has_mark(&marks, until));
        for set in sets {
            (inside[set], found[set]) = (false, keeps);
        }
    }
    found
}

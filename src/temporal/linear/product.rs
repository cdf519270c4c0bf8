//! The product: a node is a configuration and what is owed there. Nodes are numbers, made as somebody comes to them.
//!
//! What follows from what is owed depends on the configuration only by what is said of it; so it is found out once for each
//! set that is owed and each choice of what is true (a [`Shape`]), and no steps of nodes are kept.

use std::collections::hash_map::Entry;

use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::owed::Tableau;
use crate::base::budget::is_spent;
use crate::lts::LtsState;
use crate::temporal::explicit::{Bindings, MoveId, Undecided, fits};
use crate::temporal::formula::{FairPattern, Fairness, PathFormula};
use crate::temporal::ground::Ground;

/// Not known yet.
const UNKNOWN: u32 = u32::MAX;

/// The number, among those that are visited, of a node that was visited and from which no run counts.
const OVER: u32 = u32::MAX;

/// So many sets have a table with an entry for each configuration.
const DENSE: usize = 8;

/// What follows from what is owed where something is true.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The ways to go on, by their places.
    pub ways: std::ops::Range<u32>,
    /// Whether nothing is owed at the end of a run.
    pub ends: bool,
    /// Whether nothing is owed whatever comes.
    pub free: bool,
}

/// A way to go on.
#[derive(Debug)]
struct Onward {
    steps: Vec<(usize, bool)>,
    /// The set that is owed then.
    next: u32,
    /// The marks of its steps: the untils that are not put off.
    marks: Vec<u64>,
}

pub(super) struct Product {
    tableau: Tableau,
    root: u32,
    /// Sets that are owed.
    sets: IndexSet<Vec<u32>, FxBuildHasher>,
    /// What can be true of configurations.
    valuations: IndexSet<Vec<bool>, FxBuildHasher>,
    /// What is true of each configuration, by its place among these.
    valuation_of: Vec<u32>,
    /// What is true of the one that is looked at.
    is: Vec<bool>,
    shapes: Vec<Shape>,
    shape_of: FxHashMap<(u32, u32), u32>,
    onward: Vec<Onward>,
    /// Which moves each pattern means, as far as it is known.
    meant: Vec<Vec<Option<bool>>>,
    nodes: Vec<(u32, u32)>,
    /// The nodes of the first sets that are owed, by their configurations: most formulas owe a few sets nearly everywhere.
    by_state: Vec<Vec<u32>>,
    /// The other nodes.
    table: HashTable<u32>,
    /// When each node was visited, from 1 on; nothing for others, and for those that are over the largest number.
    visited: Vec<u32>,
    pub marks: MarkTable,
}

/// Marks are what a run that goes on for ever must meet again and again: untils that are not put off, and fairness.
pub(super) struct MarkTable {
    /// How many words they take.
    pub width: usize,
    fair: Vec<FairPattern>,
    /// Where the marks of fairness begin.
    first: usize,
    all: Vec<u64>,
    weak: Vec<u64>,
    strong: Vec<u64>,
    /// The marks of moves, as far as they are known.
    of_moves: Vec<u64>,
    known_moves: Vec<bool>,
}

impl MarkTable {
    fn new(untils: usize, fair: &[FairPattern]) -> MarkTable {
        let count = untils + fair.len();
        let width = count.div_ceil(64).max(1);
        let mut table = MarkTable {
            width,
            fair: fair.to_vec(),
            first: untils,
            all: vec![0; width],
            weak: vec![0; width],
            strong: vec![0; width],
            of_moves: Vec::new(),
            known_moves: Vec::new(),
        };
        (0..count).for_each(|mark| set_mark(&mut table.all, mark));
        for (number, pattern) in fair.iter().enumerate() {
            let kind = match pattern.kind {
                Fairness::Weak => &mut table.weak,
                Fairness::Strong => &mut table.strong,
            };
            set_mark(kind, untils + number);
        }
        table
    }

    /// Whether some runs do not count.
    pub fn is_fair(&self) -> bool {
        !self.fair.is_empty()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.first + self.fair.len()
    }

    /// Whether a mark is one of strong fairness, which need not be met where it is never possible.
    pub fn is_strong(&self, mark: usize) -> bool {
        has_mark(&self.strong, mark)
    }

    /// Whether a round with these marks counts, where these patterns are possible on it.
    pub fn counts(&self, marks: &[u64], possible: &[u64]) -> bool {
        (0..self.width).all(|word| {
            let quiet = self.strong[word] & !possible[word];
            self.all[word] & !(marks[word] | quiet) == 0
        })
    }

    /// Whether the same is so but for strong fairness.
    pub fn counts_weakly(&self, marks: &[u64]) -> bool {
        (0..self.width).all(|word| self.all[word] & !(marks[word] | self.strong[word]) == 0)
    }

    /// The patterns of strong fairness that are possible and not met.
    pub fn unmet(&self, marks: &[u64], possible: &[u64]) -> Vec<u64> {
        let words = 0..self.width;
        words.map(|word| self.strong[word] & possible[word] & !marks[word]).collect()
    }

    fn learn(&mut self, ground: &mut dyn Ground, done: MoveId) -> Result<(), Undecided> {
        if self.known_moves.get(done.index()).copied() == Some(true) {
            return Ok(());
        }
        if self.known_moves.len() <= done.index() {
            self.known_moves.resize(done.index() + 1, false);
            self.of_moves.resize((done.index() + 1) * self.width, 0);
        }
        let start = done.index() * self.width;
        for (number, pattern) in self.fair.iter().enumerate() {
            if fits(ground.atoms(), done, &pattern.step, &Bindings::new())? {
                set_mark(&mut self.of_moves[start..start + self.width], self.first + number);
            }
        }
        self.known_moves[done.index()] = true;
        Ok(())
    }

    fn of_move(&self, done: MoveId) -> &[u64] {
        &self.of_moves[done.index() * self.width..(done.index() + 1) * self.width]
    }

    /// Adds what is possible in a configuration whose steps were made.
    pub fn possible(
        &mut self,
        ground: &mut dyn Ground,
        at: LtsState,
        found: &mut [u64],
    ) -> Result<(), Undecided> {
        if !self.is_fair() {
            return Ok(());
        }
        for place in 0..ground.row(at).len() {
            let done = ground.row(at)[place].0;
            self.learn(ground, done)?;
            join(found, self.of_move(done));
        }
        Ok(())
    }
}

/// Adds marks.
pub(super) fn join(found: &mut [u64], more: &[u64]) {
    found.iter_mut().zip(more).for_each(|(one, more)| *one |= more);
}

fn set_mark(words: &mut [u64], mark: usize) {
    words[mark / 64] |= 1 << (mark % 64);
}

/// Whether a mark is there.
pub(super) fn has_mark(words: &[u64], mark: usize) -> bool {
    words[mark / 64] & (1 << (mark % 64)) != 0
}

impl Product {
    pub fn new(
        ground: &mut dyn Ground,
        says: (&PathFormula, bool),
        bound: &Bindings,
    ) -> Result<Product, Undecided> {
        let (tableau, root) = Tableau::new(ground, says, bound)?;
        let mut sets: IndexSet<Vec<u32>, FxBuildHasher> = IndexSet::default();
        let marks = MarkTable::new(tableau.untils.len(), ground.fair());
        let meant = vec![Vec::new(); tableau.patterns.len()];
        Ok(Product {
            root: sets.insert_full(vec![root]).0 as u32,
            tableau,
            sets,
            valuations: IndexSet::default(),
            valuation_of: Vec::new(),
            is: Vec::new(),
            shapes: Vec::new(),
            shape_of: FxHashMap::default(),
            onward: Vec::new(),
            meant,
            nodes: Vec::new(),
            by_state: vec![Vec::new(); DENSE],
            table: HashTable::new(),
            visited: Vec::new(),
            marks,
        })
    }

    /// How many nodes were made.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The configuration of a node.
    pub fn state(&self, node: u32) -> LtsState {
        LtsState(self.nodes[node as usize].0)
    }

    /// The node in which a run begins.
    pub fn begin(&mut self, at: LtsState) -> Result<u32, Undecided> {
        self.node((at.0, self.root))
    }

    /// When a node was visited, from 1 on.
    pub fn visited(&self, node: u32) -> u32 {
        self.visited[node as usize]
    }

    /// A node is visited.
    pub fn visit(&mut self, node: u32, number: u32) {
        self.visited[node as usize] = number;
    }

    /// No run that counts begins in a node.
    pub fn end(&mut self, node: u32) {
        self.visited[node as usize] = OVER;
    }

    /// Whether it is known that no run that counts begins in a node.
    pub fn is_over(&self, node: u32) -> bool {
        self.visited[node as usize] == OVER
    }

    /// The steps of a way.
    pub fn told(&self, path: &[(MoveId, u32)]) -> Vec<(MoveId, LtsState)> {
        path.iter().map(|&(done, node)| (done, self.state(node))).collect()
    }

    /// The node with a configuration and what is owed there.
    pub fn node(&mut self, key: (u32, u32)) -> Result<u32, Undecided> {
        if let Some(known) = self.find(key) {
            return Ok(known);
        }
        if self.nodes.len() >= UNKNOWN as usize {
            return Err(Undecided::TooMany);
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(key);
        self.visited.push(0);
        let (state, nodes) = (key.0 as usize, &self.nodes);
        match self.by_state.get_mut(key.1 as usize) {
            Some(row) => {
                if row.len() <= state {
                    row.resize(state + 1, UNKNOWN);
                }
                row[state] = node;
            }
            None => {
                let hash_of = |&node: &u32| mixed(nodes[node as usize]);
                self.table.insert_unique(mixed(key), node, hash_of);
            }
        }
        Ok(node)
    }

    fn find(&self, key: (u32, u32)) -> Option<u32> {
        match self.by_state.get(key.1 as usize) {
            Some(row) => row.get(key.0 as usize).copied().filter(|node| *node != UNKNOWN),
            None => {
                let is = |&node: &u32| self.nodes[node as usize] == key;
                self.table.find(mixed(key), is).copied()
            }
        }
    }

    /// A node, if it was made.
    pub fn known(&self, to: LtsState, way: u32) -> Option<u32> {
        self.find((to.0, self.onward[way as usize].next))
    }

    /// What follows in a node, and makes the steps of its configuration.
    pub fn shape(&mut self, ground: &mut dyn Ground, node: u32) -> Result<Shape, Undecided> {
        self.shape_at(ground, self.nodes[node as usize])
    }

    /// The same where a configuration and what is owed are given.
    pub fn shape_at(
        &mut self,
        ground: &mut dyn Ground,
        (state, set): (u32, u32),
    ) -> Result<Shape, Undecided> {
        ground.open(LtsState(state))?;
        let is = self.valuation(ground, LtsState(state))?;
        let shape = match self.shape_of.get(&(set, is)) {
            Some(known) => *known,
            None => {
                self.make_shape(set, is)?;
                let made = self.shapes.len() as u32 - 1;
                self.shape_of.insert((set, is), made);
                made
            }
        };
        Ok(self.shapes[shape as usize].clone())
    }

    /// The ways to go on in a node whose shape was asked for before.
    pub fn known_ways(&self, (state, set): (u32, u32)) -> std::ops::Range<u32> {
        let is = self.valuation_of.get(state as usize).copied();
        let shape = is.and_then(|is| self.shape_of.get(&(set, is)));
        shape.map_or(0..0, |shape| self.shapes[*shape as usize].ways.clone())
    }

    /// Whether a run stops in a node: it may end there, or need not be told further.
    pub fn stops(&mut self, ground: &mut dyn Ground, node: u32) -> Result<bool, Undecided> {
        let shape = self.shape(ground, node)?;
        Ok(shape.free || shape.ends && ground.may_end(self.state(node))?)
    }

    fn make_shape(&mut self, set: u32, is: u32) -> Result<(), Undecided> {
        let owed = &self.sets[set as usize];
        let is = &self.valuations[is as usize];
        let ends = owed.iter().all(|&one| self.tableau.at_end(one, is));
        let ways = self.tableau.ways(owed, is)?;
        let first = self.onward.len() as u32;
        let free = ways.iter().any(|way| way.next.is_empty() && way.steps.is_empty());
        for way in ways {
            let mut marks = vec![0; self.marks.width];
            let kept = (0..self.tableau.untils.len()).filter(|place| !way.promises.contains(place));
            kept.for_each(|place| set_mark(&mut marks, place));
            let next = self.sets.insert_full(way.next).0 as u32;
            self.onward.push(Onward { steps: way.steps, next, marks });
        }
        self.shapes.push(Shape { ways: first..self.onward.len() as u32, ends, free });
        Ok(())
    }

    fn valuation(&mut self, ground: &mut dyn Ground, at: LtsState) -> Result<u32, Undecided> {
        if self.valuation_of.len() <= at.index() {
            self.valuation_of.resize(at.index() + 1, UNKNOWN);
        }
        if self.valuation_of[at.index()] == UNKNOWN {
            self.is.clear();
            for (formula, bound) in &self.tableau.states {
                self.is.push(ground.is(at, formula, bound)?);
            }
            let known = self.valuations.get_index_of(self.is.as_slice());
            let number = match known {
                Some(known) => known,
                None => self.valuations.insert_full(self.is.clone()).0,
            };
            self.valuation_of[at.index()] = number as u32;
        }
        Ok(self.valuation_of[at.index()])
    }

    /// The configuration of a node, and what is owed there.
    pub fn key(&self, node: u32) -> (u32, u32) {
        self.nodes[node as usize]
    }

    /// What is owed after a way.
    pub fn next(&self, way: u32) -> u32 {
        self.onward[way as usize].next
    }

    /// How many untils there are.
    pub fn untils(&self) -> usize {
        self.marks.first
    }

    /// For each set that is owed, what may be owed then, each with the marks of the way.
    pub fn set_steps(&self) -> Vec<Vec<(u32, &[u64])>> {
        let mut steps = vec![Vec::new(); self.sets.len()];
        for (&(set, _), &shape) in &self.shape_of {
            for way in self.shapes[shape as usize].ways.clone() {
                let onward = &self.onward[way as usize];
                steps[set as usize].push((onward.next, onward.marks.as_slice()));
            }
        }
        steps
    }

    /// Whether a step can be made by a way.
    pub fn takes(
        &mut self,
        ground: &mut dyn Ground,
        way: u32,
        done: MoveId,
    ) -> Result<bool, Undecided> {
        for &(number, wanted) in &self.onward[way as usize].steps {
            let known = &mut self.meant[number];
            if known.len() <= done.index() {
                known.resize(done.index() + 1, None);
            }
            let is = match known[done.index()] {
                Some(is) => is,
                None => {
                    let (step, bound) = &self.tableau.patterns[number];
                    let is = fits(ground.atoms(), done, step, bound)?;
                    known[done.index()] = Some(is);
                    is
                }
            };
            if is != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a step can be made by a way, as far as this was asked before.
    pub fn known_to_take(&self, way: u32, done: MoveId) -> Option<bool> {
        for &(number, wanted) in &self.onward[way as usize].steps {
            if self.meant[number].get(done.index()).copied().flatten()? != wanted {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The node to which a step leads by a way.
    pub fn target(&mut self, to: LtsState, way: u32) -> Result<u32, Undecided> {
        let next = self.onward[way as usize].next;
        self.node((to.0, next))
    }

    /// The marks of a step by a way, in a configuration in which this is possible.
    pub fn marks_of(
        &mut self,
        ground: &mut dyn Ground,
        (way, done): (u32, MoveId),
        possible: &[u64],
        found: &mut [u64],
    ) -> Result<(), Undecided> {
        found.copy_from_slice(&self.onward[way as usize].marks);
        if self.marks.is_fair() {
            self.marks.learn(ground, done)?;
            join(found, self.marks.of_move(done));
            for (word, one) in found.iter_mut().enumerate() {
                *one |= self.marks.weak[word] & !possible[word];
            }
        }
        Ok(())
    }

    /// A shortest way to a node of some kind, or to one where a run stops, by at most so many nodes; nothing where there are more.
    pub fn shortest(
        &mut self,
        ground: &mut dyn Ground,
        from: u32,
        is_goal: &dyn Fn(u32) -> bool,
        most: usize,
    ) -> Result<Option<Vec<(MoveId, u32)>>, Undecided> {
        let mut before: FxHashMap<u32, (u32, MoveId)> = FxHashMap::default();
        let mut all = vec![from];
        let mut at = 0;
        while let Some(&node) = all.get(at) {
            at += 1;
            let shape = self.shape(ground, node)?;
            let state = self.state(node);
            if is_goal(node) || shape.free || shape.ends && ground.may_end(state)? {
                let (mut steps, mut back) = (Vec::new(), node);
                while let Some((earlier, done)) = before.get(&back).filter(|_| back != from) {
                    steps.push((*done, back));
                    back = *earlier;
                }
                steps.reverse();
                return Ok(Some(steps));
            }
            if all.len() > most || at.is_multiple_of(1024) && is_spent() {
                return Ok(None);
            }
            for way in shape.ways {
                for place in 0..ground.row(state).len() {
                    let (done, to) = ground.row(state)[place];
                    if !self.takes(ground, way, done)? {
                        continue;
                    }
                    let to = self.target(to, way)?;
                    if to == from || self.is_over(to) {
                        continue;
                    }
                    if let Entry::Vacant(new) = before.entry(to) {
                        new.insert((node, done));
                        all.push(to);
                    }
                }
            }
        }
        Ok(None)
    }
}

/// A number that spreads well.
fn mixed((state, set): (u32, u32)) -> u64 {
    let word = u64::from(state) | u64::from(set) << 32;
    let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

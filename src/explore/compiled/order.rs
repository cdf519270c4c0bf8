//! Steps that can wait: stubborn sets of ways.
//!
//! Input: a configuration with all its steps. Output: some of them, such that whatever the others lead to can still be
//! reached after these.
//!
//! What a way can do is settled by the leaves that take part and by those that its rivals read; it changes those only that
//! take part. Two ways do not disturb each other where neither moves what the other moves or reads. A set of ways is
//! *closed* in a configuration when
//!
//! - for a way in it that is possible, all ways are in it that move or read what it moves, or move what it reads;
//! - for a way in it that is not possible, some ways are in it without which it does not become so: where a leaf is in a
//!   state from which it cannot take part, those that lead it out of states from which it cannot, which `role.rs` finds;
//!   otherwise those that move anything that the way moves or reads.
//!
//! Let a run begin here. If it has a way of the set, the first of these can be made first: what came before it is not in
//! the set, so it neither made it possible nor disturbs it. If it has none, any possible way of the set can be made first,
//! and the run after it, because they do not disturb each other. So where the run ends in a deadlock it has a way of the
//! set, and a run to the same deadlock, of the same length, begins with a step that is chosen. Where it ends where a property
//! has some value, and the chosen steps move nothing that the property reads, a run of the same length to where it has the
//! same value begins after a chosen step, or one that is shorter by one. The search sees to it that the first cannot go on
//! for ever. Since values are read where properties and rivals read them, nothing of this depends on what values are.
//!
//! Whoever may take part in a way, or not, counts as taking part: what it can do settles what the way does. A way does not
//! wait for them, so that none of them holds it.
//!
//! Ways that the same hole takes part in count as disturbing each other.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Compiled;
use super::flat::Tree;
use super::head::{Head, Heads};
use super::role::{Held, Roles};
use super::rule::Way;
use crate::algebra::{Terms, VarId};
use crate::base::Id;
use crate::explore::{Moves, Preserved};
use crate::pnet::{Member, NodeId, PNet, PltsId, VectorPlace};

use super::flat::Flattener;

/// From how many ways a set is tried to be made.
const MOST_SEEDS: usize = 12;

/// What ways move and read: leaves, and behind them holes, as numbers.
#[derive(Debug, Default)]
pub(super) struct Footprints {
    /// For each way, what takes part.
    moved: Vec<Vec<u32>>,
    /// For each way, what its rivals read.
    read: Vec<Vec<u32>>,
    /// For each leaf or hole, the ways that it takes part in.
    movers: Vec<Vec<u32>>,
    /// For each leaf or hole, the ways whose rivals read it.
    readers: Vec<Vec<u32>>,
    roles: Roles,
}

/// Who finds what rivals read.
struct Reading<'a, 'n> {
    net: &'n PNet,
    terms: &'a Terms,
    flattener: &'a mut Flattener<'n>,
    known: FxHashMap<VectorPlace, Vec<u32>>,
}

impl Reading<'_, '_> {
    /// What the rivals of all vectors in a tree read.
    fn tree(&mut self, tree: &Tree, found: &mut Vec<u32>) {
        if let Tree::Node(node, vector, members) = tree {
            found.extend(self.vector((*node, *vector)));
            members.iter().for_each(|member| self.tree(member, found));
        }
    }

    /// The leaves that may take part beside those of a tree, each with the head of its action; what their vectors' rivals
    /// read is added to what is read.
    fn besides(&mut self, tree: &Tree, found: &mut Vec<(PltsId, Head)>, read: &mut Vec<u32>) {
        let Tree::Node(node, vector, members) = tree else { return };
        members.iter().for_each(|member| self.besides(member, found, read));
        let net = self.net;
        for member in net.vector((*node, *vector)).all_optional().flat_map(|one| &one.members) {
            for tree in self.fitting(*node, member) {
                tree.leaves(found);
                self.tree(&tree, read);
                self.besides(&tree, found, read);
            }
        }
    }

    /// What a member can do for a vector.
    fn fitting(&mut self, node: NodeId, member: &Member) -> Vec<Arc<Tree>> {
        let content = self.net.nodes[node].parts[member.part].content;
        let offers = self.flattener.offers(self.terms, content);
        let fits = |head: &&Head| head.fits(self.terms, member.action, &mut Heads::default());
        let heads = offers.keys().filter(fits);
        heads.filter_map(|head| offers.get(head)).flatten().cloned().collect()
    }

    /// What decides whether an interaction of a connector with maximal progress is among the largest.
    fn rivalling(&mut self, place: VectorPlace, found: &mut Vec<u32>) {
        let net = self.net;
        let maximal = net.vector(place).maximal;
        if maximal.is_none() {
            return;
        }
        let vectors = net.nodes[place.0].vectors.iter();
        for vector in vectors.filter(|vector| vector.maximal == maximal) {
            for (member, _) in vector.all_members() {
                for tree in self.fitting(place.0, member) {
                    let mut besides = Vec::new();
                    ends(net, &tree, found);
                    self.tree(&tree, found);
                    self.besides(&tree, &mut besides, found);
                    found.extend(besides.iter().map(|(leaf, _)| leaf.0));
                }
            }
            once_each(found);
        }
    }

    /// What the rivals of a vector read. What actions variables stand for is not looked at, so that it may be too much.
    fn vector(&mut self, place: VectorPlace) -> Vec<u32> {
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let (net, mut found) = (self.net, Vec::new());
        self.rivalling(place, &mut found);
        for member in net.vector(place).rivals.iter().flat_map(|rival| &rival.members) {
            let content = net.nodes[place.0].parts[member.part].content;
            let offers = self.flattener.offers(self.terms, content);
            for (head, trees) in offers.iter() {
                if head.fits(self.terms, member.action, &mut Heads::default()) {
                    for tree in trees {
                        ends(net, tree, &mut found);
                        self.tree(tree, &mut found);
                    }
                }
            }
            once_each(&mut found);
        }
        let reads = net.vector(place).rivals.iter().flat_map(|rival| net.reads_of(rival));
        let reads: Vec<VarId> = reads.collect();
        for (leaf, plts) in net.plts.enumerated().filter(|_| !reads.is_empty()) {
            if plts.variables.iter().any(|(var, _)| reads.contains(var)) {
                found.push(leaf.0);
            }
        }
        once_each(&mut found);
        self.known.insert(place, found.clone());
        found
    }
}

/// The leaves and holes that take part in a tree.
fn ends(net: &PNet, tree: &Tree, found: &mut Vec<u32>) {
    match tree {
        Tree::Leaf(leaf, _) => found.push(leaf.0),
        Tree::Hole(hole, _) => found.push((net.plts.len() + hole.place()) as u32),
        Tree::Node(_, _, members) => members.iter().for_each(|member| ends(net, member, found)),
    }
}

fn once_each(numbers: &mut Vec<u32>) {
    numbers.sort_unstable();
    numbers.dedup();
}

impl Footprints {
    fn new<'n>(net: &'n PNet, terms: &Terms, flattener: &mut Flattener<'n>, ways: &[Way]) -> Self {
        let mut reading = Reading { net, terms, flattener, known: FxHashMap::default() };
        let places = net.plts.len() + net.holes.len();
        let mut all = Footprints {
            movers: vec![Vec::new(); places],
            readers: vec![Vec::new(); places],
            ..Footprints::default()
        };
        let mut optional = Vec::with_capacity(ways.len());
        for (number, way) in ways.iter().enumerate() {
            let (mut moved, mut read, mut besides) = (Vec::new(), Vec::new(), Vec::new());
            for tree in &way.trees {
                ends(net, tree, &mut moved);
                reading.tree(tree, &mut read);
                reading.besides(tree, &mut besides, &mut read);
            }
            moved.extend(besides.iter().map(|(leaf, _)| leaf.0));
            optional.push(besides);
            once_each(&mut moved);
            once_each(&mut read);
            moved.iter().for_each(|&at| all.movers[at as usize].push(number as u32));
            read.iter().for_each(|&at| all.readers[at as usize].push(number as u32));
            all.moved.push(moved);
            all.read.push(read);
        }
        all.roles = Roles::new(net, ways, &optional);
        all
    }

    fn moves_one_of(&self, way: u32, leaves: &[PltsId]) -> bool {
        self.moved[way as usize].iter().any(|&at| leaves.iter().any(|leaf| leaf.0 == at))
    }
}

/// Numbers that are marked until all marks are taken away at once.
#[derive(Debug, Default)]
struct Marks {
    marks: Vec<u32>,
    now: u32,
}

impl Marks {
    /// Takes all marks away from so many numbers.
    fn clear(&mut self, count: usize) {
        if self.marks.len() != count || self.now == u32::MAX {
            self.marks = vec![0; count];
            self.now = 0;
        }
        self.now += 1;
    }

    fn has(&self, number: u32) -> bool {
        self.marks[number as usize] == self.now
    }

    /// Marks a number; whether it was not.
    fn add(&mut self, number: u32) -> bool {
        let before = std::mem::replace(&mut self.marks[number as usize], self.now);
        before != self.now
    }
}

/// What one thread closes sets with.
#[derive(Debug, Default)]
pub(super) struct Closing {
    states: Vec<u32>,
    /// The ways that are possible, each once, and how many steps each makes.
    possible: Vec<(u32, u32)>,
    is_possible: Marks,
    /// The ways that are in the set.
    ways: Marks,
    /// The leaves and holes all of whose movers are in the set.
    movers: Marks,
    /// Those all of whose readers are.
    readers: Marks,
    /// The roles all of whose ways are.
    roles: Marks,
    work: Vec<u32>,
    best: Vec<u32>,
}

impl Closing {
    fn begin(&mut self, footprints: &Footprints, moves: &Moves) {
        self.is_possible.clear(footprints.moved.len());
        self.possible.clear();
        for &way in moves.ways() {
            match self.is_possible.add(way) {
                true => self.possible.push((way, 1)),
                // The steps of a way stand side by side.
                false => self.possible.last_mut().into_iter().for_each(|(_, many)| *many += 1),
            }
        }
    }

    fn add(&mut self, ways: &[u32]) {
        for &way in ways {
            if self.ways.add(way) {
                self.work.push(way);
            }
        }
    }

    fn add_movers(&mut self, footprints: &Footprints, at: u32) {
        if self.movers.add(at) {
            self.add(&footprints.movers[at as usize]);
        }
    }

    fn add_readers(&mut self, footprints: &Footprints, at: u32) {
        if self.readers.add(at) {
            self.add(&footprints.readers[at as usize]);
        }
    }

    /// Adds ways without which a leaf stays in states from which it cannot take part.
    fn add_held(&mut self, footprints: &Footprints, held: Held) {
        match held {
            Held::ForEver => {}
            Held::Until(role) => {
                if self.roles.add(role) {
                    self.add(footprints.roles.ways(role));
                }
            }
            Held::Here(leaf) => self.add_movers(footprints, leaf),
        }
    }

    /// Closes the set that begins with a way; whether no way that is possible in it moves one of these leaves.
    fn close(&mut self, machine: &Compiled<'_>, seed: u32, visible: &[PltsId]) -> bool {
        let footprints = machine.footprints();
        self.ways.clear(footprints.moved.len());
        self.movers.clear(footprints.movers.len());
        self.readers.clear(footprints.movers.len());
        self.roles.clear(footprints.roles.len());
        self.work.clear();
        self.work.push(seed);
        self.ways.add(seed);
        while let Some(way) = self.work.pop() {
            let possible = self.is_possible.has(way);
            if possible && footprints.moves_one_of(way, visible) {
                return false;
            }
            if !possible && let Some(held) = self.held(footprints, way) {
                self.add_held(footprints, held);
                continue;
            }
            for &at in &footprints.moved[way as usize] {
                self.add_movers(footprints, at);
                if possible {
                    self.add_readers(footprints, at);
                }
            }
            footprints.read[way as usize].iter().for_each(|&at| self.add_movers(footprints, at));
        }
        true
    }

    /// How a leaf is held in states from which it cannot take part; rather one that adds no ways, or few.
    fn held(&self, footprints: &Footprints, way: u32) -> Option<Held> {
        let price = |held: &Held| match *held {
            Held::ForEver => 0,
            Held::Until(role) if self.roles.has(role) => 0,
            Held::Until(role) => footprints.roles.ways(role).len(),
            Held::Here(leaf) if self.movers.has(leaf) => 0,
            Held::Here(leaf) => footprints.movers[leaf as usize].len(),
        };
        footprints.roles.held(way, &self.states).min_by_key(price)
    }

    /// How many steps the set makes.
    fn size(&self) -> u32 {
        let inside = self.possible.iter().filter(|(way, _)| self.ways.has(*way));
        inside.map(|(_, many)| many).sum()
    }
}

impl Compiled<'_> {
    fn footprints(&self) -> &Footprints {
        self.footprints.get_or_init(|| {
            let mut compiler = self.compiler();
            let super::Compiler { terms, flattener, .. } = &mut *compiler;
            Footprints::new(self.net, terms, flattener, &self.ways)
        })
    }

    pub(super) fn choose_steps(
        &self,
        closing: &mut Closing,
        from: &[u64],
        order: &Preserved,
        moves: &Moves,
        chosen: &mut Vec<u32>,
    ) -> bool {
        chosen.clear();
        if moves.limited || moves.len() < 2 {
            return false;
        }
        closing.begin(self.footprints(), moves);
        closing.states.clear();
        closing.states.extend((0..self.net.plts.len()).map(|leaf| self.state(leaf, from) as u32));
        if !self.smallest(closing, order, moves.len() as u32) {
            return false;
        }
        let best = std::mem::take(&mut closing.best);
        let steps = moves.ways().iter().enumerate();
        chosen.extend(steps.filter(|(_, way)| best.contains(way)).map(|(step, _)| step as u32));
        closing.best = best;
        true
    }

    /// Finds a small closed set; whether it makes fewer steps than there are.
    fn smallest(&self, closing: &mut Closing, order: &Preserved, all: u32) -> bool {
        let visible = match order {
            Preserved::Deadlocks => &[][..],
            Preserved::Property(leaves) => leaves,
        };
        let (mut least, mut tried) = (all, 0);
        // A way that is in a set already makes no smaller one.
        for at in 0..closing.possible.len() {
            let (seed, many) = closing.possible[at];
            if many >= least || self.footprints().moves_one_of(seed, visible) {
                continue;
            }
            if closing.close(self, seed, visible) && closing.size() < least {
                least = closing.size();
                closing.best.clear();
                let (possible, ways) = (&closing.possible, &closing.ways);
                let inside = possible.iter().map(|(way, _)| *way).filter(|&way| ways.has(way));
                closing.best.extend(inside);
            }
            tried += 1;
            if least == 1 || tried >= MOST_SEEDS {
                break;
            }
        }
        least < all
    }
}

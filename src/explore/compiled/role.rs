//! What has to happen before a leaf can take part in something.
//!
//! A *role* is a leaf with the head of one of its actions. Where a leaf is in a state without a transition of a role, it has
//! to come to one that has some. If it can come to none without a transition of another role, the ways with that other role
//! are enough to watch: as long as none of them is taken, the leaf cannot take part. Transitions that belong to no way never
//! happen.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::head::{Head, Heads};
use super::rule::Way;
use crate::base::Id;
use crate::pnet::{PNet, Plts, PltsId};

/// Leaves for which this would take longer are held where they are.
const MOST_WORK: usize = 10_000_000;

/// Why a leaf cannot take part now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// It never will.
    ForEver,
    /// Not until it takes part in something with this role.
    Until(u32),
    /// Not until this leaf moves.
    Here(u32),
}

/// The roles of all leaves, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Roles {
    /// The ways that each is part of.
    ways: Vec<Vec<u32>>,
    /// For each, the leaf, and in each state why it cannot be played; nothing where it can.
    held: Vec<(u32, Vec<Option<Held>>)>,
    /// The roles of each way.
    of: Vec<Vec<u32>>,
}

/// The numbers of the roles of a leaf, by their heads.
type OfLeaf = IndexMap<Head, u32, FxBuildHasher>;

impl Roles {
    /// The roles in ways; for each way, who may take part besides.
    pub fn new(net: &PNet, ways: &[Way], besides: &[Vec<(PltsId, Head)>]) -> Roles {
        let mut roles = Roles::default();
        let mut numbers: FxHashMap<PltsId, OfLeaf> = FxHashMap::default();
        for (leaf, plts) in net.plts.enumerated() {
            let of_leaf = numbers.entry(leaf).or_default();
            for transition in &plts.transitions {
                let head = Head::of(&net.terms, transition.action, &Heads::default());
                of_leaf.entry(head).or_insert_with(|| roles.add(leaf, plts));
            }
        }
        for (number, way) in ways.iter().enumerate() {
            let mut leaves = Vec::new();
            way.trees.iter().for_each(|tree| tree.leaves(&mut leaves));
            let role = |(leaf, head): &(PltsId, Head)| numbers.get(leaf)?.get(head).copied();
            let of_way: Vec<u32> = leaves.iter().filter_map(role).collect();
            let besides = besides.get(number).into_iter().flatten().filter_map(role);
            for role in of_way.iter().copied().chain(besides) {
                let of_role = &mut roles.ways[role as usize];
                if of_role.last() != Some(&(number as u32)) {
                    of_role.push(number as u32);
                }
            }
            roles.of.push(of_way);
        }
        for (leaf, plts) in net.plts.enumerated() {
            roles.hold(net, plts, &numbers[&leaf]);
        }
        roles
    }

    /// One more role, which is not played anywhere yet.
    fn add(&mut self, leaf: PltsId, plts: &Plts) -> u32 {
        self.ways.push(Vec::new());
        self.held.push((leaf.0, vec![Some(Held::Here(leaf.0)); plts.states.len()]));
        self.ways.len() as u32 - 1
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ways.len()
    }

    /// The ways that a role is part of.
    pub fn ways(&self, role: u32) -> &[u32] {
        &self.ways[role as usize]
    }

    /// Why leaves cannot take part in a way, in these states of all leaves.
    pub fn held<'r>(&'r self, way: u32, states: &'r [u32]) -> impl Iterator<Item = Held> + 'r {
        self.of[way as usize].iter().filter_map(|&role| {
            let (leaf, held) = &self.held[role as usize];
            held[states[*leaf as usize] as usize]
        })
    }

    /// Finds why the roles of a leaf cannot be played.
    fn hold(&mut self, net: &PNet, plts: &Plts, numbers: &OfLeaf) {
        let role_of = |action| {
            let head = Head::of(&net.terms, action, &Heads::default());
            numbers.get(&head).copied().unwrap_or(u32::MAX)
        };
        let edges = plts
            .transitions
            .iter()
            .map(|one| (one.source.place(), role_of(one.action), one.target.place()));
        let graph = Graph::new(edges.collect(), plts.states.len());
        let most = MOST_WORK / (numbers.len() * numbers.len()).max(1);
        for &role in numbers.values() {
            let plays = graph.plays(role);
            if graph.edges.len() > most {
                plays.iter().for_each(|&state| self.held[role as usize].1[state] = None);
                continue;
            }
            self.hold_role(role, &graph, numbers);
        }
    }

    fn hold_role(&mut self, role: u32, graph: &Graph, numbers: &OfLeaf) {
        let is_played = |role: u32| !self.ways[role as usize].is_empty();
        let (plays, mut held) = (graph.plays(role), self.held[role as usize].1.clone());
        let ever = graph.lead_to(&plays, is_played);
        for (state, held) in held.iter_mut().enumerate().filter(|(state, _)| !ever[*state]) {
            *held = Some(Held::ForEver);
            debug_assert!(!plays.contains(&state));
        }
        let mut others: Vec<u32> = numbers.values().copied().filter(|&one| one != role).collect();
        // Those with fewer ways come later, and stay.
        others.sort_by_key(|&other| std::cmp::Reverse(self.ways[other as usize].len()));
        for other in others {
            let without = graph.lead_to(&plays, |one| one != other && is_played(one));
            for (state, held) in held.iter_mut().enumerate() {
                if ever[state] && !without[state] {
                    *held = Some(Held::Until(other));
                }
            }
        }
        plays.iter().for_each(|&state| held[state] = None);
        self.held[role as usize].1 = held;
    }
}

/// The states of a leaf with its transitions: where they start, their roles, and where they end.
struct Graph {
    edges: Vec<(usize, u32, usize)>,
    /// For each state, the transitions that end there.
    into: Vec<Vec<usize>>,
}

impl Graph {
    fn new(edges: Vec<(usize, u32, usize)>, states: usize) -> Graph {
        let mut into = vec![Vec::new(); states];
        edges.iter().enumerate().for_each(|(edge, (_, _, to))| into[*to].push(edge));
        Graph { edges, into }
    }

    /// The states in which a role can be played.
    fn plays(&self, role: u32) -> Vec<usize> {
        let mut found: Vec<usize> =
            self.edges.iter().filter(|(_, of, _)| *of == role).map(|(from, ..)| *from).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether each state leads to one of these by transitions of some roles.
    fn lead_to(&self, ends: &[usize], by: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.into.len()];
        let mut work = ends.to_vec();
        ends.iter().for_each(|&end| found[end] = true);
        while let Some(at) = work.pop() {
            for &edge in &self.into[at] {
                let (from, role, _) = self.edges[edge];
                if by(role) && !std::mem::replace(&mut found[from], true) {
                    work.push(from);
                }
            }
        }
        found
    }
}

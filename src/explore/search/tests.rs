//! Searches on a machine that is plain to see: an explicit graph.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::*;
use crate::base::{IndexVec, Unwatched};
use crate::explore::{Configuration, Moves, Packed, Property, Value};
use crate::pnet::HoleId;

/// A graph: for each node, labels and where they lead.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub initial: Vec<u64>,
    pub edges: Vec<Vec<(u64, u64)>>,
    pub finals: Vec<bool>,
}

impl Machine for Graph {
    type Scratch = ();
    type Property = Vec<bool>;

    fn bits(&self) -> usize {
        70
    }

    fn scratch(&self) {}

    fn initial(&self) -> Result<(Vec<Packed>, bool), Gap> {
        Ok((self.initial.iter().map(|&node| packed(node)).collect(), false))
    }

    fn steps(&self, (): &mut (), from: &[u64], _: bool, moves: &mut Moves) -> Result<(), Gap> {
        for &(label, to) in &self.edges[from[0] as usize] {
            moves.push(&packed(to), &[label]);
        }
        Ok(())
    }

    fn hash(&self, packed: &[u64]) -> u64 {
        packed[0].wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31)
    }

    fn is_final(&self, packed: &[u64]) -> bool {
        self.finals[packed[0] as usize]
    }

    fn property(&self, _: &Property) -> Result<Vec<bool>, Gap> {
        Ok(Vec::new())
    }

    fn holds(
        &self,
        (): &mut (),
        property: &Vec<bool>,
        packed: &[u64],
    ) -> Result<Option<bool>, Gap> {
        Ok(Some(property[packed[0] as usize]))
    }

    fn decode(&self, _: &[u64]) -> Configuration {
        Configuration {
            constants: std::sync::Arc::default(),
            states: IndexVec::default(),
            values: IndexVec::default(),
        }
    }

    fn label(&self, _: &[u64]) -> (Value, Vec<(HoleId, Value)>) {
        (Value::Tau, Vec::new())
    }
}

fn packed(node: u64) -> Packed {
    [node, node % 3].into()
}

/// Numbers that are always the same.
pub(super) fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut at = seed.wrapping_mul(2) + 1;
    move |below| {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (at >> 33) % below
    }
}

pub(super) fn random_graph(seed: u64) -> Graph {
    let mut number = numbers(seed);
    let nodes = 1 + number(60) * number(60);
    let degree = 1 + number(4);
    let edges = (0..nodes)
        .map(|_| (0..number(degree + 1)).map(|_| (number(3), number(nodes))).collect())
        .collect();
    let finals = (0..nodes).map(|_| number(4) == 0).collect();
    let initial: BTreeSet<u64> = (0..1 + number(3)).map(|_| number(nodes)).collect();
    Graph { initial: initial.into_iter().collect(), edges, finals }
}

/// What a plain walk finds: the distance of each node, and how much there is.
pub(super) fn plainly(graph: &Graph) -> (Vec<Option<u64>>, Counts) {
    let mut distances = vec![None; graph.edges.len()];
    let mut work: std::collections::VecDeque<u64> = graph.initial.iter().copied().collect();
    graph.initial.iter().for_each(|&at| distances[at as usize] = Some(0));
    let mut counts = Counts::default();
    while let Some(at) = work.pop_front() {
        let edges = &graph.edges[at as usize];
        counts.states += 1;
        counts.transitions += edges.iter().collect::<BTreeSet<_>>().len() as u64;
        let is_final = graph.finals[at as usize];
        counts.deadlocks += u64::from(edges.is_empty() && !is_final);
        counts.finals += u64::from(edges.is_empty() && is_final);
        counts.depth = distances[at as usize].unwrap_or(0);
        for &(_, to) in edges {
            if distances[to as usize].is_none() {
                distances[to as usize] = distances[at as usize].map(|before| before + 1);
                work.push_back(to);
            }
        }
    }
    (distances, counts)
}

fn limits(jobs: usize) -> SearchLimits {
    SearchLimits { jobs, ..SearchLimits::default() }
}

fn nodes(way: &[Packed]) -> Vec<u64> {
    way.iter().map(|packed| packed[0]).collect()
}

pub(super) fn is_way(graph: &Graph, way: &[u64]) -> bool {
    graph.initial.contains(&way[0])
        && way.windows(2).all(|two| graph.edges[two[0] as usize].iter().any(|e| e.1 == two[1]))
}

#[test]
fn counts_are_those_of_a_plain_walk_for_any_number_of_threads() {
    for seed in 0..150 {
        let graph = random_graph(seed);
        let (_, expected) = plainly(&graph);
        for jobs in 1..=3 {
            let found = search(&graph, Goal::Everything, &limits(jobs), &Unwatched).unwrap();
            assert_eq!(found.ended, Ended::Complete);
            let counts = Counts { bytes: 0, ..found.counts };
            assert_eq!(counts, expected, "seed {seed}, {jobs} threads");
        }
        let deep = search_deep(&graph, Goal::Everything, &limits(1), &Unwatched).unwrap();
        let counts = Counts { bytes: 0, depth: expected.depth, ..deep.counts };
        assert_eq!(counts, expected, "seed {seed} in depth");
    }
}

#[test]
fn ways_are_shortest_and_the_same_for_any_number_of_threads() {
    let mut goals = 0;
    for seed in 0..150 {
        let graph = random_graph(seed);
        let (distances, _) = plainly(&graph);
        let mut number = numbers(seed + 1000);
        let property: Vec<bool> = graph.edges.iter().map(|_| number(10) == 0).collect();
        let wanted = (0..graph.edges.len()).filter(|&at| property[at]);
        let nearest = wanted.filter_map(|at| distances[at]).min();
        let found: Vec<Option<Vec<u64>>> = (1..=3)
            .map(|jobs| {
                let goal = Goal::Property(&property, true);
                let found = search(&graph, goal, &limits(jobs), &Unwatched).unwrap();
                found.sights.goal.map(|at| nodes(&found.path(at)))
            })
            .collect();
        assert!(found.windows(2).all(|two| two[0] == two[1]), "seed {seed}");
        let first = found[0].as_ref();
        assert_eq!(first.map(|way| way.len() as u64 - 1), nearest, "seed {seed}");
        assert!(first.is_none_or(|way| is_way(&graph, way)));
        goals += usize::from(first.is_some());
        let goal = Goal::Property(&property, true);
        let deep = search_deep(&graph, goal, &limits(1), &Unwatched).unwrap();
        let way = deep.sights.goal.map(|at| nodes(&deep.path(at)));
        assert_eq!(way.is_some(), nearest.is_some());
        assert!(
            way.is_none_or(|way| is_way(&graph, &way) && property[way[way.len() - 1] as usize])
        );
    }
    assert!(goals > 50);
}

#[test]
fn a_bounded_walk_in_depth_sees_all_within_its_bound() {
    for seed in 0..150 {
        let graph = random_graph(seed);
        let (distances, all) = plainly(&graph);
        for most_depth in [0, 1, 3, 10] {
            let within = |d: &&Option<u64>| d.is_some_and(|distance| distance <= most_depth);
            let expected = distances.iter().filter(within).count();
            let limits = SearchLimits { most_depth, ..limits(1) };
            let deep = search_deep(&graph, Goal::Everything, &limits, &Unwatched).unwrap();
            let broad = search(&graph, Goal::Everything, &limits, &Unwatched).unwrap();
            let cut = expected < all.states as usize;
            assert_eq!(deep.ended == Ended::Depth, cut, "seed {seed}, depth {most_depth}");
            assert_eq!(broad.ended == Ended::Depth, cut);
            assert_eq!(broad.counts.states as usize, expected);
        }
    }
}

#[test]
fn what_a_bounded_walk_in_depth_finds_is_within_its_bound() {
    let (mut found, mut missed) = (0, 0);
    for seed in 0..300 {
        let graph = random_graph(seed);
        let (distances, _) = plainly(&graph);
        let mut number = numbers(seed + 2000);
        let property: Vec<bool> = graph.edges.iter().map(|_| number(10) == 0).collect();
        for (most_depth, thorough) in [(2, false), (2, true), (6, false), (6, true)] {
            let limits = SearchLimits { most_depth, thorough, ..limits(1) };
            let goal = Goal::Property(&property, true);
            let deep = search_deep(&graph, goal, &limits, &Unwatched).unwrap();
            let near = |at: usize| property[at] && distances[at].is_some_and(|d| d <= most_depth);
            let expected = (0..property.len()).any(near);
            assert_eq!(deep.sights.goal.is_some(), expected, "seed {seed}, depth {most_depth}");
            assert_eq!(deep.ended == Ended::Found, expected && !thorough, "seed {seed}");
            let Some(at) = deep.sights.goal else {
                missed += 1;
                continue;
            };
            let way = nodes(&deep.path(at));
            assert!(is_way(&graph, &way), "seed {seed}: {way:?}");
            assert!(way.len() as u64 - 1 <= most_depth, "seed {seed}: {way:?}");
            assert!(property[way[way.len() - 1] as usize]);
            found += 1;
        }
    }
    assert!(found > 100 && missed > 100, "{found}, {missed}");
}

#[test]
fn cycles_are_found_where_there_are_some() {
    let mut found = 0;
    for seed in 0..200 {
        let mut graph = random_graph(seed);
        if seed % 2 == 0 {
            // Only upwards: no cycles.
            for (at, edges) in graph.edges.iter_mut().enumerate() {
                edges.retain(|edge| edge.1 > at as u64);
            }
        }
        let (distances, _) = plainly(&graph);
        let cyclic = is_cyclic(&graph, &distances);
        let cycle = find_cycle(&graph, &limits(1), &Unwatched).unwrap();
        assert_eq!(cycle.back_to.is_some(), cyclic, "seed {seed}");
        if let (Some(way), Some(back)) = (cycle.way, cycle.back_to) {
            let way = nodes(&way);
            assert!(is_way(&graph, &way));
            let last = way[way.len() - 1];
            assert!(graph.edges[last as usize].iter().any(|edge| edge.1 == way[back]));
            found += 1;
        }
    }
    assert!(found > 20);
}

/// Whether a reachable part has a cycle: nodes without successors are taken away until there are none.
fn is_cyclic(graph: &Graph, distances: &[Option<u64>]) -> bool {
    let mut left: BTreeSet<u64> =
        (0..graph.edges.len() as u64).filter(|&at| distances[at as usize].is_some()).collect();
    loop {
        let stays = |at: &u64| graph.edges[*at as usize].iter().any(|edge| left.contains(&edge.1));
        let next: BTreeSet<u64> = left.iter().copied().filter(stays).collect();
        if next.len() == left.len() {
            return !left.is_empty();
        }
        left = next;
    }
}

#[test]
fn what_can_never_happen_again_is_found() {
    let mut lost = 0;
    for seed in 0..150 {
        let graph = random_graph(seed);
        let (distances, _) = plainly(&graph);
        let mut can: Vec<bool> =
            graph.edges.iter().map(|edges| edges.iter().any(|edge| edge.0 == 1)).collect();
        for _ in 0..graph.edges.len() {
            for at in 0..graph.edges.len() {
                can[at] |= graph.edges[at].iter().any(|edge| can[edge.1 as usize]);
            }
        }
        let expected = (0..can.len()).any(|at| distances[at].is_some() && !can[at]);
        let found = search(&graph, Goal::Everything, &limits(2), &Unwatched).unwrap();
        let never = never_again(&found, |_, label| label == [1]).unwrap();
        assert_eq!(never.is_some(), expected, "seed {seed}");
        if let Some(at) = never {
            assert!(!can[found.packed(at)[0] as usize]);
            lost += 1;
        }
    }
    assert!(lost > 20);
}

#[test]
fn lines_are_all_steps_with_numbers_in_order() {
    for seed in 0..100 {
        let graph = random_graph(seed);
        let found = search(&graph, Goal::Everything, &limits(2), &Unwatched).unwrap();
        let numbering = Numbering::of(&found);
        let order: Vec<u64> = numbering.each().map(|at| found.packed(at)[0]).collect();
        let numbers: Vec<u64> = numbering.each().map(|at| numbering.number(at)).collect();
        assert_eq!(numbers, (0..order.len() as u64).collect::<Vec<_>>());
        let mut lines = BTreeSet::new();
        let each = each_line(&found, &numbering, |line| {
            let ends = (order[line.from as usize], line.label[0], order[line.to as usize]);
            assert!(lines.insert(ends));
            ControlFlow::Continue(())
        });
        each.unwrap();
        assert_eq!(lines.len() as u64, found.counts.transitions);
        let is_edge = |&(from, label, to): &(u64, u64, u64)| {
            graph.edges[from as usize].contains(&(label, to))
        };
        assert!(lines.iter().all(is_edge));
    }
}

#[test]
fn limits_on_states_are_kept_and_told() {
    for seed in 0..60 {
        let graph = random_graph(seed);
        let (_, all) = plainly(&graph);
        for most_states in [1, 5, 50] {
            let limits = SearchLimits { most_states, ..limits(2) };
            let found = search(&graph, Goal::Everything, &limits, &Unwatched).unwrap();
            match found.ended {
                Ended::Complete => {
                    assert_eq!(found.counts.states, all.states);
                    assert!(all.states <= most_states, "all that it allows, and no more");
                }
                Ended::States => {
                    assert!(found.counts.states > most_states, "there is more than it allows");
                    assert!(found.counts.states <= most_states + 8);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

//! Members of a search in one process, which get their messages in any order that a network might have.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{News, Next, Peer, PeerTask, StateId, Tally, total};
use crate::base::Budget;
use crate::explore::search::tests::{Graph, is_way, numbers, plainly, random_graph};
use crate::explore::search::{Counts, Ended, Goal, SearchLimits, search};
use crate::explore::{Machine, Packed};

/// What came of a search by several.
struct Explored<'g> {
    peers: Vec<Peer<'g, Graph>>,
    lines: Vec<(StateId, String, StateId)>,
}

/// Mail from each to each: what one sends to another arrives in order.
type Mail = Vec<Vec<VecDeque<News>>>;

fn explored<'g>(
    graph: &'g Graph,
    of: u32,
    goal: Goal<'g, Graph>,
    limits: SearchLimits,
    budget: &Budget,
    seed: u64,
) -> Explored<'g> {
    let (initial, limited) = graph.initial().unwrap();
    let peer = |who| Peer::new(graph, (who, of), &initial, PeerTask { goal, limits, limited });
    let mut peers: Vec<Peer<'g, Graph>> = (0..of).map(peer).collect();
    let mut mail: Mail = (0..of).map(|_| (0..of).map(|_| VecDeque::new()).collect()).collect();
    let (mut dice, mut lines) = (numbers(seed), Vec::new());
    loop {
        let next: Vec<Next> = peers
            .iter_mut()
            .map(|one| one.settle(|from, label, to| lines.push((from, label.to_owned(), to))))
            .collect();
        assert!(next.windows(2).all(|two| two[0] == two[1]), "all decide the same");
        if next[0] == Next::Over {
            return Explored { peers, lines };
        }
        let mut working: Vec<usize> = (0..of as usize).collect();
        while !working.is_empty() {
            let at = dice(working.len() as u64) as usize;
            let who = working[at];
            let mut label = |words: &[u64]| format!("l{}", words[0]);
            let many = 1 + dice(5) as usize;
            let (mut sent, done) = peers[who].look(many, budget, Some(&mut label));
            if done {
                working.swap_remove(at);
                sent.extend(peers[who].end_level(None));
            }
            sent.into_iter()
                .for_each(|message| mail[message.to as usize][who].push_back(message.news));
            deliver(&mut mail, &mut peers, &mut dice, false);
        }
        deliver(&mut mail, &mut peers, &mut dice, true);
    }
}

/// Delivers some of the mail, or all.
fn deliver(
    mail: &mut Mail,
    peers: &mut [Peer<'_, Graph>],
    dice: &mut impl FnMut(u64) -> u64,
    all: bool,
) {
    for (to, boxes) in mail.iter_mut().enumerate() {
        loop {
            let full: Vec<usize> =
                (0..boxes.len()).filter(|&from| !boxes[from].is_empty()).collect();
            if full.is_empty() || (!all && dice(3) == 0) {
                break;
            }
            let from = full[dice(full.len() as u64) as usize];
            boxes[from].pop_front().into_iter().for_each(|news| peers[to].hear(news));
        }
    }
}

fn tallies(explored: &Explored<'_>) -> Vec<Tally> {
    for peer in &explored.peers {
        assert_eq!(peer.known(), explored.peers[0].known(), "all know the same");
        let own = &peer.known()[peer.tally().from as usize];
        assert_eq!((own.counts, own.lines), (peer.tally().counts, peer.tally().lines));
    }
    explored.peers[0].known().to_vec()
}

fn node(explored: &Explored<'_>, at: StateId) -> u64 {
    let packed: Packed = explored.peers[at.worker as usize].share().packed(at.number).unwrap();
    packed[0]
}

#[test]
fn several_count_what_one_counts() {
    for seed in 0..120 {
        let graph = random_graph(seed);
        let (distances, expected) = plainly(&graph);
        let edges: BTreeSet<(u64, u64, u64)> = (0..)
            .zip(&graph.edges)
            .filter(|(at, _)| distances[*at as usize].is_some())
            .flat_map(|(at, edges)| edges.iter().map(move |&(label, to)| (at, label, to)))
            .collect();
        for of in 1..=3 {
            let limits = SearchLimits::default();
            let found = explored(&graph, of, Goal::Everything, limits, &Budget::default(), seed);
            let (counts, ended) = total(&tallies(&found));
            assert_eq!((Counts { bytes: 0, ..counts }, ended), (expected, Ended::Complete));
            let written: Vec<(u64, u64, u64)> = found
                .lines
                .iter()
                .map(|(from, label, to)| {
                    (node(&found, *from), label[1..].parse().unwrap(), node(&found, *to))
                })
                .collect();
            assert_eq!(written.len(), edges.len(), "seed {seed}, {of} workers");
            assert_eq!(written.into_iter().collect::<BTreeSet<_>>(), edges);
        }
    }
}

#[test]
fn what_is_written_does_not_depend_on_who_was_quicker() {
    for seed in 0..60 {
        let graph = random_graph(seed);
        let limits = SearchLimits::default();
        let of = 2 + (seed % 3) as u32;
        let mut ways = [1, 2, 3].map(|dice| {
            let budget = Budget::default();
            explored(&graph, of, Goal::Everything, limits, &budget, 77 * seed + dice)
        });
        // The lines of different workers are in different files.
        ways.iter_mut().for_each(|way| way.lines.sort_by_key(|(_, _, to)| to.worker));
        assert!(ways.windows(2).all(|two| two[0].lines == two[1].lines), "seed {seed}");
        assert_eq!(tallies(&ways[0]), tallies(&ways[1]));
    }
}

#[test]
fn ways_back_are_shortest() {
    let mut goals = 0;
    for seed in 0..120 {
        let graph = random_graph(seed);
        let (distances, _) = plainly(&graph);
        let mut number = numbers(seed + 1000);
        let property: Vec<bool> = graph.edges.iter().map(|_| number(10) == 0).collect();
        let wanted = (0..graph.edges.len()).filter(|&at| property[at]);
        let nearest = wanted.filter_map(|at| distances[at]).min();
        let (limits, budget) = (SearchLimits::default(), Budget::default());
        let goal = Goal::Property(&property, true);
        let found = explored(&graph, 1 + (seed % 4) as u32, goal, limits, &budget, seed);
        let all = tallies(&found);
        let goal = |tally: &Tally| Some(StateId { worker: tally.from, number: tally.goal? });
        let first = all.iter().filter_map(goal).min();
        assert_eq!(total(&all).1, if nearest.is_some() { Ended::Found } else { Ended::Complete });
        let (mut way, mut at) = (Vec::new(), first);
        while let Some(here) = at {
            way.push(node(&found, here));
            at = found.peers[here.worker as usize].share().parent(here.number);
        }
        way.reverse();
        assert_eq!(way.len().checked_sub(1).map(|steps| steps as u64), nearest, "seed {seed}");
        assert!(way.is_empty() || is_way(&graph, &way) && property[way[way.len() - 1] as usize]);
        goals += usize::from(!way.is_empty());
    }
    assert!(goals > 50);
}

#[test]
fn depth_is_limited_as_it_is_for_one() {
    for seed in 0..120 {
        let graph = random_graph(seed);
        let limits = SearchLimits { most_depth: seed % 5, ..SearchLimits::default() };
        let alone = search(&graph, Goal::Everything, &limits, &crate::base::Unwatched).unwrap();
        let found = explored(&graph, 3, Goal::Everything, limits, &Budget::default(), seed);
        let all = tallies(&found);
        let (counts, ended) = total(&all);
        let expected = Counts { bytes: 0, ..alone.counts };
        assert_eq!((Counts { bytes: 0, ..counts }, ended), (expected, alone.ended), "seed {seed}");
        let sums = all.iter().fold((0, 0), |(a, b), tally| (a + tally.lines, b + tally.beyond));
        assert_eq!((sums.0, sums.0 + sums.1), (found.lines.len() as u64, counts.transitions));
    }
}

#[test]
fn a_limit_is_met_where_levels_are_small() {
    let edges = (0..1000).map(|at| vec![(0, (at + 1) % 1000)]).collect();
    let graph = Graph { initial: vec![0], edges, finals: vec![false; 1000] };
    for of in 1..=3 {
        let limits = SearchLimits { most_states: 20, ..SearchLimits::default() };
        let found = explored(&graph, of, Goal::Everything, limits, &Budget::default(), 1);
        let (counts, ended) = total(&tallies(&found));
        assert_eq!((counts.states, ended), (21, Ended::States));
    }
}

#[test]
fn what_was_stopped_has_whole_lines_that_were_counted() {
    let (mut stopped, mut full) = (0, 0);
    for seed in 0..120 {
        let graph = random_graph(seed);
        let (_, expected) = plainly(&graph);
        let mut dice = numbers(seed + 5);
        let limits = SearchLimits { most_states: 1 + dice(40), ..SearchLimits::default() };
        let found = explored(&graph, 3, Goal::Everything, limits, &Budget::default(), seed);
        let all = tallies(&found);
        let (counts, ended) = total(&all);
        full += usize::from(ended == Ended::States);
        assert_eq!(
            ended == Ended::Complete,
            counts.states == expected.states && all.iter().all(|t| t.left == 0)
        );
        assert!(ended == Ended::Complete || counts.states > limits.most_states);
        let budget = Budget::default();
        if seed % 2 == 0 {
            budget.spend(crate::base::Spent::Interrupted);
        }
        let found = explored(&graph, 3, Goal::Everything, SearchLimits::default(), &budget, seed);
        let all = tallies(&found);
        stopped += usize::from(total(&all).1 == Ended::States);
        for explored in [&found] {
            let mut lines = BTreeMap::new();
            explored.lines.iter().for_each(|(_, _, to)| *lines.entry(to.worker).or_insert(0) += 1);
            for tally in &all {
                assert_eq!(lines.get(&tally.from).copied().unwrap_or(0), tally.lines);
            }
            assert_eq!(explored.lines.len() as u64, total(&all).0.transitions);
        }
    }
    assert!(stopped > 30 && full > 30, "{stopped} {full}");
}

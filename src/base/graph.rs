//! Graphs whose nodes are the places of a list: what leads to itself, and what comes after what it needs.
//!
//! Strongly connected components are those of `petgraph`, found without recursion (Kosaraju); here they are put into the
//! order of one walk in depth, which does not depend on how they are found. The walk that says *how* something leads back
//! to itself is by hand: those of `petgraph` recurse, or do not know the path that they are on.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;

/// The strongly connected components of a graph, each in order; those that others lead to come first.
///
/// Where that leaves a choice, the component comes first that a walk in depth leaves first, when it begins with the first
/// node and goes along edges in their order.
pub fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let graph = graph(edges);
    let mut left = vec![0; edges.len()];
    let mut walk = DfsPostOrder::empty(&graph);
    let mut count = 0;
    for start in graph.node_indices() {
        walk.move_to(start);
        while let Some(node) = walk.next(&graph) {
            left[node.index()] = count;
            count += 1;
        }
    }
    let sorted = |component: Vec<NodeIndex>| {
        let mut component: Vec<usize> = component.into_iter().map(NodeIndex::index).collect();
        component.sort_unstable();
        component
    };
    let mut found: Vec<Vec<usize>> = kosaraju_scc(&graph).into_iter().map(sorted).collect();
    // A walk leaves a component when it leaves the node by which it came in: the last one.
    found.sort_by_key(|component| component.iter().map(|&node| left[node]).max());
    found
}

/// The components with a way from a node back to it.
pub fn circles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let is_circle = |component: &Vec<usize>| match component.as_slice() {
        [one] => edges[*one].contains(one),
        _ => true,
    };
    components(edges).into_iter().filter(is_circle).collect()
}

fn graph(edges: &[Vec<usize>]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::with_capacity(edges.len(), edges.iter().map(Vec::len).sum());
    edges.iter().for_each(|_| _ = graph.add_node(()));
    for (from, to) in edges.iter().enumerate() {
        for &to in to {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    graph
}

/// Nodes in order, and what stands in the way of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Topological {
    /// All nodes, each after those it needs, as far as that can be.
    pub order: Vec<usize>,
    /// The ways from a node back to it that were met: each node needs the next one, and the last one the first.
    pub cycles: Vec<Vec<usize>>,
}

/// Puts nodes after those they need, with a walk in depth and without recursion: chains can be long. What a node needs is
/// asked once, when the walk comes to it, and looked at from the end.
pub fn topological(count: usize, mut needs: impl FnMut(usize) -> Vec<usize>) -> Topological {
    let mut found = Topological { order: Vec::with_capacity(count), cycles: Vec::new() };
    let mut progress = vec![Progress::New; count];
    for start in 0..count {
        if progress[start] != Progress::New {
            continue;
        }
        progress[start] = Progress::Open;
        let mut path: Vec<(usize, Vec<usize>)> = vec![(start, needs(start))];
        while let Some((current, rest)) = path.last_mut() {
            let current = *current;
            let Some(next) = rest.pop() else {
                progress[current] = Progress::Done;
                found.order.push(current);
                path.pop();
                continue;
            };
            match progress[next] {
                Progress::New => {
                    progress[next] = Progress::Open;
                    path.push((next, needs(next)));
                }
                Progress::Open => found.cycles.push(since(&path, next)),
                Progress::Done => {}
            }
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq)]
enum Progress {
    New,
    Open,
    Done,
}

/// The nodes of a path from one on.
fn since(path: &[(usize, Vec<usize>)], node: usize) -> Vec<usize> {
    path.iter().map(|(one, _)| *one).skip_while(|one| *one != node).collect()
}

#[cfg(test)]
mod tests {
    use super::{circles, components, topological};

    /// Edges between a few nodes, other ones for each seed.
    fn some_edges(seed: u64) -> Vec<Vec<usize>> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as usize
        };
        let count = 1 + next(9) as u64;
        (0..count).map(|_| (0..next(4)).map(|_| next(count)).collect()).collect()
    }

    /// Whether there is a way of at least one edge.
    fn leads(edges: &[Vec<usize>], from: usize, to: usize) -> bool {
        let (mut seen, mut work) = (vec![false; edges.len()], edges[from].clone());
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                work.extend(&edges[at]);
            }
        }
        seen[to]
    }

    /// The components in the order in which Tarjan's algorithm finds them, by recursion.
    fn expected(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
        fn visit(edges: &[Vec<usize>], at: usize, seen: &mut [bool], left: &mut Vec<usize>) {
            if !std::mem::replace(&mut seen[at], true) {
                edges[at].iter().for_each(|&to| visit(edges, to, seen, left));
                left.push(at);
            }
        }
        let (mut seen, mut left) = (vec![false; edges.len()], Vec::new());
        (0..edges.len()).for_each(|at| visit(edges, at, &mut seen, &mut left));
        let both = |a: usize, b: usize| a == b || leads(edges, a, b) && leads(edges, b, a);
        let last = |(place, &at): (usize, &usize)| {
            let is_last = left[place + 1..].iter().all(|&later| !both(at, later));
            is_last.then(|| (0..edges.len()).filter(|&other| both(at, other)).collect())
        };
        left.iter().enumerate().filter_map(last).collect()
    }

    #[test]
    fn what_others_need_comes_first() {
        // 0 and 2 need each other, and 3; 1 needs 0; 4 needs itself.
        let edges = [vec![2], vec![0], vec![0, 3], vec![], vec![4]];
        assert_eq!(components(&edges), [vec![3], vec![0, 2], vec![1], vec![4]]);
        assert_eq!(circles(&edges), [vec![0, 2], vec![4]]);
    }

    #[test]
    fn components_are_what_leads_to_each_other_in_the_order_of_a_walk() {
        for seed in 0..3000 {
            let edges = some_edges(seed);
            assert_eq!(components(&edges), expected(&edges), "{edges:?}");
            let in_circles: Vec<usize> = circles(&edges).concat();
            for node in 0..edges.len() {
                assert_eq!(in_circles.contains(&node), leads(&edges, node, node), "{edges:?}");
            }
        }
    }

    #[test]
    fn what_is_in_order_comes_after_what_it_needs_unless_there_is_a_cycle() {
        for seed in 0..3000 {
            let edges = some_edges(seed);
            let found = topological(edges.len(), |node| edges[node].clone());
            let has_circle = (0..edges.len()).any(|node| leads(&edges, node, node));
            assert_eq!(!found.cycles.is_empty(), has_circle, "{edges:?}");
            for cycle in &found.cycles {
                let mut next = cycle.iter().cycle().skip(1);
                assert!(
                    cycle.iter().all(|&at| next.next().is_some_and(|to| edges[at].contains(to)))
                );
            }
            let place = |node: usize| found.order.iter().position(|&one| one == node);
            let is_after = |at: usize| edges[at].iter().all(|&to| place(to) < place(at));
            assert_eq!((0..edges.len()).all(is_after), !has_circle, "{edges:?}");
        }
    }

    #[test]
    fn long_chains_need_no_stack() {
        let many = 300_000;
        let edges: Vec<Vec<usize>> =
            (0..many).map(|node| if node + 1 < many { vec![node + 1] } else { vec![] }).collect();
        let found = components(&edges);
        assert_eq!(found.len(), many);
        assert_eq!(found[0], [many - 1]);
        assert_eq!(topological(many, |node| edges[node].clone()).order[0], many - 1);
    }
}

//! The size-change principle (Lee, Jones, Ben-Amram, "The size-change principle for program termination",
//! POPL 2001): a program ends if every infinite sequence of calls would make some value smaller infinitely
//! often, in an order in which that is impossible. It is decided by composing the size-change graphs of calls
//! until there are no new ones: each graph that leads from a function to itself, and is the same when it is
//! composed with itself, must have an arc from a measure to itself along which it becomes smaller.
//!
//! Measures are integers. An arc along which one becomes smaller also says that it had a lower bound before, a
//! number that depends on the arc alone; there are finitely many arcs, so a value cannot become smaller along
//! them for ever.

use rustc_hash::FxHashSet;

use super::linear::Work;

/// What a call does to a measure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) enum Arc {
    /// Nothing is known.
    None,
    /// It does not become larger.
    Not,
    /// It becomes smaller, from a value with a lower bound.
    Smaller,
}

/// What a call does to the measures of the caller (rows) as measures of the callee (columns).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Graph {
    pub columns: usize,
    pub arcs: Vec<Arc>,
}

impl Graph {
    fn rows(&self) -> usize {
        if self.columns == 0 { 0 } else { self.arcs.len() / self.columns }
    }

    pub fn at(&self, row: usize, column: usize) -> Arc {
        self.arcs[row * self.columns + column]
    }

    /// First this, then the other.
    fn then(&self, other: &Graph) -> Graph {
        let (rows, columns) = (self.rows(), other.columns);
        let mut arcs = vec![Arc::None; rows * columns];
        for row in 0..rows {
            for middle in 0..self.columns {
                let first = self.at(row, middle);
                if first == Arc::None {
                    continue;
                }
                for column in 0..columns {
                    let second = other.at(middle, column);
                    let both = if second == Arc::None { Arc::None } else { first.max(second) };
                    let known = &mut arcs[row * columns + column];
                    *known = (*known).max(both);
                }
            }
        }
        Graph { columns, arcs }
    }

    /// Whether some measure becomes smaller from a call to the same call again.
    fn descends(&self) -> bool {
        (0..self.rows().min(self.columns)).any(|at| self.at(at, at) == Arc::Smaller)
    }
}

/// One way in which a call can happen.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// Sequences that start and end alike, and do the same to measures, are one.
    pub start: usize,
    pub end: usize,
    /// What it does to measures.
    pub graph: Graph,
    /// The places of the edges that can follow.
    pub next: Vec<usize>,
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Every sequence of calls ends.
    Ends,
    /// These edges, one after the other and again, may go on for ever.
    Loops(Vec<usize>),
    /// There are too many graphs to look at.
    TooMany,
}

/// A sequence of edges with what it does as a whole.
struct Sequence {
    graph: Graph,
    edges: Vec<usize>,
}

/// More graphs than this are not looked at.
const MOST: usize = 3000;

/// Decides whether sequences of these calls end.
pub(super) fn decide(edges: &[Edge], work: &mut Work) -> Verdict {
    let mut seen: FxHashSet<(usize, usize, Graph)> = FxHashSet::default();
    let mut open = std::collections::VecDeque::new();
    for (at, edge) in edges.iter().enumerate() {
        if seen.insert((edge.start, edge.end, edge.graph.clone())) {
            open.push_back(Sequence { graph: edge.graph.clone(), edges: vec![at] });
        }
    }
    while let Some(sequence) = open.pop_front() {
        let [first, last] = ends(&sequence.edges);
        if edges[last].next.contains(&first)
            && sequence.graph.then(&sequence.graph) == sequence.graph
            && !sequence.graph.descends()
        {
            return Verdict::Loops(sequence.edges);
        }
        for &next in &edges[last].next {
            let graph = sequence.graph.then(&edges[next].graph);
            if !work.spend(graph.arcs.len() * (1 + edges[next].graph.columns)) || seen.len() > MOST
            {
                return Verdict::TooMany;
            }
            if seen.insert((edges[first].start, edges[next].end, graph.clone())) {
                let mut path = sequence.edges.clone();
                path.push(next);
                open.push_back(Sequence { graph, edges: path });
            }
        }
    }
    Verdict::Ends
}

fn ends(edges: &[usize]) -> [usize; 2] {
    [edges.first().copied().unwrap_or(0), edges.last().copied().unwrap_or(0)]
}

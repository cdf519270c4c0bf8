//! The size-change principle (Lee, Jones, Ben-Amram, "The size-change principle for program termination",
//! POPL 2001): a program ends if every infinite sequence of calls would make some value smaller infinitely
//! often, in an order in which that is impossible. It is decided by composing the size-change graphs of calls
//! until there are no new ones: each graph that leads from a function to itself, and is the same when it is
//! composed with itself, must have an arc from a measure to itself along which it becomes smaller.
//!
//! Measures are integers, so they must also be bounded below: on the way from the measure to itself there must
//! be a call before which it is at least a number that depends on the call alone. If it became smaller each
//! time round, it would in the end be less than that number; there are finitely many calls.

use rustc_hash::FxHashSet;

use super::linear::Work;

/// What calls do to a measure: nothing is known, or it does not become larger. Then each bit is a way along
/// which it becomes smaller or not, and is bounded below or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Arc(u8);

impl Arc {
    /// Nothing is known.
    pub const NONE: Arc = Arc(0);

    /// It does not become larger.
    pub fn new(smaller: bool, bounded: bool) -> Arc {
        Arc(1 << (u8::from(smaller) + 2 * u8::from(bounded)))
    }

    /// One or the other.
    fn or(self, other: Arc) -> Arc {
        Arc(self.0 | other.0)
    }

    /// One after the other: what happens on one of them happens on both.
    fn then(self, other: Arc) -> Arc {
        let mut both = Arc::NONE;
        for first in (0..4_u8).filter(|bit| self.0 & (1 << bit) != 0) {
            for second in (0..4_u8).filter(|bit| other.0 & (1 << bit) != 0) {
                both = both.or(Arc(1 << (first | second)));
            }
        }
        both
    }

    /// Whether it becomes smaller and is bounded below.
    fn descends(self) -> bool {
        self.0 & 0b1000 != 0
    }
}

/// What a call does to the measures of the caller (rows) as measures of the callee (columns).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Graph {
    pub columns: usize,
    pub arcs: Vec<Arc>,
}

impl Graph {
    fn rows(&self) -> usize {
        self.arcs.len().checked_div(self.columns).unwrap_or(0)
    }

    pub fn at(&self, row: usize, column: usize) -> Arc {
        self.arcs[row * self.columns + column]
    }

    /// First this, then the other.
    fn then(&self, other: &Graph) -> Graph {
        let (rows, columns) = (self.rows(), other.columns);
        let mut arcs = vec![Arc::NONE; rows * columns];
        for row in 0..rows {
            for middle in 0..self.columns {
                let first = self.at(row, middle);
                if first == Arc::NONE {
                    continue;
                }
                for column in 0..columns {
                    let both = first.then(other.at(middle, column));
                    let known = &mut arcs[row * columns + column];
                    *known = known.or(both);
                }
            }
        }
        Graph { columns, arcs }
    }

    /// Whether some measure becomes smaller from a call to the same call again.
    fn descends(&self) -> bool {
        (0..self.rows().min(self.columns)).any(|at| self.at(at, at).descends())
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

//! Functions that call each other: what their calls do to measures, and whether they end.

use super::calls::{Call, Finder};
use super::graph::{Arc, Edge, Graph, Verdict, decide};
use super::linear::{Facts, Linear, Work};
use super::measure::{Measures, at_call, is_of_parameters};
use super::path::{Case, Reader};
use super::term::{Form, Terms};
use crate::diagnostics::Span;
use crate::sema::program::{Expr, FunId, Program};

/// How much is done for functions that call each other, before it is too complex.
const WORK: u64 = 3_000_000;

/// More ways of calling than this are not told apart.
const MOST_EDGES: usize = 48;

/// Something in a circle that is no function: it has no parameters, so nothing becomes smaller there.
pub(super) struct Other {
    /// The place of what uses it, and its own. Places after those of functions are free.
    pub from: usize,
    pub to: usize,
    /// Where it is used.
    pub span: Span,
}

/// Functions that call each other.
pub(super) struct Group<'p> {
    pub program: &'p Program,
    pub functions: Vec<FunId>,
    pub terms: Terms,
    pub work: Work,
    /// The calls, with the places of their callers.
    pub calls: Vec<(usize, Call)>,
    pub others: Vec<Other>,
    pub measures: Vec<Measures>,
}

/// A way in which a call can happen: its place among the calls, then among the cases of its path. After the
/// calls come the uses of what is no function.
pub(super) type Way = (usize, usize);

/// A way with the caller, the callee, and what happens to measures.
type FoundWay = (Way, usize, usize, Graph);

/// Whether functions end.
pub(super) enum Answer {
    Ends,
    /// These may follow each other for ever.
    Loops(Vec<Way>),
    TooComplex,
}

impl<'p> Group<'p> {
    /// Reads the definitions of functions that call each other.
    pub fn new(
        program: &'p Program,
        functions: &[FunId],
        bodies: &'p [Expr],
        others: Vec<Other>,
    ) -> Group<'p> {
        let mut group = Group {
            program,
            functions: functions.to_vec(),
            terms: Terms::default(),
            work: Work::new(WORK),
            calls: Vec::new(),
            others,
            measures: Vec::new(),
        };
        for (place, body) in bodies.iter().enumerate() {
            group.read(place, body);
        }
        group.pull_back();
        group.pull_back();
        group
    }

    fn read(&mut self, function: usize, body: &'p Expr) {
        let fun = &self.program.funs[self.functions[function].index()];
        let functions = &self.functions;
        let program = self.program;
        let place = |id: FunId| functions.iter().position(|one| *one == program.generic_fun(id));
        let reader = Reader {
            program: self.program,
            function,
            terms: &mut self.terms,
            work: &mut self.work,
            names: rustc_hash::FxHashMap::default(),
        };
        let mut finder = Finder::new(reader, &fun.locals, &place);
        finder.run(fun, body);
        let measures = Measures::of(&mut finder.reader, fun, body);
        let found = finder.found;
        self.calls.extend(found.into_iter().map(|call| (function, call)));
        self.measures.push(measures);
    }

    /// What becomes smaller in a function that is called is worth watching in the caller.
    fn pull_back(&mut self) {
        for (from, call) in &self.calls {
            if self.measures[*from].named {
                continue;
            }
            let count = self.program.funs[self.functions[*from].index()].params.len();
            for measure in self.measures[call.to].all.clone() {
                let of = (call.to, call.args.as_slice());
                let Some(found) = at_call(&mut self.terms, self.program, &measure, of) else {
                    continue;
                };
                if is_of_parameters(&self.terms, &found, *from, count) {
                    self.measures[*from].add(Some(found));
                }
            }
        }
    }

    /// Whether they end.
    pub fn answer(&mut self) -> Answer {
        let ways: Vec<FoundWay> = self.ways();
        if self.work.is_spent() {
            return Answer::TooComplex;
        }
        match self.roughly(&ways) {
            Verdict::Ends => return Answer::Ends,
            Verdict::Loops(edges) if ways.len() > MOST_EDGES => {
                return Answer::Loops(edges.into_iter().map(|edge| ways[edge].0).collect());
            }
            _ if ways.len() > MOST_EDGES => return Answer::TooComplex,
            _ => {}
        }
        match self.exactly(&ways) {
            Verdict::Ends => Answer::Ends,
            Verdict::Loops(edges) => {
                Answer::Loops(edges.into_iter().map(|edge| ways[edge].0).collect())
            }
            Verdict::TooMany => Answer::TooComplex,
        }
    }

    /// All ways of calling, with caller, callee and what happens to measures.
    fn ways(&mut self) -> Vec<FoundWay> {
        let mut ways = Vec::new();
        let calls = std::mem::take(&mut self.calls);
        for (at, (from, call)) in calls.iter().enumerate() {
            for (index, case) in call.path.iter().enumerate() {
                let graph = self.graph(*from, call, case);
                let mut own = ways.iter().rev().take_while(|way: &&FoundWay| way.0.0 == at);
                if calls.len() <= MOST_EDGES || !own.any(|way| way.3 == graph) {
                    ways.push(((at, index), *from, call.to, graph));
                }
            }
        }
        self.calls = calls;
        for (at, other) in self.others.iter().enumerate() {
            let graph = Graph { columns: 0, arcs: Vec::new() };
            ways.push(((self.calls.len() + at, 0), other.from, other.to, graph));
        }
        ways
    }

    fn graph(&mut self, from: usize, call: &Call, case: &Case) -> Graph {
        let mut graph = Graph { columns: self.measures[call.to].all.len(), arcs: Vec::new() };
        let of = (call.to, call.args.as_slice());
        let after: Vec<Option<Linear>> = self.measures[call.to]
            .all
            .iter()
            .map(|measure| at_call(&mut self.terms, self.program, measure, of))
            .collect();
        for before in &self.measures[from].all {
            for after in &after {
                let arc = match after {
                    Some(after) => arc(&case.facts, before, after, &mut self.work),
                    None => Arc::NONE,
                };
                graph.arcs.push(arc);
            }
        }
        graph
    }

    /// As if every call could follow every other that fits: ways that do the same are one.
    fn roughly(&mut self, ways: &[FoundWay]) -> Verdict {
        let mut kept: Vec<usize> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for (at, (_, from, to, graph)) in ways.iter().enumerate() {
            if seen.insert((*from, *to, graph)) {
                kept.push(at);
            }
        }
        if kept.len() > 4 * MOST_EDGES {
            return Verdict::TooMany;
        }
        let next = |to: usize| -> Vec<usize> {
            (0..kept.len()).filter(|&at| ways[kept[at]].1 == to).collect()
        };
        let edges: Vec<Edge> = kept
            .iter()
            .map(|&at| {
                let (_, start, end, graph) = ways[at].clone();
                Edge { start, end, graph, next: next(end) }
            })
            .collect();
        match decide(&edges, &mut self.work) {
            Verdict::Loops(edges) => {
                Verdict::Loops(edges.into_iter().map(|edge| kept[edge]).collect())
            }
            verdict => verdict,
        }
    }

    /// With what is known of which calls can follow which.
    fn exactly(&mut self, ways: &[FoundWay]) -> Verdict {
        let mut edges = Vec::with_capacity(ways.len());
        for (at, (way, _, to, graph)) in ways.iter().enumerate() {
            let next = (0..ways.len())
                .filter(|&other| ways[other].1 == *to && self.can_follow(*way, ways[other].0))
                .collect();
            edges.push(Edge { start: at, end: at, graph: graph.clone(), next });
        }
        decide(&edges, &mut self.work)
    }

    /// Whether one call can come directly in another.
    fn can_follow(&mut self, first: Way, then: Way) -> bool {
        let (Some((_, call)), Some((from, inner))) =
            (self.calls.get(first.0), self.calls.get(then.0))
        else {
            return true;
        };
        let (mut facts, then) = (call.path[first.1].facts.clone(), &inner.path[then.1].facts);
        let mut atoms = Vec::new();
        for row in then.rows() {
            facts.add(Some(moved(row, &self.terms)));
            atoms.extend(row.parts.iter().map(|part| part.0));
        }
        atoms.sort_unstable();
        atoms.dedup();
        for atom in atoms {
            let of = (*from, call.args.as_slice());
            if let Some(value) = self.terms.replaced(self.program, atom, of) {
                facts.equal(&moved(&Linear::atom(atom), &self.terms), &value);
            }
        }
        !facts.refuted(&mut self.work)
    }
}

/// What a call does to a measure.
fn arc(facts: &Facts, before: &Linear, after: &Linear, work: &mut Work) -> Arc {
    let Some(less) = before.minus(after) else { return Arc::NONE };
    if less.as_number().is_some_and(|less| less < 0) {
        return Arc::NONE;
    }
    let smaller = less.add(-1).is_some_and(|smaller| facts.imply(&smaller, work));
    if !smaller && !facts.imply(&less, work) {
        return Arc::NONE;
    }
    Arc::new(smaller, facts.bound_below(before, work))
}

/// A fact about the next call: its atoms are others, but for constants.
fn moved(row: &Linear, terms: &Terms) -> Linear {
    let away = |atom: u32| match terms.get(atom) {
        Form::Const(_) => atom,
        _ => atom | (1 << 30),
    };
    let mut parts: Vec<(u32, i128)> = row.parts.iter().map(|part| (away(part.0), part.1)).collect();
    parts.sort_unstable();
    Linear { parts, constant: row.constant }
}

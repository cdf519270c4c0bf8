//! What is said of runs: all ways in which its operators can be true or false along a run.
//!
//! What is true at a position is settled by the step that is made there, and by what is true at the next position. So there
//! is a graph whose nodes are a configuration and a truth value for each operator, with one edge for each step and each node
//! that it may lead to. A run is a path through it: an endless one that keeps what its operators promise and is fair, or one
//! that ends where a run may.

use super::super::explicit::{Bindings, MoveId, Undecided};
use super::super::formula::{Fairness, PathFormula, StateFormula, StepPattern};
use super::PlainDecider;
use crate::algebra::VarId;
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::base::graph::components;
use crate::lts::LtsState;

/// More operators on runs are not looked at, since each doubles the work.
const MOST_OPERATORS: usize = 16;

/// More edges are not looked at.
const MOST_EDGES: usize = 100_000_000;

/// A part of what is said of a position; it comes after its own parts.
enum Part {
    /// The value in each configuration.
    State(Vec<bool>),
    /// Whether the next step is meant, by what is done; and the value at the end.
    Step(Vec<bool>, bool),
    Not(usize),
    All(Vec<usize>),
    One(Vec<usize>),
    /// An operator, by its number.
    Operator(usize),
}

#[derive(Clone, Copy)]
enum Operator {
    Next(usize),
    /// The first until the second, or for ever, if that is allowed.
    Until(usize, usize, bool),
}

struct Tableau<'d, 'a> {
    decider: &'d mut PlainDecider<'a>,
    parts: Vec<Part>,
    operators: Vec<Operator>,
    /// The part that each operator is.
    places: Vec<usize>,
    moves: usize,
}

/// An edge: a step, what is true at its start, and its end.
struct Edge {
    from: usize,
    to: usize,
    done: MoveId,
    /// For each operator, whether a run that makes this step again and again keeps what it promises.
    kept: u32,
    /// Whether what was asked is true at its start.
    says: bool,
}

/// Where some run is as is said; `end` is what is said of the next step where there is none.
pub(super) fn some(
    decider: &mut PlainDecider<'_>,
    (path, end): (&PathFormula, bool),
    bound: &Bindings,
) -> Result<Vec<bool>, Undecided> {
    if let Some(parts) = alternatives(path, false) {
        let mut set = decider.everywhere(false);
        for part in parts {
            super::join(&mut set, &some(decider, (&part, end), bound)?);
        }
        return Ok(set);
    }
    if let PathFormula::Exists(vars, inner) = path {
        let mut set = decider.everywhere(false);
        for bound in choices(decider, vars, bound)? {
            super::join(&mut set, &some(decider, (inner, end), &bound)?);
        }
        return Ok(set);
    }
    let system = decider.system;
    let steps = (0..system.len()).flat_map(|at| system.steps.row(LtsState::at(at)));
    let moves = steps.map(|(done, _)| done.index() + 1).max().unwrap_or(0);
    let mut tableau =
        Tableau { decider, parts: Vec::new(), operators: Vec::new(), places: Vec::new(), moves };
    let root = tableau.add(path, bound, end)?;
    tableau.decided(root)
}

/// Some run is as one of several things say if it is as the first says, or the second: they are looked at one by one.
fn alternatives(path: &PathFormula, not: bool) -> Option<Vec<PathFormula>> {
    let signed = |path: &PathFormula| match not {
        true => path.clone().negated(),
        false => path.clone(),
    };
    match path {
        PathFormula::Text(_, inner) => {
            Some(alternatives(inner, not).unwrap_or_else(|| vec![signed(inner)]))
        }
        PathFormula::Not(inner) => match (alternatives(inner, !not), inner.as_ref()) {
            (Some(parts), _) => Some(parts),
            (None, PathFormula::Forall(vars, one)) if !not => {
                let one = Box::new(one.as_ref().clone().negated());
                Some(vec![PathFormula::Exists(vars.clone(), one)])
            }
            _ => None,
        },
        PathFormula::Or(parts) if !not => Some(parts.iter().map(signed).collect()),
        PathFormula::And(parts) if not => Some(parts.iter().map(signed).collect()),
        PathFormula::Implies(one, other) if !not => {
            Some(vec![one.as_ref().clone().negated(), other.as_ref().clone()])
        }
        _ => None,
    }
}

/// What is bound, with each choice of values for some variables.
fn choices(
    decider: &mut PlainDecider<'_>,
    vars: &[VarId],
    bound: &Bindings,
) -> Result<Vec<Bindings>, Undecided> {
    let mut all = vec![bound.clone()];
    for &var in vars {
        let values = decider.atoms.values(var)?;
        let each = |known: &Bindings| {
            let more = values.iter().map(|value| super::with(known, var, value.clone()));
            more.collect::<Vec<_>>()
        };
        all = all.iter().flat_map(each).collect();
    }
    Ok(all)
}

impl Tableau<'_, '_> {
    /// Adds what is said; `end` is what is said of the next step where there is none.
    fn add(&mut self, path: &PathFormula, bound: &Bindings, end: bool) -> Result<usize, Undecided> {
        let part = match path {
            PathFormula::State(formula) => Part::State(self.state(formula, bound)?),
            PathFormula::Step(step) => Part::Step(self.meant(step, bound)?, end),
            PathFormula::Text(_, inner) => return self.add(inner, bound, end),
            PathFormula::Not(inner) => Part::Not(self.add(inner, bound, !end)?),
            PathFormula::And(parts) => Part::All(self.all(parts, bound, end)?),
            PathFormula::Or(parts) => Part::One(self.all(parts, bound, end)?),
            PathFormula::Implies(one, other) => {
                let one = self.add(one, bound, !end)?;
                let not = self.part(Part::Not(one));
                Part::One(vec![not, self.add(other, bound, end)?])
            }
            PathFormula::Forall(vars, inner) | PathFormula::Exists(vars, inner) => {
                let mut parts = Vec::new();
                for bound in choices(self.decider, vars, bound)? {
                    parts.push(self.add(inner, &bound, end)?);
                }
                match path {
                    PathFormula::Forall(..) => Part::All(parts),
                    _ => Part::One(parts),
                }
            }
            PathFormula::Next(inner) => {
                let inner = self.add(inner, bound, false)?;
                self.operator(Operator::Next(inner))?
            }
            PathFormula::Finally(inner) => {
                let (all, inner) =
                    (self.part(Part::All(Vec::new())), self.add(inner, bound, false)?);
                self.operator(Operator::Until(all, inner, false))?
            }
            PathFormula::Globally(inner) => {
                let (inner, none) =
                    (self.add(inner, bound, true)?, self.part(Part::One(Vec::new())));
                self.operator(Operator::Until(inner, none, true))?
            }
            PathFormula::Until(one, other) => {
                let (one, other) = (self.add(one, bound, false)?, self.add(other, bound, false)?);
                self.operator(Operator::Until(one, other, false))?
            }
            PathFormula::WeakUntil(one, other) => {
                let (one, other) = (self.add(one, bound, true)?, self.add(other, bound, false)?);
                self.operator(Operator::Until(one, other, true))?
            }
        };
        Ok(self.part(part))
    }

    fn part(&mut self, part: Part) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// An operator, which becomes the next part.
    fn operator(&mut self, operator: Operator) -> Result<Part, Undecided> {
        if self.operators.len() == MOST_OPERATORS {
            return Err(Undecided::TooMany);
        }
        self.operators.push(operator);
        self.places.push(self.parts.len());
        Ok(Part::Operator(self.operators.len() - 1))
    }

    fn all(
        &mut self,
        parts: &[PathFormula],
        bound: &Bindings,
        end: bool,
    ) -> Result<Vec<usize>, Undecided> {
        parts.iter().map(|part| self.add(part, bound, end)).collect()
    }

    fn state(&mut self, formula: &StateFormula, bound: &Bindings) -> Result<Vec<bool>, Undecided> {
        self.decider.set(formula, bound)
    }

    fn meant(&mut self, step: &StepPattern, bound: &Bindings) -> Result<Vec<bool>, Undecided> {
        let mut known = vec![None; self.moves];
        let system = self.decider.system;
        for at in 0..system.len() {
            for &(done, _) in system.steps.row(LtsState::at(at)) {
                if known[done.index()].is_none() {
                    known[done.index()] = Some(self.decider.is_meant(done, step, bound)?);
                }
            }
        }
        Ok(known.into_iter().map(|is| is == Some(true)).collect())
    }

    /// The value of each part at a position, from the values of operators at the next one; at the end there is none. What is
    /// inside of an operator has its value before the operator.
    fn values(&self, at: usize, next: Option<(MoveId, &[bool])>, values: &mut Vec<bool>) {
        values.clear();
        for part in &self.parts {
            let value = match part {
                Part::State(set) => set[at],
                Part::Step(meant, end) => next.map_or(*end, |(done, _)| meant[done.index()]),
                Part::Not(inner) => !values[*inner],
                Part::All(parts) => parts.iter().all(|&part| values[part]),
                Part::One(parts) => parts.iter().any(|&part| values[part]),
                Part::Operator(number) => match (self.operators[*number], next) {
                    (Operator::Next(_), None) => false,
                    (Operator::Next(inner), Some((_, then))) => then[inner],
                    (Operator::Until(one, other, for_ever), None) => {
                        values[other] || for_ever && values[one]
                    }
                    (Operator::Until(one, other, _), Some((_, then))) => {
                        values[other] || values[one] && then[self.places[*number]]
                    }
                },
            };
            values.push(value);
        }
    }

    /// Where some run is as the last part says.
    fn decided(&mut self, root: usize) -> Result<Vec<bool>, Undecided> {
        // What the next position must tell: the values of operators, and of what stands directly behind `X`.
        let told: Vec<usize> = self.told();
        let ways = 1_usize << told.len();
        let count = self.decider.system.len();
        let steps = self.decider.system.steps.items();
        if steps.saturating_mul(ways) > MOST_EDGES || count.saturating_mul(ways) > MOST_EDGES {
            return Err(Undecided::TooMany);
        }
        let (mut edges, mut ends) = (Vec::with_capacity(steps * ways), vec![false; count * ways]);
        let mut set = vec![false; count];
        let may_end = self.decider.may_end();
        let (mut values, mut then) = (Vec::new(), vec![false; self.parts.len()]);
        let node = |at: usize, values: &[bool]| {
            let bits = told.iter().enumerate().map(|(bit, &part)| usize::from(values[part]) << bit);
            at * ways + bits.sum::<usize>()
        };
        for at in 0..count {
            if is_spent() {
                return Err(Undecided::Stopped);
            }
            if may_end[at] {
                self.values(at, None, &mut values);
                ends[node(at, &values)] = true;
                set[at] |= values[root];
            }
            for &(done, to) in self.decider.system.steps.row(LtsState::at(at)) {
                for way in 0..ways {
                    told.iter()
                        .enumerate()
                        .for_each(|(bit, &part)| then[part] = way >> bit & 1 == 1);
                    self.values(at, Some((done, &then)), &mut values);
                    let (from, to) = (node(at, &values), to.index() * ways + way);
                    let (kept, says) = (self.kept(&values), values[root]);
                    edges.push(Edge { from, to, done, kept, says });
                }
            }
        }
        let mut good = ends;
        self.mark_endless(&edges, count * ways, &mut good)?;
        reach_back(&edges, &mut good);
        for edge in edges.iter().filter(|edge| edge.says && good[edge.to]) {
            set[edge.from / ways] = true;
        }
        Ok(set)
    }

    /// The parts whose values at the next position matter: operators that may go on, and what stands behind `X`.
    fn told(&self) -> Vec<usize> {
        let mut told: Vec<usize> = Vec::new();
        for (number, operator) in self.operators.iter().enumerate() {
            told.push(match operator {
                Operator::Next(inner) => *inner,
                Operator::Until(..) => self.places[number],
            });
        }
        told.sort_unstable();
        told.dedup();
        told
    }

    /// For each operator a bit, whether what is true now is no promise that is put off: of an until that is true, its second
    /// part; of a weak one that is false, that its first part is not.
    fn kept(&self, values: &[bool]) -> u32 {
        let mut bits = 0;
        for (number, operator) in self.operators.iter().enumerate() {
            let is_kept = match *operator {
                Operator::Next(_) => true,
                Operator::Until(_, other, false) => values[other] || !values[self.places[number]],
                Operator::Until(one, _, true) => !values[one] || values[self.places[number]],
            };
            bits |= u32::from(is_kept) << number;
        }
        bits
    }

    /// Marks the nodes from which a run goes round for ever as it should.
    fn mark_endless(
        &mut self,
        edges: &[Edge],
        nodes: usize,
        good: &mut [bool],
    ) -> Result<(), Undecided> {
        let fair = self.decider.fair;
        let mut made = Vec::with_capacity(fair.len());
        for one in fair {
            made.push((one.kind, self.meant(&one.step, &Vec::new())?));
        }
        let ways = nodes / self.decider.system.len().max(1);
        let mut can: Vec<Vec<bool>> = Vec::with_capacity(fair.len());
        for (_, meant) in &made {
            let possible = |at: usize| {
                let mut steps = self.decider.system.steps.row(LtsState::at(at)).iter();
                steps.any(|(done, _)| meant[done.index()])
            };
            can.push((0..self.decider.system.len()).map(possible).collect());
        }
        let mut work: Vec<(Vec<usize>, Vec<usize>)> =
            vec![((0..nodes).collect(), (0..edges.len()).collect())];
        while let Some((inside, among)) = work.pop() {
            if is_spent() {
                return Err(Undecided::Stopped);
            }
            for (component, own) in split(&inside, &among, edges) {
                let kept = own.iter().fold(0, |bits, &edge| bits | edges[edge].kept);
                if own.is_empty() || kept.count_ones() as usize != self.operators.len() {
                    continue;
                }
                let mut without: Vec<usize> = Vec::new();
                let mut unfair = false;
                for (number, (kind, meant)) in made.iter().enumerate() {
                    let possible = |&node: &usize| can[number][node / ways];
                    let is_made = own.iter().any(|&edge| meant[edges[edge].done.index()]);
                    match kind {
                        _ if is_made => {}
                        Fairness::Weak => unfair |= component.iter().all(possible),
                        Fairness::Strong if component.iter().any(possible) => without.push(number),
                        Fairness::Strong => {}
                    }
                }
                if unfair {
                    continue;
                }
                if without.is_empty() {
                    component.iter().for_each(|&node| good[node] = true);
                    continue;
                }
                // A run that stays here for ever does so where what it never does is not possible.
                let stays = |node: &usize| !without.iter().any(|&number| can[number][node / ways]);
                let left: Vec<usize> = component.iter().copied().filter(stays).collect();
                let among = own
                    .iter()
                    .copied()
                    .filter(|&edge| stays(&edges[edge].from) && stays(&edges[edge].to));
                work.push((left, among.collect()));
            }
        }
        Ok(())
    }
}

/// The components of a part of the graph, each with the edges inside.
fn split(inside: &[usize], among: &[usize], edges: &[Edge]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let place = |node: usize| inside.binary_search(&node).ok();
    let mut graph = vec![Vec::new(); inside.len()];
    for &edge in among {
        if let (Some(from), Some(to)) = (place(edges[edge].from), place(edges[edge].to)) {
            graph[from].push(to);
        }
    }
    let found = components(&graph);
    let mut number = vec![0; inside.len()];
    for (component, nodes) in found.iter().enumerate() {
        nodes.iter().for_each(|&node| number[node] = component);
    }
    let mut own = vec![Vec::new(); found.len()];
    for &edge in among {
        if let (Some(from), Some(to)) = (place(edges[edge].from), place(edges[edge].to))
            && number[from] == number[to]
        {
            own[number[from]].push(edge);
        }
    }
    let named = |nodes: Vec<usize>| nodes.into_iter().map(|node| inside[node]).collect();
    found.into_iter().map(named).zip(own).collect()
}

/// Adds all nodes from which a good one is reached.
fn reach_back(edges: &[Edge], good: &mut [bool]) {
    let mut into: Vec<usize> = (0..edges.len()).collect();
    into.sort_unstable_by_key(|&edge| edges[edge].to);
    let mut work: Vec<usize> = (0..good.len()).filter(|&node| good[node]).collect();
    while let Some(node) = work.pop() {
        let start = into.partition_point(|&edge| edges[edge].to < node);
        for &edge in into[start..].iter().take_while(|&&edge| edges[edge].to == node) {
            let from = edges[edge].from;
            if !good[from] {
                good[from] = true;
                work.push(from);
            }
        }
    }
}

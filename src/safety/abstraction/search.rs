//! The search: the tree is grown until nothing is left to look at, or something bad is reached.

use std::rc::Rc;

use super::path::{Made, Path};
use super::place::{Move, moves};
use super::post::Abstract;
use super::predicate::Cell;
use super::together::Together;
use super::tree::{NodeId, Status, Tree};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::safety::{Effort, Found, InteractionId, Open, Problem};
use crate::smt::{Limits, Unsupported};

/// So many ways to do things together are made of one cell.
const MOST_WAYS: usize = 16;

/// With so many nodes, an invariant may be simpler than the tree.
const FIRST_TRY: usize = 150;

/// An interaction that may happen, with where its moves lead.
type Enabled = (InteractionId, Vec<(Move, Cell)>);

/// Some moves one after the other, and where they lead.
type Led = (Vec<Move>, Cell);

pub(super) struct Search<'p, 'n, 'w> {
    abstraction: Abstract<'p, 'n>,
    tree: Tree,
    /// What can be done together; nothing where one interaction is done after the other.
    together: Option<Together>,
    watch: &'w dyn Watch,
    refinements: usize,
    nodes: usize,
    /// With how many nodes an invariant is tried next.
    next_try: usize,
}

/// How growing ended.
enum Grown {
    /// Nothing is left to look at.
    Closed,
    /// This node may be bad.
    Bad(NodeId),
    /// It is time to try something else.
    Large,
    /// The budget is spent.
    Stopped,
}

impl<'p, 'n, 'w> Search<'p, 'n, 'w> {
    pub fn new(
        problem: &'p Problem<'n>,
        watch: &'w dyn Watch,
        limits: Limits,
        together: bool,
    ) -> Result<Search<'p, 'n, 'w>, Unsupported> {
        let (together, terms) = match together {
            true => Together::new(problem, limits)?,
            false => (None, problem.terms.clone()),
        };
        Ok(Search {
            abstraction: Abstract::new(problem, terms, limits)?,
            tree: Tree::default(),
            together,
            watch,
            refinements: 0,
            nodes: 0,
            next_try: FIRST_TRY,
        })
    }

    pub fn effort(&self) -> Effort {
        Effort {
            queries: self.abstraction.session.queries,
            nodes: self.nodes,
            predicates: self.abstraction.precision.predicates.len(),
            refinements: self.refinements,
        }
    }

    /// Looks until something is found.
    pub fn run(&mut self) -> Result<Found, Unsupported> {
        let mut grown = self.begin()?;
        loop {
            match grown {
                Grown::Stopped => return Ok(Found::Open(Open::Stopped)),
                Grown::Bad(node) => {
                    if let Some(found) = self.bad(node)? {
                        return Ok(found);
                    }
                }
                Grown::Large => {
                    if let Some(invariant) = self.abstraction.conjunction(&self.tree, self.watch) {
                        return Ok(Found::Safe(Box::new(invariant)));
                    }
                    self.next_try = self.nodes * 2;
                }
                Grown::Closed => {
                    if let Some(found) = self.closed() {
                        return Ok(found);
                    }
                }
            }
            let restart = self.tree.nodes.is_empty() && !is_spent();
            grown = if restart { self.begin()? } else { self.grow()? };
        }
    }

    /// Begins a new tree.
    fn begin(&mut self) -> Result<Grown, Unsupported> {
        self.tree = Tree::default();
        let Some(cell) = self.abstraction.initial()? else { return Ok(Grown::Closed) };
        match self.reached(cell, None)? {
            Some(bad) => Ok(Grown::Bad(bad)),
            None => self.grow(),
        }
    }

    /// Nothing is left to look at: what it proves; nothing if the search goes on with one interaction after the other.
    fn closed(&mut self) -> Option<Found> {
        let mut invariant = self.abstraction.conjunction(&self.tree, self.watch);
        if invariant.is_none() && !is_spent() {
            self.together = None;
            if self.tree.complete() {
                return None;
            }
            invariant = self.abstraction.disjunction(&self.tree);
        }
        Some(match invariant {
            Some(invariant) => Found::Safe(Box::new(invariant)),
            None if is_spent() => Found::Open(Open::Stopped),
            None => Found::Open(Open::GaveUp),
        })
    }

    /// A node may be bad: the run that leads there, or more predicates to look at.
    fn bad(&mut self, node: NodeId) -> Result<Option<Found>, Unsupported> {
        let path = Path::to(&mut self.abstraction, &self.tree, node);
        let needed = match self.abstraction.make(&path)? {
            Made::Run(lead) => return Ok(Some(Found::Unsafe(lead))),
            Made::Unknown(_) if is_spent() => return Ok(Some(Found::Open(Open::Stopped))),
            Made::Unknown(why) => return Ok(Some(Found::Open(Open::Solver(why)))),
            Made::Impossible(needed) => needed,
        };
        self.refinements += 1;
        let first = self.abstraction.refine(&path, &needed);
        if is_spent() {
            return Ok(Some(Found::Open(Open::Stopped)));
        }
        match first {
            Some(0) => self.tree = Tree::default(),
            Some(first) => self.tree.cut(path.nodes[first - 1]),
            None => return Ok(Some(Found::Open(Open::GaveUp))),
        }
        Ok(None)
    }

    /// Grows the tree.
    fn grow(&mut self) -> Result<Grown, Unsupported> {
        while let Some(node) = self.tree.next() {
            if is_spent() {
                return Ok(Grown::Stopped);
            }
            if self.nodes >= self.next_try {
                self.tree.again(node);
                return Ok(Grown::Large);
            }
            if self.nodes.is_multiple_of(32) {
                self.tell();
            }
            let bad = match self.tree.cover(node) {
                true => self.parent_done(node)?,
                false => self.expand(node)?,
            };
            if let Some(bad) = bad {
                return Ok(Grown::Bad(bad));
            }
        }
        Ok(Grown::Closed)
    }

    fn tell(&self) {
        let Effort { queries, nodes, predicates, refinements } = self.effort();
        let far = format!("{nodes} nodes, {predicates} predicates, {refinements} refinements");
        self.watch.searching(&far, queries);
    }

    /// Where a covered node comes from nothing may be left out.
    fn parent_done(&mut self, node: NodeId) -> Result<Option<NodeId>, Unsupported> {
        let parent = self.tree.nodes[node].parent.as_ref().map(|(parent, _)| *parent);
        match parent {
            Some(parent) if self.tree.nodes[parent].status == Status::Partly => self.rest(parent),
            _ => Ok(None),
        }
    }

    /// All interactions that may happen in a node, with where they lead.
    fn enabled(&mut self, cell: &Cell) -> Result<Vec<Enabled>, Unsupported> {
        let mut found = Vec::new();
        for id in self.abstraction.problem.interactions.ids() {
            let mut led = Vec::new();
            for one in moves(self.abstraction.problem, id, &cell.place) {
                if let Some(to) = self.abstraction.post(cell, &one)? {
                    led.push((one, to));
                }
            }
            if !led.is_empty() {
                found.push((id, led));
            }
        }
        Ok(found)
    }

    /// Makes what follows from a node; one of those that may be bad.
    fn expand(&mut self, node: NodeId) -> Result<Option<NodeId>, Unsupported> {
        let cell = self.tree.nodes[node].cell.clone();
        let enabled = self.enabled(&cell)?;
        let calm = self.calm(&cell, &enabled)?;
        if calm.is_empty() {
            self.tree.nodes[node].status = Status::Done;
            let all = enabled.into_iter().flat_map(|(_, led)| led);
            let new = all.filter(|(one, _)| !self.tree.is_done(node, one));
            let new = new.map(|(one, to)| (vec![one], to)).collect();
            return self.all_reached(node, new);
        }
        let all = calm.len() == enabled.len();
        self.tree.nodes[node].status = if all { Status::Done } else { Status::Partly };
        let led = self.followed_by((Vec::new(), cell), &calm)?;
        self.tree.nodes[node].together = calm;
        self.all_reached(node, led)
    }

    /// Makes what was left out of a node.
    fn rest(&mut self, node: NodeId) -> Result<Option<NodeId>, Unsupported> {
        self.tree.nodes[node].status = Status::Done;
        let cell = self.tree.nodes[node].cell.clone();
        let enabled = self.enabled(&cell)?;
        let calm = self.calm(&cell, &enabled)?;
        let mut all = Vec::new();
        // More may be known by now.
        if calm != self.tree.nodes[node].together && !calm.is_empty() {
            all.extend(self.followed_by((Vec::new(), cell), &calm)?);
        }
        for (id, led) in enabled {
            if !calm.contains(&id) {
                for (one, to) in led {
                    all.extend(self.followed_by((vec![one], to), &calm)?);
                }
            }
        }
        self.all_reached(node, all)
    }

    /// Interactions of a node that are done together: as many as have few ways.
    fn calm(
        &mut self,
        cell: &Cell,
        enabled: &[Enabled],
    ) -> Result<Vec<InteractionId>, Unsupported> {
        let Some(together) = &self.together else { return Ok(Vec::new()) };
        let ids: Vec<InteractionId> = enabled.iter().map(|(id, _)| *id).collect();
        let mut calm = together.calm(&mut self.abstraction, cell, &ids)?;
        let mut ways = 1;
        calm.retain(|id| {
            let own = enabled.iter().find(|(other, _)| other == id).map_or(1, |(_, led)| led.len());
            let fits = ways * own <= MOST_WAYS;
            ways *= if fits { own } else { 1 };
            fits
        });
        Ok(calm)
    }

    /// Some moves, and interactions after them, in all their ways.
    fn followed_by(&mut self, first: Led, then: &[InteractionId]) -> Result<Vec<Led>, Unsupported> {
        let mut found = vec![first];
        for &id in then {
            let mut longer = Vec::with_capacity(found.len());
            for (done, at) in found {
                for one in moves(self.abstraction.problem, id, &at.place) {
                    if let Some(to) = self.abstraction.post(&at, &one)? {
                        let done = done.iter().cloned().chain([one]).collect();
                        longer.push((done, to));
                    }
                }
            }
            found = longer;
        }
        Ok(found)
    }

    /// Cells that follow from a node; one of those that may be bad.
    fn all_reached(&mut self, node: NodeId, all: Vec<Led>) -> Result<Option<NodeId>, Unsupported> {
        for (done, to) in all {
            if let Some(bad) = self.reached(to, Some((node, done.into())))? {
                // The rest follows when the node is looked at once more.
                return Ok(Some(bad));
            }
        }
        Ok(None)
    }

    /// A cell that was reached; the node if it may be bad.
    fn reached(
        &mut self,
        cell: Cell,
        parent: Option<(NodeId, Rc<[Move]>)>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let bad = self.abstraction.problem.bad;
        let is_bad = self.abstraction.can_be(&cell, bad)?;
        let node = self.tree.add(cell, parent);
        self.nodes += 1;
        Ok(is_bad.then_some(node))
    }
}

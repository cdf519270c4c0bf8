//! What is said of runs, on finite systems: the product with an automaton that is made on the way (Couvreur, FM 1999), and
//! its strongly connected components, without those in which no run is fair (Emerson and Lei, 1987).
//!
//! A node of the product is a configuration and what is owed there. What is owed is taken apart into what holds here, what
//! the next step must be, and what is owed then; an until that is put off is a promise, and a run that goes on for ever
//! must not put it off for ever. A run that ends owes nothing more at its end.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::explicit::{Bindings, MoveId, Undecided, fits};
use super::formula::{Fairness, PathFormula, Runs, StateFormula, StepPattern};
use super::game::components;
use super::modal::{Decider, extended};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::lts::LtsState;

/// A run that shows something: it ends, or goes round for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// Where it begins.
    pub begins: LtsState,
    /// The steps before the loop: what is done, and where they lead.
    pub stem: Vec<(MoveId, LtsState)>,
    /// The steps of the loop, which leads back to where it begins; empty where the run ends.
    pub round: Vec<(MoveId, LtsState)>,
    /// Whether it need not end where it does: however it goes on, it shows the same.
    pub open: bool,
}

/// What is owed, with negations at its atoms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Owed {
    Bool(bool),
    /// What is said of the configuration, by its number, or its opposite.
    State(usize, bool),
    /// The next step is meant, or is not; and what this is at the end.
    Step(usize, bool, bool),
    And(Vec<usize>),
    Or(Vec<usize>),
    /// There is a next position; or, weakly, if there is one.
    Next(usize, bool),
    Until(usize, usize),
    Release(usize, usize),
}

/// A node of the product: a configuration and what is owed there.
type Node = (usize, Vec<usize>);

/// What is looked for among the steps of a node.
type Wanted<'w> = Box<dyn Fn(&(MoveId, u32, u64)) -> bool + 'w>;

/// What a way to take apart what is owed comes to.
#[derive(Clone, Default)]
struct Way {
    steps: Vec<(usize, bool)>,
    next: Vec<usize>,
    promises: u64,
}

/// Where all runs, or some run, are as is said.
pub(super) fn set(
    decider: &mut Decider<'_>,
    runs: Runs,
    path: &PathFormula,
    bound: &Bindings,
) -> Result<Vec<bool>, Undecided> {
    let wanted: Vec<usize> = (0..decider.system.len()).collect();
    let product = Product::new(decider, (path, runs == Runs::All), bound, &wanted)?;
    let good = product.good(decider)?.0;
    Ok((0..wanted.len()).map(|at| good[at] != (runs == Runs::All)).collect())
}

/// A run from a configuration in which the system begins that is not as is said; nothing where there is none.
pub fn counterexample(
    decider: &mut Decider<'_>,
    path: &PathFormula,
) -> Result<Option<Lasso>, Undecided> {
    let begins = decider.system.begins.clone();
    run_from(decider, &begins, (path, true), &Vec::new())
}

/// A run from one of some configurations that is as is said, or, with `not`, that is not; nothing where there is none.
pub(super) fn run_from(
    decider: &mut Decider<'_>,
    begins: &[LtsState],
    says: (&PathFormula, bool),
    bound: &Bindings,
) -> Result<Option<Lasso>, Undecided> {
    let wanted: Vec<usize> = begins.iter().map(|at| at.index()).collect();
    let product = Product::new(decider, says, bound, &wanted)?;
    product.lasso(decider, wanted.len())
}

#[derive(Default)]
struct Product {
    owed: IndexSet<Owed, FxBuildHasher>,
    /// Where what is said of configurations holds.
    states: Vec<Vec<bool>>,
    known_states: FxHashMap<(StateFormula, Bindings), usize>,
    patterns: IndexMap<(StepPattern, Bindings), (), FxBuildHasher>,
    /// The untils, by their places among all that is owed.
    untils: Vec<usize>,
    nodes: IndexMap<Node, (), FxBuildHasher>,
    /// The steps of each node: what is done, where to, and what is promised.
    edges: Vec<Vec<(MoveId, u32, u64)>>,
    moves: Vec<Vec<u32>>,
    /// Whether a run may end in a node.
    ends: Vec<bool>,
    /// Whether nothing more is owed in a node, whatever comes.
    opens: Vec<bool>,
    fitting: FxHashMap<(usize, MoveId), bool>,
}

impl Product {
    fn new(
        decider: &mut Decider<'_>,
        (path, not): (&PathFormula, bool),
        bound: &Bindings,
        wanted: &[usize],
    ) -> Result<Product, Undecided> {
        let mut product = Product::default();
        let root = product.add(decider, path, (not, false), bound)?;
        if product.untils.len() > 64 {
            return Err(Undecided::Large);
        }
        for &at in wanted {
            product.nodes.insert((at, vec![root]), ());
        }
        let may_end = decider.ends();
        let mut at = 0;
        while let Some(((state, owed), ())) = product.nodes.get_index(at) {
            if at.is_multiple_of(256) && is_spent() {
                return Err(Undecided::Stopped);
            }
            let (state, owed) = (*state, owed.clone());
            product.ends.push(may_end[state] && owed.iter().all(|&one| product.at_end(one, state)));
            let mut edges: Vec<(MoveId, u32, u64)> = Vec::new();
            let ways = product.ways(state, &owed)?;
            let is_free = |way: &Way| way.next.is_empty() && way.steps.is_empty();
            product.opens.push(ways.iter().any(is_free));
            for way in ways {
                for &(done, to) in decider.system.steps.row(LtsState::at(state)) {
                    if !product.takes(decider, done, &way.steps)? {
                        continue;
                    }
                    let node = (to.index(), way.next.clone());
                    let number = product.nodes.insert_full(node, ()).0;
                    let number = u32::try_from(number).map_err(|_| Undecided::TooMany)?;
                    edges.push((done, number, way.promises));
                }
            }
            edges.sort_unstable();
            edges.dedup();
            product.moves.push(edges.iter().map(|edge| edge.1).collect());
            product.edges.push(edges);
            at += 1;
        }
        Ok(product)
    }

    fn put(&mut self, owed: Owed) -> usize {
        let (at, is_new) = self.owed.insert_full(owed);
        if is_new && matches!(self.owed[at], Owed::Until(..)) {
            self.untils.push(at);
        }
        at
    }

    /// What a formula, or its opposite, owes; `weak` says what the formula as it stands makes of a step at the end.
    fn add(
        &mut self,
        decider: &mut Decider<'_>,
        path: &PathFormula,
        (not, weak): (bool, bool),
        bound: &Bindings,
    ) -> Result<usize, Undecided> {
        if is_spent() {
            return Err(Undecided::Stopped);
        }
        let made = match path {
            PathFormula::State(StateFormula::Bool(value)) => Owed::Bool(*value != not),
            PathFormula::State(formula) => {
                let key = (formula.clone(), bound.clone());
                let number = match self.known_states.get(&key) {
                    Some(number) => *number,
                    None => {
                        self.states.push(decider.set(formula, bound)?);
                        self.known_states.insert(key, self.states.len() - 1);
                        self.states.len() - 1
                    }
                };
                Owed::State(number, !not)
            }
            PathFormula::Step(step) => {
                let number = self.patterns.insert_full((step.clone(), bound.clone()), ()).0;
                Owed::Step(number, !not, weak != not)
            }
            PathFormula::Text(_, inner) => return self.add(decider, inner, (not, weak), bound),
            PathFormula::Not(inner) => return self.add(decider, inner, (!not, !weak), bound),
            PathFormula::And(parts) | PathFormula::Or(parts) => {
                let mut made = Vec::with_capacity(parts.len());
                for part in parts {
                    made.push(self.add(decider, part, (not, weak), bound)?);
                }
                let all = matches!(path, PathFormula::And(_)) != not;
                if all { Owed::And(made) } else { Owed::Or(made) }
            }
            PathFormula::Implies(one, other) => {
                let one = self.add(decider, one, (!not, !weak), bound)?;
                let other = self.add(decider, other, (not, weak), bound)?;
                if not { Owed::And(vec![one, other]) } else { Owed::Or(vec![one, other]) }
            }
            PathFormula::Forall(vars, inner) | PathFormula::Exists(vars, inner) => {
                let mut made = Vec::new();
                for with in extended(decider.atoms, bound, vars)? {
                    made.push(self.add(decider, inner, (not, weak), &with)?);
                }
                let all = matches!(path, PathFormula::Forall(..)) != not;
                if all { Owed::And(made) } else { Owed::Or(made) }
            }
            PathFormula::Next(inner) => {
                Owed::Next(self.add(decider, inner, (not, false), bound)?, !not)
            }
            PathFormula::Finally(inner) => {
                let inner = self.add(decider, inner, (not, false), bound)?;
                let other = self.put(Owed::Bool(!not));
                if not { Owed::Release(other, inner) } else { Owed::Until(other, inner) }
            }
            PathFormula::Globally(inner) => {
                let inner = self.add(decider, inner, (not, true), bound)?;
                let other = self.put(Owed::Bool(not));
                if not { Owed::Until(other, inner) } else { Owed::Release(other, inner) }
            }
            PathFormula::Until(one, other) => {
                let one = self.add(decider, one, (not, false), bound)?;
                let other = self.add(decider, other, (not, false), bound)?;
                if not { Owed::Release(one, other) } else { Owed::Until(one, other) }
            }
            PathFormula::WeakUntil(left, right) => {
                // `l W r` is `r R (l or r)`, and its opposite is `not r U (not l and not r)`.
                let left = self.add(decider, left, (not, true), bound)?;
                let right = self.add(decider, right, (not, false), bound)?;
                let both = vec![left, right];
                let both = self.put(if not { Owed::And(both) } else { Owed::Or(both) });
                if not { Owed::Until(right, both) } else { Owed::Release(right, both) }
            }
        };
        Ok(self.put(made))
    }

    /// Whether nothing is owed at the end of a run.
    fn at_end(&self, owed: usize, state: usize) -> bool {
        match &self.owed[owed] {
            Owed::Bool(value) => *value,
            Owed::State(number, wanted) => self.states[*number][state] == *wanted,
            Owed::Step(_, _, at_end) => *at_end,
            Owed::And(parts) => parts.iter().all(|&part| self.at_end(part, state)),
            Owed::Or(parts) => parts.iter().any(|&part| self.at_end(part, state)),
            Owed::Next(_, strong) => !strong,
            Owed::Until(_, other) | Owed::Release(_, other) => self.at_end(*other, state),
        }
    }

    /// The ways to take apart what is owed in a configuration from which a step is made.
    fn ways(&self, state: usize, owed: &[usize]) -> Result<Vec<Way>, Undecided> {
        let mut found: Vec<Way> = Vec::new();
        let mut work = vec![(owed.to_vec(), Vec::<usize>::new(), Way::default())];
        while let Some((mut owed, mut done, mut way)) = work.pop() {
            if is_spent() {
                return Err(Undecided::Stopped);
            }
            let Some(one) = owed.pop() else {
                way.next.sort_unstable();
                way.next.dedup();
                way.steps.sort_unstable();
                way.steps.dedup();
                let is_known = |known: &Way| {
                    (&known.next, &known.steps, known.promises)
                        == (&way.next, &way.steps, way.promises)
                };
                if !found.iter().any(is_known) {
                    found.push(way);
                }
                continue;
            };
            if done.contains(&one) {
                work.push((owed, done, way));
                continue;
            }
            done.push(one);
            match &self.owed[one] {
                Owed::Bool(false) => continue,
                Owed::Bool(true) => {}
                Owed::State(number, wanted) if self.states[*number][state] == *wanted => {}
                Owed::State(..) => continue,
                Owed::Step(number, wanted, _) => way.steps.push((*number, *wanted)),
                Owed::And(parts) => owed.extend(parts),
                Owed::Or(parts) => {
                    for &part in parts {
                        let mut owed = owed.clone();
                        owed.push(part);
                        work.push((owed, done.clone(), way.clone()));
                    }
                    continue;
                }
                Owed::Next(inner, _) => way.next.push(*inner),
                Owed::Until(left, right) => {
                    let mut now = owed.clone();
                    now.push(*right);
                    work.push((now, done.clone(), way.clone()));
                    owed.push(*left);
                    way.next.push(one);
                    if let Some(place) = self.untils.iter().position(|&until| until == one) {
                        way.promises |= 1 << place;
                    }
                }
                Owed::Release(left, right) => {
                    owed.push(*right);
                    let mut now = owed.clone();
                    now.push(*left);
                    work.push((now, done.clone(), way.clone()));
                    way.next.push(one);
                }
            }
            work.push((owed, done, way));
        }
        Ok(found)
    }

    fn takes(
        &mut self,
        decider: &mut Decider<'_>,
        done: MoveId,
        steps: &[(usize, bool)],
    ) -> Result<bool, Undecided> {
        for &(number, wanted) in steps {
            let is = match self.fitting.get(&(number, done)) {
                Some(is) => *is,
                None => {
                    let Some(((step, bound), ())) = self.patterns.get_index(number) else {
                        return Err(Undecided::Unbound);
                    };
                    let is = fits(decider.atoms, done, step, bound)?;
                    self.fitting.insert((number, done), is);
                    is
                }
            };
            if is != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// From which nodes a run begins that counts; and the components in which it can go round for ever.
    fn good(&self, decider: &mut Decider<'_>) -> Result<(Vec<bool>, Vec<Vec<usize>>), Undecided> {
        let fair = self.fair(decider)?;
        let mut before = vec![Vec::new(); self.moves.len()];
        for (node, moves) in self.moves.iter().enumerate() {
            moves.iter().for_each(|&to| before[to as usize].push(node));
        }
        let ends = (0..self.ends.len()).filter(|&node| self.ends[node]);
        let mut work: Vec<usize> = fair.iter().flatten().copied().chain(ends).collect();
        let mut good = vec![false; self.moves.len()];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut good[node], true) {
                work.extend(&before[node]);
            }
        }
        Ok((good, fair))
    }

    /// Which moves are meant by each fair pattern.
    fn fair_moves(&self, decider: &mut Decider<'_>) -> Result<Vec<FxHashSet<MoveId>>, Undecided> {
        let mut all: FxHashSet<MoveId> = FxHashSet::default();
        for state in 0..decider.system.len() {
            all.extend(decider.system.steps.row(LtsState::at(state)).iter().map(|step| step.0));
        }
        let mut found = Vec::new();
        for pattern in decider.fair {
            let mut meant = FxHashSet::default();
            for &done in &all {
                if fits(decider.atoms, done, &pattern.step, &Vec::new())? {
                    meant.insert(done);
                }
            }
            found.push(meant);
        }
        Ok(found)
    }

    /// The components in which some run goes round for ever, keeps its promises and is fair.
    fn fair(&self, decider: &mut Decider<'_>) -> Result<Vec<Vec<usize>>, Undecided> {
        let meant = self.fair_moves(decider)?;
        let system = decider.system;
        let possible = |node: usize, pattern: usize| {
            let steps = system.steps.row(LtsState::at(self.state(node)));
            steps.iter().any(|(done, _)| meant[pattern].contains(done))
        };
        let mut found = Vec::new();
        let mut work: Vec<Vec<usize>> = components(&self.moves, &|_| true);
        while let Some(part) = work.pop() {
            if is_spent() {
                return Err(Undecided::Stopped);
            }
            let inside: FxHashSet<usize> = part.iter().copied().collect();
            let mut kept = 0_u64;
            let (mut taken, mut goes_on) = (vec![false; meant.len()], false);
            for &node in &part {
                for (done, to, promises) in &self.edges[node] {
                    if !inside.contains(&(*to as usize)) {
                        continue;
                    }
                    goes_on = true;
                    kept |= !promises;
                    for (pattern, moves) in meant.iter().enumerate() {
                        taken[pattern] |= moves.contains(done);
                    }
                }
            }
            let all_kept = (0..self.untils.len()).all(|place| kept & (1 << place) != 0);
            if !goes_on || !all_kept {
                continue;
            }
            let mut away: FxHashSet<usize> = FxHashSet::default();
            let mut dead = false;
            for (number, pattern) in decider.fair.iter().enumerate() {
                if taken[number] {
                    continue;
                }
                match pattern.kind {
                    Fairness::Weak => dead |= part.iter().all(|&node| possible(node, number)),
                    Fairness::Strong => {
                        away.extend(part.iter().copied().filter(|&node| possible(node, number)));
                    }
                }
            }
            if dead {
                continue;
            }
            if away.is_empty() {
                found.push(part);
                continue;
            }
            work.extend(self.inside(&part, &|node| !away.contains(&node)));
        }
        Ok(found)
    }

    /// The components of a part of the product.
    fn inside(&self, part: &[usize], counts: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let nodes: Vec<usize> = part.iter().copied().filter(|&node| counts(node)).collect();
        let numbers: FxHashMap<usize, u32> =
            nodes.iter().enumerate().map(|(number, &node)| (node, number as u32)).collect();
        let moves: Vec<Vec<u32>> = nodes
            .iter()
            .map(|&node| {
                let to = self.moves[node].iter();
                to.filter_map(|to| numbers.get(&(*to as usize)).copied()).collect()
            })
            .collect();
        let found = components(&moves, &|_| true);
        found.into_iter().map(|one| one.into_iter().map(|at| nodes[at]).collect()).collect()
    }

    fn state(&self, node: usize) -> usize {
        self.nodes.get_index(node).map_or(0, |((state, _), ())| *state)
    }

    /// A run that counts, from one of the first nodes.
    fn lasso(&self, decider: &mut Decider<'_>, first: usize) -> Result<Option<Lasso>, Undecided> {
        let (good, fair) = self.good(decider)?;
        let Some(begin) = (0..first).find(|&node| good[node]) else { return Ok(None) };
        let mut part_of: FxHashMap<usize, usize> = FxHashMap::default();
        for (number, part) in fair.iter().enumerate() {
            part.iter().for_each(|&node| _ = part_of.insert(node, number));
        }
        let is_open = |node: usize| self.opens[node];
        let is_goal = |node: usize| {
            good[node] && (self.ends[node] || part_of.contains_key(&node) || is_open(node))
        };
        let Some((stem, last)) = self.way(begin, &|_| true, &is_goal) else { return Ok(None) };
        let begins = LtsState::at(self.state(begin));
        // Where nothing is owed any more, it does not matter how it goes on.
        let open = is_open(last);
        let Some(part) = part_of.get(&last).filter(|_| !self.ends[last] && !open) else {
            return Ok(Some(Lasso { begins, stem, round: Vec::new(), open }));
        };
        let round = self.round(decider, last, &fair[*part])?;
        Ok(round.map(|round| Lasso { begins, stem, round, open }))
    }

    /// A way around a component, back to where it begins, that keeps all promises and is fair.
    fn round(
        &self,
        decider: &mut Decider<'_>,
        begin: usize,
        part: &[usize],
    ) -> Result<Option<Vec<(MoveId, LtsState)>>, Undecided> {
        let meant = self.fair_moves(decider)?;
        let inside: FxHashSet<usize> = part.iter().copied().collect();
        let counts = |node: usize| inside.contains(&node);
        let mut wanted: Vec<Wanted<'_>> = Vec::new();
        for place in 0..self.untils.len() {
            wanted.push(Box::new(move |edge| edge.2 & (1 << place) == 0));
        }
        let (mut round, mut at) = (Vec::new(), begin);
        for moves in &meant {
            wanted.push(Box::new(move |edge| moves.contains(&edge.0)));
        }
        for (number, wants) in wanted.iter().enumerate() {
            let goal = |node: usize| {
                self.edges[node].iter().any(|edge| counts(edge.1 as usize) && wants(edge))
            };
            let Some((more, node)) = self.way(at, &counts, &goal) else {
                let Some(pattern) = number.checked_sub(self.untils.len()) else { return Ok(None) };
                // It is never done: then it must not be possible somewhere, for what is weakly fair.
                let steps = |node: usize| decider.system.steps.row(LtsState::at(self.state(node)));
                let rests = |node: usize| {
                    !steps(node).iter().any(|(done, _)| meant[pattern].contains(done))
                };
                let Some((more, node)) = self.way(at, &counts, &rests) else { return Ok(None) };
                round.extend(more);
                at = node;
                continue;
            };
            round.extend(more);
            let edges = self.edges[node].iter();
            let mut edges = edges.filter(|edge| counts(edge.1 as usize) && wants(edge));
            let Some(edge) = edges.next() else { return Ok(None) };
            at = edge.1 as usize;
            round.push((edge.0, LtsState::at(self.state(at))));
        }
        if round.is_empty() {
            let mut edges = self.edges[begin].iter().filter(|edge| counts(edge.1 as usize));
            let Some(edge) = edges.next() else { return Ok(None) };
            at = edge.1 as usize;
            round.push((edge.0, LtsState::at(self.state(at))));
        }
        let back = self.way(at, &counts, &|node| node == begin);
        Ok(back.map(|(more, _)| round.into_iter().chain(more).collect()))
    }

    /// A shortest way to a node of some kind.
    #[allow(clippy::type_complexity, reason = "the steps, and where they lead")]
    fn way(
        &self,
        from: usize,
        counts: &dyn Fn(usize) -> bool,
        is_goal: &dyn Fn(usize) -> bool,
    ) -> Option<(Vec<(MoveId, LtsState)>, usize)> {
        let mut before: IndexMap<usize, Option<(usize, MoveId)>, FxBuildHasher> =
            IndexMap::default();
        before.insert(from, None);
        let mut at = 0;
        while let Some((&node, _)) = before.get_index(at) {
            if is_goal(node) {
                let (mut steps, mut back) = (Vec::new(), node);
                while let Some(Some((earlier, done))) = before.get(&back) {
                    steps.push((*done, LtsState::at(self.state(back))));
                    back = *earlier;
                }
                steps.reverse();
                return Some((steps, node));
            }
            for (done, to, _) in &self.edges[node] {
                let to = *to as usize;
                if counts(to) && !before.contains_key(&to) {
                    before.insert(to, Some((node, *done)));
                }
            }
            at += 1;
        }
        None
    }
}

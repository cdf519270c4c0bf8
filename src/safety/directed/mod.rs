//! Directed search: configuration by configuration, those first from which something bad seems near.
//!
//! Breadth first, a run with forty steps among forty interactions is out of reach, although hardly any of them leads
//! astray. How far something bad may be is estimated on the net without what it loses (`estimate.rs`), and where even that
//! net cannot get there, nothing is looked for. So runs are found, and nothing is proved. A run need not be a shortest one;
//! what it can do without is left out.

mod estimate;
mod kinds;
mod plan;
mod program;
mod relaxed;
mod span;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use self::estimate::Estimate;
use self::kinds::Kinds;
use self::relaxed::Relaxed;
use super::tried::tried;
use super::{Effort, Engine, Found, Open, Problem, Reached};
use crate::algebra::{Sort, Term, VariableKind};
use crate::base::budget::is_spent;
use crate::base::{Dice, IndexVec, Watch};
use crate::diagnostics::Symbol;
use crate::explore::compiled::Compiled;
use crate::explore::{Configuration, Gap, Machine, Moves, Packed, Property};
use crate::tagged_id;

tagged_id! {
    /// A configuration that was met.
    MetId
}

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Directed {
    /// So many configurations are kept, and no more.
    pub most: usize,
}

impl Default for Directed {
    fn default() -> Directed {
        Directed { most: 2_000_000 }
    }
}

impl Engine for Directed {
    fn name(&self) -> &'static str {
        "directed"
    }

    fn solve(&self, problem: &Problem<'_>, watch: &dyn Watch) -> (Found, Effort) {
        let mut effort = Effort::default();
        for domains in tried(problem.net) {
            let machine = Compiled::new(problem.net, &domains);
            let before = effort.nodes;
            if let Some(path) = self.attempts((problem, &machine), watch, &mut effort) {
                return (Found::Reached(Box::new(Reached { path, domains })), effort);
            }
            if is_spent() {
                return (Found::Open(Open::Stopped), effort);
            }
            // Where something was looked at, fewer values show nothing new.
            if effort.nodes > before + 1 {
                break;
            }
        }
        (Found::Open(Open::GaveUp), effort)
    }
}

impl Directed {
    /// Searches again and again, each time longer and with estimates that differ a little: what leads one astray need not
    /// mislead another.
    fn attempts<'n>(
        &self,
        (problem, machine): (&Problem<'n>, &Compiled<'n>),
        watch: &dyn Watch,
        effort: &mut Effort,
    ) -> Option<Vec<Configuration>> {
        let mut dice = Dice::new(5);
        let mut most = FIRST;
        for attempt in 0.. {
            let dice = (attempt > 0).then_some(&mut dice);
            let mut search = Search::new(problem, machine, dice).ok()?;
            let path = search.run(most.min(self.most), watch);
            effort.nodes += search.met.len();
            effort.refinements = attempt;
            // One that looked at everything has nothing to look at again.
            if path.is_some() || is_spent() || most >= self.most || search.met.len() <= most {
                return path;
            }
            most = most.saturating_mul(2);
        }
        None
    }
}

/// A configuration that was met, and from where.
struct Met {
    packed: Packed,
    from: Option<MetId>,
    steps: u64,
}

struct Search<'s, 'n> {
    machine: &'s Compiled<'n>,
    scratch: <Compiled<'n> as Machine>::Scratch,
    moves: Moves,
    estimate: Estimate,
    /// What is bad; nothing where that is to be stuck.
    bad: Option<<Compiled<'n> as Machine>::Property>,
    met: IndexVec<MetId, Met>,
    seen: FxHashSet<Packed>,
    /// Who is next: the nearest to something bad, and of these the one met first.
    nearest: BinaryHeap<Reverse<(u64, MetId)>>,
    /// From time to time one of any kind, so that an estimate which is wrong is not believed for ever.
    others: Kinds,
    expanded: FxHashSet<MetId>,
}

/// The first attempt keeps so many configurations, and each further one twice as many.
const FIRST: usize = 8_000;
/// Once in so many times, the next is one of any kind.
const FAIR: usize = 3;
/// What is told about progress is told once in so many times.
const TELLING: usize = 64;
/// Longer runs are left as they are.
const MOST_SHORTENED: usize = 3_000;

impl<'s, 'n> Search<'s, 'n> {
    fn new(
        problem: &Problem<'n>,
        machine: &'s Compiled<'n>,
        dice: Option<&mut Dice>,
    ) -> Result<Search<'s, 'n>, Gap> {
        let bad = match problem.is_about_deadlocks {
            true => None,
            false => Some(machine.property(&what_is_bad(problem))?),
        };
        let mut search = Search {
            machine,
            scratch: machine.scratch(),
            moves: Moves::new(machine.bits().div_ceil(64)),
            estimate: Estimate::new(Relaxed::new(problem, dice)),
            bad,
            met: IndexVec::default(),
            seen: FxHashSet::default(),
            nearest: BinaryHeap::new(),
            others: Kinds::default(),
            expanded: FxHashSet::default(),
        };
        for begin in machine.initial()?.0 {
            search.meet(&begin, None);
        }
        Ok(search)
    }

    /// The way to something bad, if there is one.
    fn run(&mut self, most: usize, watch: &dyn Watch) -> Option<Vec<Configuration>> {
        let mut best = u64::MAX;
        for round in 0.. {
            if is_spent() || self.met.len() > most {
                return None;
            }
            let (distance, id) = self.next(round)?;
            best = best.min(distance);
            if round % TELLING == 0 {
                let told = format!("{} configurations, about {best} steps to go", self.met.len());
                watch.searching(&told, 0);
            }
            if let Some(end) = self.expand(id) {
                return Some(self.shortened(end));
            }
        }
        None
    }

    fn next(&mut self, round: usize) -> Option<(u64, MetId)> {
        loop {
            let (distance, id) = match round % FAIR == FAIR - 1 {
                true => self.others.any()?,
                false => self.nearest.pop()?.0,
            };
            if self.expanded.insert(id) {
                return Some((distance, id));
            }
        }
    }

    /// Goes on from one; where that is bad itself, it is the end.
    fn expand(&mut self, id: MetId) -> Option<MetId> {
        let from = self.met[id].packed.clone();
        self.moves.clear();
        let known = self.machine.steps(&mut self.scratch, &from, false, &mut self.moves).is_ok();
        // Who does not know the steps still knows whether a property holds.
        if (known || self.bad.is_some()) && self.is_bad(&from) {
            return Some(id);
        }
        for step in 0..if known { self.moves.len() } else { 0 } {
            let target: Packed = self.moves.target(step).into();
            self.meet(&target, Some(id));
        }
        None
    }

    fn meet(&mut self, packed: &Packed, from: Option<MetId>) {
        if !self.seen.insert(packed.clone()) {
            return;
        }
        let distance = match (&self.bad, self.estimate.from(&self.machine.decode(packed))) {
            (_, Some(distance)) => distance,
            // What is stuck is not always told by what is bad.
            (None, None) => 0,
            (Some(_), None) => return,
        };
        let steps = from.map_or(0, |from| self.met[from].steps + 1);
        let id = self.met.push(Met { packed: packed.clone(), from, steps });
        self.nearest.push(Reverse((distance, id)));
        self.others.add(distance, steps, id);
    }

    /// Whether a configuration is bad, whose steps have just been made.
    fn is_bad(&mut self, packed: &[u64]) -> bool {
        match &self.bad {
            // What has no value is bad, too.
            Some(bad) => self
                .machine
                .holds(&mut self.scratch, bad, packed)
                .is_ok_and(|holds| holds != Some(false)),
            None => self.moves.is_empty() && !self.moves.limited && !self.machine.is_final(packed),
        }
    }

    // ---- the run ----

    fn path(&self, end: MetId) -> Vec<Packed> {
        let ids = std::iter::successors(Some(end), |&id| self.met[id].from);
        let mut path: Vec<Packed> = ids.map(|id| self.met[id].packed.clone()).collect();
        path.reverse();
        path
    }

    /// A run without steps that it can do without: one after the other is left out, and all others are made again.
    fn shortened(&mut self, end: MetId) -> Vec<Configuration> {
        let path = self.path(end);
        let begin = path[0].clone();
        if path.len() <= MOST_SHORTENED
            && let Some(mut steps) = self.labels(&path)
        {
            let mut place = steps.len();
            while place > 0 && !is_spent() {
                place -= 1;
                let mut fewer = steps.clone();
                fewer.remove(place);
                if self.made(&begin, &fewer).is_some() {
                    steps = fewer;
                }
            }
            if let Some(made) = self.made(&begin, &steps) {
                return made.iter().map(|packed| self.machine.decode(packed)).collect();
            }
        }
        path.iter().map(|packed| self.machine.decode(packed)).collect()
    }

    /// What each step shows.
    fn labels(&mut self, path: &[Packed]) -> Option<Vec<Packed>> {
        let mut labels = Vec::with_capacity(path.len());
        for both in path.windows(2) {
            self.moves.clear();
            self.machine.steps(&mut self.scratch, &both[0], true, &mut self.moves).ok()?;
            let step = (0..self.moves.len()).find(|&step| *self.moves.target(step) == *both[1])?;
            labels.push(self.moves.label(step).into());
        }
        Some(labels)
    }

    /// The run with steps that show this, if it ends where it is bad.
    fn made(&mut self, begin: &Packed, labels: &[Packed]) -> Option<Vec<Packed>> {
        let mut path = vec![begin.clone()];
        for place in 0..=labels.len() {
            let at = path.last()?.clone();
            self.moves.clear();
            self.machine.steps(&mut self.scratch, &at, true, &mut self.moves).ok()?;
            let Some(label) = labels.get(place) else { return self.is_bad(&at).then_some(path) };
            let step = (0..self.moves.len()).find(|&step| *self.moves.label(step) == **label)?;
            path.push(self.moves.target(step).into());
        }
        None
    }
}

/// What is bad, as a property that can be asked of configurations.
fn what_is_bad(problem: &Problem<'_>) -> Property {
    let mut terms = problem.terms.clone();
    let (mut locations, mut values) = (Vec::new(), rustc_hash::FxHashMap::default());
    for component in &problem.components {
        let at = terms.new_var(Symbol::new("at"), Sort::Int, VariableKind::State);
        locations.push((at, component.plts));
        for (location, &is_there) in component.locations.enumerated() {
            let (at, number) = (terms.var_term(at), terms.int(location.index()));
            values.insert(is_there, terms.raw(Term::Equal(at, number)));
        }
    }
    let says = terms.substitute(problem.bad, &values);
    let owed = terms.bool(true);
    Property { terms, owed, reads: Vec::new(), says, locations, given: Vec::new() }
}

//! Finds witnesses, by what reduces and compares.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Shape, SidedPair, SidedSet, Witness, shape};
use crate::base::Watch;
use crate::lts::compare::LtsQuestion;
use crate::lts::partition::{BlockId, Partition};
use crate::lts::quotient::{Quotienting, Steps, block_system};
use crate::lts::reduce::{
    Equivalence, NotReduced, ReduceLimits, TooLarge, as_it_is, look, stable, weak_partition,
};
use crate::lts::refine::Task;
use crate::lts::refines::Seen;
use crate::lts::silent::{Contracted, contract};
use crate::lts::simulation::{Simulation, observed, simulated};
use crate::lts::system::{Lts, LtsState, LtsStep};
use crate::lts::union::union;

/// What shows that something holds between two systems, of which it is known that it does.
pub fn witness(
    (first, second): (&Lts, &Lts),
    question: LtsQuestion,
    limits: ReduceLimits,
    watch: &dyn Watch,
) -> Result<Witness, NotReduced> {
    let (both, start) = union(first, second);
    let starts = [both.initial(), start];
    let side = |back: bool, state: LtsState| match back {
        true => state.0 - first.states() as u32,
        false => state.0,
    };
    let ways = |both: bool| if both { &[false, true][..] } else { &[false] };
    let found = match shape(question) {
        Shape::Blocks(by) => {
            let classes = classes(&both, by, watch)?;
            Witness::Blocks(both.ids().map(|state| classes.block(state).0).collect())
        }
        Shape::Pairs(two_ways) => {
            let simulating = Simulating::new(&both, watch)?;
            let mut all = Vec::new();
            for &back in ways(two_ways) {
                let (of, by) = if back { (starts[1], starts[0]) } else { (starts[0], starts[1]) };
                let pairs = simulating.pairs(&both, (of, by), limits, watch)?;
                let pair = |(of, by): (LtsState, LtsState)| SidedPair {
                    back,
                    of: side(back, of),
                    by: side(!back, by),
                };
                all.extend(pairs.into_iter().map(pair));
            }
            all.sort_unstable();
            Witness::Pairs(all)
        }
        Shape::Sets(seen, two_ways) => {
            let mut all = Vec::new();
            for &back in ways(two_ways) {
                let (of, by) = if back { (starts[1], starts[0]) } else { (starts[0], starts[1]) };
                let sets = sets(&both, (of, by), seen, limits, watch)?;
                let set = |(of, by): (LtsState, Vec<LtsState>)| SidedSet {
                    back,
                    of: side(back, of),
                    by: by.into_iter().map(|state| side(!back, state)).collect(),
                };
                all.extend(sets.into_iter().map(set));
            }
            all.sort_unstable();
            Witness::Sets(all)
        }
    };
    look(watch)?;
    Ok(found)
}

/// The blocks of all states by a bisimilarity.
fn classes(lts: &Lts, by: Equivalence, watch: &dyn Watch) -> Result<Partition, NotReduced> {
    if by == Equivalence::Strong {
        let task = Task { lts, hides: false, diverges: None };
        return stable(task, watch);
    }
    let diverging = by == Equivalence::DivergencePreserving;
    let first = contract(lts.clone());
    look(watch)?;
    let diverges = diverging.then_some(&first.diverges);
    let partition = stable(Task { lts: &first.lts, hides: true, diverges }, watch)?;
    if by != Equivalence::Weak {
        return Ok(partition.behind(&first.of));
    }
    let how = Quotienting { steps: Steps::OfFirst, hides: true, diverges: None };
    let small = contract(block_system(&first.lts, &partition, how));
    let weak = weak_partition(&small.lts, watch)?;
    let of = |state: LtsState| weak.block(small.of[as_state(partition.block(first.of[state]))]);
    Ok(Partition::new(&lts.ids().map(of).collect()))
}

fn as_state(block: BlockId) -> LtsState {
    LtsState(block.0)
}

/// A simulation of all states, found where these are few.
struct Simulating {
    /// The state of the small system that each became.
    of: Vec<LtsState>,
    simulation: Simulation,
}

impl Simulating {
    fn new(lts: &Lts, watch: &dyn Watch) -> Result<Simulating, NotReduced> {
        let weak = classes(lts, Equivalence::Weak, watch)?;
        let how = Quotienting { steps: Steps::OfAll, hides: true, diverges: None };
        let small = contract(block_system(lts, &weak, how));
        let seen = as_it_is(observed(&small.lts, watch)?).lts;
        look(watch)?;
        let strong = stable(Task { lts: &seen, hides: false, diverges: None }, watch)?;
        let how = Quotienting { steps: Steps::OfFirst, hides: false, diverges: None };
        let simulation = simulated(&block_system(&seen, &strong, how), watch)?;
        look(watch)?;
        let of = |state: LtsState| as_state(strong.block(small.of[as_state(weak.block(state))]));
        Ok(Simulating { of: lts.ids().map(of).collect(), simulation })
    }

    fn holds(&self, of: LtsState, by: LtsState) -> bool {
        self.simulation.holds(self.of[of.index()], self.of[by.index()])
    }

    /// Pairs that show that a state is simulated by another: one answer to each step.
    fn pairs(
        &self,
        lts: &Lts,
        begin: (LtsState, LtsState),
        limits: ReduceLimits,
        watch: &dyn Watch,
    ) -> Result<Vec<(LtsState, LtsState)>, NotReduced> {
        let mut met: IndexSet<(LtsState, LtsState), FxBuildHasher> = IndexSet::default();
        met.insert(begin);
        let mut next = 0;
        while let Some((of, by)) = met.get_index(next).copied() {
            look(watch)?;
            within(met.len(), limits)?;
            for step in lts.steps(of) {
                let fits = |to: &LtsState| self.holds(step.to, *to);
                let answers = answers(lts, by, step);
                let known = answers.iter().find(|to| met.contains(&(step.to, **to)));
                let answer = known.filter(|to| fits(to)).or(answers.iter().find(|to| fits(to)));
                met.insert((step.to, *answer.ok_or(NotReduced::Unstable)?));
            }
            next += 1;
        }
        Ok(met.into_iter().collect())
    }
}

fn within(many: usize, limits: ReduceLimits) -> Result<(), NotReduced> {
    match many > limits.most_states {
        true => Err(TooLarge::Pairs { most: limits.most_states }.into()),
        false => Ok(()),
    }
}

/// Where a step of another state can be answered to: silent steps and then the same, or none where it is silent.
fn answers(lts: &Lts, from: LtsState, step: &LtsStep) -> Vec<LtsState> {
    if step.label.is_silent() {
        return vec![from];
    }
    let before = closed(lts, vec![from]);
    let after = before.iter().flat_map(|state| lts.steps_by(*state, step.label));
    after.map(|step| step.to).collect()
}

/// All states that silent steps lead to, in order.
fn closed(lts: &Lts, from: Vec<LtsState>) -> Vec<LtsState> {
    let mut met: IndexSet<LtsState, FxBuildHasher> = from.into_iter().collect();
    let mut next = 0;
    while let Some(state) = met.get_index(next).copied() {
        met.extend(lts.silent_steps(state).iter().map(|step| step.to));
        next += 1;
    }
    let mut all: Vec<LtsState> = met.into_iter().collect();
    all.sort_unstable();
    all
}

/// All states of one system with the sets of states in which the other can be after the same trace.
fn sets(
    lts: &Lts,
    (of, by): (LtsState, LtsState),
    seen: Seen,
    limits: ReduceLimits,
    watch: &dyn Watch,
) -> Result<Vec<(LtsState, Vec<LtsState>)>, NotReduced> {
    let hides = seen.hides();
    let silent = (seen == Seen::FailuresDivergences).then(|| contract(lts.clone()));
    // After that, everything is possible.
    let diverges = |set: &[LtsState]| {
        let one = |silent: &Contracted, state: &LtsState| silent.diverges[silent.of[*state]];
        silent.as_ref().is_some_and(|silent| set.iter().any(|state| one(silent, state)))
    };
    let close = |mut set: Vec<LtsState>| {
        set.sort_unstable();
        set.dedup();
        if hides { closed(lts, set) } else { set }
    };
    let mut met: IndexSet<(LtsState, Vec<LtsState>), FxBuildHasher> = IndexSet::default();
    met.insert((of, close(vec![by])));
    let mut next = 0;
    while let Some((state, set)) = met.get_index(next).cloned() {
        look(watch)?;
        within(met.len(), limits)?;
        next += 1;
        if diverges(&set) {
            continue;
        }
        for step in lts.steps(state) {
            let after = match hides && step.label.is_silent() {
                true => set.clone(),
                false => {
                    let steps = set.iter().flat_map(|from| lts.steps_by(*from, step.label));
                    close(steps.map(|step| step.to).collect())
                }
            };
            if after.is_empty() {
                return Err(NotReduced::Unstable);
            }
            met.insert((step.to, after));
        }
    }
    Ok(met.into_iter().collect())
}

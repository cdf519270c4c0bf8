//! Simulation: one state does nothing that another one does not, now and later. By steps that were made observable
//! ([`observed`]), it is the preorder of safety properties (Bouajjani, Fernandez, Graf, Rodriguez and Sifakis, 1991).
//!
//! For each state, the states that simulate it are a set of bits, which shrinks until it is right (Henzinger, Henzinger and
//! Kopke, 1995, without their counters: whether a step is left is looked up).

use rustc_hash::FxHashMap;

use super::partition::{BlockId, Partition};
use super::reduce::TooLarge;
use super::rows::Rows;
use super::system::{Lts, LtsLabel, LtsState, LtsStep};
use crate::base::{IndexVec, Watch, budget};

/// The relation needs a bit for each pair of states: 128 megabytes for so many, twice.
const MOST_STATES: usize = 1 << 15;

/// Sets of states, one for each state.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// How many words a set has.
    words: usize,
    bits: Vec<u64>,
}

impl Simulation {
    fn empty(states: usize) -> Simulation {
        let words = states.div_ceil(64);
        Simulation { words, bits: vec![0; words * states] }
    }

    fn set(&self, of: LtsState) -> &[u64] {
        &self.bits[of.index() * self.words..(of.index() + 1) * self.words]
    }

    fn set_mut(&mut self, of: LtsState) -> &mut [u64] {
        &mut self.bits[of.index() * self.words..(of.index() + 1) * self.words]
    }

    /// Whether `by` simulates `of`: whatever this does, that does.
    pub fn holds(&self, of: LtsState, by: LtsState) -> bool {
        has(self.set(of), by)
    }

    /// The states that simulate each other.
    pub fn mutual(&self, states: usize) -> Partition {
        let mut of: IndexVec<LtsState, BlockId> = IndexVec::of(states, BlockId(u32::MAX));
        let mut count = 0;
        for state in (0..states as u32).map(LtsState) {
            if of[state].0 == u32::MAX {
                let alike = members(self.set(state)).filter(|other| self.holds(*other, state));
                let alike: Vec<LtsState> = alike.collect();
                alike.iter().for_each(|other| of[*other] = BlockId(count));
                count += 1;
            }
        }
        Partition::new(&of)
    }
}

fn has(set: &[u64], state: LtsState) -> bool {
    set[state.index() / 64] >> (state.index() % 64) & 1 == 1
}

fn put(set: &mut [u64], state: LtsState) {
    set[state.index() / 64] |= 1 << (state.index() % 64);
}

fn members(set: &[u64]) -> impl Iterator<Item = LtsState> {
    set.iter().enumerate().flat_map(|(at, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (bit < 64).then(|| LtsState(at as u32 * 64 + bit))
        })
    })
}

/// The system without silent steps in which a step is any silent steps and then a visible one. It has no silent circles,
/// and silent steps lead to smaller numbers.
pub fn observed(lts: &Lts, watch: &dyn Watch) -> Result<Lts, TooLarge> {
    let mut rows: Rows<LtsState, LtsStep> = Rows::with_capacity(lts.states(), lts.transitions());
    let (mut own, budget) = (Vec::new(), watch.budget());
    for state in lts.ids() {
        own.clear();
        if !budget.is_spent() {
            own.extend_from_slice(lts.visible_steps(state));
            lts.silent_steps(state)
                .iter()
                .for_each(|step| own.extend_from_slice(rows.row(step.to)));
        }
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|step| rows.push(*step));
        rows.end_row();
        if rows.items() >= u32::MAX as usize {
            return Err(TooLarge::Observed);
        }
    }
    Ok(Lts::new(lts.labels().clone(), lts.initial(), rows))
}

/// Which states simulate which, step by step. What is returned when the budget is spent is too large.
pub fn simulated(lts: &Lts, watch: &dyn Watch) -> Result<Simulation, TooLarge> {
    if lts.states() > MOST_STATES {
        return Err(TooLarge::Simulated { states: lts.states(), most: MOST_STATES });
    }
    let mut work = Shrinking::new(lts);
    let budget = watch.budget();
    while let Some(state) = work.pending.pop() {
        work.shrink_before(state);
        if budget.is_spent() {
            break;
        }
    }
    Ok(work.kept)
}

/// Sets that shrink.
struct Shrinking<'l> {
    lts: &'l Lts,
    back: Rows<LtsState, LtsStep>,
    kept: Simulation,
    /// What left the set of a state since that was looked at.
    gone: Simulation,
    pending: Vec<LtsState>,
    is_pending: IndexVec<LtsState, bool>,
}

impl<'l> Shrinking<'l> {
    /// At first, a state is simulated by those that have all its labels. Sets that are the same for all states with the
    /// same labels are looked at once for all.
    fn new(lts: &'l Lts) -> Shrinking<'l> {
        let states = lts.states();
        let mut new = Shrinking {
            lts,
            back: lts.backwards(),
            kept: Simulation::empty(states),
            gone: Simulation::empty(states),
            pending: Vec::new(),
            is_pending: IndexVec::of(states, false),
        };
        let kinds = Kinds::new(lts);
        for state in lts.ids() {
            new.kept.set_mut(state).copy_from_slice(&kinds.able[kinds.of[state]]);
        }
        new.first_round(&kinds);
        new
    }

    fn first_round(&mut self, kinds: &Kinds) {
        let mut before: FxHashMap<(usize, LtsLabel), Vec<u64>> = FxHashMap::default();
        for state in self.lts.ids() {
            if budget::is_spent() {
                return;
            }
            for step in self.lts.steps(state) {
                let key = (kinds.of[step.to], step.label);
                let able = before.entry(key).or_insert_with(|| {
                    let mut able = vec![0; self.kept.words];
                    for target in members(&kinds.able[key.0]) {
                        let back = self.back.row(target).iter().filter(|back| back.label == key.1);
                        back.for_each(|back| put(&mut able, back.to));
                    }
                    able
                });
                let kept = self.kept.set_mut(state);
                kept.iter_mut().zip(&*able).for_each(|(kept, able)| *kept &= able);
            }
            let gone = self.gone.set_mut(state);
            let all = kinds.able[kinds.of[state]].iter().zip(self.kept.set(state));
            gone.iter_mut().zip(all).for_each(|(gone, (all, kept))| *gone = all & !kept);
            if gone.iter().any(|word| *word != 0) {
                self.ask_for(state);
            }
        }
    }

    fn ask_for(&mut self, state: LtsState) {
        if !std::mem::replace(&mut self.is_pending[state], true) {
            self.pending.push(state);
        }
    }

    /// What no longer simulates a state: those that only had steps to these do not simulate those with steps to the state.
    fn shrink_before(&mut self, state: LtsState) {
        self.is_pending[state] = false;
        let gone: Vec<LtsState> = members(self.gone.set(state)).collect();
        self.gone.set_mut(state).fill(0);
        let before = self.back.row(state).to_vec();
        for by_label in before.chunk_by(|one, other| one.label == other.label) {
            let label = by_label[0].label;
            let back = gone.iter().flat_map(|target| self.back.row(*target));
            let mut unable: Vec<LtsState> =
                back.filter(|back| back.label == label).map(|back| back.to).collect();
            unable.sort_unstable();
            unable.dedup();
            let kept = self.kept.set(state);
            unable.retain(|one| {
                !self.lts.steps_by(*one, label).iter().any(|step| has(kept, step.to))
            });
            for source in by_label {
                self.drop_all(source.to, &unable);
            }
        }
    }

    fn drop_all(&mut self, of: LtsState, unable: &[LtsState]) {
        let mut changed = false;
        for one in unable {
            let (word, bit) = (one.index() / 64, 1 << (one.index() % 64));
            let kept = &mut self.kept.set_mut(of)[word];
            if *kept & bit != 0 {
                *kept &= !bit;
                self.gone.set_mut(of)[word] |= bit;
                changed = true;
            }
        }
        if changed {
            self.ask_for(of);
        }
    }
}

/// States by the labels of their steps.
struct Kinds {
    of: IndexVec<LtsState, usize>,
    /// For each kind, the states that have all its labels.
    able: Vec<Vec<u64>>,
}

impl Kinds {
    fn new(lts: &Lts) -> Kinds {
        let labels = |state: LtsState| {
            let mut labels: Vec<LtsLabel> =
                lts.steps(state).iter().map(|step| step.label).collect();
            labels.dedup();
            labels
        };
        let mut known: indexmap::IndexSet<Vec<LtsLabel>, rustc_hash::FxBuildHasher> =
            indexmap::IndexSet::default();
        let of: IndexVec<LtsState, usize> =
            lts.ids().map(|state| known.insert_full(labels(state)).0).collect();
        let includes = |all: &[LtsLabel], some: &[LtsLabel]| {
            some.iter().all(|label| all.binary_search(label).is_ok())
        };
        let able = known.iter().map(|some| {
            if budget::is_spent() {
                return vec![0; lts.states().div_ceil(64)];
            }
            let fits: Vec<bool> = known.iter().map(|all| includes(all, some)).collect();
            let mut able = vec![0; lts.states().div_ceil(64)];
            lts.ids().filter(|state| fits[of[*state]]).for_each(|state| put(&mut able, state));
            able
        });
        let able = able.collect();
        Kinds { of, able }
    }
}

/// The quotient by mutual simulation, in which a state has no step if another one with the same label leads to a state
/// that does all that this one does and more.
pub fn smallest(lts: &Lts, simulation: &Simulation, partition: &Partition) -> Lts {
    let first = partition.first_states();
    let mut rows: Rows<LtsState, LtsStep> = Rows::with_capacity(partition.len(), 0);
    for state in &first {
        let mut steps: Vec<(LtsLabel, BlockId)> =
            lts.steps(*state).iter().map(|step| (step.label, partition.block(step.to))).collect();
        steps.sort_unstable();
        steps.dedup();
        for (label, block) in &steps {
            let is_less = |(other, better): &&(LtsLabel, BlockId)| {
                other == label && better != block && simulation.holds(first[*block], first[*better])
            };
            if !steps.iter().any(|other| is_less(&other)) {
                rows.push(LtsStep { label: *label, to: LtsState(block.0) });
            }
        }
        rows.end_row();
    }
    let initial = LtsState(partition.block(lts.initial()).0);
    super::quotient::reachable(&Lts::new(lts.labels().clone(), initial, rows))
}

/// Whether a relation is a simulation: one more look at all its pairs.
pub fn is_simulation(lts: &Lts, simulation: &Simulation, watch: &dyn Watch) -> bool {
    let budget = watch.budget();
    lts.ids().all(|state| {
        budget.is_spent()
            || members(simulation.set(state)).all(|by| {
                lts.steps(state).iter().all(|step| {
                    let mut answers = lts.steps_by(by, step.label).iter();
                    answers.any(|answer| simulation.holds(step.to, answer.to))
                })
            })
    })
}

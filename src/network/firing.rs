//! Which vectors can happen in a tuple of states, without going through all of them.
//!
//! Each vector has a member that leads: the one whose part can move with its label in the fewest states. Each part knows, for
//! each of its states, the labels there that lead some vector. So only vectors are looked at whose leading member can move.

use super::behaviour::NotGenerated;
use super::tuples::Layout;
use super::vectors::{Network, NetworkPartId, NetworkVector, NetworkVectorId, Synchron};
use crate::base::IndexVec;
use crate::lts::{LabelTable, Lts, LtsLabel, LtsState, LtsStep, Rows};

/// More steps of one tuple are not made.
pub(super) const MOST_AT_ONCE: usize = 1 << 24;

/// A step of a network: what is seen, and the tuple that it leads to, in [`Fired::targets`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Firing {
    pub label: LtsLabel,
    /// Where the words of the target begin.
    pub target: usize,
}

/// The steps of one tuple.
#[derive(Debug, Default)]
pub(super) struct Fired {
    pub all: Vec<Firing>,
    pub targets: Vec<u64>,
}

/// What can happen in a network.
pub(super) struct Firings<'n> {
    network: &'n Network,
    layout: Layout<NetworkPartId>,
    /// For each part and state: the labels that lead a vector there.
    leading: IndexVec<NetworkPartId, Rows<LtsState, LtsLabel>>,
    /// For each part and label: the vectors that it leads.
    led: IndexVec<NetworkPartId, Rows<LtsLabel, NetworkVectorId>>,
}

impl<'n> Firings<'n> {
    pub fn new(network: &'n Network) -> Firings<'n> {
        let layout = Layout::new(network.parts.iter().map(|part| part.lts.states()));
        let led = led(network);
        let leading =
            network.parts.enumerated().map(|(id, part)| leading(&part.lts, &led[id])).collect();
        Firings { network, layout, leading, led }
    }

    pub fn layout(&self) -> &Layout<NetworkPartId> {
        &self.layout
    }

    /// The tuple in which all parts begin.
    pub fn initial(&self) -> Vec<u64> {
        let mut words = vec![0; self.layout.words()];
        for (id, part) in self.network.parts.enumerated() {
            self.layout.set(&mut words, id, part.lts.initial());
        }
        words
    }

    /// The steps of a tuple, in an order that depends on the network alone. One vector leads to as many different tuples as
    /// its members have ways to move together: if these are more states than there may be, nothing is made of them.
    /// So are vectors left out of which nobody wants what is seen of them.
    pub fn fire(
        &self,
        words: &[u64],
        most: usize,
        wanted: &dyn Fn(LtsLabel) -> bool,
        fired: &mut Fired,
    ) -> Result<(), NotGenerated> {
        fired.all.clear();
        fired.targets.clear();
        for (part, leading) in self.leading.enumerated() {
            for label in leading.row(self.layout.get(words, part)) {
                for id in self.led[part].row(*label) {
                    let vector = &self.network.vectors[*id];
                    if wanted(vector.result) {
                        self.fire_one(vector, words, most, fired)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn fire_one(
        &self,
        vector: &NetworkVector,
        words: &[u64],
        most: usize,
        fired: &mut Fired,
    ) -> Result<(), NotGenerated> {
        let ways = self.ways(&vector.members, words);
        if ways == 0 || vector.rivals.iter().any(|rival| self.ways(rival, words) > 0) {
            return Ok(());
        }
        if ways > most {
            return Err(NotGenerated::TooLarge { most });
        }
        if fired.all.len().saturating_add(ways) > MOST_AT_ONCE {
            return Err(NotGenerated::TooManySteps);
        }
        let first = fired.targets.len();
        fired.targets.extend_from_slice(words);
        for member in &vector.members {
            self.move_all(self.steps(words, *member), member.part, first, &mut fired.targets);
        }
        let ends = (first..fired.targets.len()).step_by(self.layout.words());
        fired.all.extend(ends.map(|target| Firing { label: vector.result, target }));
        Ok(())
    }

    /// In how many ways members can move together.
    fn ways(&self, members: &[Synchron], words: &[u64]) -> usize {
        let mut ways = 1usize;
        for member in members {
            match self.steps(words, *member).len() {
                0 => return 0,
                one => ways = ways.saturating_mul(one),
            }
        }
        ways
    }

    /// In all tuples from a place on, a part makes each of these steps.
    fn move_all(
        &self,
        steps: &[LtsStep],
        part: NetworkPartId,
        first: usize,
        targets: &mut Vec<u64>,
    ) {
        let (width, end) = (self.layout.words(), targets.len());
        let Some((one, others)) = steps.split_first() else { return };
        for step in others {
            let from = targets.len();
            targets.extend_from_within(first..end);
            targets[from..].chunks_mut(width).for_each(|to| self.layout.set(to, part, step.to));
        }
        targets[first..end].chunks_mut(width).for_each(|to| self.layout.set(to, part, one.to));
    }

    /// The steps that a member can make.
    fn steps(&self, words: &[u64], member: Synchron) -> &'n [LtsStep] {
        let state = self.layout.get(words, member.part);
        self.network.parts[member.part].lts.steps_by(state, member.label)
    }
}

/// The member that leads each vector: who can move in the fewest states.
fn leads(network: &Network) -> IndexVec<NetworkVectorId, Option<Synchron>> {
    let counts: IndexVec<NetworkPartId, _> =
        network.parts.iter().map(|part| states_by_label(&part.lts)).collect();
    let rarity = |member: &&Synchron| {
        // Rare among the states of its part: a large part is seldom where it can move.
        let count = counts[member.part][member.label] as u64;
        (count << 32) / network.parts[member.part].lts.states().max(1) as u64
    };
    network.vectors.iter().map(|vector| vector.members.iter().min_by_key(rarity).copied()).collect()
}

/// In how many states there is a step with each label.
fn states_by_label(lts: &Lts) -> IndexVec<LtsLabel, u32> {
    let mut counts = IndexVec::of(lts.labels().len(), 0);
    for state in lts.ids() {
        let groups = lts.steps(state).chunk_by(|one, other| one.label == other.label);
        groups.for_each(|group| counts[group[0].label] += 1);
    }
    counts
}

/// The vectors that each label of each part leads.
fn led(network: &Network) -> IndexVec<NetworkPartId, Rows<LtsLabel, NetworkVectorId>> {
    let mut own: IndexVec<NetworkPartId, Vec<(LtsLabel, NetworkVectorId)>> =
        IndexVec::of(network.parts.len(), Vec::new());
    for (id, lead) in leads(network).enumerated() {
        lead.iter().for_each(|lead| own[lead.part].push((lead.label, id)));
    }
    let of_part = |(part, mut led): (NetworkPartId, Vec<_>)| {
        led.sort_unstable();
        by_label(network.parts[part].lts.labels(), &led)
    };
    network.parts.ids().zip(own).map(of_part).collect()
}

fn by_label(
    labels: &LabelTable,
    led: &[(LtsLabel, NetworkVectorId)],
) -> Rows<LtsLabel, NetworkVectorId> {
    let mut rows = Rows::with_capacity(labels.len(), led.len());
    let mut rest = led.iter().peekable();
    for label in labels.ids() {
        while let Some((_, id)) = rest.next_if(|(of, _)| *of == label) {
            rows.push(*id);
        }
        rows.end_row();
    }
    rows
}

/// The labels that lead some vector, for each state.
fn leading(lts: &Lts, led: &Rows<LtsLabel, NetworkVectorId>) -> Rows<LtsState, LtsLabel> {
    let mut rows = Rows::with_capacity(lts.states(), lts.states());
    for state in lts.ids() {
        for group in lts.steps(state).chunk_by(|one, other| one.label == other.label) {
            if !led.row(group[0].label).is_empty() {
                rows.push(group[0].label);
            }
        }
        rows.end_row();
    }
    rows
}

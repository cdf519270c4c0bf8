//! Strong, branching and divergence-preserving branching bisimilarity: the coarsest partition such that the states of a
//! block have the same signature, by refinement.
//!
//! The signature of a state says what it does and into which blocks that leads (Blom and Orzan). For branching
//! bisimilarity, the system has no silent circles ([`super::silent`]), and the states of a block are looked at in the order
//! of their silent steps, so that for a silent step inside of the block it is known already where it will lead. If all that
//! a state does can also be done where such a step leads, the state goes along with it (the inductive signatures of Blom
//! and van de Pol); otherwise its own steps are its signature. So no signature is larger than what one state does.
//!
//! Only what changed is looked at again. The largest part of a block that is split keeps its number, so each state gets
//! another number at most log n times; then those that have steps to it are *touched*. A state that has a silent step to
//! one that leaves their block is touched, too. What is touched, and has the signature that the block had, stays.
//!
//! Who goes along with whom: of the parts that the silent steps of a state lead to inside of its block, only the one that
//! was made last can be the one, since its signature has to name the others, and a signature names only what was there
//! before.

mod blocks;
mod round;
mod stable;

use super::partition::{BlockId, Partition};
use super::system::{Lts, LtsLabel, LtsState, LtsStep};
use crate::base::{IndexVec, Watch};

use blocks::Blocks;
use round::Round;

pub use stable::{Unstable, unstable};

/// What a state does, and into which block it leads, as one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Entry(u64);

impl Entry {
    /// Silent steps can be made for ever without leaving the block.
    const DIVERGES: Entry = Entry(u64::MAX);

    fn new(label: LtsLabel, block: BlockId) -> Entry {
        Entry(u64::from(label.0) << 32 | u64::from(block.0))
    }

    /// A silent step into this block; silent entries come first.
    fn silent(block: BlockId) -> Entry {
        Entry(u64::from(block.0))
    }

    fn is_silent(self) -> bool {
        self.0 >> 32 == 0
    }

    fn block(self) -> BlockId {
        BlockId(self.0 as u32)
    }
}

/// What is to be refined.
#[derive(Clone, Copy, Debug)]
pub struct Task<'t> {
    /// The system; without silent circles, and with silent steps to smaller numbers, if silent steps are hidden.
    pub lts: &'t Lts,
    /// Whether silent steps inside of a block do not count.
    pub hides: bool,
    /// The states that go on silently for ever, if that counts.
    pub diverges: Option<&'t IndexVec<LtsState, bool>>,
}

impl Task<'_> {
    /// Whether a step is silent, and that means something.
    fn is_hidden(&self, step: &LtsStep) -> bool {
        self.hides && step.label.is_silent()
    }

    fn has_divergence(&self, state: LtsState) -> bool {
        self.diverges.is_some_and(|diverges| diverges[state])
    }
}

/// The coarsest stable partition. What is returned when the budget is spent is some partition.
pub fn refine(task: Task<'_>, watch: &dyn Watch) -> Partition {
    let mut round = Round::new(task, Blocks::new(task.lts.states()));
    let budget = watch.budget();
    let mut rounds: u64 = 0;
    while let Some(block) = round.blocks.next_touched() {
        round.split(block);
        rounds += 1;
        if rounds.is_multiple_of(4096) {
            watch.searching(&format!("refining, {} blocks", round.blocks.len()), 0);
        }
        if budget.is_spent() {
            break;
        }
    }
    Partition::new(&round.blocks.of())
}

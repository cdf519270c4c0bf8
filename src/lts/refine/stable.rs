//! Is a partition stable? One more pass over all transitions, which shares nothing with what found the partition but the
//! form of signatures.

use super::{Entry, Task};
use crate::base::budget;
use crate::lts::partition::{BlockId, Partition};
use crate::lts::system::LtsState;

/// A state that does not do what the first state of its block does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unstable {
    /// The state.
    pub state: LtsState,
    /// Its block.
    pub block: BlockId,
}

/// The first state that shows that a partition is not stable, if there is one.
///
/// Silent steps lead to smaller numbers, so the first state of a block has none inside of it. Every other such state has to
/// do the same. A state with silent steps inside of the block may do less, since it can make these first, and not more.
pub fn unstable(task: Task<'_>, partition: &Partition) -> Option<Unstable> {
    let mut expected = Vec::new();
    let mut own = Vec::new();
    let all = partition.members();
    for block in partition.ids() {
        if budget::is_spent() {
            // Nobody is going to rely on this.
            return None;
        }
        let mut members = all.row(block).iter();
        let Some(first) = members.next() else { continue };
        let rests = signature(task, partition, *first, &mut expected);
        let mut fits = |state: &LtsState| {
            let rests = signature(task, partition, *state, &mut own);
            if rests {
                own == expected
            } else {
                own.iter().all(|one| expected.binary_search(one).is_ok())
            }
        };
        if !rests {
            return Some(Unstable { state: *first, block });
        }
        if let Some(state) = members.find(|state| !fits(state)) {
            return Some(Unstable { state: *state, block });
        }
    }
    None
}

/// What a state does, without silent steps inside of its block; whether it has none of these.
fn signature(
    task: Task<'_>,
    partition: &Partition,
    state: LtsState,
    into: &mut Vec<Entry>,
) -> bool {
    let block = partition.block(state);
    let mut rests = true;
    into.clear();
    for step in task.lts.steps(state) {
        let to = partition.block(step.to);
        if to == block && task.is_hidden(step) {
            rests = false;
        } else {
            into.push(Entry::new(step.label, to));
        }
    }
    if task.has_divergence(state) {
        into.push(Entry::DIVERGES);
    }
    into.sort_unstable();
    into.dedup();
    rests
}

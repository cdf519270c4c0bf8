//! All configurations that were met, with numbers, and all steps between them, one after the other.
//!
//! Steps are not kept: they are made again, in the order of the configurations. So they can be written while they are
//! made, however many there are.

use std::ops::{ControlFlow, Range};

use super::look::{Worker, stride_of};
use super::store::{Ref, SHARDS, read_words, shard_of, write_bytes};
use super::{Searched, store};
use crate::explore::{Gap, Machine};

/// The numbers of configurations: in the order of the levels, beginning with 0.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// For each shard and each of its levels: where it ends, and the number of its first configuration.
    shards: Vec<Vec<(u32, u64)>>,
    /// All pieces, in order.
    pieces: Vec<(usize, Range<usize>)>,
}

/// A step between configurations.
#[derive(Clone, Copy, Debug)]
pub struct Line<'l> {
    /// The number of the first.
    pub from: u64,
    /// The first itself, packed.
    pub at: &'l [u64],
    /// What it shows, as the machine's word for it.
    pub label: &'l [u64],
    /// The number of the second.
    pub to: u64,
}

impl Numbering {
    /// The numbers of what a search met. In a level, configurations come shard by shard.
    pub fn of<M: Machine>(searched: &Searched<'_, M>) -> Numbering {
        let mut all: Vec<(u32, usize, Range<usize>)> = Vec::new();
        for shard in 0..SHARDS {
            let mut start = 0;
            for &(level, end) in searched.shared.shard(shard).levels() {
                all.push((level, shard, start..end as usize));
                start = end as usize;
            }
        }
        all.sort_by_key(|(level, shard, _)| (*level, *shard));
        let (mut shards, mut first) = (vec![Vec::new(); SHARDS], 0);
        for (_, shard, places) in &all {
            shards[*shard].push((places.end as u32, first));
            first += places.len() as u64;
        }
        let pieces = all.into_iter().map(|(_, shard, places)| (shard, places)).collect();
        Numbering { shards, pieces }
    }

    /// The number of a configuration.
    pub fn number(&self, at: Ref) -> u64 {
        let (levels, place) = (&self.shards[at.shard()], at.place());
        let level = levels.partition_point(|&(end, _)| end as usize <= place);
        let start = level.checked_sub(1).map_or(0, |before| levels[before].0 as usize);
        levels.get(level).map_or(0, |&(_, first)| first + (place - start) as u64)
    }

    /// All configurations in the order of their numbers.
    pub fn each(&self) -> impl Iterator<Item = Ref> {
        let pieces = self.pieces.iter();
        pieces.flat_map(|(shard, places)| places.clone().map(|place| Ref::new(*shard, place)))
    }
}

/// Makes all steps again, in the order of the numbers; each once that shows the same and leads to the same. Ends early
/// where it is told to.
pub fn each_line<M: Machine>(
    searched: &Searched<'_, M>,
    numbering: &Numbering,
    mut line: impl FnMut(Line<'_>) -> ControlFlow<()>,
) -> Result<(), Gap> {
    let machine = searched.shared.machine;
    let mut worker = Worker::new(machine);
    let mut bytes = Vec::with_capacity(stride_of(machine));
    for (from, at) in (0..).zip(numbering.each()) {
        if searched.shared.budget.is_spent() {
            return Ok(());
        }
        read_words(searched.shared.shard(at.shard()).get(at.place()), &mut worker.words);
        worker.make_steps(machine, true)?;
        for step in worker.different() {
            let target = worker.moves.target(step);
            let Some(target) = find(searched, target, &mut bytes) else { continue };
            let (label, to) = (worker.moves.label(step), numbering.number(target));
            if line(Line { from, at: &worker.words, label, to }).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A configuration in the store.
pub(super) fn find<M: Machine>(
    searched: &Searched<'_, M>,
    packed: &[u64],
    bytes: &mut Vec<u8>,
) -> Option<Ref> {
    let machine = searched.shared.machine;
    let hash = machine.hash(packed);
    bytes.clear();
    write_bytes(packed, stride_of(machine), bytes);
    let shard = shard_of(hash);
    let place = searched.shared.shard(shard).find(hash, bytes)?;
    Some(store::Ref::new(shard, place))
}

//! What goes from one worker to another.

use serde::{Deserialize, Serialize};

use crate::explore::Luggage;
use crate::explore::search::{Counts, Ended};

/// A configuration, wherever it is: a worker, and a number there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct StateId {
    /// The worker.
    pub worker: u32,
    /// The number, beginning with 0.
    pub number: u32,
}

/// Where steps lead, for one worker. What comes first was found first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Parcel {
    /// The worker that sends it.
    pub from: u32,
    /// The numbers of the configurations that the steps start from.
    pub sources: Vec<u32>,
    /// What the steps show, as places in `texts`; none if nobody wants to know.
    pub labels: Vec<u32>,
    /// The labels in words.
    pub texts: Vec<String>,
    /// Where the steps lead.
    pub words: Vec<u64>,
    /// The larger values that these stand for.
    pub luggage: Luggage,
}

/// Why a worker looks at nothing more.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Halt {
    /// Something wants it to end, in words.
    Told(String),
    /// What was looked for was found.
    Found,
    /// There are more configurations than are allowed.
    States,
}

/// What one worker has seen so far, told to all others at the end of each level.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// The worker.
    pub from: u32,
    /// How many configurations to begin with it has.
    pub begins: u64,
    /// How much it has seen; the depth is that of the last level in which it has something.
    pub counts: Counts,
    /// At how many configurations it looked in this level.
    pub looked: u64,
    /// At how many it did not look.
    pub left: u64,
    /// How many steps to its configurations were made: so many lines it has written.
    pub lines: u64,
    /// How many steps led to configurations that are too far away to be kept.
    pub beyond: u64,
    /// Whether values were left out.
    pub limited: bool,
    /// The first configuration that is what was looked for.
    pub goal: Option<u32>,
    /// The first of which nothing can be said, and why.
    pub gap: Option<(u32, String)>,
    /// Why it looks at nothing more.
    pub halt: Option<Halt>,
    /// What of the net was used, in numbers, if that changed; what they mean is known to whoever put them there.
    pub used: Option<Vec<[u32; 3]>>,
}

/// What a message says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum News {
    /// Where steps lead.
    Steps(Box<Parcel>),
    /// How many configurations a worker has, in the middle of a level, and whether it looks at nothing more.
    Sofar(u32, u64, Option<Halt>),
    /// What a worker has seen at the end of a level.
    Tally(Box<Tally>),
}

/// A message to a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// The worker.
    pub to: u32,
    /// What it is told.
    pub news: News,
}

/// What all workers have seen together, and how it ended where that is no matter of a budget.
pub fn total(tallies: &[Tally]) -> (Counts, Ended) {
    let mut counts = Counts::default();
    for Tally { counts: own, .. } in tallies {
        counts.states += own.states;
        counts.transitions += own.transitions;
        counts.deadlocks += own.deadlocks;
        counts.finals += own.finals;
        counts.bytes += own.bytes;
        counts.depth = counts.depth.max(own.depth);
    }
    let found = tallies.iter().any(|tally| tally.halt == Some(Halt::Found));
    let left: u64 = tallies.iter().map(|tally| tally.left).sum();
    let beyond: u64 = tallies.iter().map(|tally| tally.beyond).sum();
    let ended = match () {
        () if found => Ended::Found,
        () if left > 0 => Ended::States,
        () if beyond > 0 => Ended::Depth,
        () => Ended::Complete,
    };
    (counts, ended)
}

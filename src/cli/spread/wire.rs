//! What a command and the workers that it started tell each other: lines of JSON, by pipes.

use serde::{Deserialize, Serialize};

use crate::explore::search::spread::Tally;
use crate::outcome::Trace;

/// What a worker is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Order {
    /// Listen at this address.
    Listen(String),
    /// Meet the others at these addresses; who knows the secret is one of them.
    Meet { secret: String, addresses: Vec<String> },
    /// End: after so many thousandths of a second the time was up, or somebody wants it to end.
    Stop(Option<u64>),
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Said {
    /// It listens at this address.
    Listening(String),
    /// So many configurations and steps so far, at this depth.
    Progress(u64, u64, u64),
    /// It is still there: said again and again, whatever else it does.
    Alive,
    /// It was told to end, by somebody else.
    Stopping,
    /// It is over.
    Ended(Box<Report>),
    /// It could not do it: the command makes no sense, or others were not met.
    Failed(String),
}

/// What a worker says at its end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Report {
    /// What each worker has told last; at the end of a whole run, all that there is.
    pub tallies: Vec<Tally>,
    /// How many configurations to begin with this worker has.
    pub begins: u64,
    /// How many lines and configurations are in its shard.
    pub shard: (u64, u64),
    /// The worker that is gone, if one is.
    pub lost: Option<u32>,
    /// What was found, with how to get there.
    pub run: Option<Found>,
}

/// A way to what was looked for, or why it cannot be shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::cli) enum Found {
    Run(Box<Trace>),
    NotFollowed(String),
}

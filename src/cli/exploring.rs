//! Options of every command that explores configurations.

use crate::explore::search::SearchLimits;

/// How far to explore.
#[derive(clap::Args)]
pub(super) struct Exploring {
    /// How many configurations may be kept
    #[arg(long, value_name = "N")]
    most_states: Option<u64>,
    /// How many steps to go from the beginning
    #[arg(long, value_name = "N")]
    depth: Option<u64>,
}

impl Exploring {
    /// The limits, for so many threads.
    pub fn limits(&self, jobs: usize) -> SearchLimits {
        SearchLimits {
            most_states: self.most_states.unwrap_or(u64::MAX),
            most_depth: self.depth.unwrap_or(u64::MAX),
            jobs,
            ..SearchLimits::default()
        }
    }
}

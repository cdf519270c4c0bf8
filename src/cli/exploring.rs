//! Options of every command that explores configurations.

use clap::ValueEnum;

use crate::explore::Reduce;
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

/// What exploration may leave out.
#[derive(clap::Args)]
pub(super) struct Reducing {
    /// What exploration leaves out that makes no difference to `deadlock_free`, `always` and `reaches`
    #[arg(long, value_enum, value_name = "WHAT", default_value = "all")]
    reduce: ReduceName,
}

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReduceName {
    /// Nothing
    None,
    /// Other orders of steps that do not disturb each other
    Order,
    /// Configurations in which like members of families have changed places
    Symmetry,
    /// Both
    All,
}

impl Reducing {
    /// What is left out.
    pub fn reduce(&self) -> Reduce {
        match self.reduce {
            ReduceName::None => Reduce::None,
            ReduceName::Order => Reduce::Order,
            ReduceName::Symmetry => Reduce::Symmetry,
            ReduceName::All => Reduce::All,
        }
    }
}

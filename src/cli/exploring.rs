//! Options of every command that explores configurations.

use clap::ValueEnum;

use super::domains::DomainArgs;
use crate::explore::search::SearchLimits;
use crate::explore::{EngineChoice, ExploreOptions, Reduce};

/// How far to explore.
#[derive(clap::Args)]
pub(super) struct Exploring {
    /// How many configurations may be kept
    #[arg(long, value_name = "N")]
    most_states: Option<u64>,
    /// How many steps to go from the beginning
    #[arg(long, value_name = "N")]
    depth: Option<u64>,
    /// Go in depth, and not level by level: on one thread, leaving out nothing, and what is found may be farther away
    #[arg(long)]
    depth_first: bool,
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

    /// Whether to go in depth.
    pub fn is_deep(&self) -> bool {
        self.depth_first
    }
}

/// Who answers a check.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// Exploration first, then all others at once: the first that has evidence answers, and is named
    Auto,
    /// Exploration, configuration by configuration: where the data are finite
    #[value(alias = "finite")]
    Explicit,
    /// The open automaton, with a solver: where the data are without end and the locations few
    Symbolic,
    /// Runs of one step, of two and so on, with a solver: finds shortest runs, proves nothing
    Bounded,
    /// Invariants that are guessed from examples, and kept if they are inductive: proves, finds no runs
    Induction,
    /// Configuration by configuration, those first from which something bad seems near: finds runs, long ones too, proves
    /// nothing
    Directed,
    /// Lazy predicate abstraction, with interactions that do not disturb each other done at once: proves, and finds runs
    Abstraction,
    /// The same, with every interaction done by itself
    AbstractionFull,
    /// Horn clauses, solved by Z3's Spacer: proves, and finds runs
    Horn,
    /// A system that is made part by part, each part reduced: where the data are finite, and parts hide much
    Composition,
    /// The program MONA, which has to be installed: decides claims about every size by the published formula (docs/parametric.md)
    Mona,
}

impl EngineName {
    fn choice(self) -> EngineChoice {
        match self {
            EngineName::Auto => EngineChoice::Auto,
            EngineName::Explicit => EngineChoice::Explicit,
            EngineName::Symbolic => EngineChoice::Symbolic,
            EngineName::Bounded => EngineChoice::Bounded,
            EngineName::Induction => EngineChoice::Induction,
            EngineName::Directed => EngineChoice::Directed,
            EngineName::Abstraction => EngineChoice::Abstraction,
            EngineName::AbstractionFull => EngineChoice::AbstractionFull,
            EngineName::Horn => EngineChoice::Horn,
            EngineName::Composition => EngineChoice::Composition,
            EngineName::Mona => EngineChoice::Mona,
        }
    }
}

/// Who answers checks that several can answer, and with which values.
#[derive(clap::Args)]
pub(super) struct Engaging {
    /// Who answers `always`, `reaches`, `deadlock_free` and what formulas say of all runs (docs/safety.md says what each is
    /// good at), and, of `explicit` and `symbolic`, who compares; other checks are answered as they can be
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineName,
    #[command(flatten)]
    domains: DomainArgs,
}

impl Engaging {
    /// Which values are tried.
    pub fn domains(&self) -> &DomainArgs {
        &self.domains
    }

    /// How nets are explored, on so many threads.
    pub fn options(&self, jobs: usize) -> ExploreOptions {
        ExploreOptions {
            engine: self.engine.choice(),
            domains: self.domains.given().to_vec(),
            jobs,
            ..ExploreOptions::default()
        }
    }
}

/// How checks are answered that exploration can answer.
#[derive(clap::Args)]
pub(super) struct Answering {
    #[command(flatten)]
    engaging: Engaging,
    #[command(flatten)]
    exploring: Exploring,
    #[command(flatten)]
    reducing: Reducing,
}

impl Answering {
    /// How nets are explored, on so many threads.
    pub fn options(&self, jobs: usize) -> ExploreOptions {
        let limits = self.exploring.limits(jobs);
        ExploreOptions {
            most_states: limits.most_states,
            most_depth: limits.most_depth,
            in_depth: self.exploring.is_deep(),
            reduce: self.reducing.reduce(),
            ..self.engaging.options(jobs)
        }
    }
}

/// What exploration may leave out.
#[derive(clap::Args)]
struct Reducing {
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
    fn reduce(&self) -> Reduce {
        match self.reduce {
            ReduceName::None => Reduce::None,
            ReduceName::Order => Reduce::Order,
            ReduceName::Symmetry => Reduce::Symmetry,
            ReduceName::All => Reduce::All,
        }
    }
}

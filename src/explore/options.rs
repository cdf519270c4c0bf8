//! How checks are answered by exploration.

use super::{NamedDomain, Reduce};

/// Who answers a check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineChoice {
    /// Whoever can, one after the other.
    #[default]
    Auto,
    /// Exploration, configuration by configuration.
    Explicit,
    /// The open automaton, with a solver.
    Symbolic,
    /// Unrolling, with a solver.
    Bounded,
    /// Invariants that are guessed and inductive.
    Induction,
    /// Configurations, those first from which something bad seems near.
    Directed,
    /// Lazy abstraction, with simultaneous sets.
    Abstraction,
    /// Lazy abstraction, every interaction by itself.
    AbstractionFull,
    /// Horn clauses.
    Horn,
    /// A system that is made part by part.
    Composition,
    /// Claims about every size, by MONA.
    Mona,
}

/// How nets are explored.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ExploreOptions {
    /// Who answers checks that several can answer.
    pub engine: EngineChoice,
    /// Which values are tried where there are too many.
    pub domains: Vec<NamedDomain>,
    /// How many configurations may be kept.
    pub most_states: u64,
    /// How many steps may be made from where it begins.
    pub most_depth: u64,
    /// Whether it goes in depth, and not level by level.
    pub in_depth: bool,
    /// What may be left out.
    pub reduce: Reduce,
    /// How many threads work.
    pub jobs: usize,
}

impl Default for ExploreOptions {
    fn default() -> ExploreOptions {
        ExploreOptions {
            engine: EngineChoice::Auto,
            domains: Vec::new(),
            most_states: u64::MAX,
            most_depth: u64::MAX,
            in_depth: false,
            reduce: Reduce::default(),
            jobs: 1,
        }
    }
}

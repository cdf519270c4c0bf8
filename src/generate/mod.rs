//! From a pNet to its open automaton.
//!
//! Input: a pNet that is well formed. Output: its open automaton (Ameur-Boulifa et al., JLAMP 2023, Definition 6),
//! without transitions that are impossible and states that cannot be reached, as far as the solver could tell: where
//! it did not know, the transition is kept and listed. The three algorithms give the same automaton.

mod compose;
mod explore;
mod fast;
mod finish;
mod literal;
mod parts;
mod priority;
pub(crate) mod reach;
pub(crate) mod rules;
pub(crate) mod solve;

use std::rc::Rc;

pub use compose::{Filling, Misfit, compose};
pub use parts::{Composed, generate_parts};
pub(crate) use priority::blocked;
pub use rules::{Because, Move};

use self::explore::Explorable;
use self::rules::{Open, Rules};
use crate::automaton::{OpenAutomaton, StateId, TransitionId};
use crate::base::IndexVec;
pub use crate::base::{Unwatched, Watch};
use crate::pnet::{PNet, PltsStates, is_open_world};
use crate::smt::{Limits, Oracle, OracleOptions, Query};

/// How to explore.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Algorithm {
    /// Algorithms 1 and 2 of Qin et al.: build everything, then ask.
    Naive,
    /// Algorithm 3: ask as it goes.
    Smart,
    /// Our own.
    #[default]
    Fast,
}

/// How far to go in leaving out transitions that the values of variables make impossible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Refine {
    /// Until nothing changes.
    #[default]
    Full,
    /// One round.
    Once,
    /// Not at all.
    None,
}

/// How an automaton is to be generated.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// How to explore.
    pub algorithm: Algorithm,
    /// How far to go in leaving out transitions.
    pub refine: Refine,
    /// How many solvers work at once.
    pub jobs: usize,
    /// How long a question may take.
    pub limits: Limits,
    /// Whether all questions are kept.
    pub keep_questions: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: Algorithm::default(),
            refine: Refine::default(),
            jobs: 1,
            limits: Limits::default(),
            keep_questions: false,
        }
    }
}

impl Options {
    /// How questions are asked.
    pub fn asking(&self) -> OracleOptions {
        let Options { limits, jobs, keep_questions, .. } = *self;
        OracleOptions { limits, jobs, keep_questions, remember: true }
    }
}

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// States of the automaton.
    pub states: usize,
    /// Its open transitions.
    pub transitions: usize,
    /// Other open transitions that were built.
    pub removed: usize,
    /// Questions to the solver.
    pub queries: usize,
    /// Questions that were like an earlier one.
    pub cache_hits: usize,
    /// Transitions of which it is not known whether they are possible.
    pub unknown: usize,
}

/// An automaton, and what is to be said about how it came to be.
#[derive(Debug)]
pub struct Generated {
    /// The automaton.
    pub automaton: OpenAutomaton,
    /// What was counted.
    pub counts: Counts,
    /// The transitions of which it is not known whether they are possible, and why.
    pub unknown: Vec<(TransitionId, String)>,
    /// Whether somebody stopped the work: then the automaton is only a part.
    pub stopped: bool,
    /// Everything that was asked, when this was to be kept.
    pub asked: Vec<Query>,
    /// Whether it was composed of other automata: then its terms are not those of a net.
    pub composed: bool,
}

/// What a strategy finds. States are tuples of the states of all pLTSs; the first is the initial one.
struct Found {
    states: IndexVec<StateId, PltsStates>,
    /// Open transitions that seem possible, and why that is not known.
    moves: Vec<Explorable<(Rc<Open>, Option<String>)>>,
    /// How many open transitions of the whole net were built.
    built: usize,
    stopped: bool,
}

/// Generates the open automaton of a net, in which each interaction is a vector of its own: of one with members that may
/// take part or not, only a part is found.
pub fn generate(net: &PNet, options: &Options, watch: &dyn Watch) -> Generated {
    let _here = watch.budget().enter();
    let mut rules = Rules::new(net);
    let remember = options.algorithm == Algorithm::Fast;
    let asking = OracleOptions { remember, ..options.asking() };
    let mut oracle = Oracle::new(&net.algebra, is_open_world(net), asking);
    let found = match options.algorithm {
        Algorithm::Fast => fast::explore(&mut rules, &mut oracle, watch),
        literal => literal::explore(&mut rules, &mut oracle, literal, watch),
    };
    let mut generated = finish::finish(rules, oracle, found, options, watch);
    generated.stopped |= net.has_optional();
    generated
}

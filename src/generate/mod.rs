//! From a pNet to its open automaton.
//!
//! Input: a pNet that is well formed. Output: its open automaton (Definition 6 of the JLAMP paper), without
//! transitions that are impossible and states that cannot be reached, as far as the solver could tell: where it
//! did not know, the transition is kept and listed. The three algorithms give the same automaton.

pub(crate) mod ask;
mod compose;
mod digits;
mod fast;
mod finish;
mod literal;
mod parts;
mod priority;
pub(crate) mod reach;
pub(crate) mod rules;
pub(crate) mod solve;

use std::rc::Rc;

pub use ask::Asked;
pub use compose::{Filling, Misfit, compose};
pub(crate) use digits::next;
pub use parts::{Composed, generate_parts};
pub(crate) use priority::blocked;
pub use rules::{Because, Move};

use self::ask::Asker;
use self::rules::{Open, Rules};
use crate::automaton::OpenAutomaton;
use crate::base::Budget;
use crate::pnet::{Hole, HoleSort, PNet};
use crate::smt::Limits;

/// How to explore.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Algorithm {
    /// Algorithms 1 and 2 of the paper: build everything, then ask.
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

/// Somebody who watches the work, and has a budget for it.
pub trait Watch {
    /// How far it is: states, transitions and questions so far.
    fn progress(&self, states: usize, transitions: usize, queries: usize);

    /// The budget: when it is spent, the work ends with what was found so far.
    fn budget(&self) -> Budget;

    /// What is being looked for, and the questions so far.
    fn searching(&self, _what: &str, queries: usize) {
        self.progress(0, 0, queries);
    }

    /// Something was not done as it was asked for; the result is the same.
    fn note(&self, _text: &str) {}
}

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        Budget::default()
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
    /// The transitions of which it is not known whether they are possible, by their places, and why.
    pub unknown: Vec<(usize, String)>,
    /// Whether somebody stopped the work: then the automaton is only a part.
    pub stopped: bool,
    /// Everything that was asked, when this was to be kept.
    pub asked: Vec<Asked>,
    /// Whether it was composed of other automata: then its terms are not those of a net.
    pub composed: bool,
}

/// What exploring finds. States are tuples of the states of all pLTSs; the first is the initial one.
struct Explored {
    states: Vec<Box<[u32]>>,
    found: Vec<Found>,
    /// How many open transitions of the whole net were built.
    built: usize,
    stopped: bool,
}

impl Explored {
    fn new(initial: Box<[u32]>) -> Explored {
        Explored { states: vec![initial], found: Vec::new(), built: 0, stopped: false }
    }
}

/// An open transition that seems possible, between states that are known by their places.
struct Found {
    source: usize,
    target: usize,
    open: Rc<Open>,
    unknown: Option<String>,
}

/// Whether a net has a hole that may do what nobody declared.
pub fn is_open_world(net: &PNet) -> bool {
    is_open(&net.holes)
}

/// Whether one of these holes may do what nobody declared.
pub fn is_open(holes: &[Hole]) -> bool {
    holes.iter().any(|hole| hole.sort == HoleSort::Any)
}

/// Generates the open automaton of a net.
pub fn generate(net: &PNet, options: &Options, watch: &dyn Watch) -> Generated {
    let _here = watch.budget().enter();
    let mut rules = Rules::new(net);
    let remember = options.algorithm == Algorithm::Fast;
    let mut asker = Asker::new(&net.algebra, is_open_world(net), options, remember);
    let explored = match options.algorithm {
        Algorithm::Fast => fast::explore(&mut rules, &mut asker, watch),
        literal => literal::explore(&mut rules, &mut asker, literal, watch),
    };
    finish::finish(rules, asker, explored, options, watch)
}

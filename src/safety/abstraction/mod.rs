//! Lazy abstraction: cells of configurations, made of predicates that are found where they are missing.
//!
//! A node of the tree is a place, that is a location for each component, and a region: literals of predicates about single
//! components, and of predicates about several. What follows from a node is what interactions do to it (`post`). Where a
//! node may be bad, the path to it is made again with symbolic values (`path`): it is a run, or says which predicates to look
//! at (`refine`); then the tree is cut where they make a difference.
//!
//! Some interactions can be done together (`together`): then there are fewer nodes, and the tree is no invariant.
//!
//! - `place`: places, moves between them, conditions at them;
//! - `predicate`: predicates, and where they are looked at;
//! - `tree`: nodes, and which of them are covered;
//! - `prove`: invariants.
//!
//! Claim: whatever is called safe has an invariant that was checked obligation by obligation. A tree proves nothing.

mod path;
mod place;
mod post;
mod predicate;
mod prove;
mod refine;
mod search;
mod together;
mod tree;

use super::{Effort, Engine, Found, Open, Problem};
use crate::base::Watch;
use crate::smt::Limits;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Abstraction {
    /// Whether interactions that have nothing to do with each other are done together.
    pub together: bool,
    /// Whether what was left out then is done after all where no invariant is found without.
    pub completes: bool,
    /// How long the solver may think about one question.
    pub limits: Limits,
}

impl Default for Abstraction {
    fn default() -> Abstraction {
        Abstraction { together: true, completes: true, limits: Limits::default() }
    }
}

impl Abstraction {
    /// The engine that does one interaction after the other.
    pub fn full() -> Abstraction {
        Abstraction { together: false, ..Abstraction::default() }
    }
}

impl Engine for Abstraction {
    fn name(&self) -> &'static str {
        if self.together { "abstraction" } else { "abstraction-full" }
    }

    fn solve(&self, problem: &Problem<'_>, watch: &dyn Watch) -> (Found, Effort) {
        match search::Search::new(problem, watch, *self) {
            Ok(mut search) => {
                let found = match search.run() {
                    Ok(found) => found,
                    Err(why) => Found::Open(Open::Solver(why.to_string())),
                };
                (found, search.effort())
            }
            Err(why) => (Found::Open(Open::Solver(why.to_string())), Effort::default()),
        }
    }
}

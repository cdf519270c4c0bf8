//! Who watches over long work.

use super::Budget;

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

    /// How far an exploration is: configurations, steps, and the depth of the level that is looked at.
    fn exploring(&self, states: u64, transitions: u64, _depth: u64) {
        self.progress(states as usize, transitions as usize, 0);
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

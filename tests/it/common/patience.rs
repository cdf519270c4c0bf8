//! Checks that ask too much are given up, after the same number of questions on every machine.

use pnetc::base::{Budget, Spent};
use pnetc::generate::Watch;

/// Stops after so many questions to the solver.
#[derive(Debug)]
pub struct Patience {
    most: usize,
    budget: Budget,
}

impl Patience {
    pub fn of(most: usize) -> Patience {
        Patience { most, budget: Budget::default() }
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience::of(4_000)
    }
}

impl Watch for Patience {
    fn progress(&self, _states: usize, _transitions: usize, queries: usize) {
        if queries > self.most {
            self.budget.spend(Spent::Interrupted);
        }
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }
}

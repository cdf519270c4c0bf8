//! Checks that ask too much are given up, after the same number of questions on every machine.

use std::cell::Cell;

use pnetc::generate::Watch;

/// Stops after so many questions to the solver.
#[derive(Debug)]
pub struct Patience {
    most: usize,
    asked: Cell<usize>,
}

impl Patience {
    pub fn of(most: usize) -> Patience {
        Patience { most, asked: Cell::new(0) }
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience::of(4_000)
    }
}

impl Watch for Patience {
    fn progress(&self, _states: usize, _transitions: usize, queries: usize) {
        self.asked.set(queries);
    }

    fn stopped(&self) -> bool {
        self.asked.get() > self.most
    }
}

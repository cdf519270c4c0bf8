//! What can be asked of a part whose system is not there yet: it is made on the way, as far as somebody gets.

use thiserror::Error;

use crate::base::Spent;
use crate::lts::{LabelTable, Lts, LtsState, LtsStep};

/// Why there is no system.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotGenerated {
    /// The budget is spent.
    #[error(transparent)]
    Spent(#[from] Spent),
    /// There are too many states.
    #[error("there are more than {most} states; raise `--most-states`")]
    TooLarge {
        /// How many there may be.
        most: usize,
    },
    /// The part itself cannot say what it does, in words of its own.
    #[error("{why}")]
    Gap {
        /// Why.
        why: String,
    },
}

/// A system that is made on the way. States are numbered by whoever implements this, as they are met.
pub trait Behaviour {
    /// All labels that its steps may have; some may never be seen.
    fn labels(&self) -> &LabelTable;

    /// Where it begins.
    fn initial(&mut self) -> Result<LtsState, NotGenerated>;

    /// Writes the steps of a state that was met into an empty list; in any order.
    fn steps(&mut self, state: LtsState, steps: &mut Vec<LtsStep>) -> Result<(), NotGenerated>;
}

impl Behaviour for &Lts {
    fn labels(&self) -> &LabelTable {
        Lts::labels(self)
    }

    fn initial(&mut self) -> Result<LtsState, NotGenerated> {
        Ok(Lts::initial(self))
    }

    fn steps(&mut self, state: LtsState, steps: &mut Vec<LtsStep>) -> Result<(), NotGenerated> {
        steps.extend_from_slice(Lts::steps(self, state));
        Ok(())
    }
}

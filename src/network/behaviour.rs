//! What can be asked of a part whose system is not there yet: it is made on the way, as far as somebody gets.

use thiserror::Error;

use crate::base::{Budget, Spent};
use crate::lts::{LabelTable, Lts, LtsLabel, LtsState, LtsStep, NotReduced};

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
    /// There are too many transitions to be kept.
    #[error("there are too many transitions to be kept; reduce or restrict the parts first")]
    TooManySteps,
    /// A part does what it was said not to do, so that the interface that was made for it is wrong.
    #[error("the part does `{label}`, which its abstraction lacks; add this label there")]
    Unforeseen {
        /// What it does.
        label: String,
    },
    /// What was made on the way could not be reduced.
    #[error(transparent)]
    NotReduced(NotReduced),
    /// The part itself cannot say what it does, in words of its own.
    #[error("{why}")]
    Gap {
        /// Why.
        why: String,
    },
}

impl From<NotReduced> for NotGenerated {
    fn from(why: NotReduced) -> NotGenerated {
        match why {
            NotReduced::Spent(spent) => NotGenerated::Spent(spent),
            why => NotGenerated::NotReduced(why),
        }
    }
}

/// Whether there is something left of the budget.
pub(super) fn look(budget: &Budget) -> Result<(), NotGenerated> {
    if !budget.is_spent() {
        return Ok(());
    }
    budget.spent().map_or(Ok(()), |spent| Err(spent.into()))
}

/// A system that is made on the way. States are numbered by whoever implements this, as they are met.
pub trait Behaviour {
    /// All labels that its steps may have; some may never be seen.
    fn labels(&self) -> &LabelTable;

    /// Where it begins.
    fn initial(&mut self) -> Result<LtsState, NotGenerated>;

    /// Adds the steps of a state that was met to a list, in any order. Labels that are not wanted need not be looked at: steps
    /// with them may be among the others, and are left out by whoever asked. No label of a state is wanted twice.
    fn steps(
        &mut self,
        state: LtsState,
        wanted: &dyn Fn(LtsLabel) -> bool,
        steps: &mut Vec<LtsStep>,
    ) -> Result<(), NotGenerated>;
}

impl Behaviour for &Lts {
    fn labels(&self) -> &LabelTable {
        Lts::labels(self)
    }

    fn initial(&mut self) -> Result<LtsState, NotGenerated> {
        Ok(Lts::initial(self))
    }

    fn steps(
        &mut self,
        state: LtsState,
        wanted: &dyn Fn(LtsLabel) -> bool,
        steps: &mut Vec<LtsStep>,
    ) -> Result<(), NotGenerated> {
        steps.extend(Lts::steps(self, state).iter().filter(|step| wanted(step.label)));
        Ok(())
    }
}

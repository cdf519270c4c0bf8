//! Finite systems, of which every configuration and step is known, and what is asked of their atoms.

use thiserror::Error;

use super::formula::{StatePredicate, StepPattern};
use crate::algebra::{TermId, VarId};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::explore::{Gap, Value};
use crate::lts::{LtsState, Rows};
use crate::tagged_id;

tagged_id! {
    /// Something that is done in steps: the same in all steps that show the same.
    MoveId
}

/// The values of the variables that a formula has bound, in the order in which it bound them.
pub type Bindings = Vec<(VarId, Value)>;

/// A finite system.
#[derive(Debug)]
pub struct FiniteSystem {
    /// Where it begins.
    pub begins: Vec<LtsState>,
    /// The steps of each configuration.
    pub steps: Rows<LtsState, (MoveId, LtsState)>,
}

/// What atoms of formulas say in a finite system.
pub trait Atoms {
    /// Whether a predicate is true of a configuration.
    fn holds(&mut self, at: LtsState, says: &StatePredicate, bound: &Bindings)
    -> Result<bool, Gap>;

    /// Of which of the first so many configurations a predicate is true, where nothing is bound.
    fn holds_where(
        &mut self,
        states: usize,
        says: &StatePredicate,
    ) -> Result<Vec<bool>, Undecided> {
        let mut found = Vec::with_capacity(states);
        for at in 0..states {
            if at.is_multiple_of(1024) && is_spent() {
                return Err(Undecided::Stopped);
            }
            found.push(self.holds(LtsState::at(at), says, &Bindings::new())?);
        }
        Ok(found)
    }

    /// Whether a step is meant by a pattern that is not made of others.
    fn fits(&mut self, done: MoveId, step: &StepPattern, bound: &Bindings) -> Result<bool, Gap>;

    /// What a term over what is shown, and over what was bound, comes to.
    fn value(&mut self, done: Option<MoveId>, term: TermId, bound: &Bindings)
    -> Result<Value, Gap>;

    /// All values of a variable.
    fn values(&mut self, var: VarId) -> Result<Vec<Value>, Gap>;

    /// Whether a hole takes part.
    fn needs_hole(&self, done: MoveId) -> bool;
}

/// Why a formula is not decided.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Undecided {
    /// It is not known what an atom says.
    #[error("{0}")]
    Gap(#[from] Gap),
    /// The budget was spent.
    #[error("the work was stopped")]
    Stopped,
    /// A fixpoint speaks of itself under an odd number of negations.
    #[error("a fixpoint stands inside of itself under a negation, so that it has no meaning")]
    NotMonotone,
    /// A fixpoint is spoken of where it is not.
    #[error("a fixpoint is named outside of itself")]
    Unbound,
    /// What is said of runs speaks of a fixpoint around it.
    #[error("operators on runs stand inside of each other, around the name of a fixpoint")]
    Mixed,
    /// There are too many operators on runs.
    #[error("more than 64 operators on runs stand inside of one `A` or `E`")]
    Large,
    /// Numbers do not suffice.
    #[error("there are too many pairs of a configuration and a part of the formula")]
    TooMany,
}

impl FiniteSystem {
    /// How many configurations there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether a step is meant by a pattern.
pub(super) fn fits(
    atoms: &mut dyn Atoms,
    done: MoveId,
    step: &StepPattern,
    bound: &Bindings,
) -> Result<bool, Gap> {
    Ok(match step {
        StepPattern::Any => true,
        StepPattern::Not(inner) => !fits(atoms, done, inner, bound)?,
        StepPattern::And(parts) => {
            for part in parts {
                if !fits(atoms, done, part, bound)? {
                    return Ok(false);
                }
            }
            true
        }
        StepPattern::Or(parts) => {
            for part in parts {
                if fits(atoms, done, part, bound)? {
                    return Ok(true);
                }
            }
            false
        }
        leaf => atoms.fits(done, leaf, bound)?,
    })
}

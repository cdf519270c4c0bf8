//! Whether a reduced system is the smallest one: any two of its states are told apart by a formula.
//!
//! Input: a system that was reduced by a bisimilarity, or made deterministic and then reduced. Output: formulas, each with
//! the states in which it holds and those in which it does not, which take all states apart, one split after the other.
//! Claimed: in which states a formula holds was found by evaluating it (`formula.rs`), which shares nothing with what reduced
//! the system, nor with what made the formula. For any two states there is a split that has them on different sides: that one
//! formula is the reason why they are two.

use super::distinguish::{Bisimilarity, Levels, Making};
use super::formula::{Evaluation, FormulaId, Formulas};
use super::partition::Partition;
use super::quotient::{Quotienting, Steps, block_system};
use super::reduce::{Equivalence, NotReduced, TooLarge, look};
use super::silent::contract;
use super::system::{Lts, LtsState};
use crate::base::{IndexVec, Watch};

/// Formulas are made for systems of at most so many states.
const MOST_STATES: usize = 3000;

/// States that a formula takes apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Splitting {
    /// The formula.
    pub formula: FormulaId,
    /// Where it holds.
    pub holds: Vec<LtsState>,
    /// Where it does not.
    pub fails: Vec<LtsState>,
}

/// How the states of a system are told apart.
#[derive(Clone, Debug)]
pub struct ToldApart {
    /// The formulas, with those that they are made of.
    pub formulas: Formulas,
    /// All states are taken apart by these, one after the other: each splits what is left together by those before it.
    pub splits: Vec<Splitting>,
    /// Two states that no formula tells apart: the system is not the smallest one.
    pub alike: Option<(LtsState, LtsState)>,
}

/// What tells states apart that are not equivalent in a reduced system; nothing where formulas of this kind do not.
fn bisimilarity(by: Equivalence) -> Option<Bisimilarity> {
    match by {
        // Deterministic systems with the same traces are bisimilar.
        Equivalence::Strong | Equivalence::Trace | Equivalence::WeakTrace => {
            Some(Bisimilarity::Strong)
        }
        Equivalence::Branching => Some(Bisimilarity::Branching { diverging: false }),
        Equivalence::DivergencePreserving => Some(Bisimilarity::Branching { diverging: true }),
        Equivalence::Weak => Some(Bisimilarity::Weak),
        Equivalence::Safety => None,
    }
}

/// Tells all states of a reduced system apart; nothing where no formulas are made for a relation.
pub fn told_apart(
    small: &Lts,
    by: Equivalence,
    watch: &dyn Watch,
) -> Result<Option<ToldApart>, NotReduced> {
    let Some(bisimilarity) = bisimilarity(by) else { return Ok(None) };
    let too_large = TooLarge::Formulas { most: MOST_STATES };
    if small.states() > MOST_STATES {
        return Err(too_large.into());
    }
    let (numbered, of) = numbered(small, bisimilarity);
    let levels = Levels::to_the_end(&numbered, bisimilarity, watch);
    look(watch)?;
    let levels = levels.ok_or(too_large)?;
    let evaluation = Evaluation::new(small, small.labels());
    let apart = Apart { of, making: Making::new(&levels), evaluation, splits: Vec::new() };
    apart.all(small, watch).map(Some)
}

/// The same system with numbers by silent steps, as formulas are made of, and the numbers. Where there are silent circles, some
/// states get the same one.
fn numbered(small: &Lts, by: Bisimilarity) -> (Lts, IndexVec<LtsState, LtsState>) {
    if by == Bisimilarity::Strong {
        return (small.clone(), small.ids().collect());
    }
    let contracted = contract(small.clone());
    let diverging = by == Bisimilarity::Branching { diverging: true };
    let how = Quotienting {
        steps: Steps::OfFirst,
        hides: false,
        diverges: diverging.then_some(&contracted.diverges),
    };
    let each = Partition::discrete(contracted.lts.states());
    (block_system(&contracted.lts, &each, how), contracted.of)
}

struct Apart<'a> {
    /// The states as formulas are made of.
    of: IndexVec<LtsState, LtsState>,
    making: Making<'a>,
    evaluation: Evaluation<'a>,
    splits: Vec<Splitting>,
}

impl Apart<'_> {
    fn all(mut self, small: &Lts, watch: &dyn Watch) -> Result<ToldApart, NotReduced> {
        let (mut open, mut alike) = (vec![small.ids().collect::<Vec<LtsState>>()], None);
        while let Some(together) = open.pop() {
            look(watch)?;
            let [one, other, ..] = together.as_slice() else { continue };
            match self.split(*one, *other, &together)? {
                Some(split) => {
                    open.extend([split.fails.clone(), split.holds.clone()]);
                    self.splits.push(split);
                }
                None => {
                    alike = Some((*one, *other));
                    break;
                }
            }
        }
        Ok(ToldApart { formulas: self.making.formulas, splits: self.splits, alike })
    }

    /// States taken apart by what tells two of them apart; nothing where nothing does.
    fn split(
        &mut self,
        one: LtsState,
        other: LtsState,
        together: &[LtsState],
    ) -> Result<Option<Splitting>, NotReduced> {
        let Some(formula) = self.making.tell(self.of[one], self.of[other]) else {
            return Ok(None);
        };
        // Nothing is evaluated any more once the budget is spent, which is seen before the next split.
        let Some(held) = self.evaluation.of(&self.making.formulas, formula) else {
            return Ok(Some(Splitting { formula, holds: Vec::new(), fails: Vec::new() }));
        };
        if !held[one.index()] || held[other.index()] {
            return Err(NotReduced::Unstable);
        }
        let (holds, fails) = together.iter().partition(|state| held[state.index()]);
        Ok(Some(Splitting { formula, holds, fails }))
    }
}

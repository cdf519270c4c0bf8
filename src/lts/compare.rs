//! Two systems compared, with what tells them apart.

use super::distinguish::{Bisimilarity, distinguish, not_simulated};
use super::formula::{FormulaId, Formulas};
use super::partition::Partition;
use super::quotient::{Quotienting, Steps, block_system};
use super::reduce::{
    Equivalence, NotReduced, ReduceLimits, TooLarge, as_it_is, look, restricted, stable,
    weak_partition,
};
use super::refine::Task;
use super::refines::{Excess, Seen, excess, shows};
use super::silent::contract;
use super::simulation::{observed, simulated};
use super::system::{LabelTable, Lts, LtsState};
use super::union::union;
use crate::base::Watch;

/// What is asked about two systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LtsQuestion {
    /// Whether they are equivalent.
    Equivalent(Equivalence),
    /// Whether the first is simulated by the second, silent steps before others left out.
    Simulated,
    /// Whether all that is seen of the first is also seen of the second.
    Refines(Seen),
    /// Whether the same is seen of both.
    SeenAlike(Seen),
}

impl LtsQuestion {
    /// Whether silent steps are hidden.
    pub fn hides(self) -> bool {
        match self {
            LtsQuestion::Equivalent(by) => by.hides(),
            LtsQuestion::Simulated => true,
            LtsQuestion::Refines(seen) | LtsQuestion::SeenAlike(seen) => seen.hides(),
        }
    }
}

/// One of two systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

impl Side {
    fn other(self) -> Side {
        if self == Side::First { Side::Second } else { Side::First }
    }
}

/// What tells two systems apart. It was looked for in what they were reduced to, and then looked up in both.
#[derive(Clone, Debug)]
pub enum Difference {
    /// Something that is seen of one of them only.
    Seen {
        /// Of which one.
        of: Side,
        /// What.
        excess: Excess,
    },
    /// A formula that holds in one of them only.
    Formula {
        /// In which one.
        of: Side,
        /// The formula, with what it is made of.
        formulas: Formulas,
        /// Which of them it is.
        formula: FormulaId,
    },
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct LtsCompared {
    /// Whether what was asked holds.
    pub holds: bool,
    /// What tells the two apart, unless it is too large to be found.
    pub difference: Option<Difference>,
    /// The labels that the difference speaks of.
    pub labels: LabelTable,
    /// How many states both together were reduced to.
    pub reduced: usize,
}

/// Both systems in one, reduced, with their initial states.
struct Together {
    lts: Lts,
    starts: (LtsState, LtsState),
}

impl Together {
    fn new(first: &Lts, second: &Lts) -> Together {
        let (lts, start) = union(first, second);
        let starts = (lts.initial(), start);
        Together { lts, starts }
    }

    fn of_blocks(
        (lts, starts): (&Lts, (LtsState, LtsState)),
        how: Quotienting<'_>,
        partition: &Partition,
    ) -> Together {
        let start = |state: LtsState| LtsState(partition.block(state).0);
        let starts = (start(starts.0), start(starts.1));
        Together { lts: block_system(lts, partition, how), starts }
    }

    /// Reduced by a bisimilarity. Where silent steps are hidden, they lead to smaller numbers afterwards, or, where going
    /// on for ever counts, to the state itself.
    fn bisimilar(
        self,
        hides: bool,
        diverging: bool,
        watch: &dyn Watch,
    ) -> Result<Together, NotReduced> {
        let contracted = if hides { contract(self.lts) } else { as_it_is(self.lts) };
        look(watch)?;
        let starts = match hides {
            true => (contracted.of[self.starts.0], contracted.of[self.starts.1]),
            false => self.starts,
        };
        let diverges = diverging.then_some(&contracted.diverges);
        let partition = stable(Task { lts: &contracted.lts, hides, diverges }, watch)?;
        let how = Quotienting { steps: Steps::OfFirst, hides, diverges };
        Ok(Together::of_blocks((&contracted.lts, starts), how, &partition))
    }

    /// Reduced by weak bisimilarity; reduced by branching bisimilarity before.
    fn weak(self, watch: &dyn Watch) -> Result<Together, NotReduced> {
        let small = self.sorted();
        let partition = weak_partition(&small.lts, watch)?;
        let how = Quotienting { steps: Steps::OfAll, hides: true, diverges: None };
        Ok(Together::of_blocks((&small.lts, small.starts), how, &partition).sorted())
    }

    /// Silent steps lead to smaller numbers. There are no silent circles.
    fn sorted(self) -> Together {
        let contracted = contract(self.lts);
        let starts = (contracted.of[self.starts.0], contracted.of[self.starts.1]);
        Together { lts: contracted.lts, starts }
    }

    /// The same, and silent steps from a state to itself stay.
    fn numbered(self) -> Together {
        let contracted = contract(self.lts);
        let starts = (contracted.of[self.starts.0], contracted.of[self.starts.1]);
        let each = Partition::discrete(contracted.lts.states());
        let how = Quotienting {
            steps: Steps::OfFirst,
            hides: false,
            diverges: Some(&contracted.diverges),
        };
        Together { lts: block_system(&contracted.lts, &each, how), starts }
    }

    fn alike(&self) -> bool {
        self.starts.0 == self.starts.1
    }
}

/// Compares two systems.
pub fn compare(
    first: Lts,
    second: Lts,
    question: LtsQuestion,
    limits: ReduceLimits,
    watch: &dyn Watch,
) -> Result<LtsCompared, NotReduced> {
    let (first, second) = (restricted(first), restricted(second));
    look(watch)?;
    let most = u32::MAX as usize;
    if first.states() + second.states() >= most
        || first.transitions() + second.transitions() >= most
    {
        return Err(TooLarge::Together.into());
    }
    let comparing = Comparing { first: &first, second: &second, limits, watch };
    let found = match question {
        LtsQuestion::Equivalent(Equivalence::Strong) => comparing.bisimilar(Bisimilarity::Strong),
        LtsQuestion::Equivalent(Equivalence::Branching) => {
            comparing.bisimilar(Bisimilarity::Branching { diverging: false })
        }
        LtsQuestion::Equivalent(Equivalence::DivergencePreserving) => {
            comparing.bisimilar(Bisimilarity::Branching { diverging: true })
        }
        LtsQuestion::Equivalent(Equivalence::Weak) => comparing.bisimilar(Bisimilarity::Weak),
        LtsQuestion::Equivalent(Equivalence::Trace) => comparing.seen(Seen::Traces, true),
        LtsQuestion::Equivalent(Equivalence::WeakTrace) => comparing.seen(Seen::WeakTraces, true),
        LtsQuestion::Equivalent(Equivalence::Safety) => comparing.simulated(true),
        LtsQuestion::Simulated => comparing.simulated(false),
        LtsQuestion::Refines(seen) => comparing.seen(seen, false),
        LtsQuestion::SeenAlike(seen) => comparing.seen(seen, true),
    }?;
    look(watch)?;
    Ok(found)
}

/// Two systems that are being compared.
struct Comparing<'c> {
    first: &'c Lts,
    second: &'c Lts,
    limits: ReduceLimits,
    watch: &'c dyn Watch,
}

/// The search for a trace that tells bisimilar systems apart is not everything: it may stop early.
const MOST_PAIRS: usize = 200_000;

impl Comparing<'_> {
    fn together(&self) -> Together {
        Together::new(self.first, self.second)
    }

    fn side(&self, side: Side) -> &Lts {
        if side == Side::First { self.first } else { self.second }
    }

    fn compared(&self, together: &Together, difference: Option<Difference>) -> LtsCompared {
        let (labels, reduced) = (together.lts.labels().clone(), together.lts.states());
        LtsCompared { holds: false, difference, labels, reduced }
    }

    fn holds(&self, together: &Together) -> LtsCompared {
        LtsCompared { holds: true, ..self.compared(together, None) }
    }

    fn bisimilar(&self, by: Bisimilarity) -> Result<LtsCompared, NotReduced> {
        let (hides, diverging) = match by {
            Bisimilarity::Strong => (false, false),
            Bisimilarity::Branching { diverging } => (true, diverging),
            Bisimilarity::Weak => (true, false),
        };
        let together = self.together().bisimilar(hides, diverging, self.watch)?;
        let together = if by == Bisimilarity::Weak { together.weak(self.watch)? } else { together };
        if together.alike() {
            return Ok(self.holds(&together));
        }
        let seen = if hides { Seen::WeakTraces } else { Seen::Traces };
        let most = MOST_PAIRS.min(self.limits.most_states);
        if let Ok(Some(found)) = self.excess(&together, seen, true, most) {
            return self.checked(&together, seen, found);
        }
        look(self.watch)?;
        let numbered = if by == Bisimilarity::Strong { together } else { together.numbered() };
        let found = distinguish(&numbered.lts, by, numbered.starts, self.watch);
        self.told(&numbered, Side::First, found)
    }

    /// The shorter one of what only one of them does.
    fn excess(
        &self,
        together: &Together,
        seen: Seen,
        both: bool,
        most: usize,
    ) -> Result<Option<(Side, Excess)>, NotReduced> {
        let (one, other) = together.starts;
        let first = excess(&together.lts, (one, other), seen, most, self.watch)?;
        let second = match both {
            true => excess(&together.lts, (other, one), seen, most, self.watch)?,
            false => None,
        };
        let first = first.map(|found| (Side::First, found));
        let second = second.map(|found| (Side::Second, found));
        Ok(match (first, second) {
            (Some(one), Some(other)) if other.1.trace.len() < one.1.trace.len() => Some(other),
            (Some(one), _) => Some(one),
            (None, other) => other,
        })
    }

    /// What was found is looked up in the systems as they were given.
    fn checked(
        &self,
        together: &Together,
        seen: Seen,
        (of, excess): (Side, Excess),
    ) -> Result<LtsCompared, NotReduced> {
        let labels = together.lts.labels();
        let shown = |side: Side| shows(self.side(side), labels, &excess, seen);
        let tells = shown(of) && !shown(of.other());
        look(self.watch)?;
        if !tells {
            return Err(NotReduced::Unstable);
        }
        Ok(self.compared(together, Some(Difference::Seen { of, excess })))
    }

    /// The same for a formula.
    fn told(
        &self,
        together: &Together,
        of: Side,
        found: Option<(Formulas, FormulaId)>,
    ) -> Result<LtsCompared, NotReduced> {
        look(self.watch)?;
        let Some((formulas, formula)) = found else { return Ok(self.compared(together, None)) };
        let labels = together.lts.labels();
        let holds = |side: Side| formulas.holds(formula, labels, self.side(side));
        let tells = holds(of) && !holds(of.other());
        look(self.watch)?;
        if !tells {
            return Err(NotReduced::Unstable);
        }
        Ok(self.compared(together, Some(Difference::Formula { of, formulas, formula })))
    }

    fn seen(&self, seen: Seen, both: bool) -> Result<LtsCompared, NotReduced> {
        let diverging = matches!(seen, Seen::Failures | Seen::FailuresDivergences);
        let together = self.together().bisimilar(seen.hides(), diverging, self.watch)?;
        match self.excess(&together, seen, both, self.limits.most_states)? {
            Some(found) => self.checked(&together, seen, found),
            None => Ok(self.holds(&together)),
        }
    }

    fn simulated(&self, both: bool) -> Result<LtsCompared, NotReduced> {
        let together = self.together().bisimilar(true, false, self.watch)?.weak(self.watch)?;
        let starts = together.starts;
        let seen = Together { lts: observed(&together.lts, self.watch)?, starts };
        look(self.watch)?;
        let seen = seen.bisimilar(false, false, self.watch)?;
        let (one, other) = seen.starts;
        let simulation = simulated(&seen.lts, self.watch)?;
        look(self.watch)?;
        let of = match (simulation.holds(one, other), simulation.holds(other, one)) {
            (true, true) => return Ok(self.holds(&seen)),
            (true, false) if !both => return Ok(self.holds(&seen)),
            (false, _) => Side::First,
            (true, false) => Side::Second,
        };
        let most = MOST_PAIRS.min(self.limits.most_states);
        if let Ok(Some(found)) = self.excess(&together, Seen::WeakTraces, both, most) {
            return self.checked(&together, Seen::WeakTraces, found);
        }
        look(self.watch)?;
        let pair = if of == Side::First { (one, other) } else { (other, one) };
        self.told(&seen, of, not_simulated(&seen.lts, pair, self.watch))
    }
}

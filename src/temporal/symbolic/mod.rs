//! Formulas on the open automaton of a net, where there is no end of values: sets of configurations are conditions, one for
//! each state of the automaton.
//!
//! Input: a net, its automaton as a system, and a [`Formula`]. Output: *proved* for all values of constants and all first
//! values of variables, *refuted* for some, or why neither is known.
//! `parts.rs` puts negations at atoms, so that a formula and its opposite are looked at in the same way: as far as `sets.rs`
//! can say where they surely hold. `fixpoints.rs` goes round by round; `loops.rs` goes round loops that count at once,
//! `ranking.rs` finds ranks where all runs have to get somewhere, and `clauses.rs` has Spacer look for a set.
//! `proof.rs` has what a proof rests on, `given.rs` what has to be met by sets that somebody else found, and `run.rs` a run with values that shows why a formula does not hold.

mod clauses;
mod fixpoints;
mod given;
mod loops;
mod parts;
mod proof;
mod ranking;
mod run;
mod sets;

pub use given::{GivenSets, NotGiven, obligations};
pub use parts::PartId;
pub use proof::{FixProof, FoundSets, Proof, ProofDuty};
pub use run::{RunShown, Shown};
pub use sets::{Found, Layer};

use parts::{Builder, calls};
use proof::Recorded;
use sets::{Effort, Engine};
use thiserror::Error;

use super::explicit::Undecided;
use super::fair::fairly_lowered;
use super::formula::Formula;
use super::lower::{Fixes, NoFixpoint};
use crate::algebra::TermId;
use crate::automaton::StateId;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::pnet::PNet;
use crate::smt::Answer;
use crate::system::{Facts, Prover, System};

/// A condition for each state of an automaton.
pub type Set = IndexVec<StateId, TermId>;

/// The budget is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// Which of the configurations in which a net begins are to be in a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    All,
    Some,
}

/// What was found out about a formula.
#[derive(Clone, Debug)]
pub enum Decided {
    /// It holds, for all values of constants and all first values, because of these sets.
    Proved(Box<Proof>),
    /// It does not hold for some of them: its opposite does because of these sets, as a run shows.
    Refuted(Box<Proof>, Box<RunShown>),
    /// Neither is known, and why.
    Unknown(Undetermined),
}

/// Why a formula is neither proved nor refuted.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Undetermined {
    /// The budget was spent.
    #[error("the work was stopped")]
    Stopped,
    /// What is said of constants contradicts itself.
    #[error("the axioms contradict each other, so that anything would follow")]
    AxiomsContradict,
    /// The formula has no fixpoints of a form that can be looked for.
    #[error("{0}")]
    Form(#[from] NoFixpoint),
    /// It has no meaning.
    #[error("{0}")]
    Meaning(#[from] Undecided),
    /// It calls functions, which are not unfolded here.
    #[error(
        "the formula calls functions with definitions, which are not unfolded where there is no end of values"
    )]
    Calls,
    /// Rounds did not come to an end.
    #[error(
        "no fixpoint was reached in {rounds} rounds, nor a set that is one: from above, from below, round loops that count, \
         by ranks of sums that guards suggest, and by Horn clauses"
    )]
    NoFixpoint {
        /// So many for each fixpoint.
        rounds: usize,
    },
    /// It would be refuted, but values for a run were not found.
    #[error("the formula does not hold for some values, but a run with values was not found")]
    NoRun,
}

/// How much is tried, step by step: what ends soon is not looked for in long ways.
const EFFORTS: [Effort; 3] = [
    Effort { rounds: 6, terms: 400, all: false },
    Effort { rounds: 14, terms: 2_000, all: true },
    Effort { rounds: 60, terms: 8_000, all: true },
];

/// Decides a formula about a net, whose automaton a system is.
pub fn decide<'a>(
    net: &PNet,
    (system, prover): (&System<'a>, &mut Prover<'a>),
    facts: &mut Facts,
    formula: &Formula,
) -> Decided {
    match decided(net, (system, prover), facts, formula) {
        Ok(decided) if !is_spent() => decided,
        Ok(_) => Decided::Unknown(Undetermined::Stopped),
        Err(why) => Decided::Unknown(why),
    }
}

/// Whether a formula is proved without much work.
pub fn soon<'a>(
    net: &PNet,
    (system, prover): (&System<'a>, &mut Prover<'a>),
    facts: &Facts,
    formula: &Formula,
) -> bool {
    let mut proved = || -> Result<bool, Undetermined> {
        let says = fairly_lowered(&formula.says, &formula.fair, &mut Fixes::after(&formula.says))?;
        let mut builder = Builder::new(net, system, prover, formula);
        let yes = builder.add(&says, false)?;
        let parts = builder.finish();
        if calls(prover, &parts) {
            return Ok(false);
        }
        let mut engine = Engine::new((system, prover), facts.clone(), parts, EFFORTS[0]);
        Ok(engine.proved(yes, Wanted::All)?.is_some())
    };
    proved().unwrap_or(false) && !is_spent()
}

fn decided<'a>(
    net: &PNet,
    (system, prover): (&System<'a>, &mut Prover<'a>),
    facts: &mut Facts,
    formula: &Formula,
) -> Result<Decided, Undetermined> {
    if prover.axioms_contradict() {
        return Err(Undetermined::AxiomsContradict);
    }
    let says = fairly_lowered(&formula.says, &formula.fair, &mut Fixes::after(&formula.says))?;
    let mut rounds = 0;
    for (number, effort) in EFFORTS.into_iter().enumerate() {
        if number == 1 {
            facts.infer(system, prover);
        }
        let mut builder = Builder::new(net, system, prover, formula);
        let (yes, no) = (builder.add(&says, false)?, builder.add(&says, true)?);
        let parts = builder.finish();
        if calls(prover, &parts) {
            return Err(Undetermined::Calls);
        }
        rounds = effort.rounds;
        let mut engine = Engine::new((system, prover), facts.clone(), parts, effort);
        if let Some(proof) = engine.proved(yes, Wanted::All)? {
            return Ok(Decided::Proved(Box::new(proof)));
        }
        if let Some(proof) = engine.proved(no, Wanted::Some)? {
            let shown = engine.shown(no)?.ok_or(Undetermined::NoRun)?;
            return Ok(Decided::Refuted(Box::new(proof), Box::new(shown)));
        }
    }
    Err(Undetermined::NoFixpoint { rounds })
}

impl From<Stopped> for Undetermined {
    fn from(_: Stopped) -> Undetermined {
        Undetermined::Stopped
    }
}

impl Engine<'_, '_> {
    /// What shows that a part has the first configurations that are wanted; nothing where that was not found.
    fn proved(&mut self, part: PartId, wanted: Wanted) -> Result<Option<Proof>, Stopped> {
        // What was found for a part that is asked about may be just enough, or too little, for that.
        if let Some((before, _)) = self.root.replace((part, wanted)) {
            self.found.remove(&before);
        }
        let set = self.set(part)?;
        if self.wanted(wanted, &set) != Answer::Unsat {
            return Ok(None);
        }
        self.proof = Some(Recorded::default());
        let set = self.set(part);
        let recorded = self.proof.take();
        self.confirmed(set?, wanted, recorded.unwrap_or_default())
    }
}

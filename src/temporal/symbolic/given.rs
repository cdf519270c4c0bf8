//! Sets for the fixpoints of a formula that somebody else found: what has to be met, so that they are a proof. Nothing is
//! searched here, and nothing of what is given is believed.

use thiserror::Error;

use super::parts::{Builder, PartId, calls};
use super::proof::{ProofDuty, Recorded};
use super::sets::{Engine, Found};
use super::{EFFORTS, Set, Undetermined, Wanted};
use crate::algebra::{TermId, Terms, VarId};
use crate::pnet::PNet;
use crate::system::{Facts, Prover, System};
use crate::temporal::fair::fairly_lowered;
use crate::temporal::formula::Formula;
use crate::temporal::lower::Fixes;

/// Sets, in the order in which a formula asks for them.
#[derive(Clone, Debug)]
pub struct GivenSets {
    /// What is known of each state whenever it is reached.
    pub known: Set,
    /// What was found for fixpoints.
    pub found: Vec<Found>,
}

/// Sets that are being taken, one by one.
#[derive(Debug)]
pub(super) struct Giving {
    left: std::vec::IntoIter<Found>,
    /// Whether what is given was of another kind than what is asked for.
    misfits: bool,
}

/// Why sets are no proof.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotGiven<E> {
    /// Nothing could be said about the formula anyway.
    #[error(transparent)]
    Undetermined(#[from] Undetermined),
    /// The sets themselves.
    #[error("{0}")]
    Sets(E),
    /// They are not those that the formula asks for.
    #[error("the sets are not those of the fixpoints of the formula")]
    Misfits,
}

/// What must not be possible, so that sets are a proof of a formula about a net, whose automaton a system is. They are read
/// once it is known which variables the formula binds.
pub fn obligations<'a, E>(
    net: &PNet,
    (system, prover): (&System<'a>, &mut Prover<'a>),
    formula: &Formula,
    read: impl FnOnce(&mut Terms, &[VarId]) -> Result<GivenSets, E>,
) -> Result<Vec<(ProofDuty, Vec<TermId>)>, NotGiven<E>> {
    if prover.axioms_contradict() {
        return Err(Undetermined::AxiomsContradict.into());
    }
    let says = fairly_lowered(&formula.says, &formula.fair, &mut Fixes::after(&formula.says))
        .map_err(Undetermined::from)?;
    let mut builder = Builder::new(net, system, prover, formula);
    let yes = builder.add(&says, false).map_err(Undetermined::from)?;
    // The opposite is made as well, since it was when the sets were found: what is bound is counted over both.
    builder.add(&says, true).map_err(Undetermined::from)?;
    let parts = builder.finish();
    if calls(prover, &parts) {
        return Err(Undetermined::Calls.into());
    }
    let given = read(&mut prover.terms, &parts.bound).map_err(NotGiven::Sets)?;
    let facts = Facts::given(&given.known);
    let mut engine = Engine::new((system, prover), facts, parts, EFFORTS[0]);
    engine.given = Some(Giving { left: given.found.into_iter(), misfits: false });
    engine.proof = Some(Recorded::default());
    let holds = engine.set(yes).map_err(Undetermined::from)?;
    let fits = engine.given.take().is_some_and(|giving| giving.is_done());
    if !fits {
        return Err(NotGiven::Misfits);
    }
    let recorded = engine.proof.take().unwrap_or_default();
    Ok(engine.all_duties(&holds, Wanted::All, recorded.duties))
}

impl Giving {
    fn is_done(self) -> bool {
        !self.misfits && self.left.len() == 0
    }

    /// The next sets; none at all where they are of another kind.
    pub fn next(&mut self, greatest: bool) -> Found {
        match self.left.next() {
            Some(found) if matches!(found, Found::Greatest(_)) == greatest => found,
            _ => {
                self.misfits = true;
                Found::Least(Vec::new())
            }
        }
    }
}

impl Engine<'_, '_> {
    /// What is given for a fixpoint, where sets are.
    pub(super) fn next_given(&mut self, part: PartId) -> Option<Found> {
        let greatest = self.is_greatest(part);
        self.given.as_mut().map(|giving| giving.next(greatest))
    }
}

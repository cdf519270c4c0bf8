//! What a proof rests on: sets for the fixpoints of a formula, and conditions that must not be possible.

use rustc_hash::FxHashSet;

use super::parts::{Part, PartId};
use super::sets::{Engine, Found};
use super::{Set, Stopped, Wanted};
use crate::algebra::{TermId, VarId};
use crate::automaton::StateId;
use crate::base::IndexVec;
use crate::smt::Answer;
use crate::system::{Duty, StepId, duties};
use crate::temporal::formula::FixId;

/// Sets for a fixpoint of a formula, or of its opposite.
#[derive(Clone, Debug)]
pub struct FixProof {
    /// The fixpoint.
    pub fix: FixId,
    /// Whether it is the greatest one where negations stand at atoms.
    pub greatest: bool,
    /// Its parameters, of which the sets speak.
    pub params: Vec<VarId>,
    /// The sets.
    pub sets: FoundSets,
}

/// What was found for a fixpoint.
pub type FoundSets = Found;

/// What a condition that must not be possible is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofDuty {
    /// What is known of states holds at first.
    KnownAtFirst,
    /// A step keeps what is known of states.
    Known(StateId, StepId),
    /// What a greatest fixpoint says holds in a state wherever its set does.
    Greatest(usize, StateId),
    /// What a least fixpoint says holds in a state wherever a layer does, because of smaller ones.
    Layer(usize, usize, StateId),
    /// The formula holds at first.
    First,
}

/// A proof.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What is known of each state whenever it is reached.
    pub known: Set,
    /// The variables that stand for what the formula binds, in the order in which they were made.
    pub bound: Vec<VarId>,
    /// The sets of all fixpoints, by which duties name them.
    pub fixes: Vec<FixProof>,
    /// Where the formula, or its opposite, holds because of them.
    pub holds: Set,
    /// What must not be possible.
    pub duties: Vec<(ProofDuty, Vec<TermId>)>,
}

/// What a proof rests on, while it is written down.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    fixes: Vec<FixProof>,
    pub duties: Vec<(ProofDuty, Vec<TermId>)>,
    done: FxHashSet<PartId>,
}

impl Engine<'_, '_> {
    /// Writes down what has to hold of the sets of a fixpoint.
    pub(super) fn record(&mut self, part: PartId, found: &Found) -> Result<(), Stopped> {
        let Part::Fix { id, greatest, .. } = self.parts.all[part] else { return Ok(()) };
        let closed = self.parts.free[part].is_empty();
        let params = self.params(part);
        let Some(recorded) = &mut self.proof else { return Ok(()) };
        if closed && !recorded.done.insert(part) {
            return Ok(());
        }
        let number = recorded.fixes.len();
        recorded.fixes.push(FixProof { fix: id, greatest, params, sets: found.clone() });
        let mut duties = Vec::new();
        match found {
            Found::Greatest(set) => {
                let body = self.body(part, set.clone())?;
                for (state, &then) in body.enumerated() {
                    let not = self.prover.terms.not(then);
                    duties.push((ProofDuty::Greatest(number, state), state, vec![set[state], not]));
                }
            }
            Found::Least(layers) => {
                for at in 0..layers.len() {
                    for (state, conditions) in self.duties_of_layer(part, layers, at)? {
                        duties.push((ProofDuty::Layer(number, at, state), state, conditions));
                    }
                }
            }
        }
        let known = self.facts.conditions(&mut self.prover.terms);
        let duties = duties.into_iter().map(|(duty, state, mut conditions)| {
            conditions.push(known[state]);
            (duty, conditions)
        });
        let duties: Vec<_> = duties.collect();
        if let Some(recorded) = &mut self.proof {
            recorded.duties.extend(duties);
        }
        Ok(())
    }

    /// A proof, if all that must not be possible is not.
    pub(super) fn confirmed(
        &mut self,
        holds: Set,
        wanted: Wanted,
        recorded: Recorded,
    ) -> Result<Option<Proof>, Stopped> {
        let all = self.all_duties(&holds, wanted, recorded.duties);
        for (_, conditions) in &all {
            if self.prover.none_holds(conditions) != Answer::Unsat {
                return Ok(None);
            }
        }
        // That some first configuration is in a set is no duty: there must be one.
        if self.wanted(wanted, &holds) != Answer::Unsat {
            return Ok(None);
        }
        let known = self.facts.conditions(&mut self.prover.terms);
        let bound = self.parts.bound.clone();
        Ok(Some(Proof { known, bound, fixes: recorded.fixes, holds, duties: all }))
    }

    /// All that must not be possible: of what is known of states, of the sets of fixpoints, and where a net begins.
    pub(super) fn all_duties(
        &mut self,
        holds: &Set,
        wanted: Wanted,
        recorded: Vec<(ProofDuty, Vec<TermId>)>,
    ) -> Vec<(ProofDuty, Vec<TermId>)> {
        let known = self.facts.conditions(&mut self.prover.terms);
        let no = self.prover.terms.bool(false);
        let nothing = IndexVec::of(known.len(), no);
        let mut all = Vec::new();
        for (duty, conditions) in duties(self.system, self.prover, &known, &nothing) {
            match duty {
                Duty::First => all.push((ProofDuty::KnownAtFirst, conditions)),
                Duty::Kept(state, step) => all.push((ProofDuty::Known(state, step), conditions)),
                Duty::Away(_) => {}
            }
        }
        all.extend(recorded);
        if wanted == Wanted::All {
            let initial = self.system.initial_values().collect();
            let here = self.prover.terms.substitute(holds[StateId::FIRST], &initial);
            all.push((ProofDuty::First, vec![self.prover.terms.not(here)]));
        }
        all
    }
}

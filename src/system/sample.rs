//! A configuration with values, and a step that it makes, such that conditions hold: wherever it comes from.

use rustc_hash::FxHashMap;

use super::{Change, Prover, Step, System, Valuation};
use crate::algebra::{TermId, VarId};

/// A configuration that need not be reachable, with values of all that it is about.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The values of variables that could be written down.
    pub values: FxHashMap<VarId, TermId>,
    /// Values of symbolic constants and uninterpreted functions.
    pub given: Vec<(TermId, TermId)>,
    /// The step, with values, and what it changes.
    pub step: Option<(Step, Vec<Change>)>,
}

impl System<'_> {
    /// A configuration in which conditions hold, some of whose values are known, with the step that it makes; nothing
    /// where the solver finds none.
    pub fn sample(
        &self,
        prover: &mut Prover<'_>,
        known: FxHashMap<VarId, TermId>,
        (conditions, step): (&[TermId], Option<&Step>),
    ) -> Option<Sample> {
        let variables: Vec<VarId> = self.variables.iter().map(|variable| variable.var).collect();
        let mut position = Valuation { values: known, facts: Vec::new(), variables };
        let locals = step.map_or(&[][..], |step| &step.locals);
        let values = prover.values_for(&position, conditions, locals)?;
        prover.take(&mut position, values);
        prover.remember(&mut position, conditions);
        let made = step.map(|step| prover.with_values(step, &position.values));
        let mut shown: Vec<TermId> = position.values.values().copied().collect();
        shown.extend(made.iter().flat_map(Step::terms));
        shown.sort_unstable();
        let settled = prover.settle(&position.facts, &shown);
        let mut values = position.values.clone();
        values.values_mut().for_each(|value| *value = prover.put(&settled, *value));
        let step = made.map(|made| {
            let made = prover.put_step(&settled, &made);
            let changes = prover.changes(&made, &position.variables, &values);
            (made, changes)
        });
        Some(Sample { values, given: settled.given, step })
    }
}

//! What one system could do where a run of another has led.

use super::{SideId, Sides};
use crate::automaton::StateId;
use crate::system::{Change, Prover, Step, SymbolicRun};

/// What the right side can do in a state, with values, where a run of the left one has led; variables of the same path
/// have the same values.
pub fn offered(
    sides: &Sides<'_>,
    prover: &mut Prover<'_>,
    run: &SymbolicRun,
    state: StateId,
) -> Option<(Step, Vec<Change>)> {
    let same = sides.namesakes(&prover.terms);
    for step in &sides[SideId::Right].steps[state] {
        let step = prover.with_values(step, &same);
        if let Some(values) = prover.values_for(&run.position, &[step.guard], &step.locals) {
            let mut position = run.position.clone();
            prover.take(&mut position, values);
            let made = prover.with_values(&step, &position.values);
            prover.remember(&mut position, &[step.guard]);
            let settled = prover.settle(&position.facts, &made.terms());
            let made = prover.put_step(&settled, &made);
            let changes = prover.changes(&made, &position.variables, &position.values);
            return Some((made, changes));
        }
    }
    None
}

//! Scenarios: whether a net can make a run with these steps, or no run has them.

use super::ModelOptions;
use crate::diagnostics::Diagnostic;
use crate::generate::Watch;
use crate::model::Checked;
use crate::outcome::{Outcome, Reason};
use crate::sema::program::ScenarioDef;

/// Answers a scenario. An error means that the net it speaks of cannot be elaborated.
pub fn run(
    _checked: &Checked,
    _scenario: &ScenarioDef,
    _options: &ModelOptions,
    _watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    Ok(Outcome::unknown(Reason::NotAnswered))
}

/// What stands before the `{` of a scenario, on one line.
pub fn claim(checked: &Checked, scenario: &ScenarioDef) -> String {
    let words = checked.sources.text(scenario.head).split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

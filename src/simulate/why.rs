//! Why an action is not possible in a configuration.

use super::{StepProblem, Teller};
use crate::explore::Configuration;
use crate::explore::naive::Interpreter;
use crate::outcome::WhyNot;

/// Why an action that somebody wrote is not possible, or that it is.
pub(super) fn why(
    (interpreter, teller): (&Interpreter<'_>, &Teller<'_>),
    at: &Configuration,
    action: &str,
) -> Result<WhyNot, StepProblem> {
    let _ = (interpreter, teller, at);
    Err(StepProblem::NoAction(action.to_owned()))
}

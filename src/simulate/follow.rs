//! A path of configurations, followed by the plain interpreter: how what a search finds is replayed before anybody sees it.

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::algebra::VarId;
use crate::base::budget;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Step, Steps, Value};
use crate::pnet::HoleId;

/// Why a path cannot be followed.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotFollowed {
    /// There is nothing to follow.
    #[error("the path has no configurations")]
    Empty,
    /// It does not begin where the net does.
    #[error("the path does not begin where the net does")]
    Begin,
    /// No step leads from one configuration to the next.
    #[error("no step leads to configuration {number} of the path")]
    Step {
        /// Which configuration, the first being 0.
        number: usize,
    },
    /// Something has no value that could be tried.
    #[error("the solver gives no value for `{name}` that can be written down")]
    NoValue {
        /// A constant, or a variable.
        name: String,
    },
    /// It is not known what is possible.
    #[error("at configuration {number} of the path: {gap}")]
    Unknown {
        /// Where.
        number: usize,
        /// Why.
        gap: Gap,
    },
}

/// What is possible with the values that are tried. Where something else has no end of values, so that not all can be told,
/// what would need these is left out, and the gap is there besides: who looks for a step that names its values may find it.
pub(super) fn possible(
    by: &Interpreter<'_>,
    at: &Configuration,
    given: FxHashMap<VarId, Value>,
    holes: Option<&[HoleId]>,
) -> Result<(Steps, Option<Gap>), Gap> {
    match by.steps_by(at, given.clone(), holes) {
        Ok(steps) => Ok((steps, None)),
        Err(gap @ Gap::NeedsDomain { .. }) => {
            Ok((by.leaving_out().steps_by(at, given, holes)?, Some(gap)))
        }
        Err(gap) => Err(gap),
    }
}

/// The steps that lead along a path of configurations.
pub fn follow(
    interpreter: &Interpreter<'_>,
    path: &[Configuration],
) -> Result<Vec<Step>, NotFollowed> {
    let first = path.first().ok_or(NotFollowed::Empty)?;
    let unknown = |number: usize| move |gap: Gap| NotFollowed::Unknown { number, gap };
    if !interpreter.begins_at(first).map_err(unknown(0))? {
        return Err(NotFollowed::Begin);
    }
    let budget = budget::here();
    let mut steps = Vec::with_capacity(path.len() - 1);
    for (number, pair) in path.windows(2).enumerate() {
        if budget.is_spent() {
            return Err(unknown(number)(Gap::Stopped));
        }
        let possible = interpreter.steps(&pair[0]).map_err(unknown(number))?;
        let step = possible.steps.into_iter().find(|step| step.target == pair[1]);
        steps.push(step.ok_or(NotFollowed::Step { number: number + 1 })?);
    }
    Ok(steps)
}

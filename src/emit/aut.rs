//! The labels of steps in files of the Aldebaran format, which `lts::aut` writes.

use super::outcome::concrete;
use crate::algebra::Algebra;
use crate::base::IndexVec;
use crate::explore::Value;
use crate::pnet::{Hole, HoleId};

/// What a step shows, and what holes do, as it is written: `"pass(3)"`, or `"pass(3) {P: give(3)}"`. The silent action has
/// a name that readers know, and no quotes.
pub fn label(
    algebra: &Algebra,
    holes: &IndexVec<HoleId, Hole>,
    shown: &(Value, Vec<(HoleId, Value)>),
    tau: &str,
) -> String {
    let is_silent = matches!(shown.0, Value::Tau) && shown.1.is_empty();
    crate::lts::aut::label(&label_text(algebra, holes, shown, tau), is_silent)
}

/// The same without quotes, as whoever reads the file has it.
pub fn label_text(
    algebra: &Algebra,
    holes: &IndexVec<HoleId, Hole>,
    (action, done): &(Value, Vec<(HoleId, Value)>),
    tau: &str,
) -> String {
    let text = |value: &Value| match value {
        Value::Tau => tau.to_owned(),
        value => concrete(algebra, value).text,
    };
    let mut label = text(action);
    if !done.is_empty() {
        let done =
            done.iter().map(|(hole, value)| format!("{}: {}", holes[*hole].path, text(value)));
        label.push_str(&format!(" {{{}}}", done.collect::<Vec<_>>().join(", ")));
    }
    crate::lts::aut::clean(&label)
}

//! Labelled transition systems in the Aldebaran format, line by line.
//!
//! `des (initial, transitions, states)`, then a line for each transition: `(from, "label", to)`.

use super::outcome::concrete;
use crate::algebra::Algebra;
use crate::base::IndexVec;
use crate::explore::Value;
use crate::pnet::{Hole, HoleId};

/// The first line.
pub fn header(transitions: u64, states: u64) -> String {
    format!("des (0, {transitions}, {states})\n")
}

/// A line.
pub fn line(from: u64, label: &str, to: u64) -> String {
    format!("({from}, \"{label}\", {to})\n")
}

/// What a step shows, and what holes do: `pass(3)`, or `pass(3) {P: give(3)}`. The silent action has a name that readers
/// know.
pub fn label(
    algebra: &Algebra,
    holes: &IndexVec<HoleId, Hole>,
    (action, done): &(Value, Vec<(HoleId, Value)>),
    tau: &str,
) -> String {
    let text = |value: &Value| match value {
        Value::Tau => tau.to_owned(),
        value => concrete(algebra, value).text.replace(['"', '\\'], "'"),
    };
    let mut label = text(action);
    if !done.is_empty() {
        let done =
            done.iter().map(|(hole, value)| format!("{}: {}", holes[*hole].path, text(value)));
        label.push_str(&format!(" {{{}}}", done.collect::<Vec<_>>().join(", ")));
    }
    label
}

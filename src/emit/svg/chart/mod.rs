//! The sequence chart of a run: a lifeline for each component that moves and each hole that does something, and from top to
//! bottom what they do together. An arrow leads from who gives values to who takes them; a bar joins those of whom that is
//! not known; a loop is what somebody does alone. New states and values stand on the lifelines.
//!
//! Rows are made of steps (`rows`), lifelines get their places (`layout`), and all is written (`write`).

mod layout;
mod rows;
mod write;

use crate::outcome::Trace;

pub(super) use write::MORE_STYLE;

/// More steps than these are not drawn: nobody would look at them.
const MOST_STEPS: usize = 1000;
/// More lifelines neither.
const MOST_LIVES: usize = 60;

/// A run as a sequence chart.
pub fn chart(trace: &Trace) -> String {
    let rows = rows::rows(trace);
    let placed = layout::placed(rows);
    write::written(trace, &placed)
}

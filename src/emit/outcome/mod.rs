//! Outcomes of checks, for people and for programs.

mod composition;
mod concrete;
mod coverage;
mod evidence;
mod json;
mod reason;
mod sizes;
mod steps;
mod value;

pub use composition::{composition, not_free};
pub use concrete::{concrete, data};
pub use coverage::{coverage, never_seen};
pub use evidence::{ended, ended_shortly, evidence, place};
pub use json::{Answered, object, schema};
pub use reason::{answer, note, obligation, reason, vacuity};
pub use steps::{ToldStep, steps};
pub use value::value;

/// `1 state`, `2 states`
fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// A pair of states.
fn pair((first, second): &(String, String)) -> String {
    format!("({first}, {second})")
}

//! Runs, for people and for programs: on a terminal, with a lane for each component (`lanes`, `list`), as JSON, in the form
//! that Apalache and Quint use (`itf`), and as a sequence chart (`src/emit/svg/chart.rs`).

mod cells;
mod itf;
mod json;
mod lanes;
mod list;
pub(super) mod moves;
mod stepping;

pub use itf::{ACTION, itf, itf_state};
pub use json::{FORMAT, NotATrace, Recorded, SavedTrace, VERSION, read, saved, schema};
pub use lanes::{Look, lanes};
pub use stepping::step_answer;

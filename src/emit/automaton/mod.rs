//! What an open automaton can be written as: rules as in the papers (`text.rs`), JSON (`json.rs`), a graph
//! (`dot.rs`), a picture (`svg.rs`), also with a run on it (`run.rs`).

mod dot;
mod facts;
mod json;
mod rule;
mod run;
mod svg;
mod text;

pub use dot::dot;
pub use json::json;
pub use rule::{Rule, rule, rules};
pub use run::NotOnAutomaton;
pub use svg::{svg, svg_with_run};
pub use text::text;

//! What an open automaton can be written as: rules as in the papers (`text.rs`), JSON (`json.rs`), a graph
//! (`dot.rs`), a picture (`svg.rs`).

mod dot;
mod facts;
mod json;
mod rule;
mod svg;
mod text;

pub use dot::dot;
pub use json::json;
pub use rule::{Rule, rule, rules};
pub use svg::svg;
pub use text::text;

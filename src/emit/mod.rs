//! What a net can be written as: one file for each form.

mod dot;
mod json;
pub mod label;
mod names;
mod pattern;
mod svg;
mod term;
mod text;
mod used;

pub use dot::dot;
pub use json::json;
pub use svg::svg;
pub use term::term;
pub use text::text;

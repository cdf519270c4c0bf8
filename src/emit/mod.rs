//! What a net can be written as: one file for each form.

pub mod aut;
pub mod automaton;
pub mod composition;
mod dot;
mod invariant;
mod json;
pub mod label;
pub mod listing;
pub mod lts;
mod names;
pub mod outcome;
mod pattern;
mod scope;
mod svg;
pub mod systems;
mod term;
mod text;
pub mod trace;
mod used;
mod wrap;

pub use dot::dot;
pub use invariant::{Locations, invariant, invariant_item, paths};
pub use json::json;
pub use names::{Declared, Names, quoted, quoted_path};
pub use scope::Scope;
pub use svg::{chart, picture_style, rules_svg, svg, svg_with_comments, without_style};
pub use term::{formula, term};
pub use text::text;

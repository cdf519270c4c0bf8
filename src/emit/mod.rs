//! What a net can be written as: one file for each form.

mod dot;
pub mod label;
mod svg;

pub use dot::dot;
pub use svg::svg;

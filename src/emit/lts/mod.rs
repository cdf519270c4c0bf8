//! Pictures of labelled transition systems: small ones state by state, larger ones from far away. What is drawn is chosen
//! first (`picture.rs`), then written as a picture (`svg.rs`) or as a graph for Graphviz (`dot.rs`).

mod dot;
mod picture;
mod svg;

pub use dot::dot;
pub use picture::PartMark;
pub use svg::{part_svg, svg};

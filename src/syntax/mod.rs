//! From text to tree and back: tokens, the parser with its recovery, the tree, the printer and the
//! formatter. Nothing here knows what a name means.

mod alone;
mod architecture;
pub mod ast;
mod body;
mod build;
mod characters;
mod contextual;
pub mod cut;
mod elsewhere;
mod expression;
mod foreign;
pub mod format;
mod formulas;
mod glue;
mod habits;
mod invariant;
mod joints;
mod keywords;
mod misfit;
mod parser;
pub mod print;
pub mod problems;
mod quantified;
mod reduction;
mod rules;
mod scenario;
mod statement;
mod strays;
mod system;
mod temporal;
pub mod token;
pub mod walk;

pub(crate) use build::Builder;

pub use alone::{Alone, parse_check, parse_claim, parse_instance, parse_name, parse_property};
pub use parser::{ParsedFile, parse};

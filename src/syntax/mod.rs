//! From text to tree and back: tokens, the parser with its recovery, the tree, the printer and the
//! formatter. Nothing here knows what a name means.

mod alone;
pub mod ast;
mod body;
mod build;
mod contextual;
pub mod cut;
mod foreign;
pub mod format;
mod habits;
mod invariant;
mod misfit;
mod parser;
pub mod print;
pub mod problems;
mod reduction;
mod scenario;
mod statement;
mod system;
pub mod token;
pub mod walk;

pub(crate) use build::Builder;

pub use alone::{Alone, parse_check, parse_claim, parse_instance, parse_name, parse_property};
pub use parser::{ParsedFile, parse};

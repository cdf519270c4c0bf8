//! The Aldebaran format (AUT), read and written. What the silent action is called differs from tool to tool: `i` for CADP,
//! `tau` for mCRL2; whoever reads or writes says which.

mod line;
mod lines;
pub mod problems;
mod read;
mod write;

pub use line::Flaw;
pub use lines::{AutLine, lines};
pub use read::{AutRead, AutReader, SILENT_NAMES};
pub use write::{clean, header, label, line, write};

//! Everything that is said to a person about a model: where (spans and source files), what (one
//! neutral [`Diagnostic`]), which kind (codes and their long explanations) and how it is shown.
//!
//! `codespan_reporting` appears in [`render`] and nowhere else.

mod changes;
mod entry;
mod json;
mod levels;
mod render;
mod report;
mod source;
mod symbol;

pub use changes::{Changes, Told};
pub use entry::Entry;
pub(crate) use entry::problems;
pub use json::json_line;
pub use levels::{Level, Levels};
pub use render::{Style, render};
pub use report::{Diagnostic, Edit, Label, Severity, Suggestion, closest, nearly_the_same};
pub use source::{Excerpt, Position, SourceFile, SourceMap, SourceTooLarge, Span};
pub use symbol::Symbol;

//! Processes that come from files, as they are written.

use serde::Serialize;

use crate::diagnostics::{Span, Symbol};

/// A file with a labelled transition system: where it is named, and what the silent action is called in it, if that is said.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SystemSource {
    /// Its name.
    pub file: Symbol,
    /// Where that stands, with its quotes.
    pub span: Span,
    /// The silent action.
    pub silent: Option<Symbol>,
}

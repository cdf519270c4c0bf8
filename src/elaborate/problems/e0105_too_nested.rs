//! `E0105`: nets nested too deeply.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Nets nested too deeply.
#[derive(Clone, Debug)]
pub struct TooNested {
    /// Where it is.
    pub span: Span,
    /// How many levels there may be.
    pub limit: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0105",
    title: "nets nested too deeply",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Nets can contain nets, but not arbitrarily deep: every level is a level that later
stages go through, and that a person would have to follow to understand the model.
No model that a person wrote comes near the limit.

Put more parts side by side in one net, or have the generator that made the model
build a flatter one.
",
    wrong: "",
    right: "",
};

impl TooNested {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("nets are nested more than {} levels deep", self.limit))
            .label("this net is one level too many")
            .note("put more parts side by side, or build the hierarchy in pieces")
    }
}

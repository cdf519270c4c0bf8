//! `E0105`: nets nested too deeply.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Nets nested too deeply.
#[derive(Clone, Debug)]
pub struct TooNested {
    /// Where it is.
    pub span: Span,
    /// How many levels there may be.
    pub limit: usize,
    /// Whether it is a net, and no connector that uses another.
    pub is_net: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0105",
    title: "nets nested too deeply",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Nets can contain nets, and connectors can use ports that others show, but not
arbitrarily deep: every level is a level that later stages go through, and that a
person would have to follow to understand the model.

Put more parts side by side in one net, or more ports in one connector; where a program
made the model, have it make a flatter one.
",
    wrong: "",
    right: "",
};

impl TooNested {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (what, one, note) = match self.is_net {
            true => ("nets", "net", "put more parts side by side in one net"),
            false => ("connectors", "connector", "join more ports in one connector"),
        };
        Diagnostic::new(entry, self.span, format!("{what} are nested more than {} levels deep", self.limit))
            .label(format!("this {one} is one level too many"))
            .note(note)
    }
}

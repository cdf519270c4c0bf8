//! `F0341`: labels that would be one action.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Labels of a system that cannot be told apart as actions.
#[derive(Clone, Debug)]
pub struct LabelsAlike {
    /// Where the network begins.
    pub span: Span,
    /// The network.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0341",
    title: "labels that would be one action",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Two labels of one system are written in such a way that the model would take them for the
same action, as `go` and `go` between back-quotes. Rename one of them in its file; `pnet
reduce` can put the network together as it is.
",
    wrong: "",
    right: "",
};

impl LabelsAlike {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("two labels of a system of `{}` would be one action", self.name);
        Diagnostic::new(entry, self.span, message).note("rename one of them in its file")
    }
}

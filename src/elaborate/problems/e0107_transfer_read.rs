//! `E0107`: variable both transferred and read.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Variable both transferred and read.
#[derive(Clone, Debug)]
pub struct TransferRead {
    /// Where it is.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// Where it is written.
    pub written: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0107",
    title: "variable both transferred and read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A transfer gives a port its value; the value that the port had before is not an
argument of its action. So a variable that a connector writes cannot be read by
its guard, by another transfer or by what it shows.

Where the new value is wanted, write the expression that is assigned.
",
    wrong: "",
    right: "",
};

impl TransferRead {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("`{}` is written by the transfer and read as well", self.name))
            .label("read here")
            .also(self.written, "written here")
            .note("read the value that is transferred instead, or take another port for it")
    }
}

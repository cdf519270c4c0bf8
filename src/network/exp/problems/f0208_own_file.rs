//! `F0208`: network that is a part of itself.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A network that names itself, perhaps by way of others.
#[derive(Clone, Debug)]
pub struct OwnFile {
    /// Where.
    pub span: Span,
    /// The files that lead from it to itself.
    pub way: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0208",
    title: "network that is a part of itself",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A network may have other networks as parts, in files of their own (`.exp`). None may be a
part of itself, not by way of others either: nothing would be left at the end.

Name the file that was meant.
",
    wrong: "hide ACK in «\"example.exp\"» end hide\n",
    right: "hide ACK in \"receiver.aut\" end hide\n",
};

impl OwnFile {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let way: Vec<String> = self.way.iter().map(|name| format!("`{name}`")).collect();
        Diagnostic::new(entry, self.span, "this network is a part of itself").note(format!("it is read for {}", way.join(", for ")))
    }
}

//! `F0331`: hole in a net that is exported.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A hole in a net that is exported.
#[derive(Clone, Debug)]
pub struct HoleInExport {
    /// Where the hole is declared.
    pub span: Span,
    /// Its path.
    pub hole: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0331",
    title: "hole in a net that is exported",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Other tools have no parts that nobody has written yet, so only closed nets are exported: each
hole must be filled. Export an instance that fills it, `'Line(S: Sender)'`, or write a net
that does.
",
    wrong: "\
action go;
interface Goes { go }

net Line(«S»: Goes) {
    <S: go> -> go;
}
",
    right: "\
action go;

process Goer {
    init state s;

    s -> s : go;
}

net Line {
    sub S = Goer;

    <S: go> -> go;
}
",
};

impl HoleInExport {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` is a hole, and only closed nets are exported", self.hole);
        Diagnostic::new(entry, self.span, message)
            .note("export an instance that fills it, as in a `check` item")
    }
}

//! `F0209`: network of a file that operators around it reach into.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A network that means something else where it is copied into another.
#[derive(Clone, Debug)]
pub struct LooseFile {
    /// Where.
    pub span: Span,
    /// The file.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0209",
    title: "network of a file that operators around it reach into",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
For CADP, a network that is named in another is copied there as it is. If its operators
are not enclosed, those around it reach in: where `a.exp` has `hide A in \"a.aut\"`, in
`\"a.exp\" || \"b.aut\"` the `hide` is about both systems.

So that nobody has to guess, this is an error. Put the name in parentheses, or end the
`hide` in the file with `end hide`.
",
    wrong: "«\"loose.exp\"» ||| \"sender.aut\"\n",
    right: "(\"loose.exp\") ||| \"sender.aut\"\n",
};

impl LooseFile {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = "operators around this file reach into it";
        Diagnostic::new(entry, self.span, message)
            .label("its operators are not enclosed")
            .note(format!("write it in parentheses: `(\"{}\")`", self.name.replace('`', "'")))
    }
}

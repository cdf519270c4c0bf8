//! `F0202`: something else is expected in a network.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something else is expected here.
#[derive(Clone, Debug)]
pub struct Unexpected {
    /// Where.
    pub span: Span,
    /// What is expected.
    pub expected: &'static str,
    /// What stands there; nothing at the end of the file.
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0202",
    title: "something else is expected in a network",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A network in the EXP format is a file in quotes, or an operator with others inside:

- `hide A, B in … end hide`, `cut A in … end cut`, `rename A -> B in … end rename`
- `\"x.aut\" || \"y.aut\"`, `|||`, `|[A, B]|`
- `par using A * _ -> A, … in \"x.aut\" || \"y.aut\" end par`

Words such as `hide` or `end` are names only in quotes.
",
    wrong: "label par using\n  \"PUT !1\" * \"GET !1\" «\"PASS\"»,\n  \"ACK\" * \"ACK\" -> \"ACK\"\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
    right: "label par using\n  \"PUT !1\" * \"GET !1\" -> \"PASS\",\n  \"ACK\" * \"ACK\" -> \"ACK\"\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
};

impl Unexpected {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let found = match self.found.as_str() {
            "" => "the file ends here".to_owned(),
            found => format!("this does not fit here: `{}`", found.replace('`', "'")),
        };
        Diagnostic::new(entry, self.span, found).label(format!("expected: {}", self.expected))
    }
}

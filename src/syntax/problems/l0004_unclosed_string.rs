//! `L0004`: quote that is never closed.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A `"` without its partner on the same line.
#[derive(Clone, Debug)]
pub struct UnclosedString {
    /// The quote.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0004",
    title: "quote that is never closed",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A text between quotes has to end on the line it starts on. Such texts occur in one
place only: the name of a file in an import, `import \"./timer.pnet\";`.

Write the second quote. The modules of the library are not files beside the model
and are written without any quotes: `import std.ccs;`.
",
    wrong: r#"import «"»std.ccs;

action coin;

net Paid(P: any) = Prefix<coin>(P);
"#,
    right: "\
import std.ccs;

action coin;

net Paid(P: any) = Prefix<coin>(P);
",
};

impl UnclosedString {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this quote has no partner")
            .label("no second `\"` on this line")
            .note(
                "write a file to import as \"./timer.pnet\", with both quotes on one line; \
                 a library as `std.lotos`, without quotes",
            )
    }
}

//! `T0101`: value of the wrong sort.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An expression whose sort is not the one that is wanted.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The expression.
    pub span: Span,
    /// The sort that is wanted.
    pub expected: String,
    /// The sort that it has.
    pub found: String,
    /// Where the wanted sort comes from, and how.
    pub because: Option<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0101",
    title: "value of the wrong sort",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Every value belongs to a sort, and values of one sort cannot stand where another
is wanted: a number is neither true nor false, and nothing is converted silently.

Look at both places of the message: the expression may be wrong, or the
declaration that says which sort is wanted. To turn a number into a truth value,
compare it; to turn a truth value into a number, write `if b then 1 else 0`.
",
    wrong: "\
action tick;

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick when «n» do n := n + 1;
}
",
    right: "\
action tick;

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 10 do n := n + 1;
}
",
};

impl Mismatch {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (expected, found) = (&self.expected, &self.found);
        let message = format!("expected a value of sort `{expected}`, found one of sort `{found}`");
        let diagnostic =
            Diagnostic::new(entry, self.span, message).label(format!("has the sort `{found}`"));
        let diagnostic = match (expected.as_str(), found.as_str()) {
            ("Bool", "Int") => diagnostic.note("compare the number with something, as in `x != 0`"),
            ("Int", "Bool") => {
                diagnostic.note("write `if b then 1 else 0` to make a number of a truth value")
            }
            _ => diagnostic.note("sorts are never converted silently: change one of the two"),
        };
        match &self.because {
            Some((place, why)) => diagnostic.also(*place, why),
            None => diagnostic,
        }
    }
}

//! `T0131`: something that is no pattern.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something in the place of a pattern that cannot be one.
#[derive(Clone, Debug)]
pub struct BadPattern {
    /// The expression.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0131",
    title: "something that is no pattern",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A pattern describes the shape of a value: a constructor with patterns for its
fields, a number or truth value, a name for whatever stands there, or `_`. Nothing
is calculated in it, so operators, calls of functions and the like cannot be used.

Give the value a name in the pattern, and calculate or test after the `=>`.
",
    wrong: "\
data Msg { Ping, Pkt(seq: Int) }

fun last(m: Msg): Int = match m { Ping => 0, Pkt(«k + 1») => 1 };
",
    right: "\
data Msg { Ping, Pkt(seq: Int) }

fun last(m: Msg): Int = match m { Ping => 0, Pkt(k) => k - 1 };
",
};

impl BadPattern {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this cannot be a pattern")
            .label("not a constructor, a value, a name or `_`")
            .note("put a name here, and calculate with it on the right of the `=>`")
    }
}

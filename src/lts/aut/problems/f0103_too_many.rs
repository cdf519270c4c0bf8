//! `F0103`: more states or transitions than can be read.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A number that is too large, or a line too many.
#[derive(Clone, Debug)]
pub struct TooMany {
    /// The number, or the line.
    pub span: Span,
    /// What there are too many of.
    pub what: &'static str,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0103",
    title: "more states or transitions than can be read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
States of labelled transition systems have numbers below 4,294,967,295, and there
are no more transitions than that. A larger number is mostly a mistake of what wrote
the file, for example a -1 that was written without its sign.

Systems that are really larger do not fit into memory: reduce their parts, and put
these together, instead of the whole.
",
    wrong: "des (0, 2, 2)\n(0, \"press\", «18446744073709551615»)\n(1, \"release\", 0)\n",
    right: "des (0, 2, 2)\n(0, \"press\", 1)\n(1, \"release\", 0)\n",
};

impl TooMany {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("there are more {} than can be read", self.what);
        Diagnostic::new(entry, self.span, message)
            .label("this is one too many")
            .note("states have numbers below 4294967295; reduce the parts of a system that is larger")
    }
}

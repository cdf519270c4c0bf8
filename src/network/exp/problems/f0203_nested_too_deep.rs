//! `F0203`: network that is nested too deep.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Behaviours stand too deep in each other.
#[derive(Clone, Debug)]
pub struct NestedTooDeep {
    /// Where.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0203",
    title: "network that is nested too deep",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Operators and parentheses may stand up to 100 deep in each other, those of files that
are named in other files included. Infix operators side by side, as in
`\"a.aut\" ||| \"b.aut\" ||| \"c.aut\"`, are not deeper than one.

Take out parentheses that are not needed, or write part of the network as a system of
its own with `pnet reduce PART.exp --strong -o PART.aut`.
",
    wrong: "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((«\"sender.aut\"»))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))\n",
    right: "(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((\"sender.aut\")))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))\n",
};

impl NestedTooDeep {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "behaviours are nested too deep here")
            .note("there may be 100 levels; make a system of a part with `pnet reduce PART.exp --strong -o PART.aut`")
    }
}

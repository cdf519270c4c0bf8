//! `F0205`: regular expression that is not understood.

use crate::network::exp::pattern::PatternFlaw;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A regular expression that is not understood.
#[derive(Clone, Debug)]
pub struct BrokenPattern {
    /// Where.
    pub span: Span,
    /// Why.
    pub flaw: PatternFlaw,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0205",
    title: "regular expression that is not understood",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
What `hide`, `rename` and `cut` name are regular expressions as `ed` has them: `.` is
any character, `[a-z]` one of these, `[^a-z]` none of them, `*` repeats the character
before it, `\\(` and `\\)` enclose a group, and `\\` before a sign takes its meaning
away. With `gate` or nothing before the operator, the gate must fit as a whole; with
`total`, the label; with `partial`, `single` and `multiple`, some part of it.

In what a label is renamed to, `\\1` to `\\9` put in what the groups fitted. Other forms
of regular expressions are not read.
",
    wrong: "total rename \"PUT !«[»0-9\" -> \"PUT\" in \"sender.aut\" end rename\n",
    right: "total rename \"PUT ![0-9]\" -> \"PUT\" in \"sender.aut\" end rename\n",
};

impl BrokenPattern {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this regular expression is not understood")
            .label(self.flaw.to_string())
    }
}

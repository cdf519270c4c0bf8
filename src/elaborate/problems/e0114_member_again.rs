//! `E0114`: member that brackets name again.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Member that brackets name again.
#[derive(Clone, Debug)]
pub struct MemberAgain {
    /// Where it is named again.
    pub span: Span,
    /// Where it is named first.
    pub first: Span,
    /// Its index.
    pub index: String,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0114",
    title: "member that brackets name again",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Brackets in a vector stand for all members that they are repeated for, and one of these is
named a second time. A component makes one step at a time, so the vector could never happen.

Leave it out of the brackets with a condition: `[S[i]: tick for i in 0..n when i != 0]`.
",
    wrong: "\
action lead, follow, march;

process Soldier {
    init state s;

    s -> s : lead;
    s -> s : follow;
}

net Row {
    sub S[i: 0..3] = Soldier;

    <S[0]: lead, [«S[i]»: follow for i in 0..3]> -> march;
}
",
    right: "\
action lead, follow, march;

process Soldier {
    init state s;

    s -> s : lead;
    s -> s : follow;
}

net Row {
    sub S[i: 0..3] = Soldier;

    <S[0]: lead, [S[i]: follow for i in 0..3 when i != 0]> -> march;
}
",
};

impl MemberAgain {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let index = &self.index;
        let diagnostic = Diagnostic::new(entry, self.span, format!("the member with index {index} takes part twice"))
            .label("again here")
            .also(self.first, "here first".to_owned())
            .note(format!("leave it out of the brackets with a condition, such as `when i != {index}`"));
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}

//! `E0115`: place of an array that no member binds.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Place of an array that no member binds.
#[derive(Clone, Debug)]
pub struct UnboundPlace {
    /// Where it is read.
    pub span: Span,
    /// The array, or a variable of the members in brackets.
    pub name: String,
    /// Whether it is a place of an array, and not the whole variable.
    pub is_place: bool,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0115",
    title: "place of an array that no member binds",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`[S[i]: vote(v[i]) for i in 0..n]` makes `v` an array with a place for each member that
takes part, and here a place is read, or the whole array, although no member gives it a value.

Read the places of the members that take part only.
",
    wrong: "\
action vote(Int), total(Int);

process Member<mine: Int> {
    init state s;

    s -> s : vote(mine);
}

net Council {
    sub S[i: 0..3] = Member<i>;

    <[S[i]: vote(v[i]) for i in 0..3 when i != 1]> -> total(«v»[1]);
}
",
    right: "\
action vote(Int), total(Int);

process Member<mine: Int> {
    init state s;

    s -> s : vote(mine);
}

net Council {
    sub S[i: 0..3] = Member<i>;

    <[S[i]: vote(v[i]) for i in 0..3 when i != 1]> -> total(v[0] + v[2]);
}
",
};

impl UnboundPlace {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let (message, label, note) = match self.is_place {
            true => (
                format!("a place of `{name}` is read that no member gives a value"),
                "not all places have a value",
                "only the places of members that take part have values",
            ),
            false => (
                format!("`{name}` is read where no member gives it a value"),
                "nobody in the brackets may be left to give one",
                "see to it that somebody takes part who has it, or do not read it here",
            ),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message).label(label).note(note);
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}

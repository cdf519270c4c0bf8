//! `E0104`: index outside of its family.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Index outside of its family.
#[derive(Clone, Debug)]
pub struct IndexOutside {
    /// Where it is.
    pub span: Span,
    /// The index.
    pub index: String,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0104",
    title: "index outside of its family",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
With the values that the parameters and indices have here, an index leads outside
of its family. In a ring, the neighbour of the last member is the first one.

Use `mod`, or repeat the vector for fewer indices.
",
    wrong: "\
action give(Int), take(Int), pass(Int);

process Station<i: Int> {
    init state s;

    s -> s : give(i);
    s -> s : take(?x) when x != i;
}

net Ring<n: Int> {
    sub S[i: 0..n] = Station<i>;

    <S[i]: give(x), S[«i + 1»]: take(x)> -> pass(x) for i in 0..n;
}

net Three = Ring<3>;
",
    right: "\
action give(Int), take(Int), pass(Int);

process Station<i: Int> {
    init state s;

    s -> s : give(i);
    s -> s : take(?x) when x != i;
}

net Ring<n: Int> {
    sub S[i: 0..n] = Station<i>;

    <S[i]: give(x), S[(i + 1) mod n]: take(x)> -> pass(x) for i in 0..n;
}

net Three = Ring<3>;
",
};

impl IndexOutside {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, format!("there is no member with the index `{}`", self.index))
            .label("outside of the family")
            .note("`mod` keeps an index inside: `S[(i + 1) mod n]`");
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}

//! `P0007`: wrong kind of equals sign.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// One of `=`, `==` and `:=` where another of them belongs.
#[derive(Clone, Debug)]
pub struct WrongEquals {
    /// The sign.
    pub span: Span,
    /// The sign that belongs here.
    pub meant: String,
    /// The sign that was written.
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0007",
    title: "wrong kind of equals sign",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
There are three signs, each for one purpose. `=` says what a name stands for, in a
declaration: `const N: Int = 4;`, `sub T = Timer;`. `==` compares two values, in
guards and other expressions. `:=` gives a variable a new value when a transition
happens, after `do`.
",
    wrong: "\
action tick(Int);

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick(n) when n < 9  do n := n + 1;
    s -> s : tick(n) when n == 9 do n «=» 0;
}
",
    right: "\
action tick(Int);

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick(n) when n < 9  do n := n + 1;
    s -> s : tick(n) when n == 9 do n := 0;
}
",
};

impl WrongEquals {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (meant, found) = (&self.meant, &self.found);
        let purpose = match meant.as_str() {
            ":=" => "an assignment is written with `:=`",
            "==" => "values are compared with `==`",
            _ => "a declaration gives its value with `=`",
        };
        Diagnostic::new(entry, self.span, format!("`{found}` where `{meant}` is wanted"))
            .label(format!("expected `{meant}`"))
            .note(purpose)
            .suggest(format!("write `{meant}`"), self.span, meant)
    }
}

//! `T0160`: no constructor has these fields.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A field that no constructor has together with those before it.
#[derive(Clone, Debug)]
pub struct NoSuchRecord {
    /// The field.
    pub span: Span,
    /// The field.
    pub name: String,
    /// Those before it.
    pub others: Vec<String>,
    /// The sort of the value.
    pub sort: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0160",
    title: "no constructor has these fields",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`m with { seq := 1, body := b }` is the value that differs from `m` in these fields. It
is made by the constructor that made `m`, so one constructor must have all of the fields.
Here each of them belongs to some constructor, but no constructor has all.

Change the fields of one constructor only, or take the value apart with `match` and make
the new one yourself.
",
    wrong: "\
data Msg { Ack(seq: Int), Pkt(body: Int) }

fun zero(m: Msg): Msg = m with { seq := 0, «body» := 0 };
",
    right: "\
data Msg { Ack(seq: Int), Pkt(body: Int) }

fun zero(m: Msg): Msg = match m { Ack(_) => Ack(0), Pkt(_) => Pkt(0) };
",
};

impl NoSuchRecord {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let others: Vec<String> = self.others.iter().map(|name| format!("`{name}`")).collect();
        let (name, sort) = (&self.name, &self.sort);
        let message = format!("no constructor of `{sort}` has {} and `{name}`", others.join(", "));
        Diagnostic::new(entry, self.span, message)
            .label("another constructor has this one")
            .note("change fields of one constructor, or take the value apart with `match`")
    }
}

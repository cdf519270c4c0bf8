//! `E0107`: variable both transferred and read.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Variable both transferred and read.
#[derive(Clone, Debug)]
pub struct TransferRead {
    /// Where it is.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// Where it is written.
    pub written: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0107",
    title: "variable both transferred and read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A transfer gives a port its value; the value that the port had before is not an
argument of its action. So a variable that a connector writes cannot be read by
its guard, by another transfer or by what it shows.

Where the new value is wanted, write the expression that is assigned.
",
    wrong: "\
action out(Int), set(Int), xfer;

process Source {
    init state s;

    s -> s : out(3);
}

process Sink {
    var last: Int = 0;
    init state s;

    s -> s : set(?v) when v > last do last := v;
}

net Pair {
    sub A = Source;
    sub B = Sink;

    connect xfer : A.out(x) B.set(y) when «y» > 0 do y := x + 1;
}
",
    right: "\
action out(Int), set(Int), xfer;

process Source {
    init state s;

    s -> s : out(3);
}

process Sink {
    var last: Int = 0;
    init state s;

    s -> s : set(?v) when v > last do last := v;
}

net Pair {
    sub A = Source;
    sub B = Sink;

    connect xfer : A.out(x) B.set(y) when x + 1 > 0 do y := x + 1;
}
",
};

impl TransferRead {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("`{}` is written by the transfer and read as well", self.name))
            .label("read here")
            .also(self.written, "written here")
            .note("read the value that is transferred instead, or take another port for it")
    }
}

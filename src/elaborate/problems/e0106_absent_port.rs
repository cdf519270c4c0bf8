//! `E0106`: data of a port that does not take part.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Data of a port that does not take part.
#[derive(Clone, Debug)]
pub struct AbsentPort {
    /// Where it is.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// The interaction, in words.
    pub interaction: String,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0106",
    title: "data of a port that does not take part",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A connector with triggers has several interactions, and in some of them a port may
be missing. What that port exports has no value then, so neither the guard, nor a
transfer into a port that is there, nor what the connector shows can use it.

Write one connector for the interaction that needs the data, and another for the
rest.
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

net Broadcast {
    sub A = Source;
    sub B = Sink;

    connect xfer : A.out(x)' B.set(y) when x > 0 and «y» > 0;
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

net Broadcast {
    sub A = Source;
    sub B = Sink;

    connect xfer : A.out(x)' B.set(y) when x > 0 do y := x;
}
",
};

impl AbsentPort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, format!("`{}` has no value in the interaction {}", self.name, self.interaction))
            .label("read here, but its port need not take part")
            .note("make its port a part of every interaction, or split the connector into several");
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}

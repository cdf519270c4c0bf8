//! `F0337`: net that is no network of labelled transition systems.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A net that cannot be written as a network.
#[derive(Clone, Debug)]
pub struct NoNetwork {
    /// Where it is declared.
    pub span: Span,
    /// The net.
    pub net: String,
    /// Why it cannot be.
    pub why: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0337",
    title: "net that is no network",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A network of CADP has finite systems as its parts, which move together by vectors of labels.
Data without an end, priorities, silent steps of parts that are seen by others, and a
process that has no parts cannot be said. `pnet explore --emit aut` writes a net as one
system.
",
    wrong: "\
action put, get, both;

process Sender {
    init state s;

    s -> s : put;
}

process Receiver {
    init state s;

    s -> s : get;
}

net «Line» {
    sub S = Sender;
    sub R = Receiver;

    <S: put, R: get> -> both;
    <S: put>         -> put;

    priority put < both;
}
",
    right: "\
action put, get, both;

process Sender {
    init state s;

    s -> s : put;
}

process Receiver {
    init state s;

    s -> s : get;
}

net Line {
    sub S = Sender;
    sub R = Receiver;

    <S: put, R: get> -> both;
    <S: put>         -> put;
}
",
};

impl NoNetwork {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` is no network: {}", self.net, self.why);
        Diagnostic::new(entry, self.span, message)
            .note("`pnet explore --emit aut` writes a net as one system")
    }
}

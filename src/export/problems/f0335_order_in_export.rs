//! `F0335`: priority that the format does not have.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Why a priority has no form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoOrder {
    /// The format has no priorities at all.
    None,
    /// It depends on the values of what gives way, or of what nobody knows there.
    Values,
    /// What goes first is no vector of the net, or not under these conditions.
    Other,
    /// What gives way to something does not give way to what goes before that.
    NotClosed,
}

/// A priority that the format does not have.
#[derive(Clone, Debug)]
pub struct OrderInExport {
    /// What gives way.
    pub span: Span,
    /// What goes first.
    pub first: Span,
    /// Why it has no form.
    pub why: NoOrder,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0335",
    title: "priority that the format does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
BIP orders connectors: one gives way wherever another could happen, and what follows from
several priorities holds too. A vector that gives way to what is no vector of its net, or
depending on its own values, has no form there. mCRL2 has no priorities at all: say in guards
when something may happen.
",
    wrong: "\
action go, stop;

process Goer {
    init state s;

    s -> s : go;
}

process Stopper {
    init state s;

    s -> s : stop;
}

net Two {
    sub A = Goer;
    sub B = Stopper;

    «<A: go> -> go unless <B: stop>»;
}
",
    right: "\
action go, stop;

process Goer {
    init state s;

    s -> s : go;
}

process Stopper {
    init state s;

    s -> s : stop;
}

net Two {
    sub A = Goer;
    sub B = Stopper;

    <A: go>   -> go;
    <B: stop> -> stop;

    priority go < stop;
}
",
};

impl OrderInExport {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (message, note) = match self.why {
            NoOrder::None => {
                ("this gives way to another, and mCRL2 has no priorities", "say in guards when it may happen")
            }
            NoOrder::Values => (
                "whether this gives way depends on values",
                "in BIP, a connector gives way to another whatever their values are",
            ),
            NoOrder::Other => (
                "this gives way to what is no vector of this net",
                "in BIP, only connectors go before others; write what goes first as a vector, and `priority`",
            ),
            NoOrder::NotClosed => (
                "this gives way to something, and not to what goes before that",
                "in BIP, it would give way to both; write the order as `priority`",
            ),
        };
        let found = Diagnostic::new(entry, self.span, message.to_owned()).note(note);
        match self.first == Span::default() || self.first == self.span {
            true => found,
            false => found.also(self.first, "this goes first"),
        }
    }
}

//! `W0118`: port twice in one connector.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A connector that has the same port twice.
#[derive(Clone, Debug)]
pub struct PortTwice {
    /// The second port.
    pub span: Span,
    /// The port: `M.halt`.
    pub name: String,
    /// The first port.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0118",
    title: "port twice in one connector",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
All ports of an interaction happen in the same instant, and a component can do
only one action at a time. It can therefore take part in a connector with one port
only, also when the ports stand in different sub-connectors.

Remove the second. For two copies of a component that move together, give the net
two parts; if either of two ports may take part, write two connectors.
",
    wrong: "\
action go, halt, step;

process Motor {
    init state s;

    s -> s : go;
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    connect go   : M.go;
    connect step : M.halt «M.halt»;
}
",
    right: "\
action go, halt, step;

process Motor {
    init state s;

    s -> s : go;
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    connect go   : M.go;
    connect step : M.halt;
}
",
};

impl PortTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("the port `{name}` is in this connector twice"))
            .label("cannot do a second action in the same step")
            .also(self.first, "already takes part here")
            .note("a component does one action at a time: remove the second port")
    }
}

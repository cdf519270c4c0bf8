//! `N0205`: unknown component.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// No process, net or hole has this name.
#[derive(Clone, Debug)]
pub struct UnknownComponent {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The component that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0205",
    title: "unknown component",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
What fills a hole, what a `sub` stands for and what a check is about is a
component: a process, a net, or a hole of the net around it. There is none of this
name in this file or its imports.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net System {
    sub C = «Clok»;

    <C: tick> -> tick;
}
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net System {
    sub C = Clock;

    <C: tick> -> tick;
}
",
};

impl UnknownComponent {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("unknown component `{}`", self.name))
            .label("no process, net or hole of this name")
            .note(
                "a component is declared in this file, or imported from the file that declares it",
            )
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

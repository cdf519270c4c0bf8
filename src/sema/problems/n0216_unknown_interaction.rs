//! `N0216`: priority of something that never happens.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name in a priority that is no interaction of the net.
#[derive(Clone, Debug)]
pub struct UnknownInteraction {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The interaction that was probably meant.
    pub similar: Option<String>,
    /// The part whose net has an interaction of this name, and that net.
    pub inside: Option<(String, String)>,
    /// The process, where it is the priority of one.
    pub process: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0216",
    title: "priority of something that never happens",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`priority low < high;` says that `low` has to wait as long as `high` is possible.
Both are interactions of this very net: names of its connectors, or actions that
its vectors show. This name is neither, so the priority would never have an
effect.

What happens inside a sub-net is ordered by a priority in that sub-net.
",
    wrong: "\
action go, halt;

process Motor {
    init state s;

    s -> s : go;
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    connect go   : M.go;
    connect halt : M.halt;
    priority go < «hlat»;
}
",
    right: "\
action go, halt;

process Motor {
    init state s;

    s -> s : go;
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    connect go   : M.go;
    connect halt : M.halt;
    priority go < halt;
}
",
};

impl UnknownInteraction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        if let Some(process) = &self.process {
            let message = format!("`{process}` never does `{}`", self.name);
            return Diagnostic::new(entry, self.span, message)
                .label("no transition has this action")
                .note("a priority in a process orders the actions of its own transitions")
                .did_you_mean(self.span, self.similar.as_deref());
        }
        let message = format!("this net has no interaction `{}`", self.name);
        if let Some((part, net)) = &self.inside {
            return Diagnostic::new(entry, self.span, message)
                .label(format!("an interaction of `{net}`, inside of `{part}`"))
                .note(format!(
                    "put the priority into `{net}`, or order what the vectors and connectors of this net show"
                ));
        }
        Diagnostic::new(entry, self.span, message)
            .label("neither a connector nor shown by a vector of this net")
            .note(
                "a priority orders the connectors of its own net and the actions its vectors show",
            )
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

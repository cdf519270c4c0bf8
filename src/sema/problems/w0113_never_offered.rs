//! `W0113`: action that the component never does.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector or connector that waits for an action its member never does.
#[derive(Clone, Debug)]
pub struct NeverOffered {
    /// The action.
    pub span: Span,
    /// The action.
    pub action: String,
    /// The member.
    pub part: String,
    /// What the member is an instance of.
    pub component: String,
    /// The action that was probably meant.
    pub similar: Option<String>,
    /// Where the member is declared.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0113",
    title: "action that the component never does",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
This vector or connector waits for an action of a part, but that part never does
it: no transition of the process shows it, or no vector of the sub-net lets it
through. The vector can therefore never fire, and everybody else in it waits for
ever. This is the commonest way to switch off a part of a model without noticing.

Often the name is nearly that of another action, the number of arguments differs,
or a vector of the sub-net shows the action under another name. In CCS style,
check on which side the `co` stands.
",
    wrong: "\
action tick, tock;

process Clock {
    init state s;

    s -> s : tick;
}

process Bell {
    init state s;

    s -> s : tock;
}

net Tower {
    sub C = Clock;
    sub B = Bell;

    <C: tick>          -> tick;
    <B: tock>          -> tock;
    <C: «tock», B: tock> -> tock;
}
",
    right: "\
action tick, tock;

process Clock {
    init state s;

    s -> s : tick;
}

process Bell {
    init state s;

    s -> s : tock;
}

net Tower {
    sub C = Clock;
    sub B = Bell;

    <C: tick>          -> tick;
    <B: tock>          -> tock;
    <C: tick, B: tock> -> tock;
}
",
};

impl NeverOffered {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (action, part, component) = (&self.action, &self.part, &self.component);
        let message = format!("this can never happen: `{part}` never does `{action}`");
        // Only the name is replaced, and nothing where `sync` or `co` stands before it.
        let name = action.split('(').next().unwrap_or(action);
        let head =
            Span::new(self.span.start, self.span.end.min(self.span.start + name.len() as u32));
        let similar = self.similar.as_deref().filter(|_| !name.contains(' '));
        Diagnostic::new(entry, self.span, message)
            .label(format!("nothing in `{component}` shows this"))
            .also(self.declared, format!("`{part}` is an instance of `{component}`"))
            .note("correct the action, or remove this: what waits here would wait for ever")
            .did_you_mean(head, similar)
    }
}

//! `N0205`: unknown component.

use crate::diagnostics::{Diagnostic, Edit, Entry, Severity, Span, Suggestion};

/// No process, net or hole has this name.
#[derive(Clone, Debug)]
pub struct UnknownComponent {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The component that was probably meant.
    pub similar: Option<String>,
    /// The parts of this net that have this name and those that are passed with it, if it is no component at all.
    pub parts: Vec<PassedPart>,
    /// Whether a rule of the architecture has this name.
    pub is_rule: bool,
}

/// A sub-net where a component is wanted.
#[derive(Clone, Debug)]
pub struct PassedPart {
    /// Where it is used.
    pub span: Span,
    /// Its name, and where it is declared.
    pub name: String,
    /// Where it is declared.
    pub declared: Span,
    /// What it is an instance of.
    pub component: String,
    /// Whether that can stand in its place as it is.
    pub plain: bool,
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

A sub-net is a part of the net that declares it, and of no other: it cannot be
passed on. Where a net inside a net is to have a part, that is where the component
is named.
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
        if let [first, rest @ ..] = self.parts.as_slice() {
            return passed(entry, first, rest);
        }
        if self.is_rule {
            let name = &self.name;
            let message = format!("`{name}` is a rule, and no component");
            return Diagnostic::new(entry, self.span, message)
                .label("no process or net of this name")
                .note(format!("a rule is used by its name alone: `{name}(x, y);`"));
        }
        Diagnostic::new(entry, self.span, format!("unknown component `{}`", self.name))
            .label("no process, net or hole of this name")
            .note(
                "a component is declared in this file, or imported from the file that declares it",
            )
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

/// Parts where components are wanted: all those of one instance are one mistake.
fn passed(entry: &'static Entry, first: &PassedPart, rest: &[PassedPart]) -> Diagnostic {
    let (name, component) = (&first.name, &first.component);
    let message = format!("the sub-net `{name}` cannot be passed on");
    let mut diagnostic = Diagnostic::new(entry, first.span, message)
        .label("a part of this net, and not a component")
        .also(first.declared, "declared as a part of this net here");
    for part in rest {
        diagnostic = diagnostic.also(part.span, format!("nor can `{}`", part.name));
    }
    diagnostic = diagnostic.note(format!(
        "a part belongs to one net alone: name the component, `{component}`, where it is to be a part"
    ));
    let all = || std::iter::once(first).chain(rest);
    if all().all(|part| part.plain) {
        let edit = |part: &PassedPart| Edit { span: part.span, text: part.component.clone() };
        let message = match rest {
            [] => format!("write `{component}`"),
            _ => "write the components".to_owned(),
        };
        diagnostic.suggestions.push(Suggestion { message, edits: all().map(edit).collect() });
    }
    diagnostic
}

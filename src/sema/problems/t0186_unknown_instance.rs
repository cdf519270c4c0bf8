//! `T0186`: sort of an instance that nothing tells.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An instance whose arguments do not tell what a parameter stands for.
#[derive(Clone, Debug)]
pub struct UnknownInstance {
    /// The text.
    pub span: Span,
    /// Of what it is an instance.
    pub component: String,
    /// The parameter.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0186",
    title: "sort of an instance that nothing tells",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The sorts of an instance are found out from its actions and values where they can be.
Here they say nothing about one of them: write it.

Write all arguments then, with a sort for each parameter that stands for one; `_` is for
those that the others tell.
",
    wrong: "\
process Idle<T: sort> {
    init state s;
    s -> s : tau;
}

net System = «Idle»;
",
    right: "\
process Idle<T: sort> {
    init state s;
    s -> s : tau;
}

net System = Idle<Int>;
",
};

impl UnknownInstance {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (component, name) = (&self.component, &self.name);
        let message = format!("what `{name}` of `{component}` stands for cannot be inferred");
        Diagnostic::new(entry, self.span, message)
            .label("no argument tells")
            .note(format!("write all arguments, with a sort for `{name}`, such as `{component}<Int, …>`"))
    }
}

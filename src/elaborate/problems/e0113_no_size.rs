//! `E0113`: architecture where one net is to be built.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An architecture where one net is to be built.
#[derive(Clone, Debug)]
pub struct NoSize {
    /// Where it stands.
    pub span: Span,
    /// The architecture.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0113",
    title: "architecture where one net is to be built",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An architecture stands for systems of all sizes, and has no net of its own. What can
be built is an unfolding: `Ring<5>` is the one with five components, and where there
are several of that size, `Tree<6, 0>` is the first of them.

`pnet verify` answers checks about the architecture itself for all sizes at once.
",
    wrong: "",
    right: "",
};

impl NoSize {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("the architecture `{name}` has no net of its own"))
            .label("has any number of components")
            .note(format!("name an unfolding by its number of components, as in `{name}<5>`"))
    }
}

//! `F0405`: name of BIP that is declared twice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name that is declared twice.
#[derive(Clone, Debug)]
pub struct TwiceInBip {
    /// The second place.
    pub span: Span,
    /// The first one.
    pub first: Span,
    /// The name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0405",
    title: "name of BIP that is declared twice",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Two things of one kind have the same name: types of a package, variables, ports or places
of an atom, parameters, components or connectors of a compound. Which one is meant where
the name is used would not be clear: rename one of them.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    place S, «S»\n    initial to S\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    place S\n    initial to S\n  end\nend\n",
};

impl TwiceInBip {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("`{}` is declared twice", self.name))
            .also(self.first, "for the first time here")
    }
}

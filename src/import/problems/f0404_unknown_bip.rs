//! `F0404`: name of BIP that has no meaning.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name that is not known.
#[derive(Clone, Debug)]
pub struct UnknownBip {
    /// Where it is used.
    pub span: Span,
    /// What should have this name.
    pub what: &'static str,
    /// The name.
    pub name: String,
    /// What was probably meant.
    pub near: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0404",
    title: "name of BIP that has no meaning",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A name is used that nobody declared: a type, a port, a variable, a place, a component, a
connector, a function or a package. Types of another package are called by its name,
`other.Client`, and the package is named by `use` and looked for beside the file.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    place S\n    initial to «T»\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    place S\n    initial to S\n  end\nend\n",
};

impl UnknownBip {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("there is no {} called `{}` here", self.what, self.name);
        let diagnostic = Diagnostic::new(entry, self.span, message);
        let is_path = self.what == "value" && self.name.contains('.');
        match &self.near {
            None if is_path => diagnostic.note(
                "seen from outside are the data that a component exports, as `export data int x`; in a connector, the data of its ports",
            ),
            near => diagnostic.did_you_mean(self.span, near.as_deref()),
        }
    }
}

//! `E0109`: `--set` of something that cannot be set.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// `--set` of something that cannot be set.
#[derive(Clone, Debug)]
pub struct UnknownConstant {
    /// Where it is.
    pub span: Span,
    /// What was to be set.
    pub name: String,
    /// Whether a constant of that name is declared.
    pub declared: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0109",
    title: "`--set` of something that cannot be set",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`--set N=4` fixes a symbolic constant: one that is declared without a value, `const N:
Int;`, and stands for any value otherwise. Constants that have a value keep it.

Remove the value from the declaration, or change it there.
",
    wrong: "",
    right: "",
};

impl UnknownConstant {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        if self.declared {
            Diagnostic::new(entry, self.span, format!("`{}` cannot be set", self.name))
                .label("has a value already, or is not a number")
                .note("only symbolic constants of integers, as in `const N: Int;`, can be set")
        } else {
            Diagnostic::new(entry, self.span, format!("there is no constant `{}` to set", self.name))
                .note("only symbolic constants of integers, as in `const N: Int;`, can be set")
        }
    }
}

//! `F0105`: label that other tools take for the silent action.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A label that is the silent action for other tools, in a file without silent steps.
#[derive(Clone, Debug)]
pub struct OtherSilent {
    /// Where it is met first.
    pub span: Span,
    /// The label.
    pub name: &'static str,
    /// What the silent action is called here.
    pub silent: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0105",
    title: "label that other tools take for the silent action",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The silent action is called `tau` by mCRL2 and pnet, and `i` by CADP and MERC. The
file has no step that is silent under the name that was given with `--tau`, and it
has steps with the other name, which are then steps like all others.

Say `--tau i` if they are meant to be silent, or `--tau i,tau` to take both names for
it. If the label is an ordinary one, `--allow F0105` keeps this warning quiet.
",
    wrong: "des (0, 2, 2)\n(0, \"press\", 1)\n(1, «i», 0)\n",
    right: "des (0, 2, 2)\n(0, \"press\", 1)\n(1, tau, 0)\n",
};

impl OtherSilent {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` is a label like all others here", self.name);
        Diagnostic::new(entry, self.span, message)
            .label(format!("only `{}` is silent, and nothing is called so", self.silent))
            .note(format!("if it is meant to be silent, say `--tau {}`", self.name))
    }
}

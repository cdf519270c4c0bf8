//! `N0218`: unknown module.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A path that starts with a name no import has.
#[derive(Clone, Debug)]
pub struct UnknownModule {
    /// The first name of the path.
    pub span: Span,
    /// That name.
    pub name: String,
    /// The import that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0218",
    title: "unknown module",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In `timer.Tick`, the part before the dot is the name under which a module was
imported: `import \"./timer.pnet\" as timer;`. No import of this file has this name.

An import without `as` brings the names in directly; they are then written without
anything before them.
",
    wrong: "\
import std.ccs as ccs;

action coin;

process Machine {
    init state s;

    s -> s : coin;
}

net Once = ccs.Prefix<coin>(Machine);
net Twice = «cs».Prefix<coin>(Once);
",
    right: "\
import std.ccs as ccs;

action coin;

process Machine {
    init state s;

    s -> s : coin;
}

net Once = ccs.Prefix<coin>(Machine);
net Twice = ccs.Prefix<coin>(Once);
",
};

impl UnknownModule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("no import is called `{name}`"))
            .label("unknown module")
            .note(format!("a module gets its name where it is imported: `import … as {name};`"))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

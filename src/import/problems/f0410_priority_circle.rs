//! `F0410`: priorities of BIP that form a circle.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Priorities that form a circle.
#[derive(Clone, Debug)]
pub struct PriorityCircle {
    /// The last of them.
    pub span: Span,
    /// The names of what goes before what, ending as it begins.
    pub way: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0410",
    title: "priorities of BIP that form a circle",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Priorities are an order: nothing goes before itself, also through others. BIP finds such
circles when it compiles, or when it runs if they have guards. Maximal progress belongs to
the order: within a connector, a larger interaction goes before those that it contains.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    port Sig p(), q()\n    place S\n    initial to S\n    on p from S to S\n    on q from S to S\n    priority one p < q\n    «priority two q < p»\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    port Sig p(), q()\n    place S\n    initial to S\n    on p from S to S\n    on q from S to S\n    priority one p < q\n  end\nend\n",
};

impl PriorityCircle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let way: Vec<String> = self.way.iter().map(|name| format!("`{name}`")).collect();
        Diagnostic::new(entry, self.span, "these priorities form a circle")
            .note(match way.as_slice() {
                [only] => format!("{only} would go before itself"),
                _ => format!("{} go before each other", way.join(", ")),
            })
    }
}

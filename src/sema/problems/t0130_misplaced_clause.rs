//! `T0130`: clause that does not belong to the check.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A clause after a check that takes no such clause.
#[derive(Clone, Debug)]
pub struct MisplacedClause {
    /// The clause.
    pub span: Span,
    /// The clause: `by`, `tracking`.
    pub clause: String,
    /// The check.
    pub check: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0130",
    title: "clause that does not belong to the check",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`by` names the relation that proves a comparison of two systems, or the invariant
that proves an `always`, a `reaches` or a `deadlock_free`; `tracking` lists the
holes whose moves a refinement follows, and `== (states, transitions)` is what
`size` is compared with. Each belongs to its own kind of check and would
have no effect after this one.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

relation Same(Clock, Clock) {
    (s, s);
}

check terminates(Clock) by «Same»;
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

relation Same(Clock, Clock) {
    (s, s);
}

check weakly_bisimilar(Clock, Clock) by Same;
",
};

impl MisplacedClause {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (clause, check) = (&self.clause, &self.check);
        Diagnostic::new(entry, self.span, format!("`{check}` takes no `{clause}`"))
            .label(format!("has no meaning for `{check}`"))
            .note(match clause.as_str() {
                "by" => "remove it; `by` belongs to the checks that compare two nets, and to `always`, `reaches` and `deadlock_free`",
                "tracking" => "remove it; `tracking` belongs to `refines` and `weakly_refines`",
                _ => "remove it; the number of states and transitions belongs to `size`",
            })
    }
}

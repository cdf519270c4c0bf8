//! `T0121`: test on something that has no alternatives.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An `is` or a `match` on something that has no alternatives.
#[derive(Clone, Debug)]
pub struct Untestable {
    /// The value that is tested.
    pub span: Span,
    /// Its sort.
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0121",
    title: "test on something that has no alternatives",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`m is Pkt(_)` asks with which constructor a value was made, `a is tick` asks which
action was matched, and `match` tells all alternatives apart. The value that is
asked about has to be of a sort declared with `enum` or `data`, or, for `is`, an
action. Others have no alternatives.

Compare numbers and truth values with `==`.
",
    wrong: "\
data Msg { Ping, Pkt(seq: Int) }

fun numbered(m: Int): Bool = «m» is Pkt(_);
",
    right: "\
data Msg { Ping, Pkt(seq: Int) }

fun numbered(m: Msg): Bool = m is Pkt(_);
",
};

impl Untestable {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let found = &self.found;
        let message = format!("a value of sort `{found}` has no alternatives to tell apart");
        Diagnostic::new(entry, self.span, message)
            .label(format!("has the sort `{found}`"))
            .note("`is` tests data and actions, `match` data; compare other values with `==`")
    }
}

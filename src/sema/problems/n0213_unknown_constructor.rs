//! `N0213`: unknown constructor.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A constructor that the sort does not have.
#[derive(Clone, Debug)]
pub struct UnknownConstructor {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The sort.
    pub sort: String,
    /// The constructor that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0213",
    title: "unknown constructor",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A pattern in `match`, or after `is`, names one of the constructors of the sort
that is being looked at: the alternatives listed in its `enum` or `data`
declaration. This sort has no constructor of this name.
",
    wrong: "\
data Msg { Ping, Pkt(seq: Int) }

fun numbered(m: Msg): Bool = m is «Pakt»(_);
",
    right: "\
data Msg { Ping, Pkt(seq: Int) }

fun numbered(m: Msg): Bool = m is Pkt(_);
",
};

impl UnknownConstructor {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, sort) = (&self.name, &self.sort);
        Diagnostic::new(entry, self.span, format!("the sort `{sort}` has no constructor `{name}`"))
            .label("unknown constructor")
            .note(format!("the constructors are listed in the declaration of `{sort}`"))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

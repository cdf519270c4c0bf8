//! `W0201`: net that observes silent actions.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A net that does not let the silent actions of a part pass freely.
#[derive(Clone, Debug)]
pub struct ObservesSilent {
    /// The hole's name, or the members of the vector.
    pub span: Span,
    /// The net.
    pub net: String,
    /// The part.
    pub part: String,
    /// What the net does or does not, in words.
    pub kind: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0201",
    title: "net that observes silent actions",
    severity: Severity::Warning,
    on_request: true,
    explanation: "\
Weak bisimilarity treats `tau`, the silent action, as if it were not there. That
is only preserved by a net that does the same: each part can do its silent actions
at any time, by itself, and nothing else happens then. If a net blocks or reacts
to the silent actions of a part, then replacing the part by a weakly bisimilar one
can change what the net does, and results for the part do not carry over.

Give every hole and sub-net the vectors `<P: tau> -> tau;` and `<P: sync ?a> ->
sync a;`, since what is synchronised inside of a part is silent as well, and let no
other vector match these. This is only reported on request: a net need not be used in this way.
",
    wrong: "\
action go;

net Gate(«P»: any) {
    <P: go> -> go;
}
",
    right: "\
action go;

net Gate(P: any) {
    <P: go>      -> go;
    <P: tau>     -> tau;
    <P: sync ?a> -> sync a;
}
",
};

impl ObservesSilent {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (net, part) = (&self.net, &self.part);
        let message = format!("`{net}` does not let the silent actions of `{part}` pass freely");
        Diagnostic::new(entry, self.span, message).label(self.kind.clone()).note(format!(
            "`{part}` cannot be replaced by something weakly bisimilar here; \
                 give it the vectors `<{part}: tau> -> tau;` and `<{part}: sync ?a> -> sync a;`, and no other that matches \
                 silent actions"
        ))
    }
}

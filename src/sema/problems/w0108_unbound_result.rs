//! `W0108`: result of a vector that is not determined.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable in a vector's result that no member binds.
#[derive(Clone, Debug)]
pub struct UnboundResult {
    /// The variable.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// The variable that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0108",
    title: "result of a vector that is not determined",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The result of a vector is what the net shows when its members move together. It
has to be made from what the members do: every variable in it gets its value from
the action of some member, from a parameter, or from an index of `for`. This one
gets it from nowhere.
",
    wrong: "\
action put(Int), get(Int), pass(Int);

net Link(P: any, Q: any) {
    <P: put(value), Q: get(value)> -> pass(«vaule»);
}
",
    right: "\
action put(Int), get(Int), pass(Int);

net Link(P: any, Q: any) {
    <P: put(value), Q: get(value)> -> pass(value);
}
",
};

impl UnboundResult {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let message = format!("`{name}` in the result of this vector comes from no member");
        Diagnostic::new(entry, self.span, message)
            .label("has no value")
            .note(format!(
                "let a member bind it: `<P: put({name}), …>`, or `?{name}` for a whole action"
            ))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

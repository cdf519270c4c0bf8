//! `W0108`: result of a vector that is not determined.

use super::list;
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
    /// The data of the ports, where a definition of a connector is used.
    pub data: Vec<String>,
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
        let (what, note) = match self.data.is_empty() {
            true => (
                "of this vector comes from no member",
                format!("let a member bind it: `<P: put({name}), …>`, or `?{name}` for a whole action"),
            ),
            false => (
                "of this connector comes from no port",
                format!("the data of its ports is {}", list(&self.data, "and")),
            ),
        };
        Diagnostic::new(entry, self.span, format!("`{name}` in the result {what}"))
            .label("has no value")
            .note(note)
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

//! `W0109`: guard about something that is not known.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable in a vector's guard that no member binds.
#[derive(Clone, Debug)]
pub struct UnboundGuard {
    /// The variable.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// The variable that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0109",
    title: "guard about something that is not known",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The guard of a vector or connector decides, from what the members offer, whether
they may move together. It can use the variables in the members' actions, the
parameters of the net and the indices of `for`. It cannot look into the members:
their own variables and states are not visible from outside.

To decide by a component's variable, let it show the value in an action.
",
    wrong: "\
action put(Int), get(Int), pass;

net Link(P: any, Q: any) {
    <P: put(value), Q: get(value)> -> pass when «vaule» > 0;
}
",
    right: "\
action put(Int), get(Int), pass;

net Link(P: any, Q: any) {
    <P: put(value), Q: get(value)> -> pass when value > 0;
}
",
};

impl UnboundGuard {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let message = format!("`{name}` in this guard comes from no member");
        Diagnostic::new(entry, self.span, message)
            .label("has no value")
            .note(
                "a guard can use what the members' actions carry, parameters and indices, \
                 but not the members' own variables",
            )
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

//! `W0308`: vector variable that occurs once.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable of a vector or connector that occurs only once.
#[derive(Clone, Debug)]
pub struct SingleUse {
    /// The variable.
    pub span: Span,
    /// The variable.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0308",
    title: "vector variable that occurs once",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A variable in a vector ties values together: members that use the same variable
have to agree on its value, and the result can pass it on. One that occurs only
once ties nothing and matches everything. Often it is a mistyped name, and then
the vector allows far more than was meant.

If any value is allowed on purpose, write `_`.
",
    wrong: "\
action put(Int), get(Int), pass(Int);

net Link(P: any, Q: any) {
    <P: put(value), Q: get(«valu»)> -> pass(value);
}
",
    right: "\
action put(Int), get(Int), pass(Int);

net Link(P: any, Q: any) {
    <P: put(value), Q: get(value)> -> pass(value);
}
",
};

impl SingleUse {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("the variable `{name}` occurs only once"))
            .label("matches anything, and is used nowhere else")
            .note("use it for what has to be equal, or write `_` to say that any value will do")
            .suggest("write `_` to allow any value", self.span, "_")
    }
}

//! `W0105`: input twice in one action.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// The same input twice in an action of a transition.
#[derive(Clone, Debug)]
pub struct InputTwice {
    /// The second one.
    pub span: Span,
    /// The input.
    pub name: String,
    /// The first one.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0105",
    title: "input twice in one action",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Each `?x` in an action receives one value under a name of its own. Here two values
would get the same name.

If the two values have to be equal, receive both and compare them in the guard:
`pair(?x, ?y) when x == y`. If one of them does not matter, write `_` for it.
",
    wrong: "\
action pair(Int, Int);

process Sum {
    var v: Int = 0;
    init state s;

    s -> s : pair(?x, ?«x») when v < 9 do v := v + x;
}
",
    right: "\
action pair(Int, Int);

process Sum {
    var v: Int = 0;
    init state s;

    s -> s : pair(?x, ?y) when v < 9 and x == y do v := v + x;
}
",
};

impl InputTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("the input `{name}` occurs twice in this action"))
            .label("receives a second value under the same name")
            .also(self.first, "receives the first")
            .note(format!(
                "give it another name, and ask for equal values in the guard: `when {name} == y`"
            ))
    }
}

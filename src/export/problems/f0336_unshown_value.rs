//! `F0336`: value that is passed on and not shown.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A value that goes from one part to another, and is not shown by the action.
#[derive(Clone, Debug)]
pub struct UnshownValue {
    /// The vector.
    pub span: Span,
    /// The value.
    pub value: String,
    /// What is shown.
    pub action: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0336",
    title: "value that is passed on and not shown",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In mCRL2, actions that communicate have the same arguments, and so has the action that comes
out. A value that one part gives another is therefore seen in the result. Show it in the
action of the vector, make the vector silent (`-> tau`), or give the value a small range: then
there is an action for each value.
",
    wrong: "\
action put(Int);
action get(Int), show(Int);
action pass;

process Sender {
    var x: Int = 0;
    init state s;

    s -> s : put(x) do x := x + 1;
}

process Receiver {
    var y: Int = 0;
    init state s;

    s -> s : get(?v) do y := v;
    s -> s : show(y);
}

net Line {
    sub S = Sender;
    sub R = Receiver;

    «<S: put(x), R: get(x)> -> pass»;
    <R: show(y)>           -> show(y);
}
",
    right: "\
action put(Int);
action get(Int), show(Int);
action pass(Int);

process Sender {
    var x: Int = 0;
    init state s;

    s -> s : put(x) do x := x + 1;
}

process Receiver {
    var y: Int = 0;
    init state s;

    s -> s : get(?v) do y := v;
    s -> s : show(y);
}

net Line {
    sub S = Sender;
    sub R = Receiver;

    <S: put(x), R: get(x)> -> pass(x);
    <R: show(y)>           -> show(y);
}
",
};

impl UnshownValue {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (value, action) = (&self.value, &self.action);
        let message = format!("`{value}` is passed on, and `{action}` does not show it");
        Diagnostic::new(entry, self.span, message)
            .note("show the value in the action, make the vector silent, or give the value a small range")
    }
}

//! `W0119`: transfer to something that is no port variable.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A data transfer whose target is no variable of a port.
#[derive(Clone, Debug)]
pub struct TransferTarget {
    /// The target.
    pub span: Span,
    /// The target.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0119",
    title: "transfer to something that is no port variable",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The data transfer of a connector passes values between its ports: `do y := x + 1`
gives the port that has the variable `y` a value made from what the ports offer.
The target has to be a variable in the arguments of one of this connector's ports.

The variables of the components themselves are not visible here: a component
stores what it receives by its own transition, `set(?v) do t := v`.
",
    wrong: "\
action out(Int), set(Int), move;

net Link(P: any, Q: any) {
    connect move : P.out(x) Q.set(y) when x != y do «z» := x;
}
",
    right: "\
action out(Int), set(Int), move;

net Link(P: any, Q: any) {
    connect move : P.out(x) Q.set(y) when x > 0 do y := x;
}
",
};

impl TransferTarget {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(
            entry,
            self.span,
            format!("no port of this connector has a variable `{name}`"),
        )
        .label("nobody receives this")
        .note(format!("name it in the port that is to receive it: `Q.set({name})`"))
    }
}

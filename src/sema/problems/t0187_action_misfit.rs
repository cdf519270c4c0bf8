//! `T0187`: argument that is no such action.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An argument that is not the name of an action with the wanted data.
#[derive(Clone, Debug)]
pub struct ActionMisfit {
    /// The text.
    pub span: Span,
    /// The parameter.
    pub name: String,
    /// The sorts of the data.
    pub wanted: Vec<String>,
    /// The action that is given, and where it is declared.
    pub found: Option<(String, Span)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0187",
    title: "argument that is no such action",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A parameter `put: Action(Int)` stands for an action with one integer, and its argument
is the name of one, without data: `Cell<put>`.

The sorts of the data that it is declared with have to be those of the parameter.
",
    wrong: "\
action put(Bool);

process Source<out: Action(Int)> {
    init state s;
    s -> s : out(3);
}

net System {
    sub S = Source<«put»>;

    <S: put(x)> -> put(x);
}
",
    right: "\
action put(Int);

process Source<out: Action(Int)> {
    init state s;
    s -> s : out(3);
}

net System {
    sub S = Source<put>;

    <S: put(x)> -> put(x);
}
",
};

impl ActionMisfit {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, wanted) = (&self.name, self.wanted.join(", "));
        let message = format!("`{name}` stands for an action with the data `({wanted})`");
        let diagnostic = Diagnostic::new(entry, self.span, message);
        match &self.found {
            Some((found, place)) => diagnostic
                .label(format!("this is `{found}`"))
                .also(*place, "declared here")
                .note(format!("give an action that is declared with `({wanted})`")),
            None => diagnostic
                .label("this is not the name of one")
                .note(format!("give the name of an action that is declared with `({wanted})`, without data")),
        }
    }
}

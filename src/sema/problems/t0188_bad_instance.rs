//! `T0188`: sort that does not fit.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An instance that is wrong because of what its parameters stand for.
#[derive(Clone, Debug)]
pub struct BadInstance {
    /// The text.
    pub span: Span,
    /// Of what.
    pub name: String,
    /// What is wrong in it.
    pub why: String,
    /// Where.
    pub place: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0188",
    title: "sort that does not fit",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A process or net over sorts is right by itself, and still some sorts do not fit: an array
over a range whose bounds are not known cannot be in a datatype, for example.

The message says what is wrong, and where in the text of the process or net.
",
    wrong: "\
const N: Int;
axiom N > 0;
action put([0..N]Int);

data Option<T> { None, Some(value: T) }

process Keeps<T: sort, put: Action(T)> {
    var kept: Option<T> = None;
    init state s;
    s -> s : put(?x)                      do kept := Some(x);
    s -> s : tau     when kept is Some(_);
}

net System = «Keeps<put>»;
",
    right: "\
action put([0..2]Int);

data Option<T> { None, Some(value: T) }

process Keeps<T: sort, put: Action(T)> {
    var kept: Option<T> = None;
    init state s;
    s -> s : put(?x)                      do kept := Some(x);
    s -> s : tau     when kept is Some(_);
}

net System = Keeps<put>;
",
};

impl BadInstance {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` cannot be made for these", self.name);
        Diagnostic::new(entry, self.span, message)
            .label(self.why.clone())
            .also(self.place, "here")
            .note("give other sorts, or change what is made of them")
    }
}

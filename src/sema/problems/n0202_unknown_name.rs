//! `N0202`: unknown name.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name that stands for no value here.
#[derive(Clone, Debug)]
pub struct UnknownName {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The name that was probably meant.
    pub similar: Option<String>,
    /// Whether it stands where a value can be received.
    pub input: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0202",
    title: "unknown name",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In an expression, a name has to be a variable, a parameter, an input of the
transition, a constant, a function, or a constructor of an `enum` or `data`.
Nothing of this name can be seen here.

The variables of a process are known in that process only: other components learn
of them through the arguments of actions. An input `?x` is known in the guard and
the assignments of its own transition.
",
    wrong: "\
action tick;

process Counter {
    var count: Int = 0;
    init state s;

    s -> s : tick when «cuont» < 3 do count := count + 1;
}
",
    right: "\
action tick;

process Counter {
    var count: Int = 0;
    init state s;

    s -> s : tick when count < 3 do count := count + 1;
}
",
};

impl UnknownName {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, format!("unknown name `{}`", self.name))
            .label("nothing of this name is known here");
        if self.input {
            let name = &self.name;
            return diagnostic
                .note(format!("an action sends the values that it names; to receive one, write `?{name}`"))
                .suggest(format!("write `?{name}`"), self.span.before(), "?");
        }
        diagnostic
            .note("it has to be a variable, parameter, input, constant, function or constructor")
            .did_you_mean(self.span, self.similar.as_deref())
    }
}

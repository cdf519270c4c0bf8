//! `W0318`: name of a variable and of a parameter.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name in a property that means a variable of a leaf, though the net has a parameter of that name.
#[derive(Clone, Debug)]
pub struct HidesParameter {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The path of the leaf that has the variable.
    pub leaf: String,
    /// Where the parameter is declared.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0318",
    title: "name of a variable and of a parameter",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
In a property, a name is a variable of one of the processes that the net is made
of; if there is none of that name, it is a parameter of the net. Here there are
both, and the variable goes first. Write the path of the variable to make clear
that it is meant, or rename one of the two.
",
    wrong: "\
action tick;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 12 do n := n + 1;
}

net Clocks<n: Int> {
    sub C = Clock;

    <C: tick> -> tick when n > 0;
}

check always(Clocks<2>, «n» <= 12);
",
    right: "\
action tick;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 12 do n := n + 1;
}

net Clocks<n: Int> {
    sub C = Clock;

    <C: tick> -> tick when n > 0;
}

check always(Clocks<2>, C.n <= 12);
",
};

impl HidesParameter {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, leaf) = (&self.name, &self.leaf);
        let message = format!("`{name}` is the variable of `{leaf}` here, and not the parameter");
        Diagnostic::new(entry, self.span, message)
            .label(format!("means `{leaf}.{name}`"))
            .also(self.first, format!("the parameter `{name}`"))
            .note("write the path of the variable, or rename one of them")
            .suggest(format!("write `{leaf}.{name}`"), self.span, format!("{leaf}.{name}"))
    }
}

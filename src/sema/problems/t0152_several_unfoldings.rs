//! `T0152`: more than one unfolding of that size.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A number of components that more than one unfolding has.
#[derive(Clone, Debug)]
pub struct SeveralUnfoldings {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The number of components.
    pub size: usize,
    /// How many there are.
    pub count: usize,
    /// Whether these are all.
    pub complete: bool,
    /// Some of them: their rules from the outermost on.
    pub shown: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0152",
    title: "more than one unfolding of that size",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`A<k>` is the unfolding of an architecture that has `k` components, if there is one
only. Where rules can make several of the same size, `A<k, j>` is the one with
number `j`, counted from 0, in the order of their rules: outermost first, and those
that stand first in the text come first.
",
    wrong: "\
action go, recv, send;

process Node {
    init state idle;
    state token;

    idle  -> token : recv;
    token -> idle  : send;
}

process Root {
    init state token;
    state idle;

    token -> idle  : send;
    idle  -> token : recv;
}

architecture Tree {
    rule Tree() {
        new a;
        sub r = Root;
        <r: send, a: recv> -> go;
        Branch(a, r);
    }
    rule Branch(n, r) {
        new a, b;
        sub n = Node;
        <n: send, a: recv> -> go;
        <n: send, b: recv> -> go;
        Branch(a, r);
        Branch(b, r);
    }
    rule Branch(n, r) {
        sub n = Node;
        <n: send, r: recv> -> go;
    }
}

check deadlock_free(«Tree<6>»);
",
    right: "\
action go, recv, send;

process Node {
    init state idle;
    state token;

    idle  -> token : recv;
    token -> idle  : send;
}

process Root {
    init state token;
    state idle;

    token -> idle  : send;
    idle  -> token : recv;
}

architecture Tree {
    rule Tree() {
        new a;
        sub r = Root;
        <r: send, a: recv> -> go;
        Branch(a, r);
    }
    rule Branch(n, r) {
        new a, b;
        sub n = Node;
        <n: send, a: recv> -> go;
        <n: send, b: recv> -> go;
        Branch(a, r);
        Branch(b, r);
    }
    rule Branch(n, r) {
        sub n = Node;
        <n: send, r: recv> -> go;
    }
}

check deadlock_free(Tree<6, 0>);
",
};

impl SeveralUnfoldings {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, size, count) = (&self.name, self.size, self.count);
        let most = if self.complete { "" } else { "at least " };
        let message = format!("{most}{count} unfoldings of `{name}` have {size} components");
        let mut found = Diagnostic::new(entry, self.span, message).label("which of them?");
        for (at, rules) in self.shown.iter().enumerate() {
            found = found.note(format!("`{name}<{size}, {at}>` has the rules {rules}"));
        }
        match self.complete {
            true => found,
            false => found.note("there are too many to number them: choose a smaller size"),
        }
    }
}

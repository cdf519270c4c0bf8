//! `E0140`: priority on a single interaction of a connector that has too many.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Priority on a single interaction of a connector that has too many.
#[derive(Clone, Debug)]
pub struct OneOfMany {
    /// Where the interaction is named.
    pub span: Span,
    /// The connector.
    pub name: String,
    /// How many interactions there may be.
    pub limit: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0140",
    title: "priority on one of too many interactions",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A connector with very many interactions is kept in one piece: who has to take part, and
who may. Its interactions are not told apart, so none of them can be given a place in an
order of its own. The connector as a whole can.

Order the connector by its name, use `priority maximal;`, or give the interaction that
is special a connector of its own.
",
    wrong: "\
action go, stop, all, halt;

process Cell {
    init state s;

    s -> s : go;
    s -> s : stop;
}

net Grid {
    sub S[i: 0..14] = Cell;

    connect all  : S[0].go' [S[i].go' for i in 1..14];
    connect halt : S[0].stop S[1].stop;

    priority «all[S[0].go]» < halt;
}
",
    right: "\
action go, stop, all, halt;

process Cell {
    init state s;

    s -> s : go;
    s -> s : stop;
}

net Grid {
    sub S[i: 0..14] = Cell;

    connect all  : S[0].go' [S[i].go' for i in 1..14];
    connect halt : S[0].stop S[1].stop;

    priority all < halt;
}
",
};

impl OneOfMany {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!(
            "`{}` has more than {} interactions, which are not told apart",
            self.name, self.limit
        );
        Diagnostic::new(entry, self.span, message)
            .label("this is one of them")
            .note("order the connector by its name, or give this interaction a connector of its own")
    }
}

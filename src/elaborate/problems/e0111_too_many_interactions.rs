//! `E0111`: connector with too many interactions.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Connector with too many interactions.
#[derive(Clone, Debug)]
pub struct TooManyInteractions {
    /// Where it is.
    pub span: Span,
    /// How many there may be.
    pub limit: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0111",
    title: "connector with too many interactions",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A connector with triggers stands for all sets of ports that contain a trigger: with n
synchrons beside one trigger these are two to the power of n. Each becomes a vector.

Group ports that always take part together in a sub-connector, or use several
connectors.
",
    wrong: "\
action go, all;

process Cell {
    init state s;

    s -> s : go;
}

net Grid {
    sub S[i: 0..14] = Cell;

    connect «all» : S[0].go' S[1].go S[2].go S[3].go S[4].go S[5].go S[6].go S[7].go S[8].go S[9].go
            S[10].go S[11].go S[12].go S[13].go;
}
",
    right: "\
action go, all;

process Cell {
    init state s;

    s -> s : go;
}

net Grid {
    sub S[i: 0..14] = Cell;

    connect all : S[0].go'
            [S[1].go S[2].go S[3].go S[4].go S[5].go S[6].go S[7].go S[8].go S[9].go S[10].go
                S[11].go S[12].go S[13].go];
}
",
};

impl TooManyInteractions {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("this connector has more than {} interactions", self.limit))
            .label("every set of ports with a trigger is one")
            .note("group ports in `[ ]`, so that they take part together")
    }
}

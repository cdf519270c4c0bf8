//! `E0111`: connector with too many interactions.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Connector with too many interactions.
#[derive(Clone, Debug)]
pub struct TooManyInteractions {
    /// Where it is.
    pub span: Span,
    /// How many there may be.
    pub limit: usize,
    /// Whether what is made needs each interaction by itself, whatever the connector is like.
    pub is_apart: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0111",
    title: "connector with too many interactions",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A connector with triggers stands for all sets of ports that contain a trigger: with n
synchrons beside one trigger these are two to the power of n.

A large connector is kept in one piece: who has to take part, and who may. That cannot
be where two ports that may take part share data which nobody else has, where data
chooses who takes part, where one component has two ports, where a port that may take
part is one of a hole, or where what a connector tests, shows or moves depends on whether a port
takes part that may. There, and wherever something needs every interaction by itself
(automata, the engines for unbounded data, networks), each becomes a vector, and there
may be at most 4096.

Group ports that always take part together in a sub-connector, let a trigger bring the
data, or use several connectors.
",
    wrong: "\
action go, have(Int), all;

process Cell {
    init state s;

    s -> s : go;
    s -> s : have(1);
}

net Grid {
    sub S[i: 0..15] = Cell;

    connect «all» : S[0].go' S[14].have(x) [S[i].have(x)' for i in 1..14];
}
",
    right: "\
action go, have(Int), all;

process Cell {
    init state s;

    s -> s : go;
    s -> s : have(1);
}

net Grid {
    sub S[i: 0..15] = Cell;

    connect all : [S[0].go S[14].have(x)]' [S[i].have(x)' for i in 1..14];
}
",
};

impl TooManyInteractions {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let note = match self.is_apart {
            true => {
                "each is needed by itself here; `pnet explore`, `pnet run` and checks that are answered by exploration \
                 need not write them out"
            }
            false => {
                "group ports in `[ ]`, so that they take part together, or let a trigger bring the data that they share"
            }
        };
        Diagnostic::new(entry, self.span, format!("this connector has more than {} interactions", self.limit))
            .label("every set of ports with a trigger is one")
            .note(note)
    }
}

//! `T0168`: action that does not fit a port.

use super::count;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An action, or a shown port, whose data is not that of the port of a definition.
#[derive(Clone, Debug)]
pub struct PortSort {
    /// The action.
    pub span: Span,
    /// The action.
    pub action: String,
    /// The port.
    pub port: String,
    /// The connector.
    pub connector: String,
    /// How many variables the port has.
    pub expected: usize,
    /// The argument that differs, with the sort that is wanted and the one that it has; or the numbers of arguments there are.
    pub differs: Result<(usize, String, String), Vec<usize>>,
    /// Where the port is declared.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0168",
    title: "action that does not fit a port",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
What stands at a port of a definition has an argument for each variable of the port, in
order and of the same sort. `in` variables count as well: `port(x: Int, in y: Int)` takes
an action with two arguments.
",
    wrong: "\
action hear(Int), say(Int), told;

process Speaker {
    init state s;

    s -> s : say(3);
}

process Listener {
    var last: Int = 0;
    init state s;

    s -> s : hear(?v) when v > last do last := v;
}

connector Tell(s: port(x: Int, in _y: Int), r: port(y: Int)) {
    s r down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.«say», L.hear);
}
",
    right: "\
action hear(Int), say(Int), told;

process Speaker {
    init state s;

    s -> s : say(3);
}

process Listener {
    var last: Int = 0;
    init state s;

    s -> s : hear(?v) when v > last do last := v;
}

connector Tell(s: port(x: Int), r: port(y: Int)) {
    s r down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say, L.hear);
}
",
};

impl PortSort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (action, port, connector) = (&self.action, &self.port, &self.connector);
        let (message, label) = match &self.differs {
            Ok((at, wanted, found)) => (
                format!("`{action}` does not fit the port `{port}` of `{connector}`"),
                format!("argument {at} has sort `{found}`, and the port has `{wanted}`"),
            ),
            Err(found) => {
                let found: Vec<String> = found.iter().map(|one| count(*one, "argument")).collect();
                let wanted = count(self.expected, "variable");
                let message = format!("the port `{port}` of `{connector}` has {wanted}, and `{action}` has {}", found.join(" or "));
                (message, format!("{wanted} wanted"))
            }
        };
        let note = match self.expected {
            0 => "this port carries no data; one that does is written `p: port(x: Int)`",
            _ => "an action has an argument for each variable of the port, in order",
        };
        Diagnostic::new(entry, self.span, message)
            .label(label)
            .also(self.declared, "the port is declared here")
            .note(note)
    }
}

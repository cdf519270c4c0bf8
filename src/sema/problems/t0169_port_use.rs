//! `T0169`: data of a port in the wrong place.

use crate::diagnostics::Symbol;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Data of a port that is read or written where it cannot be.
#[derive(Clone, Debug)]
pub struct PortUse {
    /// Where it stands.
    pub span: Span,
    /// The port or its data.
    pub name: String,
    /// What is wrong with it.
    pub why: PortMisuse,
}

/// What is wrong with the use of a port or its data.
#[derive(Clone, Debug)]
pub enum PortMisuse {
    /// A port is no value.
    Value,
    /// Something else than a variable of a port is written.
    Target,
    /// `up` writes a port that is joined; the one that is shown is this.
    Up(Option<Symbol>),
    /// `up` writes what comes from above.
    UpIn,
    /// `down` writes the port that is shown.
    Down,
    /// The port that is shown is read before it has values.
    TooEarly,
    /// Nobody shows it.
    OnlyIn,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0169",
    title: "data of a port in the wrong place",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An interaction goes up and then down. Guards and `up` read what the ports show, and `up`
sets the variables of the port that the connector shows. Then what is above has its turn,
and writes these variables if it wants to. `down` reads them as they are then, and writes
variables of the ports. So:

- `up` writes the port that is shown, `down` the ports that are joined;
- what is shown has no value before `down`;
- an `in` variable is written only: nobody shows it.
",
    wrong: "\
action all(Int), out(Int, Int);

process Part<v: Int> {
    var x: Int = v;
    init state s;

    s -> s : out(x, ?y) do x := y;
}

connector Max(p: port(x: Int, in y: Int), q: port(x: Int, in y: Int)) shows top(m: Int, in r: Int) {
    p q up «p.x» := if p.x > q.x then p.x else q.x down p.y := top.r, q.y := top.r;
}

net Trio {
    sub A = Part<1>;
    sub B = Part<5>;
    sub C = Part<3>;

    connect two        : Max(A.out, B.out);
    connect all(top.m) : Max(two.top, C.out);
}
",
    right: "\
action all(Int), out(Int, Int);

process Part<v: Int> {
    var x: Int = v;
    init state s;

    s -> s : out(x, ?y) do x := y;
}

connector Max(p: port(x: Int, in y: Int), q: port(x: Int, in y: Int)) shows top(m: Int, in r: Int) {
    p q up top.m := if p.x > q.x then p.x else q.x down p.y := top.r, q.y := top.r;
}

net Trio {
    sub A = Part<1>;
    sub B = Part<5>;
    sub C = Part<3>;

    connect two        : Max(A.out, B.out);
    connect all(top.m) : Max(two.top, C.out);
}
",
};

impl PortUse {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let (message, label, note) = match &self.why {
            PortMisuse::Value => (
                format!("`{name}` is a port, and no value"),
                "no data",
                format!("name a variable of the port, such as `{name}.x`"),
            ),
            PortMisuse::Target => (
                format!("`{name}` is no variable of a port"),
                "cannot be written",
                "write a variable of a port: `down r.y := s.x`".to_owned(),
            ),
            PortMisuse::Up(Some(shown)) => (
                format!("`up` does not write `{name}`"),
                "not the port that is shown",
                format!("`up` writes `{shown}`; `down` writes the ports that are joined"),
            ),
            PortMisuse::Up(None) => (
                format!("`up` does not write `{name}`"),
                "nothing is shown here",
                "write `shows top(…)` behind the ports, or `down` in the place of `up`".to_owned(),
            ),
            PortMisuse::UpIn => (
                format!("`up` does not write `{name}`"),
                "comes from above",
                "an `in` variable of the port that is shown is written by who uses it".to_owned(),
            ),
            PortMisuse::Down => (
                format!("`down` does not write `{name}`"),
                "the port that is shown",
                "`up` writes the port that is shown; `down` writes the ports that are joined".to_owned(),
            ),
            PortMisuse::TooEarly => (
                format!("`{name}` has no value yet"),
                "set by `up`, and read in `down`",
                "guards and `up` read the ports that are joined".to_owned(),
            ),
            PortMisuse::OnlyIn => (
                format!("nobody shows `{name}`"),
                "only goes in",
                "read a variable that is declared without `in`".to_owned(),
            ),
        };
        Diagnostic::new(entry, self.span, message).label(label).note(note)
    }
}

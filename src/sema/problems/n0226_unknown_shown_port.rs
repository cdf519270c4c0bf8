//! `N0226`: port that a connector does not show.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A port of a connector of the net that it does not show.
#[derive(Clone, Debug)]
pub struct UnknownShownPort {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The connector.
    pub owner: String,
    /// The port that it shows.
    pub meant: Option<String>,
    /// Where the connector stands.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0226",
    title: "port that a connector does not show",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Where `connector Max(…) shows top(m: Int) { … }` is used by `connect two : Max(…);`,
another connector of the same net can have `two.top` among its ports. Only what a
definition shows can be used so.
",
    wrong: "\
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
    connect all(top.m) : Max(two.«tops», C.out);
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

impl UnknownShownPort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, owner) = (&self.name, &self.owner);
        let note = match &self.meant {
            Some(meant) => format!("it shows `{owner}.{meant}`"),
            None => "write `shows top` behind the ports of its definition to let others use it".to_owned(),
        };
        Diagnostic::new(entry, self.span, format!("`{owner}` shows no port `{name}`"))
            .label("not shown")
            .also(self.declared, "the connector is here")
            .note(note)
            .did_you_mean(self.span, self.meant.as_deref())
    }
}

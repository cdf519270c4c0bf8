//! `T0166`: data that is read and written at once.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Data of a port that an interaction reads and writes.
#[derive(Clone, Debug)]
pub struct ReadAndWritten {
    /// Where it is read.
    pub span: Span,
    /// The data.
    pub name: String,
    /// Where it is written.
    pub written: Span,
    /// Where it is declared.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0166",
    title: "data that is read and written at once",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A variable of a port is an argument of an action. In one interaction it is either what
the part shows, or what the part gets: `out(x)` has no place for another value to come
back. A port that shows a value and takes another has an argument for each:
`p: port(x: Int, in y: Int)` for an action `out(x, ?y)`. Where nobody writes `p.y`, it is
`p.x`.
",
    wrong: "\
action all(Int), out(Int, Int);

process Part<v: Int> {
    var x: Int = v;
    init state s;

    s -> s : out(x, ?y) do x := y;
}

connector Max(p: port(x: Int, in y: Int), q: port(x: Int, in y: Int)) shows top(m: Int, in r: Int) {
    p q up top.m := if «p.x» > q.x then p.x else q.x down p.x := top.r, q.y := top.r;
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

impl ReadAndWritten {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let taken = name.split_once('.').map_or(name.as_str(), |(_, data)| data);
        Diagnostic::new(entry, self.span, format!("`{name}` is read and written in one interaction"))
            .label("read here")
            .also(self.written, "written here")
            .also(self.declared, "declared here")
            .note(format!("declare a variable for what comes back, `port({taken}: …, in new: …)`, and write that one"))
    }
}

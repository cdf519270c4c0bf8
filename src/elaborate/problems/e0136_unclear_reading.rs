//! `E0136`: priority that reads a variable that is not there.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A priority that reads a variable that is not there, or could be several.
#[derive(Clone, Debug)]
pub struct UnclearReading {
    /// Where it is read.
    pub span: Span,
    /// Why that is not clear.
    pub why: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0136",
    title: "priority that reads a variable that is not there",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The guard of a priority, or of what stands behind `unless`, may read variables of parts:
`when C.load > 3`. The path leads from the net to a process in it, and ends with one of its
variables. Where parts differ, the part that is built here may have no such variable.
",
    wrong: "\
action go, stop;

process Loaded {
    var load: Int = 0;
    init state s;

    s -> s : go   when load < 5 do load := load + 1;
    s -> s : stop when load > 0 do load := load - 1;
}

process Plain {
    init state s;

    s -> s : go;
    s -> s : stop;
}

net Two {
    sub P[i: 0..2] = if i == 0 then Loaded else Plain;

    <P[i]: go>   -> go   for i in 0..2;
    <P[i]: stop> -> stop for i in 0..2;

    priority go < stop when «P[1].load» > 3;
}
",
    right: "\
action go, stop;

process Loaded {
    var load: Int = 0;
    init state s;

    s -> s : go   when load < 5 do load := load + 1;
    s -> s : stop when load > 0 do load := load - 1;
}

process Plain {
    init state s;

    s -> s : go;
    s -> s : stop;
}

net Two {
    sub P[i: 0..2] = if i == 0 then Loaded else Plain;

    <P[i]: go>   -> go   for i in 0..2;
    <P[i]: stop> -> stop for i in 0..2;

    priority go < stop when P[0].load > 3;
}
",
};

impl UnclearReading {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("this priority cannot be built: {}", self.why);
        Diagnostic::new(entry, self.span, message)
            .label("no such variable")
            .note("read a variable of a process that stands in this net")
    }
}

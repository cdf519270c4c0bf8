//! `T0171`: trigger in the wrong place.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A trigger in a use of a definition, or in the ports of a single interaction.
#[derive(Clone, Debug)]
pub struct MisplacedTrigger {
    /// The mark.
    pub span: Span,
    /// Whether it is in a use.
    pub in_use: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0171",
    title: "trigger in the wrong place",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Which ports are triggers is said once, where the definition joins them: `s' r;`. A use
says what stands at the ports, and `on s r` names the ports of one interaction, in which
it does not matter who started it.

Remove the mark. If the port should be a trigger, mark it where it is joined.
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

connector Tell(s: port(x: Int), r: port(y: Int)) {
    s r down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say«'», L.hear);
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

impl MisplacedTrigger {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let note = match self.in_use {
            true => "remove it: the definition says which of its ports are triggers",
            false => "remove it: `on` names the ports of one interaction",
        };
        Diagnostic::new(entry, self.span, "no trigger can stand here")
            .label("not needed")
            .note(note)
            .suggest("remove the mark", self.span, "")
    }
}

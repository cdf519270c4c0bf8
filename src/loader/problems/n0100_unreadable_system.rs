//! `N0100`: labelled transition system that cannot be read.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A process that comes from a file that is not there, or is broken.
#[derive(Clone, Debug)]
pub struct UnreadableSystem {
    /// The name of the file, with its quotes.
    pub span: Span,
    /// The file that was looked for.
    pub path: String,
    /// Why it could not be read.
    pub reason: String,
    /// Where it is broken, and what is wrong there.
    pub at: Option<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0100",
    title: "labelled transition system that cannot be read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A process can come from a file with a labelled transition system in the Aldebaran
format: `process Medium = lts \"medium.aut\";`. The file is looked for beside the file
that names it. It was not there, could not be read, or is broken; the message says
which, and where.

A file that another tool wrote is best written again by that tool. `pnet info FILE`
says what is wrong with all of its lines. A net of another model is written as such a
file by `pnet explore MODEL NET --emit aut -o FILE`.
",
    wrong: "\
process Medium = lts «\"./medium.aut\"»;
",
    right: "\
action take, give;

process Medium {
    init state empty;
    state full;

    empty -> full  : take;
    full  -> empty : give;
}
",
};

impl UnreadableSystem {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("cannot read the labelled transition system `{}`", self.path);
        let found = Diagnostic::new(entry, self.span, message).label(self.reason.clone());
        match &self.at {
            Some((at, what)) => found.also(*at, what.clone()),
            None => found.note("the path starts at the file that names it"),
        }
    }
}

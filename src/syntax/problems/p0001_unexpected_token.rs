//! `P0001`: text that does not fit here.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A word or sign that cannot stand where it stands.
#[derive(Clone, Debug)]
pub struct UnexpectedToken {
    /// The word or sign.
    pub span: Span,
    /// What it is, in words.
    pub found: String,
    /// What could stand here instead, in words.
    pub expected: Vec<String>,
    /// Something to know about this very case.
    pub note: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0001",
    title: "text that does not fit here",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The statement was clear up to here, but cannot go on with this word or sign. The
message lists what could stand here. Often something is missing just before: a
colon, a comma, an operator, a closing bracket.

The statement with the mistake is passed over up to its end and the rest of the
file is still read, so several mistakes can be mended in one go.
",
    wrong: "\
action tick;

process Clock {
    init state even;
    state odd;

    even -> odd  : tick;
    odd  -> even «tick»;
}
",
    right: "\
action tick;

process Clock {
    init state even;
    state odd;

    even -> odd  : tick;
    odd  -> even : tick;
}
",
};

impl UnexpectedToken {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (found, expected) = (&self.found, list(&self.expected));
        let few = (1..=4).contains(&self.expected.len());
        let message = if few {
            format!("expected {expected}, found {found}")
        } else {
            format!("{found} cannot stand here")
        };
        let diagnostic = Diagnostic::new(entry, self.span, message).label("does not fit here");
        let diagnostic = match &self.note {
            Some(note) => diagnostic.note(note),
            None if few => diagnostic,
            None if self.expected.is_empty() => {
                diagnostic.note("remove it, or complete the statement")
            }
            None => diagnostic.note(format!("here could stand {expected}")),
        };
        // One sign is missing before a word: that is the mistake.
        let word = found.trim_matches('`').starts_with(char::is_alphanumeric);
        match self.expected.as_slice() {
            [sign] if word && sign == "`:`" && self.span.start < self.span.end => {
                let text = sign.trim_matches('`');
                diagnostic.suggest(
                    format!("put {sign} before it"),
                    self.span.before(),
                    format!("{text} "),
                )
            }
            _ => diagnostic,
        }
    }
}

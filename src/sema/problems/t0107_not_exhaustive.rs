//! `T0107`: match that misses a case.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A `match` that does not cover all values.
#[derive(Clone, Debug)]
pub struct NotExhaustive {
    /// The value that is matched.
    pub span: Span,
    /// Patterns for the values that are missed.
    pub missing: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0107",
    title: "match that misses a case",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A `match` gives a result for every value of the sort, so each constructor needs
an arm. For the ones listed in the message there is none.

Add arms for them, or a last arm `_ => …` for all the rest. Listing the cases is
safer: when a constructor is added to the sort later, this message shows every
place that has to deal with it.
",
    wrong: "\
enum Light { Red, Yellow, Green }

fun wait(l: Light): Int = match «l» { Red => 30, Green => 0 };
",
    right: "\
enum Light { Red, Yellow, Green }

fun wait(l: Light): Int = match l { Red => 30, Yellow => 3, Green => 0 };
",
};

impl NotExhaustive {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let shown = self.missing.get(..self.missing.len().min(4)).unwrap_or_default();
        let more = self.missing.len().saturating_sub(shown.len());
        let missing = match more {
            0 => list(shown, "and"),
            _ => format!("{}, and {more} more", list(shown, "and")),
        };
        Diagnostic::new(entry, self.span, format!("this match has no arm for {missing}"))
            .label(format!("can be {}", list(shown, "or")))
            .note("add the missing arms, or a last arm `_ => …` for all the rest")
    }
}

//! `T0108`: arm that is never reached.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An arm of a `match` that the arms before it make useless.
#[derive(Clone, Debug)]
pub struct UnreachableArm {
    /// The arm's pattern.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0108",
    title: "arm that is never reached",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The arms of a `match` are tried in order, and the arms before this one already
take every value that it could take. Its result is never used.

Remove it. If it was meant as a special case, move it before the more general arm.
",
    wrong: "\
enum Light { Red, Green }

fun wait(l: Light): Int = match l { Red => 30, Green => 0, «_» => 1 };
",
    right: "\
enum Light { Red, Green }

fun wait(l: Light): Int = match l { Red => 30, Green => 0 };
",
};

impl UnreachableArm {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this arm is never reached")
            .label("the arms before this take every value it could take")
            .note("remove it, or move it before the more general arm")
    }
}

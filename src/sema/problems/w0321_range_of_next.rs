//! `W0321`: range that belongs to another variable.

use crate::diagnostics::{Diagnostic, Edit, Entry, Severity, Span, Suggestion};

/// A quantified variable without a range, before one that has a range.
#[derive(Clone, Debug)]
pub struct RangeOfNext {
    /// The variable.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// The one with the range.
    pub next: String,
    /// The range.
    pub range: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0321",
    title: "range that belongs to another variable",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
Each variable of a quantifier has a sort of its own: in `forall i, j: 0..3 . p`, the
range is that of `j`, and `i` is any integer. In other languages it would be the range
of both, so this is probably not what is meant.

Give each variable its range, `forall i: 0..3, j: 0..3 . p`. Where all integers are
meant, say so: `forall i: Int, j: 0..3 . p`.
",
    wrong: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick do t := t + 1;
}

check always(Clock, forall «i», j: 0..3 . i < j => t + i < t + j);
",
    right: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick do t := t + 1;
}

check always(Clock, forall i: 0..3, j: 0..3 . i < j => t + i < t + j);
",
};

impl RangeOfNext {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, next, range) = (&self.name, &self.next, &self.range);
        let message = format!("`{range}` is the range of `{next}` alone, and `{name}` is any integer");
        let mut diagnostic = Diagnostic::new(entry, self.span, message)
            .label("has no range of its own")
            .note(format!("write `{name}: {range}`, or `{name}: Int` where all integers are meant"));
        let edits = vec![Edit { span: self.span.after(), text: format!(": {range}") }];
        diagnostic.suggestions.push(Suggestion { message: format!("write `{name}: {range}`"), edits });
        diagnostic
    }
}

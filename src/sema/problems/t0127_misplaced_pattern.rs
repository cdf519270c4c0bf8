//! `T0127`: pattern where a value is wanted.

use crate::diagnostics::{Diagnostic, Edit, Entry, Severity, Span, Suggestion};

/// A `_` or an input where no pattern can stand.
#[derive(Clone, Debug)]
pub struct MisplacedPattern {
    /// The pattern.
    pub span: Span,
    /// What it is.
    pub what: String,
    /// Where it can stand: `the arguments of an action and patterns`; in a vector, what to write.
    pub allowed: String,
    /// The marks of a vector or connector that have to go.
    pub marks: Vec<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0127",
    title: "pattern where a value is wanted",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`_` matches any value, `?x` matches any value and gives it a name: both can only
stand where something is matched. In an action of a transition they receive a
value; in a vector, in an `is` test and in the arms of a `match` they leave a
value open. In an expression that has to have a value they say nothing.

In a vector or connector, data is named without a mark: `<P: put(v), Q: get(v)>`.
`?a` in the place of a whole action, as in `<P: ?a>`, is whatever the part does.

For a variable that starts with any value, leave the value out: `var n: Int;`.
",
    wrong: "\
action tick(Int);

process Counter {
    var n: Int = «_»;
    init state s;

    s -> s : tick(n) do n := n + 1;
}
",
    right: "\
action tick(Int);

process Counter {
    var n: Int;
    init state s;

    s -> s : tick(n) do n := n + 1;
}
",
};

impl MisplacedPattern {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        if !self.marks.is_empty() {
            return self.in_vector(entry);
        }
        Diagnostic::new(entry, self.span, format!("{} has no value here", self.what))
            .label("a value is wanted")
            .note(format!("{} can only stand in {}", self.what, self.allowed))
    }

    /// In vectors and connectors, data needs no mark.
    fn in_vector(&self, entry: &'static Entry) -> Diagnostic {
        let (what, name) = (&self.what, &self.allowed);
        let message = format!("{what} names a whole action, and stands for data here");
        let mut diagnostic = Diagnostic::new(entry, self.span, message)
            .label(format!("write `{name}`"))
            .note(
                "vectors and connectors name data without `?`, as in `<P: put(v), Q: get(v)>`: \
                 the same name means the same value",
            );
        let edits = self.marks.iter().map(|&span| Edit { span, text: String::new() }).collect();
        let message = "leave out the `?`".to_owned();
        diagnostic.suggestions.push(Suggestion { message, edits });
        diagnostic
    }
}

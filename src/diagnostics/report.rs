//! The one neutral form of a message, whatever stage it comes from and however it is shown.

use super::{Entry, Span};

/// How grave a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The model means nothing, or not what it says: exit status 2.
    Error,
    /// The model means something, but probably not what was intended.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A place with something to say about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is said there; may be empty.
    pub message: String,
}

/// A replacement of text that would mend something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// What one could do, with the edits that do it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// What the edits do, in words: ``did you mean `tick`?``.
    pub message: String,
    /// The edits, which belong together.
    pub edits: Vec<Edit>,
}

/// One message: what is wrong, where, what else matters, and what to do.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The code with its long explanation.
    pub entry: &'static Entry,
    /// How grave it is, after `--deny` and `--allow`.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The smallest text that is wrong.
    pub primary: Label,
    /// Other places that matter.
    pub secondary: Vec<Label>,
    /// What to do, or to know.
    pub notes: Vec<String>,
    /// Texts to insert or replace.
    pub suggestions: Vec<Suggestion>,
}

impl Diagnostic {
    /// A diagnostic of this kind at this place.
    pub fn new(entry: &'static Entry, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            entry,
            severity: entry.severity,
            message: message.into(),
            primary: Label { span, message: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            suggestions: Vec::new(),
        }
    }

    /// Says something at the primary place.
    #[must_use]
    pub fn label(mut self, message: impl Into<String>) -> Diagnostic {
        self.primary.message = message.into();
        self
    }

    /// Points at another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    /// Says what to do or to know.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// Proposes to replace the text of `span` (or to insert, where it is empty).
    #[must_use]
    pub fn suggest(
        mut self,
        message: impl Into<String>,
        span: Span,
        text: impl Into<String>,
    ) -> Diagnostic {
        let edits = vec![Edit { span, text: text.into() }];
        self.suggestions.push(Suggestion { message: message.into(), edits });
        self
    }

    /// Proposes the name that was probably meant, where there is one.
    #[must_use]
    pub fn did_you_mean(self, span: Span, name: Option<&str>) -> Diagnostic {
        match name {
            Some(name) => self.suggest(format!("did you mean `{name}`?"), span, name),
            None => self,
        }
    }

    /// The place of the primary label.
    pub fn span(&self) -> Span {
        self.primary.span
    }
}

/// The candidate that `written` was probably meant to be: few edits away, in relation to its length.
pub fn closest<'a>(
    written: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = match written.chars().count() {
        0 => return None,
        1..=2 => 0, // half of it would be another name
        3..=4 => 1,
        5..=7 => 2,
        n => n / 3,
    };
    let folded = written.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| *candidate != written)
        .filter_map(|candidate| {
            let distance = edits_between(&folded, &candidate.to_lowercase(), limit)?;
            Some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Whether two names differ only in case, or in one letter of at least four.
pub fn nearly_the_same(a: &str, b: &str) -> bool {
    let limit = usize::from(a.chars().count() > 3);
    edits_between(&a.to_lowercase(), &b.to_lowercase(), limit).is_some()
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two texts, or
/// `None` when it is over the limit.
fn edits_between(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let replaced = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|&distance| distance <= limit)
}

//! Comments of a file, on their way into a model.

use crate::diagnostics::Span;

/// A comment, without its marks.
#[derive(Clone, Debug)]
pub(super) struct Remark {
    pub span: Span,
    /// Its lines.
    pub lines: Vec<String>,
}

impl Remark {
    pub fn new(span: Span, text: &str) -> Remark {
        let line = |line: &str| line.trim().trim_start_matches('*').trim().to_owned();
        let mut lines: Vec<String> = text.lines().map(line).collect();
        let is_empty = |line: Option<&String>| line.is_some_and(String::is_empty);
        while is_empty(lines.last()) {
            lines.pop();
        }
        while is_empty(lines.first()) {
            lines.remove(0);
        }
        Remark { span, lines }
    }
}

/// The comments of a file, in their order, until they are put somewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Comments {
    all: Vec<Remark>,
    next: usize,
}

impl Comments {
    pub fn new(all: Vec<Remark>) -> Comments {
        Comments { all, next: 0 }
    }

    /// The lines of all comments before a place that nobody took.
    pub fn before(&mut self, offset: u32) -> Vec<String> {
        let rest = self.all.get(self.next..).unwrap_or_default();
        let many = rest.iter().take_while(|one| one.span.start < offset).count();
        self.next += many;
        rest.iter().take(many).flat_map(|one| one.lines.iter().cloned()).collect()
    }

    /// The lines of all comments that nobody took.
    pub fn rest(&mut self) -> Vec<String> {
        self.before(u32::MAX)
    }
}

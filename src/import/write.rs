//! The text of a model, as it is written.

use rustc_hash::FxHashSet;

use crate::syntax::format::format;
use crate::syntax::token::{Token, lex};

/// A model that is being written; what it looks like is for the formatter.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    /// How deep in braces.
    depth: usize,
}

impl Page {
    /// A line of text.
    pub fn line(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(usize::from(line == "}"));
        self.text.push_str(&"    ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
        self.depth += usize::from(line.ends_with('{'));
    }

    /// An empty line.
    pub fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") && !self.text.ends_with("{\n") {
            self.text.push('\n');
        }
    }

    /// Comments, each on a line of its own.
    pub fn comments<T: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = T>) {
        for line in lines {
            // A mark of documentation belongs to an item, which need not follow.
            let line = line.as_ref().trim_start_matches('/').trim();
            let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            self.line(format!("// {line}").trim_end());
        }
    }

    /// What another page has.
    pub fn append(&mut self, other: Page) {
        self.text.push_str(&other.text);
    }

    /// All names in it.
    pub fn names(&self) -> FxHashSet<&'static str> {
        let tokens = lex(&self.text, 0).0.tokens;
        tokens.into_iter().filter_map(Token::as_name).map(|name| name.as_str()).collect()
    }

    /// The whole text, in the one formatting.
    pub fn finish(self) -> String {
        format(&self.text).unwrap_or(self.text)
    }
}

//! What is different between two lists of diagnostics of a text that somebody is working on.
//!
//! Places move while one types, so a problem is the same if it says the same of the same file. Of two that say the same,
//! as many are old as there have been before.

use rustc_hash::FxHashMap;

use super::report::{Diagnostic, Severity};
use super::source::SourceMap;

/// A diagnostic as it is remembered after its text has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The code.
    pub code: &'static str,
    /// How grave it was.
    pub severity: Severity,
    /// What it said.
    pub message: String,
    /// The file.
    pub file: String,
    /// The line, from 1 on.
    pub line: usize,
}

impl Told {
    /// What is remembered of a diagnostic.
    pub fn of(diagnostic: &Diagnostic, sources: &SourceMap) -> Told {
        let span = diagnostic.span();
        let file = sources.file_of(span);
        Told {
            code: diagnostic.entry.code,
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            file: file.map_or_else(String::new, |file| file.name().to_owned()),
            line: file.map_or(0, |file| file.position(span.start).line),
        }
    }

    fn key(&self) -> (&str, &str, &str, bool) {
        (self.code, &self.message, &self.file, self.severity == Severity::Error)
    }
}

/// What is different.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// The places of those that are new, in the list of now.
    pub new: Vec<usize>,
    /// The places of those that are gone, in the list of before.
    pub gone: Vec<usize>,
    /// How many are in both.
    pub kept: usize,
}

impl Changes {
    /// Nothing came and nothing went.
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty()
    }

    /// Compares what was told before with what is told now.
    pub fn between(before: &[Told], now: &[Told]) -> Changes {
        let mut left: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (place, told) in before.iter().enumerate().rev() {
            left.entry(told.key()).or_default().push(place);
        }
        let mut changes = Changes::default();
        for (place, told) in now.iter().enumerate() {
            match left.get_mut(&told.key()).and_then(Vec::pop) {
                Some(_) => changes.kept += 1,
                None => changes.new.push(place),
            }
        }
        changes.gone = left.into_values().flatten().collect();
        changes.gone.sort_unstable();
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(message: &str, line: usize) -> Told {
        let (message, file) = (message.to_owned(), "m.pnet".to_owned());
        Told { code: "N0203", severity: Severity::Error, message, file, line }
    }

    #[test]
    fn what_moved_is_the_same() {
        let changes = Changes::between(&[told("a", 3)], &[told("a", 8)]);
        assert_eq!(changes, Changes { kept: 1, ..Changes::default() });
    }

    #[test]
    fn one_more_of_the_same_is_new() {
        let changes = Changes::between(&[told("a", 3)], &[told("a", 3), told("a", 4)]);
        assert_eq!((changes.new, changes.gone, changes.kept), (vec![1], vec![], 1));
    }

    #[test]
    fn what_is_gone_is_named_in_order() {
        let before = [told("a", 1), told("b", 2), told("a", 3)];
        let changes = Changes::between(&before, &[told("c", 1)]);
        assert_eq!((changes.new, changes.gone, changes.kept), (vec![0], vec![0, 1, 2], 0));
    }
}

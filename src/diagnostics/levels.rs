//! Which kinds of problems are errors, warnings or silent: `--deny`, `--warn`, `--allow`.

use rustc_hash::FxHashMap;

use super::{Diagnostic, Entry, Severity};

/// What was asked for one code, or for all warnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Not shown.
    Allow,
    /// Shown as a warning.
    Warn,
    /// Shown as an error.
    Deny,
}

/// The levels asked for. Errors stay errors whatever is asked.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    by_code: FxHashMap<String, Level>,
    warnings: Option<Level>,
}

impl Levels {
    /// Sets the level of a code, or of `warnings`, all of them.
    pub fn set(&mut self, what: &str, level: Level) {
        if what.eq_ignore_ascii_case("warnings") {
            self.warnings = Some(level);
        } else {
            self.by_code.insert(what.to_ascii_uppercase(), level);
        }
    }

    /// The level of a kind of problem. A code's own level goes before that of all warnings.
    pub fn level(&self, entry: &Entry) -> Level {
        if entry.severity == Severity::Error {
            return Level::Deny;
        }
        let default = if entry.on_request { Level::Allow } else { Level::Warn };
        let general = if entry.on_request { None } else { self.warnings };
        self.by_code.get(entry.code).copied().or(general).unwrap_or(default)
    }

    /// The diagnostic as these levels want it, or nothing.
    pub fn apply(&self, mut diagnostic: Diagnostic) -> Option<Diagnostic> {
        diagnostic.severity = match self.level(diagnostic.entry) {
            Level::Allow => return None,
            Level::Warn => Severity::Warning,
            Level::Deny => Severity::Error,
        };
        Some(diagnostic)
    }
}

//! From the name of a file to the trees of all modules it needs, those that others import first.
//!
//! Input: where texts come from, a file, and perhaps a question about it. Output: the modules with what is wrong with
//! their texts and imports, and every text that was read, so that it can be told later whether one of them changed.

mod decode;
mod follow;
mod library;
mod paths;
pub mod problems;
mod question;
mod systems;

use std::sync::Arc;

use thiserror::Error;

pub use decode::{Decoded, decode};
pub use library::names as library_names;
pub use paths::normalise;
pub use question::{CompareQuestion, Question};

use self::follow::Loader;
use crate::diagnostics::{Diagnostic, SourceMap};
use crate::syntax::ast;

/// Where texts come from.
pub trait Sources {
    /// The bytes of a file, or why they cannot be had, in a few words.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// What a question is called that somebody asks about a file: its text is no part of the file.
pub const QUESTION: &str = "command line";

/// A module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ModuleId(pub u32);

impl ModuleId {
    /// The place in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A module that was read, with what its imports lead to.
#[derive(Debug)]
pub struct LoadedModule {
    /// The name of its file as people see it.
    pub file: String,
    /// Its tree.
    pub tree: ast::Module,
    /// For each of its imports, in order: the module it leads to, unless that could not be read.
    pub imports: Vec<Option<ModuleId>>,
    /// Whether it was asked for, and not only imported.
    pub is_root: bool,
    /// Whether every module sees it without importing it.
    pub is_prelude: bool,
}

/// A file with all it imports.
#[derive(Debug)]
pub struct Loaded {
    /// The texts.
    pub sources: SourceMap,
    /// The modules, those that others import first.
    pub modules: Vec<LoadedModule>,
    /// What is wrong with the texts and the imports.
    pub diagnostics: Vec<Diagnostic>,
    /// What was read.
    pub reads: Reads,
}

/// Why a file cannot be loaded.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Unreadable {
    /// It cannot be had, in a few words.
    #[error("{0}")]
    Missing(String),
    /// Places in the texts have no numbers any more.
    #[error("all files together are larger than four gigabytes")]
    TooLarge,
}

/// The files that were asked for, each with what came of it: whoever reads them again finds the same, or something
/// changed.
#[derive(Clone, Debug, Default, Hash)]
pub struct Reads(Vec<(String, Read)>);

/// What came of reading a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Read {
    /// Its text, and the first byte that was none.
    Text(Arc<str>, Option<(usize, u8)>),
    /// Why it could not be had.
    Missing(String),
}

impl From<Result<Vec<u8>, String>> for Read {
    fn from(read: Result<Vec<u8>, String>) -> Read {
        match read {
            Ok(bytes) => {
                let Decoded { text, broken } = decode(bytes);
                Read::Text(text.into(), broken)
            }
            Err(why) => Read::Missing(why),
        }
    }
}

impl Reads {
    /// Whether a file was asked for, whatever it is called.
    pub fn has(&self, path: &str) -> bool {
        let path = paths::normalise(path);
        self.0.iter().any(|(read, _)| paths::normalise(read) == path)
    }

    /// The files that were asked for, as they were called.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(path, _)| path.as_str())
    }

    /// Whether all files are as they were.
    pub fn are_current(&self, sources: &dyn Sources) -> bool {
        self.0.iter().all(|(path, before)| Read::from(sources.read(path)) == *before)
    }
}

/// Reads a file with all it imports, and with what is asked about it: items that are seen as if they stood at the end of
/// the file, and shown as what they are, the text of somebody else.
pub fn load(
    sources: &dyn Sources,
    path: &str,
    question: Option<&Question>,
) -> Result<Loaded, Unreadable> {
    let mut loader = Loader::new(sources);
    loader.library("prelude");
    loader.root(path)?;
    if let Some(question) = question {
        loader.ask(question)?;
    }
    Ok(loader.loaded())
}

//! Where tests have their texts from, and a session for each.

use rustc_hash::FxHashMap;

pub use pnetc::loader::Sources;
use pnetc::model::Checked;
use pnetc::session::Session;

/// The file that a model in memory stands in.
pub const MODEL: &str = "model.pnet";

/// The files of a folder, given from the root of the project.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk(pub &'static str);

/// The files of the project.
pub const PROJECT: Disk = Disk("");

impl Sources for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        std::fs::read(root.join(self.0).join(path)).map_err(|problem| problem.to_string())
    }
}

/// Files in memory.
#[derive(Debug, Default)]
pub struct Memory(pub FxHashMap<String, Vec<u8>>);

impl Memory {
    /// One file.
    pub fn file(name: &str, text: impl Into<Vec<u8>>) -> Memory {
        Memory::default().and(name, text)
    }

    /// One more file.
    pub fn and(mut self, name: &str, text: impl Into<Vec<u8>>) -> Memory {
        self.0.insert(name.to_owned(), text.into());
        self
    }
}

impl Sources for Memory {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.0.get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    }
}

/// One file with this name and text, beside others.
pub struct Beside<'t>(pub &'t str, pub &'t [u8], pub &'t dyn Sources);

impl Sources for Beside<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == self.0 { Ok(self.1.to_vec()) } else { self.2.read(path) }
    }
}

/// Checks a file with what it imports, in a session of its own; all that is found is said.
#[track_caller]
pub fn check(sources: &dyn Sources, path: &str) -> Checked {
    Session::default().check(sources, path).unwrap()
}

/// The same of a model that stands in one file.
#[track_caller]
pub fn check_all(text: impl Into<Vec<u8>>) -> Checked {
    check(&Memory::file(MODEL, text), MODEL)
}

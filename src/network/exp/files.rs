//! Where the files of a network come from, and what their names mean.

use std::path::{Component, Path, PathBuf};

/// Why there is no file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// There is none with this name.
    Missing,
    /// It is there, and cannot be read: why, in words.
    Failed(String),
}

/// Files by their names.
pub trait ExpFiles {
    /// Gives on a file piece by piece, as long as it is wanted.
    fn read(&self, path: &str, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<(), Unread>;

    /// Whether there is a file.
    fn has(&self, path: &str) -> bool {
        self.read(path, &mut |_| false) != Err(Unread::Missing)
    }
}

/// What a file has in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileKind {
    System,
    Network,
    /// Something that another tool can convert.
    Foreign,
}

/// The endings of formats that are known, and not read.
const FOREIGN: [&str; 3] = ["bcg", "seq", "fc2"];

/// What the ending of a name says.
fn kind(name: &str) -> Option<FileKind> {
    let ending = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "aut" => Some(FileKind::System),
        "exp" => Some(FileKind::Network),
        other if FOREIGN.contains(&other) => Some(FileKind::Foreign),
        _ => None,
    }
}

/// A file that is meant by a name in a file of some folder: its path, and what is in it. Where no ending says what, the
/// first file is taken that is there; none may be.
pub(super) fn meant(name: &str, folder: &str, files: &dyn ExpFiles) -> (String, Option<FileKind>) {
    let path = joined(folder, name);
    if let Some(kind) = kind(name) {
        return (path, Some(kind));
    }
    for ending in ["aut", "exp"].into_iter().chain(FOREIGN) {
        let longer = format!("{path}.{ending}");
        if files.has(&longer) {
            let kind = kind(&longer);
            return (longer, kind);
        }
    }
    (path, None)
}

/// The folder of a file.
pub(super) fn folder_of(path: &str) -> String {
    Path::new(path).parent().map_or(String::new(), |folder| folder.display().to_string())
}

/// A name in a folder, without detours.
fn joined(folder: &str, name: &str) -> String {
    let mut path = PathBuf::new();
    for component in Path::new(folder).join(name).components() {
        let is_below = matches!(path.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::CurDir => {}
            Component::ParentDir if is_below => _ = path.pop(),
            other => path.push(other),
        }
    }
    path.display().to_string()
}

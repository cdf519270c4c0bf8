//! The texts of files that are imported.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::problems::{ImportFlaw, ImportProblem, UnreadImport, UnreadableText};
use crate::base::budget::is_spent;
use crate::diagnostics::{Diagnostic, SourceMap, Span};
use crate::network::exp::{ExpFiles, Unread};

/// The files that were read so far, with what is wrong in them.
pub(super) struct Texts<'f> {
    files: &'f dyn ExpFiles,
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
    /// What was told already: a code at a place.
    told: FxHashSet<(&'static str, Span)>,
}

impl<'f> Texts<'f> {
    pub fn new(files: &'f dyn ExpFiles) -> Texts<'f> {
        Texts {
            files,
            sources: SourceMap::default(),
            diagnostics: Vec::new(),
            told: FxHashSet::default(),
        }
    }

    /// Reports a problem, once.
    pub fn report(&mut self, problem: impl Into<ImportProblem>) {
        let diagnostic = problem.into().diagnose();
        if self.told.insert((diagnostic.entry.code, diagnostic.span())) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether there is a file.
    pub fn has(&self, path: &str) -> bool {
        self.files.has(path)
    }

    /// A file, and where it stands among all texts. It is named at `span`, the first one nowhere.
    pub fn read(&mut self, path: &str, span: Span) -> Option<(Arc<str>, u32)> {
        let mut bytes = Vec::new();
        let read = self.files.read(path, &mut |piece| {
            bytes.extend_from_slice(piece);
            !is_spent()
        });
        if let Err(why) = read {
            let why = match why {
                Unread::Missing => "there is no such file".to_owned(),
                Unread::Failed(why) => why,
            };
            return self.unread(path, span, why);
        }
        let flaw = std::str::from_utf8(&bytes).err().map(|flaw| flaw.valid_up_to());
        let text: Arc<str> = String::from_utf8_lossy(&bytes).into();
        let added = self.sources.add(path.to_owned(), Arc::clone(&text));
        let Some(base) = added.ok().and_then(|at| self.sources.file(at)).map(|file| file.base())
        else {
            return self.unread(path, span, "it is too large".to_owned());
        };
        if let Some(at) = flaw {
            let start = base + at as u32;
            let span = Span::new(start, start + 1);
            self.report(UnreadableText { span, flaw: ImportFlaw::NotText });
            return None;
        }
        Some((text, base))
    }

    fn unread<T>(&mut self, path: &str, span: Span, why: String) -> Option<T> {
        // Nothing names the first file: then it is told of as an empty one.
        if self.sources.files().is_empty() {
            _ = self.sources.add(path.to_owned(), "".into());
        }
        self.report(UnreadImport { span, path: path.to_owned(), why });
        None
    }
}

/// The name of a file without its folders and its ending.
pub(super) fn stem(path: &str) -> String {
    Path::new(path).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// The name of a file without its folders.
pub(super) fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// A file beside another one.
pub(super) fn beside(path: &str, name: &str) -> String {
    Path::new(path).with_file_name(name).to_string_lossy().into_owned()
}

//! From imports to modules, in order.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::paths::{join, normalise};
use super::problems::{ImportCycle, ImportProblem, MissingFile, UnknownLibrary};
use super::question::Asking;
use super::{Loaded, LoadedModule, ModuleId, Question, Read, Reads, Sources, Unreadable, library};
use crate::base::budget::is_spent;
use crate::diagnostics::{Diagnostic, SourceFile, SourceMap, Span};
use crate::syntax;
use crate::syntax::ast::{ImportSource, ItemKind};
use crate::syntax::problems::{NotUtf8, SyntaxProblem};
use crate::syntax::token::BROKEN_TEXT;

/// A text, and the first byte of the file that was none.
type Text = (Arc<str>, Option<(usize, u8)>);

/// Follows imports, without recursion: files can form long chains.
pub(super) struct Loader<'s> {
    sources: &'s dyn Sources,
    reads: Reads,
    pub(super) map: SourceMap,
    /// The modules that are complete, each after those it imports.
    pub(super) modules: Vec<LoadedModule>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Where each file stands: complete, or still being read.
    known: FxHashMap<String, Option<ModuleId>>,
    /// The files that are being read, each imported by the one before.
    open: Vec<Open>,
}

/// A file whose imports are being followed.
struct Open {
    identity: String,
    module: LoadedModule,
    /// The imports still to follow, the next one last.
    waiting: Vec<(ImportSource, Span)>,
}

impl<'s> Loader<'s> {
    pub fn new(sources: &'s dyn Sources) -> Loader<'s> {
        Loader {
            sources,
            reads: Reads::default(),
            map: SourceMap::default(),
            modules: Vec::new(),
            diagnostics: Vec::new(),
            known: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// Loads a module of the library with all it imports.
    pub fn library(&mut self, name: &str) {
        if let Some(text) = library::text(name) {
            let identity = format!("std.{name}");
            // The library is small: it always fits.
            let _ = self.start(identity.clone(), identity, (text.into(), None), false);
            self.run();
        }
    }

    /// Begins with the file that is asked for.
    pub fn root(&mut self, path: &str) -> Result<(), Unreadable> {
        let text = self.read_file(path).map_err(Unreadable::Missing)?;
        self.start(normalise(path), path.to_owned(), text, true)
    }

    /// All modules, when every import was followed.
    pub fn loaded(mut self) -> Loaded {
        self.run();
        let Loader { map, modules, diagnostics, reads, .. } = self;
        Loaded { sources: map, modules, diagnostics, reads }
    }

    /// The text of a file; it is noted that it was read.
    pub(super) fn read_file(&mut self, path: &str) -> Result<Text, String> {
        let read = Read::from(self.sources.read(path));
        self.reads.0.push((path.to_owned(), read.clone()));
        match read {
            Read::Text(text, broken) => Ok((text, broken)),
            Read::Missing(why) => Err(why),
        }
    }

    /// Begins with a file: parses it, and notes what it imports.
    fn start(
        &mut self,
        identity: String,
        name: String,
        (text, broken): Text,
        is_root: bool,
    ) -> Result<(), Unreadable> {
        let added = self.map.add(name.clone(), Arc::clone(&text));
        let index = added.map_err(|_| Unreadable::TooLarge)?;
        let base = self.map.file(index).map_or(0, SourceFile::base);
        if let Some((offset, byte)) = broken {
            let at = base + offset as u32;
            let problem: SyntaxProblem =
                NotUtf8 { span: Span::new(at, at + 1), byte, offset }.into();
            self.diagnostics.push(problem.diagnose());
        }
        let parsed = syntax::parse(&text, base);
        self.diagnostics.extend(parsed.problems.iter().map(SyntaxProblem::diagnose));
        let imports = parsed.module.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Import(import) => Some((import.source.clone(), import.source_span)),
            _ => None,
        });
        let mut waiting: Vec<_> = imports.collect();
        waiting.reverse();
        let is_prelude = identity == "std.prelude";
        let module = LoadedModule {
            file: name,
            tree: parsed.module,
            imports: Vec::new(),
            is_root,
            is_prelude,
        };
        self.known.insert(identity.clone(), None);
        self.open.push(Open { identity, module, waiting });
        Ok(())
    }

    /// Adds what is asked to the file that was begun last.
    pub fn ask(&mut self, question: &Question) -> Result<(), Unreadable> {
        let mut asking = Asking { map: &mut self.map, diagnostics: &mut self.diagnostics };
        let items = asking.items(question)?;
        if let Some(open) = self.open.last_mut() {
            open.module.tree.items.extend(items);
        }
        Ok(())
    }

    /// Follows imports until every file is complete.
    fn run(&mut self) {
        while let Some(open) = self.open.last_mut() {
            match open.waiting.pop().filter(|_| !is_spent()) {
                Some((source, span)) => self.follow(&source, span),
                None => self.complete(),
            }
        }
    }

    fn complete(&mut self) {
        let Some(mut open) = self.open.pop() else { return };
        self.systems(&mut open.module);
        let id = ModuleId(self.modules.len() as u32);
        self.known.insert(open.identity, Some(id));
        self.modules.push(open.module);
        if let Some(importer) = self.open.last_mut() {
            importer.module.imports.push(Some(id));
        }
    }

    fn follow(&mut self, source: &ImportSource, span: Span) {
        if matches!(source, ImportSource::File(file) if file.as_str() == BROKEN_TEXT) {
            return self.imported(None);
        }
        let Some(importer) = self.open.last() else { return };
        let (identity, name) = match source {
            ImportSource::Library(path) => (path.to_string(), path.to_string()),
            ImportSource::File(file) => {
                let joined = join(&importer.module.file, file.as_str());
                (normalise(&joined), joined)
            }
        };
        match self.known.get(&identity) {
            Some(Some(id)) => {
                let id = *id;
                self.imported(Some(id));
            }
            Some(None) => {
                self.report_cycle(&identity, span);
                self.imported(None);
            }
            None => self.read(source, identity, name, span),
        }
    }

    fn imported(&mut self, id: Option<ModuleId>) {
        if let Some(importer) = self.open.last_mut() {
            importer.module.imports.push(id);
        }
    }

    fn read(&mut self, source: &ImportSource, identity: String, name: String, span: Span) {
        let text = match source {
            ImportSource::Library(path) => match library::text_of(path) {
                Some(text) => Ok((text.into(), None)),
                None => return self.guess_library(library::unknown(path, span)),
            },
            ImportSource::File(_) => self.read_file(&name).map_err(Unreadable::Missing),
        };
        let started = text.and_then(|text| self.start(identity, name.clone(), text, false));
        if let Err(reason) = started {
            self.report(MissingFile { span, path: name, reason: reason.to_string() });
            self.imported(None);
        }
    }

    /// Goes on with the module that was probably meant, so that its names are known.
    fn guess_library(&mut self, problem: UnknownLibrary) {
        let meant = problem.similar.clone();
        self.report(problem);
        match meant.as_deref().and_then(|meant| meant.strip_prefix("std.")) {
            Some(meant) => self.import_library(meant),
            None => self.imported(None),
        }
    }

    fn import_library(&mut self, name: &str) {
        let identity = format!("std.{name}");
        match self.known.get(&identity).copied() {
            Some(known) => self.imported(known),
            None => {
                let text = library::text(name).unwrap_or_default().into();
                if self.start(identity.clone(), identity, (text, None), false).is_err() {
                    self.imported(None);
                }
            }
        }
    }

    pub(super) fn report(&mut self, problem: impl Into<ImportProblem>) {
        let problem: ImportProblem = problem.into();
        self.diagnostics.push(problem.diagnose());
    }

    fn report_cycle(&mut self, identity: &str, span: Span) {
        let from = self.open.iter().position(|open| open.identity == identity).unwrap_or(0);
        let files = self.open[from..].iter().map(|open| open.module.file.clone());
        let mut cycle: Vec<String> = files.collect();
        cycle.extend(cycle.first().cloned());
        self.report(ImportCycle { span, cycle });
    }
}

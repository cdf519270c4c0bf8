//! One compilation: sources in, stages run as far as asked, diagnostics out.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::Spent;
use crate::base::budget::{self, is_spent};
use crate::diagnostics::{Diagnostic, Entry, Severity, SourceMap, Span, Symbol};
use crate::elaborate::problems::{CannotSet, ElaborationProblem, WhyNotSet};
use crate::elaborate::{self, Options, Settings, Target};
use crate::generate::{self, Generated};
use crate::pnet::{PNet, Parts};
use crate::premises;
use crate::review;
use crate::review::problems::AutomatonProblem;
use crate::sema::problems::{ImportCycle, MissingFile, SemaProblem, UnknownLibrary};
use crate::sema::program::{CheckDef, Instance, ModuleId, Program};
use crate::sema::{self, LoadedModule};
use crate::syntax::ast::{self, ImportSource, ItemKind};
use crate::syntax::problems::{NotUtf8, SyntaxProblem};
use crate::syntax::token::BROKEN_TEXT;
use crate::syntax::{self};

/// Where texts come from.
pub trait Sources {
    /// The bytes of a file, or why they cannot be had, in a few words.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// The standard library, compiled in.
const LIBRARY: &[(&str, &str)] = &[
    ("prelude", include_str!("../stdlib/prelude.pnet")),
    ("buffers", include_str!("../stdlib/buffers.pnet")),
    ("ccs", include_str!("../stdlib/ccs.pnet")),
    ("lotos", include_str!("../stdlib/lotos.pnet")),
];

/// A file that went through all stages of the front end.
#[derive(Debug)]
pub struct Checked {
    /// The texts that were read.
    pub sources: SourceMap,
    /// The typed program; meaningful where no errors were found.
    pub program: Program,
    /// The name of the file that was asked for.
    pub root: String,
    /// The tree of that file.
    pub tree: ast::Module,
    /// Everything that is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it was not checked to its end, if it was not: then nothing is known of it, and nothing is said.
    pub stopped: Option<Spent>,
}

impl Checked {
    /// Whether there is an error among the diagnostics, or may be one, since not all was looked at: then nothing can be
    /// built on it.
    pub fn has_errors(&self) -> bool {
        self.stopped.is_some()
            || self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The tree with its spans as offsets into its own file.
    pub fn relative_tree(&self) -> serde_json::Value {
        let base = self.sources.files().iter().find(|file| file.name() == self.root);
        let base = base.map_or(0, |file| file.base());
        let mut tree = serde_json::to_value(&self.tree).unwrap_or_default();
        make_relative(&mut tree, base);
        tree
    }
}

/// Takes `base` off every span: two numbers side by side are nothing else in a tree.
fn make_relative(value: &mut serde_json::Value, base: u32) {
    use serde_json::Value;
    match value {
        Value::Array(items) if items.len() == 2 && items.iter().all(Value::is_u64) => {
            for offset in items {
                *offset = offset.as_u64().unwrap_or(0).saturating_sub(u64::from(base)).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| make_relative(item, base)),
        Value::Object(fields) => fields.values_mut().for_each(|field| make_relative(field, base)),
        _ => {}
    }
}

/// All kinds of problems, in the order of their codes within each stage.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let syntax = syntax::problems::ENTRIES.iter();
    syntax
        .chain(sema::problems::ENTRIES)
        .chain(elaborate::problems::ENTRIES)
        .chain(review::problems::ENTRIES)
        .copied()
}

/// The entry with this code.
pub fn entry(code: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

/// What a question is called that somebody asks about a file: its text is no part of the file.
pub const QUESTION: &str = "command line";

/// Reads a file with all it imports, and checks it. An error means that the file itself cannot be read.
pub fn check(sources: &dyn Sources, path: &str) -> Result<Checked, String> {
    check_asking(sources, path, None)
}

/// The same with a question: items that are checked as if they stood at the end of the file, and shown as what they
/// are, the text of somebody else.
pub fn check_asking(
    sources: &dyn Sources,
    path: &str,
    question: Option<&str>,
) -> Result<Checked, String> {
    let mut loader = Loader::new(sources);
    loader.library("prelude");
    let root = normalise(path);
    let bytes = sources.read(path)?;
    loader.start(root, path.to_owned(), bytes, true)?;
    if let Some(question) = question {
        loader.ask(question)?;
    }
    loader.run();
    let Loader { map, mut modules, mut diagnostics, .. } = loader;
    let (program, problems) = sema::check(&modules);
    diagnostics.extend(problems.iter().map(SemaProblem::diagnose));
    let asked_for = [span_of(&map, path), span_of(&map, QUESTION)];
    // Warnings are for those who can do something about them: not in files that are only imported.
    diagnostics.retain(|diagnostic| {
        diagnostic.severity == Severity::Error
            || asked_for.iter().any(|text| text.contains(diagnostic.span()))
    });
    diagnostics.sort_by(|a, b| order(a).cmp(&order(b)));
    diagnostics.dedup_by(|a, b| order(a) == order(b));
    let stopped = budget::here().spent();
    if stopped.is_some() {
        diagnostics.clear();
    }
    let root = modules.iter().position(|module| module.is_root);
    let tree = root.map(|at| std::mem::take(&mut modules[at].tree)).unwrap_or_default();
    Ok(Checked { sources: map, program, root: path.to_owned(), tree, diagnostics, stopped })
}

/// What a setting is called as a text: it is no part of the file.
pub const SETTING: &str = "--set";

/// What `--set` comes to in each of several files, and what is wrong with it.
///
/// A constant that only some of the files declare is set in these.
#[derive(Debug, Default)]
pub struct Settled {
    /// The settings of each file.
    pub settings: Vec<Settings>,
    /// What is wrong, with the place of the file whose sources show it.
    pub problems: Vec<(usize, Diagnostic)>,
}

/// Reads settings, `N=4`, for files.
pub fn settle(files: &mut [&mut Checked], texts: &[String]) -> Settled {
    let mut settled =
        Settled { settings: vec![Settings::default(); files.len()], problems: vec![] };
    for text in texts {
        let name = elaborate::set_name(text);
        let somewhere = files.iter().any(|file| elaborate::has_constant(&file.program, name));
        if !somewhere && let Some(problem) = nowhere(files, text) {
            settled.problems.push((0, problem));
        }
        for (at, file) in files.iter_mut().enumerate() {
            if elaborate::has_constant(&file.program, name)
                && let Err(problem) = read_setting(file, text, &mut settled.settings[at])
            {
                settled.problems.push((at, *problem));
            }
        }
    }
    settled
}

/// That no file has the constant of a setting, said at its text.
fn nowhere(files: &mut [&mut Checked], text: &str) -> Option<Diagnostic> {
    let name = elaborate::set_name(text);
    let similar = files.iter().find_map(|file| elaborate::similar_constant(&file.program, name));
    let names = files.iter().map(|file| file.root.clone()).collect();
    let first = files.first_mut()?;
    let base = add_setting(first, text)? + (text.len() - text.trim_start().len()) as u32;
    let why = WhyNotSet::Unknown { files: names, similar: similar.map(str::to_owned) };
    let span = Span::new(base, base + name.len() as u32);
    let problem: ElaborationProblem = CannotSet { span, name: name.to_owned(), why }.into();
    Some(problem.diagnose())
}

/// Takes in the text of a setting; nothing where there is no room for it.
fn add_setting(file: &mut Checked, text: &str) -> Option<u32> {
    let index = file.sources.add(SETTING.to_owned(), text.into()).ok()?;
    file.sources.file(index).map(crate::diagnostics::SourceFile::base)
}

fn read_setting(
    file: &mut Checked,
    text: &str,
    into: &mut Settings,
) -> Result<(), Box<Diagnostic>> {
    let base = add_setting(file, text).unwrap_or_default();
    into.read(&file.program, text, base)
        .map_err(|problem| Box::new(ElaborationProblem::from(*problem).diagnose()))
}

/// Why a net could not be built.
#[derive(Debug)]
pub enum BuildFailure {
    /// The file declares nothing of this name; what it was probably meant to be.
    Unknown(Option<&'static str>),
    /// The file declares nothing that can be built.
    Nothing,
    /// The file has errors, which were reported: there is nothing to elaborate.
    Errors,
    /// Elaboration found problems.
    Problems(Vec<Diagnostic>),
}

/// What can be built from a file, in the order of its text.
pub fn targets(checked: &Checked) -> Vec<(Symbol, Target)> {
    let module = checked.program.modules.iter().position(|module| module.is_root);
    module.map_or_else(Vec::new, |at| elaborate::targets(&checked.program, ModuleId(at as u32)))
}

/// The net of a file that has no errors with this name, or the last one.
fn target(checked: &Checked, name: Option<&str>) -> Result<Target, BuildFailure> {
    if checked.has_errors() {
        return Err(BuildFailure::Errors);
    }
    let targets = targets(checked);
    let (_, target) = match name {
        Some(name) => {
            let found = targets.iter().find(|(known, _)| known.as_str() == name);
            found.ok_or_else(|| {
                let known = targets.iter().map(|(known, _)| known.as_str());
                BuildFailure::Unknown(crate::diagnostics::closest(name, known))
            })?
        }
        None => {
            let nets = targets.iter().rev().find(|(_, target)| matches!(target, Target::Net(_)));
            nets.or(targets.last()).ok_or(BuildFailure::Nothing)?
        }
    };
    Ok(*target)
}

/// Elaborates a net of a file that has no errors: the one with this name, or the last one.
pub fn build(
    checked: &Checked,
    name: Option<&str>,
    options: &Options,
) -> Result<PNet, BuildFailure> {
    let target = target(checked, name)?;
    let net = elaborate::elaborate(&checked.program, target, options).map_err(failed)?;
    sound(checked, net, options)
}

/// A net whose premises follow from the axioms.
fn sound(checked: &Checked, net: PNet, options: &Options) -> Result<PNet, BuildFailure> {
    match premises::unmet(&net, &checked.program, options) {
        problems if problems.is_empty() => Ok(net),
        problems => Err(failed(problems)),
    }
}

/// The same of all parts of a net.
fn sound_parts(checked: &Checked, parts: Parts, options: &Options) -> Result<Parts, BuildFailure> {
    let problems = parts.all().flat_map(|net| premises::unmet(net, &checked.program, options));
    match problems.collect::<Vec<_>>() {
        problems if problems.is_empty() => Ok(parts),
        problems => Err(failed(problems)),
    }
}

/// The same in parts: see [`elaborate::elaborate_parts`].
pub fn build_parts(
    checked: &Checked,
    name: Option<&str>,
    options: &Options,
) -> Result<Parts, BuildFailure> {
    let target = target(checked, name)?;
    let parts = elaborate::elaborate_parts(&checked.program, target, options).map_err(failed)?;
    sound_parts(checked, parts, options)
}

fn failed(problems: Vec<ElaborationProblem>) -> BuildFailure {
    BuildFailure::Problems(problems.iter().map(ElaborationProblem::diagnose).collect())
}

/// The checks of a file, in the order of its text.
pub fn checks(checked: &Checked) -> Vec<&CheckDef> {
    let root = checked.program.modules.iter().position(|module| module.is_root);
    let here = |check: &&CheckDef| Some(check.module.index()) == root;
    checked.program.checks.iter().filter(here).collect()
}

/// Elaborates an instance that a check is about.
pub fn build_instance(
    checked: &Checked,
    check: &CheckDef,
    instance: &Instance,
    options: &Options,
) -> Result<PNet, BuildFailure> {
    if checked.has_errors() {
        return Err(BuildFailure::Errors);
    }
    let net = elaborate::elaborate_instance(&checked.program, instance, &check.locals, options)
        .map_err(failed)?;
    sound(checked, net, options)
}

/// The same in parts: see [`elaborate::elaborate_instance_parts`].
pub fn build_instance_parts(
    checked: &Checked,
    check: &CheckDef,
    instance: &Instance,
    options: &Options,
) -> Result<Parts, BuildFailure> {
    if checked.has_errors() {
        return Err(BuildFailure::Errors);
    }
    let locals = &check.locals;
    let parts = elaborate::elaborate_instance_parts(&checked.program, instance, locals, options)
        .map_err(failed)?;
    sound_parts(checked, parts, options)
}

/// What is to be said about a net of a file, now that its automaton is known.
///
/// As with all warnings, only what the file itself can do something about.
pub fn review(
    checked: &Checked,
    net: &PNet,
    generated: &Generated,
    options: &generate::Options,
    watch: &dyn generate::Watch,
) -> Vec<Diagnostic> {
    let asked_for = span_of(&checked.sources, &checked.root);
    let mut problems = review::review(net, generated, options, watch);
    problems.retain(|problem| asked_for.contains(problem.span()) && !was_said(checked, problem));
    for problem in &mut problems {
        let text = problem.span();
        match problem {
            AutomatonProblem::LeavesRange(one) => {
                one.assigned = checked.program.assigned_at(text);
            }
            AutomatonProblem::AlwaysTrue(one) => one.end = checked.program.compared_at(text),
            _ => {}
        }
    }
    problems.iter().map(AutomatonProblem::diagnose).collect()
}

/// Whether it was said before anything was built: that a connector has no interaction, or that a guard is always the
/// same.
fn was_said(checked: &Checked, problem: &AutomatonProblem) -> bool {
    let text = problem.span();
    let said = |code: &str, about: &dyn Fn(Span) -> bool| {
        let mut said = checked.diagnostics.iter().filter(|one| one.entry.code == code);
        said.any(|one| about(one.span()))
    };
    match problem {
        AutomatonProblem::NoInstance(_) => said("W0315", &|connector| text.contains(connector)),
        AutomatonProblem::AlwaysTrue(_) | AutomatonProblem::DeadTransition(_) => {
            said("W0312", &|guard| guard.contains(text))
        }
        _ => false,
    }
}

fn span_of(map: &SourceMap, name: &str) -> Span {
    map.files().iter().find(|file| file.name() == name).map(|file| file.span()).unwrap_or_default()
}

fn order(diagnostic: &Diagnostic) -> (u32, u32, &'static str, &str) {
    let span = diagnostic.span();
    (span.start, span.end, diagnostic.entry.code, &diagnostic.message)
}

/// A text from bytes: whatever is no UTF-8 is reported, and blanked out so that every place stays where it is.
pub fn decode(bytes: Vec<u8>) -> (String, Option<(usize, u8)>) {
    let mut bytes = bytes;
    let mut first = None;
    let mut from = 0;
    while let Err(problem) = std::str::from_utf8(&bytes[from..]) {
        let at = from + problem.valid_up_to();
        first = first.or_else(|| bytes.get(at).map(|&byte| (at, byte)));
        let length = problem.error_len().unwrap_or(bytes.len() - at).max(1);
        let end = (at + length).min(bytes.len());
        // In the middle of a word the word goes on, so that it stays one name.
        let in_word = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric);
        let inside =
            in_word(at.checked_sub(1).and_then(|at| bytes.get(at))) || in_word(bytes.get(end));
        bytes[at..end].fill(if inside { b'_' } else { b' ' });
        from = end;
    }
    (String::from_utf8(bytes).unwrap_or_default(), first)
}

/// Follows imports, without recursion: files can form long chains.
struct Loader<'s> {
    sources: &'s dyn Sources,
    map: SourceMap,
    /// The modules that are complete, each after those it imports.
    modules: Vec<LoadedModule>,
    diagnostics: Vec<Diagnostic>,
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
    fn new(sources: &'s dyn Sources) -> Loader<'s> {
        Loader {
            sources,
            map: SourceMap::default(),
            modules: Vec::new(),
            diagnostics: Vec::new(),
            known: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// Loads a module of the library with all it imports.
    fn library(&mut self, name: &str) {
        if let Some((_, text)) = LIBRARY.iter().find(|(known, _)| *known == name) {
            let identity = format!("std.{name}");
            let bytes = text.as_bytes().to_vec();
            // The library is small: it always fits.
            let _ = self.start(identity.clone(), identity, bytes, false);
            self.run();
        }
    }

    /// Begins with a file: parses it, and notes what it imports.
    fn start(
        &mut self,
        identity: String,
        name: String,
        bytes: Vec<u8>,
        is_root: bool,
    ) -> Result<(), String> {
        let (text, broken) = decode(bytes);
        let text: Arc<str> = text.into();
        let too_large = |_| "all files together are larger than four gigabytes".to_owned();
        let index = self.map.add(name.clone(), Arc::clone(&text)).map_err(too_large)?;
        let base = self.map.file(index).map_or(0, crate::diagnostics::SourceFile::base);
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

    /// Adds items to the file that was begun last, which have a text of their own.
    fn ask(&mut self, question: &str) -> Result<(), String> {
        let too_large = |_| "all files together are larger than four gigabytes".to_owned();
        let index = self.map.add(QUESTION.to_owned(), question.into()).map_err(too_large)?;
        let base = self.map.file(index).map_or(0, crate::diagnostics::SourceFile::base);
        let parsed = syntax::parse(question, base);
        self.diagnostics.extend(parsed.problems.iter().map(SyntaxProblem::diagnose));
        if let Some(open) = self.open.last_mut() {
            open.module.tree.items.extend(parsed.module.items);
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
        let Some(open) = self.open.pop() else { return };
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
        let bytes = match source {
            ImportSource::Library(path) => match library_text(path) {
                Some(text) => Ok(text.as_bytes().to_vec()),
                None => {
                    let problem = unknown_library(path, span);
                    let meant = problem.similar.clone();
                    self.report(problem);
                    // Go on with the module that was probably meant, so that its names are known.
                    match meant.as_deref().and_then(|meant| meant.strip_prefix("std.")) {
                        Some(meant) => return self.import_library(meant),
                        None => return self.imported(None),
                    }
                }
            },
            ImportSource::File(_) => self.sources.read(&name),
        };
        let started = bytes.and_then(|bytes| self.start(identity, name.clone(), bytes, false));
        if let Err(reason) = started {
            self.report(MissingFile { span, path: name, reason });
            self.imported(None);
        }
    }

    fn import_library(&mut self, name: &str) {
        let identity = format!("std.{name}");
        match self.known.get(&identity).copied() {
            Some(known) => self.imported(known),
            None => {
                let text =
                    LIBRARY.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
                let bytes = text.as_bytes().to_vec();
                if self.start(identity.clone(), identity, bytes, false).is_err() {
                    self.imported(None);
                }
            }
        }
    }

    fn report(&mut self, problem: impl Into<SemaProblem>) {
        let problem: SemaProblem = problem.into();
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

fn library_text(path: &ast::Path) -> Option<&'static str> {
    let [std, name] = path.parts.as_slice() else { return None };
    if std.name.as_str() != "std" {
        return None;
    }
    LIBRARY.iter().find(|(known, _)| *known == name.name.as_str()).map(|(_, text)| *text)
}

fn unknown_library(path: &ast::Path, span: Span) -> UnknownLibrary {
    let known: Vec<String> = LIBRARY.iter().map(|(name, _)| format!("std.{name}")).collect();
    let name = path.to_string();
    let similar = crate::diagnostics::closest(&name, known.iter().map(String::as_str));
    UnknownLibrary { span, name: name.clone(), similar: similar.map(str::to_owned), known }
}

/// A path that is written relative to the file that imports it.
fn join(importer: &str, path: &str) -> String {
    let folder = importer.rfind(['/', '\\']).map_or("", |at| &importer[..=at]);
    if path.starts_with('/') || folder.is_empty() {
        return path.strip_prefix("./").unwrap_or(path).to_owned();
    }
    format!("{folder}{}", path.strip_prefix("./").unwrap_or(path))
}

/// A path without `.` and `..` where these can be left out: the same file has one name.
fn normalise(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

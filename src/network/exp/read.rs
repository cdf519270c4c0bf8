//! Reads a network with all files that it names, and makes it flat.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::files::{ExpFiles, FileKind, Unread, folder_of, meant};
use super::parallel::Operand;
use super::parse::parse;
use super::pattern::{Flawed, Pattern, PatternFlaw, Replacement};
use super::problems::{
    BrokenPattern, BrokenText, ExpProblem, GateWithOffers, LooseFile, OwnFile, TextFlaw,
    UnknownLabel, UnreadFile,
};
use super::select::{Rule, fits, gate, speaks_of_offers};
use super::token::undecoded;
use super::tree::{ExpTree, Language, Matching, Name, Selection, Tree, TreeKind, Unit};
use crate::base::{IndexVec, Watch};
use crate::diagnostics::{Diagnostic, Severity, SourceMap, Span};
use crate::lts::aut::AutReader;
use crate::lts::{LabelTable, Lts, LtsLabel};
use crate::network::{Network, NetworkPart, NetworkPartId, NetworkVector, Synchron};

/// After so many errors, or so many warnings, nobody wants to see more.
const MOST_PROBLEMS: usize = 20;

/// What came of reading a network.
#[derive(Debug)]
pub struct ExpRead {
    /// The network, unless something is broken or the budget is spent.
    pub network: Option<Network>,
    /// What is wrong or odd, in all files.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that these are about.
    pub sources: SourceMap,
    /// The file of each part, in their order.
    pub paths: Vec<String>,
}

/// Reads a network. `silent` are the names of the silent action, at least one, in all files.
pub fn read(path: &str, silent: &[String], files: &dyn ExpFiles, watch: &dyn Watch) -> ExpRead {
    let _entered = watch.budget().enter();
    let mut labels = LabelTable::new(silent.first().map_or("tau", String::as_str));
    silent.iter().for_each(|name| labels.also_silent(name));
    let mut reading = Reading {
        files,
        watch,
        silent,
        labels,
        parts: IndexVec::default(),
        paths: Vec::new(),
        systems: FxHashMap::default(),
        open: Vec::new(),
        sources: SourceMap::default(),
        diagnostics: Vec::new(),
    };
    let vectors = reading.network(path, (Span::default(), 0, false));
    let has_errors = reading.diagnostics.iter().any(|one| one.severity == Severity::Error);
    let is_spent = crate::base::budget::is_spent();
    let vectors = vectors.filter(|_| !has_errors && !is_spent);
    let network = vectors.map(|vectors| finished(vectors, reading.parts, &reading.labels, silent));
    let (diagnostics, sources) = (enough(reading.diagnostics), reading.sources);
    ExpRead { network, diagnostics, sources, paths: reading.paths }
}

/// Not more of them than somebody reads; errors are not lost among warnings.
fn enough(mut all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for severity in [Severity::Error, Severity::Warning] {
        let mut count = 0;
        all.retain(|one| {
            count += usize::from(one.severity == severity);
            one.severity != severity || count <= MOST_PROBLEMS
        });
    }
    all
}

/// The network: vectors in order, each once, and only the labels that result.
fn finished(
    mut vectors: Vec<NetworkVector>,
    parts: IndexVec<NetworkPartId, NetworkPart>,
    labels: &LabelTable,
    silent: &[String],
) -> Network {
    let mut texts: Vec<&str> = vectors
        .iter()
        .filter(|vector| !vector.result.is_silent())
        .map(|vector| labels.text(vector.result))
        .collect();
    texts.sort_unstable();
    texts.dedup();
    let mut table = LabelTable::new(labels.text(LtsLabel::SILENT));
    silent.iter().for_each(|name| table.also_silent(name));
    texts.into_iter().for_each(|text| _ = table.intern(text));
    for vector in &mut vectors {
        vector.result = table.intern(labels.text(vector.result));
    }
    vectors.sort();
    vectors.dedup();
    Network { parts, vectors: vectors.into(), labels: table }
}

/// What is known where a behaviour stands.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// The folder of the file.
    pub folder: String,
    pub language: Language,
}

/// A network that is being read.
pub(super) struct Reading<'r> {
    files: &'r dyn ExpFiles,
    watch: &'r dyn Watch,
    silent: &'r [String],
    /// All labels that vectors resulted in so far.
    pub(super) labels: LabelTable,
    parts: IndexVec<NetworkPartId, NetworkPart>,
    /// The file of each part.
    paths: Vec<String>,
    /// Systems by their paths, so that one that is meant twice is read once.
    systems: FxHashMap<String, Option<Arc<Lts>>>,
    /// The networks that are being read, each for the one before.
    open: Vec<String>,
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
}

impl Reading<'_> {
    pub(super) fn report(&mut self, problem: impl Into<ExpProblem>) {
        self.diagnostics.push(problem.into().diagnose());
    }

    /// A label as it is meant: in upper case, where the language has it so.
    pub(super) fn label(&self, name: &Name, scope: &Scope) -> Box<str> {
        let is_special = self.labels.get(&name.text).is_some_and(LtsLabel::is_silent)
            || scope.language.termination == Some(&name.text);
        match scope.language.is_upper && !is_special {
            true => name.text.to_ascii_uppercase().into(),
            false => name.text.clone(),
        }
    }

    // ---- files ----

    /// The vectors of the network in a file, which is named somewhere; there, at some depth, and where operators around it
    /// would reach into it or not.
    fn network(
        &mut self,
        path: &str,
        (span, depth, is_exposed): (Span, usize, bool),
    ) -> Option<Vec<NetworkVector>> {
        if let Some(at) = self.open.iter().position(|open| open == path) {
            let way = self.open[at..].iter().rev().cloned().collect();
            self.report(OwnFile { span, way });
            return None;
        }
        let ExpTree { language, root } = self.tree(path, span, depth)?;
        if is_exposed && root.is_loose {
            self.report(LooseFile {
                span,
                name: self.sources.text(span).trim_matches('"').to_owned(),
            });
            return None;
        }
        self.open.push(path.to_owned());
        let scope = Scope { folder: folder_of(path), language };
        let vectors = self.behaviour(&root, &scope, (depth + 1, false));
        self.open.pop();
        vectors
    }

    fn tree(&mut self, path: &str, span: Span, depth: usize) -> Option<ExpTree> {
        let mut bytes = Vec::new();
        let read = self.files.read(path, &mut |piece| {
            bytes.extend_from_slice(piece);
            !crate::base::budget::is_spent()
        });
        if let Err(why) = read {
            return self.unread(span, &why);
        }
        let flaw = std::str::from_utf8(&bytes).err().map(|flaw| flaw.valid_up_to());
        let text: Arc<str> = String::from_utf8_lossy(&bytes).into();
        let added = self.sources.add(path.to_owned(), Arc::clone(&text));
        let base = match added.ok().and_then(|at| self.sources.file(at)) {
            Some(file) => file.base(),
            None => return self.unread(span, &Unread::Failed("it is too large".to_owned())),
        };
        if let Some(at) = flaw {
            let start = base + at as u32;
            self.report(BrokenText { span: Span::new(start, start + 1), flaw: TextFlaw::NotText });
            return None;
        }
        let mut problems = Vec::new();
        let tree = parse(&text, base, depth, &mut problems);
        self.diagnostics.extend(problems.iter().map(ExpProblem::diagnose));
        tree
    }

    fn unread<T>(&mut self, span: Span, why: &Unread) -> Option<T> {
        // Nothing names the first file: then it is told of as an empty one.
        if self.sources.files().is_empty() {
            _ = self.sources.add(String::new(), "".into());
        }
        let why = match why {
            Unread::Missing => "there is no such file".to_owned(),
            Unread::Failed(why) => why.clone(),
        };
        self.report(UnreadFile { span, why, note: None });
        None
    }

    /// The vectors of a file: a system moves by itself, with all its labels.
    fn file(
        &mut self,
        name: &Name,
        scope: &Scope,
        (depth, is_exposed): (usize, bool),
    ) -> Option<Vec<NetworkVector>> {
        let (path, kind) = meant(&name.text, &scope.folder, self.files);
        match kind {
            None => self.unread(name.span, &Unread::Missing),
            Some(FileKind::Network) => self.network(&path, (name.span, depth, is_exposed)),
            Some(FileKind::System) => {
                let lts = self.system(&path, name.span)?;
                self.paths.push(path);
                Some(self.part(name, lts))
            }
            Some(FileKind::Foreign) => {
                let span = name.span;
                let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
                let name = name.text.rsplit_once('.').map_or(&*name.text, |(stem, _)| stem);
                let note = format!(
                    "convert it with CADP, `bcg_io {path} {stem}.aut`, and write `\"{name}.aut\"` here"
                );
                let why = "this format is not read".to_owned();
                self.report(UnreadFile { span, why, note: Some(note) });
                None
            }
        }
    }

    fn part(&mut self, name: &Name, lts: Arc<Lts>) -> Vec<NetworkVector> {
        let part = NetworkPart { name: name.text.to_string(), lts: Arc::clone(&lts) };
        let part = self.parts.push(part);
        let vector = |label: LtsLabel| {
            let result = self.labels.intern(lts.text(label));
            NetworkVector::new(vec![Synchron { part, label }], result)
        };
        lts.labels().ids().map(vector).collect()
    }

    fn system(&mut self, path: &str, span: Span) -> Option<Arc<Lts>> {
        if let Some(known) = self.systems.get(path) {
            return known.clone();
        }
        let sources = std::mem::take(&mut self.sources);
        let mut reader = AutReader::new(path, self.silent).telling_in(sources);
        let watch = self.watch;
        let done = self.files.read(path, &mut |piece| {
            let more = reader.push(piece);
            watch.searching(&format!("reading `{path}`, {} transitions", reader.transitions()), 0);
            more && !crate::base::budget::is_spent()
        });
        let lts = match done {
            Ok(()) => {
                let read = reader.finish();
                self.sources = read.sources;
                self.diagnostics.extend(read.diagnostics);
                read.lts.map(Arc::new)
            }
            Err(why) => {
                self.sources = reader.into_sources();
                self.unread(span, &why)
            }
        };
        self.systems.insert(path.to_owned(), lts.clone());
        lts
    }

    // ---- behaviours ----

    /// The vectors of a behaviour, at some depth; and whether operators around it would reach into a file that it is.
    fn behaviour(
        &mut self,
        tree: &Tree,
        scope: &Scope,
        (depth, is_exposed): (usize, bool),
    ) -> Option<Vec<NetworkVector>> {
        let inside = (depth + 1, false);
        match &tree.kind {
            TreeKind::File(name) => self.file(name, scope, (depth, is_exposed)),
            TreeKind::Hide(selection, of) => {
                let patterns = self.patterns(selection, scope);
                let vectors = self.behaviour(of, scope, inside)?;
                let patterns = patterns?;
                self.tell_unfit(&selection.patterns, &patterns, selection.matching, &vectors);
                let is_chosen = |label: &str| is_chosen(selection, &patterns, label);
                Some(self.mapped(vectors, |label| match is_chosen(label) {
                    true => Fate::Hidden,
                    false => Fate::Kept,
                }))
            }
            TreeKind::Cut(selection, of) => {
                let patterns = self.patterns(selection, scope);
                let vectors = self.behaviour(of, scope, inside)?;
                let patterns = patterns?;
                self.tell_unfit(&selection.patterns, &patterns, selection.matching, &vectors);
                let is_chosen = |label: &str| is_chosen(selection, &patterns, label);
                Some(self.mapped(vectors, |label| match is_chosen(label) {
                    true => Fate::Cut,
                    false => Fate::Kept,
                }))
            }
            TreeKind::Rename(matching, written, of) => {
                let rules = self.rules_of(*matching, written, scope);
                let vectors = self.behaviour(of, scope, inside)?;
                let rules = rules?;
                let (names, from) =
                    (written.iter().map(|(from, _)| from), rules.iter().map(|rule| &rule.from));
                self.tell_unfit(names, from, *matching, &vectors);
                let silent = self.silent;
                Some(self.mapped(vectors, |label| {
                    match rules.iter().find_map(|rule| rule.renamed(*matching, label)) {
                        None => Fate::Kept,
                        // The silent action has no offers.
                        Some(to) if *matching == Matching::Gate && is_silent_gate(&to, silent) => {
                            Fate::Hidden
                        }
                        Some(to) => Fate::Renamed(to),
                    }
                }))
            }
            TreeKind::Chain(first, rest) => {
                let last = rest.len();
                let trees = std::iter::once(&**first).chain(rest.iter().map(|(_, tree)| tree));
                let trees = trees.enumerate().map(|(at, tree)| (tree, at < last));
                let mut operands = self.operands(trees, scope, depth + 1)?;
                let mut all = operands.pop()?;
                let mut at = rest.len();
                // To the right first; but the same operator several times is one, of all its operands.
                while let Some((global, _)) = at.checked_sub(1).and_then(|last| rest.get(last)) {
                    let before = rest.iter().take(at).rev();
                    let run = before.take_while(|(other, _)| other.is_same(global)).count();
                    at -= run;
                    let mut row = operands.split_off(at);
                    row.push(all);
                    let (by, locals) = ((Unit::Gate, tree.span), vec![&[][..]; row.len()]);
                    let vectors = self.shared(by, (global, &locals), &row, scope)?;
                    all = Operand { vectors, name: "this operand".to_owned(), span: tree.span };
                }
                Some(all.vectors)
            }
            TreeKind::Using(unit, vectors, trees) => {
                let trees = trees.iter().map(|tree| (tree, true));
                let operands = self.operands(trees, scope, depth + 1)?;
                self.using((*unit, tree.span), vectors, &operands, scope)
            }
            TreeKind::Par(unit, global, trees) => {
                let locals: Vec<&[_]> = trees.iter().map(|(local, _)| local.as_slice()).collect();
                let trees = trees.iter().map(|(_, tree)| (tree, true));
                let operands = self.operands(trees, scope, depth + 1)?;
                self.shared((*unit, tree.span), (global, &locals), &operands, scope)
            }
        }
    }

    /// All operands; where one is broken, what is wrong with the others is told as well.
    fn operands<'t>(
        &mut self,
        trees: impl Iterator<Item = (&'t Tree, bool)>,
        scope: &Scope,
        depth: usize,
    ) -> Option<Vec<Operand>> {
        let mut operands = Some(Vec::new());
        for (tree, is_exposed) in trees {
            let vectors =
                self.behaviour(tree, scope, (depth, is_exposed && is_bare(tree, &self.sources)));
            let name = match &tree.kind {
                TreeKind::File(name) => name.text.to_string(),
                _ => "this operand".to_owned(),
            };
            operands = match (operands, vectors) {
                (Some(mut operands), Some(vectors)) => {
                    operands.push(Operand { vectors, name, span: tree.span });
                    Some(operands)
                }
                _ => None,
            };
            if crate::base::budget::is_spent() {
                return None;
            }
        }
        operands
    }

    /// What becomes of the labels that vectors result in. Silent steps stay as they are.
    fn mapped(
        &mut self,
        vectors: Vec<NetworkVector>,
        fate: impl Fn(&str) -> Fate,
    ) -> Vec<NetworkVector> {
        let mut known: FxHashMap<LtsLabel, Option<LtsLabel>> = FxHashMap::default();
        known.insert(LtsLabel::SILENT, Some(LtsLabel::SILENT));
        let mut mapped = |mut vector: NetworkVector| {
            let label = vector.result;
            let after = known.entry(label).or_insert_with(|| match fate(self.labels.text(label)) {
                Fate::Kept => Some(label),
                Fate::Hidden => Some(LtsLabel::SILENT),
                Fate::Cut => None,
                Fate::Renamed(to) => Some(self.labels.intern(&to)),
            });
            vector.result = (*after)?;
            Some(vector)
        };
        vectors.into_iter().filter_map(&mut mapped).collect()
    }

    // ---- patterns ----

    /// A pattern that fits no label is mostly one that was not written as it was meant.
    fn tell_unfit<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n Name>,
        patterns: impl IntoIterator<Item = &'n Pattern>,
        matching: Matching,
        vectors: &[NetworkVector],
    ) {
        let seen: BTreeSet<LtsLabel> = vectors.iter().map(|vector| vector.result).collect();
        let texts =
            || seen.iter().filter(|label| !label.is_silent()).map(|label| self.labels.text(*label));
        let mut unfit = Vec::new();
        for (name, pattern) in names.into_iter().zip(patterns) {
            let is_told = matching == Matching::Gate && speaks_of_offers(&name.text);
            if !is_told && !texts().any(|label| fits(pattern, matching, label)) {
                let near = texts().map(|label| gate(label).0);
                let near = near.filter(|other| other.eq_ignore_ascii_case(&name.text)).min();
                let (operand, near) = (String::new(), near.map(str::to_owned));
                unfit.push(UnknownLabel { span: name.span, operand, near });
            }
        }
        unfit.into_iter().for_each(|problem| self.report(problem));
    }

    fn understood<T>(&mut self, understood: Flawed<T>, name: &Name) -> Option<T> {
        understood.map_err(|(range, flaw)| self.broken_pattern(name, range, flaw)).ok()
    }

    fn broken_pattern(&mut self, name: &Name, range: std::ops::Range<usize>, flaw: PatternFlaw) {
        let quoted = self.sources.text(name.span);
        let inside = quoted.trim_start_matches('"');
        let first = name.span.start + u32::from(name.is_quoted);
        let at = |place: usize| first + undecoded(inside, place) as u32;
        let span = Span::new(at(range.start), at(range.end).min(name.span.end));
        self.report(BrokenPattern { span, flaw });
    }

    fn look_at_gate(&mut self, name: &Name, matching: Matching) {
        if matching == Matching::Gate && speaks_of_offers(&name.text) {
            self.report(GateWithOffers { span: name.span });
        }
    }

    fn patterns(&mut self, selection: &Selection, scope: &Scope) -> Option<Vec<Pattern>> {
        let mut patterns = Vec::new();
        for name in &selection.patterns {
            self.look_at_gate(name, selection.matching);
            let pattern = Pattern::new(&self.label(name, scope));
            patterns.push(self.understood(pattern, name));
        }
        patterns.into_iter().collect()
    }

    fn rules_of(
        &mut self,
        matching: Matching,
        rules: &[(Name, Name)],
        scope: &Scope,
    ) -> Option<Vec<Rule>> {
        let mut all = Vec::new();
        for (from, to) in rules {
            self.look_at_gate(from, matching);
            let pattern = Pattern::new(&self.label(from, scope));
            all.push(self.understood(pattern, from).and_then(|from| {
                let put = Replacement::new(&self.label(to, scope), &from);
                self.understood(put, to).map(|to| Rule { from, to })
            }));
        }
        all.into_iter().collect()
    }
}

fn is_silent_gate(label: &str, silent: &[String]) -> bool {
    silent.iter().any(|name| name == gate(label).0)
}

/// What becomes of a label.
enum Fate {
    Kept,
    Hidden,
    Cut,
    Renamed(String),
}

fn is_chosen(selection: &Selection, patterns: &[Pattern], label: &str) -> bool {
    let fits = patterns.iter().any(|pattern| fits(pattern, selection.matching, label));
    fits != selection.all_but
}

/// Whether a behaviour is only the name of a file, and not in parentheses.
fn is_bare(tree: &Tree, sources: &SourceMap) -> bool {
    !sources.text(tree.span).starts_with('(')
}

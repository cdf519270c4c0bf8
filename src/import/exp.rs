//! Networks of CADP (`.exp`): each system is a process from its file, and each vector a vector.
//!
//! What a label of a file is in the model is decided where such processes are loaded (`loader`); here it is only asked, so that
//! vectors name the same actions. A label with values, `PUT !1` or `put(1)`, is an action with values if all labels of its gate
//! have numbers, or truth values, at the same places.

use std::path::{Component, Path, PathBuf};

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHashSet};

use super::name::{Names, as_name, quoted};
use super::problems::{ImportProblem, LabelsAlike, UnreadImport};
use super::text::{file_name, stem};
use super::write::Page;
use super::{ImportOptions, Imported};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::diagnostics::{Severity, Span};
use crate::loader::{self, LoadedModule, Sources};
use crate::lts::LtsLabel;
use crate::lts::aut::lines;
use crate::network::exp::{self, ExpFiles, ExpRead};
use crate::network::{Network, NetworkPartId, NetworkVector};
use crate::syntax::ast::{ItemKind, ProcessStatementKind};
use crate::syntax::print::print_expr;
use crate::syntax::token::needs_quotes;

/// Imports a network.
pub(super) fn import(
    path: &str,
    options: &ImportOptions,
    files: &dyn ExpFiles,
    watch: &dyn Watch,
) -> Imported {
    let ExpRead { network, mut diagnostics, sources, paths } =
        exp::read(path, &options.silent, files, watch);
    let model = network.and_then(|network| {
        let importing = Importing::new(path, &network, &paths, options, files);
        importing.model().map_err(|problem| diagnostics.push(problem.diagnose())).ok()
    });
    Imported { model, diagnostics, sources }
}

/// A gate, and how many values its labels have.
type Gate = (String, usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ValueSort {
    Int,
    Bool,
}

struct Importing<'i> {
    path: &'i str,
    network: &'i Network,
    options: &'i ImportOptions,
    files: &'i dyn ExpFiles,
    /// The files of the parts, each once, with what their processes are called.
    processes: IndexMap<&'i str, String>,
    /// The file and the name of each part.
    parts: Vec<(&'i str, String)>,
    net: String,
}

/// What each label of each process is in the model.
type Actions = FxHashMap<(String, String), String>;

impl<'i> Importing<'i> {
    fn new(
        path: &'i str,
        network: &'i Network,
        paths: &'i [String],
        options: &'i ImportOptions,
        files: &'i dyn ExpFiles,
    ) -> Importing<'i> {
        let (mut components, mut subs) = (Names::default(), Names::default());
        let net = components.fresh(&stem(path));
        let mut processes = IndexMap::new();
        let mut parts = Vec::new();
        for file in paths {
            processes.entry(file.as_str()).or_insert_with(|| components.fresh(&stem(file)));
            parts.push((file.as_str(), subs.fresh(&stem(file))));
        }
        Importing { path, network, options, files, processes, parts, net }
    }

    fn model(&self) -> Result<String, ImportProblem> {
        self.names_can_be_written()?;
        let gates = self.gates();
        let known = self.actions(&gates);
        let (gates, known) = match known {
            Some(known) => (gates, known),
            // Then no label is taken apart.
            None => {
                let gates = IndexMap::new();
                let known = self.actions(&gates);
                let span = Span::default();
                (gates, known.ok_or_else(|| LabelsAlike { span, name: file_name(self.path) })?)
            }
        };
        Ok(self.written(&gates, &known))
    }

    fn names_can_be_written(&self) -> Result<(), ImportProblem> {
        let is_bad = |path: &&&str| path.contains(['"', '\r', '\n']);
        match self.processes.keys().find(is_bad) {
            None => Ok(()),
            Some(path) => {
                let path = path.replace(['"', '\r', '\n'], "?");
                let why =
                    "a model cannot name it, for the quotes or line ends in its name".to_owned();
                Err(UnreadImport { span: Span::default(), path, why }.into())
            }
        }
    }

    /// The gates whose labels have values of the same sorts.
    fn gates(&self) -> IndexMap<Gate, Vec<ValueSort>> {
        let mut gates: IndexMap<Gate, Option<Vec<ValueSort>>> = IndexMap::new();
        let mut labels: IndexSet<&str> = IndexSet::new();
        for part in self.network.parts.iter() {
            let all = part.lts.labels().ids().filter(|label| !label.is_silent());
            labels.extend(all.map(|label| part.lts.text(label)));
        }
        let results = self.network.vectors.iter().map(|vector| vector.result);
        let results = results.filter(|label| !label.is_silent());
        labels.extend(results.map(|label| self.network.labels.text(label)));
        for label in labels {
            let (gate, values) = taken_apart(label);
            let sorts: Option<Vec<ValueSort>> = values.iter().map(|value| sort_of(value)).collect();
            // What a keyword calls is no action to those who read labels.
            let is_name = as_name(gate) == gate && !gate.is_empty() && !needs_quotes(gate);
            let known =
                gates.entry((gate.to_owned(), values.len())).or_insert_with(|| sorts.clone());
            if *known != sorts || !is_name {
                *known = None;
            }
        }
        let good = gates.into_iter().filter(|((_, many), sorts)| *many > 0 && sorts.is_some());
        good.map(|(gate, sorts)| (gate, sorts.unwrap_or_default())).collect()
    }

    /// The lines that declare actions with values, and the processes.
    fn heads(&self, gates: &IndexMap<Gate, Vec<ValueSort>>, folder: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for ((gate, _), sorts) in gates {
            let sorts: Vec<&str> = sorts.iter().map(|sort| sort_name(*sort)).collect();
            lines.push(format!("action {}({});", quoted(gate), sorts.join(", ")));
        }
        let tau = match self.options.silent.as_slice() {
            [only] => format!(" tau \"{only}\""),
            _ => String::new(),
        };
        for (file, name) in &self.processes {
            let file = format!("{folder}{}", relative(file, self.path));
            lines.push(format!("process {} = lts \"{file}\"{tau};", quoted(name)));
        }
        lines
    }

    /// What the labels of the processes are in the model; nothing where two would be the same.
    fn actions(&self, gates: &IndexMap<Gate, Vec<ValueSort>>) -> Option<Actions> {
        let text = self.heads(gates, "").join("\n");
        let beside =
            Beside { path: Path::new(self.path).with_file_name(MODEL), text, files: self.files };
        let loaded = loader::load(&beside, &beside.path.to_string_lossy(), None).ok()?;
        if loaded.diagnostics.iter().any(|one| one.severity == Severity::Error) {
            return None;
        }
        let module = loaded.modules.iter().find(|module| module.is_root)?;
        let mut actions = Actions::default();
        for (file, name) in &self.processes {
            let bytes = Sources::read(&beside, file).ok()?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let places: FxHashMap<usize, &str> = lines(&text)
                .filter_map(|line| Some((line.all.start, text.get(line.label.clone())?)))
                .collect();
            let mut seen: FxHashMap<String, &str> = FxHashMap::default();
            for (span, action) in transitions(module, name) {
                let source = loaded.sources.file_of(span)?;
                let label = *places.get(&source.range(span).start)?;
                let is_silent = self.options.silent.iter().any(|silent| silent == label);
                if *seen.entry(action.clone()).or_insert(label) != label && !is_silent {
                    return None;
                }
                actions.insert(((*file).to_owned(), label.to_owned()), action);
            }
            if is_spent() {
                return None;
            }
        }
        Some(actions)
    }

    fn written(&self, gates: &IndexMap<Gate, Vec<ValueSort>>, known: &Actions) -> String {
        let mut shown = Shown::new(gates, known);
        for part in self.network.parts.iter() {
            let labels = part.lts.labels().ids().filter(|label| !label.is_silent());
            labels.for_each(|label| shown.leave(part.lts.text(label)));
        }
        let vectors =
            self.network.vectors.iter().filter_map(|vector| self.vector(vector, known, &mut shown));
        let vectors: IndexSet<String> = vectors.take_while(|_| !is_spent()).collect();
        let mut page = Page::default();
        page.comments([format!("Imported from {}.", file_name(self.path))]);
        page.gap();
        self.heads(gates, &self.options.folder).iter().for_each(|line| page.line(line));
        if !shown.new.is_empty() {
            let new: Vec<String> = shown.new.iter().map(|name| quoted(name)).collect();
            page.line(&format!("action {};", new.join(", ")));
        }
        page.gap();
        page.line(&format!("net {} {{", quoted(&self.net)));
        for (file, name) in &self.parts {
            page.line(&format!("sub {} = {};", quoted(name), quoted(&self.processes[file])));
        }
        page.gap();
        vectors.iter().for_each(|vector| page.line(vector));
        page.line("}");
        page.finish()
    }

    /// A vector, unless a member never does its part.
    fn vector(
        &self,
        vector: &NetworkVector,
        known: &Actions,
        shown: &mut Shown<'_>,
    ) -> Option<String> {
        let mut members = Vec::new();
        for member in &vector.members {
            let (file, name) = self.parts.get(index_of(member.part))?;
            let label = self.network.parts[member.part].lts.text(member.label);
            let action = match member.label.is_silent() {
                true => self.is_silent_somewhere(file, known).then(|| "tau".to_owned())?,
                false => known.get(&((*file).to_owned(), label.to_owned()))?.clone(),
            };
            members.push(format!("{}: {action}", quoted(name)));
        }
        let result = match vector.result == LtsLabel::SILENT {
            true => "tau".to_owned(),
            false => shown.action(self.network.labels.text(vector.result)),
        };
        Some(format!("<{}> -> {result};", members.join(", ")))
    }

    fn is_silent_somewhere(&self, file: &str, known: &Actions) -> bool {
        let names = self.options.silent.iter();
        names.into_iter().any(|name| known.contains_key(&(file.to_owned(), name.clone())))
    }
}

/// What the model is called while it is looked at.
const MODEL: &str = "\u{1}imported.pnet";

/// A model beside files.
struct Beside<'f> {
    path: PathBuf,
    text: String,
    files: &'f dyn ExpFiles,
}

impl Sources for Beside<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if Path::new(path) == self.path {
            return Ok(self.text.clone().into_bytes());
        }
        let mut bytes = Vec::new();
        let read = self.files.read(path, &mut |piece| {
            bytes.extend_from_slice(piece);
            !is_spent()
        });
        read.map(|()| bytes).map_err(|_| "it cannot be read".to_owned())
    }
}

/// The transitions of a process: where each stands in its file, and its action as text.
fn transitions<'m>(
    module: &'m LoadedModule,
    name: &'m str,
) -> impl Iterator<Item = (Span, String)> + 'm {
    let process = module.tree.items.iter().find_map(move |item| match &item.kind {
        ItemKind::Process(process) if process.name.name.as_str() == name => Some(process),
        _ => None,
    });
    let body = process.into_iter().flat_map(|process| &process.body);
    body.filter_map(|statement| match &statement.kind {
        ProcessStatementKind::Transition(one) => Some((statement.span, print_expr(&one.action))),
        _ => None,
    })
}

/// What is seen, as actions.
struct Shown<'s> {
    gates: &'s IndexMap<Gate, Vec<ValueSort>>,
    /// Actions without values that stand for a label in some file.
    plain: FxHashMap<&'s str, &'s str>,
    names: Names,
    made: FxHashMap<String, String>,
    /// Actions that nobody has declared yet.
    new: IndexSet<String>,
}

impl<'s> Shown<'s> {
    fn new(gates: &'s IndexMap<Gate, Vec<ValueSort>>, known: &'s Actions) -> Shown<'s> {
        // Gates take no names here: `D` and `D(Int)` are two actions.
        let mut names = Names::default();
        let mut all: Vec<_> = known.iter().collect();
        all.sort_unstable();
        let mut plain = FxHashMap::default();
        let mut used: FxHashSet<&str> = FxHashSet::default();
        for ((_, label), action) in all {
            names.take(action.trim_matches('`'));
            // One action must not stand for two labels that are seen.
            if !action.contains('(') && !plain.contains_key(label.as_str()) && used.insert(action) {
                plain.insert(label.as_str(), action.as_str());
            }
        }
        Shown { gates, plain, names, made: FxHashMap::default(), new: IndexSet::new() }
    }

    /// Gives no new action a name that would change what a label of a file is: where `a` is declared, `sync a` is an action
    /// with it, and `A` is `a`.
    fn leave(&mut self, label: &str) {
        let is_one_side = label.starts_with("sync") || label.starts_with("co");
        for word in label.split(|c| !unicode_ident::is_xid_continue(c)).filter(|_| is_one_side) {
            self.names.take(word);
        }
        let gate = label.split('!').next().unwrap_or_default().trim_end();
        if !gate.chars().any(char::is_lowercase) {
            self.names.take(&gate.to_lowercase());
        }
    }

    fn action(&mut self, label: &str) -> String {
        if let Some(made) = self.made.get(label) {
            return made.clone();
        }
        let (gate, values) = taken_apart(label);
        let action = if self.gates.contains_key(&(gate.to_owned(), values.len())) {
            format!("{}({})", quoted(gate), values.join(", "))
        } else if let Some(plain) = self.plain.get(label) {
            (*plain).to_owned()
        } else {
            let name = self.names.fresh(label);
            self.new.insert(name.clone());
            quoted(&name)
        };
        self.made.insert(label.to_owned(), action.clone());
        action
    }
}

/// The gate of a label, and its values: of `PUT !1 !true`, or `put(1, true)`.
fn taken_apart(label: &str) -> (&str, Vec<&str>) {
    if let Some((gate, rest)) = label.split_once('!') {
        return (gate.trim(), rest.split('!').map(str::trim).collect());
    }
    if let Some((gate, rest)) = label.split_once('(')
        && let Some(inside) = rest.strip_suffix(')')
    {
        return (gate.trim(), inside.split(',').map(str::trim).collect());
    }
    (label, Vec::new())
}

fn sort_of(value: &str) -> Option<ValueSort> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    match value {
        "true" | "false" => Some(ValueSort::Bool),
        _ if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(ValueSort::Int)
        }
        _ => None,
    }
}

fn sort_name(sort: ValueSort) -> &'static str {
    match sort {
        ValueSort::Int => "Int",
        ValueSort::Bool => "Bool",
    }
}

fn index_of(part: NetworkPartId) -> usize {
    part.0 as usize
}

/// A file as one names it beside another one.
fn relative(file: &str, beside: &str) -> String {
    let folder = Path::new(beside).parent().unwrap_or(Path::new(""));
    let parts = |path: &Path| -> Vec<String> {
        let normal = path.components().filter(|part| *part != Component::CurDir);
        normal.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (from, to) = (parts(folder), parts(Path::new(file)));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let ups = std::iter::repeat_n("..".to_owned(), from.len() - common);
    let rest = to.into_iter().skip(common);
    ups.chain(rest).collect::<Vec<_>>().join("/")
}

//! One model: a file with all it imports, checked, and the nets and automata that were made of it, each once.
//!
//! Input: texts. Output: the typed program with all that is wrong with it, in a fixed order; from there, as far as asked,
//! nets whose premises hold, and their automata. [`Made`] keeps them, so that whoever asks next gets the same.

mod automata;
mod excerpt;
mod formula;
mod made;
mod nets;
mod property;
mod review;
mod settle;

use std::sync::Arc;

pub use automata::{Composition, ModelOptions, NotComposed};
pub use made::{Counting, Made, WorkCounts};
pub use nets::{BuildFailure, Wanted};
pub use property::{Given, UnclearProperty};
pub use settle::{SETTING, Settled, settle};

use crate::base::Spent;
use crate::base::budget;
use crate::diagnostics::{Diagnostic, Severity, SourceMap, Span, Symbol};
use crate::elaborate::{self, Target};
use crate::loader::{self, ModuleId, QUESTION, Question, Reads, Sources, Unreadable};
use crate::sema;
use crate::sema::problems::SemaProblem;
use crate::sema::program::{ArchitectureDef, CheckDef, Program, ScenarioDef};
use crate::syntax::ast;

/// A file that went through all stages of the front end.
///
/// A copy is cheap, and shares all that was made of the program: what somebody adds to the texts and takes away from the
/// diagnostics is theirs alone.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The texts that were read.
    pub sources: SourceMap,
    /// The typed program; meaningful where no errors were found.
    pub program: Arc<Program>,
    /// The name of the file that was asked for.
    pub root: String,
    /// The tree of that file.
    pub tree: Arc<ast::Module>,
    /// Everything that is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it was not checked to its end, if it was not: then nothing is known of it, and nothing is said.
    pub stopped: Option<Spent>,
    /// The files that were read for it.
    pub reads: Reads,
    /// What was made of it.
    pub made: Arc<Made>,
}

/// Reads a file with all it imports and what is asked about it, and checks it.
pub fn check(
    sources: &dyn Sources,
    path: &str,
    question: Option<&Question>,
    made: Made,
) -> Result<Checked, Unreadable> {
    let mut loaded = loader::load(sources, path, question)?;
    made.counts.parsed(loaded.modules.len());
    let (program, problems) = sema::check(&loaded.modules);
    let mut diagnostics = loaded.diagnostics;
    diagnostics.extend(problems.iter().map(SemaProblem::diagnose));
    said_of(&loaded.sources, path, &mut diagnostics);
    let stopped = budget::here().spent();
    if stopped.is_some() {
        diagnostics.clear();
    }
    let root = loaded.modules.iter().position(|module| module.is_root);
    let tree = root.map(|at| std::mem::take(&mut loaded.modules[at].tree)).unwrap_or_default();
    Ok(Checked {
        sources: loaded.sources,
        program: Arc::new(program),
        root: path.to_owned(),
        tree: Arc::new(tree),
        diagnostics,
        stopped,
        reads: loaded.reads,
        made: Arc::new(made),
    })
}

/// Leaves what is to be said, each once, in the order of the text. Warnings are for those who can do something about
/// them: not in files that are only imported.
fn said_of(map: &SourceMap, path: &str, diagnostics: &mut Vec<Diagnostic>) {
    let asked = map.files().iter().filter(|file| file.name() == QUESTION);
    let asked: Vec<Span> = asked.map(|file| file.span()).chain([span_of(map, path)]).collect();
    diagnostics.retain(|diagnostic| {
        diagnostic.severity == Severity::Error
            || asked.iter().any(|text| text.contains(diagnostic.span()))
    });
    diagnostics.sort_by(|a, b| order(a).cmp(&order(b)));
    diagnostics.dedup_by(|a, b| order(a) == order(b));
}

fn span_of(map: &SourceMap, name: &str) -> Span {
    map.files().iter().find(|file| file.name() == name).map(|file| file.span()).unwrap_or_default()
}

fn order(diagnostic: &Diagnostic) -> (u32, u32, &'static str, &str) {
    let span = diagnostic.span();
    (span.start, span.end, diagnostic.entry.code, &diagnostic.message)
}

impl Checked {
    /// The same, of which nothing was made yet.
    #[must_use]
    pub fn anew(&self) -> Checked {
        let made = Arc::new(Made::counted(Arc::clone(&self.made.counts)));
        Checked { made, ..self.clone() }
    }

    /// Whether there is an error among the diagnostics, or may be one, since not all was looked at: then nothing can be
    /// built on it.
    pub fn has_errors(&self) -> bool {
        self.stopped.is_some()
            || self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Where names stand in the texts, in their order.
    pub fn names(&self) -> &[sema::Occurrence] {
        self.program.occurrences.all(|span| self.sources.text(span))
    }

    /// Whether a place is in what was asked about the file, and not in the file.
    pub fn is_asked(&self, span: Span) -> bool {
        self.sources.file_of(span).is_some_and(|file| file.name() == QUESTION)
    }

    /// The module of the file itself.
    fn module(&self) -> Option<ModuleId> {
        let at = self.program.modules.iter().position(|module| module.is_root)?;
        Some(ModuleId(at as u32))
    }

    /// What can be built, in the order of the text.
    pub fn targets(&self) -> Vec<(Symbol, Target)> {
        let module = self.module();
        module.map_or_else(Vec::new, |module| elaborate::targets(&self.program, module))
    }

    /// The architectures of the file, in the order of the text.
    pub fn architectures(&self) -> Vec<&ArchitectureDef> {
        let root = self.module();
        let all = self.program.architectures.iter();
        all.filter(|one| Some(one.named.module) == root && !one.has_errors).collect()
    }

    /// The checks, in the order of the text.
    pub fn checks(&self) -> Vec<&CheckDef> {
        let root = self.module();
        self.program.checks.iter().filter(|check| Some(check.module) == root).collect()
    }

    /// The scenarios, in the order of the text.
    pub fn scenarios(&self) -> Vec<&ScenarioDef> {
        let root = self.module();
        let all = self.program.scenarios.iter();
        all.filter(|scenario| Some(scenario.module) == root).collect()
    }

    /// The tree with its spans as offsets into its own file.
    pub fn relative_tree(&self) -> serde_json::Value {
        let base = span_of(&self.sources, &self.root).start;
        let mut tree = serde_json::to_value(&*self.tree).unwrap_or_default();
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

//! Models of other tools, as models of the language: `pnet import`.
//!
//! Input: a file of another tool, with the files that it names, which come through [`ExpFiles`]. Output: the text of a
//! model that means the same, or what is wrong and what cannot be said in the language, with places in the files.
//! Names and comments are kept. Nothing is left out silently: what is not translated is an error, and what is taken
//! more loosely than it was meant is a warning.
//!
//! - `rec`: architectures of rtab, with their component files (`rec`);
//! - `spec`: parameterised nodes of VerCors (`spec`);
//! - `exp`: networks of CADP, with their systems (`exp`);
//! - `bip`: systems of BIP2 (`bip`).

mod bip;
mod comments;
mod example;
mod exp;
mod name;
pub mod problems;
mod rec;
mod spec;
mod text;
mod write;

pub use example::ImportExample;

use std::path::Path;

use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::diagnostics::{Diagnostic, Severity, SourceMap};
use crate::network::exp::ExpFiles;

/// After so many errors, or so many warnings, nobody wants to see more.
const MOST_PROBLEMS: usize = 50;

/// What kind of file is imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportKind {
    /// Rules of rtab.
    Rec,
    /// A node of VerCors.
    Spec,
    /// A network of CADP.
    Exp,
    /// A package of BIP2.
    Bip,
}

impl ImportKind {
    /// All of them.
    pub const ALL: [ImportKind; 4] =
        [ImportKind::Rec, ImportKind::Spec, ImportKind::Exp, ImportKind::Bip];

    /// The ending of the names of such files.
    pub fn ending(self) -> &'static str {
        match self {
            ImportKind::Rec => "rec",
            ImportKind::Spec => "spec",
            ImportKind::Exp => "exp",
            ImportKind::Bip => "bip",
        }
    }

    /// What the name of a file says.
    pub fn of(path: &str) -> Option<ImportKind> {
        let ending = Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
        ImportKind::ALL.into_iter().find(|kind| kind.ending() == ending)
    }
}

/// What somebody wants of an import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// What the silent action is called in files of CADP, at least one.
    pub silent: Vec<String>,
    /// What leads from the model that is written to the files beside the one that is imported: empty, or with a `/` at its end.
    pub folder: String,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions { silent: vec!["i".to_owned(), "tau".to_owned()], folder: String::new() }
    }
}

/// What came of an import.
#[derive(Debug)]
pub struct Imported {
    /// The model, unless something is broken, cannot be translated, or the budget is spent.
    pub model: Option<String>,
    /// What is wrong or odd, in all files.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that these are about.
    pub sources: SourceMap,
}

/// Imports a file.
pub fn import(
    path: &str,
    kind: ImportKind,
    options: &ImportOptions,
    files: &dyn ExpFiles,
    watch: &dyn Watch,
) -> Imported {
    let _entered = watch.budget().enter();
    let imported = match kind {
        ImportKind::Rec => rec::import(path, files),
        ImportKind::Spec => spec::import(path, options, files),
        ImportKind::Exp => exp::import(path, options, files, watch),
        ImportKind::Bip => bip::import(path, files),
    };
    finished(imported)
}

/// The result in order: no model where there are errors, and not more problems than somebody reads.
fn finished(imported: Imported) -> Imported {
    let Imported { model, mut diagnostics, sources } = imported;
    let has_errors = diagnostics.iter().any(|one| one.severity == Severity::Error);
    for severity in [Severity::Error, Severity::Warning] {
        let mut count = 0;
        diagnostics.retain(|one| {
            count += usize::from(one.severity == severity);
            one.severity != severity || count <= MOST_PROBLEMS
        });
    }
    let model = model.filter(|_| !has_errors && !is_spent());
    Imported { model, diagnostics, sources }
}

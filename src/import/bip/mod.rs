//! Systems of BIP2 (`.bip`).
//!
//! A package with those that it uses is cut into clauses (`parse`), which get their meaning (`resolve`): a [`model::BipModel`], in
//! which nothing is a name any more. `translate` makes the text of it: a process for each atom, a net for each compound.
//!
//! What BIP means and how it is written:
//! - an atom does one transition, and all internal ones after it at once: they are one transition of the process, so that
//!   nobody sees the states between. Places that are marked together are one state. Priorities of an atom are guards;
//! - a port carries values out, in, or both, as connectors read and write its variables: one argument for each way;
//! - a connector type is a definition, a connector a use of it, and maximal progress is `priority maximal`. What these cannot say
//!   is written out, interaction by interaction: as connectors, or as vectors that give way to others by `unless`;
//! - what a compound does by itself is passed on by the compound around it, under the name of the component.

mod followers;
mod hint;
mod model;
mod parse;
mod resolve;
mod term;
mod token;
mod translate;
mod tree;

use super::Imported;
use super::text::Texts;
use crate::diagnostics::Severity;
use crate::network::exp::ExpFiles;

/// Imports a package with those that it uses.
pub(super) fn import(path: &str, files: &dyn ExpFiles) -> Imported {
    let mut texts = Texts::new(files);
    let model = resolve::resolve(path, &mut texts);
    let has_errors = texts.diagnostics.iter().any(|one| one.severity == Severity::Error);
    let text = model
        .filter(|_| !has_errors)
        .and_then(|model| translate::translate(path, &model, &mut texts));
    Imported { model: text, diagnostics: texts.diagnostics, sources: texts.sources }
}

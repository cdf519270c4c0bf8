//! Rules of rtab (Bozga, Iosif, Sifakis: recursive architectures), with their component files, as an `architecture`.
//!
//! A rule `[id] _let_ z _in_ (interactions) (children)` is a `rule` of the same names. What an interaction shows has the names of
//! its ports in it, since rtab has no names for interactions. The first rules are those of the whole system.

mod component;
mod parse;
mod rules;
mod write;

use super::Imported;
use super::text::Texts;
use crate::diagnostics::Span;
use crate::network::exp::ExpFiles;

/// Imports a file with rules.
pub(super) fn import(path: &str, files: &dyn ExpFiles) -> Imported {
    let mut texts = Texts::new(files);
    let model = texts.read(path, Span::default()).and_then(|(text, base)| {
        let system = parse::parse(&text, base, &mut texts);
        let components = component::components(path, &system, &mut texts);
        let is_clear = rules::check(&system, &mut texts);
        is_clear.then(|| write::model(path, &system, &components))
    });
    Imported { model, diagnostics: texts.diagnostics, sources: texts.sources }
}

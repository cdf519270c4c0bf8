//! Parameterised nodes of VerCors (`.spec`): families of entries, and vectors with parameters.
//!
//! An entry is a hole whose interface is what the vectors say of it, or a process where a file `<entry>.aut` stands beside the
//! node. A parameter is a variable of the vectors that use it, or an index that they are repeated for: where it is the index
//! of a member, or nobody else says what its value is.

mod parse;
mod write;

use super::text::{Texts, beside};
use super::{ImportOptions, Imported};
use crate::diagnostics::Span;
use crate::network::exp::ExpFiles;

/// Imports a node.
pub(super) fn import(path: &str, options: &ImportOptions, files: &dyn ExpFiles) -> Imported {
    let mut texts = Texts::new(files);
    let model = texts.read(path, Span::default()).and_then(|(text, base)| {
        let node = parse::parse(&text, base, &mut texts)?;
        let has_file = |entry: &str| texts.has(&beside(path, &format!("{entry}.aut")));
        Some(write::model(path, &node, options, &has_file))
    });
    Imported { model, diagnostics: texts.diagnostics, sources: texts.sources }
}

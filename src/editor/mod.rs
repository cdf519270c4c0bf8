//! What an editor asks about a text: a checked program and a place in, names, words and edits out.
//!
//! Nothing here knows a protocol, a file or a clock. Places are spans of the shared space of offsets, as in diagnostics.

mod claims;
mod complete;
mod hover;
mod layout;
mod names;
mod outline;
mod tokens;
mod wanted;
mod within;

pub use claims::{Claim, NetPlace, claims, fingerprint, nets};
pub use complete::{Completion, completions, parameters};
pub use hover::{hints, hover};
pub use layout::layout;
pub use names::{
    FileOf, NotRenamed, Referent, declared, definition, is_library, name_at, named, references,
    rename, renameable,
};
pub use outline::{Outlined, folds, outline, selections};
pub use tokens::{TOKEN_KINDS, TextToken, tokens};

use crate::diagnostics::{SourceFile, Span};
use crate::model::Checked;
use crate::syntax::ast::{Import, ImportSource, ItemKind};

/// The file that was asked for.
pub fn root(checked: &Checked) -> Option<&SourceFile> {
    checked.sources.files().iter().find(|file| file.name() == checked.root)
}

/// The import of the file that was asked for by which another file is read, if it is imported directly; otherwise its first
/// import, since one of them leads there.
pub fn import_of(checked: &Checked, file: &str) -> Option<Span> {
    let imports = checked.tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Import(import) => Some(&**import),
        _ => None,
    });
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_it = |import: &Import| match &import.source {
        ImportSource::File(path) => path.as_str().rsplit('/').next() == Some(name),
        ImportSource::Library(path) => path.to_string() == file,
    };
    let all: Vec<&Import> = imports.collect();
    let found = all.iter().find(|import| is_it(import)).or(all.first());
    found.map(|import| import.source_span)
}

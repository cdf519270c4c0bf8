//! What an editor asks about a text: a checked program and a place in, names, words and edits out.
//!
//! Nothing here knows a protocol, a file or a clock. Places are spans of the shared space of offsets, as in diagnostics.

mod claims;
mod complete;
mod hover;
mod names;
mod outline;
mod tokens;

pub use claims::{Claim, claims, fingerprint};
pub use complete::{Completion, completions, parameters};
pub use hover::{hints, hover};
pub use names::{NotRenamed, definition, is_library, name_at, references, rename, renameable};
pub use outline::{Outlined, folds, outline, selections};
pub use tokens::{TOKEN_KINDS, TextToken, tokens};

use crate::diagnostics::SourceFile;
use crate::model::Checked;

/// The file that was asked for.
pub fn root(checked: &Checked) -> Option<&SourceFile> {
    checked.sources.files().iter().find(|file| file.name() == checked.root)
}

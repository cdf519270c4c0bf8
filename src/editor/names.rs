//! What a name means, where else it stands, and what it would take to call it otherwise.

use std::ops::Range;

use thiserror::Error;

use crate::diagnostics::{Edit, Severity, SourceMap, Span, Symbol};
use crate::loader::Sources;
use crate::model::Checked;
use crate::sema::{NameKind, Occurrence};
use crate::session::Session;
use crate::syntax::token::needs_quotes;

/// The name at an offset of the shared space, or just before it.
pub fn name_at(checked: &Checked, offset: u32) -> Option<Occurrence> {
    let all = checked.names();
    let end = all.partition_point(|one| one.span.start <= offset);
    all[..end].iter().rev().take(8).find(|one| offset <= one.span.end).copied()
}

/// Where what is named at an offset was declared.
pub fn definition(checked: &Checked, offset: u32) -> Option<Span> {
    name_at(checked, offset).map(|one| one.declared)
}

/// All places that name what is named at an offset.
pub fn references(checked: &Checked, offset: u32) -> Vec<Occurrence> {
    let Some(name) = name_at(checked, offset) else { return Vec::new() };
    let same = |one: &&Occurrence| one.declared == name.declared;
    checked.names().iter().filter(same).copied().collect()
}

/// What a name names, in whichever program: the file and the bytes of its declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referent {
    /// The name.
    pub name: Symbol,
    /// The file that declares it.
    pub file: String,
    range: Range<usize>,
}

/// Which file a path leads to: two paths of one file have the same.
pub type FileOf<'a> = &'a dyn Fn(&str) -> String;

/// What is named at an offset.
pub fn named(checked: &Checked, offset: u32, file_of: FileOf<'_>) -> Option<Referent> {
    let one = name_at(checked, offset)?;
    let file = checked.sources.file_of(one.declared)?;
    Some(Referent { name: one.name, file: file_of(file.name()), range: file.range(one.declared) })
}

/// Where something is declared in the texts of this program: a file that is read by two paths is two texts.
pub fn declared(checked: &Checked, named: &Referent, file_of: FileOf<'_>) -> Vec<u32> {
    let files = checked.sources.files().iter();
    let files = files.filter(|file| file_of(file.name()) == named.file);
    let offsets = files.filter_map(|file| {
        let offset = file.base() + u32::try_from(named.range.start).ok()?;
        name_at(checked, offset).filter(|one| one.name == named.name).map(|_| offset)
    });
    offsets.collect()
}

/// Whether a file is one of the standard library.
pub fn is_library(name: &str) -> bool {
    name == "prelude" || name.starts_with("std.") && !name.ends_with(".pnet")
}

/// Why something is not renamed.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotRenamed {
    /// There is no name.
    #[error("there is no name here that can be changed")]
    Nothing,
    /// It is not ours.
    #[error("`{0}` is declared in the standard library, whose names cannot be changed")]
    Library(String),
    /// The new name cannot be one.
    #[error("`{0}` cannot be a name: it is empty, or has a back-quote or a line break in it")]
    NoName(String),
    /// It is not known who uses it.
    #[error(
        "there are more than {0} models in the folders that are open, so it is not known who uses `{1}`: open a smaller folder"
    )]
    TooMany(usize, String),
    /// The model would no longer be what it was.
    #[error("`{name}` cannot be used: {why}")]
    Breaks {
        /// The new name.
        name: String,
        /// What `check` would say.
        why: String,
    },
}

/// The name that would be changed.
pub fn renameable(checked: &Checked, offset: u32) -> Result<Occurrence, NotRenamed> {
    let name = name_at(checked, offset).ok_or(NotRenamed::Nothing)?;
    let file = checked.sources.file_of(name.declared).ok_or(NotRenamed::Nothing)?;
    if is_library(file.name()) {
        return Err(NotRenamed::Library(name.name.to_string()));
    }
    Ok(name)
}

/// The edits that give what is named at offsets, each in a text of the same file, another name. They are tried first: where the model would have an
/// error that it does not have now, or a name would come to mean something else, it is said why nothing is changed.
pub fn rename(
    checked: &Checked,
    (sources, file_of): (&dyn Sources, FileOf<'_>),
    offsets: &[u32],
    new: &str,
) -> Result<Vec<Edit>, NotRenamed> {
    let names: Result<Vec<Occurrence>, _> =
        offsets.iter().map(|&offset| renameable(checked, offset)).collect();
    let names = names?;
    let plain = new.strip_prefix('`').and_then(|new| new.strip_suffix('`')).unwrap_or(new);
    if plain.trim().is_empty() || plain.contains(['`', '\n', '\r']) {
        return Err(NotRenamed::NoName(new.to_owned()));
    }
    let written = if needs_quotes(plain) { format!("`{plain}`") } else { plain.to_owned() };
    // What an import lists stands for what is declared elsewhere: all of it changes together.
    let places = offsets.iter().flat_map(|&offset| references(checked, offset));
    let mut edits: Vec<Edit> =
        places.map(|one| Edit { span: one.span, text: written.clone() }).collect();
    edits.sort_by_key(|edit| edit.span.start);
    let changed = Changed { sources, map: &checked.sources, edits: &edits, file_of };
    let after = Session::default().check(&changed, &checked.root);
    let breaks = |why: String| NotRenamed::Breaks { name: plain.to_owned(), why };
    let after = after.map_err(|why| breaks(why.to_string()))?;
    let count = |all: &Checked, code: &str| {
        all.diagnostics.iter().filter(|one| one.entry.code == code).count()
    };
    let worse = after.diagnostics.iter().find(|one| {
        let code = one.entry.code;
        // A name that hides another is no error, but makes other names mean something else.
        let matters = one.severity == Severity::Error || code == "W0307" || code == "W0318";
        matters && count(&after, code) > count(checked, code)
    });
    if let Some(worse) = worse {
        return Err(breaks(worse.message.clone()));
    }
    if !same_meaning(checked, &after, &names, Symbol::new(plain)) {
        return Err(breaks("another name would then mean something else".to_owned()));
    }
    Ok(edits)
}

/// Whether each name of the one program means in the other what it meant, in order.
fn same_meaning(before: &Checked, after: &Checked, names: &[Occurrence], new: Symbol) -> bool {
    let (a, b) = (before.names(), after.names());
    let place = |all: &[Occurrence], declared: Span| {
        all.binary_search_by_key(&(declared.start, declared.end), |one| {
            (one.span.start, one.span.end)
        })
        .ok()
    };
    a.len() == b.len()
        && a.iter().zip(b).all(|(one, other)| {
            let is_it = names.iter().any(|name| one.declared == name.declared);
            let called = if is_it { new } else { one.name };
            let kinds = one.kind == other.kind || matches!(one.kind, NameKind::Local(_));
            called == other.name && kinds && place(a, one.declared) == place(b, other.declared)
        })
}

/// Texts with edits.
struct Changed<'a> {
    sources: &'a dyn Sources,
    map: &'a SourceMap,
    edits: &'a [Edit],
    file_of: FileOf<'a>,
}

impl Sources for Changed<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let Some(file) = self.map.files().iter().find(|file| file.name() == path) else {
            return self.sources.read(path);
        };
        let mut text = file.text().to_string();
        // What is read by another path is the same file: its edits are those of this one, too.
        let own = (self.file_of)(path);
        let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
        for other in self.map.files().iter().filter(|one| (self.file_of)(one.name()) == own) {
            let of_it = self.edits.iter().filter(|edit| other.span().contains(edit.span));
            edits.extend(of_it.map(|edit| (other.range(edit.span), edit.text.as_str())));
        }
        edits.sort_by_key(|(range, _)| range.start);
        edits.dedup();
        for (range, new) in edits.into_iter().rev() {
            if text.get(range.clone()).is_some() {
                text.replace_range(range, new);
            }
        }
        Ok(text.into_bytes())
    }
}

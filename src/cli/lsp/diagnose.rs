//! What is wrong with a text, and which claims of it are refuted, as diagnostics of the protocol.

use std::cell::RefCell;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::state::State;
use super::uri::uri_of;
use crate::diagnostics::{Diagnostic, Severity, SourceFile, Suggestion};
use crate::editor;
use crate::emit::outcome::ToldStep;
use crate::explain;
use crate::model::Checked;
use crate::outcome::Verdict;

/// So many diagnostics of a text are told.
pub(super) const MOST_DIAGNOSTICS: usize = 1_000;

/// So many steps of a play are places beside a diagnostic.
const MOST_STEPS: usize = 200;

/// Where texts are that belong to pnet: the library and explanations, to be read and not to be changed.
fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|one| !one.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("pnet").join(env!("CARGO_PKG_VERSION")))
}

/// Whether a file is one of these.
pub(super) fn is_reference(path: &str) -> bool {
    folder().is_some_and(|folder| std::path::Path::new(path).starts_with(folder))
}

/// Texts that belong to pnet, which were written down, by their names.
#[derive(Default)]
pub(super) struct References(RefCell<FxHashMap<String, Option<String>>>);

impl References {
    /// The URI of a text. It is written where it is not there; nothing where it cannot be.
    pub fn uri(&self, name: &str, text: impl FnOnce() -> String) -> Option<String> {
        if let Some(known) = self.0.borrow().get(name) {
            return known.clone();
        }
        let made = write_read_only(name, &text());
        self.0.borrow_mut().insert(name.to_owned(), made.clone());
        made
    }
}

/// Writes a text, to be read only. Several servers may do so at once: so it comes to its place as a whole.
fn write_read_only(name: &str, text: &str) -> Option<String> {
    let folder = folder()?;
    let path = folder.join(name);
    if std::fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
        std::fs::create_dir_all(&folder).ok()?;
        let new = folder.join(format!(".{}-{name}", std::process::id()));
        std::fs::write(&new, text).ok()?;
        let mut rights = std::fs::metadata(&new).ok()?.permissions();
        rights.set_readonly(true);
        let _ = std::fs::set_permissions(&new, rights);
        std::fs::rename(&new, &path).ok()?;
    }
    Some(uri_of(path.to_str()?))
}

/// Writes a text that was made of a model, in the place of the one before; its URI.
pub(super) fn write_made(name: &str, text: &str) -> Result<String, String> {
    let folder = folder().ok_or("there is no folder for it: set `HOME`")?.join("made");
    let cannot = |why: std::io::Error| format!("it cannot be written: {why}");
    std::fs::create_dir_all(&folder).map_err(cannot)?;
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(cannot)?;
    path.to_str().map(uri_of).ok_or_else(|| "its path is no text".to_owned())
}

impl State {
    /// Tells what is wrong with an open text, if that is news: always for a text that changed.
    pub fn publish(&mut self, path: &str, is_changed: bool) {
        let Some(document) = self.documents.get(path) else { return };
        let mut all: Vec<Value> = Vec::new();
        if let Some(checked) = &document.checked {
            let (told, more) = most_telling(&checked.diagnostics);
            all.extend(told.into_iter().filter_map(|one| self.diagnostic(checked, one)));
            all.extend(self.refuted(checked));
            if more > 0
                && let Some(root) = editor::root(checked)
            {
                all.push(untold(more, &self.range(root, root.span().before())));
            }
        }
        let all = Value::Array(all);
        if !is_changed && document.told.as_ref() == Some(&all) {
            return;
        }
        let mut params = json!({ "uri": document.uri, "diagnostics": all });
        if document.version.is_number() {
            params["version"] = document.version.clone();
        }
        self.notify("textDocument/publishDiagnostics", params);
        if let Some(document) = self.documents.get_mut(path) {
            document.told = Some(all);
        }
    }

    /// One diagnostic. What is wrong in a file that is imported is told at the import, with its place.
    fn diagnostic(&self, checked: &Checked, one: &Diagnostic) -> Option<Value> {
        let root = editor::root(checked)?;
        let is_here = root.span().contains(one.span());
        let import = |file: &SourceFile| editor::import_of(checked, file.name());
        // To look for the import takes as long as there are items.
        let far = || checked.sources.file_of(one.span()).and_then(import);
        let range = match is_here {
            true => self.range(root, one.span()),
            false => self.range(root, far().unwrap_or_else(|| root.span().before())),
        };
        let mut message = one.message.clone();
        if !is_here {
            let file = checked.sources.file_of(one.span()).map_or("", |file| file.name());
            message = format!("in the imported `{file}`: {message}");
        }
        if !one.primary.message.is_empty() {
            message.push_str(&format!("\n{}", one.primary.message));
        }
        one.notes.iter().for_each(|note| message.push_str(&format!("\n{note}")));
        let related = one.secondary.iter().map(|label| (label.span, label.message.as_str()));
        let far = (!is_here).then_some((one.span(), "here"));
        let related: Vec<Value> = related
            .chain(far)
            .filter_map(|(span, message)| {
                Some(json!({ "location": self.place(checked, span)?, "message": message }))
            })
            .collect();
        let mut value = json!({
            "range": range,
            "severity": if one.severity == Severity::Error { 1 } else { 2 },
            "code": one.entry.code,
            "source": "pnet",
            "message": message,
            "relatedInformation": related,
        });
        let name = format!("{}.txt", one.entry.code);
        if let Some(href) = self.references.uri(&name, || explain::explain(one.entry)) {
            value["codeDescription"] = json!({ "href": href });
        }
        // Unused things are shown faded.
        if matches!(one.entry.code, "W0302" | "W0303" | "W0304" | "W0305" | "W0309" | "W0310") {
            value["tags"] = json!([1]);
        }
        Some(value)
    }

    /// The claims that are refuted by what the text is now.
    fn refuted(&self, checked: &Checked) -> Vec<Value> {
        let now = editor::fingerprint(checked);
        let mut all = Vec::new();
        for claim in editor::claims(checked) {
            let key = (checked.root.clone(), claim.text.clone());
            let Some(known) = self.answers.get(&key) else { continue };
            if known.fingerprint != now || known.verdict != Verdict::Refuted {
                continue;
            }
            let Some(place) = self.place(checked, claim.span) else { continue };
            let step = |(at, words): &ToldStep| {
                let location = at.as_ref().and_then(|at| self.line(checked, at));
                let location = location.unwrap_or_else(|| place.clone());
                json!({ "location": location, "message": words })
            };
            // A run may be long; the play as a whole is one command away.
            let mut steps: Vec<Value> = known.steps.iter().take(MOST_STEPS).map(step).collect();
            if let Some(more) = known.steps.len().checked_sub(MOST_STEPS).filter(|more| *more > 0) {
                steps.push(step(&(None, format!("and {more} more: the lens shows all"))));
            }
            all.push(json!({
                "range": place["range"],
                "severity": 1,
                "code": "refuted",
                "source": "pnet verify",
                "message": format!("refuted: {}", known.reason),
                "relatedInformation": steps,
            }));
        }
        all
    }

    /// The edits of a suggestion, by file; nothing where it would change the library.
    pub fn workspace_edit(&self, checked: &Checked, fixes: &[&Suggestion]) -> Option<Value> {
        let mut changes = serde_json::Map::new();
        for edit in fixes.iter().flat_map(|fix| &fix.edits) {
            let file = checked.sources.file_of(edit.span)?;
            if editor::is_library(file.name()) {
                return None;
            }
            let edit = json!({ "range": self.range(file, edit.span), "newText": edit.text });
            let all = changes.entry(self.uri(file)?).or_insert_with(|| json!([]));
            all.as_array_mut()?.push(edit);
        }
        Some(json!({ "changes": changes }))
    }
}

/// The diagnostics that are told, in the order of the text, and how many more there are. Where there are too many, errors
/// come before warnings.
fn most_telling(all: &[Diagnostic]) -> (Vec<&Diagnostic>, usize) {
    let mut told: Vec<&Diagnostic> = all.iter().filter(|one| wanted(one)).collect();
    let more = told.len().saturating_sub(MOST_DIAGNOSTICS);
    if more > 0 {
        let is_error = |one: &Diagnostic| one.severity == Severity::Error;
        let errors = told.iter().filter(|one| is_error(one)).count().min(MOST_DIAGNOSTICS);
        let (mut errors, mut others) = (errors, MOST_DIAGNOSTICS - errors);
        told.retain(|one| {
            let left = if is_error(one) { &mut errors } else { &mut others };
            let is_told = *left > 0;
            *left = left.saturating_sub(1);
            is_told
        });
    }
    (told, more)
}

/// What stands for the diagnostics that are not told.
fn untold(more: usize, range: &Value) -> Value {
    let message = format!(
        "{more} more problems of this text are not shown: mend some of the first {MOST_DIAGNOSTICS}, or run `pnet check`"
    );
    json!({ "range": range, "severity": 1, "source": "pnet", "message": message })
}

/// Whether a diagnostic is told: some are only on request.
pub(super) fn wanted(one: &Diagnostic) -> bool {
    !one.entry.on_request
}

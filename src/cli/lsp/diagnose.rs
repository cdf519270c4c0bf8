//! What is wrong with a text, and which claims of it are refuted, as diagnostics of the protocol.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::state::State;
use super::text::uri_of;
use crate::diagnostics::{Diagnostic, Severity, Suggestion};
use crate::editor;
use crate::explain;
use crate::model::Checked;
use crate::outcome::Verdict;

/// Where texts are that belong to pnet: the library and explanations, to be read and not to be changed.
fn references() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|one| !one.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(cache.join("pnet").join(env!("CARGO_PKG_VERSION")))
}

/// Whether a file is one of these.
pub(super) fn is_reference(path: &str) -> bool {
    references().is_some_and(|folder| std::path::Path::new(path).starts_with(folder))
}

/// The URI of a text that belongs to pnet. It is written where it is not there; nothing where it cannot be.
pub(super) fn reference(name: &str, text: &str) -> Option<String> {
    let folder = references()?;
    let path = folder.join(name);
    if std::fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
        std::fs::create_dir_all(&folder).ok()?;
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, text).ok()?;
        let mut rights = std::fs::metadata(&path).ok()?.permissions();
        rights.set_readonly(true);
        let _ = std::fs::set_permissions(&path, rights);
    }
    Some(uri_of(path.to_str()?))
}

impl State {
    /// Tells what is wrong with an open text.
    pub fn publish(&self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        let Some(checked) = &document.checked else { return };
        let mut all: Vec<Value> = Vec::new();
        for diagnostic in checked.diagnostics.iter().filter(|one| wanted(one)) {
            all.extend(self.diagnostic(checked, diagnostic));
        }
        all.extend(self.refuted(checked));
        let params = json!({ "uri": uri, "version": document.version, "diagnostics": all });
        self.notify("textDocument/publishDiagnostics", params);
    }

    /// One diagnostic. What is wrong in a file that is imported is told at the beginning, with its place.
    fn diagnostic(&self, checked: &Checked, one: &Diagnostic) -> Option<Value> {
        let root = editor::root(checked)?;
        let is_here = root.span().contains(one.span());
        let range = match is_here {
            true => self.range(root, one.span()),
            false => {
                json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } })
            }
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
        if let Some(href) = reference(&name, &explain::explain(one.entry)) {
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
            let steps = known.evidence.iter().take(100);
            let steps: Vec<Value> =
                steps.map(|line| json!({ "location": place, "message": line })).collect();
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
            let all = changes.entry(uri_of(file.name())).or_insert_with(|| json!([]));
            all.as_array_mut()?.push(edit);
        }
        Some(json!({ "changes": changes }))
    }
}

/// Whether a diagnostic is told: some are only on request.
pub(super) fn wanted(one: &Diagnostic) -> bool {
    !one.entry.on_request
}

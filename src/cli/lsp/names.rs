//! Names in more than one model: who uses one, what it would take to change it, and where all are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lsp_server::ErrorCode;
use serde_json::{Value, json};

use super::answer::{Answer, Asked, symbol_kind};
use super::state::{MOST_MODELS, Open, State, real};
use super::uri::path_of;
use crate::editor::{self, NotRenamed, Referent};
use crate::model::Checked;

/// Edits of a file: the range as text, so that each is there once, with what is written.
type Edits = BTreeMap<String, BTreeMap<String, Value>>;

/// A program, with the places in it where something is declared.
type Declared = (Arc<Checked>, Vec<u32>);

impl Asked<'_> {
    /// What is named at the place.
    fn named(&self) -> Option<Referent> {
        editor::named(self.checked, self.offset()?, &real)
    }

    /// The programs in which something may be named: this one, those that are open, and those on the disk.
    fn programs(&self, named: &Referent) -> (Vec<Declared>, bool) {
        let (all, complete) = self.state.programs_with(named.name.as_str());
        let own = |one: Arc<Checked>| {
            let places = editor::declared(&one, named, &real);
            (!places.is_empty()).then_some((one, places))
        };
        (all.into_iter().filter_map(own).collect(), complete)
    }

    pub fn references(&self) -> Value {
        let pointer = self.params.pointer("/context/includeDeclaration");
        let declarations = pointer.and_then(Value::as_bool).unwrap_or(true);
        let Some(named) = self.named() else { return json!([]) };
        let (programs, complete) = self.programs(&named);
        if !complete {
            let why = format!("only {MOST_MODELS} models of the folders were looked at");
            self.state.notify("window/logMessage", json!({ "type": 2, "message": why }));
        }
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        for (program, places) in programs {
            for one in places.iter().flat_map(|&at| editor::references(&program, at)) {
                if one.declares && !declarations {
                    continue;
                }
                let Some(place) = self.state.place(&program, one.span) else { continue };
                let file =
                    place["uri"].as_str().map_or_else(String::new, |uri| real(&path_of(uri)));
                if seen.insert((file, place["range"].to_string())) {
                    found.push(place);
                }
            }
        }
        Value::Array(found)
    }

    pub fn prepare_rename(&self) -> Answer {
        let refused = |why: NotRenamed| (ErrorCode::RequestFailed, why.to_string());
        let offset = self.offset().ok_or_else(|| refused(NotRenamed::Nothing))?;
        let name = editor::renameable(self.checked, offset).map_err(refused)?;
        Ok(json!({ "range": self.range(name.span), "placeholder": name.name.as_str() }))
    }

    pub fn rename(&self) -> Answer {
        let refused = |why: String| (ErrorCode::RequestFailed, why);
        let new = self.params.get("newName").and_then(Value::as_str).unwrap_or("");
        let offset = self.offset().ok_or_else(|| refused(NotRenamed::Nothing.to_string()))?;
        editor::renameable(self.checked, offset).map_err(|why| refused(why.to_string()))?;
        let named = self.named().ok_or_else(|| refused(NotRenamed::Nothing.to_string()))?;
        let (programs, complete) = self.programs(&named);
        if !complete {
            let why = NotRenamed::TooMany(MOST_MODELS, named.name.to_string());
            return Err(refused(why.to_string()));
        }
        let (mut edits, mut written) = (Edits::new(), BTreeMap::new());
        for (program, places) in programs {
            let open = Open(&self.state.documents);
            let changed = editor::rename(&program, (&open, &real), &places, new);
            let changed = changed.map_err(|why| {
                refused(match program.root == self.path {
                    true => why.to_string(),
                    false => format!("in `{}`: {why}", program.root),
                })
            })?;
            for edit in changed {
                let place = self.state.place(&program, edit.span);
                let Some(place) = place else { continue };
                let uri = place["uri"].as_str().unwrap_or("").to_owned();
                // A file that is not open is written once, whatever it is called.
                let path = path_of(&uri);
                let is_open = self.state.documents.contains_key(&path);
                let uri = match is_open {
                    true => uri,
                    false => written.entry(real(&path)).or_insert(uri).clone(),
                };
                let value = json!({ "range": place["range"], "newText": edit.text });
                edits.entry(uri).or_default().insert(place["range"].to_string(), value);
            }
        }
        let changes = edits.into_iter();
        let changes = changes.map(|(uri, all)| (uri, all.into_values().collect::<Value>()));
        Ok(json!({ "changes": changes.collect::<serde_json::Map<String, Value>>() }))
    }
}

/// The names that are declared in the folders and open texts, and contain a text.
pub(super) fn workspace_symbols(state: &State, params: &Value) -> Value {
    let query = params.get("query").and_then(Value::as_str).unwrap_or("").to_lowercase();
    let (programs, complete) = state.programs_with("");
    if !complete {
        let why = format!("only {MOST_MODELS} models of the folders were looked at");
        state.notify("window/logMessage", json!({ "type": 2, "message": why }));
    }
    let mut all: Vec<Value> = Vec::new();
    for checked in programs {
        for symbol in editor::outline(&checked) {
            let inside = symbol.inside.iter().map(|one| (one, Some(symbol.name.as_str())));
            for (one, container) in std::iter::once((&symbol, None)).chain(inside) {
                if !one.name.to_lowercase().contains(&query) {
                    continue;
                }
                let Some(location) = state.place(&checked, one.place) else { continue };
                let kind = symbol_kind(one.kind);
                let mut value = json!({ "name": one.name, "kind": kind, "location": location });
                if let Some(container) = container {
                    value["containerName"] = json!(container);
                }
                all.push(value);
            }
        }
    }
    json!(all)
}

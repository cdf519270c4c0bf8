//! What the server knows: open texts, what was found in them, and which verdicts there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use lsp_server::RequestId;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::client::{Client, Settings};
use super::diagnose::References;
use super::places::Foreign;
use super::text::Text;
use super::uri::path_of;
use super::work::Running;
use super::work::{Aside, Job};
use crate::cli::check::open_session;
use crate::cli::files::Disk;
use crate::editor;
use crate::emit::outcome::ToldStep;
use crate::loader::{Sources, normalise};
use crate::model::Checked;
use crate::outcome::Verdict;
use crate::session::Session;

/// So many models are looked at in the folders that are open.
pub(super) const MOST_MODELS: usize = 2_000;

/// An open text.
pub(super) struct Document {
    /// As the editor writes it.
    pub uri: String,
    /// The file that it is, whatever links lead to it.
    pub real: String,
    pub version: Value,
    pub text: Text,
    /// What was found in it, by its newest text and those of its imports.
    pub checked: Option<Arc<Checked>>,
    /// What the editor was told of it last.
    pub told: Option<Value>,
}

/// A verdict, with what it was made from.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    /// The texts that it is about.
    pub fingerprint: u64,
    pub verdict: Verdict,
    pub seconds: f64,
    /// How long it might have taken.
    pub timeout: f64,
    pub reason: String,
    /// The play or run, line by line.
    pub evidence: Vec<String>,
    /// Its steps with their places.
    pub steps: Vec<ToldStep>,
}

/// Open texts stand before those on the disk.
pub(super) struct Open<'a>(pub &'a BTreeMap<String, Document>);

impl<'a> Open<'a> {
    /// The open text of a path, or of another path of the same file.
    pub fn document(&self, path: &str) -> Option<&'a Document> {
        let path = normalise(path);
        self.0.get(&path).or_else(|| {
            let real = real(&path);
            self.0.values().find(|one| one.real == real)
        })
    }
}

/// Which file a path leads to, by links or not: one that is nowhere is called as it is.
pub(super) fn real(path: &str) -> String {
    let path = normalise(path);
    let found = std::fs::canonicalize(&path).ok();
    found.and_then(|found| found.to_str().map(str::to_owned)).unwrap_or(path)
}

impl Sources for Open<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match self.document(path) {
            Some(document) => Ok(document.text.text.as_bytes().to_vec()),
            // What is no file has no name that the disk would know; `-` would be the pipe of the messages.
            None if path == "-" => Err("there is no such file".to_owned()),
            // A pipe may never end, and one of them is that of the messages.
            None => match std::fs::metadata(path) {
                Ok(about) if !about.is_file() && !about.is_dir() => {
                    Err("it is no plain file".to_owned())
                }
                _ => Disk.read(path),
            },
        }
    }
}

/// The state of the server.
pub(super) struct State {
    /// Where messages go; nowhere once the editor is gone.
    out: Option<Sender<Value>>,
    /// Where long work goes.
    pub jobs: Sender<Job>,
    pub client: Client,
    pub settings: Settings,
    /// By their paths.
    pub documents: BTreeMap<String, Document>,
    pub session: &'static Session,
    /// By file and text of the claim.
    pub answers: FxHashMap<(String, String), Answered>,
    /// What the worker does or will do.
    pub running: Vec<Running>,
    /// What pages are asked.
    pub asides: Vec<Aside>,
    pub foreign: Foreign,
    pub references: References,
    /// Pages that were opened.
    pub pages: Vec<super::show::Page>,
    asked: i64,
}

impl State {
    pub fn new(out: Sender<Value>, jobs: Sender<Job>, client: Client) -> State {
        State {
            out: Some(out),
            jobs,
            client,
            settings: Settings::default(),
            documents: BTreeMap::new(),
            session: open_session(),
            answers: FxHashMap::default(),
            running: Vec::new(),
            asides: Vec::new(),
            foreign: Foreign::default(),
            references: References::default(),
            pages: Vec::new(),
            asked: 0,
        }
    }

    /// Takes over settings, and says what makes no sense in them.
    pub fn set(&mut self, given: &Value) {
        for wrong in self.settings.take(given) {
            self.notify("window/showMessage", json!({ "type": 2, "message": wrong }));
        }
    }

    pub fn send(&self, message: Value) {
        // An editor that is gone does not read.
        let _ = self.out.as_ref().map(|out| out.send(message));
    }

    /// The way to the editor, for who answers later.
    pub fn out(&self) -> Option<Sender<Value>> {
        self.out.clone()
    }

    /// Says nothing more.
    pub fn close(&mut self) {
        self.stop_all();
        self.pages.clear();
        self.out = None;
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks the editor for something, whose answer nobody needs.
    pub fn request(&mut self, method: &str, params: Value) {
        self.asked += 1;
        let id = format!("pnet-{}", self.asked);
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    /// A name for work that the editor did not name.
    pub fn fresh_token(&mut self) -> Value {
        self.asked += 1;
        json!(format!("pnet-work-{}", self.asked))
    }

    /// Has the editor ask for lenses again.
    pub fn refresh(&mut self) {
        if self.client.refreshes_lenses {
            self.request("workspace/codeLens/refresh", Value::Null);
        }
    }

    /// Ends all work.
    pub fn stop_all(&mut self) {
        self.stop(|_| true);
    }

    /// Takes in a notification.
    pub fn told(&mut self, method: &str, params: &Value) {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str);
        let Some(uri) = text("/textDocument/uri") else { return self.told_more(method, params) };
        let path = path_of(uri);
        let version = params.pointer("/textDocument/version").cloned().unwrap_or_default();
        match method {
            "textDocument/didOpen" => {
                let text = Text::new(text("/textDocument/text").unwrap_or(""));
                let uri = uri.to_owned();
                let real = real(&path);
                let document = Document { uri, real, version, text, checked: None, told: None };
                self.documents.insert(path.clone(), document);
                self.check_dependents(&path);
            }
            "textDocument/didChange" => {
                let utf8 = self.client.utf8;
                let Some(document) = self.documents.get_mut(&path) else { return };
                let changes = params.get("contentChanges").and_then(Value::as_array);
                for change in changes.into_iter().flatten() {
                    document.text.change(change, utf8);
                }
                document.version = version;
                self.check_dependents(&path);
            }
            "textDocument/didClose" => {
                self.documents.remove(&path);
                self.answers.retain(|(file, _), _| *file != path);
                self.session.forget(&path);
                let empty = json!({ "uri": uri, "diagnostics": [] });
                self.notify("textDocument/publishDiagnostics", empty);
                self.check_all();
            }
            "textDocument/didSave" => {
                self.check_all();
                if self.settings.verify_on_save {
                    super::work::verify_saved(self, &path);
                }
            }
            _ => {}
        }
    }

    /// The same for those that are about no text.
    fn told_more(&mut self, method: &str, params: &Value) {
        match method {
            "workspace/didChangeWatchedFiles" => self.check_all(),
            "workspace/didChangeConfiguration" => {
                let before = self.settings.clone();
                self.set(params.get("settings").unwrap_or(&Value::Null));
                if before.lenses != self.settings.lenses {
                    self.refresh();
                }
                if before.hints != self.settings.hints && self.client.refreshes_hints {
                    self.request("workspace/inlayHint/refresh", Value::Null);
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                let all = |pointer: &str| {
                    let found = params.pointer(pointer).and_then(Value::as_array);
                    let uris = found.into_iter().flatten().filter_map(|one| one["uri"].as_str());
                    uris.map(|uri| PathBuf::from(path_of(uri))).collect::<Vec<_>>()
                };
                let (added, removed) = (all("/event/added"), all("/event/removed"));
                self.client.folders.retain(|one| !removed.contains(one));
                self.client.folders.extend(added);
            }
            "$/cancelRequest" => {
                let id = match params.get("id") {
                    Some(Value::Number(number)) => {
                        number.as_i64().and_then(|n| i32::try_from(n).ok()).map(RequestId::from)
                    }
                    Some(Value::String(id)) => Some(RequestId::from(id.clone())),
                    _ => None,
                };
                if let Some(id) = id {
                    self.cancel(&id);
                }
            }
            "window/workDoneProgress/cancel" => {
                let token = params.get("token");
                self.stop(|one| token.is_some() && one.token.as_ref() == token);
            }
            _ => {}
        }
    }

    /// Checks a text that changed, and those that read it.
    fn check_dependents(&mut self, changed: &str) {
        let file = real(changed);
        let depends = |(path, document): (&String, &Document)| {
            let known = document.checked.as_ref();
            let reads = known.is_none_or(|known| {
                known.reads.has(changed) || known.reads.paths().any(|path| real(path) == file)
            });
            (path == changed || reads).then(|| path.clone())
        };
        let all: Vec<String> = self.documents.iter().filter_map(depends).collect();
        self.session.changed(&Open(&self.documents), changed);
        all.iter().for_each(|path| self.check(path, path == changed));
    }

    /// Checks the open texts that are not as they were: a file may have changed, have come or have gone.
    fn check_all(&mut self) {
        let all: Vec<String> = self.documents.keys().cloned().collect();
        all.iter().for_each(|path| self.check(path, false));
    }

    /// Checks a text, and tells what is wrong with it.
    fn check(&mut self, path: &str, is_changed: bool) {
        if super::diagnose::is_reference(path) {
            return;
        }
        // Should this not come to its end, nothing is known of the text.
        let Some(document) = self.documents.get_mut(path) else { return };
        let before = document.checked.take();
        let checked = self.session.check(&Open(&self.documents), path).ok().map(Arc::new);
        let print = |one: &Option<Arc<Checked>>| one.as_deref().map(editor::fingerprint);
        let (before, after) = (print(&before), print(&checked));
        if let Some(document) = self.documents.get_mut(path) {
            document.checked = checked;
        }
        if before != after {
            // Work on texts that are gone is for nobody.
            self.stop(|one| one.path == path && Some(one.fingerprint) != after);
        }
        self.publish(path, is_changed);
    }

    /// The checked program of an open text.
    pub fn checked(&self, path: &str) -> Option<Arc<Checked>> {
        self.documents.get(path)?.checked.clone()
    }

    /// The program of a file, open or not, by what the texts and files are at this moment.
    pub fn newest(&mut self, path: &str) -> Result<Arc<Checked>, String> {
        match self.checked(path) {
            Some(known) if !known.reads.are_current(&Open(&self.documents)) => {
                self.check_all();
                self.checked(path).ok_or_else(|| format!("`{path}` cannot be read"))
            }
            Some(known) => Ok(known),
            None => {
                let checked = self.session.check(&Open(&self.documents), path);
                checked.map(Arc::new).map_err(|why| format!("`{path}` cannot be read: {why}"))
            }
        }
    }

    /// The models in the folders that are open, and whether these are all.
    pub fn models(&self) -> (Vec<String>, bool) {
        let (mut found, mut folders) = (Vec::new(), self.client.folders.clone());
        let mut looked = 0;
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                looked += 1;
                if found.len() >= MOST_MODELS || looked > 50 * MOST_MODELS {
                    found.sort();
                    return (found, false);
                }
                let (path, kind) = (entry.path(), entry.file_type());
                // Links to folders may go round.
                match kind {
                    Ok(kind) if kind.is_dir() && is_looked_into(&path) => folders.push(path),
                    Ok(kind)
                        if (kind.is_file() || kind.is_symlink() && path.is_file())
                            && path.extension().is_some_and(|e| e == "pnet") =>
                    {
                        found.extend(path.to_str().map(normalise));
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        found.dedup();
        (found, true)
    }

    /// The models whose texts have a word in them, those that are open first; and whether these are all.
    pub fn programs_with(&self, word: &str) -> (Vec<Arc<Checked>>, bool) {
        let mut all: Vec<Arc<Checked>> =
            self.documents.values().filter_map(|one| one.checked.clone()).collect();
        let (models, complete) = self.models();
        let is_open = |path: &String| Open(&self.documents).document(path).is_some();
        for path in models.iter().filter(|path| !is_open(path)) {
            let has =
                Disk.read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(word));
            if !has {
                continue;
            }
            if let Ok(checked) = self.session.check(&Open(&self.documents), path) {
                self.session.forget(path);
                all.push(Arc::new(checked));
            }
        }
        (all, complete)
    }
}

/// Folders that are made, or hidden, have no models that somebody writes.
fn is_looked_into(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("");
    !name.starts_with('.') && name != "target" && name != "node_modules"
}

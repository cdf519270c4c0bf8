//! What the server knows: open texts, what was found in them, and which verdicts there are.

use std::sync::Arc;

use lsp_server::{Message, Notification, Request, RequestId};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::text::{Text, path_of, uri_of};
use crate::base::{Budget, Spent};
use crate::cli::check::open_session;
use crate::cli::files::Disk;
use crate::diagnostics::{SourceFile, Span};
use crate::editor;
use crate::loader::Sources;
use crate::model::Checked;
use crate::outcome::Verdict;
use crate::session::Session;

/// An open text.
pub(super) struct Document {
    pub version: Value,
    pub text: Text,
    /// What was found in it, by its newest text.
    pub checked: Option<Arc<Checked>>,
}

/// A verdict, with what it was made from.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    /// The texts that it is about.
    pub fingerprint: u64,
    pub verdict: Verdict,
    pub seconds: f64,
    pub reason: String,
    /// The play or run, line by line.
    pub evidence: Vec<String>,
}

/// Open texts stand before those on the disk.
pub(super) struct Open<'a>(pub &'a FxHashMap<String, Document>);

impl Sources for Open<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match self.0.get(&uri_of(path)) {
            Some(document) => Ok(document.text.text.clone().into_bytes()),
            None => Disk.read(path),
        }
    }
}

/// The state of the server.
pub(super) struct State {
    out: crate::cli::lsp::work::Out,
    pub utf8: bool,
    pub documents: FxHashMap<String, Document>,
    pub session: &'static Session,
    /// By file and text of the claim.
    pub answers: FxHashMap<(String, String), Answered>,
    /// What the worker does or will do, with the texts that it is about.
    pub running: Vec<(RequestId, Budget, String, u64)>,
    pub lenses: bool,
    pub hints: bool,
    asked: i32,
}

impl State {
    pub fn new(out: crate::cli::lsp::work::Out, utf8: bool) -> State {
        State {
            out,
            utf8,
            documents: FxHashMap::default(),
            session: open_session(),
            answers: FxHashMap::default(),
            running: Vec::new(),
            lenses: true,
            hints: false,
            asked: 0,
        }
    }

    /// Takes over settings: `lenses` and `inlayHints`.
    pub fn settings(&mut self, settings: Option<&Value>) {
        let Some(settings) = settings else { return };
        let settings = settings.get("pnet").unwrap_or(settings);
        let flag = |key: &str| settings.get(key).and_then(Value::as_bool);
        self.lenses = flag("lenses").unwrap_or(self.lenses);
        self.hints = flag("inlayHints").unwrap_or(self.hints);
    }

    pub fn send(&self, message: Message) {
        // An editor that is gone does not read.
        let _ = self.out.send(message);
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    /// Has the editor ask for lenses again.
    pub fn refresh(&mut self) {
        self.asked += 1;
        let id = RequestId::from(format!("pnet-{}", self.asked));
        let method = "workspace/codeLens/refresh".to_owned();
        self.send(Request { id, method, params: Value::Null }.into());
    }

    /// Ends all work.
    pub fn stop_all(&mut self) {
        self.running.drain(..).for_each(|(_, budget, ..)| budget.spend(Spent::Interrupted));
    }

    /// Takes in a notification.
    pub fn told(&mut self, method: &str, params: &Value) {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str);
        let uri = text("/textDocument/uri").unwrap_or("").to_owned();
        match method {
            "textDocument/didOpen" => {
                let (version, text) =
                    (params.pointer("/textDocument/version"), text("/textDocument/text"));
                let (version, text) = (version.cloned().unwrap_or_default(), text.unwrap_or(""));
                let text = Text::new(text.to_owned());
                self.documents.insert(uri, Document { version, text, checked: None });
                self.check_all();
            }
            "textDocument/didChange" => {
                let utf8 = self.utf8;
                let Some(document) = self.documents.get_mut(&uri) else { return };
                let changes = params.get("contentChanges").and_then(Value::as_array);
                for change in changes.into_iter().flatten() {
                    document.text.change(change, utf8);
                }
                document.version =
                    params.pointer("/textDocument/version").cloned().unwrap_or_default();
                self.check_all();
            }
            "textDocument/didClose" => {
                self.documents.remove(&uri);
                self.answers.retain(|(path, _), _| *path != path_of(&uri));
                let empty = json!({ "uri": uri, "diagnostics": [] });
                self.notify("textDocument/publishDiagnostics", empty);
                self.check_all();
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.check_all(),
            "workspace/didChangeConfiguration" => {
                self.settings(params.get("settings"));
                self.refresh();
            }
            "$/cancelRequest" => {
                let id = match params.get("id") {
                    Some(Value::Number(number)) => {
                        number.as_i64().and_then(|n| i32::try_from(n).ok()).map(RequestId::from)
                    }
                    Some(Value::String(id)) => Some(RequestId::from(id.clone())),
                    _ => None,
                };
                let all = self.running.iter().filter(|(one, ..)| Some(one) == id.as_ref());
                all.for_each(|(_, budget, ..)| budget.spend(Spent::Interrupted));
            }
            _ => {}
        }
    }

    /// Checks the open texts that are not as they were, and tells what is wrong with them.
    fn check_all(&mut self) {
        let uris: Vec<String> = self.documents.keys().cloned().collect();
        for uri in uris {
            let path = path_of(&uri);
            if super::diagnose::is_reference(&path) {
                continue;
            }
            let checked = self.session.check(&Open(&self.documents), &path).ok().map(Arc::new);
            let Some(document) = self.documents.get_mut(&uri) else { continue };
            let print = |one: &Option<Arc<Checked>>| one.as_deref().map(editor::fingerprint);
            let (before, after) = (print(&document.checked), print(&checked));
            document.checked = checked;
            if before != after {
                // Work on texts that are gone is for nobody.
                let old = self.running.iter();
                let old = old.filter(|(.., one, number)| *one == path && Some(*number) != after);
                old.for_each(|(_, budget, ..)| budget.spend(Spent::Interrupted));
            }
            self.publish(&uri);
        }
    }

    /// The checked program of an open text, and its file.
    pub fn checked(&self, uri: &str) -> Option<Arc<Checked>> {
        self.documents.get(uri)?.checked.clone()
    }

    /// The offset in the shared space of a position in an open text.
    pub fn offset(&self, checked: &Checked, uri: &str, position: &Value) -> Option<u32> {
        let at = self.documents.get(uri)?.text.offset(position, self.utf8);
        Some(editor::root(checked)?.base() + at as u32)
    }

    /// The range of a span, in the units of the client.
    pub fn range(&self, file: &SourceFile, span: Span) -> Value {
        let open = self.documents.get(&uri_of(file.name()));
        match open.filter(|open| open.text.text == **file.text()) {
            Some(open) => open.text.range(file.range(span), self.utf8),
            None => Text::new(file.text().to_string()).range(file.range(span), self.utf8),
        }
    }

    /// The place of a span: its file and range.
    pub fn place(&self, checked: &Checked, span: Span) -> Option<Value> {
        let file = checked.sources.file_of(span)?;
        let uri = match editor::is_library(file.name()) {
            true => super::diagnose::reference(&format!("{}.pnet", file.name()), file.text())?,
            false => uri_of(file.name()),
        };
        Some(json!({ "uri": uri, "range": self.range(file, span) }))
    }
}

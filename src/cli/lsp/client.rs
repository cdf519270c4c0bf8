//! What the editor said of itself, and what its user set.

use std::path::PathBuf;

use serde_json::Value;

use super::uri::path_of;

/// What the editor can do.
#[derive(Clone, Debug, Default)]
pub(super) struct Client {
    /// Whether positions count bytes; otherwise the units of UTF-16.
    pub utf8: bool,
    /// Whether completions may have places to go on.
    pub snippets: bool,
    /// Whether it can be told to ask for lenses again.
    pub refreshes_lenses: bool,
    /// The same for hints.
    pub refreshes_hints: bool,
    /// Whether it shows progress that nobody asked for.
    pub progress: bool,
    /// Whether it shows a document.
    pub shows: bool,
    /// Whether it can be asked to tell of changed files.
    pub watches: bool,
    /// The folders that are open.
    pub folders: Vec<PathBuf>,
}

impl Client {
    /// What the parameters of `initialize` say.
    pub fn new(params: &Value) -> Client {
        let can = |pointer: &str| {
            let found = params.pointer(&format!("/capabilities/{pointer}"));
            found.and_then(Value::as_bool).unwrap_or(false)
        };
        let encodings = params.pointer("/capabilities/general/positionEncodings");
        let encodings = encodings.and_then(Value::as_array);
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let folders = folders.into_iter().flatten().filter_map(|one| one.get("uri"));
        let mut folders: Vec<PathBuf> = folders.filter_map(folder).collect();
        if folders.is_empty() {
            folders.extend(params.get("rootUri").and_then(folder));
        }
        Client {
            utf8: encodings.is_some_and(|all| all.iter().any(|one| one == "utf-8")),
            snippets: can("textDocument/completion/completionItem/snippetSupport"),
            refreshes_lenses: can("workspace/codeLens/refreshSupport"),
            refreshes_hints: can("workspace/inlayHint/refreshSupport"),
            progress: can("window/workDoneProgress"),
            shows: can("window/showDocument/support"),
            watches: can("workspace/didChangeWatchedFiles/dynamicRegistration"),
            folders,
        }
    }
}

fn folder(uri: &Value) -> Option<PathBuf> {
    let path = path_of(uri.as_str()?);
    path.starts_with('/').then(|| PathBuf::from(path))
}

/// What the user set.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Settings {
    /// Whether lenses are shown.
    pub lenses: bool,
    /// Whether sorts that are not written are shown.
    pub hints: bool,
    /// Whether saving a text verifies its claims.
    pub verify_on_save: bool,
    /// How long a claim may take, in seconds; 0 for any time.
    pub timeout: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { lenses: true, hints: false, verify_on_save: false, timeout: 300.0 }
    }
}

impl Settings {
    /// Takes over what is set; what makes no sense, in words.
    pub fn take(&mut self, given: &Value) -> Vec<String> {
        let given = given.get("pnet").unwrap_or(given);
        let mut wrong = Vec::new();
        let flags = [
            ("lenses", &mut self.lenses),
            ("inlayHints", &mut self.hints),
            ("verifyOnSave", &mut self.verify_on_save),
        ];
        for (key, flag) in flags {
            match given.get(key) {
                None | Some(Value::Null) => {}
                Some(Value::Bool(set)) => *flag = *set,
                Some(other) => wrong.push(format!("`pnet.{key}` is `{other}`: give true or false")),
            }
        }
        match given.get("timeout") {
            None | Some(Value::Null) => {}
            Some(set) => match set.as_f64().filter(|set| (0.0..=1e9).contains(set)) {
                Some(set) => self.timeout = set,
                None => wrong.push(format!("`pnet.timeout` is `{set}`: give seconds, or 0")),
            },
        }
        wrong
    }
}

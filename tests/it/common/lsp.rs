//! An editor for tests: it starts `pnet lsp` and speaks with it over pipes, each answer within a time.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long to wait for an answer: others work, too.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The server, and what it said that was not asked for.
pub struct Editor {
    pub child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Value>,
    said: Receiver<String>,
    /// What was said and nobody has taken yet.
    pub kept: Vec<Value>,
    next: i64,
    pub folder: PathBuf,
}

/// What an editor that can do everything says of itself.
pub fn able() -> Value {
    json!({
        "window": { "workDoneProgress": true, "showDocument": { "support": true } },
        "workspace": {
            "codeLens": { "refreshSupport": true },
            "inlayHint": { "refreshSupport": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
    })
}

/// The next message of the protocol.
pub fn hear(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().unwrap(),
            _ if line == "\r\n" => break,
            _ => panic!("`{line}` is no header"),
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

impl Editor {
    /// Starts a server that was not greeted, with an empty folder for this test.
    pub fn spawn(name: &str) -> Editor {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("lsp_{name}"));
        // What is read only stays so when a folder is removed: the tests may be run as root.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("home")).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_pnet"))
            .args(["lsp", "--stdio"])
            .env("HOME", folder.join("home"))
            .env_remove("XDG_CACHE_HOME")
            .env_remove("DISPLAY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (send, heard) = channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            while let Some(message) = hear(&mut out) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let (tell, said) = channel();
        std::thread::spawn(move || {
            BufReader::new(err).lines().map_while(Result::ok).for_each(|line| _ = tell.send(line));
        });
        let input = child.stdin.take();
        Editor { child, input, heard, said, kept: Vec::new(), next: 0, folder }
    }

    /// Starts a server and greets it.
    pub fn new(name: &str) -> Editor {
        Editor::greeting(name, able(), json!({}))
    }

    /// The same with what the editor can do, and settings.
    pub fn greeting(name: &str, capabilities: Value, settings: Value) -> Editor {
        let mut editor = Editor::spawn(name);
        let folder = editor.uri("");
        let greeting = json!({
            "processId": null,
            "rootUri": folder,
            "workspaceFolders": [{ "uri": folder, "name": name }],
            "capabilities": capabilities,
            "initializationOptions": settings,
        });
        let answer = editor.ask("initialize", greeting);
        assert_eq!(answer["serverInfo"]["name"], "pnet");
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn uri(&self, file: &str) -> String {
        format!("file://{}/{file}", self.folder.display())
    }

    /// Writes a file on the disk.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        // A server that has ended does not read.
        let _ = self.input.as_mut().unwrap().write_all(bytes);
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks, and does not wait.
    pub fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// What comes next.
    pub fn next(&mut self) -> Value {
        let said = self.heard.recv_timeout(PATIENCE);
        said.unwrap_or_else(|why| panic!("nothing is heard ({why}): {:#?}", self.complaints()))
    }

    /// Waits for something; what comes before it is kept.
    pub fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is_it) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.next();
            if is_it(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// The answer to a request; an error is its message.
    pub fn answer(&mut self, id: i64) -> Result<Value, String> {
        let answer = self.wait(|one| one["id"] == id && one.get("method").is_none());
        match answer.get("error") {
            Some(error) => Err(error["message"].as_str().unwrap().to_owned()),
            None => Ok(answer["result"].clone()),
        }
    }

    pub fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.begin(method, params);
        self.answer(id)
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_ask(method, params);
        answer.unwrap_or_else(|why| panic!("`{method}` gives: {why}"))
    }

    /// Runs a command.
    pub fn run(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        let params = json!({ "command": command, "arguments": arguments });
        self.try_ask("workspace/executeCommand", params)
    }

    /// What the server says next of a file: its diagnostics.
    pub fn diagnostics(&mut self, file: &str) -> Vec<Value> {
        let uri = self.uri(file);
        let said = self.wait(|one| {
            one["method"] == "textDocument/publishDiagnostics" && one["params"]["uri"] == uri
        });
        said["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Opens a text; what is wrong with it.
    pub fn open(&mut self, file: &str, text: &str) -> Vec<Value> {
        let document =
            json!({ "uri": self.uri(file), "languageId": "pnet", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.diagnostics(file)
    }

    /// Replaces the text; what is wrong with it then.
    pub fn change(&mut self, file: &str, version: i64, text: &str) -> Vec<Value> {
        self.edit(file, version, json!([{ "text": text }]));
        let uri = self.uri(file);
        let said = self.wait(|one| {
            one["method"] == "textDocument/publishDiagnostics"
                && one["params"]["uri"] == uri
                && one["params"]["version"] == version
        });
        said["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Edits a text.
    pub fn edit(&mut self, file: &str, version: i64, changes: Value) {
        let document = json!({ "uri": self.uri(file), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    /// Parameters about a text.
    pub fn about(&self, file: &str) -> Value {
        json!({ "textDocument": { "uri": self.uri(file) } })
    }

    /// Parameters about the first place of `what` in the text, `into` letters behind its start.
    pub fn at(&self, file: &str, text: &str, what: &str, into: usize) -> Value {
        let at = text.find(what).unwrap_or_else(|| panic!("there is no `{what}`")) + into;
        json!({ "textDocument": { "uri": self.uri(file) }, "position": position(text, at) })
    }

    /// What it said on standard error.
    pub fn complaints(&self) -> Vec<String> {
        std::thread::sleep(Duration::from_millis(50));
        self.said.try_iter().collect()
    }

    /// Ends politely; the status.
    pub fn end(mut self) -> i32 {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        self.status()
    }

    /// Closes the pipe; the status.
    pub fn hang_up(mut self) -> i32 {
        self.input = None;
        self.status()
    }

    /// The status of a server that ends.
    pub fn status(&mut self) -> i32 {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server does not end");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The position of a byte, in the units of UTF-16.
pub fn position(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

/// The byte at a position.
pub fn byte(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let character = position["character"].as_u64().unwrap() as usize;
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let start = starts.into_iter().nth(line).unwrap_or(text.len());
    let mut units = 0;
    for (at, letter) in text[start..].char_indices() {
        if units >= character {
            return start + at;
        }
        units += letter.len_utf16();
    }
    text.len()
}

/// The text of a range.
pub fn covered<'a>(text: &'a str, range: &Value) -> &'a str {
    &text[byte(text, &range["start"])..byte(text, &range["end"])]
}

/// A text with edits made, as an editor makes them.
pub fn edited(text: &str, edits: &Value) -> String {
    let mut all: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let (start, end) = (byte(text, &range["start"]), byte(text, &range["end"]));
            (start, end, edit["newText"].as_str().unwrap())
        })
        .collect();
    all.sort();
    let overlap = all.windows(2).any(|two| two[0].1 > two[1].0);
    assert!(!overlap, "edits overlap: {all:?}");
    let mut text = text.to_owned();
    all.iter().rev().for_each(|(start, end, new)| text.replace_range(*start..*end, new));
    text
}

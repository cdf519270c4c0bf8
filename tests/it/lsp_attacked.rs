//! `pnet lsp` under attack: what is no message, what makes no sense, and files that come and go.

use serde_json::{Value, json};

use crate::common::lsp::Editor;
use crate::common::random::Random;

const PART: &str = "action tick;\n\nprocess Clock { init state s; s -> s : tick; }\n";
const ROOT: &str = "import \"./part.pnet\";\n\nnet N { sub C = Clock; <C: tick> -> tick; }\n";

#[test]
fn garbage_ends_the_server_with_words_or_is_answered() {
    for garbage in [
        &b"hello\n\n"[..],
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n{}",
        b"Content-Length: 18446744073709551615\r\n\r\n{}",
        b"Content-Length: 999999999999\r\n\r\n{}",
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Type: x\r\n\r\n{}",
        b"\0\0\0\0\xff\xfe\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let mut editor = Editor::new("garbage");
        editor.bytes(garbage);
        let status = editor.status();
        let said = editor.complaints().join("\n");
        assert_eq!(status, 1, "{garbage:?}: {said}");
        assert!(!said.contains("panicked") && !said.is_empty(), "{garbage:?}: {said}");
    }
    // What is framed as a message is answered, and the server goes on.
    for garbage in
        ["", "{", "12", "[]", "\"x\"", "{\"jsonrpc\":\"2.0\"}", "\u{0}", &"[".repeat(100_000)]
    {
        let mut editor = Editor::new("framed");
        editor.bytes(format!("Content-Length: {}\r\n\r\n{garbage}", garbage.len()).as_bytes());
        let answer = editor.wait(|one| one["id"].is_null() && one.get("error").is_some());
        assert_eq!(answer["error"]["code"], -32700, "{garbage}");
        assert_eq!(editor.open("a.pnet", PART), Vec::<Value>::new());
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn the_server_ends_as_the_protocol_has_it() {
    assert_eq!(Editor::new("polite").end(), 0);
    // Without a shutdown, and without a word.
    let mut editor = Editor::new("impolite");
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), 1);
    assert_eq!(Editor::new("hung_up").hang_up(), 1);
    let editor = Editor::spawn("never_greeted");
    assert_eq!(editor.hang_up(), 1);
    // In the middle of a message.
    let mut editor = Editor::new("cut");
    editor.bytes(b"Content-Length: 100\r\n\r\n{\"jsonrpc\"");
    assert_eq!(editor.hang_up(), 1);
    // Before it is greeted, and after its shutdown, nothing is answered but that.
    let mut editor = Editor::spawn("ungreeted");
    let why = editor.try_ask("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(why, "the server waits for `initialize`");
    editor.ask("initialize", json!({ "capabilities": {} }));
    let why = editor.try_ask("initialize", json!({ "capabilities": {} })).unwrap_err();
    assert_eq!(why, "the server is initialized already");
    editor.ask("shutdown", Value::Null);
    let why = editor.try_ask("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(why, "the server is shut down");
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), 0);
}

/// A value that may be anything.
fn anything(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => json!(random.one_in(2)),
        2 => json!(random.next() as i64),
        3 => json!(random.below(5)),
        4 => json!(1.5e300),
        5 => json!(""),
        6 => json!("🙂 \u{0} text"),
        7 => (0..random.below(4)).map(|_| anything(random, depth - 1)).collect(),
        _ => {
            let keys = [
                "uri",
                "position",
                "line",
                "character",
                "range",
                "start",
                "end",
                "text",
                "arguments",
            ];
            let all = (0..random.below(4))
                .map(|_| ((*random.pick(&keys)).to_owned(), anything(random, depth - 1)));
            Value::Object(all.collect())
        }
    }
}

/// Puts something else in the place of some value inside.
fn spoil(random: &mut Random, value: &mut Value) {
    let inside: Vec<&mut Value> = match value {
        Value::Array(all) => all.iter_mut().collect(),
        Value::Object(all) => all.values_mut().collect(),
        _ => Vec::new(),
    };
    let count = inside.len();
    if count == 0 || random.one_in(4) {
        *value = anything(random, 2);
    } else if let Some(one) = inside.into_iter().nth(random.below(count)) {
        spoil(random, one);
    }
}

#[test]
fn messages_that_make_no_sense_are_answered() {
    let methods = [
        "textDocument/hover",
        "textDocument/definition",
        "textDocument/references",
        "textDocument/documentHighlight",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/selectionRange",
        "textDocument/formatting",
        "textDocument/prepareRename",
        "textDocument/rename",
        "textDocument/completion",
        "textDocument/signatureHelp",
        "textDocument/codeAction",
        "textDocument/codeLens",
        "textDocument/inlayHint",
        "textDocument/semanticTokens/full",
        "workspace/symbol",
        "workspace/executeCommand",
        "textDocument/nonsense",
        "nonsense",
        "",
    ];
    let notes = [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/didSave",
        "workspace/didChangeConfiguration",
        "$/cancelRequest",
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeWorkspaceFolders",
        "window/workDoneProgress/cancel",
        "$/setTrace",
        "initialized",
    ];
    let mut editor = Editor::new("senseless");
    editor.open("a.pnet", PART);
    let mut random = Random::new(17);
    let range =
        json!({ "start": { "line": 0, "character": 1 }, "end": { "line": 2, "character": 9 } });
    for round in 0..600 {
        let uri = editor.uri(if random.one_in(3) { "b.pnet" } else { "a.pnet" });
        let mut params = json!({
            "textDocument": { "uri": uri, "version": round, "text": PART, "languageId": "pnet" },
            "position": { "line": random.below(5), "character": random.below(60) },
            "positions": [{ "line": 2, "character": random.below(60) }],
            "range": range,
            "context": { "only": ["quickfix"], "includeDeclaration": true },
            "newName": "other",
            "query": "C",
            "command": random.pick(&["pnet.checks", "pnet.nets", "pnet.play", "pnet.verify", "pnet.picture", "pnet.ask", "x"]),
            "arguments": [uri, random.below(3)],
            "contentChanges": [{ "range": range, "text": "process" }],
            "settings": { "pnet": { "lenses": true } },
        });
        for _ in 0..random.below(3) {
            spoil(&mut random, &mut params);
        }
        if random.one_in(2) {
            editor.tell(random.pick::<&str>(&notes), params);
        } else {
            // An answer or an error, but something.
            let _ = editor.try_ask(random.pick::<&str>(&methods), params);
        }
    }
    let said = editor.complaints();
    assert_eq!(said, Vec::<String>::new());
    // All is well after that.
    editor.kept.clear();
    editor
        .tell("textDocument/didClose", json!({ "textDocument": { "uri": editor.uri("a.pnet") } }));
    editor.ask("workspace/symbol", json!({ "query": "" }));
    editor.kept.clear();
    assert_eq!(editor.open("a.pnet", PART), Vec::<Value>::new());
    assert_eq!(editor.end(), 0);
}

#[test]
fn random_bytes_as_texts_are_texts() {
    let mut editor = Editor::new("bytes");
    let mut random = Random::new(5);
    editor.open("a.pnet", "");
    for version in 2..40 {
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.below(256) as u8).collect();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        editor.change("a.pnet", version, &text);
        for method in [
            "hover",
            "completion",
            "documentSymbol",
            "semanticTokens/full",
            "codeLens",
            "selectionRange",
            "signatureHelp",
        ] {
            let mut asked = editor.about("a.pnet");
            asked["position"] = json!({ "line": random.below(4), "character": random.below(80) });
            asked["positions"] = json!([asked["position"]]);
            editor.ask(&format!("textDocument/{method}"), asked);
        }
    }
    assert_eq!(editor.complaints(), Vec::<String>::new());
    assert_eq!(editor.end(), 0);
}

/// What is no plain file is not read: the pipe of the messages is one of these.
#[test]
#[cfg(unix)]
fn pipes_are_not_imported() {
    let mut editor = Editor::new("pipes");
    for path in ["/dev/stdin", "/proc/self/fd/0", "/dev/zero"] {
        let text = format!("import \"{path}\";\naction go;\n");
        let wrong = editor.open("a.pnet", &text);
        assert!(
            wrong.iter().any(|one| one["message"].as_str().unwrap().contains("no plain file")),
            "{wrong:?}"
        );
    }
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_file_may_import_itself() {
    let mut editor = Editor::new("itself");
    let text = "import \"./a.pnet\";\naction go;\nprocess P { init state s; s -> s : go; }\n";
    editor.write("a.pnet", text);
    let wrong = editor.open("a.pnet", text);
    assert!(!wrong.is_empty());
    let hover = editor.ask("textDocument/hover", editor.at("a.pnet", text, "P {", 0));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("process P"));
    // Two that import each other.
    editor.write("b.pnet", "import \"./c.pnet\";\n");
    editor.write("c.pnet", "import \"./b.pnet\";\n");
    assert!(!editor.open("b.pnet", "import \"./c.pnet\";\n").is_empty());
    assert!(!editor.open("c.pnet", "import \"./b.pnet\";\n").is_empty());
    assert_eq!(editor.end(), 0);
}

#[test]
fn imports_come_go_and_change_in_other_buffers() {
    let mut editor = Editor::new("come_and_go");
    editor.write("part.pnet", PART);
    editor.write(
        "sub/far.pnet",
        "import \"../part.pnet\";\n\nnet M { sub C = Clock; <C: tick> -> tick; }\n",
    );
    assert_eq!(editor.open("root.pnet", ROOT), Vec::<Value>::new());
    let far = "import \"../part.pnet\";\n\nnet M { sub C = Clock; <C: tick> -> tick; }\n";
    assert_eq!(editor.open("sub/far.pnet", far), Vec::<Value>::new());
    // Another buffer has other names, unsaved: both that import it are told.
    let changed = PART.replace("Clock", "Watch");
    editor.open("part.pnet", PART);
    editor.change("part.pnet", 2, &changed);
    for file in ["root.pnet", "sub/far.pnet"] {
        let wrong = editor.diagnostics(file);
        assert!(wrong.iter().any(|one| one["severity"] == 1), "{file}: {wrong:#?}");
    }
    // And told again when it is as it was.
    editor.change("part.pnet", 3, PART);
    for file in ["root.pnet", "sub/far.pnet"] {
        assert_eq!(editor.diagnostics(file), Vec::<Value>::new());
    }
    // What is wrong in an import is told at the import.
    editor.change("part.pnet", 4, &PART.replace(": tick", ": tock"));
    let wrong = editor.diagnostics("root.pnet");
    let told = wrong
        .iter()
        .find(|one| one["message"].as_str().unwrap().contains("in the imported"))
        .unwrap();
    assert_eq!(told["range"]["start"], json!({ "line": 0, "character": 7 }));
    assert_eq!(told["relatedInformation"][0]["location"]["uri"], editor.uri("part.pnet"));
    editor.diagnostics("sub/far.pnet");
    // Closed without saving: the disk has it.
    editor.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": editor.uri("part.pnet") } }),
    );
    assert_eq!(editor.diagnostics("root.pnet"), Vec::<Value>::new());
    assert_eq!(editor.diagnostics("sub/far.pnet"), Vec::<Value>::new());
    // Gone from the disk, and back.
    std::fs::remove_file(editor.folder.join("part.pnet")).unwrap();
    let changes = json!({ "changes": [{ "uri": editor.uri("part.pnet"), "type": 3 }] });
    editor.tell("workspace/didChangeWatchedFiles", changes.clone());
    assert!(!editor.diagnostics("root.pnet").is_empty());
    assert!(!editor.diagnostics("sub/far.pnet").is_empty());
    editor.write("part.pnet", PART);
    editor.tell("workspace/didChangeWatchedFiles", changes);
    assert_eq!(editor.diagnostics("root.pnet"), Vec::<Value>::new());
    assert_eq!(editor.diagnostics("sub/far.pnet"), Vec::<Value>::new());
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_file_that_is_nowhere_can_be_opened_and_seen_by_others() {
    let mut editor = Editor::new("nowhere");
    assert_eq!(editor.open("part.pnet", PART), Vec::<Value>::new());
    assert_eq!(editor.open("root.pnet", ROOT), Vec::<Value>::new());
    // One that has no path at all.
    let document = json!({ "uri": "untitled:Untitled-1", "languageId": "pnet", "version": 1, "text": "proces" });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    let said = editor.wait(|one| one["params"]["uri"] == "untitled:Untitled-1");
    assert!(!said["params"]["diagnostics"].as_array().unwrap().is_empty());
    // Other letters in the URI of the same file.
    let odd = editor.uri("p%61rt.pnet");
    let about = json!({ "textDocument": { "uri": odd } });
    assert!(!editor.ask("textDocument/documentSymbol", about).as_array().unwrap().is_empty());
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_hundred_files_are_told_of_only_where_something_changes() {
    let mut editor = Editor::new("hundred");
    editor.write("part.pnet", PART);
    for number in 0..100 {
        editor.open(&format!("file{number}.pnet"), if number < 3 { ROOT } else { PART });
    }
    editor.kept.clear();
    editor.open("part.pnet", PART);
    editor.change("part.pnet", 2, &PART.replace("Clock", "Watch"));
    for number in 0..3 {
        assert!(!editor.diagnostics(&format!("file{number}.pnet")).is_empty());
    }
    // The other 97 have nothing to do with it.
    editor.ask("textDocument/documentSymbol", editor.about("part.pnet"));
    let more = editor.kept.iter().filter(|one| one["method"] == "textDocument/publishDiagnostics");
    assert_eq!(more.count(), 0);
    assert_eq!(editor.end(), 0);
}

#[test]
fn texts_with_errors_are_still_read() {
    let mut editor = Editor::new("errors");
    let text = format!(
        "{PART}process Broken {{ init state a; a -> : ; state b\n\nnet N {{ sub C = Clock; <C: tick> -> \n"
    );
    assert!(!editor.open("a.pnet", &text).is_empty());
    let found = editor.ask("textDocument/definition", editor.at("a.pnet", &text, "= Clock", 3));
    assert_eq!(found["range"]["start"]["line"], 2, "{found}");
    let symbols = editor.ask("textDocument/documentSymbol", editor.about("a.pnet"));
    assert!(symbols.to_string().contains("Clock"));
    let mut asked = editor.at("a.pnet", &text, "= Clock", 3);
    asked["newName"] = json!("Timer");
    let changes = editor.ask("textDocument/rename", asked);
    let after = crate::common::lsp::edited(&text, &changes["changes"][editor.uri("a.pnet")]);
    assert_eq!(after, text.replace("Clock", "Timer"));
    assert_eq!(editor.end(), 0);
}

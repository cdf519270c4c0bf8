//! `pnet lsp` over pipes: what each request of an editor is answered with.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::lsp::{Editor, byte, covered, edited, position};

const LIGHT: &str = "\
action go, stop;

/// Goes on and off.
process Light {
    var n: Int = 0;
    init state red;
    state green;

    red   -> green : go   when n < 3 do n := n + 1;
    green -> red   : stop;
}

net Lights {
    sub L = Light;
    <L: go>   -> go;
    <L: stop> -> stop;
}

check deadlock_free(Lights);
";

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/lsp")
}

/// An editor with the model of the golden answers open.
fn with_model(name: &str) -> (Editor, String) {
    let mut editor = Editor::new(name);
    let text = std::fs::read_to_string(golden().join("model.pnet")).unwrap();
    let parts = std::fs::read_to_string(golden().join("parts.pnet")).unwrap();
    editor.write("parts.pnet", &parts);
    editor.write("model.pnet", &text);
    let wrong = editor.open("model.pnet", &text);
    assert_eq!(wrong, Vec::<Value>::new());
    (editor, text)
}

fn labels(answer: &Value) -> BTreeSet<String> {
    answer.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap().to_owned()).collect()
}

/// All that is shown of the model, name by name: `PNET_BLESS=1 cargo test lsp::` writes it anew.
#[test]
fn everything_that_is_shown_of_a_model() {
    let (mut editor, text) = with_model("shown");
    let mut shown = String::new();
    let mut line = |words: &str| {
        shown.push_str(words);
        shown.push('\n');
    };
    line("== words");
    let data = editor.ask("textDocument/semanticTokens/full", editor.about("model.pnet"));
    let data: Vec<u64> =
        data["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    let kinds = [
        "keyword",
        "comment",
        "function",
        "enumMember",
        "property",
        "event",
        "type",
        "interface",
        "class",
        "namespace",
        "variable",
        "parameter",
        "number",
        "string",
    ];
    let (mut at_line, mut character, mut places) = (0, 0, Vec::new());
    for token in data.chunks_exact(5) {
        character = if token[0] == 0 { character + token[1] } else { token[1] };
        at_line += token[0];
        let start = json!({ "line": at_line, "character": character });
        let end = json!({ "line": at_line, "character": character + token[2] });
        let kind = kinds[token[3] as usize];
        let word = covered(&text, &json!({ "start": start, "end": end })).to_owned();
        if !matches!(kind, "comment" | "keyword") {
            places.push((start, word.clone()));
        }
        let declares = if token[4] == 1 { " (declared)" } else { "" };
        line(&format!("{}:{}: {kind} `{word}`{declares}", at_line + 1, character + 1));
    }
    line("== what names are");
    for (start, word) in places {
        let asked =
            json!({ "textDocument": { "uri": editor.uri("model.pnet") }, "position": start });
        let hover = editor.ask("textDocument/hover", asked.clone());
        let words = hover["contents"]["value"].as_str().unwrap_or("NOTHING").replace('\n', " | ");
        let target = editor.ask("textDocument/definition", asked);
        let file = target["uri"].as_str().unwrap_or("/NOWHERE").rsplit('/').next().unwrap();
        let place = &target["range"]["start"];
        line(&format!(
            "`{word}` in {}:{} from {file} {}:{}: {}",
            start["line"],
            start["character"],
            place["line"],
            place["character"],
            words.trim()
        ));
    }
    line("== outline");
    let outline = editor.ask("textDocument/documentSymbol", editor.about("model.pnet"));
    fn told(all: &Value, depth: usize, line: &mut dyn FnMut(&str)) {
        for one in all.as_array().unwrap() {
            let (name, detail) = (one["name"].as_str().unwrap(), one["detail"].as_str().unwrap());
            line(&format!("{}{name}: {detail}", "  ".repeat(depth)));
            told(&one["children"], depth + 1, line);
        }
    }
    told(&outline, 0, &mut line);
    line("== folds");
    let folds = editor.ask("textDocument/foldingRange", editor.about("model.pnet"));
    for one in folds.as_array().unwrap() {
        line(&format!("{} to {}: {}", one["startLine"], one["endLine"], one["kind"]));
    }
    line("== lenses");
    let lenses = editor.ask("textDocument/codeLens", editor.about("model.pnet"));
    for one in lenses.as_array().unwrap() {
        let command = &one["command"];
        let on = covered(&text, &one["range"]);
        line(&format!("{} on `{on}`", command["title"].as_str().unwrap()));
    }
    let path = golden().join("model.out");
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::write(&path, &shown).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = expected.lines().zip(shown.lines()).find(|(a, b)| a != b);
    assert!(shown == expected, "PNET_BLESS=1 renews it; first difference: {differs:?}");
    assert!(!shown.contains("NOTHING") && !shown.contains("NOWHERE"), "{shown}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn problems_have_places_links_and_related_places() {
    let mut editor = Editor::new("problems");
    let text = LIGHT.replace("state green", "state red").replace(": stop;", ": stpo;");
    let all = editor.open("a.pnet", &text);
    let twice = all.iter().find(|one| !one["relatedInformation"].as_array().unwrap().is_empty());
    let twice = twice.unwrap_or_else(|| panic!("no related places in {all:#?}"));
    let related = &twice["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], editor.uri("a.pnet"));
    assert_eq!(covered(&text, &related["location"]["range"]), "red");
    let wrong = all.iter().find(|one| covered(&text, &one["range"]) == "stpo").unwrap();
    assert_eq!(wrong["severity"], 1);
    assert_eq!(wrong["source"], "pnet");
    // The link leads to a text that explains the code.
    let href = wrong["codeDescription"]["href"].as_str().unwrap();
    let explained = std::fs::read_to_string(href.strip_prefix("file://").unwrap()).unwrap();
    assert!(explained.starts_with(wrong["code"].as_str().unwrap()), "{explained}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn versions_are_those_of_the_texts() {
    let mut editor = Editor::new("versions");
    editor.open("a.pnet", LIGHT);
    for version in 2..6 {
        editor.edit("a.pnet", version, json!([{ "text": LIGHT }]));
        let uri = editor.uri("a.pnet");
        let said = editor.wait(|one| {
            one["method"] == "textDocument/publishDiagnostics" && one["params"]["uri"] == uri
        });
        assert_eq!(said["params"]["version"], version);
    }
    let closed = json!({ "textDocument": { "uri": editor.uri("a.pnet") } });
    editor.tell("textDocument/didClose", closed);
    assert_eq!(editor.diagnostics("a.pnet"), Vec::<Value>::new());
    assert_eq!(editor.end(), 0);
}

#[test]
fn quick_fixes_mend_what_they_are_for() {
    let mut editor = Editor::new("fixes");
    let text = LIGHT
        .replace(": stop;", ": stpo;")
        .replace("deadlock_free(Lights)", "deadlock_free(Ligghts)");
    let all = editor.open("a.pnet", &text);
    let errors: Vec<&Value> = all.iter().filter(|one| one["severity"] == 1).collect();
    assert_eq!(errors.len(), 2, "{all:#?}");
    let actions = |editor: &mut Editor, range: Value, only: Value| {
        let mut params = editor.about("a.pnet");
        params["range"] = range;
        params["context"] = json!({ "diagnostics": [] });
        if !only.is_null() {
            params["context"]["only"] = only;
        }
        editor.ask("textDocument/codeAction", params)
    };
    let range = errors[0]["range"].clone();
    let found = actions(&mut editor, range.clone(), json!(["quickfix"]));
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found[0]["kind"], "quickfix");
    let uri = editor.uri("a.pnet");
    let mended = edited(&text, &found[0]["edit"]["changes"][&uri]);
    assert!(mended.contains(": stop;"), "{mended}");
    // All at once.
    let found = actions(&mut editor, range, json!(["source.fixAll"]));
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    let mended = edited(&text, &found[0]["edit"]["changes"][&uri]);
    assert_eq!(mended, LIGHT);
    assert_eq!(editor.change("a.pnet", 2, &mended), Vec::<Value>::new());
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    assert_eq!(actions(&mut editor, whole, Value::Null), json!([]));
    assert_eq!(editor.end(), 0);
}

#[test]
fn formatting_edits_white_space_only_and_refuses_broken_texts() {
    let mut editor = Editor::new("formatting");
    let text =
        LIGHT.replace("    var n", "  var   n").replace(";\n    state green", "; state green");
    editor.open("a.pnet", &text);
    let mut params = editor.about("a.pnet");
    params["options"] = json!({ "tabSize": 4, "insertSpaces": true });
    let edits = editor.ask("textDocument/formatting", params.clone());
    assert_eq!(edited(&text, &edits), LIGHT);
    assert!(edits.as_array().unwrap().len() <= 4, "{edits}");
    editor.change("a.pnet", 2, LIGHT);
    assert_eq!(editor.ask("textDocument/formatting", params.clone()), json!([]));
    editor.change("a.pnet", 3, "process {{{ ");
    let why = editor.try_ask("textDocument/formatting", params).unwrap_err();
    assert_eq!(why, "a text with mistakes in its syntax is not formatted");
    assert_eq!(editor.end(), 0);
}

#[test]
fn definitions_lead_into_imports_and_the_library() {
    let (mut editor, text) = with_model("definitions");
    let found =
        editor.ask("textDocument/definition", editor.at("model.pnet", &text, "parts.tick", 7));
    assert_eq!(found["uri"], editor.uri("parts.pnet"));
    assert_eq!(found["range"]["start"], json!({ "line": 1, "character": 7 }));
    // The library is a text to be read.
    let more = format!("{text}\nfun is_there(o: Option<Int>): Bool = o == None;\n");
    editor.change("model.pnet", 2, &more);
    let found = editor.ask("textDocument/definition", editor.at("model.pnet", &more, "Option<", 1));
    let uri = found["uri"].as_str().unwrap();
    let path = Path::new(uri.strip_prefix("file://").unwrap());
    let library = std::fs::read_to_string(path).unwrap();
    assert_eq!(covered(&library, &found["range"]), "Option");
    assert!(std::fs::metadata(path).unwrap().permissions().readonly());
    // Opening it says nothing about it.
    let document = json!({ "uri": uri, "languageId": "pnet", "version": 1, "text": library });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    // A code in a comment is explained.
    let with_code = format!("// see W0302\n{text}");
    editor.change("model.pnet", 3, &with_code);
    let hover = editor.ask("textDocument/hover", editor.at("model.pnet", &with_code, "W0302", 2));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("never used"), "{hover}");
    assert_eq!(covered(&with_code, &hover["range"]), "W0302");
    assert_eq!(editor.end(), 0);
}

#[test]
fn references_and_highlights_are_all_places_and_no_others() {
    let (mut editor, text) = with_model("references");
    let mut asked = editor.at("model.pnet", &text, "count <", 2);
    let highlights = editor.ask("textDocument/documentHighlight", asked.clone());
    let words: Vec<&str> =
        highlights.as_array().unwrap().iter().map(|one| covered(&text, &one["range"])).collect();
    // Declared, read in the guard, written and read in the effect, said, and twice in checks.
    assert_eq!(words, ["count"; 7]);
    asked["context"] = json!({ "includeDeclaration": false });
    let found = editor.ask("textDocument/references", asked);
    assert_eq!(found.as_array().unwrap().len(), 6);
    // Files that are not open use it, too.
    editor.write(
        "other.pnet",
        "import \"./parts.pnet\";\n\nprocess P { init state s; s -> s : tick; }\n",
    );
    let mut asked = editor.at("model.pnet", &text, "parts.tick", 7);
    asked["context"] = json!({ "includeDeclaration": true });
    let found = editor.ask("textDocument/references", asked);
    let files: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["uri"].as_str().unwrap().rsplit('/').next().unwrap())
        .collect();
    assert_eq!(files.iter().filter(|file| **file == "other.pnet").count(), 1, "{files:?}");
    assert_eq!(files.iter().filter(|file| **file == "parts.pnet").count(), 1, "{files:?}");
    assert_eq!(files.iter().filter(|file| **file == "model.pnet").count(), 5, "{files:?}");
    assert_eq!(editor.end(), 0);
}

/// Takes over what a rename says: on the disk, and then in the text that is open.
fn apply(editor: &mut Editor, changes: &Value, open: &str, version: i64) -> Vec<Value> {
    for (uri, edits) in changes["changes"].as_object().unwrap() {
        let path = editor.folder.join(uri.rsplit('/').next().unwrap());
        let text = edited(&std::fs::read_to_string(&path).unwrap(), edits);
        std::fs::write(&path, &text).unwrap();
    }
    let text = std::fs::read_to_string(editor.folder.join(open)).unwrap();
    editor.change(open, version, &text)
}

#[test]
fn what_was_renamed_means_the_same() {
    let (mut editor, text) = with_model("rename");
    editor.write(
        "other.pnet",
        "import \"./parts.pnet\";\n\nprocess P { init state s; s -> s : tick; }\n",
    );
    let places = [
        "count <",
        "Light<step",
        "green;",
        "go, stop",
        "first:",
        "twice(x",
        "sub L",
        "Other:",
        "parts.tick",
    ];
    let mut version = 2;
    for what in places {
        let text = std::fs::read_to_string(editor.folder.join("model.pnet")).unwrap();
        let into = if what == "parts.tick" {
            7
        } else if what == "sub L" {
            4
        } else {
            0
        };
        let mut asked = editor.at("model.pnet", &text, what, into);
        let ready = editor.ask("textDocument/prepareRename", asked.clone());
        let name = covered(&text, &ready["range"]).to_owned();
        assert_eq!(ready["placeholder"], name, "{what}");
        asked["newName"] = json!("zebra é");
        let changes = editor.ask("textDocument/rename", asked.clone());
        let wrong = apply(&mut editor, &changes, "model.pnet", version);
        assert_eq!(wrong, Vec::<Value>::new(), "{what}");
        // And back: then all is as it was.
        let after = std::fs::read_to_string(editor.folder.join("model.pnet")).unwrap();
        assert_ne!(after, text);
        let mut back = editor.at("model.pnet", &after, "`zebra é`", 1);
        back["newName"] = json!(name);
        let changes = editor.ask("textDocument/rename", back);
        apply(&mut editor, &changes, "model.pnet", version + 1);
        assert_eq!(
            std::fs::read_to_string(editor.folder.join("model.pnet")).unwrap(),
            text,
            "{what}"
        );
        version += 2;
    }
    // What was not open was changed with the rest.
    let mut asked = editor.at("model.pnet", &text, "parts.tick", 7);
    asked["newName"] = json!("tock");
    let changes = editor.ask("textDocument/rename", asked);
    apply(&mut editor, &changes, "model.pnet", version);
    for file in ["other.pnet", "parts.pnet", "model.pnet"] {
        let text = std::fs::read_to_string(editor.folder.join(file)).unwrap();
        assert!(text.contains("tock") && !text.contains("tick"), "{file}: {text}");
    }
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_cannot_be_renamed_is_refused_in_words() {
    let (mut editor, text) = with_model("refused");
    let refused = |editor: &mut Editor, text: &str, what: &str, new: &str| {
        let mut asked = editor.at("model.pnet", text, what, 0);
        asked["newName"] = json!(new);
        editor.try_ask("textDocument/rename", asked).unwrap_err()
    };
    let said = refused(&mut editor, &text, "twice(x", "limit");
    assert!(said.starts_with("`limit` cannot be used: "), "{said}");
    // Where it would come between a name and what that means.
    let said = refused(&mut editor, &text, "step: Int", "limit");
    assert!(said.starts_with("`limit` cannot be used: "), "{said}");
    let said = refused(&mut editor, &text, "green;", "red");
    assert!(said.starts_with("`red` cannot be used: "), "{said}");
    for new in ["", " ", "a`b", "a\nb"] {
        let said = refused(&mut editor, &text, "go, stop", new);
        assert!(said.contains("cannot be"), "{said}");
    }
    let said = refused(&mut editor, &text, "Int);", "Integer");
    assert_eq!(said, "there is no name here that can be changed");
    let asked = editor.at("model.pnet", &text, "-> red", 0);
    let said = editor.try_ask("textDocument/prepareRename", asked).unwrap_err();
    assert_eq!(said, "there is no name here that can be changed");
    let more = format!("{text}\nfun is_there(o: Option<Int>): Bool = o == None;\n");
    editor.change("model.pnet", 2, &more);
    let asked = editor.at("model.pnet", &more, "Option<", 0);
    let said = editor.try_ask("textDocument/prepareRename", asked).unwrap_err();
    assert_eq!(said, "`Option` is declared in the standard library, whose names cannot be changed");
    // A name that a file needs that is not open.
    editor.write("other.pnet", "import \"./parts.pnet\";\n\naction tock;\nprocess P { init state s; s -> s : tick; s -> s : tock; }\n");
    let mut asked = editor.at("model.pnet", &more, "parts.tick", 7);
    asked["newName"] = json!("tock");
    let said = editor.try_ask("textDocument/rename", asked).unwrap_err();
    assert!(said.starts_with("in `") && said.contains("other.pnet"), "{said}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn symbols_of_all_models_are_found() {
    let (mut editor, _) = with_model("symbols");
    editor.write("deep/er/far.pnet", "process Faraway { init state s; }\n");
    let found = |editor: &mut Editor, query: &str| {
        let all = editor.ask("workspace/symbol", json!({ "query": query }));
        let all = all.as_array().unwrap().clone();
        all.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&mut editor, "faraw"), ["Faraway"]);
    assert_eq!(found(&mut editor, "watch"), ["Watcher"]);
    assert_eq!(found(&mut editor, "tick"), ["tick"]);
    assert!(found(&mut editor, "").len() > 15);
    assert_eq!(found(&mut editor, "nothing like it"), Vec::<String>::new());
    assert_eq!(editor.end(), 0);
}

#[test]
fn completions_fit_their_places() {
    let (mut editor, text) = with_model("completion");
    editor.write("sibling.pnet", "action a;\n");
    let mut version = 2;
    let mut complete = |editor: &mut Editor, before: &str, after: &str| {
        // The cursor is where `before` ends; what is asked about is added at the end of the text.
        let whole = format!("{text}{before}{after}");
        editor.change("model.pnet", version, &whole);
        version += 1;
        let mut asked = editor.about("model.pnet");
        asked["position"] = position(&whole, text.len() + before.len());
        (editor.ask("textDocument/completion", asked), whole)
    };
    let (found, _) = complete(&mut editor, "\n", "");
    let process = found.as_array().unwrap().iter().find(|one| one["label"] == "process").unwrap();
    assert_eq!(process["insertTextFormat"], 2);
    assert!(process["textEdit"]["newText"].as_str().unwrap().contains("$0"), "{process}");
    let (found, whole) = complete(&mut editor, "import std.lo", ";");
    assert!(labels(&found).contains("std.lotos") && !labels(&found).contains("std.prelude"));
    assert_eq!(covered(&whole, &found[0]["textEdit"]["range"]), "std.lo");
    let (found, whole) = complete(&mut editor, "import \"./si", "\";");
    assert!(labels(&found).contains("./sibling.pnet"), "{found}");
    assert_eq!(covered(&whole, &found[0]["textEdit"]["range"]), "./si");
    let (found, _) =
        complete(&mut editor, "process Q { init state one; state two; one -> t", "; }");
    assert_eq!(labels(&found), BTreeSet::from(["one".to_owned(), "two".to_owned()]));
    let (found, _) = complete(&mut editor, "process Q { init state one; var x: ", " = 0; }");
    let sorts = labels(&found);
    assert!(
        sorts.contains("Int") && sorts.contains("Colour") && !sorts.contains("Light"),
        "{sorts:?}"
    );
    let (found, _) = complete(&mut editor, "net N(H: ", ") { }");
    assert!(labels(&found).contains("any"));
    let (found, _) = complete(&mut editor, "check deadlock_free(", ");");
    let nets = labels(&found);
    assert!(nets.contains("Closed") && nets.contains("Light") && !nets.contains("go"), "{nets:?}");
    let (found, _) =
        complete(&mut editor, "process Q { init state one; one -> one : parts.", "; }");
    assert!(labels(&found).contains("tick") && !labels(&found).contains("go"), "{found}");
    let (found, _) = complete(&mut editor, "check always(Closed, L.co", " <= 3);");
    assert!(labels(&found).contains("count"), "{found}");
    assert_eq!(editor.end(), 0);
    // Editors without snippets get words.
    let mut editor = Editor::greeting("plain", json!({}), json!({}));
    editor.open("a.pnet", "");
    let mut asked = editor.about("a.pnet");
    asked["position"] = json!({ "line": 0, "character": 0 });
    let found = editor.ask("textDocument/completion", asked);
    assert!(found.as_array().unwrap().iter().all(|one| {
        one["insertTextFormat"] == 1 && !one["textEdit"]["newText"].as_str().unwrap().contains('$')
    }));
    assert_eq!(editor.end(), 0);
}

#[test]
fn signatures_know_which_argument_is_written() {
    let mut editor = Editor::new("signatures");
    let text = "fun add(x: Int, y: Int): Int = x + y;\nconst c: Int = add(add(1, 2), 3);\n";
    editor.open("a.pnet", text);
    let mut ask = |what: &str, into: usize| {
        let asked = editor.at("a.pnet", text, what, into);
        editor.ask("textDocument/signatureHelp", asked)
    };
    let help = ask("add(add", 4);
    assert_eq!(help["signatures"][0]["label"], "add(x: Int, y: Int)");
    assert_eq!(help["activeParameter"], 0);
    assert_eq!(ask(", 2)", 2)["activeParameter"], 1);
    assert_eq!(ask("), 3", 2)["activeParameter"], 1);
    assert_eq!(ask("const", 2), Value::Null);
    assert_eq!(editor.end(), 0);
}

#[test]
fn selections_grow_from_a_name_to_the_text() {
    let mut editor = Editor::new("selections");
    editor.open("a.pnet", LIGHT);
    let mut asked = editor.about("a.pnet");
    asked["positions"] = json!([position(LIGHT, LIGHT.find("n < 3").unwrap())]);
    let found = editor.ask("textDocument/selectionRange", asked);
    let (mut at, mut texts) = (&found[0], Vec::new());
    while !at.is_null() {
        texts.push(covered(LIGHT, &at["range"]));
        at = &at["parent"];
    }
    assert_eq!(texts[0], "n");
    assert_eq!(*texts.last().unwrap(), LIGHT);
    assert!(texts.len() >= 4, "{texts:?}");
    assert!(texts.windows(2).all(|two| two[1].contains(two[0]) && two[0].len() < two[1].len()));
    assert_eq!(editor.end(), 0);
}

#[test]
fn hints_are_off_until_they_are_wanted() {
    let (mut editor, text) = with_model("hints");
    let hints = |editor: &mut Editor| {
        let mut asked = editor.about("model.pnet");
        asked["range"] = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        editor.ask("textDocument/inlayHint", asked)
    };
    assert_eq!(hints(&mut editor), json!([]));
    editor.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "pnet": { "inlayHints": true } } }),
    );
    editor.wait(|one| one["method"] == "workspace/inlayHint/refresh");
    let found = hints(&mut editor);
    let at: Vec<(String, String)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let end = byte(&text, &one["position"]);
            let start = text[..end].rfind(|c: char| !c.is_alphanumeric()).unwrap() + 1;
            (text[start..end].to_owned(), one["label"].as_str().unwrap().to_owned())
        })
        .collect();
    assert!(at.contains(&("seen".to_owned(), ": Int".to_owned())), "{at:?}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn settings_that_make_no_sense_are_told() {
    let settings = json!({ "lenses": "yes", "timeout": -1 });
    let mut editor = Editor::greeting("settings", json!({}), settings);
    let said = editor.wait(|one| one["method"] == "window/showMessage");
    assert_eq!(said["params"]["message"], "`pnet.lenses` is `\"yes\"`: give true or false");
    let said = editor.wait(|one| one["method"] == "window/showMessage");
    assert_eq!(said["params"]["message"], "`pnet.timeout` is `-1`: give seconds, or 0");
    assert_eq!(editor.end(), 0);
}

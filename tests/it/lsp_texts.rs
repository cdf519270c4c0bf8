//! `pnet lsp`: the server has the text that the editor has, whatever is typed in whichever letters.

use serde_json::{Value, json};

use crate::common::lsp::{Editor, able, covered, position};
use crate::common::random::Random;

/// Letters of one to four bytes and one or two units, and all ends of lines.
const LETTERS: [&str; 14] =
    ["a", "x1", " ", "\n", "\r\n", "\r", "ü", "語", "🙂", "{", "}", ";", "process P ", "// "];

/// The position of a byte, in the units that were agreed on; lines end with `\n`, `\r\n` and `\r`.
fn point(text: &str, at: usize, utf8: bool) -> Value {
    let (mut line, mut start) = (0, 0);
    let bytes = text.as_bytes();
    for index in 0..at {
        let ends =
            bytes[index] == b'\n' || bytes[index] == b'\r' && bytes.get(index + 1) != Some(&b'\n');
        if ends {
            (line, start) = (line + 1, index + 1);
        }
    }
    let before = &text[start..at];
    let character = if utf8 { before.len() } else { before.encode_utf16().count() };
    json!({ "line": line, "character": character })
}

/// Places between letters; none between `\r` and `\n`, which no editor has.
fn places(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_inside =
        |at: usize| bytes.get(at.wrapping_sub(1)) == Some(&b'\r') && bytes.get(at) == Some(&b'\n');
    let all = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    all.filter(|&at| !is_inside(at)).collect()
}

/// What the server knows of the text, by what it says of it.
fn known(editor: &mut Editor, file: &str) -> Vec<Value> {
    let about = editor.about(file);
    ["textDocument/semanticTokens/full", "textDocument/documentSymbol", "textDocument/foldingRange"]
        .map(|method| editor.ask(method, about.clone()))
        .to_vec()
}

fn random_edits(name: &str, utf8: bool, seed: u64) {
    let mut capabilities = able();
    if utf8 {
        capabilities["general"] = json!({ "positionEncodings": ["utf-16", "utf-8"] });
    }
    let mut editor = Editor::greeting(name, capabilities, json!({}));
    let mut random = Random::new(seed);
    let mut text =
        "action go;\r\n\nprocess P {\n    init state s; // 🙂\n    s -> s : go;\n}\n".to_owned();
    editor.open("edited.pnet", &text);
    for version in 2..40 {
        let mut changes = Vec::new();
        for _ in 0..1 + random.below(3) {
            let places = places(&text);
            let (one, other) = (*random.pick(&places), *random.pick(&places));
            let (start, mut end) = (one.min(other), one.max(other));
            // Most edits are small.
            if !random.one_in(4) {
                end = *places.iter().filter(|&&at| at >= start && at <= start + 3).max().unwrap();
            }
            let new: String = (0..random.below(4)).map(|_| *random.pick(&LETTERS)).collect();
            let range =
                json!({ "start": point(&text, start, utf8), "end": point(&text, end, utf8) });
            changes.push(json!({ "range": range, "text": new }));
            text.replace_range(start..end, &new);
        }
        editor.edit("edited.pnet", version, Value::Array(changes));
        let wrong = editor.diagnostics("edited.pnet");
        // Another text that is opened as a whole is known in the same way.
        let whole = editor.open("whole.pnet", &text);
        let strip = |all: &[Value]| {
            let text = serde_json::to_string(all).unwrap();
            text.replace("edited.pnet", "whole.pnet")
        };
        assert_eq!(strip(&wrong), strip(&whole), "seed {seed}, version {version}: {text:?}");
        let (one, other) = (known(&mut editor, "edited.pnet"), known(&mut editor, "whole.pnet"));
        assert_eq!(one, other, "seed {seed}, version {version}: {text:?}");
        editor.tell(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": editor.uri("whole.pnet") } }),
        );
        editor.diagnostics("whole.pnet");
    }
    assert_eq!(editor.complaints(), Vec::<String>::new());
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_text_that_was_edited_is_the_text_as_a_whole() {
    random_edits("utf16", false, 1);
    random_edits("utf16_again", false, 2);
}

#[test]
fn units_are_bytes_where_the_editor_offers_them() {
    random_edits("utf8", true, 3);
}

#[test]
fn encodings_are_those_that_were_offered() {
    for (offered, chosen) in [
        (json!({}), "utf-16"),
        (json!({ "general": { "positionEncodings": ["utf-16"] } }), "utf-16"),
        (json!({ "general": { "positionEncodings": ["utf-32", "utf-16", "utf-8"] } }), "utf-8"),
    ] {
        let mut editor = Editor::spawn("encodings");
        let answer = editor.ask("initialize", json!({ "capabilities": offered }));
        assert_eq!(answer["capabilities"]["positionEncoding"], chosen);
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn places_behind_wide_letters_and_all_ends_of_lines_are_right() {
    for end in ["\n", "\r\n"] {
        let text = [
            "/* 🙂🙂 */ action gö, stop; /* 語 */ const c: Int = d;",
            "// 🙂",
            "process P { init state s; s -> s : gö; s -> s : stop; }",
            "",
        ]
        .join(end);
        let mut editor = Editor::new("wide");
        let wrong = editor.open("a.pnet", &text);
        let wrong = wrong.iter().find(|one| one["severity"] == 1).unwrap();
        assert_eq!(covered(&text, &wrong["range"]), "d");
        let asked = editor.at("a.pnet", &text, ": gö", 2);
        let found = editor.ask("textDocument/definition", asked.clone());
        assert_eq!(found["range"]["start"], position(&text, text.find("gö").unwrap()));
        let mut asked = asked;
        asked["newName"] = json!("grün");
        let changes = editor.ask("textDocument/rename", asked);
        let edits = &changes["changes"][editor.uri("a.pnet")];
        let after = crate::common::lsp::edited(&text, edits);
        assert_eq!(after, text.replace("gö", "grün"));
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn places_for_random_texts_are_well_made() {
    // The generator must reach the ends of lines that matter.
    let text = "a\r\nb\rc🙂\n";
    assert_eq!(places(text), [0, 1, 3, 4, 5, 6, 10, 11]);
    assert_eq!(point(text, 10, false), json!({ "line": 2, "character": 3 }));
    assert_eq!(point(text, 10, true), json!({ "line": 2, "character": 5 }));
}

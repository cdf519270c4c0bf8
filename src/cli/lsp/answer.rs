//! Requests that are answered at once.

use lsp_server::ErrorCode;
use serde_json::{Value, json};

use super::diagnose::wanted;
use super::state::{Open, State};
use super::text::path_of;
use crate::diagnostics::{Diagnostic, Span, Suggestion};
use crate::editor::{self, Outlined};
use crate::model::Checked;
use crate::outcome::Verdict;
use crate::sema::NameKind;
use crate::syntax::format;

/// What came of a request.
type Answer = Result<Value, (ErrorCode, String)>;

/// What the server can do.
pub(super) fn capabilities(utf8: bool) -> Value {
    json!({
        "positionEncoding": if utf8 { "utf-8" } else { "utf-16" },
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "documentFormattingProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": [".", ":", "<"] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
        "codeLensProvider": { "resolveProvider": false },
        "inlayHintProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": editor::TOKEN_KINDS, "tokenModifiers": ["declaration"] },
            "full": true,
        },
        "executeCommandProvider": {
            "commands": ["pnet.verify", "pnet.checks", "pnet.play"],
            "workDoneProgress": true,
        },
    })
}

/// A request about a place of an open text.
struct Asked<'a> {
    state: &'a State,
    uri: &'a str,
    checked: &'a Checked,
    params: &'a Value,
}

/// Answers a request.
pub(super) fn answer(state: &mut State, method: &str, params: &Value) -> Answer {
    match method {
        "workspace/symbol" => return Ok(workspace_symbols(state, params)),
        "workspace/executeCommand" => return command(state, params),
        _ => {}
    }
    if !method.starts_with("textDocument/") {
        return Err((ErrorCode::MethodNotFound, format!("`{method}` is not known")));
    }
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or("");
    let Some(checked) = state.checked(uri) else { return Ok(Value::Null) };
    let asked = Asked { state, uri, checked: &checked, params };
    match method {
        "textDocument/hover" => Ok(asked.hover().unwrap_or_default()),
        "textDocument/definition" => Ok(asked.definition().unwrap_or_default()),
        "textDocument/references" => Ok(asked.references()),
        "textDocument/documentHighlight" => Ok(asked.highlights()),
        "textDocument/documentSymbol" => Ok(asked.symbols()),
        "textDocument/foldingRange" => Ok(asked.folds()),
        "textDocument/selectionRange" => Ok(asked.selections()),
        "textDocument/formatting" => asked.formatting(),
        "textDocument/prepareRename" => asked.prepare_rename(),
        "textDocument/rename" => asked.rename(),
        "textDocument/completion" => Ok(asked.completions()),
        "textDocument/signatureHelp" => Ok(asked.signature().unwrap_or_default()),
        "textDocument/codeAction" => Ok(asked.actions()),
        "textDocument/codeLens" => Ok(asked.lenses()),
        "textDocument/inlayHint" => Ok(asked.hints()),
        "textDocument/semanticTokens/full" => Ok(asked.tokens()),
        _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
    }
}

/// Commands that take no time.
fn command(state: &State, params: &Value) -> Answer {
    let argument = |at: usize| params.get("arguments").and_then(|all| all.get(at));
    let uri = argument(0).and_then(Value::as_str).unwrap_or("");
    match params.get("command").and_then(Value::as_str) {
        Some("pnet.checks") => Ok(state.statuses(uri)),
        Some("pnet.play") => {
            let place = argument(1).and_then(Value::as_u64).unwrap_or(0);
            let checks = state.statuses(uri);
            let check = checks.as_array().and_then(|all| all.get(place as usize)).cloned();
            let check =
                check.ok_or((ErrorCode::InvalidParams, "there is no such check".to_owned()))?;
            let lines = check["evidence"].as_array().cloned().unwrap_or_default();
            let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
            let text = format!("{}\n{}", check["reason"].as_str().unwrap_or(""), lines.join("\n"));
            state.notify("window/showMessage", json!({ "type": 3, "message": text }));
            Ok(json!(text))
        }
        other => {
            let why = format!("`{}` is no command of pnet", other.unwrap_or(""));
            Err((ErrorCode::InvalidParams, why))
        }
    }
}

fn workspace_symbols(state: &State, params: &Value) -> Value {
    let query = params.get("query").and_then(Value::as_str).unwrap_or("").to_lowercase();
    let mut all: Vec<Value> = Vec::new();
    let mut uris: Vec<&String> = state.documents.keys().collect();
    uris.sort();
    for uri in uris {
        let Some(checked) = state.checked(uri) else { continue };
        for symbol in editor::outline(&checked) {
            if !symbol.name.to_lowercase().contains(&query) {
                continue;
            }
            let Some(location) = state.place(&checked, symbol.place) else { continue };
            let kind = symbol_kind(symbol.kind);
            all.push(json!({ "name": symbol.name, "kind": kind, "location": location }));
        }
    }
    json!(all)
}

impl State {
    /// The claims of an open text with what is known of them; what was found in another text is old.
    pub fn statuses(&self, uri: &str) -> Value {
        let Some(checked) = self.checked(uri) else { return json!([]) };
        let now = editor::fingerprint(&checked);
        let one = |claim: editor::Claim| {
            let known = self.answers.get(&(checked.root.clone(), claim.text.clone()));
            let range = self.place(&checked, claim.span).map(|place| place["range"].clone());
            let mut value = json!({
                "place": claim.place,
                "text": claim.text,
                "range": range,
                "kind": if claim.is_scenario { "scenario" } else { "check" },
                "status": "unchecked",
            });
            if let Some(known) = known {
                let is_old = known.fingerprint != now;
                value["status"] = json!(if is_old { "old" } else { known.verdict.word() });
                value["verdict"] = json!(known.verdict.word());
                value["seconds"] = json!(known.seconds);
                value["reason"] = json!(known.reason);
                value["evidence"] = json!(known.evidence);
            }
            value
        };
        Value::Array(editor::claims(&checked).into_iter().map(one).collect())
    }
}

impl Asked<'_> {
    fn offset(&self) -> Option<u32> {
        self.state.offset(self.checked, self.uri, self.params.get("position")?)
    }

    fn range(&self, span: Span) -> Value {
        let file = self.checked.sources.file_of(span);
        file.map(|file| self.state.range(file, span)).unwrap_or_default()
    }

    fn hover(&self) -> Option<Value> {
        let (words, span) = editor::hover(self.checked, self.offset()?)?;
        let contents = json!({ "kind": "markdown", "value": words });
        Some(json!({ "contents": contents, "range": self.range(span) }))
    }

    fn definition(&self) -> Option<Value> {
        let declared = editor::definition(self.checked, self.offset()?)?;
        self.state.place(self.checked, declared)
    }

    fn references(&self) -> Value {
        let Some(offset) = self.offset() else { return json!([]) };
        let pointer = self.params.pointer("/context/includeDeclaration");
        let declarations = pointer.and_then(Value::as_bool).unwrap_or(true);
        let all = editor::references(self.checked, offset).into_iter();
        let all = all.filter(|one| declarations || !one.declares);
        Value::Array(all.filter_map(|one| self.state.place(self.checked, one.span)).collect())
    }

    fn highlights(&self) -> Value {
        let (Some(offset), Some(root)) = (self.offset(), editor::root(self.checked)) else {
            return json!([]);
        };
        let all = editor::references(self.checked, offset).into_iter();
        let here = all.filter(|one| root.span().contains(one.span));
        let one = |one: crate::sema::Occurrence| json!({ "range": self.range(one.span), "kind": if one.declares { 3 } else { 2 } });
        Value::Array(here.map(one).collect())
    }

    fn symbols(&self) -> Value {
        let all = editor::outline(self.checked);
        Value::Array(all.iter().map(|one| self.symbol(one)).collect())
    }

    fn symbol(&self, symbol: &Outlined) -> Value {
        json!({
            "name": symbol.name,
            "detail": symbol.kind.in_words(),
            "kind": symbol_kind(symbol.kind),
            "range": self.range(symbol.span),
            "selectionRange": self.range(symbol.place),
            "children": symbol.inside.iter().map(|one| self.symbol(one)).collect::<Vec<_>>(),
        })
    }

    fn folds(&self) -> Value {
        let Some(document) = self.state.documents.get(self.uri) else { return json!([]) };
        let line = |at: u32| document.text.position(at as usize, true)["line"].clone();
        let all = editor::folds(&document.text.text).into_iter().filter_map(|(span, comment)| {
            let (start, end) = (line(span.start), line(span.end));
            let kind = if comment { "comment" } else { "region" };
            (start != end).then(|| json!({ "startLine": start, "endLine": end, "kind": kind }))
        });
        Value::Array(all.collect())
    }

    fn selections(&self) -> Value {
        let positions = self.params.get("positions").and_then(Value::as_array);
        let one = |position: &Value| {
            let offset = self.state.offset(self.checked, self.uri, position)?;
            let around = editor::selections(self.checked, offset);
            let nest = |outer: Option<Value>, span: &Span| {
                let mut value = json!({ "range": self.range(*span) });
                if let Some(outer) = outer {
                    value["parent"] = outer;
                }
                Some(value)
            };
            around.iter().rev().fold(None, nest)
        };
        let all = positions.into_iter().flatten();
        Value::Array(all.map(|position| one(position).unwrap_or_default()).collect())
    }

    fn formatting(&self) -> Answer {
        let Some(document) = self.state.documents.get(self.uri) else { return Ok(Value::Null) };
        let text = &document.text.text;
        let Ok(new) = format::format(text) else {
            let why = "a text with mistakes in its syntax is not formatted".to_owned();
            return Err((ErrorCode::RequestFailed, why));
        };
        if new == *text {
            return Ok(json!([]));
        }
        let range = document.text.range(0..text.len(), self.state.utf8);
        Ok(json!([{ "range": range, "newText": new }]))
    }

    fn prepare_rename(&self) -> Answer {
        let Some(offset) = self.offset() else { return Ok(Value::Null) };
        match editor::renameable(self.checked, offset) {
            Ok(name) => {
                Ok(json!({ "range": self.range(name.span), "placeholder": name.name.as_str() }))
            }
            Err(why) => Err((ErrorCode::RequestFailed, why.to_string())),
        }
    }

    fn rename(&self) -> Answer {
        let Some(offset) = self.offset() else { return Ok(Value::Null) };
        let new = self.params.get("newName").and_then(Value::as_str).unwrap_or("");
        let open = Open(&self.state.documents);
        let refused = |why: String| (ErrorCode::RequestFailed, why);
        let edits = editor::rename(self.checked, &open, offset, new)
            .map_err(|why| refused(why.to_string()))?;
        // Other open texts may use the name, too: the edits of all of them, each once.
        let declared = editor::definition(self.checked, offset).unwrap_or_default();
        let place = self.state.place(self.checked, declared);
        let fix = Suggestion { message: String::new(), edits };
        let mut changes = self
            .state
            .workspace_edit(self.checked, &[&fix])
            .ok_or_else(|| refused("the standard library cannot be changed".to_owned()))?;
        for other in self.state.documents.keys().filter(|other| *other != self.uri) {
            let Some(theirs) = self.state.checked(other) else { continue };
            let there = theirs
                .program
                .occurrences
                .iter()
                .find(|one| one.declares && self.state.place(&theirs, one.span) == place);
            let Some(there) = there else { continue };
            let edits = editor::rename(&theirs, &open, there.span.start, new)
                .map_err(|why| refused(format!("in `{}`: {why}", path_of(other))))?;
            let fix = Suggestion { message: String::new(), edits };
            let more = self.state.workspace_edit(&theirs, &[&fix]).unwrap_or_default();
            let mine = changes["changes"].as_object_mut();
            if let (Some(mine), Some(more)) = (mine, more["changes"].as_object()) {
                for (uri, edits) in more {
                    mine.entry(uri.clone()).or_insert_with(|| edits.clone());
                }
            }
        }
        Ok(changes)
    }

    fn completions(&self) -> Value {
        let Some(offset) = self.offset() else { return json!([]) };
        let one = |one: editor::Completion| {
            json!({
                "label": one.label,
                "insertText": one.text,
                "insertTextFormat": if one.is_snippet { 2 } else { 1 },
                "kind": match one.kind {
                    None if one.is_snippet => 15,
                    None => 14,
                    Some(kind) => completion_kind(kind),
                },
                "detail": one.kind.map(NameKind::in_words),
            })
        };
        let all = editor::completions(self.checked, offset);
        Value::Array(all.into_iter().map(one).collect())
    }

    fn signature(&self) -> Option<Value> {
        let (label, parameters, at) = editor::parameters(self.checked, self.offset()?)?;
        let parameters: Vec<Value> = parameters.iter().map(|one| json!({ "label": one })).collect();
        let signature = json!({ "label": label, "parameters": parameters });
        Some(json!({ "signatures": [signature], "activeSignature": 0, "activeParameter": at }))
    }

    fn actions(&self) -> Value {
        let end = |key: &str| {
            let position = self.params.pointer(&format!("/range/{key}"))?;
            self.state.offset(self.checked, self.uri, position)
        };
        let (Some(start), Some(end)) = (end("start"), end("end")) else { return json!([]) };
        let only = self.params.pointer("/context/only").and_then(Value::as_array);
        let asked = |kind: &str| {
            only.is_none_or(|only| {
                only.iter().filter_map(Value::as_str).any(|one| kind.starts_with(one))
            })
        };
        let here =
            |one: &&Diagnostic| wanted(one) && one.span().start <= end && start <= one.span().end;
        let mut all = Vec::new();
        if asked("quickfix") {
            for one in self.checked.diagnostics.iter().filter(here) {
                for fix in &one.suggestions {
                    if let Some(edit) = self.state.workspace_edit(self.checked, &[fix]) {
                        let preferred = one.suggestions.len() == 1;
                        all.push(json!({
                            "title": fix.message, "kind": "quickfix", "edit": edit,
                            "isPreferred": preferred,
                        }));
                    }
                }
            }
        }
        let fixes = self.all_fixes();
        if asked("source.fixAll")
            && !fixes.is_empty()
            && let Some(edit) = self.state.workspace_edit(self.checked, &fixes)
        {
            let title = "fix all that has one suggestion";
            all.push(json!({ "title": title, "kind": "source.fixAll", "edit": edit }));
        }
        Value::Array(all)
    }

    /// The suggestions of diagnostics that have only one, which do not touch each other.
    fn all_fixes(&self) -> Vec<&Suggestion> {
        let (mut fixes, mut taken): (Vec<&Suggestion>, Vec<Span>) = (Vec::new(), Vec::new());
        for one in self.checked.diagnostics.iter().filter(|one| wanted(one)) {
            let [fix] = one.suggestions.as_slice() else { continue };
            let meets = |span: Span| {
                taken.iter().any(|known| span.start <= known.end && known.start <= span.end)
            };
            if fix.edits.iter().any(|edit| meets(edit.span)) {
                continue;
            }
            taken.extend(fix.edits.iter().map(|edit| edit.span));
            fixes.push(fix);
        }
        fixes
    }

    fn lenses(&self) -> Value {
        if !self.state.lenses {
            return json!([]);
        }
        let statuses = self.state.statuses(self.uri);
        let mut all = Vec::new();
        for status in statuses.as_array().into_iter().flatten() {
            let arguments = json!([self.uri, status["place"]]);
            let seconds = status["seconds"].as_f64().unwrap_or(0.0);
            let verdict = status["status"].as_str().unwrap_or("");
            let (title, command) = match verdict {
                "unchecked" => ("verify".to_owned(), "pnet.verify"),
                "old" => ("old: verify again".to_owned(), "pnet.verify"),
                word if word == Verdict::Proved.word() => {
                    (format!("proved · {seconds:.1} s"), "pnet.verify")
                }
                word if word == Verdict::Refuted.word() => {
                    ("refuted: show the play".to_owned(), "pnet.play")
                }
                _ => ("unknown: verify again".to_owned(), "pnet.verify"),
            };
            let command = json!({ "title": title, "command": command, "arguments": arguments });
            all.push(json!({ "range": status["range"], "command": command }));
        }
        Value::Array(all)
    }

    fn hints(&self) -> Value {
        let Some(root) = editor::root(self.checked).filter(|_| self.state.hints) else {
            return json!([]);
        };
        let end = |key: &str| {
            let position = self.params.pointer(&format!("/range/{key}"))?;
            self.state.offset(self.checked, self.uri, position)
        };
        let within = match (end("start"), end("end")) {
            (Some(start), Some(end)) => Span::new(start, end),
            _ => root.span(),
        };
        let one = |(at, label): (u32, String)| {
            let position = self.range(Span::new(at, at))["start"].clone();
            json!({ "position": position, "label": label, "kind": 1 })
        };
        Value::Array(editor::hints(self.checked, within).into_iter().map(one).collect())
    }

    fn tokens(&self) -> Value {
        let number = |value: &Value, key: &str| value[key].as_u64().unwrap_or(0);
        let (mut line, mut character, mut data) = (0, 0, Vec::new());
        for token in editor::tokens(self.checked) {
            let range = self.range(token.span);
            let (start, end) = (&range["start"], &range["end"]);
            // Editors want no token of several lines.
            if start["line"] != end["line"] {
                continue;
            }
            let (new, at) = (number(start, "line"), number(start, "character"));
            let long = number(end, "character").saturating_sub(at);
            let before = if new == line { character } else { 0 };
            let declares = u64::from(token.declares);
            data.extend([new - line, at - before, long, token.kind as u64, declares]);
            (line, character) = (new, at);
        }
        json!({ "data": data })
    }
}

/// The protocol's number for a kind of symbol.
fn symbol_kind(kind: NameKind) -> u32 {
    match kind {
        NameKind::Function | NameKind::Relation | NameKind::Property => 12,
        NameKind::Constant => 14,
        NameKind::Constructor | NameKind::State => 22,
        NameKind::Field => 8,
        NameKind::Action => 24,
        NameKind::Sort => 10,
        NameKind::Interface => 11,
        NameKind::Process | NameKind::Architecture | NameKind::Connector => 5,
        NameKind::Net | NameKind::Module => 2,
        NameKind::Hole | NameKind::Part | NameKind::Local(_) => 13,
    }
}

/// The protocol's number for a kind of completion.
fn completion_kind(kind: NameKind) -> u32 {
    match kind {
        NameKind::Function | NameKind::Relation | NameKind::Property => 3,
        NameKind::Constant => 21,
        NameKind::Constructor | NameKind::State => 20,
        NameKind::Field => 5,
        NameKind::Action => 23,
        NameKind::Sort => 22,
        NameKind::Interface => 8,
        NameKind::Process | NameKind::Architecture | NameKind::Connector => 7,
        NameKind::Net | NameKind::Module => 9,
        NameKind::Hole | NameKind::Part | NameKind::Local(_) => 6,
    }
}

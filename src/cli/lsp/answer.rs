//! Requests that are answered at once.

use std::collections::BTreeMap;

use lsp_server::ErrorCode;
use serde_json::{Value, json};

use super::diagnose::wanted;
use super::state::State;
use super::uri::path_of;
use crate::diagnostics::{Diagnostic, Span, Suggestion};
use crate::editor::{self, Outlined};
use crate::model::Checked;
use crate::sema::{NameKind, Occurrence};
use crate::syntax::format;

/// What came of a request.
pub(super) type Answer = Result<Value, (ErrorCode, String)>;

/// Commands that are answered at once; `work.rs` and `show.rs` have the others.
pub(super) const COMMANDS: [&str; 8] = [
    "pnet.verify",
    "pnet.checks",
    "pnet.nets",
    "pnet.play",
    "pnet.picture",
    "pnet.automaton",
    "pnet.explore",
    "pnet.ask",
];

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
        "completionProvider": { "triggerCharacters": [".", ":", "<", "\"", "/"] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
        "codeLensProvider": { "resolveProvider": false },
        "inlayHintProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": editor::TOKEN_KINDS, "tokenModifiers": ["declaration"] },
            "full": true,
        },
        "executeCommandProvider": { "commands": COMMANDS, "workDoneProgress": true },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    })
}

/// A request about a place of an open text.
pub(super) struct Asked<'a> {
    pub state: &'a State,
    pub path: &'a str,
    pub checked: &'a Checked,
    pub params: &'a Value,
}

/// Answers a request.
pub(super) fn answer(state: &mut State, method: &str, params: &Value) -> Answer {
    match method {
        "workspace/symbol" => return Ok(super::names::workspace_symbols(state, params)),
        "workspace/executeCommand" => return super::lenses::command(state, params),
        _ => {}
    }
    if !method.starts_with("textDocument/") {
        return Err((ErrorCode::MethodNotFound, format!("`{method}` is not known")));
    }
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
    let uri = uri.ok_or((ErrorCode::InvalidParams, "the URI of a text is missing".to_owned()))?;
    let path = path_of(uri);
    if method == "textDocument/codeLens" {
        return Ok(super::lenses::lenses(state, &path));
    }
    let Some(checked) = state.checked(&path) else { return Ok(Value::Null) };
    let asked = Asked { state, path: &path, checked: &checked, params };
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
        "textDocument/inlayHint" => Ok(asked.hints()),
        "textDocument/semanticTokens/full" => Ok(asked.tokens()),
        _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
    }
}

impl Asked<'_> {
    pub fn offset(&self) -> Option<u32> {
        self.state.offset(self.checked, self.path, self.params.get("position")?)
    }

    pub fn range(&self, span: Span) -> Value {
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

    fn highlights(&self) -> Value {
        let (Some(offset), Some(root)) = (self.offset(), editor::root(self.checked)) else {
            return json!([]);
        };
        let all = editor::references(self.checked, offset).into_iter();
        let here = all.filter(|one| root.span().contains(one.span));
        let one = |one: Occurrence| {
            let kind = if one.declares { 3 } else { 2 };
            json!({ "range": self.range(one.span), "kind": kind })
        };
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
        let Some(document) = self.state.documents.get(self.path) else { return json!([]) };
        let line = |at: u32| document.text.point(at as usize, true).line;
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
            let offset = self.state.offset(self.checked, self.path, position)?;
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
        let Some(document) = self.state.documents.get(self.path) else { return Ok(Value::Null) };
        let text = &document.text.text;
        let Ok(new) = format::format(text) else {
            let why = "a text with mistakes in its syntax is not formatted".to_owned();
            return Err((ErrorCode::RequestFailed, why));
        };
        let edit = |(bytes, new): (std::ops::Range<usize>, String)| json!({ "range": document.text.range(bytes, self.state.client.utf8), "newText": new });
        Ok(Value::Array(editor::layout(text, &new).into_iter().map(edit).collect()))
    }

    fn completions(&self) -> Value {
        let Some(offset) = self.offset() else { return json!([]) };
        let snippets = self.state.client.snippets;
        let one = |one: editor::Completion| {
            let is_snippet = one.is_snippet && snippets;
            // Where there are no snippets, the word alone is written.
            let text = if one.is_snippet && !snippets { &one.label } else { &one.text };
            let mut value = json!({
                "label": one.label,
                "filterText": one.text,
                "insertTextFormat": if is_snippet { 2 } else { 1 },
                "textEdit": { "range": self.range(one.replaces), "newText": text },
                "kind": match one.kind {
                    None if is_snippet => 15,
                    None => 14,
                    Some(kind) => completion_kind(kind),
                },
            });
            if one.is_snippet {
                value["filterText"] = json!(one.label);
            }
            if let Some(kind) = one.kind {
                value["detail"] = json!(kind.in_words());
            }
            value
        };
        let all = editor::completions(self.checked, offset, &self.siblings());
        Value::Array(all.into_iter().map(one).collect())
    }

    /// The models beside the text.
    fn siblings(&self) -> Vec<String> {
        let Some((folder, own)) = self.path.rsplit_once('/') else { return Vec::new() };
        let entries = std::fs::read_dir(format!("{folder}/")).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> =
            names.filter(|name| name.ends_with(".pnet") && name != own).collect();
        names.sort();
        names
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
            self.state.offset(self.checked, self.path, position)
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
        let (mut fixes, mut taken) = (Vec::new(), BTreeMap::new());
        for one in self.checked.diagnostics.iter().filter(|one| wanted(one)) {
            let [fix] = one.suggestions.as_slice() else { continue };
            // Those that are taken do not touch each other: only the last one before the end can touch.
            let meets = |span: Span| {
                let before = taken.range(..=span.end).next_back();
                before.is_some_and(|(_, end)| span.start <= *end)
            };
            if fix.edits.iter().any(|edit| meets(edit.span)) {
                continue;
            }
            for Span { start, end } in fix.edits.iter().map(|edit| edit.span) {
                let known = taken.entry(start).or_insert(end);
                *known = end.max(*known);
            }
            fixes.push(fix);
        }
        fixes
    }

    fn hints(&self) -> Value {
        let Some(root) = editor::root(self.checked).filter(|_| self.state.settings.hints) else {
            return json!([]);
        };
        let end = |key: &str| {
            let position = self.params.pointer(&format!("/range/{key}"))?;
            self.state.offset(self.checked, self.path, position)
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
        let (Some(document), Some(root)) =
            (self.state.documents.get(self.path), editor::root(self.checked))
        else {
            return Value::Null;
        };
        let all = editor::tokens(self.checked);
        let ends = all.iter().flat_map(|one| {
            let bytes = root.range(one.span);
            [bytes.start, bytes.end]
        });
        let points = document.text.points(ends, self.state.client.utf8);
        let (mut line, mut character) = (0, 0);
        let mut data = Vec::with_capacity(all.len() * 5);
        for (token, ends) in all.iter().zip(points.chunks_exact(2)) {
            let (start, end) = (ends[0], ends[1]);
            // Editors want no token of several lines.
            if start.line != end.line {
                continue;
            }
            let before = if start.line == line { character } else { 0 };
            let long = end.character - start.character;
            let declares = usize::from(token.declares);
            data.extend([start.line - line, start.character - before, long, token.kind, declares]);
            (line, character) = (start.line, start.character);
        }
        json!({ "data": data })
    }
}

/// The protocol's number for a kind of symbol.
pub(super) fn symbol_kind(kind: NameKind) -> u32 {
    match kind {
        NameKind::Function | NameKind::Relation | NameKind::Property | NameKind::Rule => 12,
        NameKind::Constant => 14,
        NameKind::Constructor | NameKind::State => 22,
        NameKind::Field => 8,
        NameKind::Action => 24,
        NameKind::Sort => 10,
        NameKind::Interface => 11,
        NameKind::Process | NameKind::Architecture | NameKind::Connector => 5,
        NameKind::Net | NameKind::Module => 2,
        NameKind::Hole
        | NameKind::Part
        | NameKind::Port
        | NameKind::Joint
        | NameKind::Fixpoint
        | NameKind::Local(_) => 13,
    }
}

/// The protocol's number for a kind of completion.
fn completion_kind(kind: NameKind) -> u32 {
    match kind {
        NameKind::Function | NameKind::Relation | NameKind::Property | NameKind::Rule => 3,
        NameKind::Constant => 21,
        NameKind::Constructor | NameKind::State => 20,
        NameKind::Field => 5,
        NameKind::Action => 23,
        NameKind::Sort => 22,
        NameKind::Interface => 8,
        NameKind::Process | NameKind::Architecture | NameKind::Connector => 7,
        NameKind::Net | NameKind::Module => 9,
        NameKind::Hole
        | NameKind::Part
        | NameKind::Port
        | NameKind::Joint
        | NameKind::Fixpoint
        | NameKind::Local(_) => 6,
    }
}

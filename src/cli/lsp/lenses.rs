//! What stands above claims and nets, and the commands behind it.

use lsp_server::ErrorCode;
use serde_json::{Value, json};

use super::answer::Answer;
use super::state::State;
use super::uri::path_of;
use crate::editor;
use crate::model::Checked;
use crate::outcome::Verdict;

/// Commands that take no time.
pub(super) fn command(state: &mut State, params: &Value) -> Answer {
    let wrong = |why: &str| (ErrorCode::InvalidParams, why.to_owned());
    let argument = |at: usize| params.get("arguments").and_then(|all| all.get(at));
    let name = params.get("command").and_then(Value::as_str).unwrap_or("");
    if !matches!(name, "pnet.checks" | "pnet.nets" | "pnet.play") {
        return Err((ErrorCode::InvalidParams, format!("`{name}` is no command of pnet")));
    }
    let uri = argument(0).and_then(Value::as_str);
    let path = path_of(uri.ok_or_else(|| wrong("give the URI of a text"))?);
    let failed = |why: String| (ErrorCode::RequestFailed, why);
    match name {
        "pnet.checks" => state.statuses(&path).map_err(failed),
        "pnet.nets" => {
            let checked = state.newest(&path).map_err(failed)?;
            let one = |net: editor::NetPlace| {
                let range = state.place(&checked, net.span).map(|place| place["range"].clone());
                json!({ "name": net.name, "range": range })
            };
            Ok(editor::nets(&checked).into_iter().map(one).collect())
        }
        _ => {
            let checks = state.statuses(&path).map_err(failed)?;
            let place = argument(1).and_then(Value::as_u64).unwrap_or(0);
            let check = checks.as_array().and_then(|all| all.get(place as usize));
            let check = check.ok_or_else(|| wrong("there is no such check"))?;
            play(state, check)
        }
    }
}

/// Shows what backs a verdict.
fn play(state: &mut State, check: &Value) -> Answer {
    let Some(reason) = check["reason"].as_str() else {
        let why = "this check was not verified: verify it first".to_owned();
        return Err((ErrorCode::RequestFailed, why));
    };
    let lines = check["evidence"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let lines: Vec<&str> = lines.collect();
    let verdict = check["verdict"].as_str().unwrap_or("");
    let old = if check["status"] == "old" { " (of an older text)" } else { "" };
    let claim = check["text"].as_str().unwrap_or("");
    let text = format!("{claim}\n{verdict}{old}: {reason}\n{}", lines.join("\n"));
    let text = text.trim_end();
    let shown = state.show("play.txt", text);
    if shown.is_none() {
        state.notify("window/showMessage", json!({ "type": 3, "message": text }));
    }
    Ok(json!({ "text": text, "uri": shown }))
}

impl State {
    /// The claims of a file with what is known of them; what was found in other texts is old.
    pub fn statuses(&mut self, path: &str) -> Result<Value, String> {
        let checked = self.newest(path)?;
        Ok(self.statuses_of(&checked))
    }

    fn statuses_of(&self, checked: &Checked) -> Value {
        let now = editor::fingerprint(checked);
        let running = |place: usize| {
            let mut all = self.running.iter().filter(|one| one.path == checked.root);
            all.any(|one| {
                one.fingerprint == now && !one.is_stopped() && one.places.contains(&place)
            })
        };
        let one = |claim: editor::Claim| {
            let known = self.answers.get(&(checked.root.clone(), claim.text.clone()));
            let range = self.place(checked, claim.span).map(|place| place["range"].clone());
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
            if running(claim.place) {
                value["status"] = json!("running");
            }
            value
        };
        Value::Array(editor::claims(checked).into_iter().map(one).collect())
    }
}

/// The lenses of an open text.
pub(super) fn lenses(state: &mut State, path: &str) -> Value {
    if !state.settings.lenses || !state.documents.contains_key(path) {
        return json!([]);
    }
    let Ok(checked) = state.newest(path) else { return json!([]) };
    let Some(uri) = state.documents.get(path).map(|one| one.uri.clone()) else { return json!([]) };
    let mut all = Vec::new();
    let mut lens = |range: &Value, title: &str, command: &str, arguments: Value| {
        let command = json!({ "title": title, "command": command, "arguments": arguments });
        all.push(json!({ "range": range, "command": command }));
    };
    for status in state.statuses_of(&checked).as_array().into_iter().flatten() {
        let arguments = json!([uri, status["place"], status["text"]]);
        let range = &status["range"];
        let seconds = status["seconds"].as_f64().unwrap_or(0.0);
        let mut verify = |title: &str| lens(range, title, "pnet.verify", arguments.clone());
        match status["status"].as_str().unwrap_or("") {
            "unchecked" => verify("verify"),
            "running" => verify("being verified …"),
            "old" => {
                verify(&format!(
                    "old ({}): verify again",
                    status["verdict"].as_str().unwrap_or("")
                ));
            }
            word if word == Verdict::Proved.word() => verify(&format!("proved · {seconds:.1} s")),
            word if word == Verdict::Refuted.word() => {
                lens(range, "refuted: show the play", "pnet.play", arguments);
            }
            _ => {
                verify("unknown: verify again");
                lens(range, "why", "pnet.play", arguments);
            }
        }
    }
    for net in editor::nets(&checked) {
        let Some(place) = state.place(&checked, net.span) else { continue };
        let shows = [
            ("picture", "pnet.picture"),
            ("automaton", "pnet.automaton"),
            ("explore", "pnet.explore"),
        ];
        for (title, command) in shows {
            lens(&place["range"], title, command, json!([uri, net.name]));
        }
    }
    Value::Array(all)
}

//! An open automaton as rules: premises over a line, and under it what follows from them.

use std::fmt::Write;

use crate::automaton::{OpenAutomaton, StateId};

use super::facts::{facts, is_final, states};
use super::rule::{Rule, rules};
use crate::emit::wrap::wrapped;

/// No line is longer than this, if it can be broken.
const WIDEST: usize = 100;
/// Where the facts about an automaton begin.
const INDENT: usize = 15;

/// The automaton in the form of the papers: what it is made of, and a rule for each transition.
pub fn text(automaton: &OpenAutomaton) -> String {
    let mut out = format!("automaton {}\n", automaton.name);
    for (kind, texts) in facts(automaton) {
        fact(&mut out, kind, &texts.join(", "));
    }
    let names: Vec<String> = states(automaton).map(|state| state_text(automaton, state)).collect();
    fact(&mut out, "states", &format!("{}: {}", names.len(), names.join(", ")));
    fact(&mut out, "transitions", &automaton.transitions.len().to_string());
    let digits = automaton.transitions.len().to_string().len();
    let (mut source, mut tall) = (None, false);
    for (at, (transition, rule)) in automaton.transitions.iter().zip(rules(automaton)).enumerate() {
        let lines = lines(&rule);
        if source != Some(transition.source) {
            let _ = writeln!(out, "\nfrom {}", rule.source);
            source = Some(transition.source);
        } else if tall || lines.len() > 1 {
            out.push('\n');
        }
        tall = lines.len() > 1;
        let number = format!("{:>digits$}. ", at + 1);
        let indent = " ".repeat(number.len());
        for (place, line) in lines.into_iter().enumerate() {
            let before = if place == 0 { &number } else { &indent };
            let _ = writeln!(out, "  {before}{line}");
        }
    }
    out
}

fn fact(out: &mut String, kind: &str, text: &str) {
    for (at, line) in wrapped(text, WIDEST - INDENT).into_iter().enumerate() {
        let kind = if at == 0 { kind } else { "" };
        let _ = writeln!(out, "  {kind:width$}{line}", width = INDENT - 2);
    }
}

fn state_text(automaton: &OpenAutomaton, state: StateId) -> String {
    let name = automaton.state_name(state);
    match (state == automaton.initial, is_final(automaton, state)) {
        (true, true) => format!("{name} (initial, final)"),
        (true, false) => format!("{name} (initial)"),
        (false, true) => format!("{name} (final)"),
        (false, false) => name,
    }
}

/// A rule; without premises there is no line.
fn lines(rule: &Rule) -> Vec<String> {
    let mut lines = premises(rule);
    let conclusion = format!("{} --{}--> {}", rule.source, rule.action, rule.target);
    if !lines.is_empty() {
        let widest = lines.iter().chain([&conclusion]).map(|line| line.chars().count()).max();
        lines.push("-".repeat(widest.unwrap_or(0).min(WIDEST)));
    }
    lines.push(conclusion);
    lines
}

/// The premises on one line if it is wide enough, else each on its own.
fn premises(rule: &Rule) -> Vec<String> {
    let holes = rule.holes().map(|text| format!("{{{text}}}"));
    let guard = rule.guard.as_ref().map(|text| format!("[{text}]"));
    let updates = rule.updates("<-").map(|text| format!("{{{text}}}"));
    let parts: Vec<String> = holes.into_iter().chain(guard).chain(updates).collect();
    let all = parts.join(", ");
    if all.is_empty() {
        return Vec::new();
    }
    if all.chars().count() <= WIDEST {
        return vec![all];
    }
    parts.iter().flat_map(|part| broken(part)).collect()
}

/// A premise that may be too long for a line: what follows on the next lines stands further right.
fn broken(part: &str) -> Vec<String> {
    let mut lines = wrapped(part, WIDEST - 4);
    for line in lines.iter_mut().skip(1) {
        line.insert_str(0, "    ");
    }
    lines
}

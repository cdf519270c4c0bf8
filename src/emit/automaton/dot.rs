//! An open automaton as a Graphviz graph. Transitions between the same states share an arrow.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::automaton::{OpenAutomaton, StateId};
use crate::emit::dot::{escaped, quoted};

use super::facts::{facts, initial_values, is_final, states};
use super::rule::{Rule, rules};
use crate::emit::wrap::wrapped;

/// No line of a label is longer than this, if it can be broken.
const WIDEST: usize = 44;

/// The automaton as a Graphviz graph.
pub fn dot(automaton: &OpenAutomaton) -> String {
    let mut out = format!("digraph {} {{\n", quoted(automaton.name.as_str()));
    let _ = writeln!(
        out,
        "  graph [fontname=\"Helvetica\", fontsize=12, rankdir=LR, labelloc=t, labeljust=l, label={}];",
        left(&heading(automaton))
    );
    out.push_str(
        "  node [fontname=\"Helvetica\", fontsize=11, shape=box, style=\"rounded,filled\", ",
    );
    out.push_str("color=\"#3b82f6\", fillcolor=\"#dbeafe\"];\n");
    out.push_str("  edge [fontname=\"Courier\", fontsize=10, arrowsize=0.7, color=\"#64748b\"];\n");
    for state in states(automaton) {
        let rings = if is_final(automaton, state) { 2 } else { 1 };
        let name = quoted(&automaton.state_name(state));
        let _ = writeln!(out, "  s{} [peripheries={rings}, label={name}];", state.0);
    }
    let start = left(&initial_values(automaton));
    out.push_str("  start [shape=point, width=0.07, color=\"#64748b\", label=\"\"];\n");
    let _ = writeln!(out, "  start -> s{} [label={start}];", automaton.initial.0);
    for ((source, target), lines) in arrows(automaton) {
        let _ = writeln!(out, "  s{} -> s{} [label={}];", source.0, target.0, left(&lines));
    }
    out.push_str("}\n");
    out
}

/// Lines that all end at the left.
fn left(lines: &[String]) -> String {
    let ended = lines.iter().map(|line| format!("{}\\l", escaped(line)));
    format!("\"{}\"", ended.collect::<String>())
}

fn heading(automaton: &OpenAutomaton) -> Vec<String> {
    let mut lines = vec![automaton.name.to_string()];
    for (kind, texts) in facts(automaton) {
        lines.extend(wrapped(&format!("{kind} {}", texts.join(", ")), 2 * WIDEST));
    }
    lines
}

fn arrows(automaton: &OpenAutomaton) -> BTreeMap<(StateId, StateId), Vec<String>> {
    let mut arrows: BTreeMap<(StateId, StateId), Vec<String>> = BTreeMap::new();
    for (at, (transition, rule)) in automaton.transitions.iter().zip(rules(automaton)).enumerate() {
        let lines = arrows.entry((transition.source, transition.target)).or_default();
        lines.extend(label(at + 1, &rule));
    }
    arrows
}

/// The lines of one transition: what is shown, and under it what must be.
fn label(number: usize, rule: &Rule) -> Vec<String> {
    let mut lines = vec![format!("{number}. {}", rule.action)];
    let more = [("", rule.holes()), ("when ", rule.guard.clone()), ("do ", rule.updates(":="))];
    for (word, text) in more {
        let Some(text) = text else { continue };
        let broken = wrapped(&format!("{word}{text}"), WIDEST);
        let indent = |(at, line): (usize, String)| {
            if at == 0 { format!("   {line}") } else { format!("     {line}") }
        };
        lines.extend(broken.into_iter().enumerate().map(indent));
    }
    lines
}

//! Words and JSON for networks of labelled transition systems: what was restricted, and how one was put together.

use std::sync::Arc;

use serde_json::{Value, json};

use super::systems::{counted, equivalence};
use crate::network::{
    ComposeReport, ComposeStep, Controls, NamedMember, Network, NetworkPart, NotComposed,
    RefinedInterface, Smaller, SystemSize, WhyStrong,
};

/// How large a system is.
fn size(size: SystemSize) -> String {
    format!("{}, {}", counted(size.states, "state"), counted(size.transitions, "transition"))
}

fn size_object(size: SystemSize) -> Value {
    json!({ "states": size.states, "transitions": size.transitions })
}

fn quoted<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    texts.into_iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}

/// What came of a restriction, for people.
pub fn restricted_line(before: SystemSize, after: SystemSize, interface: SystemSize) -> String {
    let (before, after, interface) = (size(before), size(after), size(interface));
    format!("{before} restricted to {after}, by an interface of {interface}")
}

/// What an interface controls, for people.
pub fn controls_line(controls: &Controls) -> String {
    match controls {
        Controls::AllBut(free) if free.is_empty() => "it controls all labels".to_owned(),
        Controls::AllBut(free) => format!("it controls all labels but {}", quoted(free)),
        Controls::Only(labels) if labels.is_empty() => "it controls no label".to_owned(),
        Controls::Only(labels) => format!("it controls {}", quoted(labels)),
    }
}

/// What came of a restriction, for programs.
pub fn restricted_object(before: SystemSize, after: SystemSize, interface: SystemSize) -> Value {
    json!({
        "before": size_object(before),
        "after": size_object(after),
        "interface": size_object(interface),
    })
}

/// What an interface controls, for programs.
pub fn controls_object(controls: &Controls) -> Value {
    match controls {
        Controls::AllBut(free) => json!({ "all_but": free }),
        Controls::Only(labels) => json!({ "only": labels }),
    }
}

/// How a refined interface was made, for people.
pub fn interface_lines(interface: &RefinedInterface) -> Vec<String> {
    let neighbour = |one: &Smaller| {
        let (before, after) = (size(one.before), size(one.after));
        format!("`{}`: {before} reduced to {after} ({})", one.name, equivalence(one.by))
    };
    let mut lines: Vec<String> = interface.neighbours.iter().map(neighbour).collect();
    let product =
        SystemSize { states: interface.product.states, transitions: interface.product.transitions };
    let (before, after) = (size(product), size(interface.size));
    lines.push(format!(
        "their product: {before} reduced to {after} ({})",
        equivalence(interface.by)
    ));
    lines.push(controls_line(&interface.interface.controls));
    lines
}

/// How a refined interface was made, for programs.
pub fn interface_object(interface: &RefinedInterface) -> Value {
    let neighbour = |one: &Smaller| {
        json!({
            "name": one.name,
            "before": size_object(one.before),
            "after": size_object(one.after),
            "relation": equivalence(one.by),
        })
    };
    json!({
        "neighbours": interface.neighbours.iter().map(neighbour).collect::<Vec<_>>(),
        "product": { "states": interface.product.states, "transitions": interface.product.transitions },
        "size": size_object(interface.size),
        "relation": equivalence(interface.by),
        "controls": controls_object(&interface.interface.controls),
    })
}

fn vector(members: &[NamedMember]) -> String {
    let one = |member: &NamedMember| format!("{}: {}", member.part, member.label);
    format!("<{}>", members.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// Why a part is reduced by strong bisimilarity only.
fn why_strong(why: &WhyStrong) -> String {
    match why {
        WhyStrong::Silence { vector: members } => {
            format!("`{}` synchronises or renames its silent steps", vector(members))
        }
        WhyStrong::Stops { vector: members } => {
            format!("`{}` gives way to what it can do", vector(members))
        }
    }
}

fn step_line(step: &ComposeStep) -> String {
    let mut line = quoted(&step.parts);
    if let Some(interface) = &step.interface {
        let names = interface.neighbours.iter().map(|one| &one.name);
        line += &format!(" restricted by {} ({})", quoted(names), size(interface.size));
    }
    let (generated, reduced) = (size(step.generated), size(step.reduced));
    line += &format!(": {generated} reduced to {reduced} ({})", equivalence(step.by));
    if let Some(why) = &step.why_strong {
        line += &format!(", since {}", why_strong(why));
    }
    line
}

/// How a network was put together, for people: every step that changed something, and the largest system on the way.
pub fn report_lines(report: &ComposeReport) -> Vec<String> {
    let changes = |step: &&ComposeStep| {
        step.parts.len() > 1 || step.interface.is_some() || step.generated != step.reduced
    };
    let mut lines: Vec<String> = report.steps.iter().filter(changes).map(step_line).collect();
    lines.extend(report.too_large.iter().map(|one| format!("{}: too large", quoted(&one.parts))));
    if let Some(largest) = report.largest() {
        lines.push(format!(
            "largest on the way: {} ({}); states took {} bytes at most",
            size(largest.generated),
            quoted(&largest.parts),
            report.most_bytes()
        ));
    }
    lines
}

fn step_object(step: &ComposeStep) -> Value {
    json!({
        "parts": step.parts,
        "interface": step.interface.as_deref().map(interface_object),
        "generated": size_object(step.generated),
        "reduced": size_object(step.reduced),
        "relation": equivalence(step.by),
        "store_bytes": step.store_bytes,
        "strong_only": step.why_strong.as_ref().map(why_strong),
    })
}

/// What parts were restricted by when a network was put together: the parts, and the interface.
pub fn interfaces(report: &ComposeReport) -> Vec<(String, Arc<RefinedInterface>)> {
    let steps = report.steps.iter();
    steps
        .filter_map(|step| Some((step.parts.join(" || "), Arc::clone(step.interface.as_ref()?))))
        .collect()
}

/// How a network was put together, for programs.
pub fn report_object(report: &ComposeReport) -> Value {
    let too_large: Vec<&Vec<String>> = report.too_large.iter().map(|one| &one.parts).collect();
    json!({
        "steps": report.steps.iter().map(step_object).collect::<Vec<_>>(),
        "too_large": too_large,
        "largest": report.largest().map(|step| size_object(step.generated)),
        "store_bytes": report.most_bytes(),
    })
}

/// What is left of a network that was too large, and what to do about it.
pub fn not_composed_lines(failed: &NotComposed) -> Vec<String> {
    let mut lines = report_lines(&failed.report);
    lines.push(left_line(&failed.network));
    lines.push(
        "hide labels that nobody asks about, choose a coarser relation, or raise `--most-states` or `--memory`"
            .to_owned(),
    );
    lines
}

/// What is left to be put together, of a part of a net.
pub fn left_lines(of: &str, network: &Network) -> Vec<String> {
    vec![format!("`{of}`: {}", left_line(network))]
}

fn left_line(network: &Network) -> String {
    let left = network.parts.iter();
    let left: Vec<String> =
        left.map(|part| format!("`{}` ({})", part.name, size(SystemSize::of(&part.lts)))).collect();
    format!("left to be put together: {}", left.join(", "))
}

/// What is left of a network that was too large, for programs.
pub fn not_composed_object(failed: &NotComposed) -> Value {
    let part = |part: &NetworkPart| {
        let size = size_object(SystemSize::of(&part.lts));
        json!({ "name": part.name, "size": size })
    };
    let left: Vec<Value> = failed.network.parts.iter().map(part).collect();
    json!({ "composition": report_object(&failed.report), "left": left })
}

//! Patterns as the text of an architecture.

use std::fmt::Write;

use pnetc::parametric::{
    ComponentTypeId, NameFormula, PatternInteraction, PatternRule, StateSet, SystemPattern,
};

/// The model of an architecture `H0`; nothing where the pattern has what no model has.
pub fn model(pattern: &SystemPattern) -> Option<String> {
    let one_start = pattern.types.iter().all(|one| one.initial().count() == 1);
    if !pattern.is_exact() || !one_start {
        return None;
    }
    let mut text = String::new();
    let ports: Vec<&str> = pattern.ports.iter().map(String::as_str).collect();
    writeln!(text, "action go, {};", ports.join(", ")).unwrap();
    for (of, one) in pattern.types.enumerated() {
        writeln!(text, "process {} {{", one.label).unwrap();
        for (at, state) in one.states.enumerated() {
            let init = if state.initial { "init " } else { "" };
            let last = if state.is_final { "final " } else { "" };
            writeln!(text, "    {init}{last}state {};", name(of, at.index())).unwrap();
        }
        for step in &one.moves {
            let (from, to) = (name(of, step.from.index()), name(of, step.to.index()));
            writeln!(text, "    {from} -> {to} : {};", pattern.ports[step.port]).unwrap();
        }
        writeln!(text, "}}").unwrap();
    }
    writeln!(text, "architecture H0 {{").unwrap();
    pattern.rules.iter().for_each(|one| rule(pattern, one, &mut text));
    writeln!(text, "}}").unwrap();
    Some(text)
}

fn name(of: ComponentTypeId, state: usize) -> String {
    format!("t{}s{state}", of.index())
}

fn rule(pattern: &SystemPattern, rule: &PatternRule, text: &mut String) {
    let head = &pattern.heads[rule.head];
    let names: Vec<&str> = rule.names.iter().map(String::as_str).collect();
    let (parameters, new) = names.split_at(head.parameters);
    writeln!(text, "    rule {}({}) {{", head.label, parameters.join(", ")).unwrap();
    if !new.is_empty() {
        writeln!(text, "        new {};", new.join(", ")).unwrap();
    }
    for made in &rule.components {
        let (name, of) = (&rule.names[made.name], &pattern.types[made.of].label);
        writeln!(text, "        sub {name} = {of};").unwrap();
    }
    for one in rule.interactions.iter().filter(|one| can_be(pattern, one)) {
        let members = one
            .members
            .iter()
            .map(|member| format!("{}: {}", rule.names[member.name], pattern.ports[member.port]));
        writeln!(text, "        <{}> -> go;", members.collect::<Vec<_>>().join(", ")).unwrap();
    }
    for part in &rule.parts {
        let passed: Vec<&str> =
            part.arguments.iter().map(|name| rule.names[*name].as_str()).collect();
        writeln!(text, "        {}({});", pattern.heads[part.head].label, passed.join(", "))
            .unwrap();
    }
    for claim in &rule.nevers {
        let bad = formula(pattern, rule, &claim.bad);
        writeln!(text, "        never {}: {bad};", claim.label).unwrap();
    }
    writeln!(text, "    }}").unwrap();
}

/// What names one component twice never happens, and is an error in a text; so is what nobody can do.
fn can_be(pattern: &SystemPattern, one: &PatternInteraction) -> bool {
    let differ = one
        .members
        .iter()
        .enumerate()
        .all(|(at, member)| one.members[..at].iter().all(|other| other.name != member.name));
    let can = |port| pattern.types.iter().any(|one| one.moves_by(port).next().is_some());
    differ && one.members.iter().all(|member| can(member.port))
}

fn formula(pattern: &SystemPattern, rule: &PatternRule, one: &NameFormula) -> String {
    let all = |parts: &[NameFormula], between: &str| {
        let parts = parts.iter().map(|part| format!("({})", formula(pattern, rule, part)));
        parts.collect::<Vec<_>>().join(between)
    };
    match one {
        NameFormula::In(name, states) => {
            format!("{} in {{ {} }}", rule.names[*name], set(pattern, states))
        }
        NameFormula::Not(one) => format!("not ({})", formula(pattern, rule, one)),
        NameFormula::And(parts) => all(parts, " and "),
        NameFormula::Or(parts) => all(parts, " or "),
    }
}

fn set(pattern: &SystemPattern, states: &StateSet) -> String {
    let mut all = Vec::new();
    for (of, one) in pattern.types.enumerated() {
        let here = one.states.ids().filter(|state| states.has(of, *state));
        all.extend(here.map(|state| name(of, state.index())));
    }
    all.join(", ")
}

//! Rules as the text of a model.

use indexmap::{IndexMap, IndexSet};

use super::super::name::{Names, quoted};
use super::super::text::file_name;
use super::super::write::Page;
use super::component::Component;
use super::parse::{Child, RecRule, RecSystem, RuleSet, Word};

/// The model of rules and components.
pub(super) fn model(
    path: &str,
    system: &RecSystem,
    components: &IndexMap<String, Component>,
) -> String {
    let mut page = Page::default();
    page.comments([format!("Imported from {}.", file_name(path))]);
    page.gap();
    let Some(first) = system.sets.first() else { return page.finish() };
    // What the whole is called stays; a component of the same name gets another one.
    let mut names = Names::default();
    names.take(&first.name.text);
    let called: IndexMap<&str, String> =
        components.keys().map(|name| (name.as_str(), names.fresh(name))).collect();
    actions(system, components, &mut page);
    for (name, component) in components {
        process(&called[name.as_str()], component, &mut page);
    }
    let mut comments = system.comments.clone();
    page.comments(comments.before(first.name.span.start));
    let name = quoted(&first.name.text);
    page.line(&format!("architecture {name} {{"));
    for set in &system.sets {
        for (at, rule) in set.rules.iter().enumerate() {
            page.gap();
            let start = if at == 0 { set.name.span.start } else { rule.id.span.start };
            page.comments(comments.before(start.max(rule.id.span.start)));
            write_rule(set, rule, &called, &mut page);
        }
    }
    page.comments(comments.rest());
    page.line("}");
    page.gap();
    page.line(&format!("check deadlock_free({name});"));
    page.finish()
}

/// What an interaction shows: the names of its ports.
fn label(interaction: &[(Word, Word)]) -> String {
    let ports: Vec<&str> = interaction.iter().map(|(_, port)| port.text.as_str()).collect();
    ports.join("_")
}

fn actions(system: &RecSystem, components: &IndexMap<String, Component>, page: &mut Page) {
    let reached = components.values().flat_map(|component| {
        let reached = component.reached();
        let steps = component.transitions.iter();
        steps.filter(move |(from, _, _)| reached.contains(from.as_str())).map(|(_, _, port)| port)
    });
    let ports: IndexSet<String> = reached.cloned().collect();
    let rules = system.sets.iter().flat_map(|set| &set.rules);
    let interactions = rules.flat_map(|rule| &rule.interactions);
    let used = interactions.clone().flatten().map(|(_, port)| port.text.clone());
    let ports: IndexSet<String> = ports.into_iter().chain(used).collect();
    let labels: IndexSet<String> = interactions.map(|one| label(one)).collect();
    let labels: Vec<&String> = labels.iter().filter(|label| !ports.contains(*label)).collect();
    declare(ports.iter(), page);
    declare(labels.into_iter(), page);
}

fn declare<'n>(names: impl Iterator<Item = &'n String>, page: &mut Page) {
    let names: Vec<String> = names.map(|name| quoted(name)).collect();
    if !names.is_empty() {
        page.line(&format!("action {};", names.join(", ")));
    }
}

fn process(name: &str, component: &Component, page: &mut Page) {
    let reached = component.reached();
    page.gap();
    let left: Vec<&str> = component
        .states
        .iter()
        .map(String::as_str)
        .filter(|state| !reached.contains(state))
        .collect();
    if !left.is_empty() {
        page.comments([format!(
            "States that cannot be reached are left out: {}.",
            left.join(", ")
        )]);
    }
    page.line(&format!("process {} {{", quoted(name)));
    // A state may be called by a number in the file.
    let mut names = Names::default();
    let called: IndexMap<&str, String> =
        reached.iter().map(|state| (*state, quoted(&names.fresh(state)))).collect();
    if let Some(initial) = called.values().next() {
        page.line(&format!("init state {initial};"));
    }
    let others: Vec<&str> = called.values().skip(1).map(String::as_str).collect();
    if !others.is_empty() {
        page.line(&format!("state {};", others.join(", ")));
    }
    page.gap();
    let mut seen = IndexSet::new();
    for (from, to, port) in &component.transitions {
        let states = (called.get(from.as_str()), called.get(to.as_str()));
        let (Some(from), Some(to)) = states else { continue };
        let line = format!("{from} -> {to} : {};", quoted(port));
        if seen.insert(line.clone()) {
            page.line(&line);
        }
    }
    page.line("}");
    page.gap();
}

fn write_rule(set: &RuleSet, rule: &RecRule, called: &IndexMap<&str, String>, page: &mut Page) {
    let parameters: Vec<String> = set.parameters.all().map(|word| quoted(&word.text)).collect();
    let head = format!("rule {}({})", quoted(&set.name.text), parameters.join(", "));
    page.comments([format!("[{}]", rule.id.text)]);
    page.line(&format!("{head} {{"));
    let made = |name: &str| {
        rule.children
            .iter()
            .any(|child| matches!(child, Child::Component(one, _) if one.text == name))
    };
    let new = rule.locals.iter().filter(|word| !made(&word.text));
    let new: Vec<String> = new.map(|word| quoted(&word.text)).collect();
    if !new.is_empty() {
        page.line(&format!("new {};", new.join(", ")));
    }
    for child in &rule.children {
        if let Child::Component(name, component) = child {
            let process = called.get(component.text.as_str()).map_or("", String::as_str);
            page.line(&format!("sub {} = {};", quoted(&name.text), quoted(process)));
        }
    }
    for interaction in &rule.interactions {
        let member =
            |(name, port): &(Word, Word)| format!("{}: {}", quoted(&name.text), quoted(&port.text));
        let members: Vec<String> = interaction.iter().map(member).collect();
        page.line(&format!("<{}> -> {};", members.join(", "), quoted(&label(interaction))));
    }
    for child in &rule.children {
        if let Child::Part(symbol, given, _) = child {
            let given: Vec<String> = given.all().map(|word| quoted(&word.text)).collect();
            page.line(&format!("{}({});", quoted(&symbol.text), given.join(", ")));
        }
    }
    page.line("}");
}

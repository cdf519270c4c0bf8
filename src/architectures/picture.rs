//! The rules of an architecture as pictures show them; as a Graphviz graph, a cluster for each rule, a node for each name, and what
//! joins names.

use std::fmt::Write;

use crate::diagnostics::SourceMap;
use crate::sema::program::{ArchitectureDef, JoinDef, RuleDef};

/// The rules of an architecture, as texts.
#[derive(Clone, Debug)]
pub struct ShownRules {
    /// The name of the architecture.
    pub name: String,
    /// The rules, in the order of the text.
    pub rules: Vec<ShownRule>,
}

/// A rule, as texts. Names go by their places.
#[derive(Clone, Debug)]
pub struct ShownRule {
    /// `Chain(x, y)`
    pub title: String,
    /// The names.
    pub names: Vec<ShownName>,
    /// The vectors and connectors.
    pub joins: Vec<ShownJoin>,
    /// The parts that other rules describe, with the names that they get.
    pub parts: Vec<(String, Vec<usize>)>,
    /// What is claimed.
    pub claims: Vec<String>,
}

/// A name of a rule.
#[derive(Clone, Debug)]
pub struct ShownName {
    /// The name.
    pub text: String,
    /// The component that is made here.
    pub made: Option<String>,
    /// What can stand behind it.
    pub kinds: Vec<String>,
}

/// A vector or connector.
#[derive(Clone, Debug)]
pub struct ShownJoin {
    /// Who takes part, what it does, and whether it is a trigger, where there are any.
    pub members: Vec<(usize, String, Option<bool>)>,
    /// The name of a connector.
    pub name: Option<String>,
    /// What is shown.
    pub shows: String,
    /// When it can happen, and what goes before it.
    pub clauses: String,
    /// All of it.
    pub text: String,
}

/// The rules, as texts.
pub fn shown_rules(def: &ArchitectureDef, sources: &SourceMap) -> ShownRules {
    let rules = def.rules.iter().map(|rule| shown_rule(def, rule, sources)).collect();
    ShownRules { name: def.named.name.to_string(), rules }
}

fn shown_rule(def: &ArchitectureDef, rule: &RuleDef, sources: &SourceMap) -> ShownRule {
    let kind = |kind: usize| def.kinds[kind].text.clone();
    let head = |head: usize| def.heads[head].name.name.to_string();
    let names = rule.names.iter().enumerate().map(|(at, name)| ShownName {
        text: name.ident.name.to_string(),
        made: rule.made.iter().find(|made| made.name == at).map(|made| kind(made.kind)),
        kinds: def.classes[name.class].iter().map(|&one| kind(one)).collect(),
    });
    let names: Vec<ShownName> = names.collect();
    let parameters: Vec<&str> =
        names[..rule.parameters].iter().map(|name| name.text.as_str()).collect();
    let claims = rule.nevers.iter().map(|claim| statement(sources.text(claim.span)));
    ShownRule {
        title: format!("{}({})", head(rule.head), parameters.join(", ")),
        joins: rule.joins.iter().map(|join| shown_join(join, sources)).collect(),
        parts: rule.parts.iter().map(|part| (head(part.head), part.names.clone())).collect(),
        claims: claims.collect(),
        names,
    }
}

fn shown_join(join: &JoinDef, sources: &SourceMap) -> ShownJoin {
    let members = join.members.iter().map(|member| {
        let action = one_line(sources.text(member.action));
        (member.name, action, member.trigger)
    });
    ShownJoin {
        members: members.collect(),
        name: join.name.map(|name| name.name.to_string()),
        shows: one_line(sources.text(join.shows)),
        clauses: statement(sources.text(join.clauses)),
        text: one_line(sources.text(join.span)),
    }
}

/// A text without what is between its lines.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A statement without its end.
fn statement(text: &str) -> String {
    one_line(text).trim_end_matches(';').trim().to_owned()
}

/// The rules as a Graphviz graph.
pub fn rules_dot(def: &ArchitectureDef, sources: &SourceMap) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "graph {} {{", quoted(def.named.name.as_str()));
    let _ = writeln!(out, "  graph [fontname=\"Helvetica\", fontsize=12, rankdir=LR];");
    let _ = writeln!(out, "  node [fontname=\"Helvetica\", fontsize=11];");
    let _ = writeln!(out, "  edge [fontname=\"Courier\", fontsize=10, color=\"#64748b\"];");
    for (at, rule) in def.rules.iter().enumerate() {
        cluster(&mut out, def, (at, rule), sources);
    }
    out.push_str("}\n");
    out
}

fn cluster(
    out: &mut String,
    def: &ArchitectureDef,
    (at, rule): (usize, &RuleDef),
    sources: &SourceMap,
) {
    let names: Vec<&str> = rule.names.iter().map(|name| name.ident.name.as_str()).collect();
    let head = def.heads[rule.head].name.name;
    let title = format!("{head}({})", names[..rule.parameters].join(", "));
    let _ = writeln!(out, "  subgraph cluster_{at} {{");
    let _ = writeln!(out, "    label={};", quoted(&title));
    for (place, name) in names.iter().enumerate() {
        let made = rule.made.iter().find(|made| made.name == place);
        // A component that is made here has a frame; what is made elsewhere has none.
        let (text, shape) = match made {
            Some(made) => (format!("{name}: {}", def.kinds[made.kind].text), "box"),
            None => ((*name).to_owned(), "plaintext"),
        };
        let _ = writeln!(out, "    r{at}_n{place} [label={}, shape={shape}];", quoted(&text));
    }
    for (place, join) in rule.joins.iter().enumerate() {
        let text = sources.text(join.span).split_whitespace().collect::<Vec<_>>().join(" ");
        let node = format!("r{at}_j{place}");
        let _ = writeln!(out, "    {node} [label={}, shape=underline];", quoted(&text));
        for name in &join.names {
            let _ = writeln!(out, "    {node} -- r{at}_n{name};");
        }
    }
    for (place, part) in rule.parts.iter().enumerate() {
        let head = def.heads[part.head].name.name;
        let node = format!("r{at}_p{place}");
        let style = "shape=box, style=\"rounded,dashed\"";
        let _ = writeln!(out, "    {node} [label={}, {style}];", quoted(head.as_str()));
        for (number, name) in part.names.iter().enumerate() {
            let _ = writeln!(out, "    {node} -- r{at}_n{name} [label=\"{}\"];", number + 1);
        }
    }
    let _ = writeln!(out, "  }}");
}

/// A text for Graphviz.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

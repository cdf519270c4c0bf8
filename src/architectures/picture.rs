//! The rules of an architecture as a Graphviz graph: a cluster for each rule, a node for each name, and what joins names.

use std::fmt::Write;

use crate::diagnostics::SourceMap;
use crate::sema::program::{ArchitectureDef, RuleDef};

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

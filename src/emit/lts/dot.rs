//! A labelled transition system as a Graphviz graph. Steps between the same states share an arrow.

use std::fmt::Write;

use crate::emit::dot::{escaped, quoted};
use crate::emit::wrap::wrapped;
use crate::lts::Lts;

use super::picture::{Node, Picture};

/// No line of facts is longer than this, if it can be broken.
const WIDEST: usize = 88;

/// The system as a Graphviz graph: state by state if no more than `full` can be reached, otherwise from far away.
pub fn dot(lts: &Lts, name: &str, full: usize) -> String {
    let picture = Picture::new(lts, full);
    let mut out = format!("digraph {} {{\n", quoted(name));
    let _ = writeln!(
        out,
        "  graph [fontname=\"Helvetica\", fontsize=12, rankdir=LR, labelloc=t, labeljust=l, label={}];",
        left(&heading(name, &picture))
    );
    out.push_str(
        "  node [fontname=\"Helvetica\", fontsize=11, shape=box, style=\"rounded,filled\", ",
    );
    out.push_str("color=\"#3b82f6\", fillcolor=\"#dbeafe\"];\n");
    out.push_str("  edge [fontname=\"Courier\", fontsize=10, arrowsize=0.7, color=\"#64748b\"];\n");
    for (at, node) in picture.nodes.iter().enumerate() {
        let _ = writeln!(out, "  s{at} [{}label={}];", looks(node), label(node));
    }
    out.push_str("  start [shape=point, width=0.07, color=\"#64748b\", label=\"\"];\n");
    out.push_str("  start -> s0;\n");
    for ((from, to), said) in &picture.arrows {
        let style = if said.is_silent() { "style=dashed, " } else { "" };
        let _ = writeln!(out, "  s{from} -> s{to} [{style}label={}];", left(&said.texts));
    }
    out.push_str("}\n");
    out
}

fn looks(node: &Node) -> &'static str {
    if node.is_stuck {
        "style=filled, color=\"#dc2626\", fillcolor=\"#fee2e2\", penwidth=1.8, "
    } else {
        ""
    }
}

fn label(node: &Node) -> String {
    let more: String = node.more.iter().map(|(_, text)| format!("\\n{}", escaped(text))).collect();
    format!("\"{}{more}\"", escaped(&node.name))
}

/// Lines that all end at the left; one by itself is in the middle.
fn left(lines: &[String]) -> String {
    match lines {
        [only] => quoted(only),
        _ => {
            let ended = lines.iter().map(|line| format!("{}\\l", escaped(line)));
            format!("\"{}\"", ended.collect::<String>())
        }
    }
}

fn heading(name: &str, picture: &Picture) -> Vec<String> {
    let mut lines = vec![name.to_owned()];
    for (kind, text) in &picture.facts {
        lines.extend(wrapped(&format!("{kind} {text}"), WIDEST));
    }
    lines
}

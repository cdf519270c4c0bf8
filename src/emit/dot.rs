//! A net as a Graphviz graph: nodes and leaves are clusters, holes are circles, vectors are tables.

use std::fmt::Write;

use crate::pnet::{Composite, Content, HoleId, PNet, Plts, Vector};

use super::label;
use super::svg::escape;
use super::svg::parts::{self, Slot};

/// The net as a Graphviz graph.
pub fn dot(net: &PNet) -> String {
    let mut graph = Graph { net, out: String::new(), next: 0 };
    let _ = writeln!(graph.out, "digraph {} {{", quoted(net.name.as_str()));
    graph.line(
        1,
        "graph [fontname=\"Helvetica\", fontsize=12, rankdir=LR, compound=true, newrank=true];",
    );
    graph.line(1, "node [fontname=\"Helvetica\", fontsize=11];");
    graph.line(1, "edge [fontname=\"Courier\", fontsize=10, arrowsize=0.7, color=\"#64748b\"];");
    graph.content(net.name.as_str(), net.root, 1, parts::levels(net));
    graph.out.push_str("}\n");
    graph.out
}

/// A text for Graphviz, with line ends.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

struct Graph<'a> {
    net: &'a PNet,
    out: String,
    next: usize,
}

impl Graph<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn content(&mut self, name: &str, content: Content, depth: usize, levels: usize) {
        match content {
            Content::Hole(id) => self.hole(name, id, depth),
            Content::Leaf(id) => {
                let plts = &self.net.plts[id.0 as usize];
                self.open(name, plts.name.as_str(), "#ffffff", depth);
                self.leaf(plts, depth + 1);
                self.line(depth, "}");
            }
            Content::Node(id) => {
                let node = &self.net.nodes[id.0 as usize];
                self.open(name, node.name.as_str(), "#eff6ff", depth);
                self.node(node, depth + 1, levels);
                self.line(depth, "}");
            }
        }
    }

    fn open(&mut self, name: &str, component: &str, fill: &str, depth: usize) {
        let id = self.fresh();
        self.line(depth, &format!("subgraph cluster_{id} {{"));
        let title =
            if name == component { name.to_owned() } else { format!("{name} : {component}") };
        let title = quoted(&title);
        let text = format!(
            "graph [label={title}, labeljust=l, style=\"rounded,filled\", color=\"#94a3b8\", fillcolor=\"{fill}\"];"
        );
        self.line(depth + 1, &text);
    }

    fn node(&mut self, node: &Composite, depth: usize, levels: usize) {
        let slots = parts::slots(node);
        if levels == 0 {
            let text = format!("{} parts", node.parts.len());
            self.note(&text, depth);
        } else {
            for slot in &slots {
                match slot {
                    Slot::Gap(count) => self.note(&format!("… {count} more"), depth),
                    Slot::Part(at) => {
                        let part = &node.parts[*at];
                        self.content(&part.name.to_string(), part.content, depth, levels - 1);
                    }
                }
            }
        }
        if !node.vectors.is_empty() {
            self.table(node, &slots, depth);
        }
    }

    fn note(&mut self, text: &str, depth: usize) {
        let id = self.fresh();
        self.line(depth, &format!("n{id} [shape=plaintext, label={}];", quoted(text)));
    }

    fn hole(&mut self, name: &str, hole: HoleId, depth: usize) {
        let id = self.fresh();
        let hole = &self.net.holes[hole.0 as usize];
        let sort = label::hole_sort(self.net, &hole.sort).join("\n");
        let own = if hole.path == name { String::new() } else { format!("hole {}\n", hole.path) };
        let text = quoted(&format!("{own}{sort}"));
        let text = format!(
            "n{id} [shape=circle, style=\"dashed,filled\", color=\"#d97706\", fillcolor=\"#fef3c7\", label={}, xlabel={text}];",
            quoted(name)
        );
        self.line(depth, &text);
    }

    fn leaf(&mut self, plts: &Plts, depth: usize) {
        let leaf = self.fresh();
        if !plts.variables.is_empty() {
            let one = |(var, value): &(_, _)| {
                format!("{}\\l", plain(&label::declaration(self.net, *var, *value)))
            };
            let text: String = plts.variables.iter().map(one).collect();
            self.line(
                depth,
                &format!("v{leaf} [shape=plaintext, fontname=\"Courier\", label=\"{text}\"];"),
            );
        }
        for (at, state) in plts.states.iter().enumerate() {
            let rings = if state.is_final { 2 } else { 1 };
            let name = quoted(state.name.as_str());
            let look =
                "shape=box, style=\"rounded,filled\", color=\"#3b82f6\", fillcolor=\"#dbeafe\"";
            self.line(depth, &format!("s{leaf}_{at} [{look}, peripheries={rings}, label={name}];"));
        }
        self.line(depth, &format!("i{leaf} [shape=point, width=0.07, color=\"#64748b\"];"));
        self.line(depth, &format!("i{leaf} -> s{leaf}_{};", plts.initial));
        for transition in &plts.transitions {
            let label = label::transition(self.net, transition);
            let mut text = label.action;
            for (word, extra) in [("when", label.guard), ("do", label.updates)] {
                if let Some(extra) = extra {
                    let _ = write!(text, "\n{word} {extra}");
                }
            }
            let (from, to) = (transition.source, transition.target);
            self.line(depth, &format!("s{leaf}_{from} -> s{leaf}_{to} [label={}];", quoted(&text)));
        }
    }

    fn table(&mut self, node: &Composite, slots: &[Slot], depth: usize) {
        let id = self.fresh();
        let (vectors, left_out) = parts::vectors(node, slots);
        let mut heads: Vec<String> = slots
            .iter()
            .map(|slot| match slot {
                Slot::Gap(_) => "…".to_owned(),
                Slot::Part(at) => node.parts[*at].name.to_string(),
            })
            .collect();
        heads.extend(["result", "when", "unless"].map(str::to_owned));
        self.line(depth, &format!("t{id} [shape=plaintext, label=<"));
        self.line(depth + 1, "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\" color=\"#cbd5e1\" bgcolor=\"#ffffff\">");
        let bold: Vec<String> =
            heads.iter().map(|head| format!("<b>{}</b>", escape(head))).collect();
        self.row(&bold, depth + 1);
        for vector in vectors {
            let cells = self.cells(node, vector, slots);
            self.row(&cells, depth + 1);
        }
        if left_out > 0 {
            let span = heads.len();
            self.line(
                depth + 1,
                &format!("<tr><td colspan=\"{span}\">… and {left_out} more</td></tr>"),
            );
        }
        self.line(depth + 1, "</table>");
        self.line(depth, ">];");
    }

    fn cells(&self, node: &Composite, vector: &Vector, slots: &[Slot]) -> Vec<String> {
        let net = self.net;
        let mut cells: Vec<String> = Vec::new();
        for slot in slots {
            let member = vector.members.iter().find(|member| Slot::Part(member.part) == *slot);
            cells.push(
                member
                    .map_or("–".to_owned(), |member| escape(&label::member(net, member.action))),
            );
        }
        cells.push(escape(&label::term(net, vector.result)));
        cells.push(escape(&label::condition(net, vector.guard).unwrap_or_default()));
        let rivals: Vec<String> =
            vector.rivals.iter().map(|rival| escape(&label::rival(net, node, rival))).collect();
        cells.push(rivals.join("<br/>"));
        cells
    }

    fn row(&mut self, cells: &[String], depth: usize) {
        let cells: String =
            cells.iter().map(|cell| format!("<td align=\"left\">{cell}</td>")).collect();
        self.line(depth, &format!("<tr>{cells}</tr>"));
    }
}

/// A text inside quotes.
fn plain(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

//! A net as a Graphviz graph: nodes and leaves are clusters, holes are circles, vectors are tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::pnet::{Composite, Content, HoleId, PNet, PartId, Plts, PltsStateId, Vector};

use super::label;
use super::svg::escape;
use super::svg::links::{self, End};
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
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// What stands between the quotes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// How lines between parts look.
const LINE: &str = "dir=none, color=\"#0f766e\", constraint=false";

/// Where a part is drawn: a node in it, and the cluster around it.
struct Place {
    node: String,
    cluster: Option<usize>,
}

impl Place {
    /// Lets an edge end at the border of the cluster.
    fn end(&self, which: &str) -> String {
        self.cluster.map_or_else(String::new, |id| format!(", {which}=cluster_{id}"))
    }
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

    /// Writes what stands at a place, and gives the node that is to be left of the vectors around it.
    fn content(&mut self, name: &str, content: Content, depth: usize, levels: usize) -> String {
        match content {
            Content::Hole(id) => self.hole(name, id, depth),
            Content::Leaf(id) => {
                let plts = &self.net.plts[id];
                let variables = plts.variables.iter();
                let lines: Vec<String> = variables
                    .map(|(var, value)| label::declaration(self.net, *var, *value))
                    .collect();
                self.open(name, plts.name.as_str(), &lines, "#ffffff", depth);
                let last = self.leaf(plts, depth + 1);
                self.line(depth, "}");
                last
            }
            Content::Node(id) => {
                let node = &self.net.nodes[id];
                self.open(name, node.name.as_str(), &[], "#eff6ff", depth);
                let last = self.node(node, depth + 1, levels);
                self.line(depth, "}");
                last
            }
        }
    }

    fn open(&mut self, name: &str, component: &str, lines: &[String], fill: &str, depth: usize) {
        let id = self.fresh();
        self.line(depth, &format!("subgraph cluster_{id} {{"));
        let mut title =
            if name == component { name.to_owned() } else { format!("{name} : {component}") };
        for line in lines {
            let _ = write!(title, "\n{line}");
        }
        // Each line ends at the left.
        let title = quoted(&format!("{title}\n")).replace("\\n", "\\l");
        let text = format!(
            "graph [label={title}, labeljust=l, style=\"rounded,filled\", color=\"#94a3b8\", fillcolor=\"{fill}\"];"
        );
        self.line(depth + 1, &text);
    }

    fn node(&mut self, node: &Composite, depth: usize, levels: usize) -> String {
        let slots = parts::slots(node);
        let mut inner = Vec::new();
        let mut places: Vec<(PartId, Place)> = Vec::new();
        if levels == 0 {
            let text = format!("{} parts", node.parts.len());
            inner.push(self.note(&text, depth));
        } else {
            for slot in &slots {
                match slot {
                    Slot::Gap(count) => inner.push(self.note(&format!("… {count} more"), depth)),
                    Slot::Part(at) => {
                        let part = &node.parts[*at];
                        let name = part.name.to_string();
                        let cluster = match part.content {
                            Content::Hole(_) => None,
                            _ => Some(self.next + 1),
                        };
                        let node = self.content(&name, part.content, depth, levels - 1);
                        inner.push(node.clone());
                        places.push((*at, Place { node, cluster }));
                    }
                }
            }
        }
        self.links(node, &slots, &places, depth);
        if node.vectors.is_empty() {
            return inner.pop().unwrap_or_default();
        }
        let table = self.table(node, &slots, depth);
        for last in inner {
            self.line(depth, &format!("{last} -> {table} [style=invis];"));
        }
        table
    }

    /// Who talks to whom: lines between parts that share a vector, and connectors with their triggers.
    fn links(
        &mut self,
        node: &Composite,
        slots: &[Slot],
        places: &[(PartId, Place)],
        depth: usize,
    ) {
        let place =
            |part: PartId| places.iter().find(|(at, _)| *at == part).map(|(_, place)| place);
        let mut named: Vec<(String, String)> = Vec::new();
        for link in links::links(self.net, node, slots) {
            if let (true, [a, b]) = (link.is_plain(), link.parts().as_slice())
                && let (Some(a), Some(b)) = (place(*a), place(*b))
            {
                let ends = format!("{}{}", a.end("ltail"), b.end("lhead"));
                self.line(depth, &format!("{} -> {} [{LINE}{ends}];", a.node, b.node));
                continue;
            }
            let hub = self.hub(link.name.as_deref(), &link.ends, &place, depth);
            named.extend(link.name.map(|name| (name, hub)));
        }
        for (text, order) in links::orders(self.net, node) {
            let find =
                |name: &str| named.iter().find(|(known, _)| known == name).map(|(_, hub)| hub);
            let hubs = order.as_ref().and_then(|(low, high)| find(low).zip(find(high)));
            match hubs {
                Some((low, high)) => {
                    let look = "style=dotted, color=\"#7c3aed\", constraint=false, label=\"<\"";
                    self.line(depth, &format!("{low} -> {high} [{look}];"));
                }
                None => drop(self.note(&text, depth)),
            }
        }
    }

    /// Where the lines of a connector meet: triangles are triggers, bullets are not.
    fn hub<'p>(
        &mut self,
        name: Option<&str>,
        ends: &[End],
        place: &dyn Fn(PartId) -> Option<&'p Place>,
        depth: usize,
    ) -> String {
        let hub = format!("c{}", self.fresh());
        let look = match name {
            Some(name) => format!("shape=box, style=rounded, height=0.2, label={}", quoted(name)),
            None => "shape=point, width=0.06".to_owned(),
        };
        self.line(depth, &format!("{hub} [{look}, color=\"#0f766e\"];"));
        for end in ends {
            let (to, trigger, more) = match end {
                End::Part(part, trigger) => match place(*part) {
                    Some(place) => (place.node.clone(), *trigger, place.end("lhead")),
                    None => continue,
                },
                End::Group(trigger, name, inner) => {
                    (self.hub(name.as_deref(), inner, place, depth), Some(*trigger), String::new())
                }
            };
            let sign = match trigger {
                Some(true) => ", dir=forward, arrowhead=inv",
                Some(false) => ", dir=forward, arrowhead=dot",
                None => "",
            };
            self.line(depth, &format!("{hub} -> {to} [{LINE}{sign}{more}];"));
        }
        hub
    }

    fn note(&mut self, text: &str, depth: usize) -> String {
        let id = self.fresh();
        self.line(depth, &format!("n{id} [shape=plaintext, label={}];", quoted(text)));
        format!("n{id}")
    }

    fn hole(&mut self, name: &str, hole: HoleId, depth: usize) -> String {
        let id = self.fresh();
        let hole = &self.net.holes[hole];
        let sort = label::hole_sort(self.net, &hole.sort).join("\n");
        let own = if hole.path == name { String::new() } else { format!("hole {}\n", hole.path) };
        let text = quoted(&format!("{name}\n{own}{sort}"));
        let look = "shape=circle, margin=0.02, style=\"dashed,filled\", color=\"#d97706\", fillcolor=\"#fef3c7\"";
        let text = format!("n{id} [{look}, label={text}];");
        self.line(depth, &text);
        format!("n{id}")
    }

    fn leaf(&mut self, plts: &Plts, depth: usize) -> String {
        let leaf = self.fresh();
        for (at, state) in plts.states.iter().enumerate() {
            let rings = if state.is_final { 2 } else { 1 };
            let name = quoted(state.name.as_str());
            let look =
                "shape=box, style=\"rounded,filled\", color=\"#3b82f6\", fillcolor=\"#dbeafe\"";
            self.line(depth, &format!("s{leaf}_{at} [{look}, peripheries={rings}, label={name}];"));
        }
        self.line(depth, &format!("i{leaf} [shape=point, width=0.07, color=\"#64748b\"];"));
        self.line(depth, &format!("i{leaf} -> s{leaf}_{};", plts.initial.0));
        let mut arrows: BTreeMap<(PltsStateId, PltsStateId), Vec<String>> = BTreeMap::new();
        for transition in &plts.transitions {
            let label = label::transition(self.net, transition);
            let texts = arrows.entry((transition.source, transition.target)).or_default();
            texts.push(label.action);
            texts.extend(label.guard.map(|guard| format!("  when {guard}")));
            texts.extend(label.updates.map(|updates| format!("  do {updates}")));
        }
        for ((from, to), texts) in arrows {
            // Each line ends at the left.
            let text = quoted(&format!("{}\n", texts.join("\n"))).replace("\\n", "\\l");
            self.line(depth, &format!("s{leaf}_{} -> s{leaf}_{} [label={text}];", from.0, to.0));
        }
        format!("s{leaf}_{}", plts.states.len().saturating_sub(1))
    }

    fn table(&mut self, node: &Composite, slots: &[Slot], depth: usize) -> String {
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
        format!("t{id}")
    }

    fn cells(&self, node: &Composite, vector: &Vector, slots: &[Slot]) -> Vec<String> {
        let net = self.net;
        let mut cells: Vec<String> = Vec::new();
        for slot in slots {
            let member = vector.all_members().find(|(one, _)| Slot::Part(one.part) == *slot);
            cells.push(member.map_or("–".to_owned(), |(member, optional)| {
                let mark = if optional { "?" } else { "" };
                format!("{}{mark}", escape(&label::member(net, member.action)))
            }));
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

//! A net as JSON; docs/json.md describes the fields.
//!
//! Terms and variables are tables: what is shared is written once, and places refer to it by its number.

pub(super) mod terms;

use serde_json::{Value, json};

use self::terms::Tables;
use super::names::Names;
use super::used::used;
use crate::algebra::{Algebra, VarId};
use crate::base::IndexVec;
use crate::diagnostics::{SourceMap, Span};
use crate::pnet::{
    Composite, Content, Hole, HoleSort, Members, NodeId, Optional, OriginId, PNet, Plts, PltsId,
    Rival, Transition, Vector,
};

/// The version of the schema; fields may be added without a new one.
const VERSION: u32 = 1;

/// The elaborated net as JSON. With the sources, it says where everything comes from.
pub fn json(net: &PNet, sources: Option<&SourceMap>) -> Value {
    let names = Names::new(&net.algebra, used(net));
    let mut writer = Writer { net, sources, tables: Tables::new(net.into(), &names) };
    let holes: Vec<Value> = net.holes.iter().map(|hole| writer.hole(hole)).collect();
    let paths = Paths::of(net);
    let processes: Vec<Value> = net
        .plts
        .iter()
        .zip(&paths.processes)
        .map(|(plts, path)| writer.process(plts, path))
        .collect();
    let nodes: Vec<Value> =
        net.nodes.iter().zip(&paths.nodes).map(|(node, path)| writer.node(node, path)).collect();
    let algebra = writer.tables.algebra();
    let (variables, terms) = writer.tables.finish();
    json!({
        "format": "pnet",
        "version": VERSION,
        "name": net.name,
        "algebra": algebra,
        "variables": variables,
        "terms": terms,
        "holes": holes,
        "processes": processes,
        "nodes": nodes,
        "root": content(net.root),
    })
}

/// Where each process and node stands.
struct Paths {
    processes: IndexVec<PltsId, String>,
    nodes: IndexVec<NodeId, String>,
}

impl Paths {
    fn of(net: &PNet) -> Paths {
        let mut paths = Paths {
            processes: IndexVec::of(net.plts.len(), String::new()),
            nodes: IndexVec::of(net.nodes.len(), String::new()),
        };
        let mut work = vec![(String::new(), net.root)];
        while let Some((path, content)) = work.pop() {
            match content {
                Content::Hole(_) => {}
                Content::Leaf(id) => paths.processes[id] = path,
                Content::Node(id) => {
                    for part in &net.nodes[id].parts {
                        let dot = if path.is_empty() { "" } else { "." };
                        work.push((format!("{path}{dot}{}", part.name), part.content));
                    }
                    paths.nodes[id] = path;
                }
            }
        }
        paths
    }
}

fn content(content: Content) -> Value {
    match content {
        Content::Leaf(id) => json!({ "process": id.0 }),
        Content::Node(id) => json!({ "node": id.0 }),
        Content::Hole(id) => json!({ "hole": id.0 }),
    }
}

/// Adds the text that something comes from, if that is known.
pub(super) fn with_place(mut value: Value, sources: Option<&SourceMap>, span: Span) -> Value {
    let Some(file) = sources.and_then(|sources| sources.file_of(span)) else { return value };
    if let Some(fields) = value.as_object_mut() {
        let range = file.range(span);
        let place = json!({ "file": file.name(), "start": range.start, "end": range.end });
        fields.insert("origin".to_owned(), place);
    }
    value
}

/// A hole with its sort.
pub(super) fn hole_value(algebra: &Algebra, hole: &Hole) -> Value {
    let sort = match &hole.sort {
        HoleSort::Any => json!("any"),
        HoleSort::Actions(actions) => {
            actions.iter().map(|id| terms::action(algebra, *id)).collect()
        }
    };
    json!({ "path": hole.path, "sort": sort })
}

struct Writer<'n> {
    net: &'n PNet,
    sources: Option<&'n SourceMap>,
    tables: Tables<'n>,
}

impl Writer<'_> {
    /// Adds where something comes from, if that is known.
    fn with_origin(&self, value: Value, origin: OriginId) -> Value {
        with_place(value, self.sources, self.net.origins.get(origin).span)
    }

    fn hole(&self, hole: &Hole) -> Value {
        self.with_origin(hole_value(&self.net.algebra, hole), hole.origin)
    }

    fn process(&mut self, plts: &Plts, path: &str) -> Value {
        let states: Vec<Value> = plts
            .states
            .iter()
            .map(|state| json!({ "name": state.name, "final": state.is_final }))
            .collect();
        let variables: Vec<Value> = plts
            .variables
            .iter()
            .map(|(variable, initial)| {
                let initial = initial.map(|initial| self.tables.term(initial));
                json!({ "variable": self.tables.variable(*variable), "initial": initial })
            })
            .collect();
        let transitions: Vec<Value> =
            plts.transitions.iter().map(|transition| self.transition(transition)).collect();
        let process = json!({
            "path": path,
            "component": plts.name,
            "states": states,
            "initial": plts.initial,
            "variables": variables,
            "transitions": transitions,
        });
        self.with_origin(process, plts.origin)
    }

    fn transition(&mut self, transition: &Transition) -> Value {
        let updates: Vec<Value> = transition
            .updates
            .iter()
            .map(|(variable, value)| {
                json!({ "variable": self.tables.variable(*variable), "value": self.tables.term(*value) })
            })
            .collect();
        let value = json!({
            "source": transition.source,
            "target": transition.target,
            "action": self.tables.term(transition.action),
            "inputs": self.variables(&transition.inputs),
            "guard": self.tables.term(transition.guard),
            "updates": updates,
        });
        self.with_origin(value, transition.origin)
    }

    fn variables(&mut self, variables: &[VarId]) -> Vec<usize> {
        variables.iter().map(|variable| self.tables.variable(*variable)).collect()
    }

    fn node(&mut self, node: &Composite, path: &str) -> Value {
        let parts: Vec<Value> = node
            .parts
            .iter()
            .map(|part| {
                let index = part.name.index.as_ref().map(ToString::to_string);
                json!({ "name": part.name.name, "index": index, "content": content(part.content) })
            })
            .collect();
        let vectors: Vec<Value> = node.vectors.iter().map(|vector| self.vector(vector)).collect();
        let node_value =
            json!({ "path": path, "component": node.name, "parts": parts, "vectors": vectors });
        self.with_origin(node_value, node.origin)
    }

    fn vector(&mut self, vector: &Vector) -> Value {
        let rivals: Vec<Value> = vector.rivals.iter().map(|rival| self.rival(rival)).collect();
        let mut value = json!({
            "members": self.members(&vector.members),
            "result": self.tables.term(vector.result),
            "guard": self.tables.term(vector.guard),
            "variables": self.variables(&vector.variables),
            "unless": rivals,
        });
        if !vector.optional.is_empty() {
            value["optional"] = self.optional(&vector.optional);
        }
        if let Some(number) = vector.maximal {
            value["maximal"] = json!(number);
        }
        self.with_origin(value, vector.origin)
    }

    fn optional(&mut self, all: &[Optional]) -> Value {
        let one = |one: &Optional| {
            json!({
                "members": self.members(&one.members),
                "variables": self.variables(&one.variables),
                "optional": self.optional(&one.inside),
            })
        };
        Value::Array(all.iter().map(one).collect())
    }

    fn rival(&mut self, rival: &Rival) -> Value {
        json!({
            "members": self.members(&rival.members),
            "guard": self.tables.term(rival.guard),
            "variables": self.variables(&rival.variables),
        })
    }

    fn members(&mut self, members: &Members) -> Vec<Value> {
        let shown = members.iter();
        shown.map(|m| json!({ "part": m.part, "action": self.tables.term(m.action) })).collect()
    }
}

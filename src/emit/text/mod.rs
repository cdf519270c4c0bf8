//! A net as `.pnet` text that elaborates to an equal net (see [`crate::pnet::same`]).
//!
//! Every leaf becomes a process and every node a net, inner ones first and the root last, under its own name.
//! The holes are parameters of the root, which passes them on to where they are. Of the algebra only what the
//! net uses is written.

mod algebra;
mod net;
mod process;

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{Names, Unique, legal, path_name, quoted};
use super::term::Printer;
use super::used::used;
use crate::algebra::{ActionId, ConstId, Sort, Term, TermId, VarId};
use crate::base::IndexVec;
use crate::pnet::{Content, HoleId, HoleSort, NodeId, PNet, PartId, PltsId};
use crate::syntax::format::format;

/// The elaborated net as text.
pub fn text(net: &PNet) -> String {
    let names = Names::new(&net.algebra, used(net));
    let mut writer = Writer::new(net, &names);
    writer.algebra();
    for content in inner_first(net) {
        match content {
            Content::Leaf(id) => writer.process(id),
            Content::Node(id) => writer.node(id),
            Content::Hole(_) => {}
        }
    }
    writer.root();
    format(&writer.out).unwrap_or(writer.out)
}

/// Everything below the root, each node after its parts.
fn inner_first(net: &PNet) -> Vec<Content> {
    let mut found = Vec::new();
    let mut work = vec![(net.root, false)];
    while let Some((content, is_done)) = work.pop() {
        match content {
            Content::Node(id) if !is_done => {
                work.push((content, true));
                let parts = &net.nodes[id].parts;
                work.extend(parts.iter().rev().map(|part| (part.content, false)));
            }
            _ => found.push(content),
        }
    }
    found
}

struct Writer<'n> {
    net: &'n PNet,
    names: &'n Names,
    out: String,
    /// What the definition of each leaf and node is called.
    leaves: FxHashMap<PltsId, String>,
    nodes: FxHashMap<NodeId, String>,
    /// Where each leaf and node stands.
    paths: FxHashMap<Content, String>,
    /// What holes are called, and their interfaces.
    holes: IndexVec<HoleId, String>,
    interfaces: IndexVec<HoleId, Option<String>>,
    /// The holes in each node that was written.
    inside: FxHashMap<NodeId, Vec<HoleId>>,
    /// What the parts of each node that was written are called, and the variables of leaves.
    part_names: FxHashMap<NodeId, IndexVec<PartId, String>>,
    variables: FxHashMap<VarId, String>,
    /// The ways to variables that the node that is being written reads.
    reading: Vec<(VarId, String)>,
    /// Actions that stand for any: no constant can be one, so they are parameters of what uses them.
    actions: BTreeSet<ConstId>,
    /// Which of them each leaf and node that was written needs.
    needs: FxHashMap<Content, BTreeSet<ConstId>>,
}

impl<'n> Writer<'n> {
    fn new(net: &'n PNet, names: &'n Names) -> Writer<'n> {
        let mut components = Unique::default();
        let root = components.pick(net.name.as_str());
        // A hole hides a component of its name, so they have different ones.
        let holes: IndexVec<HoleId, String> = net
            .holes
            .iter()
            .map(|hole| {
                let wanted = path_name(&hole.path);
                components.pick(&wanted)
            })
            .collect();
        let mut writer = Writer {
            net,
            names,
            out: String::new(),
            leaves: FxHashMap::default(),
            nodes: FxHashMap::default(),
            paths: FxHashMap::default(),
            interfaces: IndexVec::of(holes.len(), None),
            holes,
            inside: FxHashMap::default(),
            part_names: FxHashMap::default(),
            variables: FxHashMap::default(),
            reading: Vec::new(),
            actions: action_constants(net, names),
            needs: FxHashMap::default(),
        };
        writer.name_components(root, components);
        writer
    }

    /// Names the definitions of leaves and nodes by their paths.
    fn name_components(&mut self, root: String, mut components: Unique<'_>) {
        let net = self.net;
        let mut work = vec![(String::new(), net.root)];
        while let Some((path, content)) = work.pop() {
            match content {
                Content::Hole(_) => continue,
                Content::Leaf(id) => {
                    let wanted =
                        if path.is_empty() { net.name.to_string() } else { path_name(&path) };
                    self.leaves.insert(id, components.pick(&wanted));
                }
                Content::Node(id) => {
                    let is_root = path.is_empty();
                    let name =
                        if is_root { root.clone() } else { components.pick(&path_name(&path)) };
                    self.nodes.insert(id, name);
                    for part in net.nodes[id].parts.iter().rev() {
                        let inner = if is_root {
                            part.name.to_string()
                        } else {
                            format!("{path}.{}", part.name)
                        };
                        work.push((inner, part.content));
                    }
                }
            }
            self.paths.insert(content, path);
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Says which part a definition is for.
    fn comment(&mut self, content: Content, component: &str) {
        if let Some(path) = self.paths.get(&content).filter(|path| !path.is_empty()) {
            self.out.push_str(&format!("/// `{path}`, an instance of `{component}`.\n"));
        }
    }

    /// The definition of a root that is no node: the net is another name for what is there.
    fn root(&mut self) {
        let name = quoted(&legal(self.net.name.as_str())).into_owned();
        match self.net.root {
            Content::Node(_) => {}
            Content::Leaf(id) => {
                let leaf = quoted(self.leaves.get(&id).map_or("", String::as_str)).into_owned();
                let (parameters, values) = self.action_parameters(self.net.root);
                self.put(&format!("net {name}{parameters} = {leaf}{values};\n"));
            }
            Content::Hole(id) => {
                let hole = quoted(&self.holes[id]).into_owned();
                let parameters = self.parameters(&[id]);
                self.put(&format!("net {name}{parameters} = {hole};\n"));
            }
        }
    }

    /// Holes as parameters of a net.
    fn parameters(&self, holes: &[HoleId]) -> String {
        if holes.is_empty() {
            return String::new();
        }
        let all = holes.iter().map(|&hole| {
            let sort = match (&self.net.holes[hole].sort, &self.interfaces[hole]) {
                (HoleSort::Actions(_), Some(interface)) => quoted(interface),
                _ => "any".into(),
            };
            format!("{}: {sort}", quoted(&self.holes[hole]))
        });
        format!("({})", all.collect::<Vec<_>>().join(", "))
    }

    /// Notes which actions that stand for any a definition needs: in its terms, or in its parts.
    fn note_needs(&mut self, content: Content, terms: Vec<TermId>, parts: &[Content]) {
        if self.actions.is_empty() {
            return;
        }
        let mut needed: BTreeSet<ConstId> =
            parts.iter().filter_map(|part| self.needs.get(part)).flatten().copied().collect();
        for id in self.net.terms.inside(terms) {
            if let Term::Const(constant) = self.net.terms.get(id)
                && self.actions.contains(constant)
            {
                needed.insert(*constant);
            }
        }
        self.needs.insert(content, needed);
    }

    /// The actions that stand for any as parameters of a definition, and as the values for them.
    fn action_parameters(&self, content: Content) -> (String, String) {
        let needed = self.needs.get(&content).into_iter().flatten();
        let names: Vec<_> =
            needed.filter_map(|id| self.names.constant(*id)).map(|name| quoted(name)).collect();
        if names.is_empty() {
            return (String::new(), String::new());
        }
        let parameters: Vec<String> = names.iter().map(|name| format!("{name}: Action")).collect();
        (format!("<{}>", parameters.join(", ")), format!("<{}>", names.join(", ")))
    }

    /// A printer of terms in a scope that no variable has been introduced into.
    fn printer(&self) -> Printer<'n> {
        Printer::new(self.net.into(), Some(self.names))
    }

    /// The names of the actions that terms speak of: a variable of such a name would hide them.
    fn actions_in(&self, terms: impl IntoIterator<Item = TermId>) -> FxHashSet<String> {
        let mut found = FxHashSet::default();
        let name = |id: &ActionId| super::names::action(&self.net.algebra, *id).to_owned();
        for id in self.net.terms.inside(terms) {
            if let Term::Act(action, _) | Term::IsAct(action, _) | Term::Argument(action, ..) =
                self.net.terms.get(id)
            {
                found.insert(name(action));
            }
        }
        found
    }
}

/// The constants that are actions.
fn action_constants(net: &PNet, names: &Names) -> BTreeSet<ConstId> {
    let is_action = |id: &ConstId| net.algebra.constants[id.index()].sort == Sort::Action;
    names.used.constants.iter().copied().filter(is_action).collect()
}

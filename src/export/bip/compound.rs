//! Nodes as compounds, and joint moves as connectors.

use rustc_hash::{FxHashMap, FxHashSet};

use super::atom::Atom;
use super::{Bip, Carried, WORDS, action_name};
use crate::algebra::{Term, TermId, VarId};
use crate::diagnostics::Span;
use crate::emit::{self, Scope};
use crate::export::expression::{Beyond, few_values};
use crate::export::joint::{Joint, Solved};
use crate::export::name::{Namer, legal};
use crate::export::problems::OpenValue;
use crate::pnet::{Content, NodeId, PartId, PltsId};

/// Values that nobody gives are written out one by one, so many at most for each joint move.
const MOST_VALUES: usize = 64;

/// A component of a compound.
#[derive(Clone, Debug)]
struct Component {
    /// What it is called.
    name: String,
    /// Its type.
    kind: String,
    /// For each of its ports or joint moves, the port of that name.
    ports: FxHashMap<usize, String>,
}

/// A compound that was written.
#[derive(Clone, Debug)]
pub(super) struct Compound {
    /// Its type.
    name: String,
    /// The ports that it exports, by joint move.
    ports: FxHashMap<usize, String>,
}

/// What a connector does.
struct Connecting<'c> {
    /// What it is called.
    wanted: &'c str,
    /// The ports that it joins, each with what goes through it.
    ports: Vec<(String, Vec<Carried>)>,
    guard: Vec<TermId>,
    /// Whether it has a port of its own.
    is_exported: bool,
    /// The values of inputs, where it has none.
    values: &'c FxHashMap<VarId, TermId>,
    span: Span,
}

impl Bip<'_> {
    /// The root: a compound in which everything happens.
    pub fn root(&mut self, name: &str) {
        let net = self.joints.net;
        let joints = self.joints.root.clone();
        let Some(components) = self.components(net.root, name) else { return };
        let mut unique = Namer::new(WORDS);
        let mut lines = component_lines(&components, &mut unique);
        let mut instances: FxHashMap<usize, Vec<String>> = FxHashMap::default();
        for (at, joint) in joints.iter().enumerate() {
            let Some(solved) = self.joints.solved(joint) else { continue };
            let known: FxHashSet<TermId> =
                self.tested_inside(net.root, joint).into_iter().collect();
            let Some(all) = self.with_values(joint, &solved) else { continue };
            for solved in all {
                let mut guard = solved.conditions.clone();
                guard.retain(|condition| !known.contains(condition));
                let wanted = action_name(&net.algebra, &self.joints.terms, solved.result);
                let connecting = Connecting {
                    wanted: &wanted,
                    ports: self.joined_ports(net.root, joint),
                    guard,
                    is_exported: false,
                    values: &solved.values,
                    span: self.span(net.root, joint),
                };
                let Some(kind) = self.connector(&connecting) else { continue };
                let name = unique.pick(&wanted);
                let ports = ports_of(&components, joint);
                lines.push(format!("connector {kind} {name}({ports})"));
                self.labels.push((name.clone(), self.label(solved.result)));
                instances.entry(at).or_default().push(name);
            }
        }
        if let Content::Node(id) = net.root {
            let orders = self.orders(id, &joints);
            lines.extend(order_lines(&orders, &instances, &mut unique));
        }
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        let name = self.types.pick(&format!("{}_system", legal(name)));
        self.compounds.push(format!("  compound type {name}()\n{body}  end\n"));
    }

    /// A node that stands in another one.
    fn compound(&mut self, id: NodeId) -> Option<Compound> {
        let node = &self.joints.net.nodes[id];
        let components = self.components(Content::Node(id), "")?;
        let joints = self.joints.nodes.get(&id).cloned().unwrap_or_default();
        let mut unique = Namer::new(WORDS);
        let mut lines = component_lines(&components, &mut unique);
        let (mut ports, mut instances) = (FxHashMap::default(), FxHashMap::default());
        let mut exports = Vec::new();
        for (at, joint) in joints.iter().enumerate() {
            let wanted = action_name(&self.joints.net.algebra, &self.joints.terms, joint.result);
            let connecting = Connecting {
                wanted: &wanted,
                ports: self.joined_ports(Content::Node(id), joint),
                guard: joint.tested.clone(),
                is_exported: true,
                values: &FxHashMap::default(),
                span: self.span(Content::Node(id), joint),
            };
            let kind = self.connector(&connecting)?;
            let (port, name) = (unique.pick(&wanted), unique.pick(&format!("do_{wanted}")));
            lines.push(format!("connector {kind} {name}({})", ports_of(&components, joint)));
            exports.push(format!("export port {name}.e as {port}"));
            ports.insert(at, port);
            instances.insert(at, vec![name]);
        }
        let orders = self.orders(id, &joints);
        lines.extend(order_lines(&orders, &instances, &mut unique));
        lines.append(&mut exports);
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        let (name, is_new) = self.declared(node.name.as_str(), &format!("compound\n{body}"));
        if is_new {
            self.compounds.push(format!("  compound type {name}()\n{body}  end\n"));
        }
        Some(Compound { name, ports })
    }

    // ---- components ----

    fn components(&mut self, content: Content, name: &str) -> Option<FxHashMap<PartId, Component>> {
        let net = self.joints.net;
        let parts: Vec<(PartId, String, Content)> = match content {
            Content::Node(id) => {
                let parts = net.nodes[id].parts.enumerated();
                parts.map(|(at, part)| (at, part.name.to_string(), part.content)).collect()
            }
            _ => vec![(PartId(0), name.to_owned(), content)],
        };
        let mut found = FxHashMap::default();
        let mut unique = Namer::new(WORDS);
        let mut is_whole = true;
        for (at, name, content) in parts {
            let made = match content {
                Content::Leaf(id) => self.atom(id).map(|Atom { name, ports }| {
                    (name, ports.into_iter().enumerate().collect::<FxHashMap<_, _>>())
                }),
                Content::Node(id) => self.compound(id).map(|made| (made.name, made.ports)),
                Content::Hole(_) => None,
            };
            is_whole &= made.is_some();
            if let Some((kind, ports)) = made {
                found.insert(at, Component { name: unique.pick(&name), kind, ports });
            }
        }
        is_whole.then_some(found)
    }

    // ---- connectors ----

    /// What goes through the port of a joint move.
    fn carried_by(&mut self, content: Content, at: usize) -> Vec<Carried> {
        match content {
            Content::Leaf(id) => self.carried(id, at),
            Content::Node(id) => {
                let leaves = self.joints.nodes[&id][at].leaves.clone();
                leaves.into_iter().flat_map(|(leaf, port)| self.carried(leaf, port)).collect()
            }
            Content::Hole(_) => Vec::new(),
        }
    }

    fn joined_ports(&mut self, content: Content, joint: &Joint) -> Vec<(String, Vec<Carried>)> {
        let mut ports = Vec::with_capacity(joint.parts.len());
        for &(part, at) in &joint.parts {
            let inside = match content {
                Content::Node(id) => self.joints.net.nodes[id].parts[part].content,
                _ => content,
            };
            let carried = self.carried_by(inside, at);
            ports.push((self.port_type(&carried), carried));
        }
        ports
    }

    /// A connector type; nothing where something in it has no form.
    fn connector(&mut self, connecting: &Connecting<'_>) -> Option<String> {
        let mut names: FxHashMap<VarId, String> = FxHashMap::default();
        let mut through: Vec<(String, Carried)> = Vec::new();
        for (at, (_, carried)) in connecting.ports.iter().enumerate() {
            for (number, one) in carried.iter().enumerate() {
                let name = format!("p{}.v{}", at + 1, number + 1);
                names.insert(one.var, name.clone());
                through.push((name, one.clone()));
            }
        }
        let mut lines = Vec::new();
        if connecting.is_exported {
            let all: Vec<Carried> = through.iter().map(|(_, one)| one.clone()).collect();
            let kind = self.port_type(&all);
            for (at, one) in all.iter().enumerate() {
                lines.push(format!("data {} w{}", one.kind, at + 1));
            }
            let vars: Vec<String> = (1..=all.len()).map(|at| format!("w{at}")).collect();
            lines.push(format!("export port {kind} e({})", vars.join(", ")));
        }
        let ports: Vec<String> = (1..=connecting.ports.len()).map(|at| format!("p{at}")).collect();
        lines.push(format!("define {}", ports.join(" ")));
        match self.clause(connecting, &names, &through) {
            Ok(clause) if clause.is_empty() => {}
            Ok(clause) => lines.push(format!("on {}{clause}", ports.join(" "))),
            Err(what) => {
                self.refuse(connecting.span, what);
                return None;
            }
        }
        let typed =
            connecting.ports.iter().zip(&ports).map(|((kind, _), name)| format!("{kind} {name}"));
        let header = typed.collect::<Vec<_>>().join(", ");
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        let is_plain = lines.len() == 1;
        let wanted = match connecting.ports.len() {
            1 if is_plain => "Alone".to_owned(),
            count if is_plain => format!("Join_{count}"),
            _ => format!("Do_{}", legal(connecting.wanted)),
        };
        let (name, is_new) = self.declared(&wanted, &format!("connector ({header})\n{body}"));
        if is_new {
            self.connectors.push(format!("  connector type {name}({header})\n{body}  end\n"));
        }
        Some(name)
    }

    /// What an interaction tests, and what goes up and down.
    fn clause(
        &mut self,
        connecting: &Connecting<'_>,
        names: &FxHashMap<VarId, String>,
        through: &[(String, Carried)],
    ) -> Result<String, Beyond> {
        let guard = self.condition(names, &connecting.guard)?;
        let mut clause = guard.map_or_else(String::new, |guard| format!(" provided ({guard})"));
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for (at, (name, one)) in through.iter().enumerate() {
            match (connecting.is_exported, one.is_input) {
                (true, is_input) => {
                    up.push(format!("w{} = {name};", at + 1));
                    down.extend(is_input.then(|| format!("{name} = w{};", at + 1)));
                }
                (false, true) => {
                    let value = connecting.values.get(&one.var).copied().ok_or(Beyond::Action)?;
                    down.push(self.assigned(names, name, value)?);
                }
                (false, false) => {}
            }
        }
        if !up.is_empty() {
            clause.push_str(&format!(" up {{ {} }}", up.join(" ")));
        }
        if !down.is_empty() {
            clause.push_str(&format!(" down {{ {} }}", down.join(" ")));
        }
        Ok(clause)
    }

    // ---- values ----

    /// A joint move with each of the values that nobody gives; nothing where there is no end of them.
    fn with_values(&mut self, joint: &Joint, solved: &Solved) -> Option<Vec<Solved>> {
        let mut open: Vec<VarId> = Vec::new();
        let mut inputs: Vec<VarId> = Vec::new();
        for &(leaf, at) in &joint.leaves {
            let carried = self.carried(leaf, at);
            inputs.extend(carried.iter().filter(|one| one.is_input).map(|one| one.var));
        }
        let terms = &self.joints.terms;
        let given = |var: &VarId| solved.values.get(var).copied().unwrap_or(terms.var_term(*var));
        let mut all: Vec<TermId> = inputs.iter().map(given).collect();
        all.extend(solved.conditions.iter().copied().chain([solved.result]));
        for term in all {
            let free = terms.free_vars(term).into_iter();
            open.extend(free.filter(|var| !self.joints.owners.contains_key(var)));
        }
        open.sort_unstable();
        open.dedup();
        let mut found = vec![solved.clone()];
        for &var in &open {
            let sort = self.joints.terms.var(var).sort.clone();
            let algebra = &self.joints.net.algebra;
            let values = few_values(algebra, &mut self.joints.terms, &sort, MOST_VALUES);
            let Some(values) = values.filter(|all| all.len() * found.len() <= MOST_VALUES) else {
                let what = self.joints.terms.var(var).name.to_string();
                let span = self.span(self.joints.net.root, joint);
                self.problems.push(OpenValue { span, what, is_initial: false }.into());
                return None;
            };
            let mut more = Vec::with_capacity(found.len() * values.len());
            for (one, value) in
                found.iter().flat_map(|one| values.iter().map(move |value| (one, *value)))
            {
                more.extend(self.with_value(one, (var, value)));
            }
            found = more;
        }
        Some(found)
    }

    /// The same with a value for a variable; nothing where it cannot have that.
    fn with_value(&mut self, solved: &Solved, (var, value): (VarId, TermId)) -> Option<Solved> {
        let map: FxHashMap<VarId, TermId> = [(var, value)].into_iter().collect();
        let terms = &mut self.joints.terms;
        let mut conditions = Vec::new();
        for &condition in &solved.conditions {
            let condition = terms.substitute(condition, &map);
            match terms.as_bool(condition) {
                Some(true) => {}
                Some(false) => return None,
                None => conditions.push(condition),
            }
        }
        let mut values: FxHashMap<VarId, TermId> = map.clone();
        let mut known: Vec<(VarId, TermId)> =
            solved.values.iter().map(|(var, term)| (*var, *term)).collect();
        known.sort_unstable();
        for (known, term) in known {
            let term = terms.substitute(term, &map);
            values.insert(known, term);
        }
        let result = terms.substitute(solved.result, &map);
        Some(Solved { values, conditions, result })
    }

    // ---- small things ----

    /// All that parts test before a joint move of a node is made.
    fn tested_inside(&self, content: Content, joint: &Joint) -> Vec<TermId> {
        let Content::Node(id) = content else { return Vec::new() };
        let mut all = Vec::new();
        for &(part, at) in &joint.parts {
            if let Content::Node(inner) = self.joints.net.nodes[id].parts[part].content {
                all.extend(self.joints.tested(&self.joints.nodes[&inner][at], inner));
            }
        }
        all
    }

    fn span(&self, content: Content, joint: &Joint) -> Span {
        let net = self.joints.net;
        let origin = match (content, joint.vector) {
            (Content::Node(id), Some(vector)) => net.nodes[id].vectors[vector].origin,
            (Content::Node(id), None) => net.nodes[id].origin,
            (Content::Leaf(id), _) => {
                let port: Option<(PltsId, usize)> = joint.leaves.first().copied();
                let port = port.and_then(|(leaf, at)| self.joints.ports.get(&leaf)?.get(at));
                let turn = port.and_then(|port| port.turns.first());
                turn.map_or(net.plts[id].origin, |turn| {
                    net.plts[id].transitions[turn.transition].origin
                })
            }
            (Content::Hole(id), _) => net.holes[id].origin,
        };
        net.origins.get(origin).span
    }

    /// What a connector of the root shows in the model, with `_` for values that are not in its name.
    fn label(&self, result: TermId) -> String {
        let (algebra, terms) = (&self.joints.net.algebra, &self.joints.terms);
        if terms.free_vars(result).is_empty() {
            return emit::term(Scope { algebra, terms, names: None }, result);
        }
        match terms.get(result) {
            Term::Act(id, args) => {
                let places = vec!["_"; args.len()].join(", ");
                format!("{}({places})", algebra.action(*id).name)
            }
            Term::Sync(inner) => format!("sync {}", self.label(*inner)),
            Term::Co(inner) => format!("co {}", self.label(*inner)),
            _ => String::new(),
        }
    }
}

/// The components as they are declared.
fn component_lines(components: &FxHashMap<PartId, Component>, unique: &mut Namer) -> Vec<String> {
    let mut parts: Vec<(&PartId, &Component)> = components.iter().collect();
    parts.sort_by_key(|(at, _)| **at);
    let mut line = |component: &Component| {
        unique.pick(&component.name);
        format!("component {} {}()", component.kind, component.name)
    };
    parts.into_iter().map(|(_, component)| line(component)).collect()
}

/// The ports of components that a joint move is of.
fn ports_of(components: &FxHashMap<PartId, Component>, joint: &Joint) -> String {
    let port = |(part, at): &(PartId, usize)| {
        let component = components.get(part)?;
        Some(format!("{}.{}", component.name, component.ports.get(at)?))
    };
    joint.parts.iter().filter_map(port).collect::<Vec<_>>().join(", ")
}

/// Priorities between connectors.
fn order_lines(
    orders: &[(usize, usize)],
    instances: &FxHashMap<usize, Vec<String>>,
    unique: &mut Namer,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (low, high) in orders {
        let named = |at: &usize| instances.get(at).into_iter().flatten();
        for low in named(low) {
            for high in named(high) {
                lines.push(format!("priority {} {low}:* < {high}:*", unique.pick("order")));
            }
        }
    }
    lines
}

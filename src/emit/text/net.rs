//! Nodes as nets.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Writer;
use crate::algebra::{Sort, Term, TermId, VarId};
use crate::base::IndexVec;
use crate::emit::names::{Unique, path_name, quoted};
use crate::emit::term::{ANY, OPERAND, Printer};
use crate::pnet::{Composite, Content, HoleId, Member, Members, NodeId, Optional, PartId, Vector};

/// What the parts of a node are called.
type PartNames = IndexVec<PartId, String>;

impl Writer<'_> {
    pub fn node(&mut self, id: NodeId) {
        let node = &self.net.nodes[id];
        let holes = self.holes_inside(node);
        self.comment(Content::Node(id), node.name.as_str());
        let name = quoted(self.nodes.get(&id).map_or("", String::as_str)).into_owned();
        let contents: Vec<Content> = node.parts.iter().map(|part| part.content).collect();
        let terms = node.vectors.iter().flat_map(all_terms).collect();
        self.note_needs(Content::Node(id), terms, &contents);
        let (actions, _) = self.action_parameters(Content::Node(id));
        let parameters = self.parameters(&holes);
        self.put(&format!("net {name}{actions}{parameters} {{\n"));
        let parts = self.parts(node, &holes);
        if !node.vectors.is_empty() && self.out.ends_with(";\n") {
            self.put("\n");
        }
        // Connectors come behind all vectors where a net is made, so what follows one is written as one, too.
        let is_whole = |vector: &Vector| !vector.optional.is_empty() || vector.maximal.is_some();
        let mut connecting = false;
        let mut rivals = node.vectors.iter().flat_map(|vector| &vector.rivals);
        self.reading = match rivals.any(|rival| !self.net.reads_of(rival).is_empty()) {
            true => self.variables_of_parts(node, &parts),
            false => Vec::new(),
        };
        for vector in &node.vectors {
            connecting |= is_whole(vector);
            match connecting && self.net.origins.connector(vector.origin).is_some() {
                true => self.connector(vector, &parts),
                false => self.vector(vector, &parts),
            }
        }
        if node.vectors.iter().any(|vector| vector.maximal.is_some()) {
            self.put("\n    priority maximal;\n");
        }
        self.put("}\n\n");
        self.inside.insert(id, holes);
        self.part_names.insert(id, parts);
    }

    /// The holes of a node and of the nodes in it, in the order of the whole net.
    fn holes_inside(&self, node: &Composite) -> Vec<HoleId> {
        let mut holes = Vec::new();
        for part in &node.parts {
            match part.content {
                Content::Leaf(_) => {}
                Content::Hole(hole) => holes.push(hole),
                Content::Node(inner) => holes.extend(self.inside.get(&inner).into_iter().flatten()),
            }
        }
        holes.sort_unstable();
        holes
    }

    /// Writes the parts of a node as `sub`s, and returns what they are called.
    ///
    /// The parts of a net are its holes first, then its sub-nets, so that holes can be used as they are as long
    /// as they come first and in order; the others have a `sub` of their own.
    fn parts(&mut self, node: &Composite, holes: &[HoleId]) -> PartNames {
        let mut unique = Unique::default();
        holes.iter().for_each(|&hole| unique.reserve(self.holes[hole].as_str()));
        let mut last = None;
        let mut only_holes = true;
        let mut names = PartNames::default();
        for part in &node.parts {
            let instance = match part.content {
                Content::Hole(hole) => {
                    let shown = quoted(&self.holes[hole]).into_owned();
                    if only_holes && last.is_none_or(|last| last < hole) {
                        last = Some(hole);
                        names.push(shown);
                        continue;
                    }
                    shown
                }
                Content::Leaf(id) => {
                    let name = quoted(self.leaves.get(&id).map_or("", String::as_str));
                    format!("{name}{}", self.action_parameters(part.content).1)
                }
                Content::Node(id) => self.instance(id),
            };
            only_holes = false;
            let name = unique.pick(&path_name(&part.name.to_string()));
            let name = quoted(&name).into_owned();
            self.put(&format!("    sub {name} = {instance};\n"));
            names.push(name);
        }
        names
    }

    /// An inner node with its holes passed on.
    fn instance(&self, id: NodeId) -> String {
        let name = quoted(self.nodes.get(&id).map_or("", String::as_str));
        let holes = self.inside.get(&id).map_or(&[][..], Vec::as_slice);
        let (_, values) = self.action_parameters(Content::Node(id));
        if holes.is_empty() {
            return format!("{name}{values}");
        }
        let fills = holes.iter().map(|&hole| quoted(&self.holes[hole]));
        format!("{name}{values}({})", fills.collect::<Vec<_>>().join(", "))
    }

    // ---- vectors ----

    /// A printer that knows what the variables of a vector are called.
    fn printer_of(&self, vector: &Vector) -> Printer<'_> {
        let mut printer = self.printer();
        let actions = self.actions_in(all_terms(vector));
        let mut unique = Unique::besides([&self.names.values, &actions]);
        let counts = self.occurrences(vector);
        self.name_variables(&vector.variables, &counts, &mut unique, &mut printer);
        for one in vector.all_optional() {
            self.name_variables(&one.variables, &counts, &mut unique, &mut printer);
        }
        for rival in &vector.rivals {
            self.name_variables(&rival.variables, &counts, &mut unique, &mut printer);
        }
        printer.variables.extend(self.reading.iter().cloned());
        printer.taken = unique.taken();
        printer
    }

    /// What a vector gives way to.
    fn rivals(&self, vector: &Vector, parts: &PartNames, printer: &mut Printer<'_>) -> String {
        let rivals: Vec<String> = vector
            .rivals
            .iter()
            .map(|rival| {
                let members = self.members(&rival.members, parts, printer);
                format!("{members}{}", self.guard(rival.guard, printer))
            })
            .collect();
        match rivals.is_empty() {
            true => String::new(),
            false => format!(" unless {}", rivals.join(", ")),
        }
    }

    /// A vector with members that may take part or not: a connector whose triggers are the others.
    fn connector(&mut self, vector: &Vector, parts: &PartNames) {
        let mut printer = self.printer_of(vector);
        let result = printer.at(vector.result, OPERAND);
        let ports = self.ports(&vector.members, &vector.optional, parts, &mut printer);
        let guard = self.guard(vector.guard, &mut printer);
        let rivals = self.rivals(vector, parts, &mut printer);
        let line = format!("    connect {result} : {ports}{guard}{rivals};\n");
        drop(printer);
        self.put(&line);
    }

    fn ports(
        &self,
        members: &Members,
        optional: &[Optional],
        parts: &PartNames,
        printer: &mut Printer<'_>,
    ) -> String {
        let port = |member: &Member| {
            let action = printer.at(member.action, OPERAND);
            format!("{}.{action}", parts[member.part])
        };
        let ports: Vec<String> = members.iter().map(port).collect();
        let together = ports.join(" ");
        if optional.is_empty() {
            return together;
        }
        let mut shown = match members.len() {
            1 => format!("{together}'"),
            _ => format!("[{together}]'"),
        };
        for one in optional {
            let inside = self.ports(&one.members, &one.inside, parts, printer);
            let is_one = one.members.len() == 1 && one.inside.is_empty();
            shown += &if is_one { format!(" {inside}") } else { format!(" [{inside}]") };
        }
        shown
    }

    fn vector(&mut self, vector: &Vector, parts: &PartNames) {
        let mut printer = self.printer_of(vector);
        let members = self.members(&vector.members, parts, &mut printer);
        let result = printer.at(vector.result, OPERAND);
        let guard = self.guard(vector.guard, &mut printer);
        let rivals = self.rivals(vector, parts, &mut printer);
        let step = match self.net.origins.name(vector.origin) {
            Some(name) => format!("step {}: ", quoted(name.as_str())),
            None => String::new(),
        };
        let line = format!("    {step}{members} -> {result}{guard}{rivals};\n");
        drop(printer);
        self.put(&line);
    }

    /// The ways to all variables of leaves in a node.
    fn variables_of_parts(&self, node: &Composite, parts: &PartNames) -> Vec<(VarId, String)> {
        let (mut found, mut work) = (Vec::new(), Vec::new());
        work.extend(node.parts.enumerated().map(|(at, part)| (parts[at].clone(), part.content)));
        while let Some((path, content)) = work.pop() {
            match content {
                Content::Leaf(id) => {
                    let own = self.net.plts[id].variables.iter().map(|(var, _)| *var);
                    let named = own.filter_map(|var| Some((var, self.variables.get(&var)?)));
                    found.extend(named.map(|(var, name)| (var, format!("{path}.{name}"))));
                }
                Content::Node(id) => {
                    let Some(names) = self.part_names.get(&id) else { continue };
                    let inner = self.net.nodes[id].parts.enumerated();
                    work.extend(
                        inner.map(|(at, part)| (format!("{path}.{}", names[at]), part.content)),
                    );
                }
                Content::Hole(_) => {}
            }
        }
        found
    }

    /// Names the variables of a vector: `_` for one that stands for any value.
    fn name_variables(
        &self,
        variables: &[VarId],
        counts: &FxHashMap<VarId, usize>,
        unique: &mut Unique<'_>,
        printer: &mut Printer<'_>,
    ) {
        for &variable in variables {
            if printer.variables.contains_key(&variable) {
                continue;
            }
            let name = self.net.terms.var(variable).name.as_str();
            let is_any = name == "_" && counts.get(&variable).is_some_and(|count| *count == 1);
            let name = if is_any { "_".to_owned() } else { unique.pick(name) };
            printer.variables.insert(variable, name);
        }
    }

    fn members(&self, members: &Members, parts: &PartNames, printer: &mut Printer<'_>) -> String {
        // Whole actions have a mark where they are introduced, and only there.
        printer.marked = self.action_variables(printer);
        let shown = members.iter().map(|member| {
            let action = printer.at(member.action, OPERAND);
            format!("{}: {action}", parts[member.part])
        });
        let shown: Vec<String> = shown.collect();
        printer.marked.clear();
        format!("<{}>", shown.join(", "))
    }

    fn action_variables(&self, printer: &Printer<'_>) -> FxHashSet<VarId> {
        let is_action = |id: &VarId| *self.net.sort_of(*id) == Sort::Action;
        printer.variables.keys().copied().filter(is_action).collect()
    }

    fn guard(&self, guard: TermId, printer: &mut Printer<'_>) -> String {
        if self.net.terms.as_bool(guard) == Some(true) {
            return String::new();
        }
        format!(" when {}", printer.at(guard, ANY))
    }

    /// How often each variable stands in a vector.
    fn occurrences(&self, vector: &Vector) -> FxHashMap<VarId, usize> {
        let mut counts = FxHashMap::default();
        for root in all_terms(vector) {
            let mut seen = FxHashSet::default();
            let mut work = vec![root];
            while let Some(id) = work.pop() {
                if let Term::Var(variable) = self.net.terms.get(id) {
                    *counts.entry(*variable).or_insert(0) += 1;
                } else if seen.insert(id) {
                    work.extend(self.net.terms.children(id));
                }
            }
        }
        counts
    }
}

/// All terms of a vector.
fn all_terms(vector: &Vector) -> Vec<TermId> {
    let mut found: Vec<TermId> = vector.all_members().map(|(member, _)| member.action).collect();
    found.extend([vector.result, vector.guard]);
    for rival in &vector.rivals {
        found.extend(rival.members.iter().map(|member| member.action));
        found.push(rival.guard);
    }
    found
}

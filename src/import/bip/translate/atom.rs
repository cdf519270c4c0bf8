//! Atoms as processes.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::super::super::name::{Names, quoted};
use super::super::super::problems::ReadUnset;
use super::super::super::text::Texts;
use super::super::super::write::Page;
use super::super::model::{AtomDef, Kind};
use super::super::term::{Ref, Term, Type};
use super::Writer;
use super::behaviour::{Behaviour, Step};
use super::plan::{Arg, VariantKey};

/// The names of an atom.
struct AtomNames {
    parameters: Vec<String>,
    data: Vec<String>,
    inputs: Vec<String>,
    states: Vec<String>,
}

impl Writer<'_> {
    /// All variants of an atom.
    pub fn atoms(
        &mut self,
        which: usize,
        comments: Vec<String>,
        page: &mut Page,
        texts: &mut Texts<'_>,
    ) {
        let keys = self.plan.variants.keys().filter(|(kind, _)| *kind == Kind::Atom(which));
        let mut live: Vec<Vec<usize>> = keys.map(|(_, live)| live.clone()).collect();
        live.sort_by_key(|live| (std::cmp::Reverse(live.len()), live.clone()));
        let most = live.first().cloned().unwrap_or_default();
        for (at, live) in live.into_iter().enumerate() {
            if at == 0 {
                page.comments(&comments);
            } else {
                page.gap();
                let faces = &self.model.atoms[which].faces;
                let missing = most.iter().filter(|face| !live.contains(face));
                let missing: Vec<&str> = missing.map(|face| faces[*face].name.text()).collect();
                page.comments([format!(
                    "The same where nothing is connected to {}.",
                    missing.join(", ")
                )]);
            }
            self.atom(which, &live, page, texts);
        }
    }

    fn atom(
        &mut self,
        which: usize,
        live: &[usize],
        page: &mut Page,
        texts: &mut Texts<'_>,
    ) -> Option<()> {
        let (model, kind) = (self.model, Kind::Atom(which));
        let atom = &model.atoms[which];
        // It is written once.
        let behaviour = self.behaviours.get(&(kind, live.to_vec()))?.clone();
        let looked = self.looked.get(&(kind, live.to_vec())).cloned().unwrap_or_default();
        let mut read = self.read(atom, which, &behaviour);
        read.extend(&looked);
        let unset = self.unset(atom, (which, &behaviour), &looked, texts);
        let names = self.atom_names(atom, &behaviour, &read);
        let used = self.used_parameters(kind);
        let parameters = used.iter().map(|at| (&atom.parameters[*at], &names.parameters[*at]));
        let parameters: Vec<String> =
            parameters.map(|(one, name)| format!("{name}: {}", self.sort(one.kind))).collect();
        let name = quoted(&self.component(kind, live));
        match parameters.is_empty() {
            true => page.line(&format!("process {name} {{")),
            false => page.line(&format!("process {name}<{}> {{", parameters.join(", "))),
        }
        self.variables(atom, &behaviour, (&names, &unset), page);
        page.line(&format!("init state {};", names.states[0]));
        if names.states.len() > 1 {
            page.line(&format!("state {};", names.states[1..].join(", ")));
        }
        page.gap();
        for step in &behaviour.steps {
            let line = self.step(which, step, &names);
            page.line(&line);
        }
        page.line("}");
        Some(())
    }

    /// The action of a port, and the sorts of its values.
    pub fn face_action(&mut self, kind: Kind, face: usize) -> String {
        let arguments = self.plan.arguments(self.model, kind, face);
        let sorts: Vec<String> = arguments.iter().map(|(_, kind)| self.sort(*kind)).collect();
        let name = self.model.faces(kind)[face].name.text();
        self.actions.action(name, &sorts)
    }

    /// The action of a port that is not exported: not that of an exported one.
    pub fn inner_action(&mut self, which: usize, port: usize) -> String {
        let atom = &self.model.atoms[which];
        let name = atom.ports[port].name.text();
        let is_face = atom.faces.iter().any(|face| face.name.text() == name);
        let name = if is_face { format!("{name}_inside") } else { name.to_owned() };
        self.actions.action(&name, &[])
    }

    // ---- variables ----

    /// The variables whose values matter for something.
    fn read(&self, atom: &AtomDef, which: usize, behaviour: &Behaviour) -> BTreeSet<usize> {
        let mut read = BTreeSet::new();
        let take = |term: &Term, read: &mut BTreeSet<usize>| {
            term.refs(&mut |one| {
                if let Ref::Data(at) = one {
                    read.insert(at);
                }
            });
        };
        for step in &behaviour.steps {
            take(&step.guard, &mut read);
            read.extend(self.shown_data(atom, which, step.port));
            for (at, term) in &step.values {
                // What a variable becomes from itself alone matters to nobody else.
                let mut others = BTreeSet::new();
                take(term, &mut others);
                read.extend(others.into_iter().filter(|other| other != at));
            }
        }
        // Of a type that nobody uses, there is no check.
        let mut components = self.model.compounds.iter().flat_map(|one| &one.components);
        if components.any(|one| one.kind == Kind::Atom(which)) {
            atom.invariants.iter().for_each(|one| take(&one.guard, &mut read));
        }
        read
    }

    /// The variables whose values are seen at a port.
    fn shown_data(&self, atom: &AtomDef, which: usize, port: usize) -> Vec<usize> {
        let Some(face) = atom.ports[port].face else { return Vec::new() };
        let arguments = self.plan.arguments(self.model, Kind::Atom(which), face);
        let shown = arguments.into_iter().filter_map(|(arg, _)| match arg {
            Arg::Out(at) => atom.ports[port].data.get(at).copied(),
            Arg::In(_) => None,
        });
        shown.collect()
    }

    /// The variables that somebody at a port does something with, and does not only give back.
    fn seen_data(&self, atom: &AtomDef, which: usize, port: usize) -> BTreeSet<usize> {
        let Some(face) = atom.ports[port].face else { return BTreeSet::new() };
        let used = self.plan.face_use(Kind::Atom(which), face);
        used.read.iter().filter_map(|at| atom.ports[port].data.get(*at).copied()).collect()
    }

    /// The variables that may be read before they are set.
    fn unset(
        &self,
        atom: &AtomDef,
        (which, behaviour): (usize, &Behaviour),
        looked: &BTreeSet<usize>,
        texts: &mut Texts<'_>,
    ) -> BTreeSet<usize> {
        let all: BTreeSet<usize> =
            (0..atom.data.len()).filter(|at| !behaviour.start.contains_key(at)).collect();
        // What is surely set in each state; at first everything, where nobody was yet.
        let mut missing: Vec<Option<BTreeSet<usize>>> = vec![None; behaviour.states.len()];
        missing[0] = Some(all.clone());
        loop {
            let before = missing.clone();
            for step in &behaviour.steps {
                let Some(mut after) = missing[step.from].clone() else { continue };
                step.values.iter().for_each(|(at, _)| _ = after.remove(at));
                let known = missing[step.to].get_or_insert_with(BTreeSet::new);
                known.extend(after);
            }
            if before == missing {
                break;
            }
        }
        let mut unset = BTreeSet::new();
        for step in &behaviour.steps {
            let Some(missing) = &missing[step.from] else { continue };
            let mut read = self.seen_data(atom, which, step.port);
            for term in step.values.iter().map(|(_, term)| term).chain([&step.guard]) {
                term.refs(&mut |one| {
                    if let Ref::Data(at) = one {
                        read.insert(at);
                    }
                });
            }
            unset.extend(read.intersection(missing));
        }
        unset.extend(all.into_iter().filter(|data| looked.contains(data)));
        for at in &unset {
            let name = atom.data[*at].variable.name;
            texts.report(ReadUnset { span: name.span, name: name.text().to_owned() });
        }
        unset
    }

    fn variables(
        &mut self,
        atom: &AtomDef,
        behaviour: &Behaviour,
        (names, unset): (&AtomNames, &BTreeSet<usize>),
        page: &mut Page,
    ) {
        for (at, data) in atom.data.iter().enumerate() {
            let (name, kind) = (&names.data[at], data.variable.kind);
            let start = behaviour.start.get(&at);
            let value = match (start, kind) {
                (Some(term), _) => {
                    let value = self.shown(term, &|one| atom_ref(one, names));
                    format!(" = {value}")
                }
                // It is set before it is read.
                (None, Type::Int) if !unset.contains(&at) => " = 0".to_owned(),
                (None, Type::Bool) if !unset.contains(&at) => " = false".to_owned(),
                (None, _) => String::new(),
            };
            page.line(&format!("var {name}: {}{value};", self.sort(kind)));
        }
    }

    // ---- names ----

    fn atom_names(
        &self,
        atom: &AtomDef,
        behaviour: &Behaviour,
        read: &BTreeSet<usize>,
    ) -> AtomNames {
        let mut values = Names::default();
        let needed = parameters_of(behaviour);
        let parameters = atom.parameters.iter().enumerate().map(|(at, one)| {
            let name = one.name.text();
            match needed.contains(&at) {
                true => quoted(&values.fresh(name)),
                false => quoted(&values.fresh(&format!("_{name}"))),
            }
        });
        let parameters = parameters.collect();
        let data = atom.data.iter().enumerate().map(|(at, one)| {
            let name = one.variable.name.text();
            // A name with `_` before it: nobody reads it.
            match read.contains(&at) {
                true => quoted(&values.fresh(name)),
                false => quoted(&values.fresh(&format!("_{name}"))),
            }
        });
        let data: Vec<String> = data.collect();
        let inputs =
            atom.data.iter().map(|one| values.fresh(&format!("new_{}", one.variable.name.text())));
        let inputs = inputs.collect();
        let mut states = Names::default();
        let named = behaviour.states.iter().map(|marking| {
            let places: Vec<&str> =
                marking.iter().map(|place| atom.places[*place].text()).collect();
            quoted(&states.fresh(&if places.is_empty() {
                "nowhere".to_owned()
            } else {
                places.join("_")
            }))
        });
        AtomNames { parameters, data, inputs, states: named.collect() }
    }

    fn step(&mut self, which: usize, step: &Step, names: &AtomNames) -> String {
        let atom = &self.model.atoms[which];
        let port = &atom.ports[step.port];
        let used: BTreeSet<usize> = {
            let mut used = BTreeSet::new();
            for term in step.values.iter().map(|(_, term)| term).chain([&step.guard]) {
                term.refs(&mut |one| {
                    if let Ref::Input(at) = one {
                        used.insert(at);
                    }
                });
            }
            used
        };
        let action = match port.face {
            None => quoted(&self.inner_action(which, step.port)),
            Some(face) => {
                let arguments = self.plan.arguments(self.model, Kind::Atom(which), face);
                let shown = arguments.iter().map(|(arg, _)| match arg {
                    Arg::Out(at) => names.data[port.data[*at]].clone(),
                    Arg::In(at) if used.contains(&port.data[*at]) => {
                        format!("?{}", names.inputs[port.data[*at]])
                    }
                    Arg::In(_) => "_".to_owned(),
                });
                let shown: Vec<String> = shown.collect();
                let action = quoted(&self.face_action(Kind::Atom(which), face));
                match shown.is_empty() {
                    true => action,
                    false => format!("{action}({})", shown.join(", ")),
                }
            }
        };
        let (from, to) = (&names.states[step.from], &names.states[step.to]);
        let mut line = format!("{from} -> {to} : {action}");
        if step.guard != Term::Bool(true) {
            let guard = self.shown(&step.guard, &|one| atom_ref(one, names));
            line.push_str(&format!(" when {guard}"));
        }
        if !step.values.is_empty() {
            let changes: Vec<String> = step
                .values
                .iter()
                .map(|(at, term)| {
                    let value = self.shown(term, &|one| atom_ref(one, names));
                    format!("{} := {value}", names.data[*at])
                })
                .collect();
            line.push_str(&format!(" do {}", changes.join(", ")));
        }
        line.push(';');
        line
    }

    /// The states of an atom by the places that are marked in them, for invariants: none where it is not written.
    pub fn states_with(&self, key: &VariantKey, which: usize, at: &[usize]) -> Vec<String> {
        let atom = &self.model.atoms[which];
        let Some(behaviour) = self.behaviours.get(key) else { return Vec::new() };
        let names = self.atom_names(atom, behaviour, &BTreeSet::new());
        let with = behaviour.states.iter().zip(names.states);
        let with = with.filter(|(marking, _)| at.iter().all(|place| marking.contains(place)));
        with.map(|(_, name)| name).collect()
    }

    /// A condition on the variables of an atom, each called by the path to it.
    pub fn invariant(
        &mut self,
        which: usize,
        term: &Term,
        path: &str,
        parameters: &[String],
    ) -> String {
        let atom = &self.model.atoms[which];
        let data: FxHashMap<usize, String> = atom
            .data
            .iter()
            .enumerate()
            .map(|(at, one)| (at, format!("{path}.{}", quoted(one.variable.name.text()))))
            .collect();
        self.shown(term, &|one| match one {
            Ref::Data(at) => data.get(&at).cloned().unwrap_or_default(),
            Ref::Param(at) => parameters.get(at).cloned().unwrap_or_default(),
            _ => String::new(),
        })
    }
}

/// The parameters on which what a variant of an atom does depends.
fn parameters_of(behaviour: &Behaviour) -> BTreeSet<usize> {
    let mut needed = BTreeSet::new();
    let steps = behaviour.steps.iter();
    let moved = steps.flat_map(|one| one.values.iter().map(|(_, term)| term).chain([&one.guard]));
    for term in behaviour.start.values().chain(moved) {
        term.refs(&mut |one| {
            if let Ref::Param(at) = one {
                needed.insert(at);
            }
        });
    }
    needed
}

fn atom_ref(one: Ref, names: &AtomNames) -> String {
    match one {
        Ref::Param(at) => names.parameters[at].clone(),
        Ref::Data(at) => names.data[at].clone(),
        Ref::Input(at) => names.inputs[at].clone(),
        _ => String::new(),
    }
}

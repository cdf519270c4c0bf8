//! Leaves as processes.

use rustc_hash::FxHashSet;

use super::Writer;
use super::algebra::declare;
use crate::algebra::{Term, TermId};
use crate::base::IndexVec;
use crate::emit::names::{Unique, quoted};
use crate::emit::term::{ANY, OPERAND, Printer};
use crate::pnet::{Content, Plts, PltsId, PltsStateId, Transition};

impl Writer<'_> {
    pub fn process(&mut self, id: PltsId) {
        let plts = &self.net.plts[id];
        self.comment(Content::Leaf(id), plts.name.as_str());
        let name = quoted(self.leaves.get(&id).map_or("", String::as_str)).into_owned();
        let labels = plts.transitions.iter().map(|transition| transition.action);
        let terms = inner_terms(self.net, plts).into_iter().chain(labels).collect();
        self.note_needs(Content::Leaf(id), terms, &[]);
        let (parameters, _) = self.action_parameters(Content::Leaf(id));
        self.put(&format!("process {name}{parameters} {{\n"));
        let mut printer = self.printer();
        let actions = self.actions_in(inner_terms(self.net, plts));
        let mut unique = Unique::besides([&self.names.values, &actions]);
        for (variable, initial) in &plts.variables {
            let declared = declare(&mut printer, *variable, &mut unique);
            let initial = initial.map(|initial| format!(" = {}", printer.at(initial, ANY)));
            self.put(&format!("    var {declared}{};\n", initial.unwrap_or_default()));
        }
        let variables = unique.taken();
        let states = self.states(plts);
        if !plts.transitions.is_empty() {
            self.put("\n");
        }
        for transition in &plts.transitions {
            self.transition(transition, &states, &mut printer, [&variables, &actions]);
        }
        self.put("}\n\n");
    }

    /// Declares the states in order, those that are alike together.
    fn states(&mut self, plts: &Plts) -> IndexVec<PltsStateId, String> {
        let mut unique = Unique::default();
        let names = plts.states.iter().map(|state| unique.pick(state.name.as_str()));
        let names: Vec<String> = names.map(|name| quoted(&name).into_owned()).collect();
        let marks: Vec<String> = plts
            .states
            .enumerated()
            .map(|(index, state)| {
                let init = if index == plts.initial { "init " } else { "" };
                let is_final = if state.is_final { "final " } else { "" };
                format!("{init}{is_final}")
            })
            .collect();
        let mut at = 0;
        while at < names.len() {
            let alike = marks[at..].iter().take_while(|mark| **mark == marks[at]).count();
            let together = names[at..at + alike].join(", ");
            self.put(&format!("    {}state {together};\n", marks[at]));
            at += alike;
        }
        names.into()
    }

    fn transition(
        &mut self,
        transition: &Transition,
        states: &IndexVec<PltsStateId, String>,
        printer: &mut Printer<'_>,
        outer: [&FxHashSet<String>; 2],
    ) {
        let values: &FxHashSet<String> = &self.names.values;
        let mut unique = Unique::besides(outer.into_iter().chain([values]));
        for input in &transition.inputs {
            let name = self.net.terms.var(*input).name.as_str();
            let is_ignored = name == "_" && !mentions(self.net, transition, *input);
            let name = if is_ignored { "_".to_owned() } else { unique.pick(name) };
            printer.variables.insert(*input, name);
        }
        printer.taken = unique.taken();
        printer.taken.extend(outer[0].iter().cloned());
        printer.marked = transition.inputs.iter().copied().collect();
        let action = printer.at(transition.action, OPERAND);
        printer.marked.clear();
        let (source, target) = (&states[transition.source], &states[transition.target]);
        self.put(&format!("    {source} -> {target} : {action}"));
        if self.net.terms.as_bool(transition.guard) != Some(true) {
            let guard = printer.at(transition.guard, ANY);
            self.put(&format!(" when {guard}"));
        }
        let updates: Vec<String> = transition
            .updates
            .iter()
            .map(|(variable, value)| {
                format!("{} := {}", printer.variable(*variable), printer.at(*value, ANY))
            })
            .collect();
        if !updates.is_empty() {
            self.put(&format!(" do {}", updates.join(", ")));
        }
        self.put(";\n");
    }
}

/// The terms of a process in which an action is a value, and not a label.
fn inner_terms(net: &crate::pnet::PNet, plts: &Plts) -> Vec<TermId> {
    let mut found: Vec<TermId> =
        plts.variables.iter().filter_map(|(_, initial)| *initial).collect();
    for transition in &plts.transitions {
        let mut label = transition.action;
        while let Term::Sync(inner) | Term::Co(inner) = net.terms.get(label) {
            label = *inner;
        }
        found.extend(net.terms.children(label));
        found.push(transition.guard);
        found.extend(transition.updates.iter().map(|(_, value)| *value));
    }
    found
}

/// Whether the guard or the updates of a transition use an input.
fn mentions(
    net: &crate::pnet::PNet,
    transition: &Transition,
    input: crate::algebra::VarId,
) -> bool {
    let values = transition.updates.iter().map(|(_, value)| *value);
    let mut all = values.chain([transition.guard]);
    all.any(|term| net.terms.free_vars(term).contains(&input))
}

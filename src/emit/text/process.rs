//! Leaves as processes.

use rustc_hash::FxHashSet;

use super::Writer;
use super::algebra::declare;
use crate::algebra::{Term, TermId, VarId, VariableKind};
use crate::base::IndexVec;
use crate::emit::names::{Unique, quoted};
use crate::emit::term::{ANY, COMPARISON, OPERAND, Printer};
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
            // It comes with the claims of the transitions.
            if self.net.terms.var(*variable).kind == VariableKind::Failure {
                let name = unique.pick(self.net.terms.var(*variable).name.as_str());
                printer.variables.insert(*variable, name);
                continue;
            }
            let declared = declare(&mut printer, *variable, &mut unique);
            let initial = initial.map(|initial| format!(" = {}", printer.at(initial, ANY)));
            self.put(&format!("    var {declared}{};\n", initial.unwrap_or_default()));
        }
        for (variable, _) in &plts.variables {
            let name = printer.variable(*variable);
            self.variables.insert(*variable, quoted(&name).into_owned());
        }
        let variables = unique.taken();
        let states = self.states(plts);
        if !plts.transitions.is_empty() {
            self.put("\n");
        }
        let net = self.net;
        let is_noted = |variable: &VarId| net.terms.var(*variable).kind == VariableKind::Failure;
        let noted = plts.variables.iter().map(|(variable, _)| *variable).find(is_noted);
        let updates = plts.transitions.iter().flat_map(|transition| &transition.updates);
        // A claim that is always true changes nothing; without one, there would be no variable.
        let mut claims_nothing =
            noted.is_some() && !updates.into_iter().any(|(variable, _)| Some(*variable) == noted);
        for transition in &plts.transitions {
            let outer = [&variables, &actions];
            self.transition((transition, claims_nothing), &states, &mut printer, outer);
            claims_nothing = false;
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
        (transition, claims_nothing): (&Transition, bool),
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
        // Assignments one after the other are written at once: what they owed on the way is asked for.
        let owed = transition.owes.iter().filter(|owed| owed.on_the_way).map(|owed| owed.term);
        let asked: Vec<TermId> = [transition.guard]
            .into_iter()
            .chain(owed)
            .filter(|&term| self.net.terms.as_bool(term) != Some(true))
            .collect();
        let asked: Vec<String> = match asked.as_slice() {
            [only] => vec![printer.at(*only, ANY)],
            all => all.iter().map(|&term| printer.at(term, COMPARISON)).collect(),
        };
        if !asked.is_empty() {
            self.put(&format!(" when {}", asked.join(" and ")));
        }
        let net = self.net;
        let is_noted = |variable: VarId| net.terms.var(variable).kind == VariableKind::Failure;
        let claimed = transition.updates.iter().find(|(variable, _)| is_noted(*variable));
        let claim = claimed.map(|(variable, value)| self.claim(*variable, *value, printer));
        if let Some(claim) = claim.or(claims_nothing.then(|| "true".to_owned())) {
            self.put(&format!(" assert {claim}"));
        }
        let updates: Vec<String> = transition
            .updates
            .iter()
            .filter(|(variable, _)| !is_noted(*variable))
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

impl Writer<'_> {
    /// What a transition claims: the opposite of what makes its claim fail.
    fn claim(&self, noted: VarId, value: TermId, printer: &mut Printer<'_>) -> String {
        let terms = &self.net.terms;
        let Term::Or(all) = terms.get(value) else { return "false".to_owned() };
        let fails: Vec<TermId> =
            all.iter().copied().filter(|&one| one != terms.var_term(noted)).collect();
        match fails.as_slice() {
            [only] if matches!(terms.get(*only), Term::Not(_)) => {
                let holds = terms.children(*only).into_iter().next();
                holds.map_or_else(String::new, |holds| printer.at(holds, ANY))
            }
            _ => {
                let all: Vec<String> =
                    fails.iter().map(|&one| printer.at(one, COMPARISON)).collect();
                format!("not ({})", all.join(" or "))
            }
        }
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
        found.extend(transition.owes.iter().filter(|owed| owed.on_the_way).map(|owed| owed.term));
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
    let owed = transition.owes.iter().filter(|owed| owed.on_the_way).map(|owed| owed.term);
    let mut all = values.chain([transition.guard]).chain(owed);
    all.any(|term| net.terms.free_vars(term).contains(&input))
}

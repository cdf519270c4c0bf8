//! What people call the states and variables of an automaton.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{GlobalState, Leaf, OpenAutomaton, OpenTransition};
use crate::algebra::{TermId, VarId};
use crate::base::IndexVec;
use crate::pnet::LeafId;

/// Names of variables.
pub type VariableNames = FxHashMap<VarId, String>;

/// The name of a state: the states of the leaves, joined by dots; `-` where there are no leaves.
pub fn state_name(leaves: &IndexVec<LeafId, Leaf>, state: &GlobalState) -> String {
    let names = leaves.iter().zip(&state.leaves);
    let names = names.map(|(leaf, &at)| leaf.states[at].name.as_str());
    let joined = names.collect::<Vec<_>>().join(".");
    if joined.is_empty() { "-".to_owned() } else { joined }
}

/// The names of an automaton's own variables: as short as they can be without meaning two things.
pub fn variable_names(automaton: &OpenAutomaton) -> VariableNames {
    let mut count: FxHashMap<&str, usize> = FxHashMap::default();
    let last = |path: &'_ str| path.rfind('.').map_or(0, |dot| dot + 1);
    for variable in &automaton.variables {
        *count.entry(&variable.path[last(&variable.path)..]).or_default() += 1;
    }
    let constants: FxHashSet<&str> =
        automaton.algebra.constants.iter().map(|constant| constant.name.as_str()).collect();
    let names = automaton.variables.iter().map(|variable| {
        let short = &variable.path[last(&variable.path)..];
        let alone = count.get(short) == Some(&1) && !constants.contains(short);
        (variable.var, if alone { short.to_owned() } else { variable.path.clone() })
    });
    names.collect()
}

impl OpenTransition {
    /// The names of all variables of a transition: those of the automaton, and its own, which get numbers where
    /// they would be called alike.
    pub fn names(&self, automaton: &OpenAutomaton, own: &VariableNames) -> VariableNames {
        let mut names = own.clone();
        let mut taken: FxHashSet<String> = own.values().cloned().collect();
        taken.extend(automaton.algebra.constants.iter().map(|constant| constant.name.to_string()));
        for var in self.free_vars(automaton) {
            if names.contains_key(&var) {
                continue;
            }
            let name = automaton.terms.var(var).name;
            let name = if name.as_str() == "_" { "x" } else { name.as_str() };
            let mut full = name.to_owned();
            let mut number = 2;
            while !taken.insert(full.clone()) {
                full = format!("{name}_{number}");
                number += 1;
            }
            names.insert(var, full);
        }
        names
    }

    /// All terms of a transition, in the order in which they are shown.
    pub fn terms(&self) -> impl Iterator<Item = TermId> {
        let holes = self.holes.iter().map(|(_, action)| *action);
        let updates = self.updates.iter().map(|(_, value)| *value);
        holes.chain([self.guard]).chain(updates).chain([self.action])
    }

    /// The variables of a transition, in the order in which they are met.
    pub fn free_vars(&self, automaton: &OpenAutomaton) -> Vec<VarId> {
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        let mut found = Vec::new();
        for term in self.terms() {
            for var in automaton.terms.free_vars(term) {
                if seen.insert(var) {
                    found.push(var);
                }
            }
        }
        found
    }
}

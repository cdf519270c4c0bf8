//! The types of components: one for each leaf of each kind.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::NoPattern;
use crate::algebra::{Term, TermId};
use crate::diagnostics::Symbol;
use crate::moving::{Datum, Move, Space};
use crate::parametric::{
    ComponentMove, ComponentState, ComponentStateId, ComponentType, ComponentTypeId, PatternPortId,
    StateSet, SystemPattern,
};
use crate::pnet::{PNet, leaves_of_parts};
use crate::safety::{Bad, Problem};
use crate::sema::program::{ArchitectureDef, ProcessId};

/// The way to a leaf inside of a component; empty where the component is a process.
pub(super) type Leaf = String;

/// The kinds of components of an architecture, as types.
pub(super) struct Kinds {
    /// For each class of names, the leaves of anything that can stand behind them.
    pub leaves: Vec<Vec<Leaf>>,
    /// The type of each leaf of each kind.
    types: BTreeMap<(usize, Leaf), ComponentTypeId>,
    /// Of each type: the names of the places of its states, and the process that it is.
    places: Vec<(Vec<Symbol>, Option<ProcessId>)>,
    /// Of each state of each type: the values of the variables that are kept.
    data: Vec<Vec<BTreeMap<String, Datum>>>,
    /// Somebody who does nothing, and may always rest.
    nobody: ComponentTypeId,
    ports: BTreeMap<(ComponentTypeId, BTreeSet<Move>), PatternPortId>,
    forgotten: BTreeSet<String>,
}

impl Kinds {
    pub fn of(
        def: &ArchitectureDef,
        nets: &BTreeMap<u32, Arc<PNet>>,
        pattern: &mut SystemPattern,
    ) -> Result<Kinds, NoPattern> {
        let state = ComponentState { label: "-".to_owned(), initial: true, is_final: true };
        let label = "nobody".to_owned();
        let states = vec![state].into();
        let nobody = pattern.types.push(ComponentType { label, states, moves: Vec::new() });
        let mut kinds = Kinds {
            leaves: Vec::new(),
            types: BTreeMap::new(),
            places: vec![(Vec::new(), None)],
            data: vec![vec![BTreeMap::new()]],
            nobody,
            ports: BTreeMap::new(),
            forgotten: BTreeSet::new(),
        };
        for (at, kind) in def.kinds.iter().enumerate() {
            let net = kind.net.and_then(|net| nets.get(&net.0)).ok_or(NoPattern::Ways)?;
            kinds.add(at, &kind.text, (net, &kind.processes), pattern)?;
        }
        for class in &def.classes {
            let all = class.iter().flat_map(|kind| {
                kinds.types.keys().filter(move |(of, _)| of == kind).map(|(_, leaf)| leaf.clone())
            });
            let all: BTreeSet<Leaf> = all.collect();
            kinds.leaves.push(all.into_iter().collect());
        }
        Ok(kinds)
    }

    fn add(
        &mut self,
        kind: usize,
        text: &str,
        (net, processes): (&PNet, &[(Vec<Symbol>, ProcessId)]),
        pattern: &mut SystemPattern,
    ) -> Result<(), NoPattern> {
        let problem = Problem::new(net, Bad::Stuck).map_err(|_| NoPattern::Ways)?;
        let mut terms = problem.terms.clone();
        let leaves = leaves_of_parts(net);
        for component in &problem.components {
            let space = Space::of(net, &mut terms, component).ok_or(NoPattern::States)?;
            let Some((_, leaf)) = leaves.get(&component.plts) else { return Err(NoPattern::Ways) };
            let plts = &net.plts[component.plts];
            let label = crate::pnet::path_inside(text, leaf);
            let forgotten = space.forgotten.iter().map(|var| format!("{label}.{}", var.name));
            self.forgotten.extend(forgotten);
            let states = space.states().map(|id| ComponentState {
                label: space.labels[id.index()].clone(),
                initial: space.initial.contains(&id),
                is_final: space.finals.contains(&id),
            });
            let states = states.collect();
            let places = space.states().map(|id| plts.states[space.parts(id).0].name).collect();
            let of = pattern.types.push(ComponentType { label, states, moves: Vec::new() });
            let process = processes.iter().find(|(path, _)| way(path) == *leaf);
            self.places.push((places, process.map(|(_, process)| *process)));
            self.data.push(space.data);
            self.types.insert((kind, leaf.clone()), of);
        }
        Ok(())
    }

    /// The type of a leaf of a kind.
    pub fn type_of(&self, kind: usize, leaf: &str) -> ComponentTypeId {
        self.types.get(&(kind, leaf.to_owned())).copied().unwrap_or(self.nobody)
    }

    /// The port by which components of a type make some moves.
    pub fn port(
        &mut self,
        pattern: &mut SystemPattern,
        of: ComponentTypeId,
        moves: &BTreeSet<Move>,
    ) -> PatternPortId {
        let key = (of, moves.clone());
        if let Some(port) = self.ports.get(&key) {
            return *port;
        }
        let kind = &pattern.types[of];
        let shown = |id: ComponentStateId| kind.states[id].label.as_str();
        let ways: Vec<String> =
            moves.iter().map(|&(from, to)| format!("{}-{}", shown(from), shown(to))).collect();
        let label = format!("{}:{}", kind.label, ways.join("|"));
        let port = pattern.ports.push(label);
        let moves = moves.iter().map(|&(from, to)| ComponentMove { port, from, to, must: true });
        pattern.types[of].moves.extend(moves);
        self.ports.insert(key, port);
        port
    }

    /// The states of a leaf of some kinds, at places of these names.
    pub fn states(&self, kinds: &[usize], leaf: &str, names: &[Symbol]) -> StateSet {
        let mut states = StateSet::new();
        for of in kinds.iter().filter_map(|kind| self.types.get(&(*kind, leaf.to_owned()))) {
            self.add_states(*of, |name| names.contains(&name), &mut states);
        }
        states
    }

    /// The states of a process, wherever it stands, at some places.
    pub fn states_of(&self, process: ProcessId, names: &[Symbol]) -> StateSet {
        let mut states = StateSet::new();
        for (at, (_, of)) in self.places.iter().enumerate() {
            if *of == Some(process) {
                let of = ComponentTypeId(at as u32);
                self.add_states(of, |name| names.contains(&name), &mut states);
            }
        }
        states
    }

    /// All states of all types, but for somebody who does nothing.
    pub fn all_states(&self) -> impl Iterator<Item = (ComponentTypeId, ComponentStateId)> {
        let each = self.places.iter().enumerate();
        each.flat_map(|(of, (places, _))| {
            let all = 0..places.len();
            all.map(move |at| (ComponentTypeId(of as u32), ComponentStateId(at as u32)))
        })
    }

    /// The value of a variable of a process in a state; nothing where it is forgotten, or where this is another process.
    pub fn datum(
        &self,
        (of, state): (ComponentTypeId, ComponentStateId),
        process: ProcessId,
        name: &str,
    ) -> Option<Datum> {
        self.places.get(of.index()).filter(|(_, own)| *own == Some(process))?;
        self.data.get(of.index())?.get(state.index())?.get(name).cloned()
    }

    /// Adds the states of a set to another.
    pub fn add_all(&self, set: &StateSet, to: &mut StateSet) {
        for (of, state) in self.all_states().filter(|(of, state)| set.has(*of, *state)) {
            to.add(of, state);
        }
    }

    fn add_states(
        &self,
        of: ComponentTypeId,
        is_wanted: impl Fn(Symbol) -> bool,
        states: &mut StateSet,
    ) {
        for (at, &name) in self.places[of.index()].0.iter().enumerate() {
            if is_wanted(name) {
                states.add(of, ComponentStateId(at as u32));
            }
        }
    }

    /// The variables that are forgotten.
    pub fn forgotten(&self) -> Vec<String> {
        self.forgotten.iter().cloned().collect()
    }
}

/// The way to a leaf.
fn way(path: &[Symbol]) -> Leaf {
    let inside = |way: Leaf, name: &Symbol| crate::pnet::path_inside(&way, name.as_str());
    path.iter().fold(Leaf::new(), inside)
}

/// What an action is called, whatever it carries.
pub(super) fn label(net: &PNet, action: TermId) -> String {
    match net.terms.get(action) {
        Term::Act(id, _) => net.algebra.actions[id.index()].name.to_string(),
        Term::Sync(_) => "sync".to_owned(),
        Term::Co(inner) => format!("co {}", label(net, *inner)),
        _ => "tau".to_owned(),
    }
}

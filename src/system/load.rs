//! From an open automaton to its transition system.

use rustc_hash::FxHashMap;

use super::{Facts, Prover, Step, System};
use crate::algebra::{ImportMap, TermId, Terms, VarId};
use crate::automaton::{OpenAutomaton, OpenTransition, StateVariable};
use crate::base::{IndexVec, Watch};
use crate::pnet::{Hole, HoleId, StateVariableId, sort_allows};
use crate::smt::OracleOptions;

impl<'a> System<'a> {
    /// The system of an automaton by itself, with what is known of it and a prover about it.
    pub fn alone(
        automaton: &'a OpenAutomaton,
        asking: OracleOptions,
        watch: &'a dyn Watch,
    ) -> (System<'a>, Facts, Prover<'a>) {
        let mut prover = Prover::about(automaton, asking, watch);
        let holes = automaton.holes.clone();
        let system = System::load(automaton, &mut prover.terms, &holes, None);
        let facts = Facts::fixed(&system, &mut prover.terms);
        (system, facts, prover)
    }

    /// The system of an automaton, with its terms taken over into a table; `from` is where they are, unless they are
    /// here. Its holes are known by their places among `holes`.
    pub fn load(
        automaton: &'a OpenAutomaton,
        terms: &mut Terms,
        holes: &IndexVec<HoleId, Hole>,
        from: Option<&Terms>,
    ) -> System<'a> {
        let mut done = ImportMap::default();
        let mut steps = IndexVec::of(automaton.states.len(), IndexVec::default());
        let variables = automaton.variables.iter().map(|variable| {
            let (var, initial) = match from {
                None => (variable.var, variable.initial),
                Some(other) => (
                    terms.import_var(other, variable.var, &mut done),
                    variable.initial.map(|initial| terms.import(other, initial, &mut done)),
                ),
            };
            StateVariable { var, initial, ..variable.clone() }
        });
        let variables: IndexVec<StateVariableId, StateVariable> = variables.collect();
        for (place, transition) in automaton.transitions.enumerated() {
            let step = step(automaton, transition, &variables, terms, holes, (from, &mut done));
            let step = Step { made_of: vec![(place, None)], ..step };
            steps[transition.source].push(step);
        }
        System { automaton, variables, steps }
    }
}

fn step(
    automaton: &OpenAutomaton,
    transition: &OpenTransition,
    variables: &IndexVec<StateVariableId, StateVariable>,
    terms: &mut Terms,
    holes: &IndexVec<HoleId, Hole>,
    (from, done): (Option<&Terms>, &mut ImportMap),
) -> Step {
    let mut take = |terms: &mut Terms, id: TermId| match from {
        None => id,
        Some(other) => terms.import(other, id, done),
    };
    let mut moves = Vec::with_capacity(transition.holes.len());
    let mut conditions = vec![take(terms, transition.guard)];
    for &(hole, action) in &transition.holes {
        // A hole that both have may have other sorts in the two: each keeps to its own.
        let Hole { path, sort, .. } = &automaton.holes[hole];
        let place = holes.find(|known| known.path == *path).unwrap_or(HoleId(0));
        let action = take(terms, action);
        moves.push((place, action));
        conditions.extend(sort_allows(&automaton.algebra, terms, sort, action));
    }
    moves.sort_unstable_by_key(|(place, _)| *place);
    let guard = terms.and(conditions);
    let action = take(terms, transition.action);
    let mut updates = FxHashMap::default();
    for &(var, value) in &transition.updates {
        let value = take(terms, value);
        let place = automaton.variables.find(|variable| variable.var == var);
        if let Some(place) = place {
            updates.insert(variables[place].var, value);
        }
    }
    let mut locals: Vec<VarId> = Vec::new();
    let all = moves.iter().map(|(_, term)| *term).chain([guard, action]);
    for term in all.chain(updates.values().copied()) {
        for var in terms.free_vars(term) {
            if !variables.iter().any(|variable| variable.var == var) && !locals.contains(&var) {
                locals.push(var);
            }
        }
    }
    locals.sort_unstable();
    Step {
        source: transition.source,
        target: transition.target,
        holes: moves,
        guard,
        action,
        updates,
        locals,
        made_of: Vec::new(),
    }
}

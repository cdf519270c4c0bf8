//! What there is to say about an automaton before its transitions: holes, leaves, variables, constants, states.

use crate::automaton::{OpenAutomaton, StateId, StateVariable, VariableNames, variable_names};
use crate::emit::label;
use crate::emit::names::quoted;
use crate::emit::used::told_by_automaton;
use crate::pnet::HoleSort;

use super::rule::{path_text, scope};

/// The facts of an automaton, each kind with one text for each thing; kinds of which there are none are left out.
pub(super) fn facts(automaton: &OpenAutomaton) -> Vec<(&'static str, Vec<String>)> {
    let names = variable_names(automaton);
    let (constants, axioms) = constants(automaton, &names);
    let leaves = automaton.leaves.iter().map(|leaf| path_text(&leaf.path));
    let variables = automaton.variables.iter().map(|one| variable(automaton, one, &names));
    let all = vec![
        ("holes", holes(automaton, &names)),
        ("leaves", leaves.filter(|path| !path.is_empty()).collect()),
        ("variables", variables.collect()),
        ("constants", constants),
        ("axioms", axioms),
    ];
    all.into_iter().filter(|(_, texts)| !texts.is_empty()).collect()
}

fn holes(automaton: &OpenAutomaton, names: &VariableNames) -> Vec<String> {
    let holes = automaton.holes.iter().map(|hole| {
        let path = path_text(&hole.path);
        let sort = label::hole_sort(scope(automaton, names), &hole.sort).join(", ");
        match &hole.sort {
            HoleSort::Actions(actions) if !actions.is_empty() => {
                format!("{path}: {{{sort}}}")
            }
            _ => format!("{path}: {sort}"),
        }
    });
    holes.collect()
}

fn variable(automaton: &OpenAutomaton, of: &StateVariable, names: &VariableNames) -> String {
    let scope = scope(automaton, names);
    let sort = label::sort(scope, scope.sort_of(of.var));
    let path = path_text(&of.path);
    match of.initial {
        Some(value) => format!("{path}: {sort} = {}", label::term(scope, value)),
        None => format!("{path}: {sort} (any value)"),
    }
}

/// The symbolic constants that matter, and what is known of them.
fn constants(automaton: &OpenAutomaton, names: &VariableNames) -> (Vec<String>, Vec<String>) {
    let scope = scope(automaton, names);
    let (used, axioms) = told_by_automaton(automaton);
    let symbolic = used.constants.iter().map(|id| &automaton.algebra.constants[id.index()]);
    let constants = symbolic.filter(|constant| constant.value.is_none()).map(|constant| {
        format!("{}: {}", quoted(constant.name.as_str()), label::sort(scope, &constant.sort))
    });
    (constants.collect(), axioms.iter().map(|axiom| label::term(scope, *axiom)).collect())
}

/// The initial values of the variables.
pub(super) fn initial_values(automaton: &OpenAutomaton) -> Vec<String> {
    let names = variable_names(automaton);
    let scope = scope(automaton, &names);
    let values = automaton.variables.iter().map(|variable| {
        let value = variable.initial.map(|value| label::term(scope, value));
        format!(
            "{} = {}",
            path_text(scope.variable(variable.var)),
            value.as_deref().unwrap_or("any")
        )
    });
    values.collect()
}

/// Whether stopping in a state is success: all leaves may stop there.
pub(super) fn is_final(automaton: &OpenAutomaton, state: StateId) -> bool {
    let at = &automaton.states[state].leaves;
    let mut leaves = automaton.leaves.iter().zip(at);
    !at.is_empty() && leaves.all(|(leaf, &at)| leaf.states[at].is_final)
}

/// The states of an automaton.
pub(super) fn states(automaton: &OpenAutomaton) -> impl Iterator<Item = StateId> {
    (0..automaton.states.len() as u32).map(StateId)
}

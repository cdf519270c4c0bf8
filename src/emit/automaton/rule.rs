//! An open transition in words: what the holes do, when it can happen, what changes, and what is shown.

use crate::automaton::{OpenAutomaton, OpenTransition, VariableNames, variable_names};
use crate::emit::names::quoted;
use crate::emit::{Scope, label};
use crate::pnet::HoleId;
use crate::system::with_short_guards;

/// An open transition with all its terms as people read them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// What the holes do that take part: a path and an action each.
    pub holes: Vec<(String, String)>,
    /// When it can happen, unless that is always.
    pub guard: Option<String>,
    /// What changes: variables with their new values.
    pub updates: Vec<(String, String)>,
    /// Where it starts.
    pub source: String,
    /// What is shown outside.
    pub action: String,
    /// Where it ends.
    pub target: String,
}

/// All transitions of an automaton in words, in order.
pub fn rules(automaton: &OpenAutomaton) -> Vec<Rule> {
    let automaton = &with_short_guards(automaton);
    let own = variable_names(automaton);
    automaton.transitions.iter().map(|transition| rule(automaton, transition, &own)).collect()
}

/// A transition in words; `own` are the names of the automaton's variables.
pub fn rule(automaton: &OpenAutomaton, of: &OpenTransition, own: &VariableNames) -> Rule {
    let names = of.names(automaton, own);
    let scope = scope(automaton, &names);
    let path = |hole: HoleId| path_text(&automaton.holes[hole].path);
    let holes = of.holes.iter().map(|(hole, action)| (path(*hole), label::term(scope, *action)));
    let updates = of.updates.iter();
    let updates =
        updates.map(|(var, value)| (path_text(scope.variable(*var)), label::term(scope, *value)));
    Rule {
        holes: holes.collect(),
        guard: label::condition(scope, of.guard),
        updates: updates.collect(),
        source: automaton.state_name(of.source),
        action: label::term(scope, of.action),
        target: automaton.state_name(of.target),
    }
}

/// A path as it is written: keywords in it stand between back-quotes.
pub(super) fn path_text(path: &str) -> String {
    let parts = path.split('.').map(|part| match part.split_once('[') {
        Some((name, index)) => format!("{}[{index}", quoted(name)),
        None => quoted(part).into_owned(),
    });
    parts.collect::<Vec<_>>().join(".")
}

/// The world of an automaton's terms.
pub(super) fn scope<'a>(automaton: &'a OpenAutomaton, names: &'a VariableNames) -> Scope<'a> {
    Scope { algebra: &automaton.algebra, terms: &automaton.terms, names: Some(names) }
}

impl Rule {
    /// What the holes do, on one line.
    pub(super) fn holes(&self) -> Option<String> {
        let each = self.holes.iter().map(|(hole, action)| format!("{hole}: {action}"));
        (!self.holes.is_empty()).then(|| each.collect::<Vec<_>>().join(", "))
    }

    /// What changes, on one line, with a sign between a variable and its value.
    pub(super) fn updates(&self, sign: &str) -> Option<String> {
        let each = self.updates.iter().map(|(name, value)| format!("{name} {sign} {value}"));
        (!self.updates.is_empty()).then(|| each.collect::<Vec<_>>().join(", "))
    }
}

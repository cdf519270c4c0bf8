//! An open automaton as JSON; docs/json.md describes the fields.
//!
//! Terms and variables are tables, as in the JSON of nets; where a term stands, there is its text, too.

use serde_json::{Value, json};

use crate::algebra::TermId;
use crate::automaton::{
    Leaf, OpenAutomaton, OpenTransition, StateId, StateVariable, Used, VariableNames,
    variable_names,
};
use crate::diagnostics::{SourceMap, Span};
use crate::emit::json::terms::Tables;
use crate::emit::json::{hole_value, with_place};
use crate::emit::names::Names;
use crate::emit::used::used_by_automaton;
use crate::emit::{Scope, label};
use crate::pnet::{OriginId, PNet, TransitionPlace, VectorPlace};
use crate::system::with_short_guards;

use super::facts::{is_final, states};
use super::rule::scope;

/// The version of the schema; fields may be added without a new one.
const VERSION: u32 = 1;

/// The automaton as JSON. With the sources, it says where everything comes from; for the vectors and transitions
/// that were used it needs also the net that the automaton was made of.
pub fn json(automaton: &OpenAutomaton, net: Option<&PNet>, sources: Option<&SourceMap>) -> Value {
    let automaton = &with_short_guards(automaton);
    let names = Names::new(&automaton.algebra, used_by_automaton(automaton));
    let own = variable_names(automaton);
    let tables = Tables::new(scope(automaton, &own), &names);
    let mut writer = Writer { automaton, net, sources, own: &own, tables };
    let holes: Vec<Value> = automaton
        .holes
        .iter()
        .map(|hole| writer.with_origin(hole_value(&automaton.algebra, hole), hole.origin))
        .collect();
    let leaves: Vec<Value> = automaton.leaves.iter().map(|leaf| writer.leaf(leaf)).collect();
    let state_variables: Vec<Value> =
        automaton.variables.iter().map(|variable| writer.variable(variable)).collect();
    let states: Vec<Value> = states(automaton).map(|state| writer.state(state)).collect();
    let transitions: Vec<Value> =
        automaton.transitions.iter().map(|transition| writer.transition(transition)).collect();
    let algebra = writer.tables.algebra();
    let (variables, terms) = writer.tables.finish();
    json!({
        "format": "pnet-automaton",
        "version": VERSION,
        "name": automaton.name,
        "algebra": algebra,
        "variables": variables,
        "terms": terms,
        "holes": holes,
        "leaves": leaves,
        "state_variables": state_variables,
        "states": states,
        "initial": automaton.initial.0,
        "transitions": transitions,
    })
}

struct Writer<'n> {
    automaton: &'n OpenAutomaton,
    net: Option<&'n PNet>,
    sources: Option<&'n SourceMap>,
    own: &'n VariableNames,
    tables: Tables<'n>,
}

impl Writer<'_> {
    fn with_origin(&self, value: Value, origin: OriginId) -> Value {
        with_place(value, self.sources, self.automaton.origins.get(origin).span)
    }

    /// A term: its text, and its number in the table.
    fn term(&mut self, scope: Scope<'_>, id: TermId) -> Value {
        json!({ "text": label::term(scope, id), "term": self.tables.term(id) })
    }

    fn leaf(&self, leaf: &Leaf) -> Value {
        let states = leaf.states.iter();
        let states: Vec<Value> =
            states.map(|state| json!({ "name": state.name, "final": state.is_final })).collect();
        self.with_origin(json!({ "path": leaf.path, "states": states }), leaf.origin)
    }

    fn variable(&mut self, of: &StateVariable) -> Value {
        let scope = scope(self.automaton, self.own);
        let initial = of.initial.map(|value| self.term(scope, value));
        let value = json!({
            "variable": self.tables.variable(of.var),
            "path": of.path,
            "name": scope.variable(of.var),
            "sort": self.tables.sort(scope.sort_of(of.var)),
            "initial": initial,
        });
        with_place(value, self.sources, of.text)
    }

    fn state(&self, state: StateId) -> Value {
        json!({
            "id": state.0,
            "name": self.automaton.state_name(state),
            "leaves": self.automaton.states[state].leaves,
            "initial": state == self.automaton.initial,
            "final": is_final(self.automaton, state),
        })
    }

    fn transition(&mut self, of: &OpenTransition) -> Value {
        let names = of.names(self.automaton, self.own);
        let scope = scope(self.automaton, &names);
        let mut variables = of.free_vars(self.automaton);
        variables.retain(|variable| !self.own.contains_key(variable));
        let variables: Vec<Value> = variables
            .into_iter()
            .map(|id| json!({ "variable": self.tables.variable(id), "name": scope.variable(id) }))
            .collect();
        let holes: Vec<Value> = of
            .holes
            .iter()
            .map(|(hole, action)| json!({ "hole": hole.0, "action": self.term(scope, *action) }))
            .collect();
        let updates: Vec<Value> = of
            .updates
            .iter()
            .map(|(id, value)| {
                json!({ "variable": self.tables.variable(*id), "value": self.term(scope, *value) })
            })
            .collect();
        json!({
            "source": of.source.0,
            "target": of.target.0,
            "variables": variables,
            "holes": holes,
            "guard": self.term(scope, of.guard),
            "action": self.term(scope, of.action),
            "updates": updates,
            "used": self.used(&of.used),
        })
    }

    fn used(&self, used: &Used) -> Value {
        let vectors: Vec<Value> = used
            .vectors
            .iter()
            .map(|&(node, vector)| {
                let value = json!({ "node": node.0, "vector": vector });
                self.with_text(value, self.vector_text((node, vector)))
            })
            .collect();
        let transitions: Vec<Value> = used
            .transitions
            .iter()
            .map(|&(process, transition)| {
                let value = json!({ "process": process.0, "transition": transition });
                self.with_text(value, self.transition_text((process, transition)))
            })
            .collect();
        json!({ "vectors": vectors, "transitions": transitions })
    }

    fn with_text(&self, value: Value, text: Option<Span>) -> Value {
        match text {
            Some(text) => with_place(value, self.sources, text),
            None => value,
        }
    }

    fn vector_text(&self, (node, vector): VectorPlace) -> Option<Span> {
        let net = self.net?;
        let vector = net.nodes.get(node)?.vectors.get(vector)?;
        Some(net.origins.get(vector.origin).span)
    }

    fn transition_text(&self, (process, transition): TransitionPlace) -> Option<Span> {
        let net = self.net?;
        let transition = net.plts.get(process)?.transitions.get(transition)?;
        Some(net.origins.get(transition.origin).span)
    }
}

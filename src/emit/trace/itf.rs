//! Runs in the Informal Trace Format, which Apalache and Quint write and their viewers open: the whole configuration at
//! each step, one variable for each component, and the action in the variable that Quint has for it.

use serde_json::{Map, Value, json};

use super::moves::{moves, shown};
use crate::outcome::{self, Component, Data, Equation, RunEnd, Trace, TraceStep};

/// The variable in which Quint has the action that led to a state.
pub const ACTION: &str = "mbt::actionTaken";

/// What Quint says of the first state.
const FIRST: &str = "init";

/// The field of a component's record that has its state.
const STATE: &str = "state";

/// A run in this form.
pub fn itf(trace: &Trace) -> Value {
    let mut components = trace.components.clone();
    let mut states = vec![itf_state(FIRST, &trace.with, &components)];
    for step in &trace.steps {
        apply(&mut components, step);
        states.push(itf_state(shown(step), &trace.with, &components));
    }
    for (index, state) in states.iter_mut().enumerate() {
        state["#meta"] = json!({ "index": index });
    }
    let given = trace.with.iter().map(|one| one.what.as_str());
    let vars: Vec<&str> =
        std::iter::once(ACTION).chain(given).chain(components.iter().map(name)).collect();
    let mut all = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": "written by pnet",
            "net": trace.net,
            "set": trace.set,
            "domains": trace.domains,
        },
        "vars": vars,
        "states": states,
    });
    if let RunEnd::Loop { start, .. } = &trace.end {
        all["loop"] = json!(start);
    }
    all
}

/// What a component is called: the whole has no path, and is called by its process.
fn name(component: &Component) -> &str {
    if component.path.is_empty() { &component.process } else { &component.path }
}

/// What a step changes.
fn apply(components: &mut [Component], step: &TraceStep) {
    for made in moves(step) {
        let Some(one) = components.iter_mut().find(|one| one.path == made.path) else { continue };
        if made.by.is_some() {
            one.state = made.to.to_owned();
        }
        for (name, change) in made.changes {
            if let Some(variable) = one.variables.iter_mut().find(|known| known.what == name) {
                variable.value = change.after.clone();
            }
        }
    }
}

/// A configuration, and the action that led to it: one record for each component, with its state and its variables.
pub fn itf_state(action: &str, with: &[Equation], components: &[Component]) -> Value {
    let mut state = Map::new();
    state.insert(ACTION.to_owned(), json!(action));
    state.extend(with.iter().map(|one| (one.what.clone(), value(&one.value))));
    for component in components {
        let mut record = Map::new();
        record.insert(STATE.to_owned(), json!(component.state));
        for variable in &component.variables {
            let name = &variable.what;
            let name = if name == STATE { format!("var {name}") } else { name.clone() };
            record.insert(name, value(&variable.value));
        }
        state.insert(name(component).to_owned(), Value::Object(record));
    }
    Value::Object(state)
}

/// A value; what has no value as data is a text.
fn value(of: &outcome::Value) -> Value {
    match &of.data {
        Some(data) => written(data),
        None => json!({ "#unserializable": of.text }),
    }
}

fn written(data: &Data) -> Value {
    match data {
        Data::Bool(value) => json!(value),
        Data::Int(value) => json!({ "#bigint": value.to_string() }),
        Data::BigInt { digits } => json!({ "#bigint": digits }),
        Data::Constructed { constructor, fields } => variant(constructor, fields),
        Data::Array { places, otherwise } => {
            let places: Vec<Value> =
                places.iter().map(|(key, value)| json!([written(key), written(value)])).collect();
            let map = json!({ "#map": places });
            match otherwise {
                None => map,
                Some(rest) => json!({ "places": map, "otherwise": written(rest) }),
            }
        }
        Data::Action { action, arguments } => variant(action, arguments),
        Data::Sync { sync } => json!({ "tag": "sync", "value": written(sync) }),
        Data::Co { co } => json!({ "tag": "co", "value": written(co) }),
        Data::Named { name } => json!(name),
    }
}

/// A variant has one value: that of its one field, or a tuple.
fn variant(tag: &str, fields: &[Data]) -> Value {
    match fields {
        [one] => json!({ "tag": tag, "value": written(one) }),
        all => {
            let all: Vec<Value> = all.iter().map(written).collect();
            json!({ "tag": tag, "value": { "#tup": all } })
        }
    }
}

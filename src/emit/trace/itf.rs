//! Runs in the Informal Trace Format, which Apalache and Quint write and their viewers open: the whole configuration at
//! each step, one variable for each component, and the action in the variable that Quint has for it.

use serde_json::{Map, Value, json};

use super::moves::{moves, shown};
use crate::outcome::{self, Data, RunEnd, Trace, TraceStep};

/// The variable in which Quint has the action that led to a state.
pub const ACTION: &str = "mbt::actionTaken";

/// What Quint says of the first state.
const FIRST: &str = "init";

/// The field of a component's record that has its state.
const STATE: &str = "state";

/// Where the components are.
type Components = Vec<(String, Map<String, Value>)>;

/// A run in this form.
pub fn itf(trace: &Trace) -> Value {
    let mut components = begin(trace);
    let given: Vec<(&str, Value)> =
        trace.with.iter().map(|one| (one.what.as_str(), value(&one.value))).collect();
    let mut states = vec![state(0, FIRST, &given, &components)];
    for (at, step) in trace.steps.iter().enumerate() {
        apply(&mut components, step);
        states.push(state(at + 1, shown(step), &given, &components));
    }
    let names = components.iter().map(|(name, _)| name.as_str());
    let vars: Vec<&str> =
        std::iter::once(ACTION).chain(given.iter().map(|(name, _)| *name)).chain(names).collect();
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

/// The components where a run begins, each as a record. The whole has no path, and is called by its process.
fn begin(trace: &Trace) -> Components {
    let component = |it: &outcome::Component| {
        let name = if it.path.is_empty() { &it.process } else { &it.path };
        let mut record = Map::new();
        record.insert(STATE.to_owned(), json!(it.state));
        for variable in &it.variables {
            record.insert(variable_name(&variable.what), value(&variable.value));
        }
        (name.clone(), record)
    };
    trace.components.iter().map(component).collect()
}

/// The name of a variable that stands beside the state.
fn variable_name(name: &str) -> String {
    if name == STATE { format!("var {name}") } else { name.to_owned() }
}

/// What a step changes.
fn apply(components: &mut Components, step: &TraceStep) {
    let whole = components.len() == 1;
    for made in moves(step) {
        let is_it =
            |(name, _): &&mut (String, _)| *name == made.path || (whole && made.path.is_empty());
        let Some((_, record)) = components.iter_mut().find(is_it) else { continue };
        if made.by.is_some() {
            record.insert(STATE.to_owned(), json!(made.to));
        }
        for (name, change) in made.changes {
            record.insert(variable_name(name), value(&change.after));
        }
    }
}

fn state(index: usize, action: &str, given: &[(&str, Value)], components: &Components) -> Value {
    let mut state = Map::new();
    state.insert("#meta".to_owned(), json!({ "index": index }));
    state.insert(ACTION.to_owned(), json!(action));
    state.extend(given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let records = components.iter().map(|(name, record)| (name.clone(), record.clone().into()));
    state.extend(records);
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

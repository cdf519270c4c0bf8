//! Values, configurations and steps.

use std::collections::BTreeMap;
use std::fmt;

/// A value; actions are values, too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Bool(bool),
    Int(i64),
    /// A value of an abstract sort.
    Atom(&'static str, u32),
    /// A constructor with its fields.
    Data(&'static str, Vec<Value>),
    /// What is everywhere but at some keys, which have other values.
    Array(Box<Value>, BTreeMap<Value, Value>),
    /// A declared action with its arguments.
    Act(&'static str, Vec<Value>),
    /// An action that nobody declared.
    Other(u32),
    Tau,
    Sync(Box<Value>),
    Co(Box<Value>),
}

impl Value {
    pub fn act(name: &'static str) -> Value {
        Value::Act(name, Vec::new())
    }

    pub fn sync(self) -> Value {
        Value::Sync(Box::new(self))
    }

    pub fn co(self) -> Value {
        Value::Co(Box::new(self))
    }
}

/// The states of all leaves, by their places, and the values of the variables of each.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Config {
    pub states: Vec<usize>,
    pub values: Vec<Vec<Value>>,
}

/// Something that happens: what is shown, what the holes do for it, and what comes after.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    pub action: Value,
    /// The holes that take part, by their places.
    pub holes: Vec<(u32, Value)>,
    pub next: Config,
}

fn list(f: &mut fmt::Formatter<'_>, name: &str, inner: &[Value]) -> fmt::Result {
    write!(f, "{name}")?;
    if inner.is_empty() {
        return Ok(());
    }
    let inner: Vec<String> = inner.iter().map(Value::to_string).collect();
    write!(f, "({})", inner.join(", "))
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Atom(sort, number) => write!(f, "{sort}#{number}"),
            Value::Data(name, inner) | Value::Act(name, inner) => list(f, name, inner),
            Value::Array(default, inner) => {
                write!(f, "[_: {default}")?;
                inner.iter().try_for_each(|(key, value)| write!(f, ", {key}: {value}"))?;
                write!(f, "]")
            }
            Value::Other(number) => write!(f, "other#{number}"),
            Value::Tau => write!(f, "tau"),
            Value::Sync(inner) => write!(f, "sync {inner}"),
            Value::Co(inner) => write!(f, "co {inner}"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holes = self.holes.iter().map(|(hole, action)| format!("hole {hole}: {action}"));
        let holes = holes.collect::<Vec<_>>().join(", ");
        write!(f, "<{holes}> -> {} to {}", self.action, self.next)
    }
}

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (leaf, (state, values)) in self.states.iter().zip(&self.values).enumerate() {
            write!(f, "{}{state}", if leaf > 0 { "." } else { "" })?;
            if !values.is_empty() {
                let values: Vec<String> = values.iter().map(Value::to_string).collect();
                write!(f, "[{}]", values.join(", "))?;
            }
        }
        Ok(())
    }
}

//! Concrete values of configurations and steps: as people read them, and as data.
//!
//! Names are those of the model. Values of abstract sorts have nothing but numbers: `Data#0`; actions that nobody declared
//! neither: `other#0`. An array over the first integers is a list, `[5, 0, 0]`; another one names its places, and what is
//! everywhere else: `[3: 1, _: 0]`.

use std::fmt::Write;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::algebra::Algebra;
use crate::emit::names::quoted;
use crate::explore::{self, Array};
use crate::outcome::{Data, Value};

/// Beyond so many bytes nobody reads on.
const LONGEST: usize = 2000;
/// Values inside of values are looked at so deep.
const DEEPEST: usize = 200;

/// A concrete value.
pub fn concrete(algebra: &Algebra, value: &explore::Value) -> Value {
    let mut writer = Writer { algebra, out: String::new() };
    writer.value(value, 0);
    Value { text: writer.out, data: data(algebra, value) }
}

/// A concrete value as data; nothing where it is too deep.
pub fn data(algebra: &Algebra, value: &explore::Value) -> Option<Data> {
    data_within(algebra, value, 0)
}

/// The name of an abstract value.
fn abstract_name(algebra: &Algebra, sort: crate::algebra::AbstractId, number: u32) -> String {
    let name = algebra.abstracts.get(sort.index()).map_or("?", |name| name.as_str());
    format!("{name}#{number}")
}

fn other_name(number: u32) -> String {
    format!("other#{number}")
}

/// What is at the places of an array, where these are the integers from 0 on and there is nothing else.
fn listed(array: &Array) -> Option<Vec<&explore::Value>> {
    if array.rest.is_some() || array.places.is_empty() {
        return None;
    }
    let is_at = |place: usize, key: &explore::Value| key.as_int() == Some(&BigInt::from(place));
    let all = array.places.iter().enumerate();
    all.map(|(place, (key, value))| is_at(place, key).then_some(value)).collect()
}

struct Writer<'a> {
    algebra: &'a Algebra,
    out: String,
}

impl Writer<'_> {
    fn value(&mut self, value: &explore::Value, depth: usize) {
        if self.out.len() > LONGEST || depth > DEEPEST {
            if !self.out.ends_with('…') {
                self.out.push('…');
            }
            return;
        }
        let algebra = self.algebra;
        match value {
            explore::Value::Bool(value) => self.word(value),
            explore::Value::Int(value) => self.word(value),
            explore::Value::Abstract(sort, number) => {
                self.word(abstract_name(algebra, *sort, *number));
            }
            explore::Value::Data(data, index, fields) => {
                let constructor = &algebra.datatypes[data.index()].constructors[*index as usize];
                self.call(constructor.name.as_str(), fields, depth);
            }
            explore::Value::Array(array) => self.array(array, depth),
            explore::Value::Act(action, args) => {
                self.call(algebra.action(*action).name.as_str(), args, depth);
            }
            explore::Value::Tau => self.word("tau"),
            explore::Value::Sync(inner) => self.prefix("sync ", inner, depth),
            explore::Value::Co(inner) => self.prefix("co ", inner, depth),
            explore::Value::Other(number) => self.word(other_name(*number)),
        }
    }

    fn call(&mut self, name: &str, args: &[explore::Value], depth: usize) {
        self.word(quoted(name));
        if !args.is_empty() {
            self.word("(");
            self.list(args, depth);
            self.word(")");
        }
    }

    fn list<'v>(&mut self, all: impl IntoIterator<Item = &'v explore::Value>, depth: usize) {
        for (at, value) in all.into_iter().enumerate() {
            self.word(if at == 0 { "" } else { ", " });
            self.value(value, depth + 1);
        }
    }

    fn array(&mut self, array: &Array, depth: usize) {
        self.word("[");
        match listed(array) {
            Some(all) => self.list(all, depth),
            None => {
                for (at, (key, value)) in array.places.iter().enumerate() {
                    self.word(if at == 0 { "" } else { ", " });
                    self.value(key, depth + 1);
                    self.word(": ");
                    self.value(value, depth + 1);
                }
                if let Some(rest) = &array.rest {
                    self.word(if array.places.is_empty() { "_: " } else { ", _: " });
                    self.value(rest, depth + 1);
                }
            }
        }
        self.word("]");
    }

    fn prefix(&mut self, word: &str, inner: &explore::Value, depth: usize) {
        self.word(word);
        self.value(inner, depth + 1);
    }

    fn word(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.out, "{text}");
    }
}

/// A value that stands so deep inside of another one.
fn data_within(algebra: &Algebra, value: &explore::Value, depth: usize) -> Option<Data> {
    if depth > DEEPEST {
        return None;
    }
    let inside = |value: &explore::Value| data_within(algebra, value, depth + 1);
    let all = |values: &[explore::Value]| values.iter().map(inside).collect::<Option<Vec<Data>>>();
    Some(match value {
        explore::Value::Bool(value) => Data::Bool(*value),
        explore::Value::Int(value) => match value.to_i64() {
            Some(value) => Data::Int(value),
            None => Data::BigInt { digits: value.to_string() },
        },
        explore::Value::Abstract(sort, number) => {
            Data::Named { name: abstract_name(algebra, *sort, *number) }
        }
        explore::Value::Data(data, index, fields) => {
            let constructor = &algebra.datatypes[data.index()].constructors[*index as usize];
            Data::Constructed { constructor: constructor.name.to_string(), fields: all(fields)? }
        }
        explore::Value::Array(array) => {
            let place = |(key, value)| Some((inside(key)?, inside(value)?));
            let places = array.places.iter().map(place).collect::<Option<Vec<_>>>()?;
            let rest = array.rest.as_ref().map(|rest| inside(rest).map(Box::new));
            Data::Array { places, otherwise: rest.map_or(Some(None), |rest| rest.map(Some))? }
        }
        explore::Value::Act(action, args) => {
            let action = algebra.action(*action).name.to_string();
            Data::Action { action, arguments: all(args)? }
        }
        explore::Value::Tau => Data::Action { action: "tau".to_owned(), arguments: Vec::new() },
        explore::Value::Sync(inner) => Data::Sync { sync: Box::new(inside(inner)?) },
        explore::Value::Co(inner) => Data::Co { co: Box::new(inside(inner)?) },
        explore::Value::Other(number) => Data::Named { name: other_name(*number) },
    })
}

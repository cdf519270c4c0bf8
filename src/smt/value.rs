//! What a model says, read back from Z3.

use std::collections::BTreeMap;
use std::str::FromStr;

use num_bigint::BigInt;
use z3::DatatypeSort;
use z3::ast::{Ast, Dynamic};

use super::Theory;
use super::encode::{Encoder, Unsupported};
use crate::algebra::{ActionId, DataId, Sort, VarId};

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A value of an abstract sort: they have no names, only numbers.
    Abstract(usize),
    /// A constructor with its arguments.
    Construct(DataId, u32, Vec<Value>),
    /// An action that was declared, with its arguments.
    Act(ActionId, Vec<Value>),
    /// The silent action.
    Tau,
    /// An action that has been synchronised.
    Sync(Box<Value>),
    /// The complement of an action.
    Co(Box<Value>),
    /// An action that nobody declared: they have no names, only numbers.
    Other(BigInt),
    /// Something that cannot be written down, such as an array.
    Opaque(String),
}

/// Values for variables.
pub type Model = BTreeMap<VarId, Value>;

/// The values of some variables.
pub(super) fn read(
    encoder: &mut Encoder,
    theory: Theory<'_>,
    model: &z3::Model,
    vars: &[VarId],
) -> Result<Model, Unsupported> {
    let mut values = Model::new();
    let mut reader = Reader { encoder, theory, abstracts: Vec::new() };
    for &var in vars {
        let term = reader.encoder.var(theory.terms, var)?;
        if let Some(value) = model.eval(&term, true) {
            values.insert(var, reader.value(&value, &theory.terms.var(var).sort)?);
        }
    }
    Ok(values)
}

struct Reader<'a> {
    encoder: &'a Encoder,
    theory: Theory<'a>,
    /// The names that the solver gave to values of abstract sorts.
    abstracts: Vec<String>,
}

impl Reader<'_> {
    fn value(&mut self, value: &Dynamic, sort: &Sort) -> Result<Value, Unsupported> {
        let opaque = || Value::Opaque(value.to_string());
        Ok(match sort {
            Sort::Bool => {
                value.as_bool().and_then(|v| v.as_bool()).map_or_else(opaque, Value::Bool)
            }
            Sort::Int | Sort::Range(..) => number(value).map_or_else(opaque, Value::Int),
            Sort::Abstract(_) => {
                let name = value.to_string();
                let place = self.abstracts.iter().position(|known| *known == name);
                Value::Abstract(place.unwrap_or_else(|| {
                    self.abstracts.push(name);
                    self.abstracts.len() - 1
                }))
            }
            Sort::Data(id) => {
                let Some(index) = variant(self.encoder.data(id.index())?, value) else {
                    return Ok(opaque());
                };
                let fields = &self.theory.algebra.datatypes[id.index()].constructors[index].fields;
                let sorts: Vec<Sort> = fields.iter().map(|(_, sort)| sort.clone()).collect();
                Value::Construct(*id, index as u32, self.arguments(value, &sorts)?)
            }
            Sort::Action => return self.action(value),
            Sort::Array(_) => opaque(),
        })
    }

    fn action(&mut self, value: &Dynamic) -> Result<Value, Unsupported> {
        let actions = &self.theory.algebra.actions;
        let Some(index) = self.encoder.action.as_ref().and_then(|sort| variant(sort, value)) else {
            return Ok(Value::Opaque(value.to_string()));
        };
        if index < actions.len() {
            let sorts = actions[index].sorts.clone();
            return Ok(Value::Act(ActionId(index as u32), self.arguments(value, &sorts)?));
        }
        let inner = value.nth_child(0);
        Ok(match (index - actions.len(), inner) {
            (0, _) => Value::Tau,
            (1, Some(inner)) => Value::Sync(Box::new(self.action(&inner)?)),
            (2, Some(inner)) => Value::Co(Box::new(self.action(&inner)?)),
            (_, Some(inner)) => {
                number(&inner).map_or_else(|| Value::Opaque(value.to_string()), Value::Other)
            }
            _ => Value::Opaque(value.to_string()),
        })
    }

    fn arguments(&mut self, value: &Dynamic, sorts: &[Sort]) -> Result<Vec<Value>, Unsupported> {
        let children = value.children();
        children.iter().zip(sorts).map(|(child, sort)| self.value(child, sort)).collect()
    }
}

/// The constructor of a value, by its place.
fn variant(sort: &DatatypeSort, value: &Dynamic) -> Option<usize> {
    let name = value.safe_decl().ok()?.name();
    sort.variants.iter().position(|variant| variant.constructor.name() == name)
}

fn number(value: &Dynamic) -> Option<BigInt> {
    let text = value.as_int()?.to_string();
    // Z3 writes negative numbers as `(- 3)`.
    match text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        Some(digits) => BigInt::from_str(digits).ok().map(|value| -value),
        None => BigInt::from_str(&text).ok(),
    }
}

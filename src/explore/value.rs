//! Values. Each has one form, so that equal values are equal data, and an order, so that output is the same every time.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use crate::algebra::{AbstractId, ActionId, DataId};

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer; also of a range.
    Int(BigInt),
    /// One of the values of an abstract sort, which have nothing but numbers.
    Abstract(AbstractId, u32),
    /// What a constructor makes.
    Data(DataId, u32, Vec<Value>),
    /// An array.
    Array(Box<Array>),
    /// An action.
    Act(ActionId, Vec<Value>),
    /// The silent action.
    Tau,
    /// An action that has been synchronised.
    Sync(Box<Value>),
    /// The complement of an action.
    Co(Box<Value>),
    /// An action that nobody declared; these have nothing but numbers, too.
    Other(u32),
}

/// An array: what is at some places, and everywhere else.
///
/// Over a sort with finitely many values, every place is listed and there is no rest. Otherwise only places are listed
/// that differ from the rest. So arrays that are the same at every place are equal.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Array {
    /// What is at these places.
    pub places: BTreeMap<Value, Value>,
    /// What is everywhere else.
    pub rest: Option<Value>,
}

impl Value {
    /// A truth value as one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// An integer as one.
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is an action that nobody outside sees: `tau`, or one that has been synchronised.
    pub fn is_silent(&self) -> bool {
        matches!(self, Value::Tau | Value::Sync(_))
    }
}

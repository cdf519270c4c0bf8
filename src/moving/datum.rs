//! Values of variables that have few.

use num_traits::ToPrimitive;

use crate::algebra::{Term, TermId, Terms};
use crate::pnet::PNet;

/// A value of a variable that has few.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Datum {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A constructor without fields.
    Named(String),
}

impl Datum {
    /// A value of a net.
    pub fn of(net: &PNet, terms: &Terms, value: TermId) -> Option<Datum> {
        match terms.get(value) {
            Term::Bool(truth) => Some(Datum::Bool(*truth)),
            Term::Int(number) => number.to_i64().map(Datum::Int),
            Term::Construct(data, at, _) => {
                let constructors = &net.algebra.datatypes[data.index()].constructors;
                Some(Datum::Named(constructors[*at as usize].name.to_string()))
            }
            _ => None,
        }
    }

    /// The truth value that it is.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Datum::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The integer that it is.
    pub fn int(&self) -> Option<i64> {
        match self {
            Datum::Int(number) => Some(*number),
            _ => None,
        }
    }
}

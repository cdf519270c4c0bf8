//! Values of variables that have few.

use num_traits::ToPrimitive;

use crate::algebra::{Term, TermId, Terms};
use crate::pnet::PNet;
use crate::syntax::ast::{Operator, Relation};

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

    /// What an operator makes of two values; nothing where it has no meaning, or where the number is too large.
    pub fn operated(&self, operator: Operator, other: &Datum) -> Option<Datum> {
        let made = match (operator, self, other) {
            (Operator::And, Datum::Bool(a), Datum::Bool(b)) => return Some(Datum::Bool(*a && *b)),
            (Operator::Or, Datum::Bool(a), Datum::Bool(b)) => return Some(Datum::Bool(*a || *b)),
            (Operator::Add, Datum::Int(a), Datum::Int(b)) => a.checked_add(*b),
            (Operator::Subtract, Datum::Int(a), Datum::Int(b)) => a.checked_sub(*b),
            (Operator::Multiply, Datum::Int(a), Datum::Int(b)) => a.checked_mul(*b),
            (Operator::Mod, Datum::Int(a), Datum::Int(b)) => a.checked_rem_euclid(*b),
            (Operator::Div, Datum::Int(a), Datum::Int(b)) => a.checked_div_euclid(*b),
            (Operator::Quot, Datum::Int(a), Datum::Int(b)) => a.checked_div(*b),
            (Operator::Rem, Datum::Int(a), Datum::Int(b)) => a.checked_rem(*b),
            _ => None,
        };
        made.map(Datum::Int)
    }

    /// How two values compare; nothing where only numbers could.
    pub fn compared(&self, relation: Relation, other: &Datum) -> Option<bool> {
        Some(match (relation, self, other) {
            (Relation::Equal, ..) => self == other,
            (Relation::NotEqual, ..) => self != other,
            (Relation::Less, Datum::Int(a), Datum::Int(b)) => a < b,
            (Relation::LessEqual, Datum::Int(a), Datum::Int(b)) => a <= b,
            (Relation::Greater, Datum::Int(a), Datum::Int(b)) => a > b,
            (Relation::GreaterEqual, Datum::Int(a), Datum::Int(b)) => a >= b,
            _ => return None,
        })
    }
}

//! Values of expressions of a property: of indices and constants, and of what components have in their states.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use super::asked::Asking;
use crate::elaborate::SettingValue;
use crate::moving::Datum;
use crate::sema::program::{Expr, ExprKind, LeafTest, LeafVariable, LocalId, RangeId, Sort, Value};
use crate::syntax::ast::{Operator, Relation};

/// The values of indices.
pub(super) type Values = BTreeMap<LocalId, i64>;

/// What components say of themselves.
pub(super) trait Components {
    fn variable(&self, variable: &LeafVariable) -> Option<Datum>;
    fn is_in(&self, test: &LeafTest) -> Option<bool>;
}

/// Where there are no components.
pub(super) struct Nobody;

impl Components for Nobody {
    fn variable(&self, _: &LeafVariable) -> Option<Datum> {
        None
    }

    fn is_in(&self, _: &LeafTest) -> Option<bool> {
        None
    }
}

/// Where expressions are looked at: in a size, or where there are several, in one value of each.
pub(super) struct Valuing<'a, 'p> {
    pub asking: &'a Asking<'p>,
    pub sizes: &'a [i64],
}

impl Valuing<'_, '_> {
    /// A number that depends on no component.
    pub fn number(&self, expr: &Expr, values: &Values) -> Option<i64> {
        self.value(expr, values, &Nobody)?.int()
    }

    /// The numbers of a range.
    pub fn range(&self, range: RangeId) -> Option<std::ops::Range<i64>> {
        let def = &self.asking.program.ranges[range.index()];
        let none = Values::new();
        Some(self.number(&def.low, &none)?..self.number(&def.high, &none)?)
    }

    /// The numbers that an index goes through.
    pub fn range_of(&self, index: LocalId) -> Option<std::ops::Range<i64>> {
        match self.asking.locals.get(index.index())?.sort {
            Sort::Range(range) => self.range(range),
            _ => None,
        }
    }

    pub fn value(&self, expr: &Expr, values: &Values, of: &dyn Components) -> Option<Datum> {
        let part = |expr: &Expr| self.value(expr, values, of);
        Some(match &expr.kind {
            ExprKind::Bool(truth) => Datum::Bool(*truth),
            ExprKind::Int(number) => Datum::Int(*number),
            ExprKind::Local(id) => Datum::Int(*values.get(id)?),
            ExprKind::Const(id) if self.asking.sizes.contains(id) => {
                let at = self.asking.sizes.iter().position(|size| size == id)?;
                Datum::Int(*self.sizes.get(at)?)
            }
            ExprKind::Const(id) => {
                let constant = &self.asking.program.consts[id.index()];
                match (self.asking.set.get(*id).map(|set| &set.value), &constant.value) {
                    (Some(SettingValue::Int(number)), _) => Datum::Int(number.to_i64()?),
                    (None, Some(Value::Int(number))) => Datum::Int(number.to_i64()?),
                    (None, Some(Value::Bool(truth))) => Datum::Bool(*truth),
                    (None, None) => self.value(constant.body.as_ref()?, &Values::new(), &Nobody)?,
                    _ => return None,
                }
            }
            ExprKind::Construct(data, at, fields) if fields.is_empty() => {
                let constructors = &self.asking.program.datas[data.index()].constructors;
                Datum::Named(constructors.get(*at as usize)?.name.name.to_string())
            }
            ExprKind::Negate(inner) => Datum::Int(part(inner)?.int()?.checked_neg()?),
            ExprKind::Not(inner) => Datum::Bool(!part(inner)?.truth()?),
            ExprKind::Implies(both) => {
                Datum::Bool(!part(&both.0)?.truth()? || part(&both.1)?.truth()?)
            }
            ExprKind::If(all) => match part(&all.0)?.truth()? {
                true => part(&all.1)?,
                false => part(&all.2)?,
            },
            ExprKind::Chain(chain) => {
                let mut value = part(&chain.0)?;
                for (operator, operand) in &chain.1 {
                    value = match (operator, &value) {
                        (Operator::And, Datum::Bool(false)) | (Operator::Or, Datum::Bool(true)) => {
                            value
                        }
                        _ => operated(*operator, &value, &part(operand)?)?,
                    };
                }
                value
            }
            ExprKind::Compare(relation, both) => {
                Datum::Bool(compared(*relation, &part(&both.0)?, &part(&both.1)?)?)
            }
            ExprKind::Leaf(variable) => of.variable(variable)?,
            ExprKind::InState(test, negated) => Datum::Bool(of.is_in(test)? != *negated),
            _ => return None,
        })
    }
}

fn operated(operator: Operator, one: &Datum, other: &Datum) -> Option<Datum> {
    let made = match (operator, one, other) {
        (Operator::And | Operator::Or, _, Datum::Bool(truth)) => return Some(Datum::Bool(*truth)),
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
pub(super) fn compared(relation: Relation, one: &Datum, other: &Datum) -> Option<bool> {
    Some(match (relation, one, other) {
        (Relation::Equal, ..) => one == other,
        (Relation::NotEqual, ..) => one != other,
        (Relation::Less, Datum::Int(a), Datum::Int(b)) => a < b,
        (Relation::LessEqual, Datum::Int(a), Datum::Int(b)) => a <= b,
        (Relation::Greater, Datum::Int(a), Datum::Int(b)) => a > b,
        (Relation::GreaterEqual, Datum::Int(a), Datum::Int(b)) => a >= b,
        _ => return None,
    })
}

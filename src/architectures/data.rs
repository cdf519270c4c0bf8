//! Values of expressions about variables of members, where these have few.

use num_traits::ToPrimitive;

use super::ArchitectureQuestion;
use crate::elaborate::{SettingValue, Settings};
use crate::moving::Datum;
use crate::sema::program::{ConstId, Expr, ExprKind, LeafVariable, PatternKind, Program, Value};
use crate::syntax::ast::Operator;

/// Where expressions are looked at.
#[derive(Clone, Copy)]
pub(super) struct Valuing<'v> {
    pub program: &'v Program,
    set: &'v Settings,
}

/// The values of variables of members.
type Of<'o> = dyn Fn(&LeafVariable) -> Option<Datum> + 'o;

impl<'v> Valuing<'v> {
    pub fn of(question: &ArchitectureQuestion<'v>) -> Valuing<'v> {
        Valuing { program: question.program, set: question.set }
    }

    /// Whether something is so; nothing where that is not known.
    pub fn truth(&self, expr: &Expr, of: &Of<'_>) -> Option<bool> {
        self.value(expr, of)?.truth()
    }

    fn value(&self, expr: &Expr, of: &Of<'_>) -> Option<Datum> {
        let part = |expr: &Expr| self.value(expr, of);
        Some(match &expr.kind {
            ExprKind::Bool(truth) => Datum::Bool(*truth),
            ExprKind::Int(number) => Datum::Int(*number),
            ExprKind::Const(id) => self.constant(*id)?,
            ExprKind::Construct(data, at, fields) if fields.is_empty() => {
                let constructors = &self.program.datas[data.index()].constructors;
                Datum::Named(constructors.get(*at as usize)?.name.name.to_string())
            }
            ExprKind::Negate(inner) => Datum::Int(part(inner)?.int()?.checked_neg()?),
            ExprKind::Not(inner) => Datum::Bool(!part(inner)?.truth()?),
            ExprKind::Implies(both) => match part(&both.0).and_then(|one| one.truth()) {
                Some(false) => Datum::Bool(true),
                Some(true) => part(&both.1)?,
                None => Datum::Bool(part(&both.1)?.truth().filter(|truth| *truth)?),
            },
            ExprKind::If(all) => match part(&all.0)?.truth()? {
                true => part(&all.1)?,
                false => part(&all.2)?,
            },
            ExprKind::Chain(chain) => self.chain(&chain.0, &chain.1, of)?,
            ExprKind::Compare(relation, both) => {
                Datum::Bool(part(&both.0)?.compared(*relation, &part(&both.1)?)?)
            }
            ExprKind::Is(test, negated) => {
                Datum::Bool(self.fits(&part(&test.0)?, &test.1.kind, of)? != *negated)
            }
            ExprKind::Leaf(variable) => of(variable)?,
            _ => return None,
        })
    }

    /// Operators of one level. What one side of `and` or `or` decides, the other need not say.
    fn chain(&self, first: &Expr, rest: &[(Operator, Expr)], of: &Of<'_>) -> Option<Datum> {
        let mut value = self.value(first, of);
        for (operator, operand) in rest {
            let decides = match operator {
                Operator::And => Some(Datum::Bool(false)),
                Operator::Or => Some(Datum::Bool(true)),
                _ => None,
            };
            if decides.is_some() && value == decides {
                continue;
            }
            let next = self.value(operand, of);
            value = match (value, next) {
                (_, next) if decides.is_some() && next == decides => next,
                (Some(one), Some(next)) => one.operated(*operator, &next),
                _ => None,
            };
        }
        value
    }

    fn constant(&self, id: ConstId) -> Option<Datum> {
        let constant = &self.program.consts[id.index()];
        match (self.set.get(id).map(|set| &set.value), &constant.value) {
            (Some(SettingValue::Int(number)), _) => Some(Datum::Int(number.to_i64()?)),
            (None, Some(Value::Int(number))) => Some(Datum::Int(number.to_i64()?)),
            (None, Some(Value::Bool(truth))) => Some(Datum::Bool(*truth)),
            (None, None) => self.value(constant.body.as_ref()?, &|_| None),
            _ => None,
        }
    }

    /// Whether a value is as a pattern says.
    fn fits(&self, value: &Datum, pattern: &PatternKind, of: &Of<'_>) -> Option<bool> {
        Some(match pattern {
            PatternKind::Wildcard => true,
            PatternKind::Bool(truth) => value.truth()? == *truth,
            PatternKind::Int(number) => Some(value.int()?) == number.to_i64(),
            PatternKind::Value(expr) => *value == self.value(expr, of)?,
            PatternKind::Construct(data, at, fields) if fields.is_empty() => {
                let constructors = &self.program.datas[data.index()].constructors;
                let name = constructors.get(*at as usize)?.name.name.to_string();
                *value == Datum::Named(name)
            }
            _ => return None,
        })
    }
}

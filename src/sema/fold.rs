//! What is known of values without running anything: constants, and the bounds of integers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::body::Body;
use super::problems::{DivisionByZero, EmptyRange, NothingInRange, OutOfRange};
use super::program::{Expr, ExprKind, Local, Program, RangeId, Sort, Value};
use crate::diagnostics::Span;
use crate::syntax::ast::{Operator, Relation};

/// Larger results are not computed: a few lines can ask for more digits than there is memory.
pub(super) const MOST_BITS: u64 = 1 << 16;

/// Integers from the first to the second, both included.
type Interval = (BigInt, BigInt);

/// Folds in a program, with the local names of one declaration.
#[derive(Clone, Copy)]
pub(super) struct Folder<'p> {
    pub program: &'p Program,
    pub locals: &'p [Local],
}

impl Folder<'_> {
    /// The value of an expression, where it has only one.
    pub fn value(self, expr: &Expr) -> Option<Value> {
        match self.truth(expr) {
            Some(truth) => Some(Value::Bool(truth)),
            None => {
                let (low, high) = self.interval(expr)?;
                (low == high).then_some(Value::Int(low))
            }
        }
    }

    /// The value of an integer expression, where it has only one.
    pub fn integer(self, expr: &Expr) -> Option<BigInt> {
        match self.value(expr) {
            Some(Value::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether an expression is always true, or always false.
    pub fn truth(self, expr: &Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Bool(value) => Some(*value),
            ExprKind::Const(id) => match self.program.consts[id.index()].value {
                Some(Value::Bool(value)) => Some(value),
                _ => None,
            },
            ExprKind::Not(inner) => self.truth(inner).map(|truth| !truth),
            ExprKind::Implies(both) => match (self.truth(&both.0), self.truth(&both.1)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                _ => None,
            },
            ExprKind::Chain(chain) => self.chain_truth(&chain.0, &chain.1),
            ExprKind::Compare(relation, both) => self.compare(*relation, &both.0, &both.1),
            ExprKind::If(all) => match self.truth(&all.0) {
                Some(true) => self.truth(&all.1),
                Some(false) => self.truth(&all.2),
                None => None,
            },
            _ => None,
        }
    }

    fn chain_truth(self, first: &Expr, rest: &[(Operator, Expr)]) -> Option<bool> {
        let absorbing = match rest.first()?.0 {
            Operator::And => false,
            Operator::Or => true,
            _ => return None,
        };
        let mut all_known = true;
        for operand in std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand)) {
            match self.truth(operand) {
                Some(truth) if truth == absorbing => return Some(absorbing),
                Some(_) => {}
                None => all_known = false,
            }
        }
        all_known.then_some(!absorbing)
    }

    fn compare(self, relation: Relation, left: &Expr, right: &Expr) -> Option<bool> {
        if let (Some(a), Some(b)) = (self.truth(left), self.truth(right)) {
            return match relation {
                Relation::Equal => Some(a == b),
                Relation::NotEqual => Some(a != b),
                _ => None,
            };
        }
        let ((a_low, a_high), (b_low, b_high)) = (self.interval(left)?, self.interval(right)?);
        match relation {
            Relation::Less if a_high < b_low => Some(true),
            Relation::Less if a_low >= b_high => Some(false),
            Relation::LessEqual if a_high <= b_low => Some(true),
            Relation::LessEqual if a_low > b_high => Some(false),
            Relation::Greater if a_low > b_high => Some(true),
            Relation::Greater if a_high <= b_low => Some(false),
            Relation::GreaterEqual if a_low >= b_high => Some(true),
            Relation::GreaterEqual if a_high < b_low => Some(false),
            Relation::Equal | Relation::NotEqual => {
                let apart = a_high < b_low || b_high < a_low;
                let same = a_low == a_high && b_low == b_high && a_low == b_low;
                (apart || same).then_some(same == (relation == Relation::Equal))
            }
            _ => None,
        }
    }

    /// The bounds of an integer expression, where both are known.
    pub fn interval(self, expr: &Expr) -> Option<Interval> {
        let interval = match &expr.kind {
            ExprKind::Int(value) => Some((BigInt::from(*value), BigInt::from(*value))),
            ExprKind::BigInt(value) => Some(((**value).clone(), (**value).clone())),
            ExprKind::Const(id) => {
                let constant = &self.program.consts[id.index()];
                match &constant.value {
                    Some(Value::Int(value)) => Some((value.clone(), value.clone())),
                    _ => self.sort_interval(constant.sort),
                }
            }
            ExprKind::Local(id) => self.sort_interval(self.locals.get(id.index())?.sort),
            ExprKind::Negate(inner) => self.interval(inner).map(|(low, high)| (-high, -low)),
            ExprKind::Chain(chain) => self.chain_interval(&chain.0, &chain.1),
            ExprKind::If(all) => match self.truth(&all.0) {
                Some(true) => self.interval(&all.1),
                Some(false) => self.interval(&all.2),
                None => {
                    let (a, b) = (self.interval(&all.1)?, self.interval(&all.2)?);
                    Some((a.0.min(b.0), a.1.max(b.1)))
                }
            },
            ExprKind::Apply(..) | ExprKind::Select(..) | ExprKind::Index(_) => {
                self.sort_interval(expr.sort)
            }
            _ => None,
        };
        interval.filter(|(low, high)| low.bits() <= MOST_BITS && high.bits() <= MOST_BITS)
    }

    fn sort_interval(self, sort: Sort) -> Option<Interval> {
        let Sort::Range(id) = sort else { return None };
        let (low, high) = self.program.ranges[id.index()].known.as_ref()?;
        (low < high).then(|| (low.clone(), high - 1))
    }

    fn chain_interval(self, first: &Expr, rest: &[(Operator, Expr)]) -> Option<Interval> {
        let mut total = self.interval(first)?;
        for (operator, operand) in rest {
            let operand = self.interval(operand)?;
            total = combine(*operator, &total, &operand)?;
            if total.0.bits() > MOST_BITS || total.1.bits() > MOST_BITS {
                return None;
            }
        }
        Some(total)
    }
}

pub(super) fn combine(operator: Operator, a: &Interval, b: &Interval) -> Option<Interval> {
    match operator {
        Operator::Add => Some((&a.0 + &b.0, &a.1 + &b.1)),
        Operator::Subtract => Some((&a.0 - &b.1, &a.1 - &b.0)),
        Operator::Multiply => {
            let products = [&a.0 * &b.0, &a.0 * &b.1, &a.1 * &b.0, &a.1 * &b.1];
            Some((products.iter().min()?.clone(), products.iter().max()?.clone()))
        }
        // As in SMT-LIB: the remainder is never negative.
        Operator::Div | Operator::Mod if a.0 == a.1 && b.0 == b.1 => {
            if b.0.is_zero() {
                return None;
            }
            let (_, remainder) = a.0.div_mod_floor(&b.0.abs());
            let quotient = (&a.0 - &remainder) / &b.0;
            let result = if operator == Operator::Div { quotient } else { remainder };
            Some((result.clone(), result))
        }
        // As in most machines: the quotient is rounded towards zero.
        Operator::Quot | Operator::Rem if a.0 == a.1 && b.0 == b.1 => {
            if b.0.is_zero() {
                return None;
            }
            let (quotient, remainder) = a.0.div_rem(&b.0);
            let result = if operator == Operator::Quot { quotient } else { remainder };
            Some((result.clone(), result))
        }
        Operator::Rem if b.0 == b.1 && b.0.is_positive() => {
            let most: BigInt = &b.0 - 1;
            let low = if a.0.is_negative() { -most.clone() } else { BigInt::zero() };
            let high = if a.1.is_positive() { most } else { BigInt::zero() };
            Some((low, high))
        }
        Operator::Quot if b.0 == b.1 && b.0.is_positive() => Some((&a.0 / &b.0, &a.1 / &b.0)),
        Operator::Mod if b.0 == b.1 && b.0.is_positive() => Some((BigInt::zero(), &b.0 - 1)),
        Operator::Div if b.0 == b.1 && b.0.is_positive() => {
            Some((a.0.div_floor(&b.0), a.1.div_floor(&b.0)))
        }
        _ => None,
    }
}

impl Body<'_, '_> {
    pub fn folder(&self) -> Folder<'_> {
        Folder { program: &self.sema.program, locals: &self.locals }
    }

    /// Notes the bounds of a range, and reports one that is empty: an error for what must have values.
    pub fn set_range(&mut self, id: RangeId, (low, high): (Expr, Expr), is_needed: bool) {
        let known = self.folder().integer(&low).zip(self.folder().integer(&high));
        let span = low.span.to(high.span);
        if let Some((low, high)) = &known
            && low >= high
        {
            let (low, high) = (low.to_string(), high.to_string());
            match is_needed {
                true => self.report(EmptyRange { span, low, high }),
                false => self.report(NothingInRange { span, low, high }),
            }
        }
        let range = &mut self.sema.program.ranges[id.index()];
        (range.low, range.high, range.known) = (low, high, known);
    }

    /// Reports a value that is certainly outside the range it should be in.
    pub fn check_range(&mut self, value: &Expr, sort: Sort, declared: Option<Span>) {
        let Sort::Range(id) = self.shallow(sort) else { return };
        let Some((low, high)) = self.sema.program.ranges[id.index()].known.clone() else { return };
        let Some((least, most)) = self.folder().interval(value) else { return };
        if low < high && (most < low || least >= high) {
            let range = &self.sema.program.ranges[id.index()];
            // One that stands for all with these bounds is written anywhere.
            let is_shared =
                self.sema.instances.ranges.get(&(low.clone(), high.clone())) == Some(&id);
            let text = (!is_shared).then(|| range.low.span.to(range.high.span));
            let declared = declared.or(text);
            let value_text =
                if least == most { least.to_string() } else { format!("{least}..{}", most + 1) };
            let range = format!("{low}..{high}");
            self.report(OutOfRange { span: value.span, value: value_text, range, declared });
        }
    }

    /// Reports a division by zero.
    pub fn check_divisor(&mut self, divisor: &Expr) {
        if self.folder().integer(divisor).is_some_and(|value| value.is_zero()) {
            self.report(DivisionByZero { span: divisor.span });
        }
    }
}

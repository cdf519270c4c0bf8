//! The values of expressions as terms. Where a value depends on the case, the cases say what it is.

use num_bigint::BigInt;

use super::linear::Linear;
use super::path::{Path, Reader, is_number};
use super::term::{Form, TermId, is_sized};
use crate::sema::program::{ConstId, Expr, ExprKind, Pattern, PatternKind, RangeId, Sort, Value};
use crate::syntax::ast::{Operator, Relation};

impl Reader<'_> {
    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr, path: &mut Path) -> TermId {
        if is_number(expr.sort) {
            let number = self.number(expr, path);
            return self.terms.sum(number);
        }
        if !self.work.spend(1) {
            return self.opaque(expr);
        }
        match &expr.kind {
            ExprKind::Local(id) => match self.names.get(id) {
                Some(&known) => known,
                None => self.terms.make(Form::Local(self.function, *id)),
            },
            ExprKind::Const(id) => self.terms.make(Form::Const(*id)),
            ExprKind::Select(data, index, field, inner) => {
                let inner = self.value(inner, path);
                self.terms.select(*data, *index, *field, inner)
            }
            ExprKind::Construct(data, index, args) => {
                let args = args.iter().map(|arg| self.value(arg, path)).collect();
                self.terms.make(Form::Construct(*data, *index, args))
            }
            ExprKind::Apply(id, args) => {
                let args = args.iter().map(|arg| self.value(arg, path)).collect();
                self.terms.make(Form::Apply(*id, args))
            }
            ExprKind::If(_) | ExprKind::Match(_) if is_sized(expr.sort) => {
                let whole = self.opaque(expr);
                self.by_cases(expr, path, &mut |reader, value, path| {
                    let value = reader.value(value, path);
                    if let (Some(a), Some(b)) = (reader.size(whole, path), reader.size(value, path))
                    {
                        path.iter_mut().for_each(|case| case.facts.equal(&a, &b));
                    }
                });
                whole
            }
            _ => self.opaque(expr),
        }
    }

    /// Something of which nothing is known but that it is the same wherever this expression stands.
    fn opaque(&mut self, expr: &Expr) -> TermId {
        self.terms.make(Form::Opaque(self.function, std::ptr::from_ref(expr) as usize))
    }

    /// The number that an expression stands for.
    pub fn number(&mut self, expr: &Expr, path: &mut Path) -> Linear {
        if !self.work.spend(1) {
            return Linear::atom(self.opaque(expr));
        }
        self.known_number(expr, path).unwrap_or_else(|| Linear::atom(self.opaque(expr)))
    }

    fn known_number(&mut self, expr: &Expr, path: &mut Path) -> Option<Linear> {
        match &expr.kind {
            ExprKind::Bool(value) => Some(Linear::number(i128::from(*value))),
            ExprKind::Int(value) => Some(Linear::number(i128::from(*value))),
            ExprKind::BigInt(value) => literal(value),
            ExprKind::Local(id) => Some(match self.names.get(id) {
                Some(&known) => self.terms.number(known),
                None => Linear::atom(self.terms.make(Form::Local(self.function, *id))),
            }),
            ExprKind::Const(id) => self.constant(*id, path),
            ExprKind::Select(data, index, field, inner) => {
                let inner = self.value(inner, path);
                let part = self.terms.select(*data, *index, *field, inner);
                Some(self.terms.number(part))
            }
            ExprKind::Apply(id, args) => {
                let args = args.iter().map(|arg| self.value(arg, path)).collect();
                Some(Linear::atom(self.terms.make(Form::Apply(*id, args))))
            }
            ExprKind::Negate(inner) => self.number(inner, path).times(-1),
            ExprKind::Chain(chain) if expr.sort != Sort::Bool => {
                let mut total = self.number(&chain.0, path);
                for (operator, operand) in &chain.1 {
                    let operand = self.number(operand, path);
                    total = self.operation(*operator, &total, &operand, path)?;
                }
                Some(total)
            }
            ExprKind::If(_) | ExprKind::Match(_) => {
                let whole = Linear::atom(self.opaque(expr));
                self.by_cases(expr, path, &mut |reader, value, path| {
                    let value = reader.number(value, path);
                    path.iter_mut().for_each(|case| case.facts.equal(&whole, &value));
                });
                Some(whole)
            }
            ExprKind::Not(_)
            | ExprKind::Chain(_)
            | ExprKind::Compare(..)
            | ExprKind::Implies(_)
            | ExprKind::Is(..) => Some(self.truth(expr, path)),
            _ => None,
        }
    }

    /// A condition as a number.
    fn truth(&mut self, condition: &Expr, path: &mut Path) -> Linear {
        let whole = Linear::atom(self.opaque(condition));
        let before = std::mem::take(path);
        let mut ways = Vec::new();
        for truth in [true, false] {
            let mut way = self.assume(condition, truth, before.clone());
            let value = Linear::number(i128::from(truth));
            way.iter_mut().for_each(|case| case.facts.equal(&whole, &value));
            ways.push(way);
        }
        *path = self.either(before, ways);
        whole
    }

    /// Tells the branches of `if` or `match` apart.
    fn by_cases(
        &mut self,
        expr: &Expr,
        path: &mut Path,
        each: &mut dyn FnMut(&mut Self, &Expr, &mut Path),
    ) {
        let before = std::mem::take(path);
        let mut ways = Vec::new();
        match &expr.kind {
            ExprKind::If(all) => {
                for (truth, branch) in [(true, &all.1), (false, &all.2)] {
                    let mut way = self.assume(&all.0, truth, before.clone());
                    each(self, branch, &mut way);
                    ways.push(way);
                }
            }
            ExprKind::Match(all) => {
                self.arms(&all.0, &all.1, before.clone(), &mut |reader, value, mut way| {
                    each(reader, value, &mut way);
                    ways.push(way);
                });
            }
            _ => ways.push(before.clone()),
        }
        *path = self.either(before, ways);
    }

    /// The arms of a `match`, each with the path on which it is taken.
    pub fn arms<'e>(
        &mut self,
        subject: &'e Expr,
        arms: &'e [(Pattern, Expr)],
        path: Path,
        each: &mut dyn FnMut(&mut Self, &'e Expr, Path),
    ) {
        let mut rest = path;
        let value = self.value(subject, &mut rest);
        let covered = self.is_covered(subject.sort, arms);
        for (at, (pattern, result)) in arms.iter().enumerate() {
            let taken = self.fits(value, pattern, true, rest.clone());
            // The last arm is taken whatever the value is, so it must be known that nothing else is left.
            let taken = if at + 1 < arms.len() || covered { taken } else { rest.clone() };
            each(self, result, taken);
            rest = self.fits(value, pattern, false, rest);
        }
    }

    fn is_covered(&mut self, sort: Sort, arms: &[(Pattern, Expr)]) -> bool {
        if let Some((pattern, _)) = arms.last()
            && matches!(pattern.kind, PatternKind::Wildcard | PatternKind::Bind(_))
        {
            return true;
        }
        if !self.work.spend(arms.len() * 16) {
            return false;
        }
        let patterns: Vec<&Pattern> = arms.iter().map(|(pattern, _)| pattern).collect();
        crate::sema::matching::is_covered(self.program, sort, &patterns)
    }

    fn constant(&mut self, id: ConstId, path: &mut Path) -> Option<Linear> {
        let constant = &self.program.consts[id.index()];
        match &constant.value {
            Some(Value::Int(value)) => return literal(value),
            Some(Value::Bool(value)) => return Some(Linear::number(i128::from(*value))),
            None => {}
        }
        let atom = Linear::atom(self.terms.make(Form::Const(id)));
        if let Sort::Range(range) = constant.sort {
            self.in_range(&atom, range, path);
        }
        Some(atom)
    }

    /// A value is in its range.
    pub fn in_range(&mut self, value: &Linear, range: RangeId, path: &mut Path) {
        let range = &self.program.ranges[range.index()];
        let (low, high) = match &range.known {
            Some((low, high)) => (literal(low), literal(high)),
            None => (Some(self.number(&range.low, path)), Some(self.number(&range.high, path))),
        };
        let above = low.and_then(|low| value.minus(&low));
        let below = high.and_then(|high| high.minus(value)).and_then(|below| below.add(-1));
        for case in path {
            case.facts.add(above.clone());
            case.facts.add(below.clone());
        }
    }

    fn operation(
        &mut self,
        operator: Operator,
        a: &Linear,
        b: &Linear,
        path: &mut Path,
    ) -> Option<Linear> {
        match operator {
            Operator::Add => a.plus(1, b),
            Operator::Subtract => a.minus(b),
            Operator::Multiply => match (a.as_number(), b.as_number()) {
                (_, Some(factor)) => a.times(factor),
                (Some(factor), _) => b.times(factor),
                _ => {
                    let product = Form::Product(a.clone(), b.clone());
                    Some(Linear::atom(self.terms.make(product)))
                }
            },
            Operator::Div => {
                let quotient = Form::Quotient(a.clone(), b.clone());
                let quotient = Linear::atom(self.terms.make(quotient));
                if let Some(divisor) = b.as_number().filter(|divisor| *divisor > 0) {
                    let rest = quotient.times(divisor).and_then(|whole| a.minus(&whole));
                    bounded(rest.as_ref(), b, path);
                }
                Some(quotient)
            }
            Operator::Mod => Some(self.remainder(a, b, path)),
            Operator::Quot | Operator::Rem => self.truncated(operator, a, b, path),
            Operator::And | Operator::Or => None,
        }
    }

    /// Where the dividend is not negative it is as with `div` and `mod`; else nothing is known of it.
    fn truncated(
        &mut self,
        operator: Operator,
        a: &Linear,
        b: &Linear,
        path: &mut Path,
    ) -> Option<Linear> {
        let form = match operator {
            Operator::Quot => Form::Truncated(a.clone(), b.clone()),
            _ => Form::Rest(a.clone(), b.clone()),
        };
        let result = Linear::atom(self.terms.make(form));
        let zero = Linear::number(0);
        let mut positive = self.related(a, Relation::GreaterEqual, &zero, path.clone());
        let negative = self.related(a, Relation::Less, &zero, path.clone());
        let plain = if operator == Operator::Quot { Operator::Div } else { Operator::Mod };
        let same = self.operation(plain, a, b, &mut positive);
        if let Some(same) = same {
            positive.iter_mut().for_each(|case| case.facts.equal(&result, &same));
        }
        let before = std::mem::take(path);
        *path = self.either(before, vec![positive, negative]);
        Some(result)
    }

    /// The remainder is never negative, and less than the divisor without its sign. Of zero nothing is known.
    fn remainder(&mut self, a: &Linear, b: &Linear, path: &mut Path) -> Linear {
        let remainder = Linear::atom(self.terms.make(Form::Remainder(a.clone(), b.clone())));
        let zero = Linear::number(0);
        let mut ways = Vec::new();
        for relation in [Relation::Greater, Relation::Less, Relation::Equal] {
            let mut way = self.related(b, relation, &zero, path.clone());
            match relation {
                Relation::Greater => bounded(Some(&remainder), b, &mut way),
                Relation::Less => {
                    if let Some(divisor) = b.times(-1) {
                        bounded(Some(&remainder), &divisor, &mut way);
                    }
                }
                _ => {}
            }
            ways.push(way);
        }
        let before = std::mem::take(path);
        *path = self.either(before, ways);
        if let Some(divisor) = b.as_number().filter(|divisor| *divisor > 0) {
            let quotient = Linear::atom(self.terms.make(Form::Quotient(a.clone(), b.clone())));
            let whole = quotient.times(divisor).and_then(|whole| whole.plus(1, &remainder));
            if let Some(whole) = whole {
                path.iter_mut().for_each(|case| case.facts.equal(a, &whole));
            }
        }
        remainder
    }
}

/// A value is at least zero and less than another.
fn bounded(value: Option<&Linear>, limit: &Linear, path: &mut Path) {
    let below = value.and_then(|value| limit.minus(value)).and_then(|below| below.add(-1));
    for case in path {
        case.facts.add(value.cloned());
        case.facts.add(below.clone());
    }
}

fn literal(value: &BigInt) -> Option<Linear> {
    i128::try_from(value).ok().map(Linear::number)
}

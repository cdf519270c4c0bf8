//! The shapes of expressions: what they come to where indices are neither near the start nor near the end.

use std::collections::BTreeSet;

use num_traits::ToPrimitive;

use super::carried::moved;
use super::recognise::{Outside, Recogniser, Scope, Settled, WhyOutside};
use super::shape::{Shape, Sum};
use crate::diagnostics::Span;
use crate::elaborate::SettingValue;
use crate::sema::program::{ActionId, ConstId, Expr, ExprKind, Sort, Value};
use crate::syntax::ast::{Operator, Relation};

impl Recogniser<'_> {
    /// That an expression is the same for all indices that are not near an end.
    pub fn plain(&mut self, expr: &Expr, scope: &Scope) -> Settled<()> {
        match self.shape(expr, scope)? {
            Shape::Sum(sum) if !sum.is_number() => {
                Err(Outside { span: expr.span, why: WhyOutside::Data })
            }
            Shape::Data(_) => Err(Outside { span: expr.span, why: WhyOutside::Data }),
            Shape::Sum(_) | Shape::Plain => Ok(()),
        }
    }

    /// The shape of an expression.
    pub fn shape(&mut self, expr: &Expr, scope: &Scope) -> Settled<Shape> {
        match &expr.kind {
            ExprKind::Int(number) => Ok(Shape::Sum(Sum::number(*number))),
            ExprKind::Local(id) => Ok(scope.shapes.get(id).copied().unwrap_or(Shape::Plain)),
            ExprKind::Const(id) => self.constant(*id),
            ExprKind::Negate(inner) => match self.shape(inner, scope)? {
                Shape::Sum(sum) => Ok(Shape::Sum(sum.negated())),
                Shape::Data(_) => Err(Outside { span: expr.span, why: WhyOutside::Data }),
                Shape::Plain => Ok(Shape::Plain),
            },
            ExprKind::Chain(chain) => self.chain((&chain.0, &chain.1), expr.span, scope),
            ExprKind::Compare(_, both) => self.compared(expr, (&both.0, &both.1), scope),
            // Where they lead is looked at by whoever asks.
            ExprKind::Leaf(_) | ExprKind::InState(..) => Ok(Shape::Plain),
            ExprKind::Act(id, _) => {
                self.action(*id, expr.span)?;
                self.all_plain(expr, scope)
            }
            ExprKind::Apply(id, _) => {
                let fun = &self.program.funs[id.index()];
                let speaks = fun.body.iter().any(|body| self.speaks_of_size(body, 0));
                match speaks {
                    true => Err(Outside { span: expr.span, why: WhyOutside::Data }),
                    false => self.all_plain(expr, scope),
                }
            }
            _ => self.all_plain(expr, scope),
        }
    }

    fn all_plain(&mut self, expr: &Expr, scope: &Scope) -> Settled<Shape> {
        let mut inside = Vec::new();
        expr.each_inside(&mut |inner| inside.push(inner));
        inside.into_iter().try_for_each(|inner| self.plain(inner, scope))?;
        Ok(Shape::Plain)
    }

    fn constant(&mut self, id: ConstId) -> Settled<Shape> {
        if let Some(size) = self.sizes.iter().position(|size| *size == id) {
            return Ok(Shape::Sum(Sum::size(size)));
        }
        let constant = &self.program.consts[id.index()];
        if let Some(set) = self.set.get(id) {
            return Ok(match &set.value {
                SettingValue::Int(number) => number_shape(number.to_i64()),
                _ => Shape::Plain,
            });
        }
        match (&constant.value, &constant.body) {
            (Some(Value::Int(number)), _) => Ok(number_shape(number.to_i64())),
            (None, Some(body)) => self.shape(body, &Scope::default()),
            _ => Ok(Shape::Plain),
        }
    }

    fn chain(
        &mut self,
        (first, rest): (&Expr, &[(Operator, Expr)]),
        span: Span,
        scope: &Scope,
    ) -> Settled<Shape> {
        let mut value = self.shape(first, scope)?;
        for (operator, operand) in rest {
            let other = self.shape(operand, scope)?;
            value = match (value, other) {
                (Shape::Sum(a), Shape::Sum(b)) => {
                    let both = self.combined(*operator, (a, b), span)?;
                    both.map_or(Shape::Plain, Shape::Sum)
                }
                (Shape::Plain, Shape::Sum(sum)) | (Shape::Sum(sum), Shape::Plain)
                    if !sum.is_number() =>
                {
                    return Err(Outside { span, why: WhyOutside::Data });
                }
                (Shape::Data(_), _) | (_, Shape::Data(_)) => {
                    moved(*operator, value, other).ok_or(Outside { span, why: WhyOutside::Data })?
                }
                _ => Shape::Plain,
            };
        }
        Ok(value)
    }

    /// What an operator makes of two sums; nothing in particular of numbers.
    fn combined(
        &mut self,
        operator: Operator,
        (a, b): (Sum, Sum),
        span: Span,
    ) -> Settled<Option<Sum>> {
        // Modulo the size, the size is nothing.
        let wraps = operator == Operator::Mod && b.is_size() && (a.is_number() || a.of == b.of);
        let a = if wraps { a.with_size(0) } else { a };
        let made = match operator {
            // What is left of an index, or of the size, is one of a few numbers.
            Operator::Mod if !a.is_number() && b.is_number() && b.low == b.high && b.low > 0 => {
                self.repeats(b.low, span)?;
                Some(Sum { low: 0, high: b.low - 1, ..Sum::number(0) })
            }
            Operator::Add => a.plus(b),
            Operator::Subtract => a.minus(b),
            Operator::Multiply => a.times(b),
            // Near an end it is something else, and an instance says what.
            Operator::Mod if wraps && a.is_place() => {
                self.reaches(a, span)?;
                Some(a).filter(|a| a.index == 1)
            }
            _ => None,
        };
        match made {
            Some(sum) => Ok(Some(sum)),
            None if a.is_number() && b.is_number() => Ok(None),
            None if wraps && a.is_place() => self.wrapped(a, b.of, span).map(Some),
            None if self.are_apart(a, b) => Err(Outside { span, why: WhyOutside::TwoSizes }),
            None => Err(Outside { span, why: WhyOutside::Data }),
        }
    }

    /// Whether two sums are about two sizes.
    fn are_apart(&self, a: Sum, b: Sum) -> bool {
        !a.is_number() && !b.is_number() && a.of != b.of
    }

    /// A number modulo a size: where all of them come to the same.
    fn wrapped(&mut self, sum: Sum, of: usize, span: Span) -> Settled<Sum> {
        match (sum.low >= 0, sum.high < 0) {
            (true, _) => Ok(sum),
            (_, true) => Ok(Sum { size: 1, of, ..sum }),
            _ => Err(Outside { span, why: WhyOutside::Index }),
        }
    }

    fn compared(&mut self, expr: &Expr, (a, b): (&Expr, &Expr), scope: &Scope) -> Settled<Shape> {
        let outside = Outside { span: expr.span, why: WhyOutside::Data };
        match (self.shape(a, scope)?, self.shape(b, scope)?) {
            // What comes together in a meeting comes from anywhere.
            (Shape::Data(_), _) | (_, Shape::Data(_)) if scope.meets => Err(outside),
            (Shape::Sum(a), Shape::Sum(b)) => {
                if a.is_number() && b.is_number() {
                    return Ok(Shape::Plain);
                }
                if self.are_apart(a, b) {
                    return Err(Outside { why: WhyOutside::TwoSizes, ..outside });
                }
                // Two indices of a meeting: whether they differ.
                let differ = matches!(expr.kind, ExprKind::Compare(Relation::NotEqual, _));
                if scope.meets && differ && a.is_index() && b.is_index() && a.var != b.var {
                    return Ok(Shape::Plain);
                }
                match a.minus(b) {
                    Some(difference) if difference.is_settled_inside() => {
                        self.asks_about(difference);
                        self.reaches(difference, expr.span)?;
                        Ok(Shape::Plain)
                    }
                    _ => Err(outside),
                }
            }
            (Shape::Plain, Shape::Sum(sum)) | (Shape::Sum(sum), Shape::Plain) => {
                if sum.is_number() { Ok(Shape::Plain) } else { Err(outside) }
            }
            (Shape::Plain, Shape::Plain) => Ok(Shape::Plain),
            // All that comes together in an interaction comes from places near to each other, or near an end.
            (Shape::Data(reach), Shape::Data(other)) => {
                self.asked.extend(self.carrying.of);
                self.reaches(Sum::number(reach.saturating_add(other)), expr.span)?;
                Ok(Shape::Plain)
            }
            (Shape::Data(reach), Shape::Sum(sum)) | (Shape::Sum(sum), Shape::Data(reach)) => {
                let same = sum.is_number() || self.carrying.of.is_none_or(|of| of == sum.of);
                if !sum.is_place() || !same {
                    return Err(outside);
                }
                self.asks_about(sum);
                let distance = sum.distance().saturating_add(reach);
                self.reaches(Sum::number(distance), expr.span)?;
                Ok(Shape::Plain)
            }
            (Shape::Data(_), Shape::Plain) | (Shape::Plain, Shape::Data(_)) => Err(outside),
        }
    }

    /// Takes note of the size that something is compared with.
    fn asks_about(&mut self, sum: Sum) {
        self.asked.extend(self.carrying.of);
        if !sum.is_number() {
            self.asked.insert(sum.of);
        }
    }

    /// That the values which an action carries do not depend on the size.
    pub(super) fn action(&mut self, id: ActionId, span: Span) -> Settled<()> {
        for &sort in &self.program.actions[id.index()].sorts {
            if self.depends(sort, &Scope::default(), &mut BTreeSet::new())? {
                return Err(Outside { span, why: WhyOutside::Sort });
            }
        }
        Ok(())
    }

    /// Whether the values of a sort depend on the size.
    pub(super) fn depends(
        &mut self,
        sort: Sort,
        scope: &Scope,
        seen: &mut BTreeSet<u32>,
    ) -> Settled<bool> {
        match sort {
            Sort::Range(range) => {
                let def = &self.program.ranges[range.index()];
                let ends = [self.shape(&def.low, scope)?, self.shape(&def.high, scope)?];
                let known = |end: &Shape| {
                    matches!(end, Shape::Plain) || matches!(end, Shape::Sum(sum) if sum.is_number())
                };
                Ok(!ends.iter().all(known))
            }
            Sort::Array(array) => {
                let (keys, values) = self.program.arrays[array.index()];
                Ok(self.depends(keys, scope, seen)? || self.depends(values, scope, seen)?)
            }
            Sort::Data(data) if seen.insert(data.0) => {
                let constructors = &self.program.datas[data.index()].constructors;
                for (_, sort) in constructors.iter().flat_map(|one| &one.fields) {
                    if self.depends(*sort, scope, seen)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Whether the definition of a function speaks of the size, also through others.
    fn speaks_of_size(&self, body: &Expr, depth: usize) -> bool {
        let mut found = depth > self.program.funs.len() + self.program.consts.len();
        body.each(&mut |expr| match &expr.kind {
            ExprKind::Const(id) => {
                let inside = &self.program.consts[id.index()].body;
                let inside = inside.as_ref().filter(|_| !found);
                found |= self.sizes.contains(id)
                    || inside.is_some_and(|body| self.speaks_of_size(body, depth + 1));
            }
            // A function that is used in a function: without a look at who calls whom, the answer is the careful one.
            ExprKind::Apply(id, _) => {
                let inside = &self.program.funs[id.index()].body;
                let is_own = inside.as_ref().is_some_and(|inside| std::ptr::eq(inside, body));
                found |= !is_own && inside.is_some();
            }
            _ => {}
        });
        found
    }
}

fn number_shape(number: Option<i64>) -> Shape {
    number.map_or(Shape::Plain, |number| Shape::Sum(Sum::number(number)))
}

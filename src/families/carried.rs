//! Indices that are sent as data, and data that choose members.
//!
//! A value that comes with an action is used in the interaction that brings it, and then stored or forgotten. Variables of sort
//! `Int` are no part of the states that are looked at, so what is stored there is forgotten: whatever depends on it later *may*
//! happen, for every index alike. So an index does no harm as data as long as it is only stored in such variables, sent on, and
//! compared, in its interaction, with numbers and with other places: all indices that meet in one interaction are near to each
//! other or near to an end, since its vector has one `for` variable.

use super::recognise::{Outside, Recogniser, Scope, Settled, WhyOutside};
use super::shape::{Shape, Sum};
use crate::sema::program::{ActionId, Expr, ExprKind, Local, LocalId, LocalKind, Sort};
use crate::syntax::ast::Operator;

use num_traits::ToPrimitive;

/// Whether an expression is a variable of a vector for data.
pub(super) fn is_vector_data(expr: &Expr, locals: &[Local]) -> bool {
    let ExprKind::Local(id) = expr.kind else { return false };
    let local = locals.get(id.index());
    local.is_some_and(|one| one.kind == LocalKind::VectorData && one.sort == Sort::Int)
}

/// Data, and a number more or less.
pub(super) fn moved(operator: Operator, one: Shape, other: Shape) -> Option<Shape> {
    let (reach, sum) = match (one, other) {
        (Shape::Data(reach), Shape::Sum(sum)) if operator == Operator::Subtract => (reach, sum),
        (Shape::Data(reach), Shape::Sum(sum)) | (Shape::Sum(sum), Shape::Data(reach))
            if operator == Operator::Add =>
        {
            (reach, sum)
        }
        _ => return None,
    };
    sum.is_number().then(|| Shape::Data(reach.saturating_add(sum.distance())))
}

impl Recogniser<'_> {
    /// What comes with actions, where indices are among it.
    pub(super) fn bind_data(&self, locals: &[Local], kind: LocalKind, scope: &mut Scope) {
        let Some(reach) = self.carrying.reach else { return };
        for (at, local) in locals.iter().enumerate() {
            if local.kind == kind && local.sort == Sort::Int {
                scope.shapes.insert(LocalId(at as u32), Shape::Data(reach));
            }
        }
    }

    /// An action, with what it carries.
    pub(super) fn sent(&mut self, action: &Expr, locals: &[Local], scope: &Scope) -> Settled<()> {
        match &action.kind {
            ExprKind::Act(id, args) => {
                self.action(*id, action.span)?;
                let mut args = args.iter().enumerate();
                args.try_for_each(|(at, arg)| self.argument((*id, at), arg, locals, scope))
            }
            ExprKind::Sync(inner) | ExprKind::Co(inner) => self.sent(inner, locals, scope),
            _ => self.plain(action, scope),
        }
    }

    fn argument(
        &mut self,
        (action, at): (ActionId, usize),
        arg: &Expr,
        locals: &[Local],
        scope: &Scope,
    ) -> Settled<()> {
        if matches!(arg.kind, ExprKind::Input(_) | ExprKind::Wildcard) {
            return Ok(());
        }
        let sorts = &self.program.actions[action.index()].sorts;
        let is_int = sorts.get(at) == Some(&Sort::Int);
        match self.shape(arg, scope)? {
            // What comes together in a meeting comes from anywhere.
            Shape::Data(_) if scope.meets => Err(Outside { span: arg.span, why: WhyOutside::Data }),
            Shape::Sum(sum) if scope.meets && !sum.is_number() => {
                Err(Outside { span: arg.span, why: WhyOutside::Data })
            }
            Shape::Sum(sum) if !sum.is_number() => match is_int && sum.is_place() {
                true => self.carries(sum.distance(), Some(sum.of), arg.span),
                false => Err(Outside { span: arg.span, why: WhyOutside::Data }),
            },
            Shape::Data(reach) if is_int => self.carries(reach, None, arg.span),
            Shape::Data(_) => Err(Outside { span: arg.span, why: WhyOutside::Data }),
            // Where indices meet numbers, these count as places.
            Shape::Sum(sum) if self.carrying.reach.is_some() => {
                self.carries(sum.distance(), None, arg.span)
            }
            Shape::Sum(_) => Ok(()),
            Shape::Plain if self.carrying.reach.is_some() && is_int => self.meets(arg, locals, 0),
            Shape::Plain => Ok(()),
        }
    }

    /// Something that an index is compared with: a variable that is forgotten, or one with few values, which count as places.
    fn meets(&mut self, other: &Expr, locals: &[Local], reach: i64) -> Settled<()> {
        let outside = Outside { span: other.span, why: WhyOutside::Data };
        let ExprKind::Local(id) = other.kind else { return Err(outside) };
        match locals.get(id.index()).map(|local| local.sort) {
            Some(Sort::Int) => Ok(()),
            Some(Sort::Range(range)) => {
                let known = self.program.ranges[range.index()].known.as_ref();
                let ends = known.and_then(|(low, high)| Some((low.to_i64()?, high.to_i64()?)));
                let (low, high) = ends.ok_or(outside)?;
                let distance = low.saturating_abs().max(high.saturating_abs());
                self.reaches(Sum::number(distance.saturating_add(reach)), other.span)
            }
            _ => Err(outside),
        }
    }

    /// A guard: in its comparisons, data may meet variables.
    pub(super) fn condition(
        &mut self,
        guard: &Expr,
        locals: &[Local],
        scope: &Scope,
    ) -> Settled<()> {
        match &guard.kind {
            ExprKind::Not(inner) => self.condition(inner, locals, scope),
            ExprKind::Implies(both) => {
                self.condition(&both.0, locals, scope)?;
                self.condition(&both.1, locals, scope)
            }
            ExprKind::Chain(chain)
                if chain.1.iter().all(|(op, _)| matches!(op, Operator::And | Operator::Or)) =>
            {
                self.condition(&chain.0, locals, scope)?;
                chain.1.iter().try_for_each(|(_, part)| self.condition(part, locals, scope))
            }
            ExprKind::Compare(_, both) => {
                match (self.shape(&both.0, scope)?, self.shape(&both.1, scope)?) {
                    _ if scope.meets => self.plain(guard, scope),
                    (Shape::Data(reach), Shape::Plain) => self.meets(&both.1, locals, reach),
                    (Shape::Plain, Shape::Data(reach)) => self.meets(&both.0, locals, reach),
                    _ => self.plain(guard, scope),
                }
            }
            _ => self.plain(guard, scope),
        }
    }

    /// A value of a variable: where this is forgotten, it may be an index.
    pub(super) fn assigned(&mut self, sort: Sort, value: &Expr, scope: &Scope) -> Settled<()> {
        match self.shape(value, scope)? {
            Shape::Data(_) if sort == Sort::Int => Ok(()),
            Shape::Sum(sum) if sort == Sort::Int && sum.is_place() => self.reaches(sum, value.span),
            _ => self.plain(value, scope),
        }
    }
}

//! Walks through expressions as they were parsed.

use super::ast::{BoundBy, Expr, ExprKind};
use crate::diagnostics::Span;

/// Calls `visit` with an expression and everything inside it, the outside first.
pub fn walk<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    let mut all = |exprs: &[&'e Expr]| exprs.iter().for_each(|inner| walk(inner, visit));
    match &expr.kind {
        ExprKind::Error
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Name(_)
        | ExprKind::Path(_)
        | ExprKind::Wildcard
        | ExprKind::Input(_)
        | ExprKind::Sort(_)
        | ExprKind::Tau => {}
        ExprKind::Sync(e) | ExprKind::Co(e) | ExprKind::Not(e) | ExprKind::Negate(e) => all(&[e]),
        ExprKind::Call(call) => call.args.iter().for_each(|arg| walk(arg, visit)),
        ExprKind::Set(elements) | ExprKind::Tuple(elements) => {
            elements.iter().for_each(|element| walk(element, visit));
        }
        ExprKind::OfSort(both) => all(&[&both.0]),
        ExprKind::Field(field) => all(&[&field.0]),
        ExprKind::Index(both) | ExprKind::Implies(both) => all(&[&both.0, &both.1]),
        ExprKind::Update(three) | ExprKind::If(three) => all(&[&three.0, &three.1, &three.2]),
        ExprKind::ConstArray(both) => all(&[&both.1]),
        ExprKind::Chain(chain) => {
            walk(&chain.first, visit);
            chain.rest.iter().for_each(|(_, _, operand)| walk(operand, visit));
        }
        ExprKind::Compare(comparison) => all(&[&comparison.left, &comparison.right]),
        ExprKind::Is(test) | ExprKind::In(test) => all(&[&test.subject, &test.against]),
        ExprKind::With(with) => {
            walk(&with.record, visit);
            with.fields.iter().for_each(|(_, value)| walk(value, visit));
        }
        ExprKind::Let(bound) => all(&[&bound.value, &bound.body]),
        ExprKind::Match(all) => {
            walk(&all.subject, visit);
            for (pattern, value) in &all.arms {
                walk(pattern, visit);
                walk(value, visit);
            }
        }
        ExprKind::Temporal(one) => all(&one.inside()),
        ExprKind::Quantified(quantified) => {
            for (_, by) in &quantified.variables {
                if let BoundBy::Members(path) = by {
                    let indices = path.steps.iter().filter_map(|(_, index)| index.as_ref());
                    indices.for_each(|index| walk(index, visit));
                }
            }
            walk(&quantified.body, visit);
        }
    }
}

impl Expr {
    /// An expression with nothing inside it, made by hand.
    pub(crate) fn leaf(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, span, depth: 0 }
    }
}

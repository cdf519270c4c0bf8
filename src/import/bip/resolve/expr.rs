//! Expressions and statements: names, types, and what cannot be translated.

use num_bigint::BigInt;

use super::super::super::problems::{BipFlaw, BrokenBip, Refusal};
use super::super::term::{Action, Ref, Term, Type};
use super::super::tree::{Expr, ExprKind, Operator, PathName, Statement, StatementKind};
use super::Resolver;
use crate::diagnostics::Span;

/// What names mean where an expression stands.
pub(super) type Scope<'s> = &'s dyn Fn(&PathName) -> Option<(Term, Type)>;

/// What can be assigned by a name; what cannot is reported.
pub(super) type Target<'s, R> = &'s mut dyn FnMut(&mut R, &PathName) -> Option<(Ref, Type)>;

/// All constants are known.
pub(super) const ALL: usize = usize::MAX;

impl Resolver<'_, '_> {
    /// An expression of a type. Constants up to `before` are known.
    pub(super) fn expr(
        &mut self,
        expr: &Expr,
        kind: Type,
        scope: Scope<'_>,
        before: usize,
    ) -> Option<Term> {
        let (term, found) = self.value(expr, scope, before)?;
        if found != kind {
            let (found, wanted) = (self.told(found), self.told(kind));
            return self.mistyped(expr.span, found, wanted);
        }
        Some(term)
    }

    pub(super) fn condition(&mut self, guard: Option<&Expr>, scope: Scope<'_>) -> Option<Term> {
        match guard {
            Some(guard) => self.expr(guard, Type::Bool, scope, ALL),
            None => Some(Term::Bool(true)),
        }
    }

    fn value(&mut self, expr: &Expr, scope: Scope<'_>, before: usize) -> Option<(Term, Type)> {
        match &expr.kind {
            ExprKind::Int(digits) => {
                let number: BigInt = digits.as_str().parse().ok()?;
                Some((Term::Int(number), Type::Int))
            }
            ExprKind::Bool(value) => Some((Term::Bool(*value), Type::Bool)),
            ExprKind::Float => self.refuse(expr.span, Refusal::Float),
            ExprKind::Text => self.refuse(expr.span, Refusal::Text),
            ExprKind::TooDeep => {
                self.texts.report(BrokenBip { span: expr.span, flaw: BipFlaw::TooDeep });
                None
            }
            ExprKind::Path(path) => {
                let constant = path.single().and_then(|name| self.constant(name, before));
                match scope(path).or(constant) {
                    Some(found) => Some(found),
                    None => self.unknown("value", path.span(), &path.text(), &[]),
                }
            }
            ExprKind::Call(callee, args) => self.call(callee, args, expr.span, scope, before),
            ExprKind::Unary(op, inner) => self.unary(*op, inner, expr.span, scope, before),
            ExprKind::Binary(op, sides) => {
                self.binary(*op, (&sides.0, &sides.1), expr.span, scope, before)
            }
        }
    }

    fn unary(
        &mut self,
        op: Operator,
        inner: &Expr,
        span: Span,
        scope: Scope<'_>,
        before: usize,
    ) -> Option<(Term, Type)> {
        match op {
            Operator::Not => Some((self.expr(inner, Type::Bool, scope, before)?.not(), Type::Bool)),
            Operator::Negate => {
                Some((self.expr(inner, Type::Int, scope, before)?.negate(), Type::Int))
            }
            Operator::Plus => Some((self.expr(inner, Type::Int, scope, before)?, Type::Int)),
            _ => self.refuse(span, Refusal::Bits),
        }
    }

    fn binary(
        &mut self,
        op: Operator,
        (left, right): (&Expr, &Expr),
        span: Span,
        scope: Scope<'_>,
        before: usize,
    ) -> Option<(Term, Type)> {
        let (of, result) = match op {
            Operator::OrOr | Operator::AndAnd => (Type::Bool, Type::Bool),
            Operator::Bits => return self.refuse(span, Refusal::Bits),
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                (Type::Int, Type::Bool)
            }
            Operator::Equal | Operator::NotEqual => {
                let (a, kind) = self.value(left, scope, before)?;
                if matches!(kind, Type::Extern(_)) {
                    return self.refuse(span, Refusal::Operator);
                }
                let b = self.expr(right, kind, scope, before)?;
                return Some((Term::binary(op, a, b), Type::Bool));
            }
            _ => (Type::Int, Type::Int),
        };
        let a = self.expr(left, of, scope, before);
        let b = self.expr(right, of, scope, before);
        Some((Term::binary(op, a?, b?), result))
    }

    fn call(
        &mut self,
        callee: &PathName,
        args: &[Expr],
        span: Span,
        scope: Scope<'_>,
        before: usize,
    ) -> Option<(Term, Type)> {
        let place = self.place(callee);
        let known =
            place.and_then(|(package, name)| self.functions.get(&(package, name.name)).cloned());
        let Some(known) = known else {
            let names: Vec<&str> = self.functions.keys().map(|(_, name)| name.as_str()).collect();
            return self.unknown("function", callee.span(), &callee.text(), &names);
        };
        let values: Vec<Option<(Term, Type)>> =
            args.iter().map(|arg| self.value(arg, scope, before)).collect();
        let values: Vec<(Term, Type)> = values.into_iter().collect::<Option<_>>()?;
        let kinds: Vec<Type> = values.iter().map(|(_, kind)| *kind).collect();
        let fitting = known.iter().find(|at| self.model.functions[**at].parameters == kinds);
        let Some(function) = fitting.copied() else {
            let found: Vec<String> = kinds.iter().map(|kind| self.told(*kind)).collect();
            let found = match found.as_slice() {
                [] => "a call without arguments".to_owned(),
                _ => format!("a call with {}", found.join(", ")),
            };
            let wanted = format!("another form of `{}`", callee.text());
            return self.mistyped(span, found, wanted);
        };
        match self.model.functions[function].result {
            Some(result) => {
                self.used_functions[function] = true;
                let args = values.into_iter().map(|(term, _)| term).collect();
                Some((Term::Call(function, args), result))
            }
            None => self.refuse(span, Refusal::SideEffect),
        }
    }

    /// Statements; `target` says what can be assigned.
    pub(super) fn actions(
        &mut self,
        statements: &[Statement],
        scope: Scope<'_>,
        target: Target<'_, Self>,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(to, value) => {
                    let Some((to, kind)) = target(self, to) else { continue };
                    if let Some(term) = self.expr(value, kind, scope, ALL) {
                        actions.push(Action::Assign(to, term, statement.span));
                    }
                }
                StatementKind::Call(callee, args) => {
                    let known = self.place(callee);
                    let known =
                        known.and_then(|(package, name)| self.functions.get(&(package, name.name)));
                    if known.is_none() {
                        _ = self.call(callee, args, statement.span, scope, ALL);
                        continue;
                    }
                    // Whatever it gives back is thrown away: it is called for its effect.
                    self.refuse::<()>(statement.span, Refusal::SideEffect);
                }
                StatementKind::If(test, yes, no) => {
                    let test = self.expr(test, Type::Bool, scope, ALL);
                    let yes = self.actions(yes, scope, target);
                    let no = self.actions(no, scope, target);
                    if let Some(test) = test {
                        actions.push(Action::If(test, yes, no));
                    }
                }
            }
        }
        actions
    }
}

//! Guards, condition by condition, and the actions that vectors ask for.

use super::{Lowering, Scope};
use crate::algebra::{Term, TermId};
use crate::pnet::Condition;
use crate::sema::program::{Expr, ExprKind};
use crate::syntax::ast::Operator;

impl Lowering<'_> {
    /// A guard, and what it asks for one after the other.
    pub fn guard(&mut self, guard: Option<&Expr>, scope: &Scope<'_>) -> (TermId, Vec<Condition>) {
        let mut conditions = Vec::new();
        if let Some(guard) = guard {
            self.conditions(guard, scope, &mut conditions);
        }
        (self.terms.and(conditions.iter().map(|condition| condition.term)), conditions)
    }

    fn conditions(&mut self, guard: &Expr, scope: &Scope<'_>, found: &mut Vec<Condition>) {
        match &guard.kind {
            ExprKind::Chain(chain)
                if chain.1.iter().all(|(operator, _)| *operator == Operator::And) =>
            {
                self.conditions(&chain.0, scope, found);
                chain.1.iter().for_each(|(_, operand)| self.conditions(operand, scope, found));
            }
            _ => {
                let since = self.owed_so_far();
                let term = self.term(guard, scope);
                if self.owed_so_far() > since {
                    let before = self.terms.and(found.iter().map(|condition| condition.term));
                    self.owed_under(before, since);
                }
                found.push(Condition { term, text: guard.span });
            }
        }
    }

    /// What a vector asks of a member. Its arguments are compared with what the member does, which are values of their
    /// sorts: they owe nothing by themselves.
    pub fn offered(&mut self, action: &Expr, scope: &Scope<'_>) -> TermId {
        match &action.kind {
            ExprKind::Act(id, args) => {
                let sorts = self.algebra.action(*id).sorts.clone();
                let mut made = Vec::with_capacity(args.len());
                for (arg, sort) in args.iter().zip(&sorts) {
                    let term = self.term(arg, scope);
                    let (term, _) = self.owing(|l| l.fit(term, sort, arg.span));
                    made.push(term);
                }
                self.terms.raw(Term::Act(*id, made.into()))
            }
            ExprKind::Sync(inner) => {
                let inner = self.offered(inner, scope);
                self.terms.raw(Term::Sync(inner))
            }
            ExprKind::Co(inner) => {
                let inner = self.offered(inner, scope);
                self.terms.raw(Term::Co(inner))
            }
            _ => self.term(action, scope),
        }
    }
}

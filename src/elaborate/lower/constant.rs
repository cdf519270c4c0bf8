//! Constants: what is set, what is written, or what nothing gives a value to.

use super::{Lowering, Scope};
use crate::algebra::{ConstId, Term, TermId};
use crate::sema::program::{Expr, ExprKind, Value};

impl Lowering<'_> {
    /// A constant: its value where it has one, else itself.
    pub fn constant(&mut self, id: ConstId) -> TermId {
        if let Some(&term) = self.ledger.constants.get(&id) {
            return term;
        }
        let constant = &self.program.consts[id.index()];
        let given = self.set.get(id);
        let mut term = match (&constant.body, given, &constant.value) {
            (None, Some(setting), _) => setting.value.term(self.terms),
            (_, _, Some(Value::Int(value))) => self.terms.int(value.clone()),
            (_, _, Some(Value::Bool(value))) => self.terms.bool(*value),
            (Some(body), _, None) if self.calls_undeclared(body) => {
                self.ledger.postponed.insert(id);
                return self.terms.raw(Term::Const(id));
            }
            (Some(body), _, None) => {
                let scope = Scope::new(&constant.locals);
                let (term, owed) = self.owing(|l| l.term(body, &scope));
                self.require(owed, None);
                term
            }
            (None, None, None) => self.terms.raw(Term::Const(id)),
        };
        if *self.terms.get(term) != Term::Const(id) {
            let text = constant.body.as_ref().map_or(constant.named.span, |body| body.span);
            let sort = self.sort(constant.sort, &Scope::new(&[]));
            let (fitting, owed) = self.owing(|l| l.fit(term, &sort, text));
            self.require(owed, None);
            term = fitting;
        }
        self.ledger.constants.insert(id, term);
        term
    }

    /// Whether an expression calls a function that is not declared yet: its parameters' sorts are being looked at.
    fn calls_undeclared(&self, expr: &Expr) -> bool {
        let declared = self.algebra.functions.len();
        let mut found = false;
        expr.each(&mut |inner| {
            found |= matches!(inner.kind, ExprKind::Apply(id, _) if id.index() >= declared);
        });
        found
    }
}

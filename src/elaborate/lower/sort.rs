//! Sorts, and the variables of sorts that local names stand for.

use super::{Lowering, Scope};
use crate::algebra::{Sort, TermId, VarId, VariableKind};
use crate::diagnostics::Symbol;
use crate::sema::program::{self as typed, Expr, LocalId};

impl Lowering<'_> {
    /// A sort; the bounds of its ranges may use parameters.
    pub fn sort(&mut self, sort: typed::Sort, scope: &Scope<'_>) -> Sort {
        match sort {
            typed::Sort::Bool => Sort::Bool,
            typed::Sort::Action | typed::Sort::Actions => Sort::Action,
            typed::Sort::Abstract(id) => Sort::Abstract(id),
            typed::Sort::Data(id) => Sort::Data(id),
            typed::Sort::Array(id) => {
                let (key, value) = self.program.arrays[id.index()];
                Sort::Array(Box::new((self.sort(key, scope), self.sort(value, scope))))
            }
            typed::Sort::Range(id) => {
                let range = &self.program.ranges[id.index()];
                let ((low, high), owed) =
                    self.owing(|l| (l.term(&range.low, scope), l.term(&range.high, scope)));
                self.require(owed, None);
                Sort::Range(low, high)
            }
            // The program has no errors, so nothing is left unknown.
            typed::Sort::Int
            | typed::Sort::Parameter(_)
            | typed::Sort::Unknown(_)
            | typed::Sort::Error => Sort::Int,
        }
    }

    /// Makes a variable for a local name.
    pub fn local_var(&mut self, id: LocalId, scope: &mut Scope<'_>, kind: VariableKind) -> VarId {
        let local = scope.locals[id.index()];
        let sort = self.sort(local.sort, scope);
        let var = self.terms.new_var(local.name, sort, kind);
        let term = self.terms.var_term(var);
        scope.set(id, term);
        var
    }

    /// A variable of a vector that stands for any value.
    pub(super) fn fresh(&mut self, name: Symbol, expr: &Expr, scope: &Scope<'_>) -> TermId {
        let sort = self.sort(expr.sort, scope);
        let var = self.terms.new_var(name, sort, VariableKind::Vector);
        self.terms.var_term(var)
    }

    /// A local name that nothing was put for; only names bound inside an expression end up here.
    pub(super) fn unbound(&mut self, id: LocalId, scope: &Scope<'_>) -> TermId {
        let local = scope.locals[id.index()];
        let sort = self.sort(local.sort, scope);
        let var = self.terms.new_var(local.name, sort, VariableKind::Bound);
        self.terms.var_term(var)
    }
}

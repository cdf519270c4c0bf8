//! Expressions and action terms, one form after the other.

use super::scope::Value;
use super::{Lowering, Scope};
use crate::algebra::{ActionId, DataId, FunId, Sort, Term, TermId, VariableKind, sort_of};
use crate::diagnostics::Symbol;
use crate::sema::program::{self as typed, ActionSet, Expr, ExprKind, LocalId, Pattern};
use crate::syntax::ast::Relation;

impl Lowering<'_> {
    /// An expression or action term.
    pub fn term(&mut self, expr: &Expr, scope: &Scope<'_>) -> TermId {
        match &expr.kind {
            ExprKind::Bool(value) => self.terms.bool(*value),
            ExprKind::Int(value) => self.terms.int(*value),
            ExprKind::BigInt(value) => self.terms.int((**value).clone()),
            ExprKind::Local(id) | ExprKind::Input(id) => self.local(*id, scope),
            ExprKind::Const(id) => self.constant(*id),
            ExprKind::Apply(id, args) => self.apply(*id, args, expr, scope),
            ExprKind::Construct(data, index, args) => self.construct((*data, *index), args, scope),
            ExprKind::Act(id, args) => self.act(*id, args, scope),
            ExprKind::Tau => self.terms.raw(Term::Tau),
            ExprKind::Chain(chain) => self.operators(&chain.0, &chain.1, scope),
            ExprKind::Compare(relation, both) => self.comparison(*relation, both, expr, scope),
            ExprKind::Match(all) => self.match_term(&all.0, &all.1, scope),
            ExprKind::Index(both) => self.index(both, scope),
            ExprKind::Update(all) => self.update(all, scope),
            ExprKind::With(data, both) => self.with(*data, both, expr.span, scope),
            ExprKind::ConstArray(inner) => self.const_array(inner, expr.sort, scope),
            ExprKind::Implies(both) => self.implication(both, scope),
            ExprKind::If(all) => self.choice(all, scope),
            ExprKind::Quantified(universal, ids, body) => {
                self.quantified(*universal, ids, body, scope)
            }
            ExprKind::Is(test, negated) => {
                let holds = self.is(test, scope);
                if *negated { self.terms.not(holds) } else { holds }
            }
            ExprKind::In(test, negated) => {
                let holds = self.is_in(test, scope);
                if *negated { self.terms.not(holds) } else { holds }
            }
            ExprKind::Wildcard => self.fresh(Symbol::new("_"), expr, scope),
            ExprKind::Leaf(variable) => self.leaf(variable, expr, scope),
            ExprKind::InState(test, negated) => {
                let holds = self.state_of_leaf(test, scope);
                if *negated { self.terms.not(holds) } else { holds }
            }
            ExprKind::Asserts => self.asserts(),
            ExprKind::AtMost(count) => self.at_most(count, expr, scope),
            ExprKind::Select(_, _, _, inner)
            | ExprKind::Sync(inner)
            | ExprKind::Co(inner)
            | ExprKind::Not(inner)
            | ExprKind::Negate(inner) => {
                let inner = self.term(inner, scope);
                self.around(&expr.kind, inner)
            }
            // Errors are not elaborated.
            ExprKind::Error => self.terms.bool(true),
        }
    }

    /// That no `assert` of the net has failed.
    fn asserts(&mut self) -> TermId {
        let Some(leaves) = self.leaves else { return self.terms.bool(true) };
        let mut all = Vec::new();
        for id in leaves.variables(0).all() {
            let variable = leaves.variable(0, id);
            let Term::Var(var) = *self.terms.get(variable) else { continue };
            if self.terms.var(var).kind == VariableKind::Failure {
                all.push(self.terms.not(variable));
            }
        }
        self.terms.and(all)
    }

    /// What has one operand, which is a term already.
    fn around(&mut self, kind: &ExprKind, inner: TermId) -> TermId {
        match kind {
            ExprKind::Select(data, index, field, _) => {
                self.selected((*data, *index, *field), inner)
            }
            ExprKind::Sync(_) => self.terms.raw(Term::Sync(inner)),
            ExprKind::Co(_) => self.terms.raw(Term::Co(inner)),
            ExprKind::Not(_) => self.terms.not(inner),
            ExprKind::Negate(_) => self.terms.negate(inner),
            _ => inner,
        }
    }

    /// A field, of whichever constructor has one of this name.
    pub(super) fn selected(
        &mut self,
        (data, index, field): (DataId, u32, u32),
        of: TermId,
    ) -> TermId {
        let declared = &self.program.datas[data.index()];
        let name = declared.constructors[index as usize].fields[field as usize].0.name;
        let others = declared.with_field(name).filter(|(other, _)| *other != index);
        let others: Vec<(u32, u32)> = others.collect();
        let mut chosen = self.terms.select(data, index, field, of);
        for (index, field) in others.into_iter().rev() {
            let is_so = self.terms.is_constructor(data, index, of);
            let own = self.terms.select(data, index, field, of);
            chosen = self.terms.if_then_else(is_so, own, chosen);
        }
        chosen
    }

    fn local(&mut self, id: LocalId, scope: &Scope<'_>) -> TermId {
        match scope.values.get(&id) {
            Some(Value::Term(term)) => *term,
            _ => self.unbound(id, scope),
        }
    }

    // ---- with arguments ----

    fn all_terms(&mut self, exprs: &[Expr], scope: &Scope<'_>) -> Box<[TermId]> {
        exprs.iter().map(|expr| self.term(expr, scope)).collect()
    }

    fn apply(&mut self, id: FunId, args: &[Expr], expr: &Expr, scope: &Scope<'_>) -> TermId {
        let terms = self.all_terms(args, scope);
        let params = self.algebra.functions[id.index()].params.iter();
        let sorts: Vec<Sort> = params.map(|&param| self.terms.var(param).sort.clone()).collect();
        let terms = self.fitted(&terms, &sorts, args);
        self.owe_call(id, &terms, expr.span);
        self.terms.raw(Term::Apply(id, terms))
    }

    fn construct(
        &mut self,
        (data, index): (DataId, u32),
        args: &[Expr],
        scope: &Scope<'_>,
    ) -> TermId {
        let terms = self.all_terms(args, scope);
        let constructor = &self.algebra.datatypes[data.index()].constructors[index as usize];
        let sorts: Vec<Sort> = constructor.fields.iter().map(|(_, sort)| sort.clone()).collect();
        let terms = self.fitted(&terms, &sorts, args);
        self.terms.raw(Term::Construct(data, index, terms))
    }

    fn act(&mut self, id: ActionId, args: &[Expr], scope: &Scope<'_>) -> TermId {
        let terms = self.all_terms(args, scope);
        let terms = self.fitted(&terms, &self.algebra.action(id).sorts, args);
        self.terms.raw(Term::Act(id, terms))
    }

    // ---- arrays ----

    fn index(&mut self, both: &(Expr, Expr), scope: &Scope<'_>) -> TermId {
        let (array, index) = (self.term(&both.0, scope), self.term(&both.1, scope));
        self.owe_index(array, index, both.1.span);
        self.terms.index(array, index)
    }

    fn update(&mut self, all: &(Expr, Expr, Expr), scope: &Scope<'_>) -> TermId {
        let (array, index) = (self.term(&all.0, scope), self.term(&all.1, scope));
        let mut value = self.term(&all.2, scope);
        self.owe_index(array, index, all.1.span);
        if let Sort::Array(both) = sort_of(self.algebra, self.terms, array) {
            value = self.fit(value, &both.1, all.2.span);
        }
        self.terms.raw(Term::Update(array, index, value))
    }

    fn const_array(&mut self, inner: &Expr, sort: typed::Sort, scope: &Scope<'_>) -> TermId {
        let sort = self.sort(sort, scope);
        let mut value = self.term(inner, scope);
        if let Sort::Array(both) = &sort {
            value = self.fit(value, &both.1, inner.span);
        }
        self.terms.raw(Term::ConstArray(sort, value))
    }

    // ---- conditions ----

    /// An expression that is looked at only where a condition holds.
    fn term_under(&mut self, expr: &Expr, condition: TermId, scope: &Scope<'_>) -> TermId {
        let since = self.owed_so_far();
        let term = self.term(expr, scope);
        self.owed_under(condition, since);
        term
    }

    fn comparison(
        &mut self,
        relation: Relation,
        both: &(Expr, Expr),
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> TermId {
        let (a, b) = (self.term(&both.0, scope), self.term(&both.1, scope));
        let (a, b) = match both.0.sort {
            typed::Sort::Array(_) => self.same_places(a, b, expr.span),
            _ => (a, b),
        };
        self.compare(relation, a, b)
    }

    fn implication(&mut self, both: &(Expr, Expr), scope: &Scope<'_>) -> TermId {
        let a = self.term(&both.0, scope);
        let b = self.term_under(&both.1, a, scope);
        self.terms.implies(a, b)
    }

    fn choice(&mut self, all: &(Expr, Expr, Expr), scope: &Scope<'_>) -> TermId {
        let condition = self.term(&all.0, scope);
        let otherwise = self.terms.not(condition);
        let yes = self.term_under(&all.1, condition, scope);
        let no = self.term_under(&all.2, otherwise, scope);
        self.terms.if_then_else(condition, yes, no)
    }

    fn quantified(
        &mut self,
        universal: bool,
        ids: &[LocalId],
        body: &Expr,
        scope: &Scope<'_>,
    ) -> TermId {
        if let Some(term) = self.unfolded((universal, ids), body, scope) {
            return term;
        }
        let mut inner = scope.clone();
        let vars = ids.iter().map(|&id| self.local_var(id, &mut inner, VariableKind::Bound));
        let vars: Box<[_]> = vars.collect();
        let since = self.owed_so_far();
        let body = self.term(body, &inner);
        self.owed_for_all(&vars, since);
        self.terms.quantified(universal, vars, body)
    }

    fn is(&mut self, test: &(Expr, Pattern), scope: &Scope<'_>) -> TermId {
        let subject = self.term(&test.0, scope);
        let shape = self.shape(&test.1, scope);
        self.matches(subject, &shape)
    }

    fn is_in(&mut self, test: &(Expr, ActionSet), scope: &Scope<'_>) -> TermId {
        let subject = self.term(&test.0, scope);
        let shapes = self.set(&test.1, scope);
        let holds: Vec<TermId> = shapes.iter().map(|shape| self.matches(subject, shape)).collect();
        self.terms.or(holds)
    }
}

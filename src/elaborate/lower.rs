//! Expressions, patterns and sorts of the typed program as terms and sorts of the core, with local names
//! replaced by what they stand for.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::build::Builder;
use crate::algebra::{ActionId, DataId, Sort, Term, TermId, VariableKind, sort_of};
use crate::diagnostics::{Span, Symbol};
use crate::pnet::OwedKind;
use crate::sema::program::{
    self as typed, ActionSet, Expr, ExprKind, Local, LocalId, Pattern, PatternKind,
};
use crate::syntax::ast::{Operator, Relation};

/// What a local name stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A term.
    Term(TermId),
    /// A set of actions.
    Set(Rc<Vec<Shape>>),
}

/// A pattern whose values are terms.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Any,
    Value(TermId),
    Construct(DataId, u32, Vec<Shape>),
    Act(ActionId, Vec<Shape>),
    Tau,
    Sync(Box<Shape>),
    Co(Box<Shape>),
}

/// The local names of one declaration, and what they stand for in one instance.
#[derive(Clone, Debug)]
pub(super) struct Scope<'p> {
    /// The declaration's local names.
    pub locals: &'p [Local],
    /// What they stand for.
    pub values: FxHashMap<LocalId, Value>,
}

impl<'p> Scope<'p> {
    pub fn new(locals: &'p [Local]) -> Scope<'p> {
        Scope { locals, values: FxHashMap::default() }
    }

    pub fn set(&mut self, local: LocalId, term: TermId) {
        self.values.insert(local, Value::Term(term));
    }
}

impl Builder<'_> {
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
                    self.owing(|b| (b.term(&range.low, scope), b.term(&range.high, scope)));
                self.require(owed, None);
                Sort::Range(low, high)
            }
            // The program has no errors, so nothing is left unknown.
            typed::Sort::Int | typed::Sort::Unknown(_) | typed::Sort::Error => Sort::Int,
        }
    }

    /// An expression or action term.
    pub fn term(&mut self, expr: &Expr, scope: &Scope<'_>) -> TermId {
        match &expr.kind {
            ExprKind::Bool(value) => self.terms.bool(*value),
            ExprKind::Int(value) => self.terms.int(*value),
            ExprKind::BigInt(value) => self.terms.int((**value).clone()),
            ExprKind::Local(id) | ExprKind::Input(id) => match scope.values.get(id) {
                Some(Value::Term(term)) => *term,
                _ => self.unbound(*id, scope),
            },
            ExprKind::Const(id) => self.constant(*id),
            ExprKind::Apply(id, args) => {
                let terms = self.all_terms(args, scope);
                let params = self.algebra.functions[id.index()].params.clone();
                let sorts: Vec<Sort> =
                    params.iter().map(|&param| self.terms.var(param).sort.clone()).collect();
                let terms = self.fitted(&terms, &sorts, args);
                self.owe_call(*id, &terms, expr.span);
                self.terms.raw(Term::Apply(*id, terms))
            }
            ExprKind::Construct(data, index, args) => {
                let terms = self.all_terms(args, scope);
                let constructor =
                    &self.algebra.datatypes[data.index()].constructors[*index as usize];
                let sorts: Vec<Sort> =
                    constructor.fields.iter().map(|(_, sort)| sort.clone()).collect();
                let terms = self.fitted(&terms, &sorts, args);
                self.terms.raw(Term::Construct(*data, *index, terms))
            }
            ExprKind::Select(data, index, field, inner) => {
                let inner = self.term(inner, scope);
                self.terms.select(*data, *index, *field, inner)
            }
            ExprKind::Act(id, args) => {
                let terms = self.all_terms(args, scope);
                let sorts = self.algebra.action(*id).sorts.clone();
                let terms = self.fitted(&terms, &sorts, args);
                self.terms.raw(Term::Act(*id, terms))
            }
            ExprKind::Tau => self.terms.raw(Term::Tau),
            ExprKind::Sync(inner) => {
                let inner = self.term(inner, scope);
                self.terms.raw(Term::Sync(inner))
            }
            ExprKind::Co(inner) => {
                let inner = self.term(inner, scope);
                self.terms.raw(Term::Co(inner))
            }
            ExprKind::Index(both) => {
                let (array, index) = (self.term(&both.0, scope), self.term(&both.1, scope));
                self.owe_index(array, index, both.1.span);
                self.terms.raw(Term::Index(array, index))
            }
            ExprKind::Update(all) => {
                let (array, index) = (self.term(&all.0, scope), self.term(&all.1, scope));
                let mut value = self.term(&all.2, scope);
                self.owe_index(array, index, all.1.span);
                if let Sort::Array(both) = sort_of(&self.algebra, &self.terms, array) {
                    value = self.fit(value, &both.1, all.2.span);
                }
                self.terms.raw(Term::Update(array, index, value))
            }
            ExprKind::ConstArray(inner) => {
                let sort = self.sort(expr.sort, scope);
                let (mut value, text) = (self.term(inner, scope), inner.span);
                if let Sort::Array(both) = &sort {
                    value = self.fit(value, &both.1, text);
                }
                self.terms.raw(Term::ConstArray(sort, value))
            }
            ExprKind::Not(inner) => {
                let inner = self.term(inner, scope);
                self.terms.not(inner)
            }
            ExprKind::Negate(inner) => {
                let inner = self.term(inner, scope);
                self.terms.negate(inner)
            }
            ExprKind::Chain(chain) => self.operators(&chain.0, &chain.1, scope),
            ExprKind::Compare(relation, both) => {
                let (a, b) = (self.term(&both.0, scope), self.term(&both.1, scope));
                let (a, b) = match both.0.sort {
                    typed::Sort::Array(_) => self.same_places(a, b, expr.span),
                    _ => (a, b),
                };
                self.compare(*relation, a, b)
            }
            ExprKind::Implies(both) => {
                let a = self.term(&both.0, scope);
                let b = self.term_under(&both.1, a, scope);
                self.terms.implies(a, b)
            }
            ExprKind::If(all) => {
                let condition = self.term(&all.0, scope);
                let otherwise = self.terms.not(condition);
                let yes = self.term_under(&all.1, condition, scope);
                let no = self.term_under(&all.2, otherwise, scope);
                self.terms.if_then_else(condition, yes, no)
            }
            ExprKind::Match(all) => self.match_term(&all.0, &all.1, scope),
            ExprKind::Quantified(universal, ids, body) => {
                let mut inner = scope.clone();
                let vars =
                    ids.iter().map(|&id| self.local_var(id, &mut inner, VariableKind::Bound));
                let vars: Box<[_]> = vars.collect();
                let since = self.owed_so_far();
                let body = self.term(body, &inner);
                self.owed_for_all(&vars, since);
                self.terms.quantified(*universal, vars, body)
            }
            ExprKind::Is(test, negated) => {
                let subject = self.term(&test.0, scope);
                let shape = self.shape(&test.1, scope);
                let holds = self.matches(subject, &shape);
                if *negated { self.terms.not(holds) } else { holds }
            }
            ExprKind::In(test, negated) => {
                let subject = self.term(&test.0, scope);
                let shapes = self.set(&test.1, scope);
                let holds: Vec<TermId> =
                    shapes.iter().map(|shape| self.matches(subject, shape)).collect();
                let holds = self.terms.or(holds);
                if *negated { self.terms.not(holds) } else { holds }
            }
            ExprKind::Wildcard => self.fresh(Symbol::new("_"), expr, scope),
            ExprKind::Leaf(variable) => {
                let known = self.leaves.and_then(|leaves| leaves.variable(variable));
                known.unwrap_or_else(|| self.fresh(Symbol::new("_"), expr, scope))
            }
            ExprKind::InState(test, negated) => {
                let known = self.leaves.and_then(|leaves| leaves.in_state(test)).unwrap_or(false);
                self.terms.bool(known != *negated)
            }
            // Errors are not elaborated.
            ExprKind::Error => self.terms.bool(true),
        }
    }

    fn all_terms(&mut self, exprs: &[Expr], scope: &Scope<'_>) -> Box<[TermId]> {
        exprs.iter().map(|expr| self.term(expr, scope)).collect()
    }

    /// An expression that is looked at only where a condition holds.
    fn term_under(&mut self, expr: &Expr, condition: TermId, scope: &Scope<'_>) -> TermId {
        let since = self.owed_so_far();
        let term = self.term(expr, scope);
        self.owed_under(condition, since);
        term
    }

    /// Values that go into sorts, each into its own.
    fn fitted(&mut self, values: &[TermId], sorts: &[Sort], texts: &[Expr]) -> Box<[TermId]> {
        let mut made = Vec::with_capacity(values.len());
        for ((&value, sort), text) in values.iter().zip(sorts).zip(texts) {
            // What comes in from outside is a value of the sort.
            made.push(match text.kind {
                ExprKind::Input(_) | ExprKind::Wildcard => value,
                _ => self.fit(value, sort, text.span),
            });
        }
        made.into()
    }

    /// That an array has a place. (The bounds in its written sort may be parameters of somebody else.)
    fn owe_index(&mut self, array: TermId, index: TermId, text: Span) {
        if let Sort::Array(both) = sort_of(&self.algebra, &self.terms, array) {
            self.owe_place(index, &both.0, text, OwedKind::Place);
        }
    }

    /// A variable of a vector that stands for any value.
    fn fresh(&mut self, name: Symbol, expr: &Expr, scope: &Scope<'_>) -> TermId {
        let sort = self.sort(expr.sort, scope);
        let var = self.terms.new_var(name, sort, VariableKind::Vector);
        self.terms.var_term(var)
    }

    /// A local name that nothing was put for; only names bound inside an expression end up here.
    fn unbound(&mut self, id: LocalId, scope: &Scope<'_>) -> TermId {
        let local = scope.locals[id.index()];
        let sort = self.sort(local.sort, scope);
        let var = self.terms.new_var(local.name, sort, VariableKind::Bound);
        self.terms.var_term(var)
    }

    /// Makes a variable for a local name.
    pub fn local_var(
        &mut self,
        id: LocalId,
        scope: &mut Scope<'_>,
        kind: VariableKind,
    ) -> crate::algebra::VarId {
        let local = scope.locals[id.index()];
        let sort = self.sort(local.sort, scope);
        let var = self.terms.new_var(local.name, sort, kind);
        let term = self.terms.var_term(var);
        scope.set(id, term);
        var
    }

    fn operators(&mut self, first: &Expr, rest: &[(Operator, Expr)], scope: &Scope<'_>) -> TermId {
        let first = self.term(first, scope);
        let operator = rest.first().map_or(Operator::Add, |(operator, _)| *operator);
        if matches!(operator, Operator::And | Operator::Or) {
            let mut operands = vec![first];
            for (_, operand) in rest {
                let since = self.owed_so_far();
                let term = self.term(operand, scope);
                if self.owed_so_far() > since {
                    let before = operands.iter().copied();
                    let reached = if operator == Operator::And {
                        self.terms.and(before)
                    } else {
                        let decided = self.terms.or(before);
                        self.terms.not(decided)
                    };
                    self.owed_under(reached, since);
                }
                operands.push(term);
            }
            return if operator == Operator::And {
                self.terms.and(operands)
            } else {
                self.terms.or(operands)
            };
        }
        let mut total = first;
        let mut at = 0;
        while at < rest.len() {
            let (operator, operand) = &rest[at];
            let text = operand.span;
            let operand = self.term(operand, scope);
            if matches!(operator, Operator::Div | Operator::Mod) {
                self.owe_divisor(operand, text);
            }
            total = match operator {
                Operator::Add | Operator::Subtract => {
                    // A run of sums is one sum: long ones stay flat.
                    let mut operands = vec![total, self.signed(*operator, operand)];
                    while let Some((next @ (Operator::Add | Operator::Subtract), operand)) =
                        rest.get(at + 1)
                    {
                        let operand = self.term(operand, scope);
                        operands.push(self.signed(*next, operand));
                        at += 1;
                    }
                    self.terms.add(operands)
                }
                Operator::Multiply => self.terms.multiply([total, operand]),
                Operator::Div => self.terms.div(total, operand),
                _ => self.terms.modulo(total, operand),
            };
            at += 1;
        }
        total
    }

    fn signed(&mut self, operator: Operator, operand: TermId) -> TermId {
        if operator == Operator::Subtract { self.terms.negate(operand) } else { operand }
    }

    fn compare(&mut self, relation: Relation, a: TermId, b: TermId) -> TermId {
        match relation {
            Relation::Equal => self.terms.equal(a, b),
            Relation::NotEqual => {
                let equal = self.terms.equal(a, b);
                self.terms.not(equal)
            }
            Relation::Less => self.terms.less(a, b),
            Relation::LessEqual => self.terms.less_equal(a, b),
            Relation::Greater => self.terms.less(b, a),
            Relation::GreaterEqual => self.terms.less_equal(b, a),
        }
    }

    /// A `match`, as a chain of conditions; the last arm needs none.
    fn match_term(
        &mut self,
        subject: &Expr,
        arms: &[(Pattern, Expr)],
        scope: &Scope<'_>,
    ) -> TermId {
        let subject = self.term(subject, scope);
        let mut made = Vec::with_capacity(arms.len());
        let mut earlier: Vec<TermId> = Vec::with_capacity(arms.len());
        for (at, (pattern, value)) in arms.iter().enumerate() {
            let mut inner = scope.clone();
            self.bind(pattern, subject, &mut inner);
            let shape = self.shape(pattern, &inner);
            let fits = self.matches(subject, &shape);
            let since = self.owed_so_far();
            let value = self.term(value, &inner);
            if self.owed_so_far() > since {
                let others = self.terms.or(earlier.iter().copied());
                let mut reached = vec![self.terms.not(others)];
                if at + 1 < arms.len() {
                    reached.push(fits);
                }
                let reached = self.terms.and(reached);
                self.owed_under(reached, since);
            }
            earlier.push(fits);
            made.push((fits, value));
        }
        let last = made.pop().map(|(_, value)| value);
        let first = last.unwrap_or_else(|| self.terms.bool(true));
        made.into_iter()
            .rev()
            .fold(first, |rest, (fits, value)| self.terms.if_then_else(fits, value, rest))
    }

    /// Lets the names of a pattern stand for the parts of what it matches.
    fn bind(&mut self, pattern: &Pattern, value: TermId, scope: &mut Scope<'_>) {
        match &pattern.kind {
            PatternKind::Bind(id) => scope.set(*id, value),
            PatternKind::Construct(data, index, inner) => {
                for (field, pattern) in inner.iter().enumerate() {
                    let part = self.terms.select(*data, *index, field as u32, value);
                    self.bind(pattern, part, scope);
                }
            }
            _ => {}
        }
    }

    // ---- patterns and sets ----

    /// A pattern with its values as terms.
    pub fn shape(&mut self, pattern: &Pattern, scope: &Scope<'_>) -> Shape {
        let mut all = |inner: &[Pattern]| -> Vec<Shape> {
            inner.iter().map(|pattern| self.shape(pattern, scope)).collect()
        };
        match &pattern.kind {
            PatternKind::Error | PatternKind::Wildcard | PatternKind::Bind(_) => Shape::Any,
            PatternKind::Construct(data, index, inner) => {
                Shape::Construct(*data, *index, all(inner))
            }
            PatternKind::Act(id, inner) => Shape::Act(*id, all(inner)),
            PatternKind::Bool(value) => Shape::Value(self.terms.bool(*value)),
            PatternKind::Int(value) => Shape::Value(self.terms.int(value.clone())),
            PatternKind::Value(value) => Shape::Value(self.term(value, scope)),
            PatternKind::Tau => Shape::Tau,
            PatternKind::Sync(inner) => Shape::Sync(Box::new(self.shape(inner, scope))),
            PatternKind::Co(inner) => Shape::Co(Box::new(self.shape(inner, scope))),
        }
    }

    /// A set of actions as patterns.
    pub fn set(&mut self, set: &ActionSet, scope: &Scope<'_>) -> Rc<Vec<Shape>> {
        match set {
            ActionSet::Error => Rc::default(),
            ActionSet::Patterns(patterns) => {
                Rc::new(patterns.iter().map(|pattern| self.shape(pattern, scope)).collect())
            }
            ActionSet::Interface(id) => {
                let program = self.program;
                let actions = program.interfaces[id.index()].actions.iter();
                let any = |id: &ActionId| {
                    Shape::Act(*id, vec![Shape::Any; program.actions[id.index()].sorts.len()])
                };
                Rc::new(actions.map(any).collect())
            }
            ActionSet::Parameter(id) => match scope.values.get(id) {
                Some(Value::Set(set)) => Rc::clone(set),
                _ => Rc::default(),
            },
        }
    }

    /// Whether a value fits a pattern.
    pub fn matches(&mut self, value: TermId, shape: &Shape) -> TermId {
        match shape {
            Shape::Any => self.terms.bool(true),
            Shape::Value(term) => self.terms.equal(value, *term),
            Shape::Tau => {
                let tau = self.terms.raw(Term::Tau);
                self.terms.equal(value, tau)
            }
            Shape::Construct(data, index, inner) => {
                let mut all = vec![self.terms.is_constructor(*data, *index, value)];
                for (field, shape) in inner.iter().enumerate() {
                    if !matches!(shape, Shape::Any) {
                        let part = self.terms.select(*data, *index, field as u32, value);
                        all.push(self.matches(part, shape));
                    }
                }
                self.terms.and(all)
            }
            Shape::Act(id, inner) => {
                let mut all = vec![self.terms.is_act(*id, value)];
                for (place, shape) in inner.iter().enumerate() {
                    if !matches!(shape, Shape::Any) {
                        let part = self.terms.argument(*id, place as u32, value);
                        all.push(self.matches(part, shape));
                    }
                }
                self.terms.and(all)
            }
            Shape::Sync(shape) => {
                let is_sync = self.terms.is_sync(value);
                self.inside(is_sync, value, shape)
            }
            Shape::Co(shape) => {
                let is_co = self.terms.is_co(value);
                self.inside(is_co, value, shape)
            }
        }
    }

    fn inside(&mut self, wrapped: TermId, value: TermId, shape: &Shape) -> TermId {
        if matches!(shape, Shape::Any) {
            return wrapped;
        }
        let inner = self.terms.inner(value);
        let fits = self.matches(inner, shape);
        self.terms.and([wrapped, fits])
    }
}

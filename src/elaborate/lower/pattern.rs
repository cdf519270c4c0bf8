//! Patterns and sets of actions: whether a value fits, and what their names stand for.

use std::rc::Rc;

use super::scope::Value;
use super::{Lowering, Scope};
use crate::algebra::{ActionId, DataId, Term, TermId};
use crate::sema::program::{ActionSet, Expr, Pattern, PatternKind};

/// A pattern whose values are terms.
#[derive(Clone, Debug)]
pub(in crate::elaborate) enum Shape {
    Any,
    Value(TermId),
    Construct(DataId, u32, Vec<Shape>),
    Act(ActionId, Vec<Shape>),
    Tau,
    Sync(Box<Shape>),
    Co(Box<Shape>),
}

impl Lowering<'_> {
    /// A `match`, as a chain of conditions; the last arm needs none.
    pub(super) fn match_term(
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

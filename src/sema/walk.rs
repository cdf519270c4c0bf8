//! Walks through typed expressions.

use super::program::{
    ActionSet, ConnectorPart, ConnectorPartKind, Expr, ExprKind, LeafPath, LocalId, MemberDef,
    Pattern, PatternKind,
};
use crate::diagnostics::Span;

impl Expr {
    /// Calls `visit` with the expressions directly inside this one.
    pub fn each_inside<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Apply(_, args) | ExprKind::Construct(_, _, args) | ExprKind::Act(_, args) => {
                args.iter().for_each(visit);
            }
            ExprKind::Select(_, _, _, inner)
            | ExprKind::Sync(inner)
            | ExprKind::Co(inner)
            | ExprKind::ConstArray(inner)
            | ExprKind::Not(inner)
            | ExprKind::Negate(inner)
            | ExprKind::Quantified(_, _, inner) => visit(inner),
            ExprKind::Index(both) | ExprKind::Compare(_, both) | ExprKind::Implies(both) => {
                visit(&both.0);
                visit(&both.1);
            }
            ExprKind::Update(all) | ExprKind::If(all) => {
                visit(&all.0);
                visit(&all.1);
                visit(&all.2);
            }
            ExprKind::Chain(chain) => {
                visit(&chain.0);
                chain.1.iter().for_each(|(_, operand)| visit(operand));
            }
            ExprKind::With(_, both) => {
                visit(&both.0);
                both.1.iter().for_each(|(_, value)| visit(value));
            }
            ExprKind::Match(all) => {
                visit(&all.0);
                for (pattern, value) in &all.1 {
                    pattern.each_value(visit);
                    visit(value);
                }
            }
            ExprKind::Is(test, _) => {
                visit(&test.0);
                test.1.each_value(visit);
            }
            ExprKind::In(test, _) => {
                visit(&test.0);
                if let ActionSet::Patterns(patterns) = &test.1 {
                    patterns.iter().for_each(|pattern| pattern.each_value(visit));
                }
            }
            ExprKind::Leaf(variable) => indices(&variable.path).for_each(visit),
            ExprKind::InState(test, _) => indices(&test.path).for_each(visit),
            ExprKind::AtMost(count) => {
                visit(&count.most);
                for one in &count.members {
                    indices(&one.test.path).for_each(&mut *visit);
                }
            }
            ExprKind::Error
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Tau
            | ExprKind::Asserts
            | ExprKind::Wildcard
            | ExprKind::Input(_) => {}
        }
    }

    /// Calls `visit` with this expression and everything inside it, in the order of the text.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.each_inside(&mut |inner| inner.each(visit));
    }

    /// Calls `visit` with every local name that is used, as often as it is used.
    pub fn each_local(&self, visit: &mut dyn FnMut(LocalId)) {
        self.each(&mut |expr| {
            if let ExprKind::Local(id) = expr.kind {
                visit(id);
            }
        });
    }

    /// Where a local name is used, the first time.
    pub fn place_of(&self, local: LocalId) -> Option<Span> {
        let mut found = None;
        self.each(&mut |expr| {
            if matches!(expr.kind, ExprKind::Local(id) if id == local) {
                found = found.or(Some(expr.span));
            }
        });
        found
    }
}

impl Pattern {
    /// Calls `visit` with the expressions inside a pattern.
    fn each_value<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            PatternKind::Value(value) => visit(value),
            PatternKind::Construct(_, _, inner) | PatternKind::Act(_, inner) => {
                inner.iter().for_each(|one| one.each_value(visit));
            }
            PatternKind::Sync(inner) | PatternKind::Co(inner) => inner.each_value(visit),
            PatternKind::Error
            | PatternKind::Wildcard
            | PatternKind::Bind(_)
            | PatternKind::Bool(_)
            | PatternKind::Int(_)
            | PatternKind::Tau => {}
        }
    }
}

/// The indices on the way to a leaf.
fn indices(path: &LeafPath) -> impl Iterator<Item = &Expr> {
    path.iter().filter_map(|(_, index)| index.as_ref())
}

fn indices_mut(path: &mut LeafPath) -> impl Iterator<Item = &mut Expr> {
    path.iter_mut().filter_map(|(_, index)| index.as_mut())
}

impl ActionSet {
    /// Calls `visit` with the values of a set's patterns, which it may change.
    pub(super) fn each_value_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        if let ActionSet::Patterns(patterns) = self {
            patterns.iter_mut().for_each(|pattern| each_value(pattern, visit));
        }
    }
}

/// Calls `visit` with the expressions directly inside one, which it may change.
pub(super) fn each_child(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Apply(_, args) | ExprKind::Construct(_, _, args) | ExprKind::Act(_, args) => {
            args.iter_mut().for_each(visit);
        }
        ExprKind::Select(_, _, _, inner)
        | ExprKind::Sync(inner)
        | ExprKind::Co(inner)
        | ExprKind::ConstArray(inner)
        | ExprKind::Not(inner)
        | ExprKind::Negate(inner)
        | ExprKind::Quantified(_, _, inner) => visit(inner),
        ExprKind::Index(both) | ExprKind::Compare(_, both) | ExprKind::Implies(both) => {
            visit(&mut both.0);
            visit(&mut both.1);
        }
        ExprKind::Update(all) | ExprKind::If(all) => {
            visit(&mut all.0);
            visit(&mut all.1);
            visit(&mut all.2);
        }
        ExprKind::Chain(chain) => {
            visit(&mut chain.0);
            chain.1.iter_mut().for_each(|(_, operand)| visit(operand));
        }
        ExprKind::With(_, both) => {
            visit(&mut both.0);
            both.1.iter_mut().for_each(|(_, value)| visit(value));
        }
        ExprKind::Match(all) => {
            visit(&mut all.0);
            for (pattern, value) in &mut all.1 {
                each_value(pattern, visit);
                visit(value);
            }
        }
        ExprKind::Is(test, _) => {
            visit(&mut test.0);
            each_value(&mut test.1, visit);
        }
        ExprKind::In(test, _) => {
            visit(&mut test.0);
            test.1.each_value_mut(visit);
        }
        ExprKind::Leaf(variable) => indices_mut(&mut variable.path).for_each(visit),
        ExprKind::InState(test, _) => indices_mut(&mut test.path).for_each(visit),
        ExprKind::AtMost(count) => {
            visit(&mut count.most);
            for one in &mut count.members {
                indices_mut(&mut one.test.path).for_each(&mut *visit);
            }
        }
        ExprKind::Error
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::BigInt(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::Tau
        | ExprKind::Asserts
        | ExprKind::Wildcard
        | ExprKind::Input(_) => {}
    }
}

/// Calls `visit` with the expressions inside a pattern.
fn each_value(pattern: &mut Pattern, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut pattern.kind {
        PatternKind::Value(value) => visit(value),
        PatternKind::Construct(_, _, inner) | PatternKind::Act(_, inner) => {
            inner.iter_mut().for_each(|one| each_value(one, visit));
        }
        PatternKind::Sync(inner) | PatternKind::Co(inner) => each_value(inner, visit),
        PatternKind::Error
        | PatternKind::Wildcard
        | PatternKind::Bind(_)
        | PatternKind::Bool(_)
        | PatternKind::Int(_)
        | PatternKind::Tau => {}
    }
}

impl ConnectorPart {
    /// Calls `visit` with each port, as it is written.
    pub fn each_port<'e>(&'e self, visit: &mut dyn FnMut(&'e MemberDef)) {
        match &self.kind {
            ConnectorPartKind::Port(member) => visit(member),
            ConnectorPartKind::Shown(..) => {}
            ConnectorPartKind::Group(parts) | ConnectorPartKind::Each(parts, ..) => {
                parts.iter().for_each(|part| part.each_port(visit));
            }
        }
    }

    /// Calls `visit` with the condition of each pair of brackets that has one.
    pub fn each_condition<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        let (parts, condition) = match &self.kind {
            ConnectorPartKind::Port(_) | ConnectorPartKind::Shown(..) => return,
            ConnectorPartKind::Group(parts) => (parts, None),
            ConnectorPartKind::Each(parts, _, condition) => (parts, condition.as_ref()),
        };
        condition.into_iter().for_each(&mut *visit);
        parts.iter().for_each(|part| part.each_condition(visit));
    }
}

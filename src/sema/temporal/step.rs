//! Patterns of steps.

use super::def::{FairDef, SaidStep};
use super::heads::Atom;
use super::{FormulaMistake, Reading};
use crate::diagnostics::Span;
use crate::sema::leaf_names::written;
use crate::sema::problems::UnknownHole;
use crate::sema::program::{ActionSet, Expr, LocalKind, Pattern, Sort};
use crate::sema::scenario::names_of;
use crate::syntax::ast::{self, ExprKind, Ident, Operator, Temporal};

impl<'a> Reading<'_, '_, 'a> {
    /// Which steps a text means. What it binds can be seen from here on; what stands under `not` and `or` binds nothing for
    /// others.
    pub(super) fn step(&mut self, expr: &'a ast::Expr) -> SaidStep {
        let span = expr.span;
        if self.is_too_large(span) {
            return SaidStep::Error;
        }
        match &expr.kind {
            ExprKind::Wildcard => SaidStep::Any,
            ExprKind::Bool(true) => SaidStep::Any,
            ExprKind::Bool(false) => SaidStep::Or(Vec::new()),
            ExprKind::Not(inner) => {
                let mark = self.body.enter();
                let inner = self.step(inner);
                self.body.leave(mark);
                SaidStep::Not(Box::new(inner))
            }
            ExprKind::Chain(chain) if is_logic(chain) => self.step_chain(chain),
            ExprKind::Temporal(temporal) => match &**temporal {
                Temporal::AnyStep | Temporal::HoleDoes(..) => self.step_of_hole(temporal, span),
                _ => {
                    self.mistake(span, FormulaMistake::NotAStep);
                    SaidStep::Error
                }
            },
            ExprKind::Name(_) | ExprKind::Path(_) | ExprKind::Call(_) => self.named_step(expr),
            ExprKind::Tau | ExprKind::Sync(_) | ExprKind::Co(_) => self.shows(expr),
            _ if self.is_formula(expr) => {
                self.mistake(span, FormulaMistake::NotAStep);
                SaidStep::Error
            }
            _ => SaidStep::When(self.condition(expr)),
        }
    }

    /// Alternatives, or demands in their order: patterns first, then what is asked of what they bind.
    fn step_chain(&mut self, chain: &'a ast::Chain) -> SaidStep {
        let operands = || std::iter::once(&chain.first).chain(chain.rest.iter().map(|one| &one.2));
        if chain.rest.iter().any(|(operator, ..)| *operator == Operator::Or) {
            let parts = operands().map(|operand| {
                let mark = self.body.enter();
                let step = self.step(operand);
                self.body.leave(mark);
                step
            });
            return SaidStep::Or(parts.collect());
        }
        let (steps, others): (Vec<_>, Vec<_>) =
            operands().partition(|operand| self.is_step(operand));
        let ordered = steps.into_iter().chain(others);
        SaidStep::And(ordered.map(|operand| self.step(operand)).collect())
    }

    /// The same with names that nobody outside sees.
    pub(super) fn scoped_step(&mut self, chain: &'a ast::Chain, _span: Span) -> SaidStep {
        let mark = self.body.enter();
        let step = self.step_chain(chain);
        self.body.leave(mark);
        step
    }

    fn named_step(&mut self, expr: &'a ast::Expr) -> SaidStep {
        let (path, args): (ast::Path, &'a [ast::Expr]) = match &expr.kind {
            ExprKind::Call(call) => (call.callee.clone(), &call.args),
            ExprKind::Path(path) => ((**path).clone(), &[]),
            ExprKind::Name(name) => {
                (ast::Path { parts: vec![Ident { name: *name, span: expr.span }] }, &[])
            }
            _ => return SaidStep::Error,
        };
        match self.named(&path) {
            Atom::Parameter(text, frame) => self.in_frame(frame, |r| r.step(text)),
            Atom::Property(id) => match self.entered(id, args, expr.span) {
                Some((frame, text)) => self.in_frame(frame, |r| r.step(text)),
                None => SaidStep::Error,
            },
            Atom::Fix(_) => {
                self.mistake(expr.span, FormulaMistake::NotAStep);
                SaidStep::Error
            }
            Atom::Step => match path.as_name() {
                Some(ident) if self.is_joint(ident) && args.is_empty() => SaidStep::Named(ident),
                _ => self.shows(expr),
            },
            // A truth value of something that was bound, or a mistake: an action that nobody knows.
            Atom::Data => {
                let local = path.parts.first().and_then(|first| self.body.local(first.name));
                let is_value = path.parts.first().is_some_and(|first| self.body.is_value(*first));
                match local.is_some() || is_value {
                    true => SaidStep::When(self.condition(expr)),
                    false => self.shows(expr),
                }
            }
        }
    }

    /// Whether a name is that of a vector or connector, and of no action.
    fn is_joint(&mut self, ident: Ident) -> bool {
        let space = crate::sema::scope::Space::Values;
        self.about.joints.iter().any(|joint| joint.name == ident.name)
            && self.body.lookup(space, ident.name).is_none()
    }

    fn shows(&mut self, expr: &'a ast::Expr) -> SaidStep {
        let pattern = self.pattern(expr);
        self.patterns.push(pattern.clone());
        SaidStep::Shows(pattern)
    }

    /// A pattern of an action, which binds the names that mean nothing else.
    fn pattern(&mut self, expr: &ast::Expr) -> Pattern {
        let first = self.body.locals.len();
        // An action is no part of the net: its name is looked up as everywhere.
        let property = self.body.property.take();
        self.body.binds = true;
        let pattern = self.body.test_pattern(expr, Sort::Action);
        self.body.binds = false;
        self.body.property = property;
        self.body.settle(first);
        let mut set = ActionSet::Patterns(vec![pattern]);
        set.each_value_mut(&mut |value| self.body.finish(value));
        match set {
            ActionSet::Patterns(mut all) if all.len() == 1 => {
                let (pattern, mut bound) = (all.swap_remove(0), Vec::new());
                names_of(&pattern, &mut bound);
                self.bound.extend(bound.into_iter().map(|id| (id, self.in_fair)));
                pattern
            }
            _ => Pattern { kind: crate::sema::program::PatternKind::Error, span: expr.span },
        }
    }

    /// What is asked of what was bound: configurations are no part of a step.
    fn condition(&mut self, expr: &ast::Expr) -> Expr {
        if let Some(place) = self.configuration_in(expr) {
            self.mistake(place, FormulaMistake::ConfigurationOfStep);
            return self.body.error(expr.span);
        }
        let property = self.body.property.take();
        let first = self.body.locals.len();
        let mut checked = self.body.expr_of(expr, Sort::Bool, None);
        self.body.settle(first);
        self.body.finish(&mut checked);
        self.body.property = property;
        checked
    }

    /// `any`, and `P: send(_)`.
    pub(super) fn step_of_hole(&mut self, temporal: &'a Temporal, span: Span) -> SaidStep {
        let Temporal::HoleDoes(hole, action) = temporal else { return SaidStep::Any };
        let Some(way) = written(hole) else {
            self.mistake(span, FormulaMistake::NotAHole);
            return SaidStep::Error;
        };
        let mut path = Vec::with_capacity(way.len());
        for (ident, index) in way {
            let index = index.and_then(|index| index.text()).map(|index| {
                let first = self.body.locals.len();
                let mut index = self.body.expr_of(index, Sort::Int, None);
                self.body.settle(first);
                self.body.finish(&mut index);
                index
            });
            path.push((ident, index));
        }
        let names: Vec<&str> = path.iter().map(|(ident, _)| ident.name.as_str()).collect();
        let name = names.join(".");
        if !self.about.holes.contains(&name) && !self.body.failed {
            let known: Vec<String> = self.about.holes.to_vec();
            let symbol = crate::diagnostics::Symbol::new(&name);
            let similar = self.body.sema.similar(symbol, known.iter().map(String::as_str));
            let (span, net) = (hole.span, self.about.name.clone());
            self.body.report(UnknownHole { span, name, net, similar, known });
            return SaidStep::Error;
        }
        if let Some(net) = self.about.net {
            let way: Vec<Ident> = path.iter().map(|(ident, _)| *ident).collect();
            self.body.sema.names_hole_of(net, &way);
        }
        let does = self.pattern(action);
        SaidStep::Hole { path, does }
    }

    /// Steps that get their turn, for each value of their indices.
    pub(super) fn fair(&mut self, weak: bool, one: &'a ast::FairStep) -> FairDef {
        let mark = self.body.enter();
        let mut repeat = Vec::with_capacity(one.repeat.len());
        for family in &one.repeat {
            let sort = Sort::Range(self.body.repeated_range(&family.range));
            repeat.push(self.body.bind(family.index, sort, LocalKind::Index));
        }
        let step = self.step(&one.step);
        self.body.leave(mark);
        FairDef { weak, step, repeat, span: one.step.span }
    }

    /// Warns of actions that the net never shows.
    pub(super) fn never_shown(&mut self) {
        let Some(offer) = self.about.offer.take() else { return };
        let patterns = std::mem::take(&mut self.patterns);
        let name = self.about.name.clone();
        self.body.never_shown(&patterns, &offer, &name);
    }
}

fn is_logic(chain: &ast::Chain) -> bool {
    chain.rest.iter().all(|(operator, ..)| matches!(operator, Operator::And | Operator::Or))
}

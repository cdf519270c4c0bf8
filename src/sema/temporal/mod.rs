//! Temporal formulas: what is a step, what is said of a configuration, and what of runs, by what the names mean.
//!
//! Properties are written out where they are used, each name with the meaning that it has where it was written.

mod def;
mod heads;
mod parts;
mod step;

use rustc_hash::FxHashMap;

pub use def::{FairDef, FormulaDef, PropertyDef, Said, SaidKind, SaidStep};

pub(super) use parts::{inside, net_of_part, parts};

use self::heads::Atom;
use super::Sema;
use super::body::Body;
use super::leaves::{Leaves, Property};
use super::occurrence::NameKind;
use super::offers::Offer;
use super::problems::{
    ArgumentCount, FormulaForm, FormulaMistake, NotMonotone, RecursiveProperty, SemaProblem,
    StepBeforeRuns, StepName, UnusedProperty,
};
use super::program::{
    Component, Expr, Instance, Local, LocalId, LocalKind, ModuleId, NetBody, NetId, Pattern,
    PropertyId, Sort,
};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, BoundBy, ExprKind, Ident, Operator, Temporal};

/// Properties that are written out may become this large.
const MOST_PARTS: usize = 20_000;

/// What a formula is about.
pub(super) struct About<'q> {
    pub leaves: Vec<Leaves>,
    pub name: String,
    /// The paths of the holes.
    pub holes: &'q [String],
    /// The net.
    pub net: Option<NetId>,
    /// The names of vectors and connectors.
    pub joints: Vec<Ident>,
    pub offer: Option<Offer>,
}

/// The formula of a check.
pub(super) fn formula<'a>(
    body: &mut Body<'_, 'a>,
    check: &'a ast::CheckDecl,
    about: About<'_>,
) -> Option<FormulaDef> {
    let written = check.property.as_ref()?;
    let nets = about.leaves.clone();
    body.property = Some(Property { nets: nets.into(), name: about.name.clone(), of_parts: false });
    let mut reading = Reading::new(body, about);
    let says = reading.said(written, false);
    let mut fair = Vec::new();
    reading.in_fair = true;
    for clause in &check.fair {
        for one in &clause.steps {
            fair.push(reading.fair(clause.weak, one));
        }
    }
    reading.never_shown();
    reading.known_to_nobody();
    body.property = None;
    let locals = body.locals.clone();
    Some(FormulaDef { says, fair, locals })
}

/// Reports properties that no check uses: nobody has looked at what they say.
pub(super) fn unused(sema: &mut Sema<'_>) {
    let unused = sema.program.properties.iter().filter(|one| !one.used);
    let found: Vec<(Span, String, ModuleId)> =
        unused.map(|one| (one.named.span, one.named.name.to_string(), one.named.module)).collect();
    for (span, name, module) in found {
        let is_root = sema.program.modules.get(module.index()).is_some_and(|one| one.is_root);
        // A file without checks is for others to import.
        let asks = sema.program.checks.iter().any(|check| check.module == module);
        if is_root && asks {
            sema.report(UnusedProperty { span, name });
        }
    }
}

/// The names of a property that is written out.
struct Frame<'a> {
    property: PropertyId,
    module: ModuleId,
    /// The frame in which it is used.
    caller: usize,
    /// What its parameters stand for, with where each is declared: a text, and the frame in which it is read.
    params: FxHashMap<Symbol, (Span, &'a ast::Expr, usize)>,
}

/// A fixpoint around what is read.
#[derive(Clone, Copy)]
struct Around {
    name: Symbol,
    /// Where it is declared.
    declared: Span,
    number: usize,
    /// Whether an odd number of negations stands between.
    negated: bool,
    /// The frame in which it can be named.
    frame: usize,
}

struct Reading<'b, 's, 'a> {
    body: &'b mut Body<'s, 'a>,
    /// The module of the check.
    home: ModuleId,
    about: About<'b>,
    frames: Vec<Frame<'a>>,
    /// The frame in which names are looked up; the first is that of the check.
    frame: usize,
    fixes: Vec<Around>,
    /// The parameters of all fixpoints, by their numbers.
    fix_params: Vec<Vec<LocalId>>,
    patterns: Vec<Pattern>,
    /// The names that steps bind, and whether in what is fair.
    bound: Vec<(LocalId, bool)>,
    in_fair: bool,
    /// How many parts were written out, of formulas and of steps.
    parts: usize,
    /// For texts that parameters stand for, by their places and frames, whether they are about the next step alone.
    of_steps: FxHashMap<(Span, usize), bool>,
}

impl<'b, 's, 'a> Reading<'b, 's, 'a> {
    fn new(body: &'b mut Body<'s, 'a>, about: About<'b>) -> Reading<'b, 's, 'a> {
        Reading {
            home: body.module,
            body,
            about,
            frames: Vec::new(),
            frame: 0,
            fixes: Vec::new(),
            fix_params: Vec::new(),
            patterns: Vec::new(),
            bound: Vec::new(),
            in_fair: false,
            parts: 0,
            of_steps: FxHashMap::default(),
        }
    }

    fn mistake(&mut self, span: Span, mistake: FormulaMistake) -> Said {
        self.body.report(FormulaForm { span, mistake });
        Said { kind: SaidKind::Error, span }
    }

    /// Counts one part more; whether there are too many of them, which is said once.
    fn is_too_large(&mut self, span: Span) -> bool {
        self.parts += 1;
        if self.parts == MOST_PARTS + 1 {
            self.mistake(span, FormulaMistake::TooLarge);
        }
        self.parts > MOST_PARTS
    }

    /// What a text says; `negated` where an odd number of negations stands around it.
    fn said(&mut self, expr: &'a ast::Expr, negated: bool) -> Said {
        let span = expr.span;
        if self.is_too_large(span) {
            return Said { kind: SaidKind::Error, span };
        }
        // What is data alone is read as one expression: messages about it are those of every property.
        if !self.is_formula(expr) {
            if let Some((name, place)) = self.parameter_in(expr) {
                return self.mistake(place, FormulaMistake::ParameterAsValue(name.to_string()));
            }
            if let Some(unknown) = self.unknown_action(expr) {
                return unknown;
            }
            let holds = self.data(expr);
            return Said { kind: SaidKind::Holds(holds), span };
        }
        let kind = match &expr.kind {
            ExprKind::Not(inner) => {
                SaidKind::Not(Box::new(self.under(true, |r| r.said(inner, !negated))))
            }
            ExprKind::Chain(chain) => return self.chain(chain, span, negated),
            ExprKind::Implies(both) => {
                let premise = self.under(true, |r| r.said(&both.0, !negated));
                let then = self.said(&both.1, negated);
                self.asked_before(&premise, &then);
                SaidKind::Implies(Box::new((premise, then)))
            }
            ExprKind::Quantified(quantified) => return self.quantified(quantified, span, negated),
            ExprKind::Temporal(temporal) => return self.temporal(temporal, span, negated),
            ExprKind::If(all) => {
                let condition = self.said(&all.0, negated);
                let other = self.under(true, |r| r.said(&all.0, !negated));
                let other = Said { kind: SaidKind::Not(Box::new(other)), span: all.0.span };
                let (yes, no) = (self.said(&all.1, negated), self.said(&all.2, negated));
                let both =
                    |one: Said, then: Said| Said { kind: SaidKind::And(vec![one, then]), span };
                SaidKind::Or(vec![both(condition, yes), both(other, no)])
            }
            _ => return self.atom(expr, negated),
        };
        Said { kind, span }
    }

    /// Warns of `p => A f`, where the step `p` has not been made yet.
    fn asked_before(&mut self, premise: &Said, then: &Said) {
        if let (Some(step), Some(span)) = (premise.step_in(), then.runs_in()) {
            self.warn_once(StepBeforeRuns { span, step });
        }
    }

    /// Warns of names that steps bind and that mean nothing to anybody. A text that is read several times may mean something once.
    fn known_to_nobody(&mut self) {
        let body = &*self.body;
        let is_read = |id: LocalId| body.reads[id.index()] > 1;
        let read: Vec<Span> = self
            .bound
            .iter()
            .filter(|(id, _)| is_read(*id))
            .map(|(id, _)| body.locals[id.index()].span)
            .collect();
        let alone = |(id, fair): &(LocalId, bool)| {
            let Local { name, span, .. } = body.locals[id.index()];
            let quiet = name.as_str().starts_with('_') || body.is_unparsed(name);
            (!quiet && !read.contains(&span)).then(|| StepName {
                span,
                name: name.to_string(),
                fair: *fair,
            })
        };
        let found: Vec<StepName> = self.bound.iter().filter_map(alone).collect();
        if !self.body.failed {
            found.into_iter().for_each(|one| self.warn_once(one));
        }
    }

    /// Warns of a text, once for all checks that use it.
    fn warn_once(&mut self, problem: impl Into<SemaProblem>) {
        let problem = problem.into();
        let same = |one: &SemaProblem| {
            one.span() == problem.span() && one.entry().code == problem.entry().code
        };
        if !self.body.sema.problems.iter().any(same) {
            self.body.report(problem);
        }
    }

    /// Reads something with the fixpoints around it under one negation more.
    fn under<T>(&mut self, negation: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        self.fixes.iter_mut().for_each(|fix| fix.negated ^= negation);
        let made = read(self);
        self.fixes.iter_mut().for_each(|fix| fix.negated ^= negation);
        made
    }

    /// A truth about configurations, and about what was bound.
    fn data(&mut self, expr: &'a ast::Expr) -> Expr {
        let first = self.body.locals.len();
        let mut checked = self.body.expr_of(expr, Sort::Bool, None);
        self.body.settle(first);
        self.body.finish(&mut checked);
        if let Some(property) = self.body.property.clone() {
            self.body.members_exist(&checked, &property);
        }
        checked
    }

    fn chain(&mut self, chain: &'a ast::Chain, span: Span, negated: bool) -> Said {
        let operands = || std::iter::once(&chain.first).chain(chain.rest.iter().map(|one| &one.2));
        let is_and = chain.rest.iter().all(|(operator, ..)| *operator == Operator::And);
        // `push(x) and x > 3` is one pattern, which binds a name and asks something of it.
        if is_and && self.binds_for_others(operands()) {
            let step = self.scoped_step(chain, span);
            return Said { kind: SaidKind::Step(step), span };
        }
        let parts = operands().map(|operand| self.said(operand, negated)).collect();
        Said { kind: if is_and { SaidKind::And(parts) } else { SaidKind::Or(parts) }, span }
    }

    fn quantified(&mut self, all: &'a ast::Quantified, span: Span, negated: bool) -> Said {
        let mark = self.body.enter();
        let mut bound = Vec::new();
        for (name, by) in &all.variables {
            let sort = match by {
                BoundBy::Sort(ast::Sort { kind: ast::SortKind::Range(range), .. }) => {
                    Sort::Range(self.body.repeated_range(range))
                }
                BoundBy::Sort(sort) => self.body.local_sort(sort),
                BoundBy::Use => {
                    self.mistake(name.span, FormulaMistake::NoSort(name.name.to_string()));
                    Sort::Error
                }
                BoundBy::Members(_) => {
                    self.mistake(name.span, FormulaMistake::Members(name.name.to_string()));
                    Sort::Error
                }
            };
            bound.push(self.body.bind(*name, sort, LocalKind::Quantified));
        }
        let inner = Box::new(self.said(&all.body, negated));
        self.body.leave(mark);
        Said { kind: SaidKind::Quantified(all.universal, bound, inner), span }
    }

    fn temporal(&mut self, temporal: &'a Temporal, span: Span, negated: bool) -> Said {
        let kind = match temporal {
            Temporal::Runs { all, says, .. } => {
                SaidKind::Runs(*all, Box::new(self.said(says, negated)))
            }
            Temporal::Along(along, inner) => {
                SaidKind::Along(*along, Box::new(self.said(inner, negated)))
            }
            Temporal::RunsAlong { all, along, says } => {
                let inner = Box::new(self.said(says, negated));
                let along = Said { kind: SaidKind::Along(*along, inner), span };
                SaidKind::Runs(*all, Box::new(along))
            }
            Temporal::Until { weak, left, right } => {
                let both = (self.said(left, negated), self.said(right, negated));
                SaidKind::Until(*weak, Box::new(both))
            }
            Temporal::Modal { all, step, then } => {
                return self.modal((*all, step, then), span, negated);
            }
            Temporal::Fix { greatest, name, params, body } => {
                return self.fixpoint((*greatest, *name, params, body), span, negated);
            }
            Temporal::After { step, then } => {
                return self.modal((true, step, then), span, negated);
            }
            Temporal::HoleDoes(..) | Temporal::AnyStep => {
                let mark = self.body.enter();
                let step = self.step_of_hole(temporal, span);
                self.body.leave(mark);
                SaidKind::Step(step)
            }
        };
        Said { kind, span }
    }

    fn modal(
        &mut self,
        (all, step, then): (bool, &'a ast::Expr, &'a ast::Expr),
        span: Span,
        negated: bool,
    ) -> Said {
        let mark = self.body.enter();
        let step = self.step(step);
        let then = Box::new(self.said(then, negated));
        self.body.leave(mark);
        Said { kind: SaidKind::Modal { all, step, then }, span }
    }

    fn fixpoint(
        &mut self,
        (greatest, name, params, inner): (
            bool,
            Ident,
            &'a [(ast::Binder, ast::Expr)],
            &'a ast::Expr,
        ),
        span: Span,
        negated: bool,
    ) -> Said {
        let mark = self.body.enter();
        let mut begins = Vec::new();
        for (binder, value) in params {
            let sort = self.body.local_sort(&binder.sort);
            let first = self.body.locals.len();
            let mut value = self.body.expr_of(value, sort, None);
            self.body.settle(first);
            self.body.finish(&mut value);
            self.body.check_range(&value, sort, None);
            begins.push((binder.name, sort, value));
        }
        let bound = begins
            .into_iter()
            .map(|(name, sort, value)| (self.body.bind(name, sort, LocalKind::Quantified), value));
        let bound: Vec<(LocalId, Expr)> = bound.collect();
        let number = self.fix_params.len();
        self.fix_params.push(bound.iter().map(|(id, _)| *id).collect());
        let frame = self.frame;
        self.body.sema.occurs(name, name.span, NameKind::Fixpoint);
        let (name, declared) = (name.name, name.span);
        self.fixes.push(Around { name, declared, number, negated: false, frame });
        let body = Box::new(self.said(inner, negated));
        self.fixes.pop();
        self.body.leave(mark);
        Said { kind: SaidKind::Fix { number, greatest, params: bound, body }, span }
    }

    /// What a name, alone or with arguments, says.
    fn atom(&mut self, expr: &'a ast::Expr, negated: bool) -> Said {
        let span = expr.span;
        let (path, args): (_, &'a [ast::Expr]) = match &expr.kind {
            ExprKind::Call(call) => (call.callee.clone(), &call.args),
            ExprKind::Path(path) => ((**path).clone(), &[]),
            ExprKind::Name(name) => (ast::Path { parts: vec![Ident { name: *name, span }] }, &[]),
            _ => {
                let mark = self.body.enter();
                let step = self.step(expr);
                self.body.leave(mark);
                return Said { kind: SaidKind::Step(step), span };
            }
        };
        match self.named(&path) {
            Atom::Parameter(text, frame) => {
                if let Some(first) = args.first() {
                    return self.mistake(first.span, FormulaMistake::ArgumentsOfParameter);
                }
                self.in_frame(frame, |r| r.said(text, negated))
            }
            Atom::Fix(around) => self.again(around, args, span),
            Atom::Property(id) => {
                let Some((frame, text)) = self.entered(id, args, span) else {
                    return Said { kind: SaidKind::Error, span };
                };
                self.in_frame(frame, |r| r.said(text, negated))
            }
            Atom::Step | Atom::Data => {
                let mark = self.body.enter();
                let step = self.step(expr);
                self.body.leave(mark);
                Said { kind: SaidKind::Step(step), span }
            }
        }
    }

    fn again(&mut self, around: Around, args: &'a [ast::Expr], span: Span) -> Said {
        let params = self.fix_params[around.number].clone();
        if params.len() != args.len() {
            let (name, what) = (around.name.to_string(), "fixpoint".to_owned());
            let (expected, found) = (params.len(), args.len());
            let count = ArgumentCount { span, name, what, expected, found, declared: None };
            self.body.report(count);
            return Said { kind: SaidKind::Error, span };
        }
        if around.negated {
            self.body.report(NotMonotone { span, name: around.name.to_string() });
        }
        let mut values = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(params) {
            let first = self.body.locals.len();
            let sort = self.body.locals[param.index()].sort;
            let mut value = self.body.expr_of(arg, sort, None);
            self.body.settle(first);
            self.body.finish(&mut value);
            self.body.check_range(&value, sort, None);
            values.push(value);
        }
        Said { kind: SaidKind::Again(around.number, values), span }
    }

    /// A frame for a property with arguments, and what it says.
    fn entered(
        &mut self,
        id: PropertyId,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<(usize, &'a ast::Expr)> {
        let def = &mut self.body.sema.program.properties[id.index()];
        def.used = true;
        let (named, item) = (def.named, def.item);
        let modules = self.body.sema.modules;
        let items = &modules[named.module.index()].tree.items;
        let ast::ItemKind::Property(property) = &items.get(item)?.kind else { return None };
        if self.is_inside(id) {
            let name = named.name.to_string();
            self.body.report(RecursiveProperty { span, name, declared: named.span });
            return None;
        }
        if property.params.len() != args.len() {
            let (name, what) = (named.name.to_string(), "property".to_owned());
            let (expected, found) = (property.params.len(), args.len());
            let declared = Some(named.span);
            self.body.report(ArgumentCount { span, name, what, expected, found, declared });
            return None;
        }
        let frame = self.frame;
        for param in &property.params {
            self.body.sema.occurs(*param, param.span, NameKind::Local(LocalKind::Parameter));
        }
        let params = property.params.iter().zip(args);
        let params = params.map(|(param, text)| (param.name, (param.span, text, frame))).collect();
        let caller = self.frame;
        self.frames.push(Frame { property: id, module: named.module, caller, params });
        Some((self.frames.len(), &property.body))
    }
}

/// The names of the vectors and connectors of a net.
pub(super) fn joints(body: &Body<'_, '_>, net: &Instance) -> Vec<Ident> {
    let Component::Net(id) = net.component else { return Vec::new() };
    let NetBody::Block(block) = &body.sema.program.nets[id.index()].body else { return Vec::new() };
    let vectors = block.vectors.iter().filter_map(|vector| vector.name);
    let connectors = block.connectors.iter().map(|connector| connector.name);
    vectors.chain(connectors).collect()
}

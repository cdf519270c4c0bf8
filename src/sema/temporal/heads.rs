//! What stands at the atoms of a formula: steps, uses of properties, fixpoints, or data.

use super::def::{Said, SaidKind};
use super::{Around, Reading};
use crate::diagnostics::{Span, Symbol};
use crate::sema::body::Resolved;
use crate::sema::occurrence::NameKind;
use crate::sema::problems::UnknownAction;
use crate::sema::program::{LocalKind, PropertyId, Sort};
use crate::sema::scope::{Meaning, Space};
use crate::syntax::ast::{self, ExprKind, Ident, Operator, Temporal};
use crate::syntax::walk::walk;

/// What a name in a formula is.
pub(super) enum Atom<'a> {
    /// What a parameter of a property stands for: a text, and the frame in which it is read.
    Parameter(&'a ast::Expr, usize),
    /// A fixpoint.
    Fix(Around),
    /// A property.
    Property(PropertyId),
    /// A step.
    Step,
    /// None of these.
    Data,
}

impl<'a> Reading<'_, '_, 'a> {
    /// Reads a text of another frame.
    pub(super) fn in_frame<T>(&mut self, frame: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let module = match frame.checked_sub(1).map(|at| self.frames[at].module) {
            Some(module) => module,
            None => self.home,
        };
        let before = (std::mem::replace(&mut self.frame, frame), self.body.module);
        self.body.module = module;
        let text = self.body.read_text(frame);
        let made = read(self);
        self.body.read_text(text);
        (self.frame, self.body.module) = before;
        made
    }

    /// Whether the text of a property is being read, directly or through those that it uses.
    pub(super) fn is_inside(&self, id: PropertyId) -> bool {
        let mut frame = self.frame;
        while let Some(at) = frame.checked_sub(1) {
            if self.frames[at].property == id {
                return true;
            }
            frame = self.frames[at].caller;
        }
        false
    }

    /// What a name means, alone or before arguments.
    pub(super) fn named(&mut self, path: &ast::Path) -> Atom<'a> {
        if let Some(ident) = path.as_name() {
            let frame = self.frame.checked_sub(1).map(|at| &self.frames[at]);
            let parameter = frame.and_then(|frame| frame.params.get(&ident.name)).copied();
            if let Some((declared, text, frame)) = parameter {
                let kind = NameKind::Local(LocalKind::Parameter);
                self.body.sema.occurs(ident, declared, kind);
                return Atom::Parameter(text, frame);
            }
            let (name, frame) = (ident.name, self.frame);
            let fix = self.fixes.iter().rev().find(|fix| fix.name == name && fix.frame == frame);
            if let Some(&fix) = fix {
                self.body.sema.occurs(ident, fix.declared, NameKind::Fixpoint);
                return Atom::Fix(fix);
            }
            if let Some(id) = self.body.local(name) {
                let sort = self.body.locals[id.index()].sort;
                let is_action = self.body.resolve_sort(sort) == Sort::Action;
                return if is_action { Atom::Step } else { Atom::Data };
            }
            let joint = self.about.joints.iter().find(|joint| joint.name == name).copied();
            if let Some(joint) = joint.filter(|_| self.body.lookup(Space::Values, name).is_none()) {
                self.body.sema.occurs(ident, joint.span, NameKind::Joint);
                return Atom::Step;
            }
        }
        if let Resolved::Known(declared, _, []) = self.body.resolve(Space::Properties, path)
            && let Meaning::Property(id) = declared.meaning
        {
            return Atom::Property(id);
        }
        match self.body.resolve(Space::Values, path) {
            Resolved::Known(declared, _, []) if matches!(declared.meaning, Meaning::Actions(_)) => {
                Atom::Step
            }
            _ => Atom::Data,
        }
    }

    /// Whether a text is more than a truth about configurations.
    pub(super) fn is_formula(&mut self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Temporal(_) | ExprKind::Tau | ExprKind::Sync(_) | ExprKind::Co(_) => true,
            ExprKind::Wildcard => true,
            ExprKind::Not(inner) => self.is_formula(inner),
            ExprKind::Chain(chain) => {
                let is_logic = |operator| matches!(operator, Operator::And | Operator::Or);
                let logic = chain.rest.iter().all(|(operator, ..)| is_logic(*operator));
                let rest = || chain.rest.iter().map(|one| &one.2);
                logic && (self.is_formula(&chain.first) || rest().any(|one| self.is_formula(one)))
            }
            ExprKind::Implies(both) => self.is_formula(&both.0) || self.is_formula(&both.1),
            ExprKind::If(all) => {
                [&all.0, &all.1, &all.2].into_iter().any(|one| self.is_formula(one))
            }
            ExprKind::Quantified(quantified) => self.is_formula(&quantified.body),
            ExprKind::Name(name) => self.is_atom(&one_name(*name, expr)),
            ExprKind::Path(path) => self.is_atom(path),
            ExprKind::Call(call) => self.is_atom(&call.callee),
            _ => false,
        }
    }

    /// A parameter of a property in the midst of data, where only values stand.
    pub(super) fn parameter_in(&mut self, expr: &ast::Expr) -> Option<(Symbol, Span)> {
        let frame = self.frame.checked_sub(1)?;
        let mut found = None;
        walk(expr, &mut |inner| {
            if let ExprKind::Name(name) = inner.kind
                && self.frames[frame].params.contains_key(&name)
            {
                found.get_or_insert((name, inner.span));
            }
        });
        found
    }

    /// Reports a name that stands alone, or before arguments, and means nothing: mostly an action that is called otherwise.
    pub(super) fn unknown_action(&mut self, expr: &ast::Expr) -> Option<Said> {
        let ident = match &expr.kind {
            ExprKind::Name(name) => Ident { name: *name, span: expr.span },
            ExprKind::Call(call) => call.callee.as_name()?,
            ExprKind::Not(inner) => return self.unknown_action(inner),
            _ => return None,
        };
        let name = ident.name;
        let is_known = self.body.local(name).is_some()
            || self.body.is_value(ident)
            || self.body.is_unparsed(name)
            || self.body.lookup(Space::Sorts, name).is_some();
        let unclear = self.about.leaves.iter().any(|leaves| leaves.partial);
        if is_known || unclear || self.is_of_leaf(name) {
            return None;
        }
        let mut known = self.body.names_in(Space::Values, |one| matches!(one, Meaning::Actions(_)));
        known.extend(self.body.names_in(Space::Properties, |_| true));
        let similar = self.body.sema.similar(name, known);
        let (span, meant) = (ident.span, meant(name.as_str()));
        self.body.report(UnknownAction { span, name: name.to_string(), similar, meant });
        Some(Said { kind: SaidKind::Error, span: expr.span })
    }

    /// Whether a name is that of a component of the net, or of a variable or state of one.
    fn is_of_leaf(&self, name: Symbol) -> bool {
        self.about.leaves.iter().flat_map(|leaves| &leaves.all).any(|leaf| {
            let process = &self.body.sema.program.processes[leaf.process.index()];
            process.locals.iter().any(|local| local.name == name)
                || process.states.iter().any(|state| state.name.name == name)
                || leaf.path.contains(&name)
        })
    }

    /// What speaks of a configuration, where only values can be spoken of: the smallest test around the first name of a component.
    pub(super) fn configuration_in(&mut self, expr: &ast::Expr) -> Option<Span> {
        let mut tests = Vec::new();
        let mut names = Vec::new();
        walk(expr, &mut |inner| match &inner.kind {
            ExprKind::In(_) | ExprKind::Compare(_) => tests.push(inner.span),
            ExprKind::Name(name) => names.push(Ident { name: *name, span: inner.span }),
            ExprKind::Path(path) => names.extend(path.parts.first().copied()),
            _ => {}
        });
        let place = names.into_iter().find(|ident| {
            let known = self.body.local(ident.name).is_some() || self.body.is_value(*ident);
            !known && self.is_of_leaf(ident.name)
        })?;
        let around = tests.into_iter().rfind(|test| test.contains(place.span));
        Some(around.unwrap_or(place.span))
    }

    fn is_atom(&mut self, path: &ast::Path) -> bool {
        match self.named(path) {
            // What it stands for is read in its own place, whatever it is.
            Atom::Parameter(..) | Atom::Fix(_) | Atom::Property(_) | Atom::Step => true,
            Atom::Data => false,
        }
    }

    /// Whether a text is about the next step alone.
    pub(super) fn is_step(&mut self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Tau | ExprKind::Sync(_) | ExprKind::Co(_) | ExprKind::Wildcard => true,
            ExprKind::Temporal(temporal) => {
                matches!(**temporal, Temporal::HoleDoes(..) | Temporal::AnyStep)
            }
            ExprKind::Not(inner) => self.is_step(inner),
            ExprKind::Chain(chain) => {
                let rest = || chain.rest.iter().map(|one| &one.2);
                self.is_step(&chain.first) && rest().all(|one| self.is_step(one))
            }
            ExprKind::Name(name) => {
                let path = one_name(*name, expr);
                self.is_step_atom(&path)
            }
            ExprKind::Path(path) => self.is_step_atom(path),
            ExprKind::Call(call) => self.is_step_atom(&call.callee),
            _ => false,
        }
    }

    fn is_step_atom(&mut self, path: &ast::Path) -> bool {
        match self.named(path) {
            // A text may stand in many places: it is looked at once.
            Atom::Parameter(text, frame) => {
                if let Some(known) = self.of_steps.get(&(text.span, frame)) {
                    return *known;
                }
                let is = self.in_frame(frame, |r| r.is_step(text));
                self.of_steps.insert((text.span, frame), is);
                is
            }
            Atom::Step => true,
            _ => false,
        }
    }

    /// Whether one of several texts is a step that binds a name of which another one speaks.
    pub(super) fn binds_for_others(
        &mut self,
        texts: impl Iterator<Item = &'a ast::Expr> + Clone,
    ) -> bool {
        let mut bound: Vec<Symbol> = Vec::new();
        for text in texts.clone() {
            if self.is_step(text) {
                self.new_names(text, &mut bound);
            }
        }
        !bound.is_empty()
            && texts.filter(|text| !self.is_formula(text)).any(|text| speaks_of(text, &bound))
    }

    /// The names in the arguments of steps that mean nothing yet.
    fn new_names(&mut self, expr: &ast::Expr, found: &mut Vec<Symbol>) {
        let mut names = Vec::new();
        walk(expr, &mut |inner| {
            if let ExprKind::Call(call) = &inner.kind {
                names.extend(call.args.iter().filter_map(|arg| match arg.kind {
                    ExprKind::Name(name) => Some(Ident { name, span: arg.span }),
                    _ => None,
                }));
            }
        });
        for ident in names {
            if self.body.local(ident.name).is_none() && !self.body.is_value(ident) {
                found.push(ident.name);
            }
        }
    }
}

fn one_name(name: Symbol, expr: &ast::Expr) -> ast::Path {
    ast::Path { parts: vec![Ident { name, span: expr.span }] }
}

fn speaks_of(expr: &ast::Expr, names: &[Symbol]) -> bool {
    let mut found = false;
    walk(expr, &mut |inner| match &inner.kind {
        ExprKind::Name(name) => found |= names.contains(name),
        ExprKind::Path(path) => {
            found |= path.parts.first().is_some_and(|first| names.contains(&first.name));
        }
        _ => {}
    });
    found
}

/// What is written here for what other languages have a name for.
fn meant(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    Some(match lower.as_str() {
        "deadlock" | "terminated" | "timeout" => {
            "that nothing is possible is written `[any] false`, and that something is, `<any> true`"
        }
        "enabled" | "can" | "possible" | "ready" => {
            "that a step `p` is possible is written `<p> true`"
        }
        _ if lower == "wf" || lower.starts_with("wf_") => {
            "which runs count is said after the check: `check holds(S, f) weakly fair { p };`"
        }
        _ if lower == "sf" || lower.starts_with("sf_") => {
            "which runs count is said after the check: `check holds(S, f) fair { p };`"
        }
        _ => return None,
    })
}

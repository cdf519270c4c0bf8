//! Action terms. Where an action stands decides what its arguments may be: a transition sends values and
//! takes inputs, a member of a vector is a pattern whose variables the vector introduces, and what a vector
//! shows is built from those.

use super::body::{Body, Resolved};
use super::problems::{
    DoubleComplement, InputInOutput, InputShadows, InputTwice, NotASet, NotAnAction, NotArray,
    UnknownInterface,
};
use super::program::{ActionSet, Expr, ExprKind, LocalKind, Sort};
use super::scope::{Meaning, Space};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident};
use crate::syntax::walk::walk;

/// Where an action stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In a transition.
    Label,
    /// In a member of a vector.
    Member,
    /// In what a vector shows, or in an expression.
    Value,
}

impl Body<'_, '_> {
    /// An action as a value: in what a vector shows, as an argument, or in an expression.
    pub fn action_value(&mut self, expr: &ast::Expr) -> Expr {
        self.action(expr, Place::Value)
    }

    /// An action term.
    pub fn action(&mut self, expr: &ast::Expr, place: Place) -> Expr {
        let span = expr.span;
        let term = |kind| Expr { kind, sort: Sort::Action, span };
        match &expr.kind {
            ast::ExprKind::Tau => term(ExprKind::Tau),
            ast::ExprKind::Sync(inner) => {
                let inner = self.action(inner, place);
                term(ExprKind::Sync(Box::new(inner)))
            }
            ast::ExprKind::Co(inner) => {
                let complemented = &inner.kind;
                let has_no_complement = matches!(
                    complemented,
                    ast::ExprKind::Co(_) | ast::ExprKind::Tau | ast::ExprKind::Sync(_)
                );
                if has_no_complement {
                    self.report(DoubleComplement { span });
                    return Expr::error(span);
                }
                let inner = self.action(inner, place);
                term(ExprKind::Co(Box::new(inner)))
            }
            ast::ExprKind::Wildcard if place == Place::Member => term(ExprKind::Wildcard),
            ast::ExprKind::Input(ident) if place == Place::Member => {
                self.action_variable(*ident, span)
            }
            ast::ExprKind::Name(name) => {
                let ident = Ident { name: *name, span };
                self.action_name(ident, place, span)
            }
            ast::ExprKind::Path(path) => self.qualified_action(path, &[], place, span),
            ast::ExprKind::Call(call) => match call.callee.as_name() {
                Some(ident) => {
                    let declared = self.lookup(Space::Values, ident.name);
                    let meaning = declared.map(|declared| declared.meaning);
                    self.action_with(meaning, ident, &call.args, place, span)
                }
                None => self.qualified_action(&call.callee, &call.args, place, span),
            },
            ast::ExprKind::Index(both) if self.takes_guard(place) => {
                let (action, condition) = (self.action(&both.0, place), &both.1);
                let before = Span::new(both.0.span.end, condition.span.start);
                let guard = Some((before, Span::new(condition.span.end, span.end)));
                let (span, found) = (condition.span, "Action".to_owned());
                self.report(NotArray { span, found, guard });
                self.expr_of(condition, Sort::Bool, None);
                action
            }
            ast::ExprKind::Error => {
                self.failed = true;
                Expr::error(span)
            }
            ast::ExprKind::Wildcard => self.misplaced_pattern(span, "_"),
            // The mark was reported.
            ast::ExprKind::Input(ident) if self.strangers != super::body::Strangers::Unknown => {
                self.action_name(*ident, place, ident.span)
            }
            ast::ExprKind::Input(ident) => {
                self.misplaced_pattern(span, &format!("?{}", ident.name))
            }
            _ => {
                let found = self.expr(expr);
                if found.sort != Sort::Error {
                    let sort = self.resolve_sort(found.sort);
                    let found = self.sema.program.sort_name(sort);
                    self.report(NotAnAction { span, found });
                }
                Expr::error(span)
            }
        }
    }

    /// Whether a guard can follow an action that stands here.
    fn takes_guard(&self, place: Place) -> bool {
        place == Place::Label
            || place == Place::Value && self.strangers == super::body::Strangers::UnboundInResult
    }

    /// `?a`: the whole action, by a name.
    fn action_variable(&mut self, ident: Ident, span: Span) -> Expr {
        if let Some(id) = self.local(ident.name)
            && self.locals[id.index()].kind == LocalKind::VectorAction
        {
            return self.read(id, span);
        }
        let id = self.bind(ident, Sort::Action, LocalKind::VectorAction);
        self.read(id, span)
    }

    /// A name where an action is wanted: a variable or parameter, or an action without arguments.
    fn action_name(&mut self, ident: Ident, place: Place, span: Span) -> Expr {
        if let Some(id) = self.local(ident.name) {
            let local = self.locals[id.index()];
            let is_action = self.shallow(local.sort) == Sort::Action;
            let mark_is_missing = place == Place::Member && local.kind == LocalKind::VectorAction;
            if is_action && !mark_is_missing {
                return self.read(id, span);
            }
            if place != Place::Member
                && !is_action
                && self.lookup(Space::Values, ident.name).is_none()
            {
                let sort = self.resolve_sort(local.sort);
                let found = self.sema.program.sort_name(sort);
                self.reads[id.index()] += 1;
                self.report(NotAnAction { span, found });
                return Expr::error(span);
            }
        }
        let declared = self.lookup_at(Space::Values, ident);
        if declared.is_none() && self.strangers == super::body::Strangers::UnboundInResult {
            return self.unbound_action(ident);
        }
        self.action_with(declared.map(|declared| declared.meaning), ident, &[], place, span)
    }

    /// What a vector shows is a name that is neither an action nor a variable of it.
    fn unbound_action(&mut self, ident: Ident) -> Expr {
        let known = self.local_names(&[LocalKind::VectorAction]);
        let similar = self.sema.similar(ident.name, known);
        if similar.is_some() && !self.is_unparsed(ident.name) {
            let name = ident.name.to_string();
            let (span, data) = (ident.span, Vec::new());
            self.report(super::problems::UnboundResult { span, name, similar, data });
            return Expr::error(ident.span);
        }
        self.action_with(None, ident, &[], Place::Value, ident.span)
    }

    fn qualified_action(
        &mut self,
        path: &ast::Path,
        args: &[ast::Expr],
        place: Place,
        span: Span,
    ) -> Expr {
        match self.resolve(Space::Values, path) {
            Resolved::Known(declared, ident, []) => {
                self.action_with(Some(declared.meaning), ident, args, place, span)
            }
            Resolved::NotIn(ident) => self.action_with(None, ident, args, place, span),
            _ => {
                self.unknown_module(path.parts[0]);
                Expr::error(span)
            }
        }
    }

    fn action_with(
        &mut self,
        meaning: Option<Meaning>,
        ident: Ident,
        args: &[ast::Expr],
        place: Place,
        span: Span,
    ) -> Expr {
        // With an argument that could not be parsed nobody knows how many there are.
        let broken = args.iter().any(|arg| matches!(arg.kind, ast::ExprKind::Error));
        let id = match meaning {
            Some(Meaning::Actions(actions)) if broken => {
                self.failed = true;
                actions.into_iter().for_each(|(_, id)| self.use_action(id));
                None
            }
            meaning => self.action_of(meaning, ident, args.len()),
        };
        if let Some(id) = id {
            self.use_action(id);
        }
        let sorts = match id {
            Some(id) => self.sema.program.actions[id.index()].sorts.clone(),
            None => vec![Sort::Error; args.len()],
        };
        let checked: Vec<Expr> = match place {
            Place::Label => self.label_args(args, &sorts),
            _ => args
                .iter()
                .zip(&sorts)
                .map(|(arg, &sort)| self.action_arg(arg, sort, place))
                .collect(),
        };
        match id {
            Some(id) => Expr { kind: ExprKind::Act(id, checked), sort: Sort::Action, span },
            None => Expr::error(span),
        }
    }

    /// An action in an expression: `a != delta(y)`.
    pub fn act(&mut self, call: &ast::Call, meaning: &Meaning, ident: Ident, span: Span) -> Expr {
        self.action_with(Some(meaning.clone()), ident, &call.args, Place::Value, span)
    }

    fn action_arg(&mut self, arg: &ast::Expr, sort: Sort, place: Place) -> Expr {
        if place == Place::Member && matches!(arg.kind, ast::ExprKind::Wildcard) {
            return Expr { kind: ExprKind::Wildcard, sort, span: arg.span };
        }
        let value = self.expr_of(arg, sort, None);
        self.check_range(&value, sort, None);
        value
    }

    /// The arguments of a transition's action: values to send, and inputs.
    fn label_args(&mut self, args: &[ast::Expr], sorts: &[Sort]) -> Vec<Expr> {
        let inputs: Vec<Ident> = args.iter().filter_map(as_input).collect();
        let mut checked: Vec<Option<Expr>> = Vec::with_capacity(args.len());
        for (arg, &sort) in args.iter().zip(sorts) {
            checked.push(match &arg.kind {
                ast::ExprKind::Input(_) | ast::ExprKind::Wildcard => None,
                _ => Some(self.output(arg, sort, &inputs)),
            });
        }
        // Inputs are introduced last: what is sent cannot use them.
        let all = args.iter().zip(sorts).zip(checked);
        all.map(|((arg, &sort), done)| match (done, &arg.kind) {
            (Some(done), _) => done,
            (None, ast::ExprKind::Input(ident)) => self.input(*ident, sort, arg.span),
            (None, _) => {
                let id = self.anonymous(arg.span, sort, LocalKind::Input);
                Expr { kind: ExprKind::Input(id), sort, span: arg.span }
            }
        })
        .collect()
    }

    fn output(&mut self, arg: &ast::Expr, sort: Sort, inputs: &[Ident]) -> Expr {
        let stray = inputs.iter().filter(|input| self.local(input.name).is_none());
        let stray: Vec<Ident> = stray.copied().collect();
        if let Some((span, input)) =
            stray.iter().find_map(|input| Some((mention(arg, input)?, input)))
        {
            let name = input.name.to_string();
            self.report(InputInOutput { span, name, input: input.span });
            return Expr::error(arg.span);
        }
        if let ast::ExprKind::Name(name) = arg.kind
            && self.local(name).is_none()
            && self.lookup(Space::Values, name).is_none()
        {
            let ident = Ident { name, span: arg.span };
            // Guard and assignments go on with what was received.
            if self.unknown_argument(ident) {
                self.bind(ident, sort, LocalKind::Input);
            }
            return Expr::error(arg.span);
        }
        let value = self.expr_of(arg, sort, None);
        self.check_range(&value, sort, None);
        value
    }

    fn input(&mut self, ident: Ident, sort: Sort, span: Span) -> Expr {
        if let Some(outer) = self.local(ident.name) {
            let local = self.locals[outer.index()];
            let name = ident.name.to_string();
            if local.kind == LocalKind::Input {
                self.report(InputTwice { span: ident.span, name, first: local.span });
                return Expr::error(span);
            }
            let (variable, what) = (local.span, local.kind.in_words().to_owned());
            self.reads[outer.index()] += 1;
            let instead = self.unused_name(ident.name);
            self.report(InputShadows { span: ident.span, name, variable, what, instead });
            // The name goes on to mean what it meant.
            let id = self.anonymous(span, sort, LocalKind::Input);
            return Expr { kind: ExprKind::Input(id), sort, span };
        }
        let id = self.bind(ident, sort, LocalKind::Input);
        Expr { kind: ExprKind::Input(id), sort, span }
    }

    /// A name for an input that nothing else has here.
    fn unused_name(&mut self, taken: Symbol) -> String {
        let short = ["x", "v", "y", "w", "z"].into_iter().map(str::to_owned);
        let longer = (0..).map(|more: u32| match more {
            0 => format!("new_{taken}"),
            more => format!("new_{taken}{more}"),
        });
        let free = |name: &String| {
            let name = Symbol::new(name);
            self.local(name).is_none() && self.lookup(Space::Values, name).is_none()
        };
        let mut free = free;
        short.chain(longer).find(|name| free(name)).unwrap_or_default()
    }

    // ---- sets of actions ----

    /// A set of actions: `{ delta(_), tick }`, an interface, or a parameter.
    pub fn action_set(&mut self, set: &ast::Expr) -> ActionSet {
        match &set.kind {
            ast::ExprKind::Set(elements) => {
                let patterns = elements
                    .iter()
                    .map(|element| self.test_pattern(element, Sort::Action))
                    .collect();
                ActionSet::Patterns(patterns)
            }
            ast::ExprKind::Name(name) => self.named_set(Ident { name: *name, span: set.span }),
            ast::ExprKind::Path(path) => match self.resolve(Space::Sorts, path) {
                Resolved::Known(declared, _, [])
                    if matches!(declared.meaning, Meaning::Interface(_)) =>
                {
                    interface_set(&declared.meaning)
                }
                _ => {
                    self.unknown_interface(path.parts[path.parts.len() - 1]);
                    ActionSet::Error
                }
            },
            ast::ExprKind::Error => {
                self.failed = true;
                ActionSet::Error
            }
            _ => {
                let found = self.expr(set);
                if found.sort != Sort::Error {
                    let sort = self.resolve_sort(found.sort);
                    let found = self.sema.program.sort_name(sort);
                    self.report(NotASet { span: set.span, found });
                }
                ActionSet::Error
            }
        }
    }

    fn named_set(&mut self, ident: Ident) -> ActionSet {
        if let Some(id) = self.local(ident.name) {
            self.reads[id.index()] += 1;
            self.names_local(id, ident.span);
            let sort = self.resolve_sort(self.locals[id.index()].sort);
            if sort == Sort::Actions {
                return ActionSet::Parameter(id);
            }
            if sort != Sort::Error {
                let found = self.sema.program.sort_name(sort);
                self.report(NotASet { span: ident.span, found });
            }
            return ActionSet::Error;
        }
        match self.lookup_at(Space::Sorts, ident) {
            Some(declared) if matches!(declared.meaning, Meaning::Interface(_)) => {
                interface_set(&declared.meaning)
            }
            _ => {
                self.unknown_interface(ident);
                ActionSet::Error
            }
        }
    }

    /// Reports an interface that nobody declared.
    pub fn unknown_interface(&mut self, ident: Ident) {
        self.failed = true;
        if self.is_unparsed(ident.name) {
            return;
        }
        let known = self.names_in(Space::Sorts, |m| matches!(m, Meaning::Interface(_)));
        let similar = self.sema.similar(ident.name, known);
        if similar.is_none() && self.wrong_kind(ident, "an interface")
            || self.is_excused(similar.as_ref())
        {
            return;
        }
        let name = ident.name.to_string();
        self.report(UnknownInterface { span: ident.span, name, similar });
    }
}

fn interface_set(meaning: &Meaning) -> ActionSet {
    match meaning {
        Meaning::Interface(id) => ActionSet::Interface(*id),
        _ => ActionSet::Error,
    }
}

fn as_input(arg: &ast::Expr) -> Option<Ident> {
    match &arg.kind {
        ast::ExprKind::Input(ident) => Some(*ident),
        _ => None,
    }
}

/// Where an expression mentions a name.
fn mention(expr: &ast::Expr, input: &Ident) -> Option<Span> {
    let mut found = None;
    walk(expr, &mut |expr| match &expr.kind {
        ast::ExprKind::Name(name) if *name == input.name => found = found.or(Some(expr.span)),
        ast::ExprKind::Path(path) if path.parts[0].name == input.name => {
            found = found.or(Some(path.parts[0].span));
        }
        _ => {}
    });
    found
}

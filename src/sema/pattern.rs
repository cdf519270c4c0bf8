//! Patterns: those of `match`, which bind names, and those of `is` and of sets of actions, which do not.

use num_bigint::BigInt;

use super::body::{Body, Resolved};
use super::matching;
use super::problems::{
    ArgumentCount, BadPattern, Mismatch, MisplacedPattern, NotExhaustive, UnknownConstructor,
    UnreachableArm, Untestable,
};
use super::program::{DataId, Expr, ExprKind, LocalKind, Pattern, PatternKind, Sort};
use super::scope::{Meaning, Space};
use crate::diagnostics::{Span, Symbol, nearly_the_same};
use crate::syntax::ast::{self, Ident};

impl Body<'_, '_> {
    /// `match m { Ping => 0, Pkt(s, _) => s }`
    pub fn match_expr(
        &mut self,
        all: &ast::Match,
        wanted: Option<(Sort, Option<(Span, String)>)>,
        span: Span,
    ) -> Expr {
        let subject = self.expr(&all.subject);
        let sort = super::infer::base(self.resolve_sort(subject.sort));
        let matchable =
            matches!(sort, Sort::Data(_) | Sort::Bool | Sort::Int | Sort::Error | Sort::Unknown(_));
        if !matchable {
            let found = self.sema.program.sort_name(sort);
            self.report(Untestable { span: subject.span, found });
        }
        let mut result: Option<(Sort, Span)> = None;
        let mut arms = Vec::with_capacity(all.arms.len());
        let was_failed = std::mem::replace(&mut self.failed, false);
        for (pattern, value) in &all.arms {
            let mark = self.enter();
            let pattern = self.match_pattern(pattern, if matchable { sort } else { Sort::Error });
            let value = match (&wanted, &result) {
                (Some((wanted, because)), _) => self.expr_of(value, *wanted, because.clone()),
                (None, None) => self.expr(value),
                (None, Some((sort, first))) => {
                    let because = Some((*first, self.sort_label(*sort)));
                    self.expr_of(value, *sort, because)
                }
            };
            self.leave(mark);
            result = result.or(Some((super::infer::base(value.sort), value.span)));
            arms.push((pattern, value));
        }
        if !self.failed && matchable {
            self.check_arms(&all.subject, sort, &arms);
        }
        self.failed |= was_failed;
        let sort = match wanted {
            Some((wanted, _)) => super::infer::base(self.shallow(wanted)),
            None => result.map_or(Sort::Error, |(sort, _)| sort),
        };
        Expr { kind: ExprKind::Match(Box::new((subject, arms))), sort, span }
    }

    fn sort_label(&mut self, sort: Sort) -> String {
        let sort = self.resolve_sort(sort);
        format!("the first arm has sort `{}`", self.sema.program.sort_name(sort))
    }

    /// Reports forms that no arm covers, and arms that come too late.
    fn check_arms(&mut self, subject: &ast::Expr, sort: Sort, arms: &[(Pattern, Expr)]) {
        let patterns: Vec<&Pattern> = arms.iter().map(|(pattern, _)| pattern).collect();
        let report = matching::check(&self.sema.program, sort, &patterns);
        for index in report.unreachable {
            self.report(UnreachableArm { span: patterns[index].span });
        }
        if !report.missing.is_empty() {
            self.report(NotExhaustive { span: subject.span, missing: report.missing });
        }
    }

    /// A pattern of `match`: names that are no constructors are bound.
    fn match_pattern(&mut self, pattern: &ast::Expr, sort: Sort) -> Pattern {
        let span = pattern.span;
        let sort = self.shallow(sort);
        match &pattern.kind {
            ast::ExprKind::Name(name) => {
                let ident = Ident { name: *name, span };
                if let Some(kind) = self.named_constructor(ident, sort) {
                    return Pattern { kind, span };
                }
                if let Sort::Data(data) = sort
                    && let Some(problem) = self.misspelt_constructor(ident, data)
                {
                    self.report(problem);
                    return Pattern { kind: PatternKind::Error, span };
                }
                Pattern {
                    kind: PatternKind::Bind(self.bind(ident, sort, LocalKind::Pattern)),
                    span,
                }
            }
            ast::ExprKind::Call(call) => {
                self.constructor_pattern(call, sort, span, Self::match_pattern)
            }
            ast::ExprKind::Tuple(values) => {
                self.tuple_pattern(values, sort, span, Self::match_pattern)
            }
            ast::ExprKind::Bool(_) | ast::ExprKind::Int(_) | ast::ExprKind::Negate(_) => {
                self.literal_pattern(pattern, sort)
            }
            ast::ExprKind::Path(path) => self.path_pattern(path, sort, span),
            ast::ExprKind::Wildcard => Pattern { kind: PatternKind::Wildcard, span },
            ast::ExprKind::Error => {
                self.failed = true;
                Pattern { kind: PatternKind::Error, span }
            }
            _ => self.bad_pattern(span),
        }
    }

    fn bad_pattern(&mut self, span: Span) -> Pattern {
        self.report(BadPattern { span });
        Pattern { kind: PatternKind::Error, span }
    }

    /// A pattern of `is` or of a set: names are values that must be there.
    pub fn test_pattern(&mut self, pattern: &ast::Expr, sort: Sort) -> Pattern {
        let span = pattern.span;
        let made = |kind| Pattern { kind, span };
        if self.shallow(sort) == Sort::Error {
            // Nobody knows what is tested, so nothing can be said about the test.
            self.failed = true;
            return made(PatternKind::Error);
        }
        if self.binds
            && let Some(kind) = self.bound_by_step(pattern, sort)
        {
            return made(kind);
        }
        match &pattern.kind {
            ast::ExprKind::Wildcard => made(PatternKind::Wildcard),
            ast::ExprKind::Tau if self.unify(sort, Sort::Action) => made(PatternKind::Tau),
            ast::ExprKind::Sync(inner) if self.unify(sort, Sort::Action) => {
                let inner = self.test_pattern(inner, Sort::Action);
                made(PatternKind::Sync(Box::new(inner)))
            }
            ast::ExprKind::Co(inner) if self.unify(sort, Sort::Action) => {
                let inner = self.test_pattern(inner, Sort::Action);
                made(PatternKind::Co(Box::new(inner)))
            }
            ast::ExprKind::Name(name) if self.shallow(sort) == Sort::Action => {
                self.action_pattern(Ident { name: *name, span }, None, span)
            }
            ast::ExprKind::Call(call) if self.shallow(sort) == Sort::Action => {
                match call.callee.as_name() {
                    Some(ident) => self.action_pattern(ident, Some(&call.args), span),
                    None => self.qualified_action_pattern(&call.callee, Some(&call.args), span),
                }
            }
            ast::ExprKind::Path(path) if self.shallow(sort) == Sort::Action => {
                self.qualified_action_pattern(path, None, span)
            }
            ast::ExprKind::Call(call) if matches!(self.shallow(sort), Sort::Data(_)) => {
                self.constructor_pattern(call, sort, span, Self::test_pattern)
            }
            ast::ExprKind::Name(name) if matches!(self.shallow(sort), Sort::Data(_)) => {
                let ident = Ident { name: *name, span };
                match self.named_constructor(ident, sort) {
                    Some(kind) => made(kind),
                    None if self.local(*name).is_some() || self.binds => {
                        self.value_pattern(pattern, sort)
                    }
                    None => {
                        if let Sort::Data(data) = self.shallow(sort) {
                            self.unknown_constructor(ident, data);
                        }
                        made(PatternKind::Error)
                    }
                }
            }
            ast::ExprKind::Tuple(values) => {
                self.tuple_pattern(values, sort, span, Self::test_pattern)
            }
            ast::ExprKind::Bool(_) | ast::ExprKind::Int(_) => self.literal_pattern(pattern, sort),
            ast::ExprKind::Error => {
                self.failed = true;
                made(PatternKind::Error)
            }
            _ => self.value_pattern(pattern, sort),
        }
    }

    /// What a step of a scenario makes of a name among its arguments that means nothing else.
    fn bound_by_step(&mut self, pattern: &ast::Expr, sort: Sort) -> Option<PatternKind> {
        let sort = self.shallow(sort);
        let ident = match pattern.kind {
            ast::ExprKind::Name(name) => Ident { name, span: pattern.span },
            ast::ExprKind::Input(ident) => ident,
            _ => return None,
        };
        let is_constructor =
            matches!(sort, Sort::Data(data) if self.constructor_index(data, ident.name).is_some());
        if sort == Sort::Action || is_constructor || self.is_unparsed(ident.name) {
            return None;
        }
        if matches!(pattern.kind, ast::ExprKind::Input(_)) {
            self.marked_in_step(ident, pattern.span);
        }
        if self.local(ident.name).is_some() || self.is_value(ident) {
            return None;
        }
        if let Sort::Data(data) = sort
            && let Some(problem) = self.misspelt_constructor(ident, data)
        {
            self.report(problem);
            return Some(PatternKind::Error);
        }
        let id = self.bind(ident, sort, LocalKind::Pattern);
        self.reads[id.index()] += 1;
        Some(PatternKind::Bind(id))
    }

    /// `put(?x)` in a scenario.
    fn marked_in_step(&mut self, ident: Ident, span: Span) {
        let what = format!("`?{}`", ident.name);
        let allowed = "the arguments of a transition's action and the actions of a vector; \
                       a scenario names values without `?`";
        let (allowed, marks) = (allowed.to_owned(), Vec::new());
        self.report(MisplacedPattern { span, what, allowed, marks });
    }

    fn value_pattern(&mut self, pattern: &ast::Expr, sort: Sort) -> Pattern {
        let value = self.expr_of(pattern, sort, None);
        Pattern { kind: PatternKind::Value(Box::new(value)), span: pattern.span }
    }

    fn literal_pattern(&mut self, pattern: &ast::Expr, sort: Sort) -> Pattern {
        let span = pattern.span;
        let (kind, own) = match &pattern.kind {
            ast::ExprKind::Bool(value) => (PatternKind::Bool(*value), Sort::Bool),
            ast::ExprKind::Int(digits) => (PatternKind::Int(super::expr::big(*digits)), Sort::Int),
            ast::ExprKind::Negate(inner) => match &inner.kind {
                ast::ExprKind::Int(digits) => {
                    let value: BigInt = -super::expr::big(*digits);
                    (PatternKind::Int(value), Sort::Int)
                }
                _ => return self.bad_pattern(span),
            },
            _ => return self.bad_pattern(span),
        };
        if !self.unify(sort, own) {
            let sort = self.resolve_sort(sort);
            let expected = self.sema.program.sort_name(sort);
            let found = self.sema.program.sort_name(own);
            self.report(Mismatch { span, expected, found, because: None });
            return Pattern { kind: PatternKind::Error, span };
        }
        Pattern { kind, span }
    }

    // ---- constructors ----

    /// The pattern of a constructor without fields that has this name.
    fn named_constructor(&mut self, ident: Ident, sort: Sort) -> Option<PatternKind> {
        // A constructor of the sort that is looked at goes before everything else.
        let found = match sort {
            Sort::Data(data) => self.constructor_index(data, ident.name).map(|index| (data, index)),
            _ => None,
        };
        let found = found.or_else(|| match self.lookup_at(Space::Values, ident)?.meaning {
            Meaning::Constructor(data, index) => Some((self.opened_data(data), index)),
            _ => None,
        })?;
        Some(self.constructor_without_fields(found, ident, sort))
    }

    fn constructor_without_fields(
        &mut self,
        (data, index): (DataId, u32),
        ident: Ident,
        sort: Sort,
    ) -> PatternKind {
        if !self.constructor_fits(data, ident, sort) {
            return PatternKind::Error;
        }
        self.names_constructor(ident, data, index);
        let constructor = &self.sema.program.datas[data.index()].constructors[index as usize];
        let (expected, declared) = (constructor.fields.len(), Some(constructor.name.span));
        if expected > 0 {
            let (name, what) = (ident.name.to_string(), "constructor".to_owned());
            self.report(ArgumentCount {
                span: ident.span,
                name,
                what,
                expected,
                found: 0,
                declared,
            });
            return PatternKind::Error;
        }
        PatternKind::Construct(data, index, Vec::new())
    }

    fn constructor_fits(&mut self, data: DataId, ident: Ident, sort: Sort) -> bool {
        if self.unify(sort, Sort::Data(data)) {
            return true;
        }
        let sort = self.resolve_sort(sort);
        let expected = self.sema.program.sort_name(sort);
        let found = self.sema.program.sort_name(Sort::Data(data));
        self.report(Mismatch { span: ident.span, expected, found, because: None });
        false
    }

    /// A name that was probably meant to be a constructor, and would match everything if it were bound.
    fn misspelt_constructor(&mut self, ident: Ident, data: DataId) -> Option<UnknownConstructor> {
        if self.is_unparsed(ident.name) {
            return None;
        }
        let constructors = &self.sema.program.datas[data.index()].constructors;
        let known: Vec<&str> = constructors.iter().map(|c| c.name.name.as_str()).collect();
        let looks_like_one = ident.name.as_str().chars().next().is_some_and(char::is_uppercase);
        let similar = if looks_like_one {
            self.sema.similar(ident.name, known)
        } else {
            let near = known.iter().find(|known| nearly_the_same(ident.name.as_str(), known));
            near.map(|near| (*near).to_owned())
        };
        let (name, sort) = (ident.name.to_string(), self.sema.program.sort_name(Sort::Data(data)));
        let problem = UnknownConstructor { span: ident.span, name, sort, similar };
        (looks_like_one || problem.similar.is_some()).then_some(problem)
    }

    fn unknown_constructor(&mut self, ident: Ident, data: DataId) {
        self.failed = true;
        if self.is_unparsed(ident.name) {
            return;
        }
        let constructors = &self.sema.program.datas[data.index()].constructors;
        let known: Vec<&str> = constructors.iter().map(|c| c.name.name.as_str()).collect();
        let similar = self.sema.similar(ident.name, known);
        let (name, sort) = (ident.name.to_string(), self.sema.program.sort_name(Sort::Data(data)));
        self.report(UnknownConstructor { span: ident.span, name, sort, similar });
    }

    fn constructor_pattern(
        &mut self,
        call: &ast::Call,
        sort: Sort,
        span: Span,
        inside: fn(&mut Self, &ast::Expr, Sort) -> Pattern,
    ) -> Pattern {
        let error = Pattern { kind: PatternKind::Error, span };
        let ident = call.callee.parts[call.callee.parts.len() - 1];
        let of_sort = match sort {
            Sort::Data(data) => self.constructor_index(data, ident.name).map(|index| (data, index)),
            _ => None,
        };
        let declared = of_sort.or_else(|| match self.resolve(Space::Values, &call.callee) {
            Resolved::Known(declared, _, []) => match declared.meaning {
                Meaning::Constructor(data, index) => Some((self.opened_data(data), index)),
                _ => None,
            },
            _ => None,
        });
        let Some((data, index)) = declared else {
            match sort {
                Sort::Data(data) => self.unknown_constructor(ident, data),
                Sort::Error => self.failed = true,
                _ => {
                    self.bad_pattern(span);
                }
            }
            // The names are bound all the same.
            for arg in &call.args {
                inside(self, arg, Sort::Error);
            }
            return error;
        };
        self.fields_pattern((data, index), ident, &call.args, (sort, span), inside)
    }

    /// A constructor with patterns for its fields.
    pub(super) fn fields_pattern(
        &mut self,
        (data, index): (DataId, u32),
        ident: Ident,
        args: &[ast::Expr],
        (sort, span): (Sort, Span),
        inside: fn(&mut Self, &ast::Expr, Sort) -> Pattern,
    ) -> Pattern {
        let error = Pattern { kind: PatternKind::Error, span };
        if !self.constructor_fits(data, ident, sort) {
            return error;
        }
        self.names_constructor(ident, data, index);
        let constructor = &self.sema.program.datas[data.index()].constructors[index as usize];
        let sorts: Vec<Sort> = constructor.fields.iter().map(|field| field.1).collect();
        if sorts.len() != args.len() {
            let declared = Some(constructor.name.span);
            let (name, what) = (ident.name.to_string(), "constructor".to_owned());
            let (expected, found) = (sorts.len(), args.len());
            self.report(ArgumentCount { span: ident.span, name, what, expected, found, declared });
            // The names are bound all the same.
            for arg in args {
                inside(self, arg, Sort::Error);
            }
            return error;
        }
        let inner = args.iter().zip(sorts).map(|(arg, sort)| inside(self, arg, sort)).collect();
        Pattern { kind: PatternKind::Construct(data, index, inner), span }
    }

    fn path_pattern(&mut self, path: &ast::Path, sort: Sort, span: Span) -> Pattern {
        let ident = path.parts[path.parts.len() - 1];
        match self.resolve(Space::Values, path) {
            Resolved::Known(declared, _, []) => {
                if let Meaning::Constructor(data, index) = declared.meaning {
                    let data = self.opened_data(data);
                    let kind = self.constructor_without_fields((data, index), ident, sort);
                    return Pattern { kind, span };
                }
                self.bad_pattern(span)
            }
            _ => match self.named_constructor(ident, sort) {
                Some(kind) => Pattern { kind, span },
                None => self.bad_pattern(span),
            },
        }
    }

    // ---- actions ----

    fn qualified_action_pattern(
        &mut self,
        path: &ast::Path,
        args: Option<&[ast::Expr]>,
        span: Span,
    ) -> Pattern {
        match self.resolve(Space::Values, path) {
            Resolved::Known(declared, ident, []) => self.action_pattern_of(
                Some(declared.meaning),
                ident,
                args.unwrap_or_default(),
                span,
            ),
            _ => {
                self.unknown_module(path.parts[0]);
                Pattern { kind: PatternKind::Error, span }
            }
        }
    }

    fn action_pattern(&mut self, ident: Ident, args: Option<&[ast::Expr]>, span: Span) -> Pattern {
        if args.is_none()
            && let Some(id) = self.local(ident.name)
            && self.shallow(self.locals[id.index()].sort) == Sort::Action
        {
            let value = self.read(id, span);
            return Pattern { kind: PatternKind::Value(Box::new(value)), span };
        }
        if args.is_none()
            && let Some(value) = self.seen_parameter(ident.name, span)
            && value.sort == Sort::Action
        {
            return Pattern { kind: PatternKind::Value(Box::new(value)), span };
        }
        let declared = self.lookup_at(Space::Values, ident);
        let meaning = declared.map(|declared| declared.meaning);
        self.action_pattern_of(meaning, ident, args.unwrap_or_default(), span)
    }

    fn action_pattern_of(
        &mut self,
        meaning: Option<Meaning>,
        ident: Ident,
        args: &[ast::Expr],
        span: Span,
    ) -> Pattern {
        let Some(id) = self.action_of(meaning, ident, args.len()) else {
            return Pattern { kind: PatternKind::Error, span };
        };
        self.use_action(id);
        let sorts = self.sema.program.actions[id.index()].sorts.clone();
        let inner =
            args.iter().zip(sorts).map(|(arg, sort)| self.test_pattern(arg, sort)).collect();
        Pattern { kind: PatternKind::Act(id, inner), span }
    }
}

/// The name that a pattern of a datatype shows in messages.
pub(super) fn constructor_name(name: Symbol, fields: &[String]) -> String {
    if fields.is_empty() { name.to_string() } else { format!("{name}({})", fields.join(", ")) }
}

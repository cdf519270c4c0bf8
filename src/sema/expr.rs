//! The sorts of expressions. What an action term may look like depends on where it stands: see
//! [`super::action`].

use num_bigint::BigInt;

use super::body::{Body, Resolved, Strangers};
use super::leaf_names::{Written, written};
use super::problems::{
    ArgumentCount, FormulaForm, FormulaMistake, MisplacedPattern, MisplacedSet, NotArray,
    NotCallable, NotData, RangeOfNext, SortAsValue, UnboundGuard, UnboundResult, UnknownSelector,
    Untestable,
};
use super::program::{Expr, ExprKind, LocalId, LocalKind, Sort};
use super::scope::{Meaning, Space};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident, Operator, Path, Relation};
use crate::syntax::print::print_range;

impl Body<'_, '_> {
    /// An expression of the sort that is wanted.
    pub fn expr_of(
        &mut self,
        expr: &ast::Expr,
        wanted: Sort,
        because: Option<(Span, String)>,
    ) -> Expr {
        match &expr.kind {
            // What is wanted of the whole is wanted of each branch, where it can be said more exactly.
            ast::ExprKind::If(all) => {
                let condition = self.expr_of(&all.0, Sort::Bool, None);
                let yes = self.expr_of(&all.1, wanted, because.clone());
                let no = self.expr_of(&all.2, wanted, because);
                let sort = super::infer::base(self.shallow(wanted));
                let kind = ExprKind::If(Box::new((condition, yes, no)));
                Expr { kind, sort, span: expr.span }
            }
            ast::ExprKind::Match(all) => self.match_expr(all, Some((wanted, because)), expr.span),
            ast::ExprKind::Let(bound) => {
                self.named_value(bound, Some((wanted, because)), expr.span)
            }
            _ => {
                let found = self.expr(expr);
                if self.expect(&found, wanted, because) { found } else { Expr::error(expr.span) }
            }
        }
    }

    /// An expression, of whatever sort it has.
    pub fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        let (kind, sort) = match &expr.kind {
            ast::ExprKind::Error => return self.error(span),
            ast::ExprKind::Bool(value) => (ExprKind::Bool(*value), Sort::Bool),
            ast::ExprKind::Int(digits) => (integer(*digits), Sort::Int),
            ast::ExprKind::Name(name) => return self.name(Ident { name: *name, span }),
            ast::ExprKind::Path(path) => return self.path(path),
            ast::ExprKind::Wildcard => return self.misplaced_pattern(span, "_"),
            // The mark was reported.
            ast::ExprKind::Input(name) if self.strangers != Strangers::Unknown => {
                self.failed = true;
                return self.name(*name);
            }
            ast::ExprKind::Input(name) => {
                return self.misplaced_pattern(span, &format!("?{}", name.name));
            }
            ast::ExprKind::Tau | ast::ExprKind::Sync(_) | ast::ExprKind::Co(_) => {
                return self.action_value(expr);
            }
            ast::ExprKind::Call(call) => return self.call(call, span),
            ast::ExprKind::Field(field) => return self.field(&field.0, field.1, span),
            ast::ExprKind::Index(both) => return self.index(&both.0, &both.1, span),
            ast::ExprKind::Update(all) => return self.update(all, span),
            ast::ExprKind::ConstArray(both) => {
                let value_sort = self.local_sort(&both.0);
                let value = self.expr_of(&both.1, value_sort, None);
                self.check_range(&value, value_sort, Some(both.0.span));
                let key = self.fresh();
                (ExprKind::ConstArray(Box::new(value)), self.sema.array(key, value_sort))
            }
            ast::ExprKind::Set(_) => {
                self.report(MisplacedSet { span });
                return Expr::error(span);
            }
            ast::ExprKind::Tuple(values) => return self.tuple(values, span),
            ast::ExprKind::OfSort(both) => {
                let wanted = self.local_sort(&both.1);
                let because = Some((both.1.span, "the sort is written here".to_owned()));
                let value = self.expr_of(&both.0, wanted, because);
                self.check_range(&value, wanted, Some(both.1.span));
                return value;
            }
            ast::ExprKind::Sort(_) => {
                self.report(SortAsValue { span, name: String::new() });
                return Expr::error(span);
            }
            ast::ExprKind::Not(inner) => {
                let inner = self.expr_of(inner, Sort::Bool, None);
                (ExprKind::Not(Box::new(inner)), Sort::Bool)
            }
            ast::ExprKind::Negate(inner) => {
                let inner = self.expr_of(inner, Sort::Int, None);
                (ExprKind::Negate(Box::new(inner)), Sort::Int)
            }
            ast::ExprKind::Chain(chain) => return self.chain(chain, span),
            ast::ExprKind::Compare(comparison) => return self.comparison(comparison, span),
            ast::ExprKind::Implies(both) => {
                return self.implies(&both.0, &both.1, span);
            }
            ast::ExprKind::Is(test) => return self.is_test(test, span),
            ast::ExprKind::In(test) => return self.in_test(test, span),
            ast::ExprKind::If(all) => {
                let condition = self.expr_of(&all.0, Sort::Bool, None);
                let yes = self.expr(&all.1);
                let because = Some((all.1.span, self.has_sort(&yes)));
                let no = self.expr_of(&all.2, yes.sort, because);
                let sort = super::infer::base(yes.sort);
                (ExprKind::If(Box::new((condition, yes, no))), sort)
            }
            ast::ExprKind::Match(all) => return self.match_expr(all, None, span),
            ast::ExprKind::Let(bound) => return self.named_value(bound, None, span),
            ast::ExprKind::With(with) => return self.with(with, span),
            ast::ExprKind::Quantified(quantified) => return self.quantified(quantified, span),
            ast::ExprKind::Temporal(_) => {
                self.report(FormulaForm { span, mistake: FormulaMistake::Value });
                return Expr::error(span);
            }
        };
        Expr { kind, sort, span }
    }

    /// Something that was reported already.
    pub(super) fn error(&mut self, span: Span) -> Expr {
        self.failed = true;
        Expr::error(span)
    }

    /// "this has sort `Int`", for a secondary label.
    pub fn has_sort(&self, expr: &Expr) -> String {
        format!("this has sort `{}`", self.name_so_far(expr.sort))
    }

    pub fn misplaced_pattern(&mut self, span: Span, text: &str) -> Expr {
        let what = format!("`{text}`");
        let allowed = if text == "_" {
            "the arguments of an action and patterns"
        } else {
            "the arguments of a transition's action and the actions of a vector"
        };
        let (allowed, marks) = (allowed.to_owned(), Vec::new());
        self.report(MisplacedPattern { span, what, allowed, marks });
        Expr::error(span)
    }

    pub fn read(&mut self, id: LocalId, span: Span) -> Expr {
        self.names_local(id, span);
        self.read_unnamed(id, span)
    }

    /// The same for what has no name in the text.
    pub fn read_unnamed(&mut self, id: LocalId, span: Span) -> Expr {
        self.reads[id.index()] += 1;
        Expr { kind: ExprKind::Local(id), sort: self.locals[id.index()].sort, span }
    }

    fn name(&mut self, ident: Ident) -> Expr {
        if let Some(id) = self.local(ident.name) {
            return match self.members.contains_key(&id) {
                true => self.member_as_value(id, ident),
                false => self.read(id, ident.span),
            };
        }
        if self.is_property() {
            return self.leaf_variable(&vec![(ident, None)], ident.span);
        }
        if self.is_port(ident.name) {
            return self.port_as_value(ident);
        }
        if let Some(value) = self.seen_parameter(ident.name, ident.span) {
            return value;
        }
        match self.lookup_at(Space::Values, ident) {
            Some(declared) => self.value(&declared.meaning, ident, declared.span),
            None => self.stranger(ident),
        }
    }

    /// A name that is used without arguments.
    fn value(&mut self, meaning: &Meaning, ident: Ident, declared: Span) -> Expr {
        let span = ident.span;
        match *meaning {
            Meaning::Const(id) => {
                let sort = self.sema.program.consts[id.index()].sort;
                Expr { kind: ExprKind::Const(id), sort, span }
            }
            Meaning::Constructor(data, index) => {
                self.names_constructor(ident, data, index);
                let data = self.opened_data(data);
                let def = &self.sema.program.datas[data.index()].constructors[index as usize];
                let wanted = def.fields.len();
                if wanted > 0 && !self.is_unparsed(ident.name) {
                    self.argument_count(ident, "constructor", wanted, 0, declared);
                    return Expr::error(span);
                }
                let kind = ExprKind::Construct(data, index, Vec::new());
                Expr { kind, sort: Sort::Data(data), span }
            }
            Meaning::Fun(id) => {
                let wanted = self.sema.program.funs[id.index()].params.len();
                self.argument_count(ident, "function", wanted, 0, declared);
                Expr::error(span)
            }
            Meaning::Actions(_) => match self.action_of(Some(meaning.clone()), ident, 0) {
                Some(id) => {
                    self.use_action(id);
                    Expr { kind: ExprKind::Act(id, Vec::new()), sort: Sort::Action, span }
                }
                None => Expr::error(span),
            },
            _ => {
                self.wrong_kind(ident, "a value");
                Expr::error(span)
            }
        }
    }

    fn argument_count(
        &mut self,
        ident: Ident,
        what: &str,
        expected: usize,
        found: usize,
        declared: Span,
    ) {
        self.report(ArgumentCount {
            span: ident.span,
            name: ident.name.to_string(),
            what: what.to_owned(),
            expected,
            found,
            declared: Some(declared),
        });
    }

    /// A name that nobody declared.
    fn stranger(&mut self, ident: Ident) -> Expr {
        match self.strangers {
            Strangers::Variables if self.parts.contains(&ident.name) => {
                let (span, name) = (ident.span, ident.name.to_string());
                self.report(UnboundGuard { span, name, similar: None });
                Expr::error(span)
            }
            Strangers::Variables if !self.is_unparsed(ident.name) => {
                let sort = self.fresh();
                let id = self.bind(ident, sort, LocalKind::VectorData);
                self.read(id, ident.span)
            }
            Strangers::UnboundInGuard | Strangers::UnboundInResult
                if !self.is_unparsed(ident.name) =>
            {
                let kinds = [LocalKind::VectorData, LocalKind::VectorAction, LocalKind::Index];
                let known = self.local_names(&kinds);
                let similar = self.sema.similar(ident.name, known);
                let similar_local = similar.as_deref().and_then(|s| self.local(Symbol::new(s)));
                if let Some(local) = similar_local {
                    self.reads[local.index()] += 1;
                }
                let (span, name) = (ident.span, ident.name.to_string());
                if self.strangers == Strangers::UnboundInGuard {
                    self.report(UnboundGuard { span, name, similar });
                } else {
                    let data = self.data_of_ports();
                    self.report(UnboundResult { span, name, similar, data });
                }
                Expr::error(span)
            }
            _ => {
                self.unknown_value(ident);
                Expr::error(ident.span)
            }
        }
    }

    /// `m.seq`, `timer.max`, `Light.Red`
    fn path(&mut self, path: &Path) -> Expr {
        let [first, rest @ ..] = path.parts.as_slice() else { return Expr::error(path.span()) };
        let is_member = self.is_member(first.name);
        if let Some(id) = self.local(first.name).filter(|_| !is_member) {
            let inner = self.read(id, first.span);
            return self.fields(inner, rest);
        }
        if let ([data, rest @ ..], true) = (rest, self.is_port(first.name)) {
            let inner = self.port_data(*first, None, *data);
            return self.fields(inner, rest);
        }
        if self.names_leaf(first.name) {
            let way = path.parts.iter().map(|&part| (part, None)).collect();
            let mut way: Written<'_> = self.way_of_member(way);
            let named = self.leaf_names(&way).unwrap_or(way.len());
            // As many names of the text are left as of the whole path.
            let end = (path.parts.len() + named).saturating_sub(way.len()).max(1);
            way.truncate(named);
            let variable =
                self.leaf_variable(&way, path.parts[0].span.to(path.parts[end - 1].span));
            return self.fields(variable, &path.parts[end..]);
        }
        if let Some(value) = self.seen_parameter(first.name, first.span) {
            return self.fields(value, rest);
        }
        match self.resolve(Space::Values, path) {
            Resolved::Known(declared, ident, rest) => {
                let value = self.value(&declared.meaning, ident, declared.span);
                self.fields(value, rest)
            }
            Resolved::NotIn(ident) => {
                self.unknown_value(ident);
                Expr::error(path.span())
            }
            Resolved::Unknown => self.constructor_of_sort(path),
        }
    }

    /// `Light.Red`: a constructor behind the name of its sort.
    fn constructor_of_sort(&mut self, path: &Path) -> Expr {
        if let Resolved::Known(declared, _, [constructor, rest @ ..]) =
            self.resolve(Space::Sorts, path)
            && let Meaning::Data(data) = declared.meaning
            && let Some(index) = self.constructor_index(data, constructor.name)
        {
            let meaning = Meaning::Constructor(data, index);
            let value = self.value(&meaning, *constructor, declared.span);
            return self.fields(value, rest);
        }
        let first = path.parts[0];
        if self.is_unparsed(first.name) {
            return self.error(path.span());
        }
        if self.strangers == Strangers::Unknown {
            self.unknown_value(first);
            Expr::error(path.span())
        } else {
            let inner = self.stranger(first);
            self.fields(inner, &path.parts[1..])
        }
    }

    pub fn constructor_index(&self, data: super::program::DataId, name: Symbol) -> Option<u32> {
        let constructors = &self.sema.program.datas[data.index()].constructors;
        constructors.iter().position(|c| c.name.name == name).map(|index| index as u32)
    }

    pub fn fields(&mut self, inner: Expr, names: &[Ident]) -> Expr {
        names.iter().fold(inner, |inner, &name| self.select(inner, name))
    }

    fn field(&mut self, inner: &ast::Expr, name: Ident, span: Span) -> Expr {
        if let Some(path) = written(inner)
            && self.names_leaf(path[0].0.name)
            && (self.local(path[0].0.name).is_none() || self.is_member(path[0].0.name))
        {
            let mut path = self.way_of_member(path);
            path.push((name, None));
            // What is shorter is the value of a variable, from which something is selected; or it is no leaf's.
            let is_leaf = match self.leaf_names(&path) {
                Some(named) => named == path.len(),
                None => !self.is_value(path[0].0),
            };
            if is_leaf {
                return self.leaf_variable(&path, span);
            }
        }
        if let ast::ExprKind::Index(both) = &inner.kind
            && let ast::ExprKind::Name(port) = both.0.kind
            && self.is_port(port)
            && self.local(port).is_none()
        {
            let port = Ident { name: port, span: both.0.span };
            return self.port_data(port, Some((&both.1, inner.span)), name);
        }
        let inner = self.expr(inner);
        self.select(inner, name)
    }

    pub fn select(&mut self, inner: Expr, name: Ident) -> Expr {
        let span = inner.span.to(name.span);
        let data = match self.shallow(inner.sort) {
            Sort::Data(data) => data,
            Sort::Error => return Expr::error(span),
            other => {
                let found = self.sema.program.sort_name(other);
                self.report(NotData { span: name.span, found, selector: name.name.to_string() });
                return Expr::error(span);
            }
        };
        self.names_field(name, data);
        if let Some((index, field)) = self.sema.program.datas[data.index()].first(name.name) {
            let Some(sort) = self.field_sort(data, name) else { return Expr::error(span) };
            let kind = ExprKind::Select(data, index, field, Box::new(inner));
            return Expr { kind, sort, span };
        }
        self.unknown_selector(data, name);
        Expr::error(span)
    }

    /// Reports a field that no constructor has.
    pub fn unknown_selector(&mut self, data: super::program::DataId, name: Ident) {
        let constructors = &self.sema.program.datas[data.index()].constructors;
        let fields = constructors.iter().flat_map(|c| c.fields.iter().map(|f| f.0.name.as_str()));
        let known: Vec<&str> = fields.collect();
        let sort = self.sema.program.sort_name(Sort::Data(data));
        let similar = self.sema.similar(name.name, known);
        let text = name.name.to_string();
        self.report(UnknownSelector { span: name.span, name: text, sort, similar });
    }

    // ---- uses of functions, constructors and actions ----

    fn call(&mut self, call: &ast::Call, span: Span) -> Expr {
        let name = call.callee.parts[0];
        if call.callee.as_name().is_some()
            && let Some(id) = self.local(name.name)
        {
            let what = self.locals[id.index()].kind.in_words().to_owned();
            let text = name.name.to_string();
            self.report(NotCallable { span: name.span, name: text, what });
            return Expr::error(span);
        }
        let (declared, ident) = match self.resolve(Space::Values, &call.callee) {
            Resolved::Known(declared, ident, []) => (declared, ident),
            Resolved::Known(_, _, rest) => {
                self.unknown_value(rest[0]);
                return Expr::error(span);
            }
            Resolved::NotIn(ident) => {
                self.unknown_value(ident);
                return Expr::error(span);
            }
            Resolved::Unknown => return self.unknown_callee(call, span),
        };
        match declared.meaning {
            Meaning::Fun(id) => {
                let id = self.opened_fun(id);
                let params = self.sema.program.funs[id.index()].params.clone();
                let result = self.sema.program.funs[id.index()].result;
                let args = self.args(&call.args, ident, "function", &params, declared.span);
                let Some(args) = args else { return Expr::error(span) };
                Expr { kind: ExprKind::Apply(id, args), sort: result, span }
            }
            Meaning::Constructor(data, index) => {
                self.construct(call, ident, (data, index), declared.span, span)
            }
            Meaning::Actions(_) => self.act(call, &declared.meaning, ident, span),
            meaning => {
                let what = meaning.in_words().split_once(' ').map_or("name", |(_, noun)| noun);
                let (text, what) = (ident.name.to_string(), what.to_owned());
                self.report(NotCallable { span: ident.span, name: text, what });
                Expr::error(span)
            }
        }
    }

    fn construct(
        &mut self,
        call: &ast::Call,
        ident: Ident,
        (data, index): (super::program::DataId, u32),
        declared: Span,
        span: Span,
    ) -> Expr {
        self.names_constructor(ident, data, index);
        let data = self.opened_data(data);
        let fields = &self.sema.program.datas[data.index()].constructors[index as usize].fields;
        let sorts: Vec<Sort> = fields.iter().map(|field| field.1).collect();
        let args = self.args(&call.args, ident, "constructor", &sorts, declared);
        let Some(args) = args else { return Expr::error(span) };
        Expr { kind: ExprKind::Construct(data, index, args), sort: Sort::Data(data), span }
    }

    /// `Sort.Constructor(x)`, or something unknown.
    fn unknown_callee(&mut self, call: &ast::Call, span: Span) -> Expr {
        if let Resolved::Known(declared, _, [constructor]) =
            self.resolve(Space::Sorts, &call.callee)
            && let Meaning::Data(data) = declared.meaning
            && let Some(index) = self.constructor_index(data, constructor.name)
        {
            return self.construct(call, *constructor, (data, index), declared.span, span);
        }
        for arg in &call.args {
            self.expr(arg);
        }
        let name = call.callee.parts[0];
        if call.callee.parts.len() > 1 {
            self.unknown_module(name);
        } else {
            let was = std::mem::replace(&mut self.strangers, Strangers::Unknown);
            self.unknown_callable(name);
            self.strangers = was;
        }
        Expr::error(span)
    }

    fn unknown_callable(&mut self, ident: Ident) {
        self.failed = true;
        if self.is_unparsed(ident.name) {
            return;
        }
        let known = self.names_in(Space::Values, |m| !matches!(m, Meaning::Const(_)));
        let similar = self.sema.similar(ident.name, known);
        if similar.is_none() && self.wrong_kind(ident, "a function or constructor")
            || self.is_excused(similar.as_ref())
        {
            return;
        }
        let name = ident.name.to_string();
        let (span, input) = (ident.span, false);
        self.report(super::problems::UnknownName { span, name, similar, input });
    }

    pub(super) fn args(
        &mut self,
        call: &[ast::Expr],
        ident: Ident,
        what: &str,
        sorts: &[Sort],
        declared: Span,
    ) -> Option<Vec<Expr>> {
        if call.len() != sorts.len() {
            for arg in call {
                self.expr(arg);
            }
            let broken = call.iter().any(|arg| matches!(arg.kind, ast::ExprKind::Error));
            if broken || self.is_unparsed(ident.name) {
                self.failed = true;
            } else {
                self.argument_count(ident, what, sorts.len(), call.len(), declared);
            }
            return None;
        }
        let args = call.iter().zip(sorts).map(|(arg, &sort)| {
            let because = Some((declared, format!("the {what} is declared here")));
            let value = self.expr_of(arg, sort, because);
            // What is over sorts says in the end into which range it goes.
            if !matches!(sort, Sort::Unknown(_)) {
                self.check_range(&value, sort, None);
            }
            value
        });
        Some(args.collect())
    }

    // ---- arrays ----

    fn index(&mut self, array: &ast::Expr, index: &ast::Expr, span: Span) -> Expr {
        let array = self.expr(array);
        self.index_of(array, index, span)
    }

    /// An element of an array.
    pub fn index_of(&mut self, array: Expr, index: &ast::Expr, span: Span) -> Expr {
        let Some((key, value)) = self.array_parts(&array) else {
            self.expr(index);
            return Expr::error(span);
        };
        let index = self.expr_of(index, key, None);
        if let ExprKind::Local(id) = index.kind
            && self.locals[id.index()].kind == LocalKind::Index
        {
            // An array with a place for each index has the places of its range.
            self.unify_places(key, index.sort);
        }
        self.check_range(&index, key, None);
        Expr { kind: ExprKind::Index(Box::new((array, index))), sort: value, span }
    }

    fn update(&mut self, all: &(ast::Expr, ast::Expr, ast::Expr), span: Span) -> Expr {
        let array = self.expr(&all.0);
        let Some((key, value)) = self.array_parts(&array) else {
            self.expr(&all.1);
            self.expr(&all.2);
            return Expr::error(span);
        };
        let index = self.expr_of(&all.1, key, None);
        self.check_range(&index, key, None);
        let new = self.expr_of(&all.2, value, None);
        self.check_range(&new, value, None);
        let sort = array.sort;
        Expr { kind: ExprKind::Update(Box::new((array, index, new))), sort, span }
    }

    fn array_parts(&mut self, array: &Expr) -> Option<(Sort, Sort)> {
        match self.shallow(array.sort) {
            Sort::Array(id) => Some(self.sema.program.arrays[id.index()]),
            Sort::Unknown(_) => {
                let (key, value) = (self.fresh(), self.fresh());
                let sort = self.sema.array(key, value);
                self.unify(array.sort, sort).then_some((key, value))
            }
            Sort::Error => None,
            other => {
                let found = self.sema.program.sort_name(other);
                self.report(NotArray { span: array.span, found, guard: None });
                None
            }
        }
    }

    // ---- operators ----

    fn chain(&mut self, chain: &ast::Chain, span: Span) -> Expr {
        let first_operator = chain.rest.first().map_or(Operator::Add, |rest| rest.0);
        let sort = match first_operator {
            Operator::And | Operator::Or => Sort::Bool,
            _ => Sort::Int,
        };
        let because = |operator: Operator, at: Span, body: &Body<'_, '_>| {
            let wanted = body.sema.program.sort_name(sort);
            Some((at, format!("`{}` works on `{wanted}`", operator.spelling())))
        };
        let first_sign = chain.rest.first().map_or(span, |rest| rest.1);
        let reason = because(first_operator, first_sign, self);
        let first = self.expr_of(&chain.first, sort, reason);
        let mut rest = Vec::with_capacity(chain.rest.len());
        for (operator, at, operand) in &chain.rest {
            let reason = because(*operator, *at, self);
            let operand = self.expr_of(operand, sort, reason);
            if operator.divides() {
                self.check_divisor(&operand);
            }
            rest.push((*operator, operand));
        }
        Expr { kind: ExprKind::Chain(Box::new((first, rest))), sort, span }
    }

    fn implies(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let (left, right) = (self.expr(left), self.expr(right));
        let hint = |sort| super::infer::base(sort) == Sort::Int;
        if hint(self.shallow(left.sort)) && hint(self.shallow(right.sort)) {
            let because = "`=>` is implication; integers are compared with `>=`".to_owned();
            self.expect(&left, Sort::Bool, Some((span, because)));
            return Expr::error(span);
        }
        let fits = self.expect(&left, Sort::Bool, None) & self.expect(&right, Sort::Bool, None);
        if !fits {
            return Expr::error(span);
        }
        Expr { kind: ExprKind::Implies(Box::new((left, right))), sort: Sort::Bool, span }
    }

    fn comparison(&mut self, comparison: &ast::Comparison, span: Span) -> Expr {
        let relation = comparison.relation;
        if let Some(compared) = self.same_member(comparison, span) {
            return compared;
        }
        let (left, right) = if matches!(relation, Relation::Equal | Relation::NotEqual) {
            let left = self.expr(&comparison.left);
            let because = Some((comparison.left.span, self.has_sort(&left)));
            let right = self.expr_of(&comparison.right, left.sort, because);
            (left, right)
        } else {
            let because =
                || Some((comparison.sign, format!("`{}` compares integers", relation.spelling())));
            let left = self.expr(&comparison.left);
            // One operand of another sort is enough to be told about.
            if !self.expect(&left, Sort::Int, because()) {
                self.expr(&comparison.right);
                return Expr::error(span);
            }
            (left, self.expr_of(&comparison.right, Sort::Int, because()))
        };
        Expr { kind: ExprKind::Compare(relation, Box::new((left, right))), sort: Sort::Bool, span }
    }

    fn is_test(&mut self, test: &ast::Test, span: Span) -> Expr {
        let subject = self.expr(&test.subject);
        let sort = self.shallow(subject.sort);
        if !matches!(sort, Sort::Data(_) | Sort::Action | Sort::Error | Sort::Unknown(_)) {
            let found = self.sema.program.sort_name(sort);
            self.report(Untestable { span: subject.span, found });
            return Expr::error(span);
        }
        let pattern = self.test_pattern(&test.against, sort);
        let kind = ExprKind::Is(Box::new((subject, pattern)), test.negated);
        Expr { kind, sort: Sort::Bool, span }
    }

    fn in_test(&mut self, test: &ast::Test, span: Span) -> Expr {
        // A name that a quantifier binds is no leaf.
        let bound = matches!(
            test.subject.kind,
            ast::ExprKind::Name(name) if self.local(name).is_some() && !self.is_member(name)
        );
        if self.is_property() && !bound {
            return self.state_test(test, span);
        }
        let subject = self.expr(&test.subject);
        let said = "`in` tests whether an action is in a set; compare values with `==`";
        // What is no action is enough to be told about.
        if !self.expect(&subject, Sort::Action, Some((test.against.span, said.to_owned()))) {
            return Expr::error(span);
        }
        let set = self.action_set(&test.against);
        let kind = ExprKind::In(Box::new((subject, set)), test.negated);
        Expr { kind, sort: Sort::Bool, span }
    }

    fn quantified(&mut self, quantified: &ast::Quantified, span: Span) -> Expr {
        let mark = self.enter();
        let mut ids = Vec::new();
        for (ident, by) in &quantified.variables {
            let sort = match by {
                ast::BoundBy::Use => self.fresh(),
                ast::BoundBy::Sort(ast::Sort { kind: ast::SortKind::Range(range), .. }) => {
                    Sort::Range(self.repeated_range(range))
                }
                ast::BoundBy::Sort(sort) => self.local_sort(sort),
                ast::BoundBy::Members(path) => {
                    let Some(more) = self.bind_member(*ident, path) else {
                        self.leave(mark);
                        return Expr::error(span);
                    };
                    ids.extend(more);
                    continue;
                }
            };
            ids.push(self.bind(*ident, sort, LocalKind::Quantified));
        }
        let body = self.expr_of(&quantified.body, Sort::Bool, None);
        self.leave(mark);
        self.ranges_of_others(quantified, &ids);
        if ids.is_empty() {
            return Expr { span, ..body };
        }
        let kind = ExprKind::Quantified(quantified.universal, ids, Box::new(body));
        Expr { kind, sort: Sort::Bool, span }
    }

    /// Reports integers without a range before a variable that has one: `forall i, j: 0..n`.
    fn ranges_of_others(&mut self, quantified: &ast::Quantified, ids: &[LocalId]) {
        let mut given: Option<(Symbol, &ast::Range)> = None;
        for (ident, by) in quantified.variables.iter().rev() {
            let own = ids.iter().map(|id| self.locals[id.index()]);
            let own = own.rev().find(|local| local.span == ident.span).map(|local| local.sort);
            match (by, given.zip(own)) {
                (ast::BoundBy::Sort(ast::Sort { kind: ast::SortKind::Range(range), .. }), _) => {
                    given = Some((ident.name, range))
                }
                (ast::BoundBy::Sort(_) | ast::BoundBy::Members(_), _) => given = None,
                (ast::BoundBy::Use, Some(((next, range), own)))
                    if self.resolve_sort(own) == Sort::Int =>
                {
                    self.report(RangeOfNext {
                        span: ident.span,
                        name: ident.name.to_string(),
                        next: next.to_string(),
                        range: print_range(range),
                    });
                }
                (ast::BoundBy::Use, _) => {}
            }
        }
    }
}

/// An integer from its digits.
pub(super) fn integer(digits: Symbol) -> ExprKind {
    match digits.as_str().parse::<i64>() {
        Ok(small) => ExprKind::Int(small),
        Err(_) => ExprKind::BigInt(Box::new(big(digits))),
    }
}

/// An integer from its digits, however many.
pub(super) fn big(digits: Symbol) -> BigInt {
    BigInt::parse_bytes(digits.as_str().as_bytes(), 10).unwrap_or_default()
}

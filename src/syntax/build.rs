//! How the grammar builds trees: one place that keeps every tree shallow enough to be walked.

use super::ast::{
    BoundBy, Call, Chain, Connector, ConnectorKind, Expr, ExprKind, Fill, Head, Ident, Instance,
    MAX_DEPTH, Operator, Path, Sort, SortKind,
};
use super::problems::{SyntaxProblem, TooDeep};
use super::statement::{Misfit, Recovery, skipped};
use crate::diagnostics::Span;

/// What the grammar's actions share while one statement is parsed.
#[derive(Debug, Default)]
pub struct Builder {
    /// What was found to be wrong so far.
    pub problems: Vec<SyntaxProblem>,
    /// Mistakes inside lists that the grammar went past.
    pub skipped: Vec<Misfit>,
    reported_depth: bool,
}

/// What the grammar carried in boxes, because it is large.
pub fn unboxed<T>(list: Vec<Box<T>>) -> Vec<T> {
    list.into_iter().map(|one| *one).collect()
}

impl Builder {
    /// An expression of this kind from `start` to `end`.
    pub fn expr(&mut self, kind: ExprKind, start: u32, end: u32) -> Expr {
        let span = Span::new(start, end);
        let depth = depth_of(&kind);
        if self.too_deep(depth, span) {
            return Expr { kind: ExprKind::Error, span, depth: 0 };
        }
        Expr { kind, span, depth }
    }

    /// A path as an expression.
    pub fn path_expr(&mut self, path: (Ident, Vec<Ident>)) -> Expr {
        if path.1.is_empty() {
            return Expr { kind: ExprKind::Name(path.0.name), span: path.0.span, depth: 0 };
        }
        let path = Path::from(path);
        let span = path.span();
        // Each selector is a level for whoever walks the typed tree.
        let depth = u16::try_from(path.parts.len()).unwrap_or(u16::MAX);
        if self.too_deep(depth, span) {
            return Expr { kind: ExprKind::Error, span, depth: 0 };
        }
        Expr { kind: ExprKind::Path(Box::new(path)), span, depth }
    }

    /// `first operator second`, where `first` may already be a chain of this level.
    pub fn chain(
        &mut self,
        first: Expr,
        rest: Vec<(Operator, Span, Expr)>,
        (start, end): (u32, u32),
    ) -> Expr {
        self.expr(ExprKind::Chain(Box::new(Chain { first, rest })), start, end)
    }

    /// A use of a function, constructor or action.
    pub fn call(&mut self, callee: Path, args: Vec<Expr>, end: u32) -> Expr {
        let start = callee.span().start;
        self.expr(ExprKind::Call(Box::new(Call { callee, args })), start, end)
    }

    /// A sort with a name; `actions`, the sort of sets of actions, is one that only parameters have.
    pub fn named_sort(&mut self, path: Path) -> Sort {
        let span = path.span();
        let kind = match path.as_name().map(|only| only.name.as_str()) {
            Some("actions") => SortKind::Actions,
            // The word can be no name of a sort: it starts a declaration.
            Some("sort") => SortKind::AnySort,
            _ => SortKind::Named(path),
        };
        self.sort(kind, span.start, span.end)
    }

    /// A sort of this kind.
    pub fn sort(&mut self, kind: SortKind, start: u32, end: u32) -> Sort {
        let span = Span::new(start, end);
        let depth = match &kind {
            SortKind::Error | SortKind::Named(_) | SortKind::Actions | SortKind::AnySort => 0,
            SortKind::Applied(all) => 1 + deepest_sort(&all.1),
            SortKind::ActionOf(sorts) => 1 + deepest_sort(sorts),
            SortKind::Range(range) => 1 + range.low.depth.max(range.high.depth),
            SortKind::Array(both) => 1 + both.0.depth.max(both.1.depth),
        };
        if self.too_deep(depth, span) {
            return Sort { kind: SortKind::Error, span, depth: 0 };
        }
        Sort { kind, span, depth }
    }

    /// A process or net with its arguments.
    pub fn instance(
        &mut self,
        head: Head,
        values: Vec<Expr>,
        fills: Vec<Fill>,
        end: u32,
    ) -> Instance {
        let span = Span::new(head.span.start, end);
        let deepest_fill = fills.iter().map(|fill| fill.instance.depth).max().unwrap_or(0);
        let depth = 1 + deepest(&values).max(deepest_fill);
        if self.too_deep(depth, span) {
            return Instance { head, values: Vec::new(), fills: Vec::new(), span, depth: 0 };
        }
        Instance { head, values, fills, span, depth }
    }

    /// A port or a sub-connector.
    pub fn connector(
        &mut self,
        kind: ConnectorKind,
        trigger: bool,
        start: u32,
        end: u32,
    ) -> Connector {
        let span = Span::new(start, end);
        let depth = match &kind {
            ConnectorKind::Error | ConnectorKind::Port(_) | ConnectorKind::Formal(_) => 0,
            ConnectorKind::Group(parts) | ConnectorKind::Each(parts, ..) => {
                1 + parts.iter().map(|p| p.depth).max().unwrap_or(0)
            }
        };
        if self.too_deep(depth, span) {
            return Connector { kind: ConnectorKind::Error, trigger, span, depth: 0 };
        }
        Connector { kind, trigger, span, depth }
    }

    /// A mistake inside a list: it is reported, and the list goes on after it.
    pub(super) fn skip(&mut self, start: u32, recovery: &Recovery) -> Expr {
        let misfit = skipped(recovery);
        let span = misfit.at.unwrap_or(Span::new(start, start));
        self.skipped.push(misfit);
        Expr { kind: ExprKind::Error, span, depth: 0 }
    }

    /// Reports, once per statement, what is nested too deeply.
    fn too_deep(&mut self, depth: u16, span: Span) -> bool {
        if depth <= MAX_DEPTH {
            return false;
        }
        if !self.reported_depth {
            self.reported_depth = true;
            self.problems.push(TooDeep { span: Span::new(span.start, span.start + 1) }.into());
        }
        true
    }
}

fn deepest(exprs: &[Expr]) -> u16 {
    exprs.iter().map(|expr| expr.depth).max().unwrap_or(0)
}

fn deepest_sort(sorts: &[Sort]) -> u16 {
    sorts.iter().map(|sort| sort.depth).max().unwrap_or(0)
}

fn depth_of(kind: &ExprKind) -> u16 {
    let inner = match kind {
        ExprKind::Error
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Name(_)
        | ExprKind::Path(_)
        | ExprKind::Wildcard
        | ExprKind::Input(_)
        | ExprKind::Tau => return 0,
        ExprKind::Sync(e) | ExprKind::Co(e) | ExprKind::Not(e) | ExprKind::Negate(e) => e.depth,
        ExprKind::Call(call) => deepest(&call.args),
        ExprKind::Field(field) => field.0.depth,
        ExprKind::Index(both) | ExprKind::Implies(both) => both.0.depth.max(both.1.depth),
        ExprKind::Update(all) | ExprKind::If(all) => all.0.depth.max(all.1.depth).max(all.2.depth),
        ExprKind::ConstArray(both) => both.0.depth.max(both.1.depth),
        ExprKind::Set(elements) | ExprKind::Tuple(elements) => deepest(elements),
        ExprKind::OfSort(both) => both.0.depth.max(both.1.depth),
        ExprKind::Sort(sort) => sort.depth,
        ExprKind::Chain(chain) => {
            chain.rest.iter().map(|(_, _, e)| e.depth).max().unwrap_or(0).max(chain.first.depth)
        }
        ExprKind::Compare(c) => c.left.depth.max(c.right.depth),
        ExprKind::Is(test) | ExprKind::In(test) => test.subject.depth.max(test.against.depth),
        ExprKind::With(with) => {
            let fields = with.fields.iter().map(|(_, value)| value.depth).max().unwrap_or(0);
            fields.max(with.record.depth)
        }
        ExprKind::Let(bound) => bound.value.depth.max(bound.body.depth),
        ExprKind::Match(m) => {
            let arms = m.arms.iter().map(|(p, e)| p.depth.max(e.depth)).max().unwrap_or(0);
            arms.max(m.subject.depth)
        }
        ExprKind::Temporal(one) => one.inside().into_iter().map(|e| e.depth).max().unwrap_or(0),
        ExprKind::Quantified(q) => {
            let bounds = q.variables.iter().map(|(_, by)| bound_depth(by));
            bounds.max().unwrap_or(0).max(q.body.depth)
        }
    };
    1 + inner
}

fn bound_depth(by: &BoundBy) -> u16 {
    match by {
        BoundBy::Use => 0,
        BoundBy::Sort(sort) => sort.depth,
        BoundBy::Members(path) => {
            let indices = path.steps.iter().filter_map(|(_, index)| index.as_ref());
            indices.map(|index| index.depth).max().unwrap_or(0)
        }
    }
}

impl From<(Ident, Vec<Ident>)> for Path {
    fn from((first, rest): (Ident, Vec<Ident>)) -> Path {
        Path { parts: std::iter::once(first).chain(rest).collect() }
    }
}

impl Path {
    /// From the first name to the last.
    pub fn span(&self) -> Span {
        match (self.parts.first(), self.parts.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        }
    }

    /// The name, when it is only one.
    pub fn as_name(&self) -> Option<Ident> {
        match self.parts.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, part) in self.parts.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            write!(f, "{}", part.name)?;
        }
        Ok(())
    }
}

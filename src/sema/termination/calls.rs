//! The calls in the definition of a function, each with what is known where it stands.

use rustc_hash::FxHashSet;

use super::linear::Linear;
use super::path::{Case, Path, Reader};
use super::term::{Form, TermId};
use crate::diagnostics::Span;
use crate::sema::program::{
    Expr, ExprKind, FunDef, FunId, Local, LocalId, Pattern, PatternKind, Program, Sort,
};
use crate::syntax::ast::Operator;

/// A call of one of the functions that call each other.
pub(super) struct Call {
    /// The place of the function that is called.
    pub to: usize,
    /// Where.
    pub span: Span,
    /// With what.
    pub args: Vec<TermId>,
    /// What is known there.
    pub path: Path,
}

/// Finds the calls of some functions in another.
pub(super) struct Finder<'r, 'p> {
    pub reader: Reader<'p>,
    pub locals: &'p [Local],
    /// The place of a function among those that call each other, if it is one of them.
    pub place: &'r dyn Fn(FunId) -> Option<usize>,
    /// The expressions that have such calls inside.
    inside: FxHashSet<*const Expr>,
    pub found: Vec<Call>,
}

/// What is known of the parameters of a function whenever it is called.
pub(super) fn parameters(reader: &mut Reader<'_>, fun: &FunDef) -> Path {
    let mut path = vec![Case::default()];
    for (index, sort) in fun.params.iter().enumerate() {
        let local = Form::Local(reader.function, LocalId(index as u32));
        let local = reader.terms.make(local);
        match sort {
            Sort::Range(range) => reader.in_range(&Linear::atom(local), *range, &mut path),
            Sort::Bool => truth_value(&Linear::atom(local), &mut path),
            Sort::Data(_) => {
                reader.size(local, &mut path);
            }
            _ => {}
        }
    }
    path
}

fn truth_value(value: &Linear, path: &mut Path) {
    for case in path {
        case.facts.add(Some(value.clone()));
        case.facts.add(Linear::number(1).minus(value));
    }
}

impl<'r, 'p> Finder<'r, 'p> {
    pub fn new(
        reader: Reader<'p>,
        locals: &'p [Local],
        place: &'r dyn Fn(FunId) -> Option<usize>,
    ) -> Finder<'r, 'p> {
        Finder { reader, locals, place, inside: FxHashSet::default(), found: Vec::new() }
    }

    /// Finds the calls in a definition.
    pub fn run(&mut self, fun: &'p FunDef, body: &'p Expr) {
        self.mark(body);
        let path = parameters(&mut self.reader, fun);
        self.walk(body, path);
    }

    /// Notes which expressions have calls inside: what the others say need not be known.
    fn mark(&mut self, expr: &'p Expr) -> bool {
        let mut here = matches!(&expr.kind, ExprKind::Apply(id, _) if (self.place)(*id).is_some());
        let mut inner = Vec::new();
        expr.each_inside(&mut |one| inner.push(one));
        if let ExprKind::Quantified(_, ids, _) = &expr.kind {
            inner.extend(ids.iter().flat_map(|id| self.bounds(*id)));
        }
        for one in inner {
            here |= self.mark(one);
        }
        if here {
            self.inside.insert(expr);
        }
        here
    }

    /// The bounds of the range of a local name.
    fn bounds(&self, local: LocalId) -> Vec<&'p Expr> {
        match self.locals[local.index()].sort {
            Sort::Range(range) => {
                let program: &'p Program = self.reader.program;
                let range = &program.ranges[range.index()];
                vec![&range.low, &range.high]
            }
            _ => Vec::new(),
        }
    }

    fn walk(&mut self, expr: &'p Expr, path: Path) {
        if !self.inside.contains(&std::ptr::from_ref(expr)) {
            return;
        }
        match &expr.kind {
            ExprKind::Apply(id, args) => {
                args.iter().for_each(|arg| self.walk(arg, path.clone()));
                if let Some(to) = (self.place)(*id) {
                    self.call(to, expr.span, args, path);
                }
            }
            ExprKind::Chain(chain) => {
                let mut path = path;
                self.walk(&chain.0, path.clone());
                let mut before = &chain.0;
                for (operator, operand) in &chain.1 {
                    if matches!(operator, Operator::And | Operator::Or) {
                        let truth = *operator == Operator::And;
                        path = self.reader.assume(before, truth, path);
                    }
                    self.walk(operand, path.clone());
                    before = operand;
                }
            }
            ExprKind::Implies(both) => {
                self.walk(&both.0, path.clone());
                let path = self.reader.assume(&both.0, true, path);
                self.walk(&both.1, path);
            }
            ExprKind::If(all) => {
                self.walk(&all.0, path.clone());
                let yes = self.reader.assume(&all.0, true, path.clone());
                self.walk(&all.1, yes);
                let no = self.reader.assume(&all.0, false, path);
                self.walk(&all.2, no);
            }
            ExprKind::Match(all) => self.arms(&all.0, &all.1, path),
            ExprKind::Quantified(_, ids, body) => self.quantified(ids, body, path),
            _ => {
                let mut inner = Vec::new();
                expr.each_inside(&mut |one| inner.push(one));
                inner.into_iter().for_each(|one| self.walk(one, path.clone()));
            }
        }
    }

    fn arms(&mut self, subject: &'p Expr, arms: &'p [(Pattern, Expr)], path: Path) {
        self.walk(subject, path.clone());
        let mut taken = Vec::new();
        self.reader.arms(subject, arms, path, &mut |_, value, path| taken.push((value, path)));
        for (value, path) in taken {
            self.walk(value, path);
        }
    }

    /// Under a quantifier a call happens for each value in range, on the same path.
    fn quantified(&mut self, ids: &'p [LocalId], body: &'p Expr, path: Path) {
        let mut path = path;
        for id in ids {
            for bound in self.bounds(*id) {
                self.walk(bound, path.clone());
            }
            let local = Form::Local(self.reader.function, *id);
            let local = Linear::atom(self.reader.terms.make(local));
            match self.locals[id.index()].sort {
                Sort::Range(range) => self.reader.in_range(&local, range, &mut path),
                Sort::Bool => truth_value(&local, &mut path),
                _ => {}
            }
        }
        self.walk(body, path);
    }

    fn call(&mut self, to: usize, span: Span, args: &[Expr], path: Path) {
        let mut path = path;
        let args: Vec<TermId> = args.iter().map(|arg| self.reader.value(arg, &mut path)).collect();
        self.reader.prune(&mut path);
        self.found.push(Call { to, span, args, path });
    }
}

/// Whether a pattern or an expression in it mentions nothing that was wrong.
pub(super) fn is_sound(expr: &Expr) -> bool {
    let mut sound = true;
    expr.each(&mut |one| {
        sound &= !matches!(one.kind, ExprKind::Error) && one.sort != Sort::Error;
        if let ExprKind::Match(all) = &one.kind {
            sound &= all.1.iter().all(|(pattern, _)| is_whole(pattern));
        }
        if let ExprKind::Is(test, _) = &one.kind {
            sound &= is_whole(&test.1);
        }
    });
    sound
}

fn is_whole(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Error => false,
        PatternKind::Construct(_, _, inner) | PatternKind::Act(_, inner) => {
            inner.iter().all(is_whole)
        }
        PatternKind::Sync(inner) | PatternKind::Co(inner) => is_whole(inner),
        _ => true,
    }
}

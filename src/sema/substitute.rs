//! What is over sorts, with sorts in the place of its parameters.

use super::Sema;
use super::generic::Put;
use super::program::{
    ActionSet, Expr, ExprKind, FunId, Local, Pattern, PatternKind, RangeDef, RangeId, Sort,
};
use super::walk::each_child;

impl Sema<'_> {
    /// A sort with what its parameters stand for.
    pub(super) fn put_sort(&mut self, sort: Sort, put: &Put) -> Sort {
        match sort {
            Sort::Parameter(id) => {
                put.iter().find(|(one, _)| *one == id).map_or(sort, |(_, given)| *given)
            }
            Sort::Array(id) => {
                let (key, value) = self.program.arrays[id.index()];
                let (key, value) = (self.put_sort(key, put), self.put_sort(value, put));
                self.array(key, value)
            }
            Sort::Data(id) => {
                let data = &self.program.datas[id.index()];
                let (generic, sorts) = match &data.instance {
                    Some((generic, sorts)) => (*generic, sorts.clone()),
                    None if data.params.is_empty() => return sort,
                    None => (id, data.params.iter().map(|&one| Sort::Parameter(one)).collect()),
                };
                let sorts = sorts.into_iter().map(|one| self.put_sort(one, put)).collect();
                self.data_instance(generic, sorts)
            }
            Sort::Range(id) => Sort::Range(self.put_range(id, put)),
            other => other,
        }
    }

    /// A range: it is another one only where its ends speak of functions over sorts.
    pub(super) fn put_range(&mut self, id: RangeId, put: &Put) -> RangeId {
        let range = &self.program.ranges[id.index()];
        let is_open = |id: FunId| {
            let fun = &self.program.funs[id.index()];
            !fun.sorts.is_empty() || fun.instance.is_some()
        };
        let mut open = false;
        for end in [&range.low, &range.high] {
            end.each(&mut |one| open |= matches!(one.kind, ExprKind::Apply(id, _) if is_open(id)));
        }
        if range.known.is_some() || !open {
            return id;
        }
        let (mut low, mut high) = (range.low.clone(), range.high.clone());
        self.put_expr(&mut low, put);
        self.put_expr(&mut high, put);
        let new = RangeId(self.program.ranges.len() as u32);
        self.program.ranges.push(RangeDef { low, high, known: None });
        new
    }

    /// Puts sorts for parameters in an expression.
    pub(super) fn put_expr(&mut self, expr: &mut Expr, put: &Put) {
        expr.sort = self.put_sort(expr.sort, put);
        match &mut expr.kind {
            ExprKind::Construct(data, ..)
            | ExprKind::Select(data, ..)
            | ExprKind::With(data, _) => {
                if let Sort::Data(id) = self.put_sort(Sort::Data(*data), put) {
                    *data = id;
                }
            }
            ExprKind::Apply(id, _) => *id = self.put_fun(*id, put),
            ExprKind::Match(all) => {
                all.1.iter_mut().for_each(|(pattern, _)| self.put_pattern(pattern, put));
            }
            ExprKind::Is(test, _) => self.put_pattern(&mut test.1, put),
            ExprKind::In(test, _) => self.put_set(&mut test.1, put),
            _ => {}
        }
        each_child(expr, &mut |inner| self.put_expr(inner, put));
    }

    fn put_fun(&mut self, id: FunId, put: &Put) -> FunId {
        let fun = &self.program.funs[id.index()];
        let (generic, sorts) = match &fun.instance {
            Some((generic, sorts)) => (*generic, sorts.clone()),
            None if fun.sorts.is_empty() => return id,
            None => (id, fun.sorts.iter().map(|&one| Sort::Parameter(one)).collect()),
        };
        let sorts = sorts.into_iter().map(|one| self.put_sort(one, put)).collect();
        self.fun_instance(generic, sorts)
    }

    /// Puts sorts for parameters in the patterns of a set; the values in them are expressions of their own.
    pub(super) fn put_set(&mut self, set: &mut ActionSet, put: &Put) {
        if let ActionSet::Patterns(patterns) = set {
            patterns.iter_mut().for_each(|pattern| self.put_pattern(pattern, put));
        }
    }

    fn put_pattern(&mut self, pattern: &mut Pattern, put: &Put) {
        match &mut pattern.kind {
            PatternKind::Construct(data, _, inner) => {
                if let Sort::Data(id) = self.put_sort(Sort::Data(*data), put) {
                    *data = id;
                }
                inner.iter_mut().for_each(|one| self.put_pattern(one, put));
            }
            PatternKind::Act(_, inner) => {
                inner.iter_mut().for_each(|one| self.put_pattern(one, put));
            }
            PatternKind::Sync(inner) | PatternKind::Co(inner) => self.put_pattern(inner, put),
            _ => {}
        }
    }

    pub(super) fn put_locals(&mut self, locals: &mut [Local], put: &Put) {
        for local in locals {
            local.sort = self.put_sort(local.sort, put);
        }
    }
}

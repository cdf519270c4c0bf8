//! Sorts: when two are the same, and what they are called.
//!
//! A range is a part of the integers: for inference it is `Int`; whether a value leaves it is looked at
//! where the value is known.

use super::Sema;
use super::body::Body;
use super::problems::{CannotInfer, InfiniteSort, Mismatch};
use super::program::{ArrayId, Expr, ExprKind, Program, Sort};
use crate::diagnostics::Span;

impl Body<'_, '_> {
    /// A sort that is not known yet.
    pub fn fresh(&mut self) -> Sort {
        self.unknowns.push(None);
        Sort::Unknown(self.unknowns.len() as u32 - 1)
    }

    /// The sort as far as it is known.
    pub fn shallow(&self, sort: Sort) -> Sort {
        let mut sort = sort;
        while let Sort::Unknown(id) = sort {
            match self.unknowns[id as usize] {
                Some(known) => sort = known,
                None => break,
            }
        }
        sort
    }

    /// The sort with everything known filled in.
    pub fn resolve_sort(&mut self, sort: Sort) -> Sort {
        if !self.sema.may_be_open(sort) {
            return sort;
        }
        let resolved = self.resolve_parts(sort);
        // What was found out once need not be found out again: sorts that share parts would take for ever.
        if let Sort::Unknown(id) = sort
            && resolved != sort
        {
            self.unknowns[id as usize] = Some(resolved);
        }
        resolved
    }

    fn resolve_parts(&mut self, sort: Sort) -> Sort {
        match self.shallow(sort) {
            Sort::Array(id) => {
                let (key, value) = self.sema.program.arrays[id.index()];
                let (new_key, new_value) = (self.resolve_sort(key), self.resolve_sort(value));
                self.sema.array(new_key, new_value)
            }
            Sort::Data(id) => match self.sema.program.datas[id.index()].instance.clone() {
                Some((generic, sorts)) => {
                    let sorts = sorts.into_iter().map(|sort| self.resolve_sort(sort)).collect();
                    self.sema.data_instance(generic, sorts)
                }
                None => Sort::Data(id),
            },
            other => other,
        }
    }

    /// Makes two sorts the same, if they can be.
    pub fn unify(&mut self, a: Sort, b: Sort) -> bool {
        let (a, b) = (base(self.shallow(a)), base(self.shallow(b)));
        match (a, b) {
            _ if a == b => true,
            (Sort::Error, Sort::Unknown(id)) | (Sort::Unknown(id), Sort::Error) => {
                self.unknowns[id as usize] = Some(Sort::Error);
                true
            }
            (Sort::Error, other) | (other, Sort::Error) => {
                self.give_up(other);
                true
            }
            (Sort::Unknown(id), other) | (other, Sort::Unknown(id)) => {
                if matches!(other, Sort::Data(_)) && self.sema.may_be_open(other) {
                    self.resolve_sort(other);
                }
                if self.occurs(id, other) {
                    return false;
                }
                self.unknowns[id as usize] = Some(other);
                true
            }
            (Sort::Array(a), Sort::Array(b)) => {
                let (a, b) =
                    (self.sema.program.arrays[a.index()], self.sema.program.arrays[b.index()]);
                self.unify_places(a.0, b.0) && self.unify(a.1, b.1)
            }
            (Sort::Data(a), Sort::Data(b)) => self.unify_instances(a, b),
            _ => false,
        }
    }

    /// Nothing more is said about what is not known in a sort.
    fn give_up(&mut self, sort: Sort) {
        match self.shallow(sort) {
            Sort::Unknown(id) => self.unknowns[id as usize] = Some(Sort::Error),
            Sort::Data(id) => {
                let sorts = self.sema.program.sorts_of(id).to_vec();
                sorts.into_iter().for_each(|sort| self.give_up(sort));
            }
            _ => {}
        }
    }

    /// Makes the keys of two arrays the same, if they can be: a range is another sort than its numbers here, since an
    /// array has the places of its range only. Bounds that are not known are looked at when the net is built.
    pub fn unify_places(&mut self, a: Sort, b: Sort) -> bool {
        for (inferred, wanted) in [(a, b), (b, a)] {
            // That an index was a number does not say yet which numbers are places.
            if let (Some(id), range @ Sort::Range(_)) =
                (self.inferred_number(inferred), self.shallow(wanted))
            {
                self.unknowns[id as usize] = Some(range);
                return true;
            }
        }
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (a, b) {
            (Sort::Range(a), Sort::Range(b)) => {
                let ranges = &self.sema.program.ranges;
                let known = (&ranges[a.index()].known, &ranges[b.index()].known);
                !matches!(known, (Some(a), Some(b)) if a != b)
            }
            (Sort::Range(_), Sort::Int) | (Sort::Int, Sort::Range(_)) => false,
            (Sort::Unknown(id), range @ Sort::Range(_))
            | (range @ Sort::Range(_), Sort::Unknown(id)) => {
                self.unknowns[id as usize] = Some(range);
                true
            }
            _ => self.unify(a, b),
        }
    }

    /// What is inferred to be a number, if this is.
    fn inferred_number(&self, sort: Sort) -> Option<u32> {
        let Sort::Unknown(mut id) = sort else { return None };
        loop {
            match self.unknowns[id as usize]? {
                Sort::Unknown(next) => id = next,
                Sort::Int => return Some(id),
                _ => return None,
            }
        }
    }

    fn occurs(&self, id: u32, sort: Sort) -> bool {
        if !self.sema.may_be_open(sort) {
            return false;
        }
        match self.shallow(sort) {
            Sort::Unknown(other) => other == id,
            Sort::Array(array) => {
                let (key, value) = self.sema.program.arrays[array.index()];
                self.occurs(id, key) || self.occurs(id, value)
            }
            Sort::Data(data) => {
                self.sema.program.sorts_of(data).iter().any(|&sort| self.occurs(id, sort))
            }
            _ => false,
        }
    }

    /// Sees to it that an expression has the sort that is wanted.
    pub fn expect(&mut self, expr: &Expr, wanted: Sort, because: Option<(Span, String)>) -> bool {
        let fits = self.unify(expr.sort, wanted);
        self.too_large(expr.span);
        if fits {
            return true;
        }
        let (found, expected) = (self.resolve_sort(expr.sort), self.resolve_sort(wanted));
        if found == Sort::Action && matches!(expr.kind, ExprKind::Act(..)) {
            self.action_as_data(self.sema.program.action_name(&expr.kind), expr.span);
            return false;
        }
        if let (Sort::Unknown(id), other) | (other, Sort::Unknown(id)) = (found, expected)
            && self.occurs(id, other)
        {
            self.report(InfiniteSort { span: expr.span });
            return false;
        }
        let (found, expected) =
            (self.sema.program.sort_name(found), self.sema.program.sort_name(expected));
        self.report(Mismatch { span: expr.span, expected, found, because });
        false
    }

    /// Fills in what was inferred since `first`, and reports locals whose sort nothing tells.
    pub fn settle(&mut self, first: usize) {
        for index in first..self.locals.len() {
            let local = self.locals[index];
            let sort = self.resolve_sort(local.sort);
            self.locals[index].sort = sort;
            if self.is_open(sort) {
                self.locals[index].sort = Sort::Error;
                if !self.failed {
                    self.report(CannotInfer { span: local.span, name: local.name.to_string() });
                }
            }
        }
    }

    pub(super) fn is_open(&self, sort: Sort) -> bool {
        if !self.sema.may_be_open(sort) {
            return false;
        }
        match self.shallow(sort) {
            Sort::Unknown(_) => true,
            Sort::Array(id) => {
                let (key, value) = self.sema.program.arrays[id.index()];
                self.is_open(key) || self.is_open(value)
            }
            Sort::Data(id) => self.sema.program.sorts_of(id).iter().any(|&sort| self.is_open(sort)),
            _ => false,
        }
    }

    /// Fills in the inferred sorts of an expression.
    pub fn finish(&mut self, expr: &mut Expr) {
        if self.unknowns.is_empty() {
            return; // nothing had to be inferred
        }
        let open = self.finish_instances(expr);
        expr.sort = self.resolve_sort(expr.sort);
        // What is inside may tell more exactly what is missing.
        super::walk::each_child(expr, &mut |child| self.finish(child));
        if let Some(open) = open.filter(|_| !self.failed) {
            self.report(open);
        }
        self.too_large(expr.span);
        if self.is_open(expr.sort) {
            expr.sort = Sort::Error;
            if !self.failed {
                self.report(CannotInfer { span: expr.span, name: "this expression".to_owned() });
            }
        }
    }
}

/// The sort without its bounds.
pub(super) fn base(sort: Sort) -> Sort {
    match sort {
        Sort::Range(_) => Sort::Int,
        other => other,
    }
}

impl Sema<'_> {
    /// The sort of arrays with these keys and values.
    pub(super) fn array(&mut self, key: Sort, value: Sort) -> Sort {
        let next = ArrayId(self.program.arrays.len() as u32);
        let id = *self.array_ids.entry((key, value)).or_insert(next);
        if id == next {
            self.program.arrays.push((key, value));
        }
        Sort::Array(id)
    }
}

impl Program {
    /// What a sort is called.
    pub fn sort_name(&self, sort: Sort) -> String {
        match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Action => "Action".to_owned(),
            Sort::Actions => "actions".to_owned(),
            Sort::Abstract(id) => self.abstracts[id.index()].name.to_string(),
            Sort::Data(id) => self.data_name(id),
            Sort::Parameter(id) => self.sort_params[id.index()].name.to_string(),
            Sort::Array(id) => {
                let (key, value) = self.arrays[id.index()];
                format!("[{}]{}", self.sort_name(key), self.sort_name(value))
            }
            Sort::Range(id) => match &self.ranges[id.index()].known {
                Some((low, high)) => format!("{low}..{high}"),
                None => "Int".to_owned(),
            },
            Sort::Unknown(_) | Sort::Error => "_".to_owned(),
        }
    }

    /// What the action of a term is called.
    pub(super) fn action_name(&self, kind: &ExprKind) -> String {
        match kind {
            ExprKind::Act(id, _) => self.actions[id.index()].named.name.to_string(),
            _ => String::new(),
        }
    }
}

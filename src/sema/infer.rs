//! Sorts: when two are the same, and what they are called.
//!
//! A range is a part of the integers: for inference it is `Int`; whether a value leaves it is looked at
//! where the value is known.

use super::Sema;
use super::body::Body;
use super::generic::DEEPEST_SHOWN;
use super::problems::{CannotInfer, InfiniteSort, Mismatch};
use super::program::{ArrayId, Expr, ExprKind, Program, Sort};
use crate::diagnostics::Span;

/// A sort of more parts is settled as soon as it is met: looking at shared parts again and again would take for ever.
const MOST_LOOKED_AT: usize = 64;

impl Body<'_, '_> {
    /// A sort that is not known yet.
    pub fn fresh(&mut self) -> Sort {
        self.unknowns.push(None);
        Sort::Unknown(self.unknowns.len() as u32 - 1)
    }

    /// Nothing that was not known is asked for any more.
    pub fn forget_unknowns(&mut self) {
        self.unknowns.clear();
        self.firm.clear();
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
        // (That something is a number so far may be found out more exactly.)
        if let Sort::Unknown(id) = sort
            && resolved != sort
            && resolved != Sort::Int
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
                    // From here on somebody relies on it.
                    sorts.iter().for_each(|&sort| self.make_firm(sort));
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
                // Of a small sort, what is a number so far may still be found out more exactly.
                let is_small = |body: &Self| body.is_small(other, &mut { MOST_LOOKED_AT });
                if matches!(other, Sort::Data(_)) && self.sema.may_be_open(other) && !is_small(self)
                {
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

    /// Whether a sort, with what is known of it, is made of few parts.
    fn is_small(&self, sort: Sort, left: &mut usize) -> bool {
        let Some(rest) = left.checked_sub(1) else { return false };
        *left = rest;
        match self.shallow(sort) {
            Sort::Array(id) => {
                let (key, value) = self.sema.program.arrays[id.index()];
                self.is_small(key, left) && self.is_small(value, left)
            }
            Sort::Data(id) => {
                let sorts = self.sema.program.sorts_of(id);
                sorts.iter().all(|&sort| self.is_small(sort, left))
            }
            _ => true,
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
                && !self.firm.contains(&id)
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

    /// Makes the sorts that two instances are for the same, if they can be. They must be the very same, ranges too, since
    /// `Option<0..4>` and `Option<Int>` are two datatypes. That a value was a number does not say yet which numbers there are.
    pub fn unify_arguments(&mut self, a: Sort, b: Sort) -> bool {
        if let (Some(one), Some(other)) = (self.inferred_number(a), self.inferred_number(b)) {
            if one != other {
                self.unknowns[other as usize] = Some(Sort::Unknown(one));
                if self.firm.contains(&other) {
                    self.firm.insert(one);
                }
            }
            return true;
        }
        for (inferred, wanted) in [(a, b), (b, a)] {
            let Some(id) = self.inferred_number(inferred) else { continue };
            match self.shallow(wanted) {
                range @ Sort::Range(_) if !self.firm.contains(&id) => {
                    self.unknowns[id as usize] = Some(range);
                }
                Sort::Int => _ = self.firm.insert(id),
                Sort::Unknown(open) => self.unknowns[open as usize] = Some(Sort::Unknown(id)),
                Sort::Error => {}
                _ => return false,
            }
            return true;
        }
        match (self.shallow(a), self.shallow(b)) {
            (Sort::Range(a), Sort::Range(b)) => {
                let ranges = &self.sema.program.ranges;
                let known = (&ranges[a.index()].known, &ranges[b.index()].known);
                a == b || matches!(known, (Some(a), Some(b)) if a == b)
            }
            (Sort::Range(_), Sort::Int) | (Sort::Int, Sort::Range(_)) => false,
            (Sort::Unknown(id), range @ Sort::Range(_))
            | (range @ Sort::Range(_), Sort::Unknown(id)) => {
                self.unknowns[id as usize] = Some(range);
                true
            }
            (Sort::Unknown(id), Sort::Int) | (Sort::Int, Sort::Unknown(id)) => {
                self.unknowns[id as usize] = Some(Sort::Int);
                self.firm.insert(id);
                true
            }
            (Sort::Array(a), Sort::Array(b)) => {
                let arrays = &self.sema.program.arrays;
                let (a, b) = (arrays[a.index()], arrays[b.index()]);
                self.unify_arguments(a.0, b.0) && self.unify_arguments(a.1, b.1)
            }
            (a, b) => self.unify(a, b),
        }
    }

    /// What is a number in a sort that an instance is for stays one.
    fn make_firm(&mut self, sort: Sort) {
        if let Some(id) = self.inferred_number(sort) {
            self.firm.insert(id);
        }
        if let Sort::Array(id) = self.shallow(sort) {
            let (key, value) = self.sema.program.arrays[id.index()];
            self.make_firm(key);
            self.make_firm(value);
        }
    }

    /// What a sort is called so far, without settling anything.
    pub fn name_so_far(&self, sort: Sort) -> String {
        self.named_so_far(sort, DEEPEST_SHOWN)
    }

    fn named_so_far(&self, sort: Sort, depth: usize) -> String {
        let program = &self.sema.program;
        let sort = self.shallow(sort);
        let Some(depth) = depth.checked_sub(1) else { return "…".to_owned() };
        match sort {
            Sort::Array(id) => {
                let (key, value) = program.arrays[id.index()];
                format!("[{}]{}", self.named_so_far(key, depth), self.named_so_far(value, depth))
            }
            Sort::Data(id) if !program.sorts_of(id).is_empty() => {
                let sorts = program.sorts_of(id).iter();
                let sorts: Vec<String> = sorts.map(|&one| self.named_so_far(one, depth)).collect();
                format!("{}<{}>", program.datas[id.index()].named.name, sorts.join(", "))
            }
            other => program.sort_name(other),
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

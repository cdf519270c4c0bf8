//! Members in brackets: which of them are meant, and the arrays that have a place for each.
//!
//! A condition decides for each index whether its member takes part. Where it reads data of the vector, there is one vector
//! for each value of that data, and in each of them it is known who takes part.
//!
//! `[S[i]: vote(v[i]) for i in 0..n]` binds the places of an array, one by one: each place that a member binds is a variable
//! of its own, and the array is put together from these.

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::build::Builder;
use super::env::Env;
use super::lower::{Scope, Value};
use super::node::Places;
use super::problems::{MemberAgain, TooManyInstances, UnboundPlace, UnclearCondition};
use super::vector::{Indices, Taking, with_indices};
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind};
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{InstanceId, Vector};
use crate::sema::program::{Expr, ExprKind, LocalId, LocalKind, MemberDef};

/// An array of which not all places are bound: its name, and the variable that stands for what is not.
pub(super) type OpenArray = (LocalId, VarId);

impl<'p> Builder<'p> {
    /// Whether the condition of brackets holds for the indices of a scope.
    pub fn is_meant(
        &mut self,
        condition: Option<&'p Expr>,
        scope: &Scope<'p>,
        instance: Option<InstanceId>,
    ) -> bool {
        let Some(condition) = condition else { return true };
        let (term, owed) = self.lowering().owing(|l| l.term(condition, scope));
        // What has no value is not meant.
        let all = self.terms.and([term].into_iter().chain(owed.iter().map(|owed| owed.term)));
        if let Some(known) = self.terms.as_bool(all) {
            return known;
        }
        if self.problems.is_empty() {
            let chain = self.chain(instance);
            let (span, data) = (condition.span, None);
            self.report(UnclearCondition { span, data, chain });
        }
        false
    }

    /// The values of the data that conditions read, one list for each vector that there is: a single empty one where
    /// they read none.
    pub fn values_of_conditions(
        &mut self,
        conditions: &[&'p Expr],
        members: &[&'p MemberDef],
        (scope, places, env): (&Scope<'p>, &[Places], &Env<'p>),
    ) -> Option<Vec<Indices>> {
        let mut all: Vec<Indices> = vec![Vec::new()];
        let mut bound: Vec<LocalId> = Vec::new();
        members.iter().for_each(|member| member.action.each_local(&mut |id| bound.push(id)));
        let read = read_by(conditions, scope).into_iter();
        for (id, condition) in read.filter(|(id, _)| bound.contains(id)) {
            let Some(domain) = self.domain(id, members, scope, places) else {
                let span = condition.place_of(id).unwrap_or(condition.span);
                let (name, chain) = (scope.locals[id.index()].name, self.chain(env.instance));
                let data = Some(name.to_string());
                self.report(UnclearCondition { span, data, chain });
                return None;
            };
            if domain.len().saturating_mul(all.len()) > self.options.most_instances {
                let limit = self.options.most_instances;
                self.report(TooManyInstances { span: condition.span, limit });
                return None;
            }
            let with = |values: &Indices, value: TermId| {
                values.iter().copied().chain([(id, value)]).collect::<Indices>()
            };
            let mut next = Vec::with_capacity(all.len() * domain.len());
            for values in &all {
                if is_spent() {
                    return None;
                }
                next.extend(domain.iter().map(|&value| with(values, value)));
            }
            all = next;
        }
        Some(all)
    }

    /// All values of a name, where there are only so many: those of its sort, or the indices of the family whose member it
    /// chooses.
    fn domain(
        &mut self,
        id: LocalId,
        members: &[&'p MemberDef],
        scope: &Scope<'p>,
        places: &[Places],
    ) -> Option<Vec<TermId>> {
        let inferred = self.lowering().sort(scope.locals[id.index()].sort, scope);
        // A number that is the argument of an action is one of its sort.
        match self.argument_sort(id, members).unwrap_or(inferred) {
            Sort::Bool => return Some(vec![self.terms.bool(false), self.terms.bool(true)]),
            Sort::Range(low, high) => {
                let low = self.terms.as_int(low)?.to_i64()?;
                let high = self.terms.as_int(high)?.to_i64()?;
                return self.numbers(low, usize::try_from(high.checked_sub(low)?.max(0)).ok()?);
            }
            Sort::Data(data) => {
                let constructors = &self.algebra.datatypes[data.index()].constructors;
                if constructors.iter().any(|one| !one.fields.is_empty()) {
                    return None;
                }
                let all = 0..constructors.len() as u32;
                let made = all.map(|at| self.terms.raw(Term::Construct(data, at, Box::new([]))));
                return Some(made.collect());
            }
            Sort::Int => {}
            _ => return None,
        }
        let is_index = |member: &&&MemberDef| matches!(&member.index, Some(index) if matches!(index.kind, ExprKind::Local(other) if other == id));
        let chosen = members.iter().find(is_index)?;
        match places[chosen.part.index()] {
            Places::Family { low, count, .. } => self.numbers(low, count),
            Places::One(_) | Places::Elsewhere => None,
        }
    }

    /// The range that a name is in as an argument of an action.
    fn argument_sort(&self, id: LocalId, members: &[&'p MemberDef]) -> Option<Sort> {
        for member in members {
            let ExprKind::Act(action, args) = &member.action.kind else { continue };
            let sorts = &self.algebra.action(*action).sorts;
            for (arg, sort) in args.iter().zip(sorts) {
                let is_it = matches!(arg.kind, ExprKind::Local(other) if other == id);
                if let (true, Sort::Range(low, high)) = (is_it, sort)
                    && self.terms.as_int(*low).is_some()
                    && self.terms.as_int(*high).is_some()
                {
                    return Some(sort.clone());
                }
            }
        }
        None
    }

    fn numbers(&mut self, low: i64, count: usize) -> Option<Vec<TermId>> {
        if count > self.options.most_instances {
            return None;
        }
        Some((0..count as i64).map(|offset| self.terms.int(low + offset)).collect())
    }

    /// Reports a member that takes part twice, once at least by brackets. What data chooses is chosen among the others.
    pub fn takes_part_once(
        &mut self,
        members: &[Taking<'p>],
        (scope, places, env): (&Scope<'p>, &[Places], &Env<'p>),
    ) -> bool {
        if members.iter().all(|(member, _)| member.repeat.is_empty()) {
            return true;
        }
        let mut first: FxHashMap<usize, &'p MemberDef> = FxHashMap::default();
        for (member, indices) in members {
            let Places::Family { low, count, .. } = places[member.part.index()] else { continue };
            let Some(index) = &member.index else { continue };
            let scope = with_indices(scope, indices);
            let (term, _) = self.lowering().owing(|l| l.term(index, &scope));
            let Some(value) = self.terms.as_int(term).and_then(ToPrimitive::to_i64) else {
                continue;
            };
            let place = value.checked_sub(low).and_then(|place| usize::try_from(place).ok());
            let Some(place) = place.filter(|place| *place < count) else { continue };
            let Places::Family { first: start, .. } = places[member.part.index()] else { continue };
            if let Some(other) = first.insert(start + place, member)
                && !(member.repeat.is_empty() && other.repeat.is_empty())
            {
                let (span, first, index) = (member.span, other.span, value.to_string());
                let chain = self.chain(env.instance);
                self.report(MemberAgain { span, first, index, chain });
                return false;
            }
        }
        true
    }

    /// Gives the places of arrays that members bind variables of their own. What is returned has other places, too.
    pub fn places_of_arrays(
        &mut self,
        members: &[Taking<'p>],
        scope: &mut Scope<'p>,
    ) -> Vec<OpenArray> {
        let mut found: Vec<(LocalId, Vec<TermId>)> = Vec::new();
        for (member, indices) in members {
            let mut reads: Vec<(LocalId, &'p Expr)> = Vec::new();
            member.action.each(&mut |expr| {
                if let ExprKind::Index(both) = &expr.kind
                    && let ExprKind::Local(id) = both.0.kind
                    && scope.locals[id.index()].kind == LocalKind::VectorData
                {
                    reads.push((id, &both.1));
                }
            });
            if reads.is_empty() {
                continue;
            }
            let inner = with_indices(scope, indices);
            for (id, index) in reads {
                let (at, _) = self.lowering().owing(|l| l.term(index, &inner));
                match found.iter_mut().find(|(known, _)| *known == id) {
                    Some((_, places)) if places.contains(&at) => {}
                    Some((_, places)) => places.push(at),
                    None => found.push((id, vec![at])),
                }
            }
        }
        let mut bare: Vec<LocalId> = Vec::new();
        for (member, _) in members {
            let ExprKind::Act(_, args) = &member.action.kind else { continue };
            bare.extend(args.iter().filter_map(|arg| match arg.kind {
                ExprKind::Local(id) => Some(id),
                _ => None,
            }));
        }
        let mut open = Vec::new();
        for (id, at) in found {
            open.extend(self.array_of_places(id, &at, bare.contains(&id), scope));
        }
        open
    }

    fn array_of_places(
        &mut self,
        id: LocalId,
        places: &[TermId],
        is_bare: bool,
        scope: &mut Scope<'p>,
    ) -> Option<OpenArray> {
        let Some(Value::Term(term)) = scope.values.get(&id) else { return None };
        let Term::Var(base) = *self.terms.get(*term) else { return None };
        let sort = self.terms.var(base).sort.clone();
        let Sort::Array(both) = &sort else { return None };
        let places: Vec<TermId> =
            places.iter().copied().filter(|at| self.is_place(*at, &both.0)).collect();
        let mut values = Vec::with_capacity(places.len());
        for &at in &places {
            let number = self.terms.as_int(at).map_or_else(String::new, ToString::to_string);
            let name = format!("{}_{}", scope.locals[id.index()].name, number.replace('-', "m"));
            let var = self.terms.new_var(Symbol::new(&name), both.1.clone(), VariableKind::Vector);
            values.push(self.terms.var_term(var));
        }
        let &first = values.first()?;
        let is_whole = self.has_all_places(&both.0, &places);
        // A member that has the whole array gives all places their values.
        if is_bare && !is_whole {
            return None;
        }
        let mut array = match is_whole {
            true => self.terms.raw(Term::ConstArray(sort.clone(), first)),
            false => self.terms.var_term(base),
        };
        for (at, value) in places.into_iter().zip(values).skip(usize::from(is_whole)) {
            array = self.terms.raw(Term::Update(array, at, value));
        }
        scope.set(id, array);
        (!is_whole).then_some((id, base))
    }

    /// Whether a term is a number that an array has a place for.
    fn is_place(&self, at: TermId, key: &Sort) -> bool {
        let Some(number) = self.terms.as_int(at) else { return false };
        match key {
            Sort::Int => true,
            Sort::Range(low, high) => {
                let ends = self.terms.as_int(*low).zip(self.terms.as_int(*high));
                ends.is_some_and(|(low, high)| low <= number && number < high)
            }
            _ => false,
        }
    }

    fn has_all_places(&self, key: &Sort, places: &[TermId]) -> bool {
        let Sort::Range(low, high) = key else { return false };
        let ends = self.terms.as_int(*low).zip(self.terms.as_int(*high));
        ends.is_some_and(|(low, high)| (high - low).to_usize() == Some(places.len()))
    }

    /// Reports an array that a vector reads where no member binds a place of it.
    pub fn places_are_bound(
        &mut self,
        open: &[OpenArray],
        vector: &Vector,
        around: (&[&'p Expr], &Scope<'p>, Option<InstanceId>),
    ) -> bool {
        let rivals = vector.rivals.iter().map(|rival| rival.guard);
        let owed = vector.owes.iter().map(|owed| owed.term);
        let terms = [vector.guard, vector.result].into_iter().chain(rivals).chain(owed);
        self.are_bound(open, &vector.variables, &terms.collect::<Vec<_>>(), around)
    }

    /// Reports an array that terms read where none of the variables that are bound stands for a place of it.
    pub fn are_bound(
        &mut self,
        open: &[OpenArray],
        bound: &[VarId],
        terms: &[TermId],
        (readers, scope, instance): (&[&'p Expr], &Scope<'p>, Option<InstanceId>),
    ) -> bool {
        // Where a member has the whole array, the other places have values as well.
        for &(id, base) in open.iter().filter(|(_, base)| !bound.contains(base)) {
            if terms.iter().any(|term| self.terms.free_vars(*term).contains(&base)) {
                let span = readers.iter().find_map(|reader| reader.place_of(id));
                let span: Span = span.unwrap_or(scope.locals[id.index()].span);
                let (name, chain) =
                    (scope.locals[id.index()].name.to_string(), self.chain(instance));
                self.report(UnboundPlace { span, name, is_place: true, chain });
                return false;
            }
        }
        true
    }

    /// Whether all that a vector reads has a value: where nobody in its brackets takes part, what only these would give has
    /// none.
    pub fn is_bound(
        &mut self,
        vector: &Vector,
        readers: &[&'p Expr],
        instance: Option<InstanceId>,
    ) -> bool {
        let actions = vector.members.iter().map(|member| member.action);
        let bound: Vec<VarId> = actions.flat_map(|action| self.terms.free_vars(action)).collect();
        let read = [vector.result, vector.guard].into_iter();
        let mut read = read.flat_map(|term| self.terms.free_vars(term));
        let open =
            |var: &VarId| self.terms.var(*var).kind == VariableKind::Vector && !bound.contains(var);
        let Some(var) = read.find(open) else { return true };
        let (name, chain) = (self.terms.var(var).name.to_string(), self.chain(instance));
        let span = readers.first().map_or(Span::default(), |reader| reader.span);
        self.report(UnboundPlace { span, name, is_place: false, chain });
        false
    }
}

/// The data that conditions read and that has no value yet, each with a condition that reads it.
fn read_by<'p>(conditions: &[&'p Expr], scope: &Scope<'p>) -> Vec<(LocalId, &'p Expr)> {
    let mut found: Vec<(LocalId, &'p Expr)> = Vec::new();
    for &condition in conditions {
        condition.each_local(&mut |id| {
            let kind = scope.locals[id.index()].kind;
            let is_data = matches!(kind, LocalKind::VectorData | LocalKind::VectorAction);
            let is_new = found.iter().all(|(known, _)| *known != id);
            if is_data && is_new && !scope.values.contains_key(&id) {
                found.push((id, condition));
            }
        });
    }
    found
}

//! What expressions owe: that each value is one of the sort that it goes into, that an array has the place that is read,
//! that nothing is divided by zero.
//!
//! Lowering notes what is owed while it makes terms, wherever in an expression it stands. `and`, `or`, `=>`, `if` and
//! `match` are read from left to right: what stands to the right owes only where the left does not decide. Values of
//! data and arrays are made of parts that were paid for when they were made, so only integers owe anything.
//!
//! In a step, what is owed becomes part of its condition. Where there is no step, for initial values, parameters and
//! constants, it is a premise: it must follow from the axioms.
//!
//! A function that is defined has a companion, the condition under which its definition has a value: a call owes it.

use super::build::Builder;
use super::lower::Scope;
use crate::algebra::{FunId, Function, Known, Sort, Term, TermId, VarId, VariableKind, sort_of};
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Condition, InstanceId, Owed, OwedKind, Premise, PremiseKind};
use crate::sema::program as typed;

use rustc_hash::{FxHashMap, FxHashSet};

/// Choices inside choices are looked into no deeper than this.
const MOST_CHOICES: usize = 6;

/// What is owed where an expression is lowered, and what is known everywhere.
#[derive(Default)]
pub(super) struct Owing {
    /// What is owed so far.
    pub owed: Vec<Owed>,
    /// What must follow from the axioms.
    pub premises: Vec<Premise>,
    /// What the axioms and the sorts that have values tell.
    pub known: Known,
    /// For each function, its companion.
    companions: Vec<Option<Companion>>,
}

/// When the definition of a function has a value.
#[derive(Clone, Copy)]
enum Companion {
    /// It is not known yet, or it speaks of itself: this function says when.
    Function(FunId),
    /// Always.
    Always,
    /// Where this holds of the parameters.
    Where(TermId),
}

impl<'p> Builder<'p> {
    /// What lowering something owes.
    pub fn owing<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (T, Vec<Owed>) {
        let outside = std::mem::take(&mut self.owing.owed);
        let made = lower(self);
        let owed = std::mem::replace(&mut self.owing.owed, outside);
        (made, owed)
    }

    /// How much is owed so far.
    pub fn owed_so_far(&self) -> usize {
        self.owing.owed.len()
    }

    /// A value that goes into a sort; notes that it must be one of it.
    ///
    /// An array is given the sort that it goes into: `[_]Int(0)` has as many places as it is needed for.
    #[must_use]
    pub fn fit(&mut self, value: TermId, sort: &Sort, text: Span) -> TermId {
        match sort {
            Sort::Array(both) => self.fit_array(value, both, text),
            _ => {
                self.owe_place(value, sort, text, OwedKind::Range);
                value
            }
        }
    }

    fn fit_array(&mut self, value: TermId, both: &(Sort, Sort), text: Span) -> TermId {
        let wanted = Sort::Array(Box::new(both.clone()));
        match self.terms.get(value).clone() {
            Term::ConstArray(_, element) => {
                let element = self.fit(element, &both.1, text);
                self.terms.raw(Term::ConstArray(wanted, element))
            }
            Term::Update(array, place, element) => {
                let array = self.fit_array(array, both, text);
                self.owe_place(place, &both.0, text, OwedKind::Place);
                let element = self.fit(element, &both.1, text);
                self.terms.raw(Term::Update(array, place, element))
            }
            Term::If(condition, yes, no) => {
                let otherwise = self.terms.not(condition);
                let mut made = Vec::with_capacity(2);
                for (condition, value) in [(condition, yes), (otherwise, no)] {
                    let since = self.owed_so_far();
                    made.push(self.fit_array(value, both, text));
                    self.owed_under(condition, since);
                }
                self.terms.if_then_else(condition, made[0], made[1])
            }
            _ => {
                self.owe_same_places(value, both, text);
                value
            }
        }
    }

    /// That an array has the places, and elements of the sort, that are asked for.
    fn owe_same_places(&mut self, value: TermId, both: &(Sort, Sort), text: Span) {
        let Sort::Array(own) = sort_of(&self.algebra, &self.terms, value) else { return };
        if own.0 != both.0 {
            let same = match (&own.0, &both.0) {
                (Sort::Range(a, b), Sort::Range(c, d)) => {
                    let same = [self.terms.equal(*a, *c), self.terms.equal(*b, *d)];
                    self.terms.and(same)
                }
                _ => self.terms.bool(false),
            };
            self.owe(same, text, OwedKind::Place);
        }
        if own.1 != both.1 && self.algebra.is_restricted(&both.1) {
            let place = self.terms.new_var(Symbol::new("i"), both.0.clone(), VariableKind::Bound);
            let at = self.terms.var_term(place);
            let element = self.terms.index(value, at);
            let since = self.owed_so_far();
            _ = self.fit(element, &both.1, text);
            self.owed_for_all(&[place], since);
        }
    }

    /// Two arrays that are compared: `[_]Int(0)` has as many places as the other one.
    pub fn same_places(&mut self, a: TermId, b: TermId, text: Span) -> (TermId, TermId) {
        let of = |term: TermId| match sort_of(&self.algebra, &self.terms, term) {
            Sort::Array(both) => Some(both),
            _ => None,
        };
        let (Some(first), Some(second)) = (of(a), of(b)) else { return (a, b) };
        let has_range = |both: &(Sort, Sort)| matches!(both.0, Sort::Range(..));
        // Elements are compared as they are: only the places matter.
        if has_range(&first) {
            (a, self.fit_array(b, &(first.0, second.1), text))
        } else if has_range(&second) {
            (self.fit_array(a, &(second.0, first.1), text), b)
        } else {
            (a, b)
        }
    }

    /// The same of an index.
    pub fn owe_place(&mut self, value: TermId, sort: &Sort, text: Span, kind: OwedKind) {
        if let Sort::Range(low, high) = *sort {
            self.owe_between(value, (low, high), (text, kind), MOST_CHOICES);
        }
    }

    /// That a value lies between bounds; of a choice, what is chosen does.
    fn owe_between(
        &mut self,
        value: TermId,
        (low, high): (TermId, TermId),
        (text, kind): (Span, OwedKind),
        choices: usize,
    ) {
        if let (Term::If(condition, yes, no), Some(choices)) =
            (self.terms.get(value).clone(), choices.checked_sub(1))
        {
            let otherwise = self.terms.not(condition);
            for (condition, value) in [(condition, yes), (otherwise, no)] {
                let since = self.owed_so_far();
                self.owe_between(value, (low, high), (text, kind), choices);
                self.owed_under(condition, since);
            }
            return;
        }
        let bounds = [self.terms.less_equal(low, value), self.terms.less(value, high)];
        let term = self.terms.and(bounds);
        self.owe(term, text, kind);
    }

    /// Notes that something must hold, where it is not clear.
    pub fn owe(&mut self, term: TermId, text: Span, kind: OwedKind) {
        let left = self.owing.known.left_of(&self.algebra, &mut self.terms, term);
        if self.terms.as_bool(left) != Some(true) {
            self.owing.owed.push(Owed { term: left, text, kind });
        }
    }

    /// That a divisor is not zero.
    pub fn owe_divisor(&mut self, divisor: TermId, text: Span) {
        let zero = self.terms.int(0);
        let is_zero = self.terms.equal(divisor, zero);
        let term = self.terms.not(is_zero);
        self.owe(term, text, OwedKind::Divisor);
    }

    /// What was noted since is owed only where a condition holds.
    pub fn owed_under(&mut self, condition: TermId, since: usize) {
        if self.owing.owed.len() == since {
            return;
        }
        let mut known = self.owing.known.clone();
        known.learn(&self.terms, condition);
        for mut one in self.owing.owed.split_off(since) {
            let left = known.left_of(&self.algebra, &mut self.terms, one.term);
            one.term = self.terms.implies(condition, left);
            if self.terms.as_bool(one.term) != Some(true) {
                self.owing.owed.push(one);
            }
        }
    }

    /// What was noted since is owed for all values of variables.
    pub fn owed_for_all(&mut self, vars: &[VarId], since: usize) {
        for one in &mut self.owing.owed[since..] {
            one.term = self.terms.quantified(true, vars.into(), one.term);
        }
    }

    /// What is left of what is owed, where conditions hold.
    pub fn still_owed(&mut self, owed: Vec<Owed>, given: &[Condition]) -> Vec<Owed> {
        if owed.is_empty() {
            return owed;
        }
        let mut known = self.owing.known.clone();
        given.iter().for_each(|condition| known.learn(&self.terms, condition.term));
        let mut left: Vec<Owed> = Vec::with_capacity(owed.len());
        for mut one in owed {
            one.term = known.left_of(&self.algebra, &mut self.terms, one.term);
            let is_new = !left.iter().any(|other| other.term == one.term && other.text == one.text);
            if is_new && self.terms.as_bool(one.term) != Some(true) {
                left.push(one);
            }
        }
        left
    }

    // ---- premises ----

    /// What is owed where there is no step must follow from the axioms.
    pub fn require(&mut self, owed: Vec<Owed>, instance: Option<InstanceId>) {
        for Owed { term, text, kind } in owed {
            self.premise(term, text, PremiseKind::Value(kind), instance);
        }
    }

    fn premise(
        &mut self,
        term: TermId,
        text: Span,
        kind: PremiseKind,
        instance: Option<InstanceId>,
    ) {
        if self.terms.as_bool(term) == Some(true) {
            return;
        }
        let known = self.owing.premises.iter().any(|one| one.term == term && one.text == text);
        if !known {
            self.owing.premises.push(Premise { term, text, kind, instance });
        }
    }

    /// The premises of a net. Those that speak of its own parameters, which stand for any value, are taken for granted.
    pub(super) fn take_premises(&mut self) -> (Vec<Premise>, Vec<TermId>) {
        let all = std::mem::take(&mut self.owing.premises);
        let (granted, premises): (Vec<Premise>, Vec<Premise>) =
            all.into_iter().partition(|premise| self.speaks_of_parameters(premise.term));
        let granted: Vec<TermId> = granted.into_iter().map(|premise| premise.term).collect();
        self.algebra.axioms.extend(&granted);
        (premises, granted)
    }

    fn speaks_of_parameters(&self, root: TermId) -> bool {
        let first = self.program.consts.len();
        let is_parameter =
            |id| matches!(self.terms.get(id), Term::Const(id) if id.index() >= first);
        self.terms.inside([root]).any(is_parameter)
    }

    /// The ranges that a sort is made of have values.
    pub fn inhabited(
        &mut self,
        sort: typed::Sort,
        scope: &Scope<'p>,
        instance: Option<InstanceId>,
    ) {
        match sort {
            typed::Sort::Array(id) => {
                let (key, value) = self.program.arrays[id.index()];
                self.inhabited(key, scope, instance);
                self.inhabited(value, scope, instance);
            }
            typed::Sort::Range(id) => {
                let range = &self.program.ranges[id.index()];
                let Sort::Range(low, high) = self.sort(sort, scope) else { return };
                let has_values = self.terms.less(low, high);
                let text = range.low.span.to(range.high.span);
                self.premise(has_values, text, PremiseKind::Inhabited(low, high), instance);
                // Where it is not so, there is no net: everything else may rely on it.
                self.owing.known.learn(&self.terms, has_values);
            }
            _ => {}
        }
    }

    // ---- functions ----

    /// Makes a companion for each function that is defined; what it says is known later.
    pub(super) fn declare_companions(&mut self) {
        for index in 0..self.program.funs.len() {
            let function = &self.algebra.functions[index];
            let companion = function.body.is_some().then(|| {
                let name = Symbol::new(&format!("{} has a value", function.name));
                let params = function.params.clone();
                Function { name, params, result: Sort::Bool, measures: Vec::new(), body: None }
            });
            let companion = companion.map(|function| {
                self.algebra.functions.push(function);
                Companion::Function(FunId(self.algebra.functions.len() as u32 - 1))
            });
            self.owing.companions.push(companion);
        }
    }

    /// A call owes that the definition has a value for its arguments.
    pub fn owe_call(&mut self, id: FunId, args: &[TermId], text: Span) {
        let term = match self.owing.companions.get(id.index()) {
            Some(Some(Companion::Function(companion))) => {
                self.terms.raw(Term::Apply(*companion, args.into()))
            }
            Some(Some(Companion::Where(condition))) => {
                let params = self.algebra.functions[id.index()].params.iter().copied();
                let values = params.zip(args.iter().copied()).collect();
                self.terms.substitute(*condition, &values)
            }
            Some(Some(Companion::Always) | None) | None => return,
        };
        self.owe(term, text, OwedKind::Call);
    }

    /// Says when definitions have values: `owes[f]` is what the definition of the function `f` owes.
    ///
    /// A companion that owes nothing but companions that owe nothing is true: the greatest solution, which is the only
    /// one, since functions that are defined end.
    pub(super) fn define_companions(&mut self, owes: Vec<Vec<Owed>>) {
        let bodies = owes.into_iter().map(|owes| self.terms.and(owes.into_iter().map(|o| o.term)));
        let bodies: Vec<TermId> = bodies.collect();
        let mut always: FxHashSet<FunId> = self.companion_ids().map(|(_, id)| id).collect();
        loop {
            let mut changed = false;
            for (index, id) in self.companion_ids().collect::<Vec<_>>() {
                if always.contains(&id) {
                    let body = self.without_companions(bodies[index], &always);
                    if self.terms.as_bool(body) != Some(true) {
                        always.remove(&id);
                        changed = true;
                    }
                }
            }
            if !changed || is_spent() {
                break;
            }
        }
        for (index, id) in self.companion_ids().collect::<Vec<_>>() {
            let body = self.without_companions(bodies[index], &always);
            self.algebra.functions[id.index()].body = Some(body);
            if always.contains(&id) {
                self.owing.companions[index] = Some(Companion::Always);
            }
        }
        self.inline_companions();
    }

    /// Companions that speak of no companion are written out where they are owed.
    fn inline_companions(&mut self) {
        while !is_spent() {
            let ids: Vec<(usize, FunId)> = self.companion_ids().collect();
            let all: FxHashSet<FunId> = ids.iter().map(|(_, id)| *id).collect();
            let plain = ids.iter().find_map(|&(index, id)| {
                let body = self.algebra.functions[id.index()].body?;
                self.mentioned(body, &all).is_empty().then_some((index, id, body))
            });
            let Some((index, id, body)) = plain else { return };
            self.owing.companions[index] = Some(Companion::Where(body));
            for (_, other) in ids {
                let Some(old) = self.algebra.functions[other.index()].body else { continue };
                let new = self.written_out(old, id, body);
                self.algebra.functions[other.index()].body = Some(new);
            }
        }
    }

    fn companion_ids(&self) -> impl Iterator<Item = (usize, FunId)> + '_ {
        self.owing.companions.iter().enumerate().filter_map(|(index, companion)| match companion {
            Some(Companion::Function(id)) => Some((index, *id)),
            _ => None,
        })
    }

    /// The calls of some functions in a term, those inside others first.
    fn mentioned(&self, root: TermId, of: &FxHashSet<FunId>) -> Vec<TermId> {
        let is_call =
            |id: &TermId| matches!(self.terms.get(*id), Term::Apply(fun, _) if of.contains(fun));
        let mut found: Vec<TermId> = self.terms.inside([root]).filter(is_call).collect();
        // What is inside a term is older than the term.
        found.sort_unstable();
        found
    }

    /// A condition where companions that are always true are.
    fn without_companions(&mut self, root: TermId, always: &FxHashSet<FunId>) -> TermId {
        let yes = self.terms.bool(true);
        let mut done: FxHashMap<TermId, TermId> =
            self.mentioned(root, always).into_iter().map(|call| (call, yes)).collect();
        self.terms.substitute_with(root, &FxHashMap::default(), &mut done)
    }

    /// A condition with a companion's own condition in the place of its calls.
    fn written_out(&mut self, root: TermId, companion: FunId, body: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let params = self.algebra.functions[companion.index()].params.clone();
        for call in self.mentioned(root, &[companion].into_iter().collect()) {
            let Term::Apply(_, args) = self.terms.get(call).clone() else { continue };
            let args = args
                .iter()
                .map(|&arg| self.terms.substitute_with(arg, &FxHashMap::default(), &mut done));
            let values = params.iter().copied().zip(args.collect::<Vec<_>>()).collect();
            let new = self.terms.substitute(body, &values);
            done.insert(call, new);
        }
        self.terms.substitute_with(root, &FxHashMap::default(), &mut done)
    }
}

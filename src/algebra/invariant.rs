//! The invariants of sorts: which of the values that the solver knows are values of a sort.
//!
//! To the solver a range is all integers, an array over a range has places outside of it, and a datatype with a range
//! inside has values that no model can make. `inv(S, x)` is the formula that `x` is a value of the sort `S`: true of
//! most sorts, a conjunction for ranges and data, a recursive predicate for data that contain themselves, and for
//! arrays a statement about the places inside the range only.
//!
//! Values that come in from outside satisfy it ([`Algebra::inv`] is *assumed* of them); expressions that go into a
//! range *owe* it, which elaboration sees to. So every value that is met anywhere satisfies it.

use super::{ActionId, Algebra, DataId, FunId, Function, Sort, Term, TermId, Terms, VariableKind};
use crate::diagnostics::Symbol;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// Arrays over a range with at most so many places are spelt out place by place.
pub const MOST_PLACES: usize = 64;

/// Data that contain themselves are looked into by a predicate that does so to the end.
pub const BY_PREDICATE: usize = usize::MAX;

/// How deep actions are looked into: `sync` may stand around `co` and around another `sync`. No vector sees what is
/// further inside.
const ACTION_LEVELS: usize = 3;

/// What is known of the sorts of a model.
#[derive(Clone, Debug, Default)]
pub struct Restrictions {
    /// For each datatype, whether it has values that are none of the model's.
    data: Vec<bool>,
    /// The predicate for datatypes that contain themselves.
    predicates: Vec<Option<FunId>>,
    /// For each datatype, a constructor that makes a value without another one of it.
    simplest: Vec<Option<u32>>,
    /// For each abstract sort, one of its values.
    witnesses: Vec<FunId>,
}

impl Algebra {
    /// Works out which sorts are restricted, and declares what their invariants need. Datatypes, actions and functions
    /// must be known.
    pub fn restrict(&mut self, terms: &mut Terms) {
        let count = self.datatypes.len();
        self.restrictions.data = vec![false; count];
        let mut changed = true;
        while changed {
            changed = false;
            for data in 0..count {
                let restricted = self.fields(data).any(|sort| self.is_restricted(sort));
                if restricted && !self.restrictions.data[data] {
                    self.restrictions.data[data] = true;
                    changed = true;
                }
            }
        }
        self.choose_constructors();
        self.declare_witnesses();
        self.declare_predicates(terms);
    }

    fn fields(&self, data: usize) -> impl Iterator<Item = &Sort> {
        let constructors = self.datatypes[data].constructors.iter();
        constructors.flat_map(|one| one.fields.iter().map(|(_, sort)| sort))
    }

    /// Whether there are values of a sort, to the solver, that are none of the model's.
    pub fn is_restricted(&self, sort: &Sort) -> bool {
        match sort {
            Sort::Bool | Sort::Int | Sort::Abstract(_) => false,
            Sort::Range(..) => true,
            Sort::Data(data) => self.restrictions.data.get(data.index()) == Some(&true),
            // An array over a range has places outside of it, to the solver.
            Sort::Array(both) => matches!(both.0, Sort::Range(..)) || self.is_restricted(&both.1),
            Sort::Action => self.actions.iter().any(|one| self.restricts_arguments(&one.sorts)),
        }
    }

    fn restricts_arguments(&self, sorts: &[Sort]) -> bool {
        // An argument that is an action again is looked at where that action is.
        sorts.iter().any(|sort| *sort != Sort::Action && self.is_restricted(sort))
    }

    /// Whether arrays stand in a sort of which the solver thinks that they differ where they do not: outside of their
    /// ranges, which are too large to be spelt out.
    pub fn is_loose(&self, terms: &Terms, sort: &Sort) -> bool {
        self.is_loose_within(terms, sort, &mut vec![false; self.datatypes.len()])
    }

    fn is_loose_within(&self, terms: &Terms, sort: &Sort, seen: &mut [bool]) -> bool {
        match sort {
            Sort::Bool | Sort::Int | Sort::Range(..) | Sort::Abstract(_) => false,
            Sort::Data(data) => {
                !std::mem::replace(&mut seen[data.index()], true)
                    && self.fields(data.index()).any(|one| self.is_loose_within(terms, one, seen))
            }
            Sort::Array(both) => {
                self.is_restricted(&both.0) && places(terms, &both.0).is_none()
                    || self.is_loose_within(terms, &both.1, seen)
            }
            Sort::Action => {
                let sorts = self.actions.iter().flat_map(|one| &one.sorts);
                let mut sorts = sorts.filter(|sort| **sort != Sort::Action);
                sorts.any(|sort| self.is_loose_within(terms, sort, seen))
            }
        }
    }

    /// A value of each abstract sort: arrays have one outside of their range.
    fn declare_witnesses(&mut self) {
        for index in 0..self.abstracts.len() {
            let name = Symbol::new(&format!("some {}", self.abstracts[index]));
            let result = Sort::Abstract(super::AbstractId(index as u32));
            let id = self.add_function(Function {
                name,
                params: Vec::new(),
                result,
                measures: Vec::new(),
                body: None,
            });
            self.restrictions.witnesses.push(id);
        }
    }

    fn declare_predicates(&mut self, terms: &mut Terms) {
        let count = self.datatypes.len();
        self.restrictions.predicates = vec![None; count];
        let recursive: Vec<usize> =
            (0..count).filter(|&d| self.restrictions.data[d] && self.contains_itself(d)).collect();
        let mut params = Vec::with_capacity(recursive.len());
        for &data in &recursive {
            let name = Symbol::new(&format!("is a {}", self.datatypes[data].name));
            let sort = Sort::Data(DataId(data as u32));
            let param = terms.new_var(Symbol::new("x"), sort, VariableKind::Parameter);
            let function = Function {
                name,
                params: vec![param],
                result: Sort::Bool,
                measures: Vec::new(),
                body: None,
            };
            self.restrictions.predicates[data] = Some(self.add_function(function));
            params.push(param);
        }
        for (&data, &param) in recursive.iter().zip(&params) {
            let value = terms.var_term(param);
            let parts = self.constructors_hold(terms, DataId(data as u32), value, BY_PREDICATE);
            let body = terms.and(parts);
            if let Some(id) = self.restrictions.predicates[data] {
                self.functions[id.index()].body = Some(body);
            }
        }
    }

    fn add_function(&mut self, function: Function) -> FunId {
        self.functions.push(function);
        FunId(self.functions.len() as u32 - 1)
    }

    /// Whether a datatype contains itself, also through others.
    fn contains_itself(&self, data: usize) -> bool {
        let mut seen = vec![false; self.datatypes.len()];
        let mut work: Vec<&Sort> = self.fields(data).collect();
        while let Some(sort) = work.pop() {
            match sort {
                Sort::Data(inner) if inner.index() == data => return true,
                Sort::Data(inner) if !std::mem::replace(&mut seen[inner.index()], true) => {
                    work.extend(self.fields(inner.index()));
                }
                Sort::Array(both) => work.extend([&both.0, &both.1]),
                _ => {}
            }
        }
        false
    }

    /// `inv(S, x)`: that a value is one of its sort; nothing where this is clear.
    pub fn inv(&self, terms: &mut Terms, sort: &Sort, value: TermId) -> Option<TermId> {
        let parts = self.parts_hold(terms, sort, value);
        let all = terms.and(parts);
        (terms.as_bool(all) != Some(true)).then_some(all)
    }

    fn parts_hold(&self, terms: &mut Terms, sort: &Sort, value: TermId) -> Vec<TermId> {
        // A value of a datatype was paid for when it was made: only one that is made here has to be looked into.
        let made =
            !matches!(sort, Sort::Data(_)) || matches!(terms.get(value), Term::Construct(..));
        if !made || !self.is_restricted(sort) || has_this_sort(terms, value, sort) {
            return Vec::new();
        }
        self.look_inside(terms, sort, value, BY_PREDICATE)
    }

    /// Whether some restricted datatype contains itself.
    pub fn has_predicates(&self) -> bool {
        self.restrictions.predicates.iter().any(Option::is_some)
    }

    /// The same of a variable: what has to be assumed of it. Data that contain themselves are looked into so many levels
    /// deep, or by a predicate.
    pub fn assumed(&self, terms: &mut Terms, var: super::VarId, levels: usize) -> Option<TermId> {
        let (value, sort) = (terms.var_term(var), terms.var(var).sort.clone());
        self.assumed_to(terms, &sort, value, levels)
    }

    /// What has to be assumed of a name of this sort.
    pub fn assumed_of(&self, terms: &mut Terms, sort: &Sort, value: TermId) -> Option<TermId> {
        self.assumed_to(terms, sort, value, BY_PREDICATE)
    }

    fn assumed_to(
        &self,
        terms: &mut Terms,
        sort: &Sort,
        value: TermId,
        levels: usize,
    ) -> Option<TermId> {
        if !self.is_restricted(sort) {
            return None;
        }
        let parts = self.look_inside(terms, sort, value, levels);
        let all = terms.and(parts);
        (terms.as_bool(all) != Some(true)).then_some(all)
    }

    fn look_inside(
        &self,
        terms: &mut Terms,
        sort: &Sort,
        value: TermId,
        levels: usize,
    ) -> Vec<TermId> {
        match sort {
            Sort::Range(low, high) => {
                vec![terms.less_equal(*low, value), terms.less(value, *high)]
            }
            Sort::Data(data) => match self.restrictions.predicates[data.index()] {
                Some(predicate)
                    if levels == BY_PREDICATE
                        && !matches!(terms.get(value), Term::Construct(..)) =>
                {
                    vec![terms.raw(Term::Apply(predicate, [value].into()))]
                }
                Some(_) if levels == 0 => Vec::new(),
                Some(_) if levels < BY_PREDICATE => {
                    self.constructors_hold(terms, *data, value, levels - 1)
                }
                _ => self.constructors_hold(terms, *data, value, levels),
            },
            Sort::Array(both) => self.elements_hold(terms, both, value, levels),
            Sort::Action => self.action_holds(terms, value, (ACTION_LEVELS, levels)),
            Sort::Bool | Sort::Int | Sort::Abstract(_) => Vec::new(),
        }
    }

    fn constructors_hold(
        &self,
        terms: &mut Terms,
        data: DataId,
        value: TermId,
        levels: usize,
    ) -> Vec<TermId> {
        let constructors = &self.datatypes[data.index()].constructors;
        let mut found = Vec::new();
        for (index, constructor) in constructors.iter().enumerate() {
            let index = index as u32;
            let is = if constructors.len() == 1 {
                terms.bool(true)
            } else {
                terms.is_constructor(data, index, value)
            };
            if terms.as_bool(is) == Some(false) {
                continue;
            }
            let mut fields = Vec::new();
            for (field, (_, sort)) in constructor.fields.iter().enumerate() {
                if self.is_restricted(sort) {
                    let selected = terms.select(data, index, field as u32, value);
                    // Of a field of a value, nothing is clear yet: this is what makes it so.
                    fields.extend(match terms.get(selected) {
                        Term::Select(..) => self.look_inside(terms, sort, selected, levels),
                        _ => self.parts_hold(terms, sort, selected),
                    });
                }
            }
            if !fields.is_empty() {
                let all = terms.and(fields);
                found.push(terms.implies(is, all));
            }
        }
        found
    }

    fn elements_hold(
        &self,
        terms: &mut Terms,
        both: &(Sort, Sort),
        value: TermId,
        levels: usize,
    ) -> Vec<TermId> {
        let (key, element) = both;
        if let Some(places) = places(terms, key) {
            let sort = Sort::Array(Box::new(both.clone()));
            let outside = self.some_value(terms, element);
            let mut same = terms.raw(Term::ConstArray(sort, outside));
            let mut all = Vec::new();
            for place in places {
                let place = terms.int(place);
                let at = terms.index(value, place);
                same = terms.raw(Term::Update(same, place, at));
                all.extend(self.look_inside(terms, element, at, levels));
            }
            // Outside of the range, all arrays are alike.
            all.push(terms.equal(value, same));
            return all;
        }
        if !self.is_restricted(element) {
            return Vec::new();
        }
        let place = terms.new_var(Symbol::new("i"), key.clone(), VariableKind::Bound);
        let at = terms.var_term(place);
        let at = terms.index(value, at);
        let all = self.look_inside(terms, element, at, levels);
        let all = terms.and(all);
        vec![terms.quantified(true, [place].into(), all)]
    }

    fn action_holds(
        &self,
        terms: &mut Terms,
        action: TermId,
        (wrappers, levels): (usize, usize),
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        for (id, signature) in self.actions.iter().enumerate() {
            if self.restricts_arguments(&signature.sorts) {
                found.extend(self.arguments_hold(terms, ActionId(id as u32), action, levels));
            }
        }
        if wrappers > 1 {
            let wrapped = [terms.is_sync(action), terms.is_co(action)];
            let wrapped = terms.or(wrapped);
            if terms.as_bool(wrapped) != Some(false) {
                let inner = terms.inner(action);
                let inside = self.action_holds(terms, inner, (wrappers - 1, levels));
                let inside = terms.and(inside);
                found.push(terms.implies(wrapped, inside));
            }
        }
        found
    }

    fn arguments_hold(
        &self,
        terms: &mut Terms,
        id: ActionId,
        action: TermId,
        levels: usize,
    ) -> Option<TermId> {
        let is = terms.is_act(id, action);
        if terms.as_bool(is) == Some(false) {
            return None;
        }
        let mut all = Vec::new();
        for (place, sort) in self.action(id).sorts.iter().enumerate() {
            if self.is_restricted(sort) && *sort != Sort::Action {
                let argument = terms.argument(id, place as u32, action);
                all.extend(match terms.get(argument) {
                    Term::Argument(..) => self.look_inside(terms, sort, argument, levels),
                    _ => self.parts_hold(terms, sort, argument),
                });
            }
        }
        let all = terms.and(all);
        Some(terms.implies(is, all))
    }

    // ---- one value of each sort ----

    /// For each datatype, a constructor whose fields have values without it.
    fn choose_constructors(&mut self) {
        let count = self.datatypes.len();
        self.restrictions.simplest = vec![None; count];
        let mut changed = true;
        while changed {
            changed = false;
            for data in 0..count {
                if self.restrictions.simplest[data].is_none() {
                    let constructors = self.datatypes[data].constructors.iter();
                    let found = constructors.enumerate().find(|(_, constructor)| {
                        constructor.fields.iter().all(|(_, sort)| self.has_known_value(sort))
                    });
                    self.restrictions.simplest[data] = found.map(|(index, _)| index as u32);
                    changed |= self.restrictions.simplest[data].is_some();
                }
            }
        }
    }

    fn has_known_value(&self, sort: &Sort) -> bool {
        match sort {
            Sort::Data(data) => self.restrictions.simplest[data.index()].is_some(),
            Sort::Array(both) => self.has_known_value(&both.1),
            _ => true,
        }
    }

    /// Some value of a sort.
    pub fn some_value(&self, terms: &mut Terms, sort: &Sort) -> TermId {
        self.some_value_of(terms, sort, &mut FxHashMap::default())
    }

    fn some_value_of(
        &self,
        terms: &mut Terms,
        sort: &Sort,
        known: &mut FxHashMap<DataId, TermId>,
    ) -> TermId {
        match sort {
            Sort::Bool => terms.bool(false),
            Sort::Int => terms.int(0),
            Sort::Range(low, _) => *low,
            Sort::Action => terms.raw(Term::Tau),
            Sort::Abstract(id) => match self.restrictions.witnesses.get(id.index()) {
                Some(&witness) => terms.raw(Term::Apply(witness, [].into())),
                None => terms.int(0),
            },
            Sort::Array(both) => {
                let element = self.some_value_of(terms, &both.1, known);
                terms.raw(Term::ConstArray(sort.clone(), element))
            }
            Sort::Data(data) => {
                if let Some(&value) = known.get(data) {
                    return value;
                }
                let index = self.restrictions.simplest[data.index()].unwrap_or_default();
                let fields = &self.datatypes[data.index()].constructors[index as usize].fields;
                let args = fields.iter().map(|(_, sort)| self.some_value_of(terms, sort, known));
                let args = args.collect();
                let value = terms.raw(Term::Construct(*data, index, args));
                known.insert(*data, value);
                value
            }
        }
    }
}

/// The places of an array with few of them, between bounds that are known.
pub fn places(terms: &Terms, key: &Sort) -> Option<Vec<BigInt>> {
    let Sort::Range(low, high) = key else { return None };
    let (low, high) = (terms.as_int(*low)?, terms.as_int(*high)?);
    let count = (high - low).to_usize().filter(|&count| count <= MOST_PLACES)?;
    Some((0..count).map(|place| low + place).collect())
}

/// Whether a term is of a sort by its name alone: then it is a value of it, whatever that asks for.
fn has_this_sort(terms: &Terms, value: TermId, sort: &Sort) -> bool {
    matches!(terms.get(value), Term::Var(var) if terms.var(*var).sort == *sort)
}

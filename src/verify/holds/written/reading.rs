//! Reads sets of configurations: each term must be one of its sort.

use num_bigint::BigInt;

use super::{FixpointsFile, VERSION, WrittenLayer, WrittenSets, WrittenSort, WrittenTerm};
use crate::algebra::{
    AbstractId, ActionId, Algebra, ConstId, DataId, FunId, Sort, SortsOf, Term, TermId, Terms,
    VarId, VariableKind,
};
use crate::diagnostics::Symbol;
use crate::temporal::symbolic::{Found, GivenSets, Layer, Set};

/// A file that was read; or why it is none.
pub(in super::super) fn parsed(text: &str) -> Result<FixpointsFile, String> {
    let file: FixpointsFile =
        serde_json::from_str(text).map_err(|problem| format!("it cannot be read: {problem}"))?;
    match file.version {
        VERSION => Ok(file),
        other => Err(format!("it has version {other}, and this is {VERSION}")),
    }
}

/// The sets of a file, about an automaton with so many states; `state` are the variables of the net, `bound` those that the
/// formula binds.
pub(in super::super) fn read(
    file: &FixpointsFile,
    (algebra, terms): (&Algebra, &mut Terms),
    states: usize,
    (state, bound): (&[VarId], &[VarId]),
) -> Result<GivenSets, String> {
    let mut reading = Reading::new(file, (algebra, terms), (state, bound))?;
    reading.states = states;
    let none = || "a set is not one condition for each state".to_owned();
    let known = reading.set(&file.known).ok_or_else(none)?;
    let mut found = Vec::with_capacity(file.fixpoints.len());
    for sets in &file.fixpoints {
        found.push(reading.sets(sets).ok_or_else(none)?);
    }
    Ok(GivenSets { known, found })
}

/// The parts of an invariant; `state` are the variables that it may speak of.
pub(in super::super) fn read_invariant(
    file: &FixpointsFile,
    (algebra, terms): (&Algebra, &mut Terms),
    state: &[VarId],
) -> Result<Vec<TermId>, String> {
    let mut reading = Reading::new(file, (algebra, terms), (state, &[]))?;
    let parts = file.invariant.iter().flatten();
    let parts = parts.map(|&place| reading.of(place, &Sort::Bool));
    parts.collect::<Option<_>>().ok_or_else(|| "a part is no condition".to_owned())
}

struct Reading<'r> {
    file: &'r FixpointsFile,
    algebra: &'r Algebra,
    terms: &'r mut Terms,
    states: usize,
    state: &'r [VarId],
    bound: &'r [VarId],
    /// The other variables, as far as they were met.
    own: Vec<Option<VarId>>,
    /// The terms so far.
    found: Vec<TermId>,
    sorts: SortsOf,
}

impl<'r> Reading<'r> {
    /// A reading with all terms of a file.
    fn new(
        file: &'r FixpointsFile,
        (algebra, terms): (&'r Algebra, &'r mut Terms),
        (state, bound): (&'r [VarId], &'r [VarId]),
    ) -> Result<Reading<'r>, String> {
        let mut reading = Reading {
            file,
            algebra,
            terms,
            states: 0,
            state,
            bound,
            own: vec![None; file.variables.len()],
            found: Vec::with_capacity(file.terms.len()),
            sorts: SortsOf::default(),
        };
        for (place, written) in file.terms.iter().enumerate() {
            let term = reading.term(written);
            let term =
                term.ok_or_else(|| format!("the term with number {place} is none of its sort"))?;
            reading.found.push(term);
        }
        Ok(reading)
    }

    fn sets(&mut self, sets: &WrittenSets) -> Option<Found> {
        match sets {
            WrittenSets::Greatest(set) => Some(Found::Greatest(self.set(set)?)),
            WrittenSets::Least(layers) => {
                let layers = layers.iter().map(|layer| self.layer(layer));
                Some(Found::Least(layers.collect::<Option<_>>()?))
            }
        }
    }

    fn layer(&mut self, layer: &WrittenLayer) -> Option<Layer> {
        let mut ranks = Vec::with_capacity(layer.ranks.len());
        for &rank in &layer.ranks {
            let var = self.own(rank)?;
            // Ranks are numbers, each with a name of its own.
            if self.terms.var(var).sort != Sort::Int || ranks.contains(&var) {
                return None;
            }
            ranks.push(var);
        }
        Some(Layer { ranks, set: self.set(&layer.states)? })
    }

    fn set(&mut self, set: &[usize]) -> Option<Set> {
        if set.len() != self.states {
            return None;
        }
        set.iter().map(|&place| self.of(place, &Sort::Bool)).collect()
    }

    /// A term before, if it is of a sort.
    fn of(&mut self, place: usize, sort: &Sort) -> Option<TermId> {
        let term = *self.found.get(place)?;
        are_alike(&self.sort_of(term), sort).then_some(term)
    }

    fn any(&self, place: usize) -> Option<TermId> {
        self.found.get(place).copied()
    }

    fn sort_of(&mut self, term: TermId) -> Sort {
        self.sorts.of(self.algebra, self.terms, term)
    }

    fn all(&mut self, places: &[usize], sort: &Sort) -> Option<Vec<TermId>> {
        places.iter().map(|&place| self.of(place, sort)).collect()
    }

    /// As many terms as there are sorts, each of its own.
    fn arguments(&mut self, places: &[usize], sorts: &[Sort]) -> Option<Box<[TermId]>> {
        let are_so_many = places.len() == sorts.len();
        let each = places.iter().zip(sorts).map(|(&place, sort)| self.of(place, sort));
        each.collect::<Option<_>>().filter(|_| are_so_many)
    }

    fn own(&mut self, place: usize) -> Option<VarId> {
        if let Some(var) = *self.own.get(place)? {
            return Some(var);
        }
        let sort = self.sort(self.file.variables.get(place)?)?;
        let var = self.terms.new_var(Symbol::new("v"), sort, VariableKind::Vector);
        self.own[place] = Some(var);
        Some(var)
    }

    fn owned(&mut self, places: &[usize]) -> Option<Box<[VarId]>> {
        let vars: Box<[VarId]> =
            places.iter().map(|&place| self.own(place)).collect::<Option<_>>()?;
        (!vars.is_empty()).then_some(vars)
    }

    fn sort(&mut self, sort: &WrittenSort) -> Option<Sort> {
        Some(match sort {
            WrittenSort::Bool => Sort::Bool,
            WrittenSort::Int => Sort::Int,
            WrittenSort::Action => Sort::Action,
            WrittenSort::Abstract(id) => {
                self.algebra.abstracts.get(*id)?;
                Sort::Abstract(AbstractId(*id as u32))
            }
            WrittenSort::Data(id) => Sort::Data(self.data(*id)?),
            WrittenSort::Range(low, high) => {
                Sort::Range(self.of(*low, &Sort::Int)?, self.of(*high, &Sort::Int)?)
            }
            WrittenSort::Array(key, value) => {
                Sort::Array(Box::new((self.sort(key)?, self.sort(value)?)))
            }
        })
    }

    fn data(&self, id: usize) -> Option<DataId> {
        self.algebra.datatypes.get(id)?;
        Some(DataId(id as u32))
    }

    /// The sorts of the fields of a constructor.
    fn fields(&self, data: usize, index: u32) -> Option<Vec<Sort>> {
        let constructor = self.algebra.datatypes.get(data)?.constructors.get(index as usize)?;
        Some(constructor.fields.iter().map(|(_, sort)| sort.clone()).collect())
    }

    fn action(&self, id: usize) -> Option<(ActionId, Vec<Sort>)> {
        let signature = self.algebra.actions.get(id)?;
        Some((ActionId(id as u32), signature.sorts.clone()))
    }

    fn term(&mut self, written: &WrittenTerm) -> Option<TermId> {
        let (truth, number, action) = (Sort::Bool, Sort::Int, Sort::Action);
        Some(match written {
            WrittenTerm::Bool(value) => self.terms.bool(*value),
            WrittenTerm::Int(value) => {
                let value: BigInt = value.parse().ok()?;
                self.terms.int(value)
            }
            WrittenTerm::State(place) => self.terms.var_term(*self.state.get(*place)?),
            WrittenTerm::Bound(place) => self.terms.var_term(*self.bound.get(*place)?),
            WrittenTerm::Var(place) => {
                let var = self.own(*place)?;
                self.terms.var_term(var)
            }
            WrittenTerm::Const(id) => {
                self.algebra.constants.get(*id)?;
                self.terms.raw(Term::Const(ConstId(*id as u32)))
            }
            WrittenTerm::Apply(id, args) => {
                let params = &self.algebra.functions.get(*id)?.params;
                let sorts: Vec<Sort> =
                    params.iter().map(|var| self.terms.var(*var).sort.clone()).collect();
                let args = self.arguments(args, &sorts)?;
                self.terms.raw(Term::Apply(FunId(*id as u32), args))
            }
            WrittenTerm::Construct(data, index, args) => {
                let fields = self.fields(*data, *index)?;
                let args = self.arguments(args, &fields)?;
                self.terms.raw(Term::Construct(DataId(*data as u32), *index, args))
            }
            WrittenTerm::Select(data, index, field, inner) => {
                self.fields(*data, *index)?.get(*field as usize)?;
                let id = self.data(*data)?;
                let inner = self.of(*inner, &Sort::Data(id))?;
                self.terms.select(id, *index, *field, inner)
            }
            WrittenTerm::Is(data, index, inner) => {
                self.fields(*data, *index)?;
                let id = self.data(*data)?;
                let inner = self.of(*inner, &Sort::Data(id))?;
                self.terms.is_constructor(id, *index, inner)
            }
            WrittenTerm::Index(array, key) => {
                let array = self.any(*array)?;
                let Sort::Array(both) = self.sort_of(array) else { return None };
                let key = self.of(*key, &both.0)?;
                self.terms.raw(Term::Index(array, key))
            }
            WrittenTerm::Update(array, key, value) => {
                let array = self.any(*array)?;
                let Sort::Array(both) = self.sort_of(array) else { return None };
                let (key, value) = (self.of(*key, &both.0)?, self.of(*value, &both.1)?);
                self.terms.raw(Term::Update(array, key, value))
            }
            WrittenTerm::Everywhere(sort, value) => {
                let sort = self.sort(sort)?;
                let Sort::Array(both) = &sort else { return None };
                let value = self.of(*value, &both.1)?;
                self.terms.raw(Term::ConstArray(sort, value))
            }
            WrittenTerm::Not(inner) => {
                let inner = self.of(*inner, &truth)?;
                self.terms.not(inner)
            }
            WrittenTerm::And(args) => {
                let args = self.all(args, &truth)?;
                self.terms.and(args)
            }
            WrittenTerm::Or(args) => {
                let args = self.all(args, &truth)?;
                self.terms.or(args)
            }
            WrittenTerm::Add(args) => {
                let args = self.all(args, &number)?;
                self.terms.add(args)
            }
            WrittenTerm::Multiply(args) => {
                let args = self.all(args, &number)?;
                self.terms.multiply(args)
            }
            WrittenTerm::Div(a, b) => {
                let (a, b) = (self.of(*a, &number)?, self.of(*b, &number)?);
                self.terms.div(a, b)
            }
            WrittenTerm::Mod(a, b) => {
                let (a, b) = (self.of(*a, &number)?, self.of(*b, &number)?);
                self.terms.modulo(a, b)
            }
            WrittenTerm::Equal(a, b) => {
                let a = self.any(*a)?;
                let sort = self.sort_of(a);
                let b = self.of(*b, &sort)?;
                self.terms.equal(a, b)
            }
            WrittenTerm::Less(a, b) => {
                let (a, b) = (self.of(*a, &number)?, self.of(*b, &number)?);
                self.terms.less(a, b)
            }
            WrittenTerm::LessEqual(a, b) => {
                let (a, b) = (self.of(*a, &number)?, self.of(*b, &number)?);
                self.terms.less_equal(a, b)
            }
            WrittenTerm::If(condition, yes, no) => {
                let (condition, yes) = (self.of(*condition, &truth)?, self.any(*yes)?);
                let sort = self.sort_of(yes);
                let no = self.of(*no, &sort)?;
                self.terms.if_then_else(condition, yes, no)
            }
            WrittenTerm::Forall(vars, inner) => {
                let (vars, inner) = (self.owned(vars)?, self.of(*inner, &truth)?);
                self.terms.raw(Term::Forall(vars, inner))
            }
            WrittenTerm::Exists(vars, inner) => {
                let (vars, inner) = (self.owned(vars)?, self.of(*inner, &truth)?);
                self.terms.raw(Term::Exists(vars, inner))
            }
            WrittenTerm::Act(id, args) => {
                let (id, sorts) = self.action(*id)?;
                let args = self.arguments(args, &sorts)?;
                self.terms.raw(Term::Act(id, args))
            }
            WrittenTerm::Tau => self.terms.raw(Term::Tau),
            WrittenTerm::Sync(inner) => {
                let inner = self.of(*inner, &action)?;
                self.terms.raw(Term::Sync(inner))
            }
            WrittenTerm::Co(inner) => {
                let inner = self.of(*inner, &action)?;
                self.terms.raw(Term::Co(inner))
            }
            WrittenTerm::IsAct(id, inner) => {
                let ((id, _), inner) = (self.action(*id)?, self.of(*inner, &action)?);
                self.terms.is_act(id, inner)
            }
            WrittenTerm::IsSync(inner) => {
                let inner = self.of(*inner, &action)?;
                self.terms.is_sync(inner)
            }
            WrittenTerm::IsCo(inner) => {
                let inner = self.of(*inner, &action)?;
                self.terms.is_co(inner)
            }
            WrittenTerm::Argument(id, place, inner) => {
                let ((id, sorts), inner) = (self.action(*id)?, self.of(*inner, &action)?);
                sorts.get(*place as usize)?;
                self.terms.argument(id, *place, inner)
            }
            WrittenTerm::Inner(inner) => {
                let inner = self.of(*inner, &action)?;
                self.terms.inner(inner)
            }
        })
    }
}

/// Whether a value of one sort can stand for one of another, to the solver: ranges are integers to it.
fn are_alike(one: &Sort, other: &Sort) -> bool {
    match (one, other) {
        (Sort::Int | Sort::Range(..), Sort::Int | Sort::Range(..)) => true,
        (Sort::Array(one), Sort::Array(other)) => {
            are_alike(&one.0, &other.0) && are_alike(&one.1, &other.1)
        }
        (one, other) => one == other,
    }
}

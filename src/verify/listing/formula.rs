//! A table of configurations as one formula over a safety problem: that the net is in one of them.
//!
//! It is not written configuration by configuration. Columns are looked at one after the other; what is left of
//! configurations that differ in one column alone is said once, and values with the same rest are said together, as a range
//! where they are one. Equal rests are one term, which scripts define once: so the formula is a decision diagram, and a solver
//! reads hundreds of definitions for ten thousand configurations.

use indexmap::IndexMap;
use num_bigint::BigInt;
use rustc_hash::FxBuildHasher;

use super::table::{ColumnId, Table, TableColumn};
use crate::algebra::{Sort, Term, TermId, Terms};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::explore::Value;
use crate::safety::{Component, Invariant, Problem};

/// That a net is in one of the configurations of a table; nothing where a value cannot be said to a solver, or the budget is
/// spent.
pub(super) fn invariant(problem: &Problem<'_>, table: &Table) -> Option<Invariant> {
    let mut making = Making {
        problem,
        table,
        terms: problem.terms.clone(),
        places: table.values.iter().map(|_| IndexMap::default()).collect(),
    };
    let rows: Vec<&[u32]> = table.rows().collect();
    let holds = making.one_of(&rows, 0)?;
    Some(Invariant { terms: making.terms, conjuncts: vec![holds] })
}

struct Making<'m, 'n> {
    problem: &'m Problem<'n>,
    table: &'m Table,
    terms: Terms,
    /// What was made of sets of values of a column.
    places: IndexVec<ColumnId, IndexMap<Vec<u32>, TermId, FxBuildHasher>>,
}

impl Making<'_, '_> {
    /// That what stands in a column and in those behind it is as in one of these rows.
    fn one_of(&mut self, rows: &[&[u32]], place: usize) -> Option<TermId> {
        if rows.is_empty() {
            return Some(self.terms.bool(false));
        }
        let id = ColumnId(place as u32);
        match self.table.columns.all.get(id) {
            None | Some(TableColumn::Rank) => return Some(self.terms.bool(true)),
            Some(_) if is_spent() => return None,
            Some(_) => {}
        }
        // Rows are in order, so that those with the same value stand together.
        let mut by_rest: IndexMap<TermId, Vec<u32>, FxBuildHasher> = IndexMap::default();
        for same in rows.chunk_by(|one, other| one[place] == other[place]) {
            let rest = self.one_of(same, place + 1)?;
            by_rest.entry(rest).or_default().push(same[0][place]);
        }
        let mut ways = Vec::with_capacity(by_rest.len());
        for (rest, values) in by_rest {
            let among = self.among(id, values)?;
            ways.push(self.terms.and([among, rest]));
        }
        Some(self.terms.or(ways))
    }

    /// That a column has one of these values.
    fn among(&mut self, id: ColumnId, values: Vec<u32>) -> Option<TermId> {
        if let Some(&known) = self.places[id].get(&values) {
            return Some(known);
        }
        let all: Vec<&Value> =
            values.iter().map(|&place| &self.table.values[id][place as usize]).collect();
        let made = match self.table.columns.all[id] {
            TableColumn::State(leaf) => {
                let mut components = self.problem.components.iter();
                let component = components.find(|component| component.plts == leaf)?;
                at_one_of(&mut self.terms, component, &all)?
            }
            TableColumn::Variable(leaf, place) => {
                let (var, _) = *self.problem.net.plts[leaf].variables.get(place)?;
                let sort = self.terms.var(var).sort.clone();
                let subject = self.terms.var_term(var);
                self.has_one_of((subject, &sort), &all)?
            }
            TableColumn::Constant(constant) => {
                let sort = &self.problem.net.algebra.constants[constant.index()].sort;
                let subject = self.terms.raw(Term::Const(constant));
                self.has_one_of((subject, sort), &all)?
            }
            TableColumn::Rank => self.terms.bool(true),
        };
        self.places[id].insert(values, made);
        Some(made)
    }

    /// That a term has one of these values, which are in order.
    fn has_one_of(
        &mut self,
        (subject, sort): (TermId, &Sort),
        values: &[&Value],
    ) -> Option<TermId> {
        let mut ways = Vec::new();
        let numbers: Option<Vec<&BigInt>> = values.iter().map(|value| value.as_int()).collect();
        match numbers {
            Some(numbers) => {
                for run in numbers.chunk_by(|one, next| *one + 1 == **next) {
                    ways.push(between(&mut self.terms, subject, run[0], run[run.len() - 1]));
                }
            }
            None => {
                for value in values {
                    ways.push(match array_of(&mut self.terms, sort, value) {
                        Some(array) => self.terms.equal(subject, array),
                        None => is(&mut self.terms, subject, value)?,
                    });
                }
            }
        }
        Some(self.terms.or(ways))
    }
}

/// That a component is in one of these locations; nothing need be said where it can be in no other.
fn at_one_of(terms: &mut Terms, component: &Component, values: &[&Value]) -> Option<TermId> {
    if values.len() == component.locations.len() {
        return Some(terms.bool(true));
    }
    let locations = component.locations.as_slice();
    let mut at = Vec::with_capacity(values.len());
    for value in values {
        let location = locations.get(usize::try_from(value.as_int()?).ok()?)?;
        at.push(terms.var_term(*location));
    }
    Some(terms.or(at))
}

fn between(terms: &mut Terms, subject: TermId, low: &BigInt, high: &BigInt) -> TermId {
    let (first, last) = (terms.int(low.clone()), terms.int(high.clone()));
    if low == high {
        return terms.equal(subject, first);
    }
    let (above, below) = (terms.less_equal(first, subject), terms.less_equal(subject, last));
    terms.and([above, below])
}

/// That a term has a value; nothing where it cannot be said. Arrays over few places are compared place by place.
fn is(terms: &mut Terms, subject: TermId, value: &Value) -> Option<TermId> {
    Some(match value {
        Value::Bool(true) => subject,
        Value::Bool(false) => terms.not(subject),
        Value::Data(data, index, fields) => {
            let mut parts = vec![terms.is_constructor(*data, *index, subject)];
            for (place, field) in (0..).zip(fields) {
                let inside = terms.select(*data, *index, place, subject);
                parts.push(is(terms, inside, field)?);
            }
            terms.and(parts)
        }
        Value::Array(array) if array.rest.is_none() => {
            let mut parts = Vec::with_capacity(array.places.len());
            for (key, value) in &array.places {
                let key = term_of(terms, key)?;
                let there = terms.index(subject, key);
                parts.push(is(terms, there, value)?);
            }
            terms.and(parts)
        }
        value => {
            let value = term_of(terms, value)?;
            terms.equal(subject, value)
        }
    })
}

/// An array over places without end as a term; nothing for other values.
fn array_of(terms: &mut Terms, sort: &Sort, value: &Value) -> Option<TermId> {
    let (Sort::Array(both), Value::Array(array)) = (sort, value) else { return None };
    let rest = array.rest.as_ref()?;
    let inside = |terms: &mut Terms, value: &Value| {
        array_of(terms, &both.1, value).or_else(|| term_of(terms, value))
    };
    let rest = inside(terms, rest)?;
    let mut made = terms.raw(Term::ConstArray(sort.clone(), rest));
    for (key, value) in &array.places {
        let (key, value) = (term_of(terms, key)?, inside(terms, value)?);
        made = terms.raw(Term::Update(made, key, value));
    }
    Some(made)
}

/// A value as a term; nothing where there is none for it.
pub(in crate::verify) fn term_of(terms: &mut Terms, value: &Value) -> Option<TermId> {
    Some(match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Int(value) => terms.int(value.clone()),
        Value::Data(data, index, fields) => {
            let fields = fields.iter().map(|field| term_of(terms, field));
            let fields: Option<Vec<TermId>> = fields.collect();
            terms.raw(Term::Construct(*data, *index, fields?.into()))
        }
        _ => return None,
    })
}

//! Which values there are: datatypes and arrays can have fields and places that are ranges, of which the solver does
//! not know when it chooses a value for a variable. (It does know the ranges of variables themselves.)

use super::world::World;
use crate::diagnostics::Symbol;
use crate::generate::rules::in_range;
use crate::pnet::{Algebra, DataId, Sort, SortsOf, Term, TermId, Terms, VarId, VariableKind};

/// That a variable has one of the values that its sort has.
pub(super) fn genuine(algebra: &Algebra, terms: &mut Terms, var: VarId) -> Option<TermId> {
    let (value, sort) = (terms.var_term(var), terms.var(var).sort.clone());
    if matches!(sort, Sort::Range(..)) {
        return None;
    }
    let parts = parts(algebra, terms, value, &sort, &mut Vec::new());
    (!parts.is_empty()).then(|| terms.and(parts))
}

/// What has to hold of a value of a sort. A datatype that contains itself is looked into once.
fn parts(
    algebra: &Algebra,
    terms: &mut Terms,
    value: TermId,
    sort: &Sort,
    inside: &mut Vec<DataId>,
) -> Vec<TermId> {
    match sort {
        Sort::Range(low, high) => in_range(terms, value, *low, *high).into_iter().collect(),
        Sort::Data(data) if !inside.contains(data) => {
            inside.push(*data);
            let mut found = Vec::new();
            let constructors = &algebra.datatypes[data.index()].constructors;
            for (index, constructor) in constructors.iter().enumerate() {
                let mut fields = Vec::new();
                for (field, (_, sort)) in constructor.fields.iter().enumerate() {
                    let selected = terms.select(*data, index as u32, field as u32, value);
                    fields.extend(parts(algebra, terms, selected, sort, inside));
                }
                if !fields.is_empty() {
                    let (is, all) =
                        (terms.is_constructor(*data, index as u32, value), terms.and(fields));
                    found.push(terms.implies(is, all));
                }
            }
            inside.pop();
            found
        }
        Sort::Array(both) => {
            let place = terms.new_var(Symbol::new("i"), both.0.clone(), VariableKind::Bound);
            let at = terms.var_term(place);
            let element = terms.index(value, at);
            let elements = parts(algebra, terms, element, &both.1, inside);
            if elements.is_empty() {
                return Vec::new();
            }
            let all = terms.and(elements);
            vec![terms.quantified(true, [place].into(), all)]
        }
        _ => Vec::new(),
    }
}

impl World<'_> {
    /// That variables of the state that begin with any value of their sorts do so.
    pub(super) fn genuine_at_first(&mut self, side: usize) -> Vec<TermId> {
        let variables = self.sides[side].variables.iter().filter(|v| v.initial.is_none());
        let variables: Vec<VarId> = variables.map(|v| v.var).collect();
        variables
            .into_iter()
            .filter_map(|var| genuine(&self.algebra, &mut self.terms, var))
            .collect()
    }

    /// Whether arrays with a range of places are compared as wholes, somewhere in the two: to the solver, they have
    /// places outside the range, too.
    pub fn compares_arrays(&self) -> bool {
        let mut sorts = SortsOf::default();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work: Vec<TermId> = Vec::new();
        for step in self.sides.iter().flat_map(|side| side.steps.iter().flatten()) {
            work.extend([step.guard, step.action]);
            work.extend(step.holes.iter().map(|(_, action)| *action));
            work.extend(step.updates.values());
        }
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            let compared: Vec<TermId> = match self.terms.get(term) {
                Term::Equal(a, _) => vec![*a],
                // Arguments of actions are compared when these are.
                Term::Act(_, args) => args.to_vec(),
                _ => Vec::new(),
            };
            let of_places = |&one: &TermId| {
                has_places(
                    &self.algebra,
                    &sorts.of(&self.algebra, &self.terms, one),
                    &mut Vec::new(),
                )
            };
            if compared.iter().any(of_places) {
                return true;
            }
            self.terms.get(term).each_inside(|inner| work.push(inner));
        }
        false
    }
}

/// Whether a sort has arrays inside with a range of places.
fn has_places(algebra: &Algebra, sort: &Sort, inside: &mut Vec<DataId>) -> bool {
    match sort {
        Sort::Array(both) => {
            matches!(both.0, Sort::Range(..)) || has_places(algebra, &both.1, inside)
        }
        Sort::Data(data) if !inside.contains(data) => {
            inside.push(*data);
            let constructors = &algebra.datatypes[data.index()].constructors;
            let mut fields = constructors.iter().flat_map(|constructor| &constructor.fields);
            fields.any(|(_, sort)| has_places(algebra, sort, inside))
        }
        _ => false,
    }
}

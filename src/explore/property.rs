//! Properties of configurations.

use rustc_hash::FxHashSet;

use super::Value;
use crate::algebra::{Algebra, ConstId, Sort, Term, TermId, Terms, VarId};
use crate::pnet::{Owed, PltsId};

/// A property: terms over the variables of leaves, and over one more variable for each leaf that stands for the number of
/// the state it is in.
#[derive(Clone, Debug)]
pub struct Property {
    /// The terms of the net, and those of the property.
    pub terms: Terms,
    /// When it reads only what has a value.
    pub owed: TermId,
    /// The same, each part with its text.
    pub reads: Vec<Read>,
    /// What it says then.
    pub says: TermId,
    /// The variables that stand for states of leaves, as integers.
    pub locations: Vec<(VarId, PltsId)>,
    /// Other variables, and what they stand for.
    pub given: Vec<(VarId, Value)>,
}

/// Something that a property reads, and that may have no value.
#[derive(Clone, Debug)]
pub struct Read {
    /// When it has one, why it may have none, and the text.
    pub owed: Owed,
    /// Of a member of a family: the family, and the indices of its members in words.
    pub family: Option<(String, String)>,
}

impl Property {
    /// The symbolic constants that it speaks of, also through functions, other constants and the bounds of sorts.
    pub fn constants(&self, algebra: &Algebra) -> FxHashSet<ConstId> {
        let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut work = vec![self.owed, self.says];
        while let Some(root) = work.pop() {
            for id in self.terms.inside([root]) {
                if seen.insert(id) {
                    self.spoken_of(algebra, id, &mut found, &mut work);
                }
            }
        }
        found
    }

    /// What one term speaks of: a constant, or other terms.
    fn spoken_of(
        &self,
        algebra: &Algebra,
        id: TermId,
        found: &mut FxHashSet<ConstId>,
        work: &mut Vec<TermId>,
    ) {
        match self.terms.get(id) {
            Term::Const(constant) => {
                let of = &algebra.constants[constant.index()];
                match of.value {
                    Some(value) => work.push(value),
                    None => _ = found.insert(*constant),
                }
                bounds(algebra, &of.sort, work);
            }
            Term::Apply(function, _) => {
                let function = &algebra.functions[function.index()];
                work.extend(function.body);
                let params = function.params.iter();
                params.for_each(|&param| bounds(algebra, &self.terms.var(param).sort, work));
            }
            Term::Var(var) => bounds(algebra, &self.terms.var(*var).sort, work),
            Term::ConstArray(sort, _) => bounds(algebra, sort, work),
            _ => {}
        }
    }
}

/// The bounds of the ranges in a sort, also inside of data.
fn bounds(algebra: &Algebra, sort: &Sort, found: &mut Vec<TermId>) {
    let (mut work, mut seen) = (vec![sort], FxHashSet::default());
    while let Some(sort) = work.pop() {
        match sort {
            Sort::Range(low, high) => found.extend([*low, *high]),
            Sort::Array(both) => work.extend([&both.0, &both.1]),
            Sort::Data(data) if seen.insert(*data) => {
                let constructors = algebra.datatypes[data.index()].constructors.iter();
                work.extend(constructors.flat_map(|one| one.fields.iter().map(|(_, sort)| sort)));
            }
            _ => {}
        }
    }
}

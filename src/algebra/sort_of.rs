//! The sorts of terms.

use rustc_hash::FxHashMap;

use super::{Algebra, Sort, Term, TermId, Terms};

/// The sort of a term. A number is an `Int`, whatever range it is from.
///
/// Those who ask about many terms keep a [`SortsOf`].
pub fn sort_of(algebra: &Algebra, terms: &Terms, id: TermId) -> Sort {
    SortsOf::default().of(algebra, terms, id)
}

/// The sorts of terms, remembered: no term is looked at twice.
#[derive(Clone, Debug, Default)]
pub struct SortsOf {
    /// The sorts of those terms that had to be looked into.
    known: FxHashMap<TermId, Sort>,
}

/// What the sort of a term depends on.
enum Step {
    /// Nothing else.
    Known(Sort),
    /// It is the sort of this one.
    Same(TermId),
    /// It is the sort of this array's values.
    ValueOf(TermId),
}

impl SortsOf {
    /// The sort of a term. A number is an `Int`, whatever range it is from.
    pub fn of(&mut self, algebra: &Algebra, terms: &Terms, id: TermId) -> Sort {
        // Only one of the terms inside matters for the sort, so this is a path and not a tree.
        let mut path = Vec::new();
        let mut at = id;
        let mut sort = loop {
            if let Some(known) = self.known.get(&at) {
                break known.clone();
            }
            match step(algebra, terms, at) {
                Step::Known(sort) => break sort,
                Step::Same(inner) => {
                    path.push((at, false));
                    at = inner;
                }
                Step::ValueOf(array) => {
                    path.push((at, true));
                    at = array;
                }
            }
        };
        for (outer, is_value) in path.into_iter().rev() {
            if let (true, Sort::Array(both)) = (is_value, &sort) {
                sort = widened(&both.1);
            }
            self.known.insert(outer, sort.clone());
        }
        sort
    }
}

/// A sort; integers for a range.
fn widened(sort: &Sort) -> Sort {
    match sort {
        Sort::Range(..) => Sort::Int,
        other => other.clone(),
    }
}

fn step(algebra: &Algebra, terms: &Terms, id: TermId) -> Step {
    Step::Known(match terms.get(id) {
        Term::Bool(_)
        | Term::IsConstructor(..)
        | Term::Not(_)
        | Term::And(_)
        | Term::Or(_)
        | Term::Equal(..)
        | Term::Less(..)
        | Term::LessEqual(..)
        | Term::Forall(..)
        | Term::Exists(..)
        | Term::IsAct(..)
        | Term::IsSync(_)
        | Term::IsCo(_) => Sort::Bool,
        Term::Int(_) | Term::Add(_) | Term::Multiply(_) | Term::Div(..) | Term::Mod(..) => {
            Sort::Int
        }
        Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_) | Term::Inner(_) => Sort::Action,
        Term::Var(var) => widened(&terms.var(*var).sort),
        Term::Const(id) => widened(&algebra.constants[id.index()].sort),
        Term::Apply(id, _) => widened(&algebra.functions[id.index()].result),
        Term::Construct(data, ..) => Sort::Data(*data),
        Term::Select(data, constructor, field, _) => {
            let constructor = &algebra.datatypes[data.index()].constructors[*constructor as usize];
            widened(&constructor.fields[*field as usize].1)
        }
        Term::Argument(action, place, _) => {
            widened(&algebra.action(*action).sorts[*place as usize])
        }
        Term::ConstArray(sort, _) => sort.clone(),
        Term::Index(array, _) => return Step::ValueOf(*array),
        Term::Update(array, ..) => return Step::Same(*array),
        Term::If(_, yes, _) => return Step::Same(*yes),
    })
}

//! Values of plays and runs: as people read them, and as data.

use num_traits::ToPrimitive;

use crate::algebra::{Sort, Term, TermId};
use crate::emit::{Scope, label};
use crate::outcome::{Data, Value};

/// Values inside of values are looked at so deep.
const DEEPEST: usize = 200;

/// A value.
pub fn value<'a>(scope: impl Into<Scope<'a>>, term: TermId) -> Value {
    let scope = scope.into();
    Value { text: label::term(scope, term), data: data(scope, term, 0) }
}

/// A value as data; nothing where it is an expression that has no value yet.
fn data(scope: Scope<'_>, id: TermId, depth: usize) -> Option<Data> {
    if depth > DEEPEST {
        return None;
    }
    let inside = |id: TermId| data(scope, id, depth + 1);
    let all = |ids: &[TermId]| ids.iter().map(|&id| inside(id)).collect::<Option<Vec<Data>>>();
    Some(match scope.terms.get(id) {
        Term::Bool(value) => Data::Bool(*value),
        Term::Int(value) => match value.to_i64() {
            Some(value) => Data::Int(value),
            None => Data::BigInt { digits: value.to_string() },
        },
        Term::Construct(data, index, args) => {
            let constructor = &scope.algebra.datatypes[data.index()].constructors[*index as usize];
            Data::Constructed { constructor: constructor.name.to_string(), fields: all(args)? }
        }
        Term::Act(action, args) => {
            let action = scope.algebra.action(*action).name.to_string();
            Data::Action { action, arguments: all(args)? }
        }
        Term::Tau => Data::Action { action: "tau".to_owned(), arguments: Vec::new() },
        Term::Sync(inner) => Data::Sync { sync: Box::new(inside(*inner)?) },
        Term::Co(inner) => Data::Co { co: Box::new(inside(*inner)?) },
        Term::ConstArray(_, value) => {
            Data::Array { places: Vec::new(), otherwise: Some(Box::new(inside(*value)?)) }
        }
        Term::Update(array, key, value) => match inside(*array)? {
            Data::Array { mut places, otherwise } => {
                let (key, value) = (inside(*key)?, inside(*value)?);
                places.retain(|(place, _)| *place != key);
                places.push((key, value));
                Data::Array { places, otherwise }
            }
            _ => return None,
        },
        // Values of abstract sorts have no other names.
        Term::Var(var) if matches!(scope.terms.var(*var).sort, Sort::Abstract(_)) => {
            Data::Named { name: label::term(scope, id) }
        }
        _ => return None,
    })
}

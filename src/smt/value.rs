//! What a model says, read back from Z3.

use std::collections::BTreeMap;
use std::str::FromStr;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use z3::DatatypeSort;
use z3::ast::{Ast, Bool, Dynamic, Int};

use super::Theory;
use super::encode::{Encoder, Unsupported};
use crate::algebra::{ActionId, ConstId, DataId, Sort, TermId, VarId};

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A value of an abstract sort: they have no names, only numbers.
    Abstract(usize),
    /// A constructor with its arguments.
    Construct(DataId, u32, Vec<Value>),
    /// An action that was declared, with its arguments.
    Act(ActionId, Vec<Value>),
    /// The silent action.
    Tau,
    /// An action that has been synchronised.
    Sync(Box<Value>),
    /// The complement of an action.
    Co(Box<Value>),
    /// An action that nobody declared: they have no names, only numbers.
    Other(BigInt),
    /// An array: what is at some places, in order, and everywhere else; nothing else where these are all places.
    Array(Vec<(Value, Value)>, Option<Box<Value>>),
    /// Something that cannot be written down.
    Opaque(String),
}

/// Values for variables.
pub type Model = BTreeMap<VarId, Value>;

/// The values of some variables.
pub(super) fn read(
    encoder: &mut Encoder,
    theory: Theory<'_>,
    model: &z3::Model,
    vars: &[VarId],
) -> Result<Model, Unsupported> {
    Ok(read_all(encoder, theory, model, vars, &[])?.0)
}

/// The values of some variables and of some constants.
pub(super) fn read_all(
    encoder: &mut Encoder,
    theory: Theory<'_>,
    model: &z3::Model,
    vars: &[VarId],
    constants: &[ConstId],
) -> Result<(Model, Vec<(ConstId, Value)>), Unsupported> {
    let mut values = Model::new();
    let mut reader = Reader { encoder, theory, model, abstracts: Vec::new() };
    for &var in vars {
        let term = reader.encoder.var(theory.terms, var)?;
        if let Some(value) = model.eval(&term, true) {
            values.insert(var, reader.value(&value, &theory.terms.var(var).sort)?);
        }
    }
    let mut others = Vec::with_capacity(constants.len());
    for &constant in constants {
        let term = reader.encoder.constant(theory.algebra, constant)?;
        if let Some(value) = model.eval(&term, true) {
            let sort = &theory.algebra.constants[constant.index()].sort;
            others.push((constant, reader.value(&value, sort)?));
        }
    }
    Ok((values, others))
}

/// Arrays with more places are not written down, nor those that were written to more often.
const MOST_PLACES: usize = 10_000;

struct Reader<'a> {
    encoder: &'a mut Encoder,
    theory: Theory<'a>,
    model: &'a z3::Model,
    /// The names that the solver gave to values of abstract sorts.
    abstracts: Vec<String>,
}

impl Reader<'_> {
    fn value(&mut self, value: &Dynamic, sort: &Sort) -> Result<Value, Unsupported> {
        let opaque = || Value::Opaque(value.to_string());
        Ok(match sort {
            Sort::Bool => {
                value.as_bool().and_then(|v| v.as_bool()).map_or_else(opaque, Value::Bool)
            }
            Sort::Int | Sort::Range(..) => number(value).map_or_else(opaque, Value::Int),
            Sort::Abstract(_) => {
                let name = value.to_string();
                let place = self.abstracts.iter().position(|known| *known == name);
                Value::Abstract(place.unwrap_or_else(|| {
                    self.abstracts.push(name);
                    self.abstracts.len() - 1
                }))
            }
            Sort::Data(id) => {
                let Some(index) = variant(self.encoder.data(id.index())?, value) else {
                    return Ok(opaque());
                };
                let fields = &self.theory.algebra.datatypes[id.index()].constructors[index].fields;
                let sorts: Vec<Sort> = fields.iter().map(|(_, sort)| sort.clone()).collect();
                Value::Construct(*id, index as u32, self.arguments(value, &sorts)?)
            }
            Sort::Action => return self.action(value),
            Sort::Array(both) => self.array(value, both)?.unwrap_or_else(opaque),
        })
    }

    /// An array; nothing where it cannot be written down.
    fn array(
        &mut self,
        value: &Dynamic,
        (key, element): &(Sort, Sort),
    ) -> Result<Option<Value>, Unsupported> {
        let Some(keys) = self.keys(key)? else { return self.written(value, (key, element)) };
        let Some(array) = value.as_array() else { return Ok(None) };
        let mut places = Vec::with_capacity(keys.len());
        for at in keys {
            let Some(found) = self.model.eval(&array.select(&at), true) else { return Ok(None) };
            places.push((self.value(&at, key)?, self.value(&found, element)?));
        }
        places.sort();
        Ok(Some(Value::Array(places, None)))
    }

    /// An array that is the same everywhere but where it was written to.
    fn written(
        &mut self,
        value: &Dynamic,
        (key, element): (&Sort, &Sort),
    ) -> Result<Option<Value>, Unsupported> {
        let mut places: BTreeMap<Value, Value> = BTreeMap::new();
        let mut array = value.clone();
        for _ in 0..MOST_PLACES {
            let kind = array.safe_decl().map(|decl| decl.kind());
            match (kind, array.children().as_slice()) {
                (Ok(z3::DeclKind::Store), [inner, at, written]) => {
                    let at = self.value(at, key)?;
                    let written = self.value(written, element)?;
                    places.entry(at).or_insert(written);
                    array = inner.clone();
                }
                (Ok(z3::DeclKind::ConstArray), [everywhere]) => {
                    let rest = self.value(everywhere, element)?;
                    places.retain(|_, value| *value != rest);
                    return Ok(Some(Value::Array(
                        places.into_iter().collect(),
                        Some(Box::new(rest)),
                    )));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// All values of a sort that has few; nothing where there are many.
    fn keys(&mut self, sort: &Sort) -> Result<Option<Vec<Dynamic>>, Unsupported> {
        Ok(match sort {
            Sort::Bool => Some([false, true].map(|one| Bool::from_bool(one).into()).into()),
            Sort::Range(low, high) => {
                let (Some(low), Some(high)) = (self.bound(*low)?, self.bound(*high)?) else {
                    return Ok(None);
                };
                let count = (&high - &low).to_usize().filter(|&count| count <= MOST_PLACES);
                let Some(count) = count else { return Ok(None) };
                let number = |place: usize| Int::from_str(&(&low + place).to_string()).ok();
                (0..count).map(|place| number(place).map(Dynamic::from)).collect()
            }
            Sort::Data(id) => {
                let sort = self.encoder.data(id.index())?;
                let plain = sort.variants.iter().all(|variant| variant.accessors.is_empty());
                plain.then(|| sort.variants.iter().map(|one| one.constructor.apply(&[])).collect())
            }
            Sort::Int | Sort::Action | Sort::Abstract(_) | Sort::Array(_) => None,
        })
    }

    /// What the bound of a range is in the model.
    fn bound(&mut self, term: TermId) -> Result<Option<BigInt>, Unsupported> {
        let term = self.encoder.term(self.theory.algebra, self.theory.terms, term)?;
        Ok(self.model.eval(&term, true).and_then(|value| number(&value)))
    }

    fn action(&mut self, value: &Dynamic) -> Result<Value, Unsupported> {
        let actions = &self.theory.algebra.actions;
        let Some(index) = self.encoder.action.as_ref().and_then(|sort| variant(sort, value)) else {
            return Ok(Value::Opaque(value.to_string()));
        };
        if index < actions.len() {
            let sorts = actions[index].sorts.clone();
            return Ok(Value::Act(ActionId(index as u32), self.arguments(value, &sorts)?));
        }
        let inner = value.nth_child(0);
        Ok(match (index - actions.len(), inner) {
            (0, _) => Value::Tau,
            (1, Some(inner)) => Value::Sync(Box::new(self.action(&inner)?)),
            (2, Some(inner)) => Value::Co(Box::new(self.action(&inner)?)),
            (_, Some(inner)) => {
                number(&inner).map_or_else(|| Value::Opaque(value.to_string()), Value::Other)
            }
            _ => Value::Opaque(value.to_string()),
        })
    }

    fn arguments(&mut self, value: &Dynamic, sorts: &[Sort]) -> Result<Vec<Value>, Unsupported> {
        let children = value.children();
        children.iter().zip(sorts).map(|(child, sort)| self.value(child, sort)).collect()
    }
}

/// The constructor of a value, by its place.
fn variant(sort: &DatatypeSort, value: &Dynamic) -> Option<usize> {
    let name = value.safe_decl().ok()?.name();
    sort.variants.iter().position(|variant| variant.constructor.name() == name)
}

fn number(value: &Dynamic) -> Option<BigInt> {
    let text = value.as_int()?.to_string();
    // Z3 writes negative numbers as `(- 3)`.
    match text.strip_prefix("(- ").and_then(|rest| rest.strip_suffix(')')) {
        Some(digits) => BigInt::from_str(digits).ok().map(|value| -value),
        None => BigInt::from_str(&text).ok(),
    }
}

//! All values of a variable that a formula binds.

use crate::algebra::{DataId, Sort, TermId, VarId};
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Property, Value};
use crate::temporal::Formula;

/// A quantifier goes through no more values than these.
const MOST_VALUES: usize = 10_000;

/// All values of a variable of a formula, where constants have the values that they have in a configuration.
pub(in crate::verify) fn values_of(
    (formula, interpreter): (&Formula, &Interpreter<'_>),
    at: &Configuration,
    var: VarId,
) -> Result<Vec<Value>, Gap> {
    let sort = formula.terms.var(var).sort.clone();
    Values { formula, interpreter, at }.of(&sort, &mut Vec::new())
}

struct Values<'v> {
    formula: &'v Formula,
    interpreter: &'v Interpreter<'v>,
    at: &'v Configuration,
}

impl Values<'_> {
    /// The values of a sort; `found` are the data types around it, since there is no end of values of one that has itself inside.
    fn of(&self, sort: &Sort, found: &mut Vec<DataId>) -> Result<Vec<Value>, Gap> {
        let endless = |sort: &str| Gap::Quantifier { sort: sort.to_owned() };
        let net = self.interpreter.net();
        match sort {
            Sort::Bool => Ok(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::Range(low, high) => {
                let number = |term: TermId| -> Result<num_bigint::BigInt, Gap> {
                    let mut terms = self.formula.terms.clone();
                    let owed = terms.bool(true);
                    let asked = Property {
                        terms,
                        owed,
                        reads: Vec::new(),
                        says: term,
                        locations: Vec::new(),
                        given: Vec::new(),
                    };
                    let value = self.interpreter.value(self.at, &asked)?;
                    value.and_then(|value| value.as_int().cloned()).ok_or(Gap::Undefined)
                };
                let (mut at, high) = (number(*low)?, number(*high)?);
                let mut values = Vec::new();
                while at < high {
                    if values.len() == MOST_VALUES {
                        return Err(endless("Int"));
                    }
                    values.push(Value::Int(at.clone()));
                    at += 1;
                }
                Ok(values)
            }
            Sort::Data(id) if !found.contains(id) => {
                found.push(*id);
                let data = &net.algebra.datatypes[id.index()];
                let mut values = Vec::new();
                for (index, constructor) in data.constructors.iter().enumerate() {
                    let mut fields = vec![Vec::new()];
                    for (_, sort) in &constructor.fields {
                        let inner = self.of(sort, found)?;
                        let longer = fields.iter().flat_map(|known: &Vec<Value>| {
                            inner.iter().map(move |one| {
                                known.iter().cloned().chain([one.clone()]).collect()
                            })
                        });
                        fields = longer.collect();
                        if fields.len() > MOST_VALUES {
                            return Err(endless(data.name.as_str()));
                        }
                    }
                    let made = fields.into_iter();
                    values.extend(made.map(|fields| Value::Data(*id, index as u32, fields)));
                }
                found.pop();
                Ok(values)
            }
            Sort::Data(id) => Err(endless(net.algebra.datatypes[id.index()].name.as_str())),
            _ => Err(endless("Int")),
        }
    }
}

//! Values for which a claim does not hold: small ones, and those of a model.

use rustc_hash::FxHashMap;

use super::Asked;
use crate::algebra::{Evaluator, MOST_UNFOLDED, Sort, Term, TermId, VarId};
use crate::base::budget::is_spent;
use crate::smt::{Answer, Model, Value};

/// So many combinations of small values are tried.
const MOST_TRIED: usize = 2_000;
/// No more values than these of one sort.
const MOST_VALUES: usize = 40;
/// Constructors are put into each other no deeper than this.
const DEEPEST: usize = 4;
/// The numbers that are tried, the likely ones first.
const NUMBERS: [i64; 9] = [0, 1, -1, 2, -2, 3, -3, 7, -7];

impl Asked<'_> {
    /// Small values for which the claim comes to false.
    pub(super) fn small_values(&mut self) -> Option<Vec<(VarId, TermId)>> {
        let vars = self.claim.variables.clone();
        let mut most = MOST_VALUES;
        while vars.len() > 1 && power(most, vars.len()) > MOST_TRIED && most > 2 {
            most -= 1;
        }
        let mut all: Vec<Vec<TermId>> = Vec::with_capacity(vars.len());
        for &var in &vars {
            let sort = self.terms.var(var).sort.clone();
            let values = self.values(&sort, most, DEEPEST);
            if values.is_empty() {
                return None;
            }
            all.push(values);
        }
        let count = all.iter().map(Vec::len).product::<usize>().min(MOST_TRIED);
        for number in 0..count {
            if is_spent() {
                return None;
            }
            let mut rest = number;
            let mut values = Vec::with_capacity(vars.len());
            for (&var, of) in vars.iter().zip(&all) {
                values.push((var, of[rest % of.len()]));
                rest /= of.len();
            }
            if self.comes_to_false(&values) {
                return Some(values);
            }
        }
        None
    }

    /// Values of a sort, small ones first; none where they are not known.
    fn values(&mut self, sort: &Sort, most: usize, depth: usize) -> Vec<TermId> {
        match sort {
            Sort::Bool => [true, false].into_iter().map(|value| self.terms.bool(value)).collect(),
            Sort::Int => NUMBERS.iter().take(most).map(|&value| self.terms.int(value)).collect(),
            Sort::Range(low, high) => {
                let (low, high) = (self.terms.as_int(*low), self.terms.as_int(*high));
                let Some((low, high)) = low.cloned().zip(high.cloned()) else { return Vec::new() };
                let mut made = Vec::new();
                let mut value = low;
                while value < high && made.len() < most {
                    made.push(self.terms.int(value.clone()));
                    value += 1;
                }
                made
            }
            Sort::Data(data) => {
                let Some(inner) = depth.checked_sub(1) else { return Vec::new() };
                let algebra = &self.claim.net.algebra;
                let constructors = algebra.datatypes[data.index()].constructors.len();
                let mut made = Vec::new();
                for index in 0..constructors {
                    let fields = &algebra.datatypes[data.index()].constructors[index].fields;
                    let fields: Vec<Sort> = fields.iter().map(|(_, sort)| sort.clone()).collect();
                    let share = if fields.len() > 1 { most.min(6) } else { most.min(12) };
                    let of: Vec<Vec<TermId>> =
                        fields.iter().map(|sort| self.values(sort, share, inner)).collect();
                    let count = of.iter().map(Vec::len).product::<usize>().min(most);
                    for number in 0..count {
                        let mut rest = number;
                        let mut args = Vec::with_capacity(of.len());
                        for values in &of {
                            args.push(values[rest % values.len()]);
                            rest /= values.len();
                        }
                        made.push(self.terms.raw(Term::Construct(
                            *data,
                            index as u32,
                            args.into(),
                        )));
                    }
                }
                made.truncate(most.max(2));
                made
            }
            Sort::Array(both) => {
                let elements = self.values(&both.1, most.min(3), depth);
                let whole = Sort::Array(both.clone());
                let made = elements.into_iter();
                made.map(|value| self.terms.raw(Term::ConstArray(whole.clone(), value))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Values of a model, where the claim comes to false for them.
    pub(super) fn confirmed(&mut self, model: &Model) -> Option<Vec<(VarId, TermId)>> {
        let mut values = Vec::with_capacity(self.claim.variables.len());
        for &var in &self.claim.variables {
            let sort = self.terms.var(var).sort.clone();
            values.push((var, self.term_of(model.get(&var)?, &sort)?));
        }
        if self.comes_to_false(&values) {
            return Some(values);
        }
        let claimed = self.put(&values);
        (self.oracle.check(&mut self.terms, &[claimed]) == Answer::Unsat).then_some(values)
    }

    fn put(&mut self, values: &[(VarId, TermId)]) -> TermId {
        let values: FxHashMap<VarId, TermId> = values.iter().copied().collect();
        self.terms.substitute(self.claim.holds, &values)
    }

    fn comes_to_false(&mut self, values: &[(VarId, TermId)]) -> bool {
        let claimed = self.put(values);
        let mut evaluator = Evaluator::new(&self.claim.net.algebra, MOST_UNFOLDED);
        let found = evaluator.evaluate(&mut self.terms, claimed);
        self.terms.as_bool(found) == Some(false)
    }

    fn term_of(&mut self, value: &Value, sort: &Sort) -> Option<TermId> {
        Some(match (value, sort) {
            (Value::Bool(value), _) => self.terms.bool(*value),
            (Value::Int(value), _) => self.terms.int(value.clone()),
            (Value::Construct(data, index, fields), _) => {
                let made = &self.claim.net.algebra.datatypes[data.index()];
                let made = &made.constructors[*index as usize].fields;
                let sorts: Vec<Sort> = made.iter().map(|(_, sort)| sort.clone()).collect();
                let args: Option<Vec<TermId>> = fields
                    .iter()
                    .zip(&sorts)
                    .map(|(field, sort)| self.term_of(field, sort))
                    .collect();
                self.terms.raw(Term::Construct(*data, *index, args?.into()))
            }
            (Value::Array(places, rest), Sort::Array(both)) => {
                let rest = match (rest, places.first()) {
                    (Some(rest), _) => self.term_of(rest, &both.1)?,
                    (None, Some((_, first))) => self.term_of(first, &both.1)?,
                    (None, None) => return None,
                };
                let mut made = self.terms.raw(Term::ConstArray(sort.clone(), rest));
                for (place, value) in places {
                    let (place, value) =
                        (self.term_of(place, &both.0)?, self.term_of(value, &both.1)?);
                    made = self.terms.raw(Term::Update(made, place, value));
                }
                made
            }
            _ => return None,
        })
    }
}

fn power(base: usize, exponent: usize) -> usize {
    (0..exponent).fold(1usize, |total, _| total.saturating_mul(base))
}

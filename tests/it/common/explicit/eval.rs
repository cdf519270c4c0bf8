//! Terms with values for their variables: what they come to, which values fit them, and which values there are.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;
use pnetc::algebra::{Algebra, Sort, Term, TermId, Terms, VarId};

use super::{Trouble, Value, World};

/// Values of variables.
pub type Env = BTreeMap<VarId, Value>;

/// What terms are read with.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub terms: &'a Terms,
    pub algebra: &'a Algebra,
    pub world: &'a World,
}

/// Functions that call themselves more often than this are not followed.
const MOST_CALLS: usize = 50;
/// Sorts with more values than this are not gone through.
const MOST_VALUES: usize = 4_000;

type Evaluated = Result<Value, Trouble>;

fn unknown<T>(why: &'static str) -> Result<T, Trouble> {
    Err(Trouble::Unknown(why))
}

impl Context<'_> {
    /// The value of a term.
    pub fn eval(&self, id: TermId, env: &Env) -> Evaluated {
        self.value(id, env, 0)
    }

    /// Whether a condition holds.
    pub fn holds(&self, id: TermId, env: &Env) -> Result<bool, Trouble> {
        self.truth(id, env, 0)
    }

    fn truth(&self, id: TermId, env: &Env, calls: usize) -> Result<bool, Trouble> {
        match self.value(id, env, calls)? {
            Value::Bool(value) => Ok(value),
            _ => unknown("a condition that is no truth value"),
        }
    }

    fn int(&self, id: TermId, env: &Env, calls: usize) -> Result<i64, Trouble> {
        match self.value(id, env, calls)? {
            Value::Int(value) => Ok(value),
            _ => unknown("a number that is none"),
        }
    }

    fn all(&self, ids: &[TermId], env: &Env, calls: usize) -> Result<Vec<Value>, Trouble> {
        ids.iter().map(|&id| self.value(id, env, calls)).collect()
    }

    fn value(&self, id: TermId, env: &Env, calls: usize) -> Evaluated {
        let value = |id: TermId| self.value(id, env, calls);
        let int = |id: TermId| self.int(id, env, calls);
        Ok(match self.terms.get(id) {
            Term::Bool(value) => Value::Bool(*value),
            Term::Int(value) => match value.to_i64() {
                Some(value) => Value::Int(value),
                None => return unknown("a large number"),
            },
            Term::Var(var) => match env.get(var) {
                Some(value) => value.clone(),
                None => return unknown("a variable without a value"),
            },
            Term::Const(id) => {
                let constant = &self.algebra.constants[id.index()];
                match (constant.value, self.world.constants.get(constant.name.as_str())) {
                    (Some(known), _) => value(known)?,
                    (None, Some(given)) => given.clone(),
                    (None, None) => return unknown("a constant without a value"),
                }
            }
            Term::Apply(fun, args) => {
                let function = &self.algebra.functions[fun.index()];
                let Some(body) = function.body else { return unknown("a function without a body") };
                if calls > MOST_CALLS {
                    return unknown("a deep recursion");
                }
                let args = self.all(args, env, calls)?;
                let env: Env = function.params.iter().copied().zip(args).collect();
                self.value(body, &env, calls + 1)?
            }
            Term::Construct(data, index, args) => {
                let data = &self.algebra.datatypes[data.index()];
                let name = data.constructors[*index as usize].name.as_str();
                Value::Data(name, self.all(args, env, calls)?)
            }
            Term::Select(data, index, field, inner) => {
                let data = &self.algebra.datatypes[data.index()];
                let name = data.constructors[*index as usize].name.as_str();
                match value(*inner)? {
                    Value::Data(made_by, fields) if made_by == name => {
                        fields[*field as usize].clone()
                    }
                    _ => return unknown("the field of another constructor"),
                }
            }
            Term::IsConstructor(data, index, inner) => {
                let data = &self.algebra.datatypes[data.index()];
                let name = data.constructors[*index as usize].name.as_str();
                Value::Bool(matches!(value(*inner)?, Value::Data(made_by, _) if made_by == name))
            }
            Term::Index(array, key) => match (value(*array)?, value(*key)?) {
                (Value::Array(default, inner), key) => inner.get(&key).unwrap_or(&default).clone(),
                _ => return unknown("an element of what is no array"),
            },
            Term::Update(array, key, new) => match (value(*array)?, value(*key)?, value(*new)?) {
                (Value::Array(default, mut inner), key, new) => {
                    inner.remove(&key);
                    if new != *default {
                        inner.insert(key, new);
                    }
                    Value::Array(default, inner)
                }
                _ => return unknown("an update of what is no array"),
            },
            Term::ConstArray(_, inner) => Value::Array(Box::new(value(*inner)?), BTreeMap::new()),
            Term::Not(inner) => Value::Bool(!self.truth(*inner, env, calls)?),
            Term::And(args) => self.junction(args, env, calls, false)?,
            Term::Or(args) => self.junction(args, env, calls, true)?,
            Term::Add(args) => {
                let sum = args.iter().try_fold(0_i64, |sum, &arg| {
                    sum.checked_add(int(arg)?).ok_or(Trouble::Unknown("a large number"))
                });
                Value::Int(sum?)
            }
            Term::Multiply(args) => {
                let product = args.iter().try_fold(1_i64, |product, &arg| {
                    product.checked_mul(int(arg)?).ok_or(Trouble::Unknown("a large number"))
                });
                Value::Int(product?)
            }
            Term::Div(a, b) => match int(*a)?.checked_div_euclid(int(*b)?) {
                Some(quotient) => Value::Int(quotient),
                None => return unknown("a division by zero"),
            },
            Term::Mod(a, b) => match int(*a)?.checked_rem_euclid(int(*b)?) {
                Some(remainder) => Value::Int(remainder),
                None => return unknown("a division by zero"),
            },
            Term::Equal(a, b) => Value::Bool(value(*a)? == value(*b)?),
            Term::Less(a, b) => Value::Bool(int(*a)? < int(*b)?),
            Term::LessEqual(a, b) => Value::Bool(int(*a)? <= int(*b)?),
            Term::If(condition, yes, no) => match self.truth(*condition, env, calls) {
                Ok(true) => value(*yes)?,
                Ok(false) => value(*no)?,
                Err(trouble) => match (value(*yes), value(*no)) {
                    (Ok(yes), Ok(no)) if yes == no => yes,
                    _ => return Err(trouble),
                },
            },
            Term::Forall(vars, body) => self.quantified(vars, *body, env, calls, false)?,
            Term::Exists(vars, body) => self.quantified(vars, *body, env, calls, true)?,
            Term::Act(id, args) => {
                Value::Act(self.algebra.action(*id).name.as_str(), self.all(args, env, calls)?)
            }
            Term::Tau => Value::Tau,
            Term::Sync(inner) => value(*inner)?.sync(),
            Term::Co(inner) => match value(*inner)? {
                inner @ (Value::Act(..) | Value::Other(_)) => inner.co(),
                _ => return unknown("the complement of what has none"),
            },
            Term::IsAct(id, inner) => {
                let signature = self.algebra.action(*id);
                let (name, arity) = (signature.name.as_str(), signature.sorts.len());
                let inner = value(*inner)?;
                Value::Bool(
                    matches!(inner, Value::Act(n, args) if n == name && args.len() == arity),
                )
            }
            Term::IsSync(inner) => Value::Bool(matches!(value(*inner)?, Value::Sync(_))),
            Term::IsCo(inner) => Value::Bool(matches!(value(*inner)?, Value::Co(_))),
            Term::Argument(id, index, inner) => {
                let signature = self.algebra.action(*id);
                let (name, arity) = (signature.name.as_str(), signature.sorts.len());
                match value(*inner)? {
                    Value::Act(n, args) if n == name && args.len() == arity => {
                        args[*index as usize].clone()
                    }
                    _ => return unknown("the argument of another action"),
                }
            }
            Term::Inner(inner) => match value(*inner)? {
                Value::Sync(inner) | Value::Co(inner) => *inner,
                _ => return unknown("the inside of an action that has none"),
            },
        })
    }

    /// `and` and `or`: one operand can decide, whatever the others are.
    fn junction(&self, args: &[TermId], env: &Env, calls: usize, decides: bool) -> Evaluated {
        let mut trouble = None;
        for &arg in args {
            match self.truth(arg, env, calls) {
                Ok(value) if value == decides => return Ok(Value::Bool(decides)),
                Ok(_) => {}
                Err(found) => trouble = Some(found),
            }
        }
        trouble.map_or(Ok(Value::Bool(!decides)), Err)
    }

    fn quantified(
        &self,
        vars: &[VarId],
        body: TermId,
        env: &Env,
        calls: usize,
        decides: bool,
    ) -> Evaluated {
        let mut trouble = None;
        for env in self.choices(vars, env)? {
            match self.truth(body, &env, calls) {
                Ok(value) if value == decides => return Ok(Value::Bool(decides)),
                Ok(_) => {}
                Err(found) => trouble = Some(found),
            }
        }
        trouble.map_or(Ok(Value::Bool(!decides)), Err)
    }

    /// All ways to give values to variables that have none yet.
    pub fn choices(&self, vars: &[VarId], env: &Env) -> Result<Vec<Env>, Trouble> {
        let open: Vec<VarId> = vars.iter().copied().filter(|var| !env.contains_key(var)).collect();
        let sorts: Vec<Sort> = open.iter().map(|var| self.terms.var(*var).sort.clone()).collect();
        let products = self.products(&sorts)?.into_iter().map(|values| {
            let mut env = env.clone();
            env.extend(open.iter().copied().zip(values));
            env
        });
        Ok(products.collect())
    }

    /// All rows of values of these sorts.
    pub fn products(&self, sorts: &[Sort]) -> Result<Vec<Vec<Value>>, Trouble> {
        let mut rows = vec![Vec::new()];
        for sort in sorts {
            let domain = self.domain(sort)?;
            if domain.len() * rows.len() > MOST_VALUES {
                return unknown("a sort with too many values");
            }
            let extended = rows.iter().flat_map(|row: &Vec<Value>| {
                domain.iter().map(|value| {
                    let mut row = row.clone();
                    row.push(value.clone());
                    row
                })
            });
            rows = extended.collect();
        }
        Ok(rows)
    }

    /// The bounds of a range: from the first to just before the second.
    fn bounds(&self, low: TermId, high: TermId) -> Result<(i64, i64), Trouble> {
        Ok((self.int(low, &Env::new(), 0)?, self.int(high, &Env::new(), 0)?))
    }

    /// All values of a sort.
    pub fn domain(&self, sort: &Sort) -> Result<Vec<Value>, Trouble> {
        self.domain_within(sort, 4)
    }

    fn domain_within(&self, sort: &Sort, depth: usize) -> Result<Vec<Value>, Trouble> {
        if depth == 0 {
            return unknown("a sort that contains itself");
        }
        Ok(match sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Int => (self.world.ints.0..=self.world.ints.1).map(Value::Int).collect(),
            Sort::Range(low, high) => {
                let (low, high) = self.bounds(*low, *high)?;
                if high.saturating_sub(low) > MOST_VALUES as i64 {
                    return unknown("a sort with too many values");
                }
                (low..high).map(Value::Int).collect()
            }
            Sort::Abstract(id) => {
                let name = self.algebra.abstracts[id.index()].as_str();
                (0..self.world.atoms).map(|number| Value::Atom(name, number)).collect()
            }
            Sort::Data(id) => {
                let mut all = Vec::new();
                for constructor in &self.algebra.datatypes[id.index()].constructors {
                    let sorts: Vec<Sort> =
                        constructor.fields.iter().map(|(_, sort)| sort.clone()).collect();
                    for sort in &sorts {
                        self.domain_within(sort, depth - 1)?;
                    }
                    let name = constructor.name.as_str();
                    all.extend(
                        self.products(&sorts)?.into_iter().map(|row| Value::Data(name, row)),
                    );
                }
                all
            }
            Sort::Action => return unknown("an action that nothing is known of"),
            Sort::Array(_) => return unknown("an array that nothing is known of"),
        })
    }

    /// Whether a value belongs to a sort: to its ranges, if it has some. Integers must be among those that are
    /// played with.
    pub fn fits(&self, value: &Value, sort: &Sort) -> Result<bool, Trouble> {
        let all = |values: &[Value], sorts: &mut dyn Iterator<Item = &Sort>| {
            for (value, sort) in values.iter().zip(sorts) {
                if !self.fits(value, sort)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match (sort, value) {
            (Sort::Range(low, high), Value::Int(value)) => {
                let (low, high) = self.bounds(*low, *high)?;
                Ok(low <= *value && *value < high)
            }
            (Sort::Int, Value::Int(value)) => {
                let (low, high) = self.world.ints;
                if low <= *value && *value <= high {
                    Ok(true)
                } else {
                    Err(Trouble::Escaped(*value))
                }
            }
            (Sort::Data(id), Value::Data(name, fields)) => {
                let constructors = &self.algebra.datatypes[id.index()].constructors;
                match constructors.iter().find(|one| one.name.as_str() == *name) {
                    Some(one) => all(fields, &mut one.fields.iter().map(|(_, sort)| sort)),
                    None => unknown("a constructor of another sort"),
                }
            }
            (Sort::Array(sorts), Value::Array(default, inner)) => {
                for value in inner.values().chain([&**default]) {
                    if !self.fits(value, &sorts.1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Sort::Action, Value::Act(name, args)) => {
                let found = self.algebra.actions.iter().find(|signature| {
                    signature.name.as_str() == *name && signature.sorts.len() == args.len()
                });
                match found {
                    Some(signature) => all(args, &mut signature.sorts.iter()),
                    None => unknown("an action that is not declared"),
                }
            }
            (Sort::Action, Value::Sync(inner) | Value::Co(inner)) => self.fits(inner, sort),
            (Sort::Action, Value::Tau | Value::Other(_))
            | (Sort::Bool, Value::Bool(_))
            | (Sort::Abstract(_), Value::Atom(..)) => Ok(true),
            _ => unknown("a value of another sort"),
        }
    }

    /// Matches a value against a term, and gives values to the variables of the term. What has to be computed
    /// is put off until all variables have values.
    pub fn fit(
        &self,
        pattern: TermId,
        value: &Value,
        env: &mut Env,
        later: &mut Vec<(TermId, Value)>,
    ) -> Result<bool, Trouble> {
        match (self.terms.get(pattern), value) {
            (Term::Var(var), value) => match env.get(var) {
                Some(known) => Ok(known == value),
                None => {
                    let fits = self.fits(value, &self.terms.var(*var).sort)?;
                    env.insert(*var, value.clone());
                    Ok(fits)
                }
            },
            (Term::Act(id, args), Value::Act(name, values)) => {
                let same = self.algebra.action(*id).name.as_str() == *name;
                Ok(same && args.len() == values.len() && self.fit_all(args, values, env, later)?)
            }
            (Term::Construct(data, index, args), Value::Data(name, values)) => {
                let data = &self.algebra.datatypes[data.index()];
                let same = data.constructors[*index as usize].name.as_str() == *name;
                Ok(same && self.fit_all(args, values, env, later)?)
            }
            (Term::Tau, value) => Ok(*value == Value::Tau),
            (Term::Sync(inner), Value::Sync(value)) | (Term::Co(inner), Value::Co(value)) => {
                self.fit(*inner, value, env, later)
            }
            (Term::Act(..) | Term::Construct(..) | Term::Sync(_) | Term::Co(_), _) => Ok(false),
            _ => {
                later.push((pattern, value.clone()));
                Ok(true)
            }
        }
    }

    fn fit_all(
        &self,
        patterns: &[TermId],
        values: &[Value],
        env: &mut Env,
        later: &mut Vec<(TermId, Value)>,
    ) -> Result<bool, Trouble> {
        for (&pattern, value) in patterns.iter().zip(values) {
            if !self.fit(pattern, value, env, later)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The ways to give values to the variables that are left, such that what was put off comes out.
    pub fn settle(
        &self,
        env: &Env,
        more: &[VarId],
        later: &[(TermId, Value)],
    ) -> Result<Vec<Env>, Trouble> {
        let mut vars: Vec<VarId> = more.to_vec();
        for (pattern, _) in later {
            vars.extend(self.terms.free_vars(*pattern));
        }
        vars.sort_unstable();
        vars.dedup();
        let mut found = Vec::new();
        for env in self.choices(&vars, env)? {
            let mut fits = true;
            for (pattern, value) in later {
                let computed = self.eval(*pattern, &env)?;
                if let Value::Int(_) = computed {
                    // A number that nobody can offer here could be offered elsewhere.
                    self.fits(&computed, &Sort::Int)?;
                }
                fits &= computed == *value;
            }
            if fits {
                found.push(env);
            }
        }
        Ok(found)
    }
}

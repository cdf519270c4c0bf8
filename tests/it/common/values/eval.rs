//! What expressions are, and what they owe.

use std::collections::BTreeMap;

use super::{Bound, Expr, Model, Op, PARAM, Shape, Sort, Wrap};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Con(usize, usize, Vec<Value>),
    /// From a first place on.
    Arr(i64, Vec<Value>),
    /// An action that is declared.
    Act(String, Vec<Value>),
    Tau,
    /// An action that nobody has declared.
    Other,
    Wrapped(Wrap, Box<Value>),
}

/// Why there is no value.
#[derive(Clone, Debug)]
pub enum Stop {
    /// Something that is owed is not paid.
    Owed,
    /// Nothing is known of this yet; it is one of these.
    Need(String, Vec<Value>),
    /// Too much for the interpreter.
    Skip(&'static str),
}

pub type Result<T> = std::result::Result<T, Stop>;
pub type Env = BTreeMap<String, Value>;

/// The integers of the window, and how deep recursive data is.
const WINDOW: std::ops::RangeInclusive<i64> = -2..=6;
const FAR: i64 = 40;
const DEPTH: usize = 3;
const MOST_VALUES: usize = 60;

/// A model with what has been chosen for its constants, tables and missing fields.
#[derive(Clone, Debug)]
pub struct World<'m> {
    pub model: &'m Model,
    pub choices: BTreeMap<String, Value>,
}

fn int(value: &Value) -> i64 {
    match value {
        Value::Int(n) => *n,
        other => unreachable!("no number: {other:?}"),
    }
}

fn truth(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

impl<'m> World<'m> {
    pub fn new(model: &'m Model) -> World<'m> {
        let set = model.set.iter().map(|(name, n)| (name.clone(), Value::Int(*n)));
        World { model, choices: set.collect() }
    }

    pub fn bound(&self, bound: Bound) -> Result<i64> {
        match bound {
            Bound::Lit(n) => Ok(n),
            Bound::N(n) => Ok(int(&self.constant("N")?) + n),
            Bound::Param(n) => match self.choices.get(PARAM) {
                Some(value) => Ok(int(value) + n),
                None => Err(Stop::Skip("no parameter")),
            },
        }
    }

    /// The same world inside of a process or net with these parameters.
    pub fn inside(&self, params: &Env) -> World<'m> {
        let mut world = self.clone();
        world.choices.remove(PARAM);
        world.choices.extend(params.get(PARAM).map(|n| (PARAM.to_owned(), n.clone())));
        world
    }

    /// Sorts have values.
    pub fn not_empty(&self, sort: &Sort) -> Result<()> {
        if let Sort::Range(low, high) | Sort::Array(low, high, _) = sort
            && self.bound(*low)? >= self.bound(*high)?
        {
            return Err(Stop::Owed);
        }
        match sort {
            Sort::Array(_, _, of) => self.not_empty(of),
            _ => Ok(()),
        }
    }

    fn choose(&self, key: String, sort: &Sort) -> Result<Value> {
        match self.choices.get(&key) {
            Some(value) => Ok(value.clone()),
            None => Err(Stop::Need(key, self.domain(sort)?)),
        }
    }

    pub fn constant(&self, name: &str) -> Result<Value> {
        let c = self.model.consts.iter().find(|c| c.name == name);
        let Some(c) = c else { return Err(Stop::Skip("an unknown name")) };
        match &c.value {
            Some(e) => self.into(self.eval(e, &Env::new())?, &c.sort),
            None => self.choose(name.to_owned(), &c.sort),
        }
    }

    /// All values of a sort.
    pub fn domain(&self, sort: &Sort) -> Result<Vec<Value>> {
        let all = self.to_depth(sort, DEPTH)?;
        if all.len() > MOST_VALUES { Err(Stop::Skip("a large sort")) } else { Ok(all) }
    }

    fn to_depth(&self, sort: &Sort, depth: usize) -> Result<Vec<Value>> {
        Ok(match sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Int => WINDOW.map(Value::Int).collect(),
            Sort::Range(low, high) => {
                (self.bound(*low)?..self.bound(*high)?).map(Value::Int).collect()
            }
            Sort::Array(low, high, of) => {
                let low = self.bound(*low)?;
                let places = (self.bound(*high)? - low).max(0) as usize;
                let sorts = vec![(**of).clone(); places];
                let rows = self.rows(&sorts, depth)?;
                rows.into_iter().map(|row| Value::Arr(low, row)).collect()
            }
            Sort::Data(data) => {
                let mut all = Vec::new();
                for (at, con) in self.model.datas[*data].constructors.iter().enumerate() {
                    let recursive = con.fields.iter().any(|(_, sort)| sort == &Sort::Data(*data));
                    if recursive && depth == 0 {
                        continue;
                    }
                    let sorts: Vec<Sort> = con.fields.iter().map(|(_, s)| s.clone()).collect();
                    let rows = self.rows(&sorts, if recursive { depth - 1 } else { depth })?;
                    all.extend(rows.into_iter().map(|row| Value::Con(*data, at, row)));
                }
                all
            }
        })
    }

    fn rows(&self, sorts: &[Sort], depth: usize) -> Result<Vec<Vec<Value>>> {
        let mut rows = vec![Vec::new()];
        for sort in sorts {
            let all = self.to_depth(sort, depth)?;
            let longer = |row: &Vec<Value>| {
                let row = row.clone();
                all.iter().map(move |v| [row.clone(), vec![v.clone()]].concat()).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
            if rows.len() > 4 * MOST_VALUES {
                return Err(Stop::Skip("a large sort"));
            }
        }
        Ok(rows)
    }

    /// All lists of values of these sorts.
    pub fn products(&self, sorts: &[Sort]) -> Result<Vec<Vec<Value>>> {
        self.rows(sorts, DEPTH)
    }

    /// Whether a value is one of a sort.
    pub fn fits(&self, value: &Value, sort: &Sort) -> Result<bool> {
        Ok(match (value, sort) {
            (Value::Int(n), Sort::Range(low, high)) => {
                self.bound(*low)? <= *n && *n < self.bound(*high)?
            }
            (Value::Int(n), Sort::Int) if n.abs() > FAR => {
                return Err(Stop::Skip("a large number"));
            }
            (Value::Con(data, con, values), Sort::Data(_)) => {
                let fields = &self.model.datas[*data].constructors[*con].fields;
                for (value, (_, sort)) in values.iter().zip(fields) {
                    if !self.fits(value, sort)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Arr(_, values), Sort::Array(_, _, of)) => {
                for value in values {
                    if !self.fits(value, of)? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => true,
        })
    }

    /// The value, if it is one of the sort that it goes into.
    pub fn into(&self, value: Value, sort: &Sort) -> Result<Value> {
        if self.fits(&value, sort)? { Ok(value) } else { Err(Stop::Owed) }
    }

    pub fn eval_into(&self, e: &Expr, env: &Env, sort: &Sort) -> Result<Value> {
        self.into(self.eval(e, env)?, sort)
    }

    pub fn holds(&self, guard: Option<&Expr>, env: &Env) -> Result<bool> {
        guard.map_or(Ok(true), |e| Ok(truth(&self.eval(e, env)?)))
    }

    pub fn eval(&self, e: &Expr, env: &Env) -> Result<Value> {
        Ok(match e {
            Expr::Bool(b) => Value::Bool(*b),
            Expr::Int(n) => Value::Int(*n),
            Expr::Name(name) => match env.get(name) {
                Some(value) => value.clone(),
                None => self.constant(name)?,
            },
            Expr::Bin(op, l, r) => return self.binary(*op, l, r, env),
            Expr::Not(e) => Value::Bool(!truth(&self.eval(e, env)?)),
            Expr::If(c, a, b) => {
                return self.eval(if truth(&self.eval(c, env)?) { a } else { b }, env);
            }
            Expr::Con(data, con, args) => {
                let fields = &self.model.datas[*data].constructors[*con].fields;
                let mut values = Vec::new();
                for (arg, (_, sort)) in args.iter().zip(fields) {
                    values.push(self.eval_into(arg, env, sort)?);
                }
                Value::Con(*data, *con, values)
            }
            Expr::Is(e, _, con, positive) => {
                let value = self.eval(e, env)?;
                Value::Bool(matches!(&value, Value::Con(_, c, _) if c == con) == *positive)
            }
            Expr::Field(e, data, field) => return self.field(self.eval(e, env)?, *data, field),
            Expr::Match(e, _, arms) => {
                let Value::Con(_, con, values) = self.eval(e, env)? else { return Err(Stop::Owed) };
                let (names, body) = &arms[con];
                let mut env = env.clone();
                env.extend(names.iter().cloned().zip(values));
                return self.eval(body, &env);
            }
            Expr::Call(name, args) => return self.call(name, args, env),
            Expr::Read(a, i) => {
                let (first, values) = self.array(a, env)?;
                let at = int(&self.eval(i, env)?) - first;
                values
                    .into_iter()
                    .nth(usize::try_from(at).unwrap_or(usize::MAX))
                    .ok_or(Stop::Owed)?
            }
            Expr::Store(a, i, v, sort) => {
                let (first, mut values) = self.array(a, env)?;
                let at = int(&self.eval(i, env)?) - first;
                let value = self.eval_into(v, env, sort)?;
                let place = usize::try_from(at).ok().and_then(|at| values.get_mut(at));
                *place.ok_or(Stop::Owed)? = value;
                Value::Arr(first, values)
            }
            Expr::Fill(low, high, _, e) => {
                let (low, value) = (self.bound(*low)?, self.eval(e, env)?);
                let places = (self.bound(*high)? - low).max(0) as usize;
                Value::Arr(low, vec![value; places])
            }
            Expr::Quant(universal, name, sort, e) => {
                let mut result = *universal;
                for value in self.domain(sort)? {
                    let mut env = env.clone();
                    env.insert(name.clone(), value);
                    let here = truth(&self.eval(e, &env)?);
                    result = if *universal { result && here } else { result || here };
                }
                Value::Bool(result)
            }
            Expr::ActIs(name, positive, shape) => {
                Value::Bool(looks_like(&env[name], shape) == *positive)
            }
            Expr::ActIn(name, positive, interface) => {
                let all = &self.model.interfaces[*interface].1;
                let is_in = matches!(&env[name], Value::Act(head, _) if all.contains(head));
                Value::Bool(is_in == *positive)
            }
            Expr::ActEq(name, positive, action, args) => {
                let value = self.action(Wrap::Plain, action, args, env)?;
                Value::Bool((env[name] == value) == *positive)
            }
        })
    }

    /// An action with arguments that are expressions.
    pub fn action(&self, how: Wrap, name: &str, args: &[Expr], env: &Env) -> Result<Value> {
        let mut values = Vec::new();
        for (arg, sort) in args.iter().zip(self.model.sorts_of(name)) {
            values.push(self.eval_into(arg, env, sort)?);
        }
        Ok(wrapped(how, Value::Act(name.to_owned(), values)))
    }

    fn array(&self, a: &Expr, env: &Env) -> Result<(i64, Vec<Value>)> {
        match self.eval(a, env)? {
            Value::Arr(first, values) => Ok((first, values)),
            _ => Err(Stop::Skip("no array")),
        }
    }

    fn field(&self, value: Value, data: usize, field: &str) -> Result<Value> {
        let found = self.model.field(data, field);
        let Some((con, at, sort)) = found else { return Err(Stop::Skip("no field")) };
        match &value {
            Value::Con(_, c, values) if *c == con => Ok(values[at].clone()),
            _ => self.choose(format!("{value:?}.{field}"), sort),
        }
    }

    fn call(&self, name: &str, args: &[Expr], env: &Env) -> Result<Value> {
        let f = self.model.funs.iter().find(|f| f.name == name);
        let Some(f) = f else { return Err(Stop::Skip("no function")) };
        let mut inner = Env::new();
        for (arg, (name, sort)) in args.iter().zip(&f.params) {
            inner.insert(name.clone(), self.eval_into(arg, env, sort)?);
        }
        match &f.body {
            Some(body) => self.eval_into(body, &inner, &f.result),
            None => self.choose(format!("{name}{inner:?}"), &f.result),
        }
    }

    fn binary(&self, op: Op, l: &Expr, r: &Expr, env: &Env) -> Result<Value> {
        let left = self.eval(l, env)?;
        match (op, &left) {
            (Op::And | Op::Implies, Value::Bool(false)) => return Ok(Value::Bool(op != Op::And)),
            (Op::Or, Value::Bool(true)) => return Ok(left),
            _ => {}
        }
        let right = self.eval(r, env)?;
        let (a, b) = match (&left, &right) {
            (Value::Int(a), Value::Int(b)) => (*a, *b),
            _ => (0, 0),
        };
        if matches!(op, Op::Div | Op::Mod | Op::Quot | Op::Rem) && b == 0 {
            return Err(Stop::Owed);
        }
        let number = |n: i64| {
            if n.abs() > 1_000_000 { Err(Stop::Skip("a large number")) } else { Ok(Value::Int(n)) }
        };
        Ok(match op {
            Op::Add => number(a + b)?,
            Op::Sub => number(a - b)?,
            Op::Mul => number(a * b)?,
            // The remainder is never negative.
            Op::Div => number(a.div_euclid(b))?,
            Op::Mod => number(a.rem_euclid(b))?,
            // Rounded towards zero.
            Op::Quot => number(a / b)?,
            Op::Rem => number(a % b)?,
            Op::Eq => Value::Bool(left == right),
            Op::Ne => Value::Bool(left != right),
            Op::Lt => Value::Bool(a < b),
            Op::Le => Value::Bool(a <= b),
            Op::Gt => Value::Bool(a > b),
            Op::Ge => Value::Bool(a >= b),
            Op::And | Op::Or | Op::Implies => right,
        })
    }
}

pub fn wrapped(how: Wrap, action: Value) -> Value {
    match how {
        Wrap::Plain => action,
        _ => Value::Wrapped(how, Box::new(action)),
    }
}

fn looks_like(action: &Value, shape: &Shape) -> bool {
    match (action, shape) {
        (Value::Tau, Shape::Tau) => true,
        (Value::Wrapped(Wrap::Sync, _), Shape::AnySync) => true,
        (Value::Wrapped(Wrap::Co, _), Shape::AnyCo) => true,
        (Value::Act(name, values), Shape::Act(wanted, args)) => {
            let fits =
                |(arg, value): (&Option<i64>, &Value)| arg.is_none_or(|n| *value == Value::Int(n));
            name == wanted && args.iter().zip(values).all(fits)
        }
        _ => false,
    }
}

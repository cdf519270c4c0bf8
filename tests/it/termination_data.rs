//! Recursion over lists, trees and numbers: what is accepted ends, tried on random functions that call each other, by
//! an interpreter of their own.
use std::collections::BTreeSet;

use crate::common::check_text;
use crate::common::random::Random;
use pnetc::diagnostics::Severity;

const DATA: &str = "data List { Nil, Cons(head: Int, tail: List) }\n\
    data Tree { Leaf, Node(left: Tree, value: Int, right: Tree) }\n";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Int,
    List,
    Tree,
}

impl Sort {
    /// The datatype, its constructors, and the fields of the second one.
    fn data(self) -> (&'static str, [&'static str; 2], &'static [(&'static str, Sort)]) {
        match self {
            Sort::Int => ("Int", ["", ""], &[]),
            Sort::List => ("List", ["Nil", "Cons"], &[("head", Sort::Int), ("tail", Sort::List)]),
            Sort::Tree => (
                "Tree",
                ["Leaf", "Node"],
                &[("left", Sort::Tree), ("value", Sort::Int), ("right", Sort::Tree)],
            ),
        }
    }
}

/// A number, or a value of a datatype: with its fields if the second constructor made it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Value {
    Int(i64),
    Data(Option<Vec<Value>>),
}

#[derive(Clone, Debug)]
enum Expr {
    Int(i64),
    Name(String),
    Plus(Box<Expr>, i64),
    Less(Box<Expr>, Box<Expr>),
    /// A field, by its place.
    Field(Box<Expr>, Sort, usize),
    /// The second constructor with these, or the first.
    Made(Sort, Option<Vec<Expr>>),
}

#[derive(Clone, Debug)]
enum Body {
    Value,
    /// The sum of calls.
    Calls(Vec<(usize, Vec<Expr>)>),
    /// What is matched, the names of the fields, both arms.
    Match(String, Sort, Vec<String>, Box<Body>, Box<Body>),
    /// `if x is Cons(_, _)`.
    Is(Expr, Sort, Box<Body>, Box<Body>),
    /// `if e > 0`, or another sign.
    Sign(Expr, usize, Box<Body>, Box<Body>),
}

struct Fun {
    params: Vec<(String, Sort)>,
    decreases: Option<String>,
    body: Body,
}

const SIGNS: [&str; 4] = [">", "<=", "==", "!="];
type Scope = Vec<(String, Sort)>;

struct Maker<'r> {
    random: &'r mut Random,
    params: Vec<Vec<(String, Sort)>>,
    fresh: usize,
}

impl Maker<'_> {
    fn named(&mut self, scope: &Scope, sort: Sort) -> Option<Expr> {
        let names: Vec<&String> =
            scope.iter().filter(|(_, other)| *other == sort).map(|(name, _)| name).collect();
        self.random.pick_some(&names).map(|name| Expr::Name((*name).clone()))
    }

    fn value(&mut self, scope: &Scope, sort: Sort, depth: usize) -> Expr {
        let name = self.named(scope, sort);
        match (sort, self.random.below(8)) {
            (_, 0..=2) if name.is_some() => name.unwrap(),
            (Sort::Int, 3) => Expr::Int(self.random.below(4) as i64 - 1),
            (Sort::Int, 4) if depth > 0 => {
                let (a, b) = (self.value(scope, sort, 0), self.value(scope, sort, 0));
                Expr::Less(Box::new(a), Box::new(b))
            }
            (Sort::Int, _) => {
                let name = name.unwrap_or(Expr::Int(1));
                Expr::Plus(Box::new(name), *self.random.pick(&[-2, -1, -1, -1, 0, 1]))
            }
            (_, 3..=6) if name.is_some() => {
                let fields = sort.data().2.iter().enumerate();
                let fields: Vec<usize> = fields.filter(|(_, f)| f.1 == sort).map(|f| f.0).collect();
                Expr::Field(Box::new(name.unwrap()), sort, *self.random.pick(&fields))
            }
            _ if depth == 0 => Expr::Made(sort, None),
            _ => {
                let fields = sort.data().2.iter();
                let made = fields.map(|(_, sort)| self.value(scope, *sort, depth - 1)).collect();
                Expr::Made(sort, Some(made))
            }
        }
    }

    fn calls(&mut self, scope: &Scope) -> Body {
        let mut calls = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let fun = self.random.below(self.params.len());
            let params = self.params[fun].clone();
            calls.push((fun, params.iter().map(|(_, s)| self.value(scope, *s, 1)).collect()));
        }
        Body::Calls(calls)
    }

    fn body(&mut self, scope: &Scope, depth: usize) -> Body {
        if depth == 0 || self.random.percent(15) {
            return if self.random.percent(25) { Body::Value } else { self.calls(scope) };
        }
        let data: Vec<(String, Sort)> =
            scope.iter().filter(|(_, sort)| *sort != Sort::Int).cloned().collect();
        let Some((name, sort)) = self.random.pick_some(&data).cloned() else {
            return self.sign(scope, depth);
        };
        match self.random.below(5) {
            0 | 1 => {
                let mut inner = scope.clone();
                let mut names = Vec::new();
                for (_, sort) in sort.data().2 {
                    self.fresh += 1;
                    names.push(format!("x{}", self.fresh));
                    inner.push((format!("x{}", self.fresh), *sort));
                }
                let first = self.arm(scope, depth);
                let second = self.body(&inner, depth - 1);
                Body::Match(name, sort, names, Box::new(first), Box::new(second))
            }
            2 | 3 => {
                let of = self.value(scope, sort, 0);
                let (yes, no) = (self.body(scope, depth - 1), self.arm(scope, depth));
                Body::Is(of, sort, Box::new(yes), Box::new(no))
            }
            _ => self.sign(scope, depth),
        }
    }

    /// What ends, mostly.
    fn arm(&mut self, scope: &Scope, depth: usize) -> Body {
        if self.random.percent(70) { Body::Value } else { self.body(scope, depth - 1) }
    }

    fn sign(&mut self, scope: &Scope, depth: usize) -> Body {
        let of = self.value(scope, Sort::Int, 1);
        let sign = self.random.below(SIGNS.len());
        let (yes, no) = (self.body(scope, depth - 1), self.arm(scope, depth));
        Body::Sign(of, sign, Box::new(yes), Box::new(no))
    }
}

fn functions(random: &mut Random) -> Vec<Fun> {
    let mut params = Vec::new();
    for _ in 0..random.between(1, 2) {
        let sorts = [Sort::Int, Sort::List, Sort::List, Sort::Tree];
        let count = random.between(1, 3);
        params.push((0..count).map(|at| (format!("p{at}"), *random.pick(&sorts))).collect());
    }
    let mut maker = Maker { random, params, fresh: 0 };
    let mut all = Vec::new();
    for params in maker.params.clone() {
        let body = maker.body(&params, 3);
        let numbers: Vec<&String> =
            params.iter().filter(|(_, sort)| *sort == Sort::Int).map(|(name, _)| name).collect();
        let decreases = match maker.random.pick_some(&numbers) {
            Some(name) if maker.random.percent(15) => Some((*name).clone()),
            _ => None,
        };
        all.push(Fun { params, decreases, body });
    }
    all
}

// ---- as text ----

fn list<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn expr(e: &Expr) -> String {
    match e {
        Expr::Int(n) => format!("({n})"),
        Expr::Name(name) => name.clone(),
        Expr::Plus(e, n) => format!("({} + ({n}))", expr(e)),
        Expr::Less(a, b) => format!("({} - {})", expr(a), expr(b)),
        Expr::Field(e, sort, at) => format!("{}.{}", expr(e), sort.data().2[*at].0),
        Expr::Made(sort, None) => sort.data().1[0].to_owned(),
        Expr::Made(sort, Some(all)) => format!("{}({})", sort.data().1[1], list(all, expr)),
    }
}

fn text(body: &Body) -> String {
    match body {
        Body::Value => "0".to_owned(),
        Body::Calls(calls) => {
            let one = |(fun, args): &(usize, Vec<Expr>)| format!("f{fun}({})", list(args, expr));
            let calls: Vec<String> = calls.iter().map(one).collect();
            format!("(1 + {})", calls.join(" + "))
        }
        Body::Match(name, sort, names, a, b) => {
            let [first, second] = sort.data().1;
            let names = names.join(", ");
            format!("(match {name} {{ {first} => {}, {second}({names}) => {} }})", text(a), text(b))
        }
        Body::Is(e, sort, a, b) => {
            let (_, [_, second], fields) = sort.data();
            let blanks = list(fields, |_| "_".to_owned());
            format!("(if {} is {second}({blanks}) then {} else {})", expr(e), text(a), text(b))
        }
        Body::Sign(e, sign, a, b) => {
            format!("(if {} {} 0 then {} else {})", expr(e), SIGNS[*sign], text(a), text(b))
        }
    }
}

fn model(funs: &[Fun]) -> String {
    let mut all = DATA.to_owned();
    for (at, fun) in funs.iter().enumerate() {
        let params = list(&fun.params, |(name, sort)| format!("{name}: {}", sort.data().0));
        let measure = fun.decreases.as_ref().map_or(String::new(), |m| format!(" decreases {m}"));
        all += &format!("fun f{at}({params}): Int{measure} = {};\n", text(&fun.body));
    }
    all
}

// ---- what they do ----

/// A field that is not there: one value for each sort.
struct Missing {
    int: i64,
    data: Value,
}

struct Run<'f> {
    funs: &'f [Fun],
    missing: &'f Missing,
    done: BTreeSet<(usize, Vec<Value>)>,
    steps: usize,
}

/// It is known to go on for ever, or for longer than anybody waits.
struct Endless;

type Env = Vec<(String, Value)>;

impl Run<'_> {
    fn eval(&self, e: &Expr, env: &Env) -> Value {
        let number = |e: &Expr| match self.eval(e, env) {
            Value::Int(n) => n,
            Value::Data(_) => unreachable!("no number"),
        };
        match e {
            Expr::Int(n) => Value::Int(*n),
            Expr::Name(name) => env.iter().find(|(other, _)| other == name).unwrap().1.clone(),
            Expr::Plus(e, n) => Value::Int(number(e).saturating_add(*n)),
            Expr::Less(a, b) => Value::Int(number(a).saturating_sub(number(b))),
            Expr::Field(e, sort, at) => match self.eval(e, env) {
                Value::Data(Some(fields)) => fields[*at].clone(),
                _ if sort.data().2[*at].1 == Sort::Int => Value::Int(self.missing.int),
                _ => of_sort(&self.missing.data, *sort),
            },
            Expr::Made(_, fields) => {
                let fields = fields.as_ref();
                Value::Data(fields.map(|all| all.iter().map(|e| self.eval(e, env)).collect()))
            }
        }
    }

    fn body(&mut self, body: &Body, env: &Env, depth: usize) -> Result<(), Endless> {
        match body {
            Body::Value => Ok(()),
            Body::Calls(calls) => calls.iter().try_for_each(|(fun, args)| {
                let args = args.iter().map(|e| self.eval(e, env)).collect();
                self.call(*fun, args, depth)
            }),
            Body::Match(name, _, names, a, b) => match self.eval(&Expr::Name(name.clone()), env) {
                Value::Data(Some(fields)) => {
                    let mut env = env.clone();
                    env.extend(names.iter().cloned().zip(fields));
                    self.body(b, &env, depth)
                }
                _ => self.body(a, env, depth),
            },
            Body::Is(e, _, a, b) => {
                let is = matches!(self.eval(e, env), Value::Data(Some(_)));
                self.body(if is { a } else { b }, env, depth)
            }
            Body::Sign(e, sign, a, b) => {
                let Value::Int(n) = self.eval(e, env) else { unreachable!("no number") };
                let holds = [n > 0, n <= 0, n == 0, n != 0][*sign];
                self.body(if holds { a } else { b }, env, depth)
            }
        }
    }

    fn call(&mut self, fun: usize, args: Vec<Value>, depth: usize) -> Result<(), Endless> {
        self.steps += 1;
        if depth > 600 {
            return Err(Endless);
        }
        // What grows faster than a step at a time is not looked at to its end.
        let is_large = args.iter().map(size).sum::<usize>() > 3_000;
        if is_large || self.steps > 5_000 || self.done.contains(&(fun, args.clone())) {
            return Ok(());
        }
        let names = self.funs[fun].params.iter().map(|(name, _)| name.clone());
        let env: Env = names.zip(args.iter().cloned()).collect();
        let funs = self.funs;
        self.body(&funs[fun].body, &env, depth + 1)?;
        self.done.insert((fun, args));
        Ok(())
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Data(Some(fields)) => 1 + fields.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

/// A list of numbers as a value of another sort: a tree that leans to the right.
fn of_sort(list: &Value, sort: Sort) -> Value {
    match (list, sort) {
        (Value::Data(Some(fields)), Sort::Tree) => {
            let rest = of_sort(&fields[1], sort);
            Value::Data(Some(vec![Value::Data(None), fields[0].clone(), rest]))
        }
        _ => list.clone(),
    }
}

fn numbers(all: &[i64]) -> Value {
    match all {
        [] => Value::Data(None),
        [first, rest @ ..] => Value::Data(Some(vec![Value::Int(*first), numbers(rest)])),
    }
}

/// Values to begin with.
fn starts(sort: Sort) -> Vec<Value> {
    let lists = [numbers(&[]), numbers(&[2]), numbers(&[-1, 3, 0])];
    match sort {
        Sort::Int => [-3, 0, 1, 4].map(Value::Int).to_vec(),
        Sort::List => lists.to_vec(),
        Sort::Tree => {
            let mut all = lists.map(|list| of_sort(&list, sort)).to_vec();
            all.push(Value::Data(Some(vec![all[2].clone(), Value::Int(1), all[1].clone()])));
            all
        }
    }
}

fn rows(params: &[(String, Sort)]) -> Vec<Vec<Value>> {
    let mut rows = vec![Vec::new()];
    for (_, sort) in params {
        let longer = |row: Vec<Value>| {
            starts(*sort).into_iter().map(move |v| [row.clone(), vec![v]].concat())
        };
        rows = rows.into_iter().flat_map(longer).collect();
    }
    rows
}

/// Arguments that a function goes on for ever with.
fn endless(funs: &[Fun]) -> Option<(usize, Vec<Value>)> {
    for missing in [
        Missing { int: 0, data: numbers(&[]) },
        Missing { int: 3, data: numbers(&[1, 1]) },
        Missing { int: -2, data: numbers(&[5]) },
    ] {
        for (fun, of) in funs.iter().enumerate() {
            for row in rows(&of.params) {
                let done = BTreeSet::new();
                let mut run = Run { funs, missing: &missing, done, steps: 0 };
                if run.call(fun, row.clone(), 0).is_err() {
                    return Some((fun, row));
                }
            }
        }
    }
    None
}

#[test]
fn recursion_over_data_that_is_accepted_ends() {
    let (mut accepted, mut recursive, mut caught) = (0, 0, 0);
    for seed in 0..3_000 {
        let funs = functions(&mut Random::new(seed));
        let text = model(&funs);
        let checked = check_text(text.clone());
        let mut errors = checked.diagnostics.iter().filter(|one| one.severity == Severity::Error);
        if let Some(other) = errors.find(|found| found.entry.code != "T0133") {
            panic!("seed {seed}: {}\n{text}", other.message);
        }
        if checked.has_errors() {
            // That the interpreter notices what goes on for ever is seen from some that are refused.
            caught += usize::from(seed < 400 && endless(&funs).is_some());
            continue;
        }
        accepted += 1;
        let names = text.matches("f0(").count() + text.matches("f1(").count();
        recursive += usize::from(names > funs.len());
        if let Some(found) = endless(&funs) {
            panic!("seed {seed} does not end at {found:?}:\n{text}");
        }
    }
    assert!(recursive > 300, "{recursive} of {accepted}");
    assert!(caught > 50, "{caught}");
}

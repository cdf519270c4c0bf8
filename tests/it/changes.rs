//! What transitions change: random assignments, all at once and one after the other, beside an evaluator that knows
//! neither terms nor nets.

use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Domains, Value};

use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, check_text};

/// How many places the array has, and where the range ends.
const PLACES: i64 = 3;
const END: i64 = 5;

#[derive(Clone, PartialEq, Debug)]
struct State {
    x: i64,
    y: i64,
    n: i64,
    a: [i64; PLACES as usize],
    /// `Pkt(u, v)`
    m: (i64, i64),
    /// `Ping` if there is none.
    p: Option<i64>,
}

enum Expr {
    Int(i64),
    X,
    Y,
    N,
    U,
    At(Box<Expr>),
    /// `t` of `let`.
    It,
    Op(&'static str, Box<Expr>, Box<Expr>),
    Let(Box<Expr>, Box<Expr>),
}

enum Target {
    X,
    Y,
    N,
    Place(Expr),
    U,
    V,
    P,
    /// `m := m with { u := e, v := 1 }`
    Both,
}

struct Change {
    target: Target,
    sign: &'static str,
    value: Expr,
}

impl Expr {
    fn text(&self) -> String {
        match self {
            Expr::Int(n) if *n < 0 => format!("({n})"),
            Expr::Int(n) => n.to_string(),
            Expr::X => "x".to_owned(),
            Expr::Y => "y".to_owned(),
            Expr::N => "n".to_owned(),
            Expr::U => "m.u".to_owned(),
            Expr::It => "it".to_owned(),
            Expr::At(index) => format!("a[{}]", index.text()),
            Expr::Op(op, l, r) => format!("({} {op} {})", l.text(), r.text()),
            Expr::Let(value, body) => format!("(let it = {} in {})", value.text(), body.text()),
        }
    }

    /// Nothing where there is no value.
    fn eval(&self, state: &State, it: i64) -> Option<i64> {
        Some(match self {
            Expr::Int(n) => *n,
            Expr::X => state.x,
            Expr::Y => state.y,
            Expr::N => state.n,
            Expr::U => state.m.0,
            Expr::It => it,
            Expr::At(index) => {
                let index = usize::try_from(index.eval(state, it)?).ok()?;
                *state.a.get(index)?
            }
            Expr::Let(value, body) => body.eval(state, value.eval(state, it)?)?,
            Expr::Op(op, l, r) => {
                let (l, r) = (l.eval(state, it)?, r.eval(state, it)?);
                match *op {
                    "+" => l + r,
                    "-" => l - r,
                    "*" => l * r,
                    "div" => l.checked_div_euclid(r)?,
                    "mod" => l.checked_rem_euclid(r)?,
                    "quot" => l.checked_div(r)?,
                    _ => l.checked_rem(r)?,
                }
            }
        })
    }
}

fn expr(random: &mut Random, depth: usize, bound: bool) -> Expr {
    if depth == 0 || random.one_in(4) {
        return match random.below(if bound { 7 } else { 6 }) {
            0 => Expr::Int(random.below(7) as i64 - 3),
            1 => Expr::X,
            2 => Expr::Y,
            3 => Expr::N,
            4 => Expr::U,
            5 => Expr::At(Box::new(Expr::Int(random.below(PLACES as usize) as i64))),
            _ => Expr::It,
        };
    }
    let inner = |random: &mut Random| Box::new(expr(random, depth - 1, bound));
    match random.below(8) {
        0 => Expr::At(inner(random)),
        1 if !bound => Expr::Let(inner(random), Box::new(expr(random, depth - 1, true))),
        _ => {
            let op = *random.pick(&["+", "-", "*", "div", "mod", "quot", "rem"]);
            Expr::Op(op, inner(random), inner(random))
        }
    }
}

/// A place of the array: sometimes one that it does not have.
fn index(random: &mut Random) -> Expr {
    let number = Box::new(expr(random, 1, false));
    match random.below(4) {
        0 => Expr::N,
        1 => *number,
        _ => Expr::Op("mod", number, Box::new(Expr::Int(PLACES))),
    }
}

fn changes(random: &mut Random, in_sequence: bool) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    let mut used: Vec<usize> = Vec::new();
    for _ in 0..random.between(1, 5) {
        let which = random.below(9);
        let whole = if which == 8 { 5 } else { which };
        // All at once, a variable or field is assigned once; the places of the array are owed to differ.
        if !in_sequence && whole != 3 {
            let clash = |&other: &usize| {
                other == whole || matches!((other, whole), (7, 4 | 5) | (4 | 5, 7))
            };
            if used.iter().any(clash) {
                continue;
            }
            used.push(whole);
        }
        let target = match whole {
            0 => Target::X,
            1 => Target::Y,
            2 => Target::N,
            3 => Target::Place(index(random)),
            4 => Target::U,
            5 => Target::V,
            6 if random.one_in(3) => Target::P,
            6 => continue,
            _ => Target::Both,
        };
        let sign = match target {
            Target::Both | Target::P => ":=",
            _ => *random.pick(&[":=", ":=", "+=", "-="]),
        };
        let value = match target {
            Target::N if random.percent(70) => {
                Expr::Op("mod", Box::new(expr(random, 2, false)), Box::new(Expr::Int(END)))
            }
            _ => expr(random, 2, false),
        };
        let sign = if matches!(target, Target::N) { ":=" } else { sign };
        all.push(Change { target, sign, value });
    }
    all
}

impl Change {
    fn text(&self) -> String {
        let (sign, value) = (self.sign, self.value.text());
        match &self.target {
            Target::X => format!("x {sign} {value}"),
            Target::Y => format!("y {sign} {value}"),
            Target::N => format!("n {sign} {value}"),
            Target::Place(index) => format!("a[{}] {sign} {value}", index.text()),
            Target::U => format!("m.u {sign} {value}"),
            Target::V => format!("m.v {sign} {value}"),
            Target::P => format!("p.w {sign} {value}"),
            Target::Both => format!("m := m with {{ u := {value}, v := 1 }}"),
        }
    }

    /// Reads one state, and changes another.
    fn apply(&self, old: &State, new: &mut State, places: &mut Vec<usize>) -> Option<()> {
        let value = self.value.eval(old, 0)?;
        let changed = |before: i64| match self.sign {
            "+=" => before + value,
            "-=" => before - value,
            _ => value,
        };
        match &self.target {
            Target::X => new.x = changed(old.x),
            Target::Y => new.y = changed(old.y),
            Target::N => {
                new.n = changed(old.n);
                if !(0..END).contains(&new.n) {
                    return None;
                }
            }
            Target::Place(index) => {
                let index = usize::try_from(index.eval(old, 0)?).ok()?;
                let before = *old.a.get(index)?;
                if places.contains(&index) {
                    return None;
                }
                places.push(index);
                new.a[index] = changed(before);
            }
            Target::U => new.m.0 = changed(old.m.0),
            Target::V => new.m.1 = changed(old.m.1),
            Target::P => {
                old.p?;
                new.p = Some(value);
            }
            Target::Both => new.m = (value, 1),
        }
        Some(())
    }
}

fn after(changes: &[Change], start: &State, in_sequence: bool) -> Option<State> {
    let (mut new, mut places) = (start.clone(), Vec::new());
    for change in changes {
        let old = if in_sequence { new.clone() } else { start.clone() };
        if in_sequence {
            places.clear();
        }
        change.apply(&old, &mut new, &mut places)?;
    }
    Some(new)
}

fn model(changes: &[Change], start: &State, in_sequence: bool) -> String {
    let all: Vec<String> = changes.iter().map(Change::text).collect();
    let done = match (all.is_empty(), in_sequence) {
        (true, _) => String::new(),
        (_, true) => format!(" do {{ {} }}", all.join("; ")),
        _ => format!(" do {}", all.join(", ")),
    };
    let State { x, y, n, a, m, p } = start;
    let p = p.map_or("Ping".to_owned(), |w| format!("Pong({w})"));
    format!(
        "action go;\ndata Msg {{ Pkt(u: Int, v: Int) }}\ndata Other {{ Ping, Pong(w: Int) }}\n\
         process P {{\n    var x: Int = {x};\n    var y: Int = {y};\n    var n: 0..{END} = {n};\n    \
         var a: [0..{PLACES}]Int = [_]Int(0)[0 := {}][1 := {}][2 := {}];\n    var m: Msg = Pkt({}, {});\n    \
         var p: Other = {p};\n    init state s;\n    state t;\n\n    s -> t : go{done};\n}}\n",
        a[0], a[1], a[2], m.0, m.1
    )
}

fn read(value: &Value) -> i64 {
    match value {
        Value::Int(value) => i64::try_from(value).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn state(values: &[&Value]) -> State {
    let Value::Array(array) = values[3] else { panic!("{:?}", values[3]) };
    let at = |place: i64| {
        let mut found = array.places.iter().filter(|(at, _)| read(at) == place);
        found.next().map(|(_, value)| read(value)).or_else(|| array.rest.as_ref().map(read))
    };
    let Value::Data(_, _, m) = values[4] else { panic!("{:?}", values[4]) };
    let Value::Data(_, _, p) = values[5] else { panic!("{:?}", values[5]) };
    State {
        x: read(values[0]),
        y: read(values[1]),
        n: read(values[2]),
        a: [at(0).unwrap(), at(1).unwrap(), at(2).unwrap()],
        m: (read(&m[0]), read(&m[1])),
        p: p.first().map(read),
    }
}

/// What the language makes of it: the state afterwards, or nothing where the step is not possible.
fn really(text: &str) -> Option<State> {
    let checked = check_text(text);
    let net = checked.build(None, &ElaborateOptions::default());
    let net = net.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let interpreter = Interpreter::new(&net, Domains::default());
    let initial = interpreter.initial().unwrap().configurations;
    let steps = interpreter.steps(&initial[0]).unwrap().steps;
    assert!(steps.len() <= 1, "{text}");
    let step = steps.first()?;
    let values: Vec<&Value> = step.target.values.iter().flatten().collect();
    Some(state(&values))
}

#[test]
fn assignments_do_what_they_say() {
    let (mut blocked, mut done) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(400)) {
        let random = &mut Random::new(seed);
        let in_sequence = random.one_in(2);
        let mut number = || random.below(7) as i64 - 3;
        let start = State {
            x: number(),
            y: number(),
            n: (number() + 3).min(END - 1),
            a: [number(), number(), number()],
            m: (number(), number()),
            p: Some(number()).filter(|w| *w > 0),
        };
        let changes = changes(random, in_sequence);
        let text = model(&changes, &start, in_sequence);
        // What is certainly wrong is an error, and said at once.
        let checked = check_text(text.as_str());
        let expected = after(&changes, &start, in_sequence);
        if checked.has_errors() {
            assert_eq!(expected, None, "PNET_SEED={seed}\n{text}");
            continue;
        }
        let found = really(&text);
        assert_eq!(found, expected, "PNET_SEED={seed}\n{text}");
        *(if found.is_some() { &mut done } else { &mut blocked }) += 1;
    }
    println!("{done} steps, {blocked} not possible");
    assert!(fuzz().is_some() || done > 100 && blocked > 20, "{done} {blocked}");
}

//! What closed terms come to, against what Z3 says of them.

use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::sources;
use pnetc::algebra::{ConstId, DataId, Evaluator, FunId, MOST_UNFOLDED, Sort, Term, TermId};
use pnetc::elaborate::ElaborateOptions;
use pnetc::emit::label;
use pnetc::pnet::PNet;
use pnetc::smt::{Answer, Limits, Solver, Theory};
use std::sync::Arc;

const MODEL: &str = "\
const N: Int;
enum Light { Red, Yellow, Green }
data List { Nil, Cons(head: Int, tail: List) }
fun weight(x: Int): Int;
fun minimum(x: Int, y: Int): Int = if x < y then x else y;
fun sum(n: Int): Int = if n <= 0 then 0 else n + sum(n - 1);
fun length(l: List): Int = match l { Nil => 0, Cons(_, rest) => 1 + length(rest) };
fun upto(n: Int): List = if n <= 0 then Nil else Cons(n, upto(n - 1));
fun after(now: Light): Light = match now { Red => Green, Green => Yellow, Yellow => Red };
fun even(n: Int): Bool = n == 0 or (n > 0 and not even(n - 1));
fun add(x: Int): Int = x + N;
fun power(n: Int, x: Int): Int = if n <= 0 then x else power(n - 1, x * x);
fun tree(n: Int, l: List): Int = if n <= 0 then length(l) else tree(n - 1, Cons(n, l)) + tree(n - 1, Cons(0, l));
action go(Int);
process P {
    var l: List = Nil;
    var c: Light = Red;
    init state s;
    s -> s : go(weight(0) + add(minimum(sum(1), length(l)))) when even(1) do l := upto(tree(1, l) + power(1, 1)), c := after(c);
}
";

fn net() -> PNet {
    let checked = sources::check_all(MODEL);
    Arc::unwrap_or_clone(checked.build(Some("P"), &ElaborateOptions::default()).unwrap())
}

fn function(net: &PNet, name: &str) -> FunId {
    let at = net.algebra.functions.iter().position(|one| one.name.as_str() == name);
    FunId(at.unwrap() as u32)
}

fn data(net: &PNet, name: &str) -> DataId {
    let at = net.algebra.datatypes.iter().position(|one| one.name.as_str() == name);
    DataId(at.unwrap() as u32)
}

/// Random closed terms, made without any folding.
struct Maker<'a> {
    net: &'a mut PNet,
    random: Random,
    /// Whether symbolic constants, uninterpreted functions and what has no value of its own are allowed.
    open: bool,
}

impl Maker<'_> {
    fn apply(&mut self, name: &str, args: &[TermId]) -> TermId {
        let function = function(self.net, name);
        self.net.terms.raw(Term::Apply(function, args.into()))
    }

    fn number(&mut self, numbers: &[i64]) -> TermId {
        let number = *self.random.pick(numbers);
        self.net.terms.int(number)
    }

    fn int(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.number(&[-2, -1, 0, 1, 2, 3, 7]);
        }
        let next = depth - 1;
        let kind = self.random.below(if self.open { 14 } else { 10 });
        let term = match kind {
            0 => Term::Add([self.int(next), self.int(next)].into()),
            1 => Term::Multiply([self.int(next), self.int(next)].into()),
            2 => Term::Div(self.int(next), self.number(&[-3, -2, 1, 2, 5])),
            3 => Term::Mod(self.int(next), self.number(&[-3, -2, 1, 2, 5])),
            4 | 5 => Term::If(self.bool(next), self.int(next), self.int(next)),
            6 => Term::Index(self.array(next), self.int(next)),
            7 => {
                let args = [self.int(next), self.int(next)];
                return self.apply("minimum", &args);
            }
            8 => {
                let (arg, most) = (self.int(next), self.number(&[20]));
                let small = self.net.terms.raw(Term::Mod(arg, most));
                return self.apply("sum", &[small]);
            }
            9 => {
                let arg = self.list(next);
                return self.apply("length", &[arg]);
            }
            10 => Term::Const(ConstId(0)),
            11 => Term::Select(data(self.net, "List"), 1, 0, self.list(next)),
            12 => Term::Div(self.int(next), self.int(next)),
            _ => {
                let arg = self.int(next);
                let name = *self.random.pick(&["weight", "add"]);
                return self.apply(name, &[arg]);
            }
        };
        self.net.terms.raw(term)
    }

    fn bool(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            let value = self.random.one_in(2);
            return self.net.terms.bool(value);
        }
        let next = depth - 1;
        let term = match self.random.below(10) {
            0 => Term::And([self.bool(next), self.bool(next), self.bool(next)].into()),
            1 => Term::Or([self.bool(next), self.bool(next), self.bool(next)].into()),
            2 => Term::Not(self.bool(next)),
            3 => Term::Less(self.int(next), self.int(next)),
            4 => Term::LessEqual(self.int(next), self.int(next)),
            5 => Term::Equal(self.int(next), self.int(next)),
            6 => Term::Equal(self.list(next), self.list(next)),
            7 => Term::Equal(self.array(next), self.array(next)),
            8 => Term::Equal(self.light(next), self.light(next)),
            _ => Term::IsConstructor(data(self.net, "List"), 1, self.list(next)),
        };
        self.net.terms.raw(term)
    }

    fn light(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.random.one_in(2) {
            let (light, which) = (data(self.net, "Light"), self.random.below(3) as u32);
            return self.net.terms.raw(Term::Construct(light, which, [].into()));
        }
        let now = self.light(depth - 1);
        self.apply("after", &[now])
    }

    fn list(&mut self, depth: usize) -> TermId {
        let list = data(self.net, "List");
        if depth == 0 {
            return self.net.terms.raw(Term::Construct(list, 0, [].into()));
        }
        let next = depth - 1;
        let term = match self.random.below(4) {
            0 => Term::Construct(list, 1, [self.int(next), self.list(next)].into()),
            1 => Term::If(self.bool(next), self.list(next), self.list(next)),
            2 => Term::Construct(list, 1, [self.int(0), self.list(next)].into()),
            _ => {
                let (arg, most) = (self.int(next), self.number(&[4]));
                let small = self.net.terms.raw(Term::Mod(arg, most));
                return self.apply("upto", &[small]);
            }
        };
        self.net.terms.raw(term)
    }

    fn array(&mut self, depth: usize) -> TermId {
        let sort = Sort::Array(Box::new((Sort::Int, Sort::Int)));
        let term = match depth {
            0 => Term::ConstArray(sort, self.number(&[0, 1])),
            _ if self.random.one_in(4) => {
                Term::If(self.bool(depth - 1), self.array(depth - 1), self.array(depth - 1))
            }
            _ => Term::Update(self.array(depth - 1), self.int(0), self.int(depth - 1)),
        };
        self.net.terms.raw(term)
    }
}

/// Random terms, each with what it comes to and whether that must be a value.
fn tried(seed: u64, open: bool) -> (PNet, Vec<(TermId, TermId)>) {
    let mut net = net();
    let mut maker = Maker { net: &mut net, random: Random::new(seed), open };
    let made: Vec<TermId> =
        (0..20).map(|at| if at % 2 == 0 { maker.int(4) } else { maker.bool(4) }).collect();
    let mut evaluator = Evaluator::new(&net.algebra, MOST_UNFOLDED);
    let found: Vec<(TermId, TermId)> =
        made.iter().map(|&term| (term, evaluator.evaluate(&mut net.terms, term))).collect();
    (net, found)
}

/// Z3 agrees that each term is what it comes to. Says of how many it does not know.
fn agree(net: &mut PNet, found: &[(TermId, TermId)]) -> usize {
    let mut unknown = 0;
    let mut session = Solver::new(&net.algebra, false, Limits { milliseconds: 4000 });
    for &(term, value) in found {
        let same = net.terms.raw(Term::Equal(term, value));
        let other = net.terms.raw(Term::Not(same));
        let theory = Theory { algebra: &net.algebra, terms: &net.terms };
        let answer = session.check(theory, &[other]);
        let text = || format!("{} is {}", label::term(&*net, term), label::term(&*net, value));
        assert_ne!(answer, Answer::Sat, "{}", text());
        unknown += usize::from(answer != Answer::Unsat);
    }
    unknown
}

#[test]
fn closed_terms_come_to_values_and_z3_agrees() {
    let (mut terms, mut unknown) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(30)) {
        let (mut net, found) = tried(seed, false);
        for &(term, value) in &found {
            let text = label::term(&net, term);
            assert!(net.terms.is_value(value), "{seed}: {text} is {}", label::term(&net, value));
        }
        unknown += agree(&mut net, &found);
        terms += found.len();
    }
    assert!(unknown * 10 < terms, "Z3 does not know {unknown} of {terms}");
}

#[test]
fn what_is_open_stays_and_z3_agrees() {
    let (mut values, mut terms, mut unknown) = (0, 0, 0);
    for seed in seeds(fuzz().unwrap_or(30)) {
        let (mut net, found) = tried(seed, true);
        values += found.iter().filter(|(_, value)| net.terms.is_value(*value)).count();
        unknown += agree(&mut net, &found);
        terms += found.len();
    }
    assert!(unknown * 10 < terms, "Z3 does not know {unknown} of {terms}");
    assert!(values > 100, "only {values} came to values");
}

fn evaluated(net: &mut PNet, name: &str, args: &[i64]) -> String {
    let function = function(net, name);
    let args = args.iter().map(|&arg| net.terms.int(arg)).collect::<Vec<_>>();
    let term = net.terms.raw(Term::Apply(function, args.into()));
    let value = Evaluator::new(&net.algebra, MOST_UNFOLDED).evaluate(&mut net.terms, term);
    label::term(&*net, value)
}

#[test]
fn functions_are_unfolded() {
    let mut net = net();
    assert_eq!(evaluated(&mut net, "minimum", &[30, 31]), "30");
    assert_eq!(evaluated(&mut net, "sum", &[100]), "5050");
    assert_eq!(evaluated(&mut net, "even", &[17]), "false");
    assert_eq!(evaluated(&mut net, "upto", &[2]), "Cons(2, Cons(1, Nil))");
    assert_eq!(evaluated(&mut net, "add", &[2]), "N + 2");
    assert_eq!(evaluated(&mut net, "weight", &[2]), "weight(2)");
}

#[test]
fn what_takes_too_long_stays_as_it_is() {
    let mut net = net();
    assert_eq!(evaluated(&mut net, "sum", &[1_000_000]), "sum(1000000)");
    assert_eq!(evaluated(&mut net, "power", &[10_000, 2]), "power(10000, 2)");
    assert_eq!(evaluated(&mut net, "upto", &[1_000_000]), "upto(1000000)");
}

#[test]
fn arrays_have_one_form() {
    let mut net = net();
    let sort = Sort::Array(Box::new((Sort::Int, Sort::Int)));
    let terms = &mut net.terms;
    let numbers: Vec<TermId> = (0..4).map(|number| terms.int(number)).collect();
    let empty = terms.raw(Term::ConstArray(sort, numbers[0]));
    let mut write = |places: &[(usize, usize)]| {
        let put = |array, &(at, value): &(usize, usize)| {
            terms.raw(Term::Update(array, numbers[at], numbers[value]))
        };
        places.iter().fold(empty, put)
    };
    let (one, other) = (write(&[(2, 1), (1, 3), (2, 2)]), write(&[(3, 1), (2, 2), (1, 3), (3, 0)]));
    let mut evaluator = Evaluator::new(&net.algebra, MOST_UNFOLDED);
    let (one, other) =
        (evaluator.evaluate(&mut net.terms, one), evaluator.evaluate(&mut net.terms, other));
    assert_eq!(one, other);
    assert_eq!(label::term(&net, one), "[_]Int(0)[1 := 3][2 := 2]");
}

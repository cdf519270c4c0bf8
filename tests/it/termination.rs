//! Which recursive functions are accepted, which are not and where, and that what is accepted ends.
use crate::common::check_text;
use crate::common::random::Random;

const DATA: &str = "data List { Nil, Cons(head: Int, tail: List) }\n\
    data Tree { Leaf, Node(left: Tree, value: Int, right: Tree) }\n";

/// The texts that T0133 is reported for.
fn endless(text: &str) -> Vec<String> {
    let checked = check_text(format!("{DATA}{text}"));
    let found = checked.diagnostics.iter().filter(|found| found.entry.code != "W0310");
    found
        .map(|found| {
            assert_eq!(found.entry.code, "T0133", "{text}: {}", found.message);
            checked.sources.text(found.span()).to_owned()
        })
        .collect()
}

#[test]
fn functions_that_end_are_accepted() {
    for text in [
        "fun f(l: List): Int = match l { Nil => 0, Cons(_, rest) => 1 + f(rest) };",
        "fun f(l: List): Int = if l is Cons(_, _) then 1 + f(l.tail) else 0;",
        "fun f(l: List): Int = if l == Nil then 0 else 1 + f(l.tail);",
        "fun f(l: List): Bool = l is Cons(_, _) and f(l.tail);",
        "fun f(l: List): Bool = l is Nil or f(l.tail);",
        "fun f(a: List, b: List): List = match a { Nil => b, Cons(x, xs) => Cons(x, f(xs, b)) };",
        "fun gcd(a: Int, b: Int): Int = if b == 0 then a else gcd(b, a mod b);",
        "fun ack(m: 0..100, n: Int): Int = if m == 0 then n + 1 else if n <= 0 then ack(m - 1, 1) else ack(m - 1, ack(m, n - 1));",
        "fun even(n: Int): Bool = if n <= 0 then true else odd(n - 1);
         fun odd(n: Int): Bool = if n <= 0 then false else even(n - 1);",
        "fun sum(i: Int, n: Int): Int = if i >= n then 0 else i + sum(i + 1, n);",
        "fun ping(i: Int, n: Int): Int = if i >= n then 0 else pong(i, n);
         fun pong(i: Int, n: Int): Int = ping(i + 1, n);",
        "fun merge(a: List, b: List): List = match a { Nil => b, Cons(x, xs) => match b { Nil => a,
             Cons(y, ys) => if x <= y then Cons(x, merge(xs, b)) else Cons(y, merge(b, ys)) } };",
        "fun size(t: Tree): Int = match t { Leaf => 0, Node(l, _, r) => size(l) + 1 + size(r) };",
        "fun half(n: Int): Int = if n <= 1 then 0 else 1 + half(n div 2);",
        "fun all(n: Int): Bool = forall i: 0..n . all(i);",
        "fun f(i: Int, n: Int): Int decreases n - i = if i >= n then 0 else f(i + 1, n);",
        "fun f(a: Int, b: Int): Int decreases (a, b) = if a <= 0 or b <= 0 then 0 else if b > 5 then f(a, b - 1) else f(a - 1, b * b);",
        "fun f(i: 0..10): Int = if i == 9 then 0 else f(i + 1);",
        "const STEP: 1..5; fun f(n: Int): Int = if n <= 0 then 0 else f(n - STEP);",
    ] {
        assert_eq!(endless(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn calls_that_may_not_end_are_pointed_at() {
    for (text, call) in [
        ("fun f(x: Int): Int = 1 + f(x);", "f(x)"),
        ("fun f(n: Int): Int = if n == 0 then 1 else n * f(n - 1);", "f(n - 1)"),
        ("fun f(n: Int): Int = match n { 0 => 1, _ => f(n - 1) };", "f(n - 1)"),
        ("fun f(n: Int): Int = if n <= 0 then 0 else f(n + 1);", "f(n + 1)"),
        ("fun f(l: List): Int = f(l.tail);", "f(l.tail)"),
        ("fun f(l: List): Bool = f(l.tail) and l is Cons(_, _);", "f(l.tail)"),
        ("fun f(n: Int): Int = if n <= 0 then 0 else g(n); fun g(n: Int): Int = f(n);", "f(n)"),
        ("fun f(n: Int): Bool = if f(n - 1) then true else false;", "f(n - 1)"),
        ("fun f(n: Int): Bool = n > 0 and (forall i: Int . f(i));", "f(i)"),
        ("fun f(n: Int): Int = 1 + f(n - 1);", "f(n - 1)"),
        ("fun f(n: Int): Int = if n <= 0 then 0 else f(f(n - 1));", "f(f(n - 1))"),
        (
            "fun f(i: Int, n: Int): Int decreases i = if i >= n then 0 else f(i + 1, n);",
            "f(i + 1, n)",
        ),
        ("const K: Int = f(3); fun f(n: Int): Int = K + n;", "K"),
        ("fun f(n: Int): [Int]Int = [_]Int(f(n)[0]);", "f(n)"),
    ] {
        assert_eq!(endless(text), vec![call.to_owned()], "{text}");
    }
}

#[test]
fn a_test_for_zero_is_mended() {
    let text = "fun f(n: Int): Int = if n == 0 then 1 else n * f(n - 1);\n";
    let checked = check_text(text);
    let edit = &checked.diagnostics[0].suggestions[0].edits[0];
    assert_eq!((checked.sources.text(edit.span), edit.text.as_str()), ("==", "<="));
}

#[test]
fn large_definitions_are_answered() {
    let sum = vec!["f(n - 1)"; 5_000].join(" + ");
    assert!(endless(&format!("fun f(n: Int): Int = if n <= 0 then 0 else {sum};")).is_empty());
    let tests: Vec<String> = (0..3_000).map(|n| format!("n != {}", n * 3)).collect();
    let tests = tests.join(" and ");
    endless(&format!("fun f(n: Int): Int = if {tests} then f(n - 1) else f(n + 1);"));
    let params: Vec<String> = (0..40).map(|n| format!("p{n}: Int")).collect();
    let calls: Vec<String> = (0..40)
        .map(|call| {
            let args: Vec<String> =
                (0..40).map(|n| format!("p{} - {n}", (n * 7 + call) % 40)).collect();
            format!("f({})", args.join(", "))
        })
        .collect();
    endless(&format!(
        "fun f({}): Int = if p0 > 0 then {} else 0;",
        params.join(", "),
        calls.join(" + ")
    ));
}

// ---- what is accepted ends ----

/// A linear term, the sign that compares it with zero, and the arguments of a call.
type Arm = ([i64; 3], usize, Option<[[i64; 3]; 2]>);

/// A small function of two integers: conditions lead to a value, or to calls with changed arguments.
struct Small {
    /// Each tests a linear term against zero, and has the arguments of a call; the last needs no test.
    arms: Vec<Arm>,
}

const SIGNS: [&str; 4] = ["<=", ">", "==", "!="];

fn term(random: &mut Random) -> [i64; 3] {
    let small = |random: &mut Random| random.below(5) as i64 - 2;
    let factors = [[1, 0], [0, 1], [1, -1], [1, 1], [-1, 1], [2, -1]][random.below(6)];
    [factors[0], factors[1], small(random)]
}

fn small(random: &mut Random) -> Small {
    let count = random.between(2, 4);
    let arms = (0..count).map(|at| {
        let call = (at > 0 || random.one_in(3)).then(|| [term(random), term(random)]);
        (term(random), random.below(4), call.filter(|_| !random.one_in(6)))
    });
    Small { arms: arms.collect() }
}

fn at(term: [i64; 3], (a, b): (i64, i64)) -> i64 {
    term[0].saturating_mul(a).saturating_add(term[1].saturating_mul(b)).saturating_add(term[2])
}

impl Small {
    fn text(&self) -> String {
        let show =
            |t: [i64; 3]| format!("{} * a + {} * b + {}", t[0], t[1], t[2]).replace("+ -", "- ");
        let mut text = "fun f(a: Int, b: Int): Int = ".to_owned();
        for (at, (test, sign, call)) in self.arms.iter().enumerate() {
            let value = match call {
                Some([x, y]) => format!("1 + f({}, {})", show(*x), show(*y)),
                None => "a + b".to_owned(),
            };
            if at + 1 < self.arms.len() {
                text += &format!("if {} {} 0 then {value} else ", show(*test), SIGNS[*sign]);
            } else {
                text += &value;
            }
        }
        text + ";"
    }

    /// Whether it ends within so many steps.
    fn ends(&self, mut args: (i64, i64)) -> bool {
        for _ in 0..20_000 {
            let taken = self.arms.iter().enumerate().find(|(at_arm, (test, sign, _))| {
                let value = at(*test, args);
                let holds = [value <= 0, value > 0, value == 0, value != 0][*sign];
                holds || *at_arm + 1 == self.arms.len()
            });
            match taken.unwrap().1.2 {
                Some([x, y]) => args = (at(x, args), at(y, args)),
                None => return true,
            }
        }
        false
    }
}

#[test]
fn what_is_accepted_ends() {
    let (mut accepted, mut recursive) = (0, 0);
    for seed in 0..3_000 {
        let mut random = Random::new(seed);
        let small = small(&mut random);
        if !endless(&small.text()).is_empty() {
            continue;
        }
        accepted += 1;
        recursive += usize::from(small.arms.iter().any(|arm| arm.2.is_some()));
        for a in -12..=12 {
            for b in -12..=12 {
                assert!(small.ends((a, b)), "seed {seed}: {} at ({a}, {b})", small.text());
            }
        }
    }
    assert!(recursive > 60, "{recursive} of {accepted}");
}

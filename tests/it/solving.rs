//! Facts that go round in circles are solved in the end, and solving says what Z3 says.
use std::time::Duration;

use crate::common::Random;
use crate::common::nets::accepted;
use crate::common::seeds::{fuzz, guarded, seeds};
use pnetc::algebra::TermId;
use pnetc::generate::{Options, Refine, Unwatched, generate};
use pnetc::pnet::{PNet, PltsId, PltsTransitionId};
use pnetc::smt::{Answer, Limits, Solver, Theory};

/// Solving takes thousandths of a second; a circle takes for ever.
const LIMIT: Duration = Duration::from_secs(20);

/// A model with one transition that may take several values, under a condition.
fn model(condition: &str) -> String {
    format!(
        "data List {{ Nil, Cons(head: Int, tail: List) }}\n\
         fun f(x: Int): Int;\n\
         action e(Int, Int, Int, List, List), g(List);\n\
         process P {{\n    var v: Int = 0;\n    init state s;\n\n    \
         s -> s : e(?x, ?y, ?z, ?p, ?q) when {condition} do v := x;\n}}\n\
         net N {{\n    sub A = P;\n\n    <A: e(a, b, c, l, m)> -> e(a, b, c, l, m);\n}}\n"
    )
}

/// The values of the variable for which something is possible: 0 to 4, and -4 to -1.
fn possible_for(
    net: &PNet,
    terms: &mut pnetc::algebra::Terms,
    conditions: &[TermId],
) -> Vec<Answer> {
    let var = net.plts[PltsId(0)].variables[0].0;
    let mut session = Solver::new(&net.algebra, false, Limits { milliseconds: 2000 });
    let mut answers = Vec::new();
    for value in -4..=4 {
        let (this, value) = (terms.var_term(var), terms.int(value));
        let fixed = terms.equal(this, value);
        let question: Vec<TermId> = conditions.iter().copied().chain([fixed]).collect();
        let theory = Theory { algebra: &net.algebra, terms };
        answers.push(session.check(theory, &question));
    }
    answers
}

/// Solves a system, and compares with what Z3 says of it as it was written. Says how many values were compared.
fn agrees(condition: &[u8]) -> usize {
    let condition = std::str::from_utf8(condition).unwrap();
    let net = accepted(&model(condition)).unwrap();
    let options = Options { refine: Refine::None, ..Options::default() };
    let generated = generate(&net, &options, &Unwatched);
    let written: Vec<TermId> = net.plts[PltsId(0)].transitions[PltsTransitionId(0)]
        .conditions
        .iter()
        .map(|condition| condition.term)
        .collect();
    let expected = possible_for(&net, &mut net.terms.clone(), &written);
    let found = match generated.automaton.transitions.as_slice() {
        [] => vec![Answer::Unsat; expected.len()],
        [one] => {
            let mut terms = generated.automaton.terms.clone();
            possible_for(&net, &mut terms, &[one.guard])
        }
        more => panic!("{} transitions", more.len()),
    };
    let known = |answer: &Answer| matches!(answer, Answer::Sat | Answer::Unsat);
    let both = expected.iter().zip(&found).filter(|(a, b)| known(a) && known(b));
    let both: Vec<_> = both.collect();
    for (expected, found) in &both {
        assert_eq!(expected, found, "`{condition}`: solved to another condition");
    }
    both.len()
}

#[test]
fn circles_are_solved() {
    let systems = [
        "x + 1 == 2 * y and y + 1 == 2 * x",
        "x + 1 == 2 * y and y + 1 == 2 * x and x == v",
        "x == y + 1 and y == x + 1",
        "x == y + 1 and y == z + 1 and z == x + 1",
        "x == y + 1 and y == z + 1 and z == x - 2",
        "x + y == z and y + z == x and z + x == y",
        "x + 2 * y == z * 3 and y + 2 * z == x * 3 and z + 2 * x == y * 3",
        "x == f(y) and y == f(x)",
        "x == f(y) + 1 and y + 1 == f(z) and z == f(x) and x == v",
        "x + f(y) == 1 and y + f(x) == 1",
        "p == Cons(x, q) and q == Cons(y, p)",
        "p == Cons(x, q) and q == Nil and x + 1 == 2 * y and y + 1 == 2 * x",
        "p == Cons(y, q) and q == Cons(x, Nil) and p.head + 1 == x + x and q.head + 1 == y + y",
        "p == q.tail and q == p.tail",
        "p == Cons(x, p.tail) and q == Cons(y, q.tail) and x == y + 1 and y == x - 1",
        "x == y * y and y == x * x",
        "x + z == y * v and y + z == x * v and z + 1 == x + y",
        "x == (if y > 0 then y + 1 else z) and y == (if x > 0 then x - 1 else z)",
        "x div 2 == y and y div 2 == z and z div 2 == x",
    ];
    for system in systems {
        let (compared, _) = guarded(system, LIMIT, system, agrees);
        assert!(compared > 0, "{system}: nothing is known of it");
    }
}

/// A sum of some variables and a number, on which the system turns.
fn sum(random: &mut Random) -> String {
    let mut parts = Vec::new();
    for _ in 0..random.between(1, 2) {
        let var = random.pick(&["x", "y", "z", "x", "y", "z", "v", "f(x)", "f(y)"]);
        parts.push(match random.below(4) {
            0 => format!("{} * {var}", random.between(2, 3)),
            _ => (*var).to_owned(),
        });
    }
    if random.percent(40) {
        parts.push(random.between(1, 3).to_string());
    }
    parts.join(if random.percent(80) { " + " } else { " - " })
}

fn list(random: &mut Random) -> String {
    match random.below(6) {
        0 => "Nil".to_owned(),
        1 | 2 => (*random.pick(&["p", "q"])).to_owned(),
        3 => (*random.pick(&["p.tail", "q.tail"])).to_owned(),
        _ => format!("Cons({}, {})", sum(random), random.pick(&["p", "q", "Nil"])),
    }
}

fn system(random: &mut Random) -> String {
    let mut parts = Vec::new();
    for _ in 0..random.between(2, 5) {
        parts.push(match random.below(8) {
            0 => format!("{} < {}", sum(random), sum(random)),
            1 => format!("{} == {}", list(random), list(random)),
            _ => format!("{} == {}", sum(random), sum(random)),
        });
    }
    parts.join(" and ")
}

#[test]
fn random_systems_are_solved_as_the_solver_says() {
    let mut compared = 0;
    let count = fuzz().unwrap_or(120);
    for seed in seeds(count) {
        let text = system(&mut Random::new(seed));
        compared += guarded(&format!("solving, PNET_SEED={seed}"), LIMIT, text, agrees).0;
    }
    println!("{compared} values compared");
    assert!(count < 120 || compared > 800, "only {compared} values were compared");
}

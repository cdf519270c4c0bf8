//! Guards as they are shown: short, and true for the same values of the sorts of their variables.

use crate::common::seeds::seeds;
use crate::common::{Random, check_text};
use pnetc::algebra::{Sort, TermId, Terms};
use pnetc::automaton::OpenAutomaton;
use pnetc::smt::{Answer, Limits, Solver, Theory};
use pnetc::{emit, generate};

/// A process with one step that has this guard.
fn model(guard: &str) -> String {
    format!(
        "const N: Int;
axiom N > 0;
action go;

process P {{
    var x: 0..3;
    var y: 2..9;
    var k: 0..N;
    var a: Int;
    var b: Int;
    init state s;

    s -> s : go when {guard} do x := x, y := y, k := k, a := a, b := b;
}}

net S {{
    sub P = P;

    <P: go> -> go;
}}
"
    )
}

fn automaton(guard: &str) -> OpenAutomaton {
    let checked = check_text(model(guard).as_str());
    let net = checked.build(Some("S"), &pnetc::elaborate::ElaborateOptions::default()).unwrap();
    // Nothing is left out for the values that can be reached: the guards stay as they are.
    let options = generate::Options { refine: generate::Refine::None, ..Default::default() };
    generate::generate(&net, &options, &generate::Unwatched).automaton
}

/// The guard of the only step, as it is shown; empty if it is always possible.
fn shown(guard: &str) -> String {
    let rules = emit::automaton::rules(&automaton(guard));
    rules.first().and_then(|rule| rule.guard.clone()).unwrap_or_default()
}

#[test]
fn two_comparisons_that_come_to_an_equation() {
    assert_eq!(shown("a <= b and b <= a"), "a == b");
    assert_eq!(shown("a < b + 1 and not (a < b)"), "a == b");
    assert_eq!(shown("a <= 3 and b > 1 and a >= 3"), "a == 3 and b > 1");
    assert_eq!(shown("a <= b and b <= a + 1"), "a <= b and b <= a + 1");
}

#[test]
fn what_the_sort_says_is_not_shown() {
    assert_eq!(shown("0 <= x and x < 3"), "");
    assert_eq!(shown("x > -1 and x < 7 and a > 0"), "a > 0");
    assert_eq!(shown("x < y + 1"), "");
    assert_eq!(shown("0 <= k and k < N"), "");
    assert_eq!(shown("x + y <= 10 and x + y <= 9"), "x + y <= 9");
    assert_eq!(shown("x < 2 and k < N - 1"), "x < 2 and k < N - 1");
}

#[test]
fn all_forms_show_the_same() {
    let automaton = automaton("0 <= x and x < 3 and a <= b and b <= a");
    assert!(emit::automaton::text(&automaton).contains("[a == b]"));
    assert!(emit::automaton::dot(&automaton).contains("when a == b"));
    let svg = emit::automaton::svg(&automaton);
    assert!(svg.contains("a == b") && !svg.contains("x &lt; 3"), "{svg}");
    let json = |automaton: &OpenAutomaton| emit::automaton::json(automaton, None, None);
    assert_eq!(json(&automaton), json(&self::automaton("a == b")));
}

/// The sorts of the variables of a term, as conditions.
fn by_sorts(terms: &mut Terms, of: TermId) -> Vec<TermId> {
    let mut all = Vec::new();
    for var in terms.free_vars(of) {
        if let Sort::Range(low, high) = terms.var(var).sort.clone() {
            let value = terms.var_term(var);
            all.push(terms.less_equal(low, value));
            all.push(terms.less(value, high));
        }
    }
    all
}

fn random_guard(random: &mut Random) -> String {
    let terms =
        ["x", "y", "k", "a", "b", "N", "0", "1", "2", "3", "8", "a + 1", "x + y", "2 * x - b"];
    let signs = ["<", "<=", ">", ">=", "=="];
    let mut parts = Vec::new();
    for _ in 0..1 + random.below(4) {
        let (l, r) = (random.below(terms.len()), random.below(terms.len()));
        let sign = signs[random.below(signs.len())];
        parts.push(format!("{} {sign} {}", terms[l], terms[r]));
        if random.below(3) == 0 {
            parts.push(format!("{} {sign} {}", terms[r], terms[l]));
        }
    }
    parts.join(" and ")
}

/// The solver finds no values of the sorts for which the two differ.
#[test]
fn short_guards_hold_for_the_same_values() {
    let mut shorter = 0;
    for seed in seeds(60) {
        let guard = random_guard(&mut Random::new(seed));
        let mut automaton = automaton(&guard);
        let Some(transition) = automaton.transitions.iter().next() else { continue };
        let long = transition.guard;
        let terms = &mut automaton.terms;
        let short = pnetc::system::short(terms, long);
        shorter += usize::from(short != long);
        let (yes, no) = (terms.not(long), terms.not(short));
        for (holds, fails) in [(short, yes), (long, no)] {
            let mut conditions = by_sorts(terms, long);
            conditions.extend([holds, fails]);
            let mut session = Solver::new(&automaton.algebra, false, Limits::default());
            let theory = Theory { algebra: &automaton.algebra, terms };
            assert_eq!(
                session.check(theory, &conditions),
                Answer::Unsat,
                "PNET_SEED={seed} {guard}"
            );
        }
    }
    assert!(shorter > 5 || std::env::var("PNET_SEED").is_ok(), "only {shorter} guards got shorter");
}

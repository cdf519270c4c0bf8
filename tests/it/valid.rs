//! Claims about data alone: what is proved, refuted and not known, with certificates; and claims on transitions.

use pnetc::outcome::{Evidence, Outcome, Reason, Verdict};
use pnetc::verify::{self, ModelOptions};

use crate::common::{Patience, check_text};

const LISTS: &str = "data List { Nil, Cons(head: Int, tail: List) }
fun append(a: List, b: List): List = match a { Nil => b, Cons(x, xs) => Cons(x, append(xs, b)) };
fun length(l: List): Int = match l { Nil => 0, Cons(_, rest) => 1 + length(rest) };
fun reverse(l: List): List = match l { Nil => Nil, Cons(x, xs) => append(reverse(xs), Cons(x, Nil)) };
fun sum(l: List): Int = match l { Nil => 0, Cons(x, rest) => x + sum(rest) };
";

/// The outcomes of all checks of a text.
fn outcomes(text: &str) -> Vec<Outcome> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let options = ModelOptions::default();
    let run = |check| verify::run(&checked, check, &options, &Patience::default()).unwrap();
    checked.checks().into_iter().map(run).collect()
}

fn verdict(claim: &str) -> Outcome {
    outcomes(&format!("{LISTS}check {claim};")).remove(0)
}

#[test]
fn claims_are_proved_at_once_or_by_induction() {
    for (claim, on) in [
        ("valid(true)", None),
        ("valid(forall x: Int . x * x >= 0)", None),
        ("valid(forall x: Int, y: Int . y != 0 => x == y * (x quot y) + x rem y)", None),
        ("valid(forall n: 0..4 . n < 4)", None),
        ("valid(forall l: List . l is Nil or l is Cons(_, _))", None),
        ("valid(forall l: List . length(l) >= 0)", Some("l")),
        ("valid(forall l: List . append(l, Nil) == l)", Some("l")),
        (
            "valid(forall a: List, b: List . length(append(a, b)) == length(a) + length(b))",
            Some("a"),
        ),
        ("valid(forall b: List, a: List . sum(append(a, b)) == sum(a) + sum(b))", Some("a")),
        (
            "valid(forall a: List, b: List, c: List . append(append(a, b), c) == append(a, append(b, c)))",
            Some("a"),
        ),
    ] {
        let outcome = verdict(claim);
        assert_eq!(outcome.verdict, Verdict::Proved, "{claim}: {:?}", outcome.reason);
        let Reason::Valid { on: found, .. } = &outcome.reason else { panic!("{outcome:?}") };
        assert_eq!(found.as_deref(), on, "{claim}");
    }
}

#[test]
fn claims_are_refuted_with_values() {
    for (claim, values) in [
        ("valid(forall x: Int . x < 3)", "x = 3"),
        ("valid(forall x: Int . x quot 2 == x div 2)", "x = -1"),
        ("valid(forall x: Int . x != 123456)", "x = 123456"),
        ("valid(false)", ""),
        ("valid(forall x: Int . 1 div x == 1 div x)", "x = 0"),
    ] {
        let outcome = verdict(claim);
        assert_eq!(outcome.verdict, Verdict::Refuted, "{claim}: {:?}", outcome.reason);
        let Evidence::Values { values: found } = &outcome.evidence else { panic!("{outcome:?}") };
        let found: Vec<String> =
            found.iter().map(|one| format!("{} = {}", one.what, one.value.text)).collect();
        assert_eq!(found.join(", "), values, "{claim}");
    }
    let outcome = verdict("valid(forall a: List, b: List . append(a, b) == append(b, a))");
    assert_eq!(outcome.verdict, Verdict::Refuted);
    let outcome = verdict("not valid(forall a: List . reverse(a) == a)");
    assert_eq!(outcome.verdict, Verdict::Proved);
}

#[test]
fn what_is_not_settled_is_not_known() {
    // It needs a law about `append` first; and what depends on a function without a definition has no values.
    let texts = [
        format!("{LISTS}check valid(forall l: List . reverse(reverse(l)) == l);"),
        "fun f(x: Int): Int; check valid(forall x: Int . f(x) == x);".to_owned(),
    ];
    for text in texts {
        let outcome = outcomes(&text).remove(0);
        assert_eq!(outcome.verdict, Verdict::Unknown, "{text}: {:?}", outcome.reason);
    }
    // Axioms are used, and what contradicts itself proves nothing.
    let text = "const N: Int; axiom N > 2; check valid(forall x: Int . x > N => x > 2);";
    assert_eq!(outcomes(text)[0].verdict, Verdict::Proved);
    let text = "const N: Int; axiom N > 2; axiom N < 2; check valid(false);";
    assert_ne!(outcomes(text)[0].verdict, Verdict::Proved);
}

#[test]
fn proofs_have_certificates() {
    let text = format!(
        "{LISTS}check valid(forall x: Int . x * x >= 0);
check valid(forall a: List, b: List . length(append(a, b)) == length(a) + length(b));"
    );
    let checked = check_text(text.as_str());
    let options = ModelOptions::default();
    let mut counts = Vec::new();
    for check in checked.checks() {
        let outcome = verify::run(&checked, check, &options, &Patience::default()).unwrap();
        let made = verify::certify(&checked, check, &options, &outcome, &Patience::default());
        let certificate = made.unwrap().unwrap();
        let proof = certificate.files.iter().find(|(name, _)| name == verify::PROOF).unwrap();
        let scripts = certificate.files.iter().filter(|(name, _)| name.ends_with(".smt2"));
        counts.push((proof.1.clone(), scripts.count()));
    }
    let expected = [("by the solver\n", 1), ("by induction on variable 1, `a`\n", 2)];
    let counts: Vec<(&str, usize)> = counts.iter().map(|(text, n)| (text.as_str(), *n)).collect();
    assert_eq!(counts, expected);
}

const ASSERTS: &str = "action put(Int), go;
process Source { var n: Int = 0; init state s; s -> s : put(n) when n < 5 do n += 1; }
process Sink {
    var last: Int = -1;
    init state s;
    s -> s : put(?x) assert x CLAIM do last := x;
}
net Feed { sub A = Source; sub B = Sink; <A: put(x), B: put(x)> -> go; }
check asserts(Feed);
check always(Feed, not B.failed);
";

#[test]
fn asserts_are_looked_at_where_the_step_is_made() {
    let verdicts = |claim: &str| {
        let all = outcomes(&ASSERTS.replace("CLAIM", claim));
        all.into_iter().map(|outcome| (outcome.verdict, outcome.reason)).collect::<Vec<_>>()
    };
    for (verdict, _) in verdicts("== last + 1") {
        assert_eq!(verdict, Verdict::Proved);
    }
    // The fourth step fails; one that divides by zero has no value, and fails at once.
    for (claim, steps) in [("< 3", 4), ("div x == 1", 1)] {
        for (verdict, reason) in verdicts(claim) {
            assert_eq!(verdict, Verdict::Refuted, "{claim}");
            assert!(
                matches!(reason, Reason::PropertyFails { steps: found } if found == steps),
                "{claim}: {reason:?}"
            );
        }
    }
}

//! Comparisons say what is so: random pairs of models with finite data are compared by `verify`, and by going
//! through all their configurations.
use std::time::{Duration, Instant};

use crate::common::nets::Shape;
use crate::common::pairs::{Facts, Kind, Lts, Pair, facts, pair};
use crate::common::said::Said;
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
use crate::common::{Patience, Random, check_text};
use pnetc::elaborate;
use pnetc::sema::program::CheckKind;
use pnetc::verify;

/// How often a check came out how.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    proved: usize,
    refuted: usize,
    unknown: usize,
}

/// What is so, found by looking at everything; nothing when that is too much.
fn truth(pair: &Pair) -> Option<Facts> {
    let checked = check_text(pair.text.as_str());
    let lts = |name: &str| {
        let net = checked.build(Some(name), &elaborate::ElaborateOptions::default()).ok()?;
        Lts::of(&net)
    };
    facts(&lts(&pair.left)?, &lts(&pair.right)?)
}

/// The verdicts on all checks of a text.
fn verdicts(text: &str) -> Vec<(CheckKind, Said)> {
    let checked = check_text(text);
    let run = |check| {
        let options = verify::ModelOptions::default();
        Said::from(&verify::run(&checked, check, &options, &Patience::default()).unwrap())
    };
    checked.program.checks.iter().map(|check| (check.kind, run(check))).collect()
}

/// What is so, as far as a check is about it.
fn fact(facts: &Facts, check: CheckKind) -> bool {
    match check {
        CheckKind::Bisimilar => facts.bisimilar,
        CheckKind::WeaklyBisimilar => facts.weakly_bisimilar,
        CheckKind::WeaklyRefines => facts.weakly_refines,
        _ => facts.refines,
    }
}

/// What is said of a wrong verdict, with the smallest pair that has one on a check of the same kind.
fn disagreement(label: &str, pair: &Pair, check: CheckKind, why: &str) -> String {
    let check_again = |text: &str| {
        let one = Pair { text: text.to_owned(), ..pair.clone() };
        if check_text(text).has_errors() {
            return Ok(());
        }
        let Some(facts) = truth(&one) else { return Ok(()) };
        let of_kind = verdicts(text).into_iter().filter(|(kind, _)| *kind == check);
        let wrong = of_kind.map(|(_, verdict)| match verdict {
            Said::Proved(_) => !fact(&facts, check),
            Said::Refuted(_) => fact(&facts, check),
            Said::Unknown(_) => false,
        });
        if wrong.into_iter().any(|wrong| wrong) { Err(why.to_owned()) } else { Ok(()) }
    };
    let said = shrink::tried(label, &pair.text, check_again);
    said.err().unwrap_or_else(|| format!("{label}: {why}, but not again"))
}

/// Compares random pairs, and says how often nothing was known.
fn random_pairs(name: &str, shape: Shape, kind: Kind, count: u64) {
    let count = fuzz().unwrap_or(count);
    let mut failures: Vec<String> = Vec::new();
    let mut counts = [Count::default(); 4];
    let (mut compared, mut left_out) = (0, 0);
    let mut unknown: Vec<String> = Vec::new();
    for seed in seeds(count) {
        let mut random = Random::new(seed);
        // What is too large is left out.
        let (pair, facts) = loop {
            let pair = pair(&mut random, shape, kind);
            match truth(&pair) {
                Some(facts) => break (pair, facts),
                None => left_out += 1,
            }
        };
        compared += 1;
        if matches!(kind, Kind::Same | Kind::Split | Kind::Filled) {
            assert!(facts.bisimilar && facts.refines, "seed {seed}: {facts:?}\n{}", pair.text);
        }
        let started = Instant::now();
        for (check, verdict) in verdicts(&pair.text) {
            let fact = fact(&facts, check);
            let at = match check {
                CheckKind::Bisimilar => 0,
                CheckKind::WeaklyBisimilar => 1,
                CheckKind::WeaklyRefines => 2,
                _ => 3,
            };
            let wrong = match verdict {
                Said::Proved(_) => {
                    counts[at].proved += 1;
                    !fact
                }
                Said::Refuted(_) => {
                    counts[at].refuted += 1;
                    fact
                }
                Said::Unknown(ref why) => {
                    counts[at].unknown += 1;
                    unknown.push(format!("PNET_SEED={seed}, {check:?} is {fact}: {why}"));
                    false
                }
            };
            if wrong {
                let why = format!("{check:?} is {fact}, but {verdict:?}");
                let label = format!("{name}, PNET_SEED={seed}");
                failures.push(disagreement(&label, &pair, check, &why));
            }
        }
        if started.elapsed() > Duration::from_secs(5) {
            println!("{name}: PNET_SEED={seed} took {:?}", started.elapsed());
        }
    }
    println!("{name}: {compared} pairs, {left_out} were too large");
    let kinds = ["bisimilar", "weakly_bisimilar", "weakly_refines", "refines"];
    for (what, count) in kinds.iter().zip(counts) {
        println!(
            "  {what}: {count:?}, {:.1} % unknown",
            100.0 * count.unknown as f64 / compared as f64
        );
    }
    println!("  {}", unknown.join("\n  "));
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(compared < 12 || unknown.len() * 20 <= 4 * compared, "too much is unknown: {counts:?}");
}

fn closed() -> Shape {
    Shape { ints: false, constants: false, depth: 1, ..Shape::closed() }
}

fn open() -> Shape {
    Shape { holes: true, depth: 1, ..closed() }
}

#[test]
fn what_is_the_same_is_equivalent() {
    random_pairs("same, closed", closed(), Kind::Same, 12);
    random_pairs("same, open", open(), Kind::Same, 12);
}

#[test]
fn small_changes() {
    random_pairs("mutated, closed", closed(), Kind::Mutated, 12);
    random_pairs("mutated, open", open(), Kind::Mutated, 12);
}

#[test]
fn independent_models() {
    random_pairs("independent, closed", closed(), Kind::Independent, 12);
    random_pairs("independent, open", open(), Kind::Independent, 12);
}

#[test]
fn split_states() {
    random_pairs("split, closed", closed(), Kind::Split, 12);
    random_pairs("split, open", open(), Kind::Split, 12);
}

#[test]
fn silent_steps() {
    random_pairs("delayed, closed", closed(), Kind::Delayed, 12);
    random_pairs("delayed, open", open(), Kind::Delayed, 12);
}

/// Filling a hole keeps what is bisimilar so.
#[test]
fn filled_holes() {
    random_pairs("filled", open(), Kind::Filled, 12);
}

/// What begins with any value: each beginning of the one has its like among those of the other. (Found by
/// `PNET_SEED=1`, mutated, open.)
#[test]
fn any_value_to_begin_with() {
    let text = "action a, b;
        process P { var w: Bool; init state s; s -> s : a when w; s -> s : b when not w; }
        process Q { var w: Bool = true; init state s; s -> s : a when w; s -> s : b when not w; }
        check bisimilar(P, P);
        check weakly_bisimilar(P, P);
        check refines(P, P);
        check bisimilar(P, Q);
        check refines(P, Q);
        check refines(Q, P);";
    let words: Vec<&str> = verdicts(text).iter().map(|(_, verdict)| verdict.word()).collect();
    assert_eq!(words, ["proved", "proved", "proved", "refuted", "refuted", "proved"]);
}

/// A step that is made twice in a play has other values the second time: `S` does `b(3)`, which leaves `P` with `n`
/// at its end, and then `b(0)`.
#[test]
fn a_step_that_is_made_twice() {
    let text = "action b(Int);
        process P {
            var n: 0..4 = 0;
            var b: Bool = false;
            init state s;
            state t;

            s -> s : tau when n < 3 do n := n + 1;
            s -> t : tau when n == 2 do b := not b;
            t -> s : tau do n := 0;
            s -> s : b(n) when b;
        }
        process S { init state s; s -> s : b(?x) when x >= 0 and x < 4; }
        check weakly_bisimilar(P, S);";
    let words: Vec<&str> = verdicts(text).iter().map(|(_, verdict)| verdict.word()).collect();
    assert_eq!(words, ["refuted"]);
}

/// Holes that are not tracked may do anything in an answer.
#[test]
fn answers_with_holes_that_are_not_tracked() {
    let text = "action a, b;
        interface One { a }
        process Twice { init state s; state t, u; s -> t : a; t -> u : a; }
        process Once { init state s; state t; s -> t : a; }
        net A(K: One) { sub S = Twice; <S: a> -> b; }
        net B(K: One) { sub S = Once; <K: a, S: a> -> b; }
        check refines(A, B) tracking {};";
    let words: Vec<&str> = verdicts(text).iter().map(|(_, verdict)| verdict.word()).collect();
    assert_eq!(words, ["refuted"]);
}

/// Silent loops that count, with conditions on what they count; several through one state; and loops that change
/// something else.
#[test]
fn silent_loops() {
    let text = "action see(Int), go;
        process Up { var n: Int = 0; init state s; s -> s : tau do n := n + 1; s -> s : see(n); }
        process Any { var n: Int = 0; init state s; s -> s : tau when n >= 0 do n := n + 1; s -> s : see(n); }
        process Two {
            var n: Int = 0;
            init state s;
            s -> s : tau do n := n + 2;
            s -> s : tau do n := n + 1;
            s -> s : see(n);
        }
        process Even { var n: Int = 0; init state s; s -> s : tau do n := n + 2; s -> s : see(n); }
        process Few { var n: Int = 0; init state s; s -> s : tau when n < 3 do n := n + 1; s -> s : see(n); }
        process Range { var n: 0..4 = 0; init state s; s -> s : tau when n < 3 do n := n + 1; s -> s : see(n); }
        process Flip {
            var b: Bool = false;
            init state s;
            s -> s : tau do b := not b;
            s -> s : go when b;
        }
        process Go { init state s; s -> s : go; }
        check weakly_bisimilar(Up, Any);
        check weakly_bisimilar(Up, Two);
        check weakly_bisimilar(Up, Even);
        check weakly_bisimilar(Few, Range);
        check weakly_bisimilar(Up, Few);
        check weakly_bisimilar(Flip, Go);";
    let words: Vec<&str> = verdicts(text).iter().map(|(_, verdict)| verdict.word()).collect();
    assert_eq!(words, ["proved", "proved", "refuted", "proved", "refuted", "proved"]);
}

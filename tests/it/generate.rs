//! Open automata of known models: the papers' figures, and that the three algorithms agree.

use std::time::{Duration, Instant};

use crate::common::check_text;
use crate::common::said::reason;
use crate::common::seeds::guarded;
use crate::common::sources;
use pnetc::elaborate;
use pnetc::generate::{Algorithm, Counts, Generated, Options, Unwatched, generate};
use pnetc::outcome::Verdict;
use pnetc::smt::Limits;
use pnetc::verify;

fn automaton(file: &str, net: &str, algorithm: Algorithm) -> Generated {
    let checked = sources::check(&sources::PROJECT, file);
    assert!(!checked.has_errors(), "{file} has errors");
    let net = checked.build(Some(net), &elaborate::ElaborateOptions::default()).unwrap();
    generate(&net, &Options { algorithm, ..Options::default() }, &Unwatched)
}

/// States, and transitions kept and removed.
fn figures(file: &str, net: &str, algorithm: Algorithm) -> (usize, usize, usize) {
    let Counts { states, transitions, removed, .. } = automaton(file, net, algorithm).counts;
    (states, transitions, removed)
}

#[test]
fn the_papers_figures() {
    let enable = "examples/enable.pnet";
    let monitor = "examples/failure_monitor.pnet";
    let (naive, smart) = (Algorithm::Naive, Algorithm::Smart);
    for (file, net, expected_naive, expected_smart) in [
        (enable, "EnableState", (2, 3, 6), (2, 3, 6)),
        (enable, "EnableData", (1, 3, 6), (1, 3, 6)),
        (enable, "EnableLeft", (3, 5, 55), (3, 5, 42)),
        (monitor, "FailureMonitor", (3, 12, 396), (3, 12, 192)),
    ] {
        assert_eq!(figures(file, net, naive), expected_naive, "{net}, naive");
        assert_eq!(figures(file, net, smart), expected_smart, "{net}, smart");
        let fast = figures(file, net, Algorithm::Fast);
        assert_eq!((fast.0, fast.1), (expected_naive.0, expected_naive.1), "{net}, fast");
    }
}

#[test]
fn fast_asks_little() {
    let counts =
        automaton("examples/failure_monitor.pnet", "FailureMonitor", Algorithm::Fast).counts;
    println!("{counts:?}");
    assert!(counts.queries <= 20, "{counts:?}");
    let counts = automaton("examples/two_monitors.pnet", "Two", Algorithm::Fast).counts;
    println!("{counts:?}");
    assert!(counts.queries <= 60, "{counts:?}");
}

// ---- time ----

/// Whether 42 is a sum of three cubes was not known before 2019; the numbers have seventeen digits.
const HARD: &str = "action step(Int, Int, Int), other;

process P {
    init state s;
    state t;

    s -> t : step(?x, ?y, ?z) when x * x * x + y * y * y + z * z * z == 42;
    s -> s : other;
    t -> s : other;
}

net N {
    sub A = P;

    <A: step(x, y, z)> -> step(x, y, z);
    <A: other>         -> other;
}

check size(N) == (2, 3);
";

/// A few questions of a fifth of a second, on a machine that has other things to do.
const SOON: Duration = Duration::from_secs(10);

/// What is said about a net of the hard model that was generated with little time: codes and texts.
fn said_about(target: &str, algorithm: Algorithm) -> Vec<(String, String)> {
    let checked = check_text(HARD);
    let net = checked.build(Some(target), &elaborate::ElaborateOptions::default()).unwrap();
    let limits = Limits { milliseconds: 200 };
    let options = Options { algorithm, limits, ..Options::default() };
    let start = Instant::now();
    let generated = generate(&net, &options, &Unwatched);
    // What is not known to be impossible is kept.
    let Counts { states, transitions, unknown, .. } = generated.counts;
    assert_eq!((states, transitions, unknown), (2, 3, 1), "{algorithm:?}");
    let places: Vec<usize> = generated.unknown.iter().map(|(place, _)| place.index()).collect();
    assert_eq!(places, [0], "{:?}", generated.unknown);
    assert!(generated.unknown[0].1.contains("`--solver-timeout`"), "{:?}", generated.unknown);
    let found = checked.review(&net, &generated, &options, &Unwatched);
    assert!(start.elapsed() < SOON, "{algorithm:?}: {:?}", start.elapsed());
    let text = |span| checked.sources.text(span).to_owned();
    found.iter().map(|one| (one.entry.code.to_owned(), text(one.span()))).collect()
}

fn hard_questions_end(_: &[u8]) {
    let vector = "<A: step(x, y, z)> -> step(x, y, z)";
    for algorithm in [Algorithm::Naive, Algorithm::Smart, Algorithm::Fast] {
        let [(code, text)] = &said_about("N", algorithm)[..] else { panic!("{algorithm:?}") };
        assert_eq!((code.as_str(), text.as_str()), ("A0101", vector), "{algorithm:?}");
    }
    // Without a net, it is the transition.
    let [(code, text)] = &said_about("P", Algorithm::Fast)[..] else { panic!() };
    assert_eq!(code, "A0101");
    assert!(text.starts_with("s -> t : step(?x, ?y, ?z)"), "{text}");
}

fn hard_checks_end(_: &[u8]) {
    let checked = check_text(HARD);
    let limits = Limits { milliseconds: 200 };
    let generate = Options { limits, ..Options::default() };
    let options = verify::ModelOptions { generate, ..verify::ModelOptions::default() };
    let check = checked.checks()[0];
    let outcome = verify::run(&checked, check, &options, &Unwatched).unwrap();
    assert_eq!(outcome.verdict, Verdict::Unknown, "{outcome:?}");
    assert!(reason(&outcome).contains("raise `--solver-timeout`"), "{outcome:?}");
}

/// The time that a question may take is kept to. (Z3's own timer waited for itself forever.)
#[test]
fn hard_questions_end_in_time() {
    guarded("hard questions", 6 * SOON, "", hard_questions_end);
    guarded("hard checks", SOON, "", hard_checks_end);
}

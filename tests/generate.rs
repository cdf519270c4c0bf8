//! Open automata of known models: the papers' figures, and that the three algorithms agree.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read models and may fail"
)]

use pnetc::driver::{self, Sources};
use pnetc::elaborate;
use pnetc::generate::{Algorithm, Counts, Generated, Options, Unwatched, generate};

struct Disk;

impl Sources for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|problem| problem.to_string())
    }
}

fn automaton(file: &str, net: &str, algorithm: Algorithm) -> Generated {
    let checked = driver::check(&Disk, file).unwrap();
    assert!(!checked.has_errors(), "{file} has errors");
    let net = driver::build(&checked, Some(net), &elaborate::Options::default()).unwrap();
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

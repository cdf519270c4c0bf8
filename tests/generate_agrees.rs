//! Generated automata do what their nets do: random models are played out with concrete values, and in each
//! configuration that is reached the net and its automaton have the same steps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests may"
)]

mod common;

use common::explicit::{Agreement, World, compare};
use common::nets::{self, Shape};
use common::seeds::{keep, seeds};
use common::{Memory, Random, check_files};
use pnetc::driver;
use pnetc::elaborate;
use pnetc::generate::{Algorithm, Options, Unwatched, generate};
use pnetc::pnet::PNet;

/// How many configurations of a model are looked at.
const LIMIT: usize = 40;

fn check(net: &PNet, algorithm: Algorithm) -> Result<Agreement, String> {
    let options = Options { algorithm, ..Options::default() };
    let generated = generate(net, &options, &Unwatched);
    compare(net, &generated.automaton, &World::of(net), LIMIT)
}

/// Compares random models, and says what was compared in all.
fn random_models(name: &str, shape: Shape, algorithm: Algorithm, count: u64) {
    let mut total = Agreement::default();
    let mut failures: Vec<String> = Vec::new();
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), shape);
        let net = nets::accepted(&text).unwrap();
        match check(&net, algorithm) {
            Ok(found) => {
                total.configs += found.configs;
                total.steps += found.steps;
                total.skipped += found.skipped;
            }
            Err(why) => {
                let path = keep(&format!("{name}, PNET_SEED={seed}"), text.as_bytes());
                failures.push(format!("PNET_SEED={seed}, {}: {why}", path.display()));
            }
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    // Almost all of it was really compared, and something happened.
    assert!(total.skipped * 10 <= total.configs, "{total:?}");
    assert!(total.steps as u64 > 10 * count || seeds(count).count() == 1, "{total:?}");
}

#[test]
fn closed_models_agree() {
    random_models("closed", Shape::closed(), Algorithm::Fast, 100);
}

#[test]
fn open_models_agree() {
    random_models("open", Shape::open(), Algorithm::Fast, 100);
}

#[test]
fn the_algorithms_of_the_paper_agree() {
    let small = Shape { depth: 2, ..Shape::closed() };
    random_models("naive, closed", small, Algorithm::Naive, 15);
    random_models("smart, closed", small, Algorithm::Smart, 15);
    let small = Shape { depth: 2, ..Shape::open() };
    random_models("naive, open", small, Algorithm::Naive, 15);
    random_models("smart, open", small, Algorithm::Smart, 15);
}

#[test]
fn examples_agree() {
    let mut compared = 0;
    for (file, net) in [
        ("enable", "EnableState"),
        ("enable", "EnableData"),
        ("enable", "EnableLeft"),
        ("failure_monitor", "FailureMonitor"),
        ("failure_monitor_bip", "FailureMonitor"),
        ("ring", "RingOfFive"),
    ] {
        let text = std::fs::read(format!("examples/{file}.pnet")).unwrap();
        let checked = check_files(&Memory::file("model.pnet", text), "model.pnet");
        let net = driver::build(&checked, Some(net), &elaborate::Options::default()).unwrap();
        let found = check(&net, Algorithm::Fast).unwrap_or_else(|why| panic!("{file}: {why}"));
        compared += found.configs;
    }
    assert!(compared > 20, "{compared}");
}

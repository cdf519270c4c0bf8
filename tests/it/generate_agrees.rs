//! Generated automata do what their nets do: random models are played out with concrete values, and in each
//! configuration that is reached the net and its automaton have the same steps.
use crate::common::explicit::{Agreement, World, compare};
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
use crate::common::{Random, check_text};
use pnetc::algebra::Term;
use pnetc::automaton::{OpenAutomaton, StateId, TransitionId};
use pnetc::base::Id;
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
    let count = fuzz().unwrap_or(count);
    let mut total = Agreement::default();
    let mut failures: Vec<String> = Vec::new();
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), shape);
        let label = format!("{name}, PNET_SEED={seed}");
        let compared = shrink::tried(&label, &text, |text| match nets::accepted(text) {
            Ok(net) => check(&net, algorithm),
            Err(_) => Ok(Agreement::default()),
        });
        match compared {
            Ok(found) => {
                total.configs += found.configs;
                total.steps += found.steps;
                total.skipped += found.skipped;
            }
            Err(why) => failures.push(why),
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
    // They build every combination: flat nets only.
    for (name, shape) in [("closed", Shape::closed()), ("open", Shape::open())] {
        let flat = Shape { depth: 1, ..shape };
        random_models(&format!("naive, {name}"), flat, Algorithm::Naive, 15);
        random_models(&format!("smart, {name}"), flat, Algorithm::Smart, 15);
    }
}

/// What is wrong with an automaton from now on; false where it could be nothing.
fn plant(automaton: &mut OpenAutomaton, random: &mut Random) -> bool {
    if automaton.transitions.is_empty() {
        return false;
    }
    let at = TransitionId::at(random.below(automaton.transitions.len()));
    let yes = automaton.terms.bool(true);
    let transition = &mut automaton.transitions[at];
    match random.below(5) {
        0 => {
            automaton.transitions.remove(at);
            true
        }
        1 => std::mem::replace(&mut transition.guard, yes) != yes,
        2 => transition.updates.pop().is_some(),
        3 => {
            let tau = automaton.terms.raw(Term::Tau);
            std::mem::replace(&mut transition.action, tau) != tau
        }
        _ => {
            let target = StateId(random.below(automaton.states.len()) as u32);
            std::mem::replace(&mut transition.target, target) != target
        }
    }
}

/// The comparison can fail: most faults that are put into an automaton on purpose are found. Those that are not
/// make no difference to the values that are played with, or in the configurations that are looked at.
#[test]
fn most_faults_are_found() {
    let (mut planted, mut found) = (0, 0);
    for seed in seeds(40) {
        for shape in [Shape::closed(), Shape::open()] {
            let mut random = Random::new(seed);
            let net = nets::accepted(&nets::model(&mut random, shape)).unwrap();
            let good = generate(&net, &Options::default(), &Unwatched).automaton;
            for _ in 0..4 {
                let mut bad = good.clone();
                if plant(&mut bad, &mut random) {
                    planted += 1;
                    found += usize::from(compare(&net, &bad, &World::of(&net), LIMIT).is_err());
                }
            }
        }
    }
    println!("{found} of {planted} faults were found");
    assert!(found * 2 > planted || planted < 10, "{found} of {planted}");
}

/// A field that is no value of its range: with `v == 2`, `Pkt(v + 1)` is none of `Msg`, as `c(v + 1)` is no
/// action. (Found by `PNET_SEED=520`, closed.)
#[test]
fn what_leaves_the_range_of_a_field_does_not_happen() {
    let text = "data Msg { Ping, Pkt(seq: 0..3) }
        action c(0..3), d(Msg), up, e;
        process P {
            var v: 0..3 = 0;
            init state s;
            s -> s : up do v := (v + 1) mod 3;
            s -> s : c(v + 1);
            s -> s : d(Pkt(v + 1));
        }
        net N { sub S = P; <S: up> -> up; <S: c(_)> -> tau; <S: d(_)> -> e; }";
    let net = nets::accepted(text).unwrap();
    assert_eq!(check(&net, Algorithm::Fast).map(|found| found.configs), Ok(3));
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
        let checked = check_text(text);
        let net = checked.build(Some(net), &elaborate::ElaborateOptions::default()).unwrap();
        let found = check(&net, Algorithm::Fast).unwrap_or_else(|why| panic!("{file}: {why}"));
        compared += found.configs;
    }
    assert!(compared > 20, "{compared}");
}

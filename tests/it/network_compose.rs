//! Compositional generation: what comes of it is equivalent to the product, whatever was restricted, put together and reduced on
//! the way.

use std::sync::Arc;

use pnetc::base::{Spent, Unwatched};
use pnetc::lts::{
    Equivalence, LabelTable, Lts, LtsBuilder, LtsLabel, LtsQuestion, LtsState, ReduceLimits,
    compare, reduce,
};
use pnetc::network::{
    ComposeLimits, Composed, Network, NetworkPart, NetworkVector, NotGenerated, ProductLimits,
    Synchron, WhyStrong, compose, product,
};

use crate::common::Random;
use crate::common::networks::{Wanted, random, shown};
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::{Stops, read, written};

/// Everything is put together two at a time, however small.
const STEPWISE: ComposeLimits = ComposeLimits {
    most_states: 100_000,
    pair_states: 100_000,
    interface_states: 50,
    small_states: 0,
};

fn direct(network: &Network) -> Lts {
    product(network, ProductLimits::default(), &Unwatched).unwrap().lts
}

fn composed(network: &Network, by: Equivalence) -> Composed {
    compose(network, by, STEPWISE, &Unwatched).unwrap()
}

const ALL: [Equivalence; 7] = [
    Equivalence::Strong,
    Equivalence::Branching,
    Equivalence::DivergencePreserving,
    Equivalence::Weak,
    Equivalence::Trace,
    Equivalence::WeakTrace,
    Equivalence::Safety,
];

#[test]
fn what_is_composed_is_equivalent_to_the_product() {
    let (mut merged, mut restricted, mut only_strong) = (0, 0, 0);
    for seed in seeds(fuzz().unwrap_or(600)) {
        let mut dice = Random::new(seed);
        let wanted = Wanted { admissible: dice.one_in(2), priorities: dice.one_in(3) };
        let network = random(&mut dice, wanted);
        let whole = direct(&network);
        for by in ALL {
            let found = composed(&network, by);
            let question = LtsQuestion::Equivalent(by);
            let limits = ReduceLimits::default();
            let same = compare(found.lts.clone(), whole.clone(), question, limits, &Unwatched);
            let told = || format!("{by:?}, seed {seed}\n{}{:#?}", shown(&network), found.report);
            assert!(same.unwrap().holds, "{}\n{}", told(), written(&found.lts));
            let small = reduce(whole.clone(), by, limits, &Unwatched).unwrap();
            assert_eq!(found.lts.states(), small.states(), "{}", told());
            let steps = &found.report.steps;
            merged += steps.iter().filter(|step| step.parts.len() == 2).count();
            restricted += steps.iter().filter(|step| step.interface.is_some()).count();
            only_strong += steps.iter().filter(|step| step.why_strong.is_some()).count();
        }
    }
    let enough = merged > 500 && restricted > 500 && only_strong > 100;
    assert!(
        fuzz().is_some() || seeds(2).count() == 1 || enough,
        "{merged} {restricted} {only_strong}"
    );
}

/// A chain of buffers of one place each: in, pass, ..., out; passing is silent.
fn buffers(many: usize) -> Network {
    let mut network = Network::new(LabelTable::new("tau"));
    let lts = Arc::new(read("des (0, 2, 2)\n(0, take, 1)\n(1, give, 0)\n"));
    let label = |text: &str| lts.labels().get(text).unwrap();
    let (take, give) = (label("take"), label("give"));
    let parts: Vec<_> = (0..many)
        .map(|at| {
            let (name, lts) = (format!("B{at}"), Arc::clone(&lts));
            network.parts.push(NetworkPart { name, lts })
        })
        .collect();
    let mut add = |members: Vec<Synchron>, text: &str| {
        let result = network.labels.intern(text);
        network.vectors.push(NetworkVector::new(members, result));
    };
    add(vec![Synchron { part: parts[0], label: take }], "in");
    add(vec![Synchron { part: parts[many - 1], label: give }], "out");
    for two in parts.windows(2) {
        let members =
            vec![Synchron { part: two[0], label: give }, Synchron { part: two[1], label: take }];
        add(members, "tau");
    }
    network
}

/// `2^n` states directly, `n + 1` by branching bisimilarity: with each step reduced, there are never many.
#[test]
fn a_chain_of_buffers_stays_small() {
    let found = composed(&buffers(20), Equivalence::Branching);
    assert_eq!((found.lts.states(), found.lts.transitions()), (21, 40));
    let largest = found.report.largest().unwrap().generated;
    assert!(largest.states < 200, "{largest:?}");
    let why = product(&buffers(20), ProductLimits { most_states: 100_000 }, &Unwatched);
    assert_eq!(why.unwrap_err(), NotGenerated::TooLarge { most: 100_000 });
}

/// What is too large leaves a smaller network that is equivalent, and a report of what was tried.
#[test]
fn what_is_too_large_leaves_what_is_done() {
    let limits = ComposeLimits { most_states: 12, ..STEPWISE };
    let network = buffers(12);
    let failed = compose(&network, Equivalence::Branching, limits, &Unwatched).unwrap_err();
    assert_eq!(failed.why, NotGenerated::TooLarge { most: 12 });
    assert!(failed.network.parts.len() < 12 && failed.network.parts.len() > 1);
    assert!(!failed.report.too_large.is_empty());
    let (left, whole) = (direct(&failed.network), direct(&network));
    let question = LtsQuestion::Equivalent(Equivalence::Branching);
    let same = compare(left, whole, question, ReduceLimits::default(), &Unwatched).unwrap();
    assert!(same.holds);
}

#[test]
fn a_budget_that_is_spent_ends_it() {
    let failed = compose(&buffers(9), Equivalence::Weak, STEPWISE, &Stops::after(60)).unwrap_err();
    assert_eq!(failed.why, NotGenerated::Spent(Spent::Work { limit: 60 }));
}

/// A vector that synchronises silent steps is named as the reason why its part is reduced by strong bisimilarity only.
#[test]
fn why_only_strong_is_told() {
    let mut network = Network::new(LabelTable::new("tau"));
    let mut builder = LtsBuilder::new(LabelTable::new("tau"));
    builder.add(LtsState(0), LtsLabel::SILENT, LtsState(1));
    let quiet = Arc::new(builder.finish(LtsState(0)));
    let loud = Arc::new(read("des (0, 1, 1)\n(0, a, 0)\n"));
    let a = loud.labels().get("a").unwrap();
    let first = network.parts.push(NetworkPart { name: "P".to_owned(), lts: quiet });
    let second = network.parts.push(NetworkPart { name: "C".to_owned(), lts: loud });
    let members = vec![
        Synchron { part: first, label: LtsLabel::SILENT },
        Synchron { part: second, label: a },
    ];
    let result = network.labels.intern("a");
    network.vectors.push(NetworkVector::new(members, result));
    let found = composed(&network, Equivalence::Weak);
    let why = found.report.steps[0].why_strong.clone().unwrap();
    let WhyStrong::Silence { vector } = why else { panic!("{why:?}") };
    assert_eq!((vector[0].part.as_str(), vector[0].label.as_str()), ("P", "tau"));
    assert_eq!((vector[1].part.as_str(), vector[1].label.as_str()), ("C", "a"));
    assert_eq!(found.lts.states(), 2);
}

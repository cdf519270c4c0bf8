//! Products of networks, against every vector tried in every tuple.

use std::collections::BTreeSet;
use std::sync::Arc;

use pnetc::base::{Spent, Unwatched};
use pnetc::lts::{LabelTable, LtsBuilder, LtsLabel, LtsState};
use pnetc::network::{
    Network, NetworkPart, NetworkVector, NotGenerated, Product, ProductLimits, Synchron, product,
};

use crate::common::Random;
use crate::common::networks::{Tuple, Wanted, naive, random, shown};
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::{Stops, read};

fn made(network: &Network) -> Product {
    product(network, ProductLimits::default(), &Unwatched).unwrap()
}

#[test]
fn products_are_those_of_the_definition() {
    let (mut large, mut deadlocks) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(3000)) {
        let mut dice = Random::new(seed);
        let wanted = Wanted { admissible: dice.one_in(3), priorities: dice.one_in(2) };
        let network = random(&mut dice, wanted);
        let (found, expected) = (made(&network), naive(&network));
        let told = || format!("seed {seed}\n{}", shown(&network));
        let tuples: Vec<Tuple> = found.lts.ids().map(|id| found.tuple(id).collect()).collect();
        assert_eq!(found.lts.states(), expected.0.len(), "{}", told());
        for (id, tuple) in found.lts.ids().zip(&tuples) {
            let steps = found.lts.steps(id).iter();
            let steps: BTreeSet<(String, Tuple)> = steps
                .map(|step| {
                    (found.lts.text(step.label).to_owned(), tuples[step.to.index()].clone())
                })
                .collect();
            assert_eq!(Some(&steps), expected.0.get(tuple), "{}", told());
        }
        let figures = found.figures;
        assert_eq!(figures.transitions, expected.0.values().map(BTreeSet::len).sum::<usize>());
        let stuck = |id: &LtsState| found.lts.steps(*id).is_empty();
        assert_eq!(figures.deadlocks, found.lts.ids().filter(stuck).count());
        assert_eq!(found.deadlock, found.lts.ids().find(stuck));
        level_by_level(&found, &told());
        large += usize::from(figures.states > 20);
        deadlocks += usize::from(figures.deadlocks > 0 && figures.states > 1);
    }
    assert!(
        fuzz().is_some() || seeds(2).count() == 1 || large > 20 && deadlocks > 20,
        "{large} {deadlocks}"
    );
}

/// States are numbered as they are met: what a state leads to for the first time comes next.
fn level_by_level(found: &Product, told: &str) {
    let mut depth = vec![usize::MAX; found.lts.states()];
    depth[0] = 0;
    for id in found.lts.ids() {
        for step in found.lts.steps(id) {
            let next = depth[id.index()] + 1;
            depth[step.to.index()] = depth[step.to.index()].min(next);
        }
    }
    assert!(depth.is_sorted() && depth.last() < Some(&usize::MAX), "{told}");
}

/// So many parts that go around in a circle of so many states, each by itself.
fn counters(parts: usize, states: u32) -> Network {
    let mut network = Network::new(LabelTable::new("tau"));
    let mut builder = LtsBuilder::new(LabelTable::new("tau"));
    let go = builder.labels.intern("go");
    (0..states).for_each(|at| builder.add(LtsState(at), go, LtsState((at + 1) % states)));
    let lts = Arc::new(builder.finish(LtsState(0)));
    for at in 0..parts {
        let part =
            network.parts.push(NetworkPart { name: format!("P{at}"), lts: Arc::clone(&lts) });
        let result = network.labels.intern(&format!("go {at}"));
        network.vectors.push(NetworkVector::new(vec![Synchron { part, label: go }], result));
    }
    network
}

#[test]
fn tuples_take_as_many_bits_as_they_need() {
    let found = made(&counters(6, 8));
    assert_eq!((found.figures.states, found.figures.transitions), (1 << 18, 6 << 18));
    // 18 bits are three bytes; the table has four and one of each place, and is at most twice as large as it has to be.
    assert!(found.figures.store_bytes < (1 << 18) * 14, "{}", found.figures.store_bytes);
}

#[test]
fn what_is_too_large_is_told() {
    let limits = ProductLimits { most_states: 500 };
    let too_large = |network: &Network| product(network, limits, &Unwatched).unwrap_err();
    assert_eq!(too_large(&counters(6, 8)), NotGenerated::TooLarge { most: 500 });
    let told = too_large(&counters(6, 8)).to_string();
    assert_eq!(told, "there are more than 500 states; raise `--most-states`");
    let exact = product(&counters(3, 8), ProductLimits { most_states: 512 }, &Unwatched).unwrap();
    assert_eq!(exact.figures.states, 512);
}

/// One vector can lead to more states than there may be: none of them is made.
#[test]
fn ways_that_are_too_many_are_not_gone() {
    let mut network = Network::new(LabelTable::new("tau"));
    let lts = Arc::new(read("des (0, 4, 4)\n(0, a, 0)\n(0, a, 1)\n(0, a, 2)\n(0, a, 3)\n"));
    let label = lts.labels().get("a").unwrap();
    let parts = (0..60).map(|_| NetworkPart { name: "P".to_owned(), lts: Arc::clone(&lts) });
    let members = parts.map(|part| Synchron { part: network.parts.push(part), label }).collect();
    network.vectors.push(NetworkVector::new(members, LtsLabel::SILENT));
    let limits = ProductLimits { most_states: 1_000_000 };
    let why = product(&network, limits, &Unwatched).unwrap_err();
    assert_eq!(why, NotGenerated::TooLarge { most: 1_000_000 });
    let why = product(&network, ProductLimits::default(), &Unwatched).unwrap_err();
    assert!(matches!(why, NotGenerated::TooLarge { .. } | NotGenerated::TooManySteps));
}

#[test]
fn a_budget_that_is_spent_ends_it() {
    let stops = Stops::after(100);
    let why = product(&counters(6, 8), ProductLimits::default(), &stops).unwrap_err();
    assert_eq!(why, NotGenerated::Spent(Spent::Work { limit: 100 }));
}

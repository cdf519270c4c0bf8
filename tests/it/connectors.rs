//! The interactions of connectors, against a brute-force reading of the definition on random connectors.
use crate::common::random::Random;
use pnetc::elaborate::{Shape, interactions};

/// The ports of a connector.
fn ports(shape: &Shape) -> Vec<usize> {
    match shape {
        Shape::Port(port) => vec![*port],
        Shape::Group(parts) => parts.iter().flat_map(|(_, part)| ports(part)).collect(),
    }
}

/// The definition, read for one set of ports: of a port, only itself; without a trigger, every part takes part;
/// with triggers, any parts do, one of them a trigger.
fn is_interaction(shape: &Shape, set: &[usize]) -> bool {
    let parts = match shape {
        Shape::Port(port) => return set == [*port],
        Shape::Group(parts) => parts,
    };
    let inside: Vec<(bool, &Shape, Vec<usize>)> = parts
        .iter()
        .map(|(trigger, part)| {
            let own = ports(part);
            (*trigger, part, set.iter().copied().filter(|port| own.contains(port)).collect())
        })
        .collect();
    let fits = |part: &Shape, own: &[usize]| !own.is_empty() && is_interaction(part, own);
    if parts.iter().any(|(trigger, _)| *trigger) {
        inside.iter().all(|(_, part, own)| own.is_empty() || fits(part, own))
            && inside.iter().any(|(trigger, _, own)| *trigger && !own.is_empty())
    } else {
        inside.iter().all(|(_, part, own)| fits(part, own))
    }
}

fn random_shape(random: &mut Random, next: &mut usize, depth: usize) -> Shape {
    if depth == 0 || *next >= 8 || random.percent(50) {
        *next += 1;
        return Shape::Port(*next - 1);
    }
    let parts = random.between(1, 4);
    let part = |random: &mut Random, next: &mut usize| {
        (random.percent(40), random_shape(random, next, depth - 1))
    };
    Shape::Group((0..parts).map(|_| part(random, next)).collect())
}

#[test]
fn interactions_are_those_of_the_definition() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let mut next = 0;
        let shape = random_shape(&mut random, &mut next, 4);
        let all = ports(&shape);
        if all.len() > 12 {
            continue; // too many sets for brute force
        }
        let mut wanted: Vec<Vec<usize>> = (1u32..1 << all.len())
            .map(|bits| all.iter().copied().filter(|port| bits >> port & 1 == 1).collect())
            .filter(|set: &Vec<usize>| is_interaction(&shape, set))
            .collect();
        wanted.sort();
        let mut found = interactions(&shape, 1 << 12).unwrap();
        found.sort();
        assert_eq!(found, wanted, "seed {seed}: {shape:?}");
    }
}

#[test]
fn the_examples_of_the_papers() {
    let port = Shape::Port;
    let named = |shape: &Shape| {
        let names =
            |set: Vec<usize>| set.into_iter().map(|p| ["p", "q", "r"][p]).collect::<String>();
        interactions(shape, 100).unwrap().into_iter().map(names).collect::<Vec<_>>()
    };
    // p q r: all together
    let rendezvous = Shape::Group(vec![(false, port(0)), (false, port(1)), (false, port(2))]);
    assert_eq!(named(&rendezvous), ["pqr"]);
    // p' q r: a broadcast
    let broadcast = Shape::Group(vec![(true, port(0)), (false, port(1)), (false, port(2))]);
    assert_eq!(named(&broadcast), ["p", "pq", "pr", "pqr"]);
    // p' [q r]: an atomic broadcast
    let both = Shape::Group(vec![(false, port(1)), (false, port(2))]);
    assert_eq!(named(&Shape::Group(vec![(true, port(0)), (false, both)])), ["p", "pqr"]);
    // [p' q]' r'
    let inner = Shape::Group(vec![(true, port(0)), (false, port(1))]);
    let nested = Shape::Group(vec![(true, inner), (true, port(2))]);
    assert_eq!(named(&nested), ["p", "r", "pq", "pr", "pqr"]);
    // p' [q' r]: a causal chain
    let chain = Shape::Group(vec![(true, port(1)), (false, port(2))]);
    assert_eq!(named(&Shape::Group(vec![(true, port(0)), (false, chain)])), ["p", "pq", "pqr"]);
}

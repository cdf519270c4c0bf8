//! Nets as networks of labelled transition systems: the product of the network that is made of a node is what the node
//! does, on random nets, on the examples and on those of the documents. The product is a plain one of its own here.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use pnetc::base::{Id, IndexVec, Unwatched};
use pnetc::compose::{Alone, ComposePlan, Labels, NotComposed, PlanOptions, Seeing, Silence};
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::Domains;
use pnetc::lts::{
    Equivalence, Lts, LtsBuilder, LtsLabel, LtsQuestion, LtsState, ReduceLimits, compare,
};
use pnetc::network::{Network, NetworkPartId, NetworkVector, Synchron};
use pnetc::pnet::{Content, PNet, PartId};

use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::values::make::{self, Kind};
use crate::common::{Random, check_text, models, shrink};

const OPTIONS: PlanOptions<'static> = PlanOptions { seeing: SEEING, later: &[], marking: None };
const SEEING: Seeing = Seeing { finals: true, most_states: 3_000 };

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
struct Compared {
    nets: usize,
    states: usize,
    priorities: usize,
    free: usize,
    observed: usize,
    refused: usize,
}

type Tuple = Vec<LtsState>;

fn can(network: &Network, at: &Tuple, members: &[Synchron]) -> bool {
    members.iter().all(|member| {
        let lts = &network.parts[member.part].lts;
        !lts.steps_by(at[member.part.index()], member.label).is_empty()
    })
}

/// All ways in which members can move.
fn targets(network: &Network, at: &Tuple, members: &[Synchron]) -> Vec<Tuple> {
    let mut all = vec![at.clone()];
    for member in members {
        let lts = &network.parts[member.part].lts;
        let steps = lts.steps_by(at[member.part.index()], member.label);
        let moved = |tuple: &Tuple| -> Vec<Tuple> {
            let one = |step: &pnetc::lts::LtsStep| {
                let mut tuple = tuple.clone();
                tuple[member.part.index()] = step.to;
                tuple
            };
            steps.iter().map(one).collect()
        };
        all = all.iter().flat_map(moved).collect();
    }
    all
}

/// The product of a network as it is defined, tuple by tuple; nothing where it is too large.
fn product(network: &Network) -> Option<Lts> {
    let initial: Tuple = network.parts.iter().map(|part| part.lts.initial()).collect();
    let mut numbers = BTreeMap::from([(initial.clone(), LtsState(0))]);
    let mut work = VecDeque::from([initial]);
    let mut builder = LtsBuilder::new(network.labels.clone());
    builder.state(LtsState(0));
    while let Some(at) = work.pop_front() {
        let possible = |vector: &&NetworkVector| {
            can(network, &at, &vector.members)
                && !vector.rivals.iter().any(|rival| can(network, &at, rival))
        };
        for vector in network.vectors.iter().filter(possible) {
            for target in targets(network, &at, &vector.members) {
                let next = LtsState::at(numbers.len());
                let to = *numbers.entry(target.clone()).or_insert(next);
                if to == next {
                    work.push_back(target);
                }
                builder.add(numbers[&at], vector.result, to);
            }
        }
        if numbers.len() > 4 * SEEING.most_states {
            return None;
        }
    }
    Some(builder.finish(LtsState(0)))
}

/// The system of a part, composed of those inside of it.
fn composed(plan: &ComposePlan<'_>, silence: Silence) -> Option<Arc<Lts>> {
    let mut made: BTreeMap<String, Arc<Lts>> = BTreeMap::new();
    let key = |content: Content| format!("{content:?}");
    for (_, content) in plan.from_below() {
        let lts = match content {
            Content::Leaf(id) => plan.leaf(id, silence)?,
            Content::Node(id) => {
                let parts = plan.net.nodes[id].parts.iter();
                let systems: IndexVec<PartId, Arc<Lts>> =
                    parts.map(|part| made[&key(part.content)].clone()).collect();
                Arc::new(product(&plan.network(id, &systems, silence))?)
            }
            Content::Hole(_) => return None,
        };
        made.insert(key(content), lts);
    }
    made.remove(&key(plan.net.root))
}

fn alike(first: &Lts, second: &Lts, by: Equivalence) -> bool {
    let question = LtsQuestion::Equivalent(by);
    let limits = ReduceLimits::default();
    compare(first.clone(), second.clone(), question, limits, &Unwatched).unwrap().holds
}

/// The direct system with `sync a` as silent.
fn hidden(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::new(lts.labels().clone());
    for from in lts.ids() {
        for step in lts.steps(from) {
            let is_silent = lts.text(step.label).starts_with("sync ");
            builder.add(from, if is_silent { LtsLabel::SILENT } else { step.label }, step.to);
        }
    }
    builder.state(LtsState::at(lts.states() - 1));
    builder.finish(lts.initial())
}

fn same(net: &PNet, total: &mut Compared) -> Result<(), String> {
    let domains = Domains::default();
    let plan = match ComposePlan::new((net, "N"), &domains, OPTIONS, &Unwatched) {
        Ok(plan) => plan,
        Err(NotComposed::Part { .. } | NotComposed::Vectors { .. } | NotComposed::Later { .. })
        | Err(NotComposed::Hole { .. } | NotComposed::Beginning { .. }) => {
            total.refused += 1;
            return Ok(());
        }
        Err(why) => return Err(why.to_string()),
    };
    let direct = Alone::new(net, &domains, Labels::Met, SEEING).explored(&Unwatched);
    let Some(made) = composed(&plan, Silence::Counts) else { return Ok(()) };
    let direct = match direct {
        Ok((direct, ..)) => direct,
        // Parts that can be made by themselves make a whole that can be made.
        Err(pnetc::network::NotGenerated::TooLarge { .. }) => return Ok(()),
        Err(why) => return Err(format!("cannot be made: {why}")),
    };
    let sizes = |lts: &Lts| (lts.states(), lts.transitions());
    if sizes(&made) != sizes(&direct) {
        return Err(format!("has {:?} states and steps, not {:?}", sizes(&made), sizes(&direct)));
    }
    if !alike(&made, &direct, Equivalence::Strong) {
        return Err("is not strongly bisimilar to the product of its parts".to_owned());
    }
    total.nets += 1;
    total.states += direct.states();
    total.priorities += usize::from(plan.has_priorities());
    if plan.has_priorities() {
        return Ok(());
    }
    if !plan.observed().is_empty() {
        total.observed += 1;
        return Ok(());
    }
    total.free += 1;
    let Some(free) = composed(&plan, Silence::Free) else { return Ok(()) };
    match alike(&free, &hidden(&direct), Equivalence::Strong) {
        true => Ok(()),
        false => Err("is another system once silent steps are alike".to_owned()),
    }
}

fn whole_text(text: &str) -> Result<Compared, String> {
    let checked = check_text(text);
    let mut total = Compared::default();
    if checked.has_errors() {
        return Ok(total);
    }
    for (name, _) in checked.targets() {
        let Ok(net) = checked.build(Some(name.as_str()), &ElaborateOptions::default()) else {
            continue;
        };
        same(&net, &mut total).map_err(|why| format!("{name} {why}"))?;
    }
    Ok(total)
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.nets += other.nets;
        self.states += other.states;
        self.priorities += other.priorities;
        self.free += other.free;
        self.observed += other.observed;
        self.refused += other.refused;
    }
}

fn random_texts(name: &str, count: u64, make: impl Fn(&mut Random) -> String) -> Compared {
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(fuzz().unwrap_or(count)) {
        let text = make(&mut Random::new(seed));
        match shrink::tried(&format!("{name}, PNET_SEED={seed}"), &text, whole_text) {
            Ok(found) => total += found,
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    total
}

#[test]
fn the_product_of_the_parts_is_the_net() {
    let finite = Shape { ints: false, constants: false, ..Shape::closed() };
    let total = random_texts("closed", 60, |random| nets::model(random, finite));
    assert!(total.nets > 100 && total.priorities > 5 && total.free > 5, "{total:?}");
    assert!(total.refused * 2 < total.nets, "{total:?}");
    random_texts("with integers", 30, |random| nets::model(random, Shape::closed()));
}

#[test]
fn values_at_the_borders_are_labels() {
    for kind in [Kind::Closed, Kind::Families, Kind::Nested, Kind::Connected, Kind::Filled] {
        random_texts(&format!("{kind:?}"), 8, |random| make::model(random, kind, false).text());
    }
}

#[test]
fn examples_are_networks() {
    let mut total = Compared::default();
    for (place, text) in models::models() {
        total += whole_text(&text).unwrap_or_else(|why| panic!("{place}: {why}"));
    }
    println!("{total:?}");
    assert!(total.nets > 30, "{total:?}");
}

/// The parts of a net that is written down here.
fn network_of(text: &str) -> Network {
    let checked = check_text(text);
    let net = checked.build(None, &ElaborateOptions::default()).unwrap();
    let plan = ComposePlan::new((&net, "N"), &Domains::default(), OPTIONS, &Unwatched).unwrap();
    let Content::Node(id) = net.root else { panic!("a net") };
    let systems = net.nodes[id].parts.iter().map(|part| match part.content {
        Content::Leaf(leaf) => plan.leaf(leaf, Silence::Counts).unwrap(),
        _ => panic!("a leaf"),
    });
    plan.network(id, &systems.collect(), Silence::Counts)
}

#[test]
fn vectors_are_written_out_for_what_parts_do() {
    let network = network_of(
        "module m; action put(0..3), get(0..3), pass(0..4);
         process A { var n: 0..3 = 0; init state s; s -> s : put(n) do n := n + 1; }
         process B { init state s; s -> s : get(?x); }
         net N { part A: A; part B: B; <A: put(x), B: get(x)> -> pass(x + 1) when x > 0; }",
    );
    let texts: Vec<&str> =
        network.vectors.iter().map(|one| network.labels.text(one.result)).collect();
    // The last value is put nowhere: there is no number after it.
    assert_eq!(texts, ["pass(2)"], "{network:?}");
    assert_eq!(network.vectors.iter().next().unwrap().members.len(), 2);
}

#[test]
fn priorities_become_rivals() {
    let network = network_of(
        "module m; action a, b, c;
         process P { init state s; s -> s : a; s -> s : b; }
         net N { part P: P; part Q: P; <P: a> -> a unless <Q: b>; <Q: b> -> b; }",
    );
    assert!(network.has_priorities());
    let with: Vec<_> = network.vectors.iter().filter(|one| !one.rivals.is_empty()).collect();
    assert_eq!(with.len(), 1);
    assert_eq!(with[0].rivals[0][0].part, NetworkPartId(1));
}

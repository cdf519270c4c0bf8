//! The experiment of Lang, "Refined Interfaces for Compositional Verification", section 6, in small: a directory with its
//! agents and a trader, whose sizes are known; `benches/composition.rs` has the larger ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use pnetc::base::Unwatched;
use pnetc::compose::{
    Alone, ComposePlan, ComposedSystem, Labels, Method, PlanOptions, Seeing, generate,
};
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::Domains;
use pnetc::lts::{Equivalence, Lts, LtsQuestion, LtsState, ReduceLimits, compare};
use pnetc::outcome::StageKind;
use pnetc::pnet::PNet;

use crate::common::check_text;

const CACHE: &str = include_str!("../../examples/cache_coherence.pnet");
const ELECTION: &str = include_str!("../../examples/election.pnet");
const TRADER: &str = include_str!("../../examples/trader.pnet");

fn net(text: &str, instance: &str) -> Arc<PNet> {
    let text = format!("{text}\nnet It = {instance};\n");
    let checked = check_text(text.as_str());
    checked.build(Some("It"), &ElaborateOptions::default()).unwrap()
}

const SEEING: Seeing = Seeing { finals: true, most_states: 100_000 };

/// All at once.
fn explored(net: &PNet) -> Lts {
    let alone = Alone::new(net, &Domains::default(), Labels::Met, SEEING);
    alone.explored(&Unwatched).unwrap().0
}

/// Made part by part, one part as far as others allow.
fn composed(net: &PNet, restricted: &str, by: &[String], all: &[String]) -> ComposedSystem {
    let (domains, later) = (Domains::default(), [restricted.to_owned()]);
    let options = PlanOptions { seeing: SEEING, later: &later, marking: None };
    let plan = ComposePlan::new((net, "It"), &domains, options, &Unwatched).unwrap();
    let method = Method {
        restrict: vec![(restricted.to_owned(), by.to_vec())],
        first: vec![all.to_vec()],
        ..Method::preserving(Equivalence::DivergencePreserving)
    };
    generate(&plan, &method, &domains, &Unwatched, &|_| String::new()).unwrap()
}

/// The states of the part that is restricted.
fn restricted(made: &ComposedSystem) -> usize {
    let stages = made.report.stages.iter();
    let is_it = |how: &StageKind| matches!(how, StageKind::Restricted { .. });
    stages.filter(|stage| is_it(&stage.how)).map(|stage| stage.states).next().unwrap()
}

/// A machine part by part, the directory as far as one agent allows.
fn machine(agents: usize) -> ComposedSystem {
    let net = net(CACHE, &format!("System<{agents}>"));
    let all: Vec<String> = (0..agents).map(|i| format!("A[{i}]")).collect();
    let with = ["D".to_owned()].into_iter().chain(all.clone()).collect::<Vec<_>>();
    composed(&net, "D", &all[..1], &with)
}

#[test]
fn the_directory_alone_explodes() {
    let alone = |agents| {
        let directory = format!("Directory<{agents}, {agents} - 1>");
        explored(&net(CACHE, &directory)).states()
    };
    assert_eq!([alone(1), alone(2), alone(3)], [84, 1_688, 29_184]);
}

/// Two agents, three, four and five: what is added grows by the same each time, so that it is a polynomial of degree two.
#[test]
fn one_agent_restricts_the_directory_to_a_polynomial() {
    let sizes: Vec<usize> = (2..=5).map(|agents| restricted(&machine(agents))).collect();
    let steps: Vec<usize> = sizes.windows(2).map(|two| two[1] - two[0]).collect();
    let second: Vec<usize> = steps.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(sizes, [158, 258, 370, 494]);
    assert_eq!(second, [12, 12], "{sizes:?}");
}

#[test]
fn what_is_made_part_by_part_is_the_whole() {
    for agents in [2, 3] {
        let made = machine(agents);
        let direct = explored(&net(CACHE, &format!("System<{agents}>")));
        let question = LtsQuestion::Equivalent(Equivalence::DivergencePreserving);
        let limits = ReduceLimits::default();
        let compared = compare(made.lts.clone(), direct.clone(), question, limits, &Unwatched);
        assert!(compared.unwrap().holds, "{agents} agents");
        assert!(made.report.most_states * 4 < direct.states() * agents, "{:?}", made.report);
        assert!(made.report.observed.is_empty(), "{:?}", made.report.observed);
    }
}

/// All that is left of the machine, seen from outside, is a cell: what is loaded is what was stored last.
#[test]
fn programs_see_one_cell() {
    let net = net(CACHE, "Seen<3>");
    let lts = composed(&net, "P.D", &["P.A[0]".to_owned()], &[]).lts;
    assert_eq!(lts.states(), 2);
    let value =
        |text: &str| text.split(", ").nth(1).map(|value| value.trim_end_matches(')').to_owned());
    let shown = |state, what: &str| -> BTreeSet<(String, LtsState)> {
        let steps = lts.steps(state).iter().map(|step| (lts.labels().text(step.label), step.to));
        let wanted = steps.filter(|(text, _)| text.starts_with(what));
        wanted.map(|(text, to)| (value(text).unwrap(), to)).collect()
    };
    for state in lts.ids() {
        let loads = shown(state, "load(");
        assert_eq!(loads.len(), 1, "{loads:?}");
        assert!(loads.iter().all(|(_, to)| *to == state));
        for (stored, to) in shown(state, "store(") {
            assert_eq!(shown(to, "load(").first().map(|(loaded, _)| loaded), Some(&stored));
        }
    }
}

#[test]
fn objects_restrict_the_trader_to_what_they_offer() {
    let net = net(TRADER, "Market<1>");
    let objects: Vec<String> = (0..4).map(|i| format!("O[{i}]")).collect();
    let with: Vec<String> =
        ["T", "C[0]"].map(str::to_owned).into_iter().chain(objects.clone()).collect();
    let made = composed(&net, "T", &objects, &with);
    assert_eq!(restricted(&made), 256);
}

/// From outside, an election is one state, however many nodes there are.
#[test]
fn an_election_is_one_step() {
    for (nodes, configurations) in [(3, 30), (4, 105)] {
        let net = net(ELECTION, &format!("Election<{nodes}>"));
        assert_eq!(explored(&net).states(), configurations);
        let neighbours: Vec<String> = (0..2).map(|i| format!("P[{i}]")).collect();
        let made = composed(&net, "Q[0]", &neighbours, &[]);
        assert_eq!((made.lts.states(), made.lts.transitions()), (1, 1));
    }
}

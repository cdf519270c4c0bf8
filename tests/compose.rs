//! Composing automata and filling nets come to the same.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests read models and may fail"
)]

use pnetc::automaton::OpenAutomaton;
use pnetc::driver::{self, Sources};
use pnetc::elaborate;
use pnetc::equivalence::{Found, Game, Rules, together, why_not_comparable};
use pnetc::generate::{Options, Unwatched, compose, generate};

struct Model(String);

impl Sources for Model {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == "examples/model.pnet" {
            return Ok(self.0.clone().into_bytes());
        }
        std::fs::read(path).map_err(|problem| problem.to_string())
    }
}

fn automaton(text: &str, net: &str) -> OpenAutomaton {
    let checked = driver::check(&Model(text.to_owned()), "examples/model.pnet").unwrap();
    let errors: Vec<&str> = checked.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert!(!checked.has_errors(), "{errors:?}");
    let net = driver::build(&checked, Some(net), &elaborate::Options::default()).unwrap();
    generate(&net, &Options::default(), &Unwatched).automaton
}

/// Whether composing `outer` with `inner` is what `filled` says.
fn same(example: &str, more: &str, outer: &str, hole: &str, inner: &str, filled: &str) {
    let text = std::fs::read_to_string(format!("examples/{example}.pnet")).unwrap();
    let text = format!("{text}\n{more}\n");
    let (outer, inner, filled) =
        (automaton(&text, outer), automaton(&text, inner), automaton(&text, filled));
    let composed = compose(&outer, hole, &inner, &Options::default(), &Unwatched).unwrap();
    let size = |automaton: &OpenAutomaton| (automaton.states.len(), automaton.transitions.len());
    assert_eq!(size(&composed), size(&filled), "{example}: {hole}");
    assert_eq!(why_not_comparable(&composed, &filled), None);
    let options = Options::default();
    let mut world = together(&composed, &filled, &options, &Unwatched);
    let tracked = (0..world.holes.len()).collect();
    let rules = Rules { both: true, tracked, deadlocks: false, weak: None };
    let mut game = Game { world: &mut world, rules };
    let relation = match game.largest(12, usize::MAX) {
        Found::Relation(relation) => relation,
        Found::Apart(_) => panic!("{example}: they are told apart"),
        Found::Nothing(_, promising) => game.simple(&promising).unwrap(),
    };
    let obligations = game.obligations(&relation);
    assert!(game.unmet(&obligations).is_empty(), "{example}");
}

#[test]
fn a_hole_that_is_filled_with_a_process() {
    let more = "net Filled(Q: Popping) = SimProdCons(P: Producer);";
    same("prod_cons", more, "SimProdCons", "P", "Producer", "Filled");
}

#[test]
fn a_hole_that_is_filled_with_a_net_that_has_holes() {
    let more = "net LeftData(Q: any) = EnableState(P: EnableData);";
    same("enable", more, "EnableState", "P", "EnableData", "LeftData");
}

#[test]
fn a_hole_that_is_not_there_cannot_be_filled() {
    let text = std::fs::read_to_string("examples/enable.pnet").unwrap();
    let (outer, inner) = (automaton(&text, "EnableState"), automaton(&text, "CState"));
    assert!(compose(&outer, "X", &inner, &Options::default(), &Unwatched).is_none());
}

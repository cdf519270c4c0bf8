//! The shrinker of `common/shrink.rs`: what it leaves of a model fails in the same way, and nothing more can go.

use crate::common::nets::{self, Shape};
use crate::common::shrink::{reduced, statements, tried};
use crate::common::{Random, check_text, models};
use pnetc::syntax::token::lex;

/// A failure that was made up: the last net of a model has a process with a guard.
fn guarded(text: &str) -> Result<(), String> {
    let Ok(net) = nets::accepted(text) else { return Ok(()) };
    let mut transitions = net.plts.iter().flat_map(|plts| &plts.transitions);
    match transitions.find(|transition| !transition.conditions.is_empty()) {
        Some(_) => Err(format!("a guard is in `{}`", net.name)),
        None => Ok(()),
    }
}

/// A text without one of its statements.
fn dropping(text: &str, at: usize) -> String {
    let range = statements(text).swap_remove(at);
    format!("{}{}", &text[..range.start], &text[range.end..])
}

#[test]
fn what_is_left_of_a_random_model_is_minimal() {
    let mut shrunk = 0;
    for seed in 0..12 {
        let text = nets::model(&mut Random::new(seed), Shape::open());
        if guarded(&text).is_ok() {
            assert_eq!(reduced(&text, guarded), text, "what does not fail is left as it is");
            continue;
        }
        let small = reduced(&text, guarded);
        assert!(guarded(&small).is_err(), "seed {seed}: it does not fail:\n{small}");
        assert_eq!(small, reduced(&text, guarded), "seed {seed}: another one each time");
        for at in 0..statements(&small).len() {
            let less = dropping(&small, at);
            assert!(guarded(&less).is_ok(), "seed {seed}: more can go:\n{small}\n\n{less}");
        }
        let (before, after) = (statements(&text).len(), statements(&small).len());
        assert!(
            after * 2 < before,
            "seed {seed}: {after} of {before} statements are left\n{small}"
        );
        shrunk += 1;
    }
    assert!(shrunk > 4, "only {shrunk} models were made smaller");
}

const MODEL: &str = "\
action a, b;
action unused(Int);
/// What is asked for.
process P {
    var v: 0..3 = 0;
    init state s;
    state t;
    s -> t : a when v < 2 do v := v + 1;
    t -> s : b;
}
process Q { init state s; s -> s : b; }
net N {
    sub p = P;
    sub q = Q;
    <p: a> -> a;
    <p: b, q: b> -> b;
}
net M = N;
check size(M) == (2, 2);
";

#[test]
fn declarations_go_after_what_uses_them() {
    let fails = |text: &str| match check_text(text).has_errors() || !text.contains("q: b") {
        true => Ok(()),
        false => Err("it is there".to_owned()),
    };
    let left = "action a, b;\n/// What is asked for.\nprocess P {\n    init state s;\n}\n\
                process Q { init state s; }\n\
                net N {\n    sub p = P;\n    sub q = Q;\n    <p: b, q: b> -> b;\n}\n";
    assert_eq!(reduced(MODEL, fails), left);
}

/// A panic is kept as what it is, and a smaller model with another failure is not taken for it.
#[test]
fn the_failure_stays_the_same() {
    let fails = |text: &str| {
        assert!(!text.contains("sub q"), "q is in the way, {} bytes", text.len());
        if text.contains("sub p") { Err("p is in the way".to_owned()) } else { Ok(()) }
    };
    let small = reduced(MODEL, fails);
    assert!(small.contains("sub q") && !small.contains("sub p"), "{small}");
    assert_eq!(statements(&small).len(), 2, "{small}");
    let only_p = MODEL.replace("    sub q = Q;\n", "");
    let small = reduced(&only_p, fails);
    assert!(small.contains("sub p") && statements(&small).len() == 2, "{small}");
}

#[test]
fn what_is_said_has_both_models() {
    assert_eq!(tried("shrink, nothing", MODEL, |text| Ok(text.len())), Ok(MODEL.len()));
    let fails = |text: &str| match text.contains("unused") {
        true => Err::<(), _>("`unused` is there".to_owned()),
        false => Ok(()),
    };
    let said = tried("shrink, PNET_SEED=7", MODEL, fails).unwrap_err();
    let expected = "shrink, PNET_SEED=7: `unused` is there\nthe whole model is in ";
    assert!(said.starts_with(expected), "{said}");
    assert!(said.ends_with("of it, this is enough:\naction unused(Int);\n"), "{said}");
    let path = said[expected.len()..].split(';').next().unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), MODEL);
}

/// All of a model is statements, and nothing is two declarations.
#[test]
fn statements_are_those_of_the_parser() {
    let mut seen = 0;
    for (path, text) in models() {
        let all = statements(&text);
        let top = all.iter().enumerate();
        let top = top.filter(|(at, one)| all[..*at].iter().all(|before| before.end <= one.start));
        let top: Vec<_> = top.map(|(_, one)| one.clone()).collect();
        let parsed = pnetc::syntax::parse(&text, 0).module.items;
        assert_eq!(top.len(), parsed.len(), "{path}");
        let words = |text: &str| lex(text, 0).0.tokens.len();
        let inside: usize = top.iter().map(|range| words(&text[range.clone()])).sum();
        assert_eq!(inside, words(&text), "{path}");
        seen += all.len();
    }
    assert!(seen > 1_000, "{seen}");
}

//! What is decided about patterns: verdicts, instances that refute, and situations that nobody excludes.

use pnetc::base::{Budget, Unwatched};
use pnetc::parametric::search::{Searched, is_bad, search};
use pnetc::parametric::{
    GoalFormula, InvariantFamily, PatternGoal, PatternInstance, PlainSearch, SizesLimits,
    SizesVerdict, SystemPattern, Unfoldings, decide, in_words, instance_invariants, profiles,
};

use crate::common::patterns::{known, pattern, states};

/// In short: `proved by t`, `refuted with 4 components after 2 steps`, `unknown, fine up to 6`.
fn verdict(pattern: &SystemPattern, goal: &PatternGoal) -> String {
    let profiles = profiles(pattern, &Budget::default()).unwrap();
    let limits = SizesLimits { last: 6, ..SizesLimits::default() };
    let mut plain = PlainSearch { pattern, goal, most: 5000 };
    match decide(pattern, &profiles, goal, limits, &mut plain, &Unwatched) {
        SizesVerdict::Proved { families, .. } => {
            let letters: String = families.iter().map(|family| family.letter()).collect();
            format!("proved by {letters}")
        }
        SizesVerdict::Refuted { instance, run, .. } => {
            assert!(is_bad(pattern, &instance, goal, run.end()));
            let (components, steps) = (instance.components.len(), run.steps.len());
            format!("refuted with {components} components after {steps} steps")
        }
        SizesVerdict::Unknown { model, fine, .. } => {
            let model = model.unwrap();
            let instance = PatternInstance::of(pattern, &profiles, &model.unfolding);
            assert!(is_bad(pattern, &instance, goal, &model.situation));
            let found = search(pattern, &instance, goal, 5000, &Budget::default());
            assert!(matches!(found, Searched::Safe(_)) || !pattern.is_exact());
            format!("unknown, fine up to {fine:?}")
        }
        SizesVerdict::Empty => "empty".to_owned(),
    }
}

#[test]
fn verdicts_are_those_of_the_table() {
    let deadlock = PatternGoal::deadlock();
    assert_eq!(verdict(&known::ring(), &deadlock), "proved by t");
    assert_eq!(verdict(&known::table(true), &deadlock), "proved by o");
    let refuted = "refuted with 4 components after 2 steps";
    assert_eq!(verdict(&known::table(false), &deadlock), refuted);
    let two = known::two_holders();
    let busy = states(&two, &["busy"]);
    let refuted = "refuted with 3 components after 0 steps";
    assert_eq!(verdict(&two, &PatternGoal::mutex(busy.clone())), refuted);
    assert_eq!(verdict(&two, &PatternGoal::at_most(2, busy)), "proved by f");
    let pairs = known::pairs(3, 2);
    let last = PatternGoal::at_most(0, states(&pairs, &["A.s3"]));
    assert_eq!(verdict(&pairs, &last), "unknown, fine up to Some(6)");
}

#[test]
fn what_only_may_happen_refutes_nothing_and_enables_nothing() {
    let text = |port: &str| {
        format!("component A *s {port} s; rule Start; x = A; p x; Start; rule Start; x = A; p x")
    };
    let deadlock = PatternGoal::deadlock();
    assert_eq!(verdict(&pattern(&text("p")), &deadlock), "proved by t");
    assert_eq!(verdict(&pattern(&text("p?")), &deadlock), "unknown, fine up to None");
    let may = "component A *s p s; rule Start; x = A; ?p x";
    assert_eq!(verdict(&pattern(may), &deadlock), "unknown, fine up to None");
    let rests = "component A *s. p? s; rule Start; x = A; p x";
    assert_eq!(verdict(&pattern(rests), &deadlock), "proved by t");
}

#[test]
fn siphons_exclude_what_is_never_entered() {
    // Who is in `b` helps others to `b`, and nobody begins there.
    let helped = pattern(
        "component A *a go b, b help b
        rule Start; x = A; y = A; go x, help y; go y, help x; Start
        rule Start; x = A; y = A; go x, help y; go y, help x",
    );
    let never = PatternGoal::at_most(0, states(&helped, &["b"]));
    assert_eq!(verdict(&helped, &never), "proved by s");
    let all = GoalFormula::Not(Box::new(GoalFormula::AtLeast(1, states(&helped, &["a"]))));
    let goal = PatternGoal { label: "all".into(), stuck: false, when: all };
    assert_eq!(verdict(&helped, &goal), "proved by s");
}

#[test]
fn there_may_be_nothing_to_decide() {
    let nothing = pattern("component A *s p s; rule Start; x = A; Start");
    assert_eq!(verdict(&nothing, &PatternGoal::deadlock()), "empty");
}

/// The invariants of the smallest instance with so many components, in words.
fn explained(
    pattern: &SystemPattern,
    goal: &PatternGoal,
    components: usize,
    family: InvariantFamily,
) -> Vec<String> {
    let budget = Budget::default();
    let profiles = profiles(pattern, &budget).unwrap();
    let unfolding = &Unfoldings::new(&profiles, 10).of_size(components, &budget)[0];
    let instance = PatternInstance::of(pattern, &profiles, unfolding);
    let found = instance_invariants(pattern, &instance, goal, &[family], &budget).unwrap();
    let name = |at: usize| instance.components[at].short.clone();
    in_words(pattern, &instance, &found, name)
}

#[test]
fn invariants_are_shown_in_words() {
    let ring = known::ring();
    let mutex = PatternGoal::mutex(states(&ring, &["busy"]));
    let one = explained(&ring, &mutex, 3, InvariantFamily::One);
    assert_eq!(one, ["exactly one of x1 in busy, x2 in busy, y1 in busy"]);
    let table = known::sync_table();
    let never = explained(&table, &PatternGoal::never(None), 4, InvariantFamily::One);
    assert_eq!(never, ["exactly one of p1 in eating, f1 in free, p2 in eating"]);
}

//! Profiles and unfoldings, against trees of rules that are put together without any: by names alone.

use pnetc::base::Budget;
use pnetc::parametric::search::{Searched, search};
use pnetc::parametric::{
    PatternGoal, PatternInstance, PatternRuleId, SystemPattern, Unfoldings, profiles,
};

use crate::common::patterns::{known, pattern};

/// The instances of a pattern with so many components.
fn instances(pattern: &SystemPattern, components: usize) -> Vec<PatternInstance> {
    let budget = Budget::default();
    let profiles = profiles(pattern, &budget).unwrap();
    let mut unfoldings = Unfoldings::new(&profiles, 10_000);
    let found = unfoldings.of_size(components, &budget);
    found.iter().map(|one| PatternInstance::of(pattern, &profiles, one)).collect()
}

fn sizes(pattern: &SystemPattern, up_to: usize) -> Vec<usize> {
    (0..=up_to).map(|size| instances(pattern, size).len()).collect()
}

#[test]
fn sizes_are_those_of_the_models() {
    assert_eq!(sizes(&known::ring(), 5), [0, 0, 1, 1, 1, 1]);
    assert_eq!(sizes(&known::star(), 4), [0, 0, 1, 1, 1]);
    assert_eq!(sizes(&known::table(false), 7), [0, 0, 0, 0, 1, 0, 1, 0]);
    assert_eq!(sizes(&known::tree_dfs(), 8), [0, 0, 1, 0, 1, 0, 2, 0, 5]);
    assert_eq!(sizes(&known::tree_linked_leaves(), 9), [0, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
}

#[test]
fn components_have_paths_and_numbers() {
    let ring = known::ring();
    let instance = &instances(&ring, 3)[0];
    let paths: Vec<&str> = instance.components.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["Ring/Chain.x", "Ring/Chain/Chain.x", "Ring/Chain/Chain.y"]);
    let short: Vec<&str> = instance.components.iter().map(|one| one.short.as_str()).collect();
    assert_eq!(short, ["x1", "x2", "y1"]);
    let members: Vec<Vec<usize>> = instance
        .interactions
        .iter()
        .map(|one| one.members.iter().map(|(who, _)| *who).collect())
        .collect();
    assert_eq!(members, [vec![2, 0], vec![0, 1], vec![1, 2]]);
}

#[test]
fn symmetric_philosophers_are_stuck_after_two_steps() {
    let table = known::table(false);
    let instance = &instances(&table, 4)[0];
    let found = search(&table, instance, &PatternGoal::deadlock(), 1000, &Budget::default());
    let Searched::Bad(run) = found else { panic!("{found:?}") };
    assert_eq!(run.steps.len(), 2);
}

#[test]
fn one_component_by_two_names_takes_part_once() {
    // `p` and `q` of `Pair` are one component: they never meet.
    let text = |passed: &str| {
        format!(
            "component A *s p s, s q s; rule Start; x = A; y = A; Pair {passed}; rule Pair a b; p a, q b"
        )
    };
    let different = pattern(&text("x y"));
    let same = pattern(&text("x x"));
    assert_eq!(instances(&different, 2)[0].interactions.len(), 1);
    assert_eq!(instances(&same, 2)[0].interactions.len(), 0);
    let report = profiles(&same, &Budget::default()).unwrap().report;
    assert_eq!(report.impossible, [(PatternRuleId(1), 0)]);
}

#[test]
fn what_is_strange_is_reported() {
    let report = |text: &str| profiles(&pattern(text), &Budget::default()).unwrap().report;
    let endless = report("component A *s p s; rule Start; x = A; More x; rule More x; p x; More x");
    assert_eq!(endless.endless.len(), 2);
    assert_eq!(endless.unused.len(), 2);
    let none = report("component A *s p s; rule Start; x = A; p x, p y");
    assert!(none.counts.len() == 1 && none.counts[0].never(), "{none:?}");
    let two = report("component A *s p s; rule Start; x = A; Own x; rule Own x; x = A");
    assert!(two.counts.len() == 1 && two.counts[0].always_two(), "{two:?}");
    assert_eq!(two.counts[0].places.len(), 2);
    let some = report("component A *s p s; rule Start; One x; rule One x; x = A; rule One x; p x");
    assert!(some.counts.len() == 1 && some.counts[0].leaves_out(), "{some:?}");
    assert_eq!(some.unused, [PatternRuleId(2)]);
    let fine = profiles(&known::table(true), &Budget::default()).unwrap().report;
    assert_eq!(fine, Default::default());
}

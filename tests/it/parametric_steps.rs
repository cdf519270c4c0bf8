//! Protocols that go step by step: how much work they are grows with the steps, not with the sets of them. All tests here count entries
//! and steps of work, which do not depend on the machine.

use pnetc::base::Budget;
use pnetc::parametric::{
    Included, InclusionLimits, InvariantFamily, PatternGoal, Saturated, SystemPattern, WhichSets,
    certificate, included, profiles, recheck,
};

use crate::common::patterns::{known, pattern, states};

/// How many entries a proof has, with at most so many steps of work; and its certificate is one.
fn entries(
    pattern: &SystemPattern,
    goal: &PatternGoal,
    family: InvariantFamily,
    sets: WhichSets,
    steps: u64,
) -> usize {
    let budget = Budget::default();
    let profiles = profiles(pattern, &budget).unwrap();
    let limits = InclusionLimits { steps, sets, ..InclusionLimits::default() };
    let found: Box<Saturated> = match included(pattern, &profiles, goal, &[family], limits, &budget)
    {
        Included::Proved(found) => found,
        other => panic!("{other:?}"),
    };
    let proof = certificate(pattern, &profiles, goal, &[family], &found);
    if pattern.types.iter().all(|of| of.states.len() <= 6) {
        recheck(pattern, goal, &proof, &budget).unwrap();
    }
    found.entries.len()
}

/// Slaves do one step after the other with their master: which of them are where does not matter, but for one.
#[test]
fn traps_of_handshakes_need_two_entries_a_step() {
    let deadlock = PatternGoal::deadlock();
    for steps in [5, 6, 9, 12, 14, 16] {
        let star = known::handshakes(steps);
        let found = entries(
            &star,
            &deadlock,
            InvariantFamily::Trap,
            WhichSets::All,
            60 * steps.pow(4) as u64,
        );
        assert_eq!(found, 2 * steps, "{steps}");
    }
}

/// Of all that could be counted, what is not needed is not.
#[test]
fn one_set_is_enough_for_two_who_must_not_meet() {
    for steps in [4, 9, 14, 20, 33] {
        let star = known::handshakes(steps);
        let mutex = PatternGoal::mutex(states(&star, &["v1"]));
        for (family, most) in [(InvariantFamily::One, 8), (InvariantFamily::Flow, 24)] {
            let found = entries(&star, &mutex, family, WhichSets::Few, 1_000_000);
            assert_eq!(found, most, "{steps} {family:?}");
        }
    }
}

/// Large trees come first where much is guessed, and a situation that nothing excludes is found as well.
#[test]
fn what_is_not_so_is_found_among_many_steps() {
    // The master goes back too early, and a slave is left alone.
    let star = pattern(
        "component Master *w0 w0 w1, w1 w1 w2, w2 w2 w3, w3 w3 w4, w4 w4 w0
        component Slave *v0 v0 v1, v1 v1 v2, v2 v2 v3, v3 v3 v4, v4 v4 v5, v5 v5 v0
        rule Star; m = Master; Slaves s m
        rule Slaves s m; s = Slave; w0 m, v0 s; w1 m, v1 s; w2 m, v2 s; w3 m, v3 s; w4 m, v4 s; Slaves t m
        rule Slaves s m; s = Slave; w0 m, v0 s; w1 m, v1 s; w2 m, v2 s; w3 m, v3 s; w4 m, v4 s",
    );
    let (budget, deadlock) = (Budget::default(), PatternGoal::deadlock());
    let profiles = profiles(&star, &budget).unwrap();
    for family in InvariantFamily::ALL {
        let limits = InclusionLimits::default();
        let found = included(&star, &profiles, &deadlock, &[family], limits, &budget);
        assert!(matches!(found, Included::Model(_)), "{family:?} {found:?}");
    }
}

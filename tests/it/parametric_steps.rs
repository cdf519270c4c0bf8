//! Protocols that go step by step: how much work they are grows with the steps, not with the sets of them. All tests here count entries
//! and steps of work, which do not depend on the machine.

use pnetc::base::{Budget, Unwatched};
use pnetc::parametric::{
    Included, InclusionLimits, InvariantFamily, PatternGoal, PlainSearch, Saturated, SizesLimits,
    SizesVerdict, SystemPattern, WhichSets, certificate, decide, included, profiles, recheck,
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

/// All that a component outside can be is guessed. The master can leave its slave behind in the second of five states: invariants exclude
/// all that is wrong but that, also whatever there is with the first state that fits.
#[test]
fn all_that_a_component_can_be_is_guessed() {
    let pair = pattern(
        "component Master *w0 w0 w1, w1 w1 w2, w1 skip w2, w2 w2 w3, w3 w3 w4, w4 w4 w0
        component Slave *v0 v0 v1, v1 v1 v2, v2 v2 v3, v3 v3 v4, v4 v4 v0
        rule Pair; m = Master; skip m; Other s m
        rule Other s m; s = Slave; w0 m, v0 s; w1 m, v1 s; w2 m, v2 s; w3 m, v3 s; w4 m, v4 s",
    );
    let budget = Budget::default();
    let profiles = profiles(&pair, &budget).unwrap();
    let deadlock = PatternGoal::deadlock();
    for (family, many_facts) in InvariantFamily::ALL.into_iter().zip([1, 1, 5, 6]) {
        let limits = InclusionLimits { many_facts, ..InclusionLimits::default() };
        let found = included(&pair, &profiles, &deadlock, &[family], limits, &budget);
        assert!(matches!(found, Included::Model(_)), "{family:?} {found:?}");
    }
}

/// What follows from a demand is what follows for all who can stand there: of two kinds of masters, one stays where it is.
#[test]
fn what_is_demanded_follows_for_all_kinds() {
    let two = pattern(
        "component Still *a p b, b q b, a live a, b live b
        component Moves *c p d, d q c
        component Slave *v0 p v1, v1 q v0
        rule Net; m = Still; live m; Slaves s m
        rule Net; m = Moves; Slaves s m
        rule Slaves s m; s = Slave; p m, p s; q m, q s; Slaves t m
        rule Slaves s m; s = Slave; p m, p s; q m, q s",
    );
    let deadlock = PatternGoal::deadlock();
    assert!(entries(&two, &deadlock, InvariantFamily::Trap, WhichSets::All, 100_000) > 0);
}

/// Wherever the work ends, what is not so is not proved.
#[test]
fn little_work_proves_nothing_false() {
    let (two, table) = (known::two_holders(), known::table(false));
    let mutex = PatternGoal::mutex(states(&two, &["busy"]));
    let asked = [
        (&two, &mutex, InvariantFamily::One),
        (&two, &mutex, InvariantFamily::Trap),
        (&table, &PatternGoal::deadlock(), InvariantFamily::Trap),
        (&table, &PatternGoal::deadlock(), InvariantFamily::Siphon),
    ];
    let budget = Budget::default();
    for (pattern, goal, family) in asked {
        let profiles = profiles(pattern, &budget).unwrap();
        let mut ended = 0;
        for steps in 1..1500 {
            let limits = InclusionLimits { steps, ..InclusionLimits::default() };
            match included(pattern, &profiles, goal, &[family], limits, &budget) {
                Included::Proved(found) => panic!("{family:?} by {steps} steps: {found:?}"),
                Included::Model(_) => break,
                Included::GaveUp(_) => ended += 1,
            }
        }
        assert!(ended > 3, "{ended}");
    }
}

/// Where few sets are not enough, all are looked at: here three of seven states belong together.
#[test]
fn few_sets_are_not_all() {
    let ring = pattern(
        "component Station *i0 tick i1, i1 tick i2, i2 tick i3, i3 recv b0, b0 tick b1, b1 tick b2, b2 send i0
        component Holder *b0 tick b1, b1 tick b2, b2 send i0, i0 tick i1, i1 tick i2, i2 tick i3, i3 recv b0
        component Clock *c tick c
        rule Ring; k = Clock; send y, recv x; Chain x y k
        rule Chain x y k; x = Station; tick x, tick k; send x, recv z; Chain z y k
        rule Chain x y k; x = Station; y = Holder; tick x, tick k; tick y, tick k; send x, recv y",
    );
    let (budget, mutex) = (Budget::default(), PatternGoal::mutex(states(&ring, &["b0"])));
    let profiles = profiles(&ring, &budget).unwrap();
    let limits = InclusionLimits { sets: WhichSets::Few, ..InclusionLimits::default() };
    let few = included(&ring, &profiles, &mutex, &[InvariantFamily::One], limits, &budget);
    assert!(matches!(few, Included::Model(_)), "{few:?}");
    let mut search = PlainSearch { pattern: &ring, goal: &mutex, most: 10_000 };
    let limits = SizesLimits::default();
    let found = decide(&ring, &profiles, &mutex, limits, &mut search, &Unwatched);
    assert!(matches!(found, SizesVerdict::Proved { .. }), "{found:?}");
}

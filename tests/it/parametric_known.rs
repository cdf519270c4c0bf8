//! What is known about the models of the seed: which families of invariants prove which claim.

use pnetc::base::Budget;
use pnetc::parametric::{
    Included, InclusionLimits, InvariantFamily, PatternGoal, SystemPattern, included, profiles,
};

use crate::common::patterns::{known, states};

/// The letters of the families that prove a claim by themselves.
fn provers(pattern: &SystemPattern, goal: &PatternGoal) -> String {
    let budget = Budget::default();
    let profiles = profiles(pattern, &budget).unwrap();
    let proves = |family: &InvariantFamily| {
        let limits = InclusionLimits::default();
        match included(pattern, &profiles, goal, &[*family], limits, &budget) {
            Included::Proved(_) => true,
            Included::Model(_) => false,
            Included::GaveUp(why) => panic!("{why}"),
        }
    };
    InvariantFamily::ALL.iter().filter(|one| proves(one)).map(|one| one.letter()).collect()
}

fn mutex(pattern: &SystemPattern, labels: &[&str]) -> PatternGoal {
    PatternGoal::mutex(states(pattern, labels))
}

#[test]
fn deadlocks_are_excluded_by_these_families() {
    let provers = |pattern: &SystemPattern| provers(pattern, &PatternGoal::deadlock());
    assert_eq!(provers(&known::ring()), "tof", "Ring");
    assert_eq!(provers(&known::star()), "tof", "Star");
    assert_eq!(provers(&known::star_ring()), "tof", "StarRing");
    assert_eq!(provers(&known::table(false)), "", "SymTable");
    assert_eq!(provers(&known::table(true)), "of", "AsymTable");
    assert_eq!(provers(&known::sync_table()), "tof", "SyncTable");
    assert_eq!(provers(&known::tree_dfs()), "tof", "TreeDfs");
    assert_eq!(provers(&known::tree_back_root()), "tof", "TreeBackRoot");
    assert_eq!(provers(&known::tree_linked_leaves()), "tof", "TreeLinkedLeaves");
    assert_eq!(provers(&known::two_holders()), "tf", "two holders");
}

#[test]
fn claims_are_proved_by_these_families() {
    let ring = known::ring();
    assert_eq!(provers(&ring, &mutex(&ring, &["busy"])), "of");
    let star = known::star_ring();
    assert_eq!(provers(&star, &mutex(&star, &["token"])), "of");
    let leaves = known::tree_linked_leaves();
    assert_eq!(provers(&leaves, &mutex(&leaves, &["token"])), "of");
    for table in [known::table(false), known::table(true), known::sync_table()] {
        assert_eq!(provers(&table, &PatternGoal::never(Some("neighbours"))), "of");
        assert_eq!(provers(&table, &PatternGoal::never(None)), "of");
    }
    let two = known::two_holders();
    assert_eq!(provers(&two, &mutex(&two, &["busy"])), "");
    assert_eq!(provers(&two, &PatternGoal::at_most(2, states(&two, &["busy"]))), "f");
}

#[test]
fn weights_are_not_tried() {
    let last = |pattern: &SystemPattern, label: &str| {
        provers(pattern, &PatternGoal::at_most(0, states(pattern, &[label])))
    };
    assert_eq!(last(&known::pairs(3, 2), "A.s3"), "");
    assert!(last(&known::pairs(2, 1), "A.s2").contains('o'));
}

//! Reductions, against each relation as it is defined, on random systems with silent circles and states that are not
//! reached.

use pnetc::base::{IndexVec, Unwatched};
use pnetc::lts::refine::{Task, refine, unstable};
use pnetc::lts::{
    Equivalence, Lts, LtsState, NotReduced, Partition, ReduceLimits, Splitting, contract, reduce,
    told_apart, union, weakly_refined,
};

use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::naive::{self, Model, Pairs};
use crate::common::systems::{Stops, changed, random, read, written};

/// How many systems are tried of each kind.
fn many() -> u64 {
    fuzz().unwrap_or(2500)
}

fn reduced(lts: &Lts, by: Equivalence) -> Lts {
    reduce(lts.clone(), by, ReduceLimits::default(), &Unwatched).unwrap()
}

#[track_caller]
fn same(lts: &Lts, found: impl Fn(LtsState, LtsState) -> bool, expected: &Pairs, what: &str) {
    for one in lts.ids() {
        for other in lts.ids() {
            let (found, expected) = (found(one, other), expected.has(one, other));
            assert_eq!(found, expected, "{what}: {one:?} and {other:?} of\n{}", written(lts));
        }
    }
}

/// The partition of all states by a bisimilarity.
fn partition(lts: &Lts, hides: bool, diverging: bool) -> Partition {
    if !hides {
        let task = Task { lts, hides, diverges: None };
        let found = refine(task, &Unwatched);
        assert_eq!(unstable(task, &found), None);
        return found;
    }
    let contracted = contract(lts.clone());
    let diverges = diverging.then_some(&contracted.diverges);
    let task = Task { lts: &contracted.lts, hides, diverges };
    let found = refine(task, &Unwatched);
    assert_eq!(unstable(task, &found), None, "{}", written(lts));
    found.behind(&contracted.of)
}

#[test]
fn partitions_are_those_of_the_definitions() {
    for seed in seeds(many()) {
        let lts = random(&mut Random::new(seed));
        let strong = partition(&lts, false, false);
        same(
            &lts,
            |a, b| strong.together(a, b),
            &naive::strong(&lts),
            &format!("strong, seed {seed}"),
        );
        let branching = partition(&lts, true, false);
        let what = format!("branching, seed {seed}");
        same(&lts, |a, b| branching.together(a, b), &naive::branching(&lts), &what);
        let preserving = partition(&lts, true, true);
        let what = format!("divergence-preserving, seed {seed}");
        same(&lts, |a, b| preserving.together(a, b), &naive::divergence_preserving(&lts), &what);
        let contracted = contract(lts.clone());
        let weak = weakly_refined(&contracted.lts, &Unwatched).behind(&contracted.of);
        same(&lts, |a, b| weak.together(a, b), &naive::weak(&lts), &format!("weak, seed {seed}"));
    }
}

/// Partitions that are not stable, or not coarsest, are told from those that are.
#[test]
fn a_partition_that_is_not_stable_is_noticed() {
    let mut noticed = 0;
    for seed in seeds(300) {
        let mut dice = Random::new(seed);
        let lts = random(&mut dice);
        let task = Task { lts: &lts, hides: false, diverges: None };
        let right = refine(task, &Unwatched);
        if right.len() < 2 {
            continue;
        }
        let (one, other) = (dice.below(right.len()) as u32, dice.below(right.len()) as u32);
        let merged: IndexVec<LtsState, _> = lts
            .ids()
            .map(|state| match right.block(state) {
                block if block.0 == one => pnetc::lts::BlockId(other),
                block => block,
            })
            .collect();
        let merged = Partition::new(&merged);
        assert_eq!(
            unstable(task, &merged).is_some(),
            one != other,
            "seed {seed}\n{}",
            written(&lts)
        );
        noticed += usize::from(one != other);
    }
    assert!(noticed > 20 || seeds(300).count() == 1, "{noticed}");
}

/// What the definition says about the initial states of two systems.
fn equivalent(first: &Lts, second: &Lts, by: Equivalence) -> bool {
    let (both, start) = union(first, second);
    let initial = both.initial();
    let mutual = |model: Model| {
        naive::refines(&both, initial, start, model) && naive::refines(&both, start, initial, model)
    };
    match by {
        Equivalence::Strong => naive::strong(&both).has(initial, start),
        Equivalence::Branching => naive::branching(&both).has(initial, start),
        Equivalence::DivergencePreserving => {
            naive::divergence_preserving(&both).has(initial, start)
        }
        Equivalence::Weak => naive::weak(&both).has(initial, start),
        Equivalence::Trace => mutual(Model::Trace),
        Equivalence::WeakTrace => mutual(Model::WeakTrace),
        Equivalence::Safety => {
            let pairs = naive::safety(&both);
            pairs.has(initial, start) && pairs.has(start, initial)
        }
    }
}

const ALL: [Equivalence; 7] = [
    Equivalence::Strong,
    Equivalence::Branching,
    Equivalence::DivergencePreserving,
    Equivalence::Weak,
    Equivalence::Trace,
    Equivalence::WeakTrace,
    Equivalence::Safety,
];

#[test]
fn what_is_reduced_is_equivalent() {
    for seed in seeds(many()) {
        let lts = random(&mut Random::new(seed));
        for by in ALL {
            let small = reduced(&lts, by);
            let shown = || format!("{by:?}, seed {seed}\n{}\n{}", written(&lts), written(&small));
            assert!(equivalent(&lts, &small, by), "{}", shown());
            assert_eq!(naive::reached(&small).len(), small.states(), "{}", shown());
            assert_eq!(small.initial(), LtsState(0), "{}", shown());
        }
    }
}

/// A relation as it is defined.
type Naive = fn(&Lts) -> Pairs;

/// No two states of what is reduced are equivalent, and there are as many as there are classes.
#[test]
fn what_is_reduced_is_smallest() {
    for seed in seeds(many()) {
        let lts = random(&mut Random::new(seed));
        let reached = naive::reached(&lts);
        let all: [(Equivalence, Naive); 4] = [
            (Equivalence::Strong, naive::strong),
            (Equivalence::Branching, naive::branching),
            (Equivalence::DivergencePreserving, naive::divergence_preserving),
            (Equivalence::Weak, naive::weak),
        ];
        for (by, pairs) in all {
            let small = reduced(&lts, by);
            let classes = pairs(&lts).classes(&reached);
            assert_eq!(small.states(), classes, "{by:?}, seed {seed}\n{}", written(&lts));
        }
        for by in [Equivalence::Trace, Equivalence::WeakTrace, Equivalence::Safety] {
            let small = reduced(&lts, by);
            assert!(
                smallest(&small, by),
                "{by:?}, seed {seed}\n{}\n{}",
                written(&lts),
                written(&small)
            );
        }
    }
}

fn smallest(small: &Lts, by: Equivalence) -> bool {
    let model = if by == Equivalence::Trace { Model::Trace } else { Model::WeakTrace };
    let pairs = naive::safety(small);
    let alike = |one: LtsState, other: LtsState| match by {
        Equivalence::Safety => pairs.has(one, other) && pairs.has(other, one),
        _ => naive::refines(small, one, other, model) && naive::refines(small, other, one, model),
    };
    small.ids().all(|one| small.ids().all(|other| one == other || !alike(one, other)))
}

/// Equivalent systems have quotients of the same size, whatever their states are called.
#[test]
fn quotients_do_not_depend_on_numbers() {
    let mut same = 0;
    for seed in seeds(many()) {
        let mut dice = Random::new(seed);
        let lts = random(&mut dice);
        let other = changed(&lts, &mut dice);
        for by in ALL {
            let (one, two) = (reduced(&lts, by), reduced(&other, by));
            if equivalent(&lts, &other, by) {
                assert_eq!(one.states(), two.states(), "{by:?}, seed {seed}\n{}", written(&lts));
                same += 1;
            }
            assert_eq!(written(&one), written(&reduced(&lts, by)), "not the same in every run");
        }
    }
    assert!(same > 100 || seeds(many()).count() < 100, "{same}");
}

/// A finer relation never leaves fewer states.
#[test]
fn relations_are_in_order() {
    for seed in seeds(many()) {
        let lts = random(&mut Random::new(seed));
        let size = |by: Equivalence| reduced(&lts, by).states();
        let [strong, branching, preserving, weak] = [
            Equivalence::Strong,
            Equivalence::Branching,
            Equivalence::DivergencePreserving,
            Equivalence::Weak,
        ]
        .map(size);
        assert!(
            strong >= preserving && preserving >= branching && branching >= weak,
            "seed {seed}"
        );
    }
}

/// Nothing recurses along silent steps.
#[test]
fn long_silent_chains_need_no_stack() {
    let states: usize = 300_000;
    let mut text = format!("des (0, {}, {})\n", states, states + 1);
    (0..states).for_each(|at| {
        text += &format!("({at}, {}, {})\n", if at % 7 == 0 { "a" } else { "tau" }, at + 1)
    });
    let lts = read(&text);
    let visible = states.div_ceil(7);
    assert_eq!(reduced(&lts, Equivalence::Branching).states(), visible + 1);
    assert_eq!(reduced(&lts, Equivalence::Strong).states(), states + 1);
    assert_eq!(reduced(&lts, Equivalence::WeakTrace).states(), visible + 1);
    // One circle of all of them.
    let circle = read(&text.replace(&format!(", {states})\n"), ", 0)\n").replace("a,", "tau,"));
    let small = reduced(&circle, Equivalence::DivergencePreserving);
    assert_eq!((small.states(), small.transitions()), (1, 1));
    assert_eq!(reduced(&circle, Equivalence::Branching).transitions(), 0);
}

/// Work that is stopped says so, or has come to its end: there is no wrong result, and nothing panics.
#[test]
fn work_can_be_stopped_anywhere() {
    let (mut stopped, mut done) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(200)) {
        let lts = random(&mut Random::new(seed));
        for by in ALL {
            let whole = written(&reduced(&lts, by));
            for looks in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144] {
                let watch = Stops::after(looks);
                let _here = watch.0.enter();
                match reduce(lts.clone(), by, ReduceLimits::default(), &watch) {
                    Ok(small) => {
                        assert_eq!(written(&small), whole, "{by:?}, seed {seed}, {looks} looks");
                        done += 1;
                    }
                    Err(NotReduced::Spent(_)) => stopped += 1,
                    Err(other) => panic!("{by:?}, seed {seed}, {looks} looks: {other}"),
                }
            }
        }
    }
    assert!(seeds(200).count() == 1 || stopped > 100 && done > 100, "{stopped} {done}");
}

/// What is reduced is taken apart state by state: any two states are on different sides of a split. What is not reduced has two
/// that are not, where the definitions say so.
#[test]
fn the_smallest_system_is_told_apart_by_formulas() {
    let mut together = 0;
    for seed in seeds(fuzz().unwrap_or(400)) {
        let lts = random(&mut Random::new(seed));
        let (trace, weak_trace) = (Equivalence::Trace, Equivalence::WeakTrace);
        let bisimilarities: [(Equivalence, Pairs); 4] = [
            (Equivalence::Strong, naive::strong(&lts)),
            (Equivalence::Branching, naive::branching(&lts)),
            (Equivalence::DivergencePreserving, naive::divergence_preserving(&lts)),
            (Equivalence::Weak, naive::weak(&lts)),
        ];
        for by in bisimilarities.iter().map(|(by, _)| *by).chain([trace, weak_trace]) {
            let small = reduced(&lts, by);
            let apart = told_apart(&small, by, &Unwatched).unwrap().unwrap();
            let what = format!("{by:?}, seed {seed}\n{}", written(&small));
            assert_eq!((apart.alike, apart.splits.len()), (None, small.states() - 1), "{what}");
            for one in small.ids() {
                for other in small.ids().filter(|other| *other != one) {
                    let parts = |split: &&Splitting| {
                        let has = |all: &[LtsState], state| all.contains(&state);
                        has(&split.holds, one) && has(&split.fails, other)
                            || has(&split.holds, other) && has(&split.fails, one)
                    };
                    assert_eq!(apart.splits.iter().filter(parts).count(), 1, "{what}");
                }
            }
        }
        for (by, pairs) in bisimilarities {
            let apart = told_apart(&lts, by, &Unwatched).unwrap().unwrap();
            let states: Vec<LtsState> = lts.ids().collect();
            let alike = pairs.classes(&states) < states.len();
            assert_eq!(apart.alike.is_some(), alike, "{by:?}, seed {seed}\n{}", written(&lts));
            if let Some((one, other)) = apart.alike {
                together += 1;
                assert!(pairs.has(one, other) && one != other, "{by:?}, seed {seed}");
            }
        }
        assert!(told_apart(&lts, Equivalence::Safety, &Unwatched).unwrap().is_none());
    }
    assert!(together > 0);
}

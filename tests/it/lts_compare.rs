//! Comparisons of systems, against each relation as it is defined; and what tells two systems apart does.

use pnetc::base::Unwatched;
use pnetc::lts::{
    Difference, Equivalence, Excess, Lts, LtsCompared, LtsQuestion, NotReduced, ReduceLimits, Seen,
    Side, Then, compare, union,
};

use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::naive::{self, Model};
use crate::common::systems::{Stops, changed, random, read, written};

fn many() -> u64 {
    fuzz().unwrap_or(2500)
}

fn asked(first: &Lts, second: &Lts, question: LtsQuestion) -> LtsCompared {
    let found =
        compare(first.clone(), second.clone(), question, ReduceLimits::default(), &Unwatched);
    found.unwrap_or_else(|why| {
        panic!("{question:?}: {why}\n{}\n{}", written(first), written(second))
    })
}

const QUESTIONS: [LtsQuestion; 14] = [
    LtsQuestion::Equivalent(Equivalence::Strong),
    LtsQuestion::Equivalent(Equivalence::Branching),
    LtsQuestion::Equivalent(Equivalence::DivergencePreserving),
    LtsQuestion::Equivalent(Equivalence::Weak),
    LtsQuestion::Equivalent(Equivalence::Trace),
    LtsQuestion::Equivalent(Equivalence::WeakTrace),
    LtsQuestion::Equivalent(Equivalence::Safety),
    LtsQuestion::Simulated,
    LtsQuestion::Refines(Seen::Traces),
    LtsQuestion::Refines(Seen::WeakTraces),
    LtsQuestion::Refines(Seen::Failures),
    LtsQuestion::Refines(Seen::FailuresDivergences),
    LtsQuestion::SeenAlike(Seen::Failures),
    LtsQuestion::SeenAlike(Seen::FailuresDivergences),
];

fn model(seen: Seen) -> Model {
    match seen {
        Seen::Traces => Model::Trace,
        Seen::WeakTraces => Model::WeakTrace,
        Seen::Failures => Model::Failures,
        Seen::FailuresDivergences => Model::FailuresDivergences,
    }
}

/// What the definitions say.
fn expected(first: &Lts, second: &Lts, question: LtsQuestion) -> bool {
    let (both, other) = union(first, second);
    let one = both.initial();
    let refines = |seen: Seen| naive::refines(&both, one, other, model(seen));
    let alike = |seen: Seen| refines(seen) && naive::refines(&both, other, one, model(seen));
    match question {
        LtsQuestion::Equivalent(Equivalence::Strong) => naive::strong(&both).has(one, other),
        LtsQuestion::Equivalent(Equivalence::Branching) => naive::branching(&both).has(one, other),
        LtsQuestion::Equivalent(Equivalence::DivergencePreserving) => {
            naive::divergence_preserving(&both).has(one, other)
        }
        LtsQuestion::Equivalent(Equivalence::Weak) => naive::weak(&both).has(one, other),
        LtsQuestion::Equivalent(Equivalence::Trace) => alike(Seen::Traces),
        LtsQuestion::Equivalent(Equivalence::WeakTrace) => alike(Seen::WeakTraces),
        LtsQuestion::Equivalent(Equivalence::Safety) => {
            let pairs = naive::safety(&both);
            pairs.has(one, other) && pairs.has(other, one)
        }
        LtsQuestion::Simulated => naive::safety(&both).has(one, other),
        LtsQuestion::Refines(seen) => refines(seen),
        LtsQuestion::SeenAlike(seen) => alike(seen),
    }
}

#[test]
fn comparisons_are_those_of_the_definitions() {
    let (mut yes, mut no, mut formulas) = (0, 0, 0);
    for seed in seeds(many()) {
        let mut dice = Random::new(seed);
        let first = random(&mut dice);
        let second = if dice.one_in(4) { random(&mut dice) } else { changed(&first, &mut dice) };
        for question in QUESTIONS {
            let found = asked(&first, &second, question);
            let shown =
                || format!("{question:?}, seed {seed}\n{}\n{}", written(&first), written(&second));
            assert_eq!(found.holds, expected(&first, &second, question), "{}", shown());
            assert_eq!(found.holds, found.difference.is_none(), "{}", shown());
            formulas += usize::from(matches!(found.difference, Some(Difference::Formula { .. })));
            *(if found.holds { &mut yes } else { &mut no }) += 1;
        }
    }
    if seeds(many()).count() > 1000 {
        assert!(
            yes > 1000 && no > 1000 && formulas > 100,
            "{yes} yes, {no} no, {formulas} formulas"
        );
    }
}

#[track_caller]
fn trace(found: &LtsCompared) -> (Side, Vec<&str>, &Then) {
    let Some(Difference::Seen { of, excess: Excess { trace, then } }) = &found.difference else {
        panic!("no trace: {:?}", found.difference)
    };
    (*of, trace.iter().map(|label| found.labels.text(*label)).collect(), then)
}

#[track_caller]
fn formula(found: &LtsCompared) -> (Side, String) {
    let Some(Difference::Formula { of, formulas, formula }) = &found.difference else {
        panic!("no formula: {:?}", found.difference)
    };
    (*of, formulas.text(*formula, &found.labels, 1000).unwrap())
}

#[test]
fn traces_are_shortest() {
    let first = read("des (0, 4, 4)\n(0, a, 1)\n(1, b, 2)\n(2, c, 3)\n(0, tau, 0)\n");
    let second = read("des (0, 3, 4)\n(0, a, 1)\n(1, tau, 2)\n(2, b, 3)\n");
    let found = asked(&first, &second, LtsQuestion::Refines(Seen::WeakTraces));
    assert_eq!(trace(&found), (Side::First, vec!["a", "b", "c"], &Then::Stuck));
    let found = asked(&second, &first, LtsQuestion::Refines(Seen::WeakTraces));
    assert!(found.holds);
    let found = asked(&first, &second, LtsQuestion::Equivalent(Equivalence::Strong));
    assert_eq!(trace(&found), (Side::First, vec!["tau"], &Then::Stuck));
    let found = asked(&first, &second, LtsQuestion::Refines(Seen::FailuresDivergences));
    assert_eq!(trace(&found), (Side::First, vec![], &Then::Diverges));
}

#[test]
fn refusals_are_shown() {
    let chosen = read("des (0, 4, 4)\n(0, a, 1)\n(0, a, 2)\n(1, b, 3)\n(2, c, 3)\n");
    let offered = read("des (0, 3, 3)\n(0, a, 1)\n(1, b, 2)\n(1, c, 2)\n");
    assert!(asked(&chosen, &offered, LtsQuestion::Equivalent(Equivalence::Trace)).holds);
    assert!(asked(&offered, &chosen, LtsQuestion::Refines(Seen::Failures)).holds);
    let found = asked(&chosen, &offered, LtsQuestion::Refines(Seen::Failures));
    let (side, trace, then) = trace(&found);
    assert_eq!((side, trace), (Side::First, vec!["a"]));
    let Then::Refuses { offers } = then else { panic!("{then:?}") };
    assert_eq!(offers.iter().map(|label| found.labels.text(*label)).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn formulas_tell_what_traces_do_not() {
    let chosen = read("des (0, 4, 4)\n(0, a, 1)\n(0, a, 2)\n(1, b, 3)\n(2, c, 3)\n");
    let offered = read("des (0, 3, 3)\n(0, a, 1)\n(1, b, 2)\n(1, c, 2)\n");
    let found = asked(&chosen, &offered, LtsQuestion::Equivalent(Equivalence::Strong));
    assert_eq!(formula(&found), (Side::First, "<a>not <c>true".to_owned()));
    let found = asked(&chosen, &offered, LtsQuestion::Equivalent(Equivalence::Weak));
    assert_eq!(formula(&found), (Side::First, "<<a>>not <<c>>true".to_owned()));
    let found = asked(&chosen, &offered, LtsQuestion::Equivalent(Equivalence::Safety));
    assert_eq!(
        formula(&found),
        (Side::Second, "<tau*.a>(<tau*.c>true and <tau*.b>true)".to_owned())
    );
    // A silent step that takes away a choice is seen by branching bisimilarity, and not by weak bisimilarity.
    let first = read("des (0, 4, 4)\n(0, a, 1)\n(0, tau, 2)\n(0, b, 1)\n(2, b, 3)\n");
    let second = read("des (0, 3, 4)\n(0, a, 1)\n(0, tau, 2)\n(2, b, 3)\n");
    assert!(asked(&first, &second, LtsQuestion::Equivalent(Equivalence::Weak)).holds);
    let found = asked(&first, &second, LtsQuestion::Equivalent(Equivalence::Branching));
    assert_eq!(formula(&found), (Side::First, "(true <a> true) <b> true".to_owned()));
}

#[test]
fn going_on_for_ever_is_told() {
    let first = read("des (0, 2, 2)\n(0, tau, 0)\n(0, a, 1)\n");
    let second = read("des (0, 1, 2)\n(0, a, 1)\n");
    assert!(asked(&first, &second, LtsQuestion::Equivalent(Equivalence::Branching)).holds);
    let found = asked(&first, &second, LtsQuestion::Equivalent(Equivalence::DivergencePreserving));
    assert_eq!(formula(&found), (Side::First, "<tau...>true".to_owned()));
}

/// Work that is stopped says so, or has come to its end.
#[test]
fn work_can_be_stopped_anywhere() {
    let (mut stopped, mut done) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(200)) {
        let mut dice = Random::new(seed);
        let first = random(&mut dice);
        let second = changed(&first, &mut dice);
        for question in QUESTIONS {
            let holds = asked(&first, &second, question).holds;
            for looks in [0, 1, 3, 8, 21, 34, 55, 89, 144, 233] {
                let watch = Stops::after(looks);
                let _here = watch.0.enter();
                match compare(
                    first.clone(),
                    second.clone(),
                    question,
                    ReduceLimits::default(),
                    &watch,
                ) {
                    Ok(found) => {
                        assert_eq!(found.holds, holds, "{question:?}, seed {seed}, {looks} looks");
                        done += 1;
                    }
                    Err(NotReduced::Spent(_)) => stopped += 1,
                    Err(other) => panic!("{question:?}, seed {seed}, {looks} looks: {other}"),
                }
            }
        }
    }
    assert!(seeds(200).count() == 1 || stopped > 100 && done > 100, "{stopped} {done}");
}

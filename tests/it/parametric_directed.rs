//! Small patterns in which one fact has to find its way: from where a component is made to where somebody looks at it, by all ways
//! that rules can put between the two. In each, one version is fine and another is not, and no family of invariants, no claim
//! and no certificate may take one for the other.

use pnetc::base::Budget;
use pnetc::parametric::search::{Searched, search};
use pnetc::parametric::{
    Included, InclusionLimits, InvariantFamily, PatternGoal, PatternInstance, SizesCertificate,
    SystemPattern, Unfoldings, certificate, included, profiles, recheck,
};

use crate::common::patterns::{pattern, states};

/// What stands between `x`, who is looked at, and `w`, with whom it does `p`: rules, with `{}` in the place of what is said of
/// the two.
const WAYS: [(&str, &str); 19] = [
    ("both here", "rule S; x = V; w = W; {}"),
    ("the other in a part", "rule S; x = V; {}; A w\nrule A w; w = W"),
    ("in a part", "rule S; w = W; {}; A x\nrule A x; x = V"),
    ("in a part of a part", "rule S; w = W; {}; A x\nrule A x; B x\nrule B x; x = V"),
    ("both in parts", "rule S; {}; A w; B x\nrule A w; w = W\nrule B x; x = V"),
    (
        "both in parts, the other way round",
        "rule S; {}; B x; A w\nrule A w; w = W\nrule B x; x = V",
    ),
    ("from outside", "rule S; x = V; A x\nrule A x; w = W; {}"),
    ("the other from outside", "rule S; w = W; A w\nrule A w; x = V; {}"),
    ("the other from far outside", "rule S; w = W; A w\nrule A w; u = W; B w\nrule B w; x = V; {}"),
    ("from far outside", "rule S; x = V; A x\nrule A x; u = W; B x\nrule B x; w = W; {}"),
    ("from outside, both", "rule S; x = V; w = W; A x w\nrule A x w; u = W; {}"),
    (
        "from far outside, both",
        "rule S; x = V; w = W; A x w\nrule A x w; B w x\nrule B w x; u = W; {}",
    ),
    ("between parts", "rule S; A x; B x\nrule A x; x = V\nrule B x; w = W; {}"),
    (
        "between parts, the other way round",
        "rule S; B x; A x\nrule A x; x = V\nrule B x; w = W; {}",
    ),
    (
        "between parts of parts",
        "rule S; A x; B x\nrule A x; C x\nrule C x; x = V\nrule B x; D x\nrule D x; w = W; {}",
    ),
    (
        "between parts, and both from outside",
        "rule S; A x w; B x w\nrule A x w; x = V; w = W\nrule B x w; u = W; D x w\nrule D x w; u = W; {}",
    ),
    ("down a chain", "rule S; x = V; A x\nrule A x; u = W; A x\nrule A x; w = W; {}"),
    ("up a chain", "rule S; w = W; {}; A x\nrule A x; u = W; A x\nrule A x; x = V"),
    ("by two names", "rule S; x = V; A x x\nrule A y x; w = W; {}"),
];

/// A pattern: what the component does, which way, and what is said of the two.
fn made(component: &str, way: &str, said: &str) -> SystemPattern {
    let text = format!("{component}\ncomponent W *w q w., v q w\n{}", way.replace("{}", said));
    pattern(&text)
}

/// What is asked, of which family of invariants.
struct Asked<'a> {
    goal: PatternGoal,
    family: InvariantFamily,
    told: &'a str,
}

fn limits() -> InclusionLimits {
    InclusionLimits { entries: 2000, steps: 200_000, ..InclusionLimits::default() }
}

/// The certificate, where it is proved.
fn proved(pattern: &SystemPattern, asked: &Asked<'_>) -> Option<SizesCertificate> {
    let budget = Budget::default();
    let profiles = profiles(pattern, &budget).unwrap();
    let (goal, family) = (&asked.goal, [asked.family]);
    match included(pattern, &profiles, goal, &family, limits(), &budget) {
        Included::Proved(found) => Some(certificate(pattern, &profiles, goal, &family, &found)),
        Included::Model(_) => None,
        Included::GaveUp(why) => panic!("{}: {why}", asked.told),
    }
}

/// Whether something bad is reached in a small unfolding.
fn is_reached(pattern: &SystemPattern, goal: &PatternGoal) -> bool {
    let budget = Budget::default();
    let profiles = profiles(pattern, &budget).unwrap();
    let mut unfoldings = Unfoldings::new(&profiles, 30);
    let all: Vec<_> = (0..=4).flat_map(|size| unfoldings.of_size(size, &budget)).collect();
    assert!(!all.is_empty());
    all.iter().any(|one| {
        let instance = PatternInstance::of(pattern, &profiles, one);
        matches!(search(pattern, &instance, goal, 1000, &budget), Searched::Bad(_))
    })
}

/// The fine version is proved, and confirmed; the other is not, nor by what confirmed the first.
fn told_apart(fine: &SystemPattern, other: &SystemPattern, asked: &Asked<'_>) {
    let (told, goal) = (format!("{} by {:?}", asked.told, asked.family), &asked.goal);
    let found = proved(fine, asked).unwrap_or_else(|| panic!("{told}: not proved"));
    recheck(fine, goal, &found, &Budget::default()).unwrap_or_else(|why| panic!("{told}: {why}"));
    assert!(!is_reached(fine, goal), "{told}");
    assert!(is_reached(other, goal), "{told}: nothing bad");
    assert!(proved(other, asked).is_none(), "{told}: something false is proved");
    let confirmed = recheck(other, goal, &found, &Budget::default());
    assert!(confirmed.is_err(), "{told}: something false is confirmed");
}

/// For all ways and families: a component that stays where it is, and one that does not.
fn by_all_ways(fine: &str, other: &str, said: &str, goal: impl Fn(&SystemPattern) -> PatternGoal) {
    for (told, way) in WAYS {
        let (fine, other) = (made(fine, way, said), made(other, way, said));
        for family in InvariantFamily::ALL {
            told_apart(&fine, &other, &Asked { goal: goal(&fine), family, told });
        }
    }
}

/// Nobody gets to `one`.
fn nowhere(pattern: &SystemPattern) -> PatternGoal {
    PatternGoal::at_most(0, states(pattern, &["V.one"]))
}

const STAYS: &str = "component V *zero p zero, one p one, zero r zero";
const LEAVES: &str = "component V *zero p one, one p one, zero r zero";

#[test]
fn moves_are_seen_by_all_ways() {
    by_all_ways(STAYS, LEAVES, "p x, q w", nowhere);
}

/// One that begins there, if it likes, is there.
#[test]
fn all_beginnings_are_seen_by_all_ways() {
    let either = "component V *zero p zero, *one p one, zero r zero";
    by_all_ways(STAYS, either, "p x, q w", nowhere);
}

/// Two are two, wherever they are made.
#[test]
fn members_are_counted_by_all_ways() {
    let ways = [
        "rule S; x = V; y = V; p x, p y",
        "rule S; x = V; A y; p x, p y\nrule A y; y = V",
        "rule S; A x; A y; p x, p y\nrule A y; y = V",
        "rule S; A x; B y; p x, p y\nrule A y; y = V\nrule B y; A y",
        "rule S; x = V; A x\nrule A x; y = V; p x, p y",
    ];
    for way in ways {
        let pattern = pattern(&format!("component V *zero p one, one p zero\n{way}"));
        for family in InvariantFamily::ALL {
            let goal = PatternGoal::mutex(states(&pattern, &["zero"]));
            assert!(is_reached(&pattern, &goal), "{way}");
            let asked = Asked { goal, family, told: way };
            assert!(proved(&pattern, &asked).is_none(), "{way} by {family:?}");
        }
        let goal = PatternGoal::at_most(2, states(&pattern, &["zero", "one"]));
        let asked = Asked { goal, family: InvariantFamily::Trap, told: way };
        assert!(proved(&pattern, &asked).is_some(), "{way}");
    }
}

/// Several parts look at one component: what each of them demands counts, in whatever order they stand.
#[test]
fn demands_of_all_parts_count() {
    let components =
        "component V *zero p one, zero r zero\ncomponent U *u0 s u1\ncomponent W *w q w.";
    for parts in ["A x; B x", "B x; A x"] {
        let made = |port: &str| {
            pattern(&format!(
                "{components}\nrule S; x = V; {parts}\nrule A x; w = W; {port} x, q w\n\
                 rule B x; u = U; p x, s u; never c: x one & u u0"
            ))
        };
        let (fine, other) = (made("r"), made("p"));
        for family in [InvariantFamily::Trap, InvariantFamily::One, InvariantFamily::Flow] {
            let goal = PatternGoal::never(None);
            told_apart(&fine, &other, &Asked { goal, family, told: parts });
        }
    }
}

#[test]
fn moves_of_one_alone_are_seen_by_all_ways() {
    by_all_ways(STAYS, LEAVES, "p x", nowhere);
}

#[test]
fn what_stops_is_seen_by_all_ways() {
    let deadlock = |_: &SystemPattern| PatternGoal::deadlock();
    let stops = "component V *zero p one, one r one";
    by_all_ways("component V *zero p zero, one r one", stops, "p x, q w", deadlock);
    by_all_ways("component V *zero p zero, one r one", stops, "q w, p x", deadlock);
    by_all_ways("component V *zero p zero, one r one", stops, "p x", deadlock);
}

#[test]
fn claims_are_seen_by_all_ways() {
    let said = "p x; never c: x one & w w";
    let never = |_: &SystemPattern| PatternGoal::never(Some("c"));
    by_all_ways(STAYS, LEAVES, said, never);
    by_all_ways(STAYS, LEAVES, "p x; never c: !x zero & !w v", |_| PatternGoal::never(None));
}

/// What only may happen does not keep anything going, wherever it is looked at.
#[test]
fn what_may_happen_is_no_rescue() {
    for (told, way) in WAYS {
        for (component, said) in [
            ("component V *zero p? zero, one p one", "p x, q w"),
            ("component V *zero p zero, one p one", "?p x, q w"),
        ] {
            let pattern = made(component, way, said);
            for family in InvariantFamily::ALL {
                let asked = Asked { goal: PatternGoal::deadlock(), family, told };
                assert!(proved(&pattern, &asked).is_none(), "{told} by {family:?}: {said}");
            }
        }
    }
}

/// One component by two names does not move with itself, so it stands still.
#[test]
fn nobody_moves_with_himself() {
    let ways = [
        "rule S; x = V; A x x\nrule A y x; p x, r y",
        "rule S; x = V; A x x\nrule A y x; B y x\nrule B y x; p x, r y",
        "rule S; B x; A x x\nrule B x; x = V\nrule A y x; p x, r y",
        "rule S; A x x y\nrule A a b c; c = W; B a c b\nrule B a c b; p a, r b; D a y\nrule D a y; a = V; y = V",
    ];
    for way in ways {
        let pattern =
            pattern(&format!("component V *zero p zero, zero r zero\ncomponent W *w q w.\n{way}"));
        assert!(is_reached(&pattern, &PatternGoal::deadlock()), "{way}");
        for family in InvariantFamily::ALL {
            let asked = Asked { goal: PatternGoal::deadlock(), family, told: way };
            assert!(proved(&pattern, &asked).is_none(), "{way} by {family:?}");
        }
    }
}

/// Tokens that go from one part to another: the set that shows it has something in both, and where it begins in the second.
#[test]
fn sets_reach_into_all_parts() {
    let tokens = "component From *has give had\ncomponent To *waits take got";
    let ways = [
        "rule S; A x; B y; give x, take y\nrule A x; x = From\nrule B y; y = To",
        "rule S; B y; A x; give x, take y\nrule A x; x = From\nrule B y; y = To",
        "rule S; A x; B y; give x, take y\nrule A x; C x\nrule C x; x = From\nrule B y; D y\nrule D y; y = To",
        "rule S; U u; A x; B y x\nrule U u; u = To\nrule A x; x = From\nrule B y x; y = To; give x, take y",
    ];
    for way in ways {
        let pattern = pattern(&format!("{tokens}\n{way}"));
        // Exactly one of `has` and `got` is taken: never both.
        let goal = PatternGoal::mutex(states(&pattern, &["has", "got"]));
        for family in [InvariantFamily::One, InvariantFamily::Flow] {
            let asked = Asked { goal: goal.clone(), family, told: way };
            let found = proved(&pattern, &asked).unwrap_or_else(|| panic!("{way} by {family:?}"));
            assert!(recheck(&pattern, &goal, &found, &Budget::default()).is_ok(), "{way}");
        }
        // Both `had` and `waits` is no more possible than both of the others.
        let goal = PatternGoal::mutex(states(&pattern, &["had", "waits"]));
        let is_there = pattern.rules.iter().any(|rule| rule.names.iter().any(|name| name == "u"));
        for family in [InvariantFamily::One, InvariantFamily::Flow] {
            let asked = Asked { goal: goal.clone(), family, told: way };
            assert_eq!(proved(&pattern, &asked).is_some(), !is_there, "{way} by {family:?}");
        }
    }
}

/// How many there are of those who came together: bounds beyond two are bounds.
#[test]
fn many_tokens_are_counted() {
    for (holders, most, is_so) in
        [(1, 1, true), (2, 2, true), (2, 1, false), (3, 3, true), (3, 2, false)]
    {
        let made: String =
            (0..holders).map(|at| format!("; h{at} = Holder; give h{at}, take x")).collect();
        let text = format!(
            "component Holder *has give had\ncomponent To *waits take got, got give waits\n\
             rule S{made}; A x\n\
             rule A x; x = To; give x, take y; A y\nrule A x; x = To"
        );
        let pattern = pattern(&text);
        let goal = PatternGoal::at_most(most, states(&pattern, &["has", "got"]));
        let asked = Asked { goal: goal.clone(), family: InvariantFamily::Flow, told: &text };
        assert_eq!(is_reached(&pattern, &goal), !is_so, "{text}");
        let found = proved(&pattern, &asked);
        assert!(is_so || found.is_none(), "{holders} of {most}");
        assert!(!is_so || most > 2 || found.is_some(), "{holders} of {most}");
    }
}

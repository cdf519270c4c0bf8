//! Components with many states, where every size is looked at: protocols of many steps are proved, few sets of states are enough
//! for that, and what is found by few sets is found by all.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use pnetc::base::{Budget, Unwatched};
use pnetc::model::{Checked, ModelOptions};
use pnetc::outcome::{Note, Outcome, Reason, Verdict};
use pnetc::parametric::search::{Searched, search};
use pnetc::parametric::{
    Included, InclusionLimits, InvariantFamily, PatternInstance, Unfoldings, WhichSets,
    certificate, included, profiles, recheck,
};
use pnetc::verify::{self, size_problems};

use crate::common::Random;
use crate::common::patterns::random::{goal, random, with_meetings};
use crate::common::seeds::{fuzz, seeds};
use crate::common::sources::{MODEL, Memory, check};

use Verdict::{Proved, Refuted, Unknown};

fn checked(text: &str) -> Checked {
    let checked = check(&Memory::file(MODEL, text), MODEL);
    assert!(!checked.has_errors(), "{text}\n{:?}", checked.diagnostics);
    checked
}

fn outcomes(text: &str) -> Vec<Outcome> {
    let checked = checked(text);
    let run = |check| verify::run(&checked, check, &ModelOptions::default(), &Unwatched).unwrap();
    checked.checks().into_iter().map(run).collect()
}

fn verdicts(text: &str) -> Vec<Verdict> {
    outcomes(text).into_iter().map(|outcome| outcome.verdict).collect()
}

/// A ring whose stations have so many states, all but two of which they go through alone.
fn ring(states: usize) -> String {
    let mut text = "const n: Int;\naxiom n >= 2;\naction recv, send, pass, work;\n".to_owned();
    text += "process Station<me: Int> { var has: Bool = me == 0; init state s0; state s1";
    (2..states).for_each(|at| write!(text, ", s{at}").unwrap());
    text += "; s0 -> s1 : recv when not has do has := true; s0 -> s1 : work when has;";
    (1..states - 1).for_each(|at| write!(text, " s{at} -> s{} : work;", at + 1).unwrap());
    write!(text, " s{} -> s0 : send do has := false; }}", states - 1).unwrap();
    text += "
net Ring {
    sub S[i: 0..n] = Station<i>;
    <S[i]: send, S[(i + 1) mod n]: recv> -> pass for i in 0..n;
    <S[i]: work> -> work for i in 0..n;
}
check deadlock_free(Ring);
";
    write!(text, "check mutex(Ring, S in s{});", states - 1).unwrap();
    text
}

/// Slaves that go through so many steps with their master; with a mistake, the master forgets one of them.
fn handshake(steps: usize, mistake: bool) -> String {
    let mut text = "const n: Int;\naxiom n >= 1;\naction go".to_owned();
    (0..steps).for_each(|at| write!(text, ", w{at}, v{at}").unwrap());
    text += ";\n";
    for (name, letter) in [("Master", 'w'), ("Slave", 'v')] {
        write!(text, "process {name} {{ init state s0; state s1").unwrap();
        (2..steps).for_each(|at| write!(text, ", s{at}").unwrap());
        text += ";";
        for at in 0..steps {
            let to = match at + 1 {
                // The slave is left alone in the last step.
                next if mistake && letter == 'w' && next == steps - 1 => 0,
                next => next % steps,
            };
            write!(text, " s{at} -> s{to} : {letter}{at};").unwrap();
        }
        text += " }\n";
    }
    text += "net Star { sub M = Master; sub S[i: 0..n] = Slave;";
    for at in 0..steps {
        write!(text, " <M: w{at}, S[i]: v{at}> -> go for i in 0..n;").unwrap();
    }
    text + " }\n"
}

#[test]
fn many_states_are_no_cliff() {
    for states in [14, 33, 65] {
        assert_eq!(verdicts(&ring(states)), [Proved, Proved], "{states}");
    }
}

#[test]
fn protocols_of_many_steps_are_proved() {
    let stuck = "check deadlock_free(Star);\n";
    let mutex = "check mutex(Star, S in s1);\n";
    for steps in [5, 8, 10, 14] {
        assert_eq!(
            verdicts(&format!("{}{stuck}{mutex}", handshake(steps, false))),
            [Proved, Proved]
        );
        assert_eq!(verdicts(&format!("{}{stuck}", handshake(steps, true))), [Refuted], "{steps}");
    }
}

#[test]
fn too_many_states_are_told() {
    let text = ring(1025);
    let checked = checked(&text);
    let check = checked.checks()[0];
    let options = ModelOptions::default();
    let outcome = verify::run(&checked, check, &options, &Unwatched).unwrap();
    assert_eq!(outcome.verdict, Unknown);
    let told = size_problems(&checked, check, &options, &Unwatched);
    let codes: Vec<&str> = told.iter().map(|one| one.entry.code).collect();
    assert_eq!(codes, ["A0203"]);
    assert!(told[0].message.contains("`Station` has 1025 states"), "{}", told[0].message);
}

/// What is proved by few sets is so in all small unfoldings, is proved by all sets, and its certificate is confirmed.
#[test]
fn few_sets_prove_nothing_else() {
    let (mut few_proved, mut all_proved, mut certified) = (0, 0, 0);
    for seed in seeds(fuzz().unwrap_or(150)) {
        let dice = &mut Random::new(seed ^ 0x0066_6577);
        let pattern = if seed % 3 == 0 { with_meetings(dice) } else { random(dice) };
        let goal = goal(dice, &pattern);
        let family = [InvariantFamily::ALL[dice.below(4)]];
        let budget = Budget::default();
        let profiles = profiles(&pattern, &budget).unwrap();
        let limits =
            InclusionLimits { entries: 2000, steps: 300_000, ..InclusionLimits::default() };
        let all = included(&pattern, &profiles, &goal, &family, limits, &budget);
        all_proved += usize::from(matches!(all, Included::Proved(_)));
        let limits = InclusionLimits { sets: WhichSets::Few, ..limits };
        let few = included(&pattern, &profiles, &goal, &family, limits, &budget);
        let Included::Proved(found) = few else { continue };
        let said = format!("seed {seed}: {} by {family:?}\n{pattern:#?}", goal.label);
        assert!(!matches!(all, Included::Model(_)), "{said}");
        few_proved += 1;
        let mut unfoldings = Unfoldings::new(&profiles, 20);
        let small: Vec<_> = (0..=4).flat_map(|size| unfoldings.of_size(size, &budget)).collect();
        for one in small {
            let instance = PatternInstance::of(&pattern, &profiles, &one);
            let found = search(&pattern, &instance, &goal, 2000, &budget);
            assert!(!matches!(found, Searched::Bad(_)), "{found:?} in {instance:#?}: {said}");
        }
        if found.entries.len() <= 8 {
            certified += 1;
            let certificate = certificate(&pattern, &profiles, &goal, &family, &found);
            let confirmed = recheck(&pattern, &goal, &certificate, &budget);
            assert!(confirmed.is_ok(), "{confirmed:?}: {said}");
        }
    }
    println!("{few_proved} proved by few sets of {all_proved}, {certified} certificates");
    assert!(seeds(2).count() < 2 || (few_proved * 2 > all_proved && certified > 5), "{few_proved}");
}

/// Of several parts with many states each, all combinations were listed before any was looked at: that took all memory.
#[test]
fn combinations_of_parts_are_bounded_by_work() {
    let dice = &mut Random::new(432);
    let pattern = with_meetings(dice);
    let goal = goal(dice, &pattern);
    let budget = Budget::default();
    let profiles = profiles(&pattern, &budget).unwrap();
    let begin = Instant::now();
    for family in InvariantFamily::ALL {
        let limits =
            InclusionLimits { entries: 3000, steps: 500_000, ..InclusionLimits::default() };
        let _ = included(&pattern, &profiles, &goal, &[family], limits, &budget);
    }
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
}

const PLACES: &str = "
action recv, send, pass;
process Place<me: Int> {
    init state here;
    var holds: Bool = me == 0;
    here -> here : recv when not holds do holds := true;
    here -> here : send when holds do holds := false;
}
net Ring {
    sub S[i: 0..n] = Place<i>;
    <S[i]: send, S[(i + 1) mod n]: recv> -> pass for i in 0..n;
}
check deadlock_free(Ring);
";

#[test]
fn axioms_say_which_sizes_there_are() {
    let with = |axioms: &str| outcomes(&format!("const n: Int;\n{axioms}{PLACES}")).remove(0);
    for axioms in ["axiom not (n < 3);", "axiom n == 4;", "axiom 2 <= n;", "axiom n >= 100;"] {
        let outcome = with(axioms);
        assert_eq!(outcome.verdict, Proved, "{axioms} {outcome:?}");
    }
    let none = with("axiom n >= 5; axiom n <= 3;");
    assert_eq!((none.verdict, &none.reason), (Unknown, &Reason::AxiomsContradict));
    // Sizes that are left out do not matter for what holds of all, and no instance has one of them.
    for axioms in [
        "axiom n >= 2; axiom n != 3;",
        "axiom n >= 1; axiom n mod 2 == 0;",
        "axiom n >= 2; axiom n == 2 or n > 5;",
        "axiom n >= 2; axiom n <= 9; axiom n mod 3 == 0;",
    ] {
        let outcome = with(axioms);
        assert_eq!(outcome.verdict, Proved, "{axioms} {outcome:?}");
        assert!(outcome.notes.contains(&Note::SizesLeftOut), "{axioms} {outcome:?}");
    }
    let none = with("axiom n >= 2; axiom n mod 2 == 0; axiom n mod 2 == 1;");
    assert_eq!((none.verdict, &none.reason), (Unknown, &Reason::AxiomsContradict));
    let huge = with("axiom n >= 1000000;");
    assert_eq!(huge.verdict, Unknown);
    assert!(format!("{:?}", huge.reason).contains("too many members"), "{huge:?}");
}

/// All members read what one of them tells.
#[test]
fn values_are_told_to_all_at_once() {
    let parts = "
const n: Int;
axiom n >= 1;
action say(0..2), hear(0..2), rest, go;
process Base { var r: 0..2 = 0; init state s; state t; s -> t : say(r) do r := 1 - r; t -> s : go; }
process Node { var h: 0..2 = 0; init state idle; state got; idle -> got : hear(?x) do h := x; got -> idle : rest; }
process Plain {
    init state idle; state one, zero;
    idle -> one : hear(1); idle -> zero : hear(0); one -> idle : rest; zero -> idle : rest;
}
";
    let net = |node: &str| {
        format!(
            "{parts}net N {{ sub B = Base; sub S[i: 0..n] = {node};
             connect say(v) : B.say(v) [S[i].hear(v) for i in 0..n]; connect go : B.go [S[i].rest for i in 0..n]; }}
             check deadlock_free(N);"
        )
    };
    let told = "
check always(N, forall x in S, y in S . x in got and y in got => x.h == y.h);
check always(N, forall x in S . x in got => x.h != B.r);
check always(N, forall x in S . x in got => x.h == B.r);";
    let all = verdicts(&format!("{}{told}", net("Node")));
    assert_eq!(all, [Proved, Proved, Proved, Refuted]);
    let told = "
check always(N, forall x in S, y in S . x in one => y not in zero);
check always(N, forall x in S . x not in one);";
    assert_eq!(verdicts(&format!("{}{told}", net("Plain"))), [Proved, Proved, Refuted]);
}

/// Two stations of a ring can be busy together from four on: the instance that shows it has a size that the axioms allow.
#[test]
fn instances_have_sizes_that_there_are() {
    let text = |axioms: &str| {
        format!(
            "const n: Int;
axiom n >= 2;
{axioms}
action recv, send, pass;
process Place<me: Int> {{
    init state here;
    var holds: Bool = me == 0 or me == 3;
    here -> here : recv when not holds do holds := true;
    here -> here : send when holds do holds := false;
}}
net Ring {{
    sub S[i: 0..n] = Place<i>;
    <S[i]: send, S[(i + 1) mod n]: recv> -> pass for i in 0..n;
}}
check always(Ring, forall x in S, y in S . x.holds and y.holds => x == y);
"
        )
    };
    let set = |outcome: &Outcome| match outcome.notes.first() {
        Some(Note::Instance { set }) => set.clone(),
        other => panic!("{other:?} {outcome:?}"),
    };
    for (axioms, expected) in [
        ("", "n=4"),
        ("axiom n != 4;", "n=5"),
        ("axiom n mod 3 == 0;", "n=6"),
        ("axiom n < 4 or n > 6; axiom n < 9;", "n=7"),
    ] {
        let outcome = outcomes(&text(axioms)).remove(0);
        assert_eq!(
            (outcome.verdict, set(&outcome)),
            (Refuted, vec![expected.to_owned()]),
            "{axioms}"
        );
    }
    // Where none of those is allowed in which it happens, nothing is refuted.
    let outcome = outcomes(&text("axiom n < 4 or n > 90;")).remove(0);
    assert_ne!(outcome.verdict, Proved);
    assert!(outcomes(&text("axiom n < 4;")).iter().all(|outcome| outcome.verdict == Proved));
}

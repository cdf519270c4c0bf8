//! Connectors with triggers over a family of any size: any of its members may take part. What is proved is compared with
//! instances.

use num_bigint::BigInt;
use pnetc::base::Unwatched;
use pnetc::model::{Checked, ModelOptions};
use pnetc::outcome::{Outcome, Verdict};
use pnetc::sema::program::ConstId;
use pnetc::verify;

use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::sources::{MODEL, Memory, check};

use Verdict::{Proved, Refuted, Unknown};

fn checked(text: &str) -> Checked {
    let checked = check(&Memory::file(MODEL, text), MODEL);
    assert!(!checked.has_errors(), "{text}\n{:?}", checked.diagnostics);
    checked
}

fn run(checked: &Checked, options: &ModelOptions) -> Vec<Outcome> {
    let run = |check| verify::run(checked, check, options, &Unwatched).unwrap();
    checked.checks().into_iter().map(run).collect()
}

fn verdicts(checked: &Checked, options: &ModelOptions) -> Vec<Verdict> {
    run(checked, options).into_iter().map(|outcome| outcome.verdict).collect()
}

fn with_size(checked: &Checked, value: i64) -> ModelOptions {
    let mut options = ModelOptions::default();
    let at = checked.program.consts.iter().position(|one| one.named.name.as_str() == "n").unwrap();
    options.elaborate.set.insert(ConstId(at as u32), BigInt::from(value));
    options
}

const PARTS: &str = "
const n: Int;
axiom n >= 1;
action ring, hear, rest, wind, shout, say(0..2), hears(0..2);
process Clock { init state wound; state rung; wound -> rung : ring; rung -> wound : wind; }
process Sleeper { init state asleep; state awake; asleep -> awake : hear; awake -> asleep : rest; }
process Crier { init state calm; state loud; calm -> loud : ring; calm -> calm : hear; loud -> calm : rest; }
process Base { var r: 0..2 = 0; init state s; state t; s -> t : say(r) do r := 1 - r; t -> s : wind; }
process Node {
    init state idle;
    state zero, one;
    idle -> zero : hears(0);
    idle -> one : hears(1);
    zero -> idle : rest;
    one -> idle : rest;
}
";

/// The verdicts of checks of a net for every size.
fn of_net(body: &str, checks: &str) -> Vec<Verdict> {
    let text = format!("{PARTS}net N {{ {body} }} {checks}");
    verdicts(&checked(&text), &ModelOptions::default())
}

const BELL: &str =
    "sub C = Clock; sub S[i: 0..n] = Sleeper; connect ring : C.ring' [S[i].hear' for i in 0..n];";

#[test]
fn a_trigger_alone_is_enough() {
    let body = format!("{BELL} connect wind : C.wind; connect rest : S[i].rest for i in 0..n;");
    let checks = "
        check deadlock_free(N);
        check always(N, forall i: 0..n . not (S[i] in awake and C in wound));
        check reaches(N, exists i: 0..n . S[i] in asleep and C in rung);
        check always(N, forall i: 0..n . S[i] in awake => S[(i + 1) mod n] in awake);";
    assert_eq!(of_net(&body, checks), [Proved, Refuted, Proved, Refuted]);
}

/// Members that may take part are not counted on, and without the trigger nothing happens.
#[test]
fn those_who_may_take_part_begin_nothing() {
    let checks = "
        check deadlock_free(N);
        check always(N, forall i: 0..n . S[i] in awake => C in rung);";
    assert_eq!(of_net(BELL, checks), [Refuted, Proved]);
    let body = format!("{BELL} connect wind : C.wind [S[i].rest for i in 0..n];");
    assert_eq!(of_net(&body, checks), [Refuted, Proved]);
}

#[test]
fn any_of_the_members_can_begin() {
    let body = "sub S[i: 0..n] = Sleeper; connect hear : [S[i].hear' for i in 0..n]; connect rest : [S[i].rest' for i in 0..n];";
    assert_eq!(of_net(body, "check deadlock_free(N);"), [Proved]);
    let body = "sub S[i: 0..n] = Crier; connect shout : S[i].ring' [S[j].hear' for j in 0..n when j != i] for i in 0..n; \
                connect rest : S[i].rest for i in 0..n;";
    assert_eq!(
        of_net(body, "check deadlock_free(N); check mutex(N, S in loud);"),
        [Proved, Refuted]
    );
}

#[test]
fn all_may_take_part_together() {
    let body = "sub C = Clock; sub S[i: 0..n] = Sleeper; connect ring : C.ring' [S[i].hear for i in 0..n]; \
                connect wind : C.wind' [S[i].rest for i in 0..n];";
    let checks = "
        check deadlock_free(N);
        check always(N, forall i: 0..n . S[i] in awake => S[(i + 1) mod n] in awake);";
    assert_eq!(of_net(body, checks), [Proved, Proved]);
}

/// What is sent says who can hear it; maximal progress only removes steps.
#[test]
fn values_are_heard_by_any() {
    for more in ["", "priority maximal;"] {
        let body = format!(
            "sub B = Base; sub S[i: 0..n] = Node; connect say(r) : B.say(r)' [S[i].hears(r)' for i in 0..n]; \
             connect wind : B.wind' [S[i].rest' for i in 0..n]; {more}"
        );
        assert_eq!(of_net(&body, "check deadlock_free(N);"), [Proved]);
    }
    let body = "sub B = Base; sub S[i: 0..n] = Node; connect say(r) : B.say(r)' [S[i].hears(r)' for i in 0..n]; \
                connect wind : B.wind [S[i].rest for i in 0..n];";
    assert_eq!(of_net(body, "check always(N, forall i: 0..n . S[i] in one => B in t);"), [Proved]);
}

/// Groups that take part together or not, beside members that may, are of no form that is recognised.
#[test]
fn groups_beside_members_are_not_known() {
    let body = "sub C = Clock; sub D = Sleeper; sub E = Sleeper; sub S[i: 0..n] = Sleeper; \
                connect ring : C.ring' [D.hear E.hear] [S[i].hear' for i in 0..n]; connect wind : C.wind;";
    let text = format!("{PARTS}net N {{ {body} }} check deadlock_free(N);");
    let outcome = run(&checked(&text), &ModelOptions::default()).remove(0);
    assert_eq!(outcome.verdict, Unknown);
    assert!(format!("{:?}", outcome.reason).contains("each may by itself"), "{outcome:?}");
}

/// A process of some states with random transitions.
fn process(random: &mut Random, name: &str, actions: &[&str]) -> String {
    let states = random.between(2, 3);
    let mut text = format!("process {name} {{ init state s0; state s1, s2;");
    for action in actions {
        for _ in 0..random.between(1, 2) {
            let (from, to) = (random.below(states), random.below(states));
            text += &format!(" s{from} -> s{to} : {action};");
        }
    }
    text + " }\n"
}

fn family(random: &mut Random) -> String {
    let mut text =
        "const n: Int;\naxiom n >= 1;\naction a, b, c, d, e, r0, r1, r2, r3;\n".to_owned();
    text += &process(random, "C", &["a", "b"]);
    text += &process(random, "D", &["a", "b"]);
    text += &process(random, "S", &["c", "d", "e"]);
    text += &process(random, "T", &["c", "d", "e"]);
    // One net in four is inside of another.
    let inner = random.one_in(4);
    text += if inner { "net Inner {" } else { "net N {" };
    text += " sub X = C; sub Y = D; sub Z[i: 0..n] = S; sub V[i: 0..n] = T;";
    let open = [
        "X.a' [Z[i].c' for i in 0..n]",
        "X.a' Y.b [Z[i].c' for i in 0..n]",
        "X.b' Y.a' [Z[i].d' for i in 0..n]",
        "[Z[i].e' for i in 0..n]",
        "Y.a' [Z[i].c for i in 0..n]",
        "X.b' [Z[i].d' for i in 1..n]",
        "Y.b' [Z[i].d' for i in 0..n when i != n - 1]",
        "Z[i].c' [Z[j].d' for j in 0..n when j != i] for i in 0..n",
        "Z[i].c' X.a [Z[j].d' for j in 0..n when j != i] for i in 0..n",
        "Z[0].c' [Z[j].d' for j in 0..n when j != 0]",
        "X.b [Z[i].d' for i in 0..n]",
        "[X.a Y.b]' [Z[i].e' for i in 0..n]",
        "X.a' [Z[i].c' for i in 0..n] [V[i].d' for i in 0..n]",
        "V[i].c' [Z[j].d' for j in 0..n] for i in 0..n",
        "[Z[i].c' for i in 0..n] [V[i].d' for i in 0..n]",
    ];
    let plain = [
        "X.b Z[i].d for i in 0..n",
        "Z[i].e for i in 0..n",
        "X.a",
        "Y.b",
        "[Z[i].d for i in 0..n]",
        "Y.a Z[0].c",
        "V[i].e for i in 0..n",
        "Z[i].e V[j].d for i in 0..n, j in 0..n",
    ];
    let (some, others) = (random.between(1, 2), random.between(1, 2));
    for at in 0..some {
        text += &format!(" connect r{at} : {};", random.pick(&open));
    }
    for at in 2..2 + others {
        text += &format!(" connect r{at} : {};", random.pick(&plain));
    }
    let (x, z) = (random.below(3), random.below(3));
    let maximal = if random.one_in(4) { " priority maximal;" } else { "" };
    text += &format!("{maximal} }}\n");
    if inner {
        text += "net N { sub I = Inner; sub K = D; <K: b> -> b;";
        for at in (0..some).chain(2..2 + others) {
            let with = if random.one_in(4) { ", K: a" } else { "" };
            text += &format!(" <I: r{at}{with}> -> r{at};");
        }
        text += " }\n";
    }
    let way = if inner { "I." } else { "" };
    text += &format!(
        "check deadlock_free(N);\ncheck always(N, forall i: 0..n . not ({way}X in s{x} and {way}Z[i] in s{z}));\n"
    );
    text + &format!("check mutex(N, {way}Z in s{z});\n")
}

/// What is proved for every size holds in each that is looked at, and what is refuted does not.
#[test]
fn random_triggers_agree_with_instances() {
    let (mut proved, mut unknown) = (0, 0);
    let count = fuzz().unwrap_or(12);
    for seed in seeds(count) {
        let text = family(&mut Random::new(seed));
        let read = check(&Memory::file(MODEL, text.as_str()), MODEL);
        if read.has_errors() {
            continue;
        }
        let all = verdicts(&read, &ModelOptions::default());
        let sizes: Vec<Vec<Verdict>> =
            (1..=4).map(|size| verdicts(&read, &with_size(&read, size))).collect();
        for (at, verdict) in all.into_iter().enumerate() {
            proved += usize::from(verdict == Proved);
            unknown += usize::from(verdict == Unknown);
            let bad = sizes.iter().any(|of| of[at] == Refuted);
            assert!(verdict != Proved || !bad, "seed {seed}, check {at}: {text}");
        }
    }
    assert!(count < 12 || proved > 3, "{proved} proved, {unknown} unknown");
    println!("{proved} proved, {unknown} unknown");
}

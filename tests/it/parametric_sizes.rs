//! Families with several sizes, with all members at once, and with two indices: what is proved for every size, what is refuted at
//! the smallest, and what is of no form that is recognised. Random families are compared with their instances.

use num_bigint::BigInt;
use pnetc::base::Unwatched;
use pnetc::model::{Checked, ModelOptions};
use pnetc::outcome::{Note, Outcome, Reason, SizedBy, Verdict};
use pnetc::sema::program::{CheckKind, ConstId};
use pnetc::verify;

use Verdict::{Proved, Refuted, Unknown};

use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::sources::{MODEL, Memory, check};

fn checked(text: &str) -> Checked {
    let checked = check(&Memory::file(MODEL, text), MODEL);
    assert!(!checked.has_errors(), "{text}\n{:?}", checked.diagnostics);
    checked
}

fn run(checked: &Checked, options: &ModelOptions) -> Vec<Outcome> {
    let run = |check| verify::run(checked, check, options, &Unwatched).unwrap();
    checked.checks().into_iter().map(run).collect()
}

fn outcomes(text: &str) -> Vec<Outcome> {
    run(&checked(text), &ModelOptions::default())
}

fn verdicts(text: &str) -> Vec<Verdict> {
    outcomes(text).iter().map(|outcome| outcome.verdict).collect()
}

/// The sizes of the instance that an outcome is about, by their names.
fn sizes(outcome: &Outcome) -> Option<Vec<(String, i64)>> {
    let Some(Note::Instance { set }) = outcome.notes.first() else { return None };
    let each = set.iter().filter_map(|one| one.split_once('='));
    Some(each.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect())
}

fn named(all: &[(&str, i64)]) -> Option<Vec<(String, i64)>> {
    Some(all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect())
}

/// Why it is not known, and that nobody calls it proved.
#[track_caller]
fn outside(text: &str, words: &str) {
    for outcome in outcomes(text) {
        assert_eq!(outcome.verdict, Unknown, "{outcome:#?}");
        let Reason::NotEverySize { why: Some(why), .. } = &outcome.reason else {
            panic!("{outcome:#?}")
        };
        assert!(why.contains(words), "{why}");
    }
}

const STATIONS: &str = "
const n: Int;
const m: Int;
axiom n >= 1;
axiom m >= 1;
action take, give, pass, tick;
process Station { init state idle; state has; idle -> has : take; has -> idle : give; idle -> idle : tick; }
process Holder { init state has; state idle; idle -> has : take; has -> idle : give; idle -> idle : tick; }
";

#[test]
fn two_rings_of_any_size() {
    let net = "
net Rings {
    sub H = Holder;
    sub A[i: 0..n] = Station;
    sub B[j: 0..m] = Station;
    <H: give, A[0]: take> -> pass;
    <A[i]: give, A[i + 1]: take> -> pass for i in 0..n - 1;
    <A[n - 1]: give, B[0]: take> -> pass;
    <B[j]: give, B[j + 1]: take> -> pass for j in 0..m - 1;
    <B[m - 1]: give, H: take> -> pass;
}
check deadlock_free(Rings);
check mutex(Rings, A in has or B in has or H in has);
check always(Rings, A[n - 1] in has => forall x in B . x in idle);
check always(Rings, forall i: 0..n . not (A[i] in has and B[0] in has));
check mutex(Rings, A in idle or B in has);
";
    let all = outcomes(&format!("{STATIONS}{net}"));
    let found: Vec<Verdict> = all.iter().map(|outcome| outcome.verdict).collect();
    assert_eq!(found, [Proved, Proved, Proved, Proved, Refuted], "{all:#?}");
    let Reason::EverySize { of, .. } = &all[1].reason else { panic!("{:#?}", all[1]) };
    let SizedBy::Constants { sizes: of } = &**of else { panic!("{of:#?}") };
    assert_eq!(of.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["n", "m"]);
    // Already with one station each: the first is idle where the second has the token.
    assert_eq!(sizes(&all[4]), named(&[("n", 1), ("m", 1)]), "{:#?}", all[4]);
}

#[test]
fn an_index_belongs_to_one_size() {
    let net = |vector: &str| {
        format!(
            "{STATIONS}process Clock {{ init state s; s -> s : tick; }} \
             net Rings {{ sub H = Clock; sub A[i: 0..n] = Station; sub B[j: 0..m] = Station; \
             <H: tick> -> tick; <A[0]: tick> -> tick; {vector} }} check deadlock_free(Rings);"
        )
    };
    outside(&net("<A[0]: take> -> tick when n > m;"), "`n > m` in line");
    outside(&net("<A[i]: take, B[0]: take> -> tick when i == m - 1 for i in 0..n;"), "same size");
    outside(&net("<B[j]: take> -> tick when j mod 2 == 0 for j in 0..m;"), "one size only");
}

/// A text that asks about both sizes is looked at in all small ones together.
#[test]
fn sizes_are_asked_about_together() {
    let net = "
net Odd {
    sub H = Holder;
    sub A[i: 0..n] = Station;
    sub B[j: 0..m] = Station;
    <H: give, A[0]: take, B[0]: take> -> pass when n == 3 and m == 4;
    <H: give, A[0]: take> -> pass when not (n == 3 and m == 4);
    <A[0]: tick> -> tick;
    <B[0]: tick> -> tick;
}
check always(Odd, B[0] in idle);
";
    let all = outcomes(&format!("{STATIONS}{net}"));
    assert_ne!(all[0].verdict, Proved, "{:#?}", all[0]);
}

const WORKERS: &str = "
const n: Int;
axiom n >= 1;
action work, tick, tock, done, round;
process Worker {
    init state a; state b, c, d;
    a -> b : work; b -> c : tick; c -> d : work; d -> a : tock;
}
process Clock { init state a; state c; a -> c : tick; c -> a : tock; }
";

#[test]
fn all_members_at_once() {
    let nets = "
net Vector {
    sub C = Clock;
    sub W[i: 0..n] = Worker;
    <W[i]: work> -> done for i in 0..n;
    <C: tick, [W[i]: tick for i in 0..n]> -> round;
    <C: tock, [W[i]: tock for i in 0..n]> -> round;
}
net Connector {
    sub W[i: 0..n] = Worker;
    connect done : W[i].work for i in 0..n;
    connect round : [W[i].tick for i in 0..n];
    connect round : [W[i].tock for i in 0..n];
}
check deadlock_free(Vector);
check always(Vector, forall x in W, y in W . x in { a, b } => y in { a, b });
check always(Vector, C in a => forall x in W . x not in { c, d });
check reaches(Vector, exists x in W . x in d);
check deadlock_free(Connector);
check always(Connector, forall x in W, y in W . x in { a, b } => y in { a, b });
check reaches(Connector, exists x in W, y in W . x in a and y in c);
";
    let found = verdicts(&format!("{WORKERS}{nets}"));
    assert_eq!(found[..4], [Proved, Proved, Proved, Proved]);
    assert_eq!(found[4..], [Proved, Proved, Refuted]);
}

#[test]
fn who_is_not_waited_for_is_noticed() {
    let nets = "
net Hasty {
    sub C = Clock;
    sub W[i: 0..n] = Worker;
    <W[i]: work> -> done for i in 0..n;
    <C: tick, [W[i]: tick for i in 1..n]> -> round;
    <C: tock, [W[i]: tock for i in 1..n]> -> round;
    <W[0]: tick> -> round;
    <W[0]: tock> -> round;
}
net Lost {
    sub W[i: 0..n] = Worker;
    <W[i]: work> -> done for i in 1..n;
    <[W[i]: tick for i in 0..n]> -> round;
    <[W[i]: tock for i in 0..n]> -> round;
    <W[0]: work> -> done when n < 3;
}
check always(Hasty, forall x in W, y in W . x in { a, b } => y in { a, b });
check deadlock_free(Hasty);
check deadlock_free(Lost);
";
    let all = outcomes(&format!("{WORKERS}{nets}"));
    assert_eq!((all[0].verdict, sizes(&all[0])), (Refuted, named(&[("n", 2)])));
    assert_eq!(all[1].verdict, Proved, "{:#?}", all[1]);
    assert_eq!((all[2].verdict, sizes(&all[2])), (Refuted, named(&[("n", 3)])));
}

#[test]
fn all_others_hear_of_it() {
    let text = "
const n: Int;
axiom n >= 2;
action write, invalid, read;
process Cache {
    init state clean; state dirty;
    clean -> dirty : write; dirty -> dirty : write;
    clean -> clean : invalid; dirty -> clean : invalid;
}
net Caches {
    sub C[i: 0..n] = Cache;
    <C[i]: write, [C[j]: invalid for j in 0..n when j != i]> -> write for i in 0..n;
}
check deadlock_free(Caches);
check mutex(Caches, C in dirty);
check at_most(Caches, 0, C in dirty);
";
    let all = outcomes(text);
    let found: Vec<Verdict> = all.iter().map(|outcome| outcome.verdict).collect();
    assert_eq!(found, [Proved, Proved, Refuted], "{all:#?}");
}

const POOL: &str = "
const n: Int;
const m: Int;
axiom n >= 1;
axiom m >= 1;
action ask, serve, got, end, request, answer;
process Client { init state idle; state waits; idle -> waits : ask; waits -> idle : got; }
process Server { init state free; state busy; free -> busy : serve; busy -> free : end; }
process Greedy { init state idle; state half, whole, back; idle -> half : ask; half -> whole : ask; whole -> back : got; back -> idle : got; }
";

#[test]
fn pools_of_clients_and_servers() {
    let nets = "
net Pool {
    sub C[i: 0..n] = Client;
    sub S[j: 0..m] = Server;
    <C[i]: ask, S[j]: serve> -> request for i in 0..n, j in 0..m;
    <C[i]: got, S[j]: end> -> answer for i in 0..n, j in 0..m;
}
net Stuck {
    sub C[i: 0..n] = Greedy;
    sub S[j: 0..m] = Server;
    <C[i]: ask, S[j]: serve> -> request for i in 0..n, j in 0..m;
    <C[i]: got, S[j]: end> -> answer for i in 0..n, j in 0..m;
}
check deadlock_free(Pool);
check always(Pool, (exists x in C . x in waits) => exists y in S . y in busy);
check always(Pool, (forall x in C . x in idle) => forall y in S . y in free);
check mutex(Pool, S in busy);
check deadlock_free(Stuck);
";
    let all = outcomes(&format!("{POOL}{nets}"));
    let found: Vec<Verdict> = all.iter().map(|outcome| outcome.verdict).collect();
    assert_eq!(found, [Proved, Proved, Proved, Refuted, Refuted], "{all:#?}");
    assert_eq!(sizes(&all[3]), named(&[("n", 2), ("m", 2)]));
    assert_eq!(sizes(&all[4]), named(&[("n", 1), ("m", 1)]));
}

#[test]
fn pairs_of_one_family() {
    let text = "
const n: Int;
axiom n >= 2;
action meet, wait, go, part;
process Guest { init state alone; state asks, hears; alone -> asks : go; alone -> hears : wait; asks -> alone : part; hears -> alone : part; }
net Party {
    sub G[i: 0..n] = Guest;
    <G[i]: go, G[j]: wait> -> meet for i in 0..n, j in 0..n;
    <G[i]: part> -> part for i in 0..n;
}
check deadlock_free(Party);
check always(Party, (forall x in G . x in asks) => false);
check always(Party, (exists x in G . x in asks) => exists y in G . y in hears);
";
    let all = outcomes(text);
    assert_eq!(all[0].verdict, Proved, "{:#?}", all[0]);
    // Whoever asks has somebody who hears, in this step; who hears can part, and whoever asked is left.
    assert_eq!(all[1].verdict, Proved, "{:#?}", all[1]);
    assert_eq!(all[2].verdict, Refuted, "{:#?}", all[2]);
}

#[test]
fn pairs_that_are_not_recognised_are_named() {
    let net = |vector: &str| {
        format!(
            "{POOL}net Pool {{ sub C[i: 0..n] = Client; sub D[i: 0..n] = Client; sub S[j: 0..m] = Server; \
             <C[0]: ask> -> request; <C[0]: got> -> answer; {vector} }} check deadlock_free(Pool);"
        )
    };
    outside(
        &net("<C[i]: ask, D[j]: ask> -> request when i < j for i in 0..n, j in 0..n;"),
        "`i < j` in line",
    );
    outside(
        &net("<C[i]: ask, S[j + 1]: serve> -> request for i in 0..n, j in 0..m - 1;"),
        "at an index itself",
    );
    outside(
        &net("<C[i]: ask, D[k]: ask, S[j]: serve> -> request for i in 0..n, k in 0..n, j in 0..m;"),
        "one index of symbolic range at a time",
    );
}

#[test]
fn numbers_of_members_are_not_compared_in_a_pool() {
    let text = "
const n: Int;
axiom n >= 2;
action ask(Int), serve(Int), tick;
process Client<me: Int> { init state s; state t; s -> t : ask(me); s -> s : tick; }
process Server<me: Int> { init state s; state t; s -> t : serve(me); }
net Pool {
    sub C[i: 0..n] = Client<i>;
    sub S[i: 0..n] = Server<i>;
    <C[i]: ask(k), S[j]: serve(k)> -> ask(k) for i in 0..n, j in 0..n;
    <C[0]: tick> -> tick;
}
check always(Pool, S[0] in s or C[0] in t);
";
    let all = outcomes(text);
    assert_ne!(all[0].verdict, Refuted, "{:#?}", all[0]);
    let Reason::NotEverySize { why: Some(why), .. } = &all[0].reason else {
        panic!("{:#?}", all[0])
    };
    assert!(why.contains("may only be compared"), "{why}");
}

// ---- random families ----

/// A process with few states.
fn process(dice: &mut Random, name: &str) -> String {
    let states = dice.between(2, 3);
    let first = dice.below(states);
    let others = (0..states).filter(|at| *at != first).map(|at| format!("s{at}"));
    let others: Vec<String> = others.collect();
    let mut text =
        format!("process {name}<me: Int> {{ init state s{first}; state {};", others.join(", "));
    let variables = dice.one_in(3);
    if variables {
        let start = *dice.pick(&["false", "me == 0", "me != 1"]);
        text.push_str(&format!(" var v: Bool = {start};"));
    }
    for port in ["a", "b", "c"] {
        for _ in 0..dice.between(1, 3) {
            let (from, to) = (dice.below(states), dice.below(states));
            let with = match variables {
                true => *dice.pick(&["", " when v", " when not v", " do v := not v"]),
                false => *dice.pick(&["", "", "", " when me > 0"]),
            };
            text.push_str(&format!(" s{from} -> s{to} : {port}{with};"));
        }
    }
    text + " }\n"
}

fn port(dice: &mut Random) -> &'static str {
    ["a", "b", "c"][dice.below(3)]
}

/// A vector of one size, of both at their ends, of pairs, or of all members at once.
fn vector(dice: &mut Random) -> String {
    let (p, q, r) = (port(dice), port(dice), port(dice));
    let guard = *dice.pick(&["", "", "", " when i > 0", " when i != n - 1"]);
    let pair = *dice.pick(&["", "", " when i != j", " when i > 0", " when i > 0 and i != j"]);
    let from = dice.below(2);
    let meant = *dice.pick(&["", "", " when i > 0", " when i != n - 1"]);
    match dice.below(16) {
        0 => format!("<S[i]: {p}> -> a{guard} for i in 0..n"),
        1 => format!("<T[j]: {p}> -> a for j in {from}..m"),
        2 => format!("<S[i]: {p}, S[(i + 1) mod n]: {q}> -> a{guard} for i in 0..n"),
        3 => format!("<T[j]: {p}, T[j + 1]: {q}> -> a for j in 0..m - 1"),
        4 => format!("<S[i]: {p}, T[0]: {q}> -> a{guard} for i in 0..n"),
        5 => format!("<S[n - 1]: {p}, T[j]: {q}, M: {r}> -> a for j in 0..m"),
        6 => format!("<S[0]: {p}, T[m - 1]: {q}> -> a"),
        7 => format!("<M: {p}> -> a"),
        8 => format!("<S[i]: {p}, T[j]: {q}> -> a for i in {from}..n, j in 0..m"),
        9 => format!("<S[i]: {p}, S[j]: {q}> -> a{pair} for i in 0..n, j in 0..n"),
        10 => format!("<S[i]: {p}, T[j]: {q}, M: {r}> -> a for i in 0..n, j in {from}..m"),
        11 => format!("<M: {p}, [S[i]: {q} for i in {from}..n{meant}]> -> a"),
        12 => format!("<[T[j]: {p} for j in 0..m]> -> a"),
        13 => format!("<S[j]: {p}, [S[i]: {q} for i in 0..n when i != j]> -> a for j in 0..n"),
        14 => format!("<[S[i]: {p} for i in 0..n], [T[j]: {q} for j in 0..m]> -> a"),
        _ => format!("<T[j]: {p}, [S[i]: {q} for i in 0..n{meant}]> -> a for j in 0..m"),
    }
}

fn family(dice: &mut Random) -> String {
    let mut text =
        "const n: Int;\nconst m: Int;\naxiom n >= 2;\naxiom m >= 2;\naction a, b, c;\n".to_owned();
    for name in ["P", "Q", "R"] {
        text.push_str(&process(dice, name));
    }
    text.push_str(
        "net A {\n    sub M = R<1>;\n    sub S[i: 0..n] = P<i>;\n    sub T[j: 0..m] = Q<j>;\n",
    );
    for _ in 0..dice.between(3, 6) {
        text.push_str(&format!("    {};\n", vector(dice)));
    }
    text.push_str("}\ncheck deadlock_free(A);\n");
    text.push_str(&question(dice));
    text
}

/// Something that is asked of a family.
fn question(dice: &mut Random) -> String {
    let state = |dice: &mut Random| format!("s{}", dice.below(2));
    let (one, other) = (state(dice), state(dice));
    let most = dice.between(0, 3);
    match dice.below(8) {
        0 => format!("check mutex(A, S in {one});\n"),
        1 => format!("check at_most(A, {most}, S in {one} or T in {other});\n"),
        2 => format!("check always(A, forall x in S . x in {one} => M in {other});\n"),
        3 => format!(
            "check always(A, (exists x in S . x in {one}) => exists y in T . y in {other});\n"
        ),
        4 => format!("check always(A, forall x in S, y in T . x in {one} or y in {other});\n"),
        5 => format!("check reaches(A, forall x in S . x in {one});\n"),
        6 => format!("check always(A, forall i: 0..n . S[i] in {one} => T[0] not in {other});\n"),
        _ => format!("check reaches(A, exists x in T . x in {one} and S[n - 1] in {other});\n"),
    }
}

/// The sizes whose instances are searched.
const SEARCHED: [(i64, i64); 7] = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (4, 2), (4, 3)];

fn with_sizes(checked: &Checked, (n, m): (i64, i64)) -> ModelOptions {
    let mut options = ModelOptions::default();
    for (name, value) in [("n", n), ("m", m)] {
        let mut all = checked.program.consts.iter();
        let at = all.position(|one| one.named.name.as_str() == name).unwrap();
        options.elaborate.set.insert(ConstId(at as u32), BigInt::from(value));
    }
    options
}

fn agrees(seed: u64, tally: &mut [usize; 3]) {
    let text = family(&mut Random::new(seed));
    let model = checked(&text);
    for (at, one) in model.checks().into_iter().enumerate() {
        let outcome = verify::run(&model, one, &ModelOptions::default(), &Unwatched).unwrap();
        tally[outcome.verdict as usize] += 1;
        let found = if one.kind == CheckKind::Reaches { Proved } else { Refuted };
        let of = |sizes| {
            let options = with_sizes(&model, sizes);
            verify::run(&model, one, &options, &Unwatched).unwrap().verdict
        };
        let smallest = SEARCHED.into_iter().find(|sizes| of(*sizes) == found);
        let said = format!("seed {seed}, check {at}, {smallest:?}\n{text}\n{outcome:#?}");
        if outcome.verdict != found {
            assert!(smallest.is_none() || outcome.verdict == Unknown, "{said}");
            continue;
        }
        let told = sizes(&outcome).expect(&said);
        let told = (told[0].1, told[1].1);
        assert_eq!(of(told), found, "{said}");
        // Those that are smaller together come first.
        let sum = |(n, m): (i64, i64)| n + m;
        assert!(smallest.is_none_or(|small| sum(told) <= sum(small)), "{said}");
    }
}

#[test]
fn random_families_of_two_sizes_agree_with_their_instances() {
    let mut tally = [0; 3];
    seeds(fuzz().unwrap_or(6)).for_each(|seed| agrees(seed, &mut tally));
    println!("proved, refuted, unknown: {tally:?}");
}

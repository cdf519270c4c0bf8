//! Priorities whose guards read variables of parts: what each model does was worked out by hand, and stands beside it as a
//! process.

use pnetc::explore::EngineChoice;
use pnetc::generate::{Options, Unwatched, generate};
use pnetc::model::ModelOptions;
use pnetc::outcome::Verdict;
use pnetc::{emit, verify};

use crate::common::check_text;
use crate::common::explicit::{World, compare};
use crate::common::nets;

/// Whether all checks of a text are proved, by all ways of answering them; the last net is also compared with its automaton,
/// and printed and read again.
#[track_caller]
fn holds(text: &str) {
    let checked = check_text(text);
    let said: Vec<String> = checked.diagnostics.iter().map(|one| one.message.clone()).collect();
    assert!(said.is_empty(), "{said:?}\n{text}");
    for engine in [EngineChoice::Auto, EngineChoice::Explicit, EngineChoice::Symbolic] {
        let mut options = ModelOptions::default();
        options.explore.engine = engine;
        for check in checked.checks() {
            let outcome = verify::run(&checked, check, &options, &Unwatched).unwrap();
            let shown = checked.sources.text(check.span);
            assert!(
                matches!(outcome.verdict, Verdict::Proved),
                "{shown} by {engine:?}: {outcome:?}"
            );
        }
    }
    let net = nets::accepted(text).unwrap();
    let automaton = generate(&net, &Options::default(), &Unwatched).automaton;
    compare(&net, &automaton, &World::of(&net), 40).unwrap();
    let printed = emit::text(&net);
    let again = nets::accepted(&printed).unwrap_or_else(|why| panic!("{why}\n{printed}"));
    if let Err(why) = pnetc::pnet::same(&net, &again) {
        panic!("{why:?}\n{printed}");
    }
}

#[test]
fn whoever_has_less_to_do_goes_first() {
    holds(
        "\
action job, left, right;

process Server {
    var load: 0..3 = 0;
    init state s;

    s -> s : job when load < 2 do load := load + 1;
}

process Graph {
    init state s00;
    state s10, s01, s11, s21, s12, s22;

    s00 -> s10 : left;
    s00 -> s01 : right;
    s10 -> s11 : right;
    s01 -> s11 : left;
    s11 -> s21 : left;
    s11 -> s12 : right;
    s21 -> s22 : right;
    s12 -> s22 : left;
}

net Balanced {
    sub L = Server;
    sub R = Server;

    <L: job> -> left;
    <R: job> -> right;

    priority right < left when L.load < R.load;
    priority left < right when R.load < L.load;
}

check bisimilar(Balanced, Graph);
check always(Balanced, L.load - R.load <= 1 and R.load - L.load <= 1);
",
    );
}

#[test]
fn a_variable_may_be_deep_inside() {
    holds(
        "\
action tick, work;

process Timer {
    var t: 0..4 = 0;
    init state s;

    s -> s : tick when t < 3 do t := t + 1;
}

process Worker {
    init state s;

    s -> s : work;
}

process Graph {
    init state s0;
    state s1, s2, s3;

    s0 -> s1 : tick;
    s1 -> s2 : tick;
    s2 -> s2 : work;
    s2 -> s3 : tick;
    s3 -> s3 : work;
}

net Inner {
    sub T = Timer;

    <T: tick> -> tick;
}

net Outer {
    sub I = Inner;
    sub W = Worker;

    <I: tick> -> tick;
    <W: work> -> work;

    priority work < tick when I.T.t < 2;
}

check bisimilar(Outer, Graph);
",
    );
}

#[test]
fn what_is_read_need_not_take_part() {
    holds(
        "\
action a, b, flip;

process A {
    init state s;

    s -> s : a;
}

process B {
    init state s;

    s -> s : b;
}

process Switch {
    var on: Bool = false;
    init state s;

    s -> s : flip do on := not on;
}

process Graph {
    init state off;
    state on;

    off -> off : a;
    off -> on  : flip;
    on  -> off : flip;
}

net Three {
    sub X = A;
    sub Y = B;
    sub C = Switch;

    <X: a>    -> a    unless <Y: b> when C.on;
    <C: flip> -> flip;
}

check bisimilar(Three, Graph);
check deadlock_free(Three);
",
    );
}

#[test]
fn who_goes_first_may_read_itself() {
    holds(
        "\
action go, stop;

process Car {
    var speed: 0..3 = 0;
    init state s;

    s -> s : go   when speed < 2 do speed := speed + 1;
    s -> s : stop                do speed := 0;
}

process Graph {
    init state slow;
    state fast;

    slow -> fast : go;
    slow -> slow : stop;
    fast -> slow : stop;
}

net Road {
    sub C = Car;

    <C: go>   -> go   unless <C: stop> when C.speed > 0;
    <C: stop> -> stop;
}

check bisimilar(Road, Graph);
check always(Road, C.speed <= 1);
",
    );
}

#[test]
fn members_of_families_are_read_by_their_indices() {
    holds(
        "\
action a, b, set;
action a(0..2), b(0..2), set(0..2);

process Cell {
    var x: Bool = false;
    init state s;

    s -> s : a;
    s -> s : b;
    s -> s : set when not x do x := true;
}

process Graph {
    init state s00;
    state s10, s01, s11;

    s00 -> s00 : a(0);
    s00 -> s00 : a(1);
    s00 -> s00 : b(0);
    s00 -> s00 : b(1);
    s00 -> s10 : set(0);
    s00 -> s01 : set(1);
    s10 -> s10 : a(1);
    s10 -> s10 : b(0);
    s10 -> s10 : b(1);
    s10 -> s11 : set(1);
    s01 -> s01 : a(0);
    s01 -> s01 : b(0);
    s01 -> s01 : b(1);
    s01 -> s11 : set(0);
    s11 -> s11 : b(0);
    s11 -> s11 : b(1);
}

net Row {
    sub S[i: 0..2] = Cell;

    <S[i]: a>   -> a(i)   for i in 0..2;
    <S[i]: b>   -> b(i)   for i in 0..2;
    <S[i]: set> -> set(i) for i in 0..2;

    priority a(i) < b(i) when S[i].x for i in 0..2;
}

check bisimilar(Row, Graph);
",
    );
}

#[test]
fn guards_of_a_way_are_taken_together() {
    // `b` is never possible, and `a` gives way to `c` where both guards hold.
    holds(
        "\
action a, b, c, p, q;

process Worker {
    var on: Bool = false;
    init state s;

    s -> s : a;
    s -> s : b when on and not on;
    s -> s : c;
    s -> s : p when not on         do on := true;
}

process Switch {
    var on: Bool = false;
    init state s;

    s -> s : p when not on do on := true;
}

process Graph {
    init state s00;
    state s10, s01, s11;

    s00 -> s00 : a;
    s00 -> s00 : c;
    s00 -> s10 : p;
    s00 -> s01 : q;
    s10 -> s10 : a;
    s10 -> s10 : c;
    s10 -> s11 : q;
    s01 -> s01 : a;
    s01 -> s01 : c;
    s01 -> s11 : p;
    s11 -> s11 : c;
}

net Way {
    sub X = Worker;
    sub Y = Switch;

    <X: a> -> a;
    <X: b> -> b;
    <X: c> -> c;
    <X: p> -> p;
    <Y: p> -> q;

    priority a < b when X.on;
    priority b < c when Y.on;
}

check bisimilar(Way, Graph);
",
    );
}

#[test]
fn connectors_and_all_others_read_too() {
    holds(
        "\
action up, down, both;

process Cell {
    var n: 0..3 = 0;
    init state s;

    s -> s : up   when n < 2 do n := n + 1;
    s -> s : down when n > 0 do n := n - 1;
}

process Graph {
    init state s00;
    state s11, s22, s10, s21;

    s00 -> s11 : both;
    s11 -> s22 : both;
    s22 -> s21 : down;
    s11 -> s10 : down;
    s10 -> s00 : up;
    s21 -> s11 : up;
}

net Pair {
    sub A = Cell;
    sub B = Cell;

    connect both : A.up B.up;
    connect down : B.down;
    connect up   : A.down;

    priority * < up when A.n > B.n;
    priority up < down when A.n == B.n;
}

check bisimilar(Pair, Graph);
",
    );
}

#[test]
fn what_is_not_there_is_told() {
    let text = "\
action go, stop;

process P {
    var load: Int = 0;
    init state s;

    s -> s : go   when load < 5 do load := load + 1;
    s -> s : stop when load > 0 do load := load - 1;
}

net N {
    sub A = P;
    sub S[i: 0..2] = P;

    <A: go>   -> go;
    <A: stop> -> stop;

    priority go < stop when GUARD;
}
";
    let said = |guard: &str| -> Vec<String> {
        let checked = check_text(text.replace("GUARD", guard));
        checked.diagnostics.iter().map(|one| one.entry.code.to_owned()).collect()
    };
    // `S` is not used, which is told as well.
    let plain = said("A.load > 3");
    assert!(!plain.iter().any(|code| code.starts_with(['N', 'T'])), "{plain:?}");
    for wrong in ["A.lod > 3", "S.load > 3", "S[4].load > 3", "load > 3", "A.load", "B.load > 3"] {
        let found = said(wrong);
        assert!(found.iter().any(|code| code.starts_with(['N', 'T'])), "{wrong}: {found:?}");
    }
}

//! Small models that are nasty in some way, with verdicts that were found by thinking. Nobody may say the opposite, and `auto`
//! must know.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pnetc::base::{Budget, Spent, Watch};
use pnetc::diagnostics::Severity;
use pnetc::explore::EngineChoice;
use pnetc::model::Checked;
use pnetc::outcome::{Evidence, Outcome, Reason, Verdict};
use pnetc::verify::{self, ModelOptions};

use crate::common::check_text;
use crate::common::models::in_short;

/// All engines by their names.
const ENGINES: [(&str, EngineChoice); 8] = [
    ("explicit", EngineChoice::Explicit),
    ("symbolic", EngineChoice::Symbolic),
    ("bounded", EngineChoice::Bounded),
    ("induction", EngineChoice::Induction),
    ("abstraction", EngineChoice::Abstraction),
    ("abstraction-full", EngineChoice::AbstractionFull),
    ("horn", EngineChoice::Horn),
    ("auto", EngineChoice::Auto),
];

/// One engine may look at its budget so often, and think so long: nothing is claimed about who is done by then. `auto` has to
/// be, and has more time than anybody would wait.
const WORK: u64 = 30_000;
const LONGEST: Duration = Duration::from_millis(300);
const MOST_DEPTH: u64 = 8;
const FOR_AUTO: Duration = Duration::from_secs(60);

struct Hurried(Budget);

impl Watch for Hurried {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

fn asked(checked: &Checked, number: usize, choice: EngineChoice) -> Outcome {
    let mut options = ModelOptions::default();
    options.explore.engine = choice;
    if choice == EngineChoice::Bounded {
        options.explore.most_depth = MOST_DEPTH;
    }
    let auto = choice == EngineChoice::Auto;
    let budget = Budget::of_work(if auto { u64::MAX } else { WORK });
    let (done, ended) = channel::<()>();
    let theirs = budget.clone();
    let longest = if auto { FOR_AUTO } else { LONGEST };
    let timer = std::thread::spawn(move || {
        if ended.recv_timeout(longest) == Err(RecvTimeoutError::Timeout) {
            theirs.spend(Spent::Interrupted);
        }
    });
    let outcome = verify::run(checked, checked.checks()[number], &options, &Hurried(budget));
    drop(done);
    let _ = timer.join();
    outcome.unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// That each check of a model is proved (`+`), refuted (`-`), or known to nobody (`?`).
#[track_caller]
fn are(verdicts: &str, text: &str) {
    let checked = check_text(text);
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let errors: Vec<String> = errors.map(|found| in_short(&checked, found)).collect();
    assert!(errors.is_empty(), "{}\n{text}", errors.join("\n"));
    let verdicts: Vec<char> = verdicts.chars().collect();
    assert_eq!(checked.checks().len(), verdicts.len(), "{text}");
    for (number, wanted) in verdicts.into_iter().enumerate() {
        let wanted = match wanted {
            '+' => Verdict::Proved,
            '-' => Verdict::Refuted,
            _ => Verdict::Unknown,
        };
        let claim = verify::claim(&checked, checked.checks()[number]);
        for (name, choice) in ENGINES {
            let outcome = asked(&checked, number, choice);
            let fine = outcome.verdict == wanted
                || outcome.verdict == Verdict::Unknown && choice != EngineChoice::Auto;
            assert!(fine, "{name} of {claim}, which should be {wanted:?}: {outcome:?}\n{text}");
            if std::env::var_os("PNET_WHY").is_some() {
                println!("{name}: {:?} {:?} of {claim}", outcome.verdict, outcome.reason);
            }
            let slip = matches!(
                &outcome.reason,
                Reason::InvariantUnconfirmed { why: None, .. }
                    | Reason::PredicateFails
                    | Reason::NoRun
            );
            assert!(!slip, "{name} of {claim}: {outcome:?}\n{text}");
            let run = matches!(outcome.evidence, Evidence::Run(_));
            let must =
                matches!(outcome.reason, Reason::PropertyFails { .. } | Reason::Deadlock { .. });
            assert!(run || !must, "{name} of {claim}: no run\n{text}");
        }
    }
}

// ---- numbers ----

#[test]
fn numbers_do_not_overflow() {
    are(
        "+-+",
        "action up; process A { var n: Int = 9_223_372_036_854_775_807; init state s; state t;
            s -> t : up do n := n + 1; t -> s : up do n := n - 1; }
        check always(A, n > 0);
        check always(A, n <= 9_223_372_036_854_775_807);
        check reaches(A, n == 9_223_372_036_854_775_808);",
    );
    are(
        "+-",
        "action up; process A { var n: Int = 3; init state s; s -> s : up when n < 1_000_000 do n := n * n; }
        check always(A, n mod 3 == 0);
        check always(A, n < 40_000_000);",
    );
    are(
        "-+",
        "action up; process A { var n: Int = -170_141_183_460_469_231_731_687_303_715_884_105_728; init state s;
            s -> s : up do n := -n; }
        check always(A, n < 0);
        check always(A, n != 0);",
    );
}

/// The remainder is never negative, also where the divisor is; the quotient fits.
#[test]
fn division_rounds_as_is_said() {
    are(
        "++++",
        "action go; process A { var n: Int = -7; var q: Int = 0; var r: Int = 0; init state s; state t, u;
            s -> t : go do q := n div 2, r := n mod 2;
            t -> u : go do q := n div (-2), r := n mod (-2); }
        check always(A, A in t => q == -4 and r == 1);
        check always(A, A in u => q == 4 and r == 1);
        check reaches(A, A in u);
        check not deadlock_free(A);",
    );
}

/// What divides by zero does not happen, and a guard that does is false, as is its opposite.
#[test]
fn division_by_zero_does_not_happen() {
    are(
        "++-",
        "action go, down; process A { var n: Int = 2; var q: Int = 0; init state s; state t;
            s -> s : down when n > 0 do n := n - 1;
            s -> t : go when n == 0 do q := 5 div n;
            s -> t : go when 1 div n > 3;
            s -> t : go when not (1 div n > 3) and n == 0; }
        check always(A, A in s);
        check not deadlock_free(A);
        check reaches(A, A in t);",
    );
    // A property that divides by zero somewhere has no verdict.
    are(
        "??",
        "action down; process A { var n: Int = 2; init state s; s -> s : down when n > 0 do n := n - 1; }
        check always(A, 4 div n < 5);
        check reaches(A, 4 div n == 4);",
    );
    are(
        "+-",
        "action down; process A { var n: Int = 2; init state s; s -> s : down when n > 0 do n := n - 1; }
        check always(A, n == 0 or 4 div n < 5);
        check always(A, n != 0 and 4 div n < 5);",
    );
}

// ---- ranges ----

#[test]
fn what_leaves_its_range_does_not_happen() {
    are(
        "+-+",
        "action up; process A { var n: 0..3 = 0; init state s;
            s -> s : up do n := n + 1; }
        check always(A, n <= 2);
        check deadlock_free(A);
        check reaches(A, n == 2);",
    );
    // One value, and none besides.
    are(
        "++-",
        "action go, put(4..5), got(Int); interface Any { put(4..5) }
        process A { var n: 4..5; var m: Int = 4; init state s; s -> s : put(?x) do n := x, m := x; }
        net N(H: Any) { sub B = A; <H: put(x), B: put(x)> -> got(x); }
        check always(N, n == 4 and m == 4);
        check deadlock_free(N);
        check reaches(N, m == 5);",
    );
    // Inside of other values, too.
    are(
        "+-",
        "data M { P, Q(seq: 0..2, deep: [0..2]1..3) } action go;
        process A { var m: M = P; var d: [0..2]1..3; var k: Int = 0; init state s;
            s -> s : go when k < 5 do m := Q(k, d[0 := k + 1]), k := k + 1; }
        check always(A, k <= 2);
        check always(A, m is P or m.deep[0] == 1);",
    );
}

#[test]
fn nobody_is_in_an_empty_range() {
    are(
        "+-+-",
        "action go; process A { var n: Int = 0; init state s; state t; s -> t : go when forall q: 3..3 . q > n; }
        net N<k: Int> { sub F[i: 0..k] = A; <F[i]: go> -> go for i in 1..k; <F[i]: go> -> tau for i in 0..0; }
        check always(N<1>, F[0] in s);
        check reaches(N<1>, exists i: 1..k . F[i] in t);
        check always(N<2>, F[0] in s);
        check always(N<2>, F[1] in s);",
    );
}

#[test]
fn families_of_one() {
    are(
        "+-+",
        "action give, take, go; process S<me: Int> { var has: Bool = me == 0; init state s; state t;
            s -> t : give when has do has := false; t -> s : take do has := true; }
        net R<n: Int> { sub F[i: 0..n] = S<i>; <F[i]: give> -> go for i in 0..n; <F[i]: take> -> go for i in 0..n; }
        check always(R<1>, forall i: 0..n . F[i].has == (F[i] in s));
        check always(R<1>, F[0].has);
        check deadlock_free(R<1>);",
    );
}

// ---- who moves ----

/// The vector is the only one in which both take part, so each value comes twice or never.
#[test]
fn one_action_in_two_vectors() {
    are(
        "+-+",
        "action put(Int), get(Int), go; process A { var n: Int = 0; init state s; s -> s : put(n) do n := n + 1; }
        process B { var m: Int = -1; init state s; s -> s : get(?x) do m := x; }
        net N { sub a = A; sub b = B; sub c = B;
            <a: put(x), b: get(x)> -> go; <a: put(x), c: get(x)> -> go when x mod 2 == 1; }
        check always(N, b.m < a.n and c.m < a.n);
        check always(N, b.m >= c.m);
        check always(N, c.m == -1 or c.m mod 2 == 1);",
    );
}

/// A complement of the same leaf's own action is nobody's: nobody takes part twice.
#[test]
fn handshakes() {
    are(
        "+-",
        "action a, b; process P { init state s; state t; s -> t : a; s -> t : co a; }
        net N { sub x = P; sub y = P; <x: ?z, y: co ?z> -> tau; <x: b> -> b; }
        check always(N, (x in t) == (y in t));
        check deadlock_free(N);",
    );
}

#[test]
fn broadcasts_reach_whoever_hears() {
    let text = |begins: &str, turns: &str, priority: &str| {
        format!(
            "action say, hear, go; process S {{ init state s; state t; s -> t : say; t -> s : go; }}
            process L {{ var k: Int = 0; {begins} here -> here : hear do k := k + 1; {turns} }}
            net N<n: Int> {{ sub A = S; sub F[i: 0..n] = L; connect say : A.say' [F[i].hear' for i in 0..n];
                connect go : A.go; <F[i]: go> -> tau for i in 0..n; {priority} }}
            check always(N<2>, F[0] in deaf => F[0].k == 0);
            check reaches(N<2>, F[0] in here and F[1] in here and F[0].k == 1 and F[1].k == 0);"
        )
    };
    let (deaf, here) = ("init state deaf; state here;", "init state here; state deaf;");
    // One hears while the other is deaf, or could and does not.
    are("++", &text(deaf, "deaf -> here : go;", ""));
    are("++", &text(deaf, "deaf -> here : go;", "priority maximal;"));
    are("-+", &text(here, "here -> deaf : go;", ""));
    // Who is here hears all.
    are("--", &text(here, "here -> deaf : go;", "priority maximal;"));
}

/// The rival asks for data, of which the guard of the connector decides.
#[test]
fn priorities_look_at_data() {
    let text = |than: &str| {
        format!(
            "action low, high(Int), k0, k1; process A {{ var n: Int = 0; init state s; state t;
                s -> s : high(n) do n := n + 1; s -> t : low; }}
            net N {{ sub a = A; connect k0 : a.low; connect k1 : a.high(x) when x < {than}; priority k0 < k1; }}
            check always(N, a in t => n == 3);
            check deadlock_free(N);
            check reaches(N, a in t and n == 3);"
        )
    };
    are("+-+", &text("3"));
    are("--+", &text("3 and x != 2").replace("a in t and n == 3", "a in t and n == 2"));
}

/// Whether the one that goes first can happen is asked of it alone, whatever it gives way to itself.
#[test]
fn priorities_are_not_passed_on() {
    are(
        "+-",
        "action a, b, c, k0, k1, k2; process A { init state s; state ta, tb, tc; s -> ta : a; s -> tb : b; s -> tc : c; }
        net N { sub P = A; connect k0 : P.a; connect k1 : P.b; connect k2 : P.c; priority k0 < k1, k1 < k2; }
        check always(N, P in { s, tc });
        check always(N, P in s);",
    );
    are(
        "++",
        "action a, b, c, k0, k1, k2; process A { init state s; state ta, tb; s -> ta : a; s -> tb : b; }
        process C { var n: Int = 0; init state s; s -> s : c when n < 2 do n := n + 1; }
        net N { sub P = A; sub Q = C; connect k0 : P.a; connect k1 : P.b; connect k2 : Q.c; priority k0 < k1, k1 < k2; }
        check always(N, P in ta => false);
        check always(N, P in tb => Q.n == 2);",
    );
}

#[test]
fn what_it_gives_way_to_has_the_values_of_the_vector() {
    are(
        "+-",
        "action job(Int), urgent(Int), run(Int); process Q { var n: Int = 1; var last: Int = 0; init state s;
            s -> s : job(n) do last := n, n := 3 - n; s -> s : urgent(2) do n := 1; }
        net Desk { sub q = Q; <q: job(n)> -> run(n) unless <q: urgent(n)>; }
        check always(Desk, q.last != 2);
        check deadlock_free(Desk);",
    );
}

// ---- data ----

#[test]
fn recursive_data() {
    are(
        "+-+",
        "data L { Nil, Cons(head: 0..2, tail: L) } fun len(l: L): Int = match l { Nil => 0, Cons(_, r) => 1 + len(r) };
        action push, pop; process A { var l: L = Nil; var n: Int = 0; init state s;
            s -> s : push when n < 2 do l := Cons(n, l), n := n + 1;
            s -> s : pop when l is Cons(_, _) do l := l.tail, n := n - 1; }
        check always(A, len(l) == n);
        check always(A, len(l) < 2);
        check deadlock_free(A);",
    );
    // What a value does not have is anything, of its sort.
    are(
        "++",
        "data M { P, Q(seq: 1..3) } action go; process A { var m: M = P; init state s; state u;
            s -> u : go when m.seq == 3; s -> s : go when m.seq > 0; }
        check always(A, A not in u);
        check deadlock_free(A);",
    );
}

#[test]
fn arrays_in_arrays() {
    are(
        "+-+",
        "action go; process A { var a: [0..2][0..2]Int; var k: 0..2 = 0; init state z; state s;
            z -> s : go do a := a[0 := [_]Int(0)][1 := [_]Int(0)];
            s -> s : go when a[k][1 - k] < 2 do a := a[k := a[k][1 - k := a[k][1 - k] + 1]], k := 1 - k; }
        check always(A, A in s => a[0][0] == 0 and a[1][1] == 0);
        check always(A, A in s => a[0][1] == a[1][0]);
        check always(A, A in s => a[0][1] - a[1][0] == k);",
    );
    are(
        "+-",
        "action go; process A { var a: [0..2]Bool; var b: [0..2]Bool = [_]Bool(false); init state s; state t;
            s -> t : go when a == b[1 := true]; }
        check always(A, A in t => not a[0] and a[1]);
        check always(A, A in s);",
    );
}

#[test]
fn what_is_outside_of_an_array_is_not_read() {
    are(
        "+-?",
        "action up; process A { var a: [0..2]Int = [_]Int(7); var k: Int = 0; init state s; state t;
            s -> s : up when a[k] == 7 do k := k + 1; s -> t : up when not (a[k] == 7); }
        check always(A, k <= 2 and A in s);
        check deadlock_free(A);
        check always(A, a[k] == 7);",
    );
}

// ---- what begins, and what holes do ----

#[test]
fn it_begins_in_many_places() {
    are(
        "+--+",
        "enum C { R, G, B } action go; process A { var c: C; var d: C = R; var b: Bool; init state s;
            s -> s : go when b do c := d; }
        check always(A, d == R);
        check always(A, b);
        check deadlock_free(A);
        check reaches(A, c == B and not b);",
    );
    are(
        "+-",
        "const K: Int; axiom K > 2; axiom K < 5; action up; process A { var n: Int = K; var m: Int; init state s;
            s -> s : up when m > n do n := n + 1; }
        check always(A, n >= 3);
        check always(A, n <= 4);",
    );
}

#[test]
fn holes_offer_data() {
    are(
        "+--+",
        "data M { P, Q(n: Int) } action put(M, Bool), got; interface Any { put(M, Bool) }
        process A { var last: Int = 0; init state s; state t;
            s -> s : put(?m, ?b) when m is Q(_) and b do last := m.n; s -> t : put(P, false); }
        net N(H: Any) { sub a = A; <H: put(m, b), a: put(m, b)> -> got when m is P or m.n >= 0;
            <H: tau> -> tau; }
        check always(N, last >= 0);
        check always(N, a in s);
        check always(N, last != 77);
        check deadlock_free(N);",
    );
    // Stuck whatever the hole does.
    are(
        "-+",
        "action put(Int), got; interface Any { put(Int) } process A { init state s; state t; s -> t : put(?x) when x * x == 4; }
        net N(H: Any) { sub a = A; <H: put(x), a: put(x)> -> got when x < 0; }
        check deadlock_free(N);
        check reaches(N, a in t);",
    );
}

#[test]
fn final_states_are_no_deadlocks() {
    are(
        "+-",
        "action a, go; process A { init state s; final state t; s -> t : a; }
        process B { init state s; state u; s -> u : a; }
        net N { sub p = A; sub q = A; <p: a> -> go; <q: a> -> go; }
        net M { sub p = A; sub q = B; <p: a> -> go; <q: a> -> go; }
        check deadlock_free(N);
        check deadlock_free(M);",
    );
}

/// What an inner net gives way to is decided inside, whatever the outer one allows.
#[test]
fn order_inside_is_kept_outside() {
    are(
        "+-",
        "action a, b, go; process A { var n: Int = 0; init state s; state t; s -> s : b when n < 2 do n := n + 1; s -> t : a; }
        process B { init state s; s -> s : go; }
        net In { sub x = A; <x: a> -> a; <x: b> -> b; priority a < b; }
        net Out { sub i = In; sub y = B; <i: a> -> go; <i: b, y: go> -> go; }
        check always(Out, x in t => x.n == 2);
        check always(Out, x in s);",
    );
    // The outer net blocks `b`: inside, `a` gives way all the same.
    are(
        "-+",
        "action a, b, go; process A { init state s; state t; s -> s : b; s -> t : a; }
        net In { sub x = A; <x: a> -> a; <x: b> -> b; priority a < b; }
        net Out { sub i = In; <i: a> -> go; }
        check deadlock_free(Out);
        check always(Out, x in s);",
    );
}

/// What goes first is asked of a net with its own order: while `c` goes before `b` inside, `b` cannot happen, and nobody has to
/// wait for it.
#[test]
fn order_inside_counts_for_what_goes_first() {
    are(
        "++-",
        "action b, c, go; process P { var n: Int = 0; init state s; s -> s : b; s -> s : c when n < 2 do n := n + 1; }
        process A { var k: Int = 0; init state s; s -> s : go when k < 5 do k := k + 1; }
        net In { sub x = P; <x: b> -> b; <x: c> -> c; priority b < c; }
        net Out { sub i = In; sub a = A; <a: go> -> go unless <i: b>; <i: c> -> c; }
        check reaches(Out, a.k == 5);
        check always(Out, x.n <= 2);
        check deadlock_free(Out);",
    );
}

/// A member that data choose, and one that there is not.
#[test]
fn data_choose_a_member() {
    are(
        "+-?",
        "action call(Int), hit, go; process C { var k: Int = 0; init state s; s -> s : call(k) do k := k + 1; }
        process S { var n: Int = 0; init state s; s -> s : hit do n := n + 1; }
        net N<m: Int> { sub c = C; sub F[i: 0..m] = S; <c: call(x), F[x]: hit> -> go; }
        check always(N<2>, c.k <= 2 and F[0].n <= 1);
        check deadlock_free(N<2>);
        check always(N<2>, F[c.k].n == 0);",
    );
}

/// Guards of a transfer look at what was there before, and what is written is what the member gets.
#[test]
fn transfers_happen_before_updates() {
    are(
        "+-+",
        "action out(Int), set(Int), move; process A { var v: Int = 0; init state s; s -> s : out(v) do v := v + 1; }
        process B { var w: Int = 0; init state s; s -> s : set(?x) when x < 6 do w := x + w - w; }
        net N { sub a = A; sub b = B; connect move : a.out(x) b.set(y) when x < 10 do y := 2 * x; }
        check always(N, b.w <= 4 and b.w mod 2 == 0);
        check deadlock_free(N);
        check always(N, a.v == 0 or b.w == 2 * (a.v - 1));",
    );
}

#[test]
fn swaps_are_at_once() {
    are(
        "+-+",
        "action go; process A { var x: Int = 1; var y: Int = 2; init state s; s -> s : go do x := y, y := x; }
        check always(A, x + y == 3 and x != y);
        check always(A, x < y);
        check deadlock_free(A);",
    );
}

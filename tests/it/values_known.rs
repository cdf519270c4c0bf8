//! Ranges and values: cases that were wrong once, each with the verdict that is right.

use crate::common::check_text;
use pnetc::generate::Unwatched;
use pnetc::model::{self, BuildFailure};
use pnetc::outcome::Evidence;
use pnetc::verify::{self, Options};
use std::sync::mpsc;
use std::time::Duration;

/// `proved`, `refuted`, `unknown` or `error` for each check; one `error` if the text has some.
fn words_with(text: &str, set: &[(&str, i64)]) -> Vec<&'static str> {
    let mut checked = check_text(text);
    if checked.has_errors() {
        return vec!["error"];
    }
    let texts: Vec<String> = set.iter().map(|(name, n)| format!("{name}={n}")).collect();
    let settled = model::settle(&mut [&mut checked], &texts);
    if !settled.problems.is_empty() {
        return vec!["error"];
    }
    let mut options = Options::default();
    options.elaborate.set = settled.settings[0].clone();
    let run = |check| match verify::run(&checked, check, &options, &Unwatched) {
        Ok(outcome) => outcome.verdict.word(),
        Err(_) => "error",
    };
    checked.program.checks.iter().map(run).collect()
}

fn words(text: &str) -> Vec<&'static str> {
    words_with(text, &[])
}

/// Whether a text is refused, when it is read or when its nets are built.
fn refused(text: &str, set: &[(&str, i64)]) -> bool {
    words_with(text, set).iter().all(|word| *word == "error")
}

// ---- what holes do ----

/// `?x` takes only what the hole can do: there is no `a(3)`.
#[test]
fn whole_actions_keep_to_their_ranges() {
    let text = "action a(0..3), b, c;
        interface I { a(0..3), b }
        net L(P: I) {
            <P: ?x> -> c when x is a(_) and x is not a(0) and x is not a(1) and x is not a(2);
        }
        net R(P: I) {
            <P: ?x> -> c when x is a(_) and x is not a(0) and x is not a(1) and x is not a(2);
            <P: b> -> b;
        }
        check refines(L, R);
        check bisimilar(L, R);";
    assert_eq!(words(text), ["refuted", "refuted"]);
}

#[test]
fn whole_actions_are_those_that_are_written_out() {
    let text = "action a(0..3), b;
        interface I { a(0..3), b }
        net L(P: I) { <P: ?x> -> x when x in I; }
        net R(P: I) { <P: a(0)> -> a(0); <P: a(1)> -> a(1); <P: a(2)> -> a(2); <P: b> -> b; }
        check bisimilar(L, R);";
    assert_eq!(words(text), ["proved"]);
}

#[test]
fn whole_actions_of_any_holes_keep_to_their_ranges() {
    let text = "action a(0..2), c;
        net L(P: any) { <P: ?x> -> c when x is a(_) and x is not a(0) and x is not a(1); }
        net R(P: any) { }
        check bisimilar(L, R);";
    assert_eq!(words(text), ["proved"]);
}

#[test]
fn synchronised_actions_keep_to_their_ranges() {
    let text = "action a(0..2), c;
        interface I { a(0..2) }
        net L(P: I) { <P: sync ?x> -> c when x is a(_) and x is not a(0) and x is not a(1); }
        net R(P: I) { }
        check bisimilar(L, R);";
    assert_eq!(words(text), ["proved"]);
}

/// What has been synchronised can be shown as that once more.
#[test]
fn holes_synchronise_what_was_synchronised() {
    let text = "action c;
        interface I { c }
        net A(P: I) { <P: sync ?x> -> c when x is not sync _; }
        net B(P: I) { <P: sync ?x> -> c; }
        net Twice(P: I) { <P: ?x> -> sync x; }
        process D { init state s; s -> s : sync c; }
        check bisimilar(A, B);
        check bisimilar(A(P: Twice(P: D)), B(P: Twice(P: D)));";
    assert_eq!(words(text), ["refuted", "refuted"]);
}

// ---- what goes in at the beginning ----

#[test]
fn initial_values_keep_to_their_sorts() {
    let text = "action c(Int);
        const K: Int;
        process A { var v: 0..3 = K; init state s; s -> s : c(v); }
        process B { var v: Int = K; init state s; s -> s : c(v); }
        check bisimilar(A, B);";
    assert!(refused(text, &[]));
    assert!(refused(text, &[("K", 7)]));
    assert_eq!(words_with(text, &[("K", 2)]), ["proved"]);
    let with_axiom = text.replace("const K: Int;", "const K: Int; axiom K >= 0 and K < 3;");
    assert_eq!(words(&with_axiom), ["proved"]);
}

#[test]
fn constants_that_are_set_keep_to_their_sorts_and_axioms() {
    let text = "action c(Int);
        const K: 0..3;
        process A { init state s; s -> s : c(K); }
        check bisimilar(A, A);";
    assert!(refused(text, &[("K", 7)]));
    assert_eq!(words_with(text, &[("K", 2)]), ["proved"]);
    let text = text.replace("const K: 0..3;", "const K: Int; axiom K < 3;");
    assert!(refused(&text, &[("K", 7)]));
}

#[test]
fn parameters_keep_to_their_sorts() {
    let text = "action c(Int);
        const K: Int;
        process A<n: 0..3> { init state s; s -> s : c(n); }
        net N { sub X = A<K>; <X: c(x)> -> c(x); }
        check bisimilar(N, N);";
    assert!(refused(text, &[]));
    assert!(refused(text, &[("K", 3)]));
    assert_eq!(words_with(text, &[("K", 2)]), ["proved"]);
}

// ---- values inside values ----

#[test]
fn constructors_under_conditionals_owe() {
    let text = "data M { Ping, Pkt(q: 0..3) }
        action a(Int), c;
        process A {
            var m: M = Ping;
            init state s; state t;
            s -> t : a(?k) do m := if k > 2 then Pkt(k) else Ping;
            t -> t : c when m is Pkt(_);
        }
        process B { init state s; state t; s -> t : a(?k) when k <= 2; }
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved"]);
}

#[test]
fn functions_owe_what_they_make() {
    let text = "data M { Ping, Pkt(q: 0..3) }
        fun mk(k: Int): M = Pkt(k);
        action a(Int);
        process A { var m: M = Ping; init state s; s -> s : a(?k) do m := mk(k); }
        process B { init state s; s -> s : a(?k) when k >= 0 and k < 3; }
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved"]);
}

#[test]
fn arrays_under_conditionals_owe() {
    let text = "action a(Int);
        process A {
            var r: [0..2]0..3 = [_]Int(0);
            init state s;
            s -> s : a(?k) do r := if k > 0 then r[0 := k] else r;
        }
        process B { init state s; s -> s : a(?k) when k < 3; }
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved"]);
}

#[test]
fn quantifiers_go_over_values_of_the_sort() {
    let text = "data M { Ping, Pkt(q: 0..3) }
        action c;
        process A { init state s; s -> s : c when exists x: M . x is Pkt(_) and x.q >= 3; }
        process B { init state s; }
        process C { init state s; s -> s : c when forall x: M . x is Ping or x.q < 3; }
        process D { init state s; s -> s : c; }
        check bisimilar(A, B);
        check bisimilar(C, D);";
    assert_eq!(words(text), ["proved", "proved"]);
}

#[test]
fn recursive_data_below_the_first_level() {
    let text = "data L { Nil, Cons(head: 0..2, tail: L) }
        action a(L), c;
        interface I { a(L) }
        net A(P: I) {
            <P: a(x)> -> c when x is Cons(_, _) and x.tail is Cons(_, _) and x.tail.head >= 2;
        }
        net B(P: I) { }
        check bisimilar(A, B);";
    let found = words(text);
    assert!(found == ["proved"] || found == ["unknown"], "{found:?}");
    let text = "data L { Nil, Cons(head: 0..2, tail: L) }
        action a(Int), c;
        process A {
            var l: L = Nil;
            init state s;
            s -> s : a(?k) when l is Nil do l := Cons(0, Cons(k, Nil));
        }
        process B { var d: Bool = false; init state s; s -> s : a(?k) when k >= 0 and k < 2 and not d do d := true; }
        check bisimilar(A, B);";
    let found = words(text);
    assert!(found == ["proved"] || found == ["unknown"], "{found:?}");
}

#[test]
fn results_of_abstract_functions_keep_to_their_sorts() {
    let text = "fun g(x: Int): 0..3;
        action c;
        process A { init state s; s -> s : c when g(0) >= 3; }
        process B { init state s; }
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved"]);
}

#[test]
fn missing_fields_keep_to_their_sorts() {
    let text = "data M { Ping, Pkt(q: 0..3) }
        action c, d;
        process A { var m: M = Ping; init state s; s -> s : c when m.q >= 3; }
        process B { init state s; }
        process C { var m: M = Ping; init state s; s -> s : d when m.q == 1; }
        check bisimilar(A, B);
        check bisimilar(C, C);
        check bisimilar(C, B);";
    assert_eq!(words(text), ["proved", "proved", "refuted"]);
}

#[test]
fn arguments_of_holes_keep_to_the_ranges_inside() {
    let text = "data M { Ping, Pkt(q: 0..3) }
        action m(M), c;
        interface I { m(M) }
        net A(P: I) { <P: m(x)> -> c when x is Pkt(_) and x.q >= 3; }
        net B(P: I) { }
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved"]);
}

// ---- sorts that may be empty ----

#[test]
fn sorts_are_not_empty() {
    let text = "const N: Int;
        action g(0..N), h;
        interface I { g(0..N) }
        net H1(P: I) { <P: g(_)> -> h; }
        net H2(P: I) { <P: g(_)> -> h when N > 0; }
        check bisimilar(H1, H2);";
    assert!(refused(text, &[]));
    assert!(refused(text, &[("N", 0)]));
    assert_eq!(words_with(text, &[("N", 1)]), ["proved"]);
    let with_axiom = text.replace("const N: Int;", "const N: Int; axiom N >= 1;");
    assert_eq!(words(&with_axiom), ["proved"]);
    assert!(refused(&with_axiom, &[("N", 0)]));
}

// ---- axioms ----

#[test]
fn an_axiom_that_holds_of_all_values_contradicts_nothing() {
    let text = "data M { Ping, Pkt(q: 0..3) }
        axiom forall x: M . x is Pkt(_) => x.q < 3;
        action c, d;
        process A { init state s; s -> s : c; }
        process B { init state s; s -> s : d; }
        check bisimilar(A, A);
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved", "refuted"]);
}

// ---- arrays over ranges ----

#[test]
fn reading_outside_is_no_step() {
    let text = "action a(Int), c;
        process A { var r: [0..3]Int = [_]Int(0); init state s; s -> s : a(?i) when r[i] == 0; }
        process B { init state s; s -> s : a(?i) when i >= 0 and i < 3; }
        process C { var r: [0..3]Int = [_]Int(0); init state s; s -> s : a(?i) when not (r[i] == 1); }
        process D {
            var r: [0..3]Int = [_]Int(0);
            init state s;
            s -> s : a(?i) when i < 0 or i >= 3 or r[i] == 0;
        }
        process E { init state s; s -> s : a(?i); }
        check bisimilar(A, B);
        check bisimilar(C, B);
        check bisimilar(D, E);";
    assert_eq!(words(text), ["proved", "proved", "proved"]);
}

#[test]
fn writing_outside_is_no_step() {
    let text = "action a(Int);
        process A { var r: [0..3]Int = [_]Int(0); init state s; s -> s : a(?i) do r := r[i := 3]; }
        process B { init state s; s -> s : a(?i) when i >= 0 and i < 3; }
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved"]);
}

#[test]
fn whole_arrays_are_equal_where_their_places_are() {
    let text = "action c, d;
        process A {
            var r: [0..2]Bool;
            var q: [0..2]Bool;
            init state s;
            s -> s : c when r == q;
            s -> s : d when r != q;
        }
        process B {
            var r: [0..2]Bool;
            var q: [0..2]Bool;
            init state s;
            s -> s : c when r[0] == q[0] and r[1] == q[1];
            s -> s : d when not (r[0] == q[0] and r[1] == q[1]);
        }
        process E { var r: [0..2]Bool = [_]Bool(true); init state s; s -> s : c when r[0 := true] == r; }
        process F { init state s; s -> s : c; }
        check bisimilar(A, B);
        check bisimilar(E, F);";
    assert_eq!(words(text), ["proved", "proved"]);
}

// ---- division ----

#[test]
fn dividing_by_zero_is_no_step() {
    let text = "action a(Int), c;
        process A { init state s; s -> s : a(?i) when 6 div i >= 0 or true; }
        process B { init state s; s -> s : a(?i) when i != 0; }
        process C { init state s; s -> s : a(?i) when i == 0 or 6 mod i >= 0; }
        process D { init state s; s -> s : a(_); }
        check bisimilar(A, B);
        check bisimilar(C, D);";
    assert_eq!(words(text), ["proved", "proved"]);
}

// ---- who goes first ----

/// What cannot be paid cannot happen, and nobody gives way to it.
#[test]
fn priorities_look_at_what_is_owed() {
    let text = "action a, b(0..2), c(Int);
        process P { var n: 0..4 = 3; init state s; s -> s : a; s -> s : c(n); }
        net A { sub X = P; <X: a> -> a; <X: c(x)> -> b(x); priority a < b; }
        net B { sub X = P; <X: a> -> a unless <X: c(x)> when x >= 0 and x < 2; }
        net C { sub X = P; <X: a> -> a; }
        check bisimilar(A, C);
        check bisimilar(B, C);";
    assert_eq!(words(text), ["proved", "proved"]);
}

/// A vector whose members data chooses is one vector for each choice; the values of one say nothing about another.
#[test]
fn a_choice_by_data_gives_way_to_another_one() {
    let text = "action a, b, pick(0..2), go;
        process C { init state s; s -> s : a; s -> s : b; }
        process D { init state s; s -> s : pick(0); s -> s : pick(1); }
        process T { init state s; s -> s : go; }
        net A {
            sub X = C; sub Y = D; sub Z[i: 0..2] = T;
            <X: ?x, Y: pick(k), Z[k]: go> -> x when (x is a and k == 0) or (x is b and k == 1);
            priority a < b;
        }
        net B {
            sub X = C; sub Y = D; sub Z[i: 0..2] = T;
            <X: ?x, Y: pick(k), Z[k]: go> -> x when x is b and k == 1;
        }
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved"]);
}

// ---- families ----

/// Where the port that an index comes from does not take part, there is no index.
#[test]
fn indices_of_connectors_have_values() {
    let text = "action p, go, pick(0..2);
        process C { init state s; s -> s : pick(0); }
        process T { init state s; s -> s : p; }
        net A { sub Y = C; sub Z[i: 0..2] = T; connect go : Z[k].p' Y.pick(k); }
        net B { sub Y = C; sub Z[i: 0..2] = T; connect go : Z[k].p' Y.pick(k)'; }
        check bisimilar(A, B);";
    assert!(refused(text, &[]));
    let all = text.replace("Z[k].p' Y.pick(k)'", "Z[k].p Y.pick(k)");
    assert_eq!(words(&all.replace("Z[k].p'", "Z[k].p")), ["proved"]);
}

// ---- values of recursive data ----

/// The solver unfolds recursive functions for as long as they go on when it is asked for values: that takes no more time
/// than a question may.
#[test]
fn values_are_read_in_time() {
    let text = "data L { Nil, Cons(head: 0..2, tail: L) }
        action b, d(L);
        interface I { d(L) }
        net A(Q: I) { <Q: sync ?x> -> b when x is tau; }
        net B(Q: I) { <Q: sync ?x> -> b; }
        check bisimilar(A, B);";
    let (done, is_done) = mpsc::channel();
    std::thread::spawn(move || done.send(words(text)));
    let found = is_done.recv_timeout(Duration::from_secs(20)).expect("it ends");
    assert!(found == ["refuted"] || found == ["unknown"], "{found:?}");
}

// ---- what is said ----

/// The codes of what is said where the last net is built, errors or warnings of its automaton.
fn codes(text: &str, set: &[(&str, i64)]) -> Vec<&'static str> {
    let mut checked = check_text(text);
    let texts: Vec<String> = set.iter().map(|(name, n)| format!("{name}={n}")).collect();
    let settled = model::settle(&mut [&mut checked], &texts);
    let options =
        pnetc::elaborate::Options { set: settled.settings[0].clone(), ..Default::default() };
    let found = match checked.build(None, &options) {
        Err(BuildFailure::Problems(problems)) => problems,
        Err(failure) => panic!("{failure:?}"),
        Ok(net) => {
            let options = pnetc::generate::Options::default();
            let generated = pnetc::generate::generate(&net, &options, &Unwatched);
            checked.review(&net, &generated, &options, &Unwatched)
        }
    };
    found.iter().map(|one| one.entry.code).collect()
}

const BOX: &str = "const N: Int;
    action put(0..N), get(0..N);
    process Box {
        var v: 0..N = 0;
        init state s;
        s -> s : put(?x) do v := x;
        s -> s : get(v + 1);
    }
    net Sys { sub b = Box; <b: put(x)> -> put(x); <b: get(x)> -> get(x); }";

/// One axiom mends all places, so one message asks for it.
#[test]
fn empty_sorts_are_reported_once() {
    assert_eq!(codes(BOX, &[]), ["E0121"]);
    assert_eq!(codes(BOX, &[("N", 0)]), ["E0121"]);
    let two = BOX.replace("const N: Int;", "const N: Int; const M: Int;");
    let two = two.replace("get(0..N)", "get(0..M)").replace("get(v + 1)", "get(0)");
    assert_eq!(codes(&two, &[]), ["E0121", "E0121"]);
}

/// A vector takes values of the sort only: this does not hide that a part would send others.
#[test]
fn values_that_are_sent_and_leave_their_range_are_reported() {
    let known = BOX.replace("const N: Int;", "const N: Int; axiom N >= 1;");
    assert_eq!(codes(&known, &[]), ["A0109"]);
    assert_eq!(codes(&known, &[("N", 4)]), ["A0109"]);
    let kept = known.replace("get(v + 1)", "get(v + 1) when v + 1 < N");
    assert_eq!(codes(&kept, &[]), Vec::<&str>::new());
    let received = "action put(0..4), move(0..3);
        process Giver { init state s; s -> s : put(1); }
        process Taker { var v: 0..3 = 0; init state s; s -> s : put(?x) do v := x; s -> s : move(v); }
        net Sys {
            sub g = Giver;
            sub t = Taker;
            <g: put(x), t: put(x)> -> tau;
            <t: move(x)> -> move(x);
        }";
    assert_eq!(codes(received, &[]), Vec::<&str>::new());
}

/// What a vector shows can leave its range behind another vector, too.
#[test]
fn results_that_leave_their_range_are_reported_below_other_vectors() {
    let text = "action get(0..4);
        process Box { var v: 0..4 = 0; init state s; s -> s : get(v) do v := 3 - v; }
        net Inner { sub b = Box; <b: get(x)> -> get(x + 1); }
        net Outer { sub i = Inner; <i: get(x)> -> get(x); }";
    assert_eq!(codes(text, &[]), ["A0109"]);
}

#[test]
fn families_with_some_members_filled_are_not_tracked() {
    let text = "action a(Int);
        interface I { a(Int) }
        process Q { init state s; s -> s : a(0); }
        net A(P[i: 0..2]: I) { <P[i]: a(x)> -> a(x) for i in 0..2; }
        check refines(A(P[0]: Q), A) tracking { P };
        check refines(A, A(P[0]: Q)) tracking { P };
        check refines(A(P[0]: Q), A(P[0]: Q)) tracking { P };";
    assert_eq!(words(text), ["unknown", "unknown", "proved"]);
}

/// An array has the places of its range, and no others.
#[test]
fn arrays_over_different_ranges_have_different_sorts() {
    let model = |step: &str| {
        format!(
            "action a;
            process A {{
                var v: [0..3]Int;
                var w: [0..4]Int;
                var u: [Int]Int;
                var c: Bool;
                init state s;
                s -> s : a {step};
            }}"
        )
    };
    let is_mismatch = |step: &str| {
        check_text(model(step)).diagnostics.iter().any(|one| one.entry.code == "T0101")
    };
    for step in ["do w := v", "when u == v", "do v := if c then u else v"] {
        assert!(is_mismatch(step), "{step}");
    }
    for step in [
        "do v := [_]Int(1)",
        "do v := if c then [_]Int(1) else v",
        "when v == (if c then [_]Int(1) else [_]Int(2))",
    ] {
        assert!(!check_text(model(step)).has_errors(), "{step}");
    }
}

// ---- what was wrong once ----

#[test]
fn initial_values_can_be_made_of_variables_before() {
    let text = "action a(Int);
        process A { var w: Int = 3; var v: Int = w + 1; var u: Int = v + w; init state s; s -> s : a(u); }
        process B { init state s; s -> s : a(7); }
        check bisimilar(A, A);
        check bisimilar(A, B);
        check not bisimilar(A, B);";
    assert_eq!(words(text), ["proved", "proved", "refuted"]);
    for variables in
        ["var w: 0..3; var v: 0..3 = w;", "var v: Int = v;", "var v: Int = w; var w: Int = 1;"]
    {
        let text =
            format!("action a(Int); process A {{ {variables} init state s; s -> s : a(v); }}");
        let codes: Vec<&str> =
            check_text(text).diagnostics.iter().map(|one| one.entry.code).collect();
        assert!(codes.contains(&"T0135"), "{variables}: {codes:?}");
    }
}

#[test]
fn constants_can_be_what_functions_make() {
    let text = "fun f(n: Int): Int = n + 1;
        const K: Int = f(3);
        const L: 0..9 = f(K);
        fun g(n: 0..K): Int = n;
        action c(Int), d(0..K);
        process A { var v: 0..K = 3; init state s; s -> s : c(K) do v := g(v); s -> s : d(v); s -> s : c(L); }
        process B { init state s; s -> s : c(4); s -> s : d(3); s -> s : c(5); }
        check bisimilar(A, B);";
    assert_eq!(words(text), ["proved"]);
}

#[test]
fn arrays_of_nothing_are_nothing() {
    for data in [
        "data T { N(k: [0..2]T) }",
        "data T { N(k: [Int]T) }",
        "data T { N(k: [Bool]U) } data U { M(k: [0..2]T) }",
    ] {
        let text = format!("{data} action a(T);");
        let codes: Vec<&str> =
            check_text(text).diagnostics.iter().map(|one| one.entry.code).collect();
        assert!(codes.contains(&"T0110"), "{data}: {codes:?}");
    }
    let fine = "data T { Nil, N(k: [0..2]T) } action a(T);";
    assert!(!check_text(fine).has_errors());
}

#[test]
fn nothing_is_proved_where_axioms_contradict() {
    let text = "const K: 0..3; axiom K > 5;
        action a; process A { init state s; s -> s : a; }
        check nonblocking(A);";
    assert_eq!(words(text), ["unknown"]);
}

// ---- plays ----

/// The values of constants that a play is for: with these, too, the check fails.
#[test]
fn plays_have_constants_for_which_no_beginning_answers() {
    let text = "const N: Int;
        axiom N >= 1;
        action c;
        process A { var i: 0..N; init state s; s -> s : c do i := i - 1; }
        process B { var i: 0..N; init state s; s -> s : c when i + 1 <= 3 do i := i - 1; }
        check refines(A, B);";
    let checked = check_text(text);
    let check = &checked.program.checks[0];
    let outcome = verify::run(&checked, check, &Options::default(), &Unwatched).unwrap();
    let Evidence::Play(play) = &outcome.evidence else { panic!("{:?}", outcome.evidence) };
    let n = play.with.iter().find(|one| one.what == "N").expect("it depends on N");
    let n: i64 = n.value.text.parse().unwrap();
    assert!(n >= 4, "{n}");
    assert_eq!(words_with(text, &[("N", n)]), ["refuted"]);
    assert_eq!(words_with(text, &[("N", 3)]), ["proved"]);
}

/// Quantifiers and `for` over ranges that are known to be empty are no mistakes: `exists` is false, `forall` true, and
/// there is no vector. What is bound need not be spoken of.
#[test]
fn ranges_of_quantifiers_and_repetitions_may_be_empty() {
    let text = "action a, b;
        const N: Int = 1;
        process Never { var x: Int = 0; init state s; s -> s : b;
            s -> s : a when exists z: 2..2 . x == 0;
            s -> s : a when exists z: 2..1 . z == z;
            s -> s : a when not (forall z: N..N . x == 1); }
        process Always { var x: Int = 0; init state s; s -> s : b when forall z: 3..N . z == x + 1; }
        process One { init state s; s -> s : b; }
        net Row { sub C[i: 0..N] = One; <C[i]: b> -> a for i in 1..N; <C[0]: b> -> b; }
        check bisimilar(Never, One);
        check bisimilar(Always, One);
        check bisimilar(Row, One);
        check size(Row) == (1, 1);";
    assert_eq!(words(text), ["proved"; 4]);
    assert!(refused("process P { var x: 2..2; init state s; } check size(P) == (1, 0);", &[]));
}

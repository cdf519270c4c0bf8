//! Verdicts that were wrong once, or came out of nothing.

use crate::common::check_text;
use crate::common::said::{evidence, reason};
use pnetc::generate::Unwatched;
use pnetc::outcome::Outcome;
use pnetc::verify::{self, ModelOptions};

fn outcomes(text: &str) -> Vec<Outcome> {
    let checked = check_text(text);
    let errors: Vec<&str> = checked.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert!(!checked.has_errors(), "{errors:?}");
    let options = ModelOptions::default();
    let run = |check| verify::run(&checked, check, &options, &Unwatched).unwrap();
    checked.program.checks.iter().map(run).collect()
}

fn words(text: &str) -> Vec<&'static str> {
    outcomes(text).iter().map(|outcome| outcome.verdict.word()).collect()
}

/// A family that is tracked is tracked as a whole; it was not tracked at all.
#[test]
fn families_are_tracked() {
    let text = "action a, x, y;
        interface I { a }
        net F(P[i: 0..2]: I) { <P[0]: a> -> x; <P[1]: a> -> y; }
        net G(P[i: 0..2]: I) { <P[0]: a> -> y; <P[1]: a> -> x; }
        check refines(F, G);
        check refines(F, G) tracking { P };
        check refines(F, G) tracking {};";
    assert_eq!(words(text), ["refuted", "refuted", "proved"]);
}

/// A hole keeps to the sort that it has in each of the two.
#[test]
fn holes_of_other_sorts() {
    let text = "action a, b;
        interface I { a }
        interface J { a, b }
        net A(P: J) { <P: ?x> -> x; }
        net C(P: I) { <P: ?x> -> x; }
        check refines(A, C) tracking { P };
        check refines(A, C) tracking {};
        check refines(C, A) tracking { P };";
    assert_eq!(words(text), ["refuted", "refuted", "proved"]);
}

/// A hole that only one of the two has cannot be tracked.
#[test]
fn tracked_holes_belong_to_both() {
    let text = "action a;
        interface I { a }
        process Does { init state s; s -> s : a; }
        net A(P: I) { <P: a> -> a; }
        check refines(A(Does), A) tracking { P };
        check refines(A(Does), A) tracking {};";
    let found = outcomes(text);
    assert_eq!(found[0].verdict.word(), "unknown");
    assert!(reason(&found[0]).contains("`A(Does)` has no such hole"), "{found:?}");
    assert_eq!(found[1].verdict.word(), "proved");
}

/// From a contradiction anything would follow.
#[test]
fn contradicting_axioms_prove_nothing() {
    let text = "action a, b;
        const C: Int;
        axiom C > 0;
        axiom C < 0;
        process P { init state s; s -> s : a; }
        process Q { init state s; s -> s : b; }
        check bisimilar(P, Q);
        check not bisimilar(P, Q);
        check refines(P, Q);
        check size(P) == (1, 0);";
    for outcome in outcomes(text) {
        assert_eq!(outcome.verdict.word(), "unknown");
        assert!(reason(&outcome).contains("contradict each other"), "{outcome:?}");
    }
}

/// Fields and places that are ranges have only values of these.
#[test]
fn ranges_inside_data_and_arrays() {
    let text = "action fld(D), a, b;
        data D { L(n: 0..3), M }
        interface I { fld(D) }
        process Some { init state s; s -> s : fld(?d) when d is M or d.n < 3; }
        process All { init state s; s -> s : fld(_); }
        process Any { var d: D; init state s; s -> s : a when d is M or d.n < 3; }
        process Always { init state s; s -> s : a; }
        process Places { var v: [Int]0..2; init state s; s -> s : a when v[3] < 2; }
        net Open(H: I) { <H: fld(d)> -> a when d is M or d.n < 3; <H: tau> -> tau; }
        net Free(H: I) { <H: fld(_)> -> a; <H: tau> -> tau; }
        check bisimilar(Some, All);
        check bisimilar(Any, Always);
        check bisimilar(Places, Always);
        check bisimilar(Open, Free);";
    assert_eq!(words(text), ["proved"; 4]);
}

/// What is put into an array keeps to the range of its places.
#[test]
fn elements_keep_to_their_ranges() {
    let text = "action up;
        process Cells { var d: [Int]0..3 = [_]Int(0); init state s; s -> s : up do d := d[0 := d[0] + 1]; }
        process Cell { var n: 0..3 = 0; init state s; s -> s : up do n := n + 1; }
        check bisimilar(Cells, Cell);";
    assert_eq!(words(text), ["proved"]);
}

/// To the solver, an array has places outside its range.
#[test]
fn whole_arrays() {
    let text = "action a, b;
        process P {
            var p: [0..2]Bool;
            init state s;
            s -> s : a when p == [_]Bool(true);
            s -> s : b when p[0] and p[1];
        }
        process Q {
            var p: [0..2]Bool;
            init state s;
            s -> s : a when p[0] and p[1];
            s -> s : b when p == [_]Bool(true);
        }
        net N(H: any) { <H: a> -> a; <H: b> -> b; }
        check bisimilar(P, Q);
        check not bisimilar(P, Q);
        check nonblocking(N(P));";
    assert_eq!(words(text), ["proved", "refuted", "refuted"]);
}

/// Where not all silent steps could be followed, a relation that fails may fail for want of an answer.
#[test]
fn relations_and_silent_steps_without_end() {
    let text = "action see(Int), b;
        process Doubling {
            var x: Int = 1;
            init state s;
            s -> s : tau do x := 2 * x;
            s -> s : see(x);
        }
        process Any { var x: Int = 1; init state s; s -> s : tau do x := x + 1; s -> s : see(x); }
        relation R(Doubling, Any) { (s, s) when first.x == second.x; }
        check weakly_bisimilar(Doubling, Any) by R;";
    assert_eq!(words(text), ["unknown"]);
}

/// Silent actions have no complements, even where only the other net speaks of complements.
#[test]
fn no_complements_of_silent_actions() {
    let text = "action a;
        net Plain(H: any) { <H: ?x> -> x; }
        net Split(H: any) { <H: co ?x> -> co x; <H: ?x> -> x when x is not co _; }
        check bisimilar(Plain, Split);
        check bisimilar(Split, Plain);";
    assert_eq!(words(text), ["proved", "proved"]);
}

/// The certificate of a claim is not that of its opposite.
#[test]
fn refuted_claims_have_no_certificates() {
    let text = "action a;
        process P { init state s; s -> s : a; }
        process Q { init state s; state t; s -> t : a; t -> s : a; }
        check bisimilar(P, Q);
        check not bisimilar(P, Q);";
    let found = outcomes(text);
    assert_eq!(found[0].verdict.word(), "proved");
    assert!(!found[0].found.is_empty());
    assert_eq!(found[1].verdict.word(), "refuted");
    assert!(found[1].found.is_empty());
}

/// Differences may be deep, and so may what blocks.
#[test]
fn deep_differences() {
    let text = "action a;
        process Few { var n: Int = 0; init state s; s -> s : a when n < 100 do n := n + 1; }
        process Always { init state s; s -> s : a; }
        net N(H: any) { sub X = Always; <H: a, X: a> -> a; }
        check bisimilar(Few, Always);
        check refines(Always, Few);
        check nonblocking(N(Few));";
    assert_eq!(words(text), ["refuted", "refuted", "refuted"]);
}

/// A relation is one of two nets, in their order; and `by` and `tracking` stand in either order.
#[test]
fn relations_of_other_nets() {
    let text = "action a;
        interface I { a }
        net A(P: I) { <P: a> -> a; }
        net B(P: I) { <P: a> -> a; }
        net C(P: I) { <P: a> -> a; }
        relation AB(A, B) { (-, -); }
        check refines(A, B) by AB tracking { P };
        check refines(A, B) tracking { P } by AB;
        check bisimilar(A, C) by AB;
        check bisimilar(B, A) by AB;
        check not bisimilar(A, C) by AB;";
    let found = outcomes(text);
    let words: Vec<&str> = found.iter().map(|outcome| outcome.verdict.word()).collect();
    assert_eq!(words, ["proved", "proved", "unknown", "unknown", "unknown"]);
    assert_eq!(
        reason(&found[3]),
        "`AB` is a relation of `A` and `B`, in this order, and the check is about `B` and `A`"
    );
}

/// What a play begins with, and what it needs of constants, is part of it; where a relation fails, values say so.
#[test]
fn evidence_has_values() {
    let text = "action a, b;
        const MAX: Int;
        process Few { var n: Int = 0; init state s; s -> s : a when n < MAX do n := n + 1; }
        process Some { var x: 0..3; init state s; s -> s : a when x == 1; }
        process Always { init state s; s -> s : a; }
        process Two { var n: Int = 0; init state s; s -> s : a when n < 2 do n := n + 1; s -> s : b when n == 2; }
        process States { init state none; state one, two; none -> one : a; one -> two : a; two -> two : b; }
        relation R(Two, States) { (s, none) when n == 0; (s, one) when n == 1; (s, two) when n >= 2; }
        check bisimilar(Few, Always);
        check bisimilar(Some, Always);
        check bisimilar(Two, States) by R;";
    let told: Vec<String> = outcomes(text).into_iter().map(|outcome| evidence(&outcome)).collect();
    assert!(told[0].starts_with("with MAX = "), "{}", told[0]);
    let most: i64 = told[0].lines().next().unwrap()["with MAX = ".len()..].parse().unwrap();
    assert!(most <= 0, "{}", told[0]);
    assert!(told[1].starts_with("say they begin with x = "), "{}", told[1]);
    let first = told[2].lines().next().unwrap();
    assert_eq!(first, "in (s, two) with n = 3, `States` does `b`: `Two` has no answer");
}

/// A state that is never reached is not one of which anything could hold: what is known of the others would not survive
/// its steps. (Random pairs, delayed and open, `PNET_SEED=48`.)
#[test]
fn states_that_are_never_reached() {
    let text = "
        data Msg { Ping, Pkt(seq: 0..3, ok: Bool) }
        action a;
        action b;
        action c(Msg);
        action d(0..3);
        action e(Msg, 0..3);
        action f;
        process P2<me: Int> {
            var v: Bool = true;
            var w: 0..3 = 0;
            init state s0;
            state s1;
            state s2;
            state s3;
            s0 -> s1 : d(_) when w > 0 do w := 1;
            s1 -> s2 : b do v := v, w := 2;
            s2 -> s3 : d(0) do v := (v);
            s3 -> s0 : b;
            s1 -> s0 : d(_);
        }
        process P4<me: Int> {
            init state s0;
            state s1;
            final state s2;
            s0 -> s1 : tau;
            s1 -> s2 : c(Ping);
            s2 -> s0 : a;
            s1 -> s0 : sync b;
        }
        net Net5(H1: any) {
            sub S0 = P2<0>;
            sub S2[i: 0..2] = P4<i>;
            <S0: ?z> -> z;
            <H1: c(Pkt(2, true))> -> co f;
            <S2[1]: tau> -> d(0);
            connect e(Pkt(1, true), 1) : H1.a' S0.d(_) S2[0].c(_);
            <S0: tau> -> tau;
            <S2[i]: tau> -> tau for i in 0..2;
        }
        process P2b<me: Int> {
            var v: Bool = true;
            var w: 0..3 = 0;
            init state s0;
            state s1;
            state s2;
            state s3;
            state s11;
            s0 -> s1 : d(_) when w > 0 do w := 1;
            s1 -> s2 : b do v := v, w := 2;
            s2 -> s3 : d(0) do v := (v);
            s3 -> s11 : b;
            s11 -> s0 : tau;
            s1 -> s0 : d(_);
        }
        process P4b<me: Int> {
            init state s0;
            state s1;
            final state s2;
            s0 -> s1 : tau;
            s1 -> s2 : c(Ping);
            s2 -> s0 : a;
            s1 -> s0 : sync b;
        }
        net Net5b(H1: any) {
            sub S0 = P2b<0>;
            sub S2[i: 0..2] = P4b<i>;
            <S0: ?z> -> z;
            <H1: c(Pkt(2, true))> -> co f;
            <S2[1]: tau> -> d(0);
            connect e(Pkt(1, true), 1) : H1.a' S0.d(_) S2[0].c(_);
            <S0: tau> -> tau;
            <S2[i]: tau> -> tau for i in 0..2;
        }
        check bisimilar(Net5, Net5b);
        check refines(Net5, Net5b);";
    assert_eq!(words(text), ["proved", "proved"]);
}

//! What a net switches off without a word is said: silent actions, repetitions, interactions that cannot be.
use crate::common::check_text;

const PARTS: &str = "action a, b(Int, Bool);
    process P { init state s; s -> s : a; s -> s : tau; }
    process Q { init state s; s -> s : a; s -> s : b(1, true); }
    net In { sub q = Q; <q: b(x, y)> -> sync b(x, y); <q: a> -> a; }
    net Gate(H: any) { <H: ?q> -> q; }
";

/// The codes of what is said about a model, and the last note of each.
fn said(net: &str) -> Vec<(&'static str, String)> {
    let checked = check_text(format!("{PARTS}{net}"));
    let note = |one: &pnetc::diagnostics::Diagnostic| one.notes.last().cloned().unwrap_or_default();
    checked.diagnostics.iter().map(|one| (one.entry.code, note(one))).collect()
}

#[test]
fn silent_actions_that_nothing_lets_through_are_reported_with_a_vector() {
    for (net, vector) in [
        ("net N { sub p = P; <p: a> -> a; }", "<p: tau> -> tau;"),
        ("net N { sub p[i: 0..3] = P; <p[0]: a> -> a; }", "<p[i]: tau> -> tau for i in 0..3;"),
        ("net N { sub i = In; <i: a> -> a; }", "<i: sync b(x, y)> -> sync b(x, y);"),
        ("net N { sub g = Gate(P); <g: a> -> a; }", "<g: tau> -> tau;"),
        ("action c; net N { sub p = P; connect c : p.a; }", "<p: tau> -> tau;"),
    ] {
        let found = said(net);
        assert_eq!(found, [("W0311", format!("add a vector, such as `{vector}`"))], "{net}");
        if !net.contains("connect") {
            assert_eq!(said(&net.replacen("; }", &format!("; {vector} }}"), 1)), [], "{net}");
        }
    }
    // A hole is another matter, and what it is filled with counts.
    assert_eq!(said("net N(H: any) { <H: a> -> a; }"), []);
    assert_eq!(said("net N { sub g = Gate(Q); <g: a> -> a; <g: b(x, y)> -> b(x, y); }"), []);
}

#[test]
fn what_is_written_twice_in_another_order_is_reported() {
    let codes = |net: &str| said(net).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    let two = "net N { sub p = P; sub q = P; <p: tau> -> tau; <q: tau> -> tau; ";
    for (lines, expected) in [
        ("<p: a, q: a> -> a; <q: a, p: a> -> a; }", &["W0313"][..]),
        ("connect a : p.a q.a; connect a : q.a p.a; }", &["W0313"]),
        ("<p: a, q: a> -> a; <q: a, p: a> -> tau; }", &[]),
        ("connect a : p.a' q.a; connect a : q.a' p.a; }", &[]),
        ("<p: a, q: a> -> a unless <p: tau>; <p: a, q: a> -> a unless <q: tau>; }", &[]),
    ] {
        assert_eq!(codes(&format!("{two}{lines}")), expected, "{lines}");
    }
}

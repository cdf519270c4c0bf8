//! All members of a family in one interaction: brackets that are repeated mean what one could write out.

use std::sync::Arc;

use pnetc::elaborate::ElaborateOptions;
use pnetc::pnet::{PNet, same};

use crate::common::check_text;

/// Parts to write nets of: `V[0]` to `V[2]`, and `C`.
const PARTS: &str =
    "action tick, say(Int), hear(Int), out(Int), pair(Int, Int), pick(0..3), many([0..3]Int);

process Member {
    var v: Int = 0;
    init state s;

    s -> s : tick;
    s -> s : hear(?x) do v := x;
    s -> s : say(v);
    s -> s : pick(1);
    s -> s : many([_]Int(v));
}
";

fn net(body: &str) -> Arc<PNet> {
    let subs = "sub C = Member;\n    sub V[i: 0..n] = Member;\n";
    let text =
        format!("{PARTS}\nnet Body<n: Int> {{\n    {subs}\n{body}\n}}\n\nnet Main = Body<3>;\n");
    let checked = check_text(text.as_str());
    assert!(!checked.has_errors(), "{text}\n{:?}", checked.diagnostics);
    let built = checked.build(Some("Main"), &ElaborateOptions::default());
    built.unwrap_or_else(|failure| panic!("{text}\n{failure:?}"))
}

#[track_caller]
fn means(short: &str, long: &str) {
    if let Err(difference) = same(&net(short), &net(long)) {
        panic!("`{short}` is not `{long}`: {difference}");
    }
}

#[test]
fn a_vector_has_all_members() {
    means(
        "<C: tick, [V[i]: tick for i in 0..n]> -> tick;",
        "<C: tick, V[0]: tick, V[1]: tick, V[2]: tick> -> tick;",
    );
    means("<[V[i]: tick for i in 1..n]> -> tick;", "<V[1]: tick, V[2]: tick> -> tick;");
    means("<C: tick, [V[i]: tick for i in n..n]> -> tick;", "<C: tick> -> tick;");
}

#[test]
fn members_share_names_and_ignore_each_for_itself() {
    means(
        "<C: say(x), [V[i]: hear(x) for i in 0..n]> -> out(x);",
        "<C: say(x), V[0]: hear(x), V[1]: hear(x), V[2]: hear(x)> -> out(x);",
    );
    means("<[V[i]: say(_) for i in 0..2]> -> tick;", "<V[0]: say(_), V[1]: say(_)> -> tick;");
    means(
        "<[V[i]: hear(i) for i in 0..n]> -> tick;",
        "<V[0]: hear(0), V[1]: hear(1), V[2]: hear(2)> -> tick;",
    );
}

#[test]
fn the_whole_and_a_member_can_be_repeated() {
    means(
        "<C: say(x), [V[j]: hear(x) for j in 0..i]> -> pair(i, x) for i in 1..n;",
        "<C: say(x), V[0]: hear(x)> -> pair(1, x);\n<C: say(x), V[0]: hear(x), V[1]: hear(x)> -> pair(2, x);",
    );
}

#[test]
fn so_does_a_connector() {
    means(
        "connect tick : C.tick [V[i].tick for i in 0..n];",
        "connect tick : C.tick [V[0].tick V[1].tick V[2].tick];",
    );
    means(
        "connect out(x) : C.say(x) [V[i].hear(y) for i in 0..n] do y := x;",
        "connect out(x) : C.say(x) V[0].hear(a) V[1].hear(b) V[2].hear(c) do a := x, b := x, c := x;",
    );
    means(
        "connect tick : C.tick' [V[i].tick' for i in 0..n];",
        "connect tick : C.tick' [V[0].tick' V[1].tick' V[2].tick'];",
    );
    means("connect tick : C.tick [V[i].tick for i in 0..0];", "connect tick : C.tick;");
    means(
        "connect tick : [V[i].tick for i in 0..n]' C.tick;",
        "connect tick : [V[0].tick V[1].tick V[2].tick]' C.tick;",
    );
}

#[test]
fn what_is_given_way_to_can_have_all_members() {
    means(
        "<C: tick> -> tick unless <[V[i]: say(3) for i in 0..n]>;",
        "<C: tick> -> tick unless <V[0]: say(3), V[1]: say(3), V[2]: say(3)>;",
    );
}

/// The index is known in the brackets only, and what they bind is known outside.
#[test]
fn indices_stay_inside() {
    let model = |vector: &str| {
        format!("{PARTS}\nnet N {{\n    sub V[i: 0..2] = Member;\n\n    {vector}\n}}\n")
    };
    let is_wrong = |vector: &str| check_text(model(vector)).has_errors();
    assert!(!is_wrong("<[V[i]: say(x) for i in 0..2]> -> out(x);"));
    assert!(is_wrong("<[V[i]: say(_) for i in 0..2]> -> out(i);"));
    assert!(is_wrong("<[V[i]: say(x) for i in 0..x]> -> out(x);"));
    assert!(is_wrong("<[V[i]: say(x) for i in 0..3]> -> out(x);"));
}

#[test]
fn a_condition_says_who_is_meant() {
    means(
        "<C: tick, [V[i]: tick for i in 0..n when i != 1]> -> tick;",
        "<C: tick, V[0]: tick, V[2]: tick> -> tick;",
    );
    means(
        "<V[k]: say(x), [V[i]: hear(x) for i in 0..n when i != k]> -> out(x) for k in 0..n;",
        "<V[0]: say(x), V[1]: hear(x), V[2]: hear(x)> -> out(x);
         <V[1]: say(x), V[0]: hear(x), V[2]: hear(x)> -> out(x);
         <V[2]: say(x), V[0]: hear(x), V[1]: hear(x)> -> out(x);",
    );
    means(
        "connect tick : C.tick' [V[i].tick' for i in 0..n when i mod 2 == 0];",
        "connect tick : C.tick' [V[0].tick' V[2].tick'];",
    );
    means(
        "<C: tick> -> tick unless <[V[i]: say(3) for i in 0..n when i > 0]>;",
        "<C: tick> -> tick unless <V[1]: say(3), V[2]: say(3)>;",
    );
    means("<C: tick, [V[i]: tick for i in 0..n when i > n]> -> tick;", "<C: tick> -> tick;");
}

/// Where data decide who is meant, there is one vector for each value.
#[test]
fn a_condition_may_read_data() {
    means(
        "<C: pick(k), [V[i]: tick for i in 0..n when i != k]> -> out(k);",
        "<C: pick(0), V[1]: tick, V[2]: tick> -> out(0);
         <C: pick(1), V[0]: tick, V[2]: tick> -> out(1);
         <C: pick(2), V[0]: tick, V[1]: tick> -> out(2);",
    );
    // A value that leaves nobody else is no mistake.
    means(
        "<C: pick(k), V[k]: tick, [V[i]: tick for i in 0..2 when i > k]> -> tick when k < 2;",
        "<C: pick(0), V[0]: tick, V[1]: tick> -> tick;
         <C: pick(1), V[1]: tick> -> tick;
         <C: pick(2), V[2]: tick> -> tick when 2 < 2;",
    );
    // A number that chooses a member is the index of one.
    means(
        "<C: say(k), V[k]: tick, [V[i]: hear(k) for i in 0..n when i != k]> -> out(k);",
        "<C: say(0), V[0]: tick, V[1]: hear(0), V[2]: hear(0)> -> out(0);
         <C: say(1), V[1]: tick, V[0]: hear(1), V[2]: hear(1)> -> out(1);
         <C: say(2), V[2]: tick, V[0]: hear(2), V[1]: hear(2)> -> out(2);",
    );
    means(
        "<C: tick> -> tick unless <C: pick(k), [V[i]: tick for i in 0..n when i == k]>;",
        "<C: tick> -> tick unless <C: pick(0), V[0]: tick>, <C: pick(1), V[1]: tick>, <C: pick(2), V[2]: tick>;",
    );
    means(
        "connect out(k) : C.pick(k) [V[i].tick for i in 0..n when i == k];",
        "connect out(0) : C.pick(0) V[0].tick;
         connect out(1) : C.pick(1) V[1].tick;
         connect out(2) : C.pick(2) V[2].tick;",
    );
}

/// An array has a place for each member.
#[test]
fn members_have_places_of_an_array() {
    means(
        "<[V[i]: say(v[i]) for i in 0..n]> -> out(v[0] + v[1] - v[2]);",
        "<V[0]: say(a), V[1]: say(b), V[2]: say(c)> -> out(a + b - c);",
    );
    means(
        "<C: hear(v[1]), [V[i]: say(v[i]) for i in 0..n]> -> out(v[0]) when v[2] > v[0];",
        "<C: hear(b), V[0]: say(a), V[1]: say(b), V[2]: say(c)> -> out(a) when c > a;",
    );
    means(
        "connect out(v[2]) : [V[i].say(v[i]) for i in 0..n] C.hear(x) do x := v[0];",
        "connect out(c) : V[0].say(a) V[1].say(_) V[2].say(c) C.hear(x) do x := a;",
    );
}

fn codes(body: &str) -> Vec<(&'static str, String)> {
    let subs = "sub C = Member;\n    sub V[i: 0..3] = Member;\n";
    let text = format!("{PARTS}\nnet Body {{\n    {subs}\n{body}\n}}\n");
    let checked = check_text(text.as_str());
    let found = |all: &[pnetc::diagnostics::Diagnostic]| -> Vec<(&'static str, String)> {
        let errors = all.iter().filter(|one| one.severity == pnetc::diagnostics::Severity::Error);
        errors.map(|one| (one.entry.code, checked.sources.text(one.span()).to_owned())).collect()
    };
    if checked.has_errors() {
        return found(&checked.diagnostics);
    }
    match checked.build(Some("Body"), &ElaborateOptions::default()) {
        Err(pnetc::model::BuildFailure::Problems(all)) => found(&all),
        _ => Vec::new(),
    }
}

#[test]
fn what_cannot_be_is_said_where_it_stands() {
    for (body, code, text) in [
        (
            "<[V[i]: tick for i in 0..3 when i > 7]> -> tick;",
            "E0102",
            "<[V[i]: tick for i in 0..3 when i > 7]>",
        ),
        (
            "connect tick : [V[i].tick for i in 0..3 when i > 7];",
            "E0102",
            "[V[i].tick for i in 0..3 when i > 7]",
        ),
        ("<V[1]: tick, [V[i]: tick for i in 0..3]> -> tick;", "E0114", "V[i]"),
        ("<[V[i]: tick for i in 0..3], V[1]: tick> -> tick;", "E0114", "V[1]"),
        ("<[V[i div 2]: tick for i in 0..3]> -> tick;", "E0114", "V[i div 2]"),
        ("<C: say(k), [V[i]: tick for i in 0..3 when i != k]> -> tick;", "E0123", "k"),
        ("<C: ?k, [V[i]: tick for i in 0..3 when k is tick]> -> tick;", "E0123", "k"),
        ("<C: tick, [V[i]: tick for i in 0..3 when i != k]> -> tick;", "T0161", "k"),
        ("<C: tick, [V[i]: pick(k) for i in 0..3 when i != k]> -> tick;", "T0161", "k"),
        ("connect tick : C.tick [V[i].tick for i in 0..3 when i != k];", "T0161", "k"),
        ("connect tick : C.pick(k)' [V[i].tick for i in 0..3 when i != k]';", "E0106", "k"),
        ("<C: tick, [V[i]: tick for i in 0..3 when i]> -> tick;", "T0101", "i"),
        ("<[V[i]: say(v[i]) for i in 0..2]> -> out(v[2]);", "T0113", "2"),
        ("<[V[i]: say(v[i]) for i in 0..3 when i != 1]> -> many(v);", "E0115", "v"),
        (
            "<C: tick> -> tick unless <[V[i]: say(v[i]) for i in 0..3 when i > 0]> when v[0] > 0;",
            "E0115",
            "v",
        ),
        ("connect out(v[0]) : C.tick' [V[i].say(v[i])' for i in 0..3];", "E0106", "v"),
    ] {
        let found = codes(body);
        assert_eq!(found.first(), Some(&(code, text.to_owned())), "{body}: {found:?}");
    }
    assert_eq!(codes("<[V[i]: say(v[i]) for i in 0..3]> -> many(v);"), []);
    assert_eq!(codes("<C: many(v), [V[i]: say(v[i]) for i in 0..3 when i != 1]> -> many(v);"), []);
}

// ---- parts that differ ----

/// The processes of all leaves, by their paths.
fn leaves(text: &str) -> Vec<String> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{text}\n{:?}", checked.diagnostics);
    let net = checked.build(Some("Main"), &ElaborateOptions::default());
    let net = net.unwrap_or_else(|failure| panic!("{text}\n{failure:?}"));
    let mut found = Vec::new();
    net.walk(|path, content| {
        if let pnetc::pnet::Content::Leaf(id) = content {
            found.push(format!("{path}: {}", net.plts[id].name));
        }
    });
    found
}

const KINDS: &str = "action a;
process One { init state s; s -> s : a; }
process Two { init state s; s -> s : a; }
process Three<k: Int> { var v: Int = k; init state s; s -> s : a when v > 0; }
";

#[test]
fn what_a_part_is_depends_on_its_index() {
    let net =
        |sub: &str| leaves(&format!("{KINDS}net Main {{ {sub} <P[i]: a> -> a for i in 0..3; }}"));
    assert_eq!(
        net("sub P[i: 0..3] = if i == 1 then One else Two;"),
        ["P[0]: Two", "P[1]: One", "P[2]: Two"]
    );
    assert_eq!(
        net("sub P[i: 0..3] = if i < 1 then One else if i < 2 then Three<i> else Two;"),
        ["P[0]: One", "P[1]: Three", "P[2]: Two"]
    );
    let whole = |n: i64| {
        leaves(&format!(
            "{KINDS}net Body<n: Int> {{ sub P = if n > 1 then One else Two; <P: a> -> a; }}
             net Main = Body<{n}>;"
        ))
    };
    assert_eq!(whole(1), ["P: Two"]);
    assert_eq!(whole(2), ["P: One"]);
}

#[test]
fn one_member_is_filled_and_all_the_others() {
    let filled = |fills: &str| {
        leaves(&format!(
            "{KINDS}net Ring<n: Int>(P[i: 0..n]: any) {{ <P[i]: ?x> -> x for i in 0..n; }}
             net Main = Ring<3>({fills});"
        ))
    };
    let wanted = ["P[0]: One", "P[1]: Two", "P[2]: Two"];
    assert_eq!(filled("P[0]: One, P: Two"), wanted);
    assert_eq!(filled("P: Two, P[0]: One"), wanted);
    assert_eq!(filled("P[0]: One, P[i]: Three<i>"), ["P[0]: One", "P[1]: Three", "P[2]: Three"]);
    // From further out.
    let text = format!(
        "{KINDS}net Ring<n: Int>(P[i: 0..n]: any) {{ <P[i]: ?x> -> x for i in 0..n; }}
         net Box {{ sub R = Ring<2>; <R: ?x> -> x; }}
         net Main = Box(R.P[1]: One, R.P: Two);"
    );
    assert_eq!(leaves(&text), ["R.P[0]: Two", "R.P[1]: One"]);
    for (fills, code) in [("P: One, P: Two", "N0301"), ("P[0]: One, P[0]: Two", "N0301")] {
        let checked = check_text(format!(
            "{KINDS}net Ring<n: Int>(P[i: 0..n]: any) {{ <P[i]: ?x> -> x for i in 0..n; }}
             net Main = Ring<3>({fills});"
        ));
        assert_eq!(checked.diagnostics[0].entry.code, code, "{fills}");
    }
}

/// A property of a part that is one thing or another.
#[test]
fn properties_speak_of_whatever_stands_there() {
    let text = |property: &str| {
        format!(
            "action a, b;
             process L {{ var v: Int = 1; init state idle; state left, busy; idle -> left : a; left -> busy : b; }}
             process R {{ var w: Bool = true; var v: Int = 2; init state idle; state busy; idle -> busy : a; }}
             net T {{ sub P[i: 0..2] = if i == 0 then L else R;
                 <P[i]: a> -> a for i in 0..2; <P[0]: b> -> b; }}
             check reaches(T, {property});"
        )
    };
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("parts_that_differ.pnet");
    for (property, found) in [
        ("forall i: 0..2 . P[i] in busy", true),
        ("P[0] in left and P[1] in idle", true),
        ("P[1] in left", false),
        ("P[0].v == 1 and P[1].v == 2", true),
        ("P[1].v == 1", false),
        ("P[0] in { left, busy } and P[1] in { left, busy }", true),
    ] {
        std::fs::write(&file, text(property)).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pnet"));
        let done = command.arg("verify").arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        assert_eq!(done.status.code(), Some(i32::from(!found)), "{property}: {said}");
    }
    let checked = check_text(text("P[0] in nowhere"));
    assert!(checked.diagnostics.iter().any(|one| one.entry.code == "N0207"));
}

// ---- names of vectors ----

#[test]
fn steps_have_names() {
    let named = net(
        "step pass: <V[i]: say(x), V[(i + 1) mod n]: hear(x)> -> out(x) for i in 0..n;\n<C: tick> -> tick;",
    );
    let names = named.nodes.iter().flat_map(|node| &node.vectors);
    let names: Vec<Option<&str>> =
        names.map(|vector| named.origins.name(vector.origin).map(|name| name.as_str())).collect();
    assert_eq!(names, [Some("pass"), Some("pass"), Some("pass"), None]);
    // The word is a name everywhere else.
    let checked = check_text(
        "action step; process P { init state step; step -> step : step; }
         net N { sub step = P; step step: <step: step> -> step; }",
    );
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
}

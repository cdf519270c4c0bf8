//! All members of a family in one interaction: brackets that are repeated mean what one could write out.

use std::sync::Arc;

use pnetc::elaborate::ElaborateOptions;
use pnetc::pnet::{PNet, same};

use crate::common::check_text;

/// Parts to write nets of: `V[0]` to `V[2]`, and `C`.
const PARTS: &str = "action tick, say(Int), hear(Int), out(Int), pair(Int, Int);

process Member {
    var v: Int = 0;
    init state s;

    s -> s : tick;
    s -> s : hear(?x) do v := x;
    s -> s : say(v);
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

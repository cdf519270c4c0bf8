//! The plain interpreter at the borders: small models, each with what is known to happen in it.

use pnetc::algebra::ActionId;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::naive::{AskedAction, Block, Interpreter};
use pnetc::explore::{Configuration, Domains, Gap, Value};
use pnetc::pnet::PNet;

use crate::common::check_text;

/// A value as somebody would write it.
fn show(net: &PNet, value: &Value) -> String {
    let all = |head: &str, parts: &[Value]| match parts {
        [] => head.to_owned(),
        _ => {
            let parts: Vec<String> = parts.iter().map(|part| show(net, part)).collect();
            format!("{head}({})", parts.join(","))
        }
    };
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Abstract(sort, number) => format!("{}{number}", net.algebra.abstracts[sort.index()]),
        Value::Data(data, index, fields) => {
            let constructors = &net.algebra.datatypes[data.index()].constructors;
            all(constructors[*index as usize].name.as_str(), fields)
        }
        Value::Array(array) => {
            let places = array.places.iter();
            let mut parts: Vec<String> =
                places.map(|(at, is)| format!("{}:{}", show(net, at), show(net, is))).collect();
            parts.extend(array.rest.iter().map(|rest| format!("_:{}", show(net, rest))));
            format!("[{}]", parts.join(","))
        }
        Value::Act(id, args) => all(net.algebra.action(*id).name.as_str(), args),
        Value::Tau => "tau".to_owned(),
        Value::Sync(inner) => format!("sync {}", show(net, inner)),
        Value::Co(inner) => format!("co {}", show(net, inner)),
        Value::Other(number) => format!("other{number}"),
    }
}

fn built(text: &str) -> std::sync::Arc<PNet> {
    check_text(text).build(None, &ElaborateOptions::default()).unwrap_or_else(|e| panic!("{e:?}"))
}

fn ints(low: i64, high: i64) -> Domains {
    Domains { integers: Some((low.into(), high.into())), ..Domains::default() }
}

/// The only configuration that a net may begin in.
fn only(interpreter: &Interpreter<'_>) -> Configuration {
    let initial = interpreter.initial().unwrap();
    assert_eq!(initial.configurations.len(), 1);
    initial.configurations.into_iter().next().unwrap()
}

/// What can happen at first: what is shown, what holes do, and the values of all variables afterwards; or why that is not
/// known. A `+` at the end says that there may be more.
fn first(text: &str, domains: Domains) -> Vec<String> {
    let net = built(text);
    let interpreter = Interpreter::new(&net, domains);
    let steps = match interpreter.steps(&only(&interpreter)) {
        Ok(steps) => steps,
        Err(gap) => return vec![format!("{gap}")],
    };
    let mut shown: Vec<String> = Vec::new();
    for step in &steps.steps {
        let mut text = show(&net, &step.action);
        for (hole, does) in &step.holes {
            text += &format!(" {}:{}", net.holes[*hole].path, show(&net, does));
        }
        for value in step.target.values.iter().flatten() {
            text += &format!(" {}", show(&net, value));
        }
        shown.push(text);
    }
    shown.dedup();
    shown.extend(steps.limited.then(|| "+".to_owned()));
    shown
}

#[test]
fn inputs_of_finite_sorts_are_all_tried() {
    let text = "enum L { R, G } data M { P, Q(a: 0..2, b: Bool) } action x(0..3), y(L), z(M), t(Bool);
        process A { var n: 0..3 = 0; var m: M = P; init state s;
            s -> s : x(?v) do n := v; s -> s : y(_); s -> s : z(?v) when v is Q(_, _) and v.b do m := v; }";
    assert_eq!(
        first(text, Domains::default()),
        [
            "x(0) 0 P",
            "x(1) 1 P",
            "x(2) 2 P",
            "y(R) 0 P",
            "y(G) 0 P",
            "z(Q(0,true)) 0 Q(0,true)",
            "z(Q(1,true)) 0 Q(1,true)"
        ]
    );
}

#[test]
fn integers_are_solved_or_bounded_or_need_a_domain() {
    let with = |guard: &str| {
        format!(
            "action x(Int); process A {{ var n: Int = 5; init state s; s -> s : x(?v) when {guard}; }}"
        )
    };
    let shown = |guard: &str, domains| first(&with(guard), domains);
    let none = Domains::default;
    assert_eq!(shown("v == n + 1", none()), ["x(6) 5"]);
    assert_eq!(shown("2 * v + 1 == n", none()), ["x(2) 5"]);
    assert_eq!(shown("2 * v == n", none()), Vec::<String>::new());
    assert_eq!(shown("3 - v == n", none()), ["x(-2) 5"]);
    assert_eq!(shown("n < v and v <= 7", none()), ["x(6) 5", "x(7) 5"]);
    assert_eq!(shown("not (v < 2) and not (v >= 4)", none()), ["x(2) 5", "x(3) 5"]);
    assert_eq!(shown("v == 1 or v == n", none()), ["x(1) 5", "x(5) 5"]);
    assert_eq!(shown("(if n == 5 then v == 3 else v == 4)", none()), ["x(3) 5"]);
    assert_eq!(shown("v > 3 and v < 3", none()), Vec::<String>::new());
    assert_eq!(shown("v * v == 4", ints(-2, 2)), ["x(-2) 5", "+"]);
    assert_eq!(shown("v > 0", ints(0, 3)), ["x(1) 5", "x(2) 5", "+"]);
    assert_eq!(shown("v > 0 and v < 3", ints(0, 9)), ["x(1) 5", "x(2) 5"]);
    assert_eq!(shown("v > 8", ints(0, 3)), ["+"]);
    let needs = shown("v > 0", none());
    assert_eq!(
        needs,
        ["there is no end of values for `v`; say which of sort `Int` to try with `--domain Int=…`"]
    );
}

#[test]
fn members_agree_on_values() {
    let text = "action put(Int), get(Int), done(Int);
        process A { var n: Int = 3; init state s; s -> s : put(n); }
        process B { var m: Int = 0; init state s; s -> s : get(?v) when v < 9 do m := 2 * v; }
        net N { sub P = A; sub Q = B; <P: put(x), Q: get(x + 1)> -> done(x); <P: put(x), Q: get(7)> -> done(x + 1); }";
    assert_eq!(first(text, Domains::default()), ["done(3) 3 8", "done(4) 3 14"]);
}

#[test]
fn updates_are_made_at_once() {
    let text = "action go; process A { var x: Int = 1; var y: Int = 2; init state s; s -> s : go do x := y, y := x; }";
    assert_eq!(first(text, Domains::default()), ["go 2 1"]);
}

#[test]
fn what_leaves_a_range_does_not_happen() {
    let text = "action a(0..3), b(Int), c; data M { Q(v: 0..3) } action d(M);
        process A { var n: 0..3 = 2; var k: [0..2]Int = [_]Int(0); init state s;
            s -> s : a(n + 1); s -> s : b(n + 1); s -> s : c do n := n + 1; s -> s : d(Q(n + 1));
            s -> s : b(k[n]); s -> s : b(k[n - 1]); s -> s : c do k := k[n := 1]; s -> s : c do k := k[n - 1 := 1];
            s -> s : a(0) when k[n] == 0; s -> s : a(1) when not (k[n] == 0); s -> s : a(2) when n >= 2 or k[n] == 0; }";
    assert_eq!(
        first(text, Domains::default()),
        ["a(2) 2 [0:0,1:0]", "b(0) 2 [0:0,1:0]", "b(3) 2 [0:0,1:0]", "c 2 [0:0,1:1]"]
    );
}

#[test]
fn nothing_is_divided_by_zero() {
    let text = "action a(Int); process A { var n: Int = 0; var m: Int = -7; init state s;
        s -> s : a(1 div n); s -> s : a(m div 2); s -> s : a(m mod 2); s -> s : a(m div -2); s -> s : a(m mod -2);
        s -> s : a(9) when n != 0 and 3 mod n == 0; s -> s : a(8) when n == 0 or 3 mod n == 0; }";
    assert_eq!(
        first(text, Domains::default()),
        ["a(-4) 0 -7", "a(1) 0 -7", "a(4) 0 -7", "a(8) 0 -7"]
    );
}

#[test]
fn a_field_that_is_missing_is_a_gap_unless_something_else_decides() {
    let with = |guard: &str| {
        format!(
            "data M {{ P, Q(v: Int) }} action a; process A {{ var m: M = P; init state s; s -> s : a when {guard}; }}"
        )
    };
    assert_eq!(first(&with("m is Q(_) and m.v == 0"), Domains::default()), Vec::<String>::new());
    assert_eq!(first(&with("m.v == 0 and m is Q(_)"), Domains::default()), Vec::<String>::new());
    assert_eq!(first(&with("m.v == 0 or m is P"), Domains::default()), ["a P"]);
    assert_eq!(
        first(&with("m.v == 0"), Domains::default()),
        [Gap::NoField { field: "v".to_owned() }.to_string()]
    );
}

#[test]
fn functions_are_computed_also_deep_ones() {
    let text = "data L { Nil, Cons(head: Int, tail: L) } action a(Int), b(Int);
        fun up(n: Int): L = if n <= 0 then Nil else Cons(n, up(n - 1));
        fun sum(l: L): Int = match l { Nil => 0, Cons(x, rest) => x + sum(rest) };
        fun count(n: Int): Int = if n <= 0 then 0 else 1 + count(n - 1);
        process A { var n: Int = 100; init state s; s -> s : a(sum(up(n))); s -> s : b(count(2000)); }";
    assert_eq!(first(text, Domains::default()), ["a(5050) 100", "b(2000) 100"]);
    let deep = "action b(Int); fun count(n: Int): Int = if n <= 0 then 0 else 1 + count(n - 1);
        process A { init state s; s -> s : b(count(1000000)); }";
    assert_eq!(first(deep, Domains::default()), ["`count` takes too long to compute"]);
    let none =
        "sort D; action b(Int); fun f(n: Int): Int; process A { init state s; s -> s : b(f(1)); }";
    assert_eq!(
        first(none, Domains::default()),
        [Gap::Abstract { name: "f".to_owned() }.to_string()]
    );
}

#[test]
fn quantifiers_go_over_finite_sorts_and_empty_ranges() {
    let text = "const N: Int = 0; action a(Int), d(Int), e;
        process A { var k: [0..3]Int = [_]Int(1); init state s;
            s -> s : a(0) when forall i: 0..N . false; s -> s : a(1) when exists i: 0..N . true;
            s -> s : a(2) when forall i: 0..3 . k[i] == 1; s -> s : a(3) when exists i: 0..3 . k[i] == 2;
            s -> s : a(4) when forall i: 0..4 . k[i] == 1; s -> s : d(7); s -> s : e; }
        net M { sub P = A; <P: ?x> -> x when forall y . x != d(y); }";
    assert_eq!(
        first(text, Domains::default()).iter().map(|one| one[..4].to_owned()).collect::<Vec<_>>(),
        ["a(0)", "a(2)", "e [0"]
    );
}

#[test]
fn a_rival_goes_first_for_its_own_values() {
    let text = "action job(Int), urgent(Int), run(Int);
        process Queue { var n: Int = 1; init state s; s -> s : job(n) do n := 2; s -> s : urgent(2) do n := 1; }
        net Desk { sub Q = Queue; <Q: job(n)> -> run(n) unless <Q: urgent(n)>; <Q: urgent(m)> -> urgent(m); }";
    assert_eq!(first(text, Domains::default()), ["urgent(2) 1", "run(1) 2"]);
    let any = text.replace("urgent(n)>", "urgent(_)>");
    assert_eq!(first(&any, Domains::default()), ["urgent(2) 1"]);
}

#[test]
fn a_rival_with_an_input_is_decided_for_all_values() {
    let with = |guard: &str| {
        format!("action a, b(Int); process A {{ init state s; s -> s : a; s -> s : b(?v) when {guard}; }}
            net N {{ sub P = A; <P: a> -> a unless <P: b(_)>; }}")
    };
    assert_eq!(first(&with("v > 100"), Domains::default()), Vec::<String>::new());
    assert_eq!(first(&with("v != 3"), Domains::default()), Vec::<String>::new());
    assert_eq!(first(&with("v > 3 and v < 3"), Domains::default()), ["a"]);
    let open = first(&with("v * v == 10001"), Domains::default());
    assert_eq!(open, [Gap::Rival { name: "P.v".to_owned() }.to_string()]);
}

#[test]
fn priorities_inside_of_nets_count_outside() {
    let text = "action a, b, c;
        process A { init state s; s -> s : a; s -> s : b; }
        net In { sub P = A; <P: a> -> a; <P: b> -> b; priority a < b; }
        net Out { sub I = In; sub Q = A; <I: a> -> a; <I: b> -> c; <Q: a> -> b unless <I: a>; }";
    assert_eq!(first(text, Domains::default()), ["b", "c"]);
}

#[test]
fn connectors_transfer_data() {
    let text = "action out(Int), set(Int), xfer(Int), beat;
        process S { var v: Int = 4; init state s; s -> s : out(v) do v := v + 1; }
        process T { var left: Int = 0; init state s; s -> s : set(?x) do left := x; }
        net M { sub A = S; sub B = T; connect xfer(x) : A.out(x)' B.set(y) when x > 0 do y := x + 1; priority maximal; }";
    assert_eq!(first(text, Domains::default()), ["xfer(4) 5 5"]);
    let all = text.replace("priority maximal;", "");
    assert_eq!(first(&all, Domains::default()), ["xfer(4) 5 0", "xfer(4) 5 5"]);
}

#[test]
fn an_index_may_come_from_data() {
    let text = "action call(Int), serve, on(Int);
        process C { var k: Int = 1; init state s; s -> s : call(k) do k := k + 1; }
        process D { var n: Int = 0; init state s; s -> s : serve do n := n + 1; }
        net N { sub A = C; sub S[i: 0..2] = D; <A: call(k), S[k]: serve> -> on(k); }";
    assert_eq!(first(text, Domains::default()), ["on(1) 2 0 1"]);
    let outside = text.replace("var k: Int = 1", "var k: Int = 2");
    assert_eq!(first(&outside, Domains::default()), Vec::<String>::new());
}

#[test]
fn holes_do_what_their_sorts_allow_and_silent_actions() {
    let text = "action a, b, c(0..2), d; interface I { a, c(0..2) }
        process A { init state s; s -> s : d; }
        net N(P: I) { sub Q = A; <P: ?x> -> x when x is not sync _; <P: sync b> -> b; <Q: d> -> d; }";
    assert_eq!(
        first(text, Domains::default()),
        ["a P:a", "b P:sync b", "c(0) P:c(0)", "c(1) P:c(1)", "d", "tau P:tau"]
    );
}

#[test]
fn holes_of_any_sort_do_what_nobody_declared() {
    let text = "action a, b; net N(P: any, Q: any) { <P: ?x> -> x when x is not sync _; <P: co ?x, Q: ?x> -> tau when x is not b; }";
    assert_eq!(
        first(text, Domains::default()),
        [
            "a P:a",
            "b P:b",
            "tau P:tau",
            "tau P:co a Q:a",
            "tau P:co other0 Q:other0",
            "tau P:co other1 Q:other1",
            "co a P:co a",
            "co b P:co b",
            "co other0 P:co other0",
            "co other1 P:co other1",
            "other0 P:other0",
            "other1 P:other1"
        ]
    );
}

#[test]
fn arguments_of_holes_may_need_a_domain() {
    let text = "action put(Int), ok; interface I { put(Int) }
        process A { init state s; s -> s : ok; }
        net N(P: I) { sub Q = A; <P: put(x), Q: ok> -> put(x) when x > 0; }";
    assert_eq!(first(text, ints(0, 3)), ["put(1) P:put(1)", "put(2) P:put(2)", "+"]);
    let needs = first(text, Domains::default());
    assert_eq!(
        needs,
        ["there is no end of values for `x`; say which of sort `Int` to try with `--domain Int=…`"]
    );
    // What a guard rules out needs no value.
    let other =
        text.replace("<P: put(x), Q: ok> -> put(x) when x > 0", "<P: ?x> -> x when x is tau");
    assert_eq!(first(&other, Domains::default()), ["tau P:tau"]);
}

#[test]
fn arrays_over_sorts_without_end_list_what_differs() {
    let text = "action a; process A { var m: [Int]Int = [_]Int(7); init state s;
        s -> s : a do m := m[3 := 1]; s -> s : a do m := m[3 := 7]; s -> s : a when m[99] == 7 and m == [_]Int(7); }";
    assert_eq!(first(text, Domains::default()), ["a [_:7]", "a [3:1,_:7]"]);
}

#[test]
fn constants_and_variables_without_values_are_enumerated() {
    let count = |text: &str, domains: Domains| {
        let net = built(text);
        let initial = Interpreter::new(&net, domains).initial();
        initial.map(|initial| (initial.configurations.len(), initial.limited))
    };
    let text = "const N: Int; axiom N >= 1; axiom N < 4; action a; process A { var x: 0..N; init state s; s -> s : a when x < N; }";
    assert_eq!(count(text, Domains::default()), Ok((6, false)));
    let open =
        "const N: Int; axiom N >= 1; action a(Int); process A { init state s; s -> s : a(N); }";
    assert_eq!(count(open, Domains::default()), Err(Gap::NeedsValue { name: "N".to_owned() }));
    assert_eq!(count(open, ints(0, 3)), Ok((2, true)));
    let unused =
        "const N: Int; action a; process A { var b: Bool; init state s; s -> s : a when b; }";
    assert_eq!(count(unused, Domains::default()), Ok((2, false)));
    let free = "action a; process A { var x: Int; init state s; s -> s : a when x > 0; }";
    let needs = Gap::NeedsDomain { name: "x".to_owned(), sort: "Int".to_owned() };
    assert_eq!(count(free, Domains::default()), Err(needs));
    assert_eq!(count(free, ints(0, 5)), Ok((5, true)));
}

#[test]
fn final_states_are_those_of_all_components() {
    let text = "action a; process A { init state s; final state t; s -> t : a; }
        net N { sub P = A; sub Q = A; <P: a, Q: a> -> a; }";
    let net = built(text);
    let interpreter = Interpreter::new(&net, Domains::default());
    let start = only(&interpreter);
    assert!(!interpreter.is_final(&start));
    let steps = interpreter.steps(&start).unwrap().steps;
    assert!(interpreter.is_final(&steps[0].target));
    assert!(interpreter.steps(&steps[0].target).unwrap().steps.is_empty());
}

/// What stands in the way of an action at first.
fn blocks(text: &str, action: &str, args: Vec<Option<Value>>) -> Vec<Vec<Block>> {
    let net = built(text);
    let interpreter = Interpreter::new(&net, Domains::default());
    let place = net.algebra.actions.iter().position(|one| one.name.as_str() == action).unwrap();
    let wanted = AskedAction::Act(ActionId(place as u32), args);
    let found = interpreter.why_not(&only(&interpreter), &wanted);
    found.into_iter().map(|obstacle| obstacle.blocks).collect()
}

#[test]
fn what_stands_in_the_way_is_told() {
    let text = "action a, b(Int), c, low, high;
        process A { var n: 0..3 = 2; init state s; state t;
            s -> s : b(n); s -> s : a when n > 1 and n < 2; t -> s : c; s -> s : low do n := n + 1; s -> s : high; }
        process B { init state s; s -> s : b(1); s -> s : c; }
        net N { sub P = A; sub Q = B; <P: a, Q: c> -> a; <P: b(x), Q: b(x)> -> b(x); <P: c> -> c;
            <P: low> -> low; <P: b(x), Q: c> -> high when x == 9; <Q: c> -> low unless <P: high>; }";
    let a = blocks(text, "a", Vec::new());
    let [Block::Member { inside, offers, .. }] = a[0].as_slice() else { panic!("{a:?}") };
    assert_eq!(offers.len(), 4);
    let [Block::Condition { values, .. }] = inside[0].blocks.as_slice() else { panic!("{a:?}") };
    assert_eq!(values.as_slice(), [("P.n".to_owned(), Value::Int(2.into()))]);
    let b = blocks(text, "b", vec![None]);
    assert!(matches!(b[0].as_slice(), [Block::Disagree { .. }]), "{b:?}");
    let b = blocks(text, "b", vec![Some(Value::Int(2.into()))]);
    assert!(matches!(b[0].as_slice(), [Block::Member { .. }]), "{b:?}");
    let c = blocks(text, "c", Vec::new());
    let [Block::Member { inside, .. }] = c[0].as_slice() else { panic!("{c:?}") };
    assert!(matches!(inside[0].blocks.as_slice(), [Block::State { .. }]), "{c:?}");
    let low = blocks(text, "low", Vec::new());
    let [Block::Member { inside, .. }] = low[0].as_slice() else { panic!("{low:?}") };
    assert!(matches!(inside[0].blocks.as_slice(), [Block::Owed { .. }]), "{low:?}");
    assert!(matches!(low[1].as_slice(), [Block::Rival { .. }]), "{low:?}");
    let high = blocks(text, "high", Vec::new());
    let [Block::Condition { values, .. }] = high[0].as_slice() else { panic!("{high:?}") };
    assert_eq!(values.as_slice(), [("x".to_owned(), Value::Int(2.into()))]);
}

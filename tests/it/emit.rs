//! What nets are written as: text that elaborates to an equal net, and JSON with a documented schema.

use crate::automata::shown;
use crate::common::sources::{self, Beside, MODEL, PROJECT};

use std::path::PathBuf;

use pnetc::algebra::Term;
use pnetc::diagnostics::{Diagnostic, Severity, Style, render};
use pnetc::elaborate::{self, ElaborateOptions, Target};
use pnetc::emit::{json, term, text};
use pnetc::model::Checked;
use pnetc::pnet::{HoleId, NodeId, PNet, VectorId, same, violations};
use pnetc::sema::program::ModuleId;
use shown::{blocks, pretty};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Checks a model, which may have warnings.
fn checked(path: &str, text: &str) -> Checked {
    let checked = sources::check(&Beside(MODEL, text.as_bytes(), &PROJECT), path);
    let errors = checked.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let shown = |one: &Diagnostic| render(one, &checked.sources, Style { colour: false });
    let errors: Vec<String> = errors.map(shown).collect();
    assert!(errors.is_empty(), "{}\n{}", errors.join("\n"), text);
    checked
}

/// What the module that was asked for declares.
fn targets(checked: &Checked) -> Vec<(String, Target)> {
    let module = checked.program.modules.iter().position(|module| module.is_root).unwrap();
    let all = elaborate::targets(&checked.program, ModuleId(module as u32));
    all.into_iter().map(|(name, target)| (name.to_string(), target)).collect()
}

/// The net of this name; none where elaboration needs to know more.
fn elaborated(checked: &Checked, name: &str) -> Option<PNet> {
    let all = targets(checked);
    // A net goes before a process of the same name.
    let (_, target) = all.iter().rev().find(|(known, _)| known == name).expect(name);
    elaborate::elaborate(&checked.program, *target, &ElaborateOptions::default()).ok()
}

fn net(model: &str, name: &str) -> PNet {
    elaborated(&checked(MODEL, model), name).unwrap()
}

/// Writes a net, and reads it again.
fn again(net: &PNet) -> (String, PNet) {
    let text = text(net);
    let checked = checked(MODEL, &text);
    let all = targets(&checked);
    let (_, target) = all.iter().rev().find(|(name, _)| *name == net.name.as_str()).expect(&text);
    match elaborate::elaborate(&checked.program, *target, &ElaborateOptions::default()) {
        Ok(net) => (text, net),
        Err(problems) => panic!("{problems:?}\n{text}"),
    }
}

/// The differences between a net and what its text elaborates to.
fn difference(net: &PNet) -> Option<String> {
    let (text, again) = again(net);
    assert_eq!(violations(&again), []);
    same(net, &again).err().map(|difference| format!("{}: {difference}\n{text}", net.name))
}

fn round_trip(model: &str, name: &str) -> String {
    let net = net(model, name);
    assert_eq!(difference(&net), None);
    text(&net)
}

// ---- round trips ----

/// The files with this extension below a folder, in order.
fn files(folder: &str) -> Vec<String> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            all.extend(files(&name));
        } else if name.ends_with(".pnet") {
            all.push(name);
        }
    }
    all.sort();
    all
}

#[test]
fn what_is_written_elaborates_to_the_same_net() {
    let mut differences = Vec::new();
    let mut count = 0;
    for path in files("examples").into_iter().chain(files("stdlib")) {
        let checked = checked(&path, "");
        for (name, _) in targets(&checked) {
            // Some need a size, or a set of actions, that only their users know.
            if let Some(net) = elaborated(&checked, &name) {
                count += 1;
                assert_eq!(same(&net, &net), Ok(()));
                differences.extend(difference(&net).map(|found| format!("{path}: {found}")));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(count > 60, "only {count} nets");
}

/// A text without its comments, which tell where parts come from.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("///")).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn what_is_written_is_written_again() {
    for path in files("examples") {
        let checked = checked(&path, "");
        for (name, _) in targets(&checked) {
            if let Some(net) = elaborated(&checked, &name) {
                // Names that clash get a number once.
                let (second, third) = (again(&again(&net).1).0, again(&again(&again(&net).1).1).0);
                assert_eq!(code(&second), code(&third), "{path}");
            }
        }
    }
}

// ---- terms ----

/// Conditions of a vector in the form in which they are written.
const GUARDS: &[&str] = &[
    "a is delta(_)",
    "a is not delta(_)",
    "a is delta(3)",
    "a is not delta(-3)",
    "a is delta(n)",
    "a is delta(n + 1) and m < n",
    "a is send(Pkt(3, _), _)",
    "a is send(_, true) and n == m",
    "a is send(Ping, false)",
    "a is send(match true { _ => Ping }, _)",
    "a is send(match true { _ => next(p) }, flag)",
    "a is delta(3) and n < m and a is delta(4)",
    "a is sync delta(3)",
    "a is sync _ or a == tau",
    "a is co delta(_)",
    "a in { delta(3), tick, sync tick }",
    "a not in { delta(_), tick }",
    "a in { delta(3), tick } and a is not delta(3)",
    "a == delta(n) or a == sync delta(m)",
    "a != tau",
    "a is tick => n < m",
    "n + m - 2 * n - 1 <= -n * m",
    "n - (m - 3) == -(n + m)",
    "n * (2 * m) < 2 * (n * m)",
    "n * m * n < 3 * (n * (m + 1))",
    "-2 * n div (m * n) < n mod 3 * m",
    "not n < m",
    "not (n < m and m < 3)",
    "(n < m or m < 3) and (n < 5 => m < n)",
    "(if n < m then n else m) < 5",
    "if flag then n < m else m < n",
    "forall x: Int, y: 0..N . x < y => next(p) is Ping",
    "(exists x: Int . x < n) and (exists x: Int . n < x)",
    "flag == (n < m)",
    "p is Pkt(_, _) and p.seq == n and p.body[p.seq] == Red",
    "p == Pkt(n, [_]Light(Red)[n := Green][m + 1 := Yellow])",
    "next(p).seq < n and next(Pkt(1, p.body)).body[2] != Red",
];

fn with_guard(guard: &str) -> String {
    format!(
        "const N: Int;
        enum Light {{ Red, Yellow, Green }}
        data Msg {{ Ping, Pkt(seq: Int, body: [Int]Light) }}
        fun next(m: Msg): Msg;
        action delta(Int), send(Msg, Bool), tick, more(Int, Int, Msg, Bool), other;
        net Guarded(P: any, Q: any) {{
            <P: ?a, Q: more(n, m, p, flag)> -> a when {guard};
            <Q: more(n, m, p, flag)> -> other when n < m + N and p is Ping and flag;
        }}"
    )
}

#[test]
fn conditions_are_written_as_they_were() {
    let mut complaints = Vec::new();
    for guard in GUARDS {
        let net = net(&with_guard(guard), "Guarded");
        complaints.extend(difference(&net));
        let written = text(&net);
        let line = written.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        if !line.contains(&format!("when {guard};")) {
            complaints.push(format!("{guard}\n{written}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn parts_of_actions_that_no_pattern_can_name_are_quantified() {
    let mut net = net(&with_guard("a is delta(_)"), "Guarded");
    let vector = net.nodes[NodeId(0)].vectors[VectorId(0)].clone();
    let Term::IsAct(delta, action) = *net.terms.get(vector.guard) else { panic!() };
    let argument = net.terms.argument(delta, 0, action);
    let three = net.terms.int(3);
    let large = net.terms.less(three, argument);
    net.nodes[NodeId(0)].vectors[VectorId(0)].guard = net.terms.and([vector.guard, large]);
    let written = again(&net).0;
    assert!(
        written.contains("when a is delta(_) and (exists x: Int . a == delta(x) and 3 < x)"),
        "{written}"
    );
    let inner = net.terms.inner(action);
    net.nodes[NodeId(0)].vectors[VectorId(0)].guard = net.terms.is_act(delta, inner);
    let written = again(&net).0;
    assert!(written.contains("when exists x: Action . a == sync x and x is delta(_)"), "{written}");
}

#[test]
fn terms_are_readable() {
    let net = net(&with_guard("a is not delta(-3)"), "Guarded");
    assert_eq!(term(&net, net.nodes[NodeId(0)].vectors[VectorId(0)].guard), "a is not delta(-3)");
    assert_eq!(term(&net, net.nodes[NodeId(0)].vectors[VectorId(0)].result), "a");
}

/// Assignments one after the other are written at once: what they owed on the way is not lost.
#[test]
fn what_is_owed_on_the_way_is_a_condition() {
    let model = "
action a, b, c;

process P {
    var x: 0..4 = 0;
    var z: [0..3]Int = [_]Int(0);
    init state s;

    s -> s : a do { x := x + 2; x := x - 1 };
    s -> s : b do z[x] := 1, z[3 - x] := 2;
    s -> s : c do { x := (x + 1) mod 4; z[0] := x };
}
";
    let (text, _) = again(&net(model, "P"));
    assert!(text.contains("s -> s : a when x + 2 < 4 "), "{text}");
    assert!(text.contains("s -> s : b when x != -x + 3 "), "{text}");
    assert!(text.contains("s -> s : c ") && !text.contains("s -> s : c when"), "{text}");
}

#[test]
fn arrays_of_arrays_have_values() {
    let model = "
action a(Int);

process P {
    var z: [0..2][0..3]Int = [_][0..3]Int([_]Int(7));
    init state s;

    s -> s : a(z[1][2]) do z[0][1] := 1;
}
";
    let text = round_trip(model, "P");
    assert!(text.contains("= [_][0..3]Int([_]Int(7));"), "{text}");
}

// ---- names ----

#[test]
fn names_that_clash_get_numbers() {
    let model = "
        sort S;
        const n: Int;
        action `check`, go(S), x(Int);
        interface Two { `check`, go(S) }
        process `net`<k: Int> {
            var n_2: Int = k;
            var m: Int = n_2;
            init final state `state`;
            final state b;
            state c;

            `state` -> b : `check` when m == k + n do m := n_2, n_2 := m;
            b -> c : go(_) when exists x: Int . x == m;
            c -> c : x(?n_3);
        }
        net Inner<k: Int>(P: Two, Q: any) {
            sub `sub` = `net`<k>;
            <P: `check`, `sub`: `check`> -> `check`;
            <P: go(_), `sub`: go(_)> -> sync x(k);
            <Q: _> -> tau;
            <`sub`: x(_), P: ?n> -> n when n is not go(_);
        }
        net Outer(left_P: any) {
            sub left = Inner<n>;
            sub S[i: 0..2] = Inner<i>;
            sub S_1 = `net`<7>;
            <S_1: `check`, left: `check`, left_P: ?a> -> a;
            <S[0]: `check`, S[1]: `check`> -> tau;
        }";
    let written = round_trip(model, "Outer");
    for line in [
        "net Outer(left_P: any, left_P_2: left_P_2_interface, left_Q: any,",
        "sub S_1 = S_1(S_1_P, S_1_Q);",
        "sub S_1_2 = S_1_2;",
        "init final state `state`;",
        "`state` -> b : `check` when m == 0 + n",
    ] {
        let line = line.replace("0 + n", "n");
        assert!(written.contains(&line), "no `{line}` in\n{written}");
    }
}

#[test]
fn actions_that_stand_for_any_are_parameters() {
    let model = "
        action tick, tock;
        process Once<a: Action, k: Int> {
            init state s;
            final state t;

            s -> t : a when k > 0;
            t -> t : tick when a is not tick;
        }
        net Pair<a: Action, b: Action, k: Int>(P: any) {
            sub L = Once<a, k>;
            sub R = Once<co tock, k>;
            <L: a> -> b;
            <L: tick, R: tick, P: b> -> sync a;
        }
        net Whole<c: Action, d: Action> { sub X = Pair<c, d, 3>; sub Y = Once<d, 1>; <X: ?a, Y: d> -> a; }";
    assert!(round_trip(model, "Pair").contains("net Pair<a: Action, b: Action>(P: any)"));
    assert!(round_trip(model, "Whole").contains("sub X = X<c, d>(X_P);"));
    assert!(round_trip(model, "Once").contains("net Once<a: Action> = Once_2<a>;"));
}

#[test]
fn holes_keep_their_order() {
    let model = "
        action go;
        net Two(A: any, B: any) { <A: go> -> go; <B: go> -> go; }
        net Swapped(B: any, A: any) = Two(A, B);
        net Nested(C: any, B: any, A: any) { sub T = Two(A, C); <B: go, T: go> -> go; }
        net Nothing(P: any) = P;";
    for name in ["Two", "Swapped", "Nested", "Nothing"] {
        round_trip(model, name);
    }
}

// ---- rivals ----

#[test]
fn what_goes_first_is_written() {
    let model = "
        action tick, ask, timeout(Int), both;
        process P { var n: Int = 0; init state s; s -> s : tick when n < 3; s -> s : ask; }
        process Q { init state s; s -> s : timeout(7); s -> s : tick; }
        net N {
            sub C = P;
            sub T = Q;
            <C: tick, T: tick> -> tick unless <C: ask, T: timeout(x)> when x > 3, <C: tick>;
            <C: ask, T: timeout(_)> -> both;
        }";
    let written = round_trip(model, "N");
    assert!(
        written.contains("-> tick unless <C: ask, T: timeout(x)> when 3 < x, <C: tick>;"),
        "{written}"
    );
}

// ---- sameness ----

/// A model with something of everything.
const RICH: &str = "
    const N: Int;
    axiom N > 0;
    sort Item;
    enum Light { Red, Green }
    data Msg { Ping, Pkt(seq: 0..N, body: Item) }
    fun next(l: Light): Light = match l { Red => Green, Green => Red };
    action put(Msg), get(Msg), light(Light), tick;
    interface Source { put(Msg), tick }
    interface Everything { put(Msg), get(Msg), light(Light), tick }
    process Cell {
        var m: Msg = Ping;
        var l: Light = Red;
        init state empty;
        final state full;

        empty -> full : put(?x) when x is Pkt(_, _) do m := x, l := next(l);
        full -> empty : get(m);
        full -> full : light(l) when forall k: Int . k * k >= N - N;
    }
    net Inner(P: Source) {
        sub C = Cell;
        <P: put(x), C: put(x)> -> put(x) when x != Ping;
        <P: tick> -> tick;
    }
    net Whole(Q: any) {
        sub I = Inner;
        sub D = Cell;
        <I: put(x), Q: ?a> -> a when a is not tick;
        <Q: get(x), D: get(x)> -> sync get(x);
        <I: tick> -> tick unless <D: get(x)> when x is Ping;
    }";

#[test]
fn a_net_is_the_same_as_itself() {
    let whole = net(RICH, "Whole");
    assert_eq!(same(&whole, &whole), Ok(()));
    let renamed = RICH
        .replace("?x", "?y")
        .replace("when x is Pkt", "when y is Pkt")
        .replace("m := x", "m := y");
    let renamed = renamed.replace("m: Msg", "message: Msg").replace("m := ", "message := ");
    let renamed =
        renamed.replace("get(m)", "get(message)").replace("k", "j").replace("tijc", "tick");
    let renamed = renamed
        .replace("ticj", "tick")
        .replace("Pjt", "Pkt")
        .replace("Cell", "Box")
        .replace("I:", "Z:");
    let renamed = renamed.replace("sub I", "sub Z").replace("Z.P", "I.P");
    assert_eq!(difference(&whole), None);
    let other = net(&renamed, "Whole");
    // The hole of the inner net has the name of its part in its path.
    assert_eq!(
        same(&whole, &other).unwrap_err().to_string(),
        "hole `I.P`: the names differ: `I_P` and `Z_P`"
    );
    let mut other = other;
    other.holes[HoleId(1)].path = "I.P".to_owned();
    assert_eq!(same(&whole, &other), Ok(()));
}

#[test]
fn every_change_is_found() {
    let changes = [
        ("axiom N > 0;", "axiom N > 1;"),
        ("axiom N > 0;", "axiom N > 0; axiom N > 0;"),
        ("const N: Int;", "const N: 0..4;"),
        ("Item", "Thing"),
        ("{ Red, Green }", "{ Green, Red }"),
        ("Ping, Pkt(seq: 0..N,", "Ping, Pkt(number: 0..N,"),
        ("seq: 0..N", "seq: 1..N"),
        ("Green => Red }", "Green => Green }"),
        ("put(Msg), tick }", "tick, put(Msg) }"),
        ("put(Msg), tick }", "put(Msg), tick, get(Msg) }"),
        ("var l: Light = Red;", "var l: Light = Green;"),
        ("var l: Light = Red;", "var l: Light;"),
        ("var l: Light = Red;", "var l: Light = Red; var q: Int = 0;"),
        ("init state empty", "init final state empty"),
        ("state full;", "state full, other;"),
        ("x is Pkt(_, _) do", "x is Ping do"),
        ("do m := x, l := next(l)", "do m := x"),
        ("do m := x, l := next(l)", "do l := next(l), m := x"),
        ("full -> empty : get(m)", "full -> full : get(m)"),
        ("full -> empty : get(m)", "full -> empty : put(m)"),
        ("full -> empty : get(m)", "full -> empty : co get(m)"),
        ("forall k: Int", "exists k: Int"),
        ("forall k: Int", "forall k: 0..9"),
        ("k * k", "k * k * k"),
        ("N - N", "N + N"),
        ("<P: tick> -> tick;", ""),
        ("<P: tick> -> tick;", "<P: tick> -> tau;"),
        ("x != Ping", "x == Ping"),
        ("<I: put(x), Q: ?a> -> a", "<Q: ?a, I: put(x)> -> a"),
        ("<Q: get(x), D: get(x)> -> sync get(x)", "<Q: get(x), D: get(y)> -> sync get(x)"),
        ("<Q: get(x), D: get(x)> -> sync get(x)", "<Q: get(x), D: get(y)> -> sync get(y)"),
        ("a is not tick", "a is tick"),
        (" unless <D: get(x)> when x is Ping", ""),
        ("when x is Ping;", ";"),
        ("(Q: any)", "(Q: Everything)"),
        ("sub D = Cell", "sub D = Inner"),
        ("sub I = Inner", "sub I = Cell"),
        ("net Whole(Q: any)", "net Whole(R: any, Q: any)"),
    ];
    let whole = net(RICH, "Whole");
    for (from, to) in changes {
        let changed = RICH.replace(from, to);
        assert_ne!(changed, RICH, "{from}");
        let other = net(&changed, "Whole");
        assert!(same(&whole, &other).is_err(), "{from} -> {to}");
        assert!(same(&other, &whole).is_err(), "{to} -> {from}");
    }
}

#[test]
fn what_is_not_used_does_not_matter() {
    let whole = net(RICH, "Whole");
    let more =
        format!("{RICH} action unused(Int); const K: Int; fun f(x: Int): Int = x; sort Other;");
    assert_eq!(same(&whole, &net(&more, "Whole")), Ok(()));
}

// ---- JSON ----

#[test]
fn the_documented_json_is_real() {
    let models = blocks("docs/json.md", "pnet");
    let documented = blocks("docs/json.md", "json");
    let [model, _, tiny] = models.as_slice() else { panic!("three models") };
    let [shown, _, tree] = documented.as_slice() else { panic!("three examples") };
    let first = checked(MODEL, model);
    let net = elaborated(&first, "Relay").unwrap();
    let real = json(&net, Some(&first.sources));
    let second = checked(MODEL, tiny).relative_tree();
    if std::env::var_os("PNET_BLESS").is_some() {
        let path = root().join("docs/json.md");
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace(shown, &pretty(&real)).replace(tree, &pretty(&second));
        std::fs::write(path, text).unwrap();
        return;
    }
    assert_eq!(*shown, pretty(&real), "PNET_BLESS=1 renews it");
    assert_eq!(*tree, pretty(&second), "PNET_BLESS=1 renews it");
}

#[test]
fn json_has_every_kind_of_term_and_no_dangling_numbers() {
    let mut models: Vec<(String, &str)> =
        GUARDS.iter().map(|guard| (with_guard(guard), "Guarded")).collect();
    models.push((RICH.to_owned(), "Whole"));
    for (model, name) in &models {
        let value = json(&net(model, name), None);
        let terms = value["terms"].as_array().unwrap();
        let variables = value["variables"].as_array().unwrap().len() as u64;
        for (number, term) in terms.iter().enumerate() {
            let args = term["args"].as_array().into_iter().flatten();
            assert!(args.into_iter().all(|arg| arg.as_u64().unwrap() < number as u64), "{term}");
            if term["op"] == "variable" {
                assert!(term["variable"].as_u64().unwrap() < variables, "{term}");
            }
        }
        assert!(!value.to_string().contains("\"origin\""));
        assert!(!value.to_string().contains("\"name\":null"), "{value}");
    }
}

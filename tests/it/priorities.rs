//! Priorities: what gives way to what, decided again by brute force from the text, and case by case.
use crate::common::explicit::{Agreement, Orders, World, compare_ordered};
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
use crate::common::{Random, check_text};
use pnetc::elaborate;
use pnetc::generate::{Algorithm, Options, Unwatched, generate};
use pnetc::model::BuildFailure;

/// How many configurations of a model are looked at.
const LIMIT: usize = 40;

/// A model without the priorities of its nets, which stand on lines of their own.
fn without_priorities(text: &str) -> String {
    let mut in_process = false;
    let lines = text.lines().filter(|line| {
        in_process = line.starts_with("process ") || in_process && !line.starts_with('}');
        in_process || !line.trim_start().starts_with("priority ")
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Compares the automaton of a model's last net with what its text says, priorities read from the tree.
fn twin(text: &str, algorithm: Algorithm) -> Result<Agreement, String> {
    let Ok(net) = nets::accepted(text) else { return Ok(Agreement::default()) };
    let options = Options { algorithm, ..Options::default() };
    let automaton = generate(&net, &options, &Unwatched).automaton;
    let plain = check_text(without_priorities(text));
    let free = plain.build(None, &elaborate::ElaborateOptions::default()).unwrap();
    let orders = Orders::of(&check_text(text), &plain, &free);
    compare_ordered(&free, &orders, &automaton, &World::of(&free), LIMIT)
}

fn random_models(name: &str, shape: Shape, algorithm: Algorithm, count: u64) {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut with, mut through, mut several) = (Agreement::default(), 0, 0, 0);
    let mut failures: Vec<String> = Vec::new();
    for seed in seeds(count) {
        let mut random = Random::new(seed);
        // Only models with priorities say something here.
        let text = loop {
            let text = nets::model(&mut random, shape);
            if without_priorities(&text) != text {
                break text;
            }
        };
        with += 1;
        through += usize::from(text.contains("-> z") || text.contains("-> sync z"));
        several += usize::from(text.matches("connect ").count() > 1 && text.contains("maximal"));
        let label = format!("{name}, PNET_SEED={seed}");
        match shrink::tried(&label, &text, |text| twin(text, algorithm)) {
            Ok(found) => {
                total.configs += found.configs;
                total.steps += found.steps;
                total.skipped += found.skipped;
            }
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}; {with} models, {through} with variables, {several} connectors");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(total.skipped * 5 <= total.configs, "{total:?}");
    assert!(total.configs >= with && total.steps > with, "hardly anything was compared: {total:?}");
    assert!(through * 10 > with || with < 10, "{through} of {with}");
}

#[test]
fn closed_models_obey_their_text() {
    random_models("priorities, closed", Shape::closed(), Algorithm::Fast, 80);
}

#[test]
fn open_models_obey_their_text() {
    random_models("priorities, open", Shape::open(), Algorithm::Fast, 60);
}

#[test]
fn the_algorithms_of_the_paper_obey_the_text() {
    let flat = Shape { depth: 1, ..Shape::closed() };
    random_models("priorities, smart", flat, Algorithm::Smart, 15);
}

// ---- case by case ----

/// What the last net of a model does in its first state, in order.
fn initially(text: &str) -> Vec<String> {
    let net = nets::accepted(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let world = World::of(&net);
    let explicit = crate::common::explicit::Explicit::new(&net, &world);
    let config = explicit.initial().unwrap().remove(0);
    let automaton = generate(&net, &Options::default(), &Unwatched).automaton;
    crate::common::explicit::compare(&net, &automaton, &world, LIMIT).unwrap();
    let steps = explicit.steps(&config).unwrap();
    let mut shown: Vec<String> = steps.iter().map(|step| step.action.to_string()).collect();
    shown.sort();
    shown.dedup();
    shown
}

/// The code of what is in the way of building the last net of a model.
fn in_the_way(text: &str) -> Vec<(String, String)> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    match checked.build(None, &elaborate::ElaborateOptions::default()) {
        Err(BuildFailure::Problems(all)) => {
            all.iter().map(|one| (one.entry.code.to_owned(), one.message.clone())).collect()
        }
        other => panic!("{:?}", other.map(|net| net.name)),
    }
}

const PAIR: &str = "action a, b, c(Int);
    process P { init state s; state t; s -> s : a; s -> t : b; t -> s : c(1); s -> s : c(2); }
";

fn with_pair(net: &str) -> String {
    format!("{PAIR}{net}")
}

#[test]
fn what_is_shown_through_a_variable_has_a_name() {
    let text = with_pair(
        "net N { sub p = P; <p: a> -> a; <p: b> -> b; <p: ?q> -> q when q is a;
         priority a < b; }",
    );
    assert_eq!(initially(&text), ["b"]);
}

#[test]
fn a_vector_gives_way_to_what_it_shows_itself() {
    assert_eq!(
        initially(&with_pair("net N { sub p = P; <p: ?q> -> q; priority a < b; }")),
        ["b", "c(2)"]
    );
    // A name stands for `sync a`, too.
    let text = with_pair("net N { sub p = P; <p: ?q> -> sync q; priority a < b; }");
    assert_eq!(initially(&text), ["sync b", "sync c(2)"]);
}

#[test]
fn a_variable_goes_first_only_where_it_is_the_higher_action() {
    // `?q` is never `b` by its guard, so `a` need not wait.
    let text = with_pair(
        "net N { sub p = P; <p: a> -> a; <p: ?q> -> q when q is not b; <p: c(_)> -> b when false;
         priority a < b; }",
    );
    assert_eq!(initially(&text), ["a", "c(2)"]);
    // The argument matters as well.
    let text =
        with_pair("net N { sub p = P; <p: a> -> a; <p: ?q> -> q when q is c(1); priority a < c; }");
    assert_eq!(initially(&text), ["a"]);
}

#[test]
fn action_parameters_are_seen() {
    let text = with_pair(
        "net Inner<k: Action> { sub p = P; <p: a> -> a; <p: k> -> k; priority a < b; }
         net N = Inner<b>;",
    );
    assert_eq!(initially(&text), ["b"]);
    // Whatever it stands for.
    let text =
        with_pair("net N<k: Action> { sub p = P; <p: a> -> a; <p: k> -> k; priority a < b; }");
    let net = nets::accepted(&text).unwrap();
    let automaton = generate(&net, &Options::default(), &Unwatched).automaton;
    for (k, shown) in [("a", 1), ("b", 1)] {
        let world = World::of(&net).with("k", crate::common::explicit::Value::act(k));
        let found = crate::common::explicit::compare(&net, &automaton, &world, LIMIT).unwrap();
        assert!(found.configs > 0);
        let explicit = crate::common::explicit::Explicit::new(&net, &world);
        let config = explicit.initial().unwrap().remove(0);
        let steps = explicit.steps(&config).unwrap();
        assert_eq!(steps.len(), shown, "{k}");
        assert_eq!(steps.first().unwrap().action.to_string(), k);
    }
}

#[test]
fn what_leaves_its_range_is_nothing_to_wait_for() {
    let text = "action a, c(Int), h(0..2);
        process P { init state s; s -> s : a; s -> s : c(2); }
        net N { sub p = P; <p: a> -> a; <p: c(x)> -> h(x); priority a < h; }";
    assert_eq!(initially(text), ["a"]);
}

#[test]
fn a_hole_that_might_show_the_higher_action_is_an_error() {
    for net in [
        "net N(H: any) { sub p = P; <p: a> -> a; <H: ?q> -> q; priority a < b; }",
        "net N(H: any) { sub p = P; <p: a> -> a; <H: ?q> -> sync q when q is b; priority a < b; }",
        "net Inner(H: any) { sub p = P; <H: ?q> -> q; <p: b> -> b; }
         net N(H: any) { sub I = Inner(H); sub p = P; <p: a> -> a; <I: b> -> b; priority a < b; }",
        "net N(H: any) { sub p = P; <p: a> -> a unless <H: b>; <H: b> -> b; }",
    ] {
        let found = in_the_way(&with_pair(net));
        let [(code, message)] = found.as_slice() else { panic!("{net}: {found:?}") };
        assert_eq!(code, "E0108", "{net}");
        assert!(message.contains("the hole `H`"), "{net}: {message}");
    }
}

#[test]
fn a_hole_that_cannot_matter_is_no_error() {
    for net in [
        // It never shows the higher action here: by a guard, by its sort, by another vector.
        "net N(H: any) { sub p = P; <p: a> -> a; <p: b> -> b; <H: ?q> -> q when q is a;
         priority a < b; }",
        "interface I { a } net N(H: I) { sub p = P; <p: b> -> b; <H: ?q> -> q when q is not tau and q is not sync _;
         priority a < b; }",
        "net Inner(H: any) { sub p = P; <H: a> -> a; <p: b> -> b; }
         net N(H: any) { sub I = Inner(H); <I: ?q> -> q; priority a < b; }",
    ] {
        assert_eq!(initially(&with_pair(net)), ["b"], "{net}");
    }
}

// ---- maximal progress ----

const THREE: &str = "action p, q, r, go, other;
    process A { init state s; s -> s : p; }
    process B { init state s; s -> s : q; }
";

#[test]
fn maximal_progress_sees_all_connectors_of_one_name() {
    let net = |connectors: &str| {
        format!("{THREE}net N {{ sub A = A; sub B = B; {connectors} priority maximal; }}")
    };
    let steps = |connectors: &str| {
        let net = nets::accepted(&net(connectors)).unwrap();
        let automaton = generate(&net, &Options::default(), &Unwatched).automaton;
        automaton.transitions.iter().map(|one| one.used.transitions.len()).collect::<Vec<_>>()
    };
    assert_eq!(steps("connect go : A.p; connect go : A.p B.q;"), [2]);
    assert_eq!(steps("connect go : A.p' B.q;"), [2]);
    // Another name is another connector; and where the larger one is not enabled, the smaller one is.
    assert_eq!(steps("connect go : A.p; connect other : A.p B.q;").len(), 2);
    assert_eq!(steps("connect go : A.p; connect go : A.p B.q when false;"), [1]);
}

#[test]
fn maximal_progress_sees_copies() {
    let text = "action p, q, go;
        process A { init state s; s -> s : p; }
        process B { init state s; s -> s : q; }
        net N { sub A = A; sub B[i: 0..2] = B; connect go : A.p' B[i].q for i in 0..2;
                priority maximal; }";
    let net = nets::accepted(text).unwrap();
    let automaton = generate(&net, &Options::default(), &Unwatched).automaton;
    let members: Vec<usize> =
        automaton.transitions.iter().map(|one| one.used.transitions.len()).collect();
    assert_eq!(members, [2, 2]);
}

// ---- actions with values, all others, single interactions, guards ----

const VALUES: &str = "action a(Int), b(Int), c, d;
    process P { init state s; s -> s : a(0); s -> s : a(1); s -> s : b(0); s -> s : b(1); s -> s : c; s -> s : tau; }
";

fn with_values(priority: &str) -> Vec<String> {
    initially(&format!(
        "{VALUES}net N {{ sub p = P; <p: a(x)> -> a(x); <p: b(x)> -> b(x) when x < 1; <p: c> -> c;
         <p: tau> -> tau;
         priority {priority}; }}"
    ))
}

#[test]
fn values_can_be_ordered() {
    let all = ["a(0)", "a(1)", "b(0)", "c", "tau"];
    for (priority, gone) in [
        ("a(1) < c", &["a(1)"][..]),
        ("a(_) < c", &["a(0)", "a(1)"]),
        ("a(i) < b(i) for i in 0..2", &["a(0)"]),
        ("a(i) < b(1 - i) for i in 0..2", &["a(1)"]),
        ("a(0) < a(1) < b(0)", &["a(0)", "a(1)"]),
        ("a(0) < b(1), b(1) < c", &["a(0)"]),
        ("a(0) < b(1), b(0) < c", &["b(0)"]),
        ("a < b when 1 < 0", &[]),
        ("a(i) < b when i > 0 for i in 0..2", &["a(1)"]),
        ("a < tau", &["a(0)", "a(1)"]),
        ("tau < a(1)", &["tau"]),
        ("tau < a(5)", &[]),
        ("* < c", &["a(0)", "a(1)", "b(0)", "tau"]),
        ("* < b(0)", &["a(0)", "a(1)", "c", "tau"]),
        ("c < *", &["c"]),
        ("* < a(1), a(0) < c", &["a(0)", "b(0)", "c", "tau"]),
    ] {
        let left: Vec<&str> = all.into_iter().filter(|one| !gone.contains(one)).collect();
        assert_eq!(with_values(priority), left, "{priority}");
    }
}

#[test]
fn through_a_variable_values_are_ordered_too() {
    let net = |priority: &str| {
        initially(&format!("{VALUES}net N {{ sub p = P; <p: ?q> -> q; priority {priority}; }}"))
    };
    assert_eq!(net("a(1) < c"), ["a(0)", "b(0)", "b(1)", "c", "tau"]);
    assert_eq!(net("a(_) < b(1)"), ["b(0)", "b(1)", "c", "tau"]);
    assert_eq!(net("* < tau"), ["tau"]);
    assert_eq!(net("* < a(0)"), ["a(0)"]);
    assert_eq!(net("tau < b(7)"), ["a(0)", "a(1)", "b(0)", "b(1)", "c", "tau"]);
}

const PORTS: &str = "action p, q, r, brd;
    process A { init state s; s -> s : p; }
    process B { init state s; s -> s : q; s -> s : r; }
";

#[test]
fn single_interactions_can_be_ordered() {
    let sizes = |priority: &str| {
        let text = format!(
            "{PORTS}net N {{ sub A = A; sub B[i: 0..2] = B; connect brd : A.p' B[0].q B[1].q;
             connect r : B[0].r; {priority} }}"
        );
        let net = nets::accepted(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let automaton = generate(&net, &Options::default(), &Unwatched).automaton;
        crate::common::explicit::compare(&net, &automaton, &World::of(&net), LIMIT).unwrap();
        automaton.transitions.iter().map(|one| one.used.transitions.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(""), [1, 2, 2, 3, 1]);
    assert_eq!(sizes("priority brd[A.p] < brd[A.p B[1].q];"), [2, 2, 3, 1]);
    assert_eq!(sizes("priority brd[A.p] < brd[A.p B[i].q] for i in 0..2;"), [2, 2, 3, 1]);
    assert_eq!(sizes("priority brd[A.p B[1].q] < r;"), [1, 2, 3, 1]);
    assert_eq!(sizes("priority * < brd[A.p B[0].q B[1].q];"), [3]);
    let codes = |priority: &str| {
        in_the_way(&format!(
            "{PORTS}net N {{ sub A = A; sub B[i: 0..2] = B; connect brd : A.p' B[0].q B[1].q;
             connect r : B[0].r; {priority} }}"
        ))
    };
    assert_eq!(codes("priority brd[B[0].q] < r;")[0].0, "E0118");
    assert_eq!(codes("priority brd[A.p B[0].r] < r;")[0].0, "E0118");
}

#[test]
fn circles_are_errors() {
    let codes = |priority: &str| {
        in_the_way(&format!(
            "{VALUES}net N {{ sub p = P; <p: a(x)> -> a(x); <p: b(x)> -> b(x); <p: c> -> c;
             priority {priority}; }}"
        ))
    };
    for circle in [
        "a(1) < a(_)",
        "a(0) < b(0), b(_) < a(0)",
        "* < a, * < b",
        "* < a(0), a(0) < c",
        "a(i) < a((i + 1) mod 2) for i in 0..2",
        "tau < a(0), a < tau",
    ] {
        assert_eq!(codes(circle)[0].0, "E0117", "{circle}");
    }
}

#[test]
fn connectors_can_give_way() {
    let text = |unless: &str| {
        format!(
            "action out(Int), set(Int), stop, xfer(Int);
             process S {{ init state s; s -> s : out(3); }}
             process T {{ init state s; s -> s : set(?x); s -> s : stop; }}
             net N {{ sub S = S; sub T = T; connect xfer(x) : S.out(x) T.set(y) do y := x{unless};
             <T: stop> -> stop; }}"
        )
    };
    assert_eq!(initially(&text("")), ["stop", "xfer(3)"]);
    assert_eq!(initially(&text(" unless <T: stop>")), ["stop"]);
    assert_eq!(initially(&text(" unless <T: stop> when x > 3")), ["stop", "xfer(3)"]);
    assert_eq!(initially(&text(" unless <S: out(x), T: stop>")), ["stop"]);
    assert_eq!(initially(&text(" unless <S: out(z), T: stop> when z > x")), ["stop", "xfer(3)"]);
}

#[test]
fn a_process_gives_way_to_itself() {
    let text = |priority: &str| {
        format!(
            "action a, b, c(0..3), go;
             process P {{ var n: Int = 1; init state s; state t; s -> s : a; s -> s : b when n > 0;
                 s -> s : c(?x) when x > n; t -> t : b; s -> t : tau; {priority} }}
             net N {{ sub p = P; <p: a> -> a; <p: c(x)> -> c(x); <p: tau> -> tau; }}"
        )
    };
    assert_eq!(initially(&text("")), ["a", "c(2)", "tau"]);
    // What goes first need not be let through by the net.
    assert_eq!(initially(&text("priority a < b;")), ["c(2)", "tau"]);
    assert_eq!(initially(&text("priority a < b when n > 1;")), ["a", "c(2)", "tau"]);
    assert_eq!(initially(&text("priority a < c;")), ["c(2)", "tau"]);
    assert_eq!(initially(&text("priority tau < a;")), ["a", "c(2)"]);
    assert_eq!(initially(&text("priority tau < a < b;")), ["c(2)"]);
    assert_eq!(initially(&text("priority * < b;")), Vec::<String>::new());
    assert_eq!(initially(&text("priority a < *;")), ["c(2)", "tau"]);
    for (priority, code) in [
        ("priority a < b < a;", "W0117"),
        ("priority * < a, * < b;", "W0117"),
        ("priority a < go;", "N0216"),
        ("priority a < c(1);", "T0163"),
        ("priority a < p[s.a];", "T0163"),
    ] {
        let checked = check_text(text(priority));
        let mut codes = checked.diagnostics.iter().map(|one| one.entry.code);
        assert!(codes.any(|one| one == code), "{priority}: {:?}", checked.diagnostics);
    }
}

//! What holds because there is nothing to speak of is said to be vacuous, and what `build` says of nets `verify` says
//! too, once.

use std::path::Path;
use std::process::Command;

struct Done {
    status: i32,
    out: String,
    err: String,
}

fn pnet(name: &str, model: &str, command: &str, args: &[&str]) -> Done {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vacuous").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("model.pnet"), model).unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let process = process.arg(command).arg("model.pnet").args(args).current_dir(&folder);
    let done = process.output().unwrap();
    Done {
        status: done.status.code().expect("it was killed"),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

const MODEL: &str = "\
action a, b;

interface I { a }

process Idle {
    init state s;
    state t;

    t -> t : a;
}

process Busy {
    init state s;

    s -> s : a;
}

process Still {
    init state s;
}

net Dead(P: I) {
    <P: a> -> b when not true;
}

net Alive(P: I) {
    <P: a> -> a;
}

net Deaf(P: I, Q: I) {
    <P: a> -> a;
}

relation Same(Busy, Busy) {
    (s, s);
}

relation More(Busy, Idle) {
    (s, t);
    (s, s);
}
";

/// Verifies a check of the model; what is said to be vacuous about it.
fn vacuous(name: &str, check: &str) -> Vec<String> {
    let model = format!("{MODEL}\n{check}\n");
    let done = pnet(name, &model, "verify", &["--format", "json", "--allow", "warnings"]);
    let line = done.out.lines().last().unwrap_or_default();
    let object: serde_json::Value = serde_json::from_str(line).expect(&done.err);
    let shown = pnet(name, &model, "verify", &["--allow", "warnings"]);
    let all = object["vacuous"].as_array().expect(line).iter();
    let all: Vec<String> = all.map(|why| why.as_str().unwrap().to_owned()).collect();
    for why in &all {
        assert_eq!(object["verdict"], "proved", "{line}");
        assert!(shown.out.contains(&format!("note: vacuous: {why}")), "{}", shown.out);
    }
    all
}

#[test]
fn what_says_nothing_is_said_to_be_vacuous() {
    for (name, check, words) in [
        ("dead", "check nonblocking(Dead(P: Busy));", "there is nothing to block"),
        ("unfilled", "check nonblocking(Alive);", "no hole is filled"),
        ("both", "check bisimilar(Idle, Still);", "neither of the two has transitions"),
        ("one", "check refines(Still, Idle);", "neither of the two has transitions"),
        ("hole", "check bisimilar(Deaf, Deaf);", "the hole `Q` of `Deaf` can never move"),
    ] {
        let all = vacuous(name, check);
        assert!(all.iter().any(|why| why.contains(words)), "{check}: {all:?}");
    }
    for (name, check) in [
        ("alive", "check nonblocking(Alive(P: Busy));"),
        ("same", "check bisimilar(Busy, Busy) by Same;"),
        ("refuted", "check bisimilar(Busy, Still);"),
    ] {
        assert_eq!(vacuous(name, check), [""; 0], "{check}");
    }
}

/// Counters that go wrong where they are below 0, and never are.
const COUNTS: &str = "action up, down, fix;
    process Count { var n: Int = 0; init state good; state bad;
        good -> good : up do n := n + 1;
        good -> good : down when n > 0 do n := n - 1;
        good -> bad : fix when n < 0; }
    process Few { var n: 0..4 = 0; init state good; state bad;
        good -> good : up when n < 3 do n := n + 1;
        good -> bad : fix when n > 4; }
    net Counts<k: Int> { sub C[i: 0..k] = Count; <C[i]: up> -> up for i in 0..k; <C[i]: down> -> down for i in 0..k;
        <C[i]: fix> -> fix for i in 0..k; }
    invariant Good of Counts<14> { forall i: 0..k . C[i].n >= 0 and C[i] in good; }
    ";

/// What is said to be vacuous about a check of the counters.
fn idle(name: &str, check: &str, engine: &str) -> Vec<String> {
    let model = format!("{COUNTS} check {check};");
    let args = ["--format", "json", "--allow", "warnings", "--engine", engine];
    let done = pnet(&format!("idle_{name}_{engine}"), &model, "verify", &args);
    let line = done.out.lines().last().unwrap_or_default();
    let object: serde_json::Value = serde_json::from_str(line).expect(&done.err);
    assert_eq!(object["verdict"], "proved", "{engine}: {line}");
    let all = object["vacuous"].as_array().expect(line).iter();
    all.map(|why| why.as_str().unwrap().to_owned()).collect()
}

/// Whoever proves it: exploration, the open automaton, an engine with an invariant, or an invariant that is given.
#[test]
fn premises_that_never_hold_are_told_whoever_proves_it() {
    let never = "`C in bad` never holds: `C in bad => C.n > 9` says nothing";
    for engine in ["auto", "symbolic", "induction", "abstraction", "horn"] {
        let of = never.replace("C in", "Count in").replace("C.n", "n");
        let found = idle("count", "always(Count, Count in bad => n > 9)", engine);
        assert_eq!(found, [of], "{engine}");
        assert_eq!(idle("good", "always(Count, Count in good => n >= 0)", engine), [""; 0]);
        assert_eq!(idle("only", "always(Count, Count in bad => false)", engine), [""; 0]);
    }
    for engine in ["auto", "explicit", "induction"] {
        let of = never.replace("C in", "Few in").replace("C.n", "n");
        assert_eq!(idle("few", "always(Few, Few in bad => n > 9)", engine), [of], "{engine}");
        assert_eq!(idle("three", "always(Few, n == 3 => Few in good)", engine), [""; 0]);
    }
    let of = "`C[i] in bad` never holds, whatever `i` is: `C[i] in bad => C[i].n > 9` says nothing";
    let by = "always(Counts<14>, forall i: 0..k . C[i] in bad => C[i].n > 9) by Good";
    assert_eq!(idle("given", by, "auto"), [of]);
    let by = "always(Counts<14>, forall i: 0..k . C[i] in good => C[i].n >= 0) by Good";
    assert_eq!(idle("given_good", by, "auto"), [""; 0]);
}

/// What is never asked is not said to be so where it is not known soon.
#[test]
fn premises_that_hold_late_or_perhaps_are_not_told() {
    let late = "always(Count, n == 30000 => Count in good)";
    assert_eq!(idle("late", late, "symbolic"), [""; 0]);
    // A member for which it does hold is enough.
    let some = "always(Counts<2>, forall i: 0..k . C[i].n == i and C[i].n > 0 => C[i] in good)";
    assert_eq!(idle("some", some, "induction"), [""; 0]);
}

#[test]
fn pairs_of_states_that_are_never_reached() {
    let model = "action a; process P { init state s; state t; s -> s : a; t -> s : a; }
        relation R(P, P) { (s, s); (t, t); }
        check bisimilar(P, P) by R;";
    let done = pnet("pairs", model, "verify", &["--allow", "warnings"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let said = "note: vacuous: `(t, t)` says nothing: one of its states is never reached";
    assert!(done.out.contains(said), "{}", done.out);
}

/// A vector that can never happen, since its conditions contradict each other.
const DEAD: &str = "\
action get(Int), off;

process P {
    var n: Int = 0;
    init state s;

    s -> s : get(n);
    s -> s : off when n > 3;
}

net N {
    sub X = P;

    <X: get(x)> -> get(x);
    <X: off>    -> off;
}

net Also = N;

check size(N) == (1, 1);
check bisimilar(N, Also);
check size(N) == (1, 1);
";

#[test]
fn verify_says_what_build_says_once() {
    let built = pnet("build", DEAD, "build", &["N", "--emit", "stats"]);
    let verified = pnet("verify", DEAD, "verify", &[]);
    let codes = |text: &str| -> Vec<String> {
        let heads = text.lines().filter(|line| line.starts_with("warning[A"));
        heads.map(str::to_owned).collect()
    };
    assert!(!codes(&built.err).is_empty(), "{}", built.err);
    assert_eq!(codes(&verified.err), codes(&built.err), "{}", verified.err);
    assert_eq!(verified.status, 0, "{}", verified.out);
    let denied = pnet("denied", DEAD, "verify", &["--deny", "warnings"]);
    assert_eq!(denied.status, 2, "{}", denied.err);
}

#[test]
fn compare_does_not_repeat_the_warnings_of_check() {
    let model = "action a; process P { init state s; state t; s -> s : a; t -> s : a; }";
    let checked = pnet("repeated", model, "check", &[]);
    assert!(checked.err.contains("warning[W"), "{}", checked.err);
    let compared = pnet("repeated", model, "compare", &["P", "P"]);
    assert_eq!(
        (compared.status, compared.err.contains("warning[W")),
        (0, false),
        "{}",
        compared.err
    );
}

#[test]
fn files_without_checks_say_so() {
    let done = pnet("none", MODEL, "verify", &["--allow", "warnings"]);
    assert_eq!((done.status, done.out.as_str()), (0, "no checks in model.pnet\n"));
    let done = pnet("wrong", "process P {", "verify", &[]);
    assert_eq!((done.status, done.out.as_str()), (2, ""));
}

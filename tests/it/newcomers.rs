//! What people meet who write their first models: messages that pointed somewhere else, or said too little.

use std::path::PathBuf;
use std::process::Command;

/// What the command says about a model, with some options.
fn said(name: &str, text: &str, command: &str, options: &[&str]) -> String {
    let file: PathBuf =
        [env!("CARGO_TARGET_TMPDIR"), &format!("newcomers_{name}.pnet")].iter().collect();
    std::fs::write(&file, text).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let done = run.arg(command).arg(&file).args(options).output().unwrap();
    [done.stdout, done.stderr].map(|one| String::from_utf8(one).unwrap()).concat()
}

#[track_caller]
fn has(said: &str, words: &[&str]) {
    for words in words {
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
}

const CLOCK: &str = "action a(Int);
process P { var x: 0..3 = 0; init state s; s -> s : a(x) do x := (x + 1) mod 3; }
net N { sub p = P; sub q = P; <p: a(v)> -> a(v); <q: a(v)> -> a(v); }
";

/// All of them were said to lack a comma at the end of the check.
#[test]
fn mistakes_in_properties_are_found_where_they_are() {
    let check = |name: &str, property: &str| {
        said(name, &format!("{CLOCK}check always(N, {property});\n"), "check", &[])
    };
    let quantifier = check("quantifier", "p.x < 3 and forall i: 0..2 . i < 3");
    has(&quantifier, &["found the keyword `forall`", "in parentheses to use it as an operand"]);
    has(&check("range", "p.x in 0..3"), &["`in` tests actions, and not numbers"]);
    has(&check("number", "p.x < 3 3"), &["found the number `3`"]);
    for property in ["p.x <", "p.x and or q.x", "if p.x < 3 then"] {
        let said = check("property", property);
        assert!(!said.contains("expected `,`, found `)`"), "{said}");
    }
    let live = said("live", &format!("{CLOCK}check live(N, a(1) b);\n"), "check", &[]);
    assert!(!live.contains("expected `,`, found `)`"), "{live}");
}

#[test]
fn vectors_that_are_proposed_for_families_have_an_index() {
    let text = "action a; process P { init state s; s -> s : a; }
        net N<n: Int> { sub p = P; sub q[i: 0..n] = P; <p: a> -> a; }
        net M(h[i: 0..2]: any) { sub p = P; <p: a> -> a; }";
    let said = said("families", text, "check", &[]);
    has(&said, &["`<q[i]: ?a> -> a for i in 0..n;`", "`<h[i]: ?a> -> a for i in 0..2;`"]);
}

/// The end of the range was shown as `…`.
#[test]
fn ranges_that_end_with_a_sum_are_shown_as_they_are_written() {
    let text = "action tick;
        process Clock<n: Int> { var t: 0..n + 1 = 0; init state s; s -> s : tick when t <= n + 1 do t := t + 1; }
        net N<n: Int> { sub C = Clock<n>; <C: tick> -> tick; }
        net It = N<3>;
        check deadlock_free(It);";
    let said = said("ranges", text, "verify", &["--engine", "symbolic"]);
    has(&said, &["`t: 0..n + 1` ends with n"]);
    assert!(!said.contains('…'), "{said}");
}

#[test]
fn scenarios_of_different_instances_may_have_one_name() {
    let text = "action a; process P { init state s; s -> s : a; }
        net N<n: Int> { sub p[i: 0..n] = P; <p[i]: a> -> a for i in 0..n; }
        scenario one of N<2> { a; }
        scenario one of N<3> { a; }
        scenario two of N<3> { a; }\n";
    has(&said("names", text, "verify", &[]), &["3 scenarios: 3 proved"]);
    let twice = said("twice", &format!("{text} scenario one of N< 3 > {{ a; a; }}"), "check", &[]);
    has(&twice, &["error[N0301]: the scenario `one of N<3>` is declared twice"]);
}

/// That no value of a domain is allowed does not make the axioms contradict each other.
#[test]
fn values_outside_of_a_domain_may_be_those_that_axioms_allow() {
    let text = "const N: Int; axiom N >= 10; action a(Int);
        process P { init state s; s -> s : a(N); } net M { sub p = P; <p: a(v)> -> a(v); }
        check deterministic(M); check terminates(M); check live(M, a(_));
        scenario s of M { a(_); }";
    let said = said("domain", text, "verify", &["--domain", "Int=0..3"]);
    has(&said, &["only values of `Int=0..3` were tried", "4 unknown"]);
    assert!(!said.contains("contradict"), "{said}");
}

#[test]
fn values_in_parentheses_are_told_from_what_fills_holes() {
    let text =
        "action a; process P<n: Int> { var x: Int = n; init state s; s -> s : a when x > 0; }
        net N { sub p = P(0); <p: a> -> a; }";
    has(
        &said("values", text, "check", &[]),
        &["found the number `0`", "values stand in angle brackets"],
    );
}

/// A bound on steps bounds scenarios as well.
#[test]
fn scenarios_keep_to_the_depth_that_is_given() {
    let text = "action a; process P { init state s; state t, u; s -> t : a; t -> u : a; }
        net N { sub p = P; <p: a> -> a; }
        scenario two of N { a; a; } scenario not three of N { a; a; a; }\n";
    has(&said("depth", text, "verify", &["--depth", "2"]), &["2 scenarios: 2 proved"]);
    let one = said("depth1", text, "verify", &["--depth", "1"]);
    has(&one, &["2 scenarios: 0 proved, 2 unknown", "up to 1 step away"]);
}

const COUNTER: &str = "action up; const N: Int; axiom N > 10;
process C { var n: 0..5 = 0; init state s; s -> s : up when n < 4 do n := n + 1; }
process D { var n: Int = N; init state s; s -> s : up do n := n + 1; }
";

/// What is asked on the command line is recognised like what stands in a file.
#[test]
fn unknown_checks_of_the_command_line_say_what_can_be_asked() {
    for (name, asked) in
        [("forbidden", "forbidden(C, n > 3)"), ("check", "check forbidden(C, n > 3)")]
    {
        let said = said(name, COUNTER, "verify", &["--check", asked, "--allow", "warnings"]);
        has(&said, &["there is no check called `forbidden`", "`never(S, p)` says that no run"]);
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
}

/// `never` is about claims of rules where there are some, and about properties of any net.
#[test]
fn properties_that_never_hold() {
    let ask = |name: &str, asked: &str| {
        said(name, COUNTER, "verify", &["--check", asked, "--allow", "warnings"])
    };
    has(&ask("never1", "never(C, n > 4)"), &["proved   check never(C, n > 4)"]);
    has(&ask("never2", "never(C, n == 3)"), &["refuted  check never(C, n == 3)"]);
    has(&ask("never3", "not never(C, n == 3)"), &["proved   check not never(C, n == 3)"]);
    has(
        &ask("never4", "never(C)"),
        &["error[N0212]: `never` with no property asks about the claims"],
    );
}

const YARD: &str = "const n: Int; axiom n >= 2; action come, go;
process Train { init state out; state on; out -> on : come; on -> out : go; }
net Yard { sub T[i: 0..n] = Train; sub U = Train;
    <T[i]: come> -> come for i in 0..n; <T[i]: go> -> go for i in 0..n; <U: come> -> come; <U: go> -> go; }
";

/// What people write who look for an index where members are counted, and the other way round.
#[test]
fn counting_members_is_shown_where_it_was_written_otherwise() {
    let asked = |name: &str, check: &str| {
        said(name, &format!("{YARD}check {check};\n"), "check", &["--allow", "warnings"])
    };
    let binds = "`Yard` has no variable `i`";
    for (name, check) in
        [("count1", "mutex(Yard, T[i] in on)"), ("count2", "at_most(Yard, 2, T[i] in on)")]
    {
        let said = asked(name, check);
        has(&said, &[binds, "all members of `T` are counted by `T in s`", "count them: `T`"]);
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
    let sum = asked("count3", "mutex(Yard, U in on or T[i + 1] in on)");
    has(&sum, &[binds, "all members of `T` are counted by `T in s`"]);
    let always = asked("count4", "always(Yard, T[i] in on)");
    has(&always, &[binds, "`forall x in T . x in s`, or `forall i: 0..n . …`"]);
    let state = asked("count5", "always(Yard, forall x in T . x.on)");
    has(&state, &["`on` is a state of `Train`", "`T[…] in on`"]);
    let order = asked("count6", "at_most(Yard, T in on, 1)");
    has(
        &order,
        &["how many there may be stands before what is counted", "`at_most(S, 2, P in s)`"],
    );
    assert_eq!(order.matches("error[").count(), 1, "{order}");
    for check in ["mutex(Yard, T in on, U in on)", "mutex(Yard)", "mutex(T in on)"] {
        has(&asked("count7", check), &["it is written `mutex(S, P in s)`"]);
    }
    has(&asked("count8", "at_most(Yard, T in on)"), &["it is written `at_most(S, 2, P in s)`"]);
    assert!(asked("count9", "mutex(Yard, T in on or U in on)").is_empty());
}

/// A family may be called as a word of formulas is.
#[test]
fn parts_that_are_called_like_words_of_formulas_are_shown_with_back_quotes() {
    let model = "action a;\nprocess P {\n    var x: 0..3 = 0;\n    init state s;\n\n    s -> s : a;\n}\n\
        net N {\n    sub A[i: 0..2] = P;\n\n    <A[i]: a> -> a for i in 0..2;\n}\n";
    let asked = |name: &str, formula: &str| {
        let text = format!("{model}check holds(N, {formula});\n");
        said(name, &text, "check", &["--allow", "warnings"])
    };
    for (name, formula) in [
        ("word1", "AG (A[0].x == 0)"),
        ("word2", "AG (forall i: 0..2 . 0 == A[i].x)"),
        ("word3", "AG (0 < 1 and A[1] in s)"),
    ] {
        has(&asked(name, formula), &["`A` is a word of formulas", "`` `A`[…] ``"]);
    }
    assert!(asked("word4", "AG (`A`[0].x == 0)").is_empty());
}

/// A limit that is as large as the net was said to be met.
#[test]
fn a_limit_that_is_just_enough_is_not_met() {
    let asked = |limit: &str| {
        let options =
            ["--check", "always(C, n < 5)", "--engine", "explicit", "--allow", "warnings"];
        said("limit", COUNTER, "verify", &[&options[..], &["--most-states", limit]].concat())
    };
    has(&asked("5"), &["proved   check always(C, n < 5): in all 5 configurations"]);
    let short = asked("3");
    has(
        &short,
        &["unknown", "do not settle it; there are more, and `--most-states` allows no more"],
    );
}

#[test]
fn values_that_allow_no_beginning_are_no_result() {
    let options = ["D", "--domain", "Int=0..3", "--allow", "warnings"];
    let said = said("nothing", COUNTER, "explore", &options);
    has(&said, &["error: `D` has no configuration with the values of `--domain`", "try others"]);
}

#[test]
fn what_is_no_trace_is_told_in_our_words() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let model = folder.join("newcomers_replayed.pnet");
    std::fs::write(&model, COUNTER).unwrap();
    for text in ["[]", "{}", "3", "{\"format\": 3}"] {
        let trace = folder.join("newcomers_trace.json");
        std::fs::write(&trace, text).unwrap();
        let mut run = Command::new(env!("CARGO_BIN_EXE_pnet"));
        let done = run.arg("replay").args([&trace, &model]).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{said}");
        has(&said, &["it is JSON, but neither a trace of pnet"]);
    }
}

//! What people meet who ask their first questions about safety: indices that lead nowhere, invariants of other forms, values
//! that nobody chose, and little time.

use std::path::PathBuf;
use std::process::Command;

use pnetc::base::{Budget, Spent};
use pnetc::generate::Watch;
use pnetc::outcome::{Reason, Verdict};
use pnetc::verify::{self, ModelOptions};

use crate::common::check_text;

/// What the command says about a model, with some options.
fn said(name: &str, text: &str, command: &str, options: &[&str]) -> String {
    let file: PathBuf =
        [env!("CARGO_TARGET_TMPDIR"), &format!("newcomers_safety_{name}.pnet")].iter().collect();
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

// ---- members that are not there ----

const CLOCKS: &str = "action tick;
process Clock { var n: Int = 0; init state s; s -> s : tick when n < 3 do n := n + 1; }
net Two { sub A[i: 0..2] = Clock; <A[i]: tick> -> tick for i in 0..2; }
net Many<k: Int> { sub A[i: 0..k] = Clock; <A[i]: tick> -> tick for i in 0..k; }
net Boxes<k: Int> { sub B[i: 0..k] = Many<i + 1>; <B[i]: tick> -> tick for i in 0..k; }
net Inner { sub C = Clock; <C: tick> -> tick; }
net Outer { sub G[i: 0..2] = Inner; <G[i]: tick> -> tick for i in 0..2; }
";

/// What a command says about one check of the clocks.
fn about(name: &str, command: &str, check: &str) -> String {
    said(name, &format!("{CLOCKS}check {check};\n"), command, &[])
}

/// All of these were unknown, without a place.
#[test]
fn indices_that_lead_outside_of_a_family_are_errors_where_its_size_is_known() {
    let wrong = [
        ("always(Two, A[2].n >= 0)", "there is no `A[2]`", "outside of `0..2`"),
        ("always(Many<2>, A[2].n >= 0)", "there is no `A[2]`", "outside of `0..2`"),
        ("always(Many<2>, A[k].n >= 0)", "there is no `A[2]`", "outside of `0..2`"),
        ("always(Two, A[0] in s and A[5] in s)", "there is no `A[5]`", "outside of `0..2`"),
        ("always(Two, forall i: 0..3 . A[i].n >= 0)", "there is no `A[2]`", "outside of `0..2`"),
        ("reaches(Two, exists i: -1..2 . A[i] in s)", "there is no `A[-1]`", "outside of `0..2`"),
        ("always(Two, forall i: 0..2 . A[i + 1].n >= 0)", "there is no `A[2]`", "`0..2`"),
        ("always(Two, forall i . A[i].n >= 0)", "`i` is any integer", "write `i: 0..2`"),
        ("always(Outer, C.n >= 0)", "could mean several things", "`G[0].C.n` or `G[1].C.n`"),
        ("always(Outer, C in s)", "could mean several things", "`G[0].C` or `G[1].C`"),
    ];
    for (number, (check, what, which)) in wrong.into_iter().enumerate() {
        let told = about(&format!("index_{number}"), "check", check);
        has(&told, &["error[", ":8:", what, which]);
    }
}

#[test]
fn what_the_text_does_not_know_is_an_error_of_the_net() {
    for (number, check) in [
        "always(Boxes<2>, B[0].A[1].n >= 0)",
        "always(Boxes<2>, forall i: 0..3 . B[1].A[i].n >= 0)",
        "not reaches(Boxes<2>, B[1].A[2] in s)",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("net_{number}");
        assert_eq!(about(&name, "check", check), "", "{check}");
        has(&about(&name, "verify", check), &["error[E0112]", ":8:"]);
    }
    let told = about("net_indices", "verify", "always(Boxes<2>, B[1].A[2].n >= 0)");
    has(&told, &["there is no `B[1].A[2].n`: the indices of `A` are `0..2`"]);
}

#[test]
fn members_that_are_read_where_they_exist_are_no_mistake() {
    for (number, check) in [
        "always(Two, forall i: 0..3 . i < 2 => A[i].n >= 0)",
        "always(Two, forall i: 0..2 . A[i].n >= 0 and (i > 0 => A[i - 1] in s))",
        "always(Many<3>, forall i: 0..k . A[i].n <= 3)",
        "always(Boxes<1>, B[0].A[0].n >= 0)",
        "always(Many<1>, n >= 0)",
    ]
    .into_iter()
    .enumerate()
    {
        let told = about(&format!("fine_{number}"), "verify", check);
        has(&told, &["proved ", "1 check: 1 proved"]);
    }
}

/// The place that has no value was not said.
#[test]
fn what_has_no_value_at_the_end_of_a_run_is_told_with_its_place() {
    for engine in ["auto", "explicit", "symbolic", "bounded"] {
        let text = format!(
            "{CLOCKS}check reaches(Two, A[A[0].n].n > 0);\ncheck always(Two, 7 div (3 - A[0].n) > 0);\n"
        );
        let told = said(&format!("no_value_{engine}"), &text, "verify", &["--engine", engine]);
        has(
            &told,
            &["note: in line 8, the index `A[0].n` leads outside of `A`, whose indices are `0..2`"],
        );
        has(&told, &["note: in line 9, the divisor `3 - A[0].n` is zero"]);
    }
}

#[test]
fn searches_say_that_they_passed_over_what_has_no_value() {
    let told = said("find", CLOCKS, "explore", &["Two", "--find", "A[A[0].n].n > 9"]);
    has(&told, &["nothing of that kind is reached"]);
    has(
        &told,
        &["passed over in which the property reads what has no value, the nearest after 2 steps"],
    );
    let told = said("find", CLOCKS, "explore", &["Two", "--find", "A[0].n == 2"]);
    assert!(!told.contains("passed over"), "{told}");
}

/// `Buffer.count` is the variable of the process, and nobody said how the part is called.
#[test]
fn paths_that_lead_nowhere_are_mended_with_the_whole_path() {
    let shop = "action put;
        process Buffer { var count: Int = 0; init state s; s -> s : put do count := count + 1; }
        process Clerk { var tired: Bool = false; init state s; s -> s : put do tired := not tired; }
        net Shop { sub B = Buffer; sub C[i: 0..2] = Clerk; <B: put, C[i]: put> -> put for i in 0..2; }
        ";
    for (number, (property, meant)) in [
        ("Buffer.count >= 0", "did you mean `B.count`?"),
        ("Shop.B.count >= 0", "did you mean `B.count`?"),
        ("B >= 0", "did you mean `B.count`?"),
        ("B.cuont >= 0", "did you mean `count`?"),
        ("Clerk.tired", "did you mean `C[0].tired`?"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("{shop}check always(Shop, {property});");
        has(&said(&format!("path_{number}"), &text, "check", &[]), &["error[N0215]", meant]);
    }
}

// ---- values that nobody chose ----

#[test]
fn a_variable_without_an_initial_value_is_pointed_at() {
    let text = "action go;
process P {
    var x: Int;
    var unread: Int;
    init state s;
    s -> s : go when x > 6;
}
process Q {
    var y: Int;
    init state s;
    state t;
    s -> t : go when y == 7;
}
check always(P, x < 7);
check always(Q, Q in s);
check not reaches(Q, Q in t);
check reaches(Q, Q in t);
";
    for engine in ["symbolic", "bounded", "horn"] {
        let told = said(&format!("begins_{engine}"), text, "verify", &["--engine", engine]);
        let notes: Vec<&str> = told.lines().filter(|line| line.contains("note: ")).collect();
        let [first, second, third] = notes.as_slice() else { panic!("{told}") };
        has(first, &["`x` has no initial value (line 3): here it begins as "]);
        for note in [second, third] {
            has(note, &["`y` has no initial value (line 9): here it begins as 7"]);
        }
    }
}

/// "It is true" was said of a check that is refuted.
#[test]
fn what_refutes_a_denial_speaks_of_what_is_denied() {
    let text = format!(
        "{CLOCKS}check not always(Two, A[0].n < 9);
check not reaches(Two, A[0].n == 2);
check not always(Two, A[0].n < 3);
"
    );
    let told = said("denied", &text, "verify", &["--engine", "explicit"]);
    let verdicts: Vec<&str> = told.lines().filter(|line| line.contains("check not")).collect();
    has(verdicts[0], &["refuted ", ": it always holds: in "]);
    has(verdicts[1], &["refuted ", ": it is reached: it is true after 2 steps"]);
    has(verdicts[2], &["proved ", ": it can be false after 3 steps"]);
    let stuck = "action a; process P { init state s; s -> s : a; }\ncheck not deadlock_free(P);";
    has(&said("denied_stuck", stuck, "verify", &[]), &["refuted ", ": it is never stuck: in "]);
}

// ---- invariants ----

#[test]
fn invariants_of_another_form_are_told_what_form_they_have() {
    let net = "action put, get;
process Buffer<n: Int> { var count: Int = 0; init state s;
  s -> s : put when count < n do count := count + 1;
  s -> s : get when count > 0 do count := count - 1; }
net PC<n: Int> { sub B = Buffer<n>; <B: put> -> put; <B: get> -> get; }
";
    for (number, (invariant, what)) in [
        ("invariant I<n: Int> of PC<n> { B.count >= 0; }", "an invariant has no parameters"),
        ("invariant I of PC<n: Int> { B.count >= 0; }", "an invariant has no parameters"),
        ("invariant of PC<5> { B.count >= 0; }", "an invariant has a name"),
        ("invariant I { B.count >= 0; }", "`I` does not say of which net it is an invariant"),
        ("invariant I of PC<5> { }", "the invariant `I` says nothing"),
    ]
    .into_iter()
    .enumerate()
    {
        let told =
            said(&format!("invariant_{number}"), &format!("{net}{invariant}\n"), "check", &[]);
        has(&told, &[what, ":6:"]);
        let one = told.contains("\n1 error;") || told.contains("\n1 warning;");
        assert!(one, "{told}");
    }
    let fine = format!(
        "{net}invariant I of PC<5> {{ 0 <= B.count; B.count <= n; }}\ncheck always(PC<5>, B.count <= 5) by I;\n"
    );
    has(&said("invariant_fine", &fine, "verify", &[]), &["1 check: 1 proved"]);
}

/// What `--invariant` shows of a reachability predicate was no item.
#[test]
fn the_invariant_of_the_open_automaton_can_be_pasted() {
    let text = format!("{CLOCKS}check always(Inner, C.n <= 3)");
    let options = ["--engine", "symbolic", "--invariant"];
    let told = said("pasted", &format!("{text};\n"), "verify", &options);
    has(&told, &["(found by symbolic)", "invariant Found of Inner {"]);
    let item: Vec<&str> = told.lines().filter(|line| line.starts_with("         ")).collect();
    let again = format!("{} by Found;\n{}\n", text, item.join("\n"));
    has(
        &said("pasted_again", &again, "verify", &[]),
        &["1 check: 1 proved", "the invariant meets"],
    );
}

// ---- little time ----

/// Time that passes as configurations are looked at.
struct Passing(Budget);

impl Watch for Passing {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn exploring(&self, states: u64, _transitions: u64, _depth: u64) {
        self.0.pass((states / 20) as u32);
        if states > 20_000 {
            self.0.spend(Spent::Time { milliseconds: 2_000 });
        }
    }

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

/// Exploration took all of it, and what induction proves at once was unknown.
#[test]
fn exploration_leaves_time_to_those_who_come_after_it() {
    let checked = check_text(
        "action a, b;
        process P { var x: Int = 0; var y: Int = 0; init state s;
            s -> s : a do x := x + 1; s -> s : b when y < x do y := y + 1; }
        net N { sub p = P; sub q = P; sub r = P;
            <p: a> -> a; <q: a> -> a; <r: a> -> a; <p: b> -> b; <q: b> -> b; <r: b> -> b; }
        check always(N, p.y <= p.x);",
    );
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let passing = Passing(Budget::default());
    let check = &checked.program.checks[0];
    let outcome = verify::run(&checked, check, &ModelOptions::default(), &passing).unwrap();
    assert_eq!(outcome.verdict, Verdict::Proved, "{outcome:?}");
    let by_all = matches!(outcome.reason, Reason::Explored(_));
    assert!(!by_all, "there is no end of configurations: {outcome:?}");
}

// ---- fields ----

/// The field of the first constructor was read whoever made the value, and verdicts were wrong.
#[test]
fn a_field_that_several_constructors_have_is_that_of_the_value() {
    let text = "data M { A(f: Int), B(g: Bool, f: Int), C }
        action put(M), got(Int);
        process P {
            var x: M = B(true, 3);
            init state s;
            s -> s : got(x.f) when x is not C and x.f > 0 do x := A(x.f - 1);
            s -> s : put(C) when x is A(_) and x.f == 0 do x := C;
        }
        check always(P, x is B(_, _) => x.f == 3);
        check always(P, x is A(_) => x.f < 3);
        check reaches(P, x is C);
        check not always(P, x is not C and x.f > 0);
        ";
    let told = said("fields", text, "explore", &["P"]);
    has(&told, &["P: 5 configurations, 4 steps, at most 4 steps away"]);
    for engine in ["auto", "explicit", "symbolic", "bounded", "induction", "abstraction", "horn"] {
        let told = said(&format!("fields_{engine}"), text, "verify", &["--engine", engine]);
        assert!(!told.contains("refuted ") && !told.contains("please report"), "{engine}: {told}");
        let proves = ["auto", "explicit", "symbolic"].contains(&engine);
        assert!(!proves || told.contains("4 checks: 4 proved"), "{engine}: {told}");
    }
    let two = "data M { A(f: Int), B(f: Bool) }\nfun read(m: M): Int = m.f;\n";
    has(
        &said("fields_two", two, "check", &[]),
        &["error[T0141]", "`Int` in `A`, and `Bool` in `B`"],
    );
}

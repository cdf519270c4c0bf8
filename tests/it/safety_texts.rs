//! Safety problems as texts: other tools read them, and find what is known.

use std::path::Path;
use std::process::{Command, Stdio};

use pnetc::elaborate::ElaborateOptions;
use pnetc::emit;
use pnetc::model::Wanted;
use pnetc::safety::{Bad, NotWritten, Problem, horn_text, vmt_text};
use pnetc::sema::program::CheckKind;

use crate::common::check_text;

/// The first check of a model as Horn clauses and in VMT.
fn texts(model: &str) -> (Result<String, NotWritten>, String) {
    let checked = check_text(model);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let check = checked.checks()[0];
    let options = ElaborateOptions::default();
    let net = checked.net(Wanted::Instance(check, &check.nets[0]), &options).unwrap();
    let property = check.property.as_ref().map(|expr| {
        checked.property((expr, check.locals.as_slice(), &[]), &net, &options).unwrap()
    });
    let bad = match (&property, check.kind) {
        (None, _) => Bad::Stuck,
        (Some(property), CheckKind::Reaches) => Bad::Holds(property),
        (Some(property), _) => Bad::Fails(property),
    };
    let problem = Problem::new(&net, bad).unwrap();
    let names = emit::paths(&net);
    (horn_text(&problem, &names, &[]), vmt_text(&problem, &names, &[]).unwrap())
}

/// What a solver writes about a text, warnings left out.
fn said(solver: &str, name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.smt2"));
    std::fs::write(&path, text).unwrap();
    let mut command = Command::new(solver);
    let options: &[&str] =
        if solver == "z3" { &["-T:60"] } else { &["--tlimit=60000", "--incremental"] };
    let run = command.args(options).arg(&path).stdout(Stdio::piped()).stderr(Stdio::null());
    let run = run.output().unwrap_or_else(|problem| panic!("{solver} does not run ({problem})"));
    String::from_utf8_lossy(&run.stdout).trim().to_owned()
}

/// The text of a system, with a question about where it begins, about one step, and about its property.
fn with_questions(vmt: &str, questions: &[&str]) -> String {
    let mut text = vmt.to_owned();
    for question in questions {
        text += &format!("(push 1)\n(assert {question})\n(check-sat)\n(pop 1)\n");
    }
    text
}

const COUNTERS: &str = "const N: Int; axiom N > 2; enum E { P, Q } action up, down, done;
    process A { var n: Int = 0; var k: 0..3 = 0; var e: E = P; init state s; state t;
        s -> t : up when n < N do n := n + 1, k := (k + 1) mod 3, e := Q;
        t -> s : down do e := P; s -> s : done when n >= N; }
    net S { sub L = A; sub R = A; <L: up, R: up> -> up; <L: down> -> down; <R: down> -> down;
        <L: done, R: done> -> done; }";

/// Models, and whether their claims hold.
fn cases() -> Vec<(&'static str, String, bool)> {
    let with = |check: &str| format!("{COUNTERS} check {check};");
    vec![
        ("horn_same", with("always(S, L.n == R.n and L.n <= N)"), true),
        ("horn_differ", with("always(S, L.n < N)"), false),
        ("horn_range", with("always(S, L.k >= 0 and L.k < 3 and (L.e == Q or L in s))"), true),
        ("horn_stuck", with("deadlock_free(S)"), true),
        (
            "horn_hole",
            "action put(Int), low; interface Any { put(Int) }
            process A { var n: Int = 7; init state s; state t;
                s -> s : put(?x) when x > n do n := x; s -> t : low; }
            net S(P: Any) { sub B = A; <P: put(x), B: put(x)> -> put(x); <B: low> -> low; }
            check reaches(S, B in t and n > 100);"
                .to_owned(),
            false,
        ),
        (
            "horn_tested",
            format!("{STORE} check always(S, B.last is Num(_) => B.last.v < 12345);"),
            false,
        ),
        (
            "horn_tested_safe",
            format!("{STORE} check always(S, B.last is Num(_) => B.n >= 1);"),
            true,
        ),
    ]
}

/// Values of a datatype from outside, which are looked into.
const STORE: &str =
    "data Msg { Nothing, Num(v: Int) } action say(Msg); interface Talker { say(Msg) }
    process Store { var last: Msg = Nothing; var n: Int = 0; init state s;
        s -> s : say(?m) do last := m, n := if m is Num(_) then n + 1 else n; }
    net S(T: Talker) { sub B = Store; <T: say(m), B: say(m)> -> say(m); }";

#[test]
fn z3_answers_horn_clauses_as_is_known() {
    for (name, model, holds) in cases() {
        let (horn, _) = texts(&model);
        let horn = horn.unwrap();
        assert!(horn.contains("(set-logic HORN)"), "{horn}");
        let answer = if holds { "sat" } else { "unsat" };
        assert_eq!(said("z3", name, &horn), answer, "{name}\n{horn}");
    }
}

#[test]
fn solvers_read_vmt() {
    for (name, model, _) in cases() {
        let (_, vmt) = texts(&model);
        let questions = ["init!", "trans!", "(and init! trans!)", "(not prop!)"];
        let text = with_questions(&vmt, &questions);
        for solver in ["z3", "cvc5"] {
            let answers = said(solver, &format!("vmt_{name}_{solver}"), &text);
            assert_eq!(answers.lines().collect::<Vec<_>>(), ["sat"; 4], "{name} {solver}\n{text}");
        }
        // Nothing bad at first, and constants stay.
        let text = with_questions(&vmt, &["(and init! (not prop!))"]);
        assert_eq!(said("z3", &format!("vmt_{name}_init"), &text), "unsat", "{text}");
    }
    let (_, vmt) = texts(&cases()[0].1);
    let text = with_questions(&vmt, &["(and trans! (not (= N |N'|)))", "(and init! (<= N 2))"]);
    assert_eq!(said("cvc5", "vmt_constants", &text), "unsat\nunsat", "{text}");
}

#[test]
fn clauses_are_written_with_names_of_the_model() {
    let (horn, vmt) = texts(
        "action up; process A { var n: Int = 0; init state s; state t; s -> t : up do n := n + 1; }
        net S { sub L = A; <L: up> -> up; } check always(S, n < 5);",
    );
    let horn = horn.unwrap();
    assert_eq!(
        horn,
        "(set-info :smt-lib-version 2.6)
(set-logic HORN)
(declare-fun |at s| (Int) Bool)
(declare-fun |at t| (Int) Bool)
(assert (forall ((L.n Int))
  (=> (= L.n 0)
      (|at s| L.n))))
(assert (forall ((L.n Int))
  (=> (and (|at s| L.n)
           (not (< L.n 5)))
      false)))
(assert (forall ((L.n Int) (n Int))
  (=> (and (|at s| L.n)
           (= n (+ L.n 1)))
      (|at t| n))))
(assert (forall ((L.n Int))
  (=> (and (|at t| L.n)
           (not (< L.n 5)))
      false)))
(check-sat)
"
    );
    assert!(vmt.contains("(define-fun sv!0 () Bool (! |L in s| :next |L in s'|))"), "{vmt}");
    assert!(vmt.contains(":invar-property 0"), "{vmt}");
}

#[test]
fn functions_without_definition_are_for_vmt_only() {
    let (horn, vmt) = texts(
        "fun f(n: Int): Int; action go; process A { var n: Int = 0; init state s; s -> s : go do n := f(n); }
        check always(A, n >= 0);",
    );
    assert_eq!(horn, Err(NotWritten::Functions));
    assert_eq!(
        said("cvc5", "vmt_functions", &with_questions(&vmt, &["init!", "trans!"])),
        "sat\nsat"
    );
}

/// What `pnet build` writes about a model, on both channels.
fn built(model: &str, args: &[&str]) -> (Option<i32>, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("safety_texts.pnet");
    std::fs::write(&path, model).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let run = command.arg("build").arg(&path).args(args).output().unwrap();
    let text = [run.stdout, run.stderr].concat();
    (run.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn build_writes_what_is_asked() {
    let model =
        "action up; process A { var n: Int = 0; init state s; s -> s : up do n := n + 1; }\n";
    let says = |args: &[&str], status: i32, texts: &[&str]| {
        let (found, said) = built(model, args);
        assert_eq!(found, Some(status), "{args:?}: {said}");
        for text in texts {
            assert!(said.contains(text), "{args:?} does not say `{text}`: {said}");
        }
    };
    let claim = [
        "; Horn clauses: always(A, n < 5)",
        "; sat: the property always holds",
        "(set-logic HORN)",
    ];
    says(&["--emit", "horn", "--check", "always(A, n < 5)"], 0, &claim);
    let reaches = ["; Horn clauses: reaches(A, n == 5)", "; sat: the property is never reached"];
    says(&["--emit", "horn", "--check", "reaches(A, n == 5)"], 0, &reaches);
    let denied = ["; Horn clauses: not always(A, n < 5)", "; sat: the property always holds"];
    says(&["--emit", "horn", "--check", "not always(A, n < 5)"], 0, &denied);
    let stuck = ["; Horn clauses: deadlock_free(A)", "; sat: there is no deadlock"];
    says(&["--emit", "horn", "--check", "deadlock_free(A)"], 0, &stuck);
    says(&["--emit", "vmt", "A"], 0, &["; VMT: deadlock_free(A)", ":next |n'|", ":init true"]);
    says(&["--emit", "vmt"], 0, &["; VMT: deadlock_free(A)"]);
    says(&["--emit", "horn", "--check", "bisimilar(A, A)"], 2, &["is no safety problem"]);
    says(&["--emit", "dot", "--check", "always(A, n < 5)"], 2, &["is for `--emit horn`"]);
    says(&["--emit", "horn", "--check", "always(A, m < 5)"], 2, &["`m`"]);
}

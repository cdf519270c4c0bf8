//! Formulas that are deep, or large, and what parameters of fixpoints are where they leave their ranges: small nets, so that whatever
//! takes long does so because of the formula.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const MODEL: &str = "\
action a, b, c;

process P {
    var n: 0..3 = 0;
    init state s;
    state t;

    s -> t : a;
    s -> s : b;
    t -> s : b do n := (n + 1) mod 3;
    t -> t : c;
}
";

fn pnet(command: &str, name: &str, checks: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("holds_deep");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.pnet"));
    std::fs::write(&file, format!("{MODEL}\n{checks}")).unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let process = process.args([command, "--color", "never", "--allow", "warnings"]).arg(&file);
    let done = process.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(done.stdout), text(done.stderr))
}

/// The verdicts on some formulas.
fn verdicts(name: &str, asked: &[&str]) -> Vec<String> {
    let checks = asked.iter().map(|formula| format!("check holds(P, {formula});\n"));
    let (out, err) = pnet("verify", name, &checks.collect::<String>());
    let told = out.lines().filter(|line| line.contains("check holds("));
    let found = told.map(|line| line.split_whitespace().next().unwrap_or_default().to_owned());
    let found: Vec<String> = found.collect();
    assert_eq!(found.len(), asked.len(), "{out}{err}");
    found
}

#[test]
fn deep_formulas_take_no_time() {
    let deep = |operator: &str, many: usize, last: &str| {
        format!(
            "{}{last}{}",
            operator.repeat(many),
            ")".repeat(operator.matches('(').count() * many)
        )
    };
    let asked = [
        deep("[any] ", 60, "n < 3"),
        deep("<any> ", 60, "n == 2"),
        deep("EF ", 40, "n == 2"),
        deep("AG ", 40, "n < 3"),
        deep("AG EF ", 25, "n == 2"),
        deep("AG (P in s => EF ", 20, "n == 1"),
        deep("E[n < 3 U ", 30, "n == 2 ]").replace("n == 2 ]", "n == 2") + &"]".repeat(30),
        deep("A[n < 3 W ", 30, "n == 7") + &"]".repeat(30),
        deep("mu X . <any> X or (", 20, "n == 2"),
    ];
    let began = Instant::now();
    let texts: Vec<&str> = asked.iter().map(String::as_str).collect();
    assert_eq!(verdicts("deep", &texts), vec!["proved"; texts.len()]);
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn wide_formulas_take_no_time() {
    let wide = |with: &str| {
        let part = |at: usize| format!("AG (n < {} or EF n == {})", at % 3 + 1, at % 3);
        (0..400).map(part).collect::<Vec<_>>().join(with)
    };
    let many = ["i", "j", "k", "l", "m"].map(|name| format!("{name}: 0..3")).join(", ");
    let asked = [wide(" and "), wide(" or "), format!("forall {many} . AG (n != i => EF n == i)")];
    let began = Instant::now();
    let texts: Vec<&str> = asked.iter().map(String::as_str).collect();
    assert_eq!(verdicts("wide", &texts), ["proved"; 3]);
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn properties_that_double_what_they_are_given_are_too_large() {
    for (leaf, around) in
        [("a", "holds(P, AG [P40] true)"), ("a", "holds(P, P40)"), ("n < 3", "holds(P, P40)")]
    {
        let mut model = format!("property P0 = {leaf};\nproperty D0(f) = f;\n");
        for at in 1..=40 {
            model += &format!("property D{at}(f) = D{}(f and f);\n", at - 1);
        }
        let check = around.replace("P40", "D40(P0)");
        let began = Instant::now();
        let (out, err) = pnet("check", "double", &format!("{model}check {check};\n"));
        assert!(err.contains("error[T0191]: the formula is too large"), "{check}: {out}{err}");
        assert!(began.elapsed() < Duration::from_secs(20), "{check}: {:?}", began.elapsed());
    }
}

#[test]
fn parameters_have_values_of_their_sorts() {
    let asked: &[(&str, bool)] = &[
        // It counts to the end of the range, and is false behind it.
        ("nu X(k: 0..3 = 0) . [any] X(k + 1)", false),
        ("nu X(k: 0..3 = 0) . k == 2 or [any] X(k + 1)", true),
        ("mu X(k: 0..3 = 0) . k == 2 or <any> X(k + 1)", true),
        ("mu X(k: 0..3 = 0) . k == 3 or <any> X(k + 1)", false),
        ("nu X(k: 0..2 = n) . [any] X(k)", true),
        ("AX AX (n == 1 => nu X(k: 0..1 = n) . true)", false),
        ("AX AX (n == 1 => not (nu X(k: 0..1 = n) . true))", true),
        ("not (mu X(k: 0..3 = 0) . k == 2 and false or <any> X(k + 1))", true),
        // The sorts of names that stand for others are the same.
        ("nu X(k: 0..3 = 1) . forall i: 0..3 . [c] X(i) and k < 3", true),
    ];
    let texts: Vec<&str> = asked.iter().map(|(text, _)| *text).collect();
    for ((text, holds), verdict) in asked.iter().zip(verdicts("sorts", &texts)) {
        assert_eq!(verdict, if *holds { "proved" } else { "refuted" }, "{text}");
    }
    for wrong in ["nu X(k: 0..3 = 5) . [any] X(k)", "nu X(k: 0..3 = 0) . [any] X(k + 7)"] {
        let (_, err) = pnet("check", "wrong", &format!("check holds(P, {wrong});\n"));
        assert!(err.contains("error[T0113]"), "{wrong}: {err}");
    }
}

#[test]
fn no_run_is_told_where_none_is_the_reason() {
    for text in
        ["exists i: 3..1 . n == i", "n == 1", "<c> true", "mu X . <a> X", "exists i: 1..3 . n == i"]
    {
        let (out, _) = pnet("verify", "first", &format!("check holds(P, {text});\n"));
        assert!(out.starts_with("refuted"), "{text}: {out}");
        assert!(!out.contains("a run does otherwise"), "{text}: {out}");
        assert!(
            out.contains("from the beginning") || out.contains("where the net begins"),
            "{out}"
        );
    }
    let (out, _) =
        pnet("verify", "runs", "check holds(P, AG n == 1);\ncheck holds(P, AX P in t);\n");
    assert_eq!(out.matches("a run does otherwise").count(), 2, "{out}");
}

#[test]
fn a_run_to_where_something_is_so_is_shown_whatever_that_is() {
    let asked =
        ["EF [a] false", "EF AG n < 3", "E[n == 0 U [b] n == 1]", "EF (n == 1 and <a> true)"];
    for text in asked {
        let (out, _) = pnet("verify", "shown", &format!("check holds(P, {text});\n"));
        assert!(out.starts_with("proved") && out.contains("a run does so"), "{text}: {out}");
        assert!(out.contains("` is true"), "{text}: {out}");
    }
    // Where all of a run matters, none is shown for what is said of others on the way.
    let (out, _) = pnet("verify", "shown", "check holds(P, E G AF P in s);\n");
    assert!(!out.contains("a run does so"), "{out}");
}

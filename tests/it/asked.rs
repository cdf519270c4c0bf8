//! `pnet verify --check`: what somebody asks about a file, and the file does not.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// With a check of its own.
const CHECKED: &str = "action tick;\n\nprocess Clock<n: Int> {\n    var t: Int = 0;\n    init state s;\n\n    s -> s : tick when t < n do t := t + 1;\n}\n\ncheck not terminates(Clock<3>);\n";

/// What a command did.
struct Done {
    status: i32,
    out: String,
    err: String,
}

/// Runs `pnet verify` on the model with more arguments.
fn verify(args: &[&str]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    command.args(["verify", "-"]).args(args);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = pipes.spawn().unwrap();
    running.stdin.take().unwrap().write_all(CHECKED.as_bytes()).unwrap();
    let done = running.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done { status: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
}

#[test]
fn verify_answers_the_checks_that_it_is_given() {
    let asked = ["terminates(Clock<4>)", "check not always(Clock<2>, t < n) ;"];
    let done = verify(&["--check", asked[0], "--check", asked[1]]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("proved   check terminates(Clock<4>)"), "{}", done.out);
    assert!(done.out.contains("proved   check not always(Clock<2>, t < n)"), "{}", done.out);
    assert!(done.out.ends_with("2 checks: 2 proved\n"), "{}", done.out);
    let refuted = verify(&["--check", "always(Clock<2>, t < n)"]);
    assert_eq!(refuted.status, 1, "{}{}", refuted.out, refuted.err);
}

#[test]
fn what_is_wrong_with_a_check_from_outside_is_shown_in_it() {
    for (wrong, text) in [
        ("always(Clock<2>, u < n)", "u < n"),
        ("always(Cloc<2>, t < n)", "Cloc<2>"),
        ("terminates(Clock<2>); check terminates(Clock<3>)", "terminates"),
        ("", "a check"),
    ] {
        let done = verify(&["--check", wrong]);
        assert_eq!(done.status, 2, "{wrong}: {}{}", done.out, done.err);
        assert!(done.err.contains(text), "{wrong}: {}{}", done.out, done.err);
        assert!(!done.out.contains("Clock<3>"), "{wrong}: {}", done.out);
    }
}

#[test]
fn a_check_from_outside_has_no_line() {
    let args = ["--check", "terminates(Clock<4>)", "--format", "json"];
    let done = verify(&args);
    let said: Value = serde_json::from_str(done.out.trim()).unwrap();
    assert_eq!((&said["line"], &said["verdict"]), (&Value::Null, &Value::from("proved")));
    assert_eq!(said["check"], "check terminates(Clock<4>)");
}

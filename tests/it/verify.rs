//! `pnet verify`, from outside: verdicts, exit status, and what programs get.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::verified;
use serde_json::Value;

/// A lamp that is switched on once and stays on: two states, one transition.
const LAMP: &str = "\
action on;

process Lamp {
    init state dark;
    state lit;

    dark -> lit : on;
}
";

/// Where K is 0 this says nothing.
const UNCLEAR: &str = "const K: Int; check always(Lamp, 6 div K >= 0);\n";
const WITHOUT_VALUE: &str = "the property reads what has no value from the beginning";

/// No solver knows whether these can be equal before its time is up.
const HARD: &str = "\
const A: Int;
const B: Int;
const C: Int;
action go;

process Fermat {
    init state s;

    s -> s : go when A > 2 and B > 2 and C > 2 and A * A * A + B * B * B == C * C * C;
}
";

/// What a command did.
struct Done {
    status: i32,
    out: String,
    err: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Longer than any test takes.
const LIMIT: Duration = Duration::from_secs(60);

fn verify_in(folder: &Path, args: &[&str]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    command.arg("verify").args(args).current_dir(folder);
    let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while running.try_wait().unwrap().is_none() {
        if started.elapsed() > LIMIT {
            running.kill().unwrap();
            panic!("it hangs: pnet verify {args:?} in {}", folder.display());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let done = running.wait_with_output().unwrap();
    Done {
        status: done.status.code().expect("it was killed"),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

/// Verifies a model, in a folder of its own, with these checks at its end.
fn verify(name: &str, model: &str, checks: &str, args: &[&str]) -> Done {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("model.pnet"), format!("{model}\n{checks}")).unwrap();
    verify_in(&folder, &[&["model.pnet"], args].concat())
}

impl Done {
    /// Checks the exit status and the verdicts, in order.
    #[track_caller]
    fn is(&self, status: i32, verdicts: &[&str]) -> &Done {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        let mut lines: Vec<&str> = self.out.lines().collect();
        assert!(lines.pop().is_some_and(|line| line.contains("check")), "no summary: {}", self.out);
        // What is shown of a verdict is indented.
        let words = lines.iter().filter_map(|line| line.split(' ').next());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        assert_eq!(words, verdicts, "{}", self.out);
        self
    }

    fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

// ---- examples ----

#[test]
fn sizes_and_comparisons_of_all_examples_are_proved() {
    let (mut proved, mut compared, mut others) = (0, 0, 0);
    for done in verified::examples() {
        let path = &done.path;
        assert!([0, 3].contains(&done.status), "{path}: {}{}", done.out, done.err);
        for object in done.objects() {
            // A file without checks has nothing to look at.
            let Some(check) = object["check"].as_str() else { continue };
            if check.starts_with("check size(") || check.starts_with("check not size(") {
                assert_eq!(object["verdict"], "proved", "{path}: {object}");
                proved += 1;
            } else if check.contains("bisimilar(") || check.contains("refines(") {
                assert_eq!(object["verdict"], "proved", "{path}: {object}");
                compared += 1;
            } else if check.contains("nonblocking(") {
                assert_eq!(object["verdict"], "proved", "{path}: {object}");
            } else {
                assert_eq!(object["verdict"], "proved", "{path}: {object}");
                others += 1;
            }
        }
    }
    assert!(proved >= 20, "only {proved} checks of sizes were found");
    assert!(compared >= 75, "only {compared} comparisons were found");
    assert!(others > 0, "no other checks were found");
}

/// Each run that a verdict of an example rests on, whoever found it, is one of the model, and ends as it is said to.
#[test]
fn all_runs_of_the_examples_are_replayed() {
    let mut all = 0;
    for done in verified::examples() {
        let is_run = |object: &&Value| {
            let parts = object["evidence"]["components"].as_array();
            object["evidence"]["kind"] == "run" && parts.is_some_and(|parts| !parts.is_empty())
        };
        let wanted = done.objects().iter().filter(is_run).count();
        let files = std::fs::read_dir(&done.traces).unwrap().map(|file| file.unwrap().path());
        let name = |path: &std::path::Path| path.to_str().unwrap().to_owned();
        let is_trace = |path: &String| path.ends_with(".json") && !path.ends_with(".itf.json");
        let runs: Vec<String> = files.map(|path| name(&path)).filter(is_trace).collect();
        assert_eq!(runs.len(), wanted, "{}: one file for each run", done.path);
        for run in runs {
            let mut replay = Command::new(env!("CARGO_BIN_EXE_pnet"));
            let replay = replay.args(["replay", &run, &done.path]).current_dir(root());
            let again = replay.output().unwrap();
            let err = String::from_utf8_lossy(&again.stderr);
            assert!(again.status.success(), "{}: {run}: {err}", done.path);
        }
        all += wanted;
    }
    assert!(all >= 100, "only {all} runs were found");
}

#[test]
fn all_algorithms_prove_the_same() {
    for algorithm in ["naive", "smart", "fast"] {
        let done = verify_in(&root(), &["examples/enable.pnet", "--algorithm", algorithm]);
        done.is(0, &["proved"; 5]);
    }
}

// ---- verdicts and exit status ----

#[test]
fn exit_status_is_the_worst_verdict() {
    let size = "check size(Lamp) == (2, 1);\n";
    let wrong = "check size(Lamp) == (2, 2);\n";
    let unclear = UNCLEAR;
    verify("proved", LAMP, size, &[]).is(0, &["proved"]);
    verify("refuted", LAMP, wrong, &[]).is(1, &["refuted"]);
    verify("unknown", LAMP, unclear, &[]).is(3, &["unknown"]);
    let none = verify("none", LAMP, "", &[]);
    assert_eq!((none.status, none.out.as_str()), (0, "no checks in model.pnet\n"));
    let all = [unclear, size, wrong].concat();
    verify("mixed", LAMP, &all, &[]).is(1, &["unknown", "proved", "refuted"]);
    let most = [unclear, size].concat();
    verify("most", LAMP, &most, &[]).is(3, &["unknown", "proved"]);
}

#[test]
fn not_is_the_opposite() {
    verify("not_wrong", LAMP, "check not size(Lamp) == (2, 2);\n", &[]).is(0, &["proved"]);
    verify("not_right", LAMP, "check not size(Lamp) == (2, 1);\n", &[]).is(1, &["refuted"]);
    let not = UNCLEAR.replace("check ", "check not ");
    verify("not_unclear", LAMP, &not, &[]).is(3, &["unknown"]);
}

/// An answer that the solver does not know proves nothing, and refutes nothing: not the opposite either.
#[test]
fn what_the_solver_does_not_know_is_unknown() {
    let args = ["--solver-timeout", "0.2"];
    let checks = "check size(Fermat) == (1, 1);\ncheck size(Fermat) == (1, 0);\ncheck not size(Fermat) == (1, 1);\n";
    let done = verify("hard", HARD, checks, &args);
    done.is(3, &["unknown"; 3]);
    assert_eq!(done.out.matches("it is not known whether 1 transition").count(), 3, "{}", done.out);
    let fixed = ["--set", "A=3", "--set", "B=3", "--set", "C=3"];
    verify("easy", HARD, "check size(Fermat) == (1, 0);\n", &fixed).is(0, &["proved"]);
}

#[test]
fn errors_come_first() {
    let done = verify("wrong", LAMP, "check size(Lmap) == (2, 1);\n", &[]);
    assert_eq!(done.status, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains("error[N0205]"), "{}", done.err);
    assert_eq!(done.out, "", "a file with errors has no answers, and no number of checks");
    let gone = verify_in(&root(), &["gone.pnet"]);
    assert_eq!(gone.status, 2);
    assert!(gone.err.contains("cannot read `gone.pnet`"), "{}", gone.err);
    // One file with errors does not keep the others from being verified, and the status stays 2.
    let both = verify_in(&root(), &["gone.pnet", "examples/tutorial/14_never.pnet"]);
    assert_eq!(both.status, 2);
    assert!(both.out.contains("proved   check size(Machine)"), "{}", both.out);
    for args in [&["--algorithm", "best"][..], &["--refine", "much"], &["--solver-timeout", "0"]] {
        let done = verify("options", LAMP, "", args);
        assert_eq!(done.status, 2, "{args:?}: {}{}", done.out, done.err);
        assert!(done.err.contains("invalid value"), "{args:?}: {}", done.err);
    }
}

#[test]
fn nets_that_cannot_be_elaborated_are_errors() {
    let family = "\
const N: Int;
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Clocks<n: Int> {
    sub C[i: 0..n] = Clock;

    <C[i]: tick> -> tick for i in 0..n;
}
";
    let check = "check size(Clocks<N>) == (1, 2);\n";
    let done = verify("family", family, check, &[]);
    assert_eq!(done.status, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains("error[E0101]"), "{}", done.err);
    verify("family_set", family, check, &["--set", "N=2"]).is(0, &["proved"]);
}

// ---- what is written ----

#[test]
fn json_is_an_object_a_check() {
    let checks =
        "check size(Lamp)\n    == (2, 1);\ncheck size(Lamp) == (9, 9);\n".to_owned() + UNCLEAR;
    let started = Instant::now();
    let done = verify("json", LAMP, &checks, &["--format", "json"]);
    let took = started.elapsed().as_secs_f64();
    assert_eq!((done.status, done.err.as_str()), (1, ""));
    let objects = done.json();
    let expected = [
        ("check size(Lamp) == (2, 1)", 10, "proved", "2 states and 1 open transition"),
        ("check size(Lamp) == (9, 9)", 12, "refuted", "it has 2 states and 1 open transition"),
        ("check always(Lamp, 6 div K >= 0)", 13, "unknown", WITHOUT_VALUE),
    ];
    assert_eq!(objects.len(), expected.len(), "{}", done.out);
    for (object, (check, line, verdict, reason)) in objects.iter().zip(expected) {
        let fields: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            [
                "because",
                "check",
                "evidence",
                "file",
                "line",
                "notes",
                "obligations",
                "reason",
                "seconds",
                "statistics",
                "vacuous",
                "verdict"
            ]
        );
        assert_eq!(object["check"], check);
        assert_eq!(object["file"], "model.pnet");
        assert_eq!(object["line"], line);
        assert_eq!(object["verdict"], verdict);
        assert!(object["reason"].as_str().unwrap().starts_with(reason), "{object}");
    }
    let seconds: f64 = objects.iter().map(|object| object["seconds"].as_f64().unwrap()).sum();
    assert!(seconds > 0.0 && seconds < took, "{seconds} of {took} seconds");
}

/// `PNET_BLESS=1` writes `verify/enable.out` anew.
#[test]
fn what_a_person_sees() {
    let done = verify_in(&root(), &["examples/enable.pnet"]);
    assert_eq!(done.err, "");
    let found = format!("{}exit status: {}\n", done.out, done.status);
    let path = root().join("tests/verify/enable.out");
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "PNET_BLESS=1 renews it");
}

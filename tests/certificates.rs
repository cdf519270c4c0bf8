//! Certificates: what `pnet verify --certificate` writes, `pnet recheck` confirms with more than one solver, and what
//! was changed since is not confirmed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests run the command and write files, and may fail"
)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::examples;
use pnetc::verify::checksum;
use serde_json::Value;

/// What a command did.
struct Done {
    status: i32,
    out: String,
    err: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn pnet(args: &[&str]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let done = command.args(args).current_dir(root()).output().unwrap();
    Done {
        status: done.status.code().expect("it was killed"),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

/// A folder of its own for a test, empty; it is gone when the test has passed.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("pnet-certificates-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join("001").join(name)
    }

    fn recheck(&self) -> Done {
        pnet(&["recheck", self.text()])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// Two lamps that do the same, one with a state and one with a variable.
const LAMPS: &str = "\
action on, off;

process States {
    init state dark;
    state lit;

    dark -> lit  : on;
    lit  -> dark : off;
}

process Data {
    var lit: Bool = false;
    init state s;

    s -> s : on  when not lit do lit := true;
    s -> s : off when lit     do lit := false;
}

check bisimilar(States, Data);
";

/// A folder with the certificate of the two lamps.
fn lamps(name: &str) -> Folder {
    let folder = Folder::new(name);
    let model = folder.0.join("lamps.pnet");
    std::fs::write(&model, LAMPS).unwrap();
    let done = pnet(&["verify", model.to_str().unwrap(), "--certificate", folder.text()]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    folder
}

// ---- whole certificates ----

/// Whether a check that was proved has a certificate.
fn has_certificate(object: &Value) -> bool {
    let check = object["check"].as_str().unwrap();
    let starts =
        ["check bisimilar(", "check weakly_bisimilar(", "check refines(", "check nonblocking("];
    object["verdict"] == "proved" && starts.iter().any(|start| check.starts_with(start))
}

#[test]
fn two_solvers_confirm_all_examples_and_laws() {
    let mut all = 0;
    for model in examples() {
        let folder = Folder::new(&model.replace('/', "-"));
        let args = ["verify", &model, "--format", "json", "--certificate", folder.text()];
        let done = pnet(&args);
        assert!([0, 3].contains(&done.status), "{model}: {}{}", done.out, done.err);
        let objects = done.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let proved = objects.filter(has_certificate).count();
        let written = std::fs::read_dir(&folder.0).unwrap().count();
        assert_eq!(written, proved, "{model}: one certificate for each proof");
        if proved == 0 {
            continue;
        }
        all += proved;
        std::thread::scope(|scope| {
            for solver in ["z3", "cvc5"] {
                let (folder, model) = (&folder, &model);
                scope.spawn(move || {
                    let done = pnet(&["recheck", folder.text(), "--solver", solver]);
                    assert_eq!(done.status, 0, "{model}, {solver}: {}{}", done.out, done.err);
                    let start = format!("{proved} claim");
                    let last = done.out.lines().last().unwrap();
                    assert!(last.starts_with(&start), "{model}, {solver}: {last}");
                    assert!(last.ends_with(", 0 contradicted, 0 unknown"), "{model}: {last}");
                });
            }
        });
    }
    assert!(all >= 40, "only {all} comparisons were found");
}

// ---- damage ----

fn change(path: &Path, how: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    let changed = how(&text);
    assert_ne!(text, changed, "{} was not changed", path.display());
    std::fs::write(path, changed).unwrap();
}

/// Another character in the middle.
fn flipped(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] = if bytes[middle] == b'x' { b'y' } else { b'x' };
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_changed_file_is_not_confirmed() {
    let names = ["obligation-0001.smt2", "first.json", "second.json", "relation.pnet"];
    for name in names {
        let without_end = |text: &str| text[..text.len() - 10].to_owned();
        let nothing = |_: &str| String::new();
        let changes: [&dyn Fn(&str) -> String; 3] = [&flipped, &without_end, &nothing];
        for (number, how) in changes.into_iter().enumerate() {
            let folder = lamps(&format!("changed-{name}-{number}"));
            change(&folder.file(name), how);
            let done = folder.recheck();
            assert_eq!(done.status, 2, "{name}: {}", done.out);
            assert!(done.err.contains("is not as it was written: its checksum is wrong"));
            assert!(done.err.contains(name), "{}", done.err);
        }
    }
}

#[test]
fn an_obligation_with_a_condition_less_is_not_confirmed() {
    let folder = lamps("assert");
    let path = folder.file("obligation-0002.smt2");
    change(&path, |text| {
        let at = text.find("(assert").expect("an obligation asserts something");
        let end = text[at..].find('\n').unwrap();
        format!("{}{}", &text[..at], &text[at + end + 1..])
    });
    let done = folder.recheck();
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("its checksum is wrong"), "{}", done.err);
}

#[test]
fn a_missing_file_is_not_confirmed() {
    for name in ["obligation-0003.smt2", "first.json", "relation.pnet"] {
        let folder = lamps(&format!("missing-{name}"));
        std::fs::remove_file(folder.file(name)).unwrap();
        let done = folder.recheck();
        assert_eq!(done.status, 2, "{}", done.out);
        assert!(done.err.contains("cannot read") && done.err.contains(name), "{}", done.err);
    }
    let folder = lamps("missing-all");
    std::fs::remove_file(folder.file("certificate.json")).unwrap();
    let done = folder.recheck();
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("there is no certificate in"), "{}", done.err);
}

#[test]
fn a_list_that_is_none_is_not_confirmed() {
    let garbage = [
        "",
        "garbage",
        "[]",
        "{}",
        "{\"claim\": \"all is well\", \"files\": 3}",
        "{\"claim\": \"all is well\", \"files\": [7]}",
        "{\"claim\": \"all is well\", \"files\": []}",
        "{\"claim\": \"all is well\", \"obligations\": 0, \"files\": []}",
        "{\"claim\": \"all is well\", \"files\": [{\"file\": \"../../lamps.pnet\"}]}",
    ];
    let folder = lamps("list");
    for text in garbage {
        std::fs::write(folder.file("certificate.json"), text).unwrap();
        let done = folder.recheck();
        assert_eq!(done.status, 2, "{text}: {}", done.out);
        let said = ["is damaged: it is no list of files", "is not whole: it does not list all"];
        assert!(said.iter().any(|words| done.err.contains(words)), "{text}: {}", done.err);
    }
    let folder = lamps("list-flipped");
    change(&folder.file("certificate.json"), |text| {
        text.replacen("\"checksum\": \"", "\"checksum\": \"0", 1)
    });
    let done = folder.recheck();
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("its checksum is wrong"), "{}", done.err);
}

// ---- solvers ----

#[test]
fn what_can_be_satisfied_is_contradicted() {
    let folder = lamps("contradicted");
    let script = "(set-logic ALL)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n";
    let path = folder.file("obligation-0002.smt2");
    let old = checksum(&std::fs::read(&path).unwrap());
    std::fs::write(&path, script).unwrap();
    let new = checksum(script.as_bytes());
    change(&folder.file("certificate.json"), |text| text.replace(&old, &new));
    for solver in ["z3", "cvc5"] {
        let done = pnet(&["recheck", folder.text(), "--solver", solver]);
        assert_eq!(done.status, 1, "{}{}", done.out, done.err);
        let line = format!("obligation-0002.smt2: `{solver}` answers sat, not unsat");
        assert!(done.out.contains(&line), "{}", done.out);
        assert!(done.out.contains(", 1 contradicted, 0 unknown"), "{}", done.out);
    }
}

#[test]
fn a_solver_that_is_not_there_or_does_not_answer() {
    let folder = lamps("solver");
    let done = pnet(&["recheck", folder.text(), "--solver", "no-such-solver --fast"]);
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("cannot start the solver `no-such-solver`"), "{}", done.err);
    let done = pnet(&["recheck", folder.text(), "--solver", " "]);
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("say which solver"), "{}", done.err);
    let done = pnet(&["recheck", folder.text(), "--solver", "true"]);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    assert!(done.out.contains("answers nothing that can be understood"), "{}", done.out);
}

#[test]
fn a_folder_without_certificates() {
    let folder = Folder::new("empty");
    let done = folder.recheck();
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("there is no certificate in"), "{}", done.err);
    let gone = folder.0.join("gone");
    let done = pnet(&["recheck", gone.to_str().unwrap()]);
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("cannot read"), "{}", done.err);
}

/// A second run leaves nothing of the first one, and nothing else is touched.
#[test]
fn old_certificates_are_removed() {
    let folder = Folder::new("twice");
    let (two, one) = (folder.0.join("two.pnet"), folder.0.join("one.pnet"));
    std::fs::write(&two, format!("{LAMPS}check refines(Data, States);\n")).unwrap();
    std::fs::write(&one, LAMPS).unwrap();
    let proofs = folder.0.join("proofs");
    let proofs_text = proofs.to_str().unwrap();
    let verify = |model: &std::path::Path| {
        pnet(&["verify", model.to_str().unwrap(), "--certificate", proofs_text]);
        let mut names: Vec<String> = std::fs::read_dir(&proofs)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(verify(&two), ["001", "002"]);
    std::fs::write(proofs.join("notes"), "mine").unwrap();
    assert_eq!(verify(&one), ["001", "notes"]);
}

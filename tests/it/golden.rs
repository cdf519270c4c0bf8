//! Realistic models with typical mistakes, and exactly what `pnet check` says about them.
//!
//! `golden/NAME.out` is the answer to `golden/NAME.pnet`. `PNET_BLESS=1 cargo test golden::` writes the
//! answers anew; read the difference before you believe it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The names, without their extension, of the files in the folder that have this extension.
fn names(extension: &str) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let wanted = files.filter(|path| path.extension().is_some_and(|found| found == extension));
    wanted.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// What somebody sees who checks this model.
fn answer(name: &str) -> String {
    let file = format!("{name}.pnet");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let done = command.args(["check", &file]).current_dir(folder()).output().unwrap();
    assert!(done.stdout.is_empty(), "{name}: something on standard output");
    let said = String::from_utf8(done.stderr).unwrap();
    format!("$ pnet check {file}\n{said}exit status: {}\n", done.status.code().unwrap())
}

#[test]
fn answers_are_as_expected() {
    let bless = std::env::var_os("PNET_BLESS").is_some();
    let mut complaints = Vec::new();
    for name in names("pnet") {
        let path = folder().join(format!("{name}.out"));
        let found = answer(&name);
        if bless {
            std::fs::write(&path, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if found != expected {
            complaints.push(format!("{name}: {}\n{found}", first_difference(&expected, &found)));
        }
    }
    assert!(complaints.is_empty(), "PNET_BLESS=1 renews them\n{}", complaints.join("\n"));
}

fn first_difference(expected: &str, found: &str) -> String {
    let same = expected.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(the end)").to_owned();
    format!("line {}: expected\n{}\nfound\n{}\nin", same + 1, line(expected), line(found))
}

#[test]
fn every_answer_has_a_model() {
    let unused: Vec<String> = names("out").difference(&names("pnet")).cloned().collect();
    assert!(unused.is_empty(), "no model for the answers {unused:?}");
    assert!(names("pnet").len() >= 15);
}

//! Formulas in the whole, and exactly what is said about them: verdicts with their runs and notes as text and as JSON, and messages
//! about mistakes.
//!
//! `golden/formulas/NAME.txt` and `NAME.jsonl` are what `pnet verify` says of `NAME.pnet`, or `pnet check` of `mistakes.pnet`.
//! `PNET_BLESS=1 cargo test formulas_golden::` writes them anew; read the difference before you believe it.

use std::path::Path;
use std::process::Command;

/// What a command says of a model, line by line, without what took how long.
fn said(command: &str, model: &str, format: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/formulas");
    let mut process = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let process = process.args([command, model, "--format", format, "--color", "never"]);
    let done = process.current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let all = format!("{}{}", text(done.stdout), text(done.stderr));
    let lines: Vec<String> = all.lines().map(untimed).collect();
    format!("{}\nexit status: {}\n", lines.join("\n"), done.status.code().unwrap())
}

/// A line without how long something took.
fn untimed(line: &str) -> String {
    let Some((before, after)) = line.split_once("\"seconds\":") else { return line.to_owned() };
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-' | ' ');
    format!("{before}\"seconds\":0{}", after.trim_start_matches(number))
}

fn compare(command: &str, model: &str, format: &str, extension: &str) {
    let found = said(command, &format!("{model}.pnet"), format);
    let name = format!("tests/golden/formulas/{model}.{extension}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let different = expected.lines().zip(found.lines()).find(|(one, other)| one != other);
    assert!(found == expected, "{name} is different, first in {different:?}; all of it:\n{found}");
}

#[test]
fn verdicts_are_told_as_expected() {
    compare("verify", "server", "human", "txt");
}

#[test]
fn verdicts_are_written_as_expected() {
    compare("verify", "server", "json", "jsonl");
}

#[test]
fn mistakes_are_told_as_expected() {
    compare("check", "mistakes", "human", "txt");
}

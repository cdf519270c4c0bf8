//! Plays and runs in words. `tests/stories/NAME.out` is what `pnet verify` says about `NAME.pnet`;
//! `PNET_BLESS=1 cargo test stories::` writes it anew.

use std::process::Command;

fn verify(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    command.arg("verify").args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// What is said about a story, by one engine, is as it was.
fn is_told(name: &str, engine: &str) {
    let found = verify(&[&format!("tests/stories/{name}.pnet"), "--engine", engine]);
    let path = format!("tests/stories/{name}.out");
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(path).unwrap_or_default());
}

#[test]
fn plays_are_told_as_expected() {
    is_told("plays", "auto");
}

/// Where an invariant is no proof: a configuration with values, and the step that breaks it.
#[test]
fn what_breaks_invariants_is_told_as_expected() {
    is_told("broken", "auto");
}

/// What says nothing is said to be vacuous, and nothing else is.
#[test]
fn idle_parts_are_told_as_expected() {
    is_told("idle", "induction");
}

#[test]
fn holes_are_told_as_expected() {
    is_told("holes", "symbolic");
}

/// No function that is defined is left in what is told, and what changes nothing is not shown.
#[test]
fn values_are_evaluated_and_only_changes_are_shown() {
    let found = verify(&["tests/stories/plays.pnet"]);
    let told: Vec<&str> = found.lines().filter(|line| line.starts_with(' ')).collect();
    for line in &told {
        assert!(!line.contains("minimum(") && !line.contains("sum("), "{line}");
        assert!(!line.contains("same :="), "{line}");
    }
    for wanted in [
        "n := 1 (was 0)",
        "with N = ",
        "weight(i0) = 3",
        "connector `a` in line",
        "`p` idle to busy (line",
    ] {
        assert!(told.iter().any(|line| line.contains(wanted)), "{wanted}\n{found}");
    }
}

/// Programs get the same, step by step.
#[test]
fn json_has_the_steps() {
    let found = verify(&["tests/stories/plays.pnet", "--format", "json"]);
    let objects: Vec<serde_json::Value> = found
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|object: &serde_json::Value| !object["verdict"].is_null())
        .collect();
    let given = &objects[1]["evidence"]["with"][0]["value"];
    assert_eq!((&given["text"], &given["data"]), (&"3".into(), &3.into()), "{}", objects[1]);
    let step = &objects[3]["evidence"]["moves"][0]["step"];
    assert_eq!(step["net"], "Pair");
    assert_eq!(step["by"][0]["vectors"][0]["connector"], "a");
    assert_eq!(step["by"][0]["parts"][1]["part"], "q");
    assert_eq!(step["changes"][0]["variable"], "q.k");
    assert_eq!(step["changes"][0]["before"]["data"], 0);
    assert_eq!(step["changes"].as_array().unwrap().len(), 1);
}

//! Printing after parsing is the identity on programs, and formatting keeps the program: on whole programs that a
//! generator makes, and on all models of the project.

use crate::common::seeds::{LIMIT, for_seeds, fuzz, guarded};
use crate::common::{Random, check_text, models, syntactic, valid};
use pnetc::diagnostics::Severity;
use pnetc::syntax::format::format;
use pnetc::syntax::parse;
use pnetc::syntax::print::print;
use serde_json::Value;

/// The tree of a text without errors, without the places of its parts.
fn tree(text: &str) -> Value {
    let parsed = parse(text, 0);
    let mut problems = parsed.problems.iter();
    let error = problems.find(|problem| problem.entry().severity == Severity::Error);
    assert!(error.is_none(), "{error:?} in\n{text}");
    let mut tree = serde_json::to_value(&parsed.module).unwrap();
    remove_places(&mut tree);
    tree
}

/// Takes out every span. Spans without a field of their own are pairs of numbers, and nothing else is.
fn remove_places(value: &mut Value) {
    match value {
        Value::Array(items) if items.len() == 2 && items.iter().all(Value::is_number) => {
            *value = Value::Null;
        }
        Value::Array(items) => items.iter_mut().for_each(remove_places),
        Value::Object(fields) => {
            fields.retain(|name, _| !name.ends_with("span") && name != "sign");
            fields.values_mut().for_each(remove_places);
        }
        _ => {}
    }
}

/// Checks all that must hold of a program without errors.
fn round_trip(text: &[u8]) -> usize {
    let text = std::str::from_utf8(text).unwrap();
    let wanted = tree(text);
    let printed = print(&parse(text, 0).module);
    assert_eq!(tree(&printed), wanted, "another tree after printing:\n{printed}\nof\n{text}");
    let again = print(&parse(&printed, 0).module);
    assert_eq!(again, printed, "printing is not stable, of\n{text}");

    let formatted = format(text).unwrap();
    assert_eq!(tree(&formatted), wanted, "another tree after formatting:\n{formatted}\nof\n{text}");
    let again = format(&formatted).unwrap();
    assert_eq!(again, formatted, "formatting twice is not formatting once, of\n{text}");
    let pretty = format(&printed).unwrap();
    assert_eq!(tree(&pretty), wanted, "another tree after printing and formatting, of\n{text}");
    text.lines().count()
}

#[test]
fn programs_of_every_shape() {
    let count = fuzz().map_or(300, |wanted| wanted / 10);
    let make = |random: &mut Random| syntactic::program(random).into_bytes();
    let lines = for_seeds("programs of every shape", count, make, round_trip);
    println!("{count} programs of every shape, {lines} lines");
    assert!(lines as u64 > 2 * count, "{lines} lines of {count} programs");
}

#[test]
fn expressions_of_every_shape() {
    let count = fuzz().map_or(1_000, |wanted| wanted / 10);
    let make =
        |random: &mut Random| format!("axiom {};", syntactic::expression(random)).into_bytes();
    for_seeds("expressions of every shape", count, make, round_trip);
}

#[test]
fn all_models_of_the_project() {
    for (name, text) in crate::common::models() {
        guarded(&name, LIMIT, text, round_trip);
    }
}

/// Checks that a program without mistakes is one for the checker, too.
fn silent(text: &[u8]) -> usize {
    let checked = check_text(text);
    let found = checked.diagnostics.iter().map(|found| models::in_short(&checked, found));
    // The generator does not see to it that silent actions get through.
    let found: Vec<String> = found.filter(|one| !models::is_of_silence(one)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    text.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn valid_programs_check_without_a_word() {
    let count = fuzz().map_or(300, |wanted| wanted / 10);
    let make = |random: &mut Random| {
        let lines = *random.pick(&[20, 60, 200, 500]);
        valid::valid_program(random, lines).into_bytes()
    };
    let lines = for_seeds("valid programs", count, make, silent);
    println!("{count} valid programs, {lines} lines");
    assert!(lines as u64 > 10 * count, "{lines} lines of {count} programs");
    for_seeds("valid programs, round trip", count / 10, make, round_trip);
}

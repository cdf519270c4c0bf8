//! The entries of all codes: each is explained, and its own models show exactly it.

use std::ops::Range;

use crate::common::sources::{self, Memory};
use pnetc::diagnostics::{Diagnostic, Entry, Level, Levels};
use pnetc::elaborate::ElaborateOptions;
use pnetc::explain;
use pnetc::export::{self, ExportKind};
use pnetc::generate;
use pnetc::import::{self, ImportExample, ImportOptions};
use pnetc::lts::aut::AutReader;
use pnetc::model::{BuildFailure, Checked, ModelOptions};
use pnetc::network::exp::{self, ExampleFiles};
use pnetc::syntax::format::format;
use pnetc::verify::size_problems;

/// The name that `pnet explain` gives to the models of entries; one of them imports itself.
const FILE: &str = "example.pnet";

/// The codes whose wrong model cannot be shown; they have tests of their own, below, in `elaborate.rs` or
/// `parametric_wide.rs`.
const NOT_SHOWN: [&str; 11] = [
    "L0006", "P0005", "E0105", "E0109", "E0113", "E0122", "A0101", "A0203", "F0211", "F0338",
    "F0341",
];

/// Checks a model, and keeps what the levels want to see.
fn check(model: impl Into<Vec<u8>>, levels: &Levels) -> Checked {
    let mut checked = sources::check(&Memory::file(FILE, model), FILE);
    let all = std::mem::take(&mut checked.diagnostics);
    checked.diagnostics = all.into_iter().filter_map(|one| levels.apply(one)).collect();
    checked
}

/// Checks a model of an entry, and elaborates it where the entry is about that.
fn check_for(entry: &Entry, model: impl Into<Vec<u8>>) -> Checked {
    if is_about_files(entry) {
        return read_file(entry, model.into());
    }
    let mut checked = check(model, &levels_for(entry));
    if entry.code.starts_with('E') && checked.diagnostics.is_empty() {
        let options = ElaborateOptions::default();
        match checked.build(None, &options) {
            Err(BuildFailure::Problems(found)) => checked.diagnostics = found,
            _ => {
                let all = checked.checks().into_iter();
                let found = all.filter_map(|check| checked.unclear_property(check, &options).ok());
                checked.diagnostics = found.flatten().collect();
            }
        }
    }
    // What is said where a net is exported.
    if let Some(kind) = ExportKind::of_example(entry.code)
        && checked.diagnostics.is_empty()
        && !entry.right.is_empty()
    {
        let net = checked.build(None, &ElaborateOptions::default()).unwrap();
        let name = net.name.as_str();
        let refused = export::export((&net, name), kind, "part", &generate::Unwatched).err();
        let found = refused.unwrap_or_default();
        checked.diagnostics = found.iter().map(|problem| problem.diagnose()).collect();
        return checked;
    }
    // What is said where a system has any size.
    if entry.code.starts_with("A02") && checked.diagnostics.is_empty() {
        let options = ModelOptions::default();
        let about = |check| size_problems(&checked, check, &options, &generate::Unwatched);
        checked.diagnostics = checked.checks().into_iter().flat_map(about).collect();
        return checked;
    }
    // A code without models (see `NOT_SHOWN`) has nothing to build.
    if entry.code.starts_with('A') && checked.diagnostics.is_empty() && !entry.right.is_empty() {
        let net = checked.build(None, &ElaborateOptions::default()).unwrap();
        let options = generate::Options::default();
        let generated = generate::generate(&net, &options, &generate::Unwatched);
        let found = checked.review(&net, &generated, &options, &generate::Unwatched);
        checked.diagnostics = found;
    }
    checked
}

/// Whether an entry is about files of other tools.
fn is_about_files(entry: &Entry) -> bool {
    entry.code.starts_with('F') && ExportKind::of_example(entry.code).is_none()
}

/// What is said about a file of another tool, in the place of what is said about a model.
fn read_file(entry: &Entry, file: Vec<u8>) -> Checked {
    let silent = ["tau".to_owned()];
    let mut checked = check("", &Levels::default());
    if let Some(example) = ImportExample::new(entry, std::str::from_utf8(&file).unwrap()) {
        let (name, kind) = (example.name(), example.kind());
        let options = ImportOptions::default();
        let done = import::import(&name, kind, &options, &example, &generate::Unwatched);
        (checked.diagnostics, checked.sources) = (done.diagnostics, done.sources);
    } else if entry.code.starts_with("F02") {
        let files = ExampleFiles(String::from_utf8(file).unwrap());
        let read = exp::read(ExampleFiles::NAME, &silent, &files, &generate::Unwatched);
        (checked.diagnostics, checked.sources) = (read.diagnostics, read.sources);
    } else {
        let mut reader = AutReader::new("example.aut", &silent);
        reader.push(&file);
        let read = reader.finish();
        (checked.diagnostics, checked.sources) = (read.diagnostics, read.sources);
    }
    checked
}

/// The levels under which an entry's own model must show it, and nothing else.
fn levels_for(entry: &Entry) -> Levels {
    let mut levels = Levels::default();
    if entry.on_request {
        levels.set(entry.code, Level::Warn);
    }
    levels
}

/// The diagnostics in short, one a line: `N0203 at 12..15: unknown action`.
fn said(checked: &Checked) -> String {
    let line = |one: &Diagnostic| {
        format!("{} at {:?}: {}\n", one.entry.code, place(one, checked), one.message)
    };
    checked.diagnostics.iter().map(line).collect()
}

/// The bytes that the primary label underlines.
fn place(diagnostic: &Diagnostic, checked: &Checked) -> Range<usize> {
    let file = checked.sources.file_of(diagnostic.span()).unwrap();
    let (range, before) = (file.range(diagnostic.span()), file.excerpt().byte as usize);
    range.start + before..range.end + before
}

/// Where the marked text stands once the marks are taken out.
fn marked(wrong: &str) -> Option<Range<usize>> {
    let (before, rest) = wrong.split_once('«')?;
    let (inside, after) = rest.split_once('»')?;
    let only_one = !after.contains(['«', '»']) && !inside.contains('«');
    only_one.then(|| before.len()..before.len() + inside.len())
}

/// Runs `test` on every entry, and fails with all its complaints together.
fn for_all(test: impl Fn(&Entry) -> Result<(), String>) {
    let complaints: Vec<String> = explain::entries()
        .filter_map(|entry| {
            test(entry).err().map(|complaint| format!("{}: {complaint}", entry.code))
        })
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn ensure(holds: bool, complaint: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(complaint()) }
}

// ---- entries ----

#[test]
fn codes_are_unique_and_in_order() {
    let codes: Vec<&str> = explain::entries().map(|entry| entry.code).collect();
    for code in &codes {
        let (stage, number) = code.split_at(1);
        let is_number = number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit());
        assert!("LPNTWEAF".contains(stage) && is_number, "{code}");
    }
    // Stages come in the order of the pipeline, codes within a stage by their number.
    let rank = |code: &&str| ("LPNTWEAF".find(&code[..1]), code[1..].to_owned());
    let ranks: Vec<_> = codes.iter().map(rank).collect();
    assert!(ranks.windows(2).all(|pair| pair[0] < pair[1]), "not in order: {codes:?}");
}

#[test]
fn at_least_sixty_codes_have_models() {
    let with_models = explain::entries().filter(|entry| !entry.wrong.is_empty()).count();
    assert!(with_models >= 60, "only {with_models}");
}

#[test]
fn every_code_is_explained() {
    for_all(|entry| {
        let explanation = entry.explanation.trim();
        let long = explanation.lines().count() >= 3 && explanation.len() >= 150;
        ensure(long, || format!("explained too briefly:\n{explanation}"))?;
        ensure(explanation.lines().all(|line| line.chars().count() <= 100), || "long line".into())?;
        let title = entry.title;
        let lower = title.starts_with(|c: char| c.is_lowercase() || c == '`');
        ensure(lower && !title.ends_with('.'), || format!("the style of the title: {title}"))
    });
}

#[test]
fn wrong_models_give_exactly_their_code_at_exactly_its_place() {
    for_all(|entry| {
        if NOT_SHOWN.contains(&entry.code) {
            return ensure(entry.wrong.is_empty(), || "has a wrong model after all".into());
        }
        let expected = marked(entry.wrong).ok_or("its wrong model is not marked with « » once")?;
        let checked = check_for(entry, entry.wrong_model());
        let [only] = checked.diagnostics.as_slice() else {
            return Err(format!("expected only this one, at {expected:?}:\n{}", said(&checked)));
        };
        ensure(only.entry.code == entry.code, || format!("another one: {}", said(&checked)))?;
        let found = place(only, &checked);
        ensure(only.severity == entry.severity, || "another severity".into())?;
        ensure(found == expected, || format!("expected at {expected:?}: {}", said(&checked)))
    });
}

#[test]
fn right_models_give_nothing() {
    for_all(|entry| {
        // An empty model is well, and an empty file is not.
        if NOT_SHOWN.contains(&entry.code) && is_about_files(entry) {
            return ensure(entry.right.is_empty(), || "has a right file after all".into());
        }
        let checked = check_for(entry, entry.right);
        ensure(checked.diagnostics.is_empty(), || format!("the right model:\n{}", said(&checked)))
    });
}

#[test]
fn models_are_formatted() {
    for_all(|entry| {
        if is_about_files(entry) {
            return Ok(());
        }
        let formatted = format(entry.right).map_err(|_| "the right model does not parse")?;
        ensure(formatted == entry.right, || format!("the right model should be\n{formatted}"))?;
        // A wrong model that parses is formatted too; one that does not cannot be.
        match format(&entry.wrong_model()) {
            Ok(formatted) if formatted != entry.wrong_model() => {
                Err(format!("the wrong model should be\n{formatted}"))
            }
            _ => Ok(()),
        }
    });
}

// ---- words ----

/// What is wrong with the style of a text, if anything.
fn style(text: &str) -> Result<(), String> {
    let starts_well = |c: char| c.is_lowercase() || c.is_ascii_digit() || "`…".contains(c);
    ensure(text.starts_with(starts_well), || format!("does not start in lower case: {text}"))?;
    ensure(!text.ends_with(['.', '!']), || format!("ends in a full stop: {text}"))?;
    ensure(text.matches('`').count().is_multiple_of(2), || format!("a lonely back-quote: {text}"))?;
    ensure(!text.contains('\n'), || format!("more than one line: {text}"))?;
    ensure(text == text.trim() && !text.contains("  "), || format!("odd spaces: {text:?}"))
}

fn style_of(diagnostic: &Diagnostic) -> Result<(), String> {
    let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
    let labels = labels.map(|label| label.message.as_str()).filter(|label| !label.is_empty());
    let suggestions = diagnostic.suggestions.iter().map(|one| one.message.as_str());
    let notes = diagnostic.notes.iter().map(String::as_str);
    let message = std::iter::once(diagnostic.message.as_str());
    message.chain(labels).chain(notes).chain(suggestions).try_for_each(style)
}

#[test]
fn messages_keep_the_style() {
    for_all(|entry| {
        let checked = check_for(entry, entry.wrong_model());
        checked.diagnostics.iter().try_for_each(style_of)
    });
}

#[test]
fn messages_about_realistic_models_keep_the_style() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pnet") {
            let checked = check(std::fs::read(&path).unwrap(), &Levels::default());
            let styles: Result<(), String> = checked.diagnostics.iter().try_for_each(style_of);
            assert_eq!(styles, Ok(()), "{}", path.display());
        }
    }
}

// ---- the codes whose models cannot be shown ----

#[test]
fn l0006_bytes_that_are_not_utf8() {
    let cases: [(&[u8], Range<usize>); 4] = [
        (
            b"action tick; // caf\xE9\nprocess P {\n    init state s;\n\n    s -> s : tick;\n}\n",
            19..20,
        ),
        (b"\xFF\xFE", 0..1),
        (b"// \xC3", 3..4),
        (b"// \x80 and \xFF, which is reported once", 3..4),
    ];
    for (bytes, expected) in cases {
        let checked = check(bytes, &Levels::default());
        let [only] = checked.diagnostics.as_slice() else { panic!("{}", said(&checked)) };
        assert_eq!(only.entry.code, "L0006");
        assert_eq!(place(only, &checked), expected, "{}", said(&checked));
        assert_eq!(style_of(only), Ok(()));
    }
}

#[test]
fn p0005_nesting_that_is_too_deep() {
    const DEEP: usize = 100_000;
    let nested = |open: &str, inside: &str, close: &str| {
        format!("{}{inside}{}", open.repeat(DEEP), close.repeat(DEEP))
    };
    let constant = |sort: &str, value: String| format!("const c: {sort} = {value};\n");
    let process = "action tick;\n\nprocess P {\n    init state s;\n\n    s -> s : tick;\n}\n\n";
    let prefix = "net Same(X: any) {\n    <X: ?a> -> a;\n}\n\n";
    let connect = nested("[", "M.tick", "]");
    let models = [
        ("minus in parentheses", constant("Int", nested("(- ", "1", ")"))),
        ("not", constant("Bool", nested("not ", "true", ""))),
        ("minus", constant("Int", nested("- ", "1", ""))),
        ("else if", constant("Int", nested("if true then 1 else ", "2", ""))),
        ("if in if", constant("Int", nested("if true then ", "2", " else 1"))),
        ("implications", constant("Bool", nested("true => ", "true", ""))),
        ("sorts", format!("const c: {};\n", nested("[Int]", "Int", ""))),
        ("keys of sorts", format!("const c: {};\n", nested("[", "Int", "]Int"))),
        ("indices", format!("const c: [Int]Int;\nconst d: Int = {};\n", nested("c[", "1", "]"))),
        ("calls", format!("fun f(x: Int): Int;\nconst d: Int = {};\n", nested("f(", "1", ")"))),
        (
            "connectors",
            format!("{process}net N {{\n    sub M = P;\n\n    connect tick : {connect};\n}}\n"),
        ),
        ("instances", format!("{process}{prefix}net N = {};\n", nested("Same(", "P", ")"))),
    ];
    let complaints: Vec<String> = models
        .into_iter()
        .filter_map(|(name, model)| {
            let _ = format(&model);
            let checked = check(model, &Levels::default());
            let codes: Vec<&str> = checked.diagnostics.iter().map(|one| one.entry.code).collect();
            let styles: Result<(), String> = checked.diagnostics.iter().try_for_each(style_of);
            (codes != ["P0005"] || styles.is_err()).then(|| {
                let all: String = said(&checked).chars().take(500).collect();
                format!("{name}: {} diagnostics, {styles:?}\n{all}", codes.len())
            })
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn parentheses_alone_may_be_deep_but_not_endless() {
    let nested =
        |depth: usize| format!("const c: Int = {}1{};\n", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(said(&check(nested(900), &Levels::default())), "");
    assert!(format(&nested(900)).is_ok());
    let checked = check(nested(100_000), &Levels::default());
    assert_eq!(checked.diagnostics.len(), 1);
    assert_eq!(checked.diagnostics[0].entry.code, "P0005");
}

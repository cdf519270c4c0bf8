//! What nets are written as: text that elaborates to an equal net, and JSON with a documented schema.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests read the files of the project, and may fail"
)]

use std::path::PathBuf;

use pnetc::diagnostics::{Diagnostic, Severity, Style, render};
use pnetc::driver::{self, Checked, Sources};
use pnetc::elaborate::{self, Options, Target};
use pnetc::emit::{json, text};
use pnetc::pnet::{PNet, same, violations};
use pnetc::sema::program::ModuleId;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Files of the project, and one text.
struct Project<'t>(&'t str);

const MODEL: &str = "model.pnet";

impl Sources for Project<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match path {
            MODEL => Ok(self.0.as_bytes().to_vec()),
            _ => std::fs::read(root().join(path)).map_err(|problem| problem.to_string()),
        }
    }
}

/// Checks a model, which may have warnings.
fn checked(path: &str, text: &str) -> Checked {
    let checked = driver::check(&Project(text), path).unwrap();
    let errors = checked.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let shown = |one: &Diagnostic| render(one, &checked.sources, Style { colour: false });
    let errors: Vec<String> = errors.map(shown).collect();
    assert!(errors.is_empty(), "{}\n{}", errors.join("\n"), text);
    checked
}

/// What the module that was asked for declares.
fn targets(checked: &Checked) -> Vec<(String, Target)> {
    let module = checked.program.modules.iter().position(|module| module.is_root).unwrap();
    let all = elaborate::targets(&checked.program, ModuleId(module as u32));
    all.into_iter().map(|(name, target)| (name.to_string(), target)).collect()
}

/// The net of this name; none where elaboration needs to know more.
fn elaborated(checked: &Checked, name: &str) -> Option<PNet> {
    let all = targets(checked);
    // A net goes before a process of the same name.
    let (_, target) = all.iter().rev().find(|(known, _)| known == name).expect(name);
    elaborate::elaborate(&checked.program, *target, &Options::default()).ok()
}

fn net(model: &str, name: &str) -> PNet {
    elaborated(&checked(MODEL, model), name).unwrap()
}

/// Writes a net, and reads it again.
fn again(net: &PNet) -> (String, PNet) {
    let text = text(net);
    let checked = checked(MODEL, &text);
    let all = targets(&checked);
    let (_, target) = all.iter().rev().find(|(name, _)| *name == net.name.as_str()).expect(&text);
    match elaborate::elaborate(&checked.program, *target, &Options::default()) {
        Ok(net) => (text, net),
        Err(problems) => panic!("{problems:?}\n{text}"),
    }
}

/// The differences between a net and what its text elaborates to.
fn difference(net: &PNet) -> Option<String> {
    let (text, again) = again(net);
    assert_eq!(violations(&again), []);
    same(net, &again).err().map(|difference| format!("{}: {difference}\n{text}", net.name))
}

fn round_trip(model: &str, name: &str) -> String {
    let net = net(model, name);
    assert_eq!(difference(&net), None);
    text(&net)
}

// ---- round trips ----

/// The files with this extension below a folder, in order.
fn files(folder: &str) -> Vec<String> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            all.extend(files(&name));
        } else if name.ends_with(".pnet") {
            all.push(name);
        }
    }
    all.sort();
    all
}

#[test]
fn what_is_written_elaborates_to_the_same_net() {
    let mut differences = Vec::new();
    let mut count = 0;
    for path in files("examples").into_iter().chain(files("stdlib")) {
        let checked = checked(&path, "");
        for (name, _) in targets(&checked) {
            // Some need a size, or a set of actions, that only their users know.
            if let Some(net) = elaborated(&checked, &name) {
                count += 1;
                assert_eq!(same(&net, &net), Ok(()));
                differences.extend(difference(&net).map(|found| format!("{path}: {found}")));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(count > 60, "only {count} nets");
}

#[test]
fn what_is_written_is_written_again() {
    for path in files("examples") {
        let checked = checked(&path, "");
        for (name, _) in targets(&checked) {
            if let Some(net) = elaborated(&checked, &name) {
                let (first, net) = again(&net);
                let (second, net) = again(&net);
                assert_eq!(again(&net).0, second, "{path}: {first}");
            }
        }
    }
}

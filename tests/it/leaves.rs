//! Processes that come from files: `process Medium = lts "medium.aut";`.

use crate::common::sources;
use crate::common::{Memory, Patience};
use pnetc::diagnostics::Severity;
use pnetc::elaborate::ElaborateOptions;
use pnetc::model::Checked;
use pnetc::session::Session;
use pnetc::verify;

const AUT: &str = "des (0, 5, 4)\n(0, \"a\", 1)\n(1, \"put(2)\", 2)\n(2, i, 0)\n(2, \"ERR, y\", 2)\n(3, \"never\", 0)\n";

fn files(model: &str, aut: &str) -> Memory {
    Memory::file("folder/model.pnet", model).and("folder/medium.aut", aut)
}

fn checked(model: &str, aut: &str) -> Checked {
    sources::check(&files(model, aut), "folder/model.pnet")
}

/// The codes of what is said, with the file and the line.
fn said(checked: &Checked) -> Vec<(String, String, usize)> {
    let one = |found: &pnetc::diagnostics::Diagnostic| {
        let file = checked.sources.file_of(found.span()).unwrap();
        let line = file.position(found.span().start).line;
        (found.entry.code.to_owned(), file.name().to_owned(), line)
    };
    checked.diagnostics.iter().map(one).collect()
}

fn clean(model: &str, aut: &str) -> Checked {
    let checked = checked(model, aut);
    assert!(
        checked.diagnostics.iter().all(|one| one.severity != Severity::Error),
        "{:?}",
        checked.diagnostics
    );
    checked
}

fn verdicts(checked: &Checked) -> Vec<&'static str> {
    let options = verify::ModelOptions::default();
    let run = |check| verify::run(checked, check, &options, &Patience::default()).unwrap();
    checked.program.checks.iter().map(|check| run(check).verdict.word()).collect()
}

#[test]
fn states_and_transitions_of_a_file() {
    let model = "action put(0..3);\n\nprocess Medium = lts \"medium.aut\";\n";
    let checked = clean(model, AUT);
    let net = checked.build(Some("Medium"), &ElaborateOptions::default()).unwrap();
    let plts = net.plts.iter().next().unwrap();
    let names: Vec<&str> = plts.states.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(names, ["s0", "s1", "s2"], "what is not reached is left out");
    let labels: Vec<String> = plts
        .transitions
        .iter()
        .map(|one| pnetc::emit::label::transition(&net, one).action)
        .collect();
    assert_eq!(labels, ["a", "put(2)", "tau", "ERR_y"]);
}

/// It behaves as the same process does that somebody wrote, in all that is asked.
#[test]
fn it_is_a_process_like_others() {
    let model = "action a, put(0..3);
        process Medium = lts \"medium.aut\";
        process Written {
            init state x;
            state y, z;
            x -> y : a;
            y -> z : put(2);
            z -> x : tau;
            z -> z : ERR_y;
        }
        process User { init state s; s -> s : put(?n) when n > 1; s -> s : a; }
        net N { sub M = Medium; sub U = User; <M: put(x), U: put(x)> -> put(x); <M: a, U: a> -> a; <M: tau> -> tau; }
        check bisimilar(Medium, Written);
        check deadlock_free(Medium);
        check deadlock_free(N);
        check not reaches(N, M in s1 and M in s2);
        check refines(N, Written);
        check live(Medium, ERR_y);
        check size(Medium) == (3, 4);";
    assert_eq!(verdicts(&clean(model, AUT)), ["proved"; 7]);
}

#[test]
fn forms_of_labels() {
    let aut = "des (0, 6, 6)\n(0, \"PUT !2 !true\", 1)\n(1, \"put (1, false)\", 2)\n(2, tau, 3)\n(3, \"GO\", 4)\n\
               (4, \"put(1)\", 5)\n(5, \"sync go\", 0)\n";
    let model = "action put(0..3, Bool), go;\n\nprocess Medium = lts \"medium.aut\";\n";
    let checked = clean(model, aut);
    let net = checked.build(Some("Medium"), &ElaborateOptions::default()).unwrap();
    let plts = net.plts.iter().next().unwrap();
    let label = |one| pnetc::emit::label::transition(&net, one).action;
    let labels: Vec<String> = plts.transitions.iter().map(label).collect();
    assert_eq!(
        labels,
        ["put(2, true)", "put(1, false)", "tau", "go", "put_1", "sync go"],
        "another number of values is another action"
    );
    let named = "process Medium = lts \"medium.aut\" tau \"GO\";\n";
    let checked = clean(named, aut);
    let net = checked.build(Some("Medium"), &ElaborateOptions::default()).unwrap();
    let plts = net.plts.iter().next().unwrap();
    let label = |one| pnetc::emit::label::transition(&net, one).action;
    let labels: Vec<String> = plts.transitions.iter().map(label).collect();
    assert_eq!(labels[2..4], ["`tau`", "tau"]);
}

#[test]
fn what_is_wrong_is_said_with_its_places() {
    let model = "process Medium = lts \"medium.aut\";\n\ncheck deadlock_free(Medium);\n";
    let broken = checked(model, "des (0, 1, 2)\n(0, \"a\", 1)\n(1, \"b\")\n");
    assert_eq!(said(&broken), [("N0100".to_owned(), "folder/model.pnet".to_owned(), 1)]);
    let place = &broken.diagnostics[0].secondary[0];
    let file = broken.sources.file_of(place.span).unwrap();
    assert_eq!((file.name(), file.position(place.span.start).line), ("folder/medium.aut", 3));
    let missing = sources::check(&Memory::file("model.pnet", model), "model.pnet");
    assert_eq!(said(&missing), [("N0100".to_owned(), "model.pnet".to_owned(), 1)]);
    // Values that an action does not have are reported where they stand.
    let model = "action put(0..2);\n\nprocess Medium = lts \"medium.aut\";\n";
    let wrong = checked(model, AUT);
    assert!(
        said(&wrong)
            .iter()
            .any(|(_, file, line)| (file.as_str(), *line) == ("folder/medium.aut", 3)),
        "{:?}",
        said(&wrong)
    );
}

#[test]
fn a_changed_file_is_read_again() {
    let model = "process Medium = lts \"medium.aut\";\n";
    let session = Session::default();
    let states = |aut: &str| {
        let checked = session.check(&files(model, aut), "folder/model.pnet").unwrap();
        let net = checked.build(Some("Medium"), &ElaborateOptions::default()).unwrap();
        net.plts.iter().next().unwrap().states.len()
    };
    assert_eq!(states(AUT), 3);
    assert_eq!(states("des (0, 1, 1)\n(0, \"a\", 0)\n"), 1);
    assert_eq!(states(AUT), 3);
}

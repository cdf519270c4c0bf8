//! What is said, word for word where it matters: nobody is sent the wrong way, and nothing is said twice.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests run the command and write files, and may fail"
)]

use std::process::Command;

/// What a command says about a model, without the frames of its messages.
fn said(command: &[&str], name: &str, model: &str) -> String {
    let folder = std::env::temp_dir().join(format!("pnet-words-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("m.pnet"), model).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let [verb, rest @ ..] = command else { panic!("no command") };
    let done = run.arg(verb).arg("m.pnet").args(rest).current_dir(&folder).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let texts = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    texts.concat()
}

/// Each of these texts is said once.
fn once(said: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(said.matches(text).count(), 1, "`{text}` in\n{said}");
    }
}

/// None of these texts is said.
fn never(said: &str, texts: &[&str]) {
    for text in texts {
        assert!(!said.contains(text), "`{text}` in\n{said}");
    }
}

/// A net with two holes.
const SPEC: &str = "\
action a, b;

interface Client { a }

interface Server { b }

process Double {
    init state s;

    s -> s : b;
}

net Spec(C: Client, S: Server) {
    <C: a, S: b> -> a;
    <C: tau>     -> tau;
    <S: tau>     -> tau;
}
";

#[test]
fn nets_are_named_as_in_the_check() {
    let model = format!("{SPEC}\ncheck refines(Spec(S: Double), Spec);\n");
    let said = said(&["verify"], "refines", &model);
    once(&said, &["`Spec` has a hole `S`, and `Spec(S: Double)` has none", "`tracking { C }`"]);
}

#[test]
fn what_is_proposed_for_tracking_works() {
    let model = format!("{SPEC}\ncheck refines(Spec(S: Double), Spec) tracking {{ C }};\n");
    once(&said(&["verify"], "tracking", &model), &["proved   check refines"]);
}

#[test]
fn bisimilarity_has_no_tracking() {
    let model = format!("{SPEC}\ncheck bisimilar(Spec(S: Double), Spec);\n");
    let said = said(&["verify"], "bisimilar", &model);
    once(&said, &["fill it on both sides, or on neither"]);
    never(&said, &["tracking"]);
}

/// The name that is proposed for an input is not that of the variable, nor of another one.
#[test]
fn inputs_get_names_of_their_own() {
    let model = "\
action get(Int), put(Int, Int);

process P {
    var x: Int = 0;
    var v: Int = 0;
    init state s;

    s -> s : get(?x);
    s -> s : put(x, v);
}
";
    let said = said(&["check"], "inputs", model);
    once(&said, &["write `?y` and `do x := y`"]);
}

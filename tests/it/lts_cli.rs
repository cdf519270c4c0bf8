//! `pnet reduce`, `pnet info` and `pnet compare` with files, from outside.

use crate::cli::Folder;

const CHOSEN: &str = "des (0, 4, 4)\n(0, \"a\", 1)\n(0, \"a\", 2)\n(1, \"b\", 3)\n(2, \"c\", 3)\n";
const OFFERED: &str = "des (0, 3, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n(1, \"c\", 2)\n";
const SILENT: &str =
    "des (0, 5, 5)\n(0, i, 1)\n(1, \"a\", 2)\n(2, i, 3)\n(3, i, 2)\n(3, \"b\", 4)\n";
const WRONG: &str = "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\")\n";
const MODEL: &str = "action tick, tock;\n\nprocess Clock {\n    init state s;\n    state t;\n    state u;\n\n    \
                     s -> t : tick;\n    t -> u : tau;\n    u -> s : tock;\n}\n";

fn folder(name: &str) -> Folder {
    let files = [
        ("chosen.aut", CHOSEN),
        ("offered.aut", OFFERED),
        ("silent.aut", SILENT),
        ("wrong.aut", WRONG),
        ("clock.pnet", MODEL),
    ];
    Folder::new(name, &files)
}

#[test]
fn reduce_writes_a_smaller_system() {
    let folder = folder("lts_reduce");
    let done = folder.pnet(&["reduce", "silent.aut", "--branching", "--tau", "i"]);
    done.says(0, &["5 states, 5 transitions reduced to 3 states, 2 transitions (branching)"]);
    assert_eq!(done.out, "des (0, 2, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n");
    let args = ["reduce", "silent.aut", "--dpbranching", "--tau", "i", "-o", "small.aut"];
    assert_eq!(folder.pnet(&args).says(0, &["3 states, 3 transitions"]).out, "");
    assert_eq!(
        folder.read("small.aut"),
        "des (0, 3, 3)\n(0, \"a\", 1)\n(1, i, 1)\n(1, \"b\", 2)\n"
    );
    let json = folder.pnet(&["reduce", "chosen.aut", "--trace", "--format", "json"]).json();
    assert_eq!(json[0]["relation"], "trace");
    assert_eq!(json[0]["after"], serde_json::json!({ "states": 3, "transitions": 3 }));
    let from_input = folder.pnet_with(&["reduce", "-", "--weak-trace"], CHOSEN);
    assert_eq!(from_input.out, OFFERED);
}

#[test]
fn reduce_says_what_is_wrong() {
    let folder = folder("lts_reduce_wrong");
    folder.pnet(&["reduce", "wrong.aut", "--strong"]).says(
        2,
        &[
            "error[F0102]: this line is no transition",
            "wrong.aut:3:5",
            "(1, \"b\")",
            "second comma",
        ],
    );
    folder.pnet(&["reduce", "nothing.aut", "--strong"]).says(2, &["there is no such file"]);
    folder.pnet(&["reduce", "clock.pnet", "--strong"]).says(2, &["--emit aut"]);
    folder.pnet(&["reduce", "chosen.aut"]).says(2, &["--branching"]);
    folder.pnet(&["reduce", "chosen.aut", "--strong", "--weak"]).says(2, &["cannot be used with"]);
    let args = ["reduce", "chosen.aut", "--trace", "--most-states", "1"];
    let done = folder.pnet(&args);
    done.says(3, &["nothing was written: the deterministic system has more than 1 states"]);
    assert_eq!(done.out, "");
    folder.pnet(&["reduce", "silent.aut", "--weak"]).says(0, &["warning[F0105]", "silent.aut:2:5"]);
    folder.pnet(&["reduce", "silent.aut", "--weak", "--deny", "F0105"]).says(2, &["error[F0105]"]);
    let json = folder.pnet(&["reduce", "wrong.aut", "--strong", "--format", "json"]).json();
    assert_eq!((&json[0]["code"], &json[0]["span"]["start"]["line"]), (&"F0102".into(), &3.into()));
    assert_eq!(json[0]["span"]["start"]["byte"], 30);
}

#[test]
fn info_tells_what_is_there() {
    let folder = folder("lts_info");
    let done = folder.pnet(&["info", "silent.aut", "--tau", "i"]);
    let expected = "5 states, 5 transitions, at most 4 steps away\n\
                    1 deadlock, the nearest after `i`, `a`, `i`, `b`\n\
                    3 silent steps, 2 states on silent circles, the nearest after `i`, `a`\n\
                    not deterministic: 3 states with a silent step, or with two of the same label\n\
                    3 labels:\n  i (3)\n  a (1)\n  b (1)\n";
    assert_eq!((done.status, done.out.as_str()), (0, expected), "{}", done.err);
    let json = folder.pnet(&["info", "offered.aut", "--format", "json"]).json();
    let json = &json[0];
    assert_eq!((&json["states"], &json["deterministic"]), (&3.into(), &true.into()));
    assert_eq!(json["to_deadlock"], serde_json::json!(["a", "b"]));
    assert_eq!(
        json["labels"][0],
        serde_json::json!({ "label": "a", "silent": false, "transitions": 1 })
    );
}

#[test]
fn compare_tells_systems_apart() {
    let folder = folder("lts_compare");
    let compare = |args: &[&str]| {
        let done = folder.pnet(&[&["compare", "chosen.aut", "offered.aut"], args].concat());
        (done.status, done.out.clone())
    };
    let proved = "proved: `chosen.aut` and `offered.aut` are alike by their traces; reduced together, they have 6 states\n";
    assert_eq!(compare(&["--trace"]), (0, proved.to_owned()));
    let (status, out) = compare(&[]);
    assert_eq!(status, 1);
    assert_eq!(
        out,
        "refuted: `chosen.aut` and `offered.aut` are not strongly bisimilar\n\
         no trace tells them apart; only in `chosen.aut` holds:\n  <a>not <c>true\n"
    );
    let (status, out) = compare(&["--failures", "--refines"]);
    assert_eq!(status, 1);
    assert_eq!(
        out,
        "refuted: `chosen.aut` does not refine `offered.aut` by stable failures\n\
         after `a`, only `chosen.aut` can come to rest where it does nothing but `b`\n"
    );
    assert_eq!(compare(&["--safety", "--refines"]).0, 0);
    assert_eq!(compare(&["--weak-trace", "--refines"]).0, 0);
    let done = folder.pnet(&["compare", "offered.aut", "silent.aut", "--weak-trace", "--tau", "i"]);
    assert_eq!(done.status, 1);
    assert!(done.out.ends_with("only `offered.aut` does: `a`, `c`\n"), "{}", done.out);
    let args = ["compare", "offered.aut", "chosen.aut", "--weak", "--format", "json"];
    let json = folder.pnet(&args).json();
    assert_eq!((&json[0]["verdict"], &json[0]["relation"]), (&"refuted".into(), &"weak".into()));
    assert_eq!(json[0]["difference"]["kind"], "formula");
}

#[test]
fn compare_says_what_cannot_be_asked() {
    let folder = folder("lts_compare_wrong");
    let says = |args: &[&str], text: &str| {
        folder.pnet(&[&["compare"], args].concat()).says(2, &[text]);
    };
    says(&["chosen.aut", "offered.aut", "--refines"], "a relation that goes one way");
    says(&["chosen.aut", "offered.aut", "--weak", "--refines"], "a relation that goes one way");
    says(&["chosen.aut", "offered.aut", "--trace", "--failures"], "only one relation");
    says(&["chosen.aut", "clock.pnet"], "two files, `A.aut B.aut`");
    says(&["clock.pnet", "Clock", "Clock", "--branching"], "--emit aut");
    says(&["clock.pnet", "Clock", "Clock", "--strong", "--refines"], "a relation of its own");
    says(&["chosen.aut", "wrong.aut"], "error[F0102]");
    folder.pnet(&["compare", "clock.pnet", "Clock", "Clock", "--weak"]).says(0, &[]);
}

#[test]
fn what_explore_writes_is_read() {
    let folder = folder("lts_explore");
    folder.pnet(&["explore", "clock.pnet", "--emit", "aut", "-o", "clock.aut"]).says(0, &[]);
    assert_eq!(
        folder.read("clock.aut"),
        "des (0, 3, 3)\n(0, \"tick\", 1)\n(1, tau, 2)\n(2, \"tock\", 0)\n"
    );
    let done = folder.pnet(&["reduce", "clock.aut", "--branching"]);
    assert_eq!(done.says(0, &[]).out, "des (0, 2, 2)\n(0, \"tick\", 1)\n(1, \"tock\", 0)\n");
    let cadp = ["explore", "clock.pnet", "--emit", "aut", "--tau", "i", "-o", "clock.i.aut"];
    folder.pnet(&cadp).says(0, &[]);
    let args = ["compare", "clock.aut", "clock.i.aut", "--tau", "i,tau"];
    folder.pnet(&args).says(0, &[]);
}

//! `pnet reduce`, `pnet info` and `pnet compare` with files, from outside.

use crate::cli::Folder;

const CHOSEN: &str = "des (0, 4, 4)\n(0, \"a\", 1)\n(0, \"a\", 2)\n(1, \"b\", 3)\n(2, \"c\", 3)\n";
const OFFERED: &str = "des (0, 3, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n(1, \"c\", 2)\n";
const SILENT: &str =
    "des (0, 5, 5)\n(0, i, 1)\n(1, \"a\", 2)\n(2, i, 3)\n(3, i, 2)\n(3, \"b\", 4)\n";
const WRONG: &str = "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\")\n";
const MODEL: &str = "action tick, tock;\n\nprocess Clock {\n    init state s;\n    state t;\n    state u;\n\n    \
                     s -> t : tick;\n    t -> u : tau;\n    u -> s : tock;\n}\n\nprocess Ticks {\n    init state s;\n    state t;\n\n    \
                     s -> t : tick;\n    t -> s : tock;\n}\n\naction give(Int);\n\nprocess Open {\n    \
                     init state s;\n\n    s -> s : give(?x);\n}\n\nprocess Unset {\n    var w: Bool;\n    \
                     init state s;\n\n    s -> s : tick when w;\n}\n\nprocess Quiet {\n    init state s;\n    \
                     state t;\n\n    s -> t : sync tick;\n    t -> s : tock;\n}\n";

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
    folder.pnet(&["reduce", "clock.pnet", "Block", "--strong"]).says(2, &["did you mean `Clock`?"]);
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
    says(&["clock.pnet", "chosen.aut", "offered.aut"], "two files, `A.aut B.aut`");
    says(&["clock.pnet", "Clock", "Clock", "chosen.aut"], "two files, `A.aut B.aut`");
    says(&["clock.pnet", "Clock", "chosen.aut", "--refines"], "a relation that goes one way");
    says(&["clock.pnet", "Open", "Clock", "--trace"], "there is no end of values for `x`");
    says(&["clock.pnet", "Unset", "Clock", "--trace"], "it can begin in 2 configurations");
    says(&["clock.pnet", "Clock", "Clock", "--strong", "--refines"], "a relation of its own");
    says(&["chosen.aut", "wrong.aut"], "error[F0102]");
    folder.pnet(&["compare", "clock.pnet", "Clock", "Clock", "--weak"]).says(0, &[]);
}

#[test]
fn nets_are_systems() {
    let folder = folder("lts_nets");
    let done = folder.pnet(&["reduce", "clock.pnet", "Clock", "--branching"]);
    done.says(0, &["3 states, 3 transitions reduced to 2 states, 2 transitions (branching)"]);
    assert_eq!(done.out, "des (0, 2, 2)\n(0, \"tick\", 1)\n(1, \"tock\", 0)\n");
    // `sync` is silent where silent steps do not count, and an action where they do.
    let quiet = |by: &str| folder.pnet(&["reduce", "clock.pnet", "Quiet", by]).out.clone();
    assert_eq!(quiet("--strong"), "des (0, 2, 2)\n(0, \"sync tick\", 1)\n(1, \"tock\", 0)\n");
    assert_eq!(quiet("--weak"), "des (0, 1, 1)\n(0, \"tock\", 0)\n");
    let done = folder.pnet(&["info", "clock.pnet", "Clock"]);
    done.says(0, &[]);
    assert!(
        done.out.starts_with("3 states, 3 transitions, at most 2 steps away\n"),
        "{}",
        done.out
    );
    let args = ["info", "clock.pnet", "Open", "--domain", "Int=0..2"];
    let done = folder.pnet(&args);
    done.says(0, &["only the values of `--domain` were tried"]);
    assert!(done.out.contains("give(0) (1)\n  give(1) (1)\n"), "{}", done.out);
}

#[test]
fn nets_and_files_are_compared() {
    let folder = folder("lts_mixed");
    let compare = |args: &[&str]| {
        let done = folder.pnet(&[&["compare"], args].concat());
        (done.status, done.out.clone())
    };
    assert_eq!(compare(&["clock.pnet", "Clock", "Ticks", "--branching"]).0, 0);
    assert_eq!(compare(&["clock.pnet", "Clock", "Ticks", "--failures-divergences"]).0, 0);
    assert_eq!(
        compare(&["clock.pnet", "Clock", "Ticks", "--trace"]),
        (
            1,
            "refuted: `Clock` and `Ticks` are not alike by their traces\n\
             only `Clock` does: `tick`, `tau`\n"
                .to_owned()
        )
    );
    folder.pnet(&["explore", "clock.pnet", "Ticks", "--emit", "aut", "-o", "t.aut"]).says(0, &[]);
    assert_eq!(compare(&["clock.pnet", "Clock", "t.aut", "--weak"]).0, 0);
    assert_eq!(compare(&["t.aut", "clock.pnet", "Clock"]).0, 1);
    assert_eq!(compare(&["clock.pnet", "Ticks", "t.aut"]).0, 0);
    assert_eq!(compare(&["t.aut", "clock.pnet", "Clock", "--weak-trace", "--refines"]).0, 0);
    let two = ["clock.pnet", "Ticks", "./clock.pnet", "Clock", "--dpbranching"];
    assert_eq!(compare(&two).0, 0);
    let limited = ["clock.pnet", "Open", "Open", "--safety", "--domain", "Int=0..2"];
    let (status, out) = compare(&limited);
    assert_eq!(status, 3);
    assert!(out.starts_with("unknown: only the values of `--domain` were tried"), "{out}");
    // Checks are answered configuration by configuration, or by the solver.
    let by = |engine| compare(&["clock.pnet", "Clock", "Ticks", "--weak", "--engine", engine]);
    let (status, out) = by("finite");
    assert_eq!(status, 0);
    assert!(out.contains("by 3 pairs of configurations, of 5 in all"), "{out}");
    assert!(by("symbolic").1.contains("by a relation of 3 pairs of states"));
    assert_eq!(compare(&["clock.pnet", "Open", "Clock", "--engine", "explicit"]).0, 3);
}

#[test]
fn what_explore_writes_is_read() {
    let folder = folder("lts_explore");
    folder
        .pnet(&["explore", "clock.pnet", "Clock", "--emit", "aut", "-o", "clock.aut"])
        .says(0, &[]);
    assert_eq!(
        folder.read("clock.aut"),
        "des (0, 3, 3)\n(0, \"tick\", 1)\n(1, tau, 2)\n(2, \"tock\", 0)\n"
    );
    let done = folder.pnet(&["reduce", "clock.aut", "--branching"]);
    assert_eq!(done.says(0, &[]).out, "des (0, 2, 2)\n(0, \"tick\", 1)\n(1, \"tock\", 0)\n");
    let cadp =
        ["explore", "clock.pnet", "Clock", "--emit", "aut", "--tau", "i", "-o", "clock.i.aut"];
    folder.pnet(&cadp).says(0, &[]);
    let args = ["compare", "clock.aut", "clock.i.aut", "--tau", "i,tau"];
    folder.pnet(&args).says(0, &[]);
}

#[test]
fn draw_makes_pictures() {
    let folder = folder("lts_draw");
    let done = folder.pnet(&["draw", "silent.aut", "--tau", "i"]);
    assert!(done.says(0, &[]).out.starts_with("<svg "), "{}", done.out);
    assert_eq!(done.out.matches("class=\"state deadlock\"").count(), 1, "{}", done.out);
    assert_eq!(done.out.matches("class=\"arrow silent\"").count(), 3, "{}", done.out);
    let args = ["draw", "chosen.aut", "--emit", "dot", "-o", "chosen.dot"];
    assert_eq!(folder.pnet(&args).says(0, &[]).out, "");
    assert!(folder.read("chosen.dot").starts_with("digraph \"chosen.aut\" {\n"));
    let far = folder.pnet(&["draw", "chosen.aut", "--full", "0"]).out;
    assert!(far.contains(">after 0<") && far.contains("1 deadlock"), "{far}");
    let piped = folder.pnet_with(&["draw", "-"], CHOSEN).out;
    assert!(piped.contains("<title>standard input</title>"), "{piped}");
    folder.pnet(&["draw", "wrong.aut"]).says(2, &["error[F0102]", "wrong.aut:3:5"]);
    // A net is drawn as what `explore` makes of it.
    folder.pnet(&["explore", "clock.pnet", "Clock", "--emit", "aut", "-o", "Clock"]).says(0, &[]);
    let net = folder.pnet(&["draw", "clock.pnet", "Clock", "--emit", "dot"]);
    let file = folder.pnet_with(&["draw", "-", "--emit", "dot"], &folder.read("Clock"));
    assert_eq!((net.status, net.out), (0, file.out.replace("standard input", "Clock")));
    folder.pnet(&["draw", "clock.pnet", "Nobody"]).says(2, &["Nobody"]);
}

#[test]
fn the_result_is_shown_to_be_the_smallest() {
    let folder = folder("lts_coarsest");
    let args = ["reduce", "silent.aut", "--branching", "--tau", "i", "--coarsest"];
    let done = folder.pnet(&[&args[..], &["--formulas", "why.jsonl"]].concat());
    done.says(0, &["no two of ", "formula"]);
    let states = done.out.lines().next().unwrap().trim_end_matches(')').rsplit(", ").next();
    let states: usize = states.unwrap().parse().unwrap();
    assert_eq!(folder.read("why.jsonl").lines().count(), states - 1);
    let json = folder.pnet(&[&args[..], &["--format", "json"]].concat()).json();
    assert_eq!(json[0]["coarsest"], states - 1);
    folder.pnet(&["reduce", "silent.aut", "--safety", "--coarsest"]).says(2, &["--coarsest"]);
    folder.pnet(&["reduce", "silent.aut", "--weak", "--formulas", "x"]).says(2, &["--coarsest"]);
}

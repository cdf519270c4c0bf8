//! What somebody found who set out to break networks: files that lie, labels that look alike, limits that nobody looked at.

use crate::cli::{Done, Folder};

/// Checks the exit status, and that each of these texts is in what was written or said.
#[track_caller]
fn told(done: &Done, status: i32, texts: &[&str]) {
    assert_eq!(done.status, status, "{}{}", done.out, done.err);
    for text in texts {
        let is_there = done.out.contains(text) || done.err.contains(text);
        assert!(is_there, "no `{text}` in:\n{}{}", done.out, done.err);
    }
}

/// One step, and then nothing more.
const STUCK: &str = "action a, b;
    process X { init state s; state t; s -> t : a; }
    process Y { init state s; s -> s : a; }
    net N { sub P = X; sub Q = Y; <P: a, Q: a> -> a; }
";

/// What parts have forgotten, the whole does not know: a relation that is too coarse for a check is refused, also that of
/// parts, and the result does not claim to preserve more than its parts do.
#[test]
fn parts_preserve_what_a_check_asks() {
    let folder = Folder::new("attacked_leaf", &[]);
    for (relations, status, said) in [
        ("leaf trace;", 2, "reduces its parts by `trace`, which is not enough for `deadlock_free`"),
        ("leaf branching;", 2, "write `leaf dpbranching;`"),
        ("leaf safety; root dpbranching;", 2, "not enough for `root dpbranching`"),
        ("leaf dpbranching;", 1, "refuted"),
        ("leaf strong; root dpbranching;", 1, "refuted"),
    ] {
        let text =
            format!("{STUCK} reduction Red of N {{ {relations} }} check deadlock_free(N) by Red;");
        folder.write("leaf.pnet", &text);
        told(&folder.pnet(&["verify", "leaf.pnet"]), status, &[said]);
    }
    let text = format!(
        "{STUCK} reduction Red of N {{ leaf trace; }} check always(N, P in s) by Red; check always(N, P in s or P in t) by Red;"
    );
    folder.write("leaf.pnet", &text);
    let done = folder.pnet(&["verify", "leaf.pnet"]);
    told(&done, 1, &["1 proved, 1 refuted"]);
    assert!(!done.out.contains("by branching"), "{}", done.out);
}

/// Labels that differ stay different in what is written.
#[test]
fn quotes_inside_of_labels_stay() {
    let text =
        "des (0, 4, 5)\n(0, \"a\"b\", 1)\n(0, \"a'b\", 2)\n(0, \"a\\b\", 3)\n(1, \"c\", 4)\n";
    let folder = Folder::new("attacked_quotes", &[("quotes.aut", text)]);
    told(&folder.pnet(&["reduce", "quotes.aut", "--strong", "-o", "again.aut"]), 0, &[]);
    told(&folder.pnet(&["compare", "quotes.aut", "again.aut", "--strong"]), 0, &["proved"]);
    assert!(folder.read("again.aut").contains("\"a\"b\""));
}

/// A net and the file that it writes are the same, by all relations.
#[test]
fn a_net_is_like_its_own_file() {
    let text = "action a, b;
        process X { init state s; state t, u; s -> t : a; t -> u : b; u -> s : a; }
        process Y { init state s; s -> s : a; s -> s : b; }
        net N { sub P = X; sub Q = Y; <P: a, Q: a> -> sync a; <P: b> -> b; }";
    let folder = Folder::new("attacked_sync", &[("sync.pnet", text)]);
    told(&folder.pnet(&["explore", "sync.pnet", "N", "--emit", "aut", "-o", "sync.aut"]), 0, &[]);
    told(&folder.pnet(&["build", "sync.pnet", "N", "--emit", "exp", "-o", "sync.exp"]), 0, &[]);
    for file in ["sync.aut", "sync.exp"] {
        for by in ["--strong", "--branching", "--dpbranching", "--weak", "--trace", "--weak-trace"]
        {
            told(&folder.pnet(&["compare", "sync.pnet", "N", file, by]), 0, &["proved"]);
            told(&folder.pnet(&["compare", file, "sync.pnet", "N", by]), 0, &["proved"]);
        }
    }
}

/// The silent action has the name in formulas that it has in the files.
#[test]
fn a_visible_tau_is_not_the_silent_action() {
    let first = "des (0, 3, 4)\n(0, \"c\", 1)\n(1, \"tau\", 2)\n(0, \"c\", 3)\n";
    let second = "des (0, 4, 4)\n(0, \"c\", 1)\n(1, \"tau\", 2)\n(0, \"c\", 3)\n(3, i, 2)\n";
    let folder = Folder::new("attacked_tau", &[("first.aut", first), ("second.aut", second)]);
    let done = folder.pnet(&["compare", "first.aut", "second.aut", "--strong", "--tau", "i"]);
    told(&done, 1, &["only `second.aut` does: `c`, `i`"]);
    let second = "des (0, 5, 6)\n(0, \"c\", 1)\n(1, \"tau\", 2)\n(0, \"c\", 3)\n(3, i, 4)\n(3, \"tau\", 5)\n";
    let first = "des (0, 4, 5)\n(0, \"c\", 1)\n(1, \"tau\", 2)\n(0, \"c\", 3)\n(3, i, 4)\n";
    folder.write("first.aut", first);
    folder.write("second.aut", second);
    let done = folder.pnet(&["compare", "first.aut", "second.aut", "--strong", "--tau", "i"]);
    told(&done, 1, &["<i>true", "<tau>true"]);
}

/// A few bytes do not take all memory.
#[test]
fn a_state_far_beyond_all_others_is_a_mistake() {
    let folder = Folder::new(
        "attacked_far",
        &[
            ("far.aut", "des (0, 1, 2)\n(0, \"a\", 4294967294)\n"),
            ("begins.aut", "des (4294967290, 0, 1)\n"),
            ("near.aut", "des (0, 1, 60001)\n(0, \"a\", 60000)\n"),
            ("marked.aut", "\u{feff}des (0, 1, 2)\n(0, \"a\", 1)\n"),
        ],
    );
    let far = folder.pnet(&["info", "far.aut"]);
    told(&far, 2, &["error[F0102]", "far.aut:2:1", "this state is far beyond all others"]);
    told(&folder.pnet(&["info", "begins.aut"]), 2, &["error[F0101]"]);
    told(&folder.pnet(&["info", "near.aut"]), 0, &["60001 states"]);
    told(&folder.pnet(&["info", "marked.aut"]), 0, &["2 states, 1 transition"]);
}

/// Counts of a file are looked at, whoever reads it; and a file belongs to its model.
#[test]
fn files_of_processes_are_looked_at() {
    let model = "process M = lts \"m.aut\"; check deadlock_free(M);";
    let cut = "des (0, 5, 4)\n(0, \"a\", 1)\n(1, \"b\", 0)\n";
    let folder = Folder::new("attacked_counts", &[("m.pnet", model), ("m.aut", cut)]);
    told(&folder.pnet(&["check", "m.pnet"]), 0, &["warning[F0104]", "m.pnet:1", "m.aut:1"]);
    folder.write("m.aut", "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", 0)\n");
    told(&folder.pnet(&["verify", "m.pnet", "--certificate", "proof"]), 0, &["1 proved"]);
    let proof = std::fs::read_dir(folder.path().join("proof")).unwrap().next().unwrap().unwrap();
    let inside = std::fs::read_to_string(proof.path().join("certificate.json")).unwrap();
    assert!(inside.contains("m.aut"), "{inside}");
}

/// A net without end is not made without one, where somebody said how far.
#[test]
fn nets_are_made_as_far_as_somebody_says() {
    let text = "action up; process Up { var n: Int = 0; init state s; s -> s : up do n := n + 1; }
        process Flat { init state s; s -> s : up; }";
    let folder = Folder::new("attacked_most", &[("up.pnet", text)]);
    for args in [
        &["reduce", "up.pnet", "Up", "--strong"][..],
        &["info", "up.pnet", "Up"],
        &["compare", "up.pnet", "Up", "Flat", "--branching"],
    ] {
        let args = [args, &["--most-states", "1000"]].concat();
        let done = folder.pnet(&args);
        assert_ne!(done.status, 0);
        told(&done, done.status, &["more than 1000 configurations"]);
    }
}

/// What ends while the model is read, or soon after, says so.
#[test]
fn too_little_memory_has_words() {
    let folder = Folder::new("attacked_memory", &[]);
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/philosophers.pnet");
    let done = folder.pnet(&["explore", model, "Stubborn<11>", "--memory", "10M"]);
    told(&done, 3, &["memory ran out"]);
}

/// Patterns that fit nothing, and labels that nobody lets happen, are told.
#[test]
fn what_never_happens_in_a_network_is_told() {
    let (sender, receiver) = (
        "des (0, 2, 2)\n(0, \"PUT\", 1)\n(1, \"TIMEOUT\", 0)\n",
        "des (0, 1, 1)\n(0, \"GET\", 0)\n",
    );
    let network = "hide FOO in cut put in rename BAZ -> A in
        par using PUT * GET -> PASS in \"s.aut\" || \"r.aut\" end par end rename end cut end hide";
    let folder = Folder::new(
        "attacked_patterns",
        &[("s.aut", sender), ("r.aut", receiver), ("n.exp", network)],
    );
    let done = folder.pnet(&["info", "n.exp"]);
    told(
        &done,
        0,
        &[
            "warning[F0212]",
            "n.exp:1:6",
            "n.exp:1:17",
            "n.exp:1:31",
            "warning[F0214]",
            "no vector names `TIMEOUT`",
        ],
    );
    folder.write("n.exp", &network.replace("hide FOO", "hide all but PASS"));
    let done = folder.pnet(&["info", "n.exp"]);
    assert!(!done.err.contains("n.exp:1:6"), "{}", done.err);
}

/// A system where a model is meant gets the commands that read it; a list of thousands of parts is cut.
#[test]
fn systems_are_no_models() {
    let one = "des (0, 1, 1)\n(0, \"a\", 0)\n";
    let many = vec!["\"one.aut\""; 200].join(" ||| ");
    let folder = Folder::new("attacked_models", &[("one.aut", one), ("many.exp", &many)]);
    for args in [
        &["check", "one.aut"][..],
        &["verify", "many.exp"],
        &["explore", "many.exp"],
        &["reduce", "one.aut", "Net", "--strong"],
    ] {
        told(&folder.pnet(args), 2, &["and no model: `pnet info`"]);
    }
    let done = folder.pnet(&["restrict", "many.exp", "--part", "x", "--by", "1"]);
    told(&done, 2, &["there is no part `x`", "and 180 more"]);
}

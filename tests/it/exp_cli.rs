//! `pnet reduce`, `pnet info` and `pnet compare` with networks in files, from outside.

use crate::cli::Folder;

const SENDER: &str = "des (0, 2, 2)\n(0, \"PUT !1\", 1)\n(1, \"ACK\", 0)\n";
const RECEIVER: &str = "des (0, 2, 2)\n(0, \"GET !1\", 1)\n(1, \"ACK\", 0)\n";
const NETWORK: &str = "gate par using\n  PUT * GET -> PASS,\n  ACK * ACK -> ACK\nin\n  \"parts/sender.aut\" || \"parts/receiver\"\nend par\n";
const PASSED: &str = "des (0, 2, 2)\n(0, \"PASS !1\", 1)\n(1, \"ACK\", 0)\n";

fn folder(name: &str) -> Folder {
    let files = [
        ("net.exp", NETWORK),
        ("hidden.exp", "hide PASS in \"net.exp\" end hide\n"),
        ("wrong.exp", "\"parts/sender.aut\" || \"parts/nobody.aut\"\n"),
        ("odd.exp", "\"parts/sender.aut\" |[put]| \"parts/sender.aut\"\n"),
        ("large.exp", "\"parts/sender\" ||| \"parts/sender\" ||| \"parts/sender\"\n"),
        ("passed.aut", PASSED),
        ("parts/sender.aut", SENDER),
        ("parts/receiver.aut", RECEIVER),
    ];
    Folder::new(name, &files)
}

#[test]
fn a_network_is_reduced_and_compared_like_a_system() {
    let folder = folder("exp_reduce");
    let done = folder.pnet(&["reduce", "net.exp", "--strong"]);
    done.says(0, &["2 states, 2 transitions reduced to 2 states, 2 transitions (strong)"]);
    assert_eq!(done.out, "des (0, 2, 2)\n(0, \"PASS !1\", 1)\n(1, \"ACK\", 0)\n");
    let done = folder.pnet(&["reduce", "hidden.exp", "--branching", "-o", "small.aut"]);
    done.says(0, &["2 states, 2 transitions reduced to 1 state, 1 transition"]);
    assert_eq!(folder.read("small.aut"), "des (0, 1, 1)\n(0, \"ACK\", 0)\n");
    folder.pnet(&["compare", "net.exp", "passed.aut", "--strong"]).says(0, &[]);
    folder.pnet(&["compare", "passed.aut", "hidden.exp", "--weak-trace"]).says(1, &[]);
}

#[test]
fn info_tells_what_a_network_is_made_of() {
    let folder = folder("exp_info");
    let done = folder.pnet(&["info", "net.exp"]);
    let expected = "2 parts, 2 vectors:\n  parts/sender.aut (2 states, 2 transitions)\n  \
                    parts/receiver (2 states, 2 transitions)\n\
                    2 states, 2 transitions, at most 1 step away\nno deadlocks\nno silent steps\n\
                    deterministic\n2 labels:\n  ACK (1)\n  PASS !1 (1)\n";
    assert_eq!((done.status, done.out.as_str()), (0, expected), "{}", done.err);
    let json = folder.pnet(&["info", "large.exp", "--format", "json"]).json();
    assert_eq!((&json[0]["states"], &json[0]["network"]["vectors"]), (&8.into(), &6.into()));
    assert_eq!(json[0]["network"]["parts"].as_array().unwrap().len(), 3);
    let done = folder.pnet(&["info", "large.exp"]);
    done.says(0, &[]);
    assert!(done.out.contains("parts/sender (2 states, 2 transitions), 3 times\n"), "{}", done.out);
}

#[test]
fn what_is_wrong_with_a_network_is_told() {
    let folder = folder("exp_wrong");
    let wrong =
        ["error[F0207]: this file cannot be read", "wrong.exp:1:23", "there is no such file"];
    folder.pnet(&["info", "wrong.exp"]).says(2, &wrong);
    folder.pnet(&["reduce", "nowhere.exp", "--strong"]).says(2, &["cannot read `nowhere.exp`"]);
    let odd = folder.pnet(&["info", "odd.exp"]);
    odd.says(0, &["warning[F0212]", "upper and lower case count: there is `PUT`"]);
    folder.pnet(&["info", "odd.exp", "--deny", "F0212"]).says(2, &["error[F0212]"]);
    let large = folder.pnet(&["reduce", "large.exp", "--strong", "--most-states", "7"]);
    large.says(
        3,
        &["nothing was written: the product has more than 7 states; raise `--most-states`"],
    );
    folder.pnet(&["info", "large.exp", "--most-states", "8"]).says(0, &[]);
    let json = folder.pnet(&["info", "wrong.exp", "--format", "json"]).json();
    assert_eq!(
        (&json[0]["code"], &json[0]["span"]["start"]["column"]),
        (&"F0207".into(), &23.into())
    );
}

//! `pnet restrict` and `pnet reduce --smart`, from outside.

use crate::cli::Folder;

const BUFFER: &str =
    "des (0, 6, 3)\n(0, a, 1)\n(1, a, 2)\n(2, c, 1)\n(1, c, 0)\n(0, d, 0)\n(1, d, 1)\n";
const TURNS: &str = "des (0, 3, 2)\n(0, a, 1)\n(1, c, 0)\n(0, d, 0)\n";
const FIRST: &str = "des (0, 3, 2)\n(0, a, 1)\n(1, b, 0)\n(0, d, 0)\n";
const SECOND: &str = "des (0, 3, 2)\n(0, c, 1)\n(1, b, 0)\n(0, d, 0)\n";
const NETWORK: &str = "label par using\n  \"a\" * _ * \"a\" -> \"a\",\n  \"b\" * \"b\" * _ -> \"b\",\n  \
                       _ * \"c\" * \"c\" -> \"c\",\n  \"d\" * \"d\" * \"d\" -> \"d\"\nin\n  \
                       \"first.aut\" || \"second.aut\" || \"buffer.aut\"\nend par\n";

fn folder(name: &str) -> Folder {
    let files = [
        ("buffer.aut", BUFFER),
        ("turns.aut", TURNS),
        ("first.aut", FIRST),
        ("second.aut", SECOND),
        ("net.exp", NETWORK),
        ("model.pnet", "action tick;\n"),
    ];
    Folder::new(name, &files)
}

const LEFT: &str = "des (0, 3, 2)\n(0, \"a\", 1)\n(0, \"d\", 0)\n(1, \"c\", 0)\n";

#[test]
fn a_file_is_restricted_by_another() {
    let folder = folder("network_restrict");
    let done = folder.pnet(&["restrict", "buffer.aut", "--by", "turns.aut"]);
    done.says(
        0,
        &[
            "it controls all labels",
            "3 states, 6 transitions restricted to 2 states, 3 transitions, by an interface of 2 states, 3 transitions",
        ],
    );
    assert_eq!(done.out, LEFT);
    let some = folder.pnet(&["restrict", "buffer.aut", "--by", "turns.aut", "--sync", "a,d"]);
    some.says(0, &["it controls `a`, `d`", "to 3 states, 6 transitions"]);
    let most = folder.pnet(&["restrict", "buffer.aut", "--by", "turns.aut", "--free", "d"]);
    most.says(0, &["it controls all labels but `d`", "to 2 states, 4 transitions"]);
    let args =
        ["restrict", "buffer.aut", "--by", "turns.aut", "--format", "json", "-o", "left.aut"];
    let json = folder.pnet(&args).json();
    assert_eq!(json[0]["after"], serde_json::json!({ "states": 2, "transitions": 3 }));
    assert_eq!(json[0]["controls"], serde_json::json!({ "all_but": [] }));
    assert_eq!(folder.read("left.aut"), LEFT);
    let from_input = folder.pnet_with(&["restrict", "-", "--by", "turns.aut"], BUFFER);
    assert_eq!(from_input.out, LEFT);
}

#[test]
fn a_part_of_a_network_is_restricted_by_its_neighbours() {
    let folder = folder("network_restrict_network");
    let args = ["restrict", "net.exp", "--part", "3", "--by", "1,2", "--interface", "by.aut"];
    let done = folder.pnet(&args);
    done.says(0, &["it controls all labels", "restricted to 2 states, 3 transitions"]);
    assert_eq!(done.out, LEFT);
    // What was written leads to the same.
    let again = folder.pnet(&["restrict", "buffer.aut", "--by", "by.aut"]);
    assert_eq!(again.out, LEFT);
    // Neither of the two forbids anything by itself.
    for by in ["1", "2"] {
        let alone = folder.pnet(&["restrict", "net.exp", "--part", "3", "--by", by]);
        alone.says(0, &["restricted to 3 states, 6 transitions"]);
    }
    let args = ["restrict", "net.exp", "--part", "3", "--by", "1,2", "--format", "json"];
    let json = folder.pnet(&args).json();
    assert_eq!(json[0]["by"]["neighbours"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_makes_no_sense_is_told() {
    let folder = folder("network_restrict_wrong");
    let says = |args: &[&str], what: &str| {
        folder.pnet(args).says(2, &[what]);
    };
    says(&["restrict", "buffer.aut"], "--by");
    says(&["restrict", "buffer.aut", "--by", "model.pnet"], "`model.pnet` is no file with");
    says(&["restrict", "model.pnet", "--by", "turns.aut"], "`model.pnet` is no file with");
    says(&["restrict", "buffer.aut", "--by", "none.aut"], "there is no such file");
    says(&["restrict", "buffer.aut", "--by", "turns.aut", "--sync", "a,z"], "`z` is no label");
    says(&["restrict", "buffer.aut", "--by", "turns.aut", "--free", "tau"], "silent action");
    says(&["restrict", "net.exp", "--by", "1"], "which part of the network?");
    says(&["restrict", "net.exp", "--part", "3", "--by", "4"], "there is no part `4`");
    says(&["restrict", "net.exp", "--part", "3", "--by", "3"], "a part is no neighbour of its own");
    says(&["restrict", "buffer.aut", "--part", "3", "--by", "3"], "`--part` is for networks");
    says(&["reduce", "buffer.aut", "--strong", "--smart"], "`--smart` is for networks");
    let args = ["restrict", "buffer.aut", "--by", "turns.aut", "--most-states", "1"];
    folder.pnet(&args).says(3, &["nothing was written: there are more than 1 states"]);
}

#[test]
fn a_network_is_put_together_part_by_part() {
    let folder = folder("network_smart");
    let smart = folder.pnet(&["reduce", "net.exp", "--branching", "--smart"]);
    smart.says(0, &["largest on the way:"]);
    let direct = folder.pnet(&["reduce", "net.exp", "--branching"]);
    assert_eq!(smart.out, direct.out);
    let args = ["reduce", "net.exp", "--weak", "--smart", "--format", "json"];
    let json = folder.pnet(&args).json();
    assert!(json[0]["composition"]["largest"]["states"].as_u64() >= Some(2));
    let args = ["reduce", "net.exp", "--weak", "--smart", "--most-states", "1"];
    folder.pnet(&args).says(
        3,
        &["left to be put together:", "choose a coarser relation", "there are more than 1 states"],
    );
}

/// What is left of a network that is too large is a network to go on with.
#[test]
fn what_is_too_large_is_left_as_a_network() {
    let folder = folder("network_left");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = |name: &str| root.join("examples").join(name).to_string_lossy().into_owned();
    let (transfer, abp) = (example("systems/transfer.exp"), example("abp.pnet"));
    for (what, most) in [(vec![transfer.as_str()], "20"), (vec![abp.as_str(), "ABP"], "8")] {
        let reduce = |more: &[&str]| {
            let args = [&["reduce"], what.as_slice(), &["--branching"], more].concat();
            folder.pnet(&args)
        };
        let failed = reduce(&["--smart", "--most-states", most, "-o", "small.aut"]);
        failed.says(
            3,
            &[
                "left to be put together:",
                "there is no result",
                "what is left, equivalent so far, is in `small.exp`",
                "go on with `pnet reduce small.exp --branching --smart`",
            ],
        );
        assert!(!folder.path().join("small.aut").exists(), "there is no result");
        let on = folder.pnet(&["reduce", "small.exp", "--branching", "--smart", "-o", "on.aut"]);
        assert_eq!(on.status, 0, "{}{}", on.out, on.err);
        assert_eq!(reduce(&["-o", "whole.aut"]).status, 0);
        folder.pnet(&["compare", "on.aut", "whole.aut", "--branching"]).says(0, &[]);
        let json = reduce(&["--smart", "--most-states", most, "--format", "json"]);
        assert_eq!(json.status, 3);
        if what.len() == 1 {
            let object = &json.json()[0];
            assert!(object["left"].as_array().unwrap().len() > 1, "{object}");
            assert!(object["reason"].as_str().unwrap().contains("more than 20 states"));
        }
        reduce(&["--smart", "--most-states", most]).says(3, &["`-o FILE` writes what is left"]);
    }
}

/// What a part was restricted by is kept, and restricts it again.
#[test]
fn interfaces_are_kept() {
    let folder = folder("network_kept");
    let args = ["reduce", "net.exp", "--branching", "--smart", "--keep", "kept", "-o", "x.aut"];
    folder.pnet(&args).says(0, &[]);
    let list = folder.read("kept/interfaces.jsonl");
    let lines = list.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<serde_json::Value> = lines.collect();
    let buffer = lines.iter().find(|line| line["of"] == "buffer.aut").unwrap();
    let file = format!("kept/{}", buffer["file"].as_str().unwrap());
    let info = folder.pnet(&["info", &file, "--format", "json"]).json();
    assert_eq!(info[0]["states"], buffer["interface"]["size"]["states"]);
    let free = buffer["interface"]["controls"]["all_but"].as_array().unwrap().iter();
    let free: Vec<&str> = free.map(|label| label.as_str().unwrap()).collect();
    let free = free.join(",");
    let mut args = vec!["restrict", "buffer.aut", "--by", &file];
    if !free.is_empty() {
        args.extend(["--free", &free]);
    }
    assert_eq!(folder.pnet(&args).says(0, &[]).out, LEFT);
    let net = ["reduce", "net.exp", "--branching", "--keep", "kept"];
    folder.pnet(&net).says(2, &["--smart"]);
}

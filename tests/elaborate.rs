//! Elaboration: every example becomes a net without violations, and the laws of filling and families hold.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests may"
)]

use pnetc::diagnostics::{Style, render};
use pnetc::driver::{self, BuildFailure, Checked, Sources};
use pnetc::elaborate::Options;
use pnetc::pnet::{Content, PNet, violations};
use pnetc::sema::program::Sort;

struct Text(&'static str);

impl Sources for Text {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == "model.pnet" {
            Ok(self.0.as_bytes().to_vec())
        } else {
            Err("no such file".to_owned())
        }
    }
}

struct Disk;

impl Sources for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|problem| problem.to_string())
    }
}

fn show(failure: BuildFailure, checked: &Checked) -> String {
    match failure {
        BuildFailure::Problems(all) => {
            all.iter().map(|d| render(d, &checked.sources, Style { colour: false })).collect()
        }
        other => format!("{other:?}"),
    }
}

fn build(text: &'static str, net: &str) -> PNet {
    let checked = driver::check(&Text(text), "model.pnet").unwrap();
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    driver::build(&checked, Some(net), &Options::default())
        .unwrap_or_else(|failure| panic!("{}", show(failure, &checked)))
}

fn codes(text: &'static str, net: &str) -> Vec<&'static str> {
    let checked = driver::check(&Text(text), "model.pnet").unwrap();
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    match driver::build(&checked, Some(net), &Options::default()) {
        Err(BuildFailure::Problems(all)) => all.iter().map(|d| d.entry.code).collect(),
        Err(other) => panic!("{other:?}"),
        Ok(_) => Vec::new(),
    }
}

#[test]
fn every_example_elaborates() {
    let mut built = 0;
    for folder in ["examples", "examples/tutorial"] {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "pnet") {
                continue;
            }
            let path = path.to_str().unwrap().to_owned();
            let checked = driver::check(&Disk, &path).unwrap();
            for (name, _) in driver::targets(&checked) {
                let mut options = Options::default();
                for constant in &checked.program.consts {
                    let is_number = matches!(constant.sort, Sort::Int | Sort::Range(_));
                    if constant.body.is_none() && is_number {
                        options.set.insert(constant.named.name, 3.into());
                    }
                }
                match driver::build(&checked, Some(name.as_str()), &options) {
                    Ok(net) => {
                        assert_eq!(violations(&net), Vec::new(), "{path}: {name}");
                        built += 1;
                    }
                    // A family whose size is a parameter, or a set of actions, needs a net around it.
                    Err(BuildFailure::Problems(all))
                        if all.iter().all(|d| matches!(d.entry.code, "E0101" | "E0110")) => {}
                    Err(failure) => panic!("{path}: {name}: {}", show(failure, &checked)),
                }
            }
        }
    }
    assert!(built > 40, "only {built} nets were built");
}

#[test]
fn enable_left_has_the_holes_of_its_author() {
    let checked = driver::check(&Disk, "examples/enable.pnet").unwrap();
    let net = driver::build(&checked, Some("EnableLeft"), &Options::default()).unwrap();
    let holes: Vec<&str> = net.holes.iter().map(|hole| hole.path.as_str()).collect();
    assert_eq!(holes, ["P", "Q", "R"]);
    let leaves: Vec<String> = net.leaves().into_iter().map(|(path, _)| path).collect();
    assert_eq!(leaves, ["P.C", "C"]);
    assert_eq!(net.nodes.len(), 2);
    assert!(matches!(net.root, Content::Node(_)));
}

#[test]
fn holes_that_stay_open_are_named_by_their_path() {
    let model = "action a, b;
        process P { init state s; s -> s : a; s -> s : b; }
        net Two(L: any, R: any) { <L: ?x> -> x; <R: ?x> -> x; }
        net Half = Two(R: P);
        net Whole { sub left = Two(L: P); sub right = Half; <left: ?x> -> x; <right: ?x> -> x; }
        net Closed = Whole(left.R: P, right.L: P);";
    let net = build(model, "Whole");
    let holes: Vec<&str> = net.holes.iter().map(|hole| hole.path.as_str()).collect();
    assert_eq!(holes, ["left.R", "right.L"]);
    assert!(build(model, "Closed").holes.is_empty());
}

#[test]
fn data_chooses_members() {
    let model = "action call(Int, Int), serve(Int);
        process Server { var n: Int = 0; init state s; s -> s : serve(?v) when v > n do n := v; }
        process Client { var n: Int = 0; init state s; s -> s : call(n, 7) do n := n + 1; }
        net N {
            sub C = Client;
            sub S[i: 0..3] = Server;
            <C: call(k, v), S[k]: serve(v)> -> call(k, v);
        }";
    let net = build(model, "N");
    assert_eq!(net.nodes[0].vectors.len(), 3);
    assert_eq!(net.nodes[0].parts.len(), 4);
}

#[test]
fn connectors_have_exactly_the_feasible_interactions() {
    let checked = driver::check(&Disk, "examples/failure_monitor_bip.pnet").unwrap();
    let net = driver::build(&checked, None, &Options::default()).unwrap();
    let node = net.nodes.last().unwrap();
    let mut interactions: Vec<Vec<String>> = node
        .vectors
        .iter()
        .map(|v| v.members.iter().map(|m| node.parts[m.part].name.to_string()).collect())
        .collect();
    interactions.sort();
    let wanted: Vec<Vec<&str>> = vec![
        vec!["B"],
        vec!["B"],
        vec!["B", "C", "T"],
        vec!["B", "C", "T"],
        vec!["C", "T"],
        vec!["C", "T"],
        vec!["T"],
    ];
    assert_eq!(interactions, wanted);
}

#[test]
fn priorities_become_rivals() {
    let model = "action tick, ask, timeout;
        process C { init state s; s -> s : ask; }
        process T { init state s; s -> s : tick; s -> s : timeout; }
        net N {
            sub c = C;
            sub t = T;
            connect tick : t.tick;
            connect ask : c.ask t.timeout;
            priority tick < ask;
        }
        net Open(c: any) {
            sub t = T;
            connect tick : t.tick;
            connect ask : c.ask t.timeout;
            priority tick < ask;
        }
        net Most {
            sub c = C;
            sub t = T;
            connect ask : c.ask' t.timeout;
            connect tick : t.tick;
            priority maximal;
        }";
    let net = build(model, "N");
    let rivals: Vec<usize> = net.nodes[0].vectors.iter().map(|v| v.rivals.len()).collect();
    assert_eq!(rivals, [1, 0]);
    assert_eq!(codes(model, "Open"), ["E0108"]);
    let most = build(model, "Most");
    let rivals: Vec<usize> = most.nodes[0].vectors.iter().map(|v| v.rivals.len()).collect();
    assert_eq!(rivals, [1, 0, 0]);
}

#[test]
fn what_cannot_be_elaborated_is_reported() {
    let model = "const N: Int;
        action a(Int), b;
        process P<i: Int> { init state s; s -> s : a(i); }
        net Unknown { sub S[i: 0..N] = P<i>; <S[i]: a(x)> -> a(x) for i in 0..N; }
        net Sized<n: Int> { sub S[i: 0..n] = P<i>; <S[i]: a(x)> -> a(x) for i in 0..n; }
        net Empty = Sized<0>;
        net Outside<n: Int> { sub S[i: 0..n] = P<i>; <S[i + 1]: a(x)> -> a(x) for i in 0..n; }
        net Neighbour = Outside<3>;
        net Huge = Sized<100000000>;
        net Hidden<H: actions>(P: any) { <P: ?x> -> x when x not in H; <P: b> -> tau; }";
    assert_eq!(codes(model, "Unknown"), ["E0101"]);
    assert_eq!(codes(model, "Empty"), ["E0102"]);
    assert_eq!(codes(model, "Neighbour"), ["E0104"]);
    assert_eq!(codes(model, "Huge"), ["E0103"]);
    assert_eq!(codes(model, "Hidden"), ["E0110"]);
}

//! Elaboration: every example becomes a net without violations, and the laws of filling and families hold.
use crate::common::sources;
use pnetc::diagnostics::{Style, render};
use pnetc::elaborate::ElaborateOptions;
use pnetc::model::{self, BuildFailure, Checked};
use pnetc::pnet::{Content, NodeId, PNet, same, violations};
use pnetc::sema::program::{ConstId, Sort};
use std::sync::Arc;

fn show(failure: BuildFailure, checked: &Checked) -> String {
    match failure {
        BuildFailure::Problems(all) => {
            all.iter().map(|d| render(d, &checked.sources, Style { colour: false })).collect()
        }
        other => format!("{other:?}"),
    }
}

fn build(text: &'static str, net: &str) -> PNet {
    let checked = sources::check_all(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    checked
        .build(Some(net), &ElaborateOptions::default())
        .map(Arc::unwrap_or_clone)
        .unwrap_or_else(|failure| panic!("{}", show(failure, &checked)))
}

fn codes(text: &'static str, net: &str) -> Vec<&'static str> {
    let checked = sources::check_all(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    match checked.build(Some(net), &ElaborateOptions::default()) {
        Err(BuildFailure::Problems(all)) => all.iter().map(|d| d.entry.code).collect(),
        Err(other) => panic!("{other:?}"),
        Ok(_) => Vec::new(),
    }
}

#[test]
fn every_example_elaborates() {
    let mut built = 0;
    for folder in ["examples", "examples/laws", "examples/safety", "examples/tutorial"] {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "pnet") {
                continue;
            }
            let path = path.to_str().unwrap().to_owned();
            let checked = sources::check(&sources::PROJECT, &path);
            for (name, _) in checked.targets() {
                let mut options = ElaborateOptions::default();
                for (at, constant) in checked.program.consts.iter().enumerate() {
                    let is_number = matches!(constant.sort, Sort::Int | Sort::Range(_));
                    if constant.body.is_none() && is_number {
                        options.set.insert(ConstId(at as u32), 3);
                    }
                }
                match checked.build(Some(name.as_str()), &options) {
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
    let checked = sources::check(&sources::PROJECT, "examples/enable.pnet");
    let net = checked.build(Some("EnableLeft"), &ElaborateOptions::default()).unwrap();
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
    assert_eq!(net.nodes[NodeId(0)].vectors.len(), 3);
    assert_eq!(net.nodes[NodeId(0)].parts.len(), 4);
}

#[test]
fn connectors_have_exactly_the_feasible_interactions() {
    let checked = sources::check(&sources::PROJECT, "examples/failure_monitor_bip.pnet");
    let net = checked.build(None, &ElaborateOptions::default()).unwrap();
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
    let rivals: Vec<usize> = net.nodes[NodeId(0)].vectors.iter().map(|v| v.rivals.len()).collect();
    assert_eq!(rivals, [1, 0]);
    assert_eq!(codes(model, "Open"), ["E0108"]);
    let most = build(model, "Most");
    let rivals: Vec<usize> = most.nodes[NodeId(0)].vectors.iter().map(|v| v.rivals.len()).collect();
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

// ---- laws ----

fn net_of(checked: &Checked, name: &str) -> PNet {
    checked
        .build(Some(name), &ElaborateOptions::default())
        .map(Arc::unwrap_or_clone)
        .unwrap_or_else(|failure| panic!("{name}: {}", show(failure, checked)))
}

/// Whether two nets are the same but for what they are called.
fn alike(a: &PNet, mut b: PNet) -> Result<(), String> {
    b.name = a.name;
    same(a, &b).map_err(|difference| difference.to_string())
}

#[test]
fn filling_in_any_order_gives_the_same_net() {
    let model = "action a, b, c;
        process A { init state s; s -> s : a; }
        process B { init state s; s -> s : b; }
        net Two(P: any, Q: any) { <P: ?x> -> x; <Q: ?x> -> x; <P: a, Q: b> -> c; }
        net PFirst(Q: any) = Two(A, Q);
        net PQ = PFirst(B);
        net QFirst(P: any) = Two(P: P, Q: B);
        net QP = QFirst(A);
        net Both = Two(A, B);
        net ByPath { sub left = Two; sub right = Two; <left: ?x> -> x; <right: ?x> -> x; }
        net One = ByPath(left.P: A, left.Q: B, right.P: A, right.Q: B);
        net Other = ByPath(right.Q: B, right.P: A, left.Q: B, left.P: A);
        net Written { sub left = Two(A, B); sub right = Two(A, B); <left: ?x> -> x; <right: ?x> -> x; }";
    for (one, other) in [("PQ", "QP"), ("PQ", "Both"), ("One", "Other"), ("One", "Written")] {
        assert_eq!(alike(&build(model, one), build(model, other)), Ok(()), "{one} and {other}");
    }
}

#[test]
fn a_family_is_its_copies_written_by_hand() {
    let model = "action a(Int), b(Int), pass(Int);
        process P<i: Int> { init state s; s -> s : a(i); s -> s : b(?x) when x != i; }
        net Family { sub S[i: 0..3] = P<i>; <S[i]: a(x), S[(i + 1) mod 3]: b(x)> -> pass(x) for i in 0..3; }
        net Copies {
            sub S0 = P<0>; sub S1 = P<1>; sub S2 = P<2>;
            <S0: a(x), S1: b(x)> -> pass(x);
            <S1: a(x), S2: b(x)> -> pass(x);
            <S2: a(x), S0: b(x)> -> pass(x);
        }";
    assert_eq!(alike(&build(model, "Family"), build(model, "Copies")), Ok(()));
}

#[test]
fn renaming_holes_commutes_with_elaboration() {
    let with = |p: &str, q: &str| -> &'static str {
        let model = format!(
            "action a, b;
             net Two({p}: any, {q}: any) {{ <{p}: ?x> -> x when x is not a; <{p}: a, {q}: b> -> b; <{q}: ?x> -> x; }}
             net Nested({p}: any, {q}: any, R: any) = Two(Two({p}, {q}), R);"
        );
        Box::leak(model.into_boxed_str())
    };
    let (a, b) = (build(with("P", "Q"), "Nested"), build(with("Left", "Right"), "Nested"));
    let names = |net: &PNet| net.holes.iter().map(|hole| hole.path.clone()).collect::<Vec<_>>();
    assert_eq!(names(&a), ["P", "Q", "R"]);
    assert_eq!(names(&b), ["Left", "Right", "R"]);
    let mut renamed = b.clone();
    for (hole, name) in renamed.holes.iter_mut().zip(names(&a)) {
        hole.path = name;
    }
    assert_eq!(same(&a, &renamed), Ok(()));
}

/// How many nets of a program are the same after they were printed and elaborated again.
fn reprinted(text: &[u8]) -> usize {
    let checked = crate::common::check_text(text.to_vec());
    let mut compared = 0;
    for (name, _) in checked.targets() {
        // What cannot be elaborated by itself is not what this is about.
        let Ok(net) = checked.build(Some(name.as_str()), &ElaborateOptions::default()) else {
            continue;
        };
        assert_eq!(violations(&net), Vec::new(), "{name}");
        let printed = pnetc::emit::text(&net);
        let again = crate::common::check_text(printed.as_bytes().to_vec());
        assert!(!again.has_errors(), "{name}: {printed}\n{:?}", again.diagnostics);
        let twin = net_of(&again, name.as_str());
        assert_eq!(same(&net, &twin), Ok(()), "{name}:\n{printed}");
        compared += 1;
    }
    compared
}

#[test]
fn printed_nets_elaborate_to_themselves() {
    let make = |random: &mut crate::common::Random| {
        crate::common::valid::valid_program(random, 120).into_bytes()
    };
    let compared = crate::common::seeds::for_seeds("printed nets", 40, make, reprinted);
    assert!(compared > 100, "only {compared} nets were compared");
}

#[test]
fn settings_and_depth_are_reported() {
    let model = "const N: Int; const M: Int = 2; action a(Int);
        process P<i: Int> { init state s; s -> s : a(i); }
        net Row { sub S[i: 0..N] = P<i>; <S[i]: a(x)> -> a(x) for i in 0..N; }";
    let mut checked = sources::check_all(model);
    let mut with = |text: &str| {
        let settled = model::settle(&mut [&mut checked], &[text.to_owned()]);
        if let Some((_, problem)) = settled.problems.first() {
            return Err(problem.entry.code);
        }
        let options =
            ElaborateOptions { set: settled.settings[0].clone(), ..ElaborateOptions::default() };
        Ok(checked.build(None, &options).unwrap().plts.len())
    };
    assert_eq!(with("N=4"), Ok(4));
    for text in ["M=4", "Unknown=4", "N=four", "N=true", "N=", "N"] {
        assert_eq!(with(text), Err("E0109"), "{text}");
    }
    let mut deep = String::from("action a; process P { init state s; s -> s : a; } net N0 = P;\n");
    for level in 1..400 {
        deep += &format!("net N{level} {{ sub X = N{}; <X: a> -> a; }}\n", level - 1);
    }
    assert_eq!(codes(Box::leak(deep.into_boxed_str()), "N399"), ["E0105"]);
}

#[test]
fn a_mistake_inside_a_library_net_shows_the_instantiation() {
    let model = "import std.buffers; net Mine = FifoCells<0>;";
    let checked = sources::check_all(model);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let Err(BuildFailure::Problems(all)) = checked.build(None, &ElaborateOptions::default()) else {
        panic!("an empty family was accepted")
    };
    let in_view = all[0].secondary.iter().any(|label| {
        checked.sources.file_of(label.span).unwrap().name() == "model.pnet"
            && checked.sources.text(label.span) == "FifoCells<0>"
    });
    assert!(in_view, "{:?}", all[0]);
}

/// Appends nets to a program that show the laws on its own components; how many laws were looked at.
fn laws(text: &[u8]) -> usize {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let checked = crate::common::check_text(text.clone());
    let program = &checked.program;
    let in_root = |module: pnetc::sema::program::ModuleId| program.modules[module.index()].is_root;
    let mut more = String::from(
        "\naction law_a, law_b;\nprocess LawA { init state s; s -> s : law_a; }\n\
         process LawB { init state s; s -> s : law_b; }\n",
    );
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (number, net) in program.nets.iter().enumerate() {
        let open: Vec<String> = net
            .holes
            .iter()
            .filter(|hole| hole.interface.is_none() && hole.family.is_none())
            .map(|hole| format!("`{}`", hole.name.name))
            .collect();
        let [p, q, ..] = open.as_slice() else { continue };
        if net.parameters > 0 || !in_root(net.named.module) || net.holes.len() > open.len() {
            continue;
        }
        let name = format!("`{}`", net.named.name);
        more += &format!(
            "net LawP{number} = {name}({p}: LawA);\nnet LawPQ{number} = LawP{number}({q}: LawB);\n\
             net LawQ{number} = {name}({q}: LawB);\nnet LawQP{number} = LawQ{number}({p}: LawA);\n\
             net LawNew{number}(X1: any, X2: any) = {name}({p}: X1, {q}: X2);\n\
             net LawFilled{number} = LawNew{number}(LawA, LawB);\n"
        );
        pairs.push((format!("LawPQ{number}"), format!("LawQP{number}")));
        // Holes under new names, then filled, are the holes filled under the old ones.
        pairs.push((format!("LawPQ{number}"), format!("LawFilled{number}")));
    }
    for (number, process) in program.processes.iter().enumerate() {
        if process.parameters > 0 || !in_root(process.named.module) {
            continue;
        }
        let (name, n) = (format!("`{}`", process.named.name), number % 4 + 1);
        more += &format!(
            "net LawFamily{number} {{ sub S[i: 0..{n}] = {name}; <S[i]: ?a> -> a for i in 0..{n}; }}\n\
             net LawCopies{number} {{\n"
        );
        (0..n).for_each(|i| more += &format!("sub S{i} = {name};\n"));
        (0..n).for_each(|i| more += &format!("<S{i}: ?a> -> a;\n"));
        more += "}\n";
        pairs.push((format!("LawFamily{number}"), format!("LawCopies{number}")));
    }
    let checked = crate::common::check_text(text + &more);
    assert!(!checked.has_errors(), "{more}\n{:?}", checked.diagnostics);
    let mut looked_at = 0;
    for (one, other) in &pairs {
        let build = |name: &str| checked.build(Some(name), &ElaborateOptions::default());
        match (build(one), build(other)) {
            (Ok(a), Ok(b)) => assert_eq!(
                alike(&a, Arc::unwrap_or_clone(b)),
                Ok(()),
                "{one} and {other} of\n{more}"
            ),
            // A connector without meaning, or a priority on a hole, is one on both sides.
            (Err(_), Err(_)) => continue,
            (a, b) => panic!("{one}: {:?}, but {other}: {:?}\n{more}", a.err(), b.err()),
        }
        looked_at += 1;
    }
    looked_at
}

#[test]
fn laws_hold_on_random_programs() {
    let make = |random: &mut crate::common::Random| {
        crate::common::valid::valid_program(random, 120).into_bytes()
    };
    let looked_at = crate::common::seeds::for_seeds("laws", 60, make, laws);
    assert!(looked_at > 100, "only {looked_at} laws were looked at");
}

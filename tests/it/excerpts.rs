//! `--emit pnet`: what a net needs of its texts, as it was written, which is the same net.

use pnetc::elaborate::ElaborateOptions;
use pnetc::model::{Checked, Wanted, settle};
use pnetc::pnet::{PNet, same};
use std::sync::Arc;

use crate::common::sources::{self, Memory};
use crate::common::{Random, check_text, seeds, valid};

fn excerpt(checked: &Checked, name: &str, options: &ElaborateOptions) -> Option<String> {
    let net = checked.build(Some(name), options).unwrap();
    checked.excerpt(Wanted::Named(Some(name)), &net, options)
}

#[track_caller]
fn of(files: Memory, name: &str) -> Option<String> {
    let checked = sources::check(&files, "model.pnet");
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    excerpt(&checked, name, &ElaborateOptions::default())
}

fn is_same(net: &PNet, text: &str, name: &str) -> Result<(), String> {
    let again = check_text(text);
    // A variable that only checks read is not read any more.
    let said = again.diagnostics.iter().filter(|one| one.entry.code != "W0306");
    let said: Vec<&String> = said.map(|one| &one.message).collect();
    if !said.is_empty() {
        return Err(format!("{said:?}"));
    }
    let twin = again.build(Some(name), &ElaborateOptions::default());
    let twin: Arc<PNet> = twin.map_err(|failure| format!("{failure:?}"))?;
    same(net, &twin).map_err(|difference| difference.to_string())
}

/// Every net of every example is printed as it was written, without a complaint about what is printed.
#[test]
fn every_example_has_excerpts() {
    let (mut count, mut complaints) = (0, Vec::new());
    for folder in ["examples", "examples/laws", "examples/safety", "examples/tutorial"] {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "pnet") {
                continue;
            }
            let path = path.to_str().unwrap().to_owned();
            let checked = sources::check(&sources::PROJECT, &path);
            let is_quiet = checked.diagnostics.is_empty();
            for (name, _) in checked.targets() {
                let options = ElaborateOptions::default();
                let Ok(net) = checked.build(Some(name.as_str()), &options) else { continue };
                let wanted = Wanted::Named(Some(name.as_str()));
                // The states of a process from a file stand in that file.
                let from_file = std::fs::read_to_string(&path).unwrap().contains("= lts \"");
                match checked.excerpt(wanted, &net, &options) {
                    None if from_file => {}
                    None => complaints.push(format!("{path}: {name} has no excerpt")),
                    Some(text) => match is_same(&net, &text, name.as_str()) {
                        Err(why) if is_quiet => {
                            complaints.push(format!("{path}: {name}: {why}\n{text}"));
                        }
                        _ => count += 1,
                    },
                }
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    assert!(count > 80, "{count}");
}

const MODEL: &str = "\
/// Two of a kind.
module two;

import std.glue;
import std.list;

action a, b, c(Int), together;

// What nobody needs.
fun other(x: Int): Int = x + 1;

/// Does one thing.
process P<n: Int> {
    // First this, then that.
    init state s;

    s -> s : c(n + twice(n));
}

/// Twice as much.
fun twice(x: Int): Int = x + x; // no more

net Later = All<3>;

net All<n: Int> {
    sub M[i: 0..n] = P<i>;

    connect together : Meet<n>([M[i].c for i in 0..n]);
}

connector Meet<n: Int>(p[i: 0..n]: port(x: Int)) {
    [p[i] for i in 0..n] when p[0].x >= 0;
}

check deadlock_free(Later);
";

#[test]
fn what_is_needed_is_kept_as_it_was_written() {
    let printed = of(Memory::file("model.pnet", MODEL), "Later").unwrap();
    let wanted = "\
/// Two of a kind.
module two;

action c(Int), together;

/// Does one thing.
process P<n: Int> {
    // First this, then that.
    init state s;

    s -> s : c(n + twice(n));
}

/// Twice as much.
fun twice(x: Int): Int = x + x;  // no more

net All<n: Int> {
    sub M[i: 0..n] = P<i>;

    connect together : Meet<n>([M[i].c for i in 0..n]);
}

connector Meet<n: Int>(p[i: 0..n]: port(x: Int)) {
    [p[i] for i in 0..n] when p[0].x >= 0;
}

net Later = All<3>;
";
    assert_eq!(printed, wanted);
}

/// What other files declare stands in the one text, without the names of these files.
#[test]
fn other_files_are_taken_in() {
    let files = Memory::file(
        "model.pnet",
        "import \"parts.pnet\" as parts;\nimport std.glue (Rendezvous);\n\nnet Main {\n    sub A = parts.P;\n    sub B = parts.P;\n\n    \
         connect meet : Rendezvous<2>([A.go B.go]);\n}\n\naction meet;\nimport \"acts.pnet\";\n",
    )
    .and("parts.pnet", "import \"acts.pnet\";\nprocess P { init state s; s -> s : go; }\n")
    .and("acts.pnet", "action go, stop;\n");
    let printed = of(files, "Main").unwrap();
    for kept in ["import std.glue (Rendezvous);", "action go;", "process P {", "sub A = P;"] {
        assert!(printed.contains(kept), "{printed}");
    }
    assert!(!printed.contains("parts."), "{printed}");
}

/// Names that mean different things in different files cannot stand in one text.
#[test]
fn names_that_clash_are_written_out() {
    let files = Memory::file(
        "model.pnet",
        "import \"a.pnet\" as a;\nimport \"b.pnet\" as b;\naction go;\n\
         net Main { sub A = a.P; sub B = b.P; <A: ?x> -> x; <B: ?x> -> x; }\n",
    )
    .and("a.pnet", "action go;\nprocess P { init state s; s -> s : go; }\n")
    .and("b.pnet", "action stop;\nprocess P { init state s; s -> s : stop; }\n");
    assert_eq!(of(files, "Main"), None);
}

#[test]
fn constants_have_the_values_they_are_set_to() {
    let text = "const N: Int;\naction a(Int);\nprocess P<i: Int> { init state s; s -> s : a(i); }\n\
        net Row { sub S[i: 0..N] = P<i>; <S[i]: a(x)> -> a(x) for i in 0..N; }\n";
    let mut checked = check_text(text);
    let settled = settle(&mut [&mut checked], &["N=4".to_owned()]);
    let set = settled.settings[0].clone();
    let options = ElaborateOptions { set, ..ElaborateOptions::default() };
    let printed = excerpt(&checked, "Row", &options).unwrap();
    assert!(printed.contains("const N: Int = 4;"), "{printed}");
}

/// Names of any characters, in all places, in both ways of printing and in pictures.
#[test]
fn odd_names_stay() {
    let text = "action `a b`(Int), `send !1`, `net`;
        process `P, (1)` {
            var `v w`: Int = 0;
            init state `s 0`;
            state t;

            `s 0` -> t : `a b`(`v w`) do `v w` := `v w` + 1;
            t -> `s 0` : `send !1`;
        }
        net `N N` {
            sub `A B` = `P, (1)`;
            sub C = `P, (1)`;

            <`A B`: `a b`(x), C: `a b`(x)> -> `a b`(x);
            connect `send !1` : `A B`.`send !1`' C.`send !1`;
        }";
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let options = ElaborateOptions::default();
    let net = checked.build(Some("N N"), &options).unwrap();
    let excerpt = checked.excerpt(Wanted::Named(None), &net, &options).unwrap();
    for printed in [excerpt, pnetc::emit::text(&net)] {
        let again = check_text(printed.as_str());
        assert!(!again.has_errors(), "{printed}");
        let twin = again.build(Some("N N"), &options).unwrap();
        assert_eq!(same(&net, &twin), Ok(()), "{printed}");
        for kept in ["`a b`(", "`send !1`"] {
            assert!(printed.contains(kept), "{printed}");
        }
    }
    assert!(pnetc::emit::svg(&net).contains("send !1"));
    for wrong in ["``", "` a`", "`a.b`", "`a[1]`", "`<`"] {
        let checked = check_text(format!("action {wrong};"));
        let codes: Vec<&str> = checked.diagnostics.iter().map(|one| one.entry.code).collect();
        assert!(codes.contains(&"L0003"), "{wrong}: {codes:?}");
    }
}

/// Definitions of a module that has a name are reached through it; a part of that name is a part.
/// Of several actions in one declaration, those that are left out bring no import.
/// A word of the language is no name where it is used as that.
#[test]
fn words_are_not_names() {
    let text = "action quot(Int), rem, let, with, assert, go(Int);

data M { Pair(a: Int, b: Int) }

process Words {
    init state s;

    s -> s : quot(3);
    s -> s : rem;
    s -> s : let;
    s -> s : with;
    s -> s : assert;
}

process P {
    var m: M = Pair(1, 2);
    init state s;

    s -> s : go(let x = m.a quot 2 in x) assert m.b rem 2 == 0 do m := m with { a := 3 };
}
";
    let found = of(Memory::file("model.pnet", text), "P").unwrap();
    assert!(found.starts_with("action go(Int);"), "{found}");
}

#[test]
fn what_is_left_out_needs_no_import() {
    let text = "import std.list;
import std.glue;

action put(Int), get(Int), pass(Int), all(List<Int>);

process Gives { init state s; s -> s : put(1); }
process Takes { init state s; s -> s : get(_); }
process Lists { init state s; s -> s : all(Nil); }

net Line {
    sub G = Gives;
    sub T = Takes;
    connect pass(from.value) : Send(G.put, T.get);
}

net Other { sub L = Lists; <L: all(l)> -> all(l); }
";
    let checked = check_text(text);
    let options = ElaborateOptions::default();
    let net = checked.build(Some("Line"), &options).unwrap();
    let excerpt = excerpt(&checked, "Line", &options).unwrap();
    assert_eq!(is_same(&net, &excerpt, "Line"), Ok(()), "{excerpt}");
    assert!(excerpt.contains("Send(G.put, T.get)") && !excerpt.contains("std.list"), "{excerpt}");
}

#[test]
fn definitions_are_reached_through_names_of_imports() {
    let glue = "connector Both(p: port, q: port) { p q; }\nconnector All<n: Int>(p[i: 0..n]: port) { [p[i] for i in 0..n]; }\n";
    let model = |uses: &str| {
        format!(
            "import \"glue.pnet\" as g;\naction tick, go, also;\nprocess P {{ init state s; s -> s : tick; }}\n\
             net Main {{ sub A = P; sub B = P; {uses} }}\n"
        )
    };
    let short =
        model("connect go : g.Both(A.tick, B.tick); connect also : g.All<2>([A.tick B.tick]);");
    let long = model("connect go : A.tick B.tick; connect also : A.tick B.tick;");
    let files = |text: &str| Memory::file("model.pnet", text).and("glue.pnet", glue);
    let built = |text: &str| {
        let checked = sources::check(&files(text), "model.pnet");
        assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
        checked.build(None, &ElaborateOptions::default()).unwrap()
    };
    assert_eq!(same(&built(&short), &built(&long)), Ok(()));
    let printed = of(files(&short), "Main").unwrap();
    assert!(printed.contains("connect go   : Both(A.tick, B.tick);"), "{printed}");
    let formatted = pnetc::syntax::format::format(&short).unwrap();
    assert!(formatted.contains("connect also : g.All<2>([A.tick B.tick]);"), "{formatted}");
    let wrong = model("connect go : g.Bth(A.tick, B.tick);");
    let checked = sources::check(&files(&wrong), "model.pnet");
    assert!(checked.diagnostics.iter().any(|one| one.entry.code == "N0223"), "{wrong}");
}

/// How many nets of a random program have an excerpt.
fn of_random(text: &[u8]) -> usize {
    let checked = check_text(text.to_vec());
    let options = ElaborateOptions::default();
    let mut count = 0;
    for (name, _) in checked.targets() {
        let Ok(net) = checked.build(Some(name.as_str()), &options) else { continue };
        let wanted = Wanted::Named(Some(name.as_str()));
        let text = checked.excerpt(wanted, &net, &options);
        let text = text.unwrap_or_else(|| panic!("{name} has no excerpt"));
        let again = check_text(text.as_str());
        assert!(!again.has_errors(), "{text}");
        let twin = again.build(Some(name.as_str()), &options).unwrap();
        assert_eq!(same(&net, &twin), Ok(()), "{text}");
        count += 1;
    }
    count
}

#[test]
fn random_nets_have_excerpts() {
    let make = |random: &mut Random| valid::valid_program(random, 120).into_bytes();
    let count = seeds::for_seeds("excerpts", 30, make, of_random);
    assert!(count > 80, "only {count} nets were compared");
}

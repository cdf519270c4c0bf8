//! Imports of rules, nodes and networks: what is written, that it checks, and what is said about broken files.

use crate::common::exp::Files;
use crate::common::said::Said;
use crate::common::seeds::{fuzz, seeds};
use crate::common::sources::{self, Memory};
use crate::common::systems::read;
use crate::common::{Patience, Random};
use crate::exp_agrees::random_files;
use pnetc::base::Unwatched;
use pnetc::diagnostics::{Diagnostic, Levels};
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::Domains;
use pnetc::explore::search::SearchLimits;
use pnetc::finite::{LabelView, lts_of};
use pnetc::import::{ImportKind, ImportOptions, Imported, import};
use pnetc::lts::{Equivalence, Lts, LtsQuestion, ReduceLimits, compare};
use pnetc::model::Checked;
use pnetc::network::ProductLimits;
use pnetc::syntax::format::format;
use pnetc::verify;

/// Imports a file among others.
pub fn imported(path: &str, files: &Files) -> Imported {
    let kind = ImportKind::of(path).unwrap();
    import(path, kind, &ImportOptions::default(), files, &Unwatched)
}

/// Codes with where they are: `F0302 ring.rec:3:5`.
pub fn said(imported: &Imported) -> Vec<String> {
    let one = |one: &Diagnostic| {
        let file = imported.sources.file_of(one.span()).unwrap();
        let at = file.position(one.span().start);
        format!("{} {}:{}:{}", one.entry.code, file.name(), at.line, at.column)
    };
    imported.diagnostics.iter().map(one).collect()
}

/// The model of a file that nothing is to be said about.
#[track_caller]
fn model(path: &str, files: &Files) -> String {
    let imported = imported(path, files);
    assert_eq!(said(&imported), Vec::<String>::new());
    imported.model.unwrap()
}

/// The same files, and a model beside them.
fn beside(files: &Files, model: &str) -> Memory {
    let all = files.0.iter();
    let memory =
        all.fold(Memory::default(), |memory, (name, bytes)| memory.and(name, bytes.clone()));
    memory.and("model.pnet", model)
}

/// What is said about a model unless one asks for more.
pub fn told(checked: &Checked) -> Vec<String> {
    let shown = checked.diagnostics.iter().filter_map(|one| Levels::default().apply(one.clone()));
    shown
        .map(|one| {
            format!("{}: {} at `{}`", one.entry.code, one.message, checked.sources.text(one.span()))
        })
        .collect()
}

/// The system of a net of a model, which must check without a word.
#[track_caller]
pub fn system(files: &Files, model: &str, net: &str) -> Lts {
    let checked = sources::check(&beside(files, model), "model.pnet");
    assert_eq!(told(&checked), Vec::<String>::new(), "\n{model}");
    let name = net.trim_matches('`');
    let net = checked.build(Some(name), &ElaborateOptions::default()).unwrap();
    let asked = (LabelView::hiding(false), "tau");
    let limits = SearchLimits::default();
    lts_of((&net, &Domains::default()), asked, &limits, &Unwatched).unwrap().0
}

/// Whether two systems are strongly bisimilar.
pub fn alike(first: Lts, second: Lts) -> bool {
    let asked = LtsQuestion::Equivalent(Equivalence::Strong);
    compare(first, second, asked, ReduceLimits::default(), &Unwatched).unwrap().holds
}

/// A system by its steps.
pub fn written_down(initial: usize, states: usize, steps: &[(usize, String, usize)]) -> Lts {
    let line =
        |(from, label, to): &(usize, String, usize)| format!("({from}, \"{label}\", {to})\n");
    let lines: String = steps.iter().map(line).collect();
    read(&format!("des ({initial}, {}, {states})\n{lines}", steps.len()))
}

// ---- rules ----

const RING: &str = "\
# A ring with one token.
Ring() := [start] _let_ x, y _in_ (y.out x.in) (Chain(x, y));
Chain(x, y) :=
    # one more
    [more] _let_ z _in_ (x.out z.in) (x : station, Chain(z, y))
  | [last] (x.out y.in) (x : station, y : holder);
";

fn ring(rules: &str) -> Files {
    let station = "idle -> busy : in\nbusy -> idle : out\n";
    let holder = "busy -> idle : out\nidle -> busy : in\ngone -> idle : in\n";
    Files::new(&[("ring.rec", rules), ("station.aut", station), ("holder.aut", holder)])
}

#[test]
fn rules_become_an_architecture() {
    let text = model("ring.rec", &ring(RING));
    let squeezed: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for piece in [
        "// Imported from ring.rec.",
        "action `in`, out; action out_in;",
        "process station { init state idle; state busy; idle -> busy : `in`; busy -> idle : out; }",
        "// States that cannot be reached are left out: gone. process holder { init state busy;",
        "// A ring with one token. architecture Ring {",
        "// [start] rule Ring() { new x, y; <y: out, x: `in`> -> out_in; Chain(x, y); }",
        "// one more // [more] rule Chain(x, y) { new z; sub x = station;",
        "rule Chain(x, y) { sub x = station; sub y = holder; <x: out, y: `in`> -> out_in; }",
        "check deadlock_free(Ring);",
    ] {
        assert!(squeezed.contains(piece), "{piece}\n{text}");
    }
}

/// The models of the published tool, written for its format, and whether they have no deadlock.
const KNOWN: [(&str, &str); 9] = [
    ("ring", "proved"),
    ("star", "proved"),
    ("star_ring", "proved"),
    ("sym_table", "refuted"),
    ("asym_table", "proved"),
    ("sync_table", "proved"),
    ("tree_dfs", "proved"),
    ("tree_back_root", "proved"),
    ("tree_linked_leaves", "proved"),
];

#[test]
fn known_rules_are_imported() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rec");
    let mut files = Files::default();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        files.0.insert(name, std::fs::read(&path).unwrap());
    }
    for (name, verdict) in KNOWN {
        let text = model(&format!("{name}.rec"), &files);
        // Each rule, component and interaction is there.
        let rules = String::from_utf8(files.0[&format!("{name}.rec")].clone()).unwrap();
        let code: String = rules.lines().filter(|line| !line.starts_with('#')).collect();
        let count = |text: &str, piece: &str| {
            let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
            squeezed.matches(piece).count()
        };
        assert_eq!(count(&text, " rule "), count(&code, "["), "{text}");
        assert_eq!(count(&text, " sub "), count(&code, " : "), "{text}");
        assert_eq!(
            count(&text, "> -> "),
            count(&code, " + ") + count(&code, "(") - unjoined(&code),
            "{text}"
        );
        // The text is looked at as a model where the language has such items.
        if format(&text).is_ok() {
            let checked = sources::check(&beside(&files, &text), "model.pnet");
            assert_eq!(told(&checked), Vec::<String>::new(), "{name}\n{text}");
            let check = &checked.program.checks[0];
            let options = verify::ModelOptions::default();
            let outcome = verify::run(&checked, check, &options, &Patience::default()).unwrap();
            assert_eq!(Said::from(&outcome).word(), verdict, "{name}");
        }
    }
}

/// The brackets that are not the first of interactions.
fn unjoined(code: &str) -> usize {
    let interactions = code.split(['[', '|']).filter(|rule| rule.contains(']'));
    let joined = interactions.filter(|rule| {
        let rest = rule.split_once(']').map_or("", |(_, rest)| rest);
        let rest = rest.split_once("_in_").map_or(rest, |(_, rest)| rest).trim_start();
        !rest.starts_with("()")
    });
    code.matches('(').count() - joined.count()
}

#[test]
fn broken_rules_are_told_of_where_they_are() {
    let cases: [(&str, &[&str]); 10] = [
        ("", &["F0302 ring.rec:1:1"]),
        ("Ring(", &["F0302 ring.rec:1:6"]),
        ("Ring() := [a] () () Ring", &["F0302 ring.rec:1:21"]),
        ("A() := [a] (x.p) (x : station);", &["F0305 ring.rec:1:13", "F0305 ring.rec:1:19"]),
        ("A() := [a] _let_ x _in_ () (x : nobody);", &["F0303 ring.rec:1:33"]),
        ("A() := [a] () (B());", &["F0305 ring.rec:1:16"]),
        ("A() := [a] _let_ x, x _in_ () (x : station);", &["F0307 ring.rec:1:21"]),
        ("A() := [a] () () ; A() := [b] () ();", &["F0307 ring.rec:1:20"]),
        // Two mistakes in different rules are two messages.
        (
            "A() := [a] ( () ; B(x) := [b () () ; C() := [c] () ();",
            &["F0302 ring.rec:1:14", "F0302 ring.rec:1:30"],
        ),
        (
            "A() := [a] _let_ x _in_ () (x : station, B(x / x)); B(x, y) := [b] () ();",
            &["F0306 ring.rec:1:42"],
        ),
    ];
    for (rules, expected) in cases {
        let imported = imported("ring.rec", &ring(rules));
        assert_eq!(said(&imported), expected, "{rules}");
        assert!(imported.model.is_none(), "{rules}");
    }
}

#[test]
fn component_files_are_not_of_aldebaran() {
    let mut files = ring(RING);
    files.0.insert("holder.aut".to_owned(), b"des (0, 1, 1)\n(0, a, 0)\n".to_vec());
    assert_eq!(said(&imported("ring.rec", &files)), ["F0304 holder.aut:1:1"]);
    files.0.insert("holder.aut".to_owned(), b"\n\n".to_vec());
    assert_eq!(said(&imported("ring.rec", &files)), ["F0304 ring.rec:6:43"]);
    files.0.insert("holder.aut".to_owned(), b"a -> b : c\n a -> b\n\xFF".to_vec());
    assert_eq!(said(&imported("ring.rec", &files)), ["F0301 holder.aut:3:1"]);
    files.0.insert("holder.aut".to_owned(), b"a -> b : c\n a -> b\n".to_vec());
    assert_eq!(said(&imported("ring.rec", &files)), ["F0304 holder.aut:2:2"]);
}

// ---- nodes ----

const NODE: &str = "\
-- a node
Structure
i:0..2 -- IntInterval
v:1..4 -- IntInterval

<Queue(), Body, Proxy[i], Server>

Vectors
<  Serve  Serve  _  _  > => Serve
<  _  Ask(i)  Ask(v)&i  _  > => Ask(i,v)
<  _  _  Reply(v)&i  Reply(i,v)  > => Reply(i,v)
<  _  _  Drop(v)&i  _  > => Drop
<  _  _  _  Any  > => Any(v)
";

#[test]
fn a_node_becomes_a_net_with_holes() {
    let files = Files::new(&[("node.spec", NODE)]);
    let text = model("node.spec", &files);
    assert_eq!(format(&text).unwrap(), text);
    let squeezed: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for piece in [
        "interface Proxy { Ask(0..5), Reply(1..5), Drop(1..5) }",
        "net node(Queue: Queue, Body: Body, Proxy[i: 0..3]: Proxy, Server: Server) {",
        "<Queue: Serve, Body: Serve> -> Serve;",
        "<Body: Ask(i), Proxy[i]: Ask(v)> -> Ask(i, v) when 1 <= v and v <= 4 for i in 0..3;",
        "<Proxy[i]: Drop(_)> -> Drop for i in 0..3;",
        "<Server: Any> -> Any(v) for v in 1..5;",
        "<Proxy[i]: tau> -> tau for i in 0..3;",
    ] {
        assert!(squeezed.contains(piece), "{piece}\n{text}");
    }
    let checked = sources::check(&beside(&files, &text), "model.pnet");
    assert_eq!(told(&checked), Vec::<String>::new(), "\n{text}");
}

/// Entries with files of their own are processes: the unfolding is what one writes by hand.
#[test]
fn a_node_with_systems_unfolds() {
    let node = "Structure\ni:0..1\n<Body, Proxy[i]>\nVectors\n\
                < Ask(i) Ask&i > => Ask(i)\n< _ Done&i > => Done\n";
    let files = Files::new(&[
        ("node.spec", node),
        ("Body.aut", "des (0, 2, 2)\n(0, \"Ask !0\", 1)\n(1, \"Ask !1\", 0)\n"),
        ("Proxy.aut", "des (0, 2, 2)\n(0, \"Ask\", 1)\n(1, \"Done\", 0)\n"),
    ]);
    let found = system(&files, &model("node.spec", &files), "node");
    // Body, then whether each member is busy.
    let mut steps = Vec::new();
    let number = |body: usize, one: usize, two: usize| body * 4 + one * 2 + two;
    for one in 0..2 {
        for two in 0..2 {
            for body in 0..2 {
                let from = number(body, one, two);
                if body == 0 && one == 0 {
                    steps.push((from, "Ask(0)".to_owned(), number(1, 1, two)));
                }
                if body == 1 && two == 0 {
                    steps.push((from, "Ask(1)".to_owned(), number(0, one, 1)));
                }
                if one == 1 {
                    steps.push((from, "Done".to_owned(), number(body, 0, two)));
                }
                if two == 1 {
                    steps.push((from, "Done".to_owned(), number(body, one, 0)));
                }
            }
        }
    }
    assert!(alike(found, written_down(0, 8, &steps)));
}

#[test]
fn broken_nodes_are_told_of_where_they_are() {
    let cases: [(&str, &[&str]); 8] = [
        ("", &["F0302 node.spec:1:1"]),
        ("Structure\n<A>\n", &["F0302 node.spec:3:1"]),
        ("Structure\n<A>\nVectors\n< a b > => c\n", &["F0321 node.spec:4:1"]),
        ("Structure\n<A>\nVectors\n< a(x) > => c\n", &["F0322 node.spec:4:5"]),
        ("Structure\nx:3..1\n<A>\nVectors\n", &["F0322 node.spec:2:1"]),
        ("Structure\nx:0..1\n<A[x]>\nVectors\n< a > => c\n", &["F0323 node.spec:5:3"]),
        ("Structure\n<A>\nVectors\n< _ > => c\n", &["F0302 node.spec:4:5"]),
        ("Structure\nx:0..99999999999999\n<A>\nVectors\n", &["F0302 node.spec:2:6"]),
    ];
    for (text, expected) in cases {
        let imported = imported("node.spec", &Files::new(&[("node.spec", text)]));
        assert_eq!(said(&imported), expected, "{text}");
        assert!(imported.model.is_none(), "{text}");
    }
}

// ---- networks ----

/// A label of a file as an action is written: `PUT !1` is `PUT(1)`.
fn as_action(label: &str) -> String {
    match label.split_once(" !") {
        Some((gate, values)) => format!("{gate}({})", values.replace(" !", ", ")),
        None => label.to_owned(),
    }
}

#[test]
fn networks_do_what_they_did() {
    let mut visible = 0;
    for seed in seeds(fuzz().unwrap_or(150)) {
        let files = random_files(&mut Random::new(seed));
        let read = files.read_as("net.exp", &["i", "tau"]);
        let network = read.network.unwrap();
        let product =
            pnetc::network::product(&network, ProductLimits::default(), &Unwatched).unwrap().lts;
        let mut steps = Vec::new();
        for state in product.ids() {
            for step in product.steps(state) {
                let label = if step.label.is_silent() { "tau" } else { product.text(step.label) };
                steps.push((state.0 as usize, as_action(label), step.to.0 as usize));
                visible += usize::from(!step.label.is_silent());
            }
        }
        let imported = imported("net.exp", &files);
        let text = imported.model.unwrap_or_else(|| panic!("seed {seed}"));
        let checked = sources::check(&beside(&files, &text), "model.pnet");
        // Parts that never move, and labels that are cut, are warned of: that is what the network says.
        let errors = checked
            .diagnostics
            .iter()
            .filter(|one| one.entry.code.starts_with(['N', 'T', 'P', 'L']));
        let errors: Vec<&str> = errors.map(|one| one.message.as_str()).collect();
        assert_eq!(errors, Vec::<&str>::new(), "seed {seed}\n{text}");
        let net = checked.build(Some("net"), &ElaborateOptions::default());
        let net = net.unwrap_or_else(|_| panic!("seed {seed}\n{text}"));
        let asked = (LabelView::hiding(false), "tau");
        let found =
            lts_of((&net, &Domains::default()), asked, &SearchLimits::default(), &Unwatched);
        let expected = written_down(product.initial().0 as usize, product.states(), &steps);
        assert!(alike(found.unwrap().0, expected), "seed {seed}\n{text}");
    }
    assert!(seeds(2).count() == 1 || visible > 500, "{visible}");
}

/// What is seen is declared beside the files, and changes nothing of what their labels are.
#[test]
fn what_is_seen_changes_no_labels() {
    let cases = [
        ("sync a", "a"),
        ("sync sync a", "sync_a"),
        ("sync sync a", "a"),
        ("co a(1)", "a"),
        ("A", "a"),
        ("_", "a"),
        ("!", "_"),
        ("data(1)", "data"),
    ];
    for (label, seen) in cases {
        let part = format!("des (0, 1, 1)\n(0, \"{label}\", 0)\n");
        let network =
            format!("label par using \"{label}\" -> \"{seen}\" in \"part.aut\" end par\n");
        let files = Files::new(&[("net.exp", &network), ("part.aut", &part)]);
        let model = model("net.exp", &files);
        let found = system(&files, &model, "net");
        let steps: usize = found.ids().map(|state| found.steps(state).len()).sum();
        assert_eq!((found.states(), steps), (1, 1), "{label}\n{model}");
    }
}

/// A label with a value and one without are two actions of one name.
#[test]
fn gates_with_and_without_values_keep_their_names() {
    let part = "des (0, 2, 1)\n(0, \"B !2\", 0)\n(0, \"C\", 0)\n";
    let network = "label par using \"B !2\" -> \"D !2\", \"C\" -> \"D\" in \"part.aut\" end par\n";
    let files = Files::new(&[("net.exp", network), ("part.aut", part)]);
    let model = model("net.exp", &files);
    assert!(model.contains("-> D(2);") && model.contains("-> D;"), "{model}");
    let found = system(&files, &model, "net");
    let labels: Vec<&str> = found.labels().ids().map(|label| found.text(label)).collect();
    assert!(labels.contains(&"D(2)") && labels.contains(&"D"), "{labels:?}");
}

#[test]
fn a_network_of_bcg_files_is_refused_with_what_to_do() {
    let files = Files::new(&[("net.exp", "\"old.bcg\" ||| \"old.bcg\"\n"), ("old.bcg", "")]);
    let imported = imported("net.exp", &files);
    assert_eq!(said(&imported)[0], "F0207 net.exp:1:1");
    assert!(imported.diagnostics[0].notes[0].contains("bcg_io old.bcg old.aut"));
    assert!(imported.model.is_none());
}

// ---- whatever is in a file ----

const PIECES: [&str; 40] = [
    "Ring",
    "x",
    "y",
    "(",
    ")",
    ":=",
    "[",
    "]",
    "_let_",
    "_in_",
    ",",
    ";",
    ":",
    ".",
    "+",
    "/",
    "|",
    "#",
    "\n",
    "Structure",
    "Vectors",
    "<",
    ">",
    "=>",
    "&",
    "..",
    "0",
    "99999999999999999999",
    "_",
    "--",
    " ",
    "station",
    "package",
    "atom type",
    "compound type",
    "on",
    "end",
    "{",
    "}",
    "\u{e4}",
];

#[test]
fn nothing_panics_whatever_is_in_a_file() {
    for seed in seeds(fuzz().unwrap_or(3_000)) {
        let mut dice = Random::new(seed);
        let kind = *dice.pick(&["ring.rec", "node.spec", "model.bip"]);
        let text: String =
            (0..dice.below(60)).map(|_| *dice.pick(&PIECES)).collect::<Vec<_>>().join(" ");
        let mut files = ring(RING);
        files.0.insert(kind.to_owned(), text.into_bytes());
        let imported = imported(kind, &files);
        assert!(imported.model.is_some() || !imported.diagnostics.is_empty(), "seed {seed}");
    }
}

/// Real files, cut off anywhere, or with a byte changed.
#[test]
fn nothing_panics_on_truncated_files() {
    for (name, text) in [("ring.rec", RING), ("node.spec", NODE)] {
        for at in 0..text.len() {
            let mut changed = text.as_bytes().to_vec();
            changed[at] = changed[at].wrapping_add(7);
            for bytes in [text.as_bytes()[..at].to_vec(), changed] {
                let mut files = ring(RING);
                files.0.insert(name.to_owned(), bytes);
                imported(name, &files);
            }
        }
    }
}

//! Whatever the input: nothing panics, hangs or overflows the stack, and what is said points into the text.

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::common::seeds::{LIMIT, for_seeds, fuzz, guarded};
use crate::common::sources::{self, Beside};
use crate::common::{Memory, Random, mutate, valid};
use pnetc::diagnostics::{Diagnostic, Severity, SourceMap, Span, Style, json_line, render};
use pnetc::model::Checked;
use pnetc::syntax::format::format;
use pnetc::syntax::parse;
use pnetc::syntax::print::print;

// ---- what must hold of every input ----

/// Checks an input beside the models of the project, so that imports lead somewhere.
fn check(input: &[u8]) -> Checked {
    static MODELS: OnceLock<Memory> = OnceLock::new();
    let models = MODELS.get_or_init(|| {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let all = crate::common::models().into_iter();
        Memory(all.map(|(path, text)| (name(&path), text.into_bytes())).collect())
    });
    sources::check(&Beside("input.pnet", input, models), "input.pnet")
}

/// Sends an input through everything; says how many diagnostics there were.
fn survives(input: &[u8]) -> usize {
    let checked = check(input);
    let share = input.len().is_multiple_of(3);
    look_at(&checked, if share { 60 } else { 0 });
    if let Ok(text) = std::str::from_utf8(input) {
        let parsed = parse(text, 0);
        let printed = print(&parsed.module);
        match format(text) {
            Ok(formatted) => {
                assert_eq!(format(&formatted).ok().as_ref(), Some(&formatted), "not idempotent");
                assert!(is_sound(&printed), "what is printed has errors:\n{printed}");
            }
            Err(problems) => assert!(!problems.is_empty()),
        }
    }
    checked.diagnostics.len()
}

fn is_sound(text: &str) -> bool {
    let problems = parse(text, 0).problems;
    problems.iter().all(|problem| problem.entry().severity != Severity::Error)
}

/// Looks at all places of all diagnostics, and at the texts of some.
fn look_at(checked: &Checked, texts: usize) {
    for (index, found) in checked.diagnostics.iter().enumerate() {
        places(found).for_each(|span| is_inside(span, &checked.sources, found));
        if index < texts {
            let text = render(found, &checked.sources, Style { colour: index % 2 == 0 });
            assert!(text.contains(found.entry.code), "{text}");
            let line = json_line(found, &checked.sources);
            assert!(!line.contains('\n'));
            let parsed: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(parsed["code"], found.entry.code);
        }
    }
}

fn places(found: &Diagnostic) -> impl Iterator<Item = Span> {
    let labels = found.secondary.iter().map(|label| label.span);
    let edits =
        found.suggestions.iter().flat_map(|suggestion| &suggestion.edits).map(|edit| edit.span);
    std::iter::once(found.span()).chain(labels).chain(edits)
}

fn is_inside(span: Span, sources: &SourceMap, found: &Diagnostic) {
    let code = found.entry.code;
    let file = sources.file_of(span).unwrap_or_else(|| panic!("{code}: {span:?} is in no file"));
    assert!(
        span.start <= span.end && file.span().contains(span),
        "{code}: {span:?} leaves its file"
    );
    let (from, to) = (span.start - file.base(), span.end - file.base());
    let text = file.text();
    let on_boundaries = text.is_char_boundary(from as usize) && text.is_char_boundary(to as usize);
    assert!(on_boundaries, "{code}: {span:?} cuts a character");
}

// ---- random inputs ----

#[test]
fn generated_inputs() {
    let count = fuzz().unwrap_or(3_000);
    let make = |random: &mut Random| match random.below(10) {
        0 => mutate::bytes(random),
        1 => mutate::soup(random).into_bytes(),
        2 => {
            let mut bytes = mutate::mutated(random).into_bytes();
            for _ in 0..random.between(1, 4) {
                let at = random.below(bytes.len().max(1));
                bytes.insert(at.min(bytes.len()), random.next() as u8);
            }
            bytes
        }
        _ => mutate::mutated(random).into_bytes(),
    };
    let found = for_seeds("generated inputs", count, make, survives);
    println!("{count} inputs, {found} diagnostics");
}

// ---- inputs that somebody thought of ----

/// Sends an input through everything.
fn survive(name: &str, input: impl Into<Vec<u8>>) {
    let (_, time) = guarded(name, limit(), input, survives);
    println!("{name}: {time:.2?}");
}

/// Sends an input through everything; it must have no errors.
fn accept(name: &str, input: impl Into<Vec<u8>>) {
    let accepts = |input: &[u8]| {
        let start = Instant::now();
        let checked = check(input);
        let time = start.elapsed();
        let error = checked.diagnostics.iter().find(|found| found.severity == Severity::Error);
        assert!(error.is_none(), "{}", error.unwrap().message);
        drop(checked);
        survives(input);
        time
    };
    let (check, time) = guarded(name, limit(), input, accepts);
    assert!(check < LIMIT, "{name}: checked in {check:?}");
    println!("{name}: {time:.2?}, of which {check:.2?} for one check");
}

/// Everything is checked, parsed, printed and formatted several times; large files are ten times as large when
/// there is time for it.
fn limit() -> Duration {
    if fuzz().is_some() { LIMIT * 10 } else { LIMIT * 2 }
}

const DEEP: usize = 100_000;

#[test]
fn deep_nesting() {
    for open in [
        "(", "[", "{", "<", "not ", "-", "sync ", "co ", "f(", "x[", "[_]Int(", "?", "A<", "((",
        "/*", "'",
    ] {
        survive(&format!("axiom {open}…"), format!("axiom {}", open.repeat(DEEP)));
        survive(&format!("net {open}…"), format!("net N = {}", open.repeat(DEEP)));
        survive(&format!("sort {open}…"), format!("const c: {};", open.repeat(DEEP)));
        survive(
            &format!("connect {open}…"),
            format!("net N {{ connect c : {}; }}", open.repeat(DEEP)),
        );
        survive(&format!("{open}…"), open.repeat(DEEP));
    }
    let both = |open: &str, inner: &str, close: &str| {
        format!("axiom {}{inner}{};", open.repeat(DEEP), close.repeat(DEEP))
    };
    for (open, inner, close) in [
        ("(", "a", ")"),
        ("f(", "a", ")"),
        ("{", "a", "}"),
        ("x[", "0", "]"),
        ("", "x", "[0]"),
        ("", "x", "[0 := 1]"),
        ("", "f()", ".a"),
        ("[_]Int(", "0", ")"),
        ("if a then b else ", "c", ""),
        ("if ", "a", " then b else c"),
        ("a => ", "b", ""),
        ("forall x . ", "x", ""),
        ("match a { _ => ", "b", " }"),
        ("match ", "a", " { _ => b }"),
        ("not ", "a", ""),
        ("- ", "a", ""),
        ("sync ", "a", ""),
        ("co ", "a", ""),
        ("", "a", " is b"),
        ("", "a", " < b"),
        ("", "a", " in b"),
    ] {
        survive(&format!("{open}{inner}{close}"), both(open, inner, close));
    }
    let instance = format!("net N = {}A{};", "A(".repeat(DEEP), ")".repeat(DEEP));
    survive("instance in instance", instance);
    let values = format!("net N = {}A{};", "A<".repeat(DEEP), ">".repeat(DEEP));
    survive("value in value", values);
    let sort = format!("const c: {}Int;", "[Int]".repeat(DEEP));
    survive("array of arrays", sort);
    let sort = format!("const c: {}Int{};", "[".repeat(DEEP), "]Int".repeat(DEEP));
    survive("array by arrays", sort);
    let connector = format!("net N {{ connect c : {}A.a{}; }}", "[".repeat(DEEP), "]".repeat(DEEP));
    survive("connector in connector", connector);
    let comments = format!("{} {}", "/*".repeat(DEEP), "*/".repeat(DEEP));
    survive("comment in comment", comments);
    survive("blocks", "process P { ".repeat(DEEP));
    survive("nets", "net N(P: any) { sub ".repeat(DEEP / 10));
    survive("braces", "}".repeat(DEEP));
    survive("semicolons", ";".repeat(DEEP));
    survive("enums", "enum E { A, ".repeat(DEEP / 10));
}

#[test]
fn long_chains() {
    let chain = |joint: &str| vec!["a"; DEEP].join(joint);
    accept("a + a + …", format!("const a: Int = 1; const s: Int = {};", chain(" + ")));
    accept("a * a * …", format!("const a: Int = 1; const s: Int = {};", chain(" * ")));
    accept("a * a * … with a = 3", format!("const a: Int = 3; const s: Int = {};", chain(" * ")));
    accept("a and a and …", format!("const a: Bool; axiom {};", chain(" and ")));
    accept("a or a or …", format!("const a: Bool; axiom {};", chain(" or ")));
    survive("a < a < …", format!("const a: Int; axiom {};", chain(" < ")));
    survive("a == a == …", format!("const a: Int; axiom {};", chain(" == ")));
    survive("x.a.a…", format!("data D {{ D(a: D), E }} const a: D; axiom {} == a;", chain(".")));
    survive("f().a.a…", format!("fun f(): Int; axiom f().{};", chain(".")));
    survive("import a.a…", format!("import {};", chain(".")));
    survive("module a.a…", format!("module {};", chain(".")));
    survive(
        "f(a, a, …)",
        format!("const a: Int; fun f(a: Int): Int; axiom f({}) == 0;", chain(", ")),
    );
    survive("a in { a, a, … }", format!("action a; axiom a in {{ {} }};", chain(", ")));
    survive("match with many arms", {
        let arms: Vec<String> = (0..10_000).map(|n| format!("{n} => {n}")).collect();
        format!("fun f(x: Int): Int = match x {{ {}, _ => 0 }};", arms.join(", "))
    });
    survive("enum with many constructors", {
        let names: Vec<String> = (0..10_000).map(|n| format!("C{n}")).collect();
        let arms: Vec<String> = (0..10_000).map(|n| format!("C{n} => {n}")).collect();
        format!(
            "enum E {{ {} }} fun f(x: E): Int = match x {{ {} }};",
            names.join(", "),
            arms.join(", ")
        )
    });
    let items: String = (0..DEEP).fold(String::new(), |mut text, n| {
        let _ = write!(text, "sort S{n}; ");
        text
    });
    accept("items on one line", items);
    survive("strange characters", "§ ".repeat(DEEP));
    survive("open quotes", "` \n".repeat(DEEP));
    survive("open strings", "\" \n".repeat(DEEP));
    survive("a long name", format!("sort {};", "a".repeat(1_000_000)));
    survive("a long raw name", format!("sort `{}`;", "ä".repeat(500_000)));
    survive("a long number", format!("const a: Int = {};", "7".repeat(100_000)));
    survive("a long text", format!("import \"{}\";", "a".repeat(1_000_000)));
    survive("a long doc", format!("/// {}\nsort A;", "a ".repeat(500_000)));
    survive("many docs", "/// doc\n".repeat(DEEP));
    survive("stray docs", "sort /// doc\nA;\n".repeat(DEEP / 10));
}

#[test]
fn odd_bytes() {
    let model =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/enable.pnet")).unwrap();
    let text = String::from_utf8(model.clone()).unwrap();
    accept("CR LF", text.replace('\n', "\r\n"));
    accept("a byte-order mark", format!("\u{FEFF}{text}"));
    accept("a byte-order mark alone", "\u{FEFF}");
    accept("nothing", "");
    survive("CR", text.replace('\n', "\r"));
    survive("byte-order marks", format!("\u{FEFF}\u{FEFF}{text}\u{FEFF}"));
    survive("NUL", text.replace(' ', "\0"));
    survive("only NUL", vec![0; 10_000]);
    survive("UTF-16", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    survive(
        "no UTF-8",
        model.iter().map(|byte| if *byte == b'a' { 0xE9 } else { *byte }).collect::<Vec<u8>>(),
    );
    survive(
        "cut characters",
        "größe π 变量 🙂".as_bytes().iter().copied().filter(|b| *b != 0xB6).collect::<Vec<u8>>(),
    );
    survive("only 0xFF", vec![0xFF; 100_000]);
    survive("surrogates", b"sort \xED\xA0\x80;".to_vec());
    survive("line separators", text.replace('\n', "\u{2028}"));
    survive("spaces of all kinds", text.replace(' ', "\u{A0}"));
    for at in 0..model.len() {
        if at % 7 == 0 {
            survives(&model[..at]);
            survives(&model[at..]);
        }
    }
}

/// Large files: of five megabytes, or of fifty when there is time.
#[test]
fn large_files() {
    let size = if fuzz().is_some() { 50 << 20 } else { 5 << 20 };
    let mut random = Random::new(1);
    let mut valid = String::new();
    // Lines of generated models have about fifty bytes.
    while valid.len() < size {
        valid = valid::valid_program(&mut random, size / 45);
    }
    let fill = |piece: &str| piece.repeat(size / piece.len() + 1);
    accept("a large model", valid.clone());
    accept("a large comment", format!("/* {} */ sort A;", fill("a comment\n")));
    accept("a large line comment", format!("// {}\nsort A;", fill("a comment ")));
    survive("an unclosed comment", format!("sort A; /* {}", fill("a comment\n")));
    survive("a large model on a line", valid.replace('\n', " ").replace("//", ""));
    survive("a line of letters", fill("a"));
    survive("lines of words", fill("some words of no meaning\n"));
    survive("signs", fill("}{)(][><;:=-"));
    let mut garbage: Vec<u8> = Vec::with_capacity(size);
    while garbage.len() < size {
        garbage.extend(random.next().to_le_bytes());
    }
    survive("garbage", garbage.clone());
    // Without a slash: a comment that is never closed would be the end of it.
    garbage.iter_mut().for_each(|byte| *byte = 48 + *byte % 79);
    survive("letters and signs", garbage);
    survive("white space", fill(" \n\t"));
}

#[test]
fn many_errors() {
    let lines = |line: fn(usize) -> String| (0..10_000).map(line).collect::<String>();
    let in_process =
        |text: String| format!("action a;\nprocess P {{\n    init state s;\n{text}}}\n");
    survive("unknown states", in_process(lines(|n| format!("    s -> nowhere{n} : a;\n"))));
    survive("unknown actions", in_process(lines(|n| format!("    s -> s : nothing{n};\n"))));
    survive("unknown names", in_process(lines(|n| format!("    s -> s : a when name{n} > 0;\n"))));
    survive("missing semicolons", in_process(lines(|_| "    s -> s : a\n".to_owned())));
    survive("misspelt keywords", in_process(lines(|n| format!("    stat s{n};\n"))));
    survive("wrong sorts", in_process(lines(|_| "    s -> s : a when 1;\n".to_owned())));
    survive("duplicates", lines(|_| "sort A;\n".to_owned()));
    survive("duplicate processes", lines(|_| "process P { init state s; }\n".to_owned()));
    survive("unknown sorts", lines(|n| format!("const c{n}: Nothing{n};\n")));
    survive("unknown components", lines(|n| format!("net N{n} = Nothing{n}(M{n});\n")));
    survive(
        "unknown parts",
        format!("net N(P: any) {{ {} }}", lines(|n| format!("<Q{n}: ?a> -> a;\n"))),
    );
    survive("unclosed blocks", lines(|n| format!("process P{n} {{\n")));
    survive("unclosed brackets", lines(|n| format!("axiom f(({n};\n")));
    survive("missing files", lines(|n| format!("import \"./nothing{n}.pnet\";\n")));
    survive("unused actions", lines(|n| format!("action a{n};\n")));
    survive("all on one line", lines(|n| format!("sort A{n}; const c: Nothing; ")));
}

#[test]
fn imports() {
    let check = |name: &str, files: Memory| {
        let start = Instant::now();
        let checked = sources::check(&files, "m0.pnet");
        look_at(&checked, 20);
        assert!(start.elapsed() < LIMIT, "{name}: {:?}", start.elapsed());
        println!("{name}: {:.2?}", start.elapsed());
        checked
    };
    let codes =
        |checked: &Checked| checked.diagnostics.iter().map(|d| d.entry.code).collect::<Vec<_>>();
    let itself = check("itself", Memory::file("m0.pnet", "import \"./m0.pnet\";"));
    assert_eq!(codes(&itself), ["N0102"]);
    let itself =
        check("itself, another way", Memory::file("m0.pnet", "import \"./a/../m0.pnet\";"));
    assert_eq!(codes(&itself), ["N0102"]);
    let two =
        Memory::file("m0.pnet", "import \"./m1.pnet\";").and("m1.pnet", "import \"m0.pnet\";");
    assert!(codes(&check("each other", two)).contains(&"N0102"));
    let chain = |last: &str| {
        let mut files = Memory::default();
        for n in 0..10_000 {
            let text = format!("import \"./m{}.pnet\";\nsort S{n};\n", n + 1);
            files = files.and(&format!("m{n}.pnet"), text);
        }
        files.and("m10000.pnet", last)
    };
    check("a chain", chain("sort End;"));
    assert!(codes(&check("a long cycle", chain("import \"./m0.pnet\";"))).contains(&"N0102"));
    let mut star = Memory::default();
    let all: String = (1..2_000).map(|n| format!("import \"./m{n}.pnet\";\n")).collect();
    for n in 1..2_000 {
        star = star.and(&format!("m{n}.pnet"), format!("sort S{n};"));
    }
    check("many imports", star.and("m0.pnet", all));
    let mut ladder = Memory::default();
    for n in 0..300 {
        let text: String = (n + 1..300).map(|m| format!("import \"./m{m}.pnet\";\n")).collect();
        ladder = ladder.and(&format!("m{n}.pnet"), format!("{text}sort S{n};"));
    }
    check("each imports all that follow", ladder);
}

const ECHO: &str = "action a, b;\nprocess P { var v: Int = 0; init state s; s -> s : a when v == 0; s -> s : b; }\n";

#[test]
fn long_chains_of_declarations() {
    let each =
        |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let aliases = each(10_000, &|n| format!("net A{} = A{n};\n", n + 1));
    accept("aliases", format!("{ECHO}net A0 = P;\n{aliases}check deadlock_free(A10000);\n"));
    survive(
        "aliases, a property",
        format!("{ECHO}net A0 = P;\n{aliases}check always(A10000, v == 0);\n"),
    );
    let aliases = each(10_000, &|n| format!("net A{n} = A{};\n", n + 1));
    accept("aliases, the last first", format!("{ECHO}{aliases}net A10000 = P;\n"));
    let aliases = each(10_000, &|n| format!("net A{}(H: any) = A{n}(H);\n", n + 1));
    let first = "net A0(H: any) { <H: ?x> -> x; }\n";
    accept(
        "aliases with holes",
        format!("{ECHO}{first}{aliases}check deadlock_free(A10000(P));\n"),
    );
    let nested = each(10_000, &|n| format!("net A{} {{ sub s = A{n}; <s: ?x> -> x; }}\n", n + 1));
    accept("a hole ever deeper", format!("{ECHO}{first}{nested}"));
    let cycle = each(10_000, &|n| format!("net A{n} = A{};\n", (n + 1) % 10_000));
    survive("a cycle of nets", cycle);
    let funs = each(10_000, &|n| format!("fun f{n}(x: Int): Int = f{}(x + 1);\n", n + 1));
    accept("functions", format!("{funs}fun f10000(x: Int): Int = x;\n"));
    let consts = each(10_000, &|n| format!("const c{n}: Int = c{} + 1;\n", n + 1));
    accept("constants", format!("{consts}const c10000: Int = 1;\n"));
    let consts = each(10_000, &|n| format!("const c{n}: Int = c{} + 1;\n", (n + 1) % 10_000));
    survive("a cycle of constants", consts);
    let datas = each(10_000, &|n| format!("data D{n} {{ C{n}(d: D{}) }}\n", n + 1));
    accept("datatypes", format!("{datas}data D10000 {{ C10000 }}\n"));
    survive("datatypes without a value", datas);
    let datas = each(10_000, &|n| format!("data D{} {{ C{}(d: D{n}), E{n} }}\n", n + 1, n + 1));
    accept("datatypes, the other way", format!("data D0 {{ C0 }}\n{datas}"));
    let states = each(20_000, &|n| format!("    state s{}; s{n} -> s{} : a;\n", n + 1, n + 1));
    survive("states", format!("action a;\nprocess P {{\n    init state s0;\n{states}}}\n"));
    let variables =
        each(10_000, &|n| format!("    var v{n}: Int = {n}; s -> s : a when v{n} > 0;\n"));
    survive("variables", format!("action a;\nprocess P {{\n    init state s;\n{variables}}}\n"));
    let subs = each(5_000, &|n| format!("    sub p{n} = P; <p{n}: ?x> -> x;\n"));
    survive("parts", format!("{ECHO}net N {{\n{subs}}}\ncheck deadlock_free(N);\n"));
    let actions = each(5_000, &|n| format!("action c{n};\n"));
    let connects = each(5_000, &|n| format!("    connect c{n} : p.a q.b;\n"));
    let up = each(2_000, &|n| format!("    priority c{n} < c{};\n", n + 1));
    let down = each(2_000, &|n| format!("    priority c{} < c{};\n", 2_000 - n, 2_001 - n));
    let net = |priorities: &str| {
        format!(
            "{ECHO}{actions}net N {{\n    sub p = P;\n    sub q = P;\n{connects}{priorities}}}\n"
        )
    };
    survive("priorities, upwards", net(&up));
    survive("priorities, downwards", net(&down));
    let list: Vec<String> = (0..5_000).map(|n| format!("c{n}")).collect();
    survive("a long priority", net(&format!("    priority {};\n", list.join(" < "))));
    let holes: Vec<String> = (0..3_000).map(|n| format!("h{n}: any")).collect();
    let vectors = each(3_000, &|n| format!("<h{n}: ?x> -> x;\n"));
    let fills: Vec<String> = (0..3_000).rev().map(|n| format!("h{n}: P")).collect();
    let net = format!("net N({}) {{ {vectors} }}\n", holes.join(", "));
    survive("many holes", format!("{ECHO}{net}check deadlock_free(N({}));\n", fills.join(", ")));
    let assignments: Vec<String> = (0..5_000).map(|n| format!("v := {n}")).collect();
    let process = format!(
        "process Q {{ var v: Int; init state s; s -> s : a do {}; }}",
        assignments.join(", ")
    );
    survive("many assignments", format!("action a; {process}"));
    let ports: Vec<String> = (0..5_000).map(|_| "p.a".to_owned()).collect();
    survive(
        "many ports",
        format!("{ECHO}action c; net N {{ sub p = P; connect c : {}; }}", ports.join(" ")),
    );
}

#[test]
fn doubling() {
    let mut nets = format!("{ECHO}net N0(H: any) {{ sub p = P; <p: ?x> -> x; <H: ?x> -> x; }}\n");
    let mut closed = format!("{ECHO}net N0 {{ sub p = P; <p: ?x> -> x; }}\n");
    let mut filled = format!("{ECHO}net N0(H: any) {{ <H: ?x> -> x; }}\n");
    for n in 0..64 {
        let both = format!("{{ sub a = N{n}; sub b = N{n}; <a: ?x> -> x; <b: ?x> -> x; }}");
        let _ = writeln!(nets, "net N{} {both}", n + 1);
        let _ = writeln!(closed, "net N{} {both}", n + 1);
        let _ = writeln!(filled, "net N{}(H: any) = N{n}(N{n}(H));", n + 1);
    }
    survive("holes", format!("{nets}check deadlock_free(N64);\ncheck always(N64, v == 0);\n"));
    survive(
        "closed nets",
        format!("{closed}check bisimilar(N64, N64);\ncheck reaches(N64, a.a.p.v == 1);\n"),
    );
    survive("filled nets", format!("{filled}check bisimilar(N64(P), N64);\n"));
    let relation =
        "relation R(N64, N64) { (s, s) when v == 0; }\ncheck bisimilar(N64, N64) by R;\n";
    survive("a relation", format!("{closed}{relation}"));
    let squares =
        (0..64).map(|n| format!("const C{}: Int = C{n} * C{n};\n", n + 1)).collect::<String>();
    survive(
        "squares",
        format!("const C0: Int = 10;\n{squares}const r: 0..C64 = 1;\naxiom C64 div C63 == C63;\n"),
    );
    let sums = (0..64)
        .map(|n| format!("const C{}: Int = C{n} + C{n} - C{n};\n", n + 1))
        .collect::<String>();
    accept("sums", format!("const C0: Int = 10;\n{sums}"));
    let datas = (0..64).map(|n| format!("data D{} {{ C{}(a: D{n}, b: D{n}) }}\n", n + 1, n + 1));
    let datas = format!("data D0 {{ C0, E0 }}\n{}", datas.collect::<String>());
    survive(
        "datatypes",
        format!("{datas}fun f(d: D64): Int = match d {{ C64(C63(_, _), _) => 1 }};\n"),
    );
    let arrays = "[".repeat(60) + "Int" + &"][Int]Int".repeat(60);
    survive("arrays", format!("const c: {arrays};\naxiom c == c;"));
}

#[test]
fn wide_matches() {
    let fields: Vec<String> = (0..12).map(|n| format!("b{n}: Bool")).collect();
    let data = format!("data T {{ T({}) }}\n", fields.join(", "));
    let mut random = Random::new(7);
    for blank in [2, 3, 6] {
        let arms: Vec<String> = (0..200)
            .map(|n| {
                let columns = (0..12).map(|_| match random.below(blank) {
                    0 => *random.pick(&["true", "false"]),
                    _ => "_",
                });
                format!("T({}) => {n}", columns.collect::<Vec<_>>().join(", "))
            })
            .collect();
        survive(
            &format!("200 arms, one column in {blank}"),
            format!("{data}fun f(t: T): Int = match t {{ {} }};", arms.join(", ")),
        );
    }
    let diagonal: Vec<String> = (0..12)
        .map(|n| {
            let columns = (0..12).map(|m| if m == n { "true" } else { "_" });
            format!("T({}) => {n}", columns.collect::<Vec<_>>().join(", "))
        })
        .collect();
    survive(
        "a diagonal",
        format!("{data}fun f(t: T): Int = match t {{ {} }};", diagonal.join(", ")),
    );
    let fields: Vec<String> = (0..60).map(|n| format!("b{n}: E")).collect();
    let data = format!("enum E {{ A, B, C, D }}\ndata T {{ T({}) }}\n", fields.join(", "));
    let arms: Vec<String> = (0..60)
        .map(|n| {
            let columns = (0..60).map(|m| {
                if m == n {
                    "A"
                } else if m == (n * 7) % 60 {
                    "B"
                } else {
                    "_"
                }
            });
            format!("T({}) => {n}", columns.collect::<Vec<_>>().join(", "))
        })
        .collect();
    survive("60 columns", format!("{data}fun f(t: T): Int = match t {{ {} }};", arms.join(", ")));
    let deep = "S(".repeat(150) + "_" + &")".repeat(150);
    survive(
        "a deep pattern",
        format!("data N {{ Z, S(n: N) }}\nfun f(n: N): Int = match n {{ {deep} => 1, Z => 0 }};"),
    );
}

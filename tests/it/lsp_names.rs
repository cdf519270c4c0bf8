//! `pnet lsp`: names in all forms of the language, also in what is read by two paths.

use serde_json::{Value, json};

use crate::common::lsp::{Editor, covered, edited, position};

/// Connectors, rules, formulas, reductions, generic data and members of families.
const MODEL: &str = "\
data Bag<T> { Empty, Put(item: T, rest: Bag<T>) }
enum Level { Low, High }
data Pair { Both(left: Int, right: Level) }

action go(Int), set(Level), halt, top(Int), pass, tick, mark(Int, Int);

fun size<T>(b: Bag<T>): Int = match b { Empty => 0, Put(_, more) => 1 + size(more) };
fun moved(p: Pair, by: Int): Pair = p with { left := p.left + by };
fun is_low(l: Level): Bool = l is Low;

process Worker<n: Int> {
    var pair: Pair = Both(0, Low);
    var bag: Bag<Int> = Empty;
    init state idle;
    state busy;

    idle -> busy : go(?x) when 0 <= x and x < n do { pair := pair with { left := x, right := High }; bag := Put(x, bag) };
    busy -> idle : halt do { bag := Empty; pair := moved(pair, 1) };
    busy -> busy : set(Low) when is_low(pair.right) and size(bag) > 0;
    busy -> busy : mark(pair.left, ?new) do pair := pair with { left := new };
}

process Plain {
    init state idle;
    state busy;

    idle -> busy : tick;
    busy -> idle : halt;
}

connector Max(p: port(u: Int, in v: Int), q: port(u: Int, in v: Int)) shows above(m: Int, in r: Int) {
    p q up above.m := if p.u > q.u then p.u else q.u down p.v := above.r, q.v := above.r;
}

architecture Ring {
    rule Ring() { new a, b; <b: halt, a: tick> -> pass; Chain(a, b); }
    rule Chain(a, b) {
        new c;
        sub a = Plain;
        <a: halt, c: tick> -> pass;
        never both: a in busy and c in busy;
        Chain(c, b);
    }
    rule Chain(a, b) {
        sub a = Plain;
        sub b = Plain;
        <a: halt, b: tick> -> pass;
    }
}

net Two<k: Int> {
    sub W[i: 0..2] = Worker<k>;

    <W[i]: go(d)> -> go(d) for i in 0..2;
    <W[i]: halt> -> halt for i in 0..2;
    <W[i]: set(l)> -> set(l) for i in 0..2;
    connect top(above.m) : Max(W[0].mark, W[1].mark);
}

property Answered = forall g: 0..5 . responds(go(g), halt);
property Never = AG (after go(_) => EF W[0] in busy);

reduction Small of Two<3> { compose W[0], W[1] first; root dpbranching; }

check not holds(Two<3>, Answered) fair { halt, set(Low) };
check holds(Two<3>, Never);
check always(Two<3>, W[0].pair.left <= k or (forall x in W . x in { idle, busy })) by Small;
check always(Two<3>, W[0].pair.left <= k + size(W[0].bag));
check deadlock_free(Plain);
scenario low of Two<3> { go(1); set(High); }
";

/// Uses of connectors, what is shown above, orders, rules of architectures and claims of processes by themselves.
const GLUE: &str = "\
action put(Int, Int), get(Int), stop, go, all(Int), load(Int);

connector Max(p: port(x: Int, in y: Int), q: port(x: Int, in y: Int)) shows top(m: Int, in r: Int) {
    p q up top.m := p.x down p.y := top.r, q.y := top.r;

}

process Part<v: Int> {
    var x: Int = v;
    init state s;
    state t;

    s -> s : put(x, ?y) when y > 0 assert y > 0 do x := y;
    s -> t : stop;
    t -> s : go;
    priority stop < put;
}

net Trio(H: any) {
    sub A = Part<1>;
    sub B[i: 0..2] = Part<i>;

    connect pair : Max(A.put, B[0].put);
    connect all(top.m) : Max(pair.top, B[1].put);
    connect stop : A.stop' [B[i].stop' for i in 0..2];
    connect go : A.go;
    <H: load(z), B[j]: go> -> get(z) for j in 0..2;
    priority stop < go when A.x > 1;
    priority get(w) < stop[A.stop] when B[w].x > 0 for w in 0..2;
}

property Quiet(p) = G not p;

check reaches(Part<1>, Part in t);
check always(Part<1>, Part.x > 0 or Part in s);
check holds(Part<1>, G Part in s);
check holds(Trio, Quiet(get(1)) and (AG (H: load(_)) => A in s)) fair { stop, all(_) };
check noninterfering(Trio, A, B[0], AG (stop => Part in s));
check holds(Trio, nu X(k: 0..2 = 0) . [go] X(k) and (k < 2 => EF A in s));
check refines(Trio, Trio) tracking { H };
";

/// Names that are told from others of their name by what stands around them, or are assigned and compared only.
const SPREAD: &str = "\
import std.buffers (Channel);

action give(Int), take(Int), rest, go, go(Int), shut, all(Int), done, done(Int);

process Part {
    var n: Int = 0;
    init state s;

    s -> s : give(?v) when v > 0 do n := v;
    s -> s : take(n);
    s -> s : rest;
    s -> s : done(n);
    priority rest < done;
}

process Other {
    init state s;

    s -> s : go;
    s -> s : done;
}

net Two {
    sub P[i: 0..2] = Part;
    sub L = Channel<2, give, take>;
    sub O = Other;

    connect all(w) : P[0].take(w) P[1].give(x) do x := w;
    connect go(i) : P[i].rest for i in 0..2;
    <O: go, L: take(_)> -> shut;
    <P[0]: take(k), L: give(k)> -> tau;
    <P[i]: done(k)> -> done(k) for i in 0..2;
    <O: done> -> tau;
    priority shut < go;
}

check not always(Two, forall a in P, b in P . a.n == b.n => a == b);
";

/// Words of the language and of checks, and what has no declaration in the text.
const WORDS: &str = "data enum action fun match with is process var init state when do and or connector port in shows up if then \
    else down architecture rule new sub never net connect for property forall responds AG after EF reduction compose first root \
    dpbranching check not holds fair always by reaches deadlock_free scenario Int Bool of both low \
    on priority assert any refines tracking noninterfering G nu";

fn names(text: &str) -> Vec<(usize, &str)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut all = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices() {
        match (is_name(letter), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                all.push((from, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    all.retain(|(_, name)| {
        *name != "_" && !name.starts_with(|c: char| c.is_ascii_digit()) && !words.contains(name)
    });
    all
}

fn opened(name: &str, model: &str) -> Editor {
    let mut editor = Editor::new(name);
    let wrong = editor.open("a.pnet", model);
    let errors: Vec<&Value> = wrong.iter().filter(|one| one["severity"] == 1).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    editor
}

#[test]
fn every_name_of_the_newest_forms_is_known() {
    for (name, model) in [("every_name", MODEL), ("every_name_of_glue", GLUE)] {
        let mut editor = opened(name, model);
        let mut unknown = Vec::new();
        for (at, name) in names(model) {
            let line = model[..at].rfind('\n').map_or(0, |end| end + 1);
            let line = model[line..].lines().next().unwrap();
            let mut asked = editor.about("a.pnet");
            asked["position"] = position(model, at);
            let found = editor.ask("textDocument/definition", asked.clone());
            let hover = editor.ask("textDocument/hover", asked);
            if found.is_null() || hover.is_null() {
                unknown.push(format!("`{name}` in `{line}`"));
                continue;
            }
            assert_eq!(covered(model, &found["range"]), name, "{line}");
            assert_eq!(covered(model, &hover["range"]), name, "{line}");
        }
        assert!(unknown.is_empty(), "{unknown:#?}");
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn each_form_of_name_can_be_changed_and_changed_back() {
    all_are_changed(
        "each_form",
        MODEL,
        &[
            ("Put(item", 0),
            ("High }", 0),
            ("Low, High", 0),
            ("p: port", 0),
            ("u: Int", 0),
            ("above(m", 0),
            ("m: Int, in r", 0),
            ("Chain(a, b); }", 0),
            ("architecture Ring", 13),
            ("W[i: 0..2]", 0),
            ("k: Int", 0),
            ("Plain {", 0),
            ("x in W", 0),
            ("Answered =", 0),
        ],
    );
    all_are_changed(
        "spread_names",
        SPREAD,
        &[
            ("give(Int)", 0),
            ("take(Int)", 0),
            ("go, go", 0),
            ("go(Int)", 0),
            ("done, done", 0),
            ("done(Int)", 0),
            ("x) do", 0),
            ("a in P", 0),
            ("b in P", 0),
        ],
    );
}

/// Gives names that stand at some places another name, one after the other: the model means what it meant.
fn all_are_changed(name: &str, model: &str, all: &[(&str, usize)]) {
    let mut editor = opened(name, model);
    let mut version = 2;
    for &(what, into) in all {
        let mut asked = editor.at("a.pnet", model, what, into);
        asked["newName"] = json!("zebra");
        let changes = editor.ask("textDocument/rename", asked);
        let edits = &changes["changes"][editor.uri("a.pnet")];
        let text = edited(model, edits);
        let places = edits.as_array().unwrap().len();
        assert!(places > 1, "{what}: {text}");
        let wrong = editor.change("a.pnet", version, &text);
        assert!(wrong.iter().all(|one| one["severity"] != 1), "{what}: {wrong:#?}");
        assert_eq!(text.matches("zebra").count(), places, "{what}");
        editor.change("a.pnet", version + 1, model);
        version += 2;
    }
    assert_eq!(editor.end(), 0);
}

/// The same file by two paths, in one program and in two.
#[test]
#[cfg(unix)]
fn links_are_followed_by_renames_and_open_texts() {
    let part = "action tick;\n\nprocess Clock { init state s; s -> s : tick; }\n";
    let user = "import \"./linked.pnet\" as l;\nimport \"./part.pnet\" as p;\n\nnet N { sub C = l.Clock; sub D = p.Clock; <C: l.tick> -> p.tick; <D: p.tick> -> p.tick; }\n";
    let other = "import \"./linked.pnet\";\n\nnet M { sub C = Clock; <C: tick> -> tick; }\n";
    let mut editor = Editor::new("links");
    editor.write("part.pnet", part);
    std::os::unix::fs::symlink("part.pnet", editor.folder.join("linked.pnet")).unwrap();
    editor.write("user.pnet", user);
    editor.write("other.pnet", other);
    assert_eq!(editor.open("part.pnet", part), Vec::<Value>::new());
    assert_eq!(editor.open("user.pnet", user), Vec::<Value>::new());
    let mut asked = editor.at("part.pnet", part, "Clock", 0);
    let references = editor.ask("textDocument/references", asked.clone());
    assert_eq!(references.as_array().unwrap().len(), 4, "{references:#}");
    asked["newName"] = json!("Watch");
    let changes = editor.ask("textDocument/rename", asked);
    let changes = changes["changes"].as_object().unwrap();
    let files: Vec<&str> = changes.keys().map(|uri| uri.rsplit('/').next().unwrap()).collect();
    assert_eq!(files, ["other.pnet", "part.pnet", "user.pnet"], "{changes:#?}");
    for (file, text) in [("part.pnet", part), ("user.pnet", user), ("other.pnet", other)] {
        let after = edited(text, &changes[&editor.uri(file)]);
        assert_eq!(after, text.replace("Clock", "Watch"), "{file}");
    }
    // What is open stands before the disk, by whichever path it is read.
    editor.change("part.pnet", 2, &part.replace("Clock", "Watch"));
    assert!(editor.diagnostics("user.pnet").len() >= 2);
    assert_eq!(editor.end(), 0);
}

/// Half a letter is one unit: what an editor sends between two halves does not put the texts out of step.
#[test]
fn halves_of_letters_do_not_put_texts_out_of_step() {
    let mut editor = Editor::new("halves");
    editor.open("a.pnet", "// ab\naction go;\n");
    let at = |line: u64, character: u64| json!({ "line": line, "character": character });
    let edit = |editor: &mut Editor, version: u64, from: Value, to: Value, text: &str| {
        let uri = editor.uri("a.pnet");
        let body = json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": [{ "range": { "start": from, "end": to }, "text": "TEXT" }],
        }});
        let body = body.to_string().replace("TEXT", text);
        editor.bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        editor.diagnostics("a.pnet")
    };
    // The first half, then the second; then a name behind them on the same line.
    edit(&mut editor, 2, at(0, 4), at(0, 4), "\\ud83d");
    edit(&mut editor, 3, at(0, 5), at(0, 5), "\\ude00");
    edit(&mut editor, 4, at(0, 6), at(0, 7), "c\\naction stop;\\n//");
    let symbols = editor.ask("textDocument/documentSymbol", editor.about("a.pnet"));
    assert_eq!(symbols[0]["name"], "stop", "{symbols}");
    assert_eq!(symbols[0]["range"]["start"], at(1, 7), "{symbols}");
    assert_eq!(symbols[1]["range"]["start"], at(3, 7), "{symbols}");
    // No complaint was made.
    assert!(editor.kept.iter().all(|one| one.get("error").is_none()), "{:#?}", editor.kept);
    assert_eq!(editor.end(), 0);
}

/// As many problems as nobody reads: few are told, the last one says so, and it takes no time.
#[test]
fn too_many_problems_are_not_all_told() {
    let mut editor = Editor::new("many_problems");
    let mut text = "action a;\n".to_owned();
    (0..30_000).for_each(|at| text.push_str(&format!("const c{at}: Int = unknown{at};\n")));
    let started = std::time::Instant::now();
    let wrong = editor.open("a.pnet", &text);
    assert_eq!(wrong.len(), 1001);
    // Errors come first: the unused action is a warning.
    assert!(wrong.iter().all(|one| one["severity"] == 1));
    assert_eq!(wrong[0]["range"]["start"]["line"], 1);
    let last = wrong[1000]["message"].as_str().unwrap();
    assert!(last.starts_with("29001 more problems"), "{last}");
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 40000, "character": 0 } });
    let mut asked = editor.about("a.pnet");
    asked["range"] = range;
    asked["context"] = json!({ "diagnostics": [] });
    editor.ask("textDocument/codeAction", asked);
    // It took 20 seconds and more; the machine may be busy.
    assert!(started.elapsed().as_secs() < 15, "{:?}", started.elapsed());
    assert_eq!(editor.end(), 0);
}

/// What is proposed in formulas, definitions of connectors, interactions, rules and reductions: what fits there, and not what does not.
#[test]
fn completions_fit_the_newest_forms() {
    let mut editor = opened("newest_completions", MODEL);
    let mut wrong = Vec::new();
    let asked = [
        ("check ", "holds noninterfering deadlock_free not", "net go Worker"),
        ("check holds(Two<3>, ", "AG Answered go W halt", "net process Max"),
        ("check holds(Two<3>, AG (after ", "go halt tick", "AG W Worker Pair"),
        ("check always(Two<3>, W[0] in ", "idle busy", "go Worker AG"),
        ("check holds(Two<3>, Answered) fair { ", "go halt sync", "Worker AG idle"),
        ("check noninterfering(Two<3>, ", "W", "go Worker AG"),
        ("check noninterfering(Two<3>, W[0], W[1], ", "AG W go", "net"),
        ("check deadlock_free(Two<3>) by ", "Small", "go Worker W"),
        ("property Z = ", "AG after Never go W", "net process"),
        ("reduction R of ", "Two Worker", "go W"),
        ("reduction R of Two<3> { ", "compose restrict root", "go Two"),
        ("reduction R of Two<3> { compose ", "W", "go Two"),
        ("scenario s of Two<3> { ", "go halt", "W Two AG"),
        ("connector K(e: port(x: ", "Int Level", "go Worker"),
        ("connector K(e: port(x: Int), f: port(in y: Int)) { ", "e f down", "go W Worker"),
        ("connector K(e: port(x: Int), f: port(in y: Int)) { e f down f.", "y", "left W go u"),
        ("net M { sub S = Plain; connect pass : ", "S Max", "go AG idle"),
        ("net M { sub S = Plain; connect pass : S.", "tick halt", "left S"),
        ("net M { sub S = Plain; <", "S", "go W AG"),
        ("net M { sub S = Plain; <S: ", "tick tau", "S Worker idle"),
        ("architecture B { rule B() { new s; sub s = ", "Plain Worker", "go s"),
        ("architecture B { rule B() { new s; sub s = Plain; never no: s in ", "idle busy", "go s"),
        ("process Q { init state s; s -> s : ", "go tau", "Worker AG idle"),
        ("fun f(o: Pair): Pair = o with { ", "left right", "go Worker"),
        ("net M { sub S[i: 0..2] = Plain; connect pass : S[0].", "tick halt", "left S"),
        ("net M { sub S[i: 0..2] = Plain; connect pass : S[0].tick ", "S for do", "left go"),
        (
            "net M { sub S[i: 0..2] = Plain; sub T = Plain; connect pass : T.tick [S[i].",
            "tick halt",
            "left S",
        ),
        ("net M { sub S = Plain; connect go(x) : S.set(", "true", "Max Worker idle"),
        ("net M { sub S = if true then Plain else ", "Plain Two", "go not"),
        ("net M(H: any) { sub S = Two<", "High", "Worker AG"),
        ("net M = Two<3>(", "Plain Two", "go AG"),
        ("net M(H: any) = Hide<{ halt }>(", "Two Plain", "go connect"),
        ("net M(H: any) = Hide<{ ", "halt go", "connect Plain"),
        ("check bisimilar(Hide<{ halt }>(Two<3>), ", "Two Plain", "go AG"),
        ("check mutex(", "Two Plain", "go AG"),
        ("check deadlock_free(Two<3>) ", "by fair", "go AG Plain"),
        ("check valid(forall k: ", "Level Int", "go AG"),
        ("check valid(forall k: Level, b: Bag<", "Level Int", "go AG"),
        ("relation R(Plain, ", "Plain Two", "go AG"),
        ("relation R(Plain, Plain) { (idle, ", "idle busy", "go Plain"),
        ("invariant I of Two<3> { W[0] in ", "idle busy", "go Plain"),
        ("scenario s of Two<3> { go(1); [W[0] in ", "idle busy", "go Plain"),
        ("process Q { init ", "state", "idle go"),
        ("process Q { var a: [0..2]", "Level Bool", "go idle"),
        ("process Q { init state s; var a: Bag<", "Level Bool", "go idle"),
        ("data Frame { Msg(content: ", "Level Bool", "go idle"),
        ("interface I { ", "go halt", "Level Plain"),
        ("interface I { set(", "Level", "go Plain"),
        ("action again(", "Level", "go Plain"),
        ("process Q<n: Int> { var a: 0..", "n", "W idle left"),
        ("relation R(Plain, ", "Plain Two", "go AG"),
        ("check never(", "Ring Two", "go AG"),
        ("check always(Two<3>, W[0].pair.left ", "and mod in", "go AG Plain not"),
        ("check holds(Two<3>, EF W[0] in busy ", "and U", "go AG Plain not"),
        ("check holds(Two<3>, EF ", "AG W not", "and U mod"),
        ("process Q { init state s; var n: Int = 1; s -> s : halt when n > 1 ", "and do", "n go"),
        ("process Q { init state s; var n: Int = 1; s -> s : halt when ", "n not", "and do"),
        ("check always(Two<3>, forall x in ", "W Plain", "go idle"),
        ("check always(Two<3>, forall x in W, y in ", "W Plain", "go idle"),
        ("import std.lotos (Stop);\nimport std.lotos (", "Stop Hide", "go Plain AG"),
    ];
    for (version, (before, wanted, unwanted)) in (2..).zip(asked) {
        let text = format!("{MODEL}{before}");
        editor.change("a.pnet", version, &text);
        let mut asked = editor.about("a.pnet");
        asked["position"] = position(&text, text.len());
        let found = editor.ask("textDocument/completion", asked);
        let labels: Vec<&str> =
            found.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
        let missing: Vec<&str> = wanted.split(' ').filter(|one| !labels.contains(one)).collect();
        let odd: Vec<&str> = unwanted.split(' ').filter(|one| labels.contains(one)).collect();
        if !missing.is_empty() || !odd.is_empty() {
            wrong.push(format!("`{before}`: without {missing:?}, with {odd:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(editor.end(), 0);
}

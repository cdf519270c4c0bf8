//! The cone of influence: a net in which what does not count stays as it is does the same, as far as anybody looks.
//!
//! Both nets are gone through by the plain interpreter, and compared by refinement as bisimilarity is defined.

use std::collections::{BTreeMap, BTreeSet};

use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, Value};
use pnetc::model::Wanted;
use pnetc::pnet::{Content, PNet, Watched, name_of};

use crate::certificates::{Folder, pnet};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, mixed};

/// No more configurations of a net are compared.
const MOST: usize = 400;

/// What a step shows, as far as it is watched.
fn seen(value: &Value, whose: Content, watched: &Watched) -> String {
    match value {
        Value::Sync(inner) => format!("sync {}", seen(inner, whose, watched)),
        Value::Co(inner) => format!("co {}", seen(inner, whose, watched)),
        Value::Act(action, args) => {
            let is_watched = |at: &usize| watched.arguments.contains(&(whose, *action, *at as u32));
            let args = args.iter().enumerate();
            let args: Vec<String> = args
                .map(|(at, arg)| if is_watched(&at) { format!("{arg:?}") } else { "_".to_owned() })
                .collect();
            format!("{action:?}({})", args.join(","))
        }
        other => format!("{other:?}"),
    }
}

/// The steps of all configurations, with the first ones as targets of one more; nothing if there are too many, or values are left out.
fn system(net: &PNet, watched: &Watched) -> Option<Vec<Vec<(String, usize)>>> {
    let domains = Domains { also: vec![0.into()], only_these: true, ..Domains::default() };
    let interpreter = Interpreter::new(net, domains);
    let mut known: BTreeMap<Configuration, usize> = BTreeMap::new();
    let mut all: Vec<Configuration> = Vec::new();
    let mut number = |at: &Configuration, all: &mut Vec<Configuration>| {
        *known.entry(at.clone()).or_insert_with(|| {
            all.push(at.clone());
            all.len()
        })
    };
    let begins = interpreter.initial().ok()?.configurations;
    let begin = |at: &Configuration| format!("{:?}", at.constants);
    let mut steps = vec![begins.iter().map(|at| (begin(at), number(at, &mut all))).collect()];
    let mut next = 0;
    while next < all.len() {
        if all.len() > MOST {
            return None;
        }
        let here = interpreter.steps(&all[next].clone()).ok()?;
        next += 1;
        let told = here.steps.iter().map(|step| {
            let holes = step.holes.iter().map(|(hole, does)| {
                format!("{hole:?}: {}", seen(does, Content::Hole(*hole), watched))
            });
            let holes: Vec<String> = holes.collect();
            let shown = seen(&step.action, net.root, watched);
            let label = format!("{shown} {} {:?}", holes.join(" "), step.vectors);
            (label, number(&step.target, &mut all))
        });
        steps.push(told.collect());
    }
    Some(steps)
}

/// Whether the first states of two systems are bisimilar, by refining blocks until nothing changes.
fn bisimilar(one: &[Vec<(String, usize)>], other: &[Vec<(String, usize)>]) -> bool {
    let shift = one.len();
    let shifted = other.iter().map(|steps| {
        steps.iter().map(|(label, to)| (label.clone(), to + shift)).collect::<Vec<_>>()
    });
    let all: Vec<Vec<(String, usize)>> = one.iter().cloned().chain(shifted).collect();
    let mut blocks = vec![0; all.len()];
    let mut count = 1;
    loop {
        let mut numbers = BTreeMap::new();
        let next: Vec<usize> = all
            .iter()
            .zip(&blocks)
            .map(|(steps, block)| {
                let does: BTreeSet<(&str, usize)> =
                    steps.iter().map(|(label, to)| (label.as_str(), blocks[*to])).collect();
                let fresh = numbers.len();
                *numbers.entry((*block, does)).or_insert(fresh)
            })
            .collect();
        if numbers.len() == count {
            return blocks[0] == blocks[shift];
        }
        (count, blocks) = (numbers.len(), next);
    }
}

#[test]
fn random_nets_do_the_same_with_less() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(300)) {
        let mut random = Random::new(seed);
        let model = mixed::model(&mut random);
        let checked = mixed::accepted(&model.text).unwrap();
        let checks = checked.checks();
        let Some(check) = checks.first() else { continue };
        let wanted = Wanted::Instance(check, &check.nets[0]);
        let net = checked.net(wanted, &ElaborateOptions::default()).unwrap();
        let mut watched = Watched::default();
        let vectors = net.nodes.iter().flat_map(|node| &node.vectors);
        for action in vectors.filter_map(|vector| name_of(&net.terms, vector.result)) {
            let args = 0..net.algebra.action(action).sorts.len() as u32;
            let args = args.filter(|_| random.below(6) == 0).map(|at| (net.root, action, at));
            watched.arguments.extend(args.collect::<Vec<_>>());
        }
        for plts in &net.plts {
            let all = plts.variables.iter().map(|(var, _)| *var);
            watched.variables.extend(all.filter(|_| random.below(6) == 0));
        }
        let Some(stilled) = net.stilled(&watched) else { continue };
        let both = (system(&net, &watched), system(&stilled.net, &watched));
        let (Some(whole), Some(less)) = both else { continue };
        assert!(
            bisimilar(&whole, &less),
            "PNET_SEED={seed}\n{}\n{whole:#?}\n{less:#?}",
            model.text
        );
        compared += 1;
        smaller += usize::from(less.len() < whole.len());
    }
    eprintln!("{compared} compared, {smaller} smaller");
    assert!(fuzz().is_some() || (compared >= 20 && smaller >= 5), "{compared}, {smaller}");
}

// ---- from the command line ----

const LINE: &str = "\
action put(Int), get(Int), tick, lose;

process Sender {
    var n: Int = 0;
    init state s;
    state waits;

    s     -> waits : put(n);
    waits -> s     : tick do n := n + 1;
}

process Cell {
    var v: Int = 0;
    init state empty;
    state full;

    empty -> full  : put(?x) do v := x;
    full  -> empty : get(v);
    full  -> empty : lose;
}

net Line {
    sub S = Sender;
    sub C = Cell;

    <S: put(x), C: put(x)> -> put(x);
    <S: tick>              -> tick;
    <C: get(x)>            -> get(x);
    <C: lose>              -> lose;
}

net Open(P: any) {
    sub C = Cell;

    <P: put(x), C: put(x)> -> put(x);
    <C: get(x)>            -> get(x);
    <C: lose>              -> lose;
}
";

fn asked(name: &str, model: &str, checks: &[&str]) -> (Folder, String, i32) {
    let folder = Folder::new(&format!("influence-{name}"));
    let checks: String = checks.iter().map(|check| format!("check {check};\n")).collect();
    std::fs::write(folder.0.join("model.pnet"), format!("{model}\n{checks}")).unwrap();
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    let (model, proofs, runs) = (path("model.pnet"), path("proofs"), path("runs"));
    let evidence = ["--certificate", proofs.as_str(), "--traces", runs.as_str()];
    let told = ["verify", &model, "--color", "never"];
    let done = pnet(&[&told[..], &evidence].concat());
    (folder, done.out, done.status)
}

/// The words of the verdicts.
fn verdicts(out: &str) -> Vec<&str> {
    let told = out.lines().filter(|line| line.contains("check ") && line.contains("holds("));
    told.filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn numbers_without_an_end_are_left_out() {
    let checks = [
        "holds(Line, G (C in full => F (get(_) or lose)))",
        "holds(Line, G F get(_)) fair { get(_) }",
        "holds(Line, AG EF <put(_)> true)",
        "holds(Open, AG (after put(_) => AF (get(_) or lose)))",
        "holds(Open, AG (after P: put(_) => C in full))",
    ];
    let (folder, out, status) = asked("proved", LINE, &checks);
    assert_eq!((status, verdicts(&out)), (0, vec!["proved"; 5]), "{out}");
    assert!(out.contains("in all 4 configurations"), "{out}");
    assert!(out.contains("in all 2 configurations"), "{out}");
    assert!(out.contains("the values of `S.n`, `C.v` were left out"), "{out}");
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    let done = pnet(&["recheck", &path("proofs"), &path("model.pnet")]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
}

#[test]
fn runs_go_round_but_for_what_was_left_out() {
    let (folder, out, status) = asked("refuted", LINE, &["holds(Line, G F get(_))"]);
    assert_eq!((status, verdicts(&out)), (1, vec!["refuted"]), "{out}");
    assert!(out.contains("but for `S.n`, `C.v`"), "{out}");
    let runs = std::fs::read_dir(folder.0.join("runs")).unwrap();
    let runs = runs.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned());
    let is_saved = |run: &String| run.ends_with(".json") && !run.ends_with(".itf.json");
    let runs: Vec<String> = runs.filter(is_saved).collect();
    assert_eq!(runs.len(), 1, "{runs:?}");
    let model = folder.0.join("model.pnet");
    for run in runs {
        let done = pnet(&["replay", &run, model.to_str().unwrap()]);
        assert_eq!(done.status, 0, "{run}: {}{}", done.out, done.err);
        // A variable that counts, or that is not named, makes it another run.
        let text = std::fs::read_to_string(&run).unwrap();
        if text.contains("\"S.n\"") {
            std::fs::write(&run, text.replace("\"S.n\"", "\"S.m\"")).unwrap();
            let done = pnet(&["replay", &run, model.to_str().unwrap()]);
            assert_eq!(done.status, 1, "{}{}", done.out, done.err);
        }
    }
}

#[test]
fn what_counts_is_not_left_out() {
    let model = "\
action tick, stop, say(Int), meet, left, right, pass(Int), hear(Int);

process Chain {
    var a: Int = 0;
    var b: Int = 0;
    init state s;
    s -> s : tick do b := a, a := a + 1;
    s -> s : stop when b == 3;
}
process Counts { var n: Int = 0; init state s; s -> s : say(n); s -> s : tick do n := n + 1; }
process Three { init state s; s -> s : say(3); }
net Agree { sub P = Counts; sub Q = Three; <P: say(x), Q: say(x)> -> meet; <P: tick> -> tick; }
process Owes { var r: 0..3 = 0; init state s; s -> s : tick do r := r + 1; }
process Hears {
    var v: Int = 0;
    init state s;
    s -> s : hear(?x) do v := x;
    s -> s : stop when v > 2;
}
net Passes {
    sub P = Counts;
    sub H = Hears;
    <P: say(x), H: hear(x)> -> pass(x);
    <P: tick> -> tick;
    <H: stop> -> stop;
}
process Loaded<go: Action> { var load: Int = 0; init state s; s -> s : go do load := load + 1; }
net Gives {
    sub L = Loaded<left>;
    sub R = Loaded<right>;
    <L: left> -> left;
    <R: right> -> right;
    priority left < right when R.load < 3;
}
";
    let checks = [
        "holds(Chain, EF <stop> true)",
        "holds(Agree, EF <meet> true)",
        "not holds(Agree, AX <meet> true)",
        "not holds(Owes, AG <tick> true)",
        "holds(Passes, EF <stop> true)",
        "not holds(Passes, EF (stop and H.v == 2))",
        "holds(Passes, EF <pass(4)> true)",
        "holds(Gives, EF <left> true)",
        "not holds(Gives, <left> true)",
    ];
    let (_folder, out, status) = asked("counts", model, &checks);
    assert_eq!(status, 0, "{out}");
    assert_eq!(
        out.lines().filter(|line| line.starts_with("proved")).count(),
        checks.len(),
        "{out}"
    );
}

const GIVING_WAY: &str = "\
action ask(0..3), take(0..3), idle, go;

process Asker {
    init state s;

    s -> s : ask(1);
    s -> s : idle;
}

process Taker {
    init state s;

    s -> s : take(?x);
}

net Bound {
    sub A = Asker;
    sub B = Taker;

    <A: idle, B: take(y)> -> go unless <A: ask(y)>;
}

net Free {
    sub A = Asker;
    sub B = Taker;

    <A: idle, B: take(_)> -> go unless <A: ask(y), B: take(y)>;
}

interface Taking { take(0..3) }

net Open(H: Taking) {
    sub A = Asker;

    <A: idle, H: take(y)> -> go unless <A: ask(y)>;
}
";

#[test]
fn what_a_step_gives_way_to_depends_on_its_values() {
    // Where nobody sees `y`, it still decides whether the other step is possible.
    let checks = ["not holds(Bound, G not go)", "holds(Free, G not go)", "holds(Open, EF go)"];
    let (_folder, out, _) = asked("giving-way", GIVING_WAY, &checks);
    assert_eq!(verdicts(&out), ["proved", "proved", "proved"], "{out}");
}

#[test]
fn constants_of_what_is_left_out_have_values_in_runs() {
    let model = "\
const K: Int;
const L: Int;
axiom K >= 10 and K <= 12;
axiom L >= 8 and L < K;
action a, b(Int), c;

process P {
    var v: Int = 0;
    var w: 0..3 = 0;
    init state s;

    s -> s : a do v := v + K, w := (w + 1) mod 3;
    s -> s : b(v + L);
    s -> s : c when w == 2;
}
";
    let checks = ["not holds(P, G not b(_))", "not holds(P, G not c)", "not holds(P, F G a)"];
    let (folder, out, _) = asked("constants", model, &checks);
    assert_eq!(verdicts(&out), ["proved", "proved", "proved"], "{out}");
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    for run in ["runs/001.json", "runs/002.json", "runs/003.json"] {
        let done = pnet(&["replay", &path(run), &path("model.pnet")]);
        assert_eq!(done.status, 0, "{run}: {}{}", done.out, done.err);
    }
}

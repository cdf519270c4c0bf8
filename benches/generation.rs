//! How generation grows: chains of Enables, and monitors that share actions, by the three algorithms.
//!
//! Run it with `make bench`. Machines differ and are noisy: compare figures of one run only. What is measured is
//! `generate` alone: the model has been read and elaborated before, with one solver at a time.
//!
//! The tables go to the terminal and into `docs/benchmarks.md`, the plots into `docs/plots/`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

mod plot;
mod report;

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use plot::{Line, Plot, Role};
use pnetc::elaborate;
use pnetc::generate::{Algorithm, Counts, Options, Unwatched, generate};
use pnetc::loader::Sources;
use pnetc::pnet::PNet;
use pnetc::session::Session;
use report::{seconds, write_down};

/// The same allocator as the command's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How often what is quick is measured.
const ROUNDS: usize = 7;

/// How often `smart` is measured on two monitors.
const SMART_ROUNDS: usize = 3;

/// What takes less than this is measured as often, in seconds.
const QUICK: f64 = 0.3;

/// What the algorithms that explode may take for all chains together, in seconds.
const PATIENCE: f64 = 20.0;

/// The lengths of chains that have a table of their own.
const CHAINS: [usize; 6] = [4, 8, 16, 32, 64, 128];

/// The numbers of monitors.
const MONITORS: [usize; 9] = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/// The numbers of synchrons.
const SYNCHRONS: [usize; 6] = [3, 4, 5, 6, 7, 8];

/// Where the tables begin and end in the document.
const MARKS: (&str, &str) = ("<!-- generation: begin -->", "<!-- generation: end -->");

// ---- models ----

/// The examples, and one model beside them.
struct Models(String);

/// Where that one seems to be, so that it can import the others.
const THIS: &str = "examples/this.pnet";

impl Sources for Models {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == THIS {
            return Ok(self.0.clone().into_bytes());
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::read(path).map_err(|problem| problem.to_string())
    }
}

fn net(file: &str, model: String, name: &str) -> PNet {
    let checked = Session::default().check(&Models(model), file).expect("it can be read");
    assert!(!checked.has_errors(), "the model should be fine");
    let net =
        checked.build(Some(name), &elaborate::ElaborateOptions::default()).expect("it elaborates");
    Arc::unwrap_or_clone(net)
}

/// `(P1 >> P2) >> … >> Pn`, with controllers that have states.
fn chain(length: usize) -> PNet {
    let holes: Vec<String> = (1..=length).map(|i| format!("P{i}: any")).collect();
    let enables =
        (2..=length).fold("P1".to_owned(), |left, i| format!("Enable({left}, P{i}, CState)"));
    let holes = holes.join(", ");
    let model = format!("import \"./enable.pnet\";\nnet Chain({holes}) = {enables};\n");
    net(THIS, model, "Chain")
}

/// Monitored components, each with a limit of its own, that share `tick`, `ask` and `reset`.
fn monitors(count: usize) -> PNet {
    let all = |part: &dyn Fn(usize) -> String| {
        let parts: Vec<String> = (1..=count).map(part).collect();
        parts.join(", ")
    };
    let mut model = "import \"./failure_monitor.pnet\";\n".to_owned();
    model += "action fail(Int, Bool), resume(Int, Bool);\n";
    for i in 1..=count {
        writeln!(model, "const Max{i}: Int;").unwrap();
    }
    writeln!(model, "net Many({}) {{", all(&|i| format!("B{i}: Operand"))).unwrap();
    for i in 1..=count {
        writeln!(model, "    sub M{i} = Monitor<Max{i}>(B{i});").unwrap();
        writeln!(model, "    <M{i}: fail(b)> -> fail({i}, b);").unwrap();
        writeln!(model, "    <M{i}: resume(b)> -> resume({i}, b);").unwrap();
    }
    for action in ["tick", "ask", "reset"] {
        writeln!(model, "    <{}> -> {action};", all(&|i| format!("M{i}: {action}"))).unwrap();
    }
    model += "}\n";
    net(THIS, model, "Many")
}

/// One trigger and synchrons that count, of which as many as can take part.
fn maximal(synchrons: usize) -> PNet {
    let mut model = "action p, q, bc;\n\
         process T { init state s; s -> s : p; }\n\
         process S<k: Int> { var c: Int = 0; init state s; state t;\n\
         s -> t : q when c < k do c := c + 1;\n\
         t -> s : q when c < k + 3 do c := c + 2; }\n\
         net Most {\n    sub t = T;\n"
        .to_owned();
    for i in 0..synchrons {
        writeln!(model, "    sub s{i} = S<{}>;", i + 3).unwrap();
    }
    let all: Vec<String> = (0..synchrons).map(|i| format!("s{i}.q")).collect();
    writeln!(model, "    connect bc : t.p' {};\n    priority maximal;\n}}", all.join(" ")).unwrap();
    net(THIS, model, "Most")
}

// ---- measuring ----

fn once(net: &PNet, algorithm: Algorithm) -> (Counts, f64) {
    let options = Options { algorithm, ..Options::default() };
    let start = Instant::now();
    let generated = generate(net, &options, &Unwatched);
    (generated.counts, start.elapsed().as_secs_f64())
}

/// Measures several, in turn, so that a noisy moment hits them all alike; medians.
fn measured(nets: &[PNet], algorithm: Algorithm, rounds: usize) -> Vec<(Counts, f64)> {
    let mut all = vec![(Counts::default(), Vec::new()); nets.len()];
    for _ in 0..rounds {
        for (net, (counts, times)) in nets.iter().zip(&mut all) {
            let (found, time) = once(net, algorithm);
            *counts = found;
            times.push(time);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    all.into_iter().map(|(counts, times)| (counts, median(times))).collect()
}

/// A chain of n processes is in one of them, and goes on there, or to the next.
fn assert_is_chain(counts: &Counts, length: usize) {
    assert_eq!((counts.states, counts.transitions), (length, 2 * length - 1));
    assert_eq!(counts.unknown, 0);
}

/// Times for chains of 2, 3 and more processes, as long as the next is expected to end in time.
fn until_it_explodes(algorithm: Algorithm, patience: f64) -> Vec<(usize, Counts, f64)> {
    let mut done: Vec<(usize, Counts, f64)> = Vec::new();
    let mut left = patience;
    for length in 2.. {
        let growth = match done.as_slice() {
            [.., (_, _, before), (_, _, last)] => last / before * last,
            _ => 0.0,
        };
        if growth > left {
            break;
        }
        let net = [chain(length)];
        let rounds = if growth < QUICK { ROUNDS } else { 1 };
        let (counts, time) = measured(&net, algorithm, rounds)[0];
        assert_is_chain(&counts, length);
        left -= time * rounds as f64;
        done.push((length, counts, time));
    }
    done
}

// ---- tables ----

/// A table in Markdown.
fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), " ---: |".repeat(head.len()));
    for row in rows {
        writeln!(text, "| {} |", row.join(" | ")).unwrap();
    }
    text
}

fn cells(cells: &[&dyn ToString]) -> Vec<String> {
    cells.iter().map(|cell| cell.to_string()).collect()
}

/// Prints a part of the document, and adds it.
fn say(document: &mut String, text: &str) {
    println!("{text}");
    *document += text;
    document.push('\n');
}

fn chains(document: &mut String) -> Vec<(f64, f64)> {
    let nets = CHAINS.map(chain);
    let results = measured(&nets, Algorithm::Fast, ROUNDS);
    let mut rows = Vec::new();
    let mut before: Option<f64> = None;
    for (&n, (counts, time)) in CHAINS.iter().zip(&results) {
        assert_is_chain(counts, n);
        let growth = before.map_or_else(String::new, |before| format!("{:.1}x", time / before));
        let time_shown = seconds(*time);
        let Counts { states, transitions, queries, .. } = counts;
        rows.push(cells(&[&n, states, transitions, queries, &time_shown, &growth]));
        before = Some(*time);
    }
    let text = "### Chains of Enables\n\n\
        `(P1 >> P2) >> … >> Pn`, of n processes, by `fast`. Each row is twice the one before: \
        quadratic growth is 4x. Starting the solver takes the same for all.\n";
    say(document, text);
    say(document, &table(&["n", "states", "transitions", "queries", "seconds", "growth"], &rows));
    CHAINS.iter().zip(&results).map(|(&n, (_, time))| (n as f64, *time)).collect()
}

fn algorithms(document: &mut String, long: &[(f64, f64)]) {
    let naive = until_it_explodes(Algorithm::Naive, PATIENCE / 2.0);
    let smart = until_it_explodes(Algorithm::Smart, PATIENCE / 2.0);
    let most = naive.len().max(smart.len()) + 1;
    let lengths: Vec<usize> = (2..=most).collect();
    let nets: Vec<PNet> = lengths.iter().map(|&n| chain(n)).collect();
    let fast = measured(&nets, Algorithm::Fast, ROUNDS);
    let mut rows = Vec::new();
    for (at, (counts, time)) in fast.iter().enumerate() {
        let mut row = cells(&[&lengths[at]]);
        for literal in [&naive, &smart] {
            match literal.get(at) {
                Some((_, counts, time)) => row.extend(cells(&[&counts.queries, &seconds(*time)])),
                None => row.extend([String::new(), String::new()]),
            }
        }
        row.extend(cells(&[&counts.queries, &seconds(*time)]));
        rows.push(row);
    }
    let text = "### Three algorithms\n\n\
        The same chains by the two algorithms of the paper, as far as these get in some seconds, and by `fast`.\n";
    say(document, text);
    let head =
        ["n", "naive: queries", "seconds", "smart: queries", "seconds", "fast: queries", "seconds"];
    say(document, &table(&head, &rows));

    let line = |found: &[(usize, Counts, f64)]| -> Vec<(f64, f64)> {
        found.iter().map(|(n, _, time)| (*n as f64, *time)).collect()
    };
    let short = lengths.iter().zip(&fast).map(|(&n, (_, time))| (n as f64, *time));
    let mut points: Vec<(f64, f64)> = short.collect();
    points.extend(long.iter().filter(|(n, _)| *n > most as f64));
    let (n, time) = points[points.len() - 1];
    let guide = [n / 4.0, n].map(|x| (x, time * 1.6 * (x / n).powi(2)));
    let plot = Plot {
        title: "Chains of Enables: seconds to generate the automaton",
        across: "processes in the chain",
        lines: vec![
            Line { name: "naive", role: Role::First, points: line(&naive) },
            Line { name: "smart", role: Role::Second, points: line(&smart) },
            Line { name: "fast", role: Role::Third, points },
            Line { name: "n²", role: Role::Guide, points: guide.to_vec() },
        ],
        ticks: vec![2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0],
    };
    draw("generation", &plot);
    say(document, "![Seconds over the length of the chain](plots/generation.svg)\n");
}

fn two_monitors(document: &mut String) {
    let nets = [net("examples/two_monitors.pnet", String::new(), "Two")];
    let (smart, slow) = measured(&nets, Algorithm::Smart, SMART_ROUNDS)[0];
    let (fast, quick) = measured(&nets, Algorithm::Fast, ROUNDS)[0];
    let kept = |counts: &Counts| (counts.states, counts.transitions);
    assert_eq!(kept(&smart), (5, 31));
    assert_eq!(kept(&fast), (5, 31));
    let row = |name: &str, counts: &Counts, time: f64, ratio: &str| {
        let Counts { transitions, removed, queries, .. } = counts;
        cells(&[&name, &(transitions + removed), queries, &seconds(time), &ratio])
    };
    let ratio = format!("{:.0}x", slow / quick);
    let rows = [row("smart", &smart, slow, ""), row("fast", &fast, quick, &ratio)];
    let text = "### Two monitors\n\n\
        The net `Two` of `examples/two_monitors.pnet`: 5 states and 31 open transitions.\n";
    say(document, text);
    say(document, &table(&["algorithm", "built", "queries", "seconds", "faster"], &rows));
}

fn many_monitors(document: &mut String) {
    let nets = MONITORS.map(monitors);
    let results = measured(&nets, Algorithm::Fast, ROUNDS);
    let mut rows = Vec::new();
    for ((&k, net), (counts, time)) in MONITORS.iter().zip(&nets).zip(&results) {
        let product: usize = net.plts.iter().map(|plts| plts.states.len()).product();
        let each = format!("{:.0}", 1e6 * time / counts.transitions as f64);
        let Counts { states, transitions, queries, .. } = counts;
        rows.push(cells(&[&k, &product, states, transitions, queries, &seconds(*time), &each]));
    }
    let text = "### Many monitors\n\n\
        k monitored components that share `tick`, `ask` and `reset`, by `fast`. The product is that of the states \
        of all processes.\n";
    say(document, text);
    let head = ["k", "product", "states", "transitions", "queries", "seconds", "µs per transition"];
    say(document, &table(&head, &rows));
    let points: Vec<(f64, f64)> =
        results.iter().map(|(counts, time)| (counts.transitions as f64, *time)).collect();
    let (most, time) = points[points.len() - 1];
    let guide = [most / 4.0, most].map(|x| (x, time * 1.6 * x / most));
    let ticks = points.iter().map(|(transitions, _)| *transitions).collect();
    let plot = Plot {
        title: "2 to 10 monitors: seconds to generate the automaton",
        across: "open transitions of the automaton",
        lines: vec![
            Line { name: "fast", role: Role::Third, points },
            Line { name: "linear", role: Role::Guide, points: guide.to_vec() },
        ],
        ticks,
    };
    draw("monitors", &plot);
    say(document, "![Seconds over the transitions of the automaton](plots/monitors.svg)\n");
}

// ---- documents ----

fn maximal_progress(document: &mut String) {
    let nets = SYNCHRONS.map(maximal);
    let results = measured(&nets, Algorithm::Fast, 1);
    let mut rows = Vec::new();
    for (&n, (counts, time)) in SYNCHRONS.iter().zip(&results) {
        let each = format!("{:.0}", 1e6 * time / counts.transitions as f64);
        let Counts { states, transitions, queries, .. } = counts;
        rows.push(cells(&[&n, states, transitions, queries, &seconds(*time), &each]));
    }
    let text = "### Maximal progress\n\n\
        A broadcast to n processes that count, where as many take part as can (`priority maximal`), by `fast`.\n";
    say(document, text);
    let head = ["n", "states", "transitions", "queries", "seconds", "µs per transition"];
    say(document, &table(&head, &rows));
}

fn docs() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

fn draw(name: &str, plot: &Plot<'_>) {
    let folder = docs().join("plots");
    std::fs::create_dir_all(&folder).expect("a folder for plots");
    std::fs::write(folder.join(format!("{name}.svg")), plot.svg()).expect("the plot is written");
}

fn main() {
    let mut document = String::new();
    let long = chains(&mut document);
    algorithms(&mut document, &long);
    two_monitors(&mut document);
    many_monitors(&mut document);
    maximal_progress(&mut document);
    write_down(&document, MARKS);
}

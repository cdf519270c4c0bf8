//! How comparison grows: chains of Enables nested to the left and to the right, counters that share an action, written
//! in two ways, and buffers in a circle and in a row.
//!
//! Run it with `make bench`. Machines differ and are noisy: compare figures of one run only. What is measured is a
//! whole check: both nets are elaborated, both automata generated, the relation found, and its obligations proved.
//!
//! The tables go to the terminal and into `docs/benchmarks.md`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

mod report;

use std::cell::Cell;
use std::fmt::Write;
use std::time::Instant;

use pnetc::base::Budget;
use pnetc::generate::Watch;
use pnetc::loader::Sources;
use pnetc::outcome::Evidence;
use pnetc::session::Session;
use pnetc::verify::{self, ModelOptions};
use report::{seconds, write_down};

/// The same allocator as the command's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The numbers of processes in a chain.
const CHAINS: [usize; 7] = [3, 4, 6, 8, 12, 16, 24];

/// The numbers of counters.
const COUNTERS: [usize; 6] = [1, 2, 3, 4, 5, 6];

/// The places of buffers.
const BUFFERS: [usize; 5] = [3, 4, 5, 6, 7];

/// What one check may take, in seconds; what is expected to take longer is left out.
const PATIENCE: f64 = 60.0;

/// Where the tables begin and end in the document.
const MARKS: (&str, &str) = ("<!-- comparison: begin -->", "<!-- comparison: end -->");

// ---- models ----

/// One model.
struct Model(String);

impl Sources for Model {
    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        Ok(self.0.clone().into_bytes())
    }
}

/// `(P1 >> P2) >> … >> Pn` against `P1 >> (P2 >> … >> Pn)`.
fn chain(length: usize) -> String {
    let holes: Vec<String> = (1..=length).map(|i| format!("P{i}: any")).collect();
    let holes = holes.join(", ");
    let enable = |left: &str, right: &str| format!("Enable<{{ done }}>({left}, {right})");
    let left = (2..=length).fold("P1".to_owned(), |left, i| enable(&left, &format!("P{i}")));
    let right =
        (1..length).rev().fold(format!("P{length}"), |right, i| enable(&format!("P{i}"), &right));
    format!(
        "import std.lotos;\naction done;\nnet Left({holes}) = {left};\nnet Right({holes}) = {right};\n\
         check bisimilar(Left, Right);\n"
    )
}

/// Counters that step on their own and are reset together: one process each, or two states each with what is
/// counted beside them.
fn counters(count: usize) -> String {
    let mut model = "action step(Int), clear;\n\
        process Plain<id: Int> {\n    var n: 0..4 = 0;\n    init state s;\n\n    \
        s -> s : step(id) when n < 3 do n := n + 1;\n    s -> s : clear when n == 3 do n := 0;\n}\n\
        process Split<id: Int> {\n    var n: 0..4 = 0;\n    init state some;\n    state full;\n\n    \
        some -> some : step(id) when n < 2 do n := n + 1;\n    \
        some -> full : step(id) when n == 2 do n := 3;\n    \
        full -> some : clear do n := 0;\n}\n"
        .to_owned();
    for (net, process) in [("First", "Plain"), ("Second", "Split")] {
        writeln!(model, "net {net} {{").unwrap();
        for i in 1..=count {
            writeln!(model, "    sub C{i} = {process}<{i}>;").unwrap();
        }
        for i in 1..=count {
            writeln!(model, "    <C{i}: step({i})> -> step({i});").unwrap();
        }
        let all: Vec<String> = (1..=count).map(|i| format!("C{i}: clear")).collect();
        writeln!(model, "    <{}> -> clear;\n}}", all.join(", ")).unwrap();
    }
    model + "check bisimilar(First, Second);\n"
}

/// A buffer in a circle against one in a row.
fn buffers(places: usize) -> String {
    format!("import std.buffers;\ncheck weakly_bisimilar(Fifo<{places}>, FifoCells<{places}>);\n")
}

// ---- measuring ----

/// Remembers how many questions the solver was asked.
#[derive(Default)]
struct Counting(Cell<usize>);

impl Watch for Counting {
    fn progress(&self, _states: usize, _transitions: usize, queries: usize) {
        self.0.set(queries);
    }

    fn budget(&self) -> Budget {
        Budget::default()
    }
}

/// What a check took.
struct Measured {
    verdict: String,
    pairs: usize,
    obligations: usize,
    queries: usize,
    seconds: f64,
}

fn measured(model: String) -> Measured {
    let checked = Session::default().check(&Model(model), "model.pnet").expect("it can be read");
    assert!(!checked.has_errors(), "the model should be fine");
    let checks = checked.checks();
    let watch = Counting::default();
    let start = Instant::now();
    let options = ModelOptions::default();
    let outcome = verify::run(&checked, checks[0], &options, &watch).expect("it elaborates");
    let seconds = start.elapsed().as_secs_f64();
    let pairs = match &outcome.evidence {
        Evidence::Relation(relation) => relation.pairs.len(),
        _ => 0,
    };
    let obligations = outcome.obligations.len();
    let verdict = outcome.verdict.word().to_owned();
    Measured { verdict, pairs, obligations, queries: watch.0.get(), seconds }
}

/// Measures a family, as long as the next is expected to end in time.
fn family(sizes: &[usize], model: &dyn Fn(usize) -> String) -> Vec<(usize, Measured)> {
    let mut done: Vec<(usize, Measured)> = Vec::new();
    for &size in sizes {
        if let [.., (_, before), (_, last)] = done.as_slice()
            && last.seconds / before.seconds * last.seconds > PATIENCE
        {
            break;
        }
        done.push((size, measured(model(size))));
    }
    done
}

// ---- tables ----

fn table(name: &str, measured: &[(usize, Measured)]) -> String {
    let mut text = format!(
        "| {name} | verdict | pairs | obligations | queries | seconds |\n\
         | ---: | :--- | ---: | ---: | ---: | ---: |\n"
    );
    for (size, found) in measured {
        let Measured { verdict, pairs, obligations, queries, .. } = found;
        let time = seconds(found.seconds);
        writeln!(text, "| {size} | {verdict} | {pairs} | {obligations} | {queries} | {time} |")
            .unwrap();
    }
    text
}

fn main() {
    let mut document = "### Chains of Enables, nested to the left and to the right\n\n\
        `(P1 >> P2) >> … >> Pn` against `P1 >> (P2 >> … >> Pn)`, of n processes that are not given.\n\n"
        .to_owned();
    document += &table("n", &family(&CHAINS, &chain));
    document += "\n### Counters that are reset together\n\n\
        k counters to 3, each a process with one state, against k with a state of their own for being full.\n\n";
    document += &table("k", &family(&COUNTERS, &counters));
    document += "\n### Buffers\n\n\
        `Fifo<n>` of `std.buffers`, an array with two indices, against `FifoCells<n>`, a row of n buffers of one \
        place, up to silent steps.\n\n";
    document += &table("n", &family(&BUFFERS, &buffers));
    println!("{document}");
    write_down(&document, MARKS);
}

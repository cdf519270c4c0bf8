//! How fast configurations are explored, beside SPIN: the same models on the same machine in the same run.
//!
//! Run it with `make bench`, or `cargo bench --bench exploration -- NAME…` for those models whose names contain one of
//! these. What is measured is the command itself, `pnet explore`, from its start to its end: it counts all
//! configurations and steps, and leaves out nothing. SPIN's verifier is measured in the same way, in turns with it.
//! Machines differ and are noisy: compare figures of one run only.
//!
//! Counts and bytes must be right, or it fails; what is slower than it should be is said at the end. The tables go to the
//! terminal and into `docs/benchmarks.md`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

mod process;
mod report;
mod spin;

use std::fmt::Write;
use std::process::Command;

use process::{Spent, load, run};
use report::{seconds, write_down};
use spin::{Pan, Verified};

/// How often each is measured beside SPIN; the best counts.
const ROUNDS: usize = 3;

/// How often one thread and two are measured, in turns; the best counts.
const ROUNDS_OF_THREADS: usize = 5;

/// Where the tables begin and end in the document.
const MARKS: (&str, &str) = ("<!-- exploration: begin -->", "<!-- exploration: end -->");

/// A model that both know.
struct Yardstick {
    name: &'static str,
    /// The model, in `models/` and in `models/promela/`.
    model: &'static str,
    net: &'static str,
    macros: &'static [&'static str],
    /// How many configurations and steps there are.
    counts: (u64, u64),
    /// What SPIN counts besides: its `init` starts all others and, where all others end, ends itself.
    init: (u64, u64),
}

const fn yardstick(
    (name, model, net): (&'static str, &'static str, &'static str),
    macros: &'static [&'static str],
    counts: (u64, u64),
) -> Yardstick {
    Yardstick { name, model, net, macros, counts, init: (1, 2) }
}

const MODELS: &[Yardstick] = &[
    yardstick(("dining_any 8", "dining_any", "Dining<8>"), &["-DN=8"], (117_485, 800_368)),
    yardstick(("dining_any 10", "dining_any", "Dining<10>"), &["-DN=10"], (2_175_137, 18_522_740)),
    yardstick(("dining_lr 12", "dining_lr", "Dining<12>"), &["-DN=12"], (531_440, 4_251_516)),
    yardstick(("ring 16", "ring", "Ring<16>"), &["-DN=16"], (1_572_864, 14_417_920)),
    yardstick(
        ("cyclic 500 2", "cyclic", "Cyclic<500, 2>"),
        &["-DB=500", "-DK=2"],
        (251_001, 502_002),
    ),
    yardstick(("filter 4", "filter", "Filter<4>"), &["-DN=4"], (4_576_632, 16_921_020)),
    Yardstick {
        init: (2, 3),
        ..yardstick(("leader 7", "leader", "Leader"), &["-DN=7"], (1_394_109, 7_580_670))
    },
];

/// What is explored with one thread and with two.
const THREADS: [&str; 2] = ["ring 16", "filter 4"];

/// Two counters that go round, to so much each: each row has ten times the states of the one before.
const GROWTH: [u64; 4] = [99, 315, 999, 3162];

// ---- pnet ----

/// What `pnet explore` says.
#[derive(Clone, Copy, Debug)]
struct Explored {
    states: u64,
    transitions: u64,
    /// What the configurations take, with their entries in tables and where each comes from.
    bytes: u64,
    spent: Spent,
}

/// Explores a net of a model.
fn explore(model: &str, net: &str, jobs: usize) -> Explored {
    let file = format!("{}/benches/models/{model}.pnet", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    command.args(["explore", &file, net, "--allow", "warnings", "--format", "json"]);
    command.args(["--jobs", &jobs.to_string()]);
    let (said, spent) = run(&mut command);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["complete"], true, "{net}: {said}");
    let number = |name: &str| said[name].as_u64().unwrap();
    Explored {
        states: number("states"),
        transitions: number("transitions"),
        bytes: number("bytes"),
        spent,
    }
}

impl Yardstick {
    fn explore(&self, jobs: usize) -> Explored {
        let found = explore(self.model, self.net, jobs);
        assert_eq!((found.states, found.transitions), self.counts, "{}", self.name);
        found
    }

    fn verify(&self, pan: &Pan) -> Verified {
        let found = pan.verify();
        let init = self.init;
        let counts = (found.states - init.0, found.transitions - init.1);
        assert_eq!(counts, self.counts, "{} by SPIN", self.name);
        found
    }
}

// ---- what comes out ----

/// What is said at the end: each target, and whether it is met.
#[derive(Default)]
struct Targets(Vec<String>);

impl Targets {
    fn note(&mut self, what: &str, found: f64, least: f64) {
        let met = if found >= least { "met" } else { "MISSED" };
        self.0.push(format!("{met}: {what}: {found:.2}, at least {least}"));
    }
}

fn rate(states: u64, seconds: f64) -> f64 {
    states as f64 / seconds.max(0.01)
}

/// `1234567` as `1,234,567`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let places = digits.char_indices();
    let group = |(at, digit): (usize, char)| {
        let comma = at > 0 && (digits.len() - at).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    places.flat_map(group).collect()
}

/// One line of a table, on the terminal and in the document.
fn line(table: &mut String, text: &str) {
    println!("{text}");
    writeln!(table, "{text}").unwrap();
}

// ---- the tables ----

fn beside_spin(models: &[&Yardstick], targets: &mut Targets) -> String {
    let mut table = "### Beside SPIN\n\nOne thread each, the best of three, in turns; seconds of the processor. Steps and \
        configurations are counted by both: SPIN's `init` is taken off, the rest is equal to the digit. Bytes are those of a \
        stored configuration with what finds it: what SPIN calls the actual memory usage for states (its table of 128 MB \
        comes on top), and here configurations, tables, and where each comes from.\n\n"
        .to_owned();
    line(
        &mut table,
        "| model | configurations | steps | SPIN, s | pnet, s | SPIN, states/s | pnet, states/s | faster | SPIN, bytes | pnet, bytes |\n\
         | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    );
    let mut logarithms = Vec::new();
    for yardstick in models {
        let pan = Pan::new(yardstick.model, yardstick.name, yardstick.macros);
        let rounds: Vec<(Verified, Explored)> =
            (0..ROUNDS).map(|_| (yardstick.verify(&pan), yardstick.explore(1))).collect();
        let best = |of: fn(&(Verified, Explored)) -> f64| {
            rounds.iter().map(of).fold(f64::INFINITY, f64::min)
        };
        let (theirs, ours) = (best(|one| one.0.spent.cpu), best(|one| one.1.spent.cpu));
        let (found, explored) = rounds[0];
        let bytes =
            (found.bytes / found.states as f64, explored.bytes as f64 / explored.states as f64);
        assert!(bytes.1 <= bytes.0, "{}: {bytes:?} bytes", yardstick.name);
        let rates = (rate(found.states, theirs), rate(explored.states, ours));
        let faster = rates.1 / rates.0;
        logarithms.push(faster.ln());
        targets.note(&format!("{} beside SPIN", yardstick.name), faster, 0.5);
        if yardstick.name == "dining_any 8" {
            targets.note("dining_any 8, states a second", rates.1.round(), 110_000.0);
        }
        line(
            &mut table,
            &format!(
                "| {} | {} | {} | {} | {} | {} | {} | {faster:.1}x | {:.0} | {:.1} |",
                yardstick.name,
                grouped(explored.states),
                grouped(explored.transitions),
                seconds(theirs),
                seconds(ours),
                grouped(rates.0 as u64),
                grouped(rates.1 as u64),
                bytes.0,
                bytes.1
            ),
        );
    }
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp();
    targets.note("beside SPIN, the geometric mean", mean, 1.0);
    line(&mut table, &format!("\nThe geometric mean of all: {mean:.1} times as fast."));
    table
}

fn two_threads(models: &[&Yardstick], targets: &mut Targets) -> String {
    let before = load();
    let mut table = String::new();
    line(
        &mut table,
        "| model | one thread, s | two threads, s | faster |\n| :--- | ---: | ---: | ---: |",
    );
    for yardstick in models.iter().filter(|one| THREADS.contains(&one.name)) {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..ROUNDS_OF_THREADS {
            for (best, jobs) in best.iter_mut().zip([1, 2]) {
                *best = best.min(yardstick.explore(jobs).spent.clock);
            }
        }
        let faster = best[0] / best[1];
        targets.note(&format!("{} with two threads", yardstick.name), faster, 1.5);
        let (one, two) = (seconds(best[0]), seconds(best[1]));
        line(&mut table, &format!("| {} | {one} | {two} | {faster:.2}x |", yardstick.name));
    }
    let busy = before.map_or(String::new(), |load| {
        format!(" The load of the machine was {load} when this began, and should be below 1.")
    });
    format!(
        "### Two threads\n\nThe whole command, by the clock, the best of five, in turns, on a machine with {} cores.{busy}\n\n{table}",
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
    )
}

fn growth() -> String {
    let mut table = "### Growth\n\nTwo counters that go round, `Cyclic<b, 2>`, on one thread. Each row has ten times the \
        states of the one before: linear growth is 10x.\n\n"
        .to_owned();
    line(
        &mut table,
        "| b | configurations | steps | s | growth | bytes each | most memory |\n\
         | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    );
    let mut last: Option<f64> = None;
    for most in GROWTH {
        let found = explore("cyclic", &format!("Cyclic<{most}, 2>"), 1);
        let states = (most + 1) * (most + 1);
        assert_eq!((found.states, found.transitions), (states, 2 * states));
        let Spent { cpu, memory, .. } = found.spent;
        let grown = last.map_or(String::new(), |last| format!("{:.1}x", cpu / last));
        let memory = memory.map_or(String::new(), |most| format!("{most} MB"));
        let each = found.bytes as f64 / found.states as f64;
        let (states, steps) = (grouped(found.states), grouped(found.transitions));
        let took = seconds(cpu.max(0.01));
        line(
            &mut table,
            &format!("| {most} | {states} | {steps} | {took} | {grown} | {each:.1} | {memory} |"),
        );
        last = Some(cpu.max(0.01));
    }
    table
}

fn main() {
    let only: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wanted = |one: &&Yardstick| {
        only.is_empty() || only.iter().any(|only| one.name.contains(only.as_str()))
    };
    let models: Vec<&Yardstick> = MODELS.iter().filter(wanted).collect();
    let (mut targets, mut tables) = (Targets::default(), Vec::new());
    let missing = spin::missing();
    match &missing {
        Some(missing) => println!("nothing is compared with SPIN: {missing}"),
        None => tables.push(beside_spin(&models, &mut targets)),
    }
    tables.push(two_threads(&models, &mut targets));
    if only.is_empty() {
        tables.push(growth());
    }
    println!();
    targets.0.iter().for_each(|target| println!("{target}"));
    // Half of the tables would be in the place of all of them.
    if only.is_empty() && missing.is_none() {
        write_down(&tables.join("\n"), MARKS);
    }
}

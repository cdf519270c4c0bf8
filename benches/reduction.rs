//! How fast labelled transition systems are reduced, beside MERC: the same files on the same machine in the same run.
//!
//! Run it with `make bench`, or `cargo bench --bench reduction -- NAME…` for those systems whose names contain one of these;
//! a file (`.aut`, silent action `tau`) may be named, too. What is measured are whole commands, `pnet reduce` and the
//! program in `oracles/merc`, which reads, reduces and writes with MERC, in turns. Machines differ and are noisy: compare
//! figures of one run only.
//!
//! Both must come to the same number of states, or it fails. The tables go to the terminal and into `docs/benchmarks.md`.
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
#[path = "reduction_systems.rs"]
mod systems;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use process::{Spent, load, run_within};
use report::{seconds, write_down};
use systems::{SYSTEMS, System};

/// How often each is measured; the best counts.
const ROUNDS: usize = 3;

/// What one run may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where the tables begin and end in the document.
const MARKS: (&str, &str) = ("<!-- reduction: begin -->", "<!-- reduction: end -->");

/// A relation, as pnet and the oracle call it.
const RELATIONS: [(&str, &str); 3] =
    [("strong", "strong"), ("branching", "branching"), ("weak", "weak-after-branching")];

/// What one of the two made of a system.
#[derive(Clone, Copy)]
struct Reduced {
    states: u64,
    spent: Spent,
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reduction");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn oracle() -> Option<PathBuf> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("oracles/merc/target/release/merc-oracle");
    path.exists().then_some(path)
}

fn by_pnet(file: &Path, relation: &str) -> Option<Reduced> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    command.arg("reduce").arg(file).arg(format!("--{relation}"));
    command.args(["--format", "json", "-o"]).arg(folder().join("pnet.aut"));
    let (said, spent) = run_within(&mut command, PATIENCE)?;
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    Some(Reduced { states: said["after"]["states"].as_u64().unwrap(), spent })
}

fn by_merc(file: &Path, relation: &str) -> Option<Reduced> {
    let mut command = Command::new(oracle()?);
    command.args(["reduce", relation]).arg(file).arg(folder().join("merc.aut"));
    let (said, spent) = run_within(&mut command, PATIENCE)?;
    let states = said.split_whitespace().next()?.parse().unwrap();
    Some(Reduced { states, spent })
}

/// The best of some rounds; none if the first one takes too long.
fn best(rounds: usize, reduce: impl Fn() -> Option<Reduced>) -> Option<Reduced> {
    let first = reduce()?;
    // What takes long is not measured again.
    let rounds = if first.spent.cpu > 10.0 { 1 } else { rounds };
    let others = (1..rounds).filter_map(|_| reduce());
    Some(others.fold(first, |best, next| if next.spent.cpu < best.spent.cpu { next } else { best }))
}

fn shown(found: Option<Reduced>) -> [String; 2] {
    match found {
        None => [format!("over {}", PATIENCE.as_secs()), String::new()],
        Some(Reduced { spent, .. }) => [
            seconds(spent.cpu.max(0.01)),
            spent.memory.map_or_else(String::new, |mb| mb.to_string()),
        ],
    }
}

/// One system by one relation, as a row.
fn row(table: &mut String, system: &System, file: &Path, (ours, theirs): (&str, &str)) {
    let (pnet, merc) =
        (best(ROUNDS, || by_pnet(file, ours)), best(ROUNDS, || by_merc(file, theirs)));
    if let (Some(pnet), Some(merc)) = (pnet, merc) {
        // MERC keeps states that cannot be reached.
        assert!(pnet.states <= merc.states, "{}, {ours}", system.name);
        assert!(!system.is_reached || pnet.states == merc.states, "{}, {ours}", system.name);
    }
    let ratio = pnet.zip(merc).map_or_else(String::new, |(pnet, merc)| {
        format!("{:.1}x", merc.spent.cpu.max(0.01) / pnet.spent.cpu.max(0.01))
    });
    let states = pnet.map_or_else(String::new, |pnet| pnet.states.to_string());
    let ([pnet_time, pnet_memory], [merc_time, merc_memory]) = (shown(pnet), shown(merc));
    let _ = writeln!(
        table,
        "| {} | {ours} | {states} | {merc_time} | {pnet_time} | {ratio} | {merc_memory} | {pnet_memory} |",
        system.name
    );
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if oracle().is_none() {
        println!("MERC is missing: `make oracles`; pnet is measured alone");
    }
    let mut table = String::from(
        "| system | relation | states | MERC, s | pnet, s | faster | MERC, MB | pnet, MB |\n\
         | :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let given = wanted.iter().filter(|name| name.ends_with(".aut"));
    let given: Vec<System> = given.map(|name| System::given(name)).collect();
    let is_wanted = |system: &&System| {
        wanted.is_empty() || wanted.iter().any(|wanted| system.name.contains(wanted.as_str()))
    };
    for system in SYSTEMS.iter().filter(is_wanted).chain(&given) {
        let file = system.file(&folder());
        for relation in RELATIONS {
            if system.relations.contains(&relation.0) {
                row(&mut table, system, &file, relation);
                println!("{}", table.lines().last().unwrap_or_default());
            }
        }
    }
    println!("\n{table}");
    let busy = load().map_or_else(String::new, |load| {
        format!(
            " At the end, {load} processes wanted a processor of two, on average over a minute."
        )
    });
    if wanted.is_empty() {
        write_down(&format!("{INTRODUCTION}{busy}\n\n{table}"), MARKS);
    }
}

const INTRODUCTION: &str = "Whole commands with reading and writing, the best of three, in turns; seconds of the processor, and \
the most memory that was used. Weak bisimilarity is MERC's `WeakBisim` with its preprocessing (branching bisimilarity first).";

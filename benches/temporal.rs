//! How fast temporal formulas are decided on finite nets, beside exploring them.
//!
//! Run it with `make bench`, or `cargo bench --bench temporal`. What is measured is the command itself, `pnet verify`, from its
//! start to its end, in turns with `pnet explore` of the same net on one thread, which counts all configurations and steps.
//! Verdicts must be right, or it fails; what is slower than it should be is said at the end. The table goes to the terminal and into
//! `docs/benchmarks.md`.
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

use std::process::Command;

use process::{Spent, run, run_checks};
use report::{seconds, write_down};

/// How often each is measured, in turns; the best counts.
const ROUNDS: usize = 3;

/// Where the table begins and ends in the document.
const MARKS: (&str, &str) = ("<!-- temporal: begin -->", "<!-- temporal: end -->");

/// What is asked of a net.
struct Asked {
    model: &'static str,
    net: &'static str,
    formula: &'static str,
    fair: &'static str,
    verdict: &'static str,
    /// How many times as long as exploring it may take.
    most: f64,
}

const fn asked(
    (model, net): (&'static str, &'static str),
    (formula, fair): (&'static str, &'static str),
    (verdict, most): (&'static str, f64),
) -> Asked {
    Asked { model, net, formula, fair, verdict, most }
}

/// Each step of one kind is followed by one of another, or by a deadlock.
const RESPONSE: &str = "A[G (take => F (release or not <any> true))]";
const LR_8: (&str, &str) = ("dining_lr", "Dining<8>");
const LR_10: (&str, &str) = ("dining_lr", "Dining<10>");
const LR_12: (&str, &str) = ("dining_lr", "Dining<12>");
/// 100,352 and 1,002,528 steps.
const FEW: (&str, &str) = ("cyclic", "Cyclic<223, 2>");
const MANY: (&str, &str) = ("cyclic", "Cyclic<707, 2>");
const AGAIN: &str = "AG EF (C[0].c == 0 and C[1].c == 0)";
const NESTED: &str = "AG (C[0].c == 5 => E[C[0].c >= 5 U C[1].c == 7])";
const MODAL: &str = "nu X . <step> true and [any] X";

const ALL: &[Asked] = &[
    asked(LR_8, (RESPONSE, ""), ("proved", 2.0)),
    asked(LR_10, (RESPONSE, ""), ("proved", 2.0)),
    asked(LR_12, (RESPONSE, ""), ("proved", 2.0)),
    asked(LR_12, (RESPONSE, "weakly fair { take }"), ("proved", 2.0)),
    asked(LR_12, (RESPONSE, "fair { release }"), ("proved", 2.0)),
    asked(LR_12, ("A[G (take => F release)]", ""), ("refuted", 1.0)),
    asked(LR_12, ("A[G (P[0] in has_left => F P[0] in eating)]", ""), ("refuted", 1.0)),
    asked(FEW, (AGAIN, ""), ("proved", 4.0)),
    asked(MANY, (AGAIN, ""), ("proved", 4.0)),
    asked(FEW, (NESTED, ""), ("proved", 4.0)),
    asked(MANY, (NESTED, ""), ("proved", 4.0)),
    asked(FEW, (MODAL, ""), ("proved", 4.0)),
    asked(MANY, (MODAL, ""), ("proved", 4.0)),
];

/// How many configurations and steps there are, what exploring took, and what deciding took.
type Measured = ((u64, u64, Spent), Spent);

impl Asked {
    fn file(&self) -> String {
        format!("{}/benches/models/{}.pnet", env!("CARGO_MANIFEST_DIR"), self.model)
    }

    fn explored(&self) -> (u64, u64, Spent) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
        command.args(["explore", &self.file(), self.net, "--allow", "warnings"]);
        let (said, spent) = run(command.args(["--format", "json", "--jobs", "1"]));
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["complete"], true, "{}: {said}", self.net);
        (said["states"].as_u64().unwrap(), said["transitions"].as_u64().unwrap(), spent)
    }

    fn verified(&self) -> Spent {
        let check = format!("holds({}, {}) {}", self.net, self.formula, self.fair);
        let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
        command.args(["verify", &self.file(), "--check", check.trim()]);
        let (said, spent) = run_checks(command.args(["--allow", "warnings", "--format", "json"]));
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["verdict"], self.verdict, "{check}: {said}");
        spent
    }
}

/// `1234567` as `1,234,567`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap())
        .collect();
    groups.join(",")
}

fn main() {
    let head = "| net | configurations | steps | formula | verdict | exploring, s | deciding, s | times | memory exploring | deciding | bytes for a step |\n\
        | :--- | ---: | ---: | :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: |";
    println!("{head}");
    let mut lines = vec![head.to_owned()];
    let mut targets = Vec::new();
    for one in ALL {
        let rounds: Vec<Measured> = (0..ROUNDS).map(|_| (one.explored(), one.verified())).collect();
        let best = |of: fn(&Measured) -> f64| {
            rounds.iter().map(of).fold(f64::INFINITY, f64::min).max(0.01)
        };
        let (explored, decided) = (best(|one| one.0.2.cpu), best(|one| one.1.cpu));
        let times = decided / explored;
        let (states, steps, before) = rounds[0].0;
        let memory = [before.memory, rounds[0].1.memory];
        let each = memory[0].zip(memory[1]).map_or(String::new(), |(before, after)| {
            format!("{:.0}", after.saturating_sub(before) as f64 * 1e6 / steps as f64)
        });
        let told = memory.map(|most| most.map_or(String::new(), |most| format!("{most} MB")));
        let formula = format!("{} {}", one.formula, one.fair);
        let line = format!(
            "| {} {} | {} | {} | `{}` | {} | {} | {} | {times:.1}x | {} | {} | {each} |",
            one.model,
            one.net,
            grouped(states),
            grouped(steps),
            formula.trim(),
            one.verdict,
            seconds(explored),
            seconds(decided),
            told[0],
            told[1],
        );
        println!("{line}");
        lines.push(line);
        let met = if times <= one.most { "met" } else { "MISSED" };
        targets.push(format!(
            "{met}: {} of {}: {times:.1} times exploring, at most {}",
            formula.trim(),
            one.net,
            one.most
        ));
    }
    println!();
    targets.iter().for_each(|target| println!("{target}"));
    write_down(&lines.join("\n"), MARKS);
}

//! What the verdicts about the safety problems of `safety_problems.rs` rest on, and whether others confirm it.
//!
//! Run it with `make evidence`. Each claim that holds is proved with a certificate, which `pnet recheck` has z3 and then cvc5
//! confirm (or goes through by itself, where it is a list of too many configurations to be put to a solver); each that does not
//! hold is refuted with a run, which `pnet replay` makes again. It takes hours, small sizes of all families first, and can be
//! ended at any time: each answer is one line of JSON in `benches/results/evidence.jsonl`, and what is there and well is not
//! asked again. At the end, and with `--report` without asking anything, it writes the table in `docs/benchmarks-safety.md`.
//! Words choose families, `--up-to 3` leaves out larger sizes; `--engine induction` has claims that hold proved by that engine, and
//! by all of them only where it finds no proof, which spares a processor that others need.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

#[allow(dead_code, reason = "tests look at the rest")]
mod safety_problems;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use rustc_hash::FxHashMap;
use safety_problems::{Problem, families, problems};
use serde_json::{Value, json};

/// How long a proof may take, an obligation and a list of configurations, in seconds. Generous: nothing is measured here.
const VERIFY: &str = "600";
const OBLIGATION: &str = "120";
const LIST: &str = "1200";

/// All engines at once.
const AUTO: &str = "auto";

/// Where the table stands.
const TABLE: [&str; 2] = ["<!-- evidence: begin -->", "<!-- evidence: end -->"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn results() -> PathBuf {
    root().join("benches/results/evidence.jsonl")
}

/// What is known, by check. Of two lines about one, the last counts.
fn known() -> FxHashMap<String, Value> {
    let text = std::fs::read_to_string(results()).unwrap_or_default();
    // A line that was being written when somebody ended the run is asked again.
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| Some((line["check"].as_str()?.to_owned(), line))).collect()
}

/// Whether somebody else has confirmed what a verdict rests on.
fn is_confirmed(line: &Value) -> bool {
    let good = |who: &str| line[who]["status"] == 0;
    match line["evidence"].as_str() {
        Some("run") => good("replay"),
        Some("configurations") => good("z3"),
        Some("obligations") => good("z3") && good("cvc5"),
        _ => false,
    }
}

fn pnet(args: &[&str]) -> (Output, f64) {
    let start = Instant::now();
    let done = Command::new(env!("CARGO_BIN_EXE_pnet")).current_dir(root()).args(args).output();
    (done.expect("`pnet` is there"), start.elapsed().as_secs_f64())
}

fn written(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What `recheck` says, and whether it went through a list of configurations by itself.
fn rechecked(folder: &str, file: &str, solver: &str) -> (Value, bool) {
    let (done, seconds) = pnet(&[
        "recheck",
        folder,
        file,
        "--solver",
        solver,
        "--timeout",
        OBLIGATION,
        "--model-timeout",
        LIST,
    ]);
    let said = written(&done.stdout);
    if !done.status.success() {
        println!("{said}{}", written(&done.stderr));
    }
    let last = said.lines().last().unwrap_or_default();
    let mut numbers = last.split_whitespace().filter_map(|word| word.parse::<u64>().ok()).skip(1);
    let (obligations, confirmed) = (numbers.next(), numbers.next());
    let status = done.status.code();
    let found = json!({
        "status": status, "obligations": obligations, "confirmed": confirmed, "seconds": seconds,
    });
    (found, said.contains("gone through by the plain interpreter"))
}

/// What an engine says about a claim, and how long it takes.
fn verified(problem: &Problem, engine: &str, folder: &str) -> (Value, Output, f64) {
    let writes = if problem.holds { "--certificate" } else { "--traces" };
    let _ = std::fs::remove_dir_all(folder);
    let (done, seconds) = pnet(&[
        "verify",
        &problem.file,
        "--engine",
        engine,
        "--check",
        &problem.check,
        writes,
        folder,
        "--timeout",
        VERIFY,
        "--memory",
        "4G",
        "--format",
        "json",
    ]);
    let said = written(&done.stdout);
    let said = said.lines().find_map(|line| serde_json::from_str::<Value>(line).ok());
    (said.unwrap_or_default(), done, seconds)
}

/// Has a claim answered, and what the answer rests on confirmed.
fn ask(problem: &Problem, engine: &str) -> Value {
    let folder = root().join("target/evidence");
    let (folder, file) = (folder.to_str().expect("a path of letters"), problem.file.as_str());
    let engine = if problem.holds { engine } else { AUTO };
    let (mut said, mut done, mut seconds) = verified(problem, engine, folder);
    if engine != AUTO && said["verdict"] != "proved" {
        (said, done, seconds) = verified(problem, AUTO, folder);
    }
    let mut line = json!({
        "family": problem.family, "k": problem.k, "kind": problem.kind.word(), "check": problem.check,
        "verdict": said["verdict"], "by": said["because"]["engine"], "seconds": seconds,
    });
    match said["verdict"].as_str() {
        Some("proved") => {
            let (by_z3, listed) = rechecked(folder, file, "z3");
            line["z3"] = by_z3;
            line["evidence"] = if listed { "configurations" } else { "obligations" }.into();
            if !listed {
                line["cvc5"] = rechecked(folder, file, "cvc5").0;
            }
        }
        Some("refuted") => {
            let (again, seconds) = pnet(&["replay", &format!("{folder}/001.json"), file]);
            print!("{}", written(&again.stderr));
            line["replay"] = json!({ "status": again.status.code(), "seconds": seconds });
            line["evidence"] = "run".into();
        }
        _ => println!("{}: {}", problem.check, written(&done.stderr)),
    }
    line
}

/// What the command line chooses: families, the largest size, who proves, and whether anything is asked.
fn wanted() -> (Vec<String>, u32, String, bool) {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let (mut names, mut most, mut engine, mut asks) = (Vec::new(), u32::MAX, AUTO.to_owned(), true);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--report" => asks = false,
            "--engine" => engine = args.next().expect("an engine after `--engine`"),
            "--up-to" => {
                let given = args.next().and_then(|most| most.parse().ok());
                most = given.expect("a size after `--up-to`");
            }
            name if families().iter().any(|family| family.name == name) => names.push(arg),
            name => panic!("`{name}` is no family"),
        }
    }
    (names, most, engine, asks)
}

fn main() {
    let (names, most, engine, asks) = wanted();
    let mut known = known();
    let mut all = problems();
    all.sort_by_key(|problem| problem.k);
    let chosen = |one: &&Problem| {
        one.k <= most && (names.is_empty() || names.iter().any(|name| name == one.family))
    };
    for problem in all.iter().filter(chosen).filter(|_| asks) {
        if known.get(&problem.check).is_some_and(is_confirmed) {
            continue;
        }
        let line = ask(problem, &engine);
        let how = if is_confirmed(&line) { "confirmed" } else { "NOT CONFIRMED" };
        println!("{how:13} {:8} {}", line["verdict"].as_str().unwrap_or("nothing"), problem.check);
        std::fs::create_dir_all(results().parent().unwrap()).expect("a folder for the results");
        let file = std::fs::OpenOptions::new().create(true).append(true).open(results());
        writeln!(file.expect("the results"), "{line}").expect("an answer is written");
        known.insert(problem.check.clone(), line);
    }
    write_down(&table(&all, &known));
}

/// For each family and kind of evidence, what was confirmed, and up to which size all of it was.
fn table(all: &[Problem], known: &FxHashMap<String, Value>) -> String {
    let mut text = "| family | problems | confirmed | by obligations | by configurations | by runs | obligations | all up to k | not confirmed |\n".to_owned();
    text.push_str("| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | :--- |\n");
    for family in families() {
        let own: Vec<&Problem> = all.iter().filter(|one| one.family == family.name).collect();
        let line = |one: &&Problem| known.get(&one.check);
        let good = |one: &&Problem| line(one).is_some_and(is_confirmed);
        let lines: Vec<&Value> = own.iter().filter(|one| good(one)).filter_map(line).collect();
        let by = |kind: &str| lines.iter().filter(|line| line["evidence"] == kind).count();
        let obligations: u64 =
            lines.iter().filter_map(|line| line["z3"]["confirmed"].as_u64()).sum();
        let whole = |k: &u32| own.iter().filter(|one| one.k == *k).all(good);
        let up_to = family.sizes.clone().take_while(whole).last().unwrap_or(0);
        let is_bad = |one: &&&Problem| line(one).is_some() && !good(one);
        let bad: Vec<String> =
            own.iter().filter(is_bad).map(|one| format!("`{}`", one.check)).collect();
        let counts = [own.len(), lines.len(), by("obligations"), by("configurations"), by("run")];
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        let (name, counts, bad) = (family.name, counts.join(" | "), bad.join(", "));
        let _ = writeln!(text, "| {name} | {counts} | {obligations} | {up_to} | {bad} |");
    }
    text
}

fn write_down(table: &str) {
    let path = root().join("docs/benchmarks-safety.md");
    let text = std::fs::read_to_string(&path).expect("the document is there");
    let [begin, end] = TABLE;
    let (before, rest) = text.split_once(begin).expect("a mark where the table begins");
    let (_, after) = rest.split_once(end).expect("a mark where the table ends");
    let text = format!("{before}{begin}\n\n{}\n\n{end}{after}", table.trim_end());
    std::fs::write(&path, text).expect("the document is written");
}

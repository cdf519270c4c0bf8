//! What the engines make of the safety problems of `safety_problems.rs`: each problem by each engine, within a limit.
//!
//! Run it with `make bench-safety`. It takes hours, and can be ended at any time: each answer is one line of JSON in
//! `benches/results/safety.jsonl`, and what is there is not asked again. (Remove the file, or lines of it, to ask
//! anew.) At the end, and with `--report` without asking anything, it writes the tables in `docs/benchmarks-safety.md`
//! and the plots beside them. Words choose families, engines and kinds: `cargo bench --bench safety -- atm horn unsafe`;
//! `--up-to 3` leaves out larger sizes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

mod safety_plot;
#[allow(dead_code, reason = "tests look at the rest")]
mod safety_problems;
mod safety_table;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use safety_problems::{Kind, Problem, families, problems};
use serde_json::{Value, json};

/// The engines, each with how many seconds it has for a problem.
const ENGINES: [(&str, u64); 8] = [
    ("explicit", 20),
    ("bounded", 20),
    ("directed", 20),
    ("induction", 20),
    ("abstraction", 20),
    ("abstraction-full", 20),
    ("horn", 20),
    ("auto", 300),
];

/// How much memory each has.
const MEMORY: &str = "4G";

/// Who does not end by itself is ended so long after its limit.
const GRACE: Duration = Duration::from_secs(30);

/// What an engine made of a problem.
#[derive(Clone, Debug)]
struct Answer {
    verdict: String,
    /// How many seconds it had.
    limit: u64,
    seconds: f64,
    nodes: Option<u64>,
    predicates: Option<u64>,
    /// Who answered: of `auto`, one of the others.
    by: Option<String>,
}

/// The answers so far, by check and engine.
type Answers = FxHashMap<(String, String), Answer>;

impl Answer {
    /// Nothing, after all the time that there was.
    fn none(limit: u64) -> Answer {
        let (verdict, seconds) = ("unknown".to_owned(), limit as f64);
        Answer { verdict, limit, seconds, nodes: None, predicates: None, by: None }
    }

    /// Whether it is the answer that is right, and not only *unknown*.
    fn solves(&self, problem: &Problem) -> bool {
        self.verdict == if problem.holds { "proved" } else { "refuted" }
    }

    /// Whether there is no need to ask again with so many seconds.
    fn is_final(&self, limit: u64) -> bool {
        self.verdict != "unknown" || limit <= self.limit
    }

    /// Whether it is wrong: a bug, whoever made it.
    fn is_wrong(&self, problem: &Problem) -> bool {
        !self.solves(problem) && self.verdict != "unknown"
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn results() -> PathBuf {
    root().join("benches/results/safety.jsonl")
}

/// What stands somewhere in an object under this name.
fn within<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let fields = value.as_object()?;
    fields.get(name).or_else(|| fields.values().find_map(|inner| within(inner, name)))
}

fn read_answers() -> Answers {
    let text = std::fs::read_to_string(results()).unwrap_or_default();
    // A line that was being written when somebody ended the run is asked again.
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answer = |line: Value| {
        let field = |name: &str| line[name].as_str().map(str::to_owned);
        let answer = Answer {
            verdict: field("verdict")?,
            limit: line["limit"].as_u64()?,
            seconds: line["seconds"].as_f64()?,
            nodes: line["nodes"].as_u64(),
            predicates: line["predicates"].as_u64(),
            by: field("by"),
        };
        Some(((field("check")?, field("engine")?), answer))
    };
    lines.filter_map(answer).collect()
}

fn write_answer(problem: &Problem, engine: &str, answer: &Answer) {
    let line = json!({
        "family": problem.family, "k": problem.k, "kind": problem.kind.word(), "check": problem.check,
        "engine": engine, "limit": answer.limit, "verdict": answer.verdict, "seconds": answer.seconds,
        "nodes": answer.nodes, "predicates": answer.predicates, "by": answer.by,
    });
    std::fs::create_dir_all(results().parent().unwrap()).expect("a folder for the results");
    let file = std::fs::OpenOptions::new().create(true).append(true).open(results());
    writeln!(file.expect("the results"), "{line}").expect("an answer is written");
}

/// Asks an engine; nothing where there is no such engine, or something is wrong with the question.
fn ask(problem: &Problem, (engine, limit): (&str, u64)) -> Option<Answer> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    command.current_dir(root()).args(["verify", &problem.file, "--check", &problem.check]);
    command.args(["--engine", engine, "--timeout", &limit.to_string(), "--memory", MEMORY]);
    command.args(["--format", "json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut running = command.spawn().expect("`pnet` is there");
    // It writes one line, which fits into the pipe unless its run is long: somebody has to read meanwhile.
    let (mut out, mut err) = (running.stdout.take().unwrap(), running.stderr.take().unwrap());
    let out = std::thread::spawn(move || std::io::read_to_string(&mut out).unwrap_or_default());
    let err = std::thread::spawn(move || std::io::read_to_string(&mut err).unwrap_or_default());
    let status = loop {
        match running.try_wait().expect("`pnet` can be waited for") {
            Some(status) => break status.code(),
            None if start.elapsed() > Duration::from_secs(limit) + GRACE => {
                running.kill().expect("`pnet` can be ended");
                running.wait().expect("`pnet` can be waited for");
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let (out, err) = (out.join().unwrap(), err.join().unwrap());
    if status == Some(2) {
        println!("{}: {err}{out}", problem.check);
        return None;
    }
    let said = out.lines().find_map(|line| serde_json::from_str::<Value>(line).ok());
    let said = said.unwrap_or(Value::Null);
    Some(Answer {
        verdict: said["verdict"].as_str().unwrap_or("unknown").to_owned(),
        limit,
        seconds: seconds.min(limit as f64),
        nodes: said["statistics"]["nodes"].as_u64(),
        predicates: said["statistics"]["predicates"].as_u64(),
        by: within(&said["because"], "engine").and_then(Value::as_str).map(str::to_owned),
    })
}

/// Whether asking is in vain: bounded and directed search prove nothing, induction finds no runs, and who did not answer two
/// sizes in a row is not asked about larger ones. This counts as if it had been asked.
fn is_in_vain(problem: &Problem, engine: &str, answers: &Answers) -> bool {
    let cannot = match engine {
        "bounded" | "directed" => problem.holds,
        "induction" => !problem.holds,
        _ => false,
    };
    let of_family = problems().into_iter().filter(|one| one.family == problem.family);
    let same_claim = |one: &Problem| one.kind == problem.kind && one.place == problem.place;
    let smaller = of_family.filter(|one| same_claim(one) && one.k < problem.k);
    let given = smaller.map(|one| answers.get(&(one.check.clone(), engine.to_owned())).cloned());
    let last: Vec<Option<Answer>> = given.collect();
    let unsolved = |one: &Option<Answer>| one.as_ref().is_some_and(|one| one.verdict == "unknown");
    let in_a_row = last.iter().rev().take_while(|one| unsolved(one)).count();
    engine != "auto" && (cannot || in_a_row >= 2)
}

/// What the command line chooses.
struct Wanted {
    words: Vec<String>,
    most: u32,
    only_report: bool,
}

impl Wanted {
    fn read() -> Wanted {
        let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
        let mut wanted = Wanted { words: Vec::new(), most: u32::MAX, only_report: false };
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--report" => wanted.only_report = true,
                "--up-to" => {
                    let most = args.next().and_then(|most| most.parse().ok());
                    wanted.most = most.expect("a size after `--up-to`");
                }
                word if known_words().iter().any(|known| known == word) => {
                    wanted.words.push(arg);
                }
                word => panic!("`{word}` is none of {}", known_words().join(", ")),
            }
        }
        wanted
    }

    /// Whether one of these words was said, or none of them.
    fn has(&self, word: &str, among: &[&str]) -> bool {
        let said = self.words.iter().any(|said| among.contains(&said.as_str()));
        !said || self.words.iter().any(|said| said == word)
    }
}

fn known_words() -> Vec<String> {
    let families = families().into_iter().map(|family| family.name);
    let kinds = Kind::ALL.map(Kind::word);
    let engines = ENGINES.map(|(engine, _)| engine);
    families.chain(kinds).chain(engines).map(str::to_owned).collect()
}

fn main() {
    let wanted = Wanted::read();
    let mut answers = read_answers();
    if !wanted.only_report {
        ask_all(&wanted, &mut answers);
    }
    let problems = problems();
    for problem in &problems {
        for (engine, _) in ENGINES {
            let answer = answers.get(&(problem.check.clone(), engine.to_owned()));
            if answer.is_some_and(|answer| answer.is_wrong(problem)) {
                println!("WRONG: `{engine}` says {} of {}", answer.unwrap().verdict, problem.check);
            }
        }
    }
    safety_table::write_down(&problems, &answers);
}

fn ask_all(wanted: &Wanted, answers: &mut Answers) {
    let names: Vec<&str> = families().iter().map(|family| family.name).collect();
    let (kinds, engines) = (Kind::ALL.map(Kind::word), ENGINES.map(|(engine, _)| engine));
    let mut absent: Vec<&str> = Vec::new();
    for problem in problems() {
        let chosen = wanted.has(problem.family, &names) && wanted.has(problem.kind.word(), &kinds);
        if !chosen || problem.k > wanted.most {
            continue;
        }
        for (engine, limit) in ENGINES {
            let key = (problem.check.clone(), engine.to_owned());
            let known = answers.get(&key).is_some_and(|answer| answer.is_final(limit));
            if known || absent.contains(&engine) || !wanted.has(engine, &engines) {
                continue;
            }
            let answer = match is_in_vain(&problem, engine, answers) {
                true => Some(Answer::none(limit)),
                false => ask(&problem, (engine, limit)),
            };
            let Some(answer) = answer else {
                println!("`{engine}` is left out");
                absent.push(engine);
                continue;
            };
            let (verdict, seconds) = (&answer.verdict, answer.seconds);
            println!("{engine:16} {verdict:8} {seconds:8.2} s  {}", problem.check);
            write_answer(&problem, engine, &answer);
            answers.insert(key, answer);
        }
    }
}

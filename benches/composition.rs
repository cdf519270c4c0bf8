//! What restriction and composition spare: a directory and its agents, and a trader, beside the same systems made at once.
//!
//! Run it with `make bench`, or `cargo bench --bench composition -- N` with no more than so many agents. There are no
//! seconds: sizes and bytes are the same on all machines.
//!
//! It fails where the growth that is claimed is not there. The tables go to the terminal and into `docs/benchmarks.md`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

mod report;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use pnetc::base::Unwatched;
use pnetc::compose::{ComposePlan, Method, PlanOptions, Seeing, generate};
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::Domains;
use pnetc::loader::Sources;
use pnetc::lts::Equivalence;
use pnetc::outcome::{MadeByParts, Stage, StageKind};
use pnetc::pnet::PNet;
use pnetc::session::Session;
use report::write_down;

/// The same allocator as the command's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Where the tables begin and end in the document.
const MARKS: (&str, &str) = ("<!-- composition: begin -->", "<!-- composition: end -->");

/// How many agents there are.
const AGENTS: std::ops::RangeInclusive<usize> = 3..=7;

/// The most agents for which the directory alone, and the whole system at once, are explored. With one more, there are more
/// than a hundred million configurations of the one. Of the other, seven agents have 71 million, which take some minutes.
const MOST_ALONE: usize = 5;
const MOST_DIRECT: usize = 7;

/// The directory alone has at least so many times the configurations for each agent more.
const LEAST_GROWTH: f64 = 15.0;

/// The whole at once takes at least so many times the bytes, with so many agents.
const LEAST_SPARED: (usize, f64) = (5, 20.0);

const CACHE: &str = "examples/cache_coherence.pnet";
const TRADER: &str = "examples/trader.pnet";

// ---- what is made ----

/// A net by exploration: what `pnet explore` says.
#[derive(Clone, Copy, Debug)]
struct Explored {
    states: u64,
    transitions: u64,
    bytes: u64,
}

fn explore(file: &str, net: &str) -> Explored {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(["explore", file, net, "--allow", "warnings", "--format", "json"]);
    let said = command.output().unwrap();
    let said: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(said["complete"], true, "{net}: {said}");
    let number = |name: &str| said[name].as_u64().unwrap();
    Explored {
        states: number("states"),
        transitions: number("transitions"),
        bytes: number("bytes"),
    }
}

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

fn net(file: &str, instance: &str) -> Arc<PNet> {
    let file = file.trim_start_matches("examples/");
    let model = Models(format!("import \"./{file}\";\nnet It = {instance};\n"));
    let checked = Session::default().check(&model, THIS).expect("it can be read");
    assert!(!checked.has_errors(), "the model should be fine");
    checked.build(Some("It"), &ElaborateOptions::default()).expect("it elaborates")
}

/// A net made part by part: one part under what others allow it, and all of them at once.
struct ByParts<'b> {
    file: &'b str,
    net: String,
    restricted: &'b str,
    by: Vec<String>,
    first: Vec<String>,
}

/// What came of that.
struct Composed {
    report: MadeByParts,
    states: usize,
}

impl ByParts<'_> {
    fn make(&self) -> Composed {
        let net = net(self.file, &self.net);
        let domains = Domains::default();
        let later = [self.restricted.to_owned()];
        let seeing = Seeing { finals: true, most_states: usize::MAX };
        let options = PlanOptions { seeing, later: &later, marking: None };
        let plan = ComposePlan::new((&net, &self.net), &domains, options, &Unwatched).unwrap();
        let method = Method {
            restrict: vec![(self.restricted.to_owned(), self.by.clone())],
            first: vec![self.first.clone()],
            ..Method::preserving(Equivalence::DivergencePreserving)
        };
        let made = generate(&plan, &method, &domains, &Unwatched, &|_| String::new());
        let made = made.unwrap_or_else(|failed| panic!("{}: {}", self.net, failed.why));
        Composed { states: made.lts.states(), report: made.report }
    }
}

impl Composed {
    /// The part that was restricted.
    fn restricted(&self) -> &Stage {
        let is_it = |stage: &&Stage| matches!(stage.how, StageKind::Restricted { .. });
        self.report.stages.iter().find(is_it).expect("a part is restricted")
    }
}

fn machine(agents: usize) -> Composed {
    let all = (0..agents).map(|i| format!("A[{i}]"));
    ByParts {
        file: CACHE,
        net: format!("System<{agents}>"),
        restricted: "D",
        by: vec!["A[0]".to_owned()],
        first: std::iter::once("D".to_owned()).chain(all).collect(),
    }
    .make()
}

// ---- what comes out ----

/// `1234567` as `1,234,567`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let places = digits.char_indices();
    let group = |(at, digit): (usize, char)| {
        let comma = at > 0 && (digits.len() - at).is_multiple_of(3);
        if comma { format!(",{digit}") } else { digit.to_string() }
    };
    places.map(group).collect()
}

fn shown(explored: Option<Explored>, what: impl Fn(Explored) -> u64) -> String {
    explored.map_or_else(String::new, |found| grouped(what(found)))
}

/// The slope of a line through logarithms: the `e` of what grows like `n^e`.
fn exponent(points: &[(usize, usize)]) -> f64 {
    let logs = points.iter().map(|(x, y)| ((*x as f64).ln(), (*y as f64).ln()));
    let logs: Vec<(f64, f64)> = logs.collect();
    let count = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let above: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let below: f64 = logs.iter().map(|point| (point.0 - x).powi(2)).sum();
    above / below
}

/// A number of agents: the directory alone, the whole at once, the whole part by part.
struct Row {
    agents: usize,
    alone: Option<Explored>,
    direct: Option<Explored>,
    composed: Composed,
}

impl Row {
    fn new(agents: usize) -> Row {
        let alone = format!("Directory<{agents}, {agents} - 1>");
        let alone = (agents <= MOST_ALONE).then(|| explore(CACHE, &alone));
        let direct = format!("System<{agents}>");
        let direct = (agents <= MOST_DIRECT).then(|| explore(CACHE, &direct));
        Row { agents, alone, direct, composed: machine(agents) }
    }

    fn spared(&self) -> Option<f64> {
        let bytes = self.composed.report.peak_bytes.max(1) as f64;
        self.direct.map(|direct| direct.bytes as f64 / bytes)
    }
}

fn directory(rows: &[Row]) -> String {
    let mut table =
        "| agents | alone | transitions | growth | restricted | transitions | reduced |\n\
         | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
            .to_owned();
    let mut before: Option<Explored> = None;
    for row in rows {
        let growth = before.zip(row.alone).map(|(one, two)| two.states as f64 / one.states as f64);
        assert!(growth.is_none_or(|found| found >= LEAST_GROWTH), "{}: {growth:?}", row.agents);
        before = row.alone;
        let restricted = row.composed.restricted();
        let reduced = row.composed.report.stages.iter();
        let is_it =
            |stage: &&Stage| stage.of == "D" && matches!(stage.how, StageKind::Reduced { .. });
        let reduced = reduced.rev().find(is_it).map_or(restricted.states, |stage| stage.states);
        writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.agents,
            shown(row.alone, |found| found.states),
            shown(row.alone, |found| found.transitions),
            growth.map_or_else(String::new, |found| format!("{found:.1}x")),
            grouped(restricted.states as u64),
            grouped(restricted.transitions as u64),
            grouped(reduced as u64),
        )
        .unwrap();
    }
    table
}

fn whole(rows: &[Row]) -> String {
    let mut table =
        "| agents | at once | transitions | bytes | part by part: largest | transitions | bytes | result | fewer bytes |\n\
         | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
            .to_owned();
    for row in rows {
        let report = &row.composed.report;
        writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.agents,
            shown(row.direct, |found| found.states),
            shown(row.direct, |found| found.transitions),
            shown(row.direct, |found| found.bytes),
            grouped(report.most_states as u64),
            grouped(report.most_transitions as u64),
            grouped(report.peak_bytes),
            grouped(row.composed.states as u64),
            row.spared().map_or_else(String::new, |spared| format!("{spared:.0}x")),
        )
        .unwrap();
    }
    table
}

fn trader() -> String {
    let alone = explore(TRADER, "Trader");
    let objects: Vec<String> = (0..4).map(|i| format!("O[{i}]")).collect();
    let first = ["T", "C[0]"].map(str::to_owned).into_iter().chain(objects.clone()).collect();
    let net = "Market<1>".to_owned();
    let made = ByParts { file: TRADER, net, restricted: "T", by: objects, first }.make();
    let restricted = made.restricted();
    assert!(restricted.states < 1000 && alone.states > 1_000_000);
    format!(
        "| trader | states | transitions |\n| :--- | ---: | ---: |\n| alone | {} | {} |\n| restricted by four objects | {} | {} |\n",
        grouped(alone.states),
        grouped(alone.transitions),
        grouped(restricted.states as u64),
        grouped(restricted.transitions as u64),
    )
}

fn main() {
    let said = std::env::args().find_map(|arg| arg.parse::<usize>().ok());
    let rows: Vec<Row> =
        AGENTS.filter(|agents| said.is_none_or(|most| *agents <= most)).map(Row::new).collect();
    let points: Vec<(usize, usize)> =
        rows.iter().map(|row| (row.agents, row.composed.restricted().states)).collect();
    let mut text = "### The directory\n\nAlone, and as far as one agent allows it.\n\n".to_owned();
    text += &directory(&rows);
    writeln!(text, "\nRestricted, it grows like n^{:.2}.\n", exponent(&points)).unwrap();
    text += "### The whole system\n\nAt once by `pnet explore`, and part by part; bytes are those of the largest store of states.\n\n";
    text += &whole(&rows);
    text += "\n### The trader\n\n";
    text += &trader();
    println!("{text}");
    let (agents, least) = LEAST_SPARED;
    let at = rows.iter().find(|row| row.agents == agents);
    assert!(at.is_none_or(|row| row.spared() >= Some(least)), "too little is spared");
    if said.is_none() {
        write_down(&text, MARKS);
    }
}

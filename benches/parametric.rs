//! How fast claims about every size are decided, beside MONA: the same patterns on the same machine in the same run.
//!
//! Run it with `make bench`, or `cargo bench --bench parametric -- NAME…` for those checks whose names contain one of these.
//! MONA gets the published formula, and its user time counts; this engine is measured in a process of its own, without reading
//! any model. Without MONA (`make setup-bench` installs it) the table has one column less. Machines differ and are noisy:
//! compare figures of one run only.
//!
//! Both must say the same, or it fails. The table goes to the terminal and into `docs/benchmarks.md`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

/// The patterns of the tests.
#[allow(dead_code, reason = "tests use more of them")]
#[path = "../tests/it/common"]
mod common {
    pub mod patterns;
    mod random;
    pub use random::Random;
}
mod process;
mod report;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use common::patterns::{known, states};
use pnetc::base::{Budget, Unwatched};
use pnetc::parametric::{
    Included, InclusionLimits, InvariantFamily, PatternGoal, PlainSearch, SizesLimits,
    SizesVerdict, SystemPattern, decide, included, mona, profiles,
};
use process::{Ended, ended_within, load, run_within};
use report::{seconds, write_down};

/// How often each is measured; the best counts.
const ROUNDS: usize = 3;
const OWN_ROUNDS: usize = 10;

/// How long the shorter ones are measured.
const LONG: Duration = Duration::from_millis(500);

/// What one run of MONA may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where the table begins and ends in the document.
const MARKS: (&str, &str) = ("<!-- parametric: begin -->", "<!-- parametric: end -->");

/// From here on what MONA takes can be compared at all.
const SHORTEST: f64 = 0.02;

/// From here on MONA takes long enough to be compared with, and this is how much faster this engine has to be.
const LONG_ENOUGH: f64 = 0.05;
const FASTER: f64 = 3.0;

/// What all models of the seed may take together, and what one check may take of memory, in megabytes.
const ALL_TOGETHER: f64 = 0.2;
const MOST_MEMORY: u64 = 100;

const TRAP: InvariantFamily = InvariantFamily::Trap;
const ONE: InvariantFamily = InvariantFamily::One;
const FLOW: InvariantFamily = InvariantFamily::Flow;

/// A question.
struct Asked {
    name: String,
    pattern: SystemPattern,
    goal: PatternGoal,
    /// By one family of invariants; or by whatever the strategy comes to.
    by: Option<InvariantFamily>,
    proved: bool,
    /// Whether MONA is asked: where it has no answer for something smaller, it is not.
    by_mona: bool,
}

/// Rings whose stations have so many states are nothing for MONA: it gives up with 10.
const BEYOND_MONA: [usize; 4] = [14, 20, 32, 64];

fn ring_of(states: usize) -> String {
    format!("ring of {states} states")
}

/// Stars in which each of so many steps is a handshake: the first of them are asked of MONA.
const STEPS: [usize; 6] = [4, 6, 10, 14, 16, 20];
const STEPS_OF_MONA: usize = 4;

fn star_of(steps: usize) -> String {
    format!("star of {steps} steps")
}

fn asked() -> Vec<Asked> {
    let mut all = Vec::new();
    let mut ask = |name: &str, pattern: &SystemPattern, goal: PatternGoal, by: &str, proved| {
        let families = [TRAP, ONE, FLOW].into_iter().filter(|one| by.contains(one.letter()));
        let whole = by.contains('*').then_some(None);
        for by in families.map(Some).chain(whole) {
            let (pattern, goal) = (pattern.clone(), goal.clone());
            all.push(Asked { name: name.to_owned(), pattern, goal, by, proved, by_mona: true });
        }
    };
    let deadlock = PatternGoal::deadlock;
    let mutex = |pattern: &SystemPattern, label| PatternGoal::mutex(states(pattern, &[label]));
    let never = || PatternGoal::never(Some("neighbours"));
    for (name, pattern, by) in [
        ("Ring", known::ring(), "to*"),
        ("Star", known::star(), "to*"),
        ("StarRing", known::star_ring(), "to*"),
        ("AsymTable", known::table(true), "o*"),
        ("SyncTable", known::sync_table(), "to*"),
        ("TreeDfs", known::tree_dfs(), "to*"),
        ("TreeBackRoot", known::tree_back_root(), "to*"),
        ("TreeLinkedLeaves", known::tree_linked_leaves(), "to*"),
        ("ring, two holders", known::two_holders(), "t*"),
    ] {
        ask(&format!("{name}, deadlock"), &pattern, deadlock(), by, true);
    }
    ask("SymTable, deadlock", &known::table(false), deadlock(), "to*", false);
    for (name, pattern, label) in [
        ("Ring", known::ring(), "busy"),
        ("StarRing", known::star_ring(), "token"),
        ("TreeLinkedLeaves", known::tree_linked_leaves(), "token"),
    ] {
        let goal = mutex(&pattern, label);
        ask(&format!("{name}, mutex"), &pattern, goal, "o*", true);
    }
    for (name, pattern) in [
        ("SymTable", known::table(false)),
        ("AsymTable", known::table(true)),
        ("SyncTable", known::sync_table()),
    ] {
        ask(&format!("{name}, neighbours"), &pattern, never(), "o*", true);
    }
    let two = known::two_holders();
    let at_most = PatternGoal::at_most(2, states(&two, &["busy"]));
    ask("ring, two holders, at most two", &two, at_most, "f*", true);
    for size in [6, 8, 10].into_iter().chain(BEYOND_MONA) {
        let ring = known::long_ring(size);
        let last = format!("s{}", size - 1);
        ask(&format!("{}, deadlock", ring_of(size)), &ring, deadlock(), "to", true);
        let goal = PatternGoal::mutex(states(&ring, &[&last]));
        ask(&format!("{}, mutex", ring_of(size)), &ring, goal, "o", true);
    }
    for steps in STEPS {
        let star = known::handshakes(steps);
        ask(&format!("{}, deadlock", star_of(steps)), &star, deadlock(), "t*", true);
        let goal = PatternGoal::mutex(states(&star, &["v1"]));
        ask(&format!("{}, mutex", star_of(steps)), &star, goal, "*", true);
    }
    for one in &mut all {
        let is_of = |what: &String| one.name.starts_with(what.as_str());
        let stars = STEPS.into_iter().filter(|steps| *steps > STEPS_OF_MONA).map(star_of);
        one.by_mona = !BEYOND_MONA.into_iter().map(ring_of).chain(stars).any(|what| is_of(&what));
    }
    all
}

impl Asked {
    fn label(&self) -> String {
        let by = self.by.map_or("all".to_owned(), |by| by.letter().to_string());
        format!("{} by {by}", self.name)
    }

    /// Decides it once; whether it is proved.
    fn decided(&self) -> bool {
        let Asked { pattern, goal, by, .. } = self;
        let budget = Budget::default();
        let profiles = profiles(pattern, &budget).unwrap();
        let Some(family) = by else {
            let mut search = PlainSearch { pattern, goal, most: 100_000 };
            let limits = SizesLimits::default();
            let verdict = decide(pattern, &profiles, goal, limits, &mut search, &Unwatched);
            assert!(!matches!(verdict, SizesVerdict::Unknown { .. }), "{}", self.label());
            return matches!(verdict, SizesVerdict::Proved { .. });
        };
        let limits = InclusionLimits::default();
        match included(pattern, &profiles, goal, &[*family], limits, &budget) {
            Included::Proved(_) => true,
            Included::Model(_) => false,
            Included::GaveUp(why) => panic!("{}: {why}", self.label()),
        }
    }

    /// The formula; nothing where it cannot be said.
    fn formula(&self) -> Option<String> {
        if !self.by_mona {
            return None;
        }
        let profiles = profiles(&self.pattern, &Budget::default()).unwrap();
        mona(&self.pattern, &profiles, &self.goal, &[self.by?]).ok()
    }
}

/// Seconds of the processor that this thread took so far, as far as the system tells. It counts in hundredths.
fn own_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

/// In a process of its own: decides one question again and again, and writes the time and the memory. The time is the shortest by
/// the clock or, where others are at work, that of the processor on average.
fn measure(label: &str) {
    let one = asked().into_iter().find(|one| one.label() == label).expect("a question");
    let (started, before) = (Instant::now(), own_seconds());
    let (mut best, mut rounds) = (f64::INFINITY, 0);
    while rounds < OWN_ROUNDS || started.elapsed() < LONG && rounds < 100 * OWN_ROUNDS {
        let now = Instant::now();
        assert_eq!(one.decided(), one.proved, "{label}");
        best = best.min(now.elapsed().as_secs_f64());
        rounds += 1;
    }
    let taken = before.zip(own_seconds()).map(|(before, after)| after - before);
    let mean = taken.filter(|taken| *taken > 0.1).map(|taken| taken / rounds as f64);
    let best = mean.map_or(best, |mean| best.min(mean));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let memory = memory.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    println!("{best} {}", memory.unwrap_or(0) / 1024);
}

fn by_pnet(one: &Asked) -> (f64, u64) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("--measure").arg(one.label());
    let (said, _) = run_within(&mut command, Duration::from_secs(600)).expect("it ends");
    let mut words = said.split_whitespace().map(|word| word.parse::<f64>().unwrap());
    (words.next().unwrap(), words.next().unwrap() as u64)
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parametric");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What MONA took.
enum Took {
    /// User seconds, and megabytes.
    Seconds(f64, u64),
    /// More than it may.
    TooLong,
    /// It ended itself: its automata get too large.
    GaveUp,
    /// There is no formula, or no MONA.
    Nothing,
}

fn by_mona(one: &Asked) -> Took {
    let Some(formula) = one.formula() else { return Took::Nothing };
    if Command::new("mona").output().is_err() {
        return Took::Nothing;
    }
    let path = folder().join("formula.mona");
    std::fs::write(&path, formula).unwrap();
    let mut command = Command::new("mona");
    let (said, spent) = match ended_within(command.arg("-q").arg(&path), PATIENCE) {
        Ended::Well(said, spent) => (said, spent),
        Ended::Late => return Took::TooLong,
        Ended::Badly(_) => return Took::GaveUp,
    };
    assert_eq!(said.contains("unsatisfiable"), one.proved, "{}: MONA says {said}", one.label());
    let timed = || {
        let script = format!("TIMEFORMAT=%U; time mona -q {} >/dev/null", path.display());
        let output = Command::new("bash").args(["-c", &script]).output().ok()?;
        String::from_utf8_lossy(&output.stderr).trim().parse::<f64>().ok()
    };
    // What takes long is not measured again.
    let rounds = if spent.cpu > 5.0 { 0 } else { ROUNDS };
    let best = (0..rounds).filter_map(|_| timed()).fold(spent.cpu, f64::min);
    Took::Seconds(best, spent.memory.unwrap_or(0))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|one| one != "--bench").collect();
    if let [measured, label] = arguments.as_slice()
        && measured == "--measure"
    {
        return measure(label);
    }
    let is_wanted = |one: &Asked| {
        let label = one.label();
        arguments.is_empty() || arguments.iter().any(|part| label.contains(part.as_str()))
    };
    let mut table = "| check | by | MONA, s | pnet, s | | MONA, MB | pnet, MB |\n".to_owned();
    table += "|---|---|--:|--:|--:|--:|--:|\n";
    let (mut all, mut missed) = (0.0, Vec::new());
    for one in asked().iter().filter(|one| is_wanted(one)) {
        let (own, memory) = by_pnet(one);
        let (mut mona_time, mut mona_memory, mut ratio) =
            (String::new(), String::new(), String::new());
        match by_mona(one) {
            Took::Nothing => {}
            Took::TooLong => mona_time = format!("over {}", PATIENCE.as_secs()),
            Took::GaveUp => mona_time = "gives up".to_owned(),
            Took::Seconds(mona, megabytes) => {
                (mona_time, mona_memory) = (format!("{mona:.3}"), megabytes.to_string());
                // Hundredths of seconds are counted: what is shorter cannot be compared.
                if mona >= SHORTEST {
                    ratio = format!("{:.0}x", mona / own);
                }
                if mona >= LONG_ENOUGH && mona < FASTER * own {
                    missed.push(format!("{}: {:.1} times", one.label(), mona / own));
                }
            }
        }
        // Those of the seed.
        if one.by.is_none() && !one.name.starts_with("star of") {
            all += own;
        }
        if memory > MOST_MEMORY {
            missed.push(format!("{}: {memory} MB", one.label()));
        }
        let by = one.by.map_or("all", InvariantFamily::label);
        let name = &one.name;
        let own = seconds(own);
        let row =
            format!("| {name} | {by} | {mona_time} | {own} | {ratio} | {mona_memory} | {memory} |");
        println!("{row}");
        let _ = writeln!(table, "{row}");
    }
    if all > ALL_TOGETHER {
        missed.push(format!("all together: {all:.3} s"));
    }
    let _ = writeln!(
        table,
        "\nAll rows by *all* (the whole strategy, instances included) but those of many steps together: {all:.4} s."
    );
    if let Some(load) = load() {
        let _ = writeln!(table, "Load during the last minute: {load}.");
    }
    println!("all together {all:.4} s");
    if arguments.is_empty() {
        write_down(&table, MARKS);
    }
    assert!(missed.is_empty(), "not as good as it should be: {missed:#?}");
}

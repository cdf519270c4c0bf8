//! Values at the borders of their sorts: random models are verified, and compared with what an interpreter finds that
//! goes through all their values. The rule, and what it leaves open, is in `common/values/mod.rs`.
//!
//! A verdict is wrong if something is proved that does not hold, or refuted that does; *unknown* is counted. Models
//! that are too large for the interpreter are counted, too. `PNET_SEED=… cargo test --test values` replays one, and
//! `PNET_FUZZ=…` sets how many are tried. `PNET_FINDINGS=FOLDER` writes those that are wrong there, made smaller.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests may"
)]

mod common {
    #![allow(
        dead_code,
        unused_imports,
        clippy::panic,
        clippy::print_stderr,
        clippy::disallowed_methods,
        reason = "shared"
    )]
    pub mod models;
    pub mod random;
    pub mod said;
    pub mod seeds;
    pub mod values;

    pub use models::{Memory, check_files, check_text};
    pub use random::Random;
}

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use common::said::{Said as Verdict, evidence};
use common::seeds::{fuzz, keep, seeds};
use common::values::Model;
use common::values::facts::{Facts, Truth, lively, truth};
use common::values::make::{self, Kind};
use common::values::shrink::shrink;
use common::values::twin::twin;
use common::{Random, check_text};
use pnetc::base::{Budget, Spent};
use pnetc::generate::Watch;
use pnetc::outcome::Evidence;
use pnetc::sema::program::CheckKind;
use pnetc::verify;

/// What became of one check: the verdict, or the codes of errors.
type Answer = Result<Verdict, Vec<&'static str>>;

/// No check may take longer, even if it is given up; and when it is given up.
const LIMIT: Duration = Duration::from_secs(60);
const HURRY: Duration = Duration::from_secs(4);

/// What stands before the value of `N` that a play is for.
const THIS_N: &str = "the play is for N = ";

/// Gives up after a while.
struct Hurry(Budget);

impl Hurry {
    fn new() -> Hurry {
        let budget = Budget::default();
        let theirs = budget.clone();
        std::thread::spawn(move || {
            std::thread::sleep(HURRY);
            theirs.spend(Spent::Time { milliseconds: HURRY.as_millis() as u64 });
        });
        Hurry(budget)
    }
}

impl Watch for Hurry {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

fn answers_now(model: &Model, kinds: &[CheckKind]) -> Option<Vec<(CheckKind, Answer)>> {
    let mut checked = check_text(model.text());
    if checked.has_errors() {
        return None;
    }
    let texts: Vec<String> = model.set.iter().map(|(name, n)| format!("{name}={n}")).collect();
    let settled = pnetc::driver::settle(&mut [&mut checked], &texts);
    assert!(settled.problems.is_empty(), "{texts:?} cannot be set");
    let mut options = verify::Options::default();
    options.elaborate.set = settled.settings[0].clone();
    let run = |check| match verify::run(&checked, check, &options, &Hurry::new()) {
        Ok(outcome) => Ok(match (Verdict::from(&outcome), &outcome.evidence) {
            // The play says what it needs of constants.
            (Verdict::Refuted(why), Evidence::Play(play)) => {
                let n = play.with.iter().find(|one| one.what == "N");
                let n = n.map(|one| format!("{THIS_N}{}", one.value.text)).unwrap_or_default();
                Verdict::Refuted(format!("{why}\n{}\n{n}", evidence(&outcome)))
            }
            (verdict, _) => verdict,
        }),
        Err(errors) => Err(errors.iter().map(|e| e.entry.code).collect()),
    };
    let wanted = checked.program.checks.iter().filter(|check| kinds.contains(&check.kind));
    Some(wanted.map(|check| (check.kind, run(check))).collect())
}

/// What pnet says of all checks; nothing if the text has errors. It may take its time, but not for ever.
fn answers(model: &Model, kinds: &'static [CheckKind]) -> Option<Vec<(CheckKind, Answer)>> {
    let (report, reports) = mpsc::channel();
    let theirs = model.clone();
    std::thread::spawn(move || report.send(answers_now(&theirs, kinds)));
    match reports.recv_timeout(LIMIT) {
        Ok(found) => found,
        Err(_) => Some(vec![(CheckKind::Size, Err(vec!["HANG"]))]),
    }
}

const ALL: &[CheckKind] = &[CheckKind::Bisimilar, CheckKind::WeaklyBisimilar, CheckKind::Refines];

fn fact(facts: &Facts, kind: CheckKind) -> Option<bool> {
    match kind {
        CheckKind::Bisimilar => Some(facts.bisimilar),
        CheckKind::WeaklyBisimilar => facts.weakly_bisimilar,
        _ => Some(facts.refines),
    }
}

/// Why an answer is wrong.
fn wrong(truth: &Truth, kind: CheckKind, answer: &Answer) -> Option<String> {
    match (truth, answer) {
        (_, Err(codes)) if codes.contains(&"HANG") => Some("does not end".to_owned()),
        (Truth::Facts(_), Err(codes)) => Some(format!("is an error, {codes:?}, but all is paid")),
        (Truth::Facts(facts), Ok(Verdict::Proved(_))) if fact(facts, kind) == Some(false) => {
            Some(format!("{kind:?} is proved, but does not hold"))
        }
        (Truth::Facts(facts), Ok(Verdict::Refuted(_))) if fact(facts, kind) == Some(true) => {
            Some(format!("{kind:?} is refuted, but holds"))
        }
        (Truth::Error, Ok(verdict)) => {
            let word = verdict.word();
            Some(format!(
                "{kind:?} is {word}, but a value leaves its sort at the beginning: an error"
            ))
        }
        (Truth::Contradiction, Ok(Verdict::Proved(_) | Verdict::Refuted(_))) => {
            Some(format!("{kind:?} is decided, but the axioms contradict each other"))
        }
        _ => None,
    }
}

/// What is wrong with a model: the first thing.
fn first_wrong(model: &Model, kinds: &'static [CheckKind]) -> Option<String> {
    let answers = answers(model, kinds)?;
    let truth = truth(model);
    answers.iter().find_map(|(kind, answer)| wrong(&truth, *kind, answer))
}

/// A model that pnet reads, with a twin.
fn pair(random: &mut Random, kind: Kind, symbolic: bool, rejected: &mut usize) -> Model {
    loop {
        let mut model = make::model(random, kind, symbolic);
        if !symbolic && !lively(&model) && random.percent(90) {
            continue;
        }
        twin(random, &mut model);
        // Most should get past the beginning.
        let fails = |model: &Model| truth(model) == Truth::Error;
        let at_the_beginning =
            if symbolic { (1..=3).any(|n| fails(&with(&model, n))) } else { fails(&model) };
        if at_the_beginning && random.percent(85) {
            continue;
        }
        if !check_text(model.text()).has_errors() {
            return model;
        }
        *rejected += 1;
    }
}

#[derive(Default, Debug)]
struct Count {
    models: usize,
    rejected: usize,
    skipped: BTreeMap<&'static str, usize>,
    errors: usize,
    contradictions: usize,
    proved: usize,
    refuted: usize,
    unknown: BTreeMap<String, usize>,
}

impl Count {
    fn answer(&mut self, answer: &Answer) {
        match answer {
            Ok(Verdict::Proved(_)) => self.proved += 1,
            Ok(Verdict::Refuted(_)) => self.refuted += 1,
            Ok(Verdict::Unknown(why)) => {
                *self.unknown.entry(why.chars().take(70).collect()).or_default() += 1;
            }
            Err(_) => {}
        }
    }

    fn say(&self, name: &str) {
        let unknown: usize = self.unknown.values().sum();
        let skipped: usize = self.skipped.values().sum();
        let checks = (self.proved + self.refuted + unknown).max(1);
        println!(
            "{name}: {} models ({} were no models), {skipped} skipped ({:.1} %) {:?}, {} with errors, {} with \
             contradictions; {} proved, {} refuted, {unknown} unknown ({:.1} %)",
            self.models,
            self.rejected,
            100.0 * skipped as f64 / self.models.max(1) as f64,
            self.skipped,
            self.errors,
            self.contradictions,
            self.proved,
            self.refuted,
            100.0 * unknown as f64 / checks as f64,
        );
        for (why, count) in &self.unknown {
            println!("  {count} x {why}");
        }
    }
}

/// Writes a model that is wrong where somebody wants it.
fn found(name: &str, seed: u64, model: &Model, why: &str) -> String {
    let text = format!("// {name}, PNET_SEED={seed}: {why}\n{}", model.shown());
    let path = keep(&format!("values {name} {seed}"), text.as_bytes());
    if let Ok(folder) = std::env::var("PNET_FINDINGS") {
        let file = format!("{folder}/raw-{}-{seed}.pnet", name.replace(' ', "-"));
        std::fs::write(file, &text).unwrap();
    }
    format!("{}\n{text}", path.display())
}

fn random_models(name: &str, kind: Kind, count: u64) {
    let mut counts = Count::default();
    let mut failures = Vec::new();
    let most_failures = if std::env::var("PNET_FINDINGS").is_ok() { usize::MAX } else { 3 };
    for seed in seeds(fuzz().map_or(count, |all| all / 3)) {
        let mut random = Random::new(seed);
        let started = Instant::now();
        let model = pair(&mut random, kind, false, &mut counts.rejected);
        counts.models += 1;
        let truth = truth(&model);
        match &truth {
            Truth::Skipped(why) => *counts.skipped.entry(why).or_default() += 1,
            Truth::Error => counts.errors += 1,
            Truth::Contradiction => counts.contradictions += 1,
            Truth::Facts(_) => {}
        }
        if matches!(truth, Truth::Skipped(_)) {
            continue;
        }
        for (kind, answer) in answers(&model, ALL).unwrap_or_default() {
            counts.answer(&answer);
            let Some(why) = wrong(&truth, kind, &answer) else { continue };
            let kinds: &'static [CheckKind] = match kind {
                CheckKind::Bisimilar => &[CheckKind::Bisimilar],
                CheckKind::WeaklyBisimilar => &[CheckKind::WeaklyBisimilar],
                CheckKind::Refines => &[CheckKind::Refines],
                _ => ALL,
            };
            let small = if kind == CheckKind::Size {
                model.clone()
            } else {
                shrink(&model, |one| first_wrong(one, kinds).as_ref() == Some(&why))
            };
            failures.push(found(name, seed, &small, &why));
            break;
        }
        if started.elapsed() > Duration::from_secs(20) {
            println!("{name}: PNET_SEED={seed} took {:?}", started.elapsed());
        }
        if failures.len() >= most_failures {
            break;
        }
    }
    counts.say(name);
    assert!(failures.is_empty(), "{} are wrong:\n{}", failures.len(), failures.join("\n\n"));
    let skipped: usize = counts.skipped.values().sum();
    assert!(counts.models < 100 || skipped * 20 <= counts.models, "too many are skipped");
}

// ---- bounds that are symbolic ----

/// The same model for one value of `N`.
fn with(model: &Model, n: i64) -> Model {
    let mut model = model.clone();
    model.set.push(("N".to_owned(), n));
    model
}

/// The values of `N` up to five that a play is for: the one that it names, or any.
fn play_is_for(lines: &str) -> Option<Vec<i64>> {
    if lines.contains("this needs") {
        return None;
    }
    let named = lines.lines().find_map(|line| line.strip_prefix(THIS_N));
    match named {
        Some(n) => n.parse().ok().filter(|n| (1..=5).contains(n)).map(|n| vec![n]),
        None => Some((1..=5).collect()),
    }
}

/// What is wrong with the answer for a symbolic `N`, given what is so for one value each.
fn wrong_for_all(model: &Model, kind: CheckKind, answer: &Answer) -> Option<String> {
    let truths: Vec<(i64, Truth)> = (1..=5).map(|n| (n, truth(&with(model, n)))).collect();
    let fact_for = |n: i64| match &truths[n as usize - 1].1 {
        Truth::Facts(facts) => fact(facts, kind),
        _ => None,
    };
    let error = truths.iter().find(|(_, truth)| *truth == Truth::Error);
    let skipped = truths.iter().any(|(_, truth)| matches!(truth, Truth::Skipped(_)));
    match (answer, error) {
        (Err(codes), _) if codes.contains(&"HANG") => Some("does not end".to_owned()),
        // What is set may contradict the axioms; and the axiom that `N` needs may have been left out.
        (Err(codes), None) if codes.contains(&"E0122") => None,
        (Err(codes), None) if codes.contains(&"E0121") && !model.text().contains("axiom") => None,
        (Err(codes), None) if !skipped => Some(format!("is an error, {codes:?}, but all is paid")),
        (Err(_), _) => None,
        (Ok(_), Some((n, _))) => {
            Some(format!("{kind:?}: for N = {n} a value leaves its sort at the beginning"))
        }
        (Ok(Verdict::Proved(_)), None) => {
            let n = (1..=5).find(|&n| fact_for(n) == Some(false))?;
            Some(format!("{kind:?} is proved for all N, but does not hold for N = {n}"))
        }
        (Ok(Verdict::Refuted(why)), None) => {
            // For a value that the play names, or for any that it leaves open, it must fail.
            let fits = play_is_for(why).unwrap_or_default();
            let holds = fits.iter().find(|&&n| fact_for(n) == Some(true));
            let n = holds.filter(|_| model.consts.len() == 1 && model.funs.is_empty())?;
            Some(format!("{kind:?} is refuted, and the play is for N = {n}, where it holds"))
        }
        _ => None,
    }
}

/// What pnet says for each value of `N` fits what it says for all.
fn differs_from_all(model: &Model, kind: CheckKind, answer: &Answer) -> Option<String> {
    let Ok(Verdict::Proved(_)) = answer else { return None };
    for n in 1..=3 {
        for (other, answer) in answers(&with(model, n), ALL).unwrap_or_default() {
            if other == kind && matches!(answer, Ok(Verdict::Refuted(_))) {
                return Some(format!("{kind:?} is proved for all N, and refuted for N = {n}"));
            }
        }
    }
    None
}

#[test]
fn symbolic_bounds() {
    let mut counts = Count::default();
    let mut failures = Vec::new();
    for seed in seeds(fuzz().map_or(40, |all| all / 10)) {
        let mut random = Random::new(seed);
        let kind = *random.pick(&[Kind::Leaf, Kind::Leaf, Kind::Closed, Kind::Open]);
        let model = pair(&mut random, kind, true, &mut counts.rejected);
        counts.models += 1;
        for (kind, answer) in answers(&model, ALL).unwrap_or_default() {
            counts.answer(&answer);
            let why = wrong_for_all(&model, kind, &answer);
            let Some(why) = why.or_else(|| differs_from_all(&model, kind, &answer)) else {
                continue;
            };
            let still = |one: &Model| {
                let found = answers(one, ALL).unwrap_or_default();
                let mut mine = found.iter().filter(|(other, _)| *other == kind);
                mine.any(|(_, answer)| wrong_for_all(one, kind, answer).as_ref() == Some(&why))
            };
            let small = if kind == CheckKind::Size { model.clone() } else { shrink(&model, still) };
            failures.push(found("symbolic", seed, &small, &why));
            break;
        }
    }
    counts.say("symbolic bounds");
    assert!(failures.is_empty(), "{} are wrong:\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn processes() {
    random_models("processes", Kind::Leaf, 120);
}

#[test]
fn closed_nets() {
    random_models("closed nets", Kind::Closed, 80);
}

#[test]
fn open_nets() {
    random_models("open nets", Kind::Open, 80);
}

//! Values at the borders of their sorts: random models are verified, and compared with what an interpreter finds that
//! goes through all their values. The rule, and what it leaves open, is in `common/values/mod.rs`.
//!
//! A verdict is wrong if something is proved that does not hold, or refuted that does; *unknown* is counted. Models
//! that are too large for the interpreter are counted, too. `PNET_SEED=… cargo test values::` replays one, and
//! `PNET_FUZZ=…` sets how many are tried. `PNET_FINDINGS=FOLDER` writes those that are wrong there, made smaller.
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::common::said::{Said as Verdict, evidence};
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink::said;
use crate::common::values::facts::{Facts, Truth, lively, truth};
use crate::common::values::make::{self, Kind};
use crate::common::values::shrink::shrink;
use crate::common::values::twin::twin;
use crate::common::values::{Model, Question};
use crate::common::{Random, check_text};
use pnetc::base::{Budget, Spent};
use pnetc::generate::Watch;
use pnetc::outcome::Evidence;
use pnetc::verify;

/// What became of one check: the verdict, or the codes of errors.
type Answer = Result<Verdict, Vec<&'static str>>;

/// No check may take longer, even if it is given up; and when it is given up.
const LIMIT: Duration = Duration::from_secs(60);
const HURRY: Duration = Duration::from_secs(4);

/// What stands before the values of `N` and `K` that a play is for.
const THIS_N: &str = "the play is for N = ";
const THIS_K: &str = "the play is for K = ";

/// So many tests share what `PNET_FUZZ` asks for; one in twenty models has symbolic bounds, and is asked about often.
const KINDS: u64 = 7;

fn share(all: u64) -> u64 {
    all * 19 / 20 / KINDS
}

/// Every value that a symbolic `N` is given.
const ALL_N: [i64; 5] = [1, 2, 3, 4, 5];

/// Gives up after a while. Whoever waits for that goes when the check is done.
struct Hurry {
    budget: Budget,
    _done: mpsc::Sender<()>,
}

impl Hurry {
    fn new() -> Hurry {
        let budget = Budget::default();
        let theirs = budget.clone();
        let (_done, is_done) = mpsc::channel();
        std::thread::spawn(move || {
            if is_done.recv_timeout(HURRY) == Err(mpsc::RecvTimeoutError::Timeout) {
                theirs.spend(Spent::Time { milliseconds: HURRY.as_millis() as u64 });
            }
        });
        Hurry { budget, _done }
    }
}

impl Watch for Hurry {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        self.budget.clone()
    }
}

/// What pnet answers to each question that is wanted; nothing if the text has errors.
fn answers_now(model: &Model, wanted: Option<Question>) -> Answers {
    let mut checked = check_text(model.text());
    if checked.has_errors() {
        return None;
    }
    let texts: Vec<String> = model.set.iter().map(|(name, n)| format!("{name}={n}")).collect();
    let settled = pnetc::model::settle(&mut [&mut checked], &texts);
    assert!(settled.problems.is_empty(), "{texts:?} cannot be set");
    let mut options = verify::ModelOptions::default();
    options.elaborate.set = settled.settings[0].clone();
    let run = |check| match verify::run(&checked, check, &options, &Hurry::new()) {
        Ok(outcome) => Ok(match (Verdict::from(&outcome), &outcome.evidence) {
            // The play says what it needs of constants.
            (Verdict::Refuted(why), Evidence::Play(play)) => {
                let with = |name: &str, sign: &str| {
                    let found = play.with.iter().find(|one| one.what == name);
                    found.map(|one| format!("{sign}{}", one.value.text)).unwrap_or_default()
                };
                let (n, k) = (with("N", THIS_N), with("K", THIS_K));
                Verdict::Refuted(format!("{why}\n{}\n{n}\n{k}", evidence(&outcome)))
            }
            (verdict, _) => verdict,
        }),
        Err(errors) => Err(errors.iter().map(|e| e.entry.code).collect()),
    };
    let all = model.questions().into_iter().zip(&checked.program.checks);
    let all = all.filter(|(question, _)| wanted.is_none_or(|one| one == *question));
    Some(all.map(|(question, check)| (question, run(check))).collect())
}

type Answers = Option<Vec<(Question, Answer)>>;

/// Somebody who answers for a whole test: the solver of a thread is never given back.
struct Worker {
    ask: mpsc::Sender<(Model, Option<Question>)>,
    told: mpsc::Receiver<Answers>,
}

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

impl Worker {
    fn new() -> Worker {
        let (ask, asked) = mpsc::channel::<(Model, Option<Question>)>();
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            for (model, wanted) in asked {
                if tell.send(answers_now(&model, wanted)).is_err() {
                    return;
                }
            }
        });
        Worker { ask, told }
    }
}

/// The same. It may take its time, but not for ever; who does not answer is not asked again.
fn answers(model: &Model, wanted: Option<Question>) -> Answers {
    let worker = WORKER.take().unwrap_or_else(Worker::new);
    let _ = worker.ask.send((model.clone(), wanted));
    let sorry = |code| Some(vec![(Question::Bisimilar, Err(vec![code]))]);
    match worker.told.recv_timeout(LIMIT) {
        Ok(found) => {
            WORKER.set(Some(worker));
            found
        }
        Err(mpsc::RecvTimeoutError::Timeout) => sorry(HANG),
        Err(mpsc::RecvTimeoutError::Disconnected) => sorry(PANIC),
    }
}

/// What stands for codes where there is no answer.
const HANG: &str = "HANG";
const PANIC: &str = "PANIC";

/// No answer at all is always wrong.
fn silent(answer: &Answer) -> Option<String> {
    match answer {
        Err(codes) if codes.contains(&HANG) => Some("does not end".to_owned()),
        Err(codes) if codes.contains(&PANIC) => Some("panics".to_owned()),
        _ => None,
    }
}

/// Whether somebody ran out of time.
fn is_late(why: &str) -> bool {
    ["the time was up", "within its time", "in its time"].iter().any(|late| why.contains(late))
        || why.contains("stopped")
}

fn fact(facts: &Facts, question: Question) -> Option<bool> {
    facts.get(&question).copied().flatten()
}

/// Why an answer is wrong.
fn wrong(truth: &Truth, kind: Question, answer: &Answer) -> Option<String> {
    if let Some(why) = silent(answer) {
        return Some(why);
    }
    match (truth, answer) {
        (Truth::Facts(_), Err(codes)) => Some(format!("is an error, {codes:?}, but all is paid")),
        (Truth::Facts(facts), Ok(Verdict::Proved(_))) if fact(facts, kind) == Some(false) => {
            Some(format!("{kind:?} is proved, but does not hold"))
        }
        (Truth::Facts(facts), Ok(Verdict::Refuted(_))) if fact(facts, kind) == Some(true) => {
            Some(format!("{kind:?} is refuted, but holds"))
        }
        // Without time for it, nothing is refused.
        (Truth::Error, Ok(Verdict::Unknown(why))) if is_late(why) => None,
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
fn first_wrong(model: &Model, question: Question) -> Option<String> {
    let answers = answers(model, Some(question))?;
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
        let at_the_beginning = if symbolic {
            ALL_N.into_iter().any(|n| fails(&with(&model, n)))
        } else {
            fails(&model)
        };
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
    /// Proved, refuted, unknown and refused, for each question.
    by_question: BTreeMap<Question, [usize; 4]>,
    milliseconds: u128,
}

impl Count {
    fn answer(&mut self, question: Question, answer: &Answer) {
        let column = match answer {
            Ok(Verdict::Proved(_)) => 0,
            Ok(Verdict::Refuted(_)) => 1,
            Ok(Verdict::Unknown(_)) => 2,
            Err(_) => 3,
        };
        self.by_question.entry(question).or_default()[column] += 1;
        match answer {
            Ok(Verdict::Proved(_)) => self.proved += 1,
            Ok(Verdict::Refuted(_)) => self.refuted += 1,
            Ok(Verdict::Unknown(why)) => {
                *self.unknown.entry(why.chars().take(70).collect()).or_default() += 1;
            }
            Err(_) => {}
        }
    }

    /// What is skipped says nothing: at most one in twenty, and one in a small number of models.
    fn few_are_skipped(&self) {
        let skipped: usize = self.skipped.values().sum();
        let most = (self.models / 20).max(1);
        assert!(skipped <= most, "{skipped} of {} are skipped: {:?}", self.models, self.skipped);
    }

    fn say(&self, name: &str) {
        let unknown: usize = self.unknown.values().sum();
        let skipped: usize = self.skipped.values().sum();
        let checks = (self.proved + self.refuted + unknown).max(1);
        println!(
            "{name}: {} models ({} were no models), {skipped} skipped ({:.1} %) {:?}, {} with errors, {} with \
             contradictions; {} proved, {} refuted, {unknown} unknown ({:.1} %); {:.1} s",
            self.models,
            self.rejected,
            100.0 * skipped as f64 / self.models.max(1) as f64,
            self.skipped,
            self.errors,
            self.contradictions,
            self.proved,
            self.refuted,
            100.0 * unknown as f64 / checks as f64,
            self.milliseconds as f64 / 1000.0,
        );
        for (question, [proved, refuted, unknown, refused]) in &self.by_question {
            println!(
                "  {question:?}: {proved} proved, {refuted} refuted, {unknown} unknown, {refused} refused"
            );
        }
        for (why, count) in &self.unknown {
            println!("  {count} x {why}");
        }
    }
}

/// Writes a model that is wrong where somebody wants it.
fn found(name: &str, seed: u64, whole: &Model, model: &Model, why: &str) -> String {
    let text = format!("// {name}, PNET_SEED={seed}: {why}\n{}", model.shown());
    if let Ok(folder) = std::env::var("PNET_FINDINGS") {
        let file = format!("{folder}/raw-{}-{seed}.pnet", name.replace(' ', "-"));
        std::fs::write(file, &text).unwrap();
    }
    said(&format!("values {name}, PNET_SEED={seed}"), &whole.shown(), &text, why)
}

fn random_models(name: &str, kind: Kind, count: u64) {
    let mut counts = Count::default();
    let mut failures = Vec::new();
    let begun = Instant::now();
    let most_failures = if std::env::var("PNET_FINDINGS").is_ok() { usize::MAX } else { 3 };
    for seed in seeds(fuzz().map_or(count, share)) {
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
        for (question, answer) in answers(&model, None).unwrap_or_default() {
            counts.answer(question, &answer);
            let Some(why) = wrong(&truth, question, &answer) else { continue };
            let small = if silent(&answer).is_some() {
                model.clone()
            } else {
                shrink(&model, |one| first_wrong(one, question).as_ref() == Some(&why))
            };
            failures.push(found(name, seed, &model, &small, &why));
            break;
        }
        if started.elapsed() > Duration::from_secs(20) {
            println!("{name}: PNET_SEED={seed} took {:?}", started.elapsed());
        }
        if failures.len() >= most_failures {
            break;
        }
    }
    counts.milliseconds = begun.elapsed().as_millis();
    counts.say(name);
    assert!(failures.is_empty(), "{} are wrong:\n{}", failures.len(), failures.join("\n\n"));
    counts.few_are_skipped();
}

// ---- bounds that are symbolic ----

/// The same model for one value of `N`.
fn with(model: &Model, n: i64) -> Model {
    let mut model = model.clone();
    model.set.push(("N".to_owned(), n));
    model
}

/// A constant that a play names.
fn named(lines: &str, sign: &str) -> Option<i64> {
    lines.lines().find_map(|line| line.strip_prefix(sign)).and_then(|n| n.parse().ok())
}

/// The values of `N` up to five that a play is for: the one that it names, or any.
fn play_is_for(lines: &str) -> Option<Vec<i64>> {
    if lines.contains("this needs") {
        return None;
    }
    match lines.contains(THIS_N) {
        true => named(lines, THIS_N).filter(|n| ALL_N.contains(n)).map(|n| vec![n]),
        false => Some(ALL_N.to_vec()),
    }
}

/// Errors that are right where the interpreter has none: a sort that may be empty, as no axiom says that `N` is not too
/// small; or a constant that is set against the axioms.
fn may_refuse(model: &Model, truths: &Truths, codes: &[&str]) -> bool {
    let no_axioms = model.axioms.is_empty();
    let against = || truths.iter().all(|(_, truth)| *truth == Truth::Contradiction);
    codes.iter().all(|code| match *code {
        "E0121" => no_axioms,
        "E0122" => !model.set.is_empty() && against(),
        _ => false,
    })
}

/// What is so for each value of `N`.
type Truths = Vec<(i64, Truth)>;

fn truths(model: &Model) -> Truths {
    ALL_N.map(|n| (n, truth(&with(model, n)))).to_vec()
}

/// What is wrong with the answer for a symbolic `N`, given what is so for one value each.
fn wrong_for_all(
    model: &Model,
    truths: &Truths,
    question: Question,
    answer: &Answer,
) -> Option<String> {
    if let Some(why) = silent(answer) {
        return Some(why);
    }
    let fact_for = |n: i64| match &truths[n as usize - 1].1 {
        Truth::Facts(facts) => fact(facts, question),
        _ => None,
    };
    let error = truths.iter().find(|(_, truth)| *truth == Truth::Error);
    let skipped = truths.iter().any(|(_, truth)| matches!(truth, Truth::Skipped(_)));
    match (answer, error) {
        (Err(codes), None) if !skipped && !may_refuse(model, truths, codes) => {
            Some(format!("is an error, {codes:?}, but all is paid"))
        }
        (Err(_), _) => None,
        (Ok(_), Some((n, _))) => {
            Some(format!("{question:?}: for N = {n} a value leaves its sort at the beginning"))
        }
        (Ok(Verdict::Proved(_)), None) => {
            let n = ALL_N.into_iter().find(|&n| fact_for(n) == Some(false))?;
            Some(format!("{question:?} is proved for all N, but does not hold for N = {n}"))
        }
        (Ok(Verdict::Refuted(why)), None) => {
            // For a value that the play names, or for any that it leaves open, it must fail.
            let fits = play_is_for(why).unwrap_or_default();
            let holds = fits.iter().find(|&&n| fact_for(n) == Some(true));
            let n = holds.filter(|_| model.consts.len() == 1 && model.funs.is_empty())?;
            Some(format!("{question:?} is refuted, and the play is for N = {n}, where it holds"))
        }
        _ => None,
    }
}

/// What pnet says of one question.
fn answer_to(model: &Model, question: Question) -> Option<Answer> {
    let all = answers(model, Some(question))?;
    all.into_iter().map(|(_, answer)| answer).next()
}

/// What pnet says where constants are set fits what it says for all.
fn differs_from_all(model: &Model, question: Question, answer: &Answer) -> Option<String> {
    match answer {
        Ok(Verdict::Proved(_)) => ALL_N.into_iter().find_map(|n| {
            let one = answer_to(&with(model, n), question)?;
            let refuted = matches!(one, Ok(Verdict::Refuted(_)));
            refuted.then(|| format!("{question:?} is proved for all N, and refuted for N = {n}"))
        }),
        Ok(Verdict::Refuted(why)) => {
            // The constants that the play names, set: it is still a play, unless it is about functions as well.
            let mut one = model.clone();
            let signs = [("N", THIS_N), ("K", THIS_K)];
            let found = signs.map(|(name, sign)| Some((name.to_owned(), named(why, sign)?)));
            one.set.extend(found.into_iter().flatten());
            if one.set == model.set {
                return None;
            }
            let again = answer_to(&one, question)?;
            let proved = matches!(again, Ok(Verdict::Proved(_)) | Err(_));
            let set = &one.set;
            proved.then(|| format!("{question:?} is refuted, but not with the play's {set:?}"))
        }
        _ => None,
    }
}

#[test]
fn symbolic_bounds() {
    let mut counts = Count::default();
    let mut failures = Vec::new();
    let begun = Instant::now();
    for seed in seeds(fuzz().map_or(40, |all| all / 20)) {
        let mut random = Random::new(seed);
        let kinds =
            [Kind::Leaf, Kind::Leaf, Kind::Closed, Kind::Open, Kind::Families, Kind::Nested];
        let kind = *random.pick(&kinds);
        let model = pair(&mut random, kind, true, &mut counts.rejected);
        counts.models += 1;
        let known = truths(&model);
        if let Truth::Skipped(why) = &known[0].1 {
            *counts.skipped.entry(why).or_default() += 1;
        }
        for (question, answer) in answers(&model, None).unwrap_or_default() {
            counts.answer(question, &answer);
            let wrong = |model: &Model, known: &Truths, answer: &Answer| {
                let why = wrong_for_all(model, known, question, answer);
                why.or_else(|| differs_from_all(model, question, answer))
            };
            let Some(why) = wrong(&model, &known, &answer) else { continue };
            let still = |one: &Model| {
                let answer = answer_to(one, question);
                let why_now = answer.and_then(|answer| wrong(one, &truths(one), &answer));
                why_now.as_ref() == Some(&why)
            };
            let is_silent = silent(&answer).is_some();
            let small = if is_silent { model.clone() } else { shrink(&model, still) };
            failures.push(found("symbolic", seed, &model, &small, &why));
            break;
        }
    }
    counts.milliseconds = begun.elapsed().as_millis();
    counts.say("symbolic bounds");
    assert!(failures.is_empty(), "{} are wrong:\n{}", failures.len(), failures.join("\n\n"));
    counts.few_are_skipped();
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

#[test]
fn families() {
    random_models("families", Kind::Families, 40);
}

#[test]
fn nested_nets() {
    random_models("nested nets", Kind::Nested, 40);
}

#[test]
fn connectors() {
    random_models("connectors", Kind::Connected, 40);
}

#[test]
fn filled_nets() {
    random_models("filled nets", Kind::Filled, 40);
}

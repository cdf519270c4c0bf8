//! Theorems as implications between claims that `verify` judges.

use std::collections::BTreeMap;

use pnetc::diagnostics::Severity;
use pnetc::verify;

use crate::common::models::in_short;
use crate::common::said::Said;
use crate::common::seeds::{fuzz, keep, seeds};
use crate::common::shrink;
use crate::common::{Patience, Random, check_text};

/// Claims without `check`, and one that holds if they all do.
type Implication = (Vec<String>, String);

/// A theorem about one model.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    pub model: String,
    /// What follows from what.
    pub implications: Vec<Implication>,
}

impl Instance {
    pub fn new(model: String) -> Instance {
        Instance { model, implications: Vec::new() }
    }

    /// From these claims follows another.
    pub fn implies(mut self, claims: &[&str], other: &str) -> Instance {
        let claims = claims.iter().map(|&claim| claim.to_owned()).collect();
        self.implications.push((claims, other.to_owned()));
        self
    }
}

/// What came out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Implications.
    pub tried: usize,
    /// Those whose hypotheses were proved.
    pub met: usize,
    /// Those whose conclusions were proved, too.
    pub confirmed: usize,
    /// Claims that were judged.
    pub judged: usize,
    /// Claims that do not hold.
    pub refuted: usize,
    /// Claims of which nothing is known.
    pub unknown: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.tried += other.tried;
        self.met += other.met;
        self.confirmed += other.confirmed;
        self.judged += other.judged;
        self.refuted += other.refuted;
        self.unknown += other.unknown;
    }
}

/// Claims about one model, each of which is judged once.
struct Judge<'m> {
    model: &'m str,
    known: BTreeMap<String, &'static str>,
    /// Claims with the reasons why nothing is known of them.
    unknown: Vec<(String, String)>,
}

impl Judge<'_> {
    /// What is known of a claim.
    fn verdict(&mut self, claim: &str) -> &'static str {
        if let Some(plain) = claim.strip_prefix("not ") {
            return match self.verdict(plain) {
                "proved" => "refuted",
                "refuted" => "proved",
                other => other,
            };
        }
        if let Some(word) = self.known.get(claim) {
            return word;
        }
        let text = format!("{}check {claim};\n", self.model);
        let checked = check_text(text.as_str());
        if let Some(error) = checked.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            panic!("{}\n{text}", in_short(&checked, error));
        }
        let check = &checked.program.checks[0];
        let options = verify::ModelOptions::default();
        let outcome = verify::run(&checked, check, &options, &Patience::default()).unwrap();
        let verdict = Said::from(&outcome);
        if let Said::Unknown(why) = &verdict {
            self.unknown.push((claim.to_owned(), why.clone()));
        }
        self.known.insert(claim.to_owned(), verdict.word());
        verdict.word()
    }
}

/// What came out of one model.
#[derive(Default)]
struct Tried {
    tally: Tally,
    /// Implications that do not hold.
    failures: Vec<Implication>,
    unknown: Vec<String>,
}

/// Tries all implications of a model.
fn tried(name: &str, seed: u64, instance: &Instance) -> Tried {
    let mut done = Tried::default();
    let tally = &mut done.tally;
    let label = format!("{name}, PNET_SEED={seed}");
    let kept = |claim: &str| {
        let text = format!("{}check {claim};\n", instance.model);
        keep(&label, text.as_bytes()).display().to_string()
    };
    let mut judge = Judge { model: &instance.model, known: BTreeMap::new(), unknown: Vec::new() };
    tally.tried = instance.implications.len();
    for (claims, other) in &instance.implications {
        if !claims.iter().all(|claim| judge.verdict(claim) == "proved") {
            continue;
        }
        tally.met += 1;
        match judge.verdict(other) {
            "proved" => tally.confirmed += 1,
            "refuted" => done.failures.push((claims.clone(), other.clone())),
            _ => {}
        }
    }
    tally.judged = judge.known.len();
    tally.refuted = judge.known.values().filter(|word| **word == "refuted").count();
    tally.unknown = judge.unknown.len();
    done.unknown = judge
        .unknown
        .into_iter()
        .map(|(claim, why)| format!("PNET_SEED={seed}, {claim}: {why} ({})", kept(&claim)))
        .collect();
    done
}

/// An implication that does not hold, with the smallest model for which it does not.
fn shown(label: &str, model: &str, (claims, other): &Implication) -> String {
    let fails = |model: &str| -> Option<()> {
        let all = claims.iter().chain([other]);
        let checks = all.map(|claim| format!("check {};\n", claim.trim_start_matches("not ")));
        let text = checks.fold(model.to_owned(), |text, check| text + &check);
        let mut judge = Judge { model, known: BTreeMap::new(), unknown: Vec::new() };
        let is_model = !check_text(text).has_errors();
        let holds = is_model && claims.iter().all(|claim| judge.verdict(claim) == "proved");
        (holds && judge.verdict(other) == "refuted").then_some(())
    };
    let why = format!("{claims:?}, and yet not {other}");
    let check = |model: &str| fails(model).map_or(Ok(()), |()| Err(why.clone()));
    let said = shrink::tried(label, model, check);
    said.err().unwrap_or_else(|| format!("{label}: {why}, but not again"))
}

/// Tries a theorem on random models: what follows from what was proved is never refuted. At least every `one_in`th
/// implication must have hypotheses that hold, so that something is tried.
pub fn theorem(name: &str, count: u64, one_in: usize, make: fn(&mut Random) -> Instance) {
    let mut tally = Tally::default();
    let (mut failures, mut unknown) = (Vec::new(), Vec::new());
    for seed in seeds(fuzz().unwrap_or(count)) {
        let instance = make(&mut Random::new(seed));
        let one = tried(name, seed, &instance);
        tally.add(one.tally);
        let label = format!("{name}, PNET_SEED={seed}");
        failures.extend(one.failures.iter().map(|not| shown(&label, &instance.model, not)));
        unknown.extend(one.unknown);
    }
    println!("{name}: {tally:?}\n  {}", unknown.join("\n  "));
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    if tally.tried >= 20 {
        assert!(tally.met * one_in >= tally.tried, "{name}: nearly nothing was tried, {tally:?}");
        assert!(tally.unknown * 20 <= tally.judged, "{name}: too much is unknown, {tally:?}");
    }
}

/// Finds a model for which something that is no theorem does not hold: theorems that are tried in this way can fail.
pub fn no_theorem(name: &str, make: fn(&mut Random) -> Instance) {
    const MOST_MODELS: u64 = 200;
    let fails =
        |seed: &u64| !tried(name, *seed, &make(&mut Random::new(*seed))).failures.is_empty();
    let found = (0..MOST_MODELS).find(fails);
    println!("{name}: fails for seed {found:?}");
    assert!(found.is_some(), "{name}: it seems to be a theorem");
}

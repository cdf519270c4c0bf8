//! Many mistakes at once: a model of about two hundred lines with ten independent mistakes of ten kinds reports at
//! least nine of them in one run, and says at most two things that are about none of them.

use std::collections::BTreeMap;

use crate::common::planting::{Base, Plant, apply, kinds, plant};
use crate::common::seeds::{fuzz, keep, seeds};
use crate::common::{Random, check_text, models, valid};

/// How many mistakes are planted, how many of them must be reported, and how much else may be said.
const PLANTED: usize = 10;
const REPORTED: usize = 9;
const OTHERS: usize = 2;

/// The models made by hand.
fn bases() -> Vec<Base> {
    let all = crate::common::models().into_iter();
    all.filter(|(name, _)| name.contains("tests/planting/"))
        .map(|(_, text)| Base::new(text))
        .collect()
}

/// What became of some planted mistakes.
struct Outcome {
    /// Those of which nothing was said.
    missed: Vec<Plant>,
    /// What was said about none of them.
    others: Vec<String>,
}

fn judge(text: &str, plants: &[Plant]) -> Outcome {
    let checked = check_text(text);
    let mut missed: Vec<&Plant> = plants.iter().collect();
    let mut others = Vec::new();
    for found in &checked.diagnostics {
        let file = checked.sources.file_of(found.span()).unwrap();
        let line = file.position(found.span().start).line;
        let explained = plants.iter().any(|plant| plant.explains(found.entry.code, line));
        missed.retain(|plant| !plant.explains(found.entry.code, line));
        if !explained {
            let found = models::in_short(&checked, found);
            // The generator does not see to it that silent actions get through.
            if !models::is_of_silence(&found) {
                others.push(found);
            }
        }
    }
    Outcome { missed: missed.into_iter().cloned().collect(), others }
}

#[test]
fn the_models_have_no_mistakes() {
    let bases = bases();
    assert!(bases.len() >= 4);
    for base in bases {
        let checked = check_text(base.text.as_str());
        let found = checked.diagnostics.iter().map(|found| models::in_short(&checked, found));
        assert_eq!(found.collect::<Vec<_>>(), Vec::<String>::new());
    }
}

/// Each kind by itself: there is a place for it in some model, it is reported, and nothing else is.
#[test]
fn each_kind_alone() {
    let bases = bases();
    let mut failures: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let (mut planted, mut failed) = (0, 0);
    for (kind, find) in kinds() {
        let mut places = 0;
        for seed in seeds(fuzz().map_or(24, |wanted| wanted / 100)) {
            let random = &mut Random::new(seed);
            let base = &bases[seed as usize % bases.len()];
            let Some(found) = find(base, random) else { continue };
            places += 1;
            let plants = vec![found];
            let text = apply(base, &plants);
            let outcome = judge(&text, &plants);
            planted += 1;
            if !outcome.missed.is_empty() || outcome.others.len() > 1 {
                failed += 1;
                let line = plants[0].lines[0].start;
                let wrong = text.lines().nth(line - 1).unwrap_or_default().trim();
                let report = format!(
                    "PNET_SEED={seed} line {line} `{wrong}` missed {} others {:?}",
                    outcome.missed.len(),
                    outcome.others
                );
                failures.entry(kind).or_default().push(report);
            }
        }
        assert!(places > 0 || std::env::var("PNET_SEED").is_ok(), "no place for: {kind}");
    }
    for (kind, reports) in &failures {
        println!("{kind}: {}", reports.len());
        reports.iter().take(6).for_each(|report| println!("    {report}"));
    }
    println!(
        "{} kinds, {planted} planted alone, {failed} not reported or with more than one other message",
        kinds().len()
    );
    assert_eq!(failed, 0, "see above");
}

#[derive(Default)]
struct Statistics {
    plantings: usize,
    failures: usize,
    planted: usize,
    missed: usize,
    others: usize,
    /// Of each kind, how many were planted and how many missed.
    by_kind: BTreeMap<&'static str, (usize, usize)>,
    by_code: BTreeMap<String, usize>,
}

impl Statistics {
    fn add(&mut self, plants: &[Plant], outcome: &Outcome) {
        self.plantings += 1;
        self.planted += plants.len();
        self.missed += outcome.missed.len();
        self.others += outcome.others.len();
        for plant in plants {
            self.by_kind.entry(plant.kind).or_default().0 += 1;
        }
        for plant in &outcome.missed {
            self.by_kind.entry(plant.kind).or_default().1 += 1;
        }
        for other in &outcome.others {
            let code = other.split(' ').nth(1).unwrap_or_default().to_owned();
            *self.by_code.entry(code).or_default() += 1;
        }
    }

    fn print(&self) {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        println!(
            "{} plantings of {PLANTED}: {} fail; {:.2} % of {} mistakes missed; {:.2} other messages a planting",
            self.plantings,
            self.failures,
            share(self.missed, self.planted),
            self.planted,
            self.others as f64 / self.plantings.max(1) as f64,
        );
        for (kind, (planted, missed)) in self.by_kind.iter().filter(|(_, (_, missed))| *missed > 0)
        {
            println!(
                "    missed {missed:4} of {planted:4} ({:5.1} %): {kind}",
                share(*missed, *planted)
            );
        }
        println!("    other messages: {:?}", self.by_code);
    }
}

#[test]
fn ten_mistakes_at_once() {
    let bases = bases();
    let count = fuzz().map_or(200, |wanted| wanted / 20);
    let mut statistics = Statistics::default();
    let mut reports: Vec<String> = Vec::new();
    for seed in seeds(count) {
        let random = &mut Random::new(seed);
        let generated;
        let base = if seed % 3 == 2 {
            generated = Base::new(valid::valid_program(random, 200));
            &generated
        } else {
            &bases[(seed - seed / 3) as usize % bases.len()]
        };
        let (text, plants) = plant(base, random, PLANTED);
        if plants.len() < PLANTED {
            continue;
        }
        let outcome = judge(&text, &plants);
        statistics.add(&plants, &outcome);
        // For one seed that is asked for, everything; otherwise what went wrong.
        if std::env::var("PNET_SEED").is_ok() {
            for found in &plants {
                let missed = outcome.missed.iter().any(|missed| missed.kind == found.kind);
                let (mark, line) = (if missed { "missed" } else { "      " }, found.lines[0].start);
                println!(
                    "{mark} {line:4} {}: {}",
                    found.kind,
                    text.lines().nth(line - 1).unwrap_or_default()
                );
            }
            outcome.others.iter().for_each(|other| println!("other  {other}"));
        }
        if outcome.missed.len() > PLANTED - REPORTED || outcome.others.len() > OTHERS {
            statistics.failures += 1;
            let path = keep(&format!("ten mistakes, PNET_SEED={seed}"), text.as_bytes());
            let missed =
                outcome.missed.iter().map(|plant| format!("{} at {:?}", plant.kind, plant.lines));
            reports.push(format!(
                "PNET_SEED={seed}, {}\n    missed: {}\n    others: {}",
                path.display(),
                missed.collect::<Vec<_>>().join("; "),
                outcome.others.join("\n            "),
            ));
        }
    }
    statistics.print();
    reports.iter().take(20).for_each(|report| println!("{report}"));
    assert!(reports.is_empty(), "{} of {} plantings fail", reports.len(), statistics.plantings);
}

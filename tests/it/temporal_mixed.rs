//! Temporal formulas of models with all forms of the language: the same is asked twice, in words that other engines decide, and
//! what is proved of one is never refuted of the other.
//!
//! `PNET_FUZZ` and `PNET_SEED` work as elsewhere.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pnetc::base::{Budget, Spent, Watch};
use pnetc::model::Checked;
use pnetc::outcome::Verdict;
use pnetc::verify::{self, ModelOptions};

use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, mixed, shrink};

/// How long somebody waits: nothing is claimed about what is not decided by then.
const LONGEST: Duration = Duration::from_millis(1_500);

/// Somebody who does not wait long.
struct Hurried(Budget);

impl Watch for Hurried {
    fn progress(&self, _: usize, _: usize, _: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

/// Has something done that may not take too long.
fn hurried<R>(work: impl FnOnce(&Hurried) -> R) -> R {
    let budget = Budget::of_work(u64::MAX);
    let (done, ended) = channel::<()>();
    let theirs = budget.clone();
    let timer = std::thread::spawn(move || {
        if ended.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
            theirs.spend(Spent::Interrupted);
        }
    });
    let found = {
        let _here = budget.enter();
        work(&Hurried(budget.clone()))
    };
    drop(done);
    let _ = timer.join();
    found
}

fn said(checked: &Checked) -> Result<Vec<Verdict>, String> {
    let mut options = ModelOptions::default();
    options.explore.most_states = 2_000;
    let mut found = Vec::new();
    for check in checked.checks() {
        match hurried(|watch| verify::run(checked, check, &options, watch)) {
            Ok(outcome) => found.push(outcome.verdict),
            Err(problems) if problems.iter().all(|one| one.entry.code == "E0112") => {}
            Err(problems) => return Err(format!("{problems:?}")),
        }
    }
    Ok(found)
}

/// What both came to.
fn agree(checked: &Checked) -> Result<Vec<Verdict>, String> {
    let found = said(checked)?;
    match found.as_slice() {
        [Verdict::Proved, Verdict::Refuted] | [Verdict::Refuted, Verdict::Proved] => {
            Err(format!("the same is asked twice, and {found:?} is said"))
        }
        _ => Ok(found),
    }
}

#[test]
fn what_is_asked_twice_is_answered_once() {
    let (mut counts, mut forms) = (BTreeMap::new(), BTreeMap::new());
    let mut failures = Vec::new();
    let many = fuzz().unwrap_or(40);
    for seed in seeds(many) {
        let made = mixed::model_of_runs(&mut Random::new(seed));
        let label = format!("temporal mixed, PNET_SEED={seed}");
        let found = shrink::tried(&label, &made.text, |text| match mixed::accepted(text) {
            Some(checked) => agree(&checked),
            None => Ok(Vec::new()),
        });
        made.forms.iter().for_each(|form| *forms.entry(*form).or_insert(0) += 1);
        match found {
            Ok(found) => *counts.entry(format!("{found:?}")).or_insert(0) += 1,
            Err(why) => failures.push(why),
        }
    }
    println!("{counts:#?}\n{forms:#?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let both = |word: &str| counts.get(&format!("[{word}, {word}]")).copied().unwrap_or(0);
    assert!(many < 40 || both("Proved") > 3 && both("Refuted") > 3, "{counts:?}");
}

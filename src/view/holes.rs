//! Holes that somebody plays: what each can do now, and doing what was written.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::walk::{here, mentioned, numbered};
use super::{View, ViewProblem, Viewed, Walk};
use crate::base::Id;
use crate::explore::naive::AskedAction;
use crate::explore::{self, Step};
use crate::pnet::HoleId;
use crate::simulate::{Replayed, StepProblem, Teller, asked, fits};

/// So many actions of a hole are listed.
const MOST_LISTED: usize = 60;

/// So many actions are named where another one was asked for.
const MOST_NAMED: usize = 6;

/// What each hole can do in some steps, in the order of the holes.
pub(super) fn offers(teller: &Teller<'_>, steps: &[Step]) -> Vec<Value> {
    let holes = teller.net().holes.iter().enumerate();
    holes
        .map(|(place, hole)| {
            let all = actions(teller, steps, HoleId::at(place));
            let listed = &all[..all.len().min(MOST_LISTED)];
            json!({ "hole": hole.path, "actions": listed, "more": all.len() - listed.len() })
        })
        .collect()
}

/// The actions of a hole, each once, as they are met.
fn actions(teller: &Teller<'_>, steps: &[Step], hole: HoleId) -> Vec<String> {
    let all = steps.iter().flat_map(|step| &step.holes).filter(|(own, _)| *own == hole);
    let mut known: FxHashSet<&explore::Value> = FxHashSet::default();
    let new = all.filter(|(_, action)| known.insert(action));
    new.map(|(_, action)| teller.value(action).text).collect()
}

/// Whether a step is one in which holes do what somebody wants.
pub(super) fn does(teller: &Teller<'_>, step: &Step, wanted: &BTreeMap<String, String>) -> bool {
    let holes = &teller.net().holes;
    wanted.iter().all(|(path, action)| {
        let mut all = step.holes.iter();
        all.any(|(hole, value)| holes[*hole].path == *path && teller.value(value).text == *action)
    })
}

/// The integers in what somebody asks for.
fn integers(wanted: &AskedAction, found: &mut Vec<BigInt>) {
    match wanted {
        AskedAction::Act(_, args) => {
            args.iter().flatten().for_each(|value: &explore::Value| mentioned(value, found));
        }
        AskedAction::Sync(Some(inner)) | AskedAction::Co(Some(inner)) => integers(inner, found),
        AskedAction::Sync(None) | AskedAction::Co(None) | AskedAction::Tau => {}
    }
}

impl Viewed {
    fn hole(&self, path: &str) -> Result<HoleId, ViewProblem> {
        let place = self.net.holes.iter().position(|hole| hole.path == path);
        place.map(HoleId::at).ok_or_else(|| ViewProblem::NoHole(path.to_owned()))
    }
}

impl View {
    /// A hole does what somebody wrote: the walk as it is then numbered, since integers that are written are tried, too;
    /// the actions of the hole that fit, and the steps in which it does one of them.
    pub fn plays(&mut self, walk: &Walk, hole: &str, text: &str) -> Result<Value, ViewProblem> {
        let viewed = std::sync::Arc::clone(self.viewed());
        let place = viewed.hole(hole)?;
        let wanted = asked(&viewed.net.algebra, text)?;
        let mut tried = walk.integers()?;
        wanted.iter().for_each(|one| integers(one, &mut tried));
        let run = self.follow(walk, |stepper| {
            let (begin, steps) = stepper.made().ok_or(StepProblem::NotBegun)?;
            Ok(Replayed { begin: begin.clone(), steps: steps.to_vec(), end_checked: false })
        })?;
        let also = tried.iter().map(ToString::to_string).collect();
        let mut again = Walk { choices: Vec::new(), also };
        again.choices = numbered(&viewed.interpreter(&again)?, &run)?;
        self.follow(&again, |stepper| {
            let at = here(stepper).ok_or(StepProblem::NotBegun)?;
            let (steps, teller) = (stepper.interpreter().steps(at)?.steps, stepper.teller());
            let fitting = |step: &Step| {
                let mut own = step.holes.iter().filter(|(own, _)| *own == place);
                own.any(|(_, value)| wanted.iter().any(|one| fits(value, one)))
            };
            let numbers: Vec<usize> =
                (1..).zip(&steps).filter(|(_, s)| fitting(s)).map(|(n, _)| n).collect();
            if numbers.is_empty() {
                let can = in_words(&actions(teller, &steps, place));
                let (hole, action) = (hole.to_owned(), text.trim().to_owned());
                return Err(ViewProblem::HoleCannot { hole, action, can });
            }
            let chosen: Vec<Step> =
                numbers.iter().map(|number| steps[number - 1].clone()).collect();
            let actions = actions(teller, &chosen, place);
            let walk = json!({ "choices": again.choices, "also": again.also });
            Ok(json!({ "walk": walk, "actions": actions, "steps": numbers }))
        })
    }
}

fn in_words(actions: &[String]) -> String {
    let named: Vec<String> =
        actions.iter().take(MOST_NAMED).map(|one| format!("`{one}`")).collect();
    match (named.is_empty(), actions.len().saturating_sub(MOST_NAMED)) {
        (true, _) => "nothing now".to_owned(),
        (false, 0) => named.join(", "),
        (false, more) => format!("{} and {more} more", named.join(", ")),
    }
}

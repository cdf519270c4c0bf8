//! The values that a run speaks of: those that are tried where there is no end of values.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::follow::possible;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Steps};
use crate::outcome::{Equation, Trace, TraceStep, Value};
use crate::pnet::HoleId;

/// Numbers, and values of abstract sorts. What is no value but looks like one does no harm: it is tried, and does not fit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Mentioned {
    pub integers: BTreeSet<BigInt>,
    /// How many values of each abstract sort there are at least, by the name of the sort.
    counts: BTreeMap<String, u32>,
}

impl Mentioned {
    /// Those that a step speaks of.
    pub fn of_step(step: &TraceStep) -> Mentioned {
        let mut found = Mentioned::default();
        let holes = step.holes.iter().map(|one| &one.value);
        let changes = step.changes.iter().map(|one| &one.after);
        step.action.iter().chain(holes).chain(changes).for_each(|value| found.value(value));
        found
    }

    /// Those that a run begins with.
    pub fn of_beginning(trace: &Trace) -> Mentioned {
        let mut found = Mentioned::default();
        let variables = trace.components.iter().flat_map(|one| &one.variables);
        let begins = trace.with.iter().chain(&trace.begins);
        begins.clone().for_each(|one: &Equation| found.value(&one.value));
        // Numbers that are fixed need not be tried.
        variables.for_each(|one| found.names(&one.value.text));
        found
    }

    /// Those in texts and numbers of JSON, wherever they stand.
    pub fn of_json(value: &serde_json::Value) -> Mentioned {
        let mut found = Mentioned::default();
        let mut work = vec![value];
        while let Some(one) = work.pop() {
            match one {
                serde_json::Value::String(text) => found.text(text),
                serde_json::Value::Number(number) => found.text(&number.to_string()),
                serde_json::Value::Array(inner) => work.extend(inner),
                serde_json::Value::Object(inner) => work.extend(inner.values()),
                _ => {}
            }
        }
        found
    }

    fn value(&mut self, value: &Value) {
        self.text(&value.text);
    }

    /// What a text speaks of.
    pub fn text(&mut self, text: &str) {
        let ends = |c: char| !c.is_ascii_digit() && c != '-';
        self.integers.extend(text.split(ends).filter_map(|text| text.parse::<BigInt>().ok()));
        self.names(text);
    }

    /// The values of abstract sorts in a text: `Item#2`.
    fn names(&mut self, text: &str) {
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        let pieces: Vec<&str> = text.split('#').collect();
        for pair in pieces.windows(2) {
            let [before, after] = pair else { continue };
            let name = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
            let digits = after.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
            if let (false, Ok(number)) = (name.is_empty(), digits.parse::<u32>()) {
                let count = self.counts.entry(name.to_owned()).or_default();
                *count = number.saturating_add(1).min(MOST_ABSTRACT).max(*count);
            }
        }
    }

    /// The same net, where these values are tried, too.
    pub fn tried<'n>(&self, interpreter: &Interpreter<'n>) -> Interpreter<'n> {
        let names = &interpreter.net().algebra.abstracts;
        let counts = names.iter().enumerate().filter_map(|(number, name)| {
            let count = self.counts.get(name.as_str())?;
            Some((crate::algebra::AbstractId(number as u32), *count))
        });
        interpreter.trying(self.integers.iter().cloned()).knowing(counts)
    }

    /// What is possible where these values are tried, too, and why that may not be all.
    pub fn steps(
        &self,
        interpreter: &Interpreter<'_>,
        at: &Configuration,
    ) -> Result<(Steps, Option<Gap>), Gap> {
        possible(&self.tried(interpreter), at, FxHashMap::default(), None)
    }

    /// The same, of steps in which the holes of this one take part and no others: what those could do does not matter.
    pub fn steps_like(
        step: &TraceStep,
        interpreter: &Interpreter<'_>,
        at: &Configuration,
    ) -> Result<(Steps, Option<Gap>), Gap> {
        let holes = interpreter.net().holes.enumerated();
        let takes_part = |path: &str| step.holes.iter().any(|one| one.what == path);
        let holes = holes.filter(|(_, hole)| takes_part(&hole.path)).map(|(id, _)| id);
        let holes: Vec<HoleId> = holes.collect();
        let trying = Mentioned::of_step(step).tried(interpreter);
        possible(&trying, at, FxHashMap::default(), Some(&holes))
    }
}

/// More values of an abstract sort are not tried, whatever a file says.
const MOST_ABSTRACT: u32 = 64;

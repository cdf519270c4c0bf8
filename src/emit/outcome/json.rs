//! Outcomes as JSON, with the schema that the types have.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{answer, note, vacuity};
use crate::outcome::{Evidence, Note, Obligation, Outcome, Reason, Statistics, Verdict};

/// What `--format json` writes for each check.
#[derive(Serialize, JsonSchema)]
pub struct Answered<'o> {
    /// The file of the check.
    file: &'o str,
    /// The line of the check; nothing where it was asked on the command line.
    line: Option<usize>,
    /// The text of the check.
    check: &'o str,
    /// Whether the claim holds.
    verdict: Verdict,
    /// Why, in words.
    reason: String,
    /// Why, as data.
    because: &'o Reason,
    /// What backs the verdict.
    evidence: &'o Evidence,
    /// What a proof, or a relation that was given, had to meet, with what became of it.
    obligations: &'o [Obligation],
    /// What is to be known about it, in words.
    notes: Vec<String>,
    /// Why a claim that holds says less than it seems to, in words.
    vacuous: Vec<String>,
    /// The instance that the verdict is about, by the values of its constants or by its name; none where it is about the net itself.
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    instance: &'o [String],
    /// How much there was to look at.
    statistics: Statistics,
    /// How long it took.
    seconds: f64,
}

/// The object that is written for a check: its text, and what it denies, if it does.
pub fn object(
    (file, line): (&str, Option<usize>),
    (check, denied): (&str, Option<&str>),
    outcome: &Outcome,
    seconds: f64,
) -> Value {
    let answered = Answered {
        file,
        line,
        check,
        verdict: outcome.verdict,
        reason: answer(outcome, denied),
        because: &outcome.reason,
        evidence: &outcome.evidence,
        obligations: &outcome.obligations,
        notes: outcome.notes.iter().map(note).collect(),
        vacuous: outcome.vacuous.iter().map(vacuity).collect(),
        instance: instance(outcome),
        statistics: outcome.statistics,
        seconds,
    };
    serde_json::to_value(&answered).unwrap_or_default()
}

/// The instance that an outcome is about.
fn instance(outcome: &Outcome) -> &[String] {
    let set = outcome.notes.iter().find_map(|note| match note {
        Note::Instance { set } => Some(set.as_slice()),
        Note::Unfolding { name } => Some(std::slice::from_ref(name)),
        _ => None,
    });
    set.unwrap_or_default()
}

/// The schema of these objects, as JSON Schema.
pub fn schema() -> Value {
    serde_json::to_value(schemars::schema_for!(Answered<'_>)).unwrap_or_default()
}

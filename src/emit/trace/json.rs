//! Runs as files: JSON out, and in again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::outcome::Trace;

/// What the file of a run says it is.
pub const FORMAT: &str = "pnet-trace";

/// The version of its form.
pub const VERSION: u32 = 1;

/// A run as it is written to a file.
#[derive(Serialize, JsonSchema)]
pub struct SavedTrace<'t> {
    /// `pnet-trace`.
    format: &'static str,
    /// The version of this form, 1.
    version: u32,
    /// The run.
    #[serde(flatten)]
    trace: &'t Trace,
}

/// What stands at the top of such a file.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u32>,
    #[serde(rename = "#meta")]
    meta: Option<Value>,
    states: Option<serde::de::IgnoredAny>,
}

/// What a file has in it.
#[derive(Clone, PartialEq, Debug)]
pub enum Recorded {
    /// A run, as we write it.
    Trace(Box<Trace>),
    /// A run in the form of Apalache and Quint.
    Itf(Value),
}

/// Why a text is not a run.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotATrace {
    /// It ends too early.
    #[error("it ends in line {line}, in the middle of something: it was cut off")]
    CutOff {
        /// The last line.
        line: usize,
    },
    /// It is not JSON, or not what it should be.
    #[error("line {line}, column {column}: {why}")]
    Wrong {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// It is something else.
    #[error("it is JSON, but neither a trace of pnet (`\"format\": \"{FORMAT}\"`) nor one in ITF")]
    Other,
    /// It is of a version that is not known here.
    #[error("it is a trace of version {0}; this program knows version {VERSION}")]
    Version(u32),
}

/// The file of a run.
pub fn saved(trace: &Trace) -> String {
    let saved = SavedTrace { format: FORMAT, version: VERSION, trace };
    serde_json::to_string_pretty(&saved).unwrap_or_default() + "\n"
}

/// The run in a file.
pub fn read(text: &str) -> Result<Recorded, NotATrace> {
    // What is JSON and has no such head is something else, whatever it lacks.
    let head: Head = serde_json::from_str(text).map_err(|problem| match problem.is_data() {
        true => NotATrace::Other,
        false => wrong(&problem),
    })?;
    match (head.format.as_deref(), head.version) {
        (Some(FORMAT), Some(VERSION)) => {
            let trace: Trace = serde_json::from_str(text).map_err(|problem| wrong(&problem))?;
            Ok(Recorded::Trace(Box::new(trace)))
        }
        (Some(FORMAT), Some(version)) => Err(NotATrace::Version(version)),
        _ if head.meta.is_some() && head.states.is_some() => {
            Ok(Recorded::Itf(serde_json::from_str(text).map_err(|problem| wrong(&problem))?))
        }
        _ => Err(NotATrace::Other),
    }
}

fn wrong(problem: &serde_json::Error) -> NotATrace {
    let (line, column) = (problem.line(), problem.column());
    if problem.is_eof() {
        return NotATrace::CutOff { line };
    }
    let why = problem.to_string();
    let why = why.split(" at line ").next().unwrap_or(&why).to_owned();
    NotATrace::Wrong { line, column, why }
}

/// The schema of these files, as JSON Schema.
pub fn schema() -> Value {
    serde_json::to_value(schemars::schema_for!(SavedTrace<'_>)).unwrap_or_default()
}

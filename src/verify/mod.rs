//! Checks: each claim of a model is *proved*, *refuted* with evidence, or *unknown* with the reason.

mod certificate;
mod compare;
mod composed;
mod nonblocking;
mod relation;
mod size;
mod story;

use crate::diagnostics::Diagnostic;
use crate::driver::{BuildFailure, Checked, build_instance};
use crate::elaborate;
use crate::equivalence::World;
use crate::generate::{self, Generated, Watch};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, CheckKind, Instance};

/// How checks are to be run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How nets are elaborated.
    pub elaborate: elaborate::Options,
    /// How automata are generated.
    pub generate: generate::Options,
    /// Whether the automata of parts are composed, instead of generating those of whole nets.
    pub compose: bool,
    /// Whether proofs come with certificates.
    pub certificates: bool,
}

pub use certificate::{Certificate, MANIFEST, checksum};
pub use composed::generate_composed;
pub use story::{By, ByPart, ByVector, Changed, Equation, Place, Story, Told};

/// Why nothing is known where everything would follow.
const CONTRADICTION: &str = "the axioms, with the values that were set, contradict each other: anything would follow from them";

/// Why nothing that is found out about two automata would be sure.
fn unsure(world: &mut World<'_>) -> Option<&'static str> {
    world.axioms_contradict().then_some(CONTRADICTION)
}

/// What came out of a check, and only what was established.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The claim holds; what was found.
    Proved(String),
    /// The claim does not hold, and why.
    Refuted(String),
    /// It is not known, and why.
    Unknown(String),
}

impl Verdict {
    /// `proved`, `refuted` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Proved(_) => "proved",
            Verdict::Refuted(_) => "refuted",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// What was found.
    pub fn reason(&self) -> &str {
        match self {
            Verdict::Proved(reason) | Verdict::Refuted(reason) | Verdict::Unknown(reason) => reason,
        }
    }

    /// The verdict on the opposite claim.
    fn opposite(self) -> Verdict {
        match self {
            Verdict::Proved(reason) => Verdict::Refuted(reason),
            Verdict::Refuted(reason) => Verdict::Proved(reason),
            unknown @ Verdict::Unknown(_) => unknown,
        }
    }
}

/// What backs a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// Nothing but the word.
    None,
    /// A relation, as an item that can be put into the model.
    Relation(String),
    /// A reachability predicate, a line for each state.
    Predicate(String),
    /// A play, a run, or what fails, line by line.
    Play(Story),
}

/// A verdict and what backs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// What backs it.
    pub evidence: Evidence,
    /// What it rests on, as files that another solver can check; only where they were asked for, and for proofs of
    /// comparisons.
    pub certificate: Option<Certificate>,
    /// What is to be known about it.
    pub notes: Vec<String>,
}

impl Outcome {
    fn unknown(why: impl Into<String>) -> Outcome {
        Verdict::Unknown(why.into()).into()
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Outcome {
        Outcome { verdict, evidence: Evidence::None, certificate: None, notes: Vec::new() }
    }
}

/// Runs a check. An error means that the nets it speaks of cannot be elaborated.
pub fn run(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let outcome = match check.kind {
        CheckKind::Size => size::check(checked, check, options, watch)?.into(),
        CheckKind::Bisimilar | CheckKind::WeaklyBisimilar | CheckKind::Refines => {
            compare::check(checked, check, options, watch)?
        }
        CheckKind::Nonblocking => nonblocking::check(checked, check, options, watch)?,
        CheckKind::DeadlockFree | CheckKind::Always | CheckKind::Reaches => {
            // Nothing is claimed that was not established.
            return Ok(Outcome::unknown("this version of pnet cannot check this yet"));
        }
    };
    if !check.negated {
        return Ok(outcome);
    }
    let mut notes = outcome.notes;
    if check.relation.is_some() && matches!(outcome.verdict, Verdict::Refuted(_)) {
        notes.push("this is about the relation alone; another one may do".to_owned());
    }
    // What the proof rests on is the opposite of what was claimed.
    let verdict = outcome.verdict.opposite();
    Ok(Outcome { verdict, certificate: None, notes, ..outcome })
}

/// `1 state`, `2 states`
fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// The text of a check, on one line.
pub fn claim(checked: &Checked, check: &CheckDef) -> String {
    let text = checked.sources.text(check.span);
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(';').to_owned()
}

/// Elaborates what a check is about.
fn net(
    checked: &Checked,
    check: &CheckDef,
    instance: &Instance,
    options: &Options,
) -> Result<PNet, Vec<Diagnostic>> {
    build_instance(checked, check, instance, &options.elaborate).map_err(failed)
}

fn failed(failure: BuildFailure) -> Vec<Diagnostic> {
    match failure {
        BuildFailure::Problems(problems) => problems,
        BuildFailure::Errors | BuildFailure::Nothing | BuildFailure::Unknown(_) => Vec::new(),
    }
}

/// Generates the automaton of what a check is about.
fn automaton(
    checked: &Checked,
    check: &CheckDef,
    instance: &Instance,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Generated, Vec<Diagnostic>> {
    if options.compose {
        return composed::automaton(checked, check, instance, options, watch);
    }
    let net = net(checked, check, instance, options)?;
    Ok(generate::generate(&net, &options.generate, watch))
}

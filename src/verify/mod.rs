//! Checks: each claim of a model is *proved*, *refuted* with evidence, or *unknown* with the reason.

mod certificate;
mod compare;
mod composed;
mod nonblocking;
mod relation;
mod remake;
mod reviews;
mod size;
mod story;
mod vacuous;

use std::sync::Arc;

use crate::base::Spent;
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
    /// Where nets that are generated are left, for those who have something to say about them.
    pub kept: Option<Kept>,
}

pub use certificate::{Certificate, FOUND, MANIFEST, checksum};
pub use composed::generate_composed;
pub use remake::{Basis, Texts, differences, model_hashes, remake};
pub use reviews::{Kept, Reviews};
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
    /// Why a claim that holds says less than it seems to: there is nothing, or less, that it speaks of.
    pub vacuous: Vec<String>,
    /// What a proof found, as the text of an item, the shortest first: a certificate is made of one of these.
    found: Vec<String>,
}

impl Outcome {
    fn unknown(why: impl Into<String>) -> Outcome {
        Verdict::Unknown(why.into()).into()
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Outcome {
        Outcome {
            verdict,
            evidence: Evidence::None,
            certificate: None,
            notes: Vec::new(),
            vacuous: Vec::new(),
            found: Vec::new(),
        }
    }
}

/// Runs a check. An error means that the nets it speaks of cannot be elaborated.
pub fn run(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let budget = watch.budget();
    let _here = budget.enter();
    let outcome = match judged(checked, check, options, watch) {
        // A net that was not made to its end has no problems that anybody could mend.
        Err(_) if budget.spent().is_some() => Outcome::unknown(STOPPED),
        found => found?,
    };
    // What came out when the budget was spent may rest on work that was not done to its end.
    Ok(match budget.spent() {
        None => outcome,
        Some(spent) => {
            Outcome { certificate: None, verdict: unsettled(&outcome.verdict, spent), ..outcome }
        }
    })
}

/// What can be said of a verdict that was found when the budget was spent.
fn unsettled(verdict: &Verdict, spent: Spent) -> Verdict {
    let why = match verdict {
        Verdict::Unknown(why) if why != STOPPED => why,
        _ => return Verdict::Unknown(spent.to_string()),
    };
    Verdict::Unknown(match spent {
        Spent::Interrupted if why.starts_with(STOPPED) => why.clone(),
        _ => format!("{spent}: {why}"),
    })
}

/// Why nothing is known when somebody stops the work.
const STOPPED: &str = "stopped";

fn judged(
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
        let certify = options.certificates && !outcome.found.is_empty();
        return Ok(if certify {
            certified(checked, check, options, outcome, watch)
        } else {
            outcome
        });
    }
    let mut notes = outcome.notes;
    if check.relation.is_some() && matches!(outcome.verdict, Verdict::Refuted(_)) {
        notes.push("this is about the relation alone; another one may do".to_owned());
    }
    // What the proof rests on is the opposite of what was claimed.
    let verdict = outcome.verdict.opposite();
    Ok(Outcome { verdict, certificate: None, notes, vacuous: Vec::new(), ..outcome })
}

/// A proof with its certificate, which is made of what was found as it is written, like when it is checked again.
fn certified(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    outcome: Outcome,
    watch: &dyn Watch,
) -> Outcome {
    let sources = remake::Texts(&checked.sources);
    let mut why = String::new();
    for found in &outcome.found {
        let basis = Basis {
            claim: claim(checked, check),
            settings: options.elaborate.set.texts(&checked.program),
            found: remake::renamed(found, checked),
        };
        match remake(&sources, &checked.root, &basis, options, true, watch) {
            Ok(certificate) => return Outcome { certificate: Some(certificate), ..outcome },
            Err(problem) => why = problem,
        }
    }
    let mut notes = outcome.notes;
    notes.push(format!("there is no certificate of this proof: {why}"));
    Outcome { notes, ..outcome }
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
) -> Result<Arc<Generated>, Vec<Diagnostic>> {
    if options.compose {
        return composed::automaton(checked, check, instance, options, watch).map(Arc::new);
    }
    let net = net(checked, check, instance, options)?;
    let generated = Arc::new(generate::generate(&net, &options.generate, watch));
    if let Some(kept) = &options.kept {
        let text = checked.sources.text(instance.span).to_owned();
        kept.keep(reviews::Made { text, net, generated: Arc::clone(&generated) });
    }
    Ok(generated)
}

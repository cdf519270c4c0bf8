//! Checks: each claim of a model is *proved*, *refuted* with evidence, or *unknown* with the reason.

mod actions;
mod any_size;
mod broken;
mod certificate;
mod compare;
mod compared;
mod composed;
mod engines;
mod every_size;
mod explored;
mod given;
mod holds;
mod holes;
mod idle;
mod inductive;
mod listing;
mod looked;
mod nonblocking;
mod pairs;
mod pairwise;
mod played;
mod portfolio;
mod predicate;
mod reach;
mod reduced;
mod refusal;
mod relation;
mod remake;
mod remarks;
mod reviews;
mod safety;
pub mod scenario;
mod size;
mod sized;
mod story;
mod unfoldings;
mod vacuous;
mod valid;

use std::sync::Arc;

use crate::base::Budget;
use crate::diagnostics::{Diagnostic, Span};
use crate::generate::{Generated, Watch};
use crate::loader::Sources;
pub use crate::model::ModelOptions;
use crate::model::{BuildFailure, Checked, Wanted};
use crate::outcome::{Evidence, Found, Note, Outcome, Reason, Verdict};
use crate::safety::Induction;
use crate::sema::program::{CheckDef, CheckKind, ExprKind, Instance, ScenarioDef};

pub use crate::elaborate::UnclearName;
pub use any_size::size_problems;
pub use certificate::{
    COMPARED, CONFIGURATIONS, Certificate, FIXPOINTS, FORMULA, FOUND, INVARIANT, MANIFEST, PAIRS,
    PROOF, SIZES, checksum,
};
pub use every_size::{NoSizesFormula, sizes_formula};
pub use listing::{Lines, Listing, ListingFault, NotClosed};
pub use pairs::{NotRelated, PairTexts, PairsFault};
pub use refusal::{Deviation, NoCertificate, Unclear};
pub use remake::{
    Basis, ClaimText, Texts, differences, model_hashes, remake, remake_fixpoints, remake_listed,
    remake_pairs, remake_sizes,
};
pub use reviews::Reviews;
pub use sized::{SizeAlone, sizes_alone};

/// What a model claims: a check, or a scenario.
#[derive(Clone, Copy, Debug)]
pub enum ModelClaim<'p> {
    /// A check.
    Check(&'p CheckDef),
    /// A scenario.
    Scenario(&'p ScenarioDef),
}

impl ModelClaim<'_> {
    /// Where it was written.
    pub fn span(&self) -> Span {
        match self {
            ModelClaim::Check(check) => check.span,
            ModelClaim::Scenario(scenario) => scenario.span,
        }
    }

    /// What a check denies, if it does: it begins with `not`.
    pub fn denied(&self) -> Option<&'static str> {
        match self {
            ModelClaim::Check(check) => check.negated.then_some(check.kind.word()),
            ModelClaim::Scenario(_) => None,
        }
    }

    /// Its text, on one line: of a scenario, what stands before its steps.
    pub fn text(&self, checked: &Checked) -> String {
        match self {
            ModelClaim::Check(check) => claim(checked, check),
            ModelClaim::Scenario(scenario) => scenario::claim(checked, scenario),
        }
    }
}

/// The checks and scenarios of a model, in the order of the text.
pub fn claims(checked: &Checked) -> Vec<ModelClaim<'_>> {
    let checks = checked.checks().into_iter().map(ModelClaim::Check);
    let scenarios = checked.scenarios().into_iter().map(ModelClaim::Scenario);
    let mut all: Vec<ModelClaim<'_>> = checks.chain(scenarios).collect();
    all.sort_by_key(|claim| claim.span().start);
    all
}

/// Runs a check. An error means that the nets it speaks of cannot be elaborated.
pub fn run(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let budget = watch.budget();
    let _here = budget.enter();
    let outcome = match judged(checked, check, options, watch) {
        // A net that was not made to its end has no problems that anybody could mend.
        Err(_) if budget.spent().is_some() => Outcome::unknown(Reason::Stopped),
        found => found?,
    };
    let mut outcome = unless_spent(outcome, &budget);
    // What is found out now takes nothing away from the verdict, also where the budget is spent meanwhile.
    let aside = budget.aside();
    let _here = aside.enter();
    let side = safety::Limited { watch, budget: aside };
    outcome.vacuous.extend(idle::idle(checked, check, &outcome, options, &side));
    outcome.notes.extend(holes::notes(checked, check, &outcome, options, &side));
    outcome.notes.extend(remarks::notes(checked, check, &outcome, options));
    Ok(outcome)
}

/// What came out when the budget was spent may rest on work that was not done to its end.
fn unless_spent(outcome: Outcome, budget: &Budget) -> Outcome {
    match budget.spent() {
        None => outcome,
        Some(spent) => {
            let before = (outcome.verdict == Verdict::Unknown).then_some(outcome.reason);
            let before = before.filter(|before| *before != Reason::Stopped).map(Box::new);
            let reason = Reason::Spent { spent, before };
            Outcome { verdict: Verdict::Unknown, reason, ..outcome }
        }
    }
}

fn judged(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    // A net that cannot be made is told by whoever needs it: one of any size is not made at all.
    let unclear = checked.unclear_property(check, &options.elaborate).unwrap_or_default();
    if !unclear.is_empty() {
        return Err(unclear);
    }
    if let Some(outcome) = unfoldings::check(checked, check, options, watch)? {
        return Ok(opposite_if(check.negated, outcome));
    }
    let outcome = match check.kind {
        CheckKind::Size => size::check(checked, check, options, watch)?,
        CheckKind::Bisimilar
        | CheckKind::WeaklyBisimilar
        | CheckKind::Refines
        | CheckKind::WeaklyRefines => compare::check(checked, check, options, watch)?,
        CheckKind::Nonblocking => nonblocking::check(checked, check, options, watch)?,
        CheckKind::Valid => valid::check(checked, check, options)?,
        CheckKind::Holds => holds::check(checked, check, options, watch)?,
        CheckKind::Noninterfering => holds::apart(checked, check, options, watch)?,
        CheckKind::DeadlockFree
        | CheckKind::Always
        | CheckKind::Reaches
        | CheckKind::Mutex
        | CheckKind::AtMost
        | CheckKind::Deterministic
        | CheckKind::Terminates
        | CheckKind::Never
        | CheckKind::Live => safety::check(checked, check, options, watch)?,
    };
    if !check.negated {
        return Ok(outcome);
    }
    let mut notes = outcome.notes;
    if check.relation.is_some() && outcome.verdict == Verdict::Refuted {
        notes.push(Note::RelationAlone);
    }
    let verdict = outcome.verdict.opposite();
    // What a proof found is about the opposite of what was claimed; an invariant shows what is never reached.
    let by_invariant = check.invariant.is_some()
        || matches!(outcome.evidence, Evidence::Invariant(_) | Evidence::Predicate(_));
    let found = if by_invariant { outcome.found } else { Vec::new() };
    Ok(Outcome { verdict, notes, found, vacuous: Vec::new(), ..outcome })
}

/// An outcome, or that of the opposite claim.
fn opposite_if(negated: bool, outcome: Outcome) -> Outcome {
    match negated {
        true => Outcome { verdict: outcome.verdict.opposite(), ..outcome },
        false => outcome,
    }
}

/// The certificate of a proof, which is made of what was found as it is written, or of a list of all configurations, like
/// when it is checked again; or what is to be known where there is none. Nothing where there is nothing to certify.
pub fn certify(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    outcome: &Outcome,
    watch: &dyn Watch,
) -> Option<Result<Certificate, Note>> {
    if outcome.verdict != Verdict::Proved {
        return None;
    }
    // A run is evidence enough; two parts and the whole would be several certificates.
    let by_run = matches!(outcome.reason, Reason::OneRun { shows: false, .. });
    if by_run || check.kind == CheckKind::Noninterfering {
        return None;
    }
    let budget = watch.budget();
    let _here = budget.enter();
    let certifying = Certifying { checked, check, options, watch };
    let mut made = match outcome.reason {
        // What is left out may have no end.
        Reason::Explored(extent) if extent.reduced && check.kind == CheckKind::Holds => {
            certifying.by_fixpoints().or_else(|why| certifying.by_list().map_err(|_| why))
        }
        Reason::Explored(_)
        | Reason::NeverHolds(_)
        | Reason::Composed { .. }
        | Reason::OneRun { .. } => certifying.by_list(),
        Reason::EverySize { .. } => certifying.by_sizes(),
        Reason::FixpointsFound { .. } => certifying.by_fixpoints(),
        Reason::InvariantFound { .. } if check.kind == CheckKind::Holds => {
            certifying.by_observer(&outcome.found)
        }
        Reason::PairsRelated { .. } | Reason::ComposedRelated { .. } => {
            certifying.by_pairs().or_else(|why| certifying.by_relation().map_err(|_| why))
        }
        _ if outcome.found.is_empty() => return None,
        _ => certifying.by_found(&outcome.found),
    };
    let one_size = !matches!(outcome.reason, Reason::EverySize { .. });
    if made.is_err() && one_size && budget.spent().is_none() {
        made = certifying.by_another_proof().unwrap_or(made);
    }
    Some(match (made, budget.spent()) {
        (_, Some(spent)) => Err(Note::NoCertificate { why: spent.to_string() }),
        (Ok(certificate), None) => Ok(certificate),
        (Err(problem), None) => Err(Note::NoCertificate { why: problem.to_string() }),
    })
}

/// A proof that is to have a certificate.
struct Certifying<'a> {
    checked: &'a Checked,
    check: &'a CheckDef,
    options: &'a ModelOptions,
    watch: &'a dyn Watch,
}

impl Certifying<'_> {
    /// By the first of the texts of what was found that does.
    fn by_found(&self, found: &[Found]) -> Result<Certificate, NoCertificate> {
        let Certifying { checked, check, options, watch } = *self;
        let sources = Texts(&checked.sources);
        let mut made = Err(NoCertificate::NotUnderstood);
        for found in found {
            let basis = Basis {
                claim: claim(checked, check),
                settings: options.elaborate.set.texts(&checked.program),
                found: remake::renamed(&found.0, checked),
            };
            made = remake(&sources, &checked.root, &basis, options, true, watch);
            if made.is_ok() {
                break;
            }
        }
        made
    }

    /// By a relation between open automata, which the solver may find after all where configurations were compared.
    fn by_relation(&self) -> Result<Certificate, NoCertificate> {
        let Certifying { checked, check, options, watch } = *self;
        let outcome = compare::symbolic(checked, check, options, watch);
        match outcome.map(|outcome| outcome.found).unwrap_or_default() {
            found if found.is_empty() => Err(NoCertificate::PairsOnly),
            found => self.by_found(&found),
        }
    }

    /// By pairs of configurations.
    fn by_pairs(&self) -> Result<Certificate, NoCertificate> {
        let Certifying { checked, check, options, watch } = *self;
        let texts = pairs::listed(checked, check, options, watch)?;
        let settings = options.elaborate.set.texts(&checked.program);
        let claim = ClaimText { text: &claim(checked, check), settings: &settings };
        let mut lines = [0, 1, 2].map(|at| texts[at].lines().map(|line| Ok(line.to_owned())));
        let [first, second, pairs] = &mut lines;
        let texts = PairTexts { lists: [first, second], pairs };
        let sources = (&Texts(&checked.sources) as &dyn Sources, checked.root.as_str());
        remake_pairs(sources, &claim, (texts, false), options, watch)
    }

    /// By what stands for every size, and certificates of small ones.
    fn by_sizes(&self) -> Result<Certificate, NoCertificate> {
        let Certifying { checked, check, options, watch } = *self;
        let (text, parts) = sized::listed((checked, check), options, watch, |own, outcome| {
            certify(checked, check, own, outcome, watch)?.ok()
        })?;
        let settings = options.elaborate.set.texts(&checked.program);
        let claim = ClaimText { text: &claim(checked, check), settings: &settings };
        let sources = (&Texts(&checked.sources) as &dyn Sources, checked.root.as_str());
        let made = remake_sizes(sources, &claim, &text, options, watch)?;
        Ok(Certificate { parts, ..made })
    }

    /// By sets of configurations for the fixpoints of a formula.
    fn by_fixpoints(&self) -> Result<Certificate, NoCertificate> {
        let Certifying { checked, check, options, watch } = *self;
        let text = holds::fixpoints(checked, check, options, watch)?;
        self.of_fixpoints(&text)
    }

    /// By what always holds of the net and of an observer of a formula, as it was written when it was found.
    fn by_observer(&self, found: &[Found]) -> Result<Certificate, NoCertificate> {
        let text = found.first().ok_or(NoCertificate::NotUnderstood)?;
        self.of_fixpoints(&text.0)
    }

    fn of_fixpoints(&self, text: &str) -> Result<Certificate, NoCertificate> {
        let Certifying { checked, check, options, watch } = *self;
        let settings = options.elaborate.set.texts(&checked.program);
        let claim = ClaimText { text: &claim(checked, check), settings: &settings };
        let sources = (&Texts(&checked.sources) as &dyn Sources, checked.root.as_str());
        remake_fixpoints(sources, &claim, text, options, watch)
    }

    /// By all configurations.
    fn by_list(&self) -> Result<Certificate, NoCertificate> {
        let Certifying { checked, check, options, watch } = *self;
        let text = listing::listed(checked, check, options, watch)?;
        let settings = options.elaborate.set.texts(&checked.program);
        let claim = ClaimText { text: &claim(checked, check), settings: &settings };
        let mut lines = text.lines().map(|line| Ok(line.to_owned()));
        let sources = (&Texts(&checked.sources) as &dyn Sources, checked.root.as_str());
        remake_listed(sources, &claim, (&mut lines, Listing::New), options, watch)
    }

    /// By an invariant, where the proof itself has no certificate. Nothing where there is none.
    fn by_another_proof(&self) -> Option<Result<Certificate, NoCertificate>> {
        let Certifying { checked, check, options, watch } = *self;
        if check.invariant.is_some() || !check.kind.is_safety() {
            return None;
        }
        let outcome = engines::check(checked, check, options, &Induction::default(), watch).ok()?;
        let made = self.by_found(&outcome.found);
        made.is_ok().then_some(made)
    }
}

/// The text of a check, on one line. One that was asked in pieces is put together as it would be written.
pub fn claim(checked: &Checked, check: &CheckDef) -> String {
    let text = match check.kind.word() {
        word if is_in_pieces(checked, check) => pieces(checked, check, word),
        _ => checked.sources.text(check.span).to_owned(),
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_end_matches(';');
    // Whoever asks need not say that it is a check.
    match text.starts_with("check ") {
        true => text.to_owned(),
        false => format!("check {text}"),
    }
}

/// The text of the property of a check, as `--until` takes it.
pub fn property_text(checked: &Checked, check: &CheckDef) -> Option<String> {
    let counts = matches!(check.kind, CheckKind::Mutex | CheckKind::AtMost);
    let property = check.property.as_ref().filter(|_| !counts && !is_in_pieces(checked, check))?;
    if matches!(property.kind, ExprKind::Asserts) {
        return None;
    }
    let lines = checked.sources.text(property.span).lines();
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
    Some(in_parentheses(&words.join(" ")))
}

/// A text with the parentheses that stand around its first and its last part: they belong to no expression.
fn in_parentheses(text: &str) -> String {
    let (mut open, mut before) = (0_usize, 0_usize);
    for sign in text.chars() {
        match sign {
            '(' => open += 1,
            ')' if open == 0 => before += 1,
            ')' => open -= 1,
            _ => {}
        }
    }
    format!("{}{text}{}", "(".repeat(before), ")".repeat(open))
}

/// Whether there is no text with the whole check in it.
fn is_in_pieces(checked: &Checked, check: &CheckDef) -> bool {
    let file = checked.sources.file_of(check.span);
    file.is_some_and(|file| !file.span().contains(check.span))
}

fn pieces(checked: &Checked, check: &CheckDef, word: &str) -> String {
    let nets: Vec<&str> = check.nets.iter().map(|net| checked.sources.text(net.span)).collect();
    let tracking = check.tracking.as_ref().map_or_else(String::new, |holes| {
        let holes: Vec<&str> = holes.iter().map(|hole| hole.name.as_str()).collect();
        format!(" tracking {{ {} }}", holes.join(", "))
    });
    format!("check {word}({}){tracking}", nets.join(", "))
}

fn failed(failure: BuildFailure) -> Vec<Diagnostic> {
    match failure {
        BuildFailure::Problems(problems) => problems,
        BuildFailure::Errors | BuildFailure::Nothing | BuildFailure::Unknown(_) => Vec::new(),
    }
}

/// The automaton of what a check is about.
fn automaton(
    checked: &Checked,
    check: &CheckDef,
    instance: &Instance,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Arc<Generated>, Vec<Diagnostic>> {
    checked.automaton(Wanted::Instance(check, instance), options, watch).map_err(failed)
}

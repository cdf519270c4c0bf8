//! Claims about every size of a system, whichever way its sizes are named: by a constant (`any_size`), or by the rules of an
//! architecture.
//!
//! What all sizes have in common is a pattern, and the engine of `parametric` decides about it; it knows neither data nor texts.
//! Whatever it finds suspicious is searched as an instance, with its data, by whoever knows the instances ([`SizedInstances`]):
//! nothing is refuted but by such a search.

use thiserror::Error;

use super::{ModelOptions, any_size, unfoldings};
use crate::base::{Budget, Spent, Watch};
use crate::diagnostics::Diagnostic;
use crate::explore::EngineChoice;
use crate::model::Checked;
use crate::outcome::{
    Evidence, Note, Outcome, Reason, SizeInvariants, SizeModel, SizedBy, Verdict,
};
use crate::parametric::{
    CounterModel, InstanceFound, InstanceSearch, InvariantFamily, NoFormula, PatternGoal,
    PatternInstance, Profiles, SizesEngine, SizesLimits, SizesVerdict, SystemPattern, Unfolding,
    Unfoldings, WhyOpen, decide, in_words, instance_invariants, mona, profiles,
};
use crate::sema::program::{CheckDef, CheckKind};

/// What a bad situation in one size, or in none, says about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SizesClaim {
    kind: CheckKind,
}

impl SizesClaim {
    pub fn new(kind: CheckKind) -> SizesClaim {
        SizesClaim { kind }
    }

    /// Whether something is claimed to be reached in some size.
    pub fn is_reached(self) -> bool {
        self.kind == CheckKind::Reaches
    }

    /// Whether an outcome of one size settles it, whatever other sizes do.
    pub fn is_settled_by(self, outcome: &Outcome) -> bool {
        outcome.verdict == self.nowhere().opposite()
    }

    /// The verdict where nothing is found in any size.
    pub fn nowhere(self) -> Verdict {
        if self.is_reached() { Verdict::Refuted } else { Verdict::Proved }
    }
}

/// What all sizes have in common, and what is asked about them.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizesQuestion<'a> {
    pub claim: SizesClaim,
    pub pattern: &'a SystemPattern,
    pub profiles: &'a Profiles,
    /// What is bad.
    pub goal: &'a PatternGoal,
    /// The variables that the pattern does without.
    pub forgotten: &'a [String],
    /// How far the engine goes by itself. Unfoldings that it searches in order are given to [`SizedInstances::search`].
    pub limits: SizesLimits,
}

/// What a claim about every size rests on.
#[derive(Clone, Debug)]
pub(super) struct SizesRest {
    /// What all sizes have in common, and what is bad; nothing where there are few of them.
    pub pattern: Option<(SystemPattern, PatternGoal)>,
    /// Sizes that are no unfoldings of it, and have to be looked at by themselves: with what makes each.
    pub alone: Vec<ModelOptions>,
}

/// What a claim about every size rests on, whichever way sizes are named; nothing where it is about something else.
pub(super) fn rests(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Option<Result<SizesRest, String>>, Vec<Diagnostic>> {
    match unfoldings::rests(checked, check, options, watch)? {
        Some(rests) => Ok(Some(rests)),
        None => any_size::rests(checked, check, options, watch),
    }
}

/// Why there is no formula for MONA about a claim.
#[derive(Clone, Error, Debug)]
pub enum NoSizesFormula {
    /// A net cannot be made.
    #[error("a net cannot be made")]
    Problems(Vec<Diagnostic>),
    /// It is about one size.
    #[error("it is about nets whose size is known: there is no formula about every size of them")]
    OneSize,
    /// There are few sizes.
    #[error(
        "there are so few sizes that each is looked at by itself: there is no formula about every size"
    )]
    FewSizes,
    /// There is no pattern.
    #[error("there is no pattern of all sizes: {0}")]
    NoPattern(String),
    /// There is no formula.
    #[error(transparent)]
    NoFormula(#[from] NoFormula),
    /// The budget is spent.
    #[error("{0}")]
    Spent(Spent),
}

/// The formula that has a model if, and only if, invariants of some families do not show a claim about every size.
pub fn sizes_formula(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    families: &[InvariantFamily],
    watch: &dyn Watch,
) -> Result<String, NoSizesFormula> {
    let budget = watch.budget();
    let _here = budget.enter();
    let rests = rests(checked, check, options, watch).map_err(NoSizesFormula::Problems)?;
    let rests = rests.ok_or(NoSizesFormula::OneSize)?.map_err(NoSizesFormula::NoPattern)?;
    let (pattern, goal) = rests.pattern.ok_or(NoSizesFormula::FewSizes)?;
    let profiles = profiles(&pattern, &budget).map_err(NoSizesFormula::Spent)?;
    Ok(mona(&pattern, &profiles, &goal, families)?)
}

/// The instances of a pattern: who names them, and searches them with all their data.
pub(super) trait SizedInstances {
    /// By what sizes are named.
    fn sized_by(&self) -> SizedBy;

    /// Up to this size, each was looked at by itself, and nothing was found.
    fn searched(&self) -> Option<i64>;

    /// What is not known of an instance that has to be looked at by itself, in words.
    fn open(&self) -> Option<String>;

    /// Searches the instance that an unfolding is: an outcome that settles the claim, with the name of the instance among its
    /// notes.
    fn search(
        &mut self,
        unfolding: &Unfolding,
        instance: &PatternInstance,
        budget: &Budget,
    ) -> InstanceFound<Box<Outcome>>;

    /// Searches more instances, where the engine has not decided.
    fn more(&mut self) -> Option<Outcome>;

    /// What people call an instance: `n = 5`, `Ring<3>`.
    fn name_of(&self, unfolding: &Unfolding) -> String;

    /// What people call a component of an instance, by its place.
    fn component(&self, instance: &PatternInstance, place: usize) -> String;
}

/// How far to go, and who decides.
pub(super) fn limits(options: &ModelOptions) -> SizesLimits {
    let engine = match options.explore.engine {
        EngineChoice::Mona => options.mona.map(SizesEngine::Mona),
        _ => None,
    };
    SizesLimits { engine: engine.unwrap_or_default(), ..SizesLimits::default() }
}

/// Answers a question about every size.
pub(super) fn answered<I: SizedInstances>(
    question: &SizesQuestion<'_>,
    instances: &mut I,
    watch: &dyn Watch,
) -> Outcome {
    let SizesQuestion { pattern, profiles, goal, limits, .. } = *question;
    let mut searching = Searching(instances);
    let verdict = decide(pattern, profiles, goal, limits, &mut searching, watch);
    let mut outcome = match verdict {
        SizesVerdict::Refuted { run, .. } => return *run,
        SizesVerdict::Proved { families, .. } if instances.open().is_none() => {
            let labels = families.iter().map(|family| family.label().to_owned()).collect();
            let engine = match limits.engine {
                SizesEngine::Inclusion => "inclusion",
                SizesEngine::Mona(_) => "MONA",
            };
            let evidence = explained(question, &families, instances, &watch.budget());
            let outcome = proved(question.claim, instances, (labels, Some(engine)));
            Outcome { evidence, ..outcome }
        }
        SizesVerdict::Proved { .. } | SizesVerdict::Empty => unknown(instances, None, None),
        SizesVerdict::Unknown { model, why, .. } => {
            if let Some(outcome) = instances.more() {
                return outcome;
            }
            // That the time is up is said of the whole check.
            let is_up = watch.budget().spent().is_some();
            let is_told = |why: &WhyOpen| !is_up || !matches!(why, WhyOpen::Spent(_));
            let why = why.iter().find(|(_, why)| is_told(why)).map(|(_, why)| why.to_string());
            let model = model.map(|model| told_model(question, instances, &model));
            unknown(instances, model, why)
        }
    };
    if !question.forgotten.is_empty() {
        outcome.notes.push(Note::Forgotten { variables: question.forgotten.to_vec() });
    }
    outcome
}

/// So many sizes are explained, and so many components are in the largest of them.
const MOST_EXPLAINED: usize = 3;
const MOST_COMPONENTS: usize = 24;

/// How much work explaining may be.
const EXPLAINING: u64 = 300_000;

/// What invariants say in the smallest unfoldings; nothing where that is too much to tell.
fn explained(
    question: &SizesQuestion<'_>,
    families: &[InvariantFamily],
    instances: &impl SizedInstances,
    budget: &Budget,
) -> Evidence {
    let SizesQuestion { pattern, profiles, goal, .. } = *question;
    let budget = budget.part_of_work(EXPLAINING);
    let mut unfoldings = Unfoldings::new(profiles, MOST_EXPLAINED);
    let mut told = Vec::new();
    for size in 0..=MOST_COMPONENTS {
        for unfolding in unfoldings.of_size(size, &budget) {
            if told.len() == MOST_EXPLAINED || budget.is_spent() {
                break;
            }
            let instance = PatternInstance::of(pattern, profiles, &unfolding);
            let found = instance_invariants(pattern, &instance, goal, families, &budget);
            // Larger ones are not explained either.
            let Some(found) = found.filter(|_| budget.spent().is_none()) else {
                return told_sizes(told);
            };
            let name = |place: usize| instances.component(&instance, place);
            let invariants = in_words(pattern, &instance, &found, name);
            told.push(SizeInvariants { instance: instances.name_of(&unfolding), invariants });
        }
    }
    told_sizes(told)
}

fn told_sizes(instances: Vec<SizeInvariants>) -> Evidence {
    if instances.is_empty() { Evidence::None } else { Evidence::Sizes { instances } }
}

/// Nothing was found in any size, and this is why there is nothing.
pub(super) fn proved(
    claim: SizesClaim,
    instances: &impl SizedInstances,
    (invariants, engine): (Vec<String>, Option<&str>),
) -> Outcome {
    let of = instances.sized_by();
    let reason = Reason::EverySize {
        sizes: if of.has_end() { "some" } else { "all" }.to_owned(),
        of: Box::new(of),
        searched: instances.searched(),
        invariants,
        engine: engine.map(str::to_owned),
        never: claim.is_reached(),
    };
    Outcome::new(claim.nowhere(), reason)
}

/// It is not known: of an instance that has to be looked at by itself, or because of a situation that nothing excludes.
pub(super) fn unknown(
    instances: &impl SizedInstances,
    model: Option<SizeModel>,
    why: Option<String>,
) -> Outcome {
    let why = instances.open().or(why);
    let (of, fine) = (Box::new(instances.sized_by()), instances.searched());
    let model = model.map(Box::new);
    Outcome::unknown(Reason::NotEverySize { of, why, fine, model })
}

/// A situation that no invariant excludes.
fn told_model(
    question: &SizesQuestion<'_>,
    instances: &impl SizedInstances,
    model: &CounterModel,
) -> SizeModel {
    let SizesQuestion { pattern, profiles, .. } = *question;
    let instance = PatternInstance::of(pattern, profiles, &model.unfolding);
    let states = instance.components.iter().zip(&model.situation);
    let each = states.enumerate().map(|(place, (one, state))| {
        let state = &pattern.types[one.of].states[*state].label;
        format!("{} in {state}", instances.component(&instance, place))
    });
    let components = each.collect();
    SizeModel { instance: instances.name_of(&model.unfolding), components }
}

/// Searches instances for the engine.
struct Searching<'s, I>(&'s mut I);

impl<I: SizedInstances> InstanceSearch for Searching<'_, I> {
    type Run = Box<Outcome>;

    fn search(
        &mut self,
        unfolding: &Unfolding,
        instance: &PatternInstance,
        budget: &Budget,
    ) -> InstanceFound<Box<Outcome>> {
        self.0.search(unfolding, instance, budget)
    }
}

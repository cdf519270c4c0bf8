//! Proofs for every size, written down: the entries that stand for all trees of rules, and which sizes have to be looked at by
//! themselves. Those have certificates of their own, where they can.
//!
//! Nothing of it is believed: the pattern is made again from the model, and each rule is applied to all entries once more, by a
//! naive evaluator (`parametric::recheck`).

use serde::{Deserialize, Serialize};

use super::every_size::{SizesRest, rests};
use super::refusal::NoCertificate;
use super::remake::Remade;
use super::{ModelOptions, judged};
use crate::base::{Budget, Watch};
use crate::model::Checked;
use crate::outcome::Reason;
use crate::parametric::{
    InstanceFound, InstanceSearch, InvariantFamily, PatternGoal, PatternInstance, SizesCertificate,
    SizesLimits, SizesVerdict, SystemPattern, Unfolding, certificate, decide, mona, profiles,
    recheck,
};
use crate::sema::program::CheckDef;

/// The form of the file.
const VERSION: u32 = 1;

/// The file: a proof for every size.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct SizesFile {
    version: u32,
    /// Sizes that have to be looked at by themselves.
    alone: Vec<SizeAlone>,
    /// The proof for all others; nothing where there are none.
    others: Option<SizesCertificate>,
}

/// A size that is looked at by itself.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct SizeAlone {
    /// What is set: `n=2`, and all else that is set.
    pub set: Vec<String>,
    /// The folder with the certificate; nothing where it has none.
    pub certificate: Option<String>,
}

/// The sizes that a file says are looked at by themselves.
pub fn sizes_alone(text: &str) -> Result<Vec<SizeAlone>, NoCertificate> {
    read(text).map(|file| file.alone)
}

fn read(text: &str) -> Result<SizesFile, NoCertificate> {
    let file: SizesFile = serde_json::from_str(text)
        .map_err(|problem| NoCertificate::Sizes(format!("it cannot be read: {problem}")))?;
    match file.version {
        VERSION => Ok(file),
        other => {
            Err(NoCertificate::Sizes(format!("it has version {other}, and this is {VERSION}")))
        }
    }
}

fn written(file: &SizesFile) -> String {
    let text = serde_json::to_string_pretty(file).unwrap_or_default();
    text + "\n"
}

/// What a claim rests on, or why it is none about every size.
fn rest(
    (checked, check): (&Checked, &CheckDef),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<SizesRest, NoCertificate> {
    let rests = rests(checked, check, options, watch);
    let rests = rests.ok().flatten().ok_or(NoCertificate::NoObligations)?;
    rests.map_err(|why| NoCertificate::Sizes(format!("there is no pattern of all sizes: {why}")))
}

/// The proof that a claim holds in every size, with the certificates of the sizes that `certify` has one for.
pub(super) fn listed<C>(
    (checked, check): (&Checked, &CheckDef),
    options: &ModelOptions,
    watch: &dyn Watch,
    mut certify: impl FnMut(&ModelOptions, &crate::outcome::Outcome) -> Option<C>,
) -> Result<(String, Vec<(String, C)>), NoCertificate> {
    let rests = rest((checked, check), options, watch)?;
    let others = match &rests.pattern {
        None => None,
        Some((pattern, goal)) => Some(proof(pattern, goal, watch)?),
    };
    let (mut alone, mut parts) = (Vec::new(), Vec::new());
    for (number, options) in rests.alone.iter().enumerate() {
        let set = options.elaborate.set.texts(&checked.program);
        let outcome = judged(checked, check, options, watch).ok();
        let found = outcome.and_then(|outcome| certify(options, &outcome));
        let name = found.as_ref().map(|_| format!("alone-{:03}", number + 1));
        parts.extend(name.clone().zip(found));
        alone.push(SizeAlone { set, certificate: name });
    }
    Ok((written(&SizesFile { version: VERSION, alone, others }), parts))
}

/// The proof for all sizes of a pattern.
fn proof(
    pattern: &SystemPattern,
    goal: &PatternGoal,
    watch: &dyn Watch,
) -> Result<SizesCertificate, NoCertificate> {
    let stopped = || NoCertificate::from(Reason::Stopped);
    let profiles = profiles(pattern, &watch.budget()).map_err(|_| stopped())?;
    let limits = SizesLimits { first: 0, last: 0, ..SizesLimits::default() };
    match decide(pattern, &profiles, goal, limits, &mut Nobody, watch) {
        SizesVerdict::Proved { families, saturated: Some(saturated) } => {
            Ok(certificate(pattern, &profiles, goal, &families, &saturated))
        }
        _ => Err(NoCertificate::Sizes("it is not proved by invariants once more".to_owned())),
    }
}

/// Nobody searches instances: this was done when it was proved.
struct Nobody;

impl InstanceSearch for Nobody {
    type Run = ();

    fn search(&mut self, _: &Unfolding, _: &PatternInstance, _: &Budget) -> InstanceFound<()> {
        InstanceFound::Open
    }
}

/// What a proof for every size rests on, made from its text; or why it is none.
pub(super) fn remade(
    (checked, check): (&Checked, &CheckDef),
    text: &str,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Remade, NoCertificate> {
    let file = read(text)?;
    let rests = rest((checked, check), options, watch)?;
    let sets = rests.alone.iter().map(|one| one.elaborate.set.texts(&checked.program));
    if !sets.eq(file.alone.iter().map(|one| one.set.clone())) {
        let why = "the sizes that it lists are not those to be looked at by themselves";
        return Err(NoCertificate::Sizes(why.to_owned()));
    }
    let formula = match (&rests.pattern, &file.others) {
        (None, None) => None,
        (Some((pattern, goal)), Some(others)) => {
            recheck(pattern, goal, others, &watch.budget())
                .map_err(|why| NoCertificate::Sizes(why.to_string()))?;
            formula(pattern, goal, others, watch)
        }
        _ => return Err(NoCertificate::Sizes("it is about other sizes".to_owned())),
    };
    Ok(Remade::of_sizes(formula, written(&file)))
}

/// The formula that MONA is to find without a model, where it can be said.
fn formula(
    pattern: &SystemPattern,
    goal: &PatternGoal,
    others: &SizesCertificate,
    watch: &dyn Watch,
) -> Option<String> {
    let is_used =
        |family: &InvariantFamily| others.families.iter().any(|one| one == family.label());
    let families: Vec<InvariantFamily> = InvariantFamily::ALL.into_iter().filter(is_used).collect();
    let profiles = profiles(pattern, &watch.budget()).ok()?;
    mona(pattern, &profiles, goal, &families).ok()
}

//! What to try, and in which order, to decide a goal for every unfolding.
//!
//! First small instances, then one family of invariants after the other, then all together; whatever is not excluded is searched
//! as an instance. Where components have many states, few sets of them are counted before all are. At last larger instances, until the
//! budget is spent. How much each stage may do is counted in steps, so that answers do not depend on the machine.

use super::few::WhichSets;
use super::inclusion::{CounterModel, Included, InclusionLimits, Saturated, WhyOpen, included};
use super::mona::mona;
use super::oracle::{MonaAnswer, MonaProgram, mona_answer};
use super::pattern::{PatternGoal, SystemPattern};
use super::profile::Profiles;
use super::search::{InstanceRun, Searched, search};
use super::unfold::{PatternInstance, Unfolding, Unfoldings};
use super::values::InvariantFamily;
use crate::base::{Budget, Watch};

/// Who decides whether invariants of some families exclude all that is bad.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SizesEngine {
    /// The inclusion of tree automata.
    #[default]
    Inclusion,
    /// MONA, by the published formula.
    Mona(MonaProgram),
}

/// Where a component has more states, few sets of them are counted first.
const WIDE: usize = 6;

/// How much work this may be for each family: little, since all sets may still do.
const FEW_STEPS: u64 = 2_000_000;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct SizesLimits {
    /// Who decides.
    pub engine: SizesEngine,
    /// Instances with up to so many components are searched before anything else.
    pub first: usize,
    /// Instances with up to so many components are searched at last.
    pub last: usize,
    /// How many unfoldings of one size are looked at.
    pub unfoldings: usize,
    /// How much each stage may do.
    pub stage: InclusionLimits,
}

impl Default for SizesLimits {
    fn default() -> Self {
        let (engine, stage) = (SizesEngine::default(), InclusionLimits::default());
        SizesLimits { engine, first: 4, last: 12, unfoldings: 1000, stage }
    }
}

/// What is known of an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InstanceFound<R> {
    /// Something bad happens: a run.
    Bad(R),
    /// Nothing bad happens.
    Safe,
    /// Nobody knows.
    Open,
}

/// Who searches instances: with all that the pattern has forgotten, where there is such a thing.
pub trait InstanceSearch {
    /// What shows that something bad happens.
    type Run;

    /// Searches an unfolding.
    fn search(
        &mut self,
        unfolding: &Unfolding,
        instance: &PatternInstance,
        budget: &Budget,
    ) -> InstanceFound<Self::Run>;
}

/// Searches instances of patterns that have forgotten nothing, one situation after the other.
#[derive(Clone, Copy, Debug)]
pub struct PlainSearch<'p> {
    /// The pattern.
    pub pattern: &'p SystemPattern,
    /// What is bad.
    pub goal: &'p PatternGoal,
    /// How many situations of an instance are looked at.
    pub most: usize,
}

impl InstanceSearch for PlainSearch<'_> {
    type Run = InstanceRun;

    fn search(
        &mut self,
        _unfolding: &Unfolding,
        instance: &PatternInstance,
        budget: &Budget,
    ) -> InstanceFound<InstanceRun> {
        match search(self.pattern, instance, self.goal, self.most, budget) {
            Searched::Bad(run) if self.pattern.is_exact() => InstanceFound::Bad(run),
            Searched::Safe(_) => InstanceFound::Safe,
            Searched::Bad(_) | Searched::Unfinished(_) => InstanceFound::Open,
        }
    }
}

/// What was decided.
#[derive(Debug)]
pub enum SizesVerdict<'p, R> {
    /// It holds in every unfolding.
    Proved {
        /// By invariants of these families.
        families: Vec<InvariantFamily>,
        /// What shows it; nothing if MONA decided.
        saturated: Option<Box<Saturated<'p>>>,
    },
    /// It does not hold in this one.
    Refuted {
        /// Which.
        unfolding: Unfolding,
        /// The system that it is.
        instance: PatternInstance,
        /// What shows it.
        run: R,
    },
    /// Nobody knows.
    Unknown {
        /// A situation that no invariant excludes, smallest family first.
        model: Option<CounterModel>,
        /// Every unfolding with at most so many components is fine.
        fine: Option<usize>,
        /// Why stages ended without an answer.
        why: Vec<(Vec<InvariantFamily>, WhyOpen)>,
    },
    /// There are no unfoldings.
    Empty,
}

/// Decides whether nothing bad happens in any unfolding of a pattern.
pub fn decide<'p, S: InstanceSearch>(
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    goal: &'p PatternGoal,
    limits: SizesLimits,
    searcher: &mut S,
    watch: &dyn Watch,
) -> SizesVerdict<'p, S::Run> {
    if profiles.start.is_none() {
        return SizesVerdict::Empty;
    }
    let unfoldings = Unfoldings::new(profiles, limits.unfoldings);
    let mut deciding = Deciding {
        pattern,
        profiles,
        goal,
        limits,
        searcher,
        watch,
        budget: watch.budget(),
        unfoldings,
        sizes: 0,
        is_fine: true,
        model: None,
        why: Vec::new(),
    };
    deciding.run()
}

/// Why a stage has not proved anything.
enum Open {
    /// A situation is not excluded, which may not be known.
    Model(Option<CounterModel>),
    /// Nobody knows.
    GaveUp(WhyOpen),
}

struct Deciding<'p, 's, S> {
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    goal: &'p PatternGoal,
    limits: SizesLimits,
    searcher: &'s mut S,
    watch: &'s dyn Watch,
    budget: Budget,
    unfoldings: Unfoldings<'p>,
    /// The sizes that were searched, and whether all of them are fine.
    sizes: usize,
    is_fine: bool,
    model: Option<CounterModel>,
    why: Vec<(Vec<InvariantFamily>, WhyOpen)>,
}

impl<'p, S: InstanceSearch> Deciding<'p, '_, S> {
    fn run(&mut self) -> SizesVerdict<'p, S::Run> {
        if let Some(verdict) = self.instances(self.limits.first) {
            return verdict;
        }
        for (families, sets) in self.stages() {
            self.watch.searching(&label(&families), 0);
            let verdict = match sets {
                WhichSets::All => self.stage(families),
                WhichSets::Few => self.few(families),
            };
            if let Some(verdict) = verdict {
                return verdict;
            }
        }
        if let Some(verdict) = self.instances(self.limits.last) {
            return verdict;
        }
        let fine = self.sizes.checked_sub(1).filter(|_| self.is_fine);
        SizesVerdict::Unknown { model: self.model.take(), fine, why: std::mem::take(&mut self.why) }
    }

    /// One family after the other, then all. Going through all sets of many states is much work: where traps do not do, few are
    /// counted before that.
    fn stages(&self) -> Vec<(Vec<InvariantFamily>, WhichSets)> {
        let is_said = |family: &InvariantFamily| match self.limits.engine {
            SizesEngine::Inclusion => true,
            SizesEngine::Mona(_) => *family != InvariantFamily::Flow,
        };
        let all: Vec<InvariantFamily> = InvariantFamily::ALL.into_iter().filter(is_said).collect();
        let mut stages: Vec<(Vec<InvariantFamily>, WhichSets)> =
            all.iter().map(|family| (vec![*family], WhichSets::All)).collect();
        stages.push((all, WhichSets::All));
        if self.is_wide() {
            let counted = [InvariantFamily::One, InvariantFamily::Flow];
            stages.splice(1..1, counted.map(|family| (vec![family], WhichSets::Few)));
        }
        stages
    }

    /// Whether a component has so many states that going through all sets of them can be much work.
    fn is_wide(&self) -> bool {
        let is_own = self.limits.engine == SizesEngine::Inclusion;
        is_own && self.pattern.types.iter().any(|of| of.states.len() > WIDE)
    }

    /// Tries some families with few sets. What these do not exclude, others may.
    fn few(&mut self, families: Vec<InvariantFamily>) -> Option<SizesVerdict<'p, S::Run>> {
        let steps = self.limits.stage.steps.min(FEW_STEPS);
        let limits = InclusionLimits { steps, sets: WhichSets::Few, ..self.limits.stage };
        let (pattern, profiles, goal) = (self.pattern, self.profiles, self.goal);
        if self.budget.is_spent() {
            return None;
        }
        match included(pattern, profiles, goal, &families, limits, &self.budget) {
            Included::Proved(saturated) => {
                Some(SizesVerdict::Proved { families, saturated: Some(saturated) })
            }
            Included::Model(model) => self.instance(&model.unfolding).ok(),
            Included::GaveUp(_) => None,
        }
    }

    /// Whether everything bad is excluded by some families.
    fn included(&self, families: &[InvariantFamily]) -> Result<Option<Box<Saturated<'p>>>, Open> {
        let (pattern, profiles, goal) = (self.pattern, self.profiles, self.goal);
        match self.limits.engine {
            SizesEngine::Inclusion => {
                match included(pattern, profiles, goal, families, self.limits.stage, &self.budget) {
                    Included::Proved(saturated) => Ok(Some(saturated)),
                    Included::Model(model) => Err(Open::Model(Some(model))),
                    Included::GaveUp(why) => Err(Open::GaveUp(why)),
                }
            }
            SizesEngine::Mona(MonaProgram(ask)) => {
                let formula = mona(pattern, profiles, goal, families)
                    .map_err(|why| Open::GaveUp(WhyOpen::Mona(why.to_string())))?;
                let said = ask(&formula, &self.budget);
                match (mona_answer(pattern, profiles, &said), self.budget.spent()) {
                    (_, Some(spent)) => Err(Open::GaveUp(WhyOpen::Spent(spent))),
                    (MonaAnswer::NoModel, None) => Ok(None),
                    (MonaAnswer::Model(model), None) => Err(Open::Model(model)),
                    (MonaAnswer::Failed(why), None) => Err(Open::GaveUp(WhyOpen::Mona(why))),
                }
            }
        }
    }

    fn stage(&mut self, mut families: Vec<InvariantFamily>) -> Option<SizesVerdict<'p, S::Run>> {
        if self.budget.is_spent() {
            return None;
        }
        // What cannot be made by itself cannot be made with others.
        let fails = |family: &InvariantFamily| {
            self.why
                .iter()
                .any(|(known, why)| known[..] == [*family] && matches!(why, WhyOpen::NotCounted(_)))
        };
        families.retain(|family| !fails(family));
        match self.included(&families) {
            Ok(saturated) => Some(SizesVerdict::Proved { families, saturated }),
            Err(Open::Model(None)) => None,
            Err(Open::Model(Some(model))) => {
                let found = self.instance(&model.unfolding);
                self.model.get_or_insert(model);
                found.ok()
            }
            Err(Open::GaveUp(why)) => {
                self.why.push((families, why));
                None
            }
        }
    }

    /// Searches all unfoldings with up to so many components that were not searched yet.
    fn instances(&mut self, up_to: usize) -> Option<SizesVerdict<'p, S::Run>> {
        while self.sizes <= up_to && !self.budget.is_spent() {
            for unfolding in self.unfoldings.of_size(self.sizes, &self.budget) {
                match self.instance(&unfolding) {
                    Ok(verdict) => return Some(verdict),
                    Err(is_fine) => self.is_fine &= is_fine,
                }
            }
            self.is_fine &= self.unfoldings.is_complete();
            self.sizes += 1;
        }
        None
    }

    /// Searches an unfolding: a verdict, or whether it is fine.
    fn instance(&mut self, unfolding: &Unfolding) -> Result<SizesVerdict<'p, S::Run>, bool> {
        let instance = PatternInstance::of(self.pattern, self.profiles, unfolding);
        match self.searcher.search(unfolding, &instance, &self.budget) {
            InstanceFound::Bad(run) => {
                Ok(SizesVerdict::Refuted { unfolding: unfolding.clone(), instance, run })
            }
            InstanceFound::Safe => Err(true),
            InstanceFound::Open => Err(false),
        }
    }
}

/// What people call some families.
pub fn label(families: &[InvariantFamily]) -> String {
    families.iter().map(|family| family.label()).collect::<Vec<_>>().join(", ")
}

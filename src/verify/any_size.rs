//! Checks of nets whose size is a symbolic constant: for every size at once.
//!
//! Sizes below those of the pattern are checked one after the other, like `--set n=2`; the others are decided by the pattern
//! (`every_size`).

use std::sync::Arc;

use num_bigint::BigInt;

use super::every_size::{self, SizedInstances, SizesClaim, SizesQuestion, SizesRest};
use super::explored::{self, Effort, Tried};
use super::{ModelOptions, failed, safety};
use crate::base::{Budget, Watch};
use crate::diagnostics::Diagnostic;
use crate::explore::EngineChoice;
use crate::families::problems::FamilyProblem;
use crate::families::{
    AnySize, FamilyQuestion, NotAnySize, SizeBounds, any_size, bounds, open_constants,
};
use crate::model::{BuildFailure, Checked, Wanted};
use crate::outcome::{Note, Outcome, Reason, SizedBy};
use crate::parametric::{
    InstanceFound, PatternInstance, Profiles, SizesLimits, Unfolding, profiles,
};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, ConstId, Instance};

/// The code of what is wrong with a net whose size is not known.
const NO_SIZE: &str = "E0101";

/// So many sizes of the pattern are searched before the engine is asked, and so many after it.
const SOME_SIZES: i64 = 2;
const MORE_SIZES: i64 = 5;

/// So many sizes are checked by themselves where there is an end of them.
const MOST_SIZES: i64 = 64;

/// What a search of one size may take.
const LITTLE: Effort = Effort { most_states: 50_000, most_transitions: 500_000, ..Effort::ALL };

/// Answers a check about a net whose size is a symbolic constant; nothing where it is about another.
pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Option<Outcome>, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else { return Ok(None) };
    let sizes = Sizes { checked, check, instance, options, watch };
    let Some((size, bounds)) = sizes.found() else { return Ok(None) };
    sizes.answered(size, bounds).map(Some)
}

/// What keeps a check from being answered for every size, with its places.
pub fn size_problems(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Vec<Diagnostic> {
    let [instance] = check.nets.as_slice() else { return Vec::new() };
    let sizes = Sizes { checked, check, instance, options, watch };
    let found = sizes.found().filter(|(_, bounds)| check.kind.is_safety() && bounds.most.is_none());
    let Some((size, bounds)) = found else { return Vec::new() };
    let problems = match sizes.any(size, bounds) {
        Ok(Ok(any)) => any.problems(),
        Ok(Err(why)) => why.problem().into_iter().collect(),
        Err(_) => Vec::new(),
    };
    problems.iter().map(FamilyProblem::diagnose).collect()
}

/// What a check about a net whose size is a symbolic constant rests on; nothing where it is about another.
pub(super) fn rests(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Option<Result<SizesRest, String>>, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else { return Ok(None) };
    let sizes = Sizes { checked, check, instance, options, watch };
    let Some((size, bounds)) = sizes.found() else { return Ok(None) };
    let few = last_of_few(bounds);
    let (pattern, end) = match few {
        Some(most) => (None, most + 1),
        None => match sizes.any(size, bounds)? {
            Ok(any) => (Some((any.pattern, any.goal)), any.from),
            Err(why) => return Ok(Some(Err(sizes.told(&why)))),
        },
    };
    let alone = (bounds.least..end).map(|value| sizes.with(size, value)).collect();
    Ok(Some(Ok(SizesRest { pattern, alone })))
}

/// The largest size, where there are so few that each is checked by itself.
fn last_of_few(bounds: SizeBounds) -> Option<i64> {
    bounds.most.filter(|most| most - bounds.least < MOST_SIZES)
}

/// A check about a net of any size.
#[derive(Clone, Copy)]
struct Sizes<'a> {
    checked: &'a Checked,
    check: &'a CheckDef,
    instance: &'a Instance,
    options: &'a ModelOptions,
    watch: &'a dyn Watch,
}

impl<'a> Sizes<'a> {
    /// The constant that is the size, with what is known of it. Nothing where the net has a size, where more than one constant
    /// is missing, or where there is no smallest size.
    fn found(&self) -> Option<(ConstId, SizeBounds)> {
        let program = &self.checked.program;
        let open = open_constants(program, &self.options.elaborate.set);
        if open.is_empty() || !self.lacks_size(self.options) {
            return None;
        }
        let known = open.into_iter().filter_map(|size| Some((size, bounds(program, size)?)));
        let mut known = known.filter(|(_, bounds)| bounds.least >= 0);
        known.find(|(size, bounds)| !self.lacks_size(&self.with(*size, bounds.least)))
    }

    /// Whether a net cannot be made because nothing says how large a family is.
    fn lacks_size(&self, options: &ModelOptions) -> bool {
        let made =
            self.checked.net(Wanted::Instance(self.check, self.instance), &options.elaborate);
        matches!(made, Err(BuildFailure::Problems(problems))
            if problems.iter().any(|problem| problem.entry.code == NO_SIZE))
    }

    /// The options with a size.
    fn with(&self, size: ConstId, value: i64) -> ModelOptions {
        let mut options = self.options.clone();
        options.explore.engine = EngineChoice::Auto;
        options.elaborate.set.insert(size, BigInt::from(value));
        options
    }

    fn net(&self, size: ConstId, value: i64) -> Result<Arc<PNet>, Vec<Diagnostic>> {
        let options = self.with(size, value);
        let wanted = Wanted::Instance(self.check, self.instance);
        self.checked.net(wanted, &options.elaborate).map_err(failed)
    }

    fn answered(&self, size: ConstId, bounds: SizeBounds) -> Result<Outcome, Vec<Diagnostic>> {
        let mut of = OfSize { sizes: *self, size, bounds, fine: None, open: Vec::new() };
        if let Some(most) = last_of_few(bounds) {
            return of.up_to(most);
        }
        // What is wrong in small sizes is found before large ones are made.
        if let Some(outcome) = of.searched(bounds.least..bounds.least + SOME_SIZES) {
            return Ok(outcome);
        }
        match self.any(size, bounds)? {
            Ok(any) => of.by_pattern(&any),
            Err(NotAnySize::Stopped) => Ok(Outcome::unknown(Reason::Stopped)),
            Err(why) => of.without_pattern(&why),
        }
    }

    /// All sizes as a pattern.
    fn any(
        &self,
        size: ConstId,
        bounds: SizeBounds,
    ) -> Result<Result<AnySize, NotAnySize>, Vec<Diagnostic>> {
        let question = FamilyQuestion {
            program: &self.checked.program,
            set: &self.options.elaborate.set,
            size,
            bounds,
            check: self.check,
            instance: self.instance,
        };
        any_size(question, |value| self.net(size, value))
    }

    /// Why there is no pattern, in words.
    fn told(&self, why: &NotAnySize) -> String {
        let NotAnySize::Outside(outside) = why else { return why.to_string() };
        let sources = &self.checked.sources;
        let text = sources.text(outside.span).split_whitespace().collect::<Vec<_>>().join(" ");
        let file = sources.file_of(outside.span);
        let line = file.map(|file| file.position(outside.span.start).line);
        let line = line.map_or_else(String::new, |line| format!(" in line {line}"));
        format!("`{text}`{line} is of no form that all sizes are known to share: {why}")
    }
}

/// A check about a net of any size, with what was found so far.
struct OfSize<'a> {
    sizes: Sizes<'a>,
    size: ConstId,
    bounds: SizeBounds,
    /// Up to this size, all are fine.
    fine: Option<i64>,
    /// What is not known of sizes that have to be checked by themselves.
    open: Vec<(i64, Reason)>,
}

impl OfSize<'_> {
    fn constant(&self) -> String {
        self.sizes.checked.program.consts[self.size.index()].named.name.to_string()
    }

    fn claim(&self) -> SizesClaim {
        SizesClaim::new(self.sizes.check.kind)
    }

    /// The outcome of a size, if it settles the check.
    fn settled(&mut self, value: i64, outcome: Outcome) -> Option<Outcome> {
        if self.claim().is_settled_by(&outcome) {
            return Some(self.told(value, outcome));
        }
        let next = self.fine.map_or(self.bounds.least, |fine| fine + 1);
        if outcome.verdict == self.claim().nowhere() {
            self.fine = if next == value { Some(value) } else { self.fine };
        } else {
            self.open.push((value, outcome.reason));
        }
        None
    }

    /// An outcome of one size, with the size.
    fn told(&self, value: i64, mut outcome: Outcome) -> Outcome {
        let options = self.sizes.with(self.size, value);
        let set = options.elaborate.set.texts(&self.sizes.checked.program);
        outcome.notes.insert(0, Note::Instance { set });
        outcome.found.clear();
        outcome
    }

    /// Checks a size by itself, with all that there is.
    fn whole(&mut self, value: i64) -> Result<Option<Outcome>, Vec<Diagnostic>> {
        let options = self.sizes.with(self.size, value);
        let Sizes { checked, check, watch, .. } = self.sizes;
        let outcome = safety::check(checked, check, &options, watch)?;
        Ok(self.settled(value, outcome))
    }

    /// Searches a size, as far as that is quick.
    fn quickly(&mut self, value: i64) -> Option<Outcome> {
        let options = self.sizes.with(self.size, value);
        let Sizes { checked, check, watch, .. } = self.sizes;
        match explored::check(checked, check, &options, LITTLE, watch) {
            Ok(Tried::Settled(outcome)) => {
                let open = self.open.len();
                let found = self.settled(value, outcome);
                self.open.truncate(open);
                found
            }
            Ok(Tried::Open(_)) | Err(_) => None,
        }
    }

    fn is_spent(&self) -> bool {
        self.sizes.watch.budget().is_spent()
    }

    /// All sizes, one by one.
    fn up_to(&mut self, most: i64) -> Result<Outcome, Vec<Diagnostic>> {
        for value in self.bounds.least..=most {
            if let Some(outcome) = self.whole(value)? {
                return Ok(outcome);
            }
        }
        let of = Instances { of: self, any: None };
        Ok(match of.open().is_none() && !of.of.is_spent() {
            true => every_size::proved(of.of.claim(), &of, (Vec::new(), None)),
            false => every_size::unknown(&of, None, None),
        })
    }

    /// Searches sizes, one after the other, as far as that is quick.
    fn searched(&mut self, mut sizes: std::ops::Range<i64>) -> Option<Outcome> {
        sizes.find_map(|value| if self.is_spent() { None } else { self.quickly(value) })
    }

    /// Where there is no pattern, sizes can only be searched.
    fn without_pattern(&mut self, why: &NotAnySize) -> Result<Outcome, Vec<Diagnostic>> {
        let first = self.bounds.least + SOME_SIZES;
        if let Some(outcome) = self.searched(first..first + MORE_SIZES) {
            return Ok(outcome);
        }
        let told = self.sizes.told(why);
        Ok(every_size::unknown(&Instances { of: self, any: None }, None, Some(told)))
    }

    fn by_pattern(&mut self, any: &AnySize) -> Result<Outcome, Vec<Diagnostic>> {
        for value in self.bounds.least..any.from {
            if let Some(outcome) = self.whole(value)? {
                return Ok(outcome);
            }
        }
        let first = any.from.max(self.bounds.least + SOME_SIZES);
        if let Some(outcome) = self.searched(first..any.from + SOME_SIZES) {
            return Ok(outcome);
        }
        let watch = self.sizes.watch;
        let Ok(profiles) = profiles(&any.pattern, &watch.budget()) else {
            return Ok(Outcome::unknown(Reason::Stopped));
        };
        let forgotten: Vec<String> = any.forgotten.iter().map(|one| one.path.clone()).collect();
        let question = SizesQuestion {
            claim: self.claim(),
            pattern: &any.pattern,
            profiles: &profiles,
            goal: &any.goal,
            forgotten: &forgotten,
            limits: SizesLimits { first: 0, last: 0, ..every_size::limits(self.sizes.options) },
        };
        let any = Some((any, &profiles));
        Ok(every_size::answered(&question, &mut Instances { of: self, any }, watch))
    }
}

/// The sizes as instances of a pattern, if there is one.
struct Instances<'s, 'a> {
    of: &'s mut OfSize<'a>,
    any: Option<(&'s AnySize, &'s Profiles)>,
}

impl SizedInstances for Instances<'_, '_> {
    fn sized_by(&self) -> SizedBy {
        let SizeBounds { least, most } = self.of.bounds;
        // What a pattern shows does not depend on where sizes end.
        let to = most.filter(|_| self.any.is_none());
        SizedBy::Constant { name: self.of.constant(), from: least, to }
    }

    fn searched(&self) -> Option<i64> {
        self.of.fine
    }

    fn open(&self) -> Option<String> {
        let (value, reason) = self.of.open.first()?;
        let told = crate::emit::outcome::reason(reason);
        Some(format!("of `{} = {value}` it is not known: {told}", self.of.constant()))
    }

    fn search(
        &mut self,
        unfolding: &Unfolding,
        _instance: &PatternInstance,
        _budget: &Budget,
    ) -> InstanceFound<Box<Outcome>> {
        let size = self.any.map(|(any, profiles)| (any.size_of(unfolding, profiles), any.from));
        let size = size.filter(|(value, from)| value >= from);
        let found = size.and_then(|(value, _)| self.of.quickly(value));
        found.map_or(InstanceFound::Open, |outcome| InstanceFound::Bad(Box::new(outcome)))
    }

    fn more(&mut self) -> Option<Outcome> {
        let (any, _) = self.any?;
        (any.from + SOME_SIZES..any.from + MORE_SIZES).find_map(|value| self.of.quickly(value))
    }

    fn name_of(&self, unfolding: &Unfolding) -> String {
        let size = self.any.map_or(0, |(any, profiles)| any.size_of(unfolding, profiles));
        format!("{} = {size}", self.of.constant())
    }

    fn component(&self, instance: &PatternInstance, place: usize) -> String {
        let one = &instance.components[place];
        self.any.map_or_else(|| one.short.clone(), |(any, _)| any.name_of(one))
    }
}

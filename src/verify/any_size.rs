//! Checks of nets whose size is a symbolic constant: for every size at once. There may be several such constants.
//!
//! Sizes below those of the pattern are checked one after the other, like `--set n=2`; the others are decided by the pattern
//! (`every_size`). Where there are several constants, what is left with `--set n=2` is again a check of every size.

use std::sync::Arc;

use itertools::Itertools;
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
use crate::outcome::{Note, OneSize, Outcome, Reason, SizedBy};
use crate::parametric::{
    InstanceFound, PatternInstance, Profiles, SizesLimits, Unfolding, profiles,
};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, ConstId, Instance};

/// The code of what is wrong with a net whose size is not known.
const NO_SIZE: &str = "E0101";

/// The code of values that the axioms do not allow.
const NOT_ALLOWED: &str = "E0122";

/// So many sizes of the pattern are searched before the engine is asked, and so many after it; of several constants, those
/// that are together so much larger than the smallest.
const SOME_SIZES: i64 = 2;
const MORE_SIZES: i64 = 5;

/// So many sizes are checked by themselves where there is an end of them.
const MOST_SIZES: i64 = 64;

/// So far sizes are looked for that the axioms allow, where they are not only compared.
const MOST_GAPS: i64 = 100;

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
    match sizes.found() {
        Some(found) => sizes.answered(&found).map(Some),
        None => Ok(None),
    }
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
    let found = sizes.found().filter(|found| check.kind.is_safety() && !found.has_end());
    let Some(found) = found else { return Vec::new() };
    let problems = match sizes.any(&found) {
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
    let Some(found) = sizes.found() else { return Ok(None) };
    if let Some((size, most)) = found.few() {
        let all = (found.bounds[size].least..=most).map(|value| (size, value));
        let all = all.filter(|(size, value)| sizes.allows(&found, &[*size], &[*value]));
        let alone = all.map(|(size, value)| sizes.with_one(found.constants[size], value));
        let alone = alone.collect();
        return Ok(Some(Ok(SizesRest { pattern: None, alone })));
    }
    let any = match sizes.any(&found)? {
        Ok(any) => any,
        Err(why) => return Ok(Some(Err(sizes.told(&why)))),
    };
    let mut alone = Vec::new();
    for (size, value) in found.below(&any.from) {
        if sizes.allows(&found, &[size], &[value]) {
            alone.push(sizes.with_one(found.constants[size], value));
        }
    }
    Ok(Some(Ok(SizesRest { pattern: Some((any.pattern, any.goal)), alone })))
}

/// The constants that sizes are, with what is known of them.
#[derive(Clone, Debug)]
struct SizesFound {
    constants: Vec<ConstId>,
    bounds: Vec<SizeBounds>,
}

impl SizesFound {
    fn least(&self) -> Vec<i64> {
        self.bounds.iter().map(|bounds| bounds.least).collect()
    }

    /// Whether the axioms leave no value of one of them.
    fn is_empty(&self) -> bool {
        self.bounds.iter().any(|bounds| bounds.most.is_some_and(|most| most < bounds.least))
    }

    /// Whether axioms say more of them than how large they are.
    fn has_gaps(&self) -> bool {
        self.bounds.iter().any(|bounds| bounds.has_gaps)
    }

    fn has_end(&self) -> bool {
        self.bounds.iter().any(|bounds| bounds.most.is_some())
    }

    /// One that has so few values that each is checked by itself, with the largest.
    fn few(&self) -> Option<(usize, i64)> {
        let few = |bounds: &SizeBounds| bounds.most.filter(|most| most - bounds.least < MOST_SIZES);
        self.bounds.iter().enumerate().find_map(|(size, bounds)| Some((size, few(bounds)?)))
    }

    /// The values of one of them that are below those of a pattern, with its number.
    fn below(&self, from: &[i64]) -> Vec<(usize, i64)> {
        let each = self.bounds.iter().zip(from).enumerate();
        let values = |(size, (bounds, from)): (usize, (&SizeBounds, &i64))| {
            (bounds.least..*from).map(move |value| (size, value))
        };
        each.flat_map(values).collect()
    }
}

/// Values that are together so much larger than these, in order.
fn larger(from: &[i64], more: i64) -> Vec<Vec<i64>> {
    let each = from.iter().map(|from| *from..=from + more);
    let sum = |values: &Vec<i64>| values.iter().sum::<i64>() - from.iter().sum::<i64>();
    each.multi_cartesian_product().filter(|values| sum(values) == more).collect()
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

impl Sizes<'_> {
    /// The constants that are the sizes. Nothing where the net has a size, or where there is a constant without a smallest value
    /// among them.
    fn found(&self) -> Option<SizesFound> {
        let program = &self.checked.program;
        let open = open_constants(program, &self.options.elaborate.set);
        if open.is_empty() || !self.lacks_size(self.options) {
            return None;
        }
        let known = open.into_iter().filter_map(|size| Some((size, bounds(program, size)?)));
        let known = known.filter(|(_, bounds)| bounds.least >= 0);
        let mut found: Vec<(ConstId, SizeBounds)> = known.collect();
        let lacks = |found: &[(ConstId, SizeBounds)]| {
            let mut options = self.options.clone();
            for (size, bounds) in found {
                options.elaborate.set.insert(*size, BigInt::from(bounds.least));
            }
            self.lacks_size(&options)
        };
        if lacks(&found) {
            return None;
        }
        for at in (0..found.len()).rev() {
            let mut without = found.clone();
            without.remove(at);
            if !lacks(&without) {
                found = without;
            }
        }
        let (constants, bounds) = found.into_iter().unzip();
        Some(SizesFound { constants, bounds })
    }

    /// Whether a net cannot be made because nothing says how large a family is.
    fn lacks_size(&self, options: &ModelOptions) -> bool {
        let made =
            self.checked.net(Wanted::Instance(self.check, self.instance), &options.elaborate);
        matches!(made, Err(BuildFailure::Problems(problems))
            if problems.iter().any(|problem| problem.entry.code == NO_SIZE))
    }

    /// Whether the axioms allow values of some of the sizes.
    fn allows(&self, found: &SizesFound, sizes: &[usize], values: &[i64]) -> bool {
        if !found.has_gaps() {
            return true;
        }
        let constants: Vec<ConstId> = sizes.iter().map(|size| found.constants[*size]).collect();
        let made = self.net(&constants, values);
        !made.is_err_and(|problems| problems.iter().any(|one| one.entry.code == NOT_ALLOWED))
    }

    /// Whether the axioms allow some sizes at all, as far as these are looked for.
    fn allows_some(&self, found: &SizesFound) -> bool {
        let all: Vec<usize> = (0..found.constants.len()).collect();
        let most = if all.len() == 1 { MOST_GAPS } else { SOME_SIZES + MORE_SIZES };
        let mut each = (0..most).flat_map(|more| larger(&found.least(), more));
        each.any(|values| self.allows(found, &all, &values) || self.watch.budget().is_spent())
    }

    /// The options with a size.
    fn with_one(&self, size: ConstId, value: i64) -> ModelOptions {
        self.with(&[size], &[value])
    }

    /// The options with sizes.
    fn with(&self, sizes: &[ConstId], values: &[i64]) -> ModelOptions {
        let mut options = self.options.clone();
        options.explore.engine = EngineChoice::Auto;
        for (size, value) in sizes.iter().zip(values) {
            options.elaborate.set.insert(*size, BigInt::from(*value));
        }
        options
    }

    fn net(&self, sizes: &[ConstId], values: &[i64]) -> Result<Arc<PNet>, Vec<Diagnostic>> {
        let options = self.with(sizes, values);
        let wanted = Wanted::Instance(self.check, self.instance);
        self.checked.unfolded(wanted, &options.elaborate).map_err(failed)
    }

    /// The same with connectors in one piece.
    fn net_in_pieces(
        &self,
        sizes: &[ConstId],
        values: &[i64],
    ) -> Result<Arc<PNet>, Vec<Diagnostic>> {
        let mut options = self.with(sizes, values);
        options.elaborate.most_unfolded = 1;
        self.checked
            .net(Wanted::Instance(self.check, self.instance), &options.elaborate)
            .map_err(failed)
    }

    /// The net of a size that the axioms do not allow.
    fn net_beyond(&self, sizes: &[ConstId], values: &[i64]) -> Result<Arc<PNet>, Vec<Diagnostic>> {
        let mut options = self.with(sizes, values);
        options.elaborate.most_unfolded = 1;
        let wanted = Wanted::Instance(self.check, self.instance);
        self.checked.beyond_axioms(wanted, &options.elaborate).map_err(failed)
    }

    fn answered(&self, found: &SizesFound) -> Result<Outcome, Vec<Diagnostic>> {
        let (fine, open) = (None, Vec::new());
        let mut of = OfSize { sizes: *self, found: found.clone(), fine, open };
        if found.is_empty() || !self.allows_some(found) {
            return Ok(Outcome::unknown(Reason::AxiomsContradict));
        }
        let mut outcome = of.answered()?;
        if found.has_gaps() && outcome.verdict == of.claim().nowhere() {
            outcome.notes.push(Note::SizesLeftOut);
        }
        Ok(outcome)
    }

    /// All sizes as a pattern.
    fn any(&self, found: &SizesFound) -> Result<Result<AnySize, NotAnySize>, Vec<Diagnostic>> {
        let question = FamilyQuestion {
            program: &self.checked.program,
            set: &self.options.elaborate.set,
            sizes: &found.constants,
            bounds: &found.bounds,
            check: self.check,
            instance: self.instance,
        };
        // What holds of more sizes than there are holds of those that there are.
        let all: Vec<usize> = (0..found.constants.len()).collect();
        any_size(question, |values, whole| match whole {
            _ if !self.allows(found, &all, values) => self.net_beyond(&found.constants, values),
            true => self.net_in_pieces(&found.constants, values),
            false => self.net(&found.constants, values),
        })
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
    found: SizesFound,
    /// Up to this size, all are fine; nothing where there are several constants.
    fine: Option<i64>,
    /// What is not known of sizes that have to be checked by themselves: of a constant with a value.
    open: Vec<(String, Reason)>,
}

impl OfSize<'_> {
    fn constant(&self, size: usize) -> String {
        let id = self.found.constants[size];
        self.sizes.checked.program.consts[id.index()].named.name.to_string()
    }

    /// `n = 2, m = 3`
    fn named(&self, values: &[i64]) -> String {
        let each = values.iter().enumerate();
        each.map(|(size, value)| format!("{} = {value}", self.constant(size))).join(", ")
    }

    /// How much larger sizes are searched than the smallest.
    fn some(&self) -> i64 {
        SOME_SIZES + self.found.constants.len() as i64 - 1
    }

    fn answered(&mut self) -> Result<Outcome, Vec<Diagnostic>> {
        if let Some((size, most)) = self.found.few() {
            return self.up_to(size, most);
        }
        // What is wrong in small sizes is found before large ones are made.
        let (least, some) = (self.found.least(), self.some());
        if let Some(outcome) = self.searched(&least, 0..some) {
            return Ok(outcome);
        }
        match self.sizes.any(&self.found)? {
            Ok(any) => self.by_pattern(&any),
            Err(NotAnySize::Stopped) => Ok(Outcome::unknown(Reason::Stopped)),
            Err(why) => self.without_pattern(&why),
        }
    }

    /// Whether the axioms allow values of all sizes.
    fn allows(&self, values: &[i64]) -> bool {
        let all: Vec<usize> = (0..self.found.constants.len()).collect();
        self.sizes.allows(&self.found, &all, values)
    }

    fn claim(&self) -> SizesClaim {
        SizesClaim::new(self.sizes.check.kind)
    }

    /// The outcome of a size, if it settles the check.
    fn settled(&mut self, options: &ModelOptions, outcome: Outcome) -> Option<Outcome> {
        self.claim().is_settled_by(&outcome).then(|| self.told(options, outcome))
    }

    /// Takes note of what is known of a size.
    fn noted(&mut self, values: &[i64], outcome: &Outcome) {
        if outcome.verdict == self.claim().nowhere() {
            self.left_out(values);
        }
    }

    /// Takes note that nothing is wrong with a size, or that the axioms do not allow it.
    fn left_out(&mut self, values: &[i64]) {
        let ([value], [bounds]) = (values, self.found.bounds.as_slice()) else { return };
        let next = self.fine.map_or(bounds.least, |fine| fine + 1);
        if next == *value {
            self.fine = Some(*value);
        }
    }

    /// An outcome of one size, with the size.
    fn told(&self, options: &ModelOptions, mut outcome: Outcome) -> Outcome {
        let set = options.elaborate.set.texts(&self.sizes.checked.program);
        // What is left of several sizes says which ones it is about.
        if !matches!(outcome.notes.first(), Some(Note::Instance { .. })) {
            outcome.notes.insert(0, Note::Instance { set });
        }
        outcome.found.clear();
        outcome
    }

    /// Checks a value of a size by itself, with all that there is.
    fn whole(&mut self, size: usize, value: i64) -> Result<Option<Outcome>, Vec<Diagnostic>> {
        if !self.sizes.allows(&self.found, &[size], &[value]) {
            self.left_out(&[value]);
            return Ok(None);
        }
        let options = self.sizes.with_one(self.found.constants[size], value);
        let Sizes { checked, check, watch, .. } = self.sizes;
        // With several sizes, there are others left.
        let outcome = match self::check(checked, check, &options, watch)? {
            Some(outcome) => outcome,
            None => safety::check(checked, check, &options, watch)?,
        };
        let nowhere = self.claim().nowhere();
        self.noted(&[value], &outcome);
        if outcome.verdict != nowhere && !self.claim().is_settled_by(&outcome) {
            let name = format!("{} = {value}", self.constant(size));
            self.open.push((name, outcome.reason.clone()));
        }
        Ok(self.settled(&options, outcome))
    }

    /// Searches sizes, as far as that is quick.
    fn quickly(&mut self, values: &[i64]) -> Option<Outcome> {
        if !self.allows(values) {
            self.left_out(values);
            return None;
        }
        let options = self.sizes.with(&self.found.constants, values);
        let Sizes { checked, check, watch, .. } = self.sizes;
        match explored::check(checked, check, &options, LITTLE, watch) {
            Ok(Tried::Settled(outcome)) => {
                self.noted(values, &outcome);
                self.settled(&options, outcome)
            }
            Ok(Tried::Open(_)) | Err(_) => None,
        }
    }

    fn is_spent(&self) -> bool {
        self.sizes.watch.budget().is_spent()
    }

    /// All values of a size, one by one.
    fn up_to(&mut self, size: usize, most: i64) -> Result<Outcome, Vec<Diagnostic>> {
        for value in self.found.bounds[size].least..=most {
            if let Some(outcome) = self.whole(size, value)? {
                return Ok(outcome);
            }
        }
        let of = Instances { of: self, any: None };
        Ok(match of.open().is_none() && !of.of.is_spent() {
            true => every_size::proved(of.of.claim(), &of, (Vec::new(), None)),
            false => every_size::unknown(&of, None, None),
        })
    }

    /// Searches sizes that are so much larger than these, one after the other, as far as that is quick.
    fn searched(&mut self, from: &[i64], more: std::ops::Range<i64>) -> Option<Outcome> {
        let mut sizes = more.flat_map(|more| larger(from, more));
        sizes.find_map(|values| if self.is_spent() { None } else { self.quickly(&values) })
    }

    /// Where there is no pattern, sizes can only be searched.
    fn without_pattern(&mut self, why: &NotAnySize) -> Result<Outcome, Vec<Diagnostic>> {
        let (least, some) = (self.found.least(), self.some());
        if let Some(outcome) = self.searched(&least, some..some + MORE_SIZES) {
            return Ok(outcome);
        }
        let told = self.sizes.told(why);
        Ok(every_size::unknown(&Instances { of: self, any: None }, None, Some(told)))
    }

    fn by_pattern(&mut self, any: &AnySize) -> Result<Outcome, Vec<Diagnostic>> {
        for (size, value) in self.found.below(&any.from) {
            if let Some(outcome) = self.whole(size, value)? {
                return Ok(outcome);
            }
        }
        let known = self.found.least();
        let known = any.from.iter().zip(&known).map(|(from, least)| from - least).sum::<i64>();
        let some = self.some();
        if let Some(outcome) = self.searched(&any.from, (some - known).max(0)..some) {
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
        // What a pattern shows does not depend on where sizes end.
        let to = |bounds: &SizeBounds| bounds.most.filter(|_| self.any.is_none());
        if let [bounds] = self.of.found.bounds.as_slice() {
            let (name, to) = (self.of.constant(0), to(bounds));
            return SizedBy::Constant { name, from: bounds.least, to };
        }
        let each = self.of.found.bounds.iter().enumerate().map(|(size, bounds)| OneSize {
            name: self.of.constant(size),
            from: bounds.least,
            to: to(bounds),
            alone: self.any.map(|(any, _)| any.from[size] - 1).filter(|to| *to >= bounds.least),
        });
        SizedBy::Constants { sizes: each.collect() }
    }

    fn searched(&self) -> Option<i64> {
        self.of.fine
    }

    fn open(&self) -> Option<String> {
        let (name, reason) = self.of.open.first()?;
        let told = crate::emit::outcome::reason(reason);
        Some(format!("of `{name}` it is not known: {told}"))
    }

    fn search(
        &mut self,
        unfolding: &Unfolding,
        _instance: &PatternInstance,
        _budget: &Budget,
    ) -> InstanceFound<Box<Outcome>> {
        let sizes = self.any.map(|(any, profiles)| (any.sizes_of(unfolding, profiles), &any.from));
        let sizes = sizes.filter(|(values, from)| values.iter().zip(*from).all(|(a, b)| a >= b));
        let found = sizes.and_then(|(values, _)| self.of.quickly(&values));
        found.map_or(InstanceFound::Open, |outcome| InstanceFound::Bad(Box::new(outcome)))
    }

    fn more(&mut self) -> Option<Outcome> {
        let (any, _) = self.any?;
        self.of.searched(&any.from, SOME_SIZES..MORE_SIZES)
    }

    fn name_of(&self, unfolding: &Unfolding) -> String {
        let sizes = self.any.map(|(any, profiles)| any.sizes_of(unfolding, profiles));
        self.of.named(&sizes.unwrap_or_default())
    }

    fn component(&self, instance: &PatternInstance, place: usize) -> String {
        let short = || instance.components[place].short.clone();
        self.any.map_or_else(short, |(any, _)| any.name_of(instance, place))
    }
}

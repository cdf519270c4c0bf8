//! Checks of nets whose size is a symbolic constant: for every size at once.
//!
//! Sizes below those of the pattern are checked one after the other, like `--set n=2`; the others are decided by the engine of
//! `parametric`, which knows neither data nor texts. Whatever it finds suspicious is searched as an instance, with its data:
//! nothing is refuted but by such a search.

use std::sync::Arc;

use num_bigint::BigInt;

use super::explored::{self, Effort, Tried};
use super::{ModelOptions, failed, safety};
use crate::base::{Budget, Watch};
use crate::diagnostics::Diagnostic;
use crate::families::{
    AnySize, FamilyQuestion, NotAnySize, SizeBounds, any_size, bounds, open_constants,
};
use crate::model::{BuildFailure, Checked, Wanted};
use crate::outcome::{Note, Outcome, Reason, SizeModel, Verdict};
use crate::parametric::{
    CounterModel, InstanceFound, InstanceSearch, PatternInstance, Profiles, SizesLimits,
    SizesVerdict, Unfolding, decide, profiles,
};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, CheckKind, ConstId, Instance};

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
        if let Some(most) = bounds.most.filter(|most| most - bounds.least < MOST_SIZES) {
            return of.up_to(most);
        }
        let (checked, check) = (self.checked, self.check);
        let question = FamilyQuestion {
            program: &checked.program,
            set: &self.options.elaborate.set,
            size,
            bounds,
            check,
            instance: self.instance,
        };
        match any_size(question, |value| self.net(size, value))? {
            Ok(any) => of.by_pattern(&any),
            Err(NotAnySize::Stopped) => Ok(Outcome::unknown(Reason::Stopped)),
            Err(why) => of.without_pattern(&why),
        }
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

    /// What is found settles it, whatever other sizes do.
    fn is_found(&self, outcome: &Outcome) -> bool {
        match self.sizes.check.kind {
            CheckKind::Reaches => outcome.verdict == Verdict::Proved,
            _ => outcome.verdict == Verdict::Refuted,
        }
    }

    /// The verdict where nothing is found in any size.
    fn nowhere(&self) -> Verdict {
        match self.sizes.check.kind {
            CheckKind::Reaches => Verdict::Refuted,
            _ => Verdict::Proved,
        }
    }

    /// The outcome of a size, if it settles the check.
    fn settled(&mut self, value: i64, outcome: Outcome) -> Option<Outcome> {
        if self.is_found(&outcome) {
            return Some(self.told(value, outcome));
        }
        let next = self.fine.map_or(self.bounds.least, |fine| fine + 1);
        if outcome.verdict == self.nowhere() {
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
        Ok(match self.open.is_empty() && !self.is_spent() {
            true => Outcome::new(self.nowhere(), self.every(Vec::new(), Some(most))),
            false => self.unknown(None, None),
        })
    }

    fn every(&self, invariants: Vec<String>, to: Option<i64>) -> Reason {
        Reason::EverySize {
            sizes: if to.is_some() { "some" } else { "all" }.to_owned(),
            constant: self.constant(),
            from: self.bounds.least,
            to,
            searched: self.fine,
            invariants,
            never: self.sizes.check.kind == CheckKind::Reaches,
        }
    }

    fn unknown(&mut self, model: Option<SizeModel>, why: Option<String>) -> Outcome {
        let why = match self.open.first() {
            Some((value, reason)) => {
                let (name, told) = (self.constant(), crate::emit::outcome::reason(reason));
                Some(format!("of `{name} = {value}` it is not known: {told}"))
            }
            None => why,
        };
        let (constant, fine) = (self.constant(), self.fine);
        Outcome::unknown(Reason::NotEverySize { constant, why, fine, model })
    }

    /// Where there is no pattern, sizes can only be searched.
    fn without_pattern(&mut self, why: &NotAnySize) -> Result<Outcome, Vec<Diagnostic>> {
        for value in (self.bounds.least..).take(SOME_SIZES as usize + MORE_SIZES as usize) {
            if self.is_spent() {
                break;
            }
            if let Some(outcome) = self.quickly(value) {
                return Ok(outcome);
            }
        }
        let checked = self.sizes.checked;
        let told = match why {
            NotAnySize::Outside(outside) => {
                let text = checked.sources.text(outside.span);
                let file = checked.sources.file_of(outside.span);
                let line = file.map(|file| file.position(outside.span.start).line);
                let line = line.map_or_else(String::new, |line| format!(" in line {line}"));
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("`{text}`{line} is of no form that all sizes are known to share: {why}")
            }
            why => why.to_string(),
        };
        Ok(self.unknown(None, Some(told)))
    }

    fn by_pattern(&mut self, any: &AnySize) -> Result<Outcome, Vec<Diagnostic>> {
        for value in self.bounds.least..any.from {
            if let Some(outcome) = self.whole(value)? {
                return Ok(outcome);
            }
        }
        for value in any.from..any.from + SOME_SIZES {
            if let Some(outcome) = self.quickly(value) {
                return Ok(outcome);
            }
        }
        let budget = self.sizes.watch.budget();
        let Ok(profiles) = profiles(&any.pattern, &budget) else {
            return Ok(self.unknown(None, Some(NotAnySize::Irregular.to_string())));
        };
        let limits = SizesLimits { first: 0, last: 0, ..SizesLimits::default() };
        let watch = self.sizes.watch;
        let mut searching = Searching { of: self, any, profiles: &profiles };
        let verdict = decide(&any.pattern, &profiles, &any.goal, limits, &mut searching, watch);
        let mut outcome = match verdict {
            SizesVerdict::Refuted { run, .. } => return Ok(*run),
            SizesVerdict::Proved { families, .. } if self.open.is_empty() => {
                let labels = families.iter().map(|family| family.label().to_owned()).collect();
                Outcome::new(self.nowhere(), self.every(labels, None))
            }
            SizesVerdict::Proved { .. } | SizesVerdict::Empty => self.unknown(None, None),
            SizesVerdict::Unknown { model, why, .. } => {
                for value in any.from + SOME_SIZES..any.from + MORE_SIZES {
                    if let Some(outcome) = self.quickly(value) {
                        return Ok(outcome);
                    }
                }
                let why = why.first().map(|(_, why)| why.to_string());
                let model = model.map(|model| told_model(any, &profiles, &model));
                self.unknown(model, why)
            }
        };
        if !any.forgotten.is_empty() {
            outcome.notes.push(Note::Forgotten { variables: any.forgotten.clone() });
        }
        Ok(outcome)
    }
}

/// A situation that no invariant excludes.
fn told_model(any: &AnySize, profiles: &Profiles, model: &CounterModel) -> SizeModel {
    let instance = PatternInstance::of(&any.pattern, profiles, &model.unfolding);
    let each = instance.components.iter().zip(&model.situation).map(|(one, state)| {
        let state = &any.pattern.types[one.of].states[*state].label;
        format!("{} in {state}", any.name_of(one))
    });
    let components = each.collect();
    SizeModel { size: any.size_of(&model.unfolding, profiles), components }
}

/// Searches instances for the engine, with their data.
struct Searching<'s, 'a> {
    of: &'s mut OfSize<'a>,
    any: &'s AnySize,
    profiles: &'s Profiles,
}

impl InstanceSearch for Searching<'_, '_> {
    type Run = Box<Outcome>;

    fn search(
        &mut self,
        unfolding: &Unfolding,
        _instance: &PatternInstance,
        _budget: &Budget,
    ) -> InstanceFound<Box<Outcome>> {
        let value = self.any.size_of(unfolding, self.profiles);
        if value < self.any.from {
            return InstanceFound::Open;
        }
        match self.of.quickly(value) {
            Some(outcome) => InstanceFound::Bad(Box::new(outcome)),
            None => InstanceFound::Open,
        }
    }
}

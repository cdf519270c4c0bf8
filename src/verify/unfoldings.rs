//! Checks of architectures: for every unfolding at once (`every_size`).
//!
//! Unfoldings are named as in checks, `Ring<3>`, and searched as nets with all their data: the check is asked of the unfolding as
//! if somebody had written it.

use super::every_size::{self, SizedInstances, SizesClaim, SizesQuestion, SizesRest};
use super::explored::{self, Effort, Tried};
use super::{ModelOptions, Texts, failed};
use crate::architectures::{AnyUnfolding, ArchitectureQuestion, NoPattern, any_unfolding};
use crate::base::{Budget, Watch};
use crate::diagnostics::{Diagnostic, Span};
use crate::explore::EngineChoice;
use crate::loader::Question;
use crate::model::{self, Checked, Made};
use crate::outcome::{Note, Outcome, Reason, SizedBy};
use crate::parametric::{
    InstanceFound, PatternInstance, Profiles, SizesLimits, Unfolding, Unfoldings, profiles,
};
use crate::sema::program::{ArchitectureDef, ArchitectureId, CheckDef, Component, NetId};
use crate::sema::{MOST_TREES, skeleton};

/// What a search of one unfolding may take.
const LITTLE: Effort = Effort { most_states: 50_000, most_transitions: 500_000, ..Effort::ALL };

/// So many components have the unfoldings that are searched before the engine is asked, and those after it.
const FIRST: usize = 4;
const LAST: usize = 9;
/// So many unfoldings of one size are searched.
const MOST_OF_SIZE: usize = 50;

/// Answers a check about an architecture; nothing where it is about something else.
pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Option<Outcome>, Vec<Diagnostic>> {
    let Some(asked) = Asked::of(checked, check, options, watch) else { return Ok(None) };
    asked.answered().map(Some)
}

/// What a check about an architecture rests on; nothing where it is about something else.
pub(super) fn rests(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Option<Result<SizesRest, String>>, Vec<Diagnostic>> {
    let Some(asked) = Asked::of(checked, check, options, watch) else { return Ok(None) };
    Ok(Some(match asked.pattern()? {
        Ok(any) => Ok(SizesRest { pattern: Some((any.pattern, any.goal)), alone: Vec::new() }),
        Err(why) => Err(why.to_string()),
    }))
}

/// A check about an architecture.
#[derive(Clone, Copy)]
struct Asked<'a> {
    checked: &'a Checked,
    check: &'a CheckDef,
    id: ArchitectureId,
    options: &'a ModelOptions,
    watch: &'a dyn Watch,
}

impl<'a> Asked<'a> {
    fn of(
        checked: &'a Checked,
        check: &'a CheckDef,
        options: &'a ModelOptions,
        watch: &'a dyn Watch,
    ) -> Option<Asked<'a>> {
        let [instance] = check.nets.as_slice() else { return None };
        let Component::Architecture(id) = instance.component else { return None };
        Some(Asked { checked, check, id, options, watch })
    }

    fn def(&self) -> &'a ArchitectureDef {
        &self.checked.program.architectures[self.id.index()]
    }

    fn name(&self) -> String {
        self.checked.sources.text(self.check.nets[0].span).to_owned()
    }

    fn pattern(&self) -> Result<Result<AnyUnfolding, NoPattern>, Vec<Diagnostic>> {
        let question = ArchitectureQuestion {
            program: &self.checked.program,
            architecture: self.id,
            check: self.check,
            set: &self.options.elaborate.set,
        };
        let net = |id: NetId| self.checked.net_by_id(id, &self.options.elaborate).map_err(failed);
        any_unfolding(question, net)
    }

    fn answered(&self) -> Result<Outcome, Vec<Diagnostic>> {
        let budget = self.watch.budget();
        let Ok(shapes) = profiles(&skeleton(self.def()), &budget) else {
            return Ok(Outcome::unknown(Reason::Stopped));
        };
        let mut instances = Instances { asked: *self, shapes: &shapes, variants: None, fine: None };
        let any = match self.pattern()? {
            Ok(any) => any,
            Err(NoPattern::Stopped) => return Ok(Outcome::unknown(Reason::Stopped)),
            Err(why) => return Ok(instances.without_pattern(&why)),
        };
        let Ok(variants) = profiles(&any.pattern, &budget) else {
            return Ok(Outcome::unknown(Reason::Stopped));
        };
        let question = SizesQuestion {
            claim: SizesClaim::new(self.check.kind),
            pattern: &any.pattern,
            profiles: &variants,
            goal: &any.goal,
            forgotten: &any.forgotten,
            limits: SizesLimits {
                first: FIRST,
                last: LAST,
                unfoldings: MOST_OF_SIZE,
                ..every_size::limits(self.options)
            },
        };
        instances.variants = Some(&variants);
        Ok(every_size::answered(&question, &mut instances, self.watch))
    }

    /// The check about one unfolding, as text.
    fn about(&self, instance: &str) -> String {
        let rest = Span::new(self.check.nets[0].span.end, self.check.span.end);
        let rest = self.checked.sources.text(rest).trim_end();
        let rest = rest.strip_suffix(';').unwrap_or(rest);
        format!("{}({instance}{rest}", self.check.kind.word())
    }

    /// What is found in one unfolding.
    fn unfolding(&self, instance: &str) -> Option<Outcome> {
        let question = Question::Checks(vec![self.about(instance)]);
        let texts = Texts(&self.checked.sources);
        let asked =
            model::check(&texts, &self.checked.root, Some(&question), Made::default()).ok()?;
        if asked.has_errors() {
            return None;
        }
        let checks = asked.checks();
        let check = checks.into_iter().rev().find(|check| asked.is_asked(check.span))?;
        let mut options = self.options.clone();
        options.explore.engine = EngineChoice::Auto;
        match explored::check(&asked, check, &options, LITTLE, self.watch) {
            Ok(Tried::Settled(mut outcome)) => {
                outcome.notes.insert(0, Note::Unfolding { name: instance.to_owned() });
                outcome.found.clear();
                Some(outcome)
            }
            Ok(Tried::Open(_)) | Err(_) => None,
        }
    }
}

/// The unfoldings, named and searched.
struct Instances<'s> {
    asked: Asked<'s>,
    /// The rules without what they do, whose unfoldings are numbered.
    shapes: &'s Profiles,
    /// The rules of the pattern.
    variants: Option<&'s Profiles>,
    /// Every unfolding with at most so many components is fine.
    fine: Option<usize>,
}

impl Instances<'_> {
    /// Searches the unfolding of a name.
    fn of(&self, instance: &str) -> InstanceFound<Box<Outcome>> {
        let claim = SizesClaim::new(self.asked.check.kind);
        match self.asked.unfolding(instance) {
            Some(outcome) if claim.is_settled_by(&outcome) => InstanceFound::Bad(Box::new(outcome)),
            Some(outcome) if outcome.verdict == claim.nowhere() => InstanceFound::Safe,
            _ => InstanceFound::Open,
        }
    }

    /// What the unfolding of a size with a number is called, where there are so many.
    fn called(&self, (size, number): (usize, usize), count: usize) -> String {
        let name = self.asked.name();
        match count {
            1 => format!("{name}<{size}>"),
            _ => format!("{name}<{size}, {number}>"),
        }
    }

    /// The name of an unfolding of the pattern, if those of its size can be numbered.
    fn found(&self, unfolding: &Unfolding, budget: &Budget) -> Option<String> {
        let variants = self.variants?;
        let rules: Vec<usize> =
            unfolding.nodes.iter().map(|node| variants.rules[node.rule].rule.index()).collect();
        let def = self.asked.def();
        let size: usize = rules.iter().map(|&rule| def.rules[rule].made.len()).sum();
        let mut unfoldings = Unfoldings::new(self.shapes, MOST_TREES);
        let all = unfoldings.of_size(size, budget);
        if !unfoldings.is_complete() {
            return None;
        }
        let rule_of = |one: &Unfolding| -> Vec<usize> {
            one.nodes.iter().map(|node| self.shapes.rules[node.rule].rule.index()).collect()
        };
        let number = all.iter().position(|one| rule_of(one) == rules)?;
        Some(self.called((size, number), all.len()))
    }

    /// Where there is no pattern, unfoldings can only be searched.
    fn without_pattern(&mut self, why: &NoPattern) -> Outcome {
        let mut unfoldings = Unfoldings::new(self.shapes, MOST_TREES);
        let budget = self.asked.watch.budget();
        for size in 0..=LAST {
            let all = unfoldings.of_size(size, &budget);
            let mut is_fine = unfoldings.is_complete() && all.len() <= MOST_OF_SIZE;
            for number in 0..all.len().min(MOST_OF_SIZE) {
                match self.of(&self.called((size, number), all.len())) {
                    InstanceFound::Bad(outcome) => return *outcome,
                    InstanceFound::Safe => {}
                    InstanceFound::Open => is_fine = false,
                }
            }
            if !is_fine || budget.is_spent() {
                break;
            }
            self.fine = Some(size);
        }
        every_size::unknown(self, None, Some(why.to_string()))
    }
}

impl SizedInstances for Instances<'_> {
    fn sized_by(&self) -> SizedBy {
        SizedBy::Architecture { name: self.asked.name() }
    }

    /// What was searched is proved by invariants as well: nothing rests on it.
    fn searched(&self) -> Option<i64> {
        self.fine.map(|fine| fine as i64)
    }

    fn open(&self) -> Option<String> {
        None
    }

    fn search(
        &mut self,
        unfolding: &Unfolding,
        _instance: &PatternInstance,
        budget: &Budget,
    ) -> InstanceFound<Box<Outcome>> {
        match self.found(unfolding, budget) {
            Some(name) => self.of(&name),
            None => InstanceFound::Open,
        }
    }

    /// The engine has searched them in order.
    fn more(&mut self) -> Option<Outcome> {
        None
    }

    fn name_of(&self, unfolding: &Unfolding) -> String {
        let found = self.found(unfolding, &self.asked.watch.budget());
        found.unwrap_or_else(|| format!("an unfolding of {}", self.asked.name()))
    }

    fn component(&self, instance: &PatternInstance, place: usize) -> String {
        instance.components[place].short.clone()
    }
}

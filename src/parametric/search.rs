//! Going through all situations of an instance, as plainly as can be.

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::pattern::{
    ComponentMove, ComponentStateId, GoalFormula, PatternGoal, StateSet, SystemPattern,
};
use super::unfold::{InstanceClaim, InstanceComponent, InstanceInteraction, PatternInstance};
use crate::base::Budget;

/// The state of each component of an instance.
pub type Situation = Vec<ComponentStateId>;

/// What was found on an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Searched {
    /// A bad situation can be reached. Where the pattern is not exact, this may be by what only *may* happen.
    Bad(InstanceRun),
    /// None can be; so many situations can.
    Safe(usize),
    /// There were too many situations.
    Unfinished(usize),
}

/// A run of an instance to a bad situation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstanceRun {
    /// Where it begins.
    pub start: Situation,
    /// What happens: the interaction, and the situation after it.
    pub steps: Vec<(usize, Situation)>,
}

impl InstanceRun {
    /// Where it ends.
    pub fn end(&self) -> &Situation {
        self.steps.last().map_or(&self.start, |(_, after)| after)
    }
}

/// Looks for a bad situation, nearest first, among at most so many.
pub fn search(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    goal: &PatternGoal,
    most: usize,
    budget: &Budget,
) -> Searched {
    // Not all that can happen is written down.
    if instance.has_more {
        return Searched::Unfinished(0);
    }
    let mut found: Vec<(Situation, Option<(usize, usize)>)> = Vec::new();
    let mut known: FxHashMap<Situation, usize> = FxHashMap::default();
    let mut reach = |situation: Situation, from, found: &mut Vec<(Situation, _)>| {
        if let std::collections::hash_map::Entry::Vacant(free) = known.entry(situation.clone()) {
            free.insert(found.len());
            found.push((situation, from));
        }
    };
    for start in initial(pattern, instance).take(most) {
        reach(start, None, &mut found);
    }
    let mut next = 0;
    while next < found.len() {
        let situation = found[next].0.clone();
        if is_bad(pattern, instance, goal, &situation) {
            return Searched::Bad(run(&found, next));
        }
        if found.len() >= most || budget.is_spent() {
            return Searched::Unfinished(found.len());
        }
        for (place, interaction) in instance.interactions.iter().enumerate() {
            for after in after(pattern, instance, interaction, &situation) {
                reach(after, Some((next, place)), &mut found);
            }
        }
        next += 1;
    }
    Searched::Safe(found.len())
}

/// Where an instance can begin.
pub fn initial<'i>(
    pattern: &'i SystemPattern,
    instance: &'i PatternInstance,
) -> Box<dyn Iterator<Item = Situation> + 'i> {
    let states = |one: &InstanceComponent| -> Vec<ComponentStateId> {
        let all = pattern.types[one.of].states.enumerated();
        all.filter(|(_, state)| state.initial).map(|(id, _)| id).collect()
    };
    match instance.components.is_empty() {
        true => Box::new(std::iter::once(Vec::new())),
        false => Box::new(instance.components.iter().map(states).multi_cartesian_product()),
    }
}

/// The situations after an interaction: there are several if members can move in several ways.
pub fn after(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    interaction: &InstanceInteraction,
    situation: &Situation,
) -> Vec<Situation> {
    let moves = |(who, port): &(usize, _)| -> Vec<(usize, ComponentMove)> {
        let own = pattern.types[instance.components[*who].of].moves_by(*port);
        own.filter(|step| step.from == situation[*who]).map(|step| (*who, *step)).collect()
    };
    let all = interaction.members.iter().map(moves).multi_cartesian_product();
    let moved = |steps: Vec<(usize, ComponentMove)>| {
        let mut after = situation.clone();
        steps.iter().for_each(|(who, step)| after[*who] = step.to);
        after
    };
    all.map(moved).collect()
}

/// Whether an interaction is enabled, whatever was forgotten.
pub fn is_enabled(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    interaction: &InstanceInteraction,
    situation: &Situation,
) -> bool {
    let can = |(who, port): &(usize, _)| {
        let of = &pattern.types[instance.components[*who].of];
        of.is_enabled(*port, situation[*who])
    };
    !interaction.may_only && interaction.members.iter().all(can)
}

/// Whether a situation is bad.
pub fn is_bad(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    goal: &PatternGoal,
    situation: &Situation,
) -> bool {
    let enabled = |one| is_enabled(pattern, instance, one, situation);
    let rests = |(of, state): (_, &ComponentStateId)| {
        let of: super::pattern::ComponentTypeId = of;
        pattern.types[of].states[*state].is_final
    };
    let types = instance.components.iter().map(|one| one.of);
    let is_stuck =
        || !instance.interactions.iter().any(enabled) && !types.zip(situation).all(rests);
    if goal.stuck && !is_stuck() {
        return false;
    }
    goal.when.holds(&mut |atom| match atom {
        GoalFormula::AtLeast(many, states) => count(instance, states, situation) >= *many,
        GoalFormula::Violated(label) => instance.claims.iter().any(|claim| {
            label.as_ref().is_none_or(|label| *label == claim.label)
                && is_violated(instance, claim, situation)
        }),
        _ => false,
    })
}

fn count(instance: &PatternInstance, states: &StateSet, situation: &Situation) -> usize {
    let each = instance.components.iter().zip(situation);
    each.filter(|(one, state)| states.has(one.of, **state)).count()
}

fn is_violated(instance: &PatternInstance, claim: &InstanceClaim, situation: &Situation) -> bool {
    claim.bad.holds(&mut |name, states| {
        let who = claim.names[name];
        states.has(instance.components[who].of, situation[who])
    })
}

/// The way to what was found.
fn run(found: &[(Situation, Option<(usize, usize)>)], end: usize) -> InstanceRun {
    let mut steps = Vec::new();
    let mut at = end;
    while let (situation, Some((before, interaction))) = &found[at] {
        steps.push((*interaction, situation.clone()));
        at = *before;
    }
    steps.reverse();
    InstanceRun { start: found[at].0.clone(), steps }
}

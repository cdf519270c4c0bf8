//! What is strange about a pattern: rules that never end or that nobody uses, names that get no component or two. The front
//! doors make messages of it.

use std::collections::BTreeSet;

use super::pattern::{PatternNameId, PatternRule, PatternRuleId, RuleHeadId, SystemPattern};
use super::profile::{Contexts, KnownCounts, Profiles, RuleInContext};

/// What is strange about a pattern.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PatternReport {
    /// Heads that the start needs, and that never end: every rule uses another that never ends.
    pub endless: Vec<RuleHeadId>,
    /// New names of rules, and parameters of none, that do not get one component in every finite tree of rules.
    pub counts: Vec<NameCount>,
    /// Rules that no unfolding uses.
    pub unused: Vec<PatternRuleId>,
    /// Interactions that never happen, since two of their members are one component in every unfolding: rule, place.
    pub impossible: Vec<(PatternRuleId, usize)>,
}

/// How many components a new name gets, over all finite trees of rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameCount {
    /// The rule.
    pub rule: PatternRuleId,
    /// The name.
    pub name: PatternNameId,
    /// The fewest; 2 stands for more than one.
    pub fewest: u8,
    /// The most; 2 stands for more than one.
    pub most: u8,
    /// The places of the rule that can give it one.
    pub places: Vec<NamePlace>,
}

/// A place of a rule where a name gets a component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NamePlace {
    /// A component of the rule.
    Component(usize),
    /// A part of the rule.
    Part(usize),
}

impl NameCount {
    /// It never gets a component: there are no unfoldings with this rule.
    pub fn never(&self) -> bool {
        self.most == 0
    }

    /// It always gets two: there are no unfoldings with this rule.
    pub fn always_two(&self) -> bool {
        self.fewest > 1
    }

    /// Sometimes it gets one, and sometimes it does not: there are trees of rules that are no unfoldings.
    pub fn leaves_out(&self) -> bool {
        !self.never() && !self.always_two() && (self.fewest, self.most) != (1, 1)
    }
}

/// What is strange, where `any` has what each context can give in any finite tree of rules.
pub(super) fn report(
    pattern: &SystemPattern,
    contexts: &Contexts,
    any: &KnownCounts,
    done: &Profiles,
) -> PatternReport {
    let ends = |head: RuleHeadId| {
        contexts.all.enumerated().any(|(id, context)| context.head == head && !any[id].is_empty())
    };
    let needed: BTreeSet<RuleHeadId> = contexts.all.iter().map(|context| context.head).collect();
    let endless = needed.into_iter().filter(|&head| !ends(head)).collect();
    let used: BTreeSet<PatternRuleId> = done.rules.iter().map(|rule| rule.rule).collect();
    let unused = pattern.rules.ids().filter(|rule| !used.contains(rule)).collect();
    let mut counts: Vec<NameCount> = Vec::new();
    for rule in contexts.rules.iter().flatten() {
        name_counts(pattern, rule, any).into_iter().for_each(|one| merge(&mut counts, one));
    }
    counts.retain(|one| (one.fewest, one.most) != (1, 1));
    PatternReport { endless, counts, unused, impossible: impossible(pattern, done, &used) }
}

/// The new names of a rule in a context, and what they can get.
fn name_counts(pattern: &SystemPattern, rule: &RuleInContext, any: &KnownCounts) -> Vec<NameCount> {
    let choices = rule.choices(any);
    let results: Vec<_> = choices.iter().map(|choice| rule.counts(pattern, choice)).collect();
    let text = &pattern.rules[rule.rule];
    let parameters = pattern.heads[text.head].parameters;
    let new = text.names.ids().skip(parameters);
    let count = |name: PatternNameId| {
        let all = || results.iter().map(|counts| counts[rule.names[name].index()]);
        let (fewest, most) = (all().min()?, all().max()?);
        let places = places(text, rule, name, any);
        Some(NameCount { rule: rule.rule, name, fewest, most, places })
    };
    new.filter_map(count).collect()
}

/// Where a rule gives a name a component.
fn places(
    text: &PatternRule,
    rule: &RuleInContext,
    name: PatternNameId,
    any: &KnownCounts,
) -> Vec<NamePlace> {
    let own = rule.names[name];
    let made = text.components.iter().enumerate().filter(|(_, made)| made.name == name);
    let made = made.map(|(place, _)| NamePlace::Component(place));
    let gives = |part: usize| {
        let (context, passed) = &rule.parts[part];
        let at = passed.iter().position(|&one| one == own);
        at.is_some_and(|at| any[*context].iter().any(|counts| counts[at] > 0))
    };
    let parts = (0..rule.parts.len()).filter(|&part| gives(part)).map(NamePlace::Part);
    made.chain(parts).collect()
}

/// One name in several contexts.
fn merge(counts: &mut Vec<NameCount>, one: NameCount) {
    match counts.iter_mut().find(|known| (known.rule, known.name) == (one.rule, one.name)) {
        Some(known) => {
            known.fewest = known.fewest.min(one.fewest);
            known.most = known.most.max(one.most);
            known.places.extend(one.places);
            known.places.sort_unstable();
            known.places.dedup();
        }
        None => counts.push(one),
    }
}

/// Interactions of rules that are used, in none of their variants.
fn impossible(
    pattern: &SystemPattern,
    done: &Profiles,
    used: &BTreeSet<PatternRuleId>,
) -> Vec<(PatternRuleId, usize)> {
    let happens = |id: PatternRuleId, place: usize| {
        let own = done.rules.iter().filter(|rule| rule.rule == id);
        own.flat_map(|rule| &rule.interactions).any(|one| one.place == place)
    };
    let all = used
        .iter()
        .flat_map(|&id| (0..pattern.rules[id].interactions.len()).map(move |place| (id, place)));
    all.filter(|&(id, place)| !happens(id, place)).collect()
}

//! Is every bad situation of every unfolding excluded? Bottom up over trees of rules, with antichains.
//!
//! An entry says that some tree of rules and states of its components has this state of the automaton of bad situations, and these
//! sets of states of the automata that exclude. One that is at least as bad and excludes no more stands for it. Of what is counted, no
//! more is used than is needed (`chosen.rs`): where a situation is not excluded, it begins again with a set more that excludes it.

use std::collections::VecDeque;

use thiserror::Error;

use super::bad::{Bad, BadState};
use super::closed::{Closed, ClosedSet};
use super::counted::{Counted, CountedSet, MoreNow, NotCounted, OneNow, counted_table};
use super::few::WhichSets;
use super::pattern::{ComponentStateId, PatternGoal, SystemPattern};
use super::profile::{Profiles, VariantId, VariantRuleId};
use super::search::Situation;
use super::slots::each_choice;
use super::unfold::{Unfolding, UnfoldingNode, UnfoldingNodeId};
use super::values::InvariantFamily;
use crate::base::{Budget, IndexVec, Spent};
use crate::tagged_id;

tagged_id!(
    /// An entry.
    EntryId
);

/// The automata that exclude situations, of the families that are asked for.
#[derive(Debug)]
pub struct Excluders<'p> {
    /// Traps.
    pub trap: Option<Closed<'p>>,
    /// Exactly one.
    pub one: Option<Counted<'p, OneNow>>,
    /// As many as to begin with.
    pub flow: Option<Counted<'p, MoreNow>>,
    /// Siphons.
    pub siphon: Option<Closed<'p>>,
}

/// A set of states of each automaton that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExcludedBy {
    /// Traps.
    pub trap: Option<ClosedSet>,
    /// Exactly one.
    pub one: Option<CountedSet>,
    /// As many as to begin with.
    pub flow: Option<CountedSet>,
    /// Siphons.
    pub siphon: Option<ClosedSet>,
}

/// An entry, with where it comes from.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Of which variant.
    pub of: VariantId,
    /// The state of the automaton of bad situations.
    pub bad: BadState,
    /// The sets of the automata that exclude.
    pub sets: ExcludedBy,
    rule: VariantRuleId,
    letter: Vec<ComponentStateId>,
    parts: Vec<EntryId>,
    is_live: bool,
}

/// A situation that is bad and that no invariant excludes. It need not be one that can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterModel {
    /// The unfolding.
    pub unfolding: Unfolding,
    /// The state of each of its components.
    pub situation: Situation,
}

/// What came out.
#[derive(Debug)]
pub enum Included<'p> {
    /// Everything bad is excluded, in every unfolding.
    Proved(Box<Saturated<'p>>),
    /// This is not.
    Model(CounterModel),
    /// Nobody knows.
    GaveUp(WhyOpen),
}

/// Why nobody knows.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum WhyOpen {
    /// There were too many entries.
    #[error("there were more than {0} cases")]
    Entries(usize),
    /// The budget was spent.
    #[error("{0}")]
    Spent(Spent),
    /// No automaton of invariants could be made.
    #[error("{0}")]
    NotCounted(NotCounted),
    /// MONA did not decide.
    #[error("MONA did not decide: {0}")]
    Mona(String),
}

/// All that is needed to see that everything bad is excluded.
#[derive(Debug)]
pub struct Saturated<'p> {
    /// The automaton of bad situations.
    pub bad: Bad<'p>,
    /// The automata that exclude.
    pub by: Excluders<'p>,
    /// The entries that stand for all.
    pub entries: Vec<Entry>,
}

/// How much work there may be.
#[derive(Clone, Copy, Debug)]
pub struct InclusionLimits {
    /// Entries.
    pub entries: usize,
    /// Steps, of any kind.
    pub steps: u64,
    /// Which sets of states of components are counted in.
    pub sets: WhichSets,
    /// From so many facts about one component outside on, it is guessed which of them are so.
    pub many_facts: usize,
}

impl Default for InclusionLimits {
    fn default() -> Self {
        InclusionLimits { entries: 20_000, steps: 20_000_000, sets: WhichSets::All, many_facts: 5 }
    }
}

impl<'p> Excluders<'p> {
    /// The automata of some families.
    pub fn new(
        pattern: &'p SystemPattern,
        profiles: &'p Profiles,
        families: &[InvariantFamily],
        sets: WhichSets,
        budget: &Budget,
    ) -> Result<Self, NotCounted> {
        let has = |family| families.contains(&family);
        let closed = |family, way| has(family).then(|| Closed::new(pattern, profiles, way));
        let (mut one, mut flow) = (None, None);
        if has(InvariantFamily::One) {
            let table = counted_table(pattern, profiles, true, sets, budget)?;
            one = Some(Counted::new(pattern, profiles, table));
        }
        if has(InvariantFamily::Flow) {
            let table = counted_table(pattern, profiles, false, sets, budget)?;
            flow = Some(Counted::new(pattern, profiles, table));
        }
        let trap = closed(InvariantFamily::Trap, false);
        Ok(Excluders { trap, one, flow, siphon: closed(InvariantFamily::Siphon, true) })
    }

    fn step(
        &mut self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        parts: &[ExcludedBy],
        budget: &Budget,
    ) -> ExcludedBy {
        let closed = |which: &mut Option<Closed>, own: fn(&ExcludedBy) -> Option<ClosedSet>| {
            let parts: Vec<ClosedSet> = parts.iter().filter_map(own).collect();
            which.as_mut().map(|which| which.step(rule, letter, &parts, budget))
        };
        let counted = |own: fn(&ExcludedBy) -> Option<CountedSet>| -> Vec<CountedSet> {
            parts.iter().filter_map(own).collect()
        };
        let (ones, flows) = (counted(|sets| sets.one), counted(|sets| sets.flow));
        ExcludedBy {
            trap: closed(&mut self.trap, |sets| sets.trap),
            one: self.one.as_mut().map(|one| one.step(rule, letter, &ones, budget)),
            flow: self.flow.as_mut().map(|flow| flow.step(rule, letter, &flows, budget)),
            siphon: closed(&mut self.siphon, |sets| sets.siphon),
        }
    }

    /// Uses one more of the sets that are counted, which excludes a situation; false if there is none.
    fn choose(&mut self, model: &CounterModel, budget: &Budget) -> bool {
        let CounterModel { unfolding, situation } = model;
        self.one.as_mut().is_some_and(|one| one.choose(unfolding, situation, budget))
            || self.flow.as_mut().is_some_and(|flow| flow.choose(unfolding, situation, budget))
    }

    /// Whether the sets of a whole unfolding say that its situation cannot be.
    pub fn excludes(&self, sets: &ExcludedBy) -> bool {
        let closed = |which: &Option<Closed>, set: Option<ClosedSet>| {
            which.as_ref().zip(set).is_some_and(|(which, set)| which.excludes(set))
        };
        closed(&self.trap, sets.trap)
            || self.one.as_ref().zip(sets.one).is_some_and(|(one, set)| one.excludes(set))
            || self.flow.as_ref().zip(sets.flow).is_some_and(|(flow, set)| flow.excludes(set))
            || closed(&self.siphon, sets.siphon)
    }

    /// Whether some sets exclude at least what others do.
    fn covers(&mut self, one: &ExcludedBy, other: &ExcludedBy) -> bool {
        let closed = |which: &mut Option<Closed>, one: Option<ClosedSet>, other| {
            which
                .as_mut()
                .zip(one.zip(other))
                .is_none_or(|(which, (one, other))| which.covers(one, other))
        };
        closed(&mut self.trap, one.trap, other.trap)
            && closed(&mut self.siphon, one.siphon, other.siphon)
            && self
                .one
                .as_ref()
                .zip(one.one.zip(other.one))
                .is_none_or(|(which, (one, other))| which.covers(one, other))
            && self
                .flow
                .as_ref()
                .zip(one.flow.zip(other.flow))
                .is_none_or(|(which, (one, other))| which.covers(one, other))
    }
}

/// Whether everything bad is excluded by invariants of these families, in every unfolding.
pub fn included<'p>(
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    goal: &'p PatternGoal,
    families: &[InvariantFamily],
    limits: InclusionLimits,
    budget: &Budget,
) -> Included<'p> {
    let budget = budget.part_of_work(limits.steps);
    let by = match Excluders::new(pattern, profiles, families, limits.sets, &budget) {
        Ok(by) => by,
        Err(NotCounted::Spent(spent)) => return Included::GaveUp(WhyOpen::Spent(spent)),
        Err(why) => return Included::GaveUp(WhyOpen::NotCounted(why)),
    };
    let bad = Bad::new(pattern, profiles, goal, limits.many_facts);
    let mut search = Inclusion {
        pattern,
        profiles,
        deepest: bad.guesses(),
        bad,
        by,
        entries: IndexVec::default(),
        live: IndexVec::of(profiles.variants.len(), Vec::new()),
        known: IndexVec::of(profiles.variants.len(), Vec::new()),
        open: VecDeque::new(),
        budget,
        limits,
    };
    loop {
        match search.run() {
            None => return Included::Proved(Box::new(search.saturated())),
            Some(Included::Model(model)) => {
                let is_excluded = search.by.choose(&model, &search.budget);
                match search.budget.spent() {
                    Some(spent) => return Included::GaveUp(WhyOpen::Spent(spent)),
                    None if is_excluded => search.restart(),
                    None => return Included::Model(model),
                }
            }
            Some(found) => return found,
        }
    }
}

struct Inclusion<'p> {
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    bad: Bad<'p>,
    by: Excluders<'p>,
    entries: IndexVec<EntryId, Entry>,
    /// The entries of each variant that were combined with each other, and are not covered by others.
    live: IndexVec<VariantId, Vec<EntryId>>,
    /// All entries of each variant that are not covered by others.
    known: IndexVec<VariantId, Vec<EntryId>>,
    /// Those that were not combined yet.
    open: VecDeque<EntryId>,
    /// Whether the newest of these comes first: where much is guessed, large trees stand for small ones, and soon there are some.
    /// Otherwise small trees come first, which are better to look at.
    deepest: bool,
    budget: Budget,
    limits: InclusionLimits,
}

impl<'p> Inclusion<'p> {
    /// All entries there are; or what was found before that.
    fn run(&mut self) -> Option<Included<'p>> {
        let profiles = self.profiles;
        for (id, rule) in profiles.rules.enumerated() {
            if rule.parts.is_empty()
                && let Some(model) = self.combine(id, &[])
            {
                return Some(Included::Model(model));
            }
        }
        while let Some(next) = self.next() {
            if let Some(spent) = self.budget.spent() {
                return Some(Included::GaveUp(WhyOpen::Spent(spent)));
            }
            if self.entries.len() > self.limits.entries {
                return Some(Included::GaveUp(WhyOpen::Entries(self.limits.entries)));
            }
            if !self.entries[next].is_live {
                continue;
            }
            let of = self.entries[next].of;
            self.live[of].push(next);
            for (id, rule) in profiles.rules.enumerated() {
                for place in 0..rule.parts.len() {
                    if rule.parts[place].of == of
                        && let Some(model) = self.with_part(id, place, next)
                    {
                        return Some(Included::Model(model));
                    }
                }
            }
        }
        self.budget.spent().map(|spent| Included::GaveUp(WhyOpen::Spent(spent)))
    }

    fn saturated(self) -> Saturated<'p> {
        let entries = self.entries.into_iter().filter(|entry| entry.is_live).collect();
        Saturated { bad: self.bad, by: self.by, entries }
    }

    /// Begins again: other sets are used now.
    fn restart(&mut self) {
        let variants = self.profiles.variants.len();
        self.entries = IndexVec::default();
        self.live = IndexVec::of(variants, Vec::new());
        self.known = IndexVec::of(variants, Vec::new());
        self.open.clear();
    }

    fn next(&mut self) -> Option<EntryId> {
        if self.deepest { self.open.pop_back() } else { self.open.pop_front() }
    }

    /// A rule with an entry in the place of one part, and all those before it in the places of the others. Where it stands in
    /// several places, the first is meant.
    fn with_part(
        &mut self,
        rule: VariantRuleId,
        place: usize,
        entry: EntryId,
    ) -> Option<CounterModel> {
        let parts = &self.profiles.rules[rule].parts;
        let candidates: Vec<Vec<EntryId>> = parts
            .iter()
            .enumerate()
            .map(|(at, part)| match at.cmp(&place) {
                std::cmp::Ordering::Equal => vec![entry],
                std::cmp::Ordering::Less => {
                    let all = self.live[part.of].iter();
                    all.copied().filter(|known| *known != entry).collect()
                }
                std::cmp::Ordering::Greater => self.live[part.of].clone(),
            })
            .collect();
        let counts: Vec<usize> = candidates.iter().map(Vec::len).collect();
        let mut chosen = vec![entry; counts.len()];
        let mut model = None;
        each_choice(&counts, |choice| {
            let Some((level, at)) = choice else {
                model = self.combine(rule, &chosen);
                return true;
            };
            chosen[level] = candidates[level][at];
            model.is_none() && !self.budget.is_spent()
        });
        model
    }

    /// All that a rule makes of some parts.
    fn combine(&mut self, rule: VariantRuleId, parts: &[EntryId]) -> Option<CounterModel> {
        if parts.iter().any(|part| !self.entries[*part].is_live) {
            return None;
        }
        let made = self.profiles.rules[rule].components.iter();
        let counts: Vec<usize> = made.map(|(_, of)| self.pattern.types[*of].states.len()).collect();
        let mut letter = vec![ComponentStateId(0); counts.len()];
        let mut model = None;
        each_choice(&counts, |choice| {
            let Some((level, at)) = choice else {
                model = self.letter(rule, &letter, parts);
                return true;
            };
            letter[level] = ComponentStateId(at as u32);
            model.is_none() && !self.budget.is_spent()
        });
        model
    }

    /// All that a rule makes of some parts and states.
    fn letter(
        &mut self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        parts: &[EntryId],
    ) -> Option<CounterModel> {
        let below: Vec<&BadState> = parts.iter().map(|part| &self.entries[*part].bad).collect();
        let found = self.bad.step(rule, letter, &below);
        if found.is_empty() {
            return None;
        }
        let sets: Vec<ExcludedBy> = parts.iter().map(|part| self.entries[*part].sets).collect();
        let sets = self.by.step(rule, letter, &sets, &self.budget);
        let of = self.profiles.rules[rule].of;
        for bad in found {
            let ends = self.profiles.start == Some(of) && self.bad.accepts(&bad);
            let is_model = ends && !self.by.excludes(&sets) && self.budget.spent().is_none();
            let (letter, parts) = (letter.to_vec(), parts.to_vec());
            let entry = Entry { of, bad, sets, rule, letter, parts, is_live: true };
            if is_model {
                let id = self.entries.push(entry);
                return Some(self.model(id));
            }
            self.add(entry);
        }
        None
    }

    /// Adds an entry, unless another stands for it, in the place of those that it stands for.
    fn add(&mut self, entry: Entry) {
        let of = entry.of;
        for &id in &self.known[of] {
            let one = &self.entries[id];
            // To compare is work as well.
            if self.budget.is_spent() {
                return;
            }
            if self.bad.is_better(of, &one.bad, &entry.bad)
                && self.by.covers(&entry.sets, &one.sets)
            {
                return;
            }
        }
        let mut kept = Vec::new();
        for id in std::mem::take(&mut self.known[of]) {
            let one = &self.entries[id];
            if self.bad.is_better(of, &entry.bad, &one.bad)
                && self.by.covers(&one.sets, &entry.sets)
            {
                self.entries[id].is_live = false;
                self.live[of].retain(|live| *live != id);
            } else {
                kept.push(id);
            }
        }
        let id = self.entries.push(entry);
        kept.push(id);
        self.known[of] = kept;
        self.open.push_back(id);
    }

    /// The tree of an entry.
    fn model(&self, root: EntryId) -> CounterModel {
        let mut nodes: IndexVec<UnfoldingNodeId, UnfoldingNode> = IndexVec::default();
        let mut situation = Vec::new();
        let mut open = vec![(root, None)];
        while let Some((id, whole)) = open.pop() {
            let entry = &self.entries[id];
            situation.extend(entry.letter.iter().copied());
            let node = nodes.push(UnfoldingNode { rule: entry.rule, whole, parts: Vec::new() });
            if let Some(whole) = whole {
                nodes[whole].parts.push(node);
            }
            open.extend(entry.parts.iter().rev().map(|&part| (part, Some(node))));
        }
        CounterModel { unfolding: Unfolding { nodes }, situation }
    }
}

//! Sets of states of which always as many are taken (one, or as many as to begin with), for all unfoldings, as an automaton
//! on trees of rules.
//!
//! A state says what a part of an unfolding tells about those of its parameters that are made inside (for some `Z`), what it
//! demands of the others, and how many are in `Z` to begin with. Which states components are in does not matter for this, so the
//! automaton is made once, and trimmed (`trim.rs`); how many are in `Z` now is counted beside it.

use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use thiserror::Error;

use super::bits::StateBits;
use super::closed::{is_own, looked_at, own_ports};
use super::few::{WhichSets, few_sets};
use super::meeting::{MeetingSums, MeetingUnit, Sums, joined};
use super::pattern::{
    ComponentStateId, ComponentType, ComponentTypeId, PatternPortId, SystemPattern,
};
use super::profile::{NameOrigin, Profiles, VariantId, VariantNameId, VariantRule, VariantRuleId};
use super::slots::{FactSlot, Maker, Makers, Slots, each_choice, makers, slots};
use super::trim::{CountedTable, CountedTransition};
use super::unfold::{Unfolding, UnfoldingNodeId};
use super::values::{counted_value, is_counted};
use crate::base::{Budget, IndexVec, Spent};

/// How many sets of states of one component are looked at.
const MOST_SETS: u32 = 1 << 18;

/// A state of the automaton.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CountedState {
    /// For each slot of the variant, what is told or demanded.
    pub values: Box<[u8]>,
    /// How many are in the set to begin with, where it has to be one in the end.
    pub first: u8,
    /// What those who join meetings do to it.
    pub meets: Box<[u8]>,
}

/// Why there is no automaton.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotCounted {
    /// A component has too many states that do not depend on each other.
    #[error("component `{0}` has too many states to count")]
    Component(String),
    /// The budget was spent.
    #[error("{0}")]
    Spent(Spent),
}

/// A set of states of a component, and what it has for the ports that are looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SetChoice {
    values: Vec<u8>,
    first: bool,
    set: StateBits,
}

struct Making<'p> {
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    slots: &'p Slots,
    makers: Makers,
    loose: bool,
    which: WhichSets,
    meetings: MeetingSums,
    joined: IndexVec<VariantRuleId, Vec<Vec<MeetingUnit>>>,
    states: IndexVec<VariantId, IndexSet<CountedState, FxBuildHasher>>,
    transitions: IndexVec<VariantRuleId, IndexSet<CountedTransition, FxBuildHasher>>,
    sets: FxHashMap<(Maker, Vec<PatternPortId>), Rc<[SetChoice]>>,
    plans: IndexVec<VariantRuleId, Rc<ChoicePlan>>,
}

/// What is chosen in a rule, one after the other, whatever its parts are: sets of the components that it makes, and then what
/// those outside have for their ports.
#[derive(Default)]
struct ChoicePlan {
    /// How many of the levels are components that are made here.
    made: usize,
    /// The choices of each level.
    levels: Vec<Rc<[SetChoice]>>,
    /// The cells of each level.
    ranges: Vec<std::ops::Range<usize>>,
    /// For each level (the first is that nothing is chosen), the interactions all of whose members are known with it, as cells.
    checks: Vec<Vec<Vec<usize>>>,
}

/// The automaton, trimmed: of sets of which one is taken (`loose`), or as many as to begin with.
pub fn counted_table(
    pattern: &SystemPattern,
    profiles: &Profiles,
    loose: bool,
    which: WhichSets,
    budget: &Budget,
) -> Result<CountedTable, NotCounted> {
    let slots = slots(profiles, &looked_at(profiles));
    let joins = profiles
        .rules
        .enumerated()
        .map(|(id, rule)| joined(pattern, rule, |who| slots.rules[id].cell(who.name, who.port.0)));
    let mut making = Making {
        pattern,
        profiles,
        slots: &slots,
        makers: makers(profiles),
        loose,
        which,
        meetings: MeetingSums::of(pattern),
        joined: joins.collect(),
        states: IndexVec::of(profiles.variants.len(), IndexSet::default()),
        transitions: IndexVec::of(profiles.rules.len(), IndexSet::default()),
        sets: FxHashMap::default(),
        plans: IndexVec::default(),
    };
    making.plan()?;
    making.run(budget)?;
    let states = making.states.into_iter().map(|all| all.into_iter().collect()).collect();
    let transitions = making.transitions.into_iter().map(|all| all.into_iter().collect());
    let (transitions, slots) = (transitions.collect(), slots.of.clone());
    let meetings = MeetingSums::of(pattern);
    let table = CountedTable { states, transitions, slots, one: loose, meetings };
    match budget.spent() {
        Some(spent) => Err(NotCounted::Spent(spent)),
        None => Ok(table.trimmed(profiles)),
    }
}

impl Making<'_> {
    /// All states that trees can have: rounds, each with a state that is new in it.
    fn run(&mut self, budget: &Budget) -> Result<(), NotCounted> {
        let mut before: IndexVec<VariantId, usize> = IndexVec::of(self.states.len(), 0);
        let mut is_first = true;
        loop {
            let now: IndexVec<VariantId, usize> = self.states.iter().map(IndexSet::len).collect();
            if !is_first && now == before {
                return Ok(());
            }
            for rule in self.profiles.rules.ids() {
                self.combine(rule, &before, &now, is_first, budget)?;
            }
            (before, is_first) = (now, false);
        }
    }

    /// The transitions of a rule with parts of which one is new.
    fn combine(
        &mut self,
        rule: VariantRuleId,
        before: &IndexVec<VariantId, usize>,
        now: &IndexVec<VariantId, usize>,
        is_first: bool,
        budget: &Budget,
    ) -> Result<(), NotCounted> {
        let text = &self.profiles.rules[rule];
        let variants: Vec<VariantId> = text.parts.iter().map(|part| part.of).collect();
        let counts: Vec<usize> = variants.iter().map(|of| now[*of]).collect();
        if !is_first && variants.is_empty() {
            return Ok(());
        }
        let mut chosen = vec![0u32; counts.len()];
        let mut made = Ok(());
        // There can be very many of these: nobody lists them.
        each_choice(&counts, |choice| {
            if let Some((level, at)) = choice {
                chosen[level] = at as u32;
                return made.is_ok() && !budget.is_spent();
            }
            let mut each = chosen.iter().zip(&variants);
            if is_first || each.any(|(&at, of)| at as usize >= before[*of]) {
                made = self.with_parts(rule, &chosen, budget);
            }
            true
        });
        made.and_then(|()| budget.spent().map_or(Ok(()), |spent| Err(NotCounted::Spent(spent))))
    }

    /// The transitions of a rule with these parts.
    fn with_parts(
        &mut self,
        rule: VariantRuleId,
        parts: &[u32],
        budget: &Budget,
    ) -> Result<(), NotCounted> {
        let Some((told, most, first)) = self.told(rule, parts) else { return Ok(()) };
        let (of, facts) = (self.profiles.rules[rule].of, &self.slots.rules[rule]);
        let plan = Rc::clone(&self.plans[rule]);
        let ChoicePlan { made, levels, ranges, checks } = &*plan;
        // What parts have to do with each other is known before anything is chosen.
        let keeps = |cells: &Vec<usize>, values: &[u8]| {
            is_counted(cells.iter().map(|&cell| values[cell]), self.loose)
        };
        if !checks[0].iter().all(|cells| keeps(cells, &told)) {
            return Ok(());
        }
        let counts: Vec<usize> = levels.iter().map(|level| level.len()).collect();
        let (mut values, mut chosen) = (told, vec![0; counts.len()]);
        let mut firsts = vec![first; counts.len() + 1];
        let mut found = Vec::new();
        let below: Vec<&[u8]> = self.meets_of(rule, parts);
        let kind = if self.loose { Sums::One } else { Sums::Flow };
        each_choice(&counts, |choice| {
            let Some((level, at)) = choice else {
                let sets =
                    (0..*made).map(|level| levels[level][chosen[level]].set.clone()).collect();
                let own = facts.own.iter().map(|&cell| values[cell]).collect();
                let value = |cell: usize| values[cell];
                let below = below.iter().copied();
                let meets = self.meetings.step(kind, &self.joined[rule], value, below);
                let first = firsts[counts.len()];
                found.push((CountedState { values: own, first, meets }, sets));
                return true;
            };
            let one = &levels[level][at];
            values[ranges[level].clone()].copy_from_slice(&one.values);
            chosen[level] = at;
            firsts[level + 1] = firsts[level] + u8::from(one.first && self.loose);
            let within = |cell: usize| values[cell] & !most[cell] == 0;
            !budget.is_spent()
                && firsts[level + 1] <= 1
                && ranges[level].clone().all(within)
                && checks[level + 1].iter().all(|cells| keeps(cells, &values))
        });
        for (state, sets) in found {
            let to = self.states[of].insert_full(state).0 as u32;
            let parts = parts.to_vec();
            self.transitions[rule].insert(CountedTransition { parts, sets, to });
        }
        budget.spent().map_or(Ok(()), |spent| Err(NotCounted::Spent(spent)))
    }

    /// Looks once what is chosen in each rule.
    fn plan(&mut self) -> Result<(), NotCounted> {
        for (id, rule) in self.profiles.rules.enumerated() {
            let facts = &self.slots.rules[id];
            let is_outer =
                |name: &VariantNameId| matches!(rule.origins[*name], NameOrigin::Outer(_));
            let mut outer: Vec<VariantNameId> =
                facts.cells.iter().map(|(name, _)| *name).filter(is_outer).collect();
            outer.dedup();
            let made: Vec<VariantNameId> = rule.components.iter().map(|(name, _)| *name).collect();
            let mut levels: Vec<Rc<[SetChoice]>> = Vec::new();
            for place in 0..made.len() {
                levels.push(self.made_choices(id, place)?);
            }
            for &name in &outer {
                levels.push(self.outer_choices(id, name)?);
            }
            let names: Vec<VariantNameId> = made.iter().chain(&outer).copied().collect();
            let ranges = names.iter().map(|name| facts.of(*name)).collect();
            let checks = self.checks(id, &names);
            self.plans.push(Rc::new(ChoicePlan { made: made.len(), levels, ranges, checks }));
        }
        Ok(())
    }

    /// What those in parts who join meetings do.
    fn meets_of(&self, rule: VariantRuleId, parts: &[u32]) -> Vec<&[u8]> {
        let each = self.profiles.rules[rule].parts.iter().zip(parts);
        let states = each.filter_map(|(part, &at)| self.states[part.of].get_index(at as usize));
        states.map(|state| &*state.meets).collect()
    }

    /// For each level (the first is that nothing is chosen), the interactions all of whose members are known with it, as cells.
    fn checks(&self, rule: VariantRuleId, names: &[VariantNameId]) -> Vec<Vec<Vec<usize>>> {
        let (text, facts) = (&self.profiles.rules[rule], &self.slots.rules[rule]);
        let mut checks = vec![Vec::new(); names.len() + 1];
        for one in text.interactions.iter().filter(|one| !is_own(text, one)) {
            let level = |name| names.iter().position(|known| *known == name).map_or(0, |at| at + 1);
            let last = one.members.iter().map(|who| level(who.name)).max().unwrap_or(0);
            let cells = one.members.iter().map(|who| facts.cell(who.name, who.port.0)).collect();
            checks[last].push(cells);
        }
        checks
    }

    /// What parts tell, what they demand of others, and how many of theirs are in the set to begin with.
    fn told(&self, rule: VariantRuleId, parts: &[u32]) -> Option<(Vec<u8>, Vec<u8>, u8)> {
        let (text, facts) = (&self.profiles.rules[rule], &self.slots.rules[rule]);
        let mut values = vec![0u8; facts.cells.len()];
        let mut most = vec![0b1111u8; facts.cells.len()];
        let mut first = 0;
        for (place, (part, &state)) in text.parts.iter().zip(parts).enumerate() {
            let state = self.states[part.of].get_index(state as usize)?;
            first += state.first;
            let slots = self.slots.of[part.of].iter().zip(&facts.parts[place]);
            for ((slot, &cell), &value) in slots.zip(&state.values) {
                match slot.inside {
                    true => values[cell] = value,
                    false => most[cell] &= value,
                }
            }
        }
        let is_met = |(cell, (name, _)): (usize, &(VariantNameId, _))| {
            !matches!(text.origins[*name], NameOrigin::Part(..)) || values[cell] & !most[cell] == 0
        };
        let met = facts.cells.iter().enumerate().all(is_met);
        (met && first <= 1).then_some((values, most, first))
    }

    /// The ports of a name that a rule looks at.
    fn ports(&self, rule: VariantRuleId, name: VariantNameId) -> Vec<PatternPortId> {
        let facts = &self.slots.rules[rule];
        facts.of(name).map(|cell| PatternPortId(facts.cells[cell].1)).collect()
    }

    /// The sets of a component made here.
    fn made_choices(
        &mut self,
        rule: VariantRuleId,
        place: usize,
    ) -> Result<Rc<[SetChoice]>, NotCounted> {
        let (name, _) = self.profiles.rules[rule].components[place];
        let ports = self.ports(rule, name);
        self.set_choices((rule, place), ports)
    }

    /// What those who can stand behind an outer name have for the ports that are looked at here.
    fn outer_choices(
        &mut self,
        rule: VariantRuleId,
        name: VariantNameId,
    ) -> Result<Rc<[SetChoice]>, NotCounted> {
        let ports = self.ports(rule, name);
        let mut all: Vec<Vec<u8>> = Vec::new();
        for maker in self.makers[rule][name].clone() {
            let choices = self.set_choices(maker, ports.clone())?;
            all.extend(choices.iter().map(|choice| choice.values.clone()));
        }
        all.sort_unstable();
        all.dedup();
        Ok(all
            .into_iter()
            .map(|values| SetChoice { values, first: false, set: StateBits::default() })
            .collect())
    }

    /// The sets of a component by itself that keep its own interactions, with what they have for some ports.
    fn set_choices(
        &mut self,
        maker: Maker,
        ports: Vec<PatternPortId>,
    ) -> Result<Rc<[SetChoice]>, NotCounted> {
        let (rule, place) = maker;
        let text = &self.profiles.rules[rule];
        let (name, of) = text.components[place];
        let of = &self.pattern.types[of];
        let key = (maker, ports);
        if let Some(known) = self.sets.get(&key) {
            return Ok(Rc::clone(known));
        }
        let own = own_ports(text, name);
        let together = of.moves.iter().filter(|step| own.contains(&step.port));
        let pairs = together.map(|step| [step.from, step.to].into_iter().collect());
        let classes = classes(of, pairs.chain([of.initial()]));
        let sets: Vec<StateBits> = match self.which {
            WhichSets::All if classes.len() as u32 > MOST_SETS.ilog2() => {
                return Err(NotCounted::Component(of.label.clone()));
            }
            WhichSets::All => {
                let is_in = |bits: u32, at: usize| bits >> at & 1 == 1;
                let all = 0..1u32 << classes.len();
                let chosen = |bits| (0..classes.len()).filter(move |at| is_in(bits, *at));
                all.map(|bits| joined_up(chosen(bits).map(|at| &classes[at]))).collect()
            }
            WhichSets::Few => {
                let whole =
                    |set: &StateBits| joined_up(classes.iter().filter(|class| class.meets(set)));
                let all: BTreeSet<StateBits> = few_sets(of).iter().map(whole).collect();
                all.into_iter().collect()
            }
        };
        let choice = |set: StateBits| SetChoice {
            values: key.1.iter().map(|&port| counted_value(of, port, &set)).collect(),
            first: set.meets(&of.initial()),
            set,
        };
        let all: Rc<[SetChoice]> = sets.into_iter().map(choice).collect();
        self.sets.insert(key, Rc::clone(&all));
        Ok(all)
    }
}

/// The classes of states that are in a set together or not at all.
fn classes(of: &ComponentType, together: impl Iterator<Item = StateBits>) -> Vec<StateBits> {
    let mut classes: Vec<StateBits> = of.states.ids().map(StateBits::one).collect();
    for pair in together {
        let (met, mut rest): (Vec<StateBits>, Vec<StateBits>) =
            classes.into_iter().partition(|class| class.meets(&pair));
        if !met.is_empty() {
            rest.push(joined_up(met.iter()));
        }
        classes = rest;
    }
    classes.sort_unstable();
    classes
}

/// All states of some sets.
fn joined_up<'s>(sets: impl Iterator<Item = &'s StateBits>) -> StateBits {
    sets.fold(StateBits::default(), |mut all, set| {
        all.join(set);
        all
    })
}

/// How a count goes on, for one family. Counts are small numbers: sets of them are the bits of one.
pub trait Counter {
    /// The count of nothing.
    fn nothing() -> usize;

    /// Two counts together; nothing if nobody knows any more.
    fn add(one: usize, other: usize) -> Option<usize>;

    /// The count of one component.
    fn of(now: bool, first: bool) -> usize;

    /// Whether a situation with this count cannot be.
    fn excludes(count: usize) -> bool;

    /// What a count says: at least, at most.
    fn bounds(count: usize) -> (Option<i32>, Option<i32>);
}

/// How many are in the set now: none, one, or more.
#[derive(Clone, Copy, Debug)]
pub struct OneNow;

impl Counter for OneNow {
    fn nothing() -> usize {
        0
    }

    fn add(one: usize, other: usize) -> Option<usize> {
        Some((one + other).min(2))
    }

    fn of(now: bool, _first: bool) -> usize {
        usize::from(now)
    }

    fn excludes(count: usize) -> bool {
        count != 1
    }

    fn bounds(count: usize) -> (Option<i32>, Option<i32>) {
        (Some(count as i32), (count < 2).then_some(count as i32))
    }
}

/// How many more are in the set than to begin with: exactly, from -2 to 2; or a bound.
#[derive(Clone, Copy, Debug)]
pub struct MoreNow;

/// A difference: exactly, at least, at most.
#[derive(Clone, Copy)]
enum More {
    Exactly(i32),
    AtLeast(i32),
    AtMost(i32),
}

impl More {
    /// 0 to 4: exactly -2 to 2; 5 to 10: at least -2 to 3; 11 to 16: at most -3 to 2.
    fn of(count: usize) -> More {
        match count as i32 {
            count @ 0..5 => More::Exactly(count - 2),
            count @ 5..11 => More::AtLeast(count - 7),
            count => More::AtMost(count - 14),
        }
    }

    fn count(self) -> Option<usize> {
        let count = match self {
            More::Exactly(more @ -2..=2) => more + 2,
            More::Exactly(more) if more > 0 => 10,
            More::Exactly(_) => 11,
            More::AtLeast(more) if more < -2 => return None,
            More::AtLeast(more) => more.min(3) + 7,
            More::AtMost(more) if more > 2 => return None,
            More::AtMost(more) => more.max(-3) + 14,
        };
        Some(count as usize)
    }
}

impl Counter for MoreNow {
    fn nothing() -> usize {
        2
    }

    fn add(one: usize, other: usize) -> Option<usize> {
        let more = match (More::of(one), More::of(other)) {
            (More::Exactly(one), More::Exactly(other)) => More::Exactly(one + other),
            (More::AtMost(one), More::AtMost(other) | More::Exactly(other))
            | (More::Exactly(one), More::AtMost(other)) => More::AtMost(one + other),
            (More::AtLeast(one), More::AtLeast(other) | More::Exactly(other))
            | (More::Exactly(one), More::AtLeast(other)) => More::AtLeast(one + other),
            _ => return None,
        };
        more.count()
    }

    fn of(now: bool, first: bool) -> usize {
        usize::from(now) + 2 - usize::from(first)
    }

    fn excludes(count: usize) -> bool {
        match More::of(count) {
            More::Exactly(more) => more != 0,
            More::AtLeast(more) => more > 0,
            More::AtMost(more) => more < 0,
        }
    }

    fn bounds(count: usize) -> (Option<i32>, Option<i32>) {
        match More::of(count) {
            More::Exactly(more) => (Some(more), Some(more)),
            More::AtLeast(more) => (Some(more), None),
            More::AtMost(more) => (None, Some(more)),
        }
    }
}

/// States with counts that a tree can have: a number for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CountedSet(pub u32);

/// The automaton with counts.
#[derive(Debug)]
pub struct Counted<'p, C> {
    pattern: &'p SystemPattern,
    pub(super) profiles: &'p Profiles,
    /// The automaton without counts.
    pub table: CountedTable,
    /// Which of its states are used (`chosen.rs`).
    pub(super) used: IndexVec<VariantId, Vec<bool>>,
    /// For each state of the variant, the counts that it is there with, as bits.
    sets: IndexSet<(VariantId, Box<[u32]>), FxBuildHasher>,
    steps: FxHashMap<(VariantRuleId, Vec<ComponentStateId>, Vec<CountedSet>), CountedSet>,
    seen: FxHashMap<(VariantRuleId, Vec<ComponentStateId>), Rc<[SeenTransition]>>,
    counter: std::marker::PhantomData<C>,
}

/// What a transition comes to where components are in known states: many sets are alike then.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct SeenTransition {
    /// The states of the parts.
    parts: Vec<u32>,
    /// The state.
    to: u32,
    /// The counts of the components made here that there are with these, as bits.
    own: u32,
}

impl<'p, C: Counter> Counted<'p, C> {
    /// An automaton with counts, of which no states are used yet.
    pub fn new(pattern: &'p SystemPattern, profiles: &'p Profiles, table: CountedTable) -> Self {
        let (sets, steps, seen) = (IndexSet::default(), FxHashMap::default(), FxHashMap::default());
        let used = table.states.iter().map(|all| vec![false; all.len()]).collect();
        let counter = std::marker::PhantomData;
        Counted { pattern, profiles, table, used, sets, steps, seen, counter }
    }

    /// Forgets the sets of trees that were found: other states are used now.
    pub(super) fn forget(&mut self) {
        self.sets.clear();
        self.steps.clear();
        self.seen.clear();
    }

    /// The variant of a node.
    pub(super) fn variant(&self, unfolding: &Unfolding, node: UnfoldingNodeId) -> VariantId {
        self.profiles.rules[unfolding.nodes[node].rule].of
    }

    /// The count of the components that a rule makes, in these states.
    pub(super) fn own_count(
        &self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        sets: &[StateBits],
    ) -> Option<usize> {
        let made = self.profiles.rules[rule].components.iter().zip(letter);
        let mut each = made.zip(sets).map(|(((_, of), state), set)| {
            let first = set.meets(&self.pattern.types[*of].initial());
            C::of(set.has(*state), first)
        });
        each.try_fold(C::nothing(), C::add)
    }

    /// The slots that values of states are for.
    pub fn slots(&self, of: VariantId) -> &[FactSlot] {
        &self.table.slots[of]
    }

    /// The sets of states of components that are used, with whose they are.
    pub fn looked_at(&self) -> impl Iterator<Item = (ComponentTypeId, &StateBits)> {
        let rules = self.profiles.rules.iter().zip(&self.table.transitions);
        rules.flat_map(|(rule, all)| {
            let used = all.iter().filter(|one| self.is_used(rule, one));
            used.flat_map(|one| rule.components.iter().map(|(_, of)| *of).zip(&one.sets))
        })
    }

    fn counts_of(&self, set: CountedSet) -> &[u32] {
        self.sets.get_index(set.0 as usize).map_or(&[], |(_, counts)| counts)
    }

    /// The states and counts of a set.
    pub fn members(&self, set: CountedSet) -> impl Iterator<Item = (u32, usize)> {
        let all = self.counts_of(set).iter().enumerate();
        all.flat_map(|(state, counts)| ones(*counts).map(move |count| (state as u32, count)))
    }

    /// Whether a set of the start says that a situation cannot be.
    pub fn excludes(&self, set: CountedSet) -> bool {
        let Some((of, _)) = self.sets.get_index(set.0 as usize) else { return false };
        let ends = |state: u32| self.table.ends(*of, state);
        self.members(set).any(|(state, count)| C::excludes(count) && ends(state))
    }

    /// Whether one set excludes at least what another does.
    pub fn covers(&self, one: CountedSet, other: CountedSet) -> bool {
        let mut each = self.counts_of(one).iter().zip(self.counts_of(other));
        one == other || each.all(|(one, other)| other & !one == 0)
    }

    /// The states and counts of a tree: a rule, the states of the components that it makes, and those of its parts.
    pub fn step(
        &mut self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        parts: &[CountedSet],
        budget: &Budget,
    ) -> CountedSet {
        let key = (rule, letter.to_vec(), parts.to_vec());
        if let Some(&known) = self.steps.get(&key) {
            return known;
        }
        let of = self.profiles.rules[rule].of;
        let mut counts = vec![0u32; self.table.states[of].len()].into_boxed_slice();
        let seen = self.seen(rule, letter);
        let below: Vec<&[u32]> = parts.iter().map(|part| self.counts_of(*part)).collect();
        for (at, one) in seen.iter().enumerate() {
            if at % 64 == 0 && budget.is_spent() {
                break;
            }
            counts[one.to as usize] |= with_parts::<C>(one, &below);
        }
        let set = CountedSet(self.sets.insert_full((of, counts)).0 as u32);
        self.steps.insert(key, set);
        set
    }

    /// Whether all states of a transition are used.
    fn is_used(&self, rule: &VariantRule, one: &CountedTransition) -> bool {
        let mut parts = rule.parts.iter().zip(&one.parts);
        self.used[rule.of][one.to as usize]
            && parts.all(|(part, &state)| self.used[part.of][state as usize])
    }

    /// The transitions of a rule where the components that it makes are in these states.
    fn seen(&mut self, rule: VariantRuleId, letter: &[ComponentStateId]) -> Rc<[SeenTransition]> {
        let key = (rule, letter.to_vec());
        if let Some(known) = self.seen.get(&key) {
            return Rc::clone(known);
        }
        let text = &self.profiles.rules[rule];
        let seen = |one: &CountedTransition| SeenTransition {
            parts: one.parts.clone(),
            to: one.to,
            own: self.own_count(rule, letter, &one.sets).map_or(0, |count| 1 << count),
        };
        let all = self.table.transitions[rule].iter().filter(|one| self.is_used(text, one));
        let mut all: Vec<SeenTransition> = all.map(seen).collect();
        all.sort_unstable();
        all.dedup_by(|next, one| {
            let alike = next.to == one.to && next.parts == one.parts;
            one.own |= if alike { next.own } else { 0 };
            alike
        });
        let all: Rc<[SeenTransition]> = all.into();
        self.seen.insert(key, Rc::clone(&all));
        all
    }
}

/// The counts that a transition can have, where parts have these by their states.
fn with_parts<C: Counter>(one: &SeenTransition, parts: &[&[u32]]) -> u32 {
    let below = || one.parts.iter().zip(parts).map(|(&state, part)| part[state as usize]);
    if below().any(|counts| counts == 0) {
        return 0;
    }
    below().fold(one.own, |all, more| {
        let sums = ones(all).flat_map(|one| ones(more).map(move |other| C::add(one, other)));
        sums.flatten().fold(0, |counts, count| counts | 1 << count)
    })
}

/// The places of the ones in a number.
fn ones(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (at < u32::BITS).then_some(at as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::{Counter, MoreNow, OneNow};

    /// Sums of up to so many components, in whatever order and grouping: the count, and how much it really is.
    fn sums<C: Counter>(value: impl Fn(bool, bool) -> i32) -> Vec<(Option<usize>, i32)> {
        let add = |one: Option<usize>, other: Option<usize>| C::add(one?, other?);
        let mut of_size: Vec<Vec<(Option<usize>, i32)>> = vec![vec![(Some(C::nothing()), 0)]];
        let both = [false, true];
        let each = both.iter().flat_map(|now| both.iter().map(move |first| (*now, *first)));
        let single: Vec<_> =
            each.map(|(now, first)| (Some(C::of(now, first)), value(now, first))).collect();
        of_size.push(single);
        for size in 2..=8 {
            let mut all = Vec::new();
            for (left, right) in (1..size).map(|left| (left, size - left)) {
                for one in &of_size[left] {
                    all.extend(of_size[right].iter().map(|o| (add(one.0, o.0), one.1 + o.1)));
                }
            }
            all.sort_unstable();
            all.dedup();
            of_size.push(all);
        }
        of_size.concat()
    }

    /// What a count says is true of what was added, and it excludes only what cannot be; what stays small is known exactly.
    #[test]
    fn counts_say_what_is_so() {
        let (mut known, mut bounded, mut lost) = (0, 0, 0);
        for (count, more) in sums::<MoreNow>(|now, first| i32::from(now) - i32::from(first)) {
            let Some(count) = count else {
                lost += 1;
                continue;
            };
            let (least, most) = MoreNow::bounds(count);
            assert!(least.is_none_or(|least| least <= more), "{count}: {more}");
            assert!(most.is_none_or(|most| more <= most), "{count}: {more}");
            assert!(!MoreNow::excludes(count) || more != 0, "{count}: {more}");
            // Bounds are as good as they can be: it is excluded where they say that it is not zero.
            let not_zero =
                least.is_some_and(|least| least > 0) || most.is_some_and(|most| most < 0);
            assert_eq!(MoreNow::excludes(count), not_zero, "{count}: {more}");
            match least == most {
                true => known += 1,
                false => bounded += 1,
            }
        }
        assert!(known > 20 && bounded > 10 && lost > 0, "{known} {bounded} {lost}");
        for (count, now) in sums::<OneNow>(|now, _| i32::from(now)) {
            let Some(count) = count else { panic!("one is always known") };
            let (least, most) = OneNow::bounds(count);
            assert!(least.is_none_or(|least| least <= now) && most.is_none_or(|most| now <= most));
            assert_eq!(OneNow::excludes(count), now != 1, "{count}: {now}");
        }
    }

    /// Three more is at least three more: a bound is not weaker than what is known.
    #[test]
    fn bounds_are_tight_where_they_begin() {
        let add = |one: usize, other: usize| MoreNow::add(one, other).unwrap_or(usize::MAX);
        let (more, less) = (MoreNow::of(true, false), MoreNow::of(false, true));
        let three = add(add(more, more), more);
        assert_eq!(MoreNow::bounds(three), (Some(3), None));
        assert_eq!(MoreNow::bounds(add(three, less)), (Some(2), None));
        let fewer = add(add(less, less), less);
        assert_eq!(MoreNow::bounds(fewer), (None, Some(-3)));
        assert_eq!(MoreNow::bounds(add(fewer, more)), (None, Some(-2)));
        assert_eq!(MoreNow::add(three, fewer), None);
    }
}

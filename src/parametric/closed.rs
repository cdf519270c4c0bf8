//! Traps and siphons of all unfoldings, as an automaton on trees of rules.
//!
//! A state says what a part of an unfolding tells about those of its parameters that are made inside (for some `Z`), what it
//! demands of the others, and whether it has what marks `Z`. Better values are smaller, better demands are larger: only the best
//! states of a tree are kept.
//!
//! Nobody goes through sets of states of a component: "these ports are at most as bad as this" is a set of states that must
//! be in `Z` and of moves that may not leave it; the sets that meet it are closed under union and intersection, and propagation
//! finds the largest and the least.

use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::bits::StateBits;
use super::meeting::{MeetingSums, MeetingUnit, Sums, are_within, joined};
use super::pattern::{
    ComponentStateId, ComponentType, ComponentTypeId, PatternPortId, SystemPattern,
};
use super::profile::{
    NameOrigin, Profiles, VariantId, VariantInteraction, VariantNameId, VariantRule, VariantRuleId,
};
use super::slots::{FactSlot, Makers, Slots, each_choice, makers, slots};
use super::values::{BEST, HARM, HARMLESS, closed_value, ends, is_closed};
use crate::base::{Budget, IndexVec};

/// What is demanded of a name of a rule.
type Demanded = (VariantRuleId, VariantNameId, Vec<u8>);

/// A state: a value for each slot of the variant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClosedState {
    /// What is told or demanded.
    pub values: Box<[u8]>,
    /// Whether `Z` is marked.
    pub marked: bool,
    /// What those who join meetings do to it.
    pub meets: Box<[u8]>,
}

/// The best states of a tree: a number for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClosedSet(pub u32);

/// The automaton of traps, or of siphons.
#[derive(Debug)]
pub struct Closed<'p> {
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    /// Siphons are traps of what goes backwards.
    backwards: bool,
    slots: Slots,
    makers: Makers,
    meetings: MeetingSums,
    plans: IndexVec<VariantRuleId, Rc<RulePlan>>,
    sets: IndexSet<(VariantId, Vec<ClosedState>), FxBuildHasher>,
    steps: FxHashMap<(VariantRuleId, Vec<ComponentStateId>, Vec<ClosedSet>), ClosedSet>,
    choices: FxHashMap<(VariantRuleId, usize, ComponentStateId), Rc<Vec<PortChoice>>>,
    demanded: FxHashMap<Demanded, Option<Rc<[u8]>>>,
    covers: FxHashMap<(ClosedSet, ClosedSet), bool>,
}

/// What a rule comes to.
#[derive(Debug)]
struct RulePlan {
    /// The cells of the members of each interaction that has to be looked at.
    interactions: Vec<Vec<usize>>,
    /// For each cell, whether its name is made outside.
    outer: Vec<bool>,
    /// The names that are made outside and have cells.
    outer_names: Vec<VariantNameId>,
    /// Who joins each meeting.
    joined: Vec<Vec<MeetingUnit>>,
}

/// What a component can have for its ports.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PortChoice {
    values: Vec<u8>,
    marked: bool,
    set: StateBits,
}

/// The ports of a component by which it interacts alone: this happens where it is made, so it is known at once.
pub fn own_ports(rule: &VariantRule, name: VariantNameId) -> Vec<PatternPortId> {
    let alone = rule.interactions.iter().filter(|one| is_own(rule, one));
    let own = alone.flat_map(|one| &one.members).filter(|who| who.name == name);
    own.map(|who| who.port).collect()
}

/// Whether an interaction has one member only, which is made here.
pub fn is_own(rule: &VariantRule, one: &VariantInteraction) -> bool {
    let made = |name| matches!(rule.origins[name], NameOrigin::Made(_));
    matches!(one.members[..], [only] if made(only.name))
}

/// The ports that rules look at.
pub fn looked_at(
    profiles: &Profiles,
) -> IndexVec<VariantRuleId, Vec<(VariantNameId, super::slots::Fact)>> {
    let rule = |rule: &VariantRule| {
        let all = rule.interactions.iter().filter(|one| !is_own(rule, one));
        let joins = rule.joins.iter().flat_map(|join| &join.members);
        let all = all.flat_map(|one| &one.members).chain(joins);
        all.map(|who| (who.name, who.port.0)).collect()
    };
    profiles.rules.iter().map(rule).collect()
}

impl<'p> Closed<'p> {
    /// The automaton of traps, or of siphons.
    pub fn new(pattern: &'p SystemPattern, profiles: &'p Profiles, backwards: bool) -> Self {
        let slots = slots(profiles, &looked_at(profiles));
        let plan = |(id, rule)| Rc::new(plan(pattern, rule, &slots, id));
        let plans = profiles.rules.enumerated().map(plan);
        Closed {
            pattern,
            profiles,
            backwards,
            plans: plans.collect(),
            slots,
            makers: makers(profiles),
            meetings: MeetingSums::of(pattern),
            sets: IndexSet::default(),
            steps: FxHashMap::default(),
            choices: FxHashMap::default(),
            demanded: FxHashMap::default(),
            covers: FxHashMap::default(),
        }
    }

    /// The slots that values of states are for.
    pub fn slots(&self, of: VariantId) -> &[FactSlot] {
        &self.slots.of[of]
    }

    /// The states of a set.
    pub fn states(&self, set: ClosedSet) -> &[ClosedState] {
        self.sets.get_index(set.0 as usize).map_or(&[], |(_, states)| states)
    }

    /// The sets of states of components that were looked at, with whose they are.
    pub fn looked_at(&self) -> impl Iterator<Item = (ComponentTypeId, &StateBits)> {
        let of = |rule: VariantRuleId, place: usize| self.profiles.rules[rule].components[place].1;
        let each = self.choices.iter();
        each.flat_map(move |((rule, place, _), all)| {
            all.iter().map(move |choice| (of(*rule, *place), &choice.set))
        })
    }

    /// Whether a set of the start says that a situation cannot be.
    pub fn excludes(&self, set: ClosedSet) -> bool {
        let kept = |state: &ClosedState| self.meetings.are_kept(Sums::Closed, &state.meets);
        self.states(set).iter().any(|state| state.marked && kept(state))
    }

    /// Whether one set excludes at least what another does.
    pub fn covers(&mut self, one: ClosedSet, other: ClosedSet) -> bool {
        if one == other {
            return true;
        }
        if let Some(&known) = self.covers.get(&(one, other)) {
            return known;
        }
        let of = self.sets.get_index(one.0 as usize).map(|(of, _)| *of);
        let slots = of.map_or(&[][..], |of| &self.slots.of[of]);
        let is_covered = |state: &ClosedState| {
            self.states(one).iter().any(|better| is_better(slots, better, state))
        };
        let covers = self.states(other).iter().all(is_covered);
        self.covers.insert((one, other), covers);
        covers
    }

    /// The best states of a tree: a rule, the states of the components that it makes, and the best states of its parts.
    pub fn step(
        &mut self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        parts: &[ClosedSet],
        budget: &Budget,
    ) -> ClosedSet {
        let key = (rule, letter.to_vec(), parts.to_vec());
        if let Some(&known) = self.steps.get(&key) {
            return known;
        }
        let mut found = Vec::new();
        let counts: Vec<usize> = parts.iter().map(|part| self.states(*part).len()).collect();
        let mut chosen = vec![0; parts.len()];
        each_choice(&counts, |choice| {
            match choice {
                Some((level, at)) => chosen[level] = at,
                None => {
                    let each = parts.iter().zip(&chosen);
                    let each = each.map(|(part, &at)| self.states(*part)[at].clone());
                    let states: Vec<ClosedState> = each.collect();
                    self.with_parts(rule, letter, &states, &mut found, budget);
                }
            }
            budget.spent().is_none()
        });
        found.sort_unstable();
        let set = self.sets.insert_full((self.profiles.rules[rule].of, found)).0;
        self.steps.insert(key, ClosedSet(set as u32));
        ClosedSet(set as u32)
    }

    /// The states of a tree whose parts have these states.
    fn with_parts(
        &mut self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        parts: &[ClosedState],
        found: &mut Vec<ClosedState>,
        budget: &Budget,
    ) {
        let text = &self.profiles.rules[rule];
        let plan = Rc::clone(&self.plans[rule]);
        let Some((told, most)) = self.told(rule, parts) else { return };
        let made: Vec<Rc<Vec<PortChoice>>> = (0..letter.len())
            .map(|place| self.port_choices(rule, place, letter[place], budget))
            .collect();
        let ranges: Vec<_> =
            text.components.iter().map(|(name, _)| self.slots.rules[rule].of(*name)).collect();
        let counts: Vec<usize> = made.iter().map(|all| all.len()).collect();
        let marked_below = parts.iter().any(|state| state.marked);
        let mut values = told;
        let mut marked = vec![false; counts.len()];
        let mut complete = Vec::new();
        each_choice(&counts, |choice| {
            let Some((level, at)) = choice else {
                let marked = marked_below || marked.iter().any(|one| *one);
                complete.push((values.clone(), marked));
                return true;
            };
            let (range, choice) = (ranges[level].clone(), &made[level][at]);
            values[range.clone()].copy_from_slice(&choice.values);
            marked[level] = choice.marked;
            !budget.is_spent() && range.into_iter().all(|cell| values[cell] <= most[cell])
        });
        for (values, marked) in complete {
            let below = parts.iter().map(|state| &*state.meets);
            let value = |cell: usize| values[cell];
            let meets = self.meetings.step(Sums::Closed, &plan.joined, value, below);
            let demanded = demands(&plan, values, budget);
            let demanded = demanded.into_iter().filter_map(|one| self.settled(rule, &plan, one));
            let demanded: Vec<Vec<u8>> = demanded.collect();
            for values in demanded {
                let own = self.slots.rules[rule].own.iter().map(|&cell| values[cell]).collect();
                let meets = meets.clone();
                add(self.slots(text.of), found, ClosedState { values: own, marked, meets });
            }
        }
    }

    /// What parts tell, and what they demand of what is made here; nothing if one part cannot have what another demands.
    /// What is demanded of names outside is a value to begin with.
    fn told(&self, rule: VariantRuleId, parts: &[ClosedState]) -> Option<(Vec<u8>, Vec<u8>)> {
        let (text, facts) = (&self.profiles.rules[rule], &self.slots.rules[rule]);
        let mut values = vec![HARM; facts.cells.len()];
        let mut most = vec![HARM; facts.cells.len()];
        for (place, state) in parts.iter().enumerate() {
            let slots = self.slots.of[text.parts[place].of].iter();
            for ((slot, &cell), &value) in slots.zip(&facts.parts[place]).zip(&state.values) {
                let known = if slot.inside { &mut values } else { &mut most };
                known[cell] = known[cell].min(value);
            }
        }
        for (cell, (name, _)) in facts.cells.iter().enumerate() {
            match text.origins[*name] {
                NameOrigin::Outer(_) => values[cell] = most[cell],
                NameOrigin::Part(..) if values[cell] > most[cell] => return None,
                _ => {}
            }
        }
        Some((values, most))
    }

    /// The best that a component made here can have for its ports.
    fn port_choices(
        &mut self,
        rule: VariantRuleId,
        place: usize,
        state: ComponentStateId,
        budget: &Budget,
    ) -> Rc<Vec<PortChoice>> {
        let key = (rule, place, state);
        if let Some(known) = self.choices.get(&key) {
            return Rc::clone(known);
        }
        let (name, _) = self.profiles.rules[rule].components[place];
        let facts = &self.slots.rules[rule];
        let ports: Vec<PatternPortId> =
            facts.of(name).map(|cell| PatternPortId(facts.cells[cell].1)).collect();
        let (of, own) = self.made((rule, place));
        let current = StateBits::one(state);
        let (forbidden, marks) =
            if self.backwards { (of.initial(), current) } else { (current, of.initial()) };
        let sets = SetsOf { of, own: &own, ports: &ports, backwards: self.backwards };
        let found = Rc::new(sets.choices(&forbidden, &marks, budget));
        self.choices.insert(key, Rc::clone(&found));
        found
    }

    fn made(&self, maker: (VariantRuleId, usize)) -> (&'p ComponentType, Vec<PatternPortId>) {
        let rule = &self.profiles.rules[maker.0];
        let (name, of) = rule.components[maker.1];
        (&self.pattern.types[of], own_ports(rule, name))
    }

    /// What is demanded of outer names, with all that follows from it for those who can stand there; nothing if nobody there can have
    /// it. Demands that come to the same are equal then, and of others it is seen that one is weaker.
    fn settled(
        &mut self,
        rule: VariantRuleId,
        plan: &RulePlan,
        mut values: Vec<u8>,
    ) -> Option<Vec<u8>> {
        for &name in &plan.outer_names {
            let range = self.slots.rules[rule].of(name);
            let key = (rule, name, values[range.clone()].to_vec());
            let known = match self.demanded.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let found = self.follows(rule, name, &key.2).map(Rc::from);
                    self.demanded.insert(key, found.clone());
                    found
                }
            };
            values[range].copy_from_slice(&known?);
        }
        Some(values)
    }

    /// What follows where this is demanded of somebody behind a name.
    fn follows(&self, rule: VariantRuleId, name: VariantNameId, wanted: &[u8]) -> Option<Vec<u8>> {
        let facts = &self.slots.rules[rule];
        let ports: Vec<PatternPortId> =
            facts.of(name).map(|cell| PatternPortId(facts.cells[cell].1)).collect();
        let each = self.makers[rule][name].iter().filter_map(|&maker| {
            let (of, own) = self.made(maker);
            SetsOf { of, own: &own, ports: &ports, backwards: self.backwards }.follows(wanted)
        });
        each.reduce(|one, other| {
            one.iter().zip(&other).map(|(one, other)| *one.max(other)).collect()
        })
    }
}

fn plan(pattern: &SystemPattern, rule: &VariantRule, slots: &Slots, id: VariantRuleId) -> RulePlan {
    let facts = &slots.rules[id];
    let is_outer = |name: VariantNameId| matches!(rule.origins[name], NameOrigin::Outer(_));
    let looked = rule.interactions.iter().filter(|one| !is_own(rule, one));
    let cells = |one: &VariantInteraction| {
        one.members.iter().map(|who| facts.cell(who.name, who.port.0)).collect()
    };
    let outer: BTreeSet<VariantNameId> =
        facts.cells.iter().map(|(name, _)| *name).filter(|name| is_outer(*name)).collect();
    let outer: Vec<VariantNameId> = outer.into_iter().collect();
    RulePlan {
        interactions: looked.map(cells).collect(),
        outer: facts.cells.iter().map(|(name, _)| is_outer(*name)).collect(),
        outer_names: outer,
        joined: joined(pattern, rule, |who| facts.cell(who.name, who.port.0)),
    }
}

/// What can be demanded of outer names so that all interactions are kept, as little as can be.
fn demands(plan: &RulePlan, values: Vec<u8>, budget: &Budget) -> Vec<Vec<u8>> {
    let mut all = vec![values];
    for cells in &plan.interactions {
        let mut next: Vec<Vec<u8>> = Vec::new();
        for values in all {
            let (outer, known): (Vec<usize>, Vec<usize>) =
                cells.iter().partition(|cell| plan.outer[**cell]);
            let harm = known.iter().any(|&cell| values[cell] == HARM);
            if is_closed(cells.iter().map(|&cell| values[cell])) {
                next.push(values);
                continue;
            }
            let demand = |cells: &[usize], most: u8| {
                let mut values = values.clone();
                cells.iter().for_each(|&cell| values[cell] = values[cell].min(most));
                values
            };
            next.extend(outer.iter().map(|&cell| demand(&[cell], BEST)));
            if !harm && !outer.is_empty() {
                next.push(demand(&outer, HARMLESS));
            }
        }
        all = weakest(next, budget);
    }
    all
}

/// The vectors that are not below another one.
fn weakest(mut all: Vec<Vec<u8>>, budget: &Budget) -> Vec<Vec<u8>> {
    all.sort_unstable();
    all.dedup();
    let below = |one: &Vec<u8>, other: &Vec<u8>| {
        one != other && one.iter().zip(other).all(|(one, other)| one <= other)
    };
    let keep: Vec<bool> = all
        .iter()
        .map(|one| budget.spent().is_none() && !all.iter().any(|other| below(one, other)))
        .collect();
    all.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(one, _)| one).collect()
}

/// Whether one state is at least as good as another.
pub fn is_better(slots: &[FactSlot], one: &ClosedState, other: &ClosedState) -> bool {
    let values = one.values.iter().zip(&other.values).zip(slots);
    let mut each = values.map(|((one, other), slot)| match slot.inside {
        true => one <= other,
        false => one >= other,
    });
    one.marked >= other.marked && each.all(|better| better) && are_within(&one.meets, &other.meets)
}

/// Adds a state, if no better one is there, in the place of those that are worse.
fn add(slots: &[FactSlot], found: &mut Vec<ClosedState>, state: ClosedState) {
    if !found.iter().any(|known| is_better(slots, known, &state)) {
        found.retain(|known| !is_better(slots, &state, known));
        found.push(state);
    }
}

/// The sets of states of a component of a type that keep its own interactions.
struct SetsOf<'t> {
    of: &'t ComponentType,
    own: &'t [PatternPortId],
    ports: &'t [PatternPortId],
    backwards: bool,
}

/// The two ends of a move, as the family sees them.
type Ends = (ComponentStateId, ComponentStateId);

impl SetsOf<'_> {
    fn moves(&self, port: PatternPortId) -> impl Iterator<Item = Ends> + Clone {
        self.of.moves_by(port).map(|step| ends(step, self.backwards))
    }

    /// The moves by its own interactions, and by some of the ports.
    fn kept(&self, is_kept: impl Fn(usize) -> bool) -> Vec<Ends> {
        let some = self.ports.iter().enumerate().filter(|(at, _)| is_kept(*at));
        let ports = self.own.iter().chain(some.map(|(_, port)| port));
        ports.flat_map(|&port| self.moves(port)).collect()
    }

    /// What a set has for the ports.
    fn values(&self, set: &StateBits) -> Vec<u8> {
        self.ports.iter().map(|&port| closed_value(self.of, port, set, self.backwards)).collect()
    }

    /// Whether a set can be what is in `Z` of somebody.
    fn can_be(&self, set: &StateBits) -> bool {
        if self.backwards { !set.meets(&self.of.initial()) } else { *set != self.of.all() }
    }

    /// What all sets have at most for the ports that have no more than this; nothing if there are none.
    fn follows(&self, wanted: &[u8]) -> Option<Vec<u8>> {
        let kept = self.kept(|at| wanted[at] == HARMLESS);
        let best = self.ports.iter().zip(wanted).filter(|(_, value)| **value == BEST);
        let ends = best.flat_map(|(&port, _)| self.moves(port)).map(|(_, to)| to);
        // Of such sets, what they have in common is one.
        let least = forwards(ends.collect(), &kept);
        let stays = |(from, to): Ends| {
            let mut with = least.clone();
            with.insert(from);
            let with = forwards(with, &kept);
            with.has(to) || !self.can_be(&with)
        };
        let value = |&port: &PatternPortId| {
            if self.moves(port).all(|(_, to)| least.has(to)) {
                BEST
            } else if self.moves(port).all(stays) {
                HARMLESS
            } else {
                HARM
            }
        };
        self.can_be(&least).then(|| self.ports.iter().map(value).collect())
    }

    /// The best values of the ports, of sets without what is forbidden.
    ///
    /// Larger sets are better but where a port does harm: then the largest set inside in which it does not is looked at as well. Every
    /// set lies in one of these that has no worse values.
    fn choices(
        &self,
        forbidden: &StateBits,
        marks: &StateBits,
        budget: &Budget,
    ) -> Vec<PortChoice> {
        let all = self.of.all();
        let largest = |without: StateBits, kept: &[Ends]| all.without(&backwards(without, kept));
        let mut found: Vec<PortChoice> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![largest(forbidden.clone(), &self.kept(|_| false))];
        while let Some(set) = open.pop() {
            if budget.spent().is_some() {
                break;
            }
            if !seen.insert(set.clone()) {
                continue;
            }
            let values = self.values(&set);
            let harm = (0..values.len()).filter(|at| values[*at] == HARM);
            open.extend(harm.map(|at| largest(all.without(&set), &self.kept(|one| one == at))));
            let marked = marks.is_within(&set);
            insert(&mut found, PortChoice { values, marked, set });
        }
        found
    }
}

/// Adds a choice, if no better one is there, in the place of those that are worse.
fn insert(found: &mut Vec<PortChoice>, choice: PortChoice) {
    let is_better = |one: &PortChoice, other: &PortChoice| {
        one.marked >= other.marked && one.values.iter().zip(&other.values).all(|(a, b)| a <= b)
    };
    if !found.iter().any(|known| is_better(known, &choice)) {
        found.retain(|known| !is_better(&choice, known));
        found.push(choice);
    }
}

/// What follows from a set by moves.
fn forwards(mut set: StateBits, moves: &[Ends]) -> StateBits {
    while let Some((_, to)) = moves.iter().find(|(from, to)| set.has(*from) && !set.has(*to)) {
        set.insert(*to);
    }
    set
}

/// What leads to a set by moves.
fn backwards(mut set: StateBits, moves: &[Ends]) -> StateBits {
    while let Some((from, _)) = moves.iter().find(|(from, to)| set.has(*to) && !set.has(*from)) {
        set.insert(*from);
    }
    set
}

//! The bad situations of all unfoldings, as an automaton on trees of rules and states of components.
//!
//! A state says what a part of an unfolding tells about those of its parameters that are made inside, what it demands of the
//! others, how many components are in the states that are counted, and which claims are violated.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::certificate::CertifiedFact;
use super::meeting::{MeetingSums, MeetingUnit, Sums, are_within, joined};
use super::pattern::{
    ComponentStateId, ComponentTypeId, GoalFormula, Meeting, NameFormula, PatternGoal, StateSet,
    SystemPattern,
};
use super::profile::{
    NameOrigin, Profiles, VariantId, VariantMember, VariantNameId, VariantRule, VariantRuleId,
};
use super::slots::{Fact, FactSlot, Makers, Slots, makers, slots};
use crate::base::IndexVec;

/// What is demanded of a name of a rule.
type Demanded = (VariantRuleId, VariantNameId, Vec<u8>);

/// A state of the automaton.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BadState {
    /// For each slot of the variant, what is told or demanded. Of what has to be impossible, 0 is demanded where it has to be
    /// so, and 1 where it does not matter.
    pub values: Box<[u8]>,
    /// How many are in each set that is counted (at most as many as anybody asks about), which claims are violated, and whether
    /// a component is in a state that is not final.
    pub flags: Box<[u8]>,
    /// Whether those who join meetings can move.
    pub meets: Box<[u8]>,
}

/// Something about the state of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
struct StateFact {
    states: StateSet,
    /// Whether it has to be known. Otherwise it only has to be false often enough.
    exact: bool,
}

/// The automaton of bad situations.
#[derive(Debug)]
pub struct Bad<'p> {
    pattern: &'p SystemPattern,
    profiles: &'p Profiles,
    goal: &'p PatternGoal,
    facts: Vec<StateFact>,
    slots: Slots,
    makers: Makers,
    meetings: MeetingSums,
    /// What is counted, and how far.
    counts: Vec<(StateSet, u8)>,
    /// The claims that are asked about: all, or those with a label.
    claims: Vec<Option<String>>,
    many_facts: usize,
    plans: IndexVec<VariantRuleId, BadPlan>,
    /// What those behind a name can have, of what is demanded of them.
    fitting: FxHashMap<Demanded, Rc<[Vec<u8>]>>,
}

/// What a rule comes to.
#[derive(Debug)]
struct BadPlan {
    /// The cells of the members of each interaction that has to be impossible.
    interactions: Vec<Vec<usize>>,
    /// The claims: which flags they are for, what is bad, and the cells of its tests.
    claims: Vec<(Vec<usize>, NameFormula, Vec<usize>)>,
    outer: Vec<bool>,
    exact: Vec<bool>,
    outer_names: Vec<VariantNameId>,
    /// Who joins each meeting that has to be impossible.
    joined: Vec<Vec<MeetingUnit>>,
}

/// What nobody knows yet.
const OPEN: u8 = 2;

impl<'p> Bad<'p> {
    /// The automaton of the situations that are bad for a goal. From so many facts about one name on, it is guessed what its component
    /// is.
    pub fn new(
        pattern: &'p SystemPattern,
        profiles: &'p Profiles,
        goal: &'p PatternGoal,
        many_facts: usize,
    ) -> Self {
        let (counts, claims) = asked(goal);
        let mut facts = Vec::new();
        let mut looks = IndexVec::default();
        for rule in &profiles.rules {
            looks.push(looked_at(pattern, goal, &claims, rule, &mut facts));
        }
        let slots = slots(profiles, &looks);
        let mut bad = Bad {
            pattern,
            profiles,
            goal,
            facts,
            slots,
            makers: makers(profiles),
            meetings: MeetingSums::of(pattern),
            counts,
            claims,
            many_facts,
            plans: IndexVec::default(),
            fitting: FxHashMap::default(),
        };
        bad.plans = profiles.rules.enumerated().map(|(id, rule)| bad.plan(id, rule)).collect();
        bad
    }

    fn plan(&mut self, id: VariantRuleId, rule: &VariantRule) -> BadPlan {
        let text = &self.pattern.rules[rule.rule];
        let facts = &self.slots.rules[id];
        let all = &mut self.facts;
        let stuck = rule.interactions.iter().filter(|one| self.goal.stuck && !one.may_only);
        let mut interactions = Vec::new();
        for one in stuck {
            let cells = members(self.pattern, &one.members, all);
            interactions
                .push(cells.into_iter().map(|(name, fact)| facts.cell(name, fact)).collect());
        }
        let mut claims = Vec::new();
        for claim in &text.nevers {
            let flags = claimed(&self.claims, &claim.label);
            let tests = tests(&claim.bad, rule, all);
            let cells = tests.into_iter().map(|(name, fact)| facts.cell(name, fact)).collect();
            if !flags.is_empty() {
                claims.push((flags, claim.bad.clone(), cells));
            }
        }
        let mut joined = joined(self.pattern, rule, |who| {
            let known = members(self.pattern, &[*who], all);
            known.first().map_or(usize::MAX, |(name, fact)| facts.cell(*name, *fact))
        });
        for (units, meeting) in joined.iter_mut().zip(&self.pattern.meetings) {
            if !is_counted_on(self.goal, meeting) {
                units.clear();
            }
        }
        let is_outer = |name: VariantNameId| matches!(rule.origins[name], NameOrigin::Outer(_));
        let names = facts.cells.iter().map(|(name, _)| *name);
        let outer_names: BTreeSet<_> = names.clone().filter(|name| is_outer(*name)).collect();
        BadPlan {
            interactions,
            claims,
            outer: names.map(is_outer).collect(),
            exact: facts.cells.iter().map(|(_, fact)| all[*fact as usize].exact).collect(),
            outer_names: outer_names.into_iter().collect(),
            joined,
        }
    }

    /// The slots that values of states are for.
    pub fn slots(&self, of: VariantId) -> &[FactSlot] {
        &self.slots.of[of]
    }

    /// Whether a fact has to be known exactly.
    pub fn is_exact(&self, fact: Fact) -> bool {
        self.facts[fact as usize].exact
    }

    /// Whether a fact is so, in a state of a component.
    pub fn is_so(&self, fact: Fact, of: ComponentTypeId, state: ComponentStateId) -> bool {
        self.facts[fact as usize].states.has(of, state)
    }

    /// What is asked about states, in words.
    pub fn certified_facts(&self) -> Vec<CertifiedFact> {
        let label = |of: ComponentTypeId, state: ComponentStateId| {
            let of = &self.pattern.types[of];
            format!("{}.{}", of.label, of.states[state].label)
        };
        let fact = |fact: &StateFact| {
            let types = self.pattern.types.enumerated();
            let all = types.flat_map(|(id, of)| of.states.ids().map(move |state| (id, state)));
            let states = all.filter(|(of, state)| fact.states.has(*of, *state));
            let states = states.map(|(of, state)| label(of, state)).collect();
            CertifiedFact { states, exact: fact.exact }
        };
        self.facts.iter().map(fact).collect()
    }

    /// Whether an unfolding with this state is bad.
    pub fn accepts(&self, state: &BadState) -> bool {
        let unrest = state.flags.last().is_some_and(|flag| *flag == 1);
        if self.goal.stuck && (!unrest || !self.is_impossible(&state.meets)) {
            return false;
        }
        self.goal.when.holds(&mut |atom| match atom {
            GoalFormula::AtLeast(many, states) => {
                let at = self.counts.iter().position(|(known, _)| known == states);
                at.is_some_and(|at| usize::from(state.flags[at]) >= *many)
            }
            GoalFormula::Violated(label) => {
                let at = self.claims.iter().position(|known| known == label);
                at.is_some_and(|at| state.flags[self.counts.len() + at] == 1)
            }
            _ => false,
        })
    }

    /// Whether no meeting that can be counted on can happen, where these are its sums.
    fn is_impossible(&self, meets: &[u8]) -> bool {
        let counted_on = |meeting: &Meeting| is_counted_on(self.goal, meeting);
        let each = self.pattern.meetings.iter().map(counted_on);
        self.meetings.are_kept_of(Sums::Enabled, meets, each)
    }

    /// Whether one state is at least as bad as another: whatever completes the other completes it.
    pub fn is_better(&self, of: VariantId, one: &BadState, other: &BadState) -> bool {
        let slots = self.slots.of[of].iter();
        let mut values = one.values.iter().zip(&other.values).zip(slots);
        let last = one.flags.len().saturating_sub(1);
        one.flags[..last] == other.flags[..last]
            && one.flags.last() >= other.flags.last()
            && are_within(&one.meets, &other.meets)
            && values.all(|((one, other), slot)| match (self.is_exact(slot.fact), slot.inside) {
                (true, _) => one == other,
                (false, true) => one <= other,
                (false, false) => one >= other,
            })
    }

    /// The states of a tree: a rule, the states of the components that it makes, and one state of each part.
    pub fn step(
        &mut self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        parts: &[&BadState],
    ) -> Vec<BadState> {
        let Some(values) = self.told(rule, letter, parts) else { return Vec::new() };
        let flags = self.flags(rule, letter, parts);
        let below = parts.iter().map(|part| &*part.meets);
        let value = |cell: usize| values[cell];
        let joined = &self.plans[rule].joined;
        let meets = self.meetings.step(Sums::Enabled, joined, value, below);
        let mut found: Vec<BadState> = Vec::new();
        for values in guesses(values) {
            let mut flags = flags.clone();
            self.violate(rule, &values, &mut flags);
            for values in impossible(&self.plans[rule], values) {
                for values in self.fitting(rule, values) {
                    let own = self.slots.rules[rule].own.iter().map(|&cell| values[cell]).collect();
                    let (flags, meets) = (flags.clone().into(), meets.clone());
                    found.push(BadState { values: own, flags, meets });
                }
            }
        }
        found
    }

    /// What is known of names made here and in parts, and demanded of others; nothing if a demand is not met.
    fn told(
        &self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        parts: &[&BadState],
    ) -> Option<Vec<u8>> {
        let (text, facts, plan) =
            (&self.profiles.rules[rule], &self.slots.rules[rule], &self.plans[rule]);
        let start = |cell: usize| if plan.exact[cell] { OPEN } else { 1 };
        let mut values: Vec<u8> = (0..facts.cells.len()).map(start).collect();
        for ((name, of), state) in text.components.iter().zip(letter) {
            for cell in facts.of(*name) {
                values[cell] = u8::from(self.is_so(facts.cells[cell].1, *of, *state));
            }
        }
        for inside in [true, false] {
            for (place, part) in text.parts.iter().enumerate() {
                let slots = self.slots.of[part.of].iter().zip(&facts.parts[place]);
                let slots =
                    slots.zip(&parts[place].values).filter(|((slot, _), _)| slot.inside == inside);
                for ((_, &cell), &value) in slots {
                    if inside {
                        values[cell] = value;
                    } else if !demand(plan, &mut values, cell, value) {
                        return None;
                    }
                }
            }
        }
        Some(values)
    }

    /// Counts, and whether something is not at rest; no claim is violated here yet.
    fn flags(
        &self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        parts: &[&BadState],
    ) -> Vec<u8> {
        let made = || self.profiles.rules[rule].components.iter().zip(letter);
        let mut flags = Vec::with_capacity(self.counts.len() + self.claims.len() + 1);
        for (at, (states, most)) in self.counts.iter().enumerate() {
            let here = made().filter(|((_, of), state)| states.has(*of, **state)).count();
            let below: usize = parts.iter().map(|part| usize::from(part.flags[at])).sum();
            flags.push((here + below).min(usize::from(*most)) as u8);
        }
        for at in self.counts.len()..self.counts.len() + self.claims.len() {
            flags.push(parts.iter().map(|part| part.flags[at]).max().unwrap_or(0));
        }
        let rests = |((_, of), state): (&(_, ComponentTypeId), &ComponentStateId)| {
            self.pattern.types[*of].states[*state].is_final
        };
        let below = parts.iter().filter_map(|part| part.flags.last()).any(|flag| *flag == 1);
        flags.push(u8::from(self.goal.stuck && (below || !made().all(rests))));
        flags
    }

    fn violate(&self, rule: VariantRuleId, values: &[u8], flags: &mut [u8]) {
        for (places, bad, cells) in &self.plans[rule].claims {
            let results: Vec<bool> = cells.iter().map(|&cell| values[cell] == 1).collect();
            if evaluate(bad, &results) {
                places.iter().for_each(|place| flags[self.counts.len() + place] = 1);
            }
        }
    }

    /// What is demanded of outer names, where components that can stand there can be so. Where much is asked about one, it is
    /// guessed which of all that it can be it is: demands that leave much open are too many.
    fn fitting(&mut self, rule: VariantRuleId, values: Vec<u8>) -> Vec<Vec<u8>> {
        let names = self.plans[rule].outer_names.clone();
        names.into_iter().fold(vec![values], |all, name| {
            let range = self.slots.rules[rule].of(name);
            let with = |values: Vec<u8>| {
                let fitting = self.fitting_of(rule, name, &values[range.clone()]);
                let one = |one: &Vec<u8>| {
                    let mut values = values.clone();
                    values[range.clone()].copy_from_slice(one);
                    values
                };
                fitting.iter().map(one).collect::<Vec<_>>()
            };
            all.into_iter().flat_map(with).collect()
        })
    }

    /// The same of one name: what is demanded of it, or nothing, or all that it can be then.
    fn fitting_of(
        &mut self,
        rule: VariantRuleId,
        name: VariantNameId,
        wanted: &[u8],
    ) -> Rc<[Vec<u8>]> {
        let key = (rule, name, wanted.to_vec());
        if let Some(known) = self.fitting.get(&key) {
            return Rc::clone(known);
        }
        let (facts, plan) = (&self.slots.rules[rule], &self.plans[rule]);
        let range = facts.of(name);
        let fits = |values: &Vec<u8>| {
            let mut each = range.clone().zip(values).zip(wanted);
            each.all(|((cell, &is_so), &wanted)| match plan.exact[cell] {
                true => is_so == wanted,
                false => is_so <= wanted,
            })
        };
        let makers = self.makers[rule][name].iter();
        let states = makers.flat_map(|&(maker, place)| {
            let of = self.profiles.rules[maker].components[place].1;
            self.pattern.types[of].states.ids().map(move |state| (of, state))
        });
        let is_so = |(of, state)| -> Vec<u8> {
            let each = range.clone().map(|cell| self.is_so(facts.cells[cell].1, of, state));
            each.map(u8::from).collect()
        };
        let mut all = states.map(is_so).filter(fits);
        let found: Rc<[Vec<u8>]> = match wanted.len() < self.many_facts {
            true => all.next().map(|_| wanted.to_vec()).into_iter().collect(),
            false => all.collect::<BTreeSet<_>>().into_iter().collect(),
        };
        self.fitting.insert(key, Rc::clone(&found));
        found
    }

    /// Whether so much is asked about a name that it is guessed what its component is.
    pub fn guesses(&self) -> bool {
        let much = |(rule, plan): (VariantRuleId, &BadPlan)| {
            let mut each = plan.outer_names.iter().map(|name| self.slots.rules[rule].of(*name));
            each.any(|range| range.len() >= self.many_facts)
        };
        self.plans.enumerated().any(much)
    }
}

/// All ways to guess what is not known of names outside.
fn guesses(values: Vec<u8>) -> Vec<Vec<u8>> {
    let open: Vec<usize> = (0..values.len()).filter(|&cell| values[cell] == OPEN).collect();
    let mut all = vec![values];
    for cell in open {
        let both = all.into_iter().flat_map(|values| {
            [0, 1].map(|value| {
                let mut values = values.clone();
                values[cell] = value;
                values
            })
        });
        all = both.collect();
    }
    all
}

/// Demands something of a name; false if it is known that it is not so.
fn demand(plan: &BadPlan, values: &mut [u8], cell: usize, value: u8) -> bool {
    match (plan.exact[cell], plan.outer[cell]) {
        (true, _) if values[cell] == OPEN => values[cell] = value,
        (true, _) => return values[cell] == value,
        (false, true) => values[cell] = values[cell].min(value),
        (false, false) => return values[cell] <= value,
    }
    true
}

/// What has to be demanded of outer names so that no interaction is possible, as little as can be.
fn impossible(plan: &BadPlan, values: Vec<u8>) -> Vec<Vec<u8>> {
    let mut all = vec![values];
    for cells in &plan.interactions {
        let mut next = Vec::new();
        for values in all {
            if cells.iter().any(|&cell| values[cell] == 0) {
                next.push(values);
                continue;
            }
            next.extend(cells.iter().filter(|cell| plan.outer[**cell]).map(|&cell| {
                let mut values = values.clone();
                values[cell] = 0;
                values
            }));
        }
        next.sort_unstable();
        next.dedup();
        all = next;
    }
    all
}

/// What a goal counts, and how far; and which claims it asks about.
pub(super) fn asked(goal: &PatternGoal) -> (Vec<(StateSet, u8)>, Vec<Option<String>>) {
    let mut counts: Vec<(StateSet, u8)> = Vec::new();
    let mut claims: Vec<Option<String>> = Vec::new();
    for atom in goal.when.atoms() {
        match atom {
            GoalFormula::AtLeast(many, states) => {
                let many = u8::try_from(*many).unwrap_or(u8::MAX);
                match counts.iter_mut().find(|(known, _)| known == states) {
                    Some((_, most)) => *most = many.max(*most),
                    None => counts.push((states.clone(), many)),
                }
            }
            GoalFormula::Violated(label) if !claims.contains(label) => claims.push(label.clone()),
            _ => {}
        }
    }
    (counts, claims)
}

/// The flags of claims with a label.
pub(super) fn claimed(claims: &[Option<String>], label: &str) -> Vec<usize> {
    let is_asked = |one: &Option<String>| one.as_ref().is_none_or(|one| one == label);
    let asked = claims.iter().enumerate().filter(|(_, one)| is_asked(one));
    asked.map(|(at, _)| at).collect()
}

/// The facts that a rule looks at.
fn looked_at(
    pattern: &SystemPattern,
    goal: &PatternGoal,
    claims: &[Option<String>],
    rule: &VariantRule,
    facts: &mut Vec<StateFact>,
) -> Vec<(VariantNameId, Fact)> {
    let mut looks = Vec::new();
    for one in rule.interactions.iter().filter(|one| goal.stuck && !one.may_only) {
        looks.extend(members(pattern, &one.members, facts));
    }
    for join in &rule.joins {
        if is_counted_on(goal, &pattern.meetings[join.meeting]) {
            looks.extend(members(pattern, &join.members, facts));
        }
    }
    for claim in &pattern.rules[rule.rule].nevers {
        if !claimed(claims, &claim.label).is_empty() {
            looks.extend(tests(&claim.bad, rule, facts));
        }
    }
    looks
}

/// Whether a meeting has to be impossible where something is bad.
pub(super) fn is_counted_on(goal: &PatternGoal, meeting: &Meeting) -> bool {
    goal.stuck && !meeting.may_only
}

/// The members of an interaction, with the fact that they can move.
fn members(
    pattern: &SystemPattern,
    members: &[VariantMember],
    facts: &mut Vec<StateFact>,
) -> Vec<(VariantNameId, Fact)> {
    let mut all = Vec::new();
    for who in members {
        let mut states = StateSet::new();
        for (of, kind) in pattern.types.enumerated() {
            kind.enabled(who.port).iter().for_each(|state| states.add(of, state));
        }
        all.push((who.name, fact(facts, StateFact { states, exact: false })));
    }
    all
}

/// The tests of a claim, from left to right.
fn tests(
    bad: &NameFormula,
    rule: &VariantRule,
    facts: &mut Vec<StateFact>,
) -> Vec<(VariantNameId, Fact)> {
    let tests = bad.tests().into_iter();
    let each = tests.map(|(name, states)| {
        (rule.names[name], fact(facts, StateFact { states: states.clone(), exact: true }))
    });
    each.collect()
}

fn fact(facts: &mut Vec<StateFact>, one: StateFact) -> Fact {
    let at = facts.iter().position(|known| *known == one).unwrap_or_else(|| {
        facts.push(one);
        facts.len() - 1
    });
    at as Fact
}

/// Whether a formula holds, with the results of all its tests from left to right.
fn evaluate(formula: &NameFormula, results: &[bool]) -> bool {
    match formula {
        NameFormula::In(..) => results.first().copied().unwrap_or(false),
        NameFormula::Not(one) => !evaluate(one, results),
        NameFormula::And(all) | NameFormula::Or(all) => {
            let mut rest = results;
            let mut each = all.iter().map(|one| {
                let (own, after) = rest.split_at(one.tests().len().min(rest.len()));
                rest = after;
                evaluate(one, own)
            });
            let is_and = matches!(formula, NameFormula::And(_));
            if is_and { each.all(|one| one) } else { each.any(|one| one) }
        }
    }
}

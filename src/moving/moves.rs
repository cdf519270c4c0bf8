//! What an interaction of an instance comes to between states of components: which members move how together, and whether
//! this must be possible or only may be.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::space::{Space, values};
use crate::algebra::{Evaluator, TermId, Terms, VarId};
use crate::base::budget::is_spent;
use crate::parametric::ComponentStateId;
use crate::safety::{Interaction, Participant, Problem, Turn};

/// A move of a component: from a state to a state.
pub type Move = (ComponentStateId, ComponentStateId);

/// Moves of each member, of which any go together.
pub type Block = Vec<BTreeSet<Move>>;

/// More ways in which members can move together are not looked at.
const MOST_WAYS: usize = 20_000;

/// So many participants that share variables are looked at one by one, where that can be done. Two are looked at together, which
/// makes fewer blocks.
const MANY: usize = 3;

/// What an interaction comes to, by the order of its participants.
#[derive(Clone, Default, Debug)]
pub struct Together {
    /// What is possible, whatever was forgotten.
    pub must: Vec<Block>,
    /// What may be possible.
    pub may: Vec<Block>,
}

/// Makes moves of interactions.
pub struct Moving<'a> {
    /// The problem of the net.
    pub problem: &'a Problem<'a>,
    /// Its terms, and those that are made.
    pub terms: &'a mut Terms,
    /// What evaluates them.
    pub evaluator: Evaluator<'a>,
    /// The states of each component.
    pub spaces: &'a [Space],
}

/// A way of a participant, with values of its variables.
pub(super) type Seat<'p> = (&'p Participant, &'p Turn, usize);

/// Participants that share variables: their places, and what is asked of them.
#[derive(Default)]
pub(super) struct Group {
    pub who: Vec<usize>,
    pub guard: Vec<TermId>,
    locals: Vec<VarId>,
}

/// Who moves how together; and from where something is possible for sure.
#[derive(Default)]
struct Found {
    tuples: BTreeSet<Vec<Move>>,
    sure: BTreeSet<Vec<ComponentStateId>>,
}

impl Moving<'_> {
    /// What an interaction comes to; nothing where there are too many ways. Those who have nothing to do with each other's data
    /// are looked at by themselves.
    pub fn together(&mut self, interaction: &Interaction) -> Option<Together> {
        let groups = self.groups(interaction);
        let many = interaction.participants.len();
        let nobody: Block = vec![BTreeSet::new(); many];
        let mut all = Together { must: vec![nobody], may: Vec::new() };
        for group in groups {
            let own = match group.who.len() >= MANY {
                true => self.apart(interaction, &group),
                false => None,
            };
            let own = match own {
                Some(own) => own,
                None => self.of_group(interaction, &group)?,
            };
            let with = |block: &Block, more: &Block| {
                let mut block = block.clone();
                group.who.iter().zip(more).for_each(|(at, moves)| block[*at] = moves.clone());
                block
            };
            let both = |ones: &[Block], others: &[Block]| -> Vec<Block> {
                ones.iter().cartesian_product(others).map(|(a, b)| with(a, b)).collect()
            };
            let must = both(&all.must, &own.must);
            let mut may = both(&all.must, &own.may);
            may.extend(both(&all.may, &own.must));
            may.extend(both(&all.may, &own.may));
            if must.len() + may.len() > MOST_WAYS {
                return None;
            }
            all = Together { must, may };
        }
        Some(all)
    }

    /// Participants that share variables, with what is asked of them.
    fn groups(&self, interaction: &Interaction) -> Vec<Group> {
        let mut owners: FxHashMap<VarId, usize> = FxHashMap::default();
        for (at, participant) in interaction.participants.iter().enumerate() {
            let component = &self.problem.components[participant.component];
            owners.extend(component.locations.iter().map(|var| (*var, at)));
            owners.extend(component.variables.iter().map(|(var, _)| (*var, at)));
        }
        let vars = |term: TermId| self.terms.free_vars(term);
        // The group of each participant, by one of its members.
        let mut group: Vec<usize> = (0..interaction.participants.len()).collect();
        let join = |group: &mut Vec<usize>, one: usize, other: usize| {
            let (to, from) = (group[one], group[other]);
            group.iter_mut().filter(|at| **at == from).for_each(|at| *at = to);
        };
        let mut shared: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut meet = |group: &mut Vec<usize>, at: usize, var: VarId| {
            let other = owners.get(&var).copied();
            let other = other.unwrap_or_else(|| *shared.entry(var).or_insert(at));
            join(group, at, other);
        };
        for (at, participant) in interaction.participants.iter().enumerate() {
            for way in &participant.ways {
                let updates = way.updates.iter().map(|(_, value)| *value);
                for term in way.conditions.iter().copied().chain(updates) {
                    vars(term).into_iter().for_each(|var| meet(&mut group, at, var));
                }
            }
        }
        let mut asked: Vec<(usize, TermId)> = Vec::new();
        for &term in &interaction.guard {
            let all = vars(term);
            let at = all.iter().find_map(|var| owners.get(var).copied()).unwrap_or(0);
            all.into_iter().for_each(|var| meet(&mut group, at, var));
            asked.push((at, term));
        }
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for (at, of) in group.iter().enumerate() {
            groups.entry(*of).or_default().who.push(at);
        }
        for (at, term) in asked {
            if let Some(of) = group.get(at) {
                groups.entry(*of).or_default().guard.push(term);
            }
        }
        for &local in &interaction.locals {
            let at = shared.get(&local).copied().unwrap_or(0);
            if let Some(of) = group.get(at) {
                groups.entry(*of).or_default().locals.push(local);
            }
        }
        groups.into_values().collect()
    }

    /// What participants that share variables come to.
    fn of_group(&mut self, interaction: &Interaction, group: &Group) -> Option<Together> {
        let mut seats: Vec<Vec<Seat<'_>>> = Vec::new();
        for (at, participant) in interaction.participants.iter().enumerate() {
            if group.who.contains(&at) {
                seats.push(self.seats(participant));
            }
        }
        let ways = seats.iter().fold(1usize, |many, one| many.saturating_mul(one.len()));
        if ways > MOST_WAYS {
            return None;
        }
        let mut found = Found::default();
        for chosen in seats.iter().map(|one| one.iter().copied()).multi_cartesian_product() {
            if is_spent() {
                return None;
            }
            self.joint(group, &chosen, &mut found)?;
        }
        let Found { tuples, sure } = found;
        let is_sure = |tuple: &Vec<Move>| {
            let from: Vec<_> = tuple.iter().map(|(from, _)| *from).collect();
            sure.contains(&from)
        };
        let (must, may): (BTreeSet<_>, BTreeSet<_>) = tuples.into_iter().partition(is_sure);
        Some(Together { must: blocks(&must), may: blocks(&may) })
    }

    /// The ways of a participant with all values of its variables, but for those that cannot be.
    pub(super) fn seats<'p>(&mut self, participant: &'p Participant) -> Vec<Seat<'p>> {
        let many = self.space(participant).valuations();
        let mut all = Vec::new();
        for way in &participant.ways {
            for valuation in 0..many {
                let seat = (participant, way, valuation);
                let known = self.known(&[seat], &FxHashMap::default());
                if self.truth(&way.conditions, &known) != Some(false) {
                    all.push(seat);
                }
            }
        }
        all
    }

    pub(super) fn space(&self, participant: &Participant) -> &Space {
        &self.spaces[participant.component.index()]
    }

    /// What is known where components are so.
    pub(super) fn known(
        &mut self,
        seats: &[Seat<'_>],
        locals: &FxHashMap<VarId, TermId>,
    ) -> FxHashMap<VarId, TermId> {
        let mut known = locals.clone();
        for (participant, way, valuation) in seats {
            let component = &self.problem.components[participant.component];
            for (location, var) in component.locations.enumerated() {
                known.insert(*var, self.terms.bool(location == way.from));
            }
            let space = self.space(participant);
            let values = space.values_at(*valuation);
            let kept = space.kept.iter().zip(values).map(|((var, all), at)| (*var, all[at]));
            known.extend(kept.collect::<Vec<_>>());
        }
        known
    }

    /// Whether all conditions hold, as far as is known.
    pub(super) fn truth(
        &mut self,
        conditions: &[TermId],
        known: &FxHashMap<VarId, TermId>,
    ) -> Option<bool> {
        let mut all = Some(true);
        for &condition in conditions {
            let value = self.value(condition, known);
            match self.terms.as_bool(value) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    fn value(&mut self, term: TermId, known: &FxHashMap<VarId, TermId>) -> TermId {
        let term = self.terms.substitute(term, known);
        self.evaluator.evaluate(self.terms, term)
    }

    /// The moves from one choice of ways and values; nothing where there are too many.
    fn joint(&mut self, group: &Group, seats: &[Seat<'_>], found: &mut Found) -> Option<()> {
        let own = seats.iter().flat_map(|(_, way, _)| &way.conditions);
        let conditions: Vec<TermId> = group.guard.iter().chain(own).copied().collect();
        for locals in self.locals(group) {
            let known = self.known(seats, &locals);
            let truth = self.truth(&conditions, &known);
            if truth == Some(false) {
                continue;
            }
            if truth == Some(true) {
                let from = seats.iter().map(|seat| self.from(seat)).collect();
                found.sure.insert(from);
            }
            let mut each = Vec::with_capacity(seats.len());
            for seat in seats {
                let from = self.from(seat);
                let ends = self.ends(seat, &known)?;
                each.push(ends.into_iter().map(|to| (from, to)).collect::<Vec<_>>());
            }
            let many = each.iter().fold(1usize, |many, one| many.saturating_mul(one.len()));
            if many.saturating_add(found.tuples.len()) > MOST_WAYS {
                return None;
            }
            found.tuples.extend(each.into_iter().multi_cartesian_product());
        }
        Some(())
    }

    pub(super) fn from(&self, (participant, way, valuation): &Seat<'_>) -> ComponentStateId {
        let space = self.space(participant);
        space.state(way.from, &space.values_at(*valuation))
    }

    /// Values for the variables of an interaction, where these have few.
    fn locals(&mut self, group: &Group) -> Vec<FxHashMap<VarId, TermId>> {
        let mut all = vec![FxHashMap::default()];
        for &var in &group.locals {
            let sort = self.terms.var(var).sort.clone();
            let Some(values) = values(&self.problem.net.algebra, self.terms, &sort) else {
                continue;
            };
            if all.len() * values.len() > MOST_WAYS / 100 {
                continue;
            }
            let with = |known: &FxHashMap<VarId, TermId>, value: TermId| {
                let mut known = known.clone();
                known.insert(var, value);
                known
            };
            all = all
                .iter()
                .cartesian_product(&values)
                .map(|(one, &value)| with(one, value))
                .collect();
        }
        all
    }

    /// Where a way can lead.
    pub(super) fn ends(
        &mut self,
        (participant, way, valuation): &Seat<'_>,
        known: &FxHashMap<VarId, TermId>,
    ) -> Option<Vec<ComponentStateId>> {
        let component = participant.component.index();
        let kept = self.spaces[component].kept.clone();
        let before = self.spaces[component].values_at(*valuation);
        let mut options: Vec<Vec<usize>> = Vec::with_capacity(kept.len());
        for ((var, all), at) in kept.iter().zip(before) {
            let Some((_, value)) = way.updates.iter().find(|(updated, _)| updated == var) else {
                options.push(vec![at]);
                continue;
            };
            let value = self.value(*value, known);
            options.push(match all.iter().position(|one| *one == value) {
                Some(at) => vec![at],
                None => (0..all.len()).collect(),
            });
        }
        let space = &self.spaces[component];
        if options.is_empty() {
            return Some(vec![space.state(way.to, &[])]);
        }
        let all = options.into_iter().multi_cartesian_product();
        Some(all.map(|values| space.state(way.to, &values)).collect())
    }
}

/// The same ways to move together, as few products.
fn blocks(tuples: &BTreeSet<Vec<Move>>) -> Vec<Block> {
    let Some(first) = tuples.first() else { return Vec::new() };
    if first.is_empty() {
        return vec![Vec::new()];
    }
    let mut rests: BTreeMap<Move, BTreeSet<Vec<Move>>> = BTreeMap::new();
    for tuple in tuples {
        if let Some((one, rest)) = tuple.split_first() {
            rests.entry(*one).or_default().insert(rest.to_vec());
        }
    }
    let mut groups: BTreeMap<BTreeSet<Vec<Move>>, BTreeSet<Move>> = BTreeMap::new();
    for (one, rest) in rests {
        groups.entry(rest).or_default().insert(one);
    }
    let each = groups.into_iter().flat_map(|(rest, moves)| {
        blocks(&rest).into_iter().map(move |mut block| {
            block.insert(0, moves.clone());
            block
        })
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(from: u32, to: u32) -> Move {
        (ComponentStateId(from), ComponentStateId(to))
    }

    #[test]
    fn values_that_agree_are_blocks_of_their_own() {
        let all = [[step(0, 1), step(4, 5)], [step(0, 1), step(6, 7)], [step(1, 0), step(4, 5)]];
        let all: BTreeSet<Vec<Move>> = all.iter().map(|one| one.to_vec()).collect();
        let made = blocks(&all);
        let again: BTreeSet<Vec<Move>> = made
            .iter()
            .flat_map(|block| block.iter().map(|one| one.iter().copied()).multi_cartesian_product())
            .collect();
        assert_eq!((made.len(), again), (2, all));
    }

    #[test]
    fn what_goes_together_anyhow_is_one_block() {
        let (these, those) = ([step(0, 1), step(1, 2)], [step(3, 4), step(4, 3)]);
        let all = these.iter().cartesian_product(&those).map(|(&a, &b)| vec![a, b]).collect();
        assert_eq!(blocks(&all).len(), 1);
    }
}

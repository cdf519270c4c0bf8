//! Interactions in which many take part who only read what some of them tell: for each value that is told, everybody is looked at
//! alone, so that it does not matter how many there are.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::moves::{Group, Move, Moving, Together};
use super::space::values;
use crate::algebra::{TermId, VarId};
use crate::base::budget::is_spent;
use crate::safety::{Interaction, Participant};

/// More combinations of values that are told are not looked at.
const MOST_TOLD: usize = 64;

/// Values of variables.
type Told = FxHashMap<VarId, TermId>;

/// What is asked of each participant, by its place, and the variables that several of them read.
#[derive(Default)]
struct Asked {
    guards: BTreeMap<usize, Vec<TermId>>,
    shared: BTreeSet<VarId>,
    /// The variables of the interaction that only one reads.
    own: BTreeMap<usize, BTreeSet<VarId>>,
}

impl Moving<'_> {
    /// What participants come to that share nothing but variables with few values; nothing where they share more, or where
    /// these have too many values together.
    pub(super) fn apart(&mut self, interaction: &Interaction, group: &Group) -> Option<Together> {
        let asked = self.asked(interaction, group)?;
        let mut all = Together::default();
        for told in self.each_told(interaction, asked.shared.iter().copied())? {
            let mut each: Vec<(BTreeSet<Move>, BTreeSet<Move>)> = Vec::new();
            for &at in &group.who {
                let participant = &interaction.participants.as_slice()[at];
                let own = asked.own.get(&at).into_iter().flatten().copied();
                let own = self.each_told(interaction, own)?;
                let guards = asked.guards.get(&at).map_or(&[][..], Vec::as_slice);
                each.push(self.alone(participant, guards, &told, &own)?);
            }
            if each.iter().any(|(must, may)| must.is_empty() && may.is_empty()) {
                continue;
            }
            if each.iter().all(|(must, _)| !must.is_empty()) {
                all.must.push(each.iter().map(|(must, _)| must.clone()).collect());
            }
            // What must be possible may be, too: so one block has all of it.
            if each.iter().any(|(_, may)| !may.is_empty()) {
                all.may.push(each.iter().map(|(must, may)| must | may).collect());
            }
        }
        for blocks in [&mut all.must, &mut all.may] {
            blocks.sort_unstable();
            blocks.dedup();
        }
        Some(all)
    }

    /// Who reads what; nothing where somebody depends on the place of another.
    fn asked(&self, interaction: &Interaction, group: &Group) -> Option<Asked> {
        let mut owners: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut places: BTreeMap<VarId, usize> = BTreeMap::new();
        for &at in &group.who {
            let participant = &interaction.participants.as_slice()[at];
            let component = &self.problem.components[participant.component];
            owners.extend(component.variables.iter().map(|(var, _)| (*var, at)));
            places.extend(component.locations.iter().map(|var| (*var, at)));
        }
        let mut readers: BTreeMap<VarId, BTreeSet<usize>> = BTreeMap::new();
        let mut asked = Asked::default();
        for &at in &group.who {
            for way in &interaction.participants.as_slice()[at].ways {
                let updates = way.updates.iter().map(|(_, value)| *value);
                for term in way.conditions.iter().copied().chain(updates) {
                    for var in self.terms.free_vars(term) {
                        readers.entry(var).or_default().insert(at);
                    }
                }
            }
        }
        for &term in &group.guard {
            let vars = self.terms.free_vars(term);
            let owner = |var: &VarId| places.get(var).or(owners.get(var)).copied();
            let reader = |var: &VarId| readers.get(var).and_then(|all| all.first()).copied();
            let at = vars.iter().find_map(owner).or_else(|| vars.iter().find_map(reader));
            let at = at.or(group.who.first().copied())?;
            asked.guards.entry(at).or_default().push(term);
            for var in vars {
                readers.entry(var).or_default().insert(at);
            }
        }
        for (var, all) in readers {
            let is_of = |owner: Option<&usize>| owner.is_some_and(|at| all.iter().eq([at]));
            match (places.get(&var), owners.get(&var)) {
                (Some(at), _) if !is_of(Some(at)) => return None,
                (Some(_), _) => {}
                (None, Some(at)) if is_of(Some(at)) => {}
                (None, Some(_)) => {
                    asked.shared.insert(var);
                }
                (None, None) if all.len() == 1 => {
                    let own = all.into_iter().map(|at| (at, var));
                    own.for_each(|(at, var)| {
                        asked.own.entry(at).or_default().insert(var);
                    });
                }
                (None, None) => {
                    asked.shared.insert(var);
                }
            }
        }
        Some(asked)
    }

    /// All values of variables, of those that have few; nothing where there are too many.
    fn each_told(
        &mut self,
        interaction: &Interaction,
        vars: impl Iterator<Item = VarId>,
    ) -> Option<Vec<Told>> {
        let mut all = vec![Told::default()];
        for var in vars {
            let Some(known) = self.few_values(interaction, var) else { continue };
            if all.len() * known.len() > MOST_TOLD {
                return None;
            }
            let with = |(told, &value): (&Told, &TermId)| {
                let mut told = told.clone();
                told.insert(var, value);
                told
            };
            all = all.iter().cartesian_product(&known).map(with).collect();
        }
        Some(all)
    }

    /// The values of a variable: of a participant, where they are kept, or of the interaction, where there are few.
    fn few_values(&mut self, interaction: &Interaction, var: VarId) -> Option<Vec<TermId>> {
        if interaction.locals.contains(&var) {
            let sort = self.terms.var(var).sort.clone();
            return values(&self.problem.net.algebra, self.terms, &sort);
        }
        let mut kept = interaction.participants.iter().flat_map(|one| &self.space(one).kept);
        kept.find(|(known, _)| *known == var).map(|(_, values)| values.clone())
    }

    /// The moves of a participant by itself: those that must be possible, and those that may.
    fn alone(
        &mut self,
        participant: &Participant,
        guards: &[TermId],
        told: &Told,
        own: &[Told],
    ) -> Option<(BTreeSet<Move>, BTreeSet<Move>)> {
        let (mut moves, mut sure) = (BTreeSet::new(), BTreeSet::new());
        for seat in self.seats(participant) {
            let (_, way, _) = seat;
            let conditions: Vec<TermId> = guards.iter().chain(&way.conditions).copied().collect();
            for own in own {
                if is_spent() {
                    return None;
                }
                let mut locals = told.clone();
                locals.extend(own.iter().map(|(var, value)| (*var, *value)));
                let known = self.known(&[seat], &locals);
                // What is told of it is what it has.
                let truth = match told.iter().all(|(var, value)| known.get(var) == Some(value)) {
                    true => self.truth(&conditions, &known),
                    false => Some(false),
                };
                if truth == Some(false) {
                    continue;
                }
                let from = self.from(&seat);
                if truth == Some(true) {
                    sure.insert(from);
                }
                moves.extend(self.ends(&seat, &known)?.into_iter().map(|to| (from, to)));
            }
        }
        Some(moves.into_iter().partition(|(from, _)| sure.contains(from)))
    }
}

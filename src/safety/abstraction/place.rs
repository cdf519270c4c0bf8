//! Places: where every component is. There, locations are no variables any more: conditions fold.

use std::rc::Rc;

use itertools::Itertools;
use rustc_hash::FxHashMap;

use crate::algebra::{Term, TermId, Terms, VarId};
use crate::base::IndexVec;
use crate::pnet::PltsStateId;
use crate::safety::{ComponentId, InteractionId, ParticipantId, Problem, TurnId};
use crate::tagged_id;

/// Where every component is.
pub(super) type Place = IndexVec<ComponentId, PltsStateId>;

tagged_id! {
    /// What some move does at some place.
    EffectId
}

/// An interaction, and what each participant does in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Move {
    pub interaction: InteractionId,
    pub ways: IndexVec<ParticipantId, TurnId>,
}

/// What a move does, once it is known where all components are.
#[derive(Debug)]
pub(super) struct Effect {
    pub id: EffectId,
    /// When it can happen: over variables of components and of the interaction.
    pub conditions: Vec<TermId>,
    /// The variables that these speak of.
    pub reads: Vec<VarId>,
    /// What it changes, all at once.
    pub updates: FxHashMap<VarId, TermId>,
}

/// Where the net begins.
pub(super) fn begin(problem: &Problem<'_>) -> Place {
    problem.components.iter().map(|component| component.initial).collect()
}

/// The ways in which an interaction can happen at a place, as far as locations go.
pub(super) fn moves(problem: &Problem<'_>, id: InteractionId, at: &Place) -> Vec<Move> {
    let fitting = problem.interactions[id].participants.iter().map(|participant| {
        let here = at[participant.component];
        let ways = participant.ways.enumerated();
        ways.filter(|(_, way)| way.from == here).map(|(way, _)| way).collect::<Vec<TurnId>>()
    });
    let fitting: Vec<Vec<TurnId>> = fitting.collect();
    if fitting.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let all = fitting.into_iter().map(Vec::into_iter).multi_cartesian_product();
    all.map(|ways| Move { interaction: id, ways: ways.into() }).collect()
}

/// Where a move leads.
pub(super) fn after(problem: &Problem<'_>, one: &Move, at: &Place) -> Place {
    let mut to = at.clone();
    let participants = &problem.interactions[one.interaction].participants;
    for (participant, &way) in participants.iter().zip(&one.ways) {
        to[participant.component] = participant.ways[way].to;
    }
    to
}

/// Conditions and moves at places, each looked at once.
pub(super) struct Folding {
    /// The component of each variable that stands for a location.
    locations: FxHashMap<VarId, ComponentId>,
    /// The components whose locations the conditions of an interaction speak of.
    spoken: IndexVec<InteractionId, Vec<ComponentId>>,
    effects: FxHashMap<(Move, Vec<PltsStateId>), Rc<Effect>>,
    /// The components whose locations conditions speak of, and what these conditions are at places.
    speaking: FxHashMap<TermId, Rc<[ComponentId]>>,
    conditions: FxHashMap<(TermId, Vec<PltsStateId>), TermId>,
}

impl Folding {
    pub fn new(problem: &Problem<'_>) -> Folding {
        let each = |(id, component): (ComponentId, &crate::safety::Component)| {
            component.locations.iter().map(move |&var| (var, id)).collect::<Vec<_>>()
        };
        let locations = problem.components.enumerated().flat_map(each).collect();
        let mut folding = Folding {
            locations,
            spoken: IndexVec::default(),
            effects: FxHashMap::default(),
            speaking: FxHashMap::default(),
            conditions: FxHashMap::default(),
        };
        let spoken = problem.interactions.iter().map(|interaction| {
            let mut terms = interaction.guard.clone();
            for way in interaction.participants.iter().flat_map(|one| &one.ways) {
                terms.extend(&way.conditions);
                terms.extend(way.updates.iter().map(|(_, value)| *value));
            }
            folding.spoken_of(&problem.terms, &terms)
        });
        folding.spoken = spoken.collect();
        folding
    }

    fn spoken_of(&self, terms: &Terms, all: &[TermId]) -> Vec<ComponentId> {
        let inside = terms.inside(all.iter().copied()).filter_map(|id| match terms.get(id) {
            Term::Var(var) => self.locations.get(var).copied(),
            _ => None,
        });
        inside.sorted_unstable().dedup().collect()
    }

    /// What the variables for some locations are at a place.
    pub fn values(
        &self,
        problem: &Problem<'_>,
        terms: &mut Terms,
        of: &[ComponentId],
        at: &Place,
    ) -> FxHashMap<VarId, TermId> {
        let mut values = FxHashMap::default();
        for &id in of {
            for (location, &var) in problem.components[id].locations.enumerated() {
                values.insert(var, terms.bool(location == at[id]));
            }
        }
        values
    }

    /// A condition at a place.
    pub fn condition(
        &mut self,
        problem: &Problem<'_>,
        terms: &mut Terms,
        condition: TermId,
        at: &Place,
    ) -> TermId {
        let spoken = match self.speaking.get(&condition) {
            Some(known) => Rc::clone(known),
            None => {
                let spoken: Rc<[ComponentId]> = self.spoken_of(terms, &[condition]).into();
                self.speaking.insert(condition, Rc::clone(&spoken));
                spoken
            }
        };
        let key = (condition, spoken.iter().map(|&id| at[id]).collect());
        if let Some(&known) = self.conditions.get(&key) {
            return known;
        }
        let values = self.values(problem, terms, &spoken, at);
        let folded = terms.substitute(condition, &values);
        self.conditions.insert(key, folded);
        folded
    }

    /// What a move does at a place.
    pub fn effect(
        &mut self,
        problem: &Problem<'_>,
        terms: &mut Terms,
        one: &Move,
        at: &Place,
    ) -> Rc<Effect> {
        let spoken = &self.spoken[one.interaction];
        let key = (one.clone(), spoken.iter().map(|&id| at[id]).collect());
        if let Some(known) = self.effects.get(&key) {
            return Rc::clone(known);
        }
        let values = self.values(problem, terms, spoken, at);
        let mut done = FxHashMap::default();
        let mut put = |terms: &mut Terms, term| terms.substitute_with(term, &values, &mut done);
        let interaction = &problem.interactions[one.interaction];
        let mut conditions = Vec::new();
        for &part in &interaction.guard {
            let part = put(terms, part);
            conditions.extend(parts(terms, part));
        }
        let mut updates = FxHashMap::default();
        for (participant, &way) in interaction.participants.iter().zip(&one.ways) {
            let way = &participant.ways[way];
            for &part in &way.conditions {
                let part = put(terms, part);
                conditions.extend(parts(terms, part));
            }
            for &(var, value) in &way.updates {
                let value = put(terms, value);
                updates.insert(var, value);
            }
        }
        let reads = conditions.iter().flat_map(|&part| terms.free_vars(part));
        let reads = reads.sorted_unstable().dedup().collect();
        let id = EffectId(self.effects.len() as u32);
        let effect = Rc::new(Effect { id, conditions, reads, updates });
        self.effects.insert(key, Rc::clone(&effect));
        effect
    }
}

/// A conjunction, part by part.
pub(super) fn parts(terms: &Terms, condition: TermId) -> Vec<TermId> {
    match terms.get(condition) {
        Term::And(parts) => parts.to_vec(),
        Term::Bool(true) => Vec::new(),
        _ => vec![condition],
    }
}

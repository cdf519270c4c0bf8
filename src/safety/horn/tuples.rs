//! One relation for each tuple of locations that can be reached, as far as locations alone say.

use indexmap::IndexMap;
use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::{Stated, parts};
use crate::algebra::{TermId, Terms, VarId, VariableKind};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::pnet::PltsStateId;
use crate::safety::{ComponentId, InteractionId, Problem, Turn};
use crate::smt::{Clause, Clauses, RelationId};

/// A location of each component.
type Tuple = IndexVec<ComponentId, PltsStateId>;

/// More clauses are not made.
const MOST_CLAUSES: usize = 20_000;

/// More conditions are put together to one.
const MOST_CONDITIONS: usize = 60;

pub(super) struct Tuples {
    clauses: Clauses,
    /// The tuples of the relations.
    tuples: IndexVec<RelationId, Tuple>,
}

/// The problem with a relation for each tuple; nothing where there are too many.
pub(super) fn state(problem: &Problem<'_>, terms: &mut Terms, most: usize) -> Option<Tuples> {
    let components = problem.components.iter();
    let vars = components.flat_map(|component| component.variables.iter().map(|(var, _)| *var));
    let vars: Vec<VarId> = vars.collect();
    let (_, fresh) = terms.fresh(vars.iter().copied(), VariableKind::State);
    let next = vars.iter().copied().zip(fresh).collect();
    let mut starting = FxHashMap::<_, Vec<InteractionId>>::default();
    for (id, interaction) in problem.interactions.enumerated() {
        // An interaction without participants can happen anywhere, and changes nothing.
        let Some(first) = interaction.participants.iter().next() else { continue };
        for from in first.ways.iter().map(|way| way.from).sorted_unstable().dedup() {
            starting.entry((first.component, from)).or_default().push(id);
        }
    }
    let mut making = Making {
        problem,
        terms,
        vars,
        next,
        starting,
        known: IndexMap::new(),
        clauses: Vec::new(),
    };
    making.begin();
    let mut place = 0;
    while let Some((tuple, _)) = making.known.get_index(place) {
        if is_spent() || making.known.len() > most || making.clauses.len() > MOST_CLAUSES {
            return None;
        }
        let tuple = tuple.clone();
        making.from(RelationId(place as u32), &tuple);
        place += 1;
    }
    let Making { known, clauses, vars, .. } = making;
    let relations = known.iter().map(|_| vars.clone()).collect();
    let tuples = known.into_keys().collect();
    Some(Tuples { clauses: Clauses { relations, clauses }, tuples })
}

struct Making<'m, 'n> {
    problem: &'m Problem<'n>,
    terms: &'m mut Terms,
    /// The variables of all components.
    vars: Vec<VarId>,
    /// What stands for them after a step.
    next: FxHashMap<VarId, VarId>,
    /// The interactions whose first participant starts in a location.
    starting: FxHashMap<(ComponentId, PltsStateId), Vec<InteractionId>>,
    /// The tuples so far, in the order in which they are met.
    known: IndexMap<Tuple, ()>,
    clauses: Vec<Clause>,
}

impl Making<'_, '_> {
    fn begin(&mut self) {
        let components = self.problem.components.iter();
        let first: Tuple = components.map(|component| component.initial).collect();
        let mut conditions = Vec::new();
        let variables = self.problem.components.iter().flat_map(|component| &component.variables);
        for &(var, value) in variables {
            let Some(value) = value else { continue };
            let var = self.terms.var_term(var);
            conditions.push(self.terms.equal(var, value));
        }
        let head = Some((self.relation(first), self.vars.clone()));
        self.clauses.push(Clause { conditions, head, ..Clause::default() });
    }

    fn relation(&mut self, tuple: Tuple) -> RelationId {
        RelationId(self.known.insert_full(tuple, ()).0 as u32)
    }

    /// All clauses that start in a tuple.
    fn from(&mut self, relation: RelationId, tuple: &Tuple) {
        let here = self.locations(tuple);
        let problem = self.problem;
        let body = vec![(relation, self.vars.clone())];
        let bad = self.terms.substitute(problem.bad, &here);
        if self.terms.as_bool(bad) != Some(false) {
            let conditions = vec![bad];
            self.clauses.push(Clause { body: body.clone(), conditions, head: None });
        }
        let all = tuple.enumerated().filter_map(|(id, at)| self.starting.get(&(id, *at)));
        let all: Vec<InteractionId> = all.flatten().copied().sorted_unstable().dedup().collect();
        for id in all {
            self.interaction(id, (relation, tuple), &here);
        }
    }

    /// What says where components are, for a tuple.
    fn locations(&mut self, tuple: &Tuple) -> FxHashMap<VarId, TermId> {
        let (yes, no) = (self.terms.bool(true), self.terms.bool(false));
        let mut here = FxHashMap::default();
        for (component, at) in self.problem.components.iter().zip(tuple) {
            let locations = component.locations.enumerated();
            here.extend(locations.map(|(id, &var)| (var, if id == *at { yes } else { no })));
        }
        here
    }

    fn interaction(
        &mut self,
        id: InteractionId,
        (relation, tuple): (RelationId, &Tuple),
        here: &FxHashMap<VarId, TermId>,
    ) {
        let interaction = &self.problem.interactions[id];
        let mut done = FxHashMap::default();
        let mut guard = Vec::with_capacity(interaction.guard.len());
        for &part in &interaction.guard {
            guard.push(self.terms.substitute_with(part, here, &mut done));
        }
        let whole = self.terms.and(guard.iter().copied());
        if self.terms.as_bool(whole) == Some(false) {
            return;
        }
        let fitting = interaction.participants.iter().map(|participant| {
            let from = tuple[participant.component];
            let ways = participant.ways.iter().filter(|way| way.from == from);
            ways.map(|way| (participant.component, way)).collect::<Vec<_>>()
        });
        let fitting: Vec<Vec<(ComponentId, &Turn)>> = fitting.collect();
        for ways in fitting.into_iter().multi_cartesian_product() {
            let mut after = tuple.clone();
            ways.iter().for_each(|(component, way)| after[*component] = way.to);
            self.step(relation, after, &guard, &ways, here);
        }
    }

    fn step(
        &mut self,
        relation: RelationId,
        after: Tuple,
        guard: &[TermId],
        ways: &[(ComponentId, &Turn)],
        here: &FxHashMap<VarId, TermId>,
    ) {
        let mut conditions = guard.to_vec();
        let mut changed: FxHashMap<VarId, VarId> = FxHashMap::default();
        for (_, way) in ways {
            for &condition in &way.conditions {
                conditions.push(self.terms.substitute(condition, here));
            }
            for &(var, value) in &way.updates {
                let Some(&next) = self.next.get(&var) else { continue };
                changed.insert(var, next);
                let next = self.terms.var_term(next);
                conditions.push(self.terms.equal(next, value));
            }
        }
        let all = self.terms.and(conditions.iter().copied());
        if self.terms.as_bool(all) == Some(false) {
            return;
        }
        let after_vars = self.vars.iter().map(|var| changed.get(var).copied().unwrap_or(*var));
        let after_vars = after_vars.collect();
        let head = Some((self.relation(after), after_vars));
        let body = vec![(relation, self.vars.clone())];
        self.clauses.push(Clause { body, conditions, head });
    }
}

impl Stated for Tuples {
    fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    fn names(&self, problem: &Problem<'_>) -> IndexVec<RelationId, String> {
        let plts = &problem.net.plts;
        let name = |tuple: &Tuple| {
            let each = problem.components.iter().zip(tuple);
            let mut each = each.map(|(one, at)| plts[one.plts].states[*at].name.as_str());
            format!("at {}", each.join(" "))
        };
        self.tuples.iter().map(name).collect()
    }

    fn locations(&self, problem: &Problem<'_>, relation: RelationId) -> Vec<VarId> {
        let each = problem.components.iter().zip(&self.tuples[relation]);
        each.map(|(component, at)| component.locations[*at]).collect()
    }

    /// The locations are one of the tuples, and what its relation says holds there. Conditions that hold in several tuples
    /// are said once.
    fn invariant(
        &self,
        problem: &Problem<'_>,
        terms: &mut Terms,
        found: &IndexVec<RelationId, TermId>,
    ) -> Vec<TermId> {
        let mut places: Vec<TermId> = Vec::new();
        let mut said: IndexMap<TermId, Vec<TermId>> = IndexMap::new();
        for (tuple, &holds) in self.tuples.iter().zip(found) {
            if terms.as_bool(holds) == Some(false) {
                continue;
            }
            let at = tuple.enumerated().map(|(id, at)| problem.is_at(id, *at));
            let at = terms.and(at.collect::<Vec<_>>());
            places.push(at);
            for part in parts(terms, holds) {
                said.entry(part).or_default().push(at);
            }
        }
        let everywhere = places.len();
        let mut all = vec![terms.or(places)];
        for (part, places) in said {
            let is_everywhere = places.len() == everywhere;
            let somewhere = terms.or(places);
            all.push(if is_everywhere { part } else { terms.implies(somewhere, part) });
        }
        if all.len() > MOST_CONDITIONS { vec![terms.and(all)] } else { all }
    }
}

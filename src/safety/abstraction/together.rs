//! Interactions that can be done together, as in *Safety of component-based systems* simultaneous sets are, but by a
//! criterion that also holds for cells and for properties.
//!
//! Two interactions are *dependent* if one writes what the other reads or writes; what a priority reads is part of its
//! guard, so interactions that are related by a priority are dependent. A *calm* interaction of a cell
//!
//! 1. can happen in every configuration of the cell, and
//! 2. nothing that depends on it can happen before it does, from any of them: this is so if a set of interactions contains
//!    it, contains what depends on it, contains for each of its members that cannot happen in the cell all that could make
//!    it possible, and has no other member that can happen in the cell (a stubborn set with one enabled member);
//! 3. for each alternative of what is bad that it can change, the same is true of everything else that can change that one,
//!    unless the alternative says that the interaction cannot happen (as it does where bad means stuck).
//!
//! **Theorem.** Let no configuration of the cell be bad, let `c` be one of them, and let a run of `n` steps lead from `c` to
//! something bad. Then, with all calm interactions of the cell done first, a run of at most `n` steps leads from there to
//! something bad; of less than `n`, if the run begins with a calm one, or if its first step is done with them.
//!
//! *Proof.* Let `b` be calm. If `b` is in the run, all before its first occurrence is independent of it by 2, so it can be
//! moved to the front. If it is not, all of the run is independent of it, and it can still happen at the end. So the
//! alternative that holds there does not say that it cannot, and if `b` could change that alternative, then by 3 nothing
//! else in the run could; but the alternative is false in `c` and true at the end. So `b` does not change it, and can be put
//! in front of the run. Two calm interactions are independent, so this can be done for one after the other. ∎
//!
//! Hence a search may do all calm interactions of a cell at once, and leave out the rest, as long as it goes on to new
//! cells. Where this leads to a cell that is covered, the rest is done too, each with the calm ones: then runs become
//! shorter, and what is left out is not left out for ever.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::place::Place;
use super::post::Abstract;
use super::predicate::Cell;
use crate::algebra::{Term, TermId, Terms, VarId};
use crate::base::IndexVec;
use crate::pnet::PltsStateId;
use crate::safety::stuck::possible;
use crate::safety::{ComponentId, InteractionId, ParticipantId, Problem};
use crate::smt::{Answer, Limits, Session, Unsupported};

/// With more interactions than this, none are done together.
const MOST: usize = 3000;

/// Which interactions have to do with each other.
pub(super) struct Together {
    /// For each interaction, when it can happen, for some values of its own variables.
    possible: IndexVec<InteractionId, TermId>,
    /// For each participant of an interaction, those that bring it to where it has to be.
    bringing: IndexVec<InteractionId, IndexVec<ParticipantId, Vec<InteractionId>>>,
    /// Those that write what an interaction reads.
    writing: IndexVec<InteractionId, Vec<InteractionId>>,
    /// What must not happen before it.
    dependent: IndexVec<InteractionId, Vec<InteractionId>>,
    writers: FxHashMap<VarId, Vec<InteractionId>>,
}

impl Together {
    /// Those of a problem, with its terms and those that this needs; nothing where there are too many.
    pub fn new(
        problem: &Problem<'_>,
        limits: Limits,
    ) -> Result<(Option<Together>, Terms), Unsupported> {
        if problem.interactions.len() > MOST {
            return Ok((None, problem.terms.clone()));
        }
        let mut own = problem.clone();
        let ids: Vec<InteractionId> = problem.interactions.ids().collect();
        let possible = ids.iter().map(|&id| possible(&mut own, id)).collect();
        let mut terms = own.terms;
        let reads: IndexVec<InteractionId, Vec<VarId>> =
            ids.iter().map(|&id| reads(problem, id)).collect();
        let mut writers: FxHashMap<VarId, Vec<InteractionId>> = FxHashMap::default();
        let mut readers: FxHashMap<VarId, Vec<InteractionId>> = FxHashMap::default();
        for &id in &ids {
            problem.changes(id).iter().for_each(|&var| writers.entry(var).or_default().push(id));
            reads[id].iter().for_each(|&var| readers.entry(var).or_default().push(id));
        }
        let mut dependent: IndexVec<InteractionId, FxHashSet<InteractionId>> =
            ids.iter().map(|_| FxHashSet::default()).collect();
        for (var, writing) in &writers {
            for &one in writing {
                for &other in writing.iter().chain(readers.get(var).into_iter().flatten()) {
                    dependent[one].insert(other);
                    dependent[other].insert(one);
                }
            }
        }
        let mut together = Together {
            possible,
            bringing: IndexVec::default(),
            writing: IndexVec::default(),
            dependent: IndexVec::default(),
            writers,
        };
        together.note_causes(problem, &reads);
        together.seen(problem, &mut terms, limits, &mut dependent)?;
        let sorted = dependent.into_iter().map(|all| all.into_iter().sorted_unstable().collect());
        together.dependent = sorted.collect();
        Ok((Some(together), terms))
    }

    /// Interactions that change the same alternative of what is bad depend on each other, but for those of which the
    /// alternative says that they cannot happen.
    fn seen(
        &self,
        problem: &Problem<'_>,
        terms: &mut Terms,
        limits: Limits,
        dependent: &mut IndexVec<InteractionId, FxHashSet<InteractionId>>,
    ) -> Result<(), Unsupported> {
        let open_world = problem.is_open_world();
        let mut session = Session::new(&problem.net.algebra, terms, open_world, limits)?;
        let alternatives = match terms.get(problem.bad) {
            Term::Or(parts) => parts.to_vec(),
            _ => vec![problem.bad],
        };
        for alternative in alternatives {
            let vars = terms.free_vars(alternative);
            let writing = vars.iter().filter_map(|var| self.writers.get(var)).flatten().copied();
            let writing: Vec<InteractionId> = writing.sorted_unstable().dedup().collect();
            session.push();
            session.assert(terms, alternative)?;
            for &one in &writing {
                if session.check_assuming(terms, &[self.possible[one]]) != Answer::Unsat {
                    dependent[one].extend(writing.iter().copied());
                }
            }
            session.pop();
        }
        Ok(())
    }

    /// The calm interactions of a cell, of those that may happen there.
    pub fn calm(
        &self,
        abstraction: &mut Abstract<'_, '_>,
        cell: &Cell,
        enabled: &[InteractionId],
    ) -> Result<Vec<InteractionId>, Unsupported> {
        let may: FxHashSet<InteractionId> = enabled.iter().copied().collect();
        let mut found = Vec::new();
        for &id in enabled {
            if !self.is_first(abstraction.problem, &cell.place, id, &may) {
                continue;
            }
            let cannot = abstraction.terms.not(self.possible[id]);
            if !abstraction.can_be(cell, cannot)? {
                found.push(id);
            }
        }
        Ok(found)
    }

    /// Whether nothing that depends on an interaction can happen before it.
    fn is_first(
        &self,
        problem: &Problem<'_>,
        at: &Place,
        id: InteractionId,
        may: &FxHashSet<InteractionId>,
    ) -> bool {
        if self.dependent[id].iter().any(|other| *other != id && may.contains(other)) {
            return false;
        }
        let mut seen: IndexVec<InteractionId, bool> = IndexVec::of(self.possible.len(), false);
        seen[id] = true;
        let mut work: Vec<InteractionId> = Vec::new();
        let add = |seen: &mut IndexVec<InteractionId, bool>,
                   work: &mut Vec<_>,
                   more: &[InteractionId]| {
            for &one in more {
                if !std::mem::replace(&mut seen[one], true) {
                    work.push(one);
                }
            }
        };
        add(&mut seen, &mut work, &self.dependent[id]);
        while let Some(one) = work.pop() {
            if may.contains(&one) {
                return false;
            }
            let causes = self.causes(problem, at, one, &seen);
            add(&mut seen, &mut work, causes);
        }
        true
    }

    /// Interactions without which one that cannot happen at a place stays impossible: those that bring a participant to where
    /// it has to be, or those that write what it reads.
    fn causes(
        &self,
        problem: &Problem<'_>,
        at: &Place,
        id: InteractionId,
        seen: &IndexVec<InteractionId, bool>,
    ) -> &[InteractionId] {
        let participants = problem.interactions[id].participants.enumerated();
        let absent = participants.filter(|(_, participant)| {
            participant.ways.iter().all(|way| way.from != at[participant.component])
        });
        let bringing = absent.map(|(place, _)| self.bringing[id][place].as_slice());
        let new = |causes: &&[InteractionId]| causes.iter().filter(|&&one| !seen[one]).count();
        bringing.min_by_key(new).unwrap_or(&self.writing[id])
    }

    /// Fills in what makes interactions possible.
    fn note_causes(&mut self, problem: &Problem<'_>, reads: &IndexVec<InteractionId, Vec<VarId>>) {
        for (id, interaction) in problem.interactions.enumerated() {
            let bringing = interaction.participants.iter().map(|participant| {
                let wanted: Vec<PltsStateId> =
                    participant.ways.iter().map(|way| way.from).collect();
                self.bringing_to(problem, participant.component, &wanted)
            });
            let bringing = bringing.collect();
            self.bringing.push(bringing);
            let writing = reads[id].iter().filter_map(|var| self.writers.get(var)).flatten();
            let writing = writing.copied().sorted_unstable().dedup().collect();
            self.writing.push(writing);
        }
    }

    /// The interactions that bring a component to one of some locations.
    fn bringing_to(
        &self,
        problem: &Problem<'_>,
        component: ComponentId,
        wanted: &[PltsStateId],
    ) -> Vec<InteractionId> {
        let vars = wanted.iter().map(|&location| problem.components[component].locations[location]);
        let writers = vars.filter_map(|var| self.writers.get(&var)).flatten().copied();
        let brings = |id: &InteractionId| {
            let own = problem.interactions[*id].participants.iter();
            own.filter(|participant| participant.component == component)
                .flat_map(|participant| &participant.ways)
                .any(|way| way.from != way.to && wanted.contains(&way.to))
        };
        writers.sorted_unstable().dedup().filter(brings).collect()
    }
}

/// The variables of the state that an interaction reads: where its participants are, and what its conditions and values
/// speak of.
fn reads(problem: &Problem<'_>, id: InteractionId) -> Vec<VarId> {
    let interaction = &problem.interactions[id];
    let mut found: Vec<VarId> = Vec::new();
    let mut terms = interaction.guard.clone();
    for participant in &interaction.participants {
        let component = &problem.components[participant.component];
        for way in &participant.ways {
            found.push(component.locations[way.from]);
            terms.extend(&way.conditions);
            terms.extend(way.updates.iter().map(|(_, value)| *value));
        }
    }
    for term in terms {
        found.extend(problem.terms.free_vars(term));
    }
    let locals = &interaction.locals;
    found.retain(|var| !locals.contains(var));
    found.sort_unstable();
    found.dedup();
    found
}

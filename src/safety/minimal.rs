//! An invariant reduced to what is needed: beginning with what excludes the bad, what keeps each part, by cores.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::check::{after, primed};
use super::{ComponentId, InteractionId, Invariant, Problem};
use crate::algebra::{TermId, Terms, VarId};
use crate::base::budget::is_spent;
use crate::smt::{Answer, Limits, Session, Unsupported};

/// A question may take this long.
const PATIENCE: Limits = Limits { milliseconds: 10_000 };

/// The parts of an invariant that are needed, in their order. All of them where it cannot be told.
pub(super) fn minimal(problem: &Problem<'_>, invariant: &Invariant) -> Invariant {
    let mut terms = invariant.terms.clone();
    let needed = Minimal::new(problem, &mut terms, &invariant.conjuncts)
        .and_then(|mut minimal| minimal.needed(&mut terms));
    let conjuncts = match needed {
        Ok(Some(needed)) => {
            invariant.conjuncts.iter().copied().filter(|one| needed.contains(one)).collect()
        }
        Ok(None) | Err(_) => invariant.conjuncts.clone(),
    };
    Invariant { terms, conjuncts }
}

struct Minimal<'m, 'n> {
    problem: &'m Problem<'n>,
    session: Session,
    conjuncts: Vec<(TermId, Vec<ComponentId>)>,
    next: FxHashMap<VarId, VarId>,
    after_all: FxHashMap<VarId, TermId>,
}

impl<'m, 'n> Minimal<'m, 'n> {
    fn new(
        problem: &'m Problem<'n>,
        terms: &mut Terms,
        conjuncts: &[TermId],
    ) -> Result<Minimal<'m, 'n>, Unsupported> {
        let open_world = problem.is_open_world();
        let mut session = Session::new(&problem.net.algebra, terms, open_world, PATIENCE)?;
        for one in problem.shape(terms) {
            session.assert(terms, one)?;
        }
        let owners = problem.owners();
        let components = |term: TermId| -> Vec<ComponentId> {
            let vars = terms.free_vars(term);
            vars.iter().filter_map(|var| owners.get(var).copied()).sorted().dedup().collect()
        };
        let conjuncts = conjuncts.iter().map(|&term| (term, components(term))).collect();
        let (next, after_all) = primed(problem, terms);
        Ok(Minimal { problem, session, conjuncts, next, after_all })
    }

    /// What is needed; nothing where it cannot be told.
    fn needed(&mut self, terms: &mut Terms) -> Result<Option<FxHashSet<TermId>>, Unsupported> {
        let all: Vec<TermId> = self.conjuncts.iter().map(|(term, _)| *term).collect();
        self.session.push();
        self.session.assert(terms, self.problem.bad)?;
        let first = self.core(terms, &all);
        self.session.pop();
        let Some(first) = first else { return Ok(None) };
        let mut needed: FxHashSet<TermId> = first.iter().copied().collect();
        let mut work = first;
        while let Some(one) = work.pop() {
            for id in self.problem.interactions.ids() {
                if is_spent() {
                    return Ok(None);
                }
                let Some(more) = self.keeps(terms, id, one)? else { return Ok(None) };
                work.extend(more.into_iter().filter(|&one| needed.insert(one)));
            }
        }
        Ok(Some(needed))
    }

    /// What an interaction needs to keep a condition.
    fn keeps(
        &mut self,
        terms: &mut Terms,
        id: InteractionId,
        one: TermId,
    ) -> Result<Option<Vec<TermId>>, Unsupported> {
        let after = after(self.problem, id, &self.after_all);
        let then = terms.substitute(one, &after);
        if then == one {
            return Ok(Some(Vec::new()));
        }
        self.session.push();
        for part in self.problem.step(terms, id, &self.next) {
            self.session.assert(terms, part)?;
        }
        let broken = terms.not(then);
        self.session.assert(terms, broken)?;
        let near = self.near(id, one);
        let mut core = self.core(terms, &near);
        if core.is_none() {
            let all: Vec<TermId> = self.conjuncts.iter().map(|(term, _)| *term).collect();
            core = self.core(terms, &all);
        }
        self.session.pop();
        Ok(core)
    }

    /// The conditions that speak of the participants of an interaction, and of the components of one of them, alone.
    fn near(&self, id: InteractionId, one: TermId) -> Vec<TermId> {
        let participants = self.problem.interactions[id].participants.iter();
        let mut scope: Vec<ComponentId> = participants.map(|one| one.component).collect();
        let own = self.conjuncts.iter().find(|(term, _)| *term == one);
        scope.extend(own.into_iter().flat_map(|(_, components)| components));
        let within = |(_, components): &&(TermId, Vec<ComponentId>)| {
            components.iter().all(|component| scope.contains(component))
        };
        self.conjuncts.iter().filter(within).map(|(term, _)| *term).collect()
    }

    /// Conditions that exclude what is asserted, if they do: the condition itself first, then few.
    fn core(&mut self, terms: &mut Terms, assumed: &[TermId]) -> Option<Vec<TermId>> {
        match self.session.check_assuming(terms, assumed) {
            Answer::Unsat => Some(self.session.core()),
            Answer::Sat | Answer::Unknown(_) => None,
        }
    }
}

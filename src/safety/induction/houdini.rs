//! Candidates that are kept by every interaction: those that are not are dropped until nothing changes (Flanagan and Leino,
//! "Houdini", FME 2001).
//!
//! Whether an interaction keeps a candidate is asked with those candidates only that speak of the participants and of the
//! candidate's own components: with fewer premises more is dropped than need be, never less. So questions stay small,
//! however many components there are.

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::candidates::Candidate;
use crate::algebra::{TermId, Terms, VarId};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::safety::check::{after, primed};
use crate::safety::{ComponentId, InteractionId, Problem};
use crate::smt::{Answer, Limits, Session, Unsupported};

/// A question may take this long before what it is about is dropped.
const PATIENCE: Limits = Limits { milliseconds: 4_000 };

/// Which candidates are kept, together with what is known to be inductive; and how many questions were asked.
pub(in crate::safety) fn kept(
    problem: &Problem<'_>,
    terms: &mut Terms,
    (known, candidates): (&[Candidate], &[Candidate]),
    watch: &dyn Watch,
) -> Result<(Vec<bool>, usize), Unsupported> {
    let open_world = problem.is_open_world();
    let mut session = Session::new(&problem.net.algebra, terms, open_world, PATIENCE)?;
    for one in problem.shape(terms) {
        session.assert(terms, one)?;
    }
    let (next, after_all) = primed(problem, terms);
    let alive = vec![true; candidates.len()];
    let mut houdini =
        Houdini { problem, terms, known, candidates, session, alive, next, after_all };
    houdini.at_first()?;
    houdini.until_stable(watch)?;
    Ok((houdini.alive, houdini.session.queries))
}

struct Houdini<'h, 'n> {
    problem: &'h Problem<'n>,
    terms: &'h mut Terms,
    known: &'h [Candidate],
    candidates: &'h [Candidate],
    session: Session,
    alive: Vec<bool>,
    next: FxHashMap<VarId, VarId>,
    after_all: FxHashMap<VarId, TermId>,
}

/// Candidates that an interaction may break, and what they say after it.
type Affected = Vec<(usize, TermId)>;

impl Houdini<'_, '_> {
    /// How many candidates are left.
    fn left(&self) -> usize {
        self.alive.iter().filter(|alive| **alive).count()
    }

    /// Drops what does not hold where the net begins.
    fn at_first(&mut self) -> Result<(), Unsupported> {
        self.session.push();
        for &one in &self.problem.initial {
            self.session.assert(self.terms, one)?;
        }
        let all = self.candidates.iter().enumerate().map(|(place, one)| (place, one.term));
        self.drop_broken(all.collect());
        self.session.pop();
        Ok(())
    }

    fn until_stable(&mut self, watch: &dyn Watch) -> Result<(), Unsupported> {
        // What each interaction was last asked with: dropping something else makes no difference to it.
        let mut dirty = vec![true; self.problem.interactions.len()];
        while dirty.iter().any(|dirty| *dirty) {
            for id in self.problem.interactions.ids() {
                if !std::mem::replace(&mut dirty[id.index()], false) {
                    continue;
                }
                if is_spent() {
                    self.alive.fill(false);
                    return Ok(());
                }
                watch.searching(&format!("{} candidates", self.left()), self.session.queries);
                if self.interaction(id)? {
                    dirty.fill(true);
                }
            }
        }
        Ok(())
    }

    /// Drops what an interaction breaks; whether something was dropped.
    fn interaction(&mut self, id: InteractionId) -> Result<bool, Unsupported> {
        let participants = self.problem.interactions[id].participants.iter();
        let who: Vec<ComponentId> = participants.map(|one| one.component).sorted().collect();
        let after = after(self.problem, id, &self.after_all);
        let mut groups: FxHashMap<Vec<ComponentId>, Affected> = FxHashMap::default();
        for (place, candidate) in self.candidates.iter().enumerate() {
            if !self.alive[place] || !candidate.components.iter().any(|one| who.contains(one)) {
                continue;
            }
            let then = self.terms.substitute(candidate.term, &after);
            if then != candidate.term {
                let all = self.problem.components.ids().collect();
                let own = if candidate.is_goal { all } else { candidate.components.clone() };
                let others = own.into_iter().filter(|one| !who.contains(one)).collect();
                groups.entry(others).or_default().push((place, then));
            }
        }
        let step = self.problem.step(self.terms, id, &self.next);
        let mut dropped = false;
        for (others, affected) in groups.into_iter().sorted() {
            let scope: Vec<ComponentId> = who.iter().chain(&others).copied().collect();
            self.session.push();
            let asked = self.ask(&step, &scope, affected);
            self.session.pop();
            dropped |= asked?;
        }
        Ok(dropped)
    }

    fn ask(
        &mut self,
        step: &[TermId],
        scope: &[ComponentId],
        affected: Affected,
    ) -> Result<bool, Unsupported> {
        for &part in step {
            self.session.assert(self.terms, part)?;
        }
        for known in self.known.iter().filter(|known| is_near(known, scope)) {
            self.session.assert(self.terms, known.term)?;
        }
        for (place, candidate) in self.candidates.iter().enumerate() {
            if self.alive[place] && is_near(candidate, scope) {
                self.session.assert(self.terms, candidate.term)?;
            }
        }
        Ok(self.drop_broken(affected))
    }

    /// Drops what may be false; whether something was dropped.
    fn drop_broken(&mut self, mut affected: Affected) -> bool {
        let before = self.left();
        while !affected.is_empty() {
            let broken: Vec<TermId> =
                affected.iter().map(|&(_, then)| self.terms.not(then)).collect();
            let one_is = self.terms.or(broken);
            match self.session.check_assuming(self.terms, &[one_is]) {
                Answer::Unsat => break,
                Answer::Sat => {
                    let (terms, session) = (&mut *self.terms, &mut self.session);
                    let holds = |(_, then): &(usize, TermId)| session.holds(terms, *then);
                    let values: Vec<Option<bool>> = affected.iter().map(holds).collect();
                    let falsified = values.contains(&Some(false));
                    affected = self.dropped_where(affected, &values, |value| match falsified {
                        true => value == Some(false),
                        // The model decides nothing: all are given up.
                        false => true,
                    });
                }
                Answer::Unknown(_) => {
                    self.one_by_one(&affected);
                    break;
                }
            }
        }
        self.left() < before
    }

    fn dropped_where(
        &mut self,
        affected: Affected,
        values: &[Option<bool>],
        is_dropped: impl Fn(Option<bool>) -> bool,
    ) -> Affected {
        let mut rest = Vec::with_capacity(affected.len());
        for (one, value) in affected.into_iter().zip(values) {
            match is_dropped(*value) {
                true => self.alive[one.0] = false,
                false => rest.push(one),
            }
        }
        rest
    }

    /// What cannot be decided together may be decided one by one.
    fn one_by_one(&mut self, affected: &Affected) {
        for &(place, then) in affected {
            let broken = self.terms.not(then);
            let answer = self.session.check_assuming(self.terms, &[broken]);
            self.alive[place] &= answer == Answer::Unsat;
        }
    }
}

/// Whether a candidate may matter where these components are looked at: it speaks of them alone, or of all components.
fn is_near(candidate: &Candidate, scope: &[ComponentId]) -> bool {
    let components = &candidate.components;
    let within = components.iter().all(|one| scope.contains(one));
    within
        || components.len() > MANY && components.iter().any(|one| scope.contains(one))
        || components.len() == 1 && candidate.anywhere
}

/// What speaks of more components speaks of whole families.
const MANY: usize = 2;

//! What an invariant has to meet, as questions none of which may have an answer: for certificates, each by itself.

use rustc_hash::FxHashMap;

use super::check::{after, primed};
use super::{InteractionId, Invariant, Problem};
use crate::algebra::{TermId, Terms, VarId};
use crate::smt::{Explicit, ScriptOptions, script};

/// What has to be met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obliged {
    /// The invariant holds at first.
    First,
    /// An interaction keeps it.
    Kept(InteractionId),
    /// It excludes what is bad.
    Excludes,
}

/// The obligations of an invariant.
#[derive(Debug)]
pub struct Obligations {
    terms: Terms,
    /// For each, what must not hold together.
    pub all: Vec<(Obliged, Vec<TermId>)>,
    /// The variables of the state, and what each is called after a step.
    next: FxHashMap<VarId, VarId>,
}

impl Obligations {
    /// Those of an invariant of a problem.
    pub fn of(problem: &Problem<'_>, invariant: &Invariant) -> Obligations {
        let mut terms = invariant.terms.clone();
        let shape = problem.shape(&mut terms);
        let (next, after_all) = primed(problem, &mut terms);
        let holds = &invariant.conjuncts;
        let mut all = Vec::with_capacity(problem.interactions.len() + 2);
        let broken = |terms: &mut Terms, then: Vec<TermId>| {
            let broken: Vec<TermId> = then.into_iter().map(|one| terms.not(one)).collect();
            terms.or(broken)
        };
        let first = broken(&mut terms, holds.clone());
        all.push((Obliged::First, [&problem.initial[..], &shape, &[first]].concat()));
        for id in problem.interactions.ids() {
            let changed = after(problem, id, &after_all);
            let then = holds.iter().map(|&one| (one, terms.substitute(one, &changed)));
            let then: Vec<TermId> =
                then.filter(|(one, then)| one != then).map(|(_, then)| then).collect();
            let step = problem.step(&mut terms, id, &next);
            let broken = broken(&mut terms, then);
            all.push((Obliged::Kept(id), [&shape, holds, &step[..], &[broken]].concat()));
        }
        all.push((Obliged::Excludes, [&shape[..], holds, &[problem.bad]].concat()));
        Obligations { terms, all, next }
    }

    /// Each as a script for solvers. `names`: what the variables of the state are called; after a step they have a stroke.
    pub fn scripts(
        &mut self,
        problem: &Problem<'_>,
        names: &FxHashMap<VarId, String>,
        options: ScriptOptions<'_>,
    ) -> Vec<(Obliged, String)> {
        let mut called = names.clone();
        for (var, after) in &self.next {
            if let Some(name) = names.get(var) {
                called.insert(*after, format!("{name}'"));
            }
        }
        let mut explicit = Explicit::new(&problem.net.algebra, &mut self.terms);
        let mut written = Vec::with_capacity(self.all.len());
        for (obliged, conditions) in &self.all {
            // What cannot be put to a solver is the question whether nothing can hold: no solver will confirm it.
            let question = explicit.question(&mut self.terms, conditions);
            let all = question.map(|question| question.all()).unwrap_or_default();
            let options = ScriptOptions { names: Some(&called), ..options };
            written.push((*obliged, script(&explicit.algebra, &self.terms, &all, options)));
        }
        written
    }
}

//! Facts solved as far as this can be done without a solver: action terms are unified, variables that are
//! determined are replaced, and what is left is the data part.
//!
//! Input: an [`Open`] with its facts. Output: the same with conditions only, simplified; or nothing, where a clash
//! of constructors or a condition shows that it is impossible. Nothing that is possible is lost, and nothing
//! changes its meaning: a variable is replaced only by a term that it must be equal to.

use rustc_hash::FxHashMap;

use super::rules::{Claim, Open};
use crate::algebra::{TermId, Terms, Unifier, VarId};
use crate::automaton::Used;
use crate::pnet::HoleId;

/// An open transition that is solved: what is left to ask is a list of conditions.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    pub conditions: Vec<TermId>,
    pub holes: Vec<(HoleId, TermId)>,
    pub action: TermId,
    pub updates: Vec<(VarId, TermId)>,
    pub used: Used,
}

/// Solves the facts of an open transition.
pub(crate) fn solve(terms: &mut Terms, open: &Open) -> Option<Solved> {
    let mut solver = Unifier::new(terms, &[]);
    for fact in &open.facts {
        match fact.claim {
            Claim::Same(a, b) => solver.unify(a, b)?,
            Claim::Holds(term) => solver.conditions.push(term),
        }
    }
    let conditions = solver.settle()?;
    let values = solver.values;
    let mut done = FxHashMap::default();
    let mut resolve = |term: TermId| terms.substitute_with(term, &values, &mut done);
    Some(Solved {
        conditions,
        holes: open.holes.iter().map(|&(hole, action)| (hole, resolve(action))).collect(),
        action: resolve(open.action),
        updates: open.updates.iter().map(|&(var, value)| (var, resolve(value))).collect(),
        used: open.used.clone(),
    })
}

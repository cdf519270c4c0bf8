//! One relation over all locations and variables.

use rustc_hash::FxHashMap;

use super::{Stated, parts};
use crate::algebra::{TermId, Terms, VarId, VariableKind};
use crate::base::IndexVec;
use crate::safety::Problem;
use crate::smt::{Clause, Clauses, RelationId};

pub(super) struct Whole(Clauses);

/// The problem with one relation.
pub(super) fn state(problem: &Problem<'_>, terms: &mut Terms) -> Whole {
    let vars = problem.state_variables();
    let mut clauses = Clauses::default();
    let reached = clauses.relations.push(vars.clone());
    let initial = problem.initial.clone();
    let head = Some((reached, vars.clone()));
    clauses.clauses.push(Clause { conditions: initial, head, ..Clause::default() });
    let (_, fresh) = terms.fresh(vars.iter().copied(), VariableKind::State);
    let next: FxHashMap<VarId, VarId> = vars.iter().copied().zip(fresh).collect();
    for id in problem.interactions.ids() {
        let conditions = problem.step(terms, id, &next);
        let changed = problem.changes(id);
        let after = vars.iter().map(|var| match changed.binary_search(var) {
            Ok(_) => next[var],
            Err(_) => *var,
        });
        let (body, head) = (vec![(reached, vars.clone())], Some((reached, after.collect())));
        clauses.clauses.push(Clause { body, conditions, head });
    }
    let body = vec![(reached, vars)];
    clauses.clauses.push(Clause { body, conditions: vec![problem.bad], head: None });
    Whole(clauses)
}

impl Stated for Whole {
    fn clauses(&self) -> &Clauses {
        &self.0
    }

    fn names(&self, _: &Problem<'_>) -> IndexVec<RelationId, String> {
        self.0.relations.iter().map(|_| "reached".to_owned()).collect()
    }

    fn locations(&self, _: &Problem<'_>, _: RelationId) -> Vec<VarId> {
        Vec::new()
    }

    fn invariant(
        &self,
        _: &Problem<'_>,
        terms: &mut Terms,
        found: &IndexVec<RelationId, TermId>,
    ) -> Vec<TermId> {
        found.iter().flat_map(|&holds| parts(terms, holds)).collect()
    }
}

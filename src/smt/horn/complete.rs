//! Relations that Spacer does not speak of.
//!
//! It leaves out those that it has put together with others, those that nothing depends on, and those that never hold. The
//! first are made from the relations that follow from them: each holds where these do after every clause. Where such
//! relations follow from each other in a circle, they are of the last kind: they hold nowhere, unless something leads there.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Prepared, PreparedClause, RelationId};
use crate::algebra::{Term, TermId, Terms, VarId, exists};
use crate::base::{IndexVec, budget};

/// The relations as far as they are known.
type Known = IndexVec<RelationId, Option<TermId>>;

/// All relations, where some are known. `can_hold` says whether a condition can; also where that is not known.
pub(super) fn completed(
    prepared: &Prepared,
    terms: &mut Terms,
    mut known: Known,
    mut can_hold: impl FnMut(&Terms, TermId) -> bool,
) -> IndexVec<RelationId, TermId> {
    let matters = matters(prepared);
    for (id, holds) in known.ids().zip(known.clone().iter()) {
        if holds.is_none() && !matters.contains(&id) {
            known[id] = Some(terms.bool(true));
        }
    }
    backwards(prepared, terms, &mut known);
    let no = terms.bool(false);
    let mut all: IndexVec<RelationId, TermId> =
        known.iter().map(|holds| holds.unwrap_or(no)).collect();
    loop {
        let mut changed = false;
        for clause in &prepared.clauses {
            let Some((head, _)) = clause.head else { continue };
            if known[head].is_some() || all[head] != no || budget::is_spent() {
                continue;
            }
            let body = body(prepared, terms, clause, |relation| Some(all[relation]));
            let whole = body.map(|parts| terms.and(parts));
            if whole.is_some_and(|whole| can_hold(terms, whole)) {
                all[head] = terms.bool(true);
                changed = true;
            }
        }
        if !changed {
            return all;
        }
    }
}

/// The relations from which a contradiction could follow.
fn matters(prepared: &Prepared) -> FxHashSet<RelationId> {
    let mut found: FxHashSet<RelationId> = FxHashSet::default();
    loop {
        let before = found.len();
        for clause in &prepared.clauses {
            if clause.head.as_ref().is_none_or(|(head, _)| found.contains(head)) {
                found.extend(clause.body.iter().map(|(relation, _)| *relation));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Makes relations of those that follow from them, as long as some are known.
fn backwards(prepared: &Prepared, terms: &mut Terms, known: &mut Known) {
    let mut from: FxHashMap<RelationId, Vec<&PreparedClause>> = FxHashMap::default();
    for clause in &prepared.clauses {
        for (relation, _) in &clause.body {
            from.entry(*relation).or_default().push(clause);
        }
    }
    loop {
        let mut changed = false;
        for id in prepared.relations.ids() {
            if known[id].is_some() || budget::is_spent() {
                continue;
            }
            let clauses = from.get(&id).map_or(&[][..], Vec::as_slice);
            let each = clauses.iter().map(|clause| needed(prepared, terms, known, id, clause));
            if let Some(all) = each.collect::<Option<Vec<TermId>>>() {
                known[id] = Some(terms.and(all));
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// What must hold of a relation for a clause to be true; nothing where another relation of it is not known.
fn needed(
    prepared: &Prepared,
    terms: &mut Terms,
    known: &Known,
    id: RelationId,
    clause: &PreparedClause,
) -> Option<TermId> {
    let [(_, args)] = clause.body.as_slice() else { return None };
    let wanted = match &clause.head {
        None => vec![terms.bool(false)],
        Some((head, after)) => {
            let holds = renamed(prepared, terms, *head, after, known[*head]?);
            match terms.get(holds) {
                Term::And(parts) => parts.to_vec(),
                _ => vec![holds],
            }
        }
    };
    let others = clause.vars.iter().copied().filter(|var| !args.contains(var));
    let others: Vec<VarId> = others.collect();
    let mut all = Vec::with_capacity(wanted.len());
    for one in wanted {
        let mut parts = clause.conditions.clone();
        parts.push(terms.not(one));
        let parts = solved(terms, parts, &others);
        let fails = exists(terms, &others, parts);
        all.push(terms.not(fails));
    }
    let holds = terms.and(all);
    let params = prepared.relations[id].iter().map(|&param| terms.var_term(param));
    let values = args.iter().copied().zip(params).collect();
    Some(terms.substitute(holds, &values))
}

/// Conditions without the variables that they say the values of.
fn solved(terms: &mut Terms, mut parts: Vec<TermId>, vars: &[VarId]) -> Vec<TermId> {
    while let Some((at, var, value)) = parts.iter().enumerate().find_map(|(at, &part)| {
        let Term::Equal(a, b) = *terms.get(part) else { return None };
        let fixed = |x: TermId, value: TermId| {
            let Term::Var(var) = *terms.get(x) else { return None };
            let free = vars.contains(&var) && !terms.free_vars(value).contains(&var);
            free.then_some((at, var, value))
        };
        fixed(a, b).or_else(|| fixed(b, a))
    }) {
        parts.remove(at);
        let values = [(var, value)].into_iter().collect();
        parts = parts.into_iter().map(|part| terms.substitute(part, &values)).collect();
    }
    parts
}

/// What a clause asks for; nothing where a relation is not known.
fn body(
    prepared: &Prepared,
    terms: &mut Terms,
    clause: &PreparedClause,
    known: impl Fn(RelationId) -> Option<TermId>,
) -> Option<Vec<TermId>> {
    let mut parts = clause.conditions.clone();
    for (relation, args) in &clause.body {
        parts.push(renamed(prepared, terms, *relation, args, known(*relation)?));
    }
    Some(parts)
}

/// A relation between other variables than those for its arguments.
fn renamed(
    prepared: &Prepared,
    terms: &mut Terms,
    relation: RelationId,
    args: &[VarId],
    holds: TermId,
) -> TermId {
    let args = args.iter().map(|&arg| terms.var_term(arg));
    let values = prepared.relations[relation].iter().copied().zip(args).collect();
    terms.substitute(holds, &values)
}

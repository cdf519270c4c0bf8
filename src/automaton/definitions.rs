//! Reaching definitions: the assignments that may have given a variable the value that it has in a state, found with
//! a worklist of states and variables.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::StateId;
use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::budget::is_spent;
use crate::pnet::PNet;

/// The initial values of variables; none where any value will do.
pub(crate) type Initial = FxHashMap<VarId, Option<TermId>>;

/// The initial values of a net's variables.
pub(crate) fn initial_values(net: &PNet) -> Initial {
    net.plts.iter().flat_map(|plts| plts.variables.iter().copied()).collect()
}

/// Where a variable got its value: from nobody, or from an assignment.
pub(crate) type Sources = BTreeSet<Option<TermId>>;

/// The variables of the state that conditions speak of.
pub(crate) fn state_vars(terms: &Terms, conditions: &[TermId]) -> Vec<VarId> {
    let mut found = Vec::new();
    for &condition in conditions {
        for var in terms.free_vars(condition) {
            if terms.var(var).kind.is_state() && !found.contains(&var) {
                found.push(var);
            }
        }
    }
    found
}

/// How values get from one state to another.
pub(crate) struct Flow<'a> {
    pub source: StateId,
    pub target: StateId,
    pub updates: &'a [(VarId, TermId)],
}

/// The assignments that reach each state.
pub(crate) fn sources(
    initial: &Initial,
    edges: &[Flow<'_>],
    asked: &[VarId],
) -> FxHashMap<(StateId, VarId), Sources> {
    let mut from: FxHashMap<StateId, Vec<&Flow<'_>>> = FxHashMap::default();
    for edge in edges {
        from.entry(edge.source).or_default().push(edge);
    }
    let mut all: FxHashMap<(StateId, VarId), Sources> = FxHashMap::default();
    for &var in asked {
        all.insert((StateId::FIRST, var), [initial.get(&var).copied().flatten()].into());
    }
    let mut work: Vec<(StateId, VarId)> = asked.iter().map(|&var| (StateId::FIRST, var)).collect();
    // A state that is reached by an assignment alone has to be looked at as well.
    for edge in edges {
        for &(var, value) in edge.updates {
            if asked.contains(&var)
                && all.entry((edge.target, var)).or_default().insert(Some(value))
            {
                work.push((edge.target, var));
            }
        }
    }
    while let Some((state, var)) = work.pop() {
        if is_spent() {
            break;
        }
        let known = all.get(&(state, var)).cloned().unwrap_or_default();
        for edge in from.get(&state).into_iter().flatten() {
            if edge.updates.iter().any(|(updated, _)| *updated == var) {
                continue;
            }
            let there = all.entry((edge.target, var)).or_default();
            let before = there.len();
            there.extend(known.iter().copied());
            if there.len() > before {
                work.push((edge.target, var));
            }
        }
    }
    all
}

/// That a variable has one of the values that were assigned to it; nothing where it can have any.
pub(crate) fn one_of(terms: &mut Terms, var: VarId, sources: &Sources) -> Option<TermId> {
    let this = terms.var_term(var);
    let mut values = Vec::with_capacity(sources.len());
    for source in sources {
        // An expression speaks of the values before: its variables are others.
        let value = renamed(terms, (*source)?);
        if is_any(terms, value) && !matches!(terms.var(var).sort, Sort::Range(..)) {
            return None;
        }
        values.push(terms.equal(this, value));
    }
    let one = terms.or(values);
    (terms.as_bool(one) != Some(true)).then_some(one)
}

fn renamed(terms: &mut Terms, value: TermId) -> TermId {
    let (others, _) = terms.fresh(terms.free_vars(value), VariableKind::Input);
    terms.substitute(value, &others)
}

/// Whether an expression takes every value of its sort, as `x` and `x + 1` do.
fn is_any(terms: &Terms, value: TermId) -> bool {
    let free = |id: TermId| match terms.get(id) {
        Term::Var(var) => !matches!(terms.var(*var).sort, Sort::Range(..)),
        _ => false,
    };
    match terms.get(value) {
        Term::Var(_) => free(value),
        Term::Add(parts) => {
            let vars: Vec<&TermId> = parts.iter().filter(|&&part| free(part)).collect();
            let others = parts.iter().filter(|&&part| !free(part));
            let outside: Vec<VarId> = others.flat_map(|&part| terms.free_vars(part)).collect();
            vars.iter().any(|&&part| {
                let alone = parts.iter().filter(|&&other| other == part).count() == 1;
                alone && terms.free_vars(part).iter().all(|var| !outside.contains(var))
            })
        }
        _ => false,
    }
}

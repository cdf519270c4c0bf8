//! Quantifier elimination where it is cheap: variables that must equal something are that, and integers between linear
//! bounds go by elimination.

use rustc_hash::FxHashMap;

use super::{
    Sort, Term, TermId, Terms, VarId, VariableKind, conjunction, eliminated, solved, ways,
};
use crate::base::budget::is_spent;

/// That there are values for some variables such that all parts hold, with as few quantifiers as can be had without a
/// solver.
pub fn exists(terms: &mut Terms, vars: &[VarId], parts: Vec<TermId>) -> TermId {
    let mut found = Vec::new();
    for parts in ways(terms, vars, parts) {
        let Some((inside, mut all)) = narrowed(terms, vars, parts) else { continue };
        if !inside.is_empty() {
            let body = terms.and(inside);
            let (renamed, bound) = terms.fresh(vars.iter().copied(), VariableKind::Bound);
            let body = terms.substitute(body, &renamed);
            all.push(terms.quantified(false, bound.into(), body));
        }
        found.push(terms.and(all));
    }
    terms.or(found)
}

/// Conditions with some variables eliminated, as far as it is cheap: those that still speak of one of them, and the others.
/// Nothing where they contradict each other.
pub fn narrowed(
    terms: &mut Terms,
    vars: &[VarId],
    parts: Vec<TermId>,
) -> Option<(Vec<TermId>, Vec<TermId>)> {
    let mut parts = parts;
    while let Some((var, value, at)) = determined(terms, vars, &parts) {
        parts.remove(at);
        let values: FxHashMap<VarId, TermId> = [(var, value)].into_iter().collect();
        let new = parts.iter().map(|&part| terms.substitute(part, &values)).collect();
        parts = conjunction(terms, new)?;
    }
    for &var in vars {
        if is_spent() {
            break;
        }
        if let Some(rest) = eliminated(terms, &parts, var) {
            parts = conjunction(terms, rest)?;
        }
    }
    let speaks = |part: &TermId| terms.free_vars(*part).iter().any(|var| vars.contains(var));
    Some(parts.into_iter().partition(speaks))
}

/// A variable that one of the conditions fixes, what to, and which condition.
fn determined(
    terms: &mut Terms,
    vars: &[VarId],
    parts: &[TermId],
) -> Option<(VarId, TermId, usize)> {
    let is_plain = |var: &VarId| !matches!(terms.var(*var).sort, Sort::Range(..));
    let plain: Vec<VarId> = vars.iter().copied().filter(is_plain).collect();
    for (at, &part) in parts.iter().enumerate() {
        let Term::Equal(a, b) = *terms.get(part) else { continue };
        for (x, t) in [(a, b), (b, a)] {
            if let Term::Var(var) = *terms.get(x)
                && plain.contains(&var)
                && !terms.free_vars(t).contains(&var)
            {
                return Some((var, t, at));
            }
        }
        for &var in &plain {
            if terms.var(var).sort == Sort::Int
                && let Some(value) = solved(terms, part, var)
            {
                return Some((var, value, at));
            }
        }
    }
    None
}

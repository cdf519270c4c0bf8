//! What holes may do.

use super::{Hole, HoleId, HoleSort, PNet};
use crate::algebra::{Algebra, Sort, Term, TermId, Terms};
use crate::base::IndexVec;

/// Whether a net has a hole that may do what nobody declared.
pub fn is_open_world(net: &PNet) -> bool {
    is_open(&net.holes)
}

/// Whether one of these holes may do what nobody declared.
pub fn is_open(holes: &IndexVec<HoleId, Hole>) -> bool {
    holes.iter().any(|hole| hole.sort == HoleSort::Any)
}

/// That there is such an action: silent actions and complements have no complements. Where the model never speaks
/// of complements, this makes no difference to anything.
fn exists(terms: &mut Terms, action: TermId) -> Option<TermId> {
    if !terms.has_complements() {
        return None;
    }
    let sound = |terms: &mut Terms, whole: TermId| {
        let is_co = terms.is_co(whole);
        let inner = terms.inner(whole);
        let tau = terms.raw(Term::Tau);
        let kinds = [terms.equal(inner, tau), terms.is_sync(inner), terms.is_co(inner)];
        let none = terms.or(kinds);
        let none = terms.not(none);
        terms.implies(is_co, none)
    };
    let is_sync = terms.is_sync(action);
    let inner = terms.inner(action);
    let (outside, inside) = (sound(terms, action), sound(terms, inner));
    let inside = terms.implies(is_sync, inside);
    let both = terms.and([outside, inside]);
    (terms.as_bool(both) != Some(true)).then_some(both)
}

/// That the sort of a hole allows an action, where it is not clear: the hole does it, with values of the sorts of its
/// arguments. Silent actions are always allowed.
pub(crate) fn sort_allows(
    algebra: &Algebra,
    terms: &mut Terms,
    sort: &HoleSort,
    action: TermId,
) -> Option<TermId> {
    let mut conditions: Vec<TermId> =
        algebra.inv(terms, &Sort::Action, action).into_iter().collect();
    match sort {
        HoleSort::Any => conditions.extend(exists(terms, action)),
        HoleSort::Actions(actions) => {
            let mut allowed: Vec<TermId> =
                actions.iter().map(|&id| terms.is_act(id, action)).collect();
            let tau = terms.raw(Term::Tau);
            allowed.push(terms.equal(action, tau));
            allowed.push(terms.is_sync(action));
            conditions.push(terms.or(allowed));
        }
    }
    let all = terms.and(conditions);
    (terms.as_bool(all) != Some(true)).then_some(all)
}

//! Induction over several steps (Sheeran, Singh and Stålmarck, FMCAD 2000): what holds in `k` configurations one after the
//! other holds in the next one.
//!
//! Whether it does is asked of an unrolled run, which begins anywhere that the invariant found so far allows. What comes out
//! is an invariant like any other all the same: if `P` is inductive over `k` steps, then "`P`, and after one step still `P`,
//! …, and after `k - 1` steps still `P`" is inductive over one. For the last of these speaks of runs of `k` steps, on which
//! `P` holds up to the end but one, and so at the end; each of the others follows from the next one. What must hold so that a
//! step leads to `P` is `P` with what the step changes put in. So obligations, certificates and items need nothing new.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::algebra::{Term, TermId, Terms, VarId, exists};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::safety::check::check;
use crate::safety::problem::{InteractionId, TurnId, can_start};
use crate::safety::unroll::Unrolling;
use crate::safety::{Effort, Invariant, Problem};
use crate::smt::{Answer, Limits, Unsupported};

/// More steps are not tried.
pub(super) const DEEPEST: usize = 4;

/// A question about a run may take this long: others are waiting who may know better.
const PATIENCE: Limits = Limits { milliseconds: 1_000 };

/// An obligation of what was found may take this long.
const AT_LAST: Limits = Limits { milliseconds: 10_000 };

/// An invariant of more conditions, or of larger ones, is not made: nobody could read it, and few solvers check it.
const MOST_CONDITIONS: usize = 600;
const MOST_TERMS: usize = 30_000;

/// In how many ways the participants of one interaction may move together.
const MOST_WAYS: usize = 100;

/// An invariant that excludes what is bad, by induction over at most so many steps, with conditions that are known to be
/// inductive; if there is one.
pub(super) fn deeper(
    problem: &Problem<'_>,
    (terms, known): (&Terms, &[TermId]),
    (deepest, watch): (usize, &dyn Watch),
    effort: &mut Effort,
) -> Result<Option<Invariant>, Unsupported> {
    let mut terms = terms.clone();
    let good = terms.not(problem.bad);
    let mut run = Unrolling::anywhere(problem, terms.clone(), PATIENCE)?;
    for &one in known {
        run.assert_at_end(one)?;
    }
    for depth in 1..=deepest {
        watch.searching(&format!("induction over {depth} steps"), effort.queries);
        run.assert_at_end(good)?;
        if is_spent() || !run.extend()? {
            return Ok(None);
        }
        for &one in known {
            run.assert_at_end(one)?;
        }
        let bad = run.at_end(problem.bad);
        effort.queries += 1;
        match run.session.check_assuming(&mut run.terms, &[bad]) {
            Answer::Sat => {}
            // Longer runs are no easier.
            Answer::Unknown(_) => return Ok(None),
            Answer::Unsat => {
                let invariant = over_one_step(problem, terms, (known, good), depth);
                return Ok(invariant.filter(|one| check(problem, one, AT_LAST).is_ok()));
            }
        }
    }
    Ok(None)
}

/// What is inductive over so many steps, as an invariant; nothing where it would be too large.
fn over_one_step(
    problem: &Problem<'_>,
    mut terms: Terms,
    (known, good): (&[TermId], TermId),
    depth: usize,
) -> Option<Invariant> {
    let mut seen: FxHashSet<TermId> = known.iter().copied().collect();
    let mut conjuncts = known.to_vec();
    let mut last = match terms.get(good) {
        Term::And(parts) => parts.to_vec(),
        _ => vec![good],
    };
    for _ in 1..depth {
        last.retain(|one| seen.insert(*one));
        conjuncts.extend(&last);
        let mut next = Vec::new();
        for &one in &last {
            next.extend(before(problem, &mut terms, one)?);
        }
        last = next;
        if conjuncts.len() + last.len() > MOST_CONDITIONS
            || terms.inside(last.iter().copied()).count() > MOST_TERMS
        {
            return None;
        }
    }
    last.retain(|one| seen.insert(*one));
    conjuncts.extend(last);
    Some(Invariant { terms, conjuncts })
}

/// What must hold before any step so that a condition holds after it; nothing where that would be too much.
fn before(problem: &Problem<'_>, terms: &mut Terms, condition: TermId) -> Option<Vec<TermId>> {
    let spoken_of = terms.free_vars(condition);
    let mut found = Vec::new();
    for id in problem.interactions.ids() {
        if is_spent() {
            return None;
        }
        let changed = problem.changes(id);
        if !spoken_of.iter().any(|var| changed.binary_search(var).is_ok()) {
            continue;
        }
        found.extend(before_one(problem, terms, id, condition)?);
        if found.len() > MOST_CONDITIONS {
            return None;
        }
    }
    Some(found)
}

/// The same for one interaction, a condition for each way in which its participants move together.
fn before_one(
    problem: &Problem<'_>,
    terms: &mut Terms,
    id: InteractionId,
    condition: TermId,
) -> Option<Vec<TermId>> {
    let interaction = &problem.interactions[id];
    let counts = interaction.participants.iter().map(|one| one.ways.len());
    if counts.fold(1usize, usize::saturating_mul) > MOST_WAYS {
        return None;
    }
    let ways = interaction.participants.iter().map(|one| one.ways.ids().collect::<Vec<_>>());
    let together: Vec<Vec<TurnId>> = match interaction.participants.len() {
        0 => vec![Vec::new()],
        _ => ways.multi_cartesian_product().collect(),
    };
    let mut found = Vec::new();
    for ways in together {
        let mut parts = interaction.guard.clone();
        let mut then: FxHashMap<VarId, TermId> = FxHashMap::default();
        for (participant, way) in interaction.participants.iter().zip(ways) {
            let component = &problem.components[participant.component];
            let way = &participant.ways[way];
            parts.push(can_start(terms, component, way));
            for (location, &var) in component.locations.enumerated() {
                then.insert(var, terms.bool(location == way.to));
            }
            then.extend(way.updates.iter().copied());
        }
        let after = terms.substitute(condition, &then);
        if after == condition || terms.as_bool(after) == Some(true) {
            continue;
        }
        parts.push(terms.not(after));
        let broken = exists(terms, &interaction.locals, parts);
        found.push(terms.not(broken));
    }
    Some(found)
}

//! Conjunctions made smaller: each part is used to simplify the others; and conjunctions by cases.
//!
//! What comes out holds for the same values as what went in.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::tightened;
use super::linear::normal;
use super::{Term, TermId, Terms, VarId};
use crate::base::budget::is_spent;

/// A conjunction, flat; each part is used to simplify the others. Nothing when it is false.
pub fn conjunction(terms: &mut Terms, parts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut parts = flat(terms, parts)?;
    // Each round makes something smaller, so this ends; a few rounds are enough for what people write.
    for _ in 0..8 {
        let mut changed = false;
        for at in 0..parts.len() {
            if is_spent() {
                return Some(parts);
            }
            let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
            for (other, &part) in parts.iter().enumerate() {
                if other != at {
                    learn(terms, part, &mut known);
                }
            }
            let new = terms.substitute_with(parts[at], &FxHashMap::default(), &mut known);
            if new != parts[at] {
                parts[at] = new;
                changed = true;
            }
        }
        parts = flat(terms, parts)?;
        if !changed {
            break;
        }
    }
    Some(parts)
}

/// A condition that holds for the same values where some others do, with these used to simplify it.
pub fn simplified_where(terms: &mut Terms, condition: TermId, facts: &[TermId]) -> TermId {
    let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &fact in facts {
        learn(terms, fact, &mut known);
    }
    terms.substitute_with(condition, &FxHashMap::default(), &mut known)
}

fn flat(terms: &mut Terms, parts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut found: Vec<TermId> = Vec::with_capacity(parts.len());
    let mut work: Vec<TermId> = parts.into_iter().rev().collect();
    while let Some(part) = work.pop() {
        let part = normal(terms, part);
        match terms.get(part).clone() {
            Term::Bool(true) => {}
            Term::Bool(false) => return None,
            Term::And(inner) => work.extend(inner.iter().rev()),
            Term::Not(inner) => match terms.get(inner).clone() {
                Term::Or(inner) => {
                    for &one in inner.iter().rev() {
                        let not = terms.not(one);
                        work.push(not);
                    }
                }
                Term::And(inner) => {
                    let ways: Vec<TermId> = inner.iter().map(|&one| terms.not(one)).collect();
                    let ways: Vec<TermId> =
                        ways.into_iter().map(|way| normal(terms, way)).collect();
                    let part = terms.or(ways);
                    push_new(&mut found, part);
                }
                _ => push_new(&mut found, part),
            },
            _ => push_new(&mut found, part),
        }
    }
    for &part in &found {
        let not = terms.not(part);
        let not = normal(terms, not);
        if found.contains(&not) {
            return None;
        }
    }
    let found = without_longer(terms, found);
    tightened(terms, found)
}

/// A conjunction without alternatives that are among others that it asks for as well: those say less, and each would
/// double the ways to look at. Of many answers that lead to the same, as when items move on by themselves, few are left.
fn without_longer(terms: &Terms, parts: Vec<TermId>) -> Vec<TermId> {
    let options = |part: TermId| match terms.get(part) {
        Term::Or(options) => options.iter().copied().collect(),
        _ => FxHashSet::from_iter([part]),
    };
    let sets: Vec<FxHashSet<TermId>> = parts.iter().map(|&part| options(part)).collect();
    let is_longer = |at: usize| {
        let shorter =
            |other: &FxHashSet<TermId>| other.len() < sets[at].len() && other.is_subset(&sets[at]);
        sets[at].len() > 1 && sets.iter().any(shorter)
    };
    let kept = parts.iter().enumerate().filter(|(at, _)| !is_longer(*at));
    kept.map(|(_, &part)| part).collect()
}

fn push_new(found: &mut Vec<TermId>, part: TermId) {
    if !found.contains(&part) {
        found.push(part);
    }
}

/// More ways than this are not looked at one by one.
const MOST_WAYS: usize = 32;

/// A conjunction as several without alternatives in those parts that speak of some variables; one of them holds
/// where it does.
pub fn ways(terms: &mut Terms, vars: &[VarId], parts: Vec<TermId>) -> Vec<Vec<TermId>> {
    let mut done: Vec<Vec<TermId>> = Vec::new();
    let mut work: Vec<Vec<TermId>> = vec![parts];
    while let Some(parts) = work.pop() {
        let Some(parts) = conjunction(terms, parts) else { continue };
        let speaks = |terms: &Terms, part: TermId| {
            terms.free_vars(part).iter().any(|var| vars.contains(var))
        };
        let choice = parts
            .iter()
            .position(|&part| matches!(terms.get(part), Term::Or(_)) && speaks(terms, part));
        match choice {
            Some(at) if done.len() + work.len() < MOST_WAYS && !is_spent() => {
                let Term::Or(options) = terms.get(parts[at]).clone() else { continue };
                for &option in options.iter().rev() {
                    let mut one = parts.clone();
                    one[at] = option;
                    work.push(one);
                }
            }
            _ => match parts.iter().position(|&part| speaks(terms, part) && writes(terms, part)) {
                Some(at) if done.len() + work.len() < MOST_WAYS && !is_spent() => {
                    work.extend(read_or_written(terms, &parts, at));
                }
                _ => done.push(parts),
            },
        }
    }
    done
}

/// Whether an array that was written to is read.
fn writes(terms: &Terms, part: TermId) -> bool {
    written(terms, part).is_some()
}

/// Something that is read of an array that was written to.
fn written(terms: &Terms, part: TermId) -> Option<TermId> {
    // What is bound further inside is not to be spoken of outside.
    let is_open = |term: &Term| !matches!(term, Term::Forall(..) | Term::Exists(..));
    let is_read = |id: &TermId| match *terms.get(*id) {
        Term::Index(array, _) => matches!(terms.get(array), Term::Update(..)),
        _ => false,
    };
    terms.inside_entering([part], is_open).find(is_read)
}

/// A conjunction in two cases: what one of its parts reads was just written, or was there before.
fn read_or_written(terms: &mut Terms, parts: &[TermId], at: usize) -> Vec<Vec<TermId>> {
    let Some(read) = written(terms, parts[at]) else { return Vec::new() };
    let Term::Index(array, place) = *terms.get(read) else { return Vec::new() };
    let Term::Update(before, there, value) = *terms.get(array) else { return Vec::new() };
    let same = terms.equal_places(there, place);
    let (other, old) = (terms.not(same), terms.index(before, place));
    let mut case = |condition: TermId, found: TermId| {
        let mut known: FxHashMap<TermId, TermId> = [(read, found)].into_iter().collect();
        let mut parts = parts.to_vec();
        parts[at] = terms.substitute_with(parts[at], &FxHashMap::default(), &mut known);
        parts.push(condition);
        parts
    };
    vec![case(other, old), case(same, value)]
}

/// What can be put for what, where a condition holds.
fn learn(terms: &mut Terms, part: TermId, known: &mut FxHashMap<TermId, TermId>) {
    let (yes, no) = (terms.bool(true), terms.bool(false));
    match *terms.get(part) {
        Term::Not(inner) => {
            known.insert(inner, no);
        }
        Term::Equal(a, b) => {
            known.insert(part, yes);
            let is_name = |id: TermId| matches!(terms.get(id), Term::Var(_) | Term::Const(_));
            if is_name(a) && terms.is_value(b) {
                known.insert(a, b);
            } else if is_name(b) && terms.is_value(a) {
                known.insert(b, a);
            }
        }
        _ => {
            known.insert(part, yes);
        }
    }
}

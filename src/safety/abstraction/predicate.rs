//! Predicates, and where they are looked at.
//!
//! A predicate over the variables of one component is looked at where that component is in certain locations, one over
//! variables of several components everywhere. Predicates are atoms in one form, so that no two say the same.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::place::Place;
use crate::algebra::{Sort, Term, TermId, Terms, VarId, normal};
use crate::base::IndexVec;
use crate::pnet::PltsStateId;
use crate::safety::ComponentId;
use crate::tagged_id;

tagged_id! {
    /// A predicate.
    PredicateId
}

/// A predicate.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    pub term: TermId,
    /// The variables that it speaks of, in order.
    pub vars: Vec<VarId>,
    /// The component that all of them belong to.
    pub owner: Option<ComponentId>,
}

/// A predicate, or that it does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Literal {
    pub predicate: PredicateId,
    pub holds: bool,
}

/// All of these literals hold: those of each component, and those about several. In order.
pub(super) type Region = Vec<Literal>;

/// A set of configurations.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub place: Place,
    pub region: Region,
    /// The predicates that came before this were looked at.
    pub stamp: Stamp,
}

tagged_id! {
    /// When a predicate came to be looked at somewhere.
    Stamp
}

/// A predicate, and since when it is looked at.
pub(super) type Looked = (PredicateId, Stamp);

/// All predicates, and where they are looked at.
#[derive(Default)]
pub(super) struct Precision {
    pub predicates: IndexVec<PredicateId, Predicate>,
    known: FxHashMap<TermId, PredicateId>,
    local: FxHashMap<(ComponentId, PltsStateId), Vec<Looked>>,
    global: Vec<Looked>,
    added: u32,
}

impl Precision {
    /// Now.
    pub fn stamp(&self) -> Stamp {
        Stamp(self.added)
    }

    /// The predicates that are looked at in a place, in order.
    pub fn at(&self, place: &Place) -> Vec<Looked> {
        let local =
            place.enumerated().filter_map(|(id, &location)| self.local.get(&(id, location)));
        let all = local.flatten().chain(&self.global);
        all.copied().sorted_unstable().collect()
    }

    /// Has a predicate looked at in a place; since when it is.
    pub fn add(
        &mut self,
        terms: &mut Terms,
        owners: &FxHashMap<VarId, ComponentId>,
        atom: TermId,
        place: &Place,
    ) -> Option<Stamp> {
        let id = self.predicate(terms, owners, atom)?;
        let list = match self.predicates[id].owner {
            Some(owner) => self.local.entry((owner, place[owner])).or_default(),
            None => &mut self.global,
        };
        if let Some((_, since)) = list.iter().find(|(known, _)| *known == id) {
            return Some(*since);
        }
        let since = Stamp(self.added);
        list.push((id, since));
        self.added += 1;
        Some(since)
    }

    /// The predicate that an atom is; nothing where it says nothing, or speaks of what nobody else knows.
    fn predicate(
        &mut self,
        terms: &mut Terms,
        owners: &FxHashMap<VarId, ComponentId>,
        atom: TermId,
    ) -> Option<PredicateId> {
        let term = canonical(terms, atom);
        if let Some(&known) = self.known.get(&term) {
            return Some(known);
        }
        if terms.as_bool(term).is_some() {
            return None;
        }
        let vars: Vec<VarId> =
            terms.free_vars(term).into_iter().sorted_unstable().dedup().collect();
        let who: Option<FxHashSet<ComponentId>> =
            vars.iter().map(|var| owners.get(var).copied()).collect();
        let who = who?;
        let owner = if who.len() == 1 { who.into_iter().next() } else { None };
        let id = self.predicates.push(Predicate { term, vars, owner });
        self.known.insert(term, id);
        Some(id)
    }

    /// What a literal says.
    pub fn term(&self, terms: &mut Terms, literal: Literal) -> TermId {
        let term = self.predicates[literal.predicate].term;
        if literal.holds { term } else { terms.not(term) }
    }

    /// Where each predicate is looked at: everywhere, or where a component is in one of these locations.
    pub fn spots(&self) -> Vec<(PredicateId, Option<(ComponentId, PltsStateId)>)> {
        let each = |(&spot, all): (&(ComponentId, PltsStateId), &Vec<Looked>)| {
            all.iter().map(|&(id, _)| (id, Some(spot))).collect::<Vec<_>>()
        };
        let local = self.local.iter().flat_map(each);
        let global = self.global.iter().map(|&(id, _)| (id, None));
        local.chain(global).sorted_unstable().collect()
    }
}

/// One form for an atom and for its opposite.
fn canonical(terms: &mut Terms, atom: TermId) -> TermId {
    let not = terms.not(atom);
    let (yes, no) = (normal(terms, atom), normal(terms, not));
    let plain = |term: TermId| !matches!(terms.get(term), Term::Not(_));
    match (plain(yes), plain(no)) {
        (true, false) => yes,
        (false, true) => no,
        _ => yes.min(no),
    }
}

/// The atoms of a condition. An equation of numbers that has to hold is two inequalities: these are more often kept.
pub(super) fn atoms(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work = vec![(condition, true)];
    while let Some((id, holds)) = work.pop() {
        if !seen.insert((id, holds)) {
            continue;
        }
        match terms.get(id).clone() {
            Term::Bool(_) => {}
            Term::Not(inner) => work.push((inner, !holds)),
            Term::And(parts) | Term::Or(parts) => {
                work.extend(parts.iter().rev().map(|&part| (part, holds)));
            }
            Term::If(condition, yes, no) if is_bool(terms, yes) => {
                work.extend([(no, holds), (yes, holds), (condition, true)]);
            }
            Term::Equal(a, b) if is_bool(terms, a) && is_bool(terms, b) => {
                work.extend([(b, holds), (a, holds)]);
            }
            Term::Equal(a, b) if holds && (is_number(terms, a) || is_number(terms, b)) => {
                found.extend([terms.less_equal(a, b), terms.less_equal(b, a)]);
            }
            _ => found.push(id),
        }
    }
    found
}

fn is_bool(terms: &Terms, id: TermId) -> bool {
    match terms.get(id) {
        Term::Var(var) => terms.var(*var).sort == Sort::Bool,
        Term::Bool(_)
        | Term::Not(_)
        | Term::And(_)
        | Term::Or(_)
        | Term::Equal(..)
        | Term::Less(..)
        | Term::LessEqual(..)
        | Term::IsConstructor(..) => true,
        _ => false,
    }
}

fn is_number(terms: &Terms, id: TermId) -> bool {
    match terms.get(id) {
        Term::Var(var) => matches!(terms.var(*var).sort, Sort::Int | Sort::Range(..)),
        Term::Int(_) | Term::Add(_) | Term::Multiply(_) | Term::Div(..) | Term::Mod(..) => true,
        _ => false,
    }
}

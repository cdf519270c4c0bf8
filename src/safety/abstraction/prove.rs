//! Invariants from the tree.
//!
//! The cells of a full tree are an invariant, as a disjunction. Often a few conditions say enough: what is known of a
//! predicate at each location in all cells is a candidate, and those that are kept by every interaction are an invariant
//! whatever the tree looks like: it need not be complete, and it may leave out what can be done together.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::post::{Abstract, literal};
use super::predicate::{Cell, Literal, PredicateId};
use super::tree::Tree;
use crate::algebra::{Term, TermId};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::pnet::PltsStateId;
use crate::safety::check::{check, excludes};
use crate::safety::induction::{Candidate, kept};
use crate::safety::minimal::minimal;
use crate::safety::{ComponentId, Invariant};
use crate::smt::Limits;

/// Obligations of an invariant may take this long each.
const PATIENCE: Limits = Limits { milliseconds: 20_000 };

/// More candidates are not looked at.
const MOST_CANDIDATES: usize = 4_000;

/// Trees of more cells are no invariant that anybody could check.
const MOST_CELLS: usize = 3_000;

/// Where components are: some of them in certain locations.
type Spot = Vec<(ComponentId, PltsStateId)>;

impl Abstract<'_, '_> {
    /// The invariant that the cells of a tree are, if they are one.
    pub fn disjunction(&mut self, tree: &Tree) -> Option<Invariant> {
        if tree.cells().count() > MOST_CELLS {
            return None;
        }
        let mut all = Vec::new();
        for cell in tree.cells() {
            let mut parts: Vec<TermId> =
                cell.place.enumerated().map(|(id, &here)| self.problem.is_at(id, here)).collect();
            let Abstract { terms, precision, .. } = self;
            parts.extend(cell.region.iter().map(|&literal| precision.term(terms, literal)));
            all.push(terms.and(parts));
        }
        let all = self.terms.or(all);
        let invariant = Invariant { terms: self.terms.clone(), conjuncts: vec![all] };
        let confirmed = check(self.problem, &invariant, PATIENCE).is_ok() && !is_spent();
        confirmed.then_some(invariant)
    }

    /// Conditions that hold in all cells so far, are kept by every interaction, and exclude what is bad.
    pub fn conjunction(&mut self, tree: &Tree, watch: &dyn Watch) -> Option<Invariant> {
        let cells: Vec<&Cell> = tree.cells().collect();
        let candidates = self.candidates(&cells);
        if candidates.len() > MOST_CANDIDATES || is_spent() {
            return None;
        }
        let asked = (&[][..], candidates.as_slice());
        let (kept, queries) = kept(self.problem, &mut self.terms, asked, watch).ok()?;
        self.session.queries += queries;
        let held = candidates.iter().zip(kept).filter(|(_, kept)| *kept);
        let conjuncts = held.map(|(candidate, _)| candidate.term).collect();
        let invariant = Invariant { terms: self.terms.clone(), conjuncts };
        if is_spent() || excludes(self.problem, &invariant, PATIENCE).is_err() {
            return None;
        }
        let invariant = minimal(self.problem, &invariant);
        let confirmed = check(self.problem, &invariant, PATIENCE).is_ok() && !is_spent();
        confirmed.then_some(invariant)
    }

    fn candidates(&mut self, cells: &[&Cell]) -> Vec<Candidate> {
        let mut found = Vec::new();
        for part in self.goals() {
            found.push((Spot::new(), part));
        }
        found.extend(self.apart(cells));
        for (predicate, spot) in self.precision.spots() {
            if is_spent() {
                return Vec::new();
            }
            for spot in self.spots(predicate, spot, cells) {
                found.extend(self.known(predicate, &spot, cells).map(|term| (spot, term)));
            }
        }
        let mut seen = FxHashSet::default();
        let mut all = Vec::with_capacity(found.len());
        for (spot, claim) in found {
            let at: Vec<TermId> =
                spot.iter().map(|&(id, here)| self.problem.is_at(id, here)).collect();
            let there = self.terms.and(at);
            let term = self.terms.implies(there, claim);
            if self.terms.as_bool(term).is_none() && seen.insert(term) {
                let vars = self.terms.free_vars(term).into_iter();
                let owners = vars.filter_map(|var| self.owners.get(&var).copied());
                let components = owners.sorted_unstable().dedup().collect();
                all.push(Candidate { term, components, anywhere: spot.is_empty() });
            }
        }
        all
    }

    /// That nothing bad is here, part by part.
    fn goals(&mut self) -> Vec<TermId> {
        let alternatives = match self.terms.get(self.problem.bad) {
            Term::Or(parts) => parts.to_vec(),
            _ => vec![self.problem.bad],
        };
        alternatives.into_iter().map(|one| self.terms.not(one)).collect()
    }

    /// Locations in which no component is in any cell, or no two are together.
    fn apart(&mut self, cells: &[&Cell]) -> Vec<(Spot, TermId)> {
        let no = self.terms.bool(false);
        let mut met: FxHashSet<Spot> = FxHashSet::default();
        let pairs = self.neighbours();
        for cell in cells {
            met.extend(cell.place.enumerated().map(|(id, &here)| vec![(id, here)]));
            for &(one, other) in &pairs {
                met.insert(vec![(one, cell.place[one]), (other, cell.place[other])]);
            }
        }
        let locations = |id: ComponentId| self.problem.components[id].locations.ids();
        let alone =
            self.problem.components.ids().flat_map(|id| {
                locations(id).map(move |here| vec![(id, here)]).collect::<Vec<Spot>>()
            });
        let alone: Vec<Spot> = alone.filter(|spot| !met.contains(spot)).collect();
        let is_met = |one: (ComponentId, PltsStateId)| met.contains(&vec![one]);
        let mut found: Vec<Spot> = alone;
        for &(one, other) in &pairs {
            for (here, there) in locations(one).cartesian_product(locations(other)) {
                let (here, there) = ((one, here), (other, there));
                let spot = vec![here, there];
                if is_met(here) && is_met(there) && !met.contains(&spot) {
                    found.push(spot);
                }
            }
        }
        found.into_iter().map(|spot| (spot, no)).collect()
    }

    /// The pairs of components that take part in something together, or with the same third one; in order.
    fn neighbours(&self) -> Vec<(ComponentId, ComponentId)> {
        let mut near: FxHashMap<ComponentId, FxHashSet<ComponentId>> = FxHashMap::default();
        for interaction in &self.problem.interactions {
            let who = interaction.participants.iter().map(|participant| participant.component);
            for [one, other] in who.array_combinations() {
                near.entry(one).or_default().insert(other);
                near.entry(other).or_default().insert(one);
            }
        }
        let mut pairs: FxHashSet<(ComponentId, ComponentId)> = FxHashSet::default();
        for (&one, others) in &near {
            pairs.extend(others.iter().map(|&other| (one.min(other), one.max(other))));
            for [&a, &b] in others.iter().array_combinations() {
                pairs.insert((a.min(b), a.max(b)));
            }
        }
        pairs.into_iter().sorted_unstable().collect()
    }

    /// Where to say something of a predicate: everywhere, and at each location, or each pair of locations, of the components
    /// that it speaks of.
    fn spots(
        &self,
        id: PredicateId,
        spot: Option<(ComponentId, PltsStateId)>,
        cells: &[&Cell],
    ) -> Vec<Spot> {
        if let Some(spot) = spot {
            return vec![vec![spot]];
        }
        let vars = &self.precision.predicates[id].vars;
        let who = vars.iter().filter_map(|var| self.owners.get(var).copied());
        let who: Vec<ComponentId> = who.sorted_unstable().dedup().collect();
        let mut found: FxHashSet<Spot> = [Spot::new()].into_iter().collect();
        for cell in cells {
            found.extend(who.iter().map(|&one| vec![(one, cell.place[one])]));
            found.extend(
                who.iter()
                    .array_combinations()
                    .map(|[&one, &other]| vec![(one, cell.place[one]), (other, cell.place[other])]),
            );
        }
        found.into_iter().sorted_unstable().collect()
    }

    /// What all cells at a spot say of a predicate, if they say the same.
    fn known(&mut self, id: PredicateId, spot: &Spot, cells: &[&Cell]) -> Option<TermId> {
        let there = |cell: &&&Cell| spot.iter().all(|&(one, here)| cell.place[one] == here);
        let mut said = cells.iter().filter(there).map(|cell| literal(&cell.region, id));
        let first: Literal = said.next()??;
        let Abstract { terms, precision, .. } = self;
        said.all(|other| other == Some(first)).then(|| precision.term(terms, first))
    }
}

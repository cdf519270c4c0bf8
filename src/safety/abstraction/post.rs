//! Abstract steps: which literals surely hold after a move, and whether something is possible at all.
//!
//! Nothing is said of the values after a move: whether a predicate holds then is what it says with the new values put in, a
//! condition on the values before. So all questions are about one configuration.
//!
//! Only literals that have to do with a question are put into it: those that share a variable with it, directly or through
//! others. So the same questions come again and again, at many nodes, and their answers are remembered.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::place::{self, Effect, EffectId, Folding, Move, Place};
use super::predicate::{Cell, Literal, Precision, Predicate, PredicateId, Region};
use crate::algebra::{TermId, Terms, VarId};
use crate::safety::{ComponentId, Problem};
use crate::smt::{Answer, Limits, Session, Unsupported};

/// What a step was asked about: the move, the literals that matter, and the predicates in question.
type Asked = (EffectId, Region, Vec<PredicateId>);

/// The abstraction of a problem.
pub(super) struct Abstract<'p, 'n> {
    pub problem: &'p Problem<'n>,
    pub terms: Terms,
    pub session: Session,
    pub folding: Folding,
    pub precision: Precision,
    /// The component that each variable belongs to.
    pub owners: FxHashMap<VarId, ComponentId>,
    /// What surely holds after steps; nothing where they are impossible.
    posts: FxHashMap<Asked, Option<Region>>,
    /// Whether a condition and some literals can hold together.
    possible: FxHashMap<(TermId, Region), bool>,
}

impl<'p, 'n> Abstract<'p, 'n> {
    pub fn new(
        problem: &'p Problem<'n>,
        mut terms: Terms,
        limits: Limits,
    ) -> Result<Abstract<'p, 'n>, Unsupported> {
        let open_world = problem.is_open_world();
        let session = Session::new(&problem.net.algebra, &mut terms, open_world, limits)?;
        Ok(Abstract {
            problem,
            terms,
            session,
            folding: Folding::new(problem),
            precision: Precision::default(),
            owners: problem.owners(),
            posts: FxHashMap::default(),
            possible: FxHashMap::default(),
        })
    }

    /// Where the net begins; nothing where it cannot.
    pub fn initial(&mut self) -> Result<Option<Cell>, Unsupported> {
        let (place, stamp) = (place::begin(self.problem), self.precision.stamp());
        let mut conditions = Vec::new();
        for &one in &self.problem.initial {
            let one = self.folding.condition(self.problem, &mut self.terms, one, &place);
            conditions.push(one);
        }
        let looked = self.precision.at(&place).into_iter();
        let wanted = looked.map(|(id, _)| (id, self.precision.predicates[id].term));
        let wanted: Vec<(PredicateId, TermId)> = wanted.collect();
        let found = self.entailed(&conditions, &wanted)?;
        Ok(found.map(|region| Cell { place, region, stamp }))
    }

    /// Where a move leads; nothing where it is impossible.
    pub fn post(&mut self, from: &Cell, one: &Move) -> Result<Option<Cell>, Unsupported> {
        let effect = self.folding.effect(self.problem, &mut self.terms, one, &from.place);
        let (place, stamp) = (place::after(self.problem, one, &from.place), self.precision.stamp());
        let no = self.terms.bool(false);
        if effect.conditions.contains(&no) {
            return Ok(None);
        }
        let (kept, wanted) = self.kept(from, &place, &effect);
        let mut after: Vec<(PredicateId, TermId)> = Vec::with_capacity(wanted.len());
        for &id in &wanted {
            let term = self.precision.predicates[id].term;
            after.push((id, self.terms.substitute(term, &effect.updates)));
        }
        let mut seeds: FxHashSet<VarId> = effect.reads.iter().copied().collect();
        for &(_, term) in &after {
            seeds.extend(self.terms.free_vars(term));
        }
        let asked = (effect.id, self.relevant(&from.region, seeds), wanted);
        let found = match self.posts.get(&asked) {
            Some(known) => known.clone(),
            None => {
                let mut conditions = effect.conditions.clone();
                conditions.extend(self.said(&asked.1));
                let found = self.entailed(&conditions, &after)?;
                self.posts.insert(asked, found.clone());
                found
            }
        };
        Ok(found.map(|found| {
            let region = kept.into_iter().chain(found).sorted_unstable().collect();
            Cell { place, region, stamp }
        }))
    }

    /// The literals that a move keeps, and the predicates that have to be asked about after it.
    fn kept(&self, from: &Cell, to: &Place, effect: &Effect) -> (Region, Vec<PredicateId>) {
        let (mut kept, mut wanted) = (Region::new(), Vec::new());
        for (id, since) in self.precision.at(to) {
            let Predicate { vars, owner, .. } = &self.precision.predicates[id];
            let changes = vars.iter().any(|var| effect.updates.contains_key(var));
            if !changes && let Some(known) = literal(&from.region, id) {
                kept.push(known);
                continue;
            }
            let reads = vars.iter().any(|var| effect.reads.binary_search(var).is_ok());
            let moved = owner.is_some_and(|owner| from.place[owner] != to[owner]);
            if changes || reads || moved || since >= from.stamp {
                wanted.push(id);
            }
        }
        (kept, wanted)
    }

    /// What literals say.
    fn said(&mut self, region: &Region) -> Vec<TermId> {
        let Abstract { terms, precision, .. } = self;
        region.iter().map(|&literal| precision.term(terms, literal)).collect()
    }

    /// The literals that share a variable with some, directly or through others.
    fn relevant(&self, region: &Region, mut seeds: FxHashSet<VarId>) -> Region {
        let vars = |literal: &Literal| &self.precision.predicates[literal.predicate].vars;
        let mut rest: Vec<Literal> = region.clone();
        let mut found: Region = Vec::new();
        loop {
            let shares = |literal: &Literal| {
                let vars = vars(literal);
                vars.is_empty() || vars.iter().any(|var| seeds.contains(var))
            };
            let (now, later): (Vec<Literal>, Vec<Literal>) = rest.into_iter().partition(shares);
            if now.is_empty() {
                break;
            }
            seeds.extend(now.iter().flat_map(|literal| vars(literal).iter().copied()));
            found.extend(now);
            rest = later;
        }
        found.sort_unstable();
        found
    }

    /// Whether a condition is possible somewhere in a cell.
    pub fn can_be(&mut self, cell: &Cell, condition: TermId) -> Result<bool, Unsupported> {
        let condition =
            self.folding.condition(self.problem, &mut self.terms, condition, &cell.place);
        if let Some(value) = self.terms.as_bool(condition) {
            return Ok(value);
        }
        let seeds = self.terms.free_vars(condition).into_iter().collect();
        let asked = (condition, self.relevant(&cell.region, seeds));
        if let Some(&known) = self.possible.get(&asked) {
            return Ok(known);
        }
        self.session.push();
        for term in std::iter::once(condition).chain(self.said(&asked.1)) {
            self.session.assert(&mut self.terms, term)?;
        }
        let answer = self.session.check() != Answer::Unsat;
        self.session.pop();
        self.possible.insert(asked, answer);
        Ok(answer)
    }

    /// The literals that follow from conditions; nothing where these contradict each other. What the solver does not know
    /// does not follow.
    fn entailed(
        &mut self,
        conditions: &[TermId],
        wanted: &[(PredicateId, TermId)],
    ) -> Result<Option<Region>, Unsupported> {
        self.session.push();
        for &condition in conditions {
            self.session.assert(&mut self.terms, condition)?;
        }
        let found = match self.session.check() {
            Answer::Unsat => None,
            Answer::Sat => Some(self.following(wanted)),
            Answer::Unknown(_) => Some(Region::new()),
        };
        self.session.pop();
        Ok(found)
    }

    /// The literals that follow from what is asserted. A model of it has just been found: each predicate can follow only as
    /// it is there, and all that are left after some models are asked about at once.
    fn following(&mut self, wanted: &[(PredicateId, TermId)]) -> Region {
        let Abstract { terms, session, .. } = self;
        let mut left: Vec<(Literal, TermId)> = Vec::with_capacity(wanted.len());
        for &(predicate, term) in wanted {
            if let Some(holds) = session.holds(terms, term) {
                let says = if holds { term } else { terms.not(term) };
                left.push((Literal { predicate, holds }, says));
            }
        }
        while !left.is_empty() {
            let broken: Vec<TermId> = left.iter().map(|&(_, says)| terms.not(says)).collect();
            let one_is = terms.or(broken);
            match session.check_assuming(terms, &[one_is]) {
                Answer::Unsat => break,
                Answer::Sat => {
                    let before = left.len();
                    left.retain(|&(_, says)| session.holds(terms, says) == Some(true));
                    if left.len() == before {
                        left.clear();
                    }
                }
                Answer::Unknown(_) => {
                    left.retain(|&(_, says)| {
                        let not = terms.not(says);
                        session.check_assuming(terms, &[not]) == Answer::Unsat
                    });
                    break;
                }
            }
        }
        left.into_iter().map(|(literal, _)| literal).collect()
    }
}

/// What a region says of a predicate.
pub(super) fn literal(region: &Region, id: PredicateId) -> Option<Literal> {
    let place = region.binary_search_by_key(&id, |literal| literal.predicate).ok()?;
    region.get(place).copied()
}

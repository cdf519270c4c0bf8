//! Fixpoints, round by round: greatest ones from above until nothing is lost any more, least ones from below, layer by layer.
//!
//! A set from which all that is said leads to itself is part of the greatest fixpoint, however it was found. A layer is part
//! of the least one where each of its configurations is there because of earlier layers, or because of others of its own with
//! smaller ranks: ranks are lists of natural numbers, compared in their order, of which there is no endless descent.

use super::parts::{Part, PartId};
use super::sets::{Engine, Layer};
use super::{Set, Stopped};
use crate::algebra::{TermId, VarId, VariableKind, conjunction};
use crate::base::budget::is_spent;
use crate::smt::Answer;

/// Ranks are looked for after so many rounds that did not settle anything.
const ROUNDS_BEFORE_RANKS: usize = 3;

impl Engine<'_, '_> {
    /// A set from which all that a fixpoint says leads to itself; the largest, where one is found.
    pub(super) fn greatest(&mut self, part: PartId) -> Result<Set, Stopped> {
        let mut set = self.everywhere(true);
        for round in 0..self.effort.rounds {
            let body = self.body(part, set.clone())?;
            let mut lost = false;
            for state in set.ids() {
                if is_spent() {
                    return Err(Stopped);
                }
                let not = self.prover.terms.not(body[state]);
                if self.asked(state, &[set[state], not]) == Answer::Unsat {
                    continue;
                }
                lost = true;
                let both = self.prover.terms.and([set[state], body[state]]);
                set[state] = self.shorter(state, both, &[]);
            }
            self.prover.searching(&format!("round {} from above", round + 1));
            if !lost {
                return Ok(set);
            }
            if self.is_hopeless(part, &set) {
                return Ok(self.everywhere(false));
            }
            self.leave_out_loops(part, &mut set)?;
            if self.is_large(&set) {
                break;
            }
        }
        if self.effort.all {
            if let Some(set) = self.by_clauses(part)? {
                return Ok(set);
            }
            if let Some(set) = self.by_opposite(part)? {
                return Ok(set);
            }
        }
        Ok(self.everywhere(false))
    }

    /// All but what was found for the opposite of a greatest fixpoint, if that is one: the opposite may have ranks.
    fn by_opposite(&mut self, part: PartId) -> Result<Option<Set>, Stopped> {
        let Part::Fix { id, .. } = self.parts.all[part] else { return Ok(None) };
        if !self.parts.free[part].is_empty() || !self.params(part).is_empty() {
            return Ok(None);
        }
        let is_opposite = |one: &Part| matches!(one, Part::Fix { id: other, greatest: false, params, .. } if *other == id && params.is_empty());
        let other = self.parts.all.enumerated().find(|(_, one)| is_opposite(one));
        let Some((other, _)) = other else { return Ok(None) };
        if !self.parts.free[other].is_empty() {
            return Ok(None);
        }
        let found = self.fixpoint(other)?;
        let total = self.total(&found);
        let set = self.opposite(&total);
        Ok(self.leads_to_itself(part, &set)?.then_some(set))
    }

    /// Whether all that a greatest fixpoint says of a set leads to it again.
    pub(super) fn leads_to_itself(&mut self, part: PartId, set: &Set) -> Result<bool, Stopped> {
        let body = self.body(part, set.clone())?;
        for state in set.ids() {
            let not = self.prover.terms.not(body[state]);
            if self.asked(state, &[set[state], not]) != Answer::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Layers of a least fixpoint; all of it, where the rounds come to an end.
    pub(super) fn least(&mut self, part: PartId) -> Result<Vec<Layer>, Stopped> {
        let mut layers: Vec<Layer> = Vec::new();
        let mut all = self.everywhere(false);
        for round in 0..self.effort.rounds {
            let body = self.body(part, all.clone())?;
            let Some(new) = self.news(&all, &body)? else { return Ok(layers) };
            self.prover.searching(&format!("round {} from below", round + 1));
            self.join(&mut all, &new);
            layers.push(Layer { ranks: Vec::new(), set: new });
            if self.is_enough(part, &all) {
                return Ok(layers);
            }
            for layer in self.loops(part, &all)? {
                self.take(part, &mut layers, &mut all, layer)?;
            }
            if self.is_enough(part, &all) {
                return Ok(layers);
            }
            if round == ROUNDS_BEFORE_RANKS && self.effort.all {
                let ranked = self.ranked(part, &all)?.into_iter();
                for layer in ranked.chain(self.guessed(part, &layers, &all)?) {
                    self.take(part, &mut layers, &mut all, layer)?;
                }
                if self.is_enough(part, &all) {
                    return Ok(layers);
                }
            }
            if self.is_large(&all) {
                break;
            }
        }
        Ok(layers)
    }

    /// Takes a layer, if it is one and has something new.
    fn take(
        &mut self,
        part: PartId,
        layers: &mut Vec<Layer>,
        all: &mut Set,
        layer: Layer,
    ) -> Result<(), Stopped> {
        let whole = self.whole(&layer);
        let Some(new) = self.news(all, &whole)? else { return Ok(()) };
        layers.push(layer);
        let at = layers.len() - 1;
        let duties = self.duties_of_layer(part, layers, at)?;
        for (state, conditions) in duties {
            if self.asked(state, &conditions) != Answer::Unsat {
                layers.pop();
                return Ok(());
            }
        }
        self.join(all, &new);
        Ok(())
    }

    /// What a set has that another one has not, in few words; nothing where that is nothing.
    fn news(&mut self, all: &Set, set: &Set) -> Result<Option<Set>, Stopped> {
        let mut new = self.everywhere(false);
        let mut some = false;
        for state in set.ids() {
            if is_spent() {
                return Err(Stopped);
            }
            let missing = self.prover.terms.not(all[state]);
            // What the solver does not know of may be left out.
            if self.asked(state, &[missing, set[state]]) == Answer::Sat {
                new[state] = self.shorter(state, set[state], &[missing]);
                some = true;
            }
        }
        Ok(some.then_some(new))
    }

    fn is_large(&self, set: &Set) -> bool {
        set.iter().any(|&one| self.prover.terms.is_larger(&[one], self.effort.terms))
    }

    /// What must not be possible, state by state, for one of some layers to be one.
    pub(super) fn duties_of_layer(
        &mut self,
        part: PartId,
        layers: &[Layer],
        at: usize,
    ) -> Result<Vec<(crate::automaton::StateId, Vec<TermId>)>, Stopped> {
        let mut earlier = self.below(layers, at);
        let layer = &layers[at];
        if !layer.ranks.is_empty() {
            let smaller = self.smaller(layer);
            self.join(&mut earlier, &smaller);
        }
        let body = self.body(part, earlier)?;
        let mut natural = Vec::with_capacity(layer.ranks.len());
        let zero = self.prover.terms.int(0);
        for &rank in &layer.ranks {
            let rank = self.prover.terms.var_term(rank);
            natural.push(self.prover.terms.less_equal(zero, rank));
        }
        let mut duties = Vec::with_capacity(body.len());
        for (state, &then) in body.enumerated() {
            let mut conditions = natural.clone();
            conditions.push(layer.set[state]);
            conditions.push(self.prover.terms.not(then));
            duties.push((state, conditions));
        }
        Ok(duties)
    }

    /// What of a layer has smaller ranks.
    pub(super) fn smaller(&mut self, layer: &Layer) -> Set {
        let terms = &mut self.prover.terms;
        let (renamed, others) = terms.fresh(layer.ranks.iter().copied(), VariableKind::Vector);
        let zero = terms.int(0);
        let mut natural = Vec::with_capacity(others.len());
        let pairs: Vec<(TermId, TermId)> = layer
            .ranks
            .iter()
            .zip(&others)
            .map(|(&rank, &other)| (terms.var_term(other), terms.var_term(rank)))
            .collect();
        for &(other, _) in &pairs {
            natural.push(terms.less_equal(zero, other));
        }
        let mut ways: Vec<Vec<TermId>> = Vec::with_capacity(pairs.len());
        for (at, &(other, rank)) in pairs.iter().enumerate() {
            let mut way: Vec<TermId> =
                pairs[..at].iter().map(|&(other, rank)| terms.equal(other, rank)).collect();
            way.push(terms.less(other, rank));
            ways.push(way);
        }
        let mut smaller = Set::default();
        for &one in &layer.set {
            let one = self.prover.terms.substitute(one, &renamed);
            let mut found = Vec::with_capacity(ways.len());
            for way in &ways {
                let parts = way.iter().chain(&natural).copied().chain([one]).collect();
                if let Some(parts) = conjunction(&mut self.prover.terms, parts) {
                    found.push(self.prover.exists(&others, parts));
                }
            }
            smaller.push(self.prover.terms.or(found));
        }
        smaller
    }

    /// The parameters of a fixpoint.
    pub(super) fn params(&self, part: PartId) -> Vec<VarId> {
        match &self.parts.all[part] {
            Part::Fix { params, .. } => params.iter().map(|(var, _)| *var).collect(),
            _ => Vec::new(),
        }
    }
}

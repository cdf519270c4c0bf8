//! Ranks for least fixpoints with boxes: why all runs get there, though nobody says after how many steps.
//!
//! Ranks are lists that are compared in their order, made of numbers for the components of the automaton and of sums that
//! guards and variables suggest (a bound without what it bounds). In each component a sum is looked for that no step makes
//! larger and some step makes smaller; these steps need not be looked at any more, and what is left falls into smaller
//! components. Whether it is a rank is asked like of any other layer.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::parts::{Part, PartId};
use super::sets::{Engine, Layer};
use super::{Set, Stopped};
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind, solved};
use crate::automaton::StateId;
use crate::base::budget::is_spent;
use crate::base::graph::components;
use crate::base::{Id, IndexVec};
use crate::diagnostics::Symbol;
use crate::smt::Answer;
use crate::system::Step;

/// More sums than this are not tried.
const MOST_SUMS: usize = 60;

/// Lists are not longer.
const LONGEST: usize = 8;

/// More sums than this are not asked about one by one.
const MOST_GUESSED: usize = 12;

/// Regions are not made smaller more often.
const MOST_TRIES: usize = 12;

/// What is added to multiples of sums, so that they are not below zero.
const OFFSETS: [i32; 3] = [0, 4, 32];

/// A number for each state, and the steps that leave it as it is.
type Numbers = (FxHashMap<StateId, TermId>, Vec<Step>);

/// Ranks, or where there are none.
enum Lists {
    /// For each state a list of numbers that all steps make smaller.
    Found(IndexVec<StateId, Vec<TermId>>),
    /// Steps of a component for which nothing was found.
    Stuck(Vec<Step>),
}

impl Engine<'_, '_> {
    /// A layer of configurations that what a fixpoint says does not lead out of, with a rank, if one is found. Where no rank
    /// is found for a component, only what is on one side of a sum is looked at, and then nothing of it.
    pub(super) fn ranked(&mut self, part: PartId, all: &Set) -> Result<Option<Layer>, Stopped> {
        let mut allowed = self.everywhere(true);
        for _ in 0..MOST_TRIES {
            let region = self.region(part, &allowed, all)?;
            let edges = self.edges(part, &region)?;
            let sums = self.sums(&edges, &region);
            let stuck = match self.lists(&region, edges, &sums)? {
                Lists::Found(ranks) => return Ok(Some(self.with_ranks(&region, &ranks))),
                Lists::Stuck(stuck) => stuck,
            };
            let Some(condition) = self.side(&stuck, &sums)? else { return Ok(None) };
            for edge in &stuck {
                let both = self.prover.terms.and([allowed[edge.source], condition]);
                allowed[edge.source] = both;
            }
        }
        Ok(None)
    }

    /// Layers by single sums, for a fixpoint that speaks of itself inside of another one, as where runs are fair: whether a
    /// sum gets smaller is found out by asking, and states in which it does not are left out.
    pub(super) fn guessed(
        &mut self,
        part: PartId,
        layers: &[Layer],
        all: &Set,
    ) -> Result<Vec<Layer>, Stopped> {
        let inside = |engine: &Self, (at, one): (PartId, &Part)| {
            matches!(one, Part::Fix { .. }) && engine.parts.free[at].contains(&part)
        };
        if !self.parts.all.enumerated().any(|one| inside(self, one)) {
            return Ok(Vec::new());
        }
        let steps: Vec<Step> = self.system.all_steps().cloned().collect();
        let sums = self.sums(&steps, all);
        let zero = self.prover.terms.int(0);
        let mut found = Vec::new();
        for sum in sums.into_iter().take(MOST_GUESSED) {
            let positive = self.prover.terms.less_equal(zero, sum);
            let rank = self.prover.terms.if_then_else(positive, sum, zero);
            found.extend(self.by_sum(part, rank, layers, all)?);
        }
        Ok(found)
    }

    /// A layer by a rank, in the states in which that is one.
    fn by_sum(
        &mut self,
        part: PartId,
        rank: TermId,
        layers: &[Layer],
        all: &Set,
    ) -> Result<Option<Layer>, Stopped> {
        let mut allowed = self.everywhere(true);
        let no = self.prover.terms.bool(false);
        for _ in 0..MOST_TRIES {
            let region = self.region(part, &allowed, all)?;
            if region.iter().all(|&one| one == no) {
                return Ok(None);
            }
            let ranks = IndexVec::of(region.len(), vec![rank]);
            let mut with: Vec<Layer> = layers.to_vec();
            with.push(self.with_ranks(&region, &ranks));
            let mut fails = false;
            for (state, conditions) in self.duties_of_layer(part, &with, layers.len())? {
                if self.asked(state, &conditions) != Answer::Unsat {
                    allowed[state] = no;
                    fails = true;
                }
            }
            if !fails {
                return Ok(with.pop());
            }
        }
        Ok(None)
    }

    /// Where the steps of a component make a sum smaller; nowhere, if there is no such sum.
    fn side(&mut self, edges: &[Step], sums: &[TermId]) -> Result<Option<TermId>, Stopped> {
        let zero = self.prover.terms.int(0);
        for &sum in sums {
            let positive = self.prover.terms.less_equal(zero, sum);
            let narrower: Vec<Step> = edges
                .iter()
                .map(|edge| {
                    let guard = self.prover.terms.and([edge.guard, positive]);
                    Step { guard, ..edge.clone() }
                })
                .collect();
            // It must say something, or it was tried already.
            let not = self.prover.terms.not(positive);
            let says = edges
                .iter()
                .any(|edge| self.asked(edge.source, &[edge.guard, not]) != Answer::Unsat);
            let all: Vec<&Step> = narrower.iter().collect();
            if says && self.sum_for(&all, &[sum])?.is_some() {
                return Ok(Some(positive));
            }
        }
        Ok(Some(self.prover.terms.bool(false)))
    }

    fn region(&mut self, part: PartId, allowed: &Set, all: &Set) -> Result<Set, Stopped> {
        let mut region = self.lasting(part, allowed, all)?;
        for (one, &known) in region.iter_mut().zip(all) {
            let not = self.prover.terms.not(known);
            *one = self.prover.terms.and([*one, not]);
        }
        Ok(region)
    }

    /// A region with its ranks.
    fn with_ranks(&mut self, region: &Set, ranks: &IndexVec<StateId, Vec<TermId>>) -> Layer {
        let length = ranks.iter().map(Vec::len).max().unwrap_or(0);
        let terms = &mut self.prover.terms;
        let own: Vec<VarId> = (0..length)
            .map(|_| terms.new_var(Symbol::new("r"), Sort::Int, VariableKind::Vector))
            .collect();
        let mut set = Set::default();
        for (state, ranks) in region.iter().zip(ranks) {
            let mut parts = vec![*state];
            for (at, &var) in own.iter().enumerate() {
                let var = terms.var_term(var);
                let value = ranks.get(at).copied().unwrap_or_else(|| terms.int(0));
                parts.push(terms.equal(var, value));
            }
            set.push(terms.and(parts));
        }
        Layer { ranks: own, set }
    }

    /// A set that a least fixpoint does not lead out of, of what is allowed or in it already: what it would be if it were
    /// the greatest.
    fn lasting(&mut self, part: PartId, allowed: &Set, all: &Set) -> Result<Set, Stopped> {
        let mut set = allowed.clone();
        self.join(&mut set, all);
        for _ in 0..self.effort.rounds {
            let body = self.body(part, set.clone())?;
            let mut lost = false;
            for state in set.ids() {
                let not = self.prover.terms.not(body[state]);
                if self.asked(state, &[set[state], not]) == Answer::Unsat {
                    continue;
                }
                lost = true;
                let both = self.prover.terms.and([set[state], body[state]]);
                set[state] = self.shorter(state, both, &[]);
            }
            if !lost {
                return Ok(set);
            }
            self.leave_out_loops(part, &mut set)?;
        }
        Ok(self.everywhere(false))
    }

    /// The steps by which a fixpoint speaks of itself, where they stay in a region.
    fn edges(&mut self, part: PartId, region: &Set) -> Result<Vec<Step>, Stopped> {
        let mut edges = Vec::new();
        for boxes in [true, false] {
            for jump in self.jumps(part, boxes)?.into_iter().flatten() {
                if is_spent() {
                    return Err(Stopped);
                }
                let there = self.prover.terms.substitute(region[jump.target], &jump.updates);
                let parts = [region[jump.source], jump.guard, there];
                if self.asked(jump.source, &parts) != Answer::Unsat {
                    let guard = self.prover.terms.and(parts);
                    edges.push(Step { guard, ..jump });
                }
            }
        }
        Ok(edges)
    }

    /// Sums that may get smaller: the bounds of comparisons without what they bound, and variables.
    fn sums(&mut self, edges: &[Step], region: &Set) -> Vec<TermId> {
        let mut roots: Vec<TermId> = edges.iter().map(|step| step.guard).collect();
        roots.extend(region.iter().copied());
        roots.extend(self.facts.conditions(&mut self.prover.terms));
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        for id in self.prover.terms.inside(roots) {
            match *self.prover.terms.get(id) {
                Term::Less(a, b) | Term::LessEqual(a, b) => pairs.push((b, a)),
                Term::Equal(a, b) => pairs.extend([(a, b), (b, a)]),
                _ => {}
            }
        }
        let state: Vec<VarId> = self.system.variables.iter().map(|v| v.var).collect();
        let is_number =
            |var: &VarId| matches!(self.prover.terms.var(*var).sort, Sort::Int | Sort::Range(..));
        let numbers: Vec<VarId> = state.iter().copied().filter(is_number).collect();
        let terms = &mut self.prover.terms;
        let zero = terms.int(0);
        for &var in &numbers {
            let var = terms.var_term(var);
            pairs.extend([(var, zero), (zero, var)]);
        }
        let mut found: Vec<TermId> = Vec::new();
        for (more, less) in pairs {
            let speaks_of_state = [more, less].into_iter().flat_map(|side| terms.free_vars(side));
            if !speaks_of_state.into_iter().all(|var| numbers.contains(&var)) {
                continue;
            }
            let minus = terms.int(-1);
            let less = terms.multiply([minus, less]);
            let sum = terms.add([more, less]);
            if !terms.free_vars(sum).is_empty() && !found.contains(&sum) {
                found.push(sum);
            }
        }
        found.truncate(MOST_SUMS);
        found
    }

    /// For each state a list of numbers that all steps make smaller; nothing where none was found.
    fn lists(
        &mut self,
        region: &Set,
        mut edges: Vec<Step>,
        sums: &[TermId],
    ) -> Result<Lists, Stopped> {
        let mut lists: IndexVec<StateId, Vec<TermId>> = IndexVec::of(region.len(), Vec::new());
        for _ in 0..LONGEST {
            let mut graph: Vec<Vec<usize>> = vec![Vec::new(); region.len()];
            for edge in &edges {
                graph[edge.source.index()].push(edge.target.index());
            }
            let all = components(&graph);
            let mut place = vec![0; region.len()];
            for (number, component) in all.iter().enumerate() {
                for &state in component {
                    place[state] = number;
                }
            }
            for (state, list) in lists.iter_mut().enumerate() {
                list.push(self.prover.terms.int(place[state]));
            }
            edges.retain(|edge| place[edge.source.index()] == place[edge.target.index()]);
            if edges.is_empty() {
                return Ok(Lists::Found(lists));
            }
            let zero = self.prover.terms.int(0);
            let mut left = Vec::with_capacity(edges.len());
            for (number, component) in all.iter().enumerate() {
                let inside = |edge: &&Step| place[edge.source.index()] == number;
                let own: Vec<&Step> = edges.iter().filter(inside).collect();
                let ranks = match own.is_empty() {
                    true => FxHashMap::default(),
                    false => match self.numbers(&own, sums)? {
                        Some((ranks, kept)) => {
                            left.extend(kept);
                            ranks
                        }
                        None => return Ok(Lists::Stuck(own.into_iter().cloned().collect())),
                    },
                };
                for &state in component {
                    let state = StateId::at(state);
                    lists[state].push(ranks.get(&state).copied().unwrap_or(zero));
                }
            }
            edges = left;
        }
        Ok(Lists::Stuck(edges))
    }

    /// Numbers for the states of a component that no step makes larger and one makes smaller, with those that do not: one
    /// sum for all, or a multiple of one and a number for each state.
    fn numbers(&mut self, edges: &[&Step], sums: &[TermId]) -> Result<Option<Numbers>, Stopped> {
        if let Some((sum, kept)) = self.sum_for(edges, sums)? {
            let each = edges.iter().flat_map(|edge| [edge.source, edge.target]);
            return Ok(Some((each.map(|state| (state, sum)).collect(), kept)));
        }
        for &sum in sums {
            for more in OFFSETS {
                let Some(ranks) = self.with_offsets(edges, sum, more) else { continue };
                if let Some(kept) = self.kept(edges, &ranks)?
                    && kept.len() < edges.len()
                {
                    return Ok(Some((ranks, kept)));
                }
            }
        }
        Ok(None)
    }

    /// A multiple of a sum and a number for each state, such that every step makes it smaller, where each changes the sum by a
    /// number and every circle makes it smaller.
    fn with_offsets(
        &mut self,
        edges: &[&Step],
        sum: TermId,
        more: i32,
    ) -> Option<FxHashMap<StateId, TermId>> {
        let mut offsets: FxHashMap<StateId, BigInt> = FxHashMap::default();
        for edge in edges {
            offsets.insert(edge.source, BigInt::ZERO);
            offsets.insert(edge.target, BigInt::ZERO);
        }
        let times = BigInt::from(offsets.len() + 1);
        let mut changes = Vec::with_capacity(edges.len());
        let any = self.prover.terms.new_var(Symbol::new("d"), Sort::Int, VariableKind::Vector);
        for edge in edges {
            let terms = &mut self.prover.terms;
            let after = terms.substitute(sum, &edge.updates);
            let minus = terms.int(-1);
            let before = terms.multiply([minus, sum]);
            let change = terms.add([after, before]);
            // As the value of an equation it is one sum, in which what cancels is gone.
            let value = terms.var_term(any);
            let equation = terms.equal(value, change);
            let change = solved(terms, equation, any)?;
            changes.push(terms.as_int(change)? * &times);
        }
        // A state has at least one more than what a step from it leads to.
        for round in 0..=offsets.len() {
            let mut changed = false;
            for (edge, change) in edges.iter().zip(&changes) {
                let least = &offsets[&edge.target] + change + 1;
                if offsets[&edge.source] < least {
                    offsets.insert(edge.source, least);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            if round == offsets.len() {
                return None;
            }
        }
        let terms = &mut self.prover.terms;
        let (factor, zero) = (terms.int(times), terms.int(0));
        let scaled = terms.multiply([factor, sum]);
        let mut ranks = FxHashMap::default();
        for (state, offset) in offsets {
            let offset = terms.int(offset + more);
            let rank = terms.add([scaled, offset]);
            let positive = terms.less_equal(zero, rank);
            ranks.insert(state, terms.if_then_else(positive, rank, zero));
        }
        Some(ranks)
    }

    /// The first of some sums that no step makes larger and one makes smaller, with those that do not.
    fn sum_for(
        &mut self,
        edges: &[&Step],
        sums: &[TermId],
    ) -> Result<Option<(TermId, Vec<Step>)>, Stopped> {
        let zero = self.prover.terms.int(0);
        for &sum in sums {
            // Below zero it does not matter.
            let positive = self.prover.terms.less_equal(zero, sum);
            let rank = self.prover.terms.if_then_else(positive, sum, zero);
            let each = edges.iter().flat_map(|edge| [edge.source, edge.target]);
            let ranks = each.map(|state| (state, rank)).collect();
            if let Some(kept) = self.kept(edges, &ranks)?
                && kept.len() < edges.len()
            {
                return Ok(Some((rank, kept)));
            }
        }
        Ok(None)
    }

    /// The steps that leave ranks as they are; nothing where one makes them larger.
    fn kept(
        &mut self,
        edges: &[&Step],
        ranks: &FxHashMap<StateId, TermId>,
    ) -> Result<Option<Vec<Step>>, Stopped> {
        let mut kept = Vec::new();
        for edge in edges {
            if is_spent() {
                return Err(Stopped);
            }
            let terms = &mut self.prover.terms;
            let before = ranks[&edge.source];
            let after = terms.substitute(ranks[&edge.target], &edge.updates);
            let (same, more) = (terms.less_equal(before, after), terms.less(before, after));
            if self.asked(edge.source, &[edge.guard, same]) == Answer::Unsat {
                continue;
            }
            if self.asked(edge.source, &[edge.guard, more]) != Answer::Unsat {
                return Ok(None);
            }
            kept.push((*edge).clone());
        }
        Ok(Some(kept))
    }
}

//! Ranks for least fixpoints with boxes: why all runs get there, though nobody says after how many steps.
//!
//! Ranks are lists that are compared in their order, made of numbers for the components of the automaton and of sums that
//! guards and variables suggest (a bound without what it bounds). In each component a sum is looked for that no step makes
//! larger and some step makes smaller; these steps need not be looked at any more, and what is left falls into smaller
//! components. Whether it is a rank is asked like of any other layer.

use super::parts::PartId;
use super::sets::{Engine, Layer};
use super::{Set, Stopped};
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind};
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

/// Regions are not made smaller more often.
const MOST_TRIES: usize = 12;

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
        let is_number = |var: &VarId| {
            matches!(self.prover.terms.var(*var).sort, Sort::Int | Sort::Range(..))
        };
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
                let sum = match own.is_empty() {
                    true => zero,
                    false => match self.sum_for(&own, sums)? {
                        Some((sum, kept)) => {
                            left.extend(kept);
                            sum
                        }
                        None => return Ok(Lists::Stuck(own.into_iter().cloned().collect())),
                    },
                };
                for &state in component {
                    lists[StateId::at(state)].push(sum);
                }
            }
            edges = left;
        }
        Ok(Lists::Stuck(edges))
    }

    /// A number that no step of some makes larger and one makes smaller, with those that do not.
    fn sum_for(
        &mut self,
        edges: &[&Step],
        sums: &[TermId],
    ) -> Result<Option<(TermId, Vec<Step>)>, Stopped> {
        let zero = self.prover.terms.int(0);
        'sums: for &sum in sums {
            // Below zero it does not matter.
            let positive = self.prover.terms.less_equal(zero, sum);
            let rank = self.prover.terms.if_then_else(positive, sum, zero);
            let mut kept = Vec::new();
            for edge in edges {
                if is_spent() {
                    return Err(Stopped);
                }
                let terms = &mut self.prover.terms;
                let after = terms.substitute(rank, &edge.updates);
                let (same, more) = (terms.less_equal(rank, after), terms.less(rank, after));
                if self.asked(edge.source, &[edge.guard, same]) == Answer::Unsat {
                    continue;
                }
                if self.asked(edge.source, &[edge.guard, more]) != Answer::Unsat {
                    continue 'sums;
                }
                kept.push((*edge).clone());
            }
            if kept.len() < edges.len() {
                return Ok(Some((rank, kept)));
            }
        }
        Ok(None)
    }
}

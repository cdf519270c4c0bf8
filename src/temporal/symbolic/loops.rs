//! Loops that count, gone round any number of times at once, as in weak comparisons.
//!
//! A least fixpoint with diamonds gets a layer that is ranked by how many rounds are still to go. A greatest one with boxes
//! loses at once what is lost after some rounds: there too much may be lost, never too little, and what is left is looked at
//! as any other set.

use rustc_hash::FxHashMap;

use super::parts::{Part, PartId};
use super::sets::{Engine, Layer};
use super::{Set, Stopped};
use crate::algebra::{Sort, TermId, VarId, VariableKind, conjunction};
use crate::automaton::StateId;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::system::Step;

/// Ways back to a state of more steps are not looked at.
const LONGEST: usize = 4;

/// More ways than this from one state are not looked at.
const MOST: usize = 40;

/// Steps by which a fixpoint speaks of itself, by the states in which they start.
pub(super) type Jumps = IndexVec<StateId, Vec<Step>>;

/// A way from a state back to it: its steps, and what they come to together.
struct Cycle {
    steps: Vec<Step>,
    whole: Step,
}

impl Engine<'_, '_> {
    /// Layers of a least fixpoint for the loops that lead to what is in it already.
    pub(super) fn loops(&mut self, part: PartId, all: &Set) -> Result<Vec<Layer>, Stopped> {
        if !self.params(part).is_empty() {
            return Ok(Vec::new());
        }
        let jumps = self.jumps(part, false)?;
        let mut layers = Vec::new();
        for state in jumps.ids() {
            for cycle in self.cycles(state, &jumps)? {
                layers.extend(self.layer(&cycle, all));
            }
        }
        Ok(layers)
    }

    /// Leaves out of a set what is left after some rounds of a loop.
    pub(super) fn leave_out_loops(&mut self, part: PartId, set: &mut Set) -> Result<(), Stopped> {
        if !self.params(part).is_empty() {
            return Ok(());
        }
        let jumps = self.jumps(part, true)?;
        for state in jumps.ids() {
            for Cycle { whole, .. } in self.cycles(state, &jumps)? {
                let Some(round) = self.prover.gone_round(&whole) else { continue };
                let terms = &mut self.prover.terms;
                let not = terms.not(set[state]);
                let then = terms.substitute(not, &round.updates);
                let Some(parts) = conjunction(terms, vec![round.guard, then]) else { continue };
                let lost = self.prover.exists(&round.locals, parts);
                let kept = self.prover.terms.not(lost);
                let both = self.prover.terms.and([set[state], kept]);
                set[state] = self.shorter(state, both, &[]);
            }
        }
        Ok(())
    }

    /// The steps by which a fixpoint speaks of itself in boxes, or in diamonds, each under the conditions under which it
    /// matters what is there.
    pub(super) fn jumps(&mut self, part: PartId, boxes: bool) -> Result<Jumps, Stopped> {
        let mut jumps: Jumps = IndexVec::of(self.system.steps.len(), Vec::new());
        let Part::Fix { body, .. } = self.parts.all[part] else { return Ok(jumps) };
        let sure = self.everywhere(true);
        let mut work: Vec<(PartId, Set)> = vec![(body, sure)];
        while let Some((at, when)) = work.pop() {
            if !self.parts.free[at].contains(&part) {
                continue;
            }
            match self.parts.all[at].clone() {
                Part::Several(all, parts) => {
                    for &one in &parts {
                        let mut when = when.clone();
                        for &other in parts.iter().filter(|&&other| other != one && all != boxes) {
                            if self.parts.free[other].contains(&part) {
                                continue;
                            }
                            let beside = self.set(other)?;
                            let beside = if boxes { self.opposite(&beside) } else { beside };
                            self.meet(&mut when, &beside);
                        }
                        work.push((one, when));
                    }
                }
                Part::Steps { all, moves, then } if all == boxes => {
                    // What must be there besides.
                    let taken = self.everywhere(!boxes);
                    let before = self.taken.insert(part, taken);
                    let then = self.set(then);
                    match before {
                        Some(before) => drop(self.taken.insert(part, before)),
                        None => drop(self.taken.remove(&part)),
                    }
                    let then = then?;
                    let then = if boxes { self.opposite(&then) } else { then };
                    for (state, meant) in moves.enumerated() {
                        for one in meant {
                            let step = &self.system.steps[state][one.step];
                            let terms = &mut self.prover.terms;
                            let mut values = step.updates.clone();
                            values.extend(one.binds.iter().map(|(&var, &value)| (var, value)));
                            let there = terms.substitute(then[step.target], &values);
                            let parts = vec![step.guard, one.fits, when[state], there];
                            let Some(guard) = conjunction(terms, parts) else { continue };
                            let guard = terms.and(guard);
                            let jump = Step { holes: Vec::new(), guard, ..step.clone() };
                            jumps[state].push(jump);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(jumps)
    }

    fn meet(&mut self, set: &mut Set, with: &Set) {
        for (one, &other) in set.iter_mut().zip(with) {
            *one = self.prover.terms.and([*one, other]);
        }
    }

    /// The ways from a state back to it that meet no other state twice, and change something.
    fn cycles(&mut self, state: StateId, jumps: &Jumps) -> Result<Vec<Cycle>, Stopped> {
        let mut found = Vec::new();
        let idle = Step::idle(&mut self.prover.terms, state);
        let mut work: Vec<Cycle> = vec![Cycle { steps: Vec::new(), whole: idle }];
        while let Some(way) = work.pop() {
            for step in &jumps[way.whole.target] {
                if is_spent() {
                    return Err(Stopped);
                }
                if found.len() + work.len() > MOST {
                    return Ok(found);
                }
                let was_there = way.steps.iter().any(|one| one.source == step.target);
                if step.target != state && (was_there || way.steps.len() + 1 >= LONGEST) {
                    continue;
                }
                let Some(whole) = self.prover.then(&way.whole, step) else { continue };
                if self.prover.terms.as_bool(whole.guard) == Some(false) {
                    continue;
                }
                let steps = way.steps.iter().cloned().chain([step.clone()]).collect();
                let longer = Cycle { steps, whole };
                match step.target == state {
                    true if longer.whole.changes_nothing(&self.prover.terms) => {}
                    true => found.push(longer),
                    false => work.push(longer),
                }
            }
        }
        Ok(found)
    }

    /// The layer of those who go round a cycle, so many times, and are in a set then.
    fn layer(&mut self, cycle: &Cycle, all: &Set) -> Option<Layer> {
        let round = self.prover.gone_round(&cycle.whole)?;
        let home = round.source;
        let (&times, locals) = round.locals.split_last()?;
        let terms = &mut self.prover.terms;
        let then = terms.substitute(all[home], &round.updates);
        let parts = conjunction(terms, vec![round.guard, then])?;
        let at_home = self.prover.exists(locals, parts);
        let mut set = self.everywhere(false);
        if let [_] = cycle.steps.as_slice() {
            set[home] = at_home;
            return Some(Layer { ranks: vec![times], set });
        }
        // Between: so many steps to go in this round, and so many rounds then.
        let terms = &mut self.prover.terms;
        let left = terms.new_var(Symbol::new("j"), Sort::Int, VariableKind::Vector);
        let (to_go, zero) = (terms.var_term(left), terms.int(0));
        let is_home = terms.equal(to_go, zero);
        set[home] = terms.and([is_home, at_home]);
        let n = terms.var_term(times);
        let none = terms.equal(n, zero);
        let over = terms.and([none, all[home]]);
        let mut next = terms.or([at_home, over]);
        for (place, step) in cycle.steps.iter().enumerate().skip(1).rev() {
            next = self.pre(step, next)?;
            let terms = &mut self.prover.terms;
            let number = terms.int(cycle.steps.len() - place);
            let is_here = terms.equal(to_go, number);
            set[step.source] = terms.and([is_here, next]);
        }
        Some(Layer { ranks: vec![times, left], set })
    }

    /// From where a step leads to a condition.
    fn pre(&mut self, step: &Step, then: TermId) -> Option<TermId> {
        let values: &FxHashMap<VarId, TermId> = &step.updates;
        let terms = &mut self.prover.terms;
        let then = terms.substitute(then, values);
        let parts = conjunction(terms, vec![step.guard, then])?;
        Some(self.prover.exists(&step.locals, parts))
    }
}

//! Weak steps: silent steps before and after a step (Ameur-Boulifa et al., JLAMP 2023, Definitions 12 and 13, rules
//! WT1 to WT3).
//!
//! A weak step that answers a single step has each hole act visibly at most once, so longer sequences are left out. That
//! is so of the holes that are compared; what others do, and how often, nobody sees.
//! Sequences are followed until none does what shorter ones do not: with finite data that ends by itself, and loops
//! that count are gone round any number of times in one step (`counting`). Where it does not end, the weak steps that
//! were found are still weak steps, but not all of them: then nothing can be refuted.

use std::collections::VecDeque;

use super::sequence::Told;
use crate::algebra::{TermId, VarId, possible};
use crate::automaton::StateId;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::pnet::HoleId;
use crate::smt::Answer;
use crate::system::{Facts, Prover, Step, System};

/// The weak steps of one side.
#[derive(Clone, Debug, Default)]
pub struct WeakSteps {
    /// For each state, the silent ones, doing nothing included; what they show does not matter.
    pub silent: IndexVec<StateId, Vec<Step>>,
    /// For each state, those that show something.
    pub visible: IndexVec<StateId, Vec<Step>>,
    /// Whether these are all.
    pub complete: bool,
}

impl WeakSteps {
    /// Those of a side that never answers.
    pub fn none(system: &System<'_>) -> WeakSteps {
        let states = system.steps.len();
        let none = || IndexVec::of(states, Vec::new());
        WeakSteps { silent: none(), visible: none(), complete: true }
    }
}

/// More weak steps than this from one state are not followed.
const MOST: usize = 150;

/// Ways that are made of more terms than this are not followed.
const MOST_TERMS: usize = 600;

/// More ways round than this from one state are not looked at.
const MOST_CYCLES: usize = 50;

/// The steps of each state.
type Steps = IndexVec<StateId, Vec<Step>>;

/// The weak steps of a system, in configurations of which the facts hold, as far as some holes are compared.
pub fn weak_steps<'a>(
    system: &System<'a>,
    facts: &Facts,
    prover: &mut Prover<'a>,
    tracked: &[HoleId],
) -> WeakSteps {
    Saturation { system, facts, prover, tracked }.weak_steps()
}

struct Saturation<'s, 'p, 'a> {
    system: &'s System<'a>,
    facts: &'s Facts,
    prover: &'p mut Prover<'a>,
    tracked: &'s [HoleId],
}

impl Saturation<'_, '_, '_> {
    fn weak_steps(&mut self) -> WeakSteps {
        let states = self.system.steps.len();
        let mut quiet: Steps = IndexVec::of(states, Vec::new());
        let mut loud: Steps = IndexVec::of(states, Vec::new());
        for step in self.system.all_steps() {
            if is_spent() {
                break;
            }
            for Told { step, silent } in self.prover.told_apart(step, self.tracked) {
                let does_nothing =
                    step.source == step.target && step.updates.is_empty() && step.holes.is_empty();
                match silent {
                    true if does_nothing => {}
                    true => quiet[step.source].push(step),
                    false => loud[step.source].push(step),
                }
            }
        }
        // Loops come first: what they describe need not be followed round by round.
        let mut loops: Vec<Vec<Step>> = Vec::with_capacity(states);
        for state in self.system.steps.ids() {
            let cycles = self.cycles(state, &quiet);
            loops.push(cycles.iter().filter_map(|one| self.prover.gone_round(one)).collect());
        }
        for (steps, many) in quiet.iter_mut().zip(loops) {
            steps.splice(0..0, many);
        }
        let mut weak = WeakSteps { complete: true, ..WeakSteps::default() };
        for state in self.system.steps.ids() {
            let silent = self.silent_ways(state, &quiet, &mut weak.complete);
            weak.silent.push(silent);
        }
        for state in self.system.steps.ids() {
            let visible = self.visible_ways(&weak.silent, &loud, state, &mut weak.complete);
            weak.visible.push(visible);
        }
        weak
    }

    /// The ways from a state back to it that meet no other state twice.
    fn cycles(&mut self, state: StateId, steps: &Steps) -> Vec<Step> {
        let mut found = Vec::new();
        let mut work: Vec<(Step, Vec<StateId>)> =
            vec![(Step::idle(&mut self.prover.terms, state), vec![state])];
        while let Some((path, seen)) = work.pop() {
            for step in &steps[path.target] {
                if found.len() + work.len() > MOST_CYCLES || is_spent() {
                    return found;
                }
                if step.target != state && seen.contains(&step.target) {
                    continue;
                }
                let Some(longer) = self.prover.then(&path, step) else { continue };
                if self.is_too_large(&longer) {
                    continue;
                }
                if step.target == state {
                    found.push(longer);
                } else {
                    let mut seen = seen.clone();
                    seen.push(step.target);
                    work.push((longer, seen));
                }
            }
        }
        found
    }

    /// The silent ways from a state on.
    fn silent_ways(&mut self, state: StateId, steps: &Steps, complete: &mut bool) -> Vec<Step> {
        let idle = Step::idle(&mut self.prover.terms, state);
        let mut found = vec![idle.clone()];
        let mut work = VecDeque::from([idle]);
        while let Some(path) = work.pop_front() {
            for step in &steps[path.target] {
                self.prover.searching("silent steps");
                if is_spent() {
                    *complete = false;
                    return found;
                }
                let Some(longer) = self.prover.then(&path, step) else { continue };
                if self.is_too_large(&longer) {
                    *complete = false;
                    continue;
                }
                if self.adds_nothing(&longer, &found, false) {
                    continue;
                }
                if found.len() >= MOST {
                    *complete = false;
                    return found;
                }
                found.push(longer.clone());
                work.push_back(longer);
            }
        }
        found
    }

    /// The ways from a state on that show something: silent ones, a step, and silent ones.
    fn visible_ways(
        &mut self,
        silent: &Steps,
        loud: &Steps,
        state: StateId,
        complete: &mut bool,
    ) -> Vec<Step> {
        let mut begun: Vec<Step> = Vec::new();
        for before in &silent[state] {
            for step in &loud[before.target] {
                if is_spent() {
                    *complete = false;
                    return begun;
                }
                let Some(way) = self.prover.then(before, step) else { continue };
                if !self.adds_nothing(&way, &begun, true) {
                    begun.push(way);
                }
            }
        }
        let mut found: Vec<Step> = begun.clone();
        for way in &begun {
            for after in &silent[way.target] {
                if is_spent() {
                    *complete = false;
                    return found;
                }
                let Some(whole) = self.prover.then(way, after) else { continue };
                let whole = Step { action: way.action, ..whole };
                if self.is_too_large(&whole) {
                    *complete = false;
                    continue;
                }
                if self.adds_nothing(&whole, &found, true) {
                    continue;
                }
                if found.len() >= MOST {
                    *complete = false;
                    return found;
                }
                found.push(whole);
            }
        }
        found
    }

    fn is_too_large(&self, step: &Step) -> bool {
        let mut terms: Vec<TermId> = step.updates.values().copied().collect();
        terms.push(step.guard);
        self.prover.terms.is_larger(&terms, MOST_TERMS)
    }

    /// Whether a way does nothing, in any configuration that can be reached, that others do not do as well.
    fn adds_nothing(&mut self, way: &Step, others: &[Step], shown: bool) -> bool {
        let mut question = self.facts[way.source].clone();
        question.push(way.guard);
        for other in others {
            if is_spent() {
                return false;
            }
            let Some(same) = self.does_the_same(other, way, shown) else { continue };
            if self.prover.terms.as_bool(same) == Some(true) {
                return true;
            }
            question.push(self.prover.terms.not(same));
        }
        self.prover.check(&question) == Answer::Unsat
    }

    /// When a way can do what another one does; nothing when it never can.
    fn does_the_same(&mut self, one: &Step, wanted: &Step, shown: bool) -> Option<TermId> {
        let places = |step: &Step| step.holes.iter().map(|(hole, _)| *hole).collect::<Vec<_>>();
        if one.target != wanted.target || places(one) != places(wanted) {
            return None;
        }
        let one = self.prover.with_new_locals(one, &wanted.locals);
        let mut pairs: Vec<(TermId, TermId)> =
            one.holes.iter().zip(&wanted.holes).map(|(x, y)| (x.1, y.1)).collect();
        if shown {
            pairs.push((one.action, wanted.action));
        }
        let mut vars: Vec<VarId> =
            one.updates.keys().chain(wanted.updates.keys()).copied().collect();
        vars.sort_unstable();
        vars.dedup();
        for var in vars {
            let this = self.prover.terms.var_term(var);
            let value = |step: &Step| step.updates.get(&var).copied().unwrap_or(this);
            pairs.push((value(&one), value(wanted)));
        }
        let same = possible(&mut self.prover.terms, &pairs, &[one.guard], &wanted.locals)?;
        Some(self.prover.without_quantifier(same))
    }
}

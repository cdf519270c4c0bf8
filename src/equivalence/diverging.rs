//! Divergence: whether a system can go on silently for ever. Weak comparisons do not see it.
//!
//! Where a system can is a greatest fixpoint, computed from above: in each round, what is left are the configurations with
//! a silent step to one that is left. When a round takes nothing away, each of them has a step into them again, and what
//! was taken away comes to its end. Then it is asked whether one of them can be reached. Where this does not settle
//! soon, nothing is known: the verdict does not depend on it.

use super::SideId;
use super::game::Game;
use super::sequence::Told;
use crate::algebra::{TermId, conjunction};
use crate::automaton::StateId;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::base::graph::{circles, components};
use crate::smt::Answer;
use crate::system::{Facts, Prover, Reached, Step, reaches_within};

/// More rounds than this are not made.
const MOST_ROUNDS: usize = 30;

/// Conditions of more terms than this are not followed.
const MOST_TERMS: usize = 300;

/// Steps from the beginning to where it goes on for ever, at most so many.
const MOST_STEPS: usize = 50;

/// About so many questions may be asked for each of the two: fewer rounds are made where there is more to ask in each.
const MOST_QUESTIONS: usize = 5_000;

/// The silent steps of each state.
type Steps = IndexVec<StateId, Vec<Step>>;

impl Game<'_, '_> {
    /// Whether a side can go on silently for ever, by itself or `with_holes` that move unseen; nothing where that is not
    /// known.
    pub fn goes_on_silently(&mut self, side: SideId, with_holes: bool) -> Option<bool> {
        let steps = self.silent_steps(side, with_holes);
        let edges = edges(&steps);
        if circles(&edges).is_empty() {
            return (!is_spent()).then_some(false);
        }
        let mut facts = self.facts[side].clone();
        let system = &self.sides[side];
        let mut lasting = lasting(self.prover, &steps, &edges, &facts);
        if lasting.is_none() {
            facts.infer(system, self.prover);
            lasting = self::lasting(self.prover, &steps, &edges, &facts);
        }
        let variables = self.sides.variables();
        let most = rounds(system.all_steps().count(), MOST_STEPS);
        let about = (system, &mut *self.prover);
        match reaches_within(about, &mut facts, &variables, &lasting?, most) {
            Reached::By(_) => Some(true),
            Reached::Never(_) => (!is_spent()).then_some(false),
            Reached::Unknown(_) => None,
        }
    }

    /// The silent steps of a side in which no hole that is compared does anything visible.
    fn silent_steps(&mut self, side: SideId, with_holes: bool) -> Steps {
        let system = &self.sides[side];
        let mut steps: Steps = IndexVec::of(system.steps.len(), Vec::new());
        for step in system.all_steps().filter(|step| with_holes || step.holes.is_empty()) {
            if is_spent() {
                break;
            }
            let told = self.prover.told_apart(step, &self.rules.tracked);
            let silent = told.into_iter().filter(|told| told.silent && told.step.holes.is_empty());
            steps[step.source].extend(silent.map(|Told { step, .. }| step));
        }
        steps
    }
}

/// How many rounds may be made, with so many questions in each.
fn rounds(questions: usize, most: usize) -> usize {
    (MOST_QUESTIONS / questions.max(1)).clamp(1, most)
}

/// The graph of steps.
fn edges(steps: &Steps) -> Vec<Vec<usize>> {
    let targets = |mine: &Vec<Step>| mine.iter().map(|step| step.target.index()).collect();
    steps.iter().map(targets).collect()
}

/// For each state, whether steps lead from it to a circle.
fn lead_to_circles(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut leads = vec![false; edges.len()];
    for &state in circles(edges).iter().flatten() {
        leads[state] = true;
    }
    // What others lead to comes first.
    for component in components(edges) {
        for state in component {
            leads[state] = leads[state] || edges[state].iter().any(|&next| leads[next]);
        }
    }
    leads
}

/// For each state, where some steps can be made for ever; nothing where that does not settle.
fn lasting(
    prover: &mut Prover<'_>,
    steps: &Steps,
    edges: &[Vec<usize>],
    facts: &Facts,
) -> Option<IndexVec<StateId, TermId>> {
    let leads = lead_to_circles(edges);
    let mut left: IndexVec<StateId, TermId> =
        leads.iter().map(|&leads| prover.terms.bool(leads)).collect();
    for _ in 0..rounds(steps.len(), MOST_ROUNDS) {
        let mut changed = false;
        for state in steps.ids() {
            if is_spent() {
                return None;
            }
            prover.searching("silent steps without end");
            let now = one_more(prover, &steps[state], &left);
            let mut question = facts[state].clone();
            question.extend([left[state], prover.terms.not(now)]);
            match prover.none_holds(&question) {
                Answer::Unsat => continue,
                Answer::Sat => changed = true,
                Answer::Unknown(_) => return None,
            }
            left[state] = prover.fewer_parts(now, &facts[state]);
            if prover.terms.is_larger(&[left[state]], MOST_TERMS) {
                return None;
            }
        }
        if !changed {
            return Some(left);
        }
    }
    None
}

/// When one of some steps leads to what is left.
fn one_more(prover: &mut Prover<'_>, steps: &[Step], left: &IndexVec<StateId, TermId>) -> TermId {
    let mut ways = Vec::with_capacity(steps.len());
    for step in steps {
        let then = prover.terms.substitute(left[step.target], &step.updates);
        if let Some(parts) = conjunction(&mut prover.terms, vec![step.guard, then]) {
            ways.push(prover.exists(&step.locals, parts));
        }
    }
    prover.terms.or(ways)
}

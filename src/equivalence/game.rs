//! The game that all comparisons are: one side makes a step, the other has to answer it.
//!
//! For strong FH-bisimilarity (Definition 7 of the JLAMP paper) both sides challenge, and the answers are single
//! open transitions with the same holes, equal hole actions and an equal result. For refinement (Definition 9 of
//! the SEFM paper) only the left side challenges, the tracked holes alone are compared, and where the left side
//! is stuck the right one must be stuck.

use rustc_hash::{FxHashMap, FxHashSet};

use super::sequence::silent;
use super::weak::WeakSteps;
use super::world::{SideId, Step, World};
use crate::algebra::conjunction;
use crate::algebra::{Term, TermId, VarId};
use crate::algebra::{can_be_same, possible};
use crate::base::budget::is_spent;

/// What is played for.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Whether the right side challenges too.
    pub both: bool,
    /// The holes that are compared, by their places.
    pub tracked: Vec<usize>,
    /// Whether the right side must be stuck where the left one is.
    pub deadlocks: bool,
    /// The weak steps of the two, when silent steps do not count.
    pub weak: Option<[WeakSteps; 2]>,
}

/// A pair of states.
pub type Pair = (usize, usize);

/// A step that has to be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// Who makes it.
    pub side: SideId,
    /// Which step, by its place among those of the state.
    pub step: usize,
}

/// A step that may answer another.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The step.
    pub step: Step,
    /// Whether it is silent, and answers only what is.
    pub silent: bool,
}

/// When an answer fits a step, with the variables of both.
pub(super) struct Fit {
    /// What has to be the same.
    pub same: Vec<(TermId, TermId)>,
    /// What has to hold.
    pub holds: Vec<TermId>,
}

/// The game between two automata.
pub struct Game<'w, 'a> {
    /// The two.
    pub world: &'w mut World<'a>,
    /// What is played for.
    pub rules: Rules,
}

impl Game<'_, '_> {
    /// The steps that have to be answered in a pair of states.
    pub fn challenges(&self, (left, right): Pair) -> Vec<Challenge> {
        let of = |side: SideId, state: usize| {
            let count = self.world.side(side).steps[state].len();
            (0..count).map(move |step| Challenge { side, step })
        };
        let mut all: Vec<Challenge> = of(SideId::Left, left).collect();
        if self.rules.both {
            all.extend(of(SideId::Right, right));
        }
        all
    }

    /// The step of a challenge.
    pub fn step(&self, (left, right): Pair, challenge: Challenge) -> Step {
        let state = if challenge.side == SideId::Left { left } else { right };
        self.world.side(challenge.side).steps[state][challenge.step].clone()
    }

    /// The steps that might answer a challenge, as far as their labels tell.
    pub fn answers(&self, (left, right): Pair, challenge: Challenge) -> Vec<Answer> {
        let made = self.step((left, right), challenge);
        let other = challenge.side.other();
        let state = if other == SideId::Left { left } else { right };
        let Some(weak) = &self.rules.weak else {
            let steps = self.world.side(other).steps[state].iter();
            let fitting = steps.filter(|step| self.compatible(&made, step));
            return fitting.map(|step| Answer { step: step.clone(), silent: false }).collect();
        };
        let weak = &weak[other as usize];
        let can_be_silent =
            !matches!(self.world.terms.get(made.action), Term::Act(..) | Term::Co(_));
        let silent = weak.silent[state].iter().filter(|_| can_be_silent);
        let silent = silent.map(|step| Answer { step: step.clone(), silent: true });
        let is_loud = !matches!(self.world.terms.get(made.action), Term::Tau | Term::Sync(_));
        let visible = weak.visible[state]
            .iter()
            .filter(|step| is_loud && can_be_same(&self.world.terms, made.action, step.action));
        let visible = visible.map(|step| Answer { step: step.clone(), silent: false });
        silent.chain(visible).collect()
    }

    fn tracked<'s>(&self, step: &'s Step) -> Vec<&'s (usize, TermId)> {
        step.holes.iter().filter(|(hole, _)| self.rules.tracked.contains(hole)).collect()
    }

    /// Whether one step could answer another, as far as their labels tell.
    fn compatible(&self, made: &Step, answer: &Step) -> bool {
        let (a, b) = (self.tracked(made), self.tracked(answer));
        let terms = &self.world.terms;
        a.len() == b.len()
            && a.iter().zip(&b).all(|(x, y)| x.0 == y.0 && can_be_same(terms, x.1, y.1))
            && can_be_same(terms, made.action, answer.action)
    }

    /// Where a step and its answer lead.
    pub fn next(&self, side: SideId, made: &Step, answer: &Answer) -> Pair {
        match side {
            SideId::Left => (made.target, answer.step.target),
            SideId::Right => (answer.step.target, made.target),
        }
    }

    /// When an answer covers a step such that `then` holds afterwards: a condition on the variables of both
    /// automata and of the step.
    pub fn covers(&mut self, made: &Step, answer: &Answer, then: TermId) -> Option<TermId> {
        let mut changes: FxHashMap<VarId, TermId> = made.updates.clone();
        changes.extend(answer.step.updates.iter().map(|(&var, &value)| (var, value)));
        let then = self.world.terms.substitute(then, &changes);
        let then = self.world.in_one_form(then);
        if self.world.terms.as_bool(then) == Some(false) {
            return None;
        }
        let Fit { same, mut holds } = self.fits(made, answer)?;
        holds.push(then);
        let covered = possible(&mut self.world.terms, &same, &holds, &made.locals)?;
        Some(self.world.without_quantifier(covered))
    }

    /// When an answer fits a step; nothing when it never does.
    pub(super) fn fits(&mut self, made: &Step, answer: &Answer) -> Option<Fit> {
        let Answer { step: answer, silent: is_silent } = answer;
        let terms = &mut self.world.terms;
        let mut fit = Fit { same: Vec::new(), holds: vec![answer.guard] };
        if *is_silent {
            fit.holds.push(silent(terms, made.action));
        } else {
            fit.same.push((made.action, answer.action));
        }
        let of = |step: &Step, hole: usize| {
            step.holes.iter().find(|(other, _)| *other == hole).map(|(_, action)| *action)
        };
        for &hole in &self.rules.tracked {
            match (of(made, hole), of(answer, hole)) {
                (None, None) => {}
                (Some(a), Some(b)) => fit.same.push((a, b)),
                // The holes of a weak step are those that act visibly.
                (Some(a), None) if self.rules.weak.is_some() => fit.holds.push(silent(terms, a)),
                _ => return None,
            }
        }
        Some(fit)
    }

    /// When a step happens and no answer covers it such that `then` of the next pair holds; the parts of a
    /// conjunction on the variables of both automata and of the step.
    pub fn unanswered(
        &mut self,
        pair: Pair,
        challenge: Challenge,
        then: &dyn Fn(Pair) -> TermId,
    ) -> Option<Vec<TermId>> {
        let made = self.step(pair, challenge);
        let mut parts = vec![made.guard];
        for answer in self.answers(pair, challenge) {
            if is_spent() {
                break;
            }
            let next = self.next(challenge.side, &made, &answer);
            if let Some(covered) = self.covers(&made, &answer, then(next)) {
                parts.push(self.world.terms.not(covered));
            }
        }
        conjunction(&mut self.world.terms, parts)
    }

    /// When a pair is lost because the left side is stuck and the right one is not.
    pub fn stuck(&mut self, (left, right): Pair) -> TermId {
        if !self.rules.deadlocks {
            return self.world.terms.bool(false);
        }
        let first = self.world.can_move(SideId::Left, left);
        let second = self.world.can_move(SideId::Right, right);
        let stuck = self.world.terms.not(first);
        self.world.terms.and([stuck, second])
    }

    /// The pairs that can be met, as far as labels tell, from the initial one on.
    pub fn pairs(&self) -> Vec<Pair> {
        let mut found = vec![(0, 0)];
        let mut seen: FxHashSet<Pair> = found.iter().copied().collect();
        let mut at = 0;
        while at < found.len() && !is_spent() {
            let pair = found[at];
            for challenge in self.challenges(pair) {
                let made = self.step(pair, challenge);
                for answer in self.answers(pair, challenge) {
                    let next = self.next(challenge.side, &made, &answer);
                    if seen.insert(next) {
                        found.push(next);
                    }
                }
            }
            at += 1;
        }
        found
    }
}

//! The game that all comparisons are: one side makes a step, the other has to answer it.
//!
//! For strong FH-bisimilarity (Ameur-Boulifa et al., JLAMP 2023, Definition 7) both sides challenge, and the answers
//! are single open transitions with the same holes, equal hole actions and an equal result. For refinement
//! (Ameur-Boulifa et al., SEFM, Definition 9) only the left side challenges, the tracked holes alone are compared,
//! and where the left side is stuck the right one must be stuck. Where silent steps do not count, the answers are weak
//! steps, and the right side must be able to get stuck by silent steps in which no tracked hole does anything visible.

use rustc_hash::{FxHashMap, FxHashSet};

use super::sequence::silent;
use super::weak::WeakSteps;
use super::{Both, SideId, Sides};
use crate::algebra::{Term, TermId, VarId, can_be_same, conjunction, possible};
use crate::automaton::StateId;
use crate::base::budget::is_spent;
use crate::pnet::HoleId;
use crate::system::{Facts, Prover, Step, StepId};

/// What is played for.
#[derive(Clone, Debug)]
pub struct GameRules<'g> {
    /// Whether the right side challenges too.
    pub both: bool,
    /// The holes that are compared.
    pub tracked: Vec<HoleId>,
    /// Whether the right side must be stuck where the left one is, or be able to get stuck silently, when silent steps
    /// do not count.
    pub deadlocks: bool,
    /// The weak steps of the two, when silent steps do not count.
    pub weak: Option<&'g Both<WeakSteps>>,
}

/// A pair of states.
pub type Pair = (StateId, StateId);

/// The initial states of both.
pub const FIRST: Pair = (StateId::FIRST, StateId::FIRST);

/// A step that has to be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// Who makes it.
    pub side: SideId,
    /// Which step of the state.
    pub step: StepId,
}

/// A step that may answer another.
#[derive(Clone, Copy, Debug)]
pub struct Response<'g> {
    pub step: &'g Step,
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
pub struct Game<'g, 'a> {
    /// The two.
    pub sides: &'g Sides<'a>,
    /// Who is asked.
    pub prover: &'g mut Prover<'a>,
    /// What is known of the states of the two.
    pub facts: Both<Facts>,
    /// What is played for.
    pub rules: GameRules<'g>,
    /// When the right side is stuck, or can get stuck silently, in the states for which this was asked.
    pub(super) ends: FxHashMap<StateId, TermId>,
}

/// The states of both sides, in a pair.
pub(super) fn state(pair: Pair, side: SideId) -> StateId {
    match side {
        SideId::Left => pair.0,
        SideId::Right => pair.1,
    }
}

impl<'g, 'a> Game<'g, 'a> {
    /// A game between two, with what is known of them.
    pub fn new(
        sides: &'g Sides<'a>,
        prover: &'g mut Prover<'a>,
        facts: Both<Facts>,
        rules: GameRules<'g>,
    ) -> Game<'g, 'a> {
        Game { sides, prover, facts, rules, ends: FxHashMap::default() }
    }

    /// The steps that have to be answered in a pair of states.
    pub fn challenges(&self, pair: Pair) -> Vec<Challenge> {
        let of = |side: SideId| {
            let steps = self.sides[side].steps[state(pair, side)].ids();
            steps.map(move |step| Challenge { side, step })
        };
        let mut all: Vec<Challenge> = of(SideId::Left).collect();
        if self.rules.both {
            all.extend(of(SideId::Right));
        }
        all
    }

    /// The step of a challenge.
    pub fn step(&self, pair: Pair, challenge: Challenge) -> &'g Step {
        let side = challenge.side;
        &self.sides[side].steps[state(pair, side)][challenge.step]
    }

    /// The steps that might answer a challenge, as far as their labels tell.
    pub fn answers(&self, pair: Pair, challenge: Challenge) -> Vec<Response<'g>> {
        let made = self.step(pair, challenge);
        let other = challenge.side.other();
        let state = state(pair, other);
        let Some(weak) = self.rules.weak else {
            let steps = self.sides[other].steps[state].iter();
            let fitting = steps.filter(|step| self.compatible(made, step));
            return fitting.map(|step| Response { step, silent: false }).collect();
        };
        let (weak, shown) = (&weak[other], self.prover.terms.get(made.action));
        let can_be_silent = !matches!(shown, Term::Act(..) | Term::Co(_));
        let silent = weak.silent[state].iter().filter(|_| can_be_silent);
        let silent = silent.map(|step| Response { step, silent: true });
        let is_loud = !matches!(shown, Term::Tau | Term::Sync(_));
        let visible = weak.visible[state]
            .iter()
            .filter(|step| is_loud && can_be_same(&self.prover.terms, made.action, step.action));
        let visible = visible.map(|step| Response { step, silent: false });
        silent.chain(visible).collect()
    }

    fn tracked<'s>(&self, step: &'s Step) -> Vec<&'s (HoleId, TermId)> {
        step.holes.iter().filter(|(hole, _)| self.rules.tracked.contains(hole)).collect()
    }

    /// Whether one step could answer another, as far as their labels tell.
    fn compatible(&self, made: &Step, answer: &Step) -> bool {
        let (a, b) = (self.tracked(made), self.tracked(answer));
        let terms = &self.prover.terms;
        a.len() == b.len()
            && a.iter().zip(&b).all(|(x, y)| x.0 == y.0 && can_be_same(terms, x.1, y.1))
            && can_be_same(terms, made.action, answer.action)
    }

    /// Where a step and its answer lead.
    pub fn next(&self, side: SideId, made: &Step, answer: &Response<'_>) -> Pair {
        match side {
            SideId::Left => (made.target, answer.step.target),
            SideId::Right => (answer.step.target, made.target),
        }
    }

    /// When an answer covers a step such that `then` holds afterwards: a condition on the variables of both
    /// automata and of the step.
    pub fn covers(&mut self, made: &Step, answer: &Response<'_>, then: TermId) -> Option<TermId> {
        let mut changes: FxHashMap<VarId, TermId> = made.updates.clone();
        changes.extend(answer.step.updates.iter().map(|(&var, &value)| (var, value)));
        let then = self.prover.terms.substitute(then, &changes);
        let then = self.prover.in_one_form(then);
        if self.prover.terms.as_bool(then) == Some(false) {
            return None;
        }
        let Fit { same, mut holds } = self.fits(made, answer)?;
        holds.push(then);
        let covered = possible(&mut self.prover.terms, &same, &holds, &made.locals)?;
        Some(self.prover.without_quantifier(covered))
    }

    /// When an answer fits a step; nothing when it never does.
    pub(super) fn fits(&mut self, made: &Step, answer: &Response<'_>) -> Option<Fit> {
        let Response { step: answer, silent: is_silent } = answer;
        let terms = &mut self.prover.terms;
        let mut fit = Fit { same: Vec::new(), holds: vec![answer.guard] };
        if *is_silent {
            fit.holds.push(silent(terms, made.action));
        } else {
            fit.same.push((made.action, answer.action));
        }
        for &hole in &self.rules.tracked {
            match (made.hole(hole), answer.hole(hole)) {
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
            let next = self.next(challenge.side, made, &answer);
            if let Some(covered) = self.covers(made, &answer, then(next)) {
                parts.push(self.prover.terms.not(covered));
            }
        }
        conjunction(&mut self.prover.terms, parts)
    }

    /// When a pair is lost because the left side is stuck and the right one is not, and cannot get stuck silently.
    pub fn stuck(&mut self, (left, right): Pair) -> TermId {
        let no = self.prover.terms.bool(false);
        if !self.rules.deadlocks {
            return no;
        }
        let first = self.sides[SideId::Left].can_move(self.prover, left);
        if self.prover.terms.as_bool(first) == Some(true) {
            return no;
        }
        let stuck = self.prover.terms.not(first);
        let ends = self.ends(right);
        let goes_on = self.prover.terms.not(ends);
        self.prover.terms.and([stuck, goes_on])
    }

    /// When the right side is stuck in a state, or can get stuck silently, when silent steps do not count.
    fn ends(&mut self, state: StateId) -> TermId {
        if let Some(&known) = self.ends.get(&state) {
            return known;
        }
        let system = &self.sides[SideId::Right];
        let ends = match self.rules.weak {
            None => {
                let moves = system.can_move(self.prover, state);
                self.prover.terms.not(moves)
            }
            Some(weak) => {
                let ways = &weak[SideId::Right].silent[state];
                let quiet = ways.iter().filter(|way| way.holes.is_empty());
                let ends: Vec<TermId> = quiet.map_while(|way| self.ends_by(way)).collect();
                self.prover.terms.or(ends)
            }
        };
        self.ends.insert(state, ends);
        ends
    }

    /// When a way of the right side leads to where it is stuck; nothing when the budget is spent.
    fn ends_by(&mut self, way: &Step) -> Option<TermId> {
        if is_spent() {
            return None;
        }
        let moves = self.sides[SideId::Right].can_move(self.prover, way.target);
        let stuck = self.prover.terms.not(moves);
        let then = self.prover.terms.substitute(stuck, &way.updates);
        let parts = conjunction(&mut self.prover.terms, vec![way.guard, then]);
        Some(match parts {
            Some(parts) => self.prover.exists(&way.locals, parts),
            None => self.prover.terms.bool(false),
        })
    }

    /// The pairs that can be met, as far as labels tell, from the initial one on.
    pub fn pairs(&self) -> Vec<Pair> {
        let mut found = vec![FIRST];
        let mut seen: FxHashSet<Pair> = found.iter().copied().collect();
        let mut at = 0;
        while at < found.len() && !is_spent() {
            let pair = found[at];
            for challenge in self.challenges(pair) {
                let made = self.step(pair, challenge);
                for answer in self.answers(pair, challenge) {
                    let next = self.next(challenge.side, made, &answer);
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

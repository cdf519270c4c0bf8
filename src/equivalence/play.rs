//! How two configurations are told apart: a play that one can follow, with concrete values.
//!
//! The rounds that were computed say where the challenger wins. A play takes the values from the solver, and puts
//! each move to it again with these values before it is told.

use rustc_hash::FxHashMap;

use super::game::{Answer, Challenge, Fit, Game, Pair};
use super::position::{Position, with_values};
use super::world::{SideId, Step};
use crate::pnet::{TermId, VarId};
use crate::smt::Answer as Solved;

/// A move of a play.
#[derive(Clone, Debug)]
pub struct Move {
    /// Where the two are.
    pub pair: Pair,
    /// Who challenges.
    pub side: SideId,
    /// The step, with values.
    pub step: Step,
    /// The answer that the play goes on with, with values; none when there is none.
    pub answer: Option<(Answer, Step)>,
}

/// A play: the moves, and the values that variables and constants have at the beginning.
#[derive(Clone, Debug, Default)]
pub struct Play {
    /// The moves.
    pub moves: Vec<Move>,
    /// Whether the last move is that the left side is stuck and the right one is not.
    pub stuck: Option<Pair>,
    /// The values that variables without an initial value begin with.
    pub begun: Vec<(VarId, TermId)>,
    /// What it needs of symbolic constants.
    pub given: Vec<TermId>,
}

impl Game<'_, '_> {
    /// A play that tells the initial configurations apart; nothing when the solver loses the thread.
    pub fn play(&mut self, rounds: &[FxHashMap<Pair, TermId>]) -> Option<Play> {
        let mut play = Play::default();
        let mut position = Position { values: self.world.initial_values(), facts: Vec::new() };
        let mut pair = (0, 0);
        let mut left = rounds.len() - 1;
        position.values.extend(self.first_values(rounds.last()?.get(&pair).copied()?, &position)?);
        while left > 0 {
            let stuck = self.stuck(pair);
            if self.world.asked(stuck, &position) == Solved::Sat {
                play.stuck = Some(pair);
                position.remember(&mut self.world.terms, &[stuck]);
                play.given = self.world.needed_of_constants(&position);
                return Some(play);
            }
            let (made, next) = self.one_move(pair, &rounds[left - 1], &mut position, &mut play)?;
            let over = made.answer.is_none();
            play.moves.push(made);
            if over {
                play.given = self.world.needed_of_constants(&position);
                return Some(play);
            }
            pair = next;
            left -= 1;
        }
        None
    }

    /// Values that the challenger begins with, where it can choose.
    fn first_values(
        &mut self,
        lost: TermId,
        position: &Position,
    ) -> Option<FxHashMap<VarId, TermId>> {
        let sides = [SideId::Left, SideId::Right];
        if sides.iter().all(|&side| self.world.free_at_first(side).is_empty()) {
            return Some(FxHashMap::default());
        }
        let related = self.world.terms.not(lost);
        for (side, apart) in self.apart(related) {
            if let Some(mut values) = self.world.values_for(position, &[apart], &[]) {
                let own = self.world.free_at_first(side);
                values.retain(|var, _| own.contains(var));
                return Some(values);
            }
        }
        None
    }

    fn one_move(
        &mut self,
        pair: Pair,
        lost: &FxHashMap<Pair, TermId>,
        position: &mut Position,
        play: &mut Play,
    ) -> Option<(Move, Pair)> {
        let no = self.world.terms.bool(false);
        let mut related: FxHashMap<Pair, TermId> = FxHashMap::default();
        for (&pair, &lost) in lost {
            related.insert(pair, self.world.terms.not(lost));
        }
        for challenge in self.challenges(pair) {
            let then = |next: Pair| related.get(&next).copied().unwrap_or(no);
            let Some(parts) = self.unanswered(pair, challenge, &then) else { continue };
            let made = self.step(pair, challenge);
            let Some(values) = self.world.values_for(position, &parts, &made.locals) else {
                continue;
            };
            position.values.extend(values);
            position.remember(&mut self.world.terms, &parts);
            if play.moves.is_empty() {
                let variables = self.world.sides.iter().flat_map(|side| &side.variables);
                let free = variables.filter(|v| v.initial.is_none()).map(|v| v.var);
                play.begun =
                    free.filter_map(|var| Some((var, *position.values.get(&var)?))).collect();
            }
            return self.answered(pair, challenge, &made, position);
        }
        None
    }

    /// The play goes on with the first answer that is possible; nothing when it is not known whether one is.
    fn answered(
        &mut self,
        pair: Pair,
        challenge: Challenge,
        made: &Step,
        position: &mut Position,
    ) -> Option<(Move, Pair)> {
        let yes = self.world.terms.bool(true);
        let side = challenge.side;
        let step = with_values(&mut self.world.terms, made, &position.values);
        for answer in self.answers(pair, challenge) {
            let Some(fits) = self.covers(made, &answer, yes) else { continue };
            match self.world.asked(fits, position) {
                Solved::Unsat => continue,
                Solved::Unknown(_) => return None,
                Solved::Sat => {}
            }
            let Some(Fit { same, holds: mut conditions }) = self.fits(made, &answer) else {
                continue;
            };
            for (a, b) in same {
                conditions.push(self.world.terms.equal(a, b));
            }
            let values = self.world.values_for(position, &conditions, &answer.step.locals)?;
            position.values.extend(values);
            // What has no value that could be written down is still what the answer says.
            position.remember(&mut self.world.terms, &conditions);
            let given = with_values(&mut self.world.terms, &answer.step, &position.values);
            let next = self.next(side, made, &answer);
            for (&var, &value) in step.updates.iter().chain(&given.updates) {
                position.values.insert(var, value);
            }
            position.forget(&mut self.world.terms, made.locals.iter().chain(&answer.step.locals));
            let done = Move { pair, side, step, answer: Some((answer, given)) };
            return Some((done, next));
        }
        Some((Move { pair, side, step, answer: None }, pair))
    }
}

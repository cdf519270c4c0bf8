//! How two configurations are told apart: a play that one can follow, with concrete values.
//!
//! The rounds that were computed say where the challenger wins. A play takes the values from the solver, and puts
//! each move to it again with these values before it is told.

use rustc_hash::FxHashMap;

use super::SideId;
use super::game::{Challenge, FIRST, Fit, Game, Pair};
use crate::algebra::{TermId, VarId};
use crate::smt::Answer;
use crate::system::{Change, Step, Valuation};

/// A move of a play.
#[derive(Clone, Debug)]
pub struct SymbolicMove {
    /// Where the two are.
    pub pair: Pair,
    /// Who challenges.
    pub side: SideId,
    /// The step, with values.
    pub step: Step,
    /// What it changes.
    pub changes: Vec<Change>,
    /// The answer that the play goes on with; none when there is none.
    pub answer: Option<Given>,
}

/// An answer of a play.
#[derive(Clone, Debug)]
pub struct Given {
    /// Whether it answers something silent, so that nothing need be shown.
    pub silent: bool,
    /// The step, with values.
    pub step: Step,
    /// What it changes.
    pub changes: Vec<Change>,
}

/// A play: the moves, and the values that variables and constants have at the beginning.
#[derive(Clone, Debug, Default)]
pub struct SymbolicPlay {
    pub moves: Vec<SymbolicMove>,
    /// Whether the last move is that the left side is stuck and the right one is not.
    pub stuck: Option<Pair>,
    /// The values that variables without an initial value begin with.
    pub begun: Vec<(VarId, TermId)>,
    /// Values of symbolic constants and uninterpreted functions.
    pub given: Vec<(TermId, TermId)>,
    /// What it needs of those of them that no values were found for.
    pub needed: Vec<TermId>,
}

impl Game<'_, '_> {
    /// A play that tells the initial configurations apart; nothing when the solver loses the thread.
    pub fn play(&mut self, rounds: &[FxHashMap<Pair, TermId>]) -> Option<SymbolicPlay> {
        let mut play = SymbolicPlay::default();
        let (values, variables) = (self.sides.initial_values(), self.sides.variables());
        let mut position = Valuation { values, facts: Vec::new(), variables };
        let mut pair = FIRST;
        let mut left = rounds.len() - 1;
        self.begin(rounds.last()?.get(&pair).copied()?, &mut position)?;
        while left > 0 {
            let stuck = self.stuck(pair);
            if self.prover.asked(stuck, &position) == Answer::Sat {
                play.stuck = Some(pair);
                if let Some(values) = self.prover.values_for(&position, &[stuck], &[]) {
                    self.prover.take(&mut position, values);
                }
                self.note_beginning(&position, &mut play);
                self.prover.remember(&mut position, &[stuck]);
                return Some(self.settled_play(play, &mut position));
            }
            let (made, next) = self.one_move(pair, &rounds[left - 1], &mut position, &mut play)?;
            let over = made.answer.is_none();
            play.moves.push(made);
            if over {
                return Some(self.settled_play(play, &mut position));
            }
            pair = next;
            left -= 1;
        }
        None
    }

    /// Takes values that the challenger begins with, where it can choose; nothing when there are none to be found.
    fn begin(&mut self, lost: TermId, position: &mut Valuation) -> Option<()> {
        if self.sides.iter().all(|system| system.free_at_first().is_empty()) {
            return Some(());
        }
        let related = self.prover.terms.not(lost);
        for (side, apart) in self.apart(related) {
            if let Some(mut values) = self.prover.values_for(position, &[apart], &[]) {
                let own = self.sides[side].free_at_first();
                values.retain(|var, _| own.contains(var));
                self.prover.take(position, values);
                // That nothing the other side can begin with is related may need something of constants.
                if self.prover.has_symbolic_constants() {
                    self.prover.remember(position, &[apart]);
                }
                return Some(());
            }
        }
        None
    }

    /// The values that variables without an initial value begin with, as long as nothing was done.
    fn note_beginning(&self, position: &Valuation, play: &mut SymbolicPlay) {
        if play.moves.is_empty() {
            let free = self.sides.iter().flat_map(|system| system.free_at_first());
            play.begun = free.filter_map(|var| Some((var, *position.values.get(&var)?))).collect();
        }
    }

    fn one_move(
        &mut self,
        pair: Pair,
        lost: &FxHashMap<Pair, TermId>,
        position: &mut Valuation,
        play: &mut SymbolicPlay,
    ) -> Option<(SymbolicMove, Pair)> {
        let no = self.prover.terms.bool(false);
        let mut related: FxHashMap<Pair, TermId> = FxHashMap::default();
        for (&pair, &lost) in lost {
            related.insert(pair, self.prover.terms.not(lost));
        }
        for challenge in self.challenges(pair) {
            let then = |next: Pair| related.get(&next).copied().unwrap_or(no);
            let Some(parts) = self.unanswered(pair, challenge, &then) else { continue };
            let made = self.step(pair, challenge);
            let Some(values) = self.prover.values_for(position, &parts, &made.locals) else {
                continue;
            };
            self.prover.take(position, values);
            self.prover.remember(position, &parts);
            self.note_beginning(position, play);
            return self.answered(pair, challenge, made, position);
        }
        None
    }

    /// The play goes on with the first answer that is possible; nothing when it is not known whether one is.
    fn answered(
        &mut self,
        pair: Pair,
        challenge: Challenge,
        made: &Step,
        position: &mut Valuation,
    ) -> Option<(SymbolicMove, Pair)> {
        let yes = self.prover.terms.bool(true);
        let side = challenge.side;
        let step = self.prover.with_values(made, &position.values);
        let changes = Vec::new();
        for answer in self.answers(pair, challenge) {
            let Some(fits) = self.covers(made, &answer, yes) else { continue };
            match self.prover.asked(fits, position) {
                Answer::Unsat => continue,
                Answer::Unknown(_) => return None,
                Answer::Sat => {}
            }
            let Some(Fit { same, holds: mut conditions }) = self.fits(made, &answer) else {
                continue;
            };
            for (a, b) in same {
                conditions.push(self.prover.terms.equal(a, b));
            }
            let values = self.prover.values_for(position, &conditions, &answer.step.locals)?;
            self.prover.take(position, values);
            // What has no value that could be written down is still what the answer says.
            self.prover.remember(position, &conditions);
            let given = self.prover.with_values(answer.step, &position.values);
            let next = self.next(side, made, &answer);
            for (&var, &value) in step.updates.iter().chain(&given.updates) {
                position.values.insert(var, value);
            }
            let locals = made.locals.iter().chain(&answer.step.locals);
            let renamed = position.forget(&mut self.prover.terms, locals);
            let step = self.prover.with_values(&step, &renamed);
            let given = self.prover.with_values(&given, &renamed);
            let answer = Given { silent: answer.silent, step: given, changes: changes.clone() };
            return Some((SymbolicMove { pair, side, step, changes, answer: Some(answer) }, next));
        }
        Some((SymbolicMove { pair, side, step, changes, answer: None }, pair))
    }

    /// A play with values of all that it is about, and what each step changes.
    fn settled_play(&mut self, mut play: SymbolicPlay, position: &mut Valuation) -> SymbolicPlay {
        let (prover, variables) = (&mut *self.prover, self.sides.variables());
        let mut values = self.sides.initial_values();
        values.extend(play.begun.iter().copied());
        let mut shown: Vec<TermId> = values.values().copied().collect();
        shown.sort_unstable();
        for made in &play.moves {
            shown.extend(made.step.terms());
            shown.extend(made.answer.iter().flat_map(|answer| answer.step.terms()));
        }
        let settled = prover.settle(&position.facts, &shown);
        for fact in &mut position.facts {
            *fact = prover.put(&settled, *fact);
        }
        play.needed = prover.needed_of_constants(position);
        let known = settled.given.iter().map(|&(what, value)| prover.terms.equal(what, value));
        let known: Vec<TermId> = known.collect();
        // What the values say already need not be said.
        play.needed.retain(|&needed| {
            let mut question = known.clone();
            question.push(prover.terms.not(needed));
            prover.check(&question) != Answer::Unsat
        });
        for value in values.values_mut().chain(play.begun.iter_mut().map(|(_, value)| value)) {
            *value = prover.put(&settled, *value);
        }
        for made in &mut play.moves {
            made.step = prover.put_step(&settled, &made.step);
            made.changes = prover.changes(&made.step, &variables, &values);
            if let Some(answer) = &mut made.answer {
                answer.step = prover.put_step(&settled, &answer.step);
                answer.changes = prover.changes(&answer.step, &variables, &values);
            }
            let answered = made.answer.iter().flat_map(|answer| &answer.changes);
            for change in made.changes.iter().chain(answered) {
                values.insert(change.var, change.after);
            }
        }
        play.given = settled.given;
        play
    }
}

//! How two configurations are told apart: a play that one can follow, with concrete values.
//!
//! The rounds that were computed say where the challenger wins. A play takes the values from the solver, and puts
//! each move to it again with these values before it is told.

use rustc_hash::FxHashMap;

use super::game::{Answer, Challenge, Game, Pair};
use super::world::{SideId, Step};
use crate::pnet::{Term, TermId, Terms, VarId};
use crate::smt::{Answer as Solved, Theory, Value};

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
}

/// What is known while a play is made: values, and conditions on what has none.
#[derive(Clone, Default)]
struct Position {
    values: FxHashMap<VarId, TermId>,
    facts: Vec<TermId>,
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
            if self.asked(stuck, &position) == Solved::Sat {
                play.stuck = Some(pair);
                return Some(play);
            }
            let (made, next) = self.one_move(pair, &rounds[left - 1], &mut position)?;
            let over = made.answer.is_none();
            play.moves.push(made);
            if over {
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
            if let Some(mut values) = self.solve(position, &[apart], &[]) {
                let own = self.world.free_at_first(side);
                values.retain(|var, _| own.contains(var));
                return Some(values);
            }
        }
        None
    }

    /// Whether a condition can hold in a position.
    fn asked(&mut self, condition: TermId, position: &Position) -> Solved {
        let now = self.world.terms.substitute(condition, &position.values);
        let mut question = position.facts.clone();
        question.push(now);
        self.world.check(&question)
    }

    fn one_move(
        &mut self,
        pair: Pair,
        lost: &FxHashMap<Pair, TermId>,
        position: &mut Position,
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
            let Some(values) = self.solve(position, &parts, &made.locals) else { continue };
            position.values.extend(values);
            for part in parts {
                let fact = self.world.terms.substitute(part, &position.values);
                if self.world.terms.as_bool(fact).is_none() {
                    position.facts.push(fact);
                }
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
            match self.asked(fits, position) {
                Solved::Unsat => continue,
                Solved::Unknown(_) => return None,
                Solved::Sat => {}
            }
            let conditions = self.matching(made, &answer);
            let values = self.solve(position, &conditions, &answer.step.locals)?;
            let mut all = position.values.clone();
            all.extend(values);
            // What has no value that could be written down is still what the answer says.
            for condition in conditions {
                let fact = self.world.terms.substitute(condition, &all);
                if self.world.terms.as_bool(fact).is_none() {
                    position.facts.push(fact);
                }
            }
            let given = with_values(&mut self.world.terms, &answer.step, &all);
            let next = self.next(side, made, &answer);
            for (&var, &value) in step.updates.iter().chain(&given.updates) {
                position.values.insert(var, value);
            }
            let done = Move { pair, side, step, answer: Some((answer, given)) };
            return Some((done, next));
        }
        Some((Move { pair, side, step, answer: None }, pair))
    }

    /// What must hold for an answer to fit a step, with the variables of both.
    fn matching(&mut self, made: &Step, answer: &Answer) -> Vec<TermId> {
        let mut conditions = vec![answer.step.guard];
        let terms = &mut self.world.terms;
        if answer.silent {
            conditions.push(super::weak::silent(terms, made.action));
        } else {
            conditions.push(terms.equal(made.action, answer.step.action));
        }
        for &(hole, action) in &answer.step.holes {
            match made.holes.iter().find(|(other, _)| *other == hole) {
                Some(&(_, other)) => conditions.push(terms.equal(action, other)),
                None => conditions.push(super::weak::silent(terms, action)),
            }
        }
        conditions
    }

    /// Values for variables under which conditions hold in a position. Those that cannot be written down stay
    /// as they are.
    fn solve(
        &mut self,
        position: &Position,
        conditions: &[TermId],
        vars: &[VarId],
    ) -> Option<FxHashMap<VarId, TermId>> {
        let mut question = position.facts.clone();
        for &condition in conditions {
            question.push(self.world.terms.substitute(condition, &position.values));
        }
        // Variables without an initial value are chosen here as well.
        let mut open: Vec<VarId> = vars.to_vec();
        for side in &self.world.sides {
            let any = side.variables.iter().map(|variable| variable.var);
            open.extend(any.filter(|var| !position.values.contains_key(var)));
        }
        let theory = Theory { algebra: &self.world.algebra, terms: &self.world.terms };
        let model = self.world.asker.session().model(theory, &question, &open).ok()?;
        let mut values = FxHashMap::default();
        for (var, value) in model {
            if let Some(term) = value_term(&mut self.world.terms, &value) {
                values.insert(var, term);
            }
        }
        Some(values)
    }
}

/// A step with values for some of its variables.
fn with_values(terms: &mut Terms, step: &Step, values: &FxHashMap<VarId, TermId>) -> Step {
    let mut put = |term: TermId| terms.substitute(term, values);
    Step {
        holes: step.holes.iter().map(|&(hole, action)| (hole, put(action))).collect(),
        guard: put(step.guard),
        action: put(step.action),
        updates: step.updates.iter().map(|(&var, &value)| (var, put(value))).collect(),
        ..step.clone()
    }
}

/// A value as a term; nothing for those that have no name.
fn value_term(terms: &mut Terms, value: &Value) -> Option<TermId> {
    Some(match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Int(value) => terms.int(value.clone()),
        Value::Construct(data, index, args) => {
            let args = args.iter().map(|arg| value_term(terms, arg)).collect::<Option<_>>()?;
            terms.raw(Term::Construct(*data, *index, args))
        }
        Value::Act(action, args) => {
            let args = args.iter().map(|arg| value_term(terms, arg)).collect::<Option<_>>()?;
            terms.raw(Term::Act(*action, args))
        }
        Value::Tau => terms.raw(Term::Tau),
        Value::Sync(inner) => {
            let inner = value_term(terms, inner)?;
            terms.raw(Term::Sync(inner))
        }
        Value::Co(inner) => {
            let inner = value_term(terms, inner)?;
            terms.raw(Term::Co(inner))
        }
        Value::Abstract(_) | Value::Other(_) | Value::Opaque(_) => return None,
    })
}

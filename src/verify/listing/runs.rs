//! What is said of runs, about a table of configurations: the plain interpreter makes all steps between them, and the formula
//! is decided by those alone, as it is defined.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::replay::NotClosed;
use crate::algebra::{TermId, VarId};
use crate::base::Id;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Property, Step, Value};
use crate::lts::{LtsState, Rows};
use crate::pnet::{HoleId, VectorPlace};
use crate::temporal::{
    Atoms, Bindings, FiniteSystem, Formula, MoveId, PlainDecider, StatePredicate, StepPattern,
    Undecided,
};
use crate::verify::holds::{constants_of_values, values_of};

/// What is done in a step, with a row of the table whose constants have the values that they have there.
#[derive(PartialEq, Eq, Hash)]
struct Move {
    action: Value,
    holes: Vec<(HoleId, Value)>,
    vectors: Vec<VectorPlace>,
    constants: usize,
}

/// The steps between the configurations of a table, while it is gone through.
pub(super) struct Runs {
    moves: IndexSet<Move, FxBuildHasher>,
    steps: Rows<LtsState, (MoveId, LtsState)>,
    /// The first row with each choice of constants.
    choices: Vec<usize>,
}

impl Runs {
    pub fn new() -> Runs {
        Runs { moves: IndexSet::default(), steps: Rows::with_capacity(0, 0), choices: Vec::new() }
    }

    /// Adds the steps of the next row, and where they lead; `is_alike` says which rows have the same constants.
    pub fn add(
        &mut self,
        row: usize,
        (steps, targets): (&[Step], &[usize]),
        is_alike: impl Fn(usize) -> bool,
    ) {
        let known = self.choices.iter().copied().find(|&one| is_alike(one));
        let constants = known.unwrap_or_else(|| {
            self.choices.push(row);
            row
        });
        for (step, &to) in steps.iter().zip(targets) {
            let (action, holes) = (step.action.clone(), step.holes.clone());
            let done = Move { action, holes, vectors: step.vectors.clone(), constants };
            let number = self.moves.insert_full(done).0;
            self.steps.push((MoveId::at(number), LtsState::at(to)));
        }
        self.steps.end_row();
    }

    /// The first of some rows in which a formula does not hold.
    pub fn fails(
        self,
        formula: &Formula,
        interpreter: &Interpreter<'_>,
        begins: &[usize],
        configuration: &dyn Fn(usize) -> Configuration,
    ) -> Result<Option<usize>, NotClosed> {
        let system = FiniteSystem { begins: Vec::new(), steps: self.steps };
        // Where constants say what values there are, each choice of them is looked at by itself.
        let apart = !constants_of_values(interpreter.net(), formula).is_empty();
        let choices = if apart { self.choices.as_slice() } else { &[0] };
        for &only in choices {
            let constants = configuration(only).constants;
            let is_meant = |row: &usize| !apart || configuration(*row).constants == constants;
            let begins: Vec<usize> = begins.iter().copied().filter(is_meant).collect();
            let moves = &self.moves;
            let mut atoms = Listed { formula, interpreter, moves, only, configuration };
            let mut decider = PlainDecider::new(&system, &mut atoms, &formula.fair);
            let set = decider.set(&formula.says, &Vec::new()).map_err(|why| match why {
                Undecided::Gap(gap) => NotClosed::Gap { line: 1, gap },
                why => NotClosed::Formula { why: why.to_string() },
            })?;
            if let Some(row) = begins.into_iter().find(|&row| !set[row]) {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }
}

/// What atoms say, by the plain interpreter.
struct Listed<'l> {
    formula: &'l Formula,
    interpreter: &'l Interpreter<'l>,
    moves: &'l IndexSet<Move, FxBuildHasher>,
    /// A row with the constants that decide about values that no step shows.
    only: usize,
    configuration: &'l dyn Fn(usize) -> Configuration,
}

impl Listed<'_> {
    fn asked(&self, owed: Option<TermId>, says: TermId, given: Bindings) -> Property {
        let mut terms = self.formula.terms.clone();
        let owed = owed.unwrap_or_else(|| terms.bool(true));
        let locations = self.formula.locations.clone();
        Property { terms, owed, reads: Vec::new(), says, locations, given }
    }

    fn of(&self, done: MoveId) -> Result<&Move, Gap> {
        self.moves.get_index(done.index()).ok_or(Gap::Undefined)
    }

    /// Whether a term is true of something that is done.
    fn is(&self, of: &Move, term: TermId, does: &Value, bound: &Bindings) -> Result<bool, Gap> {
        let mut given = bound.clone();
        given.push((self.formula.shown, does.clone()));
        let asked = self.asked(None, term, given);
        Ok(self.interpreter.holds(&(self.configuration)(of.constants), &asked)? == Some(true))
    }
}

impl Atoms for Listed<'_> {
    fn holds(
        &mut self,
        at: LtsState,
        says: &StatePredicate,
        bound: &Bindings,
    ) -> Result<bool, Gap> {
        let asked = self.asked(Some(says.owed), says.says, bound.clone());
        Ok(self.interpreter.holds(&(self.configuration)(at.index()), &asked)? == Some(true))
    }

    fn fits(&mut self, done: MoveId, step: &StepPattern, bound: &Bindings) -> Result<bool, Gap> {
        let of = self.of(done)?;
        match step {
            StepPattern::Shows(term) => self.is(of, *term, &of.action, bound),
            StepPattern::Hole(hole, term) => {
                for (_, does) in of.holes.iter().filter(|(one, _)| one == hole) {
                    if self.is(of, *term, does, bound)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            StepPattern::With(vectors) => Ok(of.vectors.iter().any(|one| vectors.contains(one))),
            _ => Err(Gap::Undefined),
        }
    }

    fn value(
        &mut self,
        done: Option<MoveId>,
        term: TermId,
        bound: &Bindings,
    ) -> Result<Value, Gap> {
        let mut given = bound.clone();
        let mut row = self.only;
        if let Some(done) = done {
            let of = self.of(done)?;
            given.push((self.formula.shown, of.action.clone()));
            row = of.constants;
        }
        let asked = self.asked(None, term, given);
        self.interpreter.value(&(self.configuration)(row), &asked)?.ok_or(Gap::Undefined)
    }

    fn values(&mut self, var: VarId) -> Result<Vec<Value>, Gap> {
        values_of((self.formula, self.interpreter), &(self.configuration)(self.only), var)
    }

    fn needs_hole(&self, done: MoveId) -> bool {
        self.of(done).is_ok_and(|of| !of.holes.is_empty())
    }
}

//! The configurations of a net as a system of which formulas are asked, and what their atoms say in it.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::super::listing::formula::term_of;
use super::values_of;
use crate::algebra::{ConstId, DataId, Sort, TermId, VarId};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::explore::compiled::Compiled;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Constants, Gap, Machine, Property, Step, Value};
use crate::finite::{DoneId, Growing, NotUnfolded, TOGETHER};
use crate::lts::{LtsState, Rows};
use crate::outcome::Extent;
use crate::pnet::{HoleId, PNet, VectorPlace};
use crate::temporal::{
    Atoms, Bindings, FiniteSystem, Formula, Grows, MoveId, PathFormula, StateFormula,
    StatePredicate, StepPattern, Undecided,
};

/// So many configurations are looked at in any case, so that it can be said how many there are.
const FEW: usize = 10_000;

/// What is done in a step, with the vectors that it is made of.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Move {
    action: Value,
    holes: Vec<(HoleId, Value)>,
    /// Which values symbolic constants have.
    choice: usize,
    vectors: Vec<VectorPlace>,
}

type Ready = <Compiled<'static> as Machine>::Property;

/// A net of which configurations are met as somebody goes, and what atoms say of them.
pub(super) struct System<'u, 'n> {
    grown: Growing<'u, 'n>,
    formula: &'u Formula,
    interpreter: &'u Interpreter<'u>,
    /// The moves, where somebody asks by which vectors steps are made; otherwise what is done and a choice of constants are one.
    moves: Option<IndexSet<Move, FxBuildHasher>>,
    /// Where the steps of each configuration begin, and how many there are, once they were made.
    rows: Vec<(u32, u32)>,
    steps: Vec<(MoveId, LtsState)>,
    opened: usize,
    /// The steps of all configurations before this one were made.
    first_closed: usize,
    /// Configurations with more steps, perhaps, with values that are not tried.
    limited: FxHashSet<LtsState>,
    /// A configuration for each choice of constants.
    first: Vec<Configuration>,
    /// The choice of constants that decides about values that no step shows.
    only: usize,
    /// For each configuration in which it begins, the choice of constants there.
    choices: Vec<usize>,
    /// Why it could not be gone on.
    failed: Option<NotUnfolded>,
    row: Vec<(DoneId, LtsState)>,
    words: Vec<u64>,
    scratch: <Compiled<'n> as Machine>::Scratch,
    ready: FxHashMap<(StatePredicate, Bindings), Option<Ready>>,
    fitting: FxHashMap<(MoveId, StepPattern, Bindings), bool>,
}

/// The steps of a configuration were not made.
const CLOSED: (u32, u32) = (u32::MAX, 0);

impl<'u, 'n> System<'u, 'n> {
    pub fn new(
        grown: Growing<'u, 'n>,
        formula: &'u Formula,
        interpreter: &'u Interpreter<'u>,
    ) -> System<'u, 'n> {
        let mut different: IndexSet<Constants, FxBuildHasher> = IndexSet::default();
        let (mut choices, mut first) = (Vec::new(), Vec::new());
        for (constants, at) in grown.begins() {
            let (choice, is_new) = different.insert_full(constants.clone());
            choices.push(choice);
            first.extend(grown.configuration(*at).filter(|_| is_new));
        }
        let scratch = grown.machine().scratch();
        System {
            grown,
            formula,
            interpreter,
            moves: names_vectors(formula).then(IndexSet::default),
            rows: Vec::new(),
            steps: Vec::new(),
            opened: 0,
            first_closed: 0,
            limited: FxHashSet::default(),
            first,
            only: 0,
            choices,
            failed: None,
            row: Vec::new(),
            words: Vec::new(),
            scratch,
            ready: FxHashMap::default(),
            fitting: FxHashMap::default(),
        }
    }

    /// Whether constants say what values there are for what the formula binds, so that each choice of them is looked at by itself.
    pub fn is_apart(&self) -> bool {
        let values = constants_of_values(self.interpreter.net(), self.formula);
        self.first.len() > 1 && !values.is_empty()
    }

    /// The configurations in which the net begins, for each choice of constants; all together, where the formula has the same
    /// values for all of them.
    pub fn begins_by_choice(&self) -> Vec<Vec<LtsState>> {
        let apart = self.is_apart();
        let mut found = vec![Vec::new(); if apart { self.first.len() } else { 1 }];
        for ((_, at), &choice) in self.grown.begins().iter().zip(&self.choices) {
            found[if apart { choice } else { 0 }].push(*at);
        }
        found
    }

    /// Has one choice of constants decide about values that no step shows.
    pub fn choose(&mut self, choice: usize) {
        self.only = choice;
    }

    /// How much was looked at.
    pub fn extent(&self) -> Extent {
        Extent {
            states: self.grown.len() as u64,
            transitions: self.grown.steps(),
            depth: 0,
            reduced: !self.is_whole(),
        }
    }

    /// Whether the steps of all configurations that were met were made.
    fn is_whole(&self) -> bool {
        self.opened == self.grown.len()
    }

    /// Whether not all values were tried somewhere.
    pub fn is_limited(&self) -> bool {
        self.grown.is_limited() || !self.limited.is_empty()
    }

    /// Whether not all values were tried in a configuration.
    pub fn is_limited_at(&self, at: LtsState) -> bool {
        self.limited.contains(&at)
    }

    /// A configuration as data.
    pub fn configuration(&self, at: LtsState) -> Option<Configuration> {
        self.grown.configuration(at)
    }

    /// Why it could not be gone on.
    pub fn failed(&mut self) -> Option<NotUnfolded> {
        self.failed.take()
    }

    /// Makes the steps of all configurations, if there are not many more than were met.
    pub fn complete(&mut self) {
        let most = (2 * self.grown.len()).max(FEW);
        while !self.is_whole() && self.grown.len() <= most {
            if self.make_next(TOGETHER, self.grown.len()).is_err() {
                return;
            }
        }
    }

    /// All configurations, and the steps between them, if none is farther away than so many steps.
    pub fn whole(&mut self, most_depth: u64) -> Result<FiniteSystem, Undecided> {
        // They are numbered level by level.
        let (mut at, mut depth, mut level_end) = (0, 0, self.grown.len());
        while at < self.grown.len() {
            if at == level_end {
                (depth, level_end) = (depth + 1, self.grown.len());
            }
            if depth > most_depth {
                self.failed = Some(NotUnfolded::TooMany { most: at as u64 });
                return Err(Undecided::TooMany);
            }
            self.grow_to(TOGETHER, level_end)?;
            at = self.first_closed;
        }
        let begins = self.grown.begins().iter().map(|(_, at)| *at).collect();
        // Rows were made one after the other.
        let starts = self.rows.iter().map(|row| row.0).chain([self.steps.len() as u32]).collect();
        let steps = Rows::of(starts, std::mem::take(&mut self.steps));
        Ok(FiniteSystem { begins, steps })
    }

    /// Whether a step of the plain interpreter is such a one.
    pub fn is(&self, done: MoveId, step: &Step) -> bool {
        match &self.moves {
            Some(moves) => moves.get_index(done.index()).is_some_and(|of| {
                (&of.action, &of.holes, &of.vectors) == (&step.action, &step.holes, &step.vectors)
            }),
            None => self.done(done).is_some_and(|(action, holes)| {
                (action, holes) == (&step.action, step.holes.as_slice())
            }),
        }
    }

    /// What is shown, and what holes do.
    fn done(&self, done: MoveId) -> Option<(&Value, &[(HoleId, Value)])> {
        if let Some(moves) = &self.moves {
            return moves.get_index(done.index()).map(|of| (&of.action, of.holes.as_slice()));
        }
        let (action, holes) = self.grown.done(DoneId::at(done.index() / self.first.len()))?;
        Some((action, holes))
    }

    /// Makes the steps of so many more configurations, those that were met first, of the ones before a number.
    fn make_next(&mut self, many: usize, end: usize) -> Result<(), NotUnfolded> {
        let mut next = Vec::with_capacity(many.min(TOGETHER));
        while self.first_closed < end && next.len() < many {
            let at = LtsState::at(self.first_closed);
            if !self.is_open(at) {
                next.push(at);
            }
            self.first_closed += 1;
        }
        // By which vectors steps are made is asked of one configuration after the other.
        if self.moves.is_some() {
            return next.into_iter().try_for_each(|at| self.make_steps(at));
        }
        let many = self.first.len();
        let (choices, steps, rows) = (&self.choices, &mut self.steps, &mut self.rows);
        let choice = |at: LtsState| choices.get(at.index()).copied().unwrap_or(0);
        let choices_of: Vec<usize> =
            next.iter().map(|&at| choice(LtsState::at(self.grown.root(at)))).collect();
        let (mut place, limited_at) = (0, &mut self.limited);
        self.grown.open_all(&next, &mut |at, row, limited| {
            let start = steps.len() as u32;
            let choice = choices_of[place];
            steps.extend(
                row.iter().map(|&(done, to)| (MoveId::at(done.index() * many + choice), to)),
            );
            if rows.len() <= at.index() {
                rows.resize(at.index() + 1, CLOSED);
            }
            rows[at.index()] = (start, steps.len() as u32 - start);
            if limited {
                limited_at.insert(at);
            }
            place += 1;
        })?;
        self.opened += next.len();
        Ok(())
    }

    fn grow_to(&mut self, many: usize, end: usize) -> Result<(), Undecided> {
        self.make_next(many, end).map_err(|why| self.told(why))
    }

    /// Why steps are not made, as those are told who decide formulas.
    fn told(&mut self, why: NotUnfolded) -> Undecided {
        let told = match &why {
            NotUnfolded::Gap(gap) => Undecided::Gap(gap.clone()),
            NotUnfolded::Spent(_) => Undecided::Stopped,
            _ => Undecided::TooMany,
        };
        self.failed = Some(why);
        told
    }

    fn is_open(&self, at: LtsState) -> bool {
        self.rows.get(at.index()).is_some_and(|row| *row != CLOSED)
    }

    /// Makes the steps of a configuration.
    fn make_steps(&mut self, at: LtsState) -> Result<(), NotUnfolded> {
        let mut row = std::mem::take(&mut self.row);
        let limited = self.grown.open(at, &mut row)?;
        let start = self.steps.len() as u32;
        let choice = self.choices.get(self.grown.root(at)).copied().unwrap_or(0);
        match self.moves.is_some() {
            true => self.make_with_vectors(at, &row, choice)?,
            false => {
                let many = self.first.len();
                let step = |&(done, to): &(DoneId, LtsState)| {
                    (MoveId::at(done.index() * many + choice), to)
                };
                self.steps.extend(row.iter().map(step));
            }
        }
        if limited {
            self.limited.insert(at);
        }
        if self.rows.len() < self.grown.len() {
            self.rows.resize(self.grown.len(), CLOSED);
        }
        self.rows[at.index()] = (start, self.steps.len() as u32 - start);
        self.opened += 1;
        self.row = row;
        Ok(())
    }

    /// The steps with the vectors that they are made of, as the plain interpreter makes them.
    fn make_with_vectors(
        &mut self,
        at: LtsState,
        row: &[(DoneId, LtsState)],
        choice: usize,
    ) -> Result<(), Gap> {
        let mut targets: FxHashMap<Configuration, LtsState> = FxHashMap::default();
        for (_, to) in row {
            targets.extend(self.grown.configuration(*to).map(|one| (one, *to)));
        }
        let configuration = self.grown.configuration(at).ok_or(Gap::Undefined)?;
        for step in self.interpreter.steps(&configuration)?.steps {
            let Some(to) = targets.get(&step.target) else { continue };
            let Step { action, holes, vectors, .. } = step;
            let of = Move { action, holes, choice, vectors };
            if let Some(moves) = &mut self.moves {
                self.steps.push((MoveId::at(moves.insert_full(of).0), *to));
            }
        }
        Ok(())
    }

    fn asked(&self, (owed, says): (Option<TermId>, TermId), given: Bindings) -> Property {
        let mut terms = self.formula.terms.clone();
        let owed = owed.unwrap_or_else(|| terms.bool(true));
        let locations = self.formula.locations.clone();
        Property { terms, owed, reads: Vec::new(), says, locations, given }
    }

    /// A predicate with values for what was bound; nothing where a value is no term.
    fn with_values(&self, says: &StatePredicate, bound: &Bindings) -> Option<Property> {
        let mut asked = self.asked((Some(says.owed), says.says), Vec::new());
        let mut values = FxHashMap::default();
        for (var, value) in bound {
            values.insert(*var, term_of(&mut asked.terms, value)?);
        }
        asked.owed = asked.terms.substitute(says.owed, &values);
        asked.says = asked.terms.substitute(says.says, &values);
        Some(asked)
    }

    /// A configuration in which constants have the values with which something is done.
    fn at(&self, done: MoveId) -> Result<&Configuration, Gap> {
        let choice = match &self.moves {
            Some(moves) => moves.get_index(done.index()).map_or(0, |of| of.choice),
            None => done.index() % self.first.len().max(1),
        };
        self.first.get(choice).ok_or(Gap::Undefined)
    }

    /// A predicate that is ready to be asked; nothing where only the plain interpreter can be asked.
    fn make_ready(&self, says: &StatePredicate, bound: &Bindings) -> Result<Option<Ready>, Gap> {
        // The net that was made ready to run knows no names that were bound: it gets what they stand for.
        let Some(asked) = self.with_values(says, bound) else { return Ok(None) };
        match self.grown.machine().property(&asked) {
            Ok(ready) => Ok(Some(ready)),
            Err(Gap::Stopped) => Err(Gap::Stopped),
            Err(_) => Ok(None),
        }
    }

    fn is_so(
        &mut self,
        at: LtsState,
        (says, ready): (&StatePredicate, Option<&Ready>),
        bound: &Bindings,
    ) -> Result<bool, Gap> {
        let Some(ready) = ready else {
            let asked = self.asked((Some(says.owed), says.says), bound.clone());
            let at = self.configuration(at).ok_or(Gap::Undefined)?;
            return Ok(self.interpreter.holds(&at, &asked)? == Some(true));
        };
        if !self.grown.read(at, &mut self.words) {
            return Err(Gap::Undefined);
        }
        let machine = self.grown.machine();
        Ok(machine.holds(&mut self.scratch, ready, &self.words)? == Some(true))
    }
}

impl Atoms for System<'_, '_> {
    fn holds(
        &mut self,
        at: LtsState,
        says: &StatePredicate,
        bound: &Bindings,
    ) -> Result<bool, Gap> {
        let key = (*says, bound.clone());
        let ready = match self.ready.remove(&key) {
            Some(ready) => ready,
            None => self.make_ready(says, bound)?,
        };
        let is = self.is_so(at, (says, ready.as_ref()), bound);
        self.ready.insert(key, ready);
        is
    }

    fn holds_where(
        &mut self,
        states: usize,
        says: &StatePredicate,
    ) -> Result<Vec<bool>, Undecided> {
        let bound = Bindings::new();
        let ready = self.make_ready(says, &bound)?;
        let mut found = Vec::with_capacity(states);
        for at in 0..states {
            if at.is_multiple_of(1024) && is_spent() {
                return Err(Undecided::Stopped);
            }
            found.push(self.is_so(LtsState::at(at), (says, ready.as_ref()), &bound)?);
        }
        Ok(found)
    }

    fn fits(&mut self, done: MoveId, step: &StepPattern, bound: &Bindings) -> Result<bool, Gap> {
        let key = (done, step.clone(), bound.clone());
        if let Some(known) = self.fitting.get(&key) {
            return Ok(*known);
        }
        let (action, holes) = self.done(done).ok_or(Gap::Undefined)?;
        let fits = |term: TermId, action: Value| -> Result<bool, Gap> {
            let mut given = bound.clone();
            given.push((self.formula.shown, action));
            let asked = self.asked((None, term), given);
            Ok(self.interpreter.holds(self.at(done)?, &asked)? == Some(true))
        };
        let is = match step {
            StepPattern::Shows(term) => fits(*term, action.clone())?,
            StepPattern::Hole(hole, term) => {
                let mut is = false;
                for (_, does) in holes.iter().filter(|(one, _)| one == hole) {
                    is |= fits(*term, does.clone())?;
                }
                is
            }
            StepPattern::With(vectors) => {
                let of = self.moves.as_ref().and_then(|moves| moves.get_index(done.index()));
                let of = of.ok_or(Gap::Undefined)?;
                of.vectors.iter().any(|one| vectors.contains(one))
            }
            _ => return Err(Gap::Undefined),
        };
        self.fitting.insert(key, is);
        Ok(is)
    }

    fn value(
        &mut self,
        done: Option<MoveId>,
        term: TermId,
        bound: &Bindings,
    ) -> Result<Value, Gap> {
        let mut given = bound.clone();
        let at = match done {
            Some(done) => {
                let (action, _) = self.done(done).ok_or(Gap::Undefined)?;
                given.push((self.formula.shown, action.clone()));
                self.at(done)?
            }
            None => self.first.get(self.only).ok_or(Gap::Undefined)?,
        };
        let asked = self.asked((None, term), given);
        self.interpreter.value(at, &asked)?.ok_or(Gap::Undefined)
    }

    fn values(&mut self, var: VarId) -> Result<Vec<Value>, Gap> {
        let at = self.first.get(self.only).ok_or(Gap::Undefined)?;
        values_of((self.formula, self.interpreter), at, var)
    }

    fn needs_hole(&self, done: MoveId) -> bool {
        self.done(done).is_some_and(|(_, holes)| !holes.is_empty())
    }
}

impl Grows for System<'_, '_> {
    fn begins(&self) -> Vec<LtsState> {
        self.grown.begins().iter().map(|(_, at)| *at).collect()
    }

    fn open(&mut self, at: LtsState) -> Result<(), Undecided> {
        match self.is_open(at) {
            true => Ok(()),
            false => self.make_steps(at).map_err(|why| self.told(why)),
        }
    }

    fn grow(&mut self, many: usize) -> Result<bool, Undecided> {
        let mut made = 0;
        while made < many && !self.is_whole() {
            let (before, some) = (self.opened, (many - made).min(TOGETHER));
            self.grow_to(some, self.grown.len())?;
            made += self.opened - before;
        }
        Ok(self.is_whole())
    }

    fn row(&self, at: LtsState) -> &[(MoveId, LtsState)] {
        let (start, many) = self.rows.get(at.index()).copied().unwrap_or((0, 0));
        self.steps.get(start as usize..(start.saturating_add(many)) as usize).unwrap_or_default()
    }

    fn atoms(&mut self) -> &mut dyn Atoms {
        self
    }
}

/// Whether somebody asks by which vectors steps are made.
fn names_vectors(formula: &Formula) -> bool {
    let mut steps = formula.fair.iter().map(|fair| &fair.step);
    steps.any(StepPattern::names_vectors)
        || formula.says.any(&mut |part| part.steps().into_iter().any(StepPattern::names_vectors))
}

/// The symbolic constants that a formula speaks of.
pub(in crate::verify) fn constants(net: &PNet, formula: &Formula) -> FxHashSet<ConstId> {
    let mut terms: Vec<TermId> = Vec::new();
    for fair in &formula.fair {
        step_terms(&fair.step, &mut terms);
    }
    formula.says.any(&mut |part| {
        match part {
            StateFormula::Holds(says) => terms.extend([says.owed, says.says]),
            StateFormula::Box(one) | StateFormula::Diamond(one) => {
                step_terms(&one.step, &mut terms);
            }
            StateFormula::Path(_, path) => path_terms(path, &mut terms),
            _ => {}
        }
        false
    });
    let mut found = constants_of_values(net, formula);
    found.extend(constants_in(net, formula, &terms));
    found
}

/// The symbolic constants that say what values there are for what a formula binds: in the bounds of sorts, and in the values
/// of parameters.
pub(in crate::verify) fn constants_of_values(net: &PNet, formula: &Formula) -> FxHashSet<ConstId> {
    let (mut terms, mut vars) = (Vec::new(), Vec::new());
    formula.says.any(&mut |part| {
        match part {
            StateFormula::Forall(bound, _) | StateFormula::Exists(bound, _) => vars.extend(bound),
            StateFormula::Fix { params, .. } => terms.extend(params.iter().map(|one| one.1)),
            StateFormula::Again(_, values) => terms.extend(values),
            StateFormula::Path(_, path) => bound_on_runs(path, &mut vars),
            _ => {}
        }
        false
    });
    let mut found = Vec::new();
    for var in vars {
        bounds(net, &formula.terms.var(var).sort, &mut terms, &mut found);
    }
    constants_in(net, formula, &terms)
}

fn bound_on_runs(path: &PathFormula, vars: &mut Vec<VarId>) {
    if let PathFormula::Forall(bound, _) | PathFormula::Exists(bound, _) = path {
        vars.extend(bound);
    }
    path.inside().into_iter().for_each(|inner| bound_on_runs(inner, vars));
}

/// The bounds of the ranges in a sort.
fn bounds(net: &PNet, sort: &Sort, terms: &mut Vec<TermId>, found: &mut Vec<DataId>) {
    match sort {
        Sort::Range(low, high) => terms.extend([*low, *high]),
        Sort::Array(both) => {
            bounds(net, &both.0, terms, found);
            bounds(net, &both.1, terms, found);
        }
        Sort::Data(id) if !found.contains(id) => {
            found.push(*id);
            let constructors = net.algebra.datatypes[id.index()].constructors.iter();
            let fields = constructors.flat_map(|one| one.fields.iter());
            fields.for_each(|(_, sort)| bounds(net, sort, terms, found));
        }
        _ => {}
    }
}

fn constants_in(net: &PNet, formula: &Formula, terms: &[TermId]) -> FxHashSet<ConstId> {
    let mut found = FxHashSet::default();
    for &says in terms {
        let property = Property {
            terms: formula.terms.clone(),
            owed: says,
            reads: Vec::new(),
            says,
            locations: Vec::new(),
            given: Vec::new(),
        };
        found.extend(property.constants(&net.algebra));
    }
    found
}

fn path_terms(path: &PathFormula, found: &mut Vec<TermId>) {
    for step in path.steps() {
        step_terms(step, found);
    }
}

fn step_terms(step: &StepPattern, found: &mut Vec<TermId>) {
    match step {
        StepPattern::Shows(term) | StepPattern::Hole(_, term) => found.push(*term),
        StepPattern::Not(inner) => step_terms(inner, found),
        StepPattern::And(parts) | StepPattern::Or(parts) => {
            parts.iter().for_each(|part| step_terms(part, found));
        }
        StepPattern::Any | StepPattern::With(_) => {}
    }
}

//! All configurations of a net as a system of which formulas are asked, and what their atoms say in it.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::super::listing::formula::term_of;
use super::values_of;
use crate::algebra::{ConstId, DataId, Sort, TermId, VarId};
use crate::base::{Id, IndexVec};
use crate::explore::compiled::Compiled;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Constants, Gap, Machine, Property, Step, Value};
use crate::finite::Unfolded;
use crate::lts::{LtsState, Rows};
use crate::pnet::{HoleId, PNet, VectorPlace};
use crate::temporal::{
    Atoms, Bindings, FiniteSystem, Formula, MoveId, PathFormula, StateFormula, StatePredicate,
    StepPattern,
};

/// What is done in a step.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Move {
    action: Value,
    holes: Vec<(HoleId, Value)>,
    /// Which values symbolic constants have.
    constants: usize,
    /// The vectors that it is made of, where somebody asks.
    vectors: Vec<VectorPlace>,
}

type Ready = <Compiled<'static> as Machine>::Property;

/// A net of which everything is known.
pub(super) struct System<'u, 'n> {
    unfolded: &'u Unfolded<'u, 'n>,
    formula: &'u Formula,
    interpreter: &'u Interpreter<'u>,
    moves: IndexVec<MoveId, Move>,
    steps: Rows<LtsState, (MoveId, LtsState)>,
    /// A configuration for each choice of constants.
    first: Vec<Configuration>,
    /// The choice of constants that decides about values that no step shows.
    only: usize,
    /// The choice with which each configuration in which the net begins does so.
    begins: Vec<usize>,
    scratch: <Compiled<'n> as Machine>::Scratch,
    ready: FxHashMap<(StatePredicate, Bindings), Option<Ready>>,
    fitting: FxHashMap<(MoveId, StepPattern, Bindings), bool>,
}

impl<'u, 'n> System<'u, 'n> {
    pub fn new(
        unfolded: &'u Unfolded<'u, 'n>,
        formula: &'u Formula,
        interpreter: &'u Interpreter<'u>,
    ) -> Result<System<'u, 'n>, Gap> {
        let mut choices: IndexSet<Constants, FxBuildHasher> = IndexSet::default();
        let begins: Vec<usize> = unfolded
            .begins
            .iter()
            .map(|(constants, _)| choices.insert_full(constants.clone()).0)
            .collect();
        let constants = constants_of(unfolded, &begins, choices.len());
        let mut first = vec![None; choices.len()];
        for ((_, at), choice) in unfolded.begins.iter().zip(&begins) {
            first[*choice] = first[*choice].take().or_else(|| unfolded.configuration(*at));
        }
        let mut moves: IndexSet<Move, FxBuildHasher> = IndexSet::default();
        let steps = match names_vectors(formula) {
            true => with_vectors(unfolded, interpreter, &constants, &mut moves)?,
            false => without_vectors(unfolded, &constants, choices.len(), &mut moves),
        };
        Ok(System {
            unfolded,
            formula,
            interpreter,
            moves: moves.into_iter().collect(),
            steps,
            first: first.into_iter().flatten().collect(),
            only: 0,
            begins,
            scratch: unfolded.machine().scratch(),
            ready: FxHashMap::default(),
            fitting: FxHashMap::default(),
        })
    }

    /// The choices of constants, each with the configurations in which the net begins with it; all together, where the
    /// formula has the same values for all of them.
    pub fn choices(&self) -> Vec<Vec<LtsState>> {
        let begins = self.unfolded.begins.iter().map(|(_, at)| *at).zip(&self.begins);
        let apart = !constants_of_values(self.interpreter.net(), self.formula).is_empty();
        let mut found = vec![Vec::new(); if apart { self.first.len() } else { 1 }];
        for (at, &choice) in begins {
            found[if apart { choice } else { 0 }].push(at);
        }
        found
    }

    /// Has one choice of constants decide about values that no step shows.
    pub fn choose(&mut self, choice: usize) {
        self.only = choice;
    }

    /// The steps.
    pub fn explicit(&mut self) -> FiniteSystem {
        let begins = self.unfolded.begins.iter().map(|(_, at)| *at).collect();
        let steps = std::mem::replace(&mut self.steps, Rows::with_capacity(0, 0));
        FiniteSystem { begins, steps }
    }

    /// Whether a step of the plain interpreter is such a one.
    pub fn is(&self, done: MoveId, step: &Step) -> bool {
        let of = &self.moves[done];
        of.action == step.action
            && of.holes == step.holes
            && (of.vectors.is_empty() || of.vectors == step.vectors)
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

    fn at(&self, done: MoveId) -> Result<&Configuration, Gap> {
        self.first.get(self.moves[done].constants).ok_or(Gap::Undefined)
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
        if !self.ready.contains_key(&key) {
            // The net that was made ready to run knows no names that were bound: it gets what they stand for.
            let ready = match self.with_values(says, bound) {
                Some(asked) => match self.unfolded.machine().property(&asked) {
                    Ok(ready) => Some(ready),
                    Err(Gap::Stopped) => return Err(Gap::Stopped),
                    Err(_) => None,
                },
                None => None,
            };
            self.ready.insert(key.clone(), ready);
        }
        match &self.ready[&key] {
            Some(ready) => {
                let packed = self.unfolded.packed(at).ok_or(Gap::Undefined)?;
                let machine = self.unfolded.machine();
                Ok(machine.holds(&mut self.scratch, ready, &packed)? == Some(true))
            }
            None => {
                let asked = self.asked((Some(says.owed), says.says), bound.clone());
                let at = self.unfolded.configuration(at).ok_or(Gap::Undefined)?;
                Ok(self.interpreter.holds(&at, &asked)? == Some(true))
            }
        }
    }

    fn fits(&mut self, done: MoveId, step: &StepPattern, bound: &Bindings) -> Result<bool, Gap> {
        let key = (done, step.clone(), bound.clone());
        if let Some(known) = self.fitting.get(&key) {
            return Ok(*known);
        }
        let of = self.moves[done].clone();
        let fits = |term: TermId, action: Value| -> Result<bool, Gap> {
            let mut given = bound.clone();
            given.push((self.formula.shown, action));
            let asked = self.asked((None, term), given);
            Ok(self.interpreter.holds(self.at(done)?, &asked)? == Some(true))
        };
        let is = match step {
            StepPattern::Shows(term) => fits(*term, of.action)?,
            StepPattern::Hole(hole, term) => {
                let mut is = false;
                for (_, does) in of.holes.into_iter().filter(|(one, _)| one == hole) {
                    is |= fits(*term, does)?;
                }
                is
            }
            StepPattern::With(vectors) => of.vectors.iter().any(|one| vectors.contains(one)),
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
                given.push((self.formula.shown, self.moves[done].action.clone()));
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
        !self.moves[done].holes.is_empty()
    }
}

/// Which values symbolic constants have in each configuration, where there are several choices.
fn constants_of(unfolded: &Unfolded<'_, '_>, begins: &[usize], choices: usize) -> Vec<usize> {
    if choices <= 1 {
        return Vec::new();
    }
    let mut known = vec![usize::MAX; unfolded.states()];
    let mut work: Vec<LtsState> = Vec::new();
    for ((_, at), choice) in unfolded.begins.iter().zip(begins) {
        known[at.index()] = *choice;
        work.push(*at);
    }
    while let Some(at) = work.pop() {
        for (_, to) in unfolded.steps.row(at) {
            if known[to.index()] == usize::MAX {
                known[to.index()] = known[at.index()];
                work.push(*to);
            }
        }
    }
    known
}

fn without_vectors(
    unfolded: &Unfolded<'_, '_>,
    constants: &[usize],
    choices: usize,
    moves: &mut IndexSet<Move, FxBuildHasher>,
) -> Rows<LtsState, (MoveId, LtsState)> {
    let choices = choices.max(1);
    // What is done has the same number for each choice of constants.
    for (action, holes) in unfolded.done.iter() {
        for choice in 0..choices {
            let (action, holes) = (action.clone(), holes.clone());
            moves.insert(Move { action, holes, constants: choice, vectors: Vec::new() });
        }
    }
    let mut steps = Rows::with_capacity(unfolded.states(), unfolded.steps.items());
    for at in unfolded.ids() {
        let choice = constants.get(at.index()).copied().unwrap_or(0);
        for (done, to) in unfolded.steps.row(at) {
            steps.push((MoveId::at(done.index() * choices + choice), *to));
        }
        steps.end_row();
    }
    steps
}

/// The steps with the vectors that they are made of, as the plain interpreter makes them.
fn with_vectors(
    unfolded: &Unfolded<'_, '_>,
    interpreter: &Interpreter<'_>,
    constants: &[usize],
    moves: &mut IndexSet<Move, FxBuildHasher>,
) -> Result<Rows<LtsState, (MoveId, LtsState)>, Gap> {
    let mut numbers: FxHashMap<Configuration, LtsState> = FxHashMap::default();
    for at in unfolded.ids() {
        numbers.extend(unfolded.configuration(at).map(|configuration| (configuration, at)));
    }
    let mut steps = Rows::with_capacity(unfolded.states(), unfolded.steps.items());
    for at in unfolded.ids() {
        let configuration = unfolded.configuration(at).ok_or(Gap::Undefined)?;
        let choice = constants.get(at.index()).copied().unwrap_or(0);
        for step in interpreter.steps(&configuration)?.steps {
            let Some(to) = numbers.get(&step.target) else { continue };
            let Step { action, holes, vectors, .. } = step;
            let of = Move { action, holes, constants: choice, vectors };
            steps.push((MoveId::at(moves.insert_full(of).0), *to));
        }
        steps.end_row();
    }
    Ok(steps)
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

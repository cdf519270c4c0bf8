//! What formulas are decided on: a finite system of which everything is known, or one that is gone through as far as somebody
//! has to.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::explicit::{Atoms, Bindings, FiniteSystem, MoveId, Undecided, fits};
use super::formula::{FairPattern, Modality, PathFormula, Runs, StateFormula, StepPattern};
use super::linear::{Lasso, Runner};
use super::modal::{extended, with_values};
use crate::base::budget::is_spent;
use crate::lts::LtsState;

/// A system that is made as somebody goes.
pub trait Grows {
    /// Where it begins.
    fn begins(&self) -> Vec<LtsState>;

    /// Makes the steps of a configuration.
    fn open(&mut self, at: LtsState) -> Result<(), Undecided>;

    /// The steps of a configuration, once they were made.
    fn row(&self, at: LtsState) -> &[(MoveId, LtsState)];

    /// What atoms say.
    fn atoms(&mut self) -> &mut dyn Atoms;

    /// Makes the steps of so many more configurations, those that were met first; whether those of all are made.
    fn grow(&mut self, many: usize) -> Result<bool, Undecided>;
}

/// A system of which it is asked whether formulas hold somewhere.
pub(super) trait Ground {
    fn begins(&self) -> Vec<LtsState>;
    fn open(&mut self, at: LtsState) -> Result<(), Undecided>;
    fn row(&self, at: LtsState) -> &[(MoveId, LtsState)];
    fn atoms(&mut self) -> &mut dyn Atoms;

    /// Which runs count.
    fn fair(&self) -> &[FairPattern];

    /// Whether all of it is known, so that it costs nothing to see more.
    fn is_whole(&self) -> bool {
        false
    }

    /// Makes the steps of so many more configurations, those that were met first; whether those of all are made.
    fn grow(&mut self, many: usize) -> Result<bool, Undecided>;

    /// Whether a formula holds in a configuration.
    fn is(
        &mut self,
        at: LtsState,
        formula: &StateFormula,
        bound: &Bindings,
    ) -> Result<bool, Undecided>;

    /// Whether a formula holds in each configuration in which the system begins.
    fn at_first(&mut self, formula: &StateFormula) -> Result<Vec<bool>, Undecided>;

    /// A run from a configuration that is as is said, or, with `not`, that is not; nothing where there is none.
    fn run(
        &mut self,
        at: LtsState,
        says: (&PathFormula, bool),
        bound: &Bindings,
    ) -> Result<Option<Lasso>, Undecided>;

    /// Whether a run may end in a configuration: every step that is possible needs a hole.
    fn may_end(&mut self, at: LtsState) -> Result<bool, Undecided> {
        self.open(at)?;
        for place in 0..self.row(at).len() {
            let done = self.row(at)[place].0;
            if !self.atoms().needs_hole(done) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Grows for (&FiniteSystem, &mut dyn Atoms) {
    fn begins(&self) -> Vec<LtsState> {
        self.0.begins.clone()
    }

    fn open(&mut self, _: LtsState) -> Result<(), Undecided> {
        Ok(())
    }

    fn row(&self, at: LtsState) -> &[(MoveId, LtsState)] {
        self.0.steps.row(at)
    }

    fn atoms(&mut self) -> &mut dyn Atoms {
        self.1
    }

    fn grow(&mut self, _: usize) -> Result<bool, Undecided> {
        Ok(true)
    }
}

/// What is said of runs, and whether its opposite is meant, with what is bound around it.
type Said = (PathFormula, bool, Bindings);

/// Decides formulas on a system that is made on the way: those for which one configuration after the other is enough.
pub struct Walk<'a> {
    grows: &'a mut dyn Grows,
    fair: &'a [FairPattern],
    runners: FxHashMap<Said, Runner>,
    runs: FxHashMap<(Said, LtsState), Option<Lasso>>,
    whole: bool,
    /// The modalities with others inside that were asked for, by numbers.
    modalities: IndexSet<Modality, FxBuildHasher>,
    /// What is known of them.
    known: FxHashMap<(usize, bool, LtsState, Bindings), bool>,
}

impl<'a> Walk<'a> {
    /// Somebody who decides formulas of a system, where runs count that are fair.
    pub fn new(grows: &'a mut dyn Grows, fair: &'a [FairPattern]) -> Walk<'a> {
        let (runners, runs, known) = Default::default();
        let modalities = IndexSet::default();
        Walk { grows, fair, runners, runs, whole: false, modalities, known }
    }

    /// Whether a formula can be decided in this way: it has no fixpoints, and what it says of runs is not about the runs that
    /// begin elsewhere on them.
    pub fn decides(formula: &StateFormula) -> bool {
        let is_local = |formula: &StateFormula| {
            !formula.any(&mut |part| {
                let fix = matches!(part, StateFormula::Fix { .. } | StateFormula::Again(..));
                fix || matches!(part, StateFormula::Path(..))
            })
        };
        match formula {
            StateFormula::Fix { .. } | StateFormula::Again(..) => false,
            StateFormula::Path(_, path) => path.states().into_iter().all(is_local),
            other => other.inside().into_iter().all(Walk::decides),
        }
    }

    /// What is said of steps. Where more is said of steps behind them, there are many ways to one configuration, so that what is
    /// found is kept.
    fn steps(
        &mut self,
        at: LtsState,
        (modality, all): (&Modality, bool),
        bound: &Bindings,
    ) -> Result<bool, Undecided> {
        if !modality.then.speaks_of_steps() {
            return self.each_step(at, (modality, all), bound);
        }
        let number = match self.modalities.get_index_of(modality) {
            Some(known) => known,
            None => self.modalities.insert_full(modality.clone()).0,
        };
        let key = (number, all, at, bound.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        if is_spent() {
            return Err(Undecided::Stopped);
        }
        let found = self.each_step(at, (modality, all), bound)?;
        self.known.insert(key, found);
        Ok(found)
    }

    fn each_step(
        &mut self,
        at: LtsState,
        (modality, all): (&Modality, bool),
        bound: &Bindings,
    ) -> Result<bool, Undecided> {
        self.open(at)?;
        // Of any step, and whatever comes then, it is enough whether there is one.
        if let (StepPattern::Any, Some(then)) = (&modality.step, modality.then.truth()) {
            return Ok(if self.row(at).is_empty() { all } else { then });
        }
        for place in 0..self.row(at).len() {
            let (done, to) = self.row(at)[place];
            if !fits(self.atoms(), done, &modality.step, bound)? {
                continue;
            }
            let with = with_values(self.atoms(), bound, Some(done), &modality.binds)?;
            if self.is(to, &modality.then, &with)? != all {
                return Ok(!all);
            }
        }
        Ok(all)
    }

    /// Whether all parts hold, or one of them does.
    fn several(
        &mut self,
        at: LtsState,
        (parts, all): (&[StateFormula], bool),
        bound: &Bindings,
    ) -> Result<bool, Undecided> {
        for part in parts {
            if self.is(at, part, bound)? != all {
                return Ok(!all);
            }
        }
        Ok(all)
    }
}

impl Ground for Walk<'_> {
    fn begins(&self) -> Vec<LtsState> {
        self.grows.begins()
    }

    fn open(&mut self, at: LtsState) -> Result<(), Undecided> {
        self.grows.open(at)
    }

    fn row(&self, at: LtsState) -> &[(MoveId, LtsState)] {
        self.grows.row(at)
    }

    fn atoms(&mut self) -> &mut dyn Atoms {
        self.grows.atoms()
    }

    fn fair(&self) -> &[FairPattern] {
        self.fair
    }

    fn is_whole(&self) -> bool {
        self.whole
    }

    fn grow(&mut self, many: usize) -> Result<bool, Undecided> {
        self.whole = self.grows.grow(many)?;
        Ok(self.whole)
    }

    fn is(
        &mut self,
        at: LtsState,
        formula: &StateFormula,
        bound: &Bindings,
    ) -> Result<bool, Undecided> {
        match formula {
            StateFormula::Bool(value) => Ok(*value),
            StateFormula::Holds(says) => Ok(self.atoms().holds(at, says, bound)?),
            StateFormula::MayEnd => self.may_end(at),
            StateFormula::Not(inner) => Ok(!self.is(at, inner, bound)?),
            StateFormula::Text(_, inner) => self.is(at, inner, bound),
            StateFormula::And(parts) => self.several(at, (parts, true), bound),
            StateFormula::Or(parts) => self.several(at, (parts, false), bound),
            StateFormula::Implies(one, other) => {
                Ok(!self.is(at, one, bound)? || self.is(at, other, bound)?)
            }
            StateFormula::Forall(vars, inner) | StateFormula::Exists(vars, inner) => {
                let all = matches!(formula, StateFormula::Forall(..));
                for with in extended(self.atoms(), bound, vars)? {
                    if self.is(at, inner, &with)? != all {
                        return Ok(!all);
                    }
                }
                Ok(all)
            }
            StateFormula::Box(modality) => self.steps(at, (modality, true), bound),
            StateFormula::Diamond(modality) => self.steps(at, (modality, false), bound),
            StateFormula::Path(runs, path) => {
                let not = *runs == Runs::All;
                Ok(self.run(at, (path, not), bound)?.is_some() != not)
            }
            StateFormula::Fix { .. } | StateFormula::Again(..) => Err(Undecided::Unbound),
        }
    }

    fn at_first(&mut self, formula: &StateFormula) -> Result<Vec<bool>, Undecided> {
        let mut found = Vec::new();
        for at in self.begins() {
            found.push(self.is(at, formula, &Vec::new())?);
            // One that is otherwise is enough.
            if found.last() == Some(&false) {
                break;
            }
        }
        Ok(found)
    }

    fn run(
        &mut self,
        at: LtsState,
        (path, not): (&PathFormula, bool),
        bound: &Bindings,
    ) -> Result<Option<Lasso>, Undecided> {
        let said = (path.clone(), not, bound.clone());
        let key = (said, at);
        if let Some(known) = self.runs.get(&key) {
            return Ok(known.clone());
        }
        // What was gone through for another beginning need not be gone through again.
        let mut runner = match self.runners.remove(&key.0) {
            Some(runner) => runner,
            None => Runner::new(self, (path, not), bound)?,
        };
        let found = runner.run(self, at)?;
        self.runners.insert(key.0.clone(), runner);
        self.runs.insert(key, found.clone());
        Ok(found)
    }
}

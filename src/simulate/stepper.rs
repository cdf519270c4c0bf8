//! A run that somebody makes step by step: commands in, answers out. Files and the terminal are not its business.

use thiserror::Error;

use super::play::{ending, stuck};
use super::{Dice, Ending, NoAction, Replayed, StepCommand, Teller, Unplayable, why};
use crate::diagnostics::closest;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Step, Steps};
use crate::outcome::{Choices, Equation, Position, RunEnd, StepAnswer, Trace};

/// A run in the making.
pub struct Stepper<'a> {
    interpreter: Interpreter<'a>,
    teller: Teller<'a>,
    /// Where it can begin.
    beginnings: Vec<Configuration>,
    /// Whether it may begin elsewhere, with values that are not tried.
    limited: bool,
    /// Where it begins, once that is chosen.
    begin: Option<Configuration>,
    /// The steps that were made, also those that were taken back.
    steps: Vec<Step>,
    /// How many of them count now.
    at: usize,
    dice: Dice,
}

/// Why a command cannot be done.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum StepProblem {
    /// There is no step with this number.
    #[error("there is no step {number}: {}", which(*.count))]
    NoStep {
        /// The number.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// No step shows this.
    #[error("no step shows `{action}` now; `why {action}` says why")]
    NotNow {
        /// What was asked for.
        action: String,
    },
    /// Several steps show this.
    #[error("several steps show `{action}`: choose one of them by its number ({})", numbers(.steps))]
    Several {
        /// What was asked for.
        action: String,
        /// Their numbers.
        steps: Vec<usize>,
    },
    /// There are no steps to take back.
    #[error("{}", no_further_back(*.made))]
    NotSoFarBack {
        /// How many were made.
        made: usize,
    },
    /// There are not so many steps ahead.
    #[error("{}", no_further_ahead(*.known))]
    NotSoFarAhead {
        /// How many there are in all.
        known: usize,
    },
    /// There is nothing of this name.
    #[error("there is no component, variable or constant `{name}`{}", hint(.similar))]
    NoName {
        /// What was written.
        name: String,
        /// What was probably meant.
        similar: Option<String>,
    },
    /// The run has not begun.
    #[error("choose where to begin first, by a number")]
    NotBegun,
    /// Nothing can be said about what is possible.
    #[error(transparent)]
    Gap(#[from] Gap),
    /// What was asked for is no action.
    #[error(transparent)]
    NoAction(#[from] NoAction),
    /// This is for whoever has files and a terminal.
    #[error("this cannot be done here")]
    NotHere,
}

fn which(count: usize) -> String {
    match count {
        0 => "nothing is possible here; `back` takes back a step".to_owned(),
        1 => "there is only step 1".to_owned(),
        count => format!("choose one from 1 to {count}"),
    }
}

fn no_further_back(made: usize) -> String {
    match made {
        0 => "no step was made: there is nothing to take back".to_owned(),
        1 => "only 1 step was made; `back 1` takes it back".to_owned(),
        made => format!("only {made} steps were made; `back {made}` takes all of them back"),
    }
}

fn no_further_ahead(known: usize) -> String {
    match known {
        0 => "no step was made: there is nowhere to go but the beginning".to_owned(),
        1 => "the run has 1 step; `goto 1` goes there".to_owned(),
        known => format!("the run has {known} steps; `goto {known}` goes to its end"),
    }
}

fn numbers(steps: &[usize]) -> String {
    steps.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

fn hint(similar: &Option<String>) -> String {
    let hint = similar.as_ref().map(|name| format!("; did you mean `{name}`?"));
    hint.unwrap_or_else(|| "; `show` lists all".to_owned())
}

impl<'a> Stepper<'a> {
    /// A run that has not begun, or has, where there is one beginning.
    pub fn new(
        interpreter: Interpreter<'a>,
        teller: Teller<'a>,
        seed: u64,
    ) -> Result<Stepper<'a>, Unplayable> {
        let initial = interpreter.initial()?;
        let beginnings = initial.configurations;
        let begin = match beginnings.as_slice() {
            [] => return Err(Unplayable::NoBeginning),
            [one] => Some(one.clone()),
            _ => None,
        };
        let (limited, dice) = (initial.limited, Dice::new(seed));
        let (steps, at) = (Vec::new(), 0);
        Ok(Stepper { interpreter, teller, beginnings, limited, begin, steps, at, dice })
    }

    /// Does what was said.
    pub fn obey(&mut self, command: &StepCommand) -> Result<StepAnswer, StepProblem> {
        match command {
            StepCommand::Take(number) => self.take(*number)?,
            StepCommand::Do(action) => self.take(self.showing(action)?)?,
            StepCommand::List => {}
            StepCommand::Back(count) => self.back(*count)?,
            StepCommand::Forward(count) => self.goto(self.at.saturating_add(*count))?,
            StepCommand::Goto(number) => self.goto(*number)?,
            StepCommand::Random(count) => self.random(*count)?,
            StepCommand::Show(name) => return self.show(name.as_deref()),
            StepCommand::Trace => return Ok(StepAnswer::Run(Box::new(self.trace()?))),
            StepCommand::Why(action) => {
                let at = self.here()?;
                let why = why::why((&self.interpreter, &self.teller), at, action)?;
                return Ok(StepAnswer::Why(Box::new(why)));
            }
            StepCommand::Save(_) | StepCommand::Load(_) | StepCommand::Help | StepCommand::Quit => {
                return Err(StepProblem::NotHere);
            }
        }
        Ok(StepAnswer::Position(Box::new(self.position())))
    }

    /// Goes on with a run that was replayed.
    pub fn resume(&mut self, replayed: Replayed) {
        self.at = replayed.steps.len();
        self.begin = Some(replayed.begin);
        self.steps = replayed.steps;
    }

    /// The plain interpreter.
    pub fn interpreter(&self) -> &Interpreter<'a> {
        &self.interpreter
    }

    /// Who tells of it.
    pub fn teller(&self) -> &Teller<'a> {
        &self.teller
    }

    /// Where the run begins, and the steps that count now; nothing where it has not begun.
    pub fn made(&self) -> Option<(&Configuration, &[Step])> {
        Some((self.begin.as_ref()?, &self.steps[..self.at]))
    }

    /// Where the run can begin.
    pub fn beginnings(&self) -> &[Configuration] {
        &self.beginnings
    }

    /// The run so far.
    pub fn trace(&self) -> Result<Trace, StepProblem> {
        let begin = self.begin.as_ref().ok_or(StepProblem::NotBegun)?;
        let last = self.here()?;
        let ending = ending(&self.interpreter, last);
        Ok(self.teller.trace((begin, &self.steps[..self.at]), ending))
    }

    /// Where the run is.
    fn here(&self) -> Result<&Configuration, StepProblem> {
        let made = self.at.checked_sub(1).and_then(|last| self.steps.get(last));
        made.map(|step| &step.target).or(self.begin.as_ref()).ok_or(StepProblem::NotBegun)
    }

    fn possible(&self) -> Result<Steps, StepProblem> {
        Ok(self.interpreter.steps(self.here()?)?)
    }

    fn take(&mut self, number: usize) -> Result<(), StepProblem> {
        let chosen = |count: usize| match number.checked_sub(1) {
            Some(at) if at < count => Ok(at),
            _ => Err(StepProblem::NoStep { number, count }),
        };
        if self.begin.is_none() {
            let at = chosen(self.beginnings.len())?;
            self.begin = self.beginnings.get(at).cloned();
            return Ok(());
        }
        let mut steps = self.possible()?.steps;
        let at = chosen(steps.len())?;
        self.make(steps.swap_remove(at));
        Ok(())
    }

    /// Makes a step. What was taken back is forgotten, unless it is made again.
    fn make(&mut self, step: Step) {
        if self.steps.get(self.at) != Some(&step) {
            self.steps.truncate(self.at);
            self.steps.push(step);
        }
        self.at += 1;
    }

    /// The number of the one step that shows an action.
    fn showing(&self, action: &str) -> Result<usize, StepProblem> {
        let wanted: String = action.split_whitespace().collect();
        let steps = self.possible()?.steps;
        let fits = |step: &Step| {
            let text = self.teller.value(&step.action).text;
            text.split_whitespace().collect::<String>() == wanted
        };
        let fitting: Vec<usize> =
            steps.iter().enumerate().filter(|(_, step)| fits(step)).map(|(at, _)| at + 1).collect();
        match fitting.as_slice() {
            [one] => Ok(*one),
            [] => Err(StepProblem::NotNow { action: action.to_owned() }),
            _ => Err(StepProblem::Several { action: action.to_owned(), steps: fitting }),
        }
    }

    fn back(&mut self, count: usize) -> Result<(), StepProblem> {
        match self.at.checked_sub(count) {
            Some(at) => self.at = at,
            // Before the first step there is the choice of the beginning.
            None if self.beginnings.len() > 1 && self.begin.is_some() && count == self.at + 1 => {
                (self.begin, self.at) = (None, 0);
                self.steps.clear();
            }
            None => return Err(StepProblem::NotSoFarBack { made: self.at }),
        }
        Ok(())
    }

    fn goto(&mut self, number: usize) -> Result<(), StepProblem> {
        if self.begin.is_none() {
            return Err(StepProblem::NotBegun);
        }
        if number > self.steps.len() {
            return Err(StepProblem::NotSoFarAhead { known: self.steps.len() });
        }
        self.at = number;
        Ok(())
    }

    fn random(&mut self, count: usize) -> Result<(), StepProblem> {
        let budget = crate::base::budget::here();
        if self.begin.is_none() {
            let chosen = self.dice.below(self.beginnings.len());
            self.begin = self.beginnings.get(chosen).cloned();
        }
        for _ in 0..count {
            if budget.is_spent() {
                return Err(StepProblem::Gap(Gap::Stopped));
            }
            let mut steps = self.possible()?.steps;
            if steps.is_empty() {
                break;
            }
            let chosen = self.dice.below(steps.len());
            self.make(steps.swap_remove(chosen));
        }
        Ok(())
    }

    // ---- what is said ----

    fn position(&self) -> Position {
        let Ok(here) = self.here() else {
            let beginnings = self.beginnings.iter().map(|one| self.beginning(one)).collect();
            let choices = Choices::Beginnings { beginnings };
            let limited = self.limited;
            return Position { steps: 0, ahead: 0, last: None, choices, limited, end: None };
        };
        let (choices, limited, end) = match self.interpreter.steps(here) {
            Ok(steps) => self.choices(here, &steps),
            Err(gap) => (Choices::Unknown { why: gap.to_string() }, false, None),
        };
        let ahead = self.steps.len() - self.at;
        Position { steps: self.at, ahead, last: self.last(), choices, limited, end }
    }

    fn choices(&self, here: &Configuration, steps: &Steps) -> (Choices, bool, Option<RunEnd>) {
        let end = stuck(&self.interpreter, here, steps).map(|ending| self.teller.end(here, ending));
        let told = steps.steps.iter().map(|step| self.teller.step(here, step)).collect();
        (Choices::Steps { steps: told }, steps.limited, end)
    }

    fn last(&self) -> Option<crate::outcome::TraceStep> {
        let step = self.steps.get(self.at.checked_sub(1)?)?;
        let before = match self.at.checked_sub(2) {
            Some(at) => &self.steps.get(at)?.target,
            None => self.begin.as_ref()?,
        };
        Some(self.teller.step(before, step))
    }

    /// What a beginning has that others may not have.
    fn beginning(&self, at: &Configuration) -> Vec<Equation> {
        let trace = self.teller.trace((at, &[]), Ending::Open);
        trace.with.into_iter().chain(trace.begins).collect()
    }

    /// Shows a component by its path, variables by their paths or names, or constants.
    fn show(&self, name: Option<&str>) -> Result<StepAnswer, StepProblem> {
        let here = self.here()?;
        let components = self.teller.components(here);
        let Some(name) = name else { return Ok(StepAnswer::Components { components }) };
        if let Some(found) = components.iter().find(|one| one.path == name) {
            return Ok(StepAnswer::Components { components: vec![found.clone()] });
        }
        let constants = self.teller.constants(here);
        let mut all: Vec<(String, Equation)> =
            constants.into_iter().map(|one| (one.what.clone(), one)).collect();
        for component in &components {
            for variable in &component.variables {
                let path = crate::pnet::path_inside(&component.path, &variable.what);
                let value = variable.value.clone();
                all.push((variable.what.clone(), Equation { what: path, value }));
            }
        }
        let fits = |(own, one): &&(String, Equation)| own == name || one.what == name;
        let values: Vec<Equation> = all.iter().filter(fits).map(|(_, one)| one.clone()).collect();
        if !values.is_empty() {
            return Ok(StepAnswer::Values { values });
        }
        let known = components.iter().map(|one| one.path.as_str());
        let known = known.chain(all.iter().flat_map(|(own, one)| [own.as_str(), &one.what]));
        let similar = closest(name, known).map(str::to_owned);
        Err(StepProblem::NoName { name: name.to_owned(), similar })
    }
}

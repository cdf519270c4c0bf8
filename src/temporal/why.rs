//! Why a formula is false of a configuration, or true, where one run shows it: the steps into what fails, and a run from there.

use super::explicit::{Bindings, MoveId, Undecided, fits};
use super::formula::{Modality, PathFormula, Runs, StateFormula};
use super::ground::{Ground, Walk};
use super::modal::{Decider, extended, with_values};
use crate::diagnostics::Span;
use crate::lts::LtsState;

/// A run that shows why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Where it begins.
    pub begins: LtsState,
    /// Its steps.
    pub steps: Vec<(MoveId, LtsState)>,
    /// How it ends.
    pub end: ShownEnd,
}

/// How a run that shows something ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShownEnd {
    /// It ends there.
    Ends,
    /// It goes round for ever from after so many steps.
    Round(usize),
    /// However it goes on: this text is true there, or false.
    Decided(Span, bool),
}

/// Whether a formula holds in each configuration in which a system begins, and a run that shows why, where there is one.
pub fn decided(
    decider: &mut Decider<'_>,
    formula: &StateFormula,
) -> Result<(bool, Option<Shown>), Undecided> {
    decided_on(decider, formula)
}

/// The same on a system that is made on the way.
pub fn decided_walking(
    walk: &mut Walk<'_>,
    formula: &StateFormula,
) -> Result<(bool, Option<Shown>), Undecided> {
    decided_on(walk, formula)
}

fn decided_on(
    ground: &mut dyn Ground,
    formula: &StateFormula,
) -> Result<(bool, Option<Shown>), Undecided> {
    let first = ground.at_first(formula)?;
    let holds = first.iter().all(|holds| *holds);
    for (begin, is) in ground.begins().into_iter().zip(first) {
        if is != holds {
            continue;
        }
        let mut asked = Asked { ground, steps: Vec::new(), text: None };
        let end = asked.shown(begin, formula, &Vec::new(), holds)?;
        let steps = asked.steps;
        return Ok((holds, end.map(|end| Shown { begins: begin, steps, end })));
    }
    Ok((holds, None))
}

struct Asked<'d> {
    ground: &'d mut dyn Ground,
    steps: Vec<(MoveId, LtsState)>,
    text: Option<Span>,
}

impl Asked<'_> {
    fn is(
        &mut self,
        at: LtsState,
        formula: &StateFormula,
        bound: &Bindings,
    ) -> Result<bool, Undecided> {
        self.ground.is(at, formula, bound)
    }

    /// Nothing more is shown by a run: the text is what it is.
    fn decided(&self, holds: bool) -> Option<ShownEnd> {
        self.text.map(|text| ShownEnd::Decided(text, holds))
    }

    /// How a run goes on that shows why a formula is as it is.
    fn shown(
        &mut self,
        at: LtsState,
        formula: &StateFormula,
        bound: &Bindings,
        holds: bool,
    ) -> Result<Option<ShownEnd>, Undecided> {
        match formula {
            StateFormula::Text(span, inner) => {
                // `true` alone tells nothing.
                if !matches!(**inner, StateFormula::Bool(_)) || self.text.is_none() {
                    self.text = Some(*span);
                }
                self.shown(at, inner, bound, holds)
            }
            StateFormula::Not(inner) => self.shown(at, inner, bound, !holds),
            StateFormula::And(parts) if !holds => self.part(at, parts, bound, holds),
            StateFormula::Or(parts) if holds => self.part(at, parts, bound, holds),
            // All of them are so: the last that speaks of runs shows most.
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                let told = parts.iter().rev().find(|part| part.speaks_of_steps());
                match told.or(parts.last()) {
                    Some(part) => self.shown(at, part, bound, holds),
                    None => Ok(self.decided(holds)),
                }
            }
            StateFormula::Implies(one, other) => {
                if holds && !self.is(at, one, bound)? {
                    return self.shown(at, one, bound, false);
                }
                self.shown(at, other, bound, holds)
            }
            StateFormula::Forall(vars, inner) | StateFormula::Exists(vars, inner) => {
                let all = matches!(formula, StateFormula::Forall(..));
                // What is so of all values, or of none, is not shown by one run.
                if all == holds {
                    return Ok(self.decided(holds).filter(|_| !self.steps.is_empty()));
                }
                for with in extended(self.ground.atoms(), bound, vars)? {
                    if self.is(at, inner, &with)? == holds {
                        return self.shown(at, inner, &with, holds);
                    }
                }
                Ok(self.decided(holds))
            }
            StateFormula::Box(modality) if !holds => self.step(at, modality, bound, holds),
            StateFormula::Diamond(modality) if holds => self.step(at, modality, bound, holds),
            StateFormula::Path(Runs::All, path) if !holds => self.run(at, path, bound, holds),
            StateFormula::Path(Runs::Some, path) if holds => self.run(at, path, bound, holds),
            _ => Ok(self.decided(holds)),
        }
    }

    /// The first part that is as the whole is.
    fn part(
        &mut self,
        at: LtsState,
        parts: &[StateFormula],
        bound: &Bindings,
        holds: bool,
    ) -> Result<Option<ShownEnd>, Undecided> {
        for part in parts {
            if self.is(at, part, bound)? == holds {
                return self.shown(at, part, bound, holds);
            }
        }
        Ok(self.decided(holds))
    }

    fn step(
        &mut self,
        at: LtsState,
        modality: &Modality,
        bound: &Bindings,
        holds: bool,
    ) -> Result<Option<ShownEnd>, Undecided> {
        self.ground.open(at)?;
        let steps = self.ground.row(at).to_vec();
        for (done, to) in steps {
            if !fits(self.ground.atoms(), done, &modality.step, bound)? {
                continue;
            }
            let with = with_values(self.ground.atoms(), bound, Some(done), &modality.binds)?;
            if self.is(to, &modality.then, &with)? == holds {
                self.steps.push((done, to));
                return self.shown(to, &modality.then, &with, holds);
            }
        }
        Ok(self.decided(holds))
    }

    /// A run that is not as is said of all, or is as is said of some.
    fn run(
        &mut self,
        at: LtsState,
        path: &PathFormula,
        bound: &Bindings,
        holds: bool,
    ) -> Result<Option<ShownEnd>, Undecided> {
        let found = self.ground.run(at, (path, !holds), bound)?;
        let Some(run) = found else { return Ok(None) };
        let begin = self.steps.len() + run.stem.len();
        let last = run.stem.last().map_or(at, |step| step.1);
        self.steps.extend(run.stem);
        if !run.round.is_empty() {
            self.steps.extend(run.round);
            return Ok(Some(ShownEnd::Round(begin)));
        }
        if !run.open {
            return Ok(Some(ShownEnd::Ends));
        }
        match decisive(path) {
            Some(inner) if self.is(last, inner, bound)? == holds => {
                self.shown(last, inner, bound, holds)
            }
            _ => Ok(self.decided(holds)),
        }
    }
}

/// What is said of the configuration where a run is decided: `f` of `G f`, `F f` and `g U f`.
fn decisive(path: &PathFormula) -> Option<&StateFormula> {
    match path {
        PathFormula::Text(_, inner) => decisive(inner),
        PathFormula::Globally(inner)
        | PathFormula::Finally(inner)
        | PathFormula::Until(_, inner) => state(inner),
        _ => None,
    }
}

fn state(path: &PathFormula) -> Option<&StateFormula> {
    match path {
        PathFormula::Text(_, inner) => state(inner),
        PathFormula::State(formula) => Some(formula),
        _ => None,
    }
}

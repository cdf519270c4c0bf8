//! Goes through a table of configurations with the plain interpreter: where the net begins is in it, every step from it leads
//! to it, and what is claimed is so in each.

use thiserror::Error;

use super::runs::Runs;
use super::table::{Lookup, Table};
use crate::base::Watch;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Step};
use crate::sema::program::CheckKind;
use crate::simulate::Teller;
use crate::verify::explored::{Subject, WantedSteps, choice_of};

/// Why configurations that are listed are no proof. Lines are those of the list.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotClosed {
    /// The net may begin elsewhere.
    #[error("the net may begin in `{at}`, which is not listed")]
    Begin {
        /// Where.
        at: String,
    },
    /// A step leads out of the list.
    #[error(
        "from the configuration in line {line}, `{from}`, a step leads to `{to}`, which is not listed"
    )]
    Step {
        /// The line.
        line: u64,
        /// Where it starts.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// What is claimed is not so.
    #[error("what is claimed is not so in the configuration in line {line}: `{at}`")]
    Claim {
        /// The line.
        line: u64,
        /// The configuration.
        at: String,
    },
    /// A rank does not show what it should.
    #[error("the rank of the configuration in line {line}, `{at}`, does not become smaller")]
    Rank {
        /// The line.
        line: u64,
        /// The configuration.
        at: String,
    },
    /// There may be more steps, with other values.
    #[error("not all values can be tried in the configuration in line {line}")]
    Limited {
        /// The line.
        line: u64,
    },
    /// Not all beginnings can be tried.
    #[error("not all configurations that the net may begin in can be tried")]
    Beginnings,
    /// A formula is not decided.
    #[error("the formula is not decided on what is listed: {why}")]
    Formula {
        /// Why.
        why: String,
    },
    /// A formula does not hold where the net begins.
    #[error("the formula does not hold in the configuration in line {line}: `{at}`")]
    FormulaFails {
        /// The line.
        line: u64,
        /// The configuration.
        at: String,
    },
    /// Nothing can be said about a configuration.
    #[error("the configuration in line {line}: {gap}")]
    Gap {
        /// The line.
        line: u64,
        /// Why.
        gap: Gap,
    },
}

/// Goes through all of a table. Whether the budget was spent on the way is for the caller to see.
pub(super) fn go_through(
    subject: &Subject<'_>,
    table: &Table,
    watch: &dyn Watch,
) -> Result<(), NotClosed> {
    let interpreter = Interpreter::new(subject.net, subject.domains.clone());
    let teller = Teller::new(subject.checked, subject.net, subject.name);
    let (lookup, wanted) = (Lookup::new(table), WantedSteps::new(subject, &interpreter));
    let going = Going { subject, table, interpreter: &interpreter, lookup, wanted, teller };
    let begins = going.begins()?;
    let budget = watch.budget();
    let mut runs = subject.formula.as_ref().map(|formula| (formula, Runs::new()));
    for row in 0..table.len() {
        if budget.is_spent() {
            break;
        }
        if row % 100 == 0 {
            let count = table.len();
            watch.searching(&format!("gone through {row} of {count} configurations"), 0);
        }
        going.look(row, runs.as_mut().map(|(_, runs)| runs))?;
    }
    let Some((formula, runs)) = runs.filter(|_| !budget.is_spent()) else { return Ok(()) };
    watch.searching("deciding the formula on what is listed", 0);
    let configuration = |row: usize| table.configuration(subject.net, row);
    match runs.fails(formula, &interpreter, &begins, &configuration)? {
        None => Ok(()),
        Some(row) => {
            let (line, at) = (going.line(row), going.told(&configuration(row)));
            Err(NotClosed::FormulaFails { line, at })
        }
    }
}

struct Going<'g, 'a> {
    subject: &'g Subject<'a>,
    table: &'g Table,
    interpreter: &'g Interpreter<'g>,
    lookup: Lookup<'g>,
    wanted: WantedSteps<'g, 'a>,
    teller: Teller<'g>,
}

impl Going<'_, '_> {
    /// The line of a row.
    fn line(&self, row: usize) -> u64 {
        (row + self.table.columns.all.len() + 2) as u64
    }

    /// A configuration, as people read it.
    fn told(&self, at: &Configuration) -> String {
        let values = self.teller.components(at);
        let values = values.iter().flat_map(|component| &component.variables);
        let values = values.map(|one| format!("{} = {}", one.what, one.value.text));
        let all: Vec<String> = std::iter::once(self.teller.state(at)).chain(values).collect();
        all.join(", ")
    }

    /// The rows in which the net may begin.
    fn begins(&self) -> Result<Vec<usize>, NotClosed> {
        let initial = self.interpreter.initial().map_err(|gap| NotClosed::Gap { line: 1, gap })?;
        if initial.limited {
            return Err(NotClosed::Beginnings);
        }
        let row = |at: &Configuration| match self.lookup.find(at) {
            Some(row) => Ok(row),
            None => Err(NotClosed::Begin { at: self.told(at) }),
        };
        initial.configurations.iter().map(row).collect()
    }

    /// Looks at one configuration, and adds its steps to those of runs, where something is said of these.
    fn look(&self, row: usize, runs: Option<&mut Runs>) -> Result<(), NotClosed> {
        let line = self.line(row);
        let gap = |gap: Gap| NotClosed::Gap { line, gap };
        let at = self.table.configuration(self.subject.net, row);
        let steps = self.interpreter.steps(&at).map_err(gap)?;
        if steps.limited {
            return Err(NotClosed::Limited { line });
        }
        let mut targets = Vec::with_capacity(steps.steps.len());
        for step in &steps.steps {
            targets.push(self.lookup.find(&step.target).ok_or_else(|| NotClosed::Step {
                line,
                from: self.told(&at),
                to: self.told(&step.target),
            })?);
        }
        if let Some(runs) = runs {
            let constants = |one| self.table.configuration(self.subject.net, one).constants;
            runs.add(row, (&steps.steps, &targets), |one| constants(one) == at.constants);
        }
        if !self.is_so(&at, &steps.steps).map_err(gap)? {
            return Err(NotClosed::Claim { line, at: self.told(&at) });
        }
        match self.is_ranked(row, &at, (&steps.steps, &targets)).map_err(gap)? {
            true => Ok(()),
            false => Err(NotClosed::Rank { line, at: self.told(&at) }),
        }
    }

    /// Whether what is claimed of each configuration by itself is so.
    fn is_so(&self, at: &Configuration, steps: &[Step]) -> Result<bool, Gap> {
        let holds = |wanted: bool| match &self.subject.property {
            Some(property) => Ok(self.interpreter.holds(at, property)? == Some(wanted)),
            None => Ok(false),
        };
        match self.subject.check.kind {
            kind if kind.is_always() => holds(true),
            CheckKind::Reaches => holds(false),
            CheckKind::DeadlockFree => Ok(!steps.is_empty() || self.interpreter.is_final(at)),
            CheckKind::Deterministic => Ok(choice_of(steps).is_none()),
            CheckKind::Terminates | CheckKind::Live | CheckKind::Holds => Ok(true),
            _ => Ok(false),
        }
    }

    /// Whether the rank of a configuration becomes smaller where it has to.
    fn is_ranked(
        &self,
        row: usize,
        at: &Configuration,
        (steps, targets): (&[Step], &[usize]),
    ) -> Result<bool, Gap> {
        let rank = self.table.rank(row);
        let smaller = |&target: &usize| self.table.rank(target) < rank;
        match self.subject.check.kind {
            CheckKind::Terminates => Ok(targets.iter().all(smaller)),
            CheckKind::Live if targets.iter().any(smaller) => Ok(true),
            CheckKind::Live => {
                for step in steps {
                    if self.wanted.shows(at, &step.action)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(true),
        }
    }
}

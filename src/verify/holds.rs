//! `check holds(S, f)`: temporal formulas of nets.
//!
//! Where a net has finitely many configurations, all of them are gone through, and the formula is decided on what was found. A run
//! that shows why is made again by the plain interpreter before anybody sees it.

mod apart;
mod automaton;
mod system;
mod values;
mod written;

use std::cell::RefCell;

use super::explored::{Effort, domains_of, limits_of, told_gap};
use super::failed;
use crate::base::Watch;
use crate::diagnostics::{Diagnostic, Span};
use crate::explore::compiled::Compiled;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Domains, Step};
use crate::finite::{NotUnfolded, unfold};
use crate::lts::LtsState;
use crate::model::{Checked, ModelOptions, Wanted};
use crate::outcome::{
    Evidence, ExploreLimit, Extent, Note, Outcome, Reason, Statistics, Vacuity, Verdict,
};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, Instance};
use crate::simulate::{self, Ending};
use crate::temporal::{
    Decider, FiniteSystem, Formula, PathFormula, Shown, ShownEnd, StateFormula, Strengthened,
    Undecided, strengthened, why,
};

use self::system::System;

pub(super) use self::apart::check as apart;
pub(super) use self::automaton::{fixpoints, remade};
pub(super) use self::system::{constants, constants_of_values};
pub(super) use self::values::values_of;

/// How many steps are looked at, all in all, to find parts of a formula that do not matter.
const MOST_WORK: u64 = 2_000_000;

/// So many parts are tried where there is no end of values.
const MOST_STRONGER: usize = 6;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let Some(instance) = check.nets.first() else {
        return Ok(Outcome::unknown(Reason::Incomplete));
    };
    let net = checked.net(Wanted::Instance(check, instance), &options.elaborate).map_err(failed)?;
    let formula = match checked.formula(check, &net, &options.elaborate) {
        Ok(Some(formula)) => formula,
        Ok(None) => return Ok(Outcome::unknown(Reason::Incomplete)),
        Err(why) => return Ok(Outcome::unknown(Reason::UnclearProperty { why: why.to_string() })),
    };
    let name = checked.sources.text(instance.span);
    let about = Some((check, instance));
    let last = RefCell::default();
    let asked =
        Asked { checked, options, net: &net, name, formula: &formula, about, told: None, last };
    Ok(asked.answered(watch))
}

/// What is asked of which net.
struct Asked<'a> {
    checked: &'a Checked,
    options: &'a ModelOptions,
    net: &'a PNet,
    name: &'a str,
    formula: &'a Formula,
    /// The check with its net, where the open automaton is made as for others; otherwise it is made of the net as it is.
    about: Option<(&'a CheckDef, &'a Instance)>,
    /// The same net as it is told, where steps show something else in it.
    told: Option<&'a PNet>,
    /// Where the run that was shown came to.
    last: RefCell<Option<Configuration>>,
}

impl Asked<'_> {
    /// What is found out about it.
    fn answered(&self, watch: &dyn Watch) -> Outcome {
        let outcome = self.by_configurations(watch).or_else(|why| {
            // Where configurations have no end, sets of them may still be told by conditions.
            match self.by_automaton(watch) {
                Err(_) if matches!(why, Reason::Stopped) => Err(why),
                symbolic => symbolic,
            }
        });
        self.noted(outcome.unwrap_or_else(Outcome::unknown))
    }

    /// The steps of a run as they are told: the same ones, of the net that is.
    fn as_told(
        &self,
        begin: &Configuration,
        steps: Vec<Step>,
        domains: &Domains,
    ) -> Option<Vec<Step>> {
        let Some(net) = self.told else { return Some(steps) };
        let interpreter = Interpreter::new(net, domains.clone());
        let mut told: Vec<Step> = Vec::with_capacity(steps.len());
        for step in steps {
            let at = told.last().map_or(begin, |step| &step.target);
            let possible = interpreter.steps(at).ok()?.steps;
            let same = |one: &Step| one.target == step.target && one.vectors == step.vectors;
            told.push(possible.into_iter().find(same)?);
        }
        Some(told)
    }

    /// Goes through all configurations.
    fn by_configurations(&self, watch: &dyn Watch) -> Result<Outcome, Reason> {
        let (domains, tried) = domains_of(self.net, &self.options.explore);
        let domains = domains.about(constants(self.net, self.formula));
        let machine = Compiled::new(self.net, &domains);
        let limits = limits_of(&self.options.explore, Effort::MUCH);
        let unfolded = unfold((self.net, &machine), &limits, watch).map_err(|why| match why {
            NotUnfolded::Gap(gap) => told_gap(&gap, 0),
            NotUnfolded::Nothing => Reason::AxiomsContradict,
            NotUnfolded::TooMany { most } => {
                let extent = Extent { states: most, transitions: 0, depth: 0, reduced: false };
                Reason::NotFound { extent, limit: ExploreLimit::States }
            }
            NotUnfolded::Spent(_) => Reason::Stopped,
            other => Reason::NotReplayed { why: other.to_string() },
        })?;
        let extent = Extent {
            states: unfolded.states() as u64,
            transitions: unfolded.steps.items() as u64,
            depth: 0,
            reduced: false,
        };
        let interpreter = Interpreter::new(self.net, domains.clone());
        let mut system =
            System::new(&unfolded, self.formula, &interpreter).map_err(|gap| told_gap(&gap, 0))?;
        let mut explicit = system.explicit();
        let (holds, shown) =
            self.decided((&mut explicit, &mut system), &self.formula.says, true)?;
        let limited = unfolded.limited;
        let told = shown.map(|shown| {
            let configuration = |at: LtsState| unfolded.configuration(at);
            self.told((&shown, &domains), &interpreter, &system, &configuration)
        });
        // With values that were not tried there may be more runs, and other ends.
        let stands = !limited || !holds && is_linear(&self.formula.says);
        let (verdict, mut reason) = match holds {
            true => (Verdict::Proved, Reason::Explored(extent)),
            false => (Verdict::Refuted, Reason::FormulaFails(extent)),
        };
        let mut evidence = Evidence::None;
        let mut real = !limited;
        match told {
            Some(Ok((found, steps, round, ends))) => {
                real |= stands && !ends;
                reason = Reason::OneRun { steps, round, shows: holds };
                evidence = Evidence::Run(Box::new(found));
            }
            Some(Err(why)) => return Err(why),
            None => {}
        }
        if !real {
            return Err(Reason::NotFound { extent, limit: ExploreLimit::Domains(tried) });
        }
        // That something is so of all runs is shown by all of them.
        if holds && !is_of_some(&self.formula.says) {
            (reason, evidence) = (Reason::Explored(extent), Evidence::None);
        }
        let statistics = Statistics {
            states: extent.states as usize,
            transitions: extent.transitions as usize,
            queries: 0,
            ..Statistics::default()
        };
        let vacuous = match (holds, extent.transitions) {
            (false, _) => Vec::new(),
            (true, 0) => vec![Vacuity::NoTransitions { net: self.name.to_owned() }],
            (true, size) => {
                let most = (MOST_WORK / (size + extent.states)) as usize;
                let stronger = self.stronger(self.formula, most);
                let mut holds = |says: &StateFormula| {
                    let everywhere = self.decided((&mut explicit, &mut system), says, false);
                    everywhere.is_ok_and(|(holds, _)| holds)
                };
                self.no_matter(stronger, &mut holds)
            }
        };
        Ok(Outcome { statistics, vacuous, evidence, ..Outcome::new(verdict, reason) })
    }

    /// Whether a formula holds wherever the net begins, with a run that shows it, if that is wanted.
    fn decided(
        &self,
        (explicit, system): (&mut FiniteSystem, &mut System<'_, '_>),
        says: &StateFormula,
        with_run: bool,
    ) -> Result<(bool, Option<Shown>), Reason> {
        let undecided = |why: Undecided| match why {
            Undecided::Gap(gap) => told_gap(&gap, 0),
            Undecided::Stopped => Reason::Stopped,
            why => Reason::UnclearProperty { why: why.to_string() },
        };
        let mut shown = None;
        for (choice, begins) in system.choices().into_iter().enumerate() {
            system.choose(choice);
            explicit.begins = begins;
            let mut decider = Decider::new(explicit, system, &self.formula.fair);
            let begins = decider.at_first(says).map_err(undecided)?;
            let holds = begins.into_iter().all(|holds| holds);
            if with_run {
                shown = why(&mut decider, says, holds).map_err(undecided)?;
            }
            if !holds {
                return Ok((false, shown));
            }
        }
        Ok((true, shown))
    }

    /// The formula with parts that say as much as they can, so many at most; texts of this model alone, since what a library
    /// says is not for those to change who use it.
    fn stronger(&self, formula: &Formula, most: usize) -> Vec<Strengthened> {
        let own = |one: &Strengthened| {
            let file = self.checked.sources.file_of(one.part);
            file.is_some_and(|file| file.name() == self.checked.root)
        };
        strengthened(&formula.says).into_iter().filter(own).take(most).collect()
    }

    /// The parts that do not matter, the largest ones.
    fn no_matter(
        &self,
        stronger: Vec<Strengthened>,
        holds: &mut dyn FnMut(&StateFormula) -> bool,
    ) -> Vec<Vacuity> {
        let mut found: Vec<Strengthened> = Vec::new();
        for one in stronger {
            let inside = found.iter().any(|known| known.part.contains(one.part));
            if !inside && holds(&one.says) {
                found.push(one);
            }
        }
        // What never comes true need not be said to be unimportant as well.
        let before: Vec<Span> = found.iter().filter_map(|one| one.stands.before()).collect();
        found.retain(|one| !before.contains(&one.part));
        let text = |span: Span| one_line(self.checked.sources.text(span));
        let told = |one: Strengthened| Vacuity::NoMatter {
            part: text(one.part),
            could_be: one.changed,
            never: one.stands.before().map(text),
        };
        found.into_iter().map(told).collect()
    }

    /// A run in the words of the model; its steps before the loop, those of the loop, and whether it ends.
    fn told(
        &self,
        (shown, domains): (&Shown, &Domains),
        interpreter: &Interpreter<'_>,
        system: &System<'_, '_>,
        configuration: &dyn Fn(LtsState) -> Option<Configuration>,
    ) -> Result<(crate::outcome::Trace, usize, usize, bool), Reason> {
        let lost =
            || Reason::NotReplayed { why: format!("`{}` does not do this again", self.name) };
        let begin = configuration(shown.begins).ok_or_else(lost)?;
        let mut steps: Vec<Step> = Vec::with_capacity(shown.steps.len());
        for (done, to) in &shown.steps {
            let at = steps.last().map_or(&begin, |step| &step.target);
            let target = configuration(*to).ok_or_else(lost)?;
            let possible = interpreter.steps(at).map_err(|gap| told_gap(&gap, 0))?;
            let fits = |step: &Step| step.target == target && system.is(*done, step);
            steps.push(possible.steps.into_iter().find(fits).ok_or_else(lost)?);
        }
        let last = steps.last().map_or(&begin, |step| &step.target);
        let (ending, before, round, ends) = match &shown.end {
            ShownEnd::Round(start) => (Ending::Loop(*start), *start, steps.len() - start, false),
            ShownEnd::Decided(text, holds) => {
                let text = one_line(self.checked.sources.text(*text));
                (Ending::Decided(text, *holds), steps.len(), 0, false)
            }
            ShownEnd::Ends => {
                let possible = interpreter.steps(last).map_err(|gap| told_gap(&gap, 0))?;
                if possible.steps.iter().any(|step| step.holes.is_empty()) {
                    return Err(lost());
                }
                let ending = match (possible.steps.is_empty(), interpreter.is_final(last)) {
                    (false, _) => Ending::Waits,
                    (true, true) => Ending::Finished,
                    (true, false) => Ending::Deadlock,
                };
                (ending, steps.len(), 0, true)
            }
        };
        self.last.replace(Some(last.clone()));
        let steps = self.as_told(&begin, steps, domains).ok_or_else(lost)?;
        let run = (&begin, steps.as_slice());
        let net = self.told.unwrap_or(self.net);
        let told = simulate::tell(self.checked, (net, self.name), run, ending);
        Ok((told, before, round, ends))
    }

    /// What is to be known about a verdict on a net with holes.
    fn noted(&self, mut outcome: Outcome) -> Outcome {
        let known = outcome.verdict != Verdict::Unknown;
        if known && !self.net.holes.is_empty() && asks_of_some(&self.formula.says) {
            outcome.notes.push(Note::Cooperates);
        }
        outcome
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a formula says something of all runs from where the net begins, and nothing of others on the way.
fn is_linear(formula: &StateFormula) -> bool {
    match formula {
        StateFormula::Text(_, inner) => is_linear(inner),
        StateFormula::Path(crate::temporal::Runs::All, path) => {
            path.states().into_iter().all(|state| !state.speaks_of_steps())
        }
        StateFormula::And(parts) => parts.iter().all(is_linear),
        _ => false,
    }
}

/// Whether it says that some run does something, so that one run is a proof.
fn is_of_some(formula: &StateFormula) -> bool {
    match formula {
        StateFormula::Text(_, inner) => is_of_some(inner),
        StateFormula::Path(runs, path) => {
            *runs == crate::temporal::Runs::Some
                && path
                    .states()
                    .into_iter()
                    .all(|state| !state.speaks_of_steps() || is_of_some(state))
        }
        StateFormula::Diamond(modality) => {
            is_of_some(&modality.then) || !modality.then.speaks_of_steps()
        }
        StateFormula::Or(parts) => parts.iter().all(is_of_some),
        _ => false,
    }
}

/// Whether it asks for something that a hole may have to do: `E`, `<p>`, or the opposites of `A` and `[p]`.
fn asks_of_some(formula: &StateFormula) -> bool {
    fn asks(formula: &StateFormula, not: bool) -> bool {
        match formula {
            StateFormula::Not(inner) => asks(inner, !not),
            StateFormula::Implies(one, other) => asks(one, !not) || asks(other, not),
            StateFormula::Diamond(modality) => !not || asks(&modality.then, not),
            StateFormula::Box(modality) => not || asks(&modality.then, not),
            StateFormula::Path(runs, path) => {
                (*runs == crate::temporal::Runs::Some) != not || path_asks(path, not)
            }
            other => other.inside().into_iter().any(|inner| asks(inner, not)),
        }
    }
    fn path_asks(path: &PathFormula, not: bool) -> bool {
        match path {
            PathFormula::State(formula) => asks(formula, not),
            PathFormula::Not(inner) => path_asks(inner, !not),
            PathFormula::Implies(one, other) => path_asks(one, !not) || path_asks(other, not),
            other => other.inside().into_iter().any(|inner| path_asks(inner, not)),
        }
    }
    asks(formula, false)
}

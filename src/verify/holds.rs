//! `check holds(S, f)`: temporal formulas of nets.
//!
//! Where a net has finitely many configurations, all of them are gone through, and the formula is decided on what was found. A run
//! that shows why is made again by the plain interpreter before anybody sees it.

mod apart;
mod automaton;
mod observed;
mod system;
mod values;
mod written;

use std::cell::RefCell;

use num_bigint::BigInt;

use super::explored::{Effort, domains_of, limits_of, told_gap};
use super::failed;
use super::safety::Limited;
use crate::algebra::{ActionId, VarId};
use crate::base::Watch;
use crate::diagnostics::{Diagnostic, Span};
use crate::explore::compiled::Compiled;
use crate::explore::naive::Interpreter;
use crate::explore::search::SearchLimits;
use crate::explore::{Configuration, Domains, Step, Value};
use crate::finite::{Growing, NotUnfolded};
use crate::lts::LtsState;
use crate::model::{Checked, ModelOptions, Wanted};
use crate::outcome::{
    Evidence, ExploreLimit, Extent, Note, Outcome, Reason, RunEnd, Statistics, Vacuity, Verdict,
};
use crate::pnet::{PNet, path_inside};
use crate::sema::program::{CheckDef, Instance};
use crate::simulate::{self, Ending};
use crate::temporal::{
    Decider, FiniteSystem, Formula, PathFormula, Shown, ShownEnd, StateFormula, Strengthened,
    Undecided, Walk, decided, decided_walking, strengthened,
};

use self::system::System;

pub(super) use self::apart::check as apart;
pub(super) use self::automaton::{fixpoints, remade};
pub(super) use self::system::{constants, constants_of_values};
pub(super) use self::values::values_of;

/// How many steps are looked at, all in all, to find parts of a formula that do not matter; by each part of a formula once.
const MOST_WORK: u64 = 2_000_000;

/// So many parts of a formula are as much work as one look at all steps.
const PARTS: u64 = 8;

/// One of so many shares of the time that is left goes into finding parts that do not matter.
const MATTERS: u32 = 4;

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
    let whole =
        Asked { checked, options, net: &net, name, formula: &formula, about, told: None, last };
    let stilled = match checked.stilled(check, (&net, &formula), &options.elaborate) {
        Ok(stilled) => stilled,
        Err(why) => return Ok(Outcome::unknown(Reason::UnclearProperty { why: why.to_string() })),
    };
    let Some((stilled, formula)) = stilled else { return Ok(whole.answered(watch)) };
    let told = Some(Told { net: &net, still: &stilled.still });
    Ok(Asked { net: &stilled.net, formula: &formula, told, ..whole }.answered(watch))
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
    /// The net that is told of, where another one is looked at.
    told: Option<Told<'a>>,
    /// Where the run that was shown came to.
    last: RefCell<Option<Configuration>>,
}

/// The net that somebody asked about. It has the same components, and steps with the same vectors.
#[derive(Clone, Copy)]
struct Told<'a> {
    net: &'a PNet,
    /// Variables that stay as they begin in the net that is looked at.
    still: &'a [VarId],
}

impl Told<'_> {
    /// The same beginning and the same steps, of the net that is told of.
    fn run(
        &self,
        begin: &Configuration,
        steps: &[Step],
        domains: &Domains,
    ) -> Option<(Configuration, Vec<Step>)> {
        // What nobody looks at has the value that was put for it.
        let mut domains = domains.clone();
        if domains.integers.is_none() {
            domains.also.push(BigInt::from(0));
            domains.also.extend(steps.iter().flat_map(|step| integers(&step.action)));
            domains.only_these = true;
        }
        let begin = self.begin(begin, &domains)?;
        let interpreter = Interpreter::new(self.net, domains);
        let mut told: Vec<Step> = Vec::with_capacity(steps.len());
        for step in steps {
            let at = told.last().map_or(&begin, |step| &step.target);
            let possible = interpreter.steps(at).ok()?.steps;
            let same = |one: &Step| {
                one.vectors == step.vectors
                    && self.same(&one.target, &step.target)
                    && (self.still.is_empty() || head(&one.action) == head(&step.action))
            };
            told.push(possible.into_iter().find(same)?);
        }
        Some((begin, told))
    }

    /// The same beginning, with values for constants of which only variables are made that stay as they begin.
    fn begin(&self, begin: &Configuration, domains: &Domains) -> Option<Configuration> {
        if Interpreter::new(self.net, domains.clone()).begins_at(begin) == Ok(true) {
            return Some(begin.clone());
        }
        let mut domains = domains.clone();
        if domains.integers.is_none() {
            let known = begin.constants.iter().flatten();
            let known = known.chain(begin.values.iter().flatten());
            domains.also.extend(known.filter_map(|value| match value {
                Value::Int(number) => Some(number.clone()),
                _ => None,
            }));
            // Constants have the values that the axioms name, or others near them.
            let axioms = self.net.algebra.axioms.iter().chain(&self.net.granted).copied();
            for inside in self.net.terms.inside(axioms) {
                if let Some(number) = self.net.terms.as_int(inside) {
                    domains.also.extend((-1..=1).map(|near: i32| number + near));
                }
            }
        }
        let initial = Interpreter::new(self.net, domains).initial().ok()?;
        initial.configurations.into_iter().find(|at| self.same(at, begin))
    }

    /// The names of the variables that stay as they begin.
    fn names(&self) -> Vec<String> {
        let leaves = self.net.leaves();
        let inside = leaves.iter().flat_map(|(path, leaf)| {
            let variables = self.net.plts[*leaf].variables.iter().map(|(var, _)| *var);
            variables.filter(|var| self.still.contains(var)).map(move |var| (path, var))
        });
        inside.map(|(path, var)| path_inside(path, self.net.terms.var(var).name.as_str())).collect()
    }

    /// Whether a configuration is the same as one of the net that is looked at, in what counts there.
    fn same(&self, one: &Configuration, other: &Configuration) -> bool {
        let constants = one.constants.iter().zip(other.constants.iter());
        let known =
            |(one, other): (&Option<Value>, &Option<Value>)| other.is_none() || one == other;
        let other = Configuration { constants: one.constants.clone(), ..other.clone() };
        constants.into_iter().all(known)
            && simulate::different(self.net, one, &other)
                .is_some_and(|all| all.iter().all(|(var, _)| self.still.contains(var)))
    }
}

impl Asked<'_> {
    /// What is found out about it.
    fn answered(&self, watch: &dyn Watch) -> Outcome {
        let outcome = match self.observed() {
            Some(observed) => self.by_whoever_can(&observed, watch),
            None => self.by_configurations(watch).or_else(|why| {
                // Where configurations have no end, sets of them may still be told by conditions.
                match self.by_automaton(watch) {
                    Err(_) if matches!(why, Reason::Stopped) => Err(why),
                    symbolic => symbolic,
                }
            }),
        };
        self.noted(outcome.unwrap_or_else(Outcome::unknown))
    }

    /// Goes through all configurations.
    fn by_configurations(&self, watch: &dyn Watch) -> Result<Outcome, Reason> {
        let (domains, tried) = domains_of(self.net, &self.options.explore);
        let domains = domains.about(constants(self.net, self.formula));
        let machine = Compiled::new(self.net, &domains);
        let limits = limits_of(&self.options.explore, Effort::MUCH);
        let interpreter = Interpreter::new(self.net, domains.clone());
        let grown = Growing::new(&machine, &limits, watch).map_err(|why| not_unfolded(&why))?;
        let mut system = System::new(grown, self.formula, &interpreter);
        let (says, fair) = (&self.formula.says, self.formula.fair.as_slice());
        // Where one configuration after the other is enough, a run that shows something may be near.
        let walks = Walk::decides(says) && limits.most_depth == u64::MAX && !system.is_apart();
        let found = match walks {
            true => decided_walking(&mut Walk::new(&mut system, fair), says),
            false => system
                .whole(limits.most_depth)
                .and_then(|mut explicit| self.on_whole((&mut explicit, &mut system), says)),
        };
        let (holds, shown) = found.map_err(|why| match (system.failed(), why) {
            (Some(why), _) => not_unfolded(&why),
            (None, Undecided::Gap(gap)) => told_gap(&gap, 0),
            (None, Undecided::Stopped) => Reason::Stopped,
            (None, why) => Reason::UnclearProperty { why: why.to_string() },
        })?;
        let limited = system.is_limited();
        // What was found stands by itself; how much there is in all is only told.
        let needed = system.extent();
        if walks && needed.reduced {
            system.complete();
        }
        let all = system.extent();
        let extent = if all.reduced { needed } else { all };
        let told = shown.map(|shown| {
            let configuration = |at: LtsState| system.configuration(at);
            let told = self.told((&shown, &domains), &interpreter, &system, &configuration);
            told.map(|told| (told, self.is_real(&shown, &system)))
        });
        let (verdict, mut reason) = match holds {
            true => (Verdict::Proved, Reason::Explored(extent)),
            false => (Verdict::Refuted, Reason::FormulaFails(extent)),
        };
        let mut evidence = Evidence::None;
        let mut real = !limited;
        match told {
            Some(Ok(((found, steps, round), is_real))) => {
                // With values that were not tried there may be more runs, and other ends.
                real |= !holds && is_linear(says) && is_real;
                reason = match is_at_first(&found, says) && !holds {
                    true => Reason::FalseAtFirst,
                    false => Reason::OneRun { steps, round, shows: holds },
                };
                evidence = Evidence::Run(Box::new(found));
            }
            Some(Err(why)) => return Err(why),
            None => {}
        }
        if !real {
            return Err(Reason::NotFound { extent, limit: ExploreLimit::Domains(tried) });
        }
        // That something is so of all runs is shown by all of them.
        if holds && !is_of_some(says) {
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
            (true, _) => {
                let size = extent.transitions + extent.states;
                self.without_matter((&machine, &limits), &interpreter, size, watch)
            }
        };
        Ok(Outcome { statistics, vacuous, evidence, ..Outcome::new(verdict, reason) })
    }

    /// Whether a formula holds wherever the net begins, with a run that shows it.
    fn on_whole(
        &self,
        (explicit, system): (&mut FiniteSystem, &mut System<'_, '_>),
        says: &StateFormula,
    ) -> Result<(bool, Option<Shown>), Undecided> {
        let mut found = (true, None);
        for (choice, begins) in system.begins_by_choice().into_iter().enumerate() {
            system.choose(choice);
            explicit.begins = begins;
            found = decided(&mut Decider::new(explicit, system, &self.formula.fair), says)?;
            if !found.0 {
                break;
            }
        }
        Ok(found)
    }

    /// The parts of the formula that do not matter, of a net with so many configurations and steps.
    fn without_matter(
        &self,
        (machine, limits): (&Compiled<'_>, &SearchLimits),
        interpreter: &Interpreter<'_>,
        size: u64,
        watch: &dyn Watch,
    ) -> Vec<Vacuity> {
        // What holds is known: it is not lost when the time is up.
        let budget = watch.budget().share_of_time(MATTERS);
        let (_here, limited) = (budget.enter(), Limited { watch, budget: budget.clone() });
        let mut left = MOST_WORK / size.max(1);
        let stronger = self.stronger(self.formula).take_while(|one| {
            let enough = left > 0;
            left = left.saturating_sub(parts_of(&one.says).div_ceil(PARTS));
            enough
        });
        let mut stronger = stronger.peekable();
        if stronger.peek().is_none() {
            return Vec::new();
        }
        let Ok(grown) = Growing::new(machine, limits, &limited) else { return Vec::new() };
        let mut system = System::new(grown, self.formula, interpreter);
        let Ok(mut explicit) = system.whole(limits.most_depth) else { return Vec::new() };
        let mut holds = |says: &StateFormula| {
            let found = self.on_whole((&mut explicit, &mut system), says);
            found.is_ok_and(|(holds, _)| holds)
        };
        self.no_matter(stronger, &mut holds)
    }

    /// The formula with parts that say as much as they can; none where fixpoints have parameters. Texts of this model alone, since what
    /// a library says is not for those to change who use it.
    fn stronger<'f>(&'f self, formula: &'f Formula) -> Box<dyn Iterator<Item = Strengthened> + 'f> {
        // A part may be what keeps parameters from growing for ever.
        let counts = |part: &StateFormula| match part {
            StateFormula::Fix { params, .. } => !params.is_empty(),
            _ => false,
        };
        if formula.says.any(&mut |part| counts(part)) {
            return Box::new(std::iter::empty());
        }
        let own = |one: &Strengthened| {
            let file = self.checked.sources.file_of(one.part);
            file.is_some_and(|file| file.name() == self.checked.root)
        };
        Box::new(strengthened(&formula.says).filter(own))
    }

    /// The parts that do not matter, the largest ones.
    fn no_matter(
        &self,
        stronger: impl Iterator<Item = Strengthened>,
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

    /// Whether a run is one of the net whatever values were not tried: it ends only where nothing else is possible, and with fairness
    /// goes round only where it is known what is.
    fn is_real(&self, shown: &Shown, system: &System<'_, '_>) -> bool {
        let states: Vec<LtsState> =
            [shown.begins].into_iter().chain(shown.steps.iter().map(|step| step.1)).collect();
        match shown.end {
            ShownEnd::Ends => states.last().is_none_or(|at| !system.is_limited_at(*at)),
            ShownEnd::Round(start) => {
                let mut round = states.iter().skip(start);
                self.formula.fair.is_empty() || round.all(|at| !system.is_limited_at(*at))
            }
            ShownEnd::Decided(..) => true,
        }
    }

    /// A run in the words of the model; its steps before the loop, and those of the loop.
    fn told(
        &self,
        (shown, domains): (&Shown, &Domains),
        interpreter: &Interpreter<'_>,
        system: &System<'_, '_>,
        configuration: &dyn Fn(LtsState) -> Option<Configuration>,
    ) -> Result<(crate::outcome::Trace, usize, usize), Reason> {
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
        let (ending, before, round) = match &shown.end {
            ShownEnd::Round(start) => (Ending::Loop(*start), *start, steps.len() - start),
            ShownEnd::Decided(text, holds) => {
                let text = one_line(self.checked.sources.text(*text));
                (Ending::Decided(text, *holds), steps.len(), 0)
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
                (ending, steps.len(), 0)
            }
        };
        self.last.replace(Some(last.clone()));
        let (net, begin, steps, ending) =
            told_of(self.told, self.net, (&begin, steps, domains), ending).ok_or_else(lost)?;
        let run = (&begin, steps.as_slice());
        let told = simulate::tell(self.checked, (net, self.name), run, ending);
        Ok((told, before, round))
    }

    /// What is to be known about a verdict on a net with holes.
    fn noted(&self, mut outcome: Outcome) -> Outcome {
        let known = outcome.verdict != Verdict::Unknown;
        if known && !self.net.holes.is_empty() && asks_of_some(&self.formula.says) {
            outcome.notes.push(Note::Cooperates);
        }
        let left_out = self.told.map(|told| told.names()).unwrap_or_default();
        if known && !left_out.is_empty() {
            outcome.notes.push(Note::LeftOut { variables: left_out });
        }
        outcome
    }
}

/// The numbers in what is done.
fn integers(action: &Value) -> Vec<BigInt> {
    let (mut found, mut work) = (Vec::new(), vec![action]);
    while let Some(value) = work.pop() {
        match value {
            Value::Int(number) => found.push(number.clone()),
            Value::Act(_, args) | Value::Data(_, _, args) => work.extend(args),
            Value::Sync(inner) | Value::Co(inner) => work.push(inner),
            _ => {}
        }
    }
    found
}

/// What is done, whatever its arguments are.
fn head(action: &Value) -> Option<(ActionId, usize)> {
    let (mut action, mut depth) = (action, 1);
    loop {
        match action {
            Value::Act(id, _) => return Some((*id, depth)),
            Value::Sync(inner) => (action, depth) = (inner, 2 * depth + 1),
            Value::Co(inner) => (action, depth) = (inner, 2 * depth),
            _ => return None,
        }
    }
}

/// A run as it is told: the net, its steps there, and how it ends.
fn told_of<'n>(
    told: Option<Told<'n>>,
    net: &'n PNet,
    (begin, steps, domains): (&Configuration, Vec<Step>, &Domains),
    ending: Ending,
) -> Option<(&'n PNet, Configuration, Vec<Step>, Ending)> {
    let Some(told) = told else { return Some((net, begin.clone(), steps, ending)) };
    let (begin, steps) = told.run(begin, &steps, domains)?;
    let Ending::Loop(start) = ending else { return Some((told.net, begin, steps, ending)) };
    let at = |number: usize| match number.checked_sub(1) {
        None => Some(&begin),
        Some(before) => steps.get(before).map(|step| &step.target),
    };
    let differ = simulate::different(told.net, at(start)?, at(steps.len())?)?;
    let ending = match differ.is_empty() {
        true => Ending::Loop(start),
        false => Ending::Alike(start, differ.into_iter().map(|(_, name)| name).collect()),
    };
    Some((told.net, begin, steps, ending))
}

fn not_unfolded(why: &NotUnfolded) -> Reason {
    match why {
        NotUnfolded::Gap(gap) => told_gap(gap, 0),
        NotUnfolded::Nothing => Reason::AxiomsContradict,
        NotUnfolded::TooMany { most } => {
            let extent = Extent { states: *most, transitions: 0, depth: 0, reduced: false };
            Reason::NotFound { extent, limit: ExploreLimit::States }
        }
        NotUnfolded::Spent(_) => Reason::Stopped,
        other => Reason::NotReplayed { why: other.to_string() },
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many parts a formula has.
fn parts_of(formula: &StateFormula) -> u64 {
    let mut count = 0;
    formula.any(&mut |_| {
        count += 1;
        false
    });
    count
}

/// Whether what is shown is no run: a formula that says nothing of runs is decided where the net begins.
fn is_at_first(shown: &crate::outcome::Trace, says: &StateFormula) -> bool {
    let of_runs = matches!(without_text(says), StateFormula::Path(..));
    shown.steps.is_empty() && matches!(shown.end, RunEnd::Decided { .. }) && !of_runs
}

fn without_text(formula: &StateFormula) -> &StateFormula {
    match formula {
        StateFormula::Text(_, inner) => without_text(inner),
        other => other,
    }
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
                && (ends_so(path)
                    || path
                        .states()
                        .into_iter()
                        .all(|state| !state.speaks_of_steps() || is_of_some(state)))
        }
        StateFormula::Diamond(modality) => {
            is_of_some(&modality.then) || !modality.then.speaks_of_steps()
        }
        StateFormula::Or(parts) => parts.iter().all(is_of_some),
        _ => false,
    }
}

/// Whether a run shows what is said by where it comes to: it is seen there, and nothing is said of others on the way.
fn ends_so(path: &PathFormula) -> bool {
    let is_plain = |path: &PathFormula| path.states().into_iter().all(|one| !one.speaks_of_steps());
    match path {
        PathFormula::Text(_, inner) => ends_so(inner),
        PathFormula::Finally(inner) => is_state(inner),
        PathFormula::Until(left, right) => is_plain(left) && is_state(right),
        _ => false,
    }
}

/// Whether it is about a configuration alone.
fn is_state(path: &PathFormula) -> bool {
    match path {
        PathFormula::Text(_, inner) => is_state(inner),
        path => matches!(path, PathFormula::State(_)),
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

//! Scenarios: whether a net can make a run with these steps, or no run has them.
//!
//! A run is followed together with how far the scenario is: a part of it is done by a step that fits, by any steps where it
//! has a gap, or by a configuration in which a demand holds. Silent steps are free in between. A scenario is possible by a
//! run that was found, and made again by the plain interpreter; it is not where all runs were followed as far as they go.

use rustc_hash::{FxHashMap, FxHashSet};

use super::actions::{self, Fitting};
use super::explored::{Effort, Tried, domains_of, limits_of, told_gap};
use super::{ModelOptions, failed};
use crate::algebra::ConstId;
use crate::base::Watch;
use crate::diagnostics::Diagnostic;
use crate::explore::compiled::Compiled;
use crate::explore::naive::Interpreter;
use crate::explore::search::{Ended, Guided, Observer, guided};
use crate::explore::{Configuration, Constants, Domains, Gap, Machine, Packed, Value};
use crate::model::{Checked, Wanted};
use crate::outcome::{Evidence, ExploreLimit, Extent, Outcome, Reason, Verdict};
use crate::pnet::PNet;
use crate::sema::program::{LocalId, PatternKind, ScenarioDef, ScenarioStepKind};
use crate::simulate::{self, Ending};

/// What stands before the `{` of a scenario, on one line.
pub fn claim(checked: &Checked, scenario: &ScenarioDef) -> String {
    let words = checked.sources.text(scenario.head).split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

/// Answers a scenario. An error means that the net it speaks of cannot be elaborated.
pub fn run(
    checked: &Checked,
    scenario: &ScenarioDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let budget = watch.budget();
    let _here = budget.enter();
    let net = checked.net(Wanted::Scenario(scenario), &options.elaborate).map_err(failed);
    let net = match net {
        Err(_) if budget.spent().is_some() => return Ok(Outcome::unknown(Reason::Stopped)),
        net => net?,
    };
    let (domains, tried) = domains_of(&net, &options.explore);
    let domains = domains.about(constants_of(checked, scenario, options, &net));
    let asked = Asked { checked, scenario, options, net: &net, domains, tried };
    let outcome = match asked.answered(watch) {
        Ok(Tried::Settled(outcome)) => outcome,
        Ok(Tried::Open(why)) => Outcome::unknown(why),
        Err(gap) => Outcome::unknown(told_gap(&gap, 0)),
    };
    let outcome = match scenario.negated {
        true => Outcome { verdict: outcome.verdict.opposite(), ..outcome },
        false => outcome,
    };
    Ok(super::unless_spent(outcome, &budget))
}

/// The symbolic constants that a scenario speaks of.
fn constants_of(
    checked: &Checked,
    scenario: &ScenarioDef,
    options: &ModelOptions,
    net: &PNet,
) -> FxHashSet<ConstId> {
    let locals = scenario.locals.as_slice();
    let actions = actions::Asked { checked, locals, options, net };
    let of_step = |kind: &ScenarioStepKind| match kind {
        ScenarioStepKind::Action(pattern) => actions.constants_of(pattern),
        ScenarioStepKind::Gap => FxHashSet::default(),
        ScenarioStepKind::Demand(demand) => {
            let property = checked.property((demand, locals, &[]), net, &options.elaborate);
            property.map_or_else(|_| FxHashSet::default(), |one| one.constants(&net.algebra))
        }
    };
    scenario.steps.iter().flat_map(|step| of_step(&step.kind)).collect()
}

/// A scenario, and what it is about.
struct Asked<'a> {
    checked: &'a Checked,
    scenario: &'a ScenarioDef,
    options: &'a ModelOptions,
    net: &'a PNet,
    domains: Domains,
    tried: Vec<String>,
}

impl Asked<'_> {
    fn answered(&self, watch: &dyn Watch) -> Result<Tried, Gap> {
        let machine = Compiled::new(self.net, &self.domains);
        let interpreter = Interpreter::new(self.net, self.domains.clone());
        let mut follower = Follower {
            asked: self,
            machine: &machine,
            interpreter: &interpreter,
            begins: interpreter.initial()?.configurations,
            fits: FxHashMap::default(),
            without_value: false,
        };
        let limits = limits_of(&self.options.explore, Effort::ALL);
        let Some(found) = guided(&machine, &mut follower, &limits, watch)? else {
            return Ok(Tried::Open(self.no_beginning(machine.initial()?.1)));
        };
        let without_value = follower.without_value;
        Ok(self.told(&machine, &interpreter, &found, without_value))
    }

    fn told(
        &self,
        machine: &Compiled<'_>,
        interpreter: &Interpreter<'_>,
        found: &Guided<Progress>,
        without_value: bool,
    ) -> Tried {
        let path: Vec<Configuration> = found.way.iter().map(|one| machine.decode(one)).collect();
        let steps = path.len() - 1;
        let extent = Extent {
            states: found.counts.states,
            transitions: found.counts.transitions,
            depth: steps as u64,
            reduced: false,
        };
        let (verdict, reason) = match found.ended {
            Ended::Found => (Verdict::Proved, Reason::ScenarioRuns { steps }),
            ended => match self.open(found, ended, extent, without_value) {
                Some(why) => return Tried::Open(why),
                None => (Verdict::Refuted, self.stops(found.last.done, extent)),
            },
        };
        match simulate::follow(interpreter, &path) {
            Err(why) => Tried::Open(Reason::NotReplayed { why: why.to_string() }),
            Ok(steps) => {
                let name = self.checked.sources.text(self.scenario.net.span);
                let run = (&path[0], steps.as_slice());
                let ending = path.last().map(|last| simulate::ending(interpreter, last));
                let ending = ending.unwrap_or(Ending::Open);
                let told = simulate::tell(self.checked, (self.net, name), run, ending);
                let evidence = Evidence::Run(Box::new(told));
                Tried::Settled(Outcome { evidence, ..Outcome::new(verdict, reason) })
            }
        }
    }

    /// Why there is nowhere to begin: values that were left out may be the ones that the axioms allow.
    fn no_beginning(&self, limited: bool) -> Reason {
        match limited {
            false => Reason::AxiomsContradict,
            true => {
                let extent = Extent { states: 0, transitions: 0, depth: 0, reduced: false };
                Reason::NotFound { extent, limit: ExploreLimit::Domains(self.tried.clone()) }
            }
        }
    }

    /// Why it is not known whether there is such a run, if it is not.
    fn open(
        &self,
        found: &Guided<Progress>,
        ended: Ended,
        extent: Extent,
        without_value: bool,
    ) -> Option<Reason> {
        if let Some(gap) = &found.gap {
            return Some(told_gap(gap, 0));
        }
        if without_value {
            return Some(Reason::DemandWithoutValue);
        }
        let limit = match ended {
            Ended::States => ExploreLimit::States,
            Ended::Depth => ExploreLimit::Depth,
            Ended::Spent(_) => ExploreLimit::Budget,
            Ended::Complete | Ended::Found if found.limited => {
                ExploreLimit::Domains(self.tried.clone())
            }
            Ended::Complete | Ended::Found => return None,
        };
        Some(Reason::NotFound { extent, limit })
    }

    fn stops(&self, done: usize, extent: Extent) -> Reason {
        let part = self.scenario.steps.get(done);
        let text = part.map_or("", |part| self.checked.sources.text(part.span));
        let stops_at = text.trim_end_matches(';').trim().to_owned();
        Reason::ScenarioStops { done, stops_at, extent }
    }
}

/// How far a scenario is: the parts that are done, and what its names stand for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Progress {
    done: usize,
    bound: Vec<(LocalId, Value)>,
    /// The values of symbolic constants; nothing before it is known where the run begins.
    constants: Option<Constants>,
}

impl Progress {
    /// One more part is done.
    fn next(&self, bound: Vec<(LocalId, Value)>) -> Progress {
        Progress { done: self.done + 1, bound, constants: self.constants.clone() }
    }
}

/// Steps that were looked at: a part of the scenario, what was bound, and what the step shows.
type Looked = (Progress, Box<[u64]>);

/// Follows a scenario.
struct Follower<'a> {
    asked: &'a Asked<'a>,
    machine: &'a Compiled<'a>,
    interpreter: &'a Interpreter<'a>,
    /// Where it may begin.
    begins: Vec<Configuration>,
    /// What came of steps, which show the same again and again.
    fits: FxHashMap<Looked, Vec<Progress>>,
    /// Whether a demand read what has no value.
    without_value: bool,
}

impl Follower<'_> {
    /// Whether a demand holds in a configuration.
    fn holds(&mut self, at: &[u64], progress: &Progress) -> Result<bool, Gap> {
        let Asked { checked, scenario, options, net, .. } = self.asked;
        let Some(ScenarioStepKind::Demand(demand)) =
            scenario.steps.get(progress.done).map(|step| &step.kind)
        else {
            return Ok(false);
        };
        let asked = (demand, scenario.locals.as_slice(), progress.bound.as_slice());
        let Ok(property) = checked.property(asked, net, &options.elaborate) else {
            self.without_value = true;
            return Ok(false);
        };
        let held = self.interpreter.holds(&self.machine.decode(at), &property)?;
        self.without_value |= held.is_none();
        Ok(held == Some(true))
    }

    fn look(&self, progress: &Progress, label: &[u64]) -> Result<Vec<Progress>, Gap> {
        let action = self.machine.label(label).0;
        let mut after = Vec::new();
        let Some(part) = self.asked.scenario.steps.get(progress.done) else { return Ok(after) };
        if action.is_silent() || matches!(part.kind, ScenarioStepKind::Gap) {
            after.push(progress.clone());
        }
        let ScenarioStepKind::Action(pattern) = &part.kind else { return Ok(after) };
        // `tau` demands a silent step, whichever it is.
        let bound = match pattern.kind {
            PatternKind::Tau => action.is_silent().then(|| progress.bound.clone()),
            _ => {
                self.fitting(progress, |fitting| fitting.fits(pattern, &progress.bound, &action))?
            }
        };
        if let Some(bound) = bound {
            after.push(progress.next(bound));
        }
        Ok(after)
    }

    fn fitting<T>(
        &self,
        progress: &Progress,
        ask: impl FnOnce(&Fitting<'_>) -> Result<T, Gap>,
    ) -> Result<T, Gap> {
        let Asked { checked, scenario, options, .. } = self.asked;
        let begins_so = |at: &&Configuration| Some(&at.constants) == progress.constants.as_ref();
        let Some(at) = self.begins.iter().find(begins_so) else { return Err(Gap::Stopped) };
        let locals = scenario.locals.as_slice();
        ask(&Fitting { checked, locals, options, interpreter: self.interpreter, at })
    }
}

impl Observer for Follower<'_> {
    type State = Progress;

    fn begin(&self) -> Progress {
        Progress { done: 0, bound: Vec::new(), constants: None }
    }

    fn settled(&mut self, state: &Progress, at: &[u64]) -> Result<Vec<Progress>, Gap> {
        let known = || self.machine.decode(at).constants;
        let constants = Some(state.constants.clone().unwrap_or_else(known));
        let mut all = vec![Progress { constants, ..state.clone() }];
        loop {
            let last = &all[all.len() - 1].clone();
            let moves_on = match self.asked.scenario.steps.get(last.done).map(|step| &step.kind) {
                Some(ScenarioStepKind::Gap) => true,
                Some(ScenarioStepKind::Demand(_)) => self.holds(at, last)?,
                _ => false,
            };
            if !moves_on {
                return Ok(all);
            }
            all.push(last.next(last.bound.clone()));
        }
    }

    fn after(&mut self, state: &Progress, label: &[u64]) -> Result<Vec<Progress>, Gap> {
        let key: Looked = (state.clone(), Packed::from(label));
        if let Some(known) = self.fits.get(&key) {
            return Ok(known.clone());
        }
        let found = self.look(state, label)?;
        self.fits.insert(key, found.clone());
        Ok(found)
    }

    fn rank(&self, state: &Progress) -> usize {
        state.done
    }

    fn accepts(&self, state: &Progress) -> bool {
        state.done == self.asked.scenario.steps.len()
    }
}

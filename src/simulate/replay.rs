//! A run that was saved, followed by the plain interpreter. What is in the file is compared with what the model says; nothing
//! in it is believed.

use thiserror::Error;

use super::mentioned::Mentioned;
use super::play::stuck;
use super::{Ending, Sought, Teller, different};
use crate::algebra::VarId;
use crate::base::budget;
use crate::emit::trace::{ACTION, itf_state};
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Step};
use crate::outcome::{Component, Equation, Place, RunEnd, Trace, TraceStep};
use crate::pnet::PNet;

/// A run of the model.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Where it begins.
    pub begin: Configuration,
    /// The steps.
    pub steps: Vec<Step>,
    /// Whether what is said of its end was looked at, too.
    pub end_checked: bool,
}

/// Where a run deviates from the model.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotReplayed {
    /// It is about other components.
    #[error("it is not a run of this net: {why}")]
    OtherNet {
        /// In what they differ.
        why: String,
    },
    /// It begins elsewhere.
    #[error("it does not begin where the net does: {why}")]
    Begin {
        /// In what they differ.
        why: String,
    },
    /// A step is not possible.
    #[error("step {number}, `{action}`, is not possible there: {why}")]
    Step {
        /// Its number.
        number: usize,
        /// What it shows.
        action: String,
        /// Why not.
        why: String,
    },
    /// The end is not what it is said to be.
    #[error("its end is not what it says: {why}")]
    End {
        /// In what they differ.
        why: String,
    },
    /// It is not known what is possible.
    #[error("it cannot be followed beyond step {number}: {gap}")]
    Unknown {
        /// How many steps were followed.
        number: usize,
        /// Why.
        gap: Gap,
    },
    /// Something is missing in it.
    #[error("it is not complete: {why}")]
    Incomplete {
        /// What.
        why: String,
    },
}

impl NotReplayed {
    /// Whether it is only not known, because of what is not tried or not computed.
    pub fn is_unknown(&self) -> bool {
        matches!(self, NotReplayed::Unknown { .. })
    }
}

/// Follows a run.
pub fn replay(
    (interpreter, teller): (&Interpreter<'_>, &Teller<'_>),
    trace: &Trace,
    goal: Option<&Sought>,
) -> Result<Replayed, NotReplayed> {
    let begin = begin((interpreter, teller), trace)?;
    let budget = budget::here();
    let mut run = Replayed { begin, steps: Vec::new(), end_checked: true };
    for (at, wanted) in trace.steps.iter().enumerate() {
        let unknown = |gap: Gap| NotReplayed::Unknown { number: at, gap };
        if budget.is_spent() {
            return Err(unknown(Gap::Stopped));
        }
        let here = run.last();
        // What came from outside may be a value that nobody would try.
        let (possible, untold) =
            Mentioned::steps_like(wanted, interpreter, here).map_err(unknown)?;
        let told = |step: &Step| teller.step(here, step);
        let found = possible.steps.iter().position(|step| is_same(&told(step), wanted));
        let Some(found) = found else {
            if let Some(gap) = untold {
                return Err(unknown(gap));
            }
            // What other holes could do says more about what is wrong.
            let all = Mentioned::of_step(wanted).steps(interpreter, here);
            let possible = all.map_or(possible, |(all, _)| all);
            let offered: Vec<TraceStep> = possible.steps.iter().map(told).collect();
            let action = wanted.action.as_ref().map_or("?", |action| &action.text).to_owned();
            let why = why_not(wanted, &offered, possible.limited);
            return Err(NotReplayed::Step { number: at + 1, action, why });
        };
        let mut steps = possible.steps;
        run.steps.push(steps.swap_remove(found));
    }
    run.end_checked = end((interpreter, teller), &run, &trace.end, goal)?;
    Ok(run)
}

impl Replayed {
    fn last(&self) -> &Configuration {
        self.steps.last().map_or(&self.begin, |step| &step.target)
    }
}

/// Where constants and variables can begin with more combinations of the numbers of a run, these are not tried.
pub(super) const MOST_TRIED: usize = 20_000;

// ---- the beginning ----

fn begin(
    (interpreter, teller): (&Interpreter<'_>, &Teller<'_>),
    trace: &Trace,
) -> Result<Configuration, NotReplayed> {
    let unknown = |gap: Gap| NotReplayed::Unknown { number: 0, gap };
    let mut mentioned = Mentioned::of_beginning(trace);
    let open = (trace.with.len() + trace.begins.len()) as u32;
    if mentioned.integers.len().checked_pow(open).is_none_or(|all| all > MOST_TRIED) {
        mentioned.integers.clear();
    }
    let initial = mentioned.tried(interpreter).initial().map_err(unknown)?.configurations;
    let is_it = |at: &&Configuration| {
        teller.constants(at) == trace.with
            && teller.components(at) == trace.components
            && teller.begins(at) == trace.begins
    };
    let holes = teller.net().holes.iter().map(|hole| hole.path.as_str());
    if !holes.eq(trace.holes.iter().map(String::as_str)) {
        return Err(NotReplayed::OtherNet { why: "it has other holes".to_owned() });
    }
    if let Some(found) = initial.iter().find(is_it) {
        return Ok(found.clone());
    }
    let Some(first) = initial.first() else {
        return Err(NotReplayed::Begin { why: "the net cannot begin at all".to_owned() });
    };
    let components = teller.components(first);
    if let Some(why) = other_net(&trace.components, &components) {
        return Err(NotReplayed::OtherNet { why });
    }
    // The one that differs least tells most.
    let differences = initial.iter().map(|at| {
        let mut all = unequal(&trace.with, &teller.constants(at), "");
        all.extend(differing(&trace.components, &teller.components(at)));
        all.extend(unequal(&trace.begins, &teller.begins(at), ""));
        all
    });
    let least = differences.min_by_key(Vec::len).unwrap_or_default();
    let why = least.into_iter().next().unwrap_or_else(|| "it has other values".to_owned());
    Err(NotReplayed::Begin { why })
}

/// In what the components are others.
fn other_net(found: &[Component], own: &[Component]) -> Option<String> {
    let has = |all: &[Component], path: &str| all.iter().any(|one| one.path == path);
    if let Some(one) = found.iter().find(|one| !has(own, &one.path)) {
        return Some(format!("it has no component `{}`", one.path));
    }
    if let Some(one) = own.iter().find(|one| !has(found, &one.path)) {
        return Some(format!("its component `{}` is missing", one.path));
    }
    let mut both =
        own.iter().filter_map(|one| Some((one, found.iter().find(|it| it.path == one.path)?)));
    both.find(|(own, found)| own.process != found.process).map(|(own, found)| {
        format!("`{}` is of `{}`, and not of `{}`", own.path, own.process, found.process)
    })
}

/// In what components differ.
fn differing(found: &[Component], own: &[Component]) -> Vec<String> {
    let mut all = Vec::new();
    for (found, own) in found.iter().zip(own) {
        if found.state != own.state {
            all.push(format!("`{}` is in `{}`, and not in `{}`", own.path, own.state, found.state));
        }
        all.extend(unequal(&found.variables, &own.variables, &own.path));
    }
    all
}

/// In what values differ.
fn unequal(found: &[Equation], own: &[Equation], path: &str) -> Vec<String> {
    let mut all = Vec::new();
    for one in own {
        let name = crate::pnet::path_inside(path, &one.what);
        match found.iter().find(|it| it.what == one.what) {
            None => all.push(format!("it says nothing of `{name}`")),
            Some(it) if it.value != one.value => {
                let said =
                    if it.value.text == one.value.text { "something else" } else { &it.value.text };
                all.push(format!("`{name}` is {}, and not {said}", one.value.text));
            }
            Some(_) => {}
        }
    }
    let more = found.iter().filter(|it| !own.iter().any(|one| one.what == it.what));
    all.extend(
        more.map(|it| format!("there is no `{}`", crate::pnet::path_inside(path, &it.what))),
    );
    all
}

// ---- steps ----

/// Who moves, from where to where.
pub(super) fn movers(step: &TraceStep) -> Vec<(&str, &str, &str)> {
    let parts = step.by.iter().flat_map(|by| &by.parts);
    let mut all: Vec<(&str, &str, &str)> =
        parts.map(|part| (part.part.as_str(), part.from.as_str(), part.to.as_str())).collect();
    all.sort_unstable();
    all
}

/// Whether two steps do the same. Lines may differ: a model may get a comment more.
fn is_same(own: &TraceStep, found: &TraceStep) -> bool {
    let nowhere = Place { file: None, line: 0 };
    let without_places = |step: &TraceStep| {
        let mut step = step.clone();
        for by in &mut step.by {
            by.vectors.iter_mut().for_each(|vector| vector.at = nowhere.clone());
            by.parts.iter_mut().for_each(|part| part.at = nowhere.clone());
        }
        TraceStep { net: String::new(), ..step }
    };
    without_places(own) == without_places(found)
}

/// Why none of the steps that are possible is the one that is wanted.
fn why_not(wanted: &TraceStep, offered: &[TraceStep], limited: bool) -> String {
    let text = |step: &TraceStep| step.action.as_ref().map_or(String::new(), |it| it.text.clone());
    let alike: Vec<&TraceStep> = offered.iter().filter(|one| one.action == wanted.action).collect();
    if let Some(one) = alike.first() {
        let closest = alike.iter().min_by_key(|one| differences(one, wanted).len()).unwrap_or(one);
        let why = differences(closest, wanted);
        return why.into_iter().next().unwrap_or_else(|| "it does something else".to_owned());
    }
    let mut actions: Vec<String> = offered.iter().map(|one| format!("`{}`", text(one))).collect();
    actions.dedup();
    let more = if limited { ", and what comes of values that are not tried" } else { "" };
    match actions.len() {
        0 if limited => "nothing is, with the values that are tried".to_owned(),
        0 => "nothing is".to_owned(),
        _ if actions.len() > 8 => {
            format!(
                "possible are {}, and {} more{more}",
                actions[..8].join(", "),
                actions.len() - 8
            )
        }
        _ => format!("possible are only {}{more}", actions.join(", ")),
    }
}

/// In what two steps with one action differ.
fn differences(own: &TraceStep, found: &TraceStep) -> Vec<String> {
    let mut all = Vec::new();
    if own.holes != found.holes {
        all.push("holes do something else".to_owned());
    }
    let (ours, theirs) = (movers(own), movers(found));
    for (part, from, to) in &theirs {
        match ours.iter().find(|(own, ..)| own == part) {
            None => all.push(format!("`{part}` does not move")),
            Some((_, own_from, own_to)) if (own_from, own_to) != (from, to) => {
                all.push(format!("`{part}` goes from `{own_from}` to `{own_to}`"));
            }
            Some(_) => {}
        }
    }
    for (part, from, to) in &ours {
        if !theirs.iter().any(|(found, ..)| found == part) {
            all.push(format!("`{part}` goes from `{from}` to `{to}`"));
        }
    }
    for change in &own.changes {
        if !found.changes.contains(change) {
            let before =
                change.before.as_ref().map_or(String::new(), |it| format!(" (was {})", it.text));
            all.push(format!("`{}` becomes {}{before}", change.variable, change.after.text));
        }
    }
    for change in &found.changes {
        if !own.changes.iter().any(|one| one.variable == change.variable) {
            all.push(format!("`{}` does not change", change.variable));
        }
    }
    if (&own.from, &own.to) != (&found.from, &found.to) {
        all.push(format!("it leads from {} to {}", own.from, own.to));
    }
    all
}

// ---- the end ----

/// Whether the end is what it is said to be; false where that cannot be looked at here.
fn end(
    (interpreter, teller): (&Interpreter<'_>, &Teller<'_>),
    run: &Replayed,
    said: &RunEnd,
    goal: Option<&Sought>,
) -> Result<bool, NotReplayed> {
    let (last, number) = (run.last(), run.steps.len());
    let wrong = |why: &str| NotReplayed::End { why: why.to_owned() };
    let state = teller.state(last);
    if said.state() != state {
        return Err(wrong(&format!("it is in {state}, and not in {}", said.state())));
    }
    let unknown = |gap: Gap| NotReplayed::Unknown { number, gap };
    let ending = || -> Result<Option<Ending>, NotReplayed> {
        match interpreter.steps(last) {
            Ok(steps) => Ok(stuck(interpreter, last, &steps)),
            // Whether anything is possible may be known, though not with which values.
            Err(Gap::NeedsDomain { .. }) => {
                let can = interpreter.can_step(last).map_err(unknown)?;
                Ok((!can).then(|| match interpreter.is_final(last) {
                    true => Ending::Finished,
                    false => Ending::Deadlock,
                }))
            }
            Err(gap) => Err(unknown(gap)),
        }
    };
    match said {
        RunEnd::Deadlock { .. } if ending()? != Some(Ending::Deadlock) => {
            Err(wrong("it is no deadlock"))
        }
        RunEnd::Finished { .. } if ending()? != Some(Ending::Finished) => {
            Err(wrong("it has not ended with all components in final states"))
        }
        RunEnd::Blocked { .. } if ending()?.is_none() => Err(wrong("something is possible there")),
        RunEnd::Open { .. } if ending()?.is_some() => Err(wrong("it cannot go on there")),
        RunEnd::Waits { .. } => {
            let possible = interpreter.steps(last).map_err(unknown)?;
            match possible.steps.iter().all(|step| !step.holes.is_empty()) {
                true => Ok(true),
                false => Err(wrong("something is possible there without a hole")),
            }
        }
        RunEnd::Loop { start, .. } => {
            let there = match start.checked_sub(1) {
                None => Some(&run.begin),
                Some(at) => run.steps.get(at).map(|step| &step.target),
            };
            match there == Some(last) && *start < number {
                true => Ok(true),
                false => Err(wrong(&format!("it is not where it was after {start} steps"))),
            }
        }
        RunEnd::Alike { start, but, .. } => {
            let there = match start.checked_sub(1) {
                None => Some(&run.begin),
                Some(at) => run.steps.get(at).map(|step| &step.target),
            };
            let differs = there.and_then(|there| different(interpreter.net(), there, last));
            let is_known =
                |all: Vec<(VarId, String)>| all.iter().all(|(_, name)| but.contains(name));
            match differs.is_some_and(is_known) && *start < number {
                true => Ok(true),
                false => Err(wrong(&format!("it is not where it was after {start} steps"))),
            }
        }
        RunEnd::Property { holds, .. } => match goal {
            None => Ok(false),
            Some(goal) if interpreter.holds(last, &goal.property).map_err(unknown)? == *holds => {
                Ok(true)
            }
            Some(goal) => Err(wrong(&format!("`{}` is not so there", goal.text))),
        },
        RunEnd::Choice { one, other, .. } => {
            for step in [one, other] {
                let (possible, untold) =
                    Mentioned::steps_like(step, interpreter, last).map_err(unknown)?;
                if !possible.steps.iter().any(|own| is_same(&teller.step(last, own), step)) {
                    let impossible = wrong("one of the two steps is not possible there");
                    return Err(untold.map_or(impossible, unknown));
                }
            }
            Ok(true)
        }
        RunEnd::Blocked { .. } | RunEnd::NeverAgain { .. } | RunEnd::Decided { .. } => Ok(false),
        _ => Ok(true),
    }
}

// ---- ITF ----

/// Follows a run in the form of Apalache and Quint, by the configurations that it lists.
pub fn replay_itf(
    (interpreter, teller): (&Interpreter<'_>, &Teller<'_>),
    recorded: &serde_json::Value,
) -> Result<Replayed, NotReplayed> {
    let states = recorded["states"].as_array().map_or(&[][..], Vec::as_slice);
    let Some((first, rest)) = states.split_first() else {
        return Err(NotReplayed::Incomplete { why: "it has no states".to_owned() });
    };
    let told = |action: &str, at: &Configuration| {
        itf_state(action, &teller.constants(at), &teller.components(at))
    };
    let unknown = |number: usize| move |gap: Gap| NotReplayed::Unknown { number, gap };
    let initial = itf_beginning(interpreter, first).map_err(unknown(0))?;
    let action = |state: &serde_json::Value| state[ACTION].as_str().unwrap_or_default().to_owned();
    let begins = action(first);
    let found = initial.iter().find(|at| differs(&told(&begins, at), first).is_none());
    let Some(begin) = found else {
        let why = initial.first().and_then(|at| differs(&told(&begins, at), first));
        let why = why.unwrap_or_else(|| "the net cannot begin at all".to_owned());
        return Err(NotReplayed::Begin { why });
    };
    let budget = budget::here();
    let mut run = Replayed { begin: begin.clone(), steps: Vec::new(), end_checked: true };
    for (at, state) in rest.iter().enumerate() {
        if budget.is_spent() {
            return Err(unknown(at)(Gap::Stopped));
        }
        // What came from outside stands in what is shown, or in what became of it.
        let (possible, untold) =
            Mentioned::of_json(state).steps(interpreter, run.last()).map_err(unknown(at))?;
        let own = |step: &Step| told(&teller.value(&step.action).text, &step.target);
        let place = possible.steps.iter().position(|step| differs(&own(step), state).is_none());
        let Some(place) = place else {
            if let Some(gap) = untold {
                return Err(unknown(at)(gap));
            }
            let wanted = action(state);
            let alike =
                possible.steps.iter().find(|step| teller.value(&step.action).text == wanted);
            let why = alike.and_then(|step| differs(&own(step), state));
            let why = why.unwrap_or_else(|| "no step shows it".to_owned());
            return Err(NotReplayed::Step { number: at + 1, action: wanted, why });
        };
        let mut steps = possible.steps;
        run.steps.push(steps.swap_remove(place));
    }
    if let Some(start) = recorded["loop"].as_u64() {
        let state = teller.state(run.last());
        end((interpreter, teller), &run, &RunEnd::Loop { state, start: start as usize }, None)?;
    }
    Ok(run)
}

/// Where a net may begin, with the values of the first state where there is no end of them.
fn itf_beginning(
    interpreter: &Interpreter<'_>,
    first: &serde_json::Value,
) -> Result<Vec<Configuration>, Gap> {
    match interpreter.initial() {
        Ok(initial) if !initial.configurations.is_empty() => Ok(initial.configurations),
        Ok(_) | Err(Gap::NeedsDomain { .. } | Gap::NeedsValue { .. }) => {
            let mut mentioned = Mentioned::of_json(first);
            let open = open_at_first(interpreter.net());
            if mentioned.integers.len().checked_pow(open).is_none_or(|all| all > MOST_TRIED) {
                mentioned.integers.clear();
            }
            mentioned.tried(interpreter).initial().map(|initial| initial.configurations)
        }
        Err(gap) => Err(gap),
    }
}

/// How many constants and variables have no value of their own where a net begins.
pub(super) fn open_at_first(net: &PNet) -> u32 {
    let constants = net.algebra.constants.iter().filter(|constant| constant.value.is_none());
    let variables = net.plts.iter().flat_map(|plts| &plts.variables);
    let open = constants.count() + variables.filter(|(_, initial)| initial.is_none()).count();
    u32::try_from(open).unwrap_or(u32::MAX)
}

/// In what a state of the file is not the one of the model.
fn differs(own: &serde_json::Value, found: &serde_json::Value) -> Option<String> {
    let own = own.as_object()?;
    own.iter().find_map(|(name, value)| match &found[name.as_str()] {
        serde_json::Value::Null => Some(format!("it says nothing of `{name}`")),
        it if it != value => Some(format!("`{name}` is {value}, and not {it}")),
        _ => None,
    })
}

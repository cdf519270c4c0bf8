//! Engines of safety never contradict what is found by going through all configurations, on random models.

use pnetc::base::Unwatched;
use pnetc::base::budget::Budget;
use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::search::{Goal, SearchLimits, search};
use pnetc::explore::{Configuration, Machine, Property};
use pnetc::pnet::PNet;
use pnetc::safety::{
    Bad, Bounded, Directed, Engine, Found, Horn, Induction, Lead, Open, Problem, Reached, Unmet,
    check,
};
use pnetc::simulate::{NotFollowed, follow, follow_lead};
use pnetc::smt::{Limits, ScriptOptions, script};

use crate::common::nets::{self, Shape};
use crate::common::properties::property;
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, explored, shrink};

/// How many configurations a search may keep.
const MOST_STATES: u64 = 2_000;
/// How long the runs are that bounded search looks at.
const MOST_DEPTH: usize = 5;
/// How long the solver may think.
const LIMITS: Limits = Limits { milliseconds: 2_000 };
/// How much work an engine may do.
const WORK: u64 = 2_000_000;

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
struct Compared {
    problems: usize,
    safe: usize,
    runs: usize,
    /// Runs that the plain interpreter could not make, because it does not know what happens.
    unfollowed: usize,
    /// Invariants of which the solver does not know whether they are.
    unconfirmed: usize,
    open: usize,
    /// Searches that went through everything.
    complete: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, more: Compared) {
        self.problems += more.problems;
        self.safe += more.safe;
        self.runs += more.runs;
        self.unfollowed += more.unfollowed;
        self.unconfirmed += more.unconfirmed;
        self.open += more.open;
        self.complete += more.complete;
    }
}

/// What going through configurations says: how many steps lead to something bad, and whether it saw everything.
struct Plain {
    steps: Option<usize>,
    complete: bool,
}

fn plain(net: &PNet, property: Option<&Property>) -> Option<Plain> {
    let machine = Compiled::new(net, &explored::domains(net));
    let limits = SearchLimits { most_states: MOST_STATES, jobs: 1, ..SearchLimits::default() };
    let asked = property.map(|property| machine.property(property)).transpose().ok()?;
    let goal = asked.as_ref().map_or(Goal::Deadlock, |asked| Goal::Property(asked, true));
    let searched = search(&machine, goal, &limits, &Unwatched).ok()?;
    let steps = searched.sights.goal.map(|at| searched.path(at).len() - 1);
    let complete = searched.is_complete()
        && searched.sights.gap.is_none()
        && searched.sights.no_value.is_none()
        && searched.sights.maybe_stuck.is_none();
    Some(Plain { steps, complete })
}

/// Whether a configuration is bad, as the plain interpreter sees it; nothing where it does not know.
fn is_bad(
    interpreter: &Interpreter<'_>,
    at: &Configuration,
    property: Option<&Property>,
) -> Option<bool> {
    match property {
        Some(property) => interpreter.holds(at, property).ok().map(|holds| holds == Some(true)),
        None => Some(!interpreter.can_step(at).ok()? && !interpreter.is_final(at)),
    }
}

/// Compares what an engine finds with what there is.
fn compare(
    (problem, property): (&Problem<'_>, Option<&Property>),
    engine: &dyn Engine,
    plain: &Plain,
) -> Result<Compared, String> {
    let mut compared = Compared { problems: 1, ..Compared::default() };
    let found = {
        let _entered = Budget::of_work(WORK).enter();
        engine.solve(problem, &Unwatched).0
    };
    let name = engine.name();
    match found {
        Found::Safe(invariant) => match check(problem, &invariant, LIMITS) {
            Err(Unmet::Unknown(_)) => compared.unconfirmed += 1,
            Err(unmet) => return Err(format!("{name}: no invariant: {unmet:?}")),
            Ok(()) if plain.steps.is_some() => {
                return Err(format!("{name}: safe, but {:?} steps are not", plain.steps));
            }
            Ok(()) => compared.safe += 1,
        },
        Found::Unsafe(lead) => compared += is_real((problem, property), name, &lead, plain)?,
        Found::Open(Open::Depth(depth)) if plain.steps.is_some_and(|steps| steps <= depth) => {
            return Err(format!("{name}: nothing in {depth} steps, but in {:?}", plain.steps));
        }
        Found::Reached(run) => compared += is_run((problem, property), name, &run, plain)?,
        // Who goes through everything finds what there is: estimates must not call anything hopeless that is not.
        Found::Open(Open::GaveUp)
            if name == "directed" && plain.complete && plain.steps.is_some() =>
        {
            return Err(format!("{name}: nothing, but {:?} steps are bad", plain.steps));
        }
        Found::Open(_) => compared.open += 1,
    }
    Ok(compared)
}

fn is_real(
    (problem, property): (&Problem<'_>, Option<&Property>),
    name: &str,
    lead: &Lead,
    plain: &Plain,
) -> Result<Compared, String> {
    let steps = lead.steps.len();
    if plain.complete && plain.steps.is_none() {
        return Err(format!("{name}: a run of {steps} steps, but there is none"));
    }
    if plain.steps.is_some_and(|least| least < steps || plain.complete && least != steps) {
        return Err(format!("{name}: a run of {steps} steps, but {:?} do", plain.steps));
    }
    let run = Compared { runs: 1, ..Compared::default() };
    let followed = match follow_lead(problem, lead) {
        Ok(followed) => followed,
        Err(NotFollowed::Unknown { .. } | NotFollowed::NoValue { .. }) => {
            return Ok(Compared { unfollowed: 1, ..run });
        }
        Err(why) => return Err(format!("{name}: {why}: {lead:?}")),
    };
    let interpreter = Interpreter::new(problem.net, followed.domains.clone());
    match followed.path.last().map(|last| is_bad(&interpreter, last, property)) {
        Some(Some(false)) | None => Err(format!("{name}: the end is not bad: {followed:?}")),
        Some(Some(true) | None) => Ok(run),
    }
}

/// That a run is one, and ends where it is bad.
fn is_run(
    (problem, property): (&Problem<'_>, Option<&Property>),
    name: &str,
    run: &Reached,
    plain: &Plain,
) -> Result<Compared, String> {
    let steps = run.path.len() - 1;
    if plain.complete && plain.steps.is_none_or(|least| steps < least) {
        return Err(format!("{name}: a run of {steps} steps, but {:?} do", plain.steps));
    }
    let interpreter = Interpreter::new(problem.net, run.domains.clone());
    let made = Compared { runs: 1, ..Compared::default() };
    match follow(&interpreter, &run.path) {
        Err(NotFollowed::Unknown { .. } | NotFollowed::NoValue { .. }) => {
            return Ok(Compared { unfollowed: 1, ..made });
        }
        Err(why) => return Err(format!("{name}: {why}: {run:?}")),
        Ok(_) => {}
    }
    match run.path.last().map(|last| is_bad(&interpreter, last, property)) {
        Some(Some(false)) | None => Err(format!("{name}: the end is not bad: {run:?}")),
        Some(Some(true) | None) => Ok(made),
    }
}

/// A property as a text.
fn told(net: &PNet, property: Option<&Property>) -> String {
    property.map_or_else(String::new, |property| {
        let says =
            script(&net.algebra, &property.terms, &[property.says], ScriptOptions::default());
        format!("\nthe property:\n{says}")
    })
}

fn agrees(net: &PNet, seed: u64) -> Result<Compared, String> {
    let mut random = Random::new(seed);
    let mut total = Compared::default();
    let mut properties = vec![None];
    properties.extend((0..2).map(|_| Some(property(net, &mut random).0)));
    for property in &properties {
        let property = property.as_ref();
        let bad = property.map_or(Bad::Stuck, Bad::Holds);
        let Ok(problem) = Problem::new(net, bad) else { continue };
        let Some(plain) = plain(net, property) else { continue };
        total.complete += usize::from(plain.complete);
        let bounded = Bounded { most_depth: MOST_DEPTH, limits: LIMITS };
        let horn = Horn { limits: LIMITS, ..Horn::default() };
        let whole = Horn { most_tuples: 0, ..horn };
        let induction = Induction::default();
        // Over several steps, without guesses that would have done without.
        let steps = Induction { guesses: false, ..induction };
        let directed = Directed { most: 20_000 };
        let engines: [&dyn Engine; 6] = [&bounded, &directed, &horn, &whole, &induction, &steps];
        for engine in engines {
            let compared = compare((&problem, property), engine, &plain);
            total += compared.map_err(|why| format!("{why}{}", told(net, property)))?;
        }
    }
    Ok(total)
}

fn random_models(name: &str, shape: Shape, count: u64) {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), shape);
        let label = format!("{name}, PNET_SEED={seed}");
        let compared = shrink::tried(&label, &text, |text| match nets::accepted(text) {
            Ok(net) => agrees(&net, seed),
            Err(_) => Ok(Compared::default()),
        });
        match compared {
            Ok(found) => total += found,
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let many = seeds(count).count() > 1;
    assert!(total.safe > 0 && total.runs > 0 && total.complete > 0 || !many, "{total:?}");
    assert!(total.unfollowed * 4 <= total.runs || !many, "{total:?}");
    assert!(total.unconfirmed * 4 <= total.safe || !many, "{total:?}");
}

#[test]
fn engines_agree_on_closed_nets() {
    random_models("safety closed", Shape::closed(), 25);
}

#[test]
fn engines_agree_on_open_nets() {
    random_models("safety open", Shape::open(), 15);
}

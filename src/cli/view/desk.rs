//! Where the page's questions are answered: each by its name, with what is asked as JSON.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::Args;
use super::jobs::{Done, Jobs, Seen};
use crate::base::{Budget, Spent, Watch};
use crate::cli::check::open_session;
use crate::cli::files::Disk;
use crate::cli::simulating::{Besides, Ready};
use crate::cli::verify::duration;
use crate::cli::wanted::wanted;
use crate::emit;
use crate::emit::outcome as words;
use crate::loader::Question;
use crate::model::ModelOptions;
use crate::outcome::Evidence;
use crate::session::Session;
use crate::verify::{self, ModelClaim};
use crate::view::{View, Viewed, Walk};

/// A step is answered within this time.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is looked at, and the work that is done about it.
pub(super) struct Desk {
    args: &'static Args,
    shown: Mutex<Shown>,
    jobs: Jobs,
}

/// What is looked at.
struct Shown {
    view: View,
    /// The net as it was asked for.
    net: Option<String>,
    options: ModelOptions,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is known of the model, for all questions.
fn session() -> &'static Session {
    static SESSION: std::sync::OnceLock<&'static Session> = std::sync::OnceLock::new();
    SESSION.get_or_init(open_session)
}

fn viewed(ready: Ready) -> (Arc<Viewed>, ModelOptions) {
    let set = ready.set().to_vec();
    let Ready { checked, net, domains, name, options, .. } = ready;
    (Arc::new(Viewed { checked, net, name, domains, set }), options)
}

impl Desk {
    pub fn new(args: &'static Args, ready: Ready) -> Desk {
        let (viewed, options) = viewed(ready);
        let shown = Shown { view: View::new(viewed), net: args.net.clone(), options };
        Desk { args, shown: Mutex::new(shown), jobs: Jobs::default() }
    }

    /// Has all work end.
    pub fn stop_all(&self) {
        self.jobs.stop_all();
    }

    /// Answers a question.
    pub fn answer(&self, name: &str, asked: &Value) -> Done {
        let number =
            |what: &str| asked[what].as_u64().ok_or_else(|| format!("`{what}` is missing"));
        match name {
            "job" => return self.jobs.look(number("job")?),
            "stop" => {
                self.jobs.stop(number("job")?);
                return Ok(json!({}));
            }
            "check" => return self.check(number("place")? as usize),
            "automaton" => return self.automaton(),
            _ => {}
        }
        within(PATIENCE, || self.at_once(name, asked))
    }

    /// What is answered at once.
    fn at_once(&self, name: &str, asked: &Value) -> Done {
        let text = |what: &str| asked[what].as_str().ok_or_else(|| format!("`{what}` is missing"));
        let walk: Walk = match &asked["walk"] {
            Value::Null => Walk::default(),
            walk => serde_json::from_value(walk.clone())
                .map_err(|why| format!("the walk makes no sense: {why}"))?,
        };
        let told = |walk: Walk| json!({ "choices": walk.choices, "also": walk.also });
        if name == "open" {
            return self.open(asked["net"].as_str());
        }
        if name == "goal" {
            return self.goal(&walk, text("property")?).map(told);
        }
        let mut shown = lock(&self.shown);
        let view = &mut shown.view;
        let found = match name {
            "model" => {
                let mut model = view.model();
                model["fresh"] = json!(view.viewed().checked.reads.are_current(&Disk));
                Ok(model)
            }
            "fresh" => Ok(json!({ "fresh": view.viewed().checked.reads.are_current(&Disk) })),
            "at" => view.position(&walk),
            "not" => view.impossible(&walk),
            "why" => view.why(&walk, text("action")?),
            "around" => view.around(&walk),
            "chart" => view.chart(&walk),
            "text" => view.text(&walk),
            "random" => {
                let count = asked["count"].as_u64().unwrap_or(1).min(1_000) as usize;
                view.random(&walk, count, asked["seed"].as_u64().unwrap_or(1)).map(told)
            }
            "load" => {
                let recorded = emit::trace::read(text("text")?)
                    .map_err(|why| format!("this is no run that can be read: {why}"))?;
                view.load(&recorded, &walk.also).map(told)
            }
            _ => return Err(format!("nobody knows what `{name}` asks for")),
        };
        found.map_err(|why| why.to_string())
    }

    /// Looks at a net, or at the same one again where nothing is named: files that changed are read again.
    fn open(&self, net: Option<&str>) -> Done {
        let net = net.map(str::to_owned).or_else(|| lock(&self.shown).net.clone());
        if net.as_ref().is_some_and(|net| net.len() > 2_000) {
            return Err("the name is too long".to_owned());
        }
        let ready =
            self.args.simulating.ready((&self.args.file, net.as_deref()), &Besides::default());
        let ready = ready.map_err(|why| {
            why.unwrap_or_else(|| "it cannot be shown; the terminal says why".to_owned())
        })?;
        let (viewed, options) = viewed(ready);
        *lock(&self.shown) = Shown { view: View::new(viewed), net, options };
        Ok(json!({}))
    }

    /// The way to where a property holds. Whoever asks about a property asks about a text of its own.
    fn goal(&self, walk: &Walk, property: &str) -> Result<Walk, String> {
        let name = lock(&self.shown).view.viewed().name.clone();
        let question = Question::Property { net: name.clone(), property: property.to_owned() };
        let asked = session().ask(&Disk, &self.args.file, Some(&question));
        let asked = asked.map_err(|why| why.to_string())?;
        if let Some(wrong) = asked.diagnostics.iter().find(|one| asked.is_asked(one.span())) {
            return Err(wrong.message.clone());
        }
        let besides = Besides { until: Some(property.to_owned()), ..Besides::default() };
        let ready = self.args.simulating.ready((&self.args.file, Some(&name)), &besides);
        let ready = ready.map_err(|why| {
            why.unwrap_or_else(|| "the property cannot be read; the terminal says why".to_owned())
        })?;
        let goal = ready.goal.clone().ok_or("there is no property")?;
        let mut view = View::new(viewed(ready).0);
        view.to_goal(walk, &goal.property).map_err(|why| why.to_string())
    }

    /// Runs a check.
    fn check(&self, place: usize) -> Done {
        let (viewed, options) = {
            let shown = lock(&self.shown);
            (Arc::clone(shown.view.viewed()), shown.options.clone())
        };
        let work = move |seen: &Seen| checked(&viewed, place, &options, seen);
        let time = duration(self.args.simulating.timeout);
        Ok(json!({ "job": self.jobs.begin(time, work)? }))
    }

    /// Makes the open automaton, and draws it.
    fn automaton(&self) -> Done {
        let (viewed, net, options) = {
            let shown = lock(&self.shown);
            (Arc::clone(shown.view.viewed()), shown.net.clone(), shown.options.clone())
        };
        let work = move |seen: &Seen| {
            let wanted = wanted(&viewed.checked, net.as_deref());
            let generated = viewed.checked.automaton(wanted, &options, seen);
            let generated = generated.map_err(|_| "it has no open automaton".to_owned())?;
            if let Some(spent) = seen.budget().spent() {
                return Err(format!("it was not made to its end: {spent}"));
            }
            let automaton = &generated.automaton;
            Ok(json!({
                "picture": emit::without_style(&emit::automaton::svg(automaton)),
                "states": automaton.states.len(),
                "transitions": automaton.transitions.len(),
            }))
        };
        let time = duration(self.args.simulating.timeout);
        Ok(json!({ "job": self.jobs.begin(time, work)? }))
    }
}

/// What comes of a check.
fn checked(viewed: &Viewed, place: usize, options: &ModelOptions, seen: &Seen) -> Done {
    let claims = verify::claims(&viewed.checked);
    let claim = claims.get(place).ok_or("there is no such check")?;
    let outcome = match claim {
        ModelClaim::Check(check) => session().verify(&viewed.checked, check, options, seen),
        ModelClaim::Scenario(scenario) => {
            verify::scenario::run(&viewed.checked, scenario, options, seen)
        }
    };
    let outcome = outcome.map_err(|problems| {
        let first = problems.first().map(|one| one.message.clone());
        first.unwrap_or_else(|| "its nets cannot be made".to_owned())
    })?;
    let run = match &outcome.evidence {
        Evidence::Run(trace) => {
            Some(json!({ "net": trace.net, "text": emit::trace::saved(trace) }))
        }
        _ => None,
    };
    let play = match &outcome.evidence {
        Evidence::Play(play) => Some(json!(play)),
        _ => None,
    };
    Ok(json!({
        "verdict": outcome.verdict.word(),
        "answer": words::answer(&outcome, claim.denied()),
        "evidence": words::evidence(&outcome.evidence),
        "by_state": by_state(&outcome.evidence),
        "run": run,
        "play": play,
    }))
}

/// What holds in each state, where that is what was found.
fn by_state(evidence: &Evidence) -> Value {
    match evidence {
        Evidence::Relation(found) => json!({ "nets": found.nets, "pairs": found.pairs }),
        Evidence::Predicate(found) => json!({ "states": found.states }),
        Evidence::Invariant(found) => json!({ "net": found.net, "item": found.item }),
        _ => Value::Null,
    }
}

/// Does something, and has it end when its time is up.
fn within(time: Duration, work: impl FnOnce() -> Done) -> Done {
    let budget = Budget::default();
    let clock = budget.clone();
    let (over, wait) = std::sync::mpsc::channel::<()>();
    let watching = std::thread::Builder::new().spawn(move || {
        if wait.recv_timeout(time) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            clock.spend(Spent::Time { milliseconds: time.as_millis() as u64 });
        }
    });
    let _here = budget.enter();
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    drop(over);
    drop(watching);
    done.unwrap_or_else(|_| Err("this is a fault of pnet; the terminal says more".to_owned()))
}

//! Where the page's questions are answered: each by its name, with what is asked as JSON.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::Args;
use super::jobs::{Done, Jobs, Limits};
use super::refusal::Refusal;
use super::views::{Asked, Held, Views};
use super::work;
use crate::base::{Budget, Spent};
use crate::cli::simulating::Ready;
use crate::cli::verify::duration;
use crate::emit;
use crate::view::{View, ViewProblem, Walk};

/// A step is answered within this time.
const PATIENCE: Duration = Duration::from_secs(20);
/// What is not possible is told as far as it is found within this time.
const SHORT: Duration = Duration::from_secs(3);
/// So many pages are remembered by what they asked last.
const MOST_PAGES: usize = 100;

/// What is looked at, and the work that is done about it.
pub(super) struct Desk {
    args: &'static Args,
    views: Arc<Views>,
    jobs: Jobs,
    /// What each page asked last of each kind: who asks again does not wait for the answer.
    asked: Mutex<BTreeMap<(String, String), Budget>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn number(asked: &Value, what: &str) -> Result<u64, Refusal> {
    asked[what].as_u64().ok_or_else(|| format!("`{what}` is missing").into())
}

fn text<'a>(asked: &'a Value, what: &str) -> Result<&'a str, Refusal> {
    asked[what].as_str().ok_or_else(|| format!("`{what}` is missing").into())
}

fn walk(asked: &Value) -> Result<Walk, Refusal> {
    match &asked["walk"] {
        Value::Null => Ok(Walk::default()),
        walk => serde_json::from_value(walk.clone())
            .map_err(|why| format!("the walk makes no sense: {why}").into()),
    }
}

/// What somebody wants to look at.
fn subject(asked: &Value) -> Result<Asked, Refusal> {
    let net = asked["net"].as_str().map(str::to_owned);
    let domains = match &asked["domains"] {
        Value::Null => Vec::new(),
        domains => serde_json::from_value(domains.clone())
            .map_err(|why| format!("the domains make no sense: {why}"))?,
    };
    Ok(Asked { net, domains })
}

fn told(walk: &Walk) -> Value {
    json!({ "choices": walk.choices, "also": walk.also })
}

impl Desk {
    pub fn new(args: &'static Args, ready: Ready) -> Desk {
        let views = Arc::new(Views::new(args, ready));
        Desk { args, views, jobs: Jobs::default(), asked: Mutex::default() }
    }

    /// Has all work end.
    pub fn stop_all(&self) {
        self.jobs.stop_all();
    }

    /// Answers a question.
    pub fn answer(&self, name: &str, asked: &Value) -> Done {
        let views = Arc::clone(&self.views);
        let held = || self.views.get(number(asked, "id")?);
        let limits = Limits {
            time: duration(self.args.simulating.timeout),
            memory: self.args.simulating.memory.limit(),
        };
        let job = match name {
            "job" => return self.jobs.look(number(asked, "job")?),
            "stop" => {
                self.jobs.stop(number(asked, "job")?);
                return Ok(json!({}));
            }
            "open" => {
                let subject = subject(asked)?;
                self.jobs.begin(limits, move |_| work::open(&views, subject))
            }
            "drawn" => {
                let subject = subject(asked)?;
                self.jobs.begin(limits, move |_| work::drawn(&views, subject))
            }
            "check" => {
                let (held, place) = (held()?, number(asked, "place")? as usize);
                self.jobs.begin(limits, move |seen| work::check(&held, place, seen))
            }
            "automaton" => {
                let held = held()?;
                self.jobs.begin(limits, move |seen| work::automaton(&held, seen))
            }
            "goal" => {
                let (held, walk) = (held()?, walk(asked)?);
                let property = text(asked, "property")?.to_owned();
                let work = move |seen: &_| work::goal(&views, &held, (&walk, &property), seen);
                self.jobs.begin(limits, work)
            }
            _ => return self.at_once(name, asked),
        };
        Ok(json!({ "job": job? }))
    }

    /// What is answered at once.
    fn at_once(&self, name: &str, asked: &Value) -> Done {
        if !QUESTIONS.contains(&name) {
            return Err(format!("nobody knows what `{name}` asks for").into());
        }
        let (held, walk) = (self.views.get(number(asked, "id")?)?, walk(asked)?);
        let time = if name == "not" { SHORT } else { PATIENCE };
        let page = asked["page"].as_str().unwrap_or_default();
        within((time, self.newest(page, name)), || said(name, asked, &held, &walk))
    }

    /// The budget of a question; that of the same page's last one of this kind is spent.
    fn newest(&self, page: &str, name: &str) -> Budget {
        let budget = Budget::default();
        if page.is_empty() || page.len() > 40 {
            return budget;
        }
        let mut all = lock(&self.asked);
        if all.len() > MOST_PAGES * QUESTIONS.len() {
            all.clear();
        }
        let key = (page.to_owned(), name.to_owned());
        if let Some(last) = all.insert(key, budget.clone()) {
            last.spend(Spent::Interrupted);
        }
        budget
    }
}

/// What can be asked and is answered at once.
const QUESTIONS: &[&str] =
    &["fresh", "at", "labels", "not", "why", "around", "chart", "text", "random", "load", "hole"];

fn said(name: &str, asked: &Value, held: &Held, walk: &Walk) -> Done {
    let with =
        |question: &mut dyn FnMut(&mut View) -> Result<Value, ViewProblem>| Ok(held.ask(question)?);
    match name {
        "fresh" => Ok(json!({ "fresh": held.is_fresh(), "files": held.files_now() })),
        "at" => {
            let wanted: BTreeMap<String, String> = match &asked["wanted"] {
                Value::Null => BTreeMap::new(),
                wanted => serde_json::from_value(wanted.clone())
                    .map_err(|why| format!("what holes do makes no sense: {why}"))?,
            };
            with(&mut |view| view.position(walk, &wanted))
        }
        "labels" => with(&mut |view| view.labels(walk)),
        "not" => with(&mut |view| view.impossible(walk)),
        "why" => {
            let action = text(asked, "action")?;
            with(&mut |view| view.why(walk, action))
        }
        "around" => with(&mut |view| view.around(walk)),
        "chart" => with(&mut |view| view.chart(walk)),
        "text" => with(&mut |view| view.text(walk)),
        "random" => {
            let count = asked["count"].as_u64().unwrap_or(1).min(1_000) as usize;
            let seed = asked["seed"].as_u64().unwrap_or(1);
            with(&mut |view| view.random(walk, count, seed).map(|walk| told(&walk)))
        }
        "load" => {
            let recorded = emit::trace::read(text(asked, "text")?)
                .map_err(|why| format!("this is no run that can be read: {why}"))?;
            with(&mut |view| view.load(&recorded, &walk.also).map(|walk| told(&walk)))
        }
        "hole" => {
            let (hole, action) = (text(asked, "hole")?, text(asked, "action")?);
            with(&mut |view| view.plays(walk, hole, action))
        }
        _ => Err("nobody knows what this asks for".into()),
    }
}

/// Does something, and has it end when its time is up.
fn within((time, budget): (Duration, Budget), work: impl FnOnce() -> Done) -> Done {
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
    done.unwrap_or_else(|_| Err("this is a fault of pnet; the terminal says more".into()))
}

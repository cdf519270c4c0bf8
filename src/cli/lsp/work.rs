//! What takes long, on a thread of its own: verdicts, automata and pictures. A budget ends it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use lsp_server::{ErrorCode, Message, RequestId, Response};
use serde_json::{Value, json};

use super::lock;
use super::state::{Answered, State};
use super::text::path_of;
use crate::base::{Budget, Watch};
use crate::editor;
use crate::emit::outcome as words;
use crate::model::{Checked, ModelOptions};
use crate::outcome::Outcome;
use crate::smt::Watchdog;
use crate::verify::{self, ModelClaim};

/// What messages go out through: a function, so that nobody needs the channels of another crate by name.
pub(super) struct Out(Box<dyn Fn(Message) -> Result<(), Message> + Send>);

impl Out {
    pub fn new(send: impl Fn(Message) -> Result<(), Message> + Send + 'static) -> Out {
        Out(Box::new(send))
    }

    pub fn send(&self, message: Message) -> Result<(), Message> {
        (self.0)(message)
    }
}

/// A command that the worker runs: the claims of a text at these places.
pub(super) struct Job {
    id: RequestId,
    uri: String,
    checked: Arc<Checked>,
    places: Vec<usize>,
    token: Option<Value>,
    budget: Budget,
}

impl Job {
    /// The work that a command asks for, if it is long; why it cannot be done.
    pub fn read(state: &mut State, id: RequestId, params: &Value) -> Result<Option<Job>, String> {
        if params.get("command").and_then(Value::as_str) != Some("pnet.verify") {
            return Ok(None);
        }
        let argument = |at: usize| params.get("arguments").and_then(|all| all.get(at));
        let uri = argument(0).and_then(Value::as_str).ok_or("give the URI of an open text")?;
        let checked = state.checked(uri).ok_or_else(|| format!("`{uri}` is not open"))?;
        if checked.has_errors() {
            return Err("the checks are not run: the model has errors".to_owned());
        }
        let count = editor::claims(&checked).len();
        let places = match argument(1).filter(|one| !one.is_null()) {
            None => (0..count).collect(),
            Some(place) => {
                let place = place.as_u64().and_then(|place| usize::try_from(place).ok());
                let place = place.filter(|place| *place < count);
                vec![place.ok_or("there is no such check")?]
            }
        };
        let (token, budget) = (params.get("workDoneToken").cloned(), Budget::default());
        let print = editor::fingerprint(&checked);
        state.running.push((id.clone(), budget.clone(), path_of(uri), print));
        Ok(Some(Job { id, uri: uri.to_owned(), checked, places, token, budget }))
    }
}

/// The way to the worker.
pub(super) struct Jobs(Sender<Job>);

impl Jobs {
    pub fn send(&self, job: Job) {
        // The worker ends after those who send.
        let _ = self.0.send(job);
    }
}

/// Starts the worker.
pub(super) fn start(state: Arc<Mutex<State>>) -> Jobs {
    let (jobs, todo) = channel::<Job>();
    let work = move || Watchdog::while_here(|| todo.iter().for_each(|job| run(&state, &job)));
    // Without threads nothing can be done at all.
    let _ = std::thread::Builder::new().stack_size(super::STACK).spawn(work);
    Jobs(jobs)
}

/// Who watches over a job.
struct Watching(Budget);

impl Watch for Watching {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

fn run(state: &Mutex<State>, job: &Job) {
    let progress = |value: Value| {
        if let Some(token) = &job.token {
            let params = json!({ "token": token, "value": value });
            lock(state).notify("$/progress", params);
        }
    };
    progress(
        json!({ "kind": "begin", "title": "verifying", "cancellable": true, "percentage": 0 }),
    );
    let mut failed = None;
    for (done, &place) in job.places.iter().enumerate() {
        if job.budget.is_spent() {
            break;
        }
        let percentage = done * 100 / job.places.len().max(1);
        progress(json!({ "kind": "report", "percentage": percentage }));
        let answered = catch_unwind(AssertUnwindSafe(|| answered(state, job, place)));
        match answered {
            Ok(Ok(())) => {}
            Ok(Err(why)) => failed = Some(why),
            Err(_) => failed = Some("the check could not be run: a mistake of pnet".to_owned()),
        }
    }
    progress(json!({ "kind": "end" }));
    let mut state = lock(state);
    state.running.retain(|(id, ..)| *id != job.id);
    let id = job.id.clone();
    let response = if job.budget.is_spent() {
        Response::new_err(id, ErrorCode::RequestCanceled as i32, "stopped".to_owned())
    } else if let Some(why) = failed {
        Response::new_err(id, ErrorCode::RequestFailed as i32, why)
    } else {
        Response::new_ok(id, state.statuses(&job.uri))
    };
    state.send(response.into());
    state.publish(&job.uri);
    state.refresh();
}

/// Runs one claim and keeps what was found, unless it was stopped.
fn answered(state: &Mutex<State>, job: &Job, place: usize) -> Result<(), String> {
    let session = lock(state).session;
    let started = Instant::now();
    let claims = verify::claims(&job.checked);
    let Some(claim) = claims.get(place) else { return Ok(()) };
    let (options, watch) = (ModelOptions::default(), Watching(job.budget.clone()));
    let _here = job.budget.enter();
    let outcome = match claim {
        ModelClaim::Check(check) => session.verify(&job.checked, check, &options, &watch),
        ModelClaim::Scenario(scenario) => {
            verify::scenario::run(&job.checked, scenario, &options, &watch)
        }
    };
    let outcome: Outcome = outcome.map_err(|all| {
        all.first().map_or_else(|| "the net has no meaning".to_owned(), |one| one.message.clone())
    })?;
    if job.budget.is_spent() {
        return Ok(());
    }
    let evidence = words::evidence(&outcome.evidence).unwrap_or_default();
    let answered = Answered {
        fingerprint: editor::fingerprint(&job.checked),
        verdict: outcome.verdict,
        seconds: started.elapsed().as_secs_f64(),
        reason: words::answer(&outcome, claim.denied()),
        evidence: evidence.lines().map(str::to_owned).collect(),
    };
    let key = (job.checked.root.clone(), claim.text(&job.checked));
    lock(state).answers.insert(key, answered);
    Ok(())
}

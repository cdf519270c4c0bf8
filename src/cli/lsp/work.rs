//! What takes long, one after the other on a thread of its own: verdicts, automata, pictures and pages. Time and memory are
//! bounded, and whoever asked can stop it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, RequestId};
use serde_json::{Value, json};

use super::show::{self, Shown};
use super::state::{Answered, State};
use super::uri::path_of;
use super::{failed, lock, succeeded};
use crate::base::{Budget, Spent, Watch};
use crate::cli::memory::Memory;
use crate::cli::verify::duration;
use crate::cli::watch::{Terminal, Working, is_interrupted};
use crate::editor;
use crate::emit::outcome as words;
use crate::model::{Checked, ModelOptions};
use crate::outcome::{Outcome, Verdict};
use crate::verify::{self, ModelClaim};

/// How often the editor is told how far something is.
const PAUSE: Duration = Duration::from_millis(250);

/// How often it is looked whether somebody wants the server to end.
const LOOK: Duration = Duration::from_millis(200);

/// What comes of a piece of work: an answer, or why there is none.
type Done = Result<Value, (ErrorCode, String)>;

/// Work that waits or is done.
pub(super) struct Running {
    /// The request that is to be answered; nothing where it was, or nobody asked.
    pub id: Option<RequestId>,
    /// What the editor calls its progress.
    pub token: Option<Value>,
    pub path: String,
    /// The texts that it is about.
    pub fingerprint: u64,
    /// The claims that it is about.
    pub places: Vec<usize>,
    number: u64,
    has_begun: bool,
    budget: Budget,
}

impl Running {
    /// Whether nobody waits for it any more.
    pub fn is_stopped(&self) -> bool {
        self.budget.is_spent()
    }
}

/// A question to a page.
pub(super) struct Aside {
    pub id: RequestId,
    is_answered: Arc<AtomicBool>,
}

impl Aside {
    /// Whether this is the first answer.
    pub fn answers(&self) -> bool {
        !self.is_answered.swap(true, Ordering::SeqCst)
    }
}

/// What is to be done.
enum Task {
    /// Claims, by their places.
    Verify(Vec<usize>),
    /// What is shown of a net; whether the editor shows it itself.
    Show(Shown, String, bool),
    /// A question of a page.
    Ask { address: String, name: String, body: Value },
}

/// Work for the worker.
pub(super) struct Job {
    path: String,
    checked: Arc<Checked>,
    task: Task,
    token: Option<Value>,
    /// Whether the editor has to be told of the token first.
    is_new_token: bool,
    number: u64,
    budget: Budget,
}

/// A command that takes long: it is given to the worker, and answered later. Nothing where it is another command.
pub(super) fn begin(
    state: &mut State,
    id: &RequestId,
    params: &Value,
) -> Option<Result<(), String>> {
    let command = params.get("command").and_then(Value::as_str)?;
    let argument = |at: usize| params.get("arguments").and_then(|all| all.get(at));
    let text = |at: usize| argument(at).and_then(Value::as_str);
    let shown = Shown::of(command);
    if command == "pnet.ask" {
        let ask = || {
            let address = text(0).filter(|one| state.pages.iter().any(|page| page.is_at(one)));
            let address = address.ok_or("there is no such page: open it again")?.to_owned();
            let name = text(1).ok_or("say what is asked")?.to_owned();
            let body = argument(2).cloned().unwrap_or_else(|| json!({}));
            Ok(Task::Ask { address, name, body })
        };
        let task: Result<Task, String> = ask();
        // Nothing of a model is needed, and nobody waits for what a check does meanwhile.
        return Some(task.map(|task| aside(state, id.clone(), task)));
    }
    if command != "pnet.verify" && shown.is_none() {
        return None;
    }
    let task = |state: &mut State| -> Result<(), String> {
        let path = path_of(text(0).ok_or("give the URI of a text")?);
        let checked = state.newest(&path)?;
        if checked.has_errors() {
            return Err("the model has errors: mend them first".to_owned());
        }
        let task = match shown {
            Some(shown) => {
                let net = text(1).map(str::to_owned);
                let last = || editor::nets(&checked).pop().map(|net| net.name);
                let net = net.or_else(last).ok_or("the model declares no net")?;
                let quiet = argument(2).and_then(|more| more.get("quiet")?.as_bool());
                Task::Show(shown, net, quiet.unwrap_or(false))
            }
            None => Task::Verify(places(&checked, argument(1), text(2))?),
        };
        let token = params.get("workDoneToken").cloned();
        send(state, (Some(id.clone()), token), path, checked, task);
        Ok(())
    };
    Some(task(state))
}

/// The places of the claims that are asked for. A lens says the text as well: places change while somebody types.
fn places(
    checked: &Checked,
    place: Option<&Value>,
    text: Option<&str>,
) -> Result<Vec<usize>, String> {
    let claims = editor::claims(checked);
    let Some(place) = place.filter(|one| !one.is_null()) else {
        return Ok((0..claims.len()).collect());
    };
    let place = place.as_u64().and_then(|place| usize::try_from(place).ok());
    let is_it = |claim: &&editor::Claim| text.is_none_or(|text| claim.text == text);
    let found = place.and_then(|place| claims.get(place)).filter(is_it);
    let found = found.or_else(|| claims.iter().find(|one| text.is_some() && is_it(one)));
    found.map(|one| vec![one.place]).ok_or_else(|| "there is no such check".to_owned())
}

/// Verifies the claims of a text that was saved, if it can be: those that are not answered for it, or about to be.
pub(super) fn verify_saved(state: &mut State, path: &str) {
    let Some(checked) = state.checked(path).filter(|one| !one.has_errors()) else { return };
    let fingerprint = editor::fingerprint(&checked);
    let open = |claim: &editor::Claim| {
        let known = state.answers.get(&(checked.root.clone(), claim.text.clone()));
        let again = known.is_none_or(|known| {
            let other_time = known.timeout != state.settings.timeout;
            known.fingerprint != fingerprint || known.verdict == Verdict::Unknown && other_time
        });
        let mut waiting = state.running.iter().filter(|one| one.fingerprint == fingerprint);
        again && !waiting.any(|one| one.path == path && one.places.contains(&claim.place))
    };
    let claims = editor::claims(&checked);
    let all: Vec<usize> = claims.iter().filter(|one| open(one)).map(|one| one.place).collect();
    if !all.is_empty() {
        send(state, (None, None), path.to_owned(), checked, Task::Verify(all));
    }
}

/// Gives work to the worker.
fn send(
    state: &mut State,
    (id, token): (Option<RequestId>, Option<Value>),
    path: String,
    checked: Arc<Checked>,
    task: Task,
) {
    let is_new_token = token.is_none() && state.client.progress;
    let token = token.or_else(|| is_new_token.then(|| state.fresh_token()));
    let (budget, fingerprint) = (Budget::default(), editor::fingerprint(&checked));
    let places = match &task {
        Task::Verify(places) => places.clone(),
        _ => Vec::new(),
    };
    let number = state.running.iter().map(|one| one.number + 1).max().unwrap_or(0);
    state.running.push(Running {
        id,
        token: token.clone(),
        path: path.clone(),
        fingerprint,
        places,
        number,
        has_begun: false,
        budget: budget.clone(),
    });
    let job = Job { path, checked, task, token, is_new_token, number, budget };
    // The worker is there as long as the server.
    let _ = state.jobs.send(job);
}

/// Asks a page on a thread of its own.
fn aside(state: &mut State, id: RequestId, task: Task) {
    let Task::Ask { address, name, body } = task else { return };
    let out = state.out();
    let is_answered = Arc::new(AtomicBool::new(false));
    let own = Aside { id: id.clone(), is_answered: Arc::clone(&is_answered) };
    state.asides.retain(|one| !one.is_answered.load(Ordering::SeqCst));
    state.asides.push(Aside { id: id.clone(), is_answered });
    let work = move || {
        let answer = match show::ask_page(&address, &name, &body) {
            Ok(answer) => succeeded(&id, answer),
            Err(why) => failed(&id, ErrorCode::RequestFailed, &why),
        };
        let _ = out.filter(|_| own.answers()).map(|out: Sender<Value>| out.send(answer));
    };
    // Without threads nothing can be done at all.
    let _ = std::thread::Builder::new().spawn(work);
}

/// Does all work, one piece after the other.
pub(super) fn start(state: Arc<Mutex<State>>, todo: Receiver<Job>) {
    let all = move || {
        let terminal = Terminal::new(Memory::default().limit());
        loop {
            match todo.recv_timeout(LOOK) {
                Ok(job) => run(&state, &terminal, job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if is_interrupted() {
                std::process::exit(130);
            }
        }
    };
    // Without threads nothing can be done at all.
    let _ = std::thread::Builder::new().stack_size(super::STACK).spawn(all);
}

/// Who watches over a job: what is found on the way is told to the editor.
struct Watching<'a> {
    inner: &'a Working,
    state: &'a Mutex<State>,
    token: Option<Value>,
    last: Mutex<Instant>,
}

impl Watching<'_> {
    fn tell(&self, words: impl FnOnce() -> String) {
        let Some(token) = &self.token else { return };
        let mut last = lock(&self.last);
        if last.elapsed() < PAUSE {
            return;
        }
        *last = Instant::now();
        let value = json!({ "kind": "report", "message": words() });
        lock(self.state).notify("$/progress", json!({ "token": token, "value": value }));
    }
}

impl Watch for Watching<'_> {
    fn progress(&self, states: usize, transitions: usize, queries: usize) {
        self.inner.progress(states, transitions, queries);
        self.tell(|| format!("{states} states, {transitions} transitions"));
    }

    fn exploring(&self, states: u64, transitions: u64, depth: u64) {
        self.inner.exploring(states, transitions, depth);
        self.tell(|| format!("{states} configurations, {transitions} steps, depth {depth}"));
    }

    fn searching(&self, what: &str, queries: usize) {
        self.inner.searching(what, queries);
        self.tell(|| what.to_owned());
    }

    fn budget(&self) -> Budget {
        self.inner.budget()
    }
}

fn run(state: &Arc<Mutex<State>>, terminal: &Terminal, job: Job) {
    let job = Arc::new(job);
    let own = |one: &&mut Running| one.number == job.number;
    // What was stopped before it began is answered already.
    let Some(()) = lock(state).running.iter_mut().find(own).map(|one| one.has_begun = true) else {
        return;
    };
    if let (true, Some(token)) = (job.is_new_token, &job.token) {
        lock(state).request("window/workDoneProgress/create", json!({ "token": token }));
    }
    let title = match &job.task {
        Task::Verify(_) => "verifying",
        Task::Show(..) | Task::Ask { .. } => "drawing",
    };
    tell(state, &job, json!({ "kind": "begin", "title": title, "cancellable": true }));
    let done = match &job.task {
        Task::Verify(places) => verify(state, terminal, &job, places),
        Task::Show(shown, net, quiet) => {
            let (shown, net, quiet, theirs) = (*shown, net.clone(), *quiet, Arc::clone(&job));
            watched(state, terminal, &job, move |state, watch| {
                show::show(state, (shown, &theirs.path, &net, quiet), &theirs.checked, watch)
            })
        }
        Task::Ask { .. } => Ok(Value::Null),
    };
    let mut state = lock(state);
    let place = state.running.iter().position(|one| one.number == job.number);
    let asked = place.and_then(|place| state.running.remove(place).id);
    // Whoever asks for lenses when it hears this is not told that it runs.
    if let Some(token) = &job.token {
        state.notify("$/progress", json!({ "token": token, "value": { "kind": "end" } }));
    }
    let done = done.and_then(|value| match (&job.task, value) {
        (Task::Verify(_), _) => {
            state.statuses(&job.path).map_err(|why| (ErrorCode::RequestFailed, why))
        }
        (_, value) => Ok(value),
    });
    if let Some(id) = asked {
        state.send(match &done {
            Ok(value) => succeeded(&id, value.clone()),
            Err((code, why)) => failed(&id, *code, why),
        });
    }
    if matches!(job.task, Task::Verify(_)) {
        state.publish(&job.path, false);
        state.refresh();
    }
}

impl State {
    /// Stops work, and says so at once, also where it takes a moment to end.
    pub fn stop(&mut self, is_it: impl Fn(&Running) -> bool) {
        let (mut answers, mut is_lens) = (Vec::new(), false);
        for one in self.running.iter_mut().filter(|one| is_it(one)) {
            one.budget.spend(Spent::Interrupted);
            is_lens |= !one.has_begun && !one.places.is_empty();
            answers.extend(one.id.take().map(|id| stopped(&id)));
        }
        self.running.retain(|one| one.has_begun || one.budget.spent().is_none());
        answers.into_iter().for_each(|answer| self.send(answer));
        if is_lens {
            self.refresh();
        }
    }

    /// Takes back a request.
    pub fn cancel(&mut self, id: &RequestId) {
        self.stop(|one| one.id.as_ref() == Some(id));
        let aside = self.asides.iter().find(|one| one.id == *id);
        if aside.is_some_and(Aside::answers) {
            self.send(stopped(id));
        }
    }
}

fn stopped(id: &RequestId) -> Value {
    failed(id, ErrorCode::RequestCanceled, "stopped")
}

fn tell(state: &Mutex<State>, job: &Job, value: Value) {
    if let Some(token) = &job.token {
        lock(state).notify("$/progress", json!({ "token": token, "value": value }));
    }
}

/// Runs claims. A verdict that was found stays, whatever becomes of the others.
fn verify(
    state: &Arc<Mutex<State>>,
    terminal: &Terminal,
    job: &Arc<Job>,
    places: &[usize],
) -> Done {
    let claims = editor::claims(&job.checked);
    let mut done = Ok(Value::Null);
    for (before, &place) in places.iter().enumerate() {
        let text = claims.get(place).map_or("", |claim| claim.text.as_str());
        let percentage = before * 100 / places.len().max(1);
        tell(state, job, json!({ "kind": "report", "message": text, "percentage": percentage }));
        let theirs = Arc::clone(job);
        let one = watched(state, terminal, job, move |state, watch| {
            answered(state, &theirs, place, watch).map(|()| Value::Null)
        });
        match one {
            Err((ErrorCode::RequestCanceled, _)) => return one,
            Err((_, why)) => {
                gave_up(&mut lock(state), job, text, &why);
                done = Err((ErrorCode::RequestFailed, why));
            }
            Ok(_) => {}
        }
    }
    done
}

/// Has something done under the eyes of who looks at time and memory.
fn watched(
    state: &Arc<Mutex<State>>,
    terminal: &Terminal,
    job: &Arc<Job>,
    work: impl FnOnce(&Mutex<State>, &dyn Watch) -> Result<Value, String> + Send + 'static,
) -> Done {
    let stopped = || Err((ErrorCode::RequestCanceled, "stopped".to_owned()));
    if job.budget.is_spent() {
        return stopped();
    }
    let time = duration(lock(state).settings.timeout);
    let (theirs, own) = (Arc::clone(state), Arc::clone(job));
    let done = terminal.run(time, move |working| {
        // Whoever stops the job stops this piece of it.
        let (whole, part) = (own.budget.clone(), working.budget());
        let (over, wait) = std::sync::mpsc::channel::<()>();
        let follow = move || {
            while wait.recv_timeout(Duration::from_millis(10)) == Err(RecvTimeoutError::Timeout) {
                if let Some(why) = whole.spent() {
                    part.spend(why);
                    return;
                }
            }
        };
        let _ = std::thread::Builder::new().spawn(follow);
        let last = Mutex::new(Instant::now());
        let watch = Watching { inner: working, state: &theirs, token: own.token.clone(), last };
        let done = catch_unwind(AssertUnwindSafe(|| work(&theirs, &watch)));
        drop(over);
        done.unwrap_or_else(|_| Err("this could not be done: a mistake of pnet".to_owned()))
    });
    match done {
        _ if job.budget.is_spent() => stopped(),
        Ok(done) => done.map_err(|why| (ErrorCode::RequestFailed, why)),
        Err(left) => Err((ErrorCode::RequestFailed, left.told())),
    }
}

/// Keeps that a claim took too long: it is unknown, and not asked again for the same texts unless somebody wants it.
fn gave_up(state: &mut State, job: &Job, claim: &str, why: &str) {
    let key = (job.checked.root.clone(), claim.to_owned());
    let timeout = state.settings.timeout;
    let answered = Answered {
        fingerprint: editor::fingerprint(&job.checked),
        verdict: Verdict::Unknown,
        seconds: timeout,
        timeout,
        reason: why.to_owned(),
        evidence: Vec::new(),
        steps: Vec::new(),
    };
    state.answers.insert(key, answered);
}

/// Runs one claim and keeps what was found, unless it was stopped.
fn answered(
    state: &Mutex<State>,
    job: &Job,
    place: usize,
    watch: &dyn Watch,
) -> Result<(), String> {
    let (session, timeout) = {
        let state = lock(state);
        (state.session, state.settings.timeout)
    };
    let started = Instant::now();
    let claims = verify::claims(&job.checked);
    let Some(claim) = claims.get(place) else { return Ok(()) };
    let options = ModelOptions::default();
    let outcome = match claim {
        ModelClaim::Check(check) => session.verify(&job.checked, check, &options, watch),
        ModelClaim::Scenario(scenario) => {
            verify::scenario::run(&job.checked, scenario, &options, watch)
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
        timeout,
        reason: words::answer(&outcome, claim.denied()),
        evidence: evidence.lines().map(str::to_owned).collect(),
        steps: words::steps(&outcome.evidence),
    };
    let key = (job.checked.root.clone(), claim.text(&job.checked));
    lock(state).answers.insert(key, answered);
    Ok(())
}

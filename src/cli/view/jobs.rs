//! Work that takes its time, on threads of its own: the page asks how far it is, and may stop it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::base::{Budget, Spent, Watch};
use crate::smt::Watchdog;

/// So much is worked on at the same time.
const MOST_AT_ONCE: usize = 3;
/// So many results are remembered.
const MOST_KEPT: usize = 64;
/// What the main thread has elsewhere.
const STACK: usize = 16 << 20;
/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// What comes of work.
pub(super) type Done = Result<Value, String>;

/// A piece of work.
struct Job {
    budget: Budget,
    started: Instant,
    progress: Arc<Mutex<String>>,
    done: Arc<Mutex<Option<(Done, f64)>>>,
}

/// All work.
#[derive(Default)]
pub(super) struct Jobs {
    all: Mutex<(u64, BTreeMap<u64, Job>)>,
}

/// What work sees.
pub(super) struct Seen {
    budget: Budget,
    progress: Arc<Mutex<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch for Seen {
    fn progress(&self, states: usize, transitions: usize, _queries: usize) {
        *lock(&self.progress) = format!("{states} states, {transitions} transitions");
    }

    fn exploring(&self, states: u64, transitions: u64, depth: u64) {
        *lock(&self.progress) =
            format!("{states} configurations, {transitions} steps, depth {depth}");
    }

    fn searching(&self, what: &str, _queries: usize) {
        what.clone_into(&mut lock(&self.progress));
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }
}

impl Jobs {
    /// Begins something; its number.
    pub fn begin(
        &self,
        time: Option<Duration>,
        work: impl FnOnce(&Seen) -> Done + Send + 'static,
    ) -> Result<u64, String> {
        let mut all = lock(&self.all);
        let working = all.1.values().filter(|job| lock(&job.done).is_none()).count();
        if working >= MOST_AT_ONCE {
            return Err("enough is being worked on; wait for it, or stop it".to_owned());
        }
        while all.1.len() >= MOST_KEPT {
            let old = all.1.iter().find(|(_, job)| lock(&job.done).is_some()).map(|(id, _)| *id);
            let Some(old) = old else { break };
            all.1.remove(&old);
        }
        let (budget, started) = (Budget::default(), Instant::now());
        let (progress, done) = (Arc::<Mutex<String>>::default(), Arc::<Mutex<_>>::default());
        let seen = Seen { budget: budget.clone(), progress: Arc::clone(&progress) };
        let (theirs, clock) = (Arc::clone(&done), budget.clone());
        let whole = move || {
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let _here = seen.budget.enter();
                Watchdog::while_here(|| work(&seen))
            }));
            let found = found.unwrap_or_else(|_| {
                Err("this is a fault of pnet; the terminal says more".to_owned())
            });
            *lock(&theirs) = Some((found, started.elapsed().as_secs_f64()));
        };
        let worker = std::thread::Builder::new().stack_size(STACK).spawn(whole);
        worker.map_err(|why| why.to_string())?;
        if let Some(time) = time {
            let ends = Arc::clone(&done);
            let _ = std::thread::Builder::new().spawn(move || {
                while lock(&ends).is_none() {
                    if started.elapsed() > time {
                        clock.spend(Spent::Time { milliseconds: time.as_millis() as u64 });
                        return;
                    }
                    std::thread::sleep(LOOK);
                }
            });
        }
        all.0 += 1;
        let id = all.0;
        all.1.insert(id, Job { budget, started, progress, done });
        Ok(id)
    }

    /// How far something is.
    pub fn look(&self, id: u64) -> Done {
        let all = lock(&self.all);
        let job = all.1.get(&id).ok_or("nothing is known of this work; begin it again")?;
        let done = lock(&job.done);
        Ok(match &*done {
            None => json!({
                "done": false,
                "progress": *lock(&job.progress),
                "seconds": job.started.elapsed().as_secs_f64(),
            }),
            Some((Ok(value), seconds)) => {
                json!({ "done": true, "result": value, "seconds": seconds })
            }
            Some((Err(why), seconds)) => {
                json!({ "done": true, "problem": why, "seconds": seconds })
            }
        })
    }

    /// Has something end.
    pub fn stop(&self, id: u64) {
        if let Some(job) = lock(&self.all).1.get(&id) {
            job.budget.spend(Spent::Interrupted);
        }
    }

    /// Has all end.
    pub fn stop_all(&self) {
        lock(&self.all).1.values().for_each(|job| job.budget.spend(Spent::Interrupted));
    }
}

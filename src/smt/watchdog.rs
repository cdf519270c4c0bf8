//! Somebody who interrupts Z3 when the time is up.
//!
//! Z3 has a limit of its own, `timeout`, which must not be used: in several versions, Debian's 4.8.12 among them, a
//! timer that ends while a tactic starts another one waits for itself forever (Z3's pull request 5370). Its limit of
//! resources, `rlimit`, does not end all that it should: questions about products go on for minutes.
//!
//! A watchdog is a thread that sleeps until the deadline of the question that is being asked, and looks at the budget of
//! the work every now and then. It is not told when a question is answered before: it looks when it wakes up, so that
//! quick questions cost nothing.

use std::cell::OnceCell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use z3::{Context, ContextHandle};

use crate::base::budget::{self, Budget};

/// Z3 listens only once it is at work: knock again after this time.
const AGAIN: Duration = Duration::from_millis(20);

/// How often to look at the budget while Z3 thinks.
const LOOK: Duration = Duration::from_millis(50);

#[allow(clippy::disallowed_methods, reason = "deadlines are what a watchdog is for")]
fn now() -> Instant {
    Instant::now()
}

#[derive(Default)]
struct State {
    /// When the question that is being asked has to be answered; nothing between questions.
    deadline: Option<Instant>,
    /// What the work may take of which the question is a part.
    budget: Budget,
    /// Whether it was interrupted.
    late: bool,
    /// Whether the watchdog sleeps until somebody wakes it.
    idle: bool,
    /// Whether there will be no more questions.
    gone: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does. Z3 is interrupted with the state locked, so that nobody can ask the next question
    /// meanwhile and be interrupted instead.
    fn watch(&self, z3: &ContextHandle<'_>) {
        let mut state = self.state();
        while !state.gone {
            let Some(deadline) = state.deadline else {
                state.idle = true;
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle = false;
                continue;
            };
            let mut rest = deadline.saturating_duration_since(now()).min(LOOK);
            if rest.is_zero() || state.budget.spent().is_some() {
                z3.interrupt();
                state.late = true;
                rest = AGAIN;
            }
            let woken = self.changed.wait_timeout(state, rest);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn leave(&self) {
        self.state().gone = true;
        self.changed.notify_all();
    }
}

/// Interrupts the Z3 of one thread.
#[derive(Clone)]
pub(crate) struct Watchdog(Arc<Shared>);

/// Sends a watchdog home, whatever happens.
struct Leaving<'s>(&'s Shared);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

thread_local! {
    static OF_THIS_THREAD: OnceCell<Watchdog> = const { OnceCell::new() };
}

impl Watchdog {
    /// The watchdog of this thread, for good: the thread's Z3 is never given back. Threads that come and go have
    /// theirs [`Watchdog::during`] their work.
    pub fn of_this_thread() -> Watchdog {
        OF_THIS_THREAD.with(|own| {
            let start = || {
                let shared = Arc::<Shared>::default();
                let context: &'static Context = Box::leak(Box::new(Context::thread_local()));
                let (z3, watched) = (context.handle(), Arc::clone(&shared));
                std::thread::spawn(move || watched.watch(&z3));
                Watchdog(shared)
            };
            own.get_or_init(start).clone()
        })
    }

    /// The watchdog of a thread that does long work and then goes, with its Z3.
    pub fn while_here<R>(work: impl FnOnce() -> R) -> R {
        Watchdog::during(|watchdog| {
            let _ = OF_THIS_THREAD.with(|own| own.set(watchdog));
            work()
        })
    }

    /// A watchdog while some work is done.
    pub fn during<R>(work: impl FnOnce(Watchdog) -> R) -> R {
        let context = Context::thread_local();
        let shared = Arc::<Shared>::default();
        std::thread::scope(|scope| {
            let z3 = context.handle();
            let watched = Arc::clone(&shared);
            scope.spawn(move || watched.watch(&z3));
            let _leaving = Leaving(&shared);
            work(Watchdog(Arc::clone(&shared)))
        })
    }

    /// Has Z3 do something within a time; says whether it was interrupted.
    pub fn within<R>(&self, milliseconds: u32, ask: impl FnOnce() -> R) -> (R, bool) {
        let time = Duration::from_millis(u64::from(milliseconds.max(1)));
        let mut state = self.0.state();
        state.deadline = Some(now() + time);
        state.budget = budget::here();
        state.late = false;
        let idle = state.idle;
        drop(state);
        if idle {
            self.0.changed.notify_all();
        }
        let result = ask();
        let mut state = self.0.state();
        state.deadline = None;
        (result, state.late)
    }
}

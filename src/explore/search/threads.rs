//! Threads that work on rounds together: they wait for one half of a round, do their shares, and wait again.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What there is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    /// Make steps.
    Expand,
    /// Put what they lead to into the store; how many chunks there are.
    Insert(usize),
    /// Nothing more.
    End,
}

#[derive(Debug)]
struct State {
    /// Counts the halves, so that nobody does one twice.
    number: u64,
    half: Half,
    /// How many threads have not done it yet.
    busy: usize,
}

/// Where threads wait.
#[derive(Debug)]
pub(super) struct Gate {
    helpers: usize,
    state: Mutex<State>,
    begins: Condvar,
    done: Condvar,
}

impl Gate {
    /// For so many threads besides the one that leads.
    pub fn new(helpers: usize) -> Gate {
        let state = State { number: 0, half: Half::End, busy: 0 };
        Gate { helpers, state: Mutex::new(state), begins: Condvar::new(), done: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has all threads do something, and does a share of it here; comes back when all are done.
    pub fn together(&self, half: Half, mut own: impl FnMut(Half)) {
        {
            let mut state = self.state();
            state.number += 1;
            (state.half, state.busy) = (half, self.helpers);
        }
        self.begins.notify_all();
        own(half);
        let mut state = self.state();
        while state.busy > 0 {
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What a helper does until the end.
    pub fn help(&self, mut work: impl FnMut(Half)) {
        let mut seen = 0;
        loop {
            let half = self.wait(&mut seen);
            let _done = Done(self);
            if half == Half::End {
                return;
            }
            work(half);
        }
    }

    fn wait(&self, seen: &mut u64) -> Half {
        let mut state = self.state();
        while state.number == *seen {
            state = self.begins.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        *seen = state.number;
        state.half
    }
}

/// A helper has done its share, also where it panicked: then the others must not wait for it.
struct Done<'g>(&'g Gate);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.busy -= 1;
        if state.busy == 0 {
            self.0.done.notify_all();
        }
    }
}

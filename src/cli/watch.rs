//! Watching long work: a line of progress on a terminal, and Ctrl-C, which ends it with what was found so far.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::generate::Watch;

/// Whether somebody pressed Ctrl-C.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Short work says nothing.
const QUIET: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);

/// Shows progress, and stops on Ctrl-C.
pub(super) struct Terminal {
    started: Instant,
    shown: Cell<Option<Instant>>,
    visible: bool,
    /// When the work that is being done has to end.
    deadline: Cell<Option<Instant>>,
}

impl Terminal {
    pub fn new() -> Terminal {
        // The second Ctrl-C ends the process whatever it does. A handler that cannot be set is no reason to
        // give up: Ctrl-C then ends the process at once.
        let _ = ctrlc::set_handler(|| {
            if STOPPED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        let visible = std::io::stderr().is_terminal();
        Terminal {
            started: Instant::now(),
            shown: Cell::new(None),
            visible,
            deadline: Cell::new(None),
        }
    }

    /// Gives what comes next so much time; none for any.
    pub fn within(&self, time: Option<Duration>) {
        self.deadline.set(time.map(|time| Instant::now() + time));
    }

    /// Whether the time that was given is up.
    pub fn is_late(&self) -> bool {
        self.deadline.get().is_some_and(|end| Instant::now() >= end)
    }

    /// Whether somebody pressed Ctrl-C.
    pub fn is_interrupted(&self) -> bool {
        STOPPED.load(Ordering::SeqCst)
    }

    /// How long it has been.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Shows a line, but not too often.
    fn show(&self, queries: usize, what: impl Fn() -> String) {
        if !self.visible || self.started.elapsed() < QUIET {
            return;
        }
        if self.shown.get().is_some_and(|shown| shown.elapsed() < PAUSE) {
            return;
        }
        self.shown.set(Some(Instant::now()));
        let mut out = std::io::stderr().lock();
        let _ = write!(
            out,
            "\r\x1b[K{:.0} s: {}, {queries} questions to the solver (Ctrl-C stops)",
            self.seconds(),
            what()
        );
        let _ = out.flush();
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Watch for Terminal {
    fn progress(&self, states: usize, transitions: usize, queries: usize) {
        self.show(queries, || format!("{states} states, {transitions} transitions"));
    }

    fn searching(&self, what: &str, queries: usize) {
        self.show(queries, || what.to_owned());
    }

    fn note(&self, text: &str) {
        self.clear();
        let _ = writeln!(std::io::stderr(), "note: {text}");
    }

    fn milliseconds_left(&self) -> Option<u32> {
        let left = self.deadline.get()?.saturating_duration_since(Instant::now());
        Some(u32::try_from(left.as_millis()).unwrap_or(u32::MAX))
    }

    fn stopped(&self) -> bool {
        self.is_interrupted() || self.is_late()
    }
}

//! Several ways to answer one check, at once: the first sound answer counts, and the others are stopped.
//!
//! Which way answers first may vary from run to run; what is answered does not, since no way says more than it has
//! established.

use std::sync::mpsc::{Sender, channel};

use crate::base::{Budget, Spent, Watch};
use crate::outcome::{Outcome, Reason, Verdict};
use crate::smt::Watchdog;

/// What a way finds.
pub(super) type Answered = Outcome;

/// A way to answer a check.
pub(super) type Attempt<'a> = Box<dyn FnOnce(&dyn Watch) -> Answered + Send + 'a>;

/// Whoever works needs so much stack.
const STACK: usize = 64 << 20;

enum Message {
    /// How far somebody is, and how many questions were asked.
    Progress(String, usize),
    /// Somebody is done.
    Done(usize, Box<Outcome>),
}

/// Lets several lists of attempts be made at once, each list in its order, until one is settled. Otherwise, why none is, in the
/// order of the lists.
pub(super) fn first(
    lists: Vec<Vec<Attempt<'_>>>,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Reason>> {
    let budget = watch.budget().part();
    let (messages, heard) = channel::<Message>();
    let mut open: Vec<(usize, Reason)> = Vec::new();
    let settled = std::thread::scope(|scope| {
        let count: usize = lists.iter().map(Vec::len).sum();
        let mut number = 0;
        for list in lists {
            let first = number;
            number += list.len();
            let (messages, budget) = (messages.clone(), budget.clone());
            let work = move || Watchdog::while_here(|| one_by_one(list, first, &messages, &budget));
            // Where no thread can be had, the list is not tried.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        drop(messages);
        let mut left = count;
        while left > 0 {
            match heard.recv() {
                Ok(Message::Progress(what, queries)) => watch.searching(&what, queries),
                Ok(Message::Done(_, outcome)) if outcome.verdict != Verdict::Unknown => {
                    budget.spend(Spent::Interrupted);
                    return Some(*outcome);
                }
                Ok(Message::Done(number, outcome)) => {
                    open.push((number, outcome.reason));
                    left -= 1;
                }
                Err(_) => break,
            }
        }
        None
    });
    match settled {
        Some(outcome) => Ok(outcome),
        None => {
            open.sort_by_key(|(number, _)| *number);
            Err(open.into_iter().map(|(_, reason)| reason).collect())
        }
    }
}

fn one_by_one(list: Vec<Attempt<'_>>, first: usize, messages: &Sender<Message>, budget: &Budget) {
    let _here = budget.enter();
    let watch = Forwarded { budget: budget.clone(), messages: messages.clone() };
    for (place, attempt) in list.into_iter().enumerate() {
        let outcome = attempt(&watch);
        // What was found out when the budget was spent may rest on work that was not done to its end.
        let outcome = match budget.spent() {
            None => outcome,
            Some(_) => Outcome::unknown(Reason::Stopped),
        };
        let settled = outcome.verdict != Verdict::Unknown;
        // Nobody listens any more where something else was settled before.
        let _ = messages.send(Message::Done(first + place, Box::new(outcome)));
        if settled {
            break;
        }
    }
}

/// Tells the one who waits how far the work is.
struct Forwarded {
    budget: Budget,
    messages: Sender<Message>,
}

impl Watch for Forwarded {
    fn progress(&self, _states: usize, _transitions: usize, queries: usize) {
        let _ = self.messages.send(Message::Progress(String::new(), queries));
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }

    fn searching(&self, what: &str, queries: usize) {
        let _ = self.messages.send(Message::Progress(what.to_owned(), queries));
    }

    fn exploring(&self, states: u64, _transitions: u64, depth: u64) {
        let what = format!("{states} configurations, depth {depth}");
        let _ = self.messages.send(Message::Progress(what, 0));
    }
}

//! One worker: when it looks at configurations, what it tells the others, and when it is over.
//!
//! At the end of each level every worker tells every other what it has seen. So all know at the beginning of the next level
//! what all have seen, and decide the same. It is over when nobody has looked at anything in a level.

use super::parcel::{Halt, Message, News, StateId, Tally};
use super::share::{LabelText, Outgoing, Share};
use crate::base::Budget;
use crate::explore::search::{Counts, Goal, SearchLimits};
use crate::explore::{Machine, Packed};

/// What a worker is asked to do.
pub struct PeerTask<'g, M: Machine> {
    /// What is looked for.
    pub goal: Goal<'g, M>,
    /// How far to go.
    pub limits: SearchLimits,
    /// Whether values were left out before anything began.
    pub limited: bool,
}

/// What comes after a level has arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// It is to be looked at.
    Look,
    /// Nobody has anything more: what all have seen is known.
    Over,
}

/// One worker.
pub struct Peer<'m, M: Machine> {
    share: Share<'m, M>,
    task: PeerTask<'m, M>,
    who: u32,
    of: u32,
    begins: u64,
    /// The level that arrives now.
    next: u64,
    /// At how many it looked in the level before it.
    looked: u64,
    depth: u64,
    /// How many configurations each worker has, as far as is known.
    states: Vec<u64>,
    /// What was told at the end of the level before the one that arrives.
    heard: Vec<Option<Tally>>,
    /// What was told last, by each.
    known: Vec<Tally>,
    halt: Option<Halt>,
}

impl<'m, M: Machine> Peer<'m, M> {
    /// One of so many workers, with what the search begins with.
    pub fn new(
        machine: &'m M,
        (who, of): (u32, u32),
        initial: &[Packed],
        task: PeerTask<'m, M>,
    ) -> Peer<'m, M> {
        let mut share = Share::new(machine, who, of);
        share.begin(initial);
        let tally = |from| Tally { from, ..Tally::default() };
        Peer {
            begins: share.states(),
            share,
            task,
            who,
            of,
            next: 0,
            looked: 0,
            depth: 0,
            states: vec![0; of as usize],
            heard: vec![None; of as usize],
            known: (0..of).map(tally).collect(),
            halt: None,
        }
    }

    /// The level that arrives now. What belongs to a later one has to wait.
    pub fn arriving(&self) -> u64 {
        self.next
    }

    /// Takes a message of the level that arrives.
    pub fn hear(&mut self, news: News) {
        match news {
            News::Steps(parcel) => {
                let keep = self.next <= self.task.limits.most_depth;
                if self.share.arrive(&parcel, keep).is_none() {
                    let from = parcel.from;
                    self.halt(Halt::Told(format!("worker {from} sent what cannot be read")));
                }
            }
            News::Sofar(from, states, halt) => {
                self.note_states(from, states);
                halt.into_iter().for_each(|halt| self.halt(halt));
            }
            News::Tally(tally) => {
                self.note_states(tally.from, tally.counts.states);
                if let Some(heard) = self.heard.get_mut(tally.from as usize) {
                    *heard = Some(*tally);
                }
            }
        }
    }

    fn note_states(&mut self, worker: u32, states: u64) {
        self.states.get_mut(worker as usize).into_iter().for_each(|known| *known = states);
    }

    /// Looks at nothing more; the first reason counts.
    fn halt(&mut self, why: Halt) {
        self.halt.get_or_insert(why);
    }

    /// All of a level has arrived. Its steps are given on as lines.
    pub fn settle(&mut self, line: impl FnMut(StateId, &str, StateId)) -> Next {
        if self.next > 0 && !self.reckon() {
            return Next::Over;
        }
        self.share.settle(line);
        self.next += 1;
        self.looked = 0;
        Next::Look
    }

    /// What follows from what all have told; whether there is anything more.
    fn reckon(&mut self) -> bool {
        for (known, heard) in self.known.iter_mut().zip(&mut self.heard) {
            if let Some(mut tally) = heard.take() {
                tally.used = tally.used.or(known.used.take());
                *known = tally;
            }
        }
        let halts = self.known.iter().filter_map(|tally| tally.halt.clone());
        if let Some(halt) = halts.min() {
            self.halt(halt);
        }
        if self.known.iter().any(|tally| tally.goal.is_some()) && !self.task.limits.thorough {
            self.halt(Halt::Found);
        }
        self.known.iter().any(|tally| tally.looked > 0)
    }

    /// Looks at some configurations of the level; whether that was all of it.
    pub fn look(
        &mut self,
        many: usize,
        budget: &Budget,
        mut label: Option<LabelText<'_>>,
    ) -> (Vec<Message>, bool) {
        let (mut out, before) = (Outgoing::new(self.who, self.of), self.halt.is_some());
        for _ in 0..many {
            if let Some(spent) = budget.spent() {
                self.halt(Halt::Told(spent.to_string()));
            }
            if self.share.has_more() && self.is_full() {
                self.halt(Halt::States);
            }
            if self.halt.is_some() || !self.share.has_more() {
                break;
            }
            self.share.look(self.task.goal, &mut out, label.as_deref_mut().map(|label| label as _));
            self.looked += 1;
            self.depth = self.next - 1;
        }
        let steps = |(to, parcel)| Message { to, news: News::Steps(Box::new(parcel)) };
        let mut messages: Vec<Message> = out.done().map(steps).collect();
        let halted = !before && self.halt.is_some();
        if halted || self.task.limits.most_states != u64::MAX {
            let sofar = News::Sofar(self.who, self.share.states(), self.halt.clone());
            messages.extend(self.to_all(&sofar));
        }
        (messages, self.halt.is_some() || !self.share.has_more())
    }

    /// Whether there are more configurations than are allowed: so many that one is too many.
    fn is_full(&mut self) -> bool {
        self.note_states(self.who, self.share.states());
        self.states.iter().sum::<u64>() > self.task.limits.most_states
    }

    /// What is told at the end of a level, to all.
    pub fn end_level(&self, used: Option<Vec<[u32; 3]>>) -> Vec<Message> {
        self.to_all(&News::Tally(Box::new(Tally { used, ..self.tally() }))).collect()
    }

    fn to_all(&self, news: &News) -> impl Iterator<Item = Message> {
        (0..self.of).map(|to| Message { to, news: news.clone() })
    }

    /// What this worker has seen.
    pub fn tally(&self) -> Tally {
        let seen = self.share.seen();
        let (lines, beyond) = self.share.lines();
        let number = |at: crate::explore::search::Ref| at.alone_place() as u32;
        let gap = seen.sights.gap.as_ref();
        Tally {
            from: self.who,
            begins: self.begins,
            counts: Counts { depth: self.depth, ..self.share.counts() },
            looked: self.looked,
            left: self.share.left(),
            lines,
            beyond,
            limited: seen.limited || self.task.limited,
            goal: seen.sights.goal.map(number),
            gap: gap.map(|(at, gap)| (number(*at), gap.to_string())),
            halt: self.halt.clone(),
            used: None,
        }
    }

    /// What all have told last.
    pub fn known(&self) -> &[Tally] {
        &self.known
    }

    /// The configurations that are here.
    pub fn share(&self) -> &Share<'m, M> {
        &self.share
    }
}

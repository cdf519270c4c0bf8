//! One budget for one piece of work: how much time, memory and work it may take, and whether somebody wants it to end.
//!
//! Whoever has the clock, the memory and the keyboard (`cli`) looks at them and *spends* the budget; the library asks
//! no clock, it only looks whether the budget is spent. Looking costs next to nothing, so every loop that can be long
//! looks, each time round. They also say how much of the time is over, so that the first of several who work one after the
//! other leaves some to the rest ([`Budget::share_of_time`]).
//!
//! The budget belongs to a thread while the work is done ([`Budget::enter`]): what is deep inside, and knows of
//! nothing but terms, sees it as well.
//!
//! A budget that is spent stays so. Whoever sees it may return early with anything that is well formed, since whoever
//! started the work asks at its end, and then calls nothing proved, refuted or complete.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use thiserror::Error;

/// Why a budget is spent.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Spent {
    /// Somebody wants the work to end.
    #[error("stopped")]
    Interrupted,
    /// The time is up.
    #[error("the time was up after {} s", *.milliseconds as f64 / 1000.0)]
    Time {
        /// How much there was, in thousandths of a second.
        milliseconds: u64,
    },
    /// The share of the time is up that this piece of work has.
    #[error("its share of the time was up")]
    Share,
    /// There is not enough memory.
    #[error("memory ran out: {used} MB of {limit} MB; raise `--memory`")]
    Memory {
        /// How much is used, in megabytes.
        used: u64,
        /// How much there was.
        limit: u64,
    },
    /// It takes more work than it may.
    #[error("the work was more than {limit} steps")]
    Work {
        /// How often it may look.
        limit: u64,
    },
}

#[derive(Debug)]
struct Shared {
    spent: OnceLock<Spent>,
    looks: AtomicU64,
    most_looks: u64,
    /// How much of the time is over, in thousandths.
    passed: AtomicU32,
    /// How much of the time of the whole may be over.
    until: u32,
    /// The budget that this one is a part of: with it, this one is spent.
    whole: Option<Budget>,
    /// Whether looking at this one is looking at the whole.
    takes: bool,
}

/// A budget. Copies are the same budget.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Shared>);

/// All of the time, in the unit in which it passes.
const ALL_TIME: u32 = 1_000;

impl Shared {
    fn of(whole: Option<&Budget>, takes: bool) -> Shared {
        Shared {
            spent: OnceLock::new(),
            looks: AtomicU64::new(0),
            most_looks: u64::MAX,
            passed: AtomicU32::new(0),
            until: u32::MAX,
            whole: whole.cloned(),
            takes,
        }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::of_work(u64::MAX)
    }
}

impl Budget {
    /// A budget of so much work: it is spent once it was looked at so often. The same on every machine.
    pub fn of_work(limit: u64) -> Budget {
        Budget(Arc::new(Shared { most_looks: limit, ..Shared::of(None, false) }))
    }

    /// A part of this budget: it can be spent by itself, and is spent when the whole is.
    #[must_use]
    pub fn part(&self) -> Budget {
        self.part_of_work(u64::MAX)
    }

    /// A part of this budget for so much work.
    #[must_use]
    pub fn part_of_work(&self, limit: u64) -> Budget {
        Budget(Arc::new(Shared { most_looks: limit, ..Shared::of(Some(self), true) }))
    }

    /// A part of this budget for one share, of so many, of the time that is left. Where nobody says how much time is over, it
    /// has no end by itself.
    #[must_use]
    pub fn share_of_time(&self, shares: u32) -> Budget {
        let passed = self.passed();
        let until = match passed {
            _ if shares == 0 => u32::MAX,
            passed => passed + (ALL_TIME.saturating_sub(passed) / shares).max(1),
        };
        Budget(Arc::new(Shared { until, ..Shared::of(Some(self), true) }))
    }

    /// Says how much of the time is over, in thousandths.
    pub fn pass(&self, thousandths: u32) {
        self.0.passed.fetch_max(thousandths, Ordering::Relaxed);
    }

    /// How much of the time is over, in thousandths, as far as somebody has said.
    fn passed(&self) -> u32 {
        let own = self.0.passed.load(Ordering::Relaxed);
        own.max(self.0.whole.as_ref().map_or(0, Budget::passed))
    }

    /// A budget for what is done on the side: it is spent when this one is, and takes nothing from it.
    #[must_use]
    pub fn aside(&self) -> Budget {
        Budget(Arc::new(Shared::of(Some(self), false)))
    }

    /// Spends the budget: the work ends soon. The first reason counts.
    pub fn spend(&self, why: Spent) {
        let _ = self.0.spent.set(why);
    }

    /// Why it is spent, if it is.
    pub fn spent(&self) -> Option<Spent> {
        let own = self.0.spent.get().copied();
        own.or_else(|| self.0.whole.as_ref().and_then(Budget::spent))
    }

    /// Whether it is spent. Looking is work, too.
    pub fn is_spent(&self) -> bool {
        let shared = &*self.0;
        if shared.looks.fetch_add(1, Ordering::Relaxed) >= shared.most_looks {
            self.spend(Spent::Work { limit: shared.most_looks });
        }
        if shared.until < u32::MAX && self.passed() >= shared.until {
            self.spend(Spent::Share);
        }
        let is_whole_spent = |whole: &Budget| match shared.takes {
            true => whole.is_spent(),
            false => whole.spent().is_some(),
        };
        shared.spent.get().is_some() || shared.whole.as_ref().is_some_and(is_whole_spent)
    }

    /// How often it was looked at.
    pub fn looks(&self) -> u64 {
        self.0.looks.load(Ordering::Relaxed)
    }

    /// Makes it the budget of this thread, until what is returned is dropped.
    #[must_use = "it is the budget of this thread only as long as this is kept"]
    pub fn enter(&self) -> Entered {
        Entered(HERE.with(|here| here.replace(self.clone())))
    }
}

/// The budget of a thread, for a while; the one before comes back.
#[derive(Debug)]
pub struct Entered(Budget);

impl Drop for Entered {
    fn drop(&mut self) {
        let before = self.0.clone();
        // A thread that is about to end has no budget any more.
        let _ = HERE.try_with(|here| here.replace(before));
    }
}

thread_local! {
    static HERE: RefCell<Budget> = RefCell::new(Budget::default());
}

/// The budget of this thread.
pub fn here() -> Budget {
    HERE.with(|here| here.borrow().clone())
}

/// Whether the budget of this thread is spent.
pub fn is_spent() -> bool {
    HERE.with(|here| here.borrow().is_spent())
}

#[cfg(test)]
mod tests {
    use super::{Budget, Spent, here, is_spent};

    #[test]
    fn the_first_reason_counts_and_stays() {
        let budget = Budget::default();
        assert!(!budget.is_spent());
        budget.spend(Spent::Interrupted);
        budget.spend(Spent::Time { milliseconds: 1 });
        assert!(budget.is_spent());
        assert_eq!(budget.spent(), Some(Spent::Interrupted));
    }

    #[test]
    fn work_is_counted() {
        let budget = Budget::of_work(3);
        assert_eq!((0..5).filter(|_| budget.is_spent()).count(), 2);
        assert_eq!(budget.spent(), Some(Spent::Work { limit: 3 }));
    }

    #[test]
    fn budgets_are_nested() {
        let (outer, inner) = (Budget::default(), Budget::default());
        let _outer = outer.enter();
        {
            let _inner = inner.enter();
            here().spend(Spent::Interrupted);
            assert!(is_spent());
        }
        assert!(!is_spent());
        assert!(inner.is_spent());
    }

    #[test]
    fn a_part_is_spent_with_the_whole_and_by_itself() {
        let whole = Budget::default();
        let (one, other) = (whole.part(), whole.part_of_work(1));
        one.spend(Spent::Interrupted);
        assert!(one.is_spent() && !other.is_spent() && !whole.is_spent());
        assert!(other.is_spent());
        let last = whole.part();
        whole.spend(Spent::Time { milliseconds: 1 });
        assert_eq!(last.spent(), Some(Spent::Time { milliseconds: 1 }));
        assert!(last.is_spent());
    }

    #[test]
    fn a_share_of_the_time_ends_with_it() {
        let whole = Budget::default();
        let first = whole.share_of_time(4);
        assert!(!first.is_spent());
        whole.pass(249);
        assert!(!first.is_spent());
        whole.pass(250);
        assert!(first.is_spent() && !whole.is_spent());
        assert_eq!(first.spent(), Some(Spent::Share));
        // A half of what is left, and a part of that.
        let second = whole.share_of_time(2).part_of_work(100);
        whole.pass(600);
        assert!(!second.is_spent());
        whole.pass(700);
        assert!(second.is_spent() && !whole.is_spent());
    }

    #[test]
    fn reasons_are_told() {
        assert_eq!(Spent::Time { milliseconds: 1500 }.to_string(), "the time was up after 1.5 s");
        assert_eq!(Spent::Time { milliseconds: 2000 }.to_string(), "the time was up after 2 s");
        let memory = Spent::Memory { used: 4000, limit: 3072 };
        assert_eq!(memory.to_string(), "memory ran out: 4000 MB of 3072 MB; raise `--memory`");
    }
}

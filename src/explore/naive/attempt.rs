//! An attempt at a step: what is tried, and what must hold for it.
//!
//! What must hold is a list. Each entry is looked at until it holds, or cannot; or until nothing more is learnt from it,
//! and something unknown has to be tried value by value.

use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::evaluate::{Reader, Seen};
use super::optional::Port;
use super::partial::Partial;
use super::store::{Clash, Source};
use super::world::{Known, World};
use crate::algebra::{Sort, TermId, VarId};
use crate::explore::{Gap, Value};
use crate::pnet::{HoleId, TransitionPlace, VectorPlace};

/// A value: of a term, or as far as it is known.
#[derive(Clone, Debug)]
pub(super) enum Side {
    Term(TermId),
    Is(Partial),
}

/// Something that must hold.
#[derive(Clone, Debug)]
pub(super) enum Demand {
    /// A condition holds.
    True(TermId),
    /// A condition does not hold.
    False(TermId),
    /// Two values are the same.
    Same(Side, Side),
    /// A value is one of a sort.
    Fits(Partial, Sort),
    /// A number is at least the first, and at most the second.
    Within(Partial, Option<BigInt>, Option<BigInt>),
    /// A hole may do this.
    Does(HoleId, Partial),
}

/// Something that must hold, and whether values owe it.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub demand: Demand,
    pub owed: bool,
}

/// An attempt at a step.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub known: Known,
    /// What is not settled yet.
    pub pending: Vec<Constraint>,
    /// What is shown.
    pub shown: Side,
    pub vectors: Vec<VectorPlace>,
    /// Who takes part in vectors that might as well not.
    pub taken: Vec<(VectorPlace, Port)>,
    pub transitions: Vec<TransitionPlace>,
    pub holes: Vec<(HoleId, Partial)>,
    /// The values that some variables are tried with, and no others.
    pub given: Rc<FxHashMap<VarId, Value>>,
}

/// What comes of looking at something that must hold.
pub(super) enum Verdict {
    Holds,
    /// It depends on what is not known yet, or nothing can be said.
    Waits,
    /// It comes to these.
    More(Vec<Demand>),
}

impl Attempt {
    /// Nothing is tried yet.
    pub fn new(known: Known) -> Attempt {
        let shown = Side::Is(Partial::Open);
        let (pending, vectors, taken, transitions, holes, given) = Default::default();
        Attempt { known, pending, shown, vectors, taken, transitions, holes, given }
    }

    /// Nothing is tried yet, and some variables have values.
    pub fn with_given(given: FxHashMap<VarId, Value>) -> Attempt {
        Attempt { given: Rc::new(given), ..Attempt::new(Known::default()) }
    }

    /// Something more must hold.
    pub fn demand(&mut self, demand: Demand) {
        self.pending.push(Constraint { demand, owed: false });
    }

    /// Values owe something more.
    pub fn owe(&mut self, term: TermId) {
        self.pending.push(Constraint { demand: Demand::True(term), owed: true });
    }

    /// A variable that may have any value of its sort; or the one that is given, if that is of its sort.
    pub fn declare(&mut self, world: &World<'_>, var: VarId, name: String, source: Source) {
        let sort = world.terms.var(var).sort.clone();
        let value = match self.given.get(&var).cloned().map(Partial::Whole) {
            Some(value) => {
                self.demand(Demand::Fits(value.clone(), sort));
                value
            }
            None => self.unknown(name, sort, source),
        };
        self.known.env.insert(var, value);
    }

    /// Something of which nothing is known but its sort.
    pub fn unknown(&mut self, name: String, sort: Sort, source: Source) -> Partial {
        let is_range = matches!(sort, Sort::Range(..));
        let unknown = Partial::Unknown(self.known.store.add(name, sort.clone(), source));
        if is_range {
            self.demand(Demand::Fits(unknown.clone(), sort));
        }
        unknown
    }

    /// What a term comes to, as far as it is known.
    pub fn see(&self, world: &World<'_>, term: TermId) -> Seen {
        Reader { world, known: &self.known }.see(term)
    }

    /// What one side comes to.
    pub fn see_side(&self, world: &World<'_>, side: &Side) -> Seen {
        match side {
            Side::Term(term) => self.see(world, *term),
            Side::Is(partial) => Seen::Is(self.known.store.resolve(partial)),
        }
    }

    /// Looks at everything that must hold, until nothing more is learnt.
    pub fn settle(&mut self, world: &World<'_>) -> Result<(), Clash> {
        loop {
            let before = self.known.store.learnt;
            let mut work = std::mem::take(&mut self.pending);
            work.reverse();
            while let Some(one) = work.pop() {
                match self.consider(world, &one.demand)? {
                    Verdict::Holds => {}
                    Verdict::Waits => self.pending.push(one),
                    Verdict::More(more) => {
                        let owed = one.owed;
                        let more = more.into_iter().rev();
                        work.extend(more.map(|demand| Constraint { demand, owed }));
                    }
                }
            }
            if self.known.store.learnt == before {
                return Ok(());
            }
        }
    }

    /// Whether it is possible, where nothing is left to try. A guard that reads what is not there is false; but then
    /// something that is owed does not hold.
    pub fn is_possible(&self, world: &World<'_>) -> Result<bool, Gap> {
        let mut trouble = None;
        for one in &self.pending {
            match (self.trouble(world, &one.demand), one.owed) {
                (Some(Gap::Undefined), true) => return Ok(false),
                (gap, _) => trouble = trouble.or(gap),
            }
        }
        trouble.map_or(Ok(true), Err)
    }

    /// Why it is not clear whether something holds.
    fn trouble(&self, world: &World<'_>, demand: &Demand) -> Option<Gap> {
        let reader = Reader { world, known: &self.known };
        let seen = match demand {
            Demand::True(term) | Demand::False(term) => vec![self.see(world, *term)],
            Demand::Same(a, b) => vec![self.see_side(world, a), self.see_side(world, b)],
            Demand::Fits(partial, sort) => {
                return reader.fits(&self.known.store.resolve(partial), sort).err();
            }
            Demand::Within(..) | Demand::Does(..) => return None,
        };
        seen.into_iter().find_map(|seen| match seen {
            Seen::Gap(gap) => Some(gap),
            Seen::Nothing => Some(Gap::Undefined),
            Seen::Is(_) => None,
        })
    }
}

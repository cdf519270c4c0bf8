//! Refinement by what is seen: traces, traces without silent steps, stable failures, and failures with divergences.
//!
//! Each state of the implementation goes together with the set of all states in which the specification can be after the
//! same trace. They are looked at by the length of their traces, level by level, so what is found is shortest. Where the
//! two are in the same state there is nothing to be found, so both stand in one system that was reduced.

use std::cell::LazyCell;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::reduce::{NotReduced, TooLarge};
use super::silent;
use super::system::{LabelTable, Lts, LtsLabel, LtsState};
use super::traces::Closing;
use crate::base::{Id, Spent, Watch};
use crate::tagged_id;

/// What is seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// Traces, silent steps like all others.
    Traces,
    /// Traces without silent steps.
    WeakTraces,
    /// The same, and what is refused where no silent step is possible.
    Failures,
    /// The same, and where silent steps can be made for ever; after that, everything is possible.
    FailuresDivergences,
}

impl Seen {
    /// Whether silent steps are not seen.
    pub fn hides(self) -> bool {
        self != Seen::Traces
    }
}

/// What only the implementation does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excess {
    /// What is done first, without silent steps if these are not seen.
    pub trace: Vec<LtsLabel>,
    /// What is then the matter.
    pub then: Then,
}

/// What only the implementation can be in after a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Then {
    /// Only it can do the last step of the trace.
    Stuck,
    /// It can rest where it does nothing but this, and so refuses all else.
    Refuses {
        /// What it does not refuse.
        offers: Vec<LtsLabel>,
    },
    /// It can go on silently for ever.
    Diverges,
}

tagged_id!(
    /// A set of states of the specification.
    SetId
);

tagged_id!(
    /// A state of the implementation with a set of states of the specification.
    PairId
);

/// How a pair was reached: from which one, and by what.
#[derive(Clone, Copy, Debug)]
struct Way {
    before: Option<PairId>,
    label: LtsLabel,
}

/// The search.
struct Search<'l> {
    lts: &'l Lts,
    seen: Seen,
    closing: Closing<'l>,
    sets: IndexSet<Box<[LtsState]>, FxBuildHasher>,
    pairs: IndexMap<(LtsState, SetId), Way, FxBuildHasher>,
    /// The pairs after the traces that are looked at. Those after them differ from these by silent steps.
    level: Vec<PairId>,
    /// What comes after traces that are longer by one.
    next: Vec<(LtsState, SetId, Way)>,
}

/// What only the first state does, in a system in which states that go on silently for ever have a silent step to
/// themselves; `None` if the first refines the second.
pub fn excess(
    lts: &Lts,
    (implementation, specification): (LtsState, LtsState),
    seen: Seen,
    most: usize,
    watch: &dyn Watch,
) -> Result<Option<Excess>, NotReduced> {
    let mut search = Search {
        lts,
        seen,
        closing: Closing::new(lts, seen.hides()),
        sets: IndexSet::default(),
        pairs: IndexMap::default(),
        level: Vec::new(),
        next: Vec::new(),
    };
    let start = search.closing.close(vec![specification]);
    let start = search.set(start);
    search.meet(implementation, start, Way { before: None, label: LtsLabel::SILENT });
    while !search.level.is_empty() {
        if let Some(found) = search.level(most, watch)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn look(pairs: usize, most: usize, watch: &dyn Watch) -> Result<(), NotReduced> {
    let budget = watch.budget();
    if pairs.is_multiple_of(1024) {
        watch.searching(&format!("comparing, {pairs} pairs"), 0);
    }
    if budget.is_spent() {
        return Err(budget.spent().unwrap_or(Spent::Interrupted).into());
    }
    if pairs > most { Err(TooLarge::Pairs { most }.into()) } else { Ok(()) }
}

impl Search<'_> {
    fn set(&mut self, states: Box<[LtsState]>) -> SetId {
        SetId::at(self.sets.insert_full(states).0)
    }

    /// Notes a pair, unless it is known or the implementation is in a state in which the specification can be, too.
    fn meet(&mut self, state: LtsState, set: SetId, way: Way) {
        let within = self.sets[set.index()].binary_search(&state).is_ok();
        if !within && !self.pairs.contains_key(&(state, set)) {
            let (at, _) = self.pairs.insert_full((state, set), way);
            self.level.push(PairId::at(at));
        }
    }

    /// Looks at all pairs after traces of one length.
    fn level(&mut self, most: usize, watch: &dyn Watch) -> Result<Option<Excess>, NotReduced> {
        let mut at = 0;
        while let Some(pair) = self.level.get(at).copied() {
            if let Some(found) = self.rest(pair) {
                return Ok(Some(found));
            }
            look(self.pairs.len(), most, watch)?;
            at += 1;
        }
        for pair in std::mem::take(&mut self.level) {
            if let Some(found) = self.go_on(pair) {
                return Ok(Some(found));
            }
            look(self.pairs.len(), most, watch)?;
        }
        for (state, set, way) in std::mem::take(&mut self.next) {
            self.meet(state, set, way);
        }
        Ok(None)
    }

    fn pair(&self, pair: PairId) -> (LtsState, SetId) {
        self.pairs.get_index(pair.index()).map_or((LtsState(0), SetId(0)), |(key, _)| *key)
    }

    /// Whether everything is possible for the specification.
    fn may_do_anything(&self, set: SetId) -> bool {
        self.seen == Seen::FailuresDivergences
            && self.sets[set.index()].iter().any(|one| self.diverges(*one))
    }

    /// Looks at what a pair is, and goes along silent steps of the implementation.
    fn rest(&mut self, pair: PairId) -> Option<Excess> {
        let (state, set) = self.pair(pair);
        if self.may_do_anything(set) {
            return None;
        }
        if let Some(then) = self.differs(state, &self.sets[set.index()]) {
            return Some(Excess { trace: self.trace(pair, None), then });
        }
        if self.seen.hides() {
            for step in self.lts.silent_steps(state) {
                self.meet(step.to, set, Way { before: Some(pair), label: step.label });
            }
        }
        None
    }

    /// Goes along the steps that are seen.
    fn go_on(&mut self, pair: PairId) -> Option<Excess> {
        let (state, set) = self.pair(pair);
        if self.may_do_anything(set) {
            return None;
        }
        let states = self.sets[set.index()].clone();
        let steps =
            if self.seen.hides() { self.lts.visible_steps(state) } else { self.lts.steps(state) };
        for step in steps {
            let after = self.closing.after(&states, step.label);
            if after.is_empty() {
                return Some(Excess {
                    trace: self.trace(pair, Some(step.label)),
                    then: Then::Stuck,
                });
            }
            let after = self.set(after);
            self.next.push((step.to, after, Way { before: Some(pair), label: step.label }));
        }
        None
    }

    fn diverges(&self, state: LtsState) -> bool {
        self.lts.silent_steps(state).iter().any(|step| step.to == state)
    }

    /// Whether a state refuses what no state of a set does, or goes on for ever.
    fn differs(&self, state: LtsState, set: &[LtsState]) -> Option<Then> {
        if !matches!(self.seen, Seen::Failures | Seen::FailuresDivergences) {
            return None;
        }
        if self.seen == Seen::FailuresDivergences && self.diverges(state) {
            return Some(Then::Diverges);
        }
        if !self.lts.silent_steps(state).is_empty() {
            return None;
        }
        let offers = offered(self.lts, state);
        (!can_rest(self.lts, set, &offers)).then_some(Then::Refuses { offers })
    }

    /// The labels on the way to a pair, and one more.
    fn trace(&self, pair: PairId, last: Option<LtsLabel>) -> Vec<LtsLabel> {
        let mut trace: Vec<LtsLabel> = last.into_iter().collect();
        let mut at = Some(pair);
        while let Some((_, way)) = at.and_then(|pair| self.pairs.get_index(pair.index())) {
            if way.before.is_some() && !(self.seen.hides() && way.label.is_silent()) {
                trace.push(way.label);
            }
            at = way.before;
        }
        trace.reverse();
        trace
    }
}

/// The labels of the steps of a state.
fn offered(lts: &Lts, state: LtsState) -> Vec<LtsLabel> {
    let mut labels: Vec<LtsLabel> = lts.steps(state).iter().map(|step| step.label).collect();
    labels.dedup();
    labels
}

/// Whether some state of a set has no silent step, and does nothing but this.
fn can_rest(lts: &Lts, set: &[LtsState], offers: &[LtsLabel]) -> bool {
    set.iter().any(|state| {
        lts.silent_steps(*state).is_empty()
            && lts.steps(*state).iter().all(|step| offers.contains(&step.label))
    })
}

/// Whether a system, as it was given, does what an excess says. Labels are those of `labels`, by their texts.
pub fn shows(lts: &Lts, labels: &LabelTable, excess: &Excess, seen: Seen) -> bool {
    let own = |label: &LtsLabel| match label.is_silent() {
        true => Some(LtsLabel::SILENT),
        false => lts.labels().get(labels.text(*label)),
    };
    let contracted = LazyCell::new(|| silent::contract(lts.clone()));
    let diverges =
        |set: &[LtsState]| set.iter().any(|state| contracted.diverges[contracted.of[*state]]);
    let mut closing = Closing::new(lts, seen.hides());
    let mut set = closing.close(vec![lts.initial()]);
    for label in &excess.trace {
        // After that, everything is possible.
        if seen == Seen::FailuresDivergences && diverges(&set) {
            return true;
        }
        set = own(label).map_or_else(Box::default, |label| closing.after(&set, label));
    }
    match &excess.then {
        Then::Stuck => !set.is_empty(),
        Then::Diverges => diverges(&set),
        Then::Refuses { .. } if seen == Seen::FailuresDivergences && diverges(&set) => true,
        Then::Refuses { offers } => {
            let offers: Vec<LtsLabel> = offers.iter().filter_map(own).collect();
            can_rest(lts, &set, &offers)
        }
    }
}

//! Relations between states, as their definitions say: as long as a pair does not fit, it is left out.

use pnetc::lts::{Lts, LtsLabel, LtsState};

/// Which pairs of states are related.
#[derive(Clone, PartialEq)]
pub struct Pairs(Vec<Vec<bool>>);

impl Pairs {
    fn all(lts: &Lts) -> Pairs {
        Pairs(vec![vec![true; lts.states()]; lts.states()])
    }

    pub fn has(&self, one: LtsState, other: LtsState) -> bool {
        self.0[one.index()][other.index()]
    }

    /// Leaves out pairs that do not fit, until all do.
    fn shrink(mut self, lts: &Lts, fits: impl Fn(&Pairs, LtsState, LtsState) -> bool) -> Pairs {
        loop {
            let mut next = self.clone();
            for one in lts.ids() {
                for other in lts.ids().filter(|other| self.has(one, *other)) {
                    next.0[one.index()][other.index()] = fits(&self, one, other);
                }
            }
            if next == self {
                return self;
            }
            self = next;
        }
    }

    fn both_ways(self, lts: &Lts, fits: impl Fn(&Pairs, LtsState, LtsState) -> bool) -> Pairs {
        self.shrink(lts, |pairs, one, other| fits(pairs, one, other) && fits(pairs, other, one))
    }

    /// How many classes some states are in; only for equivalences.
    pub fn classes(&self, states: &[LtsState]) -> usize {
        let is_first = |at: usize| !states[..at].iter().any(|before| self.has(states[at], *before));
        (0..states.len()).filter(|at| is_first(*at)).count()
    }
}

/// The states that are reached by silent steps.
pub fn silently(lts: &Lts, from: LtsState) -> Vec<LtsState> {
    let mut all = vec![from];
    let mut at = 0;
    while at < all.len() {
        for step in lts.steps(all[at]).iter().filter(|step| step.label.is_silent()) {
            if !all.contains(&step.to) {
                all.push(step.to);
            }
        }
        at += 1;
    }
    all
}

fn by(lts: &Lts, from: LtsState, label: LtsLabel) -> impl Iterator<Item = LtsState> {
    lts.steps(from).iter().filter(move |step| step.label == label).map(|step| step.to)
}

pub fn strong(lts: &Lts) -> Pairs {
    Pairs::all(lts).both_ways(lts, |pairs, one, other| {
        lts.steps(one)
            .iter()
            .all(|step| by(lts, other, step.label).any(|to| pairs.has(step.to, to)))
    })
}

pub fn weak(lts: &Lts) -> Pairs {
    Pairs::all(lts).both_ways(lts, |pairs, one, other| {
        lts.steps(one).iter().all(|step| {
            let mut answers = weakly(lts, other, step.label).into_iter();
            answers.any(|to| pairs.has(step.to, to))
        })
    })
}

/// Where a step leads with silent ones before and after it.
fn weakly(lts: &Lts, from: LtsState, label: LtsLabel) -> Vec<LtsState> {
    let before = silently(lts, from);
    if label.is_silent() {
        return before;
    }
    let done = before.iter().flat_map(|state| by(lts, *state, label));
    done.flat_map(|state| silently(lts, state)).collect()
}

pub fn branching(lts: &Lts) -> Pairs {
    branching_within(lts, Pairs::all(lts))
}

fn branching_within(lts: &Lts, pairs: Pairs) -> Pairs {
    pairs.both_ways(lts, |pairs, one, other| {
        lts.steps(one).iter().all(|step| {
            step.label.is_silent() && pairs.has(step.to, other)
                || silently(lts, other).iter().any(|between| {
                    pairs.has(one, *between)
                        && by(lts, *between, step.label).any(|to| pairs.has(step.to, to))
                })
        })
    })
}

/// Whether silent steps can be made for ever without leaving the class.
fn diverges(lts: &Lts, pairs: &Pairs, from: LtsState) -> bool {
    let mut inside: Vec<LtsState> = lts.ids().filter(|state| pairs.has(from, *state)).collect();
    loop {
        let goes_on =
            |state: &LtsState| by(lts, *state, LtsLabel::SILENT).any(|to| inside.contains(&to));
        let next: Vec<LtsState> = inside.iter().copied().filter(goes_on).collect();
        if next.len() == inside.len() {
            return inside.contains(&from);
        }
        inside = next;
    }
}

pub fn divergence_preserving(lts: &Lts) -> Pairs {
    let mut pairs = branching(lts);
    loop {
        let mut next = pairs.clone();
        for one in lts.ids() {
            for other in lts.ids() {
                next.0[one.index()][other.index()] &=
                    diverges(lts, &pairs, one) == diverges(lts, &pairs, other);
            }
        }
        next = branching_within(lts, next);
        if next == pairs {
            return pairs;
        }
        pairs = next;
    }
}

/// The first does nothing that the second does not, silent steps before each step left out.
pub fn safety(lts: &Lts) -> Pairs {
    let steps = |from: LtsState| {
        let before = silently(lts, from).into_iter();
        before.flat_map(|state| lts.steps(state)).filter(|step| !step.label.is_silent())
    };
    Pairs::all(lts).shrink(lts, |pairs, one, other| {
        steps(one).all(|step| {
            steps(other).any(|answer| answer.label == step.label && pairs.has(step.to, answer.to))
        })
    })
}

/// What two sets of states are compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    Trace,
    WeakTrace,
    Failures,
    FailuresDivergences,
}

/// Whether what the first state does, in the sense of a model, is also done by the second: sets of states after each trace.
pub fn refines(lts: &Lts, first: LtsState, second: LtsState, model: Model) -> bool {
    let close = |states: Vec<LtsState>| {
        let mut states = match model {
            Model::Trace => states,
            _ => states.iter().flat_map(|state| silently(lts, *state)).collect(),
        };
        states.sort();
        states.dedup();
        states
    };
    let mut seen = vec![(close(vec![first]), close(vec![second]))];
    let mut at = 0;
    while at < seen.len() {
        let (one, other) = seen[at].clone();
        at += 1;
        let forever = |states: &[LtsState]| {
            states.iter().any(|state| diverges(lts, &Pairs::all(lts), *state))
        };
        if model == Model::FailuresDivergences && forever(&other) {
            continue;
        }
        if other.is_empty() || model == Model::FailuresDivergences && forever(&one) {
            return false;
        }
        if matches!(model, Model::Failures | Model::FailuresDivergences)
            && !refuses(lts, &one, &other)
        {
            return false;
        }
        let labels = lts.labels().ids().filter(|label| model == Model::Trace || !label.is_silent());
        for label in labels {
            let after = |states: &[LtsState]| {
                close(states.iter().flat_map(|state| by(lts, *state, label)).collect())
            };
            let next = (after(&one), after(&other));
            if !next.0.is_empty() && !seen.contains(&next) {
                seen.push(next);
            }
        }
    }
    true
}

/// Whether what stable states of the first set refuse is refused by one of the second set.
fn refuses(lts: &Lts, one: &[LtsState], other: &[LtsState]) -> bool {
    let is_stable = |state: &&LtsState| by(lts, **state, LtsLabel::SILENT).next().is_none();
    let offers = |state: LtsState, label: LtsLabel| by(lts, state, label).next().is_some();
    one.iter().filter(is_stable).all(|state| {
        let fits = |answer: &&LtsState| {
            lts.labels().ids().all(|label| offers(*state, label) || !offers(**answer, label))
        };
        other.iter().filter(is_stable).any(|answer| fits(&answer))
    })
}

/// The states that are reached from the initial one.
pub fn reached(lts: &Lts) -> Vec<LtsState> {
    let mut all = vec![lts.initial()];
    let mut at = 0;
    while at < all.len() {
        for step in lts.steps(all[at]) {
            if !all.contains(&step.to) {
                all.push(step.to);
            }
        }
        at += 1;
    }
    all
}

//! Silent circles: the states of each become one, so that what is left has no silent circles.
//!
//! Tarjan's algorithm without recursion. It leaves a component after all those that it leads to, so the states of what is
//! left are numbered such that silent steps lead to smaller numbers: whoever goes through the states in order has been
//! where silent steps lead.

use super::rows::Rows;
use super::system::{Lts, LtsState, LtsStep};
use crate::base::{IndexVec, budget};

/// A system without silent circles.
#[derive(Clone, Debug)]
pub struct Contracted {
    /// The system. Silent steps lead to smaller numbers; there are no silent steps from a state to itself.
    pub lts: Lts,
    /// The state that each one became.
    pub of: IndexVec<LtsState, LtsState>,
    /// Whether silent steps can be made for ever in a state: it has been a circle.
    pub diverges: IndexVec<LtsState, bool>,
}

/// Makes one state of each silent circle.
pub fn contract(lts: Lts) -> Contracted {
    let found = Tarjan::new(&lts).run(&lts);
    let mut diverges = IndexVec::of(found.count as usize, false);
    let of = found.component;
    let states = in_order(&of, found.count as usize);
    let is_inside =
        |from: LtsState, step: &LtsStep| step.label.is_silent() && of[step.to] == of[from];
    let kept =
        lts.ids().map(|from| lts.steps(from).iter().filter(|step| !is_inside(from, step)).count());
    let mut new = Rows::with_capacity(found.count as usize, kept.sum());
    let (labels, initial, rows) = lts.into_parts();
    let mut own = LtsState(0);
    for state in states {
        if of[state] != own {
            new.end_row();
            own = of[state];
        }
        for step in rows.row(state) {
            if is_inside(state, step) {
                diverges[own] = true;
            } else {
                new.push(LtsStep { label: step.label, to: of[step.to] });
            }
        }
    }
    new.end_row();
    drop(rows);
    let initial = of[initial];
    Contracted { lts: Lts::new(labels, initial, new), of, diverges }
}

/// The states in the order of their components.
fn in_order(of: &IndexVec<LtsState, LtsState>, count: usize) -> Vec<LtsState> {
    let mut next = vec![0_u32; count + 1];
    of.iter().for_each(|component| next[component.index() + 1] += 1);
    (1..=count).for_each(|at| next[at] += next[at - 1]);
    let mut order = vec![LtsState(0); of.len()];
    for (state, component) in of.enumerated() {
        let at = &mut next[component.index()];
        order[*at as usize] = state;
        *at += 1;
    }
    order
}

/// Not numbered yet, or not in a component yet.
const NONE: u32 = u32::MAX;

/// The walk: states get numbers when they are met, and a component is known when the walk leaves its first state.
struct Tarjan {
    /// The smallest number that a state leads back to; then, once its component is known, nothing of interest.
    low: IndexVec<LtsState, u32>,
    component: IndexVec<LtsState, LtsState>,
    /// The states that are not in a component yet.
    open: Vec<LtsState>,
    /// The path of the walk: a state, and which silent step is next.
    path: Vec<(LtsState, u32, u32)>,
    met: u32,
    count: u32,
}

impl Tarjan {
    fn new(lts: &Lts) -> Tarjan {
        let states = lts.states();
        Tarjan {
            low: IndexVec::of(states, NONE),
            component: IndexVec::of(states, LtsState(NONE)),
            open: Vec::new(),
            path: Vec::new(),
            met: 0,
            count: 0,
        }
    }

    fn run(mut self, lts: &Lts) -> Tarjan {
        for start in lts.ids() {
            if self.low[start] == NONE {
                self.meet(start);
                // When the budget is spent, whatever is made of this is thrown away; each state is one of its own.
                while !self.path.is_empty() && !budget::is_spent() {
                    self.go_on(lts);
                }
            }
            if budget::is_spent() {
                break;
            }
        }
        for state in lts.ids() {
            if self.component[state].0 == NONE {
                self.component[state] = LtsState(self.count);
                self.count += 1;
            }
        }
        self
    }

    fn meet(&mut self, state: LtsState) {
        self.low[state] = self.met;
        self.path.push((state, 0, self.met));
        self.open.push(state);
        self.met += 1;
    }

    /// One step of the walk, forwards or back.
    fn go_on(&mut self, lts: &Lts) {
        let Some((state, next, number)) = self.path.last_mut() else { return };
        let (state, number) = (*state, *number);
        let Some(step) = lts.silent_steps(state).get(*next as usize) else {
            return self.leave(state, number);
        };
        *next += 1;
        if self.low[step.to] == NONE {
            self.meet(step.to);
        } else if self.component[step.to].0 == NONE {
            self.low[state] = self.low[state].min(self.low[step.to]);
        }
    }

    fn leave(&mut self, state: LtsState, number: u32) {
        self.path.pop();
        let low = self.low[state];
        if let Some((before, ..)) = self.path.last() {
            self.low[*before] = self.low[*before].min(low);
        }
        if low == number {
            while let Some(member) = self.open.pop() {
                self.component[member] = LtsState(self.count);
                if member == state {
                    break;
                }
            }
            self.count += 1;
        }
    }
}

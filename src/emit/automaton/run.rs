//! A run on the picture of an open automaton: the states that it comes through and the arrows that it takes, each arrow with
//! the steps that take it. What it goes round for ever, the loop of a lasso, is told apart from what leads there.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::svg::spans;
use crate::automaton::OpenAutomaton;
use crate::emit::svg::{Graph, Line, Taken};
use crate::emit::wrap::wrapped;
use crate::outcome::{RunEnd, Trace};

/// More lines of steps than this are not on one arrow.
const MOST_LINES: usize = 3;
const LONGEST_LINE: usize = 18;

/// Why a run cannot be shown on an automaton.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotOnAutomaton {
    /// It comes to a state that the automaton does not have.
    #[error("the run comes to `{state}`, which is no state of the automaton")]
    NoState {
        /// The state.
        state: String,
    },
    /// It has too many different states.
    #[error("the run comes to {states} different states: too many to be drawn")]
    TooManyStates {
        /// How many.
        states: usize,
    },
}

/// Where a run goes: the states of the automaton, one after the other, as numbers.
#[derive(Debug)]
pub(super) struct Way {
    /// The states, the first one before all steps.
    states: Vec<usize>,
    /// After how many steps it begins to go round for ever.
    round: Option<usize>,
}

impl Way {
    /// The way of a run.
    pub(super) fn of(automaton: &OpenAutomaton, trace: &Trace) -> Result<Way, NotOnAutomaton> {
        let names = automaton.states.ids().map(|at| (automaton.state_name(at), at.index()));
        let numbers: FxHashMap<String, usize> = names.collect();
        let first = trace.steps.first().map_or(trace.end.state(), |step| &step.from);
        let after = trace.steps.iter().map(|step| step.to.as_str());
        let state = |name: &str| {
            let missing = || NotOnAutomaton::NoState { state: name.to_owned() };
            numbers.get(name).copied().ok_or_else(missing)
        };
        let states = std::iter::once(first).chain(after).map(state).collect::<Result<_, _>>()?;
        let round = match trace.end {
            RunEnd::Loop { start, .. } | RunEnd::Alike { start, .. } => Some(start),
            _ => None,
        };
        Ok(Way { states, round })
    }

    /// How many different states it comes to.
    pub(super) fn different(&self) -> usize {
        self.visited().len()
    }

    /// The states that it comes to.
    fn visited(&self) -> BTreeMap<usize, Taken> {
        let mut visited = BTreeMap::new();
        for (place, &state) in self.states.iter().enumerate() {
            let how = if self.round.is_some_and(|round| place >= round) {
                Taken::Round
            } else {
                Taken::Once
            };
            let known = visited.entry(state).or_insert(how);
            *known = how.max(*known);
        }
        visited
    }

    /// The arrows that it takes, each with the numbers of the steps that take it.
    pub(super) fn arrows(&self) -> BTreeMap<(usize, usize), Vec<usize>> {
        let mut arrows: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (place, pair) in self.states.windows(2).enumerate() {
            arrows.entry((pair[0], pair[1])).or_default().push(place);
        }
        arrows
    }

    /// Marks on a graph what it comes through.
    pub(super) fn mark(&self, graph: &mut Graph) {
        graph.visited = self.visited();
        for (ends, steps) in self.arrows() {
            let (stem, round): (Vec<usize>, Vec<usize>) =
                steps.into_iter().partition(|&place| self.round.is_none_or(|round| place < round));
            graph.taken.insert(ends, if round.is_empty() { Taken::Once } else { Taken::Round });
            let lines = graph.labels.entry(ends).or_default();
            lines.extend(step_lines(&stem, "steps"));
            lines.extend(step_lines(&round, "again"));
        }
    }

    /// Leaves out of a graph what it does not come through. The states get new numbers, in the same order.
    pub(super) fn narrow(self, graph: &mut Graph) -> Way {
        let kept: Vec<usize> = self.visited().into_keys().collect();
        let number = |old: usize| kept.binary_search(&old).ok();
        let arrows = self.arrows();
        graph.states = kept.iter().filter_map(|&old| graph.states.get(old).cloned()).collect();
        graph.initial = number(graph.initial).unwrap_or(0);
        let labels = std::mem::take(&mut graph.labels).into_iter();
        let labels = labels.filter(|(ends, _)| arrows.contains_key(ends));
        graph.labels = labels
            .filter_map(|((from, to), lines)| Some(((number(from)?, number(to)?), lines)))
            .collect();
        let states = self.states.iter().filter_map(|&old| number(old)).collect();
        Way { states, ..self }
    }

    /// What is said of it above the picture.
    pub(super) fn told(&self, all: usize) -> String {
        let steps = self.states.len() - 1;
        let many =
            |count: usize| if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
        let through = format!("{}, through {} of {all} states", many(steps), self.different());
        match self.round {
            Some(round) if round < steps => {
                let last = steps - round;
                let which = if last == 1 {
                    format!("step {steps}")
                } else {
                    format!("steps {}–{steps}", round + 1)
                };
                format!("{through}; it goes round for ever by {which}")
            }
            _ => through,
        }
    }
}

/// Which steps take an arrow, on a few lines.
fn step_lines(places: &[usize], class: &'static str) -> Vec<Line> {
    if places.is_empty() {
        return Vec::new();
    }
    let word = if places.len() == 1 { "step" } else { "steps" };
    let text = format!("{word} {}", spans(places));
    let mut lines = wrapped(&text, LONGEST_LINE);
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push(format!("… {} in all", places.len()));
    }
    let mut lines: Vec<Line> = lines.iter().map(|line| Line::new(class, line)).collect();
    if let Some(last) = lines.last_mut() {
        last.whole = Some(text);
    }
    lines
}

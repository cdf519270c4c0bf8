//! Many random runs, and what was seen of the net in them. What counts are texts: a transition of a process was seen when
//! one of its instances made it.

use std::collections::BTreeMap;

use super::{Ending, Played, Sought, Teller, Unplayable, play};
use crate::base::{Watch, budget};
use crate::diagnostics::Span;
use crate::explore::compiled;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap};
use crate::outcome::{Coverage, Covered, Ended, NeverSeen};
use crate::pnet::{NodeId, PNet, PltsId, PltsStateId, TransitionPlace, VectorPlace};

/// How many runs are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Many {
    /// How many runs.
    pub runs: usize,
    /// How many steps each has at most.
    pub steps: usize,
    /// The seed of the first; each has the next one.
    pub seed: u64,
}

/// Many runs: what they came to, and why there are not as many as asked for, where nothing could be said.
pub fn many(
    (interpreter, teller): (&Interpreter<'_>, &Teller<'_>),
    goal: Option<&Sought>,
    wanted: Many,
    watch: &dyn Watch,
) -> Result<(Coverage, Option<Gap>), Unplayable> {
    let mut seen = Seen::new(teller.net());
    let mut told = seen.nothing(teller.name(), wanted.seed);
    let budget = budget::here();
    let mut stopped = None;
    for run in 0..wanted.runs as u64 {
        if budget.is_spent() {
            break;
        }
        watch.searching(&format!("{run} of {} runs", wanted.runs), 0);
        let seed = wanted.seed.wrapping_add(run);
        let played = play(interpreter, goal, (wanted.steps, seed))?;
        seen.look(teller.net(), &played);
        count(&mut told, &played, seed);
        if played.gap.is_some() {
            stopped = played.gap;
            break;
        }
    }
    seen.told(teller, &mut told);
    Ok((told, stopped))
}

fn count(told: &mut Coverage, played: &Played, seed: u64) {
    let steps = played.steps.len();
    told.shortest = if told.runs == 0 { steps } else { told.shortest.min(steps) };
    told.longest = told.longest.max(steps);
    told.runs += 1;
    told.steps += steps;
    let ended: &mut Ended = match played.ending {
        Ending::Deadlock => &mut told.deadlocks,
        Ending::Finished => &mut told.finished,
        Ending::Untried => &mut told.untried,
        Ending::Property(..) => &mut told.met,
        Ending::Open
        | Ending::Loop(_)
        | Ending::Alike(..)
        | Ending::Choice(_)
        | Ending::NeverAgain
        | Ending::Waits
        | Ending::Decided(..) => &mut told.open,
    };
    ended.runs += 1;
    if ended.steps.is_none_or(|known| steps < known) {
        (ended.seed, ended.steps) = (Some(seed), Some(steps));
    }
}

/// What was used of a net, text by text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextsUsed {
    /// The transitions of processes.
    pub transitions: Covered,
    /// The states of processes.
    pub states: Covered,
    /// The vectors and connectors of nets.
    pub vectors: Covered,
}

/// What an exploration used of a net.
pub fn used(teller: &Teller<'_>, used: &compiled::Coverage) -> TextsUsed {
    let net = teller.net();
    let mut seen = Seen::new(net);
    used.states.iter().for_each(|&(leaf, state)| seen.state(net, leaf, state));
    used.transitions.iter().for_each(|&place| seen.transition(net, place));
    used.vectors.iter().for_each(|&place| seen.vector(net, place));
    seen.used(teller)
}

/// Texts, each with whether it was seen and an instance of it.
struct Seen {
    transitions: BTreeMap<Span, (bool, PltsId, String)>,
    states: BTreeMap<Span, (bool, PltsId, String)>,
    vectors: BTreeMap<Span, (bool, NodeId)>,
}

impl Seen {
    /// Nothing yet.
    fn new(net: &PNet) -> Seen {
        let mut seen = Seen {
            transitions: BTreeMap::new(),
            states: BTreeMap::new(),
            vectors: BTreeMap::new(),
        };
        for (_, leaf) in net.leaves() {
            let plts = &net.plts[leaf];
            for state in &plts.states {
                let entry = (false, leaf, state.name.to_string());
                seen.states.entry(state.text).or_insert(entry);
            }
            for transition in &plts.transitions {
                let name = |state| plts.states[state].name;
                let what = format!("{} -> {}", name(transition.source), name(transition.target));
                let text = net.origins.get(transition.origin).span;
                seen.transitions.entry(text).or_insert((false, leaf, what));
            }
        }
        for (node, composite) in net.nodes.enumerated() {
            for vector in &composite.vectors {
                let text = net.origins.get(vector.origin).span;
                seen.vectors.entry(text).or_insert((false, node));
            }
        }
        seen
    }

    fn look(&mut self, net: &PNet, played: &Played) {
        self.stand(net, &played.begin);
        for step in &played.steps {
            self.stand(net, &step.target);
            step.transitions.iter().for_each(|&place| self.transition(net, place));
            step.vectors.iter().for_each(|&place| self.vector(net, place));
        }
    }

    fn transition(&mut self, net: &PNet, place: TransitionPlace) {
        let text = net.origins.get(net.transition(place).origin).span;
        self.transitions.entry(text).and_modify(|known| known.0 = true);
    }

    fn vector(&mut self, net: &PNet, place: VectorPlace) {
        let text = net.origins.get(net.vector(place).origin).span;
        self.vectors.entry(text).and_modify(|known| known.0 = true);
    }

    fn state(&mut self, net: &PNet, leaf: PltsId, state: PltsStateId) {
        let text = net.plts[leaf].states[state].text;
        self.states.entry(text).and_modify(|known| known.0 = true);
    }

    fn stand(&mut self, net: &PNet, at: &Configuration) {
        at.states.enumerated().for_each(|(leaf, &state)| self.state(net, leaf, state));
    }

    fn nothing(&self, net: &str, seed: u64) -> Coverage {
        let none = Ended::default();
        Coverage {
            net: net.to_owned(),
            seed,
            runs: 0,
            steps: 0,
            shortest: 0,
            longest: 0,
            deadlocks: none,
            finished: none,
            untried: none,
            met: none,
            open: none,
            transitions: Covered::default(),
            states: Covered::default(),
            vectors: Covered::default(),
        }
    }

    fn told(&self, teller: &Teller<'_>, told: &mut Coverage) {
        let TextsUsed { transitions, states, vectors } = self.used(teller);
        (told.transitions, told.states, told.vectors) = (transitions, states, vectors);
    }

    fn used(&self, teller: &Teller<'_>) -> TextsUsed {
        let net = teller.net();
        let of = |leaf: PltsId| net.plts[leaf].name.to_string();
        let one = |(&text, (seen, leaf, what)): (&Span, &(bool, PltsId, String))| {
            (*seen, NeverSeen { of: of(*leaf), what: what.clone(), at: teller.place(text) })
        };
        let vectors = self.vectors.iter().map(|(&text, (seen, node))| {
            let what = teller.text(text);
            let of = net.nodes[*node].name.to_string();
            (*seen, NeverSeen { of, what, at: teller.place(text) })
        });
        TextsUsed {
            transitions: covered(self.transitions.iter().map(one)),
            states: covered(self.states.iter().map(one)),
            vectors: covered(vectors),
        }
    }
}

fn covered(all: impl Iterator<Item = (bool, NeverSeen)>) -> Covered {
    let mut covered = Covered::default();
    for (seen, text) in all {
        covered.all += 1;
        match seen {
            true => covered.seen += 1,
            false => covered.never.push(text),
        }
    }
    covered
}

//! Parts of the model that nothing in the automaton comes from.

use std::collections::BTreeMap;

use super::Reviewer;
use super::blame::{Item, Why, first};
use super::problems::{
    AutomatonProblem, Contradiction, DeadTransition, DeadVector, NeverReached, StillHole,
    StuckInitially,
};
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::pnet::{
    Content, HoleId, PltsId, PltsStateId, PltsTransitionId, TransitionPlace, VectorPlace,
};

/// A text, as a key that is in the order of the text.
type TextKey = (u32, u32);

fn place(span: Span) -> TextKey {
    (span.start, span.end)
}

/// Adds labels: one place is shown once.
fn add(all: &mut Vec<(Span, String)>, more: impl IntoIterator<Item = (Span, String)>) {
    for label in more {
        if !all.iter().any(|(span, _)| *span == label.0) {
            all.push(label);
        }
    }
}

impl Reviewer<'_> {
    /// The states that are reached, in words.
    fn reached_note(&self) -> String {
        match self.states.len() {
            1 => "this is so in the one state that is reached".to_owned(),
            count => format!("this is so in all {count} states that are reached"),
        }
    }

    /// Nothing ever happens: why not, for the first few things that could.
    pub fn stuck(&mut self, problems: &mut Vec<AutomatonProblem>) {
        const MOST: usize = 3;
        let net = self.rules.net;
        let (origin, items): (_, Vec<Item>) = match net.root {
            Content::Hole(hole) => (net.holes[hole].origin, Vec::new()),
            Content::Leaf(leaf) => {
                let plts = &net.plts[leaf];
                let transitions = plts.transitions.enumerated();
                let first = transitions.filter(|(_, t)| t.source == plts.initial);
                let items = first.map(|(number, _)| Item::Transition((leaf, number)));
                (plts.origin, items.collect())
            }
            Content::Node(node) => {
                let composite = &net.nodes[node];
                let numbers = composite.vectors.ids();
                (composite.origin, numbers.map(|number| Item::Vector((node, number))).collect())
            }
        };
        let mut others: Vec<(Span, String)> = Vec::new();
        for item in items.into_iter().take(MOST) {
            add(&mut others, self.why(item).labels);
        }
        problems.push(AutomatonProblem::StuckInitially(StuckInitially {
            span: self.span(origin),
            name: net.name.to_string(),
            others,
        }));
    }

    /// Whether a vector moves a hole that never moves: that is reported instead.
    fn moves_still_hole(&self, (node, number): VectorPlace) -> bool {
        let composite = &self.rules.net.nodes[node];
        let members = &composite.vectors[number].members;
        members.iter().any(|member| match composite.parts[member.part].content {
            Content::Hole(hole) => !self.hole_moves(hole),
            _ => false,
        })
    }

    fn hole_moves(&self, hole: HoleId) -> bool {
        let transitions = &self.generated.automaton.transitions;
        transitions.iter().any(|t| t.holes.iter().any(|(id, _)| *id == hole))
    }

    /// Vectors that never fire.
    pub fn vectors(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let mut texts: BTreeMap<TextKey, Vec<VectorPlace>> = BTreeMap::new();
        for (node, composite) in self.rules.net.nodes.enumerated() {
            for (number, vector) in composite.vectors.enumerated() {
                let text = place(self.span(vector.origin));
                texts.entry(text).or_default().push((node, number));
            }
        }
        for (_, vectors) in texts {
            if vectors.iter().any(|vector| self.live_vectors.contains(vector)) || is_spent() {
                continue;
            }
            let dead = vectors[0];
            if self.moves_still_hole(dead) {
                continue;
            }
            let why = self.why(Item::Vector(dead));
            let origin = self.rules.net.vector(dead).origin;
            let span = self.span(origin);
            let chain = self.chain(origin);
            let states = self.reached_note();
            problems.push(self.dead(span, why, chain, |span, label, others, notes| {
                let problem = DeadVector { span, label, others, notes, states };
                AutomatonProblem::DeadVector(problem)
            }));
        }
    }

    /// A contradiction between conditions is one wherever it is found; else it is the caller's problem.
    fn dead(
        &self,
        text: Span,
        why: Why,
        chain: Vec<(Span, String)>,
        otherwise: impl FnOnce(Span, String, Vec<(Span, String)>, Vec<String>) -> AutomatonProblem,
    ) -> AutomatonProblem {
        let Why { labels, note, only_conditions } = why;
        let (primary, mut others) = first(labels, text);
        let inside = primary.is_some();
        let notes: Vec<String> = note.into_iter().collect();
        let (span, label) = primary.unwrap_or_else(|| {
            let told =
                if others.is_empty() { "" } else { "this needs something that never happens" };
            (text, told.to_owned())
        });
        if only_conditions && inside && !others.is_empty() {
            others.extend(chain);
            return AutomatonProblem::Contradiction(Contradiction { span, others, dead: text });
        }
        others.extend(chain);
        otherwise(span, label, others, notes)
    }

    /// Transitions of processes that never happen, although their states are reached and no vector is to blame.
    pub fn transitions(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let mut texts: BTreeMap<TextKey, Vec<TransitionPlace>> = BTreeMap::new();
        for (leaf, plts) in self.rules.net.plts.enumerated() {
            for (number, transition) in plts.transitions.enumerated() {
                let text = place(self.span(transition.origin));
                texts.entry(text).or_default().push((leaf, number));
            }
        }
        for (_, transitions) in texts {
            if transitions.iter().any(|one| self.live_transitions.contains(one)) || is_spent() {
                continue;
            }
            let reached = transitions.iter().find(|&&transition| self.starts(transition));
            let Some(&dead) = reached else { continue };
            let (could, live) = self.users(dead);
            let leaf = dead.0;
            let alone = self.rules.net.root == Content::Leaf(leaf);
            let target = self.rules.net.transition(dead).target;
            if !self.is_reached(leaf, target) {
                continue;
            }
            let why = self.why(Item::Transition(dead));
            let origin = self.rules.net.transition(dead).origin;
            let (span, chain) = (self.span(origin), self.chain(origin));
            // A dead vector has been reported, and an action in no vector before that.
            let own =
                why.only_conditions && why.labels.iter().any(|(text, _)| span.contains(*text));
            if !alone && !own && (could == 0 || live == 0) {
                continue;
            }
            let already = |problem: &AutomatonProblem| {
                matches!(problem, AutomatonProblem::Contradiction(_))
                    && span.contains(problem.span())
            };
            if problems.iter().any(already) {
                continue;
            }
            problems.push(self.dead(span, why, chain, |span, label, others, notes| {
                AutomatonProblem::DeadTransition(DeadTransition { span, label, others, notes })
            }));
        }
    }

    /// Whether a leaf is ever in a state.
    pub fn is_reached(&self, leaf: PltsId, there: PltsStateId) -> bool {
        self.states.iter().any(|state| state[leaf] == there)
    }

    /// Whether the state in which a transition starts is reached.
    fn starts(&self, transition: TransitionPlace) -> bool {
        self.is_reached(transition.0, self.rules.net.transition(transition).source)
    }

    /// How many vectors could use a transition, and how many of these ever fire.
    fn users(&self, transition: TransitionPlace) -> (usize, usize) {
        let net = self.rules.net;
        let Some(&(node, part)) = self.around.get(&Content::Leaf(transition.0)) else {
            return (0, 0);
        };
        let action = net.transition(transition).action;
        let vectors = net.nodes[node].vectors.enumerated();
        let fitting = vectors.filter(|(_, vector)| {
            let mut members = vector.members.iter().filter(|member| member.part == part);
            members.any(|member| self.fits(action, member.action))
        });
        let mut counts = (0, 0);
        for (at, _) in fitting {
            counts.0 += 1;
            counts.1 += usize::from(self.live_vectors.contains(&(node, at)));
        }
        counts
    }

    /// States of processes that are never reached, although there is a way in from one that is.
    pub fn states(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let net = self.rules.net;
        let mut texts: BTreeMap<TextKey, Vec<(PltsId, PltsStateId)>> = BTreeMap::new();
        for (leaf, plts) in net.plts.enumerated() {
            for (number, state) in plts.states.enumerated() {
                texts.entry(place(state.text)).or_default().push((leaf, number));
            }
        }
        for (_, states) in texts {
            if states.iter().any(|&(leaf, number)| self.is_reached(leaf, number)) {
                continue;
            }
            let (leaf, number) = states[0];
            let plts = &net.plts[leaf];
            let ways = plts.transitions.enumerated().filter(|(at, transition)| {
                transition.target == number
                    && transition.source != number
                    && self.starts((leaf, *at))
                    // Vectors that never fire have been reported.
                    && (self.users((leaf, *at)).1 > 0
                        || net.root == Content::Leaf(leaf))
            });
            let ways: Vec<PltsTransitionId> = ways.map(|(at, _)| at).collect();
            let mut others: Vec<(Span, String)> = Vec::new();
            for at in ways {
                let text = "this leads to it, and never happens".to_owned();
                let why = self.why(Item::Transition((leaf, at))).labels;
                add(&mut others, [(plts.transitions[at].action_text, text)]);
                add(&mut others, why);
            }
            if others.is_empty() {
                continue;
            }
            others.extend(self.chain(plts.origin));
            let state = &plts.states[number];
            problems.push(AutomatonProblem::NeverReached(NeverReached {
                span: state.text,
                name: state.name.to_string(),
                others,
            }));
        }
    }

    /// Holes that never move.
    pub fn holes(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let net = self.rules.net;
        let mut texts: BTreeMap<TextKey, Vec<HoleId>> = BTreeMap::new();
        for (number, hole) in net.holes.enumerated() {
            texts.entry(place(self.span(hole.origin))).or_default().push(number);
        }
        for (_, holes) in texts {
            if holes.iter().any(|&hole| self.hole_moves(hole)) {
                continue;
            }
            let hole = &net.holes[holes[0]];
            let content = Content::Hole(holes[0]);
            let Some(&(node, part)) = self.around.get(&content) else { continue };
            let mut others: Vec<(Span, String)> = Vec::new();
            for (number, vector) in net.nodes[node].vectors.enumerated() {
                if let Some(member) = vector.members.iter().find(|member| member.part == part) {
                    let text = "it could move here, and never does".to_owned();
                    add(&mut others, [(member.text, text)]);
                    add(&mut others, self.why(Item::Vector((node, number))).labels);
                }
            }
            if others.is_empty() {
                continue;
            }
            problems.push(AutomatonProblem::StillHole(StillHole {
                span: self.span(hole.origin),
                path: hole.path.clone(),
                others,
            }));
        }
    }
}

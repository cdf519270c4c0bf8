//! Parts of the model that nothing in the automaton comes from.

use std::collections::BTreeMap;

use super::Reviewer;
use super::blame::{Item, Why, first};
use super::problems::{
    AutomatonProblem, Contradiction, DeadTransition, DeadVector, StillHole, StuckInitially,
    UnreachableState,
};
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::pnet::{Content, HoleId, NodeId, PltsId};

/// A text, as a key that is in the order of the text.
type Place = (u32, u32);

fn place(span: Span) -> Place {
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
            Content::Hole(hole) => (net.holes[hole.0 as usize].origin, Vec::new()),
            Content::Leaf(leaf) => {
                let plts = &net.plts[leaf.0 as usize];
                let transitions = plts.transitions.iter().enumerate();
                let first = transitions.filter(|(_, t)| t.source == plts.initial);
                let items = first.map(|(number, _)| Item::Transition(leaf, number as u32));
                (plts.origin, items.collect())
            }
            Content::Node(node) => {
                let composite = &net.nodes[node.0 as usize];
                let numbers = 0..composite.vectors.len() as u32;
                (composite.origin, numbers.map(|number| Item::Vector(node, number)).collect())
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
    fn moves_still_hole(&self, node: NodeId, number: u32) -> bool {
        let composite = &self.rules.net.nodes[node.0 as usize];
        let members = &composite.vectors[number as usize].members;
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
        let mut texts: BTreeMap<Place, Vec<(NodeId, u32)>> = BTreeMap::new();
        for (node, composite) in self.rules.net.nodes.iter().enumerate() {
            for (number, vector) in composite.vectors.iter().enumerate() {
                let text = place(self.span(vector.origin));
                texts.entry(text).or_default().push((NodeId(node as u32), number as u32));
            }
        }
        for (_, vectors) in texts {
            if vectors.iter().any(|vector| self.live_vectors.contains(vector)) || is_spent() {
                continue;
            }
            let (node, number) = vectors[0];
            if self.moves_still_hole(node, number) {
                continue;
            }
            let why = self.why(Item::Vector(node, number));
            let origin = self.rules.net.nodes[node.0 as usize].vectors[number as usize].origin;
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
        let mut texts: BTreeMap<Place, Vec<(PltsId, u32)>> = BTreeMap::new();
        for (leaf, plts) in self.rules.net.plts.iter().enumerate() {
            for (number, transition) in plts.transitions.iter().enumerate() {
                let text = place(self.span(transition.origin));
                texts.entry(text).or_default().push((PltsId(leaf as u32), number as u32));
            }
        }
        for (_, transitions) in texts {
            if transitions.iter().any(|one| self.live_transitions.contains(one)) || is_spent() {
                continue;
            }
            let reached = transitions.iter().find(|&&(leaf, number)| self.starts(leaf, number));
            let Some(&(leaf, number)) = reached else { continue };
            let (could, live) = self.users(leaf, number);
            let alone = self.rules.net.root == Content::Leaf(leaf);
            let target = self.rules.net.plts[leaf.0 as usize].transitions[number as usize].target;
            if !self.is_reached(leaf, target) {
                continue;
            }
            let why = self.why(Item::Transition(leaf, number));
            let origin = self.rules.net.plts[leaf.0 as usize].transitions[number as usize].origin;
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

    fn is_reached(&self, leaf: PltsId, number: usize) -> bool {
        self.states.iter().any(|state| state[leaf.0 as usize] as usize == number)
    }

    /// Whether the state in which a transition starts is reached.
    fn starts(&self, leaf: PltsId, number: u32) -> bool {
        let source = self.rules.net.plts[leaf.0 as usize].transitions[number as usize].source;
        self.is_reached(leaf, source)
    }

    /// How many vectors could use a transition, and how many of these ever fire.
    fn users(&self, leaf: PltsId, number: u32) -> (usize, usize) {
        let net = self.rules.net;
        let Some(&(node, part)) = self.around.get(&Content::Leaf(leaf)) else { return (0, 0) };
        let action = net.plts[leaf.0 as usize].transitions[number as usize].action;
        let vectors = net.nodes[node.0 as usize].vectors.iter().enumerate();
        let fitting = vectors.filter(|(_, vector)| {
            let mut members = vector.members.iter().filter(|member| member.part == part);
            members.any(|member| self.fits(action, member.action))
        });
        let mut counts = (0, 0);
        for (at, _) in fitting {
            counts.0 += 1;
            counts.1 += usize::from(self.live_vectors.contains(&(node, at as u32)));
        }
        counts
    }

    /// States of processes that are never reached, although there is a way in from one that is.
    pub fn states(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let net = self.rules.net;
        let mut texts: BTreeMap<Place, Vec<(PltsId, usize)>> = BTreeMap::new();
        for (leaf, plts) in net.plts.iter().enumerate() {
            for (number, state) in plts.states.iter().enumerate() {
                texts.entry(place(state.text)).or_default().push((PltsId(leaf as u32), number));
            }
        }
        for (_, states) in texts {
            if states.iter().any(|&(leaf, number)| self.is_reached(leaf, number)) {
                continue;
            }
            let (leaf, number) = states[0];
            let plts = &net.plts[leaf.0 as usize];
            let ways = plts.transitions.iter().enumerate().filter(|(at, transition)| {
                transition.target == number
                    && transition.source != number
                    && self.starts(leaf, *at as u32)
                    // Vectors that never fire have been reported.
                    && (self.users(leaf, *at as u32).1 > 0
                        || net.root == Content::Leaf(leaf))
            });
            let ways: Vec<usize> = ways.map(|(at, _)| at).collect();
            let mut others: Vec<(Span, String)> = Vec::new();
            for at in ways {
                let text = "this leads to it, and never happens".to_owned();
                let why = self.why(Item::Transition(leaf, at as u32)).labels;
                add(&mut others, [(plts.transitions[at].action_text, text)]);
                add(&mut others, why);
            }
            if others.is_empty() {
                continue;
            }
            others.extend(self.chain(plts.origin));
            let state = &plts.states[number];
            problems.push(AutomatonProblem::UnreachableState(UnreachableState {
                span: state.text,
                name: state.name.to_string(),
                others,
            }));
        }
    }

    /// Holes that never move.
    pub fn holes(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let net = self.rules.net;
        let mut texts: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
        for (number, hole) in net.holes.iter().enumerate() {
            texts.entry(place(self.span(hole.origin))).or_default().push(number);
        }
        for (_, holes) in texts {
            if holes.iter().any(|&hole| self.hole_moves(HoleId(hole as u32))) {
                continue;
            }
            let hole = &net.holes[holes[0]];
            let content = Content::Hole(HoleId(holes[0] as u32));
            let Some(&(node, part)) = self.around.get(&content) else { continue };
            let mut others: Vec<(Span, String)> = Vec::new();
            for (number, vector) in net.nodes[node.0 as usize].vectors.iter().enumerate() {
                if let Some(member) = vector.members.iter().find(|member| member.part == part) {
                    let text = "it could move here, and never does".to_owned();
                    add(&mut others, [(member.text, text)]);
                    add(&mut others, self.why(Item::Vector(node, number as u32)).labels);
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

//! Conditions that say nothing, and values that leave their ranges.

use std::collections::BTreeMap;

use super::Reviewer;
use super::problems::{AlwaysTrue, AutomatonProblem, LeavesRange};
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::generate::rules::{Because, Fact, Open};
use crate::pnet::{Content, PltsId, TermId};
use crate::smt::Answer;

impl Reviewer<'_> {
    /// Conditions of processes that hold in every state in which they are asked, whatever the values.
    pub fn conditions(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let net = self.rules.net;
        // For each condition, whether it held everywhere so far.
        let mut texts: BTreeMap<(u32, u32), bool> = BTreeMap::new();
        for (leaf, plts) in net.plts.iter().enumerate() {
            for (number, transition) in plts.transitions.iter().enumerate() {
                // What never happens has been reported, and its conditions are part of the reason.
                if !self.live_transitions.contains(&(PltsId(leaf as u32), number as u32)) {
                    continue;
                }
                for condition in &transition.conditions {
                    let key = (condition.text.start, condition.text.end);
                    if texts.get(&key) == Some(&false) || is_spent() {
                        continue;
                    }
                    let places: Vec<usize> = (0..self.states.len())
                        .filter(|&place| self.states[place][leaf] as usize == transition.source)
                        .collect();
                    if places.is_empty() {
                        continue;
                    }
                    let holds = places.iter().all(|&place| self.surely(place, condition.term));
                    texts.insert(key, holds);
                }
            }
        }
        for ((start, end), _) in texts.into_iter().filter(|(_, holds)| *holds) {
            let span = Span::new(start, end);
            problems.push(AutomatonProblem::AlwaysTrue(AlwaysTrue { span }));
        }
    }

    /// Whether a condition holds in a state for all values that variables can have there.
    fn surely(&mut self, place: usize, condition: TermId) -> bool {
        if self.rules.terms.as_bool(condition) == Some(true) {
            return true;
        }
        let facts = self.values_of(place, &[condition]);
        let mut question: Vec<TermId> = facts.iter().map(|fact| self.claim(fact)).collect();
        question.push(self.rules.terms.not(condition));
        self.asker.check(&mut self.rules.terms, &question) == Answer::Unsat
    }

    /// Values that leave their ranges in a transition which is possible but for that.
    pub fn ranges(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let mut texts: BTreeMap<(u32, u32), bool> = BTreeMap::new();
        for place in 0..self.generated.automaton.transitions.len() {
            if is_spent() {
                return;
            }
            let source = self.generated.automaton.transitions[place].source.index();
            let Some(open) = self.again(self.rules.net.root, place) else { continue };
            if !open.facts.iter().any(|fact| self.range_text(fact.because).is_some()) {
                continue;
            }
            let mut facts = self.value_facts(source, &open);
            facts.extend(self.rules.holes_keep_to_sorts(&open.holes));
            facts.extend(&open.facts);
            for fact in &facts {
                let Some(text) = self.range_text(fact.because) else { continue };
                let key = (text.start, text.end);
                if texts.get(&key) != Some(&true) {
                    let leaves = self.can_leave(&facts, fact, text);
                    texts.insert(key, leaves);
                }
            }
        }
        for ((start, end), _) in texts.into_iter().filter(|(_, leaves)| *leaves) {
            let span = Span::new(start, end);
            problems.push(AutomatonProblem::LeavesRange(LeavesRange { span }));
        }
    }

    /// The text of something that must stay in a range.
    fn range_text(&self, because: Because) -> Option<Span> {
        let net = self.rules.net;
        match because {
            Because::Range(leaf, number) => {
                let transition = &net.plts[leaf.0 as usize].transitions[number as usize];
                Some(self.span(transition.origin))
            }
            Because::VectorRange(node, number) => {
                let vector = &net.nodes[node.0 as usize].vectors[number as usize];
                Some(self.span(vector.origin))
            }
            _ => None,
        }
    }

    /// Whether a value can leave its range while everything else holds.
    fn can_leave(&mut self, facts: &[Fact], fact: &Fact, text: Span) -> bool {
        let mut question: Vec<TermId> = Vec::with_capacity(facts.len());
        for other in facts {
            if self.range_text(other.because) != Some(text) {
                question.push(self.claim(other));
            }
        }
        let claim = self.claim(fact);
        question.push(self.rules.terms.not(claim));
        self.asker.check(&mut self.rules.terms, &question) == Answer::Sat
    }

    /// A transition of the automaton as the rules say, with all its facts but priorities.
    fn again(&mut self, content: Content, place: usize) -> Option<Open> {
        let used = &self.generated.automaton.transitions[place].used;
        match content {
            Content::Hole(_) => None,
            Content::Leaf(leaf) => {
                let (_, number) = used.transitions.iter().find(|(id, _)| *id == leaf)?;
                Some(self.rules.leaf(leaf, *number as usize))
            }
            Content::Node(node) => {
                let (_, number) = *used.vectors.iter().find(|(id, _)| *id == node)?;
                let net = self.rules.net;
                let vector = &net.nodes[node.0 as usize].vectors[number as usize];
                let members: Vec<_> = self.rules.inner_members(node, &vector.members).collect();
                let mut opens = Vec::with_capacity(members.len());
                for member in members {
                    let content = net.nodes[node.0 as usize].parts[member.part].content;
                    opens.push(self.again(content, place)?);
                }
                Some(self.rules.node(node, number as usize, &opens, &[]))
            }
        }
    }
}

//! Conditions that say nothing, and values that leave their ranges.

use std::collections::BTreeMap;

use super::Reviewer;
use super::problems::{AlwaysTrue, AutomatonProblem, LeavesRange};
use crate::algebra::{Term, TermId};
use crate::automaton::{StateId, TransitionId};
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::generate::rules::{Because, Claim, Fact, Move, Open};
use crate::pnet::{Content, Owed, OwedKind};
use crate::smt::Answer;

impl Reviewer<'_> {
    /// Conditions of processes that hold in every state in which they are asked, whatever the values.
    pub fn conditions(&mut self, problems: &mut Vec<AutomatonProblem>) {
        let net = self.rules.net;
        // For each condition, whether it held everywhere so far.
        let mut texts: BTreeMap<(u32, u32), bool> = BTreeMap::new();
        for (leaf, plts) in net.plts.enumerated() {
            for (number, transition) in plts.transitions.enumerated() {
                // What never happens in any instance has been reported, and its conditions are part of the reason; where
                // it never happens in one of several, a condition that can be false there is needed.
                let is_live = self.live_transitions.contains(&(leaf, number));
                for condition in &transition.conditions {
                    let key = (condition.text.start, condition.text.end);
                    if texts.get(&key) == Some(&false) || is_spent() {
                        continue;
                    }
                    let here = self.states.enumerated();
                    let here = here.filter(|(_, state)| state[leaf] == transition.source);
                    let places: Vec<StateId> = here.map(|(place, _)| place).collect();
                    if places.is_empty() {
                        continue;
                    }
                    let holds = places.iter().all(|&place| self.surely(place, condition.term));
                    if is_live || !holds {
                        texts.insert(key, holds);
                    }
                }
            }
        }
        for ((start, end), _) in texts.into_iter().filter(|(_, holds)| *holds) {
            let span = Span::new(start, end);
            problems.push(AutomatonProblem::AlwaysTrue(AlwaysTrue { span, end: None }));
        }
    }

    /// Whether a condition holds in a state for all values that variables can have there.
    fn surely(&mut self, place: StateId, condition: TermId) -> bool {
        if self.rules.terms.as_bool(condition) == Some(true) {
            return true;
        }
        let facts = self.values_of(place, &[condition]);
        let mut question: Vec<TermId> = facts.iter().map(|fact| self.claim(fact)).collect();
        question.push(self.rules.terms.not(condition));
        self.oracle.check(&mut self.rules.terms, &question) == Answer::Unsat
    }

    /// Values that are none of their sorts, in a transition which is possible but for that.
    pub fn ranges(&mut self, problems: &mut Vec<AutomatonProblem>) {
        // For each text, what its value is for where it can be none of its sort.
        let mut texts: BTreeMap<(u32, u32), Option<OwedKind>> = BTreeMap::new();
        for place in self.generated.automaton.transitions.ids() {
            if is_spent() {
                return;
            }
            let source = self.generated.automaton.transitions[place].source;
            let Some(open) = self.again(self.rules.net.root, place) else { continue };
            if !open.facts.iter().any(|fact| self.owed(fact.because).is_some()) {
                continue;
            }
            let mut facts = self.value_facts(source, &open);
            facts.extend(self.rules.holes_keep_to_sorts(&open.holes));
            facts.extend(&open.facts);
            for fact in &facts {
                let Some(owed) = self.owed(fact.because) else { continue };
                let known = texts.entry((owed.text.start, owed.text.end)).or_default();
                if known.is_none() && self.can_leave(&facts, fact, owed) {
                    *known = Some(owed.kind);
                }
            }
        }
        for ((start, end), kind) in texts {
            if let Some(kind) = kind {
                let span = Span::new(start, end);
                problems.push(AutomatonProblem::LeavesRange(LeavesRange {
                    span,
                    kind,
                    assigned: None,
                }));
            }
        }
    }

    /// What a value owes, where a fact says this.
    fn owed(&self, because: Because) -> Option<Owed> {
        let net = self.rules.net;
        match because {
            Because::Range(transition, at) => Some(net.transition(transition).owes[at]),
            Because::VectorRange(vector, at) => Some(net.vector(vector).owes[at]),
            _ => None,
        }
    }

    /// Whether what a value owes can fail while everything else holds that its text does not ask for.
    fn can_leave(&mut self, facts: &[Fact], fact: &Fact, owed: Owed) -> bool {
        let mut question: Vec<TermId> = Vec::with_capacity(facts.len());
        let sent = self.sent_by(fact.because, owed.text);
        for other in facts {
            if let (Claim::Same(done, asked), Because::Member(.., by)) =
                (other.claim, other.because)
                && sent == Some(by)
            {
                self.received(done, asked, &mut question);
                continue;
            }
            let same_text = match self.owed(other.because) {
                Some(other) => other.text == owed.text,
                // A vector that stands for one of several asks for its own index.
                None => self.condition_text(other.because) == Some(owed.text),
            };
            if !same_text {
                question.push(self.claim(other));
            }
        }
        let claim = self.claim(fact);
        question.push(self.rules.terms.not(claim));
        self.oracle.check(&mut self.rules.terms, &question) == Answer::Sat
    }

    /// Whose action a text is part of. Who takes part with it takes values of its sort only, so that what they ask for
    /// would hide that the value can be another.
    fn sent_by(&self, because: Because, text: Span) -> Option<Move> {
        let net = self.rules.net;
        match because {
            Because::Range((leaf, number), _) => {
                let transition = net.transition((leaf, number));
                transition.action_text.contains(text).then_some(Move::Leaf(leaf, number))
            }
            Because::VectorRange((node, number), _) => {
                let vector = net.vector((node, number));
                let mut inside = vector.members.iter().map(|member| member.text);
                (!inside.any(|member| member.contains(text))).then_some(Move::Node(node, number))
            }
            _ => None,
        }
    }

    /// Of two actions that are the same: what is received is what was sent.
    fn received(&mut self, done: TermId, asked: TermId, question: &mut Vec<TermId>) {
        let terms = &mut self.rules.terms;
        let (Term::Act(one, done), Term::Act(other, asked)) = (terms.get(done), terms.get(asked))
        else {
            return;
        };
        if one != other {
            return;
        }
        let pairs: Vec<(TermId, TermId)> =
            done.iter().copied().zip(asked.iter().copied()).collect();
        for (done, asked) in pairs {
            if matches!(terms.get(done), Term::Var(_)) {
                question.push(terms.equal(done, asked));
            }
        }
    }

    fn condition_text(&self, because: Because) -> Option<Span> {
        let Because::Vector(vector, at) = because else { return None };
        Some(self.rules.net.vector(vector).conditions[at].text)
    }

    /// A transition of the automaton as the rules say, with all its facts but priorities.
    fn again(&mut self, content: Content, place: TransitionId) -> Option<Open> {
        let used = &self.generated.automaton.transitions[place].used;
        match content {
            Content::Hole(_) => None,
            Content::Leaf(leaf) => {
                let (_, number) = used.transitions.iter().find(|(id, _)| *id == leaf)?;
                Some(self.rules.leaf(leaf, *number))
            }
            Content::Node(node) => {
                let (_, number) = *used.vectors.iter().find(|(id, _)| *id == node)?;
                let net = self.rules.net;
                let vector = &net.nodes[node].vectors[number];
                let members: Vec<_> = self.rules.inner_members(node, &vector.members).collect();
                let mut opens = Vec::with_capacity(members.len());
                for member in members {
                    let content = net.nodes[node].parts[member.part].content;
                    opens.push(self.again(content, place)?);
                }
                Some(self.rules.node(node, number, &opens, &[]))
            }
        }
    }
}

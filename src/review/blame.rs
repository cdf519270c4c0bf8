//! Why something never happens: the facts that contradict each other, or who never does his part.

use super::Reviewer;
use super::texts::TextLabel;
use crate::algebra::{TermId, VarId};
use crate::automaton::StateId;
use crate::automaton::definitions::{Flow, Sources, initial_values, one_of, sources, state_vars};
use crate::diagnostics::Span;
use crate::generate::rules::{Because, Claim, Fact, Open};
use crate::pnet::{
    Content, Member, NodeId, PartId, PltsStates, TransitionPlace, Vector, VectorId, VectorPlace,
};
use crate::smt::{Answer, Core};

/// Something that never happens.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    /// A vector.
    Vector(VectorPlace),
    /// A transition of a leaf.
    Transition(TransitionPlace),
}

impl Item {
    fn is_in(self, open: &Open) -> bool {
        match self {
            Item::Vector(place) => open.used.vectors.contains(&place),
            Item::Transition(place) => open.used.transitions.contains(&place),
        }
    }
}

/// Why it never happens.
#[derive(Clone, Debug, Default)]
pub(super) struct Why {
    /// The texts that have to do with it.
    pub labels: Vec<TextLabel>,
    /// What else there is to say.
    pub note: Option<String>,
    /// Whether it is the conditions alone that contradict each other.
    pub only_conditions: bool,
}

/// So many candidates are looked at for the shortest explanation.
const MOST_CANDIDATES: usize = 12;
/// So many places are shown for one reason.
const MOST_LABELS: usize = 3;

impl Reviewer<'_> {
    /// Why something never happens.
    pub fn why(&mut self, item: Item) -> Why {
        let mut level = match item {
            Item::Vector((node, _)) => Content::Node(node),
            Item::Transition((leaf, _)) => Content::Leaf(leaf),
        };
        let here = self.candidates(item, level);
        if let Some(why) = self.settled(here) {
            return why.unwrap_or_else(|| match item {
                Item::Vector(place) => self.never_ready(place),
                Item::Transition(..) => Why::default(),
            });
        }
        // It is possible where it is: somebody further out stands in the way.
        while let Some(&(node, part)) = self.around.get(&level) {
            let around = self.candidates_around(item, node, part);
            if let Some(why) = self.settled(around) {
                return why.unwrap_or_else(|| self.nobody_joins(node, part, item));
            }
            level = Content::Node(node);
        }
        self.values_are_wrong(item, level)
    }

    /// What the candidates say: nothing when one is possible, else the reason if there was any candidate.
    fn settled(&mut self, candidates: Vec<Open>) -> Option<Option<Why>> {
        for open in &candidates {
            if self.is_possible(open) != Answer::Unsat {
                return None;
            }
        }
        if candidates.is_empty() {
            return Some(None);
        }
        let here = StateId::FIRST;
        let candidates = candidates.into_iter().map(|open| (open, Vec::new(), here)).collect();
        Some(Some(self.contradiction(candidates)))
    }

    /// All ways in which it could be where it stands.
    fn candidates(&mut self, item: Item, level: Content) -> Vec<Open> {
        let mut found = Vec::new();
        for state in self.local_states(level) {
            match item {
                Item::Vector(place) => {
                    found.extend(self.combinations(place, &state, |_, _| true));
                }
                Item::Transition((leaf, number)) => {
                    let source = self.rules.net.transition((leaf, number)).source;
                    if state[leaf] == source {
                        found.push(self.rules.leaf(leaf, number));
                    }
                }
            }
        }
        found
    }

    /// All ways in which a node could take part with it.
    fn candidates_around(&mut self, item: Item, node: NodeId, part: PartId) -> Vec<Open> {
        let vectors = &self.rules.net.nodes[node].vectors;
        let takes_part = |vector: &Vector| vector.members.iter().any(|member| member.part == part);
        let fitting = vectors.enumerated().filter(|(_, vector)| takes_part(vector));
        let numbers: Vec<VectorId> = fitting.map(|(number, _)| number).collect();
        let mut found = Vec::new();
        for state in self.local_states(Content::Node(node)) {
            for &number in &numbers {
                let wanted = |other: PartId, open: &Open| other != part || item.is_in(open);
                found.extend(self.combinations((node, number), &state, wanted));
            }
        }
        found
    }

    /// The shortest contradiction among candidates, each with what else must hold, and the state it starts in.
    fn contradiction(&mut self, candidates: Vec<(Open, Vec<Fact>, StateId)>) -> Why {
        let count = candidates.len();
        let mut best: Option<Why> = None;
        for (open, more, place) in candidates.into_iter().take(MOST_CANDIDATES) {
            let mut facts = open.facts.clone();
            facts.extend(more);
            facts.extend(self.rules.holes_keep_to_sorts(&open.holes));
            let conditions: Vec<_> = facts.iter().map(|fact| self.claim(fact)).collect();
            let Core::Contradiction(core) = self.oracle.core(&mut self.rules.terms, &conditions)
            else {
                continue;
            };
            let because: Vec<Because> = core.iter().map(|&at| facts[at].because).collect();
            let why = self.told(&because, place);
            if best.as_ref().is_none_or(|best| why.labels.len() < best.labels.len()) {
                best = Some(why);
            }
        }
        let mut why = best.unwrap_or_default();
        if count > 1 && !why.labels.is_empty() {
            why.note = Some(format!(
                "there are {count} ways to put it together; none is possible, and this is why for one of them"
            ));
        }
        why
    }

    fn told(&self, because: &[Because], place: StateId) -> Why {
        let mut labels: Vec<TextLabel> = Vec::new();
        for &one in because {
            for label in self.labels(one, place, because) {
                if !labels.iter().any(|(span, _)| *span == label.0) {
                    labels.push(label);
                }
            }
        }
        let condition =
            |because: &Because| matches!(because, Because::Guard(..) | Because::Vector(..));
        Why { labels, note: None, only_conditions: because.iter().all(condition) }
    }

    // ---- nobody does it ----

    /// Why a vector cannot be put together in any state: a member never does what it is asked for, or they do
    /// it at different times.
    fn never_ready(&mut self, (node, number): VectorPlace) -> Why {
        let net = self.rules.net;
        let vector = &net.nodes[node].vectors[number];
        let members: Vec<Member> = self.rules.inner_members(node, &vector.members).collect();
        let mut together = Vec::new();
        for member in &members {
            let content = net.nodes[node].parts[member.part].content;
            let mut ready: Vec<String> = Vec::new();
            for state in self.local_states(content) {
                let offers = self.offers(content, &state);
                if offers.iter().any(|open| self.fits(open.action, member.action)) {
                    ready.push(self.state_words(content, &state));
                }
            }
            if ready.is_empty() {
                return self.never_does(content, *member);
            }
            ready.truncate(MOST_LABELS);
            let path = self.path(content);
            together
                .push((member.text, format!("`{path}` does this only in {}", ready.join(", "))));
        }
        let note = Some("the members are never ready at the same time".to_owned());
        Why { labels: together, note, only_conditions: false }
    }

    /// A state of a part in words.
    pub fn state_words(&mut self, content: Content, state: &PltsStates) -> String {
        let leaves = self.leaves_of(content);
        let names = leaves
            .iter()
            .map(|&leaf| self.rules.net.plts[leaf].states[state[leaf]].name.to_string());
        format!("`{}`", names.collect::<Vec<_>>().join("."))
    }

    /// Why a part never does what a member is asked for.
    fn never_does(&mut self, content: Content, member: Member) -> Why {
        let wanted = self.words(member.action);
        let mut labels =
            vec![(member.text, format!("{} never does `{wanted}`", self.who_it_is(content)))];
        labels.extend(self.who_could(content, member).into_iter().take(MOST_LABELS));
        Why { labels, note: None, only_conditions: false }
    }

    /// What comes near to what a member is asked for.
    fn who_could(&mut self, content: Content, member: Member) -> Vec<TextLabel> {
        let net = self.rules.net;
        match content {
            Content::Hole(_) => Vec::new(),
            Content::Leaf(leaf) => {
                let plts = &net.plts[leaf];
                let mut exact = Vec::new();
                let mut similar = Vec::new();
                for (number, transition) in plts.transitions.enumerated() {
                    if self.fits(transition.action, member.action) {
                        let state = plts.states[transition.source].name;
                        if self.is_reached(leaf, transition.source) {
                            let item = Item::Transition((leaf, number));
                            let here = self.candidates(item, content);
                            if let Some(Some(why)) = self.settled(here) {
                                exact.extend(why.labels);
                            }
                        } else {
                            let text = format!("only here, in `{state}`, which is never reached");
                            exact.push((transition.action_text, text));
                        }
                    } else if self.same_name(transition.action, member.action) {
                        let path = self.path(content);
                        similar.push((transition.action_text, format!("`{path}` does this")));
                    }
                }
                if exact.is_empty() { similar } else { exact }
            }
            Content::Node(node) => {
                let vectors = net.nodes[node].vectors.iter();
                let fitting = vectors.filter(|vector| self.fits(vector.result, member.action));
                let text = "this could show it, and never fires".to_owned();
                fitting.map(|vector| (self.span(vector.origin), text.clone())).collect()
            }
        }
    }

    /// Whether two actions have one name and arity.
    fn same_name(&self, a: TermId, b: TermId) -> bool {
        use crate::algebra::Term;
        match (self.rules.terms.get(a), self.rules.terms.get(b)) {
            (Term::Act(p, _), Term::Act(q, _)) => p == q,
            _ => false,
        }
    }

    /// Nothing around a part takes part with what it does.
    fn nobody_joins(&mut self, node: NodeId, part: PartId, item: Item) -> Why {
        let content = self.rules.net.nodes[node].parts[part].content;
        let who = self.path(Content::Node(node));
        let mut shown = Vec::new();
        for state in self.local_states(content) {
            for open in self.offers(content, &state).iter().filter(|open| item.is_in(open)) {
                let words = format!("`{}`", self.words(open.action));
                if !shown.contains(&words) {
                    shown.push(words);
                }
            }
        }
        shown.truncate(MOST_LABELS);
        let span = self.span(self.rules.net.nodes[node].origin);
        let text =
            format!("no vector of `{who}` lets `{}` do {}", self.path(content), shown.join(" or "));
        let note =
            Some("where it is it could happen; further out nothing takes part in it".to_owned());
        Why { labels: vec![(span, text)], note, only_conditions: false }
    }

    // ---- values ----

    /// It would be possible, but for the values that variables have.
    fn values_are_wrong(&mut self, item: Item, root: Content) -> Why {
        let mut candidates = Vec::new();
        for place in self.states.ids() {
            let state = self.states[place].clone();
            for open in self.offers(root, &state).iter().filter(|open| item.is_in(open)) {
                let facts = self.value_facts(place, open);
                candidates.push((open.clone(), facts, place));
            }
        }
        self.contradiction(candidates)
    }

    /// What is known of the values of the variables that an open transition asks about.
    pub fn value_facts(&mut self, place: StateId, open: &Open) -> Vec<Fact> {
        let claims: Vec<_> = open.facts.iter().map(|fact| self.claim(fact)).collect();
        self.values_of(place, &claims)
    }

    /// What is known of the values of the variables of some conditions.
    pub fn values_of(&mut self, place: StateId, conditions: &[TermId]) -> Vec<Fact> {
        let asked = state_vars(&self.rules.terms, conditions);
        let mut facts = Vec::with_capacity(asked.len());
        for var in asked {
            let known = self.known_values(place, var);
            if let Some(known) = known
                && let Some(term) = one_of(&mut self.rules.terms, var, &known)
            {
                facts.push(Fact { claim: Claim::Holds(term), because: Because::Value(var) });
            }
        }
        facts
    }

    fn known_values(&mut self, place: StateId, var: VarId) -> Option<Sources> {
        if !self.values.contains_key(&var) {
            let automaton = &self.generated.automaton;
            let flows = automaton.transitions.iter().map(|transition| Flow {
                source: transition.source,
                target: transition.target,
                updates: &transition.updates,
            });
            let flows: Vec<Flow<'_>> = flows.collect();
            let found = sources(&initial_values(self.rules.net), &flows, &[var]);
            let by_place = found.into_iter().map(|((state, _), known)| (state, known));
            self.values.insert(var, by_place.collect());
        }
        self.values.get(&var)?.get(&place).cloned()
    }
}

/// The place to point at first, and the others.
pub(super) fn first(labels: Vec<TextLabel>, inside: Span) -> (Option<TextLabel>, Vec<TextLabel>) {
    let mut labels = labels;
    match labels.iter().position(|(span, _)| inside.contains(*span)) {
        Some(place) => {
            let one = labels.remove(place);
            (Some(one), labels)
        }
        None => (None, labels),
    }
}

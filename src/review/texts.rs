//! Facts as places in the text, with something to say about each.

use rustc_hash::FxHashMap;

use super::Reviewer;
use crate::algebra::{TermId, VarId};
use crate::automaton::StateId;
use crate::diagnostics::Span;
use crate::emit::{Scope, label};
use crate::generate::rules::{Because, Move};
use crate::pnet::{Content, NodeId, OriginId, Owed, OwedKind, PNet, PartId};

/// A place with something to say about it.
pub type TextLabel = (Span, String);

/// Where parts stand, and their paths.
pub(super) type Places = (FxHashMap<Content, (NodeId, PartId)>, FxHashMap<Content, String>);

pub(super) fn places(net: &PNet) -> Places {
    let mut around = FxHashMap::default();
    let mut paths = FxHashMap::default();
    let mut work = vec![(net.root, String::new())];
    while let Some((content, path)) = work.pop() {
        if let Content::Node(node) = content {
            for (place, part) in net.nodes[node].parts.enumerated() {
                let inner = match path.as_str() {
                    "" => part.name.to_string(),
                    outer => format!("{outer}.{}", part.name),
                };
                around.insert(part.content, (node, place));
                work.push((part.content, inner));
            }
        }
        paths.insert(content, path);
    }
    (around, paths)
}

impl Reviewer<'_> {
    pub fn span(&self, origin: OriginId) -> Span {
        self.rules.net.origins.get(origin).span
    }

    /// The instances that led to something, in words.
    pub fn chain(&self, origin: OriginId) -> Vec<TextLabel> {
        let chain = self.rules.net.origins.chain(origin).into_iter();
        let label = |i: &crate::pnet::Instantiation| {
            let text = if i.part == i.component.as_str() {
                format!("in the instance of `{}` made here", i.component)
            } else {
                format!("in `{}`, an instance of `{}` made here", i.part, i.component)
            };
            (i.span, text)
        };
        chain.map(label).collect()
    }

    pub fn path(&self, content: Content) -> String {
        match self.paths.get(&content) {
            Some(path) if !path.is_empty() => path.clone(),
            _ => self.rules.net.name.to_string(),
        }
    }

    /// A part with what it is an instance of.
    pub fn who(&self, content: Content) -> String {
        let net = self.rules.net;
        let of = match content {
            Content::Leaf(leaf) => net.plts[leaf].name.to_string(),
            Content::Node(node) => net.nodes[node].name.to_string(),
            Content::Hole(_) => return format!("`{}`", self.path(content)),
        };
        let path = self.path(content);
        if path == of { format!("`{path}`") } else { format!("`{path}`, an instance of `{of}`") }
    }

    /// The same where the sentence goes on.
    pub fn who_it_is(&self, content: Content) -> String {
        let who = self.who(content);
        if who.contains(", ") { who + "," } else { who }
    }

    /// A term in the words of the language.
    pub fn words(&self, term: TermId) -> String {
        let names = crate::automaton::variable_names(&self.generated.automaton);
        let scope = Scope {
            algebra: &self.rules.net.algebra,
            terms: &self.rules.terms,
            names: Some(&names),
        };
        label::term(scope, term)
    }

    /// The text that a move comes from: the action of a transition, or a vector.
    pub fn move_text(&self, done: Move) -> Span {
        let net = self.rules.net;
        match done {
            Move::Leaf(leaf, number) => net.plts[leaf].transitions[number].action_text,
            Move::Node(node, number) => self.span(net.nodes[node].vectors[number].origin),
        }
    }

    /// What can be shown of a fact. `others` are the facts it contradicts: what these show already is not said
    /// twice.
    pub fn labels(&self, because: Because, place: StateId, others: &[Because]) -> Vec<TextLabel> {
        let net = self.rules.net;
        match because {
            Because::Guard(transition, condition) => {
                let text = net.transition(transition).conditions[condition].text;
                let who = self.path(Content::Leaf(transition.0));
                vec![(text, format!("`{who}` needs this"))]
            }
            Because::Range(transition, at) => {
                vec![owed_label(&net.transition(transition).owes[at])]
            }
            Because::Member(vector, member, done) => {
                let member = net.vector(vector).members[member];
                let content = net.nodes[vector.0].parts[member.part].content;
                let wanted = self.words(member.action);
                let mut labels =
                    vec![(member.text, format!("needs `{wanted}` from {}", self.who(content)))];
                let inside = |other: &Because| self.is_inside(*other, content);
                match done {
                    Move::Leaf(..) => labels.push((
                        self.move_text(done),
                        format!("`{}` does this", self.path(content)),
                    )),
                    Move::Node(..) if !others.iter().any(inside) => labels.push((
                        self.move_text(done),
                        format!("`{}` does what this shows", self.path(content)),
                    )),
                    Move::Node(..) => {}
                }
                labels
            }
            Because::Vector(vector, condition) => {
                let text = net.vector(vector).conditions[condition].text;
                let who = self.path(Content::Node(vector.0));
                vec![(text, format!("this vector of `{who}` needs this"))]
            }
            Because::VectorRange(vector, at) => vec![owed_label(&net.vector(vector).owes[at])],
            Because::Priority(vector, rival) => {
                let vector = net.vector(vector);
                let own = self.span(vector.origin);
                let first = vector.rivals[rival].text;
                if own == first {
                    let text = "this can show something that goes first instead".to_owned();
                    return vec![(own, text)];
                }
                // What stands behind `unless` is a part of the vector.
                if own.contains(first) {
                    return vec![(first, "this goes first".to_owned())];
                }
                vec![
                    (own, "this gives way to an interaction of higher priority".to_owned()),
                    (first, "this goes first".to_owned()),
                ]
            }
            Because::Hole(hole) => {
                let hole = &net.holes[hole];
                let text = format!("`{}` does only what its interface allows", hole.path);
                vec![(self.span(hole.origin), text)]
            }
            Because::Value(var) => self.value_labels(var, place),
            Because::Solved => Vec::new(),
        }
    }

    /// Whether a fact comes from inside a part.
    fn is_inside(&self, because: Because, content: Content) -> bool {
        let mut at = match because {
            Because::Guard((leaf, _), _) | Because::Range((leaf, _), _) => Content::Leaf(leaf),
            Because::Member((node, _), ..)
            | Because::Vector((node, _), _)
            | Because::VectorRange((node, _), _)
            | Because::Priority((node, _), _) => Content::Node(node),
            Because::Hole(hole) => Content::Hole(hole),
            Because::Value(_) | Because::Solved => return false,
        };
        loop {
            if at == content {
                return true;
            }
            match self.around.get(&at) {
                Some((node, _)) => at = Content::Node(*node),
                None => return false,
            }
        }
    }

    /// The values that a variable can have in a state.
    fn value_labels(&self, var: VarId, place: StateId) -> Vec<TextLabel> {
        const MOST: usize = 4;
        let variables = &self.generated.automaton.variables;
        let Some(variable) = variables.iter().find(|variable| variable.var == var) else {
            return Vec::new();
        };
        let known = self.values.get(&var).and_then(|places| places.get(&place));
        let mut values: Vec<String> = Vec::new();
        for value in known.into_iter().flatten().flatten() {
            values.push(format!("`{}`", self.words(*value)));
        }
        let more = if values.len() > MOST { ", and others that do not fit either" } else { "" };
        values.truncate(MOST);
        let text = match values.as_slice() {
            [] => format!("`{}` has no value for this", variable.path),
            [one] => format!("`{}` is always {one} here", variable.path),
            all => format!("here `{}` is one of {}{more}", variable.path, all.join(", ")),
        };
        vec![(variable.text, text)]
    }
}

/// Where a value owes something, and what.
fn owed_label(owed: &Owed) -> TextLabel {
    let text = match owed.kind {
        OwedKind::Range => "a value leaves its range here",
        OwedKind::Place => "the array has no such place",
        OwedKind::Member => "the family has no such member",
        OwedKind::Divisor => "this is a division by zero",
        OwedKind::Call => "the function has no value here",
        OwedKind::Field => "the value has no such field",
        OwedKind::Apart => "this place is assigned twice",
    };
    (owed.text, text.to_owned())
}

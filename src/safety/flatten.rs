//! Interactions of a net: its vectors, flattened through the hierarchy.
//!
//! A draft is a tree of vectors with the leaves at its ends and what is asked of each. Its equations between actions are
//! solved by unification. A leaf that can answer by one transition only, or by several that show the same, is solved
//! together with the vectors; otherwise each of its transitions is a way of its own, with equations between what it shows
//! and what is asked. So a step in which many components take part in several ways each stays small.

use std::rc::Rc;

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::problem::{
    Component, ComponentId, Interaction, InteractionId, Participant, TooLarge, Turn,
};
use super::rivals::Rivals;
use crate::algebra::{TermId, Terms, Unifier, VarId, VariableKind, can_be_same};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::pnet::{
    Content, HoleId, Member, NodeId, PNet, PltsId, PltsTransitionId, Transition, Vector, VectorId,
    VectorPlace, sort_allows,
};

/// More interactions than this are not looked at.
const MOST_INTERACTIONS: usize = 200_000;

/// What interactions are made of.
pub(super) struct Flattened<'a, 'n> {
    pub net: &'n PNet,
    pub terms: &'a mut Terms,
    pub components: &'a IndexVec<ComponentId, Component>,
}

/// What part of a net does, not solved yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// What must be the same.
    pub pairs: Vec<(TermId, TermId)>,
    /// What must hold.
    pub conditions: Vec<TermId>,
    /// The leaves that move, and what is asked of each; nothing of a leaf by itself.
    pub leaves: Vec<(PltsId, Asked)>,
    /// What holes do.
    pub holes: Vec<(HoleId, TermId)>,
    /// The vectors, the innermost first.
    pub vectors: Vec<VectorPlace>,
}

/// What is asked of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    /// To show this.
    Action(TermId),
    /// To make this transition.
    Transition(PltsTransitionId),
}

/// What a part can do: what it shows, and how.
pub(super) type Offers = Rc<Vec<(TermId, Draft)>>;

/// The interactions of a net.
pub(super) fn flatten(
    flattened: Flattened<'_, '_>,
) -> Result<IndexVec<InteractionId, Interaction>, TooLarge> {
    let Flattened { net, terms, components } = flattened;
    let mut drafts = Drafts { net, terms, nodes: FxHashMap::default() };
    let rivals = Rivals::of(&mut drafts, components)?;
    let all = drafts.of(net.root)?;
    let places = components.enumerated().map(|(id, component)| (component.plts, id)).collect();
    let mut solving = Solving { net, terms: drafts.terms, places, rivals };
    let mut found = IndexVec::default();
    for (action, draft) in all.iter() {
        if is_spent() {
            return Err(TooLarge::Stopped);
        }
        if let Some(interaction) = solving.solved(*action, draft) {
            found.push(interaction);
        }
    }
    Ok(found)
}

/// Makes drafts, those of each node once.
pub(super) struct Drafts<'a, 'n> {
    pub net: &'n PNet,
    pub terms: &'a mut Terms,
    nodes: FxHashMap<NodeId, Offers>,
}

impl<'n> Drafts<'_, 'n> {
    /// What a part can do.
    pub fn of(&mut self, content: Content) -> Result<Offers, TooLarge> {
        match content {
            Content::Hole(_) => Ok(Offers::default()),
            Content::Leaf(leaf) => Ok(self.alone(leaf)),
            Content::Node(node) => self.node(node),
        }
    }

    fn alone(&self, leaf: PltsId) -> Offers {
        let transitions = self.net.plts[leaf].transitions.enumerated();
        let draft = |(id, transition): (PltsTransitionId, &Transition)| {
            let leaves = vec![(leaf, Asked::Transition(id))];
            (transition.action, Draft { leaves, ..Draft::default() })
        };
        Rc::new(transitions.map(draft).collect())
    }

    fn node(&mut self, node: NodeId) -> Result<Offers, TooLarge> {
        if let Some(known) = self.nodes.get(&node) {
            return Ok(Rc::clone(known));
        }
        let net = self.net;
        let mut found = Vec::new();
        for (number, vector) in net.nodes[node].vectors.enumerated() {
            for draft in self.vector((node, number), vector)? {
                found.push((vector.result, draft));
            }
            if is_spent() {
                return Err(TooLarge::Stopped);
            }
            if found.len() > MOST_INTERACTIONS {
                return Err(TooLarge::Interactions);
            }
        }
        let found = Rc::new(found);
        self.nodes.insert(node, Rc::clone(&found));
        Ok(found)
    }

    /// All that a vector can be made of.
    fn vector(&mut self, place: VectorPlace, vector: &Vector) -> Result<Vec<Draft>, TooLarge> {
        let net = self.net;
        let parts = &net.nodes[place.0].parts;
        let mut own = Draft::default();
        own.conditions.extend(vector.conditions.iter().map(|condition| condition.term));
        own.conditions.extend(vector.owes.iter().map(|owed| owed.term));
        let mut inner = Vec::new();
        for member in &vector.members {
            match parts[member.part].content {
                Content::Hole(hole) => own.holes.push((hole, member.action)),
                Content::Leaf(leaf) => own.leaves.push((leaf, Asked::Action(member.action))),
                Content::Node(node) => inner.push((*member, self.fitting(node, member)?)),
            }
        }
        own.vectors.push(place);
        let combinations = inner.iter().map(|(_, fitting)| fitting.len());
        if combinations.fold(1usize, usize::saturating_mul) > MOST_INTERACTIONS {
            return Err(TooLarge::Interactions);
        }
        let choices = inner.iter().map(|(member, fitting)| {
            fitting.iter().map(move |(action, draft)| ((*action, member.action), draft))
        });
        Ok(choices.multi_cartesian_product().map(|chosen| joined(&own, &chosen)).collect())
    }

    /// What a node can do that may be what a member asks for.
    fn fitting(&mut self, node: NodeId, member: &Member) -> Result<Vec<(TermId, Draft)>, TooLarge> {
        let offers = self.node(node)?;
        let fits = |(action, _): &&(TermId, Draft)| can_be_same(self.terms, *action, member.action);
        Ok(offers.iter().filter(fits).cloned().collect())
    }
}

/// A vector together with what its members that are nodes do.
fn joined(own: &Draft, chosen: &[((TermId, TermId), &Draft)]) -> Draft {
    let mut all = Draft::default();
    for (pair, draft) in chosen {
        all.pairs.extend(&draft.pairs);
        all.pairs.push(*pair);
        all.conditions.extend(&draft.conditions);
        all.leaves.extend(&draft.leaves);
        all.holes.extend(&draft.holes);
        all.vectors.extend(&draft.vectors);
    }
    all.conditions.extend(&own.conditions);
    all.leaves.extend(&own.leaves);
    all.holes.extend(&own.holes);
    all.vectors.extend(&own.vectors);
    all
}

/// Makes interactions of drafts.
struct Solving<'a, 'n> {
    net: &'n PNet,
    terms: &'a mut Terms,
    places: FxHashMap<PltsId, ComponentId>,
    rivals: Rivals,
}

/// A leaf, and the transitions by which it may do what is asked.
type Candidates = (PltsId, Option<TermId>, Vec<PltsTransitionId>);

impl Solving<'_, '_> {
    /// The interaction that a draft is; nothing where it is impossible.
    fn solved(&mut self, action: TermId, draft: &Draft) -> Option<Interaction> {
        let candidates: Vec<Candidates> =
            draft.leaves.iter().map(|&(leaf, asked)| self.candidates(leaf, asked)).collect();
        if candidates.iter().any(|(_, _, fitting)| fitting.is_empty()) {
            return None;
        }
        let (values, conditions) = self.unified(draft, &candidates)?;
        let mut done = FxHashMap::default();
        let terms = &mut *self.terms;
        let mut put = |term: TermId| terms.substitute_with(term, &values, &mut done);
        let holes: Vec<(HoleId, TermId)> =
            draft.holes.iter().map(|&(hole, action)| (hole, put(action))).collect();
        let (action, mut guard) = (put(action), conditions);
        guard.extend(self.sorts_of_holes(&holes));
        let mut participants = IndexVec::default();
        for (leaf, asked, fitting) in &candidates {
            let together = self.is_together(*leaf, fitting);
            let ways = fitting.iter().filter_map(|&transition| {
                let asked = asked.filter(|_| !together);
                self.way((*leaf, transition), asked, fitting.len() == 1, &values)
            });
            let ways: IndexVec<_, Turn> = ways.collect();
            if ways.is_empty() {
                return None;
            }
            participants.push(Participant { component: self.places[leaf], ways });
        }
        let vectors = draft.vectors.clone();
        let locals = Vec::new();
        let mut made = Interaction { participants, guard, locals, holes, action, vectors };
        made.locals = self.locals(&made);
        Some(made)
    }

    fn candidates(&self, leaf: PltsId, asked: Asked) -> Candidates {
        match asked {
            Asked::Transition(only) => (leaf, None, vec![only]),
            Asked::Action(action) => {
                let transitions = self.net.plts[leaf].transitions.enumerated();
                let fits =
                    |transition: &Transition| can_be_same(self.terms, transition.action, action);
                let fitting = transitions.filter(|(_, transition)| fits(transition));
                (leaf, Some(action), fitting.map(|(id, _)| id).collect())
            }
        }
    }

    /// Whether all these transitions of a leaf show the same, so that it is solved with the vectors.
    fn is_together(&self, leaf: PltsId, fitting: &[PltsTransitionId]) -> bool {
        let transitions = &self.net.plts[leaf].transitions;
        fitting.iter().map(|&id| transitions[id].action).all_equal()
    }

    /// What variables must be, and what is left to hold.
    fn unified(
        &mut self,
        draft: &Draft,
        candidates: &[Candidates],
    ) -> Option<(FxHashMap<VarId, TermId>, Vec<TermId>)> {
        let net = self.net;
        let together: Vec<bool> =
            candidates.iter().map(|(leaf, _, fitting)| self.is_together(*leaf, fitting)).collect();
        let mut solver = Unifier::new(self.terms, &[]);
        for &(a, b) in &draft.pairs {
            solver.unify(a, b)?;
        }
        for ((leaf, asked, fitting), together) in candidates.iter().zip(together) {
            let first = &net.plts[*leaf].transitions[*fitting.first()?];
            if let Some(asked) = asked.filter(|_| together) {
                solver.unify(first.action, asked)?;
            }
            if fitting.len() == 1 {
                solver.conditions.extend(demands(first));
            }
        }
        solver.conditions.extend(&draft.conditions);
        for place in &draft.vectors {
            solver.conditions.extend(self.rivals.blocked(*place));
        }
        let conditions = solver.settle()?;
        Some((std::mem::take(&mut solver.values), conditions))
    }

    /// That holes do only what their sorts allow.
    fn sorts_of_holes(&mut self, holes: &[(HoleId, TermId)]) -> Vec<TermId> {
        let Solving { net, terms, .. } = self;
        let allowed = holes.iter().filter_map(|&(hole, action)| {
            sort_allows(&net.algebra, terms, &net.holes[hole].sort, action)
        });
        allowed.collect()
    }

    /// A transition as a part of an interaction. What is asked of it is not solved yet where it is given, and its conditions
    /// are part of the guard where it is the only one.
    fn way(
        &mut self,
        (leaf, id): (PltsId, PltsTransitionId),
        asked: Option<TermId>,
        only: bool,
        values: &FxHashMap<VarId, TermId>,
    ) -> Option<Turn> {
        let transition = &self.net.plts[leaf].transitions[id];
        let put = |terms: &mut Terms, term: TermId| terms.substitute(term, values);
        let conditions: Vec<TermId> = match only {
            true => Vec::new(),
            false => demands(transition).map(|term| put(self.terms, term)).collect(),
        };
        let updates: Vec<(VarId, TermId)> =
            transition.updates.iter().map(|&(var, value)| (var, put(self.terms, value))).collect();
        let (from, to) = (transition.source, transition.target);
        let way = Turn { transition: id, from, to, conditions, updates };
        match asked {
            None => Some(way),
            Some(asked) => {
                let asked = put(self.terms, asked);
                self.answered(way, transition, asked)
            }
        }
    }

    /// A way in which a leaf shows what is asked: its inputs are what is asked for, all else must be the same.
    fn answered(&mut self, way: Turn, transition: &Transition, asked: TermId) -> Option<Turn> {
        let others: Vec<VarId> = self.terms.free_vars(asked);
        let mut solver = Unifier::new(self.terms, &others);
        solver.unify(transition.action, asked)?;
        solver.conditions.extend(&way.conditions);
        let conditions = solver.settle()?;
        let values = std::mem::take(&mut solver.values);
        let updates = way.updates.iter();
        let updates =
            updates.map(|&(var, value)| (var, self.terms.substitute(value, &values))).collect();
        Some(Turn { conditions, updates, ..way })
    }

    /// The variables of an interaction that are not those of the state.
    fn locals(&self, interaction: &Interaction) -> Vec<VarId> {
        let mut used = interaction.guard.clone();
        used.push(interaction.action);
        used.extend(interaction.holes.iter().map(|(_, action)| *action));
        for way in interaction.participants.iter().flat_map(|participant| &participant.ways) {
            used.extend(&way.conditions);
            used.extend(way.updates.iter().map(|(_, value)| *value));
        }
        let own = |var: &VarId| {
            matches!(self.terms.var(*var).kind, VariableKind::Input | VariableKind::Vector)
        };
        let vars = used.iter().flat_map(|&term| self.terms.free_vars(term));
        vars.filter(own).sorted_unstable().dedup().collect()
    }
}

/// What a transition asks for.
pub(super) fn demands(transition: &Transition) -> impl Iterator<Item = TermId> {
    let conditions = transition.conditions.iter().map(|condition| condition.term);
    conditions.chain(transition.owes.iter().map(|owed| owed.term))
}

/// A vector by its place.
pub(super) fn vector_of(net: &PNet, (node, vector): (NodeId, VectorId)) -> &Vector {
    &net.nodes[node].vectors[vector]
}

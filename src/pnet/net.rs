//! pLTSs, nodes, holes and vectors.

use super::Origins;
use super::ids::*;
use crate::algebra::{ActionId, Algebra, Sort, Term, TermId, Terms, VarId};
use crate::base::IndexVec;
use crate::diagnostics::{Span, Symbol};

/// A whole pNet with everything it is made of.
#[derive(Clone, Debug)]
pub struct PNet {
    /// Its name.
    pub name: Symbol,
    /// Sorts, constructors, operators and actions.
    pub algebra: Algebra,
    /// All terms.
    pub terms: Terms,
    /// All pLTSs, one for each leaf.
    pub plts: IndexVec<PltsId, Plts>,
    /// All nodes.
    pub nodes: IndexVec<NodeId, Composite>,
    /// All holes, in the order in which they are met from the root.
    pub holes: IndexVec<HoleId, Hole>,
    /// The root: a node, or a pLTS alone.
    pub root: Content,
    /// Where everything comes from.
    pub origins: Origins,
    /// What must follow from the axioms for all of this to have a meaning.
    pub premises: Vec<Premise>,
    /// What was taken for granted of the parameters of a net that is built by its name alone; these are axioms, too.
    pub granted: Vec<TermId>,
}

/// What stands at a place of the hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// A pLTS.
    Leaf(PltsId),
    /// A node with parts.
    Node(NodeId),
    /// Nothing yet.
    Hole(HoleId),
}

/// A parameterised labelled transition system (Definition 1).
#[derive(Clone, Debug)]
pub struct Plts {
    /// The name of the process it comes from.
    pub name: Symbol,
    /// Its states.
    pub states: IndexVec<PltsStateId, State>,
    /// The initial state.
    pub initial: PltsStateId,
    /// Its variables with their initial values; none when any value will do.
    pub variables: Vec<(VarId, Option<TermId>)>,
    /// Where each of its variables is declared.
    pub variable_texts: Vec<Span>,
    /// Its transitions.
    pub transitions: IndexVec<PltsTransitionId, Transition>,
    /// Where it comes from.
    pub origin: OriginId,
}

/// A state of a pLTS.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Symbol,
    /// Whether stopping here is success.
    pub is_final: bool,
    /// Where it is declared.
    pub text: Span,
}

/// A transition of a pLTS.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it starts.
    pub source: PltsStateId,
    /// Where it ends.
    pub target: PltsStateId,
    /// What it shows.
    pub action: TermId,
    /// The variables of the action that come from outside.
    pub inputs: Vec<VarId>,
    /// When it can happen.
    pub guard: TermId,
    /// What the guard asks for, one after the other, each with its text.
    pub conditions: IndexVec<ConditionId, Condition>,
    /// What it changes, all at once.
    pub updates: Vec<(VarId, TermId)>,
    /// What must hold for its values to be those of their sorts; where one does not, it does not happen.
    pub owes: IndexVec<OwedId, Owed>,
    /// The text of its action.
    pub action_text: Span,
    /// Where it comes from.
    pub origin: OriginId,
}

/// One of the things that a guard asks for.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// What must hold.
    pub term: TermId,
    /// The text that says so.
    pub text: Span,
}

/// Something that must hold for a value to be one of the sort that it goes into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owed {
    /// What must hold.
    pub term: TermId,
    /// The text of the value.
    pub text: Span,
    /// What the value is for.
    pub kind: OwedKind,
    /// Whether values that are made in one go do not owe it: it is about a value on the way to these, or about two places.
    pub on_the_way: bool,
}

/// What a value is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwedKind {
    /// It goes into a range.
    Range,
    /// It is the place of an array.
    Place,
    /// It chooses a member of a family.
    Member,
    /// Something is divided by it.
    Divisor,
    /// It is what a function makes of arguments that its definition has no value for.
    Call,
    /// A field of it is changed, which its constructor must have.
    Field,
    /// It is one of two places that a step changes at once.
    Apart,
}

/// Something that must follow from the axioms for a net to have a meaning.
#[derive(Clone, Copy, Debug)]
pub struct Premise {
    /// What must follow.
    pub term: TermId,
    /// The text that needs it.
    pub text: Span,
    /// What it is needed for.
    pub kind: PremiseKind,
    /// The instance that needs it.
    pub instance: Option<InstanceId>,
}

/// What a premise is needed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PremiseKind {
    /// The range with these bounds, which is a sort, has values.
    Inhabited(TermId, TermId),
    /// A value that no step gives is one of its sort.
    Value(OwedKind),
}

/// A node: parts, some of which are holes, and how they synchronise (Definition 2).
#[derive(Clone, Debug)]
pub struct Composite {
    /// The name of the net it comes from.
    pub name: Symbol,
    /// Its parts.
    pub parts: IndexVec<PartId, Part>,
    /// Its vectors.
    pub vectors: IndexVec<VectorId, Vector>,
    /// Where it comes from.
    pub origin: OriginId,
}

/// A part of a node.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: PartName,
    /// What stands there.
    pub content: Content,
}

/// The name of a part, with its index when it is one of a family.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PartName {
    /// The name.
    pub name: Symbol,
    /// The index.
    pub index: Option<num_bigint::BigInt>,
}

/// A part that nobody has written yet.
#[derive(Clone, Debug)]
pub struct Hole {
    /// Its path, by which people know it.
    pub path: String,
    /// What may fill it.
    pub sort: HoleSort,
    /// Where it comes from.
    pub origin: OriginId,
}

/// What may fill a hole; silent actions are always allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HoleSort {
    /// Anything, also actions that nobody declared.
    Any,
    /// These actions.
    Actions(Vec<ActionId>),
}

/// A synchronisation vector.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Who takes part, and with which action.
    pub members: Members,
    /// What is shown outside.
    pub result: TermId,
    /// When it can happen.
    pub guard: TermId,
    /// What the guard asks for, one after the other, each with its text.
    pub conditions: IndexVec<ConditionId, Condition>,
    /// Its variables.
    pub variables: Vec<VarId>,
    /// What must hold for its values to be those of their sorts; where one does not, it does not happen.
    pub owes: IndexVec<OwedId, Owed>,
    /// It can happen only where none of these could: what priorities come to.
    pub rivals: IndexVec<RivalId, Rival>,
    /// Who may take part or not: each set of these, with the members, is an interaction.
    pub optional: Vec<Optional>,
    /// Of `priority maximal`, where there are optional members: the number of its connector in the node. It can happen
    /// only where no interaction of a vector with this number could, for whatever values, that has all its parts and more.
    pub maximal: Option<u32>,
    /// Where it comes from.
    pub origin: OriginId,
}

/// Members that take part together or not at all. Their actions read what they bind themselves, and what those bind
/// without whom they do not take part; so those alone decide whether they can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Optional {
    /// Who takes part.
    pub members: Members,
    /// The variables that only these have.
    pub variables: Vec<VarId>,
    /// What must hold for them to take part.
    pub owes: IndexVec<OwedId, Owed>,
    /// Who may take part or not where these do.
    pub inside: Vec<Optional>,
}

/// A member of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// Which part.
    pub part: PartId,
    /// Its action.
    pub action: TermId,
    /// The text of the action.
    pub text: Span,
}

/// Who takes part.
pub type Members = IndexVec<MemberId, Member>;

/// An interaction that goes before another: it could happen where each member offers its action and the guard
/// holds, for some values of its variables. The guard may also read variables of leaves in the node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rival {
    /// Who would take part.
    pub members: Members,
    /// When it could happen.
    pub guard: TermId,
    /// Its variables.
    pub variables: Vec<VarId>,
    /// The text that says so: what stands behind `unless`, or the vector or connector that goes first.
    pub text: Span,
}

/// What an action is of, where it is known: with its part, the port that maximal progress compares.
pub fn name_of(terms: &Terms, action: TermId) -> Option<ActionId> {
    match terms.get(action) {
        Term::Act(id, _) => Some(*id),
        _ => None,
    }
}

impl std::fmt::Display for PartName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.index {
            Some(index) => write!(f, "{}[{index}]", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

impl Vector {
    /// All who may take part, each with whether it may also not.
    pub fn all_members(&self) -> impl Iterator<Item = (&Member, bool)> {
        let members = self.members.iter().map(|member| (member, false));
        members.chain(self.all_optional().flat_map(|one| &one.members).map(|member| (member, true)))
    }

    /// All members that may take part or not, and those that may where these do.
    pub fn all_optional(&self) -> impl Iterator<Item = &Optional> {
        let mut work: Vec<&Optional> = self.optional.iter().rev().collect();
        std::iter::from_fn(move || {
            let one = work.pop()?;
            work.extend(one.inside.iter().rev());
            Some(one)
        })
    }
}

impl PNet {
    /// Whether some vector has members that may take part or not.
    pub fn has_optional(&self) -> bool {
        self.nodes.iter().flat_map(|node| &node.vectors).any(|vector| !vector.optional.is_empty())
    }

    /// What people call the connector of a vector, or what it shows.
    pub fn connector_name(&self, place: VectorPlace) -> String {
        let vector = self.vector(place);
        match (self.origins.connector(vector.origin), name_of(&self.terms, vector.result)) {
            (Some((_, connector)), _) => connector.name.to_string(),
            (None, Some(action)) => self.algebra.action(action).name.to_string(),
            (None, None) => "tau".to_owned(),
        }
    }

    /// A vector.
    pub fn vector(&self, (node, vector): VectorPlace) -> &Vector {
        &self.nodes[node].vectors[vector]
    }

    /// A transition of a pLTS.
    pub fn transition(&self, (plts, transition): TransitionPlace) -> &Transition {
        &self.plts[plts].transitions[transition]
    }

    /// The variables of leaves that the guard of a rival reads.
    pub fn reads_of(&self, rival: &Rival) -> Vec<VarId> {
        let mut found = self.terms.free_vars(rival.guard);
        found.retain(|&var| self.terms.var(var).kind.is_state());
        found
    }

    /// Whether some vector gives way depending on variables of leaves.
    pub fn has_readers(&self) -> bool {
        let vectors = self.nodes.iter().flat_map(|node| &node.vectors);
        let mut rivals = vectors.flat_map(|vector| &vector.rivals);
        rivals.any(|rival| !self.reads_of(rival).is_empty())
    }

    /// The sort of a variable.
    pub fn sort_of(&self, id: VarId) -> &Sort {
        &self.terms.var(id).sort
    }
}

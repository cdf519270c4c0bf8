//! The two rules of the semantics, Tr1 and Tr2 (Qin et al., "SMT-based generation of symbolic automata",
//! appendix A).
//!
//! A rule makes an [`Open`]: an open transition as the rule says, with a predicate that is a list of facts. Each
//! fact remembers what it is there for. All algorithms use these rules; they differ in what they enumerate, and
//! in when they solve the facts or ask the solver.
//!
//! A leaf moves at most once in an open transition, and a node uses at most one vector. So the variables of
//! transitions and vectors are fresh as they are, and nothing has to be cloned.

use super::priority::GivesWay;
use crate::algebra::{TermId, Terms, VarId};
use crate::automaton::Used;
use crate::base::IndexVec;
use crate::pnet::{
    ConditionId, Content, Foremost, Hole, HoleId, Member, MemberId, Members, NodeId, Owed, OwedId,
    PNet, PltsId, PltsStateId, PltsTransitionId, RivalId, TransitionPlace, VectorId, VectorPlace,
    sort_allows,
};

/// Something that must hold for an open transition to be possible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    pub claim: Claim,
    pub because: Because,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Claim {
    /// Two terms are the same.
    Same(TermId, TermId),
    /// A condition holds.
    Holds(TermId),
}

/// What a fact is there for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Because {
    /// A condition of a leaf's transition.
    Guard(TransitionPlace, ConditionId),
    /// Something that the values of a leaf's transition owe.
    Range(TransitionPlace, OwedId),
    /// A member of a vector does what the vector asks of it, and this is what it does.
    Member(VectorPlace, MemberId, Move),
    /// A condition of a vector.
    Vector(VectorPlace, ConditionId),
    /// Something that the values of a vector owe.
    VectorRange(VectorPlace, OwedId),
    /// Something that goes before a vector is not possible: one of its rivals.
    Priority(VectorPlace, RivalId),
    /// A hole does only what its sort allows.
    Hole(HoleId),
    /// A value that a variable can have in the state where the transition starts.
    Value(VarId),
    /// What is left of facts that were solved.
    Solved,
}

/// What a part does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A transition of a leaf.
    Leaf(PltsId, PltsTransitionId),
    /// A vector of a node.
    Node(NodeId, VectorId),
}

/// An open transition as the rules make it.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub facts: Vec<Fact>,
    /// What holes do.
    pub holes: Vec<(HoleId, TermId)>,
    /// What is shown.
    pub action: TermId,
    pub updates: Vec<(VarId, TermId)>,
    /// The leaves that move, and where to.
    pub moves: Vec<(PltsId, PltsStateId)>,
    /// The last rule that was used.
    pub last: Move,
    pub used: Used,
}

/// The rules for one net, with terms of its own.
pub(crate) struct Rules<'n> {
    pub net: &'n PNet,
    pub terms: Terms,
    /// What vectors give way to.
    pub foremost: Foremost,
}

impl<'n> Rules<'n> {
    pub fn new(net: &'n PNet) -> Rules<'n> {
        Rules { net, terms: net.terms.clone(), foremost: Foremost::new(net) }
    }

    /// Tr1: what a transition of a leaf does.
    pub fn leaf(&mut self, leaf: PltsId, number: PltsTransitionId) -> Open {
        let transition = &self.net.plts[leaf].transitions[number];
        let place = (leaf, number);
        let conditions = transition.conditions.enumerated();
        let mut facts: Vec<Fact> = conditions
            .map(|(at, condition)| Fact {
                claim: Claim::Holds(condition.term),
                because: Because::Guard(place, at),
            })
            .collect();
        owed(&mut facts, &transition.owes, |at| Because::Range(place, at));
        let mut updates = transition.updates.clone();
        updates.sort_by_key(|(var, _)| *var);
        Open {
            facts,
            holes: Vec::new(),
            action: transition.action,
            updates,
            moves: vec![(leaf, transition.target)],
            last: Move::Leaf(leaf, number),
            used: Used { vectors: Vec::new(), transitions: vec![place] },
        }
    }

    /// Tr2: what a vector does, when its members that are not holes do these, in the order of the members.
    /// `blocked` says that nothing is possible which goes before it.
    pub fn node<'o>(
        &mut self,
        node: NodeId,
        number: VectorId,
        moves: impl IntoIterator<Item = &'o Open>,
        blocked: &[GivesWay],
    ) -> Open {
        let net = self.net;
        let composite = &net.nodes[node];
        let vector = &composite.vectors[number];
        let place = (node, number);
        let mut open = Open {
            facts: Vec::new(),
            holes: Vec::new(),
            action: vector.result,
            updates: Vec::new(),
            moves: Vec::new(),
            last: Move::Node(node, number),
            used: Used::default(),
        };
        let mut moves = moves.into_iter();
        for (at, member) in vector.members.enumerated() {
            if let Content::Hole(hole) = composite.parts[member.part].content {
                open.holes.push((hole, member.action));
                continue;
            }
            let Some(inner) = moves.next() else { continue };
            open.facts.extend(&inner.facts);
            open.facts.push(Fact {
                claim: Claim::Same(inner.action, member.action),
                because: Because::Member(place, at, inner.last),
            });
            open.holes.extend(&inner.holes);
            open.updates.extend(&inner.updates);
            open.moves.extend(&inner.moves);
            open.used.vectors.extend(&inner.used.vectors);
            open.used.transitions.extend(&inner.used.transitions);
        }
        for (at, condition) in vector.conditions.enumerated() {
            let because = Because::Vector(place, at);
            open.facts.push(Fact { claim: Claim::Holds(condition.term), because });
        }
        owed(&mut open.facts, &vector.owes, |at| Because::VectorRange(place, at));
        for &(rival, condition) in blocked {
            self.add(&mut open.facts, vec![condition], Because::Priority(place, rival));
        }
        open.used.vectors.push(place);
        open.holes.sort_by_key(|(hole, _)| *hole);
        open.updates.sort_by_key(|(var, _)| *var);
        open.moves.sort_unstable();
        open.used.sort();
        open
    }

    fn add(&mut self, facts: &mut Vec<Fact>, claims: Vec<TermId>, because: Because) {
        let claims = claims.into_iter().map(|term| Fact { claim: Claim::Holds(term), because });
        facts.extend(claims);
    }

    // ---- what is understood ----

    /// That holes do only what their sorts allow, where it is not clear.
    pub fn holes_keep_to_sorts(&mut self, holes: &[(HoleId, TermId)]) -> Vec<Fact> {
        let mut facts = Vec::new();
        for &(hole, action) in holes {
            let Hole { sort, .. } = &self.net.holes[hole];
            if let Some(term) = sort_allows(&self.net.algebra, &mut self.terms, sort, action) {
                facts.push(Fact { claim: Claim::Holds(term), because: Because::Hole(hole) });
            }
        }
        facts
    }

    /// The members of a vector that are not holes.
    pub fn inner_members<'a>(
        &'a self,
        node: NodeId,
        members: &'a Members,
    ) -> impl Iterator<Item = Member> + 'a {
        let parts = &self.net.nodes[node].parts;
        let inner = |member: &&Member| !matches!(parts[member.part].content, Content::Hole(_));
        members.iter().filter(inner).copied()
    }
}

/// Adds what values owe to the facts.
fn owed(facts: &mut Vec<Fact>, owes: &IndexVec<OwedId, Owed>, because: impl Fn(OwedId) -> Because) {
    let claims = owes.enumerated();
    facts.extend(
        claims.map(|(at, owed)| Fact { claim: Claim::Holds(owed.term), because: because(at) }),
    );
}

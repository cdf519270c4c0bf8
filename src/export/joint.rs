//! What a net does, interaction by interaction: who moves together, and which values go where.
//!
//! Input: a closed net. Output: for each leaf its ports, which are transitions that look alike from outside, and for each
//! node its joint moves: a vector with a port, or a joint move of a part, for each of its members. What a joint move of the
//! root asks for is solved: inputs have values where somebody gives them one, and the rest are conditions.
//!
//! Claim: a net can do a step exactly if some joint move of its root can be made whose ports are enabled and whose
//! conditions hold, but for priorities, which stay with the vectors.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::unfolded;
use super::problems::{ExportProblem, HoleInExport, TooManyJoint};
use crate::algebra::{Term, TermId, Terms, Unifier, VarId, can_be_same};
use crate::base::budget::is_spent;
use crate::pnet::{
    Content, Member, NodeId, PNet, PartId, Plts, PltsId, PltsTransitionId, Transition, Vector,
    VectorId,
};

/// More joint moves of a node are not written.
pub(super) const MOST_JOINT: usize = 20_000;

/// Transitions of a leaf that look alike from outside, no two of which start in the same state.
#[derive(Clone, Debug)]
pub(super) struct Port {
    /// The action, over variables of the leaf and the inputs.
    pub action: TermId,
    /// What comes from outside.
    pub inputs: Vec<VarId>,
    /// Conditions on inputs.
    pub outside: Vec<TermId>,
    pub turns: Vec<Turn>,
}

/// A transition of a port.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub transition: PltsTransitionId,
    /// Conditions on the leaf alone.
    pub inside: Vec<TermId>,
    /// What it changes, with the inputs of the port.
    pub updates: Vec<(VarId, TermId)>,
}

/// Parts that move together.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// The vector; none where the net is a leaf alone.
    pub vector: Option<VectorId>,
    /// Who moves: the part, and which of its ports or joint moves.
    pub parts: Vec<(PartId, usize)>,
    /// The leaves that move, each with a port, in the order of the parts.
    pub leaves: Vec<(PltsId, usize)>,
    /// What has to be the same.
    pairs: Vec<(TermId, TermId)>,
    /// What has to hold.
    asked: Vec<TermId>,
    /// What is shown.
    pub result: TermId,
    /// Conditions on variables of leaves that nothing outside can change, and that are not among those of its parts.
    pub tested: Vec<TermId>,
    /// All conditions that are left, also on values that nobody gave yet.
    pub conditions: Vec<TermId>,
}

/// A joint move of the root with its values.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// What inputs and variables of vectors are, where somebody gives them a value.
    pub values: FxHashMap<VarId, TermId>,
    /// What has to hold besides, without the conditions inside of leaves.
    pub conditions: Vec<TermId>,
    /// What is shown.
    pub result: TermId,
}

/// All of it.
pub(super) struct Joints<'n> {
    pub net: &'n PNet,
    pub terms: Terms,
    pub ports: FxHashMap<PltsId, Vec<Port>>,
    pub nodes: FxHashMap<NodeId, Vec<Joint>>,
    /// Those of the root.
    pub root: Vec<Joint>,
    /// The leaf that each variable belongs to.
    pub owners: FxHashMap<VarId, PltsId>,
}

impl<'n> Joints<'n> {
    /// The ports and joint moves of a closed net.
    pub fn new(net: &'n PNet) -> Result<Joints<'n>, Vec<ExportProblem>> {
        let holes: Vec<ExportProblem> = net.holes.iter().map(|hole| open(net, hole)).collect();
        if !holes.is_empty() {
            return Err(holes);
        }
        let mut owners = FxHashMap::default();
        for (id, leaf) in net.plts.enumerated() {
            owners.extend(leaf.variables.iter().map(|(var, _)| (*var, id)));
        }
        let (ports, nodes, root) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        let mut joints = Joints { net, terms: net.terms.clone(), ports, nodes, root, owners };
        for (id, leaf) in net.plts.enumerated() {
            let found = joints.ports_of(leaf);
            joints.ports.insert(id, found);
        }
        for id in from_below(net) {
            let found = joints.joints_of(id)?;
            joints.nodes.insert(id, found);
        }
        joints.root = match net.root {
            Content::Node(id) => joints.nodes.get(&id).cloned().unwrap_or_default(),
            Content::Leaf(id) => joints.alone(id),
            Content::Hole(_) => Vec::new(),
        };
        Ok(joints)
    }

    // ---- leaves ----

    fn ports_of(&mut self, leaf: &Plts) -> Vec<Port> {
        let mut ports: Vec<Port> = Vec::new();
        for (id, transition) in leaf.transitions.enumerated() {
            let (outside, inside) = self.demands(transition);
            let fits = |port: &Port| {
                let sources =
                    port.turns.iter().map(|turn| leaf.transitions[turn.transition].source);
                outside.is_empty()
                    && port.outside.is_empty()
                    && sources.into_iter().all(|source| source != transition.source)
            };
            let mut joined = None;
            for (at, port) in ports.iter().enumerate().filter(|(_, port)| fits(port)) {
                joined = joined.or_else(|| Some((at, called(&mut self.terms, transition, port)?)));
            }
            let (at, names) = joined.unwrap_or_else(|| {
                let (action, inputs) = (transition.action, transition.inputs.clone());
                ports.push(Port { action, inputs, outside, turns: Vec::new() });
                (ports.len() - 1, FxHashMap::default())
            });
            let mut updates = Vec::with_capacity(transition.updates.len());
            for &(var, value) in &transition.updates {
                let value = self.terms.substitute(value, &names);
                if value != self.terms.var_term(var) {
                    updates.push((var, value));
                }
            }
            ports[at].turns.push(Turn { transition: id, inside, updates });
        }
        ports
    }

    /// What a transition asks for: of its inputs, and of its leaf alone.
    fn demands(&mut self, transition: &Transition) -> (Vec<TermId>, Vec<TermId>) {
        let owed = transition.owes.iter().map(|owed| owed.term);
        let all = self.terms.and([transition.guard].into_iter().chain(owed));
        let all = unfolded(&self.net.algebra, &mut self.terms, all);
        let speaks = |term: &TermId| {
            let used = self.terms.free_vars(*term);
            used.iter().any(|var| transition.inputs.contains(var))
        };
        conjuncts(&self.terms, all).into_iter().partition(speaks)
    }

    /// The joint moves of a leaf that is all there is.
    fn alone(&mut self, id: PltsId) -> Vec<Joint> {
        let ports = self.ports.get(&id).cloned().unwrap_or_default();
        let joint = |(at, port): (usize, &Port)| Joint {
            vector: None,
            parts: vec![(PartId(0), at)],
            leaves: vec![(id, at)],
            pairs: Vec::new(),
            asked: port.outside.clone(),
            result: port.action,
            tested: Vec::new(),
            conditions: port.outside.clone(),
        };
        ports.iter().enumerate().map(joint).collect()
    }

    // ---- nodes ----

    fn joints_of(&mut self, id: NodeId) -> Result<Vec<Joint>, Vec<ExportProblem>> {
        let (net, mut found) = (self.net, Vec::new());
        for (number, vector) in net.nodes[id].vectors.enumerated() {
            // Whoever gives vectors something new has to say here what that means for other tools, or to refuse it.
            let Vector {
                members,
                guard,
                owes,
                result,
                conditions: _,
                variables: _,
                rivals: _,
                // Those are refused before.
                optional: _,
                maximal: _,
                origin: _,
            } = vector;
            let members: Vec<Member> = members.iter().copied().collect();
            let mut asked = vec![*guard];
            asked.extend(owes.iter().map(|owed| owed.term));
            for one in &mut asked {
                *one = unfolded(&net.algebra, &mut self.terms, *one);
            }
            let result = *result;
            let mut some = self
                .combined(id, &members, (&asked, result))
                .ok_or_else(|| vec![too_many(net, vector)])?;
            some.iter_mut().for_each(|joint| joint.vector = Some(number));
            found.append(&mut some);
            if found.len() > MOST_JOINT || is_spent() {
                return Err(vec![too_many(net, vector)]);
            }
        }
        Ok(found)
    }

    /// The ways in which parts of a node can do these actions together; nothing where there are too many.
    pub fn combined(
        &mut self,
        id: NodeId,
        members: &[Member],
        (asked, result): (&[TermId], TermId),
    ) -> Option<Vec<Joint>> {
        let (net, mut ways) = (self.net, Vec::new());
        for member in members {
            let content = net.nodes[id].parts[member.part].content;
            ways.push(self.offers(content, member.action));
        }
        let sizes = ways.iter().map(Vec::len);
        if sizes.fold(1usize, usize::saturating_mul) > MOST_JOINT {
            return None;
        }
        let mut found = Vec::new();
        for chosen in ways.iter().map(|ways| ways.iter()).multi_cartesian_product() {
            if is_spent() {
                return None;
            }
            let chosen: Vec<usize> = chosen.into_iter().copied().collect();
            found.extend(self.joined(id, (members, &chosen), (asked, result)));
        }
        Some(found)
    }

    /// The ports or joint moves of a part that may be an action.
    fn offers(&self, content: Content, wanted: TermId) -> Vec<usize> {
        let results: Vec<TermId> = match content {
            Content::Leaf(id) => self.ports[&id].iter().map(|port| port.action).collect(),
            Content::Node(id) => self.nodes[&id].iter().map(|joint| joint.result).collect(),
            Content::Hole(_) => Vec::new(),
        };
        let fits = |(_, result): &(usize, TermId)| can_be_same(&self.terms, *result, wanted);
        results.into_iter().enumerate().filter(fits).map(|(at, _)| at).collect()
    }

    fn joined(
        &mut self,
        id: NodeId,
        (members, chosen): (&[Member], &[usize]),
        (asked, result): (&[TermId], TermId),
    ) -> Option<Joint> {
        let net = self.net;
        let (mut joint, mut known) = (Joint::new(asked.to_vec(), result), FxHashSet::default());
        for (member, &at) in members.iter().zip(chosen) {
            joint.parts.push((member.part, at));
            match net.nodes[id].parts[member.part].content {
                Content::Leaf(leaf) => {
                    let port = &self.ports[&leaf][at];
                    joint.leaves.push((leaf, at));
                    joint.pairs.push((port.action, member.action));
                    joint.asked.extend(&port.outside);
                }
                Content::Node(node) => {
                    let inner = &self.nodes[&node][at];
                    joint.leaves.extend(&inner.leaves);
                    joint.pairs.extend(&inner.pairs);
                    joint.pairs.push((inner.result, member.action));
                    joint.asked.extend(&inner.asked);
                    known.extend(self.tested(inner, node));
                }
                Content::Hole(_) => return None,
            }
        }
        let solved = self.solved(&joint)?;
        let is_settled = |term: &TermId| self.speaks_of_leaves(*term);
        joint.tested = solved.conditions.iter().copied().filter(is_settled).collect();
        joint.tested.retain(|term| !known.contains(term));
        joint.conditions = solved.conditions;
        Some(joint)
    }

    /// All that was tested before by a joint move and those inside of it.
    pub fn tested(&self, joint: &Joint, node: NodeId) -> Vec<TermId> {
        let mut all = joint.tested.clone();
        for &(part, at) in &joint.parts {
            if let Content::Node(inner) = self.net.nodes[node].parts[part].content {
                all.extend(self.tested(&self.nodes[&inner][at], inner));
            }
        }
        all
    }

    /// Whether all variables of a term are those of leaves.
    pub fn speaks_of_leaves(&self, term: TermId) -> bool {
        self.terms.free_vars(term).iter().all(|var| self.owners.contains_key(var))
    }

    /// What a joint move comes to; nothing where it cannot be made.
    pub fn solved(&mut self, joint: &Joint) -> Option<Solved> {
        let mut unifier = Unifier::new(&mut self.terms, &[]);
        for &(a, b) in &joint.pairs {
            unifier.unify(a, b)?;
        }
        unifier.conditions.extend(&joint.asked);
        let conditions = unifier.settle()?;
        let values = std::mem::take(&mut unifier.values);
        let result = self.terms.substitute(joint.result, &values);
        Some(Solved { values, conditions, result })
    }
}

impl Joint {
    fn new(asked: Vec<TermId>, result: TermId) -> Joint {
        Joint {
            vector: None,
            parts: Vec::new(),
            leaves: Vec::new(),
            pairs: Vec::new(),
            asked,
            result,
            tested: Vec::new(),
            conditions: Vec::new(),
        }
    }
}

/// What the inputs of a transition are called by a port, where it is one of the port's transitions.
fn called(
    terms: &mut Terms,
    transition: &Transition,
    port: &Port,
) -> Option<FxHashMap<VarId, TermId>> {
    let pairs = || transition.inputs.iter().zip(&port.inputs);
    let alike = transition.inputs.len() == port.inputs.len()
        && pairs().all(|(own, other)| terms.var(*own).sort == terms.var(*other).sort);
    let names: FxHashMap<VarId, TermId> =
        pairs().map(|(own, other)| (*own, terms.var_term(*other))).collect();
    (alike && terms.substitute(transition.action, &names) == port.action).then_some(names)
}

/// The conditions that are all asked for.
pub(super) fn conjuncts(terms: &Terms, condition: TermId) -> Vec<TermId> {
    match terms.get(condition) {
        Term::Bool(true) => Vec::new(),
        Term::And(all) => all.iter().flat_map(|&one| conjuncts(terms, one)).collect(),
        _ => vec![condition],
    }
}

/// The nodes of a net, those inside first.
pub(super) fn from_below(net: &PNet) -> Vec<NodeId> {
    let (mut found, mut work) = (Vec::new(), vec![net.root]);
    while let Some(content) = work.pop() {
        if let Content::Node(id) = content {
            found.push(id);
            work.extend(net.nodes[id].parts.iter().map(|part| part.content));
        }
    }
    found.reverse();
    found
}

fn open(net: &PNet, hole: &crate::pnet::Hole) -> ExportProblem {
    let span = net.origins.get(hole.origin).span;
    HoleInExport { span, hole: hole.path.clone() }.into()
}

fn too_many(net: &PNet, vector: &Vector) -> ExportProblem {
    let span = net.origins.get(vector.origin).span;
    TooManyJoint { span, most: MOST_JOINT }.into()
}

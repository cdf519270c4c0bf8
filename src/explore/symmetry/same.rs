//! Whether a net is the same when some of its parts change places.
//!
//! Parts that are moved must be like those whose places they take: the same states and transitions, with other variables;
//! for nodes, the same parts in the same order, and the same vectors, which show the same. The vectors of the node itself
//! must be the same set as before; what they show matters where somebody outside can see it, which is everywhere but at
//! the root. A vector is written as a list of numbers in which its variables are counted as they are met, so that two
//! lists are the same where vectors differ in the names of variables, or in the order in which their members are written.

use rustc_hash::FxHashMap;

use super::arranged::{Numbered, Renaming, arranged};
use crate::algebra::{TermId, Terms, VarId};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::explore::Property;
use crate::pnet::{
    Content, Member, NodeId, Optional, PNet, PartId, PltsId, Rival, Transition, Vector,
};

/// Which part takes the place of which.
type Moved = FxHashMap<PartId, PartId>;

/// A vector as a list of numbers.
type Written = Vec<u32>;

/// Compares a net with itself.
pub(super) struct Comparing<'a> {
    pub net: &'a PNet,
    property: Option<&'a Property>,
    terms: Terms,
    numbered: Numbered,
    /// The vectors of nodes as they are.
    plain: FxHashMap<(NodeId, bool), Vec<Written>>,
    /// Pairs of leaves that are alike, or not.
    alike: FxHashMap<(PltsId, PltsId), bool>,
}

impl<'a> Comparing<'a> {
    pub fn new(net: &'a PNet, property: Option<&'a Property>) -> Comparing<'a> {
        let mut terms = net.terms.clone();
        terms.freeze();
        Comparing {
            net,
            property,
            terms,
            numbered: Numbered::default(),
            plain: FxHashMap::default(),
            alike: FxHashMap::default(),
        }
    }

    /// Whether the net is the same when each column of parts of a node takes the place of another one.
    pub fn is_same(
        &mut self,
        node: NodeId,
        columns: &[Vec<PartId>],
        to: impl Fn(usize) -> usize,
    ) -> bool {
        let mut moved = Moved::default();
        for (at, column) in columns.iter().enumerate() {
            moved.extend(column.iter().copied().zip(columns[to(at)].iter().copied()));
        }
        let mut leaves = Vec::new();
        let parts = &self.net.nodes[node].parts;
        for (&from, &to) in moved.iter().filter(|(from, to)| from != to) {
            if !self.are_alike((parts[from].content, parts[to].content), &mut leaves) {
                return false;
            }
        }
        let shown = self.net.root != Content::Node(node);
        self.plain_vectors(node, shown) == self.vectors(node, &moved, shown)
            && self.keeps_property(&leaves)
    }

    // ---- parts ----

    /// Whether two parts are alike; the leaves are added that take the places of others.
    fn are_alike(&mut self, pair: (Content, Content), leaves: &mut Vec<(PltsId, PltsId)>) -> bool {
        let mut work = vec![pair];
        while let Some(pair) = work.pop() {
            let alike = match pair {
                (Content::Leaf(a), Content::Leaf(b)) => {
                    leaves.push((a, b));
                    self.leaves_are_alike(a, b)
                }
                (Content::Hole(a), Content::Hole(b)) => {
                    self.net.holes[a].sort == self.net.holes[b].sort
                }
                (Content::Node(a), Content::Node(b)) => {
                    let (ours, theirs) = (&self.net.nodes[a].parts, &self.net.nodes[b].parts);
                    let parts = ours.iter().zip(theirs);
                    work.extend(parts.map(|(ours, theirs)| (ours.content, theirs.content)));
                    ours.len() == theirs.len()
                        && self.plain_vectors(a, true) == self.plain_vectors(b, true)
                }
                _ => false,
            };
            if !alike || is_spent() {
                return false;
            }
        }
        true
    }

    fn leaves_are_alike(&mut self, a: PltsId, b: PltsId) -> bool {
        if let Some(&known) = self.alike.get(&(a, b)) {
            return known;
        }
        let alike = self.compare_leaves(a, b);
        self.alike.insert((a, b), alike);
        alike
    }

    fn compare_leaves(&mut self, a: PltsId, b: PltsId) -> bool {
        let (ours, theirs) = (&self.net.plts[a], &self.net.plts[b]);
        let finals = |plts: &crate::pnet::Plts| -> Vec<bool> {
            plts.states.iter().map(|state| state.is_final).collect()
        };
        let variables = |plts: &crate::pnet::Plts| -> Vec<VarId> {
            plts.variables.iter().map(|(var, _)| *var).collect()
        };
        let mut renaming = Renaming::default();
        let same = finals(ours) == finals(theirs)
            && ours.transitions.len() == theirs.transitions.len()
            && self.rename(&variables(ours), &variables(theirs), &mut renaming);
        let pairs = ours.transitions.iter().zip(&theirs.transitions);
        same && pairs.into_iter().all(|(a, b)| self.compare_transitions(a, b, renaming.clone()))
    }

    /// Puts variables in the places of others, if their sorts are the same.
    fn rename(&self, from: &[VarId], to: &[VarId], renaming: &mut Renaming) -> bool {
        let same = |(a, b): (&VarId, &VarId)| self.net.sort_of(*a) == self.net.sort_of(*b);
        let all = from.len() == to.len() && from.iter().zip(to).all(same);
        for (&from, &to) in from.iter().zip(to) {
            renaming.put(from, self.terms.var_term(to));
        }
        all
    }

    fn compare_transitions(
        &mut self,
        a: &Transition,
        b: &Transition,
        mut renaming: Renaming,
    ) -> bool {
        let same = a.source == b.source
            && a.target == b.target
            && self.rename(&a.inputs, &b.inputs, &mut renaming);
        same && self.transition(a, &mut renaming) == self.transition(b, &mut Renaming::default())
    }

    /// What a transition says, as terms.
    fn transition(&mut self, one: &Transition, renaming: &mut Renaming) -> Vec<TermId> {
        let mut write = |term: TermId| arranged(&mut self.terms, term, renaming);
        let mut written = vec![write(one.action), write(one.guard)];
        let mut owed: Vec<TermId> = one.owes.iter().map(|owed| write(owed.term)).collect();
        owed.sort_unstable_by_key(|id| id.index());
        written.extend(owed);
        for &(var, term) in &one.updates {
            let var = self.terms.var_term(var);
            written.push(arranged(&mut self.terms, var, renaming));
            written.push(arranged(&mut self.terms, term, renaming));
        }
        written
    }

    // ---- vectors ----

    fn plain_vectors(&mut self, node: NodeId, shown: bool) -> Vec<Written> {
        if let Some(known) = self.plain.get(&(node, shown)) {
            return known.clone();
        }
        let written = self.vectors(node, &Moved::default(), shown);
        self.plain.insert((node, shown), written.clone());
        written
    }

    /// The vectors of a node when parts have taken the places of others, in order.
    fn vectors(&mut self, node: NodeId, moved: &Moved, shown: bool) -> Vec<Written> {
        let mut all = Vec::new();
        for vector in &self.net.nodes[node].vectors {
            if is_spent() {
                break;
            }
            all.push(self.vector(vector, moved, shown));
        }
        all.sort_unstable();
        all
    }

    fn vector(&mut self, vector: &Vector, moved: &Moved, shown: bool) -> Written {
        let mut renaming = Renaming::default();
        let members = in_order(&vector.members.iter().copied().collect::<Vec<_>>(), moved);
        let mut written = self.members(&members, &vector.variables, &mut renaming);
        self.number(&vector.variables, &vector.variables, &mut renaming);
        written.push(self.write(vector.guard, &mut renaming));
        if shown {
            written.push(self.write(vector.result, &mut renaming));
        }
        let owes = vector.owes.iter().map(|owed| self.write(owed.term, &mut renaming));
        let mut owes: Vec<u32> = owes.collect();
        owes.sort_unstable();
        written.push(owes.len() as u32);
        written.extend(owes);
        let mut rivals: Vec<Written> = Vec::new();
        for rival in &vector.rivals {
            rivals.push(self.rival(rival, moved, renaming.clone()));
        }
        rivals.sort_unstable();
        written.extend(rivals.into_iter().flatten());
        written.push(vector.maximal.map_or(0, |number| number + 1));
        written.extend(self.all_optional(&vector.optional, moved, &renaming));
        written
    }

    /// Members that may take part or not, in whatever order they are written.
    fn all_optional(&mut self, all: &[Optional], moved: &Moved, renaming: &Renaming) -> Written {
        let mut found: Vec<Written> = Vec::with_capacity(all.len());
        for one in all {
            found.push(self.optional(one, moved, renaming.clone()));
        }
        found.sort_unstable();
        [found.len() as u32].into_iter().chain(found.into_iter().flatten()).collect()
    }

    fn optional(&mut self, one: &Optional, moved: &Moved, mut renaming: Renaming) -> Written {
        let members = in_order(&one.members.iter().copied().collect::<Vec<_>>(), moved);
        let mut written = self.members(&members, &one.variables, &mut renaming);
        self.number(&one.variables, &one.variables, &mut renaming);
        let owes = one.owes.iter().map(|owed| self.write(owed.term, &mut renaming));
        let mut owes: Vec<u32> = owes.collect();
        owes.sort_unstable();
        written.push(owes.len() as u32);
        written.extend(owes);
        written.extend(self.all_optional(&one.inside, moved, &renaming));
        written
    }

    fn rival(&mut self, rival: &Rival, moved: &Moved, mut renaming: Renaming) -> Written {
        let members = in_order(&rival.members.iter().copied().collect::<Vec<_>>(), moved);
        let mut written = self.members(&members, &rival.variables, &mut renaming);
        self.number(&rival.variables, &rival.variables, &mut renaming);
        written.push(self.write(rival.guard, &mut renaming));
        written
    }

    /// Members with their actions; those of some variables that have no number get one.
    fn members(
        &mut self,
        members: &[(u32, TermId)],
        variables: &[VarId],
        renaming: &mut Renaming,
    ) -> Written {
        for &(_, action) in members {
            let met = self.terms.free_vars(action);
            self.number(&met, variables, renaming);
        }
        let mut written = vec![members.len() as u32];
        for &(part, action) in members {
            written.push(part);
            written.push(self.write(action, renaming));
        }
        written
    }

    /// Gives numbers to those that have none.
    fn number(&mut self, met: &[VarId], variables: &[VarId], renaming: &mut Renaming) {
        for var in met.iter().filter(|var| variables.contains(var)) {
            if !renaming.of.contains_key(var) {
                let (sort, number) = (self.terms.var(*var).sort.clone(), renaming.of.len());
                let term = self.numbered.get(&mut self.terms, &sort, number);
                renaming.put(*var, term);
            }
        }
    }

    fn write(&mut self, term: TermId, renaming: &mut Renaming) -> u32 {
        arranged(&mut self.terms, term, renaming).index() as u32
    }

    // ---- the property ----

    /// Whether the property says the same when leaves have taken the places of others.
    fn keeps_property(&self, leaves: &[(PltsId, PltsId)]) -> bool {
        let Some(property) = self.property else { return true };
        let mut terms = property.terms.clone();
        let states: FxHashMap<PltsId, VarId> =
            property.locations.iter().rev().map(|&(var, leaf)| (leaf, var)).collect();
        let (mut before, mut after) = (Renaming::default(), Renaming::default());
        // A state that nobody speaks of has no variable, and what has no variable is nowhere in the property.
        for (var, leaf) in &property.locations {
            let to = leaves.iter().find(|(from, _)| from == leaf).map_or(*leaf, |(_, to)| *to);
            let Some(own) = states.get(leaf) else { continue };
            before.put(*var, terms.var_term(*own));
            match states.get(&to) {
                Some(other) => after.put(*var, terms.var_term(*other)),
                None if speaks_of(property, *var) => return false,
                None => {}
            }
        }
        for &(from, to) in leaves {
            let variables = self.net.plts[from].variables.iter().zip(&self.net.plts[to].variables);
            variables.for_each(|((from, _), (to, _))| after.put(*from, terms.var_term(*to)));
        }
        [property.owed, property.says].into_iter().all(|term| {
            arranged(&mut terms, term, &mut before) == arranged(&mut terms, term, &mut after)
        })
    }
}

/// Whether a variable is somewhere in a property.
fn speaks_of(property: &Property, var: VarId) -> bool {
    let both = [property.owed, property.says];
    both.into_iter().any(|term| property.terms.free_vars(term).contains(&var))
}

/// Members by the parts whose places they have taken, in order.
fn in_order(members: &[Member], moved: &Moved) -> Vec<(u32, TermId)> {
    let place = |part: PartId| moved.get(&part).copied().unwrap_or(part).place() as u32;
    let mut all: Vec<(u32, TermId)> =
        members.iter().map(|member| (place(member.part), member.action)).collect();
    all.sort_by_key(|(part, _)| *part);
    all
}

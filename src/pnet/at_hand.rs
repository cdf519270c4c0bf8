//! Members that may take part or not, written out where they are at hand.
//!
//! A broadcast to n listeners has two to the power of n interactions, and those who want each as a vector of its own cannot
//! have them all. Most never happen: who listens depends on where everybody is. So the locations of all pLTSs are gone
//! through, without data, and an interaction is written out where all its members offer their actions at once somewhere. With
//! maximal progress, who can take part in any case does.
//!
//! Data only takes away what is possible, so no interaction is left out that could happen. Of the interactions that
//! maximal progress compares, one that has all ports of another and more is among the rivals of that: wherever something
//! larger could happen, so could what is larger still by all who take part in any case, and that was written out.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};

use super::ids::*;
use super::net::{Content, Members, Optional, PNet, Rival, Transition, Vector, name_of};
use crate::algebra::{ActionId, Term, TermId, VarId, VariableKind};
use crate::base::IndexVec;
use crate::base::budget::is_spent;

/// So many tuples of locations are gone through.
const MOST_TUPLES: usize = 1 << 14;
/// So many interactions are written out, as many as a connector may have.
const MOST_SETS: usize = 1 << 12;
/// So many moves of a node are looked at in a tuple of locations.
const MOST_MOVES: usize = 1 << 14;
/// So many rivals are made of maximal progress.
const MOST_RIVALS: usize = 1 << 16;

/// Who of those that may take part does, by their places in [`Vector::all_optional`].
type Taking = Vec<usize>;

/// What a part can do in a tuple of locations: what it shows, where that is known, and where pLTSs go.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Move {
    head: Option<ActionId>,
    to: Vec<(PltsId, PltsStateId)>,
}

/// The net with a vector for each interaction that can be at hand; nothing where these are too many, or somebody wants the work
/// to end.
pub fn at_hand(net: &PNet) -> Option<PNet> {
    let mut looking = Looking { net, at: IndexVec::default(), sets: BTreeMap::new(), many: 0 };
    looking.go()?;
    let sets = looking.sets;
    let mut made = net.clone();
    let mut rivals = 0;
    for id in net.nodes.ids() {
        let mut vectors: IndexVec<VectorId, Vector> = IndexVec::default();
        for (place, vector) in net.nodes[id].vectors.enumerated() {
            if vector.optional.is_empty() {
                vectors.push(vector.clone());
                continue;
            }
            let mut taking: Vec<&Taking> = sets.get(&(id, place)).into_iter().flatten().collect();
            taking.sort_by_key(|set| (set.len(), *set));
            taking.into_iter().for_each(|set| _ = vectors.push(written_out(vector, set)));
        }
        rivals += largest(&mut made, &mut vectors, MOST_RIVALS - rivals)?;
        made.nodes[id].vectors = vectors;
    }
    (!is_spent()).then_some(made)
}

/// The interaction of these.
fn written_out(vector: &Vector, taking: &Taking) -> Vector {
    let mut made = Vector { optional: Vec::new(), ..vector.clone() };
    for (at, one) in vector.all_optional().enumerate() {
        if taking.binary_search(&at).is_ok() {
            made.members.extend(one.members.iter().copied());
            made.variables.extend(&one.variables);
            made.owes.extend(one.owes.iter().copied());
        }
    }
    made
}

/// Has the interactions that maximal progress compares give way to larger ones; how many rivals that makes, if not too many.
fn largest(
    net: &mut PNet,
    vectors: &mut IndexVec<VectorId, Vector>,
    limit: usize,
) -> Option<usize> {
    type Ports = BTreeSet<(PartId, Option<ActionId>)>;
    let compared: Vec<VectorId> =
        vectors.ids().filter(|&id| vectors[id].maximal.is_some()).collect();
    let port = |member: &super::Member| (member.part, name_of(&net.terms, member.action));
    let ports: Vec<Ports> =
        compared.iter().map(|&id| vectors[id].members.iter().map(port).collect()).collect();
    let mut count = 0;
    for (low, &id) in compared.iter().enumerate() {
        for (high, &other) in compared.iter().enumerate() {
            if is_spent() || count > limit {
                return None;
            }
            let is_larger = vectors[id].maximal == vectors[other].maximal
                && ports[high].len() > ports[low].len()
                && ports[low].is_subset(&ports[high]);
            if is_larger {
                let rival = rival_of(net, &vectors[other]);
                vectors[id].rivals.push(rival);
                count += 1;
            }
        }
    }
    compared.into_iter().for_each(|id| vectors[id].maximal = None);
    Some(count)
}

/// A vector as something that goes first, for whatever values: its variables are its own.
fn rival_of(net: &mut PNet, vector: &Vector) -> Rival {
    let terms = &mut net.terms;
    let mut values: FxHashMap<VarId, TermId> = FxHashMap::default();
    let mut variables = Vec::with_capacity(vector.variables.len());
    for &old in &vector.variables {
        let (name, sort) = (terms.var(old).name, terms.var(old).sort.clone());
        let new = terms.new_var(name, sort, VariableKind::Vector);
        variables.push(new);
        values.insert(old, terms.var_term(new));
    }
    let mut members: Members = vector.members.clone();
    for member in &mut members {
        member.action = terms.substitute(member.action, &values);
    }
    let owed = vector.owes.iter().map(|owed| owed.term);
    let guard = terms.and([vector.guard].into_iter().chain(owed));
    let guard = terms.substitute(guard, &values);
    Rival { members, guard, variables, text: net.origins.get(vector.origin).span }
}

struct Looking<'n> {
    net: &'n PNet,
    /// Where all pLTSs are.
    at: IndexVec<PltsId, PltsStateId>,
    sets: BTreeMap<VectorPlace, BTreeSet<Taking>>,
    many: usize,
}

impl Looking<'_> {
    /// Goes through all tuples of locations; nothing where there are too many.
    fn go(&mut self) -> Option<()> {
        let net = self.net;
        let first: IndexVec<PltsId, PltsStateId> =
            net.plts.iter().map(|plts| plts.initial).collect();
        let mut seen: FxHashSet<IndexVec<PltsId, PltsStateId>> = FxHashSet::default();
        seen.insert(first.clone());
        let mut work = VecDeque::from([first]);
        while let Some(tuple) = work.pop_front() {
            self.at = tuple;
            for one in self.moves(net.root)? {
                let mut next = self.at.clone();
                one.to.iter().for_each(|(plts, state)| next[*plts] = *state);
                if !seen.contains(&next) {
                    seen.insert(next.clone());
                    work.push_back(next);
                }
            }
            if seen.len() > MOST_TUPLES || is_spent() {
                return None;
            }
        }
        Some(())
    }

    /// What something can do where everybody is now.
    fn moves(&mut self, content: Content) -> Option<Vec<Move>> {
        let net = self.net;
        match content {
            Content::Hole(_) => Some(vec![Move { head: None, to: Vec::new() }]),
            Content::Leaf(id) => Some(
                self.offered(id)
                    .map(|one| Move {
                        head: name_of(&net.terms, one.action),
                        to: vec![(id, one.target)],
                    })
                    .collect(),
            ),
            Content::Node(id) => {
                let mut parts = Vec::with_capacity(net.nodes[id].parts.len());
                for part in &net.nodes[id].parts {
                    parts.push(self.moves(part.content)?);
                }
                self.moves_of_node(id, &parts)
            }
        }
    }

    fn offered(&self, id: PltsId) -> impl Iterator<Item = &Transition> {
        let here = self.at[id];
        self.net.plts[id].transitions.iter().filter(move |one| one.source == here)
    }

    fn moves_of_node(&mut self, id: NodeId, parts: &[Vec<Move>]) -> Option<Vec<Move>> {
        let net = self.net;
        let mut found: FxHashSet<Move> = FxHashSet::default();
        let mut ordered = Vec::new();
        for (place, vector) in net.nodes[id].vectors.enumerated() {
            if !self.can(&vector.members, parts) {
                continue;
            }
            let all: Vec<&Optional> = vector.all_optional().collect();
            for set in self.at_hand((id, place), parts)? {
                let members = set.iter().flat_map(|&at| &all[at].members);
                let members: Vec<_> = vector.members.iter().chain(members).collect();
                let mut joined = vec![Vec::new()];
                for member in members {
                    let can = self.those(member, parts);
                    if joined.len().saturating_mul(can.len()) > MOST_MOVES || is_spent() {
                        return None;
                    }
                    let mut next = Vec::with_capacity(joined.len() * can.len());
                    for so_far in &joined {
                        for one in &can {
                            let mut both: Vec<(PltsId, PltsStateId)> = so_far.clone();
                            both.extend(&one.to);
                            next.push(both);
                        }
                    }
                    joined = next;
                }
                let head = name_of(&net.terms, vector.result);
                for to in joined {
                    let one = Move { head, to };
                    if found.insert(one.clone()) {
                        ordered.push(one);
                    }
                }
                if ordered.len() > MOST_MOVES {
                    return None;
                }
            }
        }
        Some(ordered)
    }

    /// Which moves of its part a member could be.
    fn those<'m>(&self, member: &super::Member, parts: &'m [Vec<Move>]) -> Vec<&'m Move> {
        let wanted = name_of(&self.net.terms, member.action);
        let fits = |one: &&Move| one.head.is_none() || wanted.is_none() || one.head == wanted;
        parts[member.part.index()].iter().filter(fits).collect()
    }

    fn can(&self, members: &Members, parts: &[Vec<Move>]) -> bool {
        members.iter().all(|member| !self.those(member, parts).is_empty())
    }

    /// The sets of those that may take part now, which are noted.
    fn at_hand(&mut self, place: VectorPlace, parts: &[Vec<Move>]) -> Option<Vec<Taking>> {
        let vector = self.net.vector(place);
        if vector.optional.is_empty() {
            return Some(vec![Vec::new()]);
        }
        let mut number = 0;
        let found = self.subsets((place, vector), &vector.optional, parts, &mut number)?;
        let known = self.sets.entry(place).or_default();
        for set in &found {
            self.many += usize::from(known.insert(set.clone()));
        }
        (self.many <= MOST_SETS).then_some(found)
    }

    fn subsets(
        &self,
        (place, vector): (VectorPlace, &Vector),
        all: &[Optional],
        parts: &[Vec<Move>],
        number: &mut usize,
    ) -> Option<Vec<Taking>> {
        let mut found: Vec<Taking> = vec![Vec::new()];
        for one in all {
            let own = *number;
            *number += 1;
            let inside = self.subsets((place, vector), &one.inside, parts, number)?;
            if !self.can(&one.members, parts) {
                continue;
            }
            let always = vector.maximal.is_some() && self.is_certain(place.0, one);
            let many = found.len().saturating_mul(inside.len() + usize::from(!always));
            if many > MOST_SETS || is_spent() {
                return None;
            }
            let mut next = if always { Vec::new() } else { found.clone() };
            for so_far in &found {
                for more in &inside {
                    let mut both = so_far.clone();
                    both.push(own);
                    both.extend(more);
                    next.push(both);
                }
            }
            found = next;
        }
        Some(found)
    }

    /// Whether these can take part now whatever the values are.
    fn is_certain(&self, node: NodeId, one: &Optional) -> bool {
        one.owes.is_empty()
            && one.members.iter().all(|member| {
                let Content::Leaf(leaf) = self.net.nodes[node].parts[member.part].content else {
                    return false;
                };
                self.offered(leaf).any(|offer| self.takes_any(offer, member.action))
            })
    }

    /// Whether a transition does an action for all values of its data.
    fn takes_any(&self, offer: &Transition, wanted: TermId) -> bool {
        let terms = &self.net.terms;
        let (Term::Act(given, inputs), Term::Act(name, values)) =
            (terms.get(offer.action), terms.get(wanted))
        else {
            return false;
        };
        let mut met = FxHashSet::default();
        let mut any =
            |(input, value): (&TermId, &TermId)| match (terms.get(*input), terms.get(*value)) {
                (Term::Var(input), Term::Var(value)) => {
                    offer.inputs.contains(input)
                        && met.insert(*input)
                        && terms.var(*input).sort == terms.var(*value).sort
                }
                _ => false,
            };
        given == name
            && terms.as_bool(offer.guard) == Some(true)
            && offer.owes.is_empty()
            && inputs.len() == values.len()
            && inputs.iter().zip(values.iter()).all(&mut any)
    }
}

//! What priorities come to: conditions under which nothing could happen that goes before a vector.
//!
//! Whether a rival could happen depends on the locations and variables of its members, so these are conditions on both,
//! over the variables of the vector. Elaboration has seen to it that no hole has a say in it.
//!
//! The vectors inside a member that is a node have rivals of their own; these conditions are made for inner nodes first,
//! as drafts are.

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::flatten::{Asked, Draft, Drafts, demands, vector_of};
use super::problem::{Component, ComponentId, TooLarge};
use crate::algebra::{TermId, VarId, can_be_same, exists, possible};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::pnet::{Content, Foremost, PltsId, PltsTransitionId, Rival, VectorPlace, sort_allows};

/// For each vector with rivals, the conditions under which none of them could happen.
#[derive(Debug, Default)]
pub(super) struct Rivals(FxHashMap<VectorPlace, Vec<TermId>>);

/// More ways in which the members of a rival could go together are not looked at.
const MOST_COMBINATIONS: usize = 50_000;

impl Rivals {
    /// The conditions of all vectors of a net.
    pub fn of(
        drafts: &mut Drafts<'_, '_>,
        components: &IndexVec<ComponentId, Component>,
    ) -> Result<Rivals, TooLarge> {
        let net = drafts.net;
        let foremost = Foremost::new(net);
        let places: FxHashMap<PltsId, &Component> =
            components.iter().map(|component| (component.plts, component)).collect();
        let mut making = Making { places, rivals: Rivals::default() };
        // A node is made after its parts.
        for node in net.nodes.ids().rev() {
            making.inner_first(drafts, &foremost, node)?;
        }
        Ok(making.rivals)
    }

    /// The conditions under which nothing could happen that goes before a vector.
    pub fn blocked(&self, place: VectorPlace) -> impl Iterator<Item = &TermId> {
        self.0.get(&place).into_iter().flatten()
    }
}

struct Making<'c> {
    places: FxHashMap<PltsId, &'c Component>,
    rivals: Rivals,
}

impl Making<'_> {
    /// The conditions of the vectors of a node, after those of the nodes inside it.
    fn inner_first(
        &mut self,
        drafts: &mut Drafts<'_, '_>,
        foremost: &Foremost,
        node: crate::pnet::NodeId,
    ) -> Result<(), TooLarge> {
        let net = drafts.net;
        let mut work = vec![(node, false)];
        while let Some((node, ready)) = work.pop() {
            let composite = &net.nodes[node];
            if !ready {
                work.push((node, true));
                work.extend(composite.parts.iter().filter_map(|part| match part.content {
                    Content::Node(inner) => Some((inner, false)),
                    Content::Leaf(_) | Content::Hole(_) => None,
                }));
                continue;
            }
            for number in composite.vectors.ids() {
                let place = (node, number);
                if !self.rivals.0.contains_key(&place) {
                    let conditions = self.vector(drafts, foremost, place)?;
                    self.rivals.0.insert(place, conditions);
                }
            }
        }
        Ok(())
    }

    fn vector(
        &self,
        drafts: &mut Drafts<'_, '_>,
        foremost: &Foremost,
        place: VectorPlace,
    ) -> Result<Vec<TermId>, TooLarge> {
        let net = drafts.net;
        let vector = vector_of(net, place);
        let mut conditions = Vec::new();
        for (_, rival) in foremost.of(place, vector) {
            let could = self.could_happen(drafts, place, rival)?;
            conditions.push(drafts.terms.not(could));
        }
        Ok(conditions)
    }

    /// When a rival could happen.
    fn could_happen(
        &self,
        drafts: &mut Drafts<'_, '_>,
        place: VectorPlace,
        rival: &Rival,
    ) -> Result<TermId, TooLarge> {
        let net = drafts.net;
        let rigid = &vector_of(net, place).variables;
        let own: Vec<VarId> =
            rival.variables.iter().copied().filter(|var| !rigid.contains(var)).collect();
        // Members that share no variable with others can be looked at each by itself.
        let (mut apart, mut shared) = (Vec::new(), Vec::new());
        for member in &rival.members {
            let content = net.nodes[place.0].parts[member.part].content;
            let offers = self.offers(drafts, content, member.action)?;
            let speaks = drafts.terms.free_vars(member.action);
            match speaks.iter().any(|var| own.contains(var)) {
                true => shared.push(offers),
                false => {
                    let each = offers.iter().map(|offer| offer.when(drafts, &[], rigid));
                    let each: Vec<TermId> = each.collect();
                    apart.push(drafts.terms.or(each));
                }
            }
        }
        let sizes = shared.iter().map(Vec::len);
        if sizes.fold(1usize, usize::saturating_mul) > MOST_COMBINATIONS {
            return Err(TooLarge::Interactions);
        }
        let mut together = Vec::new();
        for chosen in shared.iter().multi_cartesian_product() {
            if is_spent() {
                return Err(TooLarge::Stopped);
            }
            let all = Offer::of_all(&chosen);
            together.push(all.when(drafts, &[rival.guard], rigid));
        }
        apart.push(drafts.terms.or(together));
        Ok(drafts.terms.and(apart))
    }

    /// The ways in which a part could show an action, leaf by leaf.
    fn offers(
        &self,
        drafts: &mut Drafts<'_, '_>,
        content: Content,
        wanted: TermId,
    ) -> Result<Vec<Offer>, TooLarge> {
        let mut found = Vec::new();
        match content {
            Content::Hole(_) => {}
            Content::Leaf(leaf) => {
                found.extend(self.leaf(drafts, leaf, Asked::Action(wanted)));
            }
            Content::Node(_) => {
                for (action, draft) in drafts.of(content)?.iter() {
                    if can_be_same(drafts.terms, *action, wanted) {
                        let mut base = self.base(drafts, draft);
                        base.pairs.push((*action, wanted));
                        found.extend(self.spread(drafts, base, draft)?);
                    }
                }
            }
        }
        Ok(found)
    }

    /// What a draft asks for, but for its leaves.
    fn base(&self, drafts: &mut Drafts<'_, '_>, draft: &Draft) -> Offer {
        let net = drafts.net;
        let mut base = Offer { pairs: draft.pairs.clone(), ..Offer::default() };
        base.conditions.extend(&draft.conditions);
        for place in &draft.vectors {
            base.conditions.extend(self.rivals.blocked(*place));
        }
        for &(hole, action) in &draft.holes {
            let sort = &net.holes[hole].sort;
            base.conditions.extend(sort_allows(&net.algebra, drafts.terms, sort, action));
        }
        base
    }

    /// A draft with each combination of what its leaves may do.
    fn spread(
        &self,
        drafts: &mut Drafts<'_, '_>,
        base: Offer,
        draft: &Draft,
    ) -> Result<Vec<Offer>, TooLarge> {
        let leaves = draft.leaves.iter().map(|&(leaf, asked)| self.leaf(drafts, leaf, asked));
        let leaves: Vec<Vec<Offer>> = leaves.collect();
        let sizes = leaves.iter().map(Vec::len);
        if sizes.fold(1usize, usize::saturating_mul) > MOST_COMBINATIONS {
            return Err(TooLarge::Interactions);
        }
        let all = leaves.iter().multi_cartesian_product();
        Ok(all.map(|chosen| Offer::of_all(&[vec![&base], chosen].concat())).collect())
    }

    /// What a leaf may do when something is asked of it.
    fn leaf(&self, drafts: &Drafts<'_, '_>, leaf: PltsId, asked: Asked) -> Vec<Offer> {
        let net = drafts.net;
        let transitions = net.plts[leaf].transitions.enumerated();
        let wanted = |id: PltsTransitionId, action: TermId| match asked {
            Asked::Transition(only) => id == only,
            Asked::Action(wanted) => can_be_same(drafts.terms, action, wanted),
        };
        let fitting = transitions.filter(|(id, transition)| wanted(*id, transition.action));
        let component = self.places[&leaf];
        let offer = |transition: &crate::pnet::Transition| Offer {
            at: vec![component.locations[transition.source]],
            pairs: match asked {
                Asked::Action(wanted) => vec![(transition.action, wanted)],
                Asked::Transition(_) => Vec::new(),
            },
            conditions: demands(transition).collect(),
        };
        fitting.map(|(_, transition)| offer(transition)).collect()
    }
}

/// A way in which something could happen.
#[derive(Clone, Debug, Default)]
struct Offer {
    /// The locations that it needs.
    at: Vec<VarId>,
    /// What must be the same.
    pairs: Vec<(TermId, TermId)>,
    /// What must hold.
    conditions: Vec<TermId>,
}

impl Offer {
    fn of_all(all: &[&Offer]) -> Offer {
        let mut one = Offer::default();
        for offer in all {
            one.at.extend(&offer.at);
            one.pairs.extend(&offer.pairs);
            one.conditions.extend(&offer.conditions);
        }
        one
    }

    /// When it can happen, for some values of all variables but the rigid ones.
    fn when(&self, drafts: &mut Drafts<'_, '_>, guard: &[TermId], rigid: &[VarId]) -> TermId {
        let conditions = [&self.conditions, guard].concat();
        let Some(could) = possible(drafts.terms, &self.pairs, &conditions, rigid) else {
            return drafts.terms.bool(false);
        };
        let could = match drafts.terms.get(could).clone() {
            crate::algebra::Term::Exists(vars, body) => exists(drafts.terms, &vars, vec![body]),
            _ => could,
        };
        let at: Vec<TermId> = self.at.iter().map(|&var| drafts.terms.var_term(var)).collect();
        drafts.terms.and(at.into_iter().chain([could]))
    }
}

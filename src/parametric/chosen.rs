//! Which sets that are counted are used: those that exclude some situation which nothing excluded before.
//!
//! There can be very many such sets, and whatever is counted in all of them tells apart situations that need not be. So one begins
//! with none of them. Where a situation is not excluded, this looks for one that does, of all there are: if there is none, the situation
//! stands; otherwise the states by which the automaton knows it are used from then on.

use std::collections::BTreeMap;

use super::counted::{Counted, Counter};
use super::pattern::ComponentStateId;
use super::profile::VariantRuleId;
use super::slots::each_choice;
use super::trim::CountedTransition;
use super::unfold::{Unfolding, UnfoldingNodeId};
use crate::base::{Budget, Id, IndexVec};

/// A state of the automaton, with a count.
type Member = (u32, usize);

/// How a member comes about with the fewest states that were not used before: so many, with these members of the parts.
#[derive(Clone, Debug)]
struct Way {
    new: u32,
    parts: Vec<Member>,
}

/// What trees of the nodes can have.
type Ways = IndexVec<UnfoldingNodeId, BTreeMap<Member, Way>>;

impl<C: Counter> Counted<'_, C> {
    /// Uses what excludes a situation of an unfolding, as little as can be; false if there is nothing.
    pub fn choose(
        &mut self,
        unfolding: &Unfolding,
        situation: &[ComponentStateId],
        budget: &Budget,
    ) -> bool {
        let ways = self.ways(unfolding, situation, budget);
        let root = UnfoldingNodeId::at(0);
        let of = self.variant(unfolding, root);
        let excluding = ways[root].iter().filter(|((state, count), way)| {
            C::excludes(*count) && self.table.ends(of, *state) && way.new > 0
        });
        let Some((&best, _)) = excluding.min_by_key(|(_, way)| way.new) else { return false };
        if budget.spent().is_some() {
            return false;
        }
        let mut open = vec![(root, best)];
        while let Some((node, member)) = open.pop() {
            let of = self.variant(unfolding, node);
            self.used[of][member.0 as usize] = true;
            let parts = unfolding.nodes[node].parts.iter().copied();
            open.extend(parts.zip(ways[node][&member].parts.iter().copied()));
        }
        self.forget();
        true
    }

    /// What the trees of all nodes can have, from below.
    fn ways(&self, unfolding: &Unfolding, situation: &[ComponentStateId], budget: &Budget) -> Ways {
        let mut ways: Ways = IndexVec::of(unfolding.nodes.len(), BTreeMap::new());
        let mut end = situation.len();
        for node in (0..unfolding.nodes.len()).rev().map(UnfoldingNodeId::at) {
            let rule = unfolding.nodes[node].rule;
            let made = self.profiles.rules[rule].components.len();
            let letter = &situation[end.saturating_sub(made)..end];
            end = end.saturating_sub(made);
            let mut found = BTreeMap::new();
            for one in &self.table.transitions[rule] {
                if budget.is_spent() {
                    return ways;
                }
                self.ways_by(rule, letter, one, &below(unfolding, node, one, &ways), &mut found);
            }
            ways[node] = found;
        }
        ways
    }

    /// What a transition adds, where the parts have these counts in the states that it wants.
    fn ways_by(
        &self,
        rule: VariantRuleId,
        letter: &[ComponentStateId],
        one: &CountedTransition,
        below: &[Vec<(usize, u32)>],
        found: &mut BTreeMap<Member, Way>,
    ) {
        let Some(own) = self.own_count(rule, letter, &one.sets) else { return };
        let is_new = !self.used[self.profiles.rules[rule].of][one.to as usize];
        let counts: Vec<usize> = below.iter().map(Vec::len).collect();
        let mut chosen = vec![0; counts.len()];
        each_choice(&counts, |choice| {
            if let Some((level, at)) = choice {
                chosen[level] = at;
                return true;
            }
            let each = || below.iter().zip(&chosen).map(|(all, &at)| all[at]);
            if let Some(count) = each().map(|(count, _)| count).try_fold(own, C::add) {
                let new = each().map(|(_, new)| new).sum::<u32>() + u32::from(is_new);
                let parts = one.parts.iter().copied().zip(each().map(|(count, _)| count));
                let way = Way { new, parts: parts.collect() };
                let known = found.entry((one.to, count)).or_insert_with(|| way.clone());
                if way.new < known.new {
                    *known = way;
                }
            }
            true
        });
    }
}

/// For each part, the counts that it has in the state that a transition wants, with how many new states each needs.
fn below(
    unfolding: &Unfolding,
    node: UnfoldingNodeId,
    one: &CountedTransition,
    ways: &Ways,
) -> Vec<Vec<(usize, u32)>> {
    let parts = unfolding.nodes[node].parts.iter().zip(&one.parts);
    let counts = parts.map(|(&part, &state)| {
        let all = ways[part].range((state, 0)..=(state, usize::MAX));
        all.map(|((_, count), way)| (*count, way.new)).collect()
    });
    counts.collect()
}

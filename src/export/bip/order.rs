//! Vectors that give way to others, as priorities between connectors.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::Bip;
use crate::algebra::TermId;
use crate::diagnostics::Span;
use crate::export::joint::Joint;
use crate::export::problems::{NoOrder, OrderInExport};
use crate::pnet::{Member, NodeId, Rival, Vector};

impl Bip<'_> {
    /// Which joint moves of a node give way to which; what cannot be said in BIP is refused.
    pub fn orders(&mut self, id: NodeId, joints: &[Joint]) -> Vec<(usize, usize)> {
        let node = &self.joints.net.nodes[id];
        let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (number, vector) in node.vectors.enumerated() {
            for rival in &vector.rivals {
                let lows = joints.iter().enumerate();
                let lows = lows.filter(|(_, joint)| joint.vector == Some(number)).map(|(at, _)| at);
                let lows: Vec<usize> = lows.collect();
                match self.highs(id, joints, vector, rival) {
                    // BIP has nothing that gives way to itself.
                    Ok(highs) if lows.iter().any(|low| highs.contains(low)) => {
                        self.no_order((rival.text, vector), NoOrder::Other);
                    }
                    Ok(highs) => {
                        let pairs =
                            lows.iter().flat_map(|&low| highs.iter().map(move |&high| (low, high)));
                        found.extend(pairs);
                    }
                    Err(why) => self.no_order((rival.text, vector), why),
                }
            }
        }
        self.closed(id, joints, &found);
        found.into_iter().collect()
    }

    /// The joint moves that a rival stands for.
    fn highs(
        &mut self,
        id: NodeId,
        joints: &[Joint],
        vector: &Vector,
        rival: &Rival,
    ) -> Result<Vec<usize>, NoOrder> {
        let members: Vec<Member> = rival.members.iter().copied().collect();
        let actions = members.iter().map(|member| member.action);
        let mut speaks =
            actions.chain([rival.guard]).flat_map(|term| self.joints.terms.free_vars(term));
        if speaks.any(|var| vector.variables.contains(&var)) {
            return Err(NoOrder::Values);
        }
        let ways = self.joints.combined(id, &members, (&[rival.guard], rival.guard));
        let mut highs = Vec::new();
        for way in ways.ok_or(NoOrder::Other)? {
            let asked: FxHashSet<TermId> = way.conditions.iter().copied().collect();
            if !way.conditions.iter().all(|&one| self.joints.speaks_of_leaves(one)) {
                return Err(NoOrder::Values);
            }
            let mut parts = way.parts.clone();
            parts.sort_unstable();
            let is_it = |joint: &Joint| {
                let mut others = joint.parts.clone();
                others.sort_unstable();
                let conditions: FxHashSet<TermId> = joint.conditions.iter().copied().collect();
                others == parts && conditions == asked
            };
            let found = joints.iter().position(is_it);
            // More is asked than what goes first asks for: a guard of the priority.
            let is_more = |joint: &Joint| {
                let mut others = joint.parts.clone();
                others.sort_unstable();
                others == parts && joint.conditions.iter().all(|one| asked.contains(one))
            };
            let is_guarded = joints.iter().any(is_more);
            let why = if is_guarded { NoOrder::Values } else { NoOrder::Other };
            highs.push(found.ok_or(why)?);
        }
        Ok(highs)
    }

    /// BIP closes priorities transitively: what follows must be there already.
    fn closed(&mut self, id: NodeId, joints: &[Joint], orders: &BTreeSet<(usize, usize)>) {
        for &(low, between) in orders {
            for &(_, high) in orders.range((between, 0)..(between + 1, 0)) {
                if orders.contains(&(low, high)) {
                    continue;
                }
                let Some(vector) = joints[low].vector else { continue };
                let vector = &self.joints.net.nodes[id].vectors[vector];
                let text = vector.rivals.iter().next().map(|rival| rival.text).unwrap_or_default();
                self.no_order((text, vector), NoOrder::NotClosed);
                return;
            }
        }
    }

    fn no_order(&mut self, (first, vector): (Span, &Vector), why: NoOrder) {
        let span = self.joints.net.origins.get(vector.origin).span;
        if !self.problems.iter().any(|problem| problem.span() == span) {
            self.problems.push(OrderInExport { span, first, why }.into());
        }
    }
}

//! Uses of definitions with many interactions, kept in one piece: vectors with members that may take part or not.
//!
//! The pieces of a use are those of the shape of its whole tree, divided such that all interactions of a piece have the same
//! clauses (`flat.rs`). Those who have to take part make the vector. Whoever may take part is looked at together with them: its
//! action is what the interaction of just these comes to. That is all there is to know, since what one port gets cannot depend on
//! whether another one takes part: data that is not there is an error in the interaction without it. Where what goes up or
//! down does depend on that, each interaction is written out.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::build::Builder;
use super::super::env::Env;
use super::super::lower::Scope;
use super::super::node::Places;
use super::super::vector::{Guard, Made, reads_data};
use super::super::whole::ConnectorPiece;
use super::Tree;
use super::flat::Flat;
use super::moves::{Leaf, Outcome};
use crate::algebra::{TermId, VarId};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::pnet::{Member, Optional, Owed, PartId};
use crate::sema::program::{ConnectorDef, ExprKind};

/// A use, and where it stands.
#[derive(Clone, Copy)]
struct Use<'a, 'p> {
    flat: &'a Flat<'p>,
    connector: &'p ConnectorDef,
    env: &'a Env<'p>,
    scope: &'a Scope<'p>,
    /// The part of each port.
    parts: &'a [PartId],
}

/// What those who take part come to.
#[derive(Clone)]
struct Company {
    /// Their ports, in order.
    ports: Vec<usize>,
    /// Their actions.
    actions: Vec<TermId>,
    conditions: Vec<TermId>,
    owed: Vec<Owed>,
    result: TermId,
}

impl<'p> Builder<'p> {
    /// The vectors of a use that is kept in one piece: whether they were made; nothing where each interaction has to be a
    /// vector of its own.
    pub(super) fn whole_use(
        &mut self,
        tree: &Rc<Tree<'p>>,
        connector: &'p ConnectorDef,
        (env, scope, places): (&Env<'p>, &Scope<'p>, &[Places]),
        made: &mut Vec<Made>,
    ) -> Option<bool> {
        let flat = Flat::new(tree);
        let shape = flat.shape();
        if !self.is_kept_whole(tree.connector, &shape) || shape.has_port_twice() {
            return None;
        }
        let pieces = flat.pieces(&shape)?;
        let parts = self.parts_of_ports(&flat, env, places)?;
        let may: Vec<&ConnectorPiece> = pieces.iter().flat_map(|piece| &piece.optional).collect();
        if self.reaches_hole(&may, &parts) {
            return None;
        }
        let used = Use { flat: &flat, connector, env, scope, parts: &parts };
        let mut found = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            // What a port shows is the same in all interactions of a piece.
            self.port_values = Some(FxHashMap::default());
            self.data_names.clear();
            let vector = self.whole_piece(used, piece, places);
            self.port_values = None;
            if !self.problems.is_empty() || is_spent() {
                return Some(false);
            }
            found.extend(vector?);
        }
        made.extend(found);
        Some(true)
    }

    /// The part at each port, where these are known and different from each other.
    fn parts_of_ports(
        &mut self,
        flat: &Flat<'p>,
        env: &Env<'p>,
        places: &[Places],
    ) -> Option<Vec<PartId>> {
        let leaves = flat.leaves();
        let mut found: Vec<PartId> = Vec::with_capacity(leaves.len());
        let mut seen = FxHashSet::default();
        for (member, around) in leaves {
            let is_known = matches!(member.action.kind, ExprKind::Act(..))
                && member.index.as_ref().is_none_or(|index| !reads_data(index, around));
            if !is_known || is_spent() {
                return None;
            }
            let parts = self.parts(member, env, around, places, &mut Vec::new());
            let [(part, None)] = parts.as_slice() else { return None };
            let part = PartId::at(*part);
            seen.insert(part).then(|| found.push(part))?;
        }
        Some(found)
    }

    fn reaches_hole(&self, pieces: &[&ConnectorPiece], parts: &[PartId]) -> bool {
        let mut work = pieces.to_vec();
        while let Some(piece) = work.pop() {
            if piece.ports.iter().any(|&port| self.has_hole(self.here[parts[port]])) {
                return true;
            }
            work.extend(&piece.optional);
        }
        false
    }

    /// The vector of a piece, if it is one that ever happens; nothing where there is no single vector for it.
    fn whole_piece(
        &mut self,
        used: Use<'_, 'p>,
        piece: &ConnectorPiece,
        places: &[Places],
    ) -> Option<Option<Made>> {
        let Use { flat, connector, env, scope, .. } = used;
        let ports = sorted(&piece.ports);
        let happening = flat.happening(&ports);
        if happening.is_left_out() {
            return Some(None);
        }
        let outcome = self.outcome(&happening, connector, (env, scope))?;
        let members = members(&ports, &outcome, used.parts, &|_| true);
        let company = Company {
            actions: outcome.leaves.iter().map(|leaf| leaf.2).collect(),
            ports,
            conditions: outcome.conditions.iter().map(|condition| condition.term).collect(),
            owed: outcome.owed.clone(),
            result: outcome.result,
        };
        let owes = self.lowering().still_owed(outcome.owed, &outcome.conditions);
        let rivals = self.written_rivals(&connector.rivals, env, &outcome.scope, places);
        let term = self.terms.and(company.conditions.iter().copied());
        let conditions = &outcome.conditions;
        let guard = Guard { term, conditions, chosen: &[], owes: &owes };
        let mut vector = self.finish(members, company.result, guard, connector.span, env);
        vector.rivals.extend(rivals);
        let mut bound: FxHashSet<VarId> = vector.variables.iter().copied().collect();
        vector.optional = self.optional_ends(used, &piece.optional, &company, &mut bound)?;
        Some(Some(Made { connector: Some(connector.name.name), vector }))
    }

    /// Members that may take part or not; nothing where that is not all they do.
    fn optional_ends(
        &mut self,
        used: Use<'_, 'p>,
        pieces: &[ConnectorPiece],
        company: &Company,
        bound: &mut FxHashSet<VarId>,
    ) -> Option<Vec<Optional>> {
        let mut found = Vec::with_capacity(pieces.len());
        for piece in pieces {
            if is_spent() {
                return None;
            }
            found.push(self.optional_end(used, piece, company, bound)?);
        }
        Some(found)
    }

    fn optional_end(
        &mut self,
        used: Use<'_, 'p>,
        piece: &ConnectorPiece,
        company: &Company,
        bound: &mut FxHashSet<VarId>,
    ) -> Option<Optional> {
        let Use { flat, connector, env, scope, parts } = used;
        let all: Vec<usize> = company.ports.iter().chain(&piece.ports).copied().collect();
        let ports = sorted(&all);
        let happening = flat.happening(&ports);
        let outcome = self.outcome(&happening, connector, (env, scope))?;
        let actions: Vec<TermId> = outcome.leaves.iter().map(|leaf| leaf.2).collect();
        let was_there = |port: &usize| company.ports.binary_search(port).is_ok();
        // Whoever was there before must not notice.
        let conditions = outcome.conditions.iter().map(|condition| condition.term);
        let before = ports.iter().zip(&actions).filter(|(port, _)| was_there(port));
        if !conditions.eq(company.conditions.iter().copied())
            || outcome.result != company.result
            || !before.map(|(_, action)| action).eq(&company.actions)
        {
            return None;
        }
        let members = members(&ports, &outcome, parts, &|port| !was_there(port));
        let is_new = |one: &Owed| {
            company.owed.iter().all(|old| (old.term, old.text) != (one.term, one.text))
        };
        let owed: Vec<Owed> = outcome.owed.iter().filter(|one| is_new(one)).cloned().collect();
        let owes = self.lowering().still_owed(owed, &outcome.conditions).into_iter().collect();
        let members = members.into();
        let mut variables = self.variables(&members);
        variables.retain(|variable| bound.insert(*variable));
        let inner = Company { ports, actions, owed: outcome.owed, ..company.clone() };
        let inside = self.optional_ends(used, &piece.optional, &inner, bound)?;
        Some(Optional { members, variables, owes, inside })
    }
}

fn sorted(ports: &[usize]) -> Vec<usize> {
    let mut ports = ports.to_vec();
    ports.sort_unstable();
    ports
}

/// Those of some ports that are meant, as members of a vector.
fn members(
    ports: &[usize],
    outcome: &Outcome<'_, '_>,
    parts: &[PartId],
    is_meant: &dyn Fn(&usize) -> bool,
) -> Vec<Member> {
    let leaves = ports.iter().zip(&outcome.leaves).filter(|(port, _)| is_meant(port));
    let member = |(&port, &(member, _, action)): (&usize, &Leaf<'_, '_>)| {
        let (part, text) = (parts[port], member.action.span);
        Member { part, action, text }
    };
    leaves.map(member).collect()
}

//! Uses of definitions with many interactions, kept in one piece: vectors with members that may take part or not.
//!
//! The pieces of a use are those of its shape ([`super::super::whole`]). Those who have to take part make the vector, with
//! the general clauses of the definition. Whoever may take part is looked at together with them: its action is what the
//! interaction of just these comes to. That is all there is to know, since what one port gets cannot depend on whether
//! another one takes part: data that is not there is an error in the interaction without it. A definition with clauses for
//! single interactions is written out.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::build::Builder;
use super::super::env::Env;
use super::super::lower::Scope;
use super::super::node::Places;
use super::super::vector::{Guard, Made, reads_data};
use super::super::whole::{ConnectorPiece, pieces};
use super::{End, Happening, Tree};
use crate::algebra::{TermId, VarId};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::pnet::{Member, Optional, Owed, PartId};
use crate::sema::program::{ConnectorDef, ExprKind};

/// A use, and where it stands.
#[derive(Clone, Copy)]
struct Use<'a, 'p> {
    tree: &'a Rc<Tree<'p>>,
    connector: &'p ConnectorDef,
    env: &'a Env<'p>,
    scope: &'a Scope<'p>,
    /// The part of each port.
    parts: &'a [PartId],
}

/// What those who take part come to.
#[derive(Clone)]
struct Company {
    /// Their ports, by number.
    ports: Vec<usize>,
    /// Their actions.
    actions: Vec<TermId>,
    conditions: Vec<TermId>,
    owed: Vec<Owed>,
    result: TermId,
}

impl<'p> Builder<'p> {
    /// Whether a use may be kept in one piece, because it has many interactions and no clauses for single ones.
    pub(super) fn may_be_whole(&self, tree: &Tree<'p>) -> bool {
        let is_part = |(_, end): &(i64, End<'p>)| matches!(end, End::Part(..));
        self.is_kept_whole(tree.connector, &tree.shape)
            && tree.def.clauses.is_empty()
            && tree.ends.iter().flatten().all(is_part)
    }

    /// The vectors of a use that is kept in one piece: whether they were made; nothing where each interaction has to be a
    /// vector of its own.
    pub(super) fn whole_use(
        &mut self,
        tree: &Rc<Tree<'p>>,
        connector: &'p ConnectorDef,
        (env, scope, places): (&Env<'p>, &Scope<'p>, &[Places]),
        made: &mut Vec<Made>,
    ) -> Option<bool> {
        let pieces = pieces(&tree.shape)?;
        let parts = self.parts_of_ports(tree, env, places)?;
        let may: Vec<&ConnectorPiece> = pieces.iter().flat_map(|piece| &piece.optional).collect();
        if self.reaches_hole(&may, &parts) {
            return None;
        }
        let used = Use { tree, connector, env, scope, parts: &parts };
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
            found.push(vector?);
        }
        made.extend(found);
        Some(true)
    }

    /// The part at each port, where these are known and different from each other.
    fn parts_of_ports(
        &mut self,
        tree: &Tree<'p>,
        env: &Env<'p>,
        places: &[Places],
    ) -> Option<Vec<PartId>> {
        let mut found: Vec<PartId> = Vec::with_capacity(tree.ports.len());
        let mut seen = FxHashSet::default();
        for &port in &tree.ports {
            let End::Part(member, around) = tree.end(port) else { return None };
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

    fn whole_piece(
        &mut self,
        used: Use<'_, 'p>,
        piece: &ConnectorPiece,
        places: &[Places],
    ) -> Option<Made> {
        let Use { tree, connector, env, scope, parts } = used;
        let ports: Vec<_> = piece.ports.iter().map(|&port| (tree.ports[port], None)).collect();
        let happening = Happening { tree: Rc::clone(tree), parts: ports, clause: None };
        let outcome = self.outcome(&happening, connector, (env, scope))?;
        let leaves = piece.ports.iter().zip(&outcome.leaves);
        let members: Vec<Member> = leaves
            .map(|(&port, &(member, _, action))| {
                let (part, text) = (parts[port], member.action.span);
                Member { part, action, text }
            })
            .collect();
        let company = Company {
            ports: piece.ports.clone(),
            actions: outcome.leaves.iter().map(|leaf| leaf.2).collect(),
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
        Some(Made { connector: Some(connector.name.name), vector })
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
        let Use { tree, connector, env, scope, parts } = used;
        let ports: Vec<usize> = company.ports.iter().chain(&piece.ports).copied().collect();
        let all = ports.iter().map(|&port| (tree.ports[port], None)).collect();
        let happening = Happening { tree: Rc::clone(tree), parts: all, clause: None };
        let outcome = self.outcome(&happening, connector, (env, scope))?;
        let actions: Vec<TermId> = outcome.leaves.iter().map(|leaf| leaf.2).collect();
        let before = company.ports.len();
        // Whoever was there before must not notice.
        let conditions = outcome.conditions.iter().map(|condition| condition.term);
        if !conditions.eq(company.conditions.iter().copied())
            || outcome.result != company.result
            || actions[..before] != company.actions
        {
            return None;
        }
        let leaves = outcome.leaves[before..].iter().zip(&piece.ports);
        let members: Vec<Member> = leaves
            .map(|(&(member, _, action), &port)| {
                let (part, text) = (parts[port], member.action.span);
                Member { part, action, text }
            })
            .collect();
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

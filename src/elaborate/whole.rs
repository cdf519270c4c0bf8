//! Connectors with many interactions, kept in one piece: vectors with members that may take part or not.
//!
//! A broadcast to n listeners has two to the power of n interactions. What it says is shorter: who has to take part, and who
//! may. The shape of a connector is divided into such pieces ([`pieces`]), which have no interaction in common. With several
//! triggers there is one piece for each, in which those before it do not take part.
//!
//! A piece becomes one vector where those who have to take part decide for all others: no two of these share data that
//! nobody else has, and all are parts that are known and without holes. Where that is not so, each interaction is a vector.

use rustc_hash::FxHashSet;

use super::build::Builder;
use super::connector::{MOST_INTERACTIONS, Shape};
use super::env::Env;
use super::lower::Scope;
use super::node::Places;
use super::vector::{Made, Taking, reads_data, with_indices};
use crate::algebra::{TermId, VarId};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{Content, Optional, Owed, PartId};
use crate::sema::program::{ConnectorDef, ExprKind, LocalId, LocalKind};

/// Pieces with more ports in all are refused.
const MOST_PORTS: usize = 1 << 20;

/// So many pieces are made where it has to be chosen between some.
const MOST_PIECES: usize = 1 << 12;

/// Ports that take part together, and others that may then take part or not, each with those inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectorPiece {
    /// The ports that take part.
    pub ports: Vec<usize>,
    /// What may take part as well.
    pub optional: Vec<ConnectorPiece>,
}

impl ConnectorPiece {
    /// The piece in which both take part.
    fn and(&self, other: &ConnectorPiece) -> ConnectorPiece {
        let mut both = self.clone();
        both.ports.extend(&other.ports);
        both.optional.extend(other.optional.iter().cloned());
        both
    }

    pub(super) fn size(&self) -> usize {
        self.ports.len() + self.optional.iter().map(ConnectorPiece::size).sum::<usize>()
    }
}

/// How many interactions a connector has, if it is not too many to count.
pub fn how_many(shape: &Shape) -> Option<usize> {
    let Shape::Group(parts) = shape else { return Some(1) };
    let (mut all, mut untriggered) = (1_usize, 1_usize);
    let has_trigger = parts.iter().any(|(trigger, _)| *trigger);
    for (trigger, part) in parts {
        let many = how_many(part)?.checked_add(usize::from(has_trigger))?;
        all = all.checked_mul(many)?;
        untriggered = if *trigger { untriggered } else { untriggered.checked_mul(many)? };
    }
    Some(if has_trigger { all - untriggered } else { all })
}

/// Pieces that have each interaction of a connector once; nothing where there is no such small number of them.
pub fn pieces(shape: &Shape) -> Option<Vec<ConnectorPiece>> {
    let parts = match shape {
        Shape::Port(port) => {
            return Some(vec![ConnectorPiece { ports: vec![*port], optional: Vec::new() }]);
        }
        Shape::Group(parts) => parts,
    };
    let found = match parts.iter().any(|(trigger, _)| *trigger) {
        true => triggered(parts)?,
        false => together(parts)?,
    };
    let size: usize = found.iter().map(ConnectorPiece::size).sum();
    (size <= MOST_PORTS && !is_spent()).then_some(found)
}

/// One piece of each part together.
fn together(parts: &[(bool, Shape)]) -> Option<Vec<ConnectorPiece>> {
    let mut found = vec![ConnectorPiece::default()];
    for (_, part) in parts {
        let of_part = pieces(part)?;
        if found.len().saturating_mul(of_part.len()) > MOST_PORTS {
            return None;
        }
        let mut next = Vec::new();
        for one in &found {
            next.extend(of_part.iter().map(|other| one.and(other)));
        }
        found = next;
    }
    found.iter().all(|piece| !piece.ports.is_empty()).then_some(found)
}

/// For each trigger the pieces in which it takes part, and no trigger before it.
fn triggered(parts: &[(bool, Shape)]) -> Option<Vec<ConnectorPiece>> {
    let mut found = Vec::new();
    let mut size = 0;
    for (at, (_, part)) in parts.iter().enumerate().filter(|(_, (trigger, _))| *trigger) {
        let others = parts.iter().enumerate();
        let others = others.filter(|(other, (trigger, _))| !trigger || *other > at);
        let (mut optional, mut either) = (Vec::new(), Vec::new());
        for (_, (_, other)) in others {
            match may_take_part(other) {
                Some(one) => optional.extend(one),
                // Nobody, or one of several pieces: each makes pieces of its own.
                None => either.push(pieces(other)?),
            }
        }
        for piece in with_one_or_none(pieces(part)?, &either)? {
            let mut piece = piece;
            piece.optional.extend(optional.iter().cloned());
            size += piece.size();
            if size > MOST_PORTS || is_spent() {
                return None;
            }
            found.push(piece);
        }
    }
    Some(found)
}

/// Each piece as it is, and with one of each of these.
fn with_one_or_none(
    mut all: Vec<ConnectorPiece>,
    either: &[Vec<ConnectorPiece>],
) -> Option<Vec<ConnectorPiece>> {
    for others in either {
        if all.len().saturating_mul(others.len() + 1) > MOST_PIECES || is_spent() {
            return None;
        }
        let mut next = Vec::with_capacity(all.len() * (others.len() + 1));
        for one in all {
            let larger = others.iter().map(|other| one.and(other));
            let larger: Vec<ConnectorPiece> = larger.collect();
            next.push(one);
            next.extend(larger);
        }
        all = next;
    }
    Some(all)
}

/// What may take part of something that may take part or not.
fn may_take_part(shape: &Shape) -> Option<Vec<ConnectorPiece>> {
    if let Shape::Group(parts) = shape
        && !parts.is_empty()
        && parts.iter().all(|(trigger, _)| *trigger)
    {
        // Nobody, or some of them: each may take part by itself.
        let each: Option<Vec<Vec<ConnectorPiece>>> =
            parts.iter().map(|(_, part)| may_take_part(part)).collect();
        return each.map(|each| each.into_iter().flatten().collect());
    }
    pieces(shape).filter(|pieces| pieces.len() == 1)
}

/// What the ports of a connector are, and where it stands.
#[derive(Clone, Copy)]
struct Ports<'a, 'p> {
    connector: &'p ConnectorDef,
    all: &'a [Taking<'p>],
    env: &'a Env<'p>,
    places: &'a [Places],
}

impl<'p> Ports<'_, 'p> {
    fn of(&self, piece: &ConnectorPiece) -> Vec<Taking<'p>> {
        piece.ports.iter().map(|&port| self.all[port].clone()).collect()
    }
}

/// Data that members introduce: names, and places of arrays.
type Introduced = FxHashSet<(LocalId, Option<TermId>)>;

/// What the members of a vector have so far.
struct Seen {
    bound: FxHashSet<VarId>,
    introduced: Introduced,
}

impl Seen {
    /// Whether there is a whole array, and a place of it.
    fn is_mixed(&self) -> bool {
        let whole = |id: LocalId| self.introduced.contains(&(id, None));
        self.introduced.iter().any(|(id, place)| place.is_some() && whole(*id))
    }
}

impl<'p> Builder<'p> {
    /// The vectors of a connector that is kept in one piece: whether they were made; nothing where each interaction has to be
    /// a vector of its own.
    pub fn whole_connector(
        &mut self,
        connector: &'p ConnectorDef,
        shape: &Shape,
        ports: &[Taking<'p>],
        (env, scope, places): (&Env<'p>, &Scope<'p>, &[Places]),
        made: &mut Vec<Made>,
    ) -> Option<bool> {
        if !self.is_kept_whole(connector.name.name, shape) {
            return None;
        }
        let pieces = pieces(shape)?;
        let ports = Ports { connector, all: ports, env, places };
        if !self.are_known_parts(ports, &pieces, scope) {
            return None;
        }
        let mut found = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            if is_spent() {
                return Some(false);
            }
            let mut scope = scope.clone();
            let before = found.len();
            self.interaction(connector, &ports.of(piece), env, &mut scope, places, &mut found);
            if !self.problems.is_empty() {
                return Some(false);
            }
            for one in &mut found[before..] {
                let bound = one.vector.variables.iter().copied().collect();
                let mut seen = Seen { bound, introduced: Introduced::default() };
                let optional = self.optional(ports, &piece.optional, &scope, &mut seen);
                if !self.problems.is_empty() {
                    return Some(false);
                }
                one.vector.optional = optional.filter(|_| !seen.is_mixed())?;
            }
        }
        made.extend(found);
        Some(true)
    }

    /// Whether a connector of a name has so many interactions that it is kept in one piece; where they are ordered one by one,
    /// these are more than can be written out.
    pub(super) fn is_kept_whole(&self, name: Symbol, shape: &Shape) -> bool {
        let most = match self.told_apart.contains(&name) {
            true => self.options.most_unfolded.max(MOST_INTERACTIONS),
            false => self.options.most_unfolded,
        };
        // Also where there are too many to count.
        most != usize::MAX && how_many(shape).is_none_or(|many| many > most)
    }

    /// Whether it is known which part each port is of, each part has one port, and none that may take part has a hole.
    fn are_known_parts(
        &mut self,
        ports: Ports<'_, 'p>,
        pieces: &[ConnectorPiece],
        scope: &Scope<'p>,
    ) -> bool {
        let mut parts: Vec<PartId> = Vec::with_capacity(ports.all.len());
        for (member, indices) in ports.all {
            let scope = with_indices(scope, indices);
            let is_known = matches!(member.action.kind, ExprKind::Act(..))
                && member.index.as_ref().is_none_or(|index| !reads_data(index, &scope));
            if !is_known {
                return false;
            }
            let found = self.parts(member, ports.env, &scope, ports.places, &mut Vec::new());
            let [(part, None)] = found.as_slice() else { return false };
            parts.push(crate::base::Id::at(*part));
        }
        let mut seen = FxHashSet::default();
        let mut work: Vec<&ConnectorPiece> =
            pieces.iter().flat_map(|piece| &piece.optional).collect();
        while let Some(piece) = work.pop() {
            if piece.ports.iter().any(|&port| self.has_hole(self.here[parts[port]])) {
                return false;
            }
            work.extend(&piece.optional);
        }
        parts.into_iter().all(|part| seen.insert(part))
    }

    pub(super) fn has_hole(&self, content: Content) -> bool {
        let mut work = vec![content];
        while let Some(content) = work.pop() {
            match content {
                Content::Hole(_) => return true,
                Content::Leaf(_) => {}
                Content::Node(node) => {
                    work.extend(self.draft.nodes[node].parts.iter().map(|part| part.content));
                }
            }
        }
        false
    }

    /// Members that may take part or not; nothing where two of them share what nobody else has.
    fn optional(
        &mut self,
        ports: Ports<'_, 'p>,
        pieces: &[ConnectorPiece],
        scope: &Scope<'p>,
        seen: &mut Seen,
    ) -> Option<Vec<Optional>> {
        let mut found = Vec::with_capacity(pieces.len());
        for piece in pieces {
            if is_spent() {
                return None;
            }
            let members = ports.of(piece);
            for one in self.introduced(ports.connector, &members, scope)? {
                if !seen.introduced.insert(one) {
                    return None;
                }
            }
            found.push(self.optional_members(ports, piece, members, scope, seen)?);
        }
        Some(found)
    }

    fn optional_members(
        &mut self,
        ports: Ports<'_, 'p>,
        piece: &ConnectorPiece,
        members: Vec<Taking<'p>>,
        outer: &Scope<'p>,
        seen: &mut Seen,
    ) -> Option<Optional> {
        let Ports { connector, env, places, .. } = ports;
        let mut scope = outer.clone();
        let written: Vec<LocalId> = connector.transfer.iter().map(|(target, _)| *target).collect();
        let mut present: FxHashSet<LocalId> = FxHashSet::default();
        for (member, _) in &members {
            member.action.each_local(&mut |id| _ = present.insert(id));
            self.declare_unwritten(&member.action, &written, &mut scope);
        }
        self.places_of_arrays(&members, &mut scope);
        let mut owed: Vec<Owed> = Vec::new();
        for (target, value) in &connector.transfer {
            if present.contains(target) && !scope.values.contains_key(target) {
                if !self.has_values(value, &scope, &members, env) {
                    return None;
                }
                let mut lowering = self.lowering();
                let term = lowering.term(value, &scope);
                owed.append(&mut lowering.owed);
                scope.set(*target, term);
            }
        }
        let (mut choices, of_members) = self.members(&members, env, &scope, places);
        owed.extend(of_members);
        let (chosen, conditions) = choices.pop().filter(|_| choices.is_empty())?;
        if !conditions.is_empty() {
            return None;
        }
        let owes = self.lowering().still_owed(owed, &[]).into_iter().collect();
        let members = chosen.into();
        let mut variables = self.variables(&members);
        variables.retain(|variable| seen.bound.insert(*variable));
        let inside = self.optional(ports, &piece.optional, &scope, seen)?;
        Some(Optional { members, variables, owes, inside })
    }

    /// The data that members introduce, which has no value in a scope; nothing where a place is meant of an array that has.
    fn introduced(
        &mut self,
        connector: &'p ConnectorDef,
        members: &[Taking<'p>],
        scope: &Scope<'p>,
    ) -> Option<Introduced> {
        let is_new = |id: LocalId| {
            scope.locals[id.index()].kind == LocalKind::VectorData
                && !scope.values.contains_key(&id)
                && connector.transfer.iter().all(|(target, _)| *target != id)
        };
        let mut found = Introduced::default();
        for (member, indices) in members {
            let inner = with_indices(scope, indices);
            let (mut of_arrays, mut all) = (Vec::new(), Vec::new());
            member.action.each(&mut |expr| match &expr.kind {
                ExprKind::Index(both) => {
                    if let ExprKind::Local(id) = both.0.kind {
                        of_arrays.push((id, &both.1));
                    }
                }
                ExprKind::Local(id) => all.push(*id),
                _ => {}
            });
            for (id, index) in of_arrays {
                if scope.locals[id.index()].kind != LocalKind::VectorData {
                    continue;
                }
                if !is_new(id) {
                    return None;
                }
                let (place, _) = self.lowering().owing(|l| l.term(index, &inner));
                self.terms.as_int(place)?;
                found.insert((id, Some(place)));
                let at = all.iter().position(|other| *other == id);
                at.into_iter().for_each(|at| _ = all.swap_remove(at));
            }
            found.extend(all.into_iter().filter(|id| is_new(*id)).map(|id| (id, None)));
        }
        Some(found)
    }
}

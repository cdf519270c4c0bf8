//! Members that may take part or not: each set of those that can is an interaction. With maximal progress, one happens only
//! where no larger one of its connector could, for whatever values.

use rustc_hash::FxHashSet;

use super::attempt::{Attempt, Demand};
use super::partial::{Partial, UnknownId};
use super::rivals::{Any, undecided};
use super::solve::solve;
use super::ways::{Attempts, Ways};
use super::world::Known;
use crate::algebra::ActionId;
use crate::base::budget::is_spent;
use crate::explore::Gap;
use crate::pnet::{Member, Optional, PartId, Vector, VectorPlace, name_of};

/// A part, with the name of what it does for a vector.
pub(super) type Port = (PartId, Option<ActionId>);

/// Which members may stay away.
#[derive(Clone, Copy)]
pub(super) enum Staying<'a> {
    /// All.
    Any,
    /// Only who could not take part, or only with fewer others.
    Unable,
    /// The same, but none of these.
    UnableBut(&'a FxHashSet<Port>),
}

impl Ways<'_> {
    fn port(&self, member: &Member) -> Port {
        (member.part, name_of(self.world.terms, member.action))
    }

    /// What can be done with members that may take part or not.
    pub fn optional(
        &self,
        place: VectorPlace,
        all: &[Optional],
        attempts: Vec<Attempt>,
        staying: Staying<'_>,
    ) -> Attempts {
        let mut found = attempts;
        for one in all {
            let mut next = Vec::new();
            for attempt in found {
                if is_spent() {
                    return Err(Gap::Stopped);
                }
                let with = self.taking_part(place, one, &attempt, staying)?;
                if self.may_stay(one, &attempt, &with, staying) {
                    next.push(attempt);
                }
                next.extend(with);
            }
            found = next;
        }
        Ok(found)
    }

    fn taking_part(
        &self,
        place: VectorPlace,
        one: &Optional,
        before: &Attempt,
        staying: Staying<'_>,
    ) -> Attempts {
        let mut attempt = before.clone();
        self.declare(&one.variables, &mut attempt);
        one.owes.iter().for_each(|owed| attempt.owe(owed.term));
        attempt.taken.extend(one.members.iter().map(|member| (place, self.port(member))));
        if attempt.settle(self.world).is_err() {
            return Ok(Vec::new());
        }
        let all = self.together(place.0, &one.members, attempt)?;
        self.optional(place, &one.inside, all, staying)
    }

    fn may_stay(
        &self,
        one: &Optional,
        before: &Attempt,
        with: &[Attempt],
        staying: Staying<'_>,
    ) -> bool {
        if let Staying::UnableBut(taking) = staying
            && self.has_one_of(one, taking)
        {
            return false;
        }
        matches!(staying, Staying::Any) || !with.iter().any(|with| self.is_certain(before, with))
    }

    fn has_one_of(&self, one: &Optional, ports: &FxHashSet<Port>) -> bool {
        one.members.iter().any(|member| ports.contains(&self.port(member)))
            || one.inside.iter().any(|inner| self.has_one_of(inner, ports))
    }

    /// Whether something more is possible wherever it was possible without: nothing was learnt of what was not known, nothing
    /// more has to hold, and nothing gives way.
    fn is_certain(&self, before: &Attempt, with: &Attempt) -> bool {
        let new = with.vectors.iter().skip(before.vectors.len());
        let gives_way = |place: &VectorPlace| {
            let vector = self.world.net.vector(*place);
            !vector.rivals.is_empty() || vector.maximal.is_some()
        };
        if with.pending.len() > before.pending.len() || new.clone().any(gives_way) {
            return false;
        }
        let mut seen: FxHashSet<UnknownId> = FxHashSet::default();
        before.known.store.open().all(|(id, was)| {
            match with.known.store.resolve(&Partial::Unknown(id)) {
                Partial::Unknown(now) => {
                    let is = with.known.store.get(now);
                    seen.insert(now) && is.low == was.low && is.high == was.high
                }
                _ => false,
            }
        })
    }

    /// Whether an interaction could happen that has all ports of one, and more.
    pub fn larger_could_happen(&self, place: VectorPlace, attempt: &Attempt) -> Result<bool, Gap> {
        let node = &self.world.net.nodes[place.0];
        let vector = &node.vectors[place.1];
        let mut ports: FxHashSet<Port> =
            vector.members.iter().map(|member| self.port(member)).collect();
        ports.extend(attempt.taken.iter().filter(|(of, _)| *of == place).map(|(_, port)| *port));
        for (number, other) in node.vectors.enumerated() {
            if other.maximal == vector.maximal
                && self.is_larger((place.0, number), other, &ports)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a vector could happen with all these ports, and more.
    fn is_larger(
        &self,
        place: VectorPlace,
        vector: &Vector,
        ports: &FxHashSet<Port>,
    ) -> Result<bool, Gap> {
        let all: FxHashSet<Port> =
            vector.all_members().map(|(member, _)| self.port(member)).collect();
        if all.len() <= ports.len() || !ports.is_subset(&all) {
            return Ok(false);
        }
        let mut attempt = Attempt::new(Known::default());
        self.declare(&vector.variables, &mut attempt);
        attempt.demand(Demand::True(vector.guard));
        vector.owes.iter().for_each(|owed| attempt.owe(owed.term));
        if attempt.settle(self.world).is_err() {
            return Ok(false);
        }
        let attempts = self.together(place.0, &vector.members, attempt)?;
        let staying = Staying::UnableBut(ports);
        let mut attempts = self.optional(place, &vector.optional, attempts, staying)?;
        let count = |attempt: &Attempt| {
            let taken = attempt.taken.iter().filter(|(of, _)| *of == place).count();
            vector.members.len() + taken
        };
        attempts.retain(|attempt| count(attempt) > ports.len());
        let solved = solve(self.world, attempts, &Any(self)).map_err(undecided)?;
        match (solved.found.is_empty(), solved.limited) {
            (false, _) => Ok(true),
            (true, None) => Ok(false),
            (true, Some(name)) => Err(Gap::Rival { name }),
        }
    }
}

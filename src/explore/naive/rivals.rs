//! Priorities: a vector can happen only where none of its rivals could, for whatever values of their own variables.

use rustc_hash::FxHashMap;

use super::attempt::{Attempt, Demand};
use super::solve::{Asking, solve};
use super::ways::Ways;
use super::world::{Known, World};
use crate::algebra::TermId;
use crate::explore::Gap;
use crate::pnet::{Rival, RivalId, Vector, VectorPlace};

/// What a net does: all of it, where it gives way to nothing.
pub(super) struct All<'w>(pub &'w Ways<'w>);

/// Whether a net could do something.
pub(super) struct Any<'w>(pub &'w Ways<'w>);

impl Asking for All<'_> {
    fn one_is_enough(&self) -> bool {
        false
    }

    fn needs(&self, _: &World<'_>, _: &Attempt) -> Vec<TermId> {
        Vec::new()
    }

    fn allows(&self, _: &World<'_>, attempt: &Attempt, settled: bool) -> Result<bool, Gap> {
        self.0.gives_way_to_nobody(attempt, settled)
    }
}

impl Asking for Any<'_> {
    fn one_is_enough(&self) -> bool {
        true
    }

    /// Whether a vector gives way depends on its variables.
    fn needs(&self, world: &World<'_>, attempt: &Attempt) -> Vec<TermId> {
        let vectors = attempt.vectors.iter().map(|place| world.net.vector(*place));
        let giving = vectors
            .filter(|vector| vector.rivals.iter().any(|rival| speaks_of(world, rival, vector)));
        let variables = giving.flat_map(|vector| &vector.variables);
        variables.map(|var| world.terms.var_term(*var)).collect()
    }

    fn allows(&self, _: &World<'_>, attempt: &Attempt, settled: bool) -> Result<bool, Gap> {
        self.0.gives_way_to_nobody(attempt, settled)
    }
}

impl Ways<'_> {
    /// Whether none of the vectors of an attempt gives way. Where something is left to try, only what does not depend on
    /// it is looked at.
    fn gives_way_to_nobody(&self, attempt: &Attempt, settled: bool) -> Result<bool, Gap> {
        for &place in &attempt.vectors {
            if self.gives_way(place, &attempt.known, settled)?.is_some() {
                return Ok(false);
            }
            let is_maximal = self.world.net.vector(place).maximal.is_some();
            if settled && is_maximal && self.larger_could_happen(place, attempt)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Which rival a vector gives way to.
    pub fn gives_way(
        &self,
        place: VectorPlace,
        known: &Known,
        settled: bool,
    ) -> Result<Option<RivalId>, Gap> {
        let vector = self.world.net.vector(place);
        for (id, rival) in vector.rivals.enumerated() {
            if (settled || !speaks_of(self.world, rival, vector))
                && self.could_happen(place, rival, known)?
            {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Whether a rival could happen. What it shares with the vector has the vector's values.
    fn could_happen(&self, place: VectorPlace, rival: &Rival, known: &Known) -> Result<bool, Gap> {
        let vector = self.world.net.vector(place);
        let mut env = FxHashMap::default();
        for var in &vector.variables {
            if let Some(value) = known.env.get(var) {
                env.insert(*var, known.store.resolve(value));
            }
        }
        let mut attempt = Attempt::new(Known { env, store: known.store.clone() });
        self.declare(&rival.variables, &mut attempt);
        attempt.demand(Demand::True(rival.guard));
        if attempt.settle(self.world).is_err() {
            return Ok(false);
        }
        let attempts = self.together(place.0, &rival.members, attempt)?;
        let solved = solve(self.world, attempts, &Any(self)).map_err(undecided)?;
        match (solved.found.is_empty(), solved.limited) {
            (false, _) => Ok(true),
            (true, None) => Ok(false),
            (true, Some(name)) => Err(Gap::Rival { name }),
        }
    }
}

/// Whether something goes first depends on values that cannot all be tried.
pub(super) fn undecided(gap: Gap) -> Gap {
    match gap {
        Gap::NeedsDomain { name, .. } => Gap::Rival { name },
        other => other,
    }
}

/// Whether a rival speaks of the variables of a vector.
fn speaks_of(world: &World<'_>, rival: &Rival, vector: &Vector) -> bool {
    let terms = rival.members.iter().map(|member| member.action).chain([rival.guard]);
    terms.flat_map(|term| world.terms.free_vars(term)).any(|var| vector.variables.contains(&var))
}

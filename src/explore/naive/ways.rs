//! What the parts of a net can do, before it is known with which values.
//!
//! A leaf can do its transitions, a hole what its sort allows, and a node its vectors, with each member doing what the
//! vector asks of it. A leaf moves at most once in a step and a node uses at most one vector, so that the variables of
//! transitions and vectors are different as they are.

use super::attempt::{Attempt, Demand, Side};
use super::optional::Staying;
use super::store::Source;
use super::world::World;
use crate::algebra::{Sort, TermId, VarId};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::explore::Gap;
use crate::pnet::{
    Content, HoleId, Members, NodeId, PltsId, PltsStateId, TransitionPlace, VectorPlace,
};

/// Who asks what parts can do: a net in a configuration, with the paths of its leaves.
pub(super) struct Ways<'a> {
    pub world: &'a World<'a>,
    pub states: &'a IndexVec<PltsId, PltsStateId>,
    pub paths: &'a IndexVec<PltsId, String>,
}

pub(super) type Attempts = Result<Vec<Attempt>, Gap>;

impl Ways<'_> {
    /// Everything that a part can do; where an action is wanted, only that.
    pub fn of(&self, content: Content, before: &Attempt, wanted: Option<&Side>) -> Attempts {
        match content {
            Content::Leaf(id) => self.leaf(id, before, wanted),
            Content::Node(id) => self.node(id, before, wanted),
            Content::Hole(id) => Ok(self.hole(id, before, wanted).into_iter().collect()),
        }
    }

    fn leaf(&self, id: PltsId, before: &Attempt, wanted: Option<&Side>) -> Attempts {
        let plts = &self.world.net.plts[id];
        let here =
            |(_, transition): &(_, &crate::pnet::Transition)| transition.source == self.states[id];
        let from_here = plts.transitions.enumerated().filter(here);
        Ok(from_here.filter_map(|(at, _)| self.transition((id, at), before, wanted)).collect())
    }

    /// A transition of a leaf, where it may be possible.
    fn transition(
        &self,
        place: TransitionPlace,
        before: &Attempt,
        wanted: Option<&Side>,
    ) -> Option<Attempt> {
        let transition = self.world.net.transition(place);
        let mut attempt = self.with_inputs(place, before);
        shows(&mut attempt, Side::Term(transition.action), wanted);
        attempt.demand(Demand::True(transition.guard));
        transition.owes.iter().for_each(|owed| attempt.owe(owed.term));
        attempt.settle(self.world).ok().map(|()| attempt)
    }

    /// An attempt at a transition of a leaf, of which nothing is asked yet.
    pub fn with_inputs(&self, place: TransitionPlace, before: &Attempt) -> Attempt {
        let transition = self.world.net.transition(place);
        let mut attempt = before.clone();
        for &input in &transition.inputs {
            let name = self.input_name(place.0, transition.action, input);
            attempt.declare(self.world, input, name, Source::Input);
        }
        attempt.transitions.push(place);
        attempt
    }

    fn hole(&self, id: HoleId, before: &Attempt, wanted: Option<&Side>) -> Option<Attempt> {
        let mut attempt = before.clone();
        let path = self.world.net.holes[id].path.clone();
        let action = attempt.unknown(path, Sort::Action, Source::Hole(id));
        attempt.holes.push((id, action.clone()));
        shows(&mut attempt, Side::Is(action), wanted);
        attempt.settle(self.world).ok().map(|()| attempt)
    }

    fn node(&self, id: NodeId, before: &Attempt, wanted: Option<&Side>) -> Attempts {
        let mut found = Vec::new();
        for at in self.world.net.nodes[id].vectors.ids() {
            found.extend(self.vector((id, at), before, wanted)?);
        }
        Ok(found)
    }

    /// A vector of a node, with everything that its members can do for it.
    fn vector(&self, place: VectorPlace, before: &Attempt, wanted: Option<&Side>) -> Attempts {
        let vector = self.world.net.vector(place);
        let mut attempt = before.clone();
        self.declare(&vector.variables, &mut attempt);
        attempt.vectors.push(place);
        shows(&mut attempt, Side::Term(vector.result), wanted);
        attempt.demand(Demand::True(vector.guard));
        vector.owes.iter().for_each(|owed| attempt.owe(owed.term));
        if attempt.settle(self.world).is_err() {
            return Ok(Vec::new());
        }
        let shown = attempt.shown.clone();
        let found = self.together(place.0, &vector.members, attempt)?;
        let staying = match vector.maximal {
            None => Staying::Any,
            Some(_) => Staying::Unable,
        };
        let mut found = self.optional(place, &vector.optional, found, staying)?;
        found.iter_mut().for_each(|attempt| attempt.shown = shown.clone());
        Ok(found)
    }

    /// Variables of a vector that have no values yet.
    pub fn declare(&self, variables: &[VarId], attempt: &mut Attempt) {
        for &var in variables {
            if !attempt.known.env.contains_key(&var) {
                let name = self.world.terms.var(var).name.to_string();
                attempt.declare(self.world, var, name, Source::Vector);
            }
        }
    }

    /// All that members can do together.
    pub fn together(&self, node: NodeId, members: &Members, attempt: Attempt) -> Attempts {
        let parts = &self.world.net.nodes[node].parts;
        let mut all = vec![attempt];
        for member in members {
            let mut next = Vec::new();
            for attempt in &all {
                if is_spent() {
                    return Err(Gap::Stopped);
                }
                let content = parts[member.part].content;
                next.extend(self.of(content, attempt, Some(&Side::Term(member.action)))?);
            }
            all = next;
        }
        Ok(all)
    }

    /// What people call an input.
    fn input_name(&self, leaf: PltsId, action: TermId, input: VarId) -> String {
        let terms = self.world.terms;
        let mut name = terms.var(input).name.to_string();
        if name == "_" {
            let heads = terms.inside([action]).find_map(|id| match terms.get(id) {
                crate::algebra::Term::Act(id, _) => Some(self.world.net.algebra.action(*id).name),
                _ => None,
            });
            name = heads.map_or(name, |head| head.to_string());
        }
        crate::pnet::path_inside(&self.paths[leaf], &name)
    }
}

/// An attempt shows this, and it must be what is wanted.
fn shows(attempt: &mut Attempt, shown: Side, wanted: Option<&Side>) {
    if let Some(wanted) = wanted {
        attempt.demand(Demand::Same(shown.clone(), wanted.clone()));
    }
    attempt.shown = shown;
}

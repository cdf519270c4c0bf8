//! The safety problem of a net, component by component: the form that all engines share.
//!
//! Input: a pNet, and what is bad. Output: components with their locations and variables, interactions with who takes part
//! in which ways, and formulas for where it begins and what is bad. The open automaton is never made: 22 components with
//! 187 locations have a product that nobody can build.
//!
//! Locations are truth values: for each location of a component there is a variable that is true where the component is
//! there. Exactly one of them is (`Problem::shape`). So all of a problem is formulas over variables, and what an engine finds
//! is a formula over the same variables.
//!
//! Claim: from a configuration there is a step of the net to another one exactly if some interaction leads there. What
//! priorities come to is part of the guards of interactions, as conditions on locations and variables.

use rustc_hash::FxHashMap;

use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::IndexVec;
use crate::diagnostics::Symbol;
use crate::explore::Property;
use crate::pnet::{
    HoleId, PNet, PltsId, PltsStateId, PltsTransitionId, VectorPlace, is_open_world,
};
use crate::tagged_id;

use super::flatten::{Flattened, flatten};
use super::stuck::stuck;

tagged_id! {
    /// A component: a leaf of the net, in the order of the text.
    ComponentId
}

tagged_id! {
    /// An interaction.
    InteractionId
}

tagged_id! {
    /// One of those that take part in an interaction.
    ParticipantId
}

tagged_id! {
    /// One of the ways in which somebody takes part.
    TurnId
}

/// A leaf of the net.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its pLTS.
    pub plts: PltsId,
    /// Its path, by which people know it.
    pub path: String,
    /// For each location, the variable that is true where the component is there.
    pub locations: IndexVec<PltsStateId, VarId>,
    /// Where it begins.
    pub initial: PltsStateId,
    /// Its variables with their initial values; none where any value will do.
    pub variables: Vec<(VarId, Option<TermId>)>,
}

/// A step of the net: components move together, each in one of its ways.
#[derive(Clone, Debug)]
pub struct Interaction {
    /// Who moves, each component once.
    pub participants: IndexVec<ParticipantId, Participant>,
    /// What must hold for all of them together, priorities included: over variables of the state and its own.
    pub guard: Vec<TermId>,
    /// Its own variables: what holes and connectors choose. There must be values for them.
    pub locals: Vec<VarId>,
    /// What holes do.
    pub holes: Vec<(HoleId, TermId)>,
    /// What is shown outside.
    pub action: TermId,
    /// The vectors that it is made of, the innermost first.
    pub vectors: Vec<VectorPlace>,
}

/// A component that moves in an interaction.
#[derive(Clone, Debug)]
pub struct Participant {
    /// Which component.
    pub component: ComponentId,
    /// What it may do; one of these happens.
    pub ways: IndexVec<TurnId, Turn>,
}

/// A transition of a component as a part of an interaction.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The transition.
    pub transition: PltsTransitionId,
    /// Where it starts.
    pub from: PltsStateId,
    /// Where it ends.
    pub to: PltsStateId,
    /// When it can happen, over variables of the state and those of the interaction.
    pub conditions: Vec<TermId>,
    /// What it changes, all at once.
    pub updates: Vec<(VarId, TermId)>,
}

/// What must not be reached.
#[derive(Clone, Copy, Debug)]
pub enum Bad<'p> {
    /// A configuration in which this is false, or has no value.
    Fails(&'p Property),
    /// A configuration in which this is true, or has no value.
    Holds(&'p Property),
    /// A configuration in which this has no value.
    Undefined(&'p Property),
    /// A configuration in which nothing is possible, and not all components are in final locations.
    Stuck,
}

/// Whether something bad can be reached.
#[derive(Clone, Debug)]
pub struct Problem<'n> {
    /// The net.
    pub net: &'n PNet,
    /// All terms of the net, and those of the problem.
    pub terms: Terms,
    /// The components.
    pub components: IndexVec<ComponentId, Component>,
    /// The interactions.
    pub interactions: IndexVec<InteractionId, Interaction>,
    /// Where it begins: conditions on locations, variables and constants.
    pub initial: Vec<TermId>,
    /// What must not be reached: a condition on locations, variables and constants.
    pub bad: TermId,
    /// Whether that is to be stuck, and nothing else.
    pub is_about_deadlocks: bool,
}

/// Why there is no problem to solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// There are too many interactions.
    Interactions,
    /// The budget is spent.
    Stopped,
}

impl<'n> Problem<'n> {
    /// The problem of a net.
    pub fn new(net: &'n PNet, bad: Bad<'_>) -> Result<Problem<'n>, TooLarge> {
        // Members that may take part or not are unfolded before, where there are not too many.
        if net.has_optional() {
            return Err(TooLarge::Interactions);
        }
        let mut terms = match bad {
            Bad::Fails(property) | Bad::Holds(property) | Bad::Undefined(property) => {
                property.terms.clone()
            }
            Bad::Stuck => net.terms.clone(),
        };
        let components = components(net, &mut terms);
        let interactions = flatten(Flattened { net, terms: &mut terms, components: &components })?;
        let initial = initial(&mut terms, &components);
        let no = terms.bool(false);
        let is_about_deadlocks = matches!(bad, Bad::Stuck);
        let mut problem =
            Problem { net, terms, components, interactions, initial, bad: no, is_about_deadlocks };
        problem.bad = problem.what_is_bad(bad);
        problem.terms.freeze();
        Ok(problem)
    }

    /// The same net, with something else that is bad.
    #[must_use]
    pub fn with_bad(&self, bad: TermId) -> Problem<'n> {
        Problem { bad, is_about_deadlocks: false, ..self.clone() }
    }

    /// Has it be bad where nothing is possible but interactions of some kind, and not all components are in final locations.
    pub fn stuck_but(&mut self, kind: impl Fn(&Problem<'_>, &Interaction) -> bool) {
        self.bad = stuck(self, kind);
        self.terms.freeze();
    }

    fn what_is_bad(&mut self, bad: Bad<'_>) -> TermId {
        let (property, wanted) = match bad {
            Bad::Stuck => return stuck(self, |_, _| false),
            Bad::Fails(property) => (property, Some(false)),
            Bad::Holds(property) => (property, Some(true)),
            Bad::Undefined(property) => (property, None),
        };
        let owed = self.about_locations(property, property.owed);
        let undefined = self.terms.not(owed);
        let Some(wanted) = wanted else { return undefined };
        let says = self.about_locations(property, property.says);
        let says = if wanted { says } else { self.terms.not(says) };
        self.terms.or([undefined, says])
    }

    /// A term of a property, with truth values in place of the numbers of locations.
    pub fn about_locations(&mut self, property: &Property, term: TermId) -> TermId {
        let Problem { terms, components, .. } = self;
        let at: FxHashMap<VarId, &Component> = property
            .locations
            .iter()
            .filter_map(|(var, plts)| {
                Some((*var, components.iter().find(|component| component.plts == *plts)?))
            })
            .collect();
        let mut done = FxHashMap::default();
        terms.bottom_up(
            term,
            &mut done,
            |_| true,
            |terms, id, done| {
                let Term::Equal(a, b) = *terms.get(id) else { return terms.rebuilt(id, done) };
                let location = |x: TermId, number: TermId| {
                    let Term::Var(var) = terms.get(x) else { return None };
                    let number = terms.as_int(number)?;
                    let locations = at.get(var)?.locations.as_slice();
                    Some(usize::try_from(number).ok().and_then(|number| locations.get(number)))
                };
                match location(a, b).or_else(|| location(b, a)) {
                    Some(Some(var)) => terms.var_term(*var),
                    // There is no such location.
                    Some(None) => terms.bool(false),
                    None => terms.rebuilt(id, done),
                }
            },
        )
    }

    /// Whether there are actions that nobody declared.
    pub fn is_open_world(&self) -> bool {
        is_open_world(self.net)
    }

    /// That a component is in a location.
    pub fn is_at(&self, component: ComponentId, location: PltsStateId) -> TermId {
        self.terms.var_term(self.components[component].locations[location])
    }

    /// All variables of the state: those for the locations and those of the components.
    pub fn state_variables(&self) -> Vec<VarId> {
        self.components.ids().flat_map(|id| self.variables_of(id)).collect()
    }

    /// The variables of a component, those for its locations first.
    pub fn variables_of(&self, component: ComponentId) -> Vec<VarId> {
        let component = &self.components[component];
        let own = component.variables.iter().map(|(var, _)| *var);
        component.locations.iter().copied().chain(own).collect()
    }

    /// The component that each variable of the state belongs to.
    pub fn owners(&self) -> FxHashMap<VarId, ComponentId> {
        let each = |id: ComponentId| self.variables_of(id).into_iter().map(move |var| (var, id));
        self.components.ids().flat_map(each).collect()
    }

    /// That each component is in exactly one location.
    pub fn shape(&self, terms: &mut Terms) -> Vec<TermId> {
        self.components.iter().flat_map(|component| one_of(terms, component)).collect()
    }

    /// The variables that an interaction may change.
    pub fn changes(&self, id: InteractionId) -> Vec<VarId> {
        let mut all = Vec::new();
        for participant in &self.interactions[id].participants {
            let component = &self.components[participant.component];
            for way in &participant.ways {
                if way.from != way.to {
                    all.extend([component.locations[way.from], component.locations[way.to]]);
                }
                all.extend(way.updates.iter().map(|(var, _)| *var));
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What an interaction is, as conditions on the variables before it and those after it. `next` has a variable for each
    /// that the interaction may change; all others stay as they are.
    pub fn step(
        &self,
        terms: &mut Terms,
        id: InteractionId,
        next: &FxHashMap<VarId, VarId>,
    ) -> Vec<TermId> {
        let interaction = &self.interactions[id];
        let changed = self.changes(id);
        let mut parts = interaction.guard.clone();
        for participant in &interaction.participants {
            let component = &self.components[participant.component];
            let own: Vec<VarId> = self
                .variables_of(participant.component)
                .into_iter()
                .filter(|var| changed.binary_search(var).is_ok())
                .collect();
            let ways = participant.ways.iter();
            let ways: Vec<TermId> =
                ways.map(|way| way_taken(terms, component, way, &own, next)).collect();
            parts.push(terms.or(ways));
        }
        parts
    }

    /// When an interaction can happen: its conditions, without what it changes. There must be values for its locals.
    pub fn enabled(&self, terms: &mut Terms, id: InteractionId) -> Vec<TermId> {
        let interaction = &self.interactions[id];
        let mut parts = interaction.guard.clone();
        for participant in &interaction.participants {
            let component = &self.components[participant.component];
            let ways: Vec<TermId> =
                participant.ways.iter().map(|way| can_start(terms, component, way)).collect();
            parts.push(terms.or(ways));
        }
        parts
    }
}

/// When a way can be taken.
pub(super) fn can_start(terms: &mut Terms, component: &Component, way: &Turn) -> TermId {
    let at = terms.var_term(component.locations[way.from]);
    terms.and(std::iter::once(at).chain(way.conditions.iter().copied()))
}

/// That a way is taken, and everything else of the component that the interaction may change stays as it is.
pub(super) fn way_taken(
    terms: &mut Terms,
    component: &Component,
    way: &Turn,
    changed: &[VarId],
    next: &FxHashMap<VarId, VarId>,
) -> TermId {
    let mut parts = vec![can_start(terms, component, way)];
    let moves = way.from != way.to;
    for &var in changed {
        let Some(&after) = next.get(&var) else { continue };
        let after = terms.var_term(after);
        let updated = way.updates.iter().find(|(updated, _)| *updated == var);
        parts.push(match updated {
            Some(&(_, value)) => terms.equal(after, value),
            None if moves && var == component.locations[way.from] => terms.not(after),
            None if moves && var == component.locations[way.to] => after,
            // A location that is neither of the two is not where the component is, before and after.
            None if component.locations.as_slice().contains(&var) => {
                match var == component.locations[way.from] {
                    true => after,
                    false => terms.not(after),
                }
            }
            None => {
                let before = terms.var_term(var);
                terms.equal(after, before)
            }
        });
    }
    terms.and(parts)
}

/// That exactly one location of a component is where it is.
fn one_of(terms: &mut Terms, component: &Component) -> Vec<TermId> {
    let at: Vec<TermId> = component.locations.iter().map(|&var| terms.var_term(var)).collect();
    let mut parts = vec![terms.or(at.iter().copied())];
    for (place, &one) in at.iter().enumerate() {
        for &other in &at[..place] {
            let both = terms.and([one, other]);
            parts.push(terms.not(both));
        }
    }
    parts
}

fn components(net: &PNet, terms: &mut Terms) -> IndexVec<ComponentId, Component> {
    let leaves = net.leaves();
    let component = |(path, plts): &(String, PltsId)| {
        let leaf = &net.plts[*plts];
        let locations = leaf.states.iter().map(|state| {
            let name = Symbol::new(&format!("{path} in {}", state.name));
            terms.new_var(name, Sort::Bool, VariableKind::State)
        });
        Component {
            plts: *plts,
            path: path.clone(),
            locations: locations.collect(),
            initial: leaf.initial,
            variables: leaf.variables.clone(),
        }
    };
    leaves.iter().map(component).collect()
}

fn initial(terms: &mut Terms, components: &IndexVec<ComponentId, Component>) -> Vec<TermId> {
    let mut all = Vec::new();
    for component in components {
        for (location, &var) in component.locations.enumerated() {
            let at = terms.var_term(var);
            all.push(if location == component.initial { at } else { terms.not(at) });
        }
        for &(var, value) in &component.variables {
            let Some(value) = value else { continue };
            let var = terms.var_term(var);
            all.push(terms.equal(var, value));
        }
    }
    all
}

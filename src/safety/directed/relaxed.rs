//! The net without what it loses: interactions as rules that add to what may be, and take nothing away.
//!
//! What may be is kept location by location: for each location of a component, whether it may be there, and what its variables
//! may be there. Which locations of several components, and which values of several variables, occur together is forgotten.

use std::borrow::Cow;

use super::program::{Program, SlotId, Slots};
use super::span::Span;
use crate::algebra::{ConstId, Term, TermId, VarId};
use crate::base::graph::components;
use crate::base::{Dice, IndexVec};
use crate::explore::Configuration;
use crate::pnet::{PltsId, PltsStateId};
use crate::safety::{ComponentId, Interaction, Participant, Problem, Turn};
use crate::tagged_id;

tagged_id! {
    /// A rule: an interaction that only adds.
    RuleId
}

tagged_id! {
    /// What may be in one place: that a component is in a location, what a variable is there, or what a constant is.
    CellId
}

/// What adds to what may be.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// What must be possible for all.
    pub guard: Vec<Program>,
    /// Who takes part, each in one of these ways.
    pub parts: Vec<Vec<Manner>>,
}

/// A way to take part.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    pub component: ComponentId,
    pub from: PltsStateId,
    pub to: PltsStateId,
    pub conditions: Vec<Program>,
    /// Whether there is no way back to where it starts.
    pub is_final: bool,
    /// What its variables may be where it ends.
    pub adds: Vec<(SlotId, Program)>,
}

/// What is looked for.
#[derive(Clone, Debug)]
pub(super) enum Aim {
    /// All of these, with components in these locations.
    All(Vec<(ComponentId, PltsStateId)>, Vec<Aim>),
    One(Vec<Aim>),
    Holds(Program),
}

/// What a slot is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// That a component is in a location.
    Location(ComponentId, PltsStateId),
    /// A variable: its component, its place there, and the cell for the first location.
    Variable(ComponentId, usize, CellId),
    /// A constant.
    Constant(usize, CellId),
}

/// A component.
#[derive(Clone, Debug)]
pub(super) struct Place {
    plts: PltsId,
    /// Its locations.
    pub count: u32,
    /// The cell that it may be in the first location.
    pub first: CellId,
}

/// Where components are, as far as that is settled. These are few: those that take part in one interaction.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled(Vec<(ComponentId, PltsStateId)>);

impl Settled {
    pub fn of(&self, component: ComponentId) -> Option<PltsStateId> {
        self.0.iter().rev().find(|(one, _)| *one == component).map(|(_, there)| *there)
    }

    /// One more is settled.
    pub fn settle(&mut self, component: ComponentId, location: PltsStateId) {
        self.0.push((component, location));
    }

    /// With one more.
    pub fn with(&self, component: ComponentId, location: PltsStateId) -> Cow<'_, Settled> {
        if self.of(component) == Some(location) {
            return Cow::Borrowed(self);
        }
        let mut more = self.clone();
        more.settle(component, location);
        Cow::Owned(more)
    }
}

/// A problem in this form.
#[derive(Clone, Debug)]
pub(super) struct Relaxed {
    pub places: IndexVec<ComponentId, Place>,
    pub sources: IndexVec<SlotId, Source>,
    pub cells: usize,
    pub rules: IndexVec<RuleId, Rule>,
    /// The rules that read something of a component.
    pub readers: IndexVec<ComponentId, Vec<RuleId>>,
    pub aim: Aim,
}

/// What is bad is taken apart so deep, and no deeper.
const MOST_LEVELS: usize = 40;

/// The cell that belongs to a location, where there is one for each.
pub(super) fn at(first: CellId, location: PltsStateId) -> CellId {
    CellId(first.0 + location.0)
}

impl Relaxed {
    /// In this form; in which order rules happen is left to the dice, if there are any.
    pub fn new(problem: &Problem<'_>, dice: Option<&mut Dice>) -> Relaxed {
        let mut slots = Slots::default();
        let (places, sources, cells) = layout(problem, &mut slots);
        let groups = groups(problem, &places, cells);
        let compiling = Compiling { problem, slots: &slots, places: &places, groups: &groups };
        let mut rules: Vec<Rule> =
            problem.interactions.iter().map(|one| compiling.rule(one)).collect();
        if let Some(dice) = dice {
            (1..rules.len()).for_each(|last| rules.swap(last, dice.below(last + 1)));
        }
        let rules: IndexVec<RuleId, Rule> = rules.into_iter().collect();
        let mut readers: IndexVec<ComponentId, Vec<RuleId>> =
            places.iter().map(|_| Vec::new()).collect();
        for (id, rule) in rules.enumerated() {
            read_by(rule, &sources).into_iter().for_each(|one| readers[one].push(id));
        }
        let aim = compiling.aim(problem.bad, true, MOST_LEVELS);
        Relaxed { places, sources, cells, rules, readers, aim }
    }

    /// What is the case in a configuration: these cells, and nothing else.
    pub fn cells_of(&self, here: &Configuration) -> Vec<(CellId, Span)> {
        let mut cells = Vec::new();
        for place in &self.places {
            cells.push((at(place.first, here.states[place.plts]), Span::YES));
        }
        for source in &self.sources {
            match *source {
                Source::Location(..) => {}
                Source::Variable(component, number, first) => {
                    let plts = self.places[component].plts;
                    let value = &here.values[plts][number];
                    cells.push((at(first, here.states[plts]), Span::of(value)));
                }
                Source::Constant(number, cell) => {
                    let value = here.constants[number].as_ref();
                    cells.push((cell, value.map_or(Span::ANY, Span::of)));
                }
            }
        }
        cells
    }

    /// What a slot may be, where some components are in these locations.
    pub fn span(&self, slot: SlotId, settled: &Settled, of: impl Fn(CellId) -> Span) -> Span {
        match self.sources[slot] {
            Source::Constant(_, cell) => of(cell),
            Source::Location(component, location) => match settled.of(component) {
                Some(there) => Span::truth(there == location),
                None => {
                    let cells = self.locations(component).map(|one| {
                        let may = of(at(self.places[component].first, one)).may_hold();
                        if may { Span::truth(one == location) } else { Span::EMPTY }
                    });
                    cells.fold(Span::EMPTY, Span::or)
                }
            },
            Source::Variable(component, _, first) => match settled.of(component) {
                Some(there) => of(at(first, there)),
                None => self
                    .locations(component)
                    .map(|one| of(at(first, one)))
                    .fold(Span::EMPTY, Span::or),
            },
        }
    }

    pub fn locations(&self, component: ComponentId) -> impl Iterator<Item = PltsStateId> + use<> {
        (0..self.places[component].count).map(PltsStateId)
    }

    /// Nothing is settled.
    pub fn unsettled(&self) -> Settled {
        Settled::default()
    }
}

/// The components whose locations or variables a rule reads.
fn read_by(rule: &Rule, sources: &IndexVec<SlotId, Source>) -> Vec<ComponentId> {
    let mut read: Vec<ComponentId> = Vec::new();
    let mut programs: Vec<&Program> = rule.guard.iter().collect();
    for manner in rule.parts.iter().flatten() {
        read.push(manner.component);
        programs.extend(manner.conditions.iter().chain(manner.adds.iter().map(|(_, add)| add)));
    }
    for &slot in programs.iter().flat_map(|program| &program.reads) {
        match sources[slot] {
            Source::Location(component, _) | Source::Variable(component, ..) => {
                read.push(component)
            }
            Source::Constant(..) => {}
        }
    }
    read.sort_unstable();
    read.dedup();
    read
}

/// Gives everything its slot and its cells.
fn layout(
    problem: &Problem<'_>,
    slots: &mut Slots,
) -> (IndexVec<ComponentId, Place>, IndexVec<SlotId, Source>, usize) {
    let (mut places, mut sources) = (IndexVec::default(), IndexVec::default());
    let mut cells = 0;
    let mut take = |count: usize| {
        let first = CellId(cells as u32);
        cells += count;
        first
    };
    for (id, component) in problem.components.enumerated() {
        let count = component.locations.len();
        let (plts, first) = (component.plts, take(count));
        places.push(Place { plts, count: count as u32, first });
        for (location, &var) in component.locations.enumerated() {
            slots.variables.insert(var, sources.push(Source::Location(id, location)));
        }
        for (number, &(var, _)) in component.variables.iter().enumerate() {
            let source = Source::Variable(id, number, take(count));
            slots.variables.insert(var, sources.push(source));
        }
    }
    for number in 0..problem.net.algebra.constants.len() {
        let source = Source::Constant(number, take(1));
        slots.constants.insert(ConstId(number as u32), sources.push(source));
    }
    (places, sources, cells)
}

/// Locations that lead to each other have the same number; by the cells for locations.
fn groups(
    problem: &Problem<'_>,
    places: &IndexVec<ComponentId, Place>,
    cells: usize,
) -> Vec<usize> {
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); cells];
    for participant in problem.interactions.iter().flat_map(|one| &one.participants) {
        let first = places[participant.component].first;
        for way in &participant.ways {
            edges[at(first, way.from).index()].push(at(first, way.to).index());
        }
    }
    let mut groups = vec![0; cells];
    for (number, group) in components(&edges).iter().enumerate() {
        group.iter().for_each(|&cell| groups[cell] = number);
    }
    groups
}

struct Compiling<'c, 'n> {
    problem: &'c Problem<'n>,
    slots: &'c Slots,
    places: &'c IndexVec<ComponentId, Place>,
    groups: &'c [usize],
}

impl Compiling<'_, '_> {
    fn program(&self, term: TermId) -> Program {
        Program::new(&self.problem.net.algebra, &self.problem.terms, self.slots, term)
    }

    fn rule(&self, interaction: &Interaction) -> Rule {
        let manners = |one: &Participant| {
            one.ways.iter().map(|way| self.manner(one.component, way)).collect()
        };
        Rule {
            guard: interaction.guard.iter().map(|&one| self.program(one)).collect(),
            parts: interaction.participants.iter().map(manners).collect(),
        }
    }

    fn manner(&self, id: ComponentId, way: &Turn) -> Manner {
        let component = &self.problem.components[id];
        let (from, to) = (way.from, way.to);
        let mut adds = Vec::new();
        for &(var, _) in &component.variables {
            let updated = way.updates.iter().find(|(updated, _)| *updated == var);
            let value = match updated {
                Some(&(_, value)) => value,
                // What does not change is taken along.
                None if from != to => self.problem.terms.var_term(var),
                None => continue,
            };
            let slot = self.slots.variables.get(&var);
            adds.extend(slot.map(|&slot| (slot, self.program(value))));
        }
        let first = self.places[id].first;
        let group = |location: PltsStateId| self.groups[at(first, location).index()];
        let conditions = way.conditions.iter().map(|&one| self.program(one)).collect();
        Manner { component: id, from, to, conditions, is_final: group(from) != group(to), adds }
    }

    fn aim(&self, term: TermId, positive: bool, levels: usize) -> Aim {
        let inside = |parts: &[TermId]| -> Vec<Aim> {
            parts.iter().map(|&part| self.aim(part, positive, levels - 1)).collect()
        };
        match self.problem.terms.get(term) {
            Term::Not(inner) if levels > 0 => self.aim(*inner, !positive, levels - 1),
            Term::And(parts) if levels > 0 && positive => all(inside(parts)),
            Term::And(parts) if levels > 0 => Aim::One(inside(parts)),
            Term::Or(parts) if levels > 0 && positive => Aim::One(inside(parts)),
            Term::Or(parts) if levels > 0 => all(inside(parts)),
            Term::Var(var) if positive => match self.location(*var) {
                Some(there) => Aim::All(vec![there], Vec::new()),
                None => Aim::Holds(self.program(term)),
            },
            _ if positive => Aim::Holds(self.program(term)),
            _ => Aim::Holds(self.program(term).denied()),
        }
    }

    /// The component and the location that a truth value speaks of.
    fn location(&self, var: VarId) -> Option<(ComponentId, PltsStateId)> {
        let mut components = self.problem.components.enumerated();
        components.find_map(|(id, component)| {
            let mut locations = component.locations.enumerated();
            locations.find(|(_, is_there)| **is_there == var).map(|(location, _)| (id, location))
        })
    }
}

/// All of these: locations are settled first.
fn all(parts: Vec<Aim>) -> Aim {
    let (mut settled, mut rest) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Aim::All(there, others) => {
                settled.extend(there);
                rest.extend(others);
            }
            other => rest.push(other),
        }
    }
    Aim::All(settled, rest)
}

//! What may be invariant: conditions that hold in all examples, and those that the model itself speaks of.
//!
//! Each candidate says something of the values of one component, or of two that have to do with each other, where they are in
//! certain locations: bounds, differences, remainders, equality; or that they are never there together. Linear equations
//! speak of all.

use itertools::Itertools;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use super::affine;
use super::sample::{Quantity, Samples, Thing};
use crate::algebra::{Term, TermId, Terms, VarId};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::explore::Value;
use crate::pnet::PltsStateId;
use crate::safety::{ComponentId, Problem};

/// A condition that may be invariant.
#[derive(Clone, Debug)]
pub(in crate::safety) struct Candidate {
    pub term: TermId,
    /// The components that it speaks of, in order.
    pub components: Vec<ComponentId>,
    /// Whether it holds wherever components are.
    pub anywhere: bool,
}

/// Some examples are needed before a disequality is worth a guess.
const ENOUGH: usize = 5;

/// More conditions of the guards of a component are not combined with those of others.
const MOST_LITERALS: usize = 8;

/// Equations over more quantities are not looked for.
const MOST_COLUMNS: usize = 160;

/// Where components are: some of them in certain locations.
type Spot = Vec<(ComponentId, PltsStateId)>;

/// How much is guessed: each stage guesses more than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    /// Of components alone, and of pairs that move together.
    Near,
    /// Equations, and what is the same where guards say so.
    Sums,
    /// Of members that move with the same third, and of all pairs of members together.
    Peers,
    /// Of all that move with the same third.
    Far,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Stage; 4] = [Stage::Near, Stage::Sums, Stage::Peers, Stage::Far];
}

/// What is guessed in a stage, that was not guessed before.
pub(super) fn candidates(
    problem: &Problem<'_>,
    terms: &mut Terms,
    samples: &Samples,
    (stage, seen): (Stage, &mut FxHashSet<TermId>),
) -> Vec<Candidate> {
    let mut maker = Maker::new(problem, terms, samples);
    maker.seen = std::mem::take(seen);
    let Related { near, peers, far } = related(problem);
    match stage {
        Stage::Near => {
            maker.goal();
            for id in problem.components.ids() {
                maker.alone(id);
                maker.spoken(id);
            }
            near.iter().for_each(|&(one, other)| maker.together(one, other, Whose::Any));
        }
        Stage::Sums => {
            maker.equations();
            near.iter().for_each(|&(one, other)| maker.same_where(one, other));
        }
        Stage::Peers => {
            peers.iter().for_each(|&(one, other)| maker.together(one, other, Whose::Same));
            maker.pooled(&near);
            maker.pooled(&peers);
        }
        Stage::Far => {
            peers.iter().chain(&far).for_each(|&(one, other)| {
                maker.together(one, other, Whose::Any);
                maker.same_where(one, other);
            });
        }
    }
    *seen = std::mem::take(&mut maker.seen);
    maker.found
}

/// Which variables of two components are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    /// All.
    Any,
    /// Those of the same name.
    Same,
}

type Pairs = Vec<(ComponentId, ComponentId)>;

/// Pairs of components that have to do with each other.
struct Related {
    /// They take part in an interaction together.
    near: Pairs,
    /// They are of one process, and take part in interactions with a third one.
    peers: Pairs,
    /// They are of different processes, and take part in interactions with a third one.
    far: Pairs,
}

fn related(problem: &Problem<'_>) -> Related {
    let mut near: FxHashMap<ComponentId, FxHashSet<ComponentId>> = FxHashMap::default();
    for interaction in &problem.interactions {
        let who = interaction.participants.iter().map(|participant| participant.component);
        for [one, other] in who.array_combinations() {
            near.entry(one).or_default().insert(other);
            near.entry(other).or_default().insert(one);
        }
    }
    let process = |id: ComponentId| problem.net.plts[problem.components[id].plts].name;
    let (mut direct, mut others_of) = (FxHashSet::default(), FxHashSet::default());
    for (&one, others) in &near {
        direct.extend(others.iter().map(|&other| (one.min(other), one.max(other))));
        let pairs = others.iter().array_combinations();
        others_of.extend(pairs.map(|[&a, &b]| (a.min(b), a.max(b))));
    }
    let indirect = others_of.into_iter().filter(|pair| !direct.contains(pair)).sorted_unstable();
    let (peers, far) = indirect.partition(|&(one, other)| process(one) == process(other));
    Related { near: direct.iter().copied().sorted_unstable().collect(), peers, far }
}

struct Maker<'m, 'n> {
    problem: &'m Problem<'n>,
    terms: &'m mut Terms,
    samples: &'m Samples,
    owners: FxHashMap<VarId, ComponentId>,
    /// Numbers that the model speaks of, in order.
    numbers: Vec<i64>,
    moduli: Vec<i64>,
    seen: FxHashSet<TermId>,
    found: Vec<Candidate>,
}

impl<'m, 'n> Maker<'m, 'n> {
    fn new(problem: &'m Problem<'n>, terms: &'m mut Terms, samples: &'m Samples) -> Maker<'m, 'n> {
        let (numbers, moduli) = numbers(problem);
        let owners = problem.owners();
        let (seen, found) = (FxHashSet::default(), Vec::new());
        Maker { problem, terms, samples, owners, numbers, moduli, seen, found }
    }

    fn add(&mut self, spot: &Spot, claim: TermId) {
        let at: Vec<TermId> =
            spot.iter().map(|&(id, location)| self.problem.is_at(id, location)).collect();
        let there = self.terms.and(at);
        let term = self.terms.implies(there, claim);
        if self.terms.as_bool(term).is_some() || !self.seen.insert(term) {
            return;
        }
        let vars = self.terms.free_vars(term);
        let owners = vars.iter().filter_map(|var| self.owners.get(var).copied());
        let components = owners.sorted_unstable().dedup().collect();
        self.found.push(Candidate { term, components, anywhere: spot.is_empty() });
    }

    /// That nothing bad is here, part by part.
    fn goal(&mut self) {
        let good = self.terms.not(self.problem.bad);
        let parts = match self.terms.get(good).clone() {
            Term::And(parts) => parts.to_vec(),
            _ => vec![good],
        };
        parts.into_iter().for_each(|part| self.add(&Vec::new(), part));
    }

    // ---- one component ----

    fn alone(&mut self, id: ComponentId) {
        let samples = self.samples;
        let mut places: FxHashMap<PltsStateId, Vec<usize>> = FxHashMap::default();
        for (number, at) in samples.locations.iter().enumerate() {
            places.entry(at[id]).or_default().push(number);
        }
        let all: Vec<usize> = (0..samples.len()).collect();
        let own: Vec<&Quantity> = samples
            .quantities
            .iter()
            .filter(|one| one.owner == Some(id) || one.owner.is_none())
            .collect();
        self.quantities(&Vec::new(), &all, &own);
        for location in self.problem.components[id].locations.ids() {
            let spot = vec![(id, location)];
            match places.get(&location) {
                Some(here) => {
                    self.quantities(&spot, here, &own);
                    self.things(&spot, here, id);
                }
                None if samples.len() > 0 => {
                    let no = self.terms.bool(false);
                    self.add(&spot, no);
                }
                None => {}
            }
        }
    }

    fn quantities(&mut self, spot: &Spot, here: &[usize], own: &[&Quantity]) {
        for one in own.iter().filter(|one| one.owner.is_some()) {
            let values: Vec<i64> = here.iter().map(|&number| one.values[number]).collect();
            self.bounded(spot, one.term, &values);
            self.remainders(spot, one.term, &values);
        }
        for [one, other] in own.iter().array_combinations() {
            if one.owner.is_some() || other.owner.is_some() {
                self.difference(spot, here, one, other);
            }
        }
    }

    /// Bounds of a quantity: those that were met early and never passed, and numbers of the model.
    fn bounded(&mut self, spot: &Spot, term: TermId, values: &[i64]) {
        let Some((low, high)) = values.iter().copied().minmax().into_option() else { return };
        let early = values[..values.len().div_ceil(2)].iter().copied().minmax().into_option();
        let (early_low, early_high) = early.unwrap_or((low, high));
        let below = self.numbers.iter().rev().copied().find(|&number| number <= low);
        let above = self.numbers.iter().copied().find(|&number| number >= high);
        let lows = below.into_iter().chain((early_low == low).then_some(low));
        for low in lows.collect::<FxHashSet<i64>>().into_iter().sorted() {
            let low = self.terms.int(low);
            let claim = self.terms.less_equal(low, term);
            self.add(spot, claim);
        }
        let highs = above.into_iter().chain((early_high == high).then_some(high));
        for high in highs.collect::<FxHashSet<i64>>().into_iter().sorted() {
            let high = self.terms.int(high);
            let claim = self.terms.less_equal(term, high);
            self.add(spot, claim);
        }
    }

    fn remainders(&mut self, spot: &Spot, term: TermId, values: &[i64]) {
        if values.iter().collect::<FxHashSet<_>>().len() < 3 {
            return;
        }
        for modulus in self.moduli.clone() {
            let Ok(rest) = values.iter().map(|value| value.rem_euclid(modulus)).all_equal_value()
            else {
                continue;
            };
            let (modulus, rest) = (self.terms.int(modulus), self.terms.int(rest));
            let remainder = self.terms.modulo(term, modulus);
            let claim = self.terms.equal(remainder, rest);
            self.add(spot, claim);
        }
    }

    fn difference(&mut self, spot: &Spot, here: &[usize], one: &Quantity, other: &Quantity) {
        let values: Vec<i64> =
            here.iter().map(|&at| one.values[at].saturating_sub(other.values[at])).collect();
        let minus = self.terms.negate(other.term);
        let term = self.terms.add([one.term, minus]);
        let own = |quantity: &Quantity| {
            here.iter().map(|&at| quantity.values[at]).minmax().into_option().unwrap_or_default()
        };
        let ((one_low, one_high), (other_low, other_high)) = (own(one), own(other));
        // What follows from the bounds of the two is nothing new.
        let implied = (one_low.saturating_sub(other_high), one_high.saturating_sub(other_low));
        self.differences(spot, term, &values, implied);
        if !values.contains(&0) && values.len() >= ENOUGH {
            let same = self.terms.equal(one.term, other.term);
            let claim = self.terms.not(same);
            self.add(spot, claim);
        }
    }

    /// Bounds of a difference that were met early and never passed.
    fn differences(
        &mut self,
        spot: &Spot,
        term: TermId,
        values: &[i64],
        (implied_low, implied_high): (i64, i64),
    ) {
        let Some((low, high)) = values.iter().copied().minmax().into_option() else { return };
        let early = values[..values.len().div_ceil(2)].iter().copied().minmax().into_option();
        let (early_low, early_high) = early.unwrap_or((low, high));
        let nearby = |bound: i64| bound.abs() <= 2 || self.numbers.contains(&bound.abs());
        // An order between the two is worth keeping even so: the bounds may not be inductive.
        let ordered = |bound: i64| bound.abs() <= 1;
        let keep_low = ordered(low) || low > implied_low && (early_low == low || nearby(low));
        let keep_high =
            ordered(high) || high < implied_high && (early_high == high || nearby(high));
        if keep_low {
            let low = self.terms.int(low);
            let claim = self.terms.less_equal(low, term);
            self.add(spot, claim);
        }
        if keep_high {
            let high = self.terms.int(high);
            let claim = self.terms.less_equal(term, high);
            self.add(spot, claim);
        }
    }

    /// Values of other sorts: constant, or the same.
    fn things(&mut self, spot: &Spot, here: &[usize], id: ComponentId) {
        let samples = self.samples;
        for thing in samples.things.iter().filter(|thing| thing.owner == id) {
            let mut values = here.iter().map(|&number| &thing.values[number]);
            let Ok(value) = values.all_equal_value() else { continue };
            if let Some(value) = self.value(value) {
                let claim = self.terms.equal(thing.term, value);
                self.add(spot, claim);
            }
        }
    }

    /// A value as a term, where it is a simple one.
    fn value(&mut self, value: &Value) -> Option<TermId> {
        match value {
            Value::Bool(value) => Some(self.terms.bool(*value)),
            Value::Data(data, constructor, fields) if fields.is_empty() => {
                Some(self.terms.raw(Term::Construct(*data, *constructor, Box::default())))
            }
            _ => None,
        }
    }

    /// What the guards of a component speak of, where it is in each of its locations.
    fn spoken(&mut self, id: ComponentId) {
        let atoms = self.atoms(id);
        for atom in atoms {
            let known = truth(self.terms, self.samples, atom);
            for location in self.problem.components[id].locations.ids() {
                let spot = vec![(id, location)];
                let mut seen = (false, false);
                for (at, value) in self.samples.locations.iter().zip(&known) {
                    if at[id] == location {
                        seen = (seen.0 | (*value != Some(false)), seen.1 | (*value != Some(true)));
                    }
                }
                if !seen.1 {
                    self.add(&spot, atom);
                }
                if !seen.0 {
                    let not = self.terms.not(atom);
                    self.add(&spot, not);
                }
            }
        }
    }

    /// Quantities of two components that are the same where something holds that their guards speak of.
    fn same_where(&mut self, one: ComponentId, other: ComponentId) {
        let samples = self.samples;
        let own = |id: ComponentId| -> Vec<&Quantity> {
            samples.quantities.iter().filter(|known| known.owner == Some(id)).collect()
        };
        let pairs: Vec<(&Quantity, &Quantity)> =
            own(one).into_iter().cartesian_product(own(other)).collect();
        if pairs.is_empty() {
            return;
        }
        let (here, there) = (self.literals(one), self.literals(other));
        for ((a, held_a), (b, held_b)) in here.iter().cartesian_product(&there) {
            let both: Vec<usize> =
                (0..samples.len()).filter(|&at| held_a[at] && held_b[at]).collect();
            if both.len() < ENOUGH {
                continue;
            }
            for (x, y) in &pairs {
                if both.iter().all(|&at| x.values[at] == y.values[at]) {
                    let same = self.terms.equal(x.term, y.term);
                    let when = self.terms.and([*a, *b]);
                    let claim = self.terms.implies(when, same);
                    self.add(&Vec::new(), claim);
                }
            }
        }
    }

    /// What the guards of a component speak of, and its opposite, with the examples in which it holds.
    fn literals(&mut self, id: ComponentId) -> Vec<(TermId, Vec<bool>)> {
        let mut found = Vec::new();
        for atom in self.atoms(id).into_iter().take(MOST_LITERALS) {
            let known = truth(self.terms, self.samples, atom);
            let not = self.terms.not(atom);
            found.push((atom, known.iter().map(|value| *value == Some(true)).collect()));
            found.push((not, known.iter().map(|value| *value == Some(false)).collect()));
        }
        found
    }

    /// The comparisons in guards of a component that speak of its variables alone.
    fn atoms(&self, id: ComponentId) -> Vec<TermId> {
        let own: FxHashSet<VarId> = self.problem.variables_of(id).into_iter().collect();
        let mut roots = Vec::new();
        for interaction in &self.problem.interactions {
            let takes_part = |one: &&crate::safety::Participant| one.component == id;
            for participant in interaction.participants.iter().filter(takes_part) {
                roots.extend(participant.ways.iter().flat_map(|way| &way.conditions));
                let updates = participant.ways.iter().flat_map(|way| &way.updates);
                roots.extend(updates.map(|(_, value)| *value));
                roots.extend(&interaction.guard);
            }
        }
        let is_atom = |term: &TermId| {
            matches!(
                self.terms.get(*term),
                Term::Equal(..) | Term::Less(..) | Term::LessEqual(..) | Term::IsConstructor(..)
            )
        };
        let speaks = |term: &TermId| {
            let vars = self.terms.free_vars(*term);
            !vars.is_empty() && vars.iter().all(|var| own.contains(var))
        };
        let inside = self.terms.inside(roots).filter(is_atom).filter(speaks);
        inside.sorted_unstable().dedup().take(40).collect()
    }

    // ---- two components ----

    fn together(&mut self, one: ComponentId, other: ComponentId, whose: Whose) {
        if is_spent() {
            return;
        }
        let samples = self.samples;
        let mut places: FxHashMap<(PltsStateId, PltsStateId), Vec<usize>> = FxHashMap::default();
        for (number, at) in samples.locations.iter().enumerate() {
            places.entry((at[one], at[other])).or_default().push(number);
        }
        let own = |id: ComponentId| -> Vec<&Quantity> {
            samples.quantities.iter().filter(|known| known.owner == Some(id)).collect()
        };
        let things = |id: ComponentId| -> Vec<&Thing> {
            samples.things.iter().filter(|known| known.owner == id).collect()
        };
        let pairs = self.compared(&own(one), &own(other), whose);
        let like: Vec<(&Thing, &Thing)> = things(one)
            .into_iter()
            .cartesian_product(things(other))
            .filter(|(a, b)| a.sort == b.sort)
            .collect();
        let all: Vec<usize> = (0..samples.len()).collect();
        for (a, b) in &pairs {
            self.difference(&Vec::new(), &all, a, b);
        }
        let components = &self.problem.components;
        let spots =
            components[one].locations.ids().cartesian_product(components[other].locations.ids());
        for (here, there) in spots {
            let spot = vec![(one, here), (other, there)];
            match places.get(&(here, there)) {
                None if samples.len() > 0 => {
                    let no = self.terms.bool(false);
                    self.add(&spot, no);
                }
                None => {}
                Some(numbers) => {
                    pairs.iter().for_each(|(a, b)| self.difference(&spot, numbers, a, b));
                    like.iter().for_each(|(a, b)| self.alike(&spot, numbers, a, b));
                    self.both_alone((one, here), &spot, numbers, &own(one));
                    self.both_alone((other, there), &spot, numbers, &own(other));
                }
            }
        }
    }

    /// Which quantities of two components are compared.
    fn compared<'q>(
        &self,
        ours: &[&'q Quantity],
        theirs: &[&'q Quantity],
        whose: Whose,
    ) -> Vec<(&'q Quantity, &'q Quantity)> {
        match whose {
            Whose::Any => ours.iter().copied().cartesian_product(theirs.iter().copied()).collect(),
            // Members of one process have their quantities in the same order.
            Whose::Same => ours.iter().copied().zip(theirs.iter().copied()).collect(),
        }
    }

    /// Bounds of quantities of one component where another is in a certain location, if they are tighter there than wherever
    /// the component is in its location.
    fn both_alone(
        &mut self,
        (id, location): (ComponentId, PltsStateId),
        spot: &Spot,
        here: &[usize],
        own: &[&Quantity],
    ) {
        let samples = self.samples;
        for one in own {
            let values: Vec<i64> = here.iter().map(|&number| one.values[number]).collect();
            let wherever = samples.locations.iter().zip(&one.values);
            let wherever = wherever.filter(|(at, _)| at[id] == location).map(|(_, value)| *value);
            if values.iter().copied().minmax() != wherever.minmax() {
                self.bounded(spot, one.term, &values);
            }
        }
    }

    fn alike(&mut self, spot: &Spot, here: &[usize], one: &Thing, other: &Thing) {
        let same = |&at: &usize| one.values[at] == other.values[at];
        let equal = self.terms.equal(one.term, other.term);
        if here.iter().all(same) {
            self.add(spot, equal);
        } else if !here.iter().any(same) {
            let claim = self.terms.not(equal);
            self.add(spot, claim);
        }
    }

    /// Differences between quantities of two components of certain processes, over all pairs of such components: what is
    /// true of one pair in one example may be true of another pair in another.
    fn pooled(&mut self, pairs: &[(ComponentId, ComponentId)]) {
        let mut kinds: FxHashMap<(Symbol, Symbol), Vec<(ComponentId, ComponentId)>> =
            FxHashMap::default();
        let process =
            |id: ComponentId| self.problem.net.plts[self.problem.components[id].plts].name;
        for &(one, other) in pairs {
            kinds.entry((process(one), process(other))).or_default().push((one, other));
        }
        for pairs in kinds.into_values().sorted() {
            if pairs.len() > 1 && !is_spent() {
                self.pooled_kind(&pairs);
            }
        }
    }

    fn pooled_kind(&mut self, pairs: &[(ComponentId, ComponentId)]) {
        let samples = self.samples;
        let own = |id: ComponentId| -> Vec<&Quantity> {
            samples.quantities.iter().filter(|known| known.owner == Some(id)).collect()
        };
        let mut pooled: FxHashMap<(PltsStateId, PltsStateId, usize, usize), Differences> =
            FxHashMap::default();
        for &(one, other) in pairs {
            let (ours, theirs) = (own(one), own(other));
            for (number, at) in samples.locations.iter().enumerate() {
                for (a, x) in ours.iter().enumerate() {
                    for (b, y) in theirs.iter().enumerate() {
                        let value = x.values[number].saturating_sub(y.values[number]);
                        pooled.entry((at[one], at[other], a, b)).or_default().add(value);
                    }
                }
            }
        }
        for ((here, there, a, b), seen) in pooled.into_iter().sorted_by_key(|(key, _)| *key) {
            for &(one, other) in pairs {
                let (ours, theirs) = (own(one), own(other));
                let (Some(x), Some(y)) = (ours.get(a), theirs.get(b)) else { continue };
                let spot = vec![(one, here), (other, there)];
                self.between(&spot, (x.term, y.term), &seen);
            }
        }
    }

    /// What is known of a difference.
    fn between(&mut self, spot: &Spot, (x, y): (TermId, TermId), seen: &Differences) {
        let minus = self.terms.negate(y);
        let term = self.terms.add([x, minus]);
        let nearby = |bound: i64| bound.abs() <= 2 || self.numbers.contains(&bound.abs());
        let (keep_low, keep_high) = (nearby(seen.low), nearby(seen.high));
        if keep_low {
            let low = self.terms.int(seen.low);
            let claim = self.terms.less_equal(low, term);
            self.add(spot, claim);
        }
        if keep_high {
            let high = self.terms.int(seen.high);
            let claim = self.terms.less_equal(term, high);
            self.add(spot, claim);
        }
        if !seen.zero && seen.count >= ENOUGH {
            let same = self.terms.equal(x, y);
            let claim = self.terms.not(same);
            self.add(spot, claim);
        }
    }

    // ---- all of them ----

    /// Linear equations between quantities and numbers of members in each location.
    fn equations(&mut self) {
        let mut columns: Vec<(TermId, Vec<i64>)> =
            self.samples.quantities.iter().map(|one| (one.term, one.values.clone())).collect();
        for members in self.groups() {
            self.count(&members, &mut columns);
        }
        if columns.len() > MOST_COLUMNS || self.samples.len() < ENOUGH {
            return;
        }
        let rows: Vec<Vec<i64>> = (0..self.samples.len())
            .map(|number| columns.iter().map(|(_, values)| values[number]).collect())
            .collect();
        for equation in affine::equations(&rows) {
            let parts: Vec<TermId> = equation
                .terms
                .iter()
                .map(|&(column, factor)| {
                    let factor = self.terms.int(factor);
                    self.terms.multiply([factor, columns[column].0])
                })
                .collect();
            let (sum, constant) = (self.terms.add(parts), self.terms.int(equation.constant));
            let claim = self.terms.equal(sum, constant);
            self.add(&Vec::new(), claim);
        }
    }

    /// Components that are members of the same family: of the same process.
    fn groups(&self) -> Vec<Vec<ComponentId>> {
        let mut groups: FxHashMap<Symbol, Vec<ComponentId>> = FxHashMap::default();
        for (id, component) in self.problem.components.enumerated() {
            let name = self.problem.net.plts[component.plts].name;
            groups.entry(name).or_default().push(id);
        }
        groups.into_values().sorted().collect()
    }

    /// How many members are in each location but the last.
    fn count(&mut self, members: &[ComponentId], columns: &mut Vec<(TermId, Vec<i64>)>) {
        let Some(&first) = members.first() else { return };
        let (one, zero) = (self.terms.int(1), self.terms.int(0));
        let locations = self.problem.components[first].locations.ids().skip(1);
        for location in locations.collect::<Vec<_>>() {
            let each: Vec<TermId> = members
                .iter()
                .map(|&id| {
                    let at = self.problem.is_at(id, location);
                    self.terms.if_then_else(at, one, zero)
                })
                .collect();
            let sum = self.terms.add(each);
            let is_there = |at: &crate::base::IndexVec<ComponentId, PltsStateId>| {
                members.iter().filter(|&&id| at[id] == location).count() as i64
            };
            columns.push((sum, self.samples.locations.iter().map(is_there).collect()));
        }
    }
}

/// What was seen of a difference.
struct Differences {
    low: i64,
    high: i64,
    zero: bool,
    count: usize,
}

impl Default for Differences {
    fn default() -> Differences {
        Differences { low: i64::MAX, high: i64::MIN, zero: false, count: 0 }
    }
}

impl Differences {
    fn add(&mut self, value: i64) {
        self.low = self.low.min(value);
        self.high = self.high.max(value);
        self.zero |= value == 0;
        self.count += 1;
    }
}

/// Whether a comparison holds in each example, where it is one of sums of quantities.
fn truth(terms: &Terms, samples: &Samples, atom: TermId) -> Vec<Option<bool>> {
    let places: FxHashMap<TermId, usize> =
        samples.quantities.iter().enumerate().map(|(place, one)| (one.term, place)).collect();
    let number = |term: TermId, at: usize| sum(terms, samples, &places, term, at);
    let holds = |at: usize| match *terms.get(atom) {
        Term::Equal(a, b) => Some(number(a, at)? == number(b, at)?),
        Term::Less(a, b) => Some(number(a, at)? < number(b, at)?),
        Term::LessEqual(a, b) => Some(number(a, at)? <= number(b, at)?),
        _ => None,
    };
    (0..samples.len()).map(holds).collect()
}

/// The value of a sum in an example.
fn sum(
    terms: &Terms,
    samples: &Samples,
    places: &FxHashMap<TermId, usize>,
    term: TermId,
    at: usize,
) -> Option<i64> {
    if let Some(&place) = places.get(&term) {
        return Some(samples.quantities[place].values[at]);
    }
    match terms.get(term) {
        Term::Int(value) => value.to_i64(),
        Term::Add(parts) => parts
            .iter()
            .try_fold(0i64, |all, &part| all.checked_add(sum(terms, samples, places, part, at)?)),
        Term::Multiply(parts) => parts
            .iter()
            .try_fold(1i64, |all, &part| all.checked_mul(sum(terms, samples, places, part, at)?)),
        _ => None,
    }
}

/// The numbers that a model speaks of, with their neighbours, and what it counts by.
fn numbers(problem: &Problem<'_>) -> (Vec<i64>, Vec<i64>) {
    let mut roots = problem.initial.clone();
    roots.push(problem.bad);
    for interaction in &problem.interactions {
        roots.extend(&interaction.guard);
        for way in interaction.participants.iter().flat_map(|participant| &participant.ways) {
            roots.extend(&way.conditions);
            roots.extend(way.updates.iter().map(|(_, value)| *value));
        }
    }
    let spoken = problem.terms.inside(roots).filter_map(|id| problem.terms.as_int(id)?.to_i64());
    let spoken: Vec<i64> = spoken.filter(|number| number.abs() < 1 << 40).collect();
    let near = spoken.iter().flat_map(|&number| [number - 1, number, number + 1]);
    let numbers = near.chain([0, 1]).sorted_unstable().dedup().collect();
    let small = spoken.iter().map(|number| number.abs()).filter(|number| (2..=16).contains(number));
    let moduli = small.chain([2]).sorted_unstable().dedup().collect();
    (numbers, moduli)
}

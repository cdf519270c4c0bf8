//! Operands side by side: which of their vectors move together.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::problems::{
    BlockedLabel, GateWithOffers, LonelyGate, Misfit, MisfitVector, SilentPartner, TooManyVectors,
    UnknownLabel,
};
use super::read::{Reading, Scope};
use super::select::{gate, has_offers};
use super::tree::{Element, Global, Name, Unit, VectorTree};
use crate::diagnostics::Span;
use crate::lts::LtsLabel;
use crate::network::NetworkVector;

/// A network may have so many vectors.
pub(super) const MOST_VECTORS: usize = 1 << 20;

/// In all vectors together, so many parts may move.
const MOST_MEMBERS: usize = 1 << 23;

/// An operand: its vectors, and what it is called.
pub(super) struct Operand {
    pub vectors: Vec<NetworkVector>,
    pub name: String,
    pub span: Span,
}

/// Vectors of operands together.
struct Together<'o> {
    operands: &'o [Operand],
    vectors: Vec<NetworkVector>,
    members: usize,
    is_full: bool,
}

impl Together<'_> {
    /// Silent steps of operands happen by themselves.
    fn new(operands: &[Operand]) -> Together<'_> {
        let all = operands.iter().flat_map(|operand| &operand.vectors);
        let vectors = all.filter(|vector| vector.result.is_silent()).cloned().collect();
        Together { operands, vectors, members: 0, is_full: false }
    }

    /// One of the vectors of each of some operands, in all combinations.
    fn add(&mut self, choices: &[(usize, &[usize])], result: LtsLabel) {
        let ways = choices.iter().try_fold(1_usize, |ways, (_, all)| ways.checked_mul(all.len()));
        if ways.is_none_or(|ways| ways.saturating_add(self.vectors.len()) > MOST_VECTORS) {
            self.is_full = true;
        }
        let mut chosen = vec![0; choices.len()];
        while !self.is_full && !crate::base::budget::is_spent() {
            self.push(choices, &chosen, result);
            let next = (0..choices.len()).rev().find(|at| chosen[*at] + 1 < choices[*at].1.len());
            let Some(next) = next else { return };
            chosen[next] += 1;
            chosen[next + 1..].fill(0);
        }
    }

    fn push(&mut self, choices: &[(usize, &[usize])], chosen: &[usize], result: LtsLabel) {
        let mut whole = NetworkVector::new(Vec::new(), result);
        for ((operand, all), choice) in choices.iter().zip(chosen) {
            let one = &self.operands[*operand].vectors[all[*choice]];
            whole.members.extend_from_slice(&one.members);
            whole.rivals.extend_from_slice(&one.rivals);
        }
        self.members += whole.members.len();
        self.is_full |= self.members > MOST_MEMBERS;
        self.vectors.push(whole);
    }
}

/// Offers, as they are compared and as they are written.
type Offers = (Box<str>, Box<str>);

/// The vectors of an operand by what they show: what is named of a label, and the offers.
#[derive(Default)]
struct Shown {
    /// The offers with which something is shown, in order.
    offers: FxHashMap<Box<str>, Vec<Offers>>,
    vectors: FxHashMap<(Box<str>, Box<str>), Vec<usize>>,
}

impl Shown {
    fn of(operand: &Operand, unit: Unit, reading: &Reading) -> Shown {
        let mut shown = Shown::default();
        for (at, vector) in operand.vectors.iter().enumerate() {
            if vector.result.is_silent() {
                continue;
            }
            let (named, rest) = named(reading.labels.text(vector.result), unit);
            let (named, offers): (Box<str>, Box<str>) = (named.into(), rest.trim().into());
            let known = shown.vectors.entry((named.clone(), offers.clone())).or_default();
            if known.is_empty() {
                shown.offers.entry(named).or_default().push((offers, rest.into()));
            }
            known.push(at);
        }
        shown
    }
}

/// What a vector or interface names of a label, and the rest.
fn named(label: &str, unit: Unit) -> (&str, &str) {
    match unit {
        Unit::Gate => gate(label),
        Unit::Label => (label, ""),
    }
}

impl Reading<'_> {
    /// Operands that move by vectors, and else only silently.
    pub(super) fn using(
        &mut self,
        (unit, span): (Unit, Span),
        vectors: &[VectorTree],
        operands: &[Operand],
        scope: &Scope,
    ) -> Option<Vec<NetworkVector>> {
        let shown: Vec<Shown> = operands.iter().map(|one| Shown::of(one, unit, self)).collect();
        let mut together = Together::new(operands);
        let (mut is_whole, mut is_clear) = (true, true);
        let mut named = vec![BTreeSet::new(); operands.len()];
        for vector in vectors {
            let Some(moving) = self.moving(vector, unit, operands, scope) else {
                is_whole = false;
                continue;
            };
            moving.iter().for_each(|(at, label, _)| _ = named[*at].insert(label.clone()));
            let are_known = self.are_known(&moving, unit, &shown, operands);
            is_clear &= are_known;
            if are_known {
                let result = self.label(&vector.result, scope);
                self.by_vector(&moving, &result, &shown, &mut together);
            }
            if together.is_full {
                return self.too_many(span);
            }
        }
        // What is wrong with a vector may be the reason why it names too little.
        if is_whole && is_clear {
            self.tell_blocked(operands, &shown, &named);
        }
        is_whole.then_some(together.vectors)
    }

    /// What operands have and no vector names never happens.
    fn tell_blocked(
        &mut self,
        operands: &[Operand],
        shown: &[Shown],
        named: &[BTreeSet<Box<str>>],
    ) {
        for ((operand, shown), named) in operands.iter().zip(shown).zip(named) {
            let blocked = shown.offers.keys().filter(|label| !named.contains(*label));
            let labels: BTreeSet<String> = blocked.map(|label| label.to_string()).collect();
            if !labels.is_empty() {
                let labels = labels.into_iter().collect();
                self.report(BlockedLabel { span: operand.span, labels });
            }
        }
    }

    fn too_many<T>(&mut self, span: Span) -> Option<T> {
        self.report(TooManyVectors { span, most: MOST_VECTORS });
        None
    }

    /// Who moves in a vector, and what is named.
    fn moving<'v>(
        &mut self,
        vector: &'v VectorTree,
        unit: Unit,
        operands: &[Operand],
        scope: &Scope,
    ) -> Option<Vec<(usize, Box<str>, &'v Name)>> {
        let (span, places) = (vector.span, vector.slots.len());
        if places != operands.len() {
            let misfit = Misfit::Length { places, operands: operands.len() };
            self.report(MisfitVector { span, misfit });
            return None;
        }
        let slots =
            vector.slots.iter().enumerate().filter_map(|(at, slot)| Some((at, slot.as_ref()?)));
        let moving: Vec<_> = slots.map(|(at, name)| (at, self.label(name, scope), name)).collect();
        if moving.is_empty() {
            self.report(MisfitVector { span, misfit: Misfit::Nobody });
            return None;
        }
        let all: Vec<bool> =
            moving.iter().map(|(_, label, name)| self.can_be_shared(label, name, unit)).collect();
        all.into_iter().all(|can| can).then_some(moving)
    }

    /// Whether operands can move together on a label at all; if not, it is reported.
    fn can_be_shared(&mut self, label: &str, name: &Name, unit: Unit) -> bool {
        if self.labels.get(label).is_some_and(LtsLabel::is_silent) {
            self.report(SilentPartner { span: name.span });
            return false;
        }
        if unit == Unit::Gate && has_offers(label) {
            self.report(GateWithOffers { span: name.span });
        }
        true
    }

    /// Whether each operand has what is named; if not, that is told.
    fn are_known(
        &mut self,
        moving: &[(usize, Box<str>, &Name)],
        unit: Unit,
        shown: &[Shown],
        operands: &[Operand],
    ) -> bool {
        let lacks =
            |(at, label, _): &&(usize, Box<str>, &Name)| !shown[*at].offers.contains_key(label);
        let lacking: Vec<_> = moving.iter().filter(lacks).collect();
        for (at, label, name) in &lacking {
            // That a gate has offers has been told.
            if unit == Unit::Label || !has_offers(label) {
                self.unknown(name, label, &operands[*at].name, std::iter::once(&shown[*at]));
            }
        }
        lacking.is_empty()
    }

    fn unknown<'s>(
        &mut self,
        name: &Name,
        label: &str,
        operand: &str,
        shown: impl Iterator<Item = &'s Shown>,
    ) {
        let all = shown.flat_map(|shown| shown.offers.keys());
        let near = all.filter(|other| other.eq_ignore_ascii_case(label)).min();
        let near = near.map(|near| near.to_string());
        self.report(UnknownLabel { span: name.span, operand: operand.to_owned(), near });
    }

    /// One vector, with all offers that all who move have.
    fn by_vector(
        &mut self,
        moving: &[(usize, Box<str>, &Name)],
        result: &str,
        shown: &[Shown],
        together: &mut Together,
    ) {
        let Some((first, label, _)) = moving.first() else { return };
        for (offers, written) in shown[*first].offers.get(label).into_iter().flatten() {
            let choice = |(at, label, _): &(usize, Box<str>, &Name)| {
                let all = shown[*at].vectors.get(&(label.clone(), offers.clone()))?;
                Some((*at, all.as_slice()))
            };
            if let Some(choices) = moving.iter().map(choice).collect::<Option<Vec<_>>>() {
                // The silent action has no offers.
                let silent = self.labels.get(result).filter(|label| label.is_silent());
                let result =
                    silent.unwrap_or_else(|| self.labels.intern(&format!("{result}{written}")));
                together.add(&choices, result);
            }
        }
    }

    /// Operands that move together on what interfaces name, and else by themselves.
    pub(super) fn shared(
        &mut self,
        (unit, span): (Unit, Span),
        (global, locals): (&Global, &[&[Element]]),
        operands: &[Operand],
        scope: &Scope,
    ) -> Option<Vec<NetworkVector>> {
        let rules = self.rules(unit, global, locals, operands, scope)?;
        let mut by_label: FxHashMap<LtsLabel, Vec<(usize, Vec<usize>)>> = FxHashMap::default();
        let mut order = Vec::new();
        for (operand, vectors) in operands.iter().enumerate().map(|(at, one)| (at, &one.vectors)) {
            for (at, vector) in
                vectors.iter().enumerate().filter(|(_, one)| !one.result.is_silent())
            {
                let known = by_label.entry(vector.result).or_insert_with(|| {
                    order.push(vector.result);
                    Vec::new()
                });
                match known.last_mut() {
                    Some((last, all)) if *last == operand => all.push(at),
                    _ => known.push((operand, vec![at])),
                }
            }
        }
        if matches!(global, Global::All) {
            self.tell_lonely(operands);
        }
        let mut together = Together::new(operands);
        for label in order {
            self.on_label(label, &by_label[&label], &rules, &mut together);
            if together.is_full {
                return self.too_many(span);
            }
        }
        Some(together.vectors)
    }

    /// Where all move together on everything, a gate that one of them does not have never happens.
    fn tell_lonely(&mut self, operands: &[Operand]) {
        let gates: Vec<BTreeSet<String>> = operands
            .iter()
            .map(|operand| {
                let seen = operand.vectors.iter().filter(|vector| !vector.result.is_silent());
                seen.map(|vector| gate(self.labels.text(vector.result)).0.to_owned()).collect()
            })
            .collect();
        let lacks = |gate: &str| gates.iter().position(|one| !one.contains(gate));
        let nothing = !gates.iter().flatten().any(|gate| lacks(gate).is_none());
        let mut found = Vec::new();
        for (operand, own) in operands.iter().zip(&gates) {
            let lonely: Vec<String> =
                own.iter().filter(|gate| lacks(gate).is_some()).cloned().collect();
            let Some(other) = lonely.first().and_then(|gate| lacks(gate)) else { continue };
            let other = operands[other].name.clone();
            found.push(LonelyGate { span: operand.span, gates: lonely, other, nothing });
        }
        found.into_iter().for_each(|one| self.report(one));
    }

    fn on_label(
        &self,
        label: LtsLabel,
        who: &[(usize, Vec<usize>)],
        rules: &Rules,
        together: &mut Together,
    ) {
        let text = self.labels.text(label);
        let can: Vec<usize> = who.iter().map(|(operand, _)| *operand).collect();
        let choice = |at: usize| (who[at].0, who[at].1.as_slice());
        for (group, degree) in rules.groups(text) {
            // Places in `who` of those in the group who can.
            let able: Vec<usize> =
                (0..can.len()).filter(|at| group.binary_search(&can[*at]).is_ok()).collect();
            let mut chosen: Vec<usize> = (0..degree).collect();
            while degree > 0 && degree <= able.len() && !together.is_full {
                let choices: Vec<_> = chosen.iter().map(|at| choice(able[*at])).collect();
                together.add(&choices, label);
                if !next_subset(&mut chosen, able.len()) {
                    break;
                }
            }
        }
        for (at, operand) in can.iter().enumerate() {
            if rules.is_free(text, *operand) {
                together.add(&[choice(at)], label);
            }
        }
    }

    /// The interfaces, looked at.
    fn rules(
        &mut self,
        unit: Unit,
        global: &Global,
        locals: &[&[Element]],
        operands: &[Operand],
        scope: &Scope,
    ) -> Option<Rules> {
        let everybody: Vec<usize> = (0..operands.len()).collect();
        let mut rules = Rules {
            unit,
            termination: scope.language.termination,
            on_all: matches!(global, Global::All),
            operands: operands.len(),
            elements: Vec::new(),
        };
        let mut is_whole = true;
        let shown: Vec<Shown> = operands.iter().map(|one| Shown::of(one, unit, self)).collect();
        let globals = match global {
            Global::All => &[],
            Global::These(elements) => elements.as_slice(),
        };
        for element in globals {
            is_whole &= self.rule(element, &everybody, (operands, &shown), scope, &mut rules);
        }
        for (at, local) in locals.iter().enumerate() {
            for element in *local {
                let same = |other: &&Element| {
                    other.name.text == element.name.text && other.degree == element.degree
                };
                let who: Vec<usize> = (0..locals.len())
                    .filter(|at| locals[*at].iter().any(|one| same(&one)))
                    .collect();
                // The same element of several operands is one rule, told of once.
                if who.first() == Some(&at) {
                    is_whole &= self.rule(element, &who, (operands, &shown), scope, &mut rules);
                }
            }
        }
        is_whole.then_some(rules)
    }

    fn rule(
        &mut self,
        element: &Element,
        who: &[usize],
        (operands, shown): (&[Operand], &[Shown]),
        scope: &Scope,
        rules: &mut Rules,
    ) -> bool {
        let (name, span) = (&element.name, element.name.span);
        let label = self.label(name, scope);
        if !self.can_be_shared(&label, name, rules.unit) {
            return false;
        }
        if let Some(degree) = element.degree.filter(|degree| *degree > who.len()) {
            let misfit = Misfit::Degree { degree, operands: who.len() };
            self.report(MisfitVector { span, misfit });
            return false;
        }
        let lacks = |at: &&usize| !shown[**at].offers.contains_key(&label);
        let lacking: Vec<&usize> = who.iter().filter(lacks).collect();
        let is_missed = match element.degree {
            None => !lacking.is_empty(),
            Some(degree) => who.len() - lacking.len() < degree,
        };
        if is_missed && !(rules.unit == Unit::Gate && has_offers(&label)) {
            let operand = match lacking.as_slice() {
                [only] if who.len() > 1 => operands[**only].name.as_str(),
                _ => "",
            };
            self.unknown(name, &label, operand, lacking.into_iter().map(|at| &shown[*at]));
        }
        rules.elements.push((label, who.to_vec(), element.degree));
        true
    }
}

/// The next set of so many places below a limit, in order; whether there is one.
fn next_subset(chosen: &mut [usize], limit: usize) -> bool {
    let many = chosen.len();
    let Some(at) = (0..many).rev().find(|at| chosen[*at] < limit - (many - at)) else {
        return false;
    };
    let from = chosen[at] + 1;
    (at..many).for_each(|place| chosen[place] = from + place - at);
    true
}

/// Who moves together on what.
struct Rules {
    unit: Unit,
    /// The gate on which everybody ends together.
    termination: Option<&'static str>,
    on_all: bool,
    operands: usize,
    /// What is named, who names it, in order, and how many of them move together if not all.
    elements: Vec<(Box<str>, Vec<usize>, Option<usize>)>,
}

impl Rules {
    fn is_for_everybody(&self, label: &str) -> bool {
        self.on_all || self.termination == Some(gate(label).0)
    }

    /// The groups of which so many move together on a label.
    fn groups(&self, label: &str) -> Vec<(Vec<usize>, usize)> {
        if self.is_for_everybody(label) {
            return vec![((0..self.operands).collect(), self.operands)];
        }
        let named = named(label, self.unit).0;
        let elements = self.elements.iter().filter(|(name, ..)| **name == *named);
        elements.map(|(_, who, degree)| (who.clone(), degree.unwrap_or(who.len()))).collect()
    }

    /// Whether an operand does this by itself.
    fn is_free(&self, label: &str, operand: usize) -> bool {
        let named = named(label, self.unit).0;
        let mut elements = self.elements.iter();
        !self.is_for_everybody(label)
            && !elements
                .any(|(name, who, _)| **name == *named && who.binary_search(&operand).is_ok())
    }
}

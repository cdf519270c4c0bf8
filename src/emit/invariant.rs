//! Invariants as items that can be put into a model.

use std::collections::BTreeSet;

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::names::{Names, quoted, quoted_path};
use super::scope::Scope;
use super::term::{ANY, COMPARISON, Piece, Printer, TERM, formula_printer};
use crate::algebra::{Term, TermId, VarId};
use crate::automaton::VariableNames;
use crate::pnet::{PNet, PltsId, path_inside};

/// What stands for where leaves are: for each variable that is the number of the state of a leaf, the leaf.
#[derive(Clone, Debug, Default)]
pub struct Locations(FxHashMap<VarId, Location>);

/// A leaf, as it is named in a model, and its states.
#[derive(Clone, Debug)]
struct Location {
    path: String,
    states: Vec<String>,
}

impl Locations {
    /// The leaves of a net, each with the variable that stands for the number of its state.
    pub fn of(net: &PNet, variables: impl IntoIterator<Item = (VarId, PltsId)>) -> Locations {
        let leaves = net.leaves();
        let place = |(var, id): (VarId, PltsId)| {
            let plts = &net.plts[id];
            let path = leaves.iter().find(|(_, leaf)| *leaf == id).map(|(path, _)| path.as_str());
            // What is nothing but a process goes by the name of the process.
            let own = || quoted(plts.name.as_str()).into_owned();
            let path = path.filter(|path| !path.is_empty()).map_or_else(own, quoted_path);
            let states = plts.states.iter().map(|state| quoted(state.name.as_str()).into_owned());
            (var, Location { path, states: states.collect() })
        };
        Locations(variables.into_iter().map(place).collect())
    }
}

/// What the variables of the leaves of a net are called in an invariant: by their whole paths.
pub fn paths(net: &PNet) -> VariableNames {
    let mut names = VariableNames::default();
    for (path, leaf) in &net.leaves() {
        for (var, _) in &net.plts[*leaf].variables {
            let path = path_inside(path, net.terms.var(*var).name.as_str());
            names.insert(*var, quoted_path(&path));
        }
    }
    names
}

/// An invariant of a net as an item, with a condition for each term over its variables and over what stands for where its
/// leaves are. What it says parses back.
pub fn invariant(
    scope: Scope<'_>,
    declared: &Names,
    locations: &Locations,
    (name, net): (&str, &str),
    conditions: &[TermId],
) -> String {
    let mut printer = formula_printer(scope, declared);
    for Location { path, .. } in locations.0.values() {
        let first = path.split(['.', '[']).next().unwrap_or(path);
        printer.taken.insert(first.trim_matches('`').to_owned());
    }
    printer.locations = Some(locations);
    let texts: Vec<String> = conditions.iter().map(|&one| printer.at(one, ANY)).collect();
    invariant_item(name, net, &texts)
}

/// The item with these conditions.
pub fn invariant_item(name: &str, net: &str, conditions: &[String]) -> String {
    let mut text = format!("invariant {name} of {net} {{\n");
    for condition in conditions {
        text.push_str(&format!("    {condition};\n"));
    }
    text.push_str("}\n");
    text
}

/// The states of a leaf for which a condition holds.
struct Among {
    leaf: VarId,
    states: BTreeSet<usize>,
}

/// That a leaf is in one of some states.
fn in_words(locations: &Locations, Among { leaf, states }: &Among) -> Option<Piece> {
    let Location { path, states: all } = locations.0.get(leaf)?;
    let others: BTreeSet<usize> = (0..all.len()).filter(|state| !states.contains(state)).collect();
    if states.is_empty() || others.is_empty() {
        return Some((others.is_empty().to_string(), TERM));
    }
    let (word, few) = match others.len() < states.len() {
        true => ("not in", &others),
        false => ("in", states),
    };
    let names: Vec<&str> = few.iter().map(|&state| all[state].as_str()).collect();
    let text = match names.as_slice() {
        [one] => format!("{path} {word} {one}"),
        names => format!("{path} {word} {{ {} }}", names.join(", ")),
    };
    Some((text, COMPARISON))
}

impl Printer<'_> {
    /// The operands of a disjunction; what they say of where one leaf is, is said at once.
    pub(super) fn one_of(&mut self, all: &[TermId]) -> Vec<Piece> {
        let Some(locations) = self.locations else {
            return all.iter().map(|&one| self.show(one)).collect();
        };
        let mut places: Vec<Option<Among>> =
            all.iter().map(|&one| self.among(locations, one)).collect();
        let mut pieces = Vec::with_capacity(all.len());
        for (at, &one) in all.iter().enumerate() {
            let Some(mut here) = places[at].take() else {
                pieces.push(self.show(one));
                continue;
            };
            // What is empty was said before, or says nothing.
            if here.states.is_empty() {
                continue;
            }
            for other in places[at + 1..].iter_mut().flatten() {
                if other.leaf == here.leaf {
                    here.states.append(&mut other.states);
                }
            }
            pieces.extend(in_words(locations, &here));
        }
        if pieces.is_empty() {
            pieces.push((false.to_string(), TERM));
        }
        pieces
    }

    /// Whether a condition says where several leaves are at once.
    pub(super) fn is_place(&self, id: TermId) -> bool {
        let Term::And(parts) = self.scope.terms.get(id) else { return false };
        self.locations.is_some() && parts.iter().all(|&part| self.location(part).is_some())
    }

    /// A condition on where one leaf is, in the words for it.
    pub(super) fn location(&self, id: TermId) -> Option<Piece> {
        let locations = self.locations?;
        in_words(locations, &self.among(locations, id)?)
    }

    fn among(&self, locations: &Locations, id: TermId) -> Option<Among> {
        let terms = self.scope.terms;
        match terms.get(id) {
            Term::Equal(a, b) => self.compared(locations, (*a, *b), |leaf, number| leaf == number),
            Term::Less(a, b) => self.compared(locations, (*a, *b), |leaf, number| leaf < number),
            Term::LessEqual(a, b) => {
                self.compared(locations, (*a, *b), |leaf, number| leaf <= number)
            }
            Term::Not(inner) => {
                let Among { leaf, states } = self.among(locations, *inner)?;
                let all = 0..locations.0.get(&leaf)?.states.len();
                let states = all.filter(|state| !states.contains(state)).collect();
                Some(Among { leaf, states })
            }
            Term::Or(all) => self.combined(locations, all, |a, b| a | b),
            Term::And(all) => self.combined(locations, all, |a, b| a & b),
            _ => None,
        }
    }

    fn combined(
        &self,
        locations: &Locations,
        all: &[TermId],
        both: impl Fn(&BTreeSet<usize>, &BTreeSet<usize>) -> BTreeSet<usize>,
    ) -> Option<Among> {
        let (first, rest) = all.split_first()?;
        let mut found = self.among(locations, *first)?;
        for &one in rest {
            let other = self.among(locations, one).filter(|other| other.leaf == found.leaf)?;
            found.states = both(&found.states, &other.states);
        }
        Some(found)
    }

    /// What stands for where a leaf is, compared with a number, whichever comes first.
    fn compared(
        &self,
        locations: &Locations,
        (a, b): (TermId, TermId),
        holds: impl Fn(i64, i64) -> bool,
    ) -> Option<Among> {
        let terms = self.scope.terms;
        let number = |id: TermId| terms.as_int(id).and_then(ToPrimitive::to_i64);
        let leaf = |id: TermId| match terms.get(id) {
            Term::Var(var) if locations.0.contains_key(var) => Some(*var),
            _ => None,
        };
        let (leaf, swapped, number) = match (leaf(a), number(b)) {
            (Some(leaf), Some(number)) => (leaf, false, number),
            _ => (leaf(b)?, true, number(a)?),
        };
        let holds = |state: &usize| {
            let state = i64::try_from(*state).unwrap_or(i64::MAX);
            if swapped { holds(number, state) } else { holds(state, number) }
        };
        let states = (0..locations.0.get(&leaf)?.states.len()).filter(holds).collect();
        Some(Among { leaf, states })
    }
}

//! The states of the components of an instance: where they are, and the values of variables that have few. What else they
//! know is forgotten.

use std::collections::BTreeMap;

use super::datum::Datum;
use crate::algebra::{Algebra, Sort, Term, TermId, Terms, VarId};
use crate::diagnostics::Span;
use crate::parametric::{ComponentStateId, MOST_STATES};
use crate::pnet::{PNet, Plts, PltsStateId, Transition};
use crate::safety::Component;

use num_traits::ToPrimitive;

/// Up to so many states, the values of variables are part of them.
pub const MOST_WITH_VALUES: usize = 64;

/// So many combinations of values are part of the states of a component however many places it has.
const VALUES_AT_EACH_PLACE: usize = 4;

/// The states of a component.
#[derive(Clone, Debug)]
pub struct Space {
    /// How many places it has.
    pub locations: usize,
    /// The variables that are kept, with their values.
    pub kept: Vec<(VarId, Vec<TermId>)>,
    /// What people call the states.
    pub labels: Vec<String>,
    /// What the variables that are kept are in each state.
    pub data: Vec<BTreeMap<String, Datum>>,
    /// The states in which it can begin.
    pub initial: Vec<ComponentStateId>,
    /// Those in which it may rest.
    pub finals: Vec<ComponentStateId>,
    /// The variables that are forgotten.
    pub forgotten: Vec<ForgottenVariable>,
}

/// A variable whose values are no part of the states.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ForgottenVariable {
    /// The way to it, without indices.
    pub path: String,
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub text: Span,
    /// The transitions that depend on it.
    pub needed: Vec<Span>,
}

impl Space {
    /// The states of a component; nothing where there are too many places.
    pub fn of(net: &PNet, terms: &mut Terms, component: &Component) -> Option<Space> {
        let plts = &net.plts[component.plts];
        let locations = plts.states.len();
        if locations > MOST_STATES {
            return None;
        }
        let mut kept = Vec::new();
        let mut forgotten = Vec::new();
        for (var, _) in &component.variables {
            let sort = terms.var(*var).sort.clone();
            match values(&net.algebra, terms, &sort) {
                Some(all) => kept.push((*var, all)),
                None => forgotten.push(*var),
            }
        }
        // What has most values is forgotten first.
        let most = (VALUES_AT_EACH_PLACE * locations).clamp(MOST_WITH_VALUES, MOST_STATES);
        while kept.iter().fold(locations, |many, (_, all)| many.saturating_mul(all.len())) > most {
            let most = kept.iter().map(|(_, all)| all.len()).max()?;
            let at = kept.iter().rposition(|(_, all)| all.len() == most)?;
            forgotten.push(kept.remove(at).0);
        }
        let is_kept = |var: VarId| kept.iter().any(|(known, _)| *known == var);
        let forgotten = forgotten.iter().map(|&var| {
            let name = terms.var(var).name.to_string();
            let text = plts.variables.iter().zip(&plts.variable_texts);
            let text = text.into_iter().find(|((one, _), _)| terms.var(*one).name.as_str() == name);
            let text = text.map(|(_, text)| *text).unwrap_or_default();
            let needed = needed_by(net, plts, &name, &is_kept);
            ForgottenVariable { path: name.clone(), name, text, needed }
        });
        let forgotten = forgotten.collect();
        let mut space = Space {
            locations,
            kept,
            labels: Vec::new(),
            data: Vec::new(),
            initial: Vec::new(),
            finals: Vec::new(),
            forgotten,
        };
        space.describe(net, terms, component);
        Some(space)
    }

    fn describe(&mut self, net: &PNet, terms: &Terms, component: &Component) {
        let plts = &net.plts[component.plts];
        for state in self.states() {
            let (location, values) = self.parts(state);
            let name = plts.states[location].name;
            let with = self.kept.iter().zip(&values).map(|((var, all), at)| {
                format!("{} = {}", terms.var(*var).name, shown(net, terms, all[*at]))
            });
            let with: Vec<String> = with.collect();
            let data = self.kept.iter().zip(&values).filter_map(|((var, all), at)| {
                let datum = Datum::of(net, terms, all[*at])?;
                Some((terms.var(*var).name.to_string(), datum))
            });
            self.data.push(data.collect());
            self.labels.push(match with.is_empty() {
                true => name.to_string(),
                false => format!("{name} with {}", with.join(", ")),
            });
            let begins = |((var, all), at): (&(VarId, Vec<TermId>), &usize)| {
                let given = component.variables.iter().find(|(known, _)| known == var);
                let given = given.and_then(|(_, value)| *value);
                given.is_none_or(|value| all[*at] == value || !all.contains(&value))
            };
            if location == component.initial && self.kept.iter().zip(&values).all(begins) {
                self.initial.push(state);
            }
            if plts.states[location].is_final {
                self.finals.push(state);
            }
        }
    }

    /// How many combinations of values there are.
    pub fn valuations(&self) -> usize {
        self.kept.iter().map(|(_, all)| all.len()).product()
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = ComponentStateId> + use<> {
        (0..(self.locations * self.valuations()) as u32).map(ComponentStateId)
    }

    /// The place of a state, and the values of its variables by their numbers.
    pub fn parts(&self, state: ComponentStateId) -> (PltsStateId, Vec<usize>) {
        let each = self.valuations();
        let location = PltsStateId((state.index() / each) as u32);
        (location, self.values_at(state.index() % each))
    }

    /// The values of a combination, by their numbers.
    pub fn values_at(&self, valuation: usize) -> Vec<usize> {
        let mut rest = valuation;
        let mut values: Vec<usize> = self
            .kept
            .iter()
            .rev()
            .map(|(_, all)| {
                let at = rest % all.len();
                rest /= all.len();
                at
            })
            .collect();
        values.reverse();
        values
    }

    /// The state at a place, with values by their numbers.
    pub fn state(&self, location: PltsStateId, values: &[usize]) -> ComponentStateId {
        let at = self.kept.iter().zip(values).fold(0, |at, ((_, all), one)| at * all.len() + one);
        ComponentStateId((location.index() * self.valuations() + at) as u32)
    }
}

/// The transitions of which it depends on a variable whether they happen, or what the variables that are kept become.
fn needed_by(net: &PNet, plts: &Plts, name: &str, is_kept: &dyn Fn(VarId) -> bool) -> Vec<Span> {
    let reads = |term: TermId| {
        net.terms.free_vars(term).iter().any(|var| net.terms.var(*var).name.as_str() == name)
    };
    let needs = |transition: &&Transition| {
        let kept = transition.updates.iter().filter(|(var, _)| is_kept(*var));
        reads(transition.guard)
            || reads(transition.action)
            || kept.into_iter().any(|(_, value)| reads(*value))
    };
    let all = plts.transitions.iter().filter(needs);
    all.map(|transition| net.origins.get(transition.origin).span).collect()
}

/// The values of a sort, where there are few.
pub(super) fn values(algebra: &Algebra, terms: &mut Terms, sort: &Sort) -> Option<Vec<TermId>> {
    match sort {
        Sort::Bool => Some([false, true].map(|value| terms.bool(value)).to_vec()),
        Sort::Range(low, high) => {
            let (low, high) = (terms.as_int(*low)?.clone(), terms.as_int(*high)?.clone());
            let count =
                (high - &low).to_usize().filter(|count| (1..=MOST_WITH_VALUES).contains(count))?;
            Some((0..count).map(|more| terms.int(&low + more)).collect())
        }
        Sort::Data(id) => {
            let constructors = &algebra.datatypes[id.index()].constructors;
            let plain = constructors.iter().all(|one| one.fields.is_empty());
            let few = plain && (1..=MOST_WITH_VALUES).contains(&constructors.len());
            let all = 0..constructors.len() as u32;
            few.then(|| all.map(|at| terms.raw(Term::Construct(*id, at, Box::default()))).collect())
        }
        _ => None,
    }
}

fn shown(net: &PNet, terms: &Terms, value: TermId) -> String {
    match terms.get(value) {
        Term::Bool(truth) => truth.to_string(),
        Term::Int(number) => number.to_string(),
        Term::Construct(data, at, _) => {
            net.algebra.datatypes[data.index()].constructors[*at as usize].name.to_string()
        }
        _ => "?".to_owned(),
    }
}

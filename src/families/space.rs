//! The states of the components of an instance: where they are, and the values of variables that have few. What else they
//! know is forgotten.

use crate::algebra::{Algebra, Sort, Term, TermId, Terms, VarId};
use crate::parametric::{ComponentStateId, MOST_STATES};
use crate::pnet::{PNet, PltsStateId};
use crate::safety::Component;

use num_traits::ToPrimitive;

/// The states of a component.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub locations: usize,
    /// The variables that are kept, with their values.
    pub kept: Vec<(VarId, Vec<TermId>)>,
    /// What people call the states.
    pub labels: Vec<String>,
    /// The states in which it can begin.
    pub initial: Vec<ComponentStateId>,
    /// Those in which it may rest.
    pub finals: Vec<ComponentStateId>,
    /// The names of the variables that are forgotten.
    pub forgotten: Vec<String>,
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
        while kept.iter().fold(locations, |many, (_, all)| many.saturating_mul(all.len()))
            > MOST_STATES
        {
            let most = kept.iter().map(|(_, all)| all.len()).max()?;
            let at = kept.iter().rposition(|(_, all)| all.len() == most)?;
            forgotten.push(kept.remove(at).0);
        }
        let forgotten = forgotten.iter().map(|var| terms.var(*var).name.to_string()).collect();
        let mut space = Space {
            locations,
            kept,
            labels: Vec::new(),
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

/// The values of a sort, where there are few.
pub(super) fn values(algebra: &Algebra, terms: &mut Terms, sort: &Sort) -> Option<Vec<TermId>> {
    match sort {
        Sort::Bool => Some([false, true].map(|value| terms.bool(value)).to_vec()),
        Sort::Range(low, high) => {
            let (low, high) = (terms.as_int(*low)?.clone(), terms.as_int(*high)?.clone());
            let count =
                (high - &low).to_usize().filter(|count| (1..=MOST_STATES).contains(count))?;
            Some((0..count).map(|more| terms.int(&low + more)).collect())
        }
        Sort::Data(id) => {
            let constructors = &algebra.datatypes[id.index()].constructors;
            let plain = constructors.iter().all(|one| one.fields.is_empty());
            let few = plain && (1..=MOST_STATES).contains(&constructors.len());
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

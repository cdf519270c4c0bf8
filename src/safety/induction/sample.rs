//! Configurations that can be reached, as examples of what holds: the nearest ones, and random runs.
//!
//! What is false in one of them is no invariant, so no solver need be asked about it. What is true in all of them is a guess.

use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use crate::algebra::{Sort, Term, TermId, Terms};
use crate::base::budget::is_spent;
use crate::base::{Dice, IndexVec};
use crate::explore::compiled::Compiled;
use crate::explore::{Configuration, Machine, Moves, Packed, Value};
use crate::pnet::{PNet, PltsStateId};
use crate::safety::tried::tried;
use crate::safety::{ComponentId, Problem};

/// So many configurations next to the beginning are taken.
const NEAREST: usize = 800;

/// So many random runs, of so many steps.
const RUNS: [(usize, usize); 3] = [(60, 60), (20, 300), (3, 3_000)];

/// No more examples than this.
const MOST: usize = 9_000;

/// Something that has a number in each example.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    pub term: TermId,
    /// Whose it is; nobody's where it is a constant.
    pub owner: Option<ComponentId>,
    pub values: Vec<i64>,
}

/// A variable of another sort.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub term: TermId,
    pub sort: Sort,
    pub owner: ComponentId,
    pub values: Vec<Value>,
}

/// Examples of configurations.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// The locations of the components in each.
    pub locations: Vec<IndexVec<ComponentId, PltsStateId>>,
    pub quantities: Vec<Quantity>,
    pub things: Vec<Thing>,
}

/// Examples of what can be reached; none where nothing can be run.
pub(super) fn samples(problem: &Problem<'_>, terms: &mut Terms) -> Samples {
    let configurations = configurations(problem.net).unwrap_or_default();
    let mut samples = Samples::default();
    for at in &configurations {
        let states = problem.components.iter().map(|component| at.states[component.plts]);
        samples.locations.push(states.collect());
    }
    for (id, component) in problem.components.enumerated() {
        for (place, &(var, _)) in component.variables.iter().enumerate() {
            let values = configurations.iter().map(|at| &at.values[component.plts][place]);
            let values: Vec<Value> = values.cloned().collect();
            let (term, sort) = (terms.var_term(var), terms.var(var).sort.clone());
            samples.add(terms, (term, sort), id, values);
        }
    }
    samples.constants(problem, terms, &configurations);
    samples
}

impl Samples {
    fn add(
        &mut self,
        terms: &mut Terms,
        (term, sort): (TermId, Sort),
        owner: ComponentId,
        values: Vec<Value>,
    ) {
        match &sort {
            Sort::Int | Sort::Range(..) => {
                let numbers = values.iter().map(|value| value.as_int()?.to_i64());
                if let Some(values) = numbers.collect() {
                    self.quantities.push(Quantity { term, owner: Some(owner), values });
                }
            }
            Sort::Array(both) => self.elements(terms, (term, &both.1), owner, &values),
            _ => self.things.push(Thing { term, sort, owner, values }),
        }
    }

    /// The elements of an array with few places.
    fn elements(
        &mut self,
        terms: &mut Terms,
        (array, element): (TermId, &Sort),
        owner: ComponentId,
        values: &[Value],
    ) {
        const MOST_PLACES: usize = 8;
        let Some(Value::Array(first)) = values.first() else { return };
        if first.rest.is_some() || first.places.len() > MOST_PLACES {
            return;
        }
        for place in first.places.keys() {
            let Value::Int(number) = place else { return };
            let number = terms.int(number.clone());
            let at = terms.index(array, number);
            let element_of = |value: &Value| match value {
                Value::Array(array) => array.places.get(place).cloned(),
                _ => None,
            };
            let Some(values) = values.iter().map(element_of).collect() else { return };
            if !matches!(element, Sort::Array(_)) {
                self.add(terms, (at, element.clone()), owner, values);
            }
        }
    }

    /// Symbolic constants have a number in each example, too.
    fn constants(&mut self, problem: &Problem<'_>, terms: &mut Terms, all: &[Configuration]) {
        for (index, constant) in problem.net.algebra.constants.iter().enumerate() {
            let value = |at: &Configuration| at.constants[index].as_ref()?.as_int()?.to_i64();
            let is_number = matches!(constant.sort, Sort::Int | Sort::Range(..));
            if constant.value.is_some() || !is_number || all.is_empty() {
                continue;
            }
            if let Some(values) = all.iter().map(value).collect() {
                let id = crate::algebra::ConstId(index as u32);
                let term = terms.raw(Term::Const(id));
                self.quantities.push(Quantity { term, owner: None, values });
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.locations.len()
    }
}

/// Configurations that can be reached.
fn configurations(net: &PNet) -> Option<Vec<Configuration>> {
    // Where there is no end of values, a few are enough for examples.
    tried(net).iter().find_map(|domains| runs(&Compiled::new(net, domains)))
}

fn runs(machine: &Compiled<'_>) -> Option<Vec<Configuration>> {
    let (begins, limited) = machine.initial().ok()?;
    let mut walk = Walk {
        machine,
        scratch: machine.scratch(),
        moves: Moves::new(machine.bits().div_ceil(64)),
        seen: FxHashSet::default(),
        found: Vec::new(),
    };
    let mut dice = Dice::new(7);
    let limited = walk.nearest(&begins)? | limited;
    if limited || walk.found.len() >= NEAREST {
        for (count, steps) in RUNS {
            for _ in 0..count {
                let begin = begins.get(dice.below(begins.len()))?;
                walk.run(begin, steps, &mut dice)?;
            }
        }
    }
    Some(walk.found.iter().map(|packed| machine.decode(packed)).collect())
}

struct Walk<'m, 'n> {
    machine: &'m Compiled<'n>,
    scratch: <Compiled<'n> as Machine>::Scratch,
    moves: Moves,
    seen: FxHashSet<Packed>,
    found: Vec<Packed>,
}

impl Walk<'_, '_> {
    fn meet(&mut self, packed: &[u64]) -> bool {
        if self.found.len() >= MOST || self.seen.contains(packed) {
            return false;
        }
        self.seen.insert(packed.into());
        self.found.push(packed.into());
        true
    }

    fn steps(&mut self, from: &[u64]) -> Option<()> {
        self.moves.clear();
        self.machine.steps(&mut self.scratch, from, false, &mut self.moves).ok()
    }

    /// The configurations next to the beginning; whether values were left out.
    fn nearest(&mut self, begins: &[Packed]) -> Option<bool> {
        let mut limited = false;
        begins.iter().take(NEAREST).for_each(|begin| {
            self.meet(begin);
        });
        let mut next = 0;
        while next < self.found.len() && self.found.len() < NEAREST && !is_spent() {
            let from = self.found[next].clone();
            next += 1;
            self.steps(&from)?;
            limited |= self.moves.limited;
            for step in 0..self.moves.len() {
                let target: Packed = self.moves.target(step).into();
                self.meet(&target);
            }
        }
        Some(limited)
    }

    fn run(&mut self, begin: &[u64], steps: usize, dice: &mut Dice) -> Option<()> {
        let mut at: Packed = begin.into();
        for _ in 0..steps {
            if is_spent() {
                break;
            }
            self.steps(&at)?;
            if self.moves.is_empty() {
                break;
            }
            at = self.moves.target(dice.below(self.moves.len())).into();
            self.meet(&at);
        }
        Some(())
    }
}

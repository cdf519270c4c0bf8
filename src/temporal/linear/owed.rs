//! What a run owes: formulas of runs with negations at their atoms, and how they are taken apart, step by step.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::base::budget::is_spent;
use crate::temporal::explicit::{Bindings, Undecided};
use crate::temporal::formula::{PathFormula, StateFormula, StepPattern};
use crate::temporal::ground::Ground;
use crate::temporal::modal::extended;

/// What is owed, with negations at its atoms. The parts of something are numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Owed {
    Bool(bool),
    /// What is said of the configuration, by its number, or its opposite.
    State(usize, bool),
    /// The next step is meant, or is not; and what this is at the end.
    Step(usize, bool, bool),
    And(Vec<u32>),
    Or(Vec<u32>),
    /// There is a next position; or, weakly, if there is one.
    Next(u32, bool),
    Until(u32, u32),
    Release(u32, u32),
}

/// What a way to take apart what is owed comes to.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Way {
    /// What the step must be, or must not be, by the numbers of patterns; in order.
    pub steps: Vec<(usize, bool)>,
    /// What is owed then; in order.
    pub next: Vec<u32>,
    /// The untils that are put off, by their places; in order.
    pub promises: Vec<usize>,
}

/// All that can be owed.
#[derive(Default)]
pub(super) struct Tableau {
    owed: IndexSet<Owed, FxBuildHasher>,
    /// What is said of configurations.
    pub states: IndexSet<(StateFormula, Bindings), FxBuildHasher>,
    /// What is said of steps.
    pub patterns: IndexSet<(StepPattern, Bindings), FxBuildHasher>,
    /// The untils, by their places among all that is owed.
    pub untils: Vec<u32>,
}

impl Tableau {
    /// What a formula, or, with `not`, its opposite, owes.
    pub fn new(
        ground: &mut dyn Ground,
        (path, not): (&PathFormula, bool),
        bound: &Bindings,
    ) -> Result<(Tableau, u32), Undecided> {
        let mut tableau = Tableau::default();
        let root = tableau.add(ground, path, (not, false), bound)?;
        Ok((tableau, root))
    }

    fn put(&mut self, owed: Owed) -> u32 {
        let (at, is_new) = self.owed.insert_full(owed);
        if is_new && matches!(self.owed[at], Owed::Until(..)) {
            self.untils.push(at as u32);
        }
        at as u32
    }

    /// What a formula, or its opposite, owes; `weak` says what the formula as it stands makes of a step at the end.
    fn add(
        &mut self,
        ground: &mut dyn Ground,
        path: &PathFormula,
        (not, weak): (bool, bool),
        bound: &Bindings,
    ) -> Result<u32, Undecided> {
        if is_spent() {
            return Err(Undecided::Stopped);
        }
        let made = match path {
            PathFormula::State(StateFormula::Bool(value)) => Owed::Bool(*value != not),
            PathFormula::State(formula) => {
                let number = self.states.insert_full((formula.clone(), bound.clone())).0;
                Owed::State(number, !not)
            }
            PathFormula::Step(step) => {
                let number = self.patterns.insert_full((step.clone(), bound.clone())).0;
                Owed::Step(number, !not, weak != not)
            }
            PathFormula::Text(_, inner) => return self.add(ground, inner, (not, weak), bound),
            PathFormula::Not(inner) => return self.add(ground, inner, (!not, !weak), bound),
            PathFormula::And(parts) | PathFormula::Or(parts) => {
                let mut made = Vec::with_capacity(parts.len());
                for part in parts {
                    made.push(self.add(ground, part, (not, weak), bound)?);
                }
                let all = matches!(path, PathFormula::And(_)) != not;
                if all { Owed::And(made) } else { Owed::Or(made) }
            }
            PathFormula::Implies(one, other) => {
                let one = self.add(ground, one, (!not, !weak), bound)?;
                let other = self.add(ground, other, (not, weak), bound)?;
                if not { Owed::And(vec![one, other]) } else { Owed::Or(vec![one, other]) }
            }
            PathFormula::Forall(vars, inner) | PathFormula::Exists(vars, inner) => {
                let mut made = Vec::new();
                for with in extended(ground.atoms(), bound, vars)? {
                    made.push(self.add(ground, inner, (not, weak), &with)?);
                }
                let all = matches!(path, PathFormula::Forall(..)) != not;
                if all { Owed::And(made) } else { Owed::Or(made) }
            }
            PathFormula::Next(inner) => {
                Owed::Next(self.add(ground, inner, (not, false), bound)?, !not)
            }
            PathFormula::Finally(inner) => {
                let inner = self.add(ground, inner, (not, false), bound)?;
                let other = self.put(Owed::Bool(!not));
                if not { Owed::Release(other, inner) } else { Owed::Until(other, inner) }
            }
            PathFormula::Globally(inner) => {
                let inner = self.add(ground, inner, (not, true), bound)?;
                let other = self.put(Owed::Bool(not));
                if not { Owed::Until(other, inner) } else { Owed::Release(other, inner) }
            }
            PathFormula::Until(one, other) => {
                let one = self.add(ground, one, (not, false), bound)?;
                let other = self.add(ground, other, (not, false), bound)?;
                if not { Owed::Release(one, other) } else { Owed::Until(one, other) }
            }
            PathFormula::WeakUntil(left, right) => {
                // `l W r` is `r R (l or r)`, and its opposite is `not r U (not l and not r)`.
                let left = self.add(ground, left, (not, true), bound)?;
                let right = self.add(ground, right, (not, false), bound)?;
                let both = vec![left, right];
                let both = self.put(if not { Owed::And(both) } else { Owed::Or(both) });
                if not { Owed::Until(right, both) } else { Owed::Release(right, both) }
            }
        };
        Ok(self.put(made))
    }

    /// Whether nothing is owed at the end of a run, in a configuration of which this is true.
    pub fn at_end(&self, owed: u32, is: &[bool]) -> bool {
        match &self.owed[owed as usize] {
            Owed::Bool(value) => *value,
            Owed::State(number, wanted) => is[*number] == *wanted,
            Owed::Step(_, _, at_end) => *at_end,
            Owed::And(parts) => parts.iter().all(|&part| self.at_end(part, is)),
            Owed::Or(parts) => parts.iter().any(|&part| self.at_end(part, is)),
            Owed::Next(_, strong) => !strong,
            Owed::Until(_, other) | Owed::Release(_, other) => self.at_end(*other, is),
        }
    }

    /// The ways to take apart what is owed in a configuration of which this is true, and from which a step is made.
    pub fn ways(&self, owed: &[u32], is: &[bool]) -> Result<Vec<Way>, Undecided> {
        let mut found: IndexSet<Way, FxBuildHasher> = IndexSet::default();
        let mut work = vec![(owed.to_vec(), Vec::<u32>::new(), Way::default())];
        while let Some((mut owed, mut done, mut way)) = work.pop() {
            if is_spent() {
                return Err(Undecided::Stopped);
            }
            let Some(one) = owed.pop() else {
                in_order(&mut way.next);
                in_order(&mut way.steps);
                in_order(&mut way.promises);
                // A step cannot be meant and not be meant.
                if !way.steps.windows(2).any(|two| two[0].0 == two[1].0) {
                    found.insert(way);
                }
                continue;
            };
            if done.contains(&one) {
                work.push((owed, done, way));
                continue;
            }
            done.push(one);
            match &self.owed[one as usize] {
                Owed::Bool(false) => continue,
                Owed::Bool(true) => {}
                Owed::State(number, wanted) if is[*number] == *wanted => {}
                Owed::State(..) => continue,
                Owed::Step(number, wanted, _) => way.steps.push((*number, *wanted)),
                Owed::And(parts) => owed.extend(parts),
                Owed::Or(parts) => {
                    for &part in parts {
                        let mut owed = owed.clone();
                        owed.push(part);
                        work.push((owed, done.clone(), way.clone()));
                    }
                    continue;
                }
                Owed::Next(inner, _) => way.next.push(*inner),
                Owed::Until(left, right) => {
                    let mut now = owed.clone();
                    now.push(*right);
                    work.push((now, done.clone(), way.clone()));
                    owed.push(*left);
                    way.next.push(one);
                    way.promises.extend(self.untils.iter().position(|&until| until == one));
                }
                Owed::Release(left, right) => {
                    owed.push(*right);
                    let mut now = owed.clone();
                    now.push(*left);
                    work.push((now, done.clone(), way.clone()));
                    way.next.push(one);
                }
            }
            work.push((owed, done, way));
        }
        Ok(found.into_iter().collect())
    }
}

fn in_order<T: Ord>(all: &mut Vec<T>) {
    all.sort_unstable();
    all.dedup();
}

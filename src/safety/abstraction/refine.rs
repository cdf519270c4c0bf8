//! Predicates that tell a path that nobody can go from those that somebody can.
//!
//! First interpolants (`smt::interpolants`), of those parts of the path that matter. Their atoms are predicates; where these
//! are known already, and an abstraction by conjunctions of literals still lost what they say together, whole parts are: with
//! them the path cannot come back. Where there are no interpolants, the conditions of the path as they look from each place
//! before them are.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::path::{Needed, Path};
use super::place::parts;
use super::post::Abstract;
use super::predicate::atoms;
use crate::algebra::{TermId, VarId};
use crate::base::budget::is_spent;
use crate::smt::{Limits, PathStep, interpolants};

/// Interpolants may take this long.
const PATIENCE: Limits = Limits { milliseconds: 3_000 };

/// Conditions for places of a path, by the number of the place.
type Proposed = Vec<(usize, TermId)>;

impl Abstract<'_, '_> {
    /// Looks at more predicates along a path that is impossible; the first place where something is new.
    pub fn refine(&mut self, path: &Path, needed: &[Needed]) -> Option<usize> {
        let between = self.between(path, needed).unwrap_or_default();
        let split = |this: &mut Self, all: &Proposed, fine: bool| -> Proposed {
            let mut found = Vec::new();
            for &(at, condition) in all {
                let pieces = match fine {
                    true => atoms(&mut this.terms, condition),
                    false => parts(&this.terms, condition),
                };
                found.extend(pieces.into_iter().map(|piece| (at, piece)));
            }
            found
        };
        let fine = split(self, &between, true);
        let coarse = split(self, &between, false);
        if let Some(first) = self.add(path, &fine).or_else(|| self.add(path, &coarse)) {
            return Some(first);
        }
        let backward = self.backward(path, needed);
        let fine = split(self, &backward, true);
        self.add(path, &fine).or_else(|| self.add(path, &backward))
    }

    /// Looks at predicates; the first place where one was not looked at before.
    fn add(&mut self, path: &Path, proposed: &Proposed) -> Option<usize> {
        let mut first = None;
        for &(at, atom) in proposed {
            let Abstract { terms, owners, precision, .. } = self;
            let since = precision.add(terms, owners, atom, &path.places[at]);
            if since.is_some_and(|since| since >= path.stamps[at]) {
                first = Some(first.map_or(at, |first: usize| first.min(at)));
            }
        }
        first
    }

    /// Interpolants at the places of a path. Where nothing that matters happens between two of them, they have the same.
    fn between(&mut self, path: &Path, needed: &[Needed]) -> Option<Proposed> {
        let steps = self.sliced(path, needed);
        let last = steps.len().checked_sub(1)?;
        let (mut fewer, mut number): (Vec<PathStep>, Vec<usize>) = (Vec::new(), Vec::new());
        for (at, step) in steps.into_iter().enumerate() {
            let is_same = |&(var, value): &(VarId, TermId)| value == self.terms.var_term(var);
            let idle = step.conditions.is_empty() && step.next.iter().all(is_same);
            if at == 0 || at == last || !idle {
                fewer.push(step);
            }
            number.push(fewer.len() - 1);
        }
        let problem = self.problem;
        let about = (&problem.net.algebra, problem.is_open_world());
        let found = interpolants(about, &mut self.terms, &fewer, PATIENCE)?;
        let places = number.into_iter().take(last).enumerate();
        Some(places.filter_map(|(at, number)| Some((at, *found.get(number)?))).collect())
    }

    /// What matters of a path: conditions that are needed, and the variables that they depend on.
    fn sliced(&self, path: &Path, needed: &[Needed]) -> Vec<PathStep> {
        let last = needed.iter().map(|one| one.at).max().unwrap_or(0);
        let mut here: FxHashSet<VarId> = FxHashSet::default();
        let mut steps: Vec<PathStep> = Vec::with_capacity(last + 2);
        for at in (0..=last).rev() {
            let conditions: Vec<TermId> =
                needed.iter().filter(|one| one.at == at).map(|one| one.condition).collect();
            let mut next = Vec::new();
            let mut before: FxHashSet<VarId> = FxHashSet::default();
            for var in here.into_iter().sorted_unstable() {
                let value = path.effects[at].updates.get(&var).copied();
                let value = value.unwrap_or_else(|| self.terms.var_term(var));
                before.extend(self.own(value));
                next.push((var, value));
            }
            before.extend(conditions.iter().flat_map(|&one| self.own(one)));
            steps.push(PathStep { conditions, next });
            here = before;
        }
        let values = self.initial_values();
        let first = here.into_iter().sorted_unstable().map(|var| {
            (var, values.get(&var).copied().unwrap_or_else(|| self.terms.var_term(var)))
        });
        steps.push(PathStep { conditions: Vec::new(), next: first.collect() });
        steps.reverse();
        steps
    }

    /// The variables of components in a term.
    fn own(&self, term: TermId) -> Vec<VarId> {
        let vars = self.terms.free_vars(term).into_iter();
        vars.filter(|var| self.owners.contains_key(var)).collect()
    }

    fn initial_values(&self) -> FxHashMap<VarId, TermId> {
        let all = self.problem.components.iter().flat_map(|component| &component.variables);
        all.filter_map(|&(var, value)| Some((var, value?))).collect()
    }

    /// The conditions that are needed, as they look from each place before them.
    fn backward(&mut self, path: &Path, needed: &[Needed]) -> Proposed {
        let mut found = Vec::new();
        for one in needed {
            let mut condition = one.condition;
            for at in (0..=one.at).rev() {
                if is_spent() {
                    return found;
                }
                if at < one.at {
                    let updates = &path.effects[at].updates;
                    condition = self.terms.substitute(condition, updates);
                }
                found.push((at, condition));
            }
        }
        found
    }
}

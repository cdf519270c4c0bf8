//! A run with values that shows why the opposite of a formula holds: it goes along diamonds, from layer to smaller layer.
//!
//! Each step is put to the solver with the values so far. Where boxes begin there is no one run any more: there the sets of
//! the proof say the rest. Where a greatest fixpoint goes on and on, the run is followed until it is where it was before.

use rustc_hash::FxHashMap;

use super::parts::{Move, Part, PartId};
use super::sets::{Engine, Found, Layer};
use super::{Set, Stopped};
use crate::algebra::{TermId, VarId};
use crate::automaton::StateId;
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::smt::Answer;
use crate::system::{Step, SymbolicRun, Valuation, settled_run};

/// Longer runs are not shown.
const LONGEST: usize = 500;

/// A run that goes on for ever is followed so far.
const LONGEST_LOOP: usize = 60;

/// The rank in a layer is first looked for among small ones, so that runs are short.
const SMALL: [i32; 8] = [0, 1, 2, 4, 8, 16, 64, 256];

/// A run, and what is to be seen at its end.
#[derive(Clone, Debug)]
pub struct RunShown {
    /// The run.
    pub run: SymbolicRun,
    /// Its end.
    pub then: Shown,
    /// A text that is true in the last configuration, or false, and so shows it.
    pub text: Option<(Span, bool)>,
}

/// What is to be seen at the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A configuration in which what was to be shown holds without a further step.
    Here,
    /// A configuration in which a run may end.
    End,
    /// From this step on it is repeated for ever.
    Loop(usize),
    /// A configuration from which what was to be shown holds whatever happens: the sets say why.
    Rest,
}

/// A run so far.
struct Walk {
    at: StateId,
    position: Valuation,
    steps: Vec<Step>,
    /// What the fixpoints that it is in were found to be.
    found: FxHashMap<PartId, Found>,
    /// Where greatest fixpoints began anew.
    seen: Vec<Seen>,
    /// Whether there were several things to show at once, of which it shows one.
    branches: bool,
    /// The last text that is known to be true, or false, where it is.
    text: Option<(Span, bool)>,
}

/// Where a greatest fixpoint began anew: with which values of the net's variables and of its parameters, after how many steps.
struct Seen {
    fix: PartId,
    at: StateId,
    values: Vec<(VarId, TermId)>,
    steps: usize,
}

/// Where a walk goes on, or how it ends.
enum Next {
    On(PartId),
    Over(Shown),
}

impl Engine<'_, '_> {
    /// A run that shows why a part holds in some first configuration; nothing where values are not found.
    pub(super) fn shown(&mut self, root: PartId) -> Result<Option<RunShown>, Stopped> {
        let variables = self.system.variables.iter().map(|variable| variable.var).collect();
        let values = self.system.initial_values().collect();
        let mut position = Valuation { values, facts: Vec::new(), variables };
        let at = StateId::FIRST;
        let first = [self.set(root)?[at]];
        let open = self.system.free_at_first();
        let Some(values) = self.prover.values_for(&position, &first, &open) else {
            return Ok(None);
        };
        self.prover.take(&mut position, values);
        self.prover.remember(&mut position, &first);
        let begun = position.values.clone();
        let (found, seen) = (FxHashMap::default(), Vec::new());
        let mut walk =
            Walk { at, position, steps: Vec::new(), found, seen, branches: false, text: None };
        let mut part = root;
        let before = self.taken.clone();
        let shown = loop {
            if is_spent() {
                return Err(Stopped);
            }
            if walk.steps.len() > LONGEST {
                break None;
            }
            if let Some(&(text, not)) = self.parts.texts.get(&part) {
                walk.text = Some((text, !not));
            }
            match self.next(part, &mut walk)? {
                Some(Next::On(next)) => part = next,
                Some(Next::Over(shown)) => break Some(shown),
                None => break None,
            }
        };
        self.taken = before;
        let Some(then) = shown else { return Ok(None) };
        let about = (self.system, &mut *self.prover);
        let run = settled_run(about, begun, &walk.steps, walk.at, walk.position);
        Ok(Some(RunShown { run, then, text: walk.text }))
    }

    fn next(&mut self, part: PartId, walk: &mut Walk) -> Result<Option<Next>, Stopped> {
        let over = |shown: Shown| Ok(Some(Next::Over(shown)));
        match self.parts.all[part].clone() {
            Part::Bool(_) | Part::Holds(_) | Part::MayEnd(false) => over(Shown::Here),
            Part::MayEnd(true) => over(Shown::End),
            Part::Several(true, parts) => {
                let open = |one: &&PartId| !self.parts.free[**one].is_empty();
                walk.branches |= parts.iter().filter(open).count() > 1;
                let next = parts.iter().copied().min_by_key(|&one| self.tells_less(one));
                Ok(Some(next.map_or(Next::Over(Shown::Here), Next::On)))
            }
            Part::Several(false, parts) => self.one_of(&parts, walk),
            Part::Values(true, ..) | Part::Steps { all: true, .. } => over(Shown::Rest),
            Part::Values(false, vars, inner) => {
                let condition = [self.set(inner)?[walk.at]];
                let Some(values) = self.prover.values_for(&walk.position, &condition, &vars) else {
                    return Ok(None);
                };
                self.prover.take(&mut walk.position, values);
                self.prover.remember(&mut walk.position, &condition);
                Ok(Some(Next::On(inner)))
            }
            Part::Steps { all: false, moves, then } => {
                let target = self.set(then)?;
                // Whoever is back where it was is done, so that is tried first.
                for back in (0..walk.seen.len()).map(Some).chain([None]) {
                    for one in &moves[walk.at] {
                        if self.step(one, (&target, back), walk) {
                            return Ok(Some(Next::On(then)));
                        }
                    }
                }
                Ok(None)
            }
            Part::Fix { params, .. } => {
                let found = self.fixpoint(part)?;
                walk.found.insert(part, found);
                self.enter(part, &params, walk)
            }
            Part::Again(fix, args) => {
                let params: Vec<(VarId, TermId)> = self.params(fix).into_iter().zip(args).collect();
                walk.text = self.parts.texts.get(&fix).map(|&(text, not)| (text, !not));
                self.enter(fix, &params, walk)
            }
        }
    }

    /// Of parts that all hold, that one is followed which leads on in the fixpoint, or else says most.
    fn tells_less(&self, part: PartId) -> usize {
        match &self.parts.all[part] {
            _ if self.parts.free[part].iter().any(|fix| self.is_somewhere(*fix)) => 0,
            Part::Fix { .. } => 1,
            Part::Several(_, parts) => {
                parts.iter().map(|&one| self.tells_less(one)).min().unwrap_or(3)
            }
            Part::Values(_, _, inner) => self.tells_less(*inner),
            Part::Steps { then, .. } => 2.min(self.tells_less(*then)),
            _ => 3,
        }
    }

    /// Whether what a fixpoint is taken for is not empty: where it is, it is no reason for anything.
    fn is_somewhere(&self, fix: PartId) -> bool {
        let mut taken = self.taken.get(&fix).into_iter().flatten();
        taken.any(|&one| self.prover.terms.as_bool(one) != Some(false))
    }

    /// The first of some parts that can hold where a walk is.
    fn one_of(&mut self, parts: &[PartId], walk: &mut Walk) -> Result<Option<Next>, Stopped> {
        for &one in parts {
            let condition = self.set(one)?[walk.at];
            if self.prover.asked(condition, &walk.position) == Answer::Sat {
                self.prover.remember(&mut walk.position, &[condition]);
                return Ok(Some(Next::On(one)));
            }
        }
        Ok(None)
    }

    /// Makes a step, if it can lead to a set, and back to where a greatest fixpoint began before, if that is wanted.
    fn step(&mut self, one: &Move, (target, back): (&Set, Option<usize>), walk: &mut Walk) -> bool {
        let step = &self.system.steps[walk.at][one.step];
        let mut changes = step.updates.clone();
        changes.extend(one.binds.iter().map(|(&var, &value)| (var, value)));
        let then = self.prover.terms.substitute(target[step.target], &changes);
        let mut parts = vec![step.guard, one.fits, then];
        if let Some(seen) = back.map(|back| &walk.seen[back]) {
            if seen.at != step.target {
                return false;
            }
            for &(var, value) in &seen.values {
                let var = self.prover.terms.var_term(var);
                let after = self.prover.terms.substitute(var, &step.updates);
                // Both sides have values by then: what is known of the variables now is not known of them then.
                let after = self.prover.terms.substitute(after, &walk.position.values);
                parts.push(self.prover.terms.equal(after, value));
            }
        }
        let Some(values) = self.prover.values_for(&walk.position, &parts, &step.locals) else {
            return false;
        };
        self.prover.take(&mut walk.position, values);
        self.prover.remember(&mut walk.position, &parts);
        let made = self.prover.with_values(step, &walk.position.values);
        let mut bound = FxHashMap::default();
        for (&var, &value) in &one.binds {
            let value = self.prover.terms.substitute(value, &walk.position.values);
            bound.insert(var, self.prover.evaluated(value));
        }
        walk.at = made.target;
        walk.text = None;
        walk.position.values.extend(made.updates.iter().map(|(&var, &value)| (var, value)));
        walk.position.values.extend(bound);
        let renamed = walk.position.forget(&mut self.prover.terms, step.locals.iter());
        walk.steps.push(self.prover.with_values(&made, &renamed));
        true
    }

    /// Goes into a fixpoint, with values for its parameters.
    fn enter(
        &mut self,
        fix: PartId,
        params: &[(VarId, TermId)],
        walk: &mut Walk,
    ) -> Result<Option<Next>, Stopped> {
        let mut values = FxHashMap::default();
        for &(var, value) in params {
            let value = self.prover.terms.substitute(value, &walk.position.values);
            values.insert(var, self.prover.evaluated(value));
        }
        walk.position.values.extend(values);
        let Some(found) = walk.found.get(&fix).cloned() else { return Ok(None) };
        let Part::Fix { body, .. } = self.parts.all[fix] else { return Ok(None) };
        match found {
            Found::Greatest(set) => {
                let mut vars = walk.position.variables.clone();
                vars.extend(params.iter().map(|(var, _)| *var));
                let value = |var: VarId| Some((var, *walk.position.values.get(&var)?));
                let values: Vec<(VarId, TermId)> = vars.into_iter().filter_map(value).collect();
                let is_here =
                    |seen: &&Seen| (seen.fix, seen.at) == (fix, walk.at) && seen.values == values;
                if let Some(before) = walk.seen.iter().find(is_here)
                    && before.steps < walk.steps.len()
                {
                    // A round that shows only a part of it may not be the one that is to be shown.
                    let round = Shown::Loop(before.steps);
                    let shown = if walk.branches { Shown::Rest } else { round };
                    return Ok(Some(Next::Over(shown)));
                }
                if walk.seen.iter().filter(|seen| seen.fix == fix).count() > LONGEST_LOOP {
                    return Ok(Some(Next::Over(Shown::Rest)));
                }
                walk.seen.push(Seen { fix, at: walk.at, values, steps: walk.steps.len() });
                self.taken.insert(fix, set);
            }
            Found::Least(layers) => {
                let Some(smaller) = self.smaller_here(&layers, walk)? else { return Ok(None) };
                self.taken.insert(fix, smaller);
            }
        }
        Ok(Some(Next::On(body)))
    }

    /// What is smaller than where a walk is: the first layer that it can be in, with small ranks where that is possible.
    fn smaller_here(&mut self, layers: &[Layer], walk: &mut Walk) -> Result<Option<Set>, Stopped> {
        for (number, layer) in layers.iter().enumerate() {
            let here = layer.set[walk.at];
            if self.prover.terms.as_bool(here) == Some(false) {
                continue;
            }
            if layer.ranks.is_empty() {
                if self.prover.asked(here, &walk.position) == Answer::Sat {
                    self.prover.remember(&mut walk.position, &[here]);
                    return Ok(Some(self.below(layers, number)));
                }
                continue;
            }
            let terms = &mut self.prover.terms;
            let zero = terms.int(0);
            let ranks: Vec<TermId> = layer.ranks.iter().map(|&var| terms.var_term(var)).collect();
            let mut conditions: Vec<TermId> =
                ranks.iter().map(|&rank| terms.less_equal(zero, rank)).collect();
            conditions.push(here);
            for most in SMALL.into_iter().map(Some).chain([None]) {
                if is_spent() {
                    return Err(Stopped);
                }
                let mut all = conditions.clone();
                if let Some(most) = most {
                    let most = self.prover.terms.int(most);
                    all.push(self.prover.terms.less_equal(ranks[0], most));
                }
                let Some(values) = self.prover.values_for(&walk.position, &all, &layer.ranks)
                else {
                    continue;
                };
                self.prover.take(&mut walk.position, values);
                self.prover.remember(&mut walk.position, &conditions);
                let values: FxHashMap<VarId, TermId> = layer
                    .ranks
                    .iter()
                    .filter_map(|var| Some((*var, walk.position.values.remove(var)?)))
                    .collect();
                let smaller = self.smaller(layer);
                let smaller = self.with(&smaller, &values);
                let mut all = self.below(layers, number);
                self.join(&mut all, &smaller);
                return Ok(Some(all));
            }
        }
        Ok(None)
    }
}

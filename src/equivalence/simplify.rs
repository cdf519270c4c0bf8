//! Conditions made smaller, so that the solver sees few quantifiers and people see little text.

use rustc_hash::FxHashMap;

use super::world::World;
use crate::pnet::{Term, TermId, Terms, VarId, VariableKind};
use crate::smt::Answer;

/// A conjunction, flat; each part is used to simplify the others. Nothing when it is false.
pub(super) fn conjunction(terms: &mut Terms, parts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut parts = flat(terms, parts)?;
    // Each round makes something smaller, so this ends; a few rounds are enough for what people write.
    for _ in 0..8 {
        let mut changed = false;
        for at in 0..parts.len() {
            let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
            for (other, &part) in parts.iter().enumerate() {
                if other != at {
                    learn(terms, part, &mut known);
                }
            }
            let new = terms.substitute_with(parts[at], &FxHashMap::default(), &mut known);
            if new != parts[at] {
                parts[at] = new;
                changed = true;
            }
        }
        parts = flat(terms, parts)?;
        if !changed {
            break;
        }
    }
    Some(parts)
}

fn flat(terms: &mut Terms, parts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut found: Vec<TermId> = Vec::with_capacity(parts.len());
    let mut work: Vec<TermId> = parts.into_iter().rev().collect();
    while let Some(part) = work.pop() {
        match terms.get(part).clone() {
            Term::Bool(true) => {}
            Term::Bool(false) => return None,
            Term::And(inner) => work.extend(inner.iter().rev()),
            Term::Not(inner) => match terms.get(inner).clone() {
                Term::Or(inner) => {
                    for &one in inner.iter().rev() {
                        let not = terms.not(one);
                        work.push(not);
                    }
                }
                _ if !found.contains(&part) => found.push(part),
                _ => {}
            },
            _ if !found.contains(&part) => found.push(part),
            _ => {}
        }
    }
    for &part in &found {
        let not = terms.not(part);
        if found.contains(&not) {
            return None;
        }
    }
    Some(found)
}

/// What can be put for what, where a condition holds.
fn learn(terms: &mut Terms, part: TermId, known: &mut FxHashMap<TermId, TermId>) {
    let (yes, no) = (terms.bool(true), terms.bool(false));
    match *terms.get(part) {
        Term::Not(inner) => {
            known.insert(inner, no);
        }
        Term::Equal(a, b) => {
            known.insert(part, yes);
            let is_name = |id: TermId| matches!(terms.get(id), Term::Var(_) | Term::Const(_));
            if is_name(a) && terms.is_value(b) {
                known.insert(a, b);
            } else if is_name(b) && terms.is_value(a) {
                known.insert(b, a);
            }
        }
        _ => {
            known.insert(part, yes);
        }
    }
}

impl World<'_> {
    /// That there are values for some variables such that all parts hold, with as few quantifiers as possible.
    pub(super) fn exists(&mut self, vars: &[VarId], parts: Vec<TermId>) -> TermId {
        let Some(mut parts) = conjunction(&mut self.terms, parts) else {
            return self.terms.bool(false);
        };
        // A variable that must equal something is that.
        while let Some((var, value, at)) = self.determined(vars, &parts) {
            parts.remove(at);
            let values: FxHashMap<VarId, TermId> = [(var, value)].into_iter().collect();
            let new = parts.iter().map(|&part| self.terms.substitute(part, &values)).collect();
            match conjunction(&mut self.terms, new) {
                Some(new) => parts = new,
                None => return self.terms.bool(false),
            }
        }
        let (inside, outside): (Vec<TermId>, Vec<TermId>) = parts
            .into_iter()
            .partition(|&part| self.terms.free_vars(part).iter().any(|var| vars.contains(var)));
        let mut all = outside;
        if !inside.is_empty() {
            all.push(self.closed(vars, inside));
        }
        self.terms.and(all)
    }

    /// A variable that one of the conditions fixes, what to, and which condition.
    fn determined(&self, vars: &[VarId], parts: &[TermId]) -> Option<(VarId, TermId, usize)> {
        let plain = |var: VarId| {
            vars.contains(&var) && !matches!(self.terms.var(var).sort, crate::pnet::Sort::Range(..))
        };
        for (at, &part) in parts.iter().enumerate() {
            if let Term::Equal(a, b) = *self.terms.get(part) {
                for (x, t) in [(a, b), (b, a)] {
                    if let Term::Var(var) = *self.terms.get(x)
                        && plain(var)
                        && !self.terms.free_vars(t).contains(&var)
                    {
                        return Some((var, t, at));
                    }
                }
            }
        }
        None
    }

    /// Conditions that speak of variables to be bound: true or false where the solver knows and nothing else is
    /// spoken of, else a formula with a quantifier.
    fn closed(&mut self, vars: &[VarId], parts: Vec<TermId>) -> TermId {
        let speaks_of_others = parts.iter().any(|&part| {
            self.terms.free_vars(part).iter().any(|var| !vars.contains(var))
                || has_constant(&self.terms, part)
        });
        if !speaks_of_others {
            match self.check(&parts) {
                Answer::Sat => return self.terms.bool(true),
                Answer::Unsat => return self.terms.bool(false),
                Answer::Unknown(_) => {}
            }
        }
        let body = self.terms.and(parts);
        let mut renamed = FxHashMap::default();
        let mut bound = Vec::new();
        for &var in vars {
            let (name, sort) = (self.terms.var(var).name, self.terms.var(var).sort.clone());
            let new = self.terms.new_var(name, sort, VariableKind::Bound);
            renamed.insert(var, self.terms.var_term(new));
            bound.push(new);
        }
        let body = self.terms.substitute(body, &renamed);
        self.terms.quantified(false, bound.into(), body)
    }
}

/// Whether a term speaks of a symbolic constant or an uninterpreted function, whose values are not ours to
/// choose.
fn has_constant(terms: &Terms, root: TermId) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        if matches!(terms.get(id), Term::Const(_) | Term::Apply(..)) {
            return true;
        }
        terms.get(id).each_inside(|inner| work.push(inner));
    }
    false
}

//! Conditions made smaller, so that the solver sees few quantifiers and people see little text.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::{in_one_form, tightened};
use super::linear::{normal, solved, without};
use super::world::World;
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::smt::Answer;

/// A conjunction, flat; each part is used to simplify the others. Nothing when it is false.
pub(super) fn conjunction(terms: &mut Terms, parts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut parts = flat(terms, parts)?;
    // Each round makes something smaller, so this ends; a few rounds are enough for what people write.
    for _ in 0..8 {
        let mut changed = false;
        for at in 0..parts.len() {
            if is_spent() {
                return Some(parts);
            }
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

/// A condition that holds for the same values where some others do, with these used to simplify it.
pub(super) fn simplified_where(terms: &mut Terms, condition: TermId, facts: &[TermId]) -> TermId {
    let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &fact in facts {
        learn(terms, fact, &mut known);
    }
    terms.substitute_with(condition, &FxHashMap::default(), &mut known)
}

fn flat(terms: &mut Terms, parts: Vec<TermId>) -> Option<Vec<TermId>> {
    let mut found: Vec<TermId> = Vec::with_capacity(parts.len());
    let mut work: Vec<TermId> = parts.into_iter().rev().collect();
    while let Some(part) = work.pop() {
        let part = normal(terms, part);
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
                Term::And(inner) => {
                    let ways: Vec<TermId> = inner.iter().map(|&one| terms.not(one)).collect();
                    let ways: Vec<TermId> =
                        ways.into_iter().map(|way| normal(terms, way)).collect();
                    let part = terms.or(ways);
                    push_new(&mut found, part);
                }
                _ => push_new(&mut found, part),
            },
            _ => push_new(&mut found, part),
        }
    }
    for &part in &found {
        let not = terms.not(part);
        let not = normal(terms, not);
        if found.contains(&not) {
            return None;
        }
    }
    let found = without_longer(terms, found);
    tightened(terms, found)
}

/// A conjunction without alternatives that are among others that it asks for as well: those say less, and each would
/// double the ways to look at. Of many answers that lead to the same, as when items move on by themselves, few are left.
fn without_longer(terms: &Terms, parts: Vec<TermId>) -> Vec<TermId> {
    let options = |part: TermId| match terms.get(part) {
        Term::Or(options) => options.iter().copied().collect(),
        _ => FxHashSet::from_iter([part]),
    };
    let sets: Vec<FxHashSet<TermId>> = parts.iter().map(|&part| options(part)).collect();
    let is_longer = |at: usize| {
        let shorter =
            |other: &FxHashSet<TermId>| other.len() < sets[at].len() && other.is_subset(&sets[at]);
        sets[at].len() > 1 && sets.iter().any(shorter)
    };
    let kept = parts.iter().enumerate().filter(|(at, _)| !is_longer(*at));
    kept.map(|(_, &part)| part).collect()
}

fn push_new(found: &mut Vec<TermId>, part: TermId) {
    if !found.contains(&part) {
        found.push(part);
    }
}

/// More ways than this are not looked at one by one.
const MOST_WAYS: usize = 32;

/// A conjunction as several without alternatives in those parts that speak of some variables; one of them holds
/// where it does.
fn ways(terms: &mut Terms, vars: &[VarId], parts: Vec<TermId>) -> Vec<Vec<TermId>> {
    let mut done: Vec<Vec<TermId>> = Vec::new();
    let mut work: Vec<Vec<TermId>> = vec![parts];
    while let Some(parts) = work.pop() {
        let Some(parts) = conjunction(terms, parts) else { continue };
        let speaks = |terms: &Terms, part: TermId| {
            terms.free_vars(part).iter().any(|var| vars.contains(var))
        };
        let choice = parts
            .iter()
            .position(|&part| matches!(terms.get(part), Term::Or(_)) && speaks(terms, part));
        match choice {
            Some(at) if done.len() + work.len() < MOST_WAYS && !is_spent() => {
                let Term::Or(options) = terms.get(parts[at]).clone() else { continue };
                for &option in options.iter().rev() {
                    let mut one = parts.clone();
                    one[at] = option;
                    work.push(one);
                }
            }
            _ => match parts.iter().position(|&part| speaks(terms, part) && writes(terms, part)) {
                Some(at) if done.len() + work.len() < MOST_WAYS && !is_spent() => {
                    work.extend(read_or_written(terms, &parts, at));
                }
                _ => done.push(parts),
            },
        }
    }
    done
}

/// Whether an array that was written to is read.
fn writes(terms: &Terms, part: TermId) -> bool {
    written(terms, part).is_some()
}

/// Something that is read of an array that was written to.
fn written(terms: &Terms, part: TermId) -> Option<TermId> {
    let mut seen = FxHashSet::default();
    let mut work = vec![part];
    while let Some(id) = work.pop() {
        let term = terms.get(id);
        if matches!(*term, Term::Index(array, _) if matches!(terms.get(array), Term::Update(..))) {
            return Some(id);
        }
        // What is bound further inside is not to be spoken of outside.
        if seen.insert(id) && !matches!(term, Term::Forall(..) | Term::Exists(..)) {
            term.each_inside(|inner| work.push(inner));
        }
    }
    None
}

/// A conjunction in two cases: what one of its parts reads was just written, or was there before.
fn read_or_written(terms: &mut Terms, parts: &[TermId], at: usize) -> Vec<Vec<TermId>> {
    let Some(read) = written(terms, parts[at]) else { return Vec::new() };
    let Term::Index(array, place) = *terms.get(read) else { return Vec::new() };
    let Term::Update(before, there, value) = *terms.get(array) else { return Vec::new() };
    let same = terms.equal_places(there, place);
    let (other, old) = (terms.not(same), terms.index(before, place));
    let mut case = |condition: TermId, found: TermId| {
        let mut known: FxHashMap<TermId, TermId> = [(read, found)].into_iter().collect();
        let mut parts = parts.to_vec();
        parts[at] = terms.substitute_with(parts[at], &FxHashMap::default(), &mut known);
        parts.push(condition);
        parts
    };
    vec![case(other, old), case(same, value)]
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
        let mut found = Vec::new();
        for parts in ways(&mut self.terms, vars, parts) {
            let one = self.exists_in(vars, parts);
            match self.terms.as_bool(one) {
                Some(true) => return one,
                Some(false) => {}
                None => found.push(one),
            }
        }
        self.terms.or(found)
    }

    /// A formula with as few quantifiers as possible at its top.
    pub(super) fn without_quantifier(&mut self, formula: TermId) -> TermId {
        match self.terms.get(formula).clone() {
            Term::Exists(vars, body) => self.exists(&vars, vec![body]),
            Term::Or(options) => {
                let options: Vec<TermId> =
                    options.iter().map(|&option| self.without_quantifier(option)).collect();
                self.terms.or(options)
            }
            Term::And(parts) => {
                let parts: Vec<TermId> =
                    parts.iter().map(|&part| self.without_quantifier(part)).collect();
                self.terms.and(parts)
            }
            _ => formula,
        }
    }

    fn exists_in(&mut self, vars: &[VarId], parts: Vec<TermId>) -> TermId {
        let no = self.terms.bool(false);
        let mut parts = parts;
        // A variable that must equal something is that.
        while let Some((var, value, at)) = self.determined(vars, &parts) {
            parts.remove(at);
            let values: FxHashMap<VarId, TermId> = [(var, value)].into_iter().collect();
            let new = parts.iter().map(|&part| self.terms.substitute(part, &values)).collect();
            match conjunction(&mut self.terms, new) {
                Some(new) => parts = new,
                None => return no,
            }
        }
        for &var in vars {
            if is_spent() {
                break;
            }
            if let Some(rest) = without(&mut self.terms, &parts, var) {
                match conjunction(&mut self.terms, rest) {
                    Some(rest) => parts = rest,
                    None => return no,
                }
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
    fn determined(&mut self, vars: &[VarId], parts: &[TermId]) -> Option<(VarId, TermId, usize)> {
        let plain: Vec<VarId> = vars
            .iter()
            .copied()
            .filter(|&var| !matches!(self.terms.var(var).sort, Sort::Range(..)))
            .collect();
        for (at, &part) in parts.iter().enumerate() {
            let Term::Equal(a, b) = *self.terms.get(part) else { continue };
            for (x, t) in [(a, b), (b, a)] {
                if let Term::Var(var) = *self.terms.get(x)
                    && plain.contains(&var)
                    && !self.terms.free_vars(t).contains(&var)
                {
                    return Some((var, t, at));
                }
            }
            for &var in &plain {
                if self.terms.var(var).sort == Sort::Int
                    && let Some(value) = solved(&mut self.terms, part, var)
                {
                    return Some((var, value, at));
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
        self.quantified_once(vars, body)
    }

    /// That there are values for some variables: the same term for conditions that differ in the names of these alone, so
    /// that it is seen that they are the same.
    fn quantified_once(&mut self, vars: &[VarId], body: TermId) -> TermId {
        let (mut values, mut sorts) = (FxHashMap::default(), Vec::with_capacity(vars.len()));
        for (at, &var) in vars.iter().enumerate() {
            let sort = self.terms.var(var).sort.clone();
            values.insert(var, self.placeholder(at, &sort));
            sorts.push(sort);
        }
        let pattern = (self.terms.substitute(body, &values), sorts);
        if let Some(&known) = self.quantified.get(&pattern) {
            return known;
        }
        let (renamed, bound) = self.terms.fresh(vars.iter().copied(), VariableKind::Bound);
        let body = self.terms.substitute(body, &renamed);
        let made = self.terms.quantified(false, bound.into(), body);
        self.quantified.insert(pattern, made);
        made
    }

    /// A variable that stands for a bound one where conditions are compared, and nowhere else.
    fn placeholder(&mut self, at: usize, sort: &Sort) -> TermId {
        if let Some(&known) = self.placeholders.get(&(at, sort.clone())) {
            return known;
        }
        let var = self.terms.new_var(Symbol::new("_"), sort.clone(), VariableKind::Bound);
        let term = self.terms.var_term(var);
        self.placeholders.insert((at, sort.clone()), term);
        term
    }

    /// A condition with each comparison in its one form.
    pub(super) fn in_one_form(&mut self, condition: TermId) -> TermId {
        in_one_form(&mut self.terms, condition, &mut self.formed)
    }
}

/// Whether a term speaks of a symbolic constant or an uninterpreted function, whose values are not ours to
/// choose.
pub(super) fn has_constant(terms: &Terms, root: TermId) -> bool {
    let mut seen = FxHashSet::default();
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

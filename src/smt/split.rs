//! A question in parts that have nothing to do with each other.
//!
//! Many questions differ only in how they put together the same conditions on different variables: what a part can
//! do, and what others cannot. Asked part by part, each of these is asked once.
//!
//! Claim: the conditions can hold together exactly if those of each part can. Two conditions are in one part if they
//! share a variable. A condition whose meaning is not settled by the values of its variables alone (one that speaks
//! of a symbolic constant, a function, an abstract sort, of a division by what may be 0, of a field that a value may
//! not have) is in one part with all others like it, since all of them speak of the same constants and functions.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, Sort, Term, TermId, Terms, VarId};

/// What a condition speaks of.
#[derive(Debug)]
struct About {
    vars: Rc<[VarId]>,
    /// Whether the values of its variables settle what it means.
    settled: bool,
}

/// Takes questions apart, all of one table of terms.
#[derive(Debug)]
pub struct Splitter {
    /// Which datatypes are enumerations.
    enumerations: Vec<bool>,
    known: FxHashMap<TermId, Rc<About>>,
}

impl Splitter {
    /// For questions about an algebra.
    pub fn new(algebra: &Algebra) -> Splitter {
        let is_enumeration = |datatype: &crate::algebra::Datatype| {
            datatype.constructors.iter().all(|constructor| constructor.fields.is_empty())
        };
        let enumerations = algebra.datatypes.iter().map(is_enumeration).collect();
        Splitter { enumerations, known: FxHashMap::default() }
    }

    /// The parts of a question, in the order of their first conditions; at least one.
    pub fn parts(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Vec<Vec<TermId>> {
        let conditions = simpler(terms, conditions);
        let mut parts: Vec<Vec<TermId>> = Vec::new();
        let mut groups = Groups::default();
        for &condition in &conditions {
            let about = self.about(terms, condition);
            groups.add(&about);
        }
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        for (at, &condition) in conditions.iter().enumerate() {
            let group = groups.of(at);
            let place = *places.entry(group).or_insert(parts.len());
            if place == parts.len() {
                parts.push(Vec::new());
            }
            parts[place].push(condition);
        }
        parts
    }

    fn about(&mut self, terms: &Terms, condition: TermId) -> Rc<About> {
        if let Some(known) = self.known.get(&condition) {
            return Rc::clone(known);
        }
        let vars = terms.free_vars(condition).into();
        let about = Rc::new(About { vars, settled: self.is_settled(terms, condition) });
        self.known.insert(condition, Rc::clone(&about));
        about
    }

    fn is_settled(&self, terms: &Terms, condition: TermId) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![condition];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            let settled = match terms.get(id) {
                Term::Var(var) => self.is_plain(terms, *var),
                Term::Forall(vars, _) | Term::Exists(vars, _) => {
                    vars.iter().all(|&var| self.is_plain(terms, var))
                }
                Term::Construct(data, ..) | Term::IsConstructor(data, ..) => {
                    self.enumerations[data.index()]
                }
                Term::Div(_, by) | Term::Mod(_, by) => {
                    terms.as_int(*by).is_some_and(|by| *by != num_bigint::BigInt::ZERO)
                }
                Term::Bool(_)
                | Term::Int(_)
                | Term::Not(_)
                | Term::And(_)
                | Term::Or(_)
                | Term::Add(_)
                | Term::Multiply(_)
                | Term::Equal(..)
                | Term::Less(..)
                | Term::LessEqual(..)
                | Term::If(..) => true,
                _ => false,
            };
            if !settled {
                return false;
            }
            terms.get(id).each_inside(|inner| work.push(inner));
        }
        true
    }

    /// Whether the values of a variable are the same whatever constants and functions are.
    fn is_plain(&self, terms: &Terms, var: VarId) -> bool {
        match terms.var(var).sort {
            Sort::Bool | Sort::Int => true,
            Sort::Range(low, high) => terms.as_int(low).is_some() && terms.as_int(high).is_some(),
            Sort::Data(data) => self.enumerations[data.index()],
            Sort::Action | Sort::Abstract(_) | Sort::Array(_) => false,
        }
    }
}

/// Which conditions belong together, by their places: each knows an earlier one, or itself.
#[derive(Default)]
struct Groups {
    earlier: Vec<usize>,
    by_var: FxHashMap<VarId, usize>,
    unsettled: Option<usize>,
}

impl Groups {
    fn of(&self, mut at: usize) -> usize {
        while self.earlier[at] != at {
            at = self.earlier[at];
        }
        at
    }

    fn add(&mut self, about: &About) {
        let new = self.earlier.len();
        self.earlier.push(new);
        for &var in about.vars.iter() {
            let other = *self.by_var.entry(var).or_insert(new);
            self.join(other, new);
        }
        if !about.settled {
            let other = *self.unsettled.get_or_insert(new);
            self.join(other, new);
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.earlier[a.max(b)] = a.min(b);
    }
}

/// A conjunction in which what stands by itself is used in the rest: with `a` and `not (a and b)` there is `not b`.
fn simpler(terms: &mut Terms, conditions: &[TermId]) -> Vec<TermId> {
    let mut facts = Facts::default();
    let mut rest: Vec<TermId> = Vec::new();
    let mut work: Vec<TermId> = conditions.iter().rev().copied().collect();
    loop {
        let before = facts.kept.len();
        while let Some(condition) = work.pop() {
            facts.take(terms, condition, &mut work, &mut rest);
        }
        if facts.contradict {
            return vec![terms.bool(false)];
        }
        if rest.is_empty() || facts.kept.len() == before {
            break;
        }
        // Each time round, something new stands by itself, and there is less in the rest.
        let mut done = facts.known.clone();
        for condition in std::mem::take(&mut rest).into_iter().rev() {
            work.push(terms.substitute_with(condition, &FxHashMap::default(), &mut done));
        }
    }
    let mut all = facts.kept;
    let mut seen = rustc_hash::FxHashSet::default();
    all.extend(rest.into_iter().filter(|&condition| seen.insert(condition)));
    if all.is_empty() {
        all.push(terms.bool(true));
    }
    all
}

/// What stands by itself.
#[derive(Default)]
struct Facts {
    kept: Vec<TermId>,
    /// What terms are then: true or false.
    known: FxHashMap<TermId, TermId>,
    contradict: bool,
}

impl Facts {
    /// Takes one condition: several stand for themselves, alternatives are the rest.
    fn take(
        &mut self,
        terms: &mut Terms,
        condition: TermId,
        work: &mut Vec<TermId>,
        rest: &mut Vec<TermId>,
    ) {
        match terms.get(condition).clone() {
            Term::And(all) => work.extend(all.iter().rev()),
            Term::Or(_) => rest.push(condition),
            Term::Not(inner) => match terms.get(inner).clone() {
                Term::Or(all) => work.extend(all.iter().rev().map(|&one| terms.not(one))),
                Term::And(_) => rest.push(condition),
                _ => self.keep(terms, condition),
            },
            Term::Bool(true) => {}
            _ => self.keep(terms, condition),
        }
    }

    fn keep(&mut self, terms: &mut Terms, fact: TermId) {
        let (yes, no) = (terms.bool(true), terms.bool(false));
        let opposite = terms.not(fact);
        self.contradict |= fact == no || self.known.get(&fact) == Some(&no);
        if self.known.insert(fact, yes).is_none() {
            self.known.insert(opposite, no);
            self.kept.push(fact);
        }
    }
}

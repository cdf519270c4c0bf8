//! What a question mentions, directly or not.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::algebra::{
    AbstractId, Algebra, ConstId, DataId, FunId, Sort, Term, TermId, Terms, VarId,
};

/// What a question mentions.
#[derive(Default)]
pub(super) struct Used {
    /// Where terms start: conditions, axioms, definitions.
    pub roots: Vec<TermId>,
    /// How often each term is mentioned.
    pub uses: FxHashMap<TermId, u32>,
    /// Variables that nothing binds, in the order in which they are met.
    pub free: Vec<VarId>,
    /// Variables of quantifiers and parameters of functions.
    pub bound: BTreeSet<VarId>,
    pub constants: BTreeSet<ConstId>,
    pub functions: BTreeSet<FunId>,
    pub datatypes: BTreeSet<DataId>,
    pub abstracts: BTreeSet<AbstractId>,
    pub actions: bool,
    /// Whether something asks what is inside `sync` or `co`.
    pub inside: bool,
    /// The sorts of arrays that are the same everywhere, but not a value that can be written down.
    pub constant_arrays: Vec<Sort>,
}

/// The largest value that is written down as the element of an array.
const LARGEST_VALUE: usize = 200;

/// Whether a term is a small value: solvers take nothing else for the element of a constant array.
pub(super) fn is_small_value(terms: &Terms, id: TermId) -> bool {
    let mut size = 0;
    let mut work = vec![id];
    while let Some(id) = work.pop() {
        size += 1;
        let is_value = matches!(
            terms.get(id),
            Term::Bool(_)
                | Term::Int(_)
                | Term::Tau
                | Term::Construct(..)
                | Term::Act(..)
                | Term::Sync(_)
                | Term::Co(_)
                | Term::ConstArray(..)
        );
        if !is_value || size > LARGEST_VALUE {
            return false;
        }
        terms.get(id).each_inside(|inner| work.push(inner));
    }
    true
}

/// Calls a function on all terms that a term is written with. Small values in constant arrays are no terms of their own.
pub(super) fn each_part(terms: &Terms, id: TermId, f: impl FnMut(TermId)) {
    match terms.get(id) {
        Term::ConstArray(_, value) if is_small_value(terms, *value) => {}
        other => other.each_inside(f),
    }
}

impl Used {
    /// What these conditions mention, and all axioms.
    pub fn by(algebra: &Algebra, terms: &Terms, conditions: &[TermId]) -> Used {
        let mut search = Search {
            algebra,
            terms,
            used: Used::default(),
            seen: FxHashSet::default(),
            work: Vec::new(),
            vars: Vec::new(),
            seen_vars: FxHashSet::default(),
        };
        for &id in conditions.iter().chain(&algebra.axioms) {
            search.root(id);
        }
        search.work.reverse();
        search.terms();
        search.free_variables();
        search.used
    }
}

struct Search<'a> {
    algebra: &'a Algebra,
    terms: &'a Terms,
    used: Used,
    seen: FxHashSet<TermId>,
    work: Vec<TermId>,
    /// All variables, in the order in which they are met.
    vars: Vec<VarId>,
    seen_vars: FxHashSet<VarId>,
}

impl Search<'_> {
    fn root(&mut self, id: TermId) {
        self.used.roots.push(id);
        *self.used.uses.entry(id).or_default() += 1;
        self.work.push(id);
    }

    fn terms(&mut self) {
        while let Some(id) = self.work.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            self.term(id);
            let first = self.work.len();
            each_part(self.terms, id, |part| {
                *self.used.uses.entry(part).or_default() += 1;
                self.work.push(part);
            });
            self.work[first..].reverse();
        }
    }

    /// Variables that nothing binds.
    fn free_variables(&mut self) {
        let free = self.vars.iter().filter(|var| !self.used.bound.contains(var));
        self.used.free = free.copied().collect();
    }

    fn term(&mut self, id: TermId) {
        let terms = self.terms;
        match terms.get(id) {
            Term::Var(var) => self.var(*var),
            Term::Const(id) => self.constant(*id),
            Term::Apply(id, _) => self.function(*id),
            Term::Construct(data, ..) | Term::Select(data, ..) | Term::IsConstructor(data, ..) => {
                self.sort(&Sort::Data(*data))
            }
            Term::ConstArray(sort, value) => {
                self.sort(sort);
                if !is_small_value(terms, *value) {
                    self.used.constant_arrays.push(sort.clone());
                }
            }
            Term::Forall(vars, _) | Term::Exists(vars, _) => self.bind(vars),
            Term::Inner(_) => {
                self.used.inside = true;
                self.sort(&Sort::Action);
            }
            Term::Act(..)
            | Term::Tau
            | Term::Sync(_)
            | Term::Co(_)
            | Term::IsAct(..)
            | Term::IsSync(_)
            | Term::IsCo(_)
            | Term::Argument(..) => self.sort(&Sort::Action),
            _ => {}
        }
    }

    fn var(&mut self, var: VarId) {
        if self.seen_vars.insert(var) {
            self.vars.push(var);
            let terms = self.terms;
            self.sort(&terms.var(var).sort);
        }
    }

    fn bind(&mut self, vars: &[VarId]) {
        let terms = self.terms;
        for &var in vars {
            self.used.bound.insert(var);
            self.sort(&terms.var(var).sort);
        }
    }

    fn constant(&mut self, id: ConstId) {
        if !self.used.constants.insert(id) {
            return;
        }
        let constant = &self.algebra.constants[id.index()];
        self.sort(&constant.sort);
        constant.value.into_iter().for_each(|value| self.root(value));
    }

    fn function(&mut self, id: FunId) {
        if !self.used.functions.insert(id) {
            return;
        }
        let function = &self.algebra.functions[id.index()];
        let terms = self.terms;
        function.params.iter().for_each(|&var| self.sort(&terms.var(var).sort));
        self.sort(&function.result);
        if let Some(body) = function.body {
            self.bind(&function.params);
            self.root(body);
        }
    }

    /// A sort with everything that its values are made of.
    fn sort(&mut self, sort: &Sort) {
        let algebra = self.algebra;
        let mut work = vec![sort];
        while let Some(sort) = work.pop() {
            match sort {
                Sort::Bool | Sort::Int | Sort::Range(..) => {}
                Sort::Abstract(id) => _ = self.used.abstracts.insert(*id),
                Sort::Array(both) => work.extend([&both.0, &both.1]),
                Sort::Action => {
                    if !std::mem::replace(&mut self.used.actions, true) {
                        work.extend(algebra.actions.iter().flat_map(|action| &action.sorts));
                    }
                }
                Sort::Data(id) => {
                    if self.used.datatypes.insert(*id) {
                        let constructors = algebra.datatypes[id.index()].constructors.iter();
                        let fields = constructors.flat_map(|one| &one.fields);
                        work.extend(fields.map(|(_, sort)| sort));
                    }
                }
            }
        }
    }
}

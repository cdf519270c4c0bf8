//! Terms, hash-consed: equal terms have equal ids, so that they are cheap to copy, compare and share.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::table::Table;
use super::{Sort, Term};
use crate::diagnostics::Symbol;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(u32);

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(u32);

impl TermId {
    /// The place in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VarId {
    /// The place in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable: of a process, a transition, a vector, a function, or bound in a formula.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, as it was written.
    pub name: Symbol,
    /// Its sort.
    pub sort: Sort,
    /// What it is.
    pub kind: VariableKind,
}

/// The kinds of variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// Of a process.
    State,
    /// Of a process, too: whether an `assert` has failed.
    Failure,
    /// An input of a transition.
    Input,
    /// Of a vector.
    Vector,
    /// A parameter of a function.
    Parameter,
    /// Bound by a quantifier.
    Bound,
}

impl VariableKind {
    /// Whether it is a variable of a process.
    pub fn is_state(self) -> bool {
        matches!(self, VariableKind::State | VariableKind::Failure)
    }
}

/// All terms and variables of a net.
///
/// What is frozen is shared by all copies, so that a copy costs only what was made since: whoever asks something about
/// an automaton adds terms of their own to its table, and leaves the table as it was.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// What is frozen; it has nothing frozen itself.
    base: Option<Arc<Terms>>,
    /// How many terms and variables are frozen: those of this layer come after them.
    first: (usize, usize),
    terms: Vec<Term>,
    table: Table,
    vars: Vec<Variable>,
    /// Each variable as a term.
    var_terms: Vec<TermId>,
    /// Whether complements are spoken of.
    complements: bool,
    /// The integers from zero on as terms, as far as they have been used in order: indices of families.
    counted: Vec<TermId>,
}

impl Terms {
    /// The form of a term.
    pub fn get(&self, id: TermId) -> &Term {
        match &self.base {
            Some(base) if id.index() < self.first.0 => &base.terms[id.index()],
            _ => &self.terms[id.index() - self.first.0],
        }
    }

    /// Whether some term speaks of the complement of an action.
    pub fn has_complements(&self) -> bool {
        self.complements
    }

    /// From now on, complements are spoken of.
    pub fn speak_of_complements(&mut self) {
        self.complements = true;
    }

    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.first.0 + self.terms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Variable {
        match &self.base {
            Some(base) if id.index() < self.first.1 => &base.vars[id.index()],
            _ => &self.vars[id.index() - self.first.1],
        }
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.first.1 + self.vars.len()
    }

    /// The variable at a place of the table.
    pub fn var_at(&self, index: usize) -> Option<VarId> {
        (index < self.var_count()).then_some(VarId(index as u32))
    }

    /// A new variable.
    pub fn new_var(&mut self, name: Symbol, sort: Sort, kind: VariableKind) -> VarId {
        let (id, term) = (VarId(self.var_count() as u32), TermId(self.len() as u32));
        self.vars.push(Variable { name, sort, kind });
        self.var_terms.push(term);
        self.terms.push(Term::Var(id));
        self.table.add_unfindable();
        id
    }

    /// The term of this form, as it is.
    pub fn raw(&mut self, term: Term) -> TermId {
        if let Term::Var(id) = term {
            return self.var_term(id);
        }
        self.complements |= matches!(term, Term::Co(_) | Term::IsCo(_));
        let newest = term.newest_inside();
        if let Some(base) = &self.base
            && newest.is_none_or(|newest| newest.index() < self.first.0)
            && let Some(place) = base.table.find(&base.terms, &term, newest)
        {
            return TermId(place);
        }
        let place = self.table.find_or_add((&self.terms, self.first.0), &term, newest);
        if place as usize == self.terms.len() {
            self.terms.push(term);
        }
        TermId(self.first.0 as u32 + place)
    }

    /// A variable as a term.
    pub fn var_term(&self, id: VarId) -> TermId {
        match &self.base {
            Some(base) if id.index() < self.first.1 => base.var_terms[id.index()],
            _ => self.var_terms[id.index() - self.first.1],
        }
    }

    /// Lets all copies from now on share what is here.
    pub fn freeze(&mut self) {
        if self.terms.is_empty() {
            return;
        }
        let mut own = std::mem::take(self);
        let complements = own.complements;
        let mut all = match own.base.take() {
            None => own,
            Some(base) => Arc::unwrap_or_clone(base).followed_by(own),
        };
        all.complements = complements;
        let (first, base) = ((all.terms.len(), all.vars.len()), Some(Arc::new(all)));
        *self = Terms { base, first, complements, ..Terms::default() };
    }

    /// One layer of a layer and the one above it.
    fn followed_by(mut self, above: Terms) -> Terms {
        for term in above.terms {
            match term {
                Term::Var(_) => self.table.add_unfindable(),
                _ => {
                    let newest = term.newest_inside();
                    self.table.find_or_add((&self.terms, 0), &term, newest);
                }
            }
            self.terms.push(term);
        }
        self.vars.extend(above.vars);
        self.var_terms.extend(above.var_terms);
        self.counted.extend(above.counted);
        self
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.raw(Term::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<BigInt>) -> TermId {
        let value: BigInt = value.into();
        let small = value.to_usize();
        if let Some(known) = small.and_then(|small| self.counted(small)) {
            return known;
        }
        let id = self.raw(Term::Int(Box::new(value)));
        let frozen = self.base.as_ref().map_or(0, |base| base.counted.len());
        if small == Some(frozen + self.counted.len()) {
            self.counted.push(id);
        }
        id
    }

    fn counted(&self, small: usize) -> Option<TermId> {
        let frozen = self.base.as_ref().map_or(&[][..], |base| &base.counted);
        let own = || self.counted.get(small.checked_sub(frozen.len())?);
        frozen.get(small).or_else(own).copied()
    }

    /// The truth value that a term is, if it is one.
    pub fn as_bool(&self, id: TermId) -> Option<bool> {
        match self.get(id) {
            Term::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer that a term is, if it is one.
    pub fn as_int(&self, id: TermId) -> Option<&BigInt> {
        match self.get(id) {
            Term::Int(value) => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Terms, VariableKind};
    use crate::algebra::{Sort, Term};
    use crate::diagnostics::Symbol;

    /// The same terms, made in the same order, with the table frozen at some points.
    fn made(frozen: &[usize]) -> (Terms, Vec<u32>) {
        let mut terms = Terms::default();
        let mut ids = Vec::new();
        for round in 0..40usize {
            if frozen.contains(&round) {
                terms.freeze();
                terms = terms.clone();
            }
            if round % 5 == 0 {
                terms.new_var(Symbol::new("x"), Sort::Int, VariableKind::State);
            }
            let vars = terms.var_count();
            let last = terms.raw(Term::Var(super::VarId(vars as u32 - 1)));
            let first = terms.raw(Term::Var(super::VarId(0)));
            let (small, large) = (terms.int(round % 7), terms.int(round * 1000));
            let sum = terms.add([first, small]);
            let less = terms.less(sum, last);
            let more = terms.less(last, large);
            let all = terms.and([less, more]);
            ids.extend([first, last, small, large, sum, less, more, all].map(|id| id.0));
        }
        (terms, ids)
    }

    #[test]
    fn frozen_terms_are_the_same_and_found_again() {
        let (plain, ids) = made(&[]);
        for frozen in [&[1][..], &[7, 8, 20], &[0, 5, 10, 39]] {
            let (terms, others) = made(frozen);
            assert_eq!((terms.len(), terms.var_count()), (plain.len(), plain.var_count()));
            assert_eq!(ids, others);
            for at in 0..plain.len() as u32 {
                assert_eq!(plain.get(super::TermId(at)), terms.get(super::TermId(at)));
            }
        }
    }
}

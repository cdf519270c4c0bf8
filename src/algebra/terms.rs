//! Terms, hash-consed: equal terms have equal ids, so that they are cheap to copy, compare and share.

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
    /// An input of a transition.
    Input,
    /// Of a vector.
    Vector,
    /// A parameter of a function.
    Parameter,
    /// Bound by a quantifier.
    Bound,
}

/// All terms and variables of a net.
#[derive(Clone, Debug, Default)]
pub struct Terms {
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
        &self.terms[id.index()]
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
        self.terms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Variable {
        &self.vars[id.index()]
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// A new variable.
    pub fn new_var(&mut self, name: Symbol, sort: Sort, kind: VariableKind) -> VarId {
        self.vars.push(Variable { name, sort, kind });
        let id = VarId(self.vars.len() as u32 - 1);
        self.var_terms.push(TermId(self.terms.len() as u32));
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
        let place = self.table.find_or_add(&self.terms, &term);
        if place as usize == self.terms.len() {
            self.terms.push(term);
        }
        TermId(place)
    }

    /// A variable as a term.
    pub fn var_term(&self, id: VarId) -> TermId {
        self.var_terms[id.index()]
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.raw(Term::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<BigInt>) -> TermId {
        let value: BigInt = value.into();
        let small = value.to_usize();
        if let Some(&known) = small.and_then(|small| self.counted.get(small)) {
            return known;
        }
        let id = self.raw(Term::Int(Box::new(value)));
        if small == Some(self.counted.len()) {
            self.counted.push(id);
        }
        id
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

//! Terms with other variables, and in one order where order means nothing: two are the same where they say the same in
//! another order, and only if they mean the same.

use rustc_hash::FxHashMap;

use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::diagnostics::Symbol;

/// What is put in the place of variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Renaming {
    /// The variables and what stands for each.
    pub of: FxHashMap<VarId, TermId>,
    /// What was arranged with it.
    done: FxHashMap<TermId, TermId>,
}

impl Renaming {
    /// Puts something in the place of a variable.
    pub fn put(&mut self, var: VarId, term: TermId) {
        self.of.insert(var, term);
        self.done.clear();
    }
}

/// A term with other variables, arranged.
pub(super) fn arranged(terms: &mut Terms, root: TermId, renaming: &mut Renaming) -> TermId {
    let Renaming { of, done } = renaming;
    terms.bottom_up(
        root,
        done,
        |_| true,
        |terms, id, done| {
            let inside = |inner: TermId| done.get(&inner).copied().unwrap_or(inner);
            match terms.get(id).clone() {
                Term::Var(var) => of.get(&var).copied().unwrap_or(id),
                term => {
                    let term = in_order(term.with_inside(inside));
                    terms.raw(term)
                }
            }
        },
    )
}

/// The same with operands in order, where their order means nothing.
fn in_order(term: Term) -> Term {
    let sorted = |mut all: Box<[TermId]>| {
        all.sort_unstable_by_key(|id| id.index());
        all
    };
    match term {
        Term::And(all) => Term::And(sorted(all)),
        Term::Or(all) => Term::Or(sorted(all)),
        Term::Add(all) => Term::Add(sorted(all)),
        Term::Multiply(all) => Term::Multiply(sorted(all)),
        Term::Equal(a, b) if b.index() < a.index() => Term::Equal(b, a),
        other => other,
    }
}

/// Variables that stand for the first, the second, and so on, of a sort.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    of: FxHashMap<(Sort, usize), VarId>,
}

impl Numbered {
    /// The one of a sort with a number, as a term.
    pub fn get(&mut self, terms: &mut Terms, sort: &Sort, number: usize) -> TermId {
        let key = (sort.clone(), number);
        let new = || terms.new_var(Symbol::new("same"), sort.clone(), VariableKind::Bound);
        let var = *self.of.entry(key).or_insert_with(new);
        terms.var_term(var)
    }
}

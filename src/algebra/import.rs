//! Terms of one table taken over into another.

use rustc_hash::FxHashMap;

use super::{BottomUp, Sort, Term, TermId, Terms, VarId};

/// What has been taken over already.
#[derive(Clone, Debug, Default)]
pub struct ImportMap {
    terms: FxHashMap<TermId, TermId>,
    vars: FxHashMap<VarId, VarId>,
}

impl Terms {
    /// Takes a variable over: a new one, the same for every mention.
    pub fn import_var(&mut self, other: &Terms, var: VarId, done: &mut ImportMap) -> VarId {
        if let Some(&known) = done.vars.get(&var) {
            return known;
        }
        let variable = other.var(var);
        let sort = self.import_sort(other, &variable.sort, done);
        let new = self.new_var(variable.name, sort, variable.kind);
        done.vars.insert(var, new);
        new
    }

    /// Takes a sort over: the bounds of its ranges are terms.
    pub fn import_sort(&mut self, other: &Terms, sort: &Sort, done: &mut ImportMap) -> Sort {
        match sort {
            Sort::Range(low, high) => {
                Sort::Range(self.import(other, *low, done), self.import(other, *high, done))
            }
            Sort::Array(both) => {
                let (key, value) = &**both;
                Sort::Array(Box::new((
                    self.import_sort(other, key, done),
                    self.import_sort(other, value, done),
                )))
            }
            Sort::Bool | Sort::Int | Sort::Action | Sort::Abstract(_) | Sort::Data(_) => {
                sort.clone()
            }
        }
    }

    /// Takes a term over. Constants, functions, constructors and actions have the same numbers in both tables.
    pub fn import(&mut self, other: &Terms, root: TermId, done: &mut ImportMap) -> TermId {
        let mut walk = BottomUp::from(root);
        while let Some(id) = walk.next(other, |id| done.terms.contains_key(&id)) {
            let new = self.imported(other, id, done);
            done.terms.insert(id, new);
        }
        done.terms.get(&root).copied().unwrap_or(root)
    }

    fn imported(&mut self, other: &Terms, id: TermId, done: &mut ImportMap) -> TermId {
        let term = match other.get(id) {
            Term::Var(var) => {
                let var = self.import_var(other, *var, done);
                return self.var_term(var);
            }
            Term::Forall(vars, body) => {
                let vars = vars.iter().map(|&var| self.import_var(other, var, done)).collect();
                Term::Forall(vars, *body)
            }
            Term::Exists(vars, body) => {
                let vars = vars.iter().map(|&var| self.import_var(other, var, done)).collect();
                Term::Exists(vars, *body)
            }
            Term::ConstArray(sort, inner) => {
                Term::ConstArray(self.import_sort(other, sort, done), *inner)
            }
            plain => plain.clone(),
        };
        let new = |inner: TermId| done.terms.get(&inner).copied().unwrap_or(inner);
        self.raw(term.with_inside(new))
    }
}

//! Walks over terms. Terms can be deep, so each has a stack of its own, not the thread's.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Term, TermId, Terms, VarId};

/// The terms inside of others, each once.
#[derive(Debug)]
pub struct Inside<'t, E> {
    terms: &'t Terms,
    enter: E,
    seen: FxHashSet<TermId>,
    work: Vec<TermId>,
}

impl<E: FnMut(&Term) -> bool> Iterator for Inside<'_, E> {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        while let Some(id) = self.work.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            let term = self.terms.get(id);
            if (self.enter)(term) {
                let first = self.work.len();
                term.each_inside(|inner| self.work.push(inner));
                self.work[first..].reverse();
            }
            return Some(id);
        }
        None
    }
}

/// A walk over a term from the bottom up. Whoever walks remembers what is done, and may make new terms on the way.
#[derive(Debug)]
pub(crate) struct BottomUp {
    work: Vec<TermId>,
}

impl From<TermId> for BottomUp {
    fn from(root: TermId) -> BottomUp {
        BottomUp { work: vec![root] }
    }
}

impl BottomUp {
    /// A term that is not done, while all those are that it is made of. It has to be done before the next is asked for.
    pub fn next(&mut self, terms: &Terms, is_done: impl Fn(TermId) -> bool) -> Option<TermId> {
        self.next_entering(terms, is_done, |_| true)
    }

    fn next_entering(
        &mut self,
        terms: &Terms,
        is_done: impl Fn(TermId) -> bool,
        enter: impl Fn(&Term) -> bool,
    ) -> Option<TermId> {
        while let Some(&id) = self.work.last() {
            if is_done(id) {
                self.work.pop();
                continue;
            }
            let (before, term) = (self.work.len(), terms.get(id));
            if enter(term) {
                term.each_inside(|inner| {
                    if !is_done(inner) {
                        self.work.push(inner);
                    }
                });
            }
            if self.work.len() == before {
                return self.work.pop();
            }
        }
        None
    }
}

impl Terms {
    /// Some terms and all that is inside them, each once, in the order in which they are met.
    pub fn inside(
        &self,
        roots: impl IntoIterator<Item = TermId>,
    ) -> Inside<'_, impl FnMut(&Term) -> bool> {
        self.inside_entering(roots, |_| true)
    }

    /// The same, without what is inside of terms that are not to be entered.
    pub fn inside_entering<E: FnMut(&Term) -> bool>(
        &self,
        roots: impl IntoIterator<Item = TermId>,
        enter: E,
    ) -> Inside<'_, E> {
        let mut work: Vec<TermId> = roots.into_iter().collect();
        work.reverse();
        Inside { terms: self, enter, seen: FxHashSet::default(), work }
    }

    /// What becomes of a term from the bottom up: `make` is called for each term inside it, itself included, when all
    /// those that it is made of are in `done`. Those that are not to be entered are made without.
    pub(crate) fn bottom_up(
        &mut self,
        root: TermId,
        done: &mut FxHashMap<TermId, TermId>,
        enter: impl Fn(&Term) -> bool,
        mut make: impl FnMut(&mut Terms, TermId, &FxHashMap<TermId, TermId>) -> TermId,
    ) -> TermId {
        let mut walk = BottomUp::from(root);
        while let Some(id) = walk.next_entering(self, |id| done.contains_key(&id), &enter) {
            let new = make(self, id, done);
            done.insert(id, new);
        }
        done.get(&root).copied().unwrap_or(root)
    }

    /// The terms directly inside a term.
    pub fn children(&self, id: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.get(id).each_inside(|inner| found.push(inner));
        found
    }

    /// The variables of a term that are not bound in it, in the order they are met.
    pub fn free_vars(&self, id: TermId) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut bound = FxHashSet::default();
        for inner in self.inside([id]) {
            match self.get(inner) {
                // Bound variables are different from all others, so one look at each term is enough.
                Term::Forall(vars, _) | Term::Exists(vars, _) => bound.extend(vars.iter().copied()),
                Term::Var(var) => found.push(*var),
                _ => {}
            }
        }
        found.retain(|var| !bound.contains(var));
        found
    }

    /// Whether some terms are made of more different ones than `most`.
    pub fn is_larger(&self, roots: &[TermId], most: usize) -> bool {
        self.inside(roots.iter().copied()).nth(most).is_some()
    }

    /// Whether a term speaks of a symbolic constant or an uninterpreted function, whose values are not ours to choose.
    pub(crate) fn has_constant(&self, root: TermId) -> bool {
        self.inside([root]).any(|id| matches!(self.get(id), Term::Const(_) | Term::Apply(..)))
    }
}

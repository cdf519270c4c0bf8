//! When functions that are defined have values: each has a companion, the condition under which its definition has one.
//! A call owes it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::build::Builder;
use super::lower::Companion;
use crate::algebra::{FunId, Function, Sort, Term, TermId};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::Owed;

impl Builder<'_> {
    /// Makes a companion for each function that is defined; what it says is known later.
    pub(super) fn declare_companions(&mut self) {
        for index in 0..self.program.funs.len() {
            let function = &self.algebra.functions[index];
            let companion = function.body.is_some().then(|| {
                let name = Symbol::new(&format!("{} has a value", function.name));
                let params = function.params.clone();
                Function { name, params, result: Sort::Bool, measures: Vec::new(), body: None }
            });
            let companion = companion.map(|function| {
                self.algebra.functions.push(function);
                Companion::Function(FunId(self.algebra.functions.len() as u32 - 1))
            });
            self.ledger.companions.push(companion);
        }
    }

    /// Says when definitions have values: `owes[f]` is what the definition of the function `f` owes.
    ///
    /// A companion that owes nothing but companions that owe nothing is true: the greatest solution, which is the only
    /// one, since functions that are defined end.
    pub(super) fn define_companions(&mut self, owes: Vec<Vec<Owed>>) {
        let bodies = owes.into_iter().map(|owes| self.terms.and(owes.into_iter().map(|o| o.term)));
        let bodies: Vec<TermId> = bodies.collect();
        let mut always: FxHashSet<FunId> = self.companion_ids().map(|(_, id)| id).collect();
        loop {
            let mut changed = false;
            for (index, id) in self.companion_ids().collect::<Vec<_>>() {
                if always.contains(&id) {
                    let body = self.without_companions(bodies[index], &always);
                    if self.terms.as_bool(body) != Some(true) {
                        always.remove(&id);
                        changed = true;
                    }
                }
            }
            if !changed || is_spent() {
                break;
            }
        }
        for (index, id) in self.companion_ids().collect::<Vec<_>>() {
            let body = self.without_companions(bodies[index], &always);
            self.algebra.functions[id.index()].body = Some(body);
            if always.contains(&id) {
                self.ledger.companions[index] = Some(Companion::Always);
            }
        }
        self.inline_companions();
    }

    /// Companions that speak of no companion are written out where they are owed.
    fn inline_companions(&mut self) {
        while !is_spent() {
            let ids: Vec<(usize, FunId)> = self.companion_ids().collect();
            let all: FxHashSet<FunId> = ids.iter().map(|(_, id)| *id).collect();
            let plain = ids.iter().find_map(|&(index, id)| {
                let body = self.algebra.functions[id.index()].body?;
                self.mentioned(body, &all).is_empty().then_some((index, id, body))
            });
            let Some((index, id, body)) = plain else { return };
            self.ledger.companions[index] = Some(Companion::Where(body));
            for (_, other) in ids {
                let Some(old) = self.algebra.functions[other.index()].body else { continue };
                let new = self.written_out(old, id, body);
                self.algebra.functions[other.index()].body = Some(new);
            }
        }
    }

    fn companion_ids(&self) -> impl Iterator<Item = (usize, FunId)> + '_ {
        self.ledger.companions.iter().enumerate().filter_map(|(index, companion)| match companion {
            Some(Companion::Function(id)) => Some((index, *id)),
            _ => None,
        })
    }

    /// The calls of some functions in a term, those inside others first.
    fn mentioned(&self, root: TermId, of: &FxHashSet<FunId>) -> Vec<TermId> {
        let is_call =
            |id: &TermId| matches!(self.terms.get(*id), Term::Apply(fun, _) if of.contains(fun));
        let mut found: Vec<TermId> = self.terms.inside([root]).filter(is_call).collect();
        // What is inside a term is older than the term.
        found.sort_unstable();
        found
    }

    /// A condition where companions that are always true are.
    fn without_companions(&mut self, root: TermId, always: &FxHashSet<FunId>) -> TermId {
        let yes = self.terms.bool(true);
        let mut done: FxHashMap<TermId, TermId> =
            self.mentioned(root, always).into_iter().map(|call| (call, yes)).collect();
        self.terms.substitute_with(root, &FxHashMap::default(), &mut done)
    }

    /// A condition with a companion's own condition in the place of its calls.
    fn written_out(&mut self, root: TermId, companion: FunId, body: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let params = self.algebra.functions[companion.index()].params.clone();
        for call in self.mentioned(root, &[companion].into_iter().collect()) {
            let Term::Apply(_, args) = self.terms.get(call).clone() else { continue };
            let args = args
                .iter()
                .map(|&arg| self.terms.substitute_with(arg, &FxHashMap::default(), &mut done));
            let values = params.iter().copied().zip(args.collect::<Vec<_>>()).collect();
            let new = self.terms.substitute(body, &values);
            done.insert(call, new);
        }
        self.terms.substitute_with(root, &FxHashMap::default(), &mut done)
    }
}

//! What the leaves of a joint move tell each other: the arguments of their actions.
//!
//! Actions that communicate have the same arguments, and so has what comes out. So a joint move that shows an action tells
//! just the arguments of this action; where a leaf needs more, and that has few values, there is a joint move for each value.
//! A silent one may tell whatever is needed.
//!
//! Claim: leaves that agree on the arguments can make the move together exactly if the joint move can be made, since each
//! condition is tested by a leaf that knows all that it speaks of, and each value is known where it is used.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Mcrl2, plain_name};
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind, sort_of};
use crate::diagnostics::{Span, Symbol};
use crate::emit::{self, Scope};
use crate::export::expression::{few_values, invariant, replaced};
use crate::export::joint::{Joint, Solved, conjuncts};
use crate::export::problems::UnshownValue;
use crate::pnet::{Content, PltsId};

/// A value that is not shown is written out, so many times at most for each joint move.
const MOST_VALUES: usize = 64;

/// A joint move as actions of leaves.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    /// What is shown: the name of the action here, and in the model; none for silent ones.
    pub result: Option<(String, String)>,
    /// Where it is silent and several leaves take part: the action that is hidden.
    pub hidden: Option<String>,
    /// The sorts of the arguments.
    pub sorts: Vec<Sort>,
    pub sides: Vec<Side>,
    /// Where it was written.
    pub span: Span,
}

/// A leaf in a joint move.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub leaf: PltsId,
    pub port: usize,
    /// Its own action; none where it takes part alone.
    pub raw: Option<String>,
    /// The arguments as it knows them.
    pub args: Vec<TermId>,
    /// What it tests.
    pub conditions: Vec<TermId>,
    /// The values of its inputs.
    pub values: FxHashMap<VarId, TermId>,
    /// What it does not know, and takes from the others.
    pub sums: Vec<VarId>,
}

impl Shared {
    /// The action that is seen before silent ones are hidden; none for a silent one of a single leaf.
    pub fn shown(&self) -> Option<&str> {
        self.result.as_ref().map(|(name, _)| name.as_str()).or(self.hidden.as_deref())
    }

    /// The actions that communicate.
    pub fn raw(&self) -> Vec<&str> {
        self.sides.iter().filter_map(|side| side.raw.as_deref()).collect()
    }
}

impl Mcrl2<'_> {
    /// All joint moves of the root.
    pub fn shared(&mut self) -> Vec<Shared> {
        let joints = self.joints.root.clone();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut all = Vec::new();
        for joint in &joints {
            let Some(mut solved) = self.joints.solved(joint) else { continue };
            // Inputs that nobody gives a value stay as they are.
            let mut work = Vec::new();
            for &(leaf, at) in &joint.leaves {
                work.extend(self.joints.ports[&leaf][at].inputs.iter().copied());
            }
            for var in work {
                let own = self.joints.terms.var_term(var);
                solved.values.entry(var).or_insert(own);
            }
            let span = self.span(joint);
            for one in self.variants(joint, solved, span) {
                all.push(self.sides(joint, &one, span, &mut names));
            }
        }
        all
    }

    fn span(&self, joint: &Joint) -> Span {
        let net = self.joints.net;
        match (net.root, joint.vector) {
            (Content::Node(id), Some(vector)) => {
                net.origins.get(net.nodes[id].vectors[vector].origin).span
            }
            _ => self.root_span(),
        }
    }

    /// The leaf that knows a variable.
    fn knows(&self, joint: &Joint, var: VarId) -> Option<PltsId> {
        let given = |(leaf, at): &(PltsId, usize)| {
            self.joints.ports[leaf][*at].inputs.contains(&var).then_some(*leaf)
        };
        let first = joint.leaves.first().map(|(leaf, _)| *leaf);
        let own = self.joints.owners.get(&var).copied();
        own.or_else(|| joint.leaves.iter().find_map(given)).or(first)
    }

    /// The leaves that know something that a term speaks of.
    fn knowers(&self, joint: &Joint, term: TermId) -> Vec<PltsId> {
        let vars = self.joints.terms.free_vars(term).into_iter();
        let mut leaves: Vec<PltsId> = vars.filter_map(|var| self.knows(joint, var)).collect();
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// The largest terms in a term that a leaf does not know and another one does, but for those that are told.
    fn foreign(&self, joint: &Joint, term: TermId, leaf: PltsId, told: &[TermId]) -> Vec<TermId> {
        let (mut found, mut work) = (Vec::new(), vec![term]);
        // What a quantifier binds is nothing that anybody could tell, nor is what speaks of it.
        let bound = self.bound(term);
        while let Some(id) = work.pop() {
            let knowers = self.knowers(joint, id);
            if told.contains(&id) || knowers.iter().all(|&one| one == leaf) {
                continue;
            }
            if self.joints.terms.free_vars(id).iter().any(|var| bound.contains(var)) {
                work.extend(self.joints.terms.children(id));
                continue;
            }
            let is_data = !matches!(
                sort_of(&self.joints.net.algebra, &self.joints.terms, id),
                Sort::Action | Sort::Array(_) | Sort::Abstract(_)
            );
            match knowers.len() == 1 && is_data {
                true if !found.contains(&id) => found.push(id),
                true => {}
                false => work.extend(self.joints.terms.children(id)),
            }
        }
        found
    }

    /// The variables that quantifiers in a term bind.
    fn bound(&self, term: TermId) -> Vec<VarId> {
        let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![term]);
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Term::Forall(vars, _) | Term::Exists(vars, _) = self.joints.terms.get(id) {
                found.extend(vars.iter().copied());
            }
            work.extend(self.joints.terms.children(id));
        }
        found
    }

    /// What leaves must be told besides what is shown.
    fn untold(&self, joint: &Joint, solved: &Solved) -> Vec<TermId> {
        let mut told = self.arguments(solved.result);
        let shown = told.len();
        let add = |told: &mut Vec<TermId>, term: TermId, leaf: PltsId| {
            let more = self.foreign(joint, term, leaf, told);
            told.extend(more);
        };
        for arg in told.clone() {
            if let [first, _, ..] = self.knowers(joint, arg).as_slice() {
                let more = self.foreign(joint, arg, *first, &[]);
                told.extend(more);
            }
        }
        for &(leaf, at) in &joint.leaves {
            for value in self.needed(leaf, at, solved) {
                add(&mut told, value, leaf);
            }
        }
        for &condition in &solved.conditions {
            let tester = self.tester(joint, condition, &told);
            add(&mut told, condition, tester);
        }
        told.split_off(shown)
    }

    /// The values of inputs that a leaf keeps.
    fn needed(&self, leaf: PltsId, at: usize, solved: &Solved) -> Vec<TermId> {
        let port = &self.joints.ports[&leaf][at];
        let updates = port.turns.iter().flat_map(|turn| &turn.updates);
        let used: Vec<VarId> =
            updates.flat_map(|(_, value)| self.joints.terms.free_vars(*value)).collect();
        let inputs = port.inputs.iter().filter(|var| used.contains(var));
        inputs.filter_map(|var| solved.values.get(var).copied()).collect()
    }

    /// The leaf that tests a condition: one that has to be told least.
    fn tester(&self, joint: &Joint, condition: TermId, told: &[TermId]) -> PltsId {
        let knowers = self.knowers(joint, condition);
        let cost = |leaf: &PltsId| self.foreign(joint, condition, *leaf, told).len();
        let best = knowers.into_iter().min_by_key(cost);
        best.or_else(|| joint.leaves.first().map(|(leaf, _)| *leaf)).unwrap_or(PltsId(0))
    }

    /// The arguments of an action.
    fn arguments(&self, action: TermId) -> Vec<TermId> {
        match self.joints.terms.get(action) {
            Term::Act(_, args) => args.to_vec(),
            Term::Sync(inner) | Term::Co(inner) => self.arguments(*inner),
            _ => Vec::new(),
        }
    }

    /// A joint move for each value of what is not shown, so that nothing else needs to be told; silent ones as they are.
    fn variants(&mut self, joint: &Joint, solved: Solved, span: Span) -> Vec<Solved> {
        let is_silent = *self.joints.terms.get(solved.result) == Term::Tau;
        let (mut done, mut work) = (Vec::new(), vec![solved]);
        while let Some(one) = work.pop() {
            let untold = self.untold(joint, &one);
            let Some(&first) = untold.first().filter(|_| !is_silent) else {
                done.push(one);
                continue;
            };
            let values = self.values_of(first);
            let values =
                values.filter(|(_, all)| all.len() + work.len() + done.len() <= MOST_VALUES);
            let Some((term, values)) = values else {
                self.unshown(first, one.result, span);
                return Vec::new();
            };
            for value in values.into_iter().rev() {
                work.extend(self.with_value(&one, term, value));
            }
        }
        done
    }

    /// The values of a term, or of a variable in it, where they are few.
    fn values_of(&mut self, term: TermId) -> Option<(TermId, Vec<TermId>)> {
        let algebra = &self.joints.net.algebra;
        let sort = match self.joints.terms.get(term) {
            Term::Var(var) => self.joints.terms.var(*var).sort.clone(),
            _ => sort_of(algebra, &self.joints.terms, term),
        };
        if let Some(values) = few_values(algebra, &mut self.joints.terms, &sort, MOST_VALUES) {
            return Some((term, values));
        }
        let vars = self.joints.terms.free_vars(term);
        let first = vars.into_iter().map(|var| self.joints.terms.var_term(var)).next();
        first.filter(|&first| first != term).and_then(|first| self.values_of(first))
    }

    /// The same where a term has a value; nothing where it cannot.
    fn with_value(&mut self, solved: &Solved, term: TermId, value: TermId) -> Option<Solved> {
        let terms = &mut self.joints.terms;
        let mut conditions = vec![terms.equal(term, value)];
        for &condition in &solved.conditions {
            let condition = replaced(terms, condition, &[(term, value)]);
            match terms.as_bool(condition) {
                Some(true) => {}
                Some(false) => return None,
                None => conditions.push(condition),
            }
        }
        let mut known: Vec<(VarId, TermId)> =
            solved.values.iter().map(|(var, value)| (*var, *value)).collect();
        known.sort_unstable();
        let new = known.into_iter().map(|(var, old)| (var, replaced(terms, old, &[(term, value)])));
        let values = new.collect();
        let result = replaced(terms, solved.result, &[(term, value)]);
        Some(Solved { values, conditions, result })
    }

    fn unshown(&mut self, value: TermId, action: TermId, span: Span) {
        let scope =
            Scope { algebra: &self.joints.net.algebra, terms: &self.joints.terms, names: None };
        let (value, action) = (emit::term(scope, value), emit::term(scope, action));
        if !self.problems.iter().any(|problem| problem.span() == span) {
            self.problems.push(UnshownValue { span, value, action }.into());
        }
    }

    /// A joint move as actions of its leaves.
    fn sides(
        &mut self,
        joint: &Joint,
        solved: &Solved,
        span: Span,
        names: &mut BTreeMap<String, String>,
    ) -> Shared {
        let is_silent = *self.joints.terms.get(solved.result) == Term::Tau;
        let mut args = self.arguments(solved.result);
        if is_silent && joint.leaves.len() > 1 {
            args = self.untold(joint, solved);
        }
        let plain = plain_name(&self.joints, solved.result);
        let (mut result, mut hidden) = (None, None);
        let kind = self.action_key(solved.result);
        match (is_silent, joint.leaves.len()) {
            (true, 1) => {}
            (true, _) => hidden = Some(self.unique.pick("silent")),
            (false, _) => {
                let unique = &mut self.unique;
                // Actions of one name and different sorts are told apart.
                let name = names.entry(kind).or_insert_with(|| unique.pick(&plain));
                result = Some((name.clone(), plain.clone()));
            }
        }
        let sorts = self.sorts(solved.result, &args);
        let base = match joint.leaves.len() {
            1 => None,
            _ => Some(self.unique.pick(&format!("on_{plain}"))),
        };
        let mut sides = Vec::with_capacity(joint.leaves.len());
        for &(leaf, port) in &joint.leaves {
            sides.push(self.side(joint, solved, (leaf, port), &args));
        }
        for side in &mut sides {
            let leaf = &self.leaves[&side.leaf];
            side.raw = base.as_ref().map(|base| self.unique.pick(&format!("{base}_{leaf}")));
        }
        Shared { result, hidden, sorts, sides, span }
    }

    /// What tells actions apart: their names and the sorts of their arguments.
    fn action_key(&self, action: TermId) -> String {
        let name = plain_name(&self.joints, action);
        let mut inner = action;
        while let Term::Sync(inside) | Term::Co(inside) = *self.joints.terms.get(inner) {
            inner = inside;
        }
        match self.joints.terms.get(inner) {
            Term::Act(id, _) => format!("{name} {}", id.index()),
            _ => name,
        }
    }

    /// The sorts of arguments: those that were declared, where an action is shown.
    fn sorts(&self, action: TermId, args: &[TermId]) -> Vec<Sort> {
        let mut inner = action;
        while let Term::Sync(inside) | Term::Co(inside) = *self.joints.terms.get(inner) {
            inner = inside;
        }
        match self.joints.terms.get(inner) {
            Term::Act(id, _) => self.joints.net.algebra.action(*id).sorts.clone(),
            _ => {
                let (algebra, terms) = (&self.joints.net.algebra, &self.joints.terms);
                args.iter().map(|&arg| sort_of(algebra, terms, arg)).collect()
            }
        }
    }

    fn side(
        &mut self,
        joint: &Joint,
        solved: &Solved,
        (leaf, port): (PltsId, usize),
        told: &[TermId],
    ) -> Side {
        let (mut args, mut taken, mut sums) = (Vec::new(), Vec::new(), Vec::new());
        for (at, &arg) in told.iter().enumerate() {
            if self.knowers(joint, arg).iter().all(|&one| one == leaf) {
                args.push(arg);
                continue;
            }
            let sort = sort_of(&self.joints.net.algebra, &self.joints.terms, arg);
            let name = Symbol::new(&format!("e{}", at + 1));
            let var = self.joints.terms.new_var(name, sort, VariableKind::Vector);
            let own = self.joints.terms.var_term(var);
            // An argument that is told twice is the same both times.
            args.push(own);
            taken.push((arg, own));
            sums.push(var);
        }
        let tests = |this: &Self, condition: TermId| this.tester(joint, condition, told) == leaf;
        let own = solved.conditions.iter().copied().filter(|&one| tests(self, one));
        let own: Vec<TermId> = own.collect();
        let mut conditions: Vec<TermId> = Vec::with_capacity(own.len());
        for condition in own {
            conditions.push(replaced(&mut self.joints.terms, condition, &taken));
        }
        let needed: FxHashMap<VarId, TermId> = {
            let inputs = self.joints.ports[&leaf][port].inputs.clone();
            let known = inputs.iter().filter_map(|var| Some((*var, *solved.values.get(var)?)));
            let known: Vec<(VarId, TermId)> = known.collect();
            let new = |(var, value)| (var, replaced(&mut self.joints.terms, value, &taken));
            known.into_iter().map(new).collect()
        };
        // What nobody gives is chosen by the leaf that knows it.
        let mut speaks: Vec<TermId> = args.iter().chain(&conditions).copied().collect();
        let mut kept: Vec<TermId> = self.needed(leaf, port, solved);
        kept.iter_mut().for_each(|one| *one = replaced(&mut self.joints.terms, *one, &taken));
        speaks.extend(kept);
        let mut open: Vec<VarId> =
            speaks.iter().flat_map(|&one| self.joints.terms.free_vars(one)).collect();
        open.retain(|var| !self.joints.owners.contains_key(var) && !sums.contains(var));
        open.sort_unstable();
        open.dedup();
        // It is a value of its sort, which may have fewer than there.
        for &var in &open {
            match invariant(&self.joints.net.algebra, &mut self.joints.terms, var) {
                Ok(holds) => conditions.extend(conjuncts(&self.joints.terms, holds)),
                Err(what) => {
                    let span = self.span(joint);
                    self.refuse(span, what);
                }
            }
        }
        sums.extend(open);
        Side { leaf, port, raw: None, args, conditions, values: needed, sums }
    }
}

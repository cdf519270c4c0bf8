//! What has to hold for members to move together, as equations and conditions.
//!
//! Actions are taken apart here: a variable that stands for an action is replaced by the action, and two actions are the
//! same where their heads and arguments are. What is left speaks of data only. A leaf moves at most once in a step, and a
//! node uses at most one vector, so the variables of transitions and vectors need no copies.

use rustc_hash::FxHashMap;

use super::flat::Tree;
use super::head::Head;
use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::diagnostics::Symbol;
use crate::pnet::{
    HoleId, NodeId, Optional, PNet, PartId, PltsId, PltsStateId, PltsTransitionId, Rival,
    TransitionPlace, Vector, VectorId, VectorPlace,
};

/// A rival of a vector of a step: who would take part with what, and its guard.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct RivalFact {
    pub node: NodeId,
    pub members: Vec<(PartId, TermId)>,
    pub guard: TermId,
    /// The variables of its own.
    pub own: Vec<VarId>,
}

/// Members of a vector that may take part or not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct MayFact {
    pub place: VectorPlace,
    pub members: Vec<(PartId, TermId)>,
    /// What has to hold for them to take part.
    pub holds: Vec<TermId>,
    /// The variables of their own.
    pub own: Vec<VarId>,
    /// Who may take part where these do.
    pub inside: Vec<MayFact>,
}

/// Those who may take part beside others.
#[derive(Clone, Debug)]
pub(super) struct WholeFact {
    pub place: VectorPlace,
    pub may: Vec<MayFact>,
    /// Whether the others may take part or not, too.
    pub inner: bool,
}

/// What has to hold for a step, and what it does.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// These are the same.
    pub same: Vec<(TermId, TermId)>,
    /// These hold.
    pub holds: Vec<TermId>,
    /// The variables that get their values here.
    pub variables: Vec<VarId>,
    pub updates: Vec<(VarId, TermId)>,
    pub targets: Vec<(PltsId, PltsStateId)>,
    pub holes: Vec<(HoleId, TermId)>,
    pub rivals: Vec<RivalFact>,
    pub wholes: Vec<WholeFact>,
    pub vectors: Vec<VectorPlace>,
    pub transitions: Vec<TransitionPlace>,
    /// What variables stand for that stand for actions.
    actions: FxHashMap<VarId, TermId>,
    /// It can never happen.
    pub never: bool,
}

/// Gathers facts.
pub(super) struct Gatherer<'a> {
    pub net: &'a PNet,
    pub terms: &'a mut Terms,
    /// Actions that nobody declared, as variables.
    pub others: &'a [VarId],
}

/// The transitions that were chosen for the leaves, in the order of the members.
pub(super) type Chosen<'c> = std::slice::Iter<'c, PltsTransitionId>;

impl Gatherer<'_> {
    /// What a tree shows, when its leaves make these transitions; the facts are added.
    pub fn tree(&mut self, tree: &Tree, chosen: &mut Chosen<'_>, facts: &mut Facts) -> TermId {
        match tree {
            Tree::Leaf(leaf, _) => self.leaf(*leaf, chosen, facts),
            Tree::Hole(hole, head) => {
                let action = self.made(head, &self.net.holes[*hole].path, facts);
                facts.holes.push((*hole, action));
                action
            }
            Tree::Node(node, number, members) => {
                let vector = &self.net.nodes[*node].vectors[*number];
                facts.vectors.push((*node, *number));
                for (member, inner) in vector.members.iter().zip(members) {
                    let shown = self.tree(inner, chosen, facts);
                    self.same(member.action, shown, facts);
                }
                self.vector(*node, *number, facts)
            }
        }
    }

    fn leaf(&mut self, leaf: PltsId, chosen: &mut Chosen<'_>, facts: &mut Facts) -> TermId {
        let Some(&number) = chosen.next() else {
            facts.never = true;
            return self.terms.raw(Term::Tau);
        };
        let transition = &self.net.plts[leaf].transitions[number];
        facts.holds.push(transition.guard);
        facts.holds.extend(transition.owes.iter().map(|owed| owed.term));
        facts.variables.extend(&transition.inputs);
        facts.updates.extend(&transition.updates);
        facts.targets.push((leaf, transition.target));
        facts.transitions.push((leaf, number));
        transition.action
    }

    /// The conditions of a vector, and what it shows.
    fn vector(&mut self, node: NodeId, number: VectorId, facts: &mut Facts) -> TermId {
        let vector = &self.net.nodes[node].vectors[number];
        let is_data = |var: &&VarId| self.net.terms.var(**var).sort != Sort::Action;
        facts.variables.extend(vector.variables.iter().filter(is_data));
        let guard = self.terms.substitute(vector.guard, &facts.actions);
        facts.holds.push(guard);
        for owed in &vector.owes {
            facts.holds.push(self.terms.substitute(owed.term, &facts.actions));
        }
        for rival in foremost(self.terms, vector) {
            let mut actions = facts.actions.clone();
            let own = rival.variables.iter().filter(|var| !vector.variables.contains(var));
            let own: Vec<VarId> = own.copied().collect();
            actions.retain(|var, _| !own.contains(var));
            let members = rival
                .members
                .iter()
                .map(|member| (member.part, self.terms.substitute(member.action, &actions)));
            let members = members.collect();
            let guard = self.terms.substitute(rival.guard, &actions);
            facts.rivals.push(RivalFact { node, members, guard, own });
        }
        if !vector.optional.is_empty() || vector.maximal.is_some() {
            let place = (node, number);
            let may = vector.optional.iter().map(|one| may_fact(place, one)).collect();
            facts.wholes.push(WholeFact { place, may, inner: false });
        }
        self.terms.substitute(vector.result, &facts.actions)
    }

    /// What members that may take part do, when they make these transitions.
    pub fn may(
        &mut self,
        fact: &MayFact,
        trees: &[std::sync::Arc<Tree>],
        chosen: &mut Chosen<'_>,
    ) -> Facts {
        let mut facts = Facts::default();
        for (&(_, pattern), tree) in fact.members.iter().zip(trees) {
            let shown = self.tree(tree, chosen, &mut facts);
            self.same(pattern, shown, &mut facts);
        }
        facts.variables.extend(&fact.own);
        facts.holds.extend(&fact.holds);
        if !fact.inside.is_empty() {
            let (place, may) = (fact.place, fact.inside.clone());
            facts.wholes.push(WholeFact { place, may, inner: true });
        }
        facts
    }

    /// That two actions are the same.
    pub fn same(&mut self, pattern: TermId, shown: TermId, facts: &mut Facts) {
        let mut work = vec![(pattern, shown)];
        while let Some((pattern, shown)) = work.pop() {
            if pattern == shown {
                continue;
            }
            match (self.terms.get(pattern), self.terms.get(shown)) {
                (Term::Var(var), _) if self.is_open(*var) => {
                    let var = *var;
                    match facts.actions.get(&var) {
                        Some(&before) => work.push((before, shown)),
                        None => drop(facts.actions.insert(var, shown)),
                    }
                }
                (Term::Act(one, xs), Term::Act(other, ys)) => {
                    facts.never |= one != other;
                    if one == other {
                        facts.same.extend(xs.iter().copied().zip(ys.iter().copied()));
                    }
                }
                (Term::Sync(one), Term::Sync(other)) | (Term::Co(one), Term::Co(other)) => {
                    work.push((*one, *other));
                }
                (Term::If(condition, yes, no), _) => {
                    let parts = (*condition, *yes, *no);
                    self.either(parts, shown, facts);
                }
                (_, Term::If(condition, yes, no)) => {
                    let parts = (*condition, *yes, *no);
                    self.either(parts, pattern, facts);
                }
                _ => facts.never = true,
            }
        }
    }

    /// That an action which depends on a condition is the same as another one.
    fn either(
        &mut self,
        (condition, yes, no): (TermId, TermId, TermId),
        other: TermId,
        facts: &mut Facts,
    ) {
        let other = self.terms.substitute(other, &facts.actions);
        let (yes, no) = (self.terms.equal(yes, other), self.terms.equal(no, other));
        let same = self.terms.if_then_else(condition, yes, no);
        facts.holds.push(same);
    }

    /// Whether a variable stands for some action that is declared elsewhere.
    fn is_open(&self, var: VarId) -> bool {
        self.terms.var(var).sort == Sort::Action && !self.others.contains(&var)
    }

    /// An action with this head, with new variables for its arguments.
    fn made(&mut self, head: &Head, path: &str, facts: &mut Facts) -> TermId {
        match head {
            Head::Act(action) => {
                let signature = self.net.algebra.action(*action);
                let mut args = Vec::with_capacity(signature.sorts.len());
                for sort in &signature.sorts {
                    let name = Symbol::new(&format!("{path}: {}", signature.name));
                    let var = self.terms.new_var(name, sort.clone(), VariableKind::Input);
                    facts.variables.push(var);
                    args.push(self.terms.var_term(var));
                }
                self.terms.raw(Term::Act(*action, args.into()))
            }
            Head::Sync(inner) => {
                let inner = self.made(inner, path, facts);
                self.terms.raw(Term::Sync(inner))
            }
            Head::Co(inner) => {
                let inner = self.made(inner, path, facts);
                self.terms.raw(Term::Co(inner))
            }
            Head::Other(number) => match self.others.get(*number as usize) {
                Some(&var) => self.terms.var_term(var),
                None => self.terms.raw(Term::Tau),
            },
            Head::Tau | Head::Open => self.terms.raw(Term::Tau),
        }
    }

    /// What a rival asks for, when its members do these.
    pub fn rival(
        &mut self,
        rival: &RivalFact,
        trees: &[std::sync::Arc<Tree>],
        chosen: &mut Chosen<'_>,
    ) -> Facts {
        let mut facts = Facts::default();
        for (&(_, pattern), tree) in rival.members.iter().zip(trees) {
            let shown = self.tree(tree, chosen, &mut facts);
            self.same(pattern, shown, &mut facts);
        }
        let is_data = |var: &&VarId| self.net.terms.var(**var).sort != Sort::Action;
        facts.variables.extend(rival.own.iter().filter(is_data));
        let guard = self.terms.substitute(rival.guard, &facts.actions);
        facts.holds.push(guard);
        facts
    }

    /// The conditions, where it can be told apart which action is which.
    pub fn settle(&mut self, facts: &mut Facts) {
        if self.others.is_empty() {
            return;
        }
        let mut done = FxHashMap::default();
        for term in &mut facts.holds {
            let others = self.others;
            *term = self.terms.bottom_up(
                *term,
                &mut done,
                |_| true,
                |terms, id, done| {
                    let new = terms.rebuilt(id, done);
                    told_apart(terms, others, new)
                },
            );
        }
    }
}

/// Members that may take part, as a fact.
pub(super) fn may_fact(place: VectorPlace, one: &Optional) -> MayFact {
    MayFact {
        place,
        members: one.members.iter().map(|member| (member.part, member.action)).collect(),
        holds: one.owes.iter().map(|owed| owed.term).collect(),
        own: one.variables.clone(),
        inside: one.inside.iter().map(|inner| may_fact(place, inner)).collect(),
    }
}

/// The rivals that matter: where one that asks for all that another one asks for could happen, so could the other.
fn foremost<'v>(terms: &Terms, vector: &'v Vector) -> Vec<&'v Rival> {
    let asks = |large: &Rival, small: &Rival| {
        small.members.iter().all(|member| {
            let mut all = large.members.iter();
            all.any(|one| (one.part, one.action) == (member.part, member.action))
        })
    };
    let mut order: Vec<&Rival> = vector.rivals.iter().collect();
    order.sort_by_key(|rival| rival.members.len());
    let mut kept: Vec<&Rival> = Vec::new();
    for rival in order {
        let is_free = |small: &&Rival| terms.as_bool(small.guard) == Some(true);
        if !kept.iter().filter(|small| is_free(small)).any(|small| asks(rival, small)) {
            kept.push(rival);
        }
    }
    kept
}

/// A test of an action that nobody declared is settled.
fn told_apart(terms: &mut Terms, others: &[VarId], id: TermId) -> TermId {
    let is_other = |terms: &Terms, id: TermId| match terms.get(id) {
        Term::Var(var) => others.contains(var),
        _ => false,
    };
    let is_form = |terms: &Terms, id: TermId| {
        is_other(terms, id)
            || matches!(terms.get(id), Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_))
    };
    let no = match *terms.get(id) {
        Term::IsAct(_, inner) | Term::IsSync(inner) | Term::IsCo(inner) => is_other(terms, inner),
        Term::Equal(a, b) => {
            (is_other(terms, a) && is_form(terms, b)) || (is_other(terms, b) && is_form(terms, a))
        }
        _ => false,
    };
    if no { terms.bool(false) } else { id }
}

//! What can be reached: states by transitions that are possible, and transitions by the values that variables
//! can have (sections 4.1 to 4.3 of "SMT-Based Generation of Symbolic Automata").
//!
//! For each state and variable there is a set of assignments: the expressions of the transitions that may have
//! assigned it last. A transition is kept if it is possible with one of these for each variable it asks about.
//! Removing a transition removes its assignments, so this goes on until nothing changes.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::ask::Asker;
use super::literal::reason;
use super::solve::Solved;
use super::{Refine, Watch};
use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::budget::is_spent;
use crate::pnet::PNet;
use crate::smt::Answer;

/// A transition between states that are known by their places.
pub(super) struct Edge {
    pub source: usize,
    pub target: usize,
    pub solved: std::rc::Rc<Solved>,
    /// What is understood besides: what holes may do by their sorts.
    pub understood: std::rc::Rc<Vec<TermId>>,
    /// Why it is not known whether it is possible.
    pub unknown: Option<String>,
}

/// The initial values of variables; none where any value will do.
pub(crate) type Initial = FxHashMap<VarId, Option<TermId>>;

/// The initial values of a net's variables.
pub(crate) fn initial_values(net: &PNet) -> Initial {
    net.plts.iter().flat_map(|plts| plts.variables.iter().copied()).collect()
}

/// Where a variable got its value: from nobody, or from an assignment.
pub(crate) type Sources = BTreeSet<Option<TermId>>;

/// Leaves out what cannot be reached.
pub(super) fn reachable(
    initial: &Initial,
    terms: &mut Terms,
    asker: &mut Asker<'_>,
    mut edges: Vec<Edge>,
    refine: Refine,
    watch: &dyn Watch,
) -> Vec<Edge> {
    keep_reachable(&mut edges);
    let mut rounds = match refine {
        Refine::None => 0,
        Refine::Once => 1,
        Refine::Full => usize::MAX,
    };
    while rounds > 0 && !is_spent() {
        rounds -= 1;
        let before = edges.len();
        remove_impossible(initial, terms, asker, &mut edges, watch);
        keep_reachable(&mut edges);
        if edges.len() == before {
            break;
        }
    }
    edges
}

/// Keeps the transitions that start in a state that can be reached from the first one.
fn keep_reachable(edges: &mut Vec<Edge>) {
    let mut from: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for edge in edges.iter() {
        from.entry(edge.source).or_default().push(edge.target);
    }
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut work = vec![0];
    while let Some(state) = work.pop() {
        if seen.insert(state) {
            work.extend(from.get(&state).into_iter().flatten());
        }
    }
    edges.retain(|edge| seen.contains(&edge.source));
}

fn remove_impossible(
    initial: &Initial,
    terms: &mut Terms,
    asker: &mut Asker<'_>,
    edges: &mut Vec<Edge>,
    watch: &dyn Watch,
) {
    let asked: Vec<VarId> = asked_about(terms, edges);
    if asked.is_empty() {
        return;
    }
    let flows: Vec<Flow<'_>> = edges.iter().map(Flow::of).collect();
    let values = sources(initial, &flows, &asked);
    // Edges that start in one state ask about the same values.
    let mut ones: FxHashMap<(usize, VarId), Option<TermId>> = FxHashMap::default();
    let mut questions: Vec<Vec<TermId>> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for (place, edge) in edges.iter().enumerate() {
        if is_spent() {
            return;
        }
        let mut conditions = edge.solved.conditions.clone();
        let mut limited = false;
        for &var in state_vars(terms, &edge.solved.conditions).iter() {
            let place = (edge.source, var);
            let one = *ones
                .entry(place)
                .or_insert_with(|| values.get(&place).and_then(|known| one_of(terms, var, known)));
            if let Some(one) = one {
                conditions.push(one);
                limited = true;
            }
        }
        if limited {
            conditions.extend(edge.understood.iter());
            questions.push(conditions);
            places.push(place);
        }
    }
    let answers = asker.check_all(terms, questions);
    watch.progress(0, edges.len(), asker.queries);
    let mut gone: FxHashSet<usize> = FxHashSet::default();
    for (place, answer) in places.into_iter().zip(answers) {
        if answer == Answer::Unsat {
            gone.insert(place);
        } else if let Some(why) = reason(answer) {
            edges[place].unknown = Some(why);
        }
    }
    let mut place = 0;
    edges.retain(|_| {
        place += 1;
        !gone.contains(&(place - 1))
    });
}

pub(crate) fn state_vars(terms: &Terms, conditions: &[TermId]) -> Vec<VarId> {
    let mut found = Vec::new();
    for &condition in conditions {
        for var in terms.free_vars(condition) {
            if terms.var(var).kind == VariableKind::State && !found.contains(&var) {
                found.push(var);
            }
        }
    }
    found
}

/// The variables of the state that some condition speaks of.
fn asked_about(terms: &Terms, edges: &[Edge]) -> Vec<VarId> {
    let mut all: BTreeSet<VarId> = BTreeSet::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    for edge in edges {
        let new: Vec<TermId> =
            edge.solved.conditions.iter().copied().filter(|&c| seen.insert(c)).collect();
        all.extend(state_vars(terms, &new));
    }
    all.into_iter().collect()
}

/// How values get from one state to another.
pub(crate) struct Flow<'a> {
    pub source: usize,
    pub target: usize,
    pub updates: &'a [(VarId, TermId)],
}

impl<'a> Flow<'a> {
    fn of(edge: &'a Edge) -> Flow<'a> {
        Flow { source: edge.source, target: edge.target, updates: &edge.solved.updates }
    }
}

/// The assignments that reach each state.
pub(crate) fn sources(
    initial: &Initial,
    edges: &[Flow<'_>],
    asked: &[VarId],
) -> FxHashMap<(usize, VarId), Sources> {
    let mut from: FxHashMap<usize, Vec<&Flow<'_>>> = FxHashMap::default();
    for edge in edges {
        from.entry(edge.source).or_default().push(edge);
    }
    let mut all: FxHashMap<(usize, VarId), Sources> = FxHashMap::default();
    for &var in asked {
        all.insert((0, var), [initial.get(&var).copied().flatten()].into());
    }
    let mut work: Vec<(usize, VarId)> = asked.iter().map(|&var| (0, var)).collect();
    // A state that is reached by an assignment alone has to be looked at as well.
    for edge in edges {
        for &(var, value) in edge.updates {
            if asked.contains(&var)
                && all.entry((edge.target, var)).or_default().insert(Some(value))
            {
                work.push((edge.target, var));
            }
        }
    }
    while let Some((state, var)) = work.pop() {
        if is_spent() {
            break;
        }
        let known = all.get(&(state, var)).cloned().unwrap_or_default();
        for edge in from.get(&state).into_iter().flatten() {
            if edge.updates.iter().any(|(updated, _)| *updated == var) {
                continue;
            }
            let there = all.entry((edge.target, var)).or_default();
            let before = there.len();
            there.extend(known.iter().copied());
            if there.len() > before {
                work.push((edge.target, var));
            }
        }
    }
    all
}

/// That a variable has one of the values that were assigned to it; nothing where it can have any.
pub(crate) fn one_of(terms: &mut Terms, var: VarId, sources: &Sources) -> Option<TermId> {
    let this = terms.var_term(var);
    let mut values = Vec::with_capacity(sources.len());
    for source in sources {
        // An expression speaks of the values before: its variables are others.
        let value = renamed(terms, (*source)?);
        if is_any(terms, value) && !matches!(terms.var(var).sort, Sort::Range(..)) {
            return None;
        }
        values.push(terms.equal(this, value));
    }
    let one = terms.or(values);
    (terms.as_bool(one) != Some(true)).then_some(one)
}

fn renamed(terms: &mut Terms, value: TermId) -> TermId {
    let (others, _) = terms.fresh(terms.free_vars(value), VariableKind::Input);
    terms.substitute(value, &others)
}

/// Whether an expression takes every value of its sort, as `x` and `x + 1` do.
fn is_any(terms: &Terms, value: TermId) -> bool {
    let free = |id: TermId| match terms.get(id) {
        Term::Var(var) => !matches!(terms.var(*var).sort, Sort::Range(..)),
        _ => false,
    };
    match terms.get(value) {
        Term::Var(_) => free(value),
        Term::Add(parts) => {
            let vars: Vec<&TermId> = parts.iter().filter(|&&part| free(part)).collect();
            let others = parts.iter().filter(|&&part| !free(part));
            let outside: Vec<VarId> = others.flat_map(|&part| terms.free_vars(part)).collect();
            vars.iter().any(|&&part| {
                let alone = parts.iter().filter(|&&other| other == part).count() == 1;
                alone && terms.free_vars(part).iter().all(|var| !outside.contains(var))
            })
        }
        _ => false,
    }
}

//! The conditions of the definitions (Ameur-Boulifa et al., JLAMP 2023, Definitions 1 and 2), looked at again on the
//! finished net. Whatever the source, elaboration must give a net without violations; tests and debug builds see to
//! it.

use rustc_hash::FxHashSet;

use super::{Composite, Content, HoleSort, Member, Optional, PNet, PartId, Plts, Vector};
use crate::algebra::{Term, TermId, VarId};

/// A condition that does not hold: a fault of the compiler, not of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong.
    pub what: &'static str,
    /// In which leaf or node.
    pub place: String,
}

/// All violations of a net.
pub fn violations(net: &PNet) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut owned: FxHashSet<VarId> = FxHashSet::default();
    for plts in &net.plts {
        let mut complain = |what| found.push(Violation { what, place: plts.name.to_string() });
        check_plts(net, plts, &mut complain);
        for (variable, _) in &plts.variables {
            if !owned.insert(*variable) {
                complain("two leaves share a variable");
            }
        }
    }
    for node in &net.nodes {
        let mut complain = |what| found.push(Violation { what, place: node.name.to_string() });
        check_node(net, node, &mut complain);
    }
    found
}

fn check_plts(net: &PNet, plts: &Plts, complain: &mut dyn FnMut(&'static str)) {
    if plts.states.get(plts.initial).is_none() {
        complain("the initial state is not one of the states");
    }
    let variables: FxHashSet<VarId> =
        plts.variables.iter().map(|(variable, _)| *variable).collect();
    for transition in &plts.transitions {
        if ![transition.source, transition.target].iter().all(|&at| plts.states.get(at).is_some()) {
            complain("a transition leads from or to a state that is not there");
        }
        let mut known = variables.clone();
        known.extend(&transition.inputs);
        if !within(net, transition.action, &known) {
            complain("an action uses a variable that is neither the process' nor an input");
        }
        if !within(net, transition.guard, &known) {
            complain("a guard uses a variable that is neither the process' nor the action's");
        }
        let mut assigned = FxHashSet::default();
        for (variable, value) in &transition.updates {
            if !variables.contains(variable) || !assigned.insert(*variable) {
                complain("an assignment is not to a variable of the process, or is made twice");
            }
            if !within(net, *value, &known) {
                complain("an assigned value uses a variable that is not known");
            }
        }
    }
}

fn check_node(net: &PNet, node: &Composite, complain: &mut dyn FnMut(&'static str)) {
    if node.parts.is_empty() {
        complain("a node has no parts");
    }
    let mut names = FxHashSet::default();
    if !node.parts.iter().all(|part| names.insert(&part.name)) {
        complain("two parts have one name");
    }
    for vector in &node.vectors {
        check_vector(net, node, vector, complain);
    }
}

fn check_vector(
    net: &PNet,
    node: &Composite,
    vector: &Vector,
    complain: &mut dyn FnMut(&'static str),
) {
    let mut parts = FxHashSet::default();
    let mut bound: FxHashSet<VarId> = FxHashSet::default();
    for member in &vector.members {
        if node.parts.get(member.part).is_none() || !parts.insert(member.part) {
            complain("a member is not a part, or takes part twice");
            continue;
        }
        if !allowed(net, node, member) {
            complain("a hole is asked for an action outside its sort");
        }
        bound.extend(net.terms.free_vars(member.action));
    }
    if vector.members.is_empty() {
        complain("a vector has no members");
    }
    let mut seen = bound.clone();
    for one in &vector.optional {
        check_optional(net, node, one, (&mut parts, &bound, &mut seen), complain);
    }
    if !within(net, vector.result, &bound) {
        complain("a vector shows a variable that no member binds");
    }
    if !within(net, vector.guard, &bound) {
        complain("a vector's guard uses a variable that no member binds");
    }
}

/// Members that may take part or not: `bound` is what those bind without whom they do not, and `seen` what any do so far.
fn check_optional(
    net: &PNet,
    node: &Composite,
    one: &Optional,
    (parts, bound, seen): (&mut FxHashSet<PartId>, &FxHashSet<VarId>, &mut FxHashSet<VarId>),
    complain: &mut dyn FnMut(&'static str),
) {
    let mut own = bound.clone();
    for member in &one.members {
        if node.parts.get(member.part).is_none() || !parts.insert(member.part) {
            complain("a member that may take part is not a part, or takes part twice");
            continue;
        }
        if !allowed(net, node, member) {
            complain("a hole is asked for an action outside its sort");
        }
        for variable in net.terms.free_vars(member.action) {
            if !bound.contains(&variable) && !one.variables.contains(&variable) {
                complain("a member that may take part has a variable that others have too");
            }
            own.insert(variable);
        }
    }
    if one.members.is_empty() {
        complain("nobody is in what may take part");
    }
    if !one.variables.iter().all(|variable| seen.insert(*variable)) {
        complain("a variable of members that may take part is bound twice");
    }
    if !one.owes.iter().all(|owed| within(net, owed.term, &own)) {
        complain("what members owe uses a variable that they do not have");
    }
    for inner in &one.inside {
        check_optional(net, node, inner, (parts, &own, seen), complain);
    }
}

fn within(net: &PNet, term: TermId, known: &FxHashSet<VarId>) -> bool {
    net.terms.free_vars(term).iter().all(|variable| known.contains(variable))
}

fn allowed(net: &PNet, node: &Composite, member: &Member) -> bool {
    let Content::Hole(hole) = node.parts[member.part].content else { return true };
    match (&net.holes[hole].sort, net.terms.get(member.action)) {
        (HoleSort::Actions(actions), Term::Act(id, _)) => actions.contains(id),
        _ => true,
    }
}

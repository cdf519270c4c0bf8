//! Where a net may begin: constants without a value have one that the axioms allow, variables without an initial value
//! have any.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::attempt::{Attempt, Demand};
use super::evaluate::Seen;
use super::partial::Partial;
use super::solve::{AllWays, solve};
use super::store::Source;
use super::world::{Known, World};
use crate::algebra::{ActionId, ConstId, DataId, Sort, Term, TermId, VarId};
use crate::base::IndexVec;
use crate::explore::{Configuration, Domains, Gap, Value};
use crate::pnet::{HoleSort, PNet, PltsId, path_inside};

/// The configurations that a net may begin in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Initial {
    /// Each once, in order.
    pub configurations: Vec<Configuration>,
    /// Whether there may be more, with values that are not tried: a domain limits them.
    pub limited: bool,
}

/// Where a net may begin.
pub(super) fn initial(
    net: &PNet,
    domains: &Domains,
    paths: &IndexVec<PltsId, String>,
) -> Result<Initial, Gap> {
    let mut attempt = Attempt::new(Known::default());
    let (needed, axioms) = needed(net, &domains.constants);
    let mut constants = vec![None; net.algebra.constants.len()];
    for (index, constant) in net.algebra.constants.iter().enumerate() {
        if constant.value.is_none() && needed.contains(&ConstId(index as u32)) {
            let name = constant.name.to_string();
            constants[index] = Some(attempt.unknown(name, constant.sort.clone(), Source::Constant));
        }
    }
    let world = World::new(net, domains, constants);
    for (id, plts) in net.plts.enumerated() {
        for (var, _) in plts.variables.iter().filter(|(_, initial)| initial.is_none()) {
            let name = path_inside(&paths[id], net.terms.var(*var).name.as_str());
            attempt.declare(&world, *var, name, Source::Variable);
        }
    }
    axioms.into_iter().for_each(|axiom| attempt.demand(Demand::True(axiom)));
    solved(&world, attempt)
}

/// Where a net may begin with these values of constants, and of variables that have no initial value.
pub(super) fn beginning(
    net: &PNet,
    domains: &Domains,
    constants: &[Option<Value>],
    free: FxHashMap<VarId, Value>,
) -> Result<Initial, Gap> {
    let has = |index: usize| constants.get(index).is_some_and(Option::is_some);
    let given = (0..net.algebra.constants.len()).filter(|&index| has(index));
    let given: Vec<ConstId> = given.map(|index| ConstId(index as u32)).collect();
    let (needed, axioms) = needed(net, &given);
    let missing =
        |id: &&ConstId| net.algebra.constants[id.index()].value.is_none() && !has(id.index());
    if let Some(id) = needed.iter().filter(missing).min() {
        return Err(Gap::NeedsValue { name: net.algebra.constants[id.index()].name.to_string() });
    }
    let mut attempt = Attempt::with_given(free);
    let known = constants.iter().map(|value| value.clone().map(Partial::Whole));
    let world = World::new(net, domains, known.collect());
    for plts in &net.plts {
        for (var, _) in plts.variables.iter().filter(|(_, initial)| initial.is_none()) {
            let name = net.terms.var(*var).name.to_string();
            attempt.declare(&world, *var, name, Source::Variable);
        }
    }
    for (constant, value) in net.algebra.constants.iter().zip(&world.constants) {
        if let (None, Some(value)) = (constant.value, value) {
            attempt.demand(Demand::Fits(value.clone(), constant.sort.clone()));
        }
    }
    axioms.into_iter().for_each(|axiom| attempt.demand(Demand::True(axiom)));
    solved(&world, attempt)
}

/// Whether a net may begin in a configuration.
pub(super) fn begins_at(net: &PNet, domains: &Domains, at: &Configuration) -> Result<bool, Gap> {
    let mut free = FxHashMap::default();
    for (id, plts) in net.plts.enumerated() {
        let values = plts.variables.iter().zip(&at.values[id]);
        let open = values.filter(|((_, initial), _)| initial.is_none());
        free.extend(open.map(|((var, _), value)| (*var, value.clone())));
    }
    Ok(beginning(net, domains, &at.constants, free)?.configurations.contains(at))
}

/// The configurations in which an attempt is possible.
fn solved(world: &World<'_>, attempt: Attempt) -> Result<Initial, Gap> {
    let solved = solve(world, vec![attempt], &AllWays)?;
    let mut configurations = Vec::with_capacity(solved.found.len());
    for attempt in &solved.found {
        configurations.push(configuration(world, attempt)?);
    }
    configurations.sort();
    configurations.dedup();
    Ok(Initial { configurations, limited: solved.limited.is_some() })
}

/// The configuration where all that was unknown has values.
fn configuration(world: &World<'_>, attempt: &Attempt) -> Result<Configuration, Gap> {
    let constant = |known: &Option<Partial>| {
        known.as_ref().and_then(|known| attempt.known.store.resolve(known).value().cloned())
    };
    let constants: Vec<Option<Value>> = world.constants.iter().map(constant).collect();
    let mut values = IndexVec::default();
    for plts in &world.net.plts {
        let mut own = Vec::with_capacity(plts.variables.len());
        for (var, initial) in &plts.variables {
            let term = initial.unwrap_or_else(|| world.terms.var_term(*var));
            own.push(settled(attempt.see(world, term))?);
        }
        values.push(own);
    }
    let states = world.net.plts.iter().map(|plts| plts.initial).collect();
    Ok(Configuration { constants: Arc::new(constants), states, values })
}

/// A value that has to be there.
pub(super) fn settled(seen: Seen) -> Result<Value, Gap> {
    match seen {
        Seen::Is(Partial::Whole(value)) => Ok(value),
        Seen::Gap(gap) => Err(gap),
        Seen::Is(_) | Seen::Nothing => Err(Gap::Undefined),
    }
}

/// The constants that a net speaks of, and those that are asked about, with those that axioms tie to them; and these
/// axioms.
fn needed(net: &PNet, asked: &[ConstId]) -> (FxHashSet<ConstId>, Vec<TermId>) {
    let mut found = spoken_of(net, roots(net));
    found.extend(asked);
    let axioms: Vec<(TermId, FxHashSet<ConstId>)> = net
        .algebra
        .axioms
        .iter()
        .chain(&net.granted)
        .map(|&axiom| (axiom, spoken_of(net, vec![axiom])))
        .collect();
    loop {
        let before = found.len();
        for (_, constants) in &axioms {
            if !constants.is_disjoint(&found) {
                found.extend(constants);
            }
        }
        if found.len() == before {
            break;
        }
    }
    let matters = axioms.into_iter().filter(|(_, constants)| !constants.is_disjoint(&found));
    let matters = matters.map(|(axiom, _)| axiom).collect();
    (found, matters)
}

/// The terms that a net is made of.
fn roots(net: &PNet) -> Vec<TermId> {
    let mut roots = Vec::new();
    for plts in &net.plts {
        roots.extend(plts.variables.iter().filter_map(|(_, initial)| *initial));
        for transition in &plts.transitions {
            roots.extend([transition.action, transition.guard]);
            roots.extend(transition.owes.iter().map(|owed| owed.term));
            roots.extend(transition.updates.iter().map(|(_, term)| *term));
            let inputs = transition.inputs.iter();
            inputs.for_each(|var| bounds(net, net.sort_of(*var), &mut roots));
        }
        plts.variables.iter().for_each(|(var, _)| bounds(net, net.sort_of(*var), &mut roots));
    }
    for vector in net.nodes.iter().flat_map(|node| &node.vectors) {
        roots.extend([vector.result, vector.guard]);
        roots.extend(vector.owes.iter().map(|owed| owed.term));
        roots.extend(vector.all_members().map(|(member, _)| member.action));
        let optional = vector.all_optional();
        roots.extend(optional.flat_map(|one| &one.owes).map(|owed| owed.term));
        for rival in &vector.rivals {
            roots.push(rival.guard);
            roots.extend(rival.members.iter().map(|member| member.action));
        }
    }
    for hole in &net.holes {
        for action in net.algebra.actions.iter().enumerate().filter_map(|(index, action)| {
            let may = match &hole.sort {
                HoleSort::Any => true,
                HoleSort::Actions(all) => all.contains(&ActionId(index as u32)),
            };
            may.then_some(action)
        }) {
            action.sorts.iter().for_each(|sort| bounds(net, sort, &mut roots));
        }
    }
    roots
}

/// The constants that terms speak of, also through functions and the sorts of variables and actions.
fn spoken_of(net: &PNet, mut roots: Vec<TermId>) -> FxHashSet<ConstId> {
    let (mut constants, mut seen) = (FxHashSet::default(), FxHashSet::default());
    while !roots.is_empty() {
        let mut more = Vec::new();
        for id in net.terms.inside(std::mem::take(&mut roots)) {
            if !seen.insert(id) {
                continue;
            }
            match net.terms.get(id) {
                Term::Const(constant) => {
                    constants.insert(*constant);
                    let constant = &net.algebra.constants[constant.index()];
                    bounds(net, &constant.sort, &mut more);
                    more.extend(constant.value);
                }
                Term::Var(var) => bounds(net, net.sort_of(*var), &mut more),
                Term::Apply(function, _) => {
                    let function = &net.algebra.functions[function.index()];
                    more.extend(function.body);
                    function
                        .params
                        .iter()
                        .for_each(|var| bounds(net, net.sort_of(*var), &mut more));
                }
                Term::ConstArray(sort, _) => bounds(net, sort, &mut more),
                _ => {}
            }
        }
        more.retain(|id| !seen.contains(id));
        roots = more;
    }
    constants
}

/// The bounds of ranges in a sort, also inside of data.
fn bounds(net: &PNet, sort: &Sort, found: &mut Vec<TermId>) {
    let mut work = vec![sort];
    let mut seen: FxHashSet<DataId> = FxHashSet::default();
    while let Some(sort) = work.pop() {
        match sort {
            Sort::Range(low, high) => found.extend([*low, *high]),
            Sort::Array(both) => work.extend([&both.0, &both.1]),
            Sort::Data(data) if seen.insert(*data) => {
                let constructors = net.algebra.datatypes[data.index()].constructors.iter();
                work.extend(constructors.flat_map(|one| one.fields.iter().map(|(_, sort)| sort)));
            }
            _ => {}
        }
    }
}

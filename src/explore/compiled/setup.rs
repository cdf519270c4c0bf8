//! A net made ready: layouts, places, functions and ways.

use std::sync::{Mutex, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiled;
use super::compiler::{Compiler, Places};
use super::expr::{Source, World, functions};
use super::field::{Wanted, placed};
use super::layout::{Layouts, Sorts};
use super::pool::Pool;
use super::rule::Way;
use crate::algebra::{ConstId, Sort, Term, TermId, VarId};
use crate::base::budget::is_spent;
use crate::explore::Domains;
use crate::pnet::{HoleSort, PNet};

/// Makes the layouts of all sorts that a net declares.
fn declared(layouts: &mut Layouts, sorts: Sorts<'_>) {
    for sort in [Sort::Bool, Sort::Int] {
        layouts.of(sorts, &sort);
    }
    let algebra = sorts.algebra;
    for data in 0..algebra.datatypes.len() {
        layouts.of(sorts, &Sort::Data(crate::algebra::DataId(data as u32)));
    }
    let declared = algebra.actions.iter().flat_map(|action| &action.sorts);
    let declared = declared.chain(algebra.constants.iter().map(|constant| &constant.sort));
    let declared = declared.chain(algebra.functions.iter().map(|function| &function.result));
    for sort in declared {
        layouts.of(sorts, sort);
    }
}

/// Makes the layouts of all sorts that terms speak of.
pub(super) fn lay_out(layouts: &mut Layouts, sorts: Sorts<'_>, roots: &[TermId]) {
    let terms = sorts.terms;
    for id in terms.inside(roots.iter().copied()) {
        match terms.get(id) {
            Term::Var(var) => {
                layouts.of(sorts, &terms.var(*var).sort);
            }
            Term::ConstArray(sort, _) => {
                layouts.of(sorts, sort);
            }
            Term::Forall(vars, _) | Term::Exists(vars, _) => {
                for &var in vars {
                    layouts.of(sorts, &terms.var(var).sort);
                }
            }
            _ => {}
        }
    }
}

/// All variables of the leaves and vectors of a net.
fn variables(net: &PNet) -> impl Iterator<Item = VarId> + '_ {
    let of_leaves = net.plts.iter().flat_map(|plts| {
        let own = plts.variables.iter().map(|(var, _)| *var);
        own.chain(plts.transitions.iter().flat_map(|one| one.inputs.iter().copied()))
    });
    let vectors = net.nodes.iter().flat_map(|node| &node.vectors);
    let of_vectors = vectors.flat_map(|vector| {
        let rivals = vector.rivals.iter().flat_map(|rival| rival.variables.iter().copied());
        let optional = vector.all_optional().flat_map(|one| one.variables.iter().copied());
        vector.variables.iter().copied().chain(rivals).chain(optional)
    });
    of_leaves.chain(of_vectors)
}

/// The parameters of all functions.
fn parameters(net: &PNet) -> impl Iterator<Item = VarId> + '_ {
    net.algebra.functions.iter().flat_map(|one| one.params.iter().copied())
}

/// The terms that what a net does depends on.
fn roots(net: &PNet) -> Vec<TermId> {
    let mut roots = Vec::new();
    for plts in &net.plts {
        roots.extend(plts.variables.iter().filter_map(|(_, initial)| *initial));
        for transition in &plts.transitions {
            roots.extend([transition.action, transition.guard]);
            roots.extend(transition.updates.iter().map(|(_, term)| *term));
            roots.extend(transition.owes.iter().map(|owed| owed.term));
        }
    }
    for vector in net.nodes.iter().flat_map(|node| &node.vectors) {
        roots.extend([vector.result, vector.guard]);
        roots.extend(vector.all_members().map(|(member, _)| member.action));
        roots.extend(vector.owes.iter().map(|owed| owed.term));
        let optional = vector.all_optional();
        roots.extend(optional.flat_map(|one| &one.owes).map(|owed| owed.term));
        for rival in &vector.rivals {
            roots.push(rival.guard);
            roots.extend(rival.members.iter().map(|member| member.action));
        }
    }
    roots
}

/// The symbolic constants that what a net does depends on, and those that are asked about, with those that axioms tie to
/// them; and these axioms.
fn used_constants(net: &PNet, asked: &[ConstId]) -> (FxHashSet<ConstId>, Vec<TermId>) {
    let mut all = roots(net);
    all.extend(variables(net).flat_map(|var| bounds_in(net, net.sort_of(var))));
    for hole in &net.holes {
        let may_do = |id: usize| match &hole.sort {
            HoleSort::Any => true,
            HoleSort::Actions(actions) => actions.iter().any(|action| action.index() == id),
        };
        let actions = net.algebra.actions.iter().enumerate().filter(|(id, _)| may_do(*id));
        let sorts = actions.flat_map(|(_, action)| &action.sorts);
        all.extend(sorts.flat_map(|sort| bounds_in(net, sort)));
    }
    let mut found = constants_in(net, all);
    found.extend(asked);
    let axioms = net.algebra.axioms.iter().chain(&net.granted);
    let mut axioms: Vec<(TermId, FxHashSet<ConstId>)> =
        axioms.map(|&axiom| (axiom, constants_in(net, vec![axiom]))).collect();
    let mut before = usize::MAX;
    while found.len() != before {
        before = found.len();
        for (_, constants) in &axioms {
            if !constants.is_disjoint(&found) {
                found.extend(constants);
            }
        }
    }
    axioms.retain(|(_, constants)| !constants.is_disjoint(&found));
    (found, axioms.into_iter().map(|(axiom, _)| axiom).collect())
}

/// The symbolic constants that terms speak of, also through functions and sorts.
fn constants_in(net: &PNet, mut work: Vec<TermId>) -> FxHashSet<ConstId> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match net.terms.get(id) {
            Term::Const(constant) => {
                let of = &net.algebra.constants[constant.index()];
                match of.value {
                    Some(value) => work.push(value),
                    None => drop(found.insert(*constant)),
                }
                work.extend(bounds_in(net, &of.sort));
            }
            Term::Apply(function, _) => {
                let function = &net.algebra.functions[function.index()];
                work.extend(function.body);
                let params = function.params.iter();
                work.extend(params.flat_map(|&param| bounds_in(net, net.sort_of(param))));
            }
            Term::Var(var) => work.extend(bounds_in(net, net.sort_of(*var))),
            Term::ConstArray(sort, _) => work.extend(bounds_in(net, sort)),
            _ => {}
        }
        net.terms.get(id).each_inside(|inner| work.push(inner));
    }
    found
}

/// The bounds of the ranges in a sort.
fn bounds_in(net: &PNet, sort: &Sort) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = vec![false; net.algebra.datatypes.len()];
    let mut work = vec![sort];
    while let Some(sort) = work.pop() {
        match sort {
            Sort::Range(low, high) => found.extend([*low, *high]),
            Sort::Array(both) => work.extend([&both.0, &both.1]),
            Sort::Data(data) if !std::mem::replace(&mut seen[data.index()], true) => {
                let constructors = &net.algebra.datatypes[data.index()].constructors;
                let fields = constructors.iter().flat_map(|one| &one.fields);
                work.extend(fields.map(|(_, sort)| sort));
            }
            _ => {}
        }
    }
    found
}

/// Finds a place for every state, variable and constant.
fn places(net: &PNet, layouts: &Layouts, asked: &[ConstId]) -> Places {
    let mut places = Places::default();
    let mut wanted = Vec::new();
    for plts in &net.plts {
        places.states.push(wanted.len() as u32);
        wanted.push(Wanted::state(plts.states.len()));
        places.variables.push(wanted.len() as u32);
        for (var, _) in &plts.variables {
            let Some(layout) = layouts.known(&net.terms.var(*var).sort) else { continue };
            places.of.insert(*var, Source::Field(wanted.len() as u32));
            wanted.push(Wanted::value(layouts, layout));
        }
    }
    let used;
    (used, places.axioms) = used_constants(net, asked);
    for (number, constant) in net.algebra.constants.iter().enumerate() {
        let id = ConstId(number as u32);
        let Some(layout) = layouts.known(&constant.sort) else { continue };
        if constant.value.is_none() && used.contains(&id) {
            places.constants.insert(id, Source::Field(wanted.len() as u32));
            wanted.push(Wanted::value(layouts, layout));
        }
    }
    (places.fields, places.words) = placed(&wanted);
    places
}

impl<'n> Compiled<'n> {
    /// A net made ready, with values to try.
    pub fn new(net: &'n PNet, domains: &Domains) -> Compiled<'n> {
        let sorts = Sorts { algebra: &net.algebra, terms: &net.terms };
        let mut layouts = Layouts::new(sorts, domains);
        declared(&mut layouts, sorts);
        for var in variables(net).chain(parameters(net)) {
            layouts.of(sorts, net.sort_of(var));
        }
        let mut all = roots(net);
        all.extend(net.algebra.axioms.iter().chain(&net.granted));
        all.extend(net.algebra.functions.iter().filter_map(|function| function.body));
        lay_out(&mut layouts, sorts, &all);
        let pool = Pool::default();
        let places = places(net, &layouts, &domains.constants);
        let mut compiler = Compiler::new(net);
        let world = World { algebra: &net.algebra, layouts: &layouts, pool: &pool };
        let functions = functions(world, &mut compiler.terms, &places.constants);
        let ways = compiler.ways();
        let (by_state, without_leaves) = by_state(net, &ways);
        let fields = places.fields.iter().enumerate();
        let pooled = fields.filter(|(_, field)| field.may_be_pooled());
        let pooled = pooled.map(|(number, _)| number as u32).collect();
        let finals =
            net.plts.iter().map(|plts| plts.states.iter().map(|one| one.is_final).collect());
        let finals = finals.collect();
        let compiler = Mutex::new(compiler);
        let stopped = is_spent();
        Compiled {
            net,
            layouts,
            pool,
            places,
            functions,
            ways,
            by_state,
            without_leaves,
            pooled,
            finals,
            footprints: OnceLock::new(),
            compiler,
            stopped,
        }
    }
}

/// Where each way is looked at: in the states of that leaf which can seldom take part.
fn by_state(net: &PNet, ways: &[Way]) -> (Vec<Vec<Vec<u32>>>, Vec<u32>) {
    let mut found: Vec<Vec<Vec<u32>>> =
        net.plts.iter().map(|plts| vec![Vec::new(); plts.states.len()]).collect();
    let mut without = Vec::new();
    let mut many: FxHashMap<usize, usize> = FxHashMap::default();
    for (number, way) in ways.iter().enumerate() {
        let share = |(leaf, states): &(usize, Vec<usize>)| {
            let looked_at = many.get(leaf).copied().unwrap_or(0);
            (states.len() * 1_000 / found[*leaf].len().max(1), looked_at)
        };
        match way.leaves().min_by_key(share) {
            None => without.push(number as u32),
            Some((leaf, states)) => {
                *many.entry(leaf).or_default() += 1;
                states.into_iter().for_each(|state| found[leaf][state].push(number as u32));
            }
        }
    }
    (found, without)
}

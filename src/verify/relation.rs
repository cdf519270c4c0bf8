//! Relations that people wrote, and relations that were found, as they would write them.

use std::cell::RefCell;

use rustc_hash::FxHashSet;

use super::ModelOptions;
use super::refusal::Unclear;
use crate::algebra::{Algebra, TermId, Terms};
use crate::automaton::{OpenAutomaton, StateId, StateVariable, VariableNames};
use crate::base::IndexVec;
use crate::diagnostics::{Span, Symbol};
use crate::elaborate::{self, LeafNames, Leaves, UnclearName};
use crate::emit::{self, Declared, Names, Scope};
use crate::equivalence::{Relation, SideId, Sides};
use crate::model::Checked;
use crate::outcome::{RelatedPair, RelationFound, Vacuity};
use crate::pnet::{LeafId, PltsStateId, StateVariableId};
use crate::sema::program::{self as sema, Expr, ExprKind, Local, ModuleId, PairDef, RelationDef};
use crate::system::{Prover, System};

/// What says which of the two nets a path belongs to.
const SIDES: [&str; 2] = ["first", "second"];

/// A pair of states, and the variables of both sides, by their paths.
struct TwoStates<'w> {
    variables: [LeafNames<'w, StateVariableId>; 2],
    /// Each variable as a term.
    terms: [IndexVec<StateVariableId, TermId>; 2],
    leaves: [LeafNames<'w, LeafId>; 2],
    automata: [&'w OpenAutomaton; 2],
    /// The states of the leaves.
    states: [&'w IndexVec<LeafId, PltsStateId>; 2],
    /// Names that do not mean one thing.
    trouble: RefCell<Vec<UnclearName>>,
}

impl<'w> TwoStates<'w> {
    fn of(
        prover: &Prover<'_>,
        left: (&'w System<'_>, StateId),
        right: (&'w System<'_>, StateId),
    ) -> TwoStates<'w> {
        let (first, second) = (left.0, right.0);
        let terms = [first, second].map(|side| {
            side.variables.iter().map(|variable| prover.terms.var_term(variable.var)).collect()
        });
        TwoStates {
            variables: [first, second]
                .map(|side| LeafNames::new(side.variables.iter().map(|known| known.path.as_str()))),
            terms,
            leaves: [first, second].map(|side| {
                LeafNames::new(side.automaton.leaves.iter().map(|leaf| leaf.path.as_str()))
            }),
            automata: [first.automaton, second.automaton],
            states: [left, right].map(|(system, at)| &system.automaton.states[at].leaves),
            trouble: RefCell::default(),
        }
    }

    /// What was made of names, if all of them mean one thing.
    fn clear<T>(self, made: T) -> Result<T, Unclear> {
        match self.trouble.into_inner().into_iter().next() {
            None => Ok(made),
            Some(why) => Err(Unclear::Name(why)),
        }
    }
}

impl Leaves for TwoStates<'_> {
    fn variables(&self, net: usize) -> &LeafNames<'_, StateVariableId> {
        &self.variables[net.min(1)]
    }

    fn variable(&self, net: usize, id: StateVariableId) -> TermId {
        self.terms[net.min(1)][id]
    }

    fn leaves(&self, net: usize) -> &LeafNames<'_, LeafId> {
        &self.leaves[net.min(1)]
    }

    fn in_state(
        &self,
        net: usize,
        leaf: LeafId,
        states: &[sema::StateId],
        terms: &mut Terms,
    ) -> TermId {
        let at = self.states[net.min(1)].get(leaf);
        terms.bool(at.is_some_and(|at| states.iter().any(|tested| tested.0 == at.0)))
    }

    fn state_named(&self, net: usize, leaf: LeafId, name: Symbol) -> Option<sema::StateId> {
        let leaf = self.automata[net.min(1)].leaves.get(leaf)?;
        let at = leaf.states.iter().position(|state| state.name == name)?;
        Some(sema::StateId(at as u32))
    }

    fn unclear(&self, why: UnclearName, _text: Span) {
        self.trouble.borrow_mut().push(why);
    }
}

/// A relation that somebody wrote, for two automata; or why it says nothing about them.
pub(super) fn of(
    checked: &Checked,
    relation: &RelationDef,
    (sides, prover): (&Sides<'_>, &mut Prover<'_>),
    options: &ModelOptions,
) -> Result<Relation, Unclear> {
    let mut found: Relation = Vec::new();
    for pair in &relation.pairs {
        // A state that is not reached matters to nobody.
        let Some(states) = states(sides, pair) else { continue };
        let condition = match &pair.guard {
            None => prover.terms.bool(true),
            Some(guard) => {
                let left = (&sides[SideId::Left], states.0);
                let right = (&sides[SideId::Right], states.1);
                condition(checked, (relation, guard), prover, left, right, options)?
            }
        };
        match found.iter_mut().find(|(known, _)| *known == states) {
            Some((_, known)) => *known = prover.terms.or([*known, condition]),
            None => found.push((states, condition)),
        }
    }
    Ok(found)
}

/// What is to be known about pairs of states of which one is never reached: nothing is claimed about them.
pub(super) fn unreached(
    checked: &Checked,
    relation: &RelationDef,
    sides: &Sides<'_>,
) -> Vec<Vacuity> {
    let lost = relation.pairs.iter().filter(|pair| states(sides, pair).is_none());
    let texts = lost.map(|pair| {
        let words = checked.sources.text(pair.span).split_whitespace();
        words.collect::<Vec<_>>().join(" ").trim_end_matches(';').to_owned()
    });
    texts.map(|pair| Vacuity::UnreachedPair { pair }).collect()
}

/// What a property says in a state of a system, in two parts: when it reads only what has a value, and what it says then;
/// or why that is not clear.
pub(super) fn property(
    checked: &Checked,
    (property, locals): (&Expr, &[Local]),
    (system, prover): (&System<'_>, &mut Prover<'_>),
    state: StateId,
    options: &ModelOptions,
) -> Result<(TermId, TermId), Unclear> {
    if let Some(unclear) = error_in(property) {
        return Err(Unclear::Text(checked.sources.text(unclear.span).to_owned()));
    }
    let place = (system, state);
    let leaves = TwoStates::of(prover, place, place);
    let parts = elaborate::property_with_owed(
        &checked.program,
        (property, locals),
        (prover.algebra, &mut prover.terms),
        &leaves,
        &options.elaborate,
    );
    leaves.clear(parts)
}

/// The condition of a pair of states, each with the side it is one of.
fn condition(
    checked: &Checked,
    (relation, guard): (&RelationDef, &Expr),
    prover: &mut Prover<'_>,
    left: (&System<'_>, StateId),
    right: (&System<'_>, StateId),
    options: &ModelOptions,
) -> Result<TermId, Unclear> {
    if let Some(unclear) = error_in(guard) {
        let text = checked.sources.text(unclear.span);
        return Err(Unclear::Text(text.to_owned()));
    }
    let both = TwoStates::of(prover, left, right);
    let condition = elaborate::property(
        &checked.program,
        (guard, &relation.locals),
        (prover.algebra, &mut prover.terms),
        &both,
        &options.elaborate,
    );
    both.clear(condition)
}

/// A part of an expression of which nobody could say what it means.
fn error_in(expr: &Expr) -> Option<&Expr> {
    if matches!(expr.kind, ExprKind::Error) {
        return Some(expr);
    }
    let mut found = None;
    expr.each_inside(&mut |inside| found = found.or_else(|| error_in(inside)));
    found
}

/// The states of a pair.
fn states(sides: &Sides<'_>, pair: &PairDef) -> Option<(StateId, StateId)> {
    let [left, right] = &sides.systems.0;
    Some((state_of(left, &pair.left)?, state_of(right, &pair.right)?))
}

/// The state with these names of the states that make it up.
fn state_of(system: &System<'_>, names: &[crate::syntax::ast::Ident]) -> Option<StateId> {
    let names: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
    system.steps.ids().find(|&at| leaf_states(system, at) == names)
}

/// The names of the states that make up a state.
fn leaf_states<'a>(system: &System<'a>, at: StateId) -> Vec<&'a str> {
    let automaton = system.automaton;
    let states = automaton.leaves.iter().zip(&automaton.states[at].leaves);
    states.map(|(leaf, &state)| leaf.states[state].name.as_str()).collect()
}

/// What a module calls what the algebra declares: what it imports with `as` stands behind that name.
pub(super) fn names_in(checked: &Checked, module: ModuleId, algebra: &Algebra) -> Names {
    let program = &checked.program;
    let info = program.modules.get(module.index());
    let behind = |declared: Declared| {
        let named = match declared {
            Declared::Abstract(at) => program.abstracts.get(at),
            Declared::Datatype(at) => program.datas.get(at).map(|data| &data.named),
            Declared::Function(at) => program.funs.get(at).map(|fun| &fun.named),
            Declared::Constant(at) => program.consts.get(at).map(|constant| &constant.named),
        };
        let there = named?.module;
        let alias = info?.alias_of(there).filter(|_| there != module);
        alias.map(|alias| alias.to_string())
    };
    Names::seen(algebra, behind)
}

/// A relation as data, with the item that can be put into a model.
pub(super) fn found(
    (sides, prover): (&Sides<'_>, &Prover<'_>),
    relation: &Relation,
    nets: (&str, &str),
    declared: &Names,
) -> RelationFound {
    let [first, second] = &sides.systems.0;
    let names = names([&first.variables, &second.variables]);
    let related = relation.iter().filter_map(|&((left, right), condition)| {
        let states = (state(first, left), state(second, right));
        related(prover, states, condition, (&names, declared))
    });
    let pairs: Vec<RelatedPair> = related.collect();
    let item = item(nets, &pairs);
    RelationFound { nets: (nets.0.to_owned(), nets.1.to_owned()), pairs, item }
}

/// The item that says what is related.
fn item(nets: (&str, &str), pairs: &[RelatedPair]) -> String {
    let mut text = format!("relation Found({}, {}) {{\n", nets.0, nets.1);
    for RelatedPair { first, second, when } in pairs {
        let when = when.as_ref().map_or_else(String::new, |when| format!(" when {when}"));
        text.push_str(&format!("    ({first}, {second}){when};\n"));
    }
    text.push_str("}\n");
    text
}

/// A state as it is written in a relation.
fn state(system: &System<'_>, at: StateId) -> String {
    match leaf_states(system, at).as_slice() {
        // What has no leaves has one state.
        [] => "-".to_owned(),
        names => names.iter().map(|name| emit::quoted(name)).collect::<Vec<_>>().join("."),
    }
}

/// A pair as it is written in a relation; nothing where it is never related.
fn related(
    prover: &Prover<'_>,
    (first, second): (String, String),
    condition: TermId,
    (names, declared): (&VariableNames, &Names),
) -> Option<RelatedPair> {
    let scope = Scope { algebra: prover.algebra, terms: &prover.terms, names: Some(names) };
    let when = match prover.terms.as_bool(condition) {
        Some(false) => return None,
        Some(true) => None,
        None => Some(emit::formula(scope, declared, condition)),
    };
    Some(RelatedPair { first, second, when })
}

/// A predicate on the states of the first automaton, as an item: each state is related to itself where it holds.
pub(super) fn predicate_item(
    (system, prover): (&System<'_>, &Prover<'_>),
    predicate: &IndexVec<StateId, TermId>,
    net: &str,
    declared: &Names,
) -> String {
    let variables = &system.variables;
    let names = names([variables, variables]);
    let related = predicate.enumerated().filter_map(|(at, &condition)| {
        let states = (state(system, at), state(system, at));
        related(prover, states, condition, (&names, declared))
    });
    item((net, net), &related.collect::<Vec<_>>())
}

/// A predicate that was written so, for each state of the first automaton; or why it says nothing about it.
pub(super) fn predicate_of(
    checked: &Checked,
    written: &RelationDef,
    (system, prover): (&System<'_>, &mut Prover<'_>),
    options: &ModelOptions,
) -> Result<IndexVec<StateId, TermId>, Unclear> {
    let no = prover.terms.bool(false);
    let mut found = IndexVec::of(system.steps.len(), no);
    for pair in &written.pairs {
        let Some(at) = state_of(system, &pair.left) else { continue };
        let condition = match &pair.guard {
            None => prover.terms.bool(true),
            Some(guard) => {
                let place = (system, at);
                condition(checked, (written, guard), prover, place, place, options)?
            }
        };
        found[at] = prover.terms.or([found[at], condition]);
    }
    Ok(found)
}

/// What the variables of both sides are called: as short as can be without meaning two things.
fn names(sides: [&IndexVec<StateVariableId, StateVariable>; 2]) -> VariableNames {
    let all: Vec<(usize, &str)> = sides
        .iter()
        .enumerate()
        .flat_map(|(side, of)| of.iter().map(move |v| (side, v.path.as_str())))
        .collect();
    let mut names = VariableNames::default();
    for (side, of) in sides.into_iter().enumerate().rev() {
        for StateVariable { var, path, .. } in of {
            let short = path.rsplit('.').next().unwrap_or(path);
            let in_side = format!("{}.{path}", SIDES[side]);
            let means = |name: &&str| meant(&all, name) == Some((side, path.as_str()));
            let name = [short, path.as_str()].into_iter().find(means).unwrap_or(&in_side);
            names.insert(*var, emit::quoted_path(name));
        }
    }
    names
}

/// What a name means among all variables of both sides; nothing if that is not clear. Names are read before it is
/// known how many members a family has, so that indices do not tell variables apart, and one that is missing is not
/// clear either.
fn meant<'v>(all: &[(usize, &'v str)], name: &str) -> Option<(usize, &'v str)> {
    let plain = without_indices(name);
    let end = format!(".{plain}");
    let mut fitting: Vec<(usize, &str, String)> =
        all.iter().map(|&(side, path)| (side, path, without_indices(path))).collect();
    fitting.retain(|(_, _, path)| *path == plain || path.ends_with(&end));
    if fitting.iter().any(|(_, _, path)| *path == plain) {
        fitting.retain(|(_, _, path)| *path == plain);
    }
    let kinds: FxHashSet<(usize, &str)> =
        fitting.iter().map(|(side, _, path)| (*side, path.as_str())).collect();
    if kinds.len() != 1 {
        return None;
    }
    let end = format!(".{name}");
    fitting.retain(|(_, path, _)| *path == name || path.ends_with(&end));
    match fitting.as_slice() {
        [(side, path, _)] => Some((*side, path)),
        _ => None,
    }
}

/// `S[2].x` as `S.x`.
fn without_indices(path: &str) -> String {
    let parts = path.split('.').map(|part| part.split('[').next().unwrap_or(part));
    parts.collect::<Vec<_>>().join(".")
}

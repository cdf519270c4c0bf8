//! Relations that people wrote, and relations that were found, as they would write them.

use super::Options;
use crate::automaton::{StateId, StateVariable};
use crate::driver::Checked;
use crate::elaborate::{self, Leaves};
use crate::emit::{Scope, label};
use crate::equivalence::{Relation, World};
use crate::pnet::TermId;
use crate::sema::program::{ExprKind, LeafPath, LeafTest, LeafVariable, PairDef, RelationDef};

/// The variables of both sides, by their paths.
struct Both {
    sides: [Vec<StateVariable>; 2],
    /// Each variable as a term.
    terms: [Vec<TermId>; 2],
}

impl Leaves for Both {
    fn variable(&self, variable: &LeafVariable) -> Option<TermId> {
        let wanted = written(&variable.path)?;
        let side = &self.sides[variable.net.min(1)];
        let ends = |path: &str| path == wanted || path.ends_with(&format!(".{wanted}"));
        let place = side.iter().position(|known| ends(&known.path))?;
        Some(self.terms[variable.net.min(1)][place])
    }

    fn in_state(&self, _test: &LeafTest) -> Option<bool> {
        None
    }
}

/// A path as it is written: `S[2].x`.
fn written(path: &LeafPath) -> Option<String> {
    let mut names = Vec::with_capacity(path.len());
    for (name, index) in path {
        names.push(match index {
            None => name.name.to_string(),
            Some(index) => match &index.kind {
                ExprKind::Int(number) => format!("{}[{number}]", name.name),
                _ => return None,
            },
        });
    }
    Some(names.join("."))
}

/// A relation that somebody wrote, for two automata.
pub(super) fn of(
    checked: &Checked,
    relation: &RelationDef,
    world: &mut World<'_>,
    options: &Options,
) -> Relation {
    let variables = [world.sides[0].variables.clone(), world.sides[1].variables.clone()];
    let terms = |world: &World<'_>, side: usize| {
        world.sides[side].variables.iter().map(|v| world.terms.var_term(v.var)).collect()
    };
    let both = Both { terms: [terms(world, 0), terms(world, 1)], sides: variables };
    let mut found: Relation = Vec::new();
    for pair in &relation.pairs {
        // A state that is not reached matters to nobody.
        let Some(states) = states(world, pair) else { continue };
        let condition = match &pair.guard {
            None => world.terms.bool(true),
            Some(guard) => elaborate::property(
                &checked.program,
                (guard, &relation.locals),
                &mut world.terms,
                &both,
                &options.elaborate,
            ),
        };
        match found.iter_mut().find(|(known, _)| *known == states) {
            Some((_, known)) => *known = world.terms.or([*known, condition]),
            None => found.push((states, condition)),
        }
    }
    found
}

/// The states of a pair, by their places.
fn states(world: &World<'_>, pair: &PairDef) -> Option<(usize, usize)> {
    let find = |side: usize, names: &[crate::syntax::ast::Ident]| {
        let automaton = &world.sides[side].automaton;
        let wanted: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
        (0..automaton.states.len())
            .find(|&at| automaton.state_name(StateId(at as u32)) == wanted.join("."))
    };
    Some((find(0, &pair.left)?, find(1, &pair.right)?))
}

/// A relation as an item that can be put into a model.
pub(super) fn item(world: &World<'_>, relation: &Relation, nets: (&str, &str)) -> String {
    let mut names = crate::automaton::VariableNames::default();
    for side in &world.sides {
        for variable in &side.variables {
            let short = variable.path.rsplit('.').next().unwrap_or(&variable.path);
            let alike = world.sides.iter().flat_map(|side| &side.variables);
            let alike = alike
                .filter(|other| other.path == short || other.path.ends_with(&format!(".{short}")));
            let name = if alike.count() == 1 { short.to_owned() } else { variable.path.clone() };
            names.insert(variable.var, name);
        }
    }
    let scope = Scope { algebra: &world.algebra, terms: &world.terms, names: Some(&names) };
    let mut text = format!("relation Found({}, {}) {{\n", nets.0, nets.1);
    for &((left, right), condition) in relation {
        if world.terms.as_bool(condition) == Some(false) {
            continue;
        }
        let state =
            |side: usize, at: usize| world.sides[side].automaton.state_name(StateId(at as u32));
        let when = label::condition(scope, condition)
            .map_or_else(String::new, |condition| format!(" when {condition}"));
        text.push_str(&format!("    ({}, {}){when};\n", state(0, left), state(1, right)));
    }
    text.push_str("}\n");
    text
}

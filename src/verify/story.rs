//! Plays in words.

use crate::automaton::{StateId, VariableNames};
use crate::emit::{Scope, label};
use crate::equivalence::{Counterexample, Game, Pair, Play, Run, Side, SideId, Step, World};
use crate::pnet::{TermId, VarId};

/// A play as lines that one can follow.
pub(super) fn told(game: &Game<'_, '_>, play: &Play, nets: (&str, &str)) -> String {
    let mut lines = Vec::new();
    let name = |side: SideId| if side == SideId::Left { nets.0 } else { nets.1 };
    if !play.begun.is_empty() {
        lines.push(format!("say they begin{}", values(game.world, &play.begun)));
    }
    if !play.given.is_empty() {
        let world = &*game.world;
        let scope = Scope { algebra: &world.algebra, terms: &world.terms, names: None };
        let parts: Vec<String> = play.given.iter().map(|&one| label::term(scope, one)).collect();
        lines.push(format!("this is for constants with {}", parts.join(" and ")));
    }
    for (number, made) in play.moves.iter().enumerate() {
        let who = name(made.side);
        lines.push(format!(
            "{}. in {}, `{who}` does {}",
            number + 1,
            game.pair_name(made.pair),
            step(game.world, made.side, &made.step, false)
        ));
        let other = made.side.other();
        lines.push(match &made.answer {
            None => format!("   `{}` has no answer", name(other)),
            Some((answer, given)) if answer.silent && given.source == given.target => {
                format!("   `{}` can only stay where it is", name(other))
            }
            Some((answer, given)) => {
                format!(
                    "   `{}` answers with {}",
                    name(other),
                    step(game.world, other, given, answer.silent)
                )
            }
        });
    }
    if let Some(pair) = play.stuck {
        lines.push(format!(
            "{}. in {}, `{}` can do nothing more, and `{}` can",
            play.moves.len() + 1,
            game.pair_name(pair),
            nets.0,
            nets.1
        ));
    }
    lines.join("\n")
}

/// Where a relation fails, in words.
pub(super) fn failed(
    game: &Game<'_, '_>,
    (pair, side): (Pair, SideId),
    found: &Counterexample,
    nets: (&str, &str),
) -> String {
    let world = &*game.world;
    let name = |side: SideId| if side == SideId::Left { nets.0 } else { nets.1 };
    let why = match found.answered {
        true => format!("no answer of `{}` leads to related configurations", name(side.other())),
        false => format!("`{}` has no answer", name(side.other())),
    };
    format!(
        "in {}{}, `{}` does {}: {why}",
        game.pair_name(pair),
        values(world, &found.values),
        name(side),
        step(world, side, &found.step, false)
    )
}

/// Values of variables: ` with x == 1 and y == 2`; nothing when there are none.
fn values(world: &World<'_>, values: &[(VarId, TermId)]) -> String {
    let scope = Scope { algebra: &world.algebra, terms: &world.terms, names: None };
    let path = |var: VarId| {
        let [first, second] = &world.sides;
        let find =
            |side: &Side| side.variables.iter().find(|v| v.var == var).map(|v| v.path.clone());
        match (find(first), find(second)) {
            (Some(path), _) if second.variables.iter().any(|v| v.path == path) => {
                format!("first.{path}")
            }
            (_, Some(path)) if first.variables.iter().any(|v| v.path == path) => {
                format!("second.{path}")
            }
            (Some(path), _) | (_, Some(path)) => path,
            (None, None) => "_".to_owned(),
        }
    };
    let one =
        |&(var, value): &(VarId, TermId)| format!("{} == {}", path(var), label::term(scope, value));
    match values {
        [] => String::new(),
        all => format!(" with {}", all.iter().map(one).collect::<Vec<_>>().join(" and ")),
    }
}

/// A run of the first automaton as lines that one can follow.
pub(super) fn run(world: &World<'_>, run: &Run) -> Vec<String> {
    let told = |(number, one): (usize, &Step)| {
        format!("{}. {}", number + 1, step(world, SideId::Left, one, false))
    };
    run.steps.iter().enumerate().map(told).collect()
}

/// A step in words.
pub(super) fn step(world: &World<'_>, side: SideId, step: &Step, silent: bool) -> String {
    let mut names = VariableNames::default();
    for side in &world.sides {
        names.extend(side.variables.iter().map(|v| (v.var, v.path.clone())));
    }
    let scope = Scope { algebra: &world.algebra, terms: &world.terms, names: Some(&names) };
    let state = |at: usize| world.side(side).automaton.state_name(StateId(at as u32));
    let action = if silent {
        "silently".to_owned()
    } else {
        format!("`{}`", label::term(scope, step.action))
    };
    let mut text = format!("{action}, {} to {}", state(step.source), state(step.target));
    if !step.holes.is_empty() {
        let holes = step.holes.iter().map(|&(hole, action)| {
            format!("`{}` does `{}`", world.holes[hole].path, label::term(scope, action))
        });
        text.push_str(&format!(" while {}", holes.collect::<Vec<_>>().join(" and ")));
    }
    let mut updates: Vec<_> = step.updates.iter().collect();
    updates.sort_unstable();
    let changes = updates.into_iter().map(|(var, value)| {
        format!("{} := {}", names.get(var).map_or("_", String::as_str), label::term(scope, *value))
    });
    let changes: Vec<String> = changes.collect();
    if !changes.is_empty() {
        text.push_str(&format!(", with {}", changes.join(", ")));
    }
    text
}

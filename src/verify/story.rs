//! Plays in words.

use crate::automaton::{StateId, VariableNames};
use crate::emit::{Scope, label};
use crate::equivalence::{Game, Play, Run, SideId, Step, World};

/// A play as lines that one can follow.
pub(super) fn told(game: &Game<'_, '_>, play: &Play, nets: (&str, &str)) -> String {
    let mut lines = Vec::new();
    let name = |side: SideId| if side == SideId::Left { nets.0 } else { nets.1 };
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

//! A run on a terminal as a list: each step with those who move. For nets with more components than lanes fit.

use super::cells::{Paint, filled, fitted, painted, width};
use super::lanes::{GAP, Look, WIDEST_ACTION, cell, name};
use super::moves::{begun, moves, shown};
use crate::outcome::{Component, Trace, TraceStep};

/// The room for what is said is at least so wide.
const NARROWEST: usize = 24;

/// A run, line by line.
pub(super) fn list(trace: &Trace, look: Look) -> Vec<String> {
    let numbers = width(&trace.steps.len().to_string());
    let columns = (numbers, action_width(&trace.steps));
    let mut lines = row(look, columns, (0, ""), alike(&trace.components));
    for (at, step) in trace.steps.iter().enumerate() {
        lines.extend(row(look, columns, (at + 1, shown(step)), said(step)));
    }
    lines
}

/// How wide the column of actions is.
pub(super) fn action_width<'t>(steps: impl IntoIterator<Item = &'t TraceStep>) -> usize {
    let widths = steps.into_iter().map(|step| width(shown(step)));
    widths.max().unwrap_or(0).clamp(6, WIDEST_ACTION)
}

/// What components begin with: those that begin alike together.
fn alike(components: &[Component]) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for component in components {
        let begins = begun(&component.state, &component.variables).join(" ");
        match groups.iter_mut().find(|(known, _)| *known == begins) {
            Some((_, paths)) => paths.push(name(&component.path)),
            None => groups.push((begins, vec![name(&component.path)])),
        }
    }
    groups.into_iter().map(|(begins, paths)| format!("{}: {begins}", paths.join(", "))).collect()
}

/// Who moves, and what is new for them; then what holes do.
pub(super) fn said(step: &TraceStep) -> Vec<String> {
    let moves = moves(step).into_iter();
    let moves = moves.map(|made| format!("{}: {}", name(made.path), cell(&made).join(" ")));
    let holes = step.holes.iter().map(|hole| format!("{} does {}", hole.what, hole.value.text));
    moves.chain(holes).collect()
}

/// A row: a number, an action, and what is said of it.
pub(super) fn row(
    look: Look,
    (numbers, actions): (usize, usize),
    (number, action): (usize, &str),
    said: Vec<String>,
) -> Vec<String> {
    let room = look.width.saturating_sub(numbers + actions + 2 * GAP).max(NARROWEST);
    let (action, said) = (filled(&[action.to_owned()], actions), filled(&parted(said), room));
    let gap = " ".repeat(GAP);
    let line = |at: usize| {
        let number = if at == 0 { number.to_string() } else { String::new() };
        let number = painted(&format!("{number:>numbers$}"), Paint::Dim, look.colour);
        let action = fitted(action.get(at).map_or("", String::as_str), actions);
        let action = painted(&action, Paint::Bold, look.colour);
        let said = said.get(at).map_or("", String::as_str);
        format!("{number}{gap}{action}{gap}{said}").trim_end().to_owned()
    };
    (0..action.len().max(said.len())).map(line).collect()
}

/// Pieces with a semicolon after each but the last.
fn parted(mut pieces: Vec<String>) -> Vec<String> {
    let last = pieces.len().saturating_sub(1);
    pieces.iter_mut().take(last).for_each(|piece| piece.push(';'));
    pieces
}

//! A run on a terminal: one lane for each component that moves, and only what changes. Where there are more lanes than fit,
//! each step is a list of those who move.

use super::cells::{Paint, filled, fitted, painted, width};
use super::moves::{Move, begun, moves, news, shown};
use crate::emit::outcome::ended_shortly;
use crate::outcome::{Equation, Trace, TraceStep};

/// Lanes are at least so wide, and actions at most.
const NARROWEST: usize = 7;
pub(super) const WIDEST_ACTION: usize = 26;
/// No lane takes more than this, however wide the terminal is.
const WIDEST: usize = 32;
/// The room between two columns.
pub(super) const GAP: usize = 2;
/// After so many lines the names of the lanes stand there again: they must be in sight.
const PAGE: usize = 40;
/// What stands in a lane of a component that moves, though nothing changes.
const STILL: &str = "·";

/// How a run is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// How many columns there are.
    pub width: usize,
    /// Whether there are colours.
    pub colour: bool,
}

/// A column of the table.
struct Lane<'t> {
    path: &'t str,
    /// What stands under its name.
    kind: &'t str,
    /// What it begins with.
    begins: Vec<String>,
    width: usize,
}

/// One row: its number, what is shown, and what is in each lane.
struct Row<'t> {
    number: usize,
    action: &'t str,
    cells: Vec<Vec<String>>,
}

/// A run for a terminal, line by line.
pub fn lanes(trace: &Trace, look: Look) -> Vec<String> {
    let mut table = Table::new(trace, look);
    let mut lines = given(trace, look);
    match table.fit() {
        true => lines.extend(table.lines()),
        false => lines.extend(super::list::list(trace, look)),
    }
    lines.extend(filled(&[ended_shortly(&trace.end, trace.steps.len())], look.width));
    lines
}

/// The values of constants.
fn given(trace: &Trace, look: Look) -> Vec<String> {
    let one = |equation: &Equation| format!("{} = {}", equation.what, equation.value.text);
    let with: Vec<String> = trace.with.iter().map(one).collect();
    match with.is_empty() {
        true => Vec::new(),
        false => filled(&[format!("with {}", with.join(", "))], look.width),
    }
}

/// What a component that moves has in its lane.
pub(super) fn cell(made: &Move<'_>) -> Vec<String> {
    let news = news(made);
    if news.is_empty() { vec![STILL.to_owned()] } else { news }
}

struct Table<'t> {
    look: Look,
    lanes: Vec<Lane<'t>>,
    rows: Vec<Row<'t>>,
    /// Components that never move.
    idle: Vec<&'t str>,
    numbers: usize,
    actions: usize,
}

impl<'t> Table<'t> {
    fn new(trace: &'t Trace, look: Look) -> Table<'t> {
        let made: Vec<Vec<Move<'t>>> = trace.steps.iter().map(moves).collect();
        let moving = |path: &str| made.iter().flatten().any(|one| one.path == path);
        let (mut lanes, mut idle) = (Vec::new(), Vec::new());
        for component in &trace.components {
            let begins = begun(&component.state, &component.variables);
            let lane = Lane { path: &component.path, kind: &component.process, begins, width: 0 };
            match moving(&component.path) || trace.steps.is_empty() {
                true => lanes.push(lane),
                false => idle.push(component.path.as_str()),
            }
        }
        for hole in &trace.holes {
            let acts = |step: &TraceStep| step.holes.iter().any(|does| does.what == *hole);
            if trace.steps.iter().any(acts) {
                lanes.push(Lane { path: hole, kind: "hole", begins: Vec::new(), width: 0 });
            }
        }
        let first = Row {
            number: 0,
            action: "",
            cells: lanes.iter().map(|lane| lane.begins.clone()).collect(),
        };
        let steps = trace.steps.iter().zip(&made).enumerate();
        let rows = steps.map(|(at, (step, made))| Row {
            number: at + 1,
            action: shown(step),
            cells: lanes.iter().map(|lane| in_lane(lane.path, step, made)).collect(),
        });
        let rows: Vec<Row<'t>> = std::iter::once(first).chain(rows).collect();
        let numbers = width(&trace.steps.len().to_string());
        let actions = rows.iter().map(|row| width(row.action)).max().unwrap_or(0);
        Table { look, lanes, rows, idle, numbers, actions: actions.clamp(6, WIDEST_ACTION) }
    }

    /// Finds how wide lanes are; false where they do not fit.
    fn fit(&mut self) -> bool {
        let wishes: Vec<usize> = (0..self.lanes.len()).map(|at| self.wish(at)).collect();
        let gaps = GAP * (self.lanes.len() + 1);
        let room = self.look.width.saturating_sub(self.numbers + self.actions + gaps);
        let Some(widths) = shared(&wishes, room) else { return false };
        for (lane, width) in self.lanes.iter_mut().zip(widths) {
            lane.width = width;
        }
        true
    }

    /// How wide a lane would like to be: no piece of it is broken then.
    fn wish(&self, at: usize) -> usize {
        let lane = &self.lanes[at];
        let pieces = self.rows.iter().flat_map(|row| &row.cells[at]).map(|piece| width(piece));
        let head = width(name(lane.path)).max(width(lane.kind));
        pieces.max().unwrap_or(0).max(head).clamp(NARROWEST, WIDEST)
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let heads: Vec<String> = self.lanes.iter().map(|lane| name(lane.path).to_owned()).collect();
        lines.push(self.head("step", &heads, Paint::Bold));
        let kinds: Vec<String> = self.lanes.iter().map(|lane| lane.kind.to_owned()).collect();
        if kinds.iter().zip(&heads).any(|(kind, head)| kind != head) {
            lines.push(self.head("", &kinds, Paint::Dim));
        }
        let mut since = lines.len();
        for row in &self.rows {
            if lines.len() - since >= PAGE {
                since = lines.len();
                lines.push(self.head("step", &heads, Paint::Bold));
            }
            lines.extend(self.row(row));
        }
        if !self.idle.is_empty() {
            let idle = format!("not moving: {}", self.idle.join(", "));
            lines.extend(filled(&[idle], self.look.width));
        }
        lines
    }

    fn head(&self, action: &str, names: &[String], paint: Paint) -> String {
        let mut line = " ".repeat(self.numbers + GAP);
        line.push_str(&painted(&fitted(action, self.actions), Paint::Dim, self.look.colour));
        for (lane, name) in self.lanes.iter().zip(names) {
            line.push_str(&" ".repeat(GAP));
            line.push_str(&painted(&fitted(name, lane.width), paint, self.look.colour));
        }
        line.trim_end().to_owned()
    }

    fn row(&self, row: &Row<'_>) -> Vec<String> {
        let action = filled(&[row.action.to_owned()], self.actions);
        let cells: Vec<Vec<String>> = self
            .lanes
            .iter()
            .zip(&row.cells)
            .map(|(lane, cell)| filled(cell, lane.width))
            .collect();
        let high = cells.iter().map(Vec::len).chain([action.len(), 1]).max().unwrap_or(1);
        let colour = self.look.colour;
        let line = |at: usize| {
            let number = if at == 0 { row.number.to_string() } else { String::new() };
            let number = format!("{number:>width$}", width = self.numbers);
            let mut line = painted(&number, Paint::Dim, colour);
            line.push_str(&" ".repeat(GAP));
            let action = action.get(at).map_or("", String::as_str);
            line.push_str(&painted(&fitted(action, self.actions), Paint::Bold, colour));
            for (lane, cell) in self.lanes.iter().zip(&cells) {
                line.push_str(&" ".repeat(GAP));
                line.push_str(&fitted(cell.get(at).map_or("", String::as_str), lane.width));
            }
            line.trim_end().to_owned()
        };
        (0..high).map(line).collect()
    }
}

/// What a component or a hole has in its lane.
fn in_lane(path: &str, step: &TraceStep, made: &[Move<'_>]) -> Vec<String> {
    if let Some(hole) = step.holes.iter().find(|does| does.what == path) {
        return vec![hole.value.text.clone()];
    }
    made.iter().find(|one| one.path == path).map(cell).unwrap_or_default()
}

/// The name of a component: the whole has none of its own.
pub(super) fn name(path: &str) -> &str {
    if path.is_empty() { "it" } else { path }
}

/// Shares the room among columns that would like to have so much: those who want little get it, the others the same each.
/// Nothing where not even the least fits.
fn shared(wishes: &[usize], room: usize) -> Option<Vec<usize>> {
    if wishes.iter().map(|&wish| wish.min(NARROWEST)).sum::<usize>() > room {
        return None;
    }
    let total = |most: usize| wishes.iter().map(|&wish| wish.min(most)).sum::<usize>();
    let most = (NARROWEST..=WIDEST).rev().find(|&most| total(most) <= room)?;
    Some(wishes.iter().map(|&wish| wish.min(most)).collect())
}

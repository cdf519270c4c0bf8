//! What there is to draw: lifelines, and a row for each step.

use super::{MOST_LIVES, MOST_STEPS};
use crate::emit::svg::text::Line;
use crate::emit::trace::moves::{Move, begun, moves, shown};
use crate::outcome::{Role, Trace, TraceStep};

/// Texts of messages and values are cut when they are longer than this.
const LONGEST: usize = 44;
/// So many variables are shown beside a state.
const MOST_VALUES: usize = 8;

/// A lifeline.
#[derive(Debug)]
pub(super) struct Life {
    /// Its path.
    pub path: String,
    /// The process that it is an instance of; nothing for a hole.
    pub process: Option<String>,
    /// What it begins with.
    pub begins: Option<News>,
    /// Where it is.
    pub x: f64,
}

/// What is new on a lifeline.
#[derive(Debug)]
pub(super) struct News {
    /// Which lifeline.
    pub life: usize,
    /// Its new state.
    pub state: Option<Line>,
    /// Its new values.
    pub values: Vec<Line>,
}

/// Who does a step.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One alone.
    Alone(usize),
    /// One gives values to others, and some are there, too.
    Arrow { from: usize, to: Vec<usize>, also: Vec<usize> },
    /// Several together.
    Bar(Vec<usize>),
    /// Nobody who is drawn.
    Nobody,
}

/// A step.
#[derive(Debug)]
pub(super) struct Row {
    pub number: usize,
    pub label: Line,
    pub shape: Shape,
    pub news: Vec<News>,
    /// Where its line is.
    pub y: f64,
}

/// All that is to be drawn.
#[derive(Debug)]
pub(super) struct Rows {
    pub lives: Vec<Life>,
    pub rows: Vec<Row>,
    /// Components that never move.
    pub idle: Vec<String>,
    /// How many lifelines are left out.
    pub left_out: usize,
}

pub(super) fn rows(trace: &Trace) -> Rows {
    let made: Vec<Vec<Move<'_>>> = trace.steps.iter().take(MOST_STEPS).map(moves).collect();
    let (mut lives, mut idle) = (Vec::new(), Vec::new());
    for component in &trace.components {
        let moving = made.iter().flatten().any(|one| one.path == component.path);
        if !moving && !made.is_empty() {
            idle.push(name(&component.path).to_owned());
            continue;
        }
        let begins = begun(&component.state, &component.variables);
        let begins = news(lives.len(), Some(&begins[0]), &begins[1..]);
        let process = Some(component.process.clone());
        lives.push(Life { path: component.path.clone(), process, begins: Some(begins), x: 0.0 });
    }
    for hole in &trace.holes {
        let acts = |step: &TraceStep| step.holes.iter().any(|does| does.what == *hole);
        if trace.steps.iter().take(MOST_STEPS).any(acts) {
            lives.push(Life { path: hole.clone(), process: None, begins: None, x: 0.0 });
        }
    }
    let left_out = lives.len().saturating_sub(MOST_LIVES);
    lives.truncate(MOST_LIVES);
    let steps = trace.steps.iter().zip(&made).enumerate();
    let rows = steps.map(|(at, (step, made))| row(&lives, at + 1, step, made)).collect();
    Rows { lives, rows, idle, left_out }
}

/// The name of a component: the whole has none of its own.
pub(super) fn name(path: &str) -> &str {
    if path.is_empty() { "it" } else { path }
}

fn row(lives: &[Life], number: usize, step: &TraceStep, made: &[Move<'_>]) -> Row {
    let place = |path: &str| lives.iter().position(|life| life.path == path);
    let changed = made.iter().filter_map(|one| {
        let state = (one.from != one.to).then_some(one.to);
        let change = |(name, change): &(&str, &crate::outcome::Changed)| {
            format!("{name}={}", change.after.text)
        };
        let values: Vec<String> = one.changes.iter().map(change).collect();
        let something = state.is_some() || !values.is_empty();
        something.then(|| place(one.path).map(|life| news(life, state, &values))).flatten()
    });
    Row {
        number,
        label: label(step, made),
        shape: shape(step, made, place),
        news: changed.collect(),
        y: 0.0,
    }
}

fn news<S: AsRef<str>>(life: usize, state: Option<S>, values: &[String]) -> News {
    let mut lines: Vec<Line> =
        values.iter().take(MOST_VALUES).map(|value| cut("var", value)).collect();
    if values.len() > MOST_VALUES {
        let more = format!("… {} more", values.len() - MOST_VALUES);
        lines.push(Line { whole: Some(values.join("\n")), ..Line::new("muted", &more) });
    }
    News { life, state: state.map(|state| cut("state-name", state.as_ref())), values: lines }
}

/// A text on a line, cut where it is too long.
fn cut(class: &'static str, text: &str) -> Line {
    if text.chars().count() <= LONGEST {
        return Line::new(class, text);
    }
    let short: String = text.chars().take(LONGEST - 1).chain(['…']).collect();
    Line { whole: Some(text.to_owned()), ..Line::new(class, &short) }
}

/// What is shown, and for what is silent, what it is made of.
fn label(step: &TraceStep, made: &[Move<'_>]) -> Line {
    let action = shown(step);
    if action != "tau" {
        return cut("act", action);
    }
    let mut line = Line::new("muted", "tau");
    let connector = step.by.iter().flat_map(|by| &by.vectors).find_map(|by| by.connector.as_ref());
    let gives = |one: &&Move<'_>| one.by.is_some_and(|by| by.role == Some(Role::Gives));
    let part = made.iter().find(gives).or(made.first());
    let action = part.and_then(|one| one.by?.action.as_ref()).filter(|action| *action != "tau");
    let more = match (connector, action) {
        (Some(name), _) => Some(("connector", name)),
        (None, Some(action)) => Some(("act", action)),
        (None, None) => None,
    };
    if let Some((class, text)) = more {
        line.pieces.push(("muted", ": ".to_owned()));
        line.pieces.extend(cut(class, text).pieces);
    }
    line
}

/// Who takes part, and who gives values to whom.
fn shape(step: &TraceStep, made: &[Move<'_>], place: impl Fn(&str) -> Option<usize>) -> Shape {
    let mut members: Vec<(usize, Option<Role>)> = Vec::new();
    for one in made {
        let role = one.by.and_then(|by| by.role);
        members.extend(place(one.path).map(|life| (life, role)));
    }
    members.extend(step.holes.iter().filter_map(|hole| Some((place(&hole.what)?, None))));
    let with = |role| {
        let fitting = members.iter().filter(move |(_, its)| *its == role);
        fitting.map(|(life, _)| *life).collect::<Vec<usize>>()
    };
    let (givers, takers, others) = (with(Some(Role::Gives)), with(Some(Role::Takes)), with(None));
    match (members.as_slice(), givers.as_slice(), others.as_slice()) {
        ([], ..) => Shape::Nobody,
        ([(one, _)], ..) => Shape::Alone(*one),
        (_, [from], _) if !takers.is_empty() => {
            Shape::Arrow { from: *from, to: takers, also: others }
        }
        (_, [], [from]) if !takers.is_empty() => {
            Shape::Arrow { from: *from, to: takers, also: Vec::new() }
        }
        _ => Shape::Bar(members.iter().map(|(life, _)| *life).collect()),
    }
}

impl Shape {
    /// All lifelines that it touches, from left to right.
    pub fn lives(&self) -> Vec<usize> {
        let mut all = match self {
            Shape::Alone(one) => vec![*one],
            Shape::Arrow { from, to, also } => {
                [&[*from][..], to.as_slice(), also.as_slice()].concat()
            }
            Shape::Bar(all) => all.clone(),
            Shape::Nobody => Vec::new(),
        };
        all.sort_unstable();
        all.dedup();
        all
    }
}

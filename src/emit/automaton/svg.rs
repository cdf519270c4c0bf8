//! An open automaton as a picture: its states and arrows, on which the transitions have numbers, and under or
//! beside it a table that tells all about each of them.

use std::collections::BTreeMap;

use crate::automaton::{OpenAutomaton, OpenTransition};
use crate::base::IndexVec;
use crate::emit::svg::{
    Block, Column, Graph, GraphState, Line, Table, TooLarge, measured, open_block, page,
};
use crate::pnet::HoleId;

use super::facts::{facts, initial_values, is_final, states};
use super::rule::{Rule, path_text, rules};
use super::run::{NotOnAutomaton, Way};
use crate::emit::wrap::wrapped;
use crate::outcome::Trace;

/// Larger automata have only numbers on their arrows.
const MOST_NAMED: usize = 24;
const MOST_ACTIONS: usize = 60;
/// So does an arrow with more transitions than this.
const MOST_TOGETHER: usize = 6;
/// So many lines of numbers are on one arrow.
const MOST_NUMBERS: usize = 4;
const LONGEST_NUMBERS: usize = 14;
/// Longer cells and facts are broken into lines.
const LONGEST_CELL: usize = 32;
const LONGEST_GUARD: usize = 56;
const LONGEST_FACT: usize = 90;
/// So many lines are in one cell, tell one fact, or stand at the arrow to the initial state.
const MOST_LINES: usize = 4;
/// So many holes have a column of their own; more share one.
const MOST_HOLES: usize = 6;
/// So many transitions are in the table.
const MOST_ROWS: usize = 300;

/// The automaton as an SVG picture.
pub fn svg(automaton: &OpenAutomaton) -> String {
    page(automaton.name.as_str(), &block(automaton))
}

/// The automaton as an SVG picture, with a run on it. Of one that is too large to be drawn, there is what the run comes through.
pub fn svg_with_run(automaton: &OpenAutomaton, trace: &Trace) -> Result<String, NotOnAutomaton> {
    let rules = rules(automaton);
    let all = automaton.states.len();
    let way = Way::of(automaton, trace)?;
    let mut lines: Vec<Line> = all_facts(automaton);
    lines.extend(fact("run", &[way.told(all)]));
    let mut graph = graph(automaton, &rules);
    let (mut drawing, mut shown) = (None, table(automaton, &rules, |_| true));
    if graph.states.len() <= MOST_NAMED {
        let mut marked = graph.clone();
        way.mark(&mut marked);
        drawing = marked.draw();
    }
    if drawing.is_none() {
        let (arrows, states) = (way.arrows(), way.different());
        let is_taken = |transition: &OpenTransition| {
            arrows.contains_key(&(transition.source.index(), transition.target.index()))
        };
        shown = table(automaton, &rules, is_taken);
        let way = way.narrow(&mut graph);
        way.mark(&mut graph);
        drawing = Some(graph.draw().ok_or(NotOnAutomaton::TooManyStates { states })?);
    }
    let too_large = TooLarge::Open { states: all, transitions: automaton.transitions.len() };
    let name = automaton.name.as_str();
    Ok(page(name, &open_block(name, lines, drawing.ok_or(too_large), shown)))
}

fn block(automaton: &OpenAutomaton) -> Block {
    let rules = rules(automaton);
    let (states, transitions) = (automaton.states.len(), automaton.transitions.len());
    let drawing = graph(automaton, &rules).draw().ok_or(TooLarge::Open { states, transitions });
    let shown = table(automaton, &rules, |_| true);
    open_block(automaton.name.as_str(), all_facts(automaton), drawing, shown)
}

/// What is said above the picture.
fn all_facts(automaton: &OpenAutomaton) -> Vec<Line> {
    facts(automaton).into_iter().flat_map(|(kind, texts)| fact(kind, &texts)).collect()
}

/// The lines of a fact: what it is about, and all there is to say.
fn fact(kind: &str, texts: &[String]) -> Vec<Line> {
    let mut lines = few(&texts.join(", "), "var", LONGEST_FACT);
    for (at, line) in lines.iter_mut().enumerate() {
        let kind = format!("{:11}", if at == 0 { kind } else { "" });
        line.pieces.insert(0, ("muted", kind));
    }
    lines
}

/// A text on as many lines as it takes.
fn few(text: &str, class: &'static str, most: usize) -> Vec<Line> {
    Line::several(class, text, most)
}

// ---- states and arrows ----

fn graph(automaton: &OpenAutomaton, rules: &[Rule]) -> Graph {
    let mut arrows: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (at, transition) in automaton.transitions.iter().enumerate() {
        let ends = (transition.source.index(), transition.target.index());
        arrows.entry(ends).or_default().push(at);
    }
    let crowded = automaton.states.len() > MOST_NAMED || rules.len() > MOST_ACTIONS;
    let labels = arrows.into_iter().map(|(ends, numbers)| {
        let lines = match crowded || numbers.len() > MOST_TOGETHER {
            true => number_lines(&numbers),
            false => action_lines(&numbers, rules),
        };
        (ends, lines)
    });
    Graph {
        states: states(automaton)
            .map(|state| GraphState::new(&automaton.state_name(state), is_final(automaton, state)))
            .collect(),
        initial: automaton.initial.index(),
        start: start_lines(&initial_values(automaton)),
        labels: labels.collect(),
        ..Graph::default()
    }
}

/// What each transition shows, after its number.
fn action_lines(places: &[usize], rules: &[Rule]) -> Vec<Line> {
    let digits = places.iter().max().map_or(1, |last| (last + 1).to_string().len());
    let lines = places.iter().map(|&at| {
        let mut line = Line::new("act", &rules[at].action);
        line.pieces.insert(0, ("number", format!("{:>digits$} ", at + 1)));
        line
    });
    lines.collect()
}

/// Numbers, counted from one, neighbours as `3–7`.
pub(super) fn spans(places: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in places.iter().map(|at| at + 1) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let texts = runs.iter().map(|&(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// Numbers of transitions on a few lines.
fn number_lines(places: &[usize]) -> Vec<Line> {
    let text = spans(places);
    let mut lines = wrapped(&text, LONGEST_NUMBERS);
    let cut = lines.len() > MOST_NUMBERS;
    lines.truncate(MOST_NUMBERS);
    if let (true, Some(last)) = (cut, lines.last_mut()) {
        *last = format!("… {} in all", places.len());
    }
    let mut lines: Vec<Line> = lines.iter().map(|line| Line::new("number", line)).collect();
    if let (true, Some(last)) = (cut, lines.last_mut()) {
        last.whole = Some(text);
    }
    lines
}

/// The initial values, as many as there is room for.
fn start_lines(values: &[String]) -> Vec<Line> {
    let kept = if values.len() > MOST_LINES { MOST_LINES - 1 } else { values.len() };
    let mut lines: Vec<Line> =
        values[..kept].iter().map(|value| Line::new("cond", value)).collect();
    if kept < values.len() {
        let mut rest = Line::new("muted", &format!("… and {} more", values.len() - kept));
        rest.whole = Some(values[kept..].join("\n"));
        lines.push(rest);
    }
    lines
}

// ---- the table ----

/// Which columns the table has, after those that are always there.
struct Shape {
    /// The holes that take part anywhere; more than a few share a column.
    holes: Vec<String>,
    guards: bool,
    updates: bool,
}

impl Shape {
    fn of(automaton: &OpenAutomaton, rules: &[Rule]) -> Shape {
        let mut taking_part: IndexVec<HoleId, bool> = IndexVec::of(automaton.holes.len(), false);
        for (hole, _) in automaton.transitions.iter().flat_map(|transition| &transition.holes) {
            taking_part[*hole] = true;
        }
        let holes = automaton.holes.iter().zip(taking_part);
        Shape {
            holes: holes.filter(|(_, some)| *some).map(|(hole, _)| path_text(&hole.path)).collect(),
            guards: rules.iter().any(|rule| rule.guard.is_some()),
            updates: rules.iter().any(|rule| !rule.updates.is_empty()),
        }
    }

    fn together(&self) -> bool {
        self.holes.len() > MOST_HOLES
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = ["#", "from", "action", "to"]
            .iter()
            .map(|head| Column::new(Line::new("th", head), false))
            .collect();
        let holes = |head: &str, ruled| Column::new(Line::new("th hole-name", head), ruled);
        if self.together() {
            columns.push(holes("holes", true));
        } else {
            columns.extend(self.holes.iter().enumerate().map(|(at, path)| holes(path, at == 0)));
        }
        for (head, wanted) in [("when", self.guards), ("do", self.updates)] {
            if wanted {
                columns.push(Column::new(Line::new("th", head), true));
            }
        }
        columns
    }

    fn cells(&self, number: usize, rule: &Rule) -> Vec<Vec<Line>> {
        let mut cells = vec![
            vec![Line::new("number", &number.to_string())],
            vec![Line::new("state-name", &rule.source)],
            few(&rule.action, "result", LONGEST_CELL),
            vec![Line::new("state-name", &rule.target)],
        ];
        if self.together() {
            cells.push(few(&rule.holes().unwrap_or_default(), "act", LONGEST_GUARD));
        } else {
            cells.extend(self.holes.iter().map(|path| {
                match rule.holes.iter().find(|(hole, _)| hole == path) {
                    Some((_, action)) => few(action, "act", LONGEST_CELL),
                    None => vec![Line::new("dash", "–")],
                }
            }));
        }
        if self.guards {
            let guard = rule.guard.as_deref().unwrap_or_default();
            cells.push(few(guard, "cond", LONGEST_GUARD));
        }
        if self.updates {
            cells.push(few(&rule.updates(":=").unwrap_or_default(), "cond", LONGEST_GUARD));
        }
        cells
    }
}

/// The table of those transitions that are wanted, with the numbers that they have among all.
fn table(
    automaton: &OpenAutomaton,
    rules: &[Rule],
    is_wanted: impl Fn(&OpenTransition) -> bool,
) -> Option<Table> {
    let shape = Shape::of(automaton, rules);
    let all = automaton.transitions.iter().zip(rules).enumerate();
    let wanted: Vec<(usize, &Rule)> =
        all.filter(|(_, (one, _))| is_wanted(one)).map(|(at, (_, rule))| (at, rule)).collect();
    if wanted.is_empty() {
        return None;
    }
    let rows = wanted.iter().take(MOST_ROWS).map(|(at, rule)| shape.cells(at + 1, rule)).collect();
    Some(measured(shape.columns(), rows, wanted.len().saturating_sub(MOST_ROWS)))
}

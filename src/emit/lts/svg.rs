//! A labelled transition system as a picture in the looks of the others.

use crate::emit::svg::{
    Block, Column, Graph, GraphState, Line, StateKind, Table, measured, open_block, page,
};
use crate::lts::Lts;

use super::picture::{MOST_LABELS, Node, PartMark, Picture, Said};

/// So many lines of labels are at one arrow, and so many letters on a line.
const MOST_LINES: usize = 4;
const LONGEST: usize = 28;
/// Longer facts are broken into lines.
const LONGEST_FACT: usize = 90;

/// The system as an SVG picture: state by state if no more than `full` can be reached, otherwise from far away.
pub fn svg(lts: &Lts, name: &str, full: usize) -> String {
    page(name, &block(name, &Picture::new(lts, full)))
}

/// A part of a system as an SVG picture, state by state; `marks` says what is so in states where nothing is drawn to follow.
pub fn part_svg(lts: &Lts, name: &str, marks: &[PartMark]) -> String {
    page(name, &block(name, &Picture::part(lts, marks)))
}

fn block(name: &str, picture: &Picture) -> Block {
    let facts = picture.facts.iter().flat_map(|(kind, text)| fact(kind, text)).collect();
    open_block(name, facts, Ok(graph(picture).draw_folded()), table(&picture.labels))
}

fn fact(kind: &str, text: &str) -> Vec<Line> {
    let class = if kind == "deadlocks" { "stuck" } else { "var" };
    let mut lines = Line::several(class, text, LONGEST_FACT);
    for (at, line) in lines.iter_mut().enumerate() {
        line.pieces.insert(0, ("muted", format!("{:13}", if at == 0 { kind } else { "" })));
    }
    lines
}

fn graph(picture: &Picture) -> Graph {
    let silent = picture.arrows.iter().filter(|(_, said)| said.is_silent());
    Graph {
        states: picture.nodes.iter().map(state).collect(),
        initial: 0,
        silent: silent.map(|(ends, _)| *ends).collect(),
        labels: picture.arrows.iter().map(|(ends, said)| (*ends, lines(said))).collect(),
        ..Graph::default()
    }
}

fn state(node: &Node) -> GraphState {
    let mut shown = GraphState::new(&node.name, false);
    shown.kind = match (node.is_many, node.is_stuck) {
        (false, false) => StateKind::Plain,
        (false, true) => StateKind::Deadlock,
        (true, false) => StateKind::Many,
        (true, true) => StateKind::ManyDeadlocks,
    };
    if let (true, Some((_, away))) = (node.is_many, node.more.first()) {
        shown.short = away.clone();
    }
    shown.name.extend(node.more.iter().map(|(kind, text)| Line::new(kind, text)));
    shown
}

/// The labels at an arrow: as many on a line as fit, and the rest as a number.
fn lines(said: &Said) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut used = 0;
    for (at, text) in said.texts.iter().enumerate() {
        let class = if said.silent && at == 0 { "muted" } else { "act" };
        let (shown, long) = (elided(text), text.chars().count().min(LONGEST));
        let comma = if at + 1 < said.texts.len() { ", " } else { "" };
        let fits = used > 0 && used + long + comma.len() <= LONGEST;
        match lines.last_mut().filter(|_| fits) {
            Some(line) => line.pieces.push((class, shown)),
            None => {
                lines.push(Line::new(class, &shown));
                used = 0;
            }
        }
        if let Some(line) = lines.last_mut() {
            line.pieces.push(("muted", comma.to_owned()));
            if long < text.chars().count() {
                line.whole = Some(said.texts.join("\n"));
            }
        }
        used += long + comma.len();
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        let mut rest = Line::new("muted", &format!("… {} in all", said.texts.len()));
        rest.whole = Some(said.texts.join("\n"));
        lines.push(rest);
    }
    lines
}

fn elided(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let kept: String = text.chars().take(LONGEST - 1).collect();
    format!("{kept}…")
}

fn table(labels: &[(String, usize)]) -> Option<Table> {
    if labels.is_empty() {
        return None;
    }
    let head = |text: &str| Column::new(Line::new("th", text), false);
    let row = |(label, count): &(String, usize)| {
        let mut shown = Line::new("result", &elided(label));
        shown.whole = (label.chars().count() > LONGEST).then(|| label.clone());
        vec![vec![shown], vec![Line::new("number", &count.to_string())]]
    };
    let rows = labels.iter().take(MOST_LABELS).map(row).collect();
    let left_out = labels.len().saturating_sub(MOST_LABELS);
    Some(measured(vec![head("label"), head("steps")], rows, left_out))
}

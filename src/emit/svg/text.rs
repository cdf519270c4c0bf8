//! Pieces of text with a place, and the lines that a transition's label takes.

use crate::emit::label::TransitionLabel;

use super::measure::mono;
use crate::emit::wrap::wrapped;

/// The size of letters in labels and tables.
pub(super) const SMALL: f64 = 11.0;
/// The height of a line of them.
pub(super) const LINE: f64 = 14.0;
/// The room above the label of another transition, where labels take several lines.
const LEAD: f64 = 4.0;
/// A label longer than this takes several lines.
const ONE_LINE: usize = 22;
/// No line is longer than this.
const LONGEST: usize = 34;
/// No arrow has more lines than this.
const MOST_LINES: usize = 12;

/// A line of pieces, each with the class that gives it its colour.
#[derive(Clone, Debug)]
pub(in crate::emit) struct Line {
    /// The pieces.
    pub(in crate::emit) pieces: Vec<(&'static str, String)>,
    /// The whole text, where the line has not all of it.
    pub(in crate::emit) whole: Option<String>,
    /// The room above it.
    pub(super) lead: f64,
}

impl Line {
    /// A line of one piece. What is a name is never cut, and never broken.
    pub(in crate::emit) fn new(class: &'static str, text: &str) -> Line {
        Line { pieces: vec![(class, text.to_owned())], whole: None, lead: 0.0 }
    }

    /// A text on as many lines as it takes, of about so many letters each.
    pub(in crate::emit) fn several(class: &'static str, text: &str, most: usize) -> Vec<Line> {
        wrapped(text, most).iter().map(|line| Line::new(class, line)).collect()
    }

    /// How wide it is.
    pub(super) fn width(&self) -> f64 {
        self.pieces.iter().map(|(_, text)| mono(text, SMALL)).sum()
    }
}

/// The width of the widest line.
pub(super) fn width(lines: &[Line]) -> f64 {
    lines.iter().map(Line::width).fold(0.0, f64::max)
}

/// The height of some lines.
pub(super) fn height(lines: &[Line]) -> f64 {
    lines.iter().map(|line| LINE + line.lead).sum()
}

/// The lines of the labels that share an arrow.
pub(super) fn label_lines(labels: &[TransitionLabel]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for label in labels {
        let mut more = lines_of(label);
        let long = more.len() > 1 || lines.last().is_some_and(|line| line.pieces.len() > 1);
        if let (true, false, Some(first)) = (long, lines.is_empty(), more.first_mut()) {
            first.lead = LEAD;
        }
        lines.append(&mut more);
    }
    if lines.len() > MOST_LINES {
        let all: Vec<String> = labels.iter().map(whole).collect();
        lines.truncate(MOST_LINES - 1);
        let pieces = vec![("muted", format!("… {} in all", labels.len()))];
        lines.push(Line { pieces, whole: Some(all.join("\n")), lead: 0.0 });
    }
    lines
}

fn whole(label: &TransitionLabel) -> String {
    let mut text = label.action.clone();
    if let Some(guard) = &label.guard {
        text.push_str(" when ");
        text.push_str(guard);
    }
    if let Some(updates) = &label.updates {
        text.push_str(" do ");
        text.push_str(updates);
    }
    text
}

fn lines_of(label: &TransitionLabel) -> Vec<Line> {
    let extra = [("when ", &label.guard), ("do ", &label.updates)];
    if whole(label).chars().count() <= ONE_LINE {
        let mut line = Line::new("act", &label.action);
        for (word, text) in extra {
            let Some(text) = text else { continue };
            line.pieces.push(("muted", format!(" {word}")));
            line.pieces.push(("cond", text.clone()));
        }
        return vec![line];
    }
    let mut lines = Line::several("act", &label.action, LONGEST);
    for (word, text) in extra {
        let Some(text) = text else { continue };
        for (at, mut line) in
            Line::several("cond", text, LONGEST - word.len()).into_iter().enumerate()
        {
            let before = if at == 0 { format!(" {word}") } else { " ".repeat(word.len() + 1) };
            line.pieces.insert(0, ("muted", before));
            lines.push(line);
        }
    }
    lines
}

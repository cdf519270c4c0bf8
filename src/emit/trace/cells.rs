//! Texts in columns of a terminal: how wide they are, how they are broken, and how they are painted.

use crate::emit::svg::{is_joined, is_wide};

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn columns(c: char) -> usize {
    match c {
        _ if is_wide(c) => 2,
        _ if is_joined(c) => 0,
        _ => 1,
    }
}

/// Pieces on lines of at most so many columns; what is longer than a line is broken.
pub(super) fn filled(pieces: &[String], most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        for (at, part) in broken(piece, most).into_iter().enumerate() {
            match lines.last_mut() {
                Some(line) if at == 0 && width(line) + 1 + width(&part) <= most => {
                    line.push(' ');
                    line.push_str(&part);
                }
                _ => lines.push(part),
            }
        }
    }
    lines
}

/// A text in parts of at most so many columns: after a comma or a space where there is one.
fn broken(text: &str, most: usize) -> Vec<String> {
    let most = most.max(1);
    let (mut parts, mut part) = (Vec::new(), String::new());
    for c in text.chars() {
        if width(&part) + columns(c) > most {
            let cut = part.rfind([',', ' ', '(']).map_or(part.len(), |at| at + 1);
            let rest = part.split_off(if cut * 3 < part.len() { part.len() } else { cut });
            parts.push(std::mem::replace(&mut part, rest).trim_end().to_owned());
        }
        if !(part.is_empty() && c == ' ') {
            part.push(c);
        }
    }
    if !part.is_empty() || parts.is_empty() {
        parts.push(part);
    }
    parts
}

/// A text in so many columns: cut where it is longer, with spaces behind it where it is shorter.
pub(super) fn fitted(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    let long = width(text) > most;
    for c in text.chars() {
        if used + columns(c) + usize::from(long) > most {
            break;
        }
        used += columns(c);
        out.push(c);
    }
    if long && most > 0 {
        out.push('…');
        used += 1;
    }
    out.push_str(&" ".repeat(most.saturating_sub(used)));
    out
}

/// How texts are painted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Paint {
    /// What counts.
    Bold,
    /// What is only to hold on to.
    Dim,
}

/// A text in its colour, where there are colours.
pub(super) fn painted(text: &str, paint: Paint, colour: bool) -> String {
    match paint {
        _ if !colour || text.trim().is_empty() => text.to_owned(),
        Paint::Bold => format!("\u{1b}[1m{text}\u{1b}[0m"),
        Paint::Dim => format!("\u{1b}[2m{text}\u{1b}[0m"),
    }
}

//! The transitions of a text in which nothing is broken, with their places.

use std::ops::Range;

use super::line;

/// A transition of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutLine {
    /// Where it comes from.
    pub from: u32,
    /// Where its label stands, without quotes.
    pub label: Range<usize>,
    /// Where it leads.
    pub to: u32,
    /// Where all of it stands.
    pub all: Range<usize>,
}

/// The transitions of a text in the Aldebaran format; lines that are none are left out.
pub fn lines(text: &str) -> impl Iterator<Item = AutLine> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        let (from, label, to) = line::transition(line.as_bytes()).ok()?;
        // The label is a part of the line.
        let place = start + (label.as_ptr() as usize - line.as_ptr() as usize);
        Some(AutLine {
            from,
            label: place..place + label.len(),
            to,
            all: start..start + line.len(),
        })
    })
}

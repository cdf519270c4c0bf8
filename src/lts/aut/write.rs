//! Writes the Aldebaran format: the one writer, of files that are made at once and of those that are made step by step.

use std::io::Write;
use std::ops::ControlFlow;

use crate::lts::system::{Lts, LtsLabel};

/// So much is given on at once.
const PIECE: usize = 1 << 16;

/// A label as it is written: in quotes, unless it is silent. Quotes inside of it stay as they are: whoever reads goes by the
/// first comma and the last one, and labels that differ must not become the same.
pub fn label(text: &str, is_silent: bool) -> String {
    if is_silent {
        return text.to_owned();
    }
    format!("\"{}\"", clean(text))
}

/// The text of a label on one line.
pub fn clean(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The first line.
pub fn header(out: &mut Vec<u8>, initial: u64, transitions: u64, states: u64) {
    // Writing to memory does not fail.
    let _ = writeln!(out, "des ({initial}, {transitions}, {states})");
}

/// The line of a transition, with a label as [`label`] makes it.
pub fn line(out: &mut Vec<u8>, from: u64, label: &str, to: u64) {
    out.push(b'(');
    number(out, from);
    out.extend_from_slice(b", ");
    out.extend_from_slice(label.as_bytes());
    out.extend_from_slice(b", ");
    number(out, to);
    out.extend_from_slice(b")\n");
}

fn number(out: &mut Vec<u8>, number: u64) {
    let (mut digits, mut at, mut rest) = ([0; 20], 20, number);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Writes a system piece by piece, with a name for the silent action, until whoever takes the pieces wants no more.
pub fn write(
    lts: &Lts,
    silent: &str,
    mut take: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let name = |id: LtsLabel| match id.is_silent() {
        true => label(silent, true),
        false => label(lts.text(id), false),
    };
    let names: Vec<String> = lts.labels().ids().map(name).collect();
    let mut piece = Vec::with_capacity(PIECE + 1024);
    header(&mut piece, u64::from(lts.initial().0), lts.transitions() as u64, lts.states() as u64);
    for from in lts.ids() {
        for step in lts.steps(from) {
            line(&mut piece, u64::from(from.0), &names[step.label.index()], u64::from(step.to.0));
            if piece.len() >= PIECE {
                take(&piece)?;
                piece.clear();
            }
        }
    }
    take(&piece)
}

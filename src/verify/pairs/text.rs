//! Pairs of configurations as a text, written and read. A text that is read must be, line by line, what would be written.

use std::fmt::Write;

use thiserror::Error;

use super::{NotRelated, PairTable};
use crate::base::budget::is_spent;
use crate::emit::listing::{LISTING_VERSION, PAIRS_FORMAT, PairsHead, listing_line};
use crate::verify::listing::table::Table;
use crate::verify::listing::text::Lines;

/// What is wrong with a list of pairs, and in which line.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum PairsFault {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Unread(String),
    /// The first line is another one.
    #[error("line 1 does not say what is listed, or these are no pairs of these configurations")]
    Head,
    /// A line is no pair.
    #[error("line {line} is no pair of configurations that are listed")]
    Row {
        /// The line.
        line: u64,
    },
    /// Pairs are not in order, or one is repeated.
    #[error("line {line} should not come after the one above: pairs are in order, each once")]
    Order {
        /// The line.
        line: u64,
    },
    /// It ends too early.
    #[error("it ends after {found} of {expected} pairs")]
    Short {
        /// How many there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// It does not end.
    #[error("there is something behind its {expected} pairs, in line {line}")]
    Long {
        /// The line.
        line: u64,
        /// How many there should be.
        expected: u64,
    },
    /// The budget is spent.
    #[error("it was not read to its end")]
    Stopped,
    /// It is no proof.
    #[error(transparent)]
    NotRelated(#[from] NotRelated),
}

fn head(sizes: [u64; 2], names: [&str; 2], pairs: u64) -> PairsHead {
    PairsHead {
        format: PAIRS_FORMAT.to_owned(),
        version: LISTING_VERSION,
        nets: names.map(str::to_owned),
        configurations: sizes,
        pairs,
    }
}

/// The text of a list of pairs.
pub(super) fn written(table: &PairTable, names: [&str; 2]) -> String {
    let sizes = [0, 1].map(|side| table.tables[side].len() as u64);
    let mut text = listing_line(&head(sizes, names, table.pairs.len() as u64));
    text.push('\n');
    for (one, two) in &table.pairs {
        let _ = writeln!(text, "[{one},{two}]");
    }
    text
}

/// Reads the pairs of two tables.
pub(super) fn read(
    tables: &[Table; 2],
    names: [&str; 2],
    lines: Lines<'_>,
) -> Result<Vec<(u32, u32)>, PairsFault> {
    let mut line = 0;
    let mut next = || {
        line += 1;
        if is_spent() {
            return Err(PairsFault::Stopped);
        }
        Ok((line, lines.next().transpose().map_err(PairsFault::Unread)?))
    };
    let sizes = [0, 1].map(|side| tables[side].len() as u64);
    let first = next()?.1.ok_or(PairsFault::Head)?;
    let read: PairsHead = serde_json::from_str(&first).map_err(|_| PairsFault::Head)?;
    let expected = read.pairs;
    if read != head(sizes, names, expected) || listing_line(&read) != first {
        return Err(PairsFault::Head);
    }
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for found in 0..expected {
        let (line, Some(text)) = next()? else {
            return Err(PairsFault::Short { found, expected });
        };
        let pair = pair(&text, sizes).ok_or(PairsFault::Row { line })?;
        if pairs.last().is_some_and(|above| *above >= pair) {
            return Err(PairsFault::Order { line });
        }
        pairs.push(pair);
    }
    match next()? {
        (_, None) => Ok(pairs),
        (line, Some(_)) => Err(PairsFault::Long { line, expected }),
    }
}

/// The pair that a line says.
fn pair(text: &str, sizes: [u64; 2]) -> Option<(u32, u32)> {
    let (one, two): (u32, u32) = serde_json::from_str(text).ok()?;
    let fits = u64::from(one) < sizes[0] && u64::from(two) < sizes[1];
    (fits && text == format!("[{one},{two}]")).then_some((one, two))
}

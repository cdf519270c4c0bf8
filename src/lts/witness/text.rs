//! Witnesses as lines of JSON: the first says what comes, and then there is a line for each item.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{NoWitness, SidedPair, SidedSet, Witness};
use crate::base::budget::is_spent;

/// The form of the lines.
const FORMAT: &str = "pnet-evidence";
const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: String,
    version: u32,
    kind: Kind,
    items: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Blocks,
    Pairs,
    Sets,
}

/// What is wrong with lines, and with which.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum WitnessFault {
    /// The first line is another one.
    #[error("line 1 does not say what comes")]
    Head,
    /// A line is no item.
    #[error("line {line} is none of these")]
    Item {
        /// The line.
        line: usize,
    },
    /// There are more lines, or fewer.
    #[error("there are {found} lines after the first, and it says {expected}")]
    Count {
        /// How many there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// They were read, and show nothing.
    #[error("{}{why}", .line.map_or_else(String::new, |line| format!("line {line}: ")))]
    Shows {
        /// The line.
        line: Option<usize>,
        /// Why.
        why: NoWitness,
    },
    /// The budget is spent.
    #[error("it was not read to its end")]
    Stopped,
}

impl From<NoWitness> for WitnessFault {
    fn from(why: NoWitness) -> WitnessFault {
        WitnessFault::Shows { line: why.item().map(|item| item + 2), why }
    }
}

impl Witness {
    /// As lines.
    pub fn text(&self) -> String {
        let (kind, lines): (Kind, Vec<String>) = match self {
            Witness::Blocks(blocks) => (Kind::Blocks, blocks.iter().map(u32::to_string).collect()),
            Witness::Pairs(pairs) => {
                let line = |one: &SidedPair| format!("[{},{},{}]", one.back, one.of, one.by);
                (Kind::Pairs, pairs.iter().map(line).collect())
            }
            Witness::Sets(sets) => {
                let line = |one: &SidedSet| {
                    let by: Vec<String> = one.by.iter().map(u32::to_string).collect();
                    format!("[{},{},[{}]]", one.back, one.of, by.join(","))
                };
                (Kind::Sets, sets.iter().map(line).collect())
            }
        };
        let items = lines.len() as u64;
        let head = Head { format: FORMAT.to_owned(), version: VERSION, kind, items };
        let mut text = serde_json::to_string(&head).unwrap_or_default() + "\n";
        lines.iter().for_each(|line| text.extend([line.as_str(), "\n"]));
        text
    }

    /// Reads lines.
    pub fn read(text: &str) -> Result<Witness, WitnessFault> {
        let mut lines = text.lines();
        let head = lines.next().and_then(|line| serde_json::from_str::<Head>(line).ok());
        let head = head.filter(|head| head.format == FORMAT && head.version == VERSION);
        let Some(Head { kind, items, .. }) = head else { return Err(WitnessFault::Head) };
        let found = text.lines().count() as u64 - 1;
        if found != items {
            return Err(WitnessFault::Count { found, expected: items });
        }
        Ok(match kind {
            Kind::Blocks => Witness::Blocks(all(lines, |block: u32| block)?),
            Kind::Pairs => Witness::Pairs(all(lines, |(back, of, by)| SidedPair { back, of, by })?),
            Kind::Sets => Witness::Sets(all(lines, |(back, of, by)| SidedSet { back, of, by })?),
        })
    }
}

fn all<'l, R: Deserialize<'l>, T>(
    lines: impl Iterator<Item = &'l str>,
    make: impl Fn(R) -> T,
) -> Result<Vec<T>, WitnessFault> {
    let mut items = Vec::new();
    for (number, line) in lines.enumerate() {
        if is_spent() {
            return Err(WitnessFault::Stopped);
        }
        let read = serde_json::from_str(line);
        items.push(make(read.map_err(|_| WitnessFault::Item { line: number + 2 })?));
    }
    Ok(items)
}

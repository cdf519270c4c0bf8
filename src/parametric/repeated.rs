//! Invariants in words, with one sentence for those that differ by an index only.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::explained::InstanceInvariant;
use super::pattern::SystemPattern;
use super::unfold::PatternInstance;
use super::values::InvariantFamily;

/// A component in a state, by names: what stands before an index, the index, what stands behind it, and the state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    before: String,
    index: Option<i64>,
    after: String,
    state: String,
}

impl Spot {
    fn of(name: &str, state: &str) -> Spot {
        let whole = || (name.to_owned(), None, String::new());
        let split = || {
            let (before, rest) = name.split_once('[')?;
            let (index, after) = rest.split_once(']')?;
            Some((before.to_owned(), Some(index.parse().ok()?), after.to_owned()))
        };
        let (before, index, after) = split().unwrap_or_else(whole);
        Spot { before, index, after, state: state.to_owned() }
    }

    /// `P[2] in eating`; relative to an index, `P[i + 2] in eating`.
    fn shown(&self, relative: bool) -> String {
        let Spot { before, index, after, state } = self;
        match index {
            None => format!("{before} in {state}"),
            Some(0) if relative => format!("{before}[i]{after} in {state}"),
            Some(index) if relative => format!("{before}[i + {index}]{after} in {state}"),
            Some(index) => format!("{before}[{index}]{after} in {state}"),
        }
    }
}

/// A set whose indices are counted from its smallest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    family: char,
    taken: usize,
    spots: Vec<Spot>,
}

/// What invariants of an instance say: `exactly one of P[i] in eating, F[i] in free, for i from 0 to 2`. Components have names.
pub fn in_words(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    invariants: &[InstanceInvariant],
    name: impl Fn(usize) -> String,
) -> Vec<String> {
    let mut shapes: BTreeMap<Shape, Vec<i64>> = BTreeMap::new();
    for one in invariants {
        let spot = |&(who, state): &(usize, _)| {
            let of = &pattern.types[instance.components[who].of];
            Spot::of(&name(who), &of.states[state].label)
        };
        let mut spots: Vec<Spot> = one.places.iter().map(spot).collect();
        let least = spots.iter().filter_map(|spot| spot.index).min().unwrap_or(0);
        spots.iter_mut().for_each(|spot| spot.index = spot.index.map(|index| index - least));
        let shape = Shape { family: one.family.letter(), taken: one.taken, spots };
        shapes.entry(shape).or_default().push(least);
    }
    let all = shapes.iter().flat_map(|(shape, indices)| {
        runs(indices)
            .into_iter()
            .map(|(from, to)| (from, said(shape, from, to)))
            .collect::<Vec<_>>()
    });
    all.sorted_by_key(|(from, _)| *from).map(|(_, words)| words).collect()
}

/// Numbers as ranges of numbers that follow each other.
fn runs(numbers: &[i64]) -> Vec<(i64, i64)> {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for &number in numbers.iter().sorted().dedup() {
        match runs.last_mut() {
            Some((_, to)) if *to + 1 == number => *to = number,
            _ => runs.push((number, number)),
        }
    }
    runs
}

/// What sets of a shape say whose smallest indices are these.
fn said(shape: &Shape, from: i64, to: i64) -> String {
    let relative = from < to;
    let place = |spot: &Spot| {
        let index = spot.index.map(|index| if relative { index } else { index + from });
        Spot { index, ..spot.clone() }.shown(relative)
    };
    let places = shape.spots.iter().map(place).join(", ");
    let family = InvariantFamily::ALL.into_iter().find(|one| one.letter() == shape.family);
    let many = match family {
        Some(InvariantFamily::One) => "exactly one of".to_owned(),
        Some(InvariantFamily::Flow) => format!("exactly {} of", shape.taken),
        Some(InvariantFamily::Siphon) => "none of".to_owned(),
        _ => "at least one of".to_owned(),
    };
    let range = if relative { format!(", for i from {from} to {to}") } else { String::new() };
    format!("{many} {places}{range}")
}

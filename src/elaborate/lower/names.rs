//! Names in properties: which variables or leaves a path fits, where members of families may be chosen by values.
//!
//! A whole path goes before the end of another. Members that a path fits are told apart by its indices alone; what else
//! tells them apart makes the name unclear.

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::base::{Id, IndexVec};

/// Why a name means nothing in a net, or more than one thing.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum UnclearName {
    /// More than one path ends like this.
    #[error("`{wanted}` could be `{one}` or `{other}`")]
    Either {
        /// The name.
        wanted: String,
        /// What it could be.
        one: String,
        /// What else it could be.
        other: String,
    },
    /// No path ends like this.
    #[error("there is no `{0}`")]
    Nothing(String),
    /// It is not known which members are counted.
    #[error("it is not known which members are counted")]
    Uncounted,
    /// A family has no such member.
    #[error("there is no `{wanted}`: the indices of `{family}` are {indices}")]
    NoMember {
        /// The name.
        wanted: String,
        /// The family.
        family: String,
        /// The indices of its members.
        indices: String,
    },
}

/// A name of a path, which may have an index.
type Step<'p> = (&'p str, Option<i64>);

/// The paths of variables, or of leaves.
#[derive(Debug)]
pub struct LeafNames<'p, I> {
    paths: IndexVec<I, Vec<Step<'p>>>,
    /// Those that end with a name.
    ends: FxHashMap<&'p str, Vec<I>>,
}

/// An index as somebody wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chosen {
    /// This number.
    Written(i64),
    /// What turned out to be this number; nothing where there can be no such member.
    Known(Option<i64>),
    /// Whatever a value says.
    Open,
}

/// What a path fits.
#[derive(Debug)]
pub(super) enum Fitting<I> {
    /// These, each with its indices.
    Members(Vec<(I, Vec<i64>)>),
    /// A family, which has no member with these indices; some other member.
    Outside(I),
}

impl<'p, I: Id> LeafNames<'p, I> {
    /// The names of all paths, in order: `left.C`, `S[2].v`.
    pub fn new(paths: impl Iterator<Item = &'p str>) -> LeafNames<'p, I> {
        let paths: IndexVec<I, Vec<Step<'p>>> = paths.map(steps).collect();
        let mut ends: FxHashMap<&'p str, Vec<I>> = FxHashMap::default();
        for (id, path) in paths.enumerated() {
            if let Some((last, _)) = path.last() {
                ends.entry(last).or_default().push(id);
            }
        }
        LeafNames { paths, ends }
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = I> + '_ {
        self.paths.enumerated().map(|(id, _)| id)
    }

    /// What a path fits.
    pub(super) fn fitting(
        &self,
        way: &[(&str, Option<Chosen>)],
    ) -> Result<Fitting<I>, UnclearName> {
        let is_written =
            |id: &I| self.chosen(*id, way, |chosen| matches!(chosen, Chosen::Written(_)));
        let written: Vec<I> = self.alike(way).into_iter().filter(is_written).collect();
        let Some(&first) = written.first() else { return Err(self.no_such(way)) };
        let behind = |id: I| &self.paths[id][..self.paths[id].len() - way.len()];
        if let Some(&other) = written.iter().find(|&&other| behind(other) != behind(first)) {
            let (one, other) = (self.show(first), self.show(other));
            return Err(UnclearName::Either { wanted: shown(way), one, other });
        }
        let is_chosen = |id: &I| self.chosen(*id, way, |_| true);
        let members: Vec<(I, Vec<i64>)> =
            written.into_iter().filter(is_chosen).map(|id| (id, self.indices(id, way))).collect();
        Ok(if members.is_empty() { Fitting::Outside(first) } else { Fitting::Members(members) })
    }

    /// Why no path fits: an index that no member has, or there is nothing at all.
    fn no_such(&self, way: &[(&str, Option<Chosen>)]) -> UnclearName {
        let wanted = shown(way);
        let missing = way.iter().enumerate().find_map(|(at, (family, chosen))| {
            let Some(Chosen::Written(number)) = chosen else { return None };
            let all = self.indices_at(way, at);
            (!all.is_empty() && !all.contains(number)).then(|| (family, listed(&all)))
        });
        match missing {
            None => UnclearName::Nothing(wanted),
            Some((family, indices)) => {
                UnclearName::NoMember { wanted, family: (*family).to_owned(), indices }
            }
        }
    }

    /// The indices that members have at a place of a path, in order.
    fn indices_at(&self, way: &[(&str, Option<Chosen>)], at: usize) -> Vec<i64> {
        let step = |id: I| self.tail(id, way).and_then(|tail| tail.get(at)?.1);
        let mut all: Vec<i64> = self.alike(way).into_iter().filter_map(step).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The families on a path, each with the indices of its members in words.
    pub(super) fn families<'w>(&self, way: &[(&'w str, Option<Chosen>)]) -> Vec<(&'w str, String)> {
        let all = way.iter().enumerate().filter(|(_, (_, chosen))| chosen.is_some());
        all.map(|(at, (name, _))| (*name, listed(&self.indices_at(way, at)))).collect()
    }

    /// The paths with these names, whatever their indices are.
    fn alike(&self, way: &[(&str, Option<Chosen>)]) -> Vec<I> {
        // A process that stands alone has no way to go.
        let Some((last, _)) = way.last() else {
            let alone = |(id, path): (I, &Vec<Step<'p>>)| path.is_empty().then_some(id);
            return self.paths.enumerated().filter_map(alone).collect();
        };
        let same = |(step, wanted): (&Step<'_>, &(&str, Option<Chosen>))| {
            step.0 == wanted.0 && step.1.is_some() == wanted.1.is_some()
        };
        let ends_so =
            |id: &I| self.tail(*id, way).is_some_and(|tail| tail.iter().zip(way).all(same));
        let all = self.ends.get(last).into_iter().flatten().copied();
        let mut all: Vec<I> = all.filter(ends_so).collect();
        if all.iter().any(|&id| self.paths[id].len() == way.len()) {
            all.retain(|&id| self.paths[id].len() == way.len());
        }
        all
    }

    /// The end of a path that is as long as the one that is looked for.
    fn tail(&self, id: I, way: &[(&str, Option<Chosen>)]) -> Option<&[Step<'p>]> {
        let path = &self.paths[id];
        path.get(path.len().checked_sub(way.len())?..)
    }

    /// Whether the indices that count are those that were chosen.
    fn chosen(
        &self,
        id: I,
        way: &[(&str, Option<Chosen>)],
        counts: impl Fn(Chosen) -> bool,
    ) -> bool {
        let tail = self.tail(id, way).unwrap_or_default();
        tail.iter().zip(way).all(|(step, wanted)| match wanted.1 {
            Some(chosen) if counts(chosen) => match chosen {
                Chosen::Written(number) => step.1 == Some(number),
                Chosen::Known(number) => number.is_some() && step.1 == number,
                Chosen::Open => true,
            },
            _ => true,
        })
    }

    /// The indices of a member, as many as the path has.
    fn indices(&self, id: I, way: &[(&str, Option<Chosen>)]) -> Vec<i64> {
        self.tail(id, way).unwrap_or_default().iter().filter_map(|step| step.1).collect()
    }

    fn show(&self, id: I) -> String {
        let names = self.paths[id].iter().map(|(name, index)| with_index(name, *index));
        names.collect::<Vec<_>>().join(".")
    }
}

/// `` `0..3` `` where these are all from the first to the last, or `0, 2 and 5`.
fn listed(indices: &[i64]) -> String {
    let (Some(low), Some(high)) = (indices.first(), indices.last()) else { return String::new() };
    let whole = high.checked_sub(*low).and_then(|count| usize::try_from(count).ok());
    match indices {
        [only] => format!("`{only}` alone"),
        _ if whole.is_some_and(|count| count + 1 == indices.len()) => {
            format!("`{low}..{}`", high.saturating_add(1))
        }
        [some @ .., last] => {
            let some: Vec<String> = some.iter().map(ToString::to_string).collect();
            format!("{} and {last}", some.join(", "))
        }
        [] => String::new(),
    }
}

/// The names of a path.
fn steps(path: &str) -> Vec<Step<'_>> {
    path.split('.').filter(|part| !part.is_empty()).map(step).collect()
}

fn step(part: &str) -> Step<'_> {
    let inside =
        part.split_once('[').and_then(|(name, rest)| Some((name, rest.strip_suffix(']')?)));
    match inside.map(|(name, index)| (name, index.parse::<i64>())) {
        Some((name, Ok(index))) => (name, Some(index)),
        _ => (part, None),
    }
}

fn with_index(name: &str, index: Option<i64>) -> String {
    index.map_or_else(|| name.to_owned(), |index| format!("{name}[{index}]"))
}

fn shown(way: &[(&str, Option<Chosen>)]) -> String {
    let names = way.iter().map(|(name, index)| match index {
        None => (*name).to_owned(),
        Some(Chosen::Written(number) | Chosen::Known(Some(number))) => format!("{name}[{number}]"),
        Some(Chosen::Known(None) | Chosen::Open) => format!("{name}[…]"),
    });
    names.collect::<Vec<_>>().join(".")
}

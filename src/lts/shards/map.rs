//! The map of shards: `map.json`.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The name of the file with the map.
pub const MAP: &str = "map.json";

const FORMAT: &str = "pnet-shards";
const VERSION: u32 = 1;

/// The name of a worker's file.
pub fn file_name(worker: u32) -> String {
    format!("shard-{worker}.txt")
}

/// A file of the model that was explored, with the hash of its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModelText {
    /// The file, as it was named.
    pub file: String,
    /// The hash that certificates use, too.
    pub hash: String,
}

/// One shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// The worker; its states are those that the lines lead to.
    pub worker: u32,
    /// The file, in the folder of the map.
    pub file: String,
    /// How many states the worker has; nothing if that is not known.
    pub states: Option<u64>,
    /// How many of them, the first ones, the system begins in.
    pub begins: u64,
    /// How many lines there are.
    pub lines: Option<u64>,
}

/// What belongs together, and how much there must be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShardMap {
    /// What this is.
    pub format: String,
    /// In which form.
    pub version: u32,
    /// The net that was explored.
    pub net: String,
    /// The files of the model.
    pub model: Vec<ModelText>,
    /// What was set, each as `NAME=VALUE`.
    pub set: Vec<String>,
    /// The values that were tried, each as `SORT=VALUES`.
    pub domains: Vec<String>,
    /// The name of the silent action.
    pub tau: String,
    /// How many states there are in all.
    pub states: u64,
    /// How many transitions.
    pub transitions: u64,
    /// How many of these lead to states that were too far away to be kept: they have no lines.
    pub beyond: u64,
    /// States without transitions that are not final.
    pub deadlocks: u64,
    /// States without transitions that are final.
    pub finals: u64,
    /// The steps to the farthest state.
    pub depth: u64,
    /// Whether everything was looked at.
    pub complete: bool,
    /// Whether values were left out.
    pub limited: bool,
    /// Why not everything was looked at.
    pub ended: Option<String>,
    /// The shards, by their workers.
    pub shards: Vec<Shard>,
}

/// Why a map is none.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum WrongMap {
    /// It is no JSON, or has not what a map has.
    #[error("it is no map of shards: {0}")]
    Json(String),
    /// It is something else.
    #[error("it is no map of shards, but `{0}`")]
    Format(String),
    /// It is of another version.
    #[error("it has version {0}, and this program reads version {VERSION}")]
    Version(u32),
    /// The shards are not those of workers 0, 1, 2 and so on.
    #[error("shard {0} is not that of worker {0}, or its file is in another folder")]
    Order(usize),
    /// It has no shards.
    #[error("it has no shards")]
    Empty,
    /// The counts of the shards do not add up.
    #[error("its shards have {shards} {what} together, and it says that there are {all}")]
    Sum {
        /// What is counted.
        what: &'static str,
        /// How many there are in the shards.
        shards: u64,
        /// How many there should be.
        all: u64,
    },
}

impl ShardMap {
    /// A map of nothing, of this form.
    pub fn new(net: &str) -> ShardMap {
        ShardMap {
            format: FORMAT.to_owned(),
            version: VERSION,
            net: net.to_owned(),
            model: Vec::new(),
            set: Vec::new(),
            domains: Vec::new(),
            tau: "tau".to_owned(),
            states: 0,
            transitions: 0,
            beyond: 0,
            deadlocks: 0,
            finals: 0,
            depth: 0,
            complete: false,
            limited: false,
            ended: None,
            shards: Vec::new(),
        }
    }

    /// Reads a map, and sees to it that what it says fits together.
    pub fn read(text: &str) -> Result<ShardMap, WrongMap> {
        let map: ShardMap =
            serde_json::from_str(text).map_err(|problem| WrongMap::Json(problem.to_string()))?;
        map.checked()
    }

    fn checked(self) -> Result<ShardMap, WrongMap> {
        if self.format != FORMAT {
            return Err(WrongMap::Format(self.format));
        }
        if self.version != VERSION {
            return Err(WrongMap::Version(self.version));
        }
        if self.shards.is_empty() {
            return Err(WrongMap::Empty);
        }
        let fits = |at: usize, shard: &Shard| {
            shard.worker as usize == at && shard.file == file_name(shard.worker)
        };
        let wrong = self.shards.iter().enumerate().position(|(at, shard)| !fits(at, shard));
        match wrong {
            Some(at) => Err(WrongMap::Order(at)),
            None => self.summed(),
        }
    }

    fn summed(self) -> Result<ShardMap, WrongMap> {
        let sum = |each: fn(&Shard) -> Option<u64>| -> Option<u64> {
            self.shards.iter().try_fold(0_u64, |sum, shard| sum.checked_add(each(shard)?))
        };
        let lines = self.transitions.saturating_sub(self.beyond);
        for (what, all, shards) in [
            ("states", self.states, sum(|shard| shard.states)),
            ("lines", lines, sum(|shard| shard.lines)),
        ] {
            if let Some(shards) = shards.filter(|&shards| shards != all) {
                return Err(WrongMap::Sum { what, shards, all });
            }
        }
        Ok(self)
    }

    /// The map as a text.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Where the states of each worker begin when all are numbered one after the other, the worker first in which the
    /// system begins; nothing unless it begins in one state, and all states are known.
    pub fn offsets(&self) -> Option<Vec<u64>> {
        let first = match self.shards.iter().map(|shard| shard.begins).sum() {
            1 => self.shards.iter().position(|shard| shard.begins == 1)?,
            _ => return None,
        };
        let (mut offsets, mut next) = (vec![0; self.shards.len()], 0_u64);
        for at in (first..self.shards.len()).chain(0..first) {
            offsets[at] = next;
            next = next.checked_add(self.shards[at].states?)?;
        }
        Some(offsets)
    }
}

#[cfg(test)]
mod tests {
    use super::{Shard, ShardMap, WrongMap, file_name};

    fn map() -> ShardMap {
        let shard = |worker, states, begins, lines| Shard {
            worker,
            file: file_name(worker),
            states: Some(states),
            begins,
            lines: Some(lines),
        };
        let shards = vec![shard(0, 3, 0, 4), shard(1, 2, 1, 1)];
        ShardMap { states: 5, transitions: 6, beyond: 1, shards, ..ShardMap::new("N") }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(ShardMap::read(&map().text()), Ok(map()));
        assert_eq!(map().offsets(), Some(vec![2, 0]));
    }

    #[test]
    fn what_does_not_fit_together_is_told() {
        let wrong = |change: fn(&mut ShardMap)| {
            let mut map = map();
            change(&mut map);
            ShardMap::read(&map.text()).unwrap_err()
        };
        assert_eq!(wrong(|map| map.format = "x".to_owned()), WrongMap::Format("x".to_owned()));
        assert_eq!(wrong(|map| map.version = 7), WrongMap::Version(7));
        assert_eq!(wrong(|map| map.shards.clear()), WrongMap::Empty);
        assert_eq!(wrong(|map| map.shards.swap(0, 1)), WrongMap::Order(0));
        assert_eq!(wrong(|map| map.shards[1].file = "../x".to_owned()), WrongMap::Order(1));
        let sum = WrongMap::Sum { what: "states", shards: 5, all: 6 };
        assert_eq!(wrong(|map| map.states = 6), sum);
        let sum = WrongMap::Sum { what: "lines", shards: 5, all: 6 };
        assert_eq!(wrong(|map| map.beyond = 0), sum);
        assert!(matches!(ShardMap::read("{"), Err(WrongMap::Json(_))));
        assert!(matches!(ShardMap::read("[]"), Err(WrongMap::Json(_))));
    }
}

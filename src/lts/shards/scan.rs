//! Going through the lines of a shard: whether each is one, and whether there are as many as the map says.

use thiserror::Error;

use super::line::ShardLine;
use super::map::ShardMap;

/// What is wrong with a shard.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum WrongShard {
    /// A line is no transition.
    #[error("line {0} is no transition, as `(0:1, \"label\", 1:2)`")]
    NoLine(u64),
    /// The last line has no end.
    #[error("line {0} is not whole: the file was cut off")]
    Cut(u64),
    /// A line leads to a state of another worker.
    #[error("line {line} leads to worker {to}, and these are the transitions to worker {worker}")]
    Elsewhere {
        /// The line.
        line: u64,
        /// Where it leads.
        to: u32,
        /// Where it should lead.
        worker: u32,
    },
    /// A line speaks of a state that there is not.
    #[error("line {line} speaks of state {worker}:{number}, which there is not")]
    NoState {
        /// The line.
        line: u64,
        /// The worker.
        worker: u32,
        /// The number.
        number: u32,
    },
    /// The counts are not those of the map.
    #[error("it has {found} {what}, and the map says {said}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: u64,
        /// How many there should be.
        said: u64,
    },
}

/// How far somebody is who goes through a shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scan {
    worker: u32,
    /// How many whole lines there were.
    pub lines: u64,
    /// How many states they lead to, or the system begins in.
    pub states: u64,
}

impl Scan {
    /// Nothing yet, of a worker's shard in which the system begins in so many states.
    pub fn new(worker: u32, begins: u64) -> Scan {
        Scan { worker, lines: 0, states: begins }
    }

    /// One more line, with its end. `map` knows how many states there are, where that is known.
    pub fn line<'t>(
        &mut self,
        line: &'t [u8],
        map: Option<&ShardMap>,
    ) -> Result<ShardLine<'t>, WrongShard> {
        let number = self.lines + 1;
        let whole = line.strip_suffix(b"\n").ok_or(WrongShard::Cut(number))?;
        let read = ShardLine::read(whole).ok_or(WrongShard::NoLine(number))?;
        if read.to.0 != self.worker {
            let (to, worker) = (read.to.0, self.worker);
            return Err(WrongShard::Elsewhere { line: number, to, worker });
        }
        for (worker, state) in map.iter().flat_map(|_| [read.from, read.to]) {
            if !map.is_some_and(|map| is_state(map, worker, state)) {
                return Err(WrongShard::NoState { line: number, worker, number: state });
            }
        }
        self.lines = number;
        self.states = self.states.max(u64::from(read.to.1) + 1);
        Ok(read)
    }

    /// Whether there were as many as the map says.
    pub fn end(&self, map: &ShardMap) -> Result<(), WrongShard> {
        let Some(shard) = map.shards.get(self.worker as usize) else { return Ok(()) };
        for (what, found, said) in
            [("lines", self.lines, shard.lines), ("states", self.states, shard.states)]
        {
            if let Some(said) = said.filter(|&said| said != found) {
                return Err(WrongShard::Count { what, found, said });
            }
        }
        Ok(())
    }
}

/// Whether there is such a state. Where a worker is gone, nobody knows how many it had.
fn is_state(map: &ShardMap, worker: u32, number: u32) -> bool {
    let known = map.shards.get(worker as usize);
    known.is_some_and(|shard| {
        !map.complete || shard.states.is_none_or(|states| u64::from(number) < states)
    })
}

#[cfg(test)]
mod tests {
    use super::super::map::{Shard, ShardMap, file_name};
    use super::{Scan, WrongShard};

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let shard = |worker, states| Shard {
            worker,
            file: file_name(worker),
            states: Some(states),
            begins: u64::from(worker == 0),
            lines: Some(2),
        };
        let shards = vec![shard(0, 2), shard(1, 1)];
        let map = ShardMap { complete: true, shards, ..ShardMap::new("N") };
        let scanned = |lines: &[&str]| {
            let mut scan = Scan::new(0, 1);
            for line in lines {
                scan.line(line.as_bytes(), Some(&map))?;
            }
            scan.end(&map)
        };
        let (one, two) = ("(1:0, \"a\", 0:1)\n", "(0:1, tau, 0:0)\n");
        assert_eq!(scanned(&[one, two]), Ok(()));
        assert_eq!(scanned(&[one, "(0:1, tau, 0:0)"]), Err(WrongShard::Cut(2)));
        assert_eq!(scanned(&[one, "(0:1, tau)\n"]), Err(WrongShard::NoLine(2)));
        let elsewhere = WrongShard::Elsewhere { line: 1, to: 1, worker: 0 };
        assert_eq!(scanned(&["(0:1, tau, 1:0)\n"]), Err(elsewhere));
        let no_state = WrongShard::NoState { line: 2, worker: 1, number: 1 };
        assert_eq!(scanned(&[one, "(1:1, tau, 0:0)\n"]), Err(no_state));
        let count = WrongShard::Count { what: "lines", found: 1, said: 2 };
        assert_eq!(scanned(&[one]), Err(count));
        let count = WrongShard::Count { what: "states", found: 1, said: 2 };
        assert_eq!(scanned(&[two, two]), Err(count));
    }
}

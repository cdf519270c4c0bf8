//! Labelled transition systems in shards, in a folder: what is in it, and whether it is whole.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::{Value, json};

use super::explore::counted;
use super::files::{in_words, read};
use super::watch::Working;
use crate::base::{Spent, Watch};
use crate::lts::shards::{MAP, Scan, Shard, ShardLine, ShardMap};

/// A folder with shards.
pub(super) struct Folder {
    path: String,
    pub map: ShardMap,
}

/// Why a folder was not gone through.
pub(super) enum NotScanned {
    /// Something is wrong with it, in words.
    Wrong(String),
    /// It was stopped.
    Stopped(Spent),
}

impl Folder {
    /// Reads the map of a folder.
    pub fn open(path: &str) -> Result<Folder, String> {
        let file = Path::new(path).join(MAP);
        let text = read(&file.to_string_lossy()).map_err(|why| {
            format!("`{path}` has no map of shards: cannot read `{}`: {why}", file.display())
        })?;
        let map = ShardMap::read(&String::from_utf8_lossy(&text))
            .map_err(|why| format!("`{}`: {why}", file.display()))?;
        Ok(Folder { path: path.to_owned(), map })
    }

    /// Goes through all lines of all shards, and sees to it that there are as many as the map says.
    pub fn go_through(
        &self,
        watch: &Working,
        mut each: impl FnMut(ShardLine<'_>) -> Result<(), String>,
    ) -> Result<(), NotScanned> {
        let mut gone_through = 0;
        for shard in &self.map.shards {
            let file = Path::new(&self.path).join(&shard.file);
            let told = |why: String| NotScanned::Wrong(format!("`{}`: {why}", file.display()));
            let open = File::open(&file).map_err(|problem| told(in_words(&problem)))?;
            let mut lines = BufReader::with_capacity(1 << 16, open);
            let mut scan = Scan::new(shard.worker, shard.begins);
            let mut line = Vec::new();
            loop {
                if let Some(spent) = watch.budget().spent() {
                    return Err(NotScanned::Stopped(spent));
                }
                line.clear();
                match lines.read_until(b'\n', &mut line) {
                    Ok(0) => break,
                    Ok(_) => {}
                    Err(problem) => return Err(told(in_words(&problem))),
                }
                let read =
                    scan.line(&line, Some(&self.map)).map_err(|why| told(why.to_string()))?;
                each(read).map_err(NotScanned::Wrong)?;
            }
            scan.end(&self.map).map_err(|why| told(why.to_string()))?;
            gone_through += scan.lines;
            watch.progress(scan.states as usize, gone_through as usize, 0);
        }
        Ok(())
    }

    /// What the map says, for a person.
    pub fn lines(&self) -> Vec<String> {
        let ShardMap { net, states, transitions, beyond, depth, deadlocks, finals, .. } = &self.map;
        let mut lines = vec![
            format!(
                "`{net}` in {} shards: {states} states, {transitions} transitions",
                self.map.shards.len()
            ),
            format!(
                "{}, {}, at most {} away",
                counted(*deadlocks, "deadlock"),
                counted(*finals, "end"),
                counted(*depth, "step")
            ),
        ];
        if *beyond > 0 {
            lines.push(format!("{beyond} transitions lead farther, and have no lines"));
        }
        let count = |count: Option<u64>| count.map_or("?".to_owned(), |count| count.to_string());
        lines.extend(self.map.shards.iter().map(|Shard { file, states, lines, .. }| {
            format!("{file}: {} lines to {} states", count(*lines), count(*states))
        }));
        lines.push(match &self.map.ended {
            Some(why) => format!("not everything was looked at: {why}"),
            None if self.map.complete => "everything was looked at".to_owned(),
            None => "not everything was looked at, and it is not said why".to_owned(),
        });
        lines
    }

    /// The same for a program.
    pub fn object(&self) -> Value {
        let mut object = serde_json::to_value(&self.map).unwrap_or_default();
        object["folder"] = json!(self.path);
        object
    }
}

//! The file of a worker: whole lines only. What could not be written as a whole is taken away again.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::cli::files::in_words;
use crate::explore::search::spread::StateId;
use crate::lts::shards;

/// So much is written at once, and a line more.
const PIECE: usize = 1 << 16;

/// A shard that is written.
pub(super) struct ShardFile {
    path: String,
    file: File,
    buffer: Vec<u8>,
    /// Lines in the buffer, and in the file.
    buffered: u64,
    pub lines: u64,
    /// How many bytes the lines in the file have.
    bytes: u64,
    /// Why nothing more can be written.
    pub problem: Option<String>,
}

impl ShardFile {
    /// An empty one in a folder.
    pub fn create(folder: &str, worker: u32) -> Result<ShardFile, String> {
        let path = Path::new(folder).join(shards::file_name(worker)).to_string_lossy().into_owned();
        let file = File::create(&path)
            .map_err(|problem| format!("cannot write `{path}`: {}", in_words(&problem)))?;
        let buffer = Vec::with_capacity(PIECE + 1024);
        Ok(ShardFile { path, file, buffer, buffered: 0, lines: 0, bytes: 0, problem: None })
    }

    /// One more line.
    pub fn line(&mut self, from: StateId, label: &str, to: StateId) {
        let pair = |state: StateId| (state.worker, state.number);
        shards::line(&mut self.buffer, pair(from), label, pair(to));
        self.buffered += 1;
        if self.buffer.len() >= PIECE {
            self.flush();
        }
    }

    /// Writes what is in the buffer. After a problem nothing more is written.
    pub fn flush(&mut self) {
        let done = match self.problem {
            None => self.file.write_all(&self.buffer),
            Some(_) => return self.buffer.clear(),
        };
        match done {
            Ok(()) => {
                self.bytes += self.buffer.len() as u64;
                self.lines += self.buffered;
            }
            Err(problem) => {
                // A part of a line may have been written.
                let _ = self.file.set_len(self.bytes);
                self.problem =
                    Some(format!("cannot write `{}`: {}", self.path, in_words(&problem)));
            }
        }
        self.buffer.clear();
        self.buffered = 0;
    }
}

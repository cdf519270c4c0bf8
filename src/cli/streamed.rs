//! Results that are written while they are made: a file has its name only when it is whole.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Result, StdoutLock, Write};

use super::files::in_words;

/// Where a long result goes.
pub(super) enum Streamed {
    /// A file: what it is called in the end, and until then.
    File { path: String, part: String, out: BufWriter<File> },
    /// Standard output.
    Out(BufWriter<StdoutLock<'static>>),
}

impl Streamed {
    /// Begins a result.
    pub fn new(path: Option<&str>) -> std::result::Result<Streamed, String> {
        match path {
            None | Some("-") => {
                Ok(Streamed::Out(BufWriter::with_capacity(1 << 16, std::io::stdout().lock())))
            }
            Some(path) => {
                let (path, part) = (path.to_owned(), part_of(path));
                let file = File::create(&part).map_err(|problem| unwritable(&path, &problem))?;
                Ok(Streamed::File { path, part, out: BufWriter::with_capacity(1 << 16, file) })
            }
        }
    }

    /// The result is whole.
    pub fn finish(self) -> std::result::Result<(), String> {
        match self {
            Streamed::Out(mut out) => {
                end_of_pipe(out.flush()).map_err(|problem| unwritten(&problem))
            }
            Streamed::File { path, part, mut out } => {
                let done = out.flush().and_then(|()| put(&part, &path));
                done.map_err(|problem| {
                    clear(&part, &path);
                    unwritable(&path, &problem)
                })
            }
        }
    }

    /// The result is not whole: nothing of it is left in a file. In words, what became of it.
    pub fn give_up(self, problem: Option<&std::io::Error>) -> Option<String> {
        match self {
            Streamed::Out(_) => match problem {
                // Whoever reads has seen enough.
                Some(problem) if problem.kind() == ErrorKind::BrokenPipe => None,
                problem => problem.map(unwritten),
            },
            Streamed::File { path, part, out } => {
                drop(out);
                clear(&part, &path);
                problem.map(|problem| unwritable(&path, problem))
            }
        }
    }
}

impl Write for Streamed {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match self {
            Streamed::File { out, .. } => out.write(bytes),
            Streamed::Out(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> Result<()> {
        match self {
            Streamed::File { out, .. } => out.flush(),
            Streamed::Out(out) => out.flush(),
        }
    }
}

/// What a file is called until it is whole. What is no file, as a device, is written as it is.
fn part_of(path: &str) -> String {
    let special = std::fs::metadata(path).is_ok_and(|known| !known.is_file());
    if special { path.to_owned() } else { format!("{path}.part") }
}

fn put(part: &str, path: &str) -> Result<()> {
    if part == path { Ok(()) } else { std::fs::rename(part, path) }
}

/// Takes away what is not whole. What is no file was there before, and stays.
fn clear(part: &str, path: &str) {
    if part != path {
        let _ = std::fs::remove_file(part);
    }
}

fn unwritable(path: &str, problem: &std::io::Error) -> String {
    format!("cannot write `{path}`: {}", in_words(problem))
}

fn unwritten(problem: &std::io::Error) -> String {
    format!("cannot write to standard output: {}", in_words(problem))
}

fn end_of_pipe(done: Result<()>) -> Result<()> {
    match done {
        Err(problem) if problem.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

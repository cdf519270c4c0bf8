//! `pnet merge`

use std::io::Write;

use super::memory::Memory;
use super::output::{Reporting, complain};
use super::shards::{Folder, NotScanned};
use super::streamed::Streamed;
use super::verify::{duration, patience};
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::lts::aut;

/// So much is written at once.
const PIECE: usize = 1 << 16;

/// Options of `pnet merge`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet explore model.pnet --workers 2 --emit shards -o m   explore by two processes\n  \
                  pnet merge m -o m.aut                                    one file of what they found\n\n\
                  The states of one worker come after those of another, and the state that the system begins in is 0.\n\
                  Exit status: 0 it was written, 3 not everything was looked at, or it was stopped, 2 the shards are\n\
                  not whole.")]
pub(super) struct Args {
    /// The folder with the shards, which `pnet explore --workers N --emit shards` wrote
    #[arg(value_name = "DIR")]
    folder: String,
    /// Where to write, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<String>,
    /// How long it may take, in seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = patience)]
    timeout: f64,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    reporting: Reporting,
}

/// Whether it was written; an error is why it cannot be.
type Merged = Result<bool, String>;

pub(super) fn run(args: &'static Args) -> u8 {
    let watch = Terminal::new(args.memory.limit());
    match watch.run(duration(args.timeout), move |working| merge(args, working)) {
        Ok(Ok(true)) => 0,
        Ok(Ok(false)) => STATUS_UNKNOWN,
        Ok(Err(why)) => {
            complain(&why);
            STATUS_ERROR
        }
        Err(left) => {
            complain(&format!("nothing was written: {}", left.told()));
            STATUS_UNKNOWN
        }
    }
}

fn merge(args: &Args, watch: &Working) -> Merged {
    let folder = Folder::open(&args.folder)?;
    if !folder.map.complete {
        let why = folder.map.ended.as_deref().unwrap_or("it is not said why");
        complain(&format!("nothing was written, since not everything was looked at: {why}"));
        return Ok(false);
    }
    let Some(offsets) = folder.map.offsets() else {
        return Err(format!(
            "`{}` can begin in several configurations, and a labelled transition system in one: fix what has no value \
             with `--set`",
            folder.map.net
        ));
    };
    let mut out = Streamed::new(args.output.as_deref())?;
    let written = write(&folder, &offsets, &mut out, watch);
    match written {
        Ok(()) => {
            out.finish()?;
            let (states, transitions) = (folder.map.states, folder.map.transitions);
            args.reporting.say(&format!("{states} states, {transitions} transitions"));
            Ok(true)
        }
        Err(NotWritten::Scan(NotScanned::Wrong(why))) => {
            out.give_up(None);
            Err(why)
        }
        Err(NotWritten::Scan(NotScanned::Stopped(spent))) => {
            out.give_up(None);
            complain(&format!("nothing was written: {spent}"));
            Ok(false)
        }
        Err(NotWritten::Output(problem)) => match out.give_up(Some(&problem)) {
            None => Ok(true),
            Some(why) => Err(why),
        },
    }
}

/// Why something was not written.
enum NotWritten {
    Scan(NotScanned),
    Output(std::io::Error),
}

fn write(
    folder: &Folder,
    offsets: &[u64],
    out: &mut Streamed,
    watch: &Working,
) -> Result<(), NotWritten> {
    let mut piece = Vec::with_capacity(PIECE + 1024);
    aut::header(&mut piece, 0, folder.map.transitions, folder.map.states);
    let (mut failed, number) =
        (None, |(worker, number): (u32, u32)| offsets[worker as usize] + u64::from(number));
    let done = folder.go_through(watch, |line| {
        aut::line(&mut piece, number(line.from), line.label, number(line.to));
        if piece.len() >= PIECE {
            let written = out.write_all(&piece);
            piece.clear();
            if let Err(problem) = written {
                failed = Some(problem);
                return Err(String::new());
            }
        }
        Ok(())
    });
    if let Some(problem) = failed {
        return Err(NotWritten::Output(problem));
    }
    done.map_err(NotWritten::Scan)?;
    out.write_all(&piece).map_err(NotWritten::Output)
}

//! `pnet info`

use serde_json::Value;

use super::output::{Format, complain, write_line};
use super::systems::{NotRead, SystemArgs, SystemRead, SystemWork, is_system, read_system};
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Watch;
use crate::diagnostics::Levels;
use crate::emit::systems as words;
use crate::lts::info;

/// Options of `pnet info`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet info m.aut               sizes, deadlocks, silent circles, labels\n  \
                  pnet info m.aut --tau i       a file of CADP, in which `i` is silent\n  \
                  pnet info m.aut --format json the same for programs, with all labels\n\n\
                  A deadlock is a state without steps. On a silent circle, silent steps can be made for ever. A system\n\
                  is deterministic if no state has a silent step, or two steps with the same label.\n\
                  Exit status: 0 all is well (warnings allowed), 3 it was stopped, 2 the file has errors.")]
pub(super) struct Args {
    /// The labelled transition system, in the Aldebaran format (.aut); `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    system: SystemArgs,
    #[command(flatten)]
    work: SystemWork,
}

pub(super) fn run(args: &'static Args) -> u8 {
    let levels = match args.work.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    if args.file != "-" && !is_system(&args.file) {
        complain(&format!("`{}` is no file with a labelled transition system (`.aut`)", args.file));
        return STATUS_ERROR;
    }
    let watch = Terminal::without_solver(args.work.memory.limit());
    match watch.run(duration(args.work.timeout), move |working| work(args, &levels, working)) {
        Ok(status) => status,
        Err(left) => {
            complain(&left.told());
            STATUS_UNKNOWN
        }
    }
}

fn work(args: &Args, levels: &Levels, watch: &Working) -> u8 {
    let reporting = (&args.work.reporting, levels);
    let SystemRead { lts, lines } = match read_system(&args.file, &args.system, reporting, watch) {
        Ok(read) => read,
        Err(NotRead::Reported) => return STATUS_ERROR,
        Err(NotRead::Stopped(why)) => {
            complain(&why.to_string());
            return STATUS_UNKNOWN;
        }
    };
    let found = info(&lts);
    if let Some(spent) = watch.budget().spent() {
        complain(&spent.to_string());
        return STATUS_UNKNOWN;
    }
    match args.work.reporting.format {
        Format::Json => {
            let mut object = words::info_object(&found, &lts, lines);
            object["file"] = Value::from(args.file.as_str());
            write_line(&object.to_string());
        }
        Format::Human => {
            words::info_lines(&found, &lts, lines).iter().for_each(|line| write_line(line));
        }
    }
    0
}

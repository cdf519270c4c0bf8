//! `pnet info`

use serde_json::Value;

use super::networks::{is_network, product_of, read_network};
use super::output::{Format, Reporting, complain, write_line};
use super::shards::{Folder, NotScanned};
use super::subject::{LIMITED, Subject, SubjectRead};
use super::systems::{NotRead, SystemArgs, SystemRead, SystemWork};
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Watch;
use crate::diagnostics::Levels;
use crate::emit::systems as words;
use crate::finite::LabelView;
use crate::lts::info;
use crate::network::Network;

/// Options of `pnet info`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet info m.aut               sizes, deadlocks, silent circles, labels\n  \
                  pnet info m.aut --tau i       a file of CADP, in which `i` is silent\n  \
                  pnet info m.aut --format json the same for programs, with all labels\n  \
                  pnet info model.pnet Ring     a net of a model with finite data\n  \
                  pnet info net.exp             a network of such files: its parts, and what its product is like\n  \
                  pnet info m                   a folder with the shards of `pnet explore --workers`: are they whole?\n\n\
                  A deadlock is a state without steps. On a silent circle, silent steps can be made for ever. A system\n\
                  is deterministic if no state has a silent step, or two steps with the same label.\n\
                  Exit status: 0 all is well (warnings allowed), 3 it was stopped, 2 the file has errors.")]
pub(super) struct Args {
    /// The labelled transition system, in the Aldebaran format (.aut), `-` for standard input; a network of them (.exp);
    /// a model; or a folder with the shards of a system
    #[arg(value_name = "FILE")]
    file: String,
    /// The net (or process) of the model, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
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
    let is_folder = std::path::Path::new(&args.file).is_dir();
    let watch = Terminal::without_solver(args.work.memory.limit());
    let looked = watch.run(duration(args.work.timeout), move |working| match is_folder {
        true => look_at_shards(args, working),
        false => work(args, &levels, working),
    });
    match looked {
        Ok(status) => status,
        Err(left) => {
            complain(&left.told());
            STATUS_UNKNOWN
        }
    }
}

/// Goes through the shards of a folder, and says what there is.
fn look_at_shards(args: &Args, watch: &Working) -> u8 {
    let folder = match Folder::open(&args.file) {
        Ok(folder) => folder,
        Err(why) => {
            complain(&why);
            return STATUS_ERROR;
        }
    };
    match folder.go_through(watch, |_| Ok(())) {
        Ok(()) => {}
        Err(NotScanned::Wrong(why)) => {
            complain(&why);
            return STATUS_ERROR;
        }
        Err(NotScanned::Stopped(spent)) => {
            complain(&spent.to_string());
            return STATUS_UNKNOWN;
        }
    }
    match args.work.reporting.format {
        Format::Json => write_line(&folder.object().to_string()),
        Format::Human => folder.lines().iter().for_each(|line| write_line(line)),
    }
    0
}

fn work(args: &Args, levels: &Levels, watch: &Working) -> u8 {
    if is_network(&args.file) {
        return network(args, (&args.work.reporting, levels), watch);
    }
    let subject = Subject::of(&args.file, args.net.as_deref());
    let with = (args.work.readying(), levels);
    match subject.read(&args.system, LabelView::All, with, watch) {
        Ok(SubjectRead { read, limited, .. }) => {
            if limited {
                args.work.reporting.say(LIMITED);
            }
            tell(args, &read, None, watch)
        }
        Err(why) => not_read(why),
    }
}

/// What a network is made of, and then its product.
fn network(args: &Args, reporting: (&Reporting, &Levels), watch: &Working) -> u8 {
    let network = match read_network(&args.file, &args.system, reporting, watch) {
        Ok(network) => network,
        Err(why) => return not_read(why),
    };
    if args.work.reporting.format == Format::Human {
        words::network_lines(&network).iter().for_each(|line| write_line(line));
    }
    match product_of(&network, &args.system, watch) {
        Ok(lts) => {
            let lines = lts.transitions() as u64;
            tell(args, &SystemRead { lts, lines }, Some(&network), watch)
        }
        Err(why) => not_read(why),
    }
}

fn not_read(why: NotRead) -> u8 {
    match why {
        NotRead::Reported => STATUS_ERROR,
        NotRead::Stopped(why) => {
            complain(&why.to_string());
            STATUS_UNKNOWN
        }
    }
}

fn tell(args: &Args, read: &SystemRead, network: Option<&Network>, watch: &Working) -> u8 {
    let SystemRead { lts, lines } = read;
    let found = info(lts);
    if let Some(spent) = watch.budget().spent() {
        complain(&spent.to_string());
        return STATUS_UNKNOWN;
    }
    match args.work.reporting.format {
        Format::Json => {
            let mut object = words::info_object(&found, lts, *lines);
            object["file"] = Value::from(args.file.as_str());
            if let Some(net) = &args.net {
                object["net"] = Value::from(net.as_str());
            }
            if let Some(network) = network {
                object["network"] = words::network_object(network);
            }
            write_line(&object.to_string());
        }
        Format::Human => {
            words::info_lines(&found, lts, *lines).iter().for_each(|line| write_line(line));
        }
    }
    0
}

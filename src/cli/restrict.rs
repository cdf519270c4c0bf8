//! `pnet restrict`

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::networks::{is_network, read_network};
use super::output::{Format, complain, write_line};
use super::systems::{NotRead, SystemArgs, SystemWork, is_system, read_system, write_system};
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Id;
use crate::diagnostics::Levels;
use crate::emit::composition as words;
use crate::lts::{LabelTable, Lts, reachable};
use crate::network::{
    Controls, Interface, Network, NetworkPart, NetworkPartId, RefinedInterface, SystemSize,
    refined_interface, restrict,
};

/// So many parts are named where none is meant.
const MOST_NAMES: usize = 20;

/// Options of `pnet restrict`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet restrict part.aut --by interface.aut -o small.aut     what is left of the part in this company\n  \
                  pnet restrict part.aut --by interface.aut --sync a,b       only `a` and `b` are done together\n  \
                  pnet restrict part.aut --by interface.aut --free c         all labels but `c`\n  \
                  pnet restrict net.exp --part 3 --by 1,2 -o small.aut       what two neighbours leave of the third part\n  \
                  pnet restrict net.exp --part server --by client --interface allowed.aut\n\n\
                  The part and the interface go together (semi-composition): a label that the interface controls, the part\n\
                  does only where the interface does it as well, and all others whenever it can. States and transitions\n\
                  of the part that never occur then are left out. Nothing else is changed: the part stays as it is.\n\n\
                  In a network, the interface is made from the neighbours and the vectors (refined interfaces). With\n\
                  what is left in its place, the network does the same, state for state; `--interface` writes the\n\
                  interface, and what is not controlled is said.\n\n\
                  Labels with commas in them: give `--sync` or `--free` once for each.\n\
                  Exit status: 0 it is restricted, 3 it was stopped or is too large, 2 a file has errors.")]
pub(super) struct Args {
    /// The part: a labelled transition system (.aut), `-` for standard input; or a network (.exp), of which `--part` is restricted
    #[arg(value_name = "FILE")]
    file: String,
    /// The interface, a labelled transition system (.aut); in a network, neighbours of the part, by names or numbers from 1 on
    #[arg(long, value_name = "BY", required = true)]
    by: Vec<String>,
    /// In a network: the part, by its name or its number from 1 on
    #[arg(long, value_name = "PART")]
    part: Option<String>,
    /// The labels that the interface controls; without this, all of them
    #[arg(long, value_name = "LABELS", conflicts_with_all = ["free", "part"])]
    sync: Vec<String>,
    /// The labels that the interface does not control
    #[arg(long, value_name = "LABELS", conflicts_with = "part")]
    free: Vec<String>,
    /// In a network: where to write the interface
    #[arg(long, value_name = "PATH", requires = "part")]
    interface: Option<String>,
    /// Where to write the result, instead of standard output; with `--format json`, figures go there
    #[arg(short, long, value_name = "PATH")]
    output: Option<String>,
    #[command(flatten)]
    system: SystemArgs,
    #[command(flatten)]
    work: SystemWork,
}

pub(super) fn run(args: &'static Args) -> u8 {
    let levels = match (args.work.reporting.levels(), misfit(args)) {
        (Ok(levels), None) => levels,
        (Err(problem), _) | (_, Some(problem)) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let watch = Terminal::new(args.work.memory.limit());
    match watch.run(duration(args.work.timeout), move |working| work(args, &levels, working)) {
        Ok(status) => status,
        Err(left) => {
            complain(&format!("nothing was written: {}", left.told()));
            STATUS_UNKNOWN
        }
    }
}

/// What does not fit together on the command line.
fn misfit(args: &Args) -> Option<String> {
    let is_file = |path: &str| is_system(path) && !is_network(path);
    match (is_network(&args.file), &args.part) {
        (true, None) => Some("which part of the network? `--part NAME`, or its number".to_owned()),
        (true, Some(_)) => None,
        (false, Some(_)) => {
            Some(format!("`--part` is for networks (`.exp`), and `{}` is none", args.file))
        }
        (false, None) if args.file != "-" && !is_file(&args.file) => {
            Some(format!("`{}` is no file with a labelled transition system (`.aut`)", args.file))
        }
        (false, None) => match &args.by[..] {
            [by] if is_file(by) => None,
            [by] => Some(format!("`{by}` is no file with a labelled transition system (`.aut`)")),
            _ => Some("`--by` has one interface; neighbours are for networks (`.exp`)".to_owned()),
        },
    }
}

/// Why there is no result.
enum Failed {
    /// It has been reported.
    Reported,
    /// The question makes no sense.
    Asked(String),
    /// It was stopped, or is too large.
    Stopped(String),
}

impl From<NotRead> for Failed {
    fn from(why: NotRead) -> Failed {
        match why {
            NotRead::Reported => Failed::Reported,
            NotRead::Stopped(why) => Failed::Stopped(why.to_string()),
        }
    }
}

/// A part that was restricted.
struct Done {
    before: SystemSize,
    left: Lts,
    interface: SystemSize,
    /// How the interface was made, for people and for programs.
    told: Vec<String>,
    object: Value,
}

fn work(args: &Args, levels: &Levels, watch: &Working) -> u8 {
    let started = std::time::Instant::now();
    let done = match &args.part {
        Some(part) => of_network(args, part, levels, watch),
        None => of_system(args, levels, watch),
    };
    let done = done.and_then(|done| {
        let as_json = args.work.reporting.format == Format::Json;
        if !as_json || args.output.is_some() {
            write(args.output.as_deref(), args, &done.left, watch)?;
        }
        Ok(done)
    });
    match done {
        Ok(done) => {
            tell(args, &done, started.elapsed().as_secs_f64());
            0
        }
        Err(Failed::Reported) => STATUS_ERROR,
        Err(Failed::Asked(problem)) => {
            complain(&problem);
            STATUS_ERROR
        }
        Err(Failed::Stopped(why)) => {
            complain(&format!("nothing was written: {why}"));
            STATUS_UNKNOWN
        }
    }
}

fn write(path: Option<&str>, args: &Args, lts: &Lts, watch: &Working) -> Result<(), Failed> {
    match write_system(path, args.system.silent(), lts, watch) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failed::Stopped("stopped".to_owned())),
        Err(problem) => Err(Failed::Asked(problem)),
    }
}

/// A file is restricted by another one.
fn of_system(args: &Args, levels: &Levels, watch: &Working) -> Result<Done, Failed> {
    let reporting = (&args.work.reporting, levels);
    let part = read_system(&args.file, &args.system, reporting, watch)?.lts;
    let mut interface = None;
    for by in &args.by {
        interface = Some(read_system(by, &args.system, reporting, watch)?.lts);
    }
    let Some(lts) = interface else { return Err(Failed::Reported) };
    let tables = [part.labels(), lts.labels()];
    let controls = match args.sync.is_empty() {
        true => Controls::AllBut(labels(&args.free, tables)?),
        false => Controls::Only(labels(&args.sync, tables)?),
    };
    let interface = Interface { lts, controls, foreseen: None };
    let left = restricted(&part, &interface, args, watch)?;
    Ok(Done {
        before: SystemSize::of(&part),
        left,
        interface: SystemSize::of(&interface.lts),
        told: vec![words::controls_line(&interface.controls)],
        object: json!({ "by": args.by, "controls": words::controls_object(&interface.controls) }),
    })
}

fn restricted(
    mut part: &Lts,
    interface: &Interface,
    args: &Args,
    watch: &Working,
) -> Result<Lts, Failed> {
    match restrict(&mut part, interface, args.system.product_limits(), watch) {
        Ok(left) => Ok(reachable(&left.lts)),
        Err(why) => Err(Failed::Stopped(why.to_string())),
    }
}

/// Labels as they are given: each by itself, or several with commas between them.
fn labels(given: &[String], tables: [&LabelTable; 2]) -> Result<BTreeSet<String>, Failed> {
    let known = |text: &str| tables.iter().find_map(|table| table.get(text));
    let mut all = BTreeSet::new();
    for text in given {
        let pieces: Vec<&str> = match known(text) {
            Some(_) => vec![text],
            None => text.split(',').map(str::trim).collect(),
        };
        for one in pieces {
            match known(one) {
                None => {
                    let problem = format!("`{one}` is no label of the part, nor of the interface");
                    return Err(Failed::Asked(problem));
                }
                Some(label) if label.is_silent() => {
                    let problem = format!("`{one}` is the silent action, which nobody controls");
                    return Err(Failed::Asked(problem));
                }
                Some(_) => {
                    all.insert(one.to_owned());
                }
            }
        }
    }
    Ok(all)
}

/// A part of a network is restricted by its neighbours.
fn of_network(args: &Args, part: &str, levels: &Levels, watch: &Working) -> Result<Done, Failed> {
    let network = read_network(&args.file, &args.system, (&args.work.reporting, levels), watch)?;
    let part = part_of(&network, part)?;
    let by = args.by.iter().flat_map(|texts| texts.split(','));
    let by = by.map(|text| part_of(&network, text.trim())).collect::<Result<Vec<_>, _>>()?;
    if by.contains(&part) {
        return Err(Failed::Asked("a part is no neighbour of its own".to_owned()));
    }
    let made = refined_interface(&network, part, &by, args.system.product_limits(), watch);
    let made: RefinedInterface = made.map_err(|why| Failed::Stopped(why.to_string()))?;
    let left = restricted(&network.parts[part].lts, &made.interface, args, watch)?;
    if let Some(path) = &args.interface {
        write(Some(path), args, &made.interface.lts, watch)?;
    }
    let mut object = words::interface_object(&made);
    object["part"] = json!(network.parts[part].name);
    Ok(Done {
        before: SystemSize::of(&network.parts[part].lts),
        left,
        interface: made.size,
        told: words::interface_lines(&made),
        object: json!({ "by": object }),
    })
}

/// A part by its name, or by its number.
fn part_of(network: &Network, text: &str) -> Result<NetworkPartId, Failed> {
    let called: Vec<NetworkPartId> =
        network.parts.ids().filter(|id| network.parts[*id].name == text).collect();
    let number = text.parse::<usize>().ok().filter(|at| (1..=network.parts.len()).contains(at));
    match (&called[..], number) {
        ([one], _) => Ok(*one),
        ([], Some(at)) => Ok(NetworkPartId::at(at - 1)),
        ([], None) => {
            let name = |(id, part): (NetworkPartId, &NetworkPart)| {
                format!("{} `{}`", id.index() + 1, part.name)
            };
            let mut names: Vec<String> =
                network.parts.enumerated().take(MOST_NAMES).map(name).collect();
            let more = network.parts.len().saturating_sub(MOST_NAMES);
            if more > 0 {
                names.push(format!("and {more} more"));
            }
            Err(Failed::Asked(format!("there is no part `{text}`, but {}", names.join(", "))))
        }
        _ => Err(Failed::Asked(format!("several parts are called `{text}`: give a number"))),
    }
}

fn tell(args: &Args, done: &Done, seconds: f64) {
    let after = SystemSize::of(&done.left);
    match args.work.reporting.format {
        Format::Json => {
            let mut object = words::restricted_object(done.before, after, done.interface);
            object["file"] = json!(args.file);
            object["seconds"] = json!((seconds * 1e6).round() / 1e6);
            if let (Some(all), Some(more)) = (object.as_object_mut(), done.object.as_object()) {
                all.extend(more.clone());
            }
            write_line(&object.to_string());
        }
        Format::Human => {
            done.told.iter().for_each(|line| args.work.reporting.say(line));
            let line = words::restricted_line(done.before, after, done.interface);
            args.work.reporting.say(&line);
        }
    }
}

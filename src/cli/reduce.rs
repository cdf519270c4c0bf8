//! `pnet reduce`

use serde_json::json;

use super::by_parts::{self, by_parts};
use super::networks::{is_network, read_network};
use super::output::{Format, complain, write_line};
use super::subject::{LIMITED, Subject, SubjectRead};
use super::systems::{NotRead, RelationArgs, SystemArgs, SystemWork, is_system, write_system};
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::compose::ComposedSystem;
use crate::diagnostics::Levels;
use crate::emit::composition as steps;
use crate::emit::systems as words;
use crate::finite::LabelView;
use crate::lts::{Equivalence, Lts, NotReduced, reduce};
use crate::network::{ComposeLimits, compose};

/// Options of `pnet reduce`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet reduce m.aut --branching -o small.aut   silent steps that change nothing do not count\n  \
                  pnet reduce m.aut --strong                   step by step, to standard output\n  \
                  pnet reduce m.aut --weak --tau i             a file of CADP, in which `i` is silent\n  \
                  pnet reduce model.pnet Ring --branching      a net of a model with finite data\n  \
                  pnet reduce net.exp --branching -o net.aut   the product of a network, reduced\n  \
                  pnet reduce net.exp --branching --smart      the same, put together part by part\n  \
                  pnet reduce model.pnet Ring --branching --smart   the net is put together part by part\n  \
                  pnet explore model.pnet --emit aut | pnet reduce - --weak-trace\n\n\
                  Which relation? From fine to coarse: `--strong` keeps everything. `--dpbranching` keeps deadlocks,\n\
                  and all that can be said without counting silent steps; `--branching` forgets silent steps for\n\
                  ever. `--weak` keeps what `--branching` keeps but for choices that silent steps take away one by one.\n\
                  `--safety` and `--weak-trace` keep only what can happen, and not what must or what is refused;\n\
                  `--trace` counts silent steps.\n\n\
                  The result is checked once more before it is written: its blocks are stable. States that cannot be\n\
                  reached are left out, and the others numbered as they are reached, from 0 on.\n\
                  Exit status: 0 it is reduced, 3 it was stopped or is too large, 2 the file has errors.")]
#[command(group = clap::ArgGroup::new("relation").required(true).args(
    ["strong", "branching", "dpbranching", "weak", "trace", "weak_trace", "safety"]))]
pub(super) struct Args {
    /// The labelled transition system, in the Aldebaran format (.aut), `-` for standard input; a network of them (.exp),
    /// whose product is made; or a model
    #[arg(value_name = "FILE")]
    file: String,
    /// The net (or process) of the model, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
    #[command(flatten)]
    relation: RelationArgs,
    /// A network (.exp), or a net of a model, is put together part by part, each reduced, and restricted by what its
    /// neighbours allow
    #[arg(long)]
    smart: bool,
    /// Where to write the result, instead of standard output; with `--format json`, figures go there
    #[arg(short, long, value_name = "PATH")]
    output: Option<String>,
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
    let Some(by) = args.relation.equivalence() else { return STATUS_ERROR };
    let is_one = args.file == "-" || is_system(&args.file) && !is_network(&args.file);
    if args.smart && is_one && args.net.is_none() {
        complain(
            "`--smart` is for networks (`.exp`) and nets of models: one system has no parts to put together",
        );
        return STATUS_ERROR;
    }
    let watch = Terminal::without_solver(args.work.memory.limit());
    let done =
        watch.run(duration(args.work.timeout), move |working| work(args, by, &levels, working));
    match done {
        Ok(status) => status,
        Err(left) => {
            complain(&format!("nothing was written: {}", left.told()));
            STATUS_UNKNOWN
        }
    }
}

/// How large a system is.
struct Size {
    states: usize,
    transitions: usize,
    told: String,
}

impl Size {
    fn of(lts: &Lts) -> Size {
        Size { states: lts.states(), transitions: lts.transitions(), told: words::size(lts) }
    }
}

fn work(args: &Args, by: Equivalence, levels: &Levels, watch: &Working) -> u8 {
    let started = std::time::Instant::now();
    if args.smart {
        return match is_network(&args.file) && args.net.is_none() {
            true => smart(args, by, levels, watch),
            false => smart_net(args, by, watch),
        };
    }
    let subject = Subject::of(&args.file, args.net.as_deref());
    let with = (args.work.readying(), levels);
    let lts = match subject.read(&args.system, LabelView::hiding(by.hides()), with, watch) {
        Ok(SubjectRead { read, limited, .. }) => {
            if limited {
                args.work.reporting.say(LIMITED);
            }
            read.lts
        }
        Err(NotRead::Reported) => return STATUS_ERROR,
        Err(NotRead::Stopped(why)) => return stopped(why),
    };
    let before = Size::of(&lts);
    let small = match reduce(lts, by, args.system.limits(), watch) {
        Ok(small) => small,
        Err(why) => return stopped(why),
    };
    let after = Size::of(&small);
    let seconds = started.elapsed().as_secs_f64();
    if let Err(status) = write(args, &small, watch) {
        return status;
    }
    tell(args, by, &before, &after, seconds);
    0
}

/// Writes the result, if it is wanted; or the status to end with.
fn write(args: &Args, small: &Lts, watch: &Working) -> Result<(), u8> {
    if args.work.reporting.format == Format::Json && args.output.is_none() {
        return Ok(());
    }
    match write_system(args.output.as_deref(), args.system.silent(), small, watch) {
        Ok(true) => Ok(()),
        Ok(false) => Err(stopped(NotReduced::Spent(crate::base::Spent::Interrupted))),
        Err(problem) => {
            complain(&problem);
            Err(STATUS_ERROR)
        }
    }
}

/// A network is put together part by part.
fn smart(args: &Args, by: Equivalence, levels: &Levels, watch: &Working) -> u8 {
    let started = std::time::Instant::now();
    let reporting = (&args.work.reporting, levels);
    let network = match read_network(&args.file, &args.system, reporting, watch) {
        Ok(network) => network,
        Err(NotRead::Reported) => return STATUS_ERROR,
        Err(NotRead::Stopped(why)) => return stopped(why),
    };
    let most_states = args.system.product_limits().most_states;
    let limits = ComposeLimits { most_states, ..ComposeLimits::default() };
    let done = match compose(&network, by, limits, watch) {
        Ok(done) => done,
        Err(failed) => {
            let lines = steps::not_composed_lines(&failed);
            lines.iter().for_each(|line| args.work.reporting.say(line));
            complain(&format!("nothing was written: {}", failed.why));
            return STATUS_UNKNOWN;
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    if let Err(status) = write(args, &done.lts, watch) {
        return status;
    }
    match args.work.reporting.format {
        Format::Json => write_line(
            &json!({
                "file": args.file,
                "relation": words::equivalence(by),
                "after": { "states": done.lts.states(), "transitions": done.lts.transitions() },
                "composition": steps::report_object(&done.report),
                "seconds": (seconds * 1e6).round() / 1e6,
            })
            .to_string(),
        ),
        Format::Human => {
            let lines = steps::report_lines(&done.report);
            lines.iter().for_each(|line| args.work.reporting.say(line));
        }
    }
    0
}

/// A net of a model is put together part by part.
fn smart_net(args: &Args, by: Equivalence, watch: &Working) -> u8 {
    let started = std::time::Instant::now();
    let asked = (args.file.as_str(), args.net.as_deref());
    let ComposedSystem { lts, report } = match by_parts(asked, by, args.work.readying(), watch) {
        Ok(made) => made,
        Err(status) => return status,
    };
    let seconds = started.elapsed().as_secs_f64();
    if let Err(status) = write(args, &lts, watch) {
        return status;
    }
    match args.work.reporting.format {
        Format::Json => write_line(
            &json!({
                "file": args.file,
                "net": args.net,
                "relation": words::equivalence(by),
                "after": { "states": lts.states(), "transitions": lts.transitions() },
                "by_parts": report,
                "seconds": (seconds * 1e6).round() / 1e6,
            })
            .to_string(),
        ),
        Format::Human => by_parts::tell(&report, &args.work.reporting),
    }
    0
}

fn stopped(why: NotReduced) -> u8 {
    complain(&format!("nothing was written: {why}"));
    STATUS_UNKNOWN
}

fn tell(args: &Args, by: Equivalence, before: &Size, after: &Size, seconds: f64) {
    match args.work.reporting.format {
        Format::Json => write_line(
            &json!({
                "file": args.file,
                "net": args.net,
                "relation": words::equivalence(by),
                "before": { "states": before.states, "transitions": before.transitions },
                "after": { "states": after.states, "transitions": after.transitions },
                "seconds": (seconds * 1e6).round() / 1e6,
            })
            .to_string(),
        ),
        Format::Human => args.work.reporting.say(&format!(
            "{} reduced to {} ({})",
            before.told,
            after.told,
            words::equivalence(by)
        )),
    }
}

//! `pnet reduce`

use std::sync::Arc;

use serde_json::json;

use super::by_parts::{self, Making, by_parts};
use super::exp::write_left;
use super::keeping::keep_interfaces;
use super::networks::{is_network, read_network};
use super::output::{Format, complain, write_line, write_result};
use super::simulating::Readying;
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
use crate::lts::{Equivalence, Lts, NotReduced, reduce, told_apart};
use crate::network::{ComposeLimits, Network, RefinedInterface, compose};

/// Options of `pnet reduce`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet reduce m.aut --branching -o small.aut   silent steps that change nothing do not count\n  \
                  pnet reduce m.aut --strong                   step by step, to standard output\n  \
                  pnet reduce m.aut --weak --tau i             a file of CADP, in which `i` is silent\n  \
                  pnet reduce m.aut --branching --coarsest     the same, and see that no smaller one is\n  \
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
                  The result is checked once more before it is written: its blocks are stable; with `--coarsest`, no two of\n\
                  them could be one. States that cannot be\n\
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
    /// With `--smart`, the folder into which the interfaces are written that parts were restricted by
    #[arg(long, value_name = "DIR", requires = "smart")]
    keep: Option<String>,
    /// See to it that the result is the smallest one: a formula for any two states, evaluated in all of them; not for `--safety`
    #[arg(long, conflicts_with = "safety")]
    coarsest: bool,
    /// Where to write these formulas, a line of JSON for each
    #[arg(long, value_name = "PATH", requires = "coarsest")]
    formulas: Option<String>,
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
    let apart = match finish(args, by, &small, watch) {
        Ok(apart) => apart,
        Err(status) => return status,
    };
    tell(args, by, (&before, &after), apart, seconds);
    0
}

/// Sees to it that the result is the smallest one, if that is wanted, and writes it: how many formulas tell its states apart,
/// or the status to end with.
fn finish(args: &Args, by: Equivalence, small: &Lts, watch: &Working) -> Result<Option<usize>, u8> {
    let apart = if args.coarsest { coarsest(args, by, small, watch)? } else { None };
    write(args, small, watch)?;
    Ok(apart)
}

/// Tells any two states of the result apart, and writes the formulas, if that is wanted.
fn coarsest(
    args: &Args,
    by: Equivalence,
    small: &Lts,
    watch: &Working,
) -> Result<Option<usize>, u8> {
    let apart = match told_apart(small, by, watch) {
        Ok(apart) => apart,
        Err(why) => return Err(stopped(why)),
    };
    let Some(apart) = apart else { return Ok(None) };
    if let Some((one, other)) = apart.alike {
        complain(&format!(
            "nothing was written: no formula tells the states {} and {} of the result apart, which is a mistake in pnet; please report it",
            one.0, other.0
        ));
        return Err(STATUS_ERROR);
    }
    if let Some(path) = &args.formulas {
        let text = words::formula_lines(&apart, small.labels());
        write_result(&text, Some(path)).map_err(|problem| {
            complain(&problem);
            STATUS_ERROR
        })?;
    }
    let told = words::told_apart(&apart, small.states());
    if args.work.reporting.format == Format::Human {
        args.work.reporting.say(&told);
    }
    Ok(Some(apart.splits.len()))
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
            complain(&format!("there is no result: {}", failed.why));
            keep(args, by, &failed.network);
            if args.work.reporting.format == Format::Json {
                let mut object = steps::not_composed_object(&failed);
                object["file"] = args.file.as_str().into();
                object["reason"] = failed.why.to_string().into();
                write_line(&object.to_string());
            }
            return STATUS_UNKNOWN;
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    if let Err(status) = keep_all(args, &steps::interfaces(&done.report), watch) {
        return status;
    }
    let apart = match finish(args, by, &done.lts, watch) {
        Ok(apart) => apart,
        Err(status) => return status,
    };
    match args.work.reporting.format {
        Format::Json => write_line(
            &json!({
                "file": args.file,
                "relation": words::equivalence(by),
                "after": { "states": done.lts.states(), "transitions": done.lts.transitions() },
                "composition": steps::report_object(&done.report),
                "coarsest": apart,
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

/// Writes what is left of a network that was too large to be put together, and says how to go on.
fn keep(args: &Args, by: Equivalence, left: &Network) {
    let reporting = &args.work.reporting;
    let Some(output) = args.output.as_deref().filter(|output| *output != "-") else {
        return reporting.say("`-o FILE` writes what is left, as a network to go on with");
    };
    let silent = args.system.silent();
    match write_left(left, (output, silent)) {
        Ok(path) => {
            let tau = if silent == "tau" { String::new() } else { format!(" --tau {silent}") };
            reporting.say(&format!(
                "what is left, equivalent so far, is in `{path}` and the files beside it; go on with `pnet reduce {path} --{} --smart{tau}` and a higher limit, or hide labels in it first",
                words::equivalence(by)
            ));
        }
        Err(problem) => complain(&problem),
    }
}

/// Writes what parts were restricted by, if that is wanted; or the status to end with.
fn keep_all(
    args: &Args,
    interfaces: &[(String, Arc<RefinedInterface>)],
    watch: &Working,
) -> Result<(), u8> {
    let Some(folder) = &args.keep else { return Ok(()) };
    keep_interfaces((folder, args.system.silent()), interfaces, watch).map_err(|problem| {
        complain(&problem);
        STATUS_ERROR
    })
}

/// A net of a model is put together part by part.
fn smart_net(args: &Args, by: Equivalence, watch: &Working) -> u8 {
    let started = std::time::Instant::now();
    let asked = (args.file.as_str(), args.net.as_deref());
    let left = |network: &Network| keep(args, by, network);
    let making = Making { by, most_states: args.system.most_states(), keep: &left };
    let readying = Readying { unfolding: true, ..args.work.readying() };
    let made = by_parts(asked, &making, readying, watch);
    let ComposedSystem { lts, report, interfaces, .. } = match made {
        Ok(made) => made,
        Err(status) => return status,
    };
    if let Err(status) = keep_all(args, &interfaces, watch) {
        return status;
    }
    let seconds = started.elapsed().as_secs_f64();
    let apart = match finish(args, by, &lts, watch) {
        Ok(apart) => apart,
        Err(status) => return status,
    };
    match args.work.reporting.format {
        Format::Json => write_line(
            &json!({
                "file": args.file,
                "net": args.net,
                "relation": words::equivalence(by),
                "after": { "states": lts.states(), "transitions": lts.transitions() },
                "by_parts": report,
                "coarsest": apart,
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

fn tell(
    args: &Args,
    by: Equivalence,
    (before, after): (&Size, &Size),
    apart: Option<usize>,
    seconds: f64,
) {
    match args.work.reporting.format {
        Format::Json => write_line(
            &json!({
                "file": args.file,
                "net": args.net,
                "relation": words::equivalence(by),
                "before": { "states": before.states, "transitions": before.transitions },
                "after": { "states": after.states, "transitions": after.transitions },
                "coarsest": apart,
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

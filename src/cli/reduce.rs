//! `pnet reduce`

use std::io::Write;
use std::ops::ControlFlow;

use serde_json::json;

use super::output::{Format, complain, write_line};
use super::streamed::Streamed;
use super::subject::{LIMITED, Subject, SubjectRead};
use super::systems::{NotRead, RelationArgs, SystemArgs, SystemWork};
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Watch;
use crate::diagnostics::Levels;
use crate::emit::systems as words;
use crate::finite::LabelView;
use crate::lts::{Equivalence, Lts, NotReduced, aut, reduce};

/// Options of `pnet reduce`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet reduce m.aut --branching -o small.aut   silent steps that change nothing do not count\n  \
                  pnet reduce m.aut --strong                   step by step, to standard output\n  \
                  pnet reduce m.aut --weak --tau i             a file of CADP, in which `i` is silent\n  \
                  pnet reduce model.pnet Ring --branching      a net of a model with finite data\n  \
                  pnet reduce net.exp --branching -o net.aut   the product of a network, reduced\n  \
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
    let watch = Terminal::new(args.work.memory.limit());
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
    let as_json = args.work.reporting.format == Format::Json;
    if !as_json || args.output.is_some() {
        match written(args, &small, watch) {
            Ok(true) => {}
            Ok(false) => return stopped(NotReduced::Spent(crate::base::Spent::Interrupted)),
            Err(problem) => {
                complain(&problem);
                return STATUS_ERROR;
            }
        }
    }
    tell(args, by, &before, &after, seconds);
    0
}

fn stopped(why: NotReduced) -> u8 {
    complain(&format!("nothing was written: {why}"));
    STATUS_UNKNOWN
}

/// Writes a system; whether it came to its end.
fn written(args: &Args, small: &Lts, watch: &Working) -> Result<bool, String> {
    let mut out = Streamed::new(args.output.as_deref())?;
    let (mut done, budget) = (Ok(()), watch.budget());
    let ended = aut::write(small, args.system.silent(), |piece| {
        done = out.write_all(piece);
        if done.is_ok() && !budget.is_spent() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    match (done, ended) {
        (Err(problem), _) => out.give_up(Some(&problem)).map_or(Ok(true), Err),
        (Ok(()), ControlFlow::Break(())) => {
            out.give_up(None);
            Ok(false)
        }
        (Ok(()), ControlFlow::Continue(())) => out.finish().map(|()| true),
    }
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

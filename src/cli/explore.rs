//! `pnet explore`

use std::io::Write;
use std::ops::ControlFlow;

use clap::ValueEnum;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::exploring::Exploring;
use super::output::{Format, complain, write_line};
use super::simulating::{Besides, Ready, Simulating};
use super::streamed::Streamed;
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::emit::{aut, outcome as words};
use crate::explore::compiled::Compiled;
use crate::explore::search::{
    Counts, DepthSearched, Ended, Goal, Numbering, Searched, each_line, search, search_deep,
};
use crate::explore::{Gap, Machine};
use crate::lts;
use crate::outcome::{Covered, NeverSeen};
use crate::simulate::{Teller, TextsUsed, used};

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The configurations and the steps between them as a labelled transition system, in the Aldebaran format
    Aut,
}

/// Options of `pnet explore`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet explore model.pnet                       how much is there, and what is never used?\n  \
                  pnet explore model.pnet 'Ring<5>'             an instance, as in a `check` item\n  \
                  pnet explore model.pnet --set N=4             with a constant fixed\n  \
                  pnet explore model.pnet --domain Int=0..3     where anything may come from outside\n  \
                  pnet explore model.pnet --emit aut -o m.aut   as a labelled transition system\n  \
                  pnet explore model.pnet --most-states 1000000 not more than a million\n\n\
                  Every configuration that can be reached is looked at once. Where not all values can be tried,\n\
                  `--domain` says which are.\n\
                  Exit status: 0 everything was looked at, 3 a limit was met, 2 the model has errors.")]
pub(super) struct Args {
    /// The model; `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The net (or process) to explore, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// What to write, instead of figures
    #[arg(long, value_enum, conflicts_with = "depth_first")]
    emit: Option<Emit>,
    /// Where to write, instead of standard output
    #[arg(short, long, value_name = "PATH", requires = "emit")]
    output: Option<String>,
    /// What the silent action is called in a labelled transition system: `tau`, or `i` for CADP
    #[arg(long, value_name = "NAME", default_value = "tau")]
    tau: String,
    #[command(flatten)]
    exploring: Exploring,
    #[command(flatten)]
    simulating: Simulating,
}

/// Whether all was looked at; an error without words has been reported.
type Explored = Result<bool, Option<String>>;

pub(super) fn run(args: &'static Args) -> u8 {
    let watch = Terminal::new(args.simulating.memory.limit());
    match watch.run(duration(args.simulating.timeout), move |working| explore(args, working)) {
        Ok(Ok(true)) => 0,
        Ok(Ok(false)) => STATUS_UNKNOWN,
        Ok(Err(problem)) => {
            problem.iter().for_each(|problem| complain(problem));
            STATUS_ERROR
        }
        Err(left) => {
            complain(&format!("nothing was written: {}", left.told()));
            STATUS_UNKNOWN
        }
    }
}

fn explore(args: &Args, watch: &Working) -> Explored {
    let ready = args.simulating.ready((&args.file, args.net.as_deref()), &Besides::default())?;
    match explore_net(args, &ready, watch) {
        Ok(explored) => explored,
        Err(gap) => Err(Some(format!("`{}` cannot be explored: {gap}", ready.name))),
    }
}

fn explore_net(args: &Args, ready: &Ready, watch: &Working) -> Result<Explored, Gap> {
    let machine = Compiled::new(&ready.net, &ready.domains);
    let limits = args.exploring.limits(args.simulating.threads());
    let started = std::time::Instant::now();
    if args.exploring.is_deep() {
        let DepthSearched { counts, ended, limited, sights, .. } =
            search_deep(&machine, Goal::Everything, &limits, watch)?;
        let seen = SeenInAll { counts, ended, limited, gap: sights.gap.map(|(_, gap)| gap) };
        let seconds = started.elapsed().as_secs_f64();
        let told = Told { args, ready, machine: &machine, seen, seconds };
        return Ok(told.nothing().map_or_else(|| Ok(told.figures()), |why| Err(Some(why))));
    }
    let searched = search(&machine, Goal::Everything, &limits, watch)?;
    let Searched { counts, ended, limited, sights, .. } = &searched;
    let gap = sights.gap.as_ref().map(|(_, gap)| gap.clone());
    let seen = SeenInAll { counts: *counts, ended: *ended, limited: *limited, gap };
    let seconds = started.elapsed().as_secs_f64();
    let told = Told { args, ready, machine: &machine, seen, seconds };
    if let Some(why) = told.nothing() {
        return Ok(Err(Some(why)));
    }
    Ok(match args.emit {
        None => Ok(told.figures()),
        Some(Emit::Aut) => told.aut(&searched),
    })
}

/// What was seen in all.
struct SeenInAll {
    counts: Counts,
    ended: Ended,
    limited: bool,
    gap: Option<Gap>,
}

/// What is told of an exploration.
struct Told<'t> {
    args: &'t Args,
    ready: &'t Ready,
    machine: &'t Compiled<'t>,
    seen: SeenInAll,
    seconds: f64,
}

impl Told<'_> {
    /// Whether everything was looked at.
    fn is_complete(&self) -> bool {
        self.seen.ended == Ended::Complete && self.seen.gap.is_none()
    }

    /// Why there is nothing to look at, if there is not.
    fn nothing(&self) -> Option<String> {
        let none = self.seen.counts.states == 0 && self.is_complete();
        none.then(|| match self.seen.limited {
            true => format!(
                "`{}` has no configuration with the values of `--domain`: none of them is allowed where it begins; try others",
                self.ready.name
            ),
            false => format!(
                "`{}` has no configuration: the axioms allow no values where it begins",
                self.ready.name
            ),
        })
    }

    /// The figures, for a person or a program; whether everything was looked at.
    fn figures(&self) -> bool {
        let complete = self.is_complete();
        match self.args.simulating.reporting.format {
            Format::Json => write_line(&self.object(complete).to_string()),
            Format::Human => self.lines(complete).iter().for_each(|line| write_line(line)),
        }
        complete
    }

    fn object(&self, complete: bool) -> serde_json::Value {
        let (counts, unused) = (self.seen.counts, self.unused());
        json!({
            "net": self.ready.name,
            "states": counts.states,
            "transitions": counts.transitions,
            "deadlocks": counts.deadlocks,
            "finals": counts.finals,
            "depth": counts.depth,
            "complete": complete,
            "limited": self.seen.limited,
            "ended": self.ended(),
            "never": {
                "vectors": never(&unused.vectors),
                "transitions": never(&unused.transitions),
                "states": never(&unused.states),
            },
            "bytes": counts.bytes,
            "seconds": (self.seconds * 1e6).round() / 1e6,
        })
    }

    /// Why it ended before everything was looked at.
    fn ended(&self) -> Option<String> {
        let gap = self.seen.gap.as_ref();
        match self.seen.ended {
            Ended::Complete | Ended::Found => gap.map(Gap::to_string),
            Ended::States => Some("`--most-states` allows no more".to_owned()),
            Ended::Depth => Some("`--depth` allows no more".to_owned()),
            Ended::Spent(spent) => Some(spent.to_string()),
        }
    }

    fn lines(&self, complete: bool) -> Vec<String> {
        let Counts { states, transitions, deadlocks, finals, depth, bytes } = self.seen.counts;
        let so_far = if complete { "" } else { " so far" };
        let mut lines = vec![format!(
            "{}: {}, {}{so_far}, at most {} away",
            self.ready.name,
            counted(states, "configuration"),
            counted(transitions, "step"),
            counted(depth, "step")
        )];
        if deadlocks > 0 {
            lines.push(format!(
                "{} (`check deadlock_free({});` shows how to get there)",
                counted(deadlocks, "deadlock"),
                self.ready.name
            ));
        }
        if finals > 0 {
            lines.push(format!("{} in which all components are final", counted(finals, "end")));
        }
        lines.extend(self.never());
        if self.seen.limited {
            lines.push(LIMITED.to_owned());
        }
        if let Some(why) = self.ended() {
            lines.push(format!("not everything was looked at: {why}"));
        }
        let rate = states as f64 / self.seconds.max(1e-6);
        lines.push(format!(
            "{:.2} s, {rate:.0} configurations a second, {:.1} bytes each",
            self.seconds,
            bytes as f64 / states.max(1) as f64
        ));
        lines
    }

    /// What was used of the net, text by text.
    fn unused(&self) -> TextsUsed {
        let Ready { checked, net, name, .. } = self.ready;
        used(&Teller::new(checked, net, name), &self.machine.coverage())
    }

    /// What was never used, in words.
    fn never(&self) -> Vec<String> {
        let used = self.unused();
        let kinds =
            [("vector", &used.vectors), ("transition", &used.transitions), ("state", &used.states)];
        let told = kinds.iter().flat_map(|(kind, covered)| {
            let one =
                move |text: &NeverSeen| format!("never used: {kind} {}", words::never_seen(text));
            covered.never.iter().map(one)
        });
        told.collect()
    }

    /// Writes the labelled transition system.
    fn aut(&self, searched: &Searched<'_, Compiled<'_>>) -> Explored {
        if !self.is_complete() {
            let why = self.ended().unwrap_or_default();
            complain(&format!("nothing was written, since not everything was looked at: {why}"));
            return Ok(false);
        }
        if searched.begins != 1 {
            return Err(Some(format!(
                "`{}` can begin in {} configurations, and a labelled transition system in one: fix what has no value \
                 with `--set`",
                self.ready.name, searched.begins
            )));
        }
        if self.seen.limited {
            self.args.simulating.reporting.say(LIMITED);
        }
        let mut out = Streamed::new(self.args.output.as_deref()).map_err(Some)?;
        match self.write_aut(&mut out, searched) {
            Ok(true) => out.finish().map(|()| true).map_err(Some),
            Ok(false) => {
                out.give_up(None);
                complain("nothing was written: stopped");
                Ok(false)
            }
            Err(problem) => match out.give_up(Some(&problem)) {
                None => Ok(true),
                problem => Err(problem),
            },
        }
    }

    /// Writes all lines; whether it came to its end.
    fn write_aut(
        &self,
        out: &mut Streamed,
        searched: &Searched<'_, Compiled<'_>>,
    ) -> std::io::Result<bool> {
        let Counts { states, transitions, .. } = self.seen.counts;
        let mut text = Vec::new();
        lts::aut::header(&mut text, 0, transitions, states);
        out.write_all(&text)?;
        let (numbering, mut done) = (Numbering::of(searched), Ok(()));
        let mut labels: FxHashMap<Box<[u64]>, String> = FxHashMap::default();
        let (mut lines, tau) = (0, self.args.tau.as_str());
        let walked = each_line(searched, &numbering, |line| {
            if labels.len() > MOST_LABELS {
                labels.clear();
            }
            let label = labels.entry(line.label.into()).or_insert_with(|| {
                let shown = self.machine.label(line.label);
                aut::label(&self.ready.net.algebra, &self.ready.net.holes, &shown, tau)
            });
            text.clear();
            lts::aut::line(&mut text, line.from, label, line.to);
            done = out.write_all(&text);
            lines += 1;
            if done.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        done?;
        Ok(walked.is_ok() && lines == transitions)
    }
}

/// What is to be known where values were left out.
const LIMITED: &str = "only the values of `--domain` were tried: with others there may be more";

/// How many labels are kept in words.
const MOST_LABELS: usize = 100_000;

/// `1 step`, `2 steps`
fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Texts that were never used, for a program.
fn never(covered: &Covered) -> serde_json::Value {
    serde_json::to_value(&covered.never).unwrap_or_default()
}

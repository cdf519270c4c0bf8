//! `pnet explore`

use std::io::Write;
use std::ops::ControlFlow;

use clap::ValueEnum;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::exploring::Exploring;
use super::output::{Format, complain, write_line};
use super::simulating::{Besides, Ready, Simulating};
use super::spread::{self, FOUND, Found, MOST_DEPTH, MOST_STATES, SpreadArgs, followed};
use super::streamed::Streamed;
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::{Budget, Spent, Watch};
use crate::emit::{self, aut, outcome as words};
use crate::explore::compiled::{Compiled, Coverage};
use crate::explore::search::{
    Counts, DepthSearched, Ended, Goal, Numbering, Ref, Searched, each_line, search, search_deep,
};
use crate::explore::{Gap, Machine, Packed};
use crate::lts;
use crate::outcome::{Covered, NeverSeen};
use crate::simulate::{Teller, TextsUsed, used};

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The configurations and the steps between them as a labelled transition system, in the Aldebaran format
    Aut,
    /// The same in a folder, with a file for each of several workers (docs/scale-out.md)
    Shards,
}

/// Options of `pnet explore`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet explore model.pnet                       how much is there, and what is never used?\n  \
                  pnet explore model.pnet 'Ring<5>'             an instance, as in a `check` item\n  \
                  pnet explore model.pnet --set N=4             with a constant fixed\n  \
                  pnet explore model.pnet --domain Int=0..3     where anything may come from outside\n  \
                  pnet explore model.pnet --emit aut -o m.aut   as a labelled transition system\n  \
                  pnet explore model.pnet --most-states 1000000 not more than a million\n  \
                  pnet explore model.pnet --find deadlock       a shortest way to a deadlock\n  \
                  pnet explore model.pnet --find 'C in full'    a shortest way to where a property holds\n  \
                  pnet explore model.pnet --workers 2           by two processes\n  \
                  pnet explore model.pnet --workers 2 --emit shards -o m   with their results in a folder\n\n\
                  Every configuration that can be reached is looked at once. Where not all values can be tried,\n\
                  `--domain` says which are.\n\
                  Exit status: 0 everything was looked at, 3 a limit was met, 2 the model has errors.")]
pub(super) struct Args {
    /// The model; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// The net (or process) to explore, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// What to write, instead of figures
    #[arg(long, value_enum, conflicts_with = "depth_first")]
    emit: Option<Emit>,
    /// Look for a deadlock (`deadlock`) or for where a property holds, as in `check reaches`, and show a shortest way
    #[arg(long, value_name = "WHAT", conflicts_with = "depth_first")]
    find: Option<String>,
    /// Where to write, instead of standard output
    #[arg(short, long, value_name = "PATH", requires = "emit")]
    output: Option<String>,
    /// What the silent action is called in a labelled transition system: `tau`, or `i` for CADP
    #[arg(long, value_name = "NAME", default_value = "tau")]
    pub tau: String,
    #[command(flatten)]
    pub spread: SpreadArgs,
    #[command(flatten)]
    pub exploring: Exploring,
    #[command(flatten)]
    pub simulating: Simulating,
}

/// What `--find` calls a deadlock.
const DEADLOCK: &str = "deadlock";

impl Args {
    /// Makes the net ready; an error without words has been reported.
    pub fn ready(&self) -> Result<Ready, Option<String>> {
        let until = self.find.clone().filter(|find| find != DEADLOCK);
        let besides = Besides { until, ..Besides::default() };
        self.simulating.ready((&self.file, self.net.as_deref()), &besides)
    }

    /// Whether something is looked for.
    pub fn finds(&self) -> bool {
        self.find.is_some()
    }

    /// The folder of the shards, where they are wanted.
    pub fn folder(&self) -> Option<&str> {
        self.output.as_deref().filter(|_| self.emit == Some(Emit::Shards))
    }

    /// What is asked for, in words: workers that were given others do not belong together.
    pub fn task(&self, ready: &Ready) -> String {
        let limits = self.exploring.limits(1);
        let (set, domains) = (ready.set().join(" "), ready.domain_names().join(" "));
        let (name, find) = (&ready.name, self.find.as_deref().unwrap_or("everything"));
        let emit = if self.folder().is_some() { self.tau.as_str() } else { "nothing" };
        let most =
            |limit: u64| if limit == u64::MAX { "all".to_owned() } else { limit.to_string() };
        let (states, depth) = (most(limits.most_states), most(limits.most_depth));
        format!(
            "{name}; find {find}; set {set}; domains {domains}; states {states}; depth {depth}; write {emit}"
        )
    }

    /// Why these options do not fit together, if they do not.
    fn misfit(&self) -> Option<&'static str> {
        match (self.spread.is_asked(), self.emit) {
            (false, Some(Emit::Shards)) => {
                Some("`--emit shards` needs `--workers`, and one process has none")
            }
            (true, Some(Emit::Shards)) if self.output.as_deref().is_none_or(|out| out == "-") => {
                Some("`--emit shards` needs a folder, with `-o`")
            }
            (true, Some(Emit::Aut)) => Some(
                "workers write shards: say `--emit shards -o DIR`, and then `pnet merge DIR -o m.aut`",
            ),
            (false, Some(Emit::Aut)) if self.finds() => {
                Some("`--find` and `--emit aut` do not go together")
            }
            _ => None,
        }
    }
}

/// Whether all was looked at; an error without words has been reported.
type Explored = Result<bool, Option<String>>;

pub(super) fn run(args: &'static Args) -> u8 {
    if let Some(worker) = args.spread.as_worker {
        return spread::worker::run(args, worker);
    }
    if let Some(why) = args.misfit() {
        complain(why);
        return STATUS_ERROR;
    }
    let watch = Terminal::new(args.simulating.memory.limit());
    let watch = if args.spread.is_asked() { watch.patient() } else { watch };
    let work = move |working: &Working| (explore(args, working), working.budget().spent());
    match watch.run(duration(args.simulating.timeout), work) {
        Ok((Ok(true), _)) => 0,
        Ok((Ok(false), _)) => STATUS_UNKNOWN,
        // It ended while the model was read: what is wrong with the model is not known.
        Ok((Err(None), Some(spent))) => {
            complain(&format!("nothing was explored: {spent}"));
            STATUS_UNKNOWN
        }
        Ok((Err(problem), _)) => {
            problem.iter().for_each(|problem| complain(problem));
            STATUS_ERROR
        }
        Err(left) => {
            complain(&format!("nothing was written: {}", left.told()));
            STATUS_UNKNOWN
        }
    }
}

fn explore(args: &'static Args, watch: &Working) -> Explored {
    if args.spread.is_asked() {
        return explore_together(args, &ready_for_workers(args, watch)?, watch);
    }
    let ready = args.ready()?;
    match explore_net(args, &ready, watch) {
        Ok(explored) => explored,
        // What is not known then is why it ended, and not what the net can do.
        Err(_) if watch.budget().spent().is_some() => Err(None),
        Err(gap) => Err(Some(format!("`{}` cannot be explored: {gap}", ready.name))),
    }
}

/// Reads the model. Workers read it however long that takes, and leave whole shards when the time is up: so is it here where
/// the time is up before.
fn ready_for_workers(args: &'static Args, watch: &Working) -> Result<Ready, Option<String>> {
    match args.ready() {
        Err(None) if matches!(watch.budget().spent(), Some(Spent::Time { .. })) => {
            let all = Budget::default();
            let _here = all.enter();
            args.ready()
        }
        ready => ready,
    }
}

/// Has several processes explore.
fn explore_together(args: &'static Args, ready: &Ready, watch: &Working) -> Explored {
    let together = spread::explore(args, ready, watch).map_err(Some)?;
    let workers =
        together.workers.iter().map(|&(states, lines)| WorkerShare { states, lines }).collect();
    let seen = SeenInAll {
        counts: together.counts,
        why: together.why,
        found: together.found,
        limited: together.limited,
        no_value: None,
        used: together.used,
        workers,
    };
    let told = Told { args, ready, seen, seconds: together.seconds };
    match told.nothing() {
        Some(why) => Err(Some(why)),
        None => told.figures(together.run),
    }
}

fn explore_net(args: &Args, ready: &Ready, watch: &Working) -> Result<Explored, Gap> {
    let machine = Compiled::new(&ready.net, &ready.domains);
    let limits = args.exploring.limits(args.simulating.threads());
    let started = std::time::Instant::now();
    if args.exploring.is_deep() {
        let DepthSearched { counts, ended, limited, sights, .. } =
            search_deep(&machine, Goal::Everything, &limits, watch)?;
        let seen = SeenInAll::new(counts, (ended, sights.gap), limited, &machine);
        let told = Told { args, ready, seen, seconds: started.elapsed().as_secs_f64() };
        return Ok(told.nothing().map_or_else(|| told.figures(None), |why| Err(Some(why))));
    }
    let property = match &ready.goal {
        Some(sought) => Some(machine.property(&sought.property)?),
        None => None,
    };
    let goal = match &property {
        Some(property) => Goal::Property(property, true),
        None if args.finds() => Goal::Deadlock,
        None => Goal::Everything,
    };
    let searched = search(&machine, goal, &limits, watch)?;
    let Searched { counts, ended, limited, sights, .. } = &searched;
    let seen = SeenInAll::new(*counts, (*ended, sights.gap.clone()), *limited, &machine);
    let no_value = sights.no_value.map(|at| searched.path(at).len() - 1);
    let seen = SeenInAll { no_value, ..seen };
    let told = Told { args, ready, seen, seconds: started.elapsed().as_secs_f64() };
    if let Some(why) = told.nothing() {
        return Ok(Err(Some(why)));
    }
    let path = sights.goal.map(|at| searched.path(at));
    Ok(match args.emit {
        Some(Emit::Aut) => told.aut(&machine, &searched),
        _ => told.figures(path.map(|path| found(ready, &machine, &path))),
    })
}

/// A way to what was found, once the plain interpreter has made it again.
fn found(ready: &Ready, machine: &Compiled<'_>, path: &[Packed]) -> Found {
    let path: Vec<_> = path.iter().map(|packed| machine.decode(packed)).collect();
    match followed(ready, &path) {
        Ok(trace) => Found::Run(Box::new(trace)),
        Err(why) => Found::NotFollowed(why),
    }
}

/// What was seen in all.
struct SeenInAll {
    counts: Counts,
    /// Why it ended before everything was looked at.
    why: Option<String>,
    /// Whether what was looked for was found.
    found: bool,
    limited: bool,
    /// After how many steps the property that was looked for has no value, if it has none somewhere.
    no_value: Option<usize>,
    used: Coverage,
    /// What each worker has, if there were several.
    workers: Vec<WorkerShare>,
}

/// What a worker has, as far as is known: configurations, and steps to them.
#[derive(serde::Serialize)]
struct WorkerShare {
    states: Option<u64>,
    lines: Option<u64>,
}

impl SeenInAll {
    fn new(
        counts: Counts,
        (ended, gap): (Ended, Option<(Ref, Gap)>),
        limited: bool,
        machine: &Compiled<'_>,
    ) -> SeenInAll {
        let why = match ended {
            Ended::Complete | Ended::Found => gap.map(|(_, gap)| gap.to_string()),
            Ended::States => Some(MOST_STATES.to_owned()),
            Ended::Depth => Some(MOST_DEPTH.to_owned()),
            Ended::Spent(spent) => Some(spent.to_string()),
        };
        let (used, found) = (machine.coverage(), ended == Ended::Found);
        let (no_value, workers) = (None, Vec::new());
        SeenInAll { counts, why, found, limited, no_value, used, workers }
    }
}

/// What is told of an exploration.
struct Told<'t> {
    args: &'t Args,
    ready: &'t Ready,
    seen: SeenInAll,
    seconds: f64,
}

impl Told<'_> {
    /// Whether everything was looked at.
    fn is_complete(&self) -> bool {
        self.seen.why.is_none() && !self.seen.found
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

    /// The figures, for a person or a program, with the way to what was found; whether everything that was asked for was
    /// looked at.
    fn figures(&self, found: Option<Found>) -> Explored {
        let complete = self.is_complete();
        match self.args.simulating.reporting.format {
            Format::Json => {
                write_line(&self.with_run(self.object(complete), found.as_ref()).to_string())
            }
            Format::Human => {
                self.lines(complete).iter().for_each(|line| write_line(line));
                self.run(found.as_ref()).iter().for_each(|line| write_line(line));
            }
        }
        match found {
            Some(Found::NotFollowed(why)) => {
                Err(Some(format!("the run that was found cannot be made again: {why}")))
            }
            _ => Ok(complete || self.seen.found),
        }
    }

    /// What was found, in words.
    fn run(&self, found: Option<&Found>) -> Vec<String> {
        match found {
            Some(Found::Run(trace)) => emit::trace::lanes(trace, self.args.simulating.look()),
            _ if self.seen.found && self.args.spread.has_hosts() => {
                vec!["found: worker 0 shows how to get there".to_owned()]
            }
            _ if self.args.finds() && self.is_complete() => {
                vec!["nothing of that kind is reached".to_owned()]
            }
            _ => Vec::new(),
        }
    }

    fn with_run(&self, mut object: serde_json::Value, found: Option<&Found>) -> serde_json::Value {
        if self.args.finds() {
            object["found"] = self.seen.found.into();
            object["without_value"] = self.seen.no_value.into();
        }
        if let Some(Found::Run(trace)) = found {
            object["run"] = serde_json::to_value(trace).unwrap_or_default();
        }
        if !self.seen.workers.is_empty() {
            object["workers"] = serde_json::to_value(&self.seen.workers).unwrap_or_default();
        }
        object
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
        let found = self.seen.found.then(|| FOUND.to_owned());
        self.seen.why.clone().or(found)
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
        if deadlocks > 0 && self.args.finds() {
            lines.push(counted(deadlocks, "deadlock"));
        } else if deadlocks > 0 {
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
        if let Some(steps) = self.seen.no_value {
            lines.push(format!(
                "configurations were passed over in which the property reads what has no value, the nearest after {}",
                counted(steps as u64, "step")
            ));
        }
        lines.extend(self.shares());
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
        used(&Teller::new(checked, net, name), &self.seen.used)
    }

    /// What each worker has, in words.
    fn shares(&self) -> Vec<String> {
        let known =
            |count: Option<u64>, what| count.map_or("?".to_owned(), |count| counted(count, what));
        let share = |(worker, share): (usize, &WorkerShare)| {
            let (states, steps) =
                (known(share.states, "configuration"), known(share.lines, "step"));
            let shard = match self.args.folder() {
                Some(folder) => {
                    format!(", in `{folder}/{}`", lts::shards::file_name(worker as u32))
                }
                None => String::new(),
            };
            format!("worker {worker}: {states}, {steps} to them{shard}")
        };
        self.seen.workers.iter().enumerate().map(share).collect()
    }

    /// What was never used, in words.
    fn never(&self) -> Vec<String> {
        let used = self.unused();
        // What was stopped may use it later.
        let word = if self.is_complete() { "never used" } else { "not used so far" };
        let kinds =
            [("vector", &used.vectors), ("transition", &used.transitions), ("state", &used.states)];
        let told = kinds.iter().flat_map(|(kind, covered)| {
            let one = move |text: &NeverSeen| format!("{word}: {kind} {}", words::never_seen(text));
            covered.never.iter().map(one)
        });
        told.collect()
    }

    /// Writes the labelled transition system.
    fn aut(&self, machine: &Compiled<'_>, searched: &Searched<'_, Compiled<'_>>) -> Explored {
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
        match self.write_aut(&mut out, machine, searched) {
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
        machine: &Compiled<'_>,
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
                let shown = machine.label(line.label);
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
pub(super) fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Texts that were never used, for a program.
fn never(covered: &Covered) -> serde_json::Value {
    serde_json::to_value(&covered.never).unwrap_or_default()
}

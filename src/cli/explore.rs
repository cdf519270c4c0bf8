//! `pnet explore`

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use clap::ValueEnum;
use serde_json::json;

use super::check::{check_file, open_session};
use super::domains::DomainArgs;
use super::exploring::Exploring;
use super::generation::Generation;
use super::memory::Memory;
use super::output::{Format, Reporting, complain, write_line};
use super::streamed::Streamed;
use super::verify::{duration, patience};
use super::wanted::{elaborated, granted, is_wrong, question, wanted};
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Watch;
use crate::emit::aut;
use crate::explore::compiled::Compiled;
use crate::explore::search::{self, Counts, Ended, Goal, Numbering, Searched, each_line};
use crate::explore::{Domains, Gap, Machine};
use crate::model::Checked;
use crate::pnet::PNet;

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
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// Where to write, instead of standard output
    #[arg(short, long, value_name = "PATH", requires = "emit")]
    output: Option<String>,
    /// What the silent action is called in a labelled transition system: `tau`, or `i` for CADP
    #[arg(long, value_name = "NAME", default_value = "tau")]
    tau: String,
    /// How long it may take, in seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = patience)]
    timeout: f64,
    #[command(flatten)]
    exploring: Exploring,
    #[command(flatten)]
    domains: DomainArgs,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    generation: Generation,
    #[command(flatten)]
    reporting: Reporting,
}

/// Whether all was looked at; an error without words has been reported.
type Explored = Result<bool, Option<String>>;

pub(super) fn run(args: &'static Args) -> u8 {
    let watch = Terminal::new(args.memory.limit());
    match watch.run(duration(args.timeout), move |working| explore(args, working)) {
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
    let levels = args.reporting.levels()?;
    let question = question(args.net.as_deref());
    let mut checked =
        check_file(open_session(), (&args.file, question.as_ref()), &args.reporting, &levels)
            .ok_or(None)?;
    if checked.has_errors() {
        if let (Some(net), true) = (&args.net, is_wrong(&checked)) {
            args.reporting
                .say(&format!("`{net}` is read as an instance, as a `check` item has it"));
        }
        return Err(None);
    }
    let settings = args.generation.settings(&mut [&mut checked], &args.reporting).ok_or(None)?;
    let options = args.generation.options(settings.into_iter().next().unwrap_or_default());
    let subject = (args.file.as_str(), args.net.as_deref());
    let wanted = wanted(&checked, args.net.as_deref());
    let net = elaborated(&checked, subject, wanted, &options, &args.reporting)?;
    if let Some(granted) = granted(&net) {
        args.reporting.say(&granted);
    }
    let domains = args.domains.of(&net).ok_or(None)?;
    match explore_net(args, (&checked, &net), &domains, watch) {
        Ok(explored) => explored,
        Err(gap) => {
            let name = net.name;
            Err(Some(format!("`{name}` cannot be explored: {gap}")))
        }
    }
}

fn explore_net(
    args: &Args,
    (checked, net): (&Checked, &PNet),
    domains: &Domains,
    watch: &Working,
) -> Result<Explored, Gap> {
    let machine = Compiled::new(net, domains);
    let limits = args.exploring.limits(args.generation.threads());
    let started = std::time::Instant::now();
    let searched = search::search(&machine, Goal::Everything, &limits, watch)?;
    let seconds = started.elapsed().as_secs_f64();
    let complete = searched.ended == Ended::Complete && searched.sights.gap.is_none();
    let told = Told { args, checked, net, machine: &machine, searched: &searched, seconds };
    Ok(match args.emit {
        None => {
            told.figures(complete);
            Ok(complete)
        }
        Some(Emit::Aut) => told.aut(complete),
    })
}

/// What is told of an exploration.
struct Told<'t> {
    args: &'t Args,
    checked: &'t Checked,
    net: &'t PNet,
    machine: &'t Compiled<'t>,
    searched: &'t Searched<'t, Compiled<'t>>,
    seconds: f64,
}

impl Told<'_> {
    /// The figures, for a person or a program.
    fn figures(&self, complete: bool) {
        match self.args.reporting.format {
            Format::Json => write_line(&self.object(complete).to_string()),
            Format::Human => self.lines(complete).iter().for_each(|line| write_line(line)),
        }
    }

    fn object(&self, complete: bool) -> serde_json::Value {
        let (counts, unused) = (self.searched.counts, self.unused());
        json!({
            "net": self.name(),
            "states": counts.states,
            "transitions": counts.transitions,
            "deadlocks": counts.deadlocks,
            "finals": counts.finals,
            "depth": counts.depth,
            "complete": complete,
            "limited": self.searched.limited,
            "ended": self.ended(),
            "never": unused,
            "bytes": counts.bytes,
            "seconds": (self.seconds * 1e6).round() / 1e6,
        })
    }

    fn name(&self) -> String {
        self.args.net.clone().unwrap_or_else(|| self.net.name.to_string())
    }

    /// Why it ended before everything was looked at.
    fn ended(&self) -> Option<String> {
        let gap = self.searched.sights.gap.as_ref();
        match self.searched.ended {
            Ended::Complete | Ended::Found => gap.map(|(_, gap)| gap.to_string()),
            Ended::States => Some("`--most-states` allows no more".to_owned()),
            Ended::Depth => Some("`--depth` allows no more".to_owned()),
            Ended::Spent(spent) => Some(spent.to_string()),
        }
    }

    fn lines(&self, complete: bool) -> Vec<String> {
        let Counts { states, transitions, deadlocks, finals, depth, bytes } = self.searched.counts;
        let so_far = if complete { "" } else { " so far" };
        let mut lines = vec![format!(
            "{}: {}, {}{so_far}, at most {} away",
            self.name(),
            counted(states, "configuration"),
            counted(transitions, "step"),
            counted(depth, "step")
        )];
        if deadlocks > 0 {
            lines.push(format!(
                "{} (`check deadlock_free({});` shows how to get there)",
                counted(deadlocks, "deadlock"),
                self.name()
            ));
        }
        if finals > 0 {
            lines.push(format!("{} in which all components are final", counted(finals, "end")));
        }
        lines.extend(self.unused().into_iter().map(|text| format!("never: {text}")));
        if self.searched.limited {
            lines.push(
                "only the values of `--domain` were tried: with others there may be more"
                    .to_owned(),
            );
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

    /// What was never used, in words, where everything was looked at.
    fn unused(&self) -> Vec<String> {
        Vec::new()
    }

    /// Writes the labelled transition system.
    fn aut(&self, complete: bool) -> Explored {
        if !complete {
            let why = self.ended().unwrap_or_default();
            self.args
                .reporting
                .say(&format!("nothing was written: not everything was looked at: {why}"));
            return Ok(false);
        }
        let mut out = Streamed::new(self.args.output.as_deref()).map_err(Some)?;
        match self.write_aut(&mut out) {
            Ok(true) => out.finish().map(|()| true).map_err(Some),
            Ok(false) => {
                out.give_up(None);
                self.args.reporting.say("nothing was written: stopped");
                Ok(false)
            }
            Err(problem) => match out.give_up(Some(&problem)) {
                None => Ok(true),
                problem => Err(problem),
            },
        }
    }

    /// Writes all lines; whether it came to its end.
    fn write_aut(&self, out: &mut Streamed) -> std::io::Result<bool> {
        let Counts { states, transitions, .. } = self.searched.counts;
        out.write_all(aut::header(transitions, states).as_bytes())?;
        let (numbering, mut done) = (Numbering::of(self.searched), Ok(()));
        let mut labels: HashMap<Box<[u64]>, String> = HashMap::new();
        let (mut lines, tau) = (0, self.args.tau.as_str());
        let walked = each_line(self.searched, &numbering, |line| {
            if labels.len() > MOST_LABELS {
                labels.clear();
            }
            let label = labels.entry(line.label.into()).or_insert_with(|| {
                let shown = self.machine.label(line.label);
                aut::label(&self.net.algebra, &self.net.holes, &shown, tau)
            });
            done = out.write_all(aut::line(line.from, label, line.to).as_bytes());
            lines += 1;
            if done.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        done?;
        Ok(walked.is_ok() && lines == transitions)
    }
}

/// How many labels are kept in words.
const MOST_LABELS: usize = 100_000;

/// `1 step`, `2 steps`
fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

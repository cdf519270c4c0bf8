//! What every command shares that runs a net: which net, with which values, and where what comes of it goes.

use std::sync::Arc;

use clap::ValueEnum;

use super::check::check_file;
use super::domains::DomainArgs;
use super::files::Disk;
use super::generation::Generation;
use super::memory::Memory;
use super::output::{Reporting, write_result};
use super::verify::patience;
use super::wanted::{elaborated, granted, is_wrong, question, wanted};
use crate::algebra::ConstId;
use crate::base::Watch;
use crate::diagnostics::Symbol;
use crate::elaborate::Target;
use crate::emit;
use crate::emit::trace::Look;
use crate::explore::{Domains, NamedDomain};
use crate::loader::Question;
use crate::model::{BuildFailure, Checked, ModelOptions, UnclearProperty};
use crate::outcome::Trace;
use crate::pnet::PNet;
use crate::session::Session;
use crate::simulate::Sought;

/// How wide things are where there is no terminal.
const WIDTH: usize = 100;

/// What a run can be written as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    /// The run as JSON, which `pnet replay` and `pnet step` read (docs/json.md)
    Trace,
    /// The run in the Informal Trace Format, which the viewers of Apalache and Quint open
    Itf,
    /// The run as a sequence chart: a picture
    Msc,
    /// The run on the picture of the open automaton: the states that it comes through, and what it goes round
    Automaton,
}

/// A run in a form that needs nothing else.
#[derive(Clone, Copy)]
pub(super) enum Plainly {
    Trace,
    Itf,
    Msc,
}

impl Plainly {
    /// A run in this form.
    pub fn write(self, trace: &Trace) -> String {
        match self {
            Plainly::Trace => emit::trace::saved(trace),
            Plainly::Itf => format!("{:#}\n", emit::trace::itf(trace)),
            Plainly::Msc => emit::chart(trace),
        }
    }
}

/// Options of every command that runs a net.
#[derive(clap::Args)]
pub(super) struct Simulating {
    #[command(flatten)]
    domains: DomainArgs,
    /// How long it may take, in seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = patience)]
    pub timeout: f64,
    #[command(flatten)]
    pub memory: Memory,
    #[command(flatten)]
    generation: Generation,
    #[command(flatten)]
    pub reporting: Reporting,
}

/// A net that is ready to run.
pub(super) struct Ready {
    pub checked: Checked,
    pub net: Arc<PNet>,
    pub domains: Domains,
    /// What a run looks for.
    pub goal: Option<Sought>,
    /// What it was called.
    pub name: String,
    /// What was set.
    set: Vec<String>,
    /// What it was made with.
    pub options: ModelOptions,
    /// The net that was named on the command line.
    named: Option<String>,
}

/// What a run needs besides what was said on the command line.
#[derive(Default)]
pub(super) struct Besides {
    pub set: Vec<String>,
    pub domains: Vec<NamedDomain>,
    /// Domains that go before those of the command line.
    pub instead: Vec<NamedDomain>,
    /// A property that a run looks for, or that holds at its end.
    pub until: Option<String>,
    /// What may be constants without a value that a run has values for.
    pub constants: Vec<String>,
}

/// What nets are made ready with.
#[derive(Clone, Copy)]
pub(super) struct Readying<'a> {
    pub domains: &'a DomainArgs,
    pub generation: &'a Generation,
    pub reporting: &'a Reporting,
    /// Whether each interaction of a connector has to be a vector of its own.
    pub unfolding: bool,
}

impl Readying<'_> {
    /// Makes a net ready; an error without words has been reported.
    pub fn ready(
        &self,
        (file, net): (&str, Option<&str>),
        besides: &Besides,
    ) -> Result<Ready, Option<String>> {
        let levels = self.reporting.levels()?;
        let question = match &besides.until {
            None => question(net),
            Some(until) => Some(about(file, net, until)?),
        };
        let mut checked =
            check_file(&Session::default(), (file, question.as_ref()), self.reporting, &levels)
                .ok_or(None)?;
        if checked.has_errors() {
            if let (Some(net), None, true) = (net, &besides.until, is_wrong(&checked)) {
                self.reporting
                    .say(&format!("`{net}` is read as an instance, as a `check` item has it"));
            }
            return Err(None);
        }
        let set: Vec<String> = besides.set.iter().chain(self.generation.set()).cloned().collect();
        let settings = self.generation.settings_of(&set, &mut [&mut checked], self.reporting);
        let settings = settings.ok_or(None)?.into_iter().next().unwrap_or_default();
        let mut options = self.generation.options(settings);
        if self.unfolding {
            options.elaborate = options.elaborate.unfolding();
        }
        let wanted = wanted(&checked, net);
        let elaborated = elaborated(&checked, (file, net), wanted, &options, self.reporting)?;
        if let Some(granted) = granted(&elaborated) {
            self.reporting.say(&granted);
        }
        let domains = self.domains.with((&besides.domains, &besides.instead), &elaborated)?;
        let name = net.map_or_else(|| declared(&checked, &elaborated), str::to_owned);
        let goal = goal(&checked, &elaborated, &options, besides.until.as_deref());
        let goal = goal.map_err(|why| Some(why.to_string()))?;
        let asked = goal.iter().flat_map(|goal| goal.property.constants(&elaborated.algebra));
        let domains = domains.about(asked).about(named(&elaborated, &besides.constants));
        let named = net.map(str::to_owned);
        Ok(Ready { checked, net: elaborated, domains, goal, name, set, options, named })
    }
}

impl Simulating {
    /// Makes a net ready; an error without words has been reported.
    pub fn ready(
        &self,
        asked: (&str, Option<&str>),
        besides: &Besides,
    ) -> Result<Ready, Option<String>> {
        let Simulating { domains, generation, reporting, .. } = self;
        Readying { domains, generation, reporting, unfolding: false }.ready(asked, besides)
    }

    /// Whether constants are given values.
    pub fn sets(&self) -> bool {
        !self.generation.set().is_empty()
    }

    /// How runs are shown.
    pub fn look(&self) -> Look {
        look(&self.reporting)
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.generation.threads()
    }
}

impl Ready {
    /// A run of it, with what is needed to make it again.
    pub fn noted(&self, trace: Trace) -> Trace {
        Trace { set: self.set.clone(), domains: self.domain_names(), ..trace }
    }

    /// A run in some form; on the automaton, which is made now.
    pub fn written(
        &self,
        trace: &Trace,
        emit: Emit,
        watch: &dyn Watch,
    ) -> Result<String, Option<String>> {
        let plainly = match emit {
            Emit::Trace => Plainly::Trace,
            Emit::Itf => Plainly::Itf,
            Emit::Msc => Plainly::Msc,
            Emit::Automaton => return self.on_automaton(trace, watch),
        };
        Ok(plainly.write(trace))
    }

    /// A run on the picture of the open automaton.
    fn on_automaton(&self, trace: &Trace, watch: &dyn Watch) -> Result<String, Option<String>> {
        let cannot = |why: String| {
            Some(format!("the automaton of `{}` cannot be drawn with the run: {why}", self.name))
        };
        let wanted = wanted(&self.checked, self.named.as_deref());
        let generated = match self.checked.automaton(wanted, &self.options, watch) {
            Ok(generated) if generated.stopped => {
                return Err(cannot("it was not made to its end".to_owned()));
            }
            Ok(generated) => generated,
            Err(BuildFailure::Problems(problems)) => {
                let first = problems.first().map(|one| one.message.clone());
                return Err(cannot(first.unwrap_or_default()));
            }
            Err(_) => return Err(cannot("it cannot be made".to_owned())),
        };
        emit::automaton::svg_with_run(&generated.automaton, trace)
            .map_err(|why| cannot(why.to_string()))
    }

    /// Writes a run, with a lane for each component where no form is asked for.
    pub fn write(
        &self,
        trace: &Trace,
        (emit, output): (Option<Emit>, Option<&str>),
        look: Look,
        watch: &dyn Watch,
    ) -> Result<(), Option<String>> {
        let text = match emit {
            Some(emit) => self.written(trace, emit, watch)?,
            None => emit::trace::lanes(trace, look).join("\n") + "\n",
        };
        write_result(&text, output).map_err(Some)
    }

    /// What was set, each as `NAME=VALUE`.
    pub fn set(&self) -> &[String] {
        &self.set
    }

    /// The values that are tried, each as `SORT=VALUES`.
    pub fn domain_names(&self) -> Vec<String> {
        self.domains.names(&self.net.algebra).iter().map(ToString::to_string).collect()
    }
}

/// What a net is called where nobody named it: as it would be written, so that a run of it can be made again.
fn declared(checked: &Checked, net: &PNet) -> String {
    let name = net.name.as_str();
    let is_declared = checked.targets().iter().any(|(own, _)| own.as_str() == name);
    if is_declared { emit::quoted(name).into_owned() } else { name.to_owned() }
}

/// The symbolic constants of a net that have these names.
fn named(net: &PNet, names: &[String]) -> Vec<ConstId> {
    let constants = net.algebra.constants.iter().enumerate();
    let open = constants.filter(|(_, constant)| constant.value.is_none());
    let wanted = open.filter(|(_, one)| names.iter().any(|name| one.name.as_str() == name));
    wanted.map(|(number, _)| ConstId(number as u32)).collect()
}

/// The question whether a net can come to where a property holds.
fn about(file: &str, net: Option<&str>, until: &str) -> Result<Question, Option<String>> {
    let net = match net {
        Some(net) => net.to_owned(),
        None if file == "-" => {
            let why = "with `--until`, the net of a model on standard input has to be named";
            return Err(Some(why.to_owned()));
        }
        None => last_net(file).unwrap_or_default(),
    };
    Ok(Question::Property { net, property: until.to_owned() })
}

/// The name of the net that is meant where none is named.
fn last_net(file: &str) -> Option<String> {
    let targets = Session::default().check(&Disk, file).ok()?.targets();
    let is_net = |(_, target): &&(Symbol, Target)| matches!(target, Target::Net(_));
    let found = targets.iter().rev().find(is_net).or(targets.last());
    found.map(|(name, _)| name.to_string())
}

/// The property that was asked about, for a net.
fn goal(
    checked: &Checked,
    net: &PNet,
    options: &ModelOptions,
    until: Option<&str>,
) -> Result<Option<Sought>, UnclearProperty> {
    let asked = checked.checks().into_iter().find(|check| checked.is_asked(check.span));
    let asked = asked.and_then(|check| Some((check.property.as_ref()?, &check.locals)));
    let (Some(text), Some((property, locals))) = (until, asked) else { return Ok(None) };
    let property = checked.property((property, locals, &[]), net, &options.elaborate)?;
    Ok(Some(Sought { property, text: text.trim().to_owned() }))
}

/// How runs are shown.
pub(super) fn look(reporting: &Reporting) -> Look {
    let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    Look { width: width.unwrap_or(WIDTH).clamp(40, 400), colour: reporting.colours_out() }
}

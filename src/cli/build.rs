//! `pnet build`

use clap::ValueEnum;

use super::automaton::write_automaton;
use super::check::{check_file, open_session};
use super::exp::write_network;
use super::formula;
use super::generation::Generation;
use super::memory::Memory;
use super::output::{Reporting, complain, write_result};
use super::problem::problem_text;
use super::unfold::{self, UnfoldSize};
use super::verify::{duration, patience};
use super::wanted::{elaborated, granted, is_wrong, question, wanted};
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::architectures::{rules_dot, shown_rules};
use crate::diagnostics::Symbol;
use crate::elaborate::Target;
use crate::emit;
use crate::generate::Watch;
use crate::loader::Question;
use crate::model::{Checked, ModelOptions};

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    /// The tree as it was parsed, as JSON
    Ast,
    /// The net as a model of what it needs, as it was written
    Pnet,
    /// The elaborated net as a model: every instance made, every connector a vector
    Vectors,
    /// The elaborated net as JSON (docs/json.md)
    Json,
    /// The elaborated net as a graph for Graphviz; of an architecture, its rules
    Dot,
    /// The elaborated net as a picture; of an architecture, its rules
    Svg,
    /// The open automaton as rules, as in the papers
    Automaton,
    /// The open automaton as JSON (docs/json.md)
    AutomatonJson,
    /// The open automaton as a graph for Graphviz
    AutomatonDot,
    /// The open automaton as a picture
    AutomatonSvg,
    /// The net as a network of labelled transition systems, for CADP: into the file given by `-o`, its parts as AUT files
    /// beside it
    Exp,
    /// Whether something bad can be reached, as Horn clauses in SMT-LIB (`--check` says what; otherwise deadlocks)
    Horn,
    /// The same as a transition system in VMT
    Vmt,
    /// Whether invariants show something of every size, as a formula for MONA (`--goal` and `--invariants` say what; without a
    /// model of it, they do)
    Mona,
    /// Every question that was put to the solver, a file each, into the folder given by `-o`
    Smt2,
    /// What generating the automaton took: a JSON object
    Stats,
}

/// Options of `pnet build`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet build model.pnet --list                     what can be built\n  \
                  pnet build model.pnet --emit pnet                the last net, and what it needs\n  \
                  pnet build model.pnet --emit vectors             the same, elaborated\n  \
                  pnet build model.pnet Ring --emit svg -o ring.svg\n  \
                  pnet build model.pnet Ring --set N=4 --emit json\n  \
                  pnet build model.pnet Tree --unfold 6 --list     the unfoldings of an architecture with six components\n  \
                  pnet build model.pnet Tree --unfold 6,0 --emit svg   the first of them\n  \
                  pnet build model.pnet 'Ring<4>(P: Timer)' --emit dot   an instance, as in a `check` item\n  \
                  pnet build model.pnet --emit automaton           what it can do, holes included\n  \
                  pnet build model.pnet --emit automaton-svg -o a.svg\n  \
                  pnet build model.pnet 'Par(A, B)' --emit automaton --compose   from those of Par, A and B\n  \
                  pnet build model.pnet Ring --emit exp -o ring.exp   parts and vectors, for CADP
  \
                  pnet build model.pnet Ring --emit horn           can it get stuck? for solvers of Horn clauses\n  \
                  pnet build model.pnet --emit vmt --check 'always(Ring<5>, S[0].steps >= 0)'\n  \
                  pnet build model.pnet Ring --emit mona --goal deadlock --invariants to   for every size, for MONA\n  \
                  pnet build model.pnet --emit smt2 -o questions   what the solver was asked\n  \
                  pnet build model.pnet --emit stats --algorithm smart\n  \
                  pnet build model.pnet --emit ast                 the tree, as JSON; spans are byte offsets\n\n\
                  Parameters of the net that is built, and symbolic constants, stand for any value.")]
pub(super) struct Args {
    /// The model; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// The net (or process) to build, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    pub net: Option<String>,
    /// What to write
    #[arg(long, value_enum, required_unless_present = "list")]
    emit: Option<Emit>,
    /// What is claimed of a net, for `--emit horn`, `--emit vmt` and `--emit mona`: `always`, `reaches` or `deadlock_free`, as in a
    /// `check` item
    #[arg(long, value_name = "CHECK", conflicts_with = "net")]
    pub check: Option<String>,
    /// What is asked of every size, for `--emit mona`: `deadlock`, or a claim as in a `check` item
    #[arg(long, value_name = "GOAL", default_value = "deadlock", conflicts_with = "check")]
    pub goal: String,
    /// By which invariants, for `--emit mona`, by their letters: `t` traps, `o` sets of which exactly one is taken, `s` siphons
    #[arg(long, value_name = "LETTERS", default_value = "to")]
    pub invariants: String,
    /// The unfolding of the architecture NET with so many components, or, after a comma, the one with this number among them
    #[arg(long, value_name = "K[,J]", requires = "net", value_parser = unfold::size)]
    unfold: Option<UnfoldSize>,
    /// List what can be built, and stop; with `--unfold`, the unfoldings
    #[arg(long)]
    list: bool,
    /// Where to write, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<String>,
    /// How long it may take, in seconds; 0 for any time. What was found by then is written
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = patience)]
    timeout: f64,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    pub generation: Generation,
    #[command(flatten)]
    pub reporting: Reporting,
}

pub(super) fn run(args: &'static Args) -> u8 {
    let watch = Terminal::new(args.memory.limit());
    let time = duration(args.timeout);
    match watch.run(time, move |working| (build(args, working), working.budget().spent())) {
        // Only a part was written, and it was said so.
        Ok((Ok(()), Some(_))) => STATUS_UNKNOWN,
        Ok((Ok(()), None)) => 0,
        Ok((Err(_), Some(spent))) => {
            complain(&format!("nothing was written: {spent}"));
            STATUS_UNKNOWN
        }
        Ok((Err(problem), None)) => {
            if let Some(problem) = problem {
                complain(&problem);
            }
            STATUS_ERROR
        }
        Err(left) => {
            complain(&format!("nothing was written: {}", left.told()));
            STATUS_UNKNOWN
        }
    }
}

/// Builds; an error without words has been reported already.
fn build(args: &Args, watch: &Working) -> Result<(), Option<String>> {
    let levels = args.reporting.levels()?;
    let shows_file = args.list || args.emit == Some(Emit::Ast);
    if args.emit == Some(Emit::Mona) && !args.list {
        let text = formula::text(args, &levels, watch)?;
        return write_result(&text, args.output.as_deref()).map_err(Some);
    }
    let net = unfold::named(args.net.as_deref(), args.unfold);
    let net = net.as_deref();
    let question = match &args.check {
        Some(check) => Some(Question::Checks(vec![check.clone()])),
        None => question(net.filter(|_| !shows_file)),
    };
    let mut checked =
        check_file(open_session(), (&args.file, question.as_ref()), &args.reporting, &levels)
            .ok_or(None)?;
    if checked.has_errors() {
        if let (Some(net), true) = (net, is_wrong(&checked)) {
            args.reporting
                .say(&format!("`{net}` is read as an instance, as a `check` item has it"));
        }
        return Err(None);
    }
    if args.check.is_some() && !matches!(args.emit, Some(Emit::Horn | Emit::Vmt)) {
        return Err(Some(
            "`--check` is for `--emit horn`, `--emit vmt` and `--emit mona`".to_owned(),
        ));
    }
    let text = match args.emit {
        _ if args.list && args.unfold.is_some() => {
            unfold::listed(&checked, args.net.as_deref(), args.unfold).map_err(Some)?
        }
        _ if args.list => list(&checked),
        None => return Err(Some("say what to write, with `--emit`".to_owned())),
        Some(Emit::Ast) => pretty(&checked.relative_tree())?,
        Some(emit) => {
            let mut options = options(args, &mut checked)?;
            if let (Emit::Dot | Emit::Svg, Some(def)) = (emit, unfold::architecture(&checked, net))
            {
                let text = match emit {
                    Emit::Svg => emit::rules_svg(&shown_rules(def, &checked.sources)),
                    _ => rules_dot(def, &checked.sources),
                };
                return write_result(&text, args.output.as_deref()).map_err(Some);
            }
            if let Some(told) = unfold::lacks_size(&checked, net) {
                return Err(Some(told));
            }
            let wanted = wanted(&checked, net);
            let subject = (args.file.as_str(), net);
            let named = net;
            let mut net = elaborated(&checked, subject, wanted, &options, &args.reporting)?;
            if net.has_optional() && !keeps_connectors(emit) {
                options.elaborate = options.elaborate.unfolding();
                net = elaborated(&checked, subject, wanted, &options, &args.reporting)?;
            }
            if let Some(granted) = granted(&net) {
                args.reporting.say(&granted);
            }
            match emit {
                Emit::Pnet => {
                    let written = checked.excerpt(wanted, &net, &options.elaborate);
                    written.unwrap_or_else(|| emit::text(&net))
                }
                Emit::Ast | Emit::Mona | Emit::Vectors => emit::text(&net),
                Emit::Json => pretty(&emit::json(&net, Some(&checked.sources)))?,
                Emit::Dot => emit::dot(&net),
                Emit::Svg => emit::svg_with_comments(&net, &checked.sources),
                Emit::Exp => {
                    let name = named.unwrap_or_else(|| net.name.as_str());
                    return write_network((&net, name), args.output.as_deref(), watch)
                        .map_err(Some);
                }
                Emit::Horn | Emit::Vmt => {
                    let name = named.unwrap_or_else(|| net.name.as_str());
                    problem_text(emit, &checked, (&net, name), &options).map_err(Some)?
                }
                Emit::Automaton
                | Emit::AutomatonJson
                | Emit::AutomatonDot
                | Emit::AutomatonSvg
                | Emit::Smt2
                | Emit::Stats => {
                    return write_automaton(
                        args,
                        emit,
                        &checked,
                        (wanted, &options),
                        &net,
                        &levels,
                        watch,
                    );
                }
            }
        }
    };
    write_result(&text, args.output.as_deref()).map_err(Some)
}

pub(super) fn pretty(value: &serde_json::Value) -> Result<String, Option<String>> {
    let text = serde_json::to_string_pretty(value).map_err(|problem| Some(problem.to_string()))?;
    Ok(text + "\n")
}

fn list(checked: &Checked) -> String {
    let kind = |target: Target| match target {
        Target::Process(_) => "process",
        Target::Net(_) => "net",
    };
    let line = |(name, target): (Symbol, Target)| format!("{:8} {name}\n", kind(target));
    let mut all: String = checked.targets().into_iter().map(line).collect();
    for architecture in checked.architectures() {
        all.push_str(&format!("{:8} {}\n", "architecture", architecture.named.name));
    }
    all
}

/// How nets and automata are made, with what is set.
pub(super) fn options(args: &Args, checked: &mut Checked) -> Result<ModelOptions, Option<String>> {
    let settings = args.generation.settings(&mut [checked], &args.reporting).ok_or(None)?;
    Ok(args.generation.options(settings.into_iter().next().unwrap_or_default()))
}

/// Whether a form has members that may take part or not.
fn keeps_connectors(emit: Emit) -> bool {
    matches!(
        emit,
        Emit::Ast | Emit::Mona | Emit::Pnet | Emit::Vectors | Emit::Json | Emit::Dot | Emit::Svg
    )
}

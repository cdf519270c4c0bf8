//! `pnet draw`

use clap::ValueEnum;

use super::output::{complain, write_result};
use super::subject::{LIMITED, Subject, SubjectRead};
use super::systems::{NotRead, SystemArgs, SystemWork};
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Watch;
use crate::diagnostics::Levels;
use crate::emit;
use crate::finite::LabelView;

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// A picture
    Svg,
    /// A graph for Graphviz
    Dot,
}

/// Options of `pnet draw`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet draw m.aut -o m.svg                 a picture\n  \
                  pnet draw m.aut --emit dot | dot -Tpdf   the same by Graphviz\n  \
                  pnet draw m.aut --full 0 -o m.svg        an overview, however small it is\n  \
                  pnet draw model.pnet Ring -o ring.svg    a net of a model with finite data, configuration by configuration\n  \
                  pnet reduce m.aut --branching | pnet draw - -o small.svg\n\n\
                  Deadlocks are red and have sharp corners, silent steps are dashed, and steps between the same states\n\
                  share an arrow. Where arrows would go too far, it is said below a state where its steps lead.\n\
                  In an overview, each box has the states that are so many steps away from the initial one; those that\n\
                  lead to no common state farther on have boxes of their own.\n\
                  Exit status: 0 it is drawn, 3 it was stopped, 2 the file has errors.")]
pub(super) struct Args {
    /// The labelled transition system, in the Aldebaran format (.aut), `-` for standard input; a network of them (.exp),
    /// whose product is made; or a model
    #[arg(value_name = "FILE")]
    file: String,
    /// The net (or process) of the model, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// What to write
    #[arg(long, value_enum, default_value = "svg")]
    emit: Emit,
    /// Systems of at most so many states are drawn state by state, larger ones as an overview
    #[arg(long, value_name = "N", default_value_t = 300)]
    full: usize,
    /// Where to write, instead of standard output
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
    let watch = Terminal::without_solver(args.work.memory.limit());
    match watch.run(duration(args.work.timeout), move |working| work(args, &levels, working)) {
        Ok(status) => status,
        Err(left) => {
            complain(&format!("nothing was written: {}", left.told()));
            STATUS_UNKNOWN
        }
    }
}

fn work(args: &Args, levels: &Levels, watch: &Working) -> u8 {
    let subject = Subject::of(&args.file, args.net.as_deref());
    let with = (args.work.readying(), levels);
    let SubjectRead { read, limited, .. } =
        match subject.read(&args.system, LabelView::All, with, watch) {
            Ok(read) => read,
            Err(NotRead::Reported) => return STATUS_ERROR,
            Err(NotRead::Stopped(why)) => {
                complain(&format!("nothing was written: {why}"));
                return STATUS_UNKNOWN;
            }
        };
    if limited {
        args.work.reporting.say(LIMITED);
    }
    let (lts, name) = (read.lts, named(subject));
    let drawn = match args.emit {
        Emit::Svg => emit::lts::svg(&lts, name, args.full),
        Emit::Dot => emit::lts::dot(&lts, name, args.full),
    };
    if let Some(spent) = watch.budget().spent() {
        complain(&format!("nothing was written: {spent}"));
        return STATUS_UNKNOWN;
    }
    match write_result(&drawn, args.output.as_deref()) {
        Ok(()) => 0,
        Err(problem) => {
            complain(&problem);
            STATUS_ERROR
        }
    }
}

/// What a system is called.
fn named(subject: Subject<'_>) -> &str {
    let Subject::File(file) = subject else { return subject.name() };
    let path = std::path::Path::new(file);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(file);
    if name == "-" { "standard input" } else { name }
}

//! `pnet run`

use std::time::{SystemTime, UNIX_EPOCH};

use super::output::{Format, complain, write_result};
use super::simulating::{Besides, Emit, Ready, Simulating};
use super::verify::duration;
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Watch;
use crate::emit::outcome as words;
use crate::explore::naive::Interpreter;
use crate::simulate::{self, Many, Sought, Teller};

/// Options of `pnet run`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet run model.pnet                            a random run of the last net, 20 steps\n  \
                  pnet run model.pnet 'Ring<5>' --steps 100      an instance, as in a `check` item\n  \
                  pnet run model.pnet --seed 7                   the same run every time\n  \
                  pnet run model.pnet --until 'C in full'        until a property holds\n  \
                  pnet run model.pnet --many 1000                a thousand runs: how they end, what is never seen\n  \
                  pnet run model.pnet --domain Int=0..3          where anything may come from outside\n  \
                  pnet run model.pnet --emit msc -o run.svg      as a sequence chart\n  \
                  pnet run model.pnet --emit automaton -o a.svg  on the picture of the open automaton\n  \
                  pnet run model.pnet --emit trace -o run.json   to be replayed, or gone on with in `pnet step`\n\n\
                  Exit status: 0 a run was made, 2 the model has errors, or nothing can be said about what is\n\
                  possible, 3 it was stopped before its end.")]
pub(super) struct Args {
    /// The model; `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The net (or process) to run, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// How many steps to make at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    steps: usize,
    /// Which random run: the same number, the same run. Without it, another one each time; its number is said
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// End where this property holds, as in `check reaches`
    #[arg(long, value_name = "PROPERTY")]
    until: Option<String>,
    /// Make so many runs, and say what they came to instead of showing one
    #[arg(long, value_name = "N", conflicts_with = "emit")]
    many: Option<usize>,
    /// What to write, instead of the run with a lane for each component
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// Where to write, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<String>,
    #[command(flatten)]
    simulating: Simulating,
}

/// Whether it came to its end; an error without words has been reported.
type Done = Result<bool, Option<String>>;

pub(super) fn run(args: &'static Args) -> u8 {
    let watch = Terminal::new(args.simulating.memory.limit());
    let time = duration(args.simulating.timeout);
    match watch.run(time, move |working| (simulate(args, working), working.budget().spent())) {
        Ok((Ok(true), None)) => 0,
        Ok((Ok(_), spent)) => {
            if let Some(spent) = spent {
                complain(&format!("the run was not made to its end: {spent}"));
            }
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

/// A number that is another one each time, and short enough to be typed.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 / 1000 % 1_000_000
}

fn simulate(args: &Args, watch: &Working) -> Done {
    let besides = Besides { until: args.until.clone(), ..Besides::default() };
    let ready = args.simulating.ready((&args.file, args.net.as_deref()), &besides)?;
    let goal = ready.goal.as_ref();
    let seed = args.seed.unwrap_or_else(fresh_seed);
    match args.many {
        Some(runs) => many(args, &ready, goal, (runs, seed), watch),
        None => one(args, &ready, goal, seed, watch),
    }
}

fn cannot(ready: &Ready, why: impl std::fmt::Display) -> Option<String> {
    Some(format!("`{}` cannot be run: {why}", ready.name))
}

fn one(args: &Args, ready: &Ready, goal: Option<&Sought>, seed: u64, watch: &Working) -> Done {
    let interpreter = Interpreter::new(&ready.net, ready.domains.clone());
    let played =
        simulate::play(&interpreter, goal, (args.steps, seed)).map_err(|why| cannot(ready, why))?;
    let told = simulate::tell(
        &ready.checked,
        (&ready.net, &ready.name),
        (&played.begin, &played.steps),
        played.ending,
    );
    let told = ready.noted(told);
    let as_json = args.simulating.reporting.format == Format::Json;
    let emit = args.emit.or(as_json.then_some(Emit::Trace));
    ready.write(&told, (emit, args.output.as_deref()), args.simulating.look(), watch)?;
    if args.seed.is_none() {
        args.simulating.reporting.say(&format!("`--seed {seed}` makes this run again"));
    }
    match played.gap {
        None => Ok(true),
        Some(crate::explore::Gap::Stopped) => Ok(false),
        Some(gap) => {
            let steps = played.steps.len();
            Err(Some(format!("after {steps} steps it is not known what is possible: {gap}")))
        }
    }
}

fn many(
    args: &Args,
    ready: &Ready,
    goal: Option<&Sought>,
    (runs, seed): (usize, u64),
    watch: &Working,
) -> Done {
    let interpreter = Interpreter::new(&ready.net, ready.domains.clone());
    let teller = Teller::new(&ready.checked, &ready.net, &ready.name);
    let wanted = Many { runs, steps: args.steps, seed };
    let (told, gap) = simulate::many((&interpreter, &teller), goal, wanted, watch)
        .map_err(|why| cannot(ready, why))?;
    let text = match args.simulating.reporting.format {
        Format::Human => words::coverage(&told).join("\n") + "\n",
        Format::Json => serde_json::to_string(&told).unwrap_or_default() + "\n",
    };
    write_result(&text, args.output.as_deref()).map_err(Some)?;
    if args.seed.is_none() {
        args.simulating.reporting.say(&format!("`--seed {seed}` makes these runs again"));
    }
    match gap {
        None => Ok(told.runs == runs),
        Some(crate::explore::Gap::Stopped) => Ok(false),
        Some(gap) => {
            Err(Some(format!("in run {} it is not known what is possible: {gap}", told.runs)))
        }
    }
}

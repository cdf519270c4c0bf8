//! `pnet replay`

use super::files;
use super::output::complain;
use super::simulating::{Besides, Emit, Simulating};
use super::verify::duration;
use super::watch::Terminal;
use super::{STATUS_ERROR, STATUS_REFUTED, STATUS_UNKNOWN};
use crate::base::Watch;
use crate::emit::trace::{self, Recorded};
use crate::explore::naive::Interpreter;
use crate::explore::{Gap, NamedDomain};
use crate::outcome::RunEnd;
use crate::simulate::{self, Ending, NotReplayed, Replayed, Teller};

/// Options of `pnet replay`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet replay run.json model.pnet               is it a run of the model?\n  \
                  pnet replay run.json model.pnet --show        and show it\n  \
                  pnet replay run.json model.pnet --emit msc -o run.svg\n  \
                  pnet replay run.json model.pnet --emit automaton -o lasso.svg\n\n\
                  A trace is what `--emit trace` and `save` in `pnet step` write, or one in ITF. The net, what was\n\
                  set and the values that were tried are in it. One in ITF does not say what is so at its end.\n\
                  Exit status: 0 it is a run of the model, 1 it is not, 3 it was not followed to its end,\n\
                  2 the trace or the model has errors.")]
pub(super) struct Args {
    /// The trace; `-` for standard input
    #[arg(value_name = "TRACE")]
    trace: String,
    /// The model
    #[arg(value_name = "FILE")]
    file: String,
    /// The net, if it is not the one that the trace names
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// Show the run
    #[arg(long)]
    show: bool,
    /// What to write of the run
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// Where to write, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<String>,
    #[command(flatten)]
    simulating: Simulating,
}

/// What comes of it.
enum Done {
    /// It is a run of the model.
    Fits,
    /// It is not.
    Deviates(NotReplayed),
}

pub(super) fn run(args: &'static Args) -> u8 {
    let watch = Terminal::new(args.simulating.memory.limit());
    let time = duration(args.simulating.timeout);
    match watch.run(time, move |working| (follow(args, working), working.budget().spent())) {
        Ok((_, Some(spent))) => {
            complain(&format!("`{}` was not followed to its end: {spent}", args.trace));
            STATUS_UNKNOWN
        }
        Ok((Ok(Done::Fits), None)) => 0,
        Ok((Ok(Done::Deviates(deviation)), None)) => {
            complain(&format!("`{}`: {deviation}", args.trace));
            match deviation {
                NotReplayed::Unknown { .. } => STATUS_UNKNOWN,
                NotReplayed::Incomplete { .. } => STATUS_ERROR,
                _ => STATUS_REFUTED,
            }
        }
        Ok((Err(problem), None)) => {
            problem.iter().for_each(|problem| complain(problem));
            STATUS_ERROR
        }
        Err(left) => {
            complain(&format!("`{}` was not followed to its end: {}", args.trace, left.told()));
            STATUS_UNKNOWN
        }
    }
}

/// The run in a file.
pub(super) fn recorded(path: &str) -> Result<Recorded, String> {
    let cannot = |why: String| format!("cannot read `{path}`: {why}");
    let bytes = files::read(path).map_err(cannot)?;
    let text = String::from_utf8(bytes).map_err(|_| cannot("it is not text (UTF-8)".to_owned()))?;
    trace::read(&text).map_err(|why| format!("`{path}` is no trace that can be read: {why}"))
}

/// What a recorded run needs of the net it is about.
fn needs(recorded: &Recorded) -> Result<(Option<String>, Besides), String> {
    let mut until = None;
    let mut constants: Vec<String> = Vec::new();
    let (net, set, domains) = match recorded {
        Recorded::Trace(trace) => {
            constants.extend(trace.with.iter().map(|one| one.what.clone()));
            if let RunEnd::Property { property, .. } = &trace.end {
                until = property.clone();
            }
            (Some(trace.net.clone()), trace.set.clone(), trace.domains.clone())
        }
        Recorded::Itf(value) => {
            let first = value["states"][0].as_object();
            constants.extend(first.into_iter().flat_map(|state| state.keys().cloned()));
            let meta = &value["#meta"];
            let texts = |value: &serde_json::Value| -> Vec<String> {
                let all = value.as_array().into_iter().flatten();
                all.filter_map(|one| one.as_str().map(str::to_owned)).collect()
            };
            let net = meta["net"].as_str().map(str::to_owned);
            (net, texts(&meta["set"]), texts(&meta["domains"]))
        }
    };
    let domain = |text: &String| text.parse::<NamedDomain>();
    let domains: Result<Vec<NamedDomain>, _> = domains.iter().map(domain).collect();
    let domains = domains.map_err(|why| format!("its `domains` make no sense: {why}"))?;
    Ok((
        net.filter(|net| !net.is_empty()),
        Besides { set, domains, until, constants, ..Besides::default() },
    ))
}

fn follow(args: &Args, watch: &dyn Watch) -> Result<Done, Option<String>> {
    let recorded = recorded(&args.trace).map_err(Some)?;
    let (net, besides) =
        needs(&recorded).map_err(|why| Some(format!("`{}`: {why}", args.trace)))?;
    let net = args.net.as_deref().or(net.as_deref());
    let ready = args.simulating.ready((&args.file, net), &besides)?;
    let interpreter = Interpreter::new(&ready.net, ready.domains.clone());
    let teller = Teller::new(&ready.checked, &ready.net, &ready.name);
    let replayed = match &recorded {
        Recorded::Trace(trace) => {
            simulate::replay((&interpreter, &teller), trace, ready.goal.as_ref())
        }
        Recorded::Itf(value) => simulate::replay_itf((&interpreter, &teller), value),
    };
    let Replayed { begin, steps, end_checked } = match replayed {
        Ok(replayed) => replayed,
        Err(NotReplayed::Unknown { gap: Gap::Stopped, .. }) => return Ok(Done::Fits),
        Err(deviation) => return Ok(Done::Deviates(deviation)),
    };
    let count = steps.len();
    let told = teller.trace((&begin, &steps), Ending::Open);
    let end = match recorded {
        Recorded::Trace(trace) => trace.end,
        Recorded::Itf(_) => told.end.clone(),
    };
    let told = ready.noted(crate::outcome::Trace { end, ..told });
    if args.show || args.emit.is_some() {
        let look = args.simulating.look();
        ready.write(&told, (args.emit, args.output.as_deref()), look, watch)?;
    }
    let steps = if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
    args.simulating.reporting.say(&format!("a run of `{}`: {steps}, all possible", ready.name));
    if !end_checked {
        args.simulating
            .reporting
            .say("what it says of its end was not looked at: a run does not tell that by itself");
    }
    Ok(Done::Fits)
}

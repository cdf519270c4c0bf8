//! The command line. Only here are files, the terminal and the process' status touched.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is where the outside world is"
)]

mod automaton;
mod build;
mod by_parts;
mod check;
mod compare;
mod comparison;
mod completions;
mod domains;
mod draw;
mod exp;
mod explain;
mod explore;
mod exploring;
mod export;
mod files;
mod fmt;
mod formula;
mod generation;
mod import;
mod info;
mod keeping;
mod lsp;
mod memory;
mod merge;
mod mona;
mod networks;
mod output;
mod problem;
mod recheck;
mod reduce;
mod replay;
mod restrict;
mod run;
mod saves;
mod shards;
mod simulating;
mod solver;
mod spread;
mod step;
mod streamed;
mod subject;
mod systems;
mod unfold;
mod verify;
mod view;
mod wanted;
mod watch;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The model has errors, or the command line has.
const STATUS_ERROR: u8 = 2;

/// A claim of a model does not hold.
const STATUS_REFUTED: u8 = 1;

/// It is not known whether a claim of a model holds.
const STATUS_UNKNOWN: u8 = 3;

#[derive(Parser)]
#[command(
    name = "pnet",
    version,
    about = "A language, compiler and verifier for systems made of communicating components",
    long_about = "pnet reads models of communicating components (.pnet files): data, behaviours, and how \
                  behaviours synchronise, with holes for parts nobody has written yet.\n\n\
                  Start with `pnet check FILE`: it finds mistakes, says where they are and what to do. Then \
                  `pnet build FILE --emit automaton` shows what the model can do, and `pnet verify FILE` runs \
                  its checks.",
    after_help = "Examples:\n  \
                  pnet check model.pnet            find mistakes\n  \
                  pnet watch model.pnet            the same whenever it is saved\n  \
                  pnet fmt model.pnet              put it into the one formatting\n  \
                  pnet explain N0203               what a code means, with a model and its correction\n  \
                  pnet build model.pnet --emit automaton what a model can do, holes included\n  \
                  pnet run model.pnet              a random run, component by component\n  \
                  pnet step model.pnet             make a run step by step\n  \
                  pnet view model.pnet             the same and more, in the browser\n  \
                  pnet verify model.pnet           run the checks of a model\n  \
                  pnet reduce m.aut --branching    make a labelled transition system smaller\n\n\
                  Exit status: 0 all is well (warnings allowed), 1 a check is refuted, or `fmt --check` found a\n\
                  file to format, 2 a model has errors or the command makes no sense, 3 a check is unknown, or\n\
                  the work was stopped before its end.",
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Parse models, resolve their names, check their sorts and their form
    Check(check::Args),
    /// Check a model again whenever it is saved, and tell what is different
    Watch(saves::Args),
    /// Format models: one formatting, every comment kept
    Fmt(fmt::Args),
    /// Explain a code at length, with a wrong model and a corrected one
    Explain(explain::Args),
    /// Compile a model as far as asked, and write the result
    Build(build::Args),
    /// Look at every configuration that a model can reach: how many are there, and what is never used?
    Explore(explore::Args),
    /// Run the checks of models: each is proved, refuted, or unknown
    Verify(verify::Args),
    /// Ask whether two nets of a model behave alike, or two labelled transition systems
    Compare(compare::Args),
    /// Make a labelled transition system smaller, such that it stays equivalent
    Reduce(reduce::Args),
    /// Leave out of a labelled transition system what cannot happen in company with another one, or in a network
    Restrict(restrict::Args),
    /// Make a model of a file of another tool: rtab (.rec), VerCors (.spec), CADP (.exp), BIP2 (.bip)
    Import(import::Args),
    /// Write a net as a file of another tool: mCRL2 (.mcrl2), BIP2 (.bip), CADP (.exp)
    Export(export::Args),
    /// Draw a labelled transition system: its states and steps, or an overview of a large one
    Draw(draw::Args),
    /// Look at a labelled transition system: sizes, labels, deadlocks, silent circles
    Info(info::Args),
    /// Make one labelled transition system of the shards that several workers wrote
    Merge(merge::Args),
    /// Run a net at random: one run, or what many come to
    Run(run::Args),
    /// Run a net step by step, and ask why something is not possible
    Step(step::Args),
    /// Look at a net in the browser: walk through it, ask why not, run its checks
    View(view::Args),
    /// Check a run that was saved against a model
    Replay(replay::Args),
    /// Have a solver confirm the certificates that `verify` wrote
    Recheck(recheck::Args),
    /// Serve an editor: the language server, over standard input and output
    Lsp(lsp::Args),
    /// Print a script that completes pnet's commands in your shell
    Completions(completions::Args),
}

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    // It lives as long as the process: work that is left behind may still look at it.
    let command: &'static Command = match Cli::try_parse() {
        Ok(cli) => Box::leak(Box::new(cli.command)),
        Err(problem) => {
            let status = if problem.use_stderr() { STATUS_ERROR } else { 0 };
            // A closed pipe is no reason to complain.
            let _ = problem.print();
            return ExitCode::from(status);
        }
    };
    let status = match command {
        Command::Check(args) => check::run(args),
        Command::Watch(args) => saves::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Build(args) => build::run(args),
        Command::Explore(args) => explore::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Reduce(args) => reduce::run(args),
        Command::Restrict(args) => restrict::run(args),
        Command::Import(args) => import::run(args),
        Command::Export(args) => export::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Info(args) => info::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Run(args) => run::run(args),
        Command::Step(args) => step::run(args),
        Command::View(args) => view::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Recheck(args) => recheck::run(args),
        Command::Lsp(args) => lsp::run(args),
        Command::Completions(args) => completions::run(args),
    };
    ExitCode::from(status)
}

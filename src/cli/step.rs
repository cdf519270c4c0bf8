//! `pnet step`

use std::io::{BufRead, IsTerminal};

use rustyline::error::ReadlineError;
use rustyline::{DefaultEditor, Result as Read};

use super::output::{complain, write_line, write_result};
use super::replay::recorded;
use super::simulating::{Besides, Ready, Simulating};
use super::verify::duration;
use super::watch::{self, Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::emit::trace::{self, Look, Recorded, step_answer};
use crate::explore::naive::Interpreter;
use crate::outcome::StepAnswer;
use crate::simulate::{self, COMMANDS, StepCommand, Stepper, Teller, command};

/// Options of `pnet step`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet step model.pnet                     the last net, step by step\n  \
                  pnet step model.pnet 'Ring<5>'           an instance, as in a `check` item\n  \
                  pnet step model.pnet < commands.txt      from a file; `#` begins a comment\n\n\
                  A number makes a step; `why ACTION` says why an action is not possible; `help` lists all commands.\n\
                  Exit status: 0, or 2 where the model has errors, or a command of a script could not be done.")]
pub(super) struct Args {
    /// The model
    #[arg(value_name = "FILE")]
    file: String,
    /// The net (or process) to run, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// What `random` does: the same number, the same steps
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    simulating: Simulating,
}

/// A run in the making. It is handed to the thread that works, and back.
type Making = Stepper<'static>;

pub(super) fn run(args: &'static Args) -> u8 {
    let watch = Terminal::new(args.simulating.memory.limit());
    let time = duration(args.simulating.timeout);
    let made = watch.run(time, move |_| begin(args));
    let (ready, stepper) = match made {
        Ok(Ok(made)) => made,
        Ok(Err(problem)) => {
            problem.iter().for_each(|problem| complain(problem));
            return STATUS_ERROR;
        }
        Err(left) => {
            complain(&left.told());
            return STATUS_UNKNOWN;
        }
    };
    let lines = Lines::new();
    let asks = matches!(lines, Lines::Terminal(_));
    let talk = Talk { args, ready, watch, look: args.simulating.look(), asks };
    talk.through(stepper, lines)
}

/// The net, and a run that begins. They are never given back: work that is left behind may still look at them.
fn begin(args: &'static Args) -> Result<(&'static Ready, Making), Option<String>> {
    let subject = (args.file.as_str(), args.net.as_deref());
    let ready: &'static Ready =
        Box::leak(Box::new(args.simulating.ready(subject, &Besides::default())?));
    let interpreter = Interpreter::new(&ready.net, ready.domains.clone());
    let teller = Teller::new(&ready.checked, &ready.net, &ready.name);
    let stepper = Stepper::new(interpreter, teller, args.seed);
    let stepper = stepper.map_err(|why| Some(format!("`{}` cannot be run: {why}", ready.name)))?;
    Ok((ready, stepper))
}

/// Where commands come from.
enum Lines {
    Terminal(Box<DefaultEditor>),
    Script(std::io::Lines<std::io::StdinLock<'static>>),
}

impl Lines {
    fn new() -> Lines {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        match DefaultEditor::new() {
            Ok(editor) if is_terminal => Lines::Terminal(Box::new(editor)),
            _ => Lines::Script(std::io::stdin().lock().lines()),
        }
    }

    /// The next line; nothing at the end.
    fn next(&mut self) -> Option<String> {
        match self {
            Lines::Script(lines) => lines.next()?.ok(),
            Lines::Terminal(editor) => loop {
                let line: Read<String> = editor.readline("step> ");
                match line {
                    Ok(line) => {
                        // What cannot be remembered cannot be called again, and that is all.
                        let _ = editor.add_history_entry(&line);
                        return Some(line);
                    }
                    Err(ReadlineError::Interrupted) => write_line("(`quit` ends)"),
                    Err(_) => return None,
                }
            },
        }
    }
}

/// Whether to go on.
enum After {
    On(Box<Making>),
    Quit,
    /// The work did not end, and took the run with it.
    Lost,
}

struct Talk {
    args: &'static Args,
    ready: &'static Ready,
    watch: Terminal,
    look: Look,
    /// Whether somebody sits at a terminal.
    asks: bool,
}

impl Talk {
    fn through(&self, mut stepper: Making, mut lines: Lines) -> u8 {
        let (mut number, mut failed) = (0, false);
        if self.asks {
            write_line("a number makes a step, `help` lists all commands");
        }
        stepper = match self.done(stepper, StepCommand::List, &mut |_| {}) {
            After::On(stepper) => *stepper,
            After::Quit => return 0,
            After::Lost => return STATUS_UNKNOWN,
        };
        while let Some(line) = lines.next() {
            number += 1;
            let mut fail = |problem: String| {
                failed = true;
                match self.asks {
                    true => complain(&problem),
                    false => complain(&format!("line {number}: {problem}")),
                }
            };
            let command = match command(&line) {
                Ok(Some(command)) => command,
                Ok(None) => continue,
                Err(problem) => {
                    fail(problem.to_string());
                    continue;
                }
            };
            stepper = match self.done(stepper, command, &mut fail) {
                After::On(stepper) => *stepper,
                After::Quit => break,
                After::Lost => return STATUS_UNKNOWN,
            };
        }
        if failed && !self.asks { STATUS_ERROR } else { 0 }
    }

    /// Does what was said.
    fn done(&self, stepper: Making, command: StepCommand, fail: &mut dyn FnMut(String)) -> After {
        watch::listen_again();
        match command {
            StepCommand::Quit => return After::Quit,
            StepCommand::Help => help(),
            StepCommand::Save(path) => match self.save(&stepper, &path) {
                Ok(said) => write_line(&said),
                Err(problem) => fail(problem),
            },
            StepCommand::Load(path) => return self.load(stepper, path, fail),
            command => {
                return self.work(stepper, fail, move |stepper| {
                    stepper.obey(&command).map_err(|problem| problem.to_string())
                });
            }
        }
        After::On(Box::new(stepper))
    }

    /// Has the run do something, while somebody watches.
    fn work(
        &self,
        mut stepper: Making,
        fail: &mut dyn FnMut(String),
        work: impl FnOnce(&mut Making) -> Result<StepAnswer, String> + Send + 'static,
    ) -> After {
        let time = duration(self.args.simulating.timeout);
        let done = self.watch.run(time, move |_: &Working| {
            let answer = work(&mut stepper);
            (stepper, answer)
        });
        let (stepper, answer) = match done {
            Ok(done) => done,
            Err(left) => {
                fail(format!("the work did not end, and the run is lost: {}", left.told()));
                return After::Lost;
            }
        };
        match answer {
            Ok(answer) => step_answer(&answer, self.look).iter().for_each(|line| write_line(line)),
            Err(problem) => fail(problem),
        }
        After::On(Box::new(stepper))
    }

    fn save(&self, stepper: &Making, path: &str) -> Result<String, String> {
        let run = self.ready.noted(stepper.trace().map_err(|problem| problem.to_string())?);
        write_result(&trace::saved(&run), Some(path))?;
        let count = run.steps.len();
        let steps = if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
        Ok(format!("{steps} saved to `{path}`"))
    }

    fn load(&self, stepper: Making, path: String, fail: &mut dyn FnMut(String)) -> After {
        let recorded = match recorded(&path) {
            Ok(recorded) => recorded,
            Err(problem) => {
                fail(problem);
                return After::On(Box::new(stepper));
            }
        };
        self.work(stepper, fail, move |stepper| {
            let by = (stepper.interpreter(), stepper.teller());
            let replayed = match &recorded {
                Recorded::Trace(run) => simulate::replay(by, run, None),
                Recorded::Itf(value) => simulate::replay_itf(by, value),
            };
            stepper.resume(replayed.map_err(|why| format!("`{path}`: {why}"))?);
            stepper.obey(&StepCommand::List).map_err(|problem| problem.to_string())
        })
    }
}

fn help() {
    for (word, rest, what) in COMMANDS {
        write_line(&format!("{:<16}{what}", format!("{word} {rest}").trim()));
    }
}

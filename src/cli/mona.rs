//! The program `mona`, which decides formulas: the library writes these and starts nothing.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use super::files::in_words;
use super::watch::is_interrupted;
use crate::base::Budget;
use crate::parametric::{MonaProgram, MonaSaid};

/// How to come by it.
const GET_IT: &str =
    "install it: `apt install mona` on Debian and Ubuntu; elsewhere from www.brics.dk/mona";

/// How often to look whether it is done.
const LOOK: Duration = Duration::from_millis(2);

/// More than this is no answer.
const LONGEST: u64 = 1 << 28;

/// How many megabytes it may use.
static MEMORY: OnceLock<u64> = OnceLock::new();

/// Who runs it, with so many megabytes; or that it is not there.
pub(super) fn program(memory: Option<u64>) -> Result<MonaProgram, String> {
    if let Some(limit) = memory {
        // There is one limit for the whole process.
        let _ = MEMORY.set(limit);
    }
    let tried = Command::new("mona")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match tried {
        Ok(_) => Ok(MonaProgram(ask)),
        Err(problem) => {
            Err(format!("the program `mona` cannot be started ({}); {GET_IT}", in_words(&problem)))
        }
    }
}

/// Asks it about a formula, and ends it when the budget is spent.
fn ask(formula: &str, budget: &Budget) -> MonaSaid {
    if is_interrupted() || budget.spent().is_some() {
        return MonaSaid::Failed("stopped".to_owned());
    }
    match started() {
        Ok(running) => answer(running, formula, budget),
        Err(problem) => MonaSaid::Failed(format!("it cannot be started: {}", in_words(&problem))),
    }
}

fn started() -> std::io::Result<Child> {
    let mut command = match MEMORY.get() {
        // What it takes is not counted as ours.
        Some(limit) if cfg!(unix) => {
            let mut shell = Command::new("sh");
            let kilobytes = limit.saturating_mul(1024);
            shell.args(["-c", &format!("ulimit -v {kilobytes}; exec mona -q /dev/stdin")]);
            shell
        }
        _ => {
            let mut mona = Command::new("mona");
            mona.args(["-q", "/dev/stdin"]);
            mona
        }
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

fn answer(mut running: Child, formula: &str, budget: &Budget) -> MonaSaid {
    let (input, formula) = (running.stdin.take(), formula.to_owned());
    // If it ends before it has read everything, it says why.
    let writing =
        std::thread::spawn(move || input.map(|mut input| input.write_all(formula.as_bytes())));
    let out = read(running.stdout.take());
    let err = read(running.stderr.take());
    let status = loop {
        match running.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => break Some(status),
            Err(_) => break None,
        }
        if budget.spent().is_some() || is_interrupted() {
            let _ = running.kill();
            let _ = running.wait();
            return MonaSaid::Failed("stopped".to_owned());
        }
        std::thread::sleep(LOOK);
    };
    let _ = writing.join();
    let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
    if status.is_some_and(|status| status.success()) {
        return MonaSaid::Text(out);
    }
    let mut lines = err.lines().chain(out.lines()).map(str::trim);
    let why = lines.find(|line| !line.is_empty()).map(str::to_owned);
    let status = status.map_or_else(String::new, |status| status.to_string());
    MonaSaid::Failed(why.unwrap_or(status))
}

/// Reads all that comes, on a thread of its own.
fn read(from: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(from) = from {
            let _ = from.take(LONGEST).read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

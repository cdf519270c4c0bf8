//! Solvers that are programs of their own: scripts in, answers out.
//!
//! A certificate can have thousands of obligations, most of which take a solver less time than to start. So it is given many at
//! once, with a `(reset)` between them. What it answers counts only if it shows at the end that it has forgotten them all: an empty
//! script has a model, which it would not have if a contradiction were remembered. Whatever does not come out so is asked again
//! by itself.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::files::in_words;
use super::watch::is_interrupted;

/// So many scripts are put together.
const TOGETHER: usize = 100;

/// A solver, and how long it may think about a script.
pub(super) struct Solver<'a> {
    /// Its command line.
    pub(super) command: &'a str,
    /// For one script, or for some that are quick.
    pub(super) limit: Duration,
}

impl Solver<'_> {
    /// What it answers about each script: `sat`, `unsat`, `unknown`, or why nothing.
    pub(super) fn answers(&self, paths: &[PathBuf]) -> Result<Vec<String>, String> {
        let mut all = Vec::with_capacity(paths.len());
        for some in paths.chunks(TOGETHER) {
            let known = if some.len() > 1 { self.together(some)? } else { vec![None] };
            for (path, known) in some.iter().zip(known) {
                all.push(match known {
                    Some(answer) => answer.to_owned(),
                    None => self.alone(path)?,
                });
            }
        }
        Ok(all)
    }

    /// What it answers about a script: the first word of its output that is an answer.
    fn alone(&self, path: &Path) -> Result<String, String> {
        if is_interrupted() {
            return Ok("nothing, since it was stopped".to_owned());
        }
        let Some(text) = self.output(path)? else {
            let stopped = is_interrupted();
            let why = if stopped { "nothing before it was stopped" } else { "nothing in time" };
            return Ok(why.to_owned());
        };
        let answer = text.lines().find_map(answer_in);
        Ok(answer.unwrap_or("nothing that can be understood").to_owned())
    }

    /// What it answers to scripts that it is given at once, where that is clear.
    fn together(&self, paths: &[PathBuf]) -> Result<Vec<Option<&'static str>>, String> {
        let nothing = vec![None; paths.len()];
        let Some(script) = joined(paths) else { return Ok(nothing) };
        let file = std::env::temp_dir().join(format!("pnet-recheck-{}.smt2", std::process::id()));
        if is_interrupted() || std::fs::write(&file, script).is_err() {
            return Ok(nothing);
        }
        let output = self.output(&file);
        let _ = std::fs::remove_file(&file);
        let Some(text) = output? else { return Ok(nothing) };
        if !has_forgotten(&text, paths.len()) {
            return Ok(nothing);
        }
        Ok((0..paths.len()).map(|number| between(&text, number)).collect())
    }

    /// What it writes about a script; nothing where it takes too long or somebody wants it to end.
    fn output(&self, path: &Path) -> Result<Option<String>, String> {
        // By itself, cvc5 gives up on some conditions with quantifiers that it can decide.
        let command = if self.command.trim() == "cvc5" { "cvc5 --enum-inst" } else { self.command };
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("say which solver, for example `--solver cvc5`")?;
        let mut running = Command::new(program)
            .args(words)
            .arg(path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|problem| {
                format!("cannot start the solver `{program}`: {}", in_words(&problem))
            })?;
        let started = Instant::now();
        while matches!(running.try_wait(), Ok(None)) {
            if started.elapsed() > self.limit || is_interrupted() {
                let _ = running.kill();
                let _ = running.wait();
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = running.wait_with_output().map_err(|problem| in_words(&problem))?;
        Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

/// Scripts one after the other, and an empty one at the end; nothing where one cannot be read.
fn joined(paths: &[PathBuf]) -> Option<String> {
    let mut all = String::new();
    for (number, path) in paths.iter().enumerate() {
        let script = std::fs::read_to_string(path).ok()?;
        let _ = write!(all, "(echo \"{}\")\n{script}\n(reset)\n", mark(number));
    }
    // Z3 remembers through a `(reset)` which answer a script announced, and complains of another one.
    let last = "(set-logic ALL)\n(set-info :status sat)\n(check-sat)\n";
    let _ = write!(all, "(echo \"{}\")\n{last}", mark(paths.len()));
    Some(all)
}

/// What stands before the answers to a script.
fn mark(number: usize) -> String {
    format!("pnet script {number}")
}

fn is_mark(line: &str, number: usize) -> bool {
    line.trim().trim_matches('"') == mark(number)
}

/// What was written behind a mark.
fn behind(text: &str, number: usize) -> impl Iterator<Item = &str> {
    text.lines().skip_while(move |line| !is_mark(line, number)).skip(1)
}

/// What was answered to a script: it stands alone between its mark and the next.
fn between(text: &str, number: usize) -> Option<&'static str> {
    let mut lines = behind(text, number);
    let answer = answer_in(lines.next()?)?;
    is_mark(lines.next()?, number + 1).then_some(answer)
}

/// Whether the empty script at the end, with this number, has a model.
fn has_forgotten(text: &str, number: usize) -> bool {
    behind(text, number).map(answer_in).eq([Some("sat")])
}

/// The answer that a line is.
fn answer_in(line: &str) -> Option<&'static str> {
    ["sat", "unsat", "unknown"].into_iter().find(|answer| line.trim() == *answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stand_between_marks() {
        let text = "pnet script 0\nunsat\npnet script 1\nunknown\npnet script 2\nsat\n";
        assert_eq!(between(text, 0), Some("unsat"));
        assert_eq!(between(text, 1), Some("unknown"));
        assert_eq!(between(text, 2), None);
        assert!(has_forgotten(text, 2));
    }

    #[test]
    fn who_quotes_what_it_echoes_is_understood() {
        let text = "\"pnet script 0\"\nsat\n\"pnet script 1\"\nsat\n";
        assert_eq!(between(text, 0), Some("sat"));
        assert!(has_forgotten(text, 1));
    }

    /// A solver that keeps what it was told before would find contradictions everywhere.
    #[test]
    fn who_does_not_forget_is_not_believed() {
        assert!(!has_forgotten("pnet script 0\nunsat\npnet script 1\nunsat\n", 1));
        assert!(!has_forgotten("pnet script 0\nunsat\npnet script 1\n", 1));
        assert!(!has_forgotten("pnet script 0\nunsat\n", 1));
        assert_eq!(between("pnet script 0\n(error \"no\")\nunsat\npnet script 1\n", 0), None);
        assert_eq!(between("pnet script 0\nunsat\nunsupported\npnet script 1\n", 0), None);
    }
}

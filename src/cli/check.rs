//! `pnet check`

use std::time::Duration;

use super::files::Disk;
use super::output::{Reporting, complain};
use super::systems::is_system;
use super::watch::{Terminal, Working, is_interrupted};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::diagnostics::{Diagnostic, Levels, Severity};
use crate::loader::Question;
use crate::model::Checked;
use crate::session::Session;

/// Options of `pnet check`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet check model.pnet\n  \
                  pnet check examples/*.pnet --deny warnings\n  \
                  pnet check model.pnet --allow W0302 --warn W0201\n  \
                  pnet check - --format json < model.pnet")]
pub(super) struct Args {
    /// The models; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    reporting: Reporting,
}

pub(super) fn run(args: &'static Args) -> u8 {
    let levels = match args.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let (watch, session) = (Terminal::new(None), open_session());
    let (mut errors, mut warnings, mut unread, mut stopped) = (0, 0, 0, false);
    for path in args.files.iter().take_while(|_| !is_interrupted()) {
        match check_watched(session, (path, None), &args.reporting, &levels, (&watch, None)) {
            Ok(checked) => {
                let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
                let in_file = checked.diagnostics.iter().filter(is_error).count();
                errors += in_file;
                warnings += checked.diagnostics.len() - in_file;
                // The process ends soon: nobody needs the memory back.
                std::mem::forget(checked);
            }
            Err(STATUS_UNKNOWN) => stopped = true,
            Err(_) => unread += 1,
        }
    }
    if errors + warnings > 0 {
        args.reporting.say(&summary(errors, warnings));
    }
    match errors + unread {
        0 if stopped => STATUS_UNKNOWN,
        0 => 0,
        _ => STATUS_ERROR,
    }
}

/// A session for all that a command does. It is never given back: work that is left behind may still look at it, and the
/// process ends soon.
pub(super) fn open_session() -> &'static Session {
    Box::leak(Box::default())
}

/// Checks a file while somebody watches; the status if it cannot be read, or if it takes too long, which has been said.
pub(super) fn check_watched(
    session: &'static Session,
    (path, question): (&'static str, Option<Question>),
    reporting: &'static Reporting,
    levels: &Levels,
    (watch, time): (&Terminal, Option<Duration>),
) -> Result<Checked, u8> {
    let levels = levels.clone();
    let check = move |_: &Working| match &question {
        Some(question) => check_question(session, (path, question), reporting, &levels),
        None => check_file(session, (path, None), reporting, &levels),
    };
    let spent = match watch.run(time, check) {
        Ok(None) => return Err(STATUS_ERROR),
        Ok(Some(Checked { stopped: Some(spent), .. })) => spent,
        Ok(Some(checked)) => return Ok(checked),
        Err(left) => left.spent,
    };
    complain(&format!("`{path}` was not checked to its end: {spent}"));
    Err(STATUS_UNKNOWN)
}

/// Checks a file, and a question about it, and writes what is wrong with them; nothing if it cannot be read.
pub(super) fn check_file(
    session: &Session,
    (path, question): (&str, Option<&Question>),
    reporting: &Reporting,
    levels: &Levels,
) -> Option<Checked> {
    if is_no_model(path, reporting) {
        return None;
    }
    match session.ask(&Disk, path, question) {
        Ok(mut checked) => {
            let all = std::mem::take(&mut checked.diagnostics);
            checked.diagnostics = all.into_iter().filter_map(|d| levels.apply(d)).collect();
            reporting.write(&checked.diagnostics, &checked.sources);
            Some(checked)
        }
        Err(reason) => {
            reporting.unreadable(path, &reason.to_string());
            None
        }
    }
}

/// Whether a file is a system, by its name; then it is said who reads such files.
fn is_no_model(path: &str, reporting: &Reporting) -> bool {
    if !is_system(path) {
        return false;
    }
    let (what, more) = match path.ends_with(".exp") {
        true => ("a network of labelled transition systems", String::new()),
        false => (
            "a labelled transition system",
            format!("; in a model, `process P = lts \"{path}\";` is a process that comes from it"),
        ),
    };
    let why = format!(
        "it is {what}, and no model: `pnet info`, `reduce`, `compare`, `restrict` and `draw` read it{more}"
    );
    reporting.unreadable(path, &why);
    true
}

/// The same for somebody who asks one question after the other: what `check` warns of is not said before each answer.
fn check_question(
    session: &Session,
    (path, question): (&str, &Question),
    reporting: &Reporting,
    levels: &Levels,
) -> Option<Checked> {
    if is_no_model(path, reporting) {
        return None;
    }
    let mut checked = match session.ask(&Disk, path, Some(question)) {
        Ok(checked) => checked,
        Err(reason) => {
            reporting.unreadable(path, &reason.to_string());
            return None;
        }
    };
    let all = std::mem::take(&mut checked.diagnostics).into_iter();
    let said = all.filter_map(|d| levels.apply(d));
    let wanted = |d: &Diagnostic| d.severity == Severity::Error || checked.is_asked(d.span());
    let said = said.filter(wanted).collect();
    checked.diagnostics = said;
    reporting.write(&checked.diagnostics, &checked.sources);
    Some(checked)
}

fn summary(errors: usize, warnings: usize) -> String {
    format!("{}; `pnet explain CODE` says more", counted(errors, warnings))
}

/// How many problems there are.
pub(super) fn counted(errors: usize, warnings: usize) -> String {
    let count = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("1 {what}")),
        number => Some(format!("{number} {what}s")),
    };
    let parts: Vec<String> =
        [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") }
}

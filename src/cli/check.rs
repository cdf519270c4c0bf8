//! `pnet check`

use super::STATUS_ERROR;
use super::files::Disk;
use super::output::{Reporting, complain};
use super::watch::{Terminal, Working};
use crate::diagnostics::{Diagnostic, Levels, Severity};
use crate::driver::{self, Checked};

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

pub(super) fn run(args: &Args) -> u8 {
    let levels = match args.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let (mut errors, mut warnings, mut unread) = (0, 0, 0);
    for path in &args.files {
        match check_file(path, None, &args.reporting, &levels) {
            Some(checked) => {
                let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
                let in_file = checked.diagnostics.iter().filter(is_error).count();
                errors += in_file;
                warnings += checked.diagnostics.len() - in_file;
                // The process ends soon: nobody needs the memory back.
                std::mem::forget(checked);
            }
            None => unread += 1,
        }
    }
    if errors + warnings > 0 {
        args.reporting.say(&summary(errors, warnings));
    }
    if errors + unread > 0 { STATUS_ERROR } else { 0 }
}

/// Checks a file while somebody watches; nothing if it cannot be read, or if it takes too long for somebody.
pub(super) fn check_watched(
    path: &'static str,
    question: Option<String>,
    reporting: &'static Reporting,
    levels: &Levels,
    watch: &Terminal,
) -> Option<Checked> {
    let levels = levels.clone();
    let check = move |_: &Working| match &question {
        Some(question) => check_question(path, question, reporting, &levels),
        None => check_file(path, None, reporting, &levels),
    };
    match watch.run(None, check) {
        Ok(checked) => checked,
        Err(left) => {
            complain(&format!("`{path}` was not checked to its end: {}", left.spent));
            None
        }
    }
}

/// Checks a file, and a question about it, and writes what is wrong with them; nothing if it cannot be read.
pub(super) fn check_file(
    path: &str,
    question: Option<&str>,
    reporting: &Reporting,
    levels: &Levels,
) -> Option<Checked> {
    match driver::check_asking(&Disk, path, question) {
        Ok(mut checked) => {
            let all = std::mem::take(&mut checked.diagnostics);
            checked.diagnostics = all.into_iter().filter_map(|d| levels.apply(d)).collect();
            reporting.write(&checked.diagnostics, &checked.sources);
            Some(checked)
        }
        Err(reason) => {
            reporting.unreadable(path, &reason);
            None
        }
    }
}

/// The same for somebody who asks one question after the other: what `check` warns of is not said before each answer.
fn check_question(
    path: &str,
    question: &str,
    reporting: &Reporting,
    levels: &Levels,
) -> Option<Checked> {
    let mut checked = match driver::check_asking(&Disk, path, Some(question)) {
        Ok(checked) => checked,
        Err(reason) => {
            reporting.unreadable(path, &reason);
            return None;
        }
    };
    let all = std::mem::take(&mut checked.diagnostics).into_iter();
    let asked = |d: &Diagnostic| {
        checked.sources.file_of(d.span()).is_some_and(|file| file.name() == driver::QUESTION)
    };
    let said = all.filter_map(|d| levels.apply(d));
    let said = said.filter(|d| d.severity == Severity::Error || asked(d)).collect();
    checked.diagnostics = said;
    reporting.write(&checked.diagnostics, &checked.sources);
    Some(checked)
}

fn summary(errors: usize, warnings: usize) -> String {
    let count = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("1 {what}")),
        number => Some(format!("{number} {what}s")),
    };
    let parts: Vec<String> =
        [count(errors, "error"), count(warnings, "warning")].into_iter().flatten().collect();
    format!("{}; `pnet explain CODE` says more", parts.join(", "))
}

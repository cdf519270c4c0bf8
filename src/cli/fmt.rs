//! `pnet fmt`

use std::sync::Arc;

use super::files;
use super::output::{Reporting, complain, write_result};
use super::watch::{Terminal, is_interrupted};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Spent;
use crate::diagnostics::SourceMap;
use crate::generate::Watch;
use crate::loader::{Decoded, decode};
use crate::syntax::format::format;
use crate::syntax::problems::{NotUtf8, SyntaxProblem};

/// A file is not formatted as it should be.
const STATUS_UNFORMATTED: u8 = 1;

/// Options of `pnet fmt`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet fmt model.pnet              format in place\n  \
                  pnet fmt --check examples/*.pnet exit with 1 if one is not formatted\n  \
                  pnet fmt - < model.pnet          from standard input to standard output")]
pub(super) struct Args {
    /// The models; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Change nothing; say which files are not formatted, and exit with 1 if there are any
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    reporting: Reporting,
}

pub(super) fn run(args: &Args) -> u8 {
    // From here on Ctrl-C does not end the process while it writes, when half of a file would be lost.
    let watch = Terminal::new(None);
    let mut status = 0;
    for path in args.files.iter().take_while(|_| !is_interrupted()) {
        let one = fmt_file(path, args, &watch);
        status = if status == STATUS_ERROR || one == STATUS_ERROR {
            STATUS_ERROR
        } else {
            status.max(one)
        };
    }
    status
}

fn fmt_file(path: &str, args: &Args, watch: &Terminal) -> u8 {
    let bytes = match files::read(path) {
        Ok(bytes) => bytes,
        Err(reason) => {
            args.reporting.unreadable(path, &reason);
            return STATUS_ERROR;
        }
    };
    let Decoded { text, broken } = decode(bytes);
    let formatted = match broken {
        // What is not UTF-8 would be lost: leave such a file alone.
        Some((offset, byte)) => {
            let at = offset as u32;
            let span = crate::diagnostics::Span::new(at, at + 1);
            Err(vec![NotUtf8 { span, byte, offset }.into()])
        }
        None => match formatted(&text, watch) {
            Ok(formatted) => formatted,
            Err(spent) => {
                complain(&format!("`{path}` was left as it was: {spent}"));
                return STATUS_UNKNOWN;
            }
        },
    };
    match formatted {
        Ok(formatted) => deliver(path, args, &text, &formatted),
        Err(problems) => {
            show(path, &text, &problems, args);
            STATUS_ERROR
        }
    }
}

/// A text in the one formatting, or what is wrong with it; or why there was no time for it.
fn formatted(text: &str, watch: &Terminal) -> Result<Result<String, Vec<SyntaxProblem>>, Spent> {
    let text: Arc<str> = text.into();
    let found = watch.run(None, move |working| (format(&text), working.budget().spent()));
    match found.map_err(|left| left.spent)? {
        // What was formatted may be a part of it.
        (_, Some(spent)) => Err(spent),
        (formatted, None) => Ok(formatted),
    }
}

fn deliver(path: &str, args: &Args, text: &str, formatted: &str) -> u8 {
    if args.check {
        if text == formatted {
            return 0;
        }
        args.reporting.say(&format!("{path}: not formatted; run `pnet fmt {path}`"));
        return STATUS_UNFORMATTED;
    }
    let done = if path == "-" {
        write_result(formatted, None)
    } else if text == formatted {
        Ok(())
    } else {
        write_result(formatted, Some(path))
    };
    match done {
        Ok(()) => 0,
        Err(problem) => {
            complain(&problem);
            STATUS_ERROR
        }
    }
}

fn show(path: &str, text: &str, problems: &[SyntaxProblem], args: &Args) {
    let mut sources = SourceMap::default();
    if sources.add(path.to_owned(), Arc::from(text)).is_err() {
        complain(&format!("`{path}` is larger than four gigabytes"));
        return;
    }
    let diagnostics: Vec<_> = problems.iter().map(SyntaxProblem::diagnose).collect();
    args.reporting.write(&diagnostics, &sources);
    args.reporting.say(&format!("{path}: not formatted, because it does not parse"));
}
